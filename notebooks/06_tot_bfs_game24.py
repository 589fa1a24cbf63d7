# %% [markdown]
# # Tree of Thoughts, breadth first
#
# A chain of thought cannot take anything back. Here is our small model with the numbers 3, 4, 4 and 6.

# %% tags=["set-up"]
import json
from fractions import Fraction
from math import comb, fsum
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.tasks.game24 import left, steps_of
from tot.tasks.game24_rules import moves, solvable
from treebook import show
from treebook.figures.looks import LOOKS
from treebook.nbsetup import setup
from treebook.studies.results import search_of

setup()

# %%
game = tot.task("game24")
chains = tot.Cassette("cassettes/04.jsonl")
chain = tot.solve(game, "3 4 4 6", "cot", lm=chains)
show.chain(chain, {2: "where is the 6?"})

# %% [markdown]
# **Figure.** A chain that loses a number. After `3 * 8 = 24` a 6 should still be left; the model drops it, sees nothing
# wrong, and writes its answer down. One line earlier the game was still won: (6 - 3) * 8 = 24.
#
# A **tree of thoughts** {cite}`yao2023tree` looks up at every step. It writes several possible next steps, asks how
# promising each one is, keeps the best few, and goes on from those.

# %%
lm = tot.Cassette("cassettes/06.jsonl")
solution = tot.solve(
    game, "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=5
)
show.explorer(solution)

# %% [markdown]
# **Figure.** The same model, the same puzzle, searched as a tree. Press *Play*; open a thought to see what was asked
# about it.
#
# The tree won a game that the chain lost, and had a program at its side. It also cost many times as much:

# %%
show.bill({"the chain": chain, "the tree": solution})

# %% [markdown]
# So does a
# tree of thoughts beat prompting *at the same price*? And if it does, is it the model's steps that win, its verdicts, or
# the program around them?
#
# ## Learning objectives
#
# After this chapter you can
#
# - write Algorithm 1 of the paper, breadth-first search over thoughts, in seven lines;
# - compare a tree with chains at equal cost, on the same puzzles, and say which of them it beats;
# - take a search apart with controls, and say what its steps and its verdicts are worth;
# - find out which half of a failing search is the weak one, before you turn a knob.
#
# ## Algorithm 1
#
# [Chapter 5](05_how_a_search_asks.ipynb) built the parts. A **thought** is one equation. The **generator** is one request
# for a list of next steps. The **evaluator** asks three times whether the numbers left can make 24, and adds up: *sure* is
# worth 20, *likely* 1, *impossible* 0.001.

# %% tags=["plot"]
told = {
    2: "Propose. One request for next steps: four are legal.",
    4: "Judge. Three verdicts on each: can its numbers make 24?",
    5: "Keep. Five may stay; there are four.",
    9: "Once more. Most of the bill is judging.",
    10: "Now the limit bites: of this level five stay.",
    14: "One number is left. A program sees whether it is 24.",
    18: "Done. Thick edges are where the tokens went.",
}
show.slowly(solution, told)

# %% tags=["plot"]
show.legend()

# %% [markdown]
# **Figure.** One search, slowly: scroll.
#
# The parts as plain functions; prompts (in the *lean* style, where the program keeps the numbers left) and readers are
# the package's.


# %%
def propose(state):
    [reply] = lm([game.propose(state, "lean")])
    reads = game.read_proposals(state, reply.texts[0])
    thoughts = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in thoughts]


def value(state):
    if len(left(state)) == 1:  # 24 or not: no model needed
        return 3 * (20 if left(state)[0] == 24 else 0.001)
    [reply] = lm([game.value(state).samples(first=0, n=3)])
    return fsum(
        game.read_value(text).value or 0 for text in reply.texts
    )


# %% [markdown]
# Breadth-first search keeps a *frontier* of at most `b` states. Each step replaces it by the best of its children. The
# comments are the paper's names.


# %%
def my_bfs(x, breadth, steps=3):
    frontier = [tot.State(x)]  # S_0 = {x}
    for _ in range(steps):
        candidates = [child for s in frontier for child in propose(s)]
        candidates.sort(key=value, reverse=True)  # S'_t, best first
        frontier = candidates[:breadth]  # S_t
    return frontier


for state in my_bfs("3 4 4 6", breadth=5)[:3]:
    steps = [thought.text.split(" (")[0] for thought in state.thoughts]
    print(f"{value(state):7.3f}  ", " ; ".join(steps))

# %% [markdown]
# A value reads like a small sum: 60 is three times *sure*: the last number is 24. 0.003 is three times *impossible*.
# In the tree above, ◐◐– is 2: a reply without a readable verdict adds nothing. Three verdicts of one kind never outweigh a single better one. Of equal states, the one written
# first goes on.


# %% tags=["checked"]
puzzles = game.problems("starter")[0::4]


def search(problem, **knobs):
    how = {"lm": lm, "style": "lean", **knobs}
    return tot.solve(game, problem, "tot-bfs", **how)


for problem in puzzles:
    mine = [steps_of(state) for state in my_bfs(problem.x, breadth=5)]
    best = search(problem, breadth=5).result.best
    assert mine == [steps_of(node.state) for node in best], problem.x
print("my_bfs and tot.bfs: the same beams on ten recorded puzzles")

