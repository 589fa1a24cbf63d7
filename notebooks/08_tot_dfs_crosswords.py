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
# A beam keeps five states and forgets the rest. That is fine for three steps. A crossword has ten, and a wrong word at
# the start spoils all that cross it. So here the search does what people do with a pencil and a rubber: it follows one
# idea to its end, notices that a clue can no longer be filled, and goes **back**. The paper
# {cite}`yao2023tree` calls it ToT-DFS, its Algorithm 2.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - write depth-first search over thoughts in ten lines, and say what pruning and backtracking each save;
# - read a crossword search board by board, and name the clue that ended each branch;
# - say which state such a search should output, and what the alternatives cost;
# - find out whether a proposer or an evaluator is to blame, with the answers in hand *after* the run;
# - say what a step of such a search costs.
#
# This chapter replays a **real** small model, as it is. It knows many of the words, and it cannot see letters; what that does
# to a search is worth seeing from close by. What pruning and backtracking are worth when the parts are better is studied
# in [part two](08_tot_study_crosswords.ipynb), on a **simulation**. The two are kept apart: no number of one stands in
# a table of the other.

# %% tags=["set-up"]
import re
from collections import Counter, defaultdict
from math import fsum, inf
from statistics import fmean


import tot
from tot import show, stats
from tot.lab import Stepper
from tot.nbsetup import setup
from tot.tasks.crosswords import VALUE
from tot.tasks.crosswords_board import SLOTS, fits, read_board, word_at
from tot.tasks.crosswords_simulated import SimulatedSolver

# %%
setup()
task = tot.task("crosswords")
puzzles = task.problems("easy")
lm = tot.Cassette("cassettes/08.jsonl")
dates = {one["date"]: None for one in lm.tape.sessions.values()}
print(f"The model is {lm.name}, recorded {', '.join(dates)}.")

# %% [markdown]
# ## The problem: ten clues, one board
#
# Five rows, five columns, a clue for each, every letter shared by two words. The puzzles were made for this book; the
# paper took its twenty from a web site. Here is one. (No model solved it. A program that knows the key filled it in, so
# that you can see a whole board.)

# %%
problem = puzzles[0]
key = SimulatedSolver(know=1, false_impossible=0)  # looks answers up
show.board(tot.solve(task, problem, lm=key, steps=10))

# %% [markdown]
# **Figure.** Ten words in one board; every letter belongs to two of them.
#
# Success has three levels: the share of right **letters** (25), of right **words** (10), and the **game**, which is all
# or nothing. Read them together. Letters are cheap:

# %%
print(task.verify(problem, "ARENA PERIL _____ _____ _____").why)
for letter in "aesz":
    board = " ".join([letter * 5] * 5)
    hits = [task.verify(p, board).parts["letters"] for p in puzzles]
    print(f"a board full of {letter}: {fmean(hits):.0%} of the letters")

# %% [markdown]
# ## Algorithm 2 from scratch
#
# First a toy, so small that we can check everything: three rows of three letters, and six words are all that there is.
# A thought is the next row. The evaluator asks whether each column can still become a word.

# %%
WORDS = ["age", "ago", "bad", "bag", "dot", "get"]


def rows(s):
    return [thought.text for thought in s.thoughts]


def G(s):
    """The rows that may follow, in the order of the list."""
    for word in WORDS:
        if word not in rows(s):
            board = [*rows(s), word, "___", "___"][:3]
            answer, full = " ".join(board).upper(), "___" not in board
            yield tot.Thought(word, answer=answer, final=full)


# %%
def begins(letters):
    return any(word.startswith(letters) for word in WORDS)


def V(s):
    """1 if every column is still the beginning of a word, else 0."""
    columns = map("".join, zip(*rows(s), strict=True))
    return float(all(map(begins, columns)))


# %% [markdown]
# And the algorithm. `visited` is the list of everything that was looked at, in order.


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
# That is the paper's pseudocode with three slips mended ([E2](../book/errata.md)). It prints $V(p_\theta, \{s'\})(s)$,
# where the value of the *new* state $s'$ is meant. Its threshold has two names, $v_{th}$ and $v_{thres}$. And it
# "records" outputs without saying which one is returned.
#
# ### Predict: how many states does pruning save?
#
# There are 6 first rows, 30 pairs and 120 triples: 156 states. With pruning, a state with a hopeless column is looked
# at, and nothing below it. How many of the 156 are visited? And when does the first solution turn up?


