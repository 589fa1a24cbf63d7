"""Who answers what no recording has, without a browser: the same code, with numpy's pocket model."""

import json
from pathlib import Path

import pytest

import tot
from live import answers as desk
from live.answers import Answers
from tot.lm.base import Miss
from tot.lm.cassette import Cassette
from tot.solution import Job
from tot.tools.mcp import LIST
from treebook import show

CASSETTES = Path(__file__).parents[2] / "notebooks" / "cassettes"


@pytest.fixture
def answers(monkeypatch):
    theirs = ((Cassette, "__call__"), (Cassette, "batched"), (Cassette, "unpriced"), (Job, "finish"))
    for place, name in theirs:  # put back at the end
        monkeypatch.setattr(place, name, getattr(place, name))
    answers = Answers()
    answers.install()
    return answers


def solve(breadth=7):
    lm = tot.Cassette(CASSETTES / "06.jsonl")
    return tot.solve("game24", "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=breadth)


def test_what_is_recorded_stays_and_the_pocket_model_answers_the_rest(answers):
    recorded = solve(breadth=5)
    answers.choose('{"who": "pocket"}')
    assert solve(breadth=5).to_dict() == recorded.to_dict() and answers.given == 0
    continued = solve()
    assert continued.answer and answers.given > 0
    assert recorded.lm in continued.lm and f"pocket ({answers.given} replies)" in continued.lm
    assert continued.lm in show.explorer(continued) and solve().lm == continued.lm  # also where it is remembered
    asked = {sample["text"] for sample in continued.trace.samples()}
    assert {sample["text"] for sample in recorded.trace.samples()} <= asked


def test_nobody_answers_by_default_and_a_cassette_with_a_model_is_left_alone(answers):
    assert "is not in 06.jsonl" in solve().error and answers.missed == 1
    live = tot.Scripted(lambda request, index: "7")
    answers.choose('{"who": "pocket"}')
    [reply] = tot.Cassette(None, live)([tot.user("What is 3 + 4?")])
    assert reply.texts == ("7",) and answers.given == 0


def test_what_the_pocket_model_cannot_read_is_not_asked(answers):
    answers.choose('{"who": "pocket"}')
    with pytest.raises(Miss, match=r"06\.jsonl"):
        tot.Cassette(CASSETTES / "06.jsonl")([tot.user("Who wrote Hamlet?")])
    assert (answers.given, answers.missed) == (0, 1)


@pytest.mark.parametrize("who", ["pocket", "own"])
def test_no_language_model_answers_for_a_tool(answers, monkeypatch, who):
    monkeypatch.setattr(desk, "own_model", lambda **own: tot.Scripted(lambda request, index: "Turku"))
    monkeypatch.setenv("OPENAI_BASE_URL", "before")
    monkeypatch.setenv("OPENAI_API_KEY", "before")
    answers.choose(json.dumps({"who": who, "url": "http://127.0.0.1:9/v1", "name": "mine"}))
    tools = tot.Cassette(CASSETTES / "10_shop.tools.jsonl")
    call = {"server": "shop", "tool": "stock", "arguments": {"product": "a brown mug"}}
    with pytest.raises(Miss, match=r"10_shop\.tools\.jsonl does not have, and no language model may answer for it"):
        tools([tot.user(json.dumps(call))])
    assert (answers.given, answers.missed) == (0, 0)  # another choice of who answers would not help
    assert tools([LIST])[0].texts[0].startswith("[{")


def test_a_model_of_the_readers_is_known_to_cells_too(answers, monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "before")
    answers.choose(json.dumps({"who": "own", "url": "http://127.0.0.1:9/v1", "name": "mine", "key": ""}))
    assert (answers.model.name, answers.model.live.url) == ("mine", "http://127.0.0.1:9/v1")
    from tot.lm.openai import OpenAI

    assert OpenAI("other").url == "http://127.0.0.1:9/v1"
    answers.choose("null")
    assert answers.model is None


def test_a_cell_that_runs_again_makes_a_new_cassette_and_pays_nothing(answers, monkeypatch):
    paid = tot.Scripted(lambda request, index: "7")
    monkeypatch.setattr(desk, "own_model", lambda **own: paid)
    monkeypatch.setenv("OPENAI_BASE_URL", "before")
    monkeypatch.setenv("OPENAI_API_KEY", "before")
    for _ in range(2):
        answers.choose(json.dumps({"who": "own", "url": "http://127.0.0.1:9/v1", "name": "mine", "key": ""}))
        [reply] = tot.Cassette(CASSETTES / "06.jsonl")([tot.user("What is 3 + 4?")])
        assert reply.texts == ("7",) and answers.given == 1 and len(paid.requests) == 1


def test_a_budget_in_dollars_is_refused_where_nobody_knows_a_price_and_not_for_what_is_recorded(answers):
    class Paid(tot.LM):
        name = "paid"

        def __call__(self, requests, on_reply=None):
            raise AssertionError("asked")

    answers.model = Paid()
    few = tot.Budget(dollars=0.01)
    lm = tot.Cassette(CASSETTES / "06.jsonl")
    with pytest.raises(ValueError, match="needs a price"):
        tot.solve("game24", "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=7, budget=few)
    answers.model = None
    assert tot.solve("game24", "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=5, budget=few).answer
