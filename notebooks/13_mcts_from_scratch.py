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
# [Breadth-first search](06_tot_bfs_game24.ipynb) fixes the shape of its tree before it has seen one value: so many
# levels, so many states in each. Monte Carlo tree search (MCTS) decides after *every* evaluation where the next one is
# best spent. It goes where the rewards were high. It also goes where it has seldom been, because there it knows little.
#
# The figure below lets five searches of this book loose on one tree. Its first step `a` looks better than `b`, and the
# answer, the node worth 1, is below `b`.

# %% tags=["set-up"]
# imports, and a mean with its interval
from collections import Counter
from functools import cache, partial
from math import inf, log, pi, sqrt
from random import Random
from statistics import fmean, median

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.parse import Read

setup()


def interval(numbers, form=".0f"):
    """The mean and its 95 % interval, as text."""
    i = stats.bootstrap([[x] for x in numbers], resamples=1000)
    return f"{i.rate:{form}} [{i.low:{form}}, {i.high:{form}}]"


def minus(a, b):
    """The mean difference, pair by pair."""
    return interval([x - y for x, y in zip(a, b, strict=True)], "+.3f")


show.concepts.orders()

# %% [markdown]
# **Figure.** DFS and best-first finish below the better-looking `a` first; BFS, A\* and MCTS look below `b` sooner. Beside a node stands what it is worth, inside it when it was judged.
#
# On a tree so small, rigid is no handicap: BFS and A\* have the answer with their eighth judgement, MCTS with its
# eleventh, the root included. Larger trees, and judges who err, come below. (Best-first search and A\* are those of
# [chapter 11](11_best_first_itot_astar.ipynb); nothing here needs them.)
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what regret is, and balance exploring and exploiting with UCB1;
# - write the four phases of MCTS, selection, expansion, simulation and backpropagation, in thirty lines;
# - read visits and mean rewards in a tree, and say which child is the output and why;
# - choose $C$, the depth and the number of leaves in a round, and say what each costs;
# - tell when a reward must change its sign on the way up, and when it must not;
# - name the problems on which this search is slow, and say why the best reward seen promises too much.
#
# No language model is asked here. Rewards come from a table or a formula, randomness is seeded, and everything is
# computed live. There are no tokens to compare with earlier chapters, so we count **rollouts** (trips down the tree)
# and **evaluations** (new nodes that somebody had to judge). This
# chapter is the bridge to chapter 14, planning with MCTS, where nodes are plans and the judges are language models.
#
# > **In practice.** With a real judge, evaluations are what you pay for. Rollouts that judge nothing new are free.

# %% [markdown]
# ## A row of levers
#
# Begin without a tree. Three levers pay a coin with probabilities that you do not know, and you may pull a thousand
# times. You learn about a lever only by pulling it. This is a **bandit** problem, and it is the question of every
# search: take what looks good (**exploit**), or look at what you know little about (**explore**)?
#
# Whoever knew the best lever would pull nothing else. **Regret** is what we lose against that person: at each pull, the
# probability of the best lever minus that of ours.
#
# **Greedy** pulls each lever once, and then always the one with the best average. **UCB1** {cite}`auer2002finite` adds
# to the average a bonus for what is little known. This is equation 3 of *Planning with MCTS*
# {cite}`anonymous2024planning`:
#
# $$\mathrm{UCB1} = Q + C \sqrt{\frac{\ln N_{\mathrm{parent}}}{N}}$$
#
# $Q$ is the average so far, $N$ how often this lever was pulled, $N_{\mathrm{parent}}$ how often all of them were. The
# bonus grows slowly while a lever waits, and shrinks when it is pulled. What was never tried comes first; of equals,
# the first in order (and what differs after the ninth digit only, by rounding, is equal). With $C = 0$, UCB1 is greedy.

# %%
LEVERS, PULLS, SEEDS = (0.2, 0.5, 0.8), 1000, 40


def play(choose, seed):
    """The regret so far, after each pull."""
    rng, coins, pulls, regret = Random(seed), [0] * 3, [0] * 3, [0.0]
    for _ in range(PULLS):
        lever = choose(coins, pulls, rng)
        coins[lever] += rng.random() < LEVERS[lever]
        pulls[lever] += 1
        regret.append(regret[-1] + max(LEVERS) - LEVERS[lever])
    return regret


# %%
SQRT2 = sqrt(2)


def ucb1(total, visits, above, c):
    if not visits:
        return inf
    return total / visits + c * sqrt(log(above) / visits)


def by_ucb1(c):
    def choose(coins, pulls, rng):
        pairs = zip(coins, pulls, strict=True)
        all_ = sum(pulls)
        bounds = [round(ucb1(won, n, all_, c), 9) for won, n in pairs]
        return bounds.index(max(bounds))

    return choose


# %% tags=["plot"]
won = {"left": (3, 5), "middle": (3, 4), "right": (1, 2)}  # of pulls
pulled = {name: (n, coins / n) for name, (coins, n) in won.items()}
show.concepts.ucb_step(pulled)

# %% [markdown]
# **Figure.** The lever with the lowest average is pulled next: it was pulled only twice, so its bonus is the largest.
#
# ### Predict: who loses least?
#
# Five players: random, greedy, and UCB1 with $C = 0.3$, $\sqrt 2$ and $4$. Rank them by their mean regret. Then rank
# them by their *worst* game out of forty.

# %%
players = {"random": lambda coins, pulls, rng: rng.randrange(3)}
players |= {"greedy": by_ucb1(0)}
players |= {f"UCB1, C={c:.2g}": by_ucb1(c) for c in (0.3, SQRT2, 4)}
games = {}
for name, choose in players.items():
    games[name] = [play(choose, seed) for seed in range(SEEDS)]

# %%
rows = []
for name, regrets in games.items():
    last = [regret[-1] for regret in regrets]
    row = {"player": name, "mean regret": interval(last)}
    row["median"] = round(median(last), 1)
    row["worst game"] = round(max(last))
    rows.append(row)
