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
# The iToT poster {cite}`mousavi2024informed` compares trees of thoughts that search with tools, in one table of exact match by method. One row is
# missing from it: what if you search *once*, with the question itself, read what comes up, and answer? This chapter makes the table again in
# miniature, with that row. What follows is a detective story, for something is lost on the way from the question to the answer.

# %% tags=["set-up"]
# imports, the recorded model, and the questions
from collections import Counter
from itertools import combinations, product
from statistics import fmean
from textwrap import fill, shorten

import tot
from tot import stats
from tot.tasks.bundled import records_of
from tot.tasks.hotpotqa import ARTICLES, QUESTIONS
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/12.jsonl")
task = tot.task("hotpotqa")
EASY, OTHER = task.problems("easy"), task.problems("hard")[::2]
gold = {p.id: p for p in EASY + OTHER}
articles = {a["title"]: a["text"] for a in records_of(ARTICLES)}
about = {q["id"]: q for q in records_of(QUESTIONS)}

# %% tags=["remove-input"]
show.concepts.leaks()

# %% [markdown]
# **Figure.** The row that is missing from the poster, and the four suspects: how it asks, how it chooses, how it says what it found (the last inch), and
# how it judges. Which of the two ways gets more right answers through?
#
# <aside class="margin">Who plays: a recorded model, Qwen2.5-Coder with 1.5 billion parameters in four bits, on the book's own questions. A weak model
# loses many answers, so there is something to find.</aside>
#
# (In a hurry? Read [the row that was missing](#the-row-that-was-missing), [suspect three](#suspect-three-the-last-inch) and
# [the repair](#the-repair).)
#
# ## Learning objectives
#
# After this chapter you can
#
# - say before you spend anything which difference your $n$ can show;
# - put a baseline without a search beside every search, with its bill;
# - tell from traces whether a right answer was not found, not chosen, or found and not said;
# - repair one link of a method, and measure what the repair alone is worth.
#
# ## What can twenty questions show?
#
# Most of this page uses the twenty easy questions about the encyclopedia of [chapter 10](10_tools_costs_failures.ipynb), because trees are expensive to
# record. Two methods that answer the same questions are compared by McNemar's exact test ([why](../book/comparisons.md)): only questions that exactly one
# of the two gets right count. Suppose that one method never loses. How many questions must it win?


# %%
def least(n):
    """The smallest difference with p < 0.05, if one never loses."""
    wins = next(k for k in range(n) if stats.mcnemar(k, 0) < 0.05)
    return f"{wins} of {n} questions, {wins / n:.0%}"


print(least(20))
print(least(40))

# %% [markdown]
# So differences below thirty points stay invisible here.
#
# ## The row that was missing
#
# | table 1 of the poster | exact match on HotpotQA |
# |---|---|
# | Base LM, few-shot, CoT | 0.42, 0.44, 0.47 |
# | ToT-DFS (CoT + ReAct) | 0.46 |
# | ToT best-first (CoT + ReAct) | 0.59 |
# | iToT-A\*, iToT-D\* Lite | 0.62, 0.62 |
# | LATS (another tree search, [a study](study_lats.ipynb)) | "too slow to complete" |
#
# It names no model, no number of questions and no bill. Ours has other questions and another model: **compare rows, not rates.**
#
# The new row is called **retrieve, then read** (method `retrieve-read`): one full-text search with the question itself, and one request
# that shows the five best articles and asks for the answer.

# %%
question = EASY[2]
one = tot.solve(task, question, "retrieve-read", lm=lm, articles=5)
tokens = one.result.ledger.total.prompt_tokens
print(fill(question.x, 70))
print(f"{one.answer}; {tokens} tokens in")

