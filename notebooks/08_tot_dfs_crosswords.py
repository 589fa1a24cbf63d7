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
# beam forgets all but a few states of each level, which is good enough for three short steps. A crossword takes
# ten, and one wrong word near the start spoils every word that crosses it.
#
# **Depth-first search** follows one idea as far as it goes, notices when a clue can no longer be filled, and goes **back**. The
# paper {cite}`yao2023tree` calls it ToT-DFS, its Algorithm 2. We build it, hand it to a small model, and watch what one
# wrong "impossible" does to it.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.pencil()

# %% [markdown]
# **Figure.** A dead end sends the search back. A wrong “impossible” cuts off a branch that nobody has looked into.
#
# <aside class="margin">Who plays: programs alone on the small boards; on the crosswords a recorded model of 1.5 billion parameters,
# far weaker than the paper's, so that you see where such a search breaks. Part two has a simulated solver.</aside>
#
# ## Learning objectives
#
# After this chapter you can
#
# - write depth-first search over thoughts in ten lines, and say what pruning and backtracking each do;
# - write it on *one* board, with an undo that leaves the letters which other words still need;
# - follow a search board by board, and find out after the run which part of it failed;
# - say which state such a search hands in, and what a step costs.
#
# (In a hurry? Read *Algorithm 2 from scratch*, *Mini Crosswords: the four answers* and *One search, board by board*.)

# %% tags=["set-up"]
# imports, the puzzles and the recording
from collections import Counter, defaultdict
from math import fsum, inf
from statistics import fmean

import tot
from tot import stats
from tot.tasks.crosswords_board import SLOTS, fits, read_board, word_at
from treebook.studies.crosswords_simulated import SimulatedSolver

task = tot.task("crosswords")
puzzles = task.problems("easy")
lm = tot.Cassette("cassettes/08.jsonl")

# %% [markdown]
# ## Ten clues, one board
#
# Five rows, five columns, and a clue for each. A program that knows the solution filled in the board below. (The puzzles were written for
# this book.)

# %%
problem = puzzles[0]
print(problem.x)

# %% tags=["plot"]
key = SimulatedSolver(know=1, false_impossible=0)  # looks answers up
show.board_strip(tot.solve(task, problem, lm=key, steps=10))

# %% [markdown]
# **Figure.** Ten words on one board. Every letter belongs to two of them, so each word can be checked against five others. The letters
# that a word brought are blue.
#
# Success has three levels: the share of right **letters** (of 25), of right **words** (of 10), and the **game**, all or
# nothing. The check is **gold** ([chapter 3](03_io_and_verifiers.ipynb#free-or-gold)): only somebody with the solution
# can say whether a board is right. Where a table lets the solution choose a board, it says *gold picks*, and that is an upper bound.
#
# ## Algorithm 2 from scratch
#
# Start with a toy: three rows of three letters, and a dictionary of six words. A thought is the next row. The generator `G` lists the
# words not yet used, and the evaluator `V` asks whether every column can still become a word.

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
# And here is the algorithm. $T$ is the greatest depth and $v_{th}$ the threshold; `visited` lists every state that was
# looked at, in order.


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
# The last `if` is **pruning**. A child whose value is not above the threshold is looked at and never entered, which saves
# everything below it. **Backtracking** has no line of its own. When the loop runs out of children the function
# returns, and the call above it goes on with *its* next child. (The paper's algorithm has
# [three small slips](../book/errata.md#e2-three-slips-in-algorithm-2); one is that it never says which state is returned.)


# %%
def children(s):
    return [s.then(thought) for thought in G(s)]


def toy_search(v_th):
    visited = []
    my_dfs(tot.State("toy"), 1, children, V, 3, v_th, visited)
    return visited


# %% tags=["set-up"]
# The same search by the package; it must visit the same states
def solved_at(visited):
    full = [len(s.thoughts) == 3 and V(s) == 1 for s in visited]
    return [i for i, found in enumerate(full, 1) if found]


visits = {"with": toy_search(0), "without": toy_search(-inf)}
parts = (
    tot.generator(None, None, local=lambda s: list(G(s))),
    tot.value(None, None, n=1, local=V),
)
root = tot.Node(tot.State("toy"))
toy = tot.run(tot.dfs(root, *parts, depth=3, threshold=0), {})
assert [node.state for node in toy.visited] == visits["with"]
notes = dict.fromkeys(solved_at(visits["with"]), "solved")
show.board_strip(toy.trace, range(1, 13), notes)

