"""Answers compared two at a time: in both orders, knock-outs by hand, and strengths that fit what happened."""

import re
from math import ceil, log2
from random import Random

import pytest
from gpt4_like import play
from tiny_task import Tiny

import tot
from tot import Scripted
from tot.testing import check_search
from treebook.tournament import bradley_terry

ANSWERS = "ccabbbcde"  # of the chains: c has three votes and comes first, then b, a, d, e


def player(prefers, answers=ANSWERS):
    """Says the answers one by one, and of two choices the one that ``prefers(first, second)`` says: 1 or 2."""

    def say(request, i):
        shown = re.findall(r"Choice \d:\n(.)", request.messages[-1].content)
        return f"The best choice is {prefers(*shown)}." if shown else answers[i]

    return Scripted(say)


def truly(a, b):
    """A judge that knows: the later letter is better."""
    return 1 if a > b else 2


def duels(lm):
    """The pairs of each ballot, in order."""
    asked = [re.findall(r"Choice \d:\n(.)", request.messages[-1].content) for request in lm.requests]
    return ["".join(pair) for pair in asked if pair]


def test_strengths_of_bradley_and_terry():
    assert bradley_terry("ab", {("a", "b"): 3, ("b", "a"): 1}, 0.0) == pytest.approx([0.75, 0.25])
    three = {pair: 2 if pair[0] < pair[1] else 1 for pair in ("ab", "ba", "ac", "ca", "bc", "cb")}
    three = {tuple(pair): n for pair, n in three.items()}
    assert bradley_terry("abc", three, 0.0) == pytest.approx([0.4955, 0.3102, 0.1943], abs=5e-5)
    assert bradley_terry("ab", {}) == [0.5, 0.5] and bradley_terry("ab", {("a", "b"): 2}) == pytest.approx(
        [5 / 6, 1 / 6]
    )


@pytest.mark.parametrize("seed", range(8))
def test_strengths_explain_the_wins_of_each(seed):
    """At the most likely strengths everybody has as many wins as was to be expected, the half wins counted."""
    luck, names = Random(seed), "abcdef"[: 2 + seed % 5]
    wins = {(a, b): luck.randint(0, 4) for a in names for b in names if a != b}
    g = dict(zip(names, bradley_terry(names, wins), strict=True))
    assert sum(g.values()) == pytest.approx(1)
    for a in names:
        others = [b for b in names if b != a]
        expected = sum((wins[a, b] + wins[b, a] + 1) * g[a] / (g[a] + g[b]) for b in others)
        assert sum(wins[a, b] + 0.5 for b in others) == pytest.approx(expected, abs=1e-6)


def test_a_knock_out_by_hand():
    """Seeds c b a d e. c rests, b-e and a-d; then c rests, d and e are left, d-e; then c-e."""
    lm = player(truly)
    solution = tot.solve(Tiny(), "x", "tournament", lm=lm, k=9)
    assert duels(lm) == ["be", "eb", "ad", "da", "de", "ed", "ce", "ec"]
    assert solution.answer == "e" and solution.answers == ["e", "c", "d", "b", "a"]
    assert [node.value for node in solution.result.best] == [3, 2, 1, 0, 0]
    assert solution.result.ledger.rounds == 4 and solution.result.unread == 0
    told = [event for event in solution.trace.events if event["kind"] == "evaluated"][-3:]
    assert [sorted(node["value"] for node in event["nodes"]) for event in told] == [[0, 0, 1, 1], [1, 2], [2, 3]]
    [last] = [request["about"] for request in solution.trace.events[-3]["requests"][:1]]
    assert len(last) == 2, "a duel is about two answers"


@pytest.mark.parametrize("n", range(1, 10))
def test_a_judge_that_knows_finds_the_best_in_as_many_rounds_as_there_are_halvings(n):
    answers = "".join(Random(n).sample("abcdefghi", n))
    lm = player(truly, answers)
    solution = tot.solve(Tiny(), "x", "tournament", lm=lm, k=n, duels=2)
    assert solution.answer == max(answers) and len(duels(lm)) == 2 * (n - 1)
    assert solution.result.ledger.rounds == 1 + ceil(log2(n)) and {r.n for r in lm.requests[1:]} <= {2}
    lm = player(truly, answers)
    solution = tot.solve(Tiny(), "x", "tournament", lm=lm, k=n, pairs="all")
    assert solution.answer == max(answers) and len(duels(lm)) == n * (n - 1)
    assert solution.answers == sorted(answers, reverse=True) and solution.result.ledger.rounds == 1 + (n > 1)


@pytest.mark.parametrize("pairs", ["knock-out", "all"])
@pytest.mark.parametrize("prefers", [lambda a, b: 1, lambda a, b: 2, lambda a, b: "none of them, or both"])
def test_a_judge_that_looks_at_the_place_alone_or_says_nothing_leaves_it_to_the_votes(pairs, prefers):
    solution = tot.solve(Tiny(), "x", "tournament", lm=player(prefers), k=9, pairs=pairs)
    assert solution.answer == "c" and bool(solution.result.unread) == (prefers("a", "b") not in (1, 2))


def test_without_two_answers_nobody_is_asked_and_within_a_budget_the_votes_decide():
    lm = player(truly, "aaa")
    assert tot.solve(Tiny(), "x", "tournament", lm=lm, k=3).answer == "a" and len(lm.requests) == 1
    short = tot.solve(Tiny(), "x", "tournament", lm=player(truly), k=9, budget=tot.Budget(calls=1))
    assert short.answer == "c" and short.result.stopped == "calls"


@pytest.mark.parametrize("pairs", ["knock-out", "all"])
def test_it_keeps_the_rules_of_a_search(pairs):
    game, lm = (
        tot.task("game24"),
        Scripted(lambda r, i: play([{"role": m.role, "content": m.content} for m in r.messages], i, 0)),
    )
    check_search(lambda: tot.method("tournament").search(game, "4 9 10 13", k=5, pairs=pairs), lm, copies=2, budgets=8)


def test_the_worded_pocket_model_compares_and_the_other_one_refuses():
    question = "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"
    words = tot.solve("gsm8k", question, "tournament", lm="pocket-words-small", k=6)
    assert not words.error and not words.refused and words.answer and words.result.ledger.rounds >= 2
    refused = tot.solve("game24", "2 5 8 11", "tournament", lm="pocket", k=4)
    assert refused.answer and "I cannot read the question" in refused.refused[0]


def test_a_ballot_that_was_cut_off_while_the_judge_reasoned_is_none():
    said = "To decide, I look at the steps of both answers in turn. For step one, I prefer choice 1 since it is"
    for finish, unread in (("length", 2), ("stop", 0)):
        judge = tot.Scripted(lambda request, i, finish=finish: tot.Sample(said, finish, 20))
        solver = tot.Scripted(lambda request, i: f"The answer is {i}.")
        models = {"generator": solver, "evaluator": judge}
        assert tot.solve("gsm8k", "How many?", "tournament", k=2, lm=models).result.unread == unread
