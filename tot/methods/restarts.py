"""Independent narrow trees, one after the other, until the free check is content with an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..ask import Search
from ..state import Node, State
from ..tasks.base import Problem, Searchable
from .base import Method, knob
from .tree_of_thoughts import BreadthFirst


@dataclass(kw_only=True, eq=False, repr=False)
class Restarts(BreadthFirst):
    """``tot-bfs`` that keeps one state, begun again with other samples until an answer passes the task's free check.

    The trees stand side by side below one root, and share nothing else: a thought that occurs again is judged again. So
    a wrong verdict costs one tree, where in a wide one it may hide the right way for good. Where nobody checks, nothing
    says when to stop, and the method refuses; without an answer that passes, the output is the last tree's.
    """

    breadth: int = knob(1, "How many states each tree keeps at each step (the paper's b).", least=1)
    trees: int = knob(10, "How many trees may be grown.", least=1)

    def search(self, task: Searchable, x: str) -> Search:
        root, own = Node(State(x)), max(self.proposals, self.values)  # so many samples of a prompt are one tree's
        for first in range(self.first, self.first + self.trees * own, own):
            yield from replace(self, first=first).below(root, task)

    def choose(self, task: Any, problem: Problem, best: Sequence[Node]) -> Node | None:
        """The answer that passed the free check; where none did, as other trees do."""
        passed = (node for node in best if node.terminal and task.check(problem.x, node.state.answer).correct)
        return next(passed, None) or super().choose(task, problem, best)


HERE = (
    Method("restarts", "narrow trees, one by one, until the task's free check is content", Restarts, Searchable, True),
)
