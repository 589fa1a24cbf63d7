"""Monte Carlo tree search with a judge that costs nothing: what is left is the search, its events and its trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import tot
from tot.ask import Asking
from tot.state import Node

from .beside import beside, loop
from .report import Row, at_least, at_most, seconds
from .server import Served

ROLLOUTS, CHILDREN, DEPTH = 10_000, 3, 12
STEPS = 500_000


def measure(server: Served) -> Iterator[Row]:
    found = beside(lambda: search(seed=0), lambda: loop(STEPS), times=3)
    what = f"MCTS, free judge: {ROLLOUTS:,} rollouts / a plain loop of {STEPS:,} steps"
    note = f"{CHILDREN} children, at most {DEPTH} deep; every event recorded"
    yield at_most(what, found.ratio, 2, figure=seconds(found.wall), note=note)
    yield at_least("MCTS, free judge: levels that it went down", deepest(search(seed=0)), 8)  # it did search


def search(seed: int, rollouts: int = ROLLOUTS) -> Node:
    """The root. A thought is worth a little more or less than the one before it."""
    dice, top = Random(seed), Node(tot.State("a plan"))
    thoughts = [tot.Thought(str(i)) for i in range(CHILDREN)]

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        children = [child for node in nodes for child in node.grow(thoughts)]
        yield tot.Event("expanded", children, {"of": [node.id for node in nodes], "unread": []})
        return children

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        for node in nodes:
            before = node.parent.value or 0.0 if node.parent and node is not top else 0.5
            node.value = min(max(before + dice.uniform(-0.1, 0.1), 0.0), 1.0)
        yield tot.Event("evaluated", list(nodes), {"unread": []})

    result = tot.run(tot.mcts(top, generate, evaluate, rollouts=rollouts, depth=DEPTH), {})
    assert top.visits == rollouts and result.stopped == "done"
    return top


def deepest(top: Node) -> int:
    levels, nodes = 0, [top]
    while nodes := [child for node in nodes for child in node.children if child.visits]:
        levels += 1
    return levels
