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
# # Study: what it costs
#
# Side studies of [chapter 16, part two](16_what_does_it_cost.ipynb), each with its question and its result. The recorded
# runs are replayed; what is simulated says so.

# %% tags=["remove-input"]
import json
from pathlib import Path
from statistics import fmean

from IPython.display import display

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
results = Path("../studies/results")
done, table = {}, {}

# %% tags=["remove-input"]
GAME, CROSS, SUMS = "Game of 24", "Crosswords", "Word problems"
YESNO, TOOLS = "Yes or no", "Questions, with tools"
PROBLEMS = {  # task, split, which of its problems
    GAME: ("game24", "starter", slice(0, None, 4)),
    CROSS: ("crosswords", "easy", slice(None)),
    SUMS: ("gsm8k", "book", slice(0, 40)),
    YESNO: ("strategyqa", "book", slice(0, 40)),
    TOOLS: ("hotpotqa", "easy", slice(None)),
}


# %% tags=["remove-input"]
def rate(runs, score):
    """A method's rate; of several samples a problem the mean."""
    if score in ("chosen", "any"):
        right = sum(getattr(s, score) for s in runs)
        return stats.wilson(right, len(runs))
    groups = [
        [x.parts.get(score, float(x.correct)) for x in s.scores]
        for s in runs
    ]
    if not any(map(any, groups)):  # a bootstrap of zeros has no width
        return stats.wilson(0, len(groups))
    return stats.bootstrap(groups)


# %% tags=["remove-input"]
def line(experiment, label, score, cassette, method, **knobs):
    name, split, part = PROBLEMS[experiment]
    task, lm = (
        tot.task(name),
        tot.Cassette(f"cassettes/{cassette}.jsonl"),
    )
    runs = [
        tot.solve(task, problem, method, lm=lm, **knobs)
        for problem in task.problems(split)[part]
    ]
    done[experiment, label] = runs
    one = 1 if score in ("chosen", "any") else knobs["k"]
    totals = [s.result.ledger.total for s in runs]
    row = {"method": label, "n": len(runs), "solved": rate(runs, score)}
    row["read"] = round(fmean(t.prompt_tokens for t in totals))
    written = fmean(t.completion_tokens for t in totals)
    row["written"] = round(written / one)
    row["rounds"] = fmean(s.result.ledger.rounds for s in runs)
    table.setdefault(experiment, []).append(row)


# %% [markdown]
# ## What does each method of the book cost?
#
# **Against one direct answer trees are far ahead in the Game of 24 and on word problems; against a vote of five chains only in the
# Game of 24, at several times the price.** (There, five states kept: eight puzzles to none, p = 0.008.) Rates are
# the mean of single samples for "one answer" and "one chain", else of the answer that the method hands in. Cost per
# problem; one model (1.5 billion parameters). The ten puzzles are a quarter of chapter 4's forty, so rates of IO and CoT
# differ from that chapter's.

# %% tags=["remove-input"]
LEAN, VOTE = {"style": "lean"}, "vote of 5 chains"
line(GAME, "IO, one answer", "each", "03", "io", k=10)
line(GAME, "IO, best of 10", "any", "03", "io", k=10)
line(GAME, "CoT, one chain", "each", "04", "cot", k=5)
line(GAME, VOTE, "chosen", "04", "cot-sc", k=5)
rewrites = {"k": 4}
line(GAME, "rewrites", "chosen", "04", "io-refine-checked", **rewrites)
for b in (1, 3, 5):
    label = f"ToT b={b}"
    line(GAME, label, "chosen", "06", "tot-bfs", breadth=b, **LEAN)
show.table(table[GAME], caption=GAME)

# %% tags=["remove-input"]
line(CROSS, "IO, one answer", "letters", "08", "io", k=5)
line(CROSS, "CoT, one chain", "letters", "08", "cot", k=5)
heads = {key: key for key in table[CROSS][0]}
heads["solved"] = "letters right"
show.table(table[CROSS], heads, caption=f"{CROSS}, recorded baselines")