# %% [markdown]
# Chapter 10 ran it: it answers 17 of the twenty. Against it stand one ReAct chain of at most six steps, and four trees with three thoughts for each
# state, at most five steps deep. Depth-first takes up 16 states, best-first and both iToT eight. (In iToT-A\* $f = g - 5v$, with $g$ what the calls on the way cost and $v$
# the verdict; iToT-D\* makes a state whose tool failed dearer, and the way to it, as in chapter 12.) Where two methods ask the same thing they get the same sample, so
# best-first and both iToT differ only in their *order*, which decides what is asked next.
#
# ### Predict: the best search over steps
#
# The model is the same everywhere, and so are the articles.

# %% tags=["set-up"]
# all methods on all questions, and their bills
TREE = {"k": 3, "depth": 5, "rounds": 8}
SEARCHES = {
    "ReAct": ("react", {"depth": 6}),
    "depth-first": ("react-dfs", {"k": 3, "depth": 5, "steps": 16}),
    "best-first": ("react-best-first", TREE),
    "iToT-A*": ("itot-astar", TREE),
    "iToT-D*": ("itot-dstar", TREE),
}
TREES, READ = list(SEARCHES)[1:], "retrieve and read"
METHODS = {
    "chain of thought": ("cot", {}),
    READ: ("retrieve-read", {"articles": 5}),
    **SEARCHES,
}


def ask(method, problems=EASY, **more):
    return [tot.solve(task, p, method, lm=lm, **more) for p in problems]


def hits(runs):
    return [run.correct for run in runs]


def bill(run):
    tools, spent = run.trace.result.get("tools", {}), run.result.ledger
    row = {"tool calls": tools.get("calls", 0)}
    row["tokens in"] = spent.total.prompt_tokens
    return row | {"waits": spent.rounds}


done = {name: ask(m, **more) for name, (m, more) in METHODS.items()}
rows = []
for name, runs in done.items():
    found, bills = hits(runs), [bill(run) for run in runs]
    row = {"method": name, "exact match": stats.wilson(sum(found), 20)}
    for part in bills[0]:
        row[part] = f"{fmean(b[part] for b in bills):,.0f}"
    if name in SEARCHES:
        e = stats.paired(hits(done[READ]), found)
        told = f"{e.only_a}:{e.only_b}, p {e.p:.1g}"
        row["new row against it"] = told
    rows.append(row)
found = [hits(done[name]) for name in SEARCHES]
ps = [stats.paired(*pair).p for pair in combinations(found, 2)]
date = min(s["date"] for s in lm.tape.sessions.values())
note = f"20 questions, 95% intervals; {lm.name}, {date}; "
note += f"the smallest p of two searches: {min(ps):.1g}"
table = show.table(rows, caption=note, highlight=1)
asked = "How many of the twenty does the best search over steps answer?"
show.Predict(asked, max(map(sum, found)), low=0, high=20, shows=table)

# %% [markdown]
# **Table.** One search with the question scores highest, and reads a fraction of what the searches over steps read.
#
# Bills are means; a *wait* is one round of requests, to the model or to the tools. For the single search each of the five articles counts as a tool call. The last column counts questions that only one of the two got right. Against
# four of the five searches the single search is ahead by more than chance, also with Holm's correction for five tests; against best-first it may be
# chance. No two searches differ by more than chance. (Short articles, a small encyclopedia, and questions that use its words all help the new row.)
#
# ## Suspect one: the asking
#
# The searches live in the same world, with the same articles one call away. Where do they lose the answers? Start with the single chain, on the
# same question.


# %% tags=["set-up"]
# the steps of one chain as a table
def end(run):
    """The last state of the output; empty if there is none."""
    best = run.result.best
    return best[0].state if best else tot.State("")


react = done["ReAct"]
chain = end(next(run for run in react if run.problem == question.id))
rows = []
for i, t in enumerate(chain.thoughts, 1):
    said, _, call = t.text.partition("\nAction: ")
    found = t.observation.text if t.observation else ""
    row = {"step": i, "thought": said, "call": call}
    rows.append(row | {"came back": shorten(found, 66)})
