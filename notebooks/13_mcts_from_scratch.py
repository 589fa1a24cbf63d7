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
# # Monte Carlo tree search from scratch
#
# You may look at sixty plans out of a thousand, and after each look you choose where to look next. Do you stay where
# things went well, or try a corner that you have hardly seen? **Monte Carlo tree search (MCTS)** makes that choice anew
# after every look, with one line of arithmetic.
#
# [Breadth-first search](06_tot_bfs_game24.ipynb) makes it in advance: so many levels, so many states in each. The
# figure lets five searches of this book loose on one small tree. Its first step `a` looks better than `b`, but the
# answer, the node worth 1, is below `b`.

# %% tags=["set-up"]
# imports, and a mean with its interval
from collections import Counter
from functools import cache, partial
from math import inf, log, pi, sqrt
from random import Random

import matplotlib.pyplot as plt
import numpy as np

from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.hills import NODES, hill, noisy, search

setup()
SQRT2 = sqrt(2)


def mean(numbers):
    return stats.bootstrap([[x] for x in numbers], resamples=1000)


# %% tags=["plot"]
show.concepts.orders()

# %% [markdown]
# **Figure.** Depth-first and best-first search first finish what is below the better-looking `a`; the other three look below `b`
# sooner. Inside a node is its place in the order of judging (an empty one was never judged), beside it the judge's value. MCTS alone judges the root. ($C$,
# explained below, is 0.5 here; with other values up to 4 it judges 11 to 13 nodes. DFS goes on only below nodes of 0.5 or more; the
# $w$ of A* is from [chapter 11](11_best_first_itot_astar.ipynb).)
#
# MCTS needs as many looks as DFS: small trees forgive rigid plans. In a hurry? Read
# [a row of levers](#a-row-of-levers) and [be the search](#be-the-search); they need nothing else.
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what regret is, and how UCB1 shares a budget between exploring and exploiting;
# - write the four phases of MCTS in about forty lines, follow them with a pencil, and say which child is the output;
# - compare MCTS with a beam at equal cost, and choose its constant $C$ for your rewards;
# - say when a reward must change its sign on the way up, and name two places where the search goes wrong.
#
# No language model is asked. Instead of tokens we count **rollouts**, which are trips down the tree, and **evaluations**,
# which are new nodes that somebody had to judge. Once the judge is a model, as in
# [chapter 14](14_planning_with_mcts.ipynb), you pay for the evaluations.
#
# ## A row of levers
#
# Begin without a tree. Each of three levers pays out a coin with some unknown probability, and you may pull a thousand
# times. Such a row is called a **bandit**, and it poses the question of every search: take what looks good
# (**exploit**), or look at what you know little about (**explore**)?
#
# A **greedy** player pulls each lever once, and from then on the one with the best average. **UCB1**
# {cite}`auer2002finite` adds to each average a bonus for doubt, and pulls the lever with the highest sum. Work it out by hand.
# There have been eleven pulls, and $\ln 11$ is 2.40. The left lever was pulled five times, so its bonus is the root of 2.40 / 5, which is 0.69, times
# $\sqrt 2$.

# %% tags=["plot"]
show.concepts.ucb_step()

# %% [markdown]
# **Figure.** The lever with the lowest average is pulled next: it was pulled only twice, so its bonus is the largest. Averages alone would send you
# to the middle.
#
# As a formula, which is equation 3 of *Planning with MCTS* {cite}`anonymous2024planning`:
#
# $$\mathrm{UCB1} = Q + C \sqrt{\frac{\ln N_{\mathrm{parent}}}{N}}$$
#
# $Q$ is the average so far, $N$ how often this lever was pulled, $N_{\mathrm{parent}}$ how often all of them were. The
# sum is an *upper confidence bound*: it says how good the lever might still be. The bonus shrinks when the lever is pulled
# and grows slowly while the lever waits, so nothing is given up for good. $C$ sets its size; with $C = 0$ the player is greedy.
# (We begin with $\sqrt 2$; [a section below](#does-it-beat-a-beam) says when that is too large.)
#
# In code, a lever that was never pulled has an infinite bound, and ties go to the first.


# %%
def ucb1(total, visits, above, c):
    if not visits:
        return inf
    return total / visits + c * sqrt(log(above) / visits)


