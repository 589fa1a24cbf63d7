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
# Nobody would ask you to solve 4, 6, 8, 8 without a scrap of paper. What if the model gets one, too: room to write its
# steps down, several attempts, or a teacher who says "wrong, try again"? This chapter measures what each of these is
# worth, and finds the line at which most attempts are lost.

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
# - take a majority vote, and predict when a vote cannot help;
# - say what a second attempt is worth, and what it costs.

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

from IPython.display import display

import tot
from tot.stats import bootstrap, paired, wilson
from tot.tasks.game24 import EXAMPLES, RULES, numbers_of
from tot.tasks.game24_rules import moves, read_step, solvable
from treebook import show
from treebook.figures import plots

task = tot.task("game24")
puzzles = task.problems("starter")
lm = tot.Cassette("cassettes/04.jsonl")
io_lm = tot.Cassette("cassettes/03.jsonl")
assert lm.name == io_lm.name
K = 5  # chains for each puzzle


def solve_all(puzzles, method, lm, k):
    return [tot.solve(task, p, method, lm=lm, k=k) for p in puzzles]


def percent(i):
    return f"{i.rate:.1%} [{i.low:.1%}, {i.high:.1%}]"


def points(i):
    """An interval of a difference, in points."""
    ends = f"[{100 * i.low:+.1f}, {100 * i.high:+.1f}]"
    return f"{100 * i.rate:+.1f} {ends}"


# %% [markdown]
# ## Steps before the answer
#
# A language model spends about the same amount of computation on every token. If the answer is one short line, its thinking
# is over after a few tokens, and it has to get the first sign right before it has tried anything.
#
# **Chain of thought** {cite}`wei2022chain` asks for intermediate steps $z_1, \dots, z_n$ first, and for the answer $y$
# after them. This may help in two ways. More computation comes before the answer, and each step is small and can read
# what an earlier one found. The prompt is that of [chapter 3](03_io_and_verifiers.ipynb), with steps in its five examples.


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
# Here are three chains of the recorded model for `4 6 8 8`. Read them as a strict teacher would. Are both numbers there? Is the
# arithmetic right? Is the list of what is left right? And if all that is right, can 24 still be reached? Note for each
# chain the first line at which you would stop.

# %%
[reply] = lm([prompt_cot("4 6 8 8").samples(0, 3)])
print(*reply.texts, sep="\n\n")

# %% [markdown]
# ## A strict teacher
#
# (The first chain dies at its second line, the second is a whole solution, and the third lists the wrong numbers after its first
# step.) Now let a program read. It takes one line and the numbers that are really there. It returns the numbers after the step,
# or the reason why the step is illegal. As in chapter 3, text is parsed and never evaluated.

# %%
N = r"(-?\d{1,12}(?:\.\d{1,12}|/\d{1,12})?)"  # 7, 2.5, -3 or 8/3
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


# %% tags=["checked"]
assert prompt_cot("4 6 8 8") == task.cot(tot.State("4 6 8 8"))


def lines_of(node):
    """The lines of a chain before its answer."""
    every = node.state.last.text.splitlines()
    lines = [line for line in every if line.strip()]
    return [s for s in lines if not s.lower().startswith("answer")]


def agreed_lines(x, node):
    """How many lines both readers read, until they refuse one."""
    numbers = numbers_of(x)
    for read, line in enumerate(lines_of(node), 1):
        mine, why = take(numbers, line)
        theirs = read_step(line, tuple(numbers))
        assert (why or mine) == (theirs.why or list(theirs.value.left))
        if why:
            return read
        numbers = mine
    return len(lines_of(node))


chains = solve_all(puzzles, "cot", lm, K)
every = [(s.problem, node) for s in chains for node in s.result.best]
read = sum(agreed_lines(x, node) for x, node in every)
print(f"the readers agree on {read} lines of {len(every)} chains")

# %% [markdown]
# ## At which step do chains fail?
#
# A chain fails at its first step that is *illegal*, or that is legal but *dead*: from the numbers left, 24 can no longer be
# reached. A solver tells us which, looking over the model's shoulder.
#
# ### Predict: how many are lost with the first line?
#
# There are two hundred chains, five for each of forty puzzles, each of three steps. How many of a hundred have failed
# after the *first*? For comparison we take the random player of chapter 3, which always moves legally and never thinks.


