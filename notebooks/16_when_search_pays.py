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
# it. Which? The chapters before show how. This one says *when*, and can be read by itself, in five minutes
# if you stop after the picture.
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
# - say which three measurements decide it, make them, and know what twenty problems cannot tell;
# - read a map of gains with its border, and see what it cannot tell;
# - use a rough model of success, and know where it errs.

# %% tags=["hide-input", "set-up"]
# Imports, and the study's results
from functools import partial
from itertools import pairwise
from statistics import fmean

import matplotlib as mpl

from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies import odds
from treebook.studies.results import (
    area,
    interval,
    load,
    rows as table_of,
    search_of,
)

setup()
mpl.rcParams["figure.dpi"] = 94
study = load("../studies/results/search_pays.json")
alone = load("../studies/results/alone.json")  # nobody checks
PLAYERS, N, read = (
    study["players"],
    study["n"],
    partial(table_of, study),
)


print(f"{len(study['cells'])} searches on {N} puzzles, {study['date']}")

# %% [markdown]
# ## The picture
#
# Everything hangs on who can check, and how early. The numbers come from the study below, whose players are small
# models of graded strength on the Game of 24: make 24 out of four numbers, in three steps.

# %% tags=["hide-input", "set-up"]
# The words of the decision: answer, rule, why, cases
FINAL = "nobody checks, an excellent judge"
nobody = ["nobody checks, a good judge", FINAL]
PROGRAM, OFTEN = "A program checks answers", "chains are often right"
RARE = "chains are hardly ever right"
vote = "Vote, unless the model judges well to the end, the last "
vote += "number too. Then search: a narrow tree, several replies."
pairs = "Both models, one half-trained (first pair), one finished "
pairs += "(second), practised to judge a last number and an answer."
checked = "No tree is needed: if it leads, 100 puzzles cannot show it."
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
rows = [*read("decision"), *table_of(alone, "decision")]
cases, branches = {row["case"]: row for row in rows}, []
for answer, rule, why, names in WORDS:
    rates, facts = {}, []
    for row in (cases[name] for name in names):
        rival = f"{row['rival']}, k = {row['chains']}"
        rates[rival] = row["rival's rate"]
        tree = f"tree, tokens of {row['chains']} chains"
        rates[tree] = row["tree"]
        chain = f"one chain {row['one chain']:.1%}"
        facts.append(f"{chain}, AUC {row['AUC']:.2f}")
    source = f"{'; '.join(facts)}; n = {N}, 95%"
    branches.append(show.Branch(answer, rule, why, rates, source))
show.Decision("Who can check, and how early?", branches)

# %% [markdown]
# **Figure.** When to vote, to check chains, or to search; each rate with its 95% interval. In the last two boxes two models share the work: a
# finished model judges for a half-trained one, an early one (12M below) for the finished one, whose own tree costs 53
# chains with a program's help and 58 alone. Which search, for how many tokens and how much time, is the question of
# [chapter 20](20_every_strategy_on_one_board.ipynb).
#
# How often is "often", and how much may a judge err? The boxes shade into each other, and here is the line between them:
# the judge that a tree needs if it is to solve more than checked chains for the same tokens. A judge's quality is its
# **AUC**: how often it puts a good half-done solution above a bad one. (A coin has 0.5; *never* means that not even a
# perfect judge would do.)


# %% tags=["hide-input", "set-up"]
# The border between trees and checked chains
def border_of(axis, replies):
    kind = f"{axis}, {replies}, best of k, checked, written"
    found = study["borders"][kind]
    heights = [y if y <= 1 else 2 for y in found["AUC"]]  # 2: never
    return {"x": found["generator"], "y": heights} | found


def at(border, place):
    return area(*(border[key][place] for key in ("y", "low", "high")))


border, rows = border_of("one chain", 3), []
for i in (8, 16, 24, 32):
    chain = f"{border['x'][i]:.1%}"
    rows.append(
        {"one chain is right": chain, "AUC needed": at(border, i)}
    )
