"""The lab: everything it offers comes from the package, it can be stopped at any time, and its code is what it ran."""

import _thread
import json
import re
import threading
import time
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_server import FakeServer, answering

from tot import LM, METHODS, TASKS, Cassette, LMError, Reply, Sample, Scripted, Usage, method, solve, task
from tot.budget import Budget
from tot.lm.base import bill
from tot.lm.openai import OpenAI
from tot.lm.settings import Settings
from tot.solution import Job
from tot.tasks.game24 import Game24
from treebook.lab import Choice, Lab, Panel, Session
from treebook.players import Pocket
from treebook.players.adjusted import Adjusted

CASSETTE = Path(__file__).parents[3] / "notebooks" / "cassettes" / "06_pocket.jsonl"
SETTINGS = [{"breadth": 1}, {"breadth": 5, "proposals": 2}]
X = "2 3 7 10"
STEPS = {  # a player that knows the way, and nothing else
    X: "7 - 3 = 4 (left: 2 4 10)\n2 * 10 = 20 (left: 3 7 20)",
    "2 4 10": "2 * 10 = 20 (left: 4 20)",
    "4 20": "4 + 20 = 24 (left: 24)",
}


def say(request, i):
    asked = request.messages[-1].content
    return "sure" if "impossible" in request.messages[0].content else STEPS.get(asked.removeprefix("Numbers: "), "?")


def ours():
    return [thread for thread in threading.enumerate() if thread.name == "tot-lab"]


@pytest.fixture(autouse=True)
def every_session_ends():
    yield
    for thread in ours():
        thread.join(60)
    assert not ours()


@pytest.fixture
def lab():
    return Lab({"pocket": Pocket()}, problem=X, recorded=Cassette(CASSETTE), settings=SETTINGS)


def panel(lm=None, **more):
    return Panel(Lab({"lm": lm or Scripted(say)}, **{"task": "game24", "problem": X, **more}))


def run(one):
    one.run.click()
    return one.session.wait()


def text(html):
    """What a person reads."""
    return " ".join(unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html.value)).split())


def written(one):
    """The code that a panel shows."""
    return unescape(re.search(r"<pre>(.*)</pre>", one.code.value, re.S)[1])


def ran(code, **names):
    """What the code makes of itself: its solution, as a results line."""
    exec(code, names)
    return names["solution"].to_dict()


def test_the_static_page_has_a_frame_for_each_setting(lab):
    shown = lab.frames()
    assert len(shown.frames) == 2 and all("tot-explorer" in frame for frame in shown.frames)
    assert shown.labels[0].startswith("breadth 1: not solved") and "proposals 2: solved: " in shown.labels[1]
    assert "seconds" not in re.sub(r"<script.*?</script>", "", shown.frames[0], flags=re.S)  # the same in every replay
    assert "breadth=5" not in shown.frames[1] and "proposals=2" in shown.frames[1] and "breadth=1" in shown.frames[0]
    assert [frame.count("<script data-tot-once") for frame in shown.frames] == [0, 1]  # one script serves all explorers
    assert all(frame.count('<script type="application/json">') == 1 for frame in shown.frames)
    assert "<style" in shown.frames[0] and "<style" not in shown.frames[1]
    small = replace(lab, size=55_000).frames().frames
    assert len(small[1]) < len(shown.frames[1]) and "Prompts and replies are left out" in small[1]
    assert lab.frames().frames == shown.frames


def test_knobs_are_of_the_initial_method_though_a_setting_names_it():
    lab = Lab(ours(), task="game24", knobs={"breadth": 2})
    chosen = [lab.choice({}, "", **setting) for setting in ({}, {"method": "tot-bfs"}, {"method": "io", "k": 3})]
    assert [dict(one.knobs) for one in chosen] == [{"breadth": 2}, {"breadth": 2}, {"k": 3}]


