# %% [markdown]
# # Best first and iToT-A*
#
# A search with tools keeps several unfinished ideas open, and the next step of each is a call that somebody pays for.
# Best-first search goes on with the idea that looks best. Should it matter what that idea has cost already?

# %% tags=["set-up"]
import re
from dataclasses import dataclass
from math import inf
from operator import sub
from statistics import NormalDist, fmean
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook import show
from treebook.graph import astar
from treebook.nbsetup import setup
from treebook.studies.routes import Grove, make_world

setup()

# %% tags=["set-up"]
# Two searches of one simulated tree
NAMES = "best-first", "A*"


def on_tree(number, name, branches=True, limit=40):
    grove = Grove(number, rate=0.3, branches=branches)
    return tot.run(grove.searches(lazy=False, rounds=limit)[name], {})


def spent(run):
    return run.trace.result["tools"]["total"]


assert spent(on_tree(7, "best-first", limit=2000)) == 1107
show.tool_trees({name: on_tree(7, name) for name in NAMES})

# %% [markdown]
# **Figure.** One simulated tree of calls, one judge, two searches. A dot is a call that worked, a cross one that failed, and the
# thick line is the way to an answer. After forty expansions best-first has paid for 117 failed calls in one branch, and has no answer.
# A\* leaves that branch after nine.
#
# <aside class="margin">Who plays: no language model. The maps and trees are simulated, and on one real question a script of ours
# writes the thoughts and the verdicts.</aside>
#
# Both searches believe the same judge, who is wrong about the branch on top. The first page of that branch was a hit, so whatever hangs
# below looks
# close to an answer, but every call below is down. Best-first has no reason to go elsewhere. If you let it run on, it does answer,
# after 1,107 calls, when nothing is left in that branch. The search on the right also counts what it has spent, and so it leaves. This is
# the idea of *informed Tree of Thoughts* (iToT), proposed in a poster {cite}`mousavi2024informed`, which takes it from A\*
# {cite}`hart1968formal`.
# We picked this tree; how often that happens is counted [below](#when-does-the-past-pay).
#
# In a hurry? Read [a map with prices](#a-map-with-prices), [what A\* promises](#what-a-promises-and-when), [from pages to
# thoughts](#from-pages-to-thoughts) and [what should I use](#what-should-i-use).
#
# ## Learning objectives
#
# After this chapter you can
#
# - write Dijkstra's algorithm, best-first search and A\* as one loop with three orders, and keep the cost of a path apart from the
#   bill for finding it;
# - say under which conditions A\* returns a cheapest path, and show what happens when one of them is broken;
# - write iToT-A\* in a dozen lines, and say which part of A\* it keeps and which it loses;
# - predict what its one knob, the weight, does, and when counting the past pays.
#
# ## A map with prices
#
# Forty pages lie on a grid. From each page you can call some others, at a price: the distance between the two, or up to twice that.
# We want a cheapest path from one page to another. For now the whole map is known, and only the path is missing.
#
# Every search of this chapter keeps an **open list** of what it has found and could look at next. It takes the entry of lowest *rank* and
# **expands** it, which means that it looks where that entry leads. Only the rank differs. Write $g$ for the cost of the way *from the
# start* to a page, and $h$ for a guess of what is left from there *to the goal*. Here $h$ is the distance to the goal, and it is never
# too high.
#
# | search | rank | in words |
# |---|---|---|
# | Dijkstra {cite}`dijkstra1959note` | $g$ | what the way there costs |
# | best-first | $h$ | what seems to be left |
# | A\* | $g + h$ | both |
#
# When a page is found again by a cheaper way, it goes back on the list, even if it was expanded before. It is **reopened**.


# %%
def find(graph, start, goal, rank, h, reopen=True):
    g, open_, expanded = {start: 0}, {start}, []
    while open_:
        u = min(open_, key=lambda v: (rank(g[v], h(v)), v))
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


# %% tags=["set-up"]
# The ranks; two hundred maps; means with 95% intervals
RANKS = {
    "Dijkstra": lambda g, h: g,
    "best-first": lambda g, h: h,
    "A*": lambda g, h: g + h,
}
maps = [make_world(seed) for seed in range(200)]


def mean(values, form=".0f"):
    i = stats.bootstrap([[v] for v in values], resamples=500)
    return f"{i.rate:{form}} [{i.low:{form}}, {i.high:{form}}]"


