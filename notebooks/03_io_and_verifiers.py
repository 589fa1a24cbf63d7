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
# # IO prompting and verifiers
#
# Ask a small language model to make 24 from 4, 6, 8 and 8, and it answers at once, in perfect form. Is the answer
# right? You can check one answer by hand. For four hundred you need a program that is hard to fool.
# Then comes a question that many reports skip: would dice have done as well?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.checked()

# %% [markdown]
# **Figure.** All answers look alike. A program finds out which one is right, and needs no solution for that; then it checks what
# dice would say. (The model's answers are recorded ones, to 4, 4, 4 and 6.)
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a few-shot prompt, and read the answer out of a reply without trusting the reply;
# - build a verifier that never runs what it checks, and say whether a check is *free* or *gold*;
# - compare a success rate with the exact chance of a random player, with an interval that fits the data;
# - estimate the best of $k$ answers without bias, and say what it needs.

# %% tags=["set-up"]
# Imports, and some names
import ast
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb
from operator import add, mul, sub, truediv
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt
import numpy as np

import tot
from tot.stats import bootstrap, pass_at_k, wilson
from tot.tasks import game24_rules
from tot.tasks.game24 import EXAMPLES, RULES, numbers_of
from treebook.figures import plots


# %% [markdown]
# ## One prompt in, one answer out
#
# The game is that of [chapter 1](01_reading_and_replaying.ipynb): make 24 from four numbers, each used exactly once.
# We play forty of the easier puzzles with the recorded model, which has 1.5 billion parameters.

# %%
task = tot.task("game24")
puzzles = task.problems("starter")
lm = tot.Cassette("cassettes/03.jsonl")
print(f"{len(puzzles)} puzzles:", ", ".join(p.x for p in puzzles[:4]))

# %% [markdown]
# The papers call the simplest method **IO prompting**: input in, output out. In symbols, an answer is drawn as
# $y \sim p_\theta(y \mid \text{prompt}_{IO}(x))$, where $x$ is the puzzle, $p_\theta$ the model, and the prompt wraps
# the puzzle in instructions and in five solved examples, as [chapter 2](02_a_distribution.ipynb) showed.


# %%
def prompt_io(x):
    """The conversation that asks for an answer to the puzzle ``x``."""
    rules = f"{RULES} Reply with one line: the answer."
    messages = [tot.Message("system", rules)]
    for numbers, _, answer in EXAMPLES:
        messages.append(tot.Message("user", f"Numbers: {numbers}"))
        messages.append(tot.Message("assistant", f"Answer: {answer}"))
    messages.append(tot.Message("user", f"Numbers: {x}"))
    return tot.Request(tuple(messages), temperature=0.7, max_tokens=40)


request = prompt_io("4 6 8 8")

# %% [markdown]
# ### Predict: do the answers obey the rules?
#
# Solve `4 6 8 8` yourself first. In chapter 2 two of twenty answers to it were right. We now draw ten, and look at something
# else: an answer obeys the rules if it uses each of the four numbers exactly once, whatever it comes to.

# %%
[reply] = lm([request.samples(0, 10)])  # its samples number 0 to 9
one = task.problem("4 6 8 8")
scores = [task.verify(one, text) for text in reply.texts]
listed = []
for text, score in zip(reply.texts, scores, strict=True):
    row = {"reply": text, "right": score.correct}
    row["obeys the rules"] = "exactly once" not in score.why
    listed.append(row)
show.Predict(
    "How many of the ten obey the rules?",
    sum(row["obeys the rules"] for row in listed),
    low=0,
    high=10,
    shows=show.table(listed, highlight=lambda row: row["right"]),
)

# %% [markdown]
# The examples taught the model the *form* of an answer, and all ten have it. Most obey the rules, too. What the numbers come to
# is another matter.
#
# ## Reading a stranger's text
#
# A checking program first cuts the answer out of the reply (this part is called a reader) and then judges it. We are generous about form, since form is
# not what we test: "Answer:" may be there or not, and so may a closing "= 24".


# %%
def read_answer(reply):
    """The expression in a reply's last line, cut out, not judged."""
    last = (reply.strip().splitlines() or [""])[-1].strip()
    text = re.sub(r"^answer\s*:?", "", last, flags=re.IGNORECASE)
    return re.sub(r"=\s*24\s*\.?\s*$", "", text).strip()


for text in ("Answer: 6 * 8 / (4 - 2)", "6 * 4 = 24."):
    print(repr(text), "->", repr(read_answer(text)))

