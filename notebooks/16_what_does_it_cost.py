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
# # What does it cost?
#
# "Our search solves eight of ten, the baseline solves one." That sentence is about half of an experiment. The other
# half is what each of the two was allowed to spend. [When search pays](16_when_search_pays.ipynb) was part one. This
# part puts all methods of the book on one table with their bills, in tokens, rounds and dollars, and asks when the
# money is better spent on a larger model.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - read from a trace what a run spent, on whom, and when it had its answer;
# - find the efficient methods of an experiment, and say how sure you are of them;
# - compare a search with the best of k samples at the same number of tokens;
# - turn tokens into dollars, and show at which prices the order of two methods turns;
# - tell tokens from waiting time, and say what caching and a budget change;
# - name four ways in which comparisons of methods go wrong.
#
# ## The experiments
#
# One line for each row of the tables below. All lines of one experiment use the same model and the same problems.
# Everything is replayed; nothing is asked of a model now.

# %% tags=["set-up"]
# Imports, and the recorded models
import json
from collections import Counter
from math import comb, fsum
from pathlib import Path
from random import Random
from statistics import fmean

from IPython.display import display

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.show import Prices

setup()
names = ("03", "04", "06", "08", "09", "12", "14")
tapes = {n: tot.Cassette(f"cassettes/{n}.jsonl") for n in names}
for name, tape in tapes.items():
    dates = {session["date"] for session in tape.tape.sessions.values()}
    print(f"cassette {name}: {', '.join(sorted(dates))}")
print("all of them:", *{tape.name for tape in tapes.values()})

# %% tags=["set-up"]
# The six experiments, and what replays a line of one
GAME, CROSS, SUMS = "Game of 24", "Crosswords", "Word problems"
YESNO, PLANS = "Yes or no", "Word problems, with plans"
TOOLS = "Questions, with tools"
PROBLEMS = {  # task, split, which of its problems
    GAME: ("game24", "starter", slice(0, None, 4)),
    CROSS: ("crosswords", "easy", slice(None)),
    SUMS: ("gsm8k", "book", slice(0, 40)),
    YESNO: ("strategyqa", "book", slice(0, 40)),
    PLANS: ("gsm8k", "book", slice(0, 40)),
    TOOLS: ("hotpotqa", "easy", slice(None)),
}
VOTE, VOTED = "CoT-SC, 5 chains", "ToT with votes"


def play(experiment, cassette, method, knobs):
    name, split, part = PROBLEMS[experiment]
    task, lm = tot.task(name), tapes[cassette]
    knobs, runs = {"lm": lm, **knobs}, []
    for problem in task.problems(split)[part]:
        runs.append(tot.solve(task, problem, method, **knobs))
    assert not any(run.error for run in runs)
    return runs


# %% tags=["set-up"]
# The lines: experiment, label, score, cassette, method, knobs
LINES, done = [], {}


def line(experiment, label, score, cassette, method, **knobs):
    runs = play(experiment, cassette, method, knobs)
    done[experiment, label] = runs
    LINES.append((experiment, label, score, knobs))


line(GAME, "IO, one answer", "each", "03", "io", k=10)
line(GAME, "IO, best of 10 (checked)", "any", "03", "io", k=10)
line(GAME, "CoT, one chain", "each", "04", "cot", k=5)
line(GAME, VOTE, "chosen", "04", "cot-sc", k=5)
line(GAME, "Refine (gold stops)", "chosen", "04", "io-refine-checked", k=4)
LEAN = {"style": "lean"}
for b in (1, 3, 5):
    line(
        GAME, f"ToT b={b}", "chosen", "06", "tot-bfs", breadth=b, **LEAN
    )
line(CROSS, "IO, one answer", "letters", "08", "io", k=5)
line(CROSS, "CoT, one chain", "letters", "08", "cot", k=5)

# %% tags=["set-up"]
# The lines of the other four experiments
for kind in (SUMS, YESNO):
    line(kind, "IO, one answer", "each", "09", "io", k=5)
    line(kind, "CoT, one chain", "each", "09", "cot", k=5)
    line(kind, VOTE, "chosen", "09", "cot-sc", k=5)
    line(kind, VOTED, "chosen", "09", "tot-vote")
TREE = {"k": 3, "depth": 5}
chosen, planned, tooled = (
    ("chosen", "09"),
    ("chosen", "14"),
    ("chosen", "12"),
)
line(PLANS, VOTE, *chosen, "cot-sc", k=5)
line(PLANS, "one plan, carried out", *planned, "plan-and-solve")
line(PLANS, "best of 6 plans", *planned, "judged-plans", plans=6)
ROLLOUTS = {"rollouts": 6, "revisions": 2}
line(PLANS, "tree of 6 rollouts", *planned, "mcts-plan", **ROLLOUTS)
line(TOOLS, "CoT, no tools", *tooled, "cot")
line(TOOLS, "retrieve and read", *tooled, "retrieve-read")
line(TOOLS, "ReAct, one chain", *tooled, "react", depth=6)
line(TOOLS, "best-first", *tooled, "react-best-first", rounds=8, **TREE)
line(TOOLS, "iToT-A*", *tooled, "itot-astar", rounds=8, **TREE)
line(TOOLS, "LATS", *tooled, "lats", rollouts=3, **TREE)
print(sum(map(len, done.values())), "runs replayed")

