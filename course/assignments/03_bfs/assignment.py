# %% [markdown]
# # 3. Breadth first, from scratch
#
# An eight-litre jug is full of water. Beside it stand two empty ones, for five litres and for three. Nothing has a
# scale. Can you measure out exactly four litres, and how many pours does it take?
#
# You could try it with a pencil. Here you let a model propose pours, let another one judge what came of them, and
# write the search that asks them both. The model is a **toy**: a script of ours that proposes nonsense among good
# pours and judges roughly. So nothing here measures a language model. It measures your search.
#
# **Before you start**: chapters 5 and 6. **Time**: about a week. **100 points**: 85 by tests, 15 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | read what a stranger proposes | 15 |
# | 2 | keep the best | 15 |
# | 3 | the search | 30 |
# | 4 | merge twins | 15 |
# | 5 | the bill, before you pay it | 10 |
# | 6 | how broad? | 15 |

# %% given="set-up"
import re
from hashlib import sha256

import tot
from tot import stats
from tot.parse import Read, bad
from tot.state import Node, State, Thought
from tot.testing import check_search

# %% [markdown]
# ## The puzzle
#
# A puzzle is a text: the jugs' sizes, what is in them, and the litres wanted in any one jug. A thought is one pour,
# `8 -> 5`, named by the jugs' sizes (no two jugs are equal). You pour until one of the two is full or empty. A state's
# amounts follow from its pours, so the program keeps the books and no model has to.

# %% given="jugs"
START = "jugs 8 5 3; amounts 8 0 0; wanted 4"


def numbers(text):
    return tuple(map(int, re.findall(r"\d+", text)))


def puzzle(x):
    """The sizes, the first amounts, and what is wanted."""
    sizes, amounts, wanted = map(numbers, x.split(";"))
    return sizes, amounts, wanted[0]


def pour(sizes, amounts, a, b):
    """The amounts after pouring from jug number a into jug b."""
    moved = min(amounts[a], sizes[b] - amounts[b])
    change = {a: -moved, b: moved}
    return tuple(n + change.get(i, 0) for i, n in enumerate(amounts))


def amounts_of(state):
    """What is in the jugs: the newest thought's data, or the start."""
    return state.last.data if state.last else puzzle(state.x)[1]


# %% [markdown]
# ## Task 1: read what a stranger proposes (15 points)
#
# A reply is a few lines of text. Write `read_pours(state, text)`. It returns a list with one entry for each line that
# is not blank:
#
# - `Read(thought)` for a pour that changes something: `thought.text` is `"8 -> 5"` with single spaces, whatever
#   spaces the line had; `thought.data` the amounts after it; `final=True` if some jug now holds the litres wanted,
#   and then `answer` is the text of the amounts, such as `"4 1 3"`;
# - `bad("not a pour", line)` for a line that is something else, or names a jug that is not there or twice the same;
# - `bad("pours nothing", line)` if the first jug is empty or the second one full.
#
# Nothing that a model writes may raise an error here.


# %% solution="read"
def read_pours(state, text):
    """One ``Read`` for each line that is not blank."""
    ### BEGIN SOLUTION
    sizes, _, wanted = puzzle(state.x)
    amounts, reads = amounts_of(state), []
    for line in filter(str.strip, text.splitlines()):
        found = re.fullmatch(r"\s*([0-9]{1,4})\s*->\s*([0-9]{1,4})\s*", line)
        pair = [int(n) for n in found.groups()] if found else []
        if not pair or pair[0] == pair[1] or not set(pair) <= set(sizes):
            reads.append(bad("not a pour", line))
            continue
        a, b = map(sizes.index, pair)
        if amounts[a] == 0 or amounts[b] == sizes[b]:
            reads.append(bad("pours nothing", line))
            continue
        after = pour(sizes, amounts, a, b)
        done = wanted in after
        answer = " ".join(map(str, after)) if done else None
        words = f"{pair[0]} -> {pair[1]}"
        reads.append(Read(Thought(words, after, answer, done)))
    return reads
    ### END SOLUTION


# %% test="1" points=7
start = State(START)
reads = read_pours(start, "8 -> 5\n\n  8->3 \nLet me think.")
assert [r.ok for r in reads] == [True, True, False], reads
assert [r.value.text for r in reads[:2]] == ["8 -> 5", "8 -> 3"]
assert [r.value.data for r in reads[:2]] == [(3, 5, 0), (5, 0, 3)]
assert reads[2].why == "not a pour"

