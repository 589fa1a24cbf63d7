# %% [markdown]
# # A language model is a distribution
#
# Ask a language model the same question twice, and you may get two different answers. So what can you say about the model
# that will still be true tomorrow? This chapter asks one very simple question many times. It looks at what a single answer is,
# and ends with a way to say how much twenty answers tell you. All that follows in this book rests on these two things.

# %% tags=["set-up"]
# Imports, and the recorded replies
from collections import Counter
from dataclasses import replace
from math import exp, fsum, sqrt
from random import Random

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/02.jsonl")

# %% tags=["remove-input"]
show.concepts.tokens()

# %% [markdown]
# **Figure.** A model writes from left to right, one token at a time, so each answer is a path.
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what $p_\theta(y \mid x)$ means, and compare a model's answers with those of a fair die;
# - explain what temperature does to a token, and what temperature 0 promises and keeps;
# - read a few-shot prompt as a conversation, and say what a vote over many answers can find and what a check can find;
# - put an interval around a success rate, and say how it shrinks with more samples.
#
# ## One question, many answers
#
# Here is perhaps the simplest question there is. It needs no knowledge, and any number in its range is a good answer.


# %%
def pick(temperature, n):
    asked = "Pick a whole number from 1 to 13."
    asked += " Reply with the number only."
    return tot.user(asked, temperature=temperature, max_tokens=4, n=n)


print(*lm([pick(0.7, 10)])[0].texts)

# %% [markdown]
# We asked ten times, and the answers differ. A model with a prompt *is* a probability distribution over texts, and a reply is
# one draw from it. The Tree of Thoughts paper {cite}`yao2023tree` writes this as
#
# $$y \sim p_\theta(y \mid \text{prompt}(x)):$$
#
# wrap the input $x$ in a prompt, and draw the output $y$ from the distribution that the model makes of it. The letter
# $\theta$ stands for the model's parameters, billions of fixed numbers that are the same for every question.
#
# The model does not draw a whole answer at once. It reads and writes **tokens**, which are pieces of words. It draws one token,
# appends it to the text, draws the next one given everything before it, and stops when it draws a special token that
# means "end". The probability of a whole text is therefore a product,
# $p_\theta(y \mid x) = \prod_i p_\theta(y_i \mid x, y_{<i})$, where $y_{<i}$ are the tokens before number $i$. Figure 2.1 shows
# what follows from that: no number can be likelier than its first digit.
#
# ### Predict: is the model a fair die?
#
# A fair die with 13 sides would show each number about eight times in a hundred rolls. We drew a hundred answers at
# temperature 0.7. The model has a favourite, and perhaps some number never comes up.

# %%
cold, hot = lm([pick(0.7, 100), pick(1.5, 100)])
picked = Counter(cold.texts)
favourite, times = picked.most_common(1)[0]
show.Predict(
    "How often does the favourite come up in 100 answers?",
    times,
    low=8,
    high=100,
    shows=f"The favourite is {favourite}.",
)

# %% mystnb={"image": {"alt": "A bar chart of how often each number from 1 to 13 was picked in 100 answers. A dashed line marks the equal share of a fair die. The 7 stands far above it with 19, the 2 was never picked."}} tags=["plot", "predict"]
figure, axis = plt.subplots(figsize=(7.5, 2.8))
numbers = range(1, 14)
counts = [picked[str(number)] for number in numbers]
axis.bar(numbers, counts, color="#0072B2")
axis.axhline(100 / 13, ls="--", color="#D55E00", label="a fair die")
axis.set_xticks(numbers)
axis.set(xlabel="the number picked", ylabel="of 100 answers")
axis.legend()
plt.show()

# %% [markdown]
# **Figure.** The model has a favourite, and not one of these hundred answers is a 2.
#
# A fair die has a favourite, too, if you roll it only a hundred times. So roll a thousand fair dice a hundred times
# each, and look at how often each one shows its own favourite side.

# %%
rng = Random(13)
dice = [rng.choices(numbers, k=100) for _ in range(1000)]
most = [max(Counter(rolls).values()) for rolls in dice]
print(f"a fair die's favourite comes {min(most)} to {max(most)} times,")
partial = sum(m >= times for m in most)
print(f"{times} times or more with {partial} dice of 1000")

