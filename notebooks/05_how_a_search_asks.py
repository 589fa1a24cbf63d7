# %% [markdown]
# # Thoughts, states, generators, evaluators: how a search asks
#
# The last chapter ended with a broken chain. Asked to make 24 from 3, 4, 4 and 6, our small model lost the 6 on the way.
# After its first line the game could still be won, but a chain cannot go back.
#
# You would try a first step, look at the numbers that are left, and give the step up if they look hopeless. That is a
# **search**. Can a program search like that with a model that plays so badly? What does it have to ask, and how often?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.questions()

# %% [markdown]
# **Figure.** Such a search asks a model only two questions. The program keeps the answers, and decides where to go on.

# %% tags=["set-up"]
import re
from contextlib import suppress
from random import Random
from statistics import fmean

import tot
from tot import stats
from tot.events import Evaluated
from tot.tasks.game24 import left
from tot.tasks.game24_rules import moves, solvable

task = tot.task("game24")
chains = tot.Cassette("cassettes/04.jsonl")
lm = tot.Cassette("cassettes/06.jsonl")


def conversation(request, example):
    """A prompt with one of its examples, as a dialogue."""
    first, *shown, last = request.messages
    some = shown[2 * example - 2 : 2 * example]
    turns = [(m.role, m.content) for m in (first, *some, last)]
    return show.transcript(turns)


# %% [markdown]
# ## Learning objectives
#
# After this chapter you can
#
# - cut a problem into thoughts, and say where next thoughts come from, who judges them, and in what order a search looks;
# - write a breadth-first search in eight lines that asks its questions and never calls a model;
# - add up a search's bill by hand, in calls and in rounds, and say how far a search gets with fewer calls;
# - say what the tree won on ten puzzles, what it cost, how much of it dice would win, and what ten puzzles cannot show.
#
# ## Search by hand
#
# Play the program's part for one puzzle. You may ask the model two kinds of question, and the first is: *what could the
# next step be?* Here is the prompt, with one of its three examples. (The style of this prompt is called *lean*: the model
# writes only equations, and the program works out which numbers are left.)

# %%
puzzle = task.problem("3 4 4 6")
root = tot.State(puzzle.x)
request = task.propose(root, "lean")
conversation(request, example=3)

# %%
[proposed] = lm([request])
print(proposed.texts[0])

# %% [markdown]
# The model lists four first steps. After each of them three numbers are left: 3 6 16, or 4 6 12, or 2 3 4, or 1 4 6. We call such
# a state **alive** if 24 can still be reached from it, and **dead** if it cannot.
#
# ### Predict: how many of the four are alive?
#
# Take two minutes and a pencil.

# %%
reads = task.read_proposals(root, proposed.texts[0])
first = [root.then(read.value) for read in reads]
ways = ["none", "(12 - 6) * 4", "2 * 3 * 4", "1 * 4 * 6"]
rows = []
for state, way in zip(first, ways, strict=True):
    row = {"step": state.last.text, "alive": solvable(left(state))}
    rows.append(row | {"a way": way})
show.Predict(
    "How many of the four steps are alive?",
    sum(row["alive"] for row in rows),
    low=0,
    high=4,
    shows=show.table(rows),
)

# %% [markdown]
# A solver filled in the column "alive" by trying everything. The search has to do without one, so it asks its second question: *can
# these numbers still make 24?* The prompt shows the numbers, and not how we got there. Again you see one example, of six.

# %%
conversation(task.value(first[2]), example=1)

# %% [markdown]
# One reply is one opinion, so we draw three.


# %%
def opinions(state):
    [reply] = lm([task.value(state).samples(first=0, n=3)])
    return reply.texts


print("2 3 4:", *opinions(first[2]), sep="\n   ")

# %% [markdown]
# Two replies say *impossible*, one says *likely*, and none has seen 2 * 3 * 4. To compare states, we turn each verdict into a
# number and add up the three: *sure* is worth 20, *likely* 1, *impossible* 0.001, and a reply without a verdict nothing.
# (These are the numbers of the authors' code. A state with more *sure*s always comes first.)

# %% tags=["set-up"]
# The three verdicts on each of the four states
rows = []
for state in first:
    worth = [task.read_value(t).value or 0 for t in opinions(state)]
    row = {"left": " ".join(map(str, left(state)))}
    row["verdicts"] = " + ".join(f"{one:g}" for one in worth)
    row["value"] = tot.ties.total(worth)
    rows.append(row | {"alive (solver)": solvable(left(state))})