# %% [markdown]
# ## One puzzle, side by side
#
# Before all puzzles, look at one. Each bar below is one run. Its parts are what the run spent, in order: tall for the
# generator, low for the evaluator. A hollow triangle says when the search had a new favourite, and what that was
# worth to it; a full one when it had what it returned in the end.
#
# ### Predict: how much longer is the longest bar?
#
# Ten direct answers, five chains, a search with one state in its beam, a search with five. Guess the ratio of the
# longest bar to the shortest: in tokens; and in rounds.

# %% tags=["predict"]
side = {"IO, ten answers": done[GAME, "IO, one answer"][4]}
side |= {"CoT, five chains, a vote": done[GAME, VOTE][4]}
side |= {f"ToT b={b}": done[GAME, f"ToT b={b}"][4] for b in (1, 5)}
for axis in ("rounds", "tokens"):
    rows = show.compare_rows(side, axis)
    keys = ("run", "first", "reached", "spent", "answer", "verdict")
    display(show.table(rows, keys, caption=axis))
    display(show.compare(side, axis))

# %% [markdown]
# **Figure.** Tokens differ by a factor of more than ten, rounds by five.
#
# Above each picture are its numbers. The search with five
# states takes no more rounds than that with one: it asks more at once.
#
# Where do the numbers come from? From the trace alone. Each `asked` event is a round, with every prompt and reply in
# it. A prompt is read once for all its samples. Equal requests of one round are asked once.


# %% tags=["checked"]
def my_spend(trace):
    """(role, tokens read, tokens written) of each round."""
    for event in trace.events:
        if event["kind"] == "asked":
            once = {}
            for request in event["requests"]:
                prompt = json.dumps(request["messages"])
                once.setdefault(prompt, request)
            read = sum(r["prompt_tokens"] for r in once.values())
            samples = [s for r in once.values() for s in r["samples"]]
            yield event["role"], read, sum(s["tokens"] for s in samples)


keys = ("role", "prompt_tokens", "completion_tokens")
for run in side.values():
    mine = list(my_spend(run.trace))
    theirs = [tuple(row[k] for k in keys) for row in show.spent(run)]
    assert mine == theirs
    total = sum(read + written for _, read, written in mine)
    assert total == run.result.ledger.total.tokens
mine

# %% [markdown]
# ## Who gets the money?
#
# The ledger, by role, as means over the puzzles:

# %% mystnb={"image": {"alt": "Stacked bars of tokens written for each puzzle. Direct answers: a short bar, all of it the generator's. Tree of Thoughts: a bar about ten times as long, three quarters of it the evaluator's."}} tags=["plot"]
some = done[GAME, "IO, one answer"] + done[GAME, "ToT b=5"]
puzzles = f"means of {len(some) // 2} puzzles"
display(show.ledger(some, caption=f"{tapes['06'].name}, {puzzles}"))
show.ledger_bars(some)

# %% [markdown]
# **Figure.** Most of the money of the search, 73%, goes to the *judge*: three verdicts on every candidate.
#
# That is one thing that a success rate hides. Another: the search reads five times as much as it writes, because each of its many small questions brings
# instructions and examples along. Ten samples of one prompt read that prompt once.
#
# ## All methods, one table
#
# Three kinds of score, kept apart as in [chapter 3](03_io_and_verifiers.ipynb): `each` is the mean over independent
# samples, `chosen` is the answer that the method hands in, `any` needs somebody who knows. Where a task measures
# shares (letters of a crossword), the score is that share.


# %% tags=["set-up"]
# A method's row: its rate, and the means of its bills
def rate(runs, score):
    if score in ("chosen", "any"):
        right = sum(getattr(s, score) for s in runs)
        return stats.wilson(right, len(runs))
    groups = [s.scores for s in runs]
    if score == "each":
        groups = [[float(x.correct) for x in g] for g in groups]
    else:
        groups = [[x.parts[score] for x in g] for g in groups]
    return stats.bootstrap(groups)


def row(experiment, label, score, knobs):
    runs = done[experiment, label]
    one = 1 if score in ("chosen", "any") else knobs["k"]
    totals = [s.result.ledger.total for s in runs]
    found = {"method": label, "n": len(runs), "rate": rate(runs, score)}
    found["read"] = fmean(t.prompt_tokens for t in totals)
    found["written"] = fmean(t.completion_tokens for t in totals) / one
    found["rounds"] = fmean(s.result.ledger.rounds for s in runs)
    if experiment == TOOLS:
        bills = [s.trace.result.get("tools", {}) for s in runs]
        found["tools"] = fmean(bill.get("total", 0) for bill in bills)
    return found


# %% tags=["set-up"]
table = {name: [] for name in PROBLEMS}
for experiment, *how in LINES:
    table[experiment].append(row(experiment, *how))
for name, rows in table.items():
    heads = {key: key for key in rows[0]} | {"rate": "solved"}
    if name == CROSS:
        heads["rate"] = "letters right"
    display(show.table(rows, heads, caption=f"{name}; per problem"))
