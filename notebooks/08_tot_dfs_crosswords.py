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
# # Depth first: Mini Crosswords
#
# You are solving a crossword with a pencil. Two words have gone in nicely, and now a third clue seems to have no answer
# left. Which word do you rub out? And is the clue really impossible, or have you just not thought of the right word? A
# beam never faces that question: it keeps a few states of each level and forgets the rest. For three short steps that
# is good enough. A crossword takes ten, and one wrong word near the start spoils every word that crosses it.
#
# **Depth-first search** works with pencil and rubber. It follows one idea to its end, notices when a clue can no longer
# be filled, and goes **back**. The paper {cite}`yao2023tree` calls it ToT-DFS, its Algorithm 2. In this chapter we
# build it, hand it to a small model, and watch what one wrong "impossible" does to it.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.pencil()

# %% [markdown]
# **Figure.** A dead end sends the search back. A wrong “impossible” cuts off a branch before anybody has looked into it.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - write depth-first search over thoughts in ten lines, and say what pruning and backtracking each do;
# - follow a crossword search board by board, and name the clue that ended each branch;
# - find out, with the solution in hand *after* the run, whether the proposer or the evaluator is to blame;
# - say which state such a search should output, and what one of its steps costs.
#
# The crosswords are searched with the recorded answers of a **real** small model; only the toy and the first board ask
# nobody. What pruning would be worth to better parts is the subject of [part two](08_tot_study_crosswords.ipynb), which
# is a **simulation**. No number of one stands in a table of the other.

# %% tags=["set-up"]
import re
from collections import Counter, defaultdict
from math import fsum, inf
from statistics import fmean

from IPython.display import display

import tot
from tot import stats
from tot.tasks.crosswords_board import SLOTS, fits, read_board, word_at
from treebook.studies.crosswords_simulated import SimulatedSolver
from treebook.studies.results import Compared

task = tot.task("crosswords")
puzzles = task.problems("easy")
lm = tot.Cassette("cassettes/08.jsonl")

# %% [markdown]
# ## Ten clues, one board
#
# Five rows, five columns and a clue for each. Every letter belongs to two words, so each word can be checked against
# the five that cross it. The puzzles were written for this book. No model filled in this board; a program that knows
# the solution did, word by word, so that you see a whole one.

# %%
problem = puzzles[0]
print(problem.x)

# %%
key = SimulatedSolver(know=1, false_impossible=0)  # looks answers up
show.board_strip(tot.solve(task, problem, lm=key, steps=10))

# %% [markdown]
# **Figure.** Ten words in one board; every letter belongs to two of them. The letters that a word brought are blue.
#
# Success has three levels: the share of right **letters** (of 25), of right **words** (of 10), and the **game**, all or
# nothing. Some letters come free:

# %% tags=["set-up"]
# What two boards are worth
e = " ".join(["eeeee"] * 5)
letters = [task.verify(p, e).parts["letters"] for p in puzzles]
print(task.verify(problem, "ARENA PERIL _____ _____ _____").why)
print(f"a board full of e: {fmean(letters):.0%} of the letters")

# %% [markdown]
# The check of a crossword is **gold** ([chapter 3](03_io_and_verifiers.ipynb)): only somebody with the solution can say
# whether a board is right. So nobody may draw many boards and keep the right one. Where a column below does pick with the
# solution, it is called *gold picks*, an upper bound.
#
# ## Algorithm 2 from scratch
#
# First a toy: three rows of three letters, and a dictionary of six words. A thought is the next row. The generator `G`
# lists the words that are not used yet; the evaluator `V` asks whether every column can still become a word.

# %%
WORDS = ["age", "ago", "bad", "bag", "dot", "get"]


def rows(s):
    return [thought.text for thought in s.thoughts]


def G(s):
    for word in WORDS:
        if word not in rows(s):
            board = [*rows(s), word, "___", "___"][:3]
            answer, full = " ".join(board).upper(), "___" not in board
            yield tot.Thought(word, answer=answer, final=full)