note = f"{PULLS:,} pulls, {SEEDS} games, 95% intervals over games"
least = min(games, key=lambda name: fmean(r[-1] for r in games[name]))
place = list(games).index(least)
table = show.table(rows, caption=note, highlight=place)
ask = "Whose mean regret is the smallest?"
show.Predict(ask, least, choices=list(games), shows=table)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Mean regret against the number of pulls, on a logarithmic axis. Random and greedy curve upwards, greedy with wide intervals. UCB1 with C of the square root of 2 is far below the dashed line of its bound. UCB1 with C of 0.3 stays lowest, and C of 4 lies between the square root of 2 and random."}}
at = [1, 3, 10, 20, 50, 100, 200, 500, 1000]
plt.figure(figsize=(5.6, 3.2))
colours = ("#6b7480", "C1", "C0", "C2", "C3")  # grey: random
looks = list(zip("os^Dv", colours, strict=True))
for (name, regrets), (marker, colour) in zip(
    games.items(), looks, strict=True
):
    i = [
        stats.bootstrap([[r[n]] for r in regrets], resamples=400)
        for n in at
    ]
    bars = [[x.rate - x.low for x in i], [x.high - x.rate for x in i]]
    plt.errorbar(
        at,
        [x.rate for x in i],
        bars,
        marker=marker,
        color=colour,
        ms=4,
        label=name,
    )
