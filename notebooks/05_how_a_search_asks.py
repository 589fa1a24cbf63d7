# %% [markdown]
# # Thoughts, states, generators, evaluators: how a search asks
#
# The methods so far wrote from left to right. A wrong first step stayed in the text, and the rest was built on it. To look at several
# next steps, to compare them and to drop the bad ones, we need something that chooses: a **search**. The next chapter runs one on many
# puzzles. This one builds its parts, and shows one idea that the whole package stands on: *a search asks, and never calls a model.*
#
# ## Learning objectives
#
# After this chapter you can
#
# - answer the four questions that turn a problem into a tree of thoughts: decompose, generate, evaluate, search;
# - tell a thought from a state and a state from a node, and say when to sample and when to propose, when to value and when to vote;
# - read and write a Python generator that asks questions (`yield`, `send`, `yield from`), and write the loop that answers it;
# - write a breadth-first search in seven lines, and check it against `tot.bfs` on recorded replies;
# - count rounds, set a budget, and read the trace that a run leaves behind;
# - say how many of a model's replies could not be read, and why.

# %% tags=["set-up"]
import json
from collections import Counter
from contextlib import suppress

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()
task = tot.task("game24")
ten = task.problems("starter")[::4]  # ten of chapter 3's forty puzzles
lm = tot.Cassette("cassettes/06.jsonl")
date = next(iter(lm.tape.sessions.values()))["date"]
print(f"Recorded: {lm.name}, {date}.")

# %% [markdown]
# ## Four questions
#
# The paper {cite}`yao2023tree` puts it like this: solving a problem is a search in a tree. To say *which* tree, answer four questions.
#
# | question | in the paper | for Game of 24 | in the package |
# |---|---|---|---|
# | How is the work cut into steps? | thought decomposition, $z_i$ | one equation is one step | `Thought` |
# | Where do next steps come from? | thought generator, $G(p_\theta, s, k)$ | ask: which steps are possible here? | `tot.generator` |
# | Which unfinished solutions look good? | state evaluator, $V(p_\theta, S)$ | ask: can these numbers still reach 24? | `tot.value`, `tot.vote` |
# | In what order do we look? | search algorithm | keep the best few of each level | `tot.bfs` |
#
# A **thought** is one step: small enough that a model can write several different good ones, big enough that one can judge it. A
# **state** $s = [x, z_1 \dots z_i]$ is the input $x$ and the thoughts so far. A **node** is a state with a place in the tree, and with what
# the search knows about it.

# %%
root = tot.Node(tot.State("4 9 10 13"))
one, other = tot.Thought("13 - 9 = 4"), tot.Thought("10 - 4 = 6")
first, second = root.grow([one, other])
(third,) = first.grow([other])
for node in (root, first, second, third):
    texts = [thought.text for thought in node.state.thoughts]
    print(f"id {node.id:6} depth {node.depth}  thoughts: {texts}")
back = " -> ".join(node.id for node in third.path)
print("The way back from the last one:", back)
print("Its value:", third.value)

# %% [markdown]
# The id *is* the path: `0.0.0` is the first child of the first child of the root. A state never changes; a longer one is a new
# one, so two branches cannot spoil each other. And no state holds the right answer. Only the verifier of chapter 3 knows it.
#
# ## Where thoughts come from: sample or propose
#
# There are two ways to get $k$ candidates for the next step.
#
# - **Sample**: send the same prompt and draw $k$ independent replies. Good where there is much to say (a plan, a paragraph).
# - **Propose**: ask once for a list. While it writes the list, the model sees what it has already written. Good where there is
#   little to say (a word, an equation) and independent draws would repeat each other.
#
# ### Predict: which one repeats itself?
#
# A chain of thought (chapter 4) begins with an equation, so the first lines of five chains are five *sampled* first steps. A list of proposals
# for the same puzzle holds *proposed* ones. Of the sampled steps, how many are legal, and how many of these are different? And in the list?

# %% tags=["predict"]
chains = tot.Cassette("cassettes/04.jsonl")


def legal(start, text):
    reads = task.read_proposals(start, text)
    return [read.value.text for read in reads if read.ok]


def first_steps(x):
    """Legal first steps: of five chains, and of one proposed list."""
    start = tot.State(x)
    (sampled,) = chains([task.cot(start).samples(0, 5)])
    (proposed,) = lm([task.propose(start, "lean")])
    lines = [text.strip().split("\n")[0] for text in sampled.texts]
    texts = {"sampled": "\n".join(lines), "proposed": proposed.texts[0]}
    return {way: legal(start, text) for way, text in texts.items()}


