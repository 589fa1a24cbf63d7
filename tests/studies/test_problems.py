"""The problems that are made by program: worked out again from their text, and the files that ship."""

import re
from collections import Counter

import pytest

from studies.problems import FOLDER, MADE, file, lines
from studies.problems.arithmetic import STORIES, arithmetic
from studies.problems.puzzles import count_letters, last_letters, object_tracking
from tot import task


def test_the_files_of_the_package_are_what_the_programs_make():
    shipped = {path.name.removesuffix("_questions.jsonl") for path in FOLDER.glob("*_questions.jsonl")}
    assert shipped - {"encyclopedia", "commonsenseqa", "strategyqa", "shop"} == set(MADE)  # written, not made
    for name, make in MADE.items():
        problems = make()
        assert file(name).read_text(encoding="utf-8") == lines(problems)
        of, split = ("gsm8k", "pocket") if name == "gsm8k_pocket" else (name, "book")
        assert task(of).problems(split) == problems
        size = {"object_tracking": 120, "gsm8k_pocket": 300}.get(name, 60)
        assert len({p.x for p in problems}) == len(problems) == size


# style -> a word that only one template has -> the answer from the numbers in the text, in order: from the text alone
ARITHMETIC = {
    "gsm8k": {
        "notebooks": lambda n, d, p, c, note: note - (n * d + p * c),
        "baker": lambda trays, each, burnt, size: (trays * each - burnt) / size,
        "kite": lambda cost, there, gift, weekly: (cost - gift - there) / weekly,
        "teacher": lambda young, years: young + (young + years) + 3 * (young + years),
        "train": lambda v, h, w, g, journey: journey - (v * h + w * g),
        "apples": lambda a, b, kept, friends: (a + b - kept) / friends,
        "library": lambda books, lent, back: (books - lent + back) / 2,
        "garden": lambda a, b, price, gate: (a + b + a + b) * price + gate,
        "earns": lambda wage, eight, late, days, hours: days * (wage * eight + late * (hours - eight)),
        "coat": lambda price, percent, off: price - price * percent / 100 - off,
        "pages": lambda pages, slow, days, fast: days + (pages - slow * days) / fast,
        "hens": lambda hens, eggs, eaten, price: (hens * eggs - eaten) / 12 * price,
    },
    "addsub": {
        "shells": lambda found, given: found - given,
        "chairs": lambda there, brought, taken: there + brought - taken,
        "ribbon": lambda long, cut: long - cut,
        "pages": lambda *days: sum(days),
        "stickers": lambda before, after: after - before,
        "juice": lambda juice, water: juice + water,
        "copper": lambda all_, copper, other: all_ - copper,
    },
    "multiarith": {
        "packs": lambda packs, cards, given: packs * cards - given,
        "pencils": lambda pencils, tables, pupils: pencils / tables / pupils,
        "apples": lambda red, green, eaten, bag: (red + green - eaten) / bag,
        "machine": lambda toys, one, two: toys * one + toys * two,
        "lunch": lambda money, lunch, price: (money - lunch) / price,
        "boat": lambda children, adults, seats: (children + adults) / seats,
        "tulips": lambda a, b, c, d: a * b + c * d,
    },
    "svamp": {
        "pies": lambda cakes, pies, sold: cakes - sold,
        "bulbs": lambda boxes, bulbs, kg: boxes * bulbs,
        "taller": lambda one, two, before: one - two,
        "sheep": lambda cows, sheep, hens: sheep - cows,
        "brown": lambda eggs, box, brown: eggs / box,
        "marbles": lambda given, left: given + left,
        "bus": lambda people, off, on: on - off,
    },
    "singleeq": {
        "notebook": lambda price, n: price * n,
        "dozen": lambda eggs: eggs / 12,
        "flour": lambda wanted, there: wanted - there,
        "school": lambda there, back, days: (there + back) * days,
        "pen": lambda book, pen, note: note - book - pen,
        "rice": lambda grams, bags: grams / bags,
        "stamps": lambda stamps, times: stamps * times,
    },
}


@pytest.mark.parametrize("style", STORIES)
@pytest.mark.parametrize("seed", [24, 0, 1])
def test_arithmetic_is_right_on_a_second_path(style, seed):
    made = list(arithmetic(style, n := 20 * len(ARITHMETIC[style]), seed))
    used = Counter()
    for question, answer in made:
        [(word, rule)] = [(w, r) for w, r in ARITHMETIC[style].items() if re.search(rf"\b{w}\b", question)]
        numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", question)]
        assert float(answer) == pytest.approx(rule(*numbers)) and float(answer) > 0, question
        used[word] += 1
    assert set(used.values()) == {20} and len(dict(made)) == n
    assert list(arithmetic(style, 60, seed)) == made[:60] and list(arithmetic(style, 60, seed + 1)) != made[:60]


def test_last_letters_are_last_letters():
    made = list(last_letters())
    for question, answer in made:
        assert answer == re.sub(r"\w*(\w)\s?", r"\1", re.search('"(.+)"', question)[1]).lower()
    assert Counter(len(answer) for _, answer in made) == {2: 20, 3: 20, 4: 20}
    assert len({letter for _, answer in made for letter in answer}) > 15
    assert list(last_letters(60, 1)) != made


@pytest.mark.parametrize("people", [3, 5, 7])
def test_objects_are_tracked(people):
    made = list(object_tracking(people))
    assert len(dict(made)) == 40
    for question, answer in made:
        story, listed = question.split("\nChoices: ")
        thing = re.search(r"each have a (\w+):", story)[1]
        holder = {kind: name for name, kind in re.findall(rf"(\w+) the (\w+) {thing}", story)}
        swaps = re.findall(r", (\w+) and (\w+) swap", story)
        assert len(holder) == len(swaps) == people
        for one, two in swaps:  # things change hands; the oracle follows the things, the generator the people
            holder = {kind: {one: two, two: one}.get(name, name) for kind, name in holder.items()}
        asked = re.search(r"does (\w+) have", story)[1]
        [kind] = [kind for kind, name in holder.items() if name == asked]
        assert f"({answer}) the {kind} {thing}" in listed
    letters = Counter(answer for _, answer in made)
    assert len(letters) == people and max(letters.values()) - min(letters.values()) <= 1
    assert list(object_tracking(people, 40, 1)) != made


def test_letters_are_counted():
    made = list(count_letters())
    for question, answer in made:
        letter, word = re.findall('"(.+?)"', question)
        assert int(answer) == len(word.split(letter)) - 1
    assert Counter(answer == "0" for _, answer in made)[True] == 6 and len(dict(made)) == 60
    assert ("strawberry" in made[0][0], made[0][1]) == (True, "3")
    assert '"r"' in made[-1][0] and made[-1][1] == "2"  # as the paper says; its walk through the letters is wrong