# %% [markdown]
# Hardly any die is that lopsided, so this model is not a fair die. (Perhaps it learnt that from us: people who are asked for a
# number have favourites as well.) As for the 2: a number that never comes up may be rare, or it may be forbidden. Many servers
# cut off the least likely tokens before they draw (with settings called top-k, top-p or min-p). Our request sets none of
# these, so the server's defaults applied. To find out, switch the settings off, or ask the server for the probabilities
# themselves. What you sample from belongs to *model, prompt and settings* together.
#
# ### Independent draws
#
# A sample is named by its request and its **index** ([chapter 1](01_reading_and_replaying.ipynb)). Draws of one request are
# **i.i.d.**: independent, since none knows of the others, and identically distributed, since all come from the same
# $p_\theta$. So indices 0 to 9 and 10 to 19 are two trials of the same experiment.

# %% tags=["set-up"]
# The favourites of five trials of ten draws
for first in range(0, 50, 10):
    [trial] = lm([pick(0.7, 100).samples(first, 10)])
    counts = Counter(trial.texts)
    top = max(counts.values())
    best = ", ".join(y for y in counts if counts[y] == top)
    print(f"{first:2} to {first + 9}: {top} of 10 say {best}")

# %% [markdown]
# If you had run only the second trial, you would tell a different story about this model than if you had run only the
# third. One answer is an anecdote.
#
# ## What temperature does
#
# For each next token, a model computes one score for every token that it knows, the **logit**. The **softmax** turns these
# scores into probabilities, and the **temperature** $T$ divides them first: $p_i \propto e^{\ell_i / T}$. In words: the
# probability of token number $i$ is proportional to $e$ to the power of its score over $T$, and all of them are scaled so that
# they add up to 1. The four scores below are a **toy**; we made them up.


# %%
def softmax(logits, temperature):
    top = max(logits)  # without it, exp may overflow; it cancels out
    weights = [exp((logit - top) / temperature) for logit in logits]
    return [weight / fsum(weights) for weight in weights]


toy = {"1": 2.0, "7": 1.3, "5": 0.7, "2": -1.0}

# %% [markdown]
# ### Predict: hot and cold
#
# Think of the four probabilities as the temperature goes down to 0, and as it goes up to 100.

# %%
rows = []
for temperature in (0.05, 0.7, 1.0, 1.5, 100):
    chances = zip(toy, softmax(toy.values(), temperature), strict=True)
    row = {f"p({token})": f"{p:.2f}" for token, p in chances}
    rows.append({"temperature": f"{temperature:g}"} | row)
show.Predict(
    "Where does the order of the four change?",
    "nowhere",
    choices=["near 0", "near 100", "nowhere"],
    shows=show.table(rows),
)

# %% [markdown]
# At low temperatures the highest score takes everything. At high ones all four become equal. The order never changes.
#
# We can test the formula on the recording. Dividing the scores by $T$ is the same as raising the probabilities to the power
# $1/T$ (exercise 2). The shares at 0.7 are already raised to the power $1/0.7$. So if we raise them to the power $0.7 / 1.5$ and
# rescale, we get the shares at 1.5 without asking the model again, if the server cuts off the same tokens at both. This holds for the draw of one *token*. Our model writes
# numbers digit by digit, so it should hold for the first digit.

# %% mystnb={"image": {"alt": "For each first digit three bars: its share at temperature 0.7, the share computed from it for 1.5, and the share seen at 1.5. The digit 1 falls from 38 to a computed 23 and a seen 21 percent; most of the others rise or stay."}} tags=["plot"]
before = Counter(text[:1] for text in cold.texts)
after = Counter(text[:1] for text in hot.texts)
power = {d: (count / 100) ** (0.7 / 1.5) for d, count in before.items()}
computed = {d: 100 * power[d] / fsum(power.values()) for d in before}
bars = {"seen at 0.7": before, "computed for 1.5": computed}
bars["seen at 1.5"] = after
colours, digits = ("#8A96A3", "#D55E00", "#0072B2"), sorted(before)
figure, axis = plt.subplots(figsize=(7.5, 3))
for i, (name, shares) in enumerate(bars.items()):
    places = [place + 0.27 * (i - 1) for place in range(len(digits))]
    look = {"label": name, "color": colours[i]}
    heights = [shares[d] for d in digits]
    axis.bar_label(axis.bar(places, heights, 0.25, **look), fmt="%.0f")
