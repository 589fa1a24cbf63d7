"""Game of 24: splits, prompts, and readers of any text. The rules have tests of their own."""

import operator
import re
import warnings
from fractions import Fraction
from functools import partial

import pytest
from fuzz import fuzz, texts
from growth import read_in_step
from hypothesis import given
from tables import bars, pairs

import tot
from tot.lm.base import Message
from tot.state import State, Thought
from tot.tasks.bundled import told_in
from tot.tasks.game24 import EXAMPLES, Game24, left, numbers_of
from tot.tasks.game24_believed import read_believed
from tot.tasks.game24_rules import read_step, solvable, verify
from tot.tasks.game24_style import VERDICTS

pytestmark = pytest.mark.filterwarnings("error")
FUZZ = fuzz(150)
TASK = Game24()
ALL = TASK.problems("all")
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
RIGHT = "(13 - 9) * (10 - 4)"


def fractions(text):
    return tuple(map(Fraction, text.split()))


NUMBERS = fractions("4 9 10 13")


def test_splits():
    sizes = {"all": 1362, "easy": 100, "starter": 40, "hard": 100}
    for name, size in sizes.items():
        problems = TASK.problems(name)
        assert len(problems) == len({p.x for p in problems}) == size and all(p in ALL for p in problems)
        assert all(p.gold is None for p in problems)
    assert TASK.problems("hard") == ALL[900:1000] and TASK.problems("easy") == ALL[:100]
    assert TASK.problems("starter") == [ALL[rank - 1] for rank in range(10, 401, 10)]
    assert set(TASK.splits()) == {*sizes, "authors", "authors-hard"}
    with pytest.raises(ValueError, match="no split 'nope': choose one of all, easy, starter, hard"):
        TASK.problems("nope")


def test_examples_are_legal_correct_and_not_in_a_test_split():
    """In either style."""
    shown = told_in("game24")["examples"]
    taken = {tuple(sorted(p.x.split())) for split in ("hard", "starter") for p in TASK.problems(split)}
    assert (
        not {tuple(sorted(case.get("x", case.get("left")).split())) for each in shown.values() for case in each} & taken
    )
    for x, steps, answer in EXAMPLES:
        numbers = numbers_of(x)
        for line in steps:
            step = read_step(line, numbers)
            assert step.ok and str(step.value) == line, line
            numbers = step.value.left
        assert numbers == (24,) and verify(list(map(int, x.split())), answer).correct
    for case in (*shown["listed"], *shown["lean"]):
        steps = [read_step(line, numbers_of(case["left"])) for line in case["reply"].splitlines()]
        assert all(step.ok for step in steps)
        assert case in shown["lean"] or "\n".join(str(step.value) for step in steps) == case["reply"]
    for case in (*shown["valued"], *shown["looked-ahead"]):
        assert solvable(numbers_of(case["left"])) == case["reply"].endswith("sure")
        assert all(task.read_value(case["reply"]).ok for task in (TASK, TASK.in_paper_style()))
    for case in shown["looked-ahead"]:
        for a, op, b, result in re.findall(r"(?:^|= )(\d+) ([-+*/]) (\d+) = (\d+)", case["reply"], re.M):
            assert OPS[op](int(a), int(b)) == int(result), case
    for case in (*shown["judged"], *shown["argued"]):
        assert verify(list(map(int, case["x"].split())), case["answer"]).correct == case["reply"].endswith("sure")
    assert not {case["x"] for case in shown["argued"]} & {x for x, *_ in EXAMPLES}


def test_the_authors_list_is_read_in_its_own_order(tmp_path, monkeypatch):
    monkeypatch.setenv("TOT_DATA_DIR", str(tmp_path))
    rows = "".join(f"{i},{p.x},4.4\n" for i, p in enumerate(ALL[::-1], 1))
    (tmp_path / "game24_4nums.csv").write_text(f"Rank,Puzzles,AMT (s)\n{rows}")
    assert TASK.problems("authors") == ALL[::-1] and TASK.problems("authors-hard") == ALL[::-1][900:1000]


@pytest.mark.parametrize("text", ["4 9 10 13", " 4, 9,10 ;13\n", "04 9 10 13", "4\t9\n10\r13"])
def test_a_typed_puzzle(text):
    assert TASK.problem(text) == tot.Problem("4 9 10 13", "4 9 10 13")


NO_PUZZLE = (
    "4 9 10|4 9 10 13 1|4 9 10 x|four nine ten thirteen|0 4 9 10|00 4 9 10|4 9 10 100|4 9 10 -1|4 9 10 1.5|4 9 10 1e1"
)
NO_PUZZLE += "||٤ 9 10 13|4 9 10 13\0|4 9 10 1/2"