def begins(letters):
    return any(word.startswith(letters) for word in WORDS)


def V(s):
    columns = map("".join, zip(*rows(s), strict=True))
    return float(all(map(begins, columns)))


# %% [markdown]
# And here is the algorithm. `visited` lists every state that was looked at, in order.


# %%
def my_dfs(s, t, G, V, T, v_th, visited, steps=inf):
    """DFS(s, t) of Algorithm 2."""
    if s.terminal or t > T or len(visited) >= steps:
        return
    for child in G(s):  # for s' in G(p, s, k), sorted
        if len(visited) >= steps:
            return
        visited.append(child)
        if V(child) > v_th:  # if V(p, {s'})(s') > v_th
            my_dfs(child, t + 1, G, V, T, v_th, visited, steps)


# %% [markdown]
# The last `if` is **pruning**: a child whose value is not above the threshold is looked at and never entered, and
# everything below it is saved. **Backtracking** has no line of its own. When the loop runs out of children the function
# returns, and the call above it goes on with *its* next child. (The paper's algorithm has
# [three small slips](../book/errata.md#e2-three-slips-in-algorithm-2); one is that it never says which state is returned.)
#
# On paper, going back means rubbing out. Here there is nothing to undo, because `s.then(thought)` makes a *new* state and
# leaves `s` as it was. See what happens where all branches write on one board:

# %%
board, seen = [], []
for word in ("bad", "bag"):
    board.append(word)  # write the word down
    seen.append(board)  # remember the board
    board.pop()  # go back: rub the word out
print(seen)

# %% [markdown]
# Both entries of `seen` are the same list, and it has been rubbed clean. Programmers call this *aliasing*: two names, one
# thing. States that never change are safe from it.
#
# ### Predict: how many states does pruning save?
#
# There are 6 first rows, 30 pairs and 120 triples: 156 states. How many does the search look at when it prunes?


# %%
def children(s):
    return [s.then(thought) for thought in G(s)]


def toy_search(v_th):
    visited = []
    my_dfs(tot.State("toy"), 1, children, V, 3, v_th, visited)
    return visited


def solved(s):
    return len(s.thoughts) == 3 and V(s) == 1


# %% tags=["set-up"]
# Both searches counted
visits = {"with": toy_search(0), "without": toy_search(-inf)}
table = []
for name, found in visits.items():
    first = next(i for i, s in enumerate(found, 1) if solved(s))
    row = {"pruning": name, "visited": len(found)}
    table.append(row | {"first solution at visit": first})
show.Predict(
    "How many states are visited?",
    len(visits["with"]),
    low=0,
    high=156,
    shows=show.table(table),
)

# %% tags=["set-up"]
# The same search by the package; it must visit the same states
parts = (
    tot.generator(None, None, local=lambda s: list(G(s))),
    tot.value(None, None, n=1, local=V),
)
root = tot.Node(tot.State("toy"))
toy = tot.run(tot.dfs(root, *parts, depth=3, threshold=0), {})
assert [node.state for node in toy.visited] == visits["with"]
full = enumerate(visits["with"], 1)
show.board_strip(
    toy.trace, notes={i: "solved" for i, s in full if solved(s)}
)

# %% [markdown]
# **Figure.** All visits of the search that prunes, in order. It goes down while every column can still become a word,
# and comes back up where none of the next rows is left to try.
#
# Look at the first visit. No word begins with E, the last letter of AGE, so one glance saves the 25 states below it. Then
# look at visits 9 and 10: three rows, then two. Between them the search has gone back.
#
# ### Predict: which state is the output?
#
# A search may run out of steps without a solution. Which board should it hand in? The paper says: the deepest one, and of
# several the first. Suppose that the toy stops after visit 6, and find that board in the figure. There are two candidates,
# because one thing is left open: does a state count that was looked at and then pruned?


