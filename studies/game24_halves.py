"""Which half of a tree search wins the Game of 24, the steps or the verdicts? Nine searches on the pocket model.

    python -m studies.game24_halves [--puzzles 100] [--out studies/results/game24_halves.json]

Each half of the search is played by a program without any idea, by the pocket model, or by a program that does it
perfectly: eight random legal steps, the model's, all legal steps; random verdicts, the model's, a solver's (an oracle).
Nothing is recorded: weights and seeds give the same samples again. Puzzle i draws its own samples, from number 1000 i
on. Rows with the model in both halves are the same searches as in ``studies.search_pays``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.game24 import interval, solve_all, tree_fails_at
from studies.search_pays.play import GAME, OWN
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, checkpoints, programs
from tot.lm.base import LM
from tot.solution import Job
from tot.stats import wilson
from tot.tasks.base import Problem

RESULTS = Path("studies/results/game24_halves.json")
MODEL = "the pocket model"
STEPS, VERDICTS = (RANDOM_STEPS, MODEL, ALL_STEPS), (COIN, MODEL, ORACLE)
BREADTHS = (1, 5)


def cell(steps: str, verdicts: str, breadth: int, players: Mapping[str, LM], puzzles: Sequence[Problem]) -> dict[str, Any]:
    """One search on every puzzle: solved as 0 and 1, tokens, and what the failed ones died of. Raises LMError if a
    player fails.
    """
    method = tot.method("tot-bfs")
    jobs = [Job(GAME, p, method, {"first": OWN * i, "breadth": breadth}) for i, p in enumerate(puzzles)]
    runs = solve_all(jobs, {"generator": players[steps], "evaluator": players[verdicts]}, show=False)
    right = [int(run.chosen) for run in runs]
    fails = Counter(f"step {step}: {why}" for step, why in map(tree_fails_at, runs) if step)
    return {
        "steps": steps,
        "verdicts": verdicts,
        "breadth": breadth,
        "solved": "".join(map(str, right)),
        "rate": interval(wilson(sum(right), len(right))),
        "tokens written": round(fmean(run.result.ledger.total.completion_tokens for run in runs)),
        "lost at": dict(sorted(fails.items())),
    }


def study(puzzles: Sequence[Problem]) -> dict[str, Any]:
    """All cells, and what they were played with."""
    players = {**programs(), **checkpoints({MODEL: None})}
    cells = [cell(s, v, b, players, puzzles) for s in STEPS for v in VERDICTS for b in BREADTHS]
    weights = getattr(players[MODEL], "weights", "")
    found = {"n": len(puzzles), "split": "hard", "weights": weights, "date": time.strftime("%Y-%m-%d")}
    return {**found, "cells": cells}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(arguments)
    found = study(GAME.problems("hard")[: given.puzzles])
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for line in found["cells"]:
        print(f"{line['steps']:28} {line['verdicts']:24} b={line['breadth']}  {line['rate'][0]:.0%}  {line['lost at']}")


if __name__ == "__main__":
    main()
