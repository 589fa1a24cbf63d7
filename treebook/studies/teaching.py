"""Chapter 18: its results file (outcomes of each puzzle, over all seeds, and comparisons of them), and ways that a
search found.

An arm is asked for ``after`` so many rounds; after none it is the novice. A method is a column of ``measures`` ("IO",
"CoT", "CoT-SC", "ToT") or of ``shapes`` ("narrow ToT", "teacher ToT"), or "best of 40": one chain of forty is right
and a program finds it.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from tot.state import State
from tot.stats import Interval, bootstrap, sign_flips, wilson
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24, numbers_of
from tot.tasks.game24 import steps_of as equations
from tot.tasks.game24_rules import Step, read_step

from .results import Compared, Figures, load

GAME = Game24()
SAMPLES = {"IO": 10, "CoT": 40}  # of each puzzle; the others are right or wrong
Place = tuple[str, int, str]  # arm, round, method


class Study:
    """All that ``studies.teach.report`` wrote. Raises FileNotFoundError without it."""

    def __init__(self, file: str | Path) -> None:
        self.figures = load(file)
        self.legs = {(leg["arm"], leg["seed"], leg["round"]): leg for leg in self.figures["legs"]}
        self.puzzles: int = self.figures["novice"]["puzzles"]

    def seeds(self, arm: str, after: int) -> list[int]:
        """Those that have come so far; the novice is the same for all of the arm's seeds."""
        return [s for (a, s, r) in self.legs if a == arm and r == max(1, after)]

    def measured(self, arm: str, seed: int, after: int) -> Figures:
        """What was measured of an arm after so many rounds; of the novice, if none."""
        found: Figures = self.legs[arm, seed, after]["measured"] if after else self.figures["novice"]
        return found

    def outcomes(self, place: Place, seeds: Sequence[int] | None = None) -> list[list[float]]:
        """[puzzle][seed]: the share of right samples, or 0 or 1. Raises KeyError for a leg that is not there."""
        arm, after, method = place
        use = [0] if after == 0 else self.seeds(arm, after) if seeds is None else seeds
        columns = [_column(self.measured(arm, seed, after), method) for seed in use]
        return [list(one) for one in zip(*columns, strict=True)]

    def rate(self, arm: str, after: int, method: str) -> Interval:
        """The mean over seeds, at 95 % over puzzles: Wilson's for the right and wrong of one seed, else a bootstrap."""
        found = self.outcomes((arm, after, method))
        if len(found[0]) == 1 and method not in SAMPLES:
            return wilson(round(sum(x for [x] in found)), len(found))
        return bootstrap(found)

    def compared(self, a: Place, b: Place) -> Compared:
        """On the same puzzles, over the seeds that both have (the novice has them all)."""
        shared = [s for s in self.seeds(*a[:2]) if s in self.seeds(*b[:2])] if a[1] and b[1] else None
        pairs = zip(self.outcomes(a, shared), self.outcomes(b, shared), strict=True)
        gaps = [fmean(x) - fmean(y) for x, y in pairs]
        return Compared(bootstrap([[gap] for gap in gaps]), sign_flips(gaps))

    def mean(self, arm: str, after: int, *path: str) -> float:
        """The mean over seeds of a figure of ``measures`` (the first of three where it has an interval)."""
        return fmean(_at(self.measured(arm, s, after), path) for s in (self.seeds(arm, after) if after else [0]))

    def searched(self, arm: str, after: int, name: str) -> float:
        """The mean over seeds of what the search before this round's training says: tokens, solved, ways known ..."""
        return fmean(float(self.legs[arm, s, after]["search"][name]) for s in self.seeds(arm, after))


def _column(measured: Figures, method: str) -> list[float]:
    if method in SAMPLES:
        return [right / SAMPLES[method] for right in measured[method]["right"]]
    if method == f"best of {SAMPLES['CoT']}":
        return [float(right > 0) for right in measured["CoT"]["right"]]
    return [float(x) for x in measured[method]["solved"]]


def _at(figures: Any, path: Sequence[str]) -> float:
    for name in path:
        figures = figures[name]
    return float(figures[0] if isinstance(figures, list) else figures)


def way_to(state: State) -> list[Step]:
    """The legal steps that lead to a state."""
    return [step for step in equations(state) if isinstance(step, Step)]


def steps_of(x: str, lines: Sequence[str]) -> list[Step]:
    """Equations -> steps from the puzzle ``x``. Raises ValueError for one that is not legal."""
    numbers, steps = numbers_of(x), list[Step]()
    for line in lines:
        read = read_step(line, numbers)
        if read.value is None:
            raise ValueError(f"{x}: {line!r}: {read.why}")
        steps.append(read.value)
        numbers = read.value.left
    return steps


def legal_way(x: str, text: str) -> list[Step] | None:
    """The three steps of a chain if they are legal, else None."""
    try:
        way = steps_of(x, [line for line in text.splitlines() if "=" in line][:3])
    except ValueError:
        return None
    return way if len(way) == 3 else None


def answered(problem: Problem, text: str) -> bool:
    """Is the chain's answer right, whatever its steps?"""
    thought = GAME.read_cot(State(problem.x), text)[0].value
    return thought is not None and GAME.verify(problem, thought.answer).correct
