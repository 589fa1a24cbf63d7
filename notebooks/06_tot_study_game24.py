# %% [markdown]
# # The paper's study, on a model of your own
#
# The last chapter searched with a real model in the wild, on ten puzzles. Ten puzzles cannot rank methods. The Tree of
# Thoughts paper {cite}`yao2023tree` used a hundred, and GPT-4. You do not have GPT-4's weights, and perhaps no key. So this
# book brings a language model along that is small enough to search with on a laptop: the **pocket model**. It knows one
# thing, the Game of 24, and it has never seen the hundred puzzles of this chapter.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - repeat the paper's Game-of-24 study live, in minutes, and say what can and what cannot be compared;
# - read a table of methods with its intervals, and compare two methods on the same puzzles with a paired test;
# - tell at which step samples fail, and whether the generator or the evaluator lost the solution;
# - argue with numbers when a tree search is worth its tokens, and when many samples and a free verifier are enough;
# - take a program's help away piece by piece, and say what each piece is worth.

# %% tags=["set-up"]
import json
from pathlib import Path

import matplotlib as mpl

import tot
from tot import show, stats
from tot.lab import Lab
from tot.lm.pocket import Pocket
from tot.nbsetup import setup

setup()
mpl.rcParams["figure.dpi"] = 100  # a small file, with its four figures
game = tot.task("game24")
lm = tot.Cassette("cassettes/06_pocket.jsonl")


def results(name):
    return json.loads(Path(f"../studies/results/{name}").read_text())


def percent(rate):
    estimate, low, high = (100 * r for r in rate)
    return f"{estimate:.1f}% [{low:.1f}, {high:.1f}]"


study = results("game24_pocket.json")
print(f"{study['lm']}, {study['n']} hard puzzles, {study['date']}")

# %% [markdown]
# ## A model that fits in your pocket
#
# The pocket model is a transformer like the large ones, with fewer than a million parameters. [An
# appendix](forward_pass.ipynb) takes one forward pass apart. It was trained in this repository, on text that a solver
# wrote: proposals, verdicts, chains of thought, direct answers. Its [card](../book/pocket_card.md) says how, and what
# was tried before. 400 of the 1,362 puzzles were held out: nothing that it read started from one of them. The split
# `hard` is among those 400.
#
# It answers the prompts of this book's task `game24`. Here it proposes steps for a puzzle that is new to it, and judges
# what is left after one of them. (Try another puzzle: what was not recorded, the model answers now.)


# %%
def ask(request):
    """What was recorded; for another puzzle, the model itself."""
    try:
        return lm([request])[0]
    except tot.Miss:
        return Pocket()([request])[0]


puzzle = study["puzzles"][11]
root = tot.State(puzzle)
reply = ask(game.propose(root, "one-shot"))
print("puzzle", puzzle)
for read in game.read_proposals(root, reply.texts[0]):
    print(f"{'legal' if read.ok else read.why:22} {read.text}")

# %%
child = root.then(game.read_proposals(root, reply.texts[0])[0].value)
verdicts = ask(game.value(child).samples(first=0, n=3))
print("after", child.last.text)
for text in verdicts.texts:
    print(f"{game.read_value(text).value!s:>6}   {text}")

# %% [markdown]
# A verdict of this model is a short search of its own: one or two tries, then the word that the last try deserves. It
# says *sure* when it found a way. When it says *impossible* it only means "I tried twice and missed".
#
# Unlike the model of the last chapter, this one keeps its own books: it writes the numbers that are left, as the paper's
# prompt asks. So this chapter uses a one-shot prompt like the paper's. The program still helps with checking and with the
# answer, which the paper's does not; what that is worth is measured below.
#
# ## The table
#
# The paper's table 2 has six methods; its appendix B.2 repeats three of them with GPT-3.5. Ours has the same ones, on our
# own hundred puzzles: the ranks 901 to 1000 of our list, as theirs are the ranks 901 to 1000 of theirs.
#
# ### Predict: which order?
#
# For GPT-4, sampling a chain of thought was no better than answering directly, and the tree search multiplied the
# success by ten. Write down the order that you expect for a tiny model that was *trained on thoughts*.