# %% hidden="1 strangers" points=5
# Hidden: later states, finished states, full jugs, and what no model should write.
s = State(START)
for step in ("8 -> 5", "5 -> 3", "3 -> 8", "5 -> 3", "8 -> 5"):
    [r] = read_pours(s, step)
    assert r.ok and r.value.text == step and not r.value.final and r.value.answer is None, step
    s = s.then(r.value)
assert amounts_of(s) == (1, 5, 2)
[r] = read_pours(s, "5   ->   3")
assert r.value.final and r.value.answer == "1 4 3" and r.value.data == (1, 4, 3)
[r] = read_pours(State("jugs 9 5 4; amounts 9 0 0; wanted 5"), "9 -> 5")
assert r.value.final and r.value.answer == "4 5 0", "any jug will do"
[r] = read_pours(State("jugs 9 5 4; amounts 7 3 1; wanted 3"), "9 -> 4")
assert r.value.final and r.value.answer == "4 3 4", "one that was left alone, too"
[r] = read_pours(s, "8 -> 5")
assert not r.ok and r.why == "pours nothing", "the second jug is full"
[r] = read_pours(State(START), "5 -> 3")
assert not r.ok and r.why == "pours nothing", "the first jug is empty"
for text in (
    "8 -> 8",
    "8 -> 7",
    "-> 5",
    "8 - 5",
    "8 -> 5 -> 3",
    "pour 8 -> 5",
    "8 -> 5 now",
    "\ud800",
):
    [r] = read_pours(State(START), text)
    assert not r.ok and r.why == "not a pour", text[:20]
assert read_pours(State(START), " \n\n\t") == []
reads = read_pours(State(START), "8->3\nLet me think.\n" * 9)
assert [r.ok for r in reads] == [True, False] * 9, "an entry for each line"
[good, wrong, empty] = read_pours(State(START), "8->3\nLet me think.\n\n3 -> 5")
assert good.ok and (wrong.text.strip(), empty.text.strip()) == ("Let me think.", "3 -> 5"), "the line goes with it"
for x, step, after in (
    ("jugs 5 3; amounts 5 0; wanted 4", "5 -> 3", (2, 3)),
    ("jugs 12 9 5 2; amounts 12 0 0 0; wanted 6", "12 -> 2", (10, 0, 0, 2)),
    ("jugs 9 5 4; amounts 6 2 1; wanted 8", "4 -> 5", (6, 3, 0)),
):
    [r] = read_pours(State(x), step)
    assert r.ok and r.value.data == after and not r.value.final, "any number of jugs, and any amounts"

# %% hidden="1 five thousand digits" points=3
# Hidden: a number that is longer than Python's int() reads, and a digit (by its isdigit) that it does not read.
for text in ("8 -> " + "9" * 5000, "8 -> ²"):
    [r] = read_pours(State(START), text)
    assert not r.ok and r.why == "not a pour"

# %% [markdown]
# ## The toys that are asked
#
# The toy answers two kinds of question: which pours to try, and how near a state looks, from 0 to 10. It sees how far the
# nearest jug is from the litres wanted, and errs by a little. `parts()` makes a generator and an evaluator that ask it; the
# generator reads the replies with your `read_pours`.


# %% given="toys"
def ask_pours(state):
    return tot.user(f"pours {state.x}; now {amounts_of(state)}")


def ask_worth(state):
    return tot.user(f"worth {state.x}; now {amounts_of(state)}")


def luck(*what):
    return int.from_bytes(sha256(repr(what).encode()).digest()[:4], "big")


def toy(request, sample):
    asked = request.messages[-1].content
    sizes, _, (wanted, *_), now = map(numbers, asked.split(";"))
    if asked.startswith("worth"):
        near = min(abs(n - wanted) for n in now)
        return str(max(0, 10 - 2 * near - luck("judge", asked) % 3))
    pairs = [f"{a} -> {b}" for a in sizes for b in sizes if a != b]
    pairs = sorted(pairs, key=lambda p: luck("e", asked, p))
    return "\n".join(["I would try:", *pairs[:5]])


def read_worth(text):
    return Read(float(text)) if text.isdigit() else bad("no number", text)


def parts():
    """A fresh generator and a fresh evaluator, as in chapter 5."""
    generate = tot.generator(ask_pours, lambda s, t: read_pours(s, t))
    return generate, tot.value(ask_worth, read_worth, n=1)