# %% [markdown]
# Python can compute the value of a text in one line, with `eval`. Do not use it here: `eval` does whatever the text
# says, and the text comes from a stranger.

# %%
said = "This was run by the text. It could delete your files."
harmless = f"[print({said!r}), 24][1]"
print(eval(harmless))  # our own text; never do this with a model's

# %% [markdown]
# ## A verifier from scratch
#
# So we **parse** instead: we turn the text into a tree of operations, and look at what is in it before we compute. Our first try
# allows whole numbers and the four operations between them, and is meant to refuse all else, even a minus sign in front of a
# number. The arithmetic uses exact fractions, because with decimals `8 / (3 - 8 / 3)` comes out as 23.99999999999999.

# %%
NAMES = (ast.Add, ast.Sub, ast.Mult, ast.Div)
OPERATIONS = dict(zip(NAMES, (add, sub, mul, truediv), strict=True))


def value_of(node, used):
    """The exact value of a parsed expression; notes its numbers."""
    match node:
        case ast.Constant(value=int() as number):
            used.append(number)
            return Fraction(number)
        case ast.BinOp(left, op, right) if type(op) in OPERATIONS:
            both = value_of(left, used), value_of(right, used)
            return OPERATIONS[type(op)](*both)
    raise ValueError(f"{type(node).__name__} is not allowed")


# %%
BROKEN = (SyntaxError, ValueError, ZeroDivisionError)
BROKEN += (RecursionError, MemoryError)


def check(numbers, answer, value_of=value_of):
    """(right or not, why)"""
    used = []
    try:
        value = value_of(ast.parse(answer, mode="eval").body, used)
    except BROKEN as problem:
        return False, f"cannot be read: {problem}"
    if Counter(used) != Counter(numbers):
        return False, "does not use each number exactly once"
    right = value == 24
    return right, "right" if right else f"equals {value}, not 24"


for text in reply.texts[:3]:
    print(text, "->", check([4, 6, 8, 8], read_answer(text)))

# %% [markdown]
# **An answer that cannot be read counts as wrong**, just like one that comes to 23, or one that is missing. The reason is kept
# beside the verdict, so that the kinds of failure can be counted separately.
#
# ### Predict: where does it break?
#
# A verifier is only as good as the attacks it withstands. Here are ten answers that a confused or a cunning writer might give, and four of
# them deserve to be accepted. Our first try, `check` on the bare text without `read_answer`, gets three of the ten
# wrong: it refuses two good answers and lets one cheat through.

# %%
ATTACKS = [
    ("4 6 8 8", "(4 + 8) * (8 - 6)"),
    ("3 3 8 8", "8 / (3 - 8 / 3)"),
    ("4 6 8 8", "(4 + 8) × (8 − 6)"),
    ("4 6 8 8", "(4 + 8) * (8 - 6) = 24"),
    ("1 6 8 10", "True * (6 + 8 + 10)"),
    ("2 4 13 13", "24 * 13 / 13"),
    ("4 6 8 8", "4 ** 2 + 8"),
    ("4 6 8 8", "24 # 4 6 8 8"),
    ("4 6 8 8", "__import__('os').getpid()"),
    ("4 6 8 8", "(" * 500 + "24" + ")" * 500),
]

# %%
rows = []
for x, answer in ATTACKS:
    first, _ = check([int(n) for n in x.split()], answer)
    package = task.verify(task.problem(x), answer)
    row = {"numbers": x, "answer": answer[:25], "first try": first}
    row |= {"package": package.correct}
    rows.append(row | {"why": package.why.split(",")[0]})
bad = [row for row in rows if not row["package"]]
[cheat] = [row["answer"] for row in bad if row["first try"]]
show.Predict(
    "Which cheat does the first try let through?",
    cheat,
    choices=[row["answer"] for row in bad],
    shows=show.table(
        rows, highlight=lambda r: r["first try"] != r["package"]
    ),
)

# %% [markdown]
# `×` and `−` are signs that models like and Python does not know, and "= 24" is what `read_answer` would have cut off. The
# cheat is `True`: in Python it *is* a whole number, equal to 1, so it passed for the 1 of the puzzle. The other attacks
# fail. `24 * 13 / 13` has the right digits, but we compare numbers; the power and the call are not on our list. Nobody
# had to think of `getpid`. It is safer to allow what is known to be good than to forbid what is known to be bad.
#
# Three small repairs follow: read the answer first, translate the signs, and accept only genuine integers. Then our
# verifier agrees with the package's on these ten answers, and on the four hundred that follow.