# %% [markdown]
# > **In the paper.** There the model does everything. Here a program helps in four ways: it keeps the numbers that are left,
# > refuses illegal steps, judges whether the last number is 24, and writes the answer.
#
# ## A hundred puzzles
#
# One game proves nothing, and ten prove little. For the rest of the chapter we need a
# hundred puzzles and many searches, so we change the player. The **pocket model** is a transformer with fewer than a
# million parameters that comes with this book. It knows one thing, the Game of 24; its
# [card](../book/pocket_card.md) says how it learnt that from a solver's texts. It has never seen our hundred puzzles, the
# ranks 901 to 1000 of our list, sorted from easy to hard, though it has met many of the smaller states below them.
# (The paper's hundred have the same ranks on another list.)
#
# How hard are they? Call a state *alive* if 24 can still be reached from it.
#
# ### Predict: how many first steps keep 24 in reach?
#
# Four numbers allow up to 36 different first steps. What counts is the mean over the hundred puzzles.


# %%
def first_steps(x):
    steps = moves(tuple(sorted(Fraction(n) for n in x.split())))
    return len(steps), sum(solvable(step.left) for step in steps)


counts = [first_steps(p.x) for p in game.problems("hard")]
rows = []
for k in (1, 5, 8):
    none = [comb(n - a, k) / comb(n, k) for n, a in counts]
    rows.append({"steps drawn blindly": k})
    rows[-1]["some of them alive"] = f"{1 - fmean(none):.0%}"
share = fmean(a / n for n, a in counts)
show.Predict(
    "What share of the first steps is alive?",
    round(100 * share),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows),
)

# %% [markdown]
# The first step often decides the game, and a chain writes only one. Among eight different ones there usually is a living one.
# Then somebody has to say *which*.
#
# ## Does the tree beat prompting?
#
# Five contenders play the hundred puzzles:
#
# 1. **One chain** of thought, here and below the mean of a hundred.
# 2. **The vote of k chains**: self-consistency, from [chapter 4](04_chain_of_thought.ipynb).
# 3. **The blind scaffold**, a control: the same search, the same program around it, but no model. Its steps are eight random
#    legal ones, its verdicts are random words.
# 4. **The tree**, in three settings: one state kept, five kept as in the paper, and one kept with *three* replies to each
#    propose prompt, put together.
# 5. **The best of k chains**: a program checks their answers and takes one that makes 24. The check is free: it
#    needs only the four numbers. So this is a real method and no oracle.
#
# A fair race is run at one price. So k is the number of chains that the tree's tokens would buy.
#
# ### Predict: who wins?
#
# The tree keeps one state; the others get what its tokens buy.

# %% tags=["set-up"]
# The results of two studies that played the same searches


def results(name):
    return json.loads(Path(f"../studies/results/{name}").read_text())


halves = results("game24_halves.json")
pays, own = results("search_pays.json"), results("alone.json")
N, PLAYER = halves["n"], pays["players"]["final"]
BLIND, ALL = "program: random legal steps", "program: all legal steps"
COIN, ORACLE = "random verdicts", "perfect judge (oracle)"
MODEL = "the pocket model"
CELLS = {
    (c["steps"], c["verdicts"], c["breadth"], c["replies"]): c
    for c in halves["cells"]
}
RIVALS, UNCHECKED = (
    {
        (c["breadth"], c["proposals"]): c
        for c in cells
        if c["generator"] == c["judge"] == "final"
        if c["help"] == helped and not c["believed"]
    }
    for cells, helped in (
        (pays["cells"], True),
        (own["hard"]["cells"], False),
    )
)
TREES = {
    "one kept": (1, 1),
    "five kept": (5, 1),
    "three replies": (1, 3),
}


def gains(cells, *rivals):
    """What the trees solve more than one chain and the rivals."""
    found = {"one chain": {}}
    for name, key in TREES.items():
        chains = PLAYER["right of 100"]
        pairs = zip(cells[key]["solved"], chains, strict=True)
        gaps = [[int(tree) - c / 100] for tree, c in pairs]
        found["one chain"][name] = stats.bootstrap(gaps)
        for rival in rivals:
            gain = interval(cells[key]["gain"][rival]["written"])
            called = f"the {rival.removesuffix(', checked')}"
            found.setdefault(called, {})[name] = gain
    return found


def fisher(a, b, c, d):
    """Exact two-sided p: are a of a + b and c of c + d alike?"""
    n, row, column = a + b + c + d, a + b, a + c

    def ways(x):
        return comb(row, x) * comb(n - row, column - x)

    every = range(max(0, row + column - n), min(row, column) + 1)
    rare = sum(ways(x) for x in every if ways(x) <= ways(a))
    return rare / comb(n, column)


def duel(ours, theirs):
    """Puzzles that only one of two solved, and the exact test."""
    pairs = list(zip(ours, theirs, strict=True))
    wins = sum(a and not b for a, b in pairs)
    losses = sum(b and not a for a, b in pairs)
    p = stats.mcnemar(wins, losses)
    shown = f"{p:.3f}" if p >= 0.001 else "<0.001"
    return {"won": wins, "lost": losses, "p": shown}


def interval(rate):
    return stats.Interval(*rate, N)


def solved(steps, verdicts, breadth=1, replies=1):
    cell = CELLS[steps, verdicts, breadth, replies]
    return list(map(int, cell["solved"]))


