# %% [markdown]
# # 7. Roles and controls
#
# "With a small planner and a large executor we solve 80%, and with small models alone only 40%." A colleague reads this
# and wants to build small planners. What would you ask before you agree?
#
# In chapter 15 several casts played the same problems. Here you build the tools of that chapter, for any number of
# roles, and then use them on a table whose truth we know, since a program made it.
#
# **Before you start**: chapters 14 and 15. **Time**: about a week. **100 points**: 80 by tests, 20 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | what did each role cost? | 20 |
# | 2 | pairs that differ in one thing | 15 |
# | 3 | the effect of a role | 20 |
# | 4 | eleven questions at once | 15 |
# | 5 | which rows are missing? | 10 |
# | 6 | read a table | 20 |

# %% given="set-up"
import csv
from itertools import product
from math import isclose
from random import Random
from statistics import fmean

import tot
from tot import stats
from tot.parse import Read
from tot.state import Node, State, Thought

# %% [markdown]
# ## Task 1: what did each role cost? (20 points)
#
# A model of $n$ billion weights spends about $2 n$ billion operations on each token that it **reads or writes**. After a
# run, `run.ledger.asked` has a bill for each role, with `prompt_tokens` and `completion_tokens`.
#
# Write `work(run, cast, weights)`: a dictionary from each role in the ledger to its work in units of $10^{12}$
# operations, so $2 n / 1000$ for a token, and under `"all"` the sum. `cast` says which model plays a role (a role that is
# not in it is played by `cast["default"]`), and `weights` how many billion weights a model has.


# %% solution="work"
def work(run, cast, weights):
    """Role -> 10^12 operations, and their sum under "all"."""
    ### BEGIN SOLUTION
    found = {}
    for role, bill in run.ledger.asked.items():
        tokens = bill.prompt_tokens + bill.completion_tokens
        model = cast.get(role, cast.get("default"))
        found[role] = 2e-3 * weights[model] * tokens
    found["all"] = sum(found.values())
    return found
    ### END SOLUTION


# %% given="toy"
def toy_run(breadth, depth=3):
    """A toy search: from a number, add or double. Scripted models answer."""

    def moves(request, sample):
        n = int(request.messages[-1].content.split()[-1])
        return f"{n + 3} {n * 2}"

    def near(request, sample):
        return f"it is {-abs(41 - int(request.messages[-1].content.split()[-1]))}"

    def here(state):
        return state.last.text if state.last else state.x

    generate = tot.generator(
        lambda s: tot.user(f"which numbers follow {here(s)}"),
        lambda s, text: [Read(Thought(word)) for word in text.split()],
    )
    evaluate = tot.value(
        lambda s: tot.user(f"how near is {here(s)}"),
        lambda t: Read(float(t.split()[-1])),
        n=1,
    )
    lms = {
        "generator": tot.Scripted(moves, "moves"),
        "evaluator": tot.Scripted(near, "near"),
    }
    return tot.run(
        tot.bfs(Node(State("5")), generate, evaluate, depth=depth, breadth=breadth),
        lms,
    )


# %% test="1" points=8
costs = work(toy_run(2), {"generator": "S", "evaluator": "L"}, {"S": 0.5, "L": 1.5})
assert set(costs) == {"generator", "evaluator", "all"}
assert isclose(costs["all"], costs["generator"] + costs["evaluator"])

# %% hidden="1 read and written" points=12
# Hidden: both kinds of tokens, a default model, several searches.
for breadth in (1, 2, 4):
    run = toy_run(breadth)
    bills = run.ledger.asked
    for cast in (
        {"generator": "S", "evaluator": "L"},
        {"default": "L", "generator": "S"},
        {"default": "S"},
    ):
        costs = work(run, cast, {"S": 0.49, "L": 1.54})
        for role, bill in bills.items():
            n = {"S": 0.49, "L": 1.54}[cast.get(role) or cast["default"]]
            assert isclose(
                costs[role],
                2 * n * (bill.prompt_tokens + bill.completion_tokens) / 1000,
            )
        assert isclose(costs["all"], sum(costs[role] for role in bills))
        assert set(costs) == {*bills, "all"}, "the roles of the ledger, whoever else is in the cast"
bills["planner"] = tot.Usage(prompt_tokens=700, completion_tokens=300, thinking_tokens=200, cached_tokens=100)
costs = work(run, {"default": "S", "planner": "L"}, {"S": 0.49, "L": 1.54})
assert isclose(costs["planner"], 3.08) and isclose(costs["all"], sum(costs[role] for role in bills))