def test_a_setting_that_was_not_recorded_says_so(lab):
    with pytest.raises(LMError, match=r"not in 06_pocket.jsonl"):
        Lab(recorded=Cassette(CASSETTE), problem=X, settings=[{"proposals": 6}]).frames()
    with pytest.raises(ValueError, match="pass recorded="):
        Lab({"lm": Scripted(say)}).frames()


@pytest.mark.parametrize("recorded", [False, True])
def test_showing_a_lab_asks_no_live_model(recorded, tmp_path):
    live = Scripted(say)
    with Cassette(tmp_path / "c.jsonl", live) as tape:
        shown = Lab(recorded=tape if recorded else live, problem=X)._repr_mimebundle_()
    assert live.requests == [] and "needs a kernel" in shown["text/html"]


def test_where_widgets_live_the_panel_is_shown_and_else_the_frames(lab):
    bundle = lab._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "tot-frames" in bundle["text/html"]
    assert bundle["text/plain"] == "<Lab: game24, pocket, recorded>"


@pytest.mark.parametrize("name", METHODS)
def test_the_knobs_are_the_methods_own(name):
    the_task = next(n for n in TASKS if not method(name).missing(task(n)))
    one = panel(task=the_task, problem="", method=name)
    defaults = method(name).defaults
    assert {n: w.value for n, w in one.knobs.items()} == {n: "" if d is None else d for n, d in defaults.items()}
    assert dict(one.choice().knobs) == defaults  # an empty field for a plan is no empty plan
    for knob in method(name).knobs():
        field = one.knobs[knob.name]
        assert knob.doc and field.tooltip == knob.doc and knob.doc[:40] in text(one._docs)
        assert knob.kind != "int" or field.min == knob.least
        assert not knob.choices or [value for _, value in field.options] == list(knob.choices)


def test_what_cannot_be_is_said_before_it_is_run():
    one = panel()
    assert not one.run.disabled and text(one.message) == ""
    assert "tot-vote" not in one.method.options and "tot-bfs" in one.method.options
    one.problem.value = "4 9 <b>10</b>"
    assert "four whole numbers" in text(one.message) and "<b>10" not in one.message.value and one.run.disabled
    one.run.click()
    assert one.session is None and one.code.value == ""
    one.problem.value = X
    one.budget.value = "calls=many"
    assert "cannot read 'calls=many' in a budget" in text(one.message)
    free = Panel(Lab({"lm": OpenAI("m", base_url="http://127.0.0.1:1/v1")}, problem=X, budget="dollars=0.01"))
    free.run.click()
    assert "needs a price for m" in text(free.message) and free.session is None
    one.budget.value = ""
    one.model.value = one.model.options[-1]
    assert "enter the file of a cassette" in text(one.message) and one.cassette.layout.display == ""
    one.cassette.value = "no/such/file.jsonl"
    assert "there is no cassette no/such/file.jsonl" in text(one.message)
    one.cassette.value = str(CASSETTE)
    assert text(one.message) == "" and not one.run.disabled
    assert run(one).correct is False and "1,102" not in text(one.message)
    one.knobs["values"].value = 4  # was not recorded
    assert "It ended early" not in text(one.message)
    solution = run(one)
    assert solution.result.stopped == "error" and "choose a live model" in text(one.message)
    assert "is not in 06_pocket.jsonl" in text(one.outcome)
    one = panel(task="count_letters", problem="", method="mcts-plan")
    one.knobs["enough"].value = 1.5
    assert "enough must be a number from 0 to 1, not 1.5" in text(one.message) and one.run.disabled


def test_another_task_brings_its_problems_and_its_usual_method(monkeypatch):
    monkeypatch.delenv("TOT_DATA_DIR", raising=False)
    one = panel()
    one.task.value = "crosswords"
    assert one.method.value == "tot-dfs" and "steps" in one.knobs and "h1" in one.problem.value
    one.split.value = "easy"
    one.number.value = 4  # people count from 1
    assert one.problem.disabled and one.problem.value == task("crosswords").problems("easy")[3].x
    assert 'tot.task("crosswords").problems("easy")[3]' in written(one)
    assert "authors" not in dict(map(reversed, one.split.options))  # its data are not here
    one.task.value = "game24"
    assert one.problem.value == X and one.method.value == "tot-bfs" and text(one.message) == ""