gaps = [max(LEVERS) - p for p in LEVERS if p < max(LEVERS)]
bound = [
    sum(8 * log(n) / g + (1 + pi**2 / 3) * g for g in gaps) for n in at
]
plt.plot(
    at,
    bound,
    "k--",
    label=f"bound for C=1.4, {bound[-1]:.0f} at the end",
)
plt.gca().set(xscale="log", xlabel="pulls", ylabel="regret so far")
plt.gca().xaxis.set_major_formatter("{x:g}")
plt.legend(fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** Random and greedy lose in proportion to the pulls, UCB1 with $C$ = 0.3 and 1.4 like a logarithm. With $C$ = 4 it is still exploring, and has lost as much as greedy.
#
# On this axis a logarithm is a straight line, and what grows in proportion to the pulls curves upwards. Greedy is
# nearly perfect in most games and a disaster in some: after an unlucky first pull of the best lever, it never looks at
# it again. So its median and its mean tell two different stories. UCB1 comes back to every lever, ever more rarely.
# For $C = \sqrt 2$ there is a guarantee: the
# expected regret stays below the dashed line. Theorem 1 of {cite}`auer2002finite` has such a line for *every* bandit
# that pays between 0 and 1; it depends on the gaps. A guarantee is not a record: on these levers a smaller $C$ does
# better, though nobody promised that.
#
# ## From levers to a tree
#
# Now let each lever lead to a room with more levers. Every node of a tree is a bandit, its levers are its children, and
# what a lever pays is what the search finds below it {cite}`kocsis2006bandit`. Here is a tree that fits into your head.
# A node is the word of the steps that lead to it; the root is the empty word.

# %%
STEPS = {"": "ab", "a": "cd", "b": "ef"}
WORTH = {"": 0.5, "a": 0.7, "b": 0.4}
WORTH |= {"ac": 0.5, "ad": 0.3, "be": 0.9, "bf": 0.2}


def small(node):
    """The steps that can follow."""
    return STEPS.get(node, "")


# %% [markdown]
# `a` looks better than `b`. But the best node of all, `be`, is below `b`. A beam of one state would take `a` and never
# find it.
#
# The search keeps which children it made, which rewards it was told, and two numbers for each node: the **visits** $N$,
# and the **total** of all rewards that came through. Their quotient is $Q$. One rollout has four phases:
#
# 1. **Selection** goes down, always to the child with the highest UCB1, as far as there are children.
# 2. **Expansion**: a leaf that was judged before gets its children now, and the rollout goes on to the first of them.
# 3. **Simulation** judges the new node. In a game that is a playout; for plans, judges say a number.
# 4. **Backpropagation** pays the reward to every node on the way up. (`sign` will be needed for games.)
#
# Where nothing can be added, the known reward counts once more, and nobody is asked.
#
# > **In the paper.** *A new node* is added when a leaf is reached. Word for word, a root with one child is no leaf any
# > more and never gets a second one: the tree would be a chain. We add all children at once.


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
        rounded = [round(bound, 9) for bound in bounds]
        node = kids[rounded.index(max(rounded))]
    return node


# %%
def expand(tree, leaf):  # 2. expansion
    ripe = leaf in tree.reward and leaf not in tree.kids
    if ripe and len(leaf) < tree.depth:
        tree.kids[leaf] = [leaf + step for step in tree.steps(leaf)]
    return (tree.kids.get(leaf) or [leaf])[0]


def simulate(tree, leaf):  # 3. simulation
    if leaf not in tree.reward:  # each is judged once
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
# ### Be the search
#
# Here are its first eight rollouts, with $C = \sqrt 2$, phase by phase. Marked is the node of the phase, thick the way of
# the rollout. Before each choice the sums stand there alone: say which child is taken, then go on. At backpropagation
# $N$ and $Q$ are those before and after. (The figure is drawn from a run of `tot.mcts`, the package's own search, with a
# **scripted** stand-in that answers from our tree.)


# %% tags=["set-up"]
# tot.mcts on a tree of words
def path_of(state):
    return state.last.text if state.last else ""


def asking(steps, worth):
    """A generator, an evaluator, and the scripted model behind both."""

    def answer(request, sample):
        kind, node = request.messages[0].content.split(" ")
        kids = " ".join(node + step for step in steps(node))
        return kids if kind == "steps" else str(worth(node))

    def ask(kind):
        return lambda state: tot.user(f"{kind} {path_of(state)}")

    def read(state, text):
        return [Read(tot.Thought(word)) for word in text.split()]

    generate = tot.generator(ask("steps"), read)
    judge = tot.value(ask("worth"), lambda t: Read(float(t)), n=1)
    return generate, judge, tot.Scripted(answer)


def search(steps, worth, budget=None, **knobs):
    generate, evaluate, lm = asking(steps, worth)
    root = tot.Node(tot.State("root"))
    wanted = tot.mcts(root, generate, evaluate, **knobs)
    return tot.run(wanted, lm, budget=budget)


# %%
run = search(small, WORTH.get, depth=2, rollouts=300)
show.phases(run, 8, sums_first=True)

# %% [markdown]
# **Figure.** Selection takes the highest sum, not the highest mean. Then one reward changes the numbers of every node above it, and with them the next choice.
#
# Rollout 5 finds `be`, the best node. Stopped then, the search would still return `ac`: `a` and `b` have two visits
# each, and of equals the first is taken. (Why visits decide, and not the 0.9 just seen, we shall see.)
#
# ### Predict: where does rollout 9 end?
#
# The figure stops after rollout 8. Take its last numbers and a pencil: two sums at the root, two at the next node.


# %% tags=["set-up"]
# nine rollouts of our own thirty lines, with their numbers
def bound(tree, kid):
    n = tree.visits
    return ucb1(tree.total[kid], n[kid], n[""], SQRT2)


tree, rows = Tree(small, WORTH.get, depth=2), []
for n in range(1, 10):
    row = {"rollout": n}
    for kid in tree.kids.get("", []):
        b = bound(tree, kid)
        row[f"UCB1 of {kid}"] = f"{b:.2f}" if b < inf else "new"
    leaf = rollout(tree)
    row |= {"ends at": leaf or "root", "reward": tree.reward[leaf]}
    for k in "ab":
        mean = tree.total[k] / (tree.visits[k] or 1)
        q = f"{mean:.2f}" if tree.visits[k] else "–"
        row[f"N, Q of {k}"] = f"{tree.visits[k]}, {q}"
    rows.append(row)

# %%
columns = ("rollout", "UCB1 of a", "UCB1 of b", "ends at", "reward")
columns += ("N, Q of a", "N, Q of b")
note = "UCB1 before the rollout, N and Q after it"
pencil = show.table(rows, columns, caption=note, highlight=8)
ends = ["ac", "ad", "be", "bf"]
ask = "Where does the ninth rollout end?"
show.Predict(ask, leaf, choices=ends, shows=pencil)

# %% [markdown]
# Read rollout 5. `b` has the larger bonus, because it has one visit against two: it leads by 0.49. The means, 0.40
# against 0.60, take 0.20 of that back. Had `a` kept its 0.70, the lead would be smaller still; the look below it
# was a disappointment. Before rollout 8 both children have the same $N$ and the same $Q$; a tie keeps the order.
#
# ## The same search in the package
#
# `tot.mcts` has the same four phases, but it asks: a generator for steps, an evaluator for rewards ([chapter
# 5](05_how_a_search_asks.ipynb)). Does it do what our thirty lines do?
#
# To compare the two on more than one tree, we need many. A **hill** has three children at each node, six levels, and a
# worth that changes by at most a tenth with each step. Good nodes are near good nodes, as a plan and a slightly changed
# plan should be.


# %% tags=["checked"]
# the package's search has the same paths, visits and means
def same(steps, worth, depth, rollouts, c, sign=1):
    """How many rollouts there were; fails if the two differ."""
    knobs = {"depth": depth, "rollouts": rollouts}
    knobs |= {"zero_sum": sign == -1}
    trace = search(steps, worth, exploration=c, **knobs).trace
    mine = Tree(steps, worth, depth)
    words = {id: x["thought"] for id, x in trace.nodes().items()}
    words["0"] = ""
    events = [e for e in trace.events if e["kind"] == "backed_up"]
    done = [event["nodes"] for event in events]
    for nodes in done:
        leaf = rollout(mine, c, sign)
        assert len(nodes) == len(leaf) + 1
        assert words[nodes[0]["id"]] == leaf
        for node in nodes:
            word = words[node["id"]]
            assert node["visits"] == mine.visits[word]
            assert node["mean"] == mine.total[word] / mine.visits[word]
    return len(done)


@cache
def hill(node, seed):
    if not node:
        return 0.5
    step = Random(f"{seed} {node}").uniform(-0.1, 0.1)
    return hill(node[:-1], seed) + step


def three(node):
    return "abc"


weights = (0, 0.3, SQRT2, 5)
compared = sum(same(small, WORTH.get, 2, 60, c) for c in weights)
compared += same(small, WORTH.get, 2, 60, SQRT2, sign=-1)
for seed in range(10):
    this = partial(hill, seed=seed)
    compared += sum(same(three, this, 6, 40, c) for c in (0, 0.2))
print(f"the same paths, visits and means in all {compared:,} rollouts")

# %% [markdown]
# ## Where the visits go
#
# ### Predict: what does the mean of `b` tend to?
#
# `b` itself is worth 0.4, its children 0.9 and 0.2. After very many rollouts, is $Q$ of `b` near their average, near
# 0.4, or near 0.9? Which share of all visits does `b` get?

# %%
rows = show.visit_rows(run)
_, b = (row for row in rows if row["rollouts"] == 300)
share = round(100 * b["share"])
tree = show.svg(run, title=False, max_dropped=None)
ask = "Of 300 rollouts, how many per cent go to b or below it?"
show.Predict(ask, share, low=0, high=100, unit="%", shows=tree)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Two panels over 300 rollouts, on a logarithmic axis. Left, the share of visits: a starts with all visits and b with none, they meet at rollout 3 and cross a few times, then b rises to about nine tenths. Right, the mean reward: a falls from 0.7 below one half, b rises from 0.4 towards 0.9."}}
show.plots.visits(rows, log=True)

# %% [markdown]
# **Figure.** In the long run both curves of `b` rise: the more visits go to its best child, the nearer its mean comes to that child's 0.9. (Right after `be` was found, a look at `bf` pulled the mean down once more.)
#
# The mean of `b` is an average over *visits*, and the visits go to `be`. So it tends to the best reward below, not to
# the plain average of the leaves. At the root the same happens one level up. This is why the usual output is the **most
# visited** child: its visits are the search's own verdict, made of many rewards.
#
# > **In practice.** All seven nodes were judged by rollout 7. The other rollouts asked nobody: they are bookkeeping, by
# > which the search makes up its mind.
#
# ## What C does
#
# On the small tree first. Turn $C$ and the number of rollouts, and see where the rollouts go. Is `be` found? How many
# are spent below `a`? Can a $C$ be too large?

# %%
CS = (0, 0.1, 0.3, 0.7, SQRT2, 2, 4, 10)
PLACES = {"a and below": "a", "– ac": "ac", "– ad": "ad"}
PLACES |= {"b and below": "b", "– be, the best": "be", "– bf": "bf"}


def shares(c, rollouts):
    tree = Tree(small, WORTH.get, depth=2)
    for _ in range(rollouts):
        rollout(tree, c)
    visits = tree.visits
    return {k: visits[node] / rollouts for k, node in PLACES.items()}


dials = {"C": [(f"{c:.2g}", c) for c in CS]}
dials["rollouts"] = [(str(n), n) for n in (5, 9, 20, 50, 100, 300)]
start = {"C": "1.4", "rollouts": "9"}
show.Dials(dials, shares, start=start, name="Where rollouts go")

# %% [markdown]
# **Figure.** With $C = 0$ `be` is never found. From $C = 0.3$ on the first nine rollouts are the same; after that, the smaller $C$ is, the more of them go to `be`.
#
# Six nodes are soon seen. So now to trees that no search can finish: forty hills, a hundred rollouts on each. To know the best node of a hill, we look at all of it; a search cannot.


# %%
def most_visited(tree):
    node = ""
    while kids := tree.kids.get(node):
        node = max(kids, key=lambda kid: tree.visits[kid])
    return node


def grow(seed, c, rollouts=100, judge=hill, *, sign=1, **shape):
    steps, depth = shape.get("steps", "abc"), shape.get("depth", 6)
    worth = partial(judge, seed=seed)
    tree = Tree(lambda node: steps, worth, depth)
    for _ in range(rollouts):
        rollout(tree, c, sign)
    return tree


# %%
def everything(node="", depth=6):
    below = (everything(node + s, depth - 1) for s in "abc" if depth)
    return [node, *(x for nodes in below for x in nodes)]


HILLS, NODES, rows = range(40), everything(), []
tops = [max(hill(node, seed) for node in NODES) for seed in HILLS]

# %%
for c in (0, 0.1, 0.2, 0.5, SQRT2, 5):
    trees = [grow(seed, c) for seed in HILLS]
    seen = [max(tree.reward.values()) for tree in trees]
    output = [hill(most_visited(trees[seed]), seed) for seed in HILLS]
    judged = [len(tree.reward) for tree in trees]
    deep = [max(map(len, tree.reward)) for tree in trees]
    row = {"C": round(c, 2), "evaluations": round(fmean(judged))}
    row |= {
        "deepest": round(fmean(deep), 1),
        "to level 6": deep.count(6),
    }
    row |= {"best seen": interval(seen, ".2f")}
    row |= {"output": interval(output, ".2f")}
    rows.append(row)
note = f"100 rollouts, 40 hills; best of {len(NODES):,} nodes: "
note += f"{fmean(tops):.2f}"
show.table(rows, caption=note)

# %% [markdown]
# A small $C$ dives: few evaluations, great depth, and now and then the wrong valley. A large $C$ spreads: every rollout
# judges something new, fewer reach the bottom, with $\sqrt 2$ none, and the output is a node that nobody had time to look into. Why is $\sqrt
# 2$ large here? **C has the unit of the reward.** Siblings on a hill differ by some hundredths, and a bonus of $\sqrt
# 2$ times something drowns that. It is the C of the guarantee, for rewards anywhere in [0, 1]. The paper does not say
# which $C$ it used; $\sqrt 2$ is what the package takes if you do not.
#
# ## A fair comparison
#
# ### Predict: does it beat a beam?
#
# Against a beam (`tot.bfs`) and against random nodes. Twice: with a judge who tells the exact worth, and with one who
# errs by about a tenth. We look at the *true* worth of the output. And because we have just picked $C = 0.2$ by looking
# at forty hills, the comparison takes sixty **new** ones.


# %% tags=["set-up"]
# a judge who errs, and the three ways to be compared
@cache
def noisy(node, seed):
    error = Random(f"judge {seed} {node}").gauss(0, 0.1)
    return hill(node, seed) + error


def beam(breadth, judge, seed):
    """The output of tot.bfs, and its evaluations."""
    generate, evaluate, lm = asking(three, partial(judge, seed=seed))
    root = tot.Node(tot.State("root"))
    knobs = {"depth": 6, "breadth": breadth}
    done = tot.run(tot.bfs(root, generate, evaluate, **knobs), lm)
    return path_of(done.best[0].state), done.ledger.nodes


def drawn(n, judge, seed):
    """The best of n random nodes."""
    nodes = Random(seed).sample(NODES, n)
    return max(nodes, key=partial(judge, seed=seed)), n


def visited(c, judge, seed):
    tree = grow(seed, c, judge=judge)
    return most_visited(tree), len(tree.reward)


# %%
FRESH, worth, rows = range(100, 160), {}, []
ways = {"random nodes": (drawn, 60)}
ways |= {f"beam, b={b}": (beam, b) for b in (1, 2, 4)}
ways |= {f"MCTS, C={c:.2g}": (visited, c) for c in (0.1, 0.2, SQRT2)}

# %%
for name, (way, knob) in ways.items():
    row = {"method": name}
    for judge, word in ((hill, "exact judge"), (noisy, "noisy judge")):
        outputs = {seed: way(knob, judge, seed) for seed in FRESH}
        true = [hill(node, s) for s, (node, _) in outputs.items()]
        worth[name, word] = true
        judged = [n for _, n in outputs.values()]
        row["evaluations"] = round(fmean(judged))
        row[word] = interval(true, ".2f")
    rows.append(row)

# %%
note = "60 new hills, 100 rollouts; true worth of the output; "
note += "evaluations: noisy judge. "
note += "MCTS with C=0.2 minus the beam of 4:"
for word in ("exact judge", "noisy judge"):
    mine, beams = worth["MCTS, C=0.2", word], worth["beam, b=4", word]
    note += f" {word} {minus(mine, beams)}"
best = max(ways, key=lambda name: fmean(worth[name, "noisy judge"]))
place = list(ways).index(best)
table = show.table(rows, caption=note, highlight=place)
ask = "The judge errs by about a tenth. Whose output is worth most?"
show.Predict(ask, best, choices=list(ways), shows=table)

# %% [markdown]
# The beam of four and MCTS with $C = 0.2$ cost about the same number of evaluations. With an exact judge **the beam is
# ahead**, by very little: nothing on a hill needs a second look. With a noisy judge it is the other way round. The beam
# believes each judgement at once and for good; MCTS can come back to what it left. And with $C = \sqrt
# 2$ it is all gone: the best of sixty random nodes beats the search.
#
# ## A trap
#
# A tree can be small and still take for ever. At each level of this one, step `a` stops with a consolation prize, and
# step `b` goes on. The first prize is the largest, later ones get smaller, and only the very last `b` is worth 1. The
# idea is from {cite}`coquelin2007bandit`.


# %%
def trap(depth):
    def worth(node):
        prize = (depth - len(node)) / depth
        last = float(len(node) == depth)
        return prize if node.endswith("a") else last

    def steps(node):
        return "" if node.endswith("a") else "ab"

    return Tree(steps, worth, depth)


# %%
for depth in range(1, 7):
    tree, n = trap(depth), 0
    while "b" * depth not in tree.reward:
        n, _ = n + 1, rollout(tree)
    size = f"depth {depth}: {len(tree.reward):2} nodes"
    print(f"{size}, found by rollout {n:,}")

# %% [markdown]
# > **Where it breaks.** Where every good step looks bad until the end, look level by level: anybody would have this
# > prize after a dozen evaluations. Nearly all of these rollouts judge nothing.
#
# UCB1's promise is about regret: of $n$ rollouts, what looks bad gets about $\ln n$. So for $k$ looks below one step that
# looks bad it takes about $e^k$ rollouts, and with a second such step below the first about $e^{e^k}$.
#
# ## Limits, and several leaves in a round
#
# Three limits. `depth` counts steps from the root. `enough` ends the search with the first node that is good enough.
# The deadline is the run's budget, checked before each question and each rollout; what was found until then stays.
#
# One rollout at a time means: one question, wait, next question. A server could answer eight at once. But eight
# selections from the same numbers would all end at the same leaf. So each rollout that is under way counts as a visit
# already, without a reward yet: a **virtual visit**. It lowers the bonus on its path, and the next rollout looks
# elsewhere. (The *virtual loss* of {cite}`chaslot2008parallel` lowers the mean, too.)


# %%
def climb(seed=0, **knobs):
    knobs = {"depth": 6, "rollouts": 100, "exploration": 0.2} | knobs
    return search(three, partial(hill, seed=seed), **knobs)


full, cut = climb(), climb(budget=tot.Budget(nodes=20))
limited = {"no limit": full, "depth 2": climb(depth=2)}
limited |= {"enough 0.7": climb(enough=0.7)}
for name, r in (limited | {"20 evaluations": cut}).items():
    judged, deep = r.ledger.nodes, max(node.depth for node in r.visited)
    how = f"{judged:2} evaluations, {deep} deep"
    how += f", worth {r.best[0].value:.2f}"
    print(f"{name:14} {how}, stopped: {r.stopped}")
done = len(cut.trace.events)
assert cut.trace.events == full.trace.events[:done]  # a prefix

# %%
rows, outputs = [], {}
for leaves in (1, 2, 4, 8, 16):
    knobs = {"rollouts": 64, "leaves": leaves}
    runs = [climb(seed, **knobs) for seed in FRESH[:20]]
    row = {"leaves": leaves}
    row["rounds"] = round(fmean(r.ledger.rounds for r in runs), 1)
    row["evaluations"] = round(fmean(r.ledger.nodes for r in runs), 1)
    outputs[leaves] = [r.best[0].value for r in runs]
    row["output"] = interval(outputs[leaves], ".2f")
    row["minus one leaf"] = minus(outputs[leaves], outputs[1])
    rows.append(row)
show.table(rows, caption="64 rollouts, C=0.2, exact judge, 20 hills")

# %% [markdown]
# Look at the worth in the first list. Cut off early, the output can be worth less than the root itself, because its
# last steps were visited once. The package's `most_visited` takes a minimum of visits, `least`, against that.
#
# In the table, rounds are what you wait for: an expansion asks once, a judgement once more, so 64 rollouts one by one
# take more than 64 rounds. Four leaves take about a third of them. But sixteen rollouts decide
# with what was known before the first of them. The tree gets wider, and more of the budget goes to evaluations that
# were not needed. What that costs, the last column says, hill by hill: for a few leaves nothing that twenty hills can
# show, for sixteen something.
#
# ## Two players
#
# MCTS became known through games {cite}`chaslot2008mcts,silver2016mastering`. There, *simulation* means what the name
# says: play random moves to the end and see who wins. And every other move belongs to somebody who wants the opposite.
# A reward that is good for the player who moved here is bad for the one who moved before. So it changes its sign at
# each step up: `sign=-1`. Here is tic-tac-toe; a node is again the word of its moves.
#
# ### Predict: how many rollouts until perfect play cannot beat it?
#
# Against perfect play, a draw is all that anybody can get. We do not play a few games: `worst` tries *every* reply that
# a perfect opponent could give. Ten rollouts, a hundred, a thousand? Is it harder to move first or second? The last row
# leaves the sign flip out.

# %% tags=["set-up"]
# the rules of tic-tac-toe, playouts, and perfect play
ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]


