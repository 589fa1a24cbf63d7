"""The readers of model output: any text, no exception, no warning, nothing evaluated; arithmetic against an oracle."""

import operator
import warnings
from fractions import Fraction

import pytest
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st
from tables import bars, pairs, refused

from tot.parse import MAX_EXPRESSION, Read, arithmetic, bad, last_word, number, plain_operators, shorten
from tot.tasks.ballots import choice

pytestmark = pytest.mark.filterwarnings("error")

FUZZ = fuzz()

WORDS_IN_REPLIES = "sure|likely|impossible|The best choice is |choice|best choice | or |选择|Answer: |left: "
PIECES = [
    *"0123456789+-*/()= .,_\n\t\0'\"e×÷−–（）＝٣²½\ud800",
    *bars(f"**|//|1e9|0x1|1_0|24|__import__('os')|lambda: |{WORDS_IN_REPLIES}|{'(' * 60}|{'9' * 60}"),
]
TEXT = st.one_of(texts(PIECES, 40), st.text("0123456789+-*/() ", max_size=40))


@FUZZ
@given(TEXT)
def test_no_reader_raises_or_warns_on_any_text(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for read in (arithmetic(text), last_word(text, ("sure", "likely")), choice(text, 5)):
            assert (read.value is not None) == read.ok and len(read.text) < 260
        parsed = number(text)
        assert parsed is None or isinstance(parsed, Fraction)
        assert len(shorten(text)) <= max(len(text), 250)
        assert len(plain_operators(text)) == len(text)


@FUZZ
@given(TEXT)
def test_arithmetic_reads_only_digits_operators_and_brackets(text):
    read = arithmetic(text)
    if read.ok:
        assert set(plain_operators(text).strip()) <= set("0123456789+-*/() \t\n\r\f\v")
        value, operands = read.value
        assert isinstance(value, Fraction) and all(type(n) is int and n >= 0 for n in operands) and operands


OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}
SPELLINGS = {"+": "+＋", "-": "-−–—", "*": "*×·∗⋅", "/": "/÷∕⁄"}

TREES = st.recursive(st.integers(0, 99), lambda sub: st.tuples(st.sampled_from("+-*/"), sub, sub), max_leaves=10)


def evaluate(tree):
    """The oracle: the value of a tree, ZeroDivisionError for a division by zero."""
    if isinstance(tree, int):
        return Fraction(tree)
    op, a, b = tree
    return OPS[op](evaluate(a), evaluate(b))


def leaves(tree):
    return [tree] if isinstance(tree, int) else leaves(tree[1]) + leaves(tree[2])


def render(tree, draw):
    """The tree as text, with brackets where they are needed and sometimes elsewhere, spaces and unicode at random."""
    space = lambda: draw(st.sampled_from(["", "", " ", "  "]))  # noqa: E731
    if isinstance(tree, int):
        return str(tree)
    op, *sides = tree
    texts = []
    for i, side in enumerate(sides):
        text = render(side, draw)
        loose = not isinstance(side, int) and PRECEDENCE[side[0]] < PRECEDENCE[op] + i
        if loose or draw(st.integers(0, 4)) == 0:
            left, right = draw(st.sampled_from(["()", "（）"]))
            text = f"{left}{space()}{text}{space()}{right}"
        texts.append(text)
    return f"{texts[0]}{space()}{draw(st.sampled_from(SPELLINGS[op]))}{space()}{texts[1]}"


@pytest.mark.slow
@FUZZ
@given(st.data())
def test_arithmetic_agrees_with_exact_evaluation(data):
    tree = data.draw(TREES)
    text = render(tree, data.draw)
    read = arithmetic(text)
    if len(text) > MAX_EXPRESSION:
        assert read.why == f"longer than {MAX_EXPRESSION} characters"
        return
    try:
        expected = evaluate(tree)
    except ZeroDivisionError:
        assert read.why == "divides by zero"
    else:
        assert read.value == (expected, leaves(tree)), read.why


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("(((8)))", 8), ("1 - 2 - 3", -4), ("8 / 4 / 2", 1), ("8/(3-8/3)", 24), ("\t 2*3\n", 6)],
)
def test_arithmetic_by_hand(text, value):
    assert arithmetic(text).value[0] == value