def jugs(seed):
    """A puzzle of three jugs, the same on every machine."""
    big = 7 + luck("big", seed) % 6
    middle = 4 + luck("middle", seed) % (big - 5)
    small = 2 + luck("small", seed) % (middle - 2)
    wanted = 1 + luck("wanted", seed) % (big - 1)
    sizes = f"{big} {middle} {small}"
    return f"jugs {sizes}; amounts {big} 0 0; wanted {wanted}"


# %% [markdown]
# ## Task 2: keep the best (15 points)
#
# Write `keep(nodes, breadth)`: the `breadth` nodes with the highest `node.value`, best first. Of equal values the one
# that was generated first goes first, and the list that you were given stays as it was.


# %% solution="keep"
def keep(nodes, breadth):
    """The ``breadth`` nodes of highest value; ties keep their order."""
    ### BEGIN SOLUTION
    return sorted(nodes, key=lambda node: -node.value)[:breadth]
    ### END SOLUTION


# %% test="2" points=7
def valued(*values):
    root = Node(State(START))
    children = root.grow(Thought(str(i)) for i in range(len(values)))
    for node, value in zip(children, values):
        node.value = value
    return children


some = valued(2.0, 9.0, 5.0)
assert [n.value for n in keep(some, 2)] == [9.0, 5.0]
assert [n.value for n in some] == [2.0, 9.0, 5.0], "the list was changed"

# %% hidden="2 ties" points=8
# Hidden: ties, also among the children of two nodes, and a breadth that is larger than the list.
some = valued(1.0, 7.0, 7.0, 7.0, 3.0)
assert [n.state.last.text for n in keep(some, 2)] == ["1", "2"], "of equals the first generated comes first"
assert [n.state.last.text for n in keep(some, 9)] == ["1", "2", "3", "4", "0"]
first, second = Node(State(START)).grow(Thought(text) for text in "ab")
some = [*second.grow(map(Thought, "zxy")), *first.grow(map(Thought, "wv"))]  # not in the order of ids, nor of texts
for node in some:
    node.value = 5.0
assert [n.state.last.text for n in keep(some, 4)] == [*"zxyw"], "of equals the first generated comes first"
assert len(keep([], 3)) == 0
assert [n.value for n in keep(valued(-2.5, 7.2, 7.4, -3.0, 0.0), 4)] == [7.4, 7.2, 0.0, -2.5], "below 0"

# %% [markdown]
# ## Task 3: the search (30 points)
#
# Write `bfs(root, generate, evaluate, *, depth, breadth)`, a generator that asks and never calls a model. On each of at
# most `depth` levels:
#
# 1. finished nodes (`node.terminal`) stay in the beam and are not extended; if *all* of the beam is finished, or
#    empty, the search ends;
# 2. the others are extended, all by one `yield from generate(...)`, and all their children judged by one `yield from
#    evaluate(...)`: a level is two rounds, as chapter 5 counts them;
# 3. the finished nodes and the children, in this order, are cut back by your `keep`; if nothing is left, the search
#    ends; otherwise the beam is told with `yield tot.Best(beam)`.
#
# `check_search` of `tot.testing` holds it to the rules of chapter 5. It is worth reading what it says when it fails.


# %% solution="bfs"
def bfs(root, generate, evaluate, *, depth, breadth):
    """Breadth-first search; what it finds is in its ``Best`` events."""
    ### BEGIN SOLUTION
    frontier = [root]
    for _ in range(depth):
        open_ = [node for node in frontier if not node.terminal]
        finished = [node for node in frontier if node.terminal]
        if not open_:
            return
        children = yield from generate(open_)
        yield from evaluate(children)
        frontier = keep([*finished, *children], breadth)
        if not frontier:
            return
        yield tot.Best(frontier)
    ### END SOLUTION


# %% test="3" points=10
def search(x, how=None, **knobs):
    knobs = {"depth": 8, "breadth": 4} | knobs
    return (how or bfs)(Node(State(x)), *parts(), **knobs)


lm = tot.Scripted(toy, name="toy")
found = check_search(lambda: search(START), lm, budgets=20)
print([node.state.answer for node in found.best])
print("in", found.best[0].depth, "steps:", end=" ")
print(", ".join(t.text for t in found.best[0].state.thoughts))
assert tot.run(search(START, depth=3), lm).ledger.rounds == 6, "three levels are six rounds"


# %% hidden="3 the same" points=16
# Hidden: the same questions and the same beams on every level as the package's search, on thirty puzzles.
def beams(run):
    return [[(n["id"], n["value"]) for n in e["nodes"]] for e in run.trace.events if e["kind"] == "best"]


