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
# # The tree teaches the model
#
# Every search in this book has forgotten what it found. It answered one question, and the next one began at nothing. What
# if the model *learned* from its searches? The reasoning models of today were trained in that spirit: they attempt problems,
# a program checks the attempts, and what passed is made likelier {cite}`guo2025deepseek`.
#
# A small model learns the rules of the Game of 24 and nothing
# else; no solver and no worked solution comes near it. A tree search finds ways with it, the rules of the game say which
# ways are right, and the model is trained on those. Here is what three such rounds do.

# %% tags=["set-up"]
# Imports, and the results of the rounds
import json
from itertools import combinations
from math import fsum
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.tasks.game24 import numbers_of, steps_of
from tot.tasks.game24_rules import read_step
from treebook import show
from treebook.nbsetup import setup
from treebook.players import Pocket
from treebook.players.forms import (
    chain as chain_line,
    proposals,
    verdict,
)
from treebook.studies.learned import Rounds

setup()
study = Rounds("../studies/results/teach.json")
print(f"{len(study.legs)} rounds, {study.puzzles} held-out puzzles")


def small_model(name):
    """Its recording; and live, with its weights, for other runs."""
    recorded = tot.Cassette(f"cassettes/18_{name}.jsonl")
    weights = f"../studies/teach/{name}.safetensors"
    return {"lm": recorded, "live": Pocket(weights=weights, name=name)}


# %%
game = tot.task("game24")
novice, pupil = small_model("novice"), small_model("pupil")
x = "2 6 10 13"
for player in (novice, pupil):
    tree = tot.solve(game, x, "tot-bfs", **player, breadth=5)
    name = player["lm"].name
    print(name, "solves it" if tree.any else "finds nothing")
show.explorer(tree)

# %% [markdown]
# **Figure.** The pupil's search, after three rounds. The novice, asked in the same way, finds nothing. (We chose a puzzle where that is so;
# neither of them ever practised it. Its 5 *rounds* are batches of calls.)
#
# Two questions are left. Can the pupil throw the tree away in the end and just write the answer down? And was the
# *tree* needed to teach it, or would plain attempts have done?
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a round of expert iteration, and say what a found way teaches a generator, an evaluator and a chain;
# - compare a taught model with its teacher, and with the control that matters: learning without a tree at equal tokens;
# - take the loop apart: which half learns, what the check is for, when it stops;
# - work out how many problems you must have before training pays.
#
# ## One round, by hand
#
# The loop is called **expert iteration** {cite}`anthony2017thinking`, and AlphaZero {cite}`silver2018general` is its best-known relative. A search with
# a model plays better than the model alone. So let the model imitate the search, and then search with the better model.

# %%
show.concepts.lessons()

# %% [markdown]
# **Figure.** One round. Only what passed the check is learned.
#
# Our **novice** has the network of the pocket model, trained from nothing on 45 million tokens of rules: legal steps in
# no order of merit, verdicts that say what two random tries came to, chains that use up the numbers at random. It plays
# by the rules, and has no idea:

# %%
ask = game.cot(tot.State(x)).samples(first=0, n=2)
[reply] = novice["lm"]([ask])
print(reply.texts[1])

# %% [markdown]
# A round begins with the puzzles to practise on: 962, all of our list except 400 that nobody trains on (the hundred hard ones of the tables, and 300 more). We take four, and search them as the study does, five states kept
# and two replies a state. The check is the free one of [chapter 3](03_io_and_verifiers.ipynb): legal steps,
# and 24 at the end.

# %%
four = [game.problems("all")[i] for i in (1, 417, 846, 1360)]
knobs = {"breadth": 5, "proposals": 2}
ways, tokens = {}, 0
for problem in four:
    tree = tot.solve(game, problem, "tot-bfs", **novice, **knobs)
    tokens += tree.result.ledger.total.completion_tokens
    for node in tree.result.best:
        answer = node.state.answer
        if answer and game.verify(problem, answer).correct:
            ways.setdefault(problem.x, []).append(steps_of(node.state))
print(tokens, "tokens;", {x: len(found) for x, found in ways.items()})

# %% [markdown]
# Two of the four are solved, one in four ways. A way is three steps, and becomes a line of practice for each
# thing that the model is to write:


# %%
def lessons(x, way):
    numbers = numbers_of(x)
    yield chain_line(numbers, numbers, way)  # the whole way
    for i, step in enumerate(way):
        yield proposals(numbers, [step])  # a good next step
        yield verdict(numbers, [way[i:]], "sure")  # a good state
        numbers = step.left


