"""Searches that are played several times, with other samples each time, on the hard puzzles of the Game of 24."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from studies import trials
from studies.figures import Figures, each, mean
from studies.trials import written
from tot.solution import Solution
from tot.stats import mcnemar, sign_flips
from tot.tasks.base import Problem
from treebook.players import Pocket

EACH_TRIAL = 100  # trial t of puzzle i draws its samples from number 1000 i + 100 t on
Searches = Mapping[str, tuple[str, Mapping[str, Any]]]  # name -> method and knobs
Trials = Mapping[str, Sequence[Figures]]  # name -> what each trial of it gave


def repeated(
    lm: Pocket,
    searches: Searches,
    problems: Sequence[Problem],
    times: int,
    lines: Path,
    more: Callable[[Sequence[Solution]], Figures],
) -> dict[str, list[Figures]]:
    """Each trial: solved as 0 and 1, tokens written for each puzzle, and what ``more`` says of its runs. What ``lines``
    has of the same weights and puzzles is not played again.
    """

    def play(job: tuple[int, str]) -> Figures:
        trial, name = job
        method, knobs = searches[name]
        runs = trials.play(problems, method, lm, shift=EACH_TRIAL * trial, **knobs)
        solved = "".join(map(str, trials.solved(runs)))
        return {"trial": trial, "search": name, "solved": solved, "tokens written": written(runs), **more(runs)}

    todo = {(trial, name): (trial, name) for trial in range(times) for name in searches}
    about = {"weights": lm.weights, "n": len(problems)}
    found = trials.trials(todo, play, lines, lambda line: (line["trial"], line["search"]), same=about)
    apart = {"trial", "search", *about}
    return {
        name: [{k: v for k, v in found[trial, name].items() if k not in apart} for trial in range(times)]
        for name in searches
    }


def told(lm: Pocket, problems: Sequence[Problem], played: Trials) -> Figures:
    """What a results file says first: who played what, and how each trial went."""
    return {"model": lm.name, "weights": lm.weights, "split": "hard", "n": len(problems), "trials": played}


def least_to_show(played: Sequence[Figures]) -> Figures:
    """Which difference these puzzles can show, from one search alone: two trials of it differ by chance only.

    "one trial": the smallest difference, in puzzles of all, at which McNemar's test gives p < 0.05 if as many puzzles
    change sides as between the first two trials. "all trials": 2.8 standard errors of a difference of means over trials
    (a true difference of that size is found four times in five), with the variance within puzzles between trials.
    """
    puzzles = outcomes(played, "solved")
    changed = sum(one != other for one, other, *_ in puzzles)
    gaps = (
        gap for gap in range(changed % 2, changed + 1, 2) if mcnemar((changed + gap) // 2, (changed - gap) // 2) < 0.05
    )
    within = fmean(fmean(p) * (1 - fmean(p)) * len(p) / (len(p) - 1) for p in puzzles)
    error = (2 * within / len(played) / len(puzzles)) ** 0.5
    return {"changed sides": changed, "one trial": next(gaps, None), "all trials": round(2.8 * error, 4)}


def outcomes(played: Sequence[Figures], count: str) -> list[list[int]]:
    """[puzzle][trial]: 1 where ``count`` says so."""
    return [list(map(int, puzzle)) for puzzle in zip(*(trial[count] for trial in played), strict=True)]


def row(played: Sequence[Figures], base: Sequence[Figures], count: str = "solved") -> Figures:
    """The share of plays that count, its interval (puzzles are the clusters), its gap to ``base`` and the sign flip
    test of it, pair by pair; and means over trials.
    """
    mine, other = outcomes(played, count), outcomes(base, count)
    gaps = [fmean(a) - fmean(b) for a, b in zip(mine, other, strict=True)]
    return {
        "rate": mean(mine),
        "gap": each(gaps),
        "p": round(sign_flips(gaps), 4),
        "tokens written": round(fmean(fmean(trial["tokens written"]) for trial in played)),
    }