# %% tags=["predict"]
def deepest(states):
    """The first state of maximal depth: max keeps the first."""
    return max(states, key=lambda s: len(s.thoughts))


six = visits["with"][:6]
print("pruned states count: ", deepest(six).answer)
print("only those entered:  ", deepest(s for s in six if V(s)).answer)

# %% [markdown]
# Algorithm 2 could not return a pruned state, since it never enters one. The log that its authors published lists every
# state that was *visited*, and a wrong "impossible" about the last word then costs nothing. Our method `tot-dfs` follows the log.
# Such an **output rule** is part of the search, and below it will decide a game.
#
# ## Mini Crosswords: the four answers
#
# 1. **Thought**: one word for one clue, `h2. peril`. At most ten of them. A filled letter never changes.
# 2. **Generator**: a propose prompt with all open clues and their letters. Five replies are drawn. Each lists words with a
#    **confidence** (certain 1, high 0.5, medium 0.2, low 0.1), and these are added up over the replies.
# 3. **Evaluator**: one question for each open clue of which two letters or more are known: *sure*, *maybe* or
#    *impossible*? A single "impossible" prunes the state.
# 4. **Search**: depth first, three words tried at a state, the first deepest state is the output.
#
# (The paper gives no numbers for confidences, candidates or letters: these are from its authors' code. It allows 100 visited
# states; we had time for 20. [All prompts](../book/reference/prompts.rst), ours and the paper's, are in the reference.)
#
# What the model writes is text from a stranger. Each line is checked: is the clue open, has the word five letters, does
# it keep the letters that stand? What fails is dropped and counted. Added up over all five replies, the words that pass
# make a ranking. Here it is for the empty board:

# %% tags=["set-up"]
# The ranking of the words that were proposed for the empty board
start = tot.State(problem.x)
[reply] = lm([task.propose(start).samples(first=0, n=5)])
table = defaultdict(dict)
for i, text in enumerate(reply.texts, 1):
    for read in task.read_proposals(start, text):
        if read.value:
            table[read.value.text][f"reply {i}"] = read.value.prior
columns = [f"reply {i}" for i in range(1, 6)]
ranking = []
for word, given in table.items():
    cells = {column: given.get(column, "") for column in columns}
    total = round(fsum(given.values()), 9)
    ranking.append({"word": word, **cells, "sum": total})
ranking.sort(key=lambda row: row["sum"], reverse=True)
show.table(ranking, highlight=lambda row: row in ranking[:3])

# %% [markdown]
# **Table.** The three words with most confidence become children. Ties go to the word that was written first.
#
# The same `my_dfs` now gets these two parts. The package's search must visit the same states, on two puzzles.


# %% tags=["checked"]
def propose(s, k=3):
    """The k words with most confidence, added up over five replies."""
    if (ready := task.compose(s)) is not None:  # a full board
        return [s.then(thought) for thought in ready]
    [reply] = lm([task.propose(s).samples(first=0, n=5)])
    given, thought_of = defaultdict(list), {}
    for text in reply.texts:
        for read in task.read_proposals(s, text):
            if read.value:
                given[read.value.text].append(read.value.prior)
                thought_of.setdefault(read.value.text, read.value)
    total = {text: round(fsum(each), 9) for text, each in given.items()}
    best = sorted(total, key=total.get, reverse=True)[:k]
    return [s.then(thought_of[text]) for text in best]


def possible(s):
    """The least verdict: 1 sure, 0.5 maybe, 0 impossible."""
    replies = lm(task.value(s))  # to a request for each clue to judge
    reads = (task.read_value(reply.texts[0]) for reply in replies)
    return min((read.value for read in reads), default=1.0)


def search(p, **knobs):
    return tot.solve(task, p, "tot-dfs", lm=lm, steps=STEPS, **knobs)


