# %% [markdown]
# # Thoughts, states, generators, evaluators: how a search asks
#
# The last chapter ended with a broken chain. Asked to make 24 from 3, 4, 4 and 6, our small model lost the 6 on the way.
# After its first line the game could still be won; but a chain cannot go back.
#
# You would try a first step, look at the numbers that are left, and give it up if they look hopeless. That is a **search**. Can a program search with a model that plays this badly? What does it have to ask, and how often?

# %% tags=["set-up"]
import textwrap
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from random import Random
from statistics import fmean

import tot
from tot import stats
from tot.events import Evaluated
from tot.tasks.game24 import left
from tot.tasks.game24_rules import moves, solvable
from treebook import show
from treebook.nbsetup import setup

setup()
task = tot.task("game24")
chains = tot.Cassette("cassettes/04.jsonl")
lm = tot.Cassette("cassettes/06.jsonl")


def conversation(request, examples):
    """Print a prompt, of its examples those with these numbers."""
    first, *shown, last = request.messages
    said = [first]
    for number in range(1, len(shown) // 2 + 1):
        if number in examples:
            said += shown[2 * number - 2 : 2 * number]
        elif said[-1]:
            said.append(None)
    for message in [*said, last]:
        if message is None:
            print("      ... | (more examples)")
            continue
        lines = message.content.splitlines()
        text = "\n".join(textwrap.fill(line, 58) for line in lines)
        text = text.replace("\n", "\n          | ")
        print(f"{message.role:>9} | {text}")


# %% [markdown]
# ## Learning objectives
#
# After this chapter you can
#
# - cut a problem into thoughts, and say where next thoughts come from, who judges them, and in what order a search looks;
# - write a breadth-first search of seven lines that asks its questions and never calls a model;
# - add up a search's bill by hand, in calls and in rounds, and say what a smaller budget would have seen;
# - say what the tree won on ten puzzles, what it cost, and what ten puzzles cannot show.
#
# ## Search by hand
#
# Play the program's part for one puzzle. You may ask the model two kinds of question, and the first is: *what could the
# next step be?* Here is the prompt, with one of its three examples. (Its style is called *lean*: the model writes equations
# only, and the program works out which numbers are left.)

# %%
puzzle = task.problem("3 4 4 6")
root = tot.State(puzzle.x)
request = task.propose(root, "lean")
conversation(request, examples=[3])

# %%
[proposed] = lm([request])
print(proposed.texts[0])

# %% [markdown]
# Four first steps. After each of them three numbers are left: 3 6 16, or 4 6 12, or 2 3 4, or 1 4 6. Call such a state
# **alive** if 24 can still be reached from it, and **dead** if it cannot.
#
# ### Predict: how many of the four are alive?
#
# Take two minutes and a pencil.

# %%
reads = task.read_proposals(root, proposed.texts[0])
first = [root.then(read.value) for read in reads]
alive = [solvable(left(state)) for state in first]
ways = ["none", "(12 - 6) * 4", "2 * 3 * 4", "1 * 4 * 6"]
rows = [
    {"step": state.last.text, "alive": living, "a way": way}
    for state, living, way in zip(first, alive, ways, strict=True)
]
show.Predict(
    "How many of the four steps are alive?",
    sum(alive),
    low=0,
    high=4,
    shows=show.table(rows),
)

# %% [markdown]
# The column "alive" is a solver's, which tries everything. The search has to do without it, and asks its second question: *can
# these numbers still make 24?* The prompt shows the numbers, and not how we got there (one of its six examples is shown).

# %%
conversation(task.value(first[2]), examples=[1])

# %% [markdown]
# One reply is one opinion, so we draw three.


# %%
def opinions(state):
    [reply] = lm([task.value(state).samples(first=0, n=3)])
    return reply.texts


print("2 3 4:", *opinions(first[2]), sep="\n   ")

# %% [markdown]
# Two say *impossible*, one says *likely*, and none has seen 2 * 3 * 4. Only the verdict at the end counts. To compare
# states we turn the three words into numbers and add them up: *sure* is worth 20, *likely* 1, *impossible* 0.001, and a reply
# without a verdict nothing. (The numbers are from the authors' code; the paper's text gives none. They are so far apart that
# states are ranked by their *sure*s first and by their *likely*s next.)

# %% tags=["set-up"]
# The three verdicts on each of the four states
rows = []
for state in first:
    worth = [task.read_value(text).value for text in opinions(state)]
    row = {"left": state.last.text.split("left: ")[1][:-1]}
    row["verdicts"] = " + ".join(f"{one or 0:g}" for one in worth)
    rows.append(
        row | {"value": tot.ties.total(one or 0 for one in worth)}
    )
    rows[-1]["alive (solver)"] = solvable(left(state))
show.table(rows)

# %% [markdown]
# **Table.** The judge puts a dead state level with two living ones, and a living one last.
#
# This is no great judge. But we need not bet on its favourite alone. Keep *three* states (ties are broken by the order of
# writing), and give up `1 4 6`. Ask for the next steps of all three, have the fifteen new states judged, keep the best three of these, and so on.
# When a single number is left, a program sees whether it is 24.

# %%
by_hand = tot.solve(
    task, puzzle, "tot-bfs", lm=lm, style="lean", breadth=3
)
show.svg(by_hand, max_dropped=1)

# %% [markdown]
# **Figure.** The puzzle, searched. Three states are kept at each step. The way to 24 begins with the step that was third
# on the list, and one *sure* among three verdicts, on `2 12`, carries it. (Pictures round: its 21 is 21.001, so it goes
# before `12 24` with 21.)
#
# The program has won with the model that lost as a chain. It also went on from `4 * 4 = 16`, the first of its list, and
# carried a state below it, `3 22`, to the last step. There it came to nothing, and the search had two other states in hand.
#
# One of the dropped states deserves a look: `4 6`, below `3 * 4 = 12`. You saw these numbers in
# the *generator's* prompt, with `4 * 6 = 24` as its example. Asked as *evaluator*, the same model says:

# %%
four_six = root.then(reads[1].value)
step = task.read_proposals(four_six, "12 - 6 = 6")[0].value
print("4 6:", *opinions(four_six.then(step)), sep="\n   ")

# %% [markdown]
# Three times *impossible*, about a product that another prompt had shown it. What is not in the prompt is not known.
#
# Now the bill. Add it up from the figure: one request for the first steps, four for their values, three for the next steps, and
# so on.

# %% tags=["set-up"]
# The bill, from the record of the run
rows = []
for event in by_hand.trace.events:
    if event["kind"] == "asked":
        row = {"round": event["round"], "who": event["role"]}
        row["states"] = len(event["nodes"])
        rows.append(row | {"requests": len(event["requests"])})
rows.append(
    {"round": "all", "requests": sum(r["requests"] for r in rows)}
)
show.table(rows, highlight=-1)

# %% [markdown]
# **Table.** The bill of the search: twenty-six requests, in five rounds.
#
# A **call** is one request, however many samples it asks for. A **round** is a set of requests that wait only for earlier
# rounds: the fifteen values of round 4 do not wait for each other, so a server can answer them side by side. *Rounds are
# what you wait for; calls and tokens are what you pay for.*
#
# ## Four questions
#
# What we just did has four parts. The paper {cite}`yao2023tree` asks them as questions; answer them, and any problem becomes
# a tree.
#
# | question | we answered | the paper's word |
# |---|---|---|
# | What is one step? | one equation | thought decomposition, $z_i$ |
# | Where do next steps come from? | the model lists some | thought generator, $G(p_\theta, s, k)$ |
# | Which states look good? | three verdicts on each | state evaluator, $V(p_\theta, S)$ |
# | In what order do we look? | level by level, three kept | search: breadth first, $b = 3$ |
#
# A **thought** is one step. It can be too small: after `3 *` nobody can say whether things go well. It can be too
# big: a whole solution as one thought is a chain again, judged when it is too late. It should be small
# enough that the model can write several different ones, and big enough that each can be judged.
#
# A **state** $s = [x, z_1 \dots z_i]$ is the problem $x$ with the thoughts so far, and nothing else. A **node** is a state
# with its place in the tree and its value. No state holds an answer to peek at; the check at the end is *free* ([chapter
# 3](03_io_and_verifiers.ipynb)).
#
# **Sample or propose?** A generator can draw $k$ independent replies to one prompt (*sample*), or ask once for a list, as
# we did (*propose*). Here are first steps of both kinds, for ten puzzles: the first lines of five chains, and one list.

# %% tags=["set-up"]
# Legal first steps: sampled, as the first lines of chains; proposed
ten = task.problems("starter")[::4]  # every fourth of chapter 3's forty
rows = [{"first steps": "five sampled"}, {"first steps": "one list"}]
for one in ten:
    start = tot.State(one.x)
    [sampled] = chains([task.cot(start).samples(0, 5)])
    [listed] = lm([task.propose(start, "lean")])
    lines = [text.strip().split("\n")[0] for text in sampled.texts]
    # chains also write the numbers left: only equations are compared
    lines = [line.split("(left")[0] for line in lines]
    for row, text in zip(
        rows, ("\n".join(lines), listed.texts[0]), strict=True
    ):
        read = task.read_proposals(start, text)
        steps = [r.value.text for r in read if r.ok]
        row["lines"] = row.get("lines", 0) + len(
            text.strip().splitlines()
        )
        row["legal"] = row.get("legal", 0) + len(steps)
        row["different"] = row.get("different", 0) + len(set(steps))
show.table(rows)

# %% [markdown]
# **Table.** Legal equations among the first steps. A list sees what it has already written, and does not repeat itself.
#
# Where there is little to say (a word, an equation), propose. Where there is much (a plan, a passage), sample: long replies
# differ anyway, and a list of whole plans would get worse towards its end.
#
# **Value or vote?** An evaluator can judge each state alone and give it a *value*, as we did, or see several side by
# side and *vote* for the best. Vote where a text is hard to judge alone and easier to compare; [chapter
# 7](07_votes_creative_writing.ipynb) does.
#
# ## A function that asks
#
# Now let a program do it. One that calls the model wherever it has a question waits twenty-six times instead of five,
# cannot be stopped half-way, and needs a model in each of its tests. So we write a function that
# *asks*, and leave the calling to somebody else.
#
# Python has such functions. A function with `yield` in it is a **generator** (Python's word; a *thought* generator is
# something else). Calling it runs nothing. `send(value)` lets it run to its next `yield`: what stands to the right of
# `yield` comes out, and what is sent in next becomes the value of that `yield`. The first `send` must be `None`, as
# nobody has asked yet. At its end, Python raises `StopIteration`, which carries the returned value.


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
# `greet` does not know who answers, a person, a file or a test, nor when: between two calls of `send` it is paused, with
# its variables in place. And `result = yield from other()` lets another asking function ask through this one.
#
# A toy shows a search in this form. Start at 2; each step adds three or doubles; reach 11 in three steps. Its
# model is **scripted**: we wrote its answers, so it measures nothing.

# %% tags=["set-up"]
# The toy: its scripted model, a state's number, two prompts about it
TARGET = 11


def scripted_answer(request, sample):
    kind, number = request.messages[-1].content.split(" from ")
    if kind == "moves":
        more, twice = int(number) + 3, int(number) * 2
        return f"{number} + 3 = {more}\n{number} * 2 = {twice}"
    return f"{abs(TARGET - int(number))} away"


toy = tot.Scripted(scripted_answer)


def here(state):
    return int(state.last.text.split("=")[1] if state.last else state.x)


def ask_moves(state):
    return tot.user(f"moves from {here(state)}")


def ask_distance(state):
    return tot.user(f"distance from {here(state)}")


# %% [markdown]
# The thought generator asks about all its nodes at once: an `Ask` is a list of requests that do not wait for each other.
# The replies come back in the same order, and become children. The evaluator asks in the same way. Near is good, so a value is
# ten minus the distance.


# %%
def my_generate(nodes):
    questions = [ask_moves(node.state) for node in nodes]
    replies = yield tot.Ask("generator", nodes, questions)
    children = []
    for node, reply in zip(nodes, replies, strict=True):
        lines = reply.texts[0].splitlines()
        children += node.grow(tot.Thought(line) for line in lines)
    return children


def my_evaluate(nodes):
    questions = [ask_distance(node.state) for node in nodes]
    replies = yield tot.Ask("evaluator", nodes, questions)
    for node, reply in zip(nodes, replies, strict=True):
        node.value = 10.0 - int(reply.texts[0].split()[0])
    yield Evaluated(nodes)


# %% [markdown]
# `node.grow` hangs children below a node and returns them. `Evaluated` is not a question but an **event**: a fact, told to
# whoever is interested. And here is the search, breadth
# first, in seven lines. `frontier` holds the states that it goes on from; it is also called the **beam**. The event
# `tot.Best` says which nodes are the best so far.


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
# Someone must answer: the **driver**. It is the only one of these functions that knows a model. It answers questions, and
# of the events, whose `kind` is their name, it remembers the latest `"best"`.


# %%
def drive(search, lm):
    replies, output = None, []
    with suppress(StopIteration):
        while True:
            item, replies = search.send(replies), None
            if isinstance(item, tot.Ask):
                replies = lm(item.requests)
            elif item.kind == "best":
                output = item.nodes
    return output


# %% tags=["remove-input"]
show.concepts.asking()

# %% [markdown]
# **Figure.** While the model answers, the search is paused. It sees replies and never a model, so a live model and a
# recording look the same to it. (Budget, ledger and trace belong to the package's driver, `tot.run`.)
#
# ### Predict: is one enough?
#
# With `breadth=1` the toy search keeps only the nearest number at each step. From 2 its children are 5 and 4. Work it out
# on paper: what is the smallest breadth with which it reaches 11?


# %%
def toy_search(b, generate=my_generate, depth=3):
    root = tot.Node(tot.State("2"))
    return my_bfs(root, generate, my_evaluate, depth=depth, breadth=b)


runs = {b: tot.run(toy_search(b), toy) for b in (1, 2)}
ends = {b: here(run.best[0].state) for b, run in runs.items()}
show.Predict(
    "The smallest breadth that reaches 11?",
    min(b for b, number in ends.items() if number == TARGET),
    low=1,
    high=4,
    shows=show.svg(runs[2], title=False),
)

# %% [markdown]
# The nearest number is not always on the way. Keep one, and the search runs to 10, as near as can be, and cannot stop there.
# Keep two, and 8 is still there, which looks worse and turns out better. A value is a guess about the future, and a beam is an insurance against it.
#
# Add up this bill, too: the questions are 1, 2, 2, 4, 2 and 4, which makes 15. Our driver sent 15. The package's
# says:

# %%
bill = runs[2].ledger
print(f"{bill.total.calls} calls in {bill.rounds} rounds")

# %% [markdown]
# In the fourth round 8 is reached twice, from 4 and from 5. Both nodes ask the same question, and equal requests of one
# round are **merged**: sent once, answered for both.


# %% [markdown]
# ## The same search on the puzzle
#
# Nothing in `my_bfs` knows about adding three and doubling. Hand it prompts and readers of the Game of 24, and it plays the
# Game of 24.

# %% tags=["set-up"]
# Generator and evaluator of the puzzle, built by the package
# local: what needs no model, writing the answer and judging 24


def parts():
    def ask(state):
        return task.propose(state, "lean")

    readers = task.read_proposals, task.read_value
    generate = tot.generator(ask, readers[0], local=task.compose)
    evaluate = tot.value(task.value, readers[1], n=3, local=task.judge)
    return generate, evaluate


# %%
def search(bfs=my_bfs, breadth=3):
    root = tot.Node(tot.State(puzzle.x))
    return bfs(root, *parts(), depth=task.steps, breadth=breadth)


for node in drive(search(), lm):
    print(f"{node.value:<6g} {node.state.answer}")

# %% tags=["checked"]
theirs = tot.run(search(tot.bfs), lm)
assert theirs.trace.events == by_hand.trace.events
for mine, node in zip(drive(search(), lm), theirs.best, strict=True):
    assert (mine.id, mine.value) == (node.id, node.value)
print("my_bfs, tot.bfs and the search by hand end alike.")

# %% [markdown]
# These are the three answers at the end of the tree above. `tot.bfs` and our seven lines differ only where branches end
# early. What else the driver can do is in the [manual](../book/manual/driver.md).
#
# ## A budget is a prefix
#
# A search that only asks can be stopped between two questions. The driver checks a **budget** before each round; a round
# that would need more calls than are left is not started.
#
# ### Predict: what does a poor search see?
#
# Run the same search with fewer calls. Does it do something else, or the same for a shorter time?

# %% tags=["set-up", "predict"]
# The same search with five budgets; each a prefix of the full one
full, rows = theirs.trace.events, []
for calls in (26, 25, 13, 5, 1):
    cut = tot.run(search(tot.bfs), lm, budget=tot.Budget(calls=calls))
    seen = cut.trace.events
    assert seen == full[: len(seen)]
    row = {"allowed": calls, "used": cut.ledger.total.calls}
    row |= {"rounds": cut.ledger.rounds, "states kept": len(cut.best)}
    rows.append(row | {"stopped": cut.stopped})
show.table(rows)

# %% [markdown]
# **Table.** One search, cut short: a smaller budget sees the beginning of the same search.
#
# The events of a short run are exactly the first events of the full one; an `assert` in the
# folded code says so. So one recording tells what a search would have said after any number of calls.
#
# ## What could not be read
#
# A reply is text from a stranger. The reader of steps is strict: both numbers must be there, and the arithmetic must be
# right. A line that fails makes no child. It is not repaired, since guessing what the model meant would make it look better than
# it is, but put on a list, with the reason.
#
# ### Predict: how many lines survive?
#
# Over ten puzzles, with five states kept, which share of the proposed lines are legal steps?

# %% tags=["set-up"]
# Ten searches, every line that was proposed, every line refused
trees = [
    tot.solve(task, one, "tot-bfs", lm=lm, style="lean", breadth=5)
    for one in ten
]


def events(run, kind):
    return [e for e in run.trace.events if e["kind"] == kind]


refused, shares = [], []
for run in trees:
    asked = [
        e for e in events(run, "asked") if e["role"] == "generator"
    ]
    replies = [
        r["samples"][0]["text"] for e in asked for r in e["requests"]
    ]
    lines = [
        s for text in replies for s in text.splitlines() if s.strip()
    ]
    bad = [bad for e in events(run, "expanded") for bad in e["unread"]]
    shares.append([1 - len(bad) / len(lines)])
    refused += bad
rows = []
for why, n in Counter(entry["why"] for entry in refused).most_common():
    quote = next(e["text"] for e in refused if e["why"] == why)
    rows.append({"why": why, "lines": n, "for example": quote})

# %%
rate = stats.bootstrap(shares)
show.Predict(
    "Which share of the proposed lines is legal?",
    round(100 * rate.rate),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, caption=f"Legal: {rate}, n = 10 puzzles"),
)

