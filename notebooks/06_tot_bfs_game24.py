# %% [markdown]
# # Tree of Thoughts, breadth first
#
# A chain of thought cannot take anything back. If its first step is a dead end, the rest of the chain is wasted, and the
# model that wrote it never looks up to see. A **tree of thoughts** {cite}`yao2023tree` does look up: it writes several
# possible next steps, asks how promising each one is, keeps the best few, and goes on from those.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - say what a *thought*, a *generator* and an *evaluator* are in the Game of 24, and read each of their prompts;
# - write Algorithm 1 of the paper, breadth-first search over thoughts, in a dozen lines;
# - read a recorded search tree, and tell at which step and for what reason a search failed;
# - compare methods fairly: on the same puzzles, with intervals, and at the same cost.
#
# Everything below replays what a small real model answered once. Nothing is asked of a model now, and nothing costs
# anything. [Chapter 5](05_how_a_search_asks.ipynb) explained the parts that we use here.

# %%
import random
from collections import Counter
from fractions import Fraction
from math import fsum
from statistics import fmean

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.tasks.game24 import left, steps_of
from tot.tasks.game24_rules import luck, moves, solvable

setup()
game = tot.task("game24")
puzzles = game.problems("starter")[0::4]  # spread over the easier third of all 1,362
lm = tot.Cassette("cassettes/06.jsonl")
session = next(iter(lm.tape.sessions.values()))
print(f"The model is {lm.name}, recorded on {session['date']}.")
print("Puzzles:", ", ".join(p.x for p in puzzles))

# %% [markdown]
# ## The problem: one early step decides
#
# Four numbers allow at most a few dozen different first steps. After some of them, 24 can no longer be reached, however
# clever the rest is.
#
# ### Predict: how many first steps keep 24 in reach?
#
# Guess a share before you run the cell: a tenth, a third, a half?

# %%
def numbers(x):
    return tuple(sorted(Fraction(n) for n in x.split()))


for problem in puzzles:
    first = moves(numbers(problem.x))
    alive = [step for step in first if solvable(step.left)]
    share = len(alive) / len(first)
    print(f"{problem.x:12} {len(alive):3} of {len(first):2} first steps are alive, {share:4.0%}")

# %% [markdown]
# We call a state *alive* if 24 can still be reached from it. A solver told us that, and a solver is what the model does
# not have. But the table explains why breadth helps. A single first step, drawn blindly, is often dead. Of five
# different first steps, at least one is probably alive. Then somebody has to say *which*.

# %%
shares = [fmean(solvable(step.left) for step in moves(numbers(p.x))) for p in puzzles]
print(f"one blind first step is alive with probability {fmean(shares):.2f}")
print(f"at least one of five: {fmean(1 - (1 - share) ** 5 for share in shares):.2f}")
lucky = fmean(float(luck(numbers(p.x))) for p in puzzles)
print(f"three blind steps reach 24 with probability {lucky:.3f}")

# %% [markdown]
# ## Thought, generator, evaluator
#
# The paper asks four questions of every task. For the Game of 24 it answers:
#
# 1. **Thought**: one equation on two of the numbers, such as `13 - 9 = 4`. Three thoughts, then the answer.
# 2. **Generator**: a *propose prompt*. One request lists several next steps in one context, so that they differ.
# 3. **Evaluator**: a *value prompt*. Can the numbers that are left still make 24: `sure`, `likely`, `impossible`?
# 4. **Search**: breadth first. Keep the `b` best states of each step.
#
# Here is the propose prompt, as a conversation: an instruction, examples, and the question.

# %%
problem = puzzles[0]
root = tot.State(problem.x)
request = game.propose(root, "lean")
for message in request.messages:
    print(f"{message.role:>9} | " + message.content.replace("\n", "\n          | "))

# %% [markdown]
# The paper's prompt also makes the model write down the numbers that are left after each step, as in
# `13 - 9 = 4 (left: 4 4 10)`. Our small model is bad at that book-keeping (we measure how bad below).
# So this chapter uses a *lean* variant: the model proposes the equation, the program keeps the books. This is allowed:
# after an equation there is only one right answer to "what is left". But it is help that GPT-4 did not get. Keep it in
# mind when you compare.
#
# What does the model answer?

# %%
[reply] = lm([request])
print(reply.texts[0])

# %% [markdown]
# Model output is text from a stranger. Each line is checked exactly: are both operands there, is the arithmetic right?
# A line that fails is not repaired. It is refused, counted, and the reason is kept.