# %% tags=["set-up", "predict"]
# The study's rates beside those of tables 2 and 5 of the paper
paper = {  # GPT-4, GPT-3.5
    "IO": ("7.3%", "6%"),
    "CoT": ("4.0%", "3%"),
    "CoT-SC (k=100)": ("9.0%", ""),
    "IO + Refine (k=10, checked)": ("27%", ""),
    "IO, best of 100 (checked)": ("33%", ""),
    "CoT, best of 100 (checked)": ("49%", ""),
    "ToT b=1": ("45%", ""),
    "ToT b=5": ("74%", "19%"),
}
rows = []
for name, row in study["rows"].items():
    gpt4, gpt35 = paper.get(name, ("", ""))
    cost = f"{row['generated tokens']:,.0f}"
    rows.append({"method": name, "pocket model": percent(row["rate"])})
    rows[-1] |= {"tokens out": cost, "GPT-4": gpt4, "GPT-3.5": gpt35}
show.table(rows, caption=f"{study['n']} puzzles; the paper's: its own")

# %% [markdown]
# **Table.** Trees beat single samples for the pocket model as for GPT-4; many chains with a key do better than for
# GPT-4, and breadth does less.
#
# Compare the *shape*, not the rates: other puzzles, another model, our prompts. Some of it mirrors GPT-4. A single
# direct answer is almost never right. Some of it does not:
#
# - A chain of thought helps this model and did not help GPT-4. Ours was trained on chains that end well; GPT-4 had to
#   imitate five examples.
# - Sampling a hundred times and taking the best is much stronger here: the samples of our model differ, and a hundred of them
#   are many attempts.
# - Breadth hardly helps. For GPT-4 it was the difference between less than half and three quarters. We look for the reason below.
# - When the model has to write the answer itself, most of the gain is lost. It reaches 24 step by step and then fails to
#   write the three steps down as one expression. A program does that without mistakes. (In the paper the model writes
#   the answer, too, and nothing is checked either: see the section on the program's help.)
# - Refining lifts GPT-4 well above its best direct answers of as many tries. It does little for ours: ten tries in one
#   conversation solve less than ten independent ones. Of its training data one sequence in a hundred is a refused
#   answer with a better one (see its card).
#
# The rows with several **propose replies** are ours: the propose prompt is asked more than once for each state, and the
# proposals are put together. The paper asks once. (When this model was planned, its aim was the paper's rate at b = 5.
# With one propose reply it misses it; with two it is past it.)
#
# ## Is the difference real?
#
# All methods played the same puzzles. So we can compare them puzzle by puzzle, which is sharper than comparing two
# intervals by eye. An exact test asks: of the puzzles that only one of the two solved, how lopsided is the split?

# %%
solved = study["solved"]
rivals = {
    "tot b=1": "tot b=5",
    "tot b=3": "tot b=5",
    "cot-sc": "tot b=1",
}
for b, a in rivals.items():
    print(f"{a} against {b}:")
    print(show.wrapped(stats.paired(solved[a], solved[b])))

# %% [markdown]
# ## Success and cost
#
# The paper's figure 3 (a) draws success against the number of nodes visited. For IO and CoT, a node is one sample, and
# success means that *one of k* is right: somebody with the key picks. ToT's points are the answers that the method
# chose by itself.


# %% mystnb={"image": {"alt": "Success against states visited. The best of k samples rises steadily up to k = 100 for both IO and CoT, CoT well above IO. The five points of Tree of Thoughts form a flat row, above the curve of IO up to b = 4 and below that of CoT."}} tags=["plot"]
def point(name, label, row):
    return {"method": name, "label": label, **study["rows"][row]}


chosen = "ToT-BFS, chosen"
points = [point(chosen, f"b={b}", f"ToT b={b}") for b in range(1, 6)]
for name, curve in study["best of k"].items():
    for p in curve:
        points.append({"method": name, "label": f"k={p['k']}", **p})
for p in points:
    p["rate"] = stats.Interval(*p["rate"], study["n"])
axis = "states visited"
show.plots.success_by_cost(points, x=axis, xlabel=f"{axis} per puzzle")

# %% [markdown]
# **Figure.** Against states visited, the best of many chains, picked by gold, stands above every tree, and breadth
# moves the tree to the right and hardly up.
#
# A state is not a unit of cost: a direct answer has a dozen tokens, a visited state of the tree search pays for its share
# of a proposal and for three verdicts. So here is the same against generated tokens, and with the searches that ask for
# several propose replies:

# %% mystnb={"image": {"alt": "Success against generated tokens. The curve for the best of k chains of thought lies above the points of Tree of Thoughts with one propose reply; the points with one beam and several propose replies rise steeply and reach its top at fewer tokens."}} tags=["plot"]
wider, more = "ToT b=1, n propose replies", []
for n in (2, 3, 5):
    p = point(wider, f"n={n}", f"ToT b=1, {n} propose replies")
    more.append(p | {"rate": stats.Interval(*p["rate"], study["n"])})
axis, points = "generated tokens", [*points, *more]
show.plots.success_by_cost(points, x=axis, xlabel=f"{axis} per puzzle")

# %% [markdown]
# **Figure.** With one beam and several propose replies the tree reaches the level of the best of a hundred chains for
# fewer tokens.
#
# ### Predict: how many samples for the price of one search?
#
# Take the generated tokens of ToT with b = 5. How many direct answers do they buy, and how often would one of them be
# right?


# %% tags=["predict"]
def at_price(name, tokens):
    """The largest k that costs no more than this, and its success."""
    curve = study["best of k"][name]
    paid = [p for p in curve if p["generated tokens"] <= tokens]
    return max((p["k"], p["rate"][0]) for p in paid)


for b in (1, 5):
    tree = study["rows"][f"ToT b={b}"]
    tokens = tree["generated tokens"]
    print(f"ToT b={b}: {tree['rate'][0]:.0%} for {tokens:.0f} tokens")
    for name in study["best of k"]:
        k, success = at_price(name, tokens)
        print(f"    {name}: k={k}, {success:.0%}, if somebody picks")

# %% [markdown]
# So on this game, with this model, many chains and a free check are a strong baseline: at the price of a search with b = 5 they
# do better than it. Is that unfair, because somebody has to pick the right one? Not in this game. Whether an expression makes
# 24 is a matter of arithmetic, and our tree search uses the same knowledge: the program decides about single numbers. Where
# checking is as hard as solving, only the rows without gold are available to anybody.
#
# But look at the search with one beam and several propose replies, in the picture above.
#
# ## Where do samples fail?
#
# The paper's figure 3 (b) asks at which step a sample is lost. For each of a hundred chains of thought per puzzle, a solver
# looked for the first step after which 24 was out of reach (or which was not legal). For a tree search we ask for the step
# after which no state in the beam could still reach 24.
#
# ### Predict: early or late?
#
# At which of its three steps does a chain usually go wrong?

# %% mystnb={"image": {"alt": "Stacked bars. Four of five chains of thought are lost at step 1. Of the tree searches about a third are lost at step 1, few later, and about two thirds are solved."}} tags=["plot", "predict"]
steps = dict(zip("123", ("step 1", "step 2", "step 3"), strict=True))
steps |= {"4": "answer", "0": "solved"}
parts = [
    {"method": method, "step": steps[step], "count": n}
    for method, counts in study["fails at step"].items()
    for step, n in counts.items()
]
for method, counts in study["fails at step"].items():
    whole = sum(counts.values())
    shares = [
        f"{s} {counts.get(k, 0) / whole:.0%}" for k, s in steps.items()
    ]
    print(f"{method}, {whole:,}:", ", ".join(shares))
axis = "share of samples (CoT) or searches (ToT)"
show.plots.failures(parts, order=list(steps.values()), xlabel=axis)

# %% [markdown]
# **Figure.** Four of five chains are lost at their first step. So are nearly all of the searches that fail.
#
# In the paper, too, most chains are lost there, and what follows is wasted. That is the case for a tree: the decision
# that matters comes first, and a chain makes it blindly.
#
# But the searches are lost there, too. So the question is why.
#
# ## Why do searches fail?
#
# Four causes can be told apart. **Not proposed**: no line kept 24 in reach. **Slip**: such a line was there, and its
# arithmetic or its book-keeping was wrong, so it was refused. **Judged impossible**: a living state was there, and all its
# verdicts said *impossible*. **Not kept**: it was valued higher, and others higher still.

# %%
legal, low, high = study["legal lines"]
print(f"{legal:.1%} [{low:.1%}, {high:.1%}] of the lines are legal")
for numbers, rate in study["legal lines by numbers left"].items():
    print(f"    {percent(rate)} with {numbers} numbers left")
for method, causes in study["causes"].items():
    print(f"{method}: {sum(causes.values())} of {study['n']} failed")
    for cause, n in sorted(causes.items(), key=lambda item: -item[1]):
        print(f"    {n:3}  {cause}")

