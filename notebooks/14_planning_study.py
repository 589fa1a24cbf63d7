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
# # Does the reward know?
#
# [Part one](14_planning_with_mcts.ipynb) left a riddle. The tree found plans that its judges loved, and solved no
# more problems than its first plan. A tree goes where the rewards are. So is a plan with a high reward a better plan?

# %% tags=["set-up"]
# Imports, the recorded model and the problems
from itertools import combinations, pairwise
from math import fsum
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt
import numpy as np

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import Compared, interval, load

setup()
lm = tot.Cassette("cassettes/14.jsonl")
ALL = [
    (kind, problem)
    for kind in ("gsm8k", "svamp")
    for problem in tot.task(kind).problems("book")[:40]
]


def solved(method, **knobs):
    return [tot.solve(*pair, method, lm=lm, **knobs) for pair in ALL]


def bars(ax, x, found, **look):
    """Points with their intervals."""
    y, low, high = np.array([(i.rate, i.low, i.high) for i in found]).T
    ends = y - low, high - y
    ax.errorbar(x, y, ends, capsize=3, gid="tot-data", **look)


def as_written(run, what):
    """The ends of a run's plans, each with its score or answer."""
    ends = zip(run.result.best, what, strict=True)
    return sorted(ends, key=lambda end: end[0].id)


# %% tags=["remove-input"]
show.concepts.reliabilities()

# %% [markdown]
# **Figure.** Three imagined judges of the same plans, for an easy problem and a hard one. The thick curves are the
# same; the last judge is of no use to a search.
#
# A thick curve is a **reliability curve**: how often something is right, against how sure its judge was. On the dotted
# line a reward of 0.7 is right seven times in ten. The thin curves show the plans of one problem.
#
# The paper {cite}`anonymous2024planning` does not ask whether its rewards know anything. It is cheap to find out: write
# a few plans for each problem, carry out *all* of them, whatever their judges thought, and compare. In a hurry? Read
# about [the three judges](#three-judges-that-look-alike) and [how much choosing could
# win](#how-much-could-choosing-win).
#
# ## Learning objectives
#
# After this chapter you can
#
# - draw the reliability curve of a reward, and say what it hides;
# - measure whether a judge orders the plans of one problem better than a coin;
# - say how much choosing among plans could win, before you build a search;
# - show the winner's curse on real rewards.
#
# ## Three judges that look alike
#
# How can one curve stand for three judges? It mixes the plans of all problems. The last judge sees that a *problem* is
# hard and nothing about the plan. Such a judge is easy to come by. A model that reads a long and tangled question grows
# cautious, marks every plan for it down, and rightly, since few of them will work. Yet its marks for the six plans
# in front of it are noise.
#
# A search cannot choose its problem. It chooses among the plans of one, so what it needs is their **order within one
# problem**. Take two plans of the same problem, one that was carried out right and one that was not. How often does the
# right one have the higher reward, a tie counting one half? A coin gets 50%.
#
# Here is a world smaller than that of the figure. One problem is hard, and a third of its plans are right; one is easy, with two
# thirds. A reward is high or low. With probability `sees` the judge looks at the plan, and is right about it two times
# in three; otherwise it looks at the problem only, and an easy one gets a high reward.


# %%
def judge(sees, n):
    """Right at a low and a high reward; order; best of n plans."""
    right_high, high, best = 0.0, 0.0, 0.0
    for skill in (1 / 3, 2 / 3):  # the share of right plans
        easy = (1 - sees) * (skill > 0.5)
        if_right, if_wrong = sees * 2 / 3 + easy, sees / 3 + easy
        h = skill * if_right + (1 - skill) * if_wrong  # high reward
        right_high, high = right_high + skill * if_right, high + h
        ahead = 0.5 + (if_right - if_wrong) / 2  # a tie: one half
        # the first plan with a high reward; if there is none, the last
        tries = fsum((1 - h) ** k for k in range(n))
        last = (1 - if_right) * (1 - h) ** (n - 1)
        best += skill * (if_right * tries + last) / 2
    at_low = (1 - right_high) / (2 - high)
    return at_low, right_high / high, ahead, best


