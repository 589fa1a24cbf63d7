# %% [markdown]
# # Best first and iToT-A*
#
# Chapter 10 gave a model tools, and each call a price. A tree of thoughts over tool calls has a question that the Game of
# 24 did not have: which call is worth paying for next? The iToT poster, *informed Tree of Thoughts*, answers in the manner
# of A* {cite}`hart1968formal`: take the state with the lowest $f = g - V$, where $g$ is what its way has cost and $V$ what a
# judge thinks of it. This chapter builds that search, and asks what is left in it of the famous guarantee of A*.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - write Dijkstra's algorithm, greedy best-first search and A* as one loop with three orders;
# - say under which three conditions A* returns a cheapest way, and what happens where one is broken;
# - write iToT-A* in a dozen lines, and read its open list;
# - tell the cost of the path from the total spend, and predict which knob moves which;
# - say what iToT takes from A* and what not, and why nobody can call its answer optimal.
#
# Graphs are computed here, tools look into the bundled encyclopedia, and the thinker is a script that we wrote ourselves.
# It shows how searches behave, and says nothing about models. A recorded model takes the script's place in the
# [study](12_itot_study.ipynb) after chapter 12.

# %% tags=["set-up"]
# Imports
import json
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass
from math import fsum, inf
from pathlib import Path
from statistics import NormalDist, fmean
from textwrap import fill

import matplotlib.pyplot as plt
from IPython.display import display

import tot
from tot import show, stats
from tot.graph import astar
from tot.nbsetup import setup
from tot.state import Observation
from tot.tools import Costs, next_call

setup()

# %% [markdown]
# ## The problem: a map with prices
#
# Think of forty pages. From each page some others can be called, at a price. We want to get from one page to another.
# For now we know the whole map; only the way is missing.
#
# The pages lie on a grid, and a call costs its distance or up to twice that. So the distance to the goal is an
# estimate that never says too much. We call it $h$. In the code `graph[u][v]` is the price of a call.


# %% tags=["set-up"]
# A random map: the price of each call, the estimate, the places
def make_map(seed, pages=40, near=4):
    dice = random.Random(seed)
    cells = dice.sample(range(64 * 64), pages)
    place = [divmod(cell, 64) for cell in cells]
    graph = {u: {} for u in range(pages)}

    def far(a, b):
        (x, y), (z, w) = place[a], place[b]
        return abs(x - z) + abs(y - w)

    for u in graph:
        for v in sorted(graph, key=lambda v: far(u, v))[1 : near + 1]:
            for a, b in ((u, v), (v, u)):
                price = dice.randint(far(a, b), 2 * far(a, b))
                graph[a].setdefault(b, price)
    start, *_, goal = sorted(graph, key=lambda v: sum(place[v]))
    return graph, start, goal, lambda v: far(v, goal), place


# %% [markdown]
# ## One loop, three orders
#
# Every search of this chapter keeps an **open list** of pages that it could look at next. It takes the one of lowest
# *rank*, and opens its neighbours. Only the rank differs:
#
# | search | rank | in words |
# |---|---|---|
# | Dijkstra {cite}`dijkstra1959note` | $g$ | what the way there costs |
# | greedy best-first | $h$ | what seems to be left |
# | A* | $g + h$ | both |
#
# A page may be found again by a cheaper way. Then it goes back on the open list, even if it was expanded before: it
# is *reopened*. `reopen=False` leaves that out. The function returns the cost of the way, and the pages in the order in
# which they were expanded.


# %%
def find(graph, start, goal, rank, reopen=True):
    g, open_, expanded = {start: 0}, {start: None}, []
    while open_:
        u = min(open_, key=lambda v: rank(g[v], v))
        del open_[u]
        if u == goal:
            break
        expanded.append(u)
        for v, price in graph[u].items():
            new = reopen or v not in expanded
            if new and g[u] + price < g.get(v, inf):
                g[v], open_[v] = g[u] + price, None
    return g.get(goal, inf), expanded


# %% [markdown]
# ### Predict: which finds the cheapest way, which looks least?
#
# Three orders, two hundred maps. Which of them always return a cheapest way? Which expands the fewest pages? The figure
# below shows one of the maps. The start has a thick ring, the goal
# two thin ones; filled pages were expanded, the thick line is the way that was found.