# %% [markdown]
# Illegal lines come late, where two numbers are left: the model saw few such states in its training. They cost little
# here, since the searches are lost earlier.
#
# How good is the evaluator? A solver split the states that it judged into living and dead ones. The share with at least
# one *sure* among three verdicts should be high for the first group and zero for the second.

# %%
rows = [
    {
        "state": group,
        "n": row["n"],
        "some 'sure'": percent(row["some sure"]),
    }
    for group, row in study["verdicts"].items()
]
show.table(rows, caption="Verdicts on states, by what a solver says.")

# %% [markdown]
# The evaluator is excellent: it misses few living states and praises few dead ones. So there is nothing for a wide beam to
# insure against, and breadth does not pay. Nearly all losses are of one kind, *not proposed*, and most of them happen
# at the first step: no line of the first reply keeps 24 in reach.
# Then no evaluator and no beam can help. More propose replies can, and the rows of the table show how much.
#
# That is the lesson of this chapter: *before you turn a knob, find out which part fails.*
#
# ## Which role matters more?
#
# The paper lets GPT-4 and GPT-3.5 swap roles (appendix B.2): GPT-4 in both 74%, GPT-4 proposing and GPT-3.5 judging 64%,
# the other way round 31%, GPT-3.5 in both 19%. Its conclusion: generation is the bottleneck. We have two models of
# unequal strength, too: the pocket model and an early checkpoint of its training, from the time when it still made many
# mistakes.
#
# ### Predict: will the pocket models agree with that conclusion?

# %% tags=["predict"]
rows = []
for name, rate in study["swap"].items():
    generator, _, evaluator, _ = name.split()
    row = {"generator": generator, "evaluator": evaluator.strip(",")}
    rows.append(row | {"ToT b=5": percent(rate)})
title = f"{study['n']} puzzles; early: an unfinished training"
show.table(rows, caption=title)

# %% tags=["predict"]
both = solved["final generates, final evaluates"]
for early in ("early generates, final", "final generates, early"):
    print(f"final in both roles against {early} evaluates:")
    print(
        show.wrapped(stats.paired(both, solved[f"{early} evaluates"]))
    )

# %% [markdown]
# They agree. A better evaluator does not help a generator that never proposes the right step. Whether the weak
# evaluator costs a good generator anything, a hundred puzzles cannot quite tell: the split is lopsided, but its p is
# above 0.05. The two generators lie far apart.

# %% [markdown]
# ## What is each half worth?
#
# The last chapter asked for a control: a player who knows nothing, in the same scaffold. Here are five **controls** on the
# hundred puzzles. A program stands in for one half of the search, or for both: it draws eight legal steps blindly, or lists
# *all* legal steps; it draws a verdict blindly, or asks a solver (an **oracle**, which nobody has in earnest). None of the
# five is a method. Together they say what the model adds.
#
# ### Predict: whose half is the better one?
#
# Which loses more: the model's steps with blind verdicts, or its verdicts on steps that it did not choose?

# %% tags=["set-up", "predict"]
# A program in place of one half of the search, or of both
pays = results("search_pays.json")
KEYS = ("generator", "judge", "breadth", "proposals", "help")
CELLS = {
    tuple(cell[key] for key in KEYS): cell for cell in pays["cells"]
}


def outcome(steps, judge, b):
    """1 or 0 for each puzzle."""
    return list(map(int, CELLS[steps, judge, b, 1, True]["solved"]))


BLIND, ALL = "program: random legal steps", "program: all legal steps"
COIN, ORACLE, MODEL = (
    "random verdicts",
    "perfect judge (oracle)",
    "final",
)
halves = [(BLIND, COIN), (MODEL, COIN), (ALL, MODEL)]
rows = []
for pair in (*halves, (MODEL, ORACLE), (ALL, ORACLE), (MODEL, MODEL)):
    names = [half.replace(MODEL, "the pocket model") for half in pair]
    row = dict(zip(("steps", "verdicts"), names, strict=True))
    for b in (1, 5):
        right = outcome(*pair, b)
        row[f"b={b}"] = stats.wilson(sum(right), len(right))
    rows.append(row)
show.table(rows, caption=f"CONTROLS and the model; {pays['n']} puzzles")