def test_it_runs_and_shows_how_it_ended():
    one = panel()
    one.knobs["breadth"].value = 2
    solution = run(one)
    assert solution.correct and "(7 - 3) + (2 * 10): correct" in text(one.outcome)
    assert "tot-explorer" in one.tree.outputs[0]["data"]["text/html"]
    ledger = solution.result.ledger
    assert f"calls {ledger.total.calls} tokens {ledger.total.tokens}" in text(one.meter)
    assert one.stop.disabled and not one.run.disabled
    one.knobs["breadth"].value = 1
    assert run(one).params["breadth"] == 1  # and again


@pytest.mark.parametrize(
    "setting", [{}, {"breadth": 1, "trim": True, "budget": "calls=20,tokens=1e9"}, {"style": "lean"}]
)
def test_the_code_of_a_live_model_runs_and_gives_the_same(setting):
    setting = dict(setting)
    one = Panel(Lab({"pocket": Pocket(seed=3)}, problem=X, budget=setting.pop("budget", "")))
    for name, value in setting.items():
        one.knobs[name].value = value
    one.settings.value = "temperature=1.1"
    code = written(one)
    assert "Pocket(seed=3)" in code and "Settings(options={'temperature': 1.1})" in code
    assert ran(code) == run(one).to_dict()


def test_the_code_of_a_recording_runs_and_gives_the_same(lab, tmp_path):
    one = Panel(lab)
    one.model.value = "recorded"
    one.knobs["breadth"].value = 1
    assert ran(written(one)) == run(one).to_dict()
    two = tmp_path / "two.jsonl"
    for name in ("a", "b"):
        with Cassette(two, Scripted(say, name=name)) as lm:
            solve("game24", X, "io", lm=lm)
    lms = {"generator": Cassette(two, model="b"), "default": Pocket()}
    one = Panel(Lab({"pair": lms}, problem=X, method="io"))
    assert f'Cassette("{two}", model="b")' in written(one) and ran(written(one)) == run(one).to_dict()
    with Cassette(two, Adjusted(Scripted(say, name="b"), Settings(options={"temperature": 0}))) as lm:
        solve("game24", X, "io", lm=lm)
    cold = Cassette(two, model="b", asked_with=Settings(options={"temperature": 0}))
    other = Panel(Lab({"cold": cold}, problem=X, method="io"))
    assert "asked_with=Settings" in written(other) and ran(written(other)) == run(other).to_dict()
    one.settings.value = "temperature=1.3"  # was not recorded
    ended = ran(written(one))
    assert ended["stopped"] == "error" and ended == run(one).to_dict()


def test_the_code_of_a_readers_own_parts_runs_under_their_names():
    class Mine(Game24):
        name = "mine"

    mine, clerk = Mine(), Scripted(say)
    one = Panel(Lab({"clerk": clerk, "my model": clerk}, {"mine": mine}, problem=X))
    assert ran(written(one), mine=mine, clerk=clerk) == run(one).to_dict()
    one.split.value = "easy"
    assert 'mine.problems("easy")[0]' in written(one)
    assert ran(written(one), mine=mine, clerk=clerk) == run(one).to_dict()
    one.model.value = "my model"
    assert "# lm: the model that the lab calls 'my model'" in written(one)
    assert ran(written(one), mine=mine, lm=clerk)["lm"] == "scripted"


