"""The verifiers against oracles that share no code with them: Game of 24 by Python, crosswords by hand."""

import ast
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random

from tot.tasks import task
from tot.tasks.base import Problem
from tot.tasks.game24_rules import read_step

from .tally import Tally


def once(rng: Random, tally: Tally, calls: int = 1500) -> None:
    for _ in range(calls):
        _game24(rng, tally)
        _step(rng, tally)
        _crossword(rng, tally)
    tally.counts["answers checked against an oracle"] += 3 * calls


# ---------------------------------------------------------------- Game of 24


def expression(rng: Random, numbers: list[int]) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    at = rng.randrange(1, len(numbers))
    left, right = expression(rng, numbers[:at]), expression(rng, numbers[at:])
    made = f"{left}{rng.choice([' ', ''])}{rng.choice('+-*/')}{rng.choice([' ', ''])}{right}"
    return f"({made})" if rng.random() < 0.8 else made


def exact(said: str) -> Fraction | None:
    """The value by Python's own parser, where every number is made a Fraction; None if it has none."""
    if not re.fullmatch(r"[\d+\-*/() ]+", said) or "//" in said or "**" in said:
        return None
    try:
        tree = ast.parse(said.strip(), mode="eval")
        code = re.sub(r"\d+", lambda digits: f"Fraction({int(digits[0])})", said.strip())
        signed = any(isinstance(node, ast.UnaryOp) for node in ast.walk(tree))
        return None if signed else eval(code, {"Fraction": Fraction})  # digits, + - * / and brackets: see above
    except (SyntaxError, ZeroDivisionError, TypeError, ValueError):
        return None


@cache
def solved() -> list[tuple[list[int], str]]:
    """Puzzles with an expression that makes 24, found by chance."""
    rng, found = Random(24), []
    while len(found) < 40:
        numbers = [rng.randrange(1, 14) for _ in range(4)]
        if exact(said := expression(rng, numbers)) == 24:
            found.append((numbers, said))
    return found


def _game24(rng: Random, tally: Tally) -> None:
    numbers = [rng.randrange(1, 14) for _ in range(4)]
    used = list(numbers)
    rng.shuffle(used)
    if rng.random() < 0.2:
        used[rng.randrange(4)] = rng.randrange(1, 25)
    said = expression(rng, used)
    if rng.random() < 0.2:
        numbers, said = rng.choice(solved())
    if rng.random() < 0.15:  # a typing error
        at = rng.randrange(len(said) + 1)
        said = said[:at] + rng.choice("0123456789+-*/() ") + said[at + rng.randrange(2) :]
    value = exact(said)
    right = value == 24 and Counter(map(int, re.findall(r"\d+", said))) == Counter(numbers)
    if re.search(r"\b0\d|^\s*\*|\*\s*$", said):
        return  # Python refuses 04; we need not, and stars around an answer are bold print
    one = task("game24")
    got = one.verify(one.problem(" ".join(map(str, numbers))), said)
    tally.need(got.correct == right, f"{numbers}: {said!r} is {value}, and verify says {got}")
    tally.counts["answers that are right"] += right


def _step(rng: Random, tally: Tally) -> None:
    there = [Fraction(rng.randrange(1, 14), rng.choice((1, 1, 1, 2))) for _ in range(rng.randrange(2, 5))]
    a, b = rng.sample(there, 2) if rng.random() < 0.8 else (Fraction(rng.randrange(14)), rng.choice(there))
    op = rng.choice("+-*/")
    value = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b if b else None}[op]()
    said = value if value is not None and rng.random() < 0.8 else Fraction(rng.randrange(30))
    rest = Counter(there)
    held = not Counter([a, b]) - rest
    left = sorted([*(rest - Counter([a, b])).elements(), said])
    right = held and value is not None and said == value
    line = f"{a} {op} {b} = {said} (left: {' '.join(map(str, left))})"
    got = read_step(line, tuple(sorted(there)))
    tally.need(got.ok == right, f"from {there}: {line!r} was read as {got}")
    tally.need(not got.ok or list(got.value.left) == left, f"from {there}: {line!r} leaves {got}")


# ---------------------------------------------------------------- crosswords


def _crossword(rng: Random, tally: Tally) -> None:
    gold = ["".join(rng.choices("abcde", k=5)) for _ in range(5)]
    said = [list(row) for row in gold]
    for _ in range(rng.choice((0, 0, 1, 3, 12))):
        said[rng.randrange(5)][rng.randrange(5)] = rng.choice("abcde_")
    columns = [["".join(rows[i] for rows in board) for i in range(5)] for board in (gold, said)]
    letters = sum(said[i][j] == gold[i][j] for i in range(5) for j in range(5)) / 25
    rows = sum("".join(said[i]) == gold[i] for i in range(5))
    words = (rows + sum(a == b for a, b in zip(*columns, strict=True))) / 10
    upper = " ".join("".join(row).upper() for row in said)
    problem = Problem("x", "x", " ".join(gold).upper())
    got = task("crosswords").verify(problem, upper)
    same = got.correct == (letters == 1) and got.parts == {"words": words, "letters": letters}
    tally.need(same, f"{gold} and {upper}: {got}, not {words} and {letters}")
