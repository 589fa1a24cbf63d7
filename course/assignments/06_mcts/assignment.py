# %% [markdown]
# # 6. Monte Carlo tree search
#
# Twenty-one matches lie on the table. You and a friend take one, two or three in turn, and whoever takes the last one
# wins. You may play a few hundred games in your head before you move. Which games do you play? And after how many of
# them do you *know* that more of them would not change your mind?
#
# **Before you start**: chapter 13, and chapter 14 as far as its first tree. **Time**: two weeks. **100 points**: 85 by
# tests, 15 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | the bound | 15 |
# | 2 | one rollout | 30 |
# | 3 | the output | 10 |
# | 4 | when is it enough? | 15 |
# | 5 | an opponent | 15 |
# | 6 | how much is enough for a noisy judge? | 15 |

# %% given="set-up"
from collections import Counter
from hashlib import sha256
from math import inf, isclose, log, sqrt
from statistics import fmean

from tot import stats


class Tree:
    """As in chapter 13: a node is the word of the steps that lead to it.

    ``steps(node)`` gives the names of the next steps, a letter each; ``worth(node)`` judges a node; ``depth`` is where
    the tree ends. ``kids`` are the children of nodes that were expanded, ``reward`` what was judged, once for each node.
    """

    def __init__(self, steps, worth, depth):
        self.steps, self.worth, self.depth = steps, worth, depth
        self.kids, self.reward = {}, {}
        self.visits, self.total = Counter(), Counter()


def luck(*what):
    """A number from 0 to 1 that depends on nothing but this."""
    return int.from_bytes(sha256(repr(what).encode()).digest()[:4], "big") / 2**32


def meadow(seed, depth=5, width=3):
    """A tree whose good nodes lie near good nodes, and the true worth of a node."""

    def worth(node):
        steps = (luck(seed, node[:i]) - 0.5 for i in range(1, len(node) + 1))
        return 0.5 + sum(step / 2**i for i, step in enumerate(steps, 1))

    return Tree(lambda node: "abcdef"[:width], worth, depth), worth


# %% [markdown]
# ## Task 1: the bound (15 points)
#
# Write `ucb1(total, visits, above, c)` for a child with this total of rewards and so many visits, whose **parent** was
# visited `above` times. A child without visits has an infinite bound. Write `highest(bounds)`: the place of the largest
# bound in a list; of equals (to nine digits) the first.


# %% solution="bound"
def ucb1(total, visits, above, c):
    """Q + C sqrt(ln N_parent / N)"""
    ### BEGIN SOLUTION
    if not visits:
        return inf
    return total / visits + c * sqrt(log(above) / visits)
    ### END SOLUTION


def highest(bounds):
    """The place of the largest bound, the first of equals."""
    ### BEGIN SOLUTION
    rounded = [round(bound, 9) for bound in bounds]
    return rounded.index(max(rounded))
    ### END SOLUTION


# %% test="1" points=6
assert highest([1.0, 3.0, 2.0]) == 1
assert isclose(ucb1(3, 4, 1, 5.0), 0.75)  # ln 1 is 0

# %% hidden="1" points=9
# Hidden: numbers of the book, unvisited children, ties that floats get wrong.
assert isclose(ucb1(3, 5, 11, sqrt(2)), 3 / 5 + sqrt(2 * log(11) / 5))
assert isclose(ucb1(1, 2, 11, sqrt(2)), 0.5 + sqrt(2 * log(11) / 2))
assert ucb1(0, 0, 7, 0.3) == inf and ucb1(2, 4, 9, 0) == 0.5
assert highest([0.1 + 0.2, 0.3, 0.3]) == 0 and highest([0.3, 0.1 + 0.2]) == 0 and highest([1, inf, inf]) == 1
assert highest([-3.0, -1.0, -2.0]) == 1, "a bound may be negative"
assert highest([0.5, 0.5 + 1e-11]) == 0 and highest([0.5, 0.5 + 1e-7]) == 1, "nine digits count"

