# %% [markdown]
# # Tree of Thoughts, breadth first
#
# A chain of thought cannot take anything back. Here is our small model with the numbers 3, 4, 4 and 6.

# %% tags=["set-up"]
import random
import textwrap
from collections import Counter
from fractions import Fraction
from math import comb, fsum
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.show.style import LOOKS
from tot.tasks.game24 import left, steps_of
from tot.tasks.game24_rules import moves, solvable

setup()

# %%
game = tot.task("game24")
chains = tot.Cassette("cassettes/04.jsonl")
chain = tot.solve(game, "3 4 4 6", "cot", lm=chains)
show.chain(chain, {2: "where is the 6?"})

# %% [markdown]
# **Figure.** A chain of thought that loses a number. After `3 * 8 = 24` a 6 should still be left; the model drops it
# from its list, sees nothing wrong, and writes its answer down. One line earlier the game was still won:
# (6 - 3) * 8 = 24.
#
# If one line of a chain is a dead end, the rest is wasted, and the model that wrote it never looks up to see. A **tree
# of thoughts** {cite}`yao2023tree` does look up: it writes several possible next steps, asks how promising each one is,
# keeps the best few, and goes on from those.

# %%
lm = tot.Cassette("cassettes/06.jsonl")
solution = tot.solve(
    game, "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=5
)
show.explorer(solution)

# %% [markdown]
# **Figure.** The same model, the same puzzle, searched as a tree. Press *Play*; open a thought to see what was asked
# about it. Two states with the same numbers left need the same verdicts, so they are asked about once.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - say what a *thought*, a *generator* and an *evaluator* are in the Game of 24, and read each of their prompts;
# - write Algorithm 1 of the paper, breadth-first search over thoughts, in a dozen lines;
# - read a recorded search tree, and tell at which step and for what reason a search failed;
# - compare methods fairly: on the same puzzles, with intervals, and with their bills.
#
# Everything below replays what a small real model answered once. [Chapter 5](05_how_a_search_asks.ipynb) explained the
# parts that we use here.

# %%
puzzles = game.problems("starter")[0::4]
session = next(iter(lm.tape.sessions.values()))
print(f"{lm.name}, recorded {session['date']}")
print("puzzles:", ", ".join(p.x for p in puzzles[:5]) + ",")
print("        ", ", ".join(p.x for p in puzzles[5:]))

# %% [markdown]
# These ten are spread over the easier third of all 1,362 puzzles that can be solved.
#
# ## The problem: one early step decides
#
# Four numbers allow at most a few dozen different first steps. After some of them, 24 can no longer be reached, however
# clever the rest is. We call a state *alive* if 24 can still be reached from it. A solver can tell; the model cannot.
#
# ### Predict: how many first steps keep 24 in reach?
#
# Guess the share of living first steps, in per cent, in the mean over our ten puzzles.


# %%
def numbers(x):
    return tuple(sorted(Fraction(n) for n in x.split()))


rows = []
for problem in puzzles:
    steps = moves(numbers(problem.x))
    alive = sum(solvable(step.left) for step in steps)
    none = comb(len(steps) - alive, 5) / comb(len(steps), 5)
    rows.append({"puzzle": problem.x, "first steps": len(steps)})
    rows[-1] |= {"alive": alive, "share": f"{alive / len(steps):.0%}"}
    rows[-1]["some of 5 alive"] = f"{1 - none:.0%}"
share = fmean(r["alive"] / r["first steps"] for r in rows)
show.Predict(
    "What share of the first steps is alive?",
    round(100 * share),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows),
)

# %% [markdown]
# The last column explains why breadth helps. A single first step, drawn blindly, is often dead. Among five *different*
# first steps, drawn blindly, at least one is alive more than eight times in ten, on every puzzle. Then somebody has to
# say *which*.
#
# ## Thought, generator, evaluator
#
# The paper asks four questions of every task. For the Game of 24 it answers:
#
# 1. **Thought**: one equation on two of the numbers, such as `13 - 9 = 4`. Three thoughts, then the answer.
# 2. **Generator**: a *propose prompt*. One request lists several next steps in one context, so that they differ.
# 3. **Evaluator**: a *value prompt*. Can the numbers that are left still make 24: `sure`, `likely`, `impossible`?
# 4. **Search**: breadth first. Keep the `b` best states of each step.
#
# Here is the propose prompt, as a conversation: an instruction, three examples, and the question.