# %% [markdown]
# ### Predict: who looks least?
#
# The three orders search the same map, from the same start to the same goal.

# %%
m, count, panels = maps[1], {}, []
for name, rank in RANKS.items():
    cost, seen = find(m.graph, m.start, m.goal, rank, m.left)
    count[name] = len(seen)
    way = astar({u: m.graph[u] for u in seen}, m.start, {m.goal})
    looks = {"start": m.start, "goal": m.goal, "path": way.vertices}
    looks["title"] = f"{name}: cost {cost}, {len(seen)} expanded"
    looks |= {"looked": seen, "width": 224}
    place = dict(enumerate(m.place))
    panels.append(show.road_map(place, m.graph, **looks))
show.Predict(
    "What is their order, from the one that expands fewest?",
    sorted(count, key=count.get),
    choices=[*count],
    shows=show.side_by_side(panels),
)

# %% [markdown]
# **Figure.** Filled pages were expanded, and the thick line is the way that was found. The start has a thick ring, the goal two thin
# ones. Dijkstra expands 38 of the 40 pages, and A\* 25 for a way of the same cost, 148. Best-first expands only 8, for a way of 163.
#
# ## And if every look has a price?
#
# With a map in your hand a look is free: you plan first, and pay when you travel. With tools it is the other way round. You make a call
# *in order to look*, and you pay at once. So there are two bills. The **path** is what the calls on the returned way cost, and the
# **total** is what all calls cost together. The loop stays nearly the same. It ranks calls instead of pages:


# %%
def explore(m, rank, sunk=1):  # sunk=0 forgets what is paid already
    def order(call):
        return rank(sunk * call[0] + call[1], m.left(call[2]))

    g, total, calls = {}, 0, [(0, 0, m.start)]  # paid, price, page
    while m.goal not in g:
        paid, price, v = call = min(calls, key=order)
        calls.remove(call)
        if v not in g:
            g[v] = paid + price
            total += price  # a look is paid for
            calls += [(g[v], p, w) for w, p in m.graph[v].items()]
    return g[m.goal], total


# %% [markdown]
# ### Predict: two bills
#
# Two hundred maps, and every look is paid for. Between Dijkstra and best-first there is a dial: multiply the guess by a **weight**.
# The rank $g + 0 h$ is Dijkstra's, $g + 1 h$ is A\*'s, and with an infinite weight only $h$ counts.

# %%
bills, rows = {}, []
for w in (0, 1, 1.5, 2, 5, "best-first"):
    rank = RANKS.get(w, lambda g, h, w=w: g + w * h)
    pairs = (explore(m, rank) for m in maps)
    bills[str(w)] = both = [*zip(*pairs, strict=True)]
    path, total = map(mean, both)
    rows.append({"weight": w, "path": path, "total": total})
means = [[*map(fmean, two)] for two in bills.values()]
plt.plot([*bills], means, "o-", label=["path", "total"])
plt.gca().set(xlabel="weight of the guess", ylabel="cost", ylim=0)
plt.legend()
show.Predict(
    "A* spends how many times as much in all as best-first?",
    round(means[1][1] / means[-1][1], 1),
    low=0.2,
    high=4,
    step=0.1,
    figure=plt.gcf(),
    alt="The total falls steeply up to 2; the path rises slowly.",
    shows=show.table(rows, caption="200 maps, 95% intervals"),
)

# %% [markdown]
# **Figure.** Up to a weight of 2 the total falls steeply while the path rises slowly. Beyond that only the path changes much.
#
# **A\* finds a cheapest path. It does not find a path cheaply.** Its guarantee is about the path. To be sure of it, A\* has to pay for
# calls on all the other ways that might have been cheaper.
#
# A weight above 1 overstates the guess on purpose, which is called *weighted* A\* {cite}`pohl1970heuristic`. With a weight of $w$ the
# path costs at most $w$ times the cheapest. In practice it comes closer: at 1.5 the path costs under two per cent more, and the
# total
# little more than half of A\*'s. The reason is the prices. A call costs one to two times its distance, so $h$ is nearly always too low,
# and $1.5 h$ is about right.
#
# If each call is paid once, look at the total. If the path will be walked again and again, as a workflow, look at the path.
#
# ## What A\* promises, and when
#
# The path that A\* returns is a cheapest one under three conditions.
#
# 1. $h$ is **admissible**: it never overestimates what is left.
# 2. Pages are **reopened** when a cheaper way to them turns up. You can do without this if $h$ is **consistent**: along a call
#    from $u$ to $v$ it falls by at most the price, $h(u) \le c(u, v) + h(v)$.
# 3. $h$ is **zero at every goal**. For an admissible $h$ that is never negative this comes for free, since at a goal nothing is left.
#
# A consistent $h$ that is zero at the goals is admissible. The reverse is not true, and a map of S, A, B and G shows what the
# difference costs.