calls = [row["call"] for row in rows]
seen = lambda row: row["call"] in calls[: row["step"] - 1]  # noqa: E731
show.table(rows, highlight=seen)

# %% [markdown]
# **Table.** A chain that goes round in circles: the marked calls were made before. It is told the right titles three
# times, and opens neither. In the end it says Bonn, which it has not read, and puts more than Bonn into the brackets.


# %% tags=["set-up"]
# of all chains: repeated calls, failed searches, endings
def in_view(state, id):
    """The article with the answer (of a comparison: both articles)."""
    seen = [t.observation.text for t in state.thoughts if t.observation]
    needed = about[id]["supporting"]
    if about[id]["kind"] == "bridge":
        needed = needed[-1:]
    starts = [articles[title][:40] for title in needed]
    return all(any(start in text for text in seen) for start in starts)


made = repeated = 0
for run in react:
    path = [t for t in end(run).thoughts if t.observation]
    made += len(path)
    repeated += len(path) - len({t.data.same for t in path})
print(f"{repeated} of {made} calls repeat an earlier one")
silent = [run for run in react if run.answer is None]
full = [run for run in silent if len(end(run).thoughts) == 6]
had = sum(in_view(end(run), run.problem) for run in full)
print(f"{len(silent)} of 20 chains give no answer. {len(full)} of them")
print(f"used six steps, {had} with the answer's article in view")

# %% [markdown]
# Every tool was working. The model searches for *descriptions*, such as "composer of Fidelio", and no page is called
# that. Offered a title that would do, it repeats the same request. So the asking wastes nearly half of the
# calls. But it is not what keeps the chains silent. Of the nine that used up their steps, six had the article with the answer before them and did
# not stop. The other four broke off with a reply without an action ([chapter 10](10_tools_costs_failures.ipynb)).
#
# A chain cannot take a step back, whereas a tree can take a sibling of the step that repeats itself. So on to the trees.
#
# ## Suspect two: the choosing
#
# A tree can fail in two ways. Either it holds no right answer, and then no judge could have helped; or it holds one,
# and another was chosen. To tell which, we need the gold answers: an **oracle**, which no method may use.


# %%
def is_right(id, answer):
    return task.verify(gold[id], answer).correct


def answers(run):
    said = (n.get("answer") for n in run.trace.nodes().values())
    return {task.same(a): a for a in said if a}.values()


def holds_a_right_one(run):
    return any(is_right(run.problem, a) for a in answers(run))


# %% tags=["set-up"]
# the oracle's split
rows = []
for name in TREES:
    runs = done[name]
    many = fmean(len(answers(run)) for run in runs)
    row = {"method": name, "answers in a tree": round(many, 1)}
    row["a right one in the tree"] = sum(map(holds_a_right_one, runs))
    row["a right one chosen"] = sum(hits(runs))
    bare = [run for run in runs if not holds_a_right_one(run)]
    row["none in the tree"] = len(bare)
    row["of these, article in some state"] = sum(
        any(in_view(n.state, r.problem) for n in r.result.visited)
        for r in bare
    )
    rows.append(row)
show.table(rows, caption=f"of {len(EASY)} questions")

# %% [markdown]
# **Table.** About half of the trees hold no right answer, although in most of these some state has the article with the answer before it.
#
# Choosing better would win at most one question a method, since a tree holds only about one answer. So the answers are lost earlier. If no state had the
# article in view, it is the asking, or a judge that led the search elsewhere. But in most trees without a right answer the article was read. What did the model write, with
# the answer before its eyes?
#
# ## Suspect three: the last inch
#
# Take the wrong answers to bridge questions (those that lead through a second article) in all four trees. A step that ends
# a path has a *thought* and, in brackets, the answer that counts: `Finish[...]`. Look at both.

