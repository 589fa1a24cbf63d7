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
# The simplest way to use a language model is to ask and to take the answer. This chapter does just that, on a game
# whose answers can be checked exactly. It is also about the checking: without a good verifier, no later chapter could
# say which method is better.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a few-shot prompt, and read the answer out of a reply without trusting the reply;
# - build a verifier that never runs what it checks, and attack it;
# - say how hard a puzzle is, by the exact chance of a player who moves at random;
# - report a success rate with an interval that fits how the data came about;
# - estimate best-of-k without bias, and say what it costs and what it needs.

# %% tags=["set-up"]
import ast
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from itertools import combinations_with_replacement as multisets
from math import comb, fsum
from operator import add, mul, sub, truediv
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt
from IPython.display import Markdown, display

import tot
from tot import show
from tot.nbsetup import setup
from tot.show import plots
from tot.stats import bootstrap, pass_at_k, wilson

setup()

# %% [markdown]
# ## The problem: make 24
#
# You get four numbers. Combine them with `+ - * /` and brackets, each number exactly once, so that the result is 24.
# From `4 9 10 13` you can make `(10 - 4) * (13 - 9)`. The authors of Tree of Thoughts chose this game because it is
# easy to state, easy to check, and hard to do in one breath {cite}`yao2023tree`.
#
# Our puzzles come with the package, and so do recorded replies of a real model. It is a small one, of 1.5 billion
# parameters: a weak player. That is on purpose. A weak player shows where a method fails.

# %%
task = tot.task("game24")
puzzles = task.problems("starter")
lm = tot.Cassette("cassettes/03.jsonl")
for session in lm.tape.sessions.values():
    print("model: ", session["model"])
    print("date:  ", session["date"])
some = ", ".join(p.x for p in puzzles[:4])
print(f"puzzles: {some}, ... {len(puzzles)} in all")

# %% [markdown]
# ## One prompt in, one answer out
#
# The papers call this **IO prompting**: input in, output out. In their notation, an answer $y$ is drawn as
# $y \sim p_\theta(y \mid \text{prompt}_{IO}(x))$. Here $x$ is the puzzle and $p_\theta$ is the model: a machine that,
# given a text, draws another text at random. `prompt_IO` wraps the puzzle in instructions and a few solved examples.
# A prompt with solved examples is called **few-shot**; ours has five. Each example is a turn of a conversation that
# never took place: a user asks, an assistant answers well. The real question comes last.

# %%
from tot.tasks.game24 import EXAMPLES, RULES


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
for m in request.messages:
    print(show.wrapped(f"{m.role:>9}: {m.content}", indent=" " * 9))
assert request == task.io(tot.State("4 6 8 8"))  # the package's, too

# %% [markdown]
# ### Predict: how many of ten?
#
# The next cell shows ten answers of the model to `4 6 8 8`. Each was drawn on its own; none has seen the others.
# Solve the puzzle yourself first. Then guess: how many of the ten are right? And what will the wrong ones have in
# common?

# %% tags=["predict"]
[reply] = lm([request.samples(0, 10)])  # its samples number 0 to 9
print(*reply.texts, sep="\n")
form = re.compile(r"Answer: [\d+\-*/() ]+")
shaped = sum(form.fullmatch(text) is not None for text in reply.texts)
print(f"{shaped} of 10 have exactly the form of the examples")

# %% [markdown]
# The examples have done their work: they taught the form. What the numbers come to is another matter. Checking ten
# lines by hand is already tedious, and there are four hundred to come. We need a program that checks.
#
# ## Reading a stranger's text
#
# First cut the answer out of the reply. Be kind about form, since form is not what we test: accept "Answer:" or not,
# a trailing "= 24" or not.


# %%
def read_answer(reply):
    """The expression in a reply's last line, cut out, not judged."""
    last = (reply.strip().splitlines() or [""])[-1].strip()
    text = re.sub(r"^answer\s*:?", "", last, flags=re.IGNORECASE)
    return re.sub(r"=\s*24\s*\.?\s*$", "", text).strip()


