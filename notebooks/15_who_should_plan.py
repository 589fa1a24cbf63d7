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
# Our large model has 1.54 billion weights, as many as the paper's *small* one, and the paper's large
# one nearly fifty times as many. Our small model has 0.49 billion. So no rate here can be compared with the paper's. What carries over is the way to compare.
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
choices.append("the small executor alone and with a large model's plan")
why = "A chain of thought of the large model, and a plan that the "
why += "large model writes for itself."
question = "Which two rows are missing?"
show.Predict(question, lacking, choices=choices, shows=why)

# %% [markdown]
# Between the first two rows one executor was exchanged for another with nearly fifty times as many weights. Suppose that 72B alone
# gets more than the second row: then small planner, small judge and tree together did harm, and the table would look exactly as it looks. What it needs is a
# **control**, a run without the thing that is to be tested. (Moreover, the paper's text describes one row and gives the gain of
# another, [P3](../book/errata.md#p3-a-gain-in-the-wrong-row) of the errata.)
#
# ## Five casts
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
# Five casts were given the same twenty problems. Three letters name a cast: planner, judge, executor. S is the small model, L
# the large one, and a dash nobody.
#
# - Three are **trees** of six rollouts, as in chapter 14, and rows of the paper's table. `SSL` is its proposal, in `SLL` the judge is large, in `LLL` everybody.
# - Two are **controls**. `--L` is the first missing row: the large model writes a **chain** of thought, and nobody plans (the mean of five
#   chains). In `S-L` the small model writes **one plan**, and the large one carries it out. (The other missing row is `L-L`, below.)
#
# What does a cast cost? Tokens of two models do not add up, but **work** does. A model of $W$ weights spends about $2W$ operations
# on each token that it reads or writes, so one unit serves for both: $10^{12}$ operations.

# %% tags=["set-up"]
# The casts, and all their runs in the order of the problems
WEIGHTS = {"S": 0.49, "L": 1.54}  # billions, as the makers give them
MIXES = {
    "chain": ("zero-shot-cot", {"k": 5}),  # measured by five
    "one plan": ("plan-and-solve", {}),
    "tree": ("mcts-plan", TREE),
}
CHAIN, PLAN = ("chain", "--L"), ("one plan", "S-L")
CAST = [CHAIN, PLAN, *(("tree", who) for who in ("SSL", "SLL", "LLL"))]


def cast(kind, who):
    method, knobs = MIXES[kind]
    seats = zip(ROLES, who, strict=True)
    desks = {role: small for role, size in seats if size == "S"}
    desks["default"] = chains if kind == "chain" else large
    how = {"lm": desks} | knobs
    return [tot.solve("gsm8k", p, method, **how) for p in problems]


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
# Of the other four casts, how many solve more of the twenty problems than `SSL` does?

# %%
rows = []
for key in CAST:
    row = {"cast": " ".join(key), "solved": rate(key)}
    rows.append(row | {"work": round(spent(key)["work"], 2)})
ssl = rate(("tree", "SSL")).rate
note = f"{N} problems, 95% intervals (of chains by bootstrap)"
show.Predict(
    "How many of the other four solve more than SSL?",
    sum(row["solved"].rate > ssl for row in rows),
    low=0,
    high=4,
    shows=show.table(
        rows,
        caption=note,
        highlight=lambda row: row["cast"] in ("tree SSL", "tree SLL"),
    ),
)

# %% [markdown]
# Read first only the rows that the paper has, the trees. The large model in all roles solves most, and `SSL` solves two thirds as many.
#
# Now the controls. One chain of the large model, with no planner at all, has a higher rate than either
# mixed tree, for less than a quarter of the work of the cheaper one. Take the tree away and keep the small planner, `S-L`: it, too, has a higher rate
# than both mixed trees.
#
# ## Are the roles played at all?
#
# Read the replies before you believe a row. Here is the first plan of each planner for one problem, and what
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


def facts(size):
    """What a role does, and for each reply whether it does so."""
    plans = replies(size + "LL", "planner")
    calculates = "planner", "calculates (writes =)"
    yield calculates, ["=" in plan["text"] for plan in plans]
    cut = [plan["finish"] == "length" for plan in plans]
    yield ("planner", "is cut off, at 80 tokens"), cut
    trees, lost = runs["tree", f"S{size}L"], []
    for event in (e for run in trees for e in run.trace.events):
        if event["kind"] == "evaluated":
            for key, x in ("scores", False), ("unread", True):
                lost += [x] * len(event[key])
    yield ("judge", "gives no readable score"), lost
    judged = [n for tree in trees for n in tree.result.visited]
    without = [node.value is None for node in judged]
    yield ("judge", "leaves a plan without reward"), without


rows = []
for (what, a), (_, b) in zip(facts("S"), facts("L"), strict=True):
    row = dict(zip(("role", "what it does"), what, strict=True))
    for size, part in ("small", a), ("large", b):
        row[size] = f"{fmean(part):.0%} of {len(part)}"
    rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** What the small model does in two roles, and the large one (planners of `SLL` and `LLL`, judges of `SSL` and `SLL`).