# %% tags=["set-up"]
# The five contenders at the price of each tree
rows = [{"contender": "tokens written (model)"}]
rows += [{"contender": "one chain"}, {"contender": "vote of k chains"}]
rows += [{"contender": "blind scaffold"}, {"contender": "tree"}]
rows += [{"contender": "best of k chains"}]
for name, key in TREES.items():
    tree, rival = CELLS[MODEL, MODEL, *key], RIVALS[key]
    k = rival["chains for it"]["written"]
    rates = {
        "one chain": PLAYER["one chain"],
        "vote of k chains": rival["rivals"]["vote"],
        "blind scaffold": CELLS[BLIND, COIN, *key]["rate"],
        "tree": tree["rate"],
        "best of k chains": rival["rivals"]["best of k, checked"],
    }
    for row in rows[1:]:
        row[name] = interval(rates[row["contender"]])
    rows[0][name] = f"{tree['tokens written']:,} (k = {k})"


# %%
points = []
for name, short in (
    ("best of k", "best of k chains"),
    ("vote of k", "vote of k chains"),
):
    for k, rate in PLAYER[name].items():
        if k in ("1", "3", "10", "30", "100"):
            tokens = int(k) * PLAYER["tokens of a chain"]
            points.append({"method": short, "label": f"k={k}"})
            points[-1] |= {"rate": interval(rate), "tokens": tokens}
for name, (b, replies) in TREES.items():
    cell, narrow = CELLS[MODEL, MODEL, b, replies], replies == 1
    series = "tree" if narrow else "tree, three replies"
    points.append({"method": series, "label": name if narrow else None})
    points[-1]["rate"] = interval(cell["rate"])
    points[-1]["tokens"] = cell["tokens written"]
    if narrow:
        blind = interval(CELLS[BLIND, COIN, b, 1]["rate"])
        points.append({"method": "blind scaffold", "label": None})
        points[-1] |= {"rate": blind, "tokens": cell["tokens written"]}
rates = {row["contender"]: row["one kept"] for row in rows[1:]}
show.Predict(
    "In which order do the five solve puzzles, the best first?",
    sorted(rates, key=lambda who: rates[who].rate, reverse=True),
    choices=sorted(rates),
    figure=show.plots.success_by_cost(
        points, xlabel="tokens written for a puzzle", log=True
    ),
    alt="The best of k rises from 16% to 92%, the vote stays below "
    "45%. Trees with one reply lie between them, at about 60%; "
    "the one with three, at 90%, touches the best of k. The "
    "blind scaffold is near 0.",
)

# %% [markdown]
# **Figure.** The tree is far above the vote, and below the best of k until it gets three replies for each state. The
# blind scaffold writes nothing; it stands where its tree does.

# %% tags=["predict"]
show.table(rows, highlight=lambda row: row["contender"] == "tree")

# %% [markdown]
# **Table.** Five contenders at three prices; n = 100, 95% intervals (searches: Wilson's; chains: puzzles drawn anew). A
# chain has 45 tokens.
#
# ### In pairs
#
# Compare on the same puzzles, in pairs: how many more puzzles in a hundred does the tree solve?

# %% tags=["plot"] mystnb={"image": {"alt": "Differences with intervals. Minus one chain: one kept +41, five kept +45, three replies +74. Minus the vote of k: +21, +19, +50. Minus the best of k: -22, -28, and +2 with an interval that holds zero."}}
show.plots.differences(gains(RIVALS, "vote", "best of k, checked"))

# %% [markdown]
# **Figure.** The tree minus its rivals, with a program's help. Intervals of 95% by a paired bootstrap: puzzles are drawn
# anew, each with the results of both.
#
# **With a program's help the tree beats one chain, and the vote of as many chains as its tokens buy**, in all three settings.
# **It does not beat the best of as many chains**: with one reply for each state it loses clearly, and with three the two cannot
# be told apart.
#
# But was that fair to the vote? A program told the tree whether its last number is 24; nobody told the vote anything.
# Whoever has that check may use it on chains as well, and then the rival is the best of k. Whoever has none must
# take it from the tree, too, and then the rival is the vote. So let the tree play again with none of the four kinds of help.
# (The model refuses to say whether a last number is 24, for a program always did. A copy that practised the end is asked about that.)

# %% tags=["plot"] mystnb={"image": {"alt": "Differences with intervals where nobody checks. Minus one chain: one kept +39, five kept +25, three replies +72. Minus the vote of k: +18, -1 with an interval that holds zero, +46."}}
show.plots.differences(gains(UNCHECKED, "vote"))

# %% [markdown]
# **Figure.** Nobody checks: the tree alone minus its rivals, each at its own tokens.

# %% tags=["set-up"]
# The same trees with a program's help and without, in pairs
rows = []
for name, key in TREES.items():
    helped, alone = (
        list(map(int, cells[key]["solved"]))
        for cells in (RIVALS, UNCHECKED)
    )
    rows.append({"tree": name, "helped": sum(helped)})
    pairs = duel(helped, alone)
    assert not pairs["lost"]
    rows[-1] |= {"alone": sum(alone), "p": pairs["p"]}
show.table(rows)

