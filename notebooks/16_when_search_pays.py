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
# - say which three measurements decide it, and make them on twenty problems;
# - read a map of gains with its border, and see what it cannot tell;
# - use a rough model of success, and know where it errs.

# %% tags=["hide-input", "set-up"]
# Imports, and the study's results
import json
from itertools import pairwise, product
from pathlib import Path
from statistics import fmean
import matplotlib as mpl

from tot import odds, show, stats
from tot.nbsetup import setup

setup()
mpl.rcParams["figure.dpi"] = 94
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

# %% tags=["hide-input", "set-up"]
# The words of the decision: answer, rule, why, cases
EXCELLENT = "nobody checks, an excellent judge"
nobody = ["nobody checks, a good judge", EXCELLENT]
PROGRAM, OFTEN = "A program checks answers", "chains are often right"
RARE = "chains are hardly ever right"
vote = "Vote, unless your judge is excellent and the tree narrow."
pairs = "A good model (first pair) gains nothing; "
pairs += "an excellent one (second) does."
checked = "No tree is needed: its lead, if any, does not show."
early = "A tree drops bad beginnings early. (Some of this is "
early += "a program that refuses illegal steps.)"
knows = f"{PROGRAM}, {RARE}, a judge knows good beginnings"
errs = f"{PROGRAM}, {OFTEN}, the judge errs"
never = "Do not search, however good the steps are."
thrown = "Good beginnings are thrown away."
passing = "Take chains until one passes."
WORDS = [
    ("Nobody can", vote, pairs, nobody),
    (f"{PROGRAM}, and {OFTEN}", passing, checked, [OFTEN]),
    (knows, "Search.", early, [RARE]),
    (errs, never, thrown, ["a poor judge"]),
]

# %% tags=["hide-input", "set-up"]
# The decision, with the rates of the study under each answer
cases, branches = {row["case"]: row for row in read("decision")}, []
for answer, rule, why, names in WORDS:
    rates, facts = {}, []
    for row in (cases[name] for name in names):
        rival = f"{row['rival']}, k = {row['chains']}"
        rates[rival] = row["rival's rate"]
        tree = f"tree, tokens of {row['chains']} chains"
        rates[tree] = row["tree"]
        chain = f"one chain {row['one chain']:.1%}"
        facts.append(f"{chain}, AUC {row['AUC']:.2f}")
    source = f"{'; '.join(facts)}; n = {N}, 95 %"
    branches.append(show.Branch(answer, rule, why, rates, source))
show.Decision("Who can check, and how early?", branches)

# %% [markdown]
# **Figure.** When to vote, to check chains, or to search; each rate with its 95% interval.
#
# What is often, what is hardly ever, and how much may a judge err? The boxes shade into each other, and here is the
# line between them: which judge a tree needs, to gain on as many checked chains as its tokens buy. The judge's quality
# is its **AUC**: how often it puts a good half-done solution above a bad one. (A coin has 0.5;
# *never* means that not even a perfect judge would do.)


# %% tags=["hide-input", "set-up"]
# The border between trees and checked chains
def border_of(axis, replies):
    kind = f"{axis}, {replies}, best of k, checked, written"
    found = study["borders"][kind]
    return {"x": found["generator"], "y": found["AUC"]} | found


def area(*numbers):
    """An AUC and its interval; above 1, where no judge is, "never"."""
    y, low, high = ("never" if x > 1 else f"{x:.2f}" for x in numbers)
    return f"{y} [{low}, {high}]"


def at(border, place):
    return area(*(border[key][place] for key in ("y", "low", "high")))


border, rows = border_of("one chain", 3), []
for i in (8, 16, 24, 32):
    chain = f"{border['x'][i]:.1%}"
    rows.append(
        {"one chain is right": chain, "AUC needed": at(border, i)}
    )
