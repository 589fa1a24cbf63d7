"""Arithmetic word problems made by program: two to four steps each, whole numbers, the answer computed.

``word_problems()`` makes the list of the task ``gsm8k`` that ships with the package; another seed or number makes
others. The templates are our own, in the style of GSM8K.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

NAMES = ("Ada", "Bruno", "Chiara", "Dimitri", "Elif", "Farid", "Greta", "Hiro", "Imani", "Jonas", "Keiko", "Luis")
Template = Callable[[Random], tuple[str, int]]


def word_problems(n: int = 60, seed: int = 24) -> Iterator[tuple[str, int]]:
    """``n`` different problems with their answers, the templates in turn; equal seeds give equal lists everywhere."""
    dice, seen = Random(seed), set[str]()
    while len(seen) < n:
        question, answer = TEMPLATES[len(seen) % len(TEMPLATES)](dice)
        if question not in seen:
            seen.add(question)
            yield question, answer


def _two_names(dice: Random) -> tuple[str, str]:
    first = dice.randrange(len(NAMES))
    return NAMES[first], NAMES[(first + dice.randrange(1, len(NAMES))) % len(NAMES)]


def _shop(dice: Random) -> tuple[str, int]:
    name, _ = _two_names(dice)
    notebooks, pencils = dice.randint(3, 9), dice.randint(4, 12)
    dear, cheap = dice.randint(3, 6), dice.randint(1, 2)
    return (
        f"{name} buys {notebooks} notebooks at ${dear} each and {pencils} pencils at ${cheap} each, and pays with a"
        " $100 note. How many dollars of change are due?"
    ), 100 - notebooks * dear - pencils * cheap


def _bakery(dice: Random) -> tuple[str, int]:
    trays, rolls, size = dice.randint(4, 9), dice.randint(12, 24), dice.randint(4, 6)
    bags = trays * rolls // size - dice.randint(1, 3)
    return (
        f"A baker takes {trays} trays with {rolls} rolls each out of the oven. {trays * rolls - size * bags} rolls are"
        f" burnt. The rest go into bags of {size}. How many bags can be filled?"
    ), bags


def _savings(dice: Random) -> tuple[str, int]:
    name, _ = _two_names(dice)
    there, weekly, weeks = dice.randint(15, 60), dice.randint(6, 14), dice.randint(5, 12)
    return (
        f"A kite costs ${there + weekly * weeks + 20}. {name} has ${there}, gets $20 from an aunt and saves ${weekly} a"
        " week. After how many weeks is there just enough money for the kite?"
    ), weeks


def _ages(dice: Random) -> tuple[str, int]:
    old, young = _two_names(dice)
    years, age = dice.randint(2, 9), dice.randint(5, 14)
    return (
        f"{young} is {age} years old. {old} is {years} years older than {young}, and their teacher is three times as"
        f" old as {old}. How old are the three of them together?"
    ), age + 4 * (age + years)


def _train(dice: Random) -> tuple[str, int]:
    slow, fast, hours, more = 10 * dice.randint(5, 8), 10 * dice.randint(9, 14), dice.randint(2, 4), dice.randint(2, 5)
    left = 10 * dice.randint(3, 20)
    return (
        f"A train runs at {slow} km an hour for {hours} hours and then at {fast} km an hour for {more} hours. How many"
        f" km are left of a journey of {slow * hours + fast * more + left} km?"
    ), left


def _orchard(dice: Random) -> tuple[str, int]:
    one, two = _two_names(dice)
    friends, each, kept = dice.randint(4, 8), dice.randint(6, 12), dice.randint(5, 9)
    total = friends * each + kept
    few = dice.randint(8, total // 3)
    return (
        f"{one} picks {few} apples and {two} picks {total - few}. They keep {kept} for a cake and share the rest"
        f" equally among {friends} friends. How many apples does each friend get?"
    ), each


def _library(dice: Random) -> tuple[str, int]:
    lent, back, half = dice.randint(12, 40), dice.randint(3, 11), dice.randint(60, 140)
    return (
        f"A library van carries {2 * half + lent - back} books. At the first stop {lent} are lent and {back} come back."
        " At the second stop half of the books on board are lent. How many books are on board then?"
    ), half


def _fence(dice: Random) -> tuple[str, int]:
    length, width, price, gate = dice.randint(9, 20), dice.randint(4, 8), dice.randint(5, 12), 10 * dice.randint(3, 9)
    return (
        f"A rectangular garden is {length} metres long and {width} metres wide. A fence all round costs ${price} a"
        f" metre, and a gate in it ${gate} more. How many dollars do fence and gate cost together?"
    ), 2 * (length + width) * price + gate


def _wages(dice: Random) -> tuple[str, int]:
    name, _ = _two_names(dice)
    wage, late, hours, days = dice.randint(12, 18), dice.randint(20, 27), dice.randint(9, 12), dice.randint(3, 6)
    return (
        f"{name} earns ${wage} an hour for the first 8 hours of a day and ${late} for each hour after that. How many"
        f" dollars does {name} earn on {days} days of {hours} hours?"
    ), days * (8 * wage + (hours - 8) * late)


def _sale(dice: Random) -> tuple[str, int]:
    name, _ = _two_names(dice)
    price, percent, voucher = 20 * dice.randint(4, 12), 5 * dice.randint(2, 8), dice.randint(5, 15)
    return (
        f"A coat costs ${price}. In the sale it is {percent}% cheaper, and {name} has a voucher that takes another"
        f" ${voucher} off the sale price. How many dollars does {name} pay?"
    ), price * (100 - percent) // 100 - voucher


def _reading(dice: Random) -> tuple[str, int]:
    name, _ = _two_names(dice)
    slow, first, fast, rest = dice.randint(12, 20), dice.randint(3, 6), dice.randint(24, 36), dice.randint(4, 9)
    return (
        f"A book has {slow * first + fast * rest} pages. {name} reads {slow} pages a day for the first {first} days and"
        f" {fast} pages a day after that. How many days does the whole book take?"
    ), first + rest


def _eggs(dice: Random) -> tuple[str, int]:
    hens, price = dice.randint(13, 30), dice.randint(3, 6)
    dozens = 5 * hens // 12 - dice.randint(1, 2)
    return (
        f"A farm has {hens} hens, and each lays 5 eggs a week. {5 * hens - 12 * dozens} eggs are eaten on the farm, the"
        f" others are sold at ${price} a dozen. How many dollars do they bring in a week?"
    ), price * dozens


TEMPLATES: tuple[Template, ...] = (
    _shop,
    _bakery,
    _savings,
    _ages,
    _train,
    _orchard,
    _library,
    _fence,
    _wages,
    _sale,
    _reading,
    _eggs,
)
