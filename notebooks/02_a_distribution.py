# %% [markdown]
# # A language model is a distribution
#
# Ask a language model the same question twice, and you may get two answers. What, then, can you say about a model that is
# true tomorrow? You need two things: an idea of what a single answer is, and a way to say how much many of them
# tell you. Both are in this chapter, and every search in this book rests on them.
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what $p_\theta(y \mid x)$ means, and compare a model's answers with those of a fair die;
# - explain what temperature does to a token, and what temperature 0 promises and does not;
# - read a few-shot prompt as a conversation, and tell what a vote over many answers can find and what a check can find;
# - put an interval around a success rate, and say how it shrinks with more samples.

# %% tags=["set-up"]
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import exp, fsum, log2, sqrt
from random import Random

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/02.jsonl")
for session in lm.tape.sessions.values():
    print(f"{session['model']}, recorded on {session['date']}")

# %% [markdown]
# ## One question, many answers
#
# Here is about the simplest question there is. It needs no knowledge and has no wrong answer in its range.


# %%
def pick(temperature, n):
    asked = "Pick a whole number from 1 to 13."
    asked += " Reply with the number only."
    return tot.user(asked, temperature=temperature, max_tokens=4, n=n)


print(*lm([pick(0.7, 10)])[0].texts)

# %% [markdown]
# Ten answers, and they differ. A model with a prompt *is* a probability distribution over texts, and a reply is one draw from it. The Tree of Thoughts paper {cite}`yao2023tree` writes that as
#
# $$y \sim p_\theta(y \mid \text{prompt}(x)):$$
#
# wrap the input $x$ in a prompt, and draw the output $y$ from what the model makes of it. $\theta$ stands for the model's
# parameters, billions of fixed numbers that are the same for every question.
#
# A model does not draw a whole answer at once. Texts are sequences of **tokens**, the word pieces that it reads and writes. It
# draws one token, appends it, draws the next one given all tokens before it, and goes on until it draws a special token that means
# "end". The probability of a whole text is therefore a product,
# $p_\theta(y \mid x) = \prod_i p_\theta(y_i \mid x, y_{<i})$, where $y_{<i}$ are the tokens before number $i$. Keep that
# product in mind: two surprises of this chapter come from it.
#
# ### Predict: is the model a fair die?
#
# We drew 100 answers at each of two settings of a knob called *temperature*. A fair die with 13 sides would give each number about
# the same share. Write down three guesses: the model's favourite number at temperature 0.7, how often it
# comes up in 100 draws, and whether some number never comes up at all.


# %% tags=["set-up"]
# Counting what was picked
def picked(temperature, n=100):
    """How often each number was picked in the first n samples."""
    texts = lm([pick(temperature, n)])[0].texts
    return {number: texts.count(str(number)) for number in range(1, 14)}


cool, hot = picked(0.7), picked(1.5)

# %% mystnb={"image": {"alt": "Two bar charts, for temperatures 0.7 and 1.5: how often each number from 1 to 13 was picked. A dashed line marks the equal share of a fair die; a few bars are far above it, and some are far below or missing."}} tags=["plot", "predict"]
figure, axes = plt.subplots(1, 2, figsize=(7.5, 3), sharey=True)
for axis, name, counts in zip(
    axes, ("0.7", "1.5"), (cool, hot), strict=True
):
    axis.bar(counts.keys(), counts.values(), color="#0072B2")
    axis.axhline(100 / 13, ls="--", color="#D55E00", label="a fair die")
    axis.set(title=f"temperature {name}", xlabel="the number picked")
    axis.set_xticks(range(1, 14, 2))
axes[0].set_ylabel("of 100 answers")
axes[1].legend(frameon=False)
plt.show()

# %% [markdown]
# **Figure.** The model has favourites at both temperatures, and the 2 never comes up.
#
# But bars of a fair die are uneven too. Are these *more* uneven? Roll a fair die a hundred times, measure how far its counts are
# from equal, and repeat.


