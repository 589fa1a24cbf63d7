"""Readers of answers: tables of what models write, any text at all, and numbers that are read back as they were."""

import time
import warnings
from fractions import Fraction

import pytest
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st

from tot.parse import number
from tot.tasks.answers import NUMBER, YES_NO, read_number, read_yes_no, same_number, same_yes_no
from tot.testing import NASTY

FUZZ = fuzz()
PIECES = [
    *"0123456789.,/:-−+*= \n$€%()½٣",
    *("answer", " is ", "The answer is ", "Answer: ", "**", "yes", "no", "True", " or ", "to the question "),
    *("答案是", "答案：", "是", "否", "不是", "#### ", r"\boxed{", r"\frac{1}{2}", "9" * 50, "000", "\ud800"),
]
TEXT = texts(PIECES)


@FUZZ
@given(TEXT, st.booleans())
def test_no_reader_raises_or_warns_on_any_text(text, bare):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in (NUMBER, YES_NO):
            read = form.read(text, bare)
            assert (read.value is not None) == read.ok and len(read.text) < 400
            assert form.same(text) == form.same(text)
        found = read_number(text, bare)
        assert found.value is None or number(found.value) is not None
        assert read_yes_no(text, bare).value in (None, "yes", "no")


@FUZZ
@given(TEXT)
def test_what_is_read_behind_a_mark_is_read_the_same_without_one(text):
    for form in (NUMBER, YES_NO):
        if form.read(text, False).ok:
            assert form.read(text, True) == form.read(text, False)


@pytest.mark.parametrize(
    "text", [*NASTY, "答案是" * 100_000, "is " * 99_999, "=" * 500_000, "* " * 99_999, "1 " * 9999]
)
def test_hostile_texts_are_read_at_once(text):
    begin = time.process_time()
    for form in (NUMBER, YES_NO):
        form.read(text, True), form.read(text, False), form.same(text)
    assert time.process_time() - begin < 1


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is 18.", "18"),
        ("the answer is 18", "18"),
        ("The answer is $1,234.50", "1234.50"),
        ("The answer is 2,125 in all.", "2125"),
        ("The answer is €7", "7"),
        (r"The answer is \$18.", "18"),
        ("The answer is **18** eggs", "18"),
        ("The answer is 18kg", "18"),
        ("The answer is 50%.", "50"),
        ("Answer: 18", "18"),
        ("**Answer:** 18 dollars", "18"),
        ("**Answer**: 18", "18"),
        ("Answer:-5", "-5"),
        ("The answer is -5", "-5"),
        ("The answer is −5", "-5"),
        ("The answer is -$5", "-5"),
        ("The answer is $-5", "-5"),
        ("The answer is $.50", "0.50"),
        ("The answer is 3/4 of the cake", "3/4"),
        ("The answer is 2 1/2 hours", "5/2"),
        ("The answer is 2½ hours", "5/2"),
        ("The answer is -2 1/2", "-5/2"),
        (r"The answer is \(\frac{3}{4}\)", "3/4"),
        (r"The answer is \boxed{18}", "18"),
        (r"So \boxed{1{,}000\text{ km}}", "1000"),
        ("9 * 2 = 18\n#### 18", "18"),
        ("The answer is 5 + 3 = 8", "8"),
        ("The answer is x = 8.", "8"),
        ("The answer is $100 - $20 = $80.", "80"),
        ("The answer is 18 because 9 * 2 = 18", "18"),
        ("The answer is 6, not 7: 2 * 3 = 6.", "6"),
        ("The answer is 5.\nOn second thought, the answer is 6.", "6"),
        ("The answer is 18. Let me double check the answer. It is right.", "18"),
        ("The answer to the question is 7", "7"),
        ("The answer is\n\n18", "18"),
        ("The answer is about 5", "5"),
        ("答案是 42", "42"),
        ("答案：42元", "42"),
        ("最终答案为４２个。", "42"),
        ("答案应该是 -3", "-3"),
    ],
)
def test_numbers_behind_a_mark(text, answer):
    for bare in (False, True):
        assert read_number(text, bare).value == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer named"),
        ("18", "no answer named"),
        ("Let me double check the answer. 5 + 3", "no answer named"),
        ("She has 3 of 5 apples left", "no answer named"),
        ("The answer is N", "no number in the answer"),
        ("The answer is unknown.\n5", "no number in the answer"),
        ("The answer is eighteen", "no number in the answer"),
        ("The answer is ٣", "no number in the answer"),
        ("The answer is 3 or 4", "several numbers in the answer"),
        ("The answer is 3-4", "several numbers in the answer"),
        ("The answer is $5 to $6", "several numbers in the answer"),
        ("The answer is 6 * 7", "several numbers in the answer"),
        ("答案是 3 或 4", "several numbers in the answer"),
        ("The answer is 12:30", "not a number"),
        ("The answer is 1,5", "not a number"),
        ("The answer is 18 000", "not a number"),
        ("The answer is 1.000.000", "not a number"),
        ("The answer is 1/2/3", "not a number"),
        ("The answer is 1/0", "not a number"),
        ("The answer is " + "9" * 60, "not a number"),
    ],
)
def test_no_number_and_why(text, why):
    read = read_number(text)
    assert (read.value, read.why) == (None, why)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("18", "18"),
        ("$18 ", "18"),
        ("He has 8 eggs left.", "8"),
        ("5 + 3 = 8", "8"),
        ("First 9, then 7.\n**16**\n", "16"),
        ("42 is the answer", "42"),
        ("5 of 8", None),
        ("eight", None),
        ("", None),
    ],
)
def test_a_bare_number_is_the_only_one_on_the_last_line(text, answer):
    assert read_number(text, bare=True).value == answer


