"""A method as a model: a change of the base URL is a search."""

import re
import threading
import time
from pathlib import Path

import pytest
from fake_server import answering

from tot import LM, Budget, LMError, Sample, Scripted, Trace, solve
from tot.cli import main
from tot.lm.openai import OpenAI
from tot.serve.server import Server
from treebook.serve.searches import Searches


def propose(request, index):
    """Steps for 4 9 10 13, and verdicts that like them all."""
    text = request.messages[-1].content
    if "sure" in text:
        return "sure"
    return "13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)"


@pytest.fixture
def search(asking, tmp_path):
    from contextlib import contextmanager

    @contextmanager
    def search(lm, budget=""):
        with Server(Searches(lm, Budget.parse(budget), tmp_path / "traces")).running() as url:
            yield asking(url)

    return search


PUZZLE = "4 9 10 13"


def test_the_answer_is_that_of_solve_the_bill_is_the_usage_and_the_tree_a_trace(search, tmp_path, capsys):
    lm = Scripted(propose, name="s")
    known = solve("game24", PUZZLE, "tot-bfs", lm=lm, breadth=3)
    with search(lm) as ask:
        for content in (PUZZLE, [{"type": "text", "text": PUZZLE}]):
            whole = ask(content, model="game24@tot-bfs?breadth=3")
            assert whole["choices"][0]["message"]["content"] == known.answer
        assert whole["usage"]["prompt_tokens"] == known.result.ledger.total.prompt_tokens
        assert "game24@tot-bfs" in ask.models()
        assert ask(PUZZLE, model="game24@tot-bfs?breadth=3", stream=True).endswith("[DONE]\n\n")
    file = tmp_path / "traces" / f"{whole['id']}.json"
    assert Trace.load(file).events == known.trace.events
    assert main(["show", str(file)]) == 0 and "tot-bfs" in capsys.readouterr().out


SYSTEM = [{"role": "system", "content": "be brief"}, {"role": "user", "content": PUZZLE}]


@pytest.mark.parametrize(
    "more, word",
    [
        ({"messages": SYSTEM}, "one user message"),
        ({"messages": SYSTEM[1:] * 2}, "one user message"),
        ({"messages": [1]}, "one user message"),
        ({"tools": [{"type": "function"}]}, "leave"),
        ({"n": 2}, "leave"),
        ({"model": "gpt-4o"}, "game24"),
        ({"model": "conftest.py:Asking@io"}, "game24"),
        ({"model": "game24@nothing"}, "tot-bfs"),
        ({"model": "game24@tot-bfs?depth=x"}, "depth"),
        ({"model": "game24@tot-bfs?breadth=0"}, "breadth"),
        ({"model": "game24@tot-bfs?breadth=x"}, "breadth"),
        ({"model": "game24@tot-bfs?values=1&breadth="}, "breadth"),
        ({"model": "game24@tot-bfs?breadth"}, "breadth"),
        ({"model": "game24@io?k=100000000"}, "10,000"),
        ({"model": "game24@io?max_tokens=20000000"}, "10,000"),
        ({"model": "game24@io?k=200&max_tokens=64000"}, "10,000"),
        ({"model": "game24@io?max_tokens=1" + "0" * 400}, "10,000"),
        ({"model": "game24@tot-bfs?breadth=200&values=200&first=1"}, "10,000"),
        ({"messages": [{"role": "user", "content": "hello"}]}, "numbers"),
    ],
)
def test_what_is_no_search_is_a_sentence(search, more, word):
    with search(Scripted(propose, name="s")) as ask:
        status, said = ask(PUZZLE, **({"model": "game24@tot-bfs"} | more))
    assert status == 400 and word in said["message"]


def test_the_budget_is_that_of_all_searches_together(search):
    with search(Scripted(propose, name="s"), "calls=4") as ask:
        answers = [ask(PUZZLE, model=f"game24@io?first={i}") for i in (0, 100, 200, 200, 200)]  # again: nothing is paid
        assert ask(PUZZLE, model="game24@tot-bfs")[0] == 402
    assert all("choices" in answer for answer in answers)


def test_a_search_that_was_cut_short_says_so(search):
    for limits, end in (("calls=2", "length"), ("calls=99", "stop")):
        with search(Scripted(lambda request, index: "Passage:\n" + "It ended. " * 4, name="s"), limits) as ask:
            [choice] = ask("A. B. C. D.", model="writing@io-refine")["choices"]
        assert choice["message"]["content"] and choice["finish_reason"] == end