PAIRS = [(SUMS, VOTED, VOTE), (YESNO, VOTED, VOTE)]
PAIRS += [(PLANS, "tree of 6 rollouts", VOTE)]
PAIRS += [(TOOLS, "iToT-A*", "ReAct, one chain")]
PAIRS += [(TOOLS, "iToT-A*", "retrieve and read")]
rows = []
for name, *labels in PAIRS:
    ends = [[s.chosen for s in done[name, label]] for label in labels]
    gap, (tree, rival) = stats.paired(*ends), labels
    found = {"experiment": name, "search": f"{tree}: {gap.a:.0%}"}
    found["rival"] = f"{rival}: {gap.b:.0%}"
    rows.append(found | {"p": f"{gap.p:.2g}"})
show.table(rows)

# %% [markdown]
# **Table.** Search against its rival on the same problems, in pairs.
#
# (Where every sample failed, a bootstrap has nothing to vary and its interval has no width; Wilson's for ten failures
# of ten would reach to 28 %. Depth-first search on crosswords is not in the second table: it was recorded
# on two puzzles, which [chapter 8](08_tot_dfs_crosswords.ipynb) treats as worked examples.)
#
# Two kinds of tasks, two kinds of result. On the Game of 24 the wide search solves far more than one sample or a vote
# of five chains, at many times their price. (A right answer among ten is there for three puzzles of ten; what a hundred
# would hold was not recorded, but below, for another model, it was.) On word problems it is *behind*: a vote among five
# chains solves more, for fewer tokens and in one round. (One of four questions here, so it is not beyond doubt.) On
# questions with yes or no as the answer the two cannot be told apart, and neither can be told from a coin. The tree of
# [chapter 9](09_zero_shot_tot.ipynb) votes among whole plans and whole solutions. There is no small step that could be
# judged by itself, no program that checks one, and after the first vote all solutions follow the same plan.
#
# The last two tables are of the second kind. A tree of plans ([chapter 14](14_planning_with_mcts.ipynb)) is dearer than
# the vote, and over all eighty problems of that chapter it solves less. With tools ([chapter 12, part
# two](12_itot_study.ipynb)) the answer of a search cannot be told from that of one chain; its bill can. One search with
# the question itself is ahead of both, for a fraction of the tokens: not every search is a tree. And tools are a
# bill of their own, which no price per token covers.
#
# Ten puzzles separate "almost never" from "more often than not", and no more. So for the finer questions we turn to the
# study of [chapter 6, part two](06_tot_study_game24.ipynb): other puzzles, another model (the pocket model), a hundred
# puzzles. Its numbers never stand in one table with those above.
#
# ## The front, in ten lines
#
# A method is **dominated** if another costs no more and succeeds no less often, and is better in at least one of the
# two. Nobody should choose it, whatever their budget. The rest are **efficient**; together they form the **Pareto
# front**.

# %% tags=["set-up"]
# The rows of the study, and our own front
file = Path("../studies/results/game24_pocket.json")
study = json.loads(file.read_text())
counts = study["right of 100"]["CoT"]
ALIKE = ("of 5", "b=3", "b=4", "b=5, 2", "b=5, 3", "b=5, 5")
pocket = []
for name, r in study["rows"].items():
    if not any(part in name for part in ALIKE):
        found = {"method": name, "written": r["generated tokens"]}
        found["solved"] = r["rate"][0]
        found["rate"] = stats.Interval(*r["rate"], study["n"])
        pocket.append(found)
honest = [r for r in pocket if "gold" not in r["method"]]


def my_front(rows):
    front = []
    for row in sorted(rows, key=lambda r: (r["written"], -r["solved"])):
        if not front or row["solved"] > front[-1]["solved"]:
            front.append(row)
    return front


efficient = [r["method"] for r in my_front(honest)]
theirs = show.front(honest, x="written")
assert efficient == [r["method"] for r in theirs]
print(*efficient, sep="\n")

# %% [markdown]
# Sorted by cost, a method is efficient if it beats every cheaper one. (Of two equal rows ours keeps the first, the
# package both.)
#
# ### Predict: which methods are dominated?
#
# Breadth 2, breadth 5? Voting among a hundred chains? The search whose model writes the answer itself? (The picture
# leaves out breadth 3 and 4, and wide beams with several propose replies. Each of them solves just as many puzzles as
# a narrower beam that is in the picture, at a higher price.)

# %% mystnb={"image": {"alt": "Success against tokens written on a logarithmic axis. The front rises from direct answers over one chain of thought to searches with one or two states in the beam, and to one state with more and more propose replies. Tree of Thoughts with b = 5, the vote of a hundred chains, and the search whose model writes the answer lie to the right or below and are grey. Rows that need the gold answer are hollow."}} tags=["plot", "predict"]
print(f"{study['lm']}, {study['n']} puzzles, {study['date']}")
for r in pocket:
    print(f"{r['written']:6.0f} tokens, {r['rate']}  {r['method']}")
axis = {"x": "written", "xlabel": "tokens written per puzzle"}
show.pareto(pocket, log=True, **axis)