def counted(seed, how, knobs):
    """This search, and how often it hands each node on, to be extended (1) and to be judged (2)."""
    handed, (generate, evaluate) = [], parts()

    def generating(nodes):
        handed.extend((1, node.id) for node in nodes)
        return (yield from generate(nodes))

    def evaluating(nodes):
        handed.extend((2, node.id) for node in nodes)
        return (yield from evaluate(nodes))

    return how(Node(State(jugs(seed))), generating, evaluating, **knobs), handed


def gone(*_, **__):
    raise NameError("the package's own is taken away here, under every name")


def same(seed, lm, **knobs):
    search, expected = counted(seed, tot.bfs, knobs)
    theirs = tot.run(search, lm)
    package, tot.bfs.__code__ = tot.bfs.__code__, gone.__code__  # yours has to do without it
    try:
        search, handed = counted(seed, bfs, knobs)
        mine = tot.run(search, lm)
    finally:
        tot.bfs.__code__ = package
    assert not mine.error, mine.error
    assert beams(mine) == beams(theirs), (jugs(seed), knobs)
    assert mine.ledger.total.calls == theirs.ledger.total.calls
    assert sorted(handed) == sorted(expected), "a node is judged once, when it is new, and extended once"
    return mine


lm, ends = tot.Scripted(toy, name="toy"), []
there = Node(State(START).then(Thought("8 -> 5", (3, 5, 0), "3 5 0", True)))
assert tot.run(bfs(there, *parts(), depth=3, breadth=2), lm).ledger.total.calls == 0, "a finished root is not extended"
for seed in range(30):
    for breadth, depth in ((1, 3), (2, 6), (5, 8)):
        ends.append(any(n.terminal for n in same(seed, lm, breadth=breadth, depth=depth).best))
assert True in ends and False in ends


# %% hidden="3 dead ends" points=4
# Hidden: half of the states lead nowhere, so that a level may have no children.
def tired(request, sample):
    asked = request.messages[-1].content
    return "I give up." if asked.startswith("pours") and luck("tired", asked) % 2 else toy(request, sample)


for seed in range(30):
    same(seed, tot.Scripted(tired, name="tired"), breadth=1 + seed % 3, depth=8)

# %% [markdown]
# ## Task 4: merge twins (15 points)
#
# `8 -> 5`, `8 -> 3` and `8 -> 3`, `8 -> 5` end in the same jugs. Whatever can be done from the one can be done from
# the other, so two places in the beam are wasted, and two verdicts are paid for.
#
# Write `unseen(nodes, seen)`: the nodes whose amounts are not in the set `seen`, each amounts once (the first node
# keeps it), in their order; their amounts are added to `seen`. Then write `bfs_merged`, which is your `bfs` with one
# `seen` for the whole search, the root's amounts included, and as few rounds. Twins must be gone **before** the judge
# is asked.


# %% solution="merged"
def unseen(nodes, seen):
    """The nodes with new amounts; ``seen`` grows by these."""
    ### BEGIN SOLUTION
    new = []
    for node in nodes:
        if amounts_of(node.state) not in seen:
            seen.add(amounts_of(node.state))
            new.append(node)
    return new
    ### END SOLUTION


def bfs_merged(root, generate, evaluate, *, depth, breadth):
    """``bfs`` in which no amounts come up twice."""
    ### BEGIN SOLUTION
    frontier, seen = [root], {amounts_of(root.state)}
    for _ in range(depth):
        unfinished = [node for node in frontier if not node.terminal]
        finished = [node for node in frontier if node.terminal]
        if not unfinished:
            return
        children = yield from generate(unfinished)
        children = unseen(children, seen)
        yield from evaluate(children)
        frontier = keep([*finished, *children], breadth)
        if not frontier:
            return
        yield tot.Best(frontier)
    ### END SOLUTION


# %% test="4" points=7
seen = {(8, 0, 0)}
root = Node(State(START))
twins = root.grow(Thought(str(i), data) for i, data in enumerate([(3, 5, 0), (8, 0, 0), (5, 0, 3), (3, 5, 0)]))
assert [n.id for n in unseen(twins, seen)] == ["0.0", "0.2"]
assert seen == {(8, 0, 0), (3, 5, 0), (5, 0, 3)}
again = tot.run(bfs_merged(Node(State(START)), *parts(), depth=8, breadth=4), tot.Scripted(toy))
print([node.state.answer for node in again.best])
assert again.best and again.best[0].parent, "it found no states"