show.table(rows)

# %% [markdown]
# **Table.** The judge gives a dead state the same value as two living ones, and the lowest value to a third that is alive.
#
# This is not a great judge. But we need not bet on its favourite alone. We keep *three* states (if values tie, the state
# that was written first goes first) and give up `1 4 6`. We ask for the next steps of all three, have the fifteen new
# states judged, keep the best three of these, and so on. When a single number is left, a program sees whether it is 24.

# %%
by_hand = tot.solve(
    task, puzzle, "tot-bfs", lm=lm, style="lean", breadth=3
)
show.svg(by_hand, max_dropped=1)

# %% [markdown]
# **Figure.** The puzzle, searched with three states kept at each step. The way to 24 begins with the step that was third on the
# list. At the second step `2 12` is kept because one of its three verdicts is *sure*. (Its 21 is really 21.001, a little more
# than the 21 of `12 24`.)
#
# The program has won with a model that lost as a chain. It also kept `3 22` and `12 24` for the last step, and neither can
# make 24, although the judge had once called the second one *sure*.
#
# So breadth can make up for the judge's mistakes, at the price of more questions. It fails when dead states, valued above every living one,
# take all the places that we keep. Then all that is alive is dropped, and nothing brings it back.
#
# How wrong can this judge be? One of the dropped states is `4 6`, below `3 * 4 = 12`. You saw these numbers in the
# *generator's* prompt, with `4 * 6 = 24` as its example. Asked as the *evaluator*, the same model says:

# %%
four_six = root.then(reads[1].value)
step = task.read_proposals(four_six, "12 - 6 = 6")[0].value
print("4 6:", *opinions(four_six.then(step)), sep="\n   ")

# %% [markdown]
# Three times *impossible*: here, an example in one prompt did not help with the other.
#
# Now the bill. Add it up from the tree before you read on: one request for the first steps, four for their values, three for the next
# steps, fifteen for the values of these, and three for the last steps. That makes twenty-six requests in five rounds.
#
# A **call** is one request, however many samples it asks for. A **round** is a set of requests that wait only for earlier
# rounds: the fifteen values of round 4 do not wait for each other, so a server can answer them side by side. *Rounds are
# what you wait for; calls and tokens are what you pay for.*
#
# ## Four questions
#
# What we just did has four parts. The paper {cite}`yao2023tree` puts them as questions. If you can answer them for your problem,
# you can search for its solution in a tree.
#
# | question | we answered | the paper's word |
# |---|---|---|
# | What is one step? | one equation | thought decomposition, $z_i$ |
# | Where do next steps come from? | the model lists some | thought generator, $G(p_\theta, s, k)$ |
# | Which states look good? | three verdicts on each | state evaluator, $V(p_\theta, S)$ |
# | In what order do we look? | level by level, three kept | search: breadth first, $b = 3$ |
#
# ($p_\theta$ is the model, $k$ the number of next steps, $S$ the states that are judged.)
#
# A **thought** is one step. It can be too small: after `3 *` nobody can say whether things are going well. It can be too big: a
# whole solution as one thought is a chain again, judged when it is too late. It should be small enough that the model can
# write several different ones, and big enough that each can be judged.
#
# A **state** $s = [x, z_1 \dots z_i]$ is the problem $x$ with the thoughts so far, and nothing else. It never changes:
# `state.then(thought)` makes a new one, so two branches cannot spoil each other's board. A **node** is a state with its
# place in the tree and its value. No state contains the true answer; the check at the end is *free*
# ([chapter 3](03_io_and_verifiers.ipynb)).
#
# **Sample or propose?** A generator can draw $k$ independent replies to one prompt (*sample*), or ask once for a list, as
# we did (*propose*). Samples do not know of each other. A list sees what it has already written.
#
# If there is little to say (a word, an equation), propose. If there is much (a plan, a passage), sample: long replies differ
# from each other anyway, the paper says.
#
# **Value or vote?** An evaluator can judge each state alone and give it a *value*, as we did, or see several side by
# side and *vote* for the best. Vote if a text is hard to judge alone and easier to compare, as
# [chapter 7](07_votes_creative_writing.ipynb) does.
#
# ## A function that asks
#
# Now let a program do it. If it called the model wherever it has a question, it would wait twenty-six times instead of
# five, it could not be stopped half-way, and each of its tests would need a model. So we write a function that *asks*,
# and leave the calling to somebody else.
#
# Python has such functions. A function with `yield` in it is a **generator** (Python's word; a *thought* generator is
# something else). Calling it runs nothing. `send(value)` lets it run to its next `yield`: what stands to the right of
# `yield` comes out, and what is sent in next becomes the value of that `yield`. The first `send` must be `None`, as
# nothing has been asked yet. At its end, Python raises `StopIteration`, which carries the returned value.


