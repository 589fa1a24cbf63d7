"""The lab of the pages that run, as far as it needs no browser: what it offers, what it tells, what it refuses."""

import asyncio
import json
import os
import re
import subprocess
from functools import cache
from html import unescape
from urllib.parse import parse_qs

import pytest

from live import lab as desk
from live.answers import own_model
from tools.live.site import ROOT, TRY, SetUpError, lab_page
from tot import Cassette, Scripted, solve, task

tape = cache(lambda chapter: Cassette(ROOT / "notebooks" / "cassettes" / f"{chapter}.jsonl"))
FRAME = '<html><head><title>Index</title></head><body><article class="bd-article">words</article></body></html>'


@pytest.fixture
def labs(monkeypatch):
    """``labs(own=..., **form)`` runs one search and gives all that it told."""
    monkeypatch.chdir(ROOT / "notebooks")
    monkeypatch.setattr(desk, "BEAT", 0)
    told = []
    one = desk.Labs(told.append)

    def search(own=None, **form):
        told.clear()
        form = {"task": "game24", "method": "tot-bfs"} | form
        asyncio.run(one.search(json.dumps({"lab": 0, "form": form, "own": own})))
        assert one.session is None and all(message["output_type"] == "lab" for message in told)
        return told

    search.one = one
    return search


LEAN = {"style": "lean", "breadth": 5}


def test_a_recorded_run_grows_and_ends_as_solve_does(labs):
    told = labs(problem="3 4 4 6", model="recorded", knobs=LEAN)
    kinds = [next(kind for kind in message if kind != "output_type") for message in told]
    assert kinds.count("tree") == 1 and kinds.index("tree") < kinds.index("grow") and kinds[-1] == "outcome"
    steps = [len(message["grow"]["steps"]) for message in told if "grow" in message]
    assert steps == sorted(steps) and steps[0] < steps[-1]
    assert [message["grow"]["start"]["ended"] for message in told if "grow" in message][-2:] == [False, True]
    tape = desk._cassette("06")
    expected = solve("game24", "3 4 4 6", lm=tape, **LEAN)
    assert expected.answer in told[-1]["outcome"] and told[-1]["message"] == "" and told[-1]["stopped"] == "done"
    calls = re.findall(r"calls <b>([\d,]+)", "".join(message.get("meter", "") for message in told))
    assert [int(n) for n in calls] == sorted(int(n) for n in calls)
    assert int(calls[-1]) == expected.result.ledger.total.calls
    assert "cassettes/06.jsonl" in told[-1]["code"]


def test_the_recording_that_has_it_is_found(labs):
    assert not labs(problem="2 3 7 10", model="recorded", knobs={"breadth": 5})[-1]["missed"]  # 06_pocket
    assert not labs(method="io", problem="4 4 4 6", model="recorded", knobs={"k": 10})[-1]["missed"]  # 03


def test_what_is_not_recorded_says_what_is(labs):
    last = labs(problem="2 3 7 10", model="recorded", knobs={"breadth": 7})[-1]
    assert last["missed"] and last["outcome"] == "" and "style lean, breadth 5" in last["message"]
    [last] = labs(method="tot-dfs", problem="2 3 7 10", model="recorded")
    assert last["message"].startswith("The book has no recording of tot-dfs on game24")


def test_after_a_miss_bill_and_tree_are_those_of_the_run_that_came_furthest(labs):
    told = labs(problem="3 4 4 6", model="recorded", knobs={"style": "lean", "breadth": 7})
    calls = next(re.search(r"calls <b>(\d+)", each["meter"])[1] for each in reversed(told) if "meter" in each)
    columns, *steps = next(each["grow"]["steps"] for each in reversed(told) if "grow" in each)
    asked = sum(step[columns.index("requests")] or 0 for step in steps if len(step) > columns.index("requests"))
    assert told[-1]["missed"] and len(desk._files({"task": "game24", "method": "tot-bfs"})) > 1
    assert int(calls) == asked > 10


def test_the_pocket_model_needs_no_recording_and_stop_keeps_the_best(labs):
    told = labs(problem="4 9 10 13", model="pocket")
    assert (
        told[-1]["stopped"] == "done" and solve("game24", "4 9 10 13", lm=desk._pocket()).answer in told[-1]["outcome"]
    )
    heard = labs.one.send

    def stop_at_the_first_tree(message):
        heard(message)
        if "tree" in message:
            labs.one.stop()

    labs.one.send = stop_at_the_first_tree
    told = labs(problem="4 9 10 13", model="pocket")
    assert told[-1]["stopped"] == "stopped" and "You stopped it" in told[-1]["outcome"]


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"problem": "4 9 10 x"}, "four whole numbers"),
        ({"model": "oracle"}, "choose who answers"),
        ({"model": "own"}, "base URL"),
        ({"model": "pocket", "budget": "calls=x"}, "cannot read"),
    ],
)
def test_errors_are_one_sentence(labs, form, says):
    told = labs(**({"problem": "4 9 10 13", "model": "pocket"} | form))
    assert says in told[-1]["message"] and len(told) == 1
    assert "Traceback" not in json.dumps(told)


def test_a_model_of_ones_own_keeps_its_key_to_itself(labs, monkeypatch):
    given = []
    monkeypatch.setattr(desk, "own_model", lambda **own: given.append(own) or desk._pocket())
    own = {"url": "http://127.0.0.1:1/v1", "name": "m", "key": "sk-secret"}
    told = labs(own | {"url": f" {own['url']}"}, model="own", problem="4 9 10 13")
    assert given == [own]
    assert told[-1]["stopped"] == "done" and "sk-secret" not in json.dumps(told)
    assert own_model(**own).url == own["url"] and os.environ.get("OPENAI_API_KEY") != "sk-secret"