puzzle = ten[7]
for way, steps in first_steps(puzzle.x).items():
    counts = Counter(steps).most_common()
    print(f"{puzzle.x}, {way}:")
    print(*(f"   {n} x {step}" for step, n in counts), sep="\n")
    lists = [first_steps(one.x)[way] for one in ten]
    steps, new = sum(map(len, lists)), sum(len(set(s)) for s in lists)
    print(f"Ten puzzles: {steps} legal first steps, {new} different.")

# %% [markdown]
# Count the repetitions. Independent samples come back to what is likely, and a chain has to be written to its end or cut after its first line. A list sees itself, and is one request. Neither is
# always better: for thoughts as long as a plan, a list would be too long to stay good to its end.
#
# ## How good is a state: value or vote
#
# - **Value**: show the model one state alone and ask for a verdict. For Game of 24 the last word is *sure*, *likely* or
#   *impossible*. We make numbers of these words: 20, 1 and 0.001, added up over three samples. (The numbers are those of the authors' code; the
#   paper's text gives none.)
# - **Vote**: show all states together and ask which is best. Useful where a text is hard to judge alone and easier to compare.
#
# Here are three verdicts on the first proposal. The reader looks at the last verdict word and at nothing else.

# %%
start = tot.State(puzzle.x)
(proposed,) = lm([task.propose(start, "lean")])
reads = task.read_proposals(start, proposed.texts[0])
state = start.then(next(read.value for read in reads if read.ok))
(judged,) = lm([task.value(state).samples(0, 3)])
verdicts = [task.read_value(text).value or 0.0 for text in judged.texts]
print("State:", state.last.text)
for text, verdict in zip(judged.texts, verdicts, strict=True):
    print(f"   {text!r} is read as {verdict:g}")
print(f"Value of the state: {tot.ties.total(verdicts):g}")

# %% [markdown]
# ## A function that asks
#
# Now the idea. A search that simply calls the model, `reply = lm(prompt)`, is married to it: it cannot be
# paused, it cannot wait for five replies at once, and each test of it needs a model. So we write a function that *asks*.
#
# Python has such functions. A function with `yield` in it is a **generator** (Python's word; a thought generator is something else).
# Calling it runs nothing: you get a paused function. `send(value)` lets it run to its next `yield`. What stands to the right of
# `yield` comes out to you; what you send in next becomes the value of that `yield`. The first `send` must be `None`, because
# nobody has asked yet. When the function ends, Python raises `StopIteration`, which carries the value that it returned.


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
# `greet` does not know who answers: a person, a file, a test. Nor does it know *when*: between two calls of `send` it
# waits, with its variables in place.
#
# One more word. `result = yield from other()` lets another asking function ask through this one, and gives back what that one
# returned. So an asking function can be made of smaller ones.
#
# ## A search that asks
#
# A toy first, small enough to check by hand. Start at 2; each step adds three or doubles; reach 11 in three steps. The
# model is **scripted**: we wrote its answers, so this shows how things work and measures nothing.

# %%
TARGET = 11


def scripted_answer(request, sample):
    kind, number = request.messages[-1].content.split(" from ")
    if kind == "moves":
        more, twice = int(number) + 3, int(number) * 2
        return f"{number} + 3 = {more}\n{number} * 2 = {twice}"
    return f"{abs(TARGET - int(number))} away"


toy = tot.Scripted(scripted_answer)
replies = toy([tot.user("moves from 5"), tot.user("distance from 5")])
print([reply.texts[0] for reply in replies])

# %% [markdown]
# The thought generator asks about *all* its nodes in one `Ask`: a list of requests that do not wait for each other. The replies
# come back in the same order. It grows the tree and returns the new nodes. The evaluator asks in the same way, and writes a value on each
# node. Near is good, so the value is ten minus the distance.


# %%
def here(state):
    return int(state.last.text.split("=")[1] if state.last else state.x)


def ask_moves(state):
    return tot.user(f"moves from {here(state)}")


def ask_distance(state):
    return tot.user(f"distance from {here(state)}")


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


