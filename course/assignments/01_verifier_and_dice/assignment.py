# %% [markdown]
# # 1. A verifier, and dice
#
# In a game show a contestant gets a few numbers and a target: 3, 7, 8 and 25, make 172. Each number may be used once,
# and none has to be used. "Seven times twenty-five, less three", says the contestant. Is that right? And if somebody
# found 4 of 60 targets, is that skill, or would dice have done the same?
#
# In chapter 3 you met both questions for the Game of 24. Here the rules differ, so the verifier and the dice differ.
#
# **Before you start**: chapters 1 to 3. **Time**: about a week. **100 points**: 80 by tests, 20 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | read the answer out of a reply | 15 |
# | 2 | a verifier that runs nothing | 30 |
# | 3 | the chance of dice, exactly | 20 |
# | 4 | what a leaky check is worth | 15 |
# | 5 | skill or dice? | 20 |

# %% given="set-up"
import ast
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

from tot import stats

# %% [markdown]
# ## Task 1: read the answer (15 points)
#
# Replies look like `Let me see, 7 * 25 = 175.\nAnswer: 7 * 25 - 3 = 172`. Write `read_answer(reply)`:
#
# - it takes the **last** line that begins with "Answer:" (in capitals or not, spaces before it are fine);
# - it cuts off "Answer:", and everything from the first "=" on, and the spaces around what is left;
# - it puts `*` for `×`, `/` for `÷` and `-` for `−`;
# - it returns None if there is no such line, or if nothing is left.


# %% solution="read"
def read_answer(reply):
    """The expression that a reply answers with, or None."""
    ### BEGIN SOLUTION
    found = None
    for line in reply.splitlines():
        if line.strip().lower().startswith("answer:"):
            found = line.strip()[len("answer:") :]
    if found is None:
        return None
    plain = found.translate(str.maketrans("×÷−", "*/-"))
    return plain.split("=")[0].strip() or None
    ### END SOLUTION


# %% test="1" points=8
assert read_answer("7 * 25 = 175.\nAnswer: 7 * 25 - 3 = 172") == "7 * 25 - 3"
assert read_answer("answer: 7 × 25 − 3") == "7 * 25 - 3"
assert read_answer("I do not know.") is None

# %% hidden="1 odd replies" points=7
# Hidden: several answers, an empty one, nothing at all.
assert read_answer("Answer: 1 + 1\nNo, wait.\n  ANSWER: 8 ÷ 2 = 4 = 4\nDone.") == "8 / 2"
assert read_answer("Answer:7*25=175") == "7*25", "spaces are as they come"
assert read_answer("Answer:") is None and read_answer("Answer: = 172") is None
assert read_answer("Answer: 8 / 2\nAnswer:\nDone.") is None, "the last such line counts, and it ends where it ends"
assert read_answer("") is None and read_answer("My answer: 3") is None
assert read_answer("Answer: 1 + 2\nAnswer 3 was wrong\nAnswers: 4") == "1 + 2", "a colon follows"

# %% [markdown]
# ## Task 2: a verifier that runs nothing (30 points)
#
# Write `check(numbers, target, answer)`. It returns the pair (right or not, why), where why is a short text that is
# empty only for a right answer. The rules of the show:
#
# - only whole numbers in decimal digits, `+`, `-`, `*`, `/` and brackets;
# - each of the `numbers` at most as often as it is there;
# - **every** result on the way is a whole number above zero: `3 - 7` is out, and so is `7 / 3`, even if the end is fine;
# - the end is the target.
#
# An answer is text from a stranger, or None. Whatever it is, `check` runs none of it (no `eval`) and raises no error.
# Parse it with `ast`, as in chapter 3. `numbers` stays as it is. (A text nested a few hundred brackets deep may be
# refused, and what Python's parser reads beyond the first rule, `1_72`, `0xac` or a comment, may be let through.)


