"""GSM8K and StrategyQA: bundled problems, prompts, readers, verifier."""

from itertools import groupby

import pytest
from tables import bars

from tot import Problem, State, Thought, solve, task
from tot.lm.scripted import Scripted
from tot.tasks.base import UNCHECKED
from tot.tasks.zero_shot import GSM8K, StrategyQA

MATHS, FACTS = GSM8K(), StrategyQA()


def test_the_questions_are_balanced_distinct_and_have_facts():
    problems = FACTS.problems("book")
    golds = [p.gold for p in problems]
    assert len(problems) == len({p.x for p in problems}) == 40 and golds.count("yes") == golds.count("no") == 20
    assert max(len(list(run)) for _, run in groupby(golds)) <= 2  # no half of the list is all yes
    assert all(p.x.endswith("?") and FACTS.note(p).endswith(".") for p in problems)
    assert len({FACTS.note(p) for p in problems}) == 40 and FACTS.note(Problem("x", "x?")) == ""


def test_a_typed_question_is_known_if_it_is_a_bundled_one():
    for each in (MATHS, FACTS):
        one = each.problems("book")[7]
        assert each.problem("  " + one.x.replace(" ", "  ") + "\n") == one
        assert each.problem(" What is\t it?\n") == Problem("What is it?", "What is it?", None)
        code = "What does it print?\n\nfor i in 1, 2:\n    print(i)\nprint(3)"  # or a table
        assert each.problem(code + "\n") == Problem(code, code, None)
        for text in ("", " \n", "x" * 4001, " " * 4001):
            with pytest.raises(ValueError, match="1 to 4000 characters"):
                each.problem(text)
        with pytest.raises(ValueError, match=f"{each.name} has no split 'hard': choose one of book"):
            each.problems("hard")


RIGHT = ((MATHS, "18", "18|18.0|The answer is 18."), (MATHS, "1250", "$1,250"), (MATHS, "0.3333333333333333", "1/3"))
RIGHT += ((FACTS, "yes", "yes|True"), (FACTS, "no", "否"))
WRONG = ((MATHS, "18", "-18|180|"), (FACTS, "yes", "no"), (FACTS, "no", "none"))


@pytest.mark.parametrize(
    ("each", "gold", "answer", "correct"),
    [(*row, answer, rows is RIGHT) for rows in (RIGHT, WRONG) for *row, said in rows for answer in (*bars(said), None)],
)
def test_verify(each, gold, answer, correct):
    score = each.verify(Problem("i", "x", gold), answer)
    assert score.correct == (correct and answer is not None) and score.why
    assert each.verify(Problem("i", "x"), answer).why == UNCHECKED


def texts(request):
    [message] = request.messages
    return message.content


def test_prompts_begin_with_the_question_and_ask_for_the_format():
    root = State("How many?")
    planned = root.then(Thought("Count them."))
    for each, form in ((MATHS, '"The answer is" and the number'), (FACTS, '"The answer is yes" or')):
        prompts = [each.io(root), each.cot(root), each.step(root), each.step(planned), each.ballot([planned] * 2)]
        assert all(texts(p).startswith("Question: How many?\n\n") for p in prompts)
        assert [form in texts(p) for p in prompts] == [True, True, False, True, False]
        assert [p.max_tokens for p in prompts] == [30, 180, 60, 180, 12] and {p.temperature for p in prompts} == {0.7}
        assert "Strategy: Count them." in texts(each.step(planned)) and "Count" not in texts(each.step(root))


def test_a_ballot_shows_the_newest_thoughts():
    states = [State("x").then(Thought(plan)) for plan in ("add", "multiply")]
    ballot = texts(MATHS.ballot(states))
    assert "Choice 1:\nadd\n\nChoice 2:\nmultiply\n\n" in ballot and "strategy" in ballot
    solved = [state.then(Thought(f"{i}", answer="3")) for i, state in enumerate(states)]
    ballot = texts(MATHS.ballot(solved))
    assert "Choice 1:\n0\n\nChoice 2:\n1\n\n" in ballot and "add" not in ballot and "right" in ballot
    assert MATHS.read_ballot("The best choice is 2.", 2).value == 1


def test_a_strategy_is_read_without_its_label():
    root = State("x")
    for text in ("Add both.", " Strategy: Add both.\n", "**Strategy:** Add both.", "### Strategy:\nAdd both."):
        [read] = MATHS.read_step(root, text)
        assert read.ok and read.value == Thought("Add both.")
    for text in ("", "...", "Strategy:"):
        [read] = MATHS.read_step(root, text)
        assert read.value is None and read.why == "no strategy in the reply"
    assert len(MATHS.read_step(root, "word " * 9999)[0].value.text) < 1100


def test_a_solution_needs_an_answer_and_an_attempt_does_not():
    state = State("x").then(Thought("Add."))
    [read] = MATHS.read_step(state, "2 + 3 = 5\nThe answer is 5.")
    assert read.value == Thought("2 + 3 = 5\nThe answer is 5.", None, "5", final=True)
    [read] = MATHS.read_step(state, "2 + 3 = 5")
    assert read.value is None and read.why == "no answer named"
    [read] = MATHS.read_cot(State("x"), "2 + 3 = 5")
    assert read.value == Thought("2 + 3 = 5", final=True) and read.why == "no answer named"
    [read] = MATHS.read_io(State("x"), "2 + 3 = 5")
    assert read.value.answer == "5"
    assert FACTS.read_io(State("x"), "No.")[0].value.answer == "no"


def test_an_own_question_is_answered_but_not_judged():
    solution = solve("gsm8k", "How many legs have two dogs?", "io", lm=Scripted(["The answer is 8"]))
    assert solution.answer == "8" and not solution.correct and solution.scores[0].why == UNCHECKED
    assert solution.trace.result["answer"] == "8" and "correct" not in solution.trace.result
    known = solve("gsm8k", task("gsm8k").problems("book")[0].x, "io", lm=Scripted(["The answer is 58"]))
    assert known.correct and known.trace.result["correct"] is True
