"""A* on explicit graphs, against an oracle."""

from math import inf
from random import Random

import pytest
from graphs import cost_of, distances, random_graph

from treebook.graph import astar

#   S --1--> A --0.5--> B --2--> G      cheapest: 3.5
#   S --------2-------> B               h never overestimates, but falls by 2.5 from A to B, over an edge of 0.5
FOUR = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}}
INCONSISTENT = {"S": 0, "A": 2.5, "B": 0, "G": 0}


def test_the_four_node_graph_needs_reopening():
    d = distances(FOUR, {"G"})
    assert all(INCONSISTENT[v] <= d[v] for v in d) and INCONSISTENT["A"] > 0.5 + INCONSISTENT["B"]
    path = astar(FOUR, "S", {"G"}, INCONSISTENT.get)
    assert (path.cost, path.vertices, path.expanded) == (3.5, ("S", "A", "B", "G"), ("S", "B", "A", "B"))
    closed = astar(FOUR, "S", {"G"}, INCONSISTENT.get, reopen=False)
    assert (closed.cost, closed.vertices, closed.expanded) == (4, ("S", "B", "G"), ("S", "B", "A"))
    assert astar(FOUR, "S", {"G"}, reopen=False).cost == 3.5  # with h = 0 nothing needs it


def test_a_heuristic_that_is_not_zero_at_the_goals_may_take_the_dearer_one():
    """What breaks the promise of f = g - V on a tree: V differs between goals."""
    tree = {"x": {"cheap": 1, "dear": 3}}
    value = {"x": 0, "cheap": 0.5, "dear": 5}
    assert astar(tree, "x", {"cheap", "dear"}, lambda v: -value[v]).vertices == ("x", "dear")
    assert astar(tree, "x", {"cheap", "dear"}).vertices == ("x", "cheap")


def test_start_at_the_goal_no_way_and_ties():
    assert astar({}, "S", {"S"}) == astar(FOUR, "S", {"S"}) and astar({}, "S", {"S"}).cost == 0
    none = astar(FOUR, "B", {"S"})
    assert (none.cost, none.vertices, none.expanded) == (inf, (), ("B", "G"))
    assert astar({0: {2: 1, 1: 1}, 1: {3: 1}, 2: {3: 1}}, 0, {3}).vertices == (0, 2, 3)  # what was opened first
    with pytest.raises(ValueError, match="from A to B has the negative cost -1"):
        astar({"S": {"A": 1}, "A": {"B": -1}}, "S", {"G"})


def test_astar_against_the_oracle():
    """Consistent, admissible and overestimating heuristics on random graphs, with one goal or two."""
    dice, reopened, misled = Random(1), 0, 0
    for _ in range(1500):
        graph = random_graph(dice)
        goals = set(sorted(graph)[-dice.choice((1, 2)) :])
        d = distances(graph, goals)
        admissible = {v: dice.choice((0, min(d[v], 999))) for v in d}  # all or nothing: as inconsistent as can be
        consistent = distances({u: {v: c // 2 for v, c in e.items()} for u, e in graph.items()}, goals)
        for h, weight, twice in (
            (lambda v: 0, 1, False),
            (lambda v, h=consistent: min(h[v], 999), 1, False),
            (admissible.get, 1, True),
            (lambda v, h=admissible: 3 * h[v], 3, True),
        ):
            path = astar(graph, 0, goals, h)
            assert path.cost == inf if d[0] == inf else path.cost <= weight * d[0]
            if path.vertices:
                assert path.cost == cost_of(graph, path) and path.vertices[0] == 0 and path.vertices[-1] in goals
            again = len(path.expanded) > len(set(path.expanded))
            assert twice or not again
            reopened += again
            strict = astar(graph, 0, goals, h, reopen=False)
            assert strict.cost >= path.cost or weight > 1
            assert len(strict.expanded) == len(set(strict.expanded))
            misled += weight == 1 and strict.cost > path.cost
            if not twice:
                assert strict == path
    assert reopened > 50 and misled > 10  # the cases that matter did occur