def highest(bounds):  # equal to nine digits is equal
    rounded = [round(bound, 9) for bound in bounds]
    return rounded.index(max(rounded))


# %% [markdown]
# Both divisions by `visits` matter. Without the first, all wins of a lever are added up, so the one that leads is pulled
# again and again. Without the second, all bonuses are equal: only the averages count, and the player is greedy.
#
# **Regret** is what you lose against somebody who knows the best lever: at each pull, its probability minus that of yours.

# %% tags=["set-up"]
# three levers, and players of a thousand pulls
LEVERS, PULLS = (0.2, 0.5, 0.8), 1000


def play(c, seed):  # the regret so far, after each pull
    rng, coins, pulls, lost = Random(seed), [0] * 3, [0] * 3, []
    for n in range(PULLS):
        seen = zip(coins, pulls, strict=True)
        lever = highest([ucb1(won, k, n, c) for won, k in seen])
        coins[lever] += rng.random() < LEVERS[lever]
        pulls[lever] += 1
        lost.append(max(LEVERS) - LEVERS[lever])
    return np.cumsum(lost)


players = {"greedy": 0}
players |= {f"UCB1, C={c:.2g}": c for c in (0.3, SQRT2, 4)}
games = {
    name: np.array([play(c, seed) for seed in range(40)])
    for name, c in players.items()
}

# %% [markdown]
# ### Predict: who loses least?
#
# The levers pay with probability 0.2, 0.5 and 0.8. Four players pull a thousand times each, in forty games: one
# is greedy, three use UCB1 with $C = 0.3$, $\sqrt 2$ and $4$.

# %%
at = np.geomspace(1, PULLS, 10).astype(int)
plt.figure(figsize=(5.6, 3.2))
rows = []
for name, regret in games.items():
    plt.plot(at, regret.mean(0)[at - 1], "o-", ms=4, label=name)
    last = regret[:, -1]
    row = {"player": name, "mean regret": f"{mean(last):.0f}"}
    row |= {"median": np.median(last), "worst game": max(last)}
    rows.append(row)
gaps = 0.3, 0.6
bound = sum(8 * np.log(at) / g + (1 + pi**2 / 3) * g for g in gaps)
said = f"bound for C=1.4, {bound[-1]:.0f} at the end"
plt.plot(at, bound, "k--", label=said)
show.plots.logarithmic(plt.gca())
plt.xlabel("pulls")
plt.ylabel("regret so far")
plt.legend()
show.Predict(
    "Which player has the smallest mean regret?",
    min(games, key=lambda name: games[name][:, -1].mean()),
    choices=list(games),
    figure=plt.gcf(),
    alt="Greedy curves upwards; C of 0.3 stays lowest.",
    shows=show.table(rows, caption="40 games; mean: 95% interval"),
)

# %% [markdown]
# **Figure.** Greedy loses in proportion to the pulls. UCB1 with $C$ = 0.3 and 1.4 loses like a logarithm, which on
# this axis is a straight line. With $C$ = 4 it is still exploring, and has lost as much as greedy.
#
# In most games the greedy player is nearly perfect, as its median shows. In some it is a disaster: after one unlucky pull
# of the best lever it never looks at that lever again. UCB1 comes back to every lever, ever more rarely. For
# $C = \sqrt 2$ there is a guarantee: the expected regret stays below the dashed line. Theorem 1 of
# {cite}`auer2002finite` has such a bound for *every* bandit that pays between 0 and 1: $8 \ln n$ divided by each gap to the best
# lever, plus a constant. Here it promises little: after a thousand pulls it allows a regret of 280, where a player who pulls at random loses 300 on
# average, and UCB1 lost only 38. A smaller $C$ does better still on these levers, but nobody promised that.
#
# ## From levers to a tree
#
# Now let each lever lead to a room with more levers. Every node of a tree is a bandit: its levers are its children, and
# a lever pays what the search finds below it {cite}`kocsis2006bandit`. A node's name is the word of the steps that lead to
# it, and the root is the empty word.

# %%
STEPS = {"": "ab", "a": "cd", "b": "ef"}
WORTH = {"": 0.5, "a": 0.7, "b": 0.4}
WORTH |= {"ac": 0.5, "ad": 0.3, "be": 0.9, "bf": 0.2}


