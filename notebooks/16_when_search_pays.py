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
# it. The chapters before this one show how. This one says *when*, and it can be read by itself, in five minutes if you
# stop after the picture.
#
# Four words are enough. A **chain** is one answer, written step by step. A **vote** takes the most frequent answer of
# many chains. A **tree** keeps half-done solutions, called **states**, asks the model for next steps, and goes on from
# the best. Which those are, a **judge** says: usually the model again.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - decide between one chain, a vote, checked samples and a tree, for a problem of your own;
# - say which two measurements decide it, and make them on twenty problems;
# - read a map of gains with its border, and see what it cannot tell;
# - use a rough model of success, and know where it errs.

# %% tags=["hide-input"]
import json
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from textwrap import fill

import matplotlib as mpl

from tot import odds, show, stats
from tot.nbsetup import setup

setup()
mpl.rcParams["figure.dpi"] = 100
results = Path("../studies/results")
study = json.loads((results / "search_pays.json").read_text())
PLAYERS, N = study["players"], study["n"]


def read(name):
    """A table of the study; lists of three numbers are intervals."""

    def value(x):
        return stats.Interval(*x, N) if isinstance(x, list) else x

    rows = study["tables"][name]
    return [{key: value(x) for key, x in row.items()} for row in rows]


print(f"{len(study['cells'])} searches on {N} puzzles, {study['date']}")

# %% [markdown]
# ## The picture
#
# Everything hangs on who can check, and how early. The numbers under each answer come from the study below. Its
# players are small models of graded strength, on the Game of 24: make 24 out of four numbers, in three steps.

# %% tags=["hide-input"]
WORDS = {  # case -> answer, rule, why
    "nobody checks": ("Nobody can", "Take many chains, and let them vote.",
        "A tree does no better, and a wider one does worse."),
    "chains are often right": ("A program checks answers, and some chains are right",
        "Take chains until one passes.", "Many cheap tries are worth a wise one."),
    "chains are hardly ever right": ("Chains are hardly ever right, but half-done work is judged well",
        "Search.", "A tree drops bad beginnings early."),
    "a poor judge": ("The judge often errs", "Do not search, however good the steps are.",
        "Good beginnings are thrown away."),
}  # fmt: skip
branches = []
for row in read("decision"):
    label = f"{row['rival']} (k = {row['chains']})"
    rates = {label: row["rival's rate"], "tree, as many tokens": row["tree"]}
    source = f"n = {N}, 95 %; one chain {row['one chain']:.1%}, AUC {row['AUC']:.2f}"
    branches.append(show.Branch(*WORDS[row["case"]], rates, source))
show.Decision("Who can check, and how early?", branches)

# %% [markdown]
# If that is all you came for, go on to the [calculator](#a-calculator) with three numbers of your own: how often one
# chain is right, how often the model's proposals hold a good next step, and how often your judge prefers a good
# half-done solution to a bad one. The rest of the chapter is the evidence.
#
# ## How it was measured
#
# One training of the book's pocket model was stopped at five points, from a novice after 8 million tokens to one after
# 32 million; the sixth player is the finished model. Each of the six **generates** with each of the six as **judge**,
# on a hundred hard puzzles that none of them had seen. Two programs complete the picture: one draws its verdicts
# blindly, and one asks a solver (an *oracle*, which nobody has in earnest). Each search stands against chains of the
# *same generator*, as many as its tokens buy.
#
# A generator and a judge are also measured apart from any search. **Reach**: of the replies about a state from which
# 24 can be made, how many hold a step that keeps it so? **AUC**: how often does the judge value such a living state
# above a dead one? (The mean of two rates, with three and with two numbers left.) A coin has 50 %.

# %%
rows = []
for name, p in PLAYERS.items():
    auc = stats.Interval(*p["judging"]["axis"], N)
    row = {"player": name, "one chain": f"{p['one chain'][0]:.2%}"}
    row["reach"] = stats.Interval(*p["generating"]["axis"], N)
    row["AUC"] = f"{auc.rate:.2f} [{auc.low:.2f}, {auc.high:.2f}]"
    rows.append(row)
show.table(rows, caption=f"From the weakest to the strongest; n = {N}")

# %% [markdown]
# What can a hundred puzzles show? Suppose that two searches differ on twenty of them. How lopsided must the split be
# before an exact test believes it?

# %%
for a, b in ((13, 7), (14, 6), (15, 5)):
    print(f"{a} to {b}, a lead of {a - b} puzzles: p = {stats.mcnemar(a, b):.3f}")