# %% [markdown]
# *Not a step* is nearly always a quotient with many decimals, which has become another number; *operand is not there* means
# that a number was used twice. Look at this count in every result: a search that cannot read its model looks just like a
# model that cannot think.
#
# ## The win and its price
#
# One puzzle is an anecdote. Here are all ten, with the chains and the direct answers of the last two chapters.
#
# ### Predict: by how much?
#
# On these ten puzzles a single chain solved none. Guess how many the tree solves, with five states kept.

# %% tags=["set-up"]
# What four methods solved of the ten puzzles, and their bills
io_lm = tot.Cassette("cassettes/03.jsonl")
how = {"lm": lm, "style": "lean"}
runs = {
    "one chain": [
        tot.solve(task, one, "cot", lm=chains) for one in ten
    ],
    "best of ten answers": [
        tot.solve(task, one, "best-of", lm=io_lm, k=10)
        for one in ten
    ],
    "tree, one state kept": [
        tot.solve(task, one, "tot-bfs", breadth=1, **how) for one in ten
    ],
    "tree, five kept": trees,
}
solved = {
    name: [s.chosen for s in group] for name, group in runs.items()
}
bills = []
for name, group in runs.items():
    ledgers = [s.result.ledger for s in group]
    total = [ledger.total for ledger in ledgers]
    bills.append({"method": name})
    bills[-1]["calls"] = fmean(t.calls for t in total)
    bills[-1]["rounds"] = fmean(ledger.rounds for ledger in ledgers)
    bills[-1]["tokens written"] = fmean(
        t.completion_tokens for t in total
    )
    bills[-1]["tokens read"] = fmean(t.prompt_tokens for t in total)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Solved of ten puzzles against tokens written, on a logarithmic axis, with wide intervals: one chain 0 of 10, the best of ten answers 3, the tree with one state kept 4, with five kept 8, far to the right."}}