# %% [markdown]
# And the search: algorithm 1 of the paper, breadth first. `frontier` is the beam $S_t$. Each turn asks for the children of the whole beam,
# has them all valued, and keeps the best `breadth` of them. `tot.Best(...)` is not a question. It is an **event**, a fact that the
# search reports to whoever is interested.


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
# Someone must answer. This is a **driver**: it sends replies in, gets an item out, and if the item is a question, it asks the model. It is
# the only one of these functions that knows a model. Of the events, it remembers the last `best`.


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
# **Figure.** While the model answers, the search is paused. It sees replies and never a model, so a live one and a
# recording look the same to it. (Budget, ledger and trace belong to the package's driver; ours leaves them out.)
#
# ### Predict: is one enough?
#
# With `breadth=1` the search keeps only the nearest number at each step. From 2 the children are 5 and 4. Work it out on paper: does it
# reach 11 in three steps? And with `breadth=2`?


# %% tags=["predict"]
def toy_search(b, generate=my_generate, depth=3):
    root = tot.Node(tot.State("2"))
    return my_bfs(root, generate, my_evaluate, depth=depth, breadth=b)


for breadth in (1, 2):
    best = drive(toy_search(breadth), toy)
    thoughts = [thought.text for thought in best[0].state.thoughts]
    print(f"breadth {breadth}: {', then '.join(thoughts)}")

# %% [markdown]
# The narrow search runs to 10, which is as near as can be, and cannot stop there. The wide one keeps a number that looks worse and turns out
# better. This is the whole case for search, in one line: a value is a guess about the future, and a beam is an insurance against it.
#
# ## The same with the package
#
# `tot.generator` and `tot.value` build the two asking functions from pieces that ask nothing: a *prompt* (state in, request out) and a
# *reader* (text in, thoughts or a number out). A reader says what it read or why it could not: that is `Read`. And `tot.run` is the grown-up driver.


# %%
def read_moves(state, text):
    thoughts = [tot.Thought(line) for line in text.splitlines()]
    return [tot.parse.Read(thought) for thought in thoughts]


def read_distance(text):
    return tot.parse.Read(10.0 - int(text.split()[0]))


root = tot.Node(tot.State("2"))
asks = (
    tot.generator(ask_moves, read_moves),
    tot.value(ask_distance, read_distance, n=1),
)
result = tot.run(tot.bfs(root, *asks, depth=3, breadth=2), toy)
for mine, theirs in zip(best, result.best, strict=True):
    assert (mine.id, mine.value) == (theirs.id, theirs.value)
print("Same beam as our own:", *(node.id for node in result.best))
calls, rounds = result.ledger.total.calls, result.ledger.rounds
print(f"{calls} calls in {rounds} rounds")
show.svg(result)

# %% [markdown]
# **Figure.** With a beam of two, the toy search reaches 11 over the number that looked worse at first.
#
# Our seven lines and the package's search agree. The picture was not drawn by the search, but from its events.
#
# ## On a recorded puzzle
#
# Nothing in `my_bfs` knows about adding three and doubling. Give it the prompts and readers of Game of 24, and it plays Game of 24. `local`
# names what a program can do without a model: write the answer down from three steps, and see whether the one number left is 24.


# %%
def propose(state):
    return task.propose(state, "lean")


def parts():
    readers = task.read_proposals, task.read_value
    generate = tot.generator(propose, readers[0], local=task.compose)
    evaluate = tot.value(task.value, readers[1], n=3, local=task.judge)
    return generate, evaluate


def search(bfs=tot.bfs, depth=task.steps):
    root = tot.Node(tot.State(puzzle.x))
    return bfs(root, *parts(), depth=depth, breadth=5)


ours, theirs = drive(search(my_bfs), lm), tot.run(search(), lm)
for mine, node in zip(ours, theirs.best, strict=True):
    assert (mine.id, mine.value) == (node.id, node.value)
print(f"{puzzle.x}: both searches end with the same answers.")
for node in ours:
    verdict = task.verify(puzzle, node.state.answer).why
    print(f"   value {node.value:<6g} {node.state.answer:20} {verdict}")

# %% [markdown]
# The two differ where branches end early. When no child is left at all, `my_bfs` reports an empty beam; `tot.bfs` keeps the last one that had
# states in it. And it lets a finished answer wait in the beam while other branches go on.
#
# ## Step by step
#
# Since a search is a paused function, you can walk through it. `tot.steps` gives the events one by one. Leave the loop, and
# nothing more is asked. Each question and its replies are an event too (`asked`), with the number of its round.

