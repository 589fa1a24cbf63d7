"""When do price, replanning and plain best-first search pay? A map of winners over SIMULATED worlds; no model.

    make study-tools        # python -m studies.tools_pay: minutes; writes studies/results/tools_pay.json

The worlds and the agents are those of ``studies.tool_routes``; here three dials are turned, all agents in the same
worlds. A dial is turned for every world alike, so cells share their worlds, too.

**The error of what searchers believe**, from 0 to 1. A searcher's guess of what is left is (1 - error) parts the truth
and error parts the truth of another page of the same map: at 0 exact, at 1 worthless, and of the right size at any
error. "bound" is the guess of ``tool_routes``: the plain distance, which is never too high. In trees a verdict is
(1 - error) parts the share of finds and error parts a number from 0 to 1 that knows nothing. The goal, and an answer,
are recognised at any error. To compare the dial with other tasks, each setting says how often its guess puts the
better of two in front (1: always; 0.5: worthless), which is what AUC says of a judge.

**How unequal prices are.** Equal; as in ``tool_routes`` (a call costs once to twice its distance; in trees 0.5 or
1.5); very unequal (one call in four costs ten times its distance; in trees 3.25, where the others cost 0.25).

**How often calls fail, and whether alone or together.** One by one, as ever. Or by area: pages of one square of the map
share a source, and where it is down, all calls *from* its pages fail; in trees by branch, as ever. The source of the
start works.

Three kinds of agents, never compared across kinds:

*searchers* on maps go on from any page seen so far at no cost: ``best-first`` takes the call with the lowest guess,
``next price`` the lowest price + guess, ``A*`` the lowest price so far + price + guess, all with lazy tools;
``eager A*`` tries all calls of a page that it opens.
*walkers* on maps pay for their way back: ``greedy`` follows the guess and never goes back, ``plan once`` follows a
cheapest way on the map until a call fails, ``D* Lite`` plans again. The last two know the map, and need no guess.
*trees* of thoughts, the searches of ``tot.search`` with lazy tools: ``best-first``, ``A*``, and ``D*``, which charges a
failure to its way (discount 0.5).

**Who wins.** Agents are compared by the *bill per arrival*: all that they spent, in worlds where they arrived and where
they did not, over the number of arrivals; it is what one answer costs somebody who has many questions. On maps each
world counts in units of its cheapest way, so 1 would be an agent who knows everything and meets no failure; in trees in
calls of mean price. An agent wins a cell if its bill is below that of each other one and all the 99 % intervals of the
paired differences of log bills (bootstraps over worlds) say so. Else nobody wins, and ``left`` names those who are not
beaten. ``fewer``: the winner arrives clearly less often than those named. All other intervals are 95 %.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from studies.tool_routes import (
    AGENTS,
    DEPTH,
    FAILURE_COST,
    FINDS,
    ROUNDS,
    WEIGHT,
    Grove,
    Page,
    Trip,
    World,
    drawn,
    make_world,
    reachable,
    share,
    tree_search,
    trip_of,
)
from tot.ask import Search
from tot.experiments.progress import Progress
from tot.graph import astar
from tot.jsonlines import Appender, read_lines
from tot.runner import run
from tot.search.informed import informed
from tot.state import Node, State

RESULTS = Path(__file__).parent / "results" / "tools_pay.json"
RUNS = Path("_build/tools_pay.jsonl")
WORLDS = 300
RATES = (0.0, 0.1, 0.2, 0.4)
PRICES = ("equal", "unequal", "very unequal")
ERRORS: dict[str, tuple[str | float, ...]] = {"maps": (0.0, "bound", 0.33, 0.67, 1.0), "trees": (0.0, 0.33, 0.67, 1.0)}
AREA = 16  # of the 64 x 64 squares of a map, so many by so many share a source
RESAMPLES = 2000

Figures = dict[str, Any]
Line = dict[str, Any]


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


# ---------------------------------------------------------------- all runs


class Cell(NamedTuple):
    """One setting of the dials. ``part``: "searchers", "walkers" or "trees"; ``together``: failures by area or branch."""

    part: str
    prices: str
    together: bool
    rate: float
    error: str | float

    @property
    def key(self) -> str:
        failures = f"{self.rate:.0%} fail {'together' if self.together else 'alone'}" if self.rate else "nothing fails"
        return f"{self.part}, {self.prices} prices, {failures}, error {self.error}"


Bill = tuple[float, bool]  # what was spent, and whether the agent arrived
Runs = dict[str, list[Bill]]  # agent -> its bill in each world
FAILURES = [(False, rate) for rate in RATES] + [(True, rate) for rate in RATES if rate]


def on_map(number: int, prices: str) -> Iterator[tuple[Cell, str, Trip, float]]:
    """All runs on one map: the cell, the agent, its trip, and the unit that it is counted in."""
    plain = priced(make_world(number), number, prices)
    truth = truths(plain)
    unit = truth[plain.start]
    for together, rate in FAILURES:
        world = struck_by_area(plain, number) if together else plain
        know_the_map = {who: walk(world, rate) for who, walk in WALKERS.items() if who != "greedy"}
        for error in ERRORS["maps"]:
            seen = guessed(world, number, error, truth)
            for who, search in SEARCHERS.items():
                yield Cell("searchers", prices, together, rate, error), who, search(seen, rate), unit
            for who, trip in {"greedy": WALKERS["greedy"](seen, rate), **know_the_map}.items():
                yield Cell("walkers", prices, together, rate, error), who, trip, unit


def in_tree(number: int, prices: str) -> Iterator[tuple[Cell, str, Trip, float]]:
    """All runs in one tree of thoughts."""
    for (together, rate), error in product(FAILURES, ERRORS["trees"]):
        grove = JudgedGrove(number, rate, together, error, prices)
        for who in (*RANKS, *CHARGED):
            yield Cell("trees", prices, together, rate, error), who, grove.trip(who), 1.0


PLAYS = {"map": on_map, "tree": in_tree}


def play(world: str, prices: str, number: int) -> Line:
    """All runs in one world, as a line to be kept."""
    runs: dict[str, dict[str, list[float]]] = {}
    calls = 0
    for cell, who, trip, unit in PLAYS[world](number, prices):
        runs.setdefault(cell.key, {})[who] = [round(trip.spent / unit, 6), int(trip.arrived)]
        calls += trip.calls
    return {"world": world, "prices": prices, "number": number, "calls": calls, "runs": runs}


def lines_of(runs: Path, worlds: int) -> list[Line]:
    """Play what ``runs`` does not hold yet; all its lines for so many worlds, in order."""
    jobs = list(product(range(worlds), PLAYS, PRICES))
    with Appender(runs) as file:  # lock first, then read: nobody writes in between
        lines = [line for _, line in read_lines(runs)] if runs.exists() else []
        done = {(line["number"], line["world"], line["prices"]): line for line in lines}
        bar, calls = Progress(len(jobs), skipped=len(done.keys() & set(jobs))), 0
        try:
            for number, world, prices in jobs:
                if (number, world, prices) not in done:
                    line = done[number, world, prices] = play(world, prices, number)
                    file.write(line)
                    calls += line["calls"]
                    bar.finished({"correct": all(hit for cell in line["runs"].values() for _, hit in cell.values())})
                    bar.update(calls, 0)
        finally:
            bar.close()
    return [done[job] for job in jobs]


def by_cell(lines: Iterable[Line]) -> dict[str, Runs]:
    """Every agent's runs in every cell."""
    found: dict[str, Runs] = {}
    for line in lines:
        for key, agents in line["runs"].items():
            for who, (spent, arrived) in agents.items():
                found.setdefault(key, {}).setdefault(who, []).append((spent, bool(arrived)))
    return found