STEPS = 20
trees = [search(p) for p in puzzles[:2]]
for tree, p in zip(trees, puzzles, strict=False):
    visited = []
    my_dfs(tot.State(p.x), 1, propose, possible, 10, 0, visited, STEPS)
    theirs = [rows(node.state) for node in tree.result.visited]
    assert [rows(s) for s in visited] == theirs
    print(f"{p.id}: the same {len(visited)} states, in the same order")

# %% [markdown]
# ## One search, board by board
#
# Each board is one visited state of the second puzzle: new letters are blue, and red is every clue that was called
# impossible.

# %%
show.board_strip(trees[1])

# %% [markdown]
# **Figure.** Eleven visits to one puzzle. Three first words are entered, and every second word is cut off.
#
# Look at the second board. START and THREE are both right. Then the evaluator was asked about the rows:

# %% tags=["set-up"]
# What the evaluator was asked at the second step
event = [e for e in trees[1].trace.events if e["kind"] == "asked"][2]
talk = []
for each in event["requests"]:
    asked = each["messages"][-1]["content"]
    clue, letters = asked.rsplit(": ", 1)
    row = {"clue": clue, "letters": letters.replace(" ", "")}
    talk.append(row | {"reply": each["samples"][0]["text"]})
show.table(talk, highlight=lambda row: "thunder" in row["reply"])

# %% [markdown]
# **Table.** "No word has th." The model thinks of one word that does not fit, and concludes that none does.
#
# The true words are THOSE, AROSE and TESTS, so three of the five verdicts are wrong. One would have been enough: the state
# is cut off, and with it every board that could be built on two right words. Four visits later the search finds this board the other way
# round, THREE and then START. The same questions keep their verdicts, and it is cut off again. After eleven visits nothing
# is left to propose. What the search hands in is this very board, a pruned state and the first of the deepest, with 10 right
# letters of 25.
#
# ## Who is to blame?
#
# The solutions are known, so *after* the run we may look. (The search never could.) The proposer comes first.
#
# ### Predict: how many of the proposed words are right?
#
# Some lines are refused by the reader, and of the rest some are wrong.


# %% tags=["set-up"]
# What was visited, what the solutions are, and what was asked
def states_of(solution):
    """Every state that was visited, and the root."""
    seen = solution.result.visited
    root = list(seen[0].path)[-1]
    return {node.id: node.state for node in [root, *seen]}


def gold(solution):
    """clue's name -> its word"""
    board = read_board(task.problem(solution.problem).gold)
    return {name: word_at(board, i) for i, name in enumerate(SLOTS)}


def replies_to(role, solutions):
    """(solution, node id, last message, reply) of all questions."""
    for solution in solutions:
        for event in solution.trace.events:
            if event["kind"] == "asked" and event["role"] == role:
                for each in event["requests"]:
                    asked = each["messages"][-1]["content"]
                    for sample in each["samples"]:
                        told = asked, sample["text"]
                        yield solution, each["about"], *told


# %% tags=["set-up"]
# What became of each proposed line
def fate(why):
    """Reasons without their details."""
    why = re.sub(r"does not fit .*", "does not fit the letters", why)
    return re.sub(r"^[hv]\d is", "its clue is", why)


fates, examples = Counter(), {}
for solution, at, _, text in replies_to("generator", trees):
    for read in task.read_proposals(states_of(solution)[at], text):
        what = fate(read.why)
        if read.value:
            name, word = read.value.text.split(". ")
            good = gold(solution)[name] == word
            what = "right" if good else "wrong, but it fits"
        fates[what] += 1
        examples.setdefault(what, read.text or repr(text))
lines = [{"proposed line": x, "n": n} for x, n in fates.most_common()]
for line in lines:
    line["example"] = examples[line["proposed line"]]
title = f"{lm.name}, {fates.total()} lines, {len(trees)} puzzles"
show.Predict(
    "How many of a hundred lines hold a right word?",
    round(100 * fates["right"] / fates.total()),
    low=0,
    high=100,
    shows=show.table(lines, caption=title),
)

