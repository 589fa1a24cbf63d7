"""Which half of a tree search wins the Game of 24, the steps or the verdicts? Nine searches on the pocket model.

    python -m studies.game24_halves [--puzzles 100] [--out studies/results/game24_halves.json]

Each half of the search is played by a program without any idea, by the pocket model, or by a program that does it
perfectly: eight random legal steps, the model's, all legal steps; random verdicts, the model's, a solver's (an oracle).
Nothing is recorded: weights and seeds give the same samples again. Puzzle i draws its own samples, from number 1000 i
on. Rows with the model in both halves are the same searches as in ``studies.search_pays``. Beside them the model that
most chapters recorded, on the ten puzzles of chapter 6's cassette: what its failed searches died of, and its judge.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.figures import Figures, mean, share, write
from studies.game24 import lost_at
from studies.options import options
from studies.search_pays.measure import auc
from studies.search_pays.others import CASSETTES, sides
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, checkpoints, programs
from studies.trials import GAME, play, solved, written
from tot.lm.base import LM
from tot.tasks.base import Problem

RESULTS = Path("studies/results/game24_halves.json")
MODEL = "the pocket model"
STEPS, VERDICTS = (RANDOM_STEPS, MODEL, ALL_STEPS), (COIN, MODEL, ORACLE)
BREADTHS = (1, 5)


def cell(
    steps: str, verdicts: str, breadth: int, replies: int, players: Mapping[str, LM], puzzles: Sequence[Problem]
) -> Figures:
    """One search on every puzzle: solved as 0 and 1, tokens, and where and why the failed ones were lost. ``replies``:
    propose replies for each state. Raises LMError if a player fails.
    """
    lms = {"generator": players[steps], "evaluator": players[verdicts]}
    runs = play(puzzles, "tot-bfs", lms, breadth=breadth, proposals=replies)
    return {
        "steps": steps,
        "verdicts": verdicts,
        "breadth": breadth,
        "replies": replies,
        "solved": "".join(map(str, solved(runs))),
        "rate": share(solved(runs)),
        "tokens written": round(fmean(written(runs))),
        "lost at": lost_at(runs),
    }


def recorded() -> Figures:
    """The recorded model's searches: where and why they failed, and how often its judge values a living state above a
    dead one, by the numbers left; intervals resample puzzles.
    """
    lm = tot.Cassette(CASSETTES / "06.jsonl")
    puzzles = GAME.problems("starter")[::4]
    runs = {b: [tot.solve(GAME, p, "tot-bfs", lm=lm, style="lean", breadth=b) for p in puzzles] for b in BREADTHS}

    def both(groups: Any) -> float:
        living, dead = ([v for group in groups for v in group[side]] for side in (0, 1))
        return auc(living, dead) if living and dead else 0.5

    judged: dict[int, Any] = {size: [sides([run], size) for run in runs[5]] for size in (3, 2)}
    return {
        "model": lm.name,
        "n": len(puzzles),
        "lost at": {f"b={b}": lost_at(each) for b, each in runs.items()},
        "states": {str(size): sum(len(a) + len(b) for a, b in each) for size, each in judged.items()},
        "AUC": {str(size): mean(each, both) for size, each in judged.items()},
    }


def study(puzzles: Sequence[Problem]) -> Figures:
    """All cells, and what they were played with."""
    players = {**programs(), **checkpoints({MODEL: None})}
    plans = [(s, v, b, 1) for s in STEPS for v in VERDICTS for b in BREADTHS]
    plans += [(RANDOM_STEPS, COIN, 1, 3), (MODEL, MODEL, 1, 3)]
    cells = [cell(*plan, players, puzzles) for plan in plans]
    weights = getattr(players[MODEL], "weights", "")
    found = {"n": len(puzzles), "split": "hard", "weights": weights, "date": time.strftime("%Y-%m-%d")}
    return {**found, "cells": cells, "recorded model": recorded()}


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(__doc__, arguments, puzzles=100, out=RESULTS)
    write(study(GAME.problems("hard")[: a.puzzles]), a.out)


if __name__ == "__main__":
    main()
