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
# # The poster's table, with a recorded model
#
# The last three chapters built tools, iToT-A\* and iToT-D\*, and showed how they behave with thinkers that we wrote
# ourselves. Now a real language model thinks. It is small, and it was recorded: what stands here replays word for word. The
# iToT poster has one table, of exact match by method. This chapter makes that table in miniature, puts the bill beside each
# row, and then reads the traces. LATS, which the poster's authors could not complete, is a row of ours.
#
# The outcome first, so that nobody waits for a winner: a tree around the chain seems to help this model, and **no search can be
# told from another** by its answers; by their bills some can. The chapter is about how one can know that, and about where the model breaks.
#
# ## Learning objectives
#
# After this chapter you can
#
# - make a table of methods that use tools, with intervals, two bills for tools, and tokens;
# - find out from traces *why* a chain or a search gives a wrong answer, and name the causes with counts;
# - measure a judge: how often it prefers the better of two states;
# - explain LATS in terms of chapters 10 to 12, and check its selection rule against a trace;
# - say when a table does *not* separate two methods, and what would be needed to.

# %%
import json
from collections import Counter
from importlib.resources import files
from itertools import combinations, pairwise, product
from math import inf, log, sqrt
from pathlib import Path
from statistics import fmean
from textwrap import fill, shorten

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()

# %%
lm = tot.Cassette("cassettes/12.jsonl")
task = tot.task("hotpotqa")
EASY, HARD = task.problems("easy"), task.problems("hard")[::2]
SEARCHED, HALF = EASY, EASY[::2]  # half of them with failures, too
dates = sorted({s["date"] for s in lm.tape.sessions.values()})
print(lm.name, "recorded on", ", ".join(dates))
print(f"{len(EASY)} easy questions, {len(HARD)} others")
print(f"trees: on {len(SEARCHED)} easy ones, with failures on {len(HALF)}")

# %% [markdown]
# ## The problem: a table with nothing around it
#
# | the poster's table 1 | exact match on HotpotQA |
# |---|---|
# | Base LM, few-shot, CoT | 0.42, 0.44, 0.47 |
# | ToT-DFS (CoT + ReAct) | 0.46 |
# | ToT best-first (CoT + ReAct) | 0.59 |
# | iToT-A\*, iToT-D\* Lite | 0.62, 0.62 |
# | LATS | "too slow to complete" |
#
# There is no model in it, no number of questions, no bill. We cannot repeat it. We can make one that says all three. Ours has
# a model of 1.5 billion parameters, made for code and squeezed to four bits, which runs on a laptop; questions on the
# bundled encyclopedia, of which the easy third comes first; and short prompts, not `--style paper`. **Compare rows, not rates:** these are
# other questions and another model.
#
# Each run goes through one small function. It may not fail: a recording that lacks a sample says so.


# %%
def ask(method, problems=SEARCHED, **knobs):
    runs = [tot.solve(task, p, method, lm=lm, **knobs) for p in problems]
    assert not any(run.error for run in runs), runs[0].error
    return runs


def scores(runs):
    right = stats.wilson(sum(run.correct for run in runs), len(runs))
    f1 = stats.bootstrap([[run.score.parts["f1"]] for run in runs])
    return {"exact match": right, "F1": f1}


def costs(runs):
    """Means: tools on the path and in all, the model's tokens, rounds."""
    bills = [run.trace.result.get("tools", {}) for run in runs]
    sums = ("path", "total")
    row = {name: fmean(bill.get(name, 0) for bill in bills) for name in sums}
    ledgers = [run.result.ledger for run in runs]
    row["tokens in"] = fmean(each.total.prompt_tokens for each in ledgers)
    row["tokens out"] = fmean(each.total.completion_tokens for each in ledgers)
    return row | {"rounds": fmean(each.rounds for each in ledgers)}


# %% [markdown]
# ## Without tools: forty questions
#
# Chapter 10 asked this model the twenty easy questions, directly and with a chain of thought. Here are twenty of the other
# questions beside them. They describe things without naming them, and often want a look-up.
#
# ### Predict: what does it know by heart?
#
# Which method loses least on the other questions? And which kind of question is easier without an encyclopedia, a bridge
# or a comparison?

# %%
PLAIN = ("io", "few-shot", "cot")
plain = {name: (ask(name, EASY), ask(name, HARD)) for name in PLAIN}
rows = []
for name, groups in plain.items():
    for what, runs in zip(("easy", "other"), groups, strict=True):
        out = fmean(r.result.ledger.total.completion_tokens for r in runs)
        row = {"method": name, "questions": what, "n": len(runs)} | scores(runs)
        row["not read"] = sum(run.result.unread for run in runs)
        rows.append(row | {"tokens out": out})
show.table(rows, caption=f"{lm.name}; no tools; 95% intervals")