for text in ("Answer: 6 * 8 / (4 - 2)", "6 * 4 = 24.", "I give up", ""):
    print(repr(text), "->", repr(read_answer(text)))

# %% [markdown]
# Now for the value. Python has a function that computes the value of a text, `eval`. It is one line, and it is the
# wrong one. The text comes from a stranger, and `eval` does whatever the text says:

# %%
said = "This was run by the text. It could delete your files."
harmless = f"[print({said!r}), 24][1]"
print(eval(harmless))  # our own text; never do this with a model's

# %% [markdown]
# It printed a line, and then it claimed to be worth 24. A text such as `9**9**9**9` would simply never come back.
#
# ## A verifier from scratch
#
# So we **parse** instead: we turn the text into a tree of operations, look at what is in the tree, and compute only
# what we allow. Two kinds of node are welcome: whole numbers, and the four operations. Everything else is refused.
# And we compute with exact fractions, not with decimals. The puzzle `3 3 8 8` shows why.

# %%
print(ast.dump(ast.parse("(10 - 4) * 2", mode="eval").body, indent=2))
third = Fraction(8, 3)
print("8 / (3 - 8 / 3) with decimals: ", 8 / (3 - 8 / 3))
print("8 / (3 - 8 / 3) with fractions:", 8 / (3 - third))

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


for text in reply.texts[:4]:
    print(text, "->", check([4, 6, 8, 8], read_answer(text)))

# %% [markdown]
# ### Predict: where does it break?
#
# A verifier is only worth what it withstands. Here are ten answers that a confused or a cunning writer might give.
# Four deserve to be accepted. Our first try gets **three** of the ten wrong: two good answers refused, one cheat let
# through. Which?

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

# %% tags=["set-up", "predict"]
# The verdicts of our first try and of the package on each attack
rows = []
for x, answer in ATTACKS:
    first, _ = check([int(n) for n in x.split()], answer)
    package = task.verify(task.problem(x), answer)
    row = {"numbers": x, "answer": answer[:24], "first try": first}
    row |= {
        "package": package.correct,
        "why": package.why.split(",")[0],
    }
    rows.append(row)
show.table(rows)

# %% [markdown]
# - `×` and `−` are signs that models like and Python does not know. The second refusal is a form we promised to
#   accept, "= 24".
# - The cheat is `True`. In Python `True` *is* a whole number, equal to 1, and so it passed for the 1 among the
#   numbers.
# - `24 * 13 / 13` writes the digits 2 and 4 next to each other. It fails because we compare numbers, not digits.
# - The comment after `#` vanishes in parsing, the power and the call are not in our list, and five hundred brackets
#   are too many for the parser. In each case the answer is a plain no, with a reason, and nothing was run.
#
# Allowing what is known to be good is safer than forbidding what is known to be bad: nobody had to think of `getpid`.
# Two small repairs:


# %%
def value_strict(node, used):
    """``value_of``, for whole numbers that really are numbers."""
    for part in ast.walk(node):
        whole = type(getattr(part, "value", 0)) is int
        if isinstance(part, ast.Constant) and not whole:
            raise ValueError(f"{part.value!r} is not a whole number")
    return value_of(node, used)


def verify(numbers, answer):
    """The repaired verifier."""
    plain = answer.translate(str.maketrans("×÷−–", "*/--"))
    return check(numbers, read_answer(plain), value_strict)


# %% tags=["checked"]
def right_for_both(x, answer):
    """The two verdicts on one answer."""
    ours, _ = verify([int(n) for n in x.split()], answer)
    return ours, task.verify(task.problem(x), answer).correct


def run_io(puzzle, k=10, method="io"):
    return tot.solve(task, puzzle, method, lm=lm, k=k)


