# %% [markdown]
# # Reading and replaying
#
# Make 24 from 1, 2, 3 and 4. A small language model tries it twice below: once thinking aloud in one go, as most of us
# would ask it to, and once with a program around it that lets it look around.

# %% tags=["plot"]
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
# and uses up the 4. It is a dead end as well: 16 and 2 cannot make 24. Nothing ever makes the model take it back. In the tree it proposes
# several steps, judges where each would lead (● *sure*, ◐ *likely*, ○ *impossible*), and goes on from the five that look best.
#
# So a model whose chain loses may hold the solution all the same, a few steps down a path that the chain did not
# take. This book is about programs that look for such paths, and about their price: the tree took 25 requests where the
# chain took one.
#
# How much of the win is search, and how much is help with the arithmetic? Some of each. Beside the tree a program also checks
# every step and works out which numbers are left. And we picked a puzzle that the tree solves.
# [Chapter 6](06_tot_bfs_game24.ipynb) measures what each part is worth, on many puzzles. Here you learn to read such a tree
# and its bill, and why both look the same on your machine as on ours.
#
# > **In practice.** No model was asked just now. The replies were recorded once, from a real model, and are
# > **replayed** from a file next to this page. You need no key, no GPU and no network, and you pay nothing. The model (its name
# > is under the title) is small and plays badly. We chose it because its mistakes are frequent enough to be studied; notes headed
# > *In the paper* give the numbers of much stronger ones.
#
# ## Learning objectives
#
# After this chapter you can
#
# - play the Game of 24, and have an answer checked exactly;
# - read a search tree: thoughts, values, what was kept, the chosen path;
# - add up what a run cost: calls, rounds and tokens, asked and paid;
# - say what identifies a recorded sample, and what happens when you change a setting.

# %% [markdown]
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
    {"answer": a, "accepted": s.correct, "why": s.why}
    for a, s in zip(answers, scores, strict=True)
]
show.Predict(
    "How many of the five will the verifier accept?",
    sum(score.correct for score in scores),
    low=0,
    high=5,
    shows=show.table(rows, highlight=lambda row: row["accepted"]),
)

# %% [markdown]
# The package computes with exact fractions, because Python's ordinary numbers miss 24 by a hair: they turn `8 / (3 - 8 / 3)`, the answer to the famous
# puzzle `3 3 8 8`, into 23.99999999999999. And it never executes what a model wrote.
# [Chapter 3](03_io_and_verifiers.ipynb) builds such a verifier.
#
# ## Reading a tree
#
# Here is the whole tree of the first screen, from left to right.

# %%
show.svg(solution, max_dropped=None)

# %% [markdown]
# **Figure.** The whole tree. The thick path leads to the answer; dashed states were not kept.
#
# Each box is a **thought**: one step, here one equation. `(left: ...)` are the numbers still to be used. A **state** is
# a box with everything on the way to it from the left: the puzzle and the thoughts so far.
#
# The **value** of a state says how promising the model finds it. The model is asked three times whether the numbers that are
# left can still make 24. Here is what it said about `1 * 2 = 2`, the first step on the thick path.

# %% tags=["set-up"]
# The three replies about 2 3 4
asked = [e for e in solution.trace.events if e["kind"] == "asked"]
judging, again = [e for e in asked if e["role"] == "evaluator"]
said = {
    request["messages"][-1]["content"]: request["samples"]
    for request in judging["requests"]
}
replies = [("model", sample["text"]) for sample in said["2 3 4"]]
show.transcript([("evaluator", "2 3 4"), *replies])