# %%
def conversation(request):
    for message in request.messages:
        lines = message.content.splitlines()
        said = "\n".join(textwrap.fill(text, 58) for text in lines)
        said = said.replace("\n", "\n          | ")
        print(f"{message.role:>9} | {said}")


root = tot.State("3 4 4 6")
request = game.propose(root, "lean")
conversation(request)

# %% [markdown]
# > **In the paper.** The paper's prompt also makes the model write down the numbers that are left, as in
# > `13 - 9 = 4 (left: 4 4 10)`. Our small model is bad at that book-keeping (we measure how bad below), so this chapter
# > uses a *lean* variant: the model proposes the equation, the program keeps the books. After an equation there is only
# > one right answer to "what is left", but it is help that GPT-4 did not get.
#
# What does the model answer? Model output is text from a stranger, so each line is checked exactly: are both operands
# there, is the arithmetic right? A line that fails is not repaired. It is refused, counted, and the reason is kept.

# %%
[reply] = lm([request])
for read in game.read_proposals(root, reply.texts[0]):
    print(f"{'legal' if read.ok else read.why:22} {read.text}")

# %% [markdown]
# Now the evaluator. It sees six worked examples and the numbers that are left: not the puzzle, not the path.

# %%
reads = game.read_proposals(root, reply.texts[0])
children = [root.then(read.value) for read in reads if read.ok]
child = children[2]
conversation(game.value(child))

# %% [markdown]
# The last of the three words in its reply counts. We ask three times and add up: *sure* is worth 20, *likely* 1,
# *impossible* 0.001. (The paper's text gives no numbers; these are from its authors' code.)

# %%
[verdicts] = lm([game.value(child).samples(first=0, n=3)])
for text in verdicts.texts:
    print(f"{game.read_value(text).value!s:>6}   {text}")

# %% [markdown]
# Read those verdicts critically. The sums are right, and all three miss the point: 2 * 3 * 4 is 24, and nobody tried
# it. A value "only needs to be approximately helpful", the paper says. How helpful this judge is, we shall measure.
#
# Mind one more thing in the prompt. Its first example is `10 14`, as in the prompt of the paper's authors, and four of our ten puzzles
# are solved through just these two numbers. On those the judge was told.

# %%
through = {"10 14": 0, "any other": 0}
for problem in game.problems("starter")[0::4]:
    run = tot.solve(
        game, problem, "tot-bfs", lm=lm, style="lean", breadth=5
    )
    way = [left(node.state) for node in run.result.best[0].path]
    if run.correct:
        through["10 14" if (10, 14) in way else "any other"] += 1
print("solved searches, by the numbers before 24:", through)

# %% [markdown]
# ## Algorithm 1 from scratch
#
# Breadth-first search needs one idea: a *frontier* of at most `b` states. Each round replaces it by the best of its
# children. Here it is with plain function calls, without any of the package's machinery:


# %%
def propose(state):
    [reply] = lm([game.propose(state, "lean")])
    reads = game.read_proposals(state, reply.texts[0])
    thoughts = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in thoughts]


def value(state):
    if len(left(state)) == 1:  # 24 or not: no model needed
        return 3 * (20 if left(state)[0] == 24 else 0.001)
    [reply] = lm([game.value(state).samples(first=0, n=3)])
    return fsum(
        game.read_value(text).value or 0 for text in reply.texts
    )


# %%
def my_bfs(x, breadth, steps=3):
    frontier = [tot.State(x)]  # S_0 = {x}
    for _ in range(steps):
        candidates = [child for s in frontier for child in propose(s)]
        candidates.sort(key=value, reverse=True)  # S'_t, best first
        frontier = candidates[:breadth]  # S_t
    return frontier


for state in my_bfs("3 4 4 6", breadth=5):
    steps = [thought.text.split(" (")[0] for thought in state.thoughts]
    print(f"{value(state):7.3f}  ", " ; ".join(steps))

# %% [markdown]
# Every line is a state with three thoughts. The value 60 says that the last number is 24; 0.003, that it is not. Many
# states get the same verdicts in one order or another. `fsum` rounds once, at the end, so their sums are equal, too,
# and of equals the one that was written first goes first.


# %% tags=["checked"]
def search(problem, **knobs):
    how = {"lm": lm, "style": "lean", **knobs}
    return tot.solve(game, problem, "tot-bfs", **how)


