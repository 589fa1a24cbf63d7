"""The pocket model's tokenizer, its chat template, and its training data. Its transformer: test_pocket_model."""

import math
import os
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tot
from studies.pocket import alone, data
from tot.state import State, Thought
from tot.tasks.game24 import VERDICTS, Game24, left, numbers_of
from tot.tasks.game24_believed import Believed
from tot.tasks.game24_rules import moves, read_step, solvable
from treebook.players.template import QUESTIONS, Refusal, instructions, prompt_tokens
from treebook.players.tokens import (
    AGAIN,
    CONTROL_TOKEN,
    END,
    PIECES,
    VOCABULARY,
    decode,
    encode,
    show,
)

GAME = Game24()
FUZZ = settings(max_examples=int(os.environ.get("TOT_FUZZ", "300")), deadline=None)


ascii_numbers = st.integers(0, 30_000).map(str) | st.sampled_from(["0", "007", "00", "199", "200", "1990"])


@FUZZ
@given(st.lists(st.sampled_from(PIECES) | ascii_numbers).map("".join) | st.text(alphabet="0123456789 +-*/=():,.;\n"))
def test_any_text_of_the_supported_pieces_goes_round(text):
    assert decode(encode(text)) == text


@FUZZ
@given(st.text())
def test_other_text_is_refused_or_goes_round(text):
    try:
        tokens = encode(text)
    except ValueError as error:
        assert "the pocket model cannot read" in str(error)
    else:
        assert decode(tokens) == text


@given(st.lists(st.integers(0, len(VOCABULARY) - 1)))
def test_whatever_the_model_says_can_be_shown(tokens):
    assert isinstance(decode(tokens), str) and len(show(tokens)) == len(tokens)
    assert decode([*tokens, END, *tokens]) == decode([*tokens, END])


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("3 5 9", ["3", "5", "9"]),
        ("3  5", ["3", " ", " ", "5"]),
        (" 3 ", [" ", "3", " "]),
        ("199 200", ["199", " ", "<2>", "<0>", "<0>"]),
        ("8/3 * 9 = 24", ["8", "/", "3", " * ", "9", " = ", "24"]),
        ("3 - 5 = -2 (left: -2 9)\n", ["3", " - ", "5", " = ", "-", "2", " (left: ", "-", "2", "9", ")\n"]),
        ("4 * 6 = 24. sure", ["4", " * ", "6", " = ", "24", ". sure"]),
        (AGAIN, [AGAIN]),
    ],
)
def test_what_is_one_token(text, tokens):
    assert show(encode(text)) == tokens


STATE = tot.State("4 9 10 13")


def after(*lines):
    state, numbers = STATE, numbers_of(STATE.x)
    for line in lines:
        step = read_step(line, numbers).value
        state, numbers = state.then(tot.Thought(str(step), step)), step.left
    return state


ONE_LEFT = after("13 - 9 = 4", "10 - 4 = 6", "4 * 6 = 24")
ANSWERED = ONE_LEFT.then(tot.Thought("x", None, "(13 - 9) * (10 - 4)", final=True))


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        (GAME.io(STATE), "<io>Numbers: 4 9 10 13<reply>"),
        (GAME.cot(STATE), "<cot>Numbers: 4 9 10 13<reply>"),
        (GAME.propose(STATE, "one-shot"), "<steps>Numbers: 4 9 10 13<reply>"),
        (GAME.propose(STATE, "three-shot"), "<steps>Numbers: 4 9 10 13<reply>"),
        (GAME.propose(STATE, "lean"), "<lean>Numbers: 4 9 10 13<reply>"),
        (GAME.propose(after("4 / 9 = 4/9", "10 - 13 = -3"), "lean"), "<lean>Numbers: -3 4/9<reply>"),
        (GAME.value(after("4 - 9 = -5")), "<value>-5 10 13<reply>"),
        (
            GAME.propose(ONE_LEFT, "one-shot"),
            "<answer>Numbers: 4 9 10 13\n13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)"
            "<reply>",
        ),
        (GAME.value(ANSWERED), "<judge>Numbers: 4 9 10 13\nAnswer: (13 - 9) * (10 - 4)<reply>"),
        (
            GAME.refine(STATE.then(tot.Thought("Answer: 4 + 9 + 10"))),
            f"<io>Numbers: 4 9 10 13<reply>Answer: 4 + 9 + 10<user>{AGAIN}<reply>",
        ),
    ],
)
def test_every_prompt_of_the_task_is_understood(request_, shown):
    assert decode(prompt_tokens(request_)) == shown


def test_the_examples_in_a_prompt_make_no_difference():
    whole = GAME.io(STATE)
    bare = replace(whole, messages=(whole.messages[0], whole.messages[-1]))
    assert prompt_tokens(whole) == prompt_tokens(bare)