note = f"Game of 24; 3 replies a state; n = {N}, 95 %"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The more often one chain is right, the better the judge that a tree needs.
#
# If that is all you came for, go on to the [calculator](#a-calculator) with three numbers of your own: how often **one
# chain** is right; the **reach**, how often the model's proposals for a state that can still be saved hold a good next
# step; and the judge's AUC. For the last two, take twenty solutions whose end you know. A state on the way of a right
# one is good; one from which several tries all failed counts as bad. The rest of the chapter is the evidence.
#
# ## How it was measured
#
# One training of the book's pocket model was stopped at five points, from a novice after 8 million tokens to one after
# 32 million; the sixth player is the finished model. Each of the six **generates** with each of the six as **judge**,
# on a hundred hard puzzles that none of them had seen. Two programs complete the picture: one draws its verdicts
# blindly, and one asks a solver (an *oracle*, which nobody has in earnest); their verdicts are billed like the finished
# model's. Each search stands against chains of the *same generator*, as many as its tokens buy.
#
# A generator and a judge are also measured apart from any search. **Reach**: of the replies about a state from which
# 24 can be made, how many hold a step that keeps it so? **AUC**: how often does the judge value such a living state
# above a dead one? (The mean of two rates, with three and with two numbers left.)

# %%
rows = []
for name, p in PLAYERS.items():
    row = {"player": name, "one chain": f"{p['one chain'][0]:.2%}"}
    row["reach"] = stats.Interval(*p["generating"]["axis"], N)
    row["AUC"] = area(*p["judging"]["axis"])
    three = p["judging"]["3"]
    row["false impossible"] = f"{three['false impossible'][0]:.0%}"
    row["false sure"] = f"{three['false sure'][0]:.0%}"
    rows.append(row)
note = f"n = {N} puzzles; the last two: three numbers left"
show.table(rows, caption=note)

# %% [markdown]
# What can a hundred puzzles show? Suppose that two searches differ on twenty of them. How lopsided must the split be
# before an exact test believes it?

# %%
for a, b in ((13, 7), (14, 6), (15, 5)):
    lead, p = a - b, stats.mcnemar(a, b)
    print(f"{a} to {b}, a lead of {lead} puzzles: p = {p:.3f}")

# %% [markdown]
# So where two searches often differ, a lead of less than ten puzzles means little, and the interval beside each
# difference is there to be read. All pairs together show more than each of them: the border is fitted to all at once.
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

# %% mystnb={"image": {"alt": "Success against how often one chain is right, on a logarithmic axis. The tree rises early: it is far above the best of k chains for generators whose chains succeed in about one of a hundred, and the two lines meet where one chain in six is right. A vote stays far below both."}} tags=["plot", "predict"]
rows, points = read("by generator"), []
for row in rows:
    for method in ("tree", "best of k", "vote of k"):
        place = {"method": method, "one chain": row["one chain"]}
        points.append(place | {"rate": row[method]})
shown = [row | {"one chain": f"{row['one chain']:.2%}"} for row in rows]
print(show.table(shown))
how = {"xlabel": "one chain is right"}
how["ylabel"] = "solved, at equal tokens"
plot = show.plots.success_by_cost
figure = plot(points, x="one chain", log=True, **how)
axis = figure.axes[0].xaxis
axis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
figure

# %% [markdown]
# **Figure.** The tree is worth most in the middle: for the player called 24M it solves 72%, its checked chains 19%.
#
# A novice's replies seldom hold a good step, and no search can keep what was never there. The finished model's chains
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


# %% mystnb={"image": {"alt": "Map of gains of the tree over the best of k chains. Blue points fill the upper left and middle: judges with an AUC above 0.8 and generators whose chains are right in less than a few per cent. Orange points fill the lower right: strong generators with weak judges. The border rises from an AUC of about 0.6 for novices to about 0.95 for the finished model. GPT-4 lies just above the border."}} tags=["plot", "predict"]
gpt4, small = study["others"].values()
rows, border = read("map, 3 replies"), border_of("one chain", 3)
ahead = sum(r["gain"].low > 0 for r in rows)
behind = sum(r["gain"].high < 0 for r in rows)
told = f"the tree ahead in {ahead}, behind in {behind}"
print(f"{len(rows)} pairs: {told}, the rest cannot be told")
LOOK = {"y": "AUC", "ylabel": "judge's AUC"}
LOOK["names"] = ("the tree gains", "it loses")
places = {"GPT-4": (gpt4["one chain"], gpt4["AUC"])}
words = {"x": "one chain", "xlabel": "one chain is right", "log": True}
show.gains(rows, border=border, marks=places, **words, **LOOK)