def test_what_a_model_of_ones_own_has_said_is_not_asked_again(labs, monkeypatch):
    paid = Scripted(lambda request, i: "Answer: 4 * 6")
    monkeypatch.setattr(desk, "own_model", lambda **own: paid)
    own = {"url": "http://127.0.0.1:2/v1", "name": "m", "key": ""}
    for _ in range(2):
        told = labs(own, model="own", problem="1 1 4 6", method="cot-sc", knobs={"k": 3})
        assert told[-1]["stopped"] == "done" and sum(request.n for request in paid.requests) == 3


@pytest.mark.slow
def test_the_first_problem_of_every_recorded_run_replays():
    """All of them: ``python -m tools.live.recorded``."""
    offer = desk.offer()
    assert len(offer["recordings"]) > 50 and offer["form"]["model"] == "pocket"
    for row in offer["recordings"]:
        problem = task(row["task"]).problems(row["split"])[row["numbers"][0]]
        assert not solve(row["task"], problem, row["method"], lm=tape(row["chapter"]), **row["knobs"]).error, row


def test_the_page_is_another_page_with_the_lab_in_it():
    page = lab_page(FRAME)
    assert "words" not in page and "<title>The lab" in page and page.count('class="tot-lab-place"') == 1
    assert 'type="module" src="_static/live/lab.js"' in page
    with pytest.raises(SetUpError, match="no article"):
        lab_page("<html></html>")


def test_try_it_now_is_a_link_that_the_lab_understands():
    asked, offered = parse_qs(unescape(TRY).partition("#")[2]), desk.offer()
    assert TRY.startswith("lab.html#") and asked["problem"] == ["4 9 10 13"]
    assert asked["model"][0] in offered["models"]
    assert asked["method"][0] in offered["tasks"][asked["task"][0]]["methods"]


@pytest.mark.parametrize(
    ("link", "kept", "page"),
    [
        ("seconds=60", "seconds=60", "seconds=120"),
        ("calls=200, soft", "seconds=120,calls=200,soft", "seconds=120"),
        ("", None, "seconds=120"),
        ("seconds=1e99", None, "seconds=120"),
        ("seconds=1,seconds=121", None, "seconds=120"),
        ("calls=9e15,seconds =121", None, "seconds=120"),
        ("seconds=-e", None, "seconds=120"),
        ("soft=1", "seconds=120,soft=1", "seconds=120"),  # which no budget is
        ("calls", None, "seconds=120"),
        ("calls=9,soft", None, "tokens=5000"),
        ("calls=9", "tokens=5000,soft,calls=9", "tokens=5000,soft"),
        ("soft", "tokens=5000,soft", "tokens=5000,soft"),
    ],
)
def test_no_link_takes_a_limit_of_the_page_away_or_raises_it(node, tmp_path, link, kept, page):
    module = (ROOT / "live" / "lab_link.js").read_text("utf-8")
    offer = {"tasks": {"t": {"splits": {}, "methods": ["io"], "usual": "io", "styles": {}}}, "models": []}
    offer |= {"form": {"task": "t", "budget": page}, "methods": {"io": {"knobs": []}}}
    given = f"{json.dumps('budget=' + link)}, {json.dumps(offer)}"
    said = f"console.log(JSON.stringify(readLink({given}).form.budget ?? null))"
    (tmp_path / "link.mjs").write_text(f"{module}\n{said}", "utf-8")
    done = subprocess.run([node, tmp_path / "link.mjs"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == kept


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ("temperature=0.7, think_tokens=4000", True),
        ("reasoning_effort=low", True),
        ("api_key=abc", False),
        ("temperature=1 user=sk-abcdefghijklmnop", False),
        ("token=0123456789abcdef", False),
        ("sk-abc", False),
    ],
)
def test_no_link_holds_a_key_that_was_typed_as_a_setting(node, tmp_path, settings, kept):
    module = (ROOT / "live" / "lab_link.js").read_text("utf-8")
    offer = {"tasks": {"t": {"splits": {}, "methods": ["io"], "usual": "io", "styles": {}}}, "models": []}
    offer |= {"form": {"task": "t", "budget": ""}, "methods": {"io": {"knobs": []}}}
    form = {"task": "t", "problem": "x", "method": "io", "model": "m", "knobs": {}, "settings": settings, "budget": ""}
    said = f"const link = toLink({json.dumps(form)}, {json.dumps(offer)});\n"
    said += f"console.log(JSON.stringify([link, readLink(link, {json.dumps(offer)}).form.settings ?? null]))"
    (tmp_path / "link.mjs").write_text(f"{module}\n{said}", "utf-8")
    done = subprocess.run([node, tmp_path / "link.mjs"], capture_output=True, text=True, check=True)
    link, read = json.loads(done.stdout)
    assert read == (settings if kept else None) and ("settings" in link) == kept


@pytest.mark.parametrize(
    ("budget", "kept"),
    [("", True), ("calls=200,seconds=60", True), ("dollars = 0.5, soft", True), ("sk-abc1", False), ("key=abc", False)],
)
def test_no_link_holds_a_key_that_was_typed_as_a_budget(node, tmp_path, budget, kept):
    form = {"task": "t", "problem": "x", "method": "io", "model": "m", "knobs": {}, "settings": "", "budget": budget}
    said = f"console.log(toLink({json.dumps(form)}, {{methods: {{io: {{knobs: []}}}}}}))"
    (tmp_path / "link.mjs").write_text(f"{(ROOT / 'live' / 'lab_link.js').read_text('utf-8')}\n{said}", "utf-8")
    link = subprocess.run([node, tmp_path / "link.mjs"], capture_output=True, text=True, check=True).stdout
    assert ("budget=" in link) == kept and "abc" not in link
