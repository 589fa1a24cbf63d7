"""Answers: tables of what models write, any text at all, and answers that are read back as they were."""

import re
import warnings
from fractions import Fraction

import pytest
from fuzz import fuzz, texts
from growth import read_in_step
from hypothesis import given
from hypothesis import strategies as st

from tot.parse import number
from tot.tasks.answers import (
    LETTER,
    NUMBER,
    SHORT,
    WORD,
    YES_NO,
    exact_match,
    f1,
    normal_answer,
    read_letter,
    read_number,
    read_short,
    read_word,
    read_yes_no,
    same_number,
)
from tot.testing import NASTY

FUZZ = fuzz()
FORMATS = {"number": NUMBER, "yes or no": YES_NO, "letter": LETTER, "word": WORD, "short": SHORT}
PIECES = [
    *"0123456789.,/:-−+*= \n$€%()½٣ABCabc\"'²⁶^{}’eEk",
    *(" million", "10^", " not ", " but ", " and a half", "不是", "万"),
    *(
        "answer",
        " is ",
        "The answer is ",
        "Answer: ",
        "answer: ",
        "**",
        "yes",
        "no",
        "True",
        " or ",
        "to the question ",
    ),
    *(
        "option ",
        " because ",
        "word",
        "Finish[",
        "答案是",
        "答案：",
        "是",
        "否",
        "不是",
        "#### ",
        r"\boxed{",
        r"\text{",
    ),
    *(r"\frac{1}{2}", "9" * 50, "000", "\ud800"),
]
TEXT = texts(PIECES)
VALUES = {
    "number": r"-?\d+(\.\d+|/\d+)?",
    "yes or no": "yes|no",
    "letter": "[A-Z]",
    "word": "[a-z]{1,40}",
    "short": ".+",
}


@pytest.mark.parametrize("name", FORMATS)
@FUZZ
@given(text=TEXT, bare=st.booleans())
def test_no_reader_raises_or_warns_on_any_text(name, text, bare):
    form = FORMATS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = form.read(text, bare)
        assert (read.value is not None) == read.ok and len(read.text) < 400
        assert read.value is None or re.fullmatch(VALUES[name], read.value)
        assert form.same(text) == form.same(text)
        if read.ok and not bare:  # what comes after a mark is read the same way without one
            assert form.read(text, True) == read


@pytest.mark.parametrize(
    "text",
    [
        *NASTY,
        *("答案是" * 100_000, "is " * 99_999, "=" * 500_000, "* " * 99_999, "1 " * 9999),
        *(
            "most likely " * 50_000,
            "The answer is" + " probably" * 400 + " x",
            "A" + " or" * 1300,
            "答案" + "可能" * 1900,
        ),
        *("I think " * 50_000 + "B", "The answer is A" + " x," * 1200, "answer " + "most likely, " * 300),
        *("answer is (" * 90_000, "a, " * 300_000, "答案是A" * 100_000, "**" * 400_000),
    ],
)
def test_hostile_texts_are_read_in_step_with_their_length(text):
    for form in FORMATS.values():
        for bare in (True, False):
            read_in_step(lambda text, read=form.read, bare=bare: read(text, bare), text)
        read_in_step(form.same, text)


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
        ("The answer is 1.5 million dollars.", "1500000"),
        ("The answer is 1/2 billion", "500000000"),
        ("The answer is $1.2M.", "1200000"),
        ("The answer is $5k", "5000"),
        ("The answer is a 5k run", "5"),
        ("The answer is 5 millionaires", "5"),
        ("The answer is 2 dozen", "2"),
        ("The answer is 1e3.", "1000"),
        ("The answer is 1.5E+06 metres", "1500000"),
        ("The answer is 2e-3", "1/500"),
        ("The answer is 10⁶", "1000000"),
        (r"The answer is \(1.5 \times 10^{6}\)", "1500000"),
        ("The answer is 4² = 16", "16"),
        ("The answer is 16 m²", "16"),
        ("The answer is 1'000", "1000"),
        ("The answer is CHF 1’234’567.50", "1234567.50"),
        ("The answer is not 3 but 4.", "4"),
        ("The answer is not 3, but rather 4.", "4"),
        ("The answer is 2 and a half hours", "5/2"),
        ("The answer is 5 (3 + 2 = 5)", "5"),
        ("答案不是3，而是4", "4"),
        ("答案是3万元", "30000"),
        ("答案是3千克", "3"),
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
        ("The answer is 12, 13", "several numbers in the answer"),
        ("The answer is 12, 13 and 14", "several numbers in the answer"),
        ("The answer is 12; 13", "several numbers in the answer"),
        ("The answer is 12, or 13", "several numbers in the answer"),
        ("The answer is 12 (or 13)", "several numbers in the answer"),
        (r"The answer is 3 \times 4", "several numbers in the answer"),
        ("答案是12、13", "several numbers in the answer"),
        ("The answer is 4²", "not a number"),
        ("The answer is 4^2", "not a number"),
        ("The answer is 10**6", "not a number"),
        ("The answer is 1e400", "not a number"),
        ("The answer is 5e6.5", "not a number"),
        ("The answer is 3 million 200 thousand", "not a number"),
        ("The answer is 5'10", "not a number"),
        ("The answer is 1_000", "not a number"),
        ("The answer is not 5", "only a number that is not the answer"),
        ("答案不是5", "only a number that is not the answer"),
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
@given(
    st.decimals(0, 10**6, places=3),
    st.integers(-6, 12),
    st.sampled_from(["{}e{}", "{}E{:+d}", "{} x 10^{}", "{}×10^{{{}}}", r"{} \times 10^{{{}}}", "{} * 10 ^ {}"]),
)
def test_scientific_notation_is_read_back(mantissa, power, form):
    read = read_number(f"The answer is {form.format(mantissa, power)} metres.")
    assert number(read.value) == Fraction(mantissa) * Fraction(10) ** power