# %% tags=["set-up"]
# Where each chain fails, and where a random player does
def fate(x, node):
    """(label for the figure, why)"""
    numbers = numbers_of(x)
    for i, line in enumerate(lines_of(node), 1):
        step = read_step(line, numbers)
        if not step.ok:
            return f"step {i}", step.why
        numbers = step.value.left
        if not solvable(numbers):
            return f"step {i}", "24 is out of reach"
        if len(numbers) == 1:
            break
    if len(numbers) > 1:
        return "the answer", "stops before the third step"
    if task.verify(task.problem(x), node.state.answer).correct:
        return "solved", ""
    return "the answer", "steps right, answer wrong"


def dice(numbers, step=1):
    """Where a random player fails: label -> exact probability."""
    if len(numbers) == 1:
        return Counter({"solved": 1})
    shares, dead = Counter(), Counter({f"step {step}": 1})
    for move in moves(numbers):
        alive = solvable(move.left)
        after = dice(move.left, step + 1) if alive else dead
        for label, p in after.items():
            shares[label] += Fraction(p, len(moves(numbers)))
    return shares


def against(shares, chances):
    """Our mean, chance's, and the mean of the puzzles' differences."""
    each = [a - b for a, b in zip(shares, chances, strict=True)]
    gap = bootstrap([[x] for x in each])
    said = f"{fmean(shares):.0%}, dice {fmean(chances):.0%}: "
    return said + f"{points(gap)} points"


fates = [fate(x, node) for x, node in every]
dices = [dice(numbers_of(p.x)) for p in puzzles]
at_once = [
    fmean(fate(s.problem, n)[0] == "step 1" for n in s.result.best)
    for s in chains
]
by_chance = [float(d["step 1"]) for d in dices]

# %%
show.Predict(
    "How many of a hundred chains fail at the first step?",
    round(100 * fmean(at_once)),
    low=0,
    high=100,
    unit="%",
    shows=f"Lost at the first step: {against(at_once, by_chance)}.",
)

# %% mystnb={"image": {"alt": "Two stacked bars, the recorded chains of thought and the random player. In both, the largest part by far fails at step 1: 142 of the 200 chains, and 116 for the random player. Only slivers are solved."}} tags=["plot", "predict"]
order = ["step 1", "step 2", "step 3", "the answer", "solved"]
found = Counter(label for label, _ in fates)
chance = sum(dices, Counter())
rows = [
    {"method": name, "step": step, "count": round(float(n))}
    for step in order
    for name, n in (
        ("CoT, recorded", found[step]),
        ("random player", chance[step] * K),
    )
]
rows.sort(key=lambda row: row["method"])
plots.failures(rows, order=order, xlabel="fails at ...")

# %% [markdown]
# **Figure.** Most chains are lost with their first line, and more often than a random player's games.
#
# This is the paper's figure 3b in miniature: there, about 60% of GPT-4's chains have failed after the first step, on
# harder puzzles {cite}`yao2023tree`. Whatever follows such a line is the careful completion of something that cannot be
# completed. But most *random* first moves are fatal as well, so a share of early failures says little until you know
# the share that chance would have. (The two hundred chains come in forty groups. So we take one difference for each
# puzzle, and the interval draws puzzles anew.)
#
# ### Bookkeeping or bad choices?
#
# Why are the first steps bad? The table counts every reason twice: for the lines as the model wrote them, and again after
# we remove the "(left: ...)" list and let a program work it out.

# %% tags=["set-up"]
# Why first steps fail, with the model's list and with a program's
KINDS = "as written", "without the list"
reasons, shares = Counter(), []
for s in chains:
    living = []
    for node in s.result.best:
        line = (lines_of(node) or [""])[0]
        bare = re.sub(r"\s*\(left.*", "", line)
        for kind, text in zip(KINDS, (line, bare), strict=True):
            step = read_step(text, numbers_of(s.problem))
            alive = step.ok and solvable(step.value.left)
            legal = "legal, alive" if alive else "legal, dead"
            reasons[step.why or legal, kind] += 1
        living.append(alive)
    shares.append(fmean(living))