# %% tags=["set-up"]
# Two dials over this world
rows = (
    "right, of plans with a low reward",
    "right, of plans with a high reward",
    "right plan ahead, within one problem",
    "right, of the plans carried out",
)
labels = "only the problem", "mostly the problem", "half and half"
labels += "mostly the plan", "only the plan"
dials = {
    "the judge sees": [(name, i / 4) for i, name in enumerate(labels)],
    "plans to choose from": [(str(n), n) for n in (1, 2, 6)],
}
show.Dials(
    dials,
    lambda sees, n: dict(zip(rows, judge(sees, n), strict=True)),
    start={"plans to choose from": "6"},
    name="What a judge sees",
)

# %% [markdown]
# Turn the first dial (*mostly* is three quarters). The first two bars are the reliability curve, and they do not move; the third bar, the order
# within one problem, does, and with it what choosing the best of six wins. A curve on the diagonal is no
# recommendation. A bad curve says as little: a judge who is too kind to every plan has the wrong numbers in the right
# order, and a search does not mind.
#
# ## Our judges, plan by plan
#
# The problems are part one's eighty, with the same model in all roles, and six plans are written for each. (Four plans
# repeated an earlier one and were dropped.)


# %%
def graded(run):
    """(reward, carried out right?) of each plan, as written."""
    return [
        (round(end.parent.value, 9), float(score.correct))
        for end, score in as_written(run, run.scores)
    ]


# %%
six = solved("judged-plans", plans=6, executed=6)
plans = [graded(run) for run in six]
every = [plan for of_problem in plans for plan in of_problem]
right = fmean(ok for _, ok in every)
print(f"{len(every)} plans, {right:.0%} carried out right")

# %% [markdown]
# ### Predict: what does a reward of 0.9 promise?
#
# Take the plans to which the judges gave 0.9 or more.

# %%
EDGES = (0, 0.5, 0.7, 0.8, 0.9, 1.01)


def curve(of_kind):
    """(mean reward, share of right answers) of each bin."""
    for low, high in pairwise(EDGES):
        groups = [[g for g in p if low <= g[0] < high] for p in of_kind]
        inside = [reward for group in groups for reward, _ in group]
        if len(inside) >= 5:
            oks = [[ok for _, ok in group] for group in groups if group]
            yield fmean(inside), stats.bootstrap(oks)


figure, ax = plt.subplots(figsize=(5.6, 3.6))
for kind, look, part in (
    ("gsm8k", "o-", plans[:40]),
    ("svamp", "s--", plans[40:]),
):
    bars(ax, *zip(*curve(part), strict=True), fmt=look, label=kind)
said = "a reward that is a probability"
ax.plot([0, 1], [0, 1], "k:", lw=1, label=said)
ax.set(xlabel="reward of a plan", ylabel="right", ylim=(0, 1.02))
show.plots.percent(ax)
ax.legend()
high = [ok for reward, ok in every if reward >= 0.9]
low = [ok for reward, ok in every if reward < 0.7]
show.Predict(
    "What share of them is carried out to the right answer?",
    round(100 * fmean(high)),
    low=0,
    high=100,
    unit="%",
    figure=figure,
    alt="Both curves are flat, a little above 60%.",
    shows=f"0.9 or more: {len(high)} plans, {fmean(high):.0%} right. "
    f"Below 0.7: {len(low)} plans, {fmean(low):.0%} right.",
)

# %% [markdown]
# **Figure.** These judges promise too much, and as far as we can see neither curve rises: one and the same rate fits all
# intervals. (Bins of at least five plans; intervals from a bootstrap over problems.)
#
# Whatever a curve says, what counts is the order within one problem.


# %%
def order(plans):
    good = [reward for reward, ok in plans if ok]
    bad = [reward for reward, ok in plans if not ok]
    return [(g > b) + (g == b) / 2 for g in good for b in bad]