note = f"Game of 24; 3 replies a state; n = {N}, 95%"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The more often one chain is right, the better the judge that a tree needs.
#
# If that is all you came for, take three numbers of your own to the [calculator](#a-calculator): how often **one chain**
# is right; the **reach**, how often the model's proposals for a state that can still be won hold a good next step; and
# the judge's AUC. For the last two, look at twenty solutions whose end you know. A state on the way to a right answer is
# good; one from which several tries all failed counts as bad. For the first, draw many chains of each problem ([how many it
# takes, and when to play the two against each other instead](#how-many-problems-it-takes)). The rest of the chapter is the evidence.
#
# ## How it was measured
#
# One training of the book's pocket model was stopped at five points, from a novice after 8 million tokens (8M) to one
# after 32 million; the sixth player is the finished model. Those in the middle (16M, 24M and 32M) we call
# *half-trained*. Each of the six **generates** with each of the six as
# **judge**, on a hundred hard puzzles that none of them had seen. Two programs complete the picture: a judge that throws
# dice, and an *oracle*, a solver that is always right and that nobody has in practice. A tree asks for three replies a
# state and keeps the best state. It stands against chains of the *same generator*, as many as its written tokens buy.
#
# Generator and judge are also measured apart from any search. Reach: of the model's replies about a state from which 24
# can be made, how many hold a step that keeps it so? AUC: how often is such a living state valued above a dead one?

# %% tags=["set-up"]
# The six players
rows = []
for name, p in PLAYERS.items():
    row = {"player": name, "one chain": f"{p['one chain'][0]:.2%}"}
    row["reach"] = f"{p['generating']['axis'][0]:.0%}"
    row["AUC"] = area(*p["judging"]["axis"])
    rows.append(row)
show.table(rows, caption=f"n = {N} puzzles")

# %% [markdown]
# **Table.** Six players. The novice's chains are right in four cases of ten thousand, the finished model's in one of six.
#
# What can a hundred puzzles show? Suppose that two searches differ on twenty of them. How lopsided must that be before an
# exact test believes it?

# %%
for a, b in ((13, 7), (14, 6), (15, 5)):
    lead, p = a - b, stats.mcnemar(a, b)
    print(f"{a} to {b}, a lead of {lead} puzzles: p = {p:.3f}")

# %% [markdown]
# A lead of less than ten puzzles, then, means little where two searches often differ. All pairs together show more than
# each of them, and the border is fitted to all at once. (Each puzzle draws samples of its own, so puzzles are
# independent. Two searches with the same generator do share its replies, on purpose.)
#
# ## When a program checks the answer
#
# In this game a program tells at once whether an answer is right: a free check. So anybody may take chain after chain
# until one passes, and *the best of k* chains is the rival to beat.
#
# ### Predict: which generator needs the tree most?
#
# The check and the judge (the finished model) are the same for all, and each tree meets chains of its own price. From left to right
# stand the novice, those in the middle, and the finished model.

# %%
rows, points = read("by generator"), []
for row in rows:
    for method in ("tree", "best of k", "vote of k"):
        place = {"method": method, "one chain": row["one chain"]}
        points.append(place | {"rate": row[method]})
how = {"xlabel": "one chain is right"}
how["ylabel"] = "solved, at equal tokens"
plot = show.plots.success_by_cost
figure = plot(points, x="one chain", log=True, **how)
axis = figure.axes[0].xaxis
axis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
show.Predict(
    "How much does the tree of each of the six solve?",
    [row["tree"].rate for row in rows],
    figure=figure,
    at={f"{row['one chain']:.2%}": row["one chain"] for row in rows},
    unit="%",
    alt="The tree rises early, far above the best of k where chains "
    "are right in one of a hundred; the two meet where one in "
    "six is right. A vote stays far below both.",
)