# %% [markdown]
# (The visible test of `ucb1` uses a parent with one visit, where the second term is 0. That is on purpose: look up the
# equation.)
#
# ## Task 2: one rollout (30 points)
#
# Write `rollout(tree, c, sign=1)`. It makes one trip and returns the node where it ended:
#
# 1. **selection**: from the root `""`, as long as the node is in `tree.kids` (with at least one child), go to the child
#    with the highest bound;
# 2. **expansion**: if that leaf is in `tree.reward` already, and shorter than `tree.depth`, its children are
#    `leaf + step` for `tree.steps(leaf)`; put them into `tree.kids` and go to the first one, if there is any;
# 3. **simulation**: `tree.reward[leaf] = tree.worth(leaf)`, once for each node;
# 4. **backpropagation**: add 1 to `tree.visits` and the reward to `tree.total` at the leaf and at every node above it,
#    the root included. With each step **up** the reward is multiplied by `sign`, which task 5 needs; here it is 1.


# %% solution="rollout"
def rollout(tree, c, sign=1):
    """Select, expand, simulate, back up; returns the leaf."""
    ### BEGIN SOLUTION
    leaf = ""
    while kids := tree.kids.get(leaf):
        bounds = [ucb1(tree.total[kid], tree.visits[kid], tree.visits[leaf], c) for kid in kids]
        leaf = kids[highest(bounds)]
    if leaf in tree.reward and leaf not in tree.kids and len(leaf) < tree.depth:
        tree.kids[leaf] = [leaf + step for step in tree.steps(leaf)]
        leaf = (tree.kids[leaf] or [leaf])[0]
    if leaf not in tree.reward:
        tree.reward[leaf] = tree.worth(leaf)
    reward = tree.reward[leaf]
    for depth in range(len(leaf), -1, -1):
        tree.visits[leaf[:depth]] += 1
        tree.total[leaf[:depth]] += reward
        reward *= sign
    return leaf
    ### END SOLUTION


# %% test="2" points=10
WORTH = {
    "": 0.5,
    "a": 0.7,
    "b": 0.4,
    "aa": 0.1,
    "ab": 0.2,
    "ba": 0.3,
    "bb": 1.0,
}
tree = Tree(lambda node: "ab", WORTH.get, 2)
assert [rollout(tree, 1.0) for _ in range(3)] == ["", "a", "b"]
assert tree.visits[""] == 3 and isclose(tree.total[""], 1.6)


# %% hidden="2 the same" points=20
# Hidden: visits and totals of every node against an oracle, dead ends, each node judged once.
def oracle(steps, worth, depth, c, n, sign=1):
    kids, reward, visits, total, ends = {}, {}, Counter(), Counter(), []
    for _ in range(n):
        path = [""]
        while kids.get(path[-1]):
            up = path[-1]

            def bound(kid, up=up):
                if not visits[kid]:
                    return inf
                return round(
                    total[kid] / visits[kid] + c * sqrt(log(visits[up]) / visits[kid]),
                    9,
                )

            path.append(max(kids[up], key=bound))
        if path[-1] in reward and path[-1] not in kids and len(path[-1]) < depth:
            kids[path[-1]] = [path[-1] + s for s in steps(path[-1])]
            path += kids[path[-1]][:1]
        r = reward.setdefault(path[-1], worth(path[-1]))
        for node in reversed(path):
            visits[node] += 1
            total[node] += r
            r *= sign
        ends.append(path[-1])
    return visits, total, ends


for seed in range(12):
    for c in (0.0, 0.2, sqrt(2)):
        asked = []
        _, true = meadow(seed)
        if seed % 3 == 0:  # a reward of 0 is a reward
            true = lambda node, true=true: max(0, true(node) - 0.5)
        steps = (lambda node: "" if node.endswith("c") else "bca") if seed % 2 else (lambda node: "abc")
        mine = Tree(steps, lambda node: asked.append(node) or true(node), 4)
        leaves = [rollout(mine, c) for _ in range(120)]
        visits, total, ends = oracle(steps, true, 4, c, 120)
        assert +mine.visits == +visits and leaves == ends, (seed, c)
        assert all(isclose(mine.total[node], total[node]) for node in visits)
        assert len(asked) == len(set(asked)), "a node was judged twice"

