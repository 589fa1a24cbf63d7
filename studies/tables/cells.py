"""What stands in a cell of our columns, and what stands below a table: the difference of two rows, with a verdict.

Cells are plain data. A rate or a mean has its interval and n; a blank has the name of a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from studies import figures
from studies.figures import against, numbers, of_samples
from studies.game24 import cost
from tot.solution import Solution
from tot.stats import bootstrap, pass_at_k, sign_flips

FEWEST = 6  # problems: fewer than that cannot be told from luck, whatever they show
UNITS = {"points": (100, 1.0), "points of the score": (1, 9.0)}  # unit -> how many are one; how far two can differ

Cell = dict[str, Any]
Section = dict[str, Any]
Values = Mapping[str, float]  # problem -> how well it was solved, from 0 to 1, or another measure


def blank(why: str) -> Cell:
    return {"blank": why}


def rate(found: Sequence[float], n: int, **more: Any) -> Cell:
    return {"rate": list(found), "n": n, **more}


def share(hits: Sequence[float], why: str = "recording", **more: Any) -> Cell:
    """The rate of answers that are right, one for each problem."""
    return rate(figures.share(hits), len(hits), **more) if hits else blank(why)


def single(solutions: Sequence[Solution], why: str = "recording", **more: Any) -> Cell:
    """The rate of one sample, from all of them."""
    groups = [[float(x.correct) for x in s.scores] or [0.0] for s in solutions]
    return rate(of_samples(groups), len(groups), **more) if groups else blank(why)


def answer(solutions: Sequence[Solution], why: str = "recording", **more: Any) -> Cell:
    """The rate of the answers that the method chose."""
    return share([s.chosen for s in solutions], why, **more)


def mean(values: Values, why: str = "recording") -> Cell:
    if not values:
        return blank(why)
    return {"mean": figures.each(values.values()), "n": len(values)}


def tokens(solutions: Sequence[Solution], share: float = 1.0, why: str = "recording") -> Cell:
    """Written and read for one problem; ``share``: 1/k for one of k samples."""
    if not solutions:
        return blank(why)
    bill = cost(solutions, share)
    return {"tokens": [bill["generated tokens"], bill["prompt tokens"]], "n": len(solutions)}


# ---------------------------------------------------------------- differences


def each(solutions: Iterable[Solution]) -> dict[str, float]:
    """Problem -> share of its samples that are right."""
    return {s.problem: fmean(float(score.correct) for score in s.scores) if s.scores else 0.0 for s in solutions}


def chosen(solutions: Iterable[Solution]) -> dict[str, float]:
    return {s.problem: float(s.chosen) for s in solutions}


def best(solutions: Iterable[Solution], k: int) -> dict[str, float]:
    return {s.problem: pass_at_k(k, sum(x.correct for x in s.scores), k) for s in solutions}


def difference(
    what: str, there: float | None, here: Mapping[str, tuple[Values, Values]], unit: str = "points", claim: int = 0
) -> Cell:
    """A row minus another one, there and here. ``here``: column -> the two rows' values by problem. ``claim``: -1 or 1
    for a difference that the paper claims and gives no figure for.

    The verdict is "cannot tell" unless ours is clear: p < 0.05 in a sign flip test. Then it "agrees", or it is "the
    other way round". (A bootstrap interval without 0 is not enough: of few problems it is too narrow.) A second one is
    about the size: the p of the paper's figure on our problems (``figures.against``), where there is a figure.
    """
    found = {name: compared(a, b, there or claim) for name, (a, b) in here.items()}
    if there is not None:
        scale, reach = UNITS[unit]
        for name, cell in found.items():
            if cell:
                gaps = [a - b for a, b in paired(*here[name])]
                cell["p of theirs"] = round(against(gaps, there / scale, reach), 6)
    sides = {"there": there, "claim": claim} if claim else {"there": there}
    return {"what": what, **sides, "unit": unit, "here": {name: c for name, c in found.items() if c}}


def compared(a: Values, b: Values, there: float) -> Cell | None:
    gaps = [one - other for one, other in paired(a, b)]
    if not gaps:
        return None
    found = bootstrap([[gap] for gap in gaps])
    clear = sign_flips(gaps) < 0.05 and len(gaps) >= FEWEST
    return {"difference": numbers(found), "n": len(gaps), "verdict": verdict(there, found.rate, clear)}


def paired(a: Values, b: Values) -> list[tuple[float, float]]:
    """On the problems that both have, in their order, as the chapters count."""
    return [(a[x], b[x]) for x in a if x in b]


def verdict(there: float, here: float, clear: bool) -> str:
    """``there``, ``here``: two differences, of which the signs count; ``clear``: ours is no matter of luck."""
    if not clear:
        return "cannot tell"
    return "agrees" if there * here > 0 else "the other way round" if there else "clear here"