# ---------------------------------------------------------------- who wins


@cache
def draws(n: int) -> np.ndarray:
    """How often each of n worlds is drawn: the first row once each, the others with replacement."""
    dice = Random(0)
    drawn_anew = [np.bincount(dice.choices(range(n), k=n), minlength=n) for _ in range(RESAMPLES)]
    return np.array([np.ones(n), *drawn_anew])


def interval(found: np.ndarray, level: float = 0.95) -> list[float | None]:
    """[estimate, low, high] of what ``draws`` gave. None: without bound."""
    tail = int((1 - level) / 2 * RESAMPLES)
    sorted_ = np.sort(found[1:])
    return [round(float(x), 4) if np.isfinite(x) else None for x in (found[0], sorted_[tail], sorted_[-1 - tail])]


def bills(runs: Sequence[Bill]) -> np.ndarray:
    """The bill per arrival, for each draw of worlds; inf where nobody arrives."""
    spent, arrived = np.array(runs, dtype=float).T
    with np.errstate(divide="ignore"):
        return (draws(len(runs)) @ spent) / (draws(len(runs)) @ arrived)


def ratio(a: Sequence[Bill], b: Sequence[Bill]) -> list[float | None]:
    """What a's bill per arrival is of b's in the same worlds, with its 99 % interval: above 1, a is dearer."""
    with np.errstate(invalid="ignore"):
        return interval(np.nan_to_num(bills(a) / bills(b), nan=1.0, posinf=inf), 0.99)


def dearer(a: Sequence[Bill], b: Sequence[Bill]) -> bool:
    low = ratio(a, b)[1]
    return low is None or low > 1


def arrives_less(a: Sequence[Bill], b: Sequence[Bill]) -> bool:
    """Does a arrive less often than b, clearly, in the same worlds?"""
    gaps = np.array([y - x for (_, x), (_, y) in zip(a, b, strict=True)], dtype=float)
    low = interval(draws(len(gaps)) @ gaps / len(gaps), 0.99)[1]
    return low is not None and low > 0


def compare(runs: Mapping[str, Sequence[Bill]]) -> Figures:
    """The agents of one cell against each other: who wins, and if nobody does, who is ``left``.

    Agents whose every run is the same (as those that differ in prices only, where prices are equal) are one agent, which
    goes by the first name. ``ahead``: how much dearer than the first the second one is.
    """
    agents: dict[str, Sequence[Bill]] = {}
    same: dict[str, str] = {}
    for who, mine in runs.items():
        twin = next((other for other in agents if list(agents[other]) == list(mine)), None)
        if twin:
            same[who] = twin
        else:
            agents[who] = mine
    first, *others = sorted(agents, key=lambda who: bills(agents[who])[0])
    left = [first] + [who for who in others if not dearer(agents[who], agents[first])]
    winner = first if left == [first] else None
    figures: Figures = {"winner": winner, "left": left, "same": same}
    if others:
        figures |= {"second": others[0], "ahead": ratio(agents[others[0]], agents[first])}
        figures["fewer"] = [who for who in others if arrives_less(agents[first], agents[who])]
    figures["agents"] = {who: {
        "arrived": share([arrived for _, arrived in mine]),
        "spent": interval(draws(len(mine)) @ np.array([spent for spent, _ in mine]) / len(mine)),
        "bill": interval(bills(mine)),
    } for who, mine in agents.items()}  # fmt: skip
    return figures