# %% tags=["set-up"]
# Two hundred maps, the three orders, and means with intervals
seeds = range(204)
maps = [make_map(seed) for seed in seeds]
maps = [m for m in maps if astar(m[0], m[1], {m[2]}).vertices]
assert len(maps) == 200  # the others have no way


def orders(h):
    dijkstra, best_first = lambda g, v: g, lambda g, v: h(v)
    both = lambda g, v: g + h(v)  # noqa: E731
    return {"Dijkstra": dijkstra, "best-first": best_first, "A*": both}


def mean(values):
    found = stats.bootstrap([[v] for v in values], resamples=500)
    return f"{found.rate:.0f} [{found.low:.0f}, {found.high:.0f}]"


# %% tags=["predict"]
results = {name: [] for name in orders(None)}
for graph, start, goal, h, _ in maps:
    for name, rank in orders(h).items():
        results[name].append(find(graph, start, goal, rank))
    assert results["A*"][-1][0] == astar(graph, start, {goal}, h).cost
rows = []
for name, found in results.items():
    row = {"order": name, "cost of the way": mean(c for c, _ in found)}
    row["pages expanded"] = mean(len(e) for _, e in found)
    rows.append(row)
on_maps = f"means over {len(maps)} random maps, 95% intervals"
show.table(rows, caption=on_maps)

# %% tags=["plot", "predict"]
graph, start, goal, h, place = maps[1]
panels = []
for name, rank in orders(h).items():
    cost, expanded = find(graph, start, goal, rank)
    seen = {u: graph[u] for u in expanded}
    way = astar(seen, start, {goal})  # through what it looked at
    assert way.cost == cost
    title = f"{name}: cost {cost}, {len(expanded)} expanded"
    ends = {"start": start, "goal": goal, "title": title, "width": 224}
    looks = {"path": way.vertices, "looked": expanded} | ends
    places = dict(enumerate(place))
    panels.append(show.road_map(places, graph, **looks))
show.side_by_side(panels)

# %% [markdown]
# **Figure.** On this map Dijkstra expands 34 of 40 pages, A* 27 for the same cost of 137, and best-first only 6, for a
# way of 174.
#
# ### Predict: and if every look has a price?
#
# On a known map a look is free: you plan first, and pay when you travel. With tools it is the other way round. A call is
# made *in order to look*, and paid at once. Now there are two bills: the **path**, what the calls on the returned way
# cost, and the **total**, what all calls cost. Which order has the smallest total? Guess before you run the cells.


# %%
def explore(graph, start, goal, rank):
    """All is paid before it is seen: (cost of the path, spend)."""

    def key(call):
        u, v = call
        return rank(g[u], graph[u][v], v)

    g, total, calls = {start: 0}, 0, [(start, v) for v in graph[start]]
    while goal not in g:
        u, v = min(calls, key=key)
        calls.remove((u, v))
        if v not in g:
            total += graph[u][v]
            g[v] = g[u] + graph[u][v]
            calls += [(v, w) for w in graph[v] if w not in g]
    return g[goal], total


# %% tags=["predict"]
ranks = {
    "Dijkstra": lambda h: lambda g, price, v: g + price,
    "best-first": lambda h: lambda g, price, v: h(v),
    "A*": lambda h: lambda g, price, v: g + price + h(v),
    "A* with 2h": lambda h: lambda g, price, v: g + price + 2 * h(v),
}


def two_bills(name):
    bills = [explore(*m[:3], ranks[name](m[3])) for m in maps]
    path, total = zip(*bills, strict=True)
    row = {"order": name, "path": mean(path), "total": mean(total)}
    return row, total


show.table([two_bills(name)[0] for name in ranks], caption=on_maps)

