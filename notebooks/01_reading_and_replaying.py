# %% [markdown]
# # Reading and replaying
#
# Make 24 from 1, 2, 3 and 4. Below, a small language model tries it the way most of us would ask it to: in one go,
# thinking aloud.

# %%
import tot
from tot import show

chains = tot.Cassette("cassettes/04.jsonl")
chain = tot.solve("game24", "1 2 3 4", "cot", lm=chains)
show.chain(chain, {1: "it is 16"})

# %% [markdown]
# **Figure.** A chain of thought. Its first line is a slip, since (1 + 3) * 4 is 16, and it keeps a 4 that is used up.
# The model never looks up to see it.
#
# Now the same model on the same puzzle, with a program around it that lets it look up. It proposes several first steps,
# judges where each would lead, keeps the most promising, and goes on from there. Press *Play*.

# %%
lm = tot.Cassette("cassettes/06.jsonl")
knobs = {"style": "lean", "breadth": 5}
solution = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=lm, **knobs)
show.explorer(solution)

# %% [markdown]
# **Figure.** A tree of thoughts, grown step by step. The thick path is the answer that came out, and a program found it
# correct. Click a thought to read word for word what the model was asked about it, and what it replied.
#
# Is this search, or is it help with the arithmetic? Both: here a program also checks each step and works out which
# numbers are left. [Chapter 6](06_tot_bfs_game24.ipynb) takes the two apart.
#
# One lost game and one that was won prove nothing yet: chapter 6 plays more puzzles and counts. This chapter shows how
# to read such a tree, what it cost, and why it comes out the same on your machine as on
# ours.
#
# > **In practice.** No model was asked just now. The replies were recorded once, from a real model, and are
# > **replayed** from a file next to this page. So you need no key, no GPU and no network, and you pay nothing.
#
# ## Learning objectives
#
# After this chapter you can
#
# - play the Game of 24, and have an answer checked exactly;
# - read a search tree: thoughts, values, what was kept, the chosen path;
# - read what a run cost: calls, rounds and tokens, asked and paid;
# - say what identifies a recorded sample, and what happens when you change a knob;
# - choose your way through the book.

# %%
session = next(iter(lm.tape.sessions.values()))
print(f"model    {session['model']}")
print(f"recorded {session['date']}, by {session['server'].split()[0]}")
print(f"weights  SHA-256 {session['weights_sha256'][:16]}...")

# %% [markdown]
# Every number in this book is about some model on some day, and this is the one that most chapters recorded. It is
# small, and it was made for writing code, so it is a weak player. We chose it on purpose: its mistakes are frequent
# enough to be studied.
#
# ## The game
#
# Four whole numbers are given. Combine them with `+`, `-`, `*`, `/` and brackets, using **each number exactly once**,
# so that the result is 24. For `4 9 10 13`, the example of the Tree of Thoughts paper {cite}`yao2023tree`, one answer
# is `(10 - 4) * (13 - 9)`.
#
# A **verifier** decides: a program, and an exact one.

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
# Here are five answers to `2 3 4 10`. How many of them will the verifier accept? (It reads × and − as well as * and -,
# and a closing "= 24" does no harm.)
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
    "How many of the five are accepted?",
    sum(score.correct for score in scores),
    low=0,
    high=5,
    shows=show.table(rows, highlight=lambda row: row["accepted"]),
)

# %% [markdown]
# Exactness takes some care. The obvious check would be to compute the expression and compare it with 24. But a famous
# hard puzzle is `3 3 8 8`, and `8 / (3 - 8 / 3)` solves it: work it out on paper. What does Python's arithmetic say?

# %%
print(8 / (3 - 8 / 3) == 24, 8 / (3 - 8 / 3))
print(task.verify(task.problem("3 3 8 8"), "8 / (3 - 8 / 3)").why)

# %% [markdown]
# Thirds have no exact binary form, so ordinary floating-point numbers miss 24 by a hair. The package computes with
# exact fractions, and it never executes what a model wrote. [Chapter 3](03_io_and_verifiers.ipynb) builds such a
# verifier.
#
# ## Reading a tree
#
# Here is the tree of the first screen again, all of it at once, from left to right.

# %%
show.svg(solution)

