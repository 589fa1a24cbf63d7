"""Judges that pick among answers: a ballot for every task, verdicts where a task has them."""

import re

import pytest
from tiny_task import Tiny
from word_steps import Letters

import tot
from tot import Scripted, State, Thought
from tot.methods.choosing import WHICH, ballot

ANSWERS = "ccabbbcde"  # of the chains: c has three votes and comes first, then b, a, d, e


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
    words = tot.solve("gsm8k", question, "judged-best-of", lm="pocket-words-small", k=6, prompt="cot")
    assert not words.error and not words.refused and words.answer and words.result.ledger.rounds == 2
    game = tot.solve("game24", "4 9 10 13", "judged-best-of", lm="pocket", k=4)
    assert not game.error and game.result.ledger.rounds == 2