# %% [markdown]
# **Figure.** The tree is worth most in the middle: for the player 24M, whose chains are right in 0.7% of cases, it solves
# 72% of the puzzles, and as many tokens' worth of checked chains 19%.
#
# A novice's replies seldom hold a good step, and no search can keep what was never there. The finished model's chains
# are right so often that fifty of them and a check cannot be told from the tree. In between lies the tree's country. A chain
# needs three good steps in a row, and one bad step costs it everything; a tree pays for a bad step once.
#
# ## The map
#
# Now all pairs. Each point is a generator (further right: its chains are right more often) with a judge (further up: it
# tells good states from bad ones). Blue: the tree gains on checked chains at the same cost. Orange: it loses. The larger,
# the more; a small grey ring is where nothing can be told (an exact test by puzzles, for all 48 pairs together: Holm's
# p of at least 0.05). The line is where the two break even, fitted to all pairs. Its band holds three errors: the puzzles, the
# places of the players on both axes, and the fit.
#
# ### Predict: does a better generator need a better judge?
#
# Draw the border: above it the tree gains, below it loses.

# %%
LOOK = {"x": "one chain", "xlabel": "one chain is right", "log": True}
LOOK |= {"y": "AUC", "ylabel": "judge's AUC"}
LOOK["names"] = ("the tree gains", "it loses")


def told(rows):
    clear = [r["gain"].rate for r in rows if r["p"] < 0.05]
    ahead, behind = (sum(s * x > 0 for x in clear) for s in (1, -1))
    rest = f"neither in {len(rows) - ahead - behind}"
    return f"tree ahead in {ahead}, behind in {behind}, {rest}"


rows = read("map, 3 replies")
weak = [row for row in rows if row["judge"] == "8M"]
figure = show.gains(rows, border=border, **LOOK)
spots = {
    f"{border['x'][i]:.1%}": border["x"][i] for i in (4, 12, 20, 28)
}
show.Predict(
    "Where is the border, for chains that are right so often?",
    [border["y"][i] for i in (4, 12, 20, 28)],
    figure=figure,
    at=spots,
    alt="Blue points fill the upper left and middle, orange ones "
    "the lower right. The row of the judge with an AUC of 0.71 "
    "has no blue point. The border rises from about 0.6 for "
    "novices to 0.95 for the finished model.",
    shows=f"{len(rows)} pairs: {told(rows)}; judge 8M, AUC "
    f"{weak[0]['AUC']:.2f}: {told(weak)}.",
)

# %% [markdown]
# **Figure.** A better generator needs a better judge: the border rises.
#
# The reason is the rival: with a better generator, checked chains improve as well. A judge with an AUC of 0.71 sounds
# decent, and in this study it showed no gain for anybody: no point of its row is blue. (Chains that are right in up to 92%: [part
# two](16_what_does_it_cost.ipynb#what-is-a-solved-problem-worth).)
#
# ### GPT-4 on the map
#
# The log that [the authors of the paper published](../book/authors_logs.md) gives GPT-4 a place, too: its chains are right in 4% of
# cases. Its judge has an AUC of 0.88, but on states that GPT-4 proposed itself, which are easier to tell apart than the
# map's, drawn from all legal steps: our players do better there, too. Less what they gain by it, GPT-4 has about 0.83 on the map's axis.
# It asked for *one* reply a state, so it belongs on the map of such searches (and even
# there it is a guest, with five states kept and other puzzles). One reply offers fewer steps, so the judge must be better.

# %% mystnb={"image": {"alt": "The map for trees with one reply a state. Two blue points only, both left of one chain in a hundred, and many orange ones; the border rises more steeply and reaches an AUC of 1 at about 6 per cent. GPT-4's star, at 4 per cent and 0.83, lies below the border, and just below its band."}} tags=["plot"]
gpt4, small = study["others"].values()
places = {
    "GPT-4": (gpt4["one chain"], gpt4["AUC on the players' states"])
}
for name in ("24M", "32M", "final"):
    drawn = PLAYERS[name]["judging"]["axis"][0]
    own = PLAYERS[name]["own states"]["AUC"][0]
    print(f"{name}: {drawn:.2f} on these states, {own:.2f} on its own")
narrow, rows = border_of("one chain", 1), read("map, 1 reply")
gaps = [abs(x - gpt4["one chain"]) for x in narrow["x"]]
print(f"{len(rows)} pairs: {told(rows)}")
needed = at(narrow, gaps.index(min(gaps)))
has = places["GPT-4"][1]
print(f"needed where GPT-4 is: AUC {needed}; it has {has:.2f}")
show.gains(rows, border=narrow, marks=places, **LOOK)

