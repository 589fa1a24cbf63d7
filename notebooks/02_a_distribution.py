# %% [markdown]
# # A language model is a distribution
#
# Ask a language model the same question twice, and you may get two answers. That is not a fault to be worked around. A
# model together with a prompt *is* a probability distribution over texts, and one reply is one draw from it. Most
# of this book is about spending draws well, so we first look at what a single draw is, and at what many of them tell us.
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what $p_\theta(y \mid x)$ means, and name what one sample is: a request and an index;
# - turn many replies into an empirical distribution, and its spread into one number, the entropy;
# - explain what temperature does, and what temperature 0 promises and does not;
# - read a few-shot prompt as a conversation, and a reply's tokens and stop reason;
# - estimate a success rate from $n$ samples with an interval that you built yourself, and say how it shrinks.

# %% tags=["set-up"]
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import exp, fsum, log2, sqrt
from random import Random

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

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
# Ten draws from one distribution. The Tree of Thoughts paper {cite}`yao2023tree` writes it like this (section 2), and so shall
# we:
#
# - $x$ is the input, $y$ the output. Both are texts: sequences of **tokens**, the word pieces a model reads and writes.
# - $p_\theta$ is the model. $\theta$ stands for its parameters: billions of fixed numbers, the same for every question.
# - $y \sim p_\theta(y \mid \text{prompt}(x))$ says: wrap the input in a prompt, and draw the output from what the model makes
#   of it. For short: $y \sim p_\theta^{\text{prompt}}(y \mid x)$.
#
# A model does not draw a whole answer at once. It draws one token, appends it, draws the next one given all tokens before it,
# until it draws a special token that means "end". The probability of a whole text is therefore a product:
# $p_\theta(y \mid x) = \prod_i p_\theta(y_i \mid x, y_{<i})$, where $y_i$ is token number $i$ and $y_{<i}$ are those before it. Keep that
# product in mind: it explains the strangest thing in this chapter.
#
# ### Predict: is the model a fair die?
#
# We drew 100 answers, at two settings of a knob called *temperature*. A fair die with 13 sides would give each number about
# the same share. Before you look, write down three guesses: the model's favourite number at temperature 0.7, how often it
# comes up in 100 draws, and whether some number never comes up at all.


# %% tags=["predict"]
def picked(temperature, n=100):
    """How often each number was picked in the first n samples."""
    texts = lm([pick(temperature, n)])[0].texts
    return {number: texts.count(str(number)) for number in range(1, 14)}


cool, hot = picked(0.7), picked(1.5)
never = [number for number in cool if cool[number] + hot[number] == 0]
print("never picked:", *(never or ["none"]))

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
# **Figure.** The model has favourites at both temperatures, and one number never comes up.
#
# But bars of a fair die are uneven too! Whether these are *more* uneven is a question we can answer by simulation:
# roll a fair die a hundred times, measure how far its counts are from equal, and repeat. (We measure in fractions,
# because two dice may be equally uneven, and then rounding must not say that one of them is more so.)


# %%
def unevenness(counts):  # Pearson's chi-square
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
# If almost no fair die is that uneven, the model is not one. It learnt from what people write, and people who are asked for a number
# have favourites, too. A number that never comes up may be just rare. It may also be forbidden: many servers cut off the least
# likely tokens before they draw (settings named top-k, top-p and min-p). Our request does not set them, so the server's own
# defaults held. The distribution we sample from belongs to *model, prompt and settings* together.
#
# ## One number for the spread: entropy
#
# How uncertain is a distribution? Shannon's answer {cite}`shannon1948mathematical` is its **entropy**,
# $H = -\sum_y p(y) \log_2 p(y)$, counted in bits: 0 when one answer is certain, $\log_2 13$ for the fair die. And $2^H$ reads well:
# "as uncertain as this many equally likely answers".
#
# ### Predict: which is more uncertain?
#
# A higher temperature is said to make a model "more random". So at which of the two temperatures should the entropy be higher?


# %% tags=["predict"]
def entropy(counts):
    total = sum(counts)
    return fsum(c / total * log2(total / c) for c in counts if c)


cases = {"0.7": cool.values(), "1.5": hot.values()}
cases["fair die"] = [1] * 13
for name, counts in cases.items():
    bits = entropy(counts)
    alike = f"{2**bits:.1f} equally likely"
    print(f"{name:>8}: {bits:.2f} bits, like {alike}")