# %% [markdown]
# **Table.** The way of A\* is cheapest, but it was not found cheaply: its total is more than twice that of best-first.
#
# The guarantee of A\* is about the first bill. To be sure of it, A\* pays for calls on many other ways.
# The last row, with an estimate that is too high on purpose, is *weighted* A\* {cite}`pohl1970heuristic`. It gives up
# a little of the path and saves most of the extra spending. We shall meet this weight again.
#
# ## What A* promises, and when
#
# The way that A* returns is a cheapest one if
#
# 1. $h$ never overestimates what is left. Such an $h$ is called **admissible**.
# 2. Pages are **reopened** when a cheaper way to them turns up. This is not needed if $h$ is also **consistent**: along
#    a call from $u$ to $v$ it falls by at most the price, $h(u) \le c(u, v) + h(v)$.
# 3. $h$ is **zero at every goal**. If an admissible $h$ is never below 0, that comes for free: at a goal nothing is left.
#
# Break them one at a time. First the second:

# %% tags=["plot"]
four = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}, "G": {}}
guess = {"S": 0, "A": 2.5, "B": 0, "G": 0}
where = {"S": (0, 0), "A": (1, 0.6), "B": (2, 0), "G": (3, 0)}
said = {u: [f"h {guess[u]}"] for u in four}
looks = {"start": "S", "goal": "G", "prices": True, "width": 440}
looks |= {"texts": {u: u for u in four}, "remarks": said}
show.road_map(where, four, **looks)

# %% [markdown]
# **Figure.** A graph of four pages, with the estimate $h$ below each.
#
# ### Predict: three and a half, or four?
#
# Is this $h$ admissible? Is it consistent? What does A* return if it never opens a page again? The second cell multiplies
# the $h$ of our maps by a factor. From which factor on is anything reopened, and does a way get dearer?

# %% tags=["predict"]
for u in four:
    left = find(four, u, "G", lambda g, v: g)[0]
    falls = {v: guess[u] <= c + guess[v] for v, c in four[u].items()}
    drops = ", ".join(f"{ok} to {v}" for v, ok in falls.items())
    never = f"never too high: {guess[u] <= left}"
    print(f"{u}: h {guess[u]}, left {left}, {never}")
    print("   consistent:", drops or "no calls")
for reopen in (True, False):
    rank = lambda g, v: g + guess[v]  # noqa: E731
    cost, expanded = find(four, "S", "G", rank, reopen)
    theirs = astar(four, "S", {"G"}, guess.get, reopen=reopen)
    assert (cost, tuple(expanded)) == (theirs.cost, theirs.expanded)
    way = f"cost {cost}, expanded {' '.join(expanded)}"
    print(f"reopen={reopen!s:5}  {way}")


# %% tags=["predict"]
def weighted(w):
    rank = lambda h: lambda g, v: g + w * h(v)  # noqa: E731
    runs = [find(*m[:3], rank(m[3])) for m in maps]
    pairs = zip(runs, results["Dijkstra"], strict=True)
    extra = [cost / cheapest - 1 for (cost, _), (cheapest, _) in pairs]
    assert max(extra) <= max(w, 1) - 1
    row = {"h times": w, "expanded": fmean(len(e) for _, e in runs)}
    row["reopened"] = sum(len(e) - len(set(e)) for _, e in runs)
    row["too dear"] = f"{fmean(extra):.1%}"
    return row | {"at worst": f"{max(extra):.1%}"}


rows = [weighted(w) for w in (0, 0.5, 1, 1.5, 2, 4)]
show.table(rows, caption="means over the same maps; reopened: the sum")