# %%
def greet():
    name = yield "What is your name?"
    town = yield f"Where do you live, {name}?"
    return f"{name} of {town}"


talk = greet()  # nothing has run yet
print(talk.send(None))  # runs to the first yield
print(talk.send("Ada"))  # Ada becomes the name; to the second yield
try:
    talk.send("London")
except StopIteration as end:
    print("It returned:", end.value)

# %% [markdown]
# `greet` does not know who answers (a person, a file or a test), nor when. Between two calls of `send` it is paused, with its
# variables in place.
#
# One asking function can use another, with `yield from`. Below, the questions of `greet` come out of `couple`, each reply goes in
# to `greet`, and what `greet` returns is the value of `yield from`.


# %%
def couple():
    first = yield from greet()
    second = yield from greet()
    return f"{first}, {second}"


talk = couple()
for reply in (None, "Ada", "London", "Bob"):
    print(talk.send(reply))

# %% [markdown]
# Here is the first of our two questions in this form. The thought generator asks about all its nodes at once: an `Ask` is
# a list of requests that do not wait for each other. The replies come back in the same order. A line that is a legal step
# becomes a child. Other lines are not repaired, since guessing what the model meant would make it look better than
# it is; the package keeps a list of them, with the reasons.


# %%
def my_generate(nodes):
    questions = [task.propose(node.state, "lean") for node in nodes]
    replies = yield tot.Ask("generator", nodes, questions)
    children = []
    for node, reply in zip(nodes, replies, strict=True):
        reads = task.read_proposals(node.state, reply.texts[0])
        children += node.grow(read.value for read in reads if read.ok)
    return children


# %% [markdown]
# `node.grow` hangs children below a node and returns them. The evaluator asks the second question about all nodes in which
# more than one number is left. The others need no model, since the program sees whether the number is 24.
# The last line announces what has been judged.


# %%
def my_evaluate(nodes):
    judged = [node for node in nodes if len(left(node.state)) > 1]
    asks = [task.value(node.state) for node in judged]
    questions = [one.samples(0, 3) for one in asks]
    replies = yield tot.Ask("evaluator", judged, questions)
    for node, reply in zip(judged, replies, strict=True):
        verdicts = [task.read_value(text) for text in reply.texts]
        worth = [said.value or 0 for said in verdicts]
        node.value = tot.ties.total(worth)  # the sum, in any order
    for node in nodes:
        if len(left(node.state)) == 1:
            node.value = 3 * 20 if left(node.state) == (24,) else 0.003
    yield Evaluated(nodes)


# %% [markdown]
# `Evaluated` is not a question but an **event**: news for anything that follows the search, such as a picture or a record. And
# here is the search, breadth first, in eight lines. `frontier` holds the states that it goes on from, also called the **beam**.
# The event `tot.Best` says which nodes are the best so far.


# %%
def my_bfs(root, generate, evaluate, *, depth, breadth):
    frontier = [root]
    for _ in range(depth):
        children = yield from generate(frontier)
        yield from evaluate(children)
        best = sorted(children, key=lambda node: -node.value)
        frontier = best[:breadth]
        yield tot.Best(frontier)


# %% [markdown]
# Somebody must answer, and that is the **driver**, the only one of these functions that knows a model. It has the questions
# answered. Each event has a name, its `kind`; the driver keeps the latest `"best"` and passes over the others.


# %%
def drive(search, lm):
    replies, output = None, []
    with suppress(StopIteration):
        while True:
            item = search.send(replies)
            replies = None  # what an event gets
            if isinstance(item, tot.Ask):
                replies = lm(item.requests)
            elif item.kind == "best":
                output = item.nodes
    return output


