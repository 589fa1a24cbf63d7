"""The rules of the Game of 24: the solver against a brute force of our own, steps and answers of any text."""

import operator
import re
import warnings
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations, product

import pytest
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st
from tables import bars, cells, refused

from tot.parse import arithmetic
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import expression, luck, moves, read_step, solvable, strip_answer, verify

pytestmark = pytest.mark.filterwarnings("error")
FUZZ = fuzz(150)
ALL = Game24().problems("all")
PUZZLES = list(combinations_with_replacement(range(1, 14), 4))


def fractions(text):
    return tuple(map(Fraction, text.split()))


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


def solvable_puzzles() -> list[tuple[int, ...]]:
    """All puzzles of four numbers from 1 to 13 that have a solution, easiest first (by ``luck``, ties by the numbers).

    There are 1,362. This takes a few seconds, so the package ships the result.
    """
    puzzles = [p for p in combinations_with_replacement(range(1, 14), 4) if solvable(tuple(map(Fraction, p)))]
    return sorted(puzzles, key=lambda p: (-luck(tuple(map(Fraction, p))), p))


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


NUMBERS = fractions("4 9 10 13")


READ = """
13 - 9 = 4 (left: 4 4 10) | 13 - 9 = 4 | 13-9=4 | 1. 13 - 9 = 4 (left: 10 4 4) | 12) 13 - 9 = 4 | - 13 - 9 = 4
* 13 - 9 = 4 | • 13 - 9 = 4 | Step 1: 13 - 9 = 4. | step 2. 13 − 9 ＝ 4; | Combine: 13 – 9 = 4 | 13 - 09 = 4
13 - 9 = 4 (left: 4, 4, 10) | 13 - 9 = 4 (left 4 4 10) | 13 - 9 = 4 left: 4 4 10 | 13 - 9 = 4 [Left: 4 4 10].
13 - 9 = 4 (left: 4 4 10 | 13 - 9 = 8/2 (left: 4.0 4 10)
"""
SPACED = ("  13  -  9  =  4  (left: 4 4 10)  ", "13\u00a0- 9 = 4")


@pytest.mark.parametrize("line", [*SPACED, *(line for row in READ.strip().splitlines() for line in cells(row))])
def test_read_step_reads(line):
    read = read_step(line, NUMBERS)
    assert read.ok, read.why
    assert str(read.value) == "13 - 9 = 4 (left: 4 4 10)"


NO_STEP = """
not a step <- Numbers: 4 9 10 13 | 13 - 9 | 13 - 9 = x | 13 - 9 = 4 which leaves 4 4 10 | 13 - 9 = 4 (left: 4 and 10)
not a step <- (13 - 9) = 4 | 13 ** 9 = 4 | 13 // 9 = 1 | 13 % 9 = 4 | ٩ + 4 = 13 | 4 + 13 - 9 = 4 | 4/1 + 1/0 = 5
not a step <- 4 + 9 = 13 - 9 = 4 | 1/1/13 - 9 = 4 | 1.1.13 - 9 = 4 | 1000000000013 - 9 = 4
operand is not there <- 10/13 - 9 = 4 | 1.13 - 9 = 4 | 12 - 9 = 3 | 9 + 9 = 18 | -13 + 9 = -4 | 4 / 0 = 4
wrong arithmetic <- 13 - 9 = 5 | 9 - 13 = 4 | 10 / 9 = 1.11
wrong numbers left <- 13 - 9 = 4 (left: 4 10) | 13 - 9 = 4 (left: 4 4 4 10) | 13 - 9 = 4 (left: 4 9 10)
wrong numbers left <- 13 - 9 = 4 (left: ) | 13 - 9 = 4 (left: 4 4 1/0) | 13 - 9 = 4 (left: 4 4 --10)
"""
OVERLONG = ("13 - 9 = 4" + " " * 300, "13 - 9 = 4" + " " * 200 + "junk", "")


@pytest.mark.parametrize(("line", "why"), [*refused(NO_STEP), *((line, "not a step") for line in OVERLONG)])
def test_read_step_refuses(line, why):
    read = read_step(line, NUMBERS)
    assert (read.value, read.why) == (None, why)