# %% [markdown]
# In the graph of four, the estimate is admissible everywhere and inconsistent on one edge. The large $h$ hides A, B is
# expanded by its dear way, and when A comes up at last, B is closed. Reopening repairs that, and expands B twice.
#
# On the maps $h$ is a distance, so it is consistent: up to a factor of 1 nothing is reopened, and every way is a cheapest
# one. Beyond it $h$ overestimates, and the first condition is broken. Ways get dearer, but never by more than the factor.
# That bound is a theorem, and the cell asserts it; the mean loss is far smaller.
#
# The third condition needs no cell. A question has two answers, of cost 1 and 3. A judge likes them by 0.5 and by 5, and
# we take $h$ = minus the liking. It is at most 0, so by the letter it never overestimates. But $f$ is 0.5 for the cheap
# answer and $-2$ for the dear one, and the dear one is taken. That is another fault than the one of the four pages, and it
# is the one of iToT.
#
# ## From pages to thoughts: what $f = g - V$ is
#
# | A* | iToT-A* (the poster, algorithm 1) |
# |---|---|
# | vertices of a graph; many ways to one vertex | states $s = [x, z_1, \dots, z_i]$ of a tree; one way to each, so nothing to reopen |
# | edges are known | children are sampled from a model, $z_{i+1} \sim \pi(\cdot \mid s)$ |
# | $g$: what the way would cost | $V_g$: what its tools *have* cost, paid already |
# | $h$: at least 0, 0 at goals, never too high | $-V$: a judgement of prospects, to be maximised |
# | a goal is a goal | an answer may be wrong |
# | returns a cheapest way | returns the first answer that is taken |
#
# $V$ must be in the unit of the costs. We write $V = w \cdot v$, with a verdict $v$ from 0 to 1 and a **weight** $w$:
# what a sure answer is worth. Then
#
# $$ f = g - w v = \underbrace{g + w (1 - v)}_{\text{A* with } h = w(1 - v)} - \; w . $$
#
# A constant changes no order. So iToT-A* *is* A*, with the estimate $w (1 - v)$: a state of verdict $v$ is treated as
# if $w(1-v)$ were left to pay. Now we can say when its answer is sure to be a cheapest one: if the judge gives every answer
# $v = 1$, and every other state at least $1 - (\text{what is left}) / w$. No judge is asked for that. It is asked whether
# the state *will lead to the right answer*, which is another thing than what it will cost. So nobody can claim "optimal".
#
# ## A question, three tools, a thinker
#
# Here is one of the questions on the bundled encyclopedia. The tools are the real ones of chapter 10. The thinker and
# the judge are **authored**. Each line says: after this action, do that one, with a verdict before and a verdict after
# its tool has run, and a thought. The first line remembers something wrong, the fourth is a blind guess.

# %% tags=["set-up"]
# The question, and all that the authored thinker and judge know
task = tot.task("hotpotqa")
hard = task.problems("hard")
problem = next(p for p in hard if "Pluto is no planet" in p.x)
print(fill(problem.x, 70))
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

# %% [markdown]
# A function makes a language model of the table. It finds the newest action in the prompt and answers with a next step, or
# with a score. An action that the prompt lists among failures is not proposed; we use that later.


# %% tags=["set-up"]
# The thinker: a language model made of the lines above
def thinker(request, sample):
    prompt = request.messages[-1].content
    actions = re.findall(r"^Action: (.+)$", prompt, re.M)
    newest = actions[-1] if actions else "start"
    if "Reply only with a score" in prompt:
        seen = "Observation:" in prompt.rpartition(newest)[2]
        return next(s[2 + seen] for s in STEPS if s[1] == newest)
    steps = [s for s in STEPS if s[0] == newest]
    steps = [s for s in steps if f"- {s[1]}:" not in prompt]
    if not steps:
        return "I am lost."
    _, action, _, _, why = steps[sample % len(steps)]
    return f"Thought: {why}\nAction: {action}"


lm = tot.Scripted(thinker, "authored thinker")

# %% [markdown]
# ## iToT-A* from scratch
#
# Three small functions ask: for thoughts (of equal actions the first is kept), for what a tool observes, for a verdict.
# A Search costs 1, a Lookup half of that, Finish nothing. Then comes the loop that you know. In a tree nothing is found
# twice, so it is even shorter. (Ranks are rounded to nine digits. Two that only differ by rounding are a tie, and of equals
# the oldest is taken.) The numbers are the lines of the poster's algorithm 1.

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


# %%
@dataclass(eq=False)
class Step:
    state: object
    g: float = 0  # V_g; in the poster infinity, even for the root
    v: float = 0
    answer: str | None = None


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
def expand(s):  # eager: all children run their tools, as in the poster
    ran = [use_tool(state) for state in think(s.state)]
    return [
        Step(t, s.g + V_T(t), judge(t), t.answer) for t in ran
    ]  # 14


def f(weight):
    return lambda s: s.g - weight * s.v  # 15