agree = [len(set(right_for_both(*attack))) == 1 for attack in ATTACKS]
assert all(agree)
print(f"our verifier and the package's agree on all {len(agree)}")
# the real test: ten recorded answers to each of the forty puzzles
solutions = [run_io(puzzle) for puzzle in puzzles]
said = [
    (s.problem, answer or "") for s in solutions for answer in s.answers
]
judged = len(said)
agreed = sum(len(set(right_for_both(*one))) == 1 for one in said)
print(f"they agree on {agreed} of {judged} recorded answers")
assert judged == agreed == 10 * len(puzzles)

# %% [markdown]
# ## How hard is a puzzle?
#
# Before judging a player, look at the game. A **move** takes two numbers, replaces them by their sum, difference,
# product or quotient, and so leaves one number fewer. After three moves one number is left: 24, or not.

# %%
SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}


def moves(numbers):
    """Every move once: (number, sign, number) -> the numbers after."""
    after = {}
    for i, j in permutations(range(len(numbers)), 2):
        a, b = numbers[i], numbers[j]
        rest = [n for k, n in enumerate(numbers) if k not in (i, j)]
        for sign, operate in SIGNS.items():
            if (sign == "/" and b == 0) or (sign in "+*" and a > b):
                continue  # not allowed, or the same as b and a
            after[a, sign, b] = tuple(sorted([*rest, operate(a, b)]))
    return after


# %% [markdown]
# A solver is then three lines of **recursion**, a function that calls itself on a smaller problem: four numbers can
# reach 24 if some move leads to three numbers that can. Almost the same lines compute a measure of difficulty,
# `luck`: the exact chance that a player who picks every move at random ends at 24. The package ranks its puzzles by
# it, and names some sets of them, the **splits**. The figure shows the ranking, with the forty puzzles of this
# chapter.


# %%
@cache
def solvable(numbers):
    """Can these numbers reach 24?"""
    if len(numbers) == 1:
        return numbers == (24,)
    return any(solvable(rest) for rest in moves(numbers).values())


@cache
def luck(numbers):
    """The exact chance of a player who picks each move at random."""
    if len(numbers) == 1:
        return Fraction(numbers == (24,))
    after = moves(numbers).values()
    return sum(luck(rest) for rest in after) / len(after)


def exact(x):
    """ "4 6 8 8" -> four fractions, in order."""
    return tuple(sorted(Fraction(n) for n in x.split()))


for x in ("12 12 12 12", "4 6 8 8", "3 3 8 8"):
    print(f"{x}: a random player wins {float(luck(exact(x))):.2%}")

# %%
everything = task.problems("all")
known = {p.x for p in everything}
fours = multisets(range(1, 14), 4)
some = [" ".join(map(str, four)) for four in fours][::20]
assert all(solvable(exact(x)) == (x in known) for x in some)
print(f"solvable, by the package's list: {len(everything):,}")
print(f"our solver agrees on {len(some)} sets of four numbers")
splits = [
    {"split": name, "what it is": about.replace("`", "")}
    for name, about in list(task.splits().items())[:4]
]
show.table(splits)

# %% mystnb={"image": {"alt": "Chance of a random player against a puzzle's rank, on a logarithmic scale. It falls from about 10 percent for the easiest puzzle to below 0.1 percent for the hardest. The forty starter puzzles lie between 5 and 0.6 percent."}} tags=["plot"]
last = len(everything)
ranks = [1, *range(10, 401, 10), *range(460, last, 60), last]
curve = [luck(exact(everything[rank - 1].x)) for rank in ranks]
plt.plot(ranks, curve, color="0.6", label="all puzzles")
chances = [float(luck(exact(p.x))) for p in puzzles]
look = {"markersize": 4, "label": "starter, used here"}
plt.plot(range(10, 401, 10), chances, "o", **look)
look = {"color": "#E69F00", "alpha": 0.3}
plt.axvspan(901, 1000, label="hard: ranks 901 to 1000", **look)
plt.yscale("log")
plt.gca().yaxis.set_major_formatter(lambda y, _: f"{100 * y:g}%")
plt.xlabel("rank among all solvable puzzles")
plt.ylabel("chance of a random player")
plt.legend(frameon=False)
plt.show()
low, high, mean = min(chances), max(chances), fmean(chances)
print(f"starter: {high:.1%} to {low:.1%}, mean {mean:.2%}")