# %% tags=["plot"]
tiny = {"S": {"A": 1, "B": 2}, "A": {"B": 0.5}, "B": {"G": 2}, "G": {}}
guess = {"S": 0, "A": 2.5, "B": 0, "G": 0}
where = {"S": (0, 0), "A": (1, 0.6), "B": (2, 0), "G": (3, 0)}
notes = {}
for u, h in guess.items():
    g, left = astar(tiny, "S", {u}).cost, astar(tiny, u, {"G"}).cost
    notes[u] = [f"g {g:g}, left {left:g}", f"h {h:g}"]
looks = {"start": "S", "goal": "G", "prices": True, "width": 344}
names = {u: u for u in tiny}
show.road_map(where, tiny, remarks=notes, texts=names, **looks)

# %% [markdown]
# **Figure.** The two directions of counting: $g$ is the least cost from the start, "left" the least cost to the goal. Their sum is 3.5 at
# every page of a cheapest path. A search knows neither in advance. It has $h$ in place of "left", and here $h$ is nowhere too high. But
# from A to B it falls by 2.5, for a call of 0.5, so it is not consistent.
#
# ### Predict: never reopen
#
# The cheapest way is S, A, B, G. Follow the ranks $g + h$ with your finger, and do not go back to a page that was expanded.

# %%
rows = []
for reopen in (True, False):
    ends = "S", "G", RANKS["A*"], guess.get
    cost, seen = find(tiny, *ends, reopen)
    row = {"reopen": reopen, "expanded, in order": " ".join(seen)}
    rows.append(row | {"cost of the way": cost})
show.Predict(
    "Without reopening, what does the returned way cost?",
    cost,
    low=2.5,
    high=5,
    step=0.5,
    shows=show.table(rows),
)

# %% [markdown]
# The large $h$ hides A. So B is expanded on its more expensive way, which costs 2. When A is taken at last and offers B for 1.5, B is
# closed. Reopening repairs that, and expands B twice.
#
# ## From pages to thoughts
#
# In a tree of thoughts the vertices are states $s = [x, z_1, \dots, z_i]$: the question and the steps so far, each with its tool call
# and what the tool said. Here is a question for the book's small encyclopedia, with the three tools of chapter 10. A Search costs
# 1, a Lookup 0.5, and Finish, which answers, nothing. The thinker and the judge are **authored**: a list of ours has the steps, and the
# verdict $v$ from 0 to 1 on each, before its tool has run and after.

# %% tags=["set-up"]
# The question, and all that the authored thinker and judge know
task = tot.task("hotpotqa")
hard = task.problems("hard")
problem = next(p for p in hard if "Pluto is no planet" in p.x)
print(fill(problem.x, 70))
# after this action, do that; the verdict before and after
AUTHORED = """
start,Search[Vienna],0.55,0.6
start,Search[Pluto],0.5,0.5
start,Search[IAU],0.6,0.1
start,Finish[Rhine],0.1,0.1
Search[Vienna],Search[Danube],0.65,0.55
Search[Vienna],Lookup[Pluto],0.4,0.1
Search[Danube],Finish[Black Sea],0.3,0.3
Search[Danube],Lookup[joins],0.4,0.1
Search[Pluto],Lookup[2006],0.6,0.75
Search[Pluto],Search[Clyde Tombaugh],0.3,0.2
Lookup[2006],Search[Prague],0.8,0.85
Lookup[2006],Search[IAU],0.6,0.1
Search[Prague],Search[Vltava],0.9,0.95
Search[Prague],Lookup[river],0.6,0.3
Search[Vltava],Finish[Elbe],1.0,1.0
Search[Vltava],Search[Elbe],0.5,0.5
"""
STEPS = [line.split(",") for line in AUTHORED.strip().splitlines()]


