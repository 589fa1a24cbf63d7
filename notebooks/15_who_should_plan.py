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
# # Who should plan?
#
# In [chapter 14](14_planning_with_mcts.ipynb) one model played three roles: it planned, judged its own plans, and carried one
# of them out. It need not be one model. The search asks many questions and the execution only one, so *Planning with
# MCTS* {cite}`anonymous2024planning` proposes to let a **small** model search and a **large** one carry out. Its section
# 3.4 reports large gains. Gains over what?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.seats()

# %% [markdown]
# **Figure.** The first two rows of the paper's table 4, for GSM8K: one seat is given to a model with nearly fifty times as many weights.
# Two small ones are still at work beside it.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - give each role of a search its own model, and add up the work of both in one unit;
# - name the controls that a table of mixed models needs;
# - tell what planner, judge and executor contribute, by pairs that differ in one role;
# - decide, for a task of your own, whether a search over plans is worth building.

# %% tags=["set-up"]
# Imports, the recorded models and the problems
from collections import Counter
from math import fsum
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats

large = tot.Cassette("cassettes/14.jsonl")
small = tot.Cassette("cassettes/15.jsonl")
chains = tot.Cassette("cassettes/09.jsonl")  # the large model's chains
N = 20
problems = tot.task("gsm8k").problems("book")[:N]
ROLES = ("planner", "judge", "executor")
TREE = {"rollouts": 6, "revisions": 2}

# %% [markdown]
# "Large" is a word for one end of a pair. Our large model, with 1.54 billion weights, is as big as the paper's *small* one, and has three times
# as many as our small one; the paper's large model has nearly fifty times as many as its small one. So
# no rate here can be compared with the paper's. What carries over is how to compare.
#
# ## What the paper's table lacks
#
# Here is its table 4 for GSM8K: the planner has 1.5 billion weights, the other roles 1.5 or 72. The last row has 72 in all of them.

# %% tags=["set-up"]
# The paper's table 4
PAPER = [
    ("1.5B", "1.5B", "1.5B", 64.29),
    ("1.5B", "1.5B", "72B", 86.96),
    ("1.5B", "72B", "1.5B", 81.35),
    ("1.5B", "72B", "72B", 92.80),
    ("72B", "72B", "72B", 94.62),
]
names = ("planner", "evaluator", "executor", "GSM8K, %")
rows = [dict(zip(names, row, strict=True)) for row in PAPER]
show.table(rows, caption="the paper, table 4")

# %% [markdown]
# ### Predict: which rows are missing?
#
# The text concludes that "using a small model for planning and a large model for execution significantly improved
# problem-solving performance across all datasets". Which two measurements would you need
# before you believe that the small planner had a part in it?

# %% tags=["set-up"]
# The two rows that the table lacks
lacking = "the large executor without a planner, and with its own plan"
choices = ["more problems, and a second small planner", lacking]
choices.append("a larger judge, and a larger planner")
why = "A chain of thought of the large model, and a plan that the "
why += "large model writes for itself."
question = "Which two rows are missing?"
show.Predict(question, lacking, choices=choices, shows=why)

# %% [markdown]
# Between the first two rows one executor was exchanged for another with nearly fifty times as many weights. Suppose that 72B alone
# gets more than the second row: then small planner, small judge and tree together did harm, and the table would look exactly as it looks. What it needs is a
# **control**, a run without the thing that is to be tested. (Moreover, the gain that the text quotes belongs to
# another row than the one it describes, [P3](../book/errata.md#p3-a-gain-in-the-wrong-row) of the errata.)
#
# ## Fourteen casts
#
# A search yields its questions with the **role** that should answer them, and does not know who that is. So a mix of
# models needs no new search, only somebody who carries each question to the right desk:

# %%
desks = {"default": large, "planner": small, "judge": small}
mixed = tot.solve("gsm8k", problems[0], "mcts-plan", lm=desks, **TREE)
for role, bill in mixed.result.ledger.asked.items():
    print(f"{role:9} {bill.calls:2} requests,", end=" ")
    print(f"{bill.completion_tokens} tokens written")

