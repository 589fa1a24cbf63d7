"""Numbers with their uncertainty: intervals, pass@k, paired tests. Exact where that is possible.

Which interval for what: one answer per problem, ``wilson``; several samples of each problem, ``bootstrap`` over
problems (samples of one problem resemble each other, so pooling them would promise too much); two methods on the same
problems, ``paired``, or ``sign_flips`` where a problem has a share of right samples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import Any

from .ties import total

Groups = Sequence[Sequence[float]]  # the samples of each problem


@dataclass(frozen=True)
class Interval:
    """An estimate ``rate`` with the bounds ``low`` and ``high`` of its interval; ``n`` problems are behind it."""

    rate: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self:.0%}"

    def __format__(self, form: str) -> str:
        """Each of the three numbers in this form; whole percents if none is given."""
        rate, low, high = (format(x, form or ".0%") for x in (self.rate, self.low, self.high))
        return f"{rate} [{low}, {high}]"


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval (1927) for a proportion: fits small n, and rates near 0 or 1.

    Raises ValueError for n < 1 or counts that are no proportion.
    """
    if not (n >= 1 and 0 <= successes <= n and 0 < level < 1):
        raise ValueError(f"needs 0 <= successes <= n, n >= 1 and 0 < level < 1, not {successes}, {n}, {level}")
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    rate = successes / n
    middle = (successes + z2 / 2) / (n + z2)
    reach = sqrt(z2) / (n + z2) * sqrt(successes * (n - successes) / n + z2 / 4)
    low = 0.0 if successes == 0 else middle - reach  # exactly 0 and 1 at the ends, whatever rounding does
    high = 1.0 if successes == n else middle + reach
    return Interval(rate, low, high, n)


def pass_at_k(n: int, c: int, k: int) -> float:
    """Probability that k samples, drawn without replacement from n of which c are right, hold a right one.

    1 - C(n - c, k) / C(n, k): the unbiased estimator of best-of-k (Chen et al. 2021, equation 1), in exact integers.
    Raises ValueError for k > n: k samples cannot be drawn from fewer.
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"pass@k needs 0 <= c <= n, 1 <= k <= n, not n={n}, c={c}, k={k}: sample more or lower k")
    return float(1 - Fraction(comb(n - c, k), comb(n, k)))


def mean_of_means(groups: Groups) -> float:
    """The mean over groups of each group's mean: every problem weighs the same, however many samples it has."""
    return fmean(map(fmean, groups))


def bootstrap(
    groups: Groups,
    statistic: Callable[[Groups], float] = mean_of_means,
    *,
    level: float = 0.95,
    resamples: int = 2000,
    rng: Random | None = None,
) -> Interval:
    """Percentile interval of ``statistic`` when whole groups (problems with all their samples) are drawn anew.

    ``rng`` defaults to ``Random(0)``, so equal input gives an equal interval. It knows only the problems that it is
    given: with few of them it is too narrow, and where all agree it has no width at all.

    Raises ValueError without groups, and for an empty group.
    """
    if not groups or not all(groups):
        raise ValueError("a bootstrap needs at least one group, and no empty group")
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(f"needs resamples >= 1 and 0 < level < 1, not {resamples}, {level}")
    values: Sequence[Any] = groups
    of: Callable[[Sequence[Any]], float] = statistic
    if statistic is mean_of_means:  # the same, and each group's mean is computed once
        values, of = [fmean(group) for group in groups], fmean
    rng = rng or Random(0)
    drawn = sorted(of(rng.choices(values, k=len(values))) for _ in range(resamples))
    tail = int((1 - level) / 2 * resamples)
    return Interval(of(values), drawn[tail], drawn[resamples - 1 - tail], len(groups))


def mcnemar(b: int, c: int) -> float:
    """Exact two-sided p of McNemar's test (1947): b problems only the first method solved, c only the second.

    If neither were better, each of the b + c would fall to either side like a coin: twice the smaller tail of
    Binomial(b + c, 1/2), at most 1.
    """
    b, c = int(b), int(c)  # numpy's overflow
    if b < 0 or c < 0:
        raise ValueError(f"counts cannot be negative: {b}, {c}")
    tail = sum(comb(b + c, i) for i in range(min(b, c) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2 ** (b + c))))


def sign_flips(gaps: Iterable[float]) -> float:
    """Exact two-sided p of the sign flip test: ``gaps`` are differences of two methods, one for each problem.

    If neither were better, each gap could as well have had the other sign: how often would their sum be as far from 0
    as it is? Where every gap is -1, 0 or 1, this is McNemar's test. Sums are counted, not ways, in millionths; where
    there are more than 100,000 of them, coarser: then p may be a little too large.
    """
    whole, unit = [round(1e6 * gap) for gap in gaps if gap], 1
    sums = {0: 1.0}  # sum -> its probability
    for gap in whole:
        step, ways = round(gap / unit), dict[int, float]()
        for found, p in sums.items():
            for end in (found + step, found - step):
                ways[end] = ways.get(end, 0.0) + p / 2
        sums = ways
        while len(sums) > 100_000:
            unit, finer, sums = 10 * unit, sums, {}
            for found, p in finer.items():
                end = round(found / 10)
                sums[end] = sums.get(end, 0.0) + p
    far = abs(sum(whole)) / unit - (len(whole) if unit == 1 else sqrt(len(whole)))  # roundings; many nearly cancel
    return total(p for found, p in sums.items() if abs(found) >= far)


@dataclass(frozen=True)
class Paired:
    """Two methods on the same ``n`` problems. ``difference`` is a's rate minus b's.

    ``only_a``, ``only_b``: how many problems just one of them solved. ``p``: exact McNemar test of "neither is better".
    """

    n: int
    a: float
    b: float
    difference: Interval
    only_a: int
    only_b: int
    p: float

    def __str__(self) -> str:
        d, s = self.difference, "s" if self.n > 1 else ""
        return (
            f"{self.a:.0%} against {self.b:.0%} on {self.n} problem{s}: difference {d.rate:+.0%}"
            f" [{d.low:+.0%}, {d.high:+.0%}], {self.only_a} solved by the first alone,"
            f" {self.only_b} by the second alone, p = {self.p:.2g}{self.doubt}"
        )

    @property
    def doubt(self) -> str:
        """Which to believe where interval and p disagree at 5 %; else ""."""
        if (self.p < 0.05) == (not self.difference.low <= 0 <= self.difference.high):
            return ""
        return "; believe p, which is exact: the interval, a bootstrap, is not to be trusted with few problems"


def paired(
    a: Sequence[bool], b: Sequence[bool], *, level: float = 0.95, resamples: int = 2000, rng: Random | None = None
) -> Paired:
    """Compare two methods problem by problem: ``a[i]`` and ``b[i]`` say whether each solved problem i.

    The interval is a bootstrap over problems that keeps the pairs together. Raises ValueError unless both have the same
    length of at least 1.
    """
    if len(a) != len(b):
        raise ValueError(f"a paired comparison needs the same problems on both sides, not {len(a)} and {len(b)}")
    pairs = list(zip(a, b, strict=True))
    difference = bootstrap([(float(x) - float(y),) for x, y in pairs], level=level, resamples=resamples, rng=rng)
    only_a, only_b = sum(x and not y for x, y in pairs), sum(y and not x for x, y in pairs)
    rates = fmean(map(float, a)), fmean(map(float, b))
    return Paired(len(pairs), *rates, difference, only_a, only_b, mcnemar(only_a, only_b))