# %% tags=["remove-input"]
for kind in (SUMS, YESNO):
    line(kind, "IO, one answer", "each", "09", "io", k=5)
    line(kind, "CoT, one chain", "each", "09", "cot", k=5)
    line(kind, VOTE, "chosen", "09", "cot-sc", k=5)
    line(kind, "ToT with votes", "chosen", "09", "tot-vote")
PLAN = {"rollouts": 6, "revisions": 2}
line(SUMS, "one plan", "chosen", "14", "plan-and-solve")
pick = "the judges' pick of 6 plans"
line(SUMS, pick, "chosen", "14", "judged-plans", plans=6)
line(SUMS, "tree of 6 plans", "chosen", "14", "mcts-plan", **PLAN)
display(show.table(table[SUMS], caption=SUMS))
show.table(table[YESNO], caption=YESNO)

# %% tags=["remove-input"]
chains = [x for s in done[YESNO, "CoT, one chain"] for x in s.scores]
mute = sum(x.why == "no answer" for x in chains)
right = sum(x.correct for x in chains)
print(f"yes or no: {len(chains)} chains, {mute} without an answer")
print(f"of the other {len(chains) - mute}, {right} right")

# %% [markdown]
# (One plan: the one that chapter 14 calls so, the first of the six that it drew for each problem. Yes or no: a coin has 50%.
# Some chains end without a yes or a no.)

# %% tags=["remove-input"]
TREE = {"k": 3, "depth": 5}
line(TOOLS, "CoT, no tools", "chosen", "12", "cot")
line(TOOLS, "retrieve and read", "chosen", "12", "retrieve-read")
line(TOOLS, "ReAct, one chain", "chosen", "12", "react", depth=6)
best = {"rounds": 8} | TREE
line(TOOLS, "best-first", "chosen", "12", "react-best-first", **best)
line(TOOLS, "iToT-A*", "chosen", "12", "itot-astar", **best)
line(TOOLS, "LATS", "chosen", "12", "lats", rollouts=3, **TREE)
for row in table[TOOLS]:
    runs = done[TOOLS, row["method"]]
    bills = [s.trace.result.get("tools", {}) for s in runs]
    row["tools"] = fmean(bill.get("total", 0) for bill in bills)
show.table(table[TOOLS], caption=TOOLS)

# %% tags=["remove-input"]
reads = [s.chosen for s in done[TOOLS, "retrieve and read"]]
for name in ("best-first", "iToT-A*", "LATS"):
    test = stats.paired(reads, [s.chosen for s in done[TOOLS, name]])
    pairs = f"{test.only_a} to {test.only_b}, p = {test.p:.2g}"
    print(f"retrieve and read against {name}: {pairs}")

# %% [markdown]
# With tools, one search with the question itself is ahead of iToT-A\* and of LATS at a fraction of their bills; against best-first
# search the lead does not pass (three tests, so each may claim 0.017; [chapter 12, part two](12_itot_study.ipynb)).

# %% [markdown]
# ## Which searches are efficient?
#
# **Where nobody checks the answers: one direct answer, one chain, and all searches with a narrow beam. Of the tokens spent
# on breadth almost none came back.** A method is *dominated* if another costs no more and succeeds no less often, and is better in one of the two. The rest
# are *efficient*; together they form the **Pareto front**. A front is made of estimates: b = 2 is on it for three puzzles
# more than b = 1 (p = 0.25). The pocket model on a hundred puzzles; the table has the checked rows, too. (The samples are those of [chapter 6's
# study](study_game24.ipynb). Chapter 16 draws others, so its rates differ by a few points.)

