"""Judges that pick among answers: a ballot for every task, duels in both orders, strengths that fit what happened."""

import re
from math import ceil, log2
from random import Random

import pytest
from tiny_task import Tiny
from word_steps import Letters

import tot
from tot import Scripted, State, Thought
from tot.methods.choosing import WHICH, ballot, bradley_terry

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


# ---------------------------------------------------------------- the ballot


def test_a_ballot_shows_the_question_without_how_to_reply_and_the_answers():
    made = ballot(Letters(), [State("c a b", (Thought("a\nb"),)), State("c a b", (Thought("b"),))])
    assert [m.role for m in made.messages] == ["system", "user"] and made.messages[0].content == Letters.rules
    assert made.messages[1].content == f"c a b\n\nChoice 1:\na\nb\n\nChoice 2:\nb\n\n{WHICH}"
    game = ballot(tot.task("game24"), [State("4 9 10 13", (Thought(z),)) for z in "xy"])
    assert len(game.messages) == 2 and "Numbers: 4 9 10 13\n\nChoice 1:\nx" in game.messages[1].content
    paper = ballot(tot.task("gsm8k").in_paper_style(), [State("How many?", (Thought(z),)) for z in "xy"])
    assert "How many?" in paper.messages[-1].content


def test_for_a_question_it_is_the_ballot_that_the_worded_pocket_model_knows():
    task, x = tot.task("gsm8k"), "How many?"
    own = task.ballot([State(x, (Thought("plan"), Thought(z))) for z in ("1 + 1", "2 + 2")])
    assert ballot(task, [State(x, (Thought(z),)) for z in ("1 + 1", "2 + 2")]).messages == own.messages


# ---------------------------------------------------------------- strengths


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


# ---------------------------------------------------------------- tournaments


def test_a_knock_out_by_hand():
    """Seeds c b a d e. c rests, b-e and a-d; then c rests, d and e are left, d-e; then c-e."""
    lm = player(truly)
    solution = tot.solve(Tiny(), "x", "tournament", lm=lm, k=9)
    assert duels(lm) == ["be", "eb", "ad", "da", "de", "ed", "ce", "ec"]
    assert solution.answer == "e" and solution.answers == ["e", "c", "d", "b", "a"]
    assert [node.value for node in solution.result.best] == [3, 2, 1, 0, 0]
    assert solution.result.ledger.rounds == 4 and solution.result.unread == 0


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


# ---------------------------------------------------------------- best of k by a judge


class Judged(Letters):
    """Letters whose whole solutions the model judges."""

    def judge(self, state):
        return None


def test_a_judges_verdicts_pick_the_best_where_a_vote_would_take_the_most_frequent():
    """Of verdicts .7, .7 and 1 the sum is a vote's and the best alone is best-of-n's."""
    chains = ["b\na\nc", "a\nb\nc", "c\na\nb", "b\na\nc"]
    verdict = {"a b c": "sure", "b a c": "likely", "c a b": "impossible"}

    def say(request, i):
        *_, text, asked = request.messages[-1].content.split("\n\n")
        return verdict[" ".join(text.split("\n")[-3:])] if "sure" in asked else "Answer:\n" + chains[i]

    knobs = {"lm": Scripted(say), "k": 4, "values": 1}
    best = tot.solve(Judged(), "c a b", "judged-best-of", prompt="cot", **knobs)
    assert best.answer == "a\nb\nc" and [node.value for node in best.result.best] == [20, 1, 1, 0.001]
    assert best.result.ledger.to_dict()["by_role"]["evaluator"]["samples"] == 3  # equal answers once
    assert tot.solve(Judged(), "c a b", "cot-sc", weights="judge", **knobs).answer == "b\na\nc"


def test_where_a_task_has_no_verdicts_ballots_on_all_answers_pick():
    def say(request, i):
        shown = re.findall(r"Choice (\d):\n(.)", request.messages[-1].content)
        return f"The best choice is {dict(map(reversed, shown))['a' if i < 3 else 'b']}" if shown else ANSWERS[i]

    lm = Scripted(say)
    solution = tot.solve(Tiny(), "x", "judged-best-of", lm=lm, k=9, values=4)
    assert solution.answer == "a" and len(lm.requests) == 2 and lm.requests[1].n == 4
    assert [node.value for node in solution.result.best][:4] == [3, 1, 1, 1]
    lm = Scripted(lambda request, i: "a")
    assert tot.solve(Tiny(), "x", "judged-best-of", lm=lm, k=3).answer == "a" and len(lm.requests) == 1


def test_a_judge_needs_no_free_check_and_gold_has_a_name_of_its_own():
    assert not tot.method("judged-best-of").missing(Tiny()) and tot.method("best-of").missing(Tiny()) == "FreeCheck"
    with pytest.raises(ValueError, match="means picks=judge"):
        tot.solve(Tiny(), "x", "judged-best-of", lm=Scripted([]), picks="gold")


@pytest.mark.treebook
def test_the_pocket_models_judge_what_they_know():
    question = "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"
    for name, knobs in (("tournament", {}), ("judged-best-of", {"prompt": "cot"})):
        solution = tot.solve("gsm8k", question, name, lm="pocket-words-small", k=6, **knobs)
        assert not solution.error and not solution.refused and solution.answer
        assert solution.result.ledger.rounds >= 2
    game = tot.solve("game24", "4 9 10 13", "judged-best-of", lm="pocket", k=4)
    assert not game.error and game.result.ledger.rounds == 2
    refused = tot.solve("game24", "2 5 8 11", "tournament", lm="pocket", k=4)
    assert refused.answer and "I cannot read the question" in refused.refused[0]
