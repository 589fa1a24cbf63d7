"""What can so many problems show? Computed before anything is played."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, exp, lgamma, log, sqrt

from tot.stats import mcnemar

POWER = 0.8  # how often a true difference of the size told is found
REACH = 1.96 + 0.8416  # standard errors: 5% level, that power
QUESTIONS = {"table 1": 5, "table 3": 5, "table 4": 5}  # tests in each table; each may claim 0.05 / so many
CHANGED = (0.1, 0.2, 0.3)  # shares of problems that only one of two methods solves


def least_lead(changed: int, alpha: float) -> int | None:
    """The smallest lead, in problems, with which McNemar's exact test has p < ``alpha``, if ``changed`` problems are
    solved by one of two methods only; None if no lead will do.
    """
    leads = range(changed % 2, changed + 1, 2)
    return next((d for d in leads if mcnemar((changed + d) // 2, (changed - d) // 2) < alpha), None)


def found(n: int, changed: float, gap: float, alpha: float) -> float:
    """How often that test notices a true difference of ``gap``, where a share ``changed`` of n problems is solved by
    one of the two methods only. Raises ValueError for a gap above ``changed``.
    """
    if not 0 <= gap <= changed <= 1:
        raise ValueError(f"needs 0 <= gap <= changed <= 1, not {gap}, {changed}")
    better = (changed + gap) / (2 * changed)
    power = 0.0
    for d in range(n + 1):
        weight = _binomial(d, n, changed)
        if weight > 1e-9 and (lead := least_lead(d, alpha)) is not None:
            power += weight * sum(_binomial(b, d, better) for b in range(d + 1) if abs(2 * b - d) >= lead)
    return power


def least_gap(n: int, changed: float, alpha: float) -> float | None:
    """The smallest true difference, in whole percentage points, that is found four times in five."""
    gaps = (points / 100 for points in range(1, round(100 * changed) + 1))
    return next((gap for gap in gaps if found(n, changed, gap, alpha) >= POWER), None)


def least_accuracy(mixed: int, spread: float, alpha: float = 0.05) -> float:
    """The smallest distance of a judge's accuracy from a coin's that is found four times in five; ``spread``: the
    standard deviation of the accuracy from problem to problem, over ``mixed`` problems that have right and wrong plans.
    """
    level = {0.05: 1.96, 0.01: 2.576}[alpha]
    return (level + 0.8416) * spread / sqrt(mixed)


def _binomial(k: int, n: int, p: float) -> float:
    if p in (0.0, 1.0):
        return float(k == n * p)
    logs = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p)
    return exp(logs) if n > 60 else comb(n, k) * p**k * (1 - p) ** (n - k)


def report(n: int, spread: float) -> Iterator[str]:
    """The lines that are printed before the study runs. ``spread``: of the recorded model's judges (``recorded``)."""
    for table in ("table 1", "table 4"):
        alpha = 0.05 / QUESTIONS[table]
        for changed in CHANGED:
            gaps = [least_gap(n, changed, a) for a in (0.05, alpha)]
            alone, among = (f"{g:.0%}" if g else "more than all of them" for g in gaps)
            yield (
                f"{table}: if {changed:.0%} of {n} problems change sides, a difference of {alone} is found four times"
                f" in five; as one of {QUESTIONS[table]} questions, {among}"
            )
    for share in (0.3, 0.6):
        mixed = round(share * n)
        gap = least_accuracy(mixed, spread, 0.05 / QUESTIONS["table 3"])
        yield f"table 3: if {mixed} problems have right and wrong plans, a judge at 50% ± {gap:.0%} is told from a coin"