[way] = ways["6 9 12 12"]
for kind, question, reply in lessons("6 9 12 12", way):
    print(kind, question)
    print("   ", reply.replace("\n", "\n    "))

# %% [markdown]
# In the study a proposal names eight steps, and a step on a found way is twelve times as likely to be among them as another; half of
# the verdicts still come from random tries, or the judge would never see a bad state (`studies/teach/pupil.py`). Each round trains on 2.5 million such tokens.
#
# ## What can be shown?
#
# The players are measured on a hundred hard puzzles that no round ever saw, and the main runs were made with three seeds. What
# can that show? Suppose that a tree solves 40%, puzzles differ in difficulty about as they did in chapter 16, and another player is
# really better by some points. How often would the exact paired test, by puzzle, notice?


# %% tags=["set-up"]
# What 100 puzzles show: 150 simulated comparisons for each size
def noticed(points, seeds, spread=0.15, games=150, rate=0.4):
    rng, found = Random(0), 0
    a, b = (share * (1 - spread) / spread for share in (rate, 1 - rate))
    for _ in range(games):
        gaps = []
        for p in (rng.betavariate(a, b) for _ in range(100)):
            better = p + points / 100 * (1 - p) / (1 - rate)
            wins = (rng.random() < better for _ in range(seeds))
            losses = (rng.random() < p for _ in range(seeds))
            gaps.append(sum(wins) - sum(losses))
        found += stats.sign_flips(gaps) < 0.05
    return f"{found / games:.0%}"


sizes = (5, 10, 15, 20)
rows = [{"truly better by": f"{d} points"} for d in sizes]
for row, points in zip(rows, sizes, strict=True):
    row |= {"one seed": noticed(points, 1)}
    row |= {"three seeds": noticed(points, 3)}
show.table(rows)

# %% [markdown]
# **Table.** Three seeds notice ten points most of the time, one seed only fifteen or twenty.
#
# Keep that in mind wherever an arm below has one seed. For single chains the resolution is better: each puzzle has
# forty of them. The seeds share one novice; what differs is the samples and the training.
#
# ### Predict: what does one round do to a single chain?
#
# One of a thousand chains of the novice is right. It learns from ways that its tree found, once. How often is a chain right after that round?

# %% tags=["set-up"]
# The pupil of the tree after each round
rows, names = [], {"IO": "at once", "CoT": "one chain"}
names |= {"CoT-SC": "vote", "best of 40": "best of 40"}
names |= {"narrow ToT": "tree"}
for after in range(4):
    row = {"rounds": after}
    for method, name in names.items():
        i = study.rate("tree", after, method)
        form = ".1f" if method in ("IO", "CoT") else ".0f"
        rate, *ends = (
            format(100 * end, form) for end in (i.rate, i.low, i.high)
        )
        row[name] = f"{rate} [{', '.join(ends)}]"
    rows.append(row)
note = "per cent, with 95% intervals; n = 100 puzzles, three seeds"
table = show.table(rows, caption=note)
truth = round(100 * study.rate("tree", 1, "CoT").rate, 1)
ask = "One chain, after a round: how often right?"
how = {"low": 0, "high": 20, "step": 0.1, "unit": "%"}
show.Predict(ask, truth, shows=table, **how)

# %% [markdown]
# **Table.** The pupil of the tree after each round. *Best of 40* means that one of forty chains is right, and the check finds it; the votes
# of those forty are the column before it.
#
# The *tree* here is a narrow one: it keeps one state and asks three times about it, as [chapter 16](16_when_search_pays.ipynb)
# recommends. You will meet two more: the teacher's, five states and two replies, which writes nearly twice as much, and a *wide* one, which
# we measured first: five states and one reply. It writes as much as the narrow one and does worse with nearly every pupil.
#
# A hundred fresh puzzles, of those 300 (`studies/held_out.py`), are easier for both. The pupil of the first seed stays above the novice: by 32 points as a tree (34 before),
# 59 (48) as best of forty, 20 (36) as its teacher's tree. Its best of forty solves 78%, its tree 59%.

# %% tags=["checked"]
# Novice and pupil on fresh puzzles
with open("../studies/results/fresh.json") as file:
    fresh = json.load(file)
