"""A step of the Game of 24 as a model states it: read, and believed without a check.

The authors' code believes every line of a proposal and takes what it says is left for the next prompt. We believe a
line that has the form of a step, and look at it more closely only to measure how often that is wrong
(``legal_steps``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from ..parse import Read, bad, number, plain_operators
from ..reply import WIDE, pattern, rewritten
from .game24_rules import MAX_LINE, Numbers, Step, read_step


@dataclass(frozen=True)
class Believed:
    """A step that nobody checked: ``text`` is the line, ``shown`` the numbers left as the model wrote them.

    ``left`` has the same numbers as fractions, sorted: a rounded decimal stays rounded.
    """

    text: str
    shown: str
    left: Numbers
    certain: ClassVar = False  # so a step at which a reply was cut off may have become another

    def __str__(self) -> str:
        return self.text


_SIGNS = WIDE | str.maketrans("﹣﹢✕✖➕➖➗", "-+**+-/")


@lru_cache(maxsize=1024)  # several readers look at one line
def plain_line(line: str) -> str:
    """``line`` with ASCII digits and operators and single spaces, without markup, list marks and signs of rounding."""
    return rewritten(plain_operators(line.translate(_SIGNS)), "step")


def read_believed(line: str, there: str) -> Read[Believed]:
    """A proposed step, believed as it is stated; a failed read for a line that has not the form of one.

    ``there``: the numbers before it, "4 9 10 13". What the line says is left counts, whatever its equation says. Where
    it says nothing, the program keeps count as far as it can: the operands are taken out of ``there``, and the stated
    result is put in, right or wrong. If an operand is not there, nobody knows what is left, and the line is not read.
    """
    text = plain_line(line) if len(line) <= MAX_LINE else ""
    form = pattern("step_operation").search(text)
    if not form:
        return bad("not a step", line)
    equation = pattern("step_equation").search(text)
    end = equation.end() if equation else form.end()
    said = pattern("step_left").search(text[end:]) or (pattern("step_arrow").match(text[end:]) if equation else None)
    words: list[str] | None = pattern("step_number").findall(said[1]) if said else []
    if equation:
        a, op, b, result = (part.strip("() ") for part in equation.groups())
        step, before = f"{a} {op} {b} = {result}", text[: equation.start()].strip()
        if not said and (before == "" or before.endswith(":")):  # not an equation in the middle of a sentence
            words = _without(there.split(), a, b)
            if words is None:
                return bad("operand is not there, and what is left is not stated", line)
            words = sorted([*words, result], key=_value)
    else:
        step = text[: end + said.start()].rstrip(" ,;:([|") if said else ""
    if not words or any(number(word) is None for word in words):
        return bad("not a step", line)
    shown = " ".join(words)
    return Read(Believed(f"{step} (left: {shown})", shown, tuple(sorted(map(_value, words)))), text=text)


def legal_steps(steps: Sequence[Believed | Step], numbers: Numbers) -> tuple[list[Step], str]:
    """Those of ``steps`` from ``numbers`` that come before the first illegal one, and what is wrong with that; else "".

    Exact: a rounded result is wrong arithmetic. The search does not ask this where steps are believed; a study may.
    """
    legal: list[Step] = []
    for each in steps:
        step = read_step(str(each), legal[-1].left if legal else numbers)
        if step.value is None:
            return legal, step.why
        legal.append(step.value)
    return legal, ""


def _value(word: str) -> Fraction:
    """The number that ``word`` writes; 0 for "5/0", which is none."""
    return number(word) or Fraction(0)


def _without(words: Sequence[str], *used: str) -> list[str] | None:
    """``words`` without one of equal value for each of ``used``; None if they are not all there."""
    rest = list(words)
    for each in used:
        same = next((word for word in rest if number(word) == number(each)), None)
        if same is None:
            return None
        rest.remove(same)
    return rest
