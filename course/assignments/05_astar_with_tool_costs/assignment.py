# %% [markdown]
# # 5. A* where every look costs
#
# You want to know which river flows through the town where a certain astronomer was born. Some tools are cheap and
# some are dear; some answer and some are down. You may look things up in any order, and each look is paid at once. In
# which order do you look, and what does it cost you to be *sure* that there was no cheaper way?
#
# **Before you start**: chapters 10 and 11. **Time**: two weeks. **100 points**: 80 by tests, 20 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | A* | 30 |
# | 2 | may it be trusted? | 20 |
# | 3 | a call that may fail | 15 |
# | 4 | when looks are paid for | 15 |
# | 5 | which order would you take? | 20 |

# %% given="set-up"
import heapq
from itertools import count, pairwise
from math import inf, isclose
from random import Random
from statistics import fmean

from tot import stats
from treebook.graph import astar as checked

# %% [markdown]
# A map of tools is a dictionary of dictionaries: `TOWN["question"]["search"]` is the price of the call that leads from
# the one page to the other. Every page is a key. Prices are whole numbers or quarters, so sums are exact.

# %% given="maps"
TOWN = {
    "question": {"astronomer": 2, "town list": 1},
    "astronomer": {"birthplace": 1.5, "town list": 0.25},
    "town list": {"birthplace": 3, "river": 6},
    "birthplace": {"river": 1},
    "river": {},
}


def made_map(seed, pages=14, goal_left=True):
    """A random map: a graph, its start, its goals, and a guess that never says too much."""
    rng = Random(seed)
    graph = {u: {} for u in range(pages)}
    for u in graph:
        for v in rng.sample(range(pages), 4):
            if v != u:
                graph[u][v] = rng.choice([1, 1.5, 2, 4, 8])
    goals = set(rng.sample(range(1, pages), 2))
    back = {u: checked(graph, u, goals).cost for u in graph}
    guess = {u: min(back[u], 40) * rng.choice([0, 0.25, 0.5, 1]) for u in graph}
    return graph, 0, goals, guess.get


# %% [markdown]
# ## Task 1: A* (30 points)
#
# Write `astar(graph, start, goals, h)`. It returns the triple (cost, path, expanded): the cost of a cheapest way from
# `start` to one of the `goals` (a set), that way as a list of pages, and the list of pages in the order in which they
# were expanded. The goal that ends the search is not expanded.
#
# - Always take the open page of lowest g + h. Of equals, the one that was put on the open list first.
# - The search ends when a goal is **taken**.
# - A page to which a cheaper way turns up is put on the open list anew, so behind its equals, even if it is still there
#   or was expanded before. `h` never says too much, but it need not be consistent.
# - If no goal can be reached: `(inf, [], expanded)`.
#
# (`checked` is the package's A\*. It is there to compare with, and for task 2; here it is taken away when you are
# graded.)


# %% solution="astar"
def path_to(v, parent):
    """The way from the start to v."""
    ### BEGIN SOLUTION
    path = [v]
    while path[-1] in parent:
        path.append(parent[path[-1]])
    return path[::-1]
    ### END SOLUTION


def astar(graph, start, goals, h):
    """(cost, path, expanded)"""
    ### BEGIN SOLUTION
    g, parent, order = {start: 0}, {}, count()
    queue, expanded, done = [(h(start), next(order), start)], [], {}
    while queue:
        _, _, u = heapq.heappop(queue)
        if done.get(u, inf) <= g[u]:
            continue
        done[u] = g[u]
        if u in goals:
            return g[u], path_to(u, parent), expanded
        expanded.append(u)
        for v, price in graph[u].items():
            new = g[u] + price
            if new < g.get(v, inf):
                g[v], parent[v] = new, u
                heapq.heappush(queue, (new + h(v), next(order), v))
    return inf, [], expanded
    ### END SOLUTION


# %% test="1" points=10
cost, path, expanded = astar(TOWN, "question", {"river"}, lambda v: 0)
assert cost == 4.5 and path == [
    "question",
    "astronomer",
    "birthplace",
    "river",
], (cost, path)
assert expanded[0] == "question" and "river" not in expanded
assert astar(TOWN, "river", {"question"}, lambda v: 0) == (inf, [], ["river"])
assert astar(TOWN, "river", {"river"}, lambda v: 0) == (0, ["river"], [])

# %% hidden="1 cheapest" points=20
# Hidden: random maps with guesses that are admissible and not consistent.
four = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}, "G": {}}
assert astar(four, "S", {"G"}, {"S": 0, "A": 2.5, "B": 0, "G": 0}.get)[0] == 3.5
some = [made_map(seed) for seed in range(150)]


def gone(*_, **__):
    raise NameError("the package's own is taken away here, under every name")


package, checked.__code__ = checked.__code__, gone.__code__  # task 1 has to do without it
try:
    mine = [astar(*one) for one in some]