# %% [markdown]
# **Table.** Solved of a hundred, and the exact test (table 2's 61 and 64 are [another draw](../book/tables.md) of the helped
# trees with one and five kept). The tree alone solved none that the helped tree did not.
#
# **Where nobody checks, the trees that keep one state are ahead of the vote.** With five kept the two cannot be told apart, since the
# model chooses badly among its five answers ([the study of this game](study_game24.ipynb) says more).
#
# So *to a model that practised the end* a program's help is worth little where one state is kept, and a third of the wins where five
# are. The model that refuses to judge the end solves only 34, 15 and 60 alone ([chapter 16](16_when_search_pays.ipynb#when-nobody-can-check)).
#
# A hundred fresh puzzles, by which nothing was chosen (`studies/held_out.py`), are easier, and every verdict but one is the same: there,
# five kept lead without help:

# %% tags=["checked"]
# The contests on fresh puzzles
fresh, rows = results("fresh.json"), []
for helped, rival in (
    (True, "vote"),
    (True, "best of k, checked"),
    (False, "vote"),
):
    for name, (b, replies) in TREES.items():
        row = {"tree": name, "help": "a program" if helped else "none"}
        row["minus"] = f"the {rival.removesuffix(', checked')}"
        how = {"breadth": b, "proposals": replies, "help": helped}
        both = (pays, fresh) if helped else (own["hard"], own["fresh"])
        columns = {"so far": both[0], "fresh": both[1]}
        for column, study in columns.items():
            found = search_of(study, "final", "final", **how)
            gap, low, high = found["gain"][rival]["written"]
            row[column] = f"{gap:+.0%} [{low:+.0%}, {high:+.0%}]"
        rows.append(row)
both = (s["players"]["final"]["one chain"][0] for s in (pays, fresh))
chain = "{:.0%} so far, {:.0%} on the fresh ones".format(*both)
show.table(rows, caption=f"One chain: {chain}; n = {N} each")

# %% [markdown]
# What follows? Where answers can be checked for free, draw chains and check them: no tree here did clearly better at its price. Where
# they cannot, a tree pays, if its model judges well to the end and one state is kept, for the tokens of dozens of chains.
#
# These chains are a strong rival, because they differ from each other and the model was trained on chains that end
# well. [Chapter 16](16_when_search_pays.ipynb) draws the whole map.
#
# Tokens written are only one way to count. The tree also waits for five rounds where all chains go out in one, and it
# sends many prompts. For the pocket model, counting these as well changes no conclusion:

# %% tags=["checked"]
# Signs of the nine differences, when prompts count, too
for key in TREES.values():
    counted = [*RIVALS[key]["gain"].values()]
    for gains in (*counted, UNCHECKED[key]["gain"]["vote"]):
        signs = {
            (low > 0) - (high < 0) for _, low, high in gains.values()
        }
        assert len(signs) == 1, key
print("the same side of zero, or neither, however tokens are counted")

# %% [markdown]
# The other doubt is the size of the test.
#
# ### Predict: what can ten puzzles show?
#
# The recorded model of the opening has played ten puzzles. Suppose that a tree loses none of them that its rival wins, and
# take the exact test of [chapter 4](04_chain_of_thought.ipynb).

# %% tags=["set-up"]
# The least lead that an exact test believes
def least_lead(differing):
    """Wins minus losses that it takes; None: none is enough."""
    halfway = differing // 2 + 1
    for wins in range(halfway, differing + 1):
        if stats.mcnemar(wins, differing - wins) < 0.05:
            return wins - (differing - wins)
    return None


rows = [
    {"puzzles that differ": n, "least lead": least_lead(n)}
    for n in (5, 6, 10, 20, 40)
]

# %%
show.Predict(
    "How many must it win that its rival loses, before p < 0.05?",
    next(n for n in range(1, 11) if least_lead(n) == n),
    low=1,
    high=10,
    shows=show.table(rows),
)

# %% [markdown]
# The recorded model's tree beat one chain by 8 to 0 (chapter 5), which passes, and the best of ten answers by 6 to 1,
# which does not. Ten puzzles show only large effects; hence the hundred.
#
# ## A real model, 120 puzzles
#
# So the recorded model played 40 starter puzzles and 80 fresh ones. Its tree keeps five and takes three replies: the best of six
# settings on thirty other puzzles. Rivals and tests were written down beforehand (`studies/heart.py`). A program refuses illegal steps and
# writes the answer; only the *end* is the model's to judge, and its prompt shows `24 is 24. sure` and `18 is not 24. impossible`.
#
# ### Predict: a tree whose end nobody checks, or the best of as many chains, checked?
#
# The pocket model's chains were ahead even of most trees with help. Here both sides write as many tokens.

# %% tags=["set-up"]
# The recorded model's contenders, and the four tests
real = results("heart.json")
heart, rows = real["sets"]["both"], []
best = "best of k chains, end checked"
for name in (*heart["tree minus"], "tree"):
    who = name.replace("vote of k", f"{heart['k']}")
    row = {"contender": who}
    helped = f"{name}, end checked".replace("vote", "best")
    helped = helped.replace("steps checked, ", "steps and ")
    for who, key in (("end unchecked", name), ("end checked", helped)):
        if rate := heart["rates"].get(key):
            row[who] = stats.Interval(*rate, heart["n"])
    rows.append(row)
    if test := heart["tree minus"].get(name):
        gap, low, high = (100 * end for end in test["difference"])
        row["tree ahead by"] = f"{gap:+.0f} [{low:.0f}, {high:.0f}]"