# %% tags=["set-up"]
# The first problems that have right and wrong plans
mixed = [i for i, p in enumerate(plans) if order(p)]
rows = []
for i in mixed[:3]:
    row = {"problem": ALL[i][1].id}
    for n, (reward, ok) in enumerate(plans[i], start=1):
        row[f"plan {n}"] = f"{reward:.2f} {'✓' if ok else '✗'}"
    pairs = order(plans[i])
    row["right ahead"] = f"{sum(pairs):g} of {len(pairs)}"
    rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** The reward of each plan, and whether it was carried out right.
#
# In the first line one plan is wrong, and it has 0.90. Of the five right ones only the first beats it. In the second
# line three of the four wrong plans are ahead of both right ones. And in all the problems that have right and wrong plans (each counts once,
# however many pairs it has):

# %% tags=["set-up"]
# The order within one problem
pairs = [found for p in plans if (found := order(p))]
show.results({"the right plan is ahead": stats.bootstrap(pairs)})

# %% [markdown]
# Between a right and a wrong plan of one problem these judges choose like a coin. If they are better, then not by much:
# the interval ends below 60%. Read one pair, plans 1 and 5 in the second line of the table.

# %% tags=["set-up"]
# Two plans of that problem
run = six[mixed[1]]
ends = [end for end, _ in as_written(run, run.scores)]
turns = [("question", ALL[mixed[1]][1].x)]
for name, end in ("right", ends[0]), ("wrong", ends[4]):
    plan = end.parent
    turns.append((f"{name}: {plan.value:.2f}", plan.state.last.text))
    turns.append(("judge", plan.note.splitlines()[0]))
slip = ends[4].state.last.text.splitlines()[1]
show.transcript([*turns, ("executor", slip)], wrong=[slip])

# %% [markdown]
# The first plan says *which* money counts: what Bruno has once the aunt has paid. The second says "total money", so the
# executor puts a week's savings into it and saves a week too few. The logic judge does not mention this. It takes
# half a point off the first plan because its steps "do not agree with the question", which they do.
#
# ## How much could choosing win?
#
# The judges order plans like a coin. Was there anything to win in the first place?
#
# ### Predict: is there anything to choose?
#
# One plan in three fails. But each problem has six of them.


# %% tags=["set-up"]
# Who chooses among the six -> for each problem, is the choice right?
def voted(kind, problem, run):
    """The most frequent answer of the six, on a tie the first."""
    task, answers = tot.task(kind), as_written(run, run.answers)
    forms = [task.same(a) for _, a in answers if a]
    most = max(forms, key=forms.count, default=None)
    return task.verify(problem, most).correct


votes = [voted(*p, run) for p, run in zip(ALL, six, strict=True)]
chance = [fmean(ok for _, ok in p) if p else 0.0 for p in plans]
chosen = {
    "both judges": [run.first for run in six],
    "a vote of the answers": votes,
    "gold picks": [run.any for run in six],
}

# %%
rates = {"chance": stats.bootstrap([[c] for c in chance])}
for who, found in chosen.items():
    rates[who] = stats.wilson(sum(found), len(found))
rows = [{"method": who, "rate": rate} for who, rate in rates.items()]
figure, ax = plt.subplots(figsize=(5.2, 2.8), layout="constrained")
show.Predict(
    "On what share of the problems does one of the six lead to the "
    "right answer?",
    round(100 * fmean(chosen["gold picks"])),
    low=0,
    high=100,
    unit="%",
    figure=show.plots.rates(rows, xlabel="the plan is right", ax=ax),
    alt="The judges are where chance is, a vote half way to gold.",
)

# %% [markdown]
# **Figure.** The same six plans, and four ways to choose. The judges stay where chance is. A vote, which asks no judge,
# wins half of what can be won.

# %% tags=["predict"]
gains = {}
for who in ("both judges", "a vote of the answers"):
    gaps = [x - c for x, c in zip(chosen[who], chance, strict=True)]
    gain = stats.bootstrap([[gap] for gap in gaps])
    p = stats.sign_flips(gaps)
    gains[f"{who} minus chance"] = Compared(gain, p)
show.results(gains)