# %% tags=["predict"]
def children(s):
    return [s.then(thought) for thought in G(s)]


def solved(s):
    return len(s.thoughts) == 3 and V(s) == 1


root = tot.State("three rows")
for name, v_th in (("with pruning", 0), ("without", -inf)):
    visited = []
    my_dfs(root, 1, children, V, T=3, v_th=v_th, visited=visited)
    found = [i for i, s in enumerate(visited, 1) if solved(s)]
    print(f"{name:12} {len(visited):3} visited, solved at {found}")

# %% [markdown]
# The package has the same search. It differs in how it asks: it yields its questions and never calls a model
# ([chapter 5](05_how_a_search_asks.ipynb)). Here nobody has to be asked at all, since `G` and `V` are local. Do the two
# visit the same states in the same order?

# %%
visited = []
my_dfs(root, 1, children, V, T=3, v_th=0, visited=visited)
parts = (
    tot.generator(None, None, local=lambda s: list(G(s))),
    tot.value(None, None, n=1, local=V),
)
toy = tot.run(tot.dfs(tot.Node(root), *parts, depth=3, threshold=0), {})
assert [node.state for node in toy.visited] == visited
print(show.text(toy.trace, width=70))

# %% [markdown]
# Read it from the top, line by line: that is the order in which the search went. "Pruned" means looked at and given
# up. Backtracking has no line of its own: it is the step from a deep line to a shallower one.
#
# ### Predict: which state is the output?
#
# A search that runs out of steps has many states and no solution. The paper's text (section 4.3) says: the deepest
# explored state, and of several the first. Find it in the list above. There are two candidates: do pruned states count?


# %% tags=["predict"]
def deepest(states):
    """The first state of maximal depth: max keeps the first."""
    return max(states, key=lambda s: len(s.thoughts))


print("pruned states count: ", deepest(visited).answer)
entered = [s for s in visited if V(s) > 0]
print("only those entered:  ", deepest(entered).answer)
assert toy.best[0].state == deepest(entered)

# %% [markdown]
# Algorithm 2 enters no state that it prunes, so it cannot output one. The authors' published log of their crosswords
# does list every state that was *visited*, pruned or not. A false "impossible" in the last word then costs nothing: the
# board is shown all the same. Our `tot-dfs` follows the log (`output_pruned=True`), and the bare `tot.dfs` the pseudocode. Which rule is
# better is an empirical question: see exercise 3, and part two.
#
# ## Mini Crosswords: the four answers
#
# 1. **Thought**: one word for one clue, `h2. peril`. At most ten of them. A filled letter never changes.
# 2. **Generator**: the clues that are open, with their letters, go into a propose prompt. Five replies are drawn. Each
#    lists words with a confidence; these are **added up** over the replies into one ranked list (figure 6 (a)).
# 3. **Evaluator**: for each open clue of which two letters or more are known, one question: sure, maybe or
#    impossible? *One* "impossible" prunes the state (figure 6 (b)).
# 4. **Search**: depth first, at most 100 visited states, the first deepest one is the output.
#
# The paper gives no numbers for the confidences, for how many candidates are tried at a state, or for how many letters a
# clue must have before it is judged. We take those of the authors' code: 1, 0.5, 0.2, 0.1; three; two.
#
# > **In the paper.** Our prompts are short, for a small model. The paper's own form takes one command:
# > `tot solve crosswords mini-05 --style paper --lm openai:NAME`. The model then proposes as many words as it likes, without
# > examples, and sees the words that stand. It reasons freely before each verdict, and filled clues are judged like open
# > ones. Nothing is read off a full board, and a path ends at nine words, which fill any board. The paper draws five
# > replies, the authors' code eight (`--proposals 8`). The reference shows all prompts side by side.
#
# What the model says is a stranger's text again. Each line is checked: is the clue open, has the word five letters,
# does it keep the letters that are there? What fails is dropped, and counted.