def search(generate=my_generate, breadth=3):
    root = tot.Node(tot.State(puzzle.x))
    how = {"depth": 3, "breadth": breadth}
    return my_bfs(root, generate, my_evaluate, **how)


for node in drive(search(), lm):
    lines = [t.text.split(" (")[0] for t in node.state.thoughts]
    print(f"{node.value:<6g}", *lines, sep="   ")

# %% tags=["remove-input"]
show.concepts.asking()

# %% [markdown]
# **Figure.** While the model answers, the search is paused. It sees replies and never a model, so a live model and a
# recording look the same to it. (Budget, ledger and trace belong to the package's driver, `tot.run`, which is described
# in the [manual](../book/manual/driver.md).)
#
# Nothing in `my_bfs` knows about numbers. Give it another generator and evaluator, and it searches something else: a plan, a
# crossword, a proof. The package's `tot.bfs` adds one rule: a state that has its answer stays in the beam and is not extended.
# (And `tot.run` sends equal requests of one round only once.) Without `yield` these eight lines become the search of your own
# program in [chapter 6](06_tot_bfs_game24.ipynb).
#
# > **Where it breaks.** A paused function cannot be copied to go on in two ways, and when it has finished, you need a new one for
# > the next run.
#
# ## A budget is a prefix
#
# A search that only asks can be stopped between two questions. The driver checks a **budget** before each round, and does not
# start a round that would need more calls than are left.
#
# ### Predict: thirteen calls
#
# We run the same search with fewer calls. Round 1 takes one call, round 2 four, round 3 three, and round 4 fifteen. Suppose the
# search is allowed thirteen.

# %%
full, rows = by_hand.trace.events, []
how = {"lm": lm, "style": "lean", "breadth": 3}
for calls in (26, 25, 13, 5, 1):
    budget = tot.Budget(calls=calls)
    cut = tot.solve(task, puzzle, "tot-bfs", budget=budget, **how)
    seen, ledger = cut.trace.events, cut.result.ledger
    assert seen == full[: len(seen)]
    row = {"allowed": calls, "used": ledger.total.calls}
    rows.append(row | {"rounds": ledger.rounds})
show.Predict(
    "How many of its thirteen calls does it use?",
    rows[2]["used"],
    low=0,
    high=13,
    shows=show.table(rows),
)

# %% [markdown]
# The events of a short run are exactly the first events of the full one, as an `assert` in the cell checks. So one
# recording tells what a search would have known after any number of calls.
#
# ## The win and its price
#
# One puzzle is an anecdote. Here are all ten, with the chains and the direct answers of the last two chapters.


# %% tags=["set-up"]
# What four methods solved of the ten puzzles, and their bills
def ten_times(method, lm, **knobs):
    return [tot.solve(task, one, method, lm=lm, **knobs) for one in ten]


ten = task.problems("starter")[::4]  # every fourth of chapter 3's forty
io_lm = tot.Cassette("cassettes/03.jsonl")
runs = {
    "one chain": ten_times("cot", chains),
    "best of ten answers": ten_times("best-of", io_lm, k=10),
}
for b, name in ((1, "tree, one state kept"), (5, "tree, five kept")):
    how = {"style": "lean", "breadth": b}
    runs[name] = ten_times("tot-bfs", lm, **how)
solved = {name: [s.chosen for s in runs[name]] for name in runs}
tree = solved["tree, five kept"]

# %% [markdown]
# ### Predict: by how much?
#
# On these ten puzzles a single chain solved none, and the best of ten direct answers three. The tree keeps five states.

# %%
bills = show.mean_costs(runs)
show.Predict(
    "How many of the ten does the tree solve?",
    sum(tree),
    low=0,
    high=10,
    shows=show.table(bills, highlight=-1),
)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Solved of ten puzzles against tokens written, on a logarithmic axis, with wide intervals: one chain 0 of 10, the best of ten answers 3, the tree with one state kept 4, with five kept 8, far to the right."}}
for bill, wins in zip(bills, solved.values(), strict=True):
    bill["method"] = bill["method"].split(",")[0]
    bill["label"] = f"{sum(wins)} of {len(ten)}"
    bill["rate"] = stats.wilson(sum(wins), len(ten))
at = "tokens written"
show.plots.success_by_cost(
    bills, x=at, xlabel=f"{at} for a puzzle", log=True
)