def small(node):
    return STEPS.get(node, "")


# %% [markdown]
# Again `a` looks better than `b`, and the best node, `be`, is below `b`. A beam of one state never finds it.
#
# MCTS keeps two numbers for each node: its **visits** $N$, and the total of all rewards that came through. The
# total divided by the visits is $Q$. One rollout has four phases:
#
# 1. **Selection** goes down, always to the child with the highest UCB1, as far as there are children.
# 2. **Expansion**: a leaf that was judged before gets its children now, and the rollout goes on to the first of them.
# 3. **Simulation** judges the new node. In a game that is a **playout**, random moves to the end; for a plan, a judge
#    says a number.
# 4. **Backpropagation** pays the reward to every node on the way up.


# %%
class Tree:
    def __init__(self, steps, worth, depth):
        self.steps, self.worth, self.depth = steps, worth, depth
        self.kids, self.reward = {}, {}  # expanded nodes, judged nodes
        self.visits, self.total = Counter(), Counter()


def select(tree, c):  # 1. selection
    n, q, node = tree.visits, tree.total, ""
    while kids := tree.kids.get(node):
        bounds = [ucb1(q[kid], n[kid], n[node], c) for kid in kids]
        node = kids[highest(bounds)]
    return node


# %%
def expand(tree, leaf):  # 2. expansion
    ripe = leaf in tree.reward and leaf not in tree.kids
    if ripe and len(leaf) < tree.depth:
        tree.kids[leaf] = [leaf + step for step in tree.steps(leaf)]
    return (tree.kids.get(leaf) or [leaf])[0]


def simulate(tree, leaf):  # 3. simulation
    if leaf not in tree.reward:  # each node is judged once
        tree.reward[leaf] = tree.worth(leaf)
    return tree.reward[leaf]


# %%
def back_up(tree, leaf, reward, sign=1):  # 4. backpropagation
    for depth in range(len(leaf), -1, -1):  # up to the root
        tree.visits[leaf[:depth]] += 1
        tree.total[leaf[:depth]] += reward
        reward *= sign


def rollout(tree, c=SQRT2, sign=1):
    leaf = expand(tree, select(tree, c))
    back_up(tree, leaf, simulate(tree, leaf), sign)
    return leaf


# %% [markdown]
# A leaf at the bottom can be reached again; its known reward then counts once more. (`sign` stays 1 until we come to
# opponents.)
#
# > **In the paper.** "A new node is added when a leaf is reached." Taken literally, a root with one child is no longer a
# > leaf, and the tree would be a chain. We add all children at once.
#
# ### Be the search
#
# Here are the first six rollouts, with $C = \sqrt 2$, phase by phase. Before each choice the sums stand alone: say
# which child is taken, then go on.


# %% tags=["set-up"]
# tot.mcts, with a scripted judge that answers from our tree
run = search(small, WORTH.get, depth=2, rollouts=300)
show.phases(run, 6, sums_first=True)

# %% [markdown]
# **Figure.** Selection takes the highest sum, not the highest mean. Then one reward changes the numbers of every node
# above it, and with them the next choice.
#
# Rollout 5 finds `be`, the best node. But the output of the search is the **most visited** child at each step, and after
# rollout 5 that is still `ac`: `a` and `b` have two visits each, and the tie goes to the first.
#
# ### Predict: where does rollout 9 end?
#
# Take the figure's last numbers, after rollout 6, and be the search for three more rollouts. Each needs two sums at the
# root. Below it a child that was never visited comes first; if there is none, two sums decide again.


# %%
# the next three rollouts of our own code
tree, rows = Tree(small, WORTH.get, depth=2), []
n, q = tree.visits, tree.total
for number in range(1, 10):
    sums = {
        node: ucb1(q[node], n[node], n[node[:-1]], SQRT2)
        for node in ("a", "b", "ac", "ad", "be", "bf")
    }
    leaf = rollout(tree)
    rows.append({"rollout": number} | sums | {"ends at": leaf})
show.Predict(
    "Where does the ninth rollout end?",
    leaf,
    choices=["ac", "ad", "be", "bf"],
    shows=show.table(rows[6:], caption="UCB1 before each rollout"),
)