rows = []
for name, bill in zip(runs, bills, strict=True):
    rows.append({"method": name.split(",")[0]} | bill)
    rows[-1]["method"] = name.split(",")[0]
    rows[-1]["label"] = f"{sum(solved[name])} of {len(ten)}"
    rows[-1]["rate"] = stats.wilson(sum(solved[name]), len(ten))
show.plots.success_by_cost(
    rows,
    x="tokens written",
    xlabel="tokens written for a puzzle",
    log=True,
)

# %% [markdown]
# **Figure.** From no puzzle of ten to eight, for 24 times the tokens that a chain writes. The bars are wide.

# %%
show.table(bills, highlight=-1)

# %% [markdown]
# **Table.** The price, in means per puzzle. Most of a tree's tokens are prompts, the same instructions and examples with
# each request.
#
# In "best of ten answers" a check picks one that makes 24, if there is one. The check is free, so this is a real
# method. Is the tree better? Compare on the same puzzles, in pairs, with the exact test of [chapter
# 4](04_chain_of_thought.ipynb), which looks at the puzzles that only one of the two solved.

# %% tags=["set-up"]
# Wins, losses, and the exact test
tree = solved["tree, five kept"]
for name in ("one chain", "best of ten answers"):
    pairs = list(zip(tree, solved[name], strict=True))
    wins = sum(a and not b for a, b in pairs)
    losses = sum(b and not a for a, b in pairs)
    p = stats.mcnemar(wins, losses)
    print(f"tree against {name}: {wins} to {losses}, p = {p:.3f}")