@pytest.mark.parametrize("text", [*bars(NO_PUZZLE), "4 9 10 13" + " " * 999 + "x", "1" * 10**6, "1 " * 500_000])
def test_a_typed_puzzle_that_is_none(text):
    with pytest.raises(ValueError, match='four whole numbers from 1 to 99, such as "4 9 10 13", not ') as caught:
        TASK.problem(text)
    assert len(str(caught.value)) < 200


PIECES = [*"0123456789+-*/()= .,_\n\t\0e×÷−（）＝٣²≈\ud800", *bars("4|9|10|13|= 24|Answer:|left:|**|sure")]
TEXT = texts(PIECES, 40)


FORMS = (TASK, TASK.in_paper_style(), TASK.unchecked(), TASK.in_paper_style().unchecked())


@FUZZ
@given(TEXT)
def test_no_reader_of_the_task_raises_or_warns_on_any_text_and_with_checks_only_legal_steps_pass(text):
    state = State("4 9 10 13")
    done = state.then(Thought("s", read_step("4 * 6 = 24", fractions("4 6")).value))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for task in FORMS:
            readers = (task.read_io, task.read_cot, task.read_refined, task.read_proposals)
            for reads in (*(read(state, text) for read in readers), task.read_proposals(done, text)):
                assert reads
                for read in reads:
                    assert len(read.text) < 260 if not read.ok else read.value is not None
            assert task.read_value(text).value in (None, 20.0, 1.0, 0.001)
            task.same(text)
            for step in (r.value.data for r in task.read_proposals(state, text) if r.ok and task.checked):
                assert OPS[step.op](step.a, step.b) == step.result and len(step.left) == 3
                assert sorted([*step.left, step.a, step.b]) == sorted([*NUMBERS, step.result])


ANSWERS = rf"""
Answer: {RIGHT} -> {RIGHT} | answer:{RIGHT} = 24 -> {RIGHT} | **Answer:** {RIGHT} -> {RIGHT} | {RIGHT} -> {RIGHT}
13 - 9 = 4 (left: 4 4 10)⏎Answer: {RIGHT}⏎ -> {RIGHT} | **Answer**: `{RIGHT}` -> {RIGHT} | Answer:⏎{RIGHT} -> {RIGHT}
The answer is {RIGHT}. -> {RIGHT} | The answer is: {RIGHT} -> {RIGHT} | Answer: 1 + 2⏎No. Answer: {RIGHT} -> {RIGHT}
Sure!⏎{RIGHT} = 24⏎That is 24. -> {RIGHT} | (13 − 9) × (10 − 4) -> {RIGHT}
Answer: {RIGHT} = 24⏎That is the answer. -> {RIGHT} | First 13 - 9 = 4.⏎So \boxed{{{RIGHT}}} it is. -> {RIGHT}
Answer: {RIGHT}. I checked the answer twice. -> {RIGHT}
"""


@pytest.mark.parametrize(("reply", "answer"), [*pairs(ANSWERS), (f"Answer: {RIGHT}\n" + "x" * 5000, RIGHT)])
def test_an_answer_is_found(reply, answer):
    [read] = TASK.read_io(State("4 9 10 13"), reply)
    assert read.ok and read.value.answer == answer and read.value.final
    assert read.value.text == reply.strip()
    assert not TASK.read_refined(State("4 9 10 13"), reply)[0].value.final


@pytest.mark.parametrize(
    "before",
    [
        "The expression (10 - 4) * 13 - 9 evaluates to 69, not 24.",
        "Mistake in my answer: (10 - 4) * 13 - 9 = 69.",
        "I used (10 - 4) * 13 - 9, which equals 69.",
        "Multiplication comes first, so the result is 78 - 9 = 69.",
    ],
)
@pytest.mark.parametrize("form", ["{}", "{} = 24", "Answer: {}", "**Answer:** {} = 24", "\\[{} = 24\\]"])
def test_a_refined_answer_is_found_behind_what_is_said_of_the_old_one(before, form):
    old = "(10 - 4) * 13 - 9"
    state = State("4 9 10 13").then(Thought(old, answer=old))
    [read] = TASK.read_refined(state, f"{before}\n\n{form.format(RIGHT)}")
    assert read.value.answer == RIGHT
    for more in ("An alternative is 4 * 9 - 13 + 10 = 33, which fails.", "This differs from 13 + 10 - 9 + 4 = 18."):
        [read] = TASK.read_refined(state, f"Answer: {RIGHT} = 24\n\n{more}")
        assert read.value.answer == RIGHT
    [read] = TASK.read_refined(state, f"It is right.\n\n{old}")
    assert read.value.answer == old