# %% [markdown]
# **Figure.** The first twelve visits. The search goes down while every column can still become a word, and comes back up where no
# next row is left to try.
#
# Look at the first visit. No word begins with E, the last letter of AGE, so one glance saves the 25 states below it. Between
# visits 9 and 10, where three rows are followed by two, the search has gone back.
#
# ### Predict: what pruning saves
#
# There are 6 first rows, 30 pairs and 120 triples, 156 states in all. The search that prunes goes on after the twelve visits until
# nothing is left.

# %%
table = []
for name, found in visits.items():
    row = {"pruning": name, "visited": len(found)}
    table.append(row | {"first solution at visit": solved_at(found)[0]})
show.Predict(
    "How many states does it visit?",
    len(visits["with"]),
    low=0,
    high=156,
    shows=show.table(table),
)

# %% [markdown]
# ## One board and a rubber
#
# On paper, going back means rubbing out. `my_dfs` rubs nothing out: `s.then(thought)` makes a *new* state and leaves
# `s` as it was, at the price of a copy for each visit. Where that costs too much, every branch has to write on
# the *same* board, and two things easily go wrong.
#
# The first is the record. After `seen.append(board)` the list holds the board itself, under a second name (*aliasing*). When
# the search goes back and clears the board, all entries of `seen` are that one empty board. The record needs a *copy*,
# taken before anything is rubbed out.
#
# The second is the undo, because crossing words share letters. Take BAD in the first row and BAG in the first column.

# %% tags=["remove-input"]
show.concepts.undo()

# %% [markdown]
# **Figure.** Left: the last word is taken back by clearing the cells that it filled; clearing all of its cells would break BAD. Right: if
# any word may go, count how many words use each letter, and clear those that none uses now.
#
# Follow the left side by hand, with one more word:
#
# | step | cells it fills | board |
# |:--|:--|:--|
# | write BAD in row 1 | B, A, D | `BAD ___ ___` |
# | write BAG in column 1; its B is there | A, G | `BAD A__ G__` |
# | write DOT in column 3; its D is there | O, T | `BAD A_O G_T` |
# | take back DOT: clear O and T | | `BAD A__ G__` |
# | take back BAG: clear A and G | | `BAD ___ ___` |
#
# **When you write a word, note which of its cells were empty. When you take it back, clear exactly those.** Letters that
# another word still needs stay. A word that fills nothing clears nothing. This is right whenever the last word is the first to go, and
# depth-first search always takes back the last one. Whatever else belongs to the state, such as a list of the words written, is taken
# back with them. Do not mix the two rules on one board.


# %%
CELLS = {"h1": (0, 1, 2), "h2": (3, 4, 5), "h3": (6, 7, 8)}
CELLS |= {"v1": (0, 3, 6), "v2": (1, 4, 7), "v3": (2, 5, 8)}


def write(board, slot, word):
    """The cells that a word fills; None if it contradicts a letter."""
    pairs = list(zip(CELLS[slot], word, strict=True))
    if any(board[cell] not in ("_", letter) for cell, letter in pairs):
        return None
    filled = [cell for cell, _ in pairs if board[cell] == "_"]
    for cell, letter in pairs:
        board[cell] = letter
    return filled  # [] if all of its letters stood there


# %%
def fill(board, slots, seen, write=write):
    """Depth first on one board. seen gets a copy of each state."""
    for word in WORDS if slots else ():
        filled = write(board, slots[0], word)
        if filled is not None:
            seen.append((slots[1:], "".join(board)))
            fill(board, slots[1:], seen, write)
            for cell in filled:
                board[cell] = "_"


# %% [markdown]
# The careless undo clears all cells of a word, as if the word had filled them all. Let both fill the toy, a row and a column in turn.


# %%
def careless(board, slot, word):
    return None if write(board, slot, word) is None else CELLS[slot]


found = visits["with"]
toys = {"".join(rows(found[i - 1])) for i in solved_at(found)}
lines = []
for undo, way in ("right", write), ("careless", careless):
    seen = []
    fill(["_"] * 9, ["h1", "v1", "h2", "v2", "h3", "v3"], seen, way)
    done = {board for left, board in seen if not left}
    row = {"undo": undo, "words written": len(seen)}
    row |= {"finished boards": len(done), "solutions": len(done & toys)}
    lines.append(row)
show.table(lines, highlight=1)