# %% [markdown]
# ## Task 2: pairs that differ in one thing (15 points)
#
# A cast is a text with a letter for each role, such as `"SSL"`: small planner, small judge, large executor. A dash says
# that nobody plays the role. Write `pairs(casts, role)`: all pairs `(before, after)` of the given casts that differ in
# **only** the role at place `role`, where `before` has `S` there and `after` has `L`. Sorted by `before`.


# %% solution="pairs"
def pairs(casts, role):
    """(before, after): S becomes L at this place, and nothing else changes."""
    ### BEGIN SOLUTION
    found = []
    for before, after in product(casts, casts):
        differ = [i for i in range(len(before)) if before[i] != after[i]]
        grown = before[role] + after[role] == "SL"
        if len(differ) == 1 and grown:
            found.append((before, after))
    return sorted(found)
    ### END SOLUTION


# %% test="2" points=5
assert pairs(["SSS", "SSL", "LSS"], 2) == [("SSS", "SSL")]

# %% hidden="2 nothing else" points=10
# Hidden: full and broken designs, dashes, two and four roles.
every = ["".join(c) for c in product("SL", repeat=3)]
for role in range(3):
    assert len(pairs(every, role)) == 4
    assert all(
        a[role] == "S" and b[role] == "L" and a[:role] + a[role + 1 :] == b[:role] + b[role + 1 :]
        for a, b in pairs(every, role)
    )
assert pairs(["SSL", "LLS", "SLS", "S-L", "L-L", "--L"], 0) == [
    ("S-L", "L-L"),
    ("SLS", "LLS"),
]
assert pairs(["SS", "LL"], 0) == [] and pairs([], 1) == []
assert pairs(["LSSL", "LSLL", "LLSL"], 1) == [("LSSL", "LLSL")]

# %% [markdown]
# (Task 2's visible test has one pair only. Try it on a table with pairs that differ in two roles.)
#
# ## Task 3: the effect of a role (20 points)
#
# `results[cast]` is a list of 1s and 0s, one for each problem, in the same order for all casts. Write `effect(results,
# role)`: a list with one number for **each problem**, the mean over all your `pairs` of (after minus before) on that
# problem. Without any pair it raises ValueError, with a message that holds the number `role`.


# %% solution="effect"
def effect(results, role):
    """For each problem: after minus before, the mean over all pairs."""
    ### BEGIN SOLUTION
    both, means = pairs(list(results), role), []
    if not both:
        raise ValueError(f"no two casts differ in role {role} alone")
    for problem in range(len(results[both[0][0]])):
        gaps = []
        for before, after in both:
            gaps.append(results[after][problem] - results[before][problem])
        means.append(fmean(gaps))
    return means
    ### END SOLUTION


# %% test="3" points=8
small = {"SS": [0, 0, 1], "LS": [1, 0, 1]}
assert effect(small, 0) == [1, 0, 0]

# %% hidden="3 problem by problem" points=12
# Hidden: several pairs, casts that belong to no pair, a role without pairs.
rng = Random(5)
table = {c: [rng.randint(0, 1) for _ in range(15)] for c in ("SSS", "SSL", "SLS", "SLL", "LLS", "LLL", "--L", "S-L")}
gaps = effect(table, 2)
assert len(gaps) == 15, "one number for each problem"
for i, gap in enumerate(gaps):
    wanted = [table[a + "L"][i] - table[a + "S"][i] for a in ("SS", "SL", "LL")]
    assert isclose(gap, fmean(wanted), abs_tol=1e-12)
try:
    effect({"S" * 9: [1], "L" * 9: [0]}, 7)
except ValueError as error:
    assert "7" in str(error), "the message holds the number of the role"
else:
    raise AssertionError("without a pair there is no effect")

# %% [markdown]
# ## Task 4: eleven questions at once (15 points)
#
# Ask eleven questions of one table, and one will have p below 0.05 about every second time, by luck. Dividing 0.05 by
# eleven (Bonferroni) is safe and wasteful. **Holm's** method is as safe: order the p values, smallest first; multiply the
# first by m, the second by m - 1, and so on; none may end up smaller than one before it, and none above 1. Each adjusted
# value can then be held to 0.05 by itself.
#
# Write `holm(ps)`: the adjusted values, in the order of `ps`, which stays as it is.


# %% solution="holm"
def holm(ps):
    """Holm's adjusted p values, in the order given."""
    ### BEGIN SOLUTION
    m, found, adjusted = len(ps), [0.0] * len(ps), 0.0
    for rank, i in enumerate(sorted(range(m), key=lambda i: ps[i])):
        adjusted = max(adjusted, min(1.0, (m - rank) * ps[i]))
        found[i] = adjusted
    return found
    ### END SOLUTION


