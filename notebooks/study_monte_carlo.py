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
# # Studies of Monte Carlo tree search
#
# Side questions of [chapter 13](13_mcts_from_scratch.ipynb), which builds the search. No language model is asked; all
# rewards come from formulas, and all chance is seeded.

# %% tags=["set-up"]
# imports, and means with their intervals
from collections import Counter
from functools import cache, partial
from math import inf, log, sqrt
from random import Random
from statistics import fmean

from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.hills import NODES, hill, search

setup()
SQRT2 = sqrt(2)


def interval(numbers, form=".2f"):
    """The mean and its 95% interval, as text."""
    mean = stats.bootstrap([[x] for x in numbers], resamples=1000)
    return f"{mean:{form}}"


def minus(a, b, form="+.3f"):
    """The mean difference, pair by pair."""
    return interval([x - y for x, y in zip(a, b, strict=True)], form)


# %% tags=["set-up"]
# the thirty lines of chapter 13
class Tree:
    def __init__(self, steps, worth, depth):
        self.steps, self.worth, self.depth = steps, worth, depth
        self.kids, self.reward = {}, {}
        self.visits, self.total = Counter(), Counter()


def ucb1(total, visits, above, c):
    if not visits:
        return inf
    return total / visits + c * sqrt(log(above) / visits)


def highest(bounds):
    rounded = [round(bound, 9) for bound in bounds]
    return rounded.index(max(rounded))


def select(tree, c):
    n, q, node = tree.visits, tree.total, ""
    while kids := tree.kids.get(node):
        bounds = [ucb1(q[kid], n[kid], n[node], c) for kid in kids]
        node = kids[highest(bounds)]
    return node


def rollout(tree, c=SQRT2, sign=1, select=select):
    leaf = select(tree, c)
    if leaf in tree.reward and len(leaf) < tree.depth:
        kids = [leaf + step for step in tree.steps(leaf)]
        leaf = (tree.kids.setdefault(leaf, kids) or [leaf])[0]
    if leaf not in tree.reward:
        tree.reward[leaf] = tree.worth(leaf)
    reward = tree.reward[leaf]
    for depth in range(len(leaf), -1, -1):
        tree.visits[leaf[:depth]] += 1
        tree.total[leaf[:depth]] += reward
        reward *= sign
    return leaf


def most_visited(tree):
    node = ""
    while kids := tree.kids.get(node):
        node = max(kids, key=lambda kid: tree.visits[kid])
    return node


# %% tags=["set-up"]
# hills: trees whose good nodes are near good nodes
def grow(seed, c, rollouts=100, steps="abc", depth=6, select=select):
    tree = Tree(lambda node: steps, partial(hill, seed=seed), depth)
    for _ in range(rollouts):
        rollout(tree, c, select=select)
    return tree


HILLS = range(40)

# %% [markdown]
# ## What does C do?
#
# **A small $C$ dives, a large one spreads.** Turn it on the small tree of chapter 13, in which `be` is the best node.

# %% tags=["set-up"]
# shares of the rollouts, for each C
STEPS = {"": "ab", "a": "cd", "b": "ef"}
WORTH = {"": 0.5, "a": 0.7, "b": 0.4}
WORTH |= {"ac": 0.5, "ad": 0.3, "be": 0.9, "bf": 0.2}
CS = (0, 0.1, 0.3, 0.7, SQRT2, 2, 4, 10)
PLACES = {"a and below": "a", "– ac": "ac", "– ad": "ad"}
PLACES |= {"b and below": "b", "– be, the best": "be", "– bf": "bf"}


def shares(c, rollouts):
    tree = Tree(lambda node: STEPS.get(node, ""), WORTH.get, 2)
    for _ in range(rollouts):
        rollout(tree, c)
    visits = tree.visits
    return {k: visits[node] / rollouts for k, node in PLACES.items()}


dials = {"C": [(f"{c:.2g}", c) for c in CS]}
dials["rollouts"] = [(str(n), n) for n in (5, 9, 20, 50, 100, 300)]
start = {"C": "1.4", "rollouts": "9"}
show.Dials(dials, shares, start=start, name="Where rollouts go")

# %% [markdown]
# **Figure.** With $C = 0$ `be` is never found, and with 0.1 late. From $C = 0.3$ on the shares after nine rollouts are
# the same, though the order is not; in the long run the smaller of these $C$ send more rollouts to `be`.
#
# The same on forty hills, a hundred rollouts on each: three children at each node, six levels, and steps of at most a
# tenth.

# %% tags=["set-up"]
# forty hills, six values of C
rows = []
for c in (0, 0.1, 0.2, 0.5, SQRT2, 5):
    trees = [grow(seed, c) for seed in HILLS]
    seen = [max(tree.reward.values()) for tree in trees]
    output = [hill(most_visited(trees[seed]), seed) for seed in HILLS]
    deep = [max(map(len, tree.reward)) for tree in trees]
    row = {"C": round(c, 2)}
    row["evaluations"] = round(fmean(len(t.reward) for t in trees))
    row["deepest"] = round(fmean(deep), 1)
    row |= {"to level 6": deep.count(6), "best seen": interval(seen)}
    rows.append(row | {"output": interval(output)})
tops = [max(hill(node, seed) for node in NODES) for seed in HILLS]
note = f"40 hills; the best of {len(NODES):,} nodes: {fmean(tops):.2f}"
best = max(rows, key=lambda row: row["output"])
show.table(rows, caption=note, highlight=best.__eq__)