# %% tags=["set-up"]
# The repairs: form, signs that models like, whole numbers only
def value_strict(node, used):
    """``value_of``, for whole numbers that really are numbers."""
    for part in ast.walk(node):
        match part:  # in Python, True is a whole number
            case ast.Constant(value=bool()):
                raise ValueError(f"{part.value} is not a number")
    return value_of(node, used)


def verify(numbers, answer):
    """The repaired verifier."""
    plain = answer.translate(str.maketrans("×÷−–", "*/--"))
    return check(numbers, read_answer(plain), value_strict)


# %% tags=["checked"]
solutions = [tot.solve(task, p, "io", lm=lm, k=10) for p in puzzles]
given = [(s.problem, a or "") for s in solutions for a in s.answers]
for x, answer in ATTACKS + given:
    ours, _ = verify([int(n) for n in x.split()], answer)
    assert ours == task.verify(task.problem(x), answer).correct

# %% [markdown]
# ## Free or gold?
#
# Look again at what `check` was told: the four numbers and the answer. It never saw a solution. Most tasks cannot be checked
# with so little, and this decides which methods one can use.
#
# A **check** is a program that says whether a finished answer is right. It is **free** if it needs only the problem, and
# **gold** if it needs the true answer. If a check is free, you may let it pick among $k$ answers, and that is a real
# method. If it is gold, picking this way only gives an upper bound: in practice, anyone who already has the answer has
# no reason to ask the model. Something else must pick then, such as a vote or a model as judge.
#
# | Task | What its check looks at | Kind |
# |:---|:---|:---|
# | Game of 24 | the four numbers | free |
# | a round of errands ([chapter 17](17_bring_your_own.ipynb)) | the list of errands and opening hours | free |
# | school word problems, GSM8K ([chapter 9](09_zero_shot_tot.ipynb)) | the true number | gold |
# | crosswords ([chapter 8](08_tot_dfs_crosswords.ipynb)) | the filled-in board | gold |
# | questions to look up, HotpotQA ([chapter 10](10_tools_costs_failures.ipynb)) | the true answer | gold |
# | a passage of prose ([chapter 7](07_votes_creative_writing.ipynb)) | its form only; no program can say how well it reads | free, but checks little |
#
# **Table.** What a check needs to know, task by task.
#
# Names in this book say who picks. In **best of k** it is the check. If that check is gold, the method's name ends in `-gold`,
# and tables say "gold picks"; if a model picks, they say "the judge's pick". An **oracle** is a solver that knows which
# *half-finished* states can still be won. Gold and oracles serve for measuring and for upper bounds; they never steer
# a search that this book reports as a method.
#
# ## How hard is a puzzle?
#
# A **move** takes two of the numbers and replaces them by their sum, difference, product or quotient. After three moves
# one number is left, which is 24 or not. How often does a player win who picks every move blindly? A function that calls
# itself on smaller problems gives the exact chance. (`moves` lists every legal move once. Other kinds of dice have other
# chances: exercise 1.)


# %%
@cache
def luck(numbers):
    """The exact chance of a player who picks each move at random."""
    if len(numbers) == 1:
        return Fraction(numbers == (24,))
    after = [move.left for move in game24_rules.moves(numbers)]
    return sum(luck(rest) for rest in after) / len(after)


for x in ("12 12 12 12", "4 6 8 8", "3 3 8 8"):
    won = float(luck(numbers_of(x)))
    print(f"{x}: a random player wins {won:.2%}")
chances = [float(luck(numbers_of(p.x))) for p in puzzles]
print(f"our forty puzzles, mean: {fmean(chances):.2%}")

# %% [markdown]
# The package ranks puzzles by this chance. The paper ranks them by how long people took, and tests on its ranks 901 to 1000. So its
# rates and ours cannot be compared one to one.
#
# ## Does the model beat dice?
#
# ### Predict: model against dice
#
# Four hundred answers have been recorded, ten for each puzzle. Does the model do better than a player who moves at
# random?


# %% tags=["set-up"]
# The scores of all answers, and the chance that dice do as well
right = [[score.correct for score in s.scores] for s in solutions]
hits = [sum(group) for group in right]


def successes(chances):
    """P(0), P(1), ... successes among independent tries."""
    odds = [1.0]
    for p in chances:
        odds = np.convolve(odds, [1 - p, p])
    return odds


as_lucky = sum(successes(chances * 10)[sum(hits) :])