# %%
for read in game.read_proposals(root, reply.texts[0]):
    print(f"{'legal' if read.ok else read.why:22} {read.text}")

# %% [markdown]
# Now the evaluator. It sees the numbers that are left and nothing else: not the puzzle, not the path. The last of the
# three words in its reply counts. We ask three times and add up: *sure* is worth 20, *likely* 1, *impossible* 0.001.
# (The paper's text gives no numbers; these are from its authors' code.)

# %%
reads = game.read_proposals(root, reply.texts[0])
child = root.then(next(read.value for read in reads if read.ok))
[verdicts] = lm([game.value(child).samples(first=0, n=3)])
print("left:", *left(child))
for text in verdicts.texts:
    print(f"{game.read_value(text).value!s:>6}   {text}")

# %% [markdown]
# Read those verdicts critically. Is the arithmetic in them right? Does the last word follow from what comes before? A
# value "only needs to be approximately helpful", the paper says. Whether this one is, we shall measure.
#
# ## Algorithm 1 from scratch
#
# Breadth-first search needs one idea: a *frontier* of at most `b` states. Each round replaces it by the best of its
# children. Many states get the same verdicts, in one order or another, and of equals the one that was written first goes
# first. So their sums must be equal, too: `fsum` rounds once, at the end, and the order does not matter. Here is the search
# with plain function calls, without any of the package's machinery:

# %%
def propose(state):
    [reply] = lm([game.propose(state, "lean")])
    reads = game.read_proposals(state, reply.texts[0])
    return [state.then(t) for t in dict.fromkeys(r.value for r in reads if r.ok)]


def value(state):
    if len(left(state)) == 1:  # one number: 24 or not, no model needed
        return 3 * (20 if left(state)[0] == 24 else 0.001)
    [reply] = lm([game.value(state).samples(first=0, n=3)])
    return fsum(game.read_value(text).value or 0 for text in reply.texts)


def my_bfs(x, breadth, steps=3):
    frontier = [tot.State(x)]  # S_0 = {x}
    for _ in range(steps):
        candidates = [child for s in frontier for child in propose(s)]  # S'_t
        if not candidates:
            break
        frontier = sorted(candidates, key=value, reverse=True)[:breadth]  # S_t
    return frontier


# %%
for state in my_bfs(problem.x, breadth=5):
    steps = [thought.text.split(" (")[0] for thought in state.thoughts]
    print(f"{value(state):7.3f}  ", " ; ".join(steps))

# %% [markdown]
# Every line is a state with three thoughts. A value of 60 means that the last number is 24.
#
# The package's search is the same algorithm. It differs in *how it asks*: it never calls a model but yields its
# questions, so that everything that does not depend on each other is asked at once. Do the two agree?

# %%
def search(problem, **knobs):
    return tot.solve(game, problem, "tot-bfs", lm=lm, style="lean", **knobs)


for problem in puzzles:
    mine = [steps_of(state) for state in my_bfs(problem.x, breadth=5)]
    theirs = [steps_of(node.state) for node in search(problem, breadth=5).result.best]
    assert mine == theirs, problem.x
print("the same beams, in the same order, on all", len(puzzles), "puzzles")

# %% [markdown]
# ## Reading the tree
#
# The picture shows one whole search. Grey branches were proposed and not kept. Start at the left and follow the thick
# path: it is the output of the search.

# %%
runs = [search(problem, breadth=5) for problem in puzzles]
chosen = next((run for run in runs if run.correct), runs[0])
show.svg(chosen.trace)

# %% [markdown]
# The same tree as text, for a terminal or a screen reader:

# %%
print(show.text(chosen.trace, width=80))

# %% [markdown]
# ### Predict: how many questions is that, and how long is the longest chain of them?
#
# Every arrow needed model calls. But many of them do not wait for each other. A **round** is a set of requests that wait
# only for earlier rounds: propose for all states of the frontier, then value for all children, and so on.

# %%
usage = chosen.to_dict()["usage"]
print(f"{usage['calls']} requests, {usage['samples']} samples, {usage['rounds']} rounds")
print(f"{usage['prompt_tokens']} prompt tokens, {usage['completion_tokens']} generated tokens")
for event in chosen.trace.events:
    if event["kind"] == "asked":
        n, role = len(event["requests"]), event["role"]
        print(f"  round {event['round']}: {n:2} requests to the {role}")