# %%
def unevenness(counts):  # Pearson's chi-square, in exact fractions:
    # of two dice that are equally uneven, rounding may prefer one
    equal = Fraction(sum(counts), 13)
    return float(sum((count - equal) ** 2 / equal for count in counts))


rng = Random(13)
rolls = [rng.choices(range(13), k=100) for _ in range(500)]
counted = [[roll.count(side) for side in range(13)] for roll in rolls]
dice = [unevenness(counts) for counts in counted]
for name, counts in (("0.7", cool), ("1.5", hot)):
    ours = unevenness(counts.values())
    worse = sum(die >= ours for die in dice)
    print(f"temperature {name}: unevenness {ours:.0f};", end=" ")
    print(f"as uneven or more: {worse} of {len(dice)} dice")

# %% [markdown]
# No fair die in 500 was that uneven, so the model is not one. (Heat did not level the numbers, as you might have expected; a later
# section says why.) It learnt from what people write, and people who are
# asked for a number have favourites, too. A number that never comes up may be merely rare, or forbidden: many servers
# cut off the least likely tokens before they draw (settings named top-k, top-p and min-p). Our request does not set
# them, so the server's own defaults held. What we sample from belongs to *model, prompt and settings* together.
#
# ## What temperature does
#
# For each next token, a model computes one score per token of its vocabulary, a **logit**. The **softmax** makes
# probabilities of the scores, and the **temperature** $T$ divides them first: $p_i \propto e^{\ell_i / T}$. The four scores
# below are a **toy**: we made them up.


# %%
def softmax(logits, temperature):
    top = max(logits)  # without it, exp may overflow; it cancels out
    weights = [exp((logit - top) / temperature) for logit in logits]
    return [weight / fsum(weights) for weight in weights]


toy = {"1": 2.0, "7": 1.3, "5": 0.7, "2": -1.0}

# %% [markdown]
# ### Predict: hot and cold
#
# What will the four probabilities be at a temperature close to 0? And at 100? At which temperatures does the *order* of the four
# change?

# %% tags=["set-up", "predict"]
# Four probabilities at five temperatures
for temperature in (0.05, 0.7, 1.0, 1.5, 100):
    chances = zip(toy, softmax(toy.values(), temperature), strict=True)
    row = [f"p({token}) = {p:.2f}" for token, p in chances]
    print(f"T = {temperature:<5}", *row, sep="  ")

# %% [markdown]
# Cold: the highest score takes all. Hot: all become equal. The order never changes.
#
# The formula can be tested on the recording. Dividing scores by $T$ is the same as raising probabilities to
# the power $1/T$. So from the shares at 0.7 we can compute those at 1.5 without asking the model: raise them to the power
# $0.7 / 1.5$, and rescale. This holds for one draw of one *token*. Is a number from 1 to 13 one token?

# %%
samples = lm([pick(0.7, 100)])[0].samples
for digits in (1, 2):
    written = [s for s in samples if len(s.text) == digits]
    cost = sorted({s.completion_tokens for s in written})
    print(f"digits: {digits}, tokens with the one that ends it: {cost}")

# %% [markdown]
# Longer numbers cost more tokens: this model writes them digit by digit. So the law should hold for the first digit.


# %%
def first_digits(temperature):
    texts = lm([pick(temperature, 100)])[0].texts
    return Counter(text[:1] for text in texts)


before, after = first_digits(0.7), first_digits(1.5)
power = {d: (count / 100) ** (0.7 / 1.5) for d, count in before.items()}