# %% [markdown]
# So no single pair deserves much trust if it lies closer than ten puzzles. All pairs together do: the border below is
# fitted to all of them at once.
#
# (Equal questions could make two puzzles share a reply. Here they do not: each puzzle draws samples of its own, so the
# puzzles are independent. Two searches with the same generator do share its replies, on purpose.)
#
# ## When a program checks the answer
#
# In this game a program tells at once whether an answer is right. So everybody may take chain after chain until one
# passes. That is the rival to beat.
#
# ### Predict: which generator needs the tree most?
#
# Both lines use the same generator, the same number of tokens, and a program that checks the end. The judge is the
# finished model throughout. For whom is the tree worth most: the novice, the middle, or the finished model?

# %% mystnb={"image": {"alt": "Success against how often one chain is right, on a logarithmic axis. The tree rises early: it is far above the best of k chains for generators whose chains succeed in about one of a hundred, and the two lines meet where one chain in six is right. A vote stays far below both."}}
rows = read("by generator")
points = []
for row in rows:
    for method in ("tree", "best of k", "vote of k"):
        place = {"method": method, "one chain": row["one chain"]}
        points.append(place | {"rate": row[method]})
print(show.table(rows, caption=f"tree: 3 replies a state; n = {N}"))
how = {"xlabel": "one chain is right", "ylabel": "solved, at equal tokens"}
show.plots.success_by_cost(points, x="one chain", log=True, **how)

# %% [markdown]
# The middle. A novice hardly ever proposes a living step, and no search can keep what was never there. The finished model's chains
# are right so often that fifty of them and a check do as well as the tree. In between lies the tree's country: chains
# that need three good steps in a row almost never have them, and each step by itself is often good. A tree pays for a
# bad step once. A chain pays for it with the whole chain.
#
# ## The map
#
# Now all pairs. Each point is a generator (to the right: its chains are right more often) with a judge (up: it tells
# good states from bad ones). Blue: the tree gains on checked chains at the same cost; orange: it loses. The larger, the
# more. Where the interval of the difference holds zero, there is a small grey ring. The line is where the two break
# even, fitted to all cells; its band comes from drawing the puzzles anew.
#
# ### Predict: does a better generator need a better or a worse judge?


# %% mystnb={"image": {"alt": "Map of gains of the tree over the best of k chains. Blue points fill the upper left and middle: judges with an AUC above 0.8 and generators whose chains are right in less than a few per cent. Orange points fill the lower right: strong generators with weak judges. The border rises from an AUC of about 0.6 for novices to about 0.93 for the finished model. GPT-4 lies just above the border."}}
def border_of(axis, replies):
    kind = f"{axis}, {replies}, best of k, checked, written"
    found = study["borders"][kind]
    return {"x": found["generator"], "y": found["AUC"]} | found


gpt4, small = study["others"].values()
rows, border = read("map, 3 replies"), border_of("one chain", 3)
ahead = sum(r["gain"].low > 0 for r in rows)
behind = sum(r["gain"].high < 0 for r in rows)
print(f"{len(rows)} pairs: the tree ahead in {ahead}, behind in {behind}")
for at in (8, 16, 24, 32):
    x, y, low, high = (border[key][at] for key in ("x", "y", "low", "high"))
    print(f"one chain {x:6.2%}: break-even at AUC {y:.2f} [{low:.2f}, {high:.2f}]")
LOOK = {"y": "AUC", "ylabel": "judge's AUC", "names": ("the tree gains", "it loses")}
places = {"GPT-4": (gpt4["one chain"], gpt4["AUC"])}
words = {"x": "one chain", "xlabel": "one chain is right", "log": True}
show.gains(rows, border=border, marks=places, **words, **LOOK)

# %% [markdown]
# A better one. The more often chains are right, the better the judge must be for a tree to be worth its tokens: the
# rival improves with the generator as well. A judge with an AUC of 0.7, which sounds decent, pays only for generators
# that hardly ever finish a chain.
#
# The star is GPT-4, from [the log that the authors published](../book/authors_logs.md). It played other puzzles with a
# wider search, so it is no point of the fit. (With one reply a state, as it had, the border lies a little higher, and
# GPT-4 about on it.) How did it fare?

