"""Nobody checks, and the model judges the last number and the answer itself: the unaided searches of the map again.

    python -m studies.search_pays.alone [--weights FOLDER] [--workers 2]     # goes on where it stopped

The published model refuses to say whether one number is 24, so its unaided searches choose their last step among ties.
``model``: the players of the map, but single numbers and answers are judged and written by weights that practised that
(``studies.pocket.alone``; FOLDER/final/weights.safetensors and the like). ``rule``: the players of the map, with a
program that says whether a last number is 24, and nothing else. The searches are those of the map, on the same puzzles
and with the same sample numbers; and then on the fresh puzzles of ``studies.held_out``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from studies.figures import Figures, read, write
from studies.held_out import fresh
from studies.options import options
from studies.pocket.alone import Alone
from studies.search_pays import tables
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
    found = [(split, by, name, what) for split in SPLITS for by in BY for what in searches for name in PLAYERS]
    return found + [(split, "rule", name, "chains") for split in SPLITS for name in PLAYERS]


@cache
def seat(by: str, name: str, weights: Path) -> LM:
    before = weights_of([name], None)[name]
    if by == "model":
        return Alone(weights / name / "weights.safetensors", before, name)
    return Remembering(Pocket(weights=before, name=name))


def play_one(job: Job, weights: Path, puzzles: int | None) -> Line:
    split, by, name, what = job
    lm, problems = seat(by, name, weights), SPLITS[split]()[:puzzles]
    line: Line = {"job": list(job), "n": len(problems)}
    if what == "chains":
        return line | chains(name, lm, problems)
    b, p = (int(part[2:]) for part in what.split())
    task = LastNumberJudged() if by == "rule" else GAME
    return line | play(Cell(name, name, b, p, help=False), {name: lm}, problems, task)


def played(weights: Path, file: Path, workers: int, puzzles: int | None = None) -> dict[Job, Line]:
    """The lines of all jobs, those that are in ``file`` and those that are not yet."""
    one = partial(play_one, weights=weights, puzzles=puzzles)
    same = {"n": len(SPLITS["hard"]()[:puzzles]), "weights": players(weights)}
    return trials({job: job for job in jobs()}, one, file, lambda line: tuple(line["job"]), same=same, workers=workers)


def players(weights: Path) -> dict[str, str]:
    """Of each player and of its practised copy, the first twelve signs of their hash."""
    files = weights_of(PLAYERS, None) | {f"{name} alone": weights / name / "weights.safetensors" for name in PLAYERS}
    return {name: Pocket(weights=file).weights[:12] for name, file in files.items()}


def figures(found: Mapping[Job, Line], weights: Path) -> Figures:
    """What the chapters read: "hard" and "fresh" have the cells and the players' chains as in the map's results, "rule"
    those of a program that judges the last number; the players' halves are the map's.
    """
    rate, halves = characters_per_token(CASSETTE), read(MAP)["players"]
    pools = {job[:3:2]: Pool(line, rate) for job, line in found.items() if job[3] == "chains"}

    def of(split: str) -> Figures:
        return {
            "players": {name: {"judging": halves[name]["judging"], **worth(pools[split, name])} for name in PLAYERS},
            **{
                key: [
                    cell(line, {job[2]: pools[split, job[2]]}, rate)
                    for job, line in found.items()
                    if job[:2] == (split, by) and job[3] != "chains"
                ]
                for key, by in (("cells", "model"), ("rule", "rule"))
            },
        }

    written: Figures = {
        "n": 100,
        "date": time.strftime("%Y-%m-%d"),
        "training": {name: trained(weights / name) for name in PLAYERS},
        **{split: of(split) for split in SPLITS},
    }
    hard, fresh = (tables.Figures(written[split]) for split in SPLITS)
    return written | {
        "tables": {
            "decision": tables.unchecked(hard),
            "nobody checks": tables.nobody(hard),
            "nobody checks, fresh": tables.nobody(fresh),
        }
    }


def trained(folder: Path) -> Figures:
    """How a player was made, from what its training left."""
    last = json.loads((folder / "log.jsonl").read_text("utf-8").splitlines()[-1])
    lm = Pocket(weights=folder / "weights.safetensors")
    about = lm.engine.metadata
    return {
        "weights": lm.weights[:12],
        "tokens": int(about["tokens"]),
        "seconds": round(last["seconds"]),
        "seed": int(about["seed"]),
        "device": about.get("device", "cpu"),
    }


def main() -> None:
    few = (int, "only so many of each hundred: a trial, which writes no figures")
    a = options(__doc__, weights=LINES.parent, lines=LINES, workers=(2, "processes"), puzzles=few, out=RESULTS)
    found = played(a.weights, a.lines, a.workers, a.puzzles)
    if a.puzzles is None:
        write(figures(found, a.weights), a.out)


if __name__ == "__main__":
    main()