# %%
start = tot.State(problem.x)
request = task.propose(start)
print(show.wrapped(f"propose: {request.messages[0].content}"))
print(show.wrapped(f"value: {VALUE}"), "\n")
[reply] = lm([request.samples(first=0, n=5)])
for i, text in enumerate(reply.texts[:3]):
    print("reply", i)
    for read in task.read_proposals(start, text):
        print(f"   {read.text:26} {read.why or 'taken'}")

# %% [markdown]
# Now generator and evaluator as plain functions, and the search is the very `my_dfs` of the toy. (Sums are rounded before
# they are compared: 0.1 + 0.2 + 0.2 is a tie with 0.5, and of equals the word that came first goes first.)


# %%
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


# %% tags=["checked"]
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
# ## Stepping through the search
#
# Each board below is one visited state. New letters are marked; so is the clue that ruled a state out. In the page,
# move the slider. In a live notebook there is a play button, too.

# %% tags=["nbval-ignore-output"]
Stepper(show.boards(trees[1]))

# %% [markdown]
# **Figure.** Eleven visits to one puzzle; most of them end at a clue that was called impossible.
#
# The same as text, state by state. Behind each board: the clues that were judged impossible. Below it, the tree.

# %%
for i, node in enumerate(trees[1].result.visited, 1):
    word = " " * (node.depth - 1) + node.state.last.text
    clues = re.findall(r"[hv]\d(?=\.)", node.note)
    out = "✗ " + " ".join(clues) if clues else ""
    print(f"{i:2} {word:11} {node.state.answer}  {out}")
show.svg(trees[1].trace, max_dropped=None)

# %% [markdown]
# **Figure.** The search goes back three times and is cut off at the second word each time.
#
# Look at the first two visits. `start` and `three` are both right: two good words after two steps. Then the evaluator was
# asked about the rows, and this is what it said:

# %%
event = [e for e in trees[1].trace.events if e["kind"] == "asked"][2]
for each in event["requests"]:
    print(each["messages"][-1]["content"])
    print("      ", each["samples"][0]["text"])

# %% [markdown]
# *"thunder does not fit, no word has th. impossible."* The model thinks of one word, sees that it does not fit, and
# concludes that none does. One such verdict is enough: the branch is cut. A few visits later the search finds the same
# board by another way, first `three`, then `start`. The questions are the same, so are the verdicts, and it is cut
# again. After eleven visits nothing is left to propose, and the search is over before its steps are.
#
# What does it return? The board with `start` and `three`. It is a pruned state, and the first of maximal depth: here the
# output rule saves what the evaluator threw away.
#
# ## Where it breaks
#
# The answers are in the book, so after the run we may look them up. (The search never could.) First the proposer.
#
# ### Predict: of ten proposed words, how many are right?
#
# Some are refused by the reader, and of the rest some are wrong. Guess both shares.


# %% tags=["set-up"]
# What was visited, what the answers were, and what was asked
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


# %% tags=["set-up", "predict"]
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
lines = [{"line": x, "n": n} for x, n in fates.most_common()]
for line in lines:
    line["example"] = examples[line["line"]]
title = f"{lm.name}, {fates.total()} lines, {len(trees)} puzzles"
show.table(lines, caption=title)

# %% [markdown]
# Now the evaluator. For each question that it was asked: do the letters on the board agree with the true word? Then
# "impossible" is a mistake. Do they contradict it? Then "impossible" is the right thing to say.

# %%
judged = {True: Counter(), False: Counter()}
said = {0.0: "impossible", 0.5: "maybe", 1.0: "sure"}
for solution, _, asked, text in replies_to("evaluator", trees):
    name, letters = re.fullmatch(r"(..)\. .*: (.*)", asked).groups()
    true = fits(gold(solution)[name], letters.replace(" ", ""))
    judged[true][said[task.read_value(text).value]] += 1
for true, words in judged.items():
    no, n = words["impossible"], words.total()
    fit = "fits" if true else "does not fit"
    print(f"the true word {fit}: {dict(words)}")
    print(f"   impossible: {no} of {n}, {stats.wilson(no, n)}")

