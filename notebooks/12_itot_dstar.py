# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # iToT-D*: when tools fail, plan again
#
# An agent has planned a way through a handful of tool calls. It is nearly there, and the last call is down. Should it throw the plan
# away and start thinking from scratch, or can most of the old thinking be kept?

# %% tags=["set-up"]
import re
from collections import Counter, defaultdict
from math import fsum, inf
from random import Random
from types import SimpleNamespace

import matplotlib.pyplot as plt

import tot
from tot.stats import bootstrap
from treebook import show
from treebook.figures.captions import when
from treebook.graph import astar
from treebook.nbsetup import setup
from treebook.studies.routes import Grove

setup()

# %% tags=["plot"]
place = {page: (x, 0) for x, page in enumerate("ABCDEFH")}
place["G"] = (5, 1)
graph = {page: {} for page in place}
for a, b in zip("ABCDE", "BCDEF", strict=True):
    graph[a][b] = graph[b][a] = 1
graph["F"], graph["H"] = {"E": 1, "G": 1, "H": 1}, {"G": 4}
graph["B"]["G"] = 5.5  # it works, at a price


looks = {"texts": {u: u for u in place}, "prices": True, "width": 334}
looks |= {"start": "A", "goal": "G", "path": "ABCDEFG"}
maps = []
for title in "Cost from the agent", "Cost to the goal":
    remarks = {}
    for u in place:
        ways = [(at, u) if "from" in title else (u, "G") for at in "AF"]
        a, f = (astar(graph, u, {v}).cost for u, v in ways)
        remarks[u] = [f"at A: {a:g}", f"at F: {f:g}"]
    looks |= {"title": title, "remarks": remarks}
    higher = place | {"G": (5, 2)}  # to leave room
    maps.append(show.road_map(higher, graph, **looks))
show.side_by_side(maps)

# %% [markdown]
# **Figure.** A map of pages and calls, with prices, measured in two ways. The agent starts at A, the answer is on page G, and the thick line
# is the plan. Once the agent has walked to F, every cost *from the agent* has changed. No cost *to the goal* has.
#
# <aside class="margin">Who plays: maps, trees and failures are seeded simulations, and the one thinker is <em>authored</em>, a script of
# ours. A mechanism shows best where everything is known.</aside>
#
# Measuring to the goal is the first half of **D\* Lite** {cite}`koenig2002dstar`, a planner for a world that changes. The second half is to
# repair only what a change has touched. The poster on informed Tree of Thoughts {cite}`mousavi2024informed`, whose first algorithm was chapter 11,
# calls its second one iToT-D\* Lite. This page builds both, one after the other. They share one idea and no guarantee.
#
# (In a hurry? Knowing A\* from [chapter 11](11_best_first_itot_astar.ipynb), read [two numbers for each page](#two-numbers-for-each-page),
# [what the poster calls D\* Lite](#what-the-poster-calls-d-lite) and [what should I use?](#what-should-i-use))
#
# ## Learning objectives
#
# After this chapter you can
#
# - write D\* Lite in a few small functions, and say what $g$, $rhs$ and the key modifier are for;
# - say what repairing a plan saves, what it does not, and where it stops saving;
# - write the poster's surcharge for failed tools, with a rule of ours for the part that it leaves out, and read it in a trace;
# - predict when charging a failure to its whole way helps, and when it hurts.
#
# ## The call is down
#
# The agent knows the map and the prices. It does not know which calls are down. It finds out by trying, and a call that fails costs as much as
# one that works. The agent then stays where it is, and that call is gone for good.
#
# ### Predict: how much work is a new plan?
#
# The agent walks to F, and there the call to G fails. It can go on to H and make a call of 4, or walk four pages back to B and make the call of
# 5.5. A\* has to find out which is cheaper, and starts from scratch.


