"""Every agent in every world, at every setting of the dials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from studies.tool_routes import Trip
from studies.tools_pay.worlds import (
    CHARGED,
    RANKS,
    SEARCHERS,
    WALKERS,
    JudgedGrove,
    guessed,
    priced,
    struck_by_area,
    truths,
)
from studies.trials import Line, trials
from treebook.studies.routes import make_world

RATES = (0.0, 0.1, 0.2, 0.4)
FAILURES = [(False, rate) for rate in RATES] + [(True, rate) for rate in RATES if rate]  # (together, rate)
PRICES = ("equal", "unequal", "very unequal")
ERRORS: dict[str, tuple[str | float, ...]] = {"map": (0.0, "bound", 0.33, 0.67, 1.0), "tree": (0.0, 0.33, 0.67, 1.0)}

Job = tuple[int, str, str]  # a world's number, "map" or "tree", its prices
Bill = tuple[float, bool]  # what was spent, and whether the agent arrived
Runs = dict[str, list[Bill]]  # agent -> its bill in each world


class Cell(NamedTuple):
    """A setting of the dials. ``part``: "searchers", "walkers" or "trees"; ``together``: failures by area or branch."""

    part: str
    prices: str
    together: bool
    rate: float
    error: str | float

    @property
    def key(self) -> str:
        failures = f"{self.rate:.0%} fail {'together' if self.together else 'alone'}" if self.rate else "nothing fails"
        return f"{self.part}, {self.prices} prices, {failures}, error {self.error}"


def cells() -> Iterator[Cell]:
    for part, world in (("searchers", "map"), ("walkers", "map"), ("trees", "tree")):
        for prices, (together, rate), error in product(PRICES, FAILURES, ERRORS[world]):
            yield Cell(part, prices, together, rate, error)


def on_map(number: int, prices: str) -> Iterator[tuple[Cell, str, Trip, float]]:
    """All runs on one map: the cell, the agent, its trip, and the unit that it is counted in."""
    plain = priced(make_world(number), number, prices)
    truth = truths(plain)
    unit = truth[plain.start]
    for together, rate in FAILURES:
        world = struck_by_area(plain, number) if together else plain
        know_the_map = {who: walk(world, rate) for who, walk in WALKERS.items() if who != "greedy"}
        for error in ERRORS["map"]:
            seen = guessed(world, number, error, truth)
            for who, search in SEARCHERS.items():
                yield Cell("searchers", prices, together, rate, error), who, search(seen, rate), unit
            for who, trip in {"greedy": WALKERS["greedy"](seen, rate), **know_the_map}.items():
                yield Cell("walkers", prices, together, rate, error), who, trip, unit


def in_tree(number: int, prices: str) -> Iterator[tuple[Cell, str, Trip, float]]:
    """All runs in one tree of thoughts."""
    for (together, rate), error in product(FAILURES, ERRORS["tree"]):
        grove = JudgedGrove(number, rate, together, error, prices)
        for who in (*RANKS, *CHARGED):
            yield Cell("trees", prices, together, rate, error), who, grove.trip(who), 1.0


PLAYS = {"map": on_map, "tree": in_tree}


def play(job: Job) -> Line:
    """All runs in one world, as a line to be kept."""
    number, world, prices = job
    runs: dict[str, dict[str, list[float]]] = {}
    for cell, who, trip, unit in PLAYS[world](number, prices):
        runs.setdefault(cell.key, {})[who] = [round(trip.spent / unit, 6), int(trip.arrived)]
    return {"world": world, "prices": prices, "number": number, "runs": runs}


def lines_of(file: Path, worlds: int) -> list[Line]:
    """All lines for so many worlds, in order; what ``file`` does not hold yet is played."""
    todo = {job: job for job in product(range(worlds), PLAYS, PRICES)}
    return [*trials(todo, play, file, lambda line: (line["number"], line["world"], line["prices"])).values()]


def by_cell(lines: Iterable[Line]) -> dict[Cell, Runs]:
    """Every agent's runs in every cell, world by world."""
    cell_of = {cell.key: cell for cell in cells()}
    found: dict[Cell, Runs] = {}
    for line in lines:
        for key, agents in line["runs"].items():
            for who, (spent, arrived) in agents.items():
                found.setdefault(cell_of[key], {}).setdefault(who, []).append((spent, bool(arrived)))
    return found
