# %% [markdown]
# # Reading and replaying
#
# Below, a small language model plays a number game: make 24 from four numbers. It does not blurt out an answer. It
# proposes first steps, judges where each would lead, keeps the most promising, and goes on from there. Read the picture from left
# to right; the thick blue path is the answer that came out.

# %%
import tot
from tot import show

lm = tot.Cassette("cassettes/06.jsonl")
knobs = {"style": "lean", "breadth": 5}
solution = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=lm, **knobs)
show.svg(solution)

# %% [markdown]
# No model was asked just now. The replies were recorded once, from a real model, and are **replayed** here from a file next to this
# page: the same tree for you as for us, with no key, no GPU and no network. This chapter shows how to read such a tree, what it
# cost, and what exactly the file keeps, so that you can trust the rest of the book and change it.
#
# ## Learning objectives
#
# After this chapter you can
#
# - play the Game of 24, and have an answer checked exactly;
# - replay a recorded run, and read its tree: thoughts, values, what was kept, the chosen path;
# - read what a run cost: calls, rounds and tokens, asked and paid;
# - open a recording, and say what identifies a recorded sample;
# - understand what happens when you change a knob, and point the same code at a model of your own;
# - choose your way through the book.

# %%
session = next(iter(lm.tape.sessions.values()))
print(f"model    {session['model']}")
print(f"recorded {session['date']}, served by {session['server'].split()[0]}")
print(f"weights  SHA-256 {session['weights_sha256'][:16]}...")

# %% [markdown]
# Every number in this book is about some model on some day, and this is the one that most chapters recorded. It is
# small, and made for writing code: a weak player. We chose it on purpose. Its mistakes are frequent enough to be
# studied.
#
# ## The game
#
# Four whole numbers are given. Combine them with `+`, `-`, `*`, `/` and brackets, using **each number exactly once**, so that
# the result is 24. For `4 9 10 13`, the example of the Tree of Thoughts paper {cite}`yao2023tree`, one answer is
# `(10 - 4) * (13 - 9)`.
#
# Take a minute and solve **2 3 4 10** by hand. Watch yourself doing it: you try a first step, look at the three numbers that are left,
# feel hopeful or not, and take the step back. Then put your answer here. (Ours is not right.)

# %%
task = tot.task("game24")
puzzle = task.problem("2 3 4 10")
mine = "2 + 3 + 4 + 10"
print(task.verify(puzzle, mine))

# %% [markdown]
# The verifier is a program, not a model, and it is exact. That takes some care. The obvious check would be to compute the
# expression and compare it with 24.
#
# ### Predict: which of these count?
#
# A famous hard puzzle is `3 3 8 8`, and `8 / (3 - 8 / 3)` solves it: work it out on paper. What will Python's arithmetic say about
# it? And which of the answers to `2 3 4 10` below will be accepted?

# %%
print(8 / (3 - 8 / 3) == 24, 8 / (3 - 8 / 3))
print(task.verify(task.problem("3 3 8 8"), "8 / (3 - 8 / 3)").why)
answers = ["10 * 3 - 4 - 2", "10 × 3 − 4 − 2 = 24", "4 * 3 * 2"]
answers += ["2 * 3 * 4 * 10 / 10", "10 + 2 + 3 * 4"]
for answer in answers:
    score = task.verify(puzzle, answer)
    print(f"{answer:>20}  {'yes' if score.correct else 'no ':3}  {score.why}")

# %% [markdown]
# Thirds have no exact binary form, so ordinary floating-point numbers miss 24 by a hair. The package computes with exact fractions, and
# it never executes what a model wrote. [Chapter 3](03_io_and_verifiers.ipynb) builds such a verifier.
#
# ## Reading a tree
#
# Each box is a **thought**: one step, here one equation. `(left: ...)` are the numbers still to be used. A **state** is a box with
# everything on the way to it from the left: the puzzle and the thoughts so far.
#
# - **value**: how promising the model finds the state. It is asked three times whether 24 can be reached from what is
#   left. Each *sure* counts 20, each *likely* 1, each *impossible* 0.001, and the three are added up. So 60 means
#   "sure" three times; 21.001, shown as 21, is one of each. A reply without one of these words counts 0: 1.001 is a
#   *likely*, an *impossible*, and one that could not be read. (With a single number left there is nothing to judge: a
#   program sees whether it is 24.)
# - **kept** or **not kept**: after each step, the best few states over the whole level go on, and the others (dashed) are left. How
#   many go on is the **breadth**; here it is 5.
# - The **chosen path** leads to the answer, which is then checked. The tick or cross is the verifier's; the model never sees it.
#
# ### Predict: how full is each level?
#
# The puzzle has one box. From each kept state the model proposes several steps, and at most five survive. How many thoughts do you
# expect in the first column, in the second, in the third?

