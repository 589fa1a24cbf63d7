"""The log of Tree of Thoughts on the Game of 24, as states: and what each line of GPT-4's is, by the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property

from studies.authors.files import Log
from tot.parse import number, plain_operators
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import Numbers, apply, moves, read_step, solvable, without

Lines = tuple[str, ...]  # the lines of a state, in order


@dataclass(frozen=True)
class Line:
    """What a line is by the rules. ``kind`` is one of ``KINDS``; ``left``: the numbers left, for a step that is exact.

    ``refused``: why our reader does not take it, "" if it does.
    """

    kind: str
    left: Numbers | None = None
    refused: str = ""


LEGAL = "legal"
OTHER_FORM = "exact in another form"
ROUNDED = "rounded"
KINDS = (LEGAL, OTHER_FORM, ROUNDED, "wrong result", "operand is not there", "wrong numbers left", "no step")

_NUMBER = r"-?\d+(?:\.\d+|\s?/\s?\d+)?"
_OPERAND = rf"\(\s*{_NUMBER}\s*\)|-?\d+(?:\.\d+|/\d+)?"
_LOOSE = re.compile(
    rf"^\s*(?P<a>{_OPERAND})\s*(?P<op>[-+*/])\s*(?P<b>{_OPERAND})\s*(?P<equals>[=≈])\s*(?P<result>{_OPERAND})"
)
_ABOUT = re.compile(r"\(?\s*\b(?:approximately|approx|about|rounded)\b\.?\s*,?\s*\)?|~", re.IGNORECASE)


def value_of(text: str) -> Fraction | None:
    """A number, in brackets or not."""
    return number(re.sub(r"\s", "", text).strip("()"))


def listed(text: str) -> list[Fraction | None] | None:
    """The numbers after the last "left:"; None if there is no such list."""
    _, mark, rest = text.rpartition("left:")
    if not mark:
        return None
    inside = re.split(r"\)(?![\s,]*[-\d])|\]", rest)[0]
    return [value_of(piece) for piece in re.split(r"[\s,]+", inside.strip(" ()")) if piece]


def rounded_to(exact: Fraction, stated: str) -> bool:
    """Is ``stated`` the exact number, rounded or cut off in its last digit?"""
    found = number(stated)
    if found is None:
        return False
    digits = len(stated.partition(".")[2])
    return abs(found - exact) < Fraction(1, 10**digits)


@cache
def look_at(line: str, numbers: Numbers) -> Line:
    """One line, against the numbers that GPT-4 was shown. More patient than the reader of the task, and as exact."""
    read = read_step(line, numbers)
    if read.value is not None:
        return Line(LEGAL, read.value.left)
    text = plain_operators(line)
    hedged = bool(_ABOUT.search(text)) or "≈" in text
    text = _ABOUT.sub(" ", text)
    found = _LOOSE.match(text)
    if not found:
        return Line("no step", refused=read.why)
    a, b = value_of(found["a"]), value_of(found["b"])
    result = value_of(found["result"])
    if a is None or b is None or result is None:
        return Line("no step", refused=read.why)
    rest = without(numbers, a, b)
    if rest is None:
        return Line("operand is not there", refused=read.why)
    exact = apply(a, found["op"], b)
    if exact is None:
        return Line("no step", refused=read.why)
    if exact != result:
        near = rounded_to(exact, found["result"]) and (hedged or "." in found["result"])
        return Line(ROUNDED if near else "wrong result", refused=read.why)
    left, said = tuple(sorted((*rest, result))), listed(text)
    if said is None:  # a remark instead of the numbers left, such as that it is not a valid step
        return Line("no step", refused=read.why)
    if None in said or sorted(n for n in said if n is not None) != list(left):
        return Line("wrong numbers left", refused=read.why)
    return Line(OTHER_FORM, left, read.why)


def form(line: str) -> str:
    """What keeps an exact line from our reader."""
    if "≈" in line or _ABOUT.search(line):
        return "a sign of rounding before a result that needs none"
    return "another"


def meant_well(numbers: Numbers, line: str) -> bool:
    """Would a line that is no legal step have kept 24 in reach, had its arithmetic been right?"""
    found = _LOOSE.match(_ABOUT.sub(" ", plain_operators(line)))
    if not found:
        return False
    pair = (value_of(found["a"]), value_of(found["b"]))
    pairs = {pair, pair[::-1]} if found["op"] in "+*" else {pair}
    return any((step.a, step.b) in pairs and step.op == found["op"] and solvable(step.left) for step in moves(numbers))


@dataclass(frozen=True)
class Candidate:
    """A proposed state. ``value``: the logged sum of three verdicts, or None for a line that its parent had already."""

    x: str
    parent: Lines
    line: str
    value: float | None

    @property
    def path(self) -> Lines:
        return (*self.parent, self.line)

    @property
    def score(self) -> float:
        """The value by which the authors' search sorted it: a duplicate has 0."""
        return self.value or 0.0

    @cached_property
    def left(self) -> Numbers | None:
        """The numbers left after exact steps; None once a step of the path is illegal."""
        return after(self.x, self.path)

    @property
    def alive(self) -> bool:
        """Can 24 still be reached, by the rules?"""
        return self.left is not None and solvable(self.left)


