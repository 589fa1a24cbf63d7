# %% [markdown]
# # Chain of thought, self-consistency, refine
#
# In [chapter 3](03_io_and_verifiers.ipynb) a model answered in one breath. Here it gets room to think, in three ways:
# it writes steps before the answer, it votes over several chains of steps, or it rewrites an answer that was refused.
# These are the methods that trees have to beat. We build each one, count what it costs, and look for the place where
# it breaks.

# %% tags=["remove-input"]
from tot import show

show.concepts.methods()

# %% [markdown]
# **Figure.** Five ways from a question to an answer. This chapter has the middle three; only the tree, from chapter 5 on,
# judges a step before it takes the next.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a chain-of-thought prompt, and say why steps may help and why they may not;
# - check a chain line by line, and find the step at which it fails;
# - compare two methods on the same puzzles, and say what a small sample can show;
# - take a majority vote, and predict when a vote cannot help;
# - say what the feedback of a verifier is worth, and what it costs.

# %% tags=["set-up"]
import re
from collections import Counter
from fractions import Fraction
from math import comb
from operator import add, mul, sub, truediv
from random import Random
from statistics import fmean

import tot
from tot import show
from tot.nbsetup import setup
from tot.show import plots
from tot.stats import bootstrap, paired, wilson
from tot.tasks.game24 import EXAMPLES, RULES, numbers_of
from tot.tasks.game24_rules import moves, read_step, solvable

setup()
task = tot.task("game24")


def solve_all(puzzles, method, lm, k):
    return [tot.solve(task, p, method, lm=lm, k=k) for p in puzzles]


# %% [markdown]
# ## The problem: one breath is short
#
# A language model spends about the same amount of computation on every token, and the answer to a puzzle is one short
# line. If that line is all that the model writes, then a few tokens' worth of computation is all the thinking there
# is, and the first sign must be right before anything was tried.
#
# **Chain of thought** {cite}`wei2022chain` asks for intermediate steps $z_1, z_2, \dots, z_n$ first, and for the
# answer $y$ after them. In the notation of {cite:t}`yao2023tree`: each $z_i$ is drawn given $x$ and the steps so far,
# then $y$ given all of them. Two things may help. There is *more computation* before the answer. And the task is
# *decomposed*: each step is small, and a later step can read what an earlier one found.
#
# The prompt is that of chapter 3, with steps in the five examples. After each equation it says which numbers are
# left.


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


assert prompt_cot("4 6 8 8") == task.cot(tot.State("4 6 8 8"))
print(prompt_cot("4 6 8 8").messages[2].content)

# %% [markdown]
# ### Read three chains
#
# Below are chains of the recorded model for `4 6 8 8`. Read them as a strict teacher, line by line. Are both numbers
# there? Is the arithmetic right? Are the numbers left right? And if all is right: can 24 still be reached? Note for
# each chain the first line at which you would stop reading.

# %%
K = 5  # chains for each puzzle
lm = tot.Cassette("cassettes/04.jsonl")
io_lm = tot.Cassette("cassettes/03.jsonl")
assert lm.name == io_lm.name
[reply] = lm([prompt_cot("4 6 8 8").samples(0, 3)])
dates = {one["date"]: None for one in lm.tape.sessions.values()}
print(f"{lm.name}, recorded {', '.join(dates)}\n")
print(*reply.texts, sep="\n\n")

# %% [markdown]
# ## A strict teacher
#
# Let a program do this reading. It takes one line and the numbers that are really there. It returns the numbers after
# the step, or the reason why the step is illegal. As in chapter 3 the text is parsed and never evaluated.

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


# %% [markdown]
# The package has the same reader as `read_step`. We let both read every line of every chain, up to the first line
# that is refused, and compare.


# %% tags=["checked"]
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


puzzles = task.problems("starter")
chains = solve_all(puzzles, "cot", lm, K)
every = [(s.problem, node) for s in chains for node in s.result.best]
read = sum(agreed_lines(x, node) for x, node in every)
print(f"the readers agree on {read} lines of {len(every)} chains")