@FUZZ
@given(
    st.integers(-(10**9), 10**9),
    st.sampled_from(["", "$", "€"]),
    st.sampled_from(["", ".", " eggs.", "%", "**", " (rounded)"]),
    st.booleans(),
)
def test_a_whole_number_is_read_back(n, currency, tail, commas):
    text = f"So the answer is {'-' * (n < 0)}{currency}{abs(n):{',' if commas else ''}}{tail}"
    assert number(read_number(text).value) == n


@FUZZ
@given(st.integers(0, 99), st.integers(1, 98), st.integers(2, 99))
def test_mixed_fractions_are_read_back(whole, top, bottom):
    assert number(read_number(f"The answer is {whole} {top}/{bottom}").value) == whole + Fraction(top, bottom)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("18", "18.00", True),
        ("1,234.5", "$1234.50", True),
        ("1/3", "0.3333333333333333", True),
        ("1/2", "0.5", True),
        ("2 1/2", "5/2", True),
        ("The answer is 18", "18 eggs", True),
        ("18", "81", False),
        ("5", "-5", False),
        ("0.33", "1/3", False),
        ("none", "18", False),
        (" a  b", "a b", True),
    ],
)
def test_same_number(one, other, same):
    assert (same_number(one) == same_number(other)) == same


# ---------------------------------------------------------------- yes or no


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is yes.", "yes"),
        ("The answer is: **No**", "no"),
        ('"The answer is no."', "no"),
        ("Answer:\n\nYes", "yes"),
        ("The answer to the question is no", "no"),
        ("The answer is no, because some are yes-men", "no"),
        ("The answer is yes, since there is no law against it.", "yes"),
        ("The answer is yes.\nWait. The answer is no.", "no"),
        ("The answer is true", "yes"),
        ("#### No", "no"),
        (r"\boxed{\text{Yes}}", "yes"),
        ("答案是 是", "yes"),
        ("答案是是。", "yes"),
        ("答案：是", "yes"),
        ("答案是否", "no"),
        ("答案：否。", "no"),
        ("答案为不是", "no"),
    ],
)
def test_yes_and_no_behind_a_mark(text, answer):
    for bare in (False, True):
        assert read_yes_no(text, bare).value == answer


NEITHER, BOTH = "no yes or no in the answer", "both yes and no in the answer"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", NEITHER),
        ("Yes.", NEITHER),
        ("I think so.", NEITHER),
        ("The answer is not yes", NEITHER),
        ("The answer is 42", NEITHER),
        ("The answer is notable", NEITHER),
        ("The answer is yesterday", NEITHER),
        ("答案是", NEITHER),
        ("答案是否正确", NEITHER),
        ('either "The answer is yes" or "The answer is no"', BOTH),
    ],
)
def test_neither_yes_nor_no_and_why(text, why):
    read = read_yes_no(text)
    assert (read.value, read.why) == (None, why)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes.", "yes"),
        ("**No**, because it floats.", "no"),
        ("Ice floats.\nNo", "no"),
        ("True", "yes"),
        ("是", "yes"),
        ("不是。", "no"),
        ("否", "no"),
        ("Noah built it", None),
        ("It is so", None),
        ("The answer is unclear. Yes", None),
        ("", None),
    ],
)
def test_a_bare_yes_or_no_comes_first_or_on_the_last_line(text, answer):
    assert read_yes_no(text, bare=True).value == answer


def test_same_yes_no():
    assert same_yes_no("Yes.") == same_yes_no("the answer is yes") == same_yes_no("是的") == "yes"
    assert same_yes_no("No") == "no" and same_yes_no("Perhaps  so") == "perhaps so"