# %% [markdown]
# So the tree beats a single chain. Whether it beats the best of ten answers, which were far cheaper, ten puzzles cannot
# tell.
#
# Ask for the chance level, too. A tree tries many states, and a program recognises 24. What would that solve with dice in
# place of the model?

# %% tags=["set-up"]
# A simulation: eight random legal steps a state, random verdicts
WORTHS = (20, 1, 0.001)


def blind(x, breadth, dice):
    """Does a search without a model end at 24?"""
    frontier = [tuple(sorted(map(Fraction, x.split())))]
    worth = {(Fraction(24),): 60}  # equal states: one opinion
    for _ in range(3):
        found = []
        for numbers in frontier:
            legal = moves(numbers)
            drawn = dice.sample(legal, min(8, len(legal)))
            found += [step.left for step in drawn]
        for numbers in found:
            said = tot.ties.total(dice.choices(WORTHS, k=3))
            worth.setdefault(numbers, said if len(numbers) > 1 else 0)
        found.sort(key=worth.__getitem__, reverse=True)
        frontier = found[:breadth]
    return frontier[0] == (Fraction(24),)


dice, rows = Random(0), []
for name, breadth in (("one state kept", 1), ("five kept", 5)):
    reached = sum(solved[f"tree, {name}"])
    wins = [
        sum(blind(one.x, breadth, dice) for one in ten)
        for _ in range(1000)
    ]
    rows.append({"dice": name})
    often = sum(n >= reached for n in wins) / len(wins)
    rows[-1]["solved of ten"] = f"{fmean(wins):.1f}"
    rows[-1]["the tree"] = reached
    rows[-1]["dice do as well"] = f"{often:.1%}"
