"""Search by the model's own probabilities beside chains and the tree: Game of 24, hard puzzles, the pocket model, live.

    python -m studies.likely [--puzzles 100] [--trials 4] [--out studies/results/likely.json]

Methods, budgets and trials were fixed before the first run. What so many plays can show was known from
``studies.verdicts``, where trials of ToT with b=5 differ by chance only: a difference of about 7 percentage points over
four trials is found four times in five, and smaller ones are no result here ("shows").

Levin tree search stops when the task's free check is content, and in ToT a program knows 24 when one number is left.
Every method is therefore counted twice: by the answer that it gives itself ("solved"), and by whether the check would
find a right one among its outputs ("checked"). Each finished trial is a line of ``--lines``, so it can be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from studies.figures import Figures, write
from studies.options import options
from studies.repeated import Searches, Trials, least_to_show, repeated, row, told
from studies.trials import GAME
from tot.solution import Solution
from tot.tasks.base import Problem
from treebook.players import Pocket

RESULTS, LINES = Path("studies/results/likely.json"), Path("_build/likely.jsonl")
TREE = "ToT, b=5"
METHODS: Searches = {  # 40 chains are about the tokens of Levin with 100 expansions
    TREE: ("tot-bfs", {"breadth": 5}),
    "CoT": ("cot", {}),
    "CoT-SC, 20 chains": ("cot-sc", {"k": 20}),
    "40 chains": ("cot-sc", {"k": 40}),
    "likely beam, b=5": ("likely-beam", {"breadth": 5}),
    "likely beam, b=20": ("likely-beam", {"breadth": 20}),
    "Levin, 10 expansions": ("levin", {"expansions": 10}),
    "Levin, 30 expansions": ("levin", {"expansions": 30}),
    "Levin, 100 expansions": ("levin", {"expansions": 100}),
    "Levin, 300 expansions": ("levin", {"expansions": 300}),
    "Levin, 100, no cuts": ("levin", {"expansions": 100, "cuts": False}),
}


def more(runs: Sequence[Solution]) -> Figures:
    """Of a trial: checked as 0 and 1, requests, and of Levin tree search the expansions and the bound d / π of the
    answers that were right (0: none was).
    """
    figures: Figures = {
        "checked": "".join(str(int(run.any)) for run in runs),
        "requests": [run.result.ledger.total.calls for run in runs],
    }
    if runs[0].method == "levin":
        figures["expansions"] = [sum(event["kind"] == "expanded" for event in run.trace.events) for run in runs]
        figures["bound"] = [round(run.result.best[0].f or 0.0, 1) if run.chosen else 0 for run in runs]
    return figures


def study(lm: Pocket, problems: Sequence[Problem], trials: int, lines: Path) -> Figures:
    """All parts; trials that ``lines`` has already are not played again."""
    played = repeated(lm, METHODS, problems, trials, lines, more)
    return told(lm, problems, played) | {
        "date": time.strftime("%Y-%m-%d"),
        "shows": least_to_show(played[TREE]),
        "compared": compared(played),
    }


def compared(played: Trials) -> Figures:
    """Every method against the tree, by its own answer and by the check."""
    return {
        count: {name: row(trials, played[TREE], count) for name, trials in played.items()}
        for count in ("solved", "checked")
    }


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(__doc__, arguments, puzzles=100, trials=(4, "how often, from 2"), lines=LINES, out=RESULTS)
    write(study(Pocket(), GAME.problems("hard")[: a.puzzles], max(2, a.trials), a.lines), a.out)


if __name__ == "__main__":
    main()
