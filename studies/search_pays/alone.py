"""Nobody checks, and the model judges the last number and the answer itself: the unaided searches of the map again.

    python -m studies.search_pays.alone [--weights FOLDER] [--workers 2]     # goes on where it stopped

The published model refuses to say whether one number is 24, so its unaided searches choose their last step among ties.
``model``: players that went on to learn it (``studies.pocket.alone``; FOLDER/final/weights.safetensors and the like),
with all that says whether the rest of them has moved: both halves, a hundred chains, and the searches that a program
helps. ``rule``: the players of the map, with a program that says whether a last number is 24, and nothing else. The
searches are those of the map, on the same puzzles and with the same sample numbers; and then on the fresh puzzles of
``studies.held_out``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from functools import cache, partial, reduce
from pathlib import Path

from studies.figures import Figures, compared, read, write
from studies.held_out import fresh
from studies.pocket.alone import alone
from studies.search_pays import tables
from studies.search_pays.measure import generating, judging, pool
from studies.search_pays.play import Cell, chains, play
from studies.search_pays.report import CASSETTE, cell, worth
from studies.search_pays.rivals import Pool, characters_per_token
from studies.search_pays.runs import FINAL, weights_of
from studies.trials import GAME, Line, Remembering, trials
from tot.lm.base import LM
from tot.state import State
from tot.tasks.game24 import VERDICTS, Game24, left
from tot.tasks.game24_rules import TARGET
from treebook.players import Pocket

LINES = Path("_build/alone/lines.jsonl")
RESULTS, MAP = Path("studies/results/alone.json"), Path("studies/results/search_pays.json")
PLAYERS = ("24M", "32M", FINAL)
SEARCHES = ((1, 1), (1, 3), (5, 1))  # states kept, replies
SPLITS = {"hard": partial(GAME.problems, "hard"), "fresh": fresh}
BY = ("model", "rule")  # who judges the last number
Job = tuple[str, str, str, str]  # split, by, player, what is played


class LastNumberJudged(Game24):
    """No help but this: a program says whether the one number left is 24. Answers are for the model."""

    checked = False

    def judge(self, state: State) -> float | None:
        if not state.terminal and len(left(state)) == 1:
            return VERDICTS["sure" if left(state)[0] == TARGET else "impossible"]
        return super().judge(state)


def jobs() -> list[Job]:
    searches = [f"b={b} p={p}" for b, p in SEARCHES]
    rest = ["halves", *(f"{search} helped" for search in searches)]  # of what else the players can do
    found = [
        (split, by, name, what) for split in SPLITS for by in BY for what in [*searches, "chains"] for name in PLAYERS
    ]
    return found + [("hard", "model", name, what) for what in rest for name in PLAYERS]


@cache
def seat(by: str, name: str, weights: Path) -> LM:
    if by == "model":
        return Remembering(alone(weights / name / "weights.safetensors", name))
    return Remembering(Pocket(weights=weights_of([name], None)[name], name=name))


def play_one(job: Job, weights: Path, puzzles: int | None) -> Line:
    split, by, name, what = job
    lm, problems = seat(by, name, weights), SPLITS[split]()[:puzzles]
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


def played(weights: Path, file: Path, workers: int, puzzles: int | None = None) -> dict[Job, Line]:
    """The lines of all jobs, those that are in ``file`` and those that are not yet."""
    one = partial(play_one, weights=weights, puzzles=puzzles)
    found = trials({job: job for job in jobs()}, one, file, lambda line: tuple(line["job"]), workers=workers)
    return found


def figures(found: Mapping[Job, Line], weights: Path) -> Figures:
    """What the chapters read. "cells" and "players" are as in the map's results, "fresh" has the same on other puzzles;
    "rule": the searches of the published players, whose last number a program judges; "moved": what else the players
    can do, now and before.
    """
    rate, before = characters_per_token(CASSETTE), read(MAP)
    pools = {job[:3]: Pool(line, rate) for job, line in found.items() if job[3] == "chains"}

    def cells(split: str, by: str) -> list[Line]:
        searches = [job for job in found if job[:2] == (split, by) and job[3].startswith("b=")]
        return [cell(found[job], {job[2]: pools[job[:3]]}, rate) for job in searches]

    def of(split: str) -> Figures:
        return {
            "players": {
                name: {"weights": {name: found[split, "model", name, "chains"]["weights"]}}
                | {half: found["hard", "model", name, "halves"][half] for half in ("generating", "judging")}
                | worth(pools[split, "model", name])
                for name in PLAYERS
            },
            "cells": cells(split, "model"),
            "rule": cells(split, "rule"),
        }

    written: Figures = {
        "n": found["hard", "model", FINAL, "halves"]["n"],
        "date": time.strftime("%Y-%m-%d"),
        "training": {name: trained(weights / name) for name in PLAYERS},
        **of("hard"),
        "fresh": of("fresh"),
    }
    written["moved"] = [moved(name, written, before) for name in PLAYERS]
    f, other = tables.Figures(written), tables.Figures(written["fresh"])
    return written | {
        "tables": {
            "decision": tables.unchecked(f),
            "nobody checks": tables.nobody(f),
            "nobody checks, fresh": tables.nobody(other),
        }
    }


def trained(folder: Path) -> Figures:
    """How a player was made, from what its training left."""
    last = json.loads((folder / "log.jsonl").read_text("utf-8").splitlines()[-1])
    about = alone(folder / "weights.safetensors").engine.metadata
    return {
        "tokens": int(about["tokens"]),
        "seconds": round(last["seconds"]),
        "seed": int(about["seed"]),
        "device": about.get("device", "cpu"),
    }


def moved(name: str, after: Figures, before: Figures) -> Figures:
    """Both halves, [before, after] with intervals; chains and helped searches after minus before, puzzle by puzzle."""
    new, old = after["players"][name], before["players"][name]
    row: Figures = {"player": name}
    for what, half, *path in (
        ("reach", "generating", "axis"),
        ("legal lines, 4 numbers", "generating", "4", "legal lines"),
        ("legal lines, 3 numbers", "generating", "3", "legal lines"),
        ("AUC, 3 numbers", "judging", "3", "AUC"),
        ("AUC, 2 numbers", "judging", "2", "AUC"),
    ):
        row[what] = [reduce(lambda at, key: at[key], path, one[half]) for one in (old, new)]
    of_chains = [[right / 100 for right in one["right of 100"]] for one in (new, old)]
    row["one chain"] = compared(*of_chains)
    for b, p in SEARCHES:
        how = {"generator": name, "judge": name, "breadth": b, "proposals": p, "help": True, "believed": False}
        sides = [next(c for c in one["cells"] if how.items() <= c.items()) for one in (after, before)]
        row[f"b={b} p={p} helped"] = compared(*([int(x) for x in side["solved"]] for side in sides))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=LINES.parent)
    parser.add_argument("--lines", type=Path, default=LINES)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--puzzles", type=int, help="only so many of each hundred: a trial, which writes no figures")
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    found = played(a.weights, a.lines, a.workers, a.puzzles)
    if a.puzzles is None:
        write(figures(found, a.weights), a.out)


if __name__ == "__main__":
    main()
