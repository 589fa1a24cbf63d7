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
# # When does search pay?
#
# You have a model that is sometimes wrong. You can take its first answer, ask it many times, or build a search around
# it. Which? The chapters before show how; this one says *when*. It can be read by itself, and in five minutes if you stop after the picture.
#
# Four words are enough. A **chain** is one answer, written step by step. A **vote** takes the most frequent answer of
# many chains. A **tree** keeps half-done solutions, called **states**, asks the model for next steps, and goes on from
# the best. A **judge**, usually the same model, decides which.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - decide between one chain, a vote, checked samples and a tree, for a problem of your own;
# - say which three measurements decide it, and what twenty problems cannot tell;
# - read a map of gains with its border, and say when not to believe it;
# - use a rough model of success, and know where it errs.

# %% tags=["hide-input", "set-up"]
# Imports, and the study's results
from functools import partial
from itertools import pairwise
from statistics import fmean

from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies import deciding, odds
from treebook.studies.results import area, interval, load, search_of
from treebook.studies.results import rows as table_of

setup()
study = load("../studies/results/search_pays.json")
alone = load("../studies/results/alone.json")  # nobody checks
real = load("../studies/results/heart.json")  # the recorded model
PLAYERS, N = study["players"], study["n"]
read = partial(table_of, study)
gpt4, _ = study["others"].values()
GPT4, QWEN = deciding.guests(study, real)
print(f"{len(study['cells'])} searches on {N} puzzles, {study['date']}")

# %% [markdown]
# ## The picture
#
# Three things decide: who can check, how often single chains are right, and how well the judge knows a good beginning. Each point of the map is a pair of small models that plays the Game of 24 (make 24
# out of four numbers, in three steps). One of the two writes: further right, its single chains are right more often. The other judges: further up, it is better.
#
# Turn the dials, or click into the map: the panel says what to do there. Diamonds are the small models, each judging for itself. The two stars are
# GPT-4 and Qwen, the recorded model of [chapter 6](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles). Press one, and the dials go where it belongs.

# %% tags=["hide-input", "set-up"]
# The dials: their names, their values, where they start
now = deciding.Decisions(study, alone)
CHAIN, AUC, WHO = "one chain is right", "the judge's AUC", "who checks"
REPLIES, REACH = "replies a state", "reach of a state's list"
COSTS, STEPS = "the tree costs", "steps of a solution"
REACHES = (35, 50, 60, 70, 80, 85, 90, 97)


def small(x):
    return f"{x:.1%}" if x > 0.01 else f"{x:.2%}"


dials = {
    CHAIN: [(small(x), x) for x in now.borders[3]["x"]],
    AUC: [(f"{x / 100:.2f}", x / 100) for x in range(50, 101)],
    WHO: [("a program", "program"), ("nobody", "nobody")],
    REPLIES: [("1", 1), ("3", 3)],
    REACH: [(f"{x}%", x / 100) for x in REACHES],
    COSTS: [(f"{k} chains", k) for k in (10, 25, 50, 100)],
    STEPS: [("3", 3), ("5", 5)],
}
start = {CHAIN: "1.0%", AUC: "0.90", REPLIES: "3", REACH: "85%"}
start |= {COSTS: "50 chains"}

# %% tags=["hide-input", "set-up"]
# The calculator: four rates, each from some of the dials
SPREAD_OF_CHAINS, SPREAD_OF_TREES = 0.07, 0.15
one_kept = [row for row in read("predictable") if row["kept"] == 1]
LISTS = {}  # candidates, in the mean of the players
for n in (1, 3):
    rows = [row for row in one_kept if row["replies"] == n]
    LISTS[n] = round(fmean(row["candidates"] for row in rows))


def vote(chain, k):
    return odds.vote(k, chain, SPREAD_OF_CHAINS)


def best(chain, who, k):
    if who == "program":
        return odds.best_of(k, chain, SPREAD_OF_CHAINS)