@FUZZ
@given(st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from([", ", "; ", " or ", " and ", ", or ", " "]))
def test_of_two_numbers_none_is_chosen(one, other, between):
    assert read_number(f"The answer is {one}{between}{other}").value is None
    assert number(read_number(f"The answer is not {one} but {other}.").value) == other


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
    assert YES_NO.same("Yes.") == YES_NO.same("the answer is yes") == YES_NO.same("是的") == "yes"
    assert YES_NO.same("No") == "no" and YES_NO.same("Perhaps  so") == "perhaps so"


# ---------------------------------------------------------------- the letter of a choice


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is (B).", "B"),
        ("The answer is B", "B"),
        ("the answer is b", "B"),
        ("The answer is **C**", "C"),
        ("Answer: D) a bank", "D"),
        ("The answer is (b) a bank", "B"),
        ("The answer is B a bank", "B"),
        ("The answer is A.", "A"),
        ("The answer is A, a bank", "A"),
        ("The answer is A: a bank", "A"),
        ("The answer is A because it holds money", "A"),
        ('The answer is "A"', "A"),
        ("The answer is (A), not (B)", "A"),
        ("The answer is option (C)", "C"),
        ("The answer is\n\nB", "B"),
        ("The answer is B.\nNo, the answer is C.", "C"),
        (r"So \boxed{B}", "B"),
        (r"\boxed{\text{E}}", "E"),
        ("答案是B", "B"),
        ("答案：(C)", "C"),
    ],
)
def test_letters_behind_a_mark(text, answer):
    assert read_letter(text).value == read_letter(text, bare=True).value == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer named"),
        ("B", "no answer named"),
        ("It must be (B).", "no answer named"),
        ("The answer is A bank", "no letter in the answer"),
        ("The answer is a bank", "no letter in the answer"),
        ("The answer is bank", "no letter in the answer"),
        ("The answer is 3", "no letter in the answer"),
        ("The answer is A or B", "several letters in the answer"),
        ("The answer is (A) and (C)", "several letters in the answer"),
        ("The answer is B/C", "several letters in the answer"),
    ],
)
def test_no_letter_and_why(text, why):
    assert (read_letter(text).value, read_letter(text).why) == (None, why)


@pytest.mark.parametrize(
    ("text", "answer"),
    [("B", "B"), ("**b**", "B"), ("(B) a bank", "B"), ("B. a bank\nbecause", "B"), ("Because ...\nB", "B")]
    + [("A bank", None), ("a", "A"), ("Banks hold money", None), ("I am sure", None), ("", None)],
)
def test_a_bare_letter_is_alone_or_as_in_a_list(text, answer):
    assert read_letter(text, bare=True).value == answer


def test_same_letter():
    assert LETTER.same("(b) a bank") == LETTER.same("The answer is B.") == LETTER.same("b") == "B"
    assert LETTER.same("A") != LETTER.same("B") and LETTER.same(" No  idea") == "no idea"