# %%
seen = show.picture(solution)
for level in range(1, 5):
    here = [item for item in seen.walk() if item.depth == level]
    kept = [item for item in here if item.status == "kept"]
    print(f"level {level}: {len(here):2} thoughts, {len(kept)} kept")

# %% [markdown]
# A tree does not explode if it is cut back at each level. Without the cut, every state would be followed up, and the third column would
# be several times as long. The last level only writes down the answer, which a program does from the three steps.
#
# The same tree as plain text, which is how you read one in a terminal. Note the order of the children: it is the order in which
# the model proposed them.

# %%
print(show.text(solution, width=74))

# %% [markdown]
# And as a page to click through. Open a thought to see word for word what the model was asked and what it replied. Look for a
# step whose value surprises you, and read the three verdicts behind it.

# %%
show.html(solution)

# %% [markdown]
# ### Predict: can the values be trusted?
#
# A value is the model's *opinion*. For a game this small a program can find out the truth by trying everything. How often will a state
# that cannot reach 24 have a higher value than one that can? Go through the first column of the tree by hand first.

# %%
import re
from fractions import Fraction

from tot.tasks.game24_rules import solvable


def possible(item):
    """Can the numbers left make 24? Tries everything, asks no model."""
    left = re.search(r"left: ([^)]*)", item.thought)[1]
    return solvable(tuple(sorted(map(Fraction, left.split()))))


first = [item for item in seen.walk() if item.depth == 1]
columns = {"thought": "thought", "value": "value", "possible": "24 possible"}
show.table([vars(i) | {"possible": possible(i)} for i in first], columns)

# %%
judged = [item for item in seen.walk() if item.depth in (1, 2)]
can = [item for item in judged if possible(item)]
cannot = [item for item in judged if not possible(item)]
both = [(a, b) for a in can for b in cannot if a.depth == b.depth]
pairs = [(a.value, b.value) for a, b in both]
print(f"{len(can)} of {len(judged)} thoughts on levels 1 and 2 can reach 24.")
print(f"{len(pairs)} pairs on one level: one that can, one that cannot")
print(f"  the first has the higher value in {sum(a > b for a, b in pairs)}")
print(f"  the two have the same value in {sum(a == b for a, b in pairs)}")
print(f"  the second has the higher value in {sum(a < b for a, b in pairs)}")

# %% [markdown]
# If the last count is not zero, the search was led by a judge who errs. Keeping several states is what protects it. How
# much that helps, and how good the judge is over many puzzles, is the subject of [chapter 6](06_tot_bfs_game24.ipynb);
# one tree is an anecdote.
#
# ## Reading a bill
#
# Search costs more than asking once. The **ledger** of a run says how much.

# %%
ledger = solution.result.ledger
print(f"asked: {ledger.total.calls} calls, paid: {ledger.total_paid.calls} calls")
show.ledger(solution, caption=f"{ledger.rounds} rounds")

# %% [markdown]
# - A **call** is one request: a prompt, and how many samples of its answer are wanted. The *generator* proposes thoughts, the
#   *evaluator* judges them, with three **samples** to a call.
# - **Tokens** are the word pieces that a model reads (the prompt) and writes (the completion). Providers charge for them.
# - A **round** is a set of calls that wait only for earlier ones, so they can be made at the same moment. Calls cost money; rounds
#   cost waiting. All evaluations of one level are one round.
# - **Asked** is what the run costs as if nothing had been recorded. It is the same in every replay, so that is what our tables
#   compare. **Paid** is what really went to a provider just now. For a replay: nothing.
#
# ## How replaying works
#
# What must a recording remember, so that a replay gives exactly the same run? The first idea is a tape recorder: a list of
# replies, played back in the order in which they came. To try that out we use a **scripted model**: one whose answers we wrote ourselves.