def tree(auc, who, replies, reach, steps):
    if who == "program":
        here = steps, LISTS[replies], reach, auc
        return odds.tree(*here, spread=SPREAD_OF_TREES)


bars = {
    "one chain": ([CHAIN], float),
    "a vote of as many chains": ([CHAIN, COSTS], vote),
    "the best of them, checked": ([CHAIN, WHO, COSTS], best),
    "the tree, its end checked": (
        [AUC, WHO, REPLIES, REACH, STEPS],
        tree,
    ),
}
name = "When does search pay?"
calculator = show.Dials(dials, bars, start=start, name=name)

# %% tags=["hide-input", "set-up"]
# What was measured: for each decision, and of each player
level, ahead, poor = (
    deciding.measured([row]) for row in read("decision")
)
lists = {
    f"{p['name']}: {kind}": rate
    for p in (GPT4, QWEN)
    for kind, rate in [*p["rates"].items()][:2]
}
led = deciding.measured(table_of(alone, "decision"))
weak = search_of(alone["hard"], "32M", "32M", help=False)
k, voted = weak["chains for it"]["written"], weak["rivals"]["vote"]
none = {"tree, 32M, one reply": interval(weak["rate"], N)}
none[f"vote of {k} chains"] = interval(voted, N)
rates = {"search": ahead, "level": level, "chains": poor}
rates |= {"lists": lists, "alone": led, "vote": none}
cases = {key: deciding.told(key, rates[key]) for key in rates}
keys = {CHAIN: "one chain", AUC: "AUC"}
keys |= {REACH: "reach", REPLIES: "replies"}
players = []
for p in (*deciding.own(study), GPT4, QWEN):
    at = {dial: p[key] for dial, key in keys.items()}
    case = deciding.told(p["name"], **p)
    players.append(show.Player(p["name"], at, case, "lead" in p))

# %% tags=["hide-input", "set-up"]
# The figure
layers = [
    show.Layer(read("map, 3 replies"), now.borders[3]),
    show.Layer(read("map, 1 reply"), now.borders[1]),
    *(show.Layer(now.unchecked[replies]) for replies in (3, 1)),
]
across = show.Axis(
    "one chain", CHAIN, 0.0002, 0.25, log=True, percent=True
)
up = show.Axis("AUC", "judge's AUC", 0.5, 1)
says = "the tree gains", "it loses"
show.Centrefold(
    show.GainMap(layers, across, up, says),
    calculator,
    cases,
    decide=([CHAIN, WHO, REPLIES, REACH, AUC], now.decide),
    layer=(
        [WHO, REPLIES],
        lambda who, n: (n == 1) + 2 * (who == "nobody"),
    ),
    players=players,
)

# %% [markdown]
# **Figure.** When to vote, to check chains, or to search. Points: gains at equal tokens over the best of as many checked chains, or, where nobody checks,
# over their vote (n = 100; coloured where p is below 0.05, [corrected](../book/comparisons.md) for the 48 pairs of a map). The line is where the two break even, fitted to all pairs; dashed, for the other number
# of replies (GPT-4's tree asked for one). Its 95% band holds the luck of the puzzles, the places of the players, and the fit.
#
# Bring three numbers of your own: how often **one chain** is right; the **reach**, how often the model's
# list of proposals for a state that can still be won holds a good next step; and the judge's **AUC**, how often it puts a good half-done solution above a bad one (a coin has 0.5). For the
# first, draw many chains of each problem. For the others, look at twenty solutions whose end you know: a state on the way to a right answer is good; one from which several tries
# all failed counts as bad.
#
# The bars are the guess of a rough model ([how rough](#may-the-calculator-be-trusted)), which does not know judges where nobody checks. If a check has a
# price, see [part two](16_what_does_it_cost.ipynb#who-checks-somebody-who-is-paid). [Chapter 20](20_every_strategy_on_one_board.ipynb) says *which* search.
#
# ## How it was measured
#
# The small models are one: the book's pocket model, stopped at five points of its training, from 8 million tokens (8M) to 32 million, and finished. Each of the six
# **generates** with each of the six as **judge**, on a hundred hard puzzles that none of them had seen. Two programs judge, too: dice (AUC 0.5), and an
# *oracle*, a solver that is always right and that nobody has in practice. A tree asks for three replies a state and keeps the best state. Its rival is
# as many chains of the *same generator* as its written tokens would buy.
#
# Reach and AUC are measured apart from any search.