# %% [markdown]
# With a server that answers many requests at once, the whole search takes as long as these few rounds. Asked one by one,
# it takes as long as all the requests together. That is the difference between seconds and minutes, with the same answer.
#
# There is no round after the last proposals: a single number is 24 or it is not, and the answer is written down by
# program from the three steps. The paper asks the model for the answer, and then for a verdict on it: two more rounds.
# The last row of the table below has that variant.
#
# ## The experiment
#
# Same puzzles, same model, three families of methods:
#
# - **IO** and **CoT** from [chapter 3](03_io_and_verifiers.ipynb) and [chapter 4](04_chain_of_thought.ipynb), several samples each;
# - **ToT-BFS** with breadth 1 to 5.
#
# ToT outputs up to five answers. We report two scores: **any** of them (an oracle: it needs somebody who knows), and
# the **chosen** one, which the method picks without gold.

# %%
tree_runs = {b: [search(p, breadth=b) for p in puzzles] for b in (1, 2, 3, 4, 5)}
asked_runs = [search(p, breadth=5, compose=False) for p in puzzles]
io_lm, cot_lm = tot.Cassette("cassettes/03.jsonl"), tot.Cassette("cassettes/04.jsonl")
io_runs = [tot.solve(game, p, "io", lm=io_lm, k=10) for p in puzzles]
cot_runs = [tot.solve(game, p, "cot", lm=cot_lm, k=5) for p in puzzles]

# %% [markdown]
# Three small helpers: the success of single samples (puzzles are the clusters of the bootstrap, see
# [chapter 3](03_io_and_verifiers.ipynb)), the success of one answer for each puzzle, and the mean cost.

# %%
def mean_rate(solutions):
    return stats.bootstrap([[float(x.correct) for x in s.scores] for s in solutions])


def wilson(solutions, score):
    return stats.wilson(sum(getattr(s, score) for s in solutions), len(solutions))


def cost(solutions, samples=1):
    bills = [s.result.ledger for s in solutions]
    return {
        "generated tokens": fmean(b.total.completion_tokens for b in bills) / samples,
        "states visited": fmean(b.nodes for b in bills) / samples,
        "rounds": fmean(b.rounds for b in bills),
    }


# %% [markdown]
# ### Predict: which of them wins, and is it worth its price?
#
# Before you run the cell, write down a guess for each row.

# %%
def row(name, solved, solutions, samples=1):
    return {"method": name, "solved": solved, **cost(solutions, samples)}


rows = [
    row("IO, one sample", mean_rate(io_runs), io_runs, 10),
    row("CoT, one sample", mean_rate(cot_runs), cot_runs, 5),
    row("IO, any of 10 (gold picks)", wilson(io_runs, "any"), io_runs),
    row("CoT, any of 5 (gold picks)", wilson(cot_runs, "any"), cot_runs),
    *(row(f"ToT b={b}, chosen", wilson(s, "chosen"), s) for b, s in tree_runs.items()),
    row("ToT b=5, any of 5 (gold picks)", wilson(tree_runs[5], "any"), tree_runs[5]),
    row("ToT b=5, the model writes the answer", wilson(asked_runs, "chosen"), asked_runs),
]
show.table(rows, caption=f"{lm.name}, {len(puzzles)} puzzles, costs per puzzle")

# %%
gain = stats.paired([s.chosen for s in tree_runs[5]], [s.any for s in io_runs])
more = cost(tree_runs[5])["generated tokens"] / cost(io_runs)["generated tokens"]
print("ToT b=5 against the best of ten IO samples:")
print(gain)
print(f"ToT generated {more:.0f} times as many tokens")

# %% [markdown]
# Look at the width of the intervals before you look at the rates. A table of this size can tell "almost never" from "half
# of the time", and not much more. What it cannot tell, we do not say. For example: is b = 4 worse than b = 5? Nobody
# can read that here. And where the interval of a difference leaves out zero while the exact test says p = 0.12, as
# here, believe the test: of ten puzzles a bootstrap is too narrow. Six against one is a hint, not a proof. Also, all
# these trees share many samples (b = 5 contains most of what b = 1 asked), so the rows for
# different b are not independent of each other.
#
# ### Predict: how much of this is the model, and how much the scaffold?
#
# Our program checks every step, keeps the books, decides single numbers and writes the answer. That is help. How far
# would the same search come with a player who knows *nothing*: five random legal steps, a random verdict? This is a
# **simulation**: no language model is asked, and its numbers stay out of the table above.