# %% [markdown]
# **Table.** With the right undo the search finds the four solutions that `my_dfs` finds. With the careless one it writes on over broken
# words, and reports 28 more boards, none of which is a solution.
#
# Such a fault raises no error. So test at every step: after
# a word is taken back, the board must be *exactly* what it was before the word was written.
#
# The order of the *clues* matters, too: if `fill` took three rows first, it would check no column until the board is full. A
# program made for crosswords takes the clue for which the fewest words are left, the *most constrained* one, because
# a dead end shows there soonest. ToT-DFS takes the word that the model is surest of, whatever its clue.
#
# ### Which state is the output?
#
# A search may run out of steps without a solution. The paper then hands in the deepest state, and of several the first. It leaves open
# whether a state counts that was looked at and then pruned. Stop the toy above after visit 6: if it counts, the output is `BAD AGO AGE`,
# and else `BAD AGO ___`. Algorithm 2 never enters a pruned state, so it could not return one. But the file in
# which its authors recorded their runs lists every state that was *visited*. If those count, a wrong "impossible" about the last word
# costs nothing, since the state is handed in all the same. Our method `tot-dfs` follows the file. Such an **output rule** is part of the
# search.
#
# ## Mini Crosswords: the four answers
#
# Every search answers the four questions of [chapter 5](05_how_a_search_asks.ipynb).
#
# 1. **Thought**: one word for one clue, `h2. peril`. At most ten of them. A filled letter never changes.
# 2. **Generator**: a propose prompt with all open clues and their letters. Five replies are drawn. Each lists words with a
#    **confidence** (certain 1, high 0.5, medium 0.2, low 0.1), and these are added up over the replies.
# 3. **Evaluator**: one question for each open clue of which two letters or more are known: *sure*, *maybe* or
#    *impossible*? A single "impossible" prunes the state.
# 4. **Search**: depth first, three words tried at a state, the first deepest state is the output.
#
# (The paper gives no numbers for confidences, candidates or letters: these are from its authors' code. It allows 100 visited
# states; we had time for 20. [All prompts](../book/reference/prompts.rst) are in the reference.)
#
# A program checks each line that the model writes: is the clue open, does the word have five letters, does it keep the letters on the
# board? Lines that fail are dropped and counted, and the rest are ranked. (Ties go to the word that was written first.) Once the board
# is full, the program reads the remaining words off it, one a
# visit.


# %%
def ranked(s):
    """(confidences added up, these, thought) for each word."""
    [reply] = lm([task.propose(s).samples(first=0, n=5)])
    given = defaultdict(list)
    for text in reply.texts:
        for read in task.read_proposals(s, text):
            if thought := read.value:
                given[thought.text].append(thought)
    sums = []
    for same in given.values():
        each = [thought.prior for thought in same]
        sums.append((round(fsum(each), 9), each, same[0]))
    return sorted(sums, key=lambda row: row[0], reverse=True)


def propose(s, k=3):
    """The k words with most confidence."""
    if (ready := task.compose(s)) is not None:  # the board is full
        return [s.then(thought) for thought in ready]
    return [s.then(thought) for _, _, thought in ranked(s)[:k]]


# %% [markdown]
# The evaluator's value of a state is its least verdict. With these two parts `my_dfs` is ToT-DFS.


# %%
def possible(s):
    """The least verdict: 1 sure, 0.5 maybe, 0 impossible."""
    replies = lm(task.value(s))  # to a request for each clue to judge
    reads = (task.read_value(reply.texts[0]) for reply in replies)
    return min((read.value for read in reads), default=1.0)


# %% tags=["checked"]
STEPS = 20


def search(p, **knobs):
    return tot.solve(task, p, "tot-dfs", lm=lm, steps=STEPS, **knobs)


trees = [search(p) for p in puzzles[:2]]
for tree, p in zip(trees, puzzles, strict=False):
    seen, state = [], tot.State(p.x)
    my_dfs(state, 1, propose, possible, 10, 0, seen, STEPS)
    theirs = [node.state for node in tree.result.visited]
    assert [*map(rows, seen)] == [*map(rows, theirs)]
    print(f"{p.id}: the same {len(seen)} states, in the same order")

# %% [markdown]
# ## One search, board by board
#
# Each board is one visited state of the second puzzle. New letters are blue, and a clue that was called impossible is red.

# %%
show.board_strip(trees[1])

# %% [markdown]
# **Figure.** Eleven visits to one puzzle. Three first words are entered unjudged, since no clue has two letters yet. Every word that is
# tried as
# the second one is cut off.
#
# Look at the second board. START and THREE are both right. Then the evaluator was asked about the rows:

# %% tags=["set-up"]
# What the evaluator was asked at the second step
board = trees[1].result.visited[1].state
asked = task.value(board)
talk = []
for request, reply in zip(asked, lm(asked), strict=True):
    clue, letters = request.messages[-1].content.rsplit(": ", 1)
    row = {"clue": clue, "letters": letters.replace(" ", "")}
    talk.append(row | {"reply": reply.texts[0]})
show.table(talk, highlight=1)

# %% [markdown]
# **Table.** "No word has th." The model thinks of one word that does not fit, and concludes that none does.
#
# The true words are THOSE, AROSE and TESTS, so three of the five verdicts are wrong. One would have been enough: the state
# is cut off, and with it every board that could be built on two right words. Four visits later the search finds the same board the
# other way round, and it is cut off again. After eleven visits nothing is left to propose. The search hands in this very
# board, a pruned state and the first of the deepest, with 10 right letters of 25.
#
# ## Which part failed?
#
# The solutions are known, so *after* the run we may look. (The search never could.) The proposer comes first.
#
# ### Predict: how good the proposed words are
#
# A program refuses some lines, and some of the others are wrong.


# %% tags=["set-up"]
# What became of each proposed line
def solution(p):
    board = read_board(p.gold)
    return {clue: word_at(board, i) for i, clue in enumerate(SLOTS)}


fates = Counter()
for tree, p in zip(trees, puzzles, strict=False):
    right = [f"{clue}. {word}" for clue, word in solution(p).items()]
    nodes = tree.result.visited[:-1]  # no step was left after the last
    entered = [node.state for node in nodes if node.value]
    for s in [tot.State(p.x), *entered]:
        [reply] = lm([task.propose(s).samples(first=0, n=5)])
        for text in reply.texts:
            for read in task.read_proposals(s, text):
                fates[read.why or read.value.text in right] += 1
long = fates["not one word of five letters a to z"]
told = f"Of {fates.total()} lines {fates[True]} hold a right word and "
told += f"{fates[False]} a wrong one that fits. Of the rest, refused, "
told += f"{long} are not one word of five letters."
show.Predict(
    "How many of a hundred lines hold a right word?",
    round(100 * fates[True] / fates.total()),
    low=0,
    high=100,
    shows=told,
)

# %% [markdown]
# The program refuses `stadium`, `telescope` or a word of the clue itself at no cost. Of the words that pass, about two in three are
# right.
#
# ### The evaluator
#
# For each question to the evaluator we know whether the true word agrees with the letters on the board. If it does, "impossible" was a
# mistake; if not, it was the right thing to say.

# %% tags=["set-up"]
# Verdicts, by whether the true word fits
VERDICTS = {1.0: "sure", 0.5: "maybe", 0.0: "impossible"}
verdicts = {}  # of each question; a search asks it once
for tree, p in zip(trees, puzzles, strict=False):
    for node in tree.result.visited:
        requests = task.value(node.state)
        for request, reply in zip(requests, lm(requests), strict=True):
            asked = request.messages[-1].content
            letters = asked.rpartition(": ")[2].replace(" ", "")
            true = fits(solution(p)[asked[:2]], letters)
            value = task.read_value(reply.texts[0]).value
            verdicts[p.id, asked] = true, VERDICTS[value]
judged = []
for true, what in ((True, "fits"), (False, "does not fit")):
    said = Counter(x for fit, x in verdicts.values() if fit == true)
    no = stats.wilson(said["impossible"], said.total())
    row = {"the true word": what, **said}
    judged.append(row | {"said impossible": no})
show.table(judged)

# %% [markdown]
# **Table.** The verdicts on all 80 questions that the two searches asked about their 31 states. A good judge says "impossible" more
# often in the second row.
#
# The two intervals overlap for the most part, and they are still too narrow, as many questions are about the same clue. So we
# have no evidence that this judge knows anything. We can see what it costs: of the 21 states that it cut off, twelve
# had no wrong letter on the board (exercise 3).
#
# Proposer and evaluator probably stumble over the same thing. Here *letters* carry the state, such as `_ h _ _ e`, and a model reads
# **tokens**: a row of single letters looks to it like no word that it has ever read. GPT-4 coped with that. A thought has to be something
# that *your* model can write and judge.
#
# ## Take one part away
#
# One puzzle proves nothing about rates, but it can show a mechanism. **No pruning**: nothing is judged and every state is
# entered. **No backtracking**: nothing is judged either; at each state the best candidate is taken, and it may *overwrite* letters.