# %% tags=["set-up"]
# wrong answers whose thought has the right one
judged = {  # of all trees: (question, state) -> verdict
    (run.problem, node.state): node.value or 0
    for name in TREES
    for run in done[name]
    for node in run.result.visited
}
wrong, near = [], {}
for (id, s), verdict in judged.items():
    q = about[id]
    if q["kind"] != "bridge" or not s.answer or is_right(id, s.answer):
        continue
    wrong.append(id)
    thought = s.last.text.partition("\nAction")[0]
    if task.same(q["answer"]) in task.same(thought):
        said = shorten(thought, 64, placeholder=" ...")
        row = {"gold": q["answer"], "the thought says": said}
        row |= {"the brackets say": s.answer}
        row |= {"verdict": f"{verdict:.2f}"}
        near.setdefault(id, []).append(row)
print(f"{len(wrong)} wrong answers, to {len(set(wrong))} questions.")
print(f"Right in the thought: {sum(map(len, near.values()))},", end=" ")
print(f"to {len(near)} questions.")
show.table([found[0] for found in near.values()])

# %% [markdown]
# **Table.** One for each of the five questions: found, and not said. The model writes the answer down, and then puts the country, the
# inventor or the opera into the brackets, or *Finland*, the answer of the prompt's own example.
#
# Here is a culprit. More than half of these wrong answers lose the right one in the last inch, though on five questions only. So a method may have
# read the answer and not handed it over, and then the table at the top measures that leak along with the search.
#
# ## Suspect four: the judge
#
# A verdict of 1.00 for a wrong answer makes you look at the judge, too. It is the same small model, it gives one number
# to each state, and it decides where a tree goes next.
#
# ### Predict: how often does the judge prefer the better state?
#
# Take two unfinished states of one question, one with the article in view and one without. A coin would prefer the first in half of the
# pairs.


# %% tags=["set-up"]
# how often the better of two states is valued higher; ties half
def prefers(groups):
    couples = [pair for group in groups for pair in product(*group)]
    return fmean((a > b) + (a == b) / 2 for a, b in couples)


groups = {p.id: ([], []) for p in EASY}
for (id, s), v in judged.items():
    if not s.answer:
        groups[id][not in_view(s, id)].append(v)
e = stats.bootstrap([g for g in groups.values() if all(g)], prefers)
text = f"95% interval: {e.low:.0%} to {e.high:.0%}, n = {e.n} questions"
asked = "How often is the state with the article valued higher?"
how = {"low": 0, "high": 100, "unit": "%", "shows": text}
show.Predict(asked, round(100 * e.rate), **how)

# %% [markdown]
# It is better than a coin, but not by much. The trees hold too few finished answers to say whether the judge knows a right one.
#
# ## The repair
#
# The cheapest honest repair leaves the search alone. With `answer="asked"` it ends as before; then
# **one** short request shows the path without the brackets and asks, *What is the answer to "…"? Reply with the answer only, in one to five words.*
# It contains no gold. Everything else replays from the same recording, so the repair alone makes the difference.

# %%
mended = {}
for name, (method, more) in SEARCHES.items():
    mended[name] = ask(method, answer="asked", **more)

# %% [markdown]
# ### Predict: who gains?
#
# Each of the five searches ends with the one request.

# %% tags=["set-up"]
# before and after; the single search on top
rows = []
for name, runs in {READ: done[READ], **mended}.items():
    was, now = hits(done[name]), hits(runs)
    both = stats.paired(now, was)
    row = {"method": name, "before": sum(was), "asked": sum(now)}
    row |= {"won": both.only_a, "lost": both.only_b}
    silent = [run.answer is None for run in done[name]]
    row["won from silence"] = sum(map(min, silent, now))
    views = [in_view(end(run), run.problem) for run in runs]
    rows.append(row | {"article in view": sum(views)})
columns, note = list(rows[0]), "right answers of 20"
table = show.table(rows[1:], columns, caption=note)
old = {row["method"]: row["before"] / 20 for row in rows[1:]}
for row in rows:
    row["rate"] = stats.wilson(row["asked"], 20)