# %% [markdown]
# The distance from *chance* to *gold* is all that choosing among these plans could ever win: thirty points. (It is an
# upper bound, and a little too high: a part of each success is the executor's luck, which no judge of plans can see.)
# The judges win nothing of it that we can measure.
#
# This also says what is *not* missing. Six plans hold a right one on nearly every problem, so better plans are not the
# bottleneck. What is missing is to know which, or to carry all of them out and count.
#
# ## The winner's curse
#
# The best of many rewards is high because the plan is good, or because the judges happened to like it. Chapter 13
# showed this **winner's curse** on rewards made up for the purpose. Here are real ones, with two ways to get more
# plans: write them side by side and take the best of $n$, in all possible ways; or let the tree go on for $n$ rollouts.


# %% tags=["set-up"]
# (reward, right?) of the plan carried out, for each n and problem
def best_of(of_problem, n):
    """Mean over all choices of n of the six plans."""
    groups = combinations(of_problem, n)
    top = [max(group, key=lambda g: g[0]) for group in groups]
    return fmean(r for r, _ in top), fmean(ok for _, ok in top)


def tree_of(n):
    runs = solved("mcts-plan", rollouts=n, revisions=2)
    chosen = [(run.result.best[0].parent.value, run) for run in runs]
    return [(value or 0.0, float(run.chosen)) for value, run in chosen]


whole, six_of = [p for p in plans if len(p) == 6], range(1, 7)
side = {n: [best_of(p, n) for p in whole] for n in six_of}
MORE = {"plans side by side": side}
MORE["rollouts of the tree"] = {n: tree_of(n) for n in six_of}

# %% [markdown]
# ### Predict: how good does the best one look?
#
# Take plans side by side, as they come, and the best of them.

# %%
size = {"figsize": (6.4, 3.2), "layout": "constrained"}
figure, axes = plt.subplots(1, 2, sharey=True, **size)
gains = []
for ax, (name, found) in zip(axes, MORE.items(), strict=True):
    for i, what in enumerate(("reward", "right answers")):
        numbers = {n: [p[i] for p in found[n]] for n in found}
        ends = [
            stats.bootstrap([[x] for x in numbers[n]]) for n in found
        ]
        bars(ax, [*found], ends, marker="os"[i], label=what)
        pairs = zip(numbers[1], numbers[6], strict=True)
        gain = stats.bootstrap([[b - a] for a, b in pairs])
        gains.append(f"{what}, {name}: {gain:+.2f}")
    ax.set(xlabel=f"{name}, n", ylim=(0, 1.05))
axes[0].legend(loc="lower left")
single, top = (fmean(reward for reward, _ in side[n]) for n in (1, 6))
show.Predict(
    f"One plan has a mean reward of {single:.2f}. What is the mean "
    "reward of the best of six?",
    round(top, 2),
    low=0.8,
    high=1,
    step=0.01,
    figure=figure,
    alt="In both panels rewards rise, and right answers stay level.",
    shows="From one to six. " + "; ".join(gains),
)

# %% [markdown]
# **Figure.** Rewards rise and answers stay flat, side by side and in the tree. The gain in reward is beyond doubt; the
# gain in right answers is zero, give or take nine points.
#
# "The search found a plan with reward 0.95" is a statement about the judges. Whether its answer is right, you learn by
# carrying it out.
#
# > **In practice.** Before you pay for a search over plans, take a few dozen of your problems, write six plans for each,
# > and carry all of them out. If the chosen plan is no better than chance, expect no help from a search that trusts
# > this judge, however long it runs. If a vote is near gold, take the vote.
#
# ## How good must a judge be?
#
# A coin cannot steer a search. How far from a coin must a judge be? One recorded model is one judge, so let us change
# the player. The **worded pocket model** ([its card](../book/pocket_words_card.md)) plays all roles, too, and has 300
# problems that it never met. All six methods of part one solve 54 to 57% of them (a difference of 9 points
# would be found four times in five: [the table](study_plans.ipynb#and-on-300-problems-of-another-model)). Its judges
# put the right plan ahead in 56% [49, 63] of the pairs of one problem, and in 73% of all pairs: it sees the problem
# rather than the plan.
#
# So vary only the judge. Some judges are checkpoints of the model's training.
# Since none of those is much better than a coin, others are *simulated*: they know how each plan ends, through a veil
# of noise that lets them put the right plan ahead as often as we say. The oracle has no veil. All of these use gold;
# they are instruments.
#
# ### Predict: where does the tree overtake the vote?
#
# The tree stands against a vote of as many chains as it could have written instead.

