"""Which of several answers a judge prefers: by verdicts on each, or by ballots on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..ask import Asking, Evaluate
from ..evaluate import constant, value, vote
from ..lm.base import Message, Request
from ..state import Node, State
from ..tasks.ballots import choice
from ..tasks.base import Searchable, Task

WHICH = 'Which choice is most likely to be right? Reply with one line only: "The best choice is" and its number.'


def ballot(task: Task, states: Sequence[State]) -> Request:
    """Which of these answers to one problem is the best? A prompt for every task: the rules and the question of its
    direct prompt, without the last paragraph, which says how to reply, and the answers as they were written.
    """
    x, asked = states[0].x, task.io(State(states[0].x)).messages
    above = asked[-1].content.rpartition("\n\n")[0]
    said = [f"Choice {i}:\n{state.last.text if state.last else ''}" for i, state in enumerate(states, 1)]
    text = "\n\n".join([above if x in above else asked[-1].content, *said, WHICH])
    return Request((*(m for m in asked if m.role == "system"), Message("user", text)), max_tokens=20)


def distinct(task: Task, nodes: Sequence[Node]) -> dict[str, Node]:
    """The first node of each answer, by its normal form."""
    found: dict[str, Node] = {}
    for node in nodes:
        if node.state.answer is not None:
            found.setdefault(task.same(node.state.answer), node)
    return found


def judged(task: Task, *, values: int, first: int) -> Evaluate:
    """An evaluator of whole answers: the sum of so many of the task's own verdicts on each, or where it has none, of so
    many ballots on all of them. Equal answers are judged once, and none is worth 0.
    """
    ask: Evaluate = vote(partial(ballot, task), choice, n=values, first=first)
    if isinstance(task, Searchable):
        ask = value(task.value, task.read_value, n=values, first=first, local=task.judge)

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        answers = distinct(task, nodes)
        yield from (ask if len(answers) > 1 else constant)([*answers.values()])
        for node in nodes:
            node.value = 0.0 if node.state.answer is None else answers[task.same(node.state.answer)].value

    return evaluate