for problem in puzzles:
    mine = [steps_of(state) for state in my_bfs(problem.x, breadth=5)]
    best = search(problem, breadth=5).result.best
    assert mine == [steps_of(node.state) for node in best], problem.x
print("the same beams, in the same order, on all ten puzzles")

# %% [markdown]
# The package's search is the same algorithm. It differs in *how it asks*: it never calls a model but yields its
# questions, so that everything that does not depend on each other is asked at once.
#
# ### Predict: how many questions at once?
#
# Every level of the tree needs model calls: propose for all states of the frontier, then value for all their children.
# A **round** is a set of requests that wait only for earlier rounds; the line above the tree counts five. How many
# requests has the largest of them?

# %%
asked = [e for e in solution.trace.events if e["kind"] == "asked"]
sizes = [len(event["requests"]) for event in asked]
show.Predict(
    "How many requests are in the largest round?",
    max(sizes),
    low=1,
    high=40,
    shows=show.table(
        {"round": e["round"], "role": e["role"], "requests": n}
        for e, n in zip(asked, sizes, strict=True)
    ),
)

# %% [markdown]
# With a server that answers many requests at once, the whole search takes as long as these few rounds. Asked one by
# one, it takes as long as all the requests together. That is the difference between seconds and minutes, with the same
# answer.
#
# > **In the paper.** There is no round after the last proposals here: a single number is 24 or it is not, and a program
# > writes the answer down from the three steps. The paper asks the model for the answer, and then for a verdict on it:
# > two more rounds. The last row of the table below has that variant.
#
# ## The experiment
#
# Same puzzles, same model, three families: **IO** and **CoT** from [chapter 3](03_io_and_verifiers.ipynb) and
# [chapter 4](04_chain_of_thought.ipynb), several samples each, and **ToT-BFS**. The tree's answer is the one that it
# chose without gold. Where somebody who knows picks the best of several answers, the row says *gold picks*.

# %%
widths = (1, 2, 3, 4, 5)
trees = {b: [search(p, breadth=b) for p in puzzles] for b in widths}
told = [search(p, breadth=5, compose=False) for p in puzzles]
io_lm = tot.Cassette("cassettes/03.jsonl")
io = [tot.solve(game, p, "io", lm=io_lm, k=10) for p in puzzles]
cot = [tot.solve(game, p, "cot", lm=chains, k=5) for p in puzzles]


# %% tags=["set-up"]
# success of single samples, of one answer a puzzle, and cost
def spread(groups):  # puzzles are the clusters, see chapter 3
    if not any(map(any, groups)):  # a bootstrap of zeros has no width
        return stats.wilson(0, len(groups))
    return stats.bootstrap(groups)


def mean_rate(solutions):
    return spread(
        [[float(x.correct) for x in s.scores] for s in solutions]
    )


def wilson(solutions, score):
    hits = sum(getattr(s, score) for s in solutions)
    return stats.wilson(hits, len(solutions))


def cost(solutions, samples=1):
    bills = [s.result.ledger for s in solutions]
    written = [b.total.completion_tokens for b in bills]
    return {
        "generated tokens": fmean(written) / samples,
        "states visited": fmean(b.nodes for b in bills) / samples,
        "rounds": fmean(b.rounds for b in bills),
    }


# %% [markdown]
# ### Predict: which of them wins, and is it worth its price?
#
# Which solves more of the ten puzzles: the tree with five states, or ten direct answers, of which a checker picks a
# right one if there is any? And how many times as many tokens does the tree write?


# %% tags=["predict"]
def row(name, solved, runs, samples=1):
    return {"method": name, "solved": solved, **cost(runs, samples)}


show.table(
    [
        row("IO, one sample", mean_rate(io), io, 10),
        row("CoT, one sample", mean_rate(cot), cot, 5),
        row("IO, any of 10 (checked)", wilson(io, "any"), io),
        row("ToT b=1", wilson(trees[1], "chosen"), trees[1]),
        row("ToT b=5", wilson(trees[5], "chosen"), trees[5]),
        row("ToT b=5, model answers", wilson(told, "chosen"), told),
    ],
    highlight=lambda row: row["method"] == "ToT b=5",
)

# %% [markdown]
# **Table.** Ten puzzles, cost per puzzle. The tree with five states is far ahead of a single answer, at many times its
# tokens.

