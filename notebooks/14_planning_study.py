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
# # Search over plans, part two: does the reward know?
#
# [Part one](14_planning_with_mcts.ipynb) built a tree search over plans and compared it with cheaper things. This part
# looks for the reasons. A tree goes where the rewards are. So everything hangs on one question: does the reward of a plan
# say anything about the answer that comes of it? The paper {cite}`anonymous2024planning` does not ask. Because six plans
# of each problem were *all* carried out, whatever their judges thought of them, we can.
#
# ## Learning objectives
#
# After this chapter you can
#
# - draw a reliability curve of a reward, and say why a search needs something else;
# - measure whether a judge orders the plans of one problem better than a coin;
# - show the winner's curse on real rewards;
# - read one recorded tree as shorter searches, and with other rules for its output;
# - say in numbers what a zero-sum backup does to a tree of plans.

# %% tags=["set-up"]
# Imports, the recorded model and the problems
import json
from collections import Counter
from itertools import combinations, islice, pairwise
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/14.jsonl")
N = {"gsm8k": 40, "svamp": 40}  # how many problems of each kind
kinds = {
    kind: tot.task(kind).problems("book")[:n] for kind, n in N.items()
}
dates = sorted({s["date"] for s in lm.tape.sessions.values()})
print(f"{lm.name}, recorded {', '.join(dates)}")

# %% tags=["set-up"]
# What runs a method on all problems, and parts its runs by kind
TREE = {"rollouts": 6, "revisions": 2}
ALL = [(kind, p) for kind, problems in kinds.items() for p in problems]


def solved(method, pairs=ALL, **knobs):
    knobs = {"lm": lm, **knobs}
    done = [tot.solve(kind, p, method, **knobs) for kind, p in pairs]
    assert not any(run.error for run in done)
    return done


def by_kind(runs):
    """The runs of each kind, and all of them together."""
    left, parts = iter(runs), {}
    for kind, problems in kinds.items():
        parts[kind] = list(islice(left, len(problems)))
    return parts | {"together": runs}


# %%
six = solved("judged-plans", plans=6, executed=6)
trees = solved("mcts-plan", **TREE)
print(f"{len(six)} problems: six plans each, and a tree")

# %% [markdown]
# ## What a reward promises
#
# ### Predict: what does a reward of 0.9 mean?
#
# How often is a plan with a reward of at least 0.9 carried out to the right answer? And one below 0.5? Sketch the curve
# of right answers against rewards before you go on.


# %% tags=["set-up"]
# (reward, right?) of each plan of a run, in the order of writing
def graded(run):
    ended = zip(run.result.best, run.scores, strict=True)
    grades = []
    for node, score in sorted(ended, key=lambda pair: pair[0].id):
        if (reward := node.parent.value) is not None:
            grades.append((round(reward, 9), float(score.correct)))
    return grades


side = [plans for run in six if (plans := graded(run))]

# %% tags=["predict"]
for name, part in by_kind(six).items():
    every = [grade for run in part for grade in graded(run)]
    rewards, right = zip(*every, strict=True)
    share = f"{len(every)} plans, {fmean(right):.0%} carried out right"
    print(f"{name}: {share}, mean reward {fmean(rewards):.2f}")
common = Counter(round(reward, 2) for reward in rewards).most_common(6)
often = ", ".join(f"{r} ({n})" for r, n in common)
print(f"most frequent rewards:\n   {often}")

# %% tags=["set-up"]
# The points of the curve: bins of rewards that hold five plans
EDGES = (0, 0.5, 0.7, 0.8, 0.9, 1.01)


def curve(plans_of_all):
    """(mean reward, share of right answers) of each bin."""
    for low, high in pairwise(EDGES):
        groups = []
        for plans in plans_of_all:
            groups.append([g for g in plans if low <= g[0] < high])
        inside = [reward for group in groups for reward, _ in group]
        if len(inside) >= 5:
            right = [
                [ok for _, ok in group] for group in groups if group
            ]
            found = stats.bootstrap(right)
            share = f"{len(inside):3} plans, {found} right"
            print(f"   from {low:.1f}: {share}")
            yield fmean(inside), found


