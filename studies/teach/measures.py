"""What a model can do on the 100 hard puzzles, which no round ever sees: at once, by a chain, by votes, by the tree;
and how good its two halves are. Figures with intervals, and outcomes puzzle by puzzle for tests that compare models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from studies.game24 import interval, job, of_samples, solve_all
from studies.search_pays.measure import generating, judging, pool
from studies.search_pays.play import OWN
from studies.teach.searching import BREADTH, GAME
from tot.lm.base import LM
from tot.solution import Solution
from tot.stats import wilson
from tot.tasks.base import Problem

IO_SAMPLES, CHAINS = 10, 40  # of each puzzle
POOL = 50  # puzzles below which the states for both halves lie
Figures = dict[str, Any]


def measured(lm: LM, problems: Sequence[Problem]) -> Figures:
    """Rates are [rate, low, high] at 95 %; puzzle i draws the samples from number 1000 i on."""

    def play(method: str, **knobs: Any) -> list[Solution]:
        return solve_all([job(p, method, first=OWN * i, **knobs) for i, p in enumerate(problems)], lm, show=False)

    at_once, chains = play("io", k=IO_SAMPLES), play("cot-sc", k=CHAINS)
    trees = play("tot-bfs", breadth=BREADTH)
    states = pool(problems[:POOL])
    return {
        "puzzles": len(problems),
        "IO": {"rate": of_samples(at_once), "right": right(at_once), "tokens": tokens(at_once)},
        "CoT": {"rate": of_samples(chains), "right": right(chains), "tokens": tokens(chains)},
        "CoT-SC": {"k": CHAINS, **solved(chains)},
        "best of the chains": {"k": CHAINS, "rate": interval(wilson(sum(s.any for s in chains), len(chains)))},
        "different ways": round(sum(different(s) for s in chains) / len(chains), 2),
        "ToT": {**solved(trees), "tokens": tokens(trees)},
        "generating": generating(lm, states),
        "judging": judging(lm, states),
    }


def right(runs: Sequence[Solution]) -> list[int]:
    """Of each puzzle's samples, how many are right."""
    return [sum(score.correct for score in run.scores) for run in runs]


def solved(runs: Sequence[Solution]) -> Figures:
    outcomes = [int(run.chosen) for run in runs]
    return {"rate": interval(wilson(sum(outcomes), len(outcomes))), "solved": outcomes}


def tokens(runs: Sequence[Solution]) -> float:
    """Written for each puzzle, all its samples together."""
    return round(sum(run.result.ledger.total.completion_tokens for run in runs) / len(runs), 1)


def different(run: Solution) -> int:
    """How many different answers the chains name: what training on few ways may shrink."""
    return len(Counter(GAME.same(answer) for answer in run.answers if answer is not None))
