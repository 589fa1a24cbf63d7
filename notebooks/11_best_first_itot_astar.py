# %% [markdown]
# # Best first and iToT-A*
#
# A search with tools holds several unfinished ideas, and the next step of each is a call that somebody pays for. Best-first
# search goes on with the idea that looks best. Should it matter what that idea has cost already?

# %% tags=["set-up"]
import random
import re
from collections import Counter
from dataclasses import dataclass
from math import fsum, inf
from statistics import NormalDist
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.state import Observation
from tot.tools import Costs, next_call
from treebook import show
from treebook.graph import astar
from treebook.nbsetup import setup
from treebook.studies.routes import Grove, make_world

setup()

# %% tags=["set-up"]
# Two searches of one simulated tree
TREES = range(200)


def on_tree(number, search, branches=True):
    grove = Grove(number, rate=0.3, branches=branches)
    return tot.run(grove.searches(lazy=False)[search], {})


def stuck(number):
    grove = Grove(number, rate=0.3, branches=True)
    down = sum(grove.fails(first + "0") for first in "012")
    unfinished = on_tree(number, "best-first").stopped == "unfinished"
    return down == 1 and unfinished


chosen = next(filter(stuck, TREES))
runs = {name: on_tree(chosen, name) for name in ("best-first", "A*")}
show.tool_trees(runs)

# %% [markdown]
# **Figure.** One simulated tree, one judge, two searches. A dot is a call that worked, a cross one that failed, the thick
# line the way to an answer. Best-first pays for 117 failed calls in one branch and never answers; A\* leaves after 9.
#
# Both searches believe the same judge, and the judge is wrong about the branch on top: its first page was a find, so whatever
# hangs below it looks near to an answer. But everything below it is down. Best-first has no reason to go elsewhere. The search on
# the right has one, for it also counts what it has spent. That is the idea of *informed Tree of Thoughts* (iToT), a poster that
# takes it from A\* {cite}`hart1968formal`. (The tree was picked because it shows this; how often it happens is counted below.)
#
# ## Learning objectives
#
# After this chapter you can
#
# - write Dijkstra's algorithm, best-first search and A\* as one loop with three orders, and tell the cost of a path from the bill
#   for finding it;
# - say under which conditions A\* returns a cheapest path, and show what happens when one of them is broken;
# - write iToT-A\* in a dozen lines, and say which part of A\* it keeps and which it loses;
# - predict what its one knob, the weight, does, and when counting the past pays.
#
# One short scene uses a recorded model. Everything else does without: maps and trees are simulated, and one thinker is a
# script that we wrote.
#
# ## A map with prices
#
# Forty pages lie on a grid. From each page some others can be called, at a price: the distance between the two, or up to twice
# that. We want a cheapest way from one page to another. For now the whole map is known and only the way is missing.
#
# Every search of this chapter keeps an **open list**, the pages that it has found and could look at next. It takes the one of
# lowest *rank* and looks where that one leads. Only the rank differs. Write $g$ for what the way to a page costs, and $h$ for a
# guess of what is left; here $h$ is the distance to the goal, which never says too much.
#
# | search | rank | in words |
# |---|---|---|
# | Dijkstra {cite}`dijkstra1959note` | $g$ | what the way there costs |
# | best-first | $h$ | what seems to be left |
# | A\* | $g + h$ | both |
#
# A page that is found again by a cheaper way goes back on the list, even if it was expanded before: it is *reopened*.


# %%
def find(graph, start, goal, rank, reopen=True):
    g, open_, expanded = {start: 0}, {start}, []
    while open_:
        u = min(open_, key=lambda v: (rank(g[v], v), v))
        open_.remove(u)
        if u == goal:
            break
        expanded.append(u)
        for v, price in graph[u].items():
            new = reopen or v not in expanded
            if new and g[u] + price < g.get(v, inf):
                g[v] = g[u] + price
                open_.add(v)
    return g.get(goal, inf), expanded


# %% [markdown]
# ### Predict: which finds the cheapest way, and which looks least?
#
# Three orders, one map. Filled pages were expanded, the thick line is the way that was found; the start has a thick ring, the
# goal two thin ones. Which orders will find a cheapest way, and which will have looked at the fewest pages?

# %% tags=["set-up"]
# Two hundred maps; the orders; means with 95% intervals
maps = [make_world(seed) for seed in range(200)]


def orders(h):
    cost, guess = lambda g, v: g, lambda g, v: h(v)
    both, twice = lambda g, v: g + h(v), lambda g, v: g + 2 * h(v)
    ranks = {"Dijkstra": cost, "best-first": guess, "A*": both}
    return ranks | {"A* with 2h": twice}


def mean(values, form=".0f"):
    found = stats.bootstrap([[v] for v in values], resamples=500)
    numbers = (found.rate, found.low, found.high)
    return "{} [{}, {}]".format(*(f"{x:{form}}" for x in numbers))