whys = ["legal, alive", "legal, dead", "wrong numbers left"]
whys += [why for why, _ in reasons if why not in whys]
whys = list(dict.fromkeys(whys))
rows = [
    {"first step": why} | {kind: reasons[why, kind] for kind in KINDS}
    for why in whys
]
firsts = [moves(numbers_of(p.x)) for p in puzzles]
each = [fmean(solvable(move.left) for move in some) for some in firsts]
light = "wrong numbers left"
print(f"alive without the list: {against(shares, each)}")
show.table(rows, highlight=lambda row: row["first step"] == light)

# %% [markdown]
# **Table.** First steps of 200 chains. Of the 142 that fail, 44 have a correct equation and a wrong list after it. With a
# correct list, 22 of these 44 would be alive and 22 dead.
#
# With a wrong list the model plays a different puzzle from there on. A program could keep the list, as in
# [chapter 6](06_tot_bfs_game24.ipynb), and those steps would be legal. Would they also be *good* steps? The line above the
# table says that even then about as many first steps are alive as with dice, so nearly all of the difference was bookkeeping. The model has learnt what a step looks
# like. Choosing a good one means looking ahead, and a chain is written from left to right.
#
# ## Does the chain pay?
#
# ### Predict: steps or no steps?
#
# The model and the forty puzzles are the same as in chapter 3. How many points does a chain of thought gain over an answer
# in one line? Will forty puzzles be enough to see it?

# %%
io = solve_all(puzzles, "io", io_lm, 10)
io_right = [[score.correct for score in s.scores] for s in io]
cot_right = [[score.correct for score in s.scores] for s in chains]
both = zip(cot_right, io_right, strict=True)
gain = bootstrap([[fmean(c) - fmean(i)] for c, i in both])
rates = f"IO {percent(bootstrap(io_right))}, "
rates += f"CoT {percent(bootstrap(cot_right))}; "
show.Predict(
    "How many points does the chain gain?",
    round(100 * gain.rate, 1),
    low=-5.0,
    high=30.0,
    step=0.5,
    shows=f"{rates} the difference: {points(gain)} points",
)

# %% [markdown]
# The interval of the difference contains zero, so forty puzzles cannot say which of the two is better on this model. We
# compared the two **in pairs**: both methods met the same puzzles, and what is hard for one is hard for the other, so
# we took one difference for each puzzle.
#
# For one yes or no per puzzle there is an exact test, **McNemar's**. Puzzles that both solve, or neither, say nothing about
# the difference. Of the others, $b$ were solved by the first method alone and $c$ by the second alone. If neither were
# better, each of them would be a fair coin. Let us count a puzzle as solved if at least one of five samples is right:


# %%
def mcnemar(b, c):
    """Probability of so uneven a split, or worse, of fair coins."""
    tail = sum(comb(b + c, i) for i in range(min(b, c) + 1))
    return min(1.0, 2 * tail / 2 ** (b + c))


cot_any = [any(group) for group in cot_right]
io_any = [any(group[:K]) for group in io_right]
test = paired(cot_any, io_any)
mine = mcnemar(test.only_a, test.only_b)
assert abs(mine - test.p) < 1e-12
show.results({f"best of {K}, CoT against IO": test})

# %% [markdown]
# Fair coins quite often split six to two or worse. (And five chains cost much more than five answers, as the bill below
# shows. Which comparison suits which question is set out on [one card](../book/comparisons.md).)
#
# ### A right answer does not vouch for its steps
#
# The answer line need not follow from the lines above it.

# %%
odd = [
    (s.problem, node)
    for s in chains
    for node, score in zip(s.result.best, s.scores, strict=True)
    if score.correct and fate(s.problem, node)[0] != "solved"
]
right = sum(score.correct for s in chains for score in s.scores)
print(f"{right} right answers, {len(odd)} of them after a failed step")
print(f"\n{odd[0][0]}:\n{odd[0][1].state.last.text}")