root = Step(tot.State(problem.x))
for s in informed(root, expand, f(5)):
    last = s.state.last.data if s.state.last else "the question"
    print(f"g {s.g:3}  v {s.v:4}  f {f(5)(s):5.2f}  {last}")

# %% [markdown]
# The package has both searches: `itot-astar`, and `react-best-first`, whose rank is $-v$. Do they agree with
# our loop, state for state? And is it true that iToT-A* is A* with $h = w(1 - v)$? The second cell makes
# a graph of the finished tree, and lets the textbook's A* run on it.


# %%
def solve(method="itot-astar", **knobs):
    if method != "react":  # which has one sample at a time
        knobs = {"k": 4, **knobs}
    return tot.solve(task, problem, method, lm=lm, **knobs)


def ids(solution, kind):
    events = [e for e in solution.trace.events if e["kind"] == kind]
    return [node["id"] for event in events for node in event["nodes"]]


# %% tags=["checked"]
WEIGHTS = (0, 1, 3, 4, 5, 8, 20)
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
# ## Reading the search
#
# First the open list, each time a state was taken from it. The slider steps through the same: states that were taken
# show $f$, $g$ and $v$ (as V), the others $v$ alone, and failed tools are red.


# %%
def action(node):
    said = node.get("thought", "").rpartition("Action: ")[2]
    return said or "the question"


eager = solve(weight=5)
display(show.open_list(eager.trace, most=2))
show.frames(eager.trace, every=("taken",), lines=5, chars=12)

# %% [markdown]
# **Figure.** Vienna is taken first: the thinker was sure, and the judge believed it. The Danube behind it costs more and is
# worth less, so the search turns to Pluto.
#
# ### Predict: the weight
#
# The weight is what a sure answer is worth, in units of a Search. What does the search answer for $w = 0$, where $f$ is
# the cost alone? And for a huge $w$? Is there a weight at which it answers wrongly *although* it has paid for nearly
# the whole right way? ("Waits" counts the times that the search waited for tools, rounds those for models and tools.)


# %% tags=["predict"]
def bill(search, solution):
    tools = {"calls": 0, "failed": 0, "path": 0, "total": 0}
    tools |= solution.trace.result.get("tools", {})
    kinds = Counter(event["kind"] for event in solution.trace.events)
    row = {"search": search, "answer": solution.answer}
    row |= {"right": solution.correct, **tools, "waits": kinds["acted"]}
    return row | {"rounds": solution.result.ledger.rounds}


authored = "authored thinker, one question; costs in Searches"
names = [*(f"w = {w}" for w in WEIGHTS), "best-first"]
searches = [solution for _, solution in pairs]
show.table(map(bill, names, searches), caption=authored)

# %% [markdown]
# With $w = 0$ the search is Dijkstra's, its promise holds, and it returns the cheapest answer there is: **the guess**,
# which costs nothing. That is why $V$ has to be in $f$, and why the lost guarantee need not be mourned. It was a guarantee
# of the wrong thing.
#
# With middle weights something sad happens. The search pays for almost the whole right way, and then takes the guess
# after all. Each call has made $g$ larger, so the guess, with its $g$ of 0, looks better and better. But that money is
# *spent*; stopping does not bring it back. In A* a way is priced before it is travelled. In iToT the price is **sunk**. An
# agent that only cares about what it will still pay should leave $g$ out.
#
# ### Predict: the two bills, on many trees
#
# One authored question proves little. So let us **simulate**: random trees, three children for each state, calls that
# cost 1, 2, 4 or 8. A call finds something half of the time, three finds make the answer, and the judge sees the share
# of finds, give or take 0.3. How do path and total move when the weight grows?


# %% tags=["set-up"]
# What expands the states of a simulated tree
def grove(number, paid):
    """``paid`` collects the costs of all calls."""

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


# %%
def trees(rank, n=200):
    """(cost of the path, total spend) for n simulated trees."""
    bills = []
    for number in range(n):
        paid, root_ = [], Step(("", 0))
        taken = informed(root_, grove(number, paid), rank, rounds=2000)
        assert taken[-1].answer
        bills.append((taken[-1].g, sum(paid)))
    return bills