# %% tags=["predict"]
model = outcome(MODEL, MODEL, 1)
for pair in ((ALL, MODEL), (MODEL, ORACLE), (MODEL, COIN)):
    print(f"b=1, the model in both halves against {' + '.join(pair)}:")
    print(show.wrapped(stats.paired(model, outcome(*pair, 1))))

# %% [markdown]
# **Table.** With all steps listed by a program, the model's verdicts solve nearly everything; its steps need its
# verdicts, and no better ones.
#
# Blind verdicts ruin the search. Here the scaffold alone does next to nothing (on the easy puzzles of
# the last chapter it did more). A perfect judge in place of the model's adds nothing that could be seen: the evaluator
# is as good as it need be. And the row in the middle is the telling one: **let a program list all legal steps, and the
# model's verdicts solve nearly everything.** So the rows with several propose replies, above, come close to a listing
# with a good judge behind it. What does the generator save?

# %%
ways = {"a program lists all steps": (ALL, 1)}
for n in (1, 3, 5):
    ways[f"the model, {n} propose replies"] = MODEL, n
for way, (generator, proposals) in ways.items():
    found = CELLS[generator, MODEL, 1, proposals, True]
    print(f"{way:28} {percent(found['rate'])}", end="  ")
    print(f"{found['tokens']['written']:,} tokens")

# %% [markdown]
# With one reply two thirds of the tokens, and it pays with forty puzzles. At nearly equal success, little. In this game a
# program *can* list the steps. Where it cannot, a good generator is worth all the difference.
# [Chapter 16](16_when_search_pays.ipynb) takes generators and judges of every strength.
#
# ## What is the program's help worth?
#
# In our searches a program helps the model three times. It **refuses** illegal steps. It **judges** the results, single
# numbers and the answers that it has composed of them: 24 is *sure*, anything else is *impossible*. And it **composes** the
# answer from the steps. The paper's search has none of these: every proposed line lives on, GPT-4 values single numbers and
# answers, and it writes the answers, too. The knobs `checked` (the first two) and `compose` turn the help off. (An answer
# that the model writes, the model also judges. So the row in which it writes takes two things away.)
#
# ### Predict: which of the three is worth most?
#
# Before you look, ask what a hundred puzzles can show at all. Suppose that some puzzles are solved by only one of two
# searches. How large must the lead of one of them be before the exact test calls it significant?


# %% tags=["predict"]
def least_lead(differing):
    """In puzzles; None: not even if one search wins them all."""
    splits = ((wins, differing - wins) for wins in range(differing + 1))
    ahead = [(a, b) for a, b in splits if a > b]
    leads = [a - b for a, b in ahead if stats.mcnemar(a, b) < 0.05]
    return min(leads, default=None)


for n in (5, 6, 10, 20, 40):
    print(f"{n:2} puzzles differ: a lead of {least_lead(n)}")

# %% [markdown]
# So a help that is worth less than six of our hundred puzzles cannot show at all.

# %%
help_ = study["help"]["rows"]
full, *others = help_
for name in others:
    test = stats.paired(help_[full]["solved"], help_[name]["solved"])
    print(f"{full} against {name}:")
    print(show.wrapped(test))

# %% mystnb={"image": {"alt": "Success of six searches. With all of the program's help, and where illegal steps are believed, 64 %; where the model writes the answer, 33 %; where the model judges the results, and in both rows without checks, about 20 %. Hollow markers at about 60 % in all rows: a right answer is in the beam."}} tags=["plot"]
rows, any_of = [], {}
for name, row in help_.items():
    rate = stats.Interval(*row["chosen"], study["n"])
    rows.append({"method": name, "rate": rate})
    any_of[name] = row["any of the beam"][0]
oracle = "a right answer is in the beam (gold picks)"
show.plots.rates(rows, references={oracle: any_of})

# %% [markdown]
# **Figure.** Without help a right answer is in the beam nearly as often, and chosen far less often.
#
# The help is worth two thirds of the success, and none of that comes from refusing illegal steps: where they are
# believed, not one of a hundred puzzles changes sides. Now look at the hollow markers. **What is lost is the choice**
# between the five. Why?

# %%
about = study["help"]
print("of the states in the beam are illegal:")
for step, beam in enumerate(about["illegal in the beam"], 1):
    print(f"    after step {step}: {beam['illegal']} of {beam['kept']}")
print("of the states with a single number have a value:")
for number, states in about["single numbers"].items():
    print(f"    {number}: {states['valued']} of {states['n']}")