# %%
for event in tot.steps(search(), lm):
    ids = ", ".join(node["id"] for node in event["nodes"])
    asked = event["kind"] == "asked"
    who = f"the {event['role']} about " if asked else ""
    print(f"{event['kind']:10} {who}{ids}")
    if event["kind"] == "best":
        break

# %% [markdown]
# ### Predict: how many rounds?
#
# A **round** is a set of requests that wait only for earlier rounds. All requests of one `Ask` go out together, so a round takes about as long as
# its slowest request. Here a puzzle takes three equations and an answer that the program writes down; the last number needs no judge. How many rounds is that? And how many
# requests are in them? Guess both, then look.


# %% mystnb={"image": {"alt": "Requests of one search as marks, one column for each round. Round 1 has a single request of the generator. Generator and evaluator take turns, the tallest column is one of the evaluator's, and there are far fewer columns than marks."}} tags=["plot", "predict"]
def events(run, kind):
    return [e for e in run.trace.events if e["kind"] == kind]


dots = {"generator": [], "evaluator": []}
for event in events(theirs, "asked"):
    each = range(1, len(event["requests"]) + 1)
    dots[event["role"]] += [(event["round"], i) for i in each]
calls, last = theirs.ledger.total.calls, theirs.ledger.rounds
print(
    f"One at a time, the wait is {calls} calls long; in rounds, {last}."
)
fig, ax = plt.subplots(figsize=(6, 3.2))
for role, mark in zip(dots, "so", strict=True):
    x, y = zip(*dots[role], strict=True)
    ax.scatter(x, y, marker=mark, s=22, label=role)
ax.set(xlabel="round", ylabel="requests asked together")
ax.set_xticks(range(1, last + 1))
ax.yaxis.get_major_locator().set_params(integer=True)
ax.legend()
plt.show()

# %% [markdown]
# **Figure.** Generator and evaluator take turns: many requests, five rounds.
#
# Rounds are what you wait for, calls and tokens are what you pay for. The book prints both. Why two rounds for each step? The evaluator needs the
# children, and the next step needs the values. Inside each, nobody waits for anybody. Where the program judges, there is no round.
#
# ## What is left behind: the trace
#
# A run returns a `Result`: the best nodes, why it stopped, a **ledger** of what was used, and a **trace**, the list of all events as plain data. Plain
# means text, numbers, lists and dictionaries: you can save it, compare it, or read it with another program. Below is one event, and the ledger.
#
# Everything that this book shows is drawn from a trace. There are three views: plain text, a picture, and a page in which each
# node opens to what was asked and replied. The second cell is the text; `max_dropped` folds what the search did not keep.

# %%
grown = events(theirs, "expanded")
event = max(grown, key=lambda event: len(event["unread"]))
short = {"unread": event["unread"][:1], "nodes": event["nodes"][:2]}
print(json.dumps(event | short, indent=1))
for role, usage in theirs.ledger.asked.items():
    print(f"{role}: {usage.calls} calls, {usage.tokens} tokens")

# %%
knobs = {"breadth": 5, "style": "lean"}
solution = tot.solve(task, puzzle, "tot-bfs", lm=lm, **knobs)
assert solution.trace.events == theirs.trace.events
_, head, text = show.text(solution, max_dropped=1).split("\n", 2)
print(show.wrapped(head), text, sep="\n")

# %% [markdown]
# `tot.solve` is the front door: it builds this same search by name and asks the verifier about the outcome. Its events are equal to ours, one by one; only its head
# and its result know more. Now the page. Open a node, and a question below it, and read how the model judged.

# %%
show.html(solution, limit=600)

# %% [markdown]
# ## A budget
#
# `tot.run` checks a **budget** before each round: calls, tokens, dollars, seconds or nodes. A round that would need more calls than are left is not
# started.
#
# ### Predict: what does a poor search see?
#
# Run the same search with fewer calls. Does it do something else, or the same for a shorter time? Think of how you would compare two searches at the same cost.

