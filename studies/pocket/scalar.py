"""A judge that gives a number: a copy of the pocket model that practised to rate states from 1 to 10.

    python -m studies.pocket.scalar [--out FOLDER] [--tokens 3e6]

Section 3 of *Tree of Thoughts* lets a value prompt end in a scalar, such as 1 to 10, or in a class. The published
pocket model answers the prompts of its training and no others, so nobody can ask it for a number. This copy practises
one more question beside them: the same tries as for a verdict, and at the end how promising the numbers are, 10 where a
try makes 24, else the less the farther the nearest try ends from it (``worth``). It still answers in words, too, so
that the two can be compared within one model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from random import Random

from studies.pocket.data import MIX, Maker, wide
from studies.pocket.forms import REPLY, Shard, drawn
from tot.lm.base import Request
from tot.parse import Read, bad, last_word
from tot.state import State
from tot.tasks.game24 import VERDICTS, Game24
from tot.tasks.game24_rules import TARGET, Step
from treebook.players import FILE
from treebook.players.forms import Form, verdict
from treebook.players.template import QUESTIONS, prompt_tokens
from treebook.players.tokens import CONTROL_TOKEN, encode

TOKENS, RATE = 3e6, 5e-4
SHARD = 4_000  # sequences made at a time
NEW = {"number 3": 0.32, "number 2": 0.08}  # shares of the data beside the first training's mix
BEST, WORST = 10, 1
SYSTEM = """\
How likely can the numbers make 24 with + - * /, each used once? Try in one line: end with a number from 1 to 10."""
NUMBERS = {"sure": 10, "likely": 5, "impossible": 1}
VALUE = Game24.style.prompts["value"]
EXAMPLES = tuple((asked, re.sub(r"\w+$", lambda word: str(NUMBERS[word[0]]), said)) for asked, said in VALUE.shown)


def worth(tries: Sequence[Sequence[Step]]) -> int:
    """10 for tries of which one makes 24; else 5 within 1 of it, 4 within 3, 3 within 7, 2 within 15, or 1."""
    far = min((abs(steps[-1].result - TARGET) for steps in tries if steps), default=100)
    return max(WORST, 6 - ceil(far).bit_length()) if far else BEST


def read_number(text: str) -> Read[float]:
    """The number from 1 to 10 in which a reply ends."""
    found = re.search(r"(?<![\d.])(\d{1,2})[\s.*]*\Z", text, re.ASCII)
    if not found or not WORST <= int(found[1]) <= BEST:
        return bad("the reply does not end in a number from 1 to 10", text)
    return Read(float(found[1]), text=found[0])


class Rated(Game24):
    """The Game of 24, its states rated from 1 to 10; what a program judges has the ends of the same scale."""

    worst = float(WORST)
    style = replace(
        Game24.style,
        prompts={**Game24.style.prompts, "value": replace(VALUE, system=SYSTEM, shown=EXAMPLES)},
        readers={**Game24.style.readers, "value": read_number},
    )

    def judge(self, state: State) -> float | None:
        said = super().judge(state)
        return said if said is None else float(BEST if said == VERDICTS["sure"] else WORST)


def read_word(text: str) -> Read[float]:
    """The last verdict in a reply, on the same scale."""
    word = last_word(text, NUMBERS)
    return Read(float(NUMBERS[word.value]), text=word.text) if word.value else bad(word.why, text)


class InWords(Rated):
    """The same scale and the usual question: sure, likely and impossible count as 10, 5 and 1."""

    style = replace(Game24.style, readers={**Game24.style.readers, "value": read_word})


# ---------------------------------------------------------------- practice


@dataclass
class NumberMaker(Maker):
    """Draws sequences of the first training's kinds, and ratings."""

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = {kind: (1 - sum(NEW.values())) * share for kind, share in MIX.items()} | NEW
        self.kinds, self.weights = list(shares), list(shares.values())
        self.makers |= {"number 3": lambda: self.number(3), "number 2": lambda: self.number(2)}

    def number(self, size: int) -> Form:
        """As ``value``, with a number at the end."""
        numbers, tries, _ = self.tried(size)
        _, asked, reply = verdict(numbers, tries, str(worth(tries)))
        return "<judge>", asked, reply  # that control token stands before answers; here numbers follow it


def make_shard(seed: int, number: int) -> Shard:
    return drawn(NumberMaker(Random(f"scalar {seed} {number}"), wide=wide(seed)), SHARD)


def template(request: Request) -> list[int]:
    """The published model's template, and the one question more."""
    system, asked = request.messages[0].content, request.messages[-1].content
    if system == SYSTEM and re.fullmatch(QUESTIONS["<value>"], asked, re.ASCII):
        return [CONTROL_TOKEN["<judge>"], *encode(asked), REPLY]
    return prompt_tokens(request)


def main() -> None:
    from studies.training import arguments, train  # torch is needed for this only

    parser = arguments(__doc__, Path("_build/scalar"), TOKENS)
    parser.set_defaults(rate=RATE, early=0, start=FILE)
    train(parser.parse_args(), make_shard)


if __name__ == "__main__":
    main()