finally:
    checked.__code__ = package
for seed, ((graph, start, goals, h), (cost, path, expanded)) in enumerate(zip(some, mine)):
    theirs = checked(graph, start, goals, h)
    assert cost == theirs.cost, (seed, cost, theirs.cost)
    assert expanded == list(theirs.expanded), f"map {seed}: other pages are expanded"
    if path:
        assert path[0] == start and path[-1] in goals
        assert cost == sum(graph[u][v] for u, v in pairwise(path))

# %% [markdown]
# ## Task 2: may it be trusted? (20 points)
#
# Write `too_high(graph, goals, h)`: the list of pages where `h` says more than is really left, in the order of the
# graph's keys (empty: h is admissible). And write `steep(graph, h)`: the list of calls `(u, v)` along which `h` falls by
# more than the price, in the order of the dictionaries (empty: h is consistent). What is left at a page from which no
# goal can be reached is infinite.


# %% solution="trust"
def too_high(graph, goals, h):
    """The pages where h is not admissible."""
    ### BEGIN SOLUTION
    found = []
    for u in graph:
        left = checked(graph, u, goals).cost
        if h(u) > left:
            found.append(u)
    return found
    ### END SOLUTION


def steep(graph, h):
    """The calls where h is not consistent."""
    ### BEGIN SOLUTION
    return [(u, v) for u in graph for v, price in graph[u].items() if h(u) - h(v) > price]
    ### END SOLUTION


# %% test="2" points=8
flat = dict.fromkeys(TOWN, 0) | {"question": 5, "birthplace": 1}
assert too_high(TOWN, {"river"}, flat.get) == ["question"]
assert ("question", "astronomer") in steep(TOWN, flat.get)

# %% hidden="2 both" points=12
# Hidden: admissible and not consistent, consistent with a goal that is not zero, pages that lead nowhere.
four = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}, "G": {}}
guess = {"S": 0, "A": 2.5, "B": 0, "G": 0}
assert too_high(four, {"G"}, guess.get) == [] and steep(four, guess.get) == [("A", "B")]
assert too_high(four, {"G"}, lambda v: 7) == ["S", "A", "B", "G"] and steep(four, lambda v: 7) == []
left = {"S": 3.5, "A": 2.5, "B": 2, "G": 0}
assert too_high(four, {"G"}, left.get) == [] and steep(four, left.get) == [], "what is left falls by the price, not by more"
nowhere = {"S": {"X": 1, "G": 3}, "X": {}, "G": {}}
assert too_high(nowhere, {"G"}, {"S": 3, "X": 99, "G": 0}.get) == []
for seed in range(20):
    graph, _, goals, h = made_map(seed)
    left = {u: checked(graph, u, goals).cost for u in graph}
    assert too_high(graph, goals, lambda v: 2 * h(v)) == [u for u in graph if 2 * h(u) > left[u]]
    graph = {u: dict(reversed(graph[u].items())) for u in reversed(graph)}
    falls = [(u, v, price) for u, calls in graph.items() for v, price in calls.items()]
    assert steep(graph, h) == [(u, v) for u, v, price in falls if h(u) > h(v) + price], "in the order of the dictionaries"

# %% [markdown]
# ## Task 3: a call that may fail (15 points)
#
# A call costs `price` whether it works or not, and fails with probability `fail`, each time anew. You try at most
# `tries` times and stop at the first success. Write `retrying(price, fail, tries)`: the pair (expected cost, probability
# that it worked in the end). `fail` may be 1.


# %% solution="retrying"
def retrying(price, fail, tries):
    """(expected cost, probability of success)"""
    ### BEGIN SOLUTION
    worked = 1 - fail**tries
    expected = price * worked / (1 - fail) if fail < 1 else price * tries
    return expected, worked
    ### END SOLUTION


# %% test="3" points=5
cost, works = retrying(2, 0.5, 2)
assert isclose(works, 0.75)

# %% hidden="3 on paper" points=10
# Hidden: by adding up the cases, at both ends, too.
for price, fail, tries in (
    (2, 0.5, 2),
    (3, 0, 5),
    (2.5, 1, 4),
    (4, 0.25, 1),
    (1.5, 0.9, 12),
):
    cases = [(i * price, fail ** (i - 1) * (1 - fail)) for i in range(1, tries + 1)]
    by_hand = sum(c * p for c, p in cases) + tries * price * fail**tries
    cost, works = retrying(price, fail, tries)
    assert isclose(cost, by_hand) and isclose(works, sum(p for _, p in cases)), (price, fail, tries)

