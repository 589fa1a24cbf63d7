"""Who has the lowest bill per arrival, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from random import Random

import numpy as np

from studies.figures import Figures, share
from studies.tools_pay.runs import Bill

RESAMPLES = 2000


@cache
def draws(n: int) -> np.ndarray:
    """How often each of n worlds is drawn: the first row once each, the others with replacement."""
    dice = Random(0)
    drawn_anew = [np.bincount(dice.choices(range(n), k=n), minlength=n) for _ in range(RESAMPLES)]
    return np.array([np.ones(n), *drawn_anew])


def interval(found: np.ndarray, level: float = 0.95) -> list[float | None]:
    """[estimate, low, high] of what ``draws`` gave. None: without bound."""
    tail = int((1 - level) / 2 * RESAMPLES)
    sorted_ = np.sort(found[1:])
    return [round(float(x), 3) if np.isfinite(x) else None for x in (found[0], sorted_[tail], sorted_[-1 - tail])]


def bills(runs: Sequence[Bill]) -> np.ndarray:
    """The bill per arrival, for each draw of worlds; inf where nobody arrives."""
    spent, arrived = np.array(runs, dtype=float).T
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0: who spends nothing and never arrives
        return np.nan_to_num((draws(len(runs)) @ spent) / (draws(len(runs)) @ arrived), nan=inf, posinf=inf)


def ratio(a: Sequence[Bill], b: Sequence[Bill]) -> list[float | None]:
    """What a's bill per arrival is of b's in the same worlds, with its 99 % interval: above 1, a is dearer."""
    with np.errstate(invalid="ignore"):
        return interval(np.nan_to_num(bills(a) / bills(b), nan=1.0, posinf=inf), 0.99)


def dearer(a: Sequence[Bill], b: Sequence[Bill]) -> bool:
    low = ratio(a, b)[1]
    return low is None or low > 1


def compare(runs: Mapping[str, Sequence[Bill]]) -> Figures:
    """The agents of one cell against each other: who wins, and if nobody does, who is ``left``.

    Agents whose every run is the same (as those that differ in prices only, where prices are equal) are one agent,
    which goes by the first name. ``ahead``: how much dearer than the first the second one is.
    """
    agents: dict[str, Sequence[Bill]] = {}
    same: dict[str, str] = {}
    for who, mine in runs.items():
        twin = next((other for other in agents if list(agents[other]) == list(mine)), None)
        if twin:
            same[who] = twin
        else:
            agents[who] = mine
    first, *others = sorted(agents, key=lambda who: bills(agents[who])[0])
    left = [first] + [who for who in others if not dearer(agents[who], agents[first])]
    winner = first if left == [first] and others else None
    figures: Figures = {"winner": winner, "left": left, "same": same}
    if others:
        figures |= {"second": others[0], "ahead": ratio(agents[others[0]], agents[first])}
    figures["agents"] = {who: {
        "arrived": share([arrived for _, arrived in mine]),
        "spent": interval(draws(len(mine)) @ np.array([spent for spent, _ in mine]) / len(mine)),
        "bill": interval(bills(mine)),
    } for who, mine in agents.items()}  # fmt: skip
    return figures
