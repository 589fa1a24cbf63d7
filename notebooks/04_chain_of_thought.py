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
# # Chain of thought, self-consistency, refine
#
# To make 24 from 4, 6, 8 and 8, most people reach for a scrap of paper. What if the model gets such help, too: room to write down
# its steps, several attempts, or a teacher who says "wrong, try again"? This chapter measures what each of these is worth,
# and looks for the place where a chain of steps goes wrong.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.methods()

# %% [markdown]
# **Figure.** Five ways from a question to an answer. This chapter tries the middle three. Only the tree, from chapter 5 on,
# judges a step before it takes the next one.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a chain-of-thought prompt, check a chain line by line, and find the step at which it fails;
# - compare two methods on the same puzzles, and say what a small sample can show;
# - take a majority vote, and predict when it cannot help;
# - say what rewriting an answer costs, and what it risks.

# %% tags=["set-up"]
# Imports, and the recorded replies
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from operator import add, mul, sub, truediv
from random import Random
from statistics import fmean

import numpy as np

import tot
from tot.stats import bootstrap, paired, wilson
from tot.tasks.game24 import EXAMPLES, RULES, numbers_of
from tot.tasks.game24_rules import moves, solvable

task = tot.task("game24")
puzzles = task.problems("starter")
lm = tot.Cassette("cassettes/04.jsonl")
io_lm = tot.Cassette("cassettes/03.jsonl")
K = 5  # chains for each puzzle


def solve_all(puzzles, method, lm, k):
    return [tot.solve(task, p, method, lm=lm, k=k) for p in puzzles]


# %% [markdown]
# ## Steps before the answer
#
# A language model does about the same amount of computing for every token that it writes. If the answer is one short line, the
# first symbol has to be right before the model has tried anything.
#
# **Chain of thought** {cite}`wei2022chain` asks for intermediate steps $z_1, \dots, z_n$ first, and for the answer $y$
# after them. This may help in two ways: the model computes more before it answers, and each step is small and can use
# what an earlier one found. The prompt is that of [chapter 3](03_io_and_verifiers.ipynb), with steps added to its five examples.


# %%
def prompt_cot(x):
    """The conversation that asks for three steps and an answer."""
    rules = f"{RULES} Write three steps, then the answer."
    messages = [tot.Message("system", rules)]
    for numbers, steps, answer in EXAMPLES:
        chain = "\n".join([*steps, f"Answer: {answer}"])
        messages.append(tot.Message("user", f"Numbers: {numbers}"))
        messages.append(tot.Message("assistant", chain))
    messages.append(tot.Message("user", f"Numbers: {x}"))
    return tot.Request(tuple(messages), temperature=0.7, max_tokens=110)


print(prompt_cot("4 6 8 8").messages[2].content)

# %% [markdown]
# Here are three chains of the recorded model for `4 6 8 8`. Read them as a strict teacher would. A line is wrong if it uses a number
# that is not there, if its arithmetic is wrong, or if its list of the numbers left is wrong. Even a correct line is a mistake
# if 24 can no longer be reached after it. For each chain, note the first line at which you would stop.

# %%
[reply] = lm([prompt_cot("4 6 8 8").samples(0, 3)])
print(*reply.texts, sep="\n\n")

# %% [markdown]
# ## A strict teacher
#
# For two hundred chains we need a program. It takes one line and the numbers that are really there, and returns the numbers after
# the step, or the reason why the step is illegal. As in chapter 3, the text is parsed and never evaluated. Keep
# this function: it will read the steps of your own program in [chapter 6](06_tot_bfs_game24.ipynb).

# %%
N = r"(-?\d{1,12}(?:\.\d{1,12}|/[1-9]\d{0,11})?)"  # 7, 2.5, -3 or 8/3
LINE = re.compile(rf"{N} ([-+*/]) {N} = {N}(?: \(left: ([-\d./ ]*)\))?")
SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}


