"""What the pocket model thinks of every state below the training puzzles: the judge of the searches whose traces become
training data. Its verdicts are often wrong, and nobody corrects them.

    python -m studies.stream.judging [--out FOLDER] [--workers 2]

Resumable: states are asked about in batches, and each batch is kept as soon as it is answered.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from studies.pocket.data import puzzles
from studies.teach.rounds import quiet
from studies.teach.searching import GAME
from tot.lm.pocket import Pocket
from tot.state import State
from tot.tasks.game24 import VERDICTS
from tot.tasks.game24_rules import Numbers, moves, show_numbers

SAMPLES = 3  # verdicts on each state
BATCH = 500  # states


def states() -> list[Numbers]:
    """All states with three or two numbers below a puzzle that is not held out."""
    three = {step.left for puzzle in puzzles() for step in moves(puzzle)}
    return sorted(three) + sorted({step.left for state in three for step in moves(state)})


@cache
def judge() -> Pocket:
    return Pocket()


def verdicts(asked: Sequence[Numbers]) -> list[int]:
    """For each state, how many of the verdicts are *sure*."""
    replies = judge()([GAME.value(State(show_numbers(numbers))).samples(0, SAMPLES) for numbers in asked])
    read = [[GAME.read_value(text).value for text in reply.texts] for reply in replies]
    return [sum(value == VERDICTS["sure"] for value in values) for values in read]


def read_verdicts(out: Path) -> dict[Numbers, int]:
    """What ``main`` wrote: state -> how many verdicts are sure. Raises FileNotFoundError before it has finished."""
    table: Mapping[str, int] = json.loads((out / "verdicts.json").read_text("utf-8"))
    by_name = {show_numbers(numbers): numbers for numbers in states()}
    return {by_name[name]: sure for name, sure in table.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("_build/stream"))
    parser.add_argument("--workers", type=int, default=2, help="processes")
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    whole, part = a.out / "verdicts.json", a.out / "verdicts.part.jsonl"
    if whole.exists():
        return
    done: dict[str, int] = {}
    if part.exists():
        for line in part.read_text("utf-8").splitlines():
            done |= json.loads(line)
    todo = [numbers for numbers in states() if show_numbers(numbers) not in done]
    print(f"the pocket model judges {len(todo):,} states", flush=True)
    batches = [todo[i : i + BATCH] for i in range(0, len(todo), BATCH)]
    try:
        with (
            mp.get_context("spawn").Pool(a.workers, initializer=quiet) as pool,
            part.open("a", encoding="utf-8") as log,
        ):
            for batch, sure in zip(batches, pool.imap(verdicts, batches), strict=True):
                found = {show_numbers(numbers): n for numbers, n in zip(batch, sure, strict=True)}
                log.write(json.dumps(found) + "\n")
                log.flush()
                done |= found
                print(f"{len(done):,}", end="\r", flush=True)
    except KeyboardInterrupt:
        raise SystemExit("stopped; the verdicts so far are kept: the same command goes on") from None
    whole.with_suffix(".new").write_text(json.dumps(done, indent=0), encoding="utf-8")
    whole.with_suffix(".new").replace(whole)
    part.unlink()


if __name__ == "__main__":
    main()