#
# Asked for "Score: N", the small judge copies the N, or marks out of ten. A plan has two judges, and no reward if neither gives a readable score. So `SSL` is hardly a search;
# it is a first plan and what is left of a tree.
#
# ## One thing at a time
#
# Take two casts that differ in **one** thing, and compare them problem by problem. How sure can twenty pairs make us? If two casts were equally good, each problem's difference could as well have had the
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
# One cast solves $k$ problems that the other does not, and never the other way round. What is the smallest $k$ for which $p$ is below 0.05?

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
# So twenty problems show large effects only. Here is what the proposal is worth beside the large model alone:

# %% tags=["set-up"]
# The proposal against its controls, problem by problem
def effect(after, before):
    both = zip(right(after), right(before), strict=True)
    gaps = [x - y for x, y in both]
    d = stats.bootstrap([[gap] for gap in gaps])
    row = {"difference": f"{d.rate:+.0%}".replace("-", "−")}
    row["95%"] = f"[{d.low:+.0%}, {d.high:+.0%}]".replace("-", "−")
    return row | {"p": f"{flips(gaps):.3f}"}


rows = []
for key in (("tree", "SSL"), ("tree", "SLL"), PLAN):
    row = {"cast": " ".join(key), "instead of": "a chain of L"}
    rows.append(row | effect(key, CHAIN))
show.table(rows, caption=f"{N} problems; sign flip test")

# %% [markdown]
# So **what does the small planner contribute?** Nothing that twenty problems can show: with one of its plans the large executor solves 4
# points more than a chain alone, and it might be 20 fewer or 27 more. This does not refute the paper, whose small model is as
# large as our large one. It shows that a table of that form cannot carry its conclusion: without
# controls, a table of mixes shows that large models are large.
#
# ## All eight corners
#
# Three hundred problems can show more, and with three roles there are eight casts. All of them, each role varied with all the others, are a
# **factorial design**. The [worded pocket model](../book/pocket_words_card.md) is fast enough to play it. L is its finished state and S
# the same network after sixteen million tokens of its training, so that "larger" means longer trained here. The problems were held out.

# %% tags=["set-up"]
# The pocket model's casts, and all pairs that differ in one role
from treebook.studies.results import difference, interval, load

study = load("../studies/results/plans_pay.json")
table, n = study["table 4"], study["n"]
corners = {r["cast"]: interval(r["solved"], n) for r in table["rows"]}
steps = {}
for row in table["by role"]:
    steps[row["from"], row["to"]] = interval(row["difference"], n)

# %% tags=["plot"]
show.concepts.casts(corners, steps)

# %% [markdown]
# **Figure.** An arrow puts L into one role. A larger planner and a larger executor raise the rate on every edge; a larger judge clearly raises it on none,
# and clearly lowers it on one.
#
# Here a better planner does help, then. Does the tree? A vote below writes as many tokens as the tree before it.

# %% tags=["set-up"]
# The proposal, its controls, and two other judges
by_cast = {row["cast"]: row for row in table["rows"]}
alone = {row["cast"]: row["solved"] for row in table["controls"]}
lines = {
    "SSL, the paper's proposal": by_cast["SSL"]["solved"],
    "S-L, its first plan alone": alone["S-L"],
    "a vote of L's chains": by_cast["SSL"]["vote"],
    "LSS": by_cast["LSS"]["solved"],
    "L-S, its first plan alone": alone["L-S"],
    "a vote of S's chains": by_cast["LSS"]["vote"],
    "LLL": by_cast["LLL"]["solved"],
    "L-L, its first plan alone": alone["L-L"],
    "L coin L, a coin judges": alone["L coin L"],
    "L oracle L, a solver judges": alone["L oracle L"],
}
show.results({name: interval(k, n) for name, k in lines.items()})

# %% tags=["set-up"]
# Each question over all the pairs that differ in it
rows = []
for question, row in table["questions"].items():
    line = {"what changes": question, "pairs": row["pairs"]}
    found, _, rest = difference(row).replace("-", "−").partition(" ")
    rows.append(line | {"difference": found, "95%": rest})
show.table(rows, caption=f"pocket model, {n} problems")

# %% [markdown]
# **Table.** Five questions over all pairs, also of a tree and its first plan. By the sign flip test planner and executor pass at 0.05 / 5; the judge and the tree do not.
#
# `SSL` is 16 points behind a vote of its executor's own chains (41.3% against 57.7%). Of all eight trees only `LSS`, whose planner is much
# better than its executor, is clearly ahead of its vote, and there the first plan alone does nearly as well. A coin
# judges as well as L, and an oracle gains fifteen points: that our better trained judge helps nobody says little about judges that know a good
# plan. [Part two of chapter 14](14_planning_study.ipynb) asks how good a judge must be.
#
# Any cast can be tried live. Here S plans, and L does the rest:

# %%
from textwrap import fill