def take(numbers, line):
    """(numbers after the step, "") or (None, why it is illegal)."""
    if not (found := LINE.fullmatch(line.strip())):
        return None, "not a step"
    a, b, result = (Fraction(found[i]) for i in (1, 3, 4))
    sign, listed = found[2], found[5]
    rest = Counter(numbers)
    if Counter([a, b]) - rest:
        return None, "operand is not there"
    if (sign == "/" and b == 0) or SIGNS[sign](a, b) != result:
        return None, "wrong arithmetic"
    left = sorted([*(rest - Counter([a, b])).elements(), result])
    if listed and sorted(map(Fraction, listed.split())) != left:
        return None, "wrong numbers left"
    return left, ""


# %% [markdown]
# ## At which step do chains fail?
#
# A chain fails at its first step that is *illegal*, or that is legal but *dead*: from the numbers left, 24 can no longer be
# reached. A solver tells us which; the model does not see it.


# %% tags=["set-up"]
# Where each chain fails, and where a random player does
def walk(x, node):
    """The numbers after each line of a chain; None: it is illegal."""
    numbers = numbers_of(x)
    for line in node.state.last.text.splitlines():
        if line.strip() and not line.lower().startswith("answer"):
            numbers, _ = take(numbers, line)
            yield numbers
            if not numbers:
                return


def fate(x, node, right):
    """Where a chain fails, or "solved"."""
    left = ()
    for step, left in enumerate(walk(x, node), 1):
        if not left or not solvable(tuple(left)):
            return f"step {step}"
        if len(left) == 1:
            break
    return "solved" if right and len(left) == 1 else "the answer"


def dice(numbers, step=0):
    """Where a random player fails: label -> probability."""
    if not solvable(numbers):
        return Counter({f"step {step}": 1})
    if len(numbers) == 1:
        return Counter({"solved": 1})
    shares, options = Counter(), moves(numbers)
    for move in options:
        for label, p in dice(move.left, step + 1).items():
            shares[label] += p / len(options)
    return shares


def points(ours, others):
    """The mean of the puzzles' differences, in points."""
    pairs = zip(ours, others, strict=True)
    gap = bootstrap([[100 * (a - b)] for a, b in pairs])
    return f"{gap:+.1f} points"


chains = solve_all(puzzles, "cot", lm, K)
every = [
    (s.problem, node, score.correct)
    for s in chains
    for node, score in zip(s.result.best, s.scores, strict=True)
]
fates = [fate(*chain) for chain in every]
dices = [dice(numbers_of(p.x)) for p in puzzles]
lost = [label == "step 1" for label in fates]
at_once = [fmean(lost[i : i + K]) for i in range(0, len(lost), K)]
by_chance = [dealt["step 1"] for dealt in dices]

# %% [markdown]
# ### Predict: how far do chains get?
#
# There are two hundred chains, five for each of forty puzzles, and each has three steps to take. Beside them we put the random
# player of chapter 3, who moves legally and blindly.

# %%
three = [fate(*c) for c in every if c[0] == "4 6 8 8"][:3]
show.Predict(
    "How many of a hundred chains fail at the first step?",
    round(100 * fmean(at_once)),
    low=0,
    high=100,
    unit="%",
    shows=f"Dice {fmean(by_chance):.0%}: {points(at_once, by_chance)}. "
    f"The three chains from above end at {', '.join(three)}.",
)

# %% mystnb={"image": {"alt": "Two stacked bars, the recorded chains of thought and the random player. In both, the largest part by far fails at step 1: 142 of the 200 chains, and 116 for the random player. Only slivers are solved."}} tags=["plot", "predict"]
order = ["step 1", "step 2", "step 3", "the answer", "solved"]
chance = sum(dices * K, Counter())
rows = []
for name, ends in (("CoT", Counter(fates)), ("random player", chance)):
    for step in order:
        count = round(ends[step])
        rows.append({"method": name, "step": step, "count": count})
show.plots.failures(rows, order=order, xlabel="fails at ...")