# %% [markdown]
# **Figure.** A better generator needs a better judge: the border rises.
#
# The more often chains are right, the better the judge must be for a tree to be worth its tokens: the
# rival improves with the generator as well. A judge with an AUC of 0.7, which sounds decent, pays only for generators
# that hardly ever finish a chain.
#
# The star is GPT-4, from [the log that the authors published](../book/authors_logs.md). It played other puzzles, kept
# five states and asked for one reply a state, so it is no point of the fit. Where does the border lie for searches with
# one reply, at GPT-4's rate of right chains? And how did GPT-4 fare?

# %% tags=["set-up"]
# GPT-4 and the recorded model beside the border
narrow = border_of("one chain", 1)
gaps = [abs(x - gpt4["one chain"]) for x in narrow["x"]]
near = gaps.index(min(gaps))
print(f"one reply, one chain {narrow['x'][near]:.1%}:", end=" ")
print(f"AUC {at(narrow, near)}")
rows = []
for name, found in study["others"].items():
    labels = {"tree": found["search"], "tree, b = 5": "ToT, b = 5"}
    labels["rival's rate"] = found["rival"]
    for what, label in labels.items():
        if what in found:
            right = stats.Interval(*found[what], found["n"])
            row = {"model": name, "method": label}
            rows.append(row | {"right": right})
    reach, judge = f"{found['reach']:.0%}", f"{found['AUC']:.2f}"
    chain = f"one chain {found['one chain']:.0%}, reach {reach}"
    print(f"{name}:\n   {chain}, AUC {judge}, n = {found['n']}")
show.table(rows, caption="Other puzzles than ours: beside the map")

# %% [markdown]
# Its AUC lies above the border for three replies and below that for one, at the edge of a wide band; its gain is clear. (It
# kept five states, which insures a little against its judge.) The recorded model of
# chapter 6 has no place on this axis: of its fifty chains none was right. Its proposals nearly always hold a good step,
# its judge is weak, and a tree gets something out of that. (Ten easy puzzles, and a rival that wrote fewer tokens.)
#
# ## An axis that does not travel
#
# It would be handy if the steps alone described a generator. *Reach* looks like it. Here is the same map with reach
# instead of whole chains.

# %% mystnb={"image": {"alt": "The same map with reach as the horizontal axis. The border rises to an AUC of nearly 1 at the reach of the finished model. GPT-4 and the recorded 1.5B lie to the right of all points, below the border continued, although their trees gained."}} tags=["plot"]
rows, border = read("map, 3 replies"), border_of("reach", 3)
print(f"at the finished model's reach: AUC {at(border, -1)}")
places = {}
for name, found in study["others"].items():
    where = (found["reach"], found["AUC"])
    places[name.partition(" (")[0]] = where
words = {"x": "reach", "xlabel": "reach of a single reply"}
show.gains(rows, border=border, marks=places, **words, **LOOK)

# %% [markdown]
# **Figure.** By this map neither GPT-4 nor the recorded model should have searched, and both gained.
#
# GPT-4's proposals are as good
# as anybody's. Its *chains* are as poor as those of our half-trained players, because a chain takes the first step that comes to mind and
# has no list to choose from. In our training, reach and chains grew together, so either could serve as the axis; for
# another model they come apart. What decides is the distance between the two: **many good steps on offer, and few
# chains that put them in a row.** So measure both.
#
# ## When nobody can check
#
# So far a program checked the ends: of the chains, and of the tree, which also had illegal steps refused and its answer
# written down. Now take all of that away. The model judges everything and writes the answer itself.
#
# ### Predict: who is ahead then?

# %% mystnb={"image": {"alt": "Success of the finished model without any check, trees beside votes at equal tokens: with one reply they are alike; with three replies the tree is ahead; with five states kept it is far behind."}} tags=["plot", "predict"]
rows, bars = read("nobody checks"), []
keys = ("player", "kept", "replies", "k", "tree", "vote of k")
print(show.table(rows, keys))
for row in rows:
    print(f"{row['player']}, {row['kept']} kept:", row["tree's gain"])
