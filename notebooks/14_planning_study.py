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
# [Part one](14_planning_with_mcts.ipynb) ended with a riddle. The tree found plans that its judges loved, and solved no more
# problems than its first plan. A tree goes where the rewards are, so everything hangs on one question: **is a plan
# with a high reward a better plan?** The paper {cite}`anonymous2024planning` does not ask. You can, and it is cheap: write a
# few plans for each problem, carry out *all* of them, whatever their judges thought, and compare.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - draw the reliability curve of a reward, and say what it hides;
# - measure whether a judge orders the plans of one problem better than a coin;
# - say how much choosing among plans could win, before you build a search;
# - show the winner's curse on real rewards.

# %% tags=["set-up"]
# Imports, the recorded model and the problems
import re
from itertools import combinations, pairwise
from random import Random
from statistics import fmean
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/14.jsonl")
KINDS = {"gsm8k": 40, "svamp": 40}  # how many problems of each kind
ALL = [
    (kind, problem)
    for kind, n in KINDS.items()
    for problem in tot.task(kind).problems("book")[:n]
]


# %% tags=["set-up"]
# What runs a method on all problems; a run's plans, in their order
def solved(method, **knobs):
    knobs = {"lm": lm, **knobs}
    done = [tot.solve(kind, p, method, **knobs) for kind, p in ALL]
    assert not any(run.error for run in done)
    return done


def in_order(run):
    """(node of the plan, was it carried out right?) as written."""
    ended = zip(run.result.best, run.scores, strict=True)
    ended = sorted(ended, key=lambda pair: pair[0].id)
    return [(end.parent, float(score.correct)) for end, score in ended]


def graded(run):
    """(reward, right?) of each plan that has a reward."""
    return [
        (round(plan.value, 9), ok)
        for plan, ok in in_order(run)
        if plan.value is not None
    ]


# %%
six = solved("judged-plans", plans=6, executed=6)
plans = [graded(run) for run in six]  # (reward, right?) by problem
every = [plan for of_problem in plans for plan in of_problem]
right = fmean(ok for _, ok in every)
print(f"{len(every)} plans for {len(plans)} problems:", end=" ")
print(f"{right:.0%} carried out right")

# %% [markdown]
# These are part one's eighty problems, forty of each kind, with the same model in all roles. (Four more repeated an
# earlier plan and were dropped.)
#
# ### Predict: what does a reward of 0.9 promise?
#
# Of the plans to which the judges gave 0.9 or more, what share is carried out to the right answer?

# %%
high = [ok for reward, ok in every if reward >= 0.9]
low = [ok for reward, ok in every if reward < 0.7]
rows = [
    {"reward": "0.9 or more", "plans": len(high), "right": fmean(high)},
    {"reward": "below 0.7", "plans": len(low), "right": fmean(low)},
]
rows = [row | {"right": f"{row['right']:.0%}"} for row in rows]
show.Predict(
    "What share of the best plans is right?",
    round(100 * fmean(high)),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows),
)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Reliability curves, one for each kind of problem: the share of plans that were carried out to the right answer (each problem counts once) against their mean reward, in up to five bins with 95 percent intervals, beside a dotted diagonal on which both would agree. Both curves are flat, a little above 60 percent."}}
EDGES = (0, 0.5, 0.7, 0.8, 0.9, 1.01)


def curve(of_kind):
    """(mean reward, share of right answers) of each bin."""
    for low, high in pairwise(EDGES):
        groups = [[g for g in p if low <= g[0] < high] for p in of_kind]
        inside = [reward for group in groups for reward, _ in group]
        if len(inside) >= 5:
            found = [
                [ok for _, ok in group] for group in groups if group
            ]
            yield fmean(inside), stats.bootstrap(found)


size = {"figsize": (5.6, 3.6)}
figure, ax = plt.subplots(**size)
for kind, look in zip(KINDS, ("o-", "s--"), strict=True):
    of_kind = [
        p for p, (k, _) in zip(plans, ALL, strict=True) if k == kind
    ]
    x, found = zip(*curve(of_kind), strict=True)
    below = [r.rate - r.low for r in found]
    above = [r.high - r.rate for r in found]
    rates = [r.rate for r in found]
    bars = {"yerr": (below, above), "capsize": 3}
    ax.errorbar(x, rates, fmt=look, label=kind, **bars)