axis.set_xticks(range(len(digits)), digits)
axis.set(xlabel="first digit", ylabel="of 100 answers")
axis.legend()
plt.show()

# %% [markdown]
# **Figure.** From the cold draws alone the formula computes that the digit 1 falls from 38 to 23, and we saw 21.
#
# All these bars come from a hundred draws, so differences of several points are noise: the 8 rose to 20, and the formula
# says 12. (Exercise 4 asks whether the draws show that heat changed anything at all.) The formula levels each *token*, and
# promises nothing about whole *answers*: when the 1 becomes rarer, so do 10 to 13. No answer begins with a 2 even now, although
# heat lifts rare tokens, so it may well be forbidden.
#
# ## Temperature 0
#
# Temperature 0 would divide by zero. By convention it means the limit, always take the likeliest token, which is also called
# **greedy**. Many people set it "to get the model's best answer, always the same". That sentence makes three
# promises: the likeliest answer, the same one each time, and a good one.
#
# ### Predict: is the third promise kept?
#
# We asked five times at temperature 0, for a number, and for a solution of `4 6 8 8` in the Game of 24 (each number used once,
# joined by + - * /, must make 24).

# %%
task = tot.task("game24")
puzzle = task.problem("4 6 8 8")
make_24 = replace(task.io(tot.State(puzzle.x)), temperature=0.0, n=5)
number, expression = lm([pick(0.0, 5), make_24])
verdicts = [task.verify(puzzle, text) for text in expression.texts]
rows = [
    {"number": said, "expression": text, "verdict": verdict.why}
    for said, text, verdict in zip(
        number.texts, expression.texts, verdicts, strict=True
    )
]
show.Predict(
    "How many of the five expressions are right?",
    sum(verdict.correct for verdict in verdicts),
    low=0,
    high=5,
    shows=show.table(rows),
)

# %% [markdown]
# None of the three is kept.
#
# - **Not necessarily the likeliest.** Greedy takes the likeliest *token* each time, which need not lead to the likeliest whole answer.
#   Five numbers begin with a 1. At the first step their probabilities count together, so the 1 wins; only then do the five
#   compete. So greedy says 10, although 7 came up more often in our hundred draws, 19 times against 12 (exercise 3 builds a
#   case where greedy must lose).
# - **Not always the same.** A server that works on several requests at once adds floating-point numbers in another order, and
#   for such numbers `(0.1 + 0.2) + 0.3` is not `0.1 + (0.2 + 0.3)`. If two tokens are almost tied, the winner can
#   change. The one expression that differs may be such a case.
# - **Not always right.** If the likeliest tokens lead to a wrong answer, you get that wrong answer every time.
#
# What temperature 0 does give you is little spread. A search wants the opposite, since five draws that agree tell
# it no more than one. The searches of this book sample at 0.7, as the paper does. So do its judges, because it is also worth
# knowing how far their verdicts agree.
#
# ## A prompt is a conversation
#
# The prompt for `4 6 8 8` is the **input-output prompt** (IO) of the Game of 24. A chat model reads a list of
# messages, each with a role.

# %%
show.transcript([(m.role, m.content) for m in make_24.messages])

# %% [markdown]
# The `system` message sets the rules, `user` asks, `assistant` answers. But the model never gave these five answers. We wrote
# them, as **few-shot examples** {cite}`brown2020language`, and the model goes on as if they were its own, in the same
# form. All of this is $\text{prompt}_{IO}(x)$, with $x$ in the last line.
#
# A reply, in turn, is more than its text. It says how many tokens it took and why it ended: `stop`, because the model drew
# its end token, or `length`, because it was cut off at `max_tokens`. If a judge gives its verdict in the last word, a reply that
# was cut off ends before it, with some other word in its place, and the text alone does not show this. So a program should look
# at the reason, and count such a reply as one without a verdict, or ask again with a higher `max_tokens`.
#
# ## What many draws can buy
#
# ### Predict: does heat help?
#
# We draw twenty answers to `4 6 8 8` at 0.7, and twenty hotter ones at 1.5. Perhaps heat gives more *distinct* answers, and
# perhaps more *right* ones. At 0.7, two of twenty are right. (`task.verify` computes the value exactly.)