@pytest.mark.parametrize(
    ("numbers", "lines", "step"),
    [
        ("-1 6", "6 - (-1) = 7 | 6 − (−1) = 7 | 6 - ( -1 ) = ( 7 )", "6 - -1 = 7 (left: 7)"),
        ("-1 6", "6 + (-1) = 5", "6 + -1 = 5 (left: 5)"),
        ("-1 6 10", "6 - (-1) = 7 (left: 7 10)", "6 - -1 = 7 (left: 7 10)"),
        ("5/3 9", "9 / (5/3) = 27/5 (left: 27/5)", "9 / 5/3 = 27/5 (left: 27/5)"),
        ("5/3 9", "9 / (1 2/3) = (5 2/5) (left: (5 2/5))", "9 / 5/3 = 27/5 (left: 27/5)"),
        ("5/3 9", r"\( 9 \div \frac{5}{3} = \frac{27}{5} \)", "9 / 5/3 = 27/5 (left: 27/5)"),
        ("5/3 9", "1. (5/3) + 9 = 32/3 (left: 32/3)", "5/3 + 9 = 32/3 (left: 32/3)"),
        ("-3/2 3 6", "(-1 1/2) * 6 = -9 [left: (-9), 3]", "-3/2 * 6 = -9 (left: -9 3)"),
        ("10/9 6", "6 / (10/9) = 54/10 = 27/5 (left: 54/10)", "6 / 10/9 = 27/5 (left: 27/5)"),
        ("4 7", "7 / 4 = 1.75 = 7/4", "7 / 4 = 7/4 (left: 7/4)"),
        ("3 4 7", "7 / 4 = 1.75 (left: 1.75 3) (if decimals are allowed)", "7 / 4 = 7/4 (left: 7/4 3)"),
        ("3 4 7", "7 / 4 = 1.75 (not a whole number) (left: 1.75 3)", "7 / 4 = 7/4 (left: 7/4 3)"),
        ("3 4 7", "7 / 4 = 1.75 (not a whole number)", "7 / 4 = 7/4 (left: 7/4 3)"),
        ("3 4 7", "7 / 4 = 1.75 (left: 3 7/4) [non-integer, may not help]", "7 / 4 = 7/4 (left: 7/4 3)"),
        ("3 4 7", "7 / 4 = 1.75 (left: 3 7/4) - not a whole number.", "7 / 4 = 7/4 (left: 7/4 3)"),
        ("3 4 7", "7 - 4 = 3 (left: 3 3), a good start | 7 - 4 = 3（不错）", "7 - 4 = 3 (left: 3 3)"),
        ("3 4 7", "**7 - 4 = 3** (left: 3 3) | **Step 1:** 7 - 4 = **3**", "7 - 4 = 3 (left: 3 3)"),
        ("3 4 7", "- `7 - 4 = 3` (left: 3 3)", "7 - 4 = 3 (left: 3 3)"),
        ("3 4 7", r"2. **4 * 7 = 28** (left: 3, 28) | $4 \times 7 = 28$ (left: 3 28)", "4 * 7 = 28 (left: 3 28)"),
    ],
)
def test_exact_steps_in_other_forms(numbers, lines, step):
    for line in cells(lines):
        read = read_step(line, fractions(numbers))
        assert (str(read.value) if read.ok else None) == step, (line, read.why)


NOT_QUITE = {
    "-1 6": "wrong arithmetic <- 6 - (-1) = 5\noperand is not there <- 6 - (1) = 5",
    "-1 6 9": "wrong numbers left <- 6 - (-1) = 7 (left: 7 10)",
    "5/3 9": """
wrong numbers left <- 9 / (5/3) = 5.4 (left: 5/3 27/5)
wrong arithmetic <- 9 / (1 2/3) = 5.3
operand is not there <- 9 / (1 5/3) = 5.4
not a step <- (3 + 2)(5/3) + 9 = 32/3 | (3 + 2) (5/3) + 9 = 32/3
""",
    "0 9": "not a step <- 9 / (5/0) = 0 | 9 / (1 2/0) = 0",
    "0 4": "wrong arithmetic <- 4 / 0 = 0",
    "1 9": """
not a step <- 9 / (3 - 2) = 9 | f(9) - 1 = 8 | 2 * (9) - 1 = 8 | -(9) - 1 = -10 | 9 - (1 = 8 | 9 - 1) = 8
""",
    "3 4 7": "not a step <- 7 - 4 = 3（剩下一些）",  # it speaks of what is left
    "4 10": "not a step <- 10 / 4 ≈ 2.5",
    "6 10": """
wrong arithmetic <- 10 / 6 = 1.67 | 10 / 6 = 1.67 (approx.) (left: 1.67) | 10 / 6 = 1.67 (if decimals are allowed)
wrong arithmetic <- 10 / 6 = 5/3 = 1.67 | 10 / 6 = 1.67 = 5/3 | 10 / 6 = 1 (with a rest)
not a step <- 10 / 6 ≈ 1.67 (left: 1.67) | 10 / 6 = ~1.67 | 10 / 6 = approx. 1.67
not a step <- 10 / 6 = 1.666... | 10 / 6 (not possible)
""",
    "6 8 10": r"""
wrong numbers left <- 10 - 6 = 4 (left: 4 9) (if allowed)
operand is not there <- 10 - 6 = 4 (left: 4 8), then 8 - 4 = 4
not a step <- 10 - 6 = 4 (left: 4) (8) | 10 - 6 = 4 (leaving four) | 10 - 6 = 4 (remaining: 4 9)
not a step <- 10 - 6 = 4 (so 4 and 9) | 10 - 6 = 4 (½ of it) | 10 - 6 = 4 (+ x) | 10 - 6 = 4 - x | 10 - 6 = 4 x
not a step <- 10 - 6 = 4 (left: 4 8) or nine left | 10 % 6 = 4 (left: 4 8) | 2 **10 - 6 = 4** | 8 ** 10 - 6 = 4
not a step <- 10 - 6 = 4(5) | 8 * **10 - 6 = 4** | 8 `10 - 6 = 4` | 8$10 - 6 = 4$ | 8 \times 10 - 6 = 4
""",
}