# %% tags=["set-up"]
# The six players
rows = []
for name, p in PLAYERS.items():
    row = {"player": deciding.called(name)}
    row["one chain"] = small(p["one chain"][0])
    row["reach"] = f"{p['generating']['axis'][0]:.0%}"
    row["AUC"] = area(*p["judging"]["axis"])
    rows.append(row)
show.table(rows, caption=f"n = {N} puzzles; reach of one reply")

# %% [markdown]
# **Table.** Six players. The chains of 8M, the novice, are right in four cases of ten thousand, those of the finished model in one of six.
#
# ### Predict: what can a hundred puzzles show?
#
# Two searches agree on all puzzles but twenty; each of these only one of the two solves. An exact test asks how surprising the split would be
# if both were equally good.

# %%
splits = {won: stats.mcnemar(won, 20 - won) for won in range(13, 17)}
least = min(won for won, p in splits.items() if p < 0.05)
shown = [
    {"split": f"{won} to {20 - won}", "p": f"{p:.3f}"}
    for won, p in splits.items()
]
show.Predict(
    "How many of them must one search win before p is below 0.05?",
    least,
    low=10,
    high=20,
    shows=show.table(shown),
)

# %% [markdown]
# A lead of less than ten puzzles means little, then, where two searches often differ. All pairs together show more than any one of them,
# and the border is fitted to all at once.
#
# ## When a program checks the answer
#
# In this game a program tells at once whether an answer is right: a free check. So anybody may take chain after chain until one passes, and
# *the best of k* chains is the rival to beat. If all problems were equally hard, it would solve $1 - (1 - p)^k$ of them. It solves fewer, because the
# right chains pile up on the easy ones: on a hard problem all $k$ fail together. Here the finished model judges for each of the six.

# %% mystnb={"image": {"alt": "Solved at equal tokens against how often one chain is right, for six generators. The tree rises early, far above the best of k where chains are right in one of a hundred; the two meet where one in six is right. A vote stays far below both."}} tags=["plot"]
points = []
for row in read("by generator"):
    for method in ("tree", "best of k", "vote of k"):
        points.append(row | {"method": method, "rate": row[method]})
figure = show.plots.success_by_cost(
    points,
    x="one chain",
    log=True,
    xlabel="one chain is right",
    ylabel="solved, at equal tokens",
)
figure.axes[0].xaxis.set_major_formatter(
    lambda share, _: f"{100 * share:g}%"
)
figure

