"""The simulated worlds with tools of chapters 11 and 12: maps of pages, and trees of thoughts whose calls fail.

``studies/tool_routes.py`` says what is measured in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any

from tot.ask import Asking, Search
from tot.events import Event
from tot.search import best_first, itot_astar, itot_dstar
from tot.state import Node, Observation, State, Thought
from tot.tools import ran

from ..graph import astar

Page = int  # a vertex
Graph = dict[Page, dict[Page, int]]  # what each call costs


# ---------------------------------------------------------------- maps


@dataclass(frozen=True)
class World:
    """A map: ``graph[u][v]`` is what the call from u to v costs; ``place`` gives h, a distance that is never too high.

    ``luck[u, v]``: the call is down at every failure rate above this number, so what fails at 20 % fails at 30 %, too.
    """

    graph: Graph
    place: tuple[tuple[int, int], ...]
    luck: Mapping[tuple[Page, Page], float]
    start: Page
    goal: Page

    def h(self, a: Page, b: Page) -> int:
        """How far it is from page to page at least."""
        (x, y), (p, q) = self.place[a], self.place[b]
        return abs(x - p) + abs(y - q)

    def left(self, v: Page) -> int:
        """How far it is from a page to the goal at least."""
        return self.h(v, self.goal)


def make_world(seed: int, pages: int = 40, near: int = 4) -> World:
    """Pages on a grid of 64 x 64, each with calls from and to its nearest; a call costs its distance or up to twice it.

    Costs and h are whole numbers, so sums are exact. Start and goal are the two pages farthest from each other of those
    with a way between them.
    """
    dice = Random(seed)
    place = tuple(dict.fromkeys((dice.randrange(64), dice.randrange(64)) for _ in range(2 * pages)))[:pages]
    world = World({u: {} for u in range(len(place))}, place, {}, 0, 0)
    graph = world.graph
    for u in graph:
        for v in sorted(graph, key=lambda v: world.h(u, v))[1 : near + 1]:
            for a, b in ((u, v), (v, u)):
                if b not in graph[a]:
                    graph[a][b] = dice.randint(world.h(a, b), 2 * world.h(a, b))
    pairs = sorted(((u, v) for u in graph for v in graph), key=lambda pair: -world.h(*pair))
    start, goal = next(pair for pair in pairs if astar(graph, pair[0], {pair[1]}).vertices)
    luck = {(u, v): dice.random() for u in graph for v in graph[u]}
    return replace(world, start=start, goal=goal, luck=luck)


# ---------------------------------------------------------------- trees

FINDS, WIDTH, DEPTH, ROUNDS, WEIGHT, FAILURE_COST = 3, 3, 7, 40, 5.0, 1.0
RULES: dict[str, dict[str, Any]] = {
    "none": {"propagate": "none"},
    "path, discount 0.5": {"propagate": "path"},
}


@lru_cache(100_000)
def drawn(*what: object) -> float:
    """A number in [0, 1) that depends on nothing but ``what``."""
    return int.from_bytes(sha256(repr(what).encode()).digest()[:6], "big") / 2**48


@dataclass(frozen=True)
class Grove:
    """A tree of thoughts as a function of its number. A thought's text is its path, such as "021".

    A call that works finds something with probability 1/2; after ``FINDS`` finds the next thought is the answer. A
    state is worth the share of finds it has, give or take 0.15. ``branches``: a first thought always works, and
    failures strike all calls below it or none; else every call is struck by itself, at the same rate.
    """

    number: int
    rate: float
    branches: bool

    def fails(self, path: str) -> bool:
        """Whether the tool call of the thought at the end of this path fails."""
        if self.branches:
            return len(path) > 1 and drawn("down", self.number, path[0]) < self.rate
        return drawn("down", self.number, path) < self.rate

    def finds(self, state: State) -> int:
        """How many of a state's calls have found something."""
        good = (t for t in state.thoughts if t.observation and not t.observation.failed)
        return sum(drawn("find", self.number, t.text) < 0.5 for t in good)

    def generate(self, nodes: Sequence[Node]) -> Asking[list[Node]]:
        children = []
        for node in nodes:
            above = node.state.last.text if node.state.last else ""
            if self.finds(node.state) >= FINDS:
                children += node.grow([Thought(f"{above}!", answer="found", final=True)])
            else:
                children += node.grow(Thought(f"{above}{i}") for i in range(WIDTH))
        return children
        yield  # a generator that asks nothing

    def act(self, nodes: Sequence[Node]) -> Asking[None]:
        due = [node for node in nodes if node.state.last and not node.terminal and not ran(node)]
        for node in due:
            why = "down" if self.fails(node.state.thoughts[-1].text) else ""
            node.state = node.state.observed(Observation("", self.price(node.state), why))
        if due:
            yield Event("acted", due)

    def price(self, state: State) -> float:
        """What the call of the newest thought costs."""
        return 0.0 if state.terminal else 1.0

    def judged(self, state: State) -> float:
        """What the judge thinks of a state that is no answer."""
        noise = 0.3 * drawn("noise", self.number, state.last and state.last.text) - 0.15
        return min(1.0, max(0.0, self.finds(state) / FINDS + noise))

    def evaluate(self, nodes: Sequence[Node]) -> Asking[None]:
        """V: what the judge thinks of each state."""
        for node in nodes:
            node.value = 1.0 if node.terminal else self.judged(node.state)
        return
        yield

    def with_tools(self, nodes: Sequence[Node]) -> Asking[list[Node]]:
        """G with the calls of all children made, as best-first search wants it."""
        children = yield from self.generate(nodes)
        yield from self.act(children)
        return children

    def searches(self, lazy: bool, rounds: int = ROUNDS) -> dict[str, Search]:
        """The searches that are compared, by name. ``lazy``: tools are called when a node is taken up."""
        parts = self.generate, self.act, self.evaluate
        limits: dict[str, Any] = {"depth": DEPTH, "rounds": rounds}
        dials = {"tool_cost": self.price, "weight": WEIGHT, "lazy": lazy, **limits}
        found = {} if lazy else {"best-first": best_first(Node(State("x")), self.with_tools, self.evaluate, **limits)}
        found["A*"] = itot_astar(Node(State("x")), *parts, **dials)
        for name, rule in RULES.items():
            found[f"D* Lite, {name}"] = itot_dstar(Node(State("x")), *parts, failure_cost=FAILURE_COST, **dials | rule)
        return found