for row in rows[:3]:
    name = f"tree, {row['kept']} kept, replies: {row['replies']}"
    bars.append({"method": name, "rate": row["tree"]})
    rival = f"vote of {row['k']}"
    bars.append({"method": rival, "rate": row["vote of k"]})
solved = "solved, nothing checked (the finished model)"
show.plots.rates(bars, xlabel=solved)

# %% [markdown]
# **Figure.** Nobody checks: the finished model stays ahead of the vote with three replies and one state kept; with one
# reply its lead is gone, and with five states it is far behind.
#
# [The study of the Game of 24](study_game24.ipynb)
# shows that a right answer is often among the five, and is not chosen. Who keeps one state has nothing to choose. The
# half-trained models, weaker in both roles, gain nothing even so.
#
# How much of the tree's gain on the map is really the refusing of illegal steps? Let them live on, and keep everything
# else:

# %%
caption = f"Judge: the finished model; 3 replies a state; n = {N}"
show.table(read("illegal steps"), caption=caption)

# %% [markdown]
# For weak generators much of it: most of their steps break the rules, and a program that says so is half the search. The
# players in the middle gain without it, too. (For the finished model there was nothing to gain on chains.)
#
# And if a program knows the rules, why ask a model for steps at all? Let it list *every* legal step, and the model only
# judge:

# %%
note = f"3 replies: the finished model's; n = {N}"
show.table(read("all steps"), caption=note)


# %% [markdown]
# With a good judge the list does at least as well as the model's proposals, at a higher price; with the poorest it does
# worse. So ask also whether *a program can list the steps*. In a small game it can. For a proof or a paragraph it
# cannot, and then proposing well is what a model is for.
#
# ## What is cost?
#
# Everything above counts tokens *written*. A tree also reads, again and again. Count reading, too, once as if a server
# kept every beginning of a prompt that it had seen in the run (*cached*), and once as if each sample read its whole
# prompt (*whole*):


# %%
def with_area(x):
    interval = isinstance(x, stats.Interval)
    return area(x.rate, x.low, x.high) if interval else x


rows = []
for row in read("costs"):
    rows.append({key: with_area(x) for key, x in row.items()})
show.table(rows, caption="Break-even AUC")

# %% [markdown]
# The border hardly moves. Trees read much, and so do chains if each of them reads its examples again. (Reading is
# counted in characters of the prompts, at the rate of the recorded 1.5B model on this task; the pocket model itself
# reads its instructions as a single token.) Dollars and waiting are in [part two](16_what_does_it_cost.ipynb).
#
# ## When steps cost money, or fail
#
# With tools a step is a call that costs something and may be down, and what to try next is chosen by a guess about what
# is left to do. The players of chapters 10 to 12 are programs, so the sweep is a **simulation**: guesses from perfect to
# worthless, prices from equal to very unequal, calls that fail seldom or often, alone or together. *Searchers* may go on
# from any place they have seen; *walkers* pay for going back. A rule *holds* in a setting if the agent that it names
# pays less for each arrival than the other one, and the interval agrees.

# %% tags=["set-up"]
# Each rule, in how many settings it holds, and what it is worth
tools = json.loads((results / "tools_pay.json").read_text())
rows = []
for found in tools["rules"]:
    tiles = [
        row["other bill / better bill"][0] for row in found["rows"]
    ]
    row = {"rule": found["rule"]}
    row["pays less"] = f"{found['better']}, not {found['other']}"
    row |= {k: found[k] for k in ("holds", "cannot tell", "fails")}
    row["bill of the other"] = (
        f"{min(tiles):.2f} to {max(tiles):.1f} times"
    )
    rows.append(row)
note = f"SIMULATED, {tools['worlds']} worlds a setting, {tools['date']}"
show.table(rows, caption=f"{note}; intervals: 99 %")