# %% tags=["set-up"]
# GPT-4's search and its rival
first = {"GPT-4": gpt4["reach by step"][0]}
for name in ("32M", "final"):
    four = PLAYERS[name]["generating"]["4"]
    first[name] = four["a reply has one that does"]
print(f"GPT-4: one chain {gpt4['one chain']:.0%}; a good first step:")
print("   ", ", ".join(f"{who} {x[0]:.0%}" for who, x in first.items()))
for what, label in (("tree", "search"), ("rival's rate", "rival")):
    right = stats.Interval(*gpt4[what], gpt4["n"])
    print(f"{gpt4[label]}: {right}")

# %% [markdown]
# **Figure.** With one reply a state the border is higher. GPT-4 lies below it, and just below its band.
#
# So the map advises against this search, and it is wrong: the search solved 74% where a hundred chains, which write more
# tokens, have a right one in 49%. Why? Look at the first step, which everybody proposes for whole puzzles. GPT-4's replies hold a good one
# more often than any player's, and its *chains* are right about as seldom as those of 32M, because a chain takes the first step that comes
# to mind and has no list to choose from. That distance is what a tree lives on: **many good steps on offer, and few chains that put them in a row.**
# The players come from one training, in which good proposals and right chains grow together, so their map knows nobody like
# GPT-4. Neither number is enough by itself ([a study](study_when_search_pays.ipynb#is-reach-enough-to-decide)); measure
# both, and where yours do not go together as in the table of players, do not trust the border.
#
# ### How many problems it takes
#
# Take the three measurements on twenty problems: how sure are they? The recorded model's tree (five states kept, three replies;
# [chapter 6](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles)) shows it on 20, 40 and all of its 120 puzzles, with a hundred
# chains of each. Reach and AUC are those of the states that the trees met; the AUC is the mean of two, with three numbers left (0.59) and with
# two (0.80). It is not lowered as GPT-4's was, which would put it further below the border.

# %% tags=["set-up"]
# The recorded model's three measurements, and what they are held to
real, rows = load("../studies/results/heart.json"), []


def needed_at(chain):
    gaps = [abs(x - chain) for x in border["x"]]
    return border["y"][gaps.index(min(gaps))]


for m in real["measured"]:
    chain, low, high = m["one chain"]
    drawn = round(chain * m["n"])
    rows.append({"problems": m["n"]})
    rows[-1] |= {
        "100 chains each": f"{chain:.1%} [{low:.1%}, {high:.1%}]",
        "one each": stats.wilson(drawn, m["n"]),
        "reach": stats.Interval(*m["reach"], m["n"]),
        "AUC": area(*m["AUC"]),
        "needed": f"{needed_at(low):.2f} to {needed_at(high):.2f}",
    }
for rate in (0.002, 0.04):
    print(f"none of 20 chains right, if {rate:.1%} are:", end=" ")
    print(f"{(1 - rate) ** 20:.0%}")
both = real["sets"]["both"]["rates"]
tree = stats.Interval(*both["tree, end checked"], m["n"])
best = "best of k chains, end checked"
chains = stats.Interval(*both[best], m["n"])
print(f"tree {tree}, as many checked chains {chains}")
for name in ("24M", "32M"):
    reach = PLAYERS[name]["generating"]["axis, 3 replies"][0]
    print(f"{name}: reach of three replies {reach:.0%}")
show.table(rows)