# %% [markdown]
# Rollout 8 is a tie at the root, which goes to `a`. Now look again at rollout 5, the lucky one. The means speak for
# `a`, 0.60 against 0.40; the bonuses speak for `b`, which has one visit against two, by 0.49. So `b` leads by 0.29.


# %% [markdown]
# ## Where the visits go
#
# All seven nodes were judged by rollout 7. If the search runs on, nothing new is judged, and only the visits shift.
#
# ### Predict: how many visits go to `b`?
#
# `b` itself is worth 0.4, its children 0.9 and 0.2. Its share of the visits to `a` and `b`, drawn on the left, begins at 0, and the
# mean of its rewards, on the right, at 0.4.

# %%
rows = show.visit_rows(run)
late = {r["rollouts"]: r["share"] for r in rows if r["name"] == "b"}
at = {f"after rollout {n}": n for n in (10, 30, 100, 300)}
show.Predict(
    "Of the visits to a and b, which share goes to b?",
    [late[n] for n in at.values()],
    figure=show.plots.visits(rows, log=True),
    at=at,
    unit="%",
    alt="The share of b rises to nine tenths; its mean nears 0.9.",
)

# %% [markdown]
# **Figure.** In the long run both curves of `b` rise. (The dip after rollout 5 is the first look at `bf`.)
#
# A node's mean is an average over *visits*, and the visits go to its best child. So the mean tends to the best reward
# below the node, not to the plain average of the leaves.
#
# ### Which child is the output?
#
# Two rules are safe, because they ask for evidence as well as for a good mean {cite}`browne2012survey`.
#
# - **The most visited child.** A high mean may rest on a single look; many visits say that it stayed high while the search
#   looked further below. This is our rule, and that of `tot.mcts`.
# - **The highest lower bound**, $Q$ minus the bonus. After rollout 9 `a` and `b` have four visits each, and our rule takes `a`
#   because it is first. The lower bound takes `b`: the bonuses are equal, and its mean is 0.60 against 0.50.
#
# The highest mean is not safe, and neither is the best reward that was seen ([the last section](#the-winner-s-curse)). If the
# two safe rules disagree, let the search run on.
#
# ## Does it beat a beam?
#
# For a fair test we need trees that are too large to finish, and of which *we* know every node. A **hill** has three children
# at each node and six levels, 1,093 nodes in all. The root is worth 0.5, and the worth changes by at most a tenth with each step. Good nodes
# are near good nodes.
#
# Three ways of spending about sixty evaluations compete: the best of sixty random nodes, a beam of four states, and a
# hundred rollouts of MCTS with $C = 0.2$ (some come back to the bottom, and judge nothing). One judge is exact; another
# errs by about a tenth. What counts is the *true* worth of the output. ($C = 0.2$ was chosen on forty [other hills](study_monte_carlo.ipynb); these sixty are new.)
#
# ### Predict: does it beat a beam?
#
# Take the judge who errs. The figure also has MCTS with the guarantee's $C$, $\sqrt 2$.


# %% tags=["set-up"]
# three ways to search a hill, and what their outputs are worth
def most_visited(tree):
    node = ""
    while kids := tree.kids.get(node):
        node = max(kids, key=lambda kid: tree.visits[kid])
    return node


def grow(worth, c, rollouts=100, visit=rollout):
    tree = Tree(lambda node: "abc", worth, 6)
    for _ in range(rollouts):
        visit(tree, c)
    return tree


def mcts(worth, seed, c):
    return most_visited(grow(worth, c))


def beam(worth, seed):
    level = [""]
    for _ in range(6):
        kids = [node + step for node in level for step in "abc"]
        level = sorted(kids, key=worth, reverse=True)[:4]
    return level[0]


def at_random(worth, seed):
    return max(Random(seed).sample(NODES, 60), key=worth)


ways = {"60 random nodes": at_random, "beam of 4": beam}
for c in (0.2, SQRT2):
    ways[f"MCTS, C={c:.1f}"] = partial(mcts, c=c)
JUDGES = {"exact": hill, "noisy": noisy}
FRESH, worth, judged = range(100, 160), {}, Counter()