# %% tags=["predict"]
gain = stats.paired([s.chosen for s in trees[5]], [s.any for s in io])
written = [cost(runs)["generated tokens"] for runs in (trees[5], io)]
print("ToT b=5 against the best of ten IO samples:")
print(textwrap.fill(str(gain), 68))
print(f"ToT wrote {written[0] / written[1]:.0f} times as many tokens")

# %% [markdown]
# The row "any of 10" needs somebody who picks. For this game that is no great thing: whether an answer makes 24, a
# program can check. Our tree leans on the same program, when it values a last number as 24 or not. The last row takes
# that help away: there the model writes the answer and judges it, and the tree solves four puzzles instead of eight.
#
# Look at the width of the intervals before you look at the rates. A table of this size can tell "almost never" from
# "half of the time", and not much more. And where the interval of a difference leaves out zero while the exact test
# says otherwise, believe the test: of ten puzzles a bootstrap is too narrow. (Of the
# fifty chains none was right, and a bootstrap of zeros has no width at all: CoT has Wilson's interval for ten puzzles.)

# %% tags=["plot"] mystnb={"image": {"alt": "Success against generated tokens per puzzle, on a logarithmic axis. Two curves for the best of k samples of IO and CoT stay low on the left; five points for Tree of Thoughts with breadth 1 to 5 lie further right and higher, with wide intervals."}}
points = []
for b, runs in trees.items():
    label = f"b={b}" if b in (1, 3, 5) else None
    point = {"method": "ToT-BFS, chosen", "label": label}
    points.append(point | {"rate": wilson(runs, "chosen")} | cost(runs))
for name, runs, ks in (("IO", io, (1, 5, 10)), ("CoT", cot, (1, 5))):
    n = len(runs[0].scores)
    each = cost(runs, n)["generated tokens"]
    for k in ks:
        right = [sum(x.correct for x in s.scores) for s in runs]
        any_of = [[stats.pass_at_k(n, c, k)] for c in right]
        point = {"method": f"{name}, best of k", "label": f"k={k}"}
        point |= {"rate": spread(any_of)}
        points.append(point | {"generated tokens": k * each})
show.plots.success_by_cost(
    points,
    x="generated tokens",
    xlabel="generated tokens per puzzle",
    log=True,
)

# %% [markdown]
# **Figure.** Success against what a method wrote. No point of IO or CoT comes near the tree's, but they also stop at a
# tenth of its tokens: exercise 4 asks what more samples would reach. The points of the tree share many of their samples,
# so they are not independent of each other.
#
# > **In the paper.** Figure 3 (a) there has states visited on its axis, one for a whole answer and one for a single
# > thought. Tokens are the fairer coin.
#
# ### Predict: how much of this is the model, and how much the scaffold?
#
# Our program checks every step, keeps the books, decides single numbers and writes the answer. That is help. How far
# would the same search come with a player who knows *nothing*: five random legal steps, a random verdict? This is a
# **simulation**: no language model is asked. How many of a hundred puzzles would it solve with b = 5?


# %%
def blind(request, index):
    text = request.messages[-1].content
    rng = random.Random(f"{text} {index}")
    if request.max_tokens == 90:  # the propose prompt
        steps = moves(numbers(text.removeprefix("Numbers: ")))
        return "\n".join(
            map(str, rng.sample(steps, min(5, len(steps))))
        )
    return rng.choice(["sure", "likely", "impossible"])


def blind_rate(breadth, trials=8):
    how = {"lm": tot.Scripted(blind), "breadth": breadth}
    hits = [
        [
            float(search(p, first=10 * i, **how).chosen)
            for i in range(trials)
        ]
        for p in puzzles
    ]
    return stats.bootstrap(hits)


# %%
rows = [
    {"b": b, "blind player (simulation)": blind_rate(b)}
    | {"our model": wilson(trees[b], "chosen")}
    for b in (1, 5)
]
show.Predict(
    "How many of a hundred does a blind player solve with b = 5?",
    round(100 * rows[1]["blind player (simulation)"].rate),
    low=0,
    high=100,
    shows=show.table(rows),
)