# %% [markdown]
# **Figure.** From no puzzle of ten to eight, for 24 times the tokens that a chain writes. The intervals are wide.
#
# Most of a tree's tokens are read: the same instructions and examples come with each request. Is the tree better? Compare
# on the same puzzles, in pairs, with the exact test of [chapter 4](04_chain_of_thought.ipynb).

# %% tags=["predict"]
pairs = {}
for name in [*solved][:-1]:
    pairs[f"against {name}"] = stats.paired(tree, solved[name])
show.results(pairs)

# %% [markdown]
# The tree beats a single chain. Ten puzzles are too few to say whether it beats the best of ten answers, in which a free check
# picks and which were far cheaper, or the same tree with one state kept. (With so few puzzles, trust p, which is exact, and not
# the bootstrap's interval.)
#
# And there is a catch, which you may have seen in the judge's prompt: its first example says that 10 and 14 are *sure*. Some of
# the wins go through just these two numbers.

# %% tags=["predict"]
gifts = 0
for run in runs["tree, five kept"]:
    met = [left(node.state) for node in run.result.best[0].path]
    gifts += run.chosen and (10, 14) in met
rest = sum(tree) - gifts
print(f"{gifts} of {sum(tree)} wins go through 10 and 14;", end=" ")
print(f"{rest} to 0 without them, p = {stats.mcnemar(rest, 0):.3f}")

# %% [markdown]
# Perhaps these puzzles would have been won in another way, too. But a prompt whose examples contain states of the game gives
# something away, and without those four wins the difference from the chain could be chance.
#
# ### Predict: dice in the model's place
#
# The chain had to keep its own list of numbers. In the tree a program does that, drops illegal lines, and recognises 24. To see
# what this help is worth alone, we run the same tree without a model: dice pick five legal steps for each state, and five of the
# new states.


# %%
def blind(numbers, rng, k=5, breadth=5):
    """Does the tree find 24 with dice for its generator and judge?"""
    frontier = [numbers]
    for _ in range(3):
        children = []
        for one in frontier:
            steps = moves(one)
            picked = rng.sample(steps, min(k, len(steps)))
            children += [step.left for step in picked]
        rng.shuffle(children)
        frontier = children[:breadth]
    return (24,) in children  # the program sees it


rng = Random(5)
start = [left(tot.State(one.x)) for one in ten]
wins = [sum(blind(one, rng) for one in start) for _ in range(1000)]
as_many = sum(w >= sum(tree) for w in wins)
show.Predict(
    "How many of the ten do dice solve, on average?",
    round(fmean(wins), 1),
    low=0,
    high=10,
    step=0.1,
    shows=f"In {as_many} of 1000 runs they solve {sum(tree)} or more.",
)

# %% [markdown]
# With dice the same tree solves three of the ten on average, as many as the best of ten answers. So part of the win belongs to the
# program and to trying many paths. But dice hardly ever reach eight: the model's lists and verdicts add something, even if
# half of the eight wins go through an example of the prompt. [Chapter 6](06_tot_bfs_game24.ipynb) asks again, with more
# puzzles, at equal cost, and for lists and verdicts one at a time.
#
# ## Summary
#
# - To search with a model, ask it what could come next, and how good that looks.
# - A thought should be small enough to vary and big enough to judge. Propose short ones, sample long ones. Value what can be
#   judged alone, vote on what must be compared.
# - The search is a paused function that yields questions. Its driver adds the model, the budget and the record.
# - Count calls, tokens and rounds separately. A run with a smaller budget is the beginning of the full run.
# - On ten puzzles the tree solved eight and a chain none. But part of that is the program's work, without any model, and half of the
#   eight went through an example of the judge's prompt.
#
# The words are collected in the [glossary](../book/glossary.md), the letters on one page of
# [notation](../book/notation.md).
#
# ## Exercises
#
# ### Exercise 1: one question at a time
#
# Here is another generator for the puzzle. Predict whether the search finds the same three states, and what happens to the numbers
# of calls and of rounds. Then run it and count.
#
# ```python
# def impatient(nodes):
#     children = []
#     for node in nodes:
#         children += yield from my_generate([node])
#     return children
# ```
#
# <details><summary>Hint</summary>
#
# How many rounds does `my_generate` ask for, and how many `impatient`? `tot.run(...).ledger` counts.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def impatient(nodes):
    children = []
    for node in nodes:
        children += yield from my_generate([node])
    return children


