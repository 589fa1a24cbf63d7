"""Monte Carlo tree search with a judge that costs nothing: what is left is the search, its events and its trace."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random

import tot
from tot.ask import Asking
from tot.state import Node

from .report import Row, at_least, under
from .server import Served

ROLLOUTS, CHILDREN, DEPTH = 10_000, 3, 12


def measure(server: Served) -> Iterator[Row]:
    took, top = min((search(seed=0) for _ in range(3)), key=lambda run: run[0])
    note = f"{CHILDREN} children, at most {DEPTH} deep; every event recorded; best of three runs"
    yield under(f"MCTS, free judge: {ROLLOUTS:,} rollouts", took, 2, "s", note)
    yield at_least("MCTS, free judge: levels that it went down", deepest(top), 8)  # it did search


def search(seed: int, rollouts: int = ROLLOUTS) -> tuple[float, Node]:
    """Seconds, and the root. A thought is worth a little more or less than the one before it."""
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

    began = time.perf_counter()
    result = tot.run(tot.mcts(top, generate, evaluate, rollouts=rollouts, depth=DEPTH), {})
    took = time.perf_counter() - began
    assert top.visits == rollouts and result.stopped == "done"
    return took, top


def deepest(top: Node) -> int:
    levels, nodes = 0, [top]
    while nodes := [child for node in nodes for child in node.children if child.visits]:
        levels += 1
    return levels