def thinker(request, sample):  # a language model made of these lines
    prompt = request.messages[-1].content
    newest = ["start", *re.findall(r"^Action: (.+)$", prompt, re.M)][-1]
    if "Reply only with a score" in prompt:
        seen = "Observation:" in prompt.rpartition(newest)[2]
        return next(s[2 + seen] for s in STEPS if s[1] == newest)
    steps = [f"Action: {s[1]}" for s in STEPS if s[0] == newest]
    return steps[sample % len(steps)] if steps else "I am lost."


lm = tot.Scripted(thinker)

# %% [markdown]
# The thinker has four first ideas. One remembers wrongly (Vienna), one is sensible (Pluto), one finds no page (IAU), and one guesses.
# The judge liked Vienna best, so Vienna was expanded. Which open state is next? Suppose that a sure answer is worth 5 Searches to us,
# so that a verdict of 0.5 is worth 2.5. Take what the state has cost so far, and subtract what it is worth:

# %% tags=["set-up"]
# The open list after two expansions, by hand
PRICE = {"S": 1, "L": 0.5, "F": 0}  # Search, Lookup, Finish
ANSWERS = {s[1]: s[1][7:-1] for s in STEPS if s[1][0] == "F"}
rows = []
for after, action, _, verdict in STEPS[1:6]:  # Vienna is off the list
    g, v = PRICE[action[0]] + (after != "start"), float(verdict)
    row = {"open state": action, "g": g, "v": v}
    rows.append(row | {"5 v": 5 * v, "g − 5 v": g - 5 * v})
show.table(rows, highlight=0)

# %% [markdown]
# **Table.** Best-first looks at $v$ alone and takes the Danube. Counting the cost puts Pluto first, with the lowest sum. (The Danube
# has cost two Searches, because the way to it leads through Vienna.)
#
# The poster writes this as
#
# $$ f = g - V, \qquad V = w \cdot v . $$
#
# $V$ must be in the unit of the costs. The poster leaves open how; we multiply the verdict by a weight $w$, which says what a sure
# answer is worth. In the table $w = 5$.
#
# Is that A\*? Add $w$ to every $f$. This changes no order, since every state gets the same:
#
# $$ f + w = g + w - w v = g + \underbrace{w (1 - v)}_{h} . $$
#
# So iToT-A\* **is** A\*, with the guess $h = w(1 - v)$. (On the maps the weight multiplied a guess that was there already. Here it is a
# part
# of the guess: it turns a verdict into Searches.) A state with a sure verdict has nothing left to
# pay, and Pluto, with $v = 0.5$, has half of $w$ left, 2.5 Searches. Still, four things are different.
#
# | A\* on a map | iToT-A\* |
# |---|---|
# | many ways may lead to one page | one way leads to each state: nothing to reopen |
# | the calls are known | a model writes them, a few for each state |
# | $g$: what the way *would* cost | $g$: what it *has* cost, paid already |
# | $h$: a guess of what is left, 0 at goals | $w (1 - v)$: an opinion, not always 0 at an answer |
#
# The last row breaks the promise: $h$ need not be zero at a goal (condition 3), and may be too high (condition 1). For $h$ to be 0 at
# the answers, the judge would have to give each of them
# $v = 1$. For $w (1 - v)$ to be at most what is left, it would have to give every other state at least $1 - \text{left} / w$ (0.5 for
# Pluto, if 2.5 is left and $w = 5$). No judge is asked
# for that. It is asked whether a state *will lead to the right
# answer*, and its reply need not be 1 at an answer. Take two right answers. One costs 1 and gets $V = 0.5$, the other costs 3 and gets
# $V = 5$. Their $f$ are 0.5 and $-2$, so the expensive one is taken. ([Erratum I5](../book/errata.md#i5-the-promise-in-the-name): the
# name
# promises what the estimate cannot keep.)
#
# ## The poster's algorithm, and ours
#
# Algorithm 1 of the poster, in our words and letters. Its limits are $L$ thoughts in a state and $R$ rounds.
#
# | line | the poster | ours |
# |---|---|---|
# | 2 | The open list holds the question $x$. Every $g$ and $f$ is infinite. | $g(x) = 0$ ([erratum I2](../book/errata.md#i2-an-infinite-root)) |
# | 3 | Repeat at most $R$ times: | the same |
# | 4 | $s$ = the open state of lowest $f$. | and it leaves the list ([erratum I3](../book/errata.md#i3-states-are-never-taken-off-the-list)) |
# | 5 to 7 | If $s$ is an answer, return it. | the same |
# | 8 to 11 | If $s$ has more than $L$ thoughts, go to the next round. | not here; the package stops at $L$ |
# | 12 | The model writes next steps, the children $s'$ of $s$. | equal actions are one child |
# | 13, 14 | For each child, $g(s') = g(s) + V_T$; $V_T$ is the price of its call. | the same |
# | 15 | $f(s') = g(s') - V(s')$ for each child. | $V = w v$ |
# | 16 to 18 | Each child goes on the open list. | the same |
# | 19 | Return *Null*. | the best state so far, called *unfinished* |
#
# In code, a `Step` is a state with its $g$, its verdict, and its answer if it has one. The loop knows no model and no tool: `expand`
# makes
# the children of a step.