# %% [markdown]
# **Figure.** The whole tree. The winning first step, `1 * 2 = 2`, is third of its column by value.
#
# Each box is a **thought**: one step, here one equation. `(left: ...)` are the numbers still to be used. A **state** is
# a box with everything on the way to it from the left: the puzzle and the thoughts so far.
#
# - **value**: how promising the model finds the state. It is asked three times whether 24 can be reached from what is
#   left. Each *sure* counts 20, each *likely* 1, each *impossible* 0.001, and the three are added up. So 60 means
#   "sure" three times; 21.001, shown as 21, is one of each. A reply without one of these words counts 0, which is how
#   a value such as 0.002 comes about. With a single number left there is nothing to judge: a program sees whether it is
#   24, and writes 60 or 0.003.
# - **kept** or **not kept**: after each step, the best few states over the whole level go on, and the others (dashed)
#   are left. How many go on is the **breadth**; here it is 5. Of equals, the one that was proposed first goes on.
# - The **chosen path** leads to the answer, which is then checked. The tick or cross is the verifier's. The model never
#   sees it, and neither does the search.
#
# ### Predict: how narrow may it be?
#
# The same search can be run with less breadth: with 4, 3, 2 states kept at each step, or with a single one. What is the
# smallest breadth with which it still finds 24? The picture has all that you need.

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
    "What is the smallest breadth that wins?",
    min(b for b, run in narrow.items() if run.correct),
    low=1,
    high=5,
    shows=pictures,
)

# %% [markdown]
# A narrow search follows the judge's favourites, and on this puzzle they lead nowhere. And why does a broad one not
# explode?

# %%
seen, levels = show.picture(solution), []
for level in range(1, 5):
    here = [item for item in seen.walk() if item.depth == level]
    kept = sum(item.status == "kept" for item in here)
    levels.append({"level": level, "thoughts": len(here), "kept": kept})
show.table(levels)

# %% [markdown]
# Because it is cut back at each level. Without the cut, every state would be followed up, and the third column would be
# several times as long. The last level only writes down the answer, which a program does from the three steps.
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
first = [item for item in seen.walk() if item.depth == 1]
show.table(
    [vars(item) | {"possible": possible(item)} for item in first],
    {"thought": "thought", "value": "value", "possible": "24 possible"},
    highlight=lambda row: row["possible"],
)

# %% [markdown]
# **Table.** The first column of the tree, with the truth beside the opinion. The marked steps can still reach 24.
#
# ### Predict: how often is the judge wrong?
#
# Take the first two levels, and pair each thought that can still reach 24 with each one on its level that cannot. In
# how many of a hundred such pairs does the *hopeless* one have the higher value?

# %%
judged = [item for item in seen.walk() if item.depth in (1, 2)]
can = [item for item in judged if possible(item)]
cannot = [item for item in judged if not possible(item)]
both = [(a, b) for a in can for b in cannot if a.depth == b.depth]
wrong = sum(a.value < b.value for a, b in both)
even = sum(a.value == b.value for a, b in both)
show.Predict(
    "In how many of a hundred pairs is the hopeless one ahead?",
    round(100 * wrong / len(both)),
    low=0,
    high=100,
    shows=f"{wrong} of {len(both)} pairs; {even} more are level",
)

# %% [markdown]
# A judge who tosses coins would get about fifty. This one is most taken with `4 - 3 = 1`, a dead end, and calls
# `1 + 2 = 3` impossible three times although `3 3 4` makes 24. Most of the wrong pairs come from a single question:
# two of the thoughts leave `4 6`, and it finds that impossible, too. How good the judge is over many puzzles is a
# subject of [chapter 6](06_tot_bfs_game24.ipynb); one tree is an anecdote.
#
# ## Reading a bill
#
# Search costs more than asking once. The **ledger** of a run says how much.

# %%
show.ledger(solution)

# %% [markdown]
# **Table.** What the tree cost, by the role that the model played.
#
# - A **call** is one request: a prompt, and how many samples of its answer are wanted. The *generator* proposes
#   thoughts; the *evaluator* judges them, with three **samples** to a call.
# - **Tokens** are the word pieces that a model reads (the prompt) and writes (the completion). Providers charge for
#   them.
#
# Count the boxes of the first two columns: 21 thoughts were judged, and the bill says 15 calls. Some thoughts leave the
# same numbers, so their questions are equal, word for word, and an equal question is asked once: one call, three
# samples. In the same way the generator was called 1 + 5 + 4 times, since two of the kept states both leave `1 3`.

# %%
ledger = solution.result.ledger
print(f"asked {ledger.total.calls} calls in {ledger.rounds} rounds")
print(f"paid  {ledger.total_paid.calls} calls")

