"""The rules of the Game of 24: the solver against a brute force of our own, steps and answers of any text."""

import operator
import random
import warnings
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations, product

import pytest
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st

from tot.parse import arithmetic
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import (
    expression,
    luck,
    moves,
    read_step,
    show_numbers,
    solvable_puzzles,
    strip_answer,
    verify,
)

pytestmark = pytest.mark.filterwarnings("error")
FUZZ = fuzz(150)
ALL = Game24().problems("all")
PUZZLES = list(combinations_with_replacement(range(1, 14), 4))


def fractions(text):
    return tuple(map(Fraction, text.split()))


# ---------------------------------------------------------------- the solver

OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
SHAPES = (
    (lambda a, b, c, d, f, g, h: h(g(f(a, b), c), d), "(({} {} {}) {} {}) {} {}"),
    (lambda a, b, c, d, f, g, h: h(f(a, g(b, c)), d), "({} {} ({} {} {})) {} {}"),
    (lambda a, b, c, d, f, g, h: g(f(a, b), h(c, d)), "({} {} {}) {} ({} {} {})"),
    (lambda a, b, c, d, f, g, h: f(a, h(g(b, c), d)), "{} {} (({} {} {}) {} {})"),
    (lambda a, b, c, d, f, g, h: f(a, g(b, h(c, d))), "{} {} ({} {} ({} {} {}))"),
)


def brute_force(puzzle):
    """The oracle: an expression that makes 24, or None. All orders, operators and bracketings.

    In floating point, which is exact enough: a value that is not 24 differs from it by more than 1 / 13**4.
    """
    for numbers in sorted(set(permutations(puzzle))):
        for signs in product(OPS, repeat=3):
            f, g, h = (OPS[sign] for sign in signs)
            for shape, text in SHAPES:
                try:
                    value = shape(*numbers, f, g, h)
                except ZeroDivisionError:
                    continue
                if abs(value - 24) < 1e-6:
                    a, b, c, d = numbers
                    first, second, third = signs
                    return text.format(a, first, b, second, c, third, d)
    return None


@pytest.fixture(scope="module")
def solutions():
    return {puzzle: brute_force(puzzle) for puzzle in PUZZLES}


@pytest.mark.slow
def test_the_solver_agrees_with_brute_force_on_all_puzzles_and_the_bundled_list_is_its_own(solutions):
    found = solvable_puzzles()
    assert {p for p in PUZZLES if solutions[p]} == set(found) and len(found) == 1362
    assert [problem.x for problem in ALL] == [" ".join(map(str, puzzle)) for puzzle in found]
    assert [problem.id for problem in ALL] == [problem.x for problem in ALL]
    ease = [luck(tuple(map(Fraction, puzzle))) for puzzle in found]
    assert all(a > b or (a == b and p < q) for (a, p), (b, q) in pairwise(zip(ease, found, strict=True)))
    assert ease[-1] > 0


@pytest.mark.slow
def test_the_verifier_accepts_a_solution_of_every_puzzle_and_only_for_that_puzzle(solutions):
    for puzzle, answer in solutions.items():
        if answer:
            assert verify(puzzle, answer).correct
            assert verify((*puzzle[:3], puzzle[3] + 1), answer).why == "does not use each number exactly once"


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("24", Fraction(1)),
        ("23", Fraction(0)),
        ("4 6", Fraction(1, 6)),  # 4 * 6 of 4 + 6, 4 - 6, 6 - 4, 4 * 6, 4 / 6, 6 / 4
        ("12 12", Fraction(1, 4)),  # 12 + 12 of 12 + 12, 12 - 12, 12 * 12, 12 / 12
        ("0 24", Fraction(2, 5)),  # 0 + 24, 24 - 0; not 0 - 24, 0 * 24, 0 / 24; 24 / 0 is no move
        # ten moves. 1+1, 1-1, 1*1, 1/1 leave (2 24), (0 24), (1 24), (1 24), and 1+24, 1-24, 24-1, 1*24, 1/24, 24/1
        # leave (1 25), (-23 1), (1 23), (1 24), (1/24 1), (1 24). From (1 24) two moves of six hit (1*24, 24/1), from
        # (0 24) two of five, from (2 24) none, from each of the other four one of six.
        ("1 1 24", (Fraction(2, 5) + 4 * Fraction(2, 6) + 4 * Fraction(1, 6)) / 10),
    ],
)
def test_luck_by_hand(numbers, expected):
    assert luck(fractions(numbers)) == expected


