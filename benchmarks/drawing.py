"""A tree of 5,000 nodes drawn in each of the ways of ``treebook.show``, beside a plain loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import tot
from treebook import show

from .beside import beside, loop
from .report import Row, at_most, seconds
from .server import Served

NODES, STEPS = 5_000, 100_000
VIEWS: dict[str, tuple[Callable[[tot.Trace], object], float]] = {  # how it is drawn, and the ratio that is promised
    "text": (show.text, 2),
    "svg": (show.svg, 14),
    "explorer": (show.explorer, 8),
}


def measure(server: Served) -> Iterator[Row]:
    trace = tree(NODES)
    for name, (draw, most) in VIEWS.items():
        found = beside(partial(draw, trace), partial(loop, STEPS), times=3)
        what = f"{NODES:,} nodes drawn as {name} / a plain loop of {STEPS:,} steps"
        yield at_most(what, found.ratio, most, figure=seconds(found.wall))


def tree(nodes: int) -> tot.Trace:
    """A trace of a search that kept every tenth of its thoughts; each hangs from one of the last few hundred."""
    chance, sizes = Random(0), {"0": 0}
    born: list[dict[str, Any]] = [{"id": "0", "thought": "", "parent": None}]
    while len(born) < nodes:
        parent = chance.choice(born[-400:])["id"]
        id = f"{parent}.{sizes[parent]}"
        sizes[parent] += 1
        sizes[id] = 0
        born.append({"id": id, "parent": parent, "thought": f"a thought of some length, number {len(born)}"})
    values = [{"id": node["id"], "value": chance.random()} for node in born]
    events = [
        {"kind": "expanded", "of": ["0"], "nodes": born},
        {"kind": "evaluated", "nodes": values},
        {"kind": "best", "nodes": values[::10]},
    ]
    return tot.Trace({"problem": "a large one"}, events)
