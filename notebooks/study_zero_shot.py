# %% [markdown]
# # Studies: readers, ballots and the public questions
#
# What [chapter 9](09_zero_shot_tot.ipynb) has no room for: questions about the same recording, and one about another
# model, each with its answer and its table or picture.

# %% tags=["set-up"]
import json
import re
from itertools import product
from math import comb, fsum
from pathlib import Path
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import (
    chance as p_of,
    difference as gap_of,
    interval,
    load,
)

setup()
N, K = 40, 5
lm = tot.Cassette("cassettes/09.jsonl")
names = {"word problems": "gsm8k", "yes or no": "strategyqa"}
tasks = {name: tot.task(key) for name, key in names.items()}
problems = {name: tasks[name].problems("book")[:N] for name in tasks}


def solve(name, method, **knobs):
    every = problems[name]
    return [
        tot.solve(tasks[name], p, method, lm=lm, **knobs) for p in every
    ]


io = {name: solve(name, "io", k=K) for name in tasks}
cot = {name: solve(name, "cot", k=K) for name in tasks}
voted = {name: solve(name, "cot-sc", k=K) for name in tasks}
trees = {name: solve(name, "tot-vote") for name in tasks}

# %% [markdown]
# ## Which replies does a reader misread?
#
# A usual rule takes the last number of a reply. A stricter one takes the number behind "answer is". The third reader is
# the package's.

# %% tags=["set-up"]
NUMBER = r"-?[\d,]*\.?\d+(?:/\d+)?"


def last_number(reply):
    found = re.findall(NUMBER, reply)
    return found[-1].replace(",", "") if found else None


def my_number(reply, bare=False):
    """``bare``: a reply with one number and no "answer is" will do."""
    *before, said = re.split("answer is", reply, flags=re.IGNORECASE)
    found = re.findall(NUMBER, said)
    if not found or not (before or (bare and len(found) == 1)):
        return None
    return found[0].replace(",", "")


replies = """7 * 6 = 42. The answer is 42 (see step 3).
The answer is $1,250.50 in total.
The answer is **42** km.
The answer is 3/4 of a litre.
The answer is 2 1/2 hours.
The answer is 6 * 7 = 42.
The answer is 3 or 4.
So there are 42 apples.
The answer is forty-two.""".splitlines()
theirs = tasks["word problems"].form.read
rows = []
for text in replies:
    package = theirs(text, False).value
    row = {"reply": text, "last number": last_number(text)}
    row |= {"after 'answer is'": my_number(text), "package": package}
    rows.append({name: str(said) for name, said in row.items()})
show.table(rows)

# %% [markdown]
# **Table.** Made-up replies. The last number misreads five of the nine, by the package's reader, and the short strict
# rule four.
#
# "3 or 4" is no answer: who reads a 3 there gives the model a choice that it did not make. "So there are 42 apples" is
# none either, although a person would take it: where nothing but the answer was asked for, a bare `42` is fine, but
# below a chain of thought, which of its numbers would be the answer?
#
# ## Where do a tree's tokens go?


# %% tags=["set-up"]
def texts(s):
    asked = [e for e in s.trace.events if e["kind"] == "asked"]
    return [event["requests"][0]["samples"] for event in asked]


parts = ("strategies", "ballots on them", "solutions", "their ballots")
rows = []
for name in tasks:
    for i, part in enumerate(parts):
        rounds = [
            said for s in trees[name] for said in texts(s)[i : i + 1]
        ]
        said = [one for samples in rounds for one in samples]
        cut = sum(one["finish"] == "length" for one in said)
        tokens = sum(one["tokens"] for one in said) / len(trees[name])
        row = {"task": name, "round": part, "tokens": round(tokens)}
        rows.append(row | {"cut off": stats.wilson(cut, len(said))})
show.table(rows)

# %% [markdown]
# **Table.** Tokens that a tree writes in each round: nearly all of them are strategies and solutions, and two strategies
# in five are cut off by the limit of their prompt.
#
# A ballot is cheap to write, but its prompt holds all five choices, and reading them is paid for, too.
#
# ## How far is the tree from each other method?


# %% tags=["set-up"]
def score(solutions, chosen):
    if chosen:
        return [float(s.chosen) for s in solutions]
    return [fmean(x.correct for x in s.scores) for s in solutions]


