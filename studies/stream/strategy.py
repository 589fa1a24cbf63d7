"""Does a stream search by a strategy, or does it only look like it? The package's own search answers: it is run again
over the stream's own steps and verdicts, and says where the next step belongs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studies.stream.searches import STRATEGIES, different
from tot.ask import Asking
from tot.state import Node
from tot.tasks.game24 import left
from tot.tasks.game24_rules import moves
from treebook.studies.streams import Stream, step_of

MOVES = ("first", "stay", "down", "back")


class _Wanted(Exception):
    """The search wants another step from this state."""

    def __init__(self, place: Node) -> None:
        self.place = place


def expected(strategy: str, root: Node) -> Node | None:
    """The state from which the search would try its next step, given the tree as far as it has come; None if it would
    stop. Verdicts are taken as they are, right or wrong.
    """

    def full(node: Node) -> bool:
        there, all_ = different(map(step_of, node.children)), different(moves(left(node.state)))
        return there >= min(STRATEGIES[strategy].proposals, all_)

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        yield from ()
        if strategy == "depth-first":  # which visits each child before it looks for the next one
            return [child for node in nodes for child in [*node.children, *([] if full(node) else [_more(node)])]]
        for node in nodes:
            if not full(node):
                raise _Wanted(node)
        return [child for node in nodes for child in node.children]

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        yield from ()
        for node in nodes:
            if node.note == MORE and node.parent:
                raise _Wanted(node.parent)

    try:
        for _ in STRATEGIES[strategy].search(root, generate, evaluate):
            pass
    except _Wanted as wanted:
        return wanted.place
    return None


MORE = "more"


def _more(node: Node) -> Node:
    """Stands for a child that is not there yet. It is no child of its parent."""
    return Node(node.state, node, f"{node.id}.{len(node.children)}", note=MORE)


@dataclass(frozen=True)
class Choice:
    """Where a stream wrote a step (``place``) and where its strategy would have (``wanted``, None: nowhere); ``move``:
    what the strategy asks for there, one of ``MOVES``. States with the same numbers left are the same here; ``places``
    counts the different ones, with two numbers or more, from which a step could have been written at all.
    """

    move: str
    place: Node
    wanted: Node | None
    places: int

    @property
    def right(self) -> bool:
        return self.wanted is not None and left(self.place.state) == left(self.wanted.state)


def choices(stream: Stream, strategy: str) -> list[Choice]:
    """One for each legal step of the stream, in order. The stream's tree is the same afterwards."""
    steps = [(line.node, line.place) for line in stream.steps if line.node and line.place]
    for node, _ in steps:  # take the tree apart, and let it grow again step by step
        assert node.parent
        node.parent.children.remove(node)
    found: list[Choice] = []
    before: Node | None = None
    known = {left(stream.root.state)}
    for node, place in steps:
        wanted = expected(strategy, stream.root)
        found.append(Choice(_move(before, wanted), place, wanted, len(known)))
        place.children.append(node)
        before = node
        if len(left(node.state)) > 1:
            known.add(left(node.state))
    return found


def _move(before: Node | None, wanted: Node | None) -> str:
    if before is None:
        return "first"
    if wanted is before.parent:
        return "stay"
    return "down" if wanted is before else "back"