# %% [markdown]
# **Table.** In how many settings each rule holds, and what the other agent pays for each arrival, at worst and at best.
#
# Before all of that, try without a search: look up the question itself, read what is found, and answer once. With a
# recorded model no tree was ahead of it ([chapter 12, part two](12_itot_study.ipynb)). If a search is needed:
#
# **Equal prices:** follow the guess; counting costs is no help, unless whole branches fail. **Unequal prices:** count the price of the *next* call
# ("next price" adds it to the guess, and nothing else). **What has been paid is gone:** on a map, counting it, as A\*
# does, never paid: A\* finds a cheapest way, and nobody asked for that. In a tree of thoughts it can pay as a brake,
# mostly where whole branches fail, and there charging a failure to its way (iToT-D\*) does better. Where calls fail one
# by one that charge does harm more often than good. **Walkers** should plan again after a failure, unless a whole area
# is down. Chapters [11](11_best_first_itot_astar.ipynb) and [12](12_itot_dstar.ipynb) draw the cases.
#
# ## A calculator
#
# Set the dials to what you measured. *Chains that the tree costs*: divide the tokens, or the dollars. *Reach* and
# *candidates* are those of the whole list that a state gets, from all replies that you ask for. A program checks the
# end. (Where nobody can, the calculator knows too little about judges at the end: see the first box above.)


# %% tags=["hide-input", "set-up"]
# The calculator: four rates from six numbers
SPREAD_OF_CHAINS, SPREAD_OF_TREES = 0.07, 0.15


def expected(chain, k, reach, candidates, auc, steps):
    spread = {"spread": SPREAD_OF_TREES}
    tree = odds.tree(steps, candidates, reach, auc, **spread)
    best = odds.best_of(k, chain, SPREAD_OF_CHAINS)
    return {
        "one chain": chain,
        "vote of the chains": odds.vote(k, chain, SPREAD_OF_CHAINS),
        "best of the chains, checked": best,
        "tree, its end checked": tree,
    }


def dial(*values, as_text="{:.0%}"):
    return [(as_text.format(v), v) for v in values]


# %% tags=["hide-input", "set-up"]
# The dials
chain, reach = "one chain is right", "reach of a state's list"
costs, judge = "the tree costs", "AUC of the judge"
chains = dial(0.003, 0.01, 0.03, 0.1, 0.3, as_text="{:.1%}")
areas = dial(0.6, 0.7, 0.8, 0.9, 0.95, 1.0, as_text="{:.2f}")
dials = {
    chain: chains,
    costs: dial(10, 25, 50, 100, as_text="{} chains"),
    reach: dial(0.5, 0.7, 0.8, 0.9, 0.97),
    "candidates in the list": dial(6, 12, as_text="{}"),
    judge: areas,
    "steps of a solution": dial(3, 5, as_text="{}"),
}
start = {chain: "1.0%", costs: "50 chains", reach: "90%"}
start |= {"candidates in the list": "12", judge: "0.90"}
show.Dials(dials, expected, start=start)

# %% [markdown]
# ## May it be trusted?
#
# The calculator knows a few numbers about a search and nothing about the game. Let it predict all searches of the map,
# from what was measured of their two players. One number was fitted: how much problems differ (the spread). We fit it
# on every other puzzle, for the searches with one reply, and look at everything else.

# %%
known = [row for row in read("predictable") if row["kept"] == 1]
single = [row for row in known if row["replies"] == 1]
three = [row for row in known if row["replies"] == 3]


def predicted(row, spread):
    here = row["candidates"], row["reach"], row["AUC"]
    return odds.tree(3, *here, breadth=row["kept"], spread=spread)


def misses(rows, spread, start):
    """Predicted minus played, on every other puzzle."""
    for row in rows:
        played = fmean(map(int, row["solved"][start::2]))
        yield predicted(row, spread) - played


# %%
TRIED = 0.0, 0.1, 0.15, 0.2, 0.25, 0.3
by_spread = {s: fmean(map(abs, misses(single, s, 0))) for s in TRIED}
fitted = min(by_spread, key=by_spread.get)
print("mean miss on the fitted half, by spread:")
print(*(f"  {s}: {m:.3f}" for s, m in by_spread.items()), sep="\n")
print(f"spread {fitted}, on the other half:")
for name, rows in (("one reply", single), ("three replies", three)):
    there = list(misses(rows, fitted, 1))
    size, sign = fmean(map(abs, there)), fmean(there)
    print(f"  {name}: mean miss {size:.3f}, with its sign {sign:+.3f}")
    print(f"     without spread {fmean(misses(rows, 0.0, 1)):+.3f}")