# %%
def lines(name):
    text = (files("tot.tasks") / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


articles = {a["title"]: a["text"] for a in lines("encyclopedia.jsonl")}
about = {q["id"]: q for q in lines("encyclopedia_questions.jsonl")}


def by_kind(easy, hard):
    found = {"bridge": [], "comparison": []}
    for run in easy + hard:
        found[about[run.problem]["kind"]].append(run)
    return {kind: scores(runs)["exact match"] for kind, runs in found.items()}


rows = [{"method": name} | by_kind(*groups) for name, groups in plain.items()]
show.table(rows, caption="exact match on all forty, by kind of question")

# %% [markdown]
# The three methods cannot be told apart. The two *kinds* differ far more. About half of the comparisons are right, and that is
# what a coin gives where two names stand in the question. Of the bridge questions, whose answer has to be known, about one in ten is
# right. There is much to win with tools.
#
# ## With tools: one chain
#
# A ReAct chain of at most six steps is the yardstick of all searches here. Chapter 10 asked whether a chain opened *all* the articles
# that a question needs. Models skip some of them. We ask a sharper question: did **the article that holds the answer** come into view?
# (For a comparison that is both.) Then a chain can be wrong in five ways.


# %%
def in_view(state, id):
    """Did the article with the answer come into view (of two, both)?"""
    seen = [t.observation.text for t in state.thoughts if t.observation]
    needed = about[id]["supporting"]
    needed = needed[-1:] if about[id]["kind"] == "bridge" else needed
    starts = [articles[title][:40] for title in needed]
    return all(any(text.startswith(start) for text in seen) for start in starts)


def end(run):
    """The last state of the output; the question alone if there is none."""
    return run.result.best[0].state if run.result.best else tot.State("")


def cause(run):
    seen = in_view(end(run), run.problem)
    if run.correct:
        return "right" if seen else "right, without a look"
    if run.answer is None and run.result.unread:
        return "no action in a reply"
    if run.answer is None:
        return "in view, no answer" if seen else "never in view"
    return "in view, wrong answer" if seen else "answered too early"


# %%
react = ask("react", EASY, depth=6)
for name, n in Counter(map(cause, react)).most_common():
    print(f"{n:3}  {name}")
show.table([scores(react) | costs(react)], caption=f"ReAct; {lm.name}")


# %%
def actions(run):
    """The calls of the path of the output: (action, observation)."""
    return [(t.data, t.observation) for t in end(run).thoughts if t.observation]


# %%
made = [(run.problem, *step) for run in react for step in actions(run)]
kinds = Counter((a.tool, o.failed or "worked") for _, a, o in made)
for (tool, how), n in sorted(kinds.items()):
    print(f"{tool:7} {how:10} {n:4}")
called = [[a.same for a, _ in actions(run)] for run in react]
again = sum(len(calls) - len(set(calls)) for calls in called)
print(f"{again} of {len(made)} calls repeat one of the same chain")
missed = [step for step in made if step[2].failed and step[1].tool == "Search"]
wants = [(about[id]["supporting"], o.text.partition("Similar")[2]) for id, _, o in missed]
hinted = sum(any(title in similar for title in need) for need, similar in wants)
print(f"{hinted} of {len(missed)} failed searches list a needed title as similar")
print(fill("not found: " + "; ".join({a.argument: 1 for _, a, _ in missed}), 80))


# %%
def tell(run):
    print(fill(f"{about[run.problem]['question']} (gold {about[run.problem]['answer']})", 88))
    for thought in end(run).thoughts:
        said, _, action = thought.text.partition("\nAction: ")
        print(fill(f"{said} {action}", 88, initial_indent="   ", subsequent_indent="     "))
        if thought.observation:
            print(f"      -> {thought.observation.text[:76]}")


stuck = [run for run in react if cause(run) == "in view, no answer"]
tell(stuck[1])

# %% [markdown]
# No tool was out of order here. What failed is the asking: many searches are for *descriptions*, and no page is
# called like that. The observation then lists similar titles, nearly always with a needed one among them, and often the next step is the
# same search. Nearly half of all calls repeat an earlier one of their chain.
#
# The most frequent ending is that of the chain above. The answer is in view, the model even says it, and then it goes on
# searching until its steps are used up. A chain has no way to take a step back. A search has: it may take a sibling of the step that
# repeats itself.
#
# ## The table in miniature
#
# Now the trees, on the easy questions: $k = 3$ thoughts for each state and at most five steps. Best-first and the two
# iToT have at most eight rounds ($R$), depth-first may visit 16 states, LATS has three rollouts. One verdict from 0 to
# 1 on each state is $v$; in iToT-A\* a sure answer is worth five searches, $f = g - 5 v$. All methods see the same
# samples where they ask the same thing. So best-first and the two iToT differ in the *order* only; depth-first also in
# what it prunes and in its budget, LATS in its budget and in the lessons of its prompts. That is the fair way to
# compare searches, and the cheap one.
#
# ### Predict: which rows will differ?
#
# Order these by exact match: chain of thought, one ReAct chain, depth-first, best-first, iToT-A\*. Then by total spend on tools.
# With this many questions, how large must a difference be before you believe it?

# %%
TREE = {"k": 3, "depth": 5, "rounds": 8}
names = {"react-best-first": "best-first", "itot-astar": "iToT-A*"}
names |= {"itot-dstar": "iToT-D*"}
chains = {"direct": plain["io"][0], "few-shot": plain["few-shot"][0]}
chains |= {"chain of thought": plain["cot"][0], "ReAct": react}
gold = {p.id: p for p in SEARCHED}
done = {m: [r for r in runs if r.problem in gold] for m, runs in chains.items()}
done["depth-first"] = ask("react-dfs", k=3, depth=5, steps=16)
done |= {label: ask(name, **TREE) for name, label in names.items()}
done["LATS"] = ask("lats", k=3, depth=5, rollouts=3)
rows = [{"method": m, "n": len(r)} | scores(r) | costs(r) for m, r in done.items()]
show.table(rows, caption=f"{lm.name}; easy questions; 95% intervals; means")

# %% mystnb={"image": {"alt": "Exact match of nine methods as points with wide intervals that all overlap. Hollow marks show the poster's numbers in the seven rows that it has; all of them lie to the right of our points."}}
POSTER = {"direct": 0.42, "few-shot": 0.44, "chain of thought": 0.47}
POSTER |= {"depth-first": 0.46, "best-first": 0.59}
POSTER |= {"iToT-A*": 0.62, "iToT-D*": 0.62}
source = {"the poster: other model, other questions, n not given": POSTER}
for row in rows:
    name, ours = row["method"], row["exact match"]
    print(f"{name:17} {ours!s:18} {POSTER.get(name, '')}")
show.plots.rates(rows, y="exact match", references=source, xlabel="exact match")


# %%
def both(a, b, runs=done):
    """The runs of two methods on the same questions, in pairs."""
    theirs = {run.problem: run for run in runs[b]}
    return [(r, theirs[r.problem]) for r in runs[a] if r.problem in theirs]


def paired(a, b, runs=done):
    pairs = both(a, b, runs)
    return stats.paired([r.correct for r, _ in pairs], [r.correct for _, r in pairs])


def more(a, b, part, runs=done):
    """How much more of a bill the first pays, question by question."""
    pairs = both(a, b, runs)
    e = stats.bootstrap([[costs([x])[part] - costs([y])[part]] for x, y in pairs])
    return f"{part} {e.rate:+,.1f} [{e.low:+,.1f}, {e.high:+,.1f}]"


order = ("chain of thought", "ReAct", "best-first", "iToT-A*", "iToT-D*", "LATS")
for b, a in pairwise(order):
    print(fill(f"{a} against {b}: {paired(a, b)}", 88))
    print("   bills:", more(a, b, "total") + ";", more(a, b, "tokens in"), "\n")
pairs = [*combinations(done, 2)]
small = sum(paired(a, b).p < 0.05 for a, b in pairs)
print(f"exact match, {len(pairs)} pairs of rows: {small} with p below 0.05")

# %% [markdown]
# **No search can be told from another**, and no search from a direct answer. The largest difference is that between best-first and the
# chain. Its interval leaves out 0, the exact test is not convinced, and it is the largest of three dozen pairs. That is
# a hint that a tree helps a chain, and no more. Exercise 3 asks how many questions two *searches* would need.
#
# Some *bills* can be told apart. A tree pays about twice as much for tools as a chain and reads about twice
# as much text; a chain reads dozens of times as much as a direct answer. That a method is dearer is seen with few questions. That it
# is better needs many. And the cost in $f$, the reason why iToT exists, saves nothing that could be seen: best-first and iToT-A\* have the same bill.
#
# Where do these two part?

# %%
for a, b in both("best-first", "iToT-A*"):
    if a.correct != b.correct:
        print(fill(f"{about[a.problem]['question']} (gold {about[a.problem]['answer']})", 88))
        for name, run in (("best-first", a), ("iToT-A*", b)):
            print(f"   {name:10} {run.answer}, {run.result.stopped}")
for name in ("best-first", "iToT-A*"):
    events = [e for run in done[name] for e in run.trace.events if e["kind"] == "taken"]
    depth = fmean(n["id"].count(".") for e in events for n in e["nodes"])
    print(f"{name:10} states taken off the open list have {depth:.1f} steps")

# %% [markdown]
# The cost so far is the brake of chapter 11. It keeps iToT-A\* nearer to the root, and on these two questions its eight rounds are used up before it
# is deep enough. That is the brake's price. Its gain would be bad branches that are left early, and a judge that can be believed.
#
# ## Found, and not chosen?
#
# A search can fail in two ways. Either no right answer is in its tree, and then no judge could have helped. Or there is one,
# and it was not taken. The column "a right one in the tree" is an *oracle*: it needs the gold answer, so no method may use it.


# %%
def is_right(id, answer):
    return task.verify(gold[id], answer).correct


def answers(run):
    """Of every answer in the tree: is it right?"""
    said = [n.get("answer") for n in run.trace.nodes().values()]
    return [is_right(run.problem, a) for a in said if a]


TREES = ("depth-first", "best-first", "iToT-A*", "iToT-D*", "LATS")
rows = []
for name in TREES:
    inside = [answers(run) for run in done[name]]
    row = {"method": name, "n": len(inside), "a right one in the tree": sum(map(any, inside))}
    row["right one given"] = sum(run.correct for run in done[name])
    row["none given"] = sum(run.answer is None for run in done[name])
    seen = [in_view(n.state, r.problem) for r in done[name] for n in r.result.visited]
    row["states in view"] = f"{fmean(seen):.0%}"
    rows.append(row | {"answers in a tree": fmean(map(len, inside))})
show.table(rows, caption="questions, of n; answers in a tree: mean")

# %%
for run in done["best-first"]:
    if any(answers(run)) and not run.correct:
        print(about[run.problem]["question"], "Gold:", about[run.problem]["answer"])
        for node in run.result.visited:
            if node.terminal:
                print(f"   verdict {node.value:.2f}  {node.state.answer}")

# %% [markdown]
# Nearly everything that was found was given. (In the tree above it was not: the answer of the prompt's own example, Finland, is valued higher
# than the right one.) So a better choice among the answers has little left to win here. **About half of the trees hold no right answer at
# all.** And that is not because nothing was found: about half of all states have the article with the answer in view.
#
# ## The last inch
#
# Look at the wrong answers to bridge questions, each state once, in all trees but those of LATS (which puts rewards in
# the place of verdicts). In how many of them does the *thought* say the gold answer, while the brackets say something
# else?

# %%
judged = {}  # of all trees: (question, state) -> verdict
for name in TREES[:-1]:  # LATS overwrites values with rewards
    for run in done[name]:
        for node in run.result.visited:
            judged[run.problem, node.state] = node.value
print(f"{len(judged)} states of the four searches' trees, each judged once")
wrong = [(id, s, v) for (id, s), v in judged.items() if s.answer]
wrong = [w for w in wrong if about[w[0]]["kind"] == "bridge"]
wrong = [w for w in wrong if not is_right(w[0], w[1].answer)]
near = {}
for id, state, v in wrong:
    thought = state.last.text.partition("\nAction")[0]
    if task.same(about[id]["answer"]) in task.same(thought):
        said = f"{shorten(thought, 90)} Finish[{state.answer}]"
        said = f"gold {about[id]['answer']}, verdict {v:.2f}: {said}"
        near.setdefault((id, state.answer), []).append(said)
count = sum(map(len, near.values()))
print(f"{count} of {len(wrong)} wrong answers have the right one in the thought\n")
for text, *_ in near.values():
    print(fill(text, 88, subsequent_indent="   "))

# %% [markdown]
# In more than half of them. That is where this model breaks. It searches, it reads, it writes the answer down, and then it puts the
# country, the painter or the opera into the brackets, or the answer of the prompt's example. A search can help only if a
# sibling puts the right word there, *and* the judge prefers it. Look at the verdicts beside the wrong ones.
#
# ## The judge
#
# All these searches lean on $v$. The same small model gives it, one number for each state. What does it know?
#
# ### Predict: how often does the judge prefer the better state?
#
# Take two states of the same question out of the trees: a right and a wrong answer; or one with the answer in view and
# one without; or one whose last call worked and one whose call failed. How often is the better one valued higher? A coin would do it
# in half of the cases.

# %%
edges = [(-1, 0), (0, 0.5), (0.5, 0.75), (0.75, 0.95), (0.95, 1)]
rows = []
for low, high in edges:
    group = [s for (_, s), v in judged.items() if low < (v or 0) <= high]
    label = "0" if low < 0 else f"above {low:g}, to {high:g}"
    row = {"verdict": label, "states": len(group)}
    rows.append(row | {"of these answers": sum(bool(s.answer) for s in group)})
show.table(rows, caption="verdicts on all these states")


# %%
def prefers(groups):
    """How often the better state of a pair is valued higher; ties half."""
    pairs = [pair for group in groups for pair in product(*group)]
    return fmean((a > b) + (a == b) / 2 for a, b in pairs)


BETTER = {
    "a right answer": lambda id, s: is_right(id, s.answer) if s.answer else None,
    "answer in view": lambda id, s: None if s.answer else in_view(s, id),
    "call worked": lambda id, s: None if s.answer else not s.last.observation.failed,
}
rows = []
for name, better in BETTER.items():
    groups = {id: ([], []) for id in gold}
    for (id, state), v in judged.items():
        if (kind := better(id, state)) is not None:
            groups[id][not kind].append(v or 0)
    full = [group for group in groups.values() if all(group)]
    row = {"better": name, "questions with both": len(full)}
    rows.append(row | {"preferred": stats.bootstrap(full, prefers)})
show.table(rows, caption="pairs of states of one question; 95% intervals")

# %%
sure = [(id, s) for (id, s), v in judged.items() if v == 1 and not s.answer]
sure = [(id, s) for id, s in sure if s.last.observation.failed]
print(f"{len(sure)} states have the full score right after a call that found nothing:\n")
for id in ("e05", "e32", "e39", "e41"):
    step = dict(reversed(sure))[id].last
    said = shorten(f"{step.text} -> {step.observation.text}", 200)
    print(fill(said, 88, subsequent_indent="   "))
twins, taken = Counter(), done["iToT-A*"]
for node in (node for run in taken for node in run.result.visited):
    siblings = [c.value for c in node.parent.children if c is not node]
    twins[node.value in siblings] += bool(siblings)
print(f"\n{twins[True]} of {sum(twins.values())} states tie with a sibling")

# %% [markdown]
# On the way the judge is better than a coin, and not by much: it has noticed a little of whether a call worked and whether the answer is
# in view. For answers there are too few questions with a right and a wrong one to say. And it is generous: most states get more than
# three quarters of the full score, wrong answers among them. It believes what the model made up: nobody of the name that stands there patented
# dynamite.
#
# Siblings seldom tie, so this is not the case of exercise 2 in chapter 11, a judge that says the same to everything and so has no
# weight. This one has weight. Its numbers differ, they decide the order, and they say little.
#
# ## One search, looked at closely
#
# iToT-A\* on the question about Fidelio. Read the open list with the picture beside it: what was taken, and what was left?

# %%
one = next(run for run in done["iToT-A*"] if run.problem == "e05")
print(about[one.problem]["question"], "Gold:", about[one.problem]["answer"])
print(show.open_list(one.trace, most=3))
show.svg(one.trace, lines=4, chars=20)

# %%
show.tool_calls(one.trace)

# %% [markdown]
# Of the three first steps two fail. One, 0.1, opens the page of the opera, which names the composer. The judge gives the failed
# search for a description nearly the full score, and the page that helps *nothing*. So 0.1 waits. For two steps it is
# even the first in line, but what is found below 0.0 always gets a higher value, and nobody comes back to it. Below 0.0
# the model searches for "Bonn, Germany", which is no title, and looks things up with no page
# open. Then it thinks that Bonn is the correct answer, and finishes with the name of the opera.
#
# The search did what it was told: at each turn it took the lowest $f$. It had a thinker that asks badly and a judge that looks
# away.
#
# ## Eager or lazy
#
# The poster runs the tools of all children. Lazy tools run when a state is taken up; until then it is judged by its action alone.
#
# ### Predict: does this judge know a good action when it sees one?
#
# Lazy tools save calls and cost verdicts. If the judge cannot tell a good action before its tool has run, what happens to
# the number of right answers?

# %%
lazy = {"eager": done["iToT-A*"]}
lazy |= {"lazy": ask("itot-astar", lazy=True, **TREE)}
rows = [{"iToT-A*, tools": n} | scores(r) | costs(r) for n, r in lazy.items()]
print(fill(f"lazy against eager: {paired('lazy', 'eager', lazy)}", 88))
for part in ("total", "rounds", "tokens in"):
    print("   bills:", more("lazy", "eager", part, lazy))
same = sum(a.answer == b.answer for a, b in both("lazy", "eager", lazy))
print(f"{same} of {len(SEARCHED)} answers are the same")
show.table(rows, caption=f"{len(SEARCHED)} easy questions; 95% intervals; means")

# %% [markdown]
# Here is a difference that few questions can show. Lazy tools give the same answers for little more than half of the spend on tools. They
# wait for more rounds and read a little more text, since what is taken up is judged twice. No interval of these bills has 0 in it. What
# is saved are the calls of states that nobody ever takes up. (The interval of the scores has no width, because both are right
# on the same questions. That says that this sample shows no difference, not that there is none.)
#
# ## LATS, under a budget
#
# **Language Agent Tree Search** {cite}`zhou2024language` walks the same tree in another way. The next chapter builds Monte Carlo
# tree search from scratch; here is what is needed to read its row. A **rollout** has five phases:
#
# 1. *Select.* Go down from the root to a leaf. At each state take the child of highest
#    $\text{UCB1} = Q + C \sqrt{\ln N_\text{parent} / N}$. $Q$ is the mean reward of the rollouts that went through the child,
#    $N$ their number. A child that nobody has visited comes first. So rewards attract, and visits repel.
# 2. *Expand.* Sample $k$ next steps, and run the tool of the one that the rollout goes on with. (A sister's tool runs
#    when her turn comes.)
# 3. *Simulate.* Go on from there, by the best value at each step, with the tools of all children, until there is an
#    answer or no step left.
# 4. *Reflect.* If the answer is not good enough, ask the model what to do differently. The lesson stands in all later prompts.
# 5. *Back up.* Pay the reward to every state on the way.
#
# The authors' reward comes from the environment, which knows the gold answer, and a right one ends their search. That is not a
# method that anybody could use on a question that is really open. **Ours has no gold**: the reward is the judge's value of
# the answer, and the search ends at 0.9 or after three rollouts.
#
# | | iToT-A\* | LATS |
# |---|---|---|
# | what is next | one open list for the whole tree | a walk from the root |
# | a value | is believed as it is | is averaged over rollouts |
# | a step forward | one state is expanded | a whole simulation, down to an answer |
# | tools | priced in $f$ | free, as far as the search knows |
# | what was learnt | stays in its branch | lessons, in every later prompt |
#
# Is the selection rule what we say it is? The next cell walks down every recorded LATS tree by our own UCB1, and
# compares with the leaf that the trace names.


# %%
def ucb1(child, parent, C=1.0):
    if not child.get("visits"):
        return inf
    return child["mean"] + C * sqrt(log(parent["visits"]) / child["visits"])


def leaf(tree):
    """The leaf, and at how many states above it rewards were weighed."""
    at, weighed = "0", 0
    while kids := [id for id, n in tree.items() if n.get("parent") == at]:
        at = max(kids, key=lambda id: round(ucb1(tree[id], tree[at]), 9))
        weighed += len(kids) > 1 and bool(tree[at].get("visits"))
    return at, weighed


checked = []
for run in done["LATS"]:
    tree = {}
    for event in run.trace.events:
        if event["kind"] == "selected" and tree:
            at, weighed = leaf(tree)
            assert [at] == [n["id"] for n in event["nodes"]]
            dead = "answer" in tree[at] or at.count(".") == 5
            checked.append((weighed > 0, dead))
        for n in event["nodes"]:
            tree[n["id"]] = tree.get(n["id"], {}) | n
weighed, dead = map(sum, zip(*checked, strict=True))
print(f"{len(checked)} selections after the first, all by UCB1;")
print(f"rewards weighed against each other: {weighed}; nothing to expand: {dead}")


# %%
def so_far(run):
    """The best answer after each rollout; a search that ends keeps it."""
    nodes, found = run.trace.nodes(), []
    for event in run.trace.events:
        if event["kind"] == "selected":
            found.append(found[-1] if found else None)
        if event["kind"] == "best":
            found[-1] = nodes[event["nodes"][0]["id"]].get("answer")
    return found + found[-1:] * (3 - len(found))


by_rollout = zip(*map(so_far, done["LATS"]), strict=True)
for i, said in enumerate(by_rollout):
    n = sum(is_right(r.problem, a) for r, a in zip(done["LATS"], said, strict=True))
    print(f"after rollout {i + 1}: {sum(map(bool, said))} answers, {n} right")
lessons = {}
for run in done["LATS"]:
    for event in run.trace.events:
        if event["kind"] == "reflected" and event["lesson"]:
            lessons.setdefault(run.problem, []).append(event["lesson"])
count = sum(map(len, lessons.values()))
print(f"{count} lessons, in {len(lessons)} searches")

# %%
for id in ("e05", "e12", "e41"):
    print(fill(f"{about[id]['question']} (gold {about[id]['answer']})", 88))
    for text in lessons[id]:
        print(fill(text, 88, initial_indent="   - ", subsequent_indent="     "))

# %% [markdown]
# Is that worth calling a lesson? Some repeat the question. Some ask for what is not there, "a reliable music database". One is worse: the
# model had made up a man who patented dynamite, and now the lesson tells all other branches to look for him. A tree keeps an error in
# its branch; a lesson carries it into every later prompt. Nobody had said *what* was wrong, for nobody in the search knows. And more
# rollouts did not bring more right answers: a later answer takes the place of an earlier one if the judge likes it better.
#
# Look also at the selections. Not once were rewards weighed. A state has up to three children, each is visited once before any is
# visited twice, and after three rollouts the budget is gone. With so few rollouts UCB1 says no more than "try each once". A few selections
# even ended where nothing can be expanded: in our LATS only the selected leaf counts as visited, the states of its simulation look
# new, and the next rollout may run into the same dead end. More rollouts are dear: a simulation expands a state at every step
# down, with tools for each child. "Too slow to complete" is what one has to expect.
#
# ## When tools fail
#
# Now three calls in ten fail on purpose, at random and for the moment: "the tool is out of order". Trying again may help. The model
# is not told; it reads the observation. (Recorded on every other easy question.)
#
# ### Predict: who notices?
#
# What will a ReAct chain do after such a failure: ask again, ask for something else, or answer? And with 30 % failures, does iToT-D\*,
# which makes the ways of failed tools dearer, arrive more often or for less than iToT-A\*?

# %%
RATE = "Search=0.3,Lookup=0.3,seed=1"
broken = {"ReAct": ask("react", HALF, depth=6, failures=RATE)}
for method, name in names.items():
    broken[name] = ask(method, HALF, failures=RATE, **TREE)
half = {p.id for p in HALF}
whole = {m: [r for r in done[m] if r.problem in half] for m in broken}
rows = []
for name, runs in broken.items():
    for rate, group in (("0%", whole[name]), ("30%", runs)):
        row = {"method": name, "failures": rate} | scores(group)
        rows.append(row | costs(group))
show.table(rows, caption=f"{len(HALF)} easy questions; 95% intervals; means")


# %%
def reaction(run):
    """After each injected failure on the way of the output: what next?"""
    thoughts = end(run).thoughts
    for before, after in pairwise(thoughts):
        if before.observation and before.observation.failed == "error":
            same = before.data.same == after.data.same
            yield "asks again" if same else f"turns to {after.data.tool}"


for name, runs in broken.items():
    after = Counter(what for run in runs for what in reaction(run))
    counts = ", ".join(f"{what} {n}" for what, n in sorted(after.items()))
    print(f"{name:10} {counts or 'no failure on the way of an output'}")

# %% [markdown]
# **Re-planning efficiency**, as chapter 12 defines it: what a question costs *more* with failures than without, in spend and in
# rounds, for those questions whose run met a failure. Beside it stand the answers that were lost and won, because
# a run that gives up saves money, too.


# %%
def met_one(run):
    nodes = run.trace.nodes().values()
    return any(node.get("failed") == "error" for node in nodes)


rows = []
for name, runs in broken.items():
    pairs = zip(whole[name], runs, strict=True)
    met = [(a, b) for a, b in pairs if met_one(b)]
    row = {"method": name, "runs that met one": len(met)}
    for part in ("total", "rounds"):
        extra = [[costs([b])[part] - costs([a])[part]] for a, b in met]
        e = stats.bootstrap(extra)
        row[f"extra {part}"] = f"{e.rate:+.1f} [{e.low:+.1f}, {e.high:+.1f}]"
    row["lost"] = sum(a.correct > b.correct for a, b in met)
    rows.append(row | {"won": sum(a.correct < b.correct for a, b in met)})
show.table(rows, caption="30% of calls fail; 95% intervals")

# %%
print(fill(f"iToT-D* against iToT-A*: {paired('iToT-D*', 'iToT-A*', broken)}", 88))
print("D* minus A*:", more("iToT-D*", "iToT-A*", "total", broken), "\n")
for rate, runs in (("0%", whole["iToT-D*"]), ("30%", broken["iToT-D*"])):
    charged = Counter()
    for run in runs:
        nodes = run.trace.nodes()
        for event in run.trace.events:
            if event["kind"] == "propagated":
                charged.update(nodes[id]["failed"] for id in event["failed"])
    print(f"failures charged to a way, at {rate}: {dict(charged)}")

# %% [markdown]
# Nothing here is larger than chance. The poster says that iToT-D\* excels where tools fail often; ten questions neither show that nor
# refute it. Two things are worth seeing all the same.
#
# *The limits pay the bill.* A chain has six steps and a tree eight rounds, with failures or without. So a failure can hardly raise the
# spend; it takes the place of a step that would have helped. What it costs, it costs in answers. That is why lost and won stand beside the extra.
# And a failure on the way is met in all manners: chains ask again about as often as they turn to something else.
#
# *Most failures are home-made.* Without any failure the two algorithms are one and the same search, and the poster explains its equal scores by
# few failures. Here iToT-D\* charges failures when no tool has failed on purpose: "could not find" is a failure in the poster's sense, and this
# model makes plenty of them. With three calls in ten broken, they are still about half of all that is charged. A charge for a call that was
# badly asked for warns of the way where it happened. But the fault is not in the way. It is in the thinker, who comes along on every way.
#
# ## On the real HotpotQA
#
# The questions of this book are easier than HotpotQA's, and its encyclopedia is tiny. Here is a sample of the real set: each
# question with its own ten paragraphs as the corpus, and the same prompts. Only figures are in the book, no questions.

# %%
real = json.loads(Path("../studies/results/benchmark_samples.json").read_text())
rows = []
for method, seen in real["hotpotqa"].items():
    row = {"method": method, "n": seen["n"]}
    row["exact match"] = stats.wilson(seen["correct"], seen["n"])
    row["F1"] = stats.Interval(*seen["f1"], seen["n"])
    for part in ("path", "total"):
        row[part] = seen.get(f"tool {part}", [None])[0]
    rows.append(row | {"tokens": seen["tokens"], "not read": seen["unread"]})
models = {f"{x['model']}, {x['dates'][0]}" for x in real["hotpotqa"].values()}
show.table(rows, caption=f"HotpotQA, a sample of its dev set; {'; '.join(models)}")

# %% [markdown]
# With tools or without, the model gets few real questions right, by a chain of thought none at all, and all intervals overlap. The
# chain with tools reads thousands of tokens for that. So the easy questions above are a fair start for this model, and no picture of
# HotpotQA. The searches were not run on this sample: where so little is right, it takes hundreds of questions to see a tree help a chain.
#
# ## Where it fails
#
# - **Few questions.** They can show that tools help, if they help much. They cannot rank three searches that see the same samples.
# - **One model, one prompt.** Another prompt may move a row more than another search does. The prompts were mended on a few
#   questions before the recording, for form, not for scores. And a reply may have sixty tokens: some thoughts end there.
# - **The judge is the thinker.** What the model does not know as a thinker, it does not know as a judge.
# - **Small trees.** Three thoughts and eight rounds are little. With more rounds the searches differ more, and cost more.
# - **Exact match.** "Dinant, a town in Belgium" would be no Dinant. F1 stands beside it; both miss what a person would accept.
#
# ## Summary
#
# - A table of methods needs n, intervals, both bills for tools, and tokens. Then it can be doubted, and used.
# - Bills are told apart with few questions, scores with many.
# - The one saving that shows is that of lazy tools: the same answers for less spend, and for more waiting.
# - Siblings of a bad step seem to help even a weak thinker. In which order they are taken up is another matter.
# - Read the traces by cause. "Wrong" has at least five meanings, and each asks for another cure.
# - The oracle row splits failures in two: not found, or found and not chosen. Where little is found, the order of search cannot matter much.
# - A judge is worth what it can tell apart. Measure it before you build a search on it.
# - LATS is Monte Carlo tree search on the same steps, with lessons. Without gold its reward is the judge's opinion.
# - "Not found" is a failure in the poster's sense. With a weak thinker it is mostly a failure of the asking.
#
# ## Exercises
#
# ### Exercise 1: a vote instead of a judge
#
# The trees hold several answers to a question. Let them vote: the most frequent answer in a tree wins, whatever its value. Is that better
# than what the search chose?
#
# <details><summary>Hint</summary>
#
# `run.result.visited` holds all states that were judged; `task.same(answer)` is an answer's normal form. A `Counter` votes, and keeps the
# first of equals.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for name in TREES:
    votes = []
    for run in done[name]:
        said = [n.state.answer for n in run.result.visited if n.terminal]
        winner = Counter(map(task.same, said)).most_common(1)
        answer = winner[0][0] if winner else None
        votes.append(task.verify(gold[run.problem], answer).correct)
    chosen = [run.correct for run in done[name]]
    print(f"{name:12} chosen {sum(chosen):2}, by vote {sum(votes):2}")
# The vote is no better. There is about one answer to a tree, and those of one tree are
# not independent: they share beginnings. A vote among them is a vote among siblings.

# %% [markdown]
# ### Exercise 2: what a chain pays for its rules
#
# Every step of ReAct sends the rules and the whole path again. How many of its prompt tokens would be left to pay if a provider
# charged each token of a chain's prompts once (prefix caching)?
#
# <details><summary>Hint</summary>
#
# In a chain each prompt begins like the one before. The events of kind `asked` have `prompt_tokens` for each request. The last prompt
# holds nearly everything.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
sent = last = 0
for run in react:
    asked = [e for e in run.trace.events if e.get("role") == "generator"]
    tokens = [r["prompt_tokens"] for e in asked for r in e["requests"]]
    sent, last = sent + sum(tokens), last + max(tokens)
print(f"sent {sent}, in the last prompts alone {last}: {last / sent:.0%}")
# That is the best case: the last lines of each prompt are new every time.

# %% [markdown]
# ### Exercise 3: how many questions?
#
# Take the two searches whose scores differ most among best-first, iToT-A\* and LATS. If the shares of questions that only one of them
# solves stay as they are, how many questions would McNemar's test need to notice it at 5 %?
#
# <details><summary>Hint</summary>
#
# `stats.mcnemar(b, c)` takes the two counts. Multiply both by the same factor until p is below 0.05. If the counts are equal, no
# number is enough.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def needed(a, b):
    found = paired(a, b)
    only = found.only_a, found.only_b
    for times in range(1, 500):
        if stats.mcnemar(*(n * times for n in only)) < 0.05:
            return f"only one right {only}: about {times * found.n}"
    return f"only one right {only}: no number of questions would do"


for pair in combinations(("best-first", "iToT-A*", "LATS"), 2):
    print(*pair, needed(*pair))
# If the true shares were exactly these, a new sample would show them only in
# half of the cases: for a fair chance take twice as many.

# %% [markdown]
# ### Exercise 4: repeat yourself
#
# A chain that repeats a call learns nothing from it, and pays. How many of the chains with a repeated call were right, and how many
# of the others? Does that show that repeating does harm?
#
# <details><summary>Hint</summary>
#
# `actions(run)` gives the calls of a chain, and `action.same` is equal for calls that ask for the same thing.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
split = {True: [], False: []}
for run in react:
    calls = [action.same for action, _ in actions(run)]
    split[len(calls) > len(set(calls))].append(run.correct)
for repeats, group in split.items():
    word = "with" if repeats else "without"
    print(f"{word} a repeated call: {stats.wilson(sum(group), len(group))} right")
# Had repeating chains been right less often, that would still not show harm: a hard
# question makes a chain repeat itself *and* go wrong. To show harm, forbid it and run again.

# %% [markdown]
# ## Further reading
#
# - LATS: {cite}`zhou2024language`, section 4. ReAct: {cite}`yao2023react`. HotpotQA: {cite}`yang2018hotpotqa`.
# - UCB1: {cite}`auer2002finite`; Monte Carlo tree search is built in the [next chapter](13_mcts_from_scratch.ipynb).
# - In the package: `tot/methods/acting.py` (all methods of this chapter), `studies/plans.py` (what was recorded),
#   `studies/benchmark_samples.py` (the sample of HotpotQA).
