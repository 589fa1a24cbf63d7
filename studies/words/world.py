"""The world of the second pocket model: stories in which people get, lose and share things, and a question about them.

A story has one or two people. Each has an opening (how many things there are at first), then things happen, some
lines do not matter, and a question picks what to compute. A problem's *template* is which of these it has, in which
order: its names, things and numbers aside.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from studies.words.plans import LARGEST, Amount, Operator, Quantity, Sum, operations, value

SHE = ("Ada", "Chiara", "Elif", "Greta", "Imani", "Keiko", "Mia", "Nora")
HE = ("Bruno", "Dimitri", "Farid", "Hiro", "Jonas", "Luis", "Omar", "Tom")
THINGS = (
    "apples",
    "beads",
    "books",
    "buttons",
    "cakes",
    "candles",
    "cards",
    "coins",
    "cookies",
    "eggs",
    "flowers",
    "lemons",
    "marbles",
    "pears",
    "pencils",
    "plums",
    "shells",
    "stamps",
    "stickers",
    "toys",
)
HOLDERS = ("bags", "baskets", "boxes", "jars", "packs", "trays")
GROUPS = ("children", "cousins", "friends", "neighbours", "pupils", "teachers")
OPERATIONS = (2, 4)  # fewest and most of a problem
HELD = 6  # one template in six, and one list of numbers in six, is held out


@dataclass(frozen=True)
class Story:
    """A problem: its question, what is to be computed, and its template."""

    question: str
    amount: Sum
    template: tuple[str, ...]

    @property
    def answer(self) -> int:
        return value(self.amount)

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers of the question, in order."""
        return numbers_in(self.question)


def numbers_in(question: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", question)))


def _share(what: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(what).encode()).digest()[:4], "big") % HELD


def held_template(template: tuple[str, ...]) -> bool:
    return _share(template) == 0


def held_numbers(numbers: tuple[int, ...]) -> bool:
    return _share(numbers) == 0