from treebook.players.worded import worded

desks = {"default": worded(), "planner": worded("small")}
story = tot.task("gsm8k").problems("pocket")[2]
live = tot.solve("gsm8k", story, "mcts-plan", lm=desks, **TREE)
print(fill(story.x, 70))
print(live.result.best[0].parent.state.last.text)
print("--- right:", live.correct)

# %% [markdown]
# ## Can a cheap planner pay for itself?
#
# If the executor writes *less* when it has a plan, a small planner could save money without improving an answer. Say a token of the small model
# costs $r$ times one of the large model, the planning writes $t$ tokens, and the plan saves the executor $s$. In written tokens the plan
# pays if $s > r\,t$.

# %% tags=["set-up"]
# What a plan saves, what it costs, and how often it must be used
def written(key):
    """Tokens of one execution, for each problem."""
    bills = [run.result.ledger.asked["executor"] for run in runs[key]]
    return [b.completion_tokens / b.samples for b in bills]


r = WEIGHTS["S"] / WEIGHTS["L"]
rows, alone = [], written(CHAIN)
for key in (PLAN, ("tree", "SSL")):
    gaps = [a - b for a, b in zip(alone, written(key), strict=True)]
    d, t = stats.bootstrap([[gap] for gap in gaps]), spent(key)["S"]
    saves = f"{d.rate:.0f} [{d.low:.0f}, {d.high:.0f}]"
    row = {"cast": " ".join(key), "saves s": saves}
    row |= {"writes t": round(t), "price r t": round(r * t)}
    row["uses until it pays"] = round(r * t / d.rate, 1)
    rows.append(row)
note = f"r = {r:.2f}, the ratio of the weights; "
note += f"a chain of L writes {fmean(alone):.0f} tokens"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** Both save about a quarter of the large model's tokens (13% to 36%). On average one small plan pays for itself; a small tree would
# have to be used five times.
#
# With prompts counted the single plan does not pay either, since the large model must read it. A plan that is carried out many times, for every
# invoice of a month, is another matter: its search is paid for once. We did not measure that case.
#
# ## When is a search over plans worth it?
#
# A search over plans pays if three things hold together.
#
# 1. **There is something to choose.** Some of the plans for one problem lead to a right answer, and some do not. That was so: six plans of
#    the large model held both for [most problems](14_planning_study.ipynb).
# 2. **The judges can tell good plans from bad.** We found no sign that ours could. Between a right and a wrong plan of one problem the large judge chose like a
#    coin, or a little better.
# 3. **Nothing cheaper does the same.** In chapter 14 something did: five chains and a vote.
#
# So **we found no case** on twenty recorded problems, and with the pocket model, at equal tokens, only where the planner was much better than the executor. Each of the three can be measured before a tree is built: write a few plans for a few problems, and carry all of them out.
#
# One case is not a matter of tokens. Where carrying out is what costs, because it uses tools, takes people's time, or cannot be undone, nobody can vote over
# executions, and a plan that somebody reads first is worth its price without any search.
#
# ## Summary
#
# - A search names the role it asks, a mapping says which model answers, and the ledger bills each of them. Work, $2W$ operations for
#   each token of a model with $W$ weights, adds up across models.
# - A mix of small and large needs two controls: the large executor alone, and with its own plan.
# - Look into the replies: our small model calculated when asked to plan, and copied an N for a score.
# - Change one thing at a time, and compare problem by problem. With the pocket model a better planner helped, a better executor helped, and the tree did not.
# - Search over plans if plans differ, judges can tell, and no vote is cheaper; plan without a search where acting is expensive.
#
# ## Exercises
#
# ### Exercise 1: other prices
#
# Suppose that a written token of the large model costs 1, one
# of the small model costs 0.05, and prompts are free. Which casts are efficient now, so that no other is both better and cheaper?
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
# Does a better plan help a weak executor more than it helps a strong one? Take the four arrows of the planner from `steps`, and
# average them for each executor.
#
# <details><summary>Hint</summary>
#
# A key of `steps` is a pair of casts. The planner's pairs differ in the first letter.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for executor in "SL":
    gains = [
        gain.rate
        for (before, after), gain in steps.items()
        if before[0] != after[0] and after[2] == executor
    ]
    print(f"{executor} carries out: {fmean(gains):+.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The better plan is worth twice as much to the executor that can carry it out. An effect that depends on another is called an
# **interaction**. Whether this one is more than luck the two means cannot say: for that, subtract the differences problem by problem, and flip their signs.
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
    replies = best = None
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
for problem, theirs in zip(problems, runs["tree", "SSL"], strict=True):
    best = drive(method.search(task, problem.x, **TREE), desks)
    assert best[0].state == theirs.result.best[0].state
print("the same solutions")

# %% [markdown]
# ### Exercise 4: the row that was described
#
# In table 4 above, what does 72B as evaluator *and* executor gain over 1.5B alone? And as executor only? Which can be due to planning?
#
# <details><summary>Hint</summary>
#
# Subtract.
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