# %%
def blind(request, index):
    rng = random.Random(f"{request.messages[-1].content} {index}")
    if request.max_tokens == 90:  # the propose prompt
        steps = moves(numbers(request.messages[-1].content.removeprefix("Numbers: ")))
        return "\n".join(map(str, rng.sample(steps, min(5, len(steps)))))
    return rng.choice(["sure", "likely", "impossible"])


scripted = tot.Scripted(blind, name="blind player")
for b in (1, 5):
    knobs = {"lm": scripted, "style": "lean", "breadth": b}
    trials = [
        [tot.solve(game, p, "tot-bfs", first=10 * i, **knobs).chosen for i in range(8)]
        for p in puzzles
    ]
    rate = stats.bootstrap([[float(x) for x in mine] for mine in trials])
    print(f"b={b}: blind player {rate}, with the model {wilson(tree_runs[b], 'chosen')}")

# %% [markdown]
# A blind player in a good scaffold already beats the model's own direct answers. So part of the gain over IO is *structure*:
# exact steps, and a beam that ends with many last steps tried. The rest is what the model adds, by proposing sensible
# steps and by its verdicts. Whenever you read that a tree search lifted a model from nearly nothing to a lot, ask for
# this control.
#
# The figure draws success against the states that a method visited, as the paper's figure 3 (a) does. For IO and CoT a
# state is one answer, and success is the unbiased estimate for the best of k samples: gold picks. ToT's points are the
# chosen answers, without gold.

# %% mystnb={"image": {"alt": "Success against states visited per puzzle. Two curves for the best of k samples of IO and CoT stay low on the left; five points for Tree of Thoughts with breadth 1 to 5 lie further right and higher, with wide intervals."}}
points = [
    {"method": "ToT-BFS, chosen", "label": f"b={b}", "rate": wilson(s, "chosen"), **cost(s)}
    for b, s in tree_runs.items()
]
for name, runs, ks in (("IO, best of k", io_runs, (1, 2, 5, 10)), ("CoT, best of k", cot_runs, (1, 2, 5))):
    for k in ks:
        each = [[stats.pass_at_k(len(s.scores), sum(x.correct for x in s.scores), k)] for s in runs]
        rate = stats.bootstrap(each)
        points.append({"method": name, "label": f"k={k}", "states visited": k, "rate": rate})
for p in points:
    print(f"{p['method']:16} {p['label']:5} {p['states visited']:5.1f} states  {p['rate']}")
show.plots.success_by_cost(points, x="states visited", xlabel="states visited per puzzle")

# %% [markdown]
# ## Where does it fail?
#
# A search can fail for three reasons. Either no living step was **proposed**; or one was proposed, and the evaluator
# **threw it away**; or a living state was kept, and the *next* step failed. A solver can tell them apart. (The solver looks
# at finished runs only. It never helped the search.)

# %%
def all_nodes(solution):
    todo = [list(solution.result.best[0].path)[-1]]  # the root
    for node in todo:
        todo += node.children
    return todo


def kept(solution, step):
    """Ids of the beam after a step."""
    best = [event for event in solution.trace.events if event["kind"] == "best"]
    return {node["id"] for node in best[step - 1]["nodes"]} if step <= len(best) else set()


# %%
def diagnose(solution):
    """(step, reason) of a failed search; None if a living state came through."""
    frontier = {"0"}
    for step in (1, 2, 3):
        grown = [n for n in all_nodes(solution) if n.depth == step and n.parent.id in frontier]
        living = [n for n in grown if solvable(left(n.state))]
        if not living:
            return step, "no living step proposed"
        frontier = kept(solution, step)
        if not any(n.id in frontier for n in living):
            return step, "living step not kept"
    return None


for b in (1, 5):
    reasons = [diagnose(s) for s in tree_runs[b]]
    print(f"b={b}: solved {reasons.count(None)} of {len(reasons)}")
    for reason in sorted(r for r in set(reasons) if r):
        print(f"     {reasons.count(reason)} failed at step {reason[0]}: {reason[1]}")

# %% mystnb={"image": {"alt": "Stacked bars for breadth 1, 3 and 5, ten searches each. Solved: 4, 7 and 8. With breadth 1 five searches fail at step 1, with breadth 3 two, with breadth 5 none."}}
fails = []
for b in (1, 3, 5):
    for solution in tree_runs[b]:
        reason = diagnose(solution)
        fails.append({"method": f"ToT b={b}", "step": f"step {reason[0]}" if reason else "solved", "count": 1})
show.plots.failures(fails, order=["step 1", "step 2", "step 3", "solved"], xlabel="share of searches")

