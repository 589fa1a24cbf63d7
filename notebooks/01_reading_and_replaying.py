# %% [markdown]
# # Reading and replaying
#
# Make 24 from 1, 2, 3 and 4. A small language model tries it twice below: once thinking aloud in one go, as most of us
# would ask it to, and once with a program around it that lets it look around.

# %% tags=["plot"]
from IPython.display import display

import tot
from treebook import show
from treebook.nbsetup import setup

setup()
chains = tot.Cassette("cassettes/04.jsonl")
chain = tot.solve("game24", "1 2 3 4", "cot", lm=chains)

lm = tot.Cassette("cassettes/06.jsonl")
knobs = {"style": "lean", "breadth": 5}
solution = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=lm, **knobs)

lost = show.chain(chain, {1: "16, and no 4 left"}, down=True)
won = show.explorer(solution, details=False, play=True)
show.side_by_side([lost, won])

# %% [markdown]
# **Figure.** One model, one puzzle: the chain loses, the tree wins. The chain's first line is a slip, since (1 + 3) * 4 is 16
# and uses up the 4. It is a dead end as well: 16 and 2 make no 24. Nothing ever makes the model take it back. In the tree it proposes
# several steps, judges where each would lead, and goes on from the five that look best. (Figure 1.2 shows the whole tree at once.)
#
# So a model that cannot solve a puzzle in one go may hold the solution all the same, a few steps down a path it did not
# take. This book is about programs that look for such paths, and about their price: the tree took 25 requests where the
# chain took one.
#
# How much of the win is search, and how much is help with the arithmetic? Some of each. Beside the tree a program also checks
# every step and works out which numbers are left, and [chapter 6](06_tot_bfs_game24.ipynb) takes the two apart, on more
# puzzles than one. Here you learn to read such a tree and its bill, and why both come out the same on your
# machine as on ours.
#
# > **In practice.** No model was asked just now. The replies were recorded once, from a real model, and are
# > **replayed** from a file next to this page. You need no key, no GPU and no network, and you pay nothing.
#
# ## Learning objectives
#
# After this chapter you can
#
# - play the Game of 24, and have an answer checked exactly;
# - read a search tree: thoughts, values, what was kept, the chosen path;
# - add up what a run cost: calls, rounds and tokens, asked and paid;
# - say what identifies a recorded sample, and what happens when you change a knob.

# %%
session = next(iter(lm.tape.sessions.values()))
print(f"model    {session['model']}")
print(f"recorded {session['date']}, by {session['server'].split()[0]}")

# %% [markdown]
# Every number in this book is about some model on some day, and this is the one that most chapters recorded. It is
# small and was made for writing code, so it plays badly. We chose it on purpose: its mistakes are frequent enough to be
# studied.
#
# ## The game
#
# Four whole numbers are given. Combine them with `+`, `-`, `*`, `/` and brackets, using **each number exactly once**,
# so that the result is 24. For `4 9 10 13`, the example of the Tree of Thoughts paper {cite}`yao2023tree`, one answer
# is `(10 - 4) * (13 - 9)`. A **verifier** decides: a program, and an exact one.

# %%
task = tot.task("game24")
puzzle = task.problem("2 3 4 10")
print(task.verify(puzzle, "10 + 4 * 3 * 2").why)

# %% [markdown]
# Take a minute and solve **2 3 4 10** by hand. Watch yourself doing it: you try a first step, look at the three numbers
# that are left, feel hopeful or not, and take the step back. You are searching a tree.
#
# ### Predict: which answers count?
#
# Five answers to `2 3 4 10`. (The verifier reads × and − as well as * and -, and a closing "= 24" does no harm.)
#
# 1. `10 * 3 - 4 - 2`
# 2. `10 × 3 − 4 − 2 = 24`
# 3. `4 * 3 * 2`
# 4. `2 * 3 * 4 * 10 / 10`
# 5. `10 + 2 + 3 * 4`