@dataclass
class _Teller:
    """Tells one story. ``has``: what each person has, None while a story that is told backwards has no beginning."""

    rng: Random
    thing: str = ""
    lines: list[str] = field(default_factory=list)
    template: list[str] = field(default_factory=list)
    has: dict[str, Amount] = field(default_factory=dict)

    def number(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def say(self, kind: str, *wordings: str) -> None:
        self.template.append(kind)
        self.lines.append(self.rng.choice(wordings))

    def change(self, who: str, op: Operator, by: Amount) -> None:
        self.has[who] = Sum(op, self.has[who], by)


def tell(rng: Random) -> Story:
    """One problem of the world: from 2 to 4 operations, all results whole and from 1 to LARGEST."""
    while True:
        try:
            story = _attempt(rng)
        except ValueError:
            continue
        if OPERATIONS[0] <= len([*operations(story.amount)]) <= OPERATIONS[1] and story.answer:
            return story


def _attempt(rng: Random) -> Story:
    """A story; raises ValueError if its numbers do not work out."""
    t = _Teller(rng, rng.choice(THINGS))
    first = rng.choice(SHE + HE)
    second = rng.choice([name for name in SHE + HE if name != first])
    people = [first, second] if rng.random() < 0.6 else [first]
    if rng.random() < 0.15:
        return _backwards(t, first)
    for who in people:
        _opening(t, who, people[0])
    for _ in range(rng.choice((1, 1, 2, 2, 3) if len(people) == 1 else (0, 1, 1, 2, 2))):
        _event(t, people)
    if rng.random() < 0.35:
        _aside(t, people)
    return _question(t, people)


def _which(t: _Teller, who: str) -> str:
    """A person's part in the story, for the template: A or B."""
    return "A" if who == next(iter(t.has)) else "B"


def _opening(t: _Teller, who: str, other: str) -> None:
    x, rng = t.thing, t.rng
    kinds = ["has", "has", "holders", "holders", "daily", "colours"]
    if who != other:
        kinds += ["more", "more", "fewer", "fewer", "times", "times"]
    kind = rng.choice(kinds)
    if kind == "has":
        n = t.number(8, 40)
        t.has[who] = Quantity(n, x)
        words = [f"{who} has {n} {x}.", f"There are {n} {x} on the table of {who}."]
    elif kind == "holders":
        n, m, holder = t.number(2, 9), t.number(2, 9), rng.choice(HOLDERS)
        t.has[who] = Sum("*", Quantity(n, holder), Quantity(m, x))
        words = [f"{who} has {n} {holder} with {m} {x} each.", f"{who} has {n} {holder} of {m} {x}."]
    elif kind == "daily":
        n, m = t.number(2, 9), t.number(2, 9)
        t.has[who] = Sum("*", Quantity(n, x), Quantity(m, "days"))
        words = [f"{who} finds {n} {x} a day for {m} days.", f"For {m} days {who} finds {n} {x} a day."]
        if (chosen := rng.choice(words)) == words[1]:
            t.has[who] = Sum("*", Quantity(m, "days"), Quantity(n, x))
        words = [chosen]
    elif kind == "colours":
        n, m = t.number(4, 30), t.number(4, 30)
        t.has[who] = Sum("+", Quantity(n, x), Quantity(m, x))
        words = [f"{who} has {n} red {x} and {m} blue {x}.", f"{who} has {n} big {x} and {m} small {x}."]
    elif kind == "times":
        n = t.number(2, 5)
        t.has[who] = Sum("*", t.has[other], Quantity(n, "times"))
        words = [f"{who} has {n} times as many {x} as {other}."]
    else:
        n = t.number(2, 15)
        t.has[who] = Sum("+" if kind == "more" else "-", t.has[other], Quantity(n, x))
        words = [f"{who} has {n} {kind} {x} than {other}."]
    t.say(f"{_which(t, who)} {kind}", *words)


def _event(t: _Teller, people: Sequence[str]) -> None:
    x, rng = t.thing, t.rng
    who = rng.choice(people)
    kinds = ["gets", "gets", "loses", "loses", "gets holders", "gives each", "doubles", "half", "others"]
    if len(people) == 2:
        kinds += ["gives other", "gives other", "gives other"]
    kind = rng.choice(kinds)
    n, m = t.number(2, 9), t.number(2, 9)
    if kind == "gets":
        n = t.number(3, 25)
        t.change(who, "+", Quantity(n, x))
        words = [f"{who} buys {n} {x}.", f"Then {who} finds {n} more {x}.", f"{who} gets {n} {x} from an aunt."]
    elif kind == "loses":
        n = t.number(3, 25)
        t.change(who, "-", Quantity(n, x))
        words = [f"{who} loses {n} {x}.", f"Then {who} sells {n} {x}.", f"{n} {x} of {who} are broken."]
    elif kind == "gets holders":
        holder = rng.choice(HOLDERS)
        t.change(who, "+", Sum("*", Quantity(n, holder), Quantity(m, x)))
        words = [f"{who} buys {n} {holder} with {m} {x} each.", f"Then {who} gets {n} {holder} of {m} {x}."]
    elif kind == "gives each":
        group = rng.choice(GROUPS)
        t.change(who, "-", Sum("*", Quantity(n, x), Quantity(m, group)))
        words = [f"{who} gives {n} {x} to each of {m} {group}.", f"Then {who} sends {n} {x} each to {m} {group}."]
    elif kind == "doubles":
        times, word = rng.choice(((2, "doubles"), (3, "triples")))
        t.change(who, "*", Quantity(times, "times"))
        words = [f"Then {who} {word} the number of {x}."]
        kind = word
    elif kind == "half":
        t.change(who, "/", Quantity(2, "halves"))
        words = [f"{who} gives away half of the {x}.", f"Then {who} loses half of the {x}."]
    elif kind == "others":  # of another thing: it does not count
        other = rng.choice([thing for thing in THINGS if thing != x])
        n = t.number(3, 25)
        words = [f"{who} buys {n} {other}.", f"Then {who} loses {n} {other}.", f"{who} also has {n} {other}."]
    else:
        other = people[1 - people.index(who)]
        t.change(who, "-", Quantity(n, x))
        t.change(other, "+", Quantity(n, x))
        words = [f"{who} gives {n} {x} to {other}.", f"Then {other} takes {n} {x} from {who}."]
    t.say(f"{_which(t, who)} {kind}", *words)


def _aside(t: _Teller, people: Sequence[str]) -> None:
    """A number that does not matter, at some place of the story."""
    rng, who = t.rng, t.rng.choice(people)
    n = t.number(2, 30)
    kind, words = rng.choice(
        (
            ("age", [f"{who} is {n} years old."]),
            ("way", [f"The shop is {n} miles away.", f"{who} lives {n} miles away."]),
            ("time", [f"{who} stays for {n} hours.", f"This takes {n} minutes."]),
            ("price", [f"{who} pays ${n} for the bus."]),
        )
    )
    place = rng.randrange(len(t.lines) + 1)
    t.lines.insert(place, rng.choice(words))
    t.template.insert(place, kind)


def _question(t: _Teller, people: Sequence[str]) -> Story:
    x, rng = t.thing, t.rng
    who = rng.choice(people)
    mine = t.has[who]
    kinds = ["left", "left", "left", "fill", "share", "price", "need"]
    if len(people) == 2:
        kinds += ["together", "together", "difference", "difference"]
    kind = rng.choice(kinds)
    n = t.number(2, 9)
    if kind == "left":
        if isinstance(mine, Quantity):
            raise ValueError("nothing to compute")
        amount: Amount = mine
        words = [f"How many {x} does {who} have now?", f"How many {x} does {who} have in the end?"]
    elif kind == "fill":
        holder = rng.choice(HOLDERS)
        amount = Sum("/", mine, Quantity(n, x))
        words = [
            f"{who} puts the {x} into {holder} of {n}. How many {holder} are there?",
            f"How many {holder} of {n} {x} can {who} fill?",
        ]
    elif kind == "share":
        group = rng.choice(GROUPS)
        amount = Sum("/", mine, Quantity(n, group))
        words = [
            f"{who} shares the {x} equally among {n} {group}. How many {x} does each get?",
            f"Now {n} {group} share the {x} of {who} equally. How many {x} does each get?",
        ]
    elif kind == "price":
        n = t.number(2, 5)
        amount = Sum("*", mine, Quantity(n, "dollars"))
        words = [f"{who} sells all {x} for ${n} each. How many dollars does {who} get?"]
    elif kind == "need":
        n = t.number(20, LARGEST)
        amount = Sum("-", Quantity(n, x), mine)
        words = [f"{who} wants {n} {x}. How many more {x} does {who} need?"]
    elif kind == "together":
        amount = Sum("+", t.has[people[0]], t.has[people[1]])
        words = [f"How many {x} do they have together?", f"How many {x} do {people[0]} and {people[1]} have together?"]
    else:
        other = people[1 - people.index(who)]
        amount = Sum("-", mine, t.has[other])
        words = [f"How many more {x} than {other} does {who} have now?"]
    t.say(f"{_which(t, who)} {kind}?", *words)
    assert isinstance(amount, Sum)
    return _told(t, amount)


def _backwards(t: _Teller, who: str) -> Story:
    """Told from an unknown beginning to a known end: to be undone, the last event first."""
    x, rng = t.thing, t.rng
    t.has[who] = Quantity(0, x)
    t.say("A some", f"{who} has some {x}.", f"There are some {x} on the table of {who}.")
    undo: list[tuple[Operator, Amount]] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        n, m = t.number(3, 25), t.number(2, 9)
        kind = rng.choice(("gets", "loses", "gives each", "doubles", "half"))
        if kind == "gets":
            undo.append(("-", Quantity(n, x)))
            words = [f"{who} buys {n} {x}.", f"Then {who} finds {n} more {x}."]
        elif kind == "loses":
            undo.append(("+", Quantity(n, x)))
            words = [f"{who} loses {n} {x}.", f"Then {who} sells {n} {x}."]
        elif kind == "gives each":
            n, group = t.number(2, 9), rng.choice(GROUPS)
            undo.append(("+", Sum("*", Quantity(n, x), Quantity(m, group))))
            words = [f"{who} gives {n} {x} to each of {m} {group}."]
        elif kind == "doubles":
            times, kind = rng.choice(((2, "doubles"), (3, "triples")))
            undo.append(("/", Quantity(times, "times")))
            words = [f"Then {who} {kind} the number of {x}."]
        else:
            undo.append(("*", Quantity(2, "halves")))
            words = [f"{who} gives away half of the {x}.", f"Then {who} loses half of the {x}."]
        t.say(f"A {kind}", *words)
    end = t.number(2, 40)
    amount: Amount = Quantity(end, x)
    for op, by in reversed(undo):
        amount = Sum(op, amount, by)
    if rng.random() < 0.35:
        _aside(t, [who])
    t.say(
        "A first?",
        f"In the end {who} has {end} {x}. How many {x} were there at first?",
        f"Now there are {end} {x}. How many {x} did {who} have at first?",
    )
    assert isinstance(amount, Sum)
    return _told(t, amount)


def _told(t: _Teller, amount: Sum) -> Story:
    """Raises ValueError where the numbers do not work out, also for those whom the question does not ask about."""
    value(amount)
    if t.template[0] != "A some" and "A some" not in t.template:
        for what in t.has.values():
            value(what)
    return Story(" ".join(t.lines), amount, tuple(t.template))


def training(story: Story) -> bool:
    """May it be trained on: are neither its template nor its numbers held out?"""
    return not held_template(story.template) and not held_numbers(story.numbers)


def held_out(story: Story) -> bool:
    """Is it for tests: are both its template and its numbers held out?"""
    return held_template(story.template) and held_numbers(story.numbers)