# %% [markdown]
# More than half of the lines are not words of five letters: `stadium`, `telescope`, a word of the clue itself. A program
# refuses them, for nothing. Of the words that pass, about two in three are right. The **proposer** is better than it looks.
#
# Now the **evaluator**. For each question we know whether the true word agrees with the letters on the board. If it does,
# "impossible" was a mistake; if not, it was the right thing to say.

# %% tags=["set-up"]
# Verdicts, by whether the true word fits
judged = {"fits": Counter(), "does not fit": Counter()}
said = {0.0: "impossible", 0.5: "maybe", 1.0: "sure"}
for solution, _, asked, text in replies_to("evaluator", trees):
    name, letters = re.fullmatch(r"(..)\. .*: (.*)", asked).groups()
    true = fits(gold(solution)[name], letters.replace(" ", ""))
    word = said[task.read_value(text).value]
    judged["fits" if true else "does not fit"][word] += 1
table = []
for truth, words in judged.items():
    no = stats.wilson(words["impossible"], words.total())
    table.append({"the true word": truth, **words})
    table[-1]["said impossible"] = no
asked = {
    (s.problem, a) for s, _, a, _ in replies_to("evaluator", trees)
}
n_states = sum(len(tree.result.visited) for tree in trees)
title = f"{lm.name}, {len(trees)} puzzles, {n_states} states"
title += f", {len(asked)} different questions"
assert len(asked) == sum(words.total() for words in judged.values())
show.table(table, caption=title)

# %% tags=["set-up"]
# The difference of the two rates; its interval from those above
a, b = (row["said impossible"] for row in table)
gap = a.rate - b.rate
low = gap - ((a.rate - a.low) ** 2 + (b.high - b.rate) ** 2) ** 0.5
high = gap + ((a.high - a.rate) ** 2 + (b.rate - b.low) ** 2) ** 0.5
points = f"{100 * gap:+.0f} [{100 * low:+.0f}, {100 * high:+.0f}]"
print(f"fits minus does not fit: {points} points of 'impossible'")

# %% [markdown]
# A good judge would say "impossible" more often in the second row. This one said it a little *less* often there, and the
# interval of the difference reaches far to both sides of zero. (It is still too narrow: the eighty questions are all
# different, but many are about the same clue.) Whether this judge knows anything, the questions cannot
# tell. What it costs can be told. Of the 21 states that it cut off, twelve had no wrong letter on the board (exercise 3).
#
# Proposer and evaluator stumble over the same thing. Here *letters* carry the state, `_ h _ _ e`, and a model reads
# **tokens**: a row of single letters looks to it like no word that it has read. GPT-4 coped with that, our small model does
# not. A thought has to be something that *your* model can write and judge.
#
# ## Take one part away
#
# One puzzle proves nothing about rates, but it can show a mechanism. **No pruning**: nothing is judged and every state is
# entered. **No backtracking**: the best candidate is taken again and again, and it may *overwrite* letters, since there is no
# way back.
#
# ### Predict: what does the first puzzle need?
#
# Which of the three searches hands in the most right letters of 25? And which of them visited a better board than it handed in?

# %% tags=["set-up", "predict"]
# Three searches of the first puzzle
knobs = {"ToT-DFS": {}, "no pruning": {"prune": False}}
knobs |= {"no backtracking": {"backtrack": False}}
ablated = {name: search(problem, **knobs[name]) for name in knobs}


def right_letters(score):
    return round(25 * score.parts["letters"])


lines = []
for name, run in ablated.items():
    line = {"search": name, "output": run.answer}
    line |= {"right": right_letters(run.score)}
    lines.append(line | {"gold picks": right_letters(run.oracle)})
title = f"{lm.name}: one puzzle, {STEPS} steps, letters of 25"
show.table(lines, caption=title)

# %% [markdown]
# Six of the visits without pruning:

# %% tags=["set-up"]
# Boards of the search without pruning
unpruned = ablated["no pruning"].result.visited
notes = {
    i: "all right" if n.state.answer == problem.gold else ""
    for i, n in enumerate(unpruned, 1)
}
notes[10] = "the output"
show.board_strip(ablated["no pruning"], [4, 5, 6, 10, 11, 15], notes)

# %% [markdown]
# **Figure.** Without pruning the search finds the whole game, and does not show it.
#
# It walks down with LIGHT, reads off columns that are not words (`v2. relix`), and is ten words deep by visit 10. Then it goes
# back to LASER and fills the whole board correctly, ten words deep again. But the *first* deepest state is the output. (GPT-4
# without pruning found four games in the paper, and showed one.) The search that prunes had these first four words,
# too, and went no further: *"nicely does not fit, no word with ni c. impossible."* That verdict cost it a whole game.

# %%
greedy = ablated["no backtracking"]
show.board_strip(greedy, range(1, 7))

# %% [markdown]
# **Figure.** Without backtracking the search runs in a circle. ARENA, APENA, ARENA: each word is written over the other.
#
# The model names `peril` for v2, where `relax` belongs; the word is right for h2. In ToT the reader refuses it, because it
# contradicts a letter. Here it is written over that letter, h1 is open again, `arena` is written back, and so on to the
# end. So a good part of pruning never asks the model: a program compares letters, for nothing and without mistakes.
#
# ## Does it help, and what does it cost?
#
# Plain prompts first. IO writes the five rows; the chain of thought writes all ten words, and then the rows.
#
# ### Predict: IO or CoT?
#
# On eight puzzles with five samples each, which gets more letters? And does either solve a game?


# %% tags=["set-up"]
# Letters, words and games of a method: puzzles are the clusters
def shares(solutions):
    scores = [s.scores for s in solutions]
    letters = [[x.parts["letters"] for x in each] for each in scores]
    words = [[x.parts["words"] for x in each] for each in scores]
    games = [[float(x.correct) for x in each] for each in scores]
    found = {
        "letters": stats.bootstrap(letters),
        "words": stats.bootstrap(words),
    }
    none = not any(map(any, games))  # a bootstrap of zeros is no width
    wilson = stats.wilson(0, len(games))
    return found | {"games": wilson if none else stats.bootstrap(games)}


def mean_of(solution, part):
    return fmean(score.parts[part] for score in solution.scores)


# %% tags=["set-up", "predict"]
# The two prompts compared on eight puzzles
K = 5
io = [tot.solve(task, p, "io", lm=lm, k=K) for p in puzzles]
cot = [tot.solve(task, p, "cot", lm=lm, k=K) for p in puzzles]
both = zip(io, cot, strict=True)
gaps = [mean_of(c, "letters") - mean_of(i, "letters") for i, c in both]
gain = stats.bootstrap([[gap] for gap in gaps])
gain = Compared(gain, stats.sign_flips(gaps))
display(show.results({"letters, CoT minus IO": gain}))
lines = [
    {"method": "IO", **shares(io)},
    {"method": "CoT", **shares(cot)},
]
title = f"{lm.name}, {len(puzzles)} puzzles, {K} samples each"
show.table(lines, caption=title)

# %% [markdown]
# IO is hardly above the board full of e. The chain is ahead; by the sign flip test on eight puzzles (the line above
# the table) that is a hint. Its games all come from one puzzle:

# %% tags=["set-up"]
# A chain that solved a game
good = next(s for s in cot if s.any)
at = [score.correct for score in good.scores].index(True)
words = good.result.best[at].state.last.text.split("Rows:")[0]
print(f"{good.problem}, all right:")
print(show.wrapped(" ".join(words.split())))

# %% [markdown]
# The five rows are right, by knowledge alone; the columns are not even words of five letters. Nothing in a chain is checked
# against anything, and where one clue is too hard it has no second way to the letters. Crossings are that second way, and
# the search is built to use them. It pays for that: five propose replies for each state that it enters, and verdicts on
# open clues, 80 for its 31 states. Here is the bill for the two puzzles that the search had time for:


# %% tags=["set-up"]
# What a method reads, writes and reaches on two puzzles
def bill(name, method, **knobs):
    runs = [
        tot.solve(task, p, method, lm=lm, **knobs) for p in puzzles[:2]
    ]
    used = [s.result.ledger for s in runs]
    return {
        "method": name,
        "letters": fmean(s.score.parts["letters"] for s in runs),
        "gold picks": fmean(s.oracle.parts["letters"] for s in runs),
        "tokens read": fmean(b.total.prompt_tokens for b in used),
        "written": fmean(b.total.completion_tokens for b in used),
        "rounds": fmean(b.rounds for b in used),
        "visited": fmean(b.nodes for b in used),
    }


bills = [bill("IO", "io"), bill("CoT", "cot")]
bills += [bill(f"CoT-SC, k={K}", "cot-sc", k=K)]
bills += [bill("ToT-DFS", "tot-dfs", steps=STEPS)]
mine, chain = bills[-1], bills[1]
for kind in ("tokens read", "written"):
    each = mine[kind] / mine["visited"]
    print(f"{kind}: {each:,.0f} a state, {100 * each:,.0f} for 100")
more = mine["written"] / chain["written"]
both = [b["tokens read"] + b["written"] for b in (mine, chain)]
print(f"ToT-DFS against one chain: {both[0] / both[1]:.0f} times the")
print(f"tokens in all, {more:.0f} times those written")
title = f"{lm.name}, means of two puzzles"
show.table(bills, caption=title, highlight=3)

# %% [markdown]
# **Table.** On two puzzles the search shows the most letters, for some fourteen times the tokens of a chain.
#
# It is ahead even of the best of five chains, picked by gold, and that with an evaluator that may know nothing. What is left
# is the rest of the design: confidences added up over replies, one word at a time, and a reader that refuses what
# does not fit. But two puzzles are an example and no rate: they do not say whether this search beats a chain.
#
# > **Where it breaks.** Most of the price is *reading*, because each question repeats the instructions and examples; a
# > server that keeps the beginning of a prompt makes that cheap. No server helps with the *rounds*: depth first, each state waits
# > for the verdict on the one before, where breadth-first search asks for a whole level at once.
#
# ## Summary
#
# - Ten lines walk down one branch and come back when a value is too low. Pruning says where to turn round; returning from a call
#   is the backtracking, and since states never change there is nothing to undo.
# - Which state is handed in, if none is finished, is a choice. Here the rule saved one board and lost one whole game.
# - A small model reads tokens and cannot see letters. Among many unusable lines it proposed right words; its "impossible"
#   came about as often where the true word fitted as where it did not.
# - One wrong "impossible" ends a branch, so try an evaluator out before you let it prune.
# - What a program can check, such as letters that must stay, should not be asked of a model.
#
# The paper's GPT-4 got 78% of the letters, 60% of the words and 4 of 20 games with this search. How good must the parts
# be before it works? [Part two](08_tot_study_crosswords.ipynb) turns the dials.
#
# ## Exercises
#
# ### Exercise 1: does the order matter?
#
# Shuffle the toy's `WORDS` a hundred times. Predict: does the number of visited states change? Does the visit at which the
# first solution turns up? And without pruning?
#
# <details><summary>Hint</summary>
#
# `toy_search` reads the global `WORDS`. Put another list there, and the old one back at the end.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
from random import Random

rng, alphabetical = Random(8), WORDS
for name, v_th in (("with pruning", 0), ("without", -inf)):
    totals, firsts = set(), []
    for _ in range(100):
        WORDS = rng.sample(alphabetical, len(alphabetical))
        visited = toy_search(v_th)
        totals.add(len(visited))
        found = (i for i, s in enumerate(visited, 1) if solved(s))
        firsts.append(next(found))
    ends = f"{min(firsts)} to {max(firsts)}, mean {fmean(firsts):.0f}"
    print(f"{name:12} visited {sorted(totals)}, solution at {ends}")
