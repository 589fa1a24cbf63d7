"""A style is data: a task in any of its forms can be pickled and copied, and a subclass keeps its kind."""

import pickle
from copy import copy, deepcopy

import pytest

from tot import State, Thought, task
from tot.tasks.forms import structured
from tot.tasks.game24 import Game24
from tot.testing.task import prompts_of

NAMES = ("game24", "crosswords")
REPLIES = (
    *("13 - 9 = 4 (left: 4 4 10)\n10 / 4 ≈ 2.5", "Answer: (13 - 9) * (10 - 4) = 24", "I am not sure.\nlikely", ""),
    *("v1. apple (certain)\nh1: brand (low)", "Rows:\nA R E N A\nperil\nplaces\nlaser\nexert", "maybe"),
    *('{"steps": ["13 - 9 = 4"]}', '{"tries": "", "verdict": "sure"}'),
)


class Mine(Game24):
    name = "mine"


def forms(one):
    """A task as it is, in its paper's style, and both without a program's help and structured."""
    both = [one, one.in_paper_style()]
    both += [form.unchecked() for form in both if hasattr(form, "unchecked")]
    return [*both, *map(structured, both)]


def answers(one, state):
    """All that a task asks about a state, and what it makes of replies."""
    return [
        *(prompts_of(one, state), one.steps, one.compose(state), one.judge(state)),
        *[[one.read_io(state, t), one.read_cot(state, t), one.read_proposals(state, t)] for t in REPLIES],
        *map(one.read_value, REPLIES),
    ]


@pytest.mark.parametrize("one", [*map(task, NAMES), Mine()], ids=[*NAMES, "mine"])
def test_every_form_can_be_pickled_and_copied_and_answers_the_same(one):
    root = State(one.problems(next(iter(one.splits())))[0].x)
    states = [root, root.then(Thought("?", answer="1", final=True))]
    for form in forms(one):
        before = [answers(form, state) for state in states]
        for other in (pickle.loads(pickle.dumps(form)), copy(form), deepcopy(form)):
            assert [answers(other, state) for state in states] == before
            assert type(other) is type(one) and other.name == one.name


def test_a_structured_task_stays_so_in_another_form():
    game, root = task("game24"), State("4 9 10 13")
    for form in (structured(game).in_paper_style().unchecked(), structured(game).unchecked().in_paper_style()):
        assert (form.style.name, form.checked) == ("paper", False)
        assert answers(form, root) == answers(structured(game.in_paper_style().unchecked()), root)