# %% tags=["plot", "predict"]
m, panels = maps[1], []
for name, rank in [*orders(m.left).items()][:3]:
    cost, seen = find(m.graph, m.start, m.goal, rank)
    way = astar({u: m.graph[u] for u in seen}, m.start, {m.goal})
    assert way.cost == cost
    looks = {"start": m.start, "goal": m.goal, "width": 224}
    looks |= {"path": way.vertices, "looked": seen}
    looks["title"] = f"{name}: cost {cost}, {len(seen)} expanded"
    panels.append(
        show.road_map(dict(enumerate(m.place)), m.graph, **looks)
    )
show.side_by_side(panels)

# %% [markdown]
# **Figure.** On this map Dijkstra expands 38 of 40 pages, A\* 25 for the same cost of 148, and best-first only 8, for a
# way of 163.
#
# ### Predict: and if every look has a price?
#
# With a map in hand, a look is free: you plan first, and pay when you travel. Tools turn this round. A call is made *in order
# to look*, and it is paid at once. Now there are two bills. The **path** is what the calls on the returned way cost, the
# **total** what all calls cost together. Which order has the smallest total, over two hundred maps? (A fourth one plays
# too: A\* with its guess doubled.)


# %% tags=["set-up"]
# The same loop, but each look is a call that is paid for
def explore(m, rank, sunk=1):
    def order(call):
        u, v = call
        return rank(sunk * g[u] + m.graph[u][v], v)

    g, total = {m.start: 0}, 0
    calls = [(m.start, v) for v in m.graph[m.start]]
    while m.goal not in g:
        u, v = min(calls, key=order)
        calls.remove((u, v))
        if v not in g:
            total += m.graph[u][v]
            g[v] = g[u] + m.graph[u][v]
            calls += [(v, w) for w in m.graph[v] if w not in g]
    return g[m.goal], total


# %% tags=["set-up", "predict"]
# The bills of four orders
rows, bills = [], {}
least = [astar(m.graph, m.start, {m.goal}).cost for m in maps]
for name in orders(None):
    ranks = [orders(m.left)[name] for m in maps]
    each = [*zip(maps, ranks, strict=True)]
    ways = [find(m.graph, m.start, m.goal, rank) for m, rank in each]
    bills[name] = [explore(m, rank) for m, rank in each]
    path, total = zip(*bills[name], strict=True)
    row = {"order": name, "expanded": mean(len(e) for _, e in ways)}
    rows.append(row | {"path": mean(path), "total": mean(total)})
    if name in ("Dijkstra", "A*"):
        assert least == [*path] == [cost for cost, _ in ways]
    for (cost, _), cheapest in zip(ways, least, strict=True):
        assert cost <= 2 * cheapest or name != "A* with 2h"
titles = {"order": "order", "expanded": "expanded, looks free"}
titles |= {"path": "path, looks paid", "total": "total, looks paid"}
pairs = zip(bills["A* with 2h"], bills["best-first"], strict=True)
gap = mean([a - b for (_, a), (_, b) in pairs], "+.1f")
print("total, A* with 2h less best-first, map by map:", gap)
note = f"means over {len(maps)} random maps, with 95% intervals"
show.table(rows, titles, caption=note, highlight=2)

# %% [markdown]
# **Table.** With looks that are paid for, A\* still returns a cheapest path, and pays more than twice as much as best-first
# to find it. The smallest totals are those of best-first and of the doubled guess, which cannot quite be told apart.
#
# **A\* finds a cheapest way. It does not find a way cheaply.** Its guarantee is about the first bill. To be sure of it, the search
# has to pay for calls on all the other ways that might have been cheaper.
#
# The last row overstates the guess on purpose, and is called *weighted* A\* {cite}`pohl1970heuristic`. It pays a little more
# than A\* for the path and saves all of the extra spending. With $2h$ the path can cost at most twice the cheapest; on our maps it
# costs six per cent more. Keep this weight in mind.
#
# ## What A\* promises, and when
#
# The way that A\* returns is a cheapest one under three conditions.
#
# 1. $h$ is **admissible**: it never overestimates what is left.
# 2. Pages are **reopened** when a cheaper way to them turns up. You may do without if $h$ is **consistent**: along a call
#    from $u$ to $v$ it falls by at most the price, $h(u) \le c(u, v) + h(v)$.
# 3. $h$ is **zero at every goal**. For an admissible $h$ that is never negative this comes for free, however many goals there
#    are, because at each of them nothing is left.
#
# Every consistent $h$ that is zero at the goals is admissible. The reverse does not hold, and four pages are enough to see what
# the difference costs.