# %%
rows = []
for name, found in study["others"].items():
    for what in ("tree", "tree, b = 5", "rival's rate"):
        if what in found:
            label = found["rival"] if "rival" in what else found["search"]
            label = "ToT, b = 5" if what == "tree, b = 5" else label
            right = stats.Interval(*found[what], found["n"])
            rows.append({"model": name, "method": label, "right": right})
    reach, area = f"{found['reach']:.0%}", f"{found['AUC']:.2f}"
    print(f"{name}: reach {reach}, AUC {area}, n = {found['n']}")
show.table(rows, caption="Other puzzles than ours: points beside the map")

# %% [markdown]
# A clear gain. The recorded model of chapter 6 fits the picture, too, as far as ten easy puzzles can tell: no chain of its fifty was right,
# its proposals nearly always hold a good step, and its judge is weak. A tree gets something out of that. (Its rival
# wrote fewer tokens, and the search with five states insures against the weak judge.)
#
# ## An axis that does not travel
#
# It would be handy if one number described a generator. *Reach* looks like it: how often do the proposals hold a good
# step? Here is the map with reach instead of whole chains, for the search with one reply a state.

# %% mystnb={"image": {"alt": "The same map with reach as the horizontal axis, for one reply a state. The border rises to an AUC of about 0.98 at the reach of the finished model. GPT-4 lies to the right of all points, far below the border continued, although its tree gained."}}
rows, border = read("map, 1 reply"), border_of("reach", 1)
print(f"at the finished model's reach: AUC {border['y'][-1]:.2f}")
places = {"GPT-4": (gpt4["reach"], gpt4["AUC"])}
words = {"x": "reach", "xlabel": "reach: a reply has a step that keeps 24 possible"}
show.gains(rows, border=border, marks=places, **words, **LOOK)

# %% [markdown]
# By this map GPT-4 should not have searched, and it gained a great deal. Its proposals are as good as anybody's. Its
# *chains* are as poor as those of our half-trained players, because a chain takes the first step that comes to mind and
# has no list to choose from. In our training, reach and chains grew together, so either could serve as the axis; for
# another model they come apart. What decides is the distance between the two: **many good steps on offer, and few
# chains that put them in a row.** So measure both.
#
# ## When nobody can check
#
# So far a program checked the ends: of the chains, and of the tree, which also had illegal steps refused and its answer
# written down. Now take all of that away. The model judges everything and writes the answer itself.
#
# ### Predict: who suffers more, the tree or the chains?

# %% mystnb={"image": {"alt": "Success of the finished model without any check: a vote of chains and the narrow tree at equal tokens lie close together at about a third; the wider tree is far behind its vote."}}
rows = read("nobody checks")
print(show.table(rows, caption=f"One model in both roles; n = {N}"))
bars = []
for row in rows[:2]:
    b, k = row["states kept"], row["k"]
    bars.append({"method": f"tree, {b} kept", "rate": row["tree"]})
    bars.append({"method": f"vote of {k}", "rate": row["vote of k"]})
show.plots.rates(bars, xlabel="solved, nothing checked (the finished model)")

# %% [markdown]
# The tree. A vote needs no judge. The tree now needs one for everything, at the end most of all: [chapter 6, part
# two](06_tot_study_game24.ipynb) shows that a right answer is often in the beam, and is not chosen. A wider beam brings
# more answers to confuse the judge with. Here no row of the tree is ahead of the vote.
#
# How much of the tree's gain on the map is really the refusing of illegal steps? Let them live on, and keep everything
# else:

# %%
caption = f"Judge: the finished model; 3 replies a state; n = {N}"
show.table(read("illegal steps"), caption=caption)

# %% [markdown]
# For weak generators much of it: most of their steps break the rules, and a program that says so is half the search.
# From the middle on the tree gains without it.
#
# And if a program knows the rules, why ask a model for steps at all? Let it list *every* legal step, and the model only
# judge:

# %%
show.table(read("all steps"), caption=f"3 replies: the finished model's; n = {N}")

# %% [markdown]
# With a good judge the list is as good as the model's proposals, if not better, at a higher price; with a poor one it
# only adds more to be wrong about. So the fourth question of this page: *can a program list the steps?* In a small game
# it can. For a proof or a paragraph it cannot, and then proposing well is what a model is for.
#
# ## What is cost?
#
# Everything above counts tokens *written*. A tree also reads, again and again. Count reading, too, once as if a server
# kept every beginning of a prompt that it had seen in the run (*cached*), and once as if each sample read its whole
# prompt (*whole*):

