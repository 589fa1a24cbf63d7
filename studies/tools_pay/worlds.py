"""The maps and trees of ``treebook.studies.routes`` with dials, and who searches them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from random import Random

import numpy as np

from studies.tool_routes import AGENTS, Trip, tree_search
from tot.ask import Search
from tot.runner import Result, run
from tot.search.informed import informed
from tot.state import Node, Observation, State, Thought
from treebook.graph import astar
from treebook.studies.routes import DEPTH, FINDS, ROUNDS, WEIGHT, WIDTH, Grove, Page, World, drawn

AREA = 16  # of the 64 x 64 squares of a map, so many by so many share a source


# ---------------------------------------------------------------- maps


@dataclass(frozen=True)
class GuessedWorld(World):
    """A map on which searchers see ``guess[v]`` instead of the distance from v to the goal."""

    guess: tuple[int, ...] = ()

    def left(self, v: Page) -> int:
        return self.guess[v]


def priced(world: World, number: int, prices: str) -> World:
    """The same map with other prices, none below the distance; so the distance stays a lower bound."""
    if prices == "unequal":
        return world
    longest = max(world.h(u, v) for u in world.graph for v in world.graph[u])

    def price(u: Page, v: Page) -> int:
        if prices == "equal":
            return longest
        return world.h(u, v) * (10 if drawn("price", number, u, v) < 0.25 else 1)

    return replace(world, graph={u: {v: price(u, v) for v in ways} for u, ways in world.graph.items()})


def struck_by_area(world: World, number: int) -> World:
    """The same map where the calls from all pages of one area are down together; never from the area of the start."""

    def source(v: Page) -> tuple[int, int]:
        x, y = world.place[v]
        return x // AREA, y // AREA

    def luck(u: Page) -> float:
        return 1.0 if source(u) == source(world.start) else drawn("area", number, source(u))

    return replace(world, luck={(u, v): luck(u) for u, v in world.luck})


def truths(world: World) -> list[float]:
    """What is really left from each page while nothing fails; inf for pages without a way to the goal."""
    return [astar(world.graph, v, {world.goal}, world.left).cost for v in range(len(world.place))]


def guessed(world: World, number: int, error: str | float, truth: Sequence[float]) -> World:
    """The same map, seen with this error; rounded to whole numbers, so sums are exact."""
    if error == "bound":
        return world
    near = [v for v, left in enumerate(truth) if left < inf and v != world.goal]
    others = Random(number).sample(near, len(near))
    guess = [world.left(v) for v in range(len(truth))]  # stays where no searcher can come, and 0 at the goal
    for v, other in zip(near, others, strict=True):
        guess[v] = round((1 - error) * truth[v] + error * truth[other])
    return GuessedWorld(world.graph, world.place, world.luck, world.start, world.goal, tuple(guess))


def plan_once(world: World, rate: float) -> Trip:
    """A walker that follows a cheapest way until a call fails."""
    trip, route = Trip(), astar(world.graph, world.start, {world.goal}, lambda v: world.h(v, world.goal)).vertices
    trip.arrived = all(trip.attempt(world, u, v, rate) for u, v in pairwise(route))
    return trip


SEARCHERS: dict[str, Callable[[World, float], Trip]] = {
    "best-first": AGENTS["best-first"],
    "next price": lambda world, rate: tree_search(world, rate, lambda g, u, v: world.graph[u][v] + world.left(v)),
    "A*": AGENTS["astar"],
    "eager A*": AGENTS["eager"],
}
WALKERS = {"greedy": AGENTS["greedy"], "plan once": plan_once, "D* Lite": AGENTS["dstar"]}


# ---------------------------------------------------------------- trees


def trip_of(result: Result) -> Trip:
    """A run of a tree search as a trip. A round is a wait for tools."""
    bill = result.trace.result.get("tools", {"calls": 0, "failed": 0, "total": 0})
    rounds = sum(event["kind"] == "acted" for event in result.trace.events)
    arrived = bool(result.answers) and result.stopped == "done"
    return Trip(arrived, bill["total"], bill["calls"], rounds, bill["failed"])


@dataclass(frozen=True)
class JudgedGrove(Grove):
    """A tree of thoughts whose calls have ``prices``, of mean 1, and whose judge has an ``error``."""

    error: float = 0.0
    prices: str = "equal"

    def price(self, state: State) -> float:
        if state.terminal or self.prices == "equal" or not state.last:
            return super().price(state)
        chance = drawn("price", self.number, state.last.text)
        if self.prices == "unequal":
            return 0.5 if chance < 0.5 else 1.5
        return 3.25 if chance < 0.25 else 0.25

    def judged(self, state: State) -> float:
        noise = drawn("noise", self.number, state.last and state.last.text)
        return (1 - self.error) * self.finds(state) / FINDS + self.error * noise

    def trip(self, who: str) -> Trip:
        """One run of the search ``who``, with lazy tools."""
        return trip_of(run(self.ranked(RANKS[who]) if who in RANKS else self.searches(True)[CHARGED[who]], {}))

    def ranked(self, price: float) -> Search:
        """The loop of A*, but by ``price`` times what the newest call costs - V: nothing paid before it counts."""

        def rank(s: Node) -> float:
            return price * self.price(s.state) - WEIGHT * (s.value or 0.0)

        limits = {"depth": DEPTH, "rounds": ROUNDS}
        return informed(Node(State("x")), self.generate, self.evaluate, rank, act=self.act, lazy=True, **limits)


RANKS = {"best-first": 0.0, "next price": 1.0}
CHARGED = {"A*": "A*", "D*": "D* Lite, path, discount 0.5"}


def states(grove: Grove) -> list[State]:
    """All states of one to three thoughts, their calls made and nothing failing."""
    worked = Observation("", 1.0)
    every = [State("x")]
    for depth in range(3):
        above = [state for state in every if len(state.thoughts) == depth]
        for state in above:
            text = state.last.text if state.last else ""
            every += [state.then(Thought(f"{text}{i}", observation=worked)) for i in range(WIDTH)]
    return every[1:]


# ---------------------------------------------------------------- what a guess is worth


def in_order(truth: Sequence[float], guess: Sequence[float]) -> float:
    """Of all pairs that differ in truth: the share that the guess puts in the right order. Equal guesses count half."""
    t, g = (np.sign(np.subtract.outer(values, values)) for values in (truth, guess))
    return float(((t * g)[t != 0] + 1).mean() / 2)