# %% mystnb={"image": {"alt": "For each first digit three bars: its share at temperature 0.7, the share computed from it for 1.5, and the share seen at 1.5. The digit 1 falls from 38 to a computed 23 and a seen 21 percent; most of the others rise or stay."}} tags=["plot"]
digits = sorted(before)
computed = {d: 100 * power[d] / fsum(power.values()) for d in digits}
bars = (
    ("seen at 0.7", before, "#8A96A3"),
    ("computed for 1.5", computed, "#D55E00"),
    ("seen at 1.5", after, "#0072B2"),
)
figure, axis = plt.subplots(figsize=(7.5, 3))
for i, (name, shares, colour) in enumerate(bars):
    places = [place + 0.27 * (i - 1) for place in range(len(digits))]
    heights = [shares[d] for d in digits]
    drawn = axis.bar(places, heights, 0.25, label=name, color=colour)
    axis.bar_label(drawn, [f"{height:.0f}" for height in heights])
axis.set_xticks(range(len(digits)), digits)
axis.set(xlabel="first digit", ylabel="of 100 answers")
axis.legend(frameon=False)
plt.show()

# %% [markdown]
# **Figure.** The fall of the first digit 1 was foreseen from the cold draws alone.
#
# Both sets of bars for 1.5 come from 100 draws, so differences of several points are noise; what counts is the big change.
# Five of the thirteen numbers begin with a 1. The hotter the draw, the smaller the lead of that digit, and with it the
# share of the numbers from 10 to 13.
#
# ### Predict: does heat make the *answers* more varied?
#
# Shannon's **entropy** {cite}`shannon1948mathematical` says in one number how uncertain a distribution is:
# $H = -\sum_y p(y) \log_2 p(y)$ bits. It is 0 when one answer is certain, and $\log_2 13 = 3.70$ for the fair die; $2^H$ reads as
# "as uncertain as this many equally likely answers". At which temperature is it higher: for the first digit, and for the whole number?


# %%
def entropy(counts):
    total = fsum(counts)
    return fsum(c / total * log2(total / c) for c in counts if c)


def apart(one, other, rng, shuffles=2000):
    """Share of shuffles whose entropies differ as much as ours."""

    def gap(a, b):
        bits = [entropy(Counter(texts).values()) for texts in (a, b)]
        return round(abs(bits[0] - bits[1]), 9)

    both, ours, far = [*one, *other], gap(one, other), 0
    for _ in range(shuffles):
        rng.shuffle(both)
        far += gap(both[:100], both[100:]) >= ours
    return far / shuffles


rows, rng = [], Random(5)
cold, warm = lm([pick(0.7, 100), pick(1.5, 100)])
for what, length in (("first digit", 1), ("whole number", None)):
    one = [text[:length] for text in cold.texts]
    other = [text[:length] for text in warm.texts]
    chance = apart(one, other, rng)
    row = {"entropy of the": what}
    for name, texts in (("at 0.7", one), ("at 1.5", other)):
        row[name] = f"{entropy(Counter(texts).values()):.2f} bits"
    rows.append(row | {"by shuffling alone": f"{chance:.0%}"})
show.Predict(
    "Where is the entropy of the whole number higher?",
    "cannot tell" if chance > 0.05 else "it can be told",
    choices=["at 0.7", "at 1.5", "cannot tell"],
    shows=show.table(rows),
)

# %% [markdown]
# The last column says how often so large a gap comes about when heat makes no difference: shuffle all 200 answers, deal them into two
# heaps of 100, measure again (a **permutation test**; exercise 4 writes one). Below 5%, by custom, a difference counts as found. The first digit became more uncertain, as it
# must. For the whole number the two figures cannot be told apart. That is no contradiction: the law, applied to
# each digit in turn, predicts the same entropy at both temperatures.

# %% tags=["checked"]
# the power law applied to both digits
counts, hotter = Counter(cold.texts), {}
for digit in before:
    group = {t: c for t, c in counts.items() if t[:1] == digit}
    powers = {
        t: (c / before[digit]) ** (0.7 / 1.5) for t, c in group.items()
    }
    for text, weight in powers.items():
        share = computed[digit] / 100 * weight / fsum(powers.values())
        hotter[text] = share
print(f"0.7, seen: {entropy(counts.values()):.2f} bits;", end=" ")
print(f"1.5, computed: {entropy(hotter.values()):.2f} bits")