honest = "a reward that is a probability"
ax.plot([0, 1], [0, 1], "k:", lw=1, label=honest)
ax.set(
    xlabel="reward of a plan", ylabel="right answers", ylim=(0, 1.02)
)
ax.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
ax.legend(fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** Neither curve can be seen to rise: all intervals hold one and the same rate.
#
# This is a **reliability curve**: how often something is right, against how sure its judge was. (Bins of at least five plans; intervals
# from a bootstrap over problems.) Below the dotted line judges promise too much, above it too little. Is a flat curve
# the end of the story, then, and would a rising one be good news? Neither follows.
#
# ## Three judges that look alike
#
# Here are three imagined judges of the same plans, for an easy problem and a hard one. Look at the thick curves alone: you
# cannot tell them apart.

# %% tags=["remove-input"]
show.concepts.reliabilities()

# %% [markdown]
# **Figure.** One and the same curve, on the diagonal three times; the last of the judges is of no use to a search.
#
# The thick curve mixes the plans of all problems, and the thin ones undo the mixture. The last judge sees that a *problem*
# is hard, and nothing about the plan. Such a judge is easily come by: one who reads a long and tangled question grows cautious,
# marks every plan for it down, and is right to, since few of them will work. Rewards and successes go up and down
# together from problem to problem, while the marks for the six plans in front of the judge are noise.
#
# A bad curve says as little. A judge may be *badly scaled*, too kind to every plan: its numbers are wrong, its order is
# right, and a search does not mind. Or it may be *blind*, and its curve flat.
#
# A search cannot choose its problem. It chooses among the plans of one, so what it needs is their **order within one
# problem**. Measure just that. Take two plans of the same problem, one that was carried out right and one that was
# not. How often does the right one have the higher reward? A tie counts one half; a coin gets 50%. (Below,
# each problem counts once, however many pairs it has.)


# %%
def order(plans):
    good = [reward for reward, ok in plans if ok]
    bad = [reward for reward, ok in plans if not ok]
    return [(g > b) + (g == b) / 2 for g in good for b in bad]


# %% tags=["set-up"]
# The first problems that have right and wrong plans
mixed = [i for i, p in enumerate(plans) if order(p)]
rows = []
for i in mixed[:5]:
    row = {"problem": ALL[i][1].id}
    for n, (reward, ok) in enumerate(plans[i], start=1):
        row[f"plan {n}"] = f"{reward:.2f} {'✓' if ok else '✗'}"
    pairs = order(plans[i])
    rows.append(
        row | {"right ahead": f"{sum(pairs):g} of {len(pairs)}"}
    )
note = "the reward of each plan, and whether it was carried out right"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The first five problems that have right and wrong plans. Count the last column yourself.
#
# In the first line one plan is wrong, and it has 0.90. Of the five right ones only the first beats it, so the right plan
# is ahead in one pair of five. In the second line the wrong plans are among the best. In all problems together:

# %%
rows = []
for name in (*KINDS, "together"):
    part = [
        p
        for p, (k, _) in zip(plans, ALL, strict=True)
        if name in (k, "together")
    ]
    pairs = [found for p in part if (found := order(p))]
    row = {"problems": name, "all": len(part), "mixed": len(pairs)}
    rows.append(row | {"right plan ahead": stats.bootstrap(pairs)})
show.table(rows, highlight=-1)

# %% [markdown]
# **Table.** Between a right and a wrong plan of one problem these judges choose like a coin. ("Mixed": problems that
# have both.)
#
# Why can they not tell? Read one pair, from the second line of the table before.

# %% tags=["set-up"]
# The worst right plan and the best wrong one of that problem
i = mixed[1]
nodes = [(plan.value, ok, plan) for plan, ok in in_order(six[i])]
lowest = min((n for n in nodes if n[1]), key=lambda n: n[0])
highest = max((n for n in nodes if not n[1]), key=lambda n: n[0])
print(fill(ALL[i][1].x, 72))
for reward, ok, plan in (lowest, highest):
    how = "right" if ok else "wrong"
    print(f"\nreward {reward:.2f}, carried out {how}")
    for text in plan.state.last.text.splitlines():
        print(fill(text, 72))
    for text in plan.note.splitlines():
        print(fill(text, 72, initial_indent="   "))
ends = [end for end in six[i].result.best if end.parent is highest[2]]
print("\nthe executor, with the second plan:")
for text in ends[0].state.last.text.splitlines():
    print(fill(text, 72))

# %% [markdown]
# The first plan says *which* money counts: what Bruno has once the aunt has paid. The second says "total money", the
# executor puts a week's savings into it, and saves a week too few. Neither judge mentions this. Both marks for the
# second plan are full. For the first, the logic judge takes off a half because the steps "do not agree with the question", which they
# do.
#
# If these judges are better than a coin, then not by much: the last interval ends below 60%. A problem whose plans are
# all right or all wrong says nothing here, since nobody could choose there.

# %% tags=["set-up"]
# Plans that failed because the answer could not be read
unread = [0, 0]  # all; those whose last number is the true answer
lenient = []
for (_, problem), run in zip(ALL, six, strict=True):
    ends = zip(run.result.best, run.scores, run.answers, strict=True)
    found = []
    for end, score, answer in ends:
        numbers = re.findall(
            r"\d+", end.state.last.text.replace(",", "")
        )
        meant = answer is None and numbers[-1:] == [str(problem.gold)]
        unread[0] += answer is None
        unread[1] += meant
        reward = end.parent.value
        if reward is not None:
            found.append((round(reward, 9), score.correct or meant))
    lenient.append(order(found))
failed = sum(not ok for _, ok in every)
print(f"{failed} plans failed, {unread[0]} of them without an answer;")
print(f"the last number is the true one in {unread[1]} of these")
ahead = stats.bootstrap([found for found in lenient if found])
print(f"were they right, the right plan would be ahead in {ahead}")

# %% [markdown]
# Not each failure is a plan's. In the first line of that table the sixth plan was carried out well, up to 8, the true
# answer; only the line that names the answer was not written. Such cases are few, and change nothing.
#
# ## How much could choosing win?
#
# The judges order plans like a coin. Was there anything to win in the first place?

# %% tags=["set-up"]
# Who chooses among the six -> for each problem, is the choice right?
JUDGES = ("logic", "feasibility")


def points(run, judge):
    """What one judge said of each plan: id -> score."""
    [event] = [e for e in run.trace.events if e["kind"] == "evaluated"]
    said = [s for s in event["scores"] if s["judge"] == judge]
    return {s["node"]: s["score"] for s in said}


def best_by(run, key):
    """Is the plan right that has the highest key? The first of equals.

    Rounded, so that 0.3 * 0.8 + 0.7 * 0.8 is a tie with 0.8.
    """
    pairs = in_order(run)
    keys = [round(key(plan.id), 9) for plan, _ in pairs]
    return pairs[keys.index(max(keys))][1]


def by_judge(run, judge):
    score = points(run, judge)
    return best_by(run, lambda id: score.get(id, -1.0))


def voted(kind, problem, run):
    """The most frequent answer of the six, of equals the first."""
    task = tot.task(kind)
    ends = zip(run.result.best, run.answers, strict=True)
    ends = sorted(ends, key=lambda pair: pair[0].id)
    answers = [a for _, a in ends if a is not None]
    forms = [task.same(a) for a in answers]
    votes = [forms.count(form) for form in forms]
    if not votes:
        return 0.0
    answer = answers[votes.index(max(votes))]
    return float(task.verify(problem, answer).correct)


chance = [
    fmean(ok for _, ok in in_order(run) or [(0, 0)]) for run in six
]
CHOSEN = {
    f"the {judge} judge": [by_judge(run, judge) for run in six]
    for judge in JUDGES
}
CHOSEN["both judges"] = [float(run.first) for run in six]
CHOSEN["a vote of the answers"] = [
    voted(*pair, run) for pair, run in zip(ALL, six, strict=True)
]
CHOSEN["gold picks"] = [float(run.any) for run in six]


# %% [markdown]
# ### Predict: is there anything to choose?
#
# One plan in three fails. For what share of the problems does at least one of the six lead to the right answer?

# %%
show.Predict(
    "At least one of six is right:",
    round(100 * fmean(any(ok for _, ok in in_order(r)) for r in six)),
    low=0,
    high=100,
    unit="%",
)


# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Share of problems solved by whoever chooses among the same six plans, with intervals: chance and the judges lie between 61 and 65 percent, a vote of the answers at 80, gold at 94."}}
rows = [
    {"method": "chance", "rate": stats.bootstrap([[c] for c in chance])}
]
for who, found in CHOSEN.items():
    rate = stats.wilson(round(sum(found)), len(found))
    rows.append({"method": who, "rate": rate})
figure, ax = plt.subplots(figsize=(4.0, 3.2), layout="constrained")
show.plots.rates(rows, xlabel="the chosen plan is right", ax=ax)
plt.show()

# %% [markdown]
# **Figure.** The same six plans, chosen by different people. The judges stay where chance is; a vote, which asks no judge,
# wins half of what can be won.
#
# How much of that is luck? Take each choice minus the mean of its six plans, problem by problem:

# %% tags=["set-up"]
# Each choice against chance, problem by problem
rows = []
for who, found in CHOSEN.items():
    gaps = [x - c for x, c in zip(found, chance, strict=True)]
    d, p = (
        stats.bootstrap([[gap] for gap in gaps]),
        stats.sign_flips(gaps),
    )
    row = {"who chooses": who, "minus chance": f"{d.rate:+.0%}"}
    row["95%"] = f"[{d.low:+.0%}, {d.high:+.0%}]"
    rows.append(row | {"p": f"{p:.2f}" if p >= 0.001 else "< 0.001"})
show.table(rows[:-1], caption=f"{len(six)} problems, sign flips")

# %% [markdown]
# **Table.** The vote is better than chance; whether the judges are cannot be told.
#
# The distance from *chance* to *gold* is all that choosing among these plans could ever win: thirty points. It is an upper
# bound, and a little too high: each plan was carried out once, and a part of its success is the executor's luck,
# which no judge of plans can see. The judges' rows say how much of it they win: nothing measurable. Where a judge stands on the row of chance,
# a tree that trusts it wanders.
#
# It also says what is *not* missing. Six plans hold a right one on nearly every problem, so better plans are not the
# bottleneck. What is missing is to know which, or to carry all of them out and count. (Chance is the mean of all six plans. Part one's
# "one plan" is the first of them, hence a point more there.)
#
# ## The winner's curse
#
# The best of many rewards is high because the plan is good, or because the judges happened to like it. Chapter 13 showed
# this **winner's curse** on rewards made up for the purpose. Here are real judges, with two ways to get more plans: write them side by side and
# take the best of $n$, in all possible ways; or let the tree go on for $n$ rollouts.


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


whole = [p for p in plans if len(p) == 6]
MORE = {
    "plans side by side": {
        n: [best_of(p, n) for p in whole] for n in range(1, 7)
    },
    "rollouts of the tree": {n: tree_of(n) for n in range(1, 7)},
}

# %% [markdown]
# ### Predict: the best reward rises. Do the answers?
#
# Sketch two lines over $n$ from one to six: the reward of the plan that is carried out, and the share of right answers.

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Two panels with two lines each, against the number of plans side by side and of rollouts, one to six. In both the mean reward of the plan that is carried out rises from about 0.8 to more than 0.9, while the share of right answers stays a little above 0.6."}}
size = {"figsize": (7.2, 3.2), "layout": "constrained"}
figure, axes = plt.subplots(1, 2, sharey=True, **size)
for ax, (name, found) in zip(axes, MORE.items(), strict=True):
    for i, what in enumerate(("its reward", "right answers")):
        ends = [
            stats.bootstrap([[p[i]] for p in found[n]]) for n in found
        ]
        rates = [e.rate for e in ends]
        below = [e.rate - e.low for e in ends]
        above = [e.high - e.rate for e in ends]
        look = {"marker": "os"[i], "label": what, "capsize": 3}
        ax.errorbar(list(found), rates, (below, above), **look)
    ax.set(xlabel=f"{name}, n", ylim=(0, 1.05))
axes[0].legend(fontsize=8, loc="lower left")
plt.show()

# %% [markdown]
# **Figure.** Rewards rise and answers stay flat, side by side and in the tree.
#
# How sure is that? Compare both ends problem by problem, as part one did:

# %% tags=["set-up"]
# From one to six, problem by problem
rows = []
for name, found in MORE.items():
    row = {"from 1 to 6": name, "problems": len(found[1])}
    for i, what in enumerate(("its reward", "right answers")):
        pairs = zip(found[1], found[6], strict=True)
        d = stats.bootstrap([[b[i] - a[i]] for a, b in pairs])
        row[what] = f"{d.rate:+.2f} [{d.low:+.2f}, {d.high:+.2f}]"
    rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** The gain in reward is beyond doubt; the gain in right answers is zero, give or take nine points.
#
# A maximum over more numbers must rise. Whether the answers follow is another question, and only carrying out answers
# it. "The search found a plan with reward 0.95" is a statement about the judges.
#
# > **In practice.** Before you pay for a search over plans, take a few dozen of your problems, write six plans for each, and carry all of
# > them out. If the chosen plan is no better than chance, no search that trusts this judge can help, however long it
# > runs. If a vote is near gold, take the vote.
#
# ## What became of the plans
#
# Part one named three ways to fail. Here is how often judges had no opinion, and revisions changed nothing:

# %% tags=["set-up"]
# What became of the plans, in all trees
done = solved("mcts-plan", rollouts=6, revisions=2)
alone = [run.chosen for run in solved("plan-and-solve")]
events = [event for run in done for event in run.trace.events]
entries = [e for event in events for e in event.get("unread", ())]
copies = sum(e["why"] == "the same plan again" for e in entries)
rewards = [[node.value for node in run.result.visited] for run in done]
grown = [found for found in rewards if len(found) > 1]
level = sum(len(set(found)) == 1 for found in grown)
ends = [run.result.best[0].parent for run in done]
changed = [plan.depth > 1 for plan in ends]  # the first plan has 1
depths = [[node.depth for node in x.result.visited] for x in done]
forks = sum(len(set(found)) < len(found) for found in depths)
lines = sorted(max(found) - 1 for found in depths)
in_tree = [run.chosen for run in done]
pairs = zip(changed, alone, in_tree, strict=True)
pairs = [(a, b) for revised, a, b in pairs if revised]
were, are = map(sum, zip(*pairs, strict=True))
facts = {
    "plans that were judged": sum(map(len, rewards)),
    "revisions refused as copies": copies,
    "trees in which every revision was a copy": len(done) - len(grown),
    "trees that are one line of revisions": len(grown) - forks,
    "trees that branch": forks,
    "longest line of revisions, in half of all trees at most": (
        lines[len(lines) // 2]
    ),
    "longest line of revisions, in any tree": lines[-1],
    "larger trees in which all rewards are equal": level,
    "trees that carried out their first plan": len(done) - len(pairs),
    "trees that carried out a revision": len(pairs),
    "a revision was carried out, and solved": are,
    "the first plan would have solved": were,
}
rows = [
    {"in all trees": what, "how many": n} for what, n in facts.items()
]
show.table(rows, caption=f"{len(done)} trees of six rollouts")

# %% [markdown]
# **Table.** Where a revision was carried out, it solved exactly as many problems as the first plan would have.
#
# So most of our trees branch, and few go deep: half of them revise no plan more than twice in succession. The judges
# nearly always make *some* difference between plans. In two of five trees the first plan was carried out after all: there,
# the search changed nothing but the bill.
#
# ## How good must a judge be?
#
# A coin cannot steer a search. How far from a coin must a judge be? One recorded model is one judge, so let us change the
# player. The **worded pocket model** ([its card](../book/pocket_words_card.md)) plays all roles, too, and has 300
# problems that it never met, neither their templates nor their numbers. First, all six methods of part one on them:

# %% tags=["set-up"]
# The paper's table 1 on the pocket model, with the rows that it lacks
from treebook.studies.results import (
    chance as p_of,
    difference,
    interval,
    load,
)

study = load("../studies/results/plans_pay.json")
n, guest = study["n"], study["recorded"]
rows = []
for row in study["table 1"]["rows"]:
    method = row["method"]
    if row.get("chains", 1) > 1:
        method = f"vote of {row['chains']} chains"
    line = {"method": method, "solved": interval(row["solved"], n)}
    line["written"] = round(row["written"])
    line["tree minus it"] = line["p"] = ""
    if "the tree" in row:
        line["tree minus it"] = difference(row["the tree"])
        line["p"] = p_of(row["the tree"])
    rows.append(line)
note = f"pocket model, {n} held-out problems, {study['date']}"
show.table(rows, caption=note, highlight=-1)

# %% tags=["set-up"]
print(fill(study["power"][1], 72))

# %% [markdown]
# **Table.** The paper's table 1, with the rows that it lacks. The tree cannot be told from any of the others. (The vote has as many chains as the tree's tokens buy. The line below the table says what 300 problems can show, if two methods disagree on a fifth of them.)
#
# That is what part one found, with nearly four times as many problems and another model. Now the paper's table 3, asked as in
# this chapter: does each judge, alone and with the other, order the plans of one problem?

# %% tags=["set-up"]
# Each judge of both models, alone and together
rows = []
own = {row["judge"]: row for row in study["table 3"]["rows"]}
for who, found in (("recorded 1.5B", guest["judges"]), ("pocket", own)):
    for judge, row in found.items():
        ahead = interval(row["right plan ahead"], row["mixed"])
        line = {"model": who, "judge": judge, "mixed": row["mixed"]}
        line |= {"right plan ahead": ahead, "p": p_of(row)}
        rows.append(line | {"over all": f"{row['all problems']:.0%}"})
note = f"{guest['n']} and {n} problems; p: against a coin, sign flips"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The pocket model's judges may be a little better than a coin, and the recorded ones cannot be told from one. Within a problem, one judge or two makes no difference that we can see.
#
# The last column takes all plans of all problems together. There the pocket model's judges look able: the right plan of a pair is
# ahead in 73%. They are the third judge of the figure above, who sees that a *problem* is hard. Within a problem little is
# left of it.
#
# So vary the judge and nothing else: planner and executor stay. Some judges are checkpoints of the model's training. Since
# none of those is much better than a coin, others are *simulated*: they know how each plan ends, through a veil of noise
# that lets them put the right plan ahead as often as we say. The oracle has no veil. All of these use gold; they are
# instruments, not methods.
#
# ### Predict: where does the tree overtake the vote?
#
# The tree stands against a vote of as many chains as it could have written instead. From which accuracy of its judge on is
# it ahead?

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "The tree's gain on a vote of chains at equal tokens, against how often its judge puts the right plan of a pair ahead. The checkpoints lie between 46 and 56 percent, all a little below zero with intervals across it. The simulated judges rise from minus 2 points at a coin through plus 6 at 73 percent to plus 13 at the oracle. A star, the recorded model, stands at 51 percent and minus 19."}}
figure, ax = plt.subplots(figsize=(6.4, 3.9))
found_by = study["judges"]
kinds = {
    "simulated (gold behind noise)": ("o--", "0.45", found_by[-6:]),
    "checkpoints of the pocket model": ("s", "C0", found_by[:-6]),
}
for label, (look, colour, found) in kinds.items():
    found = sorted(found, key=lambda row: row["right plan ahead"])
    x = [row["right plan ahead"][0] for row in found]
    y, low, high = zip(
        *(row["gain"]["difference"] for row in found), strict=True
    )
    ends = (
        [a - b for a, b in zip(y, low, strict=True)],
        [a - b for a, b in zip(high, y, strict=True)],
    )
    how = {"fmt": look, "color": colour, "capsize": 2, "label": label}
    ax.errorbar(x, y, yerr=ends, **how)