# %% [markdown]
# (On the command line: `--lm openai:LARGE --planner-lm openai:SMALL --judge-lm openai:SMALL`.)
#
# Fourteen casts were given the same twenty problems. Three letters name a cast: planner, judge, executor. S is the small model, L
# the large one, and a dash nobody.
#
# - Six are **trees** of six rollouts, as in chapter 14, five of them in the paper's table. `SSL` and `SLL` are its proposal: a
#   small planner, a large executor.
# - Eight are **controls** without a tree: a **chain** of thought (the mean of five) and the **vote** of all five, where nobody plans; and
#   **one plan**, written by the small or by the large model, and carried out.
#
# What does a cast cost? Tokens of two models do not add up, but **work** does. A model of $n$ weights spends about $2n$ operations
# on each token that it reads or writes, so one unit serves for both: $10^{12}$ operations.

# %% tags=["set-up"]
# The casts, and all their runs in the order of the problems
WEIGHTS = {"S": 0.49, "L": 1.54}  # billions, as the makers give them
MIXES = {
    "chain": ("zero-shot-cot", {"k": 5}),  # measured by five
    "vote": ("zero-shot-cot", {"k": 5}),
    "one plan": ("plan-and-solve", {}),
    "tree": ("mcts-plan", TREE),
}
CAST = [(kind, "--" + e) for kind in ("chain", "vote") for e in "SL"]
CAST += [("one plan", p + "-" + e) for e in "SL" for p in "SL"]
CAST += [("tree", who) for who in ("SSS", "SSL", "SLS")]
CAST += [("tree", who) for who in ("SLL", "LLS", "LLL")]


def solve(problem, method, little=(), source=large, **knobs):
    """``little``: the roles that the small model plays."""
    lms = {"default": source} | dict.fromkeys(little, small)
    done = tot.solve("gsm8k", problem, method, lm=lms, **knobs)
    assert not done.error, done.error
    return done


def cast(kind, who):
    seats = zip(ROLES, who, strict=True)
    little = tuple(role for role, size in seats if size == "S")
    method, knobs = MIXES[kind]
    source = chains if who == "--L" else large
    return [solve(p, method, little, source, **knobs) for p in problems]


runs = {key: cast(*key) for key in CAST}


# %% tags=["set-up"]
# What a cast solved, and what it spent
def right(key):
    """For each problem 1 or 0; for a chain the share of five."""
    if key[0] != "chain":
        return [float(run.chosen) for run in runs[key]]
    return [fmean(s.correct for s in run.scores) for run in runs[key]]


def rate(key):
    shares = right(key)
    if key[0] == "chain":
        return stats.bootstrap([[share] for share in shares])
    return stats.wilson(round(sum(shares)), len(shares))


def spent(key):
    """Tokens written by each model, and all work, per problem."""
    samples = 5 if key[0] == "chain" else 1  # five share a prompt
    who = dict(zip(ROLES, key[1], strict=True))
    each = {"S": 0.0, "L": 0.0, "work": 0.0}
    for run in runs[key]:
        for role, bill in run.result.ledger.asked.items():
            tokens = bill.completion_tokens / samples
            each[who[role]] += tokens / N
            read = bill.prompt_tokens
            work = 2e-3 * WEIGHTS[who[role]] * (read + tokens)
            each["work"] += work / N
    return each


# %% [markdown]
# ### Predict: where is the paper's proposal?
#
# Of the fourteen casts, how many solve more of the twenty problems than `SSL` does?

# %%
rows = []
for key in CAST:
    row = {"cast": " ".join(key), "solved": rate(key)}
    rows.append(row | {"work": round(spent(key)["work"], 2)})
ssl = rate(("tree", "SSL")).rate
note = f"{N} problems, 95% intervals (of chains by bootstrap)"
show.Predict(
    "How many casts solve more than SSL?",
    sum(row["solved"].rate > ssl for row in rows),
    low=0,
    high=13,
    shows=show.table(
        rows,
        caption=note,
        highlight=lambda row: row["cast"] in ("tree SSL", "tree SLL"),
    ),
)