# %% solution="check"
def check(numbers, target, answer):
    """(right or not, why not)"""
    ### BEGIN SOLUTION
    used = []

    def worth(node, used):
        match node:
            case ast.Constant(value=number) if type(number) is int:
                used.append(number)
                found = Fraction(number)
            case ast.BinOp(left, op, right):
                a, b = worth(left, used), worth(right, used)
                match op:
                    case ast.Add():
                        found = a + b
                    case ast.Sub():
                        found = a - b
                    case ast.Mult():
                        found = a * b
                    case ast.Div():
                        found = a / b
                    case _:
                        raise ValueError("another operation")
            case _:
                raise ValueError("neither number nor operation")
        if found.denominator != 1 or found <= 0:
            raise ValueError("not a whole number above zero")
        return found

    try:
        value = worth(ast.parse(answer.strip(), mode="eval").body, used)
    except (
        SyntaxError,
        ValueError,
        ArithmeticError,
        RecursionError,
        MemoryError,
        AttributeError,
    ) as problem:
        return False, f"cannot be read: {type(problem).__name__}"
    if Counter(used) - Counter(numbers):
        return False, "a number that is not there"
    if value != target:
        return False, f"comes to {value}"
    return True, ""
    ### END SOLUTION


# %% test="2" points=10
CARDS = [3, 7, 8, 25]
assert check(CARDS, 172, "7 * 25 - 3") == (True, "")
for wrong in ("7 * 25 - 8", "7 * 25", "hello", "", "2 * 86"):
    right, why = check(CARDS, 172, wrong)
    assert not right and why, wrong

# %% hidden="2 the rules" points=10
# Hidden: fractions and negative numbers on the way, numbers used too often, unused numbers, the same hand again.
show = [3, 7, 8, 25]
assert all(check(show, 172, "7 * 25 - 3")[0] for _ in range(2)), "the numbers are still there in the next round"
assert check([3, 7, 8, 25], 25, "25")[0] and check([4, 4, 2], 8, "4 * 4 / 2")[0]
assert check([9, 3, 5], 15, "(9 / 3) * 5")[0]
assert check([7, 6, 9], 10, "(7 - 6) + 9")[0], "1 is a whole number above zero"
for numbers, target, answer in (
    ([7, 3, 3], 7, "7 / 3 * 3"),
    ([7, 3], 2, "7 / 3"),
    ([8, 3, 5], 8, "8 / 3 + 5"),
    ([3, 7, 9], 5, "3 - 7 + 9"),
    ([5, 5, 9], 9, "5 - 5 + 9"),
    ([4, 6, 8], 16, "4 * 4"),
    ([2, 3], 6, "2 + 2 + 2"),
):
    assert not check(numbers, target, answer)[0], answer

# %% hidden="2 strangers" points=8
# Hidden: code, powers, names, True, and texts that no parser likes.
import builtins

ran = ast.ran = []  # in a module, so that your own names can reach it
runners = builtins.eval, builtins.exec


def watched(run):
    def first_looks(code, *names, **more):  # imports and dataclasses run code of their own
        if (isinstance(code, str) and "25" in code) or 172 in getattr(code, "co_consts", ()):
            ran.append(code)
        return run(code, *names, **more)

    return first_looks


try:
    builtins.eval, builtins.exec = map(watched, runners)
    right, why = check([3, 7, 8, 25], 172, "7 * 25 - 3")
finally:
    builtins.eval, builtins.exec = runners
assert right, "what follows is refused, and this is not"
for answer in (
    "ast.ran.append(1)",
    "[ast.ran.append(1), 172][1]",
    "__import__('os').getpid()",
    "2 ** 10",
    "172.0",
    "1_72",
    "True * 172",
    "0xac",
    "-172 * -1",
    "(" * 400 + "172" + ")" * 400,
    "172\x00",
    "9" * 5000,
    "\ud800",
    "8 / 0",
    "172 = 5",
    "172 == 172",
    "172 # the judge says: correct",
    None,
):
    right, why = check([172, 1, 8, 2, 10, 9], 172, answer)
    if answer not in (
        "1_72",
        "0xac",
        "(" * 400 + "172" + ")" * 400,
        "172 # the judge says: correct",
    ):  # the text leaves these open
        assert not right and why, answer
assert ran == [], "something of the answer was run"
for target, answer in ((8, "2 ** 3"), (1, "3 // 2"), (1, "3 % 2"), (1, "2 ^ 3"), (2, "2 & 3"), (16, "2 << 3")):
    assert not check([2, 3], target, answer)[0] and not check([3, 2], target, answer)[0], answer

# %% hidden="2 a long sum" points=2
# Hidden: a sum of some thousand ones, at which Python's own parser, or a recursion, gives up.
right, why = check([1, 1], 2, "1" + " + 1" * 5000)
assert not right and why
assert check([1, 1], 2, "1 + 1")[0], "the sum of two"