# %% [markdown]
# Heat makes each draw of a *token* more uncertain, and makes no such promise about whole *answers*. At 0.7 the popular
# digit 1 opened the way to five numbers. Heat narrowed that way while it levelled the rest, and the two effects
# cancelled. That is the first surprise of the product.
#
# ## Temperature 0
#
# Temperature 0 would divide by zero. By convention it means the limit, "always take the top token", also called **greedy**.
# Many people set it "to get the model's best answer, always the same". That sentence holds three promises.
#
# ### Predict: which of the promises are kept?
#
# We asked at temperature 0 five times: for a number, and for a solution of the Game of 24 puzzle `4 6 8 8`. Will the number be the
# favourite at 0.7? Will the five answers agree? Will they be right?

# %% tags=["set-up", "predict"]
# Asking at temperature 0
task = tot.task("game24")
puzzle = task.problem("4 6 8 8")
make_24 = replace(task.io(tot.State(puzzle.x)), temperature=0.0, n=5)
number, expression = lm([pick(0.0, 5), make_24])
print("five numbers:", *number.texts)
favourite = max(cool, key=cool.get)
print(
    f"favourite at 0.7: {favourite}, {cool[favourite]} of 100;", end=" "
)
cold_one = int(number.texts[0])
chance = stats.mcnemar(cool[favourite], cool[cold_one])
print(f"{cold_one} came {cool[cold_one]} times")
print(f"so uneven a split, or worse, by a fair coin: {chance:.0%}")
digit, times = before.most_common(1)[0]
print(f"favourite first digit at 0.7: {digit}, {times} of 100")
print("five expressions:")
for text, count in Counter(expression.texts).items():
    print(f"{count} x {text!r}: {task.verify(puzzle, text).why}")

# %% [markdown]
# - **Not surely the likeliest answer.** Greedy takes the likeliest *token* each time, and that need not lead to the likeliest whole:
#   the product's second surprise. All numbers that start with a 1 add up their chances at the first step, and then share them. It
#   said 10, where 7 was our favourite; but a fair coin would often split 31 draws so unevenly, so which of the two is likelier we cannot tell.
# - **Not always the same.** A server that works on several requests at once adds up floating-point numbers in another order, and
#   for such numbers `(0.1 + 0.2) + 0.3` is not `0.1 + (0.2 + 0.3)`. Where two tokens are almost tied, the winner can change; the fifth expression may be such a case.
# - **Not right.** A distribution that peaks at a wrong answer gives it to you every time.
#
# What temperature 0 does promise is little spread. That is useful for a judge, and a waste for a search: five draws that agree
# tell you no more than one. The book's searches sample at 0.7, as the paper does.
#
# ## Independent draws
#
# A sample's name is its request and its **index** ([chapter 1](01_reading_and_replaying.ipynb)). Draws of one request are
# **i.i.d.**: independent (none knows of the others) and identically distributed (all from the same $p_\theta$). So
# indices 0 to 9 and 10 to 19 are two trials of the same experiment.

# %%
request = pick(0.7, 100)
trials = lm([request.samples(first, 10) for first in range(0, 50, 10)])
for first, trial in zip(range(0, 50, 10), trials, strict=True):
    counts = Counter(trial.texts)
    times = max(counts.values())
    best = ", ".join(y for y in counts if counts[y] == times)
    print(
        f"{first:2} to {first + 9}: most often, {times} of 10: {best}"
    )

# %% [markdown]
# Whoever ran only the second line would tell another story about this model than whoever ran the third. One answer is an
# anecdote, and so is one chat that went well.
#
# ## A prompt is a conversation
#
# The second prompt of this chapter is the **input-output prompt** (IO) for the Game of 24. A chat model reads a list of
# messages, each with a role.

