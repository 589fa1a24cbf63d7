# %% [markdown]
# # 4. Depth first, with undo
#
# You solve a small Sudoku in ink, on the only copy. When a digit turns out to be wrong you must rub it out, and with it
# everything that you had crossed off because of it, and **nothing else**. Can you get back to exactly the board that
# you had before?
#
# In chapter 8 a state never changes, so going back costs nothing and cannot go wrong. Programs that move a robot, edit
# files or fill in forms have one world and must undo. This assignment is about them.
#
# **Before you start**: chapters 5 and 8. **Time**: about a week. **100 points**: 80 by tests, 20 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | place and undo | 25 |
# | 2 | the search on one board | 30 |
# | 3 | add up confidences | 15 |
# | 4 | the same without recursion | 10 |
# | 5 | what does a wrong "impossible" cost? | 20 |

# %% given="set-up"
import copy
import re
from random import Random
from types import SimpleNamespace

from tot import stats

DIGITS, SIDE = (1, 2, 3, 4), range(4)
CELLS = [(r, c) for r in SIDE for c in SIDE]


def peers(cell):
    """The other cells of its row, its column and its box, in order."""
    r, c = cell
    return [(i, j) for i, j in CELLS if (i, j) != cell and (i == r or j == c or (i // 2, j // 2) == (r // 2, c // 2))]


def read(text):
    """A board: what stands in its cells, and what is left for the empty ones."""
    rows = text.split()
    cells = {(r, c): int(rows[r][c]) for r, c in CELLS if rows[r][c] != "."}
    left = {cell: set(DIGITS) - {cells.get(p) for p in peers(cell)} for cell in CELLS if cell not in cells}
    return SimpleNamespace(cells=cells, left=left)


def snapshot(board):
    """The board as a text, which nothing can change."""
    return " ".join("".join(str(board.cells.get((r, c), ".")) for c in SIDE) for r in SIDE)


def puzzle(seed, empty=11):
    """A board with so many empty cells and at least one solution."""
    rng = Random(seed)
    digits = rng.sample(DIGITS, 4)
    rows = [[0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0]]
    rows = [rows[i] for i in rng.choice([[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1]])]
    holes = set(rng.sample(CELLS, empty))
    return " ".join("".join("." if (r, c) in holes else str(digits[rows[r][c]]) for c in SIDE) for r in SIDE)


print(*puzzle(1).split(), sep="\n")

# %% [markdown]
# A board has two parts. `board.cells` says which digit stands where, such as `{(0, 1): 4}` for row 0, column 1.
# `board.left` says for each **empty** cell which digits its neighbours leave it, such as `{(0, 0): {1, 3}}`.
#
# ## Task 1: place and undo (25 points)
#
# Write `place(board, cell, digit)`, which writes a digit into an empty cell and crosses it off at its peers. It changes
# the board and returns whatever your `undo` will need. Write `undo(board, cell, changed)`, which takes the newest move
# back: afterwards the board is **equal** to what it was. Both parts of the board must stay right, and a peer may have
# lost the same digit to an earlier move. Moves are undone in the reverse of their order.
#
# `place` raises ValueError, and changes nothing, if the cell is not empty or the digit is not left for it.


# %% solution="place"
def place(board, cell, digit):
    """Write the digit; returns what ``undo`` needs."""
    ### BEGIN SOLUTION
    if cell not in board.left or digit not in board.left[cell]:
        raise ValueError(f"{digit} does not fit into {cell}")
    lost = [other for other in peers(cell) if digit in board.left.get(other, ())]
    changed = [*lost]
    before = board.left.pop(cell)
    board.cells[cell] = digit
    for other in lost:
        board.left[other].discard(digit)
    return digit, before, changed
    ### END SOLUTION


def undo(board, cell, changed):
    """Take the newest move, at this cell, back."""
    ### BEGIN SOLUTION
    digit, before, changed = changed
    del board.cells[cell]
    for other in changed:
        board.left[other].add(digit)
    board.left[cell] = before
    ### END SOLUTION


# %% test="1" points=10
board = read("1... .... .... ....")
before = copy.deepcopy(board)
token = place(board, (0, 1), 2)
assert board.cells[0, 1] == 2 and (0, 1) not in board.left
assert 2 not in board.left[0, 3] and 2 not in board.left[1, 0]
undo(board, (0, 1), token)
assert board == before

# %% hidden="1 there and back" points=15
# Hidden: random walks there and back, and moves that must be refused.
for seed in range(60):
    rng, board = Random(seed), read(puzzle(seed % 12))
    past = []
    while moves := [(c, d) for c in board.left for d in board.left[c]]:
        cell, digit = rng.choice(sorted(moves))
        before = copy.deepcopy(board)
        past.append((before, cell, place(board, cell, digit)))
        assert board == read(snapshot(board)), "left does not fit the digits on the board"
    while past:
        before, cell, token = past.pop()
        undo(board, cell, token)
        assert board == before, "the board is not what it was"
board = read("12.. .... .... ....")
for cell, digit in (((0, 0), 3), ((0, 2), 1), ((0, 2), 7)):
    before = copy.deepcopy(board)
    try:
        place(board, cell, digit)
    except ValueError:
        assert board == before, "a refused move left a mark"
    else:
        raise AssertionError(f"{digit} in {cell} should be refused")

# %% [markdown]
# ## Task 2: the search on one board (30 points)
#
# Write `dfs(board, propose, judge, threshold, limit, visited)`, Algorithm 2 on **one** board: there is no copy, and
# `propose` and `judge` are given the `board` of the call.
#
# - `propose(board)` gives the moves to try, `(cell, digit)`, best first. All of them can be placed.
# - For each move in turn: place it, add `snapshot(board)` to the list `visited`, and look at `judge(board)`. A child
#   whose value is **above** `threshold` is entered; another one is pruned, full or not. A child that is entered and has
#   all 16 cells filled is a solution: return its snapshot at once, also if it was the last that `limit` allowed.
# - When `len(visited)` has reached `limit`, no further move is placed, and the search returns None; so it does if
#   nothing is left to try.
#
# However it ends, the board is afterwards what it was before the call.


# %% solution="dfs"
def dfs(board, propose, judge, threshold, limit, visited):
    """The first solution as a snapshot, or None; the board is left as it was."""
    ### BEGIN SOLUTION
    for cell, digit in propose(board):
        if len(visited) >= limit:
            return None
        changed = place(board, cell, digit)
        visited.append(snapshot(board))
        value = judge(board)
        if value > threshold:
            try:
                if len(board.cells) == 16:
                    return snapshot(board)
                if found := dfs(board, propose, judge, threshold, limit, visited):
                    return found
            finally:
                undo(board, cell, changed)
        else:
            undo(board, cell, changed)
    return None
    ### END SOLUTION


# %% given="toys"
def fewest_first(board):
    """A proposer: the digits of the empty cell that has the fewest left."""
    cell = min(board.left, key=lambda c: (len(board.left[c]), c), default=None)
    return [(cell, digit) for digit in sorted(board.left.get(cell, ()))]


def in_order(board):
    """A worse proposer: the digits of the first empty cell."""
    cell = min(board.left, default=None)
    return [(cell, digit) for digit in sorted(board.left.get(cell, ()))]


def hope(board):
    """A judge: 0 if some empty cell has no digit left."""
    return float(all(board.left.values()))


# %% test="2" points=12
board, visited = read(puzzle(1)), []
found = dfs(board, in_order, hope, 0, 500, visited)
assert found and "." not in found and found == visited[-1]
assert dfs(read(puzzle(1)), in_order, hope, 0, 3, short := []) is None
assert short == visited[:3]


# %% hidden="2 left as it was" points=18
# Hidden: the order of visits, values at the threshold, and the board after every kind of end.
def slow(board, propose, judge, threshold, limit, visited):
    """The same search on copies."""
    for cell, digit in propose(board):
        if len(visited) >= limit:
            return None
        child = read(snapshot(board))
        child.cells[cell] = digit
        child = read(snapshot(child))
        visited.append(snapshot(child))
        if judge(child) > threshold:
            if len(child.cells) == 16:
                return snapshot(child)
            if done := slow(child, propose, judge, threshold, limit, visited):
                return done
    return None


def half(board):
    return 0.5 * hope(board)


def only(board, ask):
    """The proposer, or the judge, that is asked about this one board."""

    def asked(other):
        assert other is board, "this is another board"
        return ask(other)

    return asked


def picky(board):
    return float(hope(board) and len(board.cells) < 16)  # no full board is good enough


for seed in range(8):
    slow(read(puzzle(seed, 12)), in_order, hope, 0, 400, every := [])
    for propose, judge, threshold, limit in (
        (in_order, picky, 0, 150),
        (in_order, hope, 0, len(every)),
        (in_order, hope, 0, len(every) - 1),
        (in_order, hope, 0, 400),
        (fewest_first, hope, 0, 400),
        (in_order, hope, -1, 150),
        (in_order, half, 0.5, 50),
        (in_order, hope, 0, 4),
        (in_order, hope, 0, 0),
    ):
        board = read(puzzle(seed, 12))
        earlier = ["a visit of before the call"] * (seed % 3)  # these count, too
        limit = max(limit, len(earlier))  # the text says nothing of one that is passed before the call
        before, mine, theirs = copy.deepcopy(board), earlier[:], earlier[:]
        answer = dfs(board, only(board, propose), only(board, judge), threshold, limit, mine)
        assert answer == slow(read(puzzle(seed, 12)), propose, judge, threshold, limit, theirs)
        assert mine == theirs, "other states, or in another order"
        assert board == before, "the board is not what it was before the call"

# %% [markdown]
# ## Task 3: add up confidences (15 points)
#
# A model is asked several times, and each reply lists moves with a confidence: `r1c3 = 4 (high)`, rows and columns
# counted **from 1**. Confidences are certain 1, high 0.5, medium 0.2, low 0.1, as in chapter 8. Write `ranked(board,
# replies, k)`: the best `k` moves `(cell, digit)`, cells counted from 0 as everywhere else.
#
# - A line that has another form, a cell that is not empty, or a digit that is not left for it is passed over.
# - The confidences of a move are added up over all lines of all replies. Most first; of equals the move that was
#   written first. (Sums are equal if they are equal to nine digits.)


# %% solution="ranked"
def ranked(board, replies, k):
    """The k moves of most confidence, added up over the replies."""
    ### BEGIN SOLUTION
    weight = {"certain": 1.0, "high": 0.5, "medium": 0.2, "low": 0.1}
    form = r"\s*r([1-4])c([1-4])\s*=\s*([1-4])\s*\((certain|high|medium|low)\)\s*"
    total = {}
    for reply in replies:
        for line in reply.splitlines():
            if found := re.fullmatch(form, line):
                cell, digit = (
                    (int(found[1]) - 1, int(found[2]) - 1),
                    int(found[3]),
                )
                move, worth = (cell, digit), weight[found[4]]
                if digit in board.left.get(cell, ()):
                    total[move] = total.get(move, 0) + worth
    return sorted(total, key=lambda move: -round(total[move], 9))[:k]
    ### END SOLUTION


# %% test="3" points=7
board = read("1... .... .... ....")
replies = [
    "r1c2 = 2 (high)\nI am sure.",
    "r1c3 = 4 (certain)\nr1c1 = 2 (certain)",
]
assert ranked(board, replies, 5) == [((0, 2), 4), ((0, 1), 2)]

# %% hidden="3 sums and ties" points=8
# Hidden: sums, ties that floats get wrong, digits that are not left, and nonsense.
board = read("1... .... .... ....")
replies = [
    "r1c2 = 2 (low)\nr2c3 = 3 (medium)",
    "r1c2 = 2 (medium)\nr4c4 = 4 (certain)",
    "r2c3 = 3 (low)",
]
assert ranked(board, replies, 9) == [((3, 3), 4), ((0, 1), 2), ((1, 2), 3)]
assert ranked(board, replies, 1) == [((3, 3), 4)]
replies = [
    "r1c2 = 2 (low)\nr2c3 = 3 (high)",
    "r1c2 = 2 (medium)\nr2c3 = 3 (low)",
]
assert ranked(board, replies, 9) == [((1, 2), 3), ((0, 1), 2)]
replies = ["r2c3 = 3 (high)\nr1c2 = 2 (medium)\nr1c2 = 2 (medium)", "r1c2 = 2 (medium)"]
assert ranked(board, replies, 9) == [((0, 1), 2), ((1, 2), 3)], "three lines of 0.2 are more than one of 0.5"
assert ranked(board, [*replies, "r2c3 = 3 (low)"], 9) == [((1, 2), 3), ((0, 1), 2)], "and as much as 0.5 and 0.1"
replies = ["r1c2 = 2 (certain)", "r2c3 = 3 (high)", "r2c3 = 3 (high)\nr2c3 = 3 (low)"]
assert ranked(board, replies, 9) == [((1, 2), 3), ((0, 1), 2)], "1.1 is more than 1"
assert ranked(board, ["r1c2 = 2 (low)\nr1c2 = 3 (high)"], 9) == [((0, 1), 3), ((0, 1), 2)], "two digits for one cell"
nonsense = "r1c2 = 1 (certain)\nr5c1 = 2 (high)\nr1c2 = 9 (high)\nr1c2 = 2 (sure)\n" + "r" * 9999
nonsense += "\nso r1c2 = 2 (high)\nr1c2 = 2 (high) or r1c2 = 3 (high)"
assert ranked(board, [nonsense, ""], 9) == []

# %% [markdown]
# ## Task 4: the same without recursion (10 points)
#
# A recursion keeps its place in Python's own stack, which ends after a thousand calls or so. Write `dfs_stack`, with the
# arguments and the behaviour of `dfs`, and without calling itself. Keep a list of levels; each level holds the moves
# that are still to be tried there, and how to undo the move that led to it.


# %% solution="stack"
def dfs_stack(board, propose, judge, threshold, limit, visited):
    """``dfs`` without recursion."""
    ### BEGIN SOLUTION
    levels, answer = [(list(propose(board)), None, None)], None
    while levels:
        moves, cell, changed = levels[-1]
        if answer or not moves or len(visited) >= limit:
            levels.pop()
            if cell is not None:
                undo(board, cell, changed)
            continue
        move = moves.pop(0)
        token = place(board, *move)
        visited.append(snapshot(board))
        if judge(board) <= threshold:
            undo(board, move[0], token)
        elif len(board.cells) == 16:
            answer = snapshot(board)
            undo(board, move[0], token)
        else:
            levels.append((list(propose(board)), move[0], token))
    return answer
    ### END SOLUTION


# %% hidden="4" points=10
# Hidden: the visits of the recursive search, on copies, in every kind of end.
import sys


def on_copies(board, propose, judge, threshold, limit, visited):
    for cell, digit in propose(board):
        if len(visited) >= limit:
            return None
        rows = [list(row) for row in snapshot(board).split()]
        rows[cell[0]][cell[1]] = str(digit)
        child = read(" ".join(map("".join, rows)))
        visited.append(snapshot(child))
        if judge(child) > threshold:
            if len(child.cells) == 16:
                return snapshot(child)
            if done := on_copies(child, propose, judge, threshold, limit, visited):
                return done
    return None


def choosy(board):
    return hope(board) and len(board.cells) < 16


depths = []


def deep():
    depth, frame = 0, sys._getframe()
    while frame := frame.f_back:
        depth += 1
    depths.append(depth)
    return True


for seed in range(6):
    on_copies(read(puzzle(seed, 12)), in_order, hope, 0, 400, every := [])
    for propose, judge, threshold, limit in (
        (in_order, hope, 0, 400),
        (in_order, hope, 0, len(every)),
        (in_order, hope, 0, 7),
        (in_order, hope, 0, 0),
        (in_order, choosy, 0, 150),
        (fewest_first, hope, 0, 400),
        (in_order, hope, -1, 150),
        (in_order, lambda b: hope(b) / 2, 0.5, 50),
    ):
        board = read(puzzle(seed, 12))
        earlier = ["a visit of before the call"] * (seed % 3)
        limit = max(limit, len(earlier))
        before, mine, theirs = copy.deepcopy(board), earlier[:], earlier[:]
        answer = dfs_stack(board, propose, lambda b: deep() and b is board and judge(b), threshold, limit, mine)
        assert answer == on_copies(read(puzzle(seed, 12)), propose, judge, threshold, limit, theirs)
        assert mine == theirs and board == before
assert max(depths) - min(depths) < 4, "it calls itself"  # helpers may lie between

# %% [markdown]
# ## Task 5: what does a wrong "impossible" cost? (20 points, graded by a person)
#
# `doubting(rate)` makes a judge that calls a board impossible if `hope` does, and also, wrongly, with probability
# `rate` (always the same for the same board). Take forty puzzles with 12 empty cells, a limit of 16 visits, the
# proposer `in_order`, and rates from 0 to 0.3. How many puzzles are solved, and after how many visits, with pruning
# (threshold 0) and without (threshold -1)? Write at most 200 words: from which rate on would you rather not prune? Would a
# second opinion help, that is, prune only if **two** judges of the same rate say "impossible"? Give n and intervals, and
# compare on the same puzzles.


# %% given="doubting"
def doubting(rate, who="first"):
    """A judge that is wrongly pessimistic about this share of the boards."""

    def judge(board):
        wrong = Random(f"{who} {snapshot(board)}").random() < rate
        return 0.0 if wrong else hope(board)

    return judge


# %% solution="measure"
### BEGIN SOLUTION
def solve(rate, threshold, second=False):
    solved, visits = [], []
    for seed in range(40):
        one, two, visited = doubting(rate), doubting(rate, "second"), []
        judge = (lambda b: max(one(b), two(b))) if second else one
        done = dfs(read(puzzle(seed, 12)), in_order, judge, threshold, 16, visited)
        solved.append(bool(done))
        visits.append(len(visited))
    return solved, sum(visits) / 40


for rate in (0, 0.02, 0.05, 0.1, 0.2, 0.3):
    for name, threshold, second in (
        ("prune", 0, False),
        ("two", 0, True),
        ("never", -1, False),
    ):
        solved, visits = solve(rate, threshold, second)
        print(rate, name, stats.wilson(sum(solved), 40), visits)
print(stats.paired(solve(0.1, 0, True)[0], solve(0.1, 0)[0]))
### END SOLUTION

# %% [markdown] written="5" points=20
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
