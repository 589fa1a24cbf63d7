"""The recorded 1.5B model of chapter 14 on the same axes: how well it judges plans, what its tree and its vote solve.

Its problems are the book's eighty, not the pocket model's, so that it is a guest on the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tot
from studies.figures import Figures, compared, each
from studies.plans_pay.casts import SIX, TREE
from studies.plans_pay.measures import JUDGED, accuracy
from studies.plans_pay.play import plans
from studies.trials import solve_all
from tot.lm.cassette import Cassette
from tot.solution import Job, Solution

CASSETTES = Path(__file__).resolve().parents[2] / "notebooks" / "cassettes"
KINDS = ("gsm8k", "svamp")
EACH = 40  # problems of each kind


def recorded() -> Figures:
    """Accuracy of its judges, one by one and together; its tree, its vote of five chains and their difference."""
    line = {"plans": [plans(run) for run in runs("judged-plans", SIX)]}
    tree = [float(run.chosen) for run in runs("mcts-plan", TREE)]
    vote = [float(run.chosen) for run in runs("zero-shot-cot", {"k": 5})]
    lm = Cassette(CASSETTES / "14.jsonl")
    return {
        "model": lm.name,
        "n": len(tree),
        "dates": sorted({session["date"] for session in lm.tape.sessions.values()}),
        "judges": {name: accuracy(line, column) for name, column in JUDGED.items()},
        "tree": each(tree),
        "vote": each(vote),
        "gain": compared(tree, vote),
    }


def runs(method: str, knobs: Any) -> Sequence[Solution]:
    """On all eighty problems. Chains of gsm8k are in chapter 9's recording."""
    found: list[Solution] = []
    for kind in KINDS:
        chapter = "09" if method == "zero-shot-cot" and kind == "gsm8k" else "14"
        task, lm = tot.task(kind), Cassette(CASSETTES / f"{chapter}.jsonl")
        jobs = [Job(task, p, tot.method(method), knobs) for p in task.problems("book")[:EACH]]
        found += solve_all(jobs, lm)
    return found