# %%
first_call = tot.user("Pick a colour.")
second_call = tot.user("Pick an animal.")
tape = tot.Scripted(["blue", "otter"])  # scripted: given out in this order
print([reply.texts for reply in tape([first_call, second_call])])

# %% [markdown]
# ### Predict: ask in another order
#
# Searches make many calls at once, and nobody knows which is answered first. What does the tape recorder play if the second question
# is asked first?

# %%
tape = tot.Scripted(["blue", "otter"])
print(tape([second_call])[0].texts, tape([first_call])[0].texts)

# %% [markdown]
# The replies went to the wrong questions. So a reply must be filed under its *question*. But under the prompt alone? An evaluator asks
# the same question three times, and wants three independent verdicts, not one verdict three times. And a changed setting, such
# as the temperature, makes it a different question.
#
# So here is the rule of this book. A **sample** is identified by its **request**, that is everything the provider sees (model, messages,
# settings), and its **index** (0, 1, 2 ... of that request). Never by the order of arrival. As a program, it is a dictionary. (Ours is for one model, so
# it leaves the model out.)


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
        key = identity([[m.role, m.content] for m in r.messages], r.params)
        for index in range(r.first, r.first + r.n):
            yield tot.Sample(self.texts[key, index])


# %%
texts = {}
for request, text in ((first_call, "blue"), (second_call, "otter")):
    message = request.messages[0]
    key = identity([[message.role, message.content]], request.params)
    texts[key, 0] = text
tiny = Tiny(texts)
print(tiny([second_call])[0].texts, tiny([first_call])[0].texts)

# %% [markdown]
# Now the order does not matter. To keep a dictionary in a file, write each entry as one line of JSON: a person can read it, a
# version control system can show what changed, and a crash spoils at most the last line.

# %%
lines = []
for (key, index), text in texts.items():
    lines.append(json.dumps([json.loads(key), index, text]))
print(*lines, sep="\n")

again = {}
for request, index, text in map(json.loads, lines):
    again[identity(*request), index] = text
assert again == texts

# %% [markdown]
# ## Inside a real cassette
#
# A file of recorded replies is called a **cassette**. Ours has three kinds of lines: one that says who answered, one for each
# distinct message (so that long prompts are stored once), and one for each sample.

# %%
with open("cassettes/06.jsonl", encoding="utf-8") as file:
    entries = [json.loads(line) for line in file]
for kind in ("session", "message", "sample"):
    example = next(entry for entry in entries if entry["type"] == kind)
    print(f"a {kind} line")
    for name in example:
        if name not in ("type", "settings", "server", "latency_ms"):
            print(f"    {name}: {json.dumps(example[name])[:55]}")

# %% [markdown]
# A sample line has its request (`messages` by number, `params`), its `index`, the text, why it ended (`finish`), and its tokens. `key`
# is a short fingerprint of the request, so that a line can be found quickly and an edited prompt is noticed. There are no
# passwords in it.
#
# Our tiny cassette can play this file. If we have understood the format, it must give the same tree.

# %%
messages, texts = {}, {}
for entry in entries:
    if entry["type"] == "message":
        messages[entry["id"]] = [entry["role"], entry["content"]]
    if entry["type"] == "sample":
        said = [messages[i] for i in entry["messages"]]
        key = identity(said, entry["params"])
        texts[key, entry["index"]] = entry["text"]
again = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=Tiny(texts), **knobs)
assert again.trace.nodes() == solution.trace.nodes()
print(f"the same {len(again.trace.nodes())} nodes; the answer {again.answer}")

# %% [markdown]
# What ours lacks: the bill, recording, and good manners when something is missing. That comes next.
#
# ## When a sample is missing
#
# You will want to change a knob: another puzzle, another breadth. What was recorded replays. What was not is a **miss**.
#
# ### Predict: two changes
#
# First change: a puzzle that nobody recorded. Second change: five verdicts on each state instead of three. Which requests are new,
# and which samples could still be replayed? What should a program say that is honest and helpful?

# %%
import textwrap