def after(board, moves):
    for move in map(int, moves):
        mark = "OX"[board.count(".") % 2]
        board = board[:move] + mark + board[move + 1 :]
    return board


@cache
def won(board):
    """Did the player of the last move win?"""
    last = "XO"[board.count(".") % 2]
    return any(all(board[int(i)] == last for i in row) for row in ROWS)


@cache
def legal(board):
    free = "".join(str(i) for i in range(9) if board[i] == ".")
    return "" if won(board) else free


@cache
def perfect(board):
    """The result for the player to move, if nobody errs: 1, 0 or -1."""
    after_each = [-perfect(after(board, move)) for move in legal(board)]
    return -1 if won(board) else max(after_each, default=0)


def playout(board, rng):
    """Random moves to the end: 1, 0 or -1 for who moved last."""
    mover = board.count(".") % 2
    while moves := legal(board):
        board = after(board, rng.choice(moves))
    return won(board) * (1 if board.count(".") % 2 == mover else -1)


def thought(board, rollouts, seed, sign):
    rng = Random(f"{board} {seed}")

    def worth(moves):
        return playout(after(board, moves), rng)

    tree = Tree(lambda moves: legal(after(board, moves)), worth, 9)
    for _ in range(rollouts):
        rollout(tree, 1, sign)
    return tree