WORDS = alphabetical
# Order decides when the first solution comes, never how large the
# whole search is. A proposer that ranks well is worth most when the
# steps run out before the tree does.

# %% [markdown]
# ### Exercise 2: other output rules
#
# Read the search without pruning with three rules: the first deepest state, the last deepest, and of the deepest the one
# whose words had the highest confidences in sum. How many letters are right under each? Do the rules differ where the
# search prunes?
#
# <details><summary>Hint</summary>
#
# `tree.result.visited` has the nodes in order; each has `depth` and `state.answer`. A thought's confidence is its `prior`.
# `task.verify(p, answer).parts["letters"]` is the share of right letters.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def depth(node):
    return node.depth


def surest(node):
    priors = [thought.prior or 0 for thought in node.state.thoughts]
    return node.depth, round(fsum(priors), 9)


for tree in (ablated["no pruning"], *trees):
    p, nodes = task.problem(tree.problem), tree.result.visited
    rules = {
        "first deepest": max(nodes, key=depth),
        "last deepest": max(reversed(nodes), key=depth),
        "surest deepest": max(nodes, key=surest),
    }
    print(p.id, "pruned" if tree.params["prune"] else "not pruned")
    for rule, node in rules.items():
        board = node.state.answer
        hits = right_letters(task.verify(p, board))
        print(f"   {rule:14} {board}  {hits:2} right")
# Without pruning more than one board is ten deep. The last of them is
# right, and the sum of the confidences picks it, by a hair. One case
# proves nothing: part two asks a hundred simulated searches.

# %% [markdown]
# ### Exercise 3: what the evaluator threw away
#
# Of the states that were pruned, how many had only right letters on the board? Of those that were entered, how many?
# Count over both searches.
#
# <details><summary>Hint</summary>
#
# A board is sound if each letter is "_" or that of the solution: `zip(node.state.answer, p.gold)`. A pruned node has the
# value 0.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
fate_of = Counter()
for tree, p in zip(trees, puzzles, strict=False):
    for node in tree.result.visited:
        pairs = zip(node.state.answer, p.gold, strict=True)
        sound = all(a in ("_", b) for a, b in pairs)
        fate_of["pruned" if node.value == 0 else "entered", sound] += 1
for what in ("pruned", "entered"):
    good, bad = fate_of[what, True], fate_of[what, False]
    print(f"{what}: {good + bad} states, {good} without a wrong letter")
# More than half of what was cut off had no wrong letter. Part two turns
# exactly this dial, and shows where pruning stops to pay.

# %% [markdown]
# ### Exercise 4: can the model count to five?
#
# How many letters have the words that the model proposed? Predict the share with exactly five, which is what the
# prompt asked for.
#
# <details><summary>Hint</summary>
#
# `replies_to("generator", trees)` has all replies. A word stands between the clue's name and the bracket:
# `re.findall(r"[hv][1-5]\. (\w+)", text)`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
lengths = Counter()
for _, _, _, text in replies_to("generator", trees):
    words = re.findall(r"[hv][1-5]\. (\w+)", text)
    lengths.update(len(word) for word in words)
for letters, count in sorted(lengths.items()):
    share = count / lengths.total()
    print(f"{letters:2} letters: {count:3}  {share:.0%}")
# To the model, a word of five letters is one or two tokens, and their
# spelling is something it has to know by heart. The task asks of it
# what it cannot see.

# %% [markdown]
# ## Further reading
#
# - Section 4.3, table 3 and figure 6 of {cite}`yao2023tree`; we have [checked its numbers](../book/errata.md#c6-crosswords).
# - What programs do that are made for crosswords: {cite}`ginsberg2011drfill`, {cite}`wallace2022automated`.
# - In the package: `tot/search/depth_first.py`, `tot/tasks/crosswords.py`, `treebook/figures/crossword.py`.