# %% hidden="4 before the judge" points=8
# Hidden: `unseen` alone; which amounts are handed to the judge, and the beams and rounds of a search that gets no
# twins at all, on thirty puzzles.
nodes = Node(State(START)).grow(Thought(str(n), (n, 0, 0)) for n in (7, 3, 7, 1, 3, 9))
known = {(9, 0, 0), (2, 0, 0)}
assert [n.id for n in unseen(nodes, known)] == ["0.0", "0.1", "0.3"] and not [*unseen(nodes, known)]
assert known == {(n, 0, 0) for n in (1, 2, 3, 7, 9)}


def merged(seed, breadth, how, fresh=False):
    """The beams of this search, and the amounts that it has judged; ``fresh``: twins never come to it."""
    (generate, evaluate), judged, known = parts(), [], {puzzle(jugs(seed))[1]}

    def generating(nodes):
        children = yield from generate(nodes)
        return [n for n in children if amounts_of(n.state) not in known and not known.add(amounts_of(n.state))]

    def evaluating(nodes):
        judged.extend(amounts_of(n.state) for n in nodes)
        yield from evaluate(nodes)

    root = Node(State(jugs(seed)))
    run = tot.run(how(root, generating if fresh else generate, evaluating, breadth=breadth, depth=8), tot.Scripted(toy))
    found = [[n["id"] for n in e["nodes"]] for e in run.trace.events if e["kind"] == "best"]
    return (found, run.ledger.rounds), judged, run.error


for seed in range(30):
    breadth = (1, 2, 5)[seed % 3]
    found, judged, error = merged(seed, breadth, bfs_merged)
    assert not error, error
    assert judged, "nothing was judged"
    assert puzzle(jugs(seed))[1] not in judged, "the root came up again"
    assert len(judged) == len(set(judged)), "the judge was asked twice about the same amounts"
    # the package's first: yours of task 3 may not be there yet
    same = any(found == merged(seed, breadth, how, fresh=True)[0] for how in (tot.bfs, bfs))
    assert same, "other states, or in other rounds"

# %% [markdown]
# ## Task 5: the bill, before you pay it (10 points)
#
# A search of this kind asks once for each node that it extends, and once for each child that is judged. Write
# `bill(kept, children)`. `kept[i]` is how many nodes were extended on level i, `children[i]` how many children they
# had; no level is empty. Return the pair (calls, rounds), as chapter 5 counts them.


# %% solution="bill"
def bill(kept, children):
    """(calls, rounds) of a breadth-first search."""
    ### BEGIN SOLUTION
    return sum(kept) + sum(children), 2 * len(kept)
    ### END SOLUTION


# %% test="5" points=4
assert bill([1, 3], [4, 9])[0] == 17
assert bill([1, 3], [4, 9])[1] == 4

# %% hidden="5 ledger" points=6
# Hidden: other shapes, among them one level and many.
for kept, children in (
    ([1], [6]),
    ([1, 4, 4], [6, 11, 12]),
    ([1] + [5] * 9, [3] + [20] * 9),
):
    asked = [1 for n in kept + children for _ in range(n)]
    assert tuple(bill(kept, children)) == (len(asked), len(kept + children))

# %% [markdown]
# ## Task 6: how broad? (15 points, graded by a person)
#
# Take thirty puzzles, `jugs(0)` to `jugs(29)`, and depth 8. For breadth 1, 2, 4 and 8, with twins merged and without,
# measure on how many puzzles the beam ends with an answer, and how many calls it took. Then write at most 200 words:
# which breadth would you take, and is merging worth its three lines? Give each share with n and an interval
# (`stats.wilson`), compare two searches on the same puzzles with `stats.paired`, and say what thirty puzzles
# cannot tell.

# %% solution="measure"
### BEGIN SOLUTION
lm = tot.Scripted(toy)
solved = {}
for how in (bfs, bfs_merged):
    for breadth in (1, 2, 4, 8):
        runs = [tot.run(search(jugs(i), how, breadth=breadth), lm) for i in range(30)]
        solved[how, breadth] = [any(n.terminal for n in run.best) for run in runs]
        calls = sum(run.ledger.total.calls for run in runs) / 30
        share = stats.wilson(sum(solved[how, breadth]), 30)
        print(f"{how.__name__:10} breadth {breadth}: {share}, {calls:.0f} calls")
print(stats.paired(solved[bfs_merged, 4], solved[bfs, 4]))
### END SOLUTION

# %% [markdown] written="6" points=15
# ### BEGIN SOLUTION
# See rubric.md: an answer is judged by its reasons, and there is more than one good one.
# ### END SOLUTION
