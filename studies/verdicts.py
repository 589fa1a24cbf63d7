"""What do three sampled verdicts know, and what does one distribution? Game of 24 on the pocket model, live.

    python -m studies.verdicts [--puzzles 100] [--trials 4] [--out studies/results/verdicts.json]

Two questions. *Judging*: on the same states for all, living and dead ones by an exhaustive solver (those of
``studies.search_pays``), how often is a living state valued above a dead one? *Searching*: ToT-BFS on the hard puzzles,
several times with other samples, at equal breadth and at equal tokens. The states are one set and the solver looks at
them from outside; no search sees it. Each finished trial is a line of ``--lines``, so it can be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any

from studies.figures import Figures, mean, write
from studies.options import options
from studies.repeated import Searches, Trials, least_to_show, repeated, row, told
from studies.search_pays.measure import Place, Pool, mean_auc, pool
from studies.trials import GAME, OWN
from tot.lm.chances import normalised, weighed
from tot.parse import read_sample
from tot.solution import Solution
from tot.tasks.base import Problem
from tot.ties import total
from treebook.players import Pocket
from treebook.players.template import prompt_tokens
from treebook.players.tokens import encode

RESULTS, LINES = Path("studies/results/verdicts.json"), Path("_build/verdicts.jsonl")
THREE, ONE, THREE_CHANCES = "three samples", "one sample", "three samples, their probabilities"
GREEDY, CHANCES = "the likeliest reply, its word", "the likeliest reply, its probabilities"
AT_ONCE = "the probabilities at once, without a try"
SEARCHES: Searches = {  # b = 15 and b = 2 have about the tokens of the other kind with b = 5
    "three samples, b=5": ("tot-bfs", {"breadth": 5}),
    "one sample, b=5": ("tot-bfs", {"breadth": 5, "values": 1}),
    "probabilities, b=5": ("tot-bfs", {"breadth": 5, "verdicts": "logprobs"}),
    "probabilities, b=10": ("tot-bfs", {"breadth": 10, "verdicts": "logprobs"}),
    "probabilities, b=15": ("tot-bfs", {"breadth": 15, "verdicts": "logprobs"}),
    "three samples, b=2": ("tot-bfs", {"breadth": 2}),
}
BILLED = {"requests": "calls", "samples": "samples"}
LABELS, WORTH = tuple(GAME.verdicts), list(GAME.verdicts.values())

Heard = tuple[float, float, float, float]  # a state's value, the same from words alone, tokens written, missing mass


# ---------------------------------------------------------------- judging


def asked(lm: Pocket, places: Sequence[Place], n: int, **changed: Any) -> list[Heard]:
    """Each state's value by its ordinary prompt, with ``n`` samples of it or, with labels, their chances."""
    requests = [replace(GAME.value(state), first=OWN * i, n=n, **changed) for i, state in places]
    found = []
    for request, reply in zip(requests, lm(requests), strict=True):
        said = [(sample, read_sample(sample, GAME.read_value).value) for sample in reply.samples]
        pairs = [pair for sample, own in said for pair in weighed(request, sample, own, WORTH)]
        missing = fmean(sample.missing for sample in reply.samples)
        words = total(own for _, own in said if own is not None)
        found.append((total(w * p for w, p in pairs), words, float(reply.asked.completion_tokens), missing))
    return found


def at_once(lm: Pocket, places: Sequence[Place]) -> list[Heard]:
    """Each state's expected verdict if the reply had to begin with it: what the model knows before it has tried."""
    found = []
    for _, state in places:
        replies = [encode(f". {label}") for label in LABELS]
        logs = lm.log_chances(prompt_tokens(GAME.value(state)), replies)
        mass = [exp(log) for log in logs]
        whole = total(mass)
        value = total(w * m / whole for w, m in zip(WORTH, mass, strict=True))
        found.append((value, value, 1.0, normalised(mass)[1]))
    return found