# %% [markdown]
# ## Task 3: the output (10 points)
#
# Write `output(tree)`: from the root, always on to the child with the most visits, of equals the first, as far as there
# are children. It returns that node.


# %% solution="output"
def output(tree):
    """The most visited child of the most visited child of ..."""
    ### BEGIN SOLUTION
    node = ""
    while kids := tree.kids.get(node):
        node = max(kids, key=lambda kid: tree.visits[kid])
    return node
    ### END SOLUTION


# %% test="3" points=3
tree = Tree(None, None, 2)
tree.kids = {"": ["a", "b"], "b": ["ba", "bb"]}
tree.visits.update({"": 9, "a": 3, "b": 6, "ba": 1, "bb": 4})
tree.total.update({"": 5, "a": 1, "b": 4, "ba": 0.2, "bb": 3})
assert output(tree) == "bb"

# %% hidden="3 visits, not means" points=7
# Hidden: a mean that rests on one look, ties, a tree without children.
tree = Tree(None, None, 2)
assert output(tree) == ""
tree.kids = {"": ["a", "b", "c"], "b": ["ba", "bb"]}
tree.visits.update({"": 12, "a": 1, "b": 6, "c": 6, "ba": 2, "bb": 3})
tree.total.update({"": 8, "a": 1, "b": 3, "c": 4, "ba": 2, "bb": 0.5})
assert output(tree) == "bb"
tree.kids["bb"] = []  # as your rollout leaves a dead end
assert output(tree) == "bb"
tree.kids[""] = ["c", "b", "a"]
assert output(tree) == "c", "the first of equals, whatever their names"

# %% [markdown]
# ## Task 4: when is it enough? (15 points)
#
# Each rollout costs a judgement, so you want to stop when the rest of the budget cannot change the **first step** of the
# output any more. Write `settled(tree, left)`: True if, wherever the `left` remaining rollouts go, `output` will begin
# with the same child of the root as now. Each of them adds one visit to one child of the root. Mind the ties: of equals
# the first child wins. A root without children is not settled, unless nothing is left.


# %% solution="settled"
def settled(tree, left):
    """True if ``left`` more rollouts cannot change the first step."""
    ### BEGIN SOLUTION
    kids = tree.kids.get("")
    if not kids:
        return left == 0
    counts = [tree.visits[kid] for kid in kids]
    leader, first = counts.index(max(counts)), max(counts)
    for place, behind in enumerate(counts):
        if place == leader:
            continue
        if behind + left >= first + (place > leader):
            return False
    return True
    ### END SOLUTION


# %% test="4" points=6
def counted(*visits):
    tree = Tree(None, None, 2)
    tree.kids[""] = ["abcdef"[i] for i in range(len(visits))]
    tree.visits.update(dict(zip("abcdef", visits)))
    return tree


assert settled(counted(10, 3), 5) and not settled(counted(10, 3), 9)

# %% hidden="4 every way to go on" points=9
# Hidden: all ways in which the rest may fall, ties on both sides.
from itertools import combinations_with_replacement, product


def first(visits):
    return visits.index(max(visits))


for visits in product(range(4), repeat=3):
    for rest in range(4):
        falls = combinations_with_replacement(range(3), rest)
        ends = {first([n + fall.count(i) for i, n in enumerate(visits)]) for fall in falls}
        assert bool(settled(counted(*visits), rest)) == (ends == {first(visits)}), (
            visits,
            rest,
        )
assert not settled(Tree(None, None, 2), 3) and settled(Tree(None, None, 2), 0)
assert not settled(counted(), 3) and settled(counted(), 0), "a root that was expanded and has no children"
assert settled(counted(2), 5), "an only child stays the first"
turned = counted(3, 5)
turned.kids[""].reverse()
assert settled(turned, 2) and not settled(turned, 3), "b comes first here, and wins at 5 each"

