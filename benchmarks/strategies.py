"""A step of ``tot-mcts`` and of ``ab-mcts`` against the package ``treequest``, and how a step grows with the tree.

The judges cost nothing, so what is left is the search, its events and its trace. The package is driven by
``drive_treequest.py`` in an environment of its own, which is made once in the user's cache folder; without it those
rows are skipped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import tot
from tot.ask import Asking, Generate, Search
from tot.search.adaptive import ab_mcts
from tot.state import Node

from .authors import command, environment
from .mcts import CHILDREN, DEPTH
from .report import Row, at_most, seconds
from .server import Served

PACKAGE = "treequest==0.3.3"
DRIVER = Path(__file__).with_name("drive_treequest.py")
STEPS, OVER, EARLY, LATE = 1000, 100, 100, 10_000


def measure(server: Served) -> Iterator[Row]:
    python, why = environment("treequest", PACKAGE, "import treequest")
    theirs = json.loads(command(python, DRIVER, str(STEPS), str(OVER // 5)).stdout) if python else {}
    for name in ("tot-mcts", "ab-mcts"):
        own = Steps(name, LATE + OVER)
        what = f"{name}: a step after {STEPS:,}, ours / that of {PACKAGE.replace('==', ' ')}"
        if theirs:
            took = own.seconds(STEPS)
            figure = f"{seconds(took)}; it {seconds(theirs[name])}"
            yield at_most(what, took / theirs[name], 0.05, figure=figure, note="free judges; our trace recorded")
        else:
            yield Row(what, None, "at most 0.05", note=f"not compared: {why}")
        what = f"{name}: a step after {LATE:,} / after {EARLY}, for each child along its way"
        slower, wider = own.seconds(LATE) / own.seconds(EARLY), own.passed(LATE) / own.passed(EARLY)
        note = f"{slower:.2g} times as long, past {wider:.2g} times as many children"
        yield at_most(what, slower / wider, 3, figure=seconds(own.seconds(LATE)), note=note)


class Steps:
    """One search, and for each of its steps when it judged, and how many children it passed on its way."""

    def __init__(self, name: str, steps: int) -> None:
        self.at, self.ways, dice = list[float](), list[int](), Random(0)

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            for node in nodes:
                self.at.append(time.process_time())
                self.ways.append(sum(len(each.children) for each in node.path))
                node.value = dice.random()
            yield tot.Event("evaluated", list(nodes), {"unread": []})

        tot.run(SEARCHES[name](Node(tot.State("a problem")), evaluate, steps + 1), {})
        assert len(self.at) > steps

    def seconds(self, step: int) -> float:
        """What one of the next steps takes: of ten stretches the shortest, as others on the machine only add."""
        each = OVER // 10
        return min(self.at[i + each] - self.at[i] for i in range(step, step + OVER, each)) / each

    def passed(self, step: int) -> float:
        """How many children the next steps pass."""
        return sum(self.ways[step : step + OVER]) / OVER


def growing(thoughts: int) -> Generate:
    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        children = [child for node in nodes for child in node.grow([tot.Thought("a thought")] * thoughts)]
        yield tot.Event("expanded", children, {"of": [node.id for node in nodes], "unread": []})
        return children

    return generate


def uct(root: Node, evaluate: tot.Evaluate, steps: int) -> Search:
    return tot.mcts(root, growing(CHILDREN), evaluate, rollouts=steps, depth=DEPTH)


def adaptive(root: Node, evaluate: tot.Evaluate, steps: int) -> Search:
    return ab_mcts(root, {"model": growing(1)}, evaluate, rollouts=steps, depth=DEPTH, luck=Random(0))


SEARCHES: dict[str, Callable[..., Search]] = {"tot-mcts": uct, "ab-mcts": adaptive}