# %% [markdown]
# These are estimates from 100 draws, and a little too low: what is rare is often missed altogether. Was your prediction right? If
# the two hardly differ, or the order is the wrong way round, keep the puzzle in mind for the next section.
#
# ## What temperature does
#
# For each next token, a model computes one number per token of its vocabulary, a score called a *logit*. The **softmax**
# makes probabilities of the scores, and the temperature $T$ divides them first: $p_i \propto e^{\ell_i / T}$. So little code
# is worth writing down. The four scores below are a **toy**: we made them up.


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

# %% tags=["predict"]
for temperature in (0.05, 0.7, 1.0, 1.5, 100):
    chances = zip(toy, softmax(toy.values(), temperature), strict=True)
    row = [f"p({token}) = {p:.2f}" for token, p in chances]
    print(f"T = {temperature:<5}", *row, sep="  ")

# %% [markdown]
# Cold: the highest score takes all. Hot: all become equal. The order never changes. Temperature 0 would divide by zero; by
# convention it means the limit, "always take the top token", also called **greedy**.
#
# The formula makes a promise that we can test on the recording. Dividing scores by $T$ is the same as raising probabilities to
# the power $1/T$. So from the shares at 0.7 we can compute the shares at 1.5 without asking the model: raise them to the power
# $0.7 / 1.5$, and rescale. But careful: this holds for one draw of one *token*. Is a number from 1 to 13 one token?

# %%
samples = lm([pick(0.7, 100)])[0].samples
for digits in (1, 2):
    written = [s for s in samples if len(s.text) == digits]
    cost = sorted({s.completion_tokens for s in written})
    print(f"digits: {digits}, tokens with the one that ends it: {cost}")

# %% [markdown]
# If longer numbers cost more tokens, the model writes them digit by digit (this one does). Then the law holds for the first digit.


# %%
def first_digits(temperature):
    texts = lm([pick(temperature, 100)])[0].texts
    return Counter(text[:1] for text in texts)


before, after = first_digits(0.7), first_digits(1.5)
power = {d: (count / 100) ** (0.7 / 1.5) for d, count in before.items()}
print("first digit  seen at 0.7  computed for 1.5  seen at 1.5")
for d in sorted(before):
    computed = power[d] / fsum(power.values())
    print(f"{d:>11}  {before[d]:10}%  {computed:15.0%}  {after[d]:10}%")
bits = entropy(before.values()), entropy(after.values())
print(f"entropy: {bits[0]:.2f} bits seen at 0.7, {bits[1]:.2f} at 1.5")

# %% [markdown]
# Compare the last two columns. Both come from 100 draws, so differences of several points are nothing but noise; what matters is
# whether the big change, in the line of the digit 1, was foreseen. Five of the thirteen numbers begin with a 1. The hotter the draw,
# the smaller the lead of that digit, and with it the share of the numbers from 10 to 13.
#
# Here is the answer to the puzzle of the entropies. Heat makes each draw of a *token* more uncertain. It makes no promise about whole *answers*: when a
# token that many answers share becomes rarer, so do all of those answers.
#
# ## Temperature 0
#
# Many people set the temperature to 0 "to get the model's best answer, always the same". That sentence holds three promises.
#
# ### Predict: which of the promises are kept?
#
# We asked at temperature 0 five times: for a number, and for a solution of the Game of 24 puzzle `4 6 8 8`. Will the number be the
# favourite at 0.7? Will the five answers agree? Will they be right?

# %% tags=["predict"]
task = tot.task("game24")
puzzle = task.problem("4 6 8 8")
make_24 = replace(task.io(tot.State(puzzle.x)), temperature=0.0, n=5)
number, expression = lm([pick(0.0, 5), make_24])
print(number.texts)
for text, count in Counter(expression.texts).items():
    print(f"{count} x {text!r}: {task.verify(puzzle, text).why}")

favourite = max(cool, key=cool.get)
digit, times = before.most_common(1)[0]
print(f"Favourite answer at 0.7: {favourite}, {cool[favourite]} of 100")
print(f"Favourite first digit at 0.7: {digit}, {times} of 100")
print("Different numbers in five draws:", len(set(number.texts)))
print("Different expressions:", len(set(expression.texts)))
print(f"Float sums: {(0.1 + 0.2) + 0.3} and {0.1 + (0.2 + 0.3)}")