@pytest.mark.parametrize("before", ["", "First idea. Answer: 4 + 9 + 10 + 13, but that is 36.\n"])
@pytest.mark.parametrize("tries", [0, 60, 150])
def test_an_answer_below_pages_of_tries_is_found(before, tries):
    aloud = "".join(f"{i}. Let me try (4 + {i % 9}) first; that leads nowhere, so I go back.\n" for i in range(tries))
    reply = f"{before}{aloud}10 - 4 = 6, 13 - 9 = 4, and 6 * 4 = 24.\nAnswer: {RIGHT} = 24"
    for read in (TASK.read_io, TASK.read_cot, TASK.read_refined):
        assert read(State("4 9 10 13"), reply)[0].value.answer == RIGHT
    steps = TASK.read_proposals(State("4 9 10 13"), f"{aloud}10 - 4 = 6 (left: 6 9 13)")
    assert steps[-1].ok


SAID = rf"""
[(10 - 4) * (13 - 9)] -> yes | 24 = {RIGHT} -> yes | Answer: (13 − 9)(10 − 4) -> yes | 4 (10 + 9 - 13) -> yes
<answer>{RIGHT}</answer> -> yes
One solution: (13 - 9) x (10 - 4) = 4 x 6 = 24 -> yes | {{"answer": "{RIGHT}"}} -> yes | Answer: 1. {RIGHT} -> yes
{{"answer": "(13 - 9) \times (10 - 4)"}} -> yes | {{"steps": ["6 \times 4 = 24"], "answer": "{RIGHT}"}} -> yes
<answer>⏎{RIGHT}⏎</answer> (since 6 * 4 = 24) -> yes
**Answer:** {RIGHT} = 24⏎⏎**Check:**⏎- Result: 6 * 4 = 24 ✓ -> yes
Answer: {RIGHT} [1] -> yes | Answer -> {RIGHT}! -> yes | Answer: {{13 - 9}} * {{10 - 4}} = 24 -> yes
Answer: (13 \- 9) \* (10 \- 4) \= 24 -> yes
The answer is \boxed{{24}}.⏎{RIGHT} = 24 -> yes | 答え：（１３－９）×（１０－４）＝２４ -> yes | Antwort: {RIGHT} -> yes
{RIGHT}⏎⏎Numbers: 1 2 3 4⏎Answer: 1 * 2 * 3 * 4 -> yes | I need to make 24.⏎⏎**Numbers:** 4, 9⏎⏎{RIGHT} -> yes
 (13 minus 9) times (10 minus 4) equals 24 -> yes
\[\frac{{13 - 9}}{{1}}\] is no way. Ответ: {RIGHT} -> yes | $$\boxed{{(13 - 9) \times (10 - 4) = 24}}$$ -> yes
13 + 9 + 10 - 4 = 28 ✗⏎13 - 9 + 10 * 4 = 44, too big⏎{RIGHT} = 24 ✓ -> yes | Not 13 * 9 + 10 - 4, but {RIGHT}. -> yes
Answer: 13 - 9 = 4⏎10 - 4 = 6⏎4 * 6 = 24 -> None | Answer: 4 + 9 + 10 + 13 = 36. Closer I do not get. -> no
Answer: {RIGHT}⏎Answer: {RIGHT}⏎Answer: (13 - 9) * (10 -> yes | {RIGHT}⏎{RIGHT}⏎(13 - 9) * ( -> yes
Answer: 4 * 6 = 24 -> no | 13 + 9 + 10 - 4 = 28. 13 * 9 - 10 * 4 = 77. I keep missing it -> None
It is either 13 + 9 + 10 + 4 = 36 or 13 * 9 - 10 * 4 = 77. -> None | Answer: none of these makes 24. -> None
13 - 9 = 4 and 10 - 4 = 6, so 4 * 6 = 24. -> None | There is no way: 9 + 10 + 4 = 23. -> None
Answer: impossible -> None
Not 13 * 9 + 10 - 4. -> None
"""


@pytest.mark.parametrize(("reply", "right"), pairs(SAID))
def test_answers_as_models_write_them(reply, right):
    for task in (TASK, TASK.in_paper_style()):
        [read] = task.read_io(State("4 9 10 13"), reply)
        correct = task.verify(task.problem("4 9 10 13"), read.value.answer).correct
        assert (read.ok, correct) == (right is not None, right == "yes"), read