# %%
found = f"{sum(hits)} of 400 answers are right; dice would expect "
found += f"{10 * sum(chances):.1f}, and get as many or more with "
found += f"probability {as_lucky:.2f}."
show.Predict(
    "The model against a random player:",
    "too close to call",
    choices=["clearly better", "too close to call", "clearly worse"],
    shows=found,
)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "The forty puzzles from easiest to hardest. A line shows how many of ten tries a random player would get right: it falls from about a half to below a tenth. Dots show the model: one right of ten on eight puzzles, scattered over the whole range, and none on the other thirty-two."}}
expects = [10 * p for p in chances]
plt.figure(figsize=(6.4, 2.6))
plt.plot(expects, label="a random player expects")
plt.plot(hits, "o", label="the model, right of ten")
plt.xlabel("puzzle, easiest first")
plt.ylabel("right of ten tries")
plt.legend()
plt.show()

# %% [markdown]
# **Figure.** Eight puzzles are solved once in ten tries, and none twice. Dice would do about as well.
#
# Look at the dice before you blame or praise a model. If all four hundred answers came from dice, as many would be right, or more,
# with probability 0.23. Such a number is called a **p-value**: how often chance alone gives a result like ours, or a more extreme
# one. By custom, a difference counts as shown if p is below 0.05. So "2% right" sounds as if the model knew a little, but
# there is no sign that it does. Nor does this show that the model plays *like* dice: a player who is a little better than
# chance would look just the same (exercise 4 asks how many puzzles it would take to see the difference).
#
# ### Which interval?
#
# With one answer to each puzzle there are forty independent tries, and the Wilson interval of
# [chapter 2](02_a_distribution.ipynb) fits. With ten there are four hundred tries in forty *groups*, and answers to
# one puzzle resemble each other. So we draw whole puzzles: forty of the forty, *with replacement*, so that some come
# twice and some not at all. We note the rate, and do this two thousand times. The middle 95% of these rates are the interval.
# This is called a **bootstrap** over puzzles.


# %%
def resampled(groups, resamples=2000):
    """The ends of the bootstrap's 95% interval of the mean rate."""
    rng, rates = Random(0), [fmean(group) for group in groups]
    means = [
        fmean(rng.choices(rates, k=len(rates)))  # with replacement
        for _ in range(resamples)
    ]
    outside = int(0.025 * resamples)  # on each side
    return sorted(means)[outside], sorted(means)[-1 - outside]


# %% [markdown]
# Does it matter? Take a made-up model, **a simulation**, that knows one puzzle in five by heart and has no idea of the
# others. Its true rate is 20%. How often does each interval contain that?

# %%
rng = Random(0)
covered = Counter()
for _ in range(200):
    knows = [rng.random() < 0.2 for _ in range(40)]
    groups = [[known] * 10 for known in knows]  # all ten, or none
    pooled = wilson(sum(map(sum, groups)), 400)
    low, high = resampled(groups, 400)
    covered["pooled"] += pooled.low <= 0.2 <= pooled.high
    covered["bootstrap"] += low <= 0.2 <= high
assert resampled(right) == (bootstrap(right).low, bootstrap(right).high)
for name, count in covered.items():
    held = f"{count / 200:.0%} hold the truth, 95% promised"
    print(f"(simulated) {name:>9}: {held}")

# %% [markdown]
# In this extreme case Wilson's interval counts each puzzle ten times and is far too narrow: it holds the truth less than half as
# often as it promises. So the rule of this book is: **one yes or no for each problem, Wilson; several answers for each
# problem, bootstrap over problems**. For our model the bootstrap gives the following.

# %%
rate = bootstrap(right)  # the package's
print(f"right, n = 40 puzzles with ten answers each: {rate:.1%}")

# %% [markdown]
#
# ## Why the answers fail
#
# The verifier gave a reason each time it said no, so we only need to count.

# %% tags=["set-up"]
# Each answer by the verifier's reason
RULED = "obeys the rules, equals another number"
reasons = Counter(
    "right" if s.correct else re.sub("^equals.*", RULED, s.why)
    for found in solutions
    for s in found.scores
)
rows = [{"verdict": w, "answers": n} for w, n in reasons.most_common()]
show.table(rows, highlight=0)

