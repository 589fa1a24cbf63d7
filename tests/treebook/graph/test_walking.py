"""An agent that discovers on the way which edges are broken."""

from itertools import pairwise
from math import inf
from random import Random

import pytest
from graphs import distances, estimate, random_graph

from treebook.graph import walk


def test_a_walk_by_hand():
    """S has two ways to G. The cheap one breaks at its second call; going back costs a call, too."""
    graph = {"S": {"A": 1, "B": 4}, "A": {"G": 1, "S": 1}, "B": {"G": 1}}
    done = walk(graph, "S", "G", lambda a, b: 0, lambda u, v: (u, v) != ("A", "G"))
    assert (done.route, done.failed, done.arrived) == (["S", "A", "S", "B", "G"], [("A", "G")], True)
    assert (done.spent, done.calls) == (1 + 1 + 1 + 4 + 1, 5)
    smooth = walk(graph, "S", "G", lambda a, b: 0, lambda u, v: True)
    assert (smooth.route, smooth.spent, smooth.calls, smooth.failed) == (["S", "A", "G"], 2, 2, [])
    lost = walk(graph, "S", "G", lambda a, b: 0, lambda u, v: v != "G")
    assert not lost.arrived and lost.route == ["S", "A", "S", "B"] and lost.failed == [("A", "G"), ("B", "G")]
    short = walk(graph, "S", "G", lambda a, b: 0, lambda u, v: True, calls=1)
    assert not short.arrived and short.route == ["S", "A"] and short.calls == 1
    assert walk(graph, "G", "G", lambda a, b: 0, lambda u, v: True).arrived
    for free in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="costs more than 0"):
            walk({"S": {"G": free}}, "S", "G", lambda a, b: 0, lambda u, v: True)


def test_walks_arrive_where_there_is_a_way_that_works():
    """It arrives if and only if no failure cuts it off, and pays for what it tries."""
    dice, outcomes = Random(3), {True: 0, False: 0}
    for _ in range(1000):
        graph = random_graph(dice, least=1)
        goal = len(graph) - 1
        down = {(u, v) for u, edges in graph.items() for v in edges if dice.random() < 0.4}
        h = estimate(dice, graph)
        done = walk(graph, 0, goal, h, lambda u, v, down=down: (u, v) not in down)
        real = {u: {v: c for v, c in edges.items() if (u, v) not in down} for u, edges in graph.items()}
        assert set(done.failed) <= down and len(set(done.failed)) == len(done.failed)
        assert not down & set(pairwise(done.route))
        moved = sum(graph[u][v] for u, v in pairwise(done.route))
        assert done.spent == moved + sum(graph[u][v] for u, v in done.failed)
        assert done.calls == len(done.route) - 1 + len(done.failed)
        if done.arrived:
            assert done.route[-1] == goal and distances(real, {goal})[0] < inf
        else:  # where it stands, no working way is left
            assert distances(real, {goal})[done.route[-1]] == inf
        outcomes[done.arrived] += 1
    assert min(outcomes.values()) > 100