@pytest.mark.parametrize(
    "question",
    [
        *("", "poem", "Numbers: 4 9 10", "Numbers: " + "4 " * 40, "Numbers: ٤ 9 10 13", "Numbers: 4 9 10 13\n"),
        "1" * 9999,
        *("Numbers: 1/0 1 1 1", "Numbers: 007 9 10 13", "Numbers: 1/02 9 10 13", f"Numbers: {'9' * 24} 9 10 13"),
    ],
)
def test_other_questions_under_its_instructions_are_refused(question):
    own = GAME.io(STATE)
    with pytest.raises(Refusal) as caught:
        prompt_tokens(replace(own, messages=(own.messages[0], tot.Message("user", question))))
    assert "cannot read the question" in str(caught.value) and len(str(caught.value)) < 200


@given(st.lists(st.integers(1, 99), min_size=4, max_size=4), st.randoms(use_true_random=False))
def test_every_state_of_every_puzzle_can_be_asked_about(numbers, rng):
    state = tot.State(" ".join(map(str, numbers)))
    for request in (GAME.io(state), GAME.cot(state)):
        assert prompt_tokens(request)
    while True:
        assert prompt_tokens(GAME.propose(state, "one-shot")) and prompt_tokens(GAME.propose(state, "lean"))
        if len(left(state)) == 1:
            break
        assert prompt_tokens(GAME.value(state))
        step = rng.choice(moves(left(state)))
        state = state.then(tot.Thought(str(step), step))


def test_each_instruction_has_its_own_control_token():
    assert sorted(instructions().values()) == sorted(QUESTIONS)
    assert set(QUESTIONS) < set(CONTROL_TOKEN)


@pytest.fixture(scope="module")
def maker():
    own = data.puzzles()
    few = random.Random(3).sample(own, 60)  # the solver takes its time on all of them
    wide = data.wide_puzzles(5, 25, random.Random(4))
    return data.Maker(random.Random(5), own=few, wide=wide, wide_share=0.1)


def test_training_puzzles_and_held_out_puzzles_are_apart():
    held = data.held_out()
    assert len(held) == len(set(held)) == 400 and held == data.held_out()
    assert {p.x for p in GAME.problems("hard")} <= set(held) <= {p.x for p in GAME.problems("all")}
    numbers = {*map(numbers_of, held)}
    assert not numbers & set(data.puzzles()) and not numbers & set(data.wide_puzzles(300, 25, random.Random(0)))
    assert len(data.puzzles()) == 1820 - 400  # all multisets of four numbers over 1..13


@pytest.mark.slow
def test_what_the_sequences_teach_is_right_and_begins_at_no_held_out_puzzle(maker):
    """Replies are read by the task's own readers, as the model's will be."""
    allowed, kinds = {tuple(sorted(p)) for p in (*maker.own, *maker.wide)}, set()
    for _ in range(1500):
        example = maker.draw()
        kind = VOCABULARY[example.tokens[0]]
        end = example.tokens.index(data.REPLY)
        question, reply = decode(example.tokens[1:end]), decode(example.tokens[example.learn :])
        assert example.tokens[-1] == END and example.tokens[example.learn - 1] == data.REPLY
        assert len(example.tokens) <= 256
        there = numbers_of(question.splitlines()[0].removeprefix("Numbers: "))
        kinds.add(kind)
        assert tuple(sorted(there)) in allowed if len(there) == 4 else len(there) in (2, 3)
        if kind in ("<steps>", "<lean>"):
            lines = reply.splitlines()
            assert 1 <= len(lines) == len(set(lines)) <= data.LINES
            assert all(read_step(line, there).ok for line in lines)
            assert (" (left: " in reply) == (kind == "<steps>")
        elif kind == "<value>":
            assert reply.rpartition(". ")[2] == ("sure" if solvable(there) else "impossible")
            assert GAME.read_value(reply).ok
        elif kind in ("<io>", "<cot>"):
            problem = GAME.problem(" ".join(map(str, there)))
            assert GAME.verify(problem, reply.rpartition("Answer: ")[2]).correct
        elif kind == "<judge>":
            answer = question.rpartition("Answer: ")[2]
            right = GAME.verify(GAME.problem(" ".join(map(str, there))), answer).correct
            assert reply.endswith("sure" if right else "impossible")
    assert kinds == set(QUESTIONS)


def test_who_is_alone_is_asked_about_one_number_and_practises_that(maker):
    practised = alone.EndMaker(random.Random(5), own=maker.own, wide=())
    for _ in range(300):
        control, question, reply = practised.single()
        state = State("4 9 10 13").then(Thought("", Believed("", question, (Fraction(question),))))
        request = GAME.unchecked().value(state)
        assert GAME.read_value(reply).value == VERDICTS["sure" if question == "24" else "impossible"]
        assert alone.template(request) == [CONTROL_TOKEN[control], *encode(question), data.REPLY]
        with pytest.raises(Refusal):  # as ever, by the published model
            prompt_tokens(request)
    assert practised.weights[practised.kinds.index("value 1")] == alone.NEW["value 1"]
    assert math.isclose(sum(practised.weights), 1)
    two = GAME.value(State("4 6"))
    assert alone.template(two) == prompt_tokens(two)


def test_the_data_are_the_same_for_the_same_seed(maker):
    again = [data.Maker(random.Random(7), own=maker.own, wide=maker.wide).draw() for _ in range(3)]
    assert again[0] == again[1] == again[2]