# %% [markdown]
# The last word of a reply is its verdict: *sure* counts 20, *likely* 1, *impossible* 0.001, and the three are added up. So
# this state has the value 1.002 and the marks ◐○○, and three times *sure* would be 60. (Values are shown with four digits: a 21
# is really 21.001.) A reply without a verdict
# is a dash and counts 0. When a single number is left there is nothing to judge: a program sees whether it is 24, and
# writes 60 or 0.003.
#
# After each step the best few states of the whole level are **kept**; the others, dashed, are left where they are. The
# number kept is called the **breadth**, here 5. If two states tie, the one that was proposed earlier is kept, and better
# states propose before worse ones. Keeping only five stops the tree from exploding: its levels of steps have 5, 16 and 14
# thoughts, and without the cut each level would be about three times as long as the one before. The last level only writes
# down the answer, which a program does from the three steps.
#
# The **chosen path**, drawn thick, leads to that answer. The tick on it is the verifier's, given when the run was over; neither
# the model nor the search ever sees it. (It may see that a last number is 24, because that needs no answer key.)
#
# ### Predict: how narrow may it be?
#
# The same search can be run with less breadth: with 4, 3, 2 states kept at each step, or with a single one. The picture
# shows all that you need. (`lean` is a style of the prompts: [chapter 5](05_how_a_search_asks.ipynb).)

# %%
narrow = {}
for breadth in range(1, 6):
    how = {"lm": lm, "style": "lean", "breadth": breadth}
    narrow[breadth] = tot.solve("game24", "1 2 3 4", "tot-bfs", **how)
names = [
    f"{b}: {'won' if narrow[b].correct else 'lost'}" for b in narrow
]
pictures = [show.svg(run, chars=17) for run in narrow.values()]
show.Predict(
    "What is the smallest breadth with which it still finds 24?",
    min(b for b, run in narrow.items() if run.correct),
    low=1,
    high=5,
    shows=show.Frames(pictures, names, "Breadth"),
)

# %% [markdown]
# Breadth insures against a judge who is sometimes wrong. With one state kept, the search follows a dead favourite. With two, it also keeps a state
# that can win, and loses it again because the judge finds `4 6` impossible.
#
# ## Can the values be trusted?
#
# A value is the model's *opinion*. For a game this small a program can find the truth by trying everything.

# %% tags=["set-up"]
import re
from collections import Counter
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
# **Table.** Opinion and truth in the first column of the tree. The judge's favourite is a dead end, and the judge
# calls `1 + 2 = 3` impossible three times although `3 3 4` makes 24.
#
# ### Predict: how often is the judge wrong?
#
# Take the first two levels, and pair each thought that can still reach 24 with each one on its level that cannot. A pair
# is wrong if the *hopeless* thought has the higher value. A perfect judge has no wrong pairs; one that tosses coins has
# about fifty in a hundred wrong.

# %%
judged = [item for item in seen.walk() if item.depth in (1, 2)]
both = [
    (a, b)
    for a in judged
    for b in judged
    if a.depth == b.depth and possible(a) and not possible(b)
]
wrong = sum(a.value < b.value for a, b in both)
even = sum(a.value == b.value for a, b in both)
show.Predict(
    "How many of a hundred pairs does this judge have wrong?",
    round(100 * wrong / len(both)),
    low=0,
    high=100,
    shows=f"Of {len(both)} pairs {wrong} are wrong and {even} level.",
)

# %% [markdown]
# That is about as many as with coins. But most of the wrong pairs come from a single question: two of the
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
# The line above the tree says 25 calls in all. Count the boxes of the first two columns: 21 thoughts were judged by the model.

# %%
left = Counter(item.thought.split(" (left")[1] for item in judged)
rows = [
    {"numbers left": numbers[2:-1], "thoughts": thoughts}
    for numbers, thoughts in left.items()
    if thoughts > 1
]
show.Predict(
    "How many calls did the judging take?",
    len(judging["requests"] + again["requests"]),
    low=1,
    high=63,
    shows=show.table(rows),
)

# %% [markdown]
# The judge sees only the numbers that are left. Thoughts that leave the same numbers raise the same question, word for word, and it is asked once: the table shows these merged requests. The generator's calls are merged in the same way. It was asked once at the start, five times for the first column, and four times for the
# second, because two of the five kept states both leave `1 3`. That makes 10 calls, and the **ledger** of the run must
# agree.