# %% [markdown]
# **Table.** Four in five answers obey the rules and miss the target.
#
# In an answer of one line, the model has to write the first symbol before it can know where the last one will lead. A person would
# try something, compute, and take it back. [Chapter 4](04_chain_of_thought.ipynb) gives the model room to write its steps down.
#
# ## Ten tries
#
# ### The three scores
#
# A method that draws several answers has three scores. **First**: its first answer is right. **Chosen**: the answer that
# it hands in by itself is right; for ten IO answers that is the most frequent one, as in a vote. **Any**: at least one is right.
# Of the ten answers above, the favourite was written twice. It is handed in, and it is wrong.
#
# "Any" can be had in this game, since the check is free. Draw $k$ answers and let the check pick: this is **best of k**,
# the method `best-of` in the package. How good is it, for any $k$? If single tries were independent with chance $p$, it
# would win with $1 - (1 - p)^k$. But $p$ is only known as $c$ right of $n$, and putting $c/n$ in its place gives a number that
# is too low on average (exercise 3). The unbiased estimate {cite}`chen2021evaluating` asks: of all ways to pick $k$ of
# the $n$ samples, which share contains a right one?
#
# $$\text{pass@}k = 1 - \binom{n-c}{k} \Big/ \binom{n}{k}$$


# %%
def pass_k(n, c, k):
    """Share of the k-subsets of n samples with one of the c right."""
    return 1 - Fraction(comb(n - c, k), comb(n, k))


# %% [markdown]
# ### Predict: what do ten tries buy?
#
# The random player wins a puzzle with probability 1.5% on average. Give it ten tries at each puzzle, with a check that
# picks. That may be twice as good, or five times, or ten times.

# %%
blind = fmean(1 - (1 - p) ** 10 for p in chances)
any_of_ten = wilson(sum(map(any, right)), len(right))
said = f"The model's best of ten: {any_of_ten:.1%}, n = 40."
show.Predict(
    "How many of a hundred puzzles does it win with ten tries?",
    round(100 * blind, 1),
    low=0,
    high=50,
    step=0.5,
    unit="%",
    shows=said,
)

# %% mystnb={"image": {"alt": "Best of k against k from 1 to 10 for the recorded model and for a random player. Both rise steadily and almost in a straight line, the model's curve a little above the random player's, well inside its wide interval."}} tags=["plot", "predict"]
points = []
for k in (1, 2, 3, 5, 10):
    tries = [[pass_at_k(10, c, k)] for c in hits]
    # at k = 10 each puzzle is one yes or no: Wilson
    model = any_of_ten if k == 10 else bootstrap(tries)
    dice = fmean(1 - (1 - p) ** k for p in chances)
    for name, won in (("the model", model), ("random player", dice)):
        points.append({"method": name, "tries": k, "rate": won})
plots.success_by_cost(
    points, x="tries", top=0.4, ylabel="at least one right"
)

# %% [markdown]
# **Figure.** Best of $k$, for the model and for dice. At every $k$ the model's interval contains the dice's rate.
#
# Ten tries are worth nearly ten times one try as long as successes are spread thinly over many puzzles. If they pile up on a
# few easy puzzles, the curve flattens early. In the paper GPT-4 starts at 7.3% with one answer and reaches 33% with the
# best of 100, on its own hundred puzzles {cite}`yao2023tree`.
#
# ### What does it cost?
#
# With a free check, best of $k$ is a strong and honest rival, and a search has to beat it at equal cost. Ten samples share one
# call: the prompt is read once, and only the writing is multiplied by ten. [Chapter
# 4](04_chain_of_thought.ipynb#all-of-them-with-their-bills) has the bills.
#
# > **Where it breaks.** The model writes its answer in one go and never looks at it again. The verifier does, but only when the
# > answer is *finished*: it does not say where things went wrong, and it cannot stop an answer that is already lost. And most
# > tasks outside games have no free check.
#
# ## Summary
#
# - IO prompting draws a whole answer at once. The examples teach its form, and not whether it is right.
# - A reply is a stranger's text. Parse it, allow what is known to be good, compute exactly, and never run it. An answer that
#   cannot be read counts as wrong.
# - A check is free if it needs only the problem, gold if it needs the answer. With a free check best of $k$ is a
#   method; with a gold one it is an upper bound.
# - A random player has a known chance on every puzzle. Dice get eight or more of four hundred right in nearly one experiment in four.
# - Use Wilson's interval for one yes or no per puzzle. If there are several answers to each, draw whole puzzles.

