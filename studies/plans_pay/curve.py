"""At which accuracy of its judge does a search overtake its rival?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any

NEVER = 2.0  # stands for an accuracy that no judge has


def crossing(points: Sequence[tuple[float, float]]) -> float:
    """Where the broken line through (accuracy, gain) rises above zero for good: 0.5 if it is never below, ``NEVER`` if
    its end is not above.
    """
    points = sorted(points)
    if points[-1][1] <= 0:
        return NEVER
    for (x, low), (y, high) in reversed(list(pairwise(points))):
        if low <= 0:
            return x + (y - x) * -low / (high - low)
    return points[0][0]


def crossed(
    accuracies: Sequence[float], searches: Sequence[Sequence[float]], rival: Sequence[float], *, resamples: int = 2000
) -> dict[str, Any]:
    """The crossing of judges with these ``accuracies``, whose searches solved (judge by judge) what ``searches`` say,
    with the ``rival``; problems are drawn anew for its 95% interval. ``never``: the share of draws without one.
    """

    def at(draw: Sequence[int]) -> float:
        gains = [fmean(solved[i] - rival[i] for i in draw) for solved in searches]
        return crossing(list(zip(accuracies, gains, strict=True)))

    every = range(len(rival))
    rng = Random(0)
    drawn = sorted(at(rng.choices(every, k=len(rival))) for _ in range(resamples))
    tail = int(0.025 * resamples)
    ends = [round(x, 3) for x in (at(every), drawn[tail], drawn[resamples - 1 - tail])]
    return {"accuracy": ends, "never": round(fmean(x == NEVER for x in drawn), 4)}