# %% tags=["plot"]
four = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}, "G": {}}
guess = {"S": 0, "A": 2.5, "B": 0, "G": 0}
where = {"S": (0, 0), "A": (1, 0.6), "B": (2, 0), "G": (3, 0)}
left = {u: astar(four, u, {"G"}).cost for u in four}
said = {u: [f"h {guess[u]:g}", f"left {left[u]:g}"] for u in four}
assert all(guess[u] <= left[u] for u in four)  # admissible
falls = {(u, v): guess[u] - guess[v] for u in four for v in four[u]}
steep = [(u, v) for (u, v), fall in falls.items() if fall > four[u][v]]
assert steep == [("A", "B")]  # the one call where it is inconsistent
looks = {"start": "S", "goal": "G", "prices": True, "width": 440}
looks |= {"texts": {u: u for u in four}, "remarks": said}
show.road_map(where, four, **looks)

# %% [markdown]
# **Figure.** Four pages, with the guess $h$ and what is really left. The guess is admissible everywhere. From A to B it falls by
# 2.5, for a call of 0.5: there it is not consistent.
#
# ### Predict: what does A\* return if it never reopens a page?
#
# The cheapest way is S, A, B, G and costs 3.5. Follow the ranks $g + h$ with your finger.

# %% tags=["set-up"]
# The four pages, with reopening and without
rows = []
for reopen in (True, False):
    rank = lambda g, v: g + guess[v]  # noqa: E731
    cost, expanded = find(four, "S", "G", rank, reopen)
    theirs = astar(four, "S", {"G"}, guess.get, reopen=reopen)
    assert (cost, tuple(expanded)) == (theirs.cost, theirs.expanded)
    row = {"reopen": reopen, "expanded, in order": " ".join(expanded)}
    rows.append(row | {"cost of the way": cost})
asked = "Without reopening, what does the returned way cost?"
ends = {"low": 2.5, "high": 5, "step": 0.5}
show.Predict(asked, cost, **ends, shows=show.table(rows))

# %% [markdown]
# The large $h$ hides A. So B is expanded by its dear way, of cost 2, and when A comes up at last and offers B for 1.5, B is closed.
# Reopening repairs that, and expands B twice.
#
# ## From pages to thoughts
#
# In a tree of thoughts the vertices are states $s = [x, z_1, \dots, z_i]$: the question and the steps so far, each with its tool
# call and what the tool said. The poster's iToT-A\* takes the open state with the lowest
#
# $$ f = g - V, $$
#
# where $g$ is what the tools on its way have cost and $V$ is a judge's opinion of its prospects. It looks like A\*, and four things
# are different.
#
# | A\* on a map | iToT-A\* |
# |---|---|
# | many ways may lead to one page | one way leads to each state: nothing to reopen |
# | the calls are known | a model writes them, a few for each state |
# | $g$: what the way *would* cost | $g$: what it *has* cost, paid already |
# | $h \ge 0$: a guess of what is left | $-V \le 0$: an opinion, to be maximised |
#
# $V$ must be in the unit of the costs. We write it as $w \cdot v$: a verdict $v$ from 0 to 1, times a **weight** $w$, which says
# what a sure answer is worth. A little algebra then shows an old acquaintance:
#
# $$ f = g - w v = \underbrace{g + w (1 - v)}_{\text{A* with } h = w(1 - v)} - \; w . $$
#
# The constant at the end changes no order. So iToT-A\* **is** A\*, with the guess $w (1 - v)$: a state of verdict $v$ is treated as
# if $w(1-v)$ were still to pay.
#
# Its answer is sure to be a cheapest one, then, if the judge gives every answer $v = 1$, and every other state at least
# $1 - \text{left} / w$. No judge is asked for that. It is asked whether a state *will lead to the right answer*, and the replies
# to that question need not be 1 at an answer.
#
# So what is broken is the third condition: the guess need not be zero at a goal. Take two right answers. One costs 1, and the
# judge gives it $V = 0.5$; the other costs 3, and gets $V = 5$. Their $f$ are 0.5 and $-2$, so the dear one is taken, and nobody
# can call its path optimal ([I5](../book/errata.md#i5-the-promise-in-the-name): the name promises what the estimate cannot keep).
#
# ## iToT-A\* from scratch
#
# Here is one question on the book's small encyclopedia, with the three tools of chapter 10. The thinker and the judge are
# **authored**: a table of ours says which steps are proposed and what each is worth, before its tool has run and after. Of the
# four first ideas one remembers wrongly (Vienna), one is sensible (Pluto), one finds no page (IAU), and one guesses.