def test_luck_is_what_random_players_have():
    rng = random.Random(0)
    for numbers in (fractions("12 12 12 12"), fractions("4 6 6 6")):
        wins = 0
        for _ in range(1000):
            left = numbers
            while len(left) > 1:
                left = rng.choice(moves(left)).left
            wins += left == (24,)
        p = float(luck(numbers))
        assert abs(wins / 1000 - p) < 4 * (p * (1 - p) / 1000) ** 0.5


def test_moves_are_all_there_and_each_once():
    for text in ("1 2 3 4", "5 5 5", "3 3 8 8", "0 24", "-2 1/3"):
        numbers = fractions(text)
        expected = set()
        for i, a in enumerate(numbers):
            for j, b in enumerate(numbers):
                if i != j:
                    rest = [n for k, n in enumerate(numbers) if k not in (i, j)]
                    for op, f in OPS.items():
                        if op != "/" or b:
                            pair = tuple(sorted((a, b))) if op in "+*" else (a, b)
                            expected.add((op, *pair, f(a, b), tuple(sorted([*rest, f(a, b)]))))
        listed = [(m.op, m.a, m.b, m.result, m.left) for m in moves(numbers)]
        assert len(listed) == len(set(listed)) and set(listed) == expected


# ---------------------------------------------------------------- one step

NUMBERS = fractions("4 9 10 13")


@pytest.mark.parametrize(
    "line",
    [
        "13 - 9 = 4 (left: 4 4 10)",
        "13 - 9 = 4",
        "13-9=4",
        "  13  -  9  =  4  (left: 4 4 10)  ",
        "1. 13 - 9 = 4 (left: 10 4 4)",
        "12) 13 - 9 = 4",
        "- 13 - 9 = 4",
        "* 13 - 9 = 4",
        "• 13 - 9 = 4",
        "Step 1: 13 - 9 = 4.",
        "step 2. 13 − 9 ＝ 4;",
        "Combine: 13 – 9 = 4",
        "13 - 9 = 4 (left: 4, 4, 10)",
        "13 - 9 = 4 (left 4 4 10)",
        "13 - 9 = 4 left: 4 4 10",
        "13 - 9 = 4 [Left: 4 4 10].",
        "13 - 9 = 4 (left: 4 4 10",
        "13 - 9 = 8/2 (left: 4.0 4 10)",
        "13 - 09 = 4",
        "13\u00a0- 9 = 4",
    ],
)
def test_read_step_reads(line):
    read = read_step(line, NUMBERS)
    assert read.ok, read.why
    assert str(read.value) == "13 - 9 = 4 (left: 4 4 10)"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not a step"),
        ("Numbers: 4 9 10 13", "not a step"),
        ("13 - 9", "not a step"),
        ("13 - 9 = x", "not a step"),
        ("13 - 9 = 4 which leaves 4 4 10", "not a step"),
        ("13 - 9 = 4 (left: 4 and 10)", "not a step"),
        ("(13 - 9) = 4", "not a step"),
        ("13 ** 9 = 4", "not a step"),
        ("13 // 9 = 1", "not a step"),
        ("13 % 9 = 4", "not a step"),
        ("٩ + 4 = 13", "not a step"),
        ("13 - 9 = 4" + " " * 300, "not a step"),  # overlong
        ("13 - 9 = 4" + " " * 200 + "junk", "not a step"),
        ("4 + 13 - 9 = 4", "not a step"),  # the tail of a longer equation is no step
        ("4 + 9 = 13 - 9 = 4", "not a step"),
        ("1/1/13 - 9 = 4", "not a step"),
        ("1.1.13 - 9 = 4", "not a step"),
        ("1000000000013 - 9 = 4", "not a step"),  # nor of a longer number
        ("4/1 + 1/0 = 5", "not a step"),
        ("10/13 - 9 = 4", "operand is not there"),
        ("1.13 - 9 = 4", "operand is not there"),
        ("12 - 9 = 3", "operand is not there"),
        ("9 + 9 = 18", "operand is not there"),
        ("-13 + 9 = -4", "operand is not there"),
        ("4 / 0 = 4", "operand is not there"),
        ("13 - 9 = 5", "wrong arithmetic"),
        ("9 - 13 = 4", "wrong arithmetic"),
        ("10 / 9 = 1.11", "wrong arithmetic"),
        ("13 - 9 = 4 (left: 4 10)", "wrong numbers left"),
        ("13 - 9 = 4 (left: 4 4 4 10)", "wrong numbers left"),
        ("13 - 9 = 4 (left: 4 9 10)", "wrong numbers left"),
        ("13 - 9 = 4 (left: )", "wrong numbers left"),
        ("13 - 9 = 4 (left: 4 4 1/0)", "wrong numbers left"),
        ("13 - 9 = 4 (left: 4 4 --10)", "wrong numbers left"),
    ],
)
def test_read_step_refuses(line, why):
    read = read_step(line, NUMBERS)
    assert (read.value, read.why) == (None, why)