# %%
rows = []
for heat in (0.7, 1.5):
    request = replace(make_24, temperature=heat, n=20)
    replies = lm([request])[0].texts
    root = tot.State(puzzle.x)
    read = [task.read_io(root, text)[0] for text in replies]
    answers = [one.value.answer for one in read]  # None: it has none
    right = sum(task.verify(puzzle, y).correct for y in answers)
    top, often = Counter(answers).most_common(1)[0]
    row = {"temperature": heat, "different": len(set(answers))}
    peak = f"{top} ({often} x)" if often > 1 else "none came twice"
    rows.append(row | {"right": right, "most frequent": peak})
show.Predict(
    "How many of twenty are right at 1.5?",
    right,
    low=0,
    high=20,
    shows=show.table(rows, caption="Twenty answers at each heat."),
)

# %% [markdown]
# So there is plenty of variety. It can be used in two ways, which need different things.
#
# - A **vote** takes the answer that was drawn most often. Nobody needs to know what is right. It finds the *peak* of the
#   distribution, if there is one. Here there is none: at 0.7 a single answer came twice, `8 + 8 / (6 - 4)`, and that is
#   12.
# - **Coverage** asks whether *at least one* draw is right. Somebody must be able to pick it out, as our verifier can. If
#   one draw is right with probability $p$, then at least one of $k$ independent draws is right with probability
#   $1 - (1 - p)^k$. For $p$ = 10% and $k$ = 20 that is 88%.
#
# A model may do badly in a vote and still have high coverage. Then the right answer is among its draws, and what is missing is a
# way to find it. Much of this book is about finding it without knowing the answer, by a check or by the model's own judgement.
# (How often an answer is drawn says how much the model *likes* it, and not how right it is.)
#
# Two of twenty are right at both temperatures. Before you say that heat makes no difference, ask how far such counts move
# when we draw again.
#
# ## How sure can you be?
#
# Say that $c$ of $n$ samples are right. The best single guess at the model's chance $p$ is $c/n$, but the truth may lie
# higher or lower. The recipe from school says: the rate, plus or minus 1.96 standard errors.

# %%
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # 1.96, for a probability of 95%


def school(c, n):
    rate = c / n
    reach = Z * sqrt(rate * (1 - rate) / n)
    return rate - reach, rate + reach


for c in (0, 1, 3):
    low, high = school(c, 20)
    print(f"{c} of 20 right: [{low:.1%}, {high:.1%}]")

# %% [markdown]
# By this recipe zero successes in 20 draws would *prove* success impossible, and one success would allow a negative chance.
# It fails where we need it most: with few draws, at rates near 0.
#
# Wilson {cite}`wilson1927probable` turned the question round. Take every possible $p$ in turn, and ask whether a rate like
# the one we saw would be within 1.96 standard errors *of that* $p$. The $p$ for which it would are the interval.

# %% tags=["remove-input"]
show.concepts.wilson()

# %% [markdown]
# **Figure.** Each bar is one true rate, and reaches 1.96 of its standard errors to both sides. Those that reach 3 of 20 are
# kept: true rates from 5.2% to 36.0%.
#
# Trying every $p$ on a fine grid is the whole program:


# %%
def plausible(c, n, steps=100_000):
    def near(p):
        return abs(c / n - p) <= Z * sqrt(p * (1 - p) / n)

    kept = [p for i in range(steps + 1) if near(p := i / steps)]
    return min(kept), max(kept)


# %% tags=["checked"]
for c in (0, 1, 3):
    low, high = plausible(c, 20)
    print(f"{c} of 20 right: [{low:.1%}, {high:.1%}]")
    exact = stats.wilson(c, 20)  # solves the quadratic equation instead
    assert abs(low - exact.low) < 1e-4 and abs(high - exact.high) < 1e-4

# %% [markdown]
# ### Predict: is 95% true?
#
# A 95% interval should contain the true $p$ in 95 of 100 experiments. In a simulation we can check this, because there we
# choose the truth. Let $p$ be 5% and $n$ be 20, and use the *school* recipe.