# %%
study = load("../studies/results/plans_pay.json")
guest, found_by = study["recorded"], study["judges"]
star = guest | {
    "right plan ahead": guest["judges"]["both"]["right plan ahead"]
}
veiled = sorted(found_by[-6:], key=lambda r: r["right plan ahead"])
figure, ax = plt.subplots(figsize=(6.4, 3.9))
for name, look, judges in (
    ("simulated (gold behind noise)", "o--", veiled),
    ("checkpoints of the pocket model", "s", found_by[:-6]),
    ("recorded 1.5B, its own problems", "*", [star]),
):
    x = [row["right plan ahead"][0] for row in judges]
    gains = [interval(row["gain"]["difference"], 1) for row in judges]
    bars(ax, x, gains, fmt=look, label=name)
ax.axhline(0, color="0.3", lw=0.8)
ax.set(xlabel="right plan of a pair ahead", ylabel="tree minus vote")
show.plots.percent(ax, "x")
show.plots.percent(ax)
ax.legend()
crossing = study["curve"]["vote at equal tokens"]["tree"]["accuracy"]
show.Predict(
    "At which accuracy of its judge is the tree level with the vote?",
    round(100 * crossing[0]),
    low=45,
    high=100,
    unit="%",
    figure=figure,
    alt="The checkpoints lie near a coin, a little below zero. The "
    "simulated judges rise to +13 at the oracle.",
)

# %% [markdown]
# **Figure.** The gain of the tree over the vote, against how often its judge puts the right plan of a pair ahead. The
# dashed curve crosses zero at 58%, and the oracle gains 13 points.
#
# The crossing is uncertain. With other problems of the same kind it could fall anywhere from 48% to 70%, and the own
# judges of the two models, at 56% and 51%, lie within that range, so we cannot say on which side they stand. (If reading costs as much as
# writing, it is at 68%, or anywhere from 50% to 88%.) It also depends on the player: the star of the recorded model, whose chains vote far better, lies far below the
# curve.
#
# So search over plans can pay in this world, and what it lacks is a judge. There is a limit to what can be had: on two
# in three of these 300 problems all six plans end alike, so that nobody could choose. And a tree judges fewer than three plans, since
# this planner repeats itself.
#
# > **Where it breaks.** One small model judged its own plans, on eighty problems from a few patterns. A judge that is
# > right in 55% of pairs would look just like ours. A stronger judge may order plans well, and the paper's best results
# > are with a large one. What carries over is the test. ([A study of the trees](study_plans.ipynb) has longer and
# > deeper searches, each judge alone, and the public sets.)
#
# ## Summary
#
# - The reliability curve says what a reward promises. Whether a search can work depends on something else, the order of
#   plans within one problem.
# - Our judges put the right plan of a pair ahead in 51% of the cases: a coin, or a little better.
# - Chance to gold is the room for choosing. A vote won half of it, and the judges nothing that can be measured.
# - With six plans instead of one, or six rollouts, the reward of the winner went up. We could not see that it was right
#   more often.
# - How good a judge must be can be measured in a small world: vary the judge, keep the rest, and see where the tree
#   overtakes a vote of equal tokens.
#
# ## Exercises
#
# ### Exercise 1: could it be luck?
#
# Shuffle the rewards among the six plans of each problem, a thousand times, and choose the best each time. How often is
# the result at least as good as that of the real rewards?
#
# <details><summary>Hint</summary>
#
# `plans` holds (reward, right?) in the order of writing. `Random(0).sample(rewards, len(rewards))` shuffles.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def total(plans_of_all):
    return sum(max(p, key=lambda g: g[0])[1] for p in plans_of_all if p)


