"""The rule that chooses the answer from a search's outputs, for recipes that have no rule of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..state import Node
from ..tasks.base import Task
from ..ties import level


def most_agreed(task: Task, best: Sequence[Node]) -> Node | None:
    """Chooses without gold: the most frequent answer among those of highest value; the first one on ties."""
    answered = [node for node in best if node.state.answer is not None]
    if not answered:
        return None
    top = max(level(node.value) for node in answered)
    tied = [node for node in answered if level(node.value) == top]
    count = Counter(task.same(node.state.answer or "") for node in tied)
    return max(tied, key=lambda node: count[task.same(node.state.answer or "")])  # max keeps the first of equals