# %% mystnb={"image": {"alt": "Success with intervals against work per problem on a logarithmic axis, for fourteen casts. The front goes from one small chain and one small plan to one large chain, then to a small and a large plan with a large executor, and to the vote of five large chains. All six trees are grey and to the right of it."}} tags=["plot", "predict"]
axes = {"x": "work", "y": "solved", "name": "cast", "log": True}
unit = "work per problem, $10^{12}$ operations"
short = [r | {"cast": r["cast"].replace("one ", "")} for r in rows]
figure, ax = plt.subplots(figsize=(6.4, 4.9), layout="constrained")
show.pareto(short, xlabel=unit, ax=ax, **axes)
plt.show()

# %% [markdown]
# **Figure.** The **Pareto front**, the casts that no other beats both in success and in work, holds chains, a vote and single plans. No tree is on it.
#
# Twenty problems are few enough to show everything. A column is a problem, a dot a right answer; for a chain the number says how many of five were right.


# %% tags=["set-up"]
# Every problem: a dot is right; for a chain, how many of five
def marks(key):
    if key[0] == "chain":
        return [str(round(5 * share)) for share in right(key)]
    return ["●" if share else "·" for share in right(key)]


for key in CAST:
    print(f"{key[0]:9}{key[1]:5}{' '.join(marks(key))}")

# %% [markdown]
# Read first only the rows that the paper has: `SSS`, `SSL`, `SLS`, `SLL` and `LLL`. From all small to the mixes with a large
# executor success goes up many times over, and the best mix gets two thirds of the way to the large model in all roles.
# That is the paper's story, in outline.
#
# Then read the rows that it lacks. One chain of the large model, with no planner at all, has a higher rate than every
# mixed tree, for less than a quarter of the work of the cheapest of them. Take the tree away and keep the small planner, `S-L`: it, too, has a higher rate than the trees
# that the paper proposes. Nothing in the paper's rows could have told us.
#
# ## Are the roles played at all?
#
# A row says how a cast did, not what it did. So read the replies before you believe a row. Here is the first plan of each planner for one problem, and what
# the large executor makes of the small one's.

# %% tags=["set-up"]
# The plans of both planners for the first problem
turns = [("problem", problems[0].x)]
for name, who in (("large planner", "LLL"), ("small planner", "SLL")):
    node = runs["tree", who][0].result.visited[0]
    turns.append((name, node.state.last.text))
node = runs["one plan", "S-L"][0].result.best[0]
turns.append(("large executor", node.state.last.text))
show.transcript(turns, wrong=["$4/9 * 9 = $4", "$1/6 * 6 = $1"])

# %% [markdown]
# The small model does not plan. It *solves*, in the form of a plan, with its own errors, until its tokens run out: the very
# thing that a plan was to prevent. The large executor, told to carry the plan out, obeys, and divides a price by a number of notebooks. Alone it
# solves this problem in five chains of five. How often does each role go wrong in this way?


# %% tags=["set-up"]
# What the replies of each role look like, by the model that plays it
def replies(who, role):
    events = [e for run in runs["tree", who] for e in run.trace.events]
    asked = [e for e in events if e.get("role") == role]
    requests = [r for event in asked for r in event["requests"]]
    return [sample for r in requests for sample in r["samples"]]


def unread(who):
    """(readable, all) scores of a cast's judge."""
    events = [e for run in runs["tree", who] for e in run.trace.events]
    judged = [event for event in events if event["kind"] == "evaluated"]
    read = sum(len(event["scores"]) for event in judged)
    return read, read + sum(len(event["unread"]) for event in judged)


def share(part):
    return f"{fmean(part):.0%} of {len(part)}"


def facts(size):
    """Role, what it does, and for each reply whether it does so."""
    who = size + "LL"
    plans = replies(who, "planner")
    yield (
        "planner",
        "calculates (writes =)",
        ["=" in p["text"] for p in plans],
    )
    cut = [p["finish"] == "length" for p in plans]
    yield "planner", "is cut off, at 80 tokens", cut
    who = f"S{size}S"
    read, of = unread(who)
    yield (
        "judge",
        "gives no readable score",
        [i >= read for i in range(of)],
    )
    judged = [n for t in runs["tree", who] for n in t.result.visited]
    without = [node.value is None for node in judged]
    yield "judge", "leaves a plan without reward", without
    n = sum(run.result.cut for run in runs["chain", "--" + size])
    cut = [i < n for i in range(5 * N)]
    yield "executor", "is cut off, at 180 tokens", cut