look = {"xlabel": "exact match, asked"}
look["references"] = {"with the answer from the brackets": old}
alt = "All five searches lie to the right of their old marks. Retrieve "
alt += "and read and the ReAct chain are level at the top."
how = {"figure": show.plots.rates(rows, **look), "alt": alt}
most = max(rows, key=lambda row: row["won"])["method"]
asked = "Which method gains most by the repair?"
show.Predict(asked, most, choices=list(SEARCHES), shows=table, **how)

# %% [markdown]
# **Figure.** One more request lifts the chain from the last place to the top, level with the single search. Eleven of
# its thirteen gains are questions on which it had said nothing; the trees' gains mostly replace wrong brackets.
#
# ## Does searching matter, once the leak is closed?
#
# **If it does, this sample cannot show it.** Before the repair every tree scored above the chain, and after it none does; neither difference is more than
# chance. Nor does any tree score above the single search, which reads an eighth of their tokens or less.
#
# Why does more searching not bring more? The four trees bring the article with the answer into view on their chosen paths hardly more often than one chain, on 13 to 15
# questions against 12. The chain answers all of these, and five others without the article: three ask which of two things is greater, where a guess is often right,
# and the rest the model may have known.
#
# ### On questions that were set aside
#
# The leak was found on the easy questions, by looking at gold answers, and a repair looks good where it was designed. Twenty others had been set aside, which
# describe things without naming them. Chain and single search were recorded on them.

# %% tags=["set-up"]
# only the questions set aside
asked = ask("react", OTHER, depth=6, answer="asked")
plain = ask("react", OTHER, depth=6)
single = ask("retrieve-read", OTHER, articles=5)
for name, runs in ("plain chain", plain), ("single search", single):
    e = stats.paired(hits(asked), hits(runs))
    print(f"chain, asked {e.a:.0%}, {name} {e.b:.0%} of 20", end="; ")
    print(f"only one right {e.only_a}:{e.only_b}, p = {e.p:.2g}")

# %% [markdown]
# On these, too, the repair helps the chain: it wins seven and loses none. So the poster's question, which *order* of search is best, is not the one
# that mattered for this model. What mattered here was whether it hands over what it has read.
#
# > **In practice.** Run the single search first: it is the cheapest row of the table. If you search over steps, end with one plain request for
# > the answer. And save on tools: lazy ones (chapter 11) get as many right here and save two calls in five (exercise 4).
#
# > **Where it breaks.** This is a small world: where a million articles share a question's words, one search finds
# > less, and steps that follow what was just learnt may earn their price. It is one model with one set of prompts. A
# > model that finishes in time and keeps its brackets clean has no leak to repair. And the repair changes what a tree *says*, not which states its
# > judge took up.
#
# ## Summary
#
# - Twenty questions show no difference below thirty points, and thirty only if nothing is lost. Bills differ long before scores do.
# - One full-text search with the question, then one answer, scored above every search over steps at a fraction of the
#   tokens; against four of the five that is more than chance. A table of searches needs that row.
# - If the tree holds a right answer, a wrong one was chosen. If only a thought does, it was not said, which was frequent here. If its article was never in view, it
#   was not found.
# - One request at the end, without any gold, won back thirteen of the chain's twenty questions, and seven of the twenty
#   set aside. After it no tree scored above a plain chain.
# - The judge that steered these trees was little better than a coin. Measure yours before you build a search on it.
#
# ## Exercises
#
# ### Exercise 1: a vote instead of a judge
#
# The trees hold several answers to a question. Let them vote: the most frequent answer in a tree wins, whatever its
# value. Is that better than what the search chose?
#
# <details><summary>Hint</summary>
#
# `run.result.visited` holds all states that were judged; `task.same(answer)` is an answer's normal form. A `Counter` counts.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for name in TREES:
    votes = 0
    for run in done[name]:
        ends = [n.state for n in run.result.visited if n.terminal]
        said = Counter(task.same(state.answer) for state in ends)
        for answer, _ in said.most_common(1):
            votes += is_right(run.problem, answer)
    print(f"{name:12} chosen {sum(hits(done[name]))}, by vote {votes}")