# %% [markdown]
# **Figure.** Most chains are lost with their first line, and more often than a random player's games.
#
# The paper's figure 3b shows the same for GPT-4, on harder puzzles: about 60% of its chains have failed after the first
# step {cite}`yao2023tree`. Whatever steps follow, they start from numbers that are wrong or hopeless. But most *random*
# first moves are fatal as well, so a share of early failures says little until you know what chance would do, and here
# chance does better.
#
# ### Bookkeeping or bad choices?
#
# Why do first steps fail? The table counts each of them twice: as the model wrote it, and again after we have removed the
# list "(left: ...)" and let a program work it out.

# %% tags=["set-up"]
# Why first steps fail, with the model's list and with a program's
reasons, living = Counter(), []
for x, node, _ in every:
    line = node.state.last.text.partition("\n")[0]
    kinds = {"as written": line}
    kinds["without the list"] = line.partition(" (left")[0]
    for kind, text in kinds.items():
        left, why = take(numbers_of(x), text)
        alive = not why and solvable(tuple(left))
        legal = "legal, alive" if alive else "legal, dead"
        reasons[why or legal, kind] += 1
    living.append(alive)
shares = [fmean(living[i : i + K]) for i in range(0, len(living), K)]
rows = [
    {"first step": why} | {kind: reasons[why, kind] for kind in kinds}
    for why in sorted({why for why, _ in reasons})
]
alive = [1 - p for p in by_chance]
said = f"{fmean(shares):.0%}, dice {fmean(alive):.0%}"
print(f"alive without the list: {said}: {points(shares, alive)}")
show.table(rows, highlight=-1)

# %% [markdown]
# **Table.** First steps of 200 chains. Of the 142 that fail, 44 have a correct equation and a wrong list after it. With a
# correct list, 22 of these 44 would be alive and 22 dead.
#
# With a wrong list the model plays a different puzzle from there on. A program could keep the list, as in
# [chapter 6](06_tot_bfs_game24.ipynb), and those steps would be legal. Would they also be *good* steps? Look at the line above
# the table: with correct lists about as many first steps are alive as with dice. So bookkeeping explains most of the difference, and
# whether anything is left, forty puzzles cannot say. The model has learnt what a step looks like. To choose a good one it would have to look ahead, and nothing in a
# chain makes it do that.
#
# ## Does the chain pay?
#
# ### Predict: steps or no steps?
#
# The model and the forty puzzles are those of chapter 3. Guess how many points a chain of thought gains over an answer in one
# line, and whether forty puzzles will be enough to see it.

# %%
io = solve_all(puzzles, "io", io_lm, 10)
io_right = [[score.correct for score in s.scores] for s in io]
cot_right = [[score.correct for score in s.scores] for s in chains]
rates = [bootstrap(groups) for groups in (io_right, cot_right)]
more = points(map(fmean, cot_right), map(fmean, io_right))
show.Predict(
    "How many points does the chain gain?",
    round(100 * (rates[1].rate - rates[0].rate), 1),
    low=-5.0,
    high=30.0,
    step=0.5,
    shows=f"IO {rates[0]:.1%}, CoT {rates[1]:.1%}; difference {more}",
)

# %% [markdown]
# The interval of the difference contains zero, so forty puzzles cannot say which of the two is better on this model. We
# compared them **in pairs**: both methods met the same puzzles, and a puzzle that is hard for one is usually hard for the
# other, so we took one difference for each puzzle.
#
# If all you have is a yes or no for each puzzle, there is an exact test, **McNemar's**. Puzzles that both methods solve, or
# neither, say nothing about the difference. Of the others, $b$ were solved by the first method alone and $c$ by the second
# alone. If neither method were better, each of these puzzles could as well have gone the other way, like the toss of a fair
# coin. How often would coins split so unevenly, or more so? That is the p of this test, and by custom a difference counts as
# shown if p is below 0.05. Let us call a puzzle solved if at least one of its samples is right:


# %%
def mcnemar(b, c):
    """Probability of so uneven a split, or worse, of fair coins."""
    tail = sum(comb(b + c, i) for i in range(min(b, c) + 1))
    return min(1.0, 2 * tail / 2 ** (b + c))


cot_any = [any(group) for group in cot_right]
io_any = [any(group[:K]) for group in io_right]
test = paired(cot_any, io_any)
assert abs(mcnemar(test.only_a, test.only_b) - test.p) < 1e-12
show.results({"5 chains against 5 answers": test})

# %% [markdown]
# Fair coins quite often split six to two or worse, so this is no finding. ([One card](../book/comparisons.md) says which
# comparison suits which question.)
#
# ### One small p and one large p
#
# Now compare the chains with dice, as chapter 3 did with plain answers. There p was 0.23.


# %% tags=["set-up"]
# How likely dice are to be right so often
hits, odds = sum(map(sum, cot_right)), [1.0]
for dealt in dices * K:
    odds = np.convolve(odds, [1 - dealt["solved"], dealt["solved"]])
print(f"{hits} of {len(every)} chains are right. Dice: as many or more")
print(f"with p = {sum(odds[hits:]):.2f}")

# %% [markdown]
# The chains show a first sign of skill, the plain answers none. It does not follow that chains are better than answers: the two
# p-values lie on either side of 0.05, but that does not compare the methods with each other. We have just done so, and the result was
# open. (And one small p among several comparisons is a hint at most.)
#
# How can chains do better than dice at all, if their first steps do worse?
#
# ### Right answers below wrong steps

# %% tags=["set-up"]
# Right answers below a failed step
odd = [
    (x, node)
    for (x, node, right), end in zip(every, fates, strict=True)
    if right and end != "solved"
]
print(f"{hits} right answers, {len(odd)} of them after a failed step")
print(f"\n{odd[0][0]}:\n{odd[0][1].state.last.text}")

# %% [markdown]
# The list after the first line forgets the 24 and keeps a 12 that is used up, and yet the answer is right. The answer line need
# not follow from the lines above it. If you show a chain as an explanation, check it first.
#
# ## Self-consistency: let the chains vote
#
# Sample several chains, throw the steps away, and take the answer that comes most often
# {cite}`wang2023selfconsistency`. The hope is that wrong chains go wrong in different ways, while chains that are right arrive
# at the same answer. In symbols, $\arg\max_y \#\{i \mid y_i = y\}$.


# %%
def majority(answers, same=task.same):  # equal but for spaces
    """(the most frequent answer, its votes); the first, if they tie."""
    given = [a for a in answers if a is not None]
    votes = Counter(map(same, given))
    top = max(votes.values(), default=0)
    return next((a for a in given if votes[same(a)] == top), None), top


# %% [markdown]
# ### Predict: what does the vote solve?
#
# On seven of the forty puzzles at least one of the five chains is right. The vote sees the same five answers, and has no check.

# %%
voted = solve_all(puzzles, "cot-sc", lm, K)
tops = Counter(majority(chain.answers)[1] for chain in chains)
solved = sum(s.chosen for s in voted)
alone = sum(s.first for s in chains)
said = f"The winner has one vote on {tops[1]} of {len(chains)} puzzles."
show.Predict(
    "How many of the forty puzzles does the vote solve?",
    solved,
    low=0,
    high=40,
    shows=f"{said} The first chain alone solves {alone}.",
)

# %% [markdown]
# Self-consistency was made for questions whose answer is a number or a letter, so that many chains can agree. Here an answer
# is an *expression*, and there are thousands of them. If every answer has a single vote, all are tied, and the vote hands in
# the first that can be read: on one puzzle the first chain comes to no answer, and the second is right. (For programs there is a way round this: run each of them on the same few inputs, and vote on what comes out.)
#
# There is a second condition. A vote finds the **mode**, the most frequent answer, and the mode is right only if no wrong answer
# is more frequent. Here are three made-up models, **a simulation**.