# %% [markdown]
# - **Not the likeliest answer.** Greedy takes the likeliest *token* each time, and that need not lead to the likeliest whole: the
#   product again. All numbers that start with the same digit add up their chances at the first step, and then share them.
# - **Not always the same.** A server that works on several requests at once adds up floating-point numbers in another order, and
#   the last line above shows what that does. Where two tokens are almost tied, the winner can change. If your recording shows
#   five equal answers, you have seen no tie; you have not been given a promise. (In this book `fsum` adds up floats: it gives the same
#   sum in any order, on every machine.)
# - **Not right.** A distribution that puts its peak on a wrong answer gives it to you every time.
#
# What temperature 0 does promise is little spread. That is useful for a judge, and a waste for a search: five draws that agree
# tell you no more than one. The book's searches sample at 0.7, as the paper does.
#
# ## Samples have names
#
# In this book a sample has a name: the request and an **index**. "Sample 3 of this request" is one fixed text, whoever asks and
# whenever. Draws of one request are **i.i.d.**: independent (no draw knows of the others) and identically distributed (all from the
# same $p_\theta$). So indices 0 to 9 and 10 to 19 are two trials of the same experiment.

# %%
request = pick(0.7, 100)
trials = lm([request.samples(first, 10) for first in range(0, 100, 10)])
one_by_one = tuple(text for trial in trials for text in trial.texts)
assert one_by_one == lm([request])[0].texts
print("samples   first  favourite")
for i, trial in enumerate(trials[:5]):
    best, times = Counter(trial.texts).most_common(1)[0]
    where = f"{10 * i:2} to {10 * i + 9:2}"
    print(f"{where}  {trial.texts[0]:>5}  {best:>9} ({times} of 10)")

# %% [markdown]
# Same model, same prompt, same settings. Whoever ran only the first line would tell another story about this model than whoever ran
# the fourth. One answer is an anecdote; so is one chat that went well.
#
# ## A prompt is a conversation
#
# The second prompt of this chapter is the **input-output prompt** (IO) for the Game of 24: use four numbers once each, with
# `+ - * /`, to make 24 ([chapter 1](01_reading_and_replaying.ipynb) has the rules). A chat model reads a list of messages, each with
# a role.

# %%
for message in make_24.messages:
    content = message.content.replace(". ", ".\n" + 12 * " ")
    line = f"{message.role:>9} | {content}"
    print(show.wrapped(line, indent=" " * 3))

# %% [markdown]
# The `system` message sets the rules, `user` asks, `assistant` answers. But the model never gave these five answers: we wrote
# them, as **few-shot examples** {cite}`brown2020language`. The model continues the conversation as if it had, and so keeps their
# form. This is $\text{prompt}_{IO}(x)$: everything above, with $x$ in the last line.
#
# What comes back is more than a text:

# %%
reply = lm([replace(make_24, temperature=0.7, n=20)])[0]
words = sum(len(m.content.split()) for m in make_24.messages)
print(show.wrapped(reply.samples[0]))
print(f"The prompt: {words} words, {reply.asked.prompt_tokens} tokens")
print("Stop reasons:", dict(Counter(s.finish for s in reply.samples)))

tree_lm = tot.Cassette("cassettes/06.jsonl")
tree_samples = tree_lm.tape.samples.values()
texts = [s.text for s in tree_samples if s.finish == "length"]
print("\nCut off, in the recording of chapter 6:", *texts[:1], sep="\n")

# %% [markdown]
# Tokens outnumber words because digits, brackets and operators are tokens of their own, and because the server wraps each message in
# marks for its role. `finish` says why the text ended. `stop`: the model drew its end token. `length`: it was cut off at `max_tokens`, in
# the middle of whatever it was saying, as in the last lines of the output. A text that was cut off must not be read as finished: it may
# lack just the part that matters, the verdict of a judge or the answer at the end of a chain of thought.
#
# ## From answers to a rate
#
# ### Predict: does heat help?
#
# Hotter draws should give more *different* answers to `4 6 8 8`. Do they also give more *right* ones? Guess how many of 20 are right
# at 0.7, and at 1.5. What is right is no matter of taste: `task.verify` computes exactly.


