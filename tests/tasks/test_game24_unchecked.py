"""Game of 24 without a program's help: lines are believed, and the model judges everything. By hand, and any text."""

from fractions import Fraction

import pytest
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st
from tables import refused

import tot
from tot import Scripted, solve
from tot.state import State, Thought
from tot.tasks.game24 import Game24, left, numbers_of, shown_left, steps_of
from tot.tasks.game24_believed import Believed, legal_steps, read_believed

FUZZ = fuzz(300)
TASK = Game24().unchecked()
X = "4 9 10 13"


BELIEVED = [  # line, the text of the thought, what is left
    ("13 - 9 = 4 (left: 4 4 10)", "13 - 9 = 4 (left: 4 4 10)", "4 4 10"),
    ("1. 13 - 9 = 5 (left: 4 5 10)", "13 - 9 = 5 (left: 4 5 10)", "4 5 10"),  # wrong arithmetic
    ("6 * 4 = 24 (left: 24)", "6 * 4 = 24 (left: 24)", "24"),  # a number that is not there
    ("13 - 9 = 4 (left: 10 4)", "13 - 9 = 4 (left: 10 4)", "10 4"),  # a number too few, in its own order
    ("10 / 9 = 1.11 (left: 1.11 4 13)", "10 / 9 = 1.11 (left: 1.11 4 13)", "1.11 4 13"),
    ("10 / 9 ≈ 1.11 (left: ~1.11 4 13)", "10 / 9 = 1.11 (left: 1.11 4 13)", "1.11 4 13"),
    ("10 / 9 = 1.11... (left: 1.11... 4 13) (not whole)", "10 / 9 = 1.11 (left: 1.11 4 13)", "1.11 4 13"),
    ("10 / 9 = approx. 1.11 (approx., left: 1.11 4 13)", "10 / 9 = 1.11 (left: 1.11 4 13)", "1.11 4 13"),
    ("9 / 10 = 9/10 (left: 9/10 4 13)", "9 / 10 = 9/10 (left: 9/10 4 13)", "9/10 4 13"),
    ("4 - (-1) = 5 (left: 5 13)", "4 - -1 = 5 (left: 5 13)", "5 13"),
    (r"2. $13 \times 4 = 52$ (left: 9 10 52)", "13 * 4 = 52 (left: 9 10 52)", "9 10 52"),
    (r"\( \frac{13}{4} + 9 = 12.25 \) (left: 10 12.25)", "13/4 + 9 = 12.25 (left: 10 12.25)", "10 12.25"),
    ("- **4 × 9 = 36** → 10, 13, 36", "4 * 9 = 36 (left: 10 13 36)", "10 13 36"),
    ("| 4 + 9 = 13 | 10, 13, 13 |", "4 + 9 = 13 (left: 10 13 13)", "10 13 13"),
    ("Add 4 and 9: 4 + 9 = 13, which leaves the numbers 10, 13 and 13.", "4 + 9 = 13 (left: 10 13 13)", "10 13 13"),
    ("4 x 9 = 36 [remaining numbers: 10 13 36]", "4 * 9 = 36 (left: 10 13 36)", "10 13 36"),
    ("13 % 9 = 4 (left: 4 4 10)", "13 % 9 = 4 (left: 4 4 10)", "4 4 10"),  # believed, whatever it is
    ("13 - 9 + 10 = 14 (left: 4 14)", "13 - 9 + 10 = 14 (left: 4 14)", "4 14"),
    ("8 / 3 (left: 2.67)", "8 / 3 (left: 2.67)", "2.67"),
    ("4 + 9 -> 13 (left: 10 13 13)", "4 + 9 -> 13 (left: 10 13 13)", "10 13 13"),
    ("13 - 9 = 4", "13 - 9 = 4 (left: 4 4 10)", "4 4 10"),  # nothing stated: the program keeps count
    ("13 - 9 = 5 (not so sure)", "13 - 9 = 5 (left: 4 5 10)", "4 5 10"),
    ("10 / 4 ≈ 2.50", "10 / 4 = 2.50 (left: 2.50 9 13)", "2.50 9 13"),
]


@pytest.mark.parametrize(("line", "text", "shown"), BELIEVED, ids=[line[:30] for line, *_ in BELIEVED])
def test_a_line_is_believed(line, text, shown):
    read = read_believed(line, X)
    assert read.ok and (read.value.text, read.value.shown) == (text, shown)
    assert read.value.left == numbers_of(shown) and str(read.value) == text
    again = read_believed(text, X).value
    assert again == read.value, "what it writes, it reads"