def think(board, **how):
    tree = thought(board, **how)
    return max(tree.kids[""], key=lambda move: tree.visits[move])


def worst(board, side, move):
    """The worst for ``side`` over all replies of a perfect opponent."""
    mine = "OX"[board.count(".") % 2] == side
    if not legal(board):
        return won(board) * (-1 if mine else 1)
    if mine:
        return worst(after(board, move(board)), side, move)
    now = perfect(board)
    best = [m for m in legal(board) if -perfect(after(board, m)) == now]
    return min(worst(after(board, m), side, move) for m in best)


# %%
rows, PLAYERS = [], {"X": 20, "O": 5}  # O takes longer
for rollouts, sign in ((10, -1), (100, -1), (1000, -1), (100, 1)):
    row = {"rollouts": rollouts, "sign flip": sign == -1}
    for side, players in PLAYERS.items():
        lost = 0
        for seed in range(players):
            how = {"rollouts": rollouts, "seed": seed, "sign": sign}
            player = cache(partial(think, **how))
            lost += worst("." * 9, side, player) == -1
        row[f"can be beaten as {side}"] = stats.wilson(lost, players)
    rows.append(row)

# %% tags=["set-up"]
# two tables: who can be beaten, and the tree of one player
note = "20 seeded players as X, 5 as O; all lines of perfect play; C=1"
safe = next(r for r in rows if r["can be beaten as X"].rate == 0)
tables = [show.table(rows, caption=note, highlight=safe.__eq__)]
moves = []
for n in (1000, 5000):
    tree = thought(after("." * 9, "3"), n, seed=1, sign=-1)
    for m in "24":
        mean = round(tree.total[m] / tree.visits[m], 2)
        row = {"rollouts": n, "move": m}
        moves.append(row | {"visits": tree.visits[m], "mean": mean})
