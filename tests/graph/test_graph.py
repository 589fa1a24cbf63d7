"""A* and D* Lite on explicit graphs, against an oracle that shares no code with them."""

from itertools import pairwise
from math import inf
from random import Random

import pytest

from tot.graph import DStarLite, astar, walk


def distances(graph, goals):
    """The oracle: what each vertex costs to the nearest goal, by relaxation over all edges (Bellman, Ford)."""
    vertices = {*graph, *(v for edges in graph.values() for v in edges), *goals}
    d = {v: 0 if v in goals else inf for v in vertices}
    for _ in vertices:
        for u, edges in graph.items():
            d[u] = min([d[u], *(c + d[v] for v, c in edges.items())])
    return d


def random_graph(dice, least=0):
    """A few vertices, and edges with whole costs, dearer to far vertices, so that ways of many steps are cheap."""
    n, thick = dice.randint(3, 9), dice.choice((0.2, 0.4, 0.7))
    return {
        u: {v: dice.randint(least, 5) * abs(u - v) for v in range(n) if v != u and dice.random() < thick}
        for u in range(n)
    }


def cost_of(graph, path):
    return sum(graph[u][v] for u, v in pairwise(path.vertices))


# ---------------------------------------------------------------- A*

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


# ---------------------------------------------------------------- D* Lite


def estimate(dice, graph):
    """h(a, b): the distance in the first graph, or 0. Edges only become dearer, so it stays consistent."""
    if dice.random() < 0.2:
        return lambda a, b: 0
    table = {b: distances(graph, {b}) for b in graph}
    return lambda a, b: min(table[b][a], 999)


def new_cost(dice, first):
    """Dearer, broken, or as at first; never cheaper, so that the estimate stays one."""
    return dice.choice((inf, first, first + dice.randint(0, 9)))


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


# ---------------------------------------------------------------- the agent


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