# %% [markdown]
# ## Exercises
#
# ### Exercise 1: other dice
#
# The random player picks among *moves*. Another kind of dice *writes*: it shuffles the numbers, joins two of them by a
# random sign, and goes on until one expression is left. Predict: does it win more often than the random player, less
# often, or equally? Let it write a hundred expressions for each puzzle, and explain what you find.
#
# <details><summary>Hint</summary>
#
# Pop two parts and push `f"({a} {sign} {b})"` until one is left. Then count for two numbers how many of the random
# player's moves are a subtraction.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
rng, drawn = Random(1), []
for p in puzzles:
    wins = []
    for _ in range(100):
        parts = p.x.split()
        while len(parts) > 1:
            rng.shuffle(parts)
            a, sign, b = parts.pop(), rng.choice("+-*/"), parts.pop()
            parts.append(f"({a} {sign} {b})")
        wins.append(verify([int(n) for n in p.x.split()], parts[0])[0])
    drawn.append(wins)
print(f"random writer {bootstrap(drawn):.1%}")
# More often than 1.5%. For the player a - b and b - a are two moves
# while a + b is one, so it subtracts and divides more than the writer
# does, and that rarely helps.

# %% [markdown]
# ### Exercise 2: a verifier with a hole
#
# Somebody compares *digits*: an answer is accepted if it is worth 24 and its digits are the digits of the puzzle. Find
# an answer to `4 6 8 8` that passes and is no solution. Which of the ten attacks would pass, too?
#
# <details><summary>Hint</summary>
#
# Glue two numbers together: `88` from 8 and 8. `re.findall(r"\d", text)` lists the digits of a text.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def by_digits(x, answer):
    numbers = [int(n) for n in re.findall(r"\d+", answer)]
    found = sorted(re.findall(r"\d", answer))
    same = found == sorted(re.findall(r"\d", x))
    return same and check(numbers, answer)[0]


for x, answer in [("4 6 8 8", "88 - 64"), *ATTACKS]:
    right = task.verify(task.problem(x), answer).correct
    if by_digits(x, answer) and not right:
        print(x, "|", answer)

# %% [markdown]
# ### Exercise 3: the obvious estimate
#
# Why is $1 - (1 - c/n)^k$ too low on average, and by how much? Predict for $k = 10$. Then compute its exact mean for
# $n = 10$ and a true chance of $p = 0.1$, over all values of $c$, and do the same for the unbiased one.
#
# <details><summary>Hint</summary>
#
# `successes([0.1] * 10)` is the distribution of $c$ (folded, above the prediction about dice). The truth is $1 -
# 0.9^k$.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
weights = successes([0.1] * 10)
for k in (2, 5, 10):
    obvious = [1 - (1 - c / 10) ** k for c in range(11)]
    unbiased = [pass_at_k(10, c, k) for c in range(11)]
    means = 1 - 0.9**k, weights @ obvious, weights @ unbiased
    print(k, *(f"{x:.4f}" for x in means))
# The obvious estimate is too low for every k above 1: (1 - c/n)**k
# bends upwards, so its mean over a scattered c lies above its value
# at the mean of c. The unbiased one meets the truth exactly.

# %% [markdown]
# ### Exercise 4: how many puzzles would it take?
#
# A test can miss a difference that is there. How often it finds it is called its **power**, and 80% is a usual demand. Suppose
# that the model's true rate is the 2.0% measured here, and the random player's the mean of `luck`. How many puzzles, with ten
# answers each, does a one-sided test at 5% need for that power?
#
# <details><summary>Hint</summary>
#
# Treat answers as independent. The two rates must lie so far apart that dice seldom get above the limit (5%, $z_{0.95}$) and the
# model mostly does (80%, $z_{0.8}$). By the normal approximation, that takes
# $n = \left( z_{0.95}\sqrt{p_0 (1-p_0)} + z_{0.8}\sqrt{p_1 (1-p_1)} \right)^2 / (p_1 - p_0)^2$ answers.
# `statistics.NormalDist().inv_cdf` gives $z$.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
from statistics import NormalDist

z = NormalDist().inv_cdf
p0, p1 = fmean(chances), rate.rate
spread0, spread1 = ((p * (1 - p)) ** 0.5 for p in (p0, p1))
spread = z(0.95) * spread0 + z(0.8) * spread1
needed = spread**2 / (p1 - p0) ** 2
print(f"{p1:.2%} against {p0:.2%}: about {needed / 10:,.0f} puzzles")
# Answers to one puzzle are not independent, so in truth it takes
# still more. Steps tell more than answers: chapter 4.

# %% [markdown]
# ## Further reading
#
# - The game, the five-example IO prompt and the 7.3% of GPT-4: section 4.1 of {cite}`yao2023tree`.
# - The unbiased estimator of pass@k, and why the obvious one is biased: {cite}`chen2021evaluating`.
