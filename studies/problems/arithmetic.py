"""Arithmetic word problems made by program, in the styles of GSM8K, AddSub, MultiArith, SVAMP and SingleEq.

``arithmetic(style)`` makes the list of a style that ships with the package; another seed or number makes others. The
templates are our own, in ``stories.toml``. GSM8K: two to four steps. AddSub: sums and differences, some with decimals.
MultiArith: two or three steps. SVAMP: one step, with a number that is not needed or a question the other way round.
SingleEq: one equation, often with money.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path
from random import Random

from tot.parse import arithmetic as exact

NAMES = ("Ada", "Bruno", "Chiara", "Dimitri", "Elif", "Farid", "Greta", "Hiro", "Imani", "Jonas", "Keiko", "Luis")


@dataclass(frozen=True)
class Story:
    """A word problem with blanks, as ``stories.toml`` describes them."""

    text: str
    answer: str
    numbers: Mapping[str, str | list[int | str]]
    named: bool = True

    def fill(self, dice: Random) -> tuple[str, str]:
        """One problem and its answer."""
        first = second = 0
        if self.named:
            first = dice.randrange(len(NAMES))
            second = (first + dice.randrange(1, len(NAMES))) % len(NAMES)
        numbers: dict[str, Fraction] = {}
        for letter, source in self.numbers.items():
            if isinstance(source, str):
                numbers[letter] = _worth(source, numbers)
            else:
                low, high, parts = (floor(_worth(str(end), numbers)) for end in [*source, 1][:3])
                numbers[letter] = Fraction(dice.randint(low, high), parts)
        shown = {letter: _decimal(number) for letter, number in numbers.items()}
        return self.text.format(one=NAMES[first], two=NAMES[second], **shown), _decimal(_worth(self.answer, numbers))


def _worth(expression: str, numbers: Mapping[str, Fraction]) -> Fraction:
    formula, rounded, _ = expression.partition(", rounded down")
    found = exact(re.sub(r"[a-z]", lambda letter: f"({numbers[letter[0]]})", formula)).value
    assert found is not None, expression
    return Fraction(floor(found[0])) if rounded else found[0]


def _decimal(number: Fraction) -> str:
    """ "8", "2.75": all numbers here are whole, or quarters, or tenths."""
    return str(number) if number.denominator == 1 else str(float(number))


STORIES: dict[str, list[Story]] = {
    style: [Story(**story) for story in stories]
    for style, stories in tomllib.loads(Path(__file__).with_name("stories.toml").read_text(encoding="utf-8")).items()
}


def arithmetic(style: str, n: int = 60, seed: int = 24) -> Iterator[tuple[str, str]]:
    """``n`` different problems with their answers, the templates in turn; equal seeds give equal lists everywhere."""
    dice, seen = Random(seed if style == "gsm8k" else f"{style} {seed}"), set[str]()
    while len(seen) < n:
        question, answer = STORIES[style][len(seen) % len(STORIES[style])].fill(dice)
        if question not in seen:
            seen.add(question)
            yield question, answer