# %% [markdown]
# ## At which step do chains fail?
#
# A chain fails at its first step that is *illegal*, or that is legal but *dead*: from the numbers left, 24 can no
# longer be reached, as the solver of chapter 3 tells us. The model does not have that solver. We look over its
# shoulder.
#
# ### Predict: where does it go wrong?
#
# A chain has three steps. Which share of all chains has failed after the *first*? For comparison we take the random
# player of chapter 3, who always moves legally and never thinks. Whose first step is better?


# %%
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
        return "right", ""
    return "the answer", "steps right, answer wrong"


fates = [fate(x, node) for x, node in every]


# %%
def dice(numbers, step=1):
    """Where a random player fails: label -> exact probability."""
    if len(numbers) == 1:
        return Counter({"right": 1})
    shares, dead = Counter(), Counter({f"step {step}": 1})
    for move in moves(numbers):
        alive = solvable(move.left)
        after = dice(move.left, step + 1) if alive else dead
        for label, p in after.items():
            shares[label] += Fraction(p, len(moves(numbers)))
    return shares


chance = sum((dice(numbers_of(p.x)) for p in puzzles), Counter())

# %% mystnb={"image": {"alt": "Two stacked bars, the recorded chains of thought and the random player. In both, the largest part by far fails at step 1. Of the recorded chains an even larger part than of the random player's. Only slivers are right to the end."}} tags=["plot", "predict"]
n = len(fates)
order = ["step 1", "step 2", "step 3", "the answer", "right"]
found = Counter(label for label, _ in fates)
rows = []
for step in order:
    share = float(chance[step]) / len(puzzles)
    counts = {"CoT, recorded": found[step]}
    counts["random player, expected"] = float(chance[step]) * K
    for method, count in counts.items():
        rows.append({"method": method, "step": step, "count": count})
    chains_here = f"{found[step]:>3} chains, {found[step] / n:.0%}"
    print(f"{step:>10}: {chains_here}; random player {share:.0%}")
rows.sort(key=lambda row: row["method"])
plots.failures(rows, order=order, xlabel="fails at ...")

# %% [markdown]
# **Figure.** Most chains are lost with their first equation, and a larger part of them than of a random player's.
#
# This is the paper's figure 3b in miniature. There, about 60% of GPT-4's chains have failed after the first step, on
# harder puzzles. In our recording, too, **most chains are lost with their first equation**, within their first few
# tokens. What follows is the careful completion of something that cannot be completed.
#
# But look at the dice before you blame the model. Most *random* first moves are fatal, too. A share of early failures
# says little without the share that chance would have on the same puzzles.
#
# ## The books
#
# Why is a step bad? Split the first steps by reason.

# %% tags=["set-up"]
# Why first steps fail, with the model's books and with a program's
reasons = Counter()
for x, node in every:
    line = (lines_of(node) or [""])[0]
    bare = re.sub(r"\s*\(left.*", "", line)
    for kind, text in {"as written": line, "no list": bare}.items():
        step = read_step(text, numbers_of(x))
        alive = step.ok and solvable(step.value.left)
        legal = "legal, alive" if alive else "legal, 24 out of reach"
        reasons[step.why or legal, kind] += 1

# %%
whys = dict.fromkeys(why for why, _ in reasons)
rows = [
    {"first step": why}
    | {kind: reasons[why, kind] for kind in ("as written", "no list")}
    for why in whys
]
alive = reasons["legal, alive", "no list"] / n
firsts = [moves(numbers_of(p.x)) for p in puzzles]
each = [fmean(solvable(move.left) for move in some) for some in firsts]
print(f"24 stays in reach, books kept by program: {alive:.0%}")
print(f"24 stays in reach, random first moves:    {fmean(each):.0%}")
show.table(rows, caption=f"First steps of {n} chains.")

# %% [markdown]
# "Wrong numbers left" is bookkeeping: the equation is fine, but the list after it has lost or invented a number. From
# then on the model plays another puzzle. The second column counts the same steps with the list cut off, as if a
# program kept the books. That is cheap to do, and [chapter 6](06_tot_bfs_game24.ipynb) does it. It makes steps legal.
# Does it make them *good*? Compare with the dice.
#
# If the two shares are close, then the model *moves* and does not *choose*. It has learned how a step looks. Choosing
# needs a look ahead, and a chain is written from left to right.
#
# ### A right answer does not vouch for its steps
#
# Some chains fail at a step and are right all the same. The answer line is read by the verifier, and it need not
# follow from the lines above.