# %% [markdown]
# **Figure.** On the front are a direct answer, a chain, and all searches with a narrow beam.
#
# Of the money spent on breadth almost
# none came back. Methods that use gold are hollow and dominate nobody: the picture supposes that nobody can check an
# answer. (In this game a program can. The next section supposes that.)
#
# A front is made of estimates: b = 2 is on it for three puzzles more than b = 1. Exercise 1 asks how stable it is.
#
# ## At equal budget: search against samples
#
# A search should be compared with what its tokens would buy elsewhere. The study drew a hundred chains for each
# puzzle and counted the right ones. So for every $k$ up to a hundred we know without bias how often the best of $k$
# is right.


# %%
def best_of(k, n=100):
    """For each puzzle: the chance that one of k chains is right."""
    return [1 - comb(n - c, k) / comb(n, k) for c in counts]


missed = [1 - fmean(best_of(k)) for k in range(100)]
one_by_one = [fsum(missed[:k]) for k in range(101)]
for point in study["best of k"]["CoT, best of k"]:
    k, theirs = point["k"], point["rate"][0]
    package = [stats.pass_at_k(100, c, k) for c in counts]
    gaps = [a - b for a, b in zip(best_of(k), package, strict=True)]
    assert max(map(abs, gaps)) < 1e-12
    assert abs(fmean(best_of(k)) - theirs) < 1e-4
    print(f"the best of {k:3}: {theirs:.2f}, the study's and ours")

# %% [markdown]
# ### Predict: at the same number of tokens written, who wins?
#
# Five searches: a narrow and a wide beam, then the narrow one with more and more propose replies. Each stands against
# as many chains as its tokens buy, of which a verifier picks a right one if there is one. (`one_by_one[k]`: chains
# drawn in the mean by somebody who stops at the first right one, or after k.)

# %% tags=["predict", "set-up"]
# Each search against the chains that its tokens buy
SEARCHES = {f"tot b={b}": f"ToT b={b}" for b in (1, 5)}
for p in (2, 3, 5):
    SEARCHES[f"tot b=1 p={p}"] = f"ToT b=1, {p} propose replies"
tokens = {m: r["generated tokens"] for m, r in study["rows"].items()}
rows = []
for key, label in SEARCHES.items():
    k = int(tokens[label] / tokens["CoT"])
    solved, best = study["solved"][key], best_of(k)
    couples = zip(solved, best, strict=True)
    gap = stats.bootstrap([[a - b] for a, b in couples])
    ends = f"[{gap.low:+.0%}, {gap.high:+.0%}]"
    row_ = {"search": label.replace("propose ", "")}
    row_["tokens"], row_["solved"] = (
        tokens[label],
        f"{fmean(solved):.0%}",
    )
    row_ |= {"chains": k, "best of them": f"{fmean(best):.0%}"}
    row_["one by one"] = round(tokens["CoT"] * one_by_one[k])
    rows.append(row_ | {"search ahead": f"{gap.rate:+.0%} {ends}"})
show.table(rows, caption=f"{study['lm']}, {study['n']} puzzles; means")

# %% [markdown]
# **Table.** A search against as many chains as its tokens buy, of which a verifier picks a right one.
#
# The answer depends on one question: *who checks?*
#
# - **A check is free and exact**, as in this game. Then sampling and a verifier are enough: many chains beat a plain
#   search at its own price. Only the searches that ask for several proposals draw level, if all chains are drawn in one
#   round. The dearest is ahead by a little; read the interval before you say so. Whoever checks one chain after the
#   other stops at the first right one: the column *one by one* has what that writes in the mean, and it is less than
#   any of these searches.
# - **Nobody can check.** Then the best of $k$ is not for sale. What can be had is the vote. It spends more than all
#   searches of this table and solves less than any. But the searches have help: a program judges single numbers, and
#   writes the answer down. The row of the study in which the model has to write the answer itself is *behind* the
#   vote, and cheaper. So this is a case for exact steps as much as for search.
# - **A check costs something.** Then it belongs on the bill, like a tool call (exercise 3).
#
# ## Prices are inputs
#
# Tokens are facts of a run. Dollars are not: a token read costs less than a token written, by a factor that differs
# between providers; a prompt that was read before may cost a tenth, or nothing on a machine of your own. So keep the
# tokens, and treat the price as a knob. The slider sets what a token *read* costs if a million tokens *written* cost
# one dollar. (The axis moves with it.)
#
# ### Predict: which bar shrinks most?

# %% tags=["predict", "set-up"]
# The bars at five prices of reading, and what a table says of them
shares, bars, rows = (1.0, 0.5, 0.25, 0.1, 0.0), [], []
for p in shares:
    bars.append(show.compare(side, "dollars", prices=Prices(p, 1.0)))
words = [f"a token read costs {p:g} of a token written" for p in shares]
for found in table[GAME]:
    read, written = found["read"], found["written"]
    cost = {f"reading at {p:g}": read * p + written for p in shares}
    rows.append({"method": found["method"]} | cost)
note = "In units of one token written, per puzzle"
display(show.table(rows, caption=note))
search, answers = rows[-1], rows[1]
print("ToT b=5 against ten direct answers")
for name in list(search)[1:]:
    times = search[name] / answers[name]
    print(f"{name:16} {times:4.1f} times the price")
