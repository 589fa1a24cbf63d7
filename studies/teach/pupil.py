"""What is practised once ways have been found: the novice's sequences, with the found ways in the right places.

A head of the model learns (``HEADS``) or goes on with the novice's sequences: *steps* (next steps on found ways are
drawn twelve times as often as others), *value* (found ways, some after a try that failed, are *sure*), *chain* (whole
ways, step by step and at once).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from studies.figures import read, write
from studies.pocket.data import LINES
from studies.pocket.forms import Shard, direct, drawn, in_order
from studies.teach.novice import Novice
from studies.teach.ways import steps_of
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import TARGET, Numbers, Step, moves
from treebook.players.forms import Form, chain, proposals, verdict

HEADS = ("steps", "value", "chain")
USEFUL = 12.0  # how much likelier a found step is drawn than another
ON_A_WAY, KNOWN = 0.8, 0.5  # how often steps, and verdicts, are about a state on a found way
SLIP = 0.25  # how often a failed try stands before the found way
SHARD = 8_000  # sequences made at a time

Ways = Mapping[str, Sequence[Sequence[Step]]]  # puzzle -> ways from it, each three steps


@dataclass
class Pupil(Novice):
    """``found``: the ways, of at least one puzzle; ``heads``: what is learned from them."""

    found: Ways = field(default_factory=dict)
    heads: Collection[str] = HEADS

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(self.found.values()):
            raise ValueError("no way was found: there is nothing to learn from")
        self.puzzles = [x for x, ways in self.found.items() if ways]
        self.onward: dict[Numbers, dict[tuple[Step, ...], None]] = {}  # a state on a way -> the ways on from there
        for x in self.puzzles:
            for way in self.found[x]:
                numbers = numbers_of(x)
                for i, step in enumerate(way):
                    self.onward.setdefault(numbers, {})[tuple(way[i:])] = None
                    numbers = step.left
        self.places = {size: [n for n in self.onward if len(n) == size] for size in (4, 3, 2)}

    def steps(self, size: int) -> Form:
        if "steps" not in self.heads or self.rng.random() >= ON_A_WAY:
            return super().steps(size)
        numbers = self.rng.choice(self.places[size])
        useful = {way[0] for way in self.onward[numbers]}
        weight = {step: USEFUL if step in useful else 1.0 for step in moves(numbers)}
        return proposals(numbers, in_order(weight, self.rng)[:LINES])

    def value(self, size: int) -> Form:
        if "value" not in self.heads or self.rng.random() >= KNOWN:
            return super().value(size)
        numbers = self.rng.choice(self.places[size])
        way = self.rng.choice(list(self.onward[numbers]))
        slip = [self.way(numbers)] if self.rng.random() < SLIP else []
        tries = [*(try_ for try_ in slip if try_[-1].result != TARGET), way]
        return verdict(numbers, tries, "sure")

    def found_way(self) -> tuple[Numbers, Sequence[Step]]:
        x = self.rng.choice(self.puzzles)
        return numbers_of(x), self.rng.choice(self.found[x])

    def chain(self) -> Form:
        if "chain" not in self.heads:
            return super().chain()
        numbers, way = self.found_way()
        return chain(self.asked(numbers), numbers, way)

    def direct(self) -> Form:
        if "chain" not in self.heads:
            return super().direct()
        numbers, way = self.found_way()
        return direct(self.asked(numbers), numbers, way)


def read_ways(file: Path) -> dict[str, list[list[Step]]]:
    """The ways of a file that ``write_ways`` wrote. Raises ValueError for a step that is not legal."""
    return {x: [steps_of(x, lines) for lines in ways] for x, ways in read(file).items()}


def write_ways(ways: Ways, file: Path) -> None:
    write({x: [[str(step) for step in way] for way in found] for x, found in ways.items()}, file)


def pupil_shard(seed: int, number: int, *, ways: Path | None, heads: Sequence[str]) -> Shard:
    """The same sequences whenever it is called; without ways or heads, the novice's."""
    rng = Random(f"pupil {seed} {number}")
    return drawn(Pupil(rng, found=read_ways(ways), heads=heads) if ways and heads else Novice(rng), SHARD)