NO_STEP = """
not a step <- hello | The numbers left are 4 9 10 13. | 13 / 9 (not a whole number) | 13 ** 2 (left: x) | 4 + 9 -> 13
not a step <- One could begin with 13 - 9 = 4, for example. | 13 - 9 = 4 (left: 4 4 5/0)
operand is not there, and what is left is not stated <- 5 - 1 = 4
"""
OVERLONG = ("13 - 9 = 4 (left: 4 4 10)" + " so" * 200, "")


@pytest.mark.parametrize(("line", "why"), [*refused(NO_STEP), *((line, "not a step") for line in OVERLONG)])
def test_a_line_that_is_no_step_is_not_read(line, why):
    assert read_believed(line, X).why == why


NUMBER = st.one_of(
    st.integers(-999, 999).map(str),
    st.tuples(st.integers(0, 99), st.integers(0, 999)).map(lambda n: f"{n[0]}.{n[1]}"),
    st.tuples(st.integers(1, 99), st.integers(1, 99)).map(lambda n: f"{n[0]}/{n[1]}"),
)
NUMBERS = st.lists(NUMBER, min_size=1, max_size=4)
FORM = st.sampled_from(["{} (left: {})", "1. {} (left: {})", "* **{}** (left: {})", "{}, leaving {}", "{} -> {}."])


@FUZZ
@given(NUMBER, st.sampled_from("+-*/"), NUMBER, NUMBER, NUMBERS, FORM)
def test_whatever_is_stated_is_believed_number_by_number(a, op, b, result, stated, form):
    """Right or wrong: the oracle is the statement itself."""
    read = read_believed(form.format(f"{a} {op} {b} = {result}", " ".join(stated)), X)
    assert read.value.shown == " ".join(stated)
    assert read.value.left == tuple(sorted(map(Fraction, stated)))
    assert read.value.text == f"{a} {op} {b} = {result} (left: {' '.join(stated)})"


PIECES = [*"0123456789+-*/()= .,_|\n\te×÷−≈~…$\\٣²\ud800", "left:", "leaving", "\\frac{", "}", "**", "->", "4 + 9 = 13"]


@FUZZ
@given(texts(PIECES, 40))
def test_no_text_makes_a_believing_reader_raise_and_what_it_believes_is_numbers(text):
    state = State(X)
    for read in TASK.read_proposals(state, text):
        assert read.ok == (read.value is not None)
        if read.value:
            step = read.value.data
            assert step.left == tuple(sorted(map(Fraction, step.shown.split()))) and step.left
            assert left(state.then(read.value)) == step.left
            legal_steps([step], numbers_of(X))
    check = TASK.compose(state.then(Thought("s", Believed(text, "24", (Fraction(24),)))))
    assert check[0].answer is None or Game24().verify(tot.Problem(X, X), check[0].answer).why != "no answer"


def root(solution):
    return list(solution.result.best[0].path)[-1]


ROOT = """Here you are:
4 + 9 = 13 (left: 10 13 13)
13 - 9 = 5 (left: 4 5 10)
10 / 9 = 1.11 (left: 1.11 4 13)
6 * 4 = 24 (left: 24)
5 - 1 = 4
hello"""
PLAYER = {
    f"Numbers: {X}": ROOT,
    "10 13 13": "too big. impossible",
    "4 5 10": "likely",
    "1.11 4 13": "likely",
    "24": "it is 24. sure",
    "Numbers: 4 5 10": "10 + 4 = 14 (left: 5 14)\n5 * 5 = 25 (left: 25 4)",
    f"Numbers: {X}\n6 * 4 = 24 (left: 24)": "Answer: 6 * 4",
    "5 14": "impossible",
    "25 4": "who knows",
    "Numbers: 5 14": "14 + 5 = 19 (left: 19)",
    "19": "impossible",
    f"Numbers: {X}\n13 - 9 = 5 (left: 4 5 10)\n10 + 4 = 14 (left: 5 14)\n14 + 5 = 19 (left: 19)": "I give up.",
    f"Numbers: {X}\nAnswer: 6 * 4": "looks fine. sure",
}