# %% tags=["set-up"]
# The question, and all that the authored thinker and judge know
task = tot.task("hotpotqa")
hard = task.problems("hard")
problem = next(p for p in hard if "Pluto is no planet" in p.x)
print(fill(problem.x, 70))
# after this action | do that | verdict before | after | the thought
AUTHORED = """
start | Search[Vienna] | 0.55 | 0.6 | I remember: they met in Vienna.
start | Search[Pluto] | 0.5 | 0.5 | The page of Pluto should tell.
start | Search[IAU] | 0.6 | 0.1 | The union of astronomers met.
start | Finish[Rhine] | 0.1 | 0.1 | I just guess.
Search[Vienna] | Search[Danube] | 0.65 | 0.55 | It is on the Danube.
Search[Vienna] | Lookup[Pluto] | 0.4 | 0.1 | Is Pluto named there?
Search[Danube] | Finish[Black Sea] | 0.3 | 0.3 | There it ends.
Search[Danube] | Lookup[joins] | 0.4 | 0.1 | What does it join?
Search[Pluto] | Lookup[2006] | 0.6 | 0.75 | The passage stops too soon.
Search[Pluto] | Search[Clyde Tombaugh] | 0.3 | 0.2 | Who found it?
Lookup[2006] | Search[Prague] | 0.8 | 0.85 | They met in Prague.
Lookup[2006] | Search[IAU] | 0.6 | 0.1 | I read on about the union.
Search[Prague] | Search[Vltava] | 0.9 | 0.95 | It is on the Vltava.
Search[Prague] | Lookup[river] | 0.6 | 0.3 | Is there another river?
Search[Vltava] | Finish[Elbe] | 1.0 | 1.0 | The Vltava joins the Elbe.
Search[Vltava] | Search[Elbe] | 0.5 | 0.5 | I check the Elbe.
"""
STEPS = [line.split(" | ") for line in AUTHORED.strip().splitlines()]


def thinker(request, sample):  # a language model made of these lines
    prompt = request.messages[-1].content
    actions = re.findall(r"^Action: (.+)$", prompt, re.M)
    newest = actions[-1] if actions else "start"
    if "Reply only with a score" in prompt:
        seen = "Observation:" in prompt.rpartition(newest)[2]
        return next(s[2 + seen] for s in STEPS if s[1] == newest)
    steps = [s for s in STEPS if s[0] == newest]
    if not steps:
        return "I am lost."
    _, action, _, _, why = steps[sample % len(steps)]
    return f"Thought: {why}\nAction: {action}"


lm = tot.Scripted(thinker, "authored thinker")

# %% [markdown]
# Three helpers ask: `think` for the next thoughts, `use_tool` for what a tool observes, `judge` for a verdict. A `Step` is a state
# with its $g$, its verdict, and its answer if it has one; `V_T` is the price of its last call: 1 for a Search, half of that
# for a Lookup, nothing for Finish. The loop is the one you know, and shorter, since in a tree nothing is found twice. The
# numbers in the comments are lines of the poster's algorithm 1.

# %% tags=["set-up"]
# What asks: for thoughts, for an observation, for a verdict
V_T = Costs.parse("Search=1,Lookup=0.5")


def think(state, k=4):
    [reply] = lm([task.act(state, ()).samples(0, k)])
    distinct = {}
    for text in reply.texts:
        [read] = task.read_act(state, text)
        if read.ok:
            distinct.setdefault(read.value.data.same, read.value)
    return [state.then(thought) for thought in distinct.values()]


def use_tool(state):
    if (request := next_call(state, "encyclopedia")) is None:
        return state  # Finish has nothing to run
    [reply] = task.tools([request])
    [said] = reply.samples
    failed = "" if said.finish == "stop" else said.finish
    return state.observed(Observation(said.text, V_T(state), failed))


def judge(state):
    [reply] = lm([task.prospect(state)])
    return task.read_prospect(reply.texts[0]).value.score


@dataclass(eq=False)
class Step:
    state: object
    g: float = 0  # in the poster infinity, even for the root
    v: float = 0
    answer: str | None = None


# %%
def informed(root, expand, rank, rounds=15):
    open_, taken = [root], []  # 2
    while open_ and len(taken) < rounds:  # 3
        taken.append(min(open_, key=lambda s: round(rank(s), 9)))  # 4
        open_.remove(taken[-1])  # the poster forgets this
        if taken[-1].answer is not None:  # 5
            break
        open_ += expand(taken[-1])  # 12 to 17
    return taken


# %%
def f(weight):
    return lambda s: s.g - weight * s.v  # 15


def expand(s):  # all children run their tools, as in the poster
    ran = [use_tool(state) for state in think(s.state)]
    return [Step(t, s.g + V_T(t), judge(t), t.answer) for t in ran]


# %% tags=["checked"]
WEIGHTS = (0, 1, 3, 4, 5, 8, 20)
root = Step(tot.State(problem.x))


def solve(method="itot-astar", **knobs):
    if method != "react":  # which has one sample at a time
        knobs = {"k": 4, **knobs}
    return tot.solve(task, problem, method, lm=lm, **knobs)


def ids(solution, kind):
    events = [e for e in solution.trace.events if e["kind"] == kind]
    return [node["id"] for event in events for node in event["nodes"]]


pairs = [(f(w), solve(weight=w)) for w in WEIGHTS]
pairs += [(lambda s: -s.v, solve("react-best-first"))]
for rank, solution in pairs:
    mine = informed(root, expand, rank)
    assert mine[-1].answer == solution.answer
    nodes = solution.trace.nodes()
    for s, id in zip(mine, ids(solution, "taken"), strict=True):
        assert s is root or s.state.last.text == nodes[id]["thought"]
        assert "f" not in nodes[id] or rank(s) == nodes[id]["f"]