# %% tags=["predict"]
def attempts(temperature, n):
    """The answers in n replies; None where a reply has none."""
    request = replace(make_24, temperature=temperature, n=n)
    root, texts = tot.State(puzzle.x), lm([request])[0].texts
    reads = [task.read_io(root, text)[0] for text in texts]
    return [read.value.answer for read in reads]


rows = []
for heat, n in ((0.0, 5), (0.7, 20), (1.5, 20)):
    found = attempts(heat, n)
    right = [y for y in found if task.verify(puzzle, y).correct]
    row = {"temperature": heat, "samples": n}
    rows.append(
        row | {"distinct": len(set(found)), "right": len(right)}
    )
    print(f"right at {heat}:", ", ".join(sorted(set(right))) or "none")
show.table(rows, caption=f"Answers to {puzzle.x}, {lm.name}")

# %% [markdown]
# Compare how many answers are distinct with how many are right: variety is cheap. And which temperature is better? Before you call a
# winner, ask how much the two counts would move if we drew again.
#
# Say $c$ of $n$ samples are right. The best single guess of the model's chance $p$ is $c/n$. But would you bet on it? The true $p$
# could be somewhat higher or lower, and we want to say how much.
#
# ## How sure can we be?
#
# The usual recipe from school: the rate, plus and minus 1.96 standard errors.

# %%
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # 1.96, for a probability of 95 %


def school(c, n):
    rate = c / n
    reach = Z * sqrt(rate * (1 - rate) / n)
    return rate - reach, rate + reach


for c in (0, 1, 3):
    low, high = school(c, 20)
    print(f"{c} of 20 right: [{low:.1%}, {high:.1%}]")

# %% [markdown]
# No success in 20 draws would *prove* that success is impossible, and a few successes would allow a negative chance. The recipe fails just where our small model lives: small $n$, rates near 0.
#
# Wilson's idea {cite}`wilson1927probable` is to turn the question round. Take every possible $p$ in turn. Would an observed rate like
# ours be within 1.96 standard errors *of that* $p$? If so, keep it. The interval is what is kept.

# %% tags=["remove-input"]
show.concepts.wilson(3, 20)

# %% [markdown]
# **Figure.** With 3 of 20 right, true rates from 5.2 % to 36.0 % are kept: under any other, 3 of 20 would be a rare
# accident.
#
# The same by trying every $p$ on a fine grid:


# %%
def plausible(c, n, steps=100_000):
    def near(p):
        return abs(c / n - p) <= Z * sqrt(p * (1 - p) / n)

    kept = [p for i in range(steps + 1) if near(p := i / steps)]
    return min(kept), max(kept)


for c in (0, 1, 3):
    low, high = plausible(c, 20)
    print(f"{c} of 20 right: [{low:.1%}, {high:.1%}]")
    exact = stats.wilson(c, 20)  # solves the quadratic equation instead
    assert abs(low - exact.low) < 1e-4 and abs(high - exact.high) < 1e-4
print("tot.stats.wilson gives the same six numbers")

# %% [markdown]
# ### Predict: is 95 % true?
#
# A 95 % interval should hold the true $p$ in 95 of 100 experiments. We can check, because in a simulation we choose the truth. With
# $n = 20$ and a true $p$ of 5 %, how often will the school recipe hold it? Guess before you run.


# %% tags=["predict"]
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


for truth in (0.05, 0.2, 0.5):
    held = [f"{coverage(way, truth):.0%}" for way in (school, wilson)]
    print(f"true p = {truth:.0%}: school {held[0]}, Wilson {held[1]}")

# %% [markdown]
# The school recipe promises 95 % and keeps it only near the middle. Wilson's stays close everywhere. Not exactly: counts are
# whole numbers, and no interval can hit 95 % for every $p$ {cite}`brown2001interval`. Every rate in this book comes with Wilson's
# interval, or with a bootstrap where problems have several samples each.
#
# How fast does an interval shrink as samples are added?