# %% [markdown]
# ### Predict: is the generator or the evaluator the weak part?
#
# The paper swapped GPT-4 and GPT-3.5 in the two roles and found that generation was the bottleneck. We can look directly.
# First the generator: of all proposed lines, how many are legal, and how many of the legal ones keep 24 in reach?

# %%
def proposals(solutions):
    """(numbers there, Read) of every proposed line, each request counted once."""
    seen = {}
    for solution in solutions:
        for node in all_nodes(solution):
            if len(left(node.state)) > 1 and node.children:
                seen[left(node.state)] = node.state
    for state in seen.values():
        [reply] = lm([game.propose(state, "lean")])
        for read in game.read_proposals(state, reply.texts[0]):
            yield left(state), read


for size in (4, 3, 2):
    reads = [read for there, read in proposals(tree_runs[5]) if len(there) == size]
    legal = [read for read in reads if read.ok]
    living = [read for read in legal if solvable(read.value.data.left)]
    rate = stats.wilson(len(legal), len(reads))
    print(f"{size} numbers: {len(legal):3} of {len(reads):3} lines legal, {rate}; {len(living):2} alive")

# %% [markdown]
# Now the evaluator. Put the states that it judged into two groups, with the solver's eye: those from which 24 can be
# reached, and those from which it cannot. A useful evaluator gives the first group higher values.

# %%
judged, groups = {}, {"can reach 24": [], "cannot": []}
for solution in [s for runs in tree_runs.values() for s in runs]:
    for node in all_nodes(solution):
        if node.depth and len(left(node.state)) > 1 and node.value is not None:
            judged[left(node.state)] = node.value
for state, v in judged.items():
    groups["can reach 24" if solvable(state) else "cannot"].append(v)

for name, values in groups.items():
    sure = stats.wilson(sum(v >= 20 for v in values), len(values))
    print(f"{name:13} n={len(values):3}  mean {fmean(values):5.1f}  some 'sure': {sure}")
wins = [(a > b) + (a == b) / 2 for a in groups["can reach 24"] for b in groups["cannot"]]
auc = fmean(wins)
print(f"a living state is valued above a dead one with probability {auc:.2f} (coin: 0.5)")

# %% [markdown]
# That last number is the area under the ROC curve. Note how little it takes: a beam of five forgives an evaluator that is
# often wrong, as long as it is right more often than a coin.
#
# ## The paper's prompt
#
# Now the price of book-keeping. The one-shot prompt of the paper makes the model write the numbers that are left. We ask
# it for the first step of ten of these puzzles and check the same way.

# %%
ten = [tot.State(p.x) for p in game.problems("starter")[0::4]]
for style in ("one-shot", "lean"):
    replies = lm([game.propose(state, style) for state in ten])
    reads = [x for s, r in zip(ten, replies, strict=True) for x in game.read_proposals(s, r.texts[0])]
    ok = sum(read.ok for read in reads)
    print(f"{style:9} {ok:3} of {len(reads):3} lines legal {stats.wilson(ok, len(reads))}")
    for reason, n in Counter(read.why for read in reads if read.why).most_common():
        print(f"            {n:3} x {reason}")

# %% [markdown]
# Strictly, the lines of one reply are not independent, so that interval is a little too narrow. The difference is plain
# without it. Most of the refused lines of the one-shot prompt have a *right* equation and a *wrong* list of what is left.
# The model can do one thing per line. Taking work away from a weak model, where a program does it for certain, is often
# worth more than a cleverer search.
#
# ## Summary
#
# - A thought is one equation; a generator proposes several, an evaluator says how promising each state is, breadth-first
#   search keeps the best `b`.
# - Algorithm 1 is a dozen lines. What makes it fast is asking everything in few rounds; what makes it honest is exact
#   checking of every line, and gold that stays outside.
# - Breadth buys insurance against a bad first step and against a bad evaluator. Its price is tokens.
# - Rates come with n and an interval. Few puzzles can show where a weak model breaks; they cannot rank close methods.
# - Look for the cause of failures before turning the breadth knob: no living step proposed, or thrown away?
#
# The paper's table, for comparison: GPT-4 in 2023, another hundred puzzles, with book-keeping by the model: IO 7.3%,
# CoT 4.0%, ToT b=1 45%, b=5 74%. Ours is a far smaller model on easier puzzles with more help from the program, so the
# rates cannot be compared. The *shape* can: does the tree beat the chain, and what does it cost?
#
# ## Exercises
#
# ### Exercise 1: what if the evaluator were perfect?
#
# Replace `value` by the solver (60 if 24 is in reach, 0 if not) and look at the **first** step only: on how many puzzles
# does the best of the proposed steps keep 24 in reach, under the model's evaluator and under the perfect one? This uses
# gold, so it is an analysis, not a method.
#
# <details><summary>Hint</summary>
#
# `propose(tot.State(x))` gives the children. `max(children, key=...)` picks one. No new model call is needed.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
picked = {"model's evaluator": 0, "perfect evaluator": 0}
for problem in puzzles:
    options = propose(tot.State(problem.x))
    if options:
        picked["model's evaluator"] += solvable(left(max(options, key=value)))
        picked["perfect evaluator"] += any(solvable(left(state)) for state in options)