# %%
answers = ["10 * 3 - 4 - 2", "10 × 3 − 4 − 2 = 24", "4 * 3 * 2"]
answers += ["2 * 3 * 4 * 10 / 10", "10 + 2 + 3 * 4"]
scores = [task.verify(puzzle, answer) for answer in answers]
rows = [
    {"answer": answer, "accepted": score.correct, "why": score.why}
    for answer, score in zip(answers, scores, strict=True)
]
show.Predict(
    "How many of the five will the verifier accept?",
    sum(score.correct for score in scores),
    low=0,
    high=5,
    shows=show.table(rows, highlight=lambda row: row["accepted"]),
)

# %% [markdown]
# ### Why not simply compute?
#
# Why not simply compute the expression and compare it with 24? A famous hard puzzle is `3 3 8 8`, and
# `8 / (3 - 8 / 3)` solves it: work it out on paper. Python's ordinary numbers disagree.

# %%
print(8 / (3 - 8 / 3) == 24, 8 / (3 - 8 / 3))
print(task.verify(task.problem("3 3 8 8"), "8 / (3 - 8 / 3)").why)

# %% [markdown]
# Thirds have no exact binary form, so floating-point numbers miss 24 by a hair. The package computes with
# exact fractions, and it never executes what a model wrote. [Chapter 3](03_io_and_verifiers.ipynb) builds such a
# verifier.
#
# ## Reading a tree
#
# Here is the tree of the first screen again, finished, all of it at once, from left to right.

# %%
show.svg(solution, max_dropped=None)

# %% [markdown]
# **Figure.** The whole tree. The winning first step, `1 * 2 = 2`, is only third of its column by value.
#
# Each box is a **thought**: one step, here one equation. `(left: ...)` are the numbers still to be used. A **state** is
# a box with everything on the way to it from the left: the puzzle and the thoughts so far.
#
# The **value** of a state is how promising the model finds it. It is asked three times whether 24 can be reached from the
# numbers that are left. Here is what it said about the winning first step.

# %%
judging = [e for e in solution.trace.events if e["kind"] == "asked"][1]
[request] = [
    request
    for request in judging["requests"]
    if request["messages"][-1]["content"] == "2 3 4"
]
turns = [("evaluator", request["messages"][-1]["content"])]
turns += [("model", sample["text"]) for sample in request["samples"]]
show.transcript(turns)

# %% [markdown]
# The last word of a reply is its verdict: *sure* counts 20, *likely* 1, *impossible* 0.001, and the three are added up. So
# this state has the value 1.002, and three times *sure* would be 60. (Tables round to four digits: their 21 is 21.001.)
# In the tree each verdict is a mark: ● *sure*, ◐ *likely*, ○ *impossible*, so ◐○○ for this one; a stroke is a reply without one of these words. A reply without one of these words counts 0; that is
# how a value such as 0.002 comes about. At a single number there is nothing to judge. A program sees whether it is 24, and
# writes 60 or 0.003, as for three times *sure* or three times *impossible*.
#
# After each step the best few states of the whole level are **kept**; the others, dashed, are left where they are. How
# many are kept is the **breadth**, here 5, and of equals the one that was proposed first goes on (the best state proposes first). This is what keeps the tree
# from exploding: its levels of steps have 5, 16 and 14 thoughts, where without the cut each would be about three times as long as
# the one before. The last level only writes down the answer, which a program does from the three steps.
#
# The **chosen path**, drawn thick, leads to that answer. Its tick is the verifier's, given when all was over. Neither the
# model nor the search ever sees it.
#
# ### Predict: how narrow may it be?
#
# The same search can be run with less breadth: with 4, 3, 2 states kept at each step, or with a single one. The picture
# has all that you need.

# %%
narrow = {}
for breadth in range(1, 6):
    how = {"lm": lm, "style": "lean", "breadth": breadth}
    narrow[breadth] = tot.solve("game24", "1 2 3 4", "tot-bfs", **how)
pictures = show.Frames(
    [show.svg(run, chars=17) for run in narrow.values()],
    [
        f"{b}: {'won' if r.correct else 'lost'}"
        for b, r in narrow.items()
    ],
    "Breadth",
)
show.Predict(
    "What is the smallest breadth with which it still finds 24?",
    min(b for b, run in narrow.items() if run.correct),
    low=1,
    high=5,
    shows=pictures,
)