curve = {w: trees(f(w)) for w in (0, 1, 2, 4, 8, 16, 32, 64)}
curve["best-first"] = trees(lambda s: -s.v)

# %% mystnb={"image": {"alt": "Path cost and total spend over the weight, as two lines on a logarithmic axis. The path gets dearer from left to right, to about twice as much; the total falls from about 210 to about a fifth of that. At moderate weights the total has fallen steeply and the path has hardly risen."}} tags=["plot", "predict"]
labels = [str(w) for w in curve]
for i, bill_, marker in ((0, "path", "o"), (1, "total", "s")):
    groups = [[[b[i]] for b in bills] for bills in curve.values()]
    all_ = [stats.bootstrap(group, resamples=500) for group in groups]
    ys = [e.rate for e in all_]
    bars = [
        [e.rate - e.low for e in all_],
        [e.high - e.rate for e in all_],
    ]
    plt.errorbar(
        labels, ys, bars, marker=marker, capsize=3, label=bill_
    )
    print(f"{bill_:6}", *(f"{y:6.1f}" for y in ys))
print("weight", *(f"{label[:4]:>6}" for label in labels))
plt.gca().set(yscale="log", xlabel="weight w", ylabel="cost")
plt.gca().yaxis.set_major_formatter("{x:g}")
plt.legend()
plt.show()

# %% [markdown]
# **Figure.** The two bills move in opposite directions, and not equally fast. Means over 200 simulated trees, with 95%
# intervals.
#
# Weights 1 and 2 still return a cheapest path, though $w (1 - v)$ is often too high: a state with three finds has nothing
# left to pay, and half of them are judged below 1. But it is too high by at most $0.3 w$, less than 1, and prices are
# whole numbers. From 4 on it errs by more, and the path gets dearer. A middle weight (8) saves two thirds of the spending
# for a tenth more on the path. Beyond 16 little more is saved, and the path goes on getting dearer, to nearly twice as
# much. If each call is paid once, the total counts. If the path will be walked again and again, as a workflow, the path
# counts.
#
# ## Eager tools, lazy tools
#
# The poster runs the tools of *all* children, then looks which child is best. One can also judge a child by its action
# alone, at the cost that its tool will have, and run the tool only when the child comes up. If the observation
# disappoints, the child goes back on the open list with its new $f$.
#
# ### Predict: what does lazy save, and what does it cost?
#
# Which of path, total, waits and rounds get smaller when tools are lazy, which larger?

# %% tags=["predict"]
lazy = solve(weight=5, lazy=True)
compared = {
    "ReAct, one chain": solve("react"),
    "depth-first": solve("react-dfs"),
    "best-first": solve("react-best-first"),
    "iToT-A*, eager tools": eager,
    "iToT-A*, lazy tools": lazy,
}
display(show.tool_calls(lazy.trace))
bills = map(bill, compared, compared.values())
show.table(bills, caption=authored)

# %% [markdown]
# Above are the calls of the lazy search, below the bills. Lazy tools return the same path for fewer calls. They wait more
# often, since calls that eager makes together come one after the other, and the judge is asked twice. And they fall for
# promises: the union sounded good, so it was called first, failed, and went back on the list. The Danube was called
# once more for nothing. What has not been opened looks better than it is.
#
# The first two rows are the cheapest, and wrong: both follow the first idea to its end.
#
# ## When the rounds run out
#
# The loop takes at most $R$ states. The poster then returns *Null*. But something was paid for, so the package returns
# the best so far, and says that it is unfinished.

# %%
for rounds in range(1, 8):
    s = solve(weight=5, rounds=rounds)
    spent = s.trace.result["tools"]["total"]
    stopped = f"{s.result.stopped:10}"
    print(f"R = {rounds}  {stopped}  {s.answer}, spent {spent}")

# %% [markdown]
# An answer is preferred to a state without one, so for small $R$ the guess is handed out. *Unfinished* says that the best so
# far was not yet weighed against the rest.
#
# ## Memory of failed branches
#
# In the eager run one call was bought twice, in two branches. A state knows its own path only. The poster's figure has a
# *Memory* that holds the expanded tree; ours shows a prompt the newest failures of other branches. (`--memory tree`
# shows all of it, and `--style paper` takes prompts of the poster's form.)