def test_an_unchecked_tree_by_hand():
    """b = 2. The lone 24 of an illegal line is sure, the wrong difference is likely, and comes before the decimal."""
    lm = Scripted(lambda request, i: PLAYER[request.messages[-1].content])
    settings = {"breadth": 2, "values": 1, "checked": False, "compose": False}
    solution = solve("game24", X, "tot-bfs", lm=lm, **settings)
    events = [e for e in solution.trace.events if e["kind"] in ("expanded", "evaluated", "best")]
    grown = [[u["why"] for u in e["unread"]] for e in events if e["kind"] == "expanded"]
    assert grown[0] == ["operand is not there, and what is left is not stated", "not a step"]
    beams = [[(n["id"], n["value"]) for n in e["nodes"]] for e in events if e["kind"] == "best"]
    assert beams[0] == [("0.3", 20.0), ("0.1", 1.0)]
    assert beams[1] == [("0.3.0", 20.0), ("0.1.0", 0.001)]  # the answer, judged by the model; "who knows" adds nothing
    assert beams[2:] == [[("0.3.0", 20.0), ("0.1.0.0", 0.001)], [("0.3.0", 20.0), ("0.1.0.0.0", 0.0)]]
    assert solution.answer == "6 * 4" and not solution.correct
    tree = root(solution)
    assert [left(c.state) for c in tree.children] == [*map(numbers_of, ("10 13 13", "4 5 10", "1.11 4 13", "24"))]
    asked = [request.messages[-1].content for request in lm.requests]
    assert "1.11 4 13" in asked and "24" in asked, "a decimal and a lone number are for the model to judge"


def test_with_compose_the_program_writes_only_what_the_steps_make():
    def state(*lines):
        here = State(X)
        for line in lines:
            [read] = TASK.read_proposals(here, line)
            here = here.then(read.value)
        return here

    legal = state("13 - 9 = 4 (left: 10 4 4)", "10 - 4 = 6", "4 * 6 = 24 (left: 24)")
    [answer] = TASK.compose(legal)
    assert TASK.verify(tot.Problem(X, X), answer.answer).correct and answer.final and left(legal.then(answer)) == (24,)
    assert TASK.judge(legal.then(answer)) is None, "the model judges what a program wrote, too"
    assert "Answer: " + answer.answer in TASK.value(legal.then(answer)).messages[-1].content
    off = state("13 - 9 = 4 (left: 4 4 10)", "10 - 4 = 5 (left: 4 5)", "4 * 6 = 24 (left: 24)")
    [none] = TASK.compose(off)
    assert none.text == "no answer: step 2 breaks the rules (wrong arithmetic)" and none.final and none.answer is None
    assert TASK.judge(off.then(none)) == 0.0
    assert TASK.compose(state("13 - 9 = 4")) is None
    steps, why = legal_steps(steps_of(off), numbers_of(X))
    assert ([str(s) for s in steps], why) == (["13 - 9 = 4 (left: 4 4 10)"], "wrong arithmetic")
    assert legal_steps(steps_of(legal), numbers_of(X))[1] == ""


def test_the_same_prompts_with_the_numbers_as_the_model_wrote_them():
    state = State(X).then(TASK.read_proposals(State(X), "10 / 9 = 1.11 (left: 1.11 13 4)")[0].value)
    assert shown_left(state) == "1.11 13 4"
    exact = Game24()
    for style in exact.styles:
        assert TASK.propose(State(X), style) == exact.propose(State(X), style)
        assert TASK.propose(state, style).messages[-1].content == "Numbers: 1.11 13 4"
        assert TASK.propose(state, style).messages[:-1] == exact.propose(State(X), style).messages[:-1]
    assert TASK.value(state).messages[-1].content == "1.11 13 4"
    assert TASK.value(state).messages[:-1] == exact.value(State(X)).messages[:-1]


def test_a_state_at_the_last_step_without_an_answer_is_worth_nothing():
    state = State(X)
    for line in ("4 + 9 = 13 (left: 10 13 13 1)", "1 + 1 = 2 (left: 10 13)", "13 - 10 = 3 (left: 10 3)"):
        assert TASK.judge(state) is None
        state = state.then(TASK.read_proposals(state, line)[0].value)
    assert TASK.judge(state) is None and TASK.judge(state.then(TASK.read_proposals(state, "3 + 10 = 13")[0].value)) == 0