# %% [markdown]
# **Figure.** The chance of a random player falls from about 10% for the easiest puzzle to below 0.1% for the hardest.
#
# The paper ranks its puzzles by the time that people took, and tests on its ranks 901 to 1000. Two rankings, two
# sets: its numbers and ours cannot be compared one to one.
#
# ## Does the model solve any?
#
# ### Predict: model against dice
#
# You saw ten answers and the mean of `luck`. Guess the model's rate over all four hundred answers. Is it clearly
# above a random player, about the same, or below?

# %% tags=["predict"]
right = [[score.correct for score in s.scores] for s in solutions]
flat = [r for group in right for r in group]


def percent(i):
    return f"{i.rate:.1%} [{i.low:.1%}, {i.high:.1%}]"


dice = fsum(chances) * 10
print(
    f"right: {sum(flat)} of {len(flat)}; dice would expect {dice:.1f}"
)
print("right among ten:", *map(sum, right[:20]))
print("                ", *map(sum, right[20:]))
rate = bootstrap(right)
first = wilson(sum(group[0] for group in right), len(right))
pooled = wilson(sum(flat), len(flat))
print("first answer only, Wilson:     ", percent(first))
print("all answers, pooled (wrong):   ", percent(pooled))
print("all answers, bootstrap:        ", percent(rate))

# %% [markdown]
# The numbers in brackets are an **interval**: the true rates that would make such data unsurprising. Which interval
# is right depends on how the data came about:
#
# - *One answer per puzzle*: forty independent tries. Wilson's interval {cite}`wilson1927probable` fits.
# - *Ten answers per puzzle*: four hundred tries, but in forty groups. Answers to one puzzle resemble each other: an
#   easy puzzle is easy ten times. So we draw whole **puzzles** anew, many times, and see how the rate varies. This is
#   the **bootstrap** over puzzles.
#
# Why not simply pool the four hundred? If the two intervals above are close, look at the row of counts: where hardly
# any puzzle is solved more than once, the groups hide no difference. That is luck of the data, not a rule. Here is a
# made-up model, **a simulation and no measurement**: it knows one puzzle in five by heart and has no idea of the
# rest. Its true rate is 20%. How often does each interval contain that?

# %%
rng = Random(0)
covered = Counter()
for _ in range(200):
    knows = [rng.random() < 0.2 for _ in range(40)]
    groups = [[known] * 10 for known in knows]  # all ten, or none
    pooled = wilson(sum(map(sum, groups)), 400)
    clustered = bootstrap(groups, resamples=400)
    covered["pooled"] += pooled.low <= 0.2 <= pooled.high
    covered["bootstrap"] += clustered.low <= 0.2 <= clustered.high
for name, count in covered.items():
    held = f"{count / 200:.0%} hold the truth, 95% promised"
    print(f"(simulated) {name:>9}: {held}")

# %% [markdown]
# The pooled interval promises 95% and keeps far less, because it counts one puzzle ten times. The rule of this book:
# one answer per problem, Wilson; several, bootstrap over problems; never Wilson over pooled answers.
#
# ### The three scores
#
# A method that returns several answers has more than one score. **First**: its first answer. **Any**: at least one is
# right, as if an oracle picked. **Chosen**: the answer that the method itself would hand in; for IO, the most
# frequent. The step from "chosen" to "any" is what choosing well would be worth. Below the scores: the ten answers
# from above, as a tree.

# %%
for name in ("first", "chosen", "any"):
    solved = sum(getattr(solution, name) for solution in solutions)
    print(f"{name:>7}: {percent(wilson(solved, len(solutions)))}")
tree = next(s for s in solutions if s.problem == "4 6 8 8")
show.svg(tree, max_dropped=None, max_children=None, chars=30)