# %% test="4" points=6
assert isclose(holm([0.01, 0.9])[0], 0.02)
holm(ps := [0.03, 0.01])
assert ps == [0.03, 0.01], "the list was changed"
assert [*holm([])] == []

# %% hidden="4 by definition" points=9
# Hidden: order, the running maximum, and the cap.
assert all(map(isclose, holm([0.03, 0.01, 0.02]), [0.04, 0.03, 0.04]))
assert [*holm([0.5, 0.6])] == [1.0, 1.0]
assert all(map(isclose, holm([0.02, 0.5, 0.02]), [0.06, 0.5, 0.06])), "equal values"
rng = Random(2)
for _ in range(40):
    ps = [rng.random() ** 3 for _ in range(rng.randint(1, 9))]
    for i, p in enumerate(ps):
        steps = [min(1, (len(ps) - sum(q < s for q in ps)) * s) for s in ps if s <= p]
        assert isclose(holm(ps)[i], max(steps))

# %% [markdown]
# ## Task 5: which rows are missing? (10 points)
#
# Whoever claims that the player at place `role` matters in a cast needs that cast's **twins**: the same cast with every
# other model in that role, and with nobody (`-`) in it. Write `missing(casts, role, models="SL")`: all twins of the given
# casts that are not among them, sorted, each once. `casts` stays as it is.


# %% solution="missing"
def missing(casts, role, models="SL"):
    """The twins that the table lacks."""
    ### BEGIN SOLUTION
    found = set()
    for cast in casts:
        for other in (*models, "-"):
            found.add(cast[:role] + other + cast[role + 1 :])
    return sorted(found - set(casts))
    ### END SOLUTION


# %% hidden="5 twins" points=8
# Hidden: the paper's table, and tables that lack nothing.
assert missing(["SSS", "SSL", "SLS", "SLL", "LLL"], 0) == [
    "-LL",
    "-LS",
    "-SL",
    "-SS",
    "LLS",
    "LSL",
    "LSS",
]
assert missing(["S", "L", "-"], 0) == [] and missing([], 1) == []
assert missing(["SM"], 1, models="SML") == ["S-", "SL", "SS"]
assert missing(["SM", "S-"], 1, models="MX") == ["SX"] and missing(["-L"], 0) == ["LL", "SL"]

# %% hidden="5 as it was" points=2
# Hidden: asked twice, the same list has the same twins.
casts = ["SSS", "SSL"]
assert missing(casts, 2) == missing(casts, 2) == ["SS-"] and casts == ["SSS", "SSL"], "the list was changed"

# %% [markdown]
# ## Task 6: read a table (20 points, graded by a person)
#
# A program made this table: 60 problems and fourteen casts of three roles (planner, judge, executor). Nothing in it comes
# from a language model: every effect in it was written into the program, and then luck was added. Your colleague has seen five of its
# rows and writes: "From `SSS` to `SLL` success doubles, so a larger judge and a larger executor together are worth their
# price, and the small planner is good enough."
#
# In at most 250 words: what does the table say about each role? Which of the colleague's claims could the five rows carry,
# and which rows were missing? Give the effect of each role with an interval (`stats.bootstrap` over problems) and a p value
# (`stats.sign_flips`), adjusted by your `holm` for all questions that you asked; and say what a tree is worth against its
# controls without a planner.


# %% given="table"
with open("table.csv", newline="") as file:  # cast, then 1 or 0 for each problem
    table = {cast: [int(digit) for digit in solved] for cast, solved in csv.reader(file)}

for cast in ("SSS", "SSL", "SLS", "SLL", "LLL"):
    print(cast, stats.wilson(sum(table[cast]), 60))

# %% solution="measure"
### BEGIN SOLUTION
ps, lines = [], []
for role, name in enumerate(("planner", "judge", "executor")):
    gaps = effect(table, role)
    ps.append(stats.sign_flips(gaps))
    lines.append(f"{name}: {stats.bootstrap([[g] for g in gaps])}")
for name, before, after in (
    ("tree SSL or nobody", "--L", "SSL"),
    ("tree LLL or nobody", "--L", "LLL"),
):
    gaps = [a - b for a, b in zip(table[after], table[before], strict=True)]
    ps.append(stats.sign_flips(gaps))
    lines.append(f"{name}: {stats.bootstrap([[g] for g in gaps])}")
for line, p in zip(lines, holm(ps), strict=True):
    print(line, f"adjusted p = {p:.3f}")
print("missing:", missing(["SSS", "SSL", "SLS", "SLL", "LLL"], 0))
### END SOLUTION

# %% [markdown] written="6" points=20
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