# %% [markdown]
# **Figure.** The tree is worth most in the middle: for the player 24M, whose chains are right in 0.7% of cases, it solves 72% of the puzzles, and as
# many tokens' worth of checked chains 19%.
#
# A novice's replies seldom hold a good step, and no search can keep what was never there. The finished model's chains are right so often that
# fifty of them and a check do as well as the tree. Between the two the tree pays. A chain needs three good steps in a row, and one bad
# step costs it everything; a tree pays for a bad step once.
#
# ## The map
#
# Look at the map again. The border rises: a better generator needs a *better* judge. The reason is the rival, since checked chains improve with
# the generator as well. And a judge that sounds decent may help nobody: the lowest row of models has an AUC of 0.71, and no blue point.
#
# With three replies a state the tree clearly gains in 17 of the 48 pairs, and loses in 10. With one reply there are fewer steps to choose from, and the border is
# higher: it gains in two pairs and loses in 14. (For chains that are right up to 92% of the time, see [part
# two](16_what_does_it_cost.ipynb#what-is-a-solved-problem-worth). If a program can *list* every step, a good judge needs no generator: [a
# study](study_when_search_pays.ipynb#what-if-a-program-lists-every-step).)
#
# The players, the shapes of tree and the border were all looked at on the same hundred puzzles. On a hundred others, by which nothing was
# chosen (`studies/held_out.py` lists each use that was made of them), every decision of the panel holds. They are easier for every player: where chains
# are hardly ever right, the tree leads by 39 points instead of 53.
#
# ### GPT-4 on the map
#
# The authors of the paper [published their log](../book/authors_logs.md). GPT-4's chains are right in 4% of cases, and its tree asked for one reply a
# state. Its judge has an AUC of 0.88 on states that GPT-4 proposed itself. These are easier to judge than the map's, drawn from all legal
# steps: our players do better on their own states, too, mostly by about 0.05. Subtract that difference, and GPT-4 has 0.83.

# %% tags=["set-up"]
# GPT-4: the border, its tree and its rival
lines = {f"GPT-4: {kind}": x for kind, x in GPT4["rates"].items()}
best_player = PLAYERS["final"]["generating"]["4"]
first = {"GPT-4": gpt4["reach by step"][0]}
first["finished"] = best_player["a reply has one that does"]
for who, x in first.items():
    lines[f"{who}: a reply holds a good first step"] = interval(x, N)
show.results(lines)

# %% [markdown]
# **Table.** The map asks for an AUC of 0.94 where GPT-4 is [from 0.86 to more than any judge has]. So it advises against this search, and the search was ahead.
#
# Why? GPT-4's replies hold a good first step more often than any player's, and its *chains* are right about as seldom as those of 32M, because a chain
# takes the first step that comes to mind and has no list to choose from. A tree lives off that gap: **many good steps on offer, and few
# chains that put them in a row.** The players come from one training, in which good proposals and right chains grow together, so their map has no player like
# GPT-4. Neither number is enough by itself ([a study](study_when_search_pays.ipynb#is-reach-enough-to-decide)): measure both, and where yours do not
# go together as in the table of players, do not trust the border.
#
# ### How many problems it takes
#
# Take the three measurements on a few problems: how sure are they? The recorded model of [chapter
# 6](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles) shows it on 20, 40 and all of its 120 puzzles.
#
# ### Predict: twenty chains, and none is right
#
# You draw one chain of each of twenty problems. In fact 4% of all chains are right.

# %%
none, few = (100 * (1 - right) ** 20 for right in (0.04, 0.002))
show.Predict(
    "How likely is it that none of the twenty chains is right?",
    round(none),
    low=0,
    high=100,
    unit="%",
    shows=f"0.96 to the power of 20. (If 0.2% are right, {few:.0f}%.)",
)

# %% [markdown]
# So one chain of each cannot tell a model of 0.2% from one of 4%, and these lie on two sides of the border for many a judge. A hundred chains of each
# problem can tell them apart: **draw more chains before you find more problems.**

# %% tags=["set-up"]
# The recorded model's three measurements, and what they are held to
rows = []
for m in real["measured"]:
    _, low, high = m["one chain"]
    least, most = (now.at(3, end)[0] for end in (low, high))
    row = {"n": m["n"], "AUC": area(*m["AUC"])}
    row["needed"] = f"{least:.2f} to {most:.2f}"
    row["one chain"] = f"{interval(m['one chain'], m['n']):.1%}"
    rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** Qwen2.5-Coder-1.5B on n problems, with a hundred chains of each, and its AUC on states that its tree met. *Needed*: the border, at both ends of the chains'
# interval. (The reach is 96 to 97% in all three rows.)
#
# The AUC has no such remedy. On twenty problems it may be off by six points, on 120 by two or three. Whatever the number of problems, this judge is below
# what the map asks for, even on its own, easier states. (It has 0.59 with three numbers left and 0.80 with two.) And yet:

# %% tags=["set-up"]
# What the recorded model's tree and its rival cost
both = real["sets"]["both"]
share = both["k"] / 100  # of a hundred chains
names = {"the tree": ("tree, end checked", 1)}
names["sixty chains"] = "chain", share
bills = {}
for name, (key, part) in names.items():
    bill = both["bills"][key]
    written = bill["tokens written"] * part
    bills[name] = bill["prompt tokens"], written, bill["rounds"]
show.Bill(bills)

# %% [markdown]
# **Figure.** The tree solves 86% where sixty checked chains, which write a seventh more, solve 50% (+36 points [26, 45], n = 120). (It reads far more: with that, it costs over three times as much.)
#
# So a poor judge over many lists does not forbid a search, and the map is contradicted a second time. Three things are not the map's here: easier
# puzzles, five states kept, and better lists than those of players whose chains are right as seldom. Which of them does most was
# not measured. If one is true of you, or if your interval spans the border, **play both** at one price, on problems that you did not measure, in pairs. That needs no
# border. If the two differ on three problems in ten, forty problems show a true lead of 25 points in four trials of five, and 120 one of 15.
#
# ## When nobody can check
#
# So far a program checked the ends of chains and trees, refused illegal steps, and wrote the tree's answer down. Now take
# all of that away. The model judges everything and writes the answer itself, and its rival is the vote.
#
# *Everything* includes the end. In the training of the pocket model a program always judged single numbers, so the published model refuses to say whether a
# last number is 24. A copy of each player went on to practise that, and answers. It is asked about ends only; all else is said by the player
# that you know (`studies/pocket/alone.py`). Three shapes of tree stand against a vote at equal tokens.

# %% mystnb={"image": {"alt": "Three pairs of rates for the finished model with nothing checked. With one state kept the tree is ahead of the vote, by 18 points with one reply and by 46 with three; with five kept they are alike."}} tags=["plot"]
bars = []
for row in table_of(alone, "nobody checks"):
    if row["player"] == "final":
        tree_ = f"tree, kept: {row['kept']},\nreplies: {row['replies']}"
        bars.append({"method": tree_, "rate": row["tree"]})
        name = f"vote of {row['k']}"
        bars.append({"method": name, "rate": row["vote of k"]})
canvas = show.plots.new_figure(5.2, 3.8).add_subplot()
show.plots.rates(bars, xlabel="solved, nothing checked", ax=canvas)

# %% [markdown]
# **Figure.** Nobody checks (the finished model, n = 100). With one state kept the tree is ahead of the vote, far ahead with three replies; with
# five kept no lead shows.
#
# ### Predict: what is the last judgement worth?
#
# The tree with one state kept and three replies solves 88%, and the model judges its last number itself. The published model has not practised that, so it
# chooses its last step among ties.

# %%
judges = {
    "nobody": study,
    "a program": {"cells": alone["hard"]["rule"]},
    "the model": alone["hard"],
    "the model, fresh": alone["fresh"],
}
rows = []
for kept, replies in ((1, 1), (1, 3), (5, 1)):
    rows.append({"tree": f"{kept} kept, replies: {replies}"})
    how = {"breadth": kept, "proposals": replies, "help": False}
    for who, cells in judges.items():
        cell = search_of(cells, "final", "final", **how)
        rate, gain = cell["rate"][0], cell["gain"]["vote"]["written"]
        rows[-1][who] = f"{rate:.0%} ({gain[0]:+.0%})"
unjudged = search_of(study, "final", "final", proposals=3, help=False)
show.Predict(
    "How much does that tree solve if nobody judges the last number?",
    round(100 * unjudged["rate"][0]),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, caption="solved, and ahead of the vote"),
)