@pytest.mark.parametrize(
    "reply", ["", "  \n ", "I cannot.", "Answer:", "Answer: none", pytest.param("answer " * 100_000, id="very long")]
)
def test_a_reply_without_an_answer_is_an_attempt_without_one(reply):
    for read in (*TASK.read_io(State("4 9 10 13"), reply), *TASK.read_refined(State("4 9 10 13"), reply)):
        assert not read.ok and read.value.answer is None and len(read.value.text) < 20_100
    [read] = TASK.read_cot(State("4 9 10 13"), reply)
    assert not read.ok and read.value.answer is None and read.value.final


def test_a_chain_needs_an_answer_line():
    [read] = TASK.read_cot(State("4 9 10 13"), "13 - 9 = 4\n10 - 4 = 6\n4 * 6 = 24")
    assert read.why == "the chain has no answer line" and read.value.answer is None


HOSTILE = ("1" * 2000 + "-" * 2000, "1-" * 2000 + "x", "1+" * 140 + "=", "answer" * 600, "answer" + " \n:" * 1300)
HOSTILE += ("1 + 1 = 2 left" + " " * 280 + "x", "1 + 1 = 2 (left:" + " 1" * 140 + "x", "1 + 1 = 2" + "\t " * 140 + "x")
HOSTILE += ("= 24" * 900, "= " * 2000 + "x", " " * 3900 + "x", "1" * 10**6, "\n" * 10**6, "1 + 1 = 2\n" * 10**5)


HOSTILE += (
    "1+" * 150,
    "\\frac{1}{" * 33,
    "-" * 300,
    "(" * 300,
    "1 - " * 75,
    "~" * 299 + "1",
    "approx " * 42,
    "1, " * 100,
)
HOSTILE += ("1 + 1 = 1 " + "(left " * 48, "(" * 900 + "1", "1 plus " * 40, "1 + 1 = 2, " * 300, "Answer: 1 + (" * 200)


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_lines_are_read_in_step_with_their_length(line):
    root = State("1 1 2 2")
    for text in (line, line[:300], line * 9) if len(line) < 1000 else (line,):
        for read in (TASK.read_io, TASK.read_cot, TASK.read_proposals, TASK.unchecked().read_proposals):
            read_in_step(partial(read, root), text)
        for read in (lambda line: read_step(line, NUMBERS), lambda line: read_believed(line, root.x)):
            read_in_step(read, text)
        for read in (TASK.read_value, partial(verify, [1, 1, 2, 2]), TASK.same):
            read_in_step(read, text)


def states():
    """4 9 10 13, then 13 - 9, 10 - 4 and 4 * 6: a state after each."""
    state, numbers = State("4 9 10 13"), NUMBERS
    yield state
    for line in ("13 - 9 = 4", "10 - 4 = 6", "4 * 6 = 24"):
        step = read_step(line, numbers).value
        numbers = step.left
        state = state.then(Thought(str(step), step))
        yield state


def test_the_answer_is_composed_or_asked_for_when_one_number_is_left():
    *before, after = states()
    assert [left(s) for s in (*before, after)] == list(map(fractions, ("4 9 10 13", "4 4 10", "4 6", "24")))
    assert [TASK.compose(s) for s in before] == [None, None, None]
    [thought] = TASK.compose(after)
    # the first of two equal numbers is used: 10 - 4 takes the 4 that was there, 4 * 6 the one that is left
    assert thought.final and thought.text == f"Answer: {thought.answer}"
    assert verify([4, 9, 10, 13], thought.answer).correct
    steps = "13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)"
    for style in TASK.styles:
        assert TASK.propose(after, style).messages[-1] == Message("user", f"Numbers: 4 9 10 13\n{steps}")
    [read] = TASK.read_proposals(after, f"Answer: {RIGHT} = 24")
    assert read.value.answer == RIGHT and read.value.final and read.value.data is None


def test_what_is_left_may_be_noted_below_each_step():
    steps = "13 - 9 = 4\nNumbers: 4 4 10\n10 - 4 = 6\nNumbers: 6 9 13\n"
    read = TASK.read_cot(State("4 9 10 13"), f"{steps}Answer: {RIGHT} = 24")[0]
    assert read.ok and read.value.answer == RIGHT
    assert [read.value.text[:11] for read in TASK.read_proposals(State("4 9 10 13"), steps) if read.ok] == [
        "13 - 9 = 4 ",
        "10 - 4 = 6 ",
    ]