show.Frames(bars, words, name="Price of reading")

# %% [markdown]
# **Figure.** The long bars shrink most as reading gets cheaper, because searches read far more than they write.
#
# Searches read far more than they write. The same two methods on the same puzzles, and the
# search costs eleven times as much as ten answers, or more than twenty-five times, depending on a price list. A claim
# about dollars is a claim about that list.
#
# Can the price turn an *order*? In the paper {cite}`yao2023tree` it can. Its table 7 has the tokens of GPT-4 on the
# Game of 24: for the best of a hundred chains, of which one was right for 49% of the puzzles, and for the search,
# which solved 74%. (One entry does not fit the paper's own prices. We take the prompt tokens that its dollars imply;
# see [E4](../book/errata.md#e4-the-prompt-tokens-of-tot).)

# %% tags=["set-up"]
# The paper's bill at four prices of reading
errata = json.loads(Path("../studies/results/errata.json").read_text())
table7, ours = errata["E4"]["rows"], errata["E4"]["ours"]
chains = table7["Game of 24, CoT, best of 100"]
read, tree = ours["implied prompt k"], table7["Game of 24, ToT"]
paper = {  # thousands of tokens read and written for one puzzle
    "best of 100 chains": (chains["prompt k"], chains["generated k"]),
    "ToT b=5": (read, tree["generated k"]),
}
for p in (0.5, 0.25, 0.1, 0.0):
    for method, (read, written) in paper.items():
        thousands = read * p + written
        dollars = 60 * thousands / 1000  # $60 a million: May 2023
        print(f"reading at {p:4}: {method:18} ${dollars:.2f}")

# %% [markdown]
# At the prices of that time (reading at half the price of writing) the search was the dearer of the two. With reading
# at a quarter it still is. Near a tenth the order turns, and then the search solves more *and* costs less (exercise
# 2). Nothing about the method has changed.
#
# ## What a cache saves
#
# Who charges so little for reading? Whoever has read it before. A server keeps what it computed for the *beginning* of
# a prompt (the [key-value cache](forward_pass.ipynb)), and a request that begins alike need not be read from
# the start {cite}`zheng2024sglang`. How much of a search's reading begins like something that the same run sent before?


# %% tags=["set-up"]
# What share of the prompts has been sent before, in an earlier round
def common(a, b):
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(a, b, strict=False))
    end = min(len(a), len(b))
    return next((i for i, (x, y) in pairs if x != y), end)


def prompts(event):
    for request in (
        event["requests"] if event["kind"] == "asked" else ()
    ):
        said = request["messages"]
        yield "".join(m["role"] + m["content"] for m in said)


def repeated(run):
    seen, old = [], 0
    for event in run.trace.events:
        new = [
            p for p in dict.fromkeys(prompts(event)) if p not in seen
        ]
        for prompt in new:
            alike = (common(prompt, other) for other in seen)
            old += max(alike, default=0)
        seen += new
    return old / sum(map(len, seen))


# %%
rows = []
for found in table[GAME]:
    old = fmean(repeated(run) for run in done[GAME, found["method"]])
    paid = found["read"] * (1 - 0.9 * old)
    short = {key: found[key] for key in ("method", "written", "read")}
    short["seen before"] = f"{old:.0%}"
    rows.append(short | {"if that costs a tenth": paid})
show.table(rows, caption="Tokens per puzzle")

# %% [markdown]
# **Table.** Eight tenths of what the wide search reads, it has sent in an earlier round.
#
# It reads the same instructions and the same examples again and again.
# Order matters, then. Put what is the same first and what changes last, as the prompts of this book do; a date or a
# random number at the top spoils it all. The shares were counted in characters and within one run. A server that
# remembers the last puzzle saves more.
#
# ## Tokens or waiting?
#
# A reader who waits does not count tokens. If a server writes all samples of a round at once, a round takes as long
# as its longest reply. The sum of those is the run's **critical path** (reading is fast, and left out here).

# %%
rows = []
for found in table[GAME]:
    if ", one" not in found["method"]:
        spent = [show.spent(run) for run in done[GAME, found["method"]]]
        path = fmean(sum(r["longest"] for r in each) for each in spent)
        row_ = {
            key: found[key] for key in ("method", "rounds", "written")
        }
        row_["critical path"] = path
        row_["side by side"] = f"{found['written'] / path:.1f}"
        rows.append(row_)
show.table(rows, caption="Tokens per puzzle")

# %% [markdown]
# **Table.** The wide search writes more than twice what the narrow one does, and takes about a fifth longer.
#
# Its extra tokens
# stand beside the others, not behind them. Rewriting is the opposite: few tokens written, and each attempt waits for
# the one before. So *tokens* are what you pay, *rounds* and long replies are what you wait for, and a method can be
# good at one and bad at the other. How far samples really run side by side is a property of your server (exercise 4).
#
# ## When is a larger model cheaper?
#
# Suppose a larger model solves with *one* chain as many puzzles as the small one solves with a search. How many times
# as much may its tokens cost before the search is the better buy? That is a ratio of two bills, and it needs no run of
# the larger model, if its chain is as long as the small one's. The rows differ in the price of reading.