for x, change in (("1 1 1 8", {}), ("1 2 3 4", {"values": 5})):
    missed = tot.solve("game24", x, "tot-bfs", lm=lm, **knobs, **change)
    print(f"{x}, {change or 'the same knobs'}: {missed.result.stopped}")
    print(textwrap.indent(textwrap.fill(missed.error, 72), "    "))

# %% [markdown]
# The message names the recorded request that is nearest, with the first line where the two differ. In the second case the request is the
# same, and only the indices 3 and 4 are new: with the same model at hand, those two would be asked, and the first three replayed. A
# cassette never makes anything up, and never gives you the nearest reply instead of the right one.
#
# ## Three kinds of model
#
# `tot.solve` does not care what answers its requests. There are three kinds, and you have met two:
#
# - **recorded**: `tot.Cassette(file)`. Real replies, replayed. Most results in this book come from these; larger
#   studies are read from a results file, and say how it was made.
# - **scripted**: `tot.Scripted(...)`. Replies that somebody wrote. Good for demonstrations and tests, always labelled, never a result.
# - **live**: a model that is asked now. Any server that speaks the OpenAI protocol will do: a provider, or a program on your own
#   machine such as llama.cpp, Ollama or vLLM.
#
# With a live model the code is the same. This block is not run here, because it needs a server:
#
# ```python
# from tot.lm.openai import OpenAI
#
# # If the server wants a key, set OPENAI_API_KEY in the environment.
# live = OpenAI("your-model", base_url="http://127.0.0.1:8080/v1")
# lm = tot.Cassette("mine.jsonl", live)  # record mode
# solution = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, breadth=5)
# ```
#
# A cassette that is given a live model **records**: what it has, it replays; what is missing, it asks for once and writes down. Run
# the block twice, and the second run pays nothing. If you have no server, `make local-lm` in the book's folder starts a very
# small one. `make record CHAPTER=06 MODEL=your-model` records a whole chapter anew.
#
# Here is a scripted player of our own, in the place of the model. **It is a demonstration: we wrote its answer.**


# %%
def player(request, index):
    return "Answer: (10 - 4) * (13 - 9)"


scripted = tot.Scripted(player, name="scripted by us")
demo = tot.solve("game24", "4 9 10 13", "io", lm=scripted)
print(show.text(demo))

# %% [markdown]
# ## What it cost
#
# The simplest method is **IO** (input-output): show the model the puzzle, take its answer. The next table sets the first of ten recorded
# IO answers for our puzzle beside the tree from the top of this page. Each further chapter adds its method to such a table.

# %%
io_lm = tot.Cassette("cassettes/03.jsonl")
direct = tot.solve("game24", "1 2 3 4", "io", lm=io_lm)
print(f"IO answers {direct.answer}: {direct.scores[0].why}")
show.cost_table([direct, solution], caption=f"One puzzle; {lm.name}")