def test_proposals_are_read_line_by_line():
    text = "Possible next steps:\n1. 4 + 9 = 13 (left: 10 13 13)\n\n4 + 9 = 14\nnonsense\n13 - 4 = 9"
    reads = TASK.read_proposals(State("4 9 10 13"), text)
    assert [(r.why, r.value and r.value.text) for r in reads] == [
        ("", "4 + 9 = 13 (left: 10 13 13)"),
        ("wrong arithmetic", None),
        ("not a step", None),
        ("", "13 - 4 = 9 (left: 9 9 10)"),
    ]
    assert [r.why for r in TASK.read_proposals(State("4 9 10 13"), " \n")] == ["empty reply"]
    bold = "**Next steps**\n**4 + 9 = 13 (left: 10 13 13)**\n__13 - 4 = 9__\n**10 - 4 = 6**\nIt leaves 6 9 13.\n"
    boxed = "<|begin_of_box|>10 - 4 = 6<|end_of_box|>\n<|begin_of_box|>13 - 9 = 4<|end_of_box|>"
    assert [r.ok for r in TASK.read_proposals(State("4 9 10 13"), boxed)] == [True, True]
    reads = [r for r in TASK.read_proposals(State("4 9 10 13"), bold) if r.ok]
    assert [r.value.text[:6] for r in reads] == ["4 + 9 ", "13 - 4", "10 - 4"]


def test_one_number_is_judged_without_a_model_and_a_written_answer_with_one():
    *before, after = states()
    assert [TASK.judge(s) for s in before] == [None, None, None] and TASK.judge(after) == 20.0
    not_24 = State("1 1").then(Thought("s", read_step("1 + 1 = 2", fractions("1 1")).value))
    assert TASK.judge(not_24) == TASK.worst == 0.001
    assert TASK.judge(after.then(TASK.compose(after)[0])) == 20.0
    assert TASK.judge(not_24.then(TASK.compose(not_24)[0])) == 0.001
    written = after.then(Thought("Answer: 1", None, "1", final=True))
    assert TASK.judge(written) is None  # a model wrote it, a model judges it
    assert TASK.value(written).messages[-1].content == "Numbers: 4 9 10 13\nAnswer: 1"
    assert TASK.judge(after.then(Thought("I cannot", None, None, final=True))) == 0.001  # nothing to ask about
    assert TASK.value(before[1]).messages[-1].content == "4 4 10"


def test_verdicts():
    words = ("it is sure", "likely", "Impossible.", "maybe")
    assert [TASK.read_value(f"4 + 4 = 8. {word}").value for word in words] == [20.0, 1.0, 0.001, 1.0]
    assert TASK.read_value("24!").why == TASK.read_value("It is hard to say for sure.").why == "no verdict in the reply"
    greeting = "Sure! Let's evaluate: the numbers are too small."
    assert TASK.read_value(greeting).why == "no verdict in the reply"
    assert TASK.read_value("Sure. 4 * 6 = 24").value == 20.0
    assert TASK.read_value("2 * 3 * 4 = 24. Sure.\n\n1 3 3: at most 12. Impossible.").value == 20.0
    assert TASK.read_value("sure\n\nNote: the other numbers are impossible.").value == 20.0
    assert TASK.read_value("- [ ] sure\n- [x] likely\n- [ ] impossible").value == 1.0


WONDERED = """
No combination of these numbers can make 24. -> impossible | None of these can make 24. -> impossible
5 and 7 can not make 24. -> impossible | I'm sure it's not possible. -> impossible | Likely impossible -> impossible
It is unlikely that they can make 24. -> None | I doubt that they can make 24. -> None | Sure not. -> None
It can't be done, I'm sure. -> None | I'm certain it can't be done. -> None | Likely not. -> None
To determine whether the numbers 5, 7, and 8 can make 24, let's try them:⏎1. 5 + 7 + 8 = 20 -> None
Let's check if the given numbers 5 7 8 can make 24:⏎5 + 7 -> None | 24 can be made only by using 4 twice. -> None
Yes, they can make 24: 6 * 4. -> sure | (10 - 4) * 4 can give 24. -> sure | sure likely impossible sure -> None
3 * 8 would need an 8, so impossible.⏎(13 - 9) * 6 = 24⏎sure -> sure | so impossible -> impossible
{"tries": "the numbers can make 24 -> None | {"verdict": "sure", "tries": "6 * -> sure
"""


@pytest.mark.parametrize(("text", "word"), pairs(WONDERED))
def test_a_verdict_that_is_wondered_about_is_none(text, word):
    assert TASK.read_value(text).value == (VERDICTS[word] if word else None)


def test_same_answers_are_the_same_characters():
    assert TASK.same("(13 - 9) × (10-4) = 24") == TASK.same(f"Answer: {RIGHT}") == "(13-9)*(10-4)"
    assert TASK.same("(10 - 4) * (13 - 9)") != TASK.same(RIGHT)