# %%
def held(interval, truth, n=20, trials=4000):
    """How often the interval from n draws holds the truth."""
    rng, times = Random(24), 0
    ends = [interval(c, n) for c in range(n + 1)]
    for _ in range(trials):
        low, high = ends[sum(rng.random() < truth for _ in range(n))]
        times += low <= truth <= high
    return times / trials


def wilson(c, n):
    found = stats.wilson(c, n)
    return found.low, found.high


rows = []
for truth in (0.0088, 0.05, 0.2, 0.5):
    row = {"true p": f"{100 * truth:g}%"}
    row["school holds it"] = f"{held(school, truth):.0%}"
    rows.append(row | {"Wilson": f"{held(wilson, truth):.0%}"})
show.Predict(
    "In how many of 100 experiments does it hold the truth?",
    round(100 * held(school, 0.05)),
    low=0,
    high=100,
    shows=show.table(rows),
)

# %% [markdown]
# The school recipe keeps its promise only in the middle. Wilson's interval stays close to it nearly everywhere; a $p$ just
# below 1% is its worst case at $n = 20$. Counts are whole numbers, so no interval can hit 95% for every $p$
# {cite}`brown2001interval`. For one answer per problem this book uses Wilson's interval, and for several samples of
# each problem the bootstrap of [chapter 3](03_io_and_verifiers.ipynb).
#
# How fast does the interval shrink as you draw more?