# %%
ablated = {
    "ToT-DFS": search(problem),
    "no pruning": search(problem, prune=False),
    "no backtracking": search(problem, backtrack=False),
}

# %% [markdown]
# ### Predict: what the first puzzle needs
#
# Each search may visit twenty states of the first puzzle.


# %% tags=["set-up"]
# Three searches of the first puzzle, side by side
def right_letters(score):
    return round(25 * score.parts["letters"])


lines = []
for name, run in ablated.items():
    line = {"search": name, "output": run.answer}
    line |= {"right letters": right_letters(run.score)}
    lines.append(line | {"gold picks": right_letters(run.oracle)})
show.Predict(
    "Which hands in the most right letters?",
    max(lines, key=lambda line: line["right letters"])["search"],
    choices=list(ablated),
    shows=show.table(lines),
)

# %% tags=["plot", "predict"]
# Boards of the search without pruning
notes = {
    i: f"right, {n.depth} deep"
    for i, n in enumerate(ablated["no pruning"].result.visited, 1)
    if n.state.answer == problem.gold
}
notes[10] = "output, 10 deep"
show.board_strip(ablated["no pruning"], [5, 6, 10, 11, 15, 18], notes)

# %% [markdown]
# **Figure.** Without pruning the search finds the whole game and does not show it.
#
# It walks down with LIGHT. At visit 6 the board is full, and the columns are read off it, words or not (`v2. relix`), so it is ten words
# deep by visit 10. Then it goes back to LASER, has the whole board right at visit 15, and is ten words deep again at visit 18. But the
# *first* deepest state is the output. The search that prunes had APPLE, ARENA, PERIL and PLACE, too, and cut them off at visit 4:
# *"nicely does not fit, no word with ni c. impossible."* (The letters were `n i c _ _`.) That verdict kept it away from the whole game.
#
# ### Never going back

# %%
show.board_strip(ablated["no backtracking"], range(1, 7))

# %% [markdown]
# **Figure.** The search that cannot go back runs in a circle. ARENA, APENA, ARENA: each word is written over the other.
#
# The model names `peril` for v2, where `relax` belongs; the word is right for h2. In ToT the reader refuses it, because it
# contradicts a letter. Here it is written over that letter (red), h1 is open again, `arena` is written back, and so on to the
# end. So a good part of pruning needs no model: a program compares letters, and makes no mistakes.
#
# ## Does it help, and what does it cost?
#
# The rivals are plain prompts. A direct answer (IO) writes the five rows. A chain of thought (CoT) writes all ten words, and then the
# rows. Over all eight puzzles a chain gets [more words right](../book/tables.md#table-3-mini-crosswords) than a direct answer, by
# 11 points [2, 26]. We had time to search only two of the puzzles, so read its figures as an example and not as rates.


# %% tags=["set-up"]
# Two puzzles: the search, three rivals, and their mean costs
rivals = [("one answer", "io", 1), ("one chain", "cot", 1)]
rivals += [("five chains, gold picks", "cot-sc", 5)]
runs = {
    name: [tot.solve(task, p, how, lm=lm, k=k) for p in puzzles[:2]]
    for name, how, k in rivals
}
runs["ToT-DFS"] = trees
for name, each in runs.items():
    letters = fmean(run.oracle.parts["letters"] for run in each)
    print(f"{name}: {letters:.0%} of the letters")
show.table(show.mean_costs(runs))

# %% [markdown]
# **Table.** Means of two puzzles. The search uses some fourteen times the tokens of a chain, and waits for sixteen rounds of replies.
#
# The search asks for five lists of words at each empty board and at each state that it enters, and for 80 verdicts on its 31
# states: about 800 tokens read and 86 written for each state. On the two puzzles it has 54% of the letters, against 12% for one
# direct answer (in 667 tokens), 30% for one chain (1,002) and 40% for the best of five chains, picked with the solution, although its
# evaluator may know nothing. If that lead is real, it may come from confidences added up, from the program that
# refuses lines, from crossings, which give a hard clue a second way to its letters, or simply from fourteen times the tokens.
#
# > **Where it breaks.** Most of the price is *reading*, because each question repeats the instructions and examples; a
# > server that keeps the beginning of a prompt makes that cheap. No server helps with the *rounds*, that is, with how often the search
# > has
# > to wait. Depth first, each state waits for the verdict on the one before; breadth first, a whole level is asked about at once.
#
# ## Summary
#
# - Pruning decides where to turn back; the return from a call does the backtracking.
# - States that never change need no undo. On one board, clear the cells that the last word filled and no others, and record copies.
# - Which state is handed in, if none is finished, is a choice. Here the rule saved one board and lost one whole game.
# - One wrong "impossible" ends a branch. This model said it about as often when the true word fitted as when it did not, so try
#   an evaluator out before you let it prune.
# - What a program can check, such as letters that must stay, should not be asked of a model.
#
# The paper's GPT-4 got 78% of the letters, 60% of the words and 4 of 20 games with this search. How good must the parts
# be before it works? [Part two](08_tot_study_crosswords.ipynb), a **simulation**, turns the dials.
#
# ## Exercises
#
# ### Exercise 1: does the order of the words matter?
#
# Shuffle the toy's `WORDS` a hundred times. Predict: does the number of visited states change? Does the visit at which the
# first solution turns up?
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
totals, firsts = set(), []
for _ in range(100):
    WORDS = rng.sample(alphabetical, len(alphabetical))
    visited = toy_search(0)
    totals.add(len(visited))
    firsts.append(solved_at(visited)[0])