# %% [markdown]
# A blind player in a good scaffold already beats one direct answer of the model, and does as well as the best of ten. So part of the gain over IO is
# *structure*: exact steps, and a beam that ends with many last steps tried. The rest is what the model adds. Whether
# its proposals or its verdicts add it, ten puzzles cannot say; [part two](06_tot_study_game24.ipynb) takes the two
# apart on a hundred. Whenever you read that a tree search lifted a model from nearly nothing to a lot, ask for this
# control.
#
# ## Where does it fail?
#
# At each step a search can fail in two ways. Either no living step was **proposed**; or one was proposed, and the
# evaluator **threw it away**. A solver can tell them apart. (It looks at finished runs only, and never helped the
# search.)


# %% tags=["set-up"]
def all_nodes(solution):
    todo = [list(solution.result.best[0].path)[-1]]  # the root
    for node in todo:
        todo += node.children
    return todo


def kept(solution, step):
    """Ids of the beam after a step."""
    best = [e for e in solution.trace.events if e["kind"] == "best"]
    ids = best[step - 1]["nodes"] if step <= len(best) else ()
    return {node["id"] for node in ids}


# %%
def diagnose(solution):
    """(step, reason) of a failed search; None if it succeeded."""
    frontier = {"0"}
    for step in (1, 2, 3):
        grown = [n for n in all_nodes(solution) if n.depth == step]
        grown = [n for n in grown if n.parent.id in frontier]
        living = [n for n in grown if solvable(left(n.state))]
        if not living:
            return step, "no living step proposed"
        frontier = kept(solution, step)
        if not any(n.id in frontier for n in living):
            return step, "living step not kept"
    return None


# %% tags=["plot"] mystnb={"image": {"alt": "Stacked bars for breadth 1, 3 and 5, ten searches each. Solved: 4, 7 and 8. With breadth 1, five searches threw a living first step away, with breadth 3 two, with breadth 5 none; with breadth 5 one at the second step; in one search of each breadth no living step was proposed."}}
fails = []
for b in (1, 3, 5):
    for run in trees[b]:
        step, why = diagnose(run) or (0, "solved")
        if why == "living step not kept":
            why = f"thrown away at step {step}"
        fails.append({"method": f"ToT b={b}", "step": why, "count": 1})
order = ["thrown away at step 1", "thrown away at step 2"]
order += ["no living step proposed", "solved"]
show.plots.failures(fails, order=order, xlabel="share of searches")

# %% [markdown]
# **Figure.** Why searches fail. With one state, five of the six failures are the evaluator's: a living first step was written,
# and thrown away. With five states that does not happen at the first step any more, because hardly anything is thrown
# away there.
#
# ### Predict: how good is the judge's first choice?
#
# Take the first step of each puzzle, where it matters most. The model proposed three to seven steps, and the judge put
# them in an order. On how many of the ten puzzles is its favourite alive? (Of equals the first counts.)

# %%
first = {}
for problem in puzzles:
    ranked = sorted(
        propose(tot.State(problem.x)), key=value, reverse=True
    )
    first[problem.x] = [solvable(left(state)) for state in ranked]
chance = fsum(fmean(alive) for alive in first.values())
show.Predict(
    "On how many of the ten puzzles is the judge's favourite alive?",
    sum(alive[0] for alive in first.values()),
    low=0,
    high=10,
    shows=f"A blind pick among the same steps: {chance:.1f} of 10.",
)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "One row for each of the ten puzzles, with its proposed first steps from the judge's favourite on the left to the least valued. Rings are alive, crosses dead. In the first column five of ten are alive; every row has at least one ring among its first five, but 2 6 8 8 has it in fifth place."}}
ring, cross = LOOKS["correct"].line[0], LOOKS["wrong"].line[0]
figure, ax = plt.subplots(figsize=(6.4, 3.6))
for y, alive in enumerate(first.values()):
    for x, living in enumerate(alive, 1):
        look = {"marker": "o", "color": ring, "mfc": "none"}
        look = look if living else {"marker": "x", "color": cross}
        ax.plot(x, -y, ms=9, mew=2.2, ls="none", **look)
ax.axvline(5.5, color="#8b949e", lw=1, ls="--")
ax.set_yticks([-y for y in range(len(first))], first)
ax.set(xlim=(0.5, 7.5), xlabel="place in the judge's order")
ax.grid(visible=False)
plt.show()

