"""The study of tool routes: its agents against each other and brute force, and the figures that it wrote."""

import json
from itertools import pairwise

import pytest

from studies import tool_routes as study
from studies.figures import share
from studies.tools_pay.worlds import trip_of
from tot.runner import run
from treebook.graph import astar
from treebook.studies.routes import WIDTH, Grove

WORLDS = [study.make_world(seed) for seed in range(30)]


def test_worlds_are_sound():
    for world in WORLDS:
        assert 35 <= len(world.graph) <= 40 and world.start != world.goal
        assert all(c >= world.h(u, v) > 0 for u, ways in world.graph.items() for v, c in ways.items())
        assert study.reachable(world, 0)
        assert world == study.make_world(WORLDS.index(world))  # the same for a seed
        down = [{edge for edge, luck in world.luck.items() if luck < rate} for rate in study.RATES]
        assert all(less <= more for less, more in pairwise(down)) and not down[0]


@pytest.mark.parametrize("rate", [0.0, 0.3])
def test_agents(rate):
    for world in WORLDS:
        trips = {name: agent(world, rate) for name, agent in study.AGENTS.items()}
        best = astar(world.graph, world.start, {world.goal}).cost
        for name, trip in trips.items():
            assert not trip.arrived or study.reachable(world, rate)
            assert trip.rounds <= trip.calls and trip.failed <= trip.calls and (rate > 0 or trip.failed == 0)
            assert trip.calls <= study.CALLS or name == "eager"
        walkers = trips["replan"], trips["dstar"]
        if rate == 0:
            assert {trip.spent for trip in walkers} == {best} and all(trip.arrived for trip in walkers)
            assert trips["astar"].arrived and trips["best-first"].arrived
        assert not trips["best-first"].arrived or trips["best-first"].spent >= best
        if trips["astar"].calls < study.CALLS:
            assert trips["astar"].arrived == study.reachable(world, rate)  # nothing is given up


def test_groves():
    calm = Grove(3, 0, False)
    for lazy in (False, True):
        bills = {name: trip_of(run(search, {})) for name, search in calm.searches(lazy).items()}
        assert all(trip.arrived and trip.spent == trip.calls and not trip.failed for trip in bills.values())
        assert len({(t.spent, t.rounds) for name, t in bills.items() if name != "best-first"}) == 1  # nothing fails
    dead = Grove(3, 1, True)
    for search in dead.searches(False).values():
        trip = trip_of(run(search, {}))
        assert not trip.arrived and trip.failed == trip.calls - WIDTH  # all but the first thoughts
    assert not Grove(0, 0.5, True).fails("2")


@pytest.mark.slow
def test_the_file_is_what_the_study_writes():
    """The whole study takes a minute; here its small numbers are computed again."""
    figures = json.loads(study.RESULTS.read_text(encoding="utf-8"))
    graphs = figures["routes"]["graphs"]
    assert figures["rates"] == list(study.RATES) and graphs >= 1000
    assert set(figures["routes"]["agents"]) == set(study.AGENTS)
    worlds = [study.make_world(seed) for seed in range(graphs)]
    for name in ("greedy", "replan"):
        written = figures["routes"]["agents"][name]["0.4"]
        trips = [study.AGENTS[name](world, 0.4) for world in worlds]
        assert written["success"] == share([trip.arrived for trip in trips])
        assert written["spent"] == study.over(trip.spent for trip in trips)
