"""Rules that choose the answer from a search's outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ..state import Node
from ..tasks.base import FreeCheck, Problem, Score, Task
from ..ties import level

Choose = Callable[[Any, Problem, Sequence[Node]], "Node | None"]  # the output whose answer is given


def most_agreed(task: Task, problem: Problem, best: Sequence[Node]) -> Node | None:
    """Chooses without gold: the most frequent answer among those of highest value; the first one on ties."""
    answered = [node for node in best if node.state.answer is not None]
    if not answered:
        return None
    top = max(level(node.value) for node in answered)
    tied = [node for node in answered if level(node.value) == top]
    count = Counter(task.same(node.state.answer or "") for node in tied)
    return max(tied, key=lambda node: count[task.same(node.state.answer or "")])  # max keeps the first of equals


def first_checked(task: FreeCheck, problem: Problem, best: Sequence[Node]) -> Node | None:
    """Chooses with the task's free check: the first answer that passes, else ``most_agreed``. It never sees gold."""
    return _first(best, lambda answer: task.check(problem.x, answer)) or most_agreed(task, problem, best)


def first_correct(task: Task, problem: Problem, best: Sequence[Node]) -> Node | None:
    """Chooses with the gold verifier: the first correct answer, else ``most_agreed``. An upper bound."""
    return _first(best, lambda answer: task.verify(problem, answer)) or most_agreed(task, problem, best)


def _first(best: Sequence[Node], judge: Callable[[str | None], Score]) -> Node | None:
    return next((node for node in best if judge(node.state.answer).correct), None)