# %%
odd = [
    (s.problem, node)
    for s in chains
    for node, score in zip(s.result.best, s.scores, strict=True)
    if score.correct and fate(s.problem, node)[0] != "right"
]
right = sum(score.correct for s in chains for score in s.scores)
print(f"{right} right answers, {len(odd)} below a broken or dead step")
for x, node in odd[:1]:
    print(f"\n{x}: {' '.join(fate(x, node))}\n{node.state.last.text}")

# %% [markdown]
# Steps that read well need not be the reason for the answer. Whoever shows a chain to a user as an explanation should
# check the chain, too.
#
# ## Does the chain pay?
#
# ### Predict: steps or no steps?
#
# Same model, same forty puzzles. Is a chain of thought more often right than an answer in one breath? By how much?
# And will forty puzzles be enough to see it?

# %% tags=["predict"]
io = solve_all(puzzles, "io", io_lm, 10)
io_rate = [[score.correct for score in s.scores] for s in io]
cot_rate = [[score.correct for score in s.scores] for s in chains]


def percent(i):
    return f"{i.rate:.1%} [{i.low:.1%}, {i.high:.1%}]"


both = zip(cot_rate, io_rate, strict=True)
gain = bootstrap([[fmean(c) - fmean(i)] for c, i in both])
points = [100 * x for x in (gain.rate, gain.low, gain.high)]
print("IO: ", percent(bootstrap(io_rate)))
print("CoT:", percent(bootstrap(cot_rate)))
print("CoT minus IO, puzzle by puzzle, in points:", end=" ")
print("{:+.1f} [{:+.1f}, {:+.1f}]".format(*points))

# %% [markdown]
# Two intervals side by side are a weak comparison. Both methods met the *same* puzzles, so compare puzzle by puzzle:
# what is hard for one is hard for the other, and that part of the noise cancels. The last line does so: one
# difference for each puzzle, and a bootstrap over puzzles.
#
# For one verdict per puzzle there is **McNemar's test**. Puzzles that both solve, or neither, say nothing about the
# difference. Only the others count: $b$ that only the first solved, $c$ that only the second solved. If neither
# method were better, each of them would be a fair coin. We take "at least one of $K$ samples is right", with equal
# $K$.


# %%
def mcnemar(b, c):
    """Probability of so uneven a split, or worse, of fair coins."""
    tail = sum(comb(b + c, i) for i in range(min(b, c) + 1))
    return min(1.0, 2 * tail / 2 ** (b + c))


cot_any = [any(group) for group in cot_rate]
io_any = [any(group[:K]) for group in io_rate]
test = paired(cot_any, io_any)
mine = mcnemar(test.only_a, test.only_b)
assert abs(mine - test.p) < 1e-12
say = f"At least one of {K} right, CoT against IO: {test}"
print(show.wrapped(say, indent=""))

# %% [markdown]
# Read the interval, not only the point. If it contains zero, then with forty puzzles and such low rates we cannot say
# which is better on this model. A difference that matters in practice may hide in it, and so may none.
#
# ## Self-consistency: let the chains vote
#
# Sample several chains, throw the steps away, and take the answer that comes most often
# {cite}`wang2023selfconsistency`. The idea: there are many ways to go wrong, and they lead to different answers; the
# right ways meet in one. In symbols, $\arg\max_y \#\{i \mid y_i = y\}$.


# %% tags=["checked"]
def majority(answers):
    """The most frequent answer, spaces aside; of equals the first."""
    given = [a for a in answers if a is not None]
    votes = Counter(task.same(answer) for answer in given)
    top = max(votes.values(), default=0)
    first = (a for a in given if votes[task.same(a)] == top)
    return next(first, None), top


voted = solve_all(puzzles, "cot-sc", lm, K)
for chain, vote in zip(chains, voted, strict=True):
    assert majority(chain.answers)[0] == vote.answer
print("our vote and the package's cot-sc agree on all puzzles")

# %% [markdown]
# ### Predict: how many votes does a winner get?
#
# One vote for each chain. How many votes does the winning answer have, on a typical puzzle?