# %% [markdown]
# Breadth insures against a judge who is sometimes wrong. A narrower search follows the judge's favourites only, and
# on this puzzle they do not bring it to 24.
#
# ## Can the values be trusted?
#
# A value is the model's *opinion*. For a game this small a program can find out the truth by trying everything.

# %% tags=["set-up"]
import re
from fractions import Fraction

from tot.tasks.game24_rules import solvable


def possible(item):
    """Can the numbers left make 24? Tries everything, asks no model."""
    left = re.search(r"left: ([^)]*)", item.thought)[1]
    return solvable(tuple(sorted(map(Fraction, left.split()))))


# %%
seen = show.picture(solution)
first = [item for item in seen.walk() if item.depth == 1]
show.table(
    [vars(item) | {"possible": possible(item)} for item in first],
    {"thought": "thought", "value": "value", "possible": "24 possible"},
    highlight=lambda row: row["possible"],
)

# %% [markdown]
# **Table.** Opinion and truth in the first column of the tree. The judge's favourite is a dead end, and it calls
# `1 + 2 = 3` impossible three times although `3 3 4` makes 24.
#
# ### Predict: how often is the judge wrong?
#
# Take the first two levels, and pair each thought that can still reach 24 with each one on its level that cannot. In a
# wrong pair the *hopeless* one has the higher value. A perfect judge has none of a hundred, and one who tosses coins
# about fifty.

# %%
judged = [item for item in seen.walk() if item.depth in (1, 2)]
can = [item for item in judged if possible(item)]
cannot = [item for item in judged if not possible(item)]
both = [(a, b) for a in can for b in cannot if a.depth == b.depth]
wrong = sum(a.value < b.value for a, b in both)
even = sum(a.value == b.value for a, b in both)
show.Predict(
    "How many of a hundred pairs does this judge have wrong?",
    round(100 * wrong / len(both)),
    low=0,
    high=100,
    shows=f"{wrong} of {len(both)} pairs; {even} more are level",
)

# %% [markdown]
# As many as with coins, then. But most of the wrong pairs come from a single question: two of the
# thoughts leave `4 6`, one multiplication away from 24, and the judge finds that impossible. One tree is an anecdote; how good the judge is over many puzzles
# is measured in [chapter 6](06_tot_bfs_game24.ipynb).
#
# ## Reading a bill
#
# A **call** is one request: a prompt, and how many samples of its answer are wanted. In this search the model plays two
# roles. As *generator* it proposes thoughts, one call for each state that is followed up; as *evaluator* it judges them,
# with three **samples** to a call.
#
# ### Predict: how many questions for the judge?
#
# Count the boxes of the first two columns of the tree: 21 thoughts were judged by the model.

# %%
rows = []
for event in solution.trace.events:
    if event["kind"] == "asked" and event["role"] == "evaluator":
        for request in event["requests"]:
            left = request["messages"][-1]["content"]
            end = f" (left: {left})"
            here = [i for i in judged if i.thought.endswith(end)]
            names = [i.thought.removesuffix(end) for i in here]
            texts = [sample["text"] for sample in request["samples"]]
            words = [text.split()[-1].strip(".") for text in texts]
            row = {"numbers left": left, "steps": "; ".join(names)}
            row["replies end in"] = ", ".join(words)
            rows.append(row | {"value": here[0].value})
assert sum(row["steps"].count("=") for row in rows) == len(judged)
show.Predict(
    "How many calls did the judging take?",
    len(rows),
    low=1,
    high=63,
    shows=show.table(rows, highlight=lambda row: ";" in row["steps"]),
)

# %% [markdown]
# The judge sees only the numbers that are left. Thoughts that leave the same numbers have the same
# question, word for word, and an equal question is asked once: the marked lines are merged requests. The generator's
# calls are merged likewise. It was asked once at the start, five times for the first column, and four times for the
# second, because two of the five kept states both leave `1 3`. That makes 10 calls, and the **ledger** of the run must
# agree.