# %% [markdown]
# ## Task 5: an opponent (15 points)
#
# Back to the matches. A node is the word of the moves so far, such as `"132"`; its reward is what the position is worth
# **to the player who has just moved**: 1 if that player took the last match, 0.5 as long as nobody has won. The players
# take turns, so what is good for one is bad for the other. Rewards are easier to turn round if they lie around zero:
# take 1 for a win and 0 for an open game, and `sign=-1`.
#
# Write `matches(n)`, a `Tree` for n matches with `steps`, `worth` and a depth of n, and `best_move(n, rollouts)`, the
# first step of the output after so many rollouts with C = 1 and `sign=-1`, as a whole number.


# %% solution="matches"
def matches(n):
    """The tree of the game: steps "1", "2", "3"."""

    ### BEGIN SOLUTION
    def taken(node):
        return sum(map(int, node))

    def steps(node):
        return "".join(s for s in "123" if taken(node) + int(s) <= n)

    def worth(node):
        return 1.0 if node and taken(node) == n else 0.0

    return Tree(steps, worth, n)
    ### END SOLUTION


def best_move(n, rollouts):
    """How many matches to take first."""
    ### BEGIN SOLUTION
    tree = matches(n)
    for _ in range(rollouts):
        rollout(tree, 1.0, sign=-1)
    return int(output(tree)[0])
    ### END SOLUTION


# %% hidden="5" points=15
# Hidden: positions that can be won, against what is known: leave a multiple of four.
game = matches(6)
assert set(game.steps("")) == set("123") and set(game.steps("311")) == set("1") and not [*game.steps("33")]
assert game.worth("33") == 1 and game.worth("31") == 0 and game.depth == 6
for n in (2, 3, 5, 6, 7):
    assert best_move(n, 1500) == n % 4, n
for n in (7, 8):  # by your own rollouts, one by one: the output turns with their number and with C
    young = matches(n)
    for i in range(1, 80):
        rollout(young, 1.0, sign=-1)
        assert i < 2 or best_move(n, i) == int(output(young)[0]), f"{n} matches, after {i} rollouts"
root = matches(4)
for _ in range(1500):
    rollout(root, 1.0, sign=-1)
assert root.total[""] / root.visits[""] > 0.5, "whoever has four matches before them has lost"

# %% [markdown]
# (There is no visible test here: play against it yourself. `best_move(7, 1500)` should be 3.)
#
# ## Task 6: how much is enough for a noisy judge? (15 points, graded by a person)
#
# Take sixty trees, `meadow(seed)`, and a judge that errs: its worth is the true one plus `0.3 * (luck("judge", seed,
# node) - 0.5)`. Run at most 200 rollouts with C = 0.2, and stop as soon as `settled` says so. In at most 200 words: how
# many rollouts and how many judgements does stopping early save, and does it cost anything in true worth of the output?
# What about a rule that stops at twice the visits of the second? Give means with intervals over the trees.

# %% solution="measure"
### BEGIN SOLUTION
ends = []
for seed in range(60):
    _, true = meadow(seed)
    tree = Tree(
        lambda node: "abc",
        lambda node, s=seed, t=true: t(node) + 0.3 * (luck("judge", s, node) - 0.5),
        5,
    )
    early = None
    for n in range(1, 201):
        rollout(tree, 0.2)
        if early is None and settled(tree, 200 - n):
            early = n, len(tree.reward), true(output(tree))
    ends.append((*early, len(tree.reward), true(output(tree))))
names = (
    "rollouts",
    "judged",
    "worth, early",
    "judged in all",
    "worth after 200",
)
for name, values in zip(names, zip(*ends, strict=True), strict=True):
    i = stats.bootstrap([[float(v)] for v in values], resamples=500)
    print(f"{name}: {i.rate:.2f} [{i.low:.2f}, {i.high:.2f}]")
print(fmean(e[4] - e[2] for e in ends))
### END SOLUTION

# %% [markdown] written="6" points=15
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