# %% mystnb={"image": {"alt": "Reliability curves, one for each kind of problem: the share of plans that were carried out to the right answer against their mean reward, in up to five bins with 95 percent intervals, beside a dotted diagonal on which both would agree."}} tags=["plot", "predict"]
for kind, look in zip(kinds, ("o-", "s--"), strict=True):
    print(f"{kind}, by reward")
    plans = [graded(run) for run in by_kind(six)[kind]]
    x, right = zip(*curve(plans), strict=True)
    below = [r.rate - r.low for r in right]
    above = [r.high - r.rate for r in right]
    rates = [r.rate for r in right]
    bars = {"yerr": (below, above), "capsize": 3}
    plt.errorbar(x, rates, fmt=look, label=kind, **bars)
honest = "a reward that is a probability"
plt.plot([0, 1], [0, 1], "k:", lw=1, label=honest)
plt.gca().set(xlabel="reward of a plan", ylabel="right answers")
plt.gca().set(ylim=(0, 1.02))
plt.legend(fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** Neither curve rises: the highest rewards are followed by no more right answers than the others.
#
# (A bin needs at least five plans. Intervals: bootstrap over problems.) This is a **reliability curve**. Below the dotted
# line, judges promise too much; above it, too little. Where it is flat, a better reward means nothing.
#
# Three things look alike in such a curve and are not. A judge may be **badly scaled**: the order is right, the numbers are
# not; a search does not mind. It may be **blind**: the curve is flat. Or it may see only that a *problem* is hard, not that
# a plan is bad: then the curve rises, and the search still has nothing to choose by. The curve cannot tell the third from a
# good judge, because it mixes the plans of all problems. (That is why the two kinds have a curve each.)
#
# ## What a search needs
#
# A search does not need probabilities. It needs the *order* of plans, and it needs it **within one problem**. That easy
# problems get better rewards is of no use to it: it cannot choose the problem. So take two plans of the same problem,
# one that was carried out right and one that was not. How often does the right one have the higher reward? (Half a
# point for a tie.) A coin has 50 %.


# %%
def order(plans):
    good = [reward for reward, ok in plans if ok]
    bad = [reward for reward, ok in plans if not ok]
    return [(g > b) + (g == b) / 2 for g in good for b in bad]


for name, part in by_kind(six).items():
    decided = [pairs for run in part if (pairs := order(graded(run)))]
    ties = fmean(half == 0.5 for pairs in decided for half in pairs)
    few = f"{len(decided)} of {len(part)} problems"
    print(f"{name}: {few} have right and wrong plans")
    higher = f"has the higher reward: {stats.bootstrap(decided)}"
    print(f"   the right one {higher}, ties {ties:.0%}")

# %% [markdown]
# All intervals hold one half. On either kind, and together, these judges order plans like a coin. If they are better
# than one, then not by much: the last interval is the narrowest, and it ends well below two thirds. Part one showed
# some of their words beside their scores.
#
# ### Predict: which judge is to be believed?
#
# Logic, feasibility, or both? The scores of each judge are in the trace, so the best of six plans can be chosen again by
# one of them alone. (Table 3 of the paper asks this of whole trees; that comes below. Its text says that each judge
# alone improves over the baseline; its numbers say otherwise: [P5 of the errata](../book/errata.md).)

# %% tags=["set-up"]
# What each judge said of each plan: id -> score
JUDGES = ("logic", "feasibility")


def points(run, judge):
    [event] = [e for e in run.trace.events if e["kind"] == "evaluated"]
    said = [s for s in event["scores"] if s["judge"] == judge]
    return {s["node"]: s["score"] for s in said}


# %% tags=["set-up"]
# Is the plan right that has the highest key? The first one of equals
def best_by(run, key):
    """Rounded, so that 0.3 * 0.8 + 0.7 * 0.8 is a tie with 0.8."""
    pairs = zip(run.result.best, run.scores, strict=True)
    pairs = sorted(pairs, key=lambda pair: pair[0].id)
    keys = [round(key(node.parent.id), 9) for node, _ in pairs]
    return pairs[keys.index(max(keys))][1].correct


# %% tags=["set-up"]
# Who chooses -> how often the chosen plan is right
def rate(rights):
    return stats.wilson(sum(rights), len(rights))


def by_judge(run, judge):
    score = points(run, judge)
    return best_by(run, lambda id: score.get(id, -1.0))


def choices(runs):
    every = [[float(s.correct) for s in run.scores] for run in runs]
    found = {"chance": stats.bootstrap([e or [0.0] for e in every])}
    for judge in JUDGES:
        found[judge] = rate([by_judge(run, judge) for run in runs])
    found["both judges"] = rate([run.first for run in runs])
    return found | {"gold picks": rate([run.any for run in runs])}


# %% tags=["predict"]
found = {name: choices(part) for name, part in by_kind(six).items()}
rows = []
for who in found["together"]:
    right = {name: column[who] for name, column in found.items()}
    rows.append({"chosen by": who} | right)
note = f"best of six plans, {len(six)} problems, the same plans"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** Whoever chooses among the six plans, the share of right ones stays near chance; gold would have found one
# nearly always.
#
# The distance from the first row to the last is all that choosing among these plans could ever win. (And it is an upper
# bound: each plan was carried out once, so a part of it is the executor's luck, which no judge of plans can see.) The
# judges' rows show
# how much of it they do win. If a judge's row lies within the interval of chance, a tree that trusts this judge wanders.
# And where six plans already hold a right one on nearly every problem, better *plans* are not what is missing: the missing
# part is to know which, or to carry all of them out and let the answers vote, as part one did.
#
# ## The winner's curse
#
# Chapter 13 warned: the best of many rewards is high because the plan is good, or because the judge was lucky with it.
# Here are real judges. Take 1, 2 ... 6 of the six plans, in all possible ways, and carry out the one with the best reward.
#
# ### Predict: more plans, a better reward. A better answer?


# %% mystnb={"image": {"alt": "Two lines against the number of plans to choose from, one to six, with intervals. The mean reward of the best plan rises with every plan. The share of right answers of that plan stays below it."}} tags=["plot", "predict"]
def best_of(plans, n):
    """(mean reward, success) of the best of n, over all choices."""
    groups = combinations(plans, n)
    top = [max(group, key=lambda g: g[0]) for group in groups]
    return fmean(r for r, _ in top), fmean(ok for _, ok in top)


whole = [plans for plans in side if len(plans) == 6]
found = {n: [best_of(plans, n) for plans in whole] for n in range(1, 7)}
for i, name in enumerate(("reward", "right answers")):
    ends = [stats.bootstrap([[p[i]] for p in found[n]]) for n in found]
    rates = [e.rate for e in ends]
    print(f"{name:13}", ", ".join(f"{rate:.2f}" for rate in rates))
    below = [e.rate - e.low for e in ends]
    above = [e.high - e.rate for e in ends]
    look = {"marker": "os"[i], "label": f"{name} of the best"}
    plt.errorbar(list(found), rates, (below, above), **look)
plt.gca().set(xlabel="plans to choose from", ylim=(0, 1.05))
plt.legend(fontsize=8)
plt.show()


# %% [markdown]
# **Figure.** The reward of the best plan rises from 0.82 to 0.98; its share of right answers stays where it was.


# %% tags=["predict"]
def signed(interval):
    ends = f"[{interval.low:+.2f}, {interval.high:+.2f}]"
    return f"{interval.rate:+.2f} {ends}"


last = list(zip(found[1], found[6], strict=True))
print(f"{len(whole)} problems with six different plans;")
print("from one plan to the best of six:")
for i, name in enumerate(("reward", "right answers")):
    change = [[many[i] - one[i]] for one, many in last]
    print(name, signed(stats.bootstrap(change)))

# %% [markdown]
# The rewards must rise: a maximum over more numbers does. Whether the answers follow is the question, and it is answered
# by carrying out, not by judging. "The search found a plan with reward 0.95" is a statement about the judges. Here the
# rise of the rewards is certain. The answers do not follow: the best of six plans is right as often as one plan that
# nobody chose.
#
# ## More rollouts, and which plan to take
#
# One recording of six rollouts holds all shorter ones. And the same tree can be read with other rules for the plan that
# is carried out: the best **reward** of its own; the best **mean** of at least two visits (the paper's rule, with the
# minimum that it needs); or down the most **visits**. (`--style paper` takes the mean without a minimum, with the zero-sum
# backup below. It judges the initial plan before its rollouts are counted; ours spends the first of them on it.)


# %% tags=["set-up"]
# One row for each way to search, or to choose a plan
def searched(variants, pairs=ALL):
    runs = solved("mcts-plan", pairs, **TREE)
    ends = [run.result.best[0].parent.state for run in runs]
    for name, knobs in variants.items():
        done = solved("mcts-plan", pairs, **(TREE | knobs))
        plans = [run.result.best[0].parent for run in done]
        totals = [run.result.ledger.total for run in done]
        written = fmean(total.completion_tokens for total in totals)
        judged = fmean(len(run.result.visited) for run in done)
        reward = fmean(plan.value or 0 for plan in plans)
        couples = zip(plans, ends, strict=True)
        same = fmean(plan.state == end for plan, end in couples)
        row = {"tree": name, "written": round(written)}
        row |= {
            "judged": round(judged, 1),
            "its reward": round(reward, 3),
        }
        row |= {"same plan": f"{same:.0%}"}
        yield row | {"solved": rate([run.chosen for run in done])}


# %%
VARIANTS = {"1 rollout": {"rollouts": 1}}
VARIANTS |= {f"{n} rollouts": {"rollouts": n} for n in range(2, 7)}
VARIANTS |= {
    f"6, by {how}": {"final": how} for how in ("mean", "visits")
}
show.table(list(searched(VARIANTS)), caption=f"{len(trees)} problems")

# %% [markdown]
# **Table.** The reward of what is carried out rises with each rollout; the share of right answers does not.
#
# (*Written*: generated tokens; *judged*: plans.) One rollout is Plan-and-Solve with a judgement that nobody needs. Most
# further rollouts pay for plans and two judges, and
# *its reward* says how pleased they were with what was carried out. *Same plan* says in how many trees it is the plan that
# six rollouts carry out.
#
# From one to six rollouts, all rows lie within three problems of each other, and of the first row, which searched for nothing. After
# four rollouts the plan hardly changes any more: where a plan has full marks already, nothing can beat it, whatever
# those marks are worth. The other two rules carry out other plans in many trees, and those do no better. (The best mean
# solves five problems fewer: luck can do that.)
#
# Six may be too few. On the first ten problems of `gsm8k` the search went on:

# %%
LONG = {"1 rollout": {"rollouts": 1}}
LONG |= {f"{n} rollouts": {"rollouts": n} for n in (6, 7, 10, 20)}
TENS = [("gsm8k", p) for p in kinds["gsm8k"][:10]]
note = f"{len(TENS)} problems of gsm8k"
show.table(list(searched(LONG, TENS)), caption=note)

# %% [markdown]
# Fourteen rollouts more nearly double the bill and lift the reward nearly to its ceiling. On these ten problems they
# solve nothing more. (Twenty rollouts judge about ten plans. Where all revisions of a plan were refused as copies,
# later rollouts end there and ask for nothing.)
#
# ### Predict: flat or deep?
#
# The paper's table 2 has depths from 1 to 100. In a tree of six rollouts no plan can be revised more than five times. Is a
# plan that was rewritten five times better than one that was rewritten once?

# %% tags=["predict"]
DEPTHS = {f"depth {n}": {"depth": n} for n in (1, 2, 3, 4, 5)}
note = f"six rollouts, {len(trees)} problems"
show.table(list(searched(DEPTHS)), caption=note)

# %% [markdown]
# A tree of depth one holds the first plan and its two revisions, for half of the bill. Deeper trees find better rewards, and no
# more right answers: these rows differ by no more than luck. The paper's own columns say as little
# ([P4](../book/errata.md#p4-deeper-and-longer)).
#
# ### Predict: one judge less
#
# Above, each judge chose among plans that were there already. In a tree a judge does more: the next revision reads its
# words. So here are trees that one judge steered alone, as in the paper's table 3. They ask less. Do they find less?

# %% tags=["predict"]
ALONE = {"both judges": {}, "logic alone": {"feasibility": 0}}
ALONE["feasibility alone"] = {"logic": 0}
forty = [("gsm8k", p) for p in kinds["gsm8k"]]
note = f"six rollouts, {len(forty)} of gsm8k"
show.table(list(searched(ALONE, forty)), caption=note)

# %% tags=["predict"]
ends = {}
for name, knobs in ALONE.items():
    done = solved("mcts-plan", forty, **TREE, **knobs)
    ends[name] = [run.chosen for run in done]
for name in list(ALONE)[1:]:
    print(f"{name} against both")
    for n in (20, 40):
        pair = stats.paired(ends[name][:n], ends["both judges"][:n])
        alone = f"{pair.only_a} to {pair.only_b} problems"
        print(f"   the first {n}: {alone}, p = {pair.p:.2f}")

# %% [markdown]
# One judge saves a fifth of the bill or less, since plans and their execution cost as before. Logic alone gives the
# best rewards and the fewest right answers: rewards of different judges do not compare. No pair can be told from luck.
# Look at the first twenty problems, though. Feasibility alone was ahead there, four to nothing. That looks like a
# discovery; its $p$ says that it is none, and the next twenty problems went three to five.
#
# Where did the rollouts go? The sisters below the first plan, in one tree:

# %% mystnb={"image": {"alt": "Two panels over six rollouts of one tree: the share of visits of the two revisions of the first plan, and their mean rewards."}} tags=["plot"]
planned = solved("mcts-plan", plan_only=True, **TREE)
depths = [[n.depth for n in run.result.visited] for run in planned]
sizes = [(found.count(2), len(found)) for found in depths]
widest = planned[sizes.index(max(sizes))]
rows = show.visit_rows(widest, of="0.0")
names = {
    id: f"revision {i + 1}"
    for i, id in enumerate(dict.fromkeys(row["node"] for row in rows))
}
rows = [row | {"thought": names[row["node"]]} for row in rows]
show.plots.visits(rows)

# %% [markdown]
# **Figure.** How the rollouts of one tree were shared out among the revisions of its first plan.
#
# ## What a zero-sum backup does to these trees
#
# The paper backs up "in a zero-sum game manner" and suspects that this made its results less certain (section 3.3). Take
# our trees as they are, and pay the same rewards with a sign that changes at each step up.
#
# ### Predict: whose mean changes?
#
# A plan without revisions, or one with good ones?


# %% tags=["set-up"]
# Mean rewards, with a sign that changes at each step up or without
def means(run, sign):
    total, visits = Counter(), Counter()
    for event in run.trace.events:
        nodes = event["nodes"] if event["kind"] == "backed_up" else []
        reward = nodes[0]["value"] if nodes else 0.0
        for node in nodes:  # from the leaf up to the first plan
            total[node["id"]] += reward
            visits[node["id"]] += 1
            reward *= sign
    return {id: round(total[id] / visits[id], 9) for id in total}


# %% tags=["checked"]
for run in trees:  # it is the search's own bookkeeping
    nodes = run.trace.nodes()
    for id, mean in means(run, 1).items():
        assert abs(nodes[id]["mean"] - mean) < 1e-9

# %% tags=["predict"]
leaf, above, same = [], [], 0
for run in trees:
    plain, flipped = means(run, 1), means(run, -1)
    for id, mean in plain.items():
        group = above if f"{id}.0" in plain else leaf
        group.append((mean, flipped[id]))
    same += max(plain, key=plain.get) == max(flipped, key=flipped.get)
for name, pairs in (("without", leaf), ("with", above)):
    a, b = map(fmean, zip(*pairs, strict=True))
    print(f"{len(pairs)} plans {name} revisions:")
    print(f"   mean {a:+.2f}, by zero-sum {b:+.2f}")
print(f"the same highest mean in {same} of {len(trees)} trees")

# %% [markdown]
# The better the revisions of a plan, the lower its own mean. Leaves keep their sign. So a rule that takes the highest
# average is driven to plans that were judged once, and UCB1 is driven away from plans that can be improved. (These numbers
# keep the visits as they were; a search that used them would also go elsewhere.) Nobody moves against a planner: average.
#
# ## Other kinds of problems
#
# The paper has eight sets; two kinds were recorded at length. Why these two? A comparison needs problems that are neither
# too easy nor too hard. So each of the others was tried on its first three problems: a *pilot*, to choose by, and no rate.

# %% tags=["set-up"]
# Three problems of each other kind
OTHERS = ["addsub", "multiarith", "singleeq"]
OTHERS += ["commonsenseqa", "last_letters", "object_tracking"]
METHODS = ("zero-shot-cot", "plan-and-solve")


def tried(kind, method):
    three = tot.task(kind).problems("book")[:3]
    done = [tot.solve(kind, p, method, lm=lm) for p in three]
    assert not any(run.error for run in done)
    return f"{sum(run.correct for run in done)} of 3"


rows = []
for kind in OTHERS:
    rows.append({"kind": kind} | {m: tried(kind, m) for m in METHODS})
show.table(rows, caption="a pilot: three problems each, one sample")

# %% [markdown]
# Three kinds of arithmetic are near the ceiling, the two puzzles near the floor. There, no method can be told from
# another. The commonsense questions are neither; they were left out for the price. (Three problems show that much, and
# no more.)
#
# Of three kinds, here is **one problem each**, to be read. These are worked examples: nothing can be concluded from a right
# or a wrong one.

# %% tags=["set-up"]
# One problem, three methods; the plans, and what came of the last one
WAYS = {method: {} for method in METHODS} | {"mcts-plan": TREE}


def wrapped(text):
    return "\n".join(fill(line, 72) for line in text.splitlines())


def example(kind):
    problem = tot.task(kind).problems("book")[5]
    print(wrapped(f"{kind.upper()}: {problem.x}\n"))
    for method, knobs in WAYS.items():
        run = tot.solve(kind, problem, method, lm=lm, **knobs)
        assert not run.error, run.error
        print(f"   {method:14} {run.score.why}")
    first, last = run.result.visited[0], run.result.best[0]
    plans = {"first plan": first, "carried out": last.parent}
    if last.parent is first:
        del plans["carried out"]
    for name, plan in plans.items():
        print(f"\n{name}, reward {plan.value}:")
        print(wrapped(plan.state.last.text))
    print(f"\nthe executor:\n{wrapped(last.state.last.text)}")


example("commonsenseqa")

# %%
example("last_letters")

# %%
example("object_tracking")

# %% [markdown]
# In the first example a plan does no harm and no good: who knows the answer needs none. In the second the obstacle is not
# the plan. A model reads tokens, not letters, and a plan with full marks ends in a wrong word. In the third the planner has
# begun to carry out what it should only plan, wrongly, and the judges like it well enough.
#
# ## The real questions
#
# Our problems are made by a program. The questions of the public sets cannot be printed here, but figures can: the same
# model, the same prompts, the first questions of each file (`studies/benchmark_samples.py`).

# %% tags=["set-up"]
# The table of the public sets
file = Path("../studies/results/benchmark_samples.json")
real = json.loads(file.read_text(encoding="utf-8"))
rows = []
for kind in kinds:
    for method in (*METHODS, "mcts-plan"):
        m = real[kind][method]
        row = {"set": kind, "method": method}
        row["solved"] = stats.wilson(m["correct"], m["n"])
        rows.append(row | {k: m[k] for k in ("n", "tokens", "unread")})
note = f"the public sets, {m['model']}, {m['dates'][-1]}"
show.table(rows, caption=note)

# %% [markdown]
# The real questions are harder for this model than ours, those of GSM8K by far. (*Tokens* count prompts, too; *unread*
# counts replies without a readable answer or score, and plans that repeat one.) Rates of so few questions, with
# intervals that overlap like these, say nothing about the order of the methods: on one set the tree has the highest
# rate, on the other the lowest. They say what a tree costs.
#
# ## Where this study fails
#
# It has eighty problems of two kinds, made from a few patterns, one small model, and judges who may write one line. So
# few problems find large effects only. A stronger judge may order plans well; the paper's best results are with a large
# one. What carries over is the *test*: carry out some plans that the judges did not choose, and see whether their order
# holds. It costs a few executions, and it tells whether a search can work before you pay for one.
#
# ## Summary
#
# - A reliability curve shows what a reward promises. A search needs the order of plans within one problem: measure that.
# - The gap between chance and gold is all that choosing can win. Look at it before you build a search.
# - The best of many rewards always rises. Report the success of the chosen plan.
# - A tree of six rollouts contains the shorter ones, and every rule for its output. One recording answers many questions.
# - Zero-sum backup turns good revisions against their plan.
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
# Use `side`: (reward, right?) in the order of writing. `Random(0).sample(rewards, len(rewards))` shuffles. Count the
# right answers over all problems.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def total(plans_of_all):
    tops = [max(plans, key=lambda g: g[0]) for plans in plans_of_all]
    return sum(ok for _, ok in tops)


rng, real, shuffled = Random(0), total(side), []
for _ in range(1000):
    mixed = []
    for plans in side:
        rewards = rng.sample([r for r, _ in plans], len(plans))
        answers = (ok for _, ok in plans)
        mixed.append(list(zip(rewards, answers, strict=True)))
    shuffled.append(total(mixed))
share = fmean(n >= real for n in shuffled)
print(f"real rewards: {real:.0f} of {len(side)}")
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
# Does the best of six get better?
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


lowest, mean = [strict(run) for run in six], [run.first for run in six]
print("minimum:", rate(lowest))
print("mean:   ", rate(mean))
print(fill(str(stats.paired(lowest, mean)), 70))

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
    counts = [sum(weighted(run, w) for run in part) for w in weights]
    print(f"{name:10} {counts}")
# All weights lie within three problems of each other. There is nothing
# to choose, and nothing for a table.

# %% [markdown]
# ### Exercise 4: the C that fits these rewards
#
# [Chapter 13](13_mcts_from_scratch.ipynb): $C$ has the unit of the reward. By how much do the rewards of two sisters
# differ in our trees? And how much worse must a sister be with $C = \sqrt 2$, so that she does *not* get the next rollout?
#
# <details><summary>Hint</summary>
#
# After one visit each, the better sister is chosen. Then she has 2 visits, the other has 1, and the parent has 4. Compare
# the difference of the bonuses with the difference of the rewards.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
gaps = []
for run in trees:
    sisters = [n.value for n in run.result.visited if n.depth == 2]
    if len(sisters) == 2 and None not in sisters:
        gaps.append(max(sisters) - min(sisters))
print(f"rewards of sisters differ by {fmean(gaps):.2f} in the mean,")
print(f"{max(gaps):.2f} at most")
for c in (sqrt(2), 0.5, 0.2):
    edge = c * (sqrt(log(4)) - sqrt(log(4) / 2))
    share = fmean(gap > edge for gap in gaps)
    print(f"C = {c:.2f}: she must be {edge:.2f} worse; {share:.0%} are")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# (The better sister's mean also takes in what was found below her; the estimate leaves that out.) With a large $C$ six
# rollouts hardly select: they take turns. The paper does not say which $C$ it used.
#
# </details>
#
# ## Further reading
#
# - {cite}`smith2006optimizer` on why the best of many estimates disappoints.
# - {cite}`zheng2023judging` on models as judges, and what they are biased by; [chapter 7](07_votes_creative_writing.ipynb)
#   has an example.
# - Sections 3.3 and 3.4 of {cite}`anonymous2024planning`; [chapter 15](15_who_should_plan.ipynb) lets a larger model judge
#   the plans of a smaller one.