# %% mystnb={"image": {"alt": "Success against tokens written on a logarithmic axis. The front rises from direct answers over one chain of thought to searches with one or two states in the beam, and to one state with more and more lists of proposals. Tree of Thoughts with b = 5 and the vote of a hundred chains lie to the right or below and are grey."}} tags=["remove-input"]
study = json.loads((results / "game24_pocket.json").read_text())
ALIKE = ("of 5", "b=3", "b=4", "b=5, 2", "b=5, 3", "b=5, 5")
ALIKE += (
    "model writes",
    "checked",
)  # a check is a rival of its own: chapter 16
pocket = []
for name, r in study["rows"].items():
    if not any(part in name for part in ALIKE):
        found = {"method": name, "written": r["generated tokens"]}
        found["rate"] = stats.Interval(*r["rate"], study["n"])
        pocket.append(found)
axis = {"x": "written", "xlabel": "tokens written per puzzle"}
show.pareto(pocket, log=True, **axis)

# %% tags=["remove-input"]
rows = []
for name, r in study["rows"].items():
    solved = stats.Interval(*r["rate"], study["n"])
    rows.append({"method": name, "solved": solved})
    rows[-1]["written"] = round(r["generated tokens"])
    rows[-1]["read"] = round(r["prompt tokens"])
    rows[-1]["rounds"] = r["rounds"]
show.table(rows, caption=f"pocket, n = {study['n']}, {study['date']}")

# %% [markdown]
# ## What does a smaller budget buy?
#
# **For one puzzle half the budget buys nothing: breadth-first search has no answer before its last round. Over many puzzles
# it buys the shorter ones.** So choose the breadth for the budget, and keep the limit as a safety net. A *soft* `tot.Budget`
# stops a run before the first round that finds a limit used up (the [usual one](../book/manual/driver.md#budgets) stops before a round that
# could exceed it). A budgeted run is the beginning of the full one; that holds as long as a search does not look at its budget.
# Runs that hit the limit count as failures.


# %% tags=["remove-input"]
lm06 = tot.Cassette("cassettes/06.jsonl")


def within(breadth, tokens):
    """How many puzzles a search solves within a budget."""
    solved, how = 0, LEAN | {"breadth": breadth, "lm": lm06}
    for full in done[GAME, f"ToT b={breadth}"]:
        limit = tot.Budget(tokens=tokens, soft=True)
        cut = tot.solve(
            "game24", full.problem, "tot-bfs", budget=limit, **how
        )
        events = cut.trace.events
        assert events == full.trace.events[: len(events)]
        solved += cut.chosen
    return solved


# %% tags=["remove-input"]
rows = []
for n in (1000, 2000, 4000, 8000, 12000):
    cells = {f"ToT b={b}": within(b, n) for b in (1, 3, 5)}
    rows.append({"tokens": n} | cells)
show.table(rows, caption="Puzzles solved, of ten")

# %% [markdown]
# ## Who uses few steps best?
#
# **In a simulated crossword, whoever has ten steps should not go back, and whoever counts letters should not at all.**
# Depth-first search has some board early, and improves it. No language model: a simulated solver
# ([chapter 8, part two](08_tot_study_crosswords.ipynb)). Counted in whole games the end looks different, and for GPT-4, in
# the paper, going back helped.

# %% mystnb={"image": {"alt": "Simulated crosswords: share of letters right against steps allowed, from 5 to 100. The search without backtracking is the highest throughout, and flat from ten steps on. The full search begins lowest, rises until twenty steps and more, and ends between the other two. The search without pruning is flat after ten steps."}} tags=["remove-input"]
file = results / "crosswords_simulated.json"
simulated = json.loads(file.read_text())
points, n = [], simulated["puzzles"]
for method in ("ToT", "- prune", "- backtrack"):
    for steps, parts in simulated["table"][method]["after"].items():
        letters = stats.Interval(*parts["letters"], n)
        point = {"method": method, "steps": int(steps)}
        points.append(point | {"rate": letters})
