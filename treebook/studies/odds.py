"""What to expect of one chain, of a vote, of the best of k, and of a tree, before anything is built.

A rough model with a few numbers that can be measured on some twenty problems: how often one chain is right, how often
the proposals for a state keep the goal in reach, how well the judge tells living states from dead ones, how many steps
there are, how many candidates each has. The chapter "When does search pay?" holds it against searches that were run,
and says where it errs.

All functions are exact sums or one-dimensional integrals: no random numbers.
"""

from functools import cache
from math import comb, exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

from tot.ties import total

NORMAL = NormalDist()
STEP = 0.1  # of integrals over a value, by the trapezoidal rule: many digits where functions vanish at both ends
KINDS = 61  # of problems, where their rates differ
FARTHEST = 700.0  # log-odds: exp of more overflows


def best_of(k: int, right: float, spread: float = 0.0) -> float:
    """The chance that at least one of k independent chains is right: what a perfect and free check makes of them.

    ``right``: the share of single chains that are right. ``spread``: how different the problems are, from 0 (all alike)
    to 1 (each is always or never solved): the correlation of two chains on one problem. The rates of the problems then
    have a beta distribution with mean ``right`` (Skellam 1948). Raises ValueError for numbers out of range.
    """
    return 1.0 - _right_ones(k, right, spread)[0]


def vote(k: int, right: float, spread: float = 0.0, rival: float = 0.2) -> float:
    """The chance that right answers are the most frequent among k chains; ties count half. CoT-SC, by a rough model.

    ``rival``: which share of the wrong chains give the most frequent wrong answer; the others are taken to be all
    different: too thin to win, but as frequent as a lone right one, which is the first of k equals in one case of k.
    ``right`` and ``spread`` as in ``best_of``. Raises ValueError for numbers out of range.
    """
    _check(rival=rival)
    won = 0.0
    for r, chance in enumerate(_right_ones(k, right, spread)):
        against = _binomial(k - r, rival)
        if r == 1:
            won += chance * total(against[:2]) / k
        elif r:  # without a right chain there is nothing to vote for
            won += chance * (total(against[:r]) + (against[r] / 2 if r < len(against) else 0.0))
    return won


def tree(steps: int, candidates: int, reach: float, auc: float, *, breadth: int = 1, spread: float = 0.0) -> float:
    """The chance that a breadth-first tree search ends with a right answer.

    Each of ``steps`` steps has ``candidates`` different proposals for every state that is kept. With probability
    ``reach`` at least one of the proposals for a living state (one from which the goal can be reached) keeps the goal
    in reach; each does so independently of the others. Below a dead state everything is dead. The judge's values of
    living and dead states are normal with equal variance, as far apart as ``auc`` says (0.5: a coin, 1: perfect). The
    ``breadth`` best are kept; a program picks a right answer among the last candidates if there is one. ``spread``: how
    different the problems are, from 0 to 0.3; their ``reach`` then has a beta distribution, as in ``best_of``.

    Cost: a sum over how many of the kept states live, with one integral for each. Raises ValueError for numbers out of
    range.
    """
    _check(reach=reach, auc=auc, spread=spread)
    if spread > 0.3:
        raise ValueError(f"the spread of a tree's problems is from 0 to 0.3, not {spread}")
    if min(steps, candidates, breadth) < 1:
        raise ValueError(f"steps, candidates and breadth are at least 1, not {steps}, {candidates}, {breadth}")
    return total(
        weight * _tree(steps, candidates, 1 - (1 - rate) ** (1 / candidates), auc, breadth)
        for rate, weight in _problems(reach, spread)
    )