openings = {m: after("." * 9, m) for m in "034"}
draws = {
    m: " ".join(k for k in legal(o) if not perfect(after(o, k)))
    for m, o in openings.items()
}
drawn_by = "; ".join(f"after {m}: {k}" for m, k in draws.items())
note = "O to move, after X took 3. Replies that draw, " + drawn_by
tables.append(show.table(moves, caption=note))

# %%
ask = "From how many rollouts a move on does perfect play beat no X?"
both = show.HTML("".join(table._repr_html_() for table in tables))
most = "not even from 1,000 on"
choices = ["10", "100", "1,000", most]
show.Predict(ask, f"{safe['rollouts']:,}", choices=choices, shows=both)

# %% [markdown]
# With a thousand rollouts no line of *perfect* play beats any of the twenty as X. (An opponent who plays badly on purpose
# was not tried; the intervals say how far twenty players carry.) Whoever moves second needs more: a corner can be
# answered by the centre only, and one of the five loses a line even after X's harmless 3, to which half of the replies
# draw. The second table shows the tree of that player: move 2 loses, move 4 draws. After a thousand rollouts their
# means know it, but visits are a memory and follow later. Without the sign flip it plays as if the opponent helped, and
# loses to one who does not (compare the two rows of a hundred rollouts, as X).
#
# ### Why a plan is not a game
#
# *Planning with MCTS* reports (section 3.3) that it backs up "in a zero-sum game manner", and suspects that this adds
# to the uncertainty of its results. But nobody moves against a planner: a good revision of a plan is good news for the
# plan. Take the words literally, with a sign that changes at each step, and look at our small tree, then at sixty hills:

# %%
for sign, word in ((1, "average"), (-1, "zero-sum")):
    tree = Tree(small, WORTH.get, 2)
    for _ in range(300):
        rollout(tree, sign=sign)
    n, q = tree.visits, tree.total
    for k in "ab":
        mean = f"{q[k] / n[k]:+.2f}"
        print(f"{word:8}  {k}: {n[k]:3} visits, mean {mean}")

# %%
for sign, word in ((1, "average"), (-1, "zero-sum")):
    trees = {seed: grow(seed, 0.2, sign=sign) for seed in FRESH}
    worths = [hill(most_visited(t), seed) for seed, t in trees.items()]
    most = interval(worths, ".2f")
    rewards = [max(tree.reward.values()) for tree in trees.values()]
    best = interval(rewards, ".2f")
    print(f"{word:8} most visited {most}, best seen {best}")