# %%
rows = []
for p in shares:
    costs = {
        r["method"]: r["read"] * p + r["written"] for r in table[GAME]
    }
    one, found = costs["CoT, one chain"], {"reading at": p}
    for name in ("ToT b=1", "ToT b=5"):
        found[name] = f"{costs[name] / one:.1f} times"
    rows.append(found)
display(show.table(rows, caption="Break-even price of a larger model"))
for model, solved in errata["E3"]["paper"]["success %"].items():
    print(f"the paper's table 5: {model} {solved}")

# %% [markdown]
# So the wide search is a fair deal only against a model whose tokens cost about twenty times as much, the narrow one
# from seven times on, or ten where reading is free. The price of reading matters little here, because both sides read.
#
# But look at the "suppose": *is there* a model that does with one chain what the search does? In the paper's table for
# this game there is none: one chain of GPT-4 solved less than GPT-3.5 with a tree search, at any price. For a task that
# the larger model simply *knows*, one answer is enough and every search is waste. So measure three numbers before you
# build: the large model alone, the small one alone, and the small one with many samples.
#
# ## A budget is a knob
#
# `tot.Budget` stops a run before the first round that finds a limit used up. A budgeted run is the beginning of the
# full one, so a budget is a fair cut through everything above. What do three breadths make of a growing budget?
#
# ### Predict: what does half the budget buy?


# %% tags=["predict", "set-up"]
# Puzzles that a search solves within a budget
def within(breadth, tokens):
    limit, solved = tot.Budget(tokens=tokens), 0
    knobs = LEAN | {"breadth": breadth, "budget": limit}
    knobs["lm"] = tapes["06"]
    for full in done[GAME, f"ToT b={breadth}"]:
        cut = tot.solve("game24", full.problem, "tot-bfs", **knobs)
        events = cut.trace.events
        assert events == full.trace.events[: len(events)]
        solved += cut.chosen
    return solved


rows = []
for n in (1000, 2000, 4000, 8000, 12000):
    cells = {f"ToT b={b}": within(b, n) for b in (1, 3, 5)}
    rows.append({"budget": n} | cells)
puzzles = len(done[GAME, "ToT b=1"])
show.table(rows, caption=f"Puzzles solved, of {puzzles}")

# %% [markdown]
# Breadth-first search has no answer before its last round. Cut short, it returns nothing: half the budget buys not
# half the success but none of it. So choose the *breadth* for the budget, and keep the limit as a safety net.
# Depth-first search is different: it has some board early, and improves it. We can watch that on the simulated solver
# of [chapter 8, part two](08_tot_study_crosswords.ipynb). **A simulation, no language model**: it shows how searches
# use steps, and nothing about any model.

# %% mystnb={"image": {"alt": "Simulated crosswords: share of letters right against steps allowed, from 5 to 100. The search without backtracking is the highest throughout, and flat from ten steps on. The full search begins lowest, rises until twenty steps and more, and ends between the other two. The search without pruning is flat after ten steps."}} tags=["plot"]
results = Path("../studies/results")
file = results / "crosswords_simulated.json"
simulated = json.loads(file.read_text())
points, n = [], simulated["puzzles"]
print("simulated: letters right")
for method in ("ToT", "- prune", "- backtrack"):
    for steps, parts in simulated["table"][method]["after"].items():
        letters = stats.Interval(*parts["letters"], n)
        point = {"method": method, "steps": int(steps)}
        points.append(point | {"rate": letters})
        print(f"{method:11} {steps:>3} steps: {letters}")
titles = {"xlabel": "steps allowed (simulated)"}
titles["ylabel"] = "letters right"
show.plots.success_by_cost(points, x="steps", **titles)

# %% [markdown]
# **Figure.** In this simulation, whoever has ten steps should not backtrack, and whoever counts letters should not at all.
#
# (Counted
# in whole games the end looks different: part two has both. And for GPT-4, in the paper, backtracking helped.) The best
# method for a budget, and for a measure, need not be the best for another.
#
# ## When tools cost more than tokens
#
# A call of a tool may cost a cent, or ten seconds. Then tokens are small change, and the bill is the tools'.
# `tool_cost` is an axis like the others (`show.compare(runs, "tool_cost")`), and `Prices` has a price for it. Here is
# the study of [chapter 12](12_itot_dstar.ipynb): agents that look for a way through a map of tool calls, some of
# which are down. Again **no language model**; a thousand maps.

# %% mystnb={"image": {"alt": "Simulated tool routes with three in ten calls down: share of runs that arrive against what they spent on calls. On the front: greedy, which is cheapest and arrives in fewer than two of three runs; the walker that plans again, with D* Lite at the same place; and best-first search, a little dearer and a little more often successful. A* and the eager A* are grey: dearer and no better."}} tags=["plot"]
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

# %% [markdown]
# **Figure.** With three calls in ten down, three agents are efficient.
#
# Who is efficient is not a property of the agents alone: it changes with the share of calls that are down. Two
# cautions. `replan` and `dstar` are one point here, since they make nearly the same journeys; what D* Lite saves is
# planning, and that is on another axis. And the tree searches may go on from any page that they have seen, at no
# cost, while the walkers pay their way back. Points in one picture invite comparison. Whether they *may* be compared
# is not in the picture.
#
# ## Four ways to fool yourself
#
# **1. Best-of-k read as accuracy.** **2. Gold in the loop.** Five numbers from the same table:

# %%
pool = study["best of k"]["IO, best of k"]
ten = next(point for point in pool if point["k"] == 10)
names = ("CoT", "CoT-SC (k=100)", "CoT, best of 100 (checked)")
names += ("IO + Refine (k=10, checked)",)
readings = {name: study["rows"][name] for name in names}
readings["IO, best of 10 (checked)"] = ten
for name, r in readings.items():
    print(f"{name:31} {stats.Interval(*r['rate'], study['n'])}")

# %% [markdown]
# The first three are readings of one pool of ten thousand chains. The first is what a user gets who asks once, the
# second what a user gets who pays a hundredfold, the third what nobody gets who cannot check. The last two are a loop
# that stops when the verifier is content, and its fair rival. Such a loop has seen the answer key ten times and more,
# so one answer is no fair rival. The best of ten is, and against it the loop loses.
#
# **3. Unequal budgets.** The sections above. Report tokens read, tokens written, rounds and calls; let the reader
# bring the prices.
#
# **4. The winner's curse.** Somebody tries ten prompts on forty puzzles and reports the best. How much of its lead is
# luck? We can find out with ten "variants" that are certainly equal: the *same* chain of thought, of which each
# variant takes other samples of the hundred.
#
# ### Predict: ten equal variants, the best on forty puzzles. How good is it on the other sixty?


# %% tags=["predict"]
def contest(variants, few, rng):
    """(rate of the winner where it won, and on the other puzzles)"""
    order = rng.sample(range(len(counts)), len(counts))
    pools = [[1] * c + [0] * (100 - c) for c in counts]
    right = [rng.sample(pool, variants) for pool in pools]
    here, there = order[:few], order[few:]
    first = [sum(right[i][v] for i in here) for v in range(variants)]
    best = first.index(max(first))
    return max(first) / few, fmean(right[i][best] for i in there)


rng = Random(0)
for variants in (1, 3, 10, 30):
    trials = [contest(variants, 40, rng) for _ in range(400)]
    there, later = map(fmean, zip(*trials, strict=True))
    best = f"best of {variants:2} equal variants"
    print(f"{best}: {there:.0%}, then {later:.0%}")

# %% [markdown]
# The winner of ten looks better by half than it is, and nothing was done to it but being chosen
# {cite}`smith2006optimizer`. So choose on one set and report on another, count everything that was tried, and use
# paired tests (`tot.stats.paired`) between two methods that were named *before* the run.
#
# ## Summary
#
# - A rate without a bill is half a result. Tokens read, tokens written and rounds are facts; dollars and seconds
#   follow from them and from a price list and a server.
# - Efficient methods form a front. It is an estimate, like everything on it.
# - Where a tree only votes among whole answers, a vote among chains is the rival to beat; with a free, exact check, the
#   best of many samples is: at equal tokens. Search paid here where a program checked the steps and nobody checked the
#   answers. That it finds what samples miss was not shown.
# - Searches read far more than they write, and most of it again and again. A cache changes the bill, and may turn the
#   order.
# - Where a server writes a whole round at once, width costs tokens and hardly any time. Depth costs time everywhere.
# - A larger model is the better buy if it knows; a search is, if it must look.
#
# ## Exercises
#
# ### Exercise 1: how sure is the front?
#
# Draw the hundred puzzles anew, with repetition, five hundred times. How often is each search on the front?
# `study["solved"]` has 0 or 1 for each puzzle.
#
# <details><summary>Hint</summary>
#
# The same drawn puzzles for all methods; keep the mean costs as they are. `my_front` wants "written" and "solved".
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
labels = SEARCHES | {f"tot b={b}": f"ToT b={b}" for b in (2, 3, 4)}
rng, times = Random(0), Counter()
for _ in range(500):
    drawn, again = rng.choices(range(100), k=100), []
    for key, label in labels.items():
        solved = sum(study["solved"][key][i] for i in drawn)
        found = {"method": key, "written": tokens[label]}
        again.append(found | {"solved": solved})
    times.update(r["method"] for r in my_front(again))
for key in sorted(labels, key=lambda key: tokens[labels[key]]):
    print(f"{key:12} on the front {times[key] / 500:.0%} of the time")
# b = 2 solves what b = 1 solves, and three puzzles more: it is on the
# front whenever one of the three is drawn. b = 3 to 5 solve the same
# puzzles as b = 2 at a higher price: never. The front is stable,
# because all methods played the same puzzles. That is no 95% certainty
# that b = 2 is better: three puzzles to none has p = 0.25, and drawing
# puzzles anew draws no new samples.