rows = []
for (role, what, a), (_, _, b) in zip(
    facts("S"), facts("L"), strict=True
):
    row = {"role": role, "what it does": what}
    rows.append(row | {"small": share(a), "large": share(b)})
show.table(rows)

# %% [markdown]
# **Table.** What the small model does in each role, and the large one. The executor's line is about chains without a plan.
#
# The judge's lines need a word: asked for "Score: N", the small judge copies the N, or marks out of ten. So `SSS` and `SSL` are hardly searches; they are a first plan and what is left of a
# tree.
#
# The executor's line is our own fault. The limit of 180 tokens was made for the large model.
#
# ### Predict: more room
#
# With 180 tokens a reply, the vote of five *small* chains solves one problem of twenty. How many with 400?


# %% tags=["set-up"]
# Chains and votes with room for 180 and for 400 tokens
def more_room(size, room):
    little = ("executor",) if size == "small" else ()
    source = small if size == "small" else chains
    knobs = {"k": 5, "max_tokens": room}
    found = []
    for p in problems:
        found.append(solve(p, "zero-shot-cot", little, source, **knobs))
    won = [run.chosen for run in found]
    every = [[float(s.correct) for s in run.scores] for run in found]
    cut = sum(run.result.cut for run in found) / (5 * N)
    row = {"model": size, "room": room or 180, "cut off": f"{cut:.0%}"}
    row |= {"a chain": stats.bootstrap(every)}
    return won, row | {"the vote solves": sum(won)}


# %%
rows = []
for size in ("small", "large"):
    (before, one), (after, two) = (
        more_room(size, 0),
        more_room(size, 400),
    )
    change = stats.paired(after, before)
    rows += [one, two | {"p, vote": f"{change.p:.3f}"}]
show.Predict(
    "With 400 tokens, the vote of small chains solves",
    rows[1]["the vote solves"],
    low=0,
    high=20,
    shows=show.table(rows, caption=f"{N} problems, five chains each"),
)

# %% [markdown]
# So a part of the floor under the casts with a small executor is our own. With more room the vote of small chains is 5
# problems behind that of large ones instead of 15; for single chains the gap shrinks less, from 54 points to 38. Plans
# and trees were recorded under the old limit only, for both executors. What follows overstates how far the small model
# lies behind as an executor, by how much we cannot say.
#
# ## One thing at a time
#
# Fourteen rows invite stories; pairs answer questions. Take two casts that differ in **one** thing, and compare them
# problem by problem. An *effect* changes one role and keeps the others. A *control* takes a role away, and asks whether it was
# needed. The paper's table has effects only.
#
# How sure can twenty pairs make us? If two casts were equally good, each problem's difference could as well have had the
# other sign. So flip the signs in all possible ways, and see how often the sum comes out as large as the real one. This **sign
# flip test** is exact. There are a million ways, but few different sums: count those.


# %%
def flips(gaps):
    """Exact two-sided p: all choices of signs, counted by their sum."""
    ways = Counter({0.0: 1})
    for gap in gaps:
        before, ways = ways, Counter()
        for total, n in before.items():
            for signed in (total + gap, total - gap):
                ways[round(signed, 9)] += n
    real = abs(fsum(gaps)) - 1e-6  # sums were rounded
    extreme = (n for total, n in ways.items() if abs(total) >= real)
    return sum(extreme) / 2 ** len(gaps)


# %% [markdown]
# ### Predict: how large must an effect be?
#
# One cast solves $k$ problems that the other does not, and never the other way round. From which $k$ on is $p$ below 0.05?

# %%
rows = [{"k": k, "p": f"{flips([1.0] * k):.4f}"} for k in range(4, 11)]
show.Predict(
    "p is below 0.05 from k =",
    next(k for k in range(1, 21) if flips([1.0] * k) < 0.05),
    low=1,
    high=20,
    shows=show.table(rows),
)

# %% [markdown]
# A single pair of rows can show large effects only.
#
# Here are the six trees, and all pairs of them that differ in one role.