both = guest["judges"]["both"]["right plan ahead"][0]
y, low, high = guest["gain"]["difference"]
star = "recorded 1.5B, its own problems"
ends = [[y - low], [high - y]]
ax.errorbar([both], [y], ends, fmt="*", ms=13, color="C3", label=star)
ax.axhline(0, color="0.3", lw=0.8)
ax.set(xlabel="right plan of a pair ahead")
ax.set_ylabel("tree minus vote, points")
ax.xaxis.set_major_formatter(lambda at, _: f"{at:.0%}")
ax.yaxis.set_major_formatter(lambda at, _: f"{100 * at:+.0f}")
ax.legend(fontsize=8)
for rival, found in list(study["curve"].items())[:2]:
    at, low, high = found["tree"]["accuracy"]
    said = f"from {at:.0%} [{low:.0%}, {high:.0%}]"
    print(f"ahead of the {rival}: {said}")
facts, last = study["plans"], found_by[-1]
print(f"plans judged in a tree: {facts['judged in a tree']:.1f}")
print(f"all six plans end alike: {facts['all six alike']} of {n}")
print(f"the oracle's tree minus the vote: {difference(last['gain'])}")
plt.show()

# %% [markdown]
# **Figure.** The curve crosses the vote at 58% of the pairs (at 68% if reading counts as much as writing), but the first crossing may lie anywhere from 48% to 70%. The models' own judges lie in that range, so on which side they stand we cannot say.
#
# So search over plans can pay in this world, and what it lacks is a judge. There is a limit to what can be had: on two problems in three all six plans end alike, so that nobody could choose, and a tree judges fewer than three plans, since this planner repeats itself. (The judges seemed to become better when they learned to work the problem out before they score; [the card](../book/pocket_words_card.md) says what was tried.)
#
# ## Where this breaks
#
# One small model judged its own plans, on eighty problems from a few patterns. So few problems find
# large effects only: a judge who is right in 55% of the pairs would look like these. The pocket model knows one small
# world. A stronger judge may order plans well, and the paper's best results are with a large one. What carries over is the test. [A study of the
# trees](study_plans.ipynb) has longer and deeper searches, one judge alone, and the public sets.
#
# ## Summary
#
# - What a reward promises is read from its reliability curve; what a search needs is the order of plans within one
#   problem. Only the second can be trusted to say whether a search can work.
# - Our judges put the right plan of a pair ahead in 51% of the cases: a coin, or a little better.
# - Chance to gold is the room for choosing. A vote won half of it here, and the judges nothing that can be measured.
# - Six plans instead of one, or six rollouts: the reward of the winner went up, its success could not be seen to.
#
# - How good must a judge be? In a small world the answer can be measured: vary the judge, keep the rest, and see where the tree
#   overtakes a vote of equal tokens.
#
# ## Exercises
#
# ### Exercise 1: could it be luck?
#
# Shuffle the rewards among the six plans of each problem, a thousand times, and choose the best each time. How often is the
# result at least as good as that of the real rewards?
#
# <details><summary>Hint</summary>
#
# `plans` holds (reward, right?) in the order of writing. `Random(0).sample(rewards, len(rewards))` shuffles. Count the
# right answers over all problems.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def total(plans_of_all):
    tops = [max(p, key=lambda g: g[0]) for p in plans_of_all if p]
    return sum(ok for _, ok in tops)


