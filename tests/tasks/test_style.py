"""A style is data: a task in any of its forms can be pickled and copied, and a subclass keeps its kind."""

import pickle
from copy import copy, deepcopy

import pytest

from tot import TASKS, State, Thought, task
from tot.lm.base import user
from tot.tasks.game24 import Game24
from tot.tasks.hotpotqa import HotpotQA
from tot.tasks.writing import Writing
from tot.tasks.zero_shot import GSM8K
from tot.testing.task import prompts_of
from tot.tools import Call

REPLIES = (
    *("13 - 9 = 4 (left: 4 4 10)\n10 / 4 ≈ 2.5", "Answer: (13 - 9) * (10 - 4) = 24", "I am not sure.\nlikely", ""),
    *("v1. apple (certain)\nh1: brand (low)", "Rows:\nA R E N A\nperil\nplaces\nlaser\nexert", "maybe"),
    *('{"steps": ["13 - 9 = 4"]}', '{"tries": "", "verdict": "sure"}', "Strategy: add\n\nAnswer: The answer is 7."),
    *("Plan:\nadd\n\nPassage:\nIt rained.", "word " * 5000),
)


class Mine(Game24):
    name = "mine"


class MyMaths(GSM8K):
    name = "my maths"

    def io(self, state):
        return user("mine")

    def _answer(self, state, text, bare):
        return super()._answer(state, f"The answer is {len(text)}.", bare)


class MyWriting(Writing):
    name = "my writing"
    done = "good"


def forms(one):
    """A task as it is, in its paper's style, and both without a program's help."""
    both = [one, one.in_paper_style()]
    return [*both, *(form.unchecked() for form in both if hasattr(form, "unchecked"))]


def answers(one, state):
    """All that a task asks about a state, and what it makes of replies."""
    readers = [
        getattr(one, name) for name in ("read_io", "read_cot", "read_proposals", "read_step") if hasattr(one, name)
    ]
    known = [getattr(one, name)(state) for name in ("compose", "judge") if hasattr(one, name)]
    problem = one.problems(next(iter(one.splits())))[0]
    values = [one.read_value(text) for text in REPLIES if hasattr(one, "read_value")]
    read = [reader(state, text) for reader in readers for text in REPLIES]
    return prompts_of(one, state), known, values, read, [one.verify(problem, text) for text in REPLIES]


@pytest.mark.parametrize("one", [*(task(name) for name in TASKS), Mine()], ids=[*TASKS, "mine"])
def test_every_form_can_be_pickled_and_copied_and_answers_the_same(one):
    root = State(one.problems(next(iter(one.splits())))[0].x)
    states = [root, root.then(Thought("?", answer="1", final=True))]
    for form in forms(one):
        before = [answers(form, state) for state in states]
        for other in (pickle.loads(pickle.dumps(form)), copy(form), deepcopy(form)):
            assert [answers(other, state) for state in states] == before
            assert type(other) is type(one) and (other.name, other.style) == (one.name, form.style)


@pytest.mark.parametrize("styled", [False, True])
def test_the_tools_of_a_pickled_task_load_their_corpora_again(styled):
    usual = HotpotQA(timeout=7.0)
    each = usual.in_paper_style() if styled else usual
    call = Call("Search", "Adolphe Sax", "encyclopedia").request()
    [found] = each.tools([call])
    again = pickle.loads(pickle.dumps(each))
    assert again.tools is not each.tools is copy(each).tools and again.tools.timeout == 7.0
    assert again.tools([call]) == [found] and found.samples[0].finish == "stop"


@pytest.mark.parametrize("each", [MyMaths(), MyWriting()])
def test_a_subclass_keeps_what_is_its_own_in_either_style(each):
    styled = each.in_paper_style()
    assert type(styled) is type(each) and styled.name == each.name
    below = State(each.problems("book")[0].x).then(Thought("a plan", answer="1"))
    assert styled.cot(below).messages != each.cot(below).messages
    if each.name == "my maths":
        assert styled.io(below) == each.io(below) == user("mine")
        for read in (styled.read_io, styled.read_cot, styled.read_step, styled.read_executed):
            assert read(below, "Answer: six")[0].value.answer == "11"
    else:
        assert "already good, say that it is good" in styled.refine(below).messages[-1].content