def test_the_code_of_a_server_names_it_and_keeps_the_key_out():
    lm = OpenAI("org/m", base_url="http://me:pass@127.0.0.1:1/v1", api_key="secret", seed=4, timeout=9)
    code = Choice(Game24(), X, "io", lm, {"k": 3}, budget="seconds=inf").code()
    assert 'OpenAI("org/m", base_url="http://127.0.0.1:1/v1", timeout=9, seed=4)' in code and "k=3" in code
    assert "secret" not in code and "pass" not in code and "Budget" not in code
    mine = OpenAI("m", base_url="http://127.0.0.1:1/v1", native_n=False, keep_thinking=False)
    assert "native_n=False, keep_thinking=False)" in Choice(Game24(), X, "io", mine, {}).code()
    mine = OpenAI("m", base_url="http://127.0.0.1:1/v1", transport=object())
    assert "OpenAI(" not in Choice(Game24(), X, "io", mine, {}).code()
    priced = OpenAI("m", base_url="http://127.0.0.1:1/v1", prices={"m": {"input": 1, "output": 2.5}})
    names: dict = {}
    code = Choice(Game24(), X, "io", priced, {}, budget="dollars=1").code()
    exec("from tot.lm.openai import OpenAI\n" + next(line for line in code.splitlines() if "OpenAI(" in line), names)
    assert names["lm"].price == priced.price and not names["lm"].unpriced
    code = Choice(Game24(), X, "io", Pocket(), {}, budget="calls=9,dollars=0.5,soft").code()
    assert "budget=tot.Budget(calls=9, dollars=0.5, soft=True)" in code


def test_the_papers_style_brings_its_defaults_and_goes_with_them():
    """Code and knobs agree: what follows from the style is not written, and what the user changes is."""
    one = panel(method="tot-bfs")
    one.knobs["breadth"].value = 2
    one.knobs["style"].value = "paper"
    assert not one.knobs["compose"].value and not one.knobs["checked"].value and one.knobs["breadth"].value == 2
    assert 'style="paper"' in written(one) and "compose" not in written(one) and "breadth=2" in written(one)
    one.knobs["checked"].value = True
    assert "checked=True" in written(one)
    one.knobs["style"].value = ""
    assert one.knobs["compose"].value and "compose" not in written(one) and "style" not in written(one)
    begun = panel(method="tot-bfs", knobs={"style": "paper", "checked": True})
    assert not begun.knobs["compose"].value and begun.knobs["checked"].value and "compose" not in written(begun)


class Slow:
    """Answers ``free`` calls, then tells one sample and waits until ``go`` is set. It keeps what tells whether this
    call is ``wanted``, and is never told that others are not.
    """

    name, batched = "slow", False

    def __init__(self, free):
        self.free, self.go, self.waits, self.wanted = free, threading.Event(), threading.Event(), None

    def __call__(self, requests, on_reply=None):
        self.free -= 1
        if self.free < 0:
            sample = Sample("a part", completion_tokens=1000)
            on_reply(requests[0].samples(requests[0].first, 1), Reply((sample,), *[Usage(1, 1, 7, 1000)] * 2))
            self.wanted = LM.WANTED.get()
            self.waits.set()
            assert self.go.wait(600)
        return Scripted(say)(requests, on_reply)

    def cancel(self):
        raise AssertionError("others may use the same model")


@pytest.fixture
def slow():
    lm = Slow(4)
    yield lm
    lm.go.set()  # let the call end that nobody waits for


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.mark.parametrize("recorded", [False, True])
def test_the_bill_moves_while_a_model_answers_and_stop_keeps_the_best_so_far(slow, recorded):
    one = panel(Cassette(None, slow) if recorded else slow, budget="seconds=3600")
    one.run.click()
    assert slow.waits.wait(60) and one.run.disabled and not one.stop.disabled
    before = one.session.meter
    until(lambda: one.session.meter.tokens >= 1000 and one.session.meter.seconds > before.seconds)
    assert "best so far: 2 * 10 = 20" in text(one.meter) or "best so far: 7 - 3 = 4" in text(one.meter)
    assert "of 3,600" in text(one.meter) and "<progress" in one.meter.value
    one.stop.click()
    solution = one.session.wait()
    assert not slow.go.is_set() and not slow.wanted()  # nobody waits for the model, which has not answered yet
    assert solution.result.stopped == "stopped" and solution.answer is None and solution.result.best[0].depth == 2
    assert "You stopped it: this is the best so far. Best state: 7 - 3 = 4" in text(one.outcome)
    after = one.session.meter  # what has arrived was paid, though the round was not over
    assert (after.calls, after.tokens) == (before.calls + 1, before.tokens + 7)
    slow.go.set()
    until(lambda: one.session.meter.calls > after.calls)  # what comes later was paid, too
    full = solve("game24", X, lm=Scripted(say)).trace.events
    assert solution.trace.events == full[: len(solution.trace.events)]


