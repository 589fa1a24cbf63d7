"""Adaptive branching as a method: over steps and over plans, with one model or several, each at its price."""

from dataclasses import replace

import pytest
from gpt4_like import play
from word_steps import Letters

import tot
from tot import Budget, Cassette, Scripted


def letters(*, good):
    """Knows the order and proposes what is next, or the last letter; one letter a reply."""

    def say(request, i):
        x, so_far, asked = request.messages[-1].content.split("\n\n")
        done = [] if "nothing" in so_far else so_far.removeprefix("So far:\n").split("\n")
        left = sorted({*x.split()} - {*done})
        if "sure" in asked:
            return "sure" if done + left == sorted(x.split()) else "impossible"
        return left[0] if good else left[-1]

    return say


class Priced(Scripted):
    """Each call costs so many dollars."""

    def __init__(self, say, name, dollars):
        super().__init__(say, name=name)
        self.dollars = dollars

    def __call__(self, requests, on_reply=None):
        replies = super().__call__(requests, on_reply)
        return [replace(each, asked=replace(each.asked, dollars=self.dollars)) for each in replies]


def test_it_solves_a_task_of_steps_that_knows_nothing_of_it():
    for posterior in ("gaussian", "beta"):
        lm = Scripted(letters(good=True))
        solution = tot.solve(Letters(), "d b a c", "ab-mcts", lm=lm, posterior=posterior)
        assert solution.correct and solution.answer == "a\nb\nc\nd"


def test_several_models_are_asked_by_what_they_wrote_and_paid_at_their_own_prices():
    good, bad = Priced(letters(good=True), "good", 0.5), Priced(letters(good=False), "bad", 0.001)
    judge = Priced(letters(good=True), "judge", 0.0)
    lms = {"generator": bad, "second": good, "evaluator": judge}
    solution = tot.solve(Letters(), "d b a c", "ab-mcts", lm=lms, models=2, leaves=1, rollouts=40)
    assert solution.correct and not solution.error
    roles = solution.result.ledger.to_dict()["by_role"]
    assert roles["second"]["dollars"] == pytest.approx(0.5 * len(good.requests)) and len(good.requests) >= 4
    assert roles["generator"]["dollars"] == pytest.approx(0.001 * len(bad.requests)) and bad.requests
    assert solution.result.ledger.total.dollars == pytest.approx(0.5 * len(good.requests) + 0.001 * len(bad.requests))
    assert tot.METHODS["ab-mcts"].asks({"models": 2}) == {"generator", "second", "evaluator"}
    assert tot.METHODS["ab-mcts"].asks({}) == {"generator", "evaluator"}
    alone = tot.solve(Letters(), "d b a c", "ab-mcts", lm={"generator": good, "evaluator": judge}, models=2)
    assert "no model for the role 'second'" in alone.error


def test_rollouts_that_run_together_share_rounds_and_no_reply_is_asked_for_while_thoughts_wait():
    def say(request, i):
        return "likely" if "sure" in request.messages[-1].content else "a\nb\nc\nd\ne"

    together = tot.solve(Letters(), "a b c d e", "ab-mcts", lm=Scripted(say), rollouts=20, leaves=5, values=1)
    assert together.result.ledger.rounds <= 2 * 4 and together.result.ledger.nodes <= 20
    one = tot.solve(Letters(), "a b c d e", "ab-mcts", lm=Scripted(say), rollouts=5, leaves=5, values=1)
    assert [e["role"] for e in one.trace.events if e["kind"] == "asked"] == [
        "generator",
        "evaluator",
    ] and one.result.ledger.nodes == 5


def test_trials_draw_apart_and_each_replays(tmp_path):
    def run(lm, **knobs):
        return tot.solve("game24", "4 9 10 13", "ab-mcts", lm=lm, rollouts=12, **knobs)

    path = tmp_path / "cassette.jsonl"
    lm = Scripted(lambda request, i: play([{"role": m.role, "content": m.content} for m in request.messages], i, 0))
    with Cassette(path, lm) as recorder:
        recorded = [run(recorder, first=first).trace for first in (0, 50)]
    assert [run(Cassette(path), first=first).trace.to_json() for first in (0, 50)] == [t.to_json() for t in recorded]
    selected = [[e["nodes"] for e in trace.events if e["kind"] == "selected"] for trace in recorded]
    assert selected[0] != selected[1]


X = "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"


def plans(request, i):
    """The plan of sample 2 is the good one; revisions are a little better than what they revise."""
    asked = request.messages[-1].content
    if "Score" in asked or "score" in asked:
        worth = 0.9 if "plan c" in asked else 0.2
        return f"Score: {worth}\nReason: because of {worth}"
    if "plan" in asked.lower() and "The answer is" not in asked:
        return f"1. plan {'abcdefgh'[i % 8]}."
    return "The answer is 19."


def test_plans_are_drawn_judged_and_the_best_is_carried_out():
    lm = Scripted(plans)
    solution = tot.solve("gsm8k", X, "ab-mcts", lm=lm, rollouts=10, leaves=5, values=1)
    assert solution.answer == "19" and not solution.error
    nodes = solution.trace.nodes()
    judged = [n for n in nodes.values() if n.get("value") is not None]
    assert len(judged) == len({n["thought"] for n in judged}) == 8  # there are no more: none is judged twice
    assert max(n["value"] for n in judged) == pytest.approx(0.9)
    executed = solution.result.best[0]
    assert "plan c" in executed.parent.state.last.text and executed.parent.value == pytest.approx(0.9)
    assert {e["role"] for e in solution.trace.events if e["kind"] == "asked"} == {"generator", "evaluator"}
    [plan] = next(e["requests"] for e in solution.trace.events if e["kind"] == "asked")
    assert len(plan["samples"]) == 5  # those that run together are one request
    small = tot.solve("gsm8k", X, "ab-mcts", lm=Scripted(plans), budget=Budget(calls=9)).result
    assert small.stopped == "calls" and small.ledger.total.calls <= 9


def test_what_it_cannot_do_is_said_in_a_sentence():
    with pytest.raises(ValueError, match="writing does not provide what ab-mcts needs"):
        tot.solve("writing", tot.task("writing").problems("book")[0], "ab-mcts", lm=Scripted([]))
    with pytest.raises(ValueError, match="models must be a whole number from 1 to 3"):
        tot.solve("game24", "4 9 10 13", "ab-mcts", lm=Scripted([]), models=4)


@pytest.mark.treebook
def test_it_plays_with_the_pocket_models():
    game = tot.solve("game24", "4 9 10 13", "ab-mcts", lm="pocket", rollouts=15).result
    assert game.ledger.nodes == 15 and not game.error
    words = tot.solve("gsm8k", X, "ab-mcts", lm="pocket-words", rollouts=10, values=1)
    assert words.answer == "19" and not words.error