def difference(a, b):
    return stats.bootstrap([[x - y] for x, y in zip(a, b, strict=True)])


pairs, others = [], (("IO", io), ("CoT", cot), ("CoT-SC", voted))
for name in tasks:
    for other, group in others:
        rival = score(group[name], group is voted)
        gain = difference(score(trees[name], True), rival)
        pairs.append({"pair": f"{name}: ToT - {other}", "gain": gain})
for other, group in others:
    tree = score(trees["word problems"], True)
    rival = score(group["word problems"], group is voted)
    gaps = [a - b for a, b in zip(tree, rival, strict=True)]
    p = stats.sign_flips(fmean(gaps[i::12]) for i in range(12))
    print(f"word problems, ToT - {other}, over templates: p = {p:.2g}")

# %% mystnb={"image": {"alt": "How much more often ToT is right than IO, CoT and CoT-SC, for both tasks, as points with intervals; a vertical line marks no difference."}} tags=["plot"]
figure = show.plots.rates(
    pairs, y="gain", name="pair", xlabel="ToT's gain in success"
)
figure.axes[0].set(xlim=(-0.6, 1), xticks=(-0.5, 0, 0.5, 1))
figure.set_figheight(2.8)
figure.axes[0].axvline(0, color="black", linewidth=0.8, zorder=0)
for text in figure.axes[0].texts:  # no line through a number
    text.set_bbox(
        {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    )
figure

# %% [markdown]
# **Figure.** The tree is better than direct answers on word problems, and nowhere ahead of five chains and a count.
#
# On yes or no it shows no gain over a single chain either. The intervals are over problems. The word problems come
# from twelve templates, so theirs are too narrow; with each template as one draw, in the test printed above, the
# difference to CoT-SC could be chance, and the one to IO could not.
#
# ## Do the voters take a place?
#
# The five strategies are samples of one prompt, so a fair voter gives each place a fifth of the ballots, as in [chapter
# 7](07_votes_creative_writing.ipynb). The table tests that: shuffle the places within each tree, 2,000 times, and count
# how often the shares fall as unevenly.


# %% tags=["set-up"]
def tallies(s):
    """The ballots of each choice: for strategies, then solutions."""
    votes = [e for e in s.trace.events if e["kind"] == "evaluated"]
    return [[int(node["value"]) for node in e["nodes"]] for e in votes]


def places(name, stage):
    """Shares of the ballots by place, of trees with five choices."""
    every = [tallies(s) for s in trees[name]]
    every = [tally[stage] for tally in every if len(tally) > stage]
    every = [tally for tally in every if len(tally) == K and sum(tally)]
    return [[votes / sum(tally) for votes in tally] for tally in every]


def unevenness(shares):
    return fsum(
        (fmean(place) - 1 / K) ** 2
        for place in zip(*shares, strict=True)
    )


def by_chance(shares, shuffles=2000):
    """How often shuffled places are as uneven: a permutation test."""
    rng, seen = Random(0), unevenness(shares)
    again = (
        unevenness([rng.sample(share, K) for share in shares])
        for _ in range(shuffles)
    )
    as_far = sum(one >= seen - 1e-9 for one in again)
    return (as_far + 1) / (shuffles + 1)


rows = []
for name, stage in product(tasks, (0, 1)):
    shares = places(name, stage)
    row = {"task": name, "votes on": ("strategies", "solutions")[stage]}
    row["trees"] = len(shares)
    rows.append(row | {"p": f"{by_chance(shares):.2g}"})
show.table(rows)

# %% mystnb={"image": {"alt": "The share of the ballots for choice 1 to choice 5, as a line for strategies and for solutions of both tasks, and the level of a fair voter. All lines are highest at choice 3 or 4; all begin below the fair level."}} tags=["plot"]
fig, ax = plt.subplots(figsize=(6, 3))
series = list(product(tasks, (0, 1)))
for (name, stage), marker in zip(
    series, show.plots.MARKERS, strict=False
):
    shares = places(name, stage)
    means = [fmean(share[i] for share in shares) for i in range(K)]
    label = f"{name}: {('strategies', 'solutions')[stage]}"
    ax.plot(range(1, K + 1), means, marker + "-", label=label)
look = {"color": "black", "linewidth": 0.8, "linestyle": "--"}
ax.axhline(1 / K, label="a fair voter", **look)
ax.set(xlabel="place of the choice", ylabel="share of the ballots")
ax.set(xticks=range(1, K + 1))
ax.legend(frameon=False, fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** Two of the four lines are too uneven for chance: solutions of word problems, with place four ahead, and
# strategies for yes-or-no questions, with three and four. The other two cannot tell.
#
# In chapter 7 the same model, asked in nearly the same words, took the first place. So a place bias is no constant that
# one could measure once and subtract. It is a habit of a model *with a prompt*. Among samples of one prompt a voter who
# always takes the fourth does no harm; it draws one thought at random, and the tokens of the ballots are wasted. The
# ballots on solutions of word problems have the strongest favourite, and still that vote picks right ones more often
# than lots do, as chapter 9 shows: a habit and some reading go together.
#
# ## And with 300 problems?
#
# The [worded pocket model](../book/pocket_words_card.md) comes with this book and has 300 problems of its own small
# world that it never met. The same tree and its rivals:

# %% tags=["set-up"]
# The same tree and its rivals on the pocket model
study = load("../studies/results/plans_pay.json")
zero, n, rows = study["zero-shot"], study["n"], []
for row in zero["rows"]:
    line = {"method": row["method"]}
    line |= {"right": interval(row["solved"], n)}
    line |= {"tokens": round(row["written"])}
    line |= {"ToT minus it": "", "p": ""}
    if "the tree" in row:
        line["ToT minus it"] = gap_of(row["the tree"])
        line["p"] = p_of(row["the tree"])
    rows.append(line)
show.table(rows, caption=f"pocket model, {n} held-out problems")

# %% [markdown]
# **Table.** The tree is far ahead of direct answers. Beside a chain, and beside a count at its own price (twelve
# chains), it shows no gain.

# %% tags=["set-up"]
# Each half of the tree against what is free
rows = []
for question, row in zero["against"].items():
    line = {"question": question, "difference": gap_of(row)}
    rows.append(line | {"p": p_of(row)})
show.table(rows)

# %% [markdown]
# **Table.** The vote is no better than any one solution. Five that share a strategy seem to hold a right one less
# often; of four questions, 0.02 is a hint.
#
# ## And the public questions?
#
# The questions of GSM8K and StrategyQA cannot be printed here. Figures can: the same model with the same IO and CoT
# prompts, one sample each, on the first forty questions of a sample of each set. `studies/benchmark_samples.py` measures
# them with your own copy of the files.

# %% tags=["set-up"]
file = Path("../studies/results/benchmark_samples.json")
found = json.loads(file.read_text(encoding="utf-8"))
rows = []
for name, method in product(("gsm8k", "strategyqa"), ("io", "cot")):
    m = found[name][method]
    row = {"task": name, "method": method}
    row["right"] = stats.wilson(m["correct"], m["n"])
    row |= {key: m[key] for key in ("n", "unread")}
    row["tokens read and written"] = m["tokens"]
    rows.append(row | {"date": m["dates"][-1]})


def fisher(a, b, n):
    """Exact two-sided p for a of n right against b of n."""
    ways = [comb(n, i) * comb(n, a + b - i) for i in range(a + b + 1)]
    return sum(w for w in ways if w <= ways[a]) / sum(ways)


print(m["model"])
for name in ("gsm8k", "strategyqa"):
    a, b = (found[name][method]["correct"] for method in ("io", "cot"))
    print(
        f"{name}, io against cot: Fisher's p = {fisher(a, b, 40):.2g}"
    )
show.table(rows)

# %% [markdown]
# **Table.** Chains seem to help with numbers, though less than on our own problems; forty questions barely show it. On
# yes or no neither row is above what a coin would give.
#
# Fisher's test takes the two rows for different questions, since the file has totals only. They are the same ones, and
# a paired test might see more. How many of these forty questions have the answer yes, the file does not say either.
#
# A third or more of the chains is unread: they leave out the line that was asked for. The reader of that day took no
# "Yes, ..." without it for an answer, as today's does on our own questions. So the rate of the chains is a rate of *that
# prompt and that reader*, and too low for what the model could do.