# %% [markdown]
# **Figure.** Ten answers make a tree of depth one, and the answer chosen is not the right one among them.
#
# There are no grandchildren, and nobody judged the children before they were handed in. All later chapters make this
# tree deeper.
#
# ### Better than dice?
#
# Suppose the model *were* a random player. How likely are at least as many right answers as we saw? The next function
# builds up the distribution of the number of successes, one try at a time.
#
# A second baseline goes through the same pipe as the model: it *writes* random expressions, and our verifier judges
# the text.


# %%
def successes(chances):
    """P(0), P(1), ... successes among independent tries."""
    distribution = [1.0]
    for p in chances:
        pairs = zip([*distribution, 0], [0, *distribution], strict=True)
        distribution = [a * (1 - p) + fewer * p for a, fewer in pairs]
    return distribution


tries = [p for p in chances for _ in range(10)]
p_chance = fsum(successes(tries)[sum(flat) :])
verdict = "may well be" if p_chance > 0.05 else "is probably not"
Markdown(
    f"A random player gets {sum(flat)} or more of these right with"
    f" probability **{p_chance:.2f}**: the model {verdict} no better"
    " than that."
)


# %% tags=["set-up"]
# A second baseline: expressions written at random
def random_expression(numbers, rng):
    """Some expression that uses each number once."""
    parts = [str(n) for n in numbers]
    while len(parts) > 1:
        rng.shuffle(parts)
        a, sign, b = parts.pop(), rng.choice("+-*/"), parts.pop()
        parts.append(f"({a} {sign} {b})")
    return parts[0]


rng, drawn = Random(1), []
for p in puzzles:
    numbers = [int(n) for n in p.x.split()]
    texts = [random_expression(numbers, rng) for _ in range(100)]
    drawn.append([verify(numbers, text)[0] for text in texts])
print(f"random player, exact:         {fmean(chances):.1%}")
print(f"random expressions (dice):    {percent(bootstrap(drawn))}")
print(f"recorded model, 10 a puzzle:  {percent(rate)}")

# %% [markdown]
# Two kinds of dice, two rates. The random player picks among *moves*, and `a - b` and `b - a` are two of them, while
# `a + b` is one. So it subtracts and divides more often than the random writer does, and that rarely helps. "Chance"
# has to be spelled out.
#
# Be honest with such a result. If the interval of the model contains the rate of the dice, then this experiment
# cannot tell the two apart. It does not show that they are equal, either: a model a little better than chance would
# look just the same (exercise 4). The model has learned the *form* of an answer. Whether it knows anything about the
# *value*, in one breath, is another question, and forty puzzles may be too few to answer it.
#
# ## Why the answers fail
#
# The verifier gives a reason with every no, and the reasons can be counted.


# %% tags=["set-up"]
# Each wrong answer by the verifier's reason
def reason(x, answer, score):
    if score.why.startswith("equals"):
        return "obeys the rules, equals another number"
    if score.why != "does not use each number exactly once":
        return score.why
    used, given = (Counter(re.findall(r"\d+", t)) for t in (answer, x))
    if not used - given:
        return "leaves a number out"
    known = used.keys() <= given.keys()
    return "uses a number too often" if known else "invents a number"


found = {}
for sol in solutions:
    for answer, score in zip(sol.answers, sol.scores, strict=True):
        why = reason(sol.problem, answer or "", score)
        found.setdefault(why, []).append(f"{answer} for {sol.problem}")
ranked = sorted(found.items(), key=lambda item: -len(item[1]))
rows = [{"verdict": why, "answers": len(them)} for why, them in ranked]
for row in rows:
    row["for example"] = found[row["verdict"]][0]
show.table(rows)