show.table(rows)

# %% [markdown]
# **Table.** A simulation: the ten puzzles a thousand times, with eight random legal steps for each state and random
# verdicts.
#
# Dice alone solve three of ten with five states kept, as many as the best of ten answers. The tree's eight are more
# than that. [Chapter 6](06_tot_bfs_game24.ipynb) asks again, with a hundred puzzles and at equal cost.
#
# Even these ten are not quite ten separate trials. Different puzzles can lead to the same numbers, and equal questions
# get the same recorded replies.

# %% tags=["set-up"]
# States that a model judged, and in how many of the ten trees
judged = []
for run in trees:
    nodes = [list(run.result.best[0].path)[-1]]
    for node in nodes:
        nodes += node.children
    open_ = [
        n.state for n in nodes if n.depth and len(left(n.state)) > 1
    ]
    judged.append(set(map(left, open_)))
often = Counter(state for states in judged for state in states)
shared = sum(count > 1 for count in often.values())
print(
    f"{len(often)} different states judged, {shared} in several trees"
)
print("2 12 in", often[2, 12], "trees,", "2 3 4 in", often[2, 3, 4])

# %% [markdown]
# `2 3 4` and `2 12` lie on the winning paths of both 3 4 4 6 and chapter 1's 1 2 3 4, so one lucky *sure* decided two of
# the eight. The intervals above treat puzzles as independent, and are a little too narrow.
#
# > **Where it breaks.** A paused function cannot be copied to go on in two ways, and after its end it is used up: build a new
# > one for each run. And asking well does not make a judge good: only the beam's breadth saved the first game.
#
# ## Summary
#
# - To search with a model, ask it what could come next, and how good that looks.
# - A thought should be small enough to vary and big enough to judge. Propose short ones, sample long ones; value what can be
#   judged alone, vote on what must be compared.
# - The search is a paused function that yields questions; its driver adds the model, the budget and the record.
# - Count calls, tokens and rounds separately, and equal requests once. A smaller budget is a prefix of the same run.
# - On ten puzzles the tree solved eight, a chain none, and a search by dice about three. More than that, ten cannot show.
#
# The words are collected in the [glossary](../book/glossary.md).
#
# ## Exercises
#
# ### Exercise 1: one question at a time
#
# Here is another generator for the toy. Does the search find the same beam, for `breadth=2` and `depth=3`? What happens to
# the number of calls, and to the number of rounds? Predict, then run it and count.
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
# An `Ask` is a round. How many does `my_generate` yield, and how many does `impatient`? `tot.run(...).ledger` holds
# `rounds` and `total.calls`.
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
    done = tot.run(toy_search(2, generate), toy)
    beam, ledger = [node.id for node in done.best], done.ledger
    cost = f"{ledger.total.calls} calls, {ledger.rounds} rounds"
    print(f"{generate.__name__}: beam {beam}, {cost}")
