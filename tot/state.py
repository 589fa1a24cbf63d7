"""The papers' basic objects: thoughts, states, and the nodes of the search tree.

Tree of Thoughts (Yao et al. 2023), section 3: a state ``s = [x, z1..zi]`` is the input and the thoughts so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Observation:
    """A tool's result for a thought's action. ``cost`` is V_T of the call; ``failed`` says why it failed, else ""."""

    text: str
    cost: float = 0.0
    failed: str = ""


@dataclass(frozen=True)
class Thought:
    """One step ``z``: a coherent unit of text, with what the parser extracted from it.

    ``data`` is the parsed content (whatever the task needs for its next prompt); ``answer`` is the final answer if
    this thought states one; a ``final`` thought ends its branch; ``prior`` is the proposer's own confidence. A thought
    that names an action gets an ``observation`` once its tool has run.
    """

    text: str
    data: Any = None
    answer: str | None = None
    final: bool = False
    prior: float | None = field(default=None, compare=False)
    observation: Observation | None = None


@dataclass(frozen=True)
class State:
    """``s = [x, z1..zi]``: the input ``x`` and the thoughts so far. Immutable; never contains the gold answer."""

    x: str
    thoughts: tuple[Thought, ...] = ()

    def then(self, thought: Thought) -> State:
        """``[s, z]``: this state with one more thought."""
        return State(self.x, (*self.thoughts, thought))

    def observed(self, observation: Observation) -> State:
        """This state with ``observation`` attached to its newest thought. Raises IndexError at the root."""
        return State(self.x, (*self.thoughts[:-1], replace(self.thoughts[-1], observation=observation)))

    @property
    def last(self) -> Thought | None:
        """The newest thought, or None at the root."""
        return self.thoughts[-1] if self.thoughts else None

    @property
    def answer(self) -> str | None:
        """The answer that the newest thought states, if any."""
        return self.last.answer if self.last else None

    @property
    def terminal(self) -> bool:
        """True if the newest thought ends the branch, so that nothing is left to generate."""
        return bool(self.last and self.last.final)


@dataclass(eq=False)
class Node:
    """A state with its place in the tree and what the search knows about it.

    ``id`` is the path from the root ("0.2.1": third child of the root, then its second child). ``value`` is the
    evaluator's score, None until evaluated. ``visits`` and ``total`` (the sum of rewards) are used by Monte Carlo
    search; ``mean`` is total / visits. ``g`` and ``f`` are used by informed search: the cost so far, and the key by
    which the open list is sorted. ``note`` is an explanation for people (for example why a node was pruned).
    """

    state: State
    parent: Node | None = None
    id: str = "0"
    children: list[Node] = field(default_factory=list)
    value: float | None = None
    note: str = ""
    visits: int = 0
    total: float = 0.0
    g: float | None = None
    f: float | None = None

    def grow(self, thoughts: Iterable[Thought]) -> list[Node]:
        """Add one child for each thought and return the new children, in order."""
        new = []
        for thought in thoughts:
            child = Node(self.state.then(thought), self, f"{self.id}.{len(self.children)}")
            self.children.append(child)
            new.append(child)
        return new

    @property
    def depth(self) -> int:
        """Number of thoughts so far; 0 at the root."""
        return self.id.count(".")

    @property
    def terminal(self) -> bool:
        """True when the state ends its branch."""
        return self.state.terminal

    @property
    def mean(self) -> float | None:
        """Q of Monte Carlo search: the average reward per visit, None before the first visit."""
        return self.total / self.visits if self.visits else None

    @property
    def path(self) -> Iterator[Node]:
        """This node, its parent, and so on up to the root."""
        node: Node | None = self
        while node:
            yield node
            node = node.parent