# %% tags=["predict"]
tops = Counter(majority(chain.answers)[1] for chain in chains)
for votes, count in sorted(tops.items()):
    print(f"winner with {votes} of {K} votes: {count} puzzles")
chosen = wilson(sum(s.chosen for s in voted), len(voted))
print("CoT-SC:   ", percent(chosen))
print("one chain:", percent(bootstrap(cot_rate)))

# %% [markdown]
# Where the winner has one vote, everybody is tied, and the rule "of equals the first" picks the first chain: the vote
# is no vote. Self-consistency was made for questions whose answer is a short thing, a number or a letter, on which
# many chains can agree. Here an answer is an *expression*, and there are thousands.
#
# There is a second condition. Voting finds the **mode**, the single most frequent answer. That is the right one only
# if no wrong answer is more frequent. The next cell is **a simulation, no measurement**: three made-up models, each
# given by how often it says what.


# %%
def vote_rate(right, mistakes, k, trials=1000):
    """How often the most frequent of k samples is right."""
    replies, shares = range(len(right + mistakes)), right + mistakes
    rng, wins = Random(k), 0
    for _ in range(trials):
        drawn = Counter(rng.choices(replies, shares, k=k))
        wins += drawn.most_common(1)[0][0] < len(right)
    return wins / trials


made_up = {
    "right 30%, ten mistakes of 7%": ([0.3], [0.07] * 10),
    "10%, one mistake of 20%, 70 of 1%": ([0.1], [0.2] + [0.01] * 70),
    "four right of 1%, 96 mistakes of 1%": ([0.01] * 4, [0.01] * 96),
}
rows = [{"made-up model": name} for name in made_up]
for row in rows:
    for k in (1, 5, 25, 100):
        rate = vote_rate(*made_up[row["made-up model"]], k)
        row[f"k = {k}"] = f"{rate:.0%}"
show.table(rows, caption="How often the vote is right (simulated).")

# %% [markdown]
# The first model is lifted to near certainty. The second gains a little from a few votes and is *harmed* by many:
# they make its favourite mistake ever surer. The third gains nothing; its right answers are too different to meet.
# Before you pay for a vote, ask which of the three you have.
#
# ## Refine: try again
#
# The third way gives the model its own answer back, with the words "that is not correct", and asks for a better one.
# Self-Refine {cite}`madaan2023selfrefine` has the model write the criticism itself. The paper's baseline for this
# game does not: it uses the **ground truth** to decide whether the answer is wrong. So there is a teacher who knows,
# and the name must say so: `io-refine-checked`.
#
# It is a conversation that grows. Each new request contains all earlier attempts.

# %%
root = tot.State("x").then(tot.Thought("y"))
COMPLAINT = task.refine(root).messages[-1].content


def refine(x, k):
    """The attempts: at most k rewrites, until gold is content."""
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


# %%
REWRITES = 4
ten = puzzles[0::4]
refined = solve_all(ten, "io-refine-checked", lm, REWRITES)
for s in refined:
    thoughts = s.result.best[0].state.thoughts
    assert refine(s.problem, REWRITES) == [t.text for t in thoughts]
print(show.wrapped(f"teacher: {COMPLAINT}"), end="\n\n")
print(f"{ten[2].x}:", *refine(ten[2].x, REWRITES), sep="\n  ")

# %% [markdown]
# ### Predict: what is a complaint worth?
#
# The teacher says only "no". That is one bit. Is a model that hears "no" better off than one that simply tries again,
# without having heard? Compare at equal cost in samples: one attempt and four rewrites against the best of five
# independent answers, on the same ten puzzles. Both use gold, one to stop, one to pick.

# %% tags=["set-up", "predict"]
# Attempts in a conversation beside independent ones
best_of = [any(group[: REWRITES + 1]) for group in io_rate[0::4]]
test = paired([s.any for s in refined], best_of)
say = f"io-refine-checked against best of {REWRITES + 1}: {test}"
print(show.wrapped(say, indent=""))


def obeys(p, text):
    score = task.verify(p, text)
    return score.correct or "each number" not in score.why