# %% [markdown]
# **Figure.** What breadth insures against. Each row is a puzzle, each mark a proposed first step: rings are alive,
# crosses dead. A search with b = 1 lives or dies with the first column; one with b = 5 keeps all to the left of the
# dashed line.
#
# For the first step this judge is no better than a blind pick, as far as ten puzzles can tell. What carries the search is
# that five are kept, and that the generator seldom writes more. How about all the other steps? First the generator: of
# the lines that it wrote below *living* states, how many are legal, and how many of those are alive? Then the evaluator:
# how often does it value a living state above a dead one?


# %% tags=["set-up"]
def proposals(solutions):
    """(numbers, Read) of each line below a living state, once."""
    seen = {}
    for node in (n for s in solutions for n in all_nodes(s)):
        if len(left(node.state)) > 1 and node.children:
            seen[left(node.state)] = node.state
    for state in seen.values():
        [reply] = lm([game.propose(state, "lean")])
        for read in game.read_proposals(state, reply.texts[0]):
            if solvable(left(state)):
                yield left(state), read


def judgements(solutions):
    """Numbers left -> value, of every state that a model judged."""
    nodes = [n for s in solutions for n in all_nodes(s)]
    return {
        left(n.state): n.value
        for n in nodes
        if n.depth and len(left(n.state)) > 1 and n.value is not None
    }


def auc(values):
    """How often a living state is valued above a dead one."""
    alive = [v for state, v in values if solvable(state)]
    dead = [v for state, v in values if not solvable(state)]
    wins = [(a > b) + (a == b) / 2 for a in alive for b in dead]
    return fmean(wins) if wins else 0.5


# %%
rows = []
for size in (4, 3, 2):
    reads = [
        r for there, r in proposals(trees[5]) if len(there) == size
    ]
    legal = [read for read in reads if read.ok]
    alive = sum(solvable(read.value.data.left) for read in legal)
    rows.append({"numbers there": size, "lines": len(reads)})
    rows[-1]["legal"] = stats.wilson(len(legal), len(reads))
    rows[-1]["alive, of the legal"] = stats.wilson(alive, len(legal))
show.table(rows)

# %% [markdown]
# **Table.** What the generator wrote below living states. (Strictly, the lines of one reply are not independent, so
# these intervals are a little too narrow.)

# %%
runs = [run for each in trees.values() for run in each]
judged = list(judgements(runs).items())
rng, rows = random.Random(0), []
for size in (3, 2):
    part = [pair for pair in judged if len(pair[0]) == size]
    again = [rng.choices(part, k=len(part)) for _ in range(1000)]
    draws = sorted(map(auc, again))
    rate = stats.Interval(auc(part), draws[25], draws[974], len(part))
    rows.append({"numbers left": size, "states": len(part)})
    rows[-1]["living above dead"] = rate
show.table(rows)

# %% [markdown]
# **Table.** How often the judge values a living state above a dead one; a coin would say 50 %. This is the area under the
# ROC curve, with an interval by resampling the states.
#
# With three numbers left we cannot tell the judge from a coin; with two it is better. So at the first step, where
# five of the six failed searches with b = 1 die, the judge is the weak part, and breadth is the insurance against it.
#
# > **In the paper.** The authors swapped GPT-4 and GPT-3.5 in the two roles, and found that generation was the
# > bottleneck. So does [part two](06_tot_study_game24.ipynb), on another small model with a good judge. The weak part is
# > a property of the model, not of the method: look before you turn a knob.
#
# ## The paper's prompt
#
# The one-shot prompt of the paper makes the model write the numbers that are left. We ask it for the first step of our
# puzzles and check the same way.
#
# ### Predict: what is the price of book-keeping?
#
# With the lean prompt nearly all lines were legal. How many of a hundred lines are legal with the paper's prompt?

# %%
roots, share, why = [tot.State(p.x) for p in puzzles], {}, Counter()
for style in ("lean", "one-shot"):
    replies = lm([game.propose(state, style) for state in roots])
    texts = [reply.texts[0] for reply in replies]
    pairs = zip(roots, texts, strict=True)
    reads = [r for s, t in pairs for r in game.read_proposals(s, t)]
    why = Counter(read.why for read in reads if not read.ok)
    share[style] = stats.wilson(len(reads) - why.total(), len(reads))

# %%
reasons = [{"why": w, "lines": n} for w, n in why.most_common()]
show.Predict(
    "How many of a hundred lines are legal with the paper's prompt?",
    round(100 * share["one-shot"].rate),
    low=0,
    high=100,
    shows=show.table(
        [
            {"prompt": name, "lines": rate.n, "legal": rate}
            for name, rate in share.items()
        ]
        + [
            {"prompt": f"refused: {r['why']}", "lines": r["lines"]}
            for r in reasons
        ]
    ),
)

