"""Results files of the studies as chapters read them: rows with intervals, and tests and areas in words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import stdev
from typing import Any

from tot.stats import Interval, bootstrap, sign_flips, wilson

Figures = dict[str, Any]  # what a results file holds
Shares = list[float]  # for each puzzle, how often it is solved
SHORT = {"best-first": "best", "next price": "next", "eager A*": "eager", "plan once": "once", "D* Lite": "D*"}


def load(file: str | Path) -> Figures:
    """All that a study wrote. Raises FileNotFoundError without the file."""
    figures: Figures = json.loads(Path(file).read_text(encoding="utf-8"))
    return figures


def interval(numbers: Sequence[float], n: int) -> Interval:
    """A rate with its bounds, of ``n``, from the file's three numbers."""
    rate, low, high = numbers
    return Interval(rate, low, high, n)


def difference(found: Mapping[str, Any]) -> str:
    """A difference in points, with its interval."""
    return "{:+.0%} [{:+.0%}, {:+.0%}]".format(*found["difference"])


def chance(found: Mapping[str, Any]) -> str:
    """The p of its test."""
    return "< 0.001" if found["p"] < 0.001 else f"{found['p']:.3f}"


def area(*numbers: float) -> str:
    """An AUC and its interval; above 1, where no judge is, "never"."""
    y, low, high = ("never" if x > 1 else f"{x:.2f}" for x in numbers)
    return f"{y} [{low}, {high}]"


def rows(study: Mapping[str, Any], name: str) -> list[Figures]:
    """A table of ``search_pays``; lists of three numbers are intervals of its n."""

    def value(x: Any) -> Any:
        return interval(x, study["n"]) if isinstance(x, list) else x

    return [{key: value(x) for key, x in row.items()} for row in study["tables"][name]]


def search_of(study: Mapping[str, Any], generator: str, judge: str, **how: Any) -> Figures:
    """One search of ``search_pays`` or ``fresh``; ``how`` differs from one state kept, one reply, all of the help.

    Raises StopIteration for one that was not played.
    """
    wanted = {"breadth": 1, "proposals": 1, "help": True, "believed": False, **how}
    wanted |= {"generator": generator, "judge": judge}
    return next(row for row in study["cells"] if wanted.items() <= {k: row[k] for k in wanted}.items())


def tiles(figures: Mapping[str, Any], part: str, panel: str, *, together: bool = False) -> Iterator[Figures]:
    """The cells of one part of ``tools_pay`` as rows for ``show.winners``, failures one by one or ``together``; where
    nothing fails the two are one.

    ``panel``: what stands above the panel of some prices, such as "trees, {}". A label is the winner and how many times
    as much the second pays, or else those who are left.
    """
    for cell in figures["cells"]:
        if cell["part"] == part and (cell["together"] == together or not cell["rate"]):
            left = [SHORT.get(who, who) for who in cell["left"]]
            label = "all" if len(left) == len(cell["agents"]) else "\n".join(left)
            if cell["winner"]:
                label = f"{left[0]}\n×{cell['ahead'][0]:.2f}"
            yield cell | {"panel": panel.format(cell["prices"]), "label": label, "rate": f"{cell['rate']:.0%}"}


@dataclass(frozen=True)
class Compared:
    """``gain``: the first one's rate minus the second's, and the exact p of "neither is better", by puzzles."""

    gain: Interval
    p: float

    def __str__(self) -> str:
        points = [100 * x for x in (self.gain.rate, self.gain.low, self.gain.high)]
        form = ".0f" if max(map(abs, points)) >= 10 else ".1f"
        rate, low, high = (f"{x:+{form}}".replace("-", "−") for x in points)
        return f"{rate} [{low}, {high}], p " + (f"= {self.p:.3f}" if self.p >= 0.001 else "< 0.001")


def rate(shares: Shares) -> Interval:
    """The mean, at 95 % over puzzles: Wilson's interval where each is right or wrong, else a bootstrap."""
    if set(shares) <= {0.0, 1.0}:
        return wilson(round(sum(shares)), len(shares))
    return bootstrap([[share] for share in shares])


def compared(a: Shares, b: Shares, digits: int = 2) -> Compared:
    """On the same puzzles. The test counts the different sums of gaps, so it takes each gap to so many ``digits``."""
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    return Compared(bootstrap([[gap] for gap in gaps]), sign_flips(round(gap, digits) for gap in gaps))


def least_shown(a: Shares, b: Shares) -> float:
    """The true difference of two players' means that a test by puzzles finds four times in five: 2.8 standard errors.
    Only the spread of the gaps counts, and not which player is ahead.
    """
    return 2.8 * stdev(x - y for x, y in zip(a, b, strict=True)) / sqrt(len(a))