# %% tags=["plot"]
trees = {who: (kind, who) for kind, who in CAST if kind == "tree"}
gains, tests = {}, {}
for one in trees:
    for i in range(3):
        other = one[:i] + "L" + one[i + 1 :]
        if one[i] == "S" and other in trees:
            after, before = right(trees[other]), right(trees[one])
            gaps = zip(after, before, strict=True)
            gain = [[a - b] for a, b in gaps]
            gains[one, other] = stats.bootstrap(gain)
            tests[one, other] = flips([gap for [gap] in gain])
clear = [pair for pair, each in gains.items() if each.low > 0]
strict = [pair for pair in clear if tests[pair] < 0.05 / len(gains)]
assert (len(clear), strict) == (2, [("LLS", "LLL")])  # see below
solved = {who: rate(key) for who, key in trees.items()}
show.concepts.casts(solved, gains)

# %% [markdown]
# **Figure.** The six trees as corners of a cube; an arrow puts the large model into one role. Two of the seven
# intervals are clear of zero, both of a larger executor; by a test with $p$ below 0.05 / 7 only `LLS` to `LLL` is left.
#
# All eight corners would make a **factorial design**. `LSS` and `LSL` were never recorded; further down, a smaller player fills them in.
#
# A role changes hands in more pairs than these, since the controls differ in one thing, too. Average each
# problem's difference over all such pairs, and some of the luck averages out.

# %% tags=["set-up"]
# Six questions: which pairs of casts, (after, before), answer them?
S_TO_L = {f"a larger {role}": [] for role in ROLES}
for kind, who in CAST:
    for i, role in enumerate(ROLES):
        other = kind, who[:i] + "S" + who[i + 1 :]
        counts = kind != "vote"  # a vote has the replies of its chains
        if who[i] == "L" and other in runs and counts:
            S_TO_L[f"a larger {role}"].append(((kind, who), other))
GROWN = [who for kind, who in CAST if kind == "tree"]
SINGLE = [who for kind, who in CAST if kind == "one plan"]
TAKEN = {
    "tree instead of its first plan": [
        (("tree", w), ("one plan", f"{w[0]}-{w[2]}")) for w in GROWN
    ],
    "tree instead of a vote of chains": [
        (("tree", w), ("vote", f"--{w[2]}")) for w in GROWN
    ],
    "one plan instead of a chain": [
        (("one plan", w), ("chain", f"--{w[2]}")) for w in SINGLE
    ],
}
QUESTIONS = S_TO_L | TAKEN


def gaps_of(pairs):
    """After minus before, per problem the mean over the pairs."""
    both = [zip(right(a), right(b), strict=True) for a, b in pairs]
    rows = [[x - y for x, y in couples] for couples in both]
    return [fmean(of_problem) for of_problem in zip(*rows, strict=True)]


def effect(pairs):
    gaps = gaps_of(pairs)
    d, p = stats.bootstrap([[gap] for gap in gaps]), flips(gaps)
    assert abs(p - stats.sign_flips(gaps)) < 1e-9
    row = {"difference": f"{d.rate:+.0%} [{d.low:+.0%}, {d.high:+.0%}]"}
    return row | {"p": "< 0.001" if p < 0.001 else f"{p:.3f}"}


# %% tags=["plot"] mystnb={"image": {"alt": "Six questions, and for each an arrow from the rate before to the rate after for every pair of casts that differ in that thing. The six arrows of a larger executor all go far to the right. Those from a vote of large chains to a tree go to the left."}}
figure, ax = plt.subplots(figsize=(6.8, 5.0))
place, ticks = 0.0, []
for question, pairs in QUESTIONS.items():
    top = place
    for after, before in pairs:
        x, y = rate(before).rate, rate(after).rate
        colour = "C0" if y > x else "C3" if y < x else "0.5"
        look = {"lw": 1.6, "color": colour, "arrowstyle": "->"}
        if abs(y - x) > 0.01:
            ax.annotate("", (y, place), (x, place), arrowprops=look)
        ax.plot([x], [place], "o", ms=3, color=colour)
        place -= 0.5
    ticks.append(((top + place + 0.5) / 2, question))
    place -= 0.7
names = [name.replace(" instead", "\ninstead") for _, name in ticks]
ax.set_yticks([at for at, _ in ticks], names)
ax.set(xlim=(-0.02, 0.9), ylim=(place + 0.6, 0.5))
ax.set_xlabel("solved, before (dot) and after (head)")
ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
plt.show()