# %% [markdown]
# The **proposer** is better than it looks. More than half of its lines are no words of five letters: `stadium`, `telescope`,
# or a word of the clue itself. The reader drops them all. Of the rest, more than half are right.
#
# The **evaluator** is worse than it looks. Its replies are fluent, and they have the right form. But does it say
# "impossible" more often where the true word does *not* fit? Compare the two intervals: nothing of the kind can be seen. As
# a judge it is noise, and the search obeys it. (Questions about one board resemble each other, so the intervals are even a
# little too narrow.) Most of the states that it threw away had only right letters (exercise 4).
#
# Both fail for one reason. The paper's design makes the *letters* carry the state: `_ h _ _ e`. A model reads tokens, and
# a pattern of single letters is not how any word looks to it. GPT-4 coped. A small model does not.
#
# ## Letters, words, games
#
# How do the methods of the earlier chapters fare? All eight puzzles, five samples each. The puzzles are the clusters
# of the bootstrap ([chapter 3](03_io_and_verifiers.ipynb)).
#
# ### Predict: IO or CoT?
#
# The chain writes all ten words first, and then the rows. Does it help to think of the columns, too?


# %% tags=["set-up"]
# Letters, words and games of a method
def shares(solutions):
    """Means with intervals, puzzles as clusters."""
    scores = [s.scores for s in solutions]
    letters = [[x.parts["letters"] for x in each] for each in scores]
    words = [[x.parts["words"] for x in each] for each in scores]
    games = [[float(x.correct) for x in each] for each in scores]
    kinds = {"letters": letters, "words": words, "games": games}
    return {kind: stats.bootstrap(of) for kind, of in kinds.items()}


# %% tags=["predict"]
K, n = 5, len(puzzles)
io = [tot.solve(task, p, "io", lm=lm, k=K) for p in puzzles]
cot = [tot.solve(task, p, "cot", lm=lm, k=K) for p in puzzles]
lines = []
for name, solutions in {"IO": io, "CoT": cot}.items():
    first = solutions[0]
    print(f"{name}, {first.problem}:", *first.answers[:2], sep="\n   ")
    lines.append({"method": name, **shares(solutions)})
print(f"no game of {n}, by Wilson: {stats.wilson(0, n)}")
show.table(lines, caption=f"{lm.name}, {n} puzzles, {K} samples each")

# %% [markdown]
# (Where every game is lost a bootstrap has nothing to vary, and its interval has no width. The line above the table says
# what eight lost games can show.) A row that is not a word of five letters is left blank by the reader, hence the gaps.
#
# The chain is ahead. Compare puzzle by puzzle, and look at the game that it solves:


# %%
def mean_of(solution, part):
    return fmean(score.parts[part] for score in solution.scores)


for part in ("letters", "words"):
    both = zip(io, cot, strict=True)
    pairs = [[mean_of(c, part) - mean_of(i, part)] for i, c in both]
    print(f"{part}: CoT minus IO {stats.bootstrap(pairs)}")
good = next(s for s in cot if s.any)
at = [score.correct for score in good.scores].index(True)
print(f"\n{good.problem}, sample {at}, all right:")
print(good.result.best[at].state.last.text)

# %% [markdown]
# The difference is above zero on these eight puzzles; a bootstrap over so few is too narrow, so take it as a hint.
#
# Now read the solved one. The rows are right, all five, by knowledge alone. The *columns* are not even words of five letters. The
# chain did not notice, and nothing in it was checked against anything: a board is right when its rows are. Where one clue is too
# hard, there is no second way to the letters. That is what crossings are for, and why a search should help.
#
# ## The ablations, on the first puzzle
#
# **No pruning**: nothing is judged, every state is entered. **No backtracking**: the best candidate is taken again and
# again, and it may **overwrite** letters; there is no way back. Beside each output stands the **best state** of the same
# search, which only an oracle can pick.
#
# ### Predict: what does the first puzzle need?
#
# The evaluator is noise here. Will the search be better without it? And without the way back?

# %% tags=["predict"]
knobs = {"ToT-DFS": {}, "no pruning": {"prune": False}}
knobs |= {"no backtracking": {"backtrack": False}}
ablated = {name: search(problem, **knobs[name]) for name in knobs}