# %% [markdown]
# The list after the first line forgets the 24 and keeps a 12 that is used up, and yet the answer is right. Steps need not be
# the reason for an answer. If you show a chain as an explanation, check it first.
#
# ## Self-consistency: let the chains vote
#
# Sample several chains, throw the steps away, and take the answer that comes most often
# {cite}`wang2023selfconsistency`. The idea is that there are many ways to go wrong, which lead to different answers, while
# the right ways meet in one. In symbols, $\arg\max_y \#\{i \mid y_i = y\}$.


# %%
def majority(answers):
    """(the most frequent answer, its votes); the first, if they tie."""
    given = [a for a in answers if a is not None]
    votes = Counter(task.same(answer) for answer in given)
    top = max(votes.values(), default=0)
    first = (a for a in given if votes[task.same(a)] == top)
    return next(first, None), top


# %% tags=["checked"]
voted = solve_all(puzzles, "cot-sc", lm, K)
for chain, vote in zip(chains, voted, strict=True):
    assert majority(chain.answers)[0] == vote.answer
print("our vote and the package's cot-sc agree on all puzzles")

# %% [markdown]
# ### Predict: how many votes does a winner get?
#
# Five chains, one vote each. How many of the five votes does the winning answer have, on a typical puzzle?

# %%
tops = Counter(majority(chain.answers)[1] for chain in chains)
firsts_right = sum(s.first for s in chains)
silent = sum(s.answers[0] is None for s in chains)
solved = sum(s.chosen for s in voted)
say = f"The winner has one vote on {tops[1]} of {len(chains)} puzzles."
say += f" The vote solves {solved}, the first chain {firsts_right};"
say += f" on {silent} puzzles the first chain has no answer."
show.Predict(
    "How many votes, typically?", tops.most_common(1)[0][0],
    low=1, high=5, shows=say,
)  # fmt: skip

# %% [markdown]
# Self-consistency was made for questions whose answer is a number or a letter, on which many chains can agree. Here an
# answer is an *expression*, and there are thousands of them. If every answer has a single vote, all are tied, and the rule
# "first come, first served" hands in the first chain that has an answer. (For programs there is a way out: vote on what
# they *output*.)
#
# There is a second condition. Voting finds the **mode**, the single most frequent answer, and that is the right one only
# if no wrong answer is more frequent. Here are three made-up models, **a simulation**.


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
plots.success_by_cost(
    rows, x="k", log=True, xlabel="voters", ylabel="the vote is right"
)

# %% [markdown]
# **Figure.** Three made-up models vote. Votes lift the first to near certainty. They help the second a little when there are
# few, and *harm* it when there are many, because its favourite answer is a mistake. They do nothing for the third, whose right
# answers are too different to meet.
#
# Before you pay for a vote, ask which of the three you have. Ours is of the third kind.
#
# ## Refine: try again
#
# The third way gives the model its own answer back, says "that is not correct", and asks for a better one. In
# Self-Refine {cite}`madaan2023selfrefine` the model writes the criticism itself. In the baseline of the Tree of Thoughts
# paper a check decides whether the answer is wrong, and in this game that check is free, so the method is called
# `io-refine-checked`. ("Free" means that it needs no gold answer; running it may still cost time.) Each new request contains
# all earlier attempts. We recorded this for every fourth puzzle, ten in all, with up to four rewrites.

# %% tags=["checked"]
REWRITES, ten = 4, puzzles[0::4]
root = tot.State("x").then(tot.Thought("y"))
COMPLAINT = task.refine(root).messages[-1].content


def refine(x, k):
    """The attempts: at most k rewrites, until the check is content."""
    messages, attempts = list(task.io(tot.State(x)).messages), []
    while len(attempts) <= k:
        [reply] = lm([tot.Request(tuple(messages), max_tokens=40)])
        attempts.append(reply.texts[0].strip())
        [read] = task.read_refined(tot.State(x), attempts[-1])
        if task.verify(task.problem(x), read.value.answer).correct:
            break
        turns = {"assistant": attempts[-1], "user": COMPLAINT}
        messages += [tot.Message(*turn) for turn in turns.items()]
    return attempts


refined = solve_all(ten, "io-refine-checked", lm, REWRITES)
for s in refined:
    thoughts = s.result.best[0].state.thoughts
    assert refine(s.problem, REWRITES) == [t.text for t in thoughts]