# %% [markdown]
# A **round** is a set of calls that wait only for earlier ones, so they can be made at the same moment: all evaluations
# of one level are one round. Calls cost money; rounds cost waiting. **Asked** is what the run costs as if nothing had
# been recorded. It is the same in every replay, and so it is what our tables compare. **Paid** is what really went to a
# provider just now. For a replay, that is nothing.
#
# How does the bill compare with simpler methods? **IO** (input-output) shows the model the puzzle and takes its answer.
# **CoT** is the chain of thought from the top of the page.

# %%
io_lm = tot.Cassette("cassettes/03.jsonl")
direct = tot.solve("game24", "1 2 3 4", "io", lm=io_lm)
show.cost_table([direct, chain, solution])

# %% [markdown]
# **Table.** Three methods on one puzzle. The tree is the only one that solves it, and it is paid for with many times the
# tokens of a single answer.
#
# Look at the column of rates, too. One puzzle gives a rate of 0 or 100 %, and the interval beside it tells how little
# that says: nearly anything is possible. [Chapter 2](02_a_distribution.ipynb) builds this interval.
#
# ## How replaying works
#
# What must a recording remember, so that a replay gives exactly the same run? The first idea is a tape recorder: a list
# of replies, played back in the order in which they came. To try that out we use a **scripted model**, one whose
# answers we wrote ourselves.

# %%
colour, animal = tot.user("Pick a colour."), tot.user("Pick an animal.")
tape = tot.Scripted(["blue", "otter"])  # given out in this order
print([reply.texts[0] for reply in tape([colour, animal])])

# %% [markdown]
# ### Predict: ask in another order
#
# Searches make many calls at once, and nobody knows which is answered first. Suppose that the second question is asked
# first. What does the tape recorder say to "Pick an animal."?

# %%
tape = tot.Scripted(["blue", "otter"])
show.Predict(
    'What does the tape recorder answer to "Pick an animal."?',
    tape([animal])[0].texts[0],
    choices=["blue", "otter", "an error"],
)

# %% [markdown]
# The reply went to the wrong question. So a reply must be filed under its *question*. But under the prompt alone? An
# evaluator asks the same question three times and wants three independent verdicts, not one verdict three times. And a
# changed setting, such as the temperature, makes it a different question.
#
# So here is the rule of this book. A **sample** is identified by its **request**, that is everything the provider sees
# (model, messages, settings), and by its **index** (0, 1, 2 ... of that request). Never by the order of arrival.

# %% tags=["remove-input"]
show.concepts.cassette()

# %% [markdown]
# **Figure.** A file of recorded replies is a **cassette**. What it has, it replays. What it lacks is asked of a live
# model and recorded, or refused if there is none.
#
# As a program, the rule is a dictionary. (Ours is for one model, so it leaves the model out.)


# %%
import json


def identity(messages, params):
    return json.dumps([messages, params], sort_keys=True)


class Tiny:
    """A cassette in a few lines: (request, index) -> text."""

    name, batched = lm.name, False

    def __init__(self, texts):
        self.texts = texts

    def __call__(self, requests, on_reply=None):
        return [tot.Reply(tuple(self.samples(r))) for r in requests]

    def samples(self, r):
        said = [[m.role, m.content] for m in r.messages]
        for index in range(r.first, r.first + r.n):
            text = self.texts[identity(said, r.params), index]
            yield tot.Sample(text)


# %% [markdown]
# The real file is one line of JSON for each message and for each sample: a person can read it, a version control system
# can show what changed, and a crash spoils at most the last line. Our dictionary can be filled from it. If we have
# understood the format, it must give the same tree.

# %%
messages, texts = {}, {}
with open("cassettes/06.jsonl", encoding="utf-8") as file:
    entries = [json.loads(line) for line in file]
for entry in entries:
    if entry["type"] == "message":
        messages[entry["id"]] = [entry["role"], entry["content"]]
    if entry["type"] == "sample":
        said = [messages[i] for i in entry["messages"]]
        key = identity(said, entry["params"])
        texts[key, entry["index"]] = entry["text"]

# %% tags=["checked"]
tiny = Tiny(texts)
again = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=tiny, **knobs)
assert again.trace.nodes() == solution.trace.nodes()
print(
    f"the same {len(again.trace.nodes())} nodes, answer {again.answer}"
)

# %% [markdown]
# What ours lacks is the bill, the recording, and good manners when something is missing.
#
# ### Predict: two changes
#
# You will want to change a knob. First change: a puzzle that nobody recorded. Second change: five verdicts on each
# state instead of three. Which requests are new, and which samples could still be replayed? What should a program say
# that is honest and helpful?

# %% tags=["predict"]
import textwrap