lead = rows[-1]["end unchecked"].rate - heart["rates"][best][0]
ahead = "the tree" if lead > 0 else "the chains"
p = max(test["Holm"] for test in heart["tree minus"].values())
note = f"n = {heart['n']}, 95%; leads: each p < {p:.0e}; "
note += "tree, unchecked, minus "
beside = heart["tree minus, beside"][best]
gap, low, high = (100 * end for end in beside["difference"])
note += f"the best of {heart['k']}: {gap:+.0f} [{low:.0f}, {high:.0f}]"

# %%
show.Predict(
    "Which solves more of the 120 puzzles?",
    ahead,
    choices=["the tree", "the chains", "both alike"],
    shows=show.table(rows, caption=note),
)

# %% [markdown]
# **Table.** Qwen2.5-Coder-1.5B, 2026-11-26. Of sixty chains: their vote, and with the end checked their best. Leads: end unchecked, in points;
# four exact tests (sign flips), Holm. Starter and fresh puzzles [say the same](study_game24.ipynb#the-recorded-model-without-that-example).
#
# **For the same written tokens the real model's tree wins**, by 30 points even over sixty chains with a check that it does not have. Two
# chains in three contain an illegal step and cannot take it back. (Some are right all the same: refusing them costs the best of sixty nine
# points.) The tree's lists offer a good step 97 times in a hundred, and bad ones are refused.
#
# Random *verdicts* leave 3%, but they choose among the ends at random, too. If a program checks the ends, 39% are left, more than the 34% of
# thirty checked chains, for the tokens of sixteen. The model's verdicts add 47 points to that. A check of the *end* adds six.
# With our usual judge's prompt, which has no `24 is 24`, the tree solves 59%.
#
# With the prompts, read whole, the tree costs three hundred chains. A hundred were drawn: their vote has 7%, but their best 63%, and more
# have more: at that price, who can check may do as well with chains. The puzzles are the easier ones, ranks 1 to 400.
#
# ## Which half does the work?
#
# A tree search has two halves, steps and verdicts, and a program around both. Take each half away in turn and let
# somebody else play it. These are **controls**, not methods:
#
# | | worst | ours | best |
# |---|---|---|---|
# | steps | eight random legal ones | the pocket model's | all legal ones, listed by a program |
# | verdicts | random words | the pocket model's | a solver's (an *oracle*: nobody has it in earnest) |
#
# ### Predict: whose half is the better one?
#
# With five states kept, the pocket model in both halves solves 61 of a hundred. Now its verdicts are replaced by random
# words.

# %%
names = {BLIND: "random", MODEL: "the model's", ALL: "all legal"}
figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.2), sharey=True)
for ax, b in zip(axes, (1, 5), strict=True):
    for i, (s, name) in enumerate(names.items()):
        heights = [sum(solved(s, v, b)) for v in (COIN, MODEL, ORACLE)]
        places = [x + 0.28 * (i - 1) for x in range(3)]
        bars = ax.bar(places, heights, 0.26, label=name, color=f"C{i}")
        ax.bar_label(bars, padding=2, fontsize=9)
    ax.set_xticks(range(3), ["random", "the model's", "oracle"])
    ax.set(xlabel="verdicts", title=f"{b} kept", ylim=(0, 112))
axes[0].set_ylabel("solved of a hundred")
axes[0].legend(title="steps", loc="upper left")
show.Predict(
    "How many of a hundred does it solve then?",
    sum(solved(MODEL, COIN, 5)),
    low=0,
    high=100,
    figure=figure,
    alt="One kept: random verdicts 0, 2, 0; the model's 37, 57, 97; "
    "the oracle's 38, 58, 100, for random steps, the model's "
    "and all. Five kept: 8, 5, 7; 42, 61, 100; 44, 61, 100.",
    shows=f"With random steps, too: {sum(solved(BLIND, COIN, 5))}.",
)

# %% [markdown]
# **Figure.** Which half does the work. From random verdicts to the model's is a huge step; from the model's to an oracle's
# three puzzles more at most. Better steps count, but only with verdicts that are worth something.

# %% tags=["set-up", "predict"]
# The contests behind the figure
ours = MODEL, MODEL
tests = {
    "its verdicts, not random ones": (ours, (MODEL, COIN)),
    "an oracle's, not its own": ((MODEL, ORACLE), ours),
    "its steps, not random ones": (ours, (BLIND, MODEL)),
    "the same, random verdicts": ((MODEL, COIN), (BLIND, COIN)),
    "all legal steps, not its own": ((ALL, MODEL), ours),
}
show.table(
    [
        {"with five kept": name}
        | duel(solved(*one, 5), solved(*other, 5))
        for name, (one, other) in tests.items()
    ]
)

# %% [markdown]
# **Table.** Puzzles that only one of two searches solved, and the exact test.
#
# **The verdicts do most of it.** With random ones the model's steps are worth no more than
# random steps, as far as a hundred puzzles can tell; and an oracle in the judge's place changes not one of them.
# **The steps do the rest, and they are what limits the search.** They are better than random ones. Yet if a program lists all
# legal steps, the model's verdicts solve every puzzle with five kept.
#
# Where do its steps beat the dice? Give both a perfect judge, and see where 24 is lost:

# %% tags=["set-up"]
# Where two generators lose 24 under a perfect judge
rows = []
for steps in (BLIND, MODEL):
    lost = CELLS[steps, ORACLE, 5, 1]["lost at"]
    rows.append({"steps": steps.removeprefix("program: ")})
    for step in ("step 1", "step 2", "step 3"):
        n = sum(n for why, n in lost.items() if why.startswith(step))
        rows[-1][f"lost at {step}"] = n
(a, b), (c, d) = (
    [row["lost at step 1"], row["lost at step 2"]] for row in rows
)
print(f"step 1: p = {fisher(a, N - a, c, N - c):.1g}")
print(f"step 2: p = {fisher(b, N - a - b, d, N - c - d):.1g}")
show.table(rows)

# %% [markdown]
# **Table.** Of a hundred searches with an oracle's verdicts, five kept. At the first step the model's list cannot be told from
# eight steps drawn blindly; at the second it is better (above: *Fisher's exact test*, how often a random split would be as
# uneven).
#
# If a program can list all steps, why ask a model for them? Because each step costs three verdicts:

# %%
for steps in (MODEL, ALL):
    cell = CELLS[steps, MODEL, 5, 1]
    print(f"{steps:24} {cell['tokens written']:5,} tokens a puzzle")

# %% [markdown]
# And because few problems have such a list. Where it can be had, and judging is cheap, take it.
#
# Must three be drawn? If a model tells how likely its words were, one reply can weigh all verdicts ([`verdicts="logprobs"`](../book/manual/verdicts.md)).
# It solves as many, as far as that can tell, for half the tokens; it judges less well than three samples, and [no better than the word it ends with](study_game24.ipynb).

# %% tags=["checked"]
# The pocket model's verdicts, drawn or weighed
told = results("verdicts.json")
rows = []
for judge, knobs in {
    "three samples": "three samples, b=5",
    "one sample": "one sample, b=5",
    "the likeliest reply, its probabilities": "probabilities, b=5",
}.items():
    row, found = (
        told["judging"]["judges"][judge],
        told["searches"][knobs],
    )
    rows.append({"verdicts": judge})
    rows[-1]["AUC"] = stats.Interval(*row["AUC"], told["n"])
    rows[-1]["solved"] = stats.Interval(*found["rate"], told["n"])
    rows[-1]["tokens a puzzle"] = found["tokens written"]
note = "AUC: a living state above a dead one; five kept, four trials"
show.table(rows, highlight=2, caption=note)

# %% [markdown]
# Whenever you read that a tree search lifted a model from nearly nothing to a lot, ask for the two cheap controls, the
# blind scaffold and random verdicts, and ask who checked the end.
#
# ## Generator or evaluator: which is the weak one?
#
# A failed search lost 24 at some step for one of two reasons. Either no living step was **proposed**, which is the
# generator's fault; or one was proposed and **thrown away**, which is the evaluator's. A solver can tell the two apart
# afterwards.
#
# ### Predict: is it the same half for both of our models?
#
# Take the *recorded* model, the one of the opening, on its ten puzzles with one state kept.

# %% tags=["set-up"]
# At which step, and why, the searches of both models lost 24
NEVER, GONE = "no living step proposed", "living step thrown away"
played = halves["recorded model"]
searches = {
    f"recorded model, {b} kept": (
        played["n"],
        played["lost at"][f"b={b}"],
    )
    for b in (1, 5)
}
searches |= {
    f"pocket model, {b} kept": (N, CELLS[MODEL, MODEL, b, 1]["lost at"])
    for b in (1, 5)
}
fails, causes = [], {}
for name, (n, lost) in searches.items():
    causes[name] = {NEVER: 0, GONE: 0}
    for why, count in lost.items():
        bad = why.endswith(("not proposed", "slip"))
        causes[name][NEVER if bad else GONE] += count
    causes[name]["solved"] = n - sum(causes[name].values())
    for why, count in causes[name].items():
        fails.append({"method": name, "step": why, "count": count})
thrown, missing = (
    causes["recorded model, 1 kept"][why] for why in (GONE, NEVER)
)

# %%
weak = "the evaluator" if thrown > missing else "the generator"
pocket = causes["pocket model, 1 kept"]
p = fisher(thrown, missing, pocket[GONE], pocket[NEVER])
show.Predict(
    "Which half lost most of the recorded model's failed searches?",
    weak,
    choices=["the generator", "the evaluator", "both alike"],
    figure=show.plots.failures(
        fails, order=[GONE, NEVER, "solved"], xlabel="share of searches"
    ),
    alt="Recorded model, one kept: 5 of 10 threw a living step "
    "away, 1 had none proposed; five kept: 1 and 1. Pocket "
    "model: 3 and 40; 0 and 39.",
    shows=f"Thrown away: {thrown}. Not proposed: {missing}. "
    f"Pocket model: {pocket[GONE]} and {pocket[NEVER]}. "
    f"Fisher's exact test: p = {p:.1g}.",
)