@FUZZ
@given(st.sampled_from("ABCDEFG"), st.sampled_from(["{}", "({})", "**{}**", "{}.", "({}) a cat", "{}: a cat", '"{}"']))
def test_a_letter_is_read_back(letter, form):
    assert read_letter("So the answer is " + form.format(letter)).value == letter


# ---------------------------------------------------------------- hedges

LIKELY = (
    "most likely",
    "Most likely",
    "likely",
    "very likely",
    "probably",
    "almost certainly",
    "perhaps",
    "presumably",
)
OPINIONS = (
    "I'd say",
    "I would say",
    "I’d go with",
    "I think",
    "I believe that",
    "I think it's",
    "I guess",
    "My best guess is",
)
BEHIND = (
    "The answer is {hedge} {said}",
    "So, the answer is: {hedge} {said}",
    "**Answer:** {hedge} {said}",
    "#### {hedge} {said}",
)
BEFORE = ("The answer, {hedge}, is {said}", "The answer {hedge} is {said}", "The answer would {hedge} be {said}")
BARE = (
    "{hedge} {said}",
    "**{hedge}** {said}",
    "{hedge}: {said}",
    "({hedge}) {said}",
    "It is hard to say.\n{hedge} {said}",
)
CHINESE = ("很可能是", "可能是", "最可能是", "最有可能是", "大概是", "也许是", "我认为是", "应该是")
NEGATIONS = (
    *(
        "not",
        "probably not",
        "most likely not",
        "not likely",
        "not probably",
        "unlikely",
        "most unlikely",
        "very unlikely",
    ),
    *("definitely not", "I would not say", "I doubt", "hardly", "never", "neither", "anything but", "certainly not"),
)
LETTERS = ("({})", "{}", "**{}**", '"{}"', "option {}", "({}) water")
ENDS = ("", ".", ", as it holds water.", " because it holds water.")


def hedged(data):
    """A line with a hedge, to be filled in with what is ``said``, and whether it names an answer with a mark."""
    kind = data.draw(st.sampled_from([(BEHIND, LIKELY + OPINIONS), (BEFORE, LIKELY), (BARE, LIKELY + OPINIONS)]))
    line, hedge = data.draw(st.sampled_from(kind[0])), data.draw(st.sampled_from(kind[1]))
    return line.replace("{hedge}", hedge), kind[0] is not BARE


@FUZZ
@given(st.data(), st.sampled_from("ABCDE"), st.sampled_from(LETTERS), st.sampled_from(ENDS))
def test_a_hedged_letter_is_that_letter(data, letter, form, end):
    line, marked = hedged(data)
    said = form.format(letter) + end
    assert read_letter(line.format(said=said), bare=True).value == letter
    assert read_letter(line.format(said=said)).value == (letter if marked else None)


@FUZZ
@given(st.data(), st.sampled_from(["yes", "no", "Yes", "No", "true", "False"]), st.sampled_from(ENDS))
def test_a_hedged_yes_or_no_is_that(data, word, end):
    line, marked = hedged(data)
    verdict = "yes" if word.lower() in ("yes", "true") else "no"
    assert read_yes_no(line.format(said=word + end), bare=True).value == verdict
    assert read_yes_no(line.format(said=word + end)).value == (verdict if marked else None)


@pytest.mark.parametrize("hedge", CHINESE)
def test_hedges_in_chinese(hedge):
    assert read_letter(f"答案{hedge}B。").value == read_letter(f"答案{hedge} (B)").value == "B"
    assert read_yes_no(f"答案{hedge}对的。").value == read_yes_no(f"答案{hedge}是的").value == "yes"
    assert read_yes_no(f"答案{hedge}否。").value == "no"
    for negation in ("不" + hedge, hedge + "不"):
        assert read_letter(f"答案{negation}B").value is read_letter(f"答案{negation}是B").value is None
        assert read_yes_no(f"答案{negation}对的").value != "yes"


def test_a_hedge_and_the_copula_are_no_yes():
    for text in ("答案很可能是", "答案很可能是。", "很可能是。"):  # "the answer is very likely ..."
        assert read_yes_no(text, bare=True).value is None
    assert read_yes_no("答案很可能是是").value == "yes"