print("the same attempts on", len(refined), "puzzles")

# %%
first, *later = refine(ten[2].x, REWRITES)
turns = [("puzzle", ten[2].x), ("model", first)]
for again in later:
    turns += [("teacher", COMPLAINT), ("model", again)]
show.transcript(turns)

# %% [markdown]
# ### Predict: what is a complaint worth?
#
# Is a model that hears "no" better off than one that simply tries again without hearing it? Ten puzzles, and five attempts at
# each: once in a conversation, once independent of each other. On how many of the ten puzzles does the model, in the
# conversation, repeat an answer that it has already been told is wrong?

# %%
def obeys(p, text):
    score = task.verify(p, text)
    return score.correct or "each number" not in score.why


def repeats(texts):
    return len(texts) - len(set(map(task.same, texts)))


paths = [s.result.best[0].state.thoughts for s in refined]
talks = [[thought.answer or "" for thought in path] for path in paths]
tries = [s.answers[: REWRITES + 1] for s in io[0::4]]
tries = [[answer or "" for answer in some] for some in tries]
best_of = [any(group[: REWRITES + 1]) for group in io_right[0::4]]
rows = []
for name, group, wins in (
    ("in a conversation", talks, [s.any for s in refined]),
    ("independent", tries, best_of),
):
    both = zip(ten, group, strict=True)
    legal = sum(obeys(p, text) for p, texts in both for text in texts)
    row = {"attempts": name, "use each number once": f"{legal} of 50"}
    row["repeat on"] = sum(map(bool, map(repeats, group)))
    rows.append(row | {"solved": f"{sum(wins)} of 10"})
show.Predict(
    "On how many of the ten puzzles does it repeat itself?",
    rows[0]["repeat on"],
    low=0,
    high=10,
    shows=show.table(rows),
)

# %% [markdown]
# Two puzzles of ten against none: that cannot settle which is better. But in a conversation each attempt stands in the context
# of the next, and this small model copies what it sees. Independent samples cannot learn from each other, and they cannot
# lead each other astray either. A stronger model may make better use of the history: the paper's GPT-4 climbs from 7.3% to
# 27% with up to ten rounds.
#
# ## All of them, with their bills

# %% mystnb={"image": {"alt": "Success of six methods with intervals. Our small model: all single-answer methods near zero to five percent, best of five at 7.5 percent for IO and 17.5 percent for CoT, with wide intervals. A random player as hollow squares: 1.5 percent for one answer, 7 for the best of five, inside or at the edge of the intervals. The paper's GPT-4 as hollow diamonds: below ten percent for IO, CoT and CoT-SC, 27 percent for refine, 33 and 49 percent for the best of 100."}} tags=["plot"]
luck = [float(dealt["solved"]) for dealt in dices]
measured = {
    "IO": bootstrap(io_right),
    "CoT": bootstrap(cot_right),
    f"CoT-SC, {K} chains": wilson(solved, len(voted)),
    "IO + refine": wilson(sum(s.any for s in refined), len(refined)),
    f"IO best of {K}": wilson(sum(io_any), len(io_any)),
    f"CoT best of {K}": wilson(sum(cot_any), len(cot_any)),
}
gpt4 = (0.073, 0.040, 0.09, 0.27, 0.33, 0.49)
paper = dict(zip(measured, gpt4, strict=True))
rows = [{"method": name, "rate": measured[name]} for name in measured]
known = {"paper: GPT-4, harder puzzles*": paper}
dicey = dict.fromkeys(("IO", "CoT"), fmean(luck))
best = fmean(1 - (1 - p) ** K for p in luck)
dicey |= {f"{name} best of {K}": best for name in dicey}
known["random player, exact"] = dicey
plots.rates(rows, references=known, digits=1)

# %% [markdown]
# **Figure.** One answer is rarely right, here and in the paper. Against dice the chains show a first sign of skill (3.5% against 1.5%); the plain
# answers do not.
# (*The paper took the best of 100, and ten rewrites.)

