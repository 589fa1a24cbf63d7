"""Training rows of the stream model: searches of training puzzles as text, one behind the other.

A trace that is longer than ``LONGEST`` tokens is cut off there, without an end, whether or not it would have come to an
answer: what is learned is how the searches go, not only the lucky ones. A row fills the whole context. So the model
meets every position, but never a search of more than ``LONGEST`` tokens: what it does beyond is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from studies.pocket.data import puzzles
from studies.pocket.forms import Shard
from studies.stream.judging import SAMPLES, Known
from studies.stream.searches import STRATEGIES, believing, proposed, searched
from studies.stream.text import written
from tot.tasks.game24_rules import show_numbers
from treebook.players.streaming import prompt
from treebook.players.tokens import END, encode

LONGEST, CONTEXT = 384, 512  # tokens of a trace, and of a row
ROWS = 2_000  # in a shard
BATCH = 10 * CONTEXT  # tokens


def trace(x: str, strategy: str, known: Known, rng: Random) -> Iterator[str]:
    """The lines of one search by one strategy, with steps and verdicts that were said before (``judging``)."""
    choose = proposed(known.lists, rng, STRATEGIES[strategy].proposals)
    return written(searched(strategy, x, choose, believing(known.sure, SAMPLES)))


def lesson(question: str, strategy: str, lines: Iterator[str]) -> list[int]:
    """The tokens of a question and of its stream, up to the end or as far as there is room."""
    reply: list[int] = []
    for i, line in enumerate(lines):
        reply += encode(("\n" if i else "") + line)
        if len(reply) >= LONGEST:
            return [*prompt(question, strategy), *reply[:LONGEST]]
    return [*prompt(question, strategy), *reply, END]


def rows(lessons: Iterator[list[int]], n: int) -> Shard:
    """``n`` rows of CONTEXT tokens and one more. Each begins with a lesson, as each reply does later (rows that are cut
    anywhere were tried: the model then hardly knew what to do at the beginning of its context). The model learns all of
    a row, the questions too: they are a fiftieth of it.
    """
    found: list[tuple[tuple[int, ...], int]] = []
    for _ in range(n):
        row: list[int] = []
        while len(row) <= CONTEXT:
            row += next(lessons)
        found.append((tuple(row[: CONTEXT + 1]), 1))
    return found


def lessons(known: Known, rng: Random) -> Iterator[list[int]]:
    """Without end: a training puzzle, solvable or not, in any order of its numbers one time in five."""
    own = puzzles()
    while True:
        numbers, strategy = rng.choice(own), rng.choice(list(STRATEGIES))
        asked = rng.sample(numbers, len(numbers)) if rng.random() < 0.2 else numbers
        yield lesson(show_numbers(asked), strategy, trace(show_numbers(numbers), strategy, known, rng))


def stream_shard(seed: int, number: int, *, known: Known) -> Shard:
    """The same rows whenever it is called: a resumed training sees the same data."""
    return rows(lessons(known, Random(f"stream {seed} {number}")), ROWS)