@pytest.mark.parametrize("negation", NEGATIONS)
@pytest.mark.parametrize(
    "frame", ["The answer is {} {}", "Answer: {} {}", "{} {}", "I'd say {} {}", "**{}** {}", "It is {} {}."]
)
def test_a_negation_never_gives_the_choice(negation, frame):
    for letter in ("(C)", "C", "**C**", "option C", "(C) water", "(C), I think."):
        assert read_letter(frame.format(negation, letter), bare=True).value is None
    for word in ("yes", "no", "true", "Yes.", "no, I think"):
        assert read_yes_no(frame.format(negation, word), bare=True).value is None
    for end in ("", ".", "so", "true at all"):  # "probably not" alone is left to the reader of the transcript
        assert read_yes_no(frame.format(negation, end), bare=True).value is None


@pytest.mark.parametrize("dressed", ["The answer is {}", "Answer: {}.", "{}", "{}.", "I'd say {}"])
@pytest.mark.parametrize(
    "two",
    [
        *(
            "{0} or {1}",
            "either {0} or {1}",
            "{0} or maybe {1}",
            "{0}, or {1}",
            "{0} and {1}",
            "{0}/{1}",
            "both {0} and {1}",
        ),
        *("{0} or possibly {1}", "probably {0} or {1}", "maybe {0}, maybe {1}", "{0}, but possibly {1}"),
    ],
)
def test_two_answers_are_none(two, dressed):
    for one, other in (("A", "B"), ("(A)", "(B)"), ("**B**", "**C**"), ("(B) a bank", "(C) a shop")):
        if one != "(B) a bank" or ("and" not in two and "/" not in two):
            assert read_letter(dressed.format(two.format(one, other)), bare=True).value is None
    for one, other in (("yes", "no"), ("No", "Yes"), ("true", "false")):
        assert read_yes_no(dressed.format(two.format(one, other)), bare=True).value is None


@pytest.mark.parametrize(
    ("text", "letter"),
    [  # another letter in the reason is not a second answer
        ("The answer is A, because B or C are wrong", "A"),
        ("The answer is (A) a bank, not (B) or (C)", "A"),
        ("The answer is (A) rather than (B) or (C)", "A"),
        ("The answer is most likely B. (A) or (C) would be odd.", "B"),
        ("The answer should be (D).", "D"),
        ("The answer must be D", "D"),
        ("The answer is C.\nThe answer should be a place", "C"),
        ("The answer is I believe B", "B"),
        ("The answer is I", "I"),
        ("The answer is probably A bank", None),
        ("The answer is I am sure", None),
        ("The answer is possibly", None),
    ],
)
def test_a_letter_beside_other_words(text, letter):
    assert read_letter(text).value == letter


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Yes, and no one minds", "yes"),
        ("The answer is yes, no doubt about it", "yes"),
        ("The answer is no, not yes", "no"),
        ("The answer is probably no one", None),
        ("Likely no longer", None),
        ("I'd say no more", None),
        ("Probably a yes-man", None),
    ],
)
def test_a_yes_or_no_beside_other_words(text, word):
    assert read_yes_no(text, bare=True).value == word


# ---------------------------------------------------------------- a word


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is yajo.", "yajo"),
        ('The answer is "Yajo".', "yajo"),
        ("The answer is **yajo**", "yajo"),
        ("The answer is y-a-j-o", "yajo"),
        ("The answer is Y A J O", "yajo"),
        ("The answer is y, a, j, o.", "yajo"),
        ("The answer is y + a + j + o = yajo", "yajo"),
        ("The answer is the word yajo", "yajo"),
        ("The answer is yajo, as asked", "yajo"),
        ("The answer is 'yajo' from the names", "yajo"),
        ('The answer is the string "yajo"', "yajo"),
        ("The answer is yajo, 'as' asked", "yajo"),
        ("The answer is\nyajo", "yajo"),
        ("The answer is a", "a"),
        (r"\boxed{yajo}", "yajo"),
        (r"\boxed{\text{yajo}}", "yajo"),
        ("答案是 yajo", "yajo"),
    ],
)
def test_words_behind_a_mark(text, answer):
    assert read_word(text).value == read_word(text, bare=True).value == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer named"),
        ("yajo", "no answer named"),
        ("The answer is", "not one word in the answer"),
        ("The answer is not clear", "not one word in the answer"),
        ("The answer is 42", "not one word in the answer"),
        ("The answer is " + "a" * 60, "not one word in the answer"),
    ],
)
def test_no_word_and_why(text, why):
    assert (read_word(text).value, read_word(text).why) == (None, why)


def test_a_bare_word_is_the_last_line():
    assert read_word("yajo", bare=True).value == read_word("y, a ...\n**yajo**", bare=True).value == "yajo"
    assert read_word("I think so", bare=True).value is None
    assert WORD.same("Y-a-j-o") == WORD.same("yajo.") == "yajo" and WORD.same("no  idea") == "no idea"