# %% tags=["set-up"]
# The bills of the six methods
bills = {
    "IO, one answer": solve_all(puzzles, "io", io_lm, 1),
    f"IO, {K} answers": solve_all(puzzles, "io", io_lm, K),
    "IO, 10 answers": io,
    "CoT, one chain": solve_all(puzzles, "cot", lm, 1),
    f"CoT, {K} chains (best or vote)": chains,
    f"IO + refine, {REWRITES} rewrites": refined,
}
rows = []
for name, group in bills.items():
    totals = [s.result.ledger.total for s in group]
    row = {"method": name}
    row["rounds"] = fmean(s.result.ledger.rounds for s in group)
    row["read"] = round(fmean(t.prompt_tokens for t in totals))
    row["written"] = round(fmean(t.completion_tokens for t in totals))
    rows.append(row)
test = paired(cot_any, [any(group) for group in io_right])
said = f"best of {K} chains against best of 10 answers"
display(show.results({said: test}))
show.table(rows)

# %% [markdown]
# **Table.** Tokens per puzzle. Five chains write more than twice as much as ten answers, and read twice as much.
#
# So on this model the steps have not shown that they pay for themselves. Ten plain answers, of which a check picks, solve eight
# puzzles for 385 tokens a puzzle; five chains solve seven for 846. **Rounds** matter as well. Samples of one prompt
# are independent and take one round, however many there are. Rewrites wait for each other: five attempts, five rounds, and
# each reads the whole conversation again.
#
# > **In the paper.** Its appendix says that "ToT > CoT > IO" holds for this game, but in its own table 5 the chain is below
# > the plain answer for GPT-4 (4.0% against 7.3%) and for GPT-3.5 (3% against 6%): erratum
# > [E3](../book/errata.md#e3-tot-cot-io). A chain is not better by nature. It is better if the steps are easier than the
# > whole, and if a bad step can be survived.
#
# ## One broken chain
#
# Look at one last chain, slowly. The numbers are 3, 4, 4 and 6.

# %%
broken = tot.solve(task, "3 4 4 6", "cot", lm=lm)
show.chain(broken, {2: "where is the 6?"}, down=True)

# %% [markdown]
# **Figure.** After the first line the game can still be won: (6 - 3) * 8 = 24. The second line forgets the 6.
#
# Text is written from left to right. Once `3 * 8 = 24` is on the page, every later token builds on it, and nothing in the
# chain asks "can this still work?". The vote and best of $k$ start again from nothing: together with the line that spoiled the
# chain they throw away `4 + 4 = 8`, which was good. Refine learns one thing, at the end.
#
# You would do something else. You would take back *one line*.
#
# What if the unit were the step? Propose several, judge each before going on, keep the good ones, drop the rest.
# [Chapter 5](05_how_a_search_asks.ipynb) starts with this very puzzle, and with a pencil.
#
# ## Summary
#
# - A chain of thought writes steps before the answer. On this model it has not shown that it beats plain answers: ten of
#   them cost less than half as much as five chains, and solve eight puzzles of forty where the chains solve seven.
# - An exact reader shows *where* chains fail: seven in ten at their first line, more than a random player's. Part of that is bad
#   bookkeeping; with the lists corrected, about as many first steps are alive as with dice.
# - To compare two methods, take the same puzzles and count those that only one of them solved.
# - A vote finds the most frequent answer. It needs answers that can agree, and a right one that is more frequent than every mistake.
# - Rewriting takes one round for each attempt, and this model repeats what is in its context.
# - None of these methods takes back a single line.

# %% [markdown]
# ## Exercises
#
# ### Exercise 1: answers that mean the same
#
# `(4 + 8) * 2` and `2 * (8 + 4)` are different texts. Write a normal form that makes them equal, by sorting the two
# sides of every sum and product. Predict: on how many puzzles does the vote now have a winner with two votes or more?
# Does it solve more puzzles?
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
    given = [a for a in s.answers if a is not None]
    votes = Counter(map(same, given))
    top = max(votes.values(), default=0)
    choice = next((a for a in given if votes[same(a)] == top), None)
    winners[top] += 1
    now += task.verify(task.problem(s.problem), choice).correct
print("votes of the winner -> puzzles:", dict(sorted(winners.items())))
print(f"solved: {now} of {len(chains)}, against {solved} before")