for name, count in picked.items():
    print(f"{name}: the first step is alive on {count} of {len(puzzles)} puzzles")

# %% [markdown]
# ### Exercise 2: equal states, twice in the beam
#
# Two paths can lead to the same numbers: `4 + 9` then `10 - 6`, or the other way round. Both then take a place in the
# beam. Count how often the final beams of `tree_runs[5]` after step 2 hold such twins. Would you merge them?
#
# <details><summary>Hint</summary>
#
# `kept(solution, 2)` has the ids of the beam after step 2, `left(node.state)` the numbers of a node.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
twins = 0
for solution in tree_runs[5]:
    beam = [left(n.state) for n in all_nodes(solution) if n.id in kept(solution, 2)]
    twins += len(beam) - len(dict.fromkeys(beam))
print(f"{twins} places in {len(tree_runs[5])} beams are taken by a state that is there already")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Merging twins gives their places to other states, at no cost: a state's future depends on the numbers only. The price
# is that the tree becomes a graph, and "the path to a state" is no longer unique. The paper does not merge.
#
# </details>
#
# ### Exercise 3: stop early
#
# With a budget of `tot.Budget(calls=10)`, how far does each search get? Print the number of rounds and why it stopped.
# Then argue why the events of the short run are exactly the first events of the long one, and check it.
#
# <details><summary>Hint</summary>
#
# `tot.solve(..., budget=tot.Budget(calls=10))`; compare `trace.events` with a slice of the full run's.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
for problem, full in zip(puzzles, tree_runs[5], strict=True):
    short = search(problem, breadth=5, budget=tot.Budget(calls=10))
    assert short.trace.events == full.trace.events[: len(short.trace.events)]
    rounds, why = short.result.ledger.rounds, short.result.stopped
    print(f"{problem.x:12} {rounds} rounds, stopped: {why}")

# %% [markdown]
# ### Exercise 4: equal cost
#
# ToT with b = 5 generated many more tokens than ten IO samples. Suppose IO samples are independent with the success
# rate that we measured for each puzzle. How many IO samples could you buy for ToT's tokens, and what would "any of them"
# reach, if somebody could pick the right one for free? What does that say about a task with a free verifier?
#
# <details><summary>Hint</summary>
#
# With rate r, at least one of k is right with probability 1 - (1 - r)^k. For a puzzle with no success in ten samples the
# estimate is 0, which is too pessimistic; say so.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
per_sample = cost(io_runs)["generated tokens"] / 10
k = int(cost(tree_runs[5])["generated tokens"] / per_sample)
each = [fmean(score.correct for score in s.scores) for s in io_runs]
print(f"{k} IO samples cost as many generated tokens as one search with b = 5")
print(f"any of {k} right: about {fmean(1 - (1 - r) ** k for r in each):.0%}, a guess from ten samples")
print(f"any of 10 right, measured: {wilson(io_runs, 'any')}")
print(f"ToT b = 5, chosen:         {wilson(tree_runs[5], 'chosen')}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The estimate stops where the measurement does: a puzzle that was never right in ten samples counts as 0, however large
# $k$ is. So ten samples cannot say what a hundred would reach. [Part two](06_tot_study_game24.ipynb) draws a hundred of
# another model, and there the best of them comes out ahead of the tree. Where checking an answer is free and exact,
# drawing many answers is a strong baseline, and any honest report of a tree search should show it at equal cost. Where
# checking is as hard as solving, "any of k" is not available to anybody.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`, section 3 (the framework), 4.1 (this game) and B.3 (cost).
# - {cite}`chen2021evaluating` for the unbiased estimate of "any of k".
# - The [paper-to-code index](../book/paper_to_code.md) says where each table and figure of the paper is reproduced here, and
#   the [errata](../book/errata.md) where the paper contradicts itself.