def right_letters(score):
    return round(25 * score.parts["letters"])


lines = []
for name, run in ablated.items():
    line = {"search": name, "output": run.answer}
    line |= {"right": right_letters(run.score)}
    lines.append(line | {"best state": right_letters(run.oracle)})
caption = f"{lm.name}: one puzzle, {STEPS} steps, letters of 25"
show.table(lines, caption=caption)

# %% tags=["predict"]
for name, first, last in (
    ("no pruning", 4, 18),
    ("no backtracking", 1, 7),
):
    print(name)
    visits = list(enumerate(ablated[name].result.visited, 1))
    for i, node in visits[first - 1 : last]:
        state = node.state
        right = "all right" if state.answer == problem.gold else ""
        print(f"  {i:2} {state.last.text:10} {state.answer} {right}")

# %% [markdown]
# One puzzle proves nothing about rates, but it shows three mechanisms.
#
# - **Without pruning the search finds the whole game, and does not show it.** It first walks down with `light`, reads off columns
#   that are no words, and is ten words deep. Then it goes back to `laser` and fills the board rightly, ten deep as well.
#   The *first* deepest state is the output. The paper saw the same with GPT-4: four games found, one shown.
# - **With pruning the right board was thrown away at once.** ToT had `place` as its fourth state. *"nicely does not fit, no
#   word with ni c. impossible."*
# - **Without backtracking it runs in a circle.** The model names `peril` for v2, where `relax` belongs; the word is right for h2.
#   ToT's reader refuses it, because it does not fit the letters. Here it is written over them: ARENA becomes APENA, h1 is
#   open again, `arena` is written over *that*, and so on to the last step.
#
# So part of the pruning never asks the model: a program compares letters, free of charge and without mistakes. Next to
# this model's evaluator it is by far the better judge.
#
# ## What a step costs
#
# Every visited state pays for its share of five propose replies, and for a verdict on each open clue. The same two
# puzzles for all methods:


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
        "best": fmean(s.oracle.parts["letters"] for s in runs),
        "tokens read": fmean(b.total.prompt_tokens for b in used),
        "written": fmean(b.total.completion_tokens for b in used),
        "rounds": fmean(b.rounds for b in used),
        "visited": fmean(b.nodes for b in used),
    }


# %%
bills = [bill("IO", "io"), bill("CoT", "cot")]
bills += [bill(f"CoT-SC, k={K}", "cot-sc", k=K)]
bills += [bill("ToT-DFS", "tot-dfs", steps=STEPS)]
mine, chain = bills[-1], bills[1]
for kind in ("tokens read", "written"):
    each = mine[kind] / mine["visited"]
    print(f"{kind}: {each:,.0f} a state, {100 * each:,.0f} for 100")
more = mine["written"] / chain["written"]
print(f"ToT-DFS wrote {more:.0f} times as many tokens as one chain")
caption = f"{lm.name}, means of two puzzles. best: an oracle"
show.table(bills, caption=caption)