# Same questions, same answers, same bill. Only the waiting is longer:
# the two nodes of the beam are asked about in turn at steps 2 and 3,
# one more round for each.

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
import re

from tot.tasks.ballots import choice as theirs


def read_ballot(text, options):
    found = re.findall(r"choice\D{0,12}(\d+)", text.lower())
    picked = int(found[-1]) if found else 0
    return picked - 1 if 1 <= picked <= options else None


mine = [read_ballot(ballot, 3) for ballot in ballots]
assert mine == [theirs(ballot, 3).value for ballot in ballots]
print("ballots:", mine)

# %% [markdown]
# ### Exercise 3: a driver with a budget
#
# Extend `drive` with an argument `calls`: before each `Ask`, stop if it would take the number of requests over `calls`.
# Check it on the puzzle: for every budget from 0 to 26, its last beam must be that of `tot.bfs` under `tot.run(...,
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
    replies, output, used = None, [], 0
    with suppress(StopIteration):
        while True:
            item, replies = search.send(replies), None
            if isinstance(item, tot.Ask):
                used += len(set(item.requests))
                if used > calls:
                    break
                replies = lm(item.requests)
            elif item.kind == "best":
                output = item.nodes
    return output


for calls in range(27):
    mine = drive_within(search(), lm, calls)
    cut = tot.run(search(tot.bfs), lm, budget=tot.Budget(calls=calls))
    assert [node.id for node in mine] == [node.id for node in cut.best]