for generate in (my_generate, impatient):
    done = tot.run(search(generate), lm)
    beam, ledger = [node.id for node in done.best], done.ledger
    print(beam, ledger.total.calls, "calls,", ledger.rounds, "rounds")
# Same answers, same bill. Only the waiting is longer: two more rounds
# at step 2, and at step 3.

# %% [markdown]
# ### Exercise 2: count the ballots
#
# In a vote the model sees numbered choices and ends with a line such as "The best choice is 2". Write `read_ballot(text,
# options)`: the chosen option counted from 0, or `None` if there is no valid ballot. Other numbers must not count, nor a
# choice that does not exist.

# %%
ballots = [
    "Choice 1 uses 24 words, choice 3 uses 10. The best choice is 3.",
    "I compared all 3. The best choice is **1**",
    "The best choice is 10.",
    "They are all fine.",
    "the best choice is choice 3",
]

# %% [markdown]
# <details><summary>Hint</summary>
#
# Look for the word *choice* with a number after it, and take the last one in the text:
# `re.findall(r"choice\D{0,12}(\d+)", text)` is a good start. Then compare with `tot.tasks.ballots.choice`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
from tot.tasks.ballots import choice as theirs


def read_ballot(text, options):
    found = re.findall(r"choice\D{0,12}(\d+)", text.lower())
    picked = int(found[-1]) if found else 0
    return picked - 1 if 1 <= picked <= options else None


for ballot in ballots:
    print(read_ballot(ballot, 3), theirs(ballot, 3).value)

# %% [markdown]
# ### Exercise 3: a driver with a budget
#
# Extend `drive` with an argument `calls`: before each `Ask`, stop if it would take the number of requests over `calls`.
# Check it on the puzzle: for every budget from 0 to 26, its last beam must be that of `tot.run(search(), lm,
# budget=tot.Budget(calls=calls))`.
#
# <details><summary>Hint</summary>
#
# Keep a counter, and mind what happens to equal requests of one round: `len(set(item.requests))`.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def drive_within(search, lm, calls):
    replies, output = None, []
    with suppress(StopIteration):
        while calls >= 0:
            item, replies = search.send(replies), None
            if isinstance(item, tot.Ask):
                calls -= len(set(item.requests))
                replies = lm(item.requests) if calls >= 0 else None
            elif item.kind == "best":
                output = item.nodes
    return [node.id for node in output]


for calls in range(27):
    cut = tot.run(search(), lm, budget=tot.Budget(calls=calls))
    mine = drive_within(search(), lm, calls)
    assert mine == [node.id for node in cut.best]
print("The same beam for every budget from 0 to 26 calls.")

# %% [markdown]
# ### Exercise 4: best first
#
# A *best-first* search always expands the best node that it has anywhere. Write it in about ten lines, and stop
# when the best node has reached 24. Predict first whether it needs more calls than the beam of three, or fewer, and more rounds
# or fewer.
#
# <details><summary>Hint</summary>
#
# Keep a list of the nodes that wait, and take `max` of it. Do not expand nodes with three thoughts.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
def best_first(root, generate, evaluate, *, depth):
    waiting = [root]
    root.value = 0
    while waiting:
        node = max(waiting, key=lambda node: node.value)
        waiting.remove(node)
        yield tot.Best([node])
        if left(node.state) == (24,):
            return
        if node.depth < depth:
            children = yield from generate([node])
            yield from evaluate(children)
            waiting += children


root = tot.Node(tot.State(puzzle.x))
eager = best_first(root, my_generate, my_evaluate, depth=3)
for one in (eager, search()):
    done = tot.run(one, lm)
    calls, rounds = done.ledger.total.calls, done.ledger.rounds
    print(left(done.best[0].state), calls, "calls,", rounds, "rounds")

# %% [markdown]
# ## Further reading
#
# - Section 3 of the paper {cite}`yao2023tree`: four questions on two pages. The [index](../book/paper_to_code.md) says
#   where each part of it is in this book.
# - Newell, Shaw and Simon {cite}`newell1959report` searched a space of states by program in 1959; their book
#   {cite}`newell1972human` watches people do it. Best-first search with a guarantee: {cite}`hart1968formal`.