titles = {"xlabel": "steps allowed (simulated)"}
titles["ylabel"] = "letters right"
show.plots.success_by_cost(points, x="steps", **titles)

# %% [markdown]
# ## What does a cache save?
#
# **Eight tenths of what the wide search reads it has sent in an earlier round.** A server that keeps the beginnings of
# prompts reads only the rest. The shares are counted in characters and within one run; a server that remembers the last
# puzzle saves more. It works only if what is the same comes first, and what changes last.


# %% tags=["remove-input"]
def common(a, b):
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(a, b, strict=False))
    end = min(len(a), len(b))
    return next((i for i, (x, y) in pairs if x != y), end)


def prompts(event):
    asked = event["requests"] if event["kind"] == "asked" else ()
    for request in asked:
        said = request["messages"]
        yield "".join(m["role"] + m["content"] for m in said)


# %% tags=["remove-input"]
def repeated(run):
    """The share of a run's prompts that an earlier round has sent."""
    seen, old = [], 0
    for event in run.trace.events:
        each = dict.fromkeys(prompts(event))
        new = [p for p in each if p not in seen]
        for prompt in new:
            alike = (common(prompt, other) for other in seen)
            old += max(alike, default=0)
        seen += new
    return old / sum(map(len, seen))


# %% tags=["remove-input"]
rows = []
for found in table[GAME]:
    old = fmean(repeated(run) for run in done[GAME, found["method"]])
    paid = found["read"] * (1 - 0.9 * old)
    row = {key: found[key] for key in ("method", "written", "read")}
    row["seen before"] = f"{old:.0%}"
    rows.append(row | {"if that costs a tenth": round(paid)})
show.table(rows, caption="Tokens per puzzle")

# %% [markdown]
# ## What does the price of reading change?
#
# **The search costs eleven times as much as ten direct answers, or more than twenty-five times, depending on a price
# list.** Each column sets what a token read costs, in tokens written.

# %% tags=["remove-input"]
shares = (1.0, 0.5, 0.25, 0.1, 0.0)
rows = []
for found in table[GAME]:
    read, written = found["read"], found["written"]
    cost = {f"at {p:g}": round(read * p + written) for p in shares}
    rows.append({"method": found["method"]} | cost)
note = "In units of one token written, per puzzle"
show.table(rows, caption=note)

# %% [markdown]
# ## When do tools cost more than tokens?
#
# **Who is efficient on a map of tool calls changes with the share of calls that are down: with three in ten, three agents
# are.** Simulated, without a language model, a thousand maps; the agents are those of
# [chapter 12](12_itot_dstar.ipynb), whose walkers pay for going back while the tree searches may go on from any page. The
# walker that plans again (*replan*) and *dstar* make nearly the same journeys; what D\* Lite saves is planning, which is
# not on this axis.

# %% mystnb={"image": {"alt": "Simulated tool routes with three in ten calls down: share of runs that arrive against what they spent on calls. On the front: greedy, which is cheapest and arrives in fewer than two of three runs; the walker that plans again, with D* Lite at the same place; and best-first search, a little dearer and a little more often successful. A* and the eager A* are grey: dearer and no better."}} tags=["remove-input"]
file = results / "tool_routes.json"
routes = json.loads(file.read_text())["routes"]
agents = {}
print("simulated: who is efficient, by the share of calls down")
for down in ("0.0", "0.1", "0.3", "0.5"):
    agents[down] = rows = []
    for name, at in routes["agents"].items():
        success = stats.Interval(*at[down]["success"], routes["graphs"])
        found = {"method": name, "spent": at[down]["spent"][0]}
        rows.append(found | {"rate": success})
    best = " < ".join(r["method"] for r in show.front(rows, x="spent"))
    print(f"{float(down):3.0%}: {best}")
titles = {"xlabel": "spent on calls (simulated)", "ylabel": "arrived"}
show.pareto(agents["0.3"], x="spent", **titles)
