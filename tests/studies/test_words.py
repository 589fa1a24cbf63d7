"""The worded pocket model: its tokenizer, its template, and the world that it is trained on."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.words.data import Maker
from studies.words.judging import Judged, Tried
from studies.words.plans import as_chain, as_plan, as_strategy, carried_out, read_plan, read_strategy, steps
from studies.words.problems import held_out_problems, problems
from studies.words.world import held_out, tell, training
from tot.state import State, Thought
from tot.tasks.zero_shot import GSM8K
from treebook.players.worded.template import prompt_tokens
from treebook.players.worded.vocabulary import CONTROL, VOCABULARY, decode, encode

TASK = GSM8K()
FUZZ = settings(max_examples=int(os.environ.get("TOT_FUZZ", "60")), deadline=None)
CHOICES = ("Add 5 plums.", "Subtract 5 plums.")
MIA = "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"


@FUZZ
@given(st.lists(st.sampled_from(VOCABULARY[len(CONTROL) :])).map(" ".join) | st.text())
def test_any_words_go_round_or_are_refused(text):
    try:
        assert decode(encode(text)) == text
    except ValueError as error:
        assert "the pocket model cannot read" in str(error)


@FUZZ
@given(st.integers(0, 10**9))
def test_a_story_and_its_plan_go_round_and_come_to_its_answer(seed):
    story = tell(Random(seed))
    lines = steps(story.amount)
    sums = carried_out(lines)
    assert sums[-1][3] == story.answer and 2 <= len(lines) <= 4
    assert read_plan(as_plan(lines)) == lines == read_strategy(as_strategy(lines))
    for text in (story.question, as_plan(lines), as_strategy(lines), as_chain(sums)):
        assert decode(encode(text)) == text
    assert not (training(story) and held_out(story))


def test_plans_by_hand():
    lines = [
        "Multiply 6 bags by 4 plums.",
        "Multiply 3 plums by 2 friends.",
        "Subtract the second result from the first.",
    ]
    assert carried_out(lines) == [(6, "*", 4, 24), (3, "*", 2, 6), (24, "-", 6, 18)]
    assert carried_out(["Add 4 eggs and 5 eggs.", "Subtract this from 20 eggs."])[-1] == (20, "-", 9, 11)
    for wrong in (["Add 4 eggs."], ["Subtract 9 eggs from 4 eggs."], ["Divide 9 eggs by 2 eggs."], ["Sing."], []):
        with pytest.raises(ValueError):
            carried_out(wrong)
    with pytest.raises(ValueError, match="2 results are left"):
        carried_out(lines[:2])


def test_the_problems_are_held_out_and_their_answers_are_what_their_plans_come_to():
    stories, found = held_out_problems(40), problems()
    assert all(held_out(story) and not training(story) for story in stories)
    for story, problem in zip(stories, found, strict=False):
        assert problem.x == story.question
        assert TASK.verify(problem, str(carried_out(steps(story.amount))[-1][3])).correct
    assert len(found) == len({problem.x for problem in found}) == 300


def test_training_sequences_are_the_packages_own_prompts():
    """The template makes of a request what the training data make of its parts."""
    from studies.words.data import example

    planned = State(MIA).then(Thought("1. Add 5 plums."))
    said = "logic 0.3: Step 1 is wrong.\nfeasibility 0.5: A step is missing."
    choices = [State(MIA).then(Thought(text)) for text in CHOICES]
    for request, made in (
        (TASK.plan(State(MIA), ""), example("<plan>", MIA, "")),
        (TASK.plan(planned, said), example("<revise>", MIA, "", "1. Add 5 plums.", said)),
        (TASK.plan(planned, ""), example("<revise>", MIA, "", "1. Add 5 plums.")),
        (TASK.execute(planned), example("<execute>", MIA, "", "1. Add 5 plums.")),
        (TASK.execute(State(MIA)), example("<cot>", MIA, "")),
        (TASK.cot(State(MIA)), example("<cot>", MIA, "")),
        (TASK.assess(planned, "logic"), example("<logic>", MIA, "", "1. Add 5 plums.")),
        (TASK.step(planned), example("<follow>", MIA, "", "1. Add 5 plums.")),
    ):
        assert prompt_tokens(request) == list(made.tokens[: made.learn])
    ballot = prompt_tokens(TASK.ballot(choices))
    assert ballot == list(example("<vote strategy>", MIA, "", *CHOICES).tokens[: len(ballot)])


@pytest.mark.parametrize("working", [False, True])
def test_a_judges_reply_is_read_as_the_rate_that_it_was_made_of(working):
    tried = [Tried("1. Add 5 plums.", [("The answer is 3.", True), ("The answer is 4.", False)])]
    judged = [Judged(MIA, ["Multiply 6 bags by 4 plums.", "Subtract 5 plums."], tried)]
    found = Maker(Random(0), judged, working).judgement("logic")
    reply = decode(found.tokens[found.learn :])
    assert len(found.tokens) - found.learn <= TASK.assess(State(MIA), "logic").max_tokens
    read = TASK.read_assessment(reply)
    reason = "6 * 4, - 5" if working else "Step 1 is wrong"
    assert read.value and (read.value.score, read.value.reason) == (0.5, reason)
