"""Symbolic puzzles made by program: last letters, tracking shuffled objects, counting letters.

Each function gives questions with their answers; equal seeds give equal lists everywhere. The texts are our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from studies.problems.arithmetic import NAMES
from tot.tasks.datasets import list_choices

MORE_NAMES = (
    *("Marek", "Noor", "Oskar", "Priya", "Quentin", "Rosalind", "Svetlana", "Tariq", "Umar", "Violet", "Wanda", "Zoe"),
    *("Yusuf", "Beth", "Felix", "Ingrid", "Jack", "Hannah", "Max", "Leif", "Ming", "Tess", "Boaz", "Kurt", "Siv"),
    *("Raj", "Eric", "Jacob", "Akim", "Emily", "Paul", "Philip", "Matthew", "Lou"),
)


def last_letters(n: int = 60, seed: int = 24) -> Iterator[tuple[str, str]]:
    """Join the last letters of names: two names in the first third of the list, then three, then four."""
    dice, people = Random(f"last letters {seed}"), (*NAMES, *MORE_NAMES)
    for i in range(n):
        names = _some(people, 2 + 3 * i // n, dice)
        question = f'Take the last letter of each name in "{" ".join(names)}" and join these letters into one word.'
        yield question, "".join(name[-1] for name in names)


THINGS = {
    "ball": ("red", "blue", "green", "yellow", "white", "black", "purple"),
    "hat": ("straw", "felt", "woollen", "velvet", "paper", "leather", "silk"),
    "book": ("cookery", "chess", "garden", "poetry", "travel", "history", "song"),
}


def object_tracking(people: int, n: int = 40, seed: int = 24) -> Iterator[tuple[str, str]]:
    """Each of ``people`` (at most 7) has one thing, and ``people`` swaps follow. Who has what? The answer is a letter.

    The right letters take turns, so that no choice is right more often than another.
    """
    dice = Random(f"object tracking {people} {seed}")
    for i in range(n):
        thing = tuple(THINGS)[i % len(THINGS)]
        names, kinds = _some(NAMES, people, dice), _some(THINGS[thing], people, dice)
        has = dict(zip(names, kinds, strict=True))
        each = _listed([f"{name} the {kind} {thing}" for name, kind in has.items()])
        swaps = []
        for turn in range(people):
            one, two = _some(names, 2, dice)
            has[one], has[two] = has[two], has[one]
            when = "First" if turn == 0 else "Finally" if turn == people - 1 else "Then"
            swaps.append(f"{when}, {one} and {two} swap {thing}s.")
        asked = next(name for name in names if has[name] == kinds[i % people])
        labels = [chr(ord("A") + j) for j in range(people)]
        listed = list_choices((label, f"the {kind} {thing}") for label, kind in zip(labels, kinds, strict=True))
        story = f"{_listed(names)} each have a {thing}: {each}. {' '.join(swaps)}"
        yield f"{story} Which {thing} does {asked} have in the end?\n{listed}", labels[i % people]


WORDS = (  # the first and the last are the examples of Planning with MCTS, figure 2 and appendix A
    *("strawberry", "banana", "parallel", "committee", "mirror", "bookkeeper", "accommodation", "possession"),
    *("refrigerator", "mississippi", "balloon", "raspberry", "interrupt", "assessment", "unnecessary", "referee"),
    *("carrot", "umbrella", "embarrassed", "successful", "entrepreneur", "pepper", "coffee", "ballerina"),
    *("terrarium", "wheelbarrow", "kilometre", "engineering", "cinnamon", "grasshopper", "millennium", "tattoo"),
    *("rhinoceros", "dandelion", "curriculum", "marmalade", "chrysanthemum", "barometer", "occurrence", "bubble"),
    *("volcanologist", "granddaughter", "abracadabra", "zigzag", "queue", "rhythm", "saxophone", "telescope"),
    *("lighthouse", "crocodile", "tomorrow", "hippopotamus", "lollipop", "cappuccino", "caterpillar", "nightingale"),
    *("microscope", "archaeology", "onomatopoeia", "pneumonoultramicroscopicsilicovolcanoconiosis"),
)


def count_letters(seed: int = 24) -> Iterator[tuple[str, str]]:
    """How often a letter occurs in a word; in a tenth of the questions it does not."""
    dice = Random(f"count letters {seed}")
    for i, word in enumerate(WORDS):
        absent = [letter for letter in "aeinorst" if letter not in word]
        letter = absent[dice.randrange(len(absent))] if i % 10 == 5 else _often(word, dice)
        letter = "r" if i in (0, len(WORDS) - 1) else letter
        yield f'How many times does the letter "{letter}" occur in the word "{word}"?', str(word.count(letter))


def _often(word: str, dice: Random) -> str:
    """A letter of the word; three times out of four one of its most frequent."""
    most = max(word.count(letter) for letter in word)
    pool = [letter for letter in word if word.count(letter) == most] if dice.randrange(4) else list(word)
    return pool[dice.randrange(len(pool))]


def _some(pool: tuple[str, ...] | list[str], k: int, dice: Random) -> list[str]:
    """``k`` different members in any order. (``random.sample`` may draw differently in another version of Python.)"""
    left = list(pool)
    return [left.pop(dice.randrange(len(left))) for _ in range(k)]


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