# %% [markdown]
# A retry that is paid for and not counted makes a tool look cheap. If your expected cost of `retrying(2, 0.5, 2)` is
# not 3, look again: with probability one half the second call is made.
#
# ## Task 4: when looks are paid for (15 points)
#
# Now no map is known. The search stands at pages that it has reached, sees the calls that lead on and their prices, and
# each call is paid when it is made. Some calls are down: they cost their price and lead nowhere. Write `explore(graph,
# start, goals, h, weight, down)`:
#
# - the open calls are all calls `(u, v)` from pages reached so far to pages not reached; make the one of lowest
#   `g[u] + price + weight * h(v)`, each call at most once. Of equals, the call that became open first (the calls of a
#   page become open together, in the order of its dictionary);
# - a call in the set `down` is paid for and leads nowhere; otherwise v is reached with `g[v] = g[u] + price`;
# - the search ends when a goal is reached, or no call is left.
#
# Return (path cost, total): `g` of the goal, `inf` if none was reached; and what all calls cost together.


# %% solution="explore"
def explore(graph, start, goals, h, weight, down=frozenset()):
    """(what the way cost, what everything cost)"""
    ### BEGIN SOLUTION
    g, total, order, calls = {start: 0}, 0, count(), []

    def open_calls(u):
        for v, price in graph[u].items():
            rank = g[u] + price + weight * h(v)
            heapq.heappush(calls, (rank, next(order), u, v, price))

    if start in goals:
        return 0, 0
    open_calls(start)
    while calls:
        _, _, u, v, price = heapq.heappop(calls)
        if v in g:
            continue
        call = (u, v)
        total += price
        if call in down:
            continue
        g[v] = g[u] + price
        if v in goals:
            return g[v], total
        open_calls(v)
    return inf, total
    ### END SOLUTION


# %% test="4" points=3
# with one way only, path and total are the same
line = {"a": {"b": 1}, "b": {"c": 2}, "c": {}}
assert explore(line, "a", {"c"}, lambda v: 0, 1) == (3, 3)
assert explore(line, "a", {"a", "c"}, lambda v: 0, 1) == (0, 0)

# %% hidden="4 two bills" points=12
# Hidden: which call comes next, calls that are down, goals that are out of reach, on random maps.
fork = {"s": {"x": 4, "y": 1}, "x": {"g": 1}, "y": {"g": 9}, "g": {}}
assert explore(fork, "s", {"g"}, {"s": 0, "x": 1, "y": 3, "g": 0}.get, 1) == (
    5,
    6,
)
assert explore(fork, "s", {"g"}, lambda v: 0, 0, {("x", "g")}) == (10, 15)
assert explore(fork, "s", {"g"}, lambda v: 0, 0, {("x", "g"), ("y", "g")}) == (
    inf,
    15,
)


def plain(graph, start, goals, h, weight, down):
    g, total, seen = {start: 0}, 0, [(start, v) for v in graph[start]]
    while seen and not goals & set(g):
        u, v = min(seen, key=lambda c: g[c[0]] + graph[c[0]][c[1]] + weight * h(c[1]))
        seen.remove((u, v))
        total += graph[u][v]
        if (u, v) not in down:
            g[v] = g[u] + graph[u][v]
            seen = [c for c in seen if c[1] != v] + [(v, w) for w in graph[v] if w not in g]
    return min((g[v] for v in goals if v in g), default=inf), total


for seed in range(80):
    graph, start, goals, h = made_map(seed)
    down = {(u, v) for u in graph for v in graph[u] if Random(f"{seed} {u} {v}").random() < 0.3}
    for weight in (0, 1, 3):
        assert explore(graph, start, goals, h, weight, down) == plain(graph, start, goals, h, weight, down)

# %% [markdown]
# ## Task 5: which order would you take? (20 points, graded by a person)
#
# Take a hundred maps, `made_map(seed)`, and let three in ten calls be down (make your own set, the same for all orders).
# Compare the weights 0, 1, 2 and 5: mean path cost and mean total over the maps on which a goal was reached, with an
# interval. Then suppose each call may be tried up to three times and fails with probability 0.3, independently: use
# task 3 to say what that does to prices and to reaching the goal. In at most 200 words: which weight would you use if
# the way is walked once, and which if it will be walked a hundred times? What does A\*'s guarantee still promise here?

# %% solution="measure"
### BEGIN SOLUTION
for weight in (0, 1, 2, 5):
    ends = []
    for seed in range(100):
        graph, start, goals, h = made_map(seed)
        down = {(u, v) for u in graph for v in graph[u] if Random(f"{seed} {u} {v}").random() < 0.3}
        ends.append(explore(graph, start, goals, h, weight, down))
    reached = [end for end in ends if end[0] < inf]
    for name, values in zip(("path", "total"), zip(*reached, strict=True), strict=True):
        i = stats.bootstrap([[v] for v in values], resamples=500)
        print(f"weight {weight}, {name}: {i.rate:.1f} [{i.low:.1f}, {i.high:.1f}], n = {i.n}")
print(retrying(1, 0.3, 3), fmean([0.3, 0.3]))
### END SOLUTION

# %% [markdown] written="5" points=20
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