# %%
def vote_rate(right, mistakes, k, trials=1000):
    """How often the most frequent of k samples is right."""
    replies, shares = range(len(right + mistakes)), right + mistakes
    rng, wins = Random(k), 0
    for _ in range(trials):
        drawn = Counter(rng.choices(replies, shares, k=k))
        wins += drawn.most_common(1)[0][0] < len(right)
    return wins / trials


# %% tags=["plot"] mystnb={"image": {"alt": "Simulated: how often a vote is right, against the number of voters from 1 to 100. A model that is right 30 percent of the time, with ten different mistakes, climbs to 100 percent. A model with one favourite mistake rises a little and then falls. A model with many right spellings stays flat near 4 percent."}}
made_up = {
    "right 30%, ten mistakes of 7%": ([0.3], [0.07] * 10),
    "right 10%, a mistake of 20%": ([0.1], [0.2] + [0.01] * 70),
    "four right of 1%, 96 wrong": ([0.01] * 4, [0.01] * 96),
}
rows = [
    {"method": name, "k": k, "rate": vote_rate(*made_up[name], k)}
    for name in made_up
    for k in (1, 3, 5, 10, 25, 50, 100)
]
show.plots.success_by_cost(
    rows, x="k", log=True, xlabel="voters", ylabel="the vote is right"
)

# %% [markdown]
# **Figure.** Three made-up models vote. The first becomes nearly certain. The second gains from ten voters and
# *loses* with a hundred, because its favourite answer is a mistake. The third gains nothing, because its right answers hardly ever
# agree.
#
# Before you pay for a vote, ask which of the three you have. A small pilot tells: do several chains agree at all, and when they
# do, are they right? Ours looks like the third. (With a free check you need no vote: let the check pick.)
#
# ## Refine: try again
#
# The third way shows the model its own answer, says "that is not correct", and asks for a better one. In
# Self-Refine {cite}`madaan2023selfrefine` the model writes the criticism itself. In the baseline of the Tree of Thoughts
# paper a check decides whether the answer is wrong. Here that check is free (it needs no gold answer, although running
# it may cost time), so the method is called `io-refine-checked`. We recorded it for every fourth puzzle, ten in all, with up to
# four rewrites.

# %% [markdown]
# ### Predict: what is a complaint worth?
#
# We give the model five attempts at each of the ten puzzles: once in a conversation that tells it after each attempt that it
# was wrong, and once as five independent answers. It may happen that it repeats an answer within the five.

# %%
REWRITES, ten = 4, puzzles[0::4]
refined = solve_all(ten, "io-refine-checked", lm, REWRITES)
talks = [s.result.best[0].state.thoughts for s in refined]
attempts = {
    "in a conversation": [[t.answer for t in talk] for talk in talks],
    "independent": [s.answers[:K] for s in io[0::4]],
}
wins = sum(s.any for s in refined), sum(io_any[0::4])
rows = []
for (name, groups), won in zip(attempts.items(), wins, strict=True):
    repeats = sum(len({*group}) < len(group) for group in groups)
    rows.append({"attempts": name, "repeat on": repeats, "solved": won})
show.Predict(
    "On how many of the ten does it repeat itself in the conversation?",
    rows[0]["repeat on"],
    low=0,
    high=10,
    shows=show.table(rows),
)

# %% tags=["predict"]
complaint = task.refine(refined[2].result.best[0].state).messages[-1]
first, *later = [("model", attempt.text) for attempt in talks[2]]
each = "teacher, each time", complaint.content
show.transcript([("puzzle", ten[2].x), first, each, *later])

# %% [markdown]
# Two puzzles of ten against none cannot settle which is better. But in a conversation each attempt stands in the context of the
# next, and this small model copies what it sees. Independent samples cannot learn from each other, and they cannot
# lead each other astray either. A stronger model may make better use of the history: the paper's GPT-4 climbs from 7.3% to
# 27% with up to ten rounds.
#
# ## All of them, with their bills