# %% [markdown]
# **Table.** Who judges the last number. A model that cannot judge the end wastes many of the good steps before it; with three replies it is still 19 points [6, 31] ahead of the vote. (The practised model may do better than an exact
# program, since it has practised answers, too, and the program judges the last number only. *Fresh*: [other puzzles](#the-map).)
#
# Five states solve less than one, in every column. A right answer is often among the five, and it is not the one that is chosen
# ([a study of chapter 6's search](study_game24.ipynb) counts it). With one state kept there is nothing to choose. (With Qwen
# five states were the better choice: [chapter 6](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles).)
#
# ## May the calculator be trusted?
#
# The bars below the map know a few numbers about a search and nothing about the game. We let them predict every search of both maps from what was measured of the
# two players. (One more number says how much puzzles differ: 0.15 for trees, fitted on every other puzzle, with the misses on the rest; 0.07 for chains.)

# %% mystnb={"image": {"alt": "Predicted against played success of 96 searches. Points lie near the diagonal; searches under good judges lie above it, those under poor judges and random verdicts below."}} tags=["plot"]
rows = []
for row in one_kept:
    here = row["candidates"], row["reach"], row["AUC"]
    guess = odds.tree(3, *here, spread=SPREAD_OF_TREES)
    kind = "a judge above 0.85"
    if row["AUC"] < 0.85:
        model = row["judge"] in PLAYERS
        kind = "a poorer judge" if model else "random verdicts"
    rows.append({"kind": kind, "predicted": guess})
    rows[-1]["played"] = row["tree"].rate
show.predicted(rows, y="played", xlabel="predicted by the calculator")

# %% [markdown]
# **Figure.** Predicted and played; the mean miss is 4 points with one reply a state and 9 with three. Good judges are worth somewhat *more* than it
# says. A poor judge over excellent steps is worth much *less*: the dots far below the line.
#
# Its best of $k$ misses by up to 15 points, too low for weak chains and too high for strong ones, and its votes are hardly better than a guess ([tables, and
# why](study_when_search_pays.ipynb#may-the-calculator-be-trusted)). So use it to see which of your numbers decides, and not for the second digit.
#
# > **Where it breaks.** This is one game: three steps, exact rules, a program that checks. The axes travel to other
# > tasks; the numbers may not. Generators and judges come from one training, and errors that a generator and its judge
# > *share* would hurt a tree more than the map shows. And chapters [9](09_zero_shot_tot.ipynb) and
# > [14](14_planning_with_mcts.ipynb) have tasks whose steps nobody can check: there no tree of the recorded model showed itself ahead of
# > the vote.
#
# ## Summary
#
# - Nobody can check: vote, unless the model judges well, and best of all to the very end. Then a tree with one state kept and three replies is ahead (the
#   pocket model: by 46 points, and by 19 if nobody judges the last number).
# - A free check, and chains that are often right: draw chains until one passes.
# - A free check, chains that hardly ever are, proposals that often are, and a good judge: search.
# - The better the chains, the better the judge must be, since the rival improves with the generator.
# - Two real models contradict the map. GPT-4, and Qwen with a poor judge (AUC 0.70), proposed far better than their chains, as no player of the map did,
#   and their trees were ahead. Qwen's tree also led where only the *end* went unchecked, 80% to 6%; a program refused illegal steps and wrote the answer, and how much that helped
#   was not measured. If your lists are like that, play both.
# - Measure three numbers first: one chain (a hundred chains of each of twenty problems), reach, the judge's AUC.
#
# ## Exercises
#
# ### Exercise 1: breadth or replies?
#
# For the six players in both roles, compare five states with one reply each, and one state with three replies. Predict:
# which solves more? Which is cheaper? For which players is the difference more than chance?
#
# <details><summary>Hint</summary>
#
# `read("breadth or replies")` has both; its keys that begin with "solved" hold 0 or 1 for each puzzle. `stats.paired`
# takes two lists.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for row in read("breadth or replies"):
    both = "3 replies", "5 states"
    solves = ([int(x) for x in row[f"solved, {s}"]] for s in both)
    test = stats.paired(*solves)
    rates = f"{test.a:.0%} and {test.b:.0%}, p = {test.p:.2g}"
    print(row["player"], rates, *(row[f"tokens, {s}"] for s in both))