# There is about one answer to a tree, and those of one tree share their
# beginnings.

# %% [markdown]
# ### Exercise 2: what a chain pays for its rules
#
# Every step of ReAct sends the rules and the whole path again. How many of its prompt tokens would be left to pay if a
# provider charged each token of a chain's prompts once (prefix caching)? Who is cheaper then, the chain or
# `retrieve-read`?
#
# <details><summary>Hint</summary>
#
# In a chain each prompt begins like the one before, so the last one holds nearly everything. The events of kind `asked` have `prompt_tokens` for
# each request.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
sent = last = 0
for run in react:
    events = run.trace.events
    asked = [e for e in events if e.get("role") == "generator"]
    tokens = [r["prompt_tokens"] for e in asked for r in e["requests"]]
    sent, last = sent + sum(tokens), last + max(tokens)
print(f"{sent / 20:,.0f} a question, the last prompts {last / 20:,.0f}")
# Paid for once, the chain reads hardly more than the single search,
# whose whole prompt is 731 tokens. Its waits remain.

# %% [markdown]
# ### Exercise 3: how many questions?
#
# Compare `retrieve-read`, the chain and best-first, the last two with the answer asked for. If the shares of questions
# that only one of two solves stay as they are, how many questions would McNemar's test need to notice a difference at
# 5%?
#
# <details><summary>Hint</summary>
#
# `stats.mcnemar(b, c)` takes the two counts. Let both grow with the number of questions until p is below 0.05. If the
# counts are equal, no number is enough.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
mended[READ] = done[READ]
for a, b in combinations((READ, "ReAct", "best-first"), 2):
    e = stats.paired(hits(mended[a]), hits(mended[b]))
    n, only = e.n, [e.only_a, e.only_b]
    while stats.mcnemar(*only) >= 0.05 and n < 500:
        n += 1
        only = [round(m * n / e.n) for m in (e.only_a, e.only_b)]
    print(f"{a}, {b}: {e.only_a}:{e.only_b}, needs {n} (500: none)")
# A new sample of that size would show it only about half of the time.

# %% [markdown]
# ### Exercise 4: what do lazy tools save?
#
# The poster runs the tools of all children. Lazy tools run only when a state is taken up. What do they save, and what do they cost?
#
# <details><summary>Hint</summary>
#
# `ask("itot-astar", lazy=True, **TREE)` is recorded, and `bill(run)` has calls, tokens and waits.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
lazy, eager = ask("itot-astar", lazy=True, **TREE), done["iToT-A*"]
print("right:", sum(hits(eager)), "eager,", sum(hits(lazy)), "lazy")
pairs = [*zip(map(bill, lazy), map(bill, eager), strict=True)]
for part in pairs[0][0]:
    e = stats.bootstrap([[a[part] - b[part]] for a, b in pairs])
    print(f"{part}: {e.rate:+,.1f} [{e.low:+,.1f}, {e.high:+,.1f}]")
# Two calls in five are saved. The search waits more often, and judges
# twice what is taken up.

# %% [markdown]
# ## Further reading
#
# - ReAct: {cite}`yao2023react`. HotpotQA: {cite}`yang2018hotpotqa`. LATS: {cite}`zhou2024language`, and
#   [what it did here](study_lats.ipynb).
# - [The papers' tables beside ours](../book/tables.md) has all rows, [one picture](../book/tables.md#all-comparisons-in-one-picture) of
#   their differences, runs in which three calls in ten are broken on purpose, and a sample of the real HotpotQA.
# - With a model of your own: `tot solve hotpotqa "..." --method retrieve-read`, and `--method react --answer asked`.
