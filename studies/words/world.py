"""The world of the second pocket model: stories in which people get, lose and share things, and a question about them.

A story has one or two people. Each has an opening (how many things there are at first), then things happen, some
lines do not matter, and a question picks what to compute. A problem's *template* is which of these it has, in which
order: its names, things and numbers aside.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from studies.words.plans import LARGEST, Amount, Operator, Quantity, Sum, operations, value

SHE = ("Ada", "Chiara", "Elif", "Greta", "Imani", "Keiko", "Mia", "Nora")
HE = ("Bruno", "Dimitri", "Farid", "Hiro", "Jonas", "Luis", "Omar", "Tom")
THINGS = (
    *("apples", "beads", "books", "buttons", "cakes", "candles", "cards", "coins", "cookies", "eggs"),
    *("flowers", "lemons", "marbles", "pears", "pencils", "plums", "shells", "stamps", "stickers", "toys"),
)
HOLDERS = ("bags", "baskets", "boxes", "jars", "packs", "trays")
GROUPS = ("children", "cousins", "friends", "neighbours", "pupils", "teachers")
TIMES = ((2, "doubles"), (3, "triples"))
WORDS = tomllib.loads(Path(__file__).with_name("world.toml").read_text(encoding="utf-8"))
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

    def say(self, kind: str, words: Sequence[str], place: int | None = None, **blanks: object) -> None:
        """One of the wordings, at the end of the story or at a place in it."""
        at = len(self.lines) if place is None else place
        self.template.insert(at, kind)
        self.lines.insert(at, self.rng.choice(words).format(x=self.thing, **blanks))

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
    ends = {"has": (8, 40), "colours": (4, 30), "times": (2, 5), "more": (2, 15), "fewer": (2, 15)}.get(kind, (2, 9))
    n, m = t.number(*ends), t.number(*ends) if kind in ("holders", "daily", "colours") else 0
    what, words = rng.choice(HOLDERS) if kind == "holders" else "", WORDS["opening"][kind]
    if kind == "has":
        t.has[who] = Quantity(n, x)
    elif kind == "holders":
        t.has[who] = Sum("*", Quantity(n, what), Quantity(m, x))
    elif kind == "daily":
        words = [rng.choice(words)]
        parts = Quantity(n, x), Quantity(m, "days")
        t.has[who] = Sum("*", *(parts if words == WORDS["opening"][kind][:1] else reversed(parts)))
    elif kind == "colours":
        t.has[who] = Sum("+", Quantity(n, x), Quantity(m, x))
    elif kind == "times":
        t.has[who] = Sum("*", t.has[other], Quantity(n, "times"))
    else:
        t.has[who] = Sum("+" if kind == "more" else "-", t.has[other], Quantity(n, x))
    t.say(f"{_which(t, who)} {kind}", words, who=who, other=other, n=n, m=m, what=what)


def _event(t: _Teller, people: Sequence[str]) -> None:
    x, rng = t.thing, t.rng
    who = rng.choice(people)
    other = people[1 - people.index(who)] if len(people) == 2 else ""
    kinds = ["gets", "gets", "loses", "loses", "gets holders", "gives each", "doubles", "half", "others"]
    kinds += ["gives other"] * 3 if other else []
    kind, n, m, what = rng.choice(kinds), t.number(2, 9), t.number(2, 9), ""
    words = WORDS["event"][kind]
    if kind in ("gets", "loses"):
        n = t.number(3, 25)
        t.change(who, "+" if kind == "gets" else "-", Quantity(n, x))
    elif kind == "gets holders":
        what = rng.choice(HOLDERS)
        t.change(who, "+", Sum("*", Quantity(n, what), Quantity(m, x)))
    elif kind == "gives each":
        what = rng.choice(GROUPS)
        t.change(who, "-", Sum("*", Quantity(n, x), Quantity(m, what)))
    elif kind == "doubles":
        times, kind = rng.choice(TIMES)
        what = kind
        t.change(who, "*", Quantity(times, "times"))
    elif kind == "half":
        t.change(who, "/", Quantity(2, "halves"))
    elif kind == "others":  # of another thing: it does not count
        what = rng.choice([thing for thing in THINGS if thing != x])
        n = t.number(3, 25)
    else:
        t.change(who, "-", Quantity(n, x))
        t.change(other, "+", Quantity(n, x))
    t.say(f"{_which(t, who)} {kind}", words, who=who, other=other, n=n, m=m, what=what)


def _aside(t: _Teller, people: Sequence[str]) -> None:
    """A number that does not matter, at some place of the story."""
    who, n = t.rng.choice(people), t.number(2, 30)
    kind = t.rng.choice([*WORDS["aside"]])
    t.say(kind, WORDS["aside"][kind], t.rng.randrange(len(t.lines) + 1), who=who, n=n)


def _question(t: _Teller, people: Sequence[str]) -> Story:
    x, rng = t.thing, t.rng
    who = rng.choice(people)
    mine, other = t.has[who], people[1 - people.index(who)] if len(people) == 2 else ""
    kinds = ["left", "left", "left", "fill", "share", "price", "need"]
    kinds += ["together", "together", "difference", "difference"] if other else []
    kind, n, what = rng.choice(kinds), t.number(2, 9), " and ".join(people)
    amount = mine
    if kind == "left" and isinstance(mine, Quantity):
        raise ValueError("nothing to compute")
    if kind == "fill":
        what = rng.choice(HOLDERS)
        amount = Sum("/", mine, Quantity(n, x))
    elif kind == "share":
        what = rng.choice(GROUPS)
        amount = Sum("/", mine, Quantity(n, what))
    elif kind == "price":
        n = t.number(2, 5)
        amount = Sum("*", mine, Quantity(n, "dollars"))
    elif kind == "need":
        n = t.number(20, LARGEST)
        amount = Sum("-", Quantity(n, x), mine)
    elif kind == "together":
        amount = Sum("+", t.has[people[0]], t.has[people[1]])
    elif kind == "difference":
        amount = Sum("-", mine, t.has[other])
    t.say(f"{_which(t, who)} {kind}?", WORDS["question"][kind], who=who, other=other, n=n, what=what)
    return _told(t, amount)


def _backwards(t: _Teller, who: str) -> Story:
    """Told from an unknown beginning to a known end: to be undone, the last event first."""
    x, rng = t.thing, t.rng
    t.has[who] = Quantity(0, x)
    t.say("A some", WORDS["opening"]["some"], who=who)
    undo: list[tuple[Operator, Amount]] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        n, m, what = t.number(3, 25), t.number(2, 9), ""
        kind = rng.choice(("gets", "loses", "gives each", "doubles", "half"))
        words = WORDS["event"][kind][: 1 if kind == "gives each" else 2]
        if kind in ("gets", "loses"):
            undo.append(("-" if kind == "gets" else "+", Quantity(n, x)))
        elif kind == "gives each":
            n, what = t.number(2, 9), rng.choice(GROUPS)
            undo.append(("+", Sum("*", Quantity(n, x), Quantity(m, what))))
        elif kind == "doubles":
            times, kind = rng.choice(TIMES)
            what = kind
            undo.append(("/", Quantity(times, "times")))
        else:
            undo.append(("*", Quantity(2, "halves")))
        t.say(f"A {kind}", words, who=who, n=n, m=m, what=what)
    end = t.number(2, 40)
    amount: Amount = Quantity(end, x)
    for op, by in reversed(undo):
        amount = Sum(op, amount, by)
    if rng.random() < 0.35:
        _aside(t, [who])
    t.say("A first?", WORDS["question"]["first"], who=who, n=end)
    return _told(t, amount)


def _told(t: _Teller, amount: Amount) -> Story:
    """Raises ValueError where the numbers do not work out, also for those whom the question does not ask about."""
    assert isinstance(amount, Sum)
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