def test_read_step_does_not_divide_by_a_zero_that_is_there():
    assert read_step("4 / 0 = 0", fractions("0 4")).why == "wrong arithmetic"


NUMBER = st.fractions(min_value=-50, max_value=50, max_denominator=9)
HANDS = st.lists(NUMBER, min_size=2, max_size=4).map(lambda numbers: tuple(sorted(numbers)))
FORMATS = (
    "{a} {op} {b} = {r} (left: {left})",
    "{a} {op} {b} = {r}",
    "3. {a} {op} {b} = {r} (left: {left}).",
    "- {a} {op} {b} = {r} left {left}",
    "Step 1: {a}{op}{b}={r} [left: {commas}]",
)


@FUZZ
@given(st.data())
def test_every_legal_move_is_read_back_and_no_other(data):
    numbers = data.draw(HANDS)
    step = data.draw(st.sampled_from(moves(numbers)))
    form = data.draw(st.sampled_from(FORMATS))
    if any(n.denominator > 1 for n in numbers):
        form = form.replace("{a}{op}{b}", "{a} {op} {b}")  # "1/1/2" could be read in two ways

    def line(**changed):
        parts = {"a": step.a, "op": step.op, "b": step.b, "r": step.result, "left": step.left, **changed}
        commas = ", ".join(map(str, parts["left"]))
        return form.format(**{**parts, "left": show_numbers(parts["left"]), "commas": commas})

    assert read_step(line(), numbers).value == step
    off = data.draw(NUMBER.filter(bool))
    assert read_step(line(r=step.result + off), numbers).why == "wrong arithmetic"
    assert read_step(line(a=Fraction(97)), numbers).why == "operand is not there"
    assert read_step(line(b=Fraction(97)), numbers).why == "operand is not there"
    if "left" in form or "commas" in form:
        wrong = data.draw(st.sampled_from([(*step.left[1:], step.left[0] + 1), (*step.left, step.left[0])]))
        assert read_step(line(left=wrong), numbers).why == "wrong numbers left"


# ---------------------------------------------------------------- expressions and the verifier


@FUZZ
@given(st.lists(st.integers(1, 13), min_size=4, max_size=4), st.data())
def test_steps_as_one_expression(hand, data):
    numbers = tuple(sorted(map(Fraction, hand)))
    left, steps = numbers, []
    for _ in range(3):
        step = data.draw(st.sampled_from(moves(left)))
        steps.append(step)
        left = step.left
    text = expression(numbers, steps)
    read = arithmetic(text)
    assert read.value is not None, (text, read.why)
    assert read.value[0] == left[0] and sorted(read.value[1]) == sorted(hand)
    assert verify(hand, text).correct == (left[0] == 24)


DRESSED = ("{}", "{} = 24", "Answer: {}", "`{}`", "{}.", "{}=24.", "**{}**")