print(f"the same states in the same order in {len(pairs)} searches")

# %% tags=["checked"]
# The textbook's A* on the finished tree, with h = w (1 - v)
for w, (_, solution) in zip(WEIGHTS, pairs, strict=False):
    nodes, graph = solution.trace.nodes(), {}
    for id, node in nodes.items():
        if above := nodes.get(node["parent"]):
            price = node["g"] - above["g"]
            graph.setdefault(above["id"], {})[id] = price
    goals = {id for id, node in nodes.items() if node.get("final")}
    h = {i: w * (1 - node.get("value", 0)) for i, node in nodes.items()}
    path = astar(graph, "0", goals, h.get)
    assert [*path.expanded, path.vertices[-1]] == ids(solution, "taken")
print("A* with h = w (1 - v) takes the same states, for w =", *WEIGHTS)

# %% [markdown]
# The second check is the algebra from above, run: for each weight we made a graph of the finished tree, gave the textbook's A\* the
# guess $w(1 - v)$, and it took the same states in the same order. Here is the search with $w = 5$.

# %%
eager = solve(weight=5)
show.explorer(eager)

# %% [markdown]
# **Figure.** Step through it, and read $f$ on the open list. Vienna is taken first: the thinker was sure, and the judge believed it.
# The Danube behind it costs more and is worth less, so the search turns to Pluto, and Prague, and the Elbe. (The header
# counts all requests: its 32 calls are 20 to the model and 12 to tools, and its rounds are the waits for either. In the text a
# call is a tool's.)
#
# ### Predict: the weight
#
# The weight is what a sure answer is worth, in Searches. What does the search answer for $w = 0$, where $f$ is the cost alone? Is
# there a weight at which it answers wrongly *although* it has paid for nearly the whole right way?


# %% tags=["set-up", "predict"]
# The bills of one question
def bill(search, solution):
    tools = {"calls": 0, "path": 0, "total": 0}
    tools |= solution.trace.result.get("tools", {})
    row = {"search": search, "answer": solution.answer}
    row |= {"right": solution.correct}
    return row | {name: tools[name] for name in ("path", "total")}


names = [*(f"w = {w}" for w in WEIGHTS), "best-first"]
searches = [solution for _, solution in pairs]
authored = "authored thinker, one question; costs in Searches"
show.table(
    map(bill, names, searches),
    caption=authored,
    highlight=lambda row: row["search"] in ("w = 3", "w = 4"),
)

# %% [markdown]
# **Table.** Too small a weight returns the guess, even after paying for most of the right way.
#
# With $w = 0$ the search is Dijkstra's, and its promise holds: it returns the cheapest answer there is. That is **the guess**, which
# costs nothing. So the lost guarantee need not be mourned, for it guaranteed the wrong thing, and $V$ has to be in $f$.
#
# With $w = 3$ or 4 something sad happens. The search pays for Vienna, for Pluto, and on towards the Elbe, and then takes the guess
# after all: each call has made $g$ larger, so the guess, with its $g$ of 0, looks better and better. But the money is spent,
# and stopping does not bring it back: it is a **sunk cost**. Anyone who cares only about what is still to be paid would leave
# $g$ out.
#
# ### Predict: the two bills, on many trees
#
# One question of our own making proves little, so we simulate. In random trees each state has three children, and calls cost 1, 2,
# 4 or 8. A call finds something half of the time, three finds make the answer, and the judge sees the share of finds, give or take 0.3.
# How do path and total move when the weight grows?


# %% tags=["set-up"]
# Simulated trees, and the two bills of a search of each
def grove(number, paid):
    def expand(s):
        path, finds = s.state
        if finds == 3:
            return [Step((f"{path}!", 3), s.g, 1.0, "found")]
        children = []
        for name in "abc":
            dice = random.Random(f"{number} {path}{name}")
            paid.append(dice.choice((1, 2, 4, 8)))
            found = finds + (dice.random() < 0.5)
            v = min(1, max(0, found / 3 + dice.uniform(-0.3, 0.3)))
            state = (path + name, found)
            children.append(Step(state, s.g + paid[-1], v))
        return children

    return expand


def trees(rank):
    bills = []
    for number in TREES:
        paid, root_ = [], Step(("", 0))
        taken = informed(root_, grove(number, paid), rank, rounds=2000)
        assert taken[-1].answer
        bills.append((taken[-1].g, sum(paid)))
    return bills


curve = {w: trees(f(w)) for w in (0, 1, 2, 4, 8, 16, 32, 64)}
curve["best-first"] = trees(lambda s: -s.v)