JUDGES: dict[str, Callable[[Pocket, Sequence[Place]], list[Heard]]] = {
    THREE: lambda lm, places: asked(lm, places, 3),
    THREE_CHANCES: lambda lm, places: asked(lm, places, 3, labels=LABELS),
    ONE: lambda lm, places: asked(lm, places, 1),
    GREEDY: lambda lm, places: asked(lm, places, 1, temperature=0.0),
    CHANCES: lambda lm, places: asked(lm, places, 1, temperature=0.0, labels=LABELS),
    AT_ONCE: at_once,
}


def judging(lm: Pocket, states: Pool) -> Figures:
    """For each judge: AUC by numbers left and their mean, the gap to three samples, tokens a state, missing mass."""
    heard = {
        name: {(s, a): judge(lm, states[s][a]) for s in (3, 2) for a in (True, False)} for name, judge in JUDGES.items()
    }
    puzzles = sorted({i for size in (3, 2) for side in (True, False) for i, _ in states[size][side]})

    def sides(name: str, at: int = 0) -> list[Any]:
        """[puzzle][size] -> (values of living states, values of dead ones)."""
        values: dict[tuple[int, int, bool], list[float]] = {}
        for (size, alive), found in heard[name].items():
            for (i, _), one in zip(states[size][alive], found, strict=True):
                values.setdefault((i, size, alive), []).append(one[at])
        return [[tuple(values.get((i, s, a), []) for a in (True, False)) for s in (3, 2)] for i in puzzles]

    table: Figures = {}
    for name, found in heard.items():
        mine, every = sides(name), [one for part in found.values() for one in part]
        table[name] = {
            "AUC": mean(mine, mean_auc, 400),
            "AUC, 3 numbers": mean([one[:1] for one in mine], mean_auc, 400),
            "AUC, 2 numbers": mean([one[1:] for one in mine], mean_auc, 400),
            "gap to three samples": _gap(mine, sides(THREE)),
            "gap to its words": _gap(mine, sides(name, 1)),
            "tokens a state": round(fmean(one[2] for one in every), 2),
            "missing": round(fmean(one[3] for one in every), 6),
        }
    counts = {str(s): [len(states[s][True]), len(states[s][False])] for s in (3, 2)}
    return {"puzzles": len(puzzles), "living and dead states": counts, "judges": table}


def _gap(mine: Any, other: Any) -> list[float]:
    """How much more the one AUC is than the other, on the same states."""
    both = list(zip(mine, other, strict=True))
    return mean(both, lambda groups: mean_auc([a for a, _ in groups]) - mean_auc([b for _, b in groups]), 400)


# ---------------------------------------------------------------- the study


def bill(runs: Sequence[Solution]) -> Figures:
    bills = [run.result.ledger.total for run in runs]
    return {name: round(fmean(getattr(one, of) for one in bills), 2) for name, of in BILLED.items()}


def compared(found: Trials) -> Figures:
    """For each search: success over trials, and its gap to three samples with b = 5."""
    base = next(iter(found.values()))
    means = {
        name: {what: round(fmean(t[what] for t in trials), 1) for what in BILLED} for name, trials in found.items()
    }
    return {name: row(trials, base) | means[name] for name, trials in found.items()}


def study(lm: Pocket, problems: Sequence[Problem], trials: int, lines: Path) -> Figures:
    """All parts; trials that ``lines`` has already are not played again."""
    played = repeated(lm, SEARCHES, problems, trials, lines, bill)
    return told(lm, problems, played) | {
        "judging": judging(lm, pool(problems)),
        "date": time.strftime("%Y-%m-%d"),
        "shows": least_to_show(next(iter(played.values()))),
        "searches": compared(played),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(__doc__, arguments, puzzles=100, trials=(4, "how often, from 2"), lines=LINES, out=RESULTS)
    write(study(Pocket(), GAME.problems("hard")[: a.puzzles], max(2, a.trials), a.lines), a.out)


if __name__ == "__main__":
    main()