# %%
for message in make_24.messages:
    content = message.content.replace(". ", ".\n" + 12 * " ")
    line = f"{message.role:>9} | {content}"
    print(show.wrapped(line, indent=" " * 3))

# %% [markdown]
# The `system` message sets the rules, `user` asks, `assistant` answers. But the model never gave these five answers: we wrote
# them, as **few-shot examples** {cite}`brown2020language`. The model continues the conversation as if it had, and so keeps their
# form. All of it is $\text{prompt}_{IO}(x)$, with $x$ in the last line.
#
# A reply is more than its text. It says how many tokens it cost, and why it ended: `stop`, because the model drew its end
# token, or `length`, because it was cut off at `max_tokens`. Here is one that was cut off, a judge in the recording of chapter 6:

# %%
tree_lm = tot.Cassette("cassettes/06.jsonl")
tree_samples = tree_lm.tape.samples.values()
print(
    next(
        s.sample.text
        for s in tree_samples
        if s.sample.finish == "length"
    )
)

# %% [markdown]
# The verdict would have been its last word, and is missing. A text that was cut off must not be read as finished.
#
# ## What many draws can buy
#
# ### Predict: does heat help?
#
# Hotter draws should give more *different* answers to `4 6 8 8`. Do they also give more *right* ones? Guess how many of 20 are right
# at 0.7, and at 1.5. What is right is no matter of taste: `task.verify` computes exactly.


# %% tags=["set-up", "predict"]
# Twenty answers at each temperature, checked
def attempts(temperature, n):
    """The answers in n replies; None where a reply has none."""
    request = replace(make_24, temperature=temperature, n=n)
    root, texts = tot.State(puzzle.x), lm([request])[0].texts
    reads = [task.read_io(root, text)[0] for text in texts]
    return [read.value.answer for read in reads]


rows = []
for heat, n in ((0.7, 20), (1.5, 20)):
    found = attempts(heat, n)
    right = [y for y in found if task.verify(puzzle, y).correct]
    top, times = Counter(found).most_common(1)[0]
    row = {"temperature": heat, "samples": n}
    row |= {"distinct": len(set(found)), "right": len(right)}
    peak = f"{top} ({times} x)" if times > 1 else "none came twice"
    rows.append(row | {"most frequent": peak})
show.table(rows)

# %% [markdown]
# **Table.** Answers to `4 6 8 8`. Nearly all of them differ, and few are right.
#
# Variety is cheap. There are two ways to use so many draws, and they need
# different things.
#
# - A **vote** takes the answer that was drawn most often. It needs nobody who knows, and finds the *peak* of the
#   distribution, if one stands out. Here none does: at 0.7 a single answer came twice, `8 + 8 / (6 - 4)`. That is 12, so the vote is lost.
# - **Coverage** asks whether *at least one* draw is right. It needs somebody who can pick the right one out, such as our
#   verifier, and finds what lies away from the peak. If one draw is right with probability $p$, at least one of $k$
#   independent draws is with $1 - (1 - p)^k$: for $p$ = 10% and $k$ = 20 that is 88%.
#
# A model can be hopeless in a vote and rich in coverage, and much of this book is about getting at the second without
# anyone who knows the answer. Both depend on $p$. And which temperature is better, with two right answers
# each? Before you call a winner or a draw, ask how far two such counts would move if we drew again.
#
# ## How sure can you be?
#
# Say $c$ of $n$ samples are right. The best single guess at the model's chance $p$ is $c/n$, but $p$ may be higher or
# lower. The usual recipe from school: the rate, plus and minus 1.96 standard errors.

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
# No success in 20 draws would *prove* that success is impossible, and a few successes would allow a negative chance. The
# recipe fails just where a small model lives: small $n$, rates near 0.
#
# Wilson's idea {cite}`wilson1927probable` is to turn the question round. Take every possible $p$ in turn. Would an observed rate like
# ours be within 1.96 standard errors *of that* $p$? If so, keep it. The interval is what is kept.

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
# A 95% interval should hold the true $p$ in 95 of 100 experiments. We can check, because in a simulation we choose the truth. With
# $n = 20$ and a true $p$ of 5%, how often will the *school* recipe hold it?