# %% mystnb={"image": {"alt": "Path cost and total spend over the weight, as two lines on a logarithmic axis. The path gets dearer from left to right, to about twice as much; the total falls from about 210 to about a fifth of that. At moderate weights the total has fallen steeply and the path has hardly risen."}} tags=["plot", "predict"]
labels = [str(w) for w in curve]
for i, name, marker in ((0, "path", "o"), (1, "total", "s")):
    groups = [[[b[i]] for b in bills_] for bills_ in curve.values()]
    found = [stats.bootstrap(group, resamples=500) for group in groups]
    bars = [[e.rate - e.low for e in found]]
    bars += [[e.high - e.rate for e in found]]
    ys, look = [e.rate for e in found], {"marker": marker, "capsize": 3}
    plt.errorbar(labels, ys, bars, label=name, **look)
    for x, e in zip(labels, found, strict=True):
        text = f"{e.rate:.1f}" if e.rate < 100 else f"{e.rate:.0f}"
        away = {"textcoords": "offset points", "ha": "center"}
        plt.annotate(text, (x, e.high), (0, 4), fontsize=8, **away)
plt.gca().set(yscale="log", xlabel="weight w", ylabel="cost")
plt.gca().yaxis.set_major_formatter("{x:g}")
plt.legend()
plt.show()

# %% [markdown]
# **Figure.** The two bills move in opposite directions, and not equally fast. Means over 200 simulated trees, with 95%
# intervals.
#
# A weight of 8 saves two thirds of the spending for a tenth more on the path. Beyond 16 the trade gets worse: from there to
# best-first the total falls by 8.8 more, and the path grows by 5.4. If each call is paid once, look at the total; if the path will be
# walked again and again, as a workflow, look at the path.
#
# Why is the path still a cheapest one at $w = 1$ and 2? The guess $w (1 - v)$ is often too high: a state with three finds has
# nothing left to pay, and its verdict may be only 0.7. But an A\* whose guess is too high by at most $e$ returns a path that is at
# most $e$ too dear, and prices are whole numbers here. As long as $e$ is below 1, that is nothing: it is 0.6 at $w = 2$, and 1.87 at $w = 4$,
# where 8 of the 200 paths are too dear.


# %% tags=["checked"]
# How much too high the guess can be, and what it costs
for w in (1, 2, 4):
    verdict = {n: max(0, n / 3 - 0.3) for n in range(4)}  # the lowest
    e = max(w * (1 - v) - (3 - n) for n, v in verdict.items())
    pairs_ = zip(curve[w], curve[0], strict=True)
    dear = sum(a > b for (a, _), (b, _) in pairs_)
    print(f"w = {w}: up to {e:.2f} too high, {dear} paths too dear")

# %% [markdown]
# ## When does the past pay?
#
# On maps it did not: there A\* paid more than twice what best-first paid, for a path nearly a fifth cheaper. The opening picture
# shows the other case. Here are all two hundred trees of that simulation. Calls cost 1, three in ten are down, at most forty states
# are expanded. Failures strike calls **one by one**, or **by branch**: then all calls below a first thought are down, or none.
#
# ### Predict: in which of these worlds does A\* spend less?

# %% tags=["set-up", "predict"]
# The same trees, searched by both
rows, only = [], {}
for how in ("one by one", "by branch"):
    found = {}
    for name in ("best-first", "A*"):
        ran = [on_tree(i, name, how == "by branch") for i in TREES]
        ends = [run.stopped == "done" for run in ran]
        bills_ = [run.trace.result["tools"]["total"] for run in ran]
        found[name] = ends, bills_
        row = {"calls fail": how, "search": name, "answers": sum(ends)}
        rows.append(row | {"spent": mean(bills_, ".1f")})
    (ends, spent), (ours, bills_) = found.values()
    gaps = [b - a for a, b in zip(spent, bills_, strict=True)]
    rows[-1]["tree by tree"] = mean(gaps, "+.1f")
    both = sum(map(all, zip(ends, ours, strict=True)))
    only[how] = sum(ends) - both, sum(ours) - both
for how, (a, b) in only.items():
    print(
        f"{how}: only best-first answers on {a} trees, only A* on {b}"
    )
print(f"exact p of the last two: {stats.mcnemar(a, b):.0e}")
note = f"{len(TREES)} simulated trees, eager tools, 95% intervals"
show.table(rows, caption=note, highlight=-1)

# %% [markdown]
# **Table.** By branch A\* answers on forty trees more, and spends less than half. One by one the two cannot be told apart.
#
# The cost so far does not make the answer optimal. It is a **brake**: it says for how long to believe the judge. Every step down adds
# to $g$, so a branch that promises and does not deliver looks worse with each call, until its neighbours look better. Where the guess
# is good, as on our maps, the brake only slows you down. Where whole branches mislead, it saves you. (A [larger
# study](study_tools_routes.ipynb) turns more dials: prices, errors of the judge, rates of failure.)
#
# ### The same with a real model, once
#
# Does it happen outside a simulation? Here is one question with a recorded model as thinker and judge: which gas makes up most of
# the air of Saturn's largest moon? ([The gallery](gallery_tools.ipynb) has both trees to step through.)