# %% [markdown]
# **Table.** Qwen2.5-Coder-1.5B, 2026-11-26. First columns: how many chains are right; *one each*: what single chains would show. *Needed*: the
# AUC of the border, at both ends of the chains' interval (a hundred each).
#
# *What twenty cannot tell.* One chain of each cannot tell 0.2% from 4%, and a judge good enough for the first may be too poor for the second. A
# hundred chains of each can: **draw more chains before you find more problems.** The AUC has no such remedy: on twenty problems it may be off by
# six points, and by three on eighty.
#
# *When an interval spans the border*, the map says nothing, whichever side its middle is on. Then **play both** at one price on problems
# that you did not measure, in pairs: that needs no border. If the two differ on three problems in ten, forty problems show a true lead of 25 points
# in four trials of five, and 120 one of 15.
#
# *When it does not*, as here, the map can still be wrong. At every n the judge is below what is needed, and yet the tree solves 86% where
# the chains solve 50%. So a poor judge over many lists does not forbid a search: the map is contradicted a second time,
# after GPT-4. An interval holds the luck of the draw, not whether the map fits. Three things are not the map's here:
# easier puzzles, five
# states kept instead of one, and, as with GPT-4, better lists than those of players whose chains are right as seldom. (Which of them
# does most was not measured.) If one of them is true of you, play both on forty problems or more.
#
# ## When nobody can check
#
# So far a program checked the ends of chains and trees, refused illegal steps, and wrote the tree's answer down. Now take
# all of that away. The model judges everything and writes the answer itself, and its rival is the vote.
#
# *Everything* includes the end. In the training of the pocket model a program always judged single numbers, so the model refuses to say whether a
# last number is 24, and would choose its last step among ties. So a copy of each player went on to practise that, and answers. It is asked
# about ends only; all else is said by the player that you know (`studies/pocket/alone.py`).
#
# ### Predict: who is ahead then?
#
# The finished model plays both parts. Three trees of different shape stand against a vote at equal tokens.

# %%
rows, bars, gains = table_of(alone, "nobody checks"), [], []
for row in rows:
    replies = "1 reply" if row["replies"] == 1 else "3 replies"
    name = f"tree, {row['kept']} kept,\n{replies}"
    gains.append({"player": row["player"]})
    gains[-1] |= {"tree": name, "ahead by": row["tree's gain"]}
    if row["player"] == "final":
        sides = {name: "tree", f"vote of {row['k']}": "vote of k"}
        for method, key in sides.items():
            low, high = row[key].low, row[key].high
            bars.append({"method": method, "rate": row[key].rate})
            bars[-1] |= {"low": low, "high": high}
canvas = show.plots.new_figure(4.2, 3.8).add_subplot()
show.plots.rates(bars, xlabel="solved, nothing checked", ax=canvas)
finished = [row for row in rows if row["player"] == "final"]
show.Predict(
    "How many of the three are clearly ahead of the vote?",
    sum(row["tree's gain"].low > 0 for row in finished),
    low=0,
    high=3,
    figure=canvas.figure,
    alt="With one state kept the tree is ahead, by 18 points with "
    "one reply and by 46 with three; with five kept they are "
    "alike.",
    shows=show.table(gains),
)

# %% [markdown]
# **Figure.** Nobody checks (the finished model, n = 100). With one state kept the tree is ahead of the vote, far ahead with three
# replies; with five states kept no lead shows. (Above: the tree's gain, for two weaker players as well.)
#
# How much hangs on that last judgement? Here the finished model's trees play with a last number that nobody judges, then with one that a
# program judges (it says whether it is 24, and no more), then with the practised judge; and once more on the fresh puzzles of the next section.

# %% tags=["set-up"]
# Who judges the last number?
judges = {"nobody": study["cells"], "a program": alone["hard"]["rule"]}
judges["the model"] = alone["hard"]["cells"]
judges["the model, fresh"] = alone["fresh"]["cells"]
rows = []
for kept, replies in ((1, 1), (1, 3), (5, 1)):
    row = {"tree": f"{kept} kept, replies: {replies}"}
    how = ("final", "final", kept, replies, False)
    keys = "generator", "judge", "breadth", "proposals", "help"
    for who, cells in judges.items():
        for c in cells:
            if how == tuple(c[key] for key in keys):
                gain = c["gain"]["vote"]["written"][0]
                row[who] = f"{c['rate'][0]:.0%} ({gain:+.0%})"
    rows.append(row)
show.table(rows, caption=f"solved, and ahead of the vote; n = {N}")