# %% mystnb={"image": {"alt": "A band around a rate of 10 percent, against the number of samples from 10 to 640. It is wide and lopsided at the left and narrows quickly at first, then ever more slowly."}} tags=["plot"]
for n in (10, 40, 160, 640):
    found = stats.wilson(n // 10, n)
    width = 100 * (found.high - found.low)
    print(f"{n // 10:3} of {n:3}: {found}, {width:.1f} points wide")

sizes = range(10, 650, 10)
band = [stats.wilson(n // 10, n) for n in sizes]
low, high = [b.low for b in band], [b.high for b in band]
plt.fill_between(sizes, low, high, alpha=0.25, label="95 % interval")
plt.plot(sizes, [b.rate for b in band], label="a rate of 10 %")
plt.gca().yaxis.set_major_formatter("{x:.0%}")
plt.xlabel("samples")
plt.legend(frameon=False)
plt.show()

# %% [markdown]
# **Figure.** With more samples the interval shrinks, quickly at first and then ever more slowly.
#
# Four times the samples, half the width: the square root in the formula. So precision is dear, and a budget must be spent on the
# comparison that matters. It also tells how to read this book: with 40 puzzles, a difference of a few points between two methods is no
# finding.
#
# One caution. Our interval is about *this* puzzle and *this* prompt. More samples of `4 6 8 8` say nothing about other puzzles; for
# those we need other puzzles ([chapter 3](03_io_and_verifiers.ipynb)).
#
# ## What it cost
#
# A request for $n$ samples is one call, and its prompt is counted once. The search is the one whose tree opens
# chapter 1, on another puzzle.

# %% tags=["set-up"]
# What the requests of this chapter cost, and one search beside them
knobs = {"style": "lean", "breadth": 5}
tree = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=tree_lm, **knobs)
io_request = replace(make_24, temperature=0.7, n=20)
bills = {
    "pick a number, 100 samples": lm([request])[0].asked,
    "make 24 (IO), 20 samples": lm([io_request])[0].asked,
    "make 24 (ToT-BFS), one search": tree.result.ledger.total,
}
columns = ("calls", "samples", "prompt_tokens", "completion_tokens")
rows = []
for name, bill in bills.items():
    rows.append({"what": name} | {c: getattr(bill, c) for c in columns})
show.table(rows, caption="As asked; replaying them paid for none of it")

# %% [markdown]
# ## Summary
#
# - A model with a prompt and settings is a distribution, $p_\theta^{\text{prompt}}(y \mid x)$. A reply is a draw. Its name is a
#   request and an index.
# - Temperature raises each token's probability to the power $1/T$ and rescales: it changes how far the token is drawn at random, never
#   the order of the tokens.
# - Temperature 0 is greedy, token by token: little spread, but neither the likeliest answer, nor always the same, nor right.
# - A rate from $n$ samples needs an interval. Wilson's can be trusted for small $n$ and near 0; it halves when $n$ is four times as
#   large.
#
# ## Exercises
#
# ### Exercise 1: the ends of entropy
#
# Without running anything: what is the entropy of the five greedy answers to "pick a number"? What is the highest entropy that 20
# samples can show, whatever the distribution? Then check.
#
# <details><summary>Hint</summary>
#
# When is every term of the sum as large as it can be? Twenty draws can show at most twenty different answers.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
greedy = entropy(Counter(number.texts).values())
seen = entropy(Counter(attempts(0.7, 20)).values())
print(f"greedy: {greedy:.2f} bits")
print(
    f"twenty different answers: {entropy([1] * 20):.2f} bits = log2(20)"
)
print(f"make 24 at 0.7: {seen:.2f} bits; in truth perhaps far more")

# %% [markdown]
# ### Exercise 2: never seen
#
# A model failed in all of $n$ tries. How many failures do you need before you may say "its chance is below 5 %", with Wilson's
# interval? People use the *rule of three*: the upper end is about $3/n$. Does Wilson's agree?
#
# <details><summary>Hint</summary>
#
# Raise $n$ until `stats.wilson(0, n).high < 0.05`. For zero successes the condition of the grid reads
# $p \le 1.96 \sqrt{p (1 - p) / n}$; solve it for $p$.
#
# </details>

# %% [markdown]
# #### Solution 2

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
# Wilson's end is about $3.84/n$: both of its sides give away 2.5 %, while the rule of three spends all 5 % on one side. It is the
# careful one of the two.
#
# </details>
#
# ### Exercise 3: temperature without scores
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
# #### Solution 3


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
# ### Exercise 4: greedy loses
#
# Write a toy model with two tokens to an answer, in which greedy picks an answer whose probability is below 25 %, while another answer
# has more than 30 %. Prove it by listing all answers.
#
# <details><summary>Hint</summary>
#
# Let the likeliest first token have many continuations, and the second likeliest only one. The recorded model did just that.
#
# </details>

# %% [markdown]
# #### Solution 4

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
# ### Exercise 5: same coin or not?
#
# Do temperatures 0.7 and 1.5 pick numbers from the same distribution? Measure how far apart the two sets of 100 answers are (half the
# sum of the absolute differences of their shares). Then shuffle all 200 answers together, deal them into two new sets of 100,
# measure again, and repeat 1,000 times. What do you conclude? Then do the same for the *first digits* only.
#
# <details><summary>Hint</summary>
#
# If the labels "0.7" and "1.5" meant nothing, shuffling them would change nothing. This is a *permutation test*. Many shuffles are
# exactly as far apart as ours: use fractions, so that they count.
#
# </details>

# %% [markdown]
# #### Solution 5


# %% tags=["hide-cell"]
def share(texts, y):
    return Fraction(texts.count(y), len(texts))


def apart(one, other):
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
        farther += apart(both[:100], both[100:]) >= apart(one, other)
    print(f"{name}: distance {apart(one, other):.2f};", end=" ")
    print(f"{farther} of 1000 shuffles are as far apart")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# If few shuffles are as far apart, the two distributions differ. If many are, that does *not* say that they are the same: 100 draws
# over 13 numbers see only big differences, and "no difference found" and "no difference" are two statements. Fewer categories make
# the test sharper, if they are the right ones. Ours came from the theory, before we looked; trying category after category until one
# "works" would prove nothing.
#
# </details>
#
# ### Exercise 6: at least one
#
# If one draw is right with probability $p$, at least one of $k$ is right with $1 - (1 - p)^k$. Take the rate at 0.7 from the table above
# and put it in for $p$: what comes out for $k = 5$? Compare it with `stats.pass_at_k(n, c, 5)`, which counts how many of all sets of 5
# out of our 20 samples hold a right one. Which is fair? Decide by simulation: true $p$ = 5 %, 20 draws, the average of both over many
# experiments.
#
# <details><summary>Hint</summary>
#
# An estimate is *unbiased* if its average over experiments is the truth. $1 - (1-p)^k$ is curved, so the average of its values is not
# its value at the average.
#
# </details>

# %% [markdown]
# #### Solution 6


# %% tags=["hide-cell"]
def plug_in(c):
    return 1 - (1 - c / 20) ** 5


answers = attempts(0.7, 20)
c = sum(task.verify(puzzle, answer).correct for answer in answers)
print(f"{c} of 20: plug-in {plug_in(c):.1%},", end=" ")
print(f"pass@5 {stats.pass_at_k(20, c, 5):.1%}")

rng, truth, trials = Random(6), 0.05, 20_000
draws = (
    [rng.random() < truth for _ in range(20)] for _ in range(trials)
)
counts = list(map(sum, draws))
print(f"truth: {1 - (1 - truth) ** 5:.1%};", end=" ")
print(f"averages of {trials} experiments:")
print(f"  plug-in {fsum(map(plug_in, counts)) / trials:.1%}")
fair = {c: stats.pass_at_k(20, c, 5) for c in range(21)}
print(f"  pass@5  {fsum(fair[c] for c in counts) / trials:.1%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The plug-in estimate is too low on average; `pass_at_k` is right on average {cite}`chen2021evaluating`. Neither is precise: both
# rest on 20 draws. [Chapter 3](03_io_and_verifiers.ipynb) uses it to ask what the best of $k$ answers is worth.
#
# </details>
#
# ## Further reading
#
# - Section 2 of Tree of Thoughts {cite}`yao2023tree`: the notation, in half a page.
# - What happens to text when likelihood is maximised, and why the tail is cut off: {cite}`holtzman2020curious`.
# - Few-shot prompts: {cite}`brown2020language`. Entropy: {cite}`shannon1948mathematical`.
# - Intervals for a proportion, and how often they hold what they promise: {cite}`wilson1927probable`, {cite}`brown2001interval`.