# %% tags=["set-up"]
# What six methods solve, and their bills
runs = {
    "IO, one answer": solve_all(puzzles, "io", io_lm, 1),
    "IO, best of 10": io,
    "CoT, one chain": solve_all(puzzles, "cot", lm, 1),
    f"CoT, best of {K}": chains,
    f"CoT-SC, vote of {K}": voted,
    f"IO + refine, {REWRITES} rewrites": refined,
}
rows = show.mean_costs(runs)
for row, group in zip(rows, runs.values(), strict=True):
    row["solved"] = wilson(sum(s.any for s in group), len(group))
rows[0]["solved"], rows[2]["solved"] = rates  # of all samples
rows[4]["solved"] = wilson(solved, len(voted))
show.table(rows)

# %% [markdown]
# **Table.** What each method solves of the forty puzzles (refine: of ten), and its mean bill for a puzzle. Five chains write more than twice as
# much as ten answers, and read twice as much.
#
# On this model, then, the steps have not shown that they are worth their price. Ten plain answers, from which a check picks, solve
# eight puzzles for 385 tokens a puzzle; five chains solve seven for 846. **Rounds** matter as well. Samples of one prompt
# are independent and take one round, however many there are. Rewrites wait for each other: five attempts take five rounds, and
# each of them reads the whole conversation again.
#
# > **In the paper.** Its appendix says that "ToT > CoT > IO" holds for this game, but in its own table 5 the chain is below
# > the plain answer for GPT-4 (4.0% against 7.3%) and for GPT-3.5 (3% against 6%): erratum
# > [E3](../book/errata.md#e3-tot-cot-io). (In the best of a hundred, chains are ahead: 49% against 33%.)
# > Chains are not better in themselves. They help if the steps are easier than the whole
# > problem, and if one bad step does not ruin everything.
#
# ## One broken chain
#
# Let us read one last chain slowly. The numbers are 3, 4, 4 and 6.

# %%
broken = tot.solve(task, "3 4 4 6", "cot", lm=lm)
show.chain(broken, {2: "where is the 6?"}, down=True)

# %% [markdown]
# **Figure.** After the first line the game can still be won: (6 - 3) * 8 = 24. The second line forgets the 6.
#
# Text is written from left to right. Once `3 * 8 = 24` is there, every later token builds on it, and nothing in the chain asks
# "can this still work?" The vote and best of $k$ start again from nothing, so the good line `4 + 4 = 8` is thrown away together
# with the one that spoiled the chain. Refine hears one "no", at the end, and does not hear which line was wrong.
#
# You would do something else: take back *one line*.
#
# What if the unit were the step? Propose several, judge each before going on, keep the good ones, drop the rest. [Chapter 5](05_how_a_search_asks.ipynb) starts with this very puzzle, and with a pencil.
#
# ## Summary
#
# - A chain of thought writes steps before the answer. On this model it has not shown that it beats plain answers: ten of
#   them cost less than half as much as five chains, and solve eight puzzles of forty where the chains solve seven.
# - An exact reader shows *where* chains fail: seven in ten at their first line, more than a random player's. With the lists of
#   numbers corrected, about as many first steps are alive as with dice.
# - To compare two methods, take the same puzzles and count those that only one of them solved. A small p for one method and a
#   large p for another do not compare the two.
# - A vote finds the most frequent answer. It needs answers that can agree, and a right one that is more frequent than every mistake.
# - Rewriting takes one round for each attempt, and this model repeats what is in its context.
# - None of these methods takes back a single line.

# %% [markdown]
# ## Exercises
#
# ### Exercise 1: answers that mean the same
#
# `(4 + 8) * 2` and `2 * (8 + 4)` are different texts. Write a normal form that makes them equal, by sorting the two
# sides of every sum and product. Predict on how many puzzles the vote now has a winner with two votes or more, and whether
# it solves more puzzles.
#
# <details><summary>Hint</summary>
#
# Parse with `ast` as in chapter 3, and write a function that turns a node into a text: for `Add` and `Mult`, sort the
# texts of the two sides first.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
import ast