# %% [markdown]
# **Table.** A model that cannot judge the end wastes the good steps before it. (The practised model may do better than the exact program: it has
# practised answers, too, and the program judges the last number only.)
#
# Why do five states solve less than one, in every column? A right answer is often among the five, and it is not the one that is chosen
# ([a study of chapter 6's search](study_game24.ipynb) counts it). Who keeps one state has nothing to choose. The
# half-trained models, weaker in both roles, need several replies to gain anything, and practice in answers, too: where a program judges their
# last number and they do the rest, no lead shows. A vote, then, unless the model judges well up to the
# very end; and then one state kept, and several replies to choose from.
#
# > **In practice.** Four more questions have their tables in the [studies](study_when_search_pays.ipynb). Counting the
# > tokens that are *read* hardly moves the border. Weak generators owe much of their gain to a program that refuses
# > illegal steps; those in the middle gain without it, too. If a program can *list* every step, a good judge needs no
# > generator. And with tools, whose calls cost money and fail, first try a search without a tree: look up the question
# > itself, read, and answer once. If you must search, count the price of the *next* call, forget what has been paid, and
# > plan again after a failure unless a whole area is down.
#
# ## Once more, on fresh puzzles
#
# The players, the shapes of tree and the border were all looked at on the same hundred puzzles. Do the four boxes hold on a hundred
# others, by which nothing was chosen (`studies/held_out.py` lists each use that was made of them)?

# %% tags=["set-up"]
# The searches of the decision, on both hundreds
fresh, rows = load("../studies/results/fresh.json"), []
for case, row in cases.items():
    how = {"proposals": 3, "help": not case.startswith("nobody")}
    of = fresh if how["help"] else alone["fresh"]
    again = search_of(of, row["generator"], row["judge"], **how)
    chain = fresh["players"][row["generator"]]["one chain"][0]
    rows.append({"case": case, "rival": row["rival"]})
    rows[-1]["one chain"] = f"{row['one chain']:.1%} and {chain:.1%}"
    later = interval(again["gain"][row["rival"]]["written"], fresh["n"])
    both = {"tree ahead": row["gain"], "on fresh puzzles": later}
    for name, gain in both.items():
        ends = f"[{gain.low:+.0%}, {gain.high:+.0%}]"
        rows[-1][name] = f"{gain.rate:+.0%} {ends}"
show.table(rows, caption=f"n = {N} and {fresh['n']}, 95%")

# %% [markdown]
# **Table.** Each case of the decision on the map's puzzles and on fresh ones, which are easier for every player.
#
# Every box holds; better chains leave smaller leads, as the border says.
#
# ## A calculator
#
# Set the dials to what you measured. *Chains that the tree costs*: divide the tokens, or the dollars. *Reach* and
# *candidates* are those of the whole list that a state gets, from all replies that you ask for. A program checks the end.
# (Where nobody can, the calculator knows too little about judges: see the first box above.)
#
# The calculator knows that right chains gather on easy puzzles, so fifty chains help less than if all
# puzzles were alike.


# %% tags=["hide-input", "set-up"]
# The calculator: four rates from six numbers
SPREAD_OF_CHAINS, SPREAD_OF_TREES = 0.07, 0.15
for words, spread in (("alike", 0.0), ("as here", SPREAD_OF_CHAINS)):
    found = odds.best_of(50, 0.01, spread)
    print(f"best of 50 chains of 1%, puzzles {words}: {found:.0%}")
found = [f"{p} {PLAYERS[p]['spread']:.2f}" for p in list(PLAYERS)[3:]]
print("spread of chains, measured:", ", ".join(found))


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
# It knows a few numbers about a search and nothing about the game. May you trust it? We let it predict every search of
# both maps from what was measured of the two players. How much puzzles differ is a number for trees (0.15: fitted on every other
# puzzle, while the misses below are on the rest) and one for chains (0.07,
# that of 32M; players differ in it, as printed above).

# %% mystnb={"image": {"alt": "Predicted against played success of 96 searches. Points lie near the diagonal; those with random verdicts are predicted too high."}} tags=["plot"]
known = [row for row in read("predictable") if row["kept"] == 1]


def predicted(row):
    here = row["candidates"], row["reach"], row["AUC"]
    return odds.tree(3, *here, breadth=1, spread=SPREAD_OF_TREES)