# %% [markdown]
# **Figure.** Two models, two ways to fail. With one kept, the recorded model mostly throws living steps away; the pocket model never wrote
# them. Six failures are too few to convict a judge (5 to 1 has p = 0.22), but the two plays do differ, and of the 24 lost
# on the 120 puzzles (not drawn) the judge threw away 14 (7 more chose a wrong answer, 3 were short of steps). Part of that is the puzzles: on
# the recorded model's ten, which are easier, far more first steps are alive, so a living one is seldom missing from a list.
#
# ### The recorded judge at work
#
# Here it is on first steps.

# %% tags=["plot"] mystnb={"image": {"alt": "One row for each of the ten puzzles, with its proposed first steps from the judge's favourite on the left to the least valued. Rings are alive, crosses dead. In the first column five of ten are alive; every row has at least one ring among its first five, but 2 6 8 8 has it in fifth place."}}
first = {}
for problem in puzzles:
    ranked = sorted(
        propose(tot.State(problem.x)), key=value, reverse=True
    )
    first[problem.x] = [solvable(left(state)) for state in ranked]
ring, cross = LOOKS["correct"].line[0], LOOKS["wrong"].line[0]
figure, ax = plt.subplots(figsize=(4.4, 3.4))
for y, alive in enumerate(first.values()):
    for x, living in enumerate(alive, 1):
        look = {"marker": "o", "color": ring, "mfc": "none"}
        look = look if living else {"marker": "x", "color": cross}
        ax.plot(x, -y, ms=9, mew=2.2, ls="none", **look)
ax.axvline(1.5, color="#8b949e", lw=1, ls=":")
ax.axvline(5.5, color="#8b949e", lw=1, ls="--")
ax.set_yticks([-y for y in range(len(first))], first)
ax.set(xlim=(0.5, 7.5), xlabel="place in the judge's order")
ax.grid(visible=False)
plt.show()

# %% [markdown]
# **Figure.** What breadth insures against. Each row is a puzzle, each mark a proposed first step: rings are alive,
# crosses dead. With one state kept, a search lives or dies with the first column; with five, almost nothing is thrown away.

# %% tags=["set-up"]
# The two judges: a living state valued above a dead one
rows = []
for size, depth in (
    ("3", "after the first step"),
    ("2", "after the second"),
):
    rows.append({"states": depth})
    auc = real["measured"][-1][f"AUC, {size} numbers"]
    rows[-1]["recorded model"] = stats.Interval(*auc, heart["n"])
    rows[-1]["pocket model"] = interval(PLAYER["judging"][size]["AUC"])
chance = fsum(fmean(alive) for alive in first.values())
top = sum(alive[0] for alive in first.values())

# %%
print(f"the judge's favourite is alive on {top} of 10 puzzles;")
print(f"a blind pick among the same steps: {chance:.1f} of 10")
show.table(rows)

# %% [markdown]
# **Table.** How often the two judges value a living state above a dead one; a coin would say 50%. Intervals resample puzzles (120 and 100).
#
# After the first step the recorded judge is little better than a coin (on the ten, its favourites do worse than a blind pick), and after the second good. Its generator
# writes five steps or fewer on most puzzles, so a beam of five keeps nearly all of them: it does not forgive the judge
# so much as put off asking it until it knows more. The pocket model's judge is good from the start and throws little
# away; it is short of living steps, and more replies bring them.
#
# > **In practice.** Look for the weak half before you turn a knob. Steps missing: ask for more of them. Living steps thrown
# > away: keep more, or judge better.
#
# Does breadth help, then? Five states kept, against one (and, last, three replies against one):

# %% tags=["set-up"]
# Wider beams and more replies, puzzle by puzzle
trees = {b: [search(p, breadth=b) for p in puzzles] for b in (1, 5)}
wide = {
    "recorded model": [[s.chosen for s in trees[b]] for b in (5, 1)]
}
pilot = [[*map(int, s["solved"])] for s in real["pilot"]["settings"]]
wide["recorded, both with three replies"] = pilot[5], pilot[1]
wide["pocket model"] = [solved(MODEL, MODEL, b) for b in (5, 1)]
wide["random verdicts"] = [solved(MODEL, COIN, b) for b in (5, 1)]
wide["pocket, three replies"] = [
    solved(MODEL, MODEL, 1, replies) for replies in (3, 1)
]
show.table(
    [{"search": name} | duel(*both) for name, both in wide.items()]
)