# %% tags=["predict", "plot"]
show.bill({"the tree": solution})

# %% [markdown]
# **Table.** What the tree cost, by the role that the model played: 10 + 15 calls. **Tokens** are the word pieces that a model reads
# (the prompt) and writes; providers charge for both.
#
# ### Asked and paid

# %%
ledger = solution.result.ledger
print(f"asked {ledger.total.calls} calls in {ledger.rounds} rounds")
print(f"paid  {ledger.total_paid.calls} calls")

# %% [markdown]
# A **round** is a set of calls that wait only for earlier ones, so they can be made at the same moment. Here proposing and
# judging take turns, and the fifth round proposes the last steps. Calls cost money; rounds cost waiting. **Asked** is what the run costs as if nothing
# had been recorded. It is the same in every replay, and so it is what our tables compare. **Paid** is what went to a
# provider just now, which for a replay is nothing.
#
# How does that compare with simpler methods? **IO** (input-output) shows the model the puzzle and takes its answer.
# **CoT** is the chain of thought from the top of the page.

# %%
io_lm = tot.Cassette("cassettes/03.jsonl")
direct = tot.solve("game24", "1 2 3 4", "io", lm=io_lm)
display(show.bill({"IO": direct, "CoT": chain, "ToT": solution}))
show.cost_table([direct, chain, solution])

# %% [markdown]
# **Table.** Three methods on one puzzle. Only the tree solves it, for many times the tokens of a single answer.
#
# Look at the column of rates, too. One puzzle gives a rate of 0 or 100%, and the interval beside it says how little
# that means: nearly any true rate would fit. [Chapter 2](02_a_distribution.ipynb) builds this interval.
#
# ## How replaying works
#
# What must a recording remember, so that a replay gives exactly the same run? The order in which replies arrived will
# not do: a search makes many calls at once, and nobody knows which is answered first. The question alone will not do
# either. An evaluator asks one question three times and wants three independent verdicts, not one verdict three times; and
# with another temperature it is another question.
#
# So here is the rule of this book. A **sample** is identified by its **request**, that is everything the provider sees
# (model, messages, settings), and by its **index** (0, 1, 2 ... of that request).

# %% tags=["remove-input"]
show.concepts.cassette()

# %% [markdown]
# **Figure.** A file of recorded replies is a **cassette**. What it has, it replays. What it lacks is asked of a live
# model and recorded, or refused if there is none.
#
# > **In practice.** Programs that know nothing of this book can be replayed, too, by a change of their base URL:
# > `tot serve --cassette FILE` ([serve](../book/manual/serve.md)).
#
# Run a search twice and you get the same run twice, since it asks for the same indices. For a second, *independent* run
# you ask for later ones: `tot.solve(..., first=10)` starts at sample 10 of each request.
#
# ### Predict: two changes
#
# You will want to change a knob. First change: a puzzle that nobody recorded. Of that nothing can be replayed. Second
# change: five verdicts on each state instead of three.

# %%
rows = []
for x, change in (("1 1 1 8", {}), ("1 2 3 4", {"values": 5})):
    missed = tot.solve("game24", x, "tot-bfs", lm=lm, **knobs, **change)
    rows.append({"puzzle": x, "knobs": change or "the same"})
    rows[-1]["what the program says"] = missed.error
recorded = int(missed.error.split()[1])  # the first index that is not
show.Predict(
    "How many of a request's five verdicts must be asked anew?",
    5 - recorded,
    low=0,
    high=5,
    shows=show.table(rows),
)