paths = [s.result.best[0].state.thoughts for s in refined]
talks = [[thought.answer or "" for thought in path] for path in paths]
tries = [s.answers[: REWRITES + 1] for s in io[0::4]]
tries = [[answer or "" for answer in some] for some in tries]
rows = []
for name, group in {"in a conversation": talks, "apart": tries}.items():
    total = sum(map(len, group))
    new = sum(len(set(map(task.same, texts))) for texts in group)
    both = zip(ten, group, strict=True)
    legal = sum(obeys(p, text) for p, texts in both for text in texts)
    row = {"attempts": name, "n": total, "repeats": total - new}
    rows.append(row | {"obey the number rule": legal})
show.table(rows)

# %% [markdown]
# Ten puzzles cannot settle which is better; the interval says so. The table shows a mechanism to look for.
# Independent samples cannot learn from each other, and cannot be led astray by each other either. In a conversation
# every attempt stands in the context of the next one, and a small model tends to copy what it sees: the same answer
# again, or the same wrong number. A stronger model may use the history better: the paper's GPT-4 climbs from 7.3% to
# 27% with up to ten rounds.
#
# ## What it all costs

# %% tags=["set-up"]
# The bills of six methods
io_k = solve_all(puzzles, "io-best-of-k-gold", io_lm, K)
cot_k = solve_all(puzzles, "cot-best-of-k-gold", lm, K)
bills = {
    "io, one answer": solve_all(puzzles, "io", io_lm, 1),
    "cot, one chain": solve_all(puzzles, "cot", lm, 1),
    f"cot-sc, {K} chains": voted,
    f"io-best-of-k-gold, {K}": io_k,
    f"cot-best-of-k-gold, {K}": cot_k,
    f"io-refine-checked, {REWRITES} rewrites": refined,
}
lines = [
    s.to_dict() | {"method": name}
    for name, group in bills.items()
    for s in group
]
title = "Means for each puzzle. Names with 'gold' use the verifier."
show.cost_table(lines, caption=title)

# %% [markdown]
# **Rounds** are the new column to watch. Samples of one prompt are independent: one round, however many. Rewrites
# wait for each other: five attempts are five rounds, one after the other, and each reads the whole conversation
# again. Chains cost a multiple of an answer in tokens. A fair comparison is at equal tokens: how many plain answers
# could be had for the price of one chain? If the second line below is not clearly better than the first, then the
# steps have not paid for themselves on this model.


# %%
def written(group):
    return fmean(s.result.ledger.total.completion_tokens for s in group)


for name, group in {"10 answers": io, f"{K} chains": cot_k}.items():
    rate, tokens = fmean(s.any for s in group), written(group)
    print(f"best of {name}: {rate:.0%} solved, {tokens:.0f} tokens")