# %%
half_trained = ("16M", "24M", "32M")
middle = [row for row in three if row["generator"] in half_trained]
strong = [row for row in three if row["generator"] == "final"]
ENDS = {"below": (0.0, 0.75), "above": (0.75, 1.01)}
groups = {"half-trained generators": middle, "the finished one": strong}
for name, rows in groups.items():
    print(f"3 replies, {name}")
    for label, (low, high) in ENDS.items():
        some = [row for row in rows if low <= row["AUC"] < high]
        sign = fmean(misses(some, fitted, 1))
        n = f"(n = {len(some)})"
        print(f"   AUC {label} 0.75: {sign:+.2f} {n}")

# %% mystnb={"image": {"alt": "Predicted against played success of 96 searches. Points lie near the diagonal; those with random verdicts are predicted too high."}} tags=["plot"]
rows = []
for row in known:
    kind = row["judge"]
    if kind in PLAYERS:
        kind = f"a model judges, replies: {row['replies']}"
    point = {"kind": kind, "predicted": predicted(row, fitted)}
    rows.append(point | {"played": row["tree"].rate})
show.agreement(rows, y="played", xlabel="predicted by the calculator")

# %% [markdown]
# **Figure.** In the mean the calculator misses by four points with one reply, and by nine with three.

# %% tags=["set-up"]
# Chains: the calculator, and the count
rows = []
models = {"best of k": odds.best_of, "vote of k": odds.vote}
for name, k in product(("24M", "32M", "final"), (5, 20, 100)):
    p, row = PLAYERS[name], {"chains of": name, "k": k}
    for kind, model in models.items():
        guess = model(k, p["one chain"][0], SPREAD_OF_CHAINS)
        row[f"{kind}: model"] = f"{guess:.0%}"
        row[f"{kind}: counted"] = f"{p[kind][str(k)][0]:.0%}"
    rows.append(row)
note = f"Chains: the calculator, and the count; n = {N}"
show.table(rows, caption=note)

# %%
rows = []
for row in read("predictable"):
    if row["kept"] == 5:
        who = {key: row[key] for key in ("generator", "judge")}
        guess = f"{predicted(row, fitted):.0%}"
        rows.append(who | {"predicted": guess, "played": row["tree"]})
note = f"Five states kept: not used for the fit; n = {N}"
show.table(rows, caption=note)

# %% [markdown]
# For so few numbers that is good company. Where it errs:
#
# - **One reply**: by four points in the mean, less than the rate of fifty puzzles is uncertain itself.
# - **Three replies**: by nine, with a pattern. Good judges over middling steps are worth *more* than it says, perhaps
#   because a puzzle that offers good steps tends to show them, too. Poor judges over excellent steps are worth much *less*.
# - **Random verdicts** look too good, most of all over good steps.
# - **Best of k**: near, with a spread of its own that serves the six players best; too low for weak chains, too high for
#   strong ones. **Votes** are hardly better than a guess: too high for a few strong chains, and falling with k for weak
#   ones where the count rises. In this game right answers come in many spellings, which split their votes.
# - **Alike problems** would be a bad guess: without the spread nearly all trees are predicted too low.
#
# ## Where this breaks
#
# - **One game.** Three steps, exact rules, a program that checks. The map's axes travel to other tasks, its numbers may
#   not. Chapters 9 and 14 have tasks whose steps nobody can check, and there the vote won.
# - **One training.** Our judges and generators come from the same model family and were taught by a solver. Errors that
#   a generator and a judge share would hurt a tree more than the map shows.
# - **Small trees.** One state is kept on the map. Where a program checks the end five do more, and more replies better
#   still (exercise 1).
#
# ## Summary
#
# - Nobody can check: vote, unless your judge is excellent; then keep the tree narrow.
# - Answers can be checked and chains are often right: sample and check.
# - Chains are hardly ever right, proposals often are, and the judge is good: search. That is the tree's country, and
#   GPT-4 on the Game of 24 lives there.
# - The better the chains, the better the judge must be.
# - With tools: first try one look-up and one answer. Then count the price of what comes next, not of what is behind you;
#   plan again when a call fails, unless a whole area is down.
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
    deep = [int(x) for x in row["solved, 3 replies"]]
    wide = [int(x) for x in row["solved, 5 states"]]
    test = stats.paired(deep, wide)
    tokens = [row["tokens, 3 replies"], row["tokens, 5 states"]]
    rates = f"{row['player']:5} {test.a:.0%} and {test.b:.0%}"
    cost = " and ".join(map(str, tokens))
    print(f"{rates}, p = {test.p:.2g}; {cost} tokens")