# %%
def coverage(interval, truth, n=20, trials=4000):
    rng, held = Random(24), 0
    ends = [interval(c, n) for c in range(n + 1)]
    for _ in range(trials):
        low, high = ends[sum(rng.random() < truth for _ in range(n))]
        held += low <= truth <= high
    return held / trials


def wilson(c, n):
    found = stats.wilson(c, n)
    return found.low, found.high


rows = []
for truth in (0.0088, 0.05, 0.2, 0.5):
    row = {"true p": f"{100 * truth:g}%"}
    row["school holds it"] = f"{coverage(school, truth):.0%}"
    rows.append(row | {"Wilson": f"{coverage(wilson, truth):.0%}"})
show.Predict(
    "In how many of 100 experiments does it hold the truth?",
    round(100 * coverage(school, 0.05)),
    low=0,
    high=100,
    shows=show.table(rows),
)

# %% [markdown]
# The school recipe promises 95% and keeps it only near the middle. Wilson's stays close nearly everywhere; a $p$ just below 1%
# is its worst case at $n = 20$. Counts are whole numbers, and no interval can hit 95% for every $p$ {cite}`brown2001interval`. Where a rate rests on one answer per
# problem this book shows Wilson's interval; where problems have several samples each, a bootstrap
# ([chapter 3](03_io_and_verifiers.ipynb)).
#
# How fast does it shrink as samples are added?