def after(x: str, path: Sequence[str]) -> Numbers | None:
    numbers: Numbers | None = numbers_of(x)
    for line in path:
        if numbers is None:
            return None
        numbers = look_at(line, numbers).left
    return numbers


def shown_numbers(x: str, path: Lines) -> str:
    """The numbers that the authors' prompts show for a state: what its last line says is left."""
    return path[-1].split("left: ")[-1].split(")")[0] if path else x


@dataclass(frozen=True)
class Round:
    """One step of the search: the states of the beam, what was proposed, and what was kept."""

    parents: list[Lines]
    proposed: list[Candidate]
    kept: list[Lines]

    def replies(self) -> dict[Lines, list[str]]:
        """The lines of each parent's reply."""
        found: dict[Lines, list[str]] = {parent: [] for parent in self.parents}
        for one in self.proposed:
            found[one.parent].append(one.line)
        return found


@dataclass(frozen=True)
class Puzzle:
    """One puzzle's search. ``right``: what the authors' scorer said of each of the last states; ``bill``: tokens."""

    rank: int
    x: str
    rounds: list[Round]
    right: list[bool]
    bill: int = field(default=0)


def lines_of(text: str) -> Lines:
    """A logged state as its lines; each ends in a line break."""
    return tuple(text.split("\n")[:-1])


def read_log(log: Log) -> list[Puzzle]:
    """The log as puzzles. Raises ValueError where it does not have the form that it had when this was written."""
    puzzles, billed = [], 0
    for entry in log:
        rounds, x = [], str(entry["steps"][0]["x"])
        for step in entry["steps"]:
            depth = len(rounds)
            proposed: list[Candidate] = []
            seen: set[str] = set()
            for text, value in zip(step["new_ys"], step["values"], strict=True):
                path = lines_of(text)
                if len(path) != depth + 1 or (depth and path[:-1] not in map(lines_of, step["ys"])):
                    raise ValueError("a state of the Game-of-24 log does not continue one of the beam: another format?")
                proposed.append(Candidate(x, path[:-1], path[-1], None if text in seen else float(value)))
                seen.add(text)
            parents = list(map(lines_of, step["ys"])) if depth else [()]
            rounds.append(Round(parents, proposed, list(map(lines_of, step["select_new_ys"]))))
        total = int(entry["usage_so_far"]["completion_tokens"])
        puzzles.append(Puzzle(entry["idx"] + 1, x, rounds, [bool(i["r"]) for i in entry["infos"]], total - billed))
        billed = total
    return puzzles