# %%
@dataclass(eq=False)
class Step:
    state: object
    g: float = 0
    v: float = 0
    answer: str | None = None


# %%
def informed(root, expand, rank, limit=15):
    open_, taken = [root], []  # 2
    while open_ and len(taken) < limit:  # 3
        taken.append(min(open_, key=lambda s: round(rank(s), 9)))  # 4
        open_.remove(taken[-1])
        if taken[-1].answer is not None:  # 5
            break
        open_ += expand(taken[-1])  # 12 to 18
    return taken


# %%
def f(weight):
    return lambda s: s.g - weight * s.v  # 15


def expand(s):  # all children have run their tools, as on the poster
    children = []
    for last, do, _, v in STEPS:
        if last == s.state:
            g = s.g + PRICE[do[0]]
            children.append(Step(do, g, float(v), ANSWERS.get(do)))
    return children


# %% tags=["set-up"]
# The package's searches, with prompts and tools; they end as ours do
def solve(method="itot-astar", **knobs):
    return tot.solve(task, problem, method, lm=lm, **knobs)


root, searches = Step("start"), {}
for w in (0, 3, 4, 5, 20):
    run = searches[f"w = {w}"] = solve(weight=w, k=4)
    last = informed(root, expand, f(w))[-1]
    assert last.answer == run.answer
    assert last.g == run.trace.result["tools"]["path"]
searches["w = 5, lazy tools"] = solve(weight=5, lazy=True, k=4)
searches["best-first"] = solve("react-best-first", k=4)
searches["depth-first"] = solve("react-dfs", k=4)
searches["ReAct, one chain"] = solve("react")

# %% [markdown]
# The package does the same with prompts and tools. ([Step by step](gallery_tools.ipynb#a-price-for-every-call) in the gallery.) With $w
# = 5$ it goes on from [table 11.1](#table-11-1) with Pluto.
#
# ### Predict: the weight
#
# From Pluto the right way goes on with `Lookup[2006]` ($v = 0.75$), `Search[Prague]` (0.85), `Search[Vltava]` (0.95) and `Finish[Elbe]`
# (1). Now let $w = 4$.


# %%
rows = []
for name, run in searches.items():
    row = {"search": name, "answer": run.answer}
    rows.append(row | run.trace.result["tools"])
shown = ("search", "answer", "path", "total")
show.Predict(
    "What does it answer?",
    searches["w = 4"].answer,
    choices=["Elbe", "Black Sea", "Rhine"],
    shows=show.table(rows, shown, highlight=2),
)

# %% [markdown]
# **Table.** Costs in Searches. With 3 and 4 the answer is wrong.
#
# With $w = 4$ the search has paid for every call of the right way, as far as the Vltava ($f = 3.5 - 3.8 = -0.3$), and with 3 for all but
# that one. Then it takes the guess ($f = 0 - 0.4$). Each call has made $g$ larger, so the guess, with its $g$ of 0, looks better and
# better. But that money is spent, and stopping
# does not bring it back. It is a **sunk cost**. Someone who cares only about what is still to be paid would leave $g$ out, and that is
# best-first search.
#
# With $w = 0$ the search is Dijkstra's, and its promise holds: it returns the cheapest answer there is, which is **the guess**. It
# promises the wrong thing; that is why $V$ belongs in $f$. (On the maps, where no answer is wrong, the total fell with the weight. Here
# it rises, because a small weight stops early, at a wrong answer.)
#
# ## When does the past pay?
#
# On maps it did not pay: A\* spent more than twice what best-first did. In the opening tree it did. There calls cost 1, and three in ten
# are down. Failures can strike calls **one by one**, or **by branch**: then all calls below a first thought are down, or none. The
# opening tree was of the second kind. Here are two hundred of each, searched for at most forty expansions.
#
# ### Predict: failures one by one
#
# Whether a call is down is drawn separately for each call.