print("of the answers get some 'sure':")
for writer, judged in about["answers judged"].items():
    for kind, row in judged.items():
        rate = f"{percent(row['some sure'])} of {row['n']}"
        print(f"    {kind}, {writer}: {rate}")

# %% [markdown]
# Two things happened. Asked about a single number, the pocket model **refuses**: there was none in its training, where a
# program judged them. A refusal is an unread verdict and adds nothing. So all single numbers have the value 0, 24 among
# them, and the order of generation decides which five are kept. That hurts less than it might, because the
# children of the best state come first. But then the model judges the answers, and it calls wrong ones *sure* nearly as
# often as right ones.
#
# This is where the ablation breaks: it says what the help is worth to *this* model, which grew up with it. GPT-4 had none.
# Here is how it chose, in [the log that the authors published](../book/authors_logs.md):

# %%
gpt4 = results("authors.json")["game24 tree"]
kinds = ("any of five (checked)", "chosen without gold")
for kind in (*kinds, "composed by program"):
    print(f"{kind:24} {percent(gpt4['success'][kind]['rate'])}")
print("of the states in the beam are illegal:")
for step, beam in gpt4["legality"]["beam"].items():
    illegal = beam["illegal"]
    print(f"    after {step}: {illegal['count']} of {illegal['n']}")

# %% [markdown]
# GPT-4 loses less at the end: of the puzzles whose steps reach 24, most get a right answer, and most of these are chosen.
# It makes more mistakes on the way than the pocket model, and there a program might help it more. (Its puzzles are other
# ones, so only the pattern can be compared.)
#
# Here are ten puzzles, live, with and without help. For a strong model there are prompts of the paper's design as well:
# `tot solve game24 "4 9 10 13" --style paper --lm openai:MODEL` is the paper's search, with as much look-ahead as the model
# likes, and `--checked` brings the checks back. (The pocket model refuses those prompts, and says so.)

# %% tags=["nbval-ignore-output"]
some, pocket = game.problems("hard")[:10], Pocket()
settings = {
    "all help": {},
    "none": {"checked": False, "compose": False},
}
for name, knobs in settings.items():
    runs = [
        tot.solve(game, p, "tot-bfs", lm=pocket, **knobs) for p in some
    ]
    right, reached = (
        sum(r.chosen for r in runs),
        sum(r.any for r in runs),
    )
    print(f"{name}: {right} of {len(some)} right,", end=" ")
    print(f"{reached} with a right answer in the beam")

# %% [markdown]
# ## Your turn: the lab
#
# In Jupyter the next cell is a panel: type a puzzle, choose a method, turn its knobs, and press *Run*. It searches live, with a bill
# that moves while it runs; *Stop* ends it and keeps the best so far. Look into the tree, save its trace, or copy the code
# that does the same. In the static page it is one slider over four recorded searches.

# %% tags=["nbval-ignore-output"]
pairs = [(b, n) for n in (1, 2) for b in (1, 5)]
settings = [{"breadth": b, "proposals": n} for b, n in pairs]
start = {"problem": puzzle, "settings": settings, "size": 64_000}
Lab({"pocket": Pocket()}, recorded=lm, **start)

# %% [markdown]
# **Figure.** Four recorded searches of one puzzle, with one or five beams and one or two propose replies.
#
# And the whole study is yours as well. `make study-game24` runs it live in a few minutes and writes a file like the one that
# this chapter reads. With `SEED=1` it draws other samples: see whether their rates stay inside the intervals above.
#
# ## What can be compared, and what cannot
#
# - **Other puzzles.** Both test sets are the ranks 901 to 1000 of a list, but of different lists: ours is ordered by the luck of a
#   blind player, theirs by how long people take. Where the authors' list is at hand, the study also plays those of its puzzles
#   that were held out:

# %%
theirs = study["held-out puzzles of the authors' 901 to 1000"]
print(f"{theirs['n']} of the paper's own puzzles")
for name in ("IO", "CoT", "ToT b=1", "ToT b=5"):
    print(f"  {name:8} {percent(theirs[name])}")