# %%
n, wrong = share["one-shot"].n, why["wrong numbers left"]
legal = n - why.total() + wrong
print(
    f"with the lists put right: {stats.wilson(legal, n)} of {n} legal"
)

# %% [markdown]
# Most of the refused lines have a *right* equation and a *wrong* list of what is left. Were the lists put right, three
# lines of four would be legal. The rest of the difference is not book-keeping: the two prompts differ in their examples,
# too, one against three. Work that a program does for certain is better taken off a weak model.
#
# > **Where it breaks.** A tree needs steps that can be judged before the end. Where no half-finished answer says
# > anything about its own hope, the values are noise, and a beam is only an expensive way to sample.
# > [Chapter 16](16_when_search_pays.ipynb) measures how good a judge must be.
#
# ## Summary
#
# - A thought is one equation; a generator proposes several, an evaluator says how promising each state is, breadth-first
#   search keeps the best `b`.
# - Algorithm 1 is a dozen lines. What makes it fast is asking everything in few rounds; what makes it honest is exact
#   checking of every line, and gold that stays outside.
# - Breadth buys insurance against a bad first step and against a bad evaluator. Its price is tokens.
# - Rates come with n and an interval. Ten puzzles can show where a weak model breaks; they cannot rank close methods.
# - Look for the cause of failures before turning the breadth knob: no living step proposed, or thrown away?
#
# > **In the paper.** GPT-4 in 2023, another hundred puzzles, with book-keeping by the model: IO 7.3%, CoT 4.0%, ToT b=1
# > 45%, b=5 74%. Ours is a far smaller model on easier puzzles with more help from the program, so the rates cannot be
# > compared. The *shape* can: the tree beats the chain, and it costs many times as much.
#
# ## Exercises
#
# ### Exercise 1: what if the evaluator were perfect?
#
# Look at the **second** step. From the five kept states the model proposes many more. On how many puzzles is the state
# with the highest value alive? And on how many would a perfect evaluator (the solver) find a living one among the same
# candidates? This uses gold, so it is an analysis, not a method.
#
# <details><summary>Hint</summary>
#
# `my_bfs(x, 5, steps=1)` is the frontier, `propose(state)` gives children, `max(children, key=value)` picks one. No new
# model call is needed.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
alive = {"model's evaluator": 0, "perfect evaluator": 0}
for problem in puzzles:
    frontier = my_bfs(problem.x, 5, steps=1)
    options = [child for state in frontier for child in propose(state)]
    second = max(options, key=value)
    alive["model's evaluator"] += solvable(left(second))
    living = any(solvable(left(state)) for state in options)
    alive["perfect evaluator"] += living
for name, count in alive.items():
    print(f"{name}: {count} of {len(puzzles)} second steps are alive")

# %% [markdown]
# ### Exercise 2: equal states, twice in the beam
#
# Two paths can lead to the same numbers: `4 + 9` then `10 - 6`, or the other way round. Both then take a place in the
# beam. Count how often the final beams of `trees[5]` after step 2 hold such twins. Would you merge them?
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
for run in trees[5]:
    ids = kept(run, 2)
    beam = [left(n.state) for n in all_nodes(run) if n.id in ids]
    twins += len(beam) - len(dict.fromkeys(beam))
print(f"{twins} places in {len(trees[5])} beams are taken by a twin")

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
for problem, full in zip(puzzles, trees[5], strict=True):
    short = search(problem, breadth=5, budget=tot.Budget(calls=10))
    assert (
        short.trace.events
        == full.trace.events[: len(short.trace.events)]
    )
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
per_sample = cost(io)["generated tokens"] / 10
k = int(cost(trees[5])["generated tokens"] / per_sample)
each = [fmean(score.correct for score in s.scores) for s in io]
bought = fmean(1 - (1 - rate) ** k for rate in each)
print(f"{k} IO samples write as many tokens as one search, b = 5")
print(f"any of {k} right: about {bought:.0%}, a guess from ten samples")
print(f"any of 10 right, measured: {wilson(io, 'any')}")
print(f"ToT b = 5, chosen:         {wilson(trees[5], 'chosen')}")

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