# %% [markdown]
# ### Exercise 2: three voters, exactly
#
# A model says the right answer with probability $p$ and one particular mistake with probability $q$; every other
# reply is different from all others. Three samples vote, and the first one wins a tie. Find the exact chance that the
# vote is right, for $p = 0.3$ and $q = 0.1$, and for $p = 0.3$ and $q = 0.5$. When is the vote better than one
# sample?
#
# <details><summary>Hint</summary>
#
# There are only three kinds of reply: R, M and other. List the 27 sequences with `itertools.product`, weigh each by
# its probability, and decide who wins.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def three(p, q):
    chance = {"R": p, "M": q, "other": 1 - p - q}
    total = 0.0
    for a, b, c in product(chance, repeat=3):
        named = [a, b + "2" * (b == "other"), c + "3" * (c == "other")]
        winner, _ = Counter(named).most_common(1)[0]  # a tie: the first
        total += (winner == "R") * chance[a] * chance[b] * chance[c]
    return total


for p, q in [(0.3, 0.1), (0.3, 0.5), (0.3, 0.4), (0.05, 0.3)]:
    better = three(p, q) > p
    assert better == (q**2 < p * (1 - p))
    print(
        f"p = {p}, q = {q}: vote of three {three(p, q):.3f},", end=" "
    )
    print(f"better than one: {better}")
# More than p exactly if q**2 < p * (1 - p): a few voters may help even
# where q > p. With more and more voters only the mode counts: p > q.

# %% [markdown]
# ### Exercise 3: the steps as a check
#
# The step reader looks at operands, arithmetic and the numbers left, and at nothing else. Let it choose: of five chains,
# hand in the first whose steps are all legal and end in 24. Predict whether this reaches the best of five. Is that
# check free or gold?
#
# <details><summary>Hint</summary>
#
# Write the loop with `read_step(line, numbers)`, which returns something with `ok` and `value.left`.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def legal_to_24(x, node):
    numbers = numbers_of(x)
    for line in lines_of(node):
        step = read_step(line, numbers)
        if not step.ok:
            return False
        numbers = step.value.left
    return numbers == (24,)


picked = {x for x, node in every if legal_to_24(x, node)}
print(f"of {len(chains)} puzzles, with a chain of legal steps that")
print(f"ends in 24: {len(picked)}; with a right answer: {sum(cot_any)}")
# Legal steps that end in 24 ARE a solution: a free check in other
# clothes. It misses right answers below broken steps.

# %% [markdown]
# ### Exercise 4: what would a second chance be worth?
#
# Suppose a solver told the model, after its first step only, whether 24 is still in reach, and let it draw that step
# again until it is. How often would its chains then be right? Estimate it from the recorded chains, and say how sure
# you are. How many first steps would have to be drawn for each chain?
#
# <details><summary>Hint</summary>
#
# Keep only the chains that did not fail at step 1, and look at the share of them that is right. The number of draws
# until the first success has mean $1/p$.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
alive_chains = [
    score.correct
    for s in chains
    for node, score in zip(s.result.best, s.scores, strict=True)
    if fate(s.problem, node)[0] != "step 1"
]
share, good = len(alive_chains) / len(every), sum(alive_chains)
print(f"now: {right} of {len(every)} ({right / len(every):.1%})")
print(f"after a good first step: {good} of {len(alive_chains)}")
print(f"first steps to draw for each chain: about {1 / share:.1f}")
# Few chains, pooled over puzzles: a rough number. Drawing one line
# again is far cheaper than drawing a whole chain. A tree does this at
# every step, with a judge that has to do without our solver.

# %% [markdown]
# ## Further reading
#
# - Chain of thought: {cite}`wei2022chain`. Self-consistency: {cite}`wang2023selfconsistency`. Refining with the
#   model's own criticism: {cite}`madaan2023selfrefine`.
# - The baselines of this chapter on GPT-4, and figure 3b: section 4.1 of {cite}`yao2023tree`.
# - In the package: `tot/methods/` (the recipes), `tot/evaluate.py` (`agreement`, the vote), `tot/stats.py`
#   (`paired`, `mcnemar`).