# %% mystnb={"image": {"alt": "A band around a rate of 10 percent, against the number of samples from 10 to 640. Its width is marked: 38.6 points at 10 samples, 19.1 at 40, 9.4 at 160, 4.7 at 640."}} tags=["plot"]
sizes = range(10, 650, 10)
band = {n: stats.wilson(n // 10, n) for n in sizes}
low = [b.low for b in band.values()]
high = [b.high for b in band.values()]
plt.fill_between(sizes, low, high, alpha=0.25, label="95% interval")
plt.hlines(0.1, 10, 640, "#D55E00", label="a rate of 10%")
for n in (10, 40, 160, 640):
    one = band[n]
    plt.vlines(n, one.low, one.high, lw=1)
    wide = f"{n}: {100 * (one.high - one.low):.1f} points"
    side = "right" if n > 600 else "left"
    plt.text(n + 4, one.high + 0.004, wide, ha=side)
show.plots.percent(plt.gca())
plt.xlabel("samples")
plt.legend()
plt.show()

# %% [markdown]
# **Figure.** Four times the samples, half the width.
#
# Precision is expensive, so spend your budget on the comparison that matters. With two of twenty on both sides,
# the intervals reach from 3% to 30%: so they do not say whether heat helps. And more samples of `4 6 8 8` would say
# nothing about other puzzles. [Chapter 3](03_io_and_verifiers.ipynb) has those.
#
# > **In practice.** One prompt solves 3 of 20 examples and another 7. The interval of the first reaches to 36% and includes the
# > 35% of the second: draw more, or say that you do not know. Even a rate outside would prove nothing yet, since it has an
# > interval as well. Better run both prompts on the same examples, and count those that only one of them solves ([chapter
# > 4](04_chain_of_thought.ipynb#does-the-chain-pay)).
#
# ## Summary
#
# - You sample from a distribution over texts, made by a model, a prompt and the server's settings. Compare its favourite answer
#   with that of a fair die before you make anything of it.
# - Temperature raises each token's probability to the power $1/T$ and rescales. The order of tokens stays. Heat shrinks the lead of
#   the first, cold enlarges it. At 0 nearly all spread is gone, and the errors are still there.
# - A vote finds the most frequent answer, and nobody needs to know the right one. Coverage says what a check could find
#   among the draws: $1 - (1 - p)^k$.
# - A success rate from few draws needs Wilson's interval. Half the width costs four times the draws.
#
# ## Exercises
#
# ### Exercise 1: never seen
#
# A model failed in all of $n$ tries. How many failures do you need before Wilson's interval says "its chance is below
# 5%"? People use the *rule of three*: the upper end is about $3/n$. Does Wilson's interval agree?
#
# <details><summary>Hint</summary>
#
# Raise $n$ until `stats.wilson(0, n).high < 0.05`. For zero successes the condition of the grid reads
# $p \le 1.96 \sqrt{p (1 - p) / n}$; solve it for $p$.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
tries = range(1, 1000)
enough = next(n for n in tries if stats.wilson(0, n).high < 0.05)
print(f"{enough} failures; the rule of three says {3 / 0.05:.0f}")
for n in (20, 100):
    exact = stats.wilson(0, n).high
    assert abs(exact - Z**2 / (n + Z**2)) < 1e-12  # solved by hand
    print(f"n = {n}: Wilson {exact:.3f}, rule of three {3 / n:.3f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Wilson's upper end is about $3.84/n$. It allows an error of 2.5% on each side, while the rule of three puts all 5% on one side. So
# Wilson's interval is the more cautious of the two.
#
# </details>
#
# ### Exercise 2: temperature without scores
#
# You know a model's probabilities at temperature 1, but not its scores. Write `reheat(probabilities, temperature)`, and check it against
# the toy softmax at 0.3, 0.7 and 2. Why does it not matter that the scores are unknown?
#
# <details><summary>Hint</summary>
#
# $e^{\ell / T} = (e^{\ell})^{1/T}$, and a common factor disappears when you rescale.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def reheat(probabilities, temperature):
    powers = [p ** (1 / temperature) for p in probabilities]
    return [power / fsum(powers) for power in powers]


for temperature in (0.3, 0.7, 2.0):
    again = reheat(softmax(toy.values(), 1.0), temperature)
    direct = softmax(toy.values(), temperature)
    for name, shares in ("from p", again), ("from scores", direct):
        print(temperature, f"{name}:", *(f"{p:.3f}" for p in shares))
# Probabilities fix the scores up to a constant, and that cancels.

# %% [markdown]
# ### Exercise 3: greedy loses
#
# Write a toy model with two tokens to an answer, in which greedy picks an answer with a probability below 25%, while another
# has one above 30%. Prove it by listing all answers.
#
# <details><summary>Hint</summary>
#
# Let the likeliest first token have many continuations, and the second likeliest only one. The recorded model did just that.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
first = {"1": 0.6, "7": 0.4}
second = {"1": {"0": 0.35, "1": 0.25, "2": 0.2, "3": 0.2}}
second["7"] = {"(end)": 1.0}
whole = {}
for a, p in first.items():
    whole |= {a + b: p * q for b, q in second[a].items()}
top = max(first, key=first.get)
greedy = top + max(second[top], key=second[top].get)
best = max(whole, key=whole.get)
print(f"greedy: {greedy} with {whole[greedy]:.2f}")
print(f"likeliest: {best} with {whole[best]:.2f}")

# %% [markdown]
# ### Exercise 4: one distribution or two?
#
# Take the hundred numbers at 0.7 and the hundred at 1.5. Measure how far apart they are: half the sum of the
# absolute differences of their shares. Then shuffle all two hundred together, deal them into two new heaps of a
# hundred, measure again, and repeat a thousand times. Do the same with the *first digits* only. What do you conclude?
#
# <details><summary>Hint</summary>
#
# If the labels "0.7" and "1.5" meant nothing, shuffling them would change nothing. This is called a *permutation test*. Many
# shuffles are exactly as far apart as ours, so use fractions, and count these as well.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def distance(one, other):
    ys = {*one, *other}
    return sum(abs(one.count(y) - other.count(y)) for y in ys) / 200


for name, length in (("numbers", None), ("first digits", 1)):
    one = [text[:length] for text in cold.texts]
    other = [text[:length] for text in hot.texts]
    gap, both = distance(one, other), one + other
    rng, farther = Random(5), 0
    for _ in range(1000):
        rng.shuffle(both)
        farther += distance(both[:100], both[100:]) >= gap
    print(f"{name}: distance {gap:.2f};", end=" ")
    print(f"{farther} of 1000 shuffles are as far apart")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# If few shuffles are as far apart, the two distributions differ. If many are, that does *not* show that they are the same: a hundred
# draws over thirteen numbers reveal only big differences. For the first digits about 6% of the shuffles are as far apart, for
# the whole numbers 23%. So by this distance, a hundred draws at each temperature do not show that heat changed anything, although the
# formula says what it does to each token.
#
# </details>
#
# ## Further reading
#
# - Section 2 of Tree of Thoughts {cite}`yao2023tree`: the notation, in half a page.
# - What happens to text when likelihood is maximised, and why the tail is cut off: {cite}`holtzman2020curious`.
