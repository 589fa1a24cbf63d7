"""Arithmetic word problems in the styles of AddSub, MultiArith, SVAMP and SingleEq, made by program.

``arithmetic(style)`` makes the list of a style that ships with the package; another seed or number makes others. The
templates are our own. AddSub: sums and differences, some with decimals. MultiArith: two or three steps. SVAMP: one
step, with a number that is not needed or a question the other way round. SingleEq: one equation, often with money.
(For GSM8K's style see ``word_problems``.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from studies.problems.word_problems import NAMES
from tot.parse import arithmetic as exact

Range = tuple[int, int] | tuple[int, int, int]


@dataclass(frozen=True)
class Story:
    """A word problem with blanks: {one} and {two} are names, single letters are numbers.

    ``numbers`` says where each letter's number comes from: a range, (3, 9), or in quarters (3, 9, 4); or an expression
    over earlier letters, "a + b". ``answer`` is such an expression, too.
    """

    text: str
    answer: str
    numbers: Mapping[str, Range | str]

    def fill(self, dice: Random) -> tuple[str, str]:
        """One problem and its answer."""
        first = dice.randrange(len(NAMES))
        second = (first + dice.randrange(1, len(NAMES))) % len(NAMES)
        numbers: dict[str, Fraction] = {}
        for letter, source in self.numbers.items():
            if isinstance(source, str):
                numbers[letter] = _worth(source, numbers)
            else:
                numbers[letter] = Fraction(dice.randint(source[0], source[1]), source[2] if len(source) > 2 else 1)
        shown = {letter: _decimal(number) for letter, number in numbers.items()}
        return self.text.format(one=NAMES[first], two=NAMES[second], **shown), _decimal(_worth(self.answer, numbers))


def _worth(expression: str, numbers: Mapping[str, Fraction]) -> Fraction:
    found = exact(re.sub(r"[a-z]", lambda letter: f"({numbers[letter[0]]})", expression)).value
    assert found is not None, expression
    return found[0]


def _decimal(number: Fraction) -> str:
    """ "8", "2.75": all numbers here are whole, or quarters, or tenths."""
    return str(number) if number.denominator == 1 else str(float(number))


def arithmetic(style: str, n: int = 60, seed: int = 24) -> Iterator[tuple[str, str]]:
    """``n`` different problems with their answers, the templates in turn; equal seeds give equal lists everywhere."""
    dice, seen = Random(f"{style} {seed}"), set[str]()
    while len(seen) < n:
        question, answer = STORIES[style][len(seen) % len(STORIES[style])].fill(dice)
        if question not in seen:
            seen.add(question)
            yield question, answer


ADDSUB = (
    Story(
        "{one} finds {a} shells on the beach and gives {b} of them to {two}. How many shells does {one} have left?",
        "a - b",
        {"a": (20, 90), "b": (3, 18)},
    ),
    Story(
        "There are {a} chairs in a hall. {b} more are carried in, and {c} are carried out. How many chairs are in the"
        " hall now?",
        "a + b - c",
        {"a": (40, 95), "b": (11, 35), "c": (5, 30)},
    ),
    Story(
        "A ribbon is {p} metres long. {one} cuts off {q} metres. How many metres are left?",
        "p - q",
        {"p": (22, 60, 4), "q": (3, 19, 4)},
    ),
    Story(
        "{one} reads {a} pages on Monday, {b} pages on Tuesday and {c} pages on Wednesday. How many pages are that in"
        " all?",
        "a + b + c",
        {"a": (12, 48), "b": (12, 48), "c": (12, 48)},
    ),
    Story(
        "{one} had {a} stickers. {two} gave {one} some more, and now there are {b}. How many stickers did {two} give?",
        "b - a",
        {"a": (14, 70), "c": (5, 40), "b": "a + c"},
    ),
    Story(
        "{one} pours {p} litres of juice and {q} litres of water into a jar. How many litres are in the jar?",
        "p + q",
        {"p": (3, 19, 10), "q": (21, 45, 10)},
    ),
    Story(
        "{one} has {a} coins: {b} are copper and the others are silver. {two} has {c} coins. How many silver coins does"
        " {one} have?",
        "a - b",
        {"a": (30, 80), "b": (4, 28), "c": (10, 60)},
    ),
)

MULTIARITH = (
    Story(
        "{one} buys {a} packs of {b} cards and gives {c} cards to {two}. How many cards are left?",
        "a * b - c",
        {"a": (3, 9), "b": (6, 12), "c": (4, 17)},
    ),
    Story(
        "A teacher shares {t} pencils equally among {a} tables with {b} pupils each. How many pencils does each pupil"
        " get?",
        "t / (a * b)",
        {"a": (3, 7), "b": (3, 6), "c": (2, 5), "t": "a * b * c"},
    ),
    Story(
        "{one} picks {a} red and {b} green apples. {c} are eaten, and the rest go into bags of {d}. How many bags are"
        " filled?",
        "(a + b - c) / d",
        {"b": (5, 15), "c": (3, 9), "d": (4, 8), "e": (5, 9), "a": "c + d * e - b"},
    ),
    Story(
        "A machine makes {a} toys an hour. It ran for {b} hours yesterday and for {c} hours today. How many toys did it"
        " make?",
        "a * (b + c)",
        {"a": (6, 25), "b": (2, 8), "c": (2, 8)},
    ),
    Story(
        "{one} has {a} dollars and spends {b} dollars on lunch. How many books for {d} dollars each can {one} buy with"
        " the rest?",
        "(a - b) / d",
        {"b": (5, 14), "d": (3, 9), "e": (3, 8), "a": "b + d * e"},
    ),
    Story(
        "{a} children and {b} adults cross a river. Each boat takes {c} people. How many full boats is that?",
        "(a + b) / c",
        {"b": (2, 9), "c": (3, 6), "d": (5, 9), "a": "c * d - b"},
    ),
    Story(
        "{one} plants {a} rows of {b} tulips and {c} rows of {d} roses. How many flowers are that?",
        "a * b + c * d",
        {"a": (2, 8), "b": (4, 12), "c": (2, 8), "d": (3, 9)},
    ),
)

SVAMP = (
    Story(
        "{one} baked {a} cakes and {b} pies, and sold {c} of the cakes. How many cakes are left?",
        "a - c",
        {"a": (15, 60), "b": (5, 40), "c": (3, 13)},
    ),
    Story(
        "There are {a} boxes. Each holds {b} bulbs and weighs {c} kg. How many bulbs are there?",
        "a * b",
        {"a": (4, 12), "b": (6, 20), "c": (2, 9)},
    ),
    Story(
        "{one} is {a} cm tall, and {two} is {b} cm tall. A year ago {one} was {c} cm tall. By how many cm is {one}"
        " taller than {two}?",
        "a - b",
        {"b": (110, 140), "d": (3, 25), "e": (2, 9), "a": "b + d", "c": "a - e"},
    ),
    Story(
        "A farmer has {a} cows, {b} sheep and {c} hens. How many more sheep than cows are there?",
        "b - a",
        {"a": (8, 40), "c": (5, 50), "d": (3, 45), "b": "a + d"},
    ),
    Story(
        "{t} eggs are packed into boxes of {b}. {c} of the eggs are brown. How many boxes are filled?",
        "t / b",
        {"b": (6, 12), "d": (4, 12), "t": "b * d", "c": (5, 20)},
    ),
    Story(
        "After {one} gave away {a} marbles, {b} marbles were left. How many marbles did {one} have at first?",
        "a + b",
        {"a": (5, 40), "b": (6, 60)},
    ),
    Story(
        "{a} people were on a bus. At a stop {b} got off and {c} got on. How many more people got on than got off?",
        "c - b",
        {"a": (20, 50), "b": (3, 15), "d": (2, 12), "c": "b + d"},
    ),
)

SINGLEEQ = (
    Story(
        "A notebook costs {p} dollars. How many dollars do {a} notebooks cost?",
        "p * a",
        {"p": (5, 19, 4), "a": (3, 9)},
    ),
    Story("{one} has {a} eggs. How many dozen eggs are that?", "a / 12", {"b": (3, 15), "a": "12 * b"}),
    Story(
        "A recipe asks for {a} cups of flour. {one} has put in {b} cups. How many cups are missing?",
        "a - b",
        {"b": (2, 9), "c": (2, 9), "a": "b + c"},
    ),
    Story(
        "{one} walks {p} km to school and {p} km back, on {a} days. How many km are that in all?",
        "2 * p * a",
        {"p": (1, 7, 2), "a": (3, 20)},
    ),
    Story(
        "{one} pays {p} dollars for a book and {q} dollars for a pen with a note of {a} dollars. How many dollars of"
        " change are due?",
        "a - p - q",
        {"p": (33, 75, 4), "q": (5, 39, 4), "a": (50, 50)},
    ),
    Story(
        "{t} grams of rice are filled into {a} bags of equal weight. How many grams are in each bag?",
        "t / a",
        {"a": (3, 12), "b": (20, 90), "t": "a * b"},
    ),
    Story(
        "{two} has {b} stamps, and {one} has {a} times as many. How many stamps does {one} have?",
        "a * b",
        {"a": (3, 9), "b": (12, 60)},
    ),
)

STORIES: Mapping[str, tuple[Story, ...]] = {
    "addsub": ADDSUB,
    "multiarith": MULTIARITH,
    "svamp": SVAMP,
    "singleeq": SINGLEEQ,
}
