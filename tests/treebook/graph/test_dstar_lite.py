"""D* Lite on explicit graphs, against A* and an oracle."""

from fractions import Fraction
from math import inf
from random import Random

import pytest
from graphs import distances, estimate, random_graph

from treebook.graph import DStarLite, astar


def new_cost(dice, first):
    """Dearer, broken, or as at first; never cheaper, so that the estimate stays one."""
    return dice.choice((inf, first, first + dice.randint(0, 9)))


@pytest.mark.slow
def test_dstar_lite_against_a_fresh_astar_and_the_oracle_after_every_change():
    dice, arrived, stuck, repaired = Random(2), 0, 0, 0
    for _ in range(2000):
        first = random_graph(dice, least=1)
        graph = {u: dict(edges) for u, edges in first.items()}
        goal = len(graph) - 1
        h = estimate(dice, graph)
        planner = DStarLite(graph, 0, goal, h)
        for _ in range(8):
            way = planner.plan()
            fresh = astar(graph, planner.at, {goal}, lambda v, h=h, goal=goal: h(v, goal))
            assert way == fresh.cost == distances(graph, {goal})[planner.at]
            to = planner.follow()
            if planner.at == goal or to is None:
                assert (way == 0) if planner.at == goal else (way == inf)
                arrived, stuck = arrived + (planner.at == goal), stuck + (planner.at != goal)
                break
            assert graph[planner.at][to] + distances(graph, {goal})[to] == way
            if dice.random() < 0.6:
                planner.move(to)
            if dice.random() < 0.7:
                edges = [(u, v) for u, out in first.items() for v in out]
                some = dice.sample(edges, min(len(edges), dice.randint(1, 3)))
                changes = {(u, v): new_cost(dice, first[u][v]) for u, v in some}
                for (u, v), c in changes.items():
                    graph[u][v] = c
                planner.change(changes)
                repaired += 1
    assert arrived > 300 and stuck > 100 and repaired > 1500


def test_keys_of_fractions_are_exact():
    planner = DStarLite({0: {1: Fraction(1, 3)}, 1: {2: Fraction(1, 7)}, 2: {}}, 0, 2, lambda a, b: 0)
    assert planner.plan() == Fraction(10, 21) and planner.key(0) == (Fraction(10, 21), Fraction(10, 21))


def test_dstar_lite_repairs_less_than_it_would_plan_anew():
    """The paper's point: near the agent, a change touches few vertices of a plan that was made from the goal."""
    side = 12
    grid = {
        (x, y): {
            (x + dx, y + dy): 1
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= x + dx < side and 0 <= y + dy < side
        }
        for x in range(side)
        for y in range(side)
    }
    planner = DStarLite(grid, (0, 0), (11, 11), lambda a, b: 0)
    planner.plan()
    at_first = len(planner.expanded)
    to = planner.follow()
    planner.change({((0, 0), to): inf})
    assert planner.plan() == 22 and planner.follow() != to
    assert at_first > 100 and len(planner.expanded) - at_first <= 5


def test_new_edges_and_new_vertices_may_appear():
    planner = DStarLite({"S": {"A": 1}, "A": {"G": 8}}, "S", "G", lambda a, b: 0)
    assert planner.plan() == 9 and planner.follow() == "A"
    planner.change({("A", "N"): 2, ("N", "G"): 3})
    assert planner.plan() == 6
    planner.move("A")
    assert planner.plan() == 5 and planner.follow() == "N"
    planner.change({("A", "N"): inf, ("A", "G"): inf})
    assert planner.plan() == inf and planner.follow() is None
    with pytest.raises(ValueError, match="costs more than 0"):
        planner.change({("A", "N"): 0})