# %% [markdown]
# **Figure.** Every pair of casts that differ in one thing: above, the large model takes over a role; below, what a tree, or a plan,
# adds to what is left without it. The six arrows of a larger
# executor go right by 20 points or more; the three from a vote of large chains to a tree go left by as much.

# %% tags=["set-up"]
# The same with its test, and the proposal against its controls
LONE = {"chain": ("chain", "--L"), "vote": ("vote", "--L")}
PROPOSAL = {
    f"{who} instead of a {name} of L": [(("tree", who), other)]
    for who in ("SSL", "SLL")
    for name, other in LONE.items()
}
small_plan = ("one plan", "S-L")
PROPOSAL["S-L instead of a chain of L"] = [(small_plan, LONE["chain"])]
rows = []
for question, pairs in (QUESTIONS | PROPOSAL).items():
    row = {"what changes": question, "pairs": len(pairs)}
    rows.append(row | effect(pairs))
show.table(rows, caption=f"{N} problems; sign flip test")

# %% [markdown]
# **Table.** Eleven questions to twenty problems, so each should be held to $p$ below 0.05 / 11. One passes: the executor.
#
# The rule is that of chapter 14. The larger executor passes by far. Four more lines would pass if they stood alone, and
# none of them speaks for a tree: it did worse than its own first plan, or than a vote of its executor's chains, which
# costs less work. But they are not four witnesses, since `SSL` and `SLL` against the vote are among the six pairs of the line
# on votes. And it is the trees with a *large* executor that fall behind: with a small one they are even with its vote,
# which solves one problem and leaves little room to do worse.   For the other six, these twenty problems
# cannot tell.
#
# So **what does the small planner contribute?** Nothing measurable: with one of its plans the large executor solves 4 points more
# than a chain alone, and it might be 20 fewer or 27 more. From `SSS` to `SSL` and `SLL` the rate goes up as in the
# paper's rows, but what goes up with it is the executor. This does not refute the paper, whose small model is as
# large as our large one and far from the floor. It shows that a table of that form cannot carry its conclusion: without
# controls, a table of mixes shows that large models are large.
#
# ## All eight corners
#
# The [worded pocket model](../book/pocket_words_card.md) fills the
# cube. L is its finished state and S the same network after sixteen million tokens of its training, so that "larger" means longer trained here. On 300 held-out problems:

# %% tags=["set-up"]
# The pocket model's casts, and all pairs that differ in one role
from treebook.studies.results import (
    chance as p_of,
    difference,
    interval,
    load,
)

study = load("../studies/results/plans_pay.json")
table, n = study["table 4"], study["n"]
corners = {r["cast"]: interval(r["solved"], n) for r in table["rows"]}
steps = {}
for row in table["by role"]:
    steps[row["from"], row["to"]] = interval(row["difference"], n)

# %% tags=["plot"]
show.concepts.casts(corners, steps)

# %% [markdown]
# **Figure.** A larger planner and a larger executor lead up on every edge; a larger judge leads up on none, and down on one.

# %% tags=["set-up"]
# Each tree beside the vote of its executor's chains, and its first plan
rows = []
for row in table["rows"]:
    line = {"cast": row["cast"], "tree": f"{row['solved'][0]:.0%}"}
    line["vote of chains"] = f"{row['vote'][0]:.0%}"
    line["tree - vote"] = difference(row["tree - vote"])
    line["tree - first plan"] = difference(row["tree - first plan"])
    rows.append(line)
note = f"pocket model, {n} problems; the vote at equal written tokens"
show.table(rows, caption=note)

# %% tags=["set-up"]
# The five questions, each over all its pairs; and what has no tree
rows = []
for question, row in table["questions"].items():
    line = {"what changes": question, "pairs": row["pairs"]}
    rows.append(line | {"difference": difference(row), "p": p_of(row)})
show.table(rows, caption=f"pocket model, {n} problems; sign flips")

# %% tags=["set-up"]
rates = {row["cast"]: row["solved"] for row in table["controls"]}
show.results({cast: interval(k, n) for cast, k in rates.items()})