# %% tags=["predict"]
full, total = theirs.trace.events, theirs.ledger.total.calls
rows = []
for calls in (total, total - 1, total // 2, total // 4, 1, 0):
    cut = tot.run(search(), lm, budget=tot.Budget(calls=calls))
    seen, used = cut.trace.events, cut.ledger
    assert seen == full[: len(seen)]
    row = {"allowed": calls, "calls": used.total.calls}
    row |= {"rounds": used.rounds, "events": len(seen)}
    rows.append(row | {"stopped": cut.stopped, "beam": len(cut.best)})
show.table(rows, caption="One search, cut short after fewer calls.")

# %% [markdown]
# **Table.** A smaller budget sees the beginning of the same search.
#
# The events of a budgeted run are the **first** events of the full run, exactly; the `assert` says so. The search does not know its budget, and a recorded sample is the same whoever asks. So one recording answers the question "what would you have said after 20
# calls?" for every number in place of 20. And a search that is cut short still has something to show: its last beam, if it got that far.
#
# ## What could not be read
#
# A model's reply is text from a stranger. The reader of proposals is strict: both numbers must be there, the arithmetic must be right. A line that fails
# makes no child. It is put on a list, with the reason.
#
# ### Predict: how many lines survive?
#
# This is a small model. On ten puzzles, which share of the lines that it proposes are legal steps? And what is the most
# frequent fault: wrong arithmetic, numbers that are not there, or something else?


# %% tags=["set-up", "predict"]
# The lines that the model proposed, and those that no reader accepts
def proposed_lines(run):
    for event in events(run, "asked"):
        if event["role"] == "generator":
            for request in event["requests"]:
                for sample in request["samples"]:
                    lines = sample["text"].splitlines()
                    yield from (s for s in lines if s.strip())


refused, shares = [], []
for one in ten:
    run = tot.solve(task, one, "tot-bfs", lm=lm, **knobs)
    bad = [bad for e in events(run, "expanded") for bad in e["unread"]]
    shares.append([1 - len(bad) / len(list(proposed_lines(run)))])
    refused += bad
print(f"Legal lines: {stats.bootstrap(shares)}, n = {len(ten)} puzzles")
for why, n in Counter(entry["why"] for entry in refused).most_common():
    texts = [entry["text"] for entry in refused if entry["why"] == why]
    quotes = list(dict.fromkeys(texts))[:3]
    print(f"{n} x {why}:", *quotes, sep="\n     ")

# %% [markdown]
# Read the examples. *Operand is not there*: a number was used twice, or had been spent. *Not a step*: here nearly all
# are quotients with sixteen decimals, more than our reader takes. A fraction that is written as a rounded decimal has
# become another number anyway. Nothing here is
# repaired: guessing what the model may have meant would make it look better than it is. The count belongs beside every result, because a search that cannot read its model looks just like a
# model that cannot think.
#
# ## Roles
#
# Each `Ask` names a **role**, who is asked: `generator` or `evaluator`. A role can have a model of its own. The paper does this in appendix B.2, with a strong model for one
# role and a weak one for the other. This chapter has one recorded model, so for the demonstration the second is
# *scripted*: a careless judge that says *likely* to everything.

# %%
from tot.tasks.game24 import left
from tot.tasks.game24_rules import solvable


def shrug(request, sample):
    return "who knows. likely"


careless = tot.Scripted(shrug, name="scripted")
judges = {"recorded judge": lm, "careless judge (scripted)": careless}
for name, judge in judges.items():
    lms = {"generator": lm, "evaluator": judge}
    outcome = tot.run(search(depth=2), lms)
    print(f"{name}, {outcome.ledger.asked['evaluator'].calls} calls:")
    for node in outcome.best:
        state = node.state
        hope = "can reach 24" if solvable(left(state)) else "cannot"
        print(f"   value {node.value:<7g} {state.last.text:28} {hope}")

# %% [markdown]
# With a judge that has no opinion, the order of the list decides. A value is worth its calls only if it orders the states better than that. The last column comes from an exhaustive solver
# that no search gets to see. Chapter 6 uses it to measure how good the judge is.
#
# ## What it costs
#
# The ten puzzles of the last section, with the methods so far. A **call** is one request; ten samples of one prompt are one call.

# %% tags=["set-up"]
# The bills of four methods on the ten puzzles
trees = {b: {"breadth": b, "style": "lean"} for b in (1, 5)}
plans = {
    "IO, 10 samples": ("03", "io", {"k": 10}),
    "CoT, 5 samples": ("04", "cot", {"k": 5}),
    "ToT-BFS, b = 1": ("06", "tot-bfs", trees[1]),
    "ToT-BFS, b = 5": ("06", "tot-bfs", trees[5]),
}
lines = []
for name, (chapter, method, params) in plans.items():
    tape = tot.Cassette(f"cassettes/{chapter}.jsonl")
    mine = [tot.solve(task, p, method, lm=tape, **params) for p in ten]
    lines += [
        solution.to_dict() | {"method": name} for solution in mine
    ]
    totals = [solution.result.ledger.total for solution in mine]
    prompts = sum(total.prompt_tokens for total in totals)
    share = prompts / sum(total.tokens for total in totals)
    print(f"{name}: {share:.0%} of its tokens are prompts")
title = "Mean cost of a puzzle; rate of the chosen answer."
show.cost_table(lines, caption=title)

# %% [markdown]
# **Table.** The trees solve more of ten puzzles than single answers and chains do, for ten times the tokens and more.
#
# Ten puzzles tell apart only what lies far apart: compare the intervals before the rates. What they do show is the shape of the cost. A tree needs many more calls, and most of its
# tokens are prompts: the same instructions and examples, sent again with each request. But its calls come in a few rounds, and that is why we count rounds.
#
# ## Where it fails
#
# A paused function runs forward, once. When it has ended, it is used up: to run a search again, build it again. Nor can a half-run search be copied, to go on from there in two ways.
# With a recording this costs nothing: the same beginning replays in no time.

# %%
once = search()
print("first run: ", len(tot.run(once, lm).best), "best nodes")
print("second run:", len(tot.run(once, lm).best), "best nodes")
print("built anew:", len(tot.run(search(), lm).best), "best nodes")

# %% [markdown]
# The same holds for `tot.value`, which remembers the states it has valued within one run: build one for each run, as `parts()` does.
#
# And the shape does not make a search good. Whether the tree helps depends on what the model proposes and how it judges. That is [chapter 6](06_tot_bfs_game24.ipynb).
#
# ## Summary
#
# - A tree of thoughts is four answers: how to decompose, generate, evaluate, search. Thoughts make states, states sit in nodes.
# - Sample where there is much to say; propose where there is little. Value states one by one; vote where they are easier to compare.
# - A search is a generator function. It yields an `Ask` and is sent the replies; it yields events; it never calls a model.
# - Whoever drives it can add models, budgets, replay and pictures, and the search stays seven lines long.
# - Rounds are what you wait for; calls and tokens are what you pay for.
# - A budgeted run is a prefix of the full one. Replies that could not be read are counted, with the reason.
#
# The words are collected in the [glossary](../book/glossary.md).
#
# ## Exercises
#
# ### Exercise 1: one question at a time
#
# Here is another generator for the toy. Predict before you run it: does the search find the same beam? What happens to the number of calls, and to the number of rounds, for
# `breadth=2` and `depth=3`? Then run it and count.
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
# An `Ask` is a round. How many does `my_generate` yield, and how many does `impatient`? `tot.run(...).ledger` holds `rounds` and `total.calls`.
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
# In a vote the model sees numbered choices and ends with a line such as "The best choice is 2". Write `read_ballot(text, options)`: the chosen option counted from 0, or `None` if there is
# no valid ballot. Numbers in the reasoning must not count, "choice 10" is not choice 1, and a choice that does not exist is no ballot. Then elect a winner from these
# scripted ballots, with three options.
#
# ```python
# ballots = [
#     "Choice 1 uses 24 words, choice 3 uses 10. The best choice is 3.",
#     "I compared all 3. The best choice is **1**",
#     "The best choice is 10.",
#     "They are all fine.",
#     "the best choice is choice 3",
# ]
# ```
#
# <details><summary>Hint</summary>
#
# Look for the word *choice* with a number after it, and take the last one in the text. `re.findall(r"choice\D{0,12}(\d+)", text)` is a good start. Then compare with `tot.parse.choice`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
import re

ballots = [
    "Choice 1 uses 24 words, choice 3 uses 10. The best choice is 3.",
    "I compared all 3. The best choice is **1**",
    "The best choice is 10.",
    "They are all fine.",
    "the best choice is choice 3",
]


def read_ballot(text, options):
    found = re.findall(r"choice\D{0,12}(\d+)", text.lower())
    picked = int(found[-1]) if found else 0
    return picked - 1 if 1 <= picked <= options else None


def ask(states):
    return tot.user("Which choice is best?")


mine = [read_ballot(ballot, 3) for ballot in ballots]
assert mine == [tot.parse.choice(ballot, 3).value for ballot in ballots]
print("ballots:", mine)
voters = tot.Scripted(ballots, name="five voters (scripted)")
plans = [tot.Thought(text) for text in ("plan A", "plan B", "plan C")]
nodes = tot.Node(tot.State("a text")).grow(plans)
outcome = tot.run(tot.vote(ask, tot.parse.choice, n=5)(nodes), voters)
print("votes:", {node.state.last.text: node.value for node in nodes})
print("unread:", outcome.unread)

# %% [markdown]
# ### Exercise 3: a driver with a budget
#
# Extend `drive` with an argument `calls`: before each `Ask`, stop if it would take the number of requests over `calls`. Check it on the recorded puzzle: for every budget from 0 to the full number of calls,
# its last beam must be that of `tot.run(..., budget=tot.Budget(calls=calls))`.
#
# <details><summary>Hint</summary>
#
# Keep a counter. One thing is easy to overlook: `tot.run` sends equal requests of one round only once, so it counts `len(set(item.requests))`.
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


for calls in range(total + 1):
    mine = drive_within(search(), lm, calls)
    cut = tot.run(search(), lm, budget=tot.Budget(calls=calls))
    assert [node.id for node in mine] == [node.id for node in cut.best]
print(f"The same beam for every budget from 0 to {total} calls.")

# %% [markdown]
# ### Exercise 4: merge twins
#
# In the toy, 8 can be reached as 2, 4, 8 and as 2, 5, 8. These are two nodes with one future. Write `merged(generate, key)`: an asking function that lets `generate` ask, and returns only the first child for
# each `key(state)`. Compare the beams with and without it, for `breadth=3` and `depth=2`. Then use the recorded tree: among the children that share a depth, how many have the same numbers left as an earlier one?
#
# <details><summary>Hint</summary>
#
# `children = yield from generate(nodes)`, then a dictionary and `setdefault`. The nodes of the recorded tree hang together: `theirs.best[0].path` leads to the root, `children` down again;
# the key of a Game of 24 state is `left(state)`.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def merged(generate, key):
    def generate_merged(nodes):
        children = yield from generate(nodes)
        kept = {}
        for child in children:
            kept.setdefault(key(child.state), child)
        return list(kept.values())

    return generate_merged


for generate in (my_generate, merged(my_generate, here)):
    done = tot.run(toy_search(3, generate, depth=2), toy)
    beam = [here(node.state) for node in done.best]
    print(f"beam {beam}, {done.ledger.total.calls} calls")


levels = {}  # depth -> the numbers left at each unfinished node
stack = [list(theirs.best[0].path)[-1]]  # the recorded tree's root
while stack:
    node = stack.pop()
    levels.setdefault(node.depth, []).append(left(node.state))
    stack += [child for child in node.children if not child.terminal]
for depth, states in sorted(levels.items()):
    new = len(set(states))
    print(f"depth {depth}: {len(states)} nodes, {new} different states")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Merging leaves room in the beam for a third number. On the recorded tree, only count: a merged beam would hold other states, and a recording answers only what was asked.
#
# </details>
#
# ### Exercise 5: best first
#
# Breadth-first search looks at a level at a time. **Best-first** search always expands the best node that it has anywhere. Write it in about ten lines, with a heap, for the toy: stop when the best node is at the target, or
# has three thoughts and nothing else is open. Predict first: how many calls and how many rounds does it need to find 11, compared with `breadth=2`?
#
# <details><summary>Hint</summary>
#
# `heapq` keeps the smallest item first, so push `(-value, number, node)`, with a running number to break ties. Do not expand nodes with three thoughts.
#
# </details>

# %% [markdown]
# #### Solution 5

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

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Best first asks about one node at a time. Here it saves calls and spends rounds. And it goes back: after the dead end at 10 it takes up a node that a
# beam of one would have thrown away.
#
# </details>
#
# ## Further reading
#
# - Section 3 of the paper {cite}`yao2023tree`: four questions on two pages. The [index](../book/paper_to_code.md) says where each part of it is in this book.
# - Newell, Shaw and Simon {cite}`newell1959report` wrote a program that searches a space of states, in 1959; their book {cite}`newell1972human` watches people do it.
# - Hart, Nilsson and Raphael {cite}`hart1968formal`: best-first search with a guarantee, if the heuristic keeps a promise.
# - The Python language reference on *yield expressions*, for what `send` and `yield from` do exactly.