# %% [markdown]
# - **Another kind of model.** GPT-4 has read the web and solves a thousand kinds of tasks from a few examples. The pocket model
#   was trained on this one, with a solver as its teacher, and much of what it can do may be knowing by heart which *three*
#   numbers make 24. Most of these smaller states also occur below puzzles that it did see. The card reports how many.
# - **Our prompts, our program.** Steps are checked exactly, and the answer is composed by program, except where a row says otherwise.
#
# What carries over is the way of asking: one table, with intervals and costs; where, and why, it fails; which part is to blame.
#
# ## Summary
#
# - A tree search with the paper's settings multiplies the success of single samples, on a model with less than a million
#   parameters that runs on your machine.
# - A diverse model and a free verifier make best-of-k a strong baseline; report it, at equal tokens.
# - Breadth insures against a weak evaluator. Ours is strong, so breadth did nothing; more proposals did.
# - Generation is the bottleneck, here as in the paper: swap the roles and see.
# - Take a program's help away one piece at a time: here refusing illegal steps is worth nothing, and the last look at the
#   result nearly everything.
# - Rates belong to a model, a set of puzzles, prompts and a program together. Shapes travel further than rates.
#
# ## Exercises
#
# ### Exercise 1: how sure is the order?
#
# For every pair of neighbours b and b + 1, test on the same puzzles whether the larger breadth is better. Which steps can a
# hundred puzzles show?
#
# <details><summary>Hint</summary>
#
# `solved["tot b=1"]` is a list of 0 and 1, one for each puzzle. `stats.paired` takes two such lists.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for b in (1, 2, 3, 4):
    test = stats.paired(solved[f"tot b={b + 1}"], solved[f"tot b={b}"])
    print(f"b={b + 1} against b={b}:")
    print(show.wrapped(test))

# %% [markdown]
# ### Exercise 2: is best-of-k lucky on some puzzles, or a little on all?
#
# `study["right of 100"]["CoT"]` has the number of right chains among a hundred, for each puzzle. How many puzzles have
# none? How many have ten or more? Then predict the best of 100 if every puzzle had the same rate, and compare.
#
# <details><summary>Hint</summary>
#
# If every puzzle had the mean rate $r$, at least one of 100 samples would be right with probability $1 - (1 - r)^{100}$.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for name, counts in study["right of 100"].items():
    mean = sum(counts) / (100 * len(counts))
    some = sum(c > 0 for c in counts) / len(counts)
    many = sum(c >= 10 for c in counts)
    print(f"{name}: none right on {counts.count(0)} puzzles,", end=" ")
    print(f"ten or more on {many}")
    alike = 1 - (1 - mean) ** 100
    print(f"    best of 100: {some:.0%} measured,", end=" ")
    print(f"{alike:.1%} if all puzzles were alike")

# %% [markdown]
# ### Exercise 3: how much can more verdicts help?
#
# Suppose each verdict on a living state with three numbers is *sure* with the same probability $p$, independently. Use
# the measured share with at least one *sure* among three to find $p$. What would nine verdicts reach? Why is this too
# hopeful?
#
# <details><summary>Hint</summary>
#
# The share is $1 - (1 - p)^3$.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
living = study["verdicts"]["3 numbers, can reach 24"]
share = living["some sure"][0]
p = 1 - (1 - share) ** (1 / 3)
nine = 1 - (1 - p) ** 9
print(f"p = {p:.2f}; 'sure' in nine verdicts: {nine:.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# States are not alike. Those that were missed three times are the ones that the model does not understand, and it will
# mostly miss them again. The lab has a knob for it.
#
# </details>
#
# ### Exercise 4: a puzzle of your own
#
# Solve `4 9 10 13` and a puzzle with a number above 13 with the live pocket model, from Python. What does it say to a prompt
# that is not a Game of 24?
#
# <details><summary>Hint</summary>
#
# `tot.solve("game24", "4 9 10 13", lm=Pocket())`, and `Pocket()([tot.user("Write a poem.")])`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell", "nbval-ignore-output"]
pocket = Pocket()
for x in ("4 9 10 13", "2 3 5 20"):
    solution = tot.solve("game24", x, lm=pocket)
    verdict = "right" if solution.correct else "wrong"
    print(f"{x}: {solution.answer} ({verdict})")
[reply] = pocket([tot.user("Write a poem.")])
print(reply.samples[0].finish)
print(show.wrapped(reply.texts[0]))

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`yao2023tree`, section 4.1, tables 2 and 5, figure 3, and appendix B.2.
# - The [model card](../book/pocket_card.md): data, training, evaluation, and what was tried.
# - {cite}`chen2021evaluating` for the unbiased estimate of the best of k.