# %%
nodes = eager.trace.nodes()
bought = Counter(action(nodes[id]) for id in ids(eager, "acted"))
print("twice:", [call for call, n in bought.items() if n > 1], "\n")

recall = solve(weight=5, memory="failures")
prompts = [r.messages[-1].content for r in lm.requests]
shown = [text for text in prompts if "From earlier attempts" in text]
print(shown[1].partition("\n\n")[2].partition("\n\nWrite")[0])
show.table([bill("path only", eager), bill("and failures", recall)])

# %% [markdown]
# Our thinker obeys, by construction. Whether a model does is another question, and the prompts grow.
#
# ## At scale: when does the cost so far help?
#
# `studies/tool_routes.py` sends agents over a thousand maps like ours, and tree searches over 200 simulated trees that need
# three finds, with tools that may fail, one by one or whole branches at once. There is no model in it. On maps, `greedy` walks
# like ReAct and never goes back, and about 60 calls are allowed; on trees, 40 rounds.
#
# ### Predict: best-first or A*?
#
# Which of the two arrives more often, and for less, on maps? And on trees where whole branches fail?

# %% tags=["predict", "set-up"]
# The table of the study's results
results_file = Path("../studies/results/tool_routes.json")
study = json.loads(results_file.read_text())


def row(world, who, r, rate):
    low_high = "{:.0f} [{:.0f}, {:.0f}]".format(*r[rate]["spent"])
    answers = stats.Interval(*r[rate]["success"], n=0)
    row = {"world": world, "fail": f"{float(rate):.0%}", "search": who}
    return row | {"answers": answers, "total spend": low_high}


agents, trees_of, rows = study["routes"]["agents"], study["trees"], []
walkers = {"greedy": "greedy", "best-first": "best-first, lazy"}
walkers |= {"astar": "A*, lazy", "eager": "A*, eager"}
for rate in ("0.0", "0.3"):
    for who, name in walkers.items():
        rows.append(row("maps", name, agents[who], rate))
for how in ("one by one", "by branch"):
    for who in ("eager best-first", "eager A*", "lazy A*"):
        tools, name = who.split()
        found = trees_of[f"{tools} tools, failures {how}"][name]
        rows.append(
            row(f"trees, {how}", f"{name}, {tools}", found, "0.3")
        )
counts = f"{study['routes']['graphs']} maps, {trees_of['trees']} trees"
show.table(rows, caption=f"n = {counts}; 95% intervals")

# %% [markdown]
# **Table.** The cost so far is a burden on maps, and a help on trees where whole branches fail.
#
# On **maps** best-first follows a good estimate for less. With
# eager tools most runs use up their calls before they arrive. Greedy spends little, but where it is stuck, best-first goes
# back: compare how often they arrive.
#
# On **trees** where calls fail one by one, it changes little. (Totals are means over all runs, also those that do not arrive.)
#
# ### Predict: stuck, or away?
#
# Here is the first tree of the simulation in which best-first runs out of rounds, although only one branch is down. A cross
# is a call that failed, the thick line a way to an answer. The topmost thought finds something, but each call below it
# fails. How many of those does each search pay for?

# %% tags=["predict", "set-up"]
# The first tree with one branch down on which best-first is stuck
sys.path.append("..")  # studies/ stands beside notebooks/
from studies.tool_routes import Grove


def on_tree(number, search):
    grove = Grove(number, rate=0.3, branches=True)
    return tot.run(grove.searches(lazy=False)[search], {})


def stuck(number):
    grove = Grove(number, rate=0.3, branches=True)
    down = sum(grove.fails(first + "0") for first in "012")
    unfinished = on_tree(number, "best-first").stopped == "unfinished"
    return down == 1 and unfinished


chosen = next(filter(stuck, range(trees_of["trees"])))
runs = {name: on_tree(chosen, name) for name in ("best-first", "A*")}
print(f"tree {chosen} of the simulation")
for name, run in runs.items():
    bill = run.trace.result["tools"]
    failed = f"{bill['failed']} of {bill['calls']} calls failed"
    print(f"{name}: {failed}, {run.stopped}")
