"""What the pocket model says of every state below the training puzzles: its verdicts, and the steps that it proposes.
So both halves of the searches whose traces become training data are its own; they are often wrong, and nobody corrects
them.

    python -m studies.stream.judging [--out FOLDER] [--workers 2]

Resumable: states are asked about in batches, and each batch is kept as soon as it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from studies.figures import as_before, read, write
from studies.options import options
from studies.pocket.data import puzzles
from studies.trials import GAME, trials
from tot.state import State
from tot.tasks.game24 import VERDICTS
from tot.tasks.game24_rules import Numbers, Step, moves, show_numbers
from treebook.players import Pocket

SAMPLES = 3  # verdicts on each state
LISTS = {4: 8, 3: 3, 2: 1}  # lists of proposals for a state with so many numbers
BATCH = 500  # states


class Known(NamedTuple):
    """What the pocket model said of each state. ``sure``: how many of SAMPLES verdicts are *sure*; ``lists``: the legal
    steps of each of its lists, in its order.
    """

    sure: Mapping[Numbers, int]
    lists: Mapping[Numbers, Sequence[Sequence[Step]]]


def states() -> list[Numbers]:
    """All states with three or two numbers below a puzzle that is not held out."""
    three = {step.left for puzzle in puzzles() for step in moves(puzzle)}
    return sorted(three) + sorted({step.left for state in three for step in moves(state)})


@cache
def model() -> Pocket:
    return Pocket()


def verdicts(asked: Sequence[Numbers]) -> list[int]:
    """For each state, how many of the verdicts are *sure*."""
    replies = model()([GAME.value(State(show_numbers(numbers))).samples(0, SAMPLES) for numbers in asked])
    read = [[GAME.read_value(text).value for text in reply.texts] for reply in replies]
    return [sum(value == VERDICTS["sure"] for value in values) for values in read]


def proposals(asked: Sequence[Numbers]) -> list[list[list[int]]]:
    """For each state and list, its legal steps, each as its place among ``moves``."""
    at = [State(show_numbers(numbers)) for numbers in asked]
    replies = model()([GAME.propose(s, "lean").samples(0, LISTS[len(n)]) for s, n in zip(at, asked, strict=True)])
    found = []
    for state, numbers, reply in zip(at, asked, replies, strict=True):
        place = {same(step): i for i, step in enumerate(moves(numbers))}
        thoughts = [[read.value for read in GAME.read_proposals(state, text)] for text in reply.texts]
        found.append([[place[same(z.data)] for z in some if z and isinstance(z.data, Step)] for some in thoughts])
    return found


def same(step: Step) -> tuple[str, Numbers]:
    """Equal for a + b and b + a, and for a * b and b * a."""
    return step.op, tuple(sorted((step.a, step.b))) if step.op in "+*" else (step.a, step.b)


def read_known(out: Path) -> Known:
    """What ``main`` wrote. Raises FileNotFoundError before it has finished."""
    sure, lists = (read(out / name) for name in ("verdicts.json", "proposals.json"))
    by_name = {show_numbers(numbers): numbers for numbers in [*puzzles(), *states()]}

    def steps(numbers: Numbers, said: Sequence[Sequence[int]]) -> list[list[Step]]:
        legal = moves(numbers)
        return [[legal[i] for i in some] for some in said]

    return Known(
        {by_name[name]: count for name, count in sure.items()},
        {by_name[name]: steps(by_name[name], said) for name, said in lists.items()},
    )


def ask_all(
    asked: Sequence[Numbers], function: Callable[[Sequence[Numbers]], list[Any]], whole: Path, workers: int
) -> None:
    """The answers on all states into the file ``whole``, batch by batch."""
    if whole.exists():
        return
    print(f"the pocket model's {function.__name__} for {len(asked):,} states", flush=True)
    batches = {show_numbers(asked[i]): asked[i : i + BATCH] for i in range(0, len(asked), BATCH)}
    part = whole.with_suffix(".part.jsonl")
    found = trials(batches, partial(answered, function), part, lambda line: next(iter(line)), workers=workers)
    write({name: answer for line in found.values() for name, answer in line.items()}, whole)
    part.unlink()


def answered(function: Callable[[Sequence[Numbers]], list[Any]], batch: Sequence[Numbers]) -> dict[str, Any]:
    return dict(zip(map(show_numbers, batch), function(batch), strict=True))


def main() -> None:
    a = options(__doc__, out=Path("_build/stream"), workers=(2, "processes"))
    as_before({"pocket": model().weights[:12]}, a.out / "judged_by.json")
    ask_all(states(), verdicts, a.out / "verdicts.json", a.workers)
    ask_all([*puzzles(), *states()], proposals, a.out / "proposals.json", a.workers)


if __name__ == "__main__":
    main()
