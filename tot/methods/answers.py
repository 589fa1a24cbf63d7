"""Which of a search's outputs is the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..state import Node
from ..tasks.base import Problem, Task
from ..ties import level

Choose = Callable[[Task, Problem, Sequence[Node]], "Node | None"]


def most_agreed(task: Task, problem: Problem, best: Sequence[Node]) -> Node | None:
    """The output without gold: among the answers of highest value the most frequent, and of those the first."""
    answered = [node for node in best if node.state.answer is not None]
    if not answered:
        return None
    top = max(level(node.value) for node in answered)
    tied = [node for node in answered if level(node.value) == top]
    count = Counter(task.same(node.state.answer or "") for node in tied)
    return max(tied, key=lambda node: count[task.same(node.state.answer or "")])  # max keeps the first of equals


def first_correct(task: Task, problem: Problem, best: Sequence[Node]) -> Node | None:
    """Chooses with the gold verifier: an upper bound, for methods that say so in their name."""
    right = (node for node in best if task.verify(problem, node.state.answer).correct)
    return next(right, most_agreed(task, problem, best))