# %%
rows = []
for row in read("costs"):
    found = dict(row)
    for key, value in row.items():
        if isinstance(value, stats.Interval):
            span = f"[{value.low:.2f}, {value.high:.2f}]"
            found[key] = f"{value.rate:.2f} {span}"
    rows.append(found)
show.table(rows, caption="Break-even AUC; last two columns: the finished model")

# %% [markdown]
# The border hardly moves. Trees read much, and so do chains if each of them reads its examples again. (Reading is
# counted in characters of the prompts, at the rate of the recorded 1.5B model on this task; the pocket model itself
# reads its instructions as a single token.) Dollars and waiting are in [part two](16_what_does_it_cost.ipynb).
#
# ## When steps cost money, or fail
#
# With tools a step is a call that costs something, may be down, and is chosen by a guess about what is left to do. The
# players of chapters 10 to 12 are programs, so the sweep is a **simulation**: guesses from perfect to worthless, prices
# from equal to very unequal, calls that fail seldom or often, alone or together. A rule *holds* in a setting if the one
# that it names pays less for each arrival, and the interval agrees.

# %%
tools = json.loads((results / "tools_pay.json").read_text())
ON_THIS_PAGE = (
    "equal prices",
    "very unequal",
    "already paid",
    "walker",
    "its way",
)
for found in tools["rules"]:
    if any(part in found["rule"] for part in ON_THIS_PAGE):
        counts = ", ".join(
            f"{what} {found[what]}" for what in ("holds", "cannot tell", "fails")
        )
        times, low, high = found["rows"][0]["other bill / better bill"]
        top = f"{high:.1f}" if high else "open"
        print(fill(found["rule"], 72))
        print(f"    {found['better']}: {counts}")
        print(f"    bill of {found['other']}: {times:.1f} [{low:.1f}, {top}] times\n")
print(f"SIMULATED, {tools['worlds']} worlds a setting, {tools['date']}")
print("bills: in the clearest setting; intervals: 99 %")

# %% [markdown]
# Four rules come out, and a surprise. **Equal prices:** follow the guess; counting costs is no help. **Unequal prices:**
# count the price of the *next* call. **What has been paid is gone:** on a map, counting it, as A\* does, hardly ever
# pays; A\* finds a cheapest way, and nobody asked for that. In a tree it has one use, as a brake where whole branches
# fail, and there charging a failure to its way (iToT-D\*) helps more. **Walkers** who pay their way back should plan
# again after a failure, unless a whole area is down. Chapters [11](11_best_first_itot_astar.ipynb) and
# [12](12_itot_dstar.ipynb) draw the cases.
#
# ## A calculator
#
# Measure a few numbers on twenty problems of yours, and set the dials. *Reach*: ask for a list of next steps at some
# states that can still be solved; how many lists hold a good one? *AUC*: show the judge pairs of a good and a bad
# half-done solution; how often does it prefer the good one? *A tree costs as much as* so many chains: divide the
# tokens. Each list is taken to have six different steps.


# %% tags=["hide-input"]
SPREAD_OF_CHAINS, SPREAD_OF_TREES = 0.12, 0.2


def expected(chain, k, reach, auc, steps):
    spread = {"spread": SPREAD_OF_TREES}
    return {
        "one chain": chain,
        "vote of the chains": odds.vote(k, chain, SPREAD_OF_CHAINS),
        "best of the chains, checked": odds.best_of(k, chain, SPREAD_OF_CHAINS),
        "tree, a program checks the end": odds.tree(steps, 6, reach, auc, **spread),
        "tree, the judge picks at the end": odds.tree(
            steps, 6, reach, auc, checked=False, **spread
        ),
    }


def dial(*values, as_text="{:.0%}"):
    return [(as_text.format(v), v) for v in values]


# %% tags=["hide-input"]
show.Dials(
    {
        "one chain is right": dial(0.003, 0.01, 0.03, 0.1, 0.3, as_text="{:.1%}"),
        "the tree costs as many tokens as": dial(
            5, 10, 25, 50, 100, as_text="{} chains"
        ),
        "reach: proposals hold a good step": dial(0.4, 0.6, 0.7, 0.8, 0.9, 0.97),
        "AUC of the judge": dial(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, as_text="{:.2f}"),
        "steps of a solution": dial(3, 5, as_text="{}"),
    },
    expected,
    start={
        "one chain is right": "1.0%",
        "the tree costs as many tokens as": "25 chains",
        "reach: proposals hold a good step": "80%",
        "AUC of the judge": "0.90",
        "steps of a solution": "3",
    },
)

