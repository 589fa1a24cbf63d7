"""A* on an explicit graph (Hart, Nilsson and Raphael 1968)."""

from collections.abc import Callable, Container, Hashable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
Graph = Mapping[V, Mapping[V, float]]  # u -> {v: cost of the edge from u to v}, costs >= 0


@dataclass(frozen=True)
class Path(Generic[V]):
    """A path from the start to a goal: its ``cost`` (inf if there is no path) and its ``vertices``.

    ``expanded`` lists the vertices that were expanded to find it, in order; one that was reopened is listed again.
    """

    cost: float
    vertices: tuple[V, ...]
    expanded: tuple[V, ...]


def astar(
    graph: Graph[V], start: V, goals: Container[V], h: Callable[[V], float] = lambda v: 0, *, reopen: bool = True
) -> Path[V]:
    """A*: expand the open vertex with the lowest f = g + h until that is a goal. With h = 0 it is Dijkstra's algorithm.

    ``h`` estimates the remaining cost. If it never overestimates (is admissible) and is 0 at every goal, the path is a
    cheapest one. If it is also consistent, h(u) <= c(u, v) + h(v), no vertex is expanded twice. If it is not, a cheaper
    path to an expanded vertex may turn up, and the vertex must be opened again; ``reopen=False`` omits this, and may
    return a path that is too dear although h is admissible. If h overestimates by a factor of at most w, the path costs
    at most w times the least. Ties go to the vertex that was opened first.

    Sums of costs are compared as they are, so costs and estimates should be exact: integers, Fractions, or floats such
    as 0.25. Raises ValueError for an edge with a negative cost.
    """
    g: dict[V, float] = {start: 0}
    parent: dict[V, V] = {}
    order = count()
    queue = [(h(start), next(order), start)]  # the open list
    closed: set[V] = set()
    expanded: list[V] = []
    while queue:
        _, _, s = heappop(queue)
        if s in closed:
            continue  # an old entry, for a dearer path to s
        closed.add(s)
        if s in goals:
            path = [s]
            while path[-1] != start:
                path.append(parent[path[-1]])
            return Path(g[s], tuple(reversed(path)), tuple(expanded))
        expanded.append(s)
        for t, c in graph.get(s, {}).items():
            if c < 0:
                raise ValueError(f"the edge from {s} to {t} has the negative cost {c}")
            if g[s] + c < g.get(t, inf) and (reopen or t not in closed):
                g[t], parent[t] = g[s] + c, s
                closed.discard(t)
                heappush(queue, (g[t] + h(t), next(order), t))
    return Path(inf, (), tuple(expanded))