# %% [markdown]
# **Table.** Puzzles won and lost by five kept, and by three replies. (*Both with three replies*: the thirty puzzles of the pilot.)
#
# Breadth gained the pocket model nothing that shows, and the recorded one much once it had three replies to choose from. Mind the one loss with random verdicts: **a wider
# beam can lose.** A state that
# the narrow search went on from is still there, but states from other branches, valued higher and wrong, can push its
# children out. Exercise 1 builds such a case.
#
# > **Where it breaks.** A tree needs steps that can be judged before the end. Where a half-finished answer says nothing about
# > its own hope, the verdicts are random words, and with those the model's search fell from 61 to 5.
#
# > **In the paper.** GPT-4, another hundred puzzles, no such help: IO 7.3%, CoT 4.0%, ToT b=1 45%, b=5 74%; the best of a
# > hundred chains 49%. There, as with our recorded model, the tree with five kept was far ahead of sampling. By swapping GPT-4 and GPT-3.5 in the two roles the authors found that
# > generation was the bottleneck, as it is for our pocket model. [The study](study_game24.ipynb) sets its rows beside theirs.
#
# ## Summary
#
# - Algorithm 1 is seven lines: the children of all kept states are judged and cut back to the best few.
# - With a program's help the pocket model's tree beats one chain, and at equal tokens the vote of many. It does not beat the
#   best of as many chains, which needs the same free check. Where nobody checks, it is ahead of the vote if it keeps one
#   state and its model can judge the end.
# - The recorded model's tree, its end unchecked, solves 80%, one of its chains 2%, the best of sixty with a check 50%. A real model's chains
#   break where a tree goes on, and it was shown how to judge an end.
# - Verdicts do most of the work: random ones ruin the search, and with five kept an oracle's add nothing. Steps are what limits it.
# - How a search fails depends on the model and on the puzzles. Breadth can save what a judge would throw away, more replies what was never
#   proposed: the first helped the recorded model, the second the pocket model.
# - Ten puzzles can show a lead of six, and no less.
#
# ## Exercises
#
# ### Exercise 1: a wider beam that loses
#
# Invent the values of a small tree of two steps, on which a beam of one finds the goal and a beam of two misses it. Then play
# it, with two dictionaries in place of `propose` and `value`.
#
# <details><summary>Hint</summary>
#
# The goal stands below the favourite. The second state's children need only *look* good.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
children = {"start": "AB", "A": ["goal"], "B": ["B1", "B2"]}
worth = {"A": 5, "B": 4, "goal": 6, "B1": 9, "B2": 8}


def toy_bfs(breadth):
    frontier = ["start"]
    for _ in range(2):
        candidates = [c for s in frontier for c in children[s]]
        candidates.sort(key=worth.get, reverse=True)
        frontier = candidates[:breadth]
    return frontier


for breadth in (1, 2, 3):
    print(f"b={breadth}: {', '.join(toy_bfs(breadth))}")

# %% [markdown]
# ### Exercise 2: equal states, twice in the beam
#
# Two paths can lead to the same numbers: `4 + 9` then `10 - 6`, or the other way round. Both then take a place in the
# beam. How many places of the recorded beams after step 2 are taken by such twins? Would you merge them?
#
# <details><summary>Hint</summary>
#
# `trees[5]` has the runs; `run.result.best[0].path` leads to the root, `children` down again. A kept node has children.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
twins = 0
for run in trees[5]:
    nodes = [list(run.result.best[0].path)[-1]]  # the root
    for node in nodes:
        nodes += node.children
    beam = [left(n.state) for n in nodes if n.depth == 2 and n.children]
    twins += len(beam) - len(set(beam))
print(f"{twins} places in {len(trees[5])} beams are taken by a twin")
# Merging gives their places to others: a state's future depends on its
# numbers only. But the tree becomes a graph. The paper does not merge.

# %% [markdown]
# ### Exercise 3: how many puzzles for two points?
#
# The tree with three replies solves 90 of a hundred, the best of 53 chains about 88. How many puzzles would show such a lead, if
# it is real? Suppose that of every hundred puzzles the tree alone solves 6 and the chains alone 4.
#
# <details><summary>Hint</summary>
#
# With n puzzles expect 0.06 n wins and 0.04 n losses. For which n is `stats.mcnemar` of these below 0.05? (Then the test finds
# the lead about every second time.)
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
for n in (100, 500, 1000, 1500, 2000):
    wins, losses = round(0.06 * n), round(0.04 * n)
    print(f"n={n:5,}: p = {stats.mcnemar(wins, losses):.3f}")
# About a thousand.

# %% [markdown]
# ### Exercise 4: equal cost for the recorded model
#
# On its ten puzzles the recorded model's tree, with five states kept, wrote many more tokens than ten direct answers. Suppose
# that direct answers are independent, with the rate that chapter 3 measured for each puzzle. How many could you buy for the
# tree's tokens, and how many puzzles would the best of them solve?
#
# <details><summary>Hint</summary>
#
# With rate r, at least one of k is right with probability 1 - (1 - r)^k. The ten answers are in `cassettes/03.jsonl`: solve with
# method `io` and `k=10`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
io_lm = tot.Cassette("cassettes/03.jsonl")
io = [tot.solve(game, p, "io", lm=io_lm, k=10) for p in puzzles]
written = [
    fmean(s.result.ledger.total.completion_tokens for s in runs)
    for runs in (trees[5], io)
]
k = int(10 * written[0] / written[1])
each = [fmean(score.correct for score in s.scores) for s in io]
bought = fmean(1 - (1 - rate) ** k for rate in each)
print(f"{k} direct answers write as much as one tree")
print(f"the best of {k} would solve about {bought:.0%}")
# A lower bound: a puzzle that was never right in ten answers counts as
# 0 here, however large k is.

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`yao2023tree`: section 3 (the framework), 4.1 (this game) and B.3 (cost).
# - [The study of the Game of 24](study_game24.ipynb): every row of the paper's table, the program's help taken away, the roles
#   swapped; and a lab for puzzles of your own.
# - {cite}`chen2021evaluating` for the unbiased estimate of the best of k.
# - The [paper-to-code index](../book/paper_to_code.md) says where each table and figure of the paper is reproduced here,
#   [one picture](../book/tables.md#all-comparisons-in-one-picture) which of its differences we can tell,
#   and the [errata](../book/errata.md) where the paper contradicts itself.