# %% tags=["predict", "plot"]
show.bill({"the tree": solution})

# %% [markdown]
# **Figure.** What the tree cost, by the role that the model played: 10 + 15 calls. **Tokens** are the word pieces that a model reads
# (the prompt) and writes; providers charge for both.
#
# ### Asked and paid

# %%
ledger = solution.result.ledger
print(f"asked {ledger.total.calls} calls in {ledger.rounds} rounds")
print(f"paid  {ledger.total_paid.calls} calls")

# %% [markdown]
# A **round** is a set of calls that wait only for earlier ones, so they can be made at the same moment. Here proposing and
# judging take turns. The fifth round proposes the last steps, and no sixth is needed, since a program judges single numbers. You
# pay for tokens and wait for rounds. **Asked** is what the run would cost if nothing had been recorded. This is the same in
# every replay, so it is what our tables compare. **Paid** is what went to a provider just now: for a replay, nothing.
#
# How does that compare with simpler methods? **IO** (input-output) shows the model the puzzle and takes its answer.
# **CoT** is the chain of thought from the top of the page.

# %% tags=["set-up"]
# Three methods, and four more chains
io_lm = tot.Cassette("cassettes/03.jsonl")
direct = tot.solve("game24", "1 2 3 4", "io", lm=io_lm)
five = tot.solve("game24", "1 2 3 4", "cot", lm=chains, k=5)
print("right, of five chains:", sum(s.correct for s in five.scores))
show.bill({"IO": direct, "CoT": chain, "ToT": solution})

# %% [markdown]
# **Figure.** Three methods on one puzzle. Only the tree solves it, for many times the tokens of a single answer. (All replies were
# drawn at random, at temperature 0.7. [Chapter 2](02_a_distribution.ipynb) shows what that means, and how little one puzzle
# proves.)
#
# ## How replaying works
#
# What must a recording remember, so that a replay gives exactly the same run? The order in which replies arrived is not
# enough: a search makes many calls at once, and nobody knows which will be answered first. The question alone is not enough either: an evaluator
# that asks it three times wants three independent verdicts, and at another temperature the same words are another question.
#
# A **sample** is identified by its **request**, which is everything the provider sees
# (model, messages, settings), and by its **index** (0, 1, 2 ... of that request).

# %% tags=["remove-input"]
show.concepts.cassette()

# %% [markdown]
# **Figure.** A file of recorded replies is a **cassette**. What it has, it replays. What it lacks is asked of a live
# model and recorded, or refused if there is none.
#
# Run a search twice and you get the same run twice, since it asks for the same indices. For a second, *independent* run
# you ask for later ones: `tot.solve(..., first=10)` starts at sample 10 of each request.
#
# ### Predict: two changes
#
# You will want to change a setting; those of a method, such as `breadth`, are its **knobs**. First change: a puzzle that
# nobody recorded. None of it can be replayed. Second change: five verdicts on each state instead of three.

# %%
rows = []
for x, change in (("1 1 1 8", {}), ("1 2 3 4", {"values": 5})):
    missed = tot.solve("game24", x, "tot-bfs", lm=lm, **knobs, **change)
    changed = change or "another puzzle"
    rows.append({"change": changed, "the program says": missed.error})
recorded = int(missed.error.split()[1])  # the first index that is not
show.Predict(
    "How many of a request's five verdicts must be asked anew?",
    5 - recorded,
    low=0,
    high=5,
    shows=show.table(rows),
)