# More replies win wherever anything can be told, and from 24M on they
# are cheaper, too: what is missing is a good step, not a place to keep
# it.

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
rows = read("map, 3 replies")
mine = [row for row in rows if row["generator"] == "final"]
mine.sort(key=lambda row: row["AUC"])
for low, high in pairwise(mine):
    a, b = low["tree"].rate, high["tree"].rate
    tenth = (b - a) / (high["AUC"] - low["AUC"]) / 10
    ends = f"AUC {low['AUC']:.2f} to {high['AUC']:.2f}"
    print(f"{ends}: {a:.0%} to {b:.0%}, {tenth:+.0%} for a tenth")
# No: the steep part is between 0.7 and 0.95. Below, a judge is hardly
# worth its tokens; above, it is good enough.

# %% [markdown]
# ### Exercise 3: a longer problem
#
# A solution takes five steps, not three. One chain is right in 3 % of cases, reach is 90 % with ten candidates. How good
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
print(f"best of 25 chains {rival:.0%}")
for steps in (3, 5):
    passes = "never"
    for auc in reversed([i / 100 for i in range(50, 101)]):
        if (
            odds.tree(steps, 10, 0.9, auc, spread=SPREAD_OF_TREES)
            > rival
        ):
            passes = auc
    print(f"{steps} steps: passed from AUC {passes}")
# Every step is another chance to be misled: longer solutions need
# better judges, if their chains are as good.

# %% [markdown]
# ### Exercise 4: your own problem
#
# Think of a task of yours. Write down your guesses for the numbers, compute the four rates, and say which of them you
# would measure first, because the decision hangs on it.
#
# <details><summary>Hint</summary>
#
# `expected(chain, k, reach, candidates, auc, steps)` returns the four rates. Move one number at a time to the other end of what you
# think possible, and see whether the best row changes.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
guess = {"chain": 0.1, "k": 20, "reach": 0.8}  # for example
guess |= {"candidates": 8, "auc": 0.8, "steps": 4}
kept = ["best of the chains, checked", "vote of the chains"]
kept += ["tree, its end checked"]
dials = {
    "chain": (0.03, 0.3),
    "reach": (0.6, 0.95),
    "auc": (0.65, 0.95),
}
rows = []
for name, ends in dials.items():
    for value in ends:
        found = expected(**guess | {name: value})
        row = {"guess": f"{name} = {value}"}
        rows.append(row | {key: f"{found[key]:.0%}" for key in kept})
show.table(rows)
# With these guesses the chains' rate decides first: at 3 % a good judge
# would turn the order, at 30 % nothing would.

# %% [markdown]
# ## Further reading
#
# - {cite}`brown2024monkeys`: many samples and a check; {cite}`snell2024scaling`: when computing longer replaces a larger
#   model. {cite}`cobbe2021training` trained the judge.
# - {cite}`yao2023tree`, section 4.1, for GPT-4's search; [its log](../book/authors_logs.md), read with our instruments.
# - [Part two](16_what_does_it_cost.ipynb): the bills of all methods. [The study of the Game of 24](study_game24.ipynb):
#   one model's search in detail, with the controls.
# - In the package: `tot/odds.py`, `studies/search_pays/`; `make study-search` plays the map again.