def test_a_search_of_which_nothing_came_is_no_whole_answer(search, caplog):
    with search(Scripted(lambda request, index: Sample("", "thinking", 9, "Hm."), name="s")) as ask:
        [choice] = ask("2 + 3?", model="gsm8k@cot")["choices"]
    assert choice["finish_reason"] == "length" and "still thinking" in caplog.text


def test_a_search_that_ended_at_a_checked_answer_was_not_cut_short(search):
    with search(Scripted(propose, name="s")) as ask:
        [choice] = ask(PUZZLE, model="game24@restarts")["choices"]
    assert choice["message"]["content"] and choice["finish_reason"] == "stop"


def test_the_same_question_again_is_not_asked_again(search):
    asked = []
    lm = Scripted(lambda request, index: asked.append(index) or f"Answer: {len(asked)}", name="s")
    with search(lm) as ask:
        assert ask(PUZZLE, model="game24@io")["usage"] == ask(PUZZLE, model="game24@io")["usage"] and asked == [0]
        assert ask(PUZZLE, model="game24@io?first=100")["usage"] and asked == [0, 100]


def test_a_client_that_leaves_ends_the_search(search):
    asked, go = [], threading.Event()

    def slow(request, index):
        asked.append(index)
        go.wait(5)
        return propose(request, index)

    with search(Scripted(slow, name="s")) as ask:
        with pytest.raises(TimeoutError):
            ask(PUZZLE, model="game24@tot-bfs", timeout=0.3)
        time.sleep(0.3)  # until the server has seen that it left
        go.set()
        before = len(asked)
        assert ask(PUZZLE, model="game24@io") and len(asked) <= before + 2


def test_who_leaves_pays_for_the_round_under_way(search):
    asked, go = [], threading.Event()

    def slow(request, index):
        asked.append(index)
        go.wait(5)
        return propose(request, index)

    with search(Scripted(slow, name="s"), "calls=1") as ask:
        with pytest.raises(TimeoutError):
            ask(PUZZLE, model="game24@io?max_tokens=9", timeout=0.5)
        threading.Timer(0.2, go.set).start()
        assert ask(PUZZLE, model="game24@io?max_tokens=9&first=1")[0] == 402
    assert len(asked) == 1


@pytest.mark.parametrize("budget", ["", "calls=9"])
def test_who_left_and_asks_again_does_not_pay_again(search, behind, budget):
    behind.behave = answering("Answer: 24", delay=1.0)
    with search(OpenAI("fake", base_url=behind.url), budget) as ask:
        with pytest.raises(TimeoutError):
            ask(PUZZLE, model="game24@io", timeout=0.4)
        time.sleep(0.3)
        assert ask(PUZZLE, model="game24@io")["choices"] and len(behind.requests) == 1


def test_the_tree_of_a_search_that_fails_is_kept_too(search, tmp_path):
    prompts = set()

    def breaks(request, index):
        prompts.add(request.messages)
        if len(prompts) > 1:
            raise LMError("away")
        return propose(request, index)

    with search(Scripted(breaks, name="s")) as ask:
        assert ask(PUZZLE, model="game24@tot-bfs?breadth=3")[0] == 424
    [kept] = (tmp_path / "traces").iterdir()
    assert Trace.load(kept).result["usage"]["calls"]


def test_an_answer_is_given_though_its_trace_cannot_be_kept(search, tmp_path, caplog):
    with search(Scripted(propose, name="s")) as ask:
        (tmp_path / "traces").rmdir()
        assert ask(PUZZLE, model="game24@io")["choices"]
    assert "traces" in caplog.text


def test_a_search_that_fails_is_not_asked_for_again(search):
    def fails(request, index):
        raise LMError("the server is away")

    with search(Scripted(fails, name="s")) as ask:
        assert ask(PUZZLE, model="game24@io")[0] == 424


@pytest.mark.treebook
def test_a_long_call_of_the_pocket_model_ends_when_nobody_waits(pocket):
    told = LM.WANTED.set(lambda: False)
    try:
        assert "cancelled" in solve("game24", PUZZLE, "io", lm=pocket, k=1000).error
    finally:
        LM.WANTED.reset(told)


@pytest.mark.treebook
def test_the_manuals_example_prints_what_the_page_says(pocket, capsys):
    page = (Path(__file__).parents[2] / "book" / "manual" / "serve.md").read_text(encoding="utf-8")
    [code] = [code for code in re.findall(r"```python\n(.*?)```", page, re.S) if "urlopen" in code]
    printed = page.partition(code)[2].partition("```text\n")[2].partition("```")[0]
    with Server(Searches(pocket, Budget())).running() as url:
        exec(code.replace("http://127.0.0.1:8135/v1", url), {})
    assert capsys.readouterr().out == printed