# %% [markdown]
# **Table.** Five questions, so each may claim $p$ below 0.01: planner and executor pass, the judge and the tree do not.
#
# A coin judges as well as L (the last lines), and the oracle gains fifteen points: that the better trained judge helps nobody says little about judges that can tell. (Why it harms `LSS` we do not know.) The paper's proposal, `SSL`, is 16 points behind a vote of its executor's own chains. A small executor does better with the large planner's tree, `LSS`, than with a vote of its own chains; but the first plan alone, `L-S`, does nearly as well. [Part two of chapter 14](14_planning_study.ipynb) asks how good a judge must be.
#
# Any cast can be tried live. Here S plans, and L does the rest:

# %%
from treebook.players.worded import worded

desks = {"default": worded(), "planner": worded("small")}
story = tot.task("gsm8k").problems("pocket")[2]
live = tot.solve("gsm8k", story, "mcts-plan", lm=desks, **TREE)
print(live.result.best[0].parent.state.last.text)
print("--- verdict:", live.score.why)

# %% [markdown]
# ## Can a cheap planner pay for itself?
#
# There is one more thing to gain. If the executor writes *less* when it has a plan, a small planner could save money without
# improving an answer. Say a token of the small model costs $r$ times one of the large model, the planning writes
# $t$ tokens, and the plan saves the executor $s$. In written tokens alone, the plan pays if $s > r\,t$.


# %%
def written(key):
    """Tokens of one execution, for each problem."""
    bills = [run.result.ledger.asked["executor"] for run in runs[key]]
    return [b.completion_tokens / b.samples for b in bills]


# %% tags=["set-up"]
# What a plan saves, what it costs, and how often it must be used
r = WEIGHTS["S"] / WEIGHTS["L"]
rows, alone = [], written(LONE["chain"])
for key in (small_plan, ("tree", "SSL")):
    gaps = [a - b for a, b in zip(alone, written(key), strict=True)]
    d, t = stats.bootstrap([[gap] for gap in gaps]), spent(key)["S"]
    s = d.rate
    row = {"cast": " ".join(key)}
    row["saves s"] = f"{s:.0f} [{d.low:.0f}, {d.high:.0f}]"
    row["writes t"] = round(t)
    row |= {
        "price r t": round(r * t),
        "uses until it pays": round(r * t / s, 1),
    }
    rows.append(row)
note = f"r = {r:.2f}, the ratio of the weights; "
note += f"a chain of L writes {fmean(alone):.0f} tokens"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** Both save a quarter of the large model's tokens. One small plan about pays for itself; a small tree would
# have to be used five times.
#
#  With prompts counted not even the single plan pays, however often it is used: whoever carries out a plan must read it, which costs the large model more than it saves. Compare the work of `S-L` with that of the large chain in the table of all casts. What the mix
# does save is work against *the same search by the large model*, and that is the comparison of the paper's section 3.4. Against not searching, it saves nothing.
#
# The last column points to a case that this chapter did not measure. **A plan that is carried out many times**, for every invoice of a
# month or every run of a test, is paid for once. Its search then costs $r\,t / m$ for each of $m$ uses, which soon is
# nothing; what is left is the reading of the plan at each use, and whether it is right. Our plans were written for one problem each.
#
# ## When is a search over plans worth it?
#
# Here is the place to answer for chapter 14, too. A search over plans pays if three things hold together.
#
# 1. **There is something to choose.** Some of the plans for one problem lead to a right answer, and some do not. That was so: six plans of
#    the large model held both for [most problems](14_planning_study.ipynb).
# 2. **The judges can tell.** Ours could not be seen to. Between a right and a wrong plan of one problem the large judge chose like a
#    coin, or a little better.
# 3. **Nothing cheaper does the same.** Here something did: five chains and a vote.
#
# So, at equal tokens, **we found no case** on the recorded problems, and with the pocket model only where the planner was much better than the executor. Each of the three can be measured before a tree is built: write a few plans for a few problems, and carry all of them out.
#
# One case is no matter of tokens. Where carrying out is what costs, because it uses tools, takes people's time, or cannot be undone, nobody can vote over
# executions, and a plan that somebody reads first is worth its price without any search.
#
# ## Summary
#
# - A search names the role it asks, a mapping says which model answers, and the ledger bills each of them. Work, $2n$ operations for
#   each token of a model with $n$ weights, adds up across models.
# - A mix of small and large needs two controls: the large executor alone, and with its own plan.
# - Look into the replies: our small model calculated when asked to plan, copied an N for a score, and was cut off by a limit of ours.
# - Change one thing, use every pair in which it changes, and count your questions. Only the larger executor passed.
# - Search over plans if plans differ, judges can tell, and no vote is cheaper; plan without a search where acting is expensive.
#
# ## Exercises
#
# ### Exercise 1: other prices
#
# Work is one way to weigh tokens, a price list is another. Suppose that a written token of the large model costs 1, one
# of the small model costs 0.05, and prompts are free. Which casts are on the front now?
#
# <details><summary>Hint</summary>
#
# `spent(key)` has "S" and "L"; `rate(key)` is the success. `show.front(rows, x=...)` keeps the efficient rows.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
priced, rates = [], {}
for key in CAST:
    price = spent(key)["L"] + 0.05 * spent(key)["S"]
    row = {"cast": " ".join(key), "price": price}
    priced.append(row | {"rate": rate(key)})