# %% [markdown]
# What was not recorded is a **miss**. The message names the nearest recorded request, and shows the first line in which the two
# differ. In the second case the request is the same, and only its indices 3 and 4 are new: with the same model at hand,
# those two would be asked and the first three replayed.
#
# A live model can come in at two places. *Behind the cassette* it is asked what is missing, and its replies are recorded. Passed
# as `live=...` to `tot.solve`, it repeats the whole run: if it only took over at the miss, the rounds before would be one model's
# and the rounds after another's, and the result would belong to neither. (If a connection breaks, there is no reply, so nothing
# is written. But a tool that answers "no such page" has *answered*, and its error is recorded like any reply.)
#
# The file itself is plain text, with a line for each session, message and sample, and it never holds a key.
# [Recordings](../book/manual/recordings.md) in the manual reads one with a dozen lines of Python, and tells how edits
# are detected. ([`tot serve`](../book/manual/serve.md) replays to programs that know nothing of this book.)
#
# ## Three kinds of model
#
# `tot.solve` does not care what answers its requests. So far the replies were **recorded**, and most results of this book are such
# replies; larger studies are read from a results file. **Scripted** replies, `tot.Scripted(...)`, were written by somebody. They
# are good for demonstrations and tests, always labelled, and never a result. And a **live** model is asked now, on any server that speaks
# the OpenAI protocol: a provider, or a program on your own machine such as llama.cpp, Ollama or vLLM. The code is
# the same. (The block below needs a server, so it is not run here.)
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
# (No server? `make local-lm` in the book's folder starts a very
# small one.)
#
# > **Where it breaks.** A cassette answers only what was asked before, and it speaks for one model, one day, one set of
# > settings. It shows no waiting and no failures of a network. To explore beyond the recorded knobs, bring a model.
#
# From chapter 4 on you build a program of your own beside the package, a piece at a time: a reader of steps, a search, the
# prompts. After chapter 6 it is about fifty lines of code and two prompts, which play this game with any model and need nothing of
# ours. (In a hurry? Go straight to [chapter 6](06_tot_bfs_game24.ipynb). The [first page](../book/index.md) has other ways.)
#
# ## Summary
#
# - A search builds a tree of thoughts, goes on from the states with the best values, and stops at an answer. A verifier
#   decides afterwards whether it is right.
# - Values are a model's opinions. In this one tree they did no better than a coin, mostly because of one question, and breadth made up for it.
# - You can add up a bill by hand: calls by role (equal questions count once), rounds for the waiting, tokens for the price.
# - Recorded replies are filed under request and index, so a replay is exact, at any speed and in any order. After a change
#   of settings it either replays or says what is missing.
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

# %% [markdown]
# ### Exercise 2: what was thrown away?
#
# Did the search drop states that could still have reached 24? List them, level by level. Would a breadth of 8 have kept
# them? (Take the values as given.)
#
# <details><summary>Hint</summary>
#
# `seen.walk()` visits the boxes; `item.status == "dropped"` means not kept. Count the states of the same level that have a higher value.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for level in (1, 2, 3):
    here = [item for item in seen.walk() if item.depth == level]
    dropped = [item for item in here if item.status == "dropped"]
    print(f"level {level}: {len(dropped)} dropped; that could win:")
    for item in filter(possible, dropped):
        above = sum(other.value > item.value for other in here)
        print(f"    {item.thought}, in place {above + 1} or below")
# So a breadth of 8 would not have kept them.

# %% [markdown]
# ### Exercise 3: asked and paid
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
# #### Solution 3

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
# ### Exercise 4: filed under the prompt alone
#
# Many programs cache replies under the prompt's text only, so every sample of a request becomes its sample 0. Build such a
# model from `lm`, and run the first level of the same search with it (`budget=tot.Budget(nodes=1)` stops there). What
# happens to the values, and could you see it in the tree?
#
# <details><summary>Hint</summary>
#
# `tot.Scripted` makes a model of a function from a request and an index to a text; yours ignores the index.
# `request.samples(0, 1)` asks for sample 0 alone. Which sums of three verdicts are possible if the three are equal?
#
# </details>

# %% [markdown]
# #### Solution 4


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
# certain where it is not.
#
# </details>
#
# ## Further reading
#
# - The paper behind the first half of this book: Tree of Thoughts {cite}`yao2023tree`.
# - The idea of problem solving as search is older than language models: {cite}`newell1959report`, {cite}`newell1972human`.
