"""Nobody checks, and the model judges the last number and the answer itself: the unaided searches of the map again.

    python -m studies.search_pays.alone [--weights FOLDER] [--workers 2]     # goes on where it stopped

The published model refuses to say whether one number is 24, so its unaided searches choose their last step among ties.
``model``: players that went on to learn it (``studies.pocket.alone``; FOLDER/final/weights.safetensors and the like),
with all that says whether the rest of them has moved: both halves, a hundred chains, and the searches that a program
helps. ``rule``: the players of the map, with a program that says whether a last number is 24, and nothing else. The
searches are those of the map, on the same puzzles and with the same sample numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from studies.pocket.alone import alone
from studies.search_pays.measure import generating, judging, pool
from studies.search_pays.play import Cell, chains, play
from studies.search_pays.runs import FINAL, weights_of
from studies.trials import GAME, Line, Remembering, trials
from tot.lm.base import LM
from tot.state import State
from tot.tasks.game24 import VERDICTS, Game24, left
from tot.tasks.game24_rules import TARGET
from treebook.players import Pocket

LINES = Path("_build/alone/lines.jsonl")
PLAYERS = ("24M", "32M", FINAL)
SEARCHES = ((1, 1), (1, 3), (5, 1))  # states kept, replies
Job = tuple[str, str, str]  # who judges the last number (model or rule), player, what is played


class LastNumberJudged(Game24):
    """No help but this: a program says whether the one number left is 24. Answers are for the model."""

    checked = False

    def judge(self, state: State) -> float | None:
        if not state.terminal and len(left(state)) == 1:
            return VERDICTS["sure" if left(state)[0] == TARGET else "impossible"]
        return super().judge(state)


def jobs(by: Sequence[str] = ("model", "rule")) -> list[Job]:
    searches = [f"b={b} p={p}" for b, p in SEARCHES]
    kinds = {"model": [*searches, "chains", "halves"], "rule": [*searches, "chains"]}
    kinds["model"] += [f"{search} helped" for search in searches]
    return [(one, name, what) for one in by for what in kinds[one] for name in PLAYERS]


@cache
def player(by: str, name: str, weights: Path) -> LM:
    if by == "model":
        return Remembering(alone(weights / name / "weights.safetensors", name))
    return Remembering(Pocket(weights=weights_of([name], None)[name], name=name))


def play_one(job: Job, weights: Path, puzzles: int | None) -> Line:
    by, name, what = job
    lm, problems = player(by, name, weights), GAME.problems("hard")[:puzzles]
    line: Line = {"job": list(job), "n": len(problems), "weights": lm.weights[:12]}  # type: ignore[attr-defined]
    if what == "chains":
        return line | chains(name, lm, problems)
    if what == "halves":
        states = pool(problems)
        return line | {"generating": generating(lm, states), "judging": judging(lm, states)}
    b, p, *helped = what.split()
    task = LastNumberJudged() if by == "rule" else GAME
    cell = Cell(name, name, int(b[2:]), int(p[2:]), help=bool(helped))
    return line | play(cell, {name: lm}, problems, task)


def played(
    weights: Path, file: Path, workers: int, by: Sequence[str] = ("model", "rule"), puzzles: int | None = None
) -> Sequence[Line]:
    todo = {" ".join(job): job for job in jobs(by)}
    one = partial(play_one, weights=weights, puzzles=puzzles)
    return list(trials(todo, one, file, lambda line: " ".join(line["job"]), workers=workers).values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=Path("_build/alone"))
    parser.add_argument("--lines", type=Path, default=LINES)
    parser.add_argument("--by", nargs="*", default=["model", "rule"], help="who judges the last number")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--puzzles", type=int, help="only so many of the 100 hard puzzles: a trial")
    a = parser.parse_args()
    played(a.weights, a.lines, a.workers, a.by, a.puzzles)


if __name__ == "__main__":
    main()