# %% [markdown]
# ## May it be trusted?
#
# The calculator knows three things about a search and nothing about the game. Let it predict all searches with one
# reply a state, from what was measured of their two players. One number was fitted: how much problems differ (the
# spread). We fit it on every other puzzle and look at the rest.

# %%
single = [row for row in read("one reply") if row["states kept"] == 1]


def predicted(row, spread):
    here = row["candidates"], row["reach"], row["AUC"]
    b = row["states kept"]
    return odds.tree(3, *here, breadth=b, spread=spread)


def misses(spread, start):
    """Predicted minus played, on every other puzzle."""
    for row in single:
        played = fmean(map(int, row["solved"][start::2]))
        yield predicted(row, spread) - played


# %%
TRIED = 0.0, 0.1, 0.15, 0.2, 0.25, 0.3
by_spread = {s: fmean(map(abs, misses(s, 0))) for s in TRIED}
fitted = min(by_spread, key=by_spread.get)
print("mean miss, one half:", {s: round(m, 3) for s, m in by_spread.items()})
there = list(misses(fitted, 1))
print(f"spread {fitted}, other half: mean miss {fmean(map(abs, there)):.3f},")
print(f"    with its sign {fmean(there):+.3f}, largest {max(there, key=abs):+.2f}")
print(f"no spread, with its sign: {fmean(misses(0.0, 1)):+.3f}")

# %% mystnb={"image": {"alt": "Predicted against played success of 48 searches. Points lie near the diagonal, mostly within ten points; those with random verdicts are predicted too high."}}
rows = []
for row in single:
    program = row["judge"] not in PLAYERS
    kind = row["judge"] if program else "a model judges"
    shares = {"predicted": predicted(row, fitted), "played": row["tree"].rate}
    rows.append({"kind": kind} | shares)
show.agreement(rows, y="played", xlabel="predicted by the calculator")

# %%
rows = []
for name, k in ((name, k) for name in ("24M", "32M", "final") for k in (5, 20, 100)):
    p = PLAYERS[name]
    one, spread, rival = p["one chain"][0], p["spread"], p["most frequent wrong answer"]
    found = {"best of k": odds.best_of(k, one, spread)}
    found["vote of k"] = odds.vote(k, one, spread, rival)
    row = {"chains of": name, "k": k}
    for kind, share in found.items():
        row[f"{kind}: model"] = f"{share:.0%}"
        row["counted" + " " * (kind == "vote of k")] = f"{p[kind][str(k)][0]:.0%}"
    rows.append(row)
show.table(rows, caption=f"Chains: the model, and the count; n = {N}")

# %%
rows = []
for row in read("one reply"):
    if row["states kept"] == 5:
        guess = {"predicted": f"{predicted(row, fitted):.0%}", "played": row["tree"]}
        rows.append({"generator": row["generator"], "judge": row["judge"]} | guess)
show.table(rows, caption=f"Five states kept: not used for the fit; n = {N}")

# %% [markdown]
# For a model of five numbers that is good company. Where it errs:
#
# - **Bad judges** look too good: above all with random verdicts, where it lets easy problems through that real searches
#   lose.
# - **Votes** look too good, too. In this game right answers come in many spellings, and they split their votes.
# - **Alike problems** would be a bad guess: without the spread nearly all trees are predicted too low.
#
# ## Where this breaks
#
# - **One game.** Three steps, exact rules, a program that checks. The map's axes travel to other tasks, its numbers may
#   not. Chapters 9 and 14 have tasks whose steps nobody can check, and there the vote won.
# - **One training.** Our judges and generators come from the same model family and were taught by a solver. Errors that
#   a generator and a judge share would hurt a tree more than the map shows.
# - **Small trees.** One state is kept on the map. More states insure against a weak judge; more replies served better
#   at the same price.
#
# ## Summary
#
# - Nobody can check: vote. A tree asks its judge too often.
# - Answers can be checked and chains are sometimes right: sample and check.
# - Chains are hardly ever right, proposals often are, and the judge is good: search. That is the tree's country, and
#   GPT-4 on the Game of 24 lives there.
# - The better the chains, the better the judge must be.
# - With tools: count the price of what comes next, not of what is behind you; plan again when a call fails.
#
# ## Exercises
#
# ### Exercise 1: breadth or replies?
#
# For the six players in both roles, compare five states with one reply each, and one state with three replies. Which
# is better, and which is cheaper? For which players is the difference more than chance?
#
# <details><summary>Hint</summary>
#
# `read("breadth or replies")` has both; the keys that begin with "solved" hold a 0 or a 1 for each puzzle.
# `stats.paired` takes two lists.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for row in read("breadth or replies"):
    deep, wide = (
        [int(x) for x in row[f"solved, {how}"]] for how in ("3 replies", "5 states")
    )
    test = stats.paired(deep, wide)
    cost = f"{row['tokens, 3 replies']} and {row['tokens, 5 states']} tokens"
    print(f"{row['player']:5} {test.a:.0%} and {test.b:.0%}, p = {test.p:.2g}; {cost}")