# %% [markdown]
# What was not recorded is a **miss**. The message names the recorded request that is nearest, with the first line
# where the two differ. In the second case the request is the same, and only its indices 3 and 4 are new: with the same
# model at hand, those two would be asked, and the first three replayed. (Five verdicts may then keep other states, and below
# those everything is new.)
#
# Why does a miss not simply go to some live model? Because the run would then be half one model's and half another's, and
# its number would belong to neither. If you pass `live=...`, the whole run starts again on that model. And what of things
# that fail? A tool that answers "no such page" or times out has *answered*: its error is recorded and replayed
# like any reply ([chapter 10](10_tools_costs_failures.ipynb)). If the connection to a model breaks, there is no reply, so
# nothing is written, and the run stops and says why.
#
# The file itself is plain text, with a line for each session, message and sample. [Recordings](../book/manual/recordings.md)
# in the manual says what is in them, reads them with a dozen lines of Python, and tells how edits are detected.
#
# ## Three kinds of model
#
# `tot.solve` does not care what answers its requests.
#
# - **Recorded**: `tot.Cassette(file)`, real replies, replayed. Most results in this book come from these; larger
#   studies are read from a results file, and say how it was made.
# - **Scripted**: `tot.Scripted(...)`, replies that somebody wrote. Good for demonstrations and tests, always labelled,
#   never a result.
# - **Live**: a model that is asked now, on any server that speaks the OpenAI protocol: a provider, or a program on
#   your own machine such as llama.cpp, Ollama or vLLM.
#
# With a live model the code is the same. This block is not run here, because it needs a server:
#
# ```python
# from tot.lm.openai import OpenAI
#
# # If the server wants a key, set OPENAI_API_KEY in the environment.
# live = OpenAI("your-model", base_url="http://127.0.0.1:8080/v1")
# lm = tot.Cassette("mine.jsonl", live)  # record mode
# solution = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm)
# ```
#
# Run the block twice, and the second run pays nothing. (No server? `make local-lm` in the book's folder starts a very
# small one.)
#
# > **Where it breaks.** A cassette answers only what was asked before, and it speaks for one model, one day, one set of
# > settings. It shows no waiting and no failures of a network. To explore beyond the recorded knobs, bring a model.
#
# ## Your way through the book
#
# - **Student, or learning by yourself**: in order, with the predictions.
# - **Teacher**: 2 to 4 need no search and fit a course on prompting or on statistics; 5 to 9 fit one on search, 10 to
#   13 one on planning. Exercises are graded from easy to hard, and their solutions run.
# - **Engineer**: [5](05_how_a_search_asks.ipynb) for the design, [6](06_tot_bfs_game24.ipynb) for the method,
#   [10](10_tools_costs_failures.ipynb) for tools, [16](16_when_search_pays.ipynb) for when it pays; then
#   [your own task and model](17_bring_your_own.ipynb).
# - **Researcher**: [the papers' tables beside ours](../book/tables.md), the [errata](../book/errata.md) (what we found wrong in
#   the papers, each with its computation), and [16](16_when_search_pays.ipynb).
#
# The [first page](../book/index.md) shows all parts. New words are collected in the [glossary](../book/glossary.md), and
# [paper to code](../book/paper_to_code.md) finds the line of code for each equation.
#
# ## Summary
#
# - A search builds a tree of thoughts, follows up the states with the best values, and stops at an answer. Whether it is
#   right is decided by a verifier, afterwards.
# - Values are a model's opinions. In this one tree they did no better than a coin, and breadth made up for it.
# - A bill can be added up by hand: calls by role, equal questions counted once, rounds for the waiting, tokens for the price.
# - Recorded replies are filed under request and index. That makes a replay exact, at any speed and in any order, and a
#   change of knob either replays or says what is missing.
#
# ## Exercises
#
# ### Exercise 1: another way
#
# Find an answer to `2 3 4 10` that uses division, and check it.
#
# <details><summary>Hint</summary>
#
# $24 = 3 \times 8$, and 8 can be made from 2, 4 and 10.
#
# </details>

# %%
mine = "2 + 3 + 4 + 10"  # put your answer here
print(task.verify(puzzle, mine).why)

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
answer = "3 * (10 - 4 / 2)"
print(answer, task.verify(puzzle, answer).correct)
other = "(10 + 4 - 2) * 3"  # a near miss
print(other, task.verify(puzzle, other).why)