def normal(node):
    if isinstance(node, ast.BinOp):
        sides = [normal(node.left), normal(node.right)]
        if isinstance(node.op, ast.Add | ast.Mult):
            sides.sort()
        return f"({sides[0]} {type(node.op).__name__} {sides[1]})"
    return ast.unparse(node)


def same(answer):
    try:
        return normal(ast.parse(task.same(answer), mode="eval").body)
    except (SyntaxError, ValueError):
        return answer


winners, now = Counter(), 0
for s in chains:
    choice, top = majority(s.answers, same)
    winners[top] += 1
    now += task.verify(task.problem(s.problem), choice).correct
print(f"puzzles by the winner's votes: {winners}; solved: {now}")

# %% [markdown]
# ### Exercise 2: three voters, exactly
#
# A model gives the right answer with probability $p$ and one particular mistake with probability $q$; every other
# reply is different from all others. Three samples vote, and the first one wins a tie. Find the exact chance that the
# vote is right, for $p = 0.3$ and $q = 0.1$, and for $p = 0.3$ and $q = 0.5$. When is the vote better than one sample?
#
# <details><summary>Hint</summary>
#
# List the 27 sequences of R, M and other with `itertools.product`, and decide who wins each.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def three(p, q):
    chance, total = {"right": p, "mistake": q, "other": 1 - p - q}, 0
    for a, b, c in product(chance, repeat=3):
        winner = b if b == c != "other" else a
        if winner == "right":
            total += chance[a] * chance[b] * chance[c]
    return total


for p, q in [(0.3, 0.1), (0.3, 0.5)]:
    print(f"p = {p}, q = {q}: vote of three {three(p, q):.3f}")
# More than p exactly if q**2 < p * (1 - p). With more and more voters
# only the mode counts: p > q.

# %% [markdown]
# ### Exercise 3: the steps as a check
#
# The step reader looks at operands, arithmetic and the numbers left, and at nothing else. Let it choose: of five chains,
# hand in the first whose steps are all legal and end in 24. Predict whether this reaches the best of five. Is that
# check free or gold?
#
# <details><summary>Hint</summary>
#
# `take` says for each line which numbers are left.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
picked = {x for x, node, _ in every if [24] in walk(x, node)}
print(f"legal steps that end in 24: {len(picked)} of {len(chains)};")
print(f"a right answer: {sum(cot_any)}")
# Legal steps that end in 24 ARE a solution: a free check in other
# clothes. It misses right answers below broken steps.

# %% [markdown]
# ### Exercise 4: what would a second chance be worth?
#
# Suppose a solver told the model, after its first step only, whether 24 is still in reach, and let it draw that step
# again until it is. How often would its chains then be right? Estimate it from the recorded chains, and say how sure
# you are.
#
# <details><summary>Hint</summary>
#
# Look at the chains that did not fail at step 1.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
good = {}  # puzzle -> right or not, of its chains with a living step 1
for (x, _, correct), end in zip(every, fates, strict=True):
    if end != "step 1":
        good.setdefault(x, []).append(correct)

then = bootstrap([*good.values()])
print(f"now {bootstrap(cot_right):.1%}, after a good step {then:.1%}")
print(f"(n = {len(good)} puzzles that have such a chain)")
# The other puzzles are left out, so this may be too high. A tree does
# it at every step, with a judge that has to do without our solver.

# %% [markdown]
# ## Further reading
#
# - Chain of thought: {cite}`wei2022chain`. Self-consistency: {cite}`wang2023selfconsistency`. Refining with the
#   model's own criticism: {cite}`madaan2023selfrefine`.
# - The baselines of this chapter on GPT-4, and figure 3b: section 4.1 of {cite}`yao2023tree`.