def _problems(mean: float, spread: float) -> list[tuple[float, float]]:
    """(rate, weight) of a few kinds of problems whose rates have a beta distribution; the weights add up to 1."""
    if spread == 0 or mean in (0.0, 1.0):
        return [(mean, 1.0)]
    a, b = mean * (1 / spread - 1), (1 - mean) * (1 / spread - 1)
    middle, width = log(a / b), sqrt(1 / a + 1 / b)  # as log-odds, where the density is smooth whatever a and b are
    low, high = max(-FARTHEST, middle - 12 * width), min(FARTHEST, middle + 12 * width)
    odds = [low + (high - low) * i / (KINDS - 1) for i in range(KINDS)]
    logs = [a * x - (a + b) * (log1p(exp(x)) if x < 30 else x) for x in odds]
    weights = [exp(each - max(logs)) for each in logs]
    whole = total(weights)
    return [(1 / (1 + exp(-x)), weight / whole) for x, weight in zip(odds, weights, strict=True)]


def _tree(steps: int, candidates: int, alive: float, auc: float, breadth: int) -> float:
    living = {1: 1.0}  # how many of the kept states live -> probability
    kept = 1
    for _ in range(steps - 1):
        keep = min(breadth, kept * candidates)
        after: dict[int, float] = {}
        for count, chance in living.items():
            for good, p in enumerate(_binomial(count * candidates, alive)):
                if good and chance * p > 1e-12:
                    for i, q in enumerate(_living_among_best(keep, good, kept * candidates - good, auc)):
                        if i:
                            after[i] = after.get(i, 0.0) + chance * p * q
        living, kept = after, keep
    return min(1.0, total(chance * (1 - (1 - alive) ** (count * candidates)) for count, chance in living.items()))


def _check(**rates: float) -> None:
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise ValueError(f"{name} is from 0 to 1, not {rate}")


def _right_ones(k: int, right: float, spread: float) -> list[float]:
    """For r = 0 ... k: the chance of exactly r right chains (beta-binomial; without spread, binomial)."""
    _check(right=right, spread=spread)
    if k < 1:
        raise ValueError(f"k is at least 1, not {k}")
    if right in (0.0, 1.0):
        return [float(r == k * right) for r in range(k + 1)]
    if spread == 0:
        return _binomial(k, right)
    if spread == 1:
        return [1 - right, *[0.0] * (k - 1), right]
    both = 1 / spread - 1
    a, b = right * both, (1 - right) * both
    whole = lgamma(a + b) - lgamma(a) - lgamma(b) - lgamma(k + a + b)
    return [comb(k, r) * exp(whole + lgamma(r + a) + lgamma(k - r + b)) for r in range(k + 1)]


def _binomial(n: int, p: float) -> list[float]:
    return [comb(n, r) * p**r * (1 - p) ** (n - r) for r in range(n + 1)]


@cache
def _living_among_best(keep: int, good: int, bad: int, auc: float) -> tuple[float, ...]:
    """For i = 0 ... keep: the chance that exactly i of the ``keep`` highest values are living states'."""
    keep = min(keep, good + bad)
    if auc in (0.0, 1.0):
        most = min(keep, good) if auc else max(0, keep - bad)
        return tuple(float(i == most) for i in range(keep + 1))
    apart = sqrt(2) * NORMAL.inv_cdf(auc)
    low, high = min(0.0, apart) - 8, max(0.0, apart) + 8  # beyond, both kinds of values are as good as impossible
    values = [low + STEP * i for i in range(int((high - low) / STEP) + 1)]
    return tuple(
        STEP * total(_lowest_at(t, i, keep - i, good, bad, apart) for t in values)
        if i <= good and keep - i <= bad
        else 0.0
        for i in range(keep + 1)
    )


def _lowest_at(t: float, i: int, j: int, good: int, bad: int, apart: float) -> float:
    """The density of: i living and j dead states are the best, and the lowest of them has the value t."""
    above, over = 1 - NORMAL.cdf(t - apart), 1 - NORMAL.cdf(t)
    chance = 0.0
    if i:
        rest = comb(good - 1, i - 1) * above ** (i - 1) * (1 - above) ** (good - i)
        chance += good * NORMAL.pdf(t - apart) * rest * comb(bad, j) * over**j * (1 - over) ** (bad - j)
    if j:
        rest = comb(bad - 1, j - 1) * over ** (j - 1) * (1 - over) ** (bad - j)
        chance += bad * NORMAL.pdf(t) * rest * comb(good, i) * above**i * (1 - above) ** (good - i)
    return chance