rows, misses = [], {1: [], 3: []}
for row in known:
    kind, guess = row["judge"], predicted(row)
    if kind in PLAYERS:
        kind = f"a model judges, replies: {row['replies']}"
    rows.append({"kind": kind, "predicted": guess})
    rows[-1]["played"] = row["tree"].rate
    other_half = fmean(map(int, row["solved"][1::2]))
    misses[row["replies"]].append(abs(guess - other_half))
for replies, far in misses.items():
    size = f"mean miss {100 * fmean(far):.0f} points"
    print(f"replies: {replies}; {len(far)} searches, {size}")
show.predicted(rows, y="played", xlabel="predicted by the calculator")

# %% [markdown]
# **Figure.** Predicted and played. With three replies the misses have a pattern: good judges over middling steps are
# worth *more* than it says, poor judges over excellent steps much *less*, and random verdicts look too good.
#
# Its best of $k$ misses by up to 15 points, too low for weak chains and too high for strong ones. Its votes are hardly
# better than a guess ([tables, and why](study_when_search_pays.ipynb#may-the-calculator-be-trusted)). So use it to see
# which of your numbers decides, and not for the second digit. Both real models above contradict the map, whose players the calculator shares: it
# says what to measure, and playing both says what to do.
#
# > **Where it breaks.** This is one game: three steps, exact rules, a program that checks. The axes travel to other
# > tasks; the numbers may not. Generators and judges come from one training, and errors that a generator and its judge
# > *share* would hurt a tree more than the map shows. And chapters [9](09_zero_shot_tot.ipynb) and
# > [14](14_planning_with_mcts.ipynb) have tasks whose steps nobody can check: there no tree showed itself ahead of
# > the vote.
#
# ## Summary
#
# - Nobody can check: vote, unless the model judges well to the very end. Then a tree with one state kept and three replies is ahead (the pocket
#   model). A recorded model's tree, with five kept, was ahead where only the *end* went unchecked: 80% to 6%. A program refused illegal steps and
#   wrote the answer; its share was not measured.
# - A free check, and chains that are often right: draw chains until one passes.
# - A free check, chains that hardly ever are, proposals that often are, and a good judge: search. Twice a tree
#   gained where the map advised against it: GPT-4's, and that of a recorded model with a poor judge (AUC 0.70). Their proposals are far better than
#   their chains, as no player's of the map were. So a poor judge is no verdict there: play both.
# - The better the chains, the better the judge must be, since the rival improves with the generator.
# - Measure three numbers first: one chain (a hundred chains of each of twenty problems), reach, the judge's AUC. Where an interval spans
#   the border, or your lists are better than those of players with your chains, play both on forty problems or more.
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
# Six tests, so each may claim 0.05 / 6 = 0.0083. More replies win for
# 12M, 32M and the finished model; for 16M and 24M that is a hint, and
# for 8M nothing can be told. From 24M on they are cheaper, too: what is
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
# think possible, and see whether the best row changes. If it never does, move two.
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
changes = [{name: x} for name, ends in dials.items() for x in ends]
changes.append({"chain": 0.03, "auc": 0.95})
rows = []
for change in changes:
    found = expected(**guess | change)
    row = {"guess": ", ".join(f"{k} = {v}" for k, v in change.items())}
    rows.append(row | {key: f"{found[key]:.0%}" for key in kept})
show.table(rows)
# No guess turns the order by itself: checked chains lead in all six. It
# takes two, seldom right chains and an excellent judge (the last row).
# Measure the chains first: at 30% no tree comes near, at 3% the judge
# decides.

# %% [markdown]
# ## Further reading
#
# - {cite}`brown2024monkeys`: many samples and a check; {cite}`snell2024scaling`: when computing longer replaces a larger
#   model. {cite}`cobbe2021training` trained the judge.
# - {cite}`yao2023tree`, section 4.1, for GPT-4's search; [its log](../book/authors_logs.md), read with our instruments.
# - [Part two](16_what_does_it_cost.ipynb): the bills of all methods. [The study of the Game of 24](study_game24.ipynb):
#   one model's search in detail, with the controls. [Studies](study_when_search_pays.ipynb): the tables behind this page.
# - In the package: `treebook/studies/odds.py`, `studies/search_pays/`; `make study-search` plays the map again.
