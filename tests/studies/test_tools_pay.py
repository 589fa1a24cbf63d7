"""The map of tools: its dials do what they say, agents meet the same worlds, and only a winner is called one."""

import json
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies import tools_pay
from studies.figures import share
from studies.tool_routes import reachable
from studies.tools_pay import runs, winning, worlds
from treebook.graph import astar
from treebook.studies.routes import make_world

WORLDS = [make_world(number) for number in range(8)]
ERRORS = [0.0, 0.2, 0.33, 0.5, 0.67, 1.0]


@pytest.mark.parametrize("prices", runs.PRICES)
def test_prices_keep_the_distance_a_lower_bound(prices):
    for number, plain in enumerate(WORLDS):
        world = worlds.priced(plain, number, prices)
        costs = [(c, world.h(u, v)) for u, ways in world.graph.items() for v, c in ways.items()]
        assert all(c >= far > 0 for c, far in costs)
        assert (len({c for c, _ in costs}) == 1) == (prices == "equal")
        assert {u: set(ways) for u, ways in world.graph.items()} == {u: set(w) for u, w in plain.graph.items()}
        if prices == "unequal":
            assert world is plain
        if prices == "very unequal":
            dear = sum(c == 10 * far for c, far in costs) / len(costs)
            assert {c / far for c, far in costs} == {1, 10} and 0.1 < dear < 0.4


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(WORLDS) - 1), st.sampled_from(runs.PRICES))
def test_a_guess_goes_from_exact_to_that_of_another_page(number, prices):
    world = worlds.priced(WORLDS[number], number, prices)
    truth = worlds.truths(world)
    near = [v for v, left in enumerate(truth) if left < float("inf")]
    assert truth[world.goal] == 0 and truth[world.start] == astar(world.graph, world.start, {world.goal}).cost
    seen = [worlds.guessed(world, number, error, truth) for error in ERRORS]
    assert [seen[0].left(v) for v in near] == [truth[v] for v in near]
    assert sorted(seen[-1].left(v) for v in near) == sorted(truth[v] for v in near)  # the same guesses, dealt out anew
    for v in near:
        off = [abs(each.left(v) - truth[v]) for each in seen]
        assert all(a <= b for a, b in pairwise(off)) and seen[-1].left(world.goal) == 0
    assert worlds.guessed(world, number, "bound", truth) is world  # the distance, as in tool_routes
    assert all(each.graph is world.graph and each.luck is world.luck for each in seen)


def test_every_agent_meets_the_same_world():
    """What an agent pays in the sweep, it pays alone, in a world made for it; and the line survives its file."""
    line = json.loads(json.dumps(runs.play((3, "map", "very unequal"))))
    world = worlds.priced(make_world(3), 3, "very unequal")
    truth = worlds.truths(world)
    cell = runs.Cell("searchers", "very unequal", True, 0.2, 0.67)
    for who, agent in worlds.SEARCHERS.items():
        alone = worlds.guessed(worlds.struck_by_area(world, 3), 3, 0.67, truth)
        trip = agent(alone, 0.2)
        assert line["runs"][cell.key][who] == [pytest.approx(trip.spent / truth[world.start], abs=1e-6), trip.arrived]
        assert not trip.arrived or reachable(alone, 0.2)
        assert trip.spent == sum(alone.graph[u][v] for u, v, _ in trip.tried) and len(trip.tried) == trip.calls
        assert all(works == (alone.luck[u, v] >= 0.2) for u, v, works in trip.tried)
    assert {cell.key for cell in runs.cells() if cell.part != "trees" and cell.prices == "very unequal"} == set(
        line["runs"]
    )


def noisy(seed: int, spent: float, n: int = 300, chance: float = 0.9) -> list[tuple[float, bool]]:
    dice = Random(seed)
    return [(spent * dice.uniform(0.5, 1.5), dice.random() < chance) for _ in range(n)]


def test_a_bill_is_all_that_was_spent_over_arrivals():
    assert winning.bills([(3.0, True), (1.0, False), (2.0, True)])[0] == 3
    assert winning.bills([(3.0, False)])[0] == winning.bills([(0.0, False)])[0] == float("inf")
    found = winning.compare({"a": [(4.0, False)] * 5, "b": [(4.0, True)] * 5})
    assert found["winner"] == "b" and found["agents"]["a"]["bill"] == [None] * 3


def test_a_planted_winner_is_found():
    found = winning.compare({"dear": noisy(0, 13), "cheap": noisy(1, 10), "dearest": noisy(2, 20)})
    assert found["winner"] == "cheap" and found["left"] == ["cheap"] and found["second"] == "dear"
    assert found["ahead"][1] > 1 and abs(found["ahead"][0] - 1.3) < 0.15


def stored():
    return json.loads(tools_pay.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_file_is_what_the_study_writes():
    """Two of its cells, computed again; the whole study takes minutes."""
    figures = stored()
    cells = {runs.Cell(*(each[field] for field in runs.Cell._fields)): each["agents"] for each in figures["cells"]}
    numbers = range(figures["worlds"])
    on_map, in_tree = (
        runs.Cell("searchers", "equal", True, 0.2, "bound"),
        runs.Cell("trees", "unequal", True, 0.4, 0.67),
    )
    again = []
    for number in numbers:
        world = worlds.priced(make_world(number), number, "equal")
        trip = worlds.SEARCHERS["A*"](worlds.struck_by_area(world, number), 0.2)
        again.append((trip.spent / worlds.truths(world)[world.start], trip.arrived))
    trips = [worlds.JudgedGrove(number, 0.4, True, 0.67, "unequal").trip("D*") for number in numbers]
    for cell, who, mine in (on_map, "A*", again), (in_tree, "D*", [(trip.spent, trip.arrived) for trip in trips]):
        assert cells[cell][who]["arrived"] == share([arrived for _, arrived in mine])
        assert cells[cell][who]["bill"] == pytest.approx(winning.interval(winning.bills(mine)), abs=0.002)