# %% [markdown]
# **Table.** Four of five answers obey the rules and miss the target.
#
# This fits the suspicion above. In one breath, the model must fix the first sign before it knows where the last will
# lead. A person would try, compute, and take back. [Chapter 4](04_chain_of_thought.ipynb) gives the model room to
# write down steps.
#
# ## Best of k
#
# A weak player with many tries may still get there. Let an answer be right with probability $p$. How often is at
# least one of $k$ right? With $n$ samples, of which $c$ are right, the obvious estimate $1 - (1 - c/n)^k$ is biased
# (exercise 3). The unbiased one {cite}`chen2021evaluating` asks: of all ways to pick $k$ of the $n$ samples, which
# share contains a right one?
#
# $$\text{pass@}k = 1 - \binom{n-c}{k} \Big/ \binom{n}{k}$$


# %%
def pass_k(n, c, k):
    """Share of the k-subsets of n samples with one of the c right."""
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def brute_force(n, c, k):
    """The same by listing all subsets; samples 0 .. c-1 are right."""
    hits = [min(some) < c for some in combinations(range(n), k)]
    return Fraction(sum(hits), len(hits))


for c, k in product(range(11), range(1, 11)):
    assert pass_k(10, c, k) == brute_force(10, c, k)
    assert float(pass_k(10, c, k)) == pass_at_k(10, c, k)
best = {k: round(float(pass_k(10, 3, k)), 3) for k in (1, 2, 5, 8)}
print("3 right of 10:", best)

# %% [markdown]
# The formula, the enumeration and the package agree. Now the curve for the model, and for the random player, whose
# chance we know exactly.
#
# ### Predict: what do ten tries buy?
#
# You know the rate of a single try. Is the best of ten about ten times that? More, or less? What would make it less?

# %% mystnb={"image": {"alt": "Best of k against k from 1 to 10 for the recorded model and for a random player. Both rise steadily and almost in a straight line, the model's curve a little above the random player's, well inside its wide interval."}} tags=["plot", "predict"]
points = []
for k in (1, 2, 3, 5, 10):
    tries = [[pass_at_k(10, sum(group), k)] for group in right]
    model, dice = (
        bootstrap(tries),
        fmean(1 - (1 - p) ** k for p in chances),
    )
    print(f"best of {k:>2}: {percent(model):<20} dice {dice:.1%}")
    rates = {"recorded model, IO": model, "random player (exact)": dice}
    for name, height in rates.items():
        points.append({"method": name, "tries": k, "rate": height})
labels = {"xlabel": "k, tries for each puzzle"}
labels |= {"ylabel": "at least one right"}
figure = plots.success_by_cost(points, x="tries", **labels)
figure.axes[0].set_ylim(0, 0.5)
figure

# %% [markdown]
# **Figure.** The best of ten is ten times as good as one try, for the model: its successes lie on different puzzles.
#
# Where successes are spread thinly over many puzzles, $k$ tries are worth almost $k$ times one try. Where they pile
# up on a few puzzles, the curve flattens early. In the paper GPT-4 starts at 7.3% with one IO answer and reaches 33%
# with the best of 100, on its own hundred puzzles {cite}`yao2023tree`.
#
# ### What the best of k needs
#
# Somebody must know which of the $k$ is right. In this game that is free: checking needs no secret, and a program
# does it. So the best of $k$ *with a free verifier* is a strong and honest baseline, and every search in this book
# has to beat it at equal cost. In most tasks nobody can check; then the true answer, the **gold**, would have to
# pick, and there is no gold in real life. The package keeps the two apart: a search never sees a verifier, and a
# method that uses one says so in its name.
#
# ## What it costs
#
# A **call** is one request. A **round** is a set of calls that do not wait for each other. **Tokens** are the pieces
# of text that a provider bills, those of the prompt included. The ten samples share one call, so the prompt is read
# once. First the package's methods, and what each does with gold; then the bill.

