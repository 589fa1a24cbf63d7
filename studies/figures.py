"""What studies write down: rates with their intervals, differences with their tests, and the results file as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from math import erfc, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from tot.stats import Groups, Interval, bootstrap, mcnemar, mean_of_means, sign_flips, wilson

Figures = dict[str, Any]


def numbers(interval: Interval) -> list[float]:
    """[estimate, low, high] to four digits."""
    return [round(x, 4) for x in (interval.rate, interval.low, interval.high)]


def share(hits: Iterable[float]) -> list[float]:
    """How many of the answers are right, one for each problem: Wilson's interval."""
    all_ = list(hits)
    return numbers(wilson(round(sum(all_)), len(all_)))


def mean(groups: Groups, statistic: Any = mean_of_means, resamples: int = 2000) -> list[float]:
    """The mean over problems, each with its samples, or another ``statistic`` of them; problems are drawn anew."""
    return numbers(bootstrap(groups, statistic, resamples=resamples))


def each(values: Iterable[float], resamples: int = 2000) -> list[float]:
    """The mean of one value for each problem."""
    return mean([(float(value),) for value in values], resamples=resamples)


def of_samples(groups: Groups, resamples: int = 2000) -> list[float]:
    """``mean``; but of one yes or no for each problem, or where all agree on 0 or 1 (a bootstrap then has no width):
    Wilson, and a problem counts once.
    """
    values = {value for group in groups for value in group}
    if values <= {0, 1} and (len(values) == 1 or all(len(group) == 1 for group in groups)):
        return share(fmean(group) for group in groups)
    return mean(groups, resamples=resamples)


def gap(a: Iterable[float], b: Iterable[float]) -> list[float]:
    """a's rate minus b's, problem by problem."""
    return each(x - y for x, y in zip(a, b, strict=True))


def compared(a: Sequence[float], b: Sequence[float]) -> Figures:
    """a's rate minus b's, problem by problem: bootstrap interval, and an exact test. Where both have 0 and 1 only, that
    is McNemar's, and ``alone`` says how many problems just one of them solved; else the sign flip test.
    """
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    row: Figures = {"difference": each(gaps)}
    if {*a, *b} <= {0.0, 1.0}:
        alone = [sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)]
        return row | {"alone": alone, "p": mcnemar(*alone)}
    return row | {"p": sign_flips(gaps)}


def holm(ps: Sequence[float]) -> list[float]:
    """The p values of one table, corrected for their number (Holm 1979), in their order."""
    corrected, least = dict[int, float](), 0.0
    for done, i in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = corrected[i] = min(1.0, max(least, (len(ps) - done) * ps[i]))
    return [corrected[i] for i in range(len(ps))]


def against(gaps: Sequence[float], claimed: float, reach: float = 1.0) -> float:
    """p of a claim about the mean of ``gaps``, which lie between -reach and reach: the score test.

    The variance is that of the likeliest distribution on this range whose mean is the claimed one. For gaps of -1, 0
    and 1 this is Tango's test of paired proportions (1998). A bootstrap takes for impossible what did not happen in a
    few problems, and flipped signs test a mean of 0 only. Raises ValueError for a claim out of reach.
    """
    if not abs(claimed) < reach:
        raise ValueError(f"no gaps between -{reach} and {reach} have a mean of {claimed}")
    off = [gap - claimed for gap in gaps]
    low, high = -1 / (reach - claimed), 1 / (reach + claimed)
    ends = low, high
    for _ in range(100):  # the tilt with which the weights 1 / (1 + tilt * off) / n give the claimed mean
        tilt = (low + high) / 2
        low, high = (tilt, high) if sum(x / (1 + tilt * x) for x in off) > 0 else (low, tilt)
    weights = [1 / (1 + tilt * x) / len(off) for x in off]
    end = (reach if tilt - ends[0] < ends[1] - tilt else -reach) - claimed  # what did not happen may have the rest
    variance = sum(w * x * x for w, x in zip(weights, off, strict=True)) + max(0.0, 1 - sum(weights)) * end * end
    return erfc(abs(sum(off)) / sqrt(2 * len(off) * variance)) if any(off) else 1.0


# ---------------------------------------------------------------- files


def as_json(found: Any) -> str:
    """JSON that a person can read and git can compare: a line for each key, lists of plain values on one line."""
    text = json.dumps(found, indent=1, ensure_ascii=False)

    def on_one_line(plain: re.Match[str]) -> str:
        return "[" + " ".join(line.strip() for line in plain[1].split("\n")) + "]"

    return re.sub(r"\[\n([^\[\]{}]*?)\n *\]", on_one_line, text) + "\n"


def read(file: Path) -> Figures:
    """What ``write`` wrote. Raises FileNotFoundError."""
    return dict(json.loads(file.read_text(encoding="utf-8")))


def write(found: Any, file: Path) -> None:
    """The file is complete or absent, whenever the program is stopped."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_suffix(".new").write_text(as_json(found), encoding="utf-8")
    file.with_suffix(".new").replace(file)
    print(f"wrote {file}", flush=True)


def as_before(settings: Figures, file: Path) -> None:
    """Keeps in ``file`` what its folder's files are made with. Raises SystemExit where they were made with others: what
    is kept there would be taken for a part of this run.
    """
    if file.exists() and (before := read(file)) != settings:
        raise SystemExit(f"{file.parent} was begun with {before}, not {settings}: name another folder or remove it")
    write(settings, file)