def test_stop_before_anything_was_answered():
    lm = Slow(0)
    one = panel(lm)
    one.run.click()
    lm.waits.wait(60)
    one.stop.click()
    assert one.session.wait().answers == [] and "no answer" in text(one.outcome) and one.tree.outputs == ()
    lm.go.set()
    until(lambda: not one.run.disabled)
    late = Session(Job(Game24(), Game24().problem(X), method("io"), {}), Scripted(say))
    late.stop()
    assert late.start().wait().result.stopped == "stopped"
    late.stop()  # harmless


def test_ctrl_c_stops_the_search(slow):
    session = Session(Job(Game24(), Game24().problem(X), method("tot-bfs"), {}), slow).start()
    assert slow.waits.wait(60)
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        session.wait()
    assert not session.running and session.solution.result.stopped == "stopped" and not slow.wanted()


def test_stop_leaves_others_with_the_same_server_alone():
    gate, good = threading.Event(), answering("Answer: 4 * 6 * 1 * 1")
    with FakeServer(lambda body: gate.wait(60) and good(body)) as server, OpenAI("fake", base_url=server.url) as lm:
        job = Job(Game24(), Game24().problem("1 1 4 6"), method("io"), {})
        one, other = Session(job, lm).start(), Session(job, lm).start()
        until(lambda: len(server.requests) == 2)
        one.stop()
        assert one.wait().result.stopped == "stopped"
        gate.set()
        assert other.wait().correct


@pytest.mark.parametrize("by", ["the lab", "the cell", "its text"])
def test_a_lab_that_is_shown_again_goes_on_with_its_search(slow, monkeypatch, by):
    def cell(name):
        parent = {"metadata": {"cellId": name}} if by == "the cell" else {}
        typed = {"In": ["", name]} if by == "its text" else {}
        shell = SimpleNamespace(get_parent=lambda: parent, user_ns=typed)
        monkeypatch.setattr("IPython.get_ipython", lambda: shell)
        return Panel(labs.pop())

    labs = [Lab({"lm": slow}, problem=X) for _ in range(3)]
    if by == "the lab":
        labs[2] = labs[1]
    one = cell("a")
    one.run.click()
    assert slow.waits.wait(60)
    again, other = cell("a"), cell("b")
    assert "goes on" in text(again.message) and again.run.disabled and not again.stop.disabled
    assert other.session is None and not other.run.disabled and other.stop.disabled
    again.stop.click()
    assert one.session.wait().result.stopped == "stopped"
    assert "You stopped it" in text(again.outcome) and text(again.meter) == text(one.meter)
    assert again.stop.disabled and not again.run.disabled


def test_of_two_labs_that_are_shown_again_each_goes_on_with_its_own_search():
    models = Slow(0), Slow(0)
    lab = Lab(dict(zip("ab", models, strict=True)), problem=X)
    before = [Panel(lab), Panel(lab)]
    for one, lm in zip(before, models, strict=True):
        one.model.value = "ab"[models.index(lm)]
        one.run.click()
        assert lm.waits.wait(60)
    after = [Panel(lab), Panel(lab)]
    assert [one.session for one in after] == [one.session for one in before]
    for one, lm in zip(after, models, strict=True):
        one.stop.click()
        one.session.wait()
        lm.go.set()