# More replies win wherever anything can be told, and the better the model, the cheaper they are beside the beam: what is
# missing is a good step, not a place to keep it.

# %% [markdown]
# ### Exercise 2: the price of a judge
#
# Take the finished model as generator, three replies a state. Draw up its success with each judge, and what one more
# tenth of AUC is worth. Is it the same everywhere?
#
# <details><summary>Hint</summary>
#
# `read("map, 3 replies")` has the rows; sort those of the generator "final" by AUC. Divide differences of success by
# differences of AUC.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
mine = [row for row in read("map, 3 replies") if row["generator"] == "final"]
mine.sort(key=lambda row: row["AUC"])
for low, high in pairwise(mine):
    a, b = low["tree"].rate, high["tree"].rate
    tenth = (b - a) / (high["AUC"] - low["AUC"]) / 10
    print(
        f"AUC {low['AUC']:.2f} to {high['AUC']:.2f}: {a:.0%} to {b:.0%}, {tenth:+.0%} for a tenth"
    )
# No: the steep part is between 0.7 and 0.95. Below, a judge is hardly worth its tokens; above, it is good enough.

# %% [markdown]
# ### Exercise 3: a longer problem
#
# A solution takes five steps, not three. One chain is right in 3 % of cases, reach is 90 %. How good must the judge
# be before a tree with a checked end beats the best of 25 chains, by the calculator? And with three steps?
#
# <details><summary>Hint</summary>
#
# Try values of AUC with `odds.tree(steps, 6, 0.9, auc, spread=0.2)` until it passes `odds.best_of(25, 0.03, 0.12)`.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
rival = odds.best_of(25, 0.03, SPREAD_OF_CHAINS)
for steps in (3, 5):
    grid = [i / 100 for i in range(50, 101)]
    enough = [
        auc
        for auc in grid
        if odds.tree(steps, 6, 0.9, auc, spread=SPREAD_OF_TREES) > rival
    ]
    passes = min(enough, default="never")
    print(f"{steps} steps: best of 25 chains {rival:.0%}, passed from AUC {passes}")
# Every step is another chance to be misled: longer solutions need better judges, if their chains are as good.

# %% [markdown]
# ### Exercise 4: your own problem
#
# Think of a task of yours. Write down your guesses for the numbers, compute the five rates, and say which of them you
# would measure first, because the decision hangs on it.
#
# <details><summary>Hint</summary>
#
# `expected(chain, k, reach, auc, steps)` returns all five. Move one number at a time to the other end of what you
# think possible, and see whether the best row changes.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
guess = {
    "chain": 0.1,
    "k": 20,
    "reach": 0.8,
    "auc": 0.8,
    "steps": 4,
}  # for example
kept = (
    "best of the chains, checked",
    "vote of the chains",
    "tree, a program checks the end",
)
rows = []
for name, ends in {
    "chain": (0.03, 0.3),
    "reach": (0.6, 0.95),
    "auc": (0.65, 0.95),
}.items():
    for value in ends:
        found = expected(**guess | {name: value})
        rows.append(
            {"guess": f"{name} = {value}"} | {key: f"{found[key]:.0%}" for key in kept}
        )
show.table(rows)
# With these guesses the chains' rate decides first: at 3 % a good judge would turn the order, at 30 % nothing would.

# %% [markdown]
# ## Further reading
#
# - {cite}`brown2024monkeys`: many samples and a check; {cite}`snell2024scaling`: when computing longer replaces a larger
#   model. {cite}`cobbe2021training` trained the judge.
# - {cite}`yao2023tree`, section 4.1, for GPT-4's search; [its log](../book/authors_logs.md), read with our instruments.
# - [Part two](16_what_does_it_cost.ipynb): the bills of all methods. [Chapter 6, part two](06_tot_study_game24.ipynb):
#   one model's search in detail, with the controls.
# - In the package: `tot/odds.py`, `studies/search_pays/`; `make study-search` plays the map again.