@FUZZ
@given(st.text("abcdefghij", min_size=1, max_size=12), st.sampled_from(["{}", '"{}"', "**{}**", "{}.", "({})"]))
def test_a_word_is_read_back(word, form):
    assert read_word("So the answer is " + form.format(word)).value == word
    assert read_word("So the answer is " + form.format("-".join(word))).value == word


# ---------------------------------------------------------------- a short answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The answer is Oslo.", "Oslo"),
        ("It is north.\nThe answer is **Oslo, Norway**.", "Oslo, Norway"),
        ("Answer: the Red Sea\nmore", "the Red Sea"),
        ("The answer to the question is: 'yes'", "yes"),
        ("The answer is\nOslo", "Oslo"),
        ("The answer is Rome. No: the answer is Oslo.", "Oslo"),
        ("Action: Finish[Oslo]", "Oslo"),
        ("I cannot answer this.", None),
        ("Oslo", None),
        ("The answer is ", None),
        (f"The answer is {'x' * 300}", None),
    ],
)
def test_a_short_answer_is_read(reply, answer):
    read = read_short(reply)
    assert read.value == answer and read.ok == (answer is not None)


def test_a_bare_answer_is_its_first_line():
    assert read_short("Oslo.\nIt is in Norway.", bare=True).value == "Oslo"
    assert read_short("\n [1814] ", bare=True).value == "1814"
    for text in NASTY:
        assert read_short(text, bare=True).value is None or len(read_short(text, bare=True).value) <= 200


@pytest.mark.parametrize(
    ("answer", "gold", "em", "score"),
    [  # worked out by the definitions of HotpotQA's official evaluation
        ("Red Sea", "the Red Sea", True, 1),
        ("The red-sea.", "redsea", True, 1),  # punctuation goes, and leaves no space
        ("sea red", "Red Sea", False, 1),  # a bag of words
        ("Red", "Red Sea", False, 2 / 3),
        ("the sea of Galilee", "Red Sea", False, 2 / 5),  # of 3 words and 2, one is common
        ("sea sea", "sea", False, 2 / 3),
        ("blue", "Red Sea", False, 0),
        ("yes", "Yes!", True, 1),
        ("yes", "yes it is", False, 0),  # partial agreement with yes or no is none
        ("no sea", "no", False, 0),
        ("noanswer", "no answer", False, 0),
        ("a an the", "", True, 0),  # equal, but nothing in common
        ("", "", True, 0),
        ("an apple", "apple", True, 1),
        ("theatre", "atre", False, 0),  # an article is a word of its own
        ("a.b", "ab", True, 1),
        ("it's", "its", True, 1),
        ("“Oslo”", "Oslo", False, 0),  # only ASCII punctuation goes
        ("Malmö", "Malmo", False, 0),
        ("3,776", "3776", True, 1),
        ("3.5", "35", True, 1),  # as the official script has it
        ("ＯＳＬＯ", "oslo", False, 0),
        ("\tOslo \n Norway", "oslo norway", True, 1),
        ("The Theatre A", "theatre", True, 1),
    ],
)
def test_exact_match_and_f1_as_officially_defined(answer, gold, em, score):
    assert exact_match(answer, gold) is exact_match(gold, answer) is em
    assert f1(answer, gold) == pytest.approx(score) and f1(gold, answer) == pytest.approx(score)


@given(st.text(max_size=60), st.text(max_size=60))
def test_f1_is_between_0_and_1_and_1_for_a_match(answer, gold):
    assert 0 <= f1(answer, gold) == f1(gold, answer) <= 1
    if exact_match(answer, gold) and normal_answer(gold):
        assert f1(answer, gold) == 1
    if f1(answer, gold) == 1:
        assert sorted(normal_answer(answer).split()) == sorted(normal_answer(gold).split())
    assert not set(normal_answer(answer).split()) & {"a", "an", "the"}


@given(st.lists(st.sampled_from(["red", "sea", "of", "galilee"]), min_size=1, max_size=6))
def test_f1_by_precision_and_recall(words):
    gold = ["red", "sea", "red"]
    left = list(gold)
    for word in words:
        if word in left:
            left.remove(word)
    common = len(gold) - len(left)
    precision, recall = common / len(words), common / len(gold)
    expected = 2 * precision * recall / (precision + recall) if common else 0
    assert f1(" ".join(words), " ".join(gold)) == pytest.approx(expected)