def on_hills(judge):
    return [cache(partial(judge, seed=seed)) for seed in FRESH]


def true(outputs):
    return np.array([*map(hill, outputs, FRESH)])


for name, way in ways.items():
    for word, judge in JUDGES.items():
        looks = on_hills(judge)
        worth[name, word] = true(map(way, looks, FRESH))
        judged[name] += sum(look.cache_info().misses for look in looks)

# %%
plt.figure(figsize=(5.6, 2.6))
marks = [f"{name}, {judged[name] / 120:.0f} judged" for name in ways]
for word, look in zip(JUDGES, ("C1o", "C2s"), strict=True):
    found = [mean(worth[name, word]) for name in ways]
    ends = [i.low for i in found], [i.high for i in found]
    plt.hlines(marks, *ends, look[:2])
    rates = [i.rate for i in found]
    plt.plot(rates, marks, look, label=f"{word} judge")
plt.gca().invert_yaxis()
plt.xlabel("true worth of the output")
plt.legend()
ours, theirs = "MCTS, C=0.2", "beam of 4"
gaps = (mean(worth[ours, w] - worth[theirs, w]) for w in JUDGES)
said = "MCTS with C=0.2 minus the beam: {:+.3f}, exact; {:+.3f}, noisy"
show.Predict(
    "Whose output is worth most under the noisy judge?",
    max(ways, key=lambda name: worth[name, "noisy"].mean()),
    choices=list(ways)[:3],
    figure=plt.gcf(),
    alt="With the noisy judge MCTS with C of 0.2 is ahead.",
    shows=said.format(*gaps),
)

# %% [markdown]
# **Figure.** At about sixty evaluations beam and MCTS are almost level under an exact judge, and MCTS is ahead under a
# noisy one. With $C = \sqrt 2$ it judges a hundred, and still does worse than sixty nodes chosen at random. Means and 95% intervals
# of 60 hills.
#
# If the judge is exact, nothing needs a second look, and the beam is even slightly ahead. If the judge
# errs, a beam believes each judgement at once and for good, whereas MCTS comes back: what it finds
# below a node corrects its first impression. The gain is small, and clear of zero. It says nothing about the plans of a
# language model: a judge may repeat its errors there.
#
# And $\sqrt 2$? **C has the unit of the reward.** Siblings on a hill usually differ by less than a tenth, and a bonus that
# begins with $\sqrt 2$ drowns such a difference: each of the hundred rollouts judges something new, and no branch is explored
# deeply. The guarantee is for rewards anywhere in [0, 1], where siblings may differ by much more.
#
# > **In practice.** See how much the rewards of siblings differ, begin with a $C$ between that difference and twice that, and test it on
# > other problems. The package uses $\sqrt 2$ unless you set it; the paper does not say what it used.
#
# ## A planner has no opponent
#
# MCTS became known through games {cite}`chaslot2008mcts,silver2016mastering`, where every other move belongs to
# somebody who wants the opposite. What is good for the player who moved here is bad for the one who moved before, so a
# reward changes its sign at each step up: `sign=-1` in our `back_up`, as in the
# [study](study_monte_carlo.ipynb) that plays noughts and crosses.
#
# *Planning with MCTS* reports in section 3.3 that it backs up "in a zero-sum game manner", and suspects that this adds
# to the uncertainty of its results. But nobody moves against a planner. There a node is a whole plan, its children are
# revisions of it, and a good revision is good news for the plan. Take the words literally, on the small tree.

# %% tags=["set-up"]
# both ways of backing up
rows = []
for sign, word in ((1, "average"), (-1, "zero-sum")):
    tree = Tree(small, WORTH.get, 2)
    for _ in range(300):
        rollout(tree, sign=sign)
    row = {f"visits of {k}": tree.visits[k] for k in "ab"}
    rows.append({"back-up": word} | row)
show.table(rows, caption="300 rollouts, C=1.4", highlight=1)

# %% [markdown]
# **Table.** With the sign flip the search shuns `b` because `b` has the best child of all.
#
# The paper's output is the node with the highest average, which can be a leaf, so the damage there may be smaller. The
# package averages unless you ask for `zero_sum=True`.
#
# ## A trap
#
# A tree can be small and still take forever to search. At each level of the next one, step `a` stops with a consolation
# prize and step `b` goes on. The prizes get smaller, and only the very last `b` is
# worth 1. The idea is from {cite}`coquelin2007bandit`.