# %% [markdown]
# ### Exercise 2: what was thrown away?
#
# Did the search drop states that could still have reached 24? List them for all levels, with their values. Could a breadth of 8 have
# kept them? (Take the values as given.)
#
# <details><summary>Hint</summary>
#
# `item.status == "dropped"` means not kept. Values of the kept states of the same level tell how far down the line a state stood.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for level in (1, 2, 3):
    here = [item for item in seen.walk() if item.depth == level]
    dropped = [item for item in here if item.status == "dropped"]
    lost = [item for item in dropped if possible(item)]
    print(
        f"level {level}: {len(dropped)} dropped, {len(lost)} could win"
    )
    for item in lost[:5]:
        above = sum(other.value > item.value for other in here)
        print(f"    {item.thought}, value {item.value:g}")
        print(f"    would have needed a breadth of {above + 1} or more")

# %% [markdown]
# ### Exercise 3: any order
#
# Take the requests of the tree's first evaluator round, ask them one by one in a shuffled order, and check that each gets the
# reply it got in the run. What property of the cassette makes this work?
#
# <details><summary>Hint</summary>
#
# `solution.trace.events` holds an event of kind `"asked"` for each round, with `messages`, `params` and `samples` for each request.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
import random

rounds = [e for e in solution.trace.events if e["kind"] == "asked"]
asked = next(e for e in rounds if e["role"] == "evaluator")["requests"]
for one in random.Random(3).sample(asked, len(asked)):
    said = tuple(tot.Message(**m) for m in one["messages"])
    request = tot.Request(said, **one["params"], n=len(one["samples"]))
    [reply] = lm([request])
    assert [s["text"] for s in one["samples"]] == list(reply.texts)
print(f"{len(asked)} requests in another order, and the same replies:")
print("they are filed under request and index, not under their turn.")

# %% [markdown]
# ### Exercise 4: asked and paid
#
# Record a scripted model into a cassette of your own: ask for 3 samples of one request, then for 5 of the same. Predict `asked` and
# `paid` of both replies, in samples. Then ask for 5 again.
#
# <details><summary>Hint</summary>
#
# `tot.Cassette(path, live)` records, and a scripted model can play the live one. `tempfile.TemporaryDirectory` gives you a place
# that cleans up after itself.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    live = tot.Scripted(lambda r, index: f"made-up answer {index}")
    with tot.Cassette(Path(folder, "mine.jsonl"), live) as mine_lm:
        for n in (3, 5, 5):
            reply = mine_lm([tot.user("Any question", n=n)])[0]
            asked, paid = reply.asked.samples, reply.paid.samples
            print(f"n = {n}: asked {asked} samples, paid for {paid}")

# %% [markdown]
# ### Exercise 5: filed under the prompt alone
#
# Many programs cache replies under the prompt's text only, so every sample of a request becomes its sample 0. Build such a
# model from `lm`, and run the first level of the same search with it (`budget=tot.Budget(nodes=1)` stops there). What
# happens to the values? Can you tell from the tree alone?
#
# <details><summary>Hint</summary>
#
# `tot.Scripted` makes a model of a function from a request and an index to a text; yours ignores the index.
# `request.samples(0, 1)` asks for sample 0 alone. Which sums of three verdicts are possible if the three are equal?
#
# </details>

# %% [markdown]
# #### Solution 5


# %% tags=["hide-cell"]
def by_prompt(request, index):
    return lm([request.samples(0, 1)])[0].texts[0]


cache = tot.Scripted(by_prompt, name="by prompt")
knobs["budget"] = tot.Budget(nodes=1)  # stop after one evaluation
cached = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=cache, **knobs)
for name, run in (("independent", solution), ("cached", cached)):
    level = [i.value for i in show.picture(run).walk() if i.depth == 1]
    print(f"{name:>11}: {', '.join(f'{value:g}' for value in level)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# With the cache, every value is three times one verdict: 60, 3, 0.003 (or 0 where it could not be read). The judge looks
# decided where it is not, and asking three times is a waste. Nothing crashes, and the tree looks fine.
#
# </details>
#
# ## Further reading
#
# - The paper behind the first half of this book: Tree of Thoughts {cite}`yao2023tree`.
# - The idea of problem solving as search is older than language models: {cite}`newell1959report`, {cite}`newell1972human`.