# %% [markdown]
# ## Task 3: the chance of dice, exactly (20 points)
#
# A blind player plays like this: as long as two numbers or more are left, list all legal moves and throw a fair die
# among them. A move takes two of the numbers by their **places** (equal numbers at different places are different) and
# replaces them by one result. For a pair with the larger number a and the smaller b (or equal) the legal results are
# `a + b` and `a * b`, then `a - b` if it is not 0, and `a / b` if it is whole, in all two to four moves for a pair. The
# player wins as soon as a move **produces** the target, and stops there; who has one number left and no target has lost.
#
# Write `luck(numbers, target)`, the exact chance of winning as a `Fraction`. The target is none of the numbers dealt.


# %% solution="luck"
def luck(numbers, target):
    """The blind player's chance, as a Fraction."""
    ### BEGIN SOLUTION
    if len(numbers) < 2:
        return Fraction(0)
    moves = []
    for i, j in combinations(range(len(numbers)), 2):
        a, b = max(numbers[i], numbers[j]), min(numbers[i], numbers[j])
        rest = [n for k, n in enumerate(numbers) if k not in (i, j)]
        results = [a + b, a * b]
        results += [a - b] if a != b else []
        results += [a // b] if a % b == 0 else []
        moves += [[*rest, result] for result in results]
    total = Fraction(0)
    for after in moves:
        if target in after:
            total += 1
        else:
            total += luck(after, target)
    return total / len(moves)
    ### END SOLUTION


# %% test="3" points=8
# 2 and 6: the moves give 8, 12, 4 and 3, and one of the four is 12
assert luck([2, 6], 12) == Fraction(1, 4)
assert abs(luck([5, 5], 25) - Fraction(1, 3)) < 1e-12  # 10, 25 and 1

# %% hidden="3 exact" points=12
# Hidden: targets that turn up on the way, equal numbers, pairs with more moves than others.
assert isinstance(luck([2, 6, 11], 66), Fraction) and luck([7], 8) == 0
assert luck([2, 2], 4) == Fraction(2, 3), "2 + 2 and 2 * 2 are two moves"
assert luck([3, 3, 5], 15) == Fraction(2, 9), "either 3 may be taken"


def odds(dealt, goal):
    """Forwards, throw by throw: which hands there may be, and how likely each of them is."""
    hands, won = {tuple(dealt): Fraction(1)}, Fraction(0)
    while hands:
        after = Counter()
        for hand, chance in hands.items():
            moves = []
            for i, j in combinations(range(len(hand)), 2):
                b, a = sorted((hand[i], hand[j]))
                rest = tuple(n for k, n in enumerate(hand) if k not in (i, j))
                moves += [(v, rest) for v in (a + b, a * b, a - b, Fraction(a, b)) if v > 0 and v == int(v)]
            for v, rest in moves:
                after[(*rest, v) if v != goal else goal] += chance / len(moves)
        won += after.pop(goal, 0)
        hands = after
    return won


for dealt, goal in (([2, 6, 11], 66), ([2, 6, 11], 8), ([3, 4, 5], 60), ([1, 2, 3, 4], 10)):
    assert luck(dealt, goal) == odds(dealt, goal), (dealt, goal)

# %% [markdown]
# ## Task 4: what a leaky check is worth (15 points)
#
# Suppose nobody can check exactly. A model is right with probability `p`; a check lets a wrong answer through with
# probability `leak` and throws a right one out with probability `miss`. You draw up to k answers, independently, and
# hand in the **first that the check accepts**; if it accepts none of the k, you hand in nothing.
#
# Write `leaky(p, leak, miss, k)`: the three probabilities (a right answer, a wrong answer, nothing), as a tuple.
# Each of `p`, `leak` and `miss` may be 0 or 1.


# %% solution="leaky"
def leaky(p, leak, miss, k):
    """(right, wrong, nothing) for the first of k that is accepted."""
    ### BEGIN SOLUTION
    right = p * (1 - miss)
    wrong = (1 - p) * leak
    none = 1 - right - wrong
    tries = sum(none**i for i in range(k))
    return right * tries, wrong * tries, none**k
    ### END SOLUTION


# %% test="4" points=6
from math import isclose

right, wrong, none = leaky(0.2, 0.1, 0.0, 1)
assert isclose(right, 0.2) and isclose(wrong, 0.08) and isclose(none, 0.72)

# %% hidden="4 best of k" points=7
# Hidden: an exact check is pass at k, a check that accepts all is a single answer, and it adds up to one.
for p in (0.03, 0.3, 0.9):
    for k in (1, 5, 40):
        right, wrong, none = leaky(p, 0.0, 0.0, k)
        assert isclose(right, 1 - (1 - p) ** k) and isclose(wrong, 0, abs_tol=1e-9)
        assert all(map(isclose, leaky(p, 1.0, 0.0, k)[:2], (p, 1 - p)))
        assert isclose(sum(leaky(p, 0.2, 0.1, k)), 1)
right, wrong, _ = leaky(0.03, 0.05, 0.1, 300)
assert isclose(right / (right + wrong), 0.027 / (0.027 + 0.0485), rel_tol=1e-6)
assert all(map(isclose, leaky(0.5, 0.2, 0.4, 2), (0.48, 0.16, 0.36))), "two tries, on paper"

# %% hidden="4 all or nothing" points=2
# Hidden: a check that accepts none of the answers, and one that accepts all.
for p, leak, miss, three in ((0, 0, 0, (0, 0, 1)), (0.3, 0, 1, (0, 0, 1)), (1, 0, 0, (1, 0, 0)), (0, 1, 0, (0, 1, 0))):
    assert all(isclose(a, b, abs_tol=1e-9) for a, b in zip(leaky(p, leak, miss, 5), three, strict=True))

# %% [markdown]
# ## Task 5: skill or dice? (20 points, graded by a person)
#
# Below are sixty rounds and the answers of three contestants, made by a program: one throws dice, one knows a little,
# one writes nicely. In at most 200 words: who plays better than dice? Use your own functions for

# - how many answers of each are right, with `stats.wilson`;
# - how many dice would be expected to get (sum your `luck`);
# - and one number that says how surprising the difference is. (The successes of dice in sixty rounds of different
#   chances can be added up exactly, or thrown ten thousand times.)
#
# Then say what a check that leaks one wrong answer in twenty (task 4) would have made of the second contestant.


# %% given="contestants"
def rounds(n=60):
    """(numbers, target) of each round; every target can be reached."""
    made = []
    for seed in range(n):
        rng = Random(seed)
        dealt = [rng.randint(2, 12) for _ in range(3)] + [rng.choice([25, 50])]
        a, b, c = Random(f"{seed}").sample(dealt, 3)
        made.append((dealt, a * b + c))
    return made


def contestant(kind, dealt, target, seed):
    """A reply. Made by a program that may know how the target came about."""
    rng = Random(f"{kind} {seed}")
    a, b, c = Random(f"{seed}").sample(dealt, 3)
    if kind == "knows a little" and rng.random() < 0.15:
        return f"I see it.\nAnswer: {a} * {b} + {c} = {target}"
    if kind == "writes nicely":
        x, y, z = rng.sample(dealt, 3)
        return f"Answer: {target}" if rng.random() < 0.3 else f"Answer: {x} × {y} − {z} = {target}"
    hand = [(n, str(n)) for n in dealt]  # the blind player of task 3
    while len(hand) > 1 and hand[-1][0] != target:
        moves = []
        for i, j in combinations(range(len(hand)), 2):
            (x, more), (y, less) = sorted((hand[i], hand[j]), reverse=True)
            rest = [one for k, one in enumerate(hand) if k not in (i, j)]
            for sign, result in zip("+*-/", (x + y, x * y, x - y, x / y), strict=True):
                if result > 0 and result == int(result):
                    moves.append([*rest, (int(result), f"({more} {sign} {less})")])
        hand = rng.choice(moves)
    return f"Answer: {hand[-1][1]}"


replies = {
    kind: [contestant(kind, *one, seed) for seed, one in enumerate(rounds())]
    for kind in ("throws dice", "knows a little", "writes nicely")
}

# %% solution="measure"
### BEGIN SOLUTION
chances = [float(luck(dealt, target)) for dealt, target in rounds()]
print(f"dice expect {sum(chances):.1f}")
ways = [1.0]
for p in chances:
    ways = [a * (1 - p) + b * p for a, b in zip([*ways, 0], [0, *ways], strict=True)]
for kind, said in replies.items():
    hits = sum(check(*one, read_answer(reply))[0] for one, reply in zip(rounds(), said, strict=True))
    print(f"{kind}: {stats.wilson(hits, 60)}, {hits} right, dice as lucky: {sum(ways[hits:]):.2g}")
print("behind a leaky check, best of 10:", leaky(0.2, 0.05, 0, 10))
### END SOLUTION

# %% [markdown] written="5" points=20
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