# %% [markdown]
# **Table.** $C$ has the unit of the reward: siblings on a hill differ by less than a tenth, as a
# rule, so 0.1 and 0.2 do well,
# and with $\sqrt 2$ no search reaches the bottom.
#
# ## Does it cost anything to run several rollouts at once?
#
# **Up to eight leaves in a round cost nothing that twenty hills can show, and save most of the waiting; sixteen cost
# something.** A server could judge eight leaves at once, but eight selections from the same numbers would all end at
# the same leaf. So a rollout that is under way counts as a visit before its reward is known, a **virtual visit**, and
# the next one looks elsewhere. (The *virtual loss* of {cite}`chaslot2008parallel` lowers the mean, too.)


# %% tags=["set-up"]
# tot.mcts with 1 to 16 leaves in a round
how = {"depth": 6, "exploration": 0.2, "rollouts": 64}
rows, outputs = [], {}
for leaves in (1, 2, 4, 8, 16):
    hills = [partial(hill, seed=seed) for seed in range(100, 120)]
    how["leaves"] = leaves
    runs = [search(lambda node: "abc", h, **how) for h in hills]
    row = {"leaves": leaves}
    row["rounds"] = round(fmean(r.ledger.rounds for r in runs), 1)
    row["evaluations"] = round(fmean(r.ledger.nodes for r in runs), 1)
    outputs[leaves] = [r.best[0].value for r in runs]
    row["output"] = interval(outputs[leaves])
    if leaves > 1:
        row["minus one leaf"] = minus(outputs[leaves], outputs[1])
    rows.append(row)
show.table(rows, caption="64 rollouts, C=0.2, exact judge, 20 hills")

# %% [markdown]
# **Table.** Rounds are what you wait for: an expansion asks once, a judgement once more. Sixteen rollouts decide with
# what was known before the first of them, and the tree gets wider than it need be.
#
# ## What if nodes are wide?
#
# **With many children the budget is gone before there is anything to select.** Each child is tried once before any is
# tried twice. A remedy gives an unvisited child a *finite* bound, the mean of its parent plus
# $C \sqrt{\ln N_{\mathrm{parent}}}$, as if it had been tried once with an average result.


# %% tags=["set-up"]
# hills with 2 to 30 children at each node, sixty rollouts
LETTERS = "abcdefghijklmnopqrstuvwxyzABCD"


def urgent(tree, c):
    """An unvisited child counts as one average visit."""
    node, n, q = "", tree.visits, tree.total
    while kids := tree.kids.get(node):
        mean = q[node] / n[node], 1
        known = [(q[k], n[k]) if n[k] else mean for k in kids]
        node = kids[highest([ucb1(*k, n[node], c) for k in known])]
    return node


rows = []
for width in (2, 3, 5, 10, 30):
    row, shape, found = {"children": width}, {"depth": 12}, []
    shape["steps"] = LETTERS[:width]
    rules = {"unvisited first": select, "finite bound": urgent}
    for name, rule in rules.items():
        trees = [grow(s, 0.1, 60, select=rule, **shape) for s in HILLS]
        deep = [max(map(len, tree.reward)) for tree in trees]
        seen = [max(tree.reward.values()) for tree in trees]
        row[name] = f"{fmean(deep):.1f}, {fmean(seen):.2f}"
        found.append((deep, seen))
    (deep, seen), (deeper, better) = found
    row["levels more"] = minus(deeper, deep, "+.1f")
    rows.append(row | {"better by": minus(better, seen)})
note = "Means of deepest level, best seen. "
note += "60 rollouts, 40 hills, C=0.1, 95% intervals"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** With thirty children "unvisited first" gets two levels deep. Hill by hill the finite bound gets deeper from
# three children on, and finds better nodes from five on; with two there is nothing to choose between the rules.
#
# ## What if the rewards have no gradient?
#
# **If all rewards are 0 except one, the search is no better than reading the tree level by level.**

# %% tags=["set-up"]
# one leaf of 81 is worth 1: when is it judged?
judged = []
for needle in (node for node in NODES if len(node) == 4):
    tree = Tree(lambda node: "abc", needle.__eq__, 4)
    while needle not in tree.reward:
        rollout(tree)
    judged.append(len(tree.reward))
# level by level: the 40 nodes above, and half of the 81 leaves
print(f"mean over the 81 leaves: {fmean(judged):.0f} evaluations")
print(f"level by level: {40 + 41}")

# %% [markdown]
# ## How many rollouts make a player of noughts and crosses?
#
# **With a thousand rollouts a move and the sign flip, perfect play beat none of twenty players as X; with a hundred it
# beat one of twenty, and without the flip all twenty.** As O, who moves second, a hundred rollouts are too few even with
# the flip. Rewards are playouts, random moves to the end. For each player *every* line of
# perfect play is tried, not a few games: "can be beaten" means that some line wins.

# %% tags=["set-up"]
# the rules of noughts and crosses, playouts, and perfect play
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


# %% tags=["set-up"]
# twenty players as X, three as O, which take longer
rows, PLAYERS = [], {"X": 20, "O": 3}
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
safe = next(r for r in rows if r["can be beaten as X"].rate == 0)
show.table(rows, caption="seeded players; C=1", highlight=safe.__eq__)

# %% [markdown]
# **Table.** An opponent who plays badly on purpose was not tried, and the intervals say how far twenty and three
# players carry.