# %% [markdown]
# ### Exercise 2: where does the order turn?
#
# At which price of reading (as a share of the price of writing) do the paper's search and its best of a hundred
# chains cost the same? Would a cache as effective as that of our table be enough?
#
# <details><summary>Hint</summary>
#
# Both bills are straight lines in the price $p$: tokens read times $p$, plus tokens written.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
(read_a, written_a), (read_b, written_b) = paper.values()
turn = (written_a - written_b) / (read_b - read_a)
print(f"the order turns where reading costs {turn:.3f} of writing")
old = fmean(repeated(run) for run in done[GAME, "ToT b=5"])
for p in (0.5, 0.25):  # the chains read once: they pay the list price
    turn = (read_a * p + written_a - written_b) / read_b
    cached = p * (1 - 0.9 * old)
    print(f"list price {p}: the search reads at {cached:.3f};", end=" ")
    print(f"the order turns at {turn:.3f}")
# It would: at either list price the search then reads for less than
# where the order turns.

# %% [markdown]
# ### Exercise 3: what may a check cost?
#
# The searches with two and with three propose replies need nobody who checks answers. How many chains, each of them
# checked, solve as much as they do? And what may one check cost, in tokens, before the search is cheaper?
#
# <details><summary>Hint</summary>
#
# The smallest `k` with `fmean(best_of(k))` at least the search's rate. Then `k * (chain + check)` equals the search's
# tokens.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
for p in (2, 3):
    search = study["rows"][f"ToT b=1, {p} propose replies"]
    aim = search["rate"][0]
    k = next(k for k in range(1, 101) if fmean(best_of(k)) >= aim)
    print(f"{p} propose replies: {k} chains do,")
    print(f"   or {one_by_one[k]:.1f} in the mean, checked one by one")
    for way, n in (("all at once", k), ("one by one", one_by_one[k])):
        check = (search["generated tokens"] - n * tokens["CoT"]) / n
        print(f"   {way}: a check may cost {check:.0f} tokens")
# In this game a check is free. A language model that checks writes
# some tokens for each, and it errs. A unit test that runs for a minute
# has no price in tokens at all: then compare in dollars or in seconds.

# %% [markdown]
# ### Exercise 4: a small server
#
# The critical path supposes that a whole round is written at once. Suppose that the server writes at most `w` samples
# at a time. How long do the searches take, in tokens one after another, for `w` of 1, 4, 16 and 64?
#
# <details><summary>Hint</summary>
#
# In each round give every sample, longest first, to the line that is free first. The round ends with its last line.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def waiting(run, w):
    total = 0
    for event in run.trace.events:
        if event["kind"] != "asked":
            continue
        requests = event["requests"]
        once = {json.dumps(r["messages"]): r for r in requests}.values()
        replies = [s["tokens"] for r in once for s in r["samples"]]
        lines = [0] * w
        for tokens in sorted(replies, reverse=True):
            lines[lines.index(min(lines))] += tokens
        total += max(lines)
    return total


for label in ("CoT-SC, 5 chains", "ToT b=1", "ToT b=5"):
    runs, means = done[GAME, label], []
    for w in (1, 4, 16, 64):
        mean = fmean(waiting(run, w) for run in runs)
        means.append(f"w={w}: {mean:5.0f}")
    print(f"{label:17}", *means)
# With one line the wait is the tokens written, and the wide search
# takes more than twice as long as the narrow one. With many it is the
# critical path, and they are close. Lines that the widest round cannot
# fill buy nothing.

# %% [markdown]
# ### Exercise 5: a dear judge
#
# Let the evaluator be a model whose tokens cost ten times as much as the generator's. What is its share of the bill?
# And what if the generator is the dear one? Reading costs a quarter of writing.
#
# <details><summary>Hint</summary>
#
# `show.ledger(runs, prices={"generator": Prices(...), "evaluator": Prices(...)})`.
#
# </details>

# %% [markdown]
# #### Solution 5

# %% tags=["hide-cell"]
cheap, dear = Prices(0.25, 1.0), Prices(2.5, 10.0)
runs = done[GAME, "ToT b=5"]
for judge, writer in ((cheap, cheap), (dear, cheap), (cheap, dear)):
    prices = {"generator": writer, "evaluator": judge}
    rows = show.ledger_rows(runs, prices=prices)
    parts = {r["role"]: r for r in rows}
    dollars = 1e6 * parts["all"]["dollars"]
    share = f"{parts['evaluator']['share']:.0%} to the judge"
    print(f"${dollars:,.0f} for a million puzzles, {share}")
# The judge gets most of the tokens, so a dear judge multiplies the bill
# almost eightfold, a dear generator by about three. If one of the two
# roles is to have the better model, the price speaks for the generator.
# In the swap of chapter 6, part two, so does success.

# %% [markdown]
# ## Further reading
#
# - {cite}`kapoor2024agents` shows how leaderboards of agents change when cost is an axis, and why simple baselines
#   belong on them.
# - {cite}`brown2024monkeys` on repeated sampling with and without a verifier; {cite}`snell2024scaling` on when
#   computing longer at inference replaces a larger model.
# - {cite}`zheng2024sglang` on sharing the prefixes of many prompts.
# - The paper {cite}`yao2023tree`, appendix B.3, on cost; {cite}`chen2021evaluating` for the unbiased best of $k$.
# - In the package: `tot/show/spend.py`, `compare.py`, `ledger.py`, `pareto.py`; `tot/runner.py` (`Budget`, `Ledger`).