# %% tags=["set-up", "predict"]
# The same trees, searched by both
rows = []
for how in ("one by one", "by branch"):
    answers, totals, branch = [], [], how == "by branch"
    for name in NAMES:
        runs = [on_tree(i, name, branch) for i in range(200)]
        answers.append(sum(run.stopped == "done" for run in runs))
        totals.append([*map(spent, runs)])
    row = {"down": how, "answers": "{}, {}".format(*answers)}
    row |= {n: mean(t) for n, t in zip(NAMES, totals, strict=True)}
    row["A* − best-first"] = mean(map(sub, *totals[::-1]), "+.1f")
    rows.append(row)
show.Predict(
    "What does A* spend here, compared with best-first?",
    "about as much",
    choices=["clearly less", "about as much", "clearly more"],
    shows=show.table(rows),
)

# %% [markdown]
# With failures by branch, A\* answers on forty more trees within forty expansions, and spends less than half.
#
# The cost so far does not make the answer optimal. It acts as a **brake**: it says how long to believe the judge. Every step down adds to
# $g$, so a branch that promises much and does not deliver looks worse with each call, until its neighbours look better. Where the guess
# is good, as on our maps, the brake only slows you down. Where whole branches mislead, it saves you. (A [larger
# study](study_tools_routes.ipynb) turns more dials.)
#
# ## Judge first, pay later
#
# The poster runs the tools of *all* children and then sees which child is best: **eager tools**. You can also judge a child by its action
# alone, with the price of its call already in $g$, and make the call only when the child is taken: **lazy tools**. Then the judge sees
# the
# observation, and the child goes back on the open list with its new $f$.
#
# On the question about Pluto lazy tools find the same path, for a total of 6.5 instead of 10.5 ([table 11.2](#table-11-2)).
# In return, calls are made one after the other, the judge is asked twice about each, and what has not been opened can look better than
# it is. The two cheapest searches of that table are wrong: ReAct is a single chain, and depth-first search, as in
# [chapter 8](08_tot_dfs_crosswords.ipynb), turns back only where the judge gives up. Both follow the first idea to its end.
#
# ## Where it breaks
#
# - **It inherits the judge.** $f$ has one informed term, and that is an opinion. If the judge gives every state the same verdict,
#   only $g$ orders them, as with a weight of 0, and the guess wins (exercise 2).
# - **It also brakes close to the goal**, as with $w = 3$ and 4.
# - **A tree forgets that pages are pages.** In the eager search above `Search[IAU]` is bought twice, in two branches. The poster's
#   *Memory* puts the tree so far into each prompt ([how to switch it on](../book/manual/informed_search.md)).
# - **A failed call costs what a good one costs.** Only the verdict says that it failed, and nothing warns its neighbours. Chapter 12
#   begins there.
# - **A real model has not shown the gain.** On twenty questions a model of 1.5 billion parameters, recorded on 22 and 23 November 2026,
#   spent
#   +0.05 [−1.02, +1.07] more on tools with iToT-A\* than with best-first, and on ten questions with failures +0.70 [−1.65, +3.35]: too
#   few
#   to say which spends less ([the tables](../book/tables.md#claimed-without-a-figure-costs-and-failing-tools)).
#
# ## What should I use?
#
# | Your search | Take |
# |:---|:---|
# | each call is paid once, and the judge is good | a large $w$, or best-first (a weight of 2 was as good on the maps); if prices differ, add the price of the next call (exercise 3) |
# | the path will be walked again and again | A\*, with a guess that is never too high; with iToT-A\*, the smallest $w$ that still answers right |
# | whole branches fail or mislead (simulated so far) | iToT-A\*, with $w$ = the price at which you would buy a sure answer |
# | calls are expensive and waiting is cheap | lazy tools |
# | one search with the question itself finds it | no tree: read, then answer ([chapter 10](10_tools_costs_failures.ipynb)) |
#
# **Table.** Set the weight on questions whose answers you know, and report both bills.
#
# ## Summary
#
# - One loop makes three searches: rank by $g$ and it is Dijkstra's, by $h$ best-first, by $g + h$ A\*.
# - The guarantee of A\* needs an admissible $h$ that is zero at goals, and either reopening or consistency. It covers the path that
#   is returned, and not the bill for finding it.
# - iToT-A\* is A\* with the guess $w (1 - v)$. Verdicts are opinions about being right, so its path need not be a cheapest one. With
#   $w = 0$ it is, and may be a worthless guess.
# - On the maps a larger weight buys a smaller total with a costlier path, up to a point. Where a wrong answer is cheap, a small
#   weight takes it.
# - Counting the past wastes money where the guess is good, makes no difference that we can detect in two hundred trees where calls fail
#   one by one, and pays where whole branches let you down.
#
# ## Exercises
#
# ### Exercise 1: the algorithm as printed
#
# Run our loop (a) with a root of $g = \infty$, as in line 2, and (b) with the root at 0 but without taking states off the list. What
# happens in fifteen rounds?
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
def as_printed(g, rank, rounds=15):
    open_, taken = [Step("start", g)], []
    for _ in range(rounds):
        taken.append(min(open_, key=lambda s: round(rank(s), 9)))
        open_ += expand(taken[-1])
    return [s.state for s in taken]