CHARACTERS = "uses more than whole numbers, + - * / and brackets"
SYNTAX = "not an arithmetic expression"
REFUSED = """
uses more than whole numbers, + - * / and brackets <- x + 1 | print(1) | __import__('os').system('true') | (1).real
uses more than whole numbers, + - * / and brackets <- 1.5 * 16 | 24. | 1e9 | 1_0 + 14 | 0x18 | 24j | 4 ^ 2 | 5!
uses more than whole numbers, + - * / and brackets <- 6 * 4 = 24 | 6 * 4 # comment | 6 * 4, 0 | 1 if 1 else 2
uses more than whole numbers, + - * / and brackets <- ٣ * 8 | ３ * 8 | 3² + 15 | 2 ** 3 * 3 | 9 ** 9 ** 9 ** 9
uses more than whole numbers, + - * / and brackets <- 49 // 2 | -1 + 25 | +24 | 6 * -4 | 6 - -18 | 4(6) | (4)(6)
uses more than whole numbers, + - * / and brackets <- ()
not an arithmetic expression <- 4 6 | 4 + | * 4 | (4 | 4) | )( | 007 | 4⏎+ 20
divides by zero <- 1 / 0 | 1 / (2 - 2)
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *refused(REFUSED),
        ("", "empty"),
        (" \n ", "empty"),
        ("\0", CHARACTERS),
        ("6 * 4\0", CHARACTERS),
        ("6 * \ud800 4", CHARACTERS),
        ("(" * 100 + "1" + ")" * 99, SYNTAX),
        ("1+" * 100 + "1", "longer than 200 characters"),
        ("(" * 1_000_000, "longer than 200 characters"),
    ],
)
def test_arithmetic_refuses(text, why):
    read = arithmetic(text)
    assert (read.value, read.why) == (None, why) and not read.ok and len(read.text) < 260


def test_deep_nesting_is_read_or_refused_also_close_to_the_recursion_limit():
    def dig(n):
        return dig(n - 1) if n else [arithmetic("(" * 99 + "1" + ")" * 99), arithmetic("1+" * 99 + "1")]

    assert arithmetic("(" * 90 + "1" + ")" * 90).value == (1, [1])
    assert arithmetic("1+" * 99 + "1").value == (100, [1] * 100)
    refused = 0
    for depth in range(700, 990, 10):
        try:
            refused += sum(not read.ok for read in dig(depth))
        except RecursionError:  # of dig itself
            break
    assert refused


NUMBERS = """
7 -> 7 | 3/4 -> 3/4 | -8/3 -> -8/3 | 007 -> 7 | -2.5 -> -5/2
x -> None | 1e3 -> None | 1_0 -> None | .5 -> None | 5. -> None | 1/0 -> None | 1/-2 -> None | --1 -> None
+1 -> None | 1 2 -> None | ٣ -> None | 1.5/2 -> None | nan -> None
"""


@pytest.mark.parametrize(("text", "value"), [*pairs(NUMBERS), ("", None), ("\0", None), ("1" * 41, None)])
def test_number(text, value):
    assert number(text) == number(f" {text}\n") == (None if value is None else Fraction(value))


@FUZZ
@given(st.fractions(max_denominator=10**6).filter(lambda f: abs(f) < 10**12))
def test_number_reads_what_a_fraction_prints(fraction):
    assert number(f" {fraction} ") == fraction


WORDS = ("sure", "likely", "impossible")


LAST_WORDS = """
10 + 14 = 24. sure -> sure | **Sure**. -> sure | It is unlikely -> None | unsure -> None | surely -> None
likely? No: impossible -> impossible | impossible at first, then likely⏎sure -> sure | sure/likely -> likely
24 -> None | IMPOSSIBLE -> impossible
"""


@pytest.mark.parametrize(("text", "word"), [*pairs(LAST_WORDS), ("", None), ("sure" + " " * 3000, None)])
def test_last_word(text, word):
    read = last_word(text, WORDS)
    assert read.value == word and read.ok == (word is not None)


BALLOTS = """
Choice 2 is the best, choice 1 is weak -> 2 | Choice 2 is the best; choice 1 has 3 flaws -> 2
I would say choice 1 is not the best; choice 2 is. -> 2
Choice 2 is clearly best; choice 1 is second -> 2 | Choice 4 is superior; choice 1 comes last -> 4
Choice 3 is the best, also 2 is good. -> 3 | Die beste Wahl ist also 3. -> 3 | Die beste Wahl lautet also 3. -> 3
The best choice is 2. -> 2 | the best choice is: 3 -> 3 | choice 10 -> 10 | 3 -> 3 | Choice #4 -> 4
The correct answer is 29, so the best choice is 1. -> 1 | The best choice is 2, which gives the correct answer, 29. -> 2
- Choice 1: 4 ✓⏎- Choice 2: 5 ✗⏎⏎The best choice is 1. -> 1
3 + 1 = \\boxed{4}. Choice 1 has 4.⏎⏎The best choice is 1. -> 1
Since the correct answer is 4, choice 2 is most likely to be right. -> 2 | The best answer is choice 2 -> 2
At first sight the best choice is 1. But it lacks rhythm, so \\boxed{3} -> 3 | Choice 2 is better: 3 steps less.⏎⏎2 -> 2
Choice 1 is dull, choice 2 is bad; the best answer is 3. -> 3
The correct answer is Passage 2, as passage 1 is off. -> 2
The best choice is **2**. -> 2 | The best choice is **Choice 2**, as choice 1 is dull. -> 2
The best choice is⏎⏎2 -> 2 | The best choice is choice 3 -> 3 | The best choice is option 5 -> 5
The best choice was number 6 -> 6 | My choice: (7) -> 7 | "choice": 8 -> 8
Choice 1 is dull and choice 2 is wrong. The best choice is 3. -> 3
Choice 1 has 4 paragraphs, choice 2 has 3. The best choice is 2 -> 2
Choice 3 is coherent in all 4 paragraphs, rated 9 of 10. -> 3 | The best choice is 02 -> 2
The best choice is **2**, because choice 1 is dull. -> 2
The best choice is 1. No: the best choice is 3. Choice 4 came close. -> 3
Choices 1 and 2 are alike, choice 4 or 5 is better. The best choice is 5. -> 5
The best choice is **Choice 2: the lively one** -> 2 | The best choice is plan 4 -> 4
The best choice would be strategy number 9 -> 9 | The best choice is 3, 4 paragraphs that hold together -> 3
The best choice is 2. And 3 is last. -> 2 | 最佳选择是 2。 -> 2 | 选择 3 -> 3
Choice 1 is good, but choice 3 has 2 errors.⏎⏎Choice 2 is best. -> 2 | Hm.⏎2⏎⏎Choice 3 was close. -> 2
Choice 1 is vague.⏎<choice>2</choice> -> 2 | Plan 1 is vague.⏎⏎**2** -> 2 | Choice 1 is weak.⏎Selected: 2 -> 2
At first glance, the best choice is 1. However, choice 3 explains it.⏎⏎The best choice is 3 -> 3
For clarity, the best choice is 1. For accuracy, the best choice is 3. Overall:⏎⏎The best choice is 3 -> 3
Choice 1: ✅⏎⏎The best choice is 3.⏎⏎The answer is 29. -> 3 | The best choice here is likely 3. -> 3
**Choice 1**⏎It is wrong.⏎⏎The best choice is 2.⏎⏎Hope this helps! -> 2 | The best choice seems to be 3. -> 3
Choice 1: correct⏎Choice 2: wrong⏎The best choice is 3.⏎⏎Let me know. -> 3
The best choice is 3. The second best choice is 1. -> 3 | Choice 3 is the best. Also 2 is good. -> 3
The best choice is the second -> 2 | I like the third plan. -> 3
"""


@pytest.mark.parametrize(("text", "option"), [*pairs(BALLOTS), (" **3**.\n", 3), (r"The best choice is \boxed{3}.", 3)])
def test_choice_reads_the_last_ballot(text, option):
    assert choice(text, 10) == Read(int(option) - 1, text=choice(text, 10).text)


NO_BALLOTS = """
no choice named <- Choice 1 is the worst. | Choice 2 comes last
no choice named <- Choice 1 is vague. The other is better.
the ballot breaks off <- To decide, I compare them one by one. Choice 1 makes
no choice named <- Choice 1 contains an error in step 2. | Everything except choice 2 is fine.
no choice named <- 3 4 | -3 | 3. The lively one | I like three of them.
no choice named <- All choices have 4 paragraphs | choice 12345 | choice is not 3
no choice named <- I compare each choice:⏎1. dull⏎2. lively | The best choice is N | The best choice is either
choice 0 of 10 <- The best choice is 0
choice 11 of 10 <- choice 11
no choice named <- choice 2, no: choice 100
several choices named <- The best choice is 2 or 3 | The best choice is **2** and **3** | best choice: 1/2
choice 99 of 10 <- The best choice is 99, not choice 1
"""


@pytest.mark.parametrize(("text", "why"), [*refused(NO_BALLOTS), ("", "no choice named")])
def test_choice_says_why_not(text, why):
    read = choice(text, 10)
    assert (read.value, read.why) == (None, why)


@given(st.integers(1, 50), st.integers(-5, 60))
def test_a_ballot_is_one_of_the_options_or_none(options, picked):
    read = choice(f"The best choice is {picked}", options)
    assert read.value == (abs(picked) - 1 if 1 <= abs(picked) <= options else None)


def test_plain_operators_changes_signs_and_nothing_else():
    assert plain_operators("（8 ÷ 2） × 3 − 1 ＝ 11, é") == "(8 / 2) * 3 - 1 = 11, é"


@given(st.text(), st.integers(1, 50))
def test_shorten_keeps_the_beginning_and_counts_the_rest(text, limit):
    short = shorten(text, limit)
    if len(text) <= limit:
        assert short == text
    else:
        assert short == f"{text[:limit]}... [{len(text) - limit} more characters]"


def test_a_failed_read_is_small():
    assert not bad("why", "x" * 1_000_000).ok and len(bad("why", "x" * 1_000_000).text) < 260
