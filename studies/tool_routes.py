"""How searches fare when tools fail: thousands of simulated runs, no model.

    python -m studies.tool_routes [--graphs 1000]     # writes studies/results/tool_routes.json

A tool-route graph: pages that lead to each other by tool calls. Everybody knows the map and the costs;
nobody knows which calls are down (for good, each with the failure rate) before trying them. A call costs the same
whether it works or not. The agents:

``greedy``      like ReAct: tries the call that leads nearest to the goal, never goes back
``best-first``  keeps every page it has opened, and tries the call from any of them that leads nearest
``astar``       the same by f = g + h: what the way there cost, the call itself, and what is left at least (lazy tools)
``eager``       the same, but opening a page tries all calls from it at once, as the iToT poster has it
``replan``      walks a plan by A*, and plans anew from scratch after each failure; going back is a call, too
``dstar``       the same walk with D* Lite, which repairs its plan

The tree searches may go on from any page they have seen at no cost, because a transcript can be continued from any
point. The walkers pay for going back. So the two groups are not the same kind of agent.

A round is a wait for tools: calls that do not wait for each other share one. Re-planning efficiency, which the poster
names and does not define: the extra spend and the extra rounds of a run that met failures, against the same run without
any; also divided by the failures met.
Intervals are 95 %: Wilson's for success, bootstraps over graphs for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from studies.figures import Figures, each, mean, share, write
from studies.options import options
from treebook.graph import astar, walk
from treebook.studies.routes import Page, World, make_world

RESULTS = Path(__file__).parent / "results" / "tool_routes.json"
RATES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
CALLS = 60  # at most so many in one run
RESAMPLES = 300


@dataclass
class Trip:
    """One run: did it arrive, what was ``spent``, how many ``calls`` in how many ``rounds``, ``failed`` ones, and how
    many vertices planning ``expanded`` (walkers only). ``tried``: the calls in order, and whether each worked (of
    agents that call through ``attempt``).
    """

    arrived: bool = False
    spent: float = 0
    calls: int = 0
    rounds: int = 0
    failed: int = 0
    expanded: int = 0
    tried: list[tuple[Page, Page, bool]] = field(default_factory=list)

    def attempt(self, world: World, u: Page, v: Page, rate: float) -> bool:
        """Make a call and pay for it. Does it work?"""
        works = world.luck[u, v] >= rate
        self.spent += world.graph[u][v]
        self.calls += 1
        self.failed += not works
        self.tried.append((u, v, works))
        return works


def greedy(world: World, rate: float) -> Trip:
    trip, at, seen, dead = Trip(), world.start, {world.start}, set[tuple[Page, Page]]()
    while at != world.goal and trip.calls < CALLS:
        ways = [v for v in world.graph[at] if v not in seen and (at, v) not in dead]
        if not ways:
            break
        to = min(ways, key=world.left)
        trip.rounds += 1
        if trip.attempt(world, at, to, rate):
            at = to
            seen.add(at)
        else:
            dead.add((at, to))
    trip.arrived = at == world.goal
    return trip


def tree_search(world: World, rate: float, rank: Callable[[int, Page, Page], float], eager: bool = False) -> Trip:
    """Open pages in order of ``rank(g, u, v)``, where g is what the way to u cost; from any page seen so far."""
    trip, g = Trip(), {world.start: 0}
    open_ = [(world.start, v) for v in world.graph[world.start]]
    works: dict[tuple[Page, Page], bool] = {}
    if eager:
        works = {(u, v): trip.attempt(world, u, v, rate) for u, v in open_}
        trip.rounds += 1
    while open_ and world.goal not in g and trip.calls < CALLS:
        u, v = min(open_, key=lambda call: rank(g[call[0]], *call))
        open_.remove((u, v))
        if v in g:
            continue
        if not eager:
            works[u, v] = trip.attempt(world, u, v, rate)
            trip.rounds += 1
        if works[u, v]:
            g[v] = g[u] + world.graph[u][v]
            new = [(v, w) for w in world.graph[v] if w not in g]
            if eager and v != world.goal:
                works |= {call: trip.attempt(world, *call, rate) for call in new}
                trip.rounds += 1
            open_ += new
    trip.arrived = world.goal in g
    return trip


def replan(world: World, rate: float) -> Trip:
    trip, at = Trip(), world.start
    known = {u: dict(ways) for u, ways in world.graph.items()}
    plan = astar(known, at, {world.goal}, world.left)
    trip.expanded = len(plan.expanded)
    route = list(plan.vertices[1:])
    while at != world.goal and route and trip.calls < CALLS:
        trip.rounds += 1
        if trip.attempt(world, at, route[0], rate):
            at = route.pop(0)
        else:
            del known[at][route[0]]
            plan = astar(known, at, {world.goal}, world.left)
            trip.expanded += len(plan.expanded)
            route = list(plan.vertices[1:])
    trip.arrived = at == world.goal
    return trip


def dstar(world: World, rate: float) -> Trip:
    done = walk(world.graph, world.start, world.goal, world.h, lambda u, v: world.luck[u, v] >= rate, calls=CALLS)
    return Trip(done.arrived, int(done.spent), done.calls, done.calls, len(done.failed), done.expanded)


AGENTS: dict[str, Callable[[World, float], Trip]] = {
    "greedy": greedy,
    "best-first": lambda world, rate: tree_search(world, rate, lambda g, u, v: world.left(v)),
    "astar": lambda world, rate: tree_search(world, rate, lambda g, u, v: g + world.graph[u][v] + world.left(v)),
    "eager": lambda world, rate: tree_search(world, rate, lambda g, u, v: g + world.graph[u][v] + world.left(v), True),
    "replan": replan,
    "dstar": dstar,
}


def reachable(world: World, rate: float) -> bool:
    """Is there a way that works? No agent can do better."""
    real = {u: {v: c for v, c in ways.items() if world.luck[u, v] >= rate} for u, ways in world.graph.items()}
    return astar(real, world.start, {world.goal}).cost < inf


def routes(graphs: int) -> Figures:
    worlds = [make_world(seed) for seed in range(graphs)]
    best = [astar(world.graph, world.start, {world.goal}, world.left) for world in worlds]
    figures: Figures = {
        "graphs": graphs,
        "pages": len(worlds[0].graph),
        "most calls": CALLS,
        "cheapest way": over(path.cost for path in best),
        "calls on it": over(len(path.vertices) - 1 for path in best),
        "reachable": {str(rate): share([reachable(world, rate) for world in worlds]) for rate in RATES},
        "agents": {},
    }
    for name, agent in AGENTS.items():
        calm = [agent(world, 0.0) for world in worlds]
        figures["agents"][name] = {
            str(rate): against(calm, calm if rate == 0 else [agent(world, rate) for world in worlds]) for rate in RATES
        }
    return figures


def against(calm: Sequence[Trip], trips: Sequence[Trip]) -> Figures:
    """Figures of ``trips``, and their extra spend and rounds over the same runs without failures.

    "extra" is over runs that met a failure and arrived in both worlds; so it says what it takes to get over failures,
    not how often that succeeds.
    """
    pairs = [(a, b) for a, b in zip(calm, trips, strict=True) if a.arrived and b.arrived and b.failed]
    figures = {
        "success": share([trip.arrived for trip in trips]),
        "spent": over(trip.spent for trip in trips),
        "rounds": over(trip.rounds for trip in trips),
        "failures met": over(trip.failed for trip in trips),
    }
    if any(trip.expanded for trip in trips):
        figures["expanded"] = over(trip.expanded for trip in trips)
    if pairs:
        met = [b.failed for _, b in pairs]
        figures["extra"] = {
            "runs": len(pairs),
            "spend": over(b.spent - a.spent for a, b in pairs),
            "rounds": over(b.rounds - a.rounds for a, b in pairs),
            "spend per failure": ratio([b.spent - a.spent for a, b in pairs], met),
            "rounds per failure": ratio([b.rounds - a.rounds for a, b in pairs], met),
        }
        if any(b.expanded for _, b in pairs):
            figures["extra"]["expanded per failure"] = ratio([b.expanded - a.expanded for a, b in pairs], met)
    return figures


def ratio(values: Sequence[float], counts: Sequence[float]) -> list[float]:
    """Sum of values over sum of counts, drawn anew in pairs."""
    pairs = [(float(value), float(count)) for value, count in zip(values, counts, strict=True)]
    return mean(pairs, lambda groups: sum(v for v, _ in groups) / sum(c for _, c in groups), RESAMPLES)


def over(values: Iterable[float]) -> list[float]:
    """The mean over graphs."""
    return each(values, RESAMPLES)


def main() -> None:
    a = options(__doc__, graphs=1000, out=RESULTS)
    write({"rates": RATES, "routes": routes(a.graphs)}, a.out)


if __name__ == "__main__":
    main()