# %% [markdown]
# The better the children, the worse the parent: `b` has the best child of all and is shunned for it. The most visited
# node is then worth less than the plan at the root. The paper takes the node with the highest average as its output,
# which can be a leaf, so the damage there is nearer to that of the last number; we cannot know more without their code.
# Hence two rules. Two players in turn: flip. One planner: average. The package averages unless you say `zero_sum=True`.
#
# ## Where it fails
#
# **No gradient.** If all rewards are 0 except one, there is nothing to follow, and the search is no better than reading
# the tree level by level. **Wide nodes.** Every child is tried once before any is tried twice; with many children the
# budget is gone before there is anything to select.

# %%
LETTERS, judged = "abcdefghijklmnopqrstuvwxyzABCD", []
for needle in (node for node in everything(depth=4) if len(node) == 4):
    tree = Tree(three, needle.__eq__, 4)
    while needle not in tree.reward:
        rollout(tree)
    judged.append(len(tree.reward))
# level by level: the 40 nodes above, and half of the 81 leaves
found = f"{fmean(judged):.0f} evaluations"
print(f"a needle: {found}; level by level {40 + 41}")

# %%
for width in (2, 3, 5, 10, 30):
    shape = {"steps": LETTERS[:width], "depth": 12}
    trees = [grow(seed, 0.2, 60, **shape) for seed in HILLS]
    deep = fmean(max(map(len, tree.reward)) for tree in trees)
    many = f"{width:2} children at each node"
    print(f"{many}: {deep:.1f} levels deep in 60 rollouts")

# %% [markdown]
# **A judge who errs.** Suppose we take the node with the best reward that was seen. It was the best because it is good,
# or because the judge was lucky with it. The more nodes are judged, the more luck there is to pick from. This is the
# **winner's curse**, or optimizer's curse {cite}`smith2006optimizer`.
#
# ### Predict: what is the best reward worth?
#
# Noisy judge, more and more rollouts. The best reward seen rises. How far is it above the true worth of that node after
# 10 rollouts, and after 300?

# %%
counts, rows, lines = (10, 30, 100, 300), [], ([], [], [])


def four_worths(trees):
    """Per hill: the best reward seen; the true worth of its node, of
    the best one on the level of the output, and of the output."""
    for seed, tree in trees.items():
        output, reward = most_visited(tree), tree.reward.get
        level = [k for k in tree.reward if len(k) == len(output)]
        nodes = max(tree.reward, key=reward), max(level, key=reward)
        worths = [hill(node, seed) for node in (*nodes, output)]
        yield reward(nodes[0]), *worths


# %%
for n in counts:
    trees = {seed: grow(seed, 0.2, n, judge=noisy) for seed in FRESH}
    seen, true, near, output = zip(*four_worths(trees), strict=True)
    row = {"rollouts": n, "best reward seen": interval(seen, ".2f")}
    row |= {"too high by": minus(seen, true)}
    row |= {"most visited - best": minus(output, true)}
    rows.append(row | {"the same, on one level": minus(output, near)})
    for line, numbers in zip(lines, (seen, true, output), strict=True):
        line.append(stats.bootstrap([[x] for x in numbers]))

# %%
off = round(fmean(a - b for a, b in zip(seen, true, strict=True)), 2)
table = show.table(rows, caption="60 hills, noisy judge")
ask = "After 300 rollouts: how much too high is the best reward?"
show.Predict(ask, off, low=0, high=0.4, step=0.01, shows=table)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Worth against rollouts from 10 to 300. The best reward seen rises above the dotted line of the best node of the whole hill. The true worth of the same node rises too, but stays well below both; the true worth of the most visited node is close to it."}}
names = ("best reward seen", "its true worth")
names += ("true worth of the most visited",)
for name, i, marker in zip(names, lines, "os^", strict=True):
    bars = [[x.rate - x.low for x in i], [x.high - x.rate for x in i]]
    ys, look = [x.rate for x in i], {"marker": marker, "capsize": 3}
    plt.errorbar(counts, ys, bars, label=name, **look)