# %% tags=["set-up"]
# What methods do with gold, and what three of them cost
names = ("io", "cot", "cot-sc", "io-best-of-k-gold", "io-refine-checked")
known = [vars(tot.method(name)) for name in names]
heads = {"name": "method", "summary": "what it does", "gold": "gold"}
title = "What a method does with gold."
display(show.table(known, heads, caption=title))
groups = {
    "io, one": [run_io(p, k=1) for p in puzzles],
    "io, 10": solutions,
    "io, 10, gold": [
        run_io(p, 10, "io-best-of-k-gold") for p in puzzles
    ],
}
chosen = [s.chosen for s in groups["io, 10, gold"]]
assert chosen == [s.any for s in solutions]
bills = [
    s.to_dict() | {"method": name}
    for name, group in groups.items()
    for s in group
]
show.cost_table(bills, caption="Means for each puzzle.")

# %% [markdown]
# ## Where it fails
#
# - **The model**: one breath, no second look. It cannot tell a good answer from a bad one before handing it in.
# - **Voting on answers**: no help while right answers are rarer than the favourite mistakes. Chapter 4 looks at this
#   closely.
# - **The verifier**: it judges the finished answer only. It says no, but not at which step things went wrong, and for
#   most tasks outside of games nobody has one.
# - **The experiment**: forty puzzles. The interval of a rate of 20 % reaches from about 10 to 35 %, so only large
#   differences can be seen.
#
# ## Summary
#
# - IO prompting draws an answer from $p_\theta(y \mid \text{prompt}_{IO}(x))$. Examples in the prompt fix the form of
#   the answer, not its truth.
# - A reply is a stranger's text. Parse it, allow what is known to be good, compute with exact fractions, and never
#   evaluate it.
# - A random player is a baseline too. It has a known chance on every puzzle, and a model must beat it before anything
#   else is said.
# - Several answers per puzzle come in groups: bootstrap over puzzles. Pooled intervals promise too much.
# - pass@k estimates the best of k without bias. It is a strong baseline where checking is free, and out of reach
#   where it is not. Gold stays out of search.

# %% [markdown]
# ## Exercises
#
# ### Exercise 1: a sign in front
#
# Our verifiers refuse `-4 + 28`, since the minus belongs to no operation with two sides. Predict: if it were allowed,
# how many verdicts on the recorded answers would change? Allow it, and count.
#
# <details><summary>Hint</summary>
#
# In the tree this is an `ast.UnaryOp` with an `op` of type `ast.USub` and an `operand`. Write a function that handles
# it and leaves the rest to a copy of `value_of` that calls *your* function.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def value_signed(node, used):
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -value_signed(inner, used)
        case ast.BinOp(left, op, right) if type(op) in OPERATIONS:
            both = value_signed(left, used), value_signed(right, used)
            return OPERATIONS[type(op)](*both)
    return value_strict(node, used)


print(check([4, 4, 4, 6], "-4 * (4 - 4 - 6)", value_strict))
print(check([4, 4, 4, 6], "-4 * (4 - 4 - 6)", value_signed))
changed = sum(
    check(exact(sol.problem), answer, value_signed)[0] != score.correct
    for sol in solutions
    for answer, score in zip(sol.answers, sol.scores, strict=True)
)
print(f"{changed} of {judged} verdicts change")
# A choice like this one should be made, and written down, before
# looking at results.

# %% [markdown]
# ### Exercise 2: a verifier with a hole
#
# Somebody compares *digits*: the answer is accepted if it is worth 24 and the digits in it are the digits of the
# puzzle. Find an answer to `4 6 8 8` that this check accepts and that is no solution. Then find one for as many of
# the forty puzzles as you can, by program.
#
# <details><summary>Hint</summary>
#
# Glue two numbers together: `88` from 8 and 8. For the program: try all orders of the digits, cut into numbers, with
# random signs between them.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def digit_check(x, answer):
    try:
        value = value_of(ast.parse(answer, mode="eval").body, [])
    except BROKEN:
        return False
    digits = [sorted(re.findall(r"\d", text)) for text in (answer, x)]
    return value == 24 and digits[0] == digits[1]