def test_close_stops_what_runs(slow):
    one = panel(slow)
    one.run.click()
    slow.waits.wait(60)
    one.close()
    assert not one.session.running


def test_a_budget_in_seconds_ends_it_though_the_model_does_not_answer(slow):
    one = panel(slow, budget="seconds=0.5")
    one.run.click()
    solution = one.session.wait()
    assert not slow.go.is_set() and solution.result.stopped == "seconds" and not solution.error
    assert "The budget of seconds is used up: " in text(one.outcome)


def test_a_failing_model_a_broken_one_and_a_broken_verifier():
    def fail(request, i):
        raise LMError("the <i>server</i> is down: start it")

    one = panel(Scripted(fail))
    assert run(one).error and "It ended early: the <i>server</i> is down" in text_of(one.outcome)
    assert "<i>server" not in one.outcome.value
    one = panel(Scripted(lambda request, i: 1 / 0))
    one.run.click()
    with pytest.raises(ZeroDivisionError):
        one.session.wait()
    assert "ZeroDivisionError: division by zero" in text(one.message) and not one.run.disabled

    class Broken(Game24):
        def verify(self, problem, answer):
            raise KeyError("gold")

    one = Panel(Lab({"lm": Scripted(say)}, {"broken": Broken()}, problem=X))
    one.run.click()
    with pytest.raises(KeyError):
        one.session.wait()
    assert "KeyError: 'gold'" in text(one.message) and "tot-explorer" in one.tree.outputs[0]["data"]["text/html"]


def text_of(html):
    return unescape(re.sub(r"<style>.*?</style>|</?(?:p|b|div)[^>]*>", "", html.value))


def test_what_a_model_says_is_text():
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    one = panel(Scripted(lambda request, i: f"Answer: 1 + 1 {evil}"), method="io")
    run(one)
    data = one.tree.outputs[0]["data"]["text/html"]
    for html in (one.outcome.value, one.meter.value, data):
        assert "<script>alert" not in html and "<img" not in html
    assert "1 + 1" in text_of(one.outcome)


def test_the_panel_sets_any_option_of_the_model():
    lm = Scripted(say)
    one = panel(lm, method="io")
    one.settings.value = "reasoning_effort=low, think_tokens=300 temperature=none"
    assert "think_tokens=300" in written(one) and "'reasoning_effort': 'low'" in written(one)
    solution = run(one)
    assert solution.settings == {"reasoning_effort": "low", "temperature": None, "think_tokens": 300}
    [request] = lm.requests
    assert (request.think_tokens, request.temperature) == (300, None)
    assert json.loads(request.options) == {"reasoning_effort": "low"}
    one.settings.value = "temperature"
    assert "write, for example, reasoning_effort=low" in text(one.message) and one.run.disabled
    one.settings.value = "stop=none"
    one.run.click()
    assert "only where a server is asked" in text(one.message)


def test_the_code_names_the_settings_of_a_model():
    lm = OpenAI("m", base_url="http://127.0.0.1:1/v1", profile="reasoning", options={"reasoning_effort": "low"})
    code = Choice(task("game24"), X, "io", lm).code()
    assert "'temperature': None" in code and "'reasoning_effort': 'low'" in code and "think_tokens=8000" in code
    names: dict = {}
    exec("from tot.lm.openai import OpenAI\n" + next(line for line in code.splitlines() if "OpenAI(" in line), names)
    assert names["lm"].settings == lm.settings
    adjusted = Choice(task("game24"), X, "io", Adjusted(Pocket(), Settings({"temperature": 0}))).code()
    assert "lm = Adjusted(Pocket(), Settings(options={'temperature': 0}))" in adjusted


KEYS = ["api_key=sk-qwx", "key=qwx", "sk-qwxdefghijklmnop123", "temperature=1 token=qwx"]


