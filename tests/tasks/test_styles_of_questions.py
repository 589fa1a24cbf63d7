"""Question tasks and Creative Writing in their own style and their paper's: copies, and subclasses of a reader."""

import pickle
from copy import copy, deepcopy

import pytest

from tot import State, Thought, task
from tot.lm.base import user
from tot.tasks import TASKS
from tot.tasks.forms import structured
from tot.tasks.hotpotqa import HotpotQA
from tot.tasks.writing import Writing
from tot.tasks.zero_shot import GSM8K, ZeroShot
from tot.testing.task import prompts_of
from tot.tools import Call

NAMES = [name for name, kind in TASKS.items() if issubclass(kind, ZeroShot | Writing)]
REPLIES = ("", "Plan:\nadd\n\nPassage:\nIt rained.", "Strategy: add\n\nAnswer: The answer is 7.", "word " * 5000)


class Mine(GSM8K):
    name = "mine"

    def io(self, state):
        return user("mine")

    def _answer(self, text, bare):
        return super()._answer(f"The answer is {len(text)}.", bare)


class MyWriting(Writing):
    name = "my writing"
    done = "good"


def answers(each):
    """What a task asks and reads, as far as copies must agree."""
    root = State(each.problems("book")[0].x)
    below = root.then(Thought("a plan"))
    readers = (each.read_io, each.read_cot, each.read_step)
    reads = [read(state, text) for read in readers for state in (root, below) for text in REPLIES]
    return prompts_of(each, root), reads, each.name, [each.verify(each.problems("book")[0], text) for text in REPLIES]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("style", ["own", "paper", "structured", "structured paper"])
def test_copies_answer_the_same(name, style):
    each = task(name).in_paper_style() if "paper" in style else task(name)
    each = structured(each) if "structured" in style else each
    for again in (copy(each), deepcopy(each), pickle.loads(pickle.dumps(each))):
        assert type(again) is type(each) and again.style == each.style and answers(again) == answers(each)


@pytest.mark.parametrize("styled", [False, True])
def test_the_tools_of_a_pickled_task_load_their_corpora_again(styled):
    usual = HotpotQA(timeout=7.0)
    each = usual.in_paper_style() if styled else usual
    call = Call("Search", "Adolphe Sax", "encyclopedia").request()
    [found] = each.tools([call])
    again = pickle.loads(pickle.dumps(each))
    assert again.tools is not each.tools is copy(each).tools and again.tools.timeout == 7.0
    assert again.tools([call]) == [found] and found.samples[0].finish == "stop"


@pytest.mark.parametrize("each", [Mine(), MyWriting()])
def test_a_subclass_keeps_what_is_its_own_in_either_style(each):
    styled = each.in_paper_style()
    assert type(styled) is type(each) and styled.name == each.name
    below = State(each.problems("book")[0].x).then(Thought("a plan", answer="1"))
    assert styled.cot(below).messages != each.cot(below).messages
    if each.name == "mine":
        assert styled.io(below) == each.io(below) == user("mine")
        for read in (styled.read_io, styled.read_cot, styled.read_step, styled.read_executed):
            assert read(below, "Answer: six")[0].value.answer == "11"
    else:
        assert "already good, say that it is good" in styled.refine(below).messages[-1].content