fan = next(s for s in chains if s.problem == "4 6 8 8")
show.svg(fan, lines=4, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** The five chains for `4 6 8 8`: self-consistency has nothing to count, and hands in the first.
#
# ## The paper's numbers
#
# The paper ran GPT-4 on its own hundred puzzles, which are harder than ours, with $k = 100$ samples where we have a
# few {cite}`yao2023tree`. Its numbers are hollow marks below. They are not ours to beat; the *pattern* is worth
# comparing.


# %% mystnb={"image": {"alt": "Success of six methods with intervals. Our small model: all single-answer methods near zero to five percent, best-of-k at 8 percent for IO and 18 percent for CoT, with wide intervals. The paper's GPT-4 as hollow marks: below ten percent for IO, CoT and CoT-SC, 27 percent for refine, 33 and 49 percent for the best of 100."}} tags=["plot"]
def chosen_rate(group):
    return wilson(sum(s.chosen for s in group), len(group))


measured = {
    "IO": bootstrap(io_rate),
    "CoT": bootstrap(cot_rate),
    "CoT-SC": chosen_rate(voted),
    "IO + refine, gold": chosen_rate(refined),
    "IO best of k, gold": chosen_rate(io_k),
    "CoT best of k, gold": chosen_rate(cot_k),
}
gpt4 = (0.073, 0.040, 0.09, 0.27, 0.33, 0.49)
paper = dict(zip(measured, gpt4, strict=True))
rows = [{"method": name, "rate": measured[name]} for name in measured]
plots.rates(rows, references={"paper: GPT-4, its own puzzles": paper})

# %% [markdown]
# **Figure.** In the paper as here, one answer is rarely right, and only the best of many, picked by gold, stands out.
#
# ### An erratum
#
# Appendix B.2 of the paper says that "ToT > CoT > IO" holds on both of its tasks there, the writing task and the
# game. Its own table 5 has the numbers for the game:

# %%
table5 = {
    "GPT-4": {"IO": 7.3, "CoT": 4.0, "ToT": 74},
    "GPT-3.5": {"IO": 6, "CoT": 3, "ToT": 19},
}
for name, rates in table5.items():
    order = sorted(rates, key=rates.get, reverse=True)
    print(f"{name}:", " > ".join(f"{m} ({rates[m]}%)" for m in order))
    assert not rates["CoT"] > rates["IO"]

# %% [markdown]
# For Game of 24 the chain is *below* the plain answer, for both models. A chain is not better by nature. It is better
# where steps are easier than the whole and where a bad step can be survived. In this game the first condition may
# hold; the second does not.
#
# ## Where it fails
#
# - **No way back.** Text is written from left to right. Once `4 + 4 = 8` stands there, every later token is
#   conditioned on it. A chain cannot take back its first step.
# - **No look ahead.** Nothing in a chain asks "can this still work?" before going on.
# - **Votes and best-of-k** start again from nothing. They spend most of their samples on first steps that were lost
#   at once, and keep no good beginning.
# - **Refine** gets one bit, at the end, and needs somebody who knows the truth.
#
# All four have one cure: treat a *step* as the unit. Propose several, judge each before going on, keep the good ones,
# drop the rest. That turns the chain into a tree, and it begins in [chapter 5](05_how_a_search_asks.ipynb).
#
# ## Summary
#
# - Chain of thought draws steps, then the answer: more computation, smaller pieces. It may help, and it may not;
#   measure on the same puzzles, in pairs.
# - An exact reader shows *where* chains fail. In our recording and in the paper, mostly at the first step.
# - Part of the failure is bookkeeping, which a program does better.
# - A vote finds the mode. It needs answers that can agree, and a right answer more frequent than any mistake.
# - Refine with gold is a conversation: more rounds, growing prompts, attempts that depend on each other.
# - Left-to-right writing cannot take back its first step. Trees can.

# %% [markdown]
# ## Exercises
#
# ### Exercise 1: a favourite sign
#
# Which sign does the model use in its first steps, and which signs keep 24 in reach? Predict which sign is overused.
# Compare with the random player.
#
# <details><summary>Hint</summary>
#
# `read_step(line, numbers).value.op` is the sign. Cut off the "(left: ...)" first, as above, so that bookkeeping
# errors do not hide the step.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
used, good = Counter(), Counter()
for x, node in every:
    bare = re.sub(r"\s*\(left.*", "", (lines_of(node) or [""])[0])
    step = read_step(bare, numbers_of(x)).value
    if step:
        used[step.op] += 1
        good[step.op] += solvable(step.left)
thrown = [m for some in firsts for m in some]
rows = []
for sign in "+-*/":
    alive = [solvable(m.left) for m in thrown if m.op == sign]
    kept = good[sign] / max(used[sign], 1)
    row = {"sign": sign, "model": f"{used[sign] / used.total():.0%}"}
    row |= {"alive": f"{kept:.0%}"}
    row |= {"dice": f"{len(alive) / len(thrown):.0%}"}
    rows.append(row | {"alive, dice": f"{fmean(alive):.0%}"})
show.table(rows, caption="First steps with each sign.")

# %% [markdown]
# ### Exercise 2: answers that mean the same
#
# `(4 + 8) * 2` and `2 * (8 + 4)` are different texts. Write a normal form that makes them equal, by sorting the two
# sides of every sum and product. Predict: on how many puzzles does the vote now have a winner with two votes or more?
# Does it solve more puzzles?
#
# <details><summary>Hint</summary>
#
# Parse with `ast` as in chapter 3, and write a function that turns a node into a text: for `Add` and `Mult`, sort the
# texts of the two sides first. An answer that does not parse keeps its own text.
#
# </details>

# %% [markdown]
# #### Solution 2

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


winners, solved = Counter(), 0
for s in chains:
    given = [a for a in s.answers if a is not None]
    votes = Counter(map(same, given))
    top = max(votes.values(), default=0)
    choice = next((a for a in given if votes[same(a)] == top), None)
    winners[top] += 1
    solved += task.verify(task.problem(s.problem), choice).correct
before = sum(s.chosen for s in voted)
print("votes of the winner -> puzzles:", dict(sorted(winners.items())))
print(f"solved: {solved} of {len(chains)}, against {before} before")

# %% [markdown]
# ### Exercise 3: three voters, exactly
#
# A model says the right answer with probability $p$ and one particular mistake with probability $q$; every other
# reply is different from all others. Three samples vote, and of equals the first wins. Find the exact chance that the
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
# #### Solution 3

# %% tags=["hide-cell"]
from itertools import product


def three(p, q):
    chance = {"R": p, "M": q, "other": 1 - p - q}
    total = 0.0
    for a, b, c in product(chance, repeat=3):
        named = [a, b + "2" * (b == "other"), c + "3" * (c == "other")]
        winner, _ = Counter(named).most_common(1)[0]  # first of equals
        total += (winner == "R") * chance[a] * chance[b] * chance[c]
    return total


pairs = [(0.3, 0.1), (0.3, 0.5), (0.3, 0.4), (0.05, 0.1), (0.05, 0.3)]
for p, q in pairs:
    better = three(p, q) > p
    assert better == (q**2 < p * (1 - p))
    print(
        f"p = {p}, q = {q}: vote of three {three(p, q):.3f},", end=" "
    )
    print(f"better than one: {better}")
# R wins with two or three votes, or if all three differ and it came
# first. Written out, that is more than p exactly if q**2 < p * (1 - p).
# So a few voters may help even where q > p. With more and more voters
# only the mode counts: p > q.

# %% [markdown]
# ### Exercise 4: a judge without gold?
#
# The step reader needs no gold: it checks operands, arithmetic and the numbers left. Let it choose: of $K$ chains,
# hand in the first whose steps are all legal and end in 24. Predict whether this reaches the best of $K$. Is it
# cheating?
#
# <details><summary>Hint</summary>
#
# `fate` above is almost it, but it uses the solver. Write the loop with `read_step` only. Then ask: if three legal
# steps end in 24, what do you know about the answer?
#
# </details>

# %% [markdown]
# #### Solution 4


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
# Legal steps that end in 24 ARE a solution, so the reader is the
# verifier in other clothes. In this game that is fair: checking needs
# no secret. It misses right answers that stand below broken steps. In
# most tasks no program can read the steps.

# %% [markdown]
# ### Exercise 5: what would a second chance be worth?
#
# Suppose somebody told the model, after its first step only, whether 24 is still in reach, and let it draw that step
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
# #### Solution 5

# %% tags=["hide-cell"]
alive_chains = [
    score.correct
    for s in chains
    for node, score in zip(s.result.best, s.scores, strict=True)
    if fate(s.problem, node)[0] != "step 1"
]
share, good = len(alive_chains) / n, sum(alive_chains)
print(f"now: {right} of {n} ({right / n:.1%})")
print(
    f"after a good first step: {good} of {len(alive_chains)}", end=" "
)
print(f"({fmean(alive_chains):.1%})")
print(f"first steps to draw for each chain: about {1 / share:.1f}")
# The second number rests on few chains, pooled over puzzles, so it is
# rough. Two lessons: one good step does not win the game, since the
# second can be lost in the same way; and drawing one line again is far
# cheaper than drawing a whole chain. A tree does this at every step,
# with a judge that has to do without our solver.

# %% [markdown]
# ## Further reading
#
# - Chain of thought: {cite}`wei2022chain`. Self-consistency: {cite}`wang2023selfconsistency`. Refining with the
#   model's own criticism: {cite}`madaan2023selfrefine`.
# - The baselines of this chapter on GPT-4, and figure 3b: section 4.1 of {cite}`yao2023tree`.
# - In the package: `tot/methods/` (the recipes), `tot/evaluate.py` (`agreement`, the vote), `tot/stats.py`
#   (`paired`, `mcnemar`).