@pytest.mark.parametrize(
    ("numbers", "line", "why"), [(numbers, *row) for numbers, table in NOT_QUITE.items() for row in refused(table)]
)
def test_what_looks_like_another_form_and_is_not(numbers, line, why):
    read = read_step(line, fractions(numbers))
    assert (read.value, read.why) == (None, why)


NUMBER = st.fractions(min_value=-50, max_value=50, max_denominator=9)
HANDS = st.lists(NUMBER, min_size=2, max_size=4).map(lambda numbers: tuple(sorted(numbers)))


def written(number):
    """The ways to write a number exactly that can stand beside any operator."""
    whole, rest = divmod(abs(number), 1)
    ways = [f"({number})", f"( {number} )"]
    if rest and whole:
        ways.append(f"({'-' * (number < 0)}{whole} {rest})")
    if rest and 10**6 % number.denominator == 0:
        ways += [decimal := f"{float(number):.6f}".rstrip("0"), f"({decimal})"]
    return ways if rest else [str(number), *ways]


TAILS = "|.| (if decimals are allowed)| [not a whole number, so not ideal]| (left: {left})| [left: {commas}]."
TAILS += (
    "| (left: {left}) (if decimals are allowed)| (not an integer) (left: {left})| (left: {left}) - a comment, maybe"
)
WRAPS = ("{}", "2. {}", "- {}", "Step 3: {}", "**{}**", "$${}$$", "`{}`")


@FUZZ
@given(st.data())
def test_every_legal_move_is_read_back_in_other_forms_and_no_wrong_one(data):
    numbers = data.draw(HANDS)
    step = data.draw(st.sampled_from(moves(numbers)))
    write = {n: data.draw(st.sampled_from(written(n))) for n in {step.a, step.b, step.result, *step.left, Fraction(97)}}
    tail, wrap = data.draw(st.sampled_from(bars(TAILS))), data.draw(st.sampled_from(WRAPS))

    def read(a=step.a, b=step.b, results=(write[step.result],), left=step.left):
        left = [write.get(n, f"({n})") for n in left]
        line = f"{write[a]} {step.op} {write[b]} = {' = '.join(results)}" + tail.format(
            left=" ".join(left), commas=", ".join(left)
        )
        return read_step(wrap.format(line), numbers)

    assert read_step(str(step), numbers).value == step == read().value
    assert read(results=(write[step.result], str(step.result))).value == step
    off = f"({step.result + data.draw(NUMBER.filter(bool))})"
    rounded = f"{float(step.result):.{data.draw(st.integers(0, 3))}f}"
    for wrong in (off, *[rounded] * (Fraction(rounded) != step.result)):
        for results in ((wrong,), (write[step.result], wrong), (wrong, write[step.result])):
            assert read(results=results).why == "wrong arithmetic"
    assert read(a=Fraction(97)).why == read(b=Fraction(97)).why == "operand is not there"
    if "left" in tail or "commas" in tail:
        wrong_left = data.draw(st.sampled_from([(*step.left[1:], step.left[0] + 1), (*step.left, step.left[0])]))
        assert read(left=wrong_left).why == "wrong numbers left"