# %% tags=["set-up"]
# Two recorded searches of one question, and of all twenty
tape = tot.Cassette("cassettes/12.jsonl")
limits = {"lm": tape, "k": 3, "depth": 5, "rounds": 8}
recorded = {"best-first": "react-best-first", "iToT-A*": "itot-astar"}
rows, sent = [], {}
for name, method in recorded.items():
    easy = task.problems("easy")
    ran = [tot.solve(task, p, method, **limits) for p in easy]
    sent[name] = [run.result.ledger.total.calls for run in ran]
    [one] = [i for i, p in enumerate(easy) if "moon of Saturn" in p.x]
    row = bill(name, ran[one]) | {"requests": sent[name][one]}
    rows.append(row | {"ends": ran[one].result.stopped})
    right = f"{sum(run.correct for run in ran)} right"
    print(f"{name}: {mean(sent[name], '.1f')} requests, {right}")
gaps = [b - a for a, b in zip(*sent.values(), strict=True)]
print("iToT-A* less best-first:", mean(gaps, "+.1f"))
dearer, cheaper = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
print(f"it sends more on {dearer} questions, fewer on {cheaper}")
print(f"(all {len(easy)} easy questions, with 95% intervals)")
session = next(iter(tape.tape.sessions.values()))
note = f"this one question; {tape.name}, recorded {session['date']}"
show.table(rows, caption=note, highlight=1)

# %% [markdown]
# **Table.** An anecdote, n = 1: the same right answer, for 24 requests (to model and tools) instead of 39.
#
# Best-first has the answer on its list early, but the judge likes other states better, and it goes on until its rounds are used up.
# The price of those states makes A\* stop. The question was picked because it shows this; over all twenty easy questions the two
# send equally many requests, as far as that can be told, and A\* sends more on seven of them, fewer on six.
#
# ## Judge first, pay later
#
# The poster runs the tools of *all* children and then looks which child is best: **eager tools**. One can also judge a child by its
# action alone, at the price that its call will have, and make the call only when the child comes up: **lazy tools**. If the
# observation disappoints, the child goes back on the open list with its new $f$.

# %% tags=["set-up"]
# One question, five orders
compared = {
    "ReAct, one chain": solve("react"),
    "depth-first": solve("react-dfs"),
    "best-first": solve("react-best-first"),
    "iToT-A*, eager tools": eager,
    "iToT-A*, lazy tools": solve(weight=5, lazy=True),
}
rows = []
for name, run in compared.items():
    kinds = Counter(event["kind"] for event in run.trace.events)
    rows.append(bill(name, run) | {"waits for tools": kinds["acted"]})
show.table(rows, caption=authored, highlight=-1)

# %% [markdown]
# **Table.** Lazy tools find the same path for less, with one more wait.
#
# Lazy calls come one after the other where eager ones are made together, and the judge is asked twice about each. They also fall for
# promises: what has not been opened looks better than it is. The first two rows are the cheapest, and wrong. ReAct is a single
# chain; depth-first search, as in [chapter 8](08_tot_dfs_crosswords.ipynb), takes the children in the order in which they were proposed, and turns back only from
# states that the judge gives up. Both follow the first idea to its end.
#
# ## Where it breaks
#
# - **It inherits the judge.** $f$ has one informed term, and that is an opinion. A judge that says the same to everything
#   is a weight of 0 in disguise, and the guess wins (exercise 2).
# - **Sunk costs.** The brake works close to the goal, too, as with $w = 3$ and 4 above.
# - **A tree forgets that pages are pages.** In the eager search above `Search[IAU]` is bought twice, in two branches. The poster has
#   a *Memory* for that, which puts the tree so far into each prompt ([how to switch it on](../book/manual/informed_search.md)).
# - **A failed call costs what a good one costs.** Only the verdict says that it failed, and nothing warns its neighbours. Chapter 12
#   goes on there.
#
# > **In the paper.** After $R$ rounds without an answer the poster returns *Null*. Something has been paid for by then, so the
# > package returns the best state so far and calls the search *unfinished*.
#
# ## Summary
#
# - One loop, three searches: rank by $g$ and it is Dijkstra's, by $h$ best-first, by $g + h$ A\*.
# - The guarantee of A\* needs an admissible $h$, zero at goals, and either reopening or consistency. It covers the path that is
#   returned, and not the bill for finding it.
# - iToT-A\* is A\* with the guess $w (1 - v)$. Verdicts are opinions about being right, so its path need not be cheapest; with
#   $w = 0$ it would be, and that is a worthless guess.
# - A larger weight buys a smaller total with a dearer path.
# - Counting the past wastes money where the guess is good, makes no difference that two hundred trees can show where calls fail
#   one by one, and pays where whole branches let you down.
#
# ## Exercises
#
# ### Exercise 1: the algorithm as printed
#
# In the poster $V_g$ (our $g$) starts at infinity for *every* state, the question included, and nothing is ever removed from the open
# list. Run our loop (a) with a root of $g = \infty$, and (b) with the root at 0 but without removal. What happens in fifteen rounds?
#
# <details><summary>Hint</summary>
#
# For (b) copy `informed` and drop one line. What is $\infty + 1$? Which state is the minimum, once it has been taken and
# stays on the list?
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def as_printed(root, rank, rounds=15):
    open_, taken = [root], []
    for _ in range(rounds):
        taken.append(min(open_, key=lambda s: round(rank(s), 9)))
        if taken[-1].answer is not None:
            break
        open_ += expand(taken[-1])
    return taken, open_