for row in show.front(priced, x="price"):
    rates[f"{row['cast']}, price {row['price']:.1f}"] = row["rate"]
show.results(rates)

# %% [markdown]
# ### Exercise 2: whose plan, whose hands?
#
# Does a *large* plan help a small executor more than it helps a large one? Compute the effect of the planner for each
# executor, and the difference of the two effects, problem by problem.
#
# <details><summary>Hint</summary>
#
# `QUESTIONS["a larger planner"]` has the four pairs, two for each executor. `effect` and `gaps_of` take a list of pairs. For
# the difference, subtract the gaps, and use `flips`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
four = QUESTIONS["a larger planner"]
by = {e: [pair for pair in four if pair[0][1][2] == e] for e in "SL"}
for e, pairs in by.items():
    found = effect(pairs)
    print(f"{e} executor: {found['difference']}, p = {found['p']}")
both = zip(gaps_of(by["S"]), gaps_of(by["L"]), strict=True)
both = [little - big for little, big in both]
print(f"difference: {fmean(both):+.0%}, p = {flips(both):.3f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# This difference of differences is called an **interaction**. It needs even more problems than an effect.
#
# </details>
#
# ### Exercise 3: carry the questions yourself
#
# Write the driver of a mix: a loop that sends each question of `tot.method("mcts-plan").search(...)` to the desk of its role.
# Compare the solution with that of `tot.solve`.
#
# <details><summary>Hint</summary>
#
# The search is a generator ([chapter 5](05_how_a_search_asks.ipynb)). It yields a `tot.Ask` with `role` and
# `requests`, and wants the replies; or an event, which wants nothing. The last event of kind "best" has the result in `nodes`.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def drive(search, desks):
    replies, best = None, []
    while True:
        try:
            item = search.send(replies)
        except StopIteration:
            return best
        replies = None
        if isinstance(item, tot.Ask):
            replies = desks[item.role](item.requests)
        elif item.kind == "best":
            best = item.nodes


desks = {"planner": small, "judge": small, "executor": large}
task, method = tot.task("gsm8k"), tot.method("mcts-plan")
for problem in problems[:5]:
    best = drive(method.search(task, problem.x, **TREE), desks)
    theirs = solve(problem, "mcts-plan", ("planner", "judge"), **TREE)
    assert best[0].state == theirs.result.best[0].state
print("the same solutions")

# %% [markdown]
# ### Exercise 4: the row that was described
#
# In table 4 above, what does 72B as evaluator *and* executor gain over 1.5B alone? And as executor only? Which can be due to planning?
#
# <details><summary>Hint</summary>
#
# Subtract. Then remember what is missing.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
alone, executor, _, both, _ = (row[3] for row in PAPER)
print(f"evaluator and executor: {both - alone:+.2f} points")
print(f"executor only: {executor - alone:+.2f} points")
# How much of it is planning, nobody can say: there is no row in which
# 72B works without a plan.

# %% [markdown]
# ## Further reading
#
# - Section 3.4 and table 4 of {cite}`anonymous2024planning`; [the papers' tables beside ours](../book/tables.md).
# - {cite}`wang2023plan`: one model plans and solves in one prompt.
# - [Chapter 16](16_when_search_pays.ipynb) asks the question of this chapter of all methods of the book.