# %% [markdown]
# Look at the column of rates. One puzzle gives a rate of 0 or 100 %, and the interval beside it tells how little that says: nearly
# anything is possible. [Chapter 2](02_a_distribution.ipynb) builds this interval. The cost columns, however, are plain facts: a tree
# is paid for with many times the tokens of a single answer. Whether it is worth them is a question the book comes back to
# whenever a new method appears.
#
# ## Where replaying fails
#
# - A cassette answers only what was asked before. Explore with the recorded knobs, or bring a model.
# - It speaks for one model, one day, one set of settings. Another model will play differently; that is what re-recording is for.
# - A replay shows no waiting and no failures of a network. What was asked for is recorded; how long it took is not part of a result.
#
# ## A map of the book
#
# | chapter | its question | skip it if you |
# |---|---|---|
# | 1 Reading and replaying | How do I read a run, and replay it? | can now do both |
# | [2 A language model is a distribution](02_a_distribution.ipynb) | What is one answer worth? | know temperature, i.i.d. samples and Wilson's interval |
# | [3 IO prompting and verifiers](03_io_and_verifiers.ipynb) | How often is a direct answer right? | never compare methods |
# | [4 Chain of thought](04_chain_of_thought.ipynb) | Does thinking aloud help? Does voting? Does a second try? | know self-consistency and refinement |
# | [5 How a search asks](05_how_a_search_asks.ipynb) | How is a search written, stepped and tested? | will only use `tot`, not extend it |
# | [6 Tree of Thoughts](06_tot_bfs_game24.ipynb) | What does the tree add, and at what price? | came for something else |
# | [7 Votes](07_votes_creative_writing.ipynb) | What if nobody can check an answer? | have a verifier |
# | [8 Depth first](08_tot_dfs_crosswords.ipynb) | What do pruning and backtracking do? | need no long searches |
# | [9 Zero-shot trees](09_zero_shot_tot.ipynb) | One tree for any question? | have read 7 |
# | [10 Tools](10_tools_costs_failures.ipynb), [11 A*](11_best_first_itot_astar.ipynb), [12 D*](12_itot_dstar.ipynb) | What if steps cost, and fail? | use no tools |
# | [13 Monte Carlo tree search](13_mcts_from_scratch.ipynb) | Where to look next? | know UCB1 |
# | [14 Search over plans](14_planning_with_mcts.ipynb), [15 Who should plan?](15_who_should_plan.ipynb) | Plan first, and who? | do not plan |
# | [16 When does search pay?](16_when_search_pays.ipynb) | Sample, vote or search? | never choose |
# | [17 Bring your own](17_bring_your_own.ipynb) | Your task, [your model](17_bring_your_own_model.ipynb)? | only read |
#
# (The [first page](../book/index.md) lists all parts.)
#
# - **Student, or learning by yourself**: in order, with the predictions. Chapter 5 is the densest; you may read 6 first.
# - **Teacher**: 1 to 4 need no search and fit a course on prompting or on statistics; 5 to 9 fit one on search, 10 to 13 one
#   on planning. Exercises are graded from easy to hard, and their solutions run.
# - **Researcher or engineer**: skim 1; read 3 for the measurements, 5 for the design, 6 for the method, 16 for the bill; then
#   [bring your own model](17_bring_your_own_model.ipynb).
#
# New words are collected in the [glossary](../book/glossary.md). [Paper to code](../book/paper_to_code.md) finds the line of code for
# each equation, and the [errata](../book/errata.md) list what we found wrong in the papers, each with its computation.
#
# ## Summary
#
# - A search builds a tree of thoughts. Values are opinions of the model; the verifier is exact, and the search never sees it.
# - A bill counts calls, rounds and tokens. *Asked* is the same for everybody; *paid* is zero when you replay.
# - A sample is identified by its request and its index, never by the order of arrival. What was not recorded is a miss, with a clear
#   message.
# - Recorded, scripted and live models answer the same requests; only recorded and live ones count as results.
#
# ## Exercises
#
# ### Exercise 1: another way
#
# Find a second answer to `2 3 4 10` that is not just a reordering of `10 * 3 - 4 - 2`, and check it. Use division if you can.
#
# <details><summary>Hint</summary>
#
# $24 = 3 \times 8$, and 8 can be made from 2, 4 and 10.
#
# </details>

# %%
mine = "..."  # your answer
print(task.verify(puzzle, mine).why)

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
answer = "3 * (10 - 4 / 2)"
print(answer, task.verify(puzzle, answer).correct)
old = "10 * 3 - (4 + 2)"  # right, but the known one in other clothes
print(old, task.verify(puzzle, old).correct)

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
    print(f"level {level}: {len(dropped)} dropped, {len(lost)} could reach 24")
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
    assert [s["text"] for s in one["samples"]] == list(lm([request])[0].texts)
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
victim = next(i for i, line in enumerate(lines) if "Numbers: 1 2 3 4" in line)
lines[victim] = lines[victim].replace("1 2 3 4", "1 2 3 5")
with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy.jsonl")
    copy.write_text("".join(lines), encoding="utf-8")
    print(f"original: {len(check(original))} complaints")
    print(f"copy: {check(copy)[0]}")

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
        key = identity([[m.role, m.content] for m in r.messages], r.params)
        return [tot.Sample(self.texts[key, 0])] * r.n


one_level = tot.Budget(nodes=1)  # stop after the first evaluation
wrong_lm = ByPrompt(texts)
wrong = tot.solve("game24", "1 2 3 4", lm=wrong_lm, budget=one_level, **knobs)
for name, run in (("independent", solution), ("cached", wrong)):
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