for g in (inf, 0):
    taken, open_ = as_printed(Step(tot.State(problem.x), g), f(5))
    last = [s.state.last for s in taken]
    names = Counter(str(z.data) if z else "the question" for z in last)
    paid = fsum(V_T(s.state) for s in open_[1:])
    print(f"g of the root {g}: {dict(names)}")
    print(f"     answer {taken[-1].answer}, spent {paid}")
# (a) Infinity plus anything is infinity, so all states tie, the
# oldest wins, and the question is expanded again and again.
# (b) The state of lowest f stays on the list and is taken every time,
# unless a child is lower still. All its tools run again.

# %% [markdown]
# ### Exercise 2: shift and stretch the judge
#
# Suppose the judge adds 0.25 to every verdict. Or says half of what it said. Or says 0.75 to everything. What happens to
# the order in which states are taken? Argue first, then check on the simulated trees.
#
# <details><summary>Hint</summary>
#
# You need not change `grove`. Change the rank: `lambda s: s.g - w * (s.v + 0.25)`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def order(rank):
    root = Step(("", 0))
    taken = [
        informed(root, grove(i, []), rank, 2000) for i in range(30)
    ]
    return [[s.state[0] for s in each] for each in taken]


assert order(lambda s: s.g - 8 * (s.v + 0.25)) == order(f(8))
assert order(lambda s: s.g - 8 * (s.v / 2)) == order(f(4))
assert order(lambda s: s.g - 8 * 0.75) == order(f(0))
print("a constant more changes nothing; half is half the weight;")
print("the same verdict for everything is a weight of 0")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The level of the verdicts does not matter, but their *spread* must fit the weight. A judge that only uses scores from 0.7 to
# 0.9 gives you a fifth of the weight that you set. Best-first does not mind: it needs the order only.
#
# </details>
#
# ### Exercise 3: forget the sunk costs
#
# On the maps, rank a call by what is still to be paid: its price and the guess behind it, *without* $g$. Compare path and
# total with best-first and A\*.
#
# <details><summary>Hint</summary>
#
# `explore(..., sunk=0)` leaves out what has been paid, and `orders(m.left)["A*"]` is the rank.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
found = [explore(m, orders(m.left)["A*"], sunk=0) for m in maps]
path, total = zip(*found, strict=True)
print("price + h: path", mean(path), "total", mean(total))
saved = zip(bills["best-first"], total, strict=True)
print("saved against best-first, map by map:", end=" ")
print(mean(a - b for (_, a), b in saved))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Best-first ignores the price of the next call, which is *not* sunk. Putting it in helps a little. A relative of this
# problem is solved: boxes cost something to open, and the best content is kept {cite}`weitzman1979optimal`. For independent
# boxes the best order is known, and what was paid before does not enter it.
#
# </details>
#
# ### Exercise 4: what can the poster's table show?
#
# The poster reports exact match on HotpotQA: 0.59 for best-first, 0.62 for both forms of iToT. It gives no number of
# questions and no bill. How many questions does each method need, if a difference from 0.59 to 0.62 is to be noticed with
# a probability of 80%, at 5% false alarms?
#
# <details><summary>Hint</summary>
#
# For two groups of different questions, $n = (z_{0.975} + z_{0.80})^2 \, (p (1 - p) + q (1 - q)) / (q - p)^2$.
# `NormalDist().inv_cdf` gives $z$, `stats.wilson` the intervals.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
p, q = 0.59, 0.62
z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.80)
needed = z**2 * (p * (1 - p) + q * (1 - q)) / (q - p) ** 2
print(f"about {needed:,.0f} questions for each method")
for n in (100, 1000):
    low, high = (stats.wilson(round(rate * n), n) for rate in (p, q))
    print(f"n = {n:4}: best-first {low}, iToT-A* {high}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# If both methods answer the same questions, fewer are needed; how many fewer depends on how often they differ. With a
# hundred or so the table cannot say which is better. And "significant cost reductions" cannot be checked without costs.
#
# </details>
#
# ## Further reading
#
# - A\*: {cite}`hart1968formal`. Dijkstra's three pages: {cite}`dijkstra1959note`. Weights on $h$: {cite}`pohl1970heuristic`.
# - Steps of thought, action and observation: {cite}`yao2023react`. Tree of Thoughts: {cite}`yao2023tree`.
# - Looking costs something: {cite}`weitzman1979optimal`.
# - Knobs, memory, rounds, and what we changed in the poster's algorithm: [Informed search, the
#   manual](../book/manual/informed_search.md).