# %% [markdown]
# **Table.** The search shows the most letters, for some two dozen times the tokens that a chain writes.
#
# On these two puzzles the search shows the most letters, more than the best of five chains, with an evaluator that is
# noise. How can that be? What is left is the rest of the design: confidences added up over replies, one word at a
# time, and a reader that refuses what does not fit. (Two puzzles are an example, not a rate.)
#
# Most of the price is *reading*: each question repeats the instructions and the examples. Servers that keep the beginning of a
# prompt make this cheap. They cannot help with the *rounds*: depth first, every state waits for the verdict on the one
# before. Breadth-first search asks for all its states in one round ([chapter 6](06_tot_bfs_game24.ipynb)).
#
# ## Summary
#
# - Depth-first search follows one branch to its end, and goes back when the evaluator says "impossible". It is ten lines.
# - Which state it outputs is a rule of its own: the first deepest one, with or without those that were pruned.
# - A thought must be something that the model can write *and* judge. Words of exactly five letters, and patterns of
#   letters, are what a model that reads tokens sees worst.
# - One false "impossible" ends a branch. Measure an evaluator before you allow it to prune. Here the search without it found
#   a whole game, and its output rule did not show it.
# - What a program can check, such as letters that must stay, needs no model.
# - A visited state costs many times more tokens read than written, and depth first, each state waits for the one before.
#
# The paper's GPT-4 got 78 % of the letters, 60 % of the words and 4 of 20 games. When such a search works, and how good its
# parts must be, is the subject of [part two](08_tot_study_crosswords.ipynb).
#
# ## Exercises
#
# ### Exercise 1: does the order matter?
#
# Shuffle `WORDS` of the toy a hundred times. Predict for the search with pruning: does the number of all visited states
# change? Does the visit at which the first solution turns up? And without pruning?
#
# <details><summary>Hint</summary>
#
# `G` and `V` read the global `WORDS`. Put another list there, and the old one back at the end.
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
        visited = []
        my_dfs(root, 1, children, V, T=3, v_th=v_th, visited=visited)
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
# ### Exercise 2: can the model count to five?
#
# How many letters have the words that the recorded model proposed? Predict the share with exactly five, which is what the
# prompt asked for.
#
# <details><summary>Hint</summary>
#
# `replies_to("generator", trees)` has all replies. A word stands between the clue's name and the bracket:
# `re.findall(r"[hv][1-5]\. (\w+)", text)`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
lengths = Counter()
for _, _, _, text in replies_to("generator", trees):
    words = re.findall(r"[hv][1-5]\. (\w+)", text)
    lengths.update(len(word) for word in words)
for letters, count in sorted(lengths.items()):
    share = count / lengths.total()
    print(f"{letters:2} letters: {count:3}  {share:.0%}")
# A model reads and writes tokens, not letters. To it, a word of five
# letters is one or two tokens, and their spelling is something it has
# to know by heart. The task asks of it what it cannot see.

# %% [markdown]
# ### Exercise 3: other output rules
#
# Read the recorded searches (those of `trees`, and the one without pruning) with four rules: the first deepest state, the
# last deepest, the one with the most letters on its board, and of the deepest the one whose words had the highest
# confidences in sum. For each, how many letters are right? How far ahead is the oracle?
#
# <details><summary>Hint</summary>
#
# `tree.result.visited` has the nodes in order; each has `depth` and `state.answer`. A thought's confidence is its `prior`.
# `task.verify(p, answer).parts["letters"]` is the share of right letters.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def right(p, answer):
    return right_letters(task.verify(p, answer))


def filled(node):
    return sum(letter.isalpha() for letter in node.state.answer)


def depth(node):
    return node.depth


def surest(node):
    priors = [thought.prior or 0 for thought in node.state.thoughts]
    return node.depth, round(fsum(priors), 9)


searches = [*trees, ablated["no pruning"]]
for tree in searches:
    p, nodes = task.problem(tree.problem), tree.result.visited
    rules = {
        "first deepest": max(nodes, key=depth),
        "last deepest": max(reversed(nodes), key=depth),
        "most letters": max(nodes, key=filled),
        "surest deepest": max(nodes, key=surest),
        "oracle": max(nodes, key=lambda n: right(p, n.state.answer)),
    }
    print(
        p.id, "with" if tree.params["prune"] else "without", "pruning"
    )
    for rule, node in rules.items():
        board = node.state.answer
        print(f"   {rule:14} {board}  {right(p, board):2} right")
# With pruning, depth and letters agree, and reach what the oracle
# reaches. Without pruning more than one board is ten deep. The last of
# them is right, and the sum of the confidences picks it, by a hair: one
# case proves nothing. Part two asks the question of a hundred simulated
# searches.

# %% [markdown]
# ### Exercise 4: what the evaluator threw away
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
# #### Solution 4

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
# ## Further reading
#
# - Section 4.3, table 3 and figure 6 of {cite}`yao2023tree`. Errata [E2 and C6](../book/errata.md) of this book check them.
# - What programs do that are made for crosswords: {cite}`ginsberg2011drfill`, {cite}`wallace2022automated`.
# - In the package: `tot/search/depth_first.py`, `tot/tasks/crosswords.py`, `tot/show/board.py`.