@pytest.mark.parametrize("typed", [*KEYS, "user=sk-proj-qwxdefghijklmnop123"])
def test_a_key_typed_as_a_setting_is_not_kept_in_the_notebook(typed):
    one = panel()
    one.settings.value = typed
    state = json.dumps([widget.get_state() for widget in (one.settings, one.message, one.code)], default=str)
    assert "qwx" not in state and "OPENAI_API_KEY" in one.message.value and one.run.disabled
    one.settings.value = "temperature"  # a slip is left to be corrected
    assert one.settings.value == "temperature" and "cannot read" in one.message.value
    one.settings.value = "user=abcdefghijklmnop0123"  # may be a name
    assert one.settings.value == "user=abcdefghijklmnop0123" and not one.run.disabled


@pytest.mark.parametrize("field", ["cassette", "budget"])
def test_a_key_typed_into_another_field_is_not_kept_in_the_notebook(field):
    one = panel()
    one.model.value = "a cassette (enter its file)"
    getattr(one, field).value = "sk-qwxdefghijklmnop123"
    one.model.value = one.model.options[0]  # which hides the field
    state = json.dumps([widget.get_state() for widget in (getattr(one, field), one.message, one.code)], default=str)
    assert "qwx" not in state
    one.model.value, one.cassette.value = "a cassette (enter its file)", "cassettes/nowhere.jsonl"
    assert one.cassette.value == "cassettes/nowhere.jsonl" and one.run.disabled  # a slip is left to be corrected


def test_a_function_that_is_asked_in_pieces_is_billed_and_limited_as_in_a_thread():
    calls = []

    def says(prompt):
        calls.append(prompt)
        return "The answer is 7"

    gsm, paid = task("gsm8k"), []
    job = Job(gsm, gsm.problems("book")[0], method("tot-vote"), {"k": 40, "votes": 40})
    for in_a_thread in (True, False):
        calls.clear()
        session = Session(job, says, budget=Budget(calls=60))
        if in_a_thread:
            session.start().wait()
        else:
            assert [*session]
        paid.append(session.solution.result.ledger.total_paid.calls)
        assert paid[-1] == len(calls) <= 60
    assert paid[0] == paid[1]


def test_dollars_of_a_request_that_is_asked_in_pieces_have_its_prompt_once():
    class Here(LM):
        name, batched, unpriced, price = "here", True, False, (1000.0, 1000.0)

        def __call__(self, requests, on_reply=None):
            said = Sample("The answer is 7", completion_tokens=5)
            bills = [bill([said] * request.n, [self.price] * request.n, 100) for request in requests]
            return [Reply((said,) * r.n, one, one) for r, one in zip(requests, bills, strict=True)]

    gsm = task("gsm8k")
    session = Session(Job(gsm, gsm.problems("book")[0], method("cot-sc"), {"k": 40}), Here())
    assert [*session] and session.solution.result.ledger.total.dollars == pytest.approx(0.1 + 40 * 0.005)


@pytest.mark.parametrize("batched", [False, True])
def test_in_one_thread_a_model_that_counts_nothing_is_counted_as_elsewhere(batched):
    class Mine(LM):
        name, price = "mine", (1000.0, 1000.0)

        def __init__(self):
            self.batched = batched

        def __call__(self, requests, on_reply=None):
            return [Reply((Sample("one two\nsure"),) * request.n) for request in requests]

    job = Job(task("gsm8k"), task("gsm8k").problems("book")[0], method("cot"), {"k": 40})
    threaded, pieces = (Session(job, Mine()) for _ in range(2))
    threaded.start().wait()
    assert [*pieces]
    whole, parts = threaded.run.ledger.total_paid, pieces.run.ledger.total_paid
    assert replace(parts, dollars=0.0) == replace(whole, dollars=0.0) and parts.dollars == pytest.approx(whole.dollars)
    assert parts.dollars > 0.1