print(*as_printed(inf, f(5))[:4], "...")
print(*as_printed(0, f(5))[:4], "...")
# (a) Infinity plus anything is infinity: all states tie, and the oldest
# wins. (b) The state of lowest f stays on the list and is taken again,
# unless a child is lower still. All its tools run again.

# %% [markdown]
# ### Exercise 2: shift and stretch the judge
#
# Suppose the judge adds 0.25 to every verdict. Or says half of what it said. Or says 0.75 to everything. What happens to
# the order in which states are taken? Argue first, then check on the question about Pluto.
#
# <details><summary>Hint</summary>
#
# You need not change `STEPS`. Change the rank: `lambda s: s.g - w * (s.v + 0.25)`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def order(rank):
    return [s.state for s in informed(root, expand, rank)]


assert order(lambda s: s.g - 8 * (s.v + 0.25)) == order(f(8))
assert order(lambda s: s.g - 8 * (s.v / 2)) == order(f(4))
assert order(lambda s: s.g - 8 * 0.75) == order(f(0))
print("a constant more changes nothing; half is half the weight;")
print("the same verdict for everything is a weight of 0")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The level of the verdicts does not matter, but their *spread* must fit the weight. A judge that only uses scores from 0.7 to
# 0.9 gives you a fifth of the weight that you set. Best-first needs the order only, so it does not mind.
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
# `explore(..., sunk=0)` leaves out what has been paid, and `RANKS["A*"]` is the rank.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
pairs = (explore(m, RANKS["A*"], sunk=0) for m in maps)
path, total = zip(*pairs, strict=True)
print("price + h: path", mean(path), "total", mean(total))
saved = mean(map(sub, bills["best-first"][1], total))
print("saved against best-first, map by map:", saved)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Best-first ignores the price of the next call, which is *not* sunk. Counting it helps. For independent boxes that cost something to
# open, the best order is known {cite}`weitzman1979optimal`, and what was paid before does not enter it.
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
# `NormalDist().inv_cdf` gives $z$.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
p, q = 0.59, 0.62
z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.80)
needed = z**2 * (p * (1 - p) + q * (1 - q)) / (q - p) ** 2
print(f"about {round(needed, -2):,.0f} questions for each method")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# If both methods answer the same questions, fewer are needed. And "significant cost reductions" cannot be checked without costs.
#
# </details>
#
# ## Further reading
#
# - The poster: {cite}`mousavi2024informed`. A\*: {cite}`hart1968formal`. Dijkstra's three pages: {cite}`dijkstra1959note`. Weights on
#   $h$: {cite}`pohl1970heuristic`.
# - Steps of thought, action and observation: {cite}`yao2023react`. Tree of Thoughts: {cite}`yao2023tree`.
# - Knobs, memory, rounds, and what we changed in the poster's algorithm: [Informed search, the
#   manual](../book/manual/informed_search.md).