def cheat(x, rng, tries=400):
    """An answer that only the digit check takes; or None."""
    joints = ["", " + ", " - ", " * ", " / "]
    for _ in range(tries):
        digits = re.findall(r"\d", x)
        rng.shuffle(digits)
        some = rng.choices(joints, k=len(digits) - 1)
        rest = zip(some, digits[1:], strict=True)
        text = digits[0] + "".join(
            joint + digit for joint, digit in rest
        )
        honest = task.verify(task.problem(x), text).correct
        if digit_check(x, text) and not honest:
            return text
    return None


print("88 - 64 by digits:", digit_check("4 6 8 8", "88 - 64"))
score = task.verify(task.problem("4 6 8 8"), "88 - 64")
print("88 - 64 by numbers:", score.why)
rng = Random(2)
cheats = {p.x: c for p in puzzles if (c := cheat(p.x, rng))}
print(f"cheats for {len(cheats)} of {len(puzzles)} puzzles, such as")
print(*(f"  {x}: {c}" for x, c in list(cheats.items())[:3]), sep="\n")

# %% [markdown]
# ### Exercise 3: the obvious estimate
#
# Is $1 - (1 - c/n)^k$ too high or too low on average? Predict first. Then compute its exact mean for $n = 10$ and a
# true chance of $p = 0.1$, over all values of $c$, and do the same for the unbiased one.
#
# <details><summary>Hint</summary>
#
# $c$ follows a binomial distribution; `successes([0.1] * 10)` is that distribution. The truth is $1 - 0.9^k$.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
weights = successes([0.1] * 10)


def mean_of(estimate):
    return fsum(w * estimate(c) for c, w in enumerate(weights))


rows = []
for k in (1, 2, 5, 10):
    obvious = mean_of(lambda c, k=k: 1 - (1 - c / 10) ** k)
    unbiased = mean_of(lambda c, k=k: pass_at_k(10, c, k))
    row = {"k": k, "truth": f"{1 - 0.9**k:.4f}"}
    row |= {"obvious": f"{obvious:.4f}", "unbiased": f"{unbiased:.4f}"}
    rows.append(row)
# The obvious estimate is too low for every k above 1: (1 - c/n)**k
# bends upwards, so its mean over a scattered c lies above its value
# at the mean of c. The unbiased one meets the truth exactly, and
# needs n >= k samples.
show.table(rows)

# %% [markdown]
# ### Exercise 4: how many puzzles would it take?
#
# Suppose that the model's true rate is the one measured here, and the random player's is the mean of `luck`. How many
# puzzles, with ten answers each, are needed to tell them apart, so that a one-sided test at 5% notices the difference
# in 80% of experiments?
#
# <details><summary>Hint</summary>
#
# Treat answers as independent. By the normal approximation,
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
if p1 > p0:
    spread0, spread1 = ((p * (1 - p)) ** 0.5 for p in (p0, p1))
    spread = z(0.95) * spread0 + z(0.8) * spread1
    needed = spread**2 / (p1 - p0) ** 2
    print(f"{p1:.2%} against {p0:.2%}: about {needed:,.0f} answers,")
    print(f"or {needed / 10:,.0f} puzzles with ten answers each")
    print(f"this chapter has {len(puzzles)}")
else:
    print(f"the model ({p1:.2%}) is not above chance ({p0:.2%})")
    print("no number of puzzles would show that it is")
# Answers to one puzzle are not independent, so in truth it takes
# still more. A cheaper way to learn more is to ask for something
# easier to get right, and to look at steps instead of answers:
# chapter 4 does so.

# %% [markdown]
# ## Further reading
#
# - The game, the five-example IO prompt and the 7.3% of GPT-4: section 4.1 of {cite}`yao2023tree`.
# - The unbiased estimator of pass@k, and why the obvious one is biased: {cite}`chen2021evaluating`.
# - The interval for a proportion: {cite}`wilson1927probable`.
# - In the package: `tot/tasks/game24_rules.py` (solver and verifier), `tot/parse.py` (readers), `tot/stats.py`
#   (intervals).
