"""A figure with its n, its interval, and how the interval was made. What every part of the study writes down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from studies.figures import Figures, numbers
from tot.stats import bootstrap, paired, wilson

Cell = Figures


def share(count: int, n: int, of: str) -> Cell:
    """One answer for each of ``n`` cases that do not hang together: Wilson's interval."""
    return {"rate": numbers(wilson(count, n)), "count": count, "n": n, "of": of, "interval": "Wilson"}


def per_problem(groups: Iterable[Sequence[float]], of: str = "problems", key: str = "rate") -> Cell:
    """The mean over problems of each problem's mean; the problems are drawn anew. Empty groups are left out.

    Where all agree on 0 or 1, a bootstrap has no width: then Wilson, a problem counts once.
    """
    kept = [group for group in groups if group]
    found = {x for group in kept for x in group}
    if not kept:
        return {key: None, "n": 0, "of": of}
    if key == "rate" and len(found) == 1 and found <= {0.0, 1.0}:
        return {**share(round(found.pop()) * len(kept), len(kept), of), "samples": sum(map(len, kept))}
    middle = numbers(bootstrap(kept))
    return {key: middle, "n": len(kept), "of": of, "samples": sum(map(len, kept)), "interval": f"bootstrap over {of}"}


def pooled(groups: Iterable[Sequence[float]], what: str, of: str = "puzzles") -> Cell:
    """A share of all cases (``what``), which come in problems that are drawn anew. Empty groups are left out."""
    kept = [group for group in groups if group]
    cases = [x for group in kept for x in group]
    if not kept:
        return {"rate": None, "n": 0, "of": what}
    found: Cell = {"count": round(sum(cases)), "n": len(cases), "of": what, "problems": len(kept)}
    if len(set(cases)) == 1 and set(cases) <= {0.0, 1.0}:
        return {"rate": numbers(wilson(round(cases[0]) * len(kept), len(kept))), **found, "interval": "Wilson"}
    sums = [(fsum(group), float(len(group))) for group in kept]
    middle = bootstrap(sums, lambda drawn: fsum(s for s, _ in drawn) / fsum(n for _, n in drawn))
    return {"rate": numbers(middle), **found, "interval": f"bootstrap over {of}"}


def against(a: Sequence[bool], b: Sequence[bool], of: str) -> Cell:
    """Two methods on the same problems: the difference with its interval, and McNemar's exact p."""
    found = paired(a, b)
    return {
        "difference": numbers(found.difference),
        "only the first": found.only_a,
        "only the second": found.only_b,
        "p": round(found.p, 4),
        "n": found.n,
        "of": of,
        "interval": "bootstrap over pairs; p: McNemar, exact",
    }


def counts(found: Iterable[Any]) -> dict[str, int]:
    """How often each, the most frequent first; ties in alphabetical order."""
    return dict(sorted(((str(k), n) for k, n in Counter(found).items()), key=lambda item: (-item[1], item[0])))


Judged = Sequence[tuple[float, bool]]  # the value of each state, and whether 24 can still be reached from it


def auc(groups: Mapping[Any, Judged], of: str = "puzzles") -> Cell:
    """How well values tell living from dead: the chance that a living state has the higher value, ties counting half.

    0.5 is a coin, 1 is a perfect judge. All states are pooled; the problems are drawn anew for the interval.
    """
    kept = [tuple((value, float(alive)) for value, alive in group) for group in groups.values() if group]
    both = [alive for group in kept for _, alive in group]
    living = round(sum(both))
    found: Cell = {"n": len(both), "living": living, "dead": len(both) - living, "problems": len(kept)}
    if not 0 < living < len(both):
        return {"auc": None, **found}
    tallies = [Counter(group) for group in kept]

    def statistic(drawn: Sequence[Sequence[Any]]) -> float:
        all_: Counter[tuple[float, float]] = Counter()
        for (i,) in drawn:
            all_.update(tallies[i])
        return rank(all_)

    middle = bootstrap([(i,) for i in range(len(kept))], statistic)
    return {"auc": numbers(middle), **found, "interval": f"bootstrap over {of}"}


def rank(tally: Mapping[tuple[float, float], int]) -> float:
    """The Mann-Whitney statistic of a count of (value, alive) pairs; 0.5 where one side is empty."""
    living = sum(n for (_, alive), n in tally.items() if alive)
    dead = sum(n for (_, alive), n in tally.items() if not alive)
    if not living or not dead:
        return 0.5
    won, below = 0.0, 0
    for value in sorted({value for value, _ in tally}):
        equal = tally.get((value, 0.0), 0)
        won += tally.get((value, 1.0), 0) * (below + equal / 2)
        below += equal
    return won / (living * dead)
