"""D* Lite (Koenig and Likhachev 2002): a plan that is repaired, instead of made anew, when edges change on the way."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Generic

from .a_star import Graph, V

Key = tuple[float, float]  # what the queue is sorted by


class DStarLite(Generic[V]):
    """The planner of figure 3 of the paper, with its names: g, rhs, U, k_m. It searches from the goal to the agent.

    ``g[s]`` is the believed cost from vertex s to the goal, ``rhs[s]`` the same computed from the vertices one step
    ahead; a vertex where the two differ (it is inconsistent) waits in the queue U. ``h(a, b)`` estimates the cost from
    a to b: it is never too high, 0 from a vertex to itself, and h(a, c) <= h(a, b) + h(b, c). The agent is at ``at``;
    ``plan`` makes g[at] right, ``follow`` names the best next vertex, ``move`` and ``change`` report what happened.

    Every edge costs more than 0, as in the paper: along edges that cost nothing an agent could go round in circles, and
    a vertex with an outdated g could look as good as the right one. Raises ValueError for any other cost.

    Unlike in the paper, the queue is a heap whose outdated entries are skipped when they reach the top, instead of
    being removed. Keys are compared as in the paper, without a tolerance, so costs and estimates should be exact:
    integers, Fractions, or floats such as 0.25.

    ``expanded`` lists the vertices taken off the queue so far: the work that planning took.
    """

    def __init__(self, graph: Graph[V], start: V, goal: V, h: Callable[[V, V], float]) -> None:
        self.at, self.last, self.goal, self.h = start, start, goal, h
        self.km: float = 0  # an integer: a sum with a float would round Fractions
        _check(c for edges in graph.values() for c in edges.values())
        self.cost = {u: dict(edges) for u, edges in graph.items()}
        self.pred: defaultdict[V, dict[V, None]] = defaultdict(dict)
        for u, edges in self.cost.items():
            for v in edges:
                self.pred[v][u] = None
        self.g: defaultdict[V, float] = defaultdict(lambda: inf)
        self.rhs: defaultdict[V, float] = defaultdict(lambda: inf, {goal: 0})
        self._heap: list[tuple[Key, int, V]] = []
        self._keys: dict[V, Key] = {}  # the queue U: vertex -> its key
        self._order = count()
        self.expanded: list[V] = []
        self._insert(goal)

    def key(self, s: V) -> Key:
        """CalculateKey: the place of a vertex in the queue."""
        least = min(self.g[s], self.rhs[s])
        return least + self.h(self.at, s) + self.km, least

    def _insert(self, s: V) -> None:
        self._keys[s] = self.key(s)
        heappush(self._heap, (self._keys[s], next(self._order), s))

    def _top(self) -> Key:
        while self._heap and self._keys.get(self._heap[0][2]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else (inf, inf)

    def _shift(self) -> None:
        """The keys in the queue were made for an agent at ``last``: k_m keeps them lower bounds of the new ones."""
        self.km += self.h(self.last, self.at)
        self.last = self.at

    def _update(self, u: V) -> None:
        """UpdateVertex."""
        if u != self.goal:
            self.rhs[u] = min((c + self.g[v] for v, c in self.cost.get(u, {}).items()), default=inf)
        self._keys.pop(u, None)
        if self.g[u] != self.rhs[u]:
            self._insert(u)

    def plan(self) -> float:
        """ComputeShortestPath. Returns the cost of a cheapest path from the agent to the goal, inf if there is none.

        Call it at the start and after each change; moving along the plan does not make it wrong.
        """
        self._shift()
        while not self.settled():
            self.turn()
        return self.rhs[self.at]

    def settled(self) -> bool:
        """Whether g[at] is right: nothing that waits could still change it."""
        return self._top() >= self.key(self.at) and self.rhs[self.at] == self.g[self.at]

    def turn(self) -> V:
        """One turn of ``plan``: the vertex of lowest key is taken off the queue. Returns it. Not if it is settled."""
        old = self._top()
        u = self._heap[0][2]
        del self._keys[u]
        self.expanded.append(u)
        if old < self.key(u):  # the agent has moved since: k_m makes up for it
            self._insert(u)
        elif self.g[u] > self.rhs[u]:
            self.g[u] = self.rhs[u]
            for s in self.pred[u]:
                self._update(s)
        else:
            self.g[u] = inf
            for s in (*self.pred[u], u):
                self._update(s)
        return u

    def waiting(self) -> dict[V, Key]:
        """The queue U: each vertex whose g and rhs differ, and its key."""
        return dict(self._keys)

    def follow(self) -> V | None:
        """The next vertex on a cheapest path, arg min of c(at, s') + g(s'); None if there is no path. Plan first."""
        ways = {v: c + self.g[v] for v, c in self.cost.get(self.at, {}).items()}
        best = min(ways, key=ways.__getitem__, default=None)
        return best if best is not None and ways[best] < inf else None

    def move(self, to: V) -> None:
        """The agent has moved to ``to``."""
        self.at = to

    def change(self, costs: Mapping[tuple[V, V], float]) -> None:
        """Edges have new costs: (u, v) -> c, inf for a broken edge. New edges and vertices may appear.

        Raises ValueError for a cost that is not more than 0.
        """
        _check(costs.values())
        self._shift()
        for (u, v), c in costs.items():
            self.cost.setdefault(u, {})[v] = c
            self.pred[v][u] = None
            self._update(u)


def _check(costs: Iterable[float]) -> None:
    if not all(c > 0 for c in costs):
        raise ValueError("every edge costs more than 0 (inf: it is broken)")