print("The same beam for every budget from 0 to 26 calls.")

# %% [markdown]
# ### Exercise 4: best first
#
# A *best-first* search always expands the best node that it has anywhere. Write it for the toy in about ten lines, with a heap, and
# stop when the best node is at the target. Predict first: how many calls and rounds does it need to find 11, compared with
# `breadth=2`?
#
# <details><summary>Hint</summary>
#
# `heapq` keeps the smallest item first, so push `(-value, number, node)`, with a running number to break ties. Do not
# expand nodes with three thoughts.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
import heapq


def best_first(root, generate, evaluate, *, depth, goal):
    heap, pushed = [(0.0, 0, root)], 0
    while heap:
        _, _, node = heapq.heappop(heap)
        yield tot.Best([node])
        if goal(node.state):
            return
        if node.depth < depth:
            children = yield from generate([node])
            yield from evaluate(children)
            for child in children:
                pushed += 1
                heapq.heappush(heap, (-child.value, pushed, child))


def at_target(state):
    return here(state) == TARGET


root = tot.Node(tot.State("2"))
asks = my_generate, my_evaluate
eager = best_first(root, *asks, depth=3, goal=at_target)
searches = {"best first": eager, "breadth 2": toy_search(2)}
for name, one in searches.items():
    done = tot.run(one, toy)
    calls, rounds = done.ledger.total.calls, done.ledger.rounds
    number = here(done.best[0].state)
    print(f"{name}: {number} in {calls} calls and {rounds} rounds")
# One node at a time: fewer calls, more rounds. And it goes back. After
# the dead end at 10 it takes up a node that a beam of one had lost.

# %% [markdown]
# ## Further reading
#
# - Section 3 of the paper {cite}`yao2023tree`: four questions on two pages. The [index](../book/paper_to_code.md) says
#   where each part of it is in this book.
# - Newell, Shaw and Simon {cite}`newell1959report` searched a space of states by program in 1959; their book
#   {cite}`newell1972human` watches people do it. Best-first search with a guarantee: {cite}`hart1968formal`.