rng, real, shuffled = Random(0), total(plans), []
for _ in range(1000):
    mixed = []
    for of_problem in plans:
        rewards = [r for r, _ in of_problem]
        rewards = rng.sample(rewards, len(rewards))
        answers = (ok for _, ok in of_problem)
        mixed.append(list(zip(rewards, answers, strict=True)))
    shuffled.append(total(mixed))
share = fmean(n >= real for n in shuffled)
print(f"real rewards: {real:.0f} of {len(plans)}")
print(f"shuffled: {fmean(shuffled):.1f}")
print(f"at least as good by luck: {share:.0%} of the shuffles")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A **permutation test**. It asks what the rewards add, and nothing about plans: the plans are the same in both.
#
# </details>
#
# ### Exercise 2: the stricter judge decides
#
# A plan that is logical and cannot be carried out gets a middling mean. Let the reward be the *minimum* of the two scores.
# Is the judges' pick of six any better?
#
# <details><summary>Hint</summary>
#
# `best_by(run, key)` takes any key of a plan's id. A judge whose score was not read has no entry in `points`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def strict(run):
    both = [points(run, judge) for judge in JUDGES]
    return best_by(
        run, lambda id: min(score.get(id, 1.0) for score in both)
    )


lowest = [bool(strict(run)) for run in six]
mean = [run.first for run in six]
show.results(
    {
        "the minimum decides": stats.wilson(sum(lowest), len(lowest)),
        "the mean decides": stats.wilson(sum(mean), len(mean)),
        "minimum against mean": stats.paired(lowest, mean),
    }
)