rng, shuffled = Random(0), []
for _ in range(1000):
    mixed = []
    for p in plans:
        pairs = zip(rng.sample(p, len(p)), p, strict=True)
        mixed.append([(reward, ok) for (reward, _), (_, ok) in pairs])
    shuffled.append(total(mixed))
share = fmean(n >= total(plans) for n in shuffled)
print(f"{total(plans):.0f}; shuffled {fmean(shuffled):.1f}", end="; ")
print(f"{share:.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A **permutation test**: the plans are the same in both, so it asks what the rewards add.
#
# </details>
#
# ### Exercise 2: ever more plans
#
# Turn the dials to a judge who sees only the plan, and let it choose from 1, 2, 6, 20 and 100 plans. Predict first:
# does the share of right plans go to 100%?
#
# <details><summary>Hint</summary>
#
# `judge(1, n)[-1]`. How many different rewards are there?
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for n in (1, 2, 6, 20, 100):
    print(f"best of {n}: {judge(1, n)[-1]:.1%}")
# Soon one of the plans has the high reward, and among those that have
# it nobody can choose.

# %% [markdown]
# ### Exercise 3: build three judges
#
# Keep our plans, and which of them are right. Invent rewards: one judge who is badly scaled, one who is blind, and one
# who sees only how hard the problem is. Measure the order within one problem for each. Whose curve is best, and whom
# would you hire?
#
# <details><summary>Hint</summary>
#
# `Random(0).gauss(0, s)` is noise. The third judge may look at the share of right plans of its problem, and at no plan.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
rng = Random(0)
judges = {
    "badly scaled": lambda ok, _: 0.9 + 0.05 * ok + rng.gauss(0, 0.03),
    "blind": lambda ok, _: rng.random(),
    "sees the problem": lambda _, share: share + rng.gauss(0, 0.1),
}
for name, reward in judges.items():
    pairs, ends = [], {False: [], True: []}
    for oks in ([ok for _, ok in p] for p in plans):
        found = []
        for _ in range(25):  # new noise each time
            new = [(reward(ok, fmean(oks)), ok) for ok in oks]
            found += order(new)
            for r, ok in new:
                ends[r > 0.7].append(ok)
        pairs += [found] if found else []
    curve_ = [f"{fmean(part):.0%}" for part in ends.values() if part]
    print(name, stats.bootstrap(pairs), "up to, above 0.7:", *curve_)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The third judge has a curve that rises steeply, and is a coin within each problem. The first gives everything more than
# 0.7, and is the one to hire.
#
# </details>
#
# ### Exercise 4: do the two judges agree?
#
# Take two plans of one problem to which each judge gave different scores. How often do logic and feasibility prefer the
# same one? Two coins would agree in half of the pairs.
#
# <details><summary>Hint</summary>
#
# The event of kind "evaluated" in a run's trace has `scores`, each with "node", "judge" and "score".
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
alike = []
for run in six:
    [event] = [e for e in run.trace.events if e["kind"] == "evaluated"]
    by_judge = {"logic": {}, "feasibility": {}}
    for score in event["scores"]:
        by_judge[score["judge"]][score["node"]] = score["score"]
    one, two = by_judge.values()
    agree = []
    for a, b in combinations(sorted(one.keys() & two.keys()), 2):
        gaps = (one[a] - one[b]) * (two[a] - two[b])
        agree += [gaps > 0] if gaps else []
    alike += [agree] if agree else []
print("agree in", stats.bootstrap(alike))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Less often than two coins. Their mean then throws away what either might have known. (We do not know why; both are the
# same model, asked two questions.)
#
# </details>
#
# ## Further reading
#
# - {cite}`smith2006optimizer` on why the best of many estimates disappoints.
# - {cite}`zheng2023judging` on models as judges, and what they are biased by; [chapter
#   7](07_votes_creative_writing.ipynb) has an example.
# - Section 3.3 of {cite}`anonymous2024planning`; [chapter 15](15_who_should_plan.ipynb) lets a larger model judge the
#   plans of a smaller one.