names |= {"best of the chains": "best of 40", "ToT": "wide tree"}
names |= {"teacher ToT": "teacher's tree"}
rows = []
for method in (name for name in names if name != "best of 40"):
    row = {"": names[method]}
    for player, after in (("novice", 0), ("pupil", 3)):
        so_far = study.measured("tree", 0, after)
        for column, found in (
            (player, so_far),
            (f"{player}, fresh", fresh["taught"][player]),
        ):
            rate, low, high = found[method]["rate"]
            row[column] = f"{rate:.1%} [{low:.0%}, {high:.0%}]"
    rows.append(row)
show.table(rows, caption=f"n = {study.puzzles} and {fresh['n']}")

# %% [markdown]
# ## Does the chain catch up with the tree that taught it?
#
# One chain does not. Three rounds make it thirtyfold better, and it is still wrong 96 times in a hundred. It writes forty tokens; the
# novice's teaching tree writes five thousand and solves 20%. But that is no fair race. The tree is checked at its end, and so may chains
# be, as many as the tokens buy. (A program also refuses the tree's illegal steps, as in chapter 16.)

# %% tags=["plot"] mystnb={"image": {"alt": "Solved puzzles against tokens per puzzle, on a logarithmic axis. Four rising curves for checked chains: the novice's stays near zero and ends at 4 per cent; those after one, two and three rounds end at 37, 48 and 56 per cent near 1,700 tokens. Four points for trees near 2,900 tokens: the novice's at 15 per cent lies far above its curve, the others lie about where the curves of the same round end. A star, the teaching tree of the novice, is at 20 per cent and 5,300 tokens."}}
LOOKS = [("#6b7480", "o"), ("C1", "s"), ("C0", "^"), ("C2", "D")]
ENDS = ["novice", "1 round", "2 rounds", "3 rounds"]
KS = (1, 2, 3, 5, 8, 12, 20, 30, 40)


def best_of(arm, after, k):
    """How often k chains hold a right one, over all seeds."""
    seeds = study.seeds(arm, after) if after else [0]
    counts = [
        study.measured(arm, s, after)["CoT"]["right"] for s in seeds
    ]
    return fmean(
        stats.pass_at_k(40, c, k) for one in counts for c in one
    )


plt.figure(figsize=(5.4, 3.5))
for after, (colour, marker) in enumerate(LOOKS):
    each = study.mean("tree", after, "CoT", "tokens") / 40
    curve = [best_of("tree", after, k) for k in KS]
    plt.plot(
        [each * k for k in KS], curve, color=colour, label=ENDS[after]
    )
    i = study.rate("tree", after, "narrow ToT")
    at = study.mean("tree", after, "narrow ToT", "tokens") * (
        0.94 + 0.04 * after
    )
    plt.errorbar(
        at,
        i.rate,
        [[i.rate - i.low], [i.high - i.rate]],
        color=colour,
        marker=marker,
        capsize=2,
    )
plt.gca().set(
    xscale="log", xlabel="tokens written for a puzzle", ylabel="solved"
)
plt.gca().xaxis.set_major_formatter("{x:,.0f}")
plt.gca().yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
plt.text(3600, 0.0, "points: the tree\nstar: the teacher", fontsize=9)
i = study.rate("tree", 0, "teacher ToT")
at = study.mean("tree", 0, "teacher ToT", "tokens")
bars = [[i.rate - i.low], [i.high - i.rate]]
look = {"color": LOOKS[0][0], "marker": "*", "ms": 10, "capsize": 2}
plt.errorbar(at, i.rate, bars, **look)
handles, labels = plt.gca().get_legend_handles_labels()
plt.legend(
    handles[::-1],
    labels[::-1],
    title="checked chains",
    loc="upper left",
)
plt.xlim(30, 15000)
plt.show()

# %% [markdown]
# **Figure.** Lines: checked chains, of one to forty. Points: the tree of the same player (beside each other for legibility). Star: the novice's teaching tree. Before training, trees are far above the
# chains; after one round they have no lead left.

# %% tags=["set-up"]
# The judge, and the border of chapter 16
with open("../studies/results/search_pays.json") as file:
    borders = json.load(file)["borders"]
border = borders["one chain, 3, best of k, checked, written"]
rows = []
for after in range(4):
    rate = study.rate("tree", after, "CoT").rate
    near = [abs(known - rate) for known in border["generator"]]
    judge = study.mean("tree", after, "judging", "axis")
    row = {"rounds": after, "the judge has": f"{judge:.2f}"}
    needed = border["AUC"][near.index(min(near))]
    row["it needs, by chapter 16"] = f"{needed:.2f}"
    places = [("tree", after, m) for m in ("narrow ToT", "best of 40")]
    row["tree minus chains, points"] = str(study.compared(*places))
    rows.append(row)