show.tool_trees(runs)

# %% [markdown]
# **Figure.** Best-first pays for 117 calls that fail, all in one branch, and never answers. A\* leaves after 9.
#
# The verdict counts finds and knows nothing of failures. All that hangs below the topmost thought looks nearer to an answer, and best-first tries it until its rounds are used
# up. A* believes the same judge. But every step down adds 1 to $g$, and soon the neighbours look better. So the cost so far does not
# make the answer optimal. It is a *brake*: it says for how long to believe the judge. (The tree was chosen because it shows
# this; how often that happens, the table says.)
#
# ## Where it fails
#
# - **It inherits the judge.** $f$ has one informed term, and that is an opinion. A judge that says the same to everything
#   is a weight of 0 in disguise: the order is that of the cost, and the guess wins (exercise 2).
# - **Sunk costs.** Once tools have run, $g$ is paid: a useful brake, and a bad reason to give up close to the goal.
# - **A tree forgets that pages are pages.** The same page in two branches is paid twice.
# - **Failures are opinions, too.** In $f$ a failed call costs as much as one that worked. Nothing but the verdict says that
#   it failed, and nothing tells its neighbours. Chapter 12 goes on there.
# - **No optimum.** The answer is the first that was taken. It need not be the cheapest, nor of highest value, nor right.
#
# ## Summary
#
# - Dijkstra, best-first and A* are one loop; the rank is $g$, $h$ or $g + h$.
# - A* returns a cheapest way if $h$ never overestimates, is zero at goals, and pages are reopened or $h$ is consistent.
# - A cheapest way is not found cheaply. Where looking costs, path and total are two bills.
# - iToT-A* takes $f = g - w v$. That is A* with the estimate $w(1 - v)$; its conditions need not hold.
# - The weight trades path against total. At 0 the cheapest answer wins, a guess; without limit it is best-first.
# - Lazy tools save calls, and cost rounds and verdicts. Too few rounds give the best so far, called unfinished.
# - With a good estimate the cost so far wastes money; where values mislead it is a brake that pays.
#
# ## Exercises
#
# ### Exercise 1: the algorithm as printed
#
# In the poster $V_g$ starts at infinity for *every* state, and nothing is ever removed from the open list. Run our loop
# (a) with a root of $g = \infty$, and (b) with the root at 0 but without removal. What happens in fifteen rounds?
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
# So the level of the verdicts does not matter, but their *spread* must fit the weight. A judge that only uses scores from 0.7
# to 0.9 has a fifth of the weight that you think you gave it. Best-first does not mind: it needs the order only.
#
# </details>
#
# ### Exercise 3: forget the sunk costs
#
# On the maps, rank a call by what is still to be paid: its price and the estimate behind it, *without* $g$. Compare path
# and total with best-first and A*.
#
# <details><summary>Hint</summary>
#
# `explore` gives the rank three numbers: $g$ of the page where the call starts, its price, and where it leads.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
ranks["price + h"] = lambda h: lambda g, price, v: price + h(v)
found = {name: two_bills(name) for name in ranks}
pairs = zip(found["best-first"][1], found["price + h"][1], strict=True)
print(
    "saved against best-first, map by map:",
    mean(a - b for a, b in pairs),
)
show.table([row for row, _ in found.values()], caption=on_maps)

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
# a probability of 80%, at 5% false alarms? What do intervals look like for a hundred, five hundred, a thousand?
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
for n in (100, 500, 1000):
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
# - A*: {cite}`hart1968formal`. Dijkstra's three pages: {cite}`dijkstra1959note`. Weights on $h$: {cite}`pohl1970heuristic`.
# - Steps of thought, action and observation: {cite}`yao2023react`. Tree of Thoughts: {cite}`yao2023tree`.
# - Looking costs something: {cite}`weitzman1979optimal`.
# - In the package: `tot/graph/a_star.py`, `tot/search/informed.py` (best-first search and iToT-A*,
#   with a list of what we changed and why), `tot/methods/acting.py` (the methods), `studies/tool_routes.py`.