# %%
def trap(depth):
    def worth(node):
        prize = (depth - len(node)) / depth
        last = float(node == "b" * depth)
        return prize if node.endswith("a") else last

    def steps(node):
        return "" if node.endswith("a") else "ab"

    return steps, worth


show.svg(search(*trap(4), depth=4, rollouts=100), title=False)

# %% [markdown]
# **Figure.** A trap of depth 4 after a hundred rollouts. The prize of `a` is 0.75, the zeros on the right way keep the
# means of `b` low, and `bbbb`, worth 1, has not been judged.
#
# ### Predict: how long does it take?
#
# With depth 2 the search finds the last `b` by rollout 9, with depth 3 by rollout 35. The trap of depth 6 has thirteen
# nodes.

# %%
rows = []
for depth in range(2, 7):
    tree, n = Tree(*trap(depth), depth), 0
    while "b" * depth not in tree.reward:
        n, _ = n + 1, rollout(tree)
    row = {"depth": depth, "found by rollout": n}
    rows.append(row | {"visits of b": tree.visits["b"]})
answer = f"about {round(n, -4):,}"
show.Predict(
    "By which rollout is the end of the trap of depth 6 found?",
    answer,
    choices=["about 300", "about 1,000", "about 7,000", answer],
    shows=show.table(rows),
)

# %% [markdown]
# Why so many? UCB1 keeps its promise of little regret: of $n$ rollouts only a multiple of $\ln n$ go where
# things look bad. Conversely, to look at `b` $m$ times takes a number of rollouts that grows exponentially with $m$. At depth 5 `b` needed 92 looks, at
# depth 6 it needed 453, and 1,105 rollouts became 72,951. Below `b`, the same holds for `bb`.
#
# > **Where it breaks.** Where every good step looks bad until the end, look level by level: that finds this prize after
# > a dozen evaluations. MCTS is also weak where [nodes are very wide, or rewards give no direction](study_monte_carlo.ipynb).
#
# ## The winner's curse
#
# Suppose you skip the visits and take the node with the best reward that was seen. Perhaps it is good, or perhaps the
# judge erred in its favour. The more nodes are judged, the more luck there is to pick from. This is the
# **winner's curse**, or optimizer's curse {cite}`smith2006optimizer`.
#
# ### Predict: what is the best reward worth?
#
# Sixty hills, a noisy judge, 300 rollouts.


# %%
# the best reward seen, and the most visited
trees = [grow(judge, 0.2, 300) for judge in on_hills(noisy)]
best = [max(tree.reward, key=tree.reward.get) for tree in trees]
often = [*map(most_visited, trees)]
rows = []
for name, nodes in {"most visited": often, "best reward": best}.items():
    said, real = np.array([*map(noisy, nodes, FRESH)]), true(nodes)
    over = mean(said - real)
    row = {"node": name, "its reward": f"{said.mean():.2f}"}
    row |= {"its true worth": f"{mean(real):.2f}"}
    rows.append(row | {"too high by": f"{over:.2f}"})
show.Predict(
    "How far is the best reward above the true worth of its node?",
    round(over.rate, 2),
    low=0,
    high=0.4,
    step=0.01,
    shows=show.table(rows, caption="60 hills"),
)