# %% [markdown]
# ### Exercise 3: weights
#
# Give logic the weight $w$ and feasibility $1 - w$, for $w = 0, 0.1 \dots 1$. Which $w$ is best on these problems? Would
# you put it into a table?
#
# <details><summary>Hint</summary>
#
# Eleven tries on the same problems, and the best one is reported: what did this chapter just say about that?
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def weighted(run, w):
    logic, feasible = (points(run, judge) for judge in JUDGES)

    def score(id):
        return w * logic.get(id, 0) + (1 - w) * feasible.get(id, 0)

    return best_by(run, score)


halves = {"one half": six[0::2], "the other": six[1::2]}
print("right for w = 0 to 1")
for name, part in ({"all": six} | halves).items():
    weights = [w / 10 for w in range(11)]
    counts = [
        round(sum(weighted(run, w) for run in part)) for w in weights
    ]
    print(f"{name:10} {counts}")
# All weights lie within three problems of each other. There is nothing
# to choose, and nothing for a table.

# %% [markdown]
# ### Exercise 4: build three judges
#
# Keep our plans, and which of them are right. Invent rewards: one judge who is badly scaled, one who is blind, and one who
# sees only how hard the problem is. Measure the order within one problem for each. Whose curve is best, and whom would you
# hire?
#
# <details><summary>Hint</summary>
#
# `Random(0).gauss(0, s)` is noise. The third judge may look at the share of right plans of its problem, and at no plan.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def scaled(ok, share):
    return 0.9 + 0.05 * ok + rng.gauss(0, 0.03)