WORDS = alphabetical
print(f"visited {totals}, solution at {min(firsts)} to {max(firsts)}")
# Order decides when the first solution comes, never how large the
# whole search is. A good ranking is worth most when steps run out.

# %% [markdown]
# ### Exercise 2: rub out any word
#
# People rub out not the last word but the one they trust least. Write a `Board` with `write(slot, word)` and `take_back(slot)`, in any
# order. Write BAD in the first row and BAG in the first column; what is left when BAD goes first?
#
# <details><summary>Hint</summary>
#
# The cells that BAD filled are the wrong ones to clear now. Count the words that use each cell.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
class Board:
    def __init__(self):
        self.cells, self.users = ["_"] * 9, Counter()

    def write(self, slot, word):
        fits = write(self.cells, slot, word) is not None
        self.users.update(CELLS[slot] if fits else ())
        return fits

    def take_back(self, slot):
        self.users.subtract(CELLS[slot])
        for cell in CELLS[slot]:
            if not self.users[cell]:  # no word needs it now
                self.cells[cell] = "_"


crossing = Board()
assert crossing.write("h1", "bad") and crossing.write("v1", "bag")
assert not crossing.write("v2", "dot")  # its first letter must be A
crossing.take_back("h1")
print("".join(crossing.cells))
# B stays, since BAG uses it. The chapter's rule would have cleared it.

# %% [markdown]
# ### Exercise 3: what the evaluator threw away
#
# Of the states that were pruned in the two searches, how many had only right letters on the board? Of those that were entered?
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
sound = Counter()
for tree, p in zip(trees, puzzles, strict=False):
    for node in tree.result.visited:
        pairs = zip(node.state.answer, p.gold, strict=True)
        good = all(a in ("_", b) for a, b in pairs)
        sound["pruned" if node.value == 0 else "entered", good] += 1
for fate in ("pruned", "entered"):
    print(fate, sound[fate, True], "sound,", sound[fate, False], "not")
# More than half of what was cut off had no wrong letter. Part two turns
# exactly this dial, and shows where pruning stops paying.

# %% [markdown]
# ### Exercise 4: other output rules
#
# Read the search without pruning with two other rules: the last deepest state, and of the deepest the one whose words had the highest
# confidences in sum. How many letters are right?
#
# <details><summary>Hint</summary>
#
# The nodes of `result.visited` are in order and have a `depth`; a thought's confidence is its `prior`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
nodes = ablated["no pruning"].result.visited
deepest = [n for n in nodes if n.depth == max(m.depth for m in nodes)]
given = [[t.prior or 0 for t in n.state.thoughts] for n in deepest]
sure = [round(fsum(each), 9) for each in given]
rules = {"first": 0, "last": -1, "surest": sure.index(max(sure))}
for rule, at in rules.items():
    score = task.verify(problem, deepest[at].state.answer)
    print(f"{rule:7} {right_letters(score)} right")
# The last is right, and the sum of the confidences picks it, by a hair.
# One case proves nothing: part two asks a hundred searches.

# %% [markdown]
# ## Further reading
#
# - Section 4.3, table 3 and figure 6 of {cite}`yao2023tree`; we have [checked its numbers](../book/errata.md#c6-crosswords).
# - What purpose-built crossword programs do: {cite}`ginsberg2011drfill`, {cite}`wallace2022automated`.
# - In the package: `tot/search/depth_first.py`, `tot/tasks/crosswords.py`, `treebook/figures/crossword.py`.