for x, change in (("1 1 1 8", {}), ("1 2 3 4", {"values": 5})):
    missed = tot.solve("game24", x, "tot-bfs", lm=lm, **knobs, **change)
    print(f"{x}, {change or 'the same knobs'}: {missed.result.stopped}")
    print(textwrap.indent(textwrap.fill(missed.error, 68), "    "))

# %% [markdown]
# What was not recorded is a **miss**, and the message names the recorded request that is nearest, with the first line
# where the two differ. In the second case the request is the same, and only the indices 3 and 4 are new: with the same
# model at hand, those two would be asked, and the first three replayed. A cassette never makes anything up, and never
# gives you the nearest reply instead of the right one.
#
# ## Three kinds of model
#
# `tot.solve` does not care what answers its requests. There are three kinds, and you have met two.
#
# - **recorded**: `tot.Cassette(file)`. Real replies, replayed. Most results in this book come from these; larger
#   studies are read from a results file, and say how it was made.
# - **scripted**: `tot.Scripted(...)`. Replies that somebody wrote: good for demonstrations and tests, always labelled,
#   never a result.
# - **live**: a model that is asked now. Any server that speaks the OpenAI protocol will do: a provider, or a program on
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
# Run the block twice, and the second run pays nothing.
#
# > **In practice.** No server? `make local-lm` in the book's folder starts a very small one.
# > `make record CHAPTER=06 MODEL=your-model` records a whole chapter anew.
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
# - **Researcher**: [the papers' tables beside ours](../book/tables.md), the [errata](../book/errata.md), and
#   [16](16_when_search_pays.ipynb).
#
# The [first page](../book/index.md) shows all parts. New words are collected in the [glossary](../book/glossary.md),
# [paper to code](../book/paper_to_code.md) finds the line of code for each equation, and the
# [errata](../book/errata.md) list what we found wrong in the papers, each with its computation.
#
# ## Summary
#
# - A search builds a tree of thoughts. Values are the model's opinions (a program decides a single number that is
#   left); the verifier is exact, and the search never sees it.
# - A bill counts calls, rounds and tokens. *Asked* is the same for everybody; *paid* is zero when you replay.
# - A sample is identified by its request and its index, never by the order of arrival. What was not recorded is a miss,
#   with a clear message.
# - Recorded, scripted and live models answer the same requests; only recorded and live ones count as results.
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
# ### Exercise 5: a forged cassette
#
# Somebody edits a cassette by hand: in the message `Numbers: 1 2 3 4` they change the 4 into a 5. The file is still perfect JSON. Make such a copy and run `tot.lm.cassette.check` on it. How can the program know?
#
# <details><summary>Hint</summary>
#
# The `key` of a sample line is computed from the content of its messages. Compare `check(original)` with `check(copy)`.
#
# </details>

# %% [markdown]
# #### Solution 5

# %% tags=["hide-cell"]
from tot.lm.cassette import check

original = Path("cassettes/06.jsonl")
lines = original.read_text(encoding="utf-8").splitlines(keepends=True)
ours = [i for i, line in enumerate(lines) if "Numbers: 1 2 3 4" in line]
victim = ours[0]
lines[victim] = lines[victim].replace("1 2 3 4", "1 2 3 5")
with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy.jsonl")
    copy.write_text("".join(lines), encoding="utf-8")
    print(f"original: {len(check(original))} complaints")
    print(textwrap.fill(f"copy: {check(copy)[0]}", 68))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The fingerprint of the request no longer fits what the messages say, so the sample would answer a question that nobody asked. The same
# check finds a changed temperature. It cannot find a changed *reply*: nothing in the request depends on it. Version control can.
#
# </details>
#
# ### Exercise 6: filed under the prompt alone
#
# Many programs cache replies under the prompt's text only. Write `ByPrompt`, a variant of `Tiny` that gives every index the sample 0,
# and run the first level of the same search with it (`budget=tot.Budget(nodes=1)` stops there). What happens to the values? Can you tell
# from the tree alone?
#
# <details><summary>Hint</summary>
#
# Override `samples`, with `self.texts[key, 0]` for every index. Which sums of three verdicts are possible if the three are equal?
#
# </details>

# %% [markdown]
# #### Solution 6


# %% tags=["hide-cell"]
class ByPrompt(Tiny):
    def samples(self, r):
        said = [[m.role, m.content] for m in r.messages]
        key = identity(said, r.params)
        return [tot.Sample(self.texts[key, 0])] * r.n


knobs["budget"] = tot.Budget(nodes=1)  # stop after one evaluation
cached = tot.solve("game24", "1 2 3 4", lm=ByPrompt(texts), **knobs)
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