# %% [markdown]
# The most visited node is worth no less than the one with the best reward. At the bottom of the tree
# nothing is left to look into, so its many visits repeat *one* judgement, which is 0.12 too high. What helps is to judge the winner again, by a judge
# whose errors are fresh, and to report that number (exercise 4).
#
# ## Summary
#
# - UCB1 adds to an average a bonus for doubt. Its regret grows like a logarithm, because it returns to a poor lever
#   ever more rarely, and gives up on none for good.
# - MCTS runs such a bandit at every node: select, expand, simulate, back up. Visits gather below the best child, means
#   follow the visits, and the most visited child is the output.
# - At about equal cost it was slightly behind a beam when the judge was exact, and a little ahead when the judge erred. With a
#   $C$ too large for the rewards it judged more, and fell behind random looks.
# - Rewards change sign between opponents; a planner averages.
# - Beware of good steps that look bad at first, and of the best number that a noisy judge ever gave.
#
# ## Exercises
#
# ### Exercise 1: rollout ten, and then?
#
# After these nine rollouts, where does rollout 10 end? Then guess: how many of
# the ninety rollouts after that still go to `a`?
#
# <details><summary>Hint</summary>
#
# At the root `a` and `b` have four visits each, with $Q$ = 0.50 and 0.60; below `b` the visits are two and one.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
# The bonuses are equal, so b leads by 0.10. Below b: be has
# 0.90 + 1.18 = 2.08, bf 0.20 + 1.67 = 1.87.
tree = Tree(small, WORTH.get, depth=2)
ends = [rollout(tree) for _ in range(100)]
print("rollout 10 ends at", ends[9])
to_a = sum(leaf[:1] == "a" for leaf in ends[10:])
print(to_a, "of the next 90 go to a")

# %% [markdown]
# ### Exercise 2: the unit of C
#
# Multiply all rewards of a hill by ten, and add three. Which $C$ makes the search visit exactly the same nodes as before?
#
# <details><summary>Hint</summary>
#
# What happens to $Q$ in equation 3? What must happen to the other term? `grow` takes any function of a node.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
one = on_hills(hill)[0]
ten = grow(lambda node: 10 * one(node) + 3, c=2.0)
print("ten times the C:", ten.visits == grow(one, c=0.2).visits)

# %% [markdown]
# ### Exercise 3: back up the maximum
#
# Let $Q$ of a node be the *best* reward that was seen at or below it. Write `max_rollout`. Try
# it on the trap, then on the hills with the noisy judge. Where does it help, and where not?
#
# <details><summary>Hint</summary>
#
# After `rollout`, set `tree.total[node]` of each node on the path to its visits times the best reward at or below it,
# so that `ucb1` stays as it is.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def max_rollout(tree, c=SQRT2):
    leaf = rollout(tree, c)
    for depth in range(len(leaf) + 1):
        node = leaf[:depth]
        seen = tree.reward.items()
        best = max(r for name, r in seen if name.startswith(node))
        tree.total[node] = tree.visits[node] * best


tree, n = Tree(*trap(6), 6), 0
while "b" * 6 not in tree.reward:
    n, _ = n + 1, max_rollout(tree)
print(f"trap of depth 6: found by rollout {n}")
trees = [grow(h, 0.2, visit=max_rollout) for h in on_hills(noisy)]
less = true(map(most_visited, trees)) - worth["MCTS, C=0.2", "noisy"]
print(f"hills, noisy judge: maximum minus average {mean(less):+.3f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# In the trap a maximum is not pulled down by the zeros on the right way. On the hills it is the winner's curse again.
#
# </details>
#
# ### Exercise 4: judge the winner again
#
# Suppose that every plan is worth 0.5 and the judge errs by 0.1. You judge $n$ of them and
# report the best reward. What do you report for $n = 1, 10, 100$? Now judge only the winner once more. What do you
# report?
#
# <details><summary>Hint</summary>
#
# The second judgement is a fresh `rng.gauss(0.5, 0.1)`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
rng = Random(0)
for n in (1, 10, 100):
    many = range(300)
    first = [max(rng.gauss(0.5, 0.1) for _ in range(n)) for _ in many]
    again = [rng.gauss(0.5, 0.1) for _ in many]
    print(f"{n}: {mean(first):.2f}, judged again {mean(again):.2f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The error of the second judgement must have nothing to do with the first. (Our `noisy` errs alike on a node each time; so
# does a model at temperature 0.)
#
# </details>
#
# ## Further reading
#
# - {cite}`auer2002finite` for UCB1 and its bound; {cite}`kocsis2006bandit` for UCB1 in trees; {cite}`browne2012survey`
#   for what has been done with it since.
# - {cite}`anonymous2024planning`, section 2.2: equation 3, and the four phases with judges.
# - [Studies of Monte Carlo search](study_monte_carlo.ipynb): what $C$ does, several leaves at once, wide nodes, noughts
#   and crosses. [LATS](study_lats.ipynb): the same search over steps with tools.