# %% tags=["set-up"]
# A* from scratch, on the map without the broken call
def blocks(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def far(a, b):  # h: what the way from a to b costs at least
    return blocks(place[a], place[b])


broken = graph | {"F": {"E": 1, "H": 1}}
anew = astar(broken, "F", {"G"}, lambda page: far(page, "G"))
text = f"The plan {' '.join(anew.vertices)} costs {anew.cost:g}."
asked = "At how many of the eight pages does A* look?"
show.Predict(asked, len(anew.expanded), low=1, high=8, shows=text)

# %% [markdown]
# ## Two numbers for each page
#
# A\* has to start afresh, because its $g$ is the cost *from the start*, and the agent has left the start. Search **from the goal** instead, and
# $g$ is what a page costs *to the goal*. That stays true when the agent moves. When one call breaks, it stays true for every page whose way
# does not use that call.
#
# To find out which pages those are, D\* Lite keeps two estimates of the cost from a page $s$ to the goal:
#
# - $g(s)$: what we believe;
# - $rhs(s)$: the same, recomputed by looking one call ahead. (The letters stand for *right-hand side*, that of the equation below.)
#
# Work it out for F. For each call out of F, add its price to the $g$ of the next page. (The first plan never took
# H off its list, so the $g$ of H is still infinite.)

# %%
g = {"E": 2, "G": 0, "H": inf}
print("before:", {v: c + g[v] for v, c in graph["F"].items()})
print("G down:", {v: c + g[v] for v, c in broken["F"].items()})

# %% [markdown]
# Before the break the smallest sum is 1, which is what F believes. Afterwards it is 3, so there is work to do.
#
# As a formula,
#
# $$rhs(s) = \min_{s'} \big(c(s, s') + g(s')\big), \qquad rhs(\text{goal}) = 0.$$
#
# Where $g$ and $rhs$ differ there is work to do, and the page waits in a queue $U$. If a call breaks, only the page where it begins has to look
# ahead again, and the repair begins there.
#
# Where they agree, a page is a **consistent vertex**. In chapter 11 that word described an *estimate*, which falls by no more than the price along
# a call. The two are unrelated.
#
# The queue is ordered by a **key** of two numbers:
#
# 1. $\min(g, rhs) + h(\text{agent}, s) + k_m$, which is A\*'s $f$ seen from the goal, with $h$ a guess of the way from the agent to the page;
# 2. $\min(g, rhs)$, for ties.
#
# The term $k_m$ is 0 until the agent moves, and has a section below.
#
# In the code `p.U` is the queue, `p.before[u]` are the pages with a call to $u$, and `p.last` is where the agent stood when a price last changed.
# At first every $g$ is infinite, and only the goal waits, with $rhs = 0$.

# %% tags=["set-up"]
# A planner for an agent; nothing is planned yet


def make(graph, at, goal, h):
    p = SimpleNamespace(at=at, last=at, goal=goal, h=h, km=0)
    p.expanded = []
    p.cost = {u: dict(ways) for u, ways in graph.items()}
    p.before = {v: [u for u in graph if v in graph[u]] for v in graph}
    p.g = defaultdict(lambda: inf)
    p.rhs = defaultdict(lambda: inf, {goal: 0})
    p.U = {goal: key(p, goal)}
    return p


# %%
def key(p, s):
    least = min(p.g[s], p.rhs[s])
    return least + p.h(p.at, s) + p.km, least


def update(p, u):  # look one call ahead; wait in U if g differs
    if u != p.goal:
        ways = (c + p.g[v] for v, c in p.cost[u].items())
        p.rhs[u] = min(ways, default=inf)
    p.U.pop(u, None)
    if p.g[u] != p.rhs[u]:
        p.U[u] = key(p, u)


# %% [markdown]
# One **turn** takes the page of lowest key off the queue. If that key was made before the agent moved, the page waits again, with a new one.
# Otherwise, if its $rhs$ is *lower* than $g$, that is good news: believe it. If $rhs$ is *higher*, it is bad news: believe nothing ($g = \infty$).
# Then the pages before it look ahead again, and so does the page itself.


# %%
def turn(p):
    u = min(p.U, key=p.U.get)
    p.expanded.append(u)
    if p.U.pop(u) < key(p, u):  # the agent has moved: wait again
        p.U[u] = key(p, u)
        return
    p.g[u] = p.rhs[u] if p.g[u] > p.rhs[u] else inf  # good news, or bad
    for s in (*p.before[u], u):
        update(p, s)


# %% tags=["set-up"]
# The queue after the first turn
p = make(graph, "A", "G", far)
turn(p)
show.table(
    [
        {"page": s, "g": "∞", "rhs": p.rhs[s]}
        | {"h from A": far("A", s), "key": "{:g}, {:g}".format(*p.U[s])}
        for s in p.U
    ],
    highlight=1,
)

# %% [markdown]
# **Table.** The first turn takes the goal and believes its 0. The three pages with a call to it look ahead and wait. The key of F is the
# lowest, so F comes next.
#
# A plan is many such turns. It is settled when nothing is pending at the agent's own page, and nothing in the queue could still change that.


# %%
def settled(p):
    top = min(p.U.values(), default=(inf, inf))
    return top >= key(p, p.at) and p.rhs[p.at] == p.g[p.at]


def repair(p):  # the first plan is a repair, too
    while not settled(p):
        turn(p)
    return p.g[p.at]


def change(p, u, v, c):  # a call has a new price; down is infinity
    p.km, p.last = p.km + p.h(p.last, p.at), p.at
    p.cost[u][v] = c
    update(p, u)


def follow(p):  # where call and what comes after are cheapest
    return min(p.cost[p.at], key=lambda v: p.cost[p.at][v] + p.g[v])


# %% [markdown]
# ### Predict: how far does the bad news travel?
#
# The agent has planned at A and walked to F, and the call to G breaks.

# %% tags=["set-up"]
# The agent at F when the call breaks, turn by turn


def at_F():
    p = make(graph, "A", "G", far)
    repair(p)
    p.at = "F"
    change(p, "F", "G", inf)
    return p


mine = at_F()
before = len(mine.expanded)
repair(mine)
assert mine.expanded[before:] == [*"FEDHF"]
repairs = show.concepts.dstar_turns(place, graph, "A", "G", ("F", "G"))
choices = "F alone", "F and H", "F, E, D and H", "all but the goal"
asked = "Which pages are taken before the agent knows the way?"
show.Predict(asked, choices[2], choices=choices, shows=repairs)

# %% [markdown]
# **Figure.** The repair, turn by turn. Below each page stand $g$ and $rhs$; a page that waits has a dashed ring, and its key. After two turns D, E and H
# tie at 10, and the second number puts D first: the bad news runs back to it. By then the good news of H has the lowest key, and the fifth turn brings it to F.
#
# Look at F just after the break. Its $rhs$ is 3, because E says that it is 2 away from the goal. But E's way led *through F*. If F
# believed 3, E would see 4, then F would see 5, and the two would count upwards together. So bad news makes a page believe
# nothing at first, and E has to look ahead again before F can lean on it.
#
# A, B and C keep their $g$, which are too low now, and D and E believe nothing yet. The agent at F needs none of them: nothing that waits has a lower key than F. On a map as small as
# this one planning anew was still less work: it looked at four pages.
#
# ## Why a key modifier?
#
# The keys in the queue contain $h(\text{agent}, s)$, and the agent has moved. H has waited since the first plan with the key (10, 4), made for
# an agent at A: its $rhs$ of 4, and 6 for the distance. For an agent at F it would be (5, 4). D\* Lite does not sort the queue anew.
# It makes all *new* keys larger instead, by $k_m$, the sum of the estimated distances moved; here that is $h(A, F) = 5$. So an old key is
# never too large beside a new one.
#
# That holds if $h$ obeys the **triangle inequality**. When the agent has moved from $a$ to $b$, the old key of $s$ contains
# $h(a, s)$, and a new one contains $h(a, b) + h(b, s)$. The old one is no larger exactly if $h(a, s) \le h(a, b) + h(b, s)$: going by way
# of $b$ is never shorter, as for any distance.
#
# ### Predict: what if we forget it?
#
# A planner that leaves $k_m$ at 0 has the same plan to repair.

# %% tags=["set-up"]
# The same repair with the key modifier and without
p, q = at_F(), at_F()
q.km = 0
update(q, "F")
rows = [
    {"planner": name, "key of H": "{:g}, {:g}".format(*x.U["H"])}
    | {"cost": repair(x), "next page": follow(x)}
    | {"key of F at the end": "{:g}, {:g}".format(*key(x, "F"))}
    for name, x in (("with k_m", p), ("without", q))
]
table = show.table(rows, highlight=1)
choices = "it crashes", "it works more", "its plan is wrong"
show.Predict("What happens?", choices[2], choices=choices, shows=table)

# %% [markdown]
# **Table.** Without $k_m$ the planner silently sends the agent all the way back, for 9.5 instead of 5.
#
# The old key of H is above the new key of F, so the planner stops before it has looked at H. Nothing crashes, and no number looks odd. Only a
# comparison with a plan made from scratch finds the fault.
#
# ## What does repairing save?
#
# Take larger maps: forty grids of ten by ten pages, with calls of cost 1 to 3 between neighbours. The agent has planned its way from corner to
# corner. Before it has moved, one call of the plan breaks: the first (0%), one further along, or the last (100%). We count the turns
# that planning takes. (A page may be taken more than once.)
#
# ### Predict: where is a broken call costly to repair?
#
# The planner is told of the break at once, wherever it is.


# %% tags=["plot"]
GOAL, MAPS = (9, 9), range(40)
PAGES = [(x, y) for y in range(10) for x in range(10)]


def grid(seed):
    dice, prices = Random(seed), (1, 2, 3)
    near = {u: [v for v in PAGES if blocks(u, v) == 1] for u in PAGES}
    return {u: {v: dice.choice(prices) for v in near[u]} for u in PAGES}


def to_goal(page):
    return blocks(page, GOAL)


def told(seed, share):  # turns of A* anew and of D* Lite after a break
    p = make(grid(seed), PAGES[0], GOAL, blocks)
    repair(p)
    planned = len(p.expanded)
    way = astar(p.cost, p.at, {GOAL}, to_goal).vertices
    i = round(share * (len(way) - 2))
    change(p, *way[i : i + 2], inf)
    repair(p)
    anew = astar(p.cost, p.at, {GOAL}, to_goal)
    return len(anew.expanded), len(p.expanded) - planned


def mean(numbers):
    return bootstrap([[x] for x in numbers])


def draw(ax, look, name, means):  # with their 95% intervals
    ends = [(e.low, e.high) for e in means.values()]
    ax.vlines([*means], *zip(*ends, strict=True), look[:2])
    ys = [e.rate for e in means.values()]
    ax.plot([*means], ys, look, label=name)
    ax.legend()


figure, ax = plt.subplots(figsize=(5, 3))
turns = {x: [told(m, x / 100) for m in MAPS] for x in range(0, 101, 25)}
for i, name in enumerate(("A* anew", "D* Lite")):
    means = {x: mean(t[i] for t in turns[x]) for x in turns}
    draw(ax, ("C0o-", "C1s-")[i], name, means)
ax.set(xlabel="where the call breaks (% of the plan)", ylabel="turns")
e = mean(ours - anew for anew, ours in turns[100])
text = f"At the last call, D* Lite less A* anew: {e:+.1f}."
choices = "next to the agent", "half-way", "just before the goal"
alt = "D* Lite takes few turns for a break next to the agent, and more "
alt += "the farther on it is; A* anew takes about the same for all."
asked = "Where does the break cost D* Lite most turns?"
how = {"choices": choices, "figure": figure, "alt": alt, "shows": text}
show.Predict(asked, choices[2], **how)

# %% [markdown]
# **Figure.** A repair is cheap next to the agent and costly near the goal. Means with 95% intervals, 40 maps.
#
# An agent discovers failures *next to itself*, and $g$ counts from the goal, so between the trouble and the goal nothing changes. That makes
# repairs cheap. The nearer to the goal a change is, the more beliefs rest on it. At the last call repairing took more work
# on average than planning anew, but forty maps are too few to settle it.
#
# ## What repairing does not save
#
# Both ways of planning give plans of the same cost, so the agent makes about as many tool calls as before, and meets
# about as many failures. D\* Lite saves thinking about the map. It does not save tool calls. (The figure breaks one call only. With three in ten down,
# [in another study](study_tools_routes.ipynb#who-pays-least-on-a-map-when-calls-fail), it expanded half as many pages as planning anew, for
# the same bill.)
#
# Many changes at once are no trouble: tell the planner each of them, and repair once (exercise 2). Here both the call to G and the call to H are down.

# %%
p = at_F()
change(p, "F", "H", inf)
print("cost", repair(p), "by", follow(p))

# %% [markdown]
# With a *new goal* nothing can be kept, since every $g$ is a distance to the old one, and you plan anew.
#
# ## What the poster calls D\* Lite
#
# From here on $g$ counts *from the start* again, as in chapter 11. A tree of thoughts has no map: nobody knows which calls exist below a state
# before somebody thinks of them, so there is no $rhs$. No agent moves, either, since any open state can be continued. The poster's algorithm 2
# {cite}`mousavi2024informed` is the search of chapter 11 with one more rule. Here it is in our words, with the poster's line numbers. Its $V_g$,
# $V_f$ and $V$ are our $g$, $f$ and $w v$.
#
# | line | |
# |---|---|
# | 1 | Given: the question $x$, limits $L$ on thoughts and $R$ on rounds, prices $V_T$, a judge $V$, a surcharge $\delta_T$. |
# | 2 | The open list holds $x$. All $g$ and $f$ are infinite. |
# | 3 | Repeat $R$ times: |
# | 4 | &emsp;take the open state $s$ of lowest $f$; |
# | 5–7 | &emsp;if it is an answer, return it; |
# | 8–11 | &emsp;if it has more than $L$ thoughts, go on to the next round; |
# | 12 | &emsp;sample the children of $s$: one more thought each, with its tool call; |
# | 13 | &emsp;for each child $s'$: |
# | 14–15 | &emsp;&emsp;**if its call failed**, $g(s') = g(s) + \delta_T + V_T(s' \mid s)$ |
# | 16 | &emsp;&emsp;**and PROPAGATE_FROM($s'$);** |
# | 17–19 | &emsp;&emsp;else $g(s') = g(s) + V_T(s' \mid s)$; |
# | 20 | &emsp;&emsp;$f(s') = g(s') - V(s')$; |
# | 21–23 | &emsp;&emsp;put $s'$ on the open list. |
# | 24 | Return nothing. |
#
# Without lines 14 to 17 it is algorithm 1. Three of the lines cannot be meant literally. An infinite root makes all costs equal (line 2,
# [I2](../book/errata.md#i2-an-infinite-root)). A state that is taken has to leave the list (line 4,
# [I3](../book/errata.md#i3-states-are-never-taken-off-the-list)). And a charge inside the loop depends on the order of the children (line 16, exercise 3).
# In ours the root costs 0, a taken state is gone, and charges are made once all children have their price.
#
# The poster leaves PROPAGATE_FROM to an appendix that it does not print, so this rule is **ours**: the state before the failure is charged
# $\gamma\,\delta_T$, the one before that $\gamma^2 \delta_T$, and so on. The root is spared, since its charge would raise all costs alike. A
# charge counts in the $g$ of the charged state and of everything below it. The thought behind it: a failure is evidence against the way that led to it. In code, with states as strings (`"02"` is the
# third child of the first one) and calls of price 1:


# %%
def propagate(failed, charged, delta=1, discount=0.5):
    for back in range(1, len(failed)):
        charged[failed[:-back]] += delta * discount**back


def g_of(s, down, charged, delta=1):  # down: did the call fail?
    way = [s[:i] for i in range(1, len(s) + 1)]
    return fsum(1 + delta * down[p] + charged[p] for p in way)


down, charged = {"0": False, "01": True, "02": False}, Counter()
print("02 costs", g_of("02", down, charged), end=", ")
propagate("01", charged)
print("and", g_of("02", down, charged), "after 01 has failed")

# %% [markdown]
# ## One question, two failures
#
# What did the Greeks call the god after whom the smallest planet is named? The authored thinker has two ideas, the page of the *planet* Mercury
# (verdict 0.7) and the page of the *god* (0.5). It takes the planet. Of the three calls proposed there two fail. The third works: it looks up the
# word "god" on that page (0.65). A Search costs 1, a Lookup 0.5, a sure answer is worth $w = 5$; $\delta_T = 1$ and $\gamma = 0.5$. With the failed states
# alone charged, the lookup has $f = 1 + 0.5 - 5 \cdot 0.65 = -1.75$, and the page of the god $f = 1 - 5 \cdot 0.5 = -1.5$. The lookup is lower, so it is
# taken next.
#
# ### Predict: who is next if the way is charged?
#
# The state before each of the two failures is the planet.

# %% tags=["set-up"]
# The author: actions after the last one, their values and thoughts
PLANET, GOD = "Search[Mercury (planet)]", "Search[Mercury (god)]"
CLUE, GREEKS, END = "Lookup[god]", "Lookup[Greeks]", "Finish[Hermes]"
DEAD = "Lookup[Hermes]", "Lookup[Greece]"
SLIPS = "Lookup[Greek]", "Search[Greek messenger god]"
says = {"": (PLANET, GOD), PLANET: (SLIPS[0], CLUE, SLIPS[1])}
says |= {CLUE: (*DEAD, "Search[Gods of Greece]")}
says |= {GOD: (GREEKS,), GREEKS: (END,)}
worth = {PLANET: 0.7, CLUE: 0.65, GREEKS: 0.9, END: 1.0}
thoughts = {PLANET: "The planet is Mercury.", END: "There it is."}
thoughts[GOD] = "A god gave it its name."
task = tot.task("hotpotqa")
[question] = (p for p in task.problems("book") if "smallest of" in p.x)


def ask(rule, says=says, worth=worth):
    def answer(request, i):
        said = request.messages[-1].content
        *_, last = ("", *re.findall("^Action: (.*)", said, re.M))
        if "Reply only with a score" in said:
            return str(worth.get(last, 0.5))
        action = says[last][i % len(says[last])]
        thought = thoughts.get(action, "What does it say?")
        return f"Thought: {thought}\nAction: {action}"

    lm = tot.Scripted(answer, name="authored thinker")
    knobs = {"lm": lm, "propagate": rule}
    return tot.solve(task, question, "itot-dstar", **knobs)


# %%
run = ask("path")
choices = "Lookup[god], below the planet", "the page of the god"
choices += ("either: they are level",)
asked = "Which state is taken next, if the way is charged as well?"
show.Predict(asked, choices[1], choices=choices)

# %% [markdown]
# The planet is charged $\gamma\,\delta_T = 0.5$ for each of the two failures, so it and everything below it cost 1 more, and the order is reversed.
# With the failed states alone charged, the search stays below the planet and pays for three more calls, which all fail. A larger $\delta_T$ would not have
# changed that: it falls on the calls that failed, and the state that leads astray is the one that worked.

# %% tags=["predict"]
show.explorer(run, step=when(run, "propagated"))

# %% [markdown]
# **Figure.** The search with the way charged, at the step where that happens. Go one step back and forth: the planet and everything below it get a
# larger $f$, and the page of the god comes first on the open list. The drawing's V is the verdict $v$, without its weight. A charge is not money: it enters $g$ and $f$, but no bill. (It makes 11 *calls* of the model and 6 of tools.)
#
# The rule cannot know *why* a call failed. Here the page did not hold the fact.
#
# ## Does it pay?
#
# So we run it in the simulated trees of chapter 11, two hundred of them. A state has three children, one call each at a price of 1.
# A call that works finds something half of the time, and after three finds comes the answer. Four calls in ten
# fail. Failures strike **one by one**, or **by branch**: a branch's first call works, and then either all calls below it are down or none is. Tools are
# **eager** (all children's tools run, as in the poster) or **lazy** (a tool runs when its state is taken up). $w$, $\delta_T$ and
# $\gamma$ are those of the question above.
#
# ### Predict: four worlds
#
# Charge the way, and count the calls against charging nobody, which is the A\* of chapter 11.

# %% tags=["plot"]
RULES = {"nobody": "A*", "failed states": "D* Lite, none"}
RULES["way"] = "D* Lite, path, discount 0.5"
WORLDS = "one by one, eager", "one by one, lazy"
WORLDS += "by branch, eager", "by branch, lazy"
calls = {(world, c): [] for world in WORLDS for c in RULES}
for world, c in calls:
    for tree in (Grove(i, 0.4, "branch" in world) for i in range(200)):
        run = tot.run(tree.searches("lazy" in world)[RULES[c]], {})
        calls[world, c].append(run.trace.result["tools"]["total"])

figure, ax = plt.subplots(figsize=(6, 3))
looks = {"failed states": ("C0o", 0.1), "nobody": ("C1s", -0.1)}
for rival, (look, x) in looks.items():
    pairs = [
        zip(calls[world, "way"], calls[world, rival], strict=True)
        for world in WORLDS
    ]
    gaps = [mean(way - other for way, other in pair) for pair in pairs]
    means = {i + x: e for i, e in enumerate(gaps)}
    draw(ax, look, f"against charging {rival}", means)
    for at, e in means.items():
        how = {"ha": "left" if x > 0 else "right", "va": "center"}
        ax.text(at + x / 2, e.rate, f"{e.rate:+.1f}", fontsize=8, **how)
ax.axhline(0, lw=1, color="grey")
ax.set_xticks(range(4), WORLDS, fontsize=8)
ax.set(xlim=(-0.5, 3.6), ylim=(-7, 12))
ax.set_ylabel("calls more, or fewer")
show.Predict(
    "How many calls more, or fewer, does charging the way make?",
    [round(e.rate, 1) for e in gaps],
    figure=figure,
    at={world: i for i, world in enumerate(WORLDS)},
    alt="Charging the way makes more calls in both worlds where calls "
    "fail one by one, and fewer where branches fail.",
)

# %% [markdown]
# **Figure.** One by one, charging the way is a loss; by branch it is a gain. Calls of charging the way, less those of each rival: means over 200 simulated trees, compared tree by tree, with 95%
# intervals. (A search without an answer stops after forty rounds, and the calls it made are counted.)
#
# If failures share a cause (a source that is down), each is a warning about its neighbours. If calls fail independently, a failure says nothing about
# the others, and the charge drives the search from a good way (exercise 4). So the rule is a bet that
# *failures come in branches*, which the poster does not say.
#
# Against charging nobody, the loss is two to three times the gain. With eager tools charging the failed states alone is the harder
# rival, since by branch it gains nearly as much. Against it the bet loses 8.4 calls or gains half a one: the siblings have
# failed, and been paid for, before any charge can warn of them. With lazy tools that rival saves nothing. There charging the way loses 4.0 calls or gains 2.0, because the untried
# siblings of a failed call cost more as well, and stay untried. So take the bet with lazy tools only, which the poster does not use, and if branches fail at
# least twice as often as single calls.
#
# ## What is left of the name?
#
# The poster says, without numbers, that its D\* Lite excels where tools fail often, and reports the same score for both of its algorithms, because few
# tools failed. Without failures all these rules are the same search, so equal scores are to be expected.
#
# | | D\* Lite | iToT-D\* |
# |---|---|---|
# | what is known | a map of calls and costs | what was generated so far |
# | $g$ | cost from here **to the goal** | cost **from the root** to here, and charges |
# | a failure | one edge costs $\infty$ | a surcharge on a way, by a rule of thumb |
# | its effect | exact: what depended on that edge | a suspicion against all that is below |
# | promise | the plan is always a cheapest known one, if $h$ is consistent | none |
# | the agent | moves; going back is a call | has no position; any open state will do |
# | what it saves | thinking | tool calls, if failures come in branches |
#
# What they share is one idea: *a failure changes costs that are known already, and so the order of what to do next.*
#
# ## Where it breaks
#
# - **Failures that pass.** Our agents treat a call that is down as down for good, and a charge stays. For a short outage, trying again is cheaper
#   than any replanning (chapter 10).
# - **Counting twice.** A judge that reads "could not find" lowers $v$ by itself. Then $\delta_T$ and its charges come on top.
# - **Units.** $\delta_T$ and the weight $w$ must be in the unit of tool costs. Too small a charge changes nothing; too large a
#   one drives the search from a good way at its first slip.
#
# ## What should I use?
#
# - **You have a map** (an API with known routes, a site map, a workflow): the real D\* Lite, if the map is large and the agent finds failures where
#   it stands. If the map is small or the goal changes, plan anew with A\*.
# - **A model writes the calls**: iToT-A\* with lazy tools, and a retry for short outages.
# - **You know that failures come in branches**, and tools are lazy: charge the way. A [larger study](study_tools_routes.ipynb) of prices, errors of
#   the judge and rates of failure finds it a clear winner only there.
# - **Before trying any of these** run one search with the question itself, as in [part two](12_itot_study.ipynb).
#
# ## Summary
#
# - If distances are measured to the goal, they stay valid when the agent moves. When a call breaks, only pages whose route used it need new ones.
# - Where $g$ and $rhs$ differ there is work to do. $k_m$ keeps old keys comparable with new ones, if $h$ obeys the triangle inequality; without it
#   the plan is wrong, and nothing warns you.
# - Repairs are cheap next to the agent and costly near the goal. They save planning, but no tool calls.
# - iToT-D\* raises the cost of failed calls, and with PROPAGATE_FROM that of the way that led there. With lazy tools that
#   gains where branches fail, and loses twice as much where calls fail one by one.
#
# ## Exercises
#
# ### Exercise 1: the tool is back
#
# At F the call to G was down, and the planner has repaired its plan. Now the call works again. Tell the planner so, using the functions
# above. How many turns does it take? And why may a call never become cheaper than $h$ says: what would go wrong?
#
# <details><summary>Hint</summary>
#
# `mine` is still at F. `change(mine, "F", "G", 1)`, then `repair(mine)`. For the second question let the agent stand at B with F to G at 2, so that
# the plan is the call of 5.5, and make B to C cost 0.4.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
before = len(mine.expanded)
change(mine, "F", "G", 1)
print("cost", repair(mine), "after taking", *mine.expanded[before:])

p = make(graph | {"F": {"G": 2}}, "B", "G", far)
repair(p)
change(p, "B", "C", 0.4)  # h says 1
print("planned", repair(p), f"A* {astar(p.cost, 'B', {'G'}).cost:.1f}")
# F believes its lower rhs in one turn. But with B to C cheap, F waits
# with the key 2 + h(B, F) = 6, though from B to F costs only 3.4 now. 6
# is above 5.5, so the planner stops before it looks at F. Hence h has
# to be consistent, as in chapter 11.

# %% [markdown]
# ### Exercise 2: two calls are down
#
# At F the calls to G and to H break. Which takes fewer turns, a repair after each break or one after both? Does it matter which call is reported first?
#
# <details><summary>Hint</summary>
#
# The turns of a repair are what it adds to `p.expanded`. `at_F` shows how to begin.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def spent(calls, after_each):
    p = make(graph, "A", "G", far)
    repair(p)
    p.at, before = "F", len(p.expanded)
    for v in calls:
        change(p, "F", v, inf)
        if after_each or v == calls[-1]:
            repair(p)
    return len(p.expanded) - before


for calls in ("GH", "HG"):
    after = spent(calls, True), spent(calls, False)
    print(*calls, "after each: {}, after both: {}".format(*after))
# After G alone the plan goes by H, and that repair was in vain. The
# break of H alone takes no turn, since no plan used that call.

# %% [markdown]
# ### Exercise 3: the poster's loop, literally
#
# Line 16 calls PROPAGATE_FROM *inside* the loop over the children. Let a state with $g = 1$ have two children, one that works and
# one that fails; calls cost 1, $\delta_T = 1$, $\gamma = 0.5$, and the charge goes to the parent at once. Compute $g$ of both
# children for both orders. What is odd?
#
# <details><summary>Hint</summary>
#
# Line 15 or 18 reads $g(s)$ when it is that child's turn.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def literal(children):
    parent, costs = 1.0, {}
    for child in children:
        costs[child] = parent + 1 + (child == "fails")
        if child == "fails":
            parent += 0.5  # PROPAGATE_FROM, inside the loop
    return costs


for order in (("works", "fails"), ("fails", "works")):
    print("in this order:", literal(order))
# The child that works costs more if it is drawn second. Ours prices
# all children, then charges once.

# %% [markdown]
# ### Exercise 4: a wrong suspicion
#
# Change the story. Now the call that works below the planet opens the page of the god (0.75), and the other first idea is the page of the
# *metal*, on which everything fails. Which rule spends less, charging the failed states alone, or their way as well? Predict first.
#
# <details><summary>Hint</summary>
#
# `ask(rule, says, worth)` with other tables; the rules are `"none"` and `"path"`, and the bill is `run.trace.result["tools"]`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
METAL = "Search[Mercury (element)]"
wrong = says | {"": (PLANET, METAL), METAL: DEAD}
wrong |= {PLANET: (SLIPS[0], GOD, SLIPS[1])}
new = wrong, worth | {GOD: 0.75}
for story, tables in {"old": (says, worth), "new": new}.items():
    for rule in ("none", "path"):
        bill = ask(rule, *tables).trace.result["tools"]
        print(f"{story} story, {rule}: {bill['total']} spent")
# Charging the way saves 2 where the page was wrong, and costs 1 where
# it was right and two calls slipped.

# %% [markdown]
# ## Further reading
#
# - D\* Lite {cite}`koenig2002dstar`, figure 3 is what we built; without a moving agent it is Lifelong Planning A\*
#   {cite}`koenig2004lifelong`. The first D\* is by {cite:t}`stentz1994optimal`.
# - The poster: {cite}`mousavi2024informed`. Its tools are those of ReAct {cite}`yao2023react`.
# - Knobs, charges in a trace, and what we changed in algorithm 2: [Informed search, the manual](../book/manual/informed_search.md).