# Six tests, so each may claim 0.0083. More replies win for 12M, 32M
# and the finished model, and from 24M on they are cheaper, too: what
# is missing is a good step, not a place to keep it.

# %% [markdown]
# ### Exercise 2: the price of a judge
#
# Take the finished model as generator, three replies a state. List its success with each judge, and what one more
# tenth of AUC is worth. Is it the same everywhere?
#
# <details><summary>Hint</summary>
#
# `read("map, 3 replies")` has the rows; sort those of the generator "final" by AUC.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
rows = sorted(read("map, 3 replies"), key=lambda row: row["AUC"])
mine = [row for row in rows if row["generator"] == "final"]
for low, high in pairwise(mine):
    gain = high["tree"].rate - low["tree"].rate
    step = high["AUC"] - low["AUC"]
    print(f"from {low['AUC']:.2f}: {gain / step / 10:+.0%} a tenth")
# No: the steep part is between 0.7 and 0.95.

# %% [markdown]
# ### Exercise 3: a longer problem
#
# A solution takes five steps, not three. One chain is right in 3% of cases, reach is 90% with ten candidates. How good
# must the judge be before a tree with a checked end beats the best of 25 chains, by the calculator? And with three steps?
#
# <details><summary>Hint</summary>
#
# Try values of AUC with `odds.tree(steps, 10, 0.9, auc, spread=0.15)` until it passes `odds.best_of(25, 0.03, 0.07)`.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
rival = odds.best_of(25, 0.03, SPREAD_OF_CHAINS)
for steps in (3, 5):
    here = partial(odds.tree, steps, 10, 0.9, spread=SPREAD_OF_TREES)
    aucs = [i / 100 for i in range(50, 101)]
    passes = [auc for auc in aucs if here(auc) > rival]
    print(f"{steps} steps: from AUC", min(passes, default="never"))
# Every step is another chance to be misled.

# %% [markdown]
# ### Exercise 4: your own problem
#
# Think of a task of yours. Write down your guesses for the numbers, set the dials to what is nearest, and say which of them you
# would measure first, because the decision depends on it.
#
# <details><summary>Hint</summary>
#
# Move one dial at a time, and see whether the panel or the longest bar changes. In code: `tree(auc, "program", replies,
# reach, steps)`, `best(chain, "program", k)`, `vote(chain, k)`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
guess = {"chain": 0.1, "reach": 0.8, "auc": 0.8}  # for example
for change in (
    {},
    {"chain": 0.03},
    {"reach": 0.95},
    {"auc": 0.95},
    {"chain": 0.03, "reach": 0.95},
):
    chain, reach, auc = (guess | change).values()
    found = tree(auc, "program", 3, reach, 4)
    chains = best(chain, "program", 20)
    print(change, f"chains {chains:.0%}, tree {found:.0%}")
# No single guess helps the tree enough. Worse chains with a better
# reach do, by twenty points: measure these two first.

# %% [markdown]
# ## Further reading
#
# - {cite}`brown2024monkeys`: many samples and a check; {cite}`snell2024scaling`: when computing longer replaces a larger
#   model. {cite}`cobbe2021training` trained the judge.
# - {cite}`yao2023tree`, section 4.1, for GPT-4's search; [its log](../book/authors_logs.md), read with our instruments.
# - [Part two](16_what_does_it_cost.ipynb): the bills. [The study of the Game of 24](study_game24.ipynb):
#   one model's search, with the controls. [Studies](study_when_search_pays.ipynb): the tables behind this page.
# - In the package: `treebook/studies/odds.py`, `studies/search_pays/`.