@FUZZ
@given(st.data())
def test_a_line_that_lost_or_won_a_character_is_read_only_if_it_is_right(data):
    numbers = tuple(sorted(map(Fraction, data.draw(st.lists(st.integers(-9, 13), min_size=2, max_size=4)))))
    step = data.draw(st.sampled_from(moves(numbers)))
    a, b, result = (data.draw(st.sampled_from(written(n))) for n in (step.a, step.b, step.result))
    line = f"{a} {step.op} {b} = {result}"
    at, new = data.draw(st.integers(0, len(line))), data.draw(st.sampled_from(["", *"0123456789+-*/()=. x"]))
    line = line[:at] + new + line[at + data.draw(st.integers(0, 2)) :]
    read = read_step(line, numbers)
    if read.ok and (values := values_of(line)):
        assert values == {read.value.result} and len(values) == 1, line
        used = sorted([*read.value.left, read.value.a, read.value.b])
        assert used == sorted([*numbers, read.value.result])


def values_of(line):
    """The oracle: Python's own arithmetic on the sides of an equation; None where there is a mark of a list, too."""
    line = re.sub(r"\((-?)(\d+) (\d+/\d+)", r"(\1\2\1+\3", re.sub(r"^[-*] ", "", line)).replace("-+", "-")
    try:
        sides = [re.sub(r"\d+(?:\.\d+)?", r"Fraction('\g<0>')", side.strip(" .")) for side in line.split("=")]
        return {eval(side) for side in sides}
    except (SyntaxError, NameError):
        return None


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
    assert read.value[0] == left[0] and sorted(read.value[1]) == sorted(hand) and read.text == text
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


NOISE = (
    r" = 48| = 25| = 24 = 24| = 4 * 6 = 24| == 24| = 24 (no solution)| = \boxed{24}| → 24| => 24|.|;|. This makes 24."
)
NOISE += (
    "|. It uses 4, 9, 10 and 13 once.|; done|, which is 24|, because 4 * 6 is 24| equals 24.| is 24| which gives 24"
)
NOISE += "| (using each number once)| (incorrect input, cannot obtain 24)"
DRESS = ("{}", "Answer: {}", "$${}$$", "\\({}\\)", "\\[ {} \\]", "\\boxed{{{}}}", "Answer: \\boxed{{{}}}", "**{}**")


@pytest.mark.parametrize("dress", DRESS)
@pytest.mark.parametrize("noise", ["", *bars(NOISE)])
def test_the_expression_counts_and_not_what_is_written_after_it(noise, dress):
    alike = ((True, RIGHT), (True, r"\left(13 - 9\right) \times (10 - 4)"), (False, "(13 - 9) * (10 + 4)"))
    for right, written in alike:
        if not ("boxed" in noise and "boxed" in dress):
            answer = dress.format(written + noise)
            assert verify([4, 9, 10, 13], answer).correct == right, answer


CHARACTERS = "uses more than whole numbers, + - * / and brackets"


WRONG = rf"""
does not use each number exactly once <- 24 | 4 * 6 | {RIGHT} + 0 | {RIGHT} * 1 | 9 + 10 + 13 - 4 - 4 | \boxed{{24}}
does not use each number exactly once <- 24 = {RIGHT} | 4 * 6 = {RIGHT} = 24 | 13 - 9 = 4, 10 - 4 = 6, 4 * 6 = 24
equals 36, not 24 <- 4 + 9 + 10 + 13
equals 49/2, not 24 <- 13 + 9 + 10 / 4
{CHARACTERS} <- {RIGHT} ** 1 | {RIGHT} ** 2 | 4 ** 9 - 10 - 13 | 4 ^ 9 ^ 10 ^ 13 | (13 - 9) * (10 - x) | eval('24')
{CHARACTERS} <- {RIGHT} if 1 else 0 | -(9 - 13) * (10 - 4) | (13 - 9) * (10 - 4.0) | {RIGHT} (5) | It is {RIGHT}
{CHARACTERS} <- 4 ** 9, which is 24
not an arithmetic expression <- {RIGHT} 5 | (13 - 9) * (10 - 4
divides by zero <- 4 + 9 + 10 / (13 - 13)
"""
GOES_ON = " * x|x|!|^2| ^ 1|²| squared| mod 25| (squared)| (mod 25)| plus 1|, plus 1|. Plus 1| or 4 + 9| or (13 + 9)"
GOES_ON += r"|, or 4 + 9| and 4 + 9|; or 4 * 6| ? 24| ≈ 24| > 24| \neq 24| \cdot x| \boxed|.5|,5| - that is"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        *refused(WRONG),
        *((RIGHT + tail, CHARACTERS) for tail in bars(GOES_ON)),  # a part of it, or another answer
        *((None, "no answer"), ("", "empty")),
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