tops = [max(hill(node, seed) for node in NODES) for seed in FRESH]
look = {"color": "grey", "linestyle": ":"}
plt.axhline(fmean(tops), label="best of the whole hill", **look)
plt.gca().set(xscale="log", xlabel="rollouts", ylabel="worth")
plt.gca().xaxis.set_major_formatter("{x:g}")
plt.legend(fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** With a noisy judge the best reward seen ends above the best node there is; what it stands for is worth far less.
#
# Both rise, because the search gets deeper. But in the mean the report is too high by 0.14 after ten rollouts and by
# 0.17 after 300, and in the end it is higher than the best node of the hill. Does choosing by visits help? With many
# rollouts the most visited node is worth a little more than the one with the best reward. But it lies deeper; among the
# nodes of its own level, visits choose no better than rewards (last column). A leaf that was judged once and visited
# thirty times still has a mean of *one* judgement. So do not report the reward that won. Judge the winner again, by a
# judge whose errors are fresh (exercise 4; our `noisy` would repeat its own), and let that be the number.
#
# ## Summary
#
# - A bandit must explore and exploit. UCB1 does both; with $C = \sqrt 2$ its expected regret grows at most like a
#   logarithm. $C$ has the unit of the reward.
# - MCTS runs a bandit at each node: select, expand, simulate, back up. Visits go to the best subtree, and the means
#   follow.
# - Rollouts are cheap where nothing new is judged. Evaluations cost, and rounds make you wait; virtual visits save
#   rounds.
# - The sign flips between two opponents, and only there.
# - On our hills a beam was ahead of MCTS by very little where the judge is exact, and behind it with a noisy one. The
#   weak spots of MCTS are traps, wide nodes, rewards without gradient, and the winner's curse.
#
# ## Exercises
#
# ### Exercise 1: the unit of C
#
# Multiply all rewards of a hill by ten. Which $C$ makes the search visit exactly the same nodes as before? Check it on
# a few hills.
#
# <details><summary>Hint</summary>
#
# What happens to $Q$ in equation 3? What must happen to the other term? `grow` takes a `judge`.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for seed in range(5):
    plain = grow(seed, 0.2)
    tenfold = grow(
        seed, 2.0, judge=lambda node, seed: 10 * hill(node, seed)
    )
    assert plain.visits == tenfold.visits
print("C must be multiplied by ten, too: then the trees are the same")

# %% [markdown]
# ### Exercise 2: back up the maximum
#
# Average a little less: let $Q$ of a node be the *best* reward that was seen at or below it. Write `max_rollout`. Try
# it on the trap, then on the hills with the exact and with the noisy judge. Where does it help, and where not?
#
# <details><summary>Hint</summary>
#
# After `back_up`, set `tree.total[node]` of each node on the path to its visits times the best reward at or below it,
# so that `ucb1` stays as it is. Keep the best in a dictionary of your own, or look it up in `tree.reward`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def max_rollout(tree, best, c=SQRT2):
    leaf = rollout(tree, c)
    for depth in range(len(leaf) + 1):
        node = leaf[:depth]
        best[node] = max(best.get(node, -inf), tree.reward[leaf])
        tree.total[node] = tree.visits[node] * best[node]


for depth in (4, 5, 6):
    tree, best, n = trap(depth), {}, 0
    while "b" * depth not in tree.reward:
        n += 1
        max_rollout(tree, best)
    print(f"trap of depth {depth}: found by rollout {n}")
for judge, word in ((hill, "exact"), (noisy, "noisy")):
    outputs = {"average": [], "maximum": []}
    for seed in FRESH:
        tree, best = Tree(three, partial(judge, seed=seed), 6), {}
        for _ in range(100):
            max_rollout(tree, best, 0.2)
        outputs["maximum"].append(hill(most_visited(tree), seed))
        plain = grow(seed, 0.2, judge=judge)
        outputs["average"].append(hill(most_visited(plain), seed))
    both = [
        f"{name} {interval(worths, '.3f')}"
        for name, worths in outputs.items()
    ]
    print(f"{word} judge: {', '.join(both)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# In the trap, a maximum is not pulled down by the zeros on the right way and by detours, so it comes sooner. But the
# next prize in sight is still smaller than the one at hand: its rollouts, too, grow faster and faster. With an exact
# judge these hills show no difference. With a noisy one the maximum is the winner's curse, at every node. No back-up is
# best everywhere.
#
# </details>
#
# ### Exercise 3: unvisited, but not at any price
#
# In a wide tree, "unvisited first" eats the budget. Give an unvisited child a *finite* bound: the mean of its parent
# plus $C \sqrt{\ln N_{\mathrm{parent}}}$, as if it had been tried once with an average result. Compare the depth and
# the best reward seen on hills with thirty children, with $C = 0.1$. (With a large $C$ this bound, too, tries every
# child first.)
#
# <details><summary>Hint</summary>
#
# Only `select` and the last line of `expand` know about unvisited children. Write your own `select` with another key
# for `max`; ties still go to the first.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def urgent(tree, c):
    """An unvisited child counts as one average visit."""
    node = ""
    while tree.kids.get(node):
        n, q = tree.visits, tree.total
        parent, above = q[node] / n[node], n[node]
        known = {
            k: (q[k], n[k]) if n[k] else (parent, 1)
            for k in tree.kids[node]
        }
        node = max(
            known, key=lambda k: round(ucb1(*known[k], above, c), 9)
        )
    return node


def wide(seed, finite, rollouts=60, c=0.1):
    tree = Tree(lambda node: LETTERS, partial(hill, seed=seed), 12)
    for _ in range(rollouts):
        leaf = expand(tree, (urgent if finite else select)(tree, c))
        back_up(tree, leaf, simulate(tree, leaf))
    return tree


for finite in (False, True):
    trees = [wide(seed, finite) for seed in HILLS]
    deep = fmean(max(map(len, tree.reward)) for tree in trees)
    found = interval(
        [max(tree.reward.values()) for tree in trees], ".2f"
    )
    name = "finite bound" if finite else "unvisited first"
    print(f"{name}: {deep:.1f} deep, best seen {found}")

# %% [markdown]
# ### Exercise 4: judge the winner again
#
# Suppose that all plans are equally good: each is worth 0.5, and the judge errs by 0.1. You judge $n$ of them and
# report the best reward. What do you report for $n = 1, 10, 100$? Now judge only the winner once more. What do you
# report?
#
# <details><summary>Hint</summary>
#
# A few hundred repetitions of `max(rng.gauss(0.5, 0.1) for _ in range(n))`. The second judgement is a fresh
# `rng.gauss(0.5, 0.1)`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
rng = Random(0)
for n in (1, 10, 100):
    first = [
        max(rng.gauss(0.5, 0.1) for _ in range(n)) for _ in range(300)
    ]
    again = [rng.gauss(0.5, 0.1) for _ in first]
    once, twice = interval(first, ".2f"), interval(again, ".2f")
    print(f"best of {n:3}: reported {once}, judged again {twice}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# One fresh judgement takes the bias of having chosen away, if its error has nothing to do with the first one. (Our
# `noisy` errs alike on a node each time; so does a model at temperature 0.) It costs one evaluation. The report still
# errs, but no longer always upwards.
#
# </details>
#
# ## Further reading
#
# - {cite}`auer2002finite` for UCB1 and its bound; {cite}`kocsis2006bandit` for UCB1 in trees; {cite}`browne2012survey`
#   for everything that has been done with it since.
# - {cite}`coquelin2007bandit` on traps, and on bounds that avoid them.
# - The paper {cite}`anonymous2024planning`, section 2.2, has equation 3 and the four phases with judges in place of
#   playouts.