# %% mystnb={"image": {"alt": "A band around a rate of 10 percent, against the number of samples from 10 to 640. Its width is marked: 38.6 points at 10 samples, 19.1 at 40, 9.4 at 160, 4.7 at 640."}} tags=["plot"]
sizes = range(10, 650, 10)
band = [stats.wilson(n // 10, n) for n in sizes]
low, high = [b.low for b in band], [b.high for b in band]
plt.fill_between(sizes, low, high, alpha=0.25, label="95% interval")
plt.plot(sizes, [b.rate for b in band], label="a rate of 10%")
for n in (10, 40, 160, 640):
    found = stats.wilson(n // 10, n)
    wide = 100 * (found.high - found.low)
    plt.plot([n, n], [found.low, found.high], color="#0072B2", lw=1)
    side = "right" if n > 600 else "left"
    plt.text(
        n + 4, found.high + 0.004, f"{n}: {wide:.1f} points", ha=side
    )
plt.gca().yaxis.set_major_formatter("{x:.0%}")
plt.xlabel("samples")
plt.legend(frameon=False)
plt.show()

# %% [markdown]
# **Figure.** Four times the samples, half the width.
#
# So precision is expensive, and a budget must be spent on the comparison that matters. It also tells you how to read this book:
# with 40 puzzles, a difference of a few points between two methods is no finding. Nor do more samples of `4 6 8 8` say
# anything about other puzzles. For those you need other puzzles, and [chapter 3](03_io_and_verifiers.ipynb) has them.
#
# > **In practice.** Before you compare two prompts on twenty examples each, look up the interval of twenty. If the other
# > rate lies inside it, draw more, or say that you cannot tell. Outside it proves nothing yet, since that rate has an interval, too.
#
# ## Summary
#
# - What you sample from is a distribution over texts, made by a model, a prompt and the server's settings. A favourite is a
#   peak of it, and only comparison with a fair die shows that it is no accident.
# - Temperature raises each token's probability to the power $1/T$ and rescales. The order of tokens stays, their lead shrinks,
#   and nothing follows for the variety of whole answers. At 0 the spread is gone, the errors are not.
# - A vote finds a peak, if there is one, without anyone who knows the answer; coverage counts what a check could find among the draws.
# - A success rate from few draws needs Wilson's interval. Half the width costs four times the draws.
#
# ## Exercises
#
# ### Exercise 1: never seen
#
# A model failed in all of $n$ tries. How many failures do you need before you may say "its chance is below 5%", with Wilson's
# interval? People use the *rule of three*: the upper end is about $3/n$. Does Wilson's agree?
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
# Wilson's end is about $3.84/n$: both of its sides give away 2.5%, while the rule of three spends all 5% on one side. It is the
# careful one of the two.
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
    both = zip(again, direct, strict=True)
    assert all(abs(a - b) < 1e-12 for a, b in both)
    print(f"T = {temperature}:", *(f"{p:.3f}" for p in again))
# Probabilities fix the scores up to a constant, and that cancels:
# p = e^(l + c) / sum e^(l + c), whatever c is.

# %% [markdown]
# ### Exercise 3: greedy loses
#
# Write a toy model with two tokens to an answer, in which greedy picks an answer whose probability is below 25%, while another answer
# has more than 30%. Prove it by listing all answers.
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
whole = {
    a + b: p * q for a, p in first.items() for b, q in second[a].items()
}
top = max(first, key=first.get)
greedy = top + max(second[top], key=second[top].get)
assert abs(fsum(whole.values()) - 1) < 1e-12
assert whole[greedy] < 0.25 and max(whole.values()) > 0.3
best = max(whole, key=whole.get)
print(f"greedy: {greedy} with {whole[greedy]:.2f}")
print(f"likeliest: {best} with {whole[best]:.2f}")

# %% [markdown]
# ### Exercise 4: same coin or not?
#
# Do temperatures 0.7 and 1.5 pick numbers from the same distribution? Measure how far apart the two sets of 100 answers are (half the
# sum of the absolute differences of their shares). Then shuffle all 200 answers together, deal them into two new sets of 100,
# measure again, and repeat 1,000 times. Then do the same for the *first digits* only. What do you conclude, and does it agree with the
# entropies above?
#
# <details><summary>Hint</summary>
#
# If the labels "0.7" and "1.5" meant nothing, shuffling them would change nothing. This is a *permutation test*. Many shuffles are
# exactly as far apart as ours: use fractions, so that they count.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def share(texts, y):
    return Fraction(texts.count(y), len(texts))


def distance(one, other):
    every = {*one, *other}
    gaps = [abs(share(one, y) - share(other, y)) for y in every]
    return float(sum(gaps) / 2)


low_t, high_t = lm([pick(0.7, 100), pick(1.5, 100)])
for name, length in (("numbers", None), ("first digits", 1)):
    one = [text[:length] for text in low_t.texts]
    other = [text[:length] for text in high_t.texts]
    both, rng, farther = one + other, Random(5), 0
    for _ in range(1000):
        rng.shuffle(both)
        farther += distance(both[:100], both[100:]) >= distance(
            one, other
        )
    gap = distance(one, other)
    print(f"{name}: distance {gap:.2f};", end=" ")
    print(f"{farther} of 1000 shuffles are as far apart")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# If few shuffles are as far apart, the two distributions differ. If many are, that does *not* say that they are the same: 100 draws
# over 13 numbers see only big differences, and "no difference found" and "no difference" are two statements. By
# this distance even the first digits stay just above 5%, while by their entropy they were below it: one set of data, two measures.
# The distance adds up every gap, chance gaps included; entropy asks only how level the bars are, and the theory had foretold that they
# would be more level. So that measure was chosen before we looked. Trying measures until one "works" would prove nothing.
#
# </details>
#
# ## Further reading
#
# - Section 2 of Tree of Thoughts {cite}`yao2023tree`: the notation, in half a page.
# - What happens to text when likelihood is maximised, and why the tail is cut off: {cite}`holtzman2020curious`.
# - Few-shot prompts: {cite}`brown2020language`. Entropy: {cite}`shannon1948mathematical`.
# - Intervals for a proportion, and how often they hold what they promise: {cite}`wilson1927probable`, {cite}`brown2001interval`.