@FUZZ
@given(st.sampled_from(PUZZLES), st.data())
def test_the_verifier_agrees_with_an_oracle_on_written_expressions(puzzle, data):
    numbers = data.draw(st.permutations(puzzle))
    signs = [data.draw(st.sampled_from("+-*/")) for _ in range(3)]
    shape, text = data.draw(st.sampled_from(SHAPES))
    try:
        value = shape(*map(Fraction, numbers), *(OPS[sign] for sign in signs))
    except ZeroDivisionError:
        value = None
    answer = text.format(numbers[0], signs[0], numbers[1], signs[1], numbers[2], signs[2], numbers[3])
    if data.draw(st.booleans()):
        answer = answer.replace("*", "×").replace("-", "−").replace("/", "÷")
    score = verify(puzzle, data.draw(st.sampled_from(DRESSED)).format(answer))
    assert score.correct == (value == 24)
    if value is None:
        assert score.why == "divides by zero"
    elif value != 24:
        assert score.why == f"equals {value}, not 24"


RIGHT = "(13 - 9) * (10 - 4)"


@pytest.mark.parametrize(
    "answer",
    [
        *[
            RIGHT,
            f" {RIGHT} ",
            f"{RIGHT} = 24",
            f"{RIGHT}=24.",
            f"Answer: {RIGHT}",
            f"answer {RIGHT} = 24",
            f"`{RIGHT}`",
        ],
        *[f"**{RIGHT}**", f"$ {RIGHT} $", "(13 − 9) × (10 – 4)", "（13-9）∗（10—4） ＝ 24", "((13-9)*((10-4)))"],
    ],
)
def test_verify_accepts(answer):
    assert verify([4, 9, 10, 13], answer).correct


CHARACTERS = "uses more than whole numbers, + - * / and brackets"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "no answer"),
        ("", "empty"),
        ("24", "does not use each number exactly once"),
        ("4 * 6", "does not use each number exactly once"),
        ("(13 - 9) * (10 - 4) + 0", "does not use each number exactly once"),
        ("(13 - 9) * (10 - 4) * 1", "does not use each number exactly once"),
        ("9 + 10 + 13 - 4 - 4", "does not use each number exactly once"),
        ("4 + 9 + 10 + 13", "equals 36, not 24"),
        ("13 + 9 + 10 / 4", "equals 49/2, not 24"),
        ("(13 - 9) * (10 - 4) = 25", CHARACTERS),
        ("(13 - 9) * (10 - 4) = 24 = 24", CHARACTERS),
        ("24 = (13 - 9) * (10 - 4)", CHARACTERS),
        ("(13 - 9) * (10 - 4) ** 1", CHARACTERS),
        ("4 ** 9 - 10 - 13", CHARACTERS),
        ("4 ^ 9 ^ 10 ^ 13", CHARACTERS),
        ("(13 - 9) * (10 - x)", CHARACTERS),
        ("eval('24')", CHARACTERS),
        ("(13 - 9) * (10 - 4) if 1 else 0", CHARACTERS),
        ("-(9 - 13) * (10 - 4)", CHARACTERS),
        ("(13 - 9) * (10 - 4.0)", CHARACTERS),
        ("4 + 9 + 10 / (13 - 13)", "divides by zero"),
        ("(13 - 9) * (10 - 4", "not an arithmetic expression"),
        pytest.param("(" * 999, "longer than 200 characters", id="brackets"),
        pytest.param("1" * 1_000_000, "the answer is far too long", id="a megabyte"),
    ],
)
def test_verify_refuses(answer, why):
    score = verify([4, 9, 10, 13], answer)
    assert (score.correct, score.why) == (False, why)


PIECES = [*"0123456789+-*/()= .,_\n\t\0e×÷−（）＝٣²\ud800", "4", "9", "10", "13", "= 24", "Answer:", "left:", "**"]
TEXT = texts(PIECES, 40)


@FUZZ
@given(TEXT)
def test_the_verifier_is_never_wrong_about_any_text(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = verify([4, 9, 10, 13], text)
    if score.correct:
        value, used = arithmetic(strip_answer(text)).value
        assert value == 24 and sorted(used) == [4, 9, 10, 13]