teacher = study.rate("tree", 0, "teacher ToT")
spent = study.mean("tree", 0, "teacher ToT", "tokens")
print(f"the novice's teaching tree: {teacher}, {spent:,.0f} tokens")
k = next(
    k for k in range(1, 41) if best_of("tree", 1, k) > teacher.rate
)
each = study.mean("tree", 1, "CoT", "tokens") / 40
print(f"after one round: {k} checked chains, {k * each:,.0f} tokens")
show.table(rows, caption="AUC of the judge; n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** The tree leads as a novice, and then no longer, although forty chains write only 60% of its tokens.
#
# So the search has moved into the chain. After one round, sixteen checked chains of the pupil do what took its teacher a
# whole tree, for an eighth of the tokens. [The map of chapter 16](16_when_search_pays.ipynb#the-map) knew: the better the
# chains, the better the judge that a tree needs, and here both improve at the same pace. The tree stays at its border. (The map was drawn with
# other players, and compares at equal tokens.)
#
# ## Was the tree needed?
#
# Here is the control that matters. **STaR** {cite}`zelikman2022star` learns from chains alone: sample, keep what the
# check lets pass, train, repeat. Our chain-taught players get the same puzzles, the same novice, the same
# training, and may write as many tokens in each round as the tree did; only their ways come from
# independent chains. (STaR proper also shows the model the right answer where it failed, and trains from the original model each time. We do neither.)
#
# ### Predict: who is ahead after three rounds?
#
# The novice's tree found ways for about half of the 962 puzzles in the first round, its chains for a third. Which players are better in the end: those
# whom a tree taught, those whom chains taught, or can nobody tell?

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Six panels of success against rounds, from zero to three: one chain, vote of forty, best of forty, and three shapes of tree. In each, tree-taught and chain-taught players rise far above the line of players that only practised the rules again. For one chain and for the best of forty, the tree-taught are ahead after one round and level afterwards. In the panel of the narrow tree they are ahead after two and three rounds, with overlapping intervals; in that of the teacher's tree the two lines lie together; in that of the wide tree they cross, and one tree-taught seed falls in the third round."}}
PANELS = {"CoT": "one chain", "CoT-SC": "vote of 40"}
PANELS |= {"best of 40": "best of 40", "narrow ToT": "narrow tree"}
PANELS |= {"teacher ToT": "teacher's tree", "ToT": "wide tree"}
ARMS = {
    "tree": "tree-taught",
    "chains": "chain-taught",
    "rules again": "rules again",
}
figure, axes = plt.subplots(2, 3, figsize=(8, 4.4), sharex=True)
for ax, (method, title) in zip(axes.flat, PANELS.items(), strict=True):
    looks = zip(ARMS, ("C0", "C1", "#6b7480"), "so^", strict=True)
    for arm, colour, marker in looks:
        seeds = study.seeds(arm, 1)
        for seed in seeds if len(seeds) > 1 else ():
            line = [
                fmean(
                    one[0]
                    for one in study.outcomes((arm, r, method), [seed])
                )
                for r in range(4)
            ]
            ax.plot(range(4), line, color=colour, alpha=0.35, lw=0.8)
        found = [study.rate(arm, r, method) for r in range(4)]
        mean = [i.rate for i in found]
        bars = [
            [i.rate - i.low for i in found],
            [i.high - i.rate for i in found],
        ]
        at = [r + 0.05 * (list(ARMS).index(arm) - 1) for r in range(4)]
        ax.errorbar(
            at,
            mean,
            bars,
            color=colour,
            marker=marker,
            ms=4,
            capsize=2,
            label=f"{ARMS[arm]} (seeds: {len(seeds)})",
        )
    ax.set_title(title)
    ax.set_xticks(range(4))
    ax.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
for ax in axes[1]:
    ax.set_xlabel("rounds")
figure.legend(
    *axes[0, 0].get_legend_handles_labels(),
    loc="outside lower center",
    ncols=3,
    fontsize=10,
)
print("tree-taught minus chain-taught, points, after 1, 2 and 3 rounds")
for method, title in PANELS.items():
    places = [
        [(a, r, method) for a in ("tree", "chains")] for r in (1, 2, 3)
    ]
    gaps = [
        str(study.compared(*pair)).split(", p")[0] for pair in places
    ]
    print(f"{title:15}", *(f"{gap:18}" for gap in gaps))
again = study.compared(
    ("rules again", 3, "teacher ToT"), ("tree", 0, "teacher ToT")
)
print(f"rules again minus the novice, teacher's tree: {again}")
plt.show()

# %% [markdown]
# **Figure.** Learning curves with 95% intervals over puzzles; thin lines are single seeds.
#
# Training alone explains little: players that practised the rules again, with as many tokens, gained nothing that shows.
# After one round the tree's pupils write the better chains (p = 0.002, over puzzles). After two nobody can tell these apart, and that is
# no lack of power: a difference of a point or so would show. Of the trees, the narrow one leads by 8 points after two rounds and after three (p = 0.044 and 0.035), the wide one only after two.
# But these are eighteen comparisons: corrected for that (Holm), the first lead alone is left.
#
# But that p is over puzzles, for *these* players, and a claim about a way of teaching is over trainings. With two more of each for the first two rounds, made on one GPU, p over ten trainings is 0.016 for the first round:
# enough for one question, not for the best of eighteen. After two rounds nothing is left of it, and after three the chains' pupils rather lead (p = 0.054, three trainings against the tree's five).

# %% tags=["checked"]
# Single chains, training by training
for after in (1, 2, 3):
    ours = study.trainings("tree", after)
    theirs = study.trainings("chains", after)
    both, lead = ours + theirs, fmean(ours) - fmean(theirs)
    deals = list(combinations(range(len(both)), len(ours)))
    far = 0
    for deal in deals:
        one = fmean(both[i] for i in deal)
        rest = (sum(both) - len(ours) * one) / len(theirs)
        far += abs(one - rest) >= abs(lead) - 1e-9
    for name, rates in (("tree", ours), ("chains", theirs)):
        shown = ", ".join(f"{100 * rate:.1f}" for rate in rates)
        print(f"{after}: {name:6} {shown}")
    p = f"{far / len(deals):.3f}, {len(deals)} deals"
    print(f"   {100 * lead:+.1f} points, p = {p}")

# %% [markdown]
# Why did the chains catch up? Look at what the two teachers brought home.

# %% tags=["set-up"]
# What each teacher brought home
rows = []
for r in (1, 2, 3):
    row = {"round": r}
    for arm in ("tree", "chains"):
        for name in ("solved", "ways known"):
            found = study.searched(arm, r, name)
            row[f"{arm}: {name.split()[0]}"] = f"{found:,.0f}"
    wrong = study.searched("chains", r, "wrong reasons")
    rows.append(row | {"wrong reasons": f"{wrong:.0f}"})
each = [study.searched("tree", r, "tokens") / 1e6 for r in (1, 2, 3)]
note = f"{min(each):.1f} to {max(each):.1f} M tokens a round"
note = f"mean of three seeds; {note} and teacher"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** What each round's search found: puzzles solved, of 962, and different ways known since the first round. The tree finds more once: at the beginning. (*Wrong reasons*: right answers of
# chains whose steps do not lead there; see [below](#without-the-check).)
#
# After one round a hundred cheap
# independent attempts solve more puzzles, in more ways, than one tree does for the same tokens. So the tree may be the better teacher only of a player that knows
# nothing.
#
# ## What is learned first, proposing or judging?
#
# A tree has two halves, and each found way teaches both. We trained three more players, in each of which only one kind of line came
# from found ways, and all others stayed with the rules.
#
# ### Predict: one lesson only
#
# Only next steps, only verdicts, or only whole chains: which of the three makes the better *tree*?

# %% tags=["set-up"]
# The players that learned one kind of line
rows, one_seed = [], {"rules again": "nothing", "steps only": "steps"}
one_seed |= {"value only": "verdicts", "chain only": "chains"}
one_seed |= {"tree": "all three"}
players = [(name, arm, 2) for arm, name in one_seed.items()]
for name, arm, after in [("(the novice)", "tree", 0), *players]:
    player = study.measured(arm, 0, after)
    rate, low, high = player["narrow ToT"]["rate"]
    row = {
        "learned": name,
        "tree": f"{rate:.0%} [{low:.0%}, {high:.0%}]",
    }
    row["one chain"] = f"{player['CoT']['rate'][0]:.1%}"
    row["reach"] = f"{player['generating']['axis'][0]:.2f}"
    row["AUC"] = f"{player['judging']['axis'][0]:.2f}"
    rows.append(row)
kinds = ["steps", "verdicts", "chains"]
note = "after two rounds, seed 0, n = 100 puzzles, 95%"
table = show.table(rows, caption=note, highlight=3)
show.Predict("Which lesson?", "verdicts", choices=kinds, shows=table)

# %% [markdown]
# **Table.** The player that learned to judge has most of the gain; the one that learned steps has none that shows.
#
# The two columns at the right say why (both words are [chapter 16's](16_when_search_pays.ipynb#how-it-was-measured)). **Reach**, how often a reply about a
# state that can be won holds a step that keeps it so, rises little, while the judge's AUC jumps, and does so in one round already. Oddly,
# reach rises most where *verdicts* were learned: a verdict of this model
# writes a way down before it says *sure*, so it teaches the ways' steps as well. Whether all three lessons are worth more than verdicts alone, one seed cannot say
# ([exercise 2](#exercise-2-one-seed-or-three)).
#
# ## Without the check
#
# What if nobody can check, and the model believes the way that its own verdicts put first? One more player learned so, with the same tree, the same
# tokens, and legal steps only.

# %% tags=["set-up"]
# The player whom nobody checked
rows = []
for r in (0, 1, 2):
    player = study.measured("unchecked", 0, r)
    row = {"rounds": r, "believed": "", "of these right": ""}
    if r:
        found = study.legs["unchecked", 0, r]["search"]
        believed = found["solved"] + found["wrong reasons"]
        row |= {"believed": believed, "of these right": found["solved"]}
    row["judge's AUC"] = f"{player['judging']['axis'][0]:.2f}"
    low, high = player["narrow ToT"]["rate"][1:]
    row["tree"] = (
        f"{player['narrow ToT']['rate'][0]:.0%} [{low:.0%}, {high:.0%}]"
    )
    rows.append(row)
show.table(rows, caption="believed: ways; seed 0, n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** Unchecked, the loop destroys what it began with.
#
# A tenth of what the novice believed was right, and training on it taught its judge that anything may be sure. After one round the verdicts
# are a coin's, and the next search finds even fewer right ways.
#
# A check can be too kind, too. Forty chains of the pupil about our puzzle were recorded, and some name a right answer. Do they earn it?

# %%
def legal_end(text):
    numbers = numbers_of(x)
    for line in text.splitlines()[:3]:
        step = read_step(line, numbers).value
        if not step:
            return "no legal end"
        numbers = step.left
    return step.result


[reply] = pupil["lm"]([game.cot(tot.State(x)).samples(0, 40)])
for text in dict.fromkeys(reply.texts):
    thought = game.read_cot(tot.State(x), text)[0].value
    if thought and game.check(x, thought.answer).correct:
        print(f"{text}\n    its steps end at {legal_end(text)}\n")

# %% [markdown]
# The first chain steps to 30, then writes an expression that makes 24. Its answer is right **for a wrong reason**, and whoever
# checks answers alone, as STaR does, would teach these steps. Our teachers keep a way only if its *steps* end at 24, and the table of harvests
# counts what that turned away. (In all other tables a chain is right if its answer is.)
#
# ## When does it stop, and why?

# %% tags=["set-up"]
# What each round added
rows, known = [], [0.0]
known += [study.searched("tree", r, "puzzles known") for r in (1, 2, 3)]
gains = {"one chain": "CoT", "narrow tree": "narrow ToT"}
gains |= {"teacher's tree": "teacher ToT", "wide tree": "ToT"}
for r in (1, 2, 3):
    row = {"round": r}
    for name, method in gains.items():
        places = [("tree", k, method) for k in (r, r - 1)]
        row[name] = str(study.compared(*places)).split(", p")[0]
    row["new puzzles"] = f"{known[r] - known[r - 1]:.0f}"
    row["different answers"] = (
        f"{study.mean('tree', r, 'different ways'):.0f}"
    )
    rows.append(row)
note = "gains in points over the round before, three seeds, 95%"
for n in ("4", "3"):
    legal = ("generating", n, "legal lines")
    found = [study.mean("tree", r, *legal) for r in range(4)]
    print(f"legal lines, {n} numbers:", *(f"{x:.1%}" for x in found))
varied = [study.mean("chains", r, "different ways") for r in (1, 2, 3)]
print("different answers, chain-taught:", *(f"{x:.0f}" for x in varied))
show.table(rows, caption=note)

# %% [markdown]
# **Table.** What each round added to the tree-taught players. *Different answers*: of forty chains about a puzzle.
#
# The tree has stopped, or cannot be seen to go on: its third round is within the noise in every shape, and seed 0, whose pupil you met above, fell from 35 to 26 as a
# wide tree. The chain has not stopped. Legality hardly changes. One cause of the slowing is plain in the table: new puzzles run out. The first round
# learned about 484 puzzles, the third about 97 new ones, and what is left is what this player cannot find. Another may be variety: chains repeat themselves more with
# every round.
#
# ## What a round costs, and when it pays back
#
# A round has two bills: the tokens that the search writes, $S$, and those that training reads, $T$. Training costs about three
# times as much for each token as writing, because the gradients go back through the network
# {cite}`kaplan2020scaling`. With prices $c$ for a *solved* puzzle (tokens for a puzzle, divided by the rate), training has paid once
# this many puzzles have been solved:
#
# $$N = \frac{\sum_{\text{rounds}} (S + 3T)}{c_{\text{novice}} - c_{\text{pupil}}}$$


# %%
def price(place, written, puzzles):
    """Tokens for a solved puzzle."""
    outcomes = study.outcomes(place)
    return written / fmean(fmean(outcomes[i]) for i in puzzles)


def pays_after(bill, after, puzzles):
    trees, chains = ("tree", 0, "narrow ToT"), (*after, "best of 40")
    novice = price(trees, study.mean(*trees, "tokens"), puzzles)
    each = study.mean(*after, "CoT", "tokens")
    return bill / (novice - price(chains, each, puzzles))


# %% tags=["set-up"]
# The bills, and an interval from drawing the puzzles anew
T = study.figures["training"]["tokens a round"]


def bill(arm, rounds):
    search = (
        study.searched(arm, r, "tokens") for r in range(1, rounds + 1)
    )
    return fsum(S + 3 * T for S in search)


def with_interval(spent, after):
    def paid(drawn):
        return pays_after(spent, after, [i for [i] in drawn])

    everyone = [[i] for i in range(study.puzzles)]
    return stats.bootstrap(everyone, paid, resamples=400)


rows = []
for arm in ("tree", "chains"):
    for r in (1, 2, 3):
        n = with_interval(bill(arm, r), (arm, r))
        gain = study.compared((arm, r, "CoT"), (arm, r - 1, "CoT")).gain
        point = study.searched(arm, r, "tokens") / gain.rate / 100
        row = {"taught by": arm, "rounds": r}
        row["a point costs"] = f"{point / 1e6:.1f} M"
        row["bill so far"] = f"{bill(arm, r) / 1e6:.0f} M"
        n = f"{n.rate:,.0f} [{n.low:,.0f}, {n.high:,.0f}]"
        rows.append(row | {"pays after solving": n})
show.table(rows, caption="tokens; n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** *A point costs*: what the last round's search wrote for each point that one chain gained; the *bill* is all of $S + 3T$. A round pays after about
# eight hundred solved puzzles; further rounds ask for more.
#
# For the tree's pupils each further point is dearer than the one before. Chains as teachers are dear in the first round and cheapest in
# the second. Who wants a hundred answers should search; who wants ten thousand should train first. (The
# novice's own training is in no bill. Its price is that of its tree; the pupil's is forty chains, also where the first was right: [exercise 3](#exercise-3-stop-at-the-first) does better.)
#
# > **In practice.** Look for the check first, and let it look at the steps. Run the control: chains at equal tokens are simple, and here they taught as well from the
# > second round on. Use a tree where chains hardly ever succeed. Count *new* problems solved in each round, and stop, or find harder
# > ones, when they dry up.
#
# > **Where it breaks.** This is one game with an exact and free check, and one network of less than a million parameters that began with
# > the rules. A model that has read the world begins elsewhere. The budget of training was never varied, every round trains on all ways found so far,
# > and the players with only one seed can show large effects only.
#
# ## Summary
#
# - Expert iteration: search, check, learn, repeat. A way found by search becomes practice for the generator, the evaluator and the chain.
# - One chain improves thirtyfold in three rounds and never reaches the tree that taught it. After one round, sixteen *checked* chains of the pupil match that tree's 20%,
#   for an eighth of the tokens.
# - Independent chains, at equal tokens, teach the chain as well as the tree does from the second round on. Of a player who knows nothing the tree may be the better teacher: five trainings of each say so at p = 0.016.
# - Judging is learned first. Without the check, the loop destroys the player in one round.
# - A round pays after about eight hundred solved puzzles [422, 1,378]. Gains shrink as new ways run out.
#
# ## Exercises
#
# ### Exercise 1: a thrifty teacher
#
# Let the teacher keep one state in place of five. What does it find on our four puzzles, and for how many tokens? Would you prefer one teacher with breadth five, or breadth one on two and a half times as many puzzles?
#
# <details><summary>Hint</summary>
#
# Change `knobs` and run the cell of the round again.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for breadth in (5, 1):
    how = {**novice, "breadth": breadth, "proposals": 2}
    trees = [tot.solve(game, p, "tot-bfs", **how) for p in four]
    bills = [tree.result.ledger.total for tree in trees]
    found = sum(tree.any for tree in trees)
    spent = sum(bill.completion_tokens for bill in bills)
    print(f"b = {breadth}: {found} of 4 solved, {spent} tokens")
# On four puzzles nobody can tell: one against two, at 43% of the price.
# With breadth one and more puzzles you would at least see more
# different ones, as long as there are more to see; these are 962.

# %% [markdown]
# ### Exercise 2: one seed or three?
#
# After two rounds the player that learned all three lessons solves 47% as a tree, the one that learned verdicts 36%. Same puzzles,
# one seed each. Test it. Then use what you know of the other two seeds of the first, and say how it would have to be tested properly.
#
# <details><summary>Hint</summary>
#
# `study.outcomes(place, [0])` has a 0 or a 1 for each puzzle; `study.compared` uses the seeds that both places have. `noticed` tells the power.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
places = [(arm, 2, "narrow ToT") for arm in ("tree", "value only")]
print("seed 0:", study.compared(*places))
seeds = [study.measured("tree", s, 2)["narrow ToT"] for s in range(3)]
print("all lessons, by seed:", [player["rate"][0] for player in seeds])
print("11 points: one seed", noticed(11, 1), "three", noticed(11, 3))
# p = 0.07: a hint. The three seeds of "all" agree well, which says
# that its 47% is no accident; nothing says so about the 36%. Two more
# seeds of "verdicts" would notice such a difference most of the time.

# %% [markdown]
# ### Exercise 3: stop at the first
#
# Whoever has a check draws chains only until one passes. What does a solved puzzle of the pupil cost then, after each round, with at most forty chains?
# When does one round pay?
#
# <details><summary>Hint</summary>
#
# If $c$ of forty chains are right and they come in random order, the first right one is at place $41/(c + 1)$ on average.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
tree = study.mean("tree", 0, "narrow ToT", "tokens")
before = tree / study.rate("tree", 0, "narrow ToT").rate
for r in (1, 2, 3):
    seeds = [study.measured("tree", s, r)["CoT"] for s in range(3)]
    counts = [c for player in seeds for c in player["right"]]
    drawn = fmean(41 / (c + 1) if c else 40 for c in counts)
    each = study.mean("tree", r, "CoT", "tokens") / 40
    after = drawn * each / fmean(c > 0 for c in counts)
    pays = bill("tree", r) / (before - after)
    print(f"after {r}: {drawn:.0f} chains drawn,", end=" ")
    print(f"{after:,.0f} tokens; pays after {pays:,.0f}")
# The unsolved puzzles cost most: forty chains each, for nothing. So
# stopping early saves more with every round, but the bill of training
# still decides when it pays.

# %% [markdown]
# ### Exercise 4: three pupils
#
# Do the three seeds solve the same puzzles? Let all three search, after three rounds, and count a puzzle that any of them solves.
# What would you compare that with before you recommend it?
#
# <details><summary>Hint</summary>
#
# `study.outcomes(("tree", 3, "narrow ToT"))` has three columns. Three searches cost three times as much.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
columns = study.outcomes(("tree", 3, "narrow ToT"))
one, any_ = fmean(map(fmean, columns)), fmean(max(c) for c in columns)
every = fmean(min(c) for c in columns)
print(
    f"one of them {one:.0%}, any of three {any_:.0%}, all {every:.0%}"
)
# Fair rivals cost three searches: one pupil with three samples of the
# tree, or its 120 checked chains. Much of the gain is the second and
# third try, which one pupil could have had as well.

# %% [markdown]
# ## Further reading
#
# - {cite}`anthony2017thinking` gave expert iteration its name, on the board game Hex; {cite}`silver2018general` is the same circle with
#   [Monte Carlo tree search](13_mcts_from_scratch.ipynb) and self-play.
# - {cite}`zelikman2022star`: learning from chains whose answers are right. {cite}`singh2024beyond`: the same at scale, with a
#   comparison of rounds. {cite}`guo2025deepseek`: large models, rewards from programs that check.
# - In the package: `studies/teach/`; `make teach` trains the novice and plays all rounds again, in about four hours on two cores. The novice's card is `studies/teach/CARD.md`.