def blind(ok, share):
    return rng.random()


def sees_the_problem(ok, share):
    return share + rng.gauss(0, 0.1)


rng = Random(0)
for judge in (scaled, blind, sees_the_problem):
    pairs, high, low = [], [], []
    for of_problem in plans:
        oks = [ok for _, ok in of_problem]
        found = []
        for _ in range(25):  # new noise each time
            new = [(judge(ok, fmean(oks)), ok) for ok in oks]
            found += order(new)
            high += [ok for reward, ok in new if reward > 0.7]
            low += [ok for reward, ok in new if reward <= 0.7]
        pairs.append(found)
    ahead = stats.bootstrap([found for found in pairs if found])
    print(f"{judge.__name__:16} right plan ahead: {ahead}")
    shares = [
        f"{fmean(part):.0%}" if part else "–" for part in (low, high)
    ]
    print(f"{'':16} right below, above 0.7: {', '.join(shares)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The third judge has a curve that rises steeply, and is a coin within each problem. The first gives everything more than
# 0.7, and is the one to hire.
#
# </details>
#
# ## Further reading
#
# - {cite}`smith2006optimizer` on why the best of many estimates disappoints.
# - {cite}`zheng2023judging` on models as judges, and what they are biased by; [chapter 7](07_votes_creative_writing.ipynb)
#   has an example.
# - Section 3.3 of {cite}`anonymous2024planning`; [chapter 15](15_who_should_plan.ipynb) lets a larger model judge the plans of
#   a smaller one.
