"""What the rest of a plan will take, once a pilot of at least two problems of a run is done: their mean, times what is
left, with the 95% interval of Student's t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from statistics import fmean, stdev

from tot.experiments.results import Line

STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)  # 97.5% points of Student's t; from 10 on 2.23


@dataclass(frozen=True)
class Amount:
    """Calls, tokens read and written, dollars, each with the low and high end of what is expected."""

    calls: float = 0.0
    read: float = 0.0
    written: float = 0.0
    dollars: float = 0.0
    low: float = 1.0  # as shares of the tokens (and so of everything)
    high: float = 1.0

    @property
    def tokens(self) -> float:
        return self.read + self.written

    @property
    def band(self) -> tuple[float, float]:
        """Tokens at the low and at the high end."""
        return self.tokens * self.low, self.tokens * self.high

    def __add__(self, other: Amount) -> Amount:
        """Ends are added: runs of a table share their problems, so what is long for one is long for the other."""
        both = self.tokens + other.tokens
        low, high = (self.band[i] + other.band[i] for i in (0, 1))
        ends = (low / both, high / both) if both else (1.0, 1.0)
        return Amount(
            self.calls + other.calls,
            self.read + other.read,
            self.written + other.written,
            self.dollars + other.dollars,
            *ends,
        )

    def times(self, share: float) -> Amount:
        return replace(
            self,
            calls=share * self.calls,
            read=share * self.read,
            written=share * self.written,
            dollars=share * self.dollars,
        )


Prices = Mapping[str, tuple[float, float]]  # role -> dollars per million tokens, read and written


def charged(line: Line) -> dict[str, float]:
    """What a line needed: what it asked, or paid if that is more, as to a server that gives one sample a call."""
    used, paid = line["usage"], line.get("paid", {})
    return {name: max(used[name], paid.get(name, 0)) for name in ("calls", "prompt_tokens", "completion_tokens")}


def tokens(bill: Mapping[str, float]) -> float:
    return bill["prompt_tokens"] + bill["completion_tokens"]


def from_pilot(done: Sequence[Line], left: int, prices: Prices) -> Amount:
    """``left`` more problems, like those that are ``done``: at least two."""
    bills = [charged(line) for line in done]
    dearest = [max((price[i] for price in prices.values()), default=0.0) for i in (0, 1)]

    def mean(name: str) -> float:
        return fmean(bill[name] for bill in bills)

    def dollars(used: Mapping[str, float], price: Sequence[float]) -> float:
        return (used["prompt_tokens"] * price[0] + used["completion_tokens"] * price[1]) / 1e6

    sums = [tokens(bill) for bill in bills]
    student = STUDENT[len(sums) - 2] if len(sums) - 2 < len(STUDENT) else 2.23
    wide = student * stdev(sums) * sqrt(1 / len(sums) + 1 / left) / fmean(sums) if left and any(sums) else 0.0
    paid = fmean(  # of calls beyond those that were asked, the role is not known
        fsum(dollars(used, prices.get(role, (0.0, 0.0))) for role, used in line["usage"]["by_role"].items())
        + dollars(bill, dearest)
        - dollars(line["usage"], dearest)
        for line, bill in zip(done, bills, strict=True)
    )
    one = Amount(mean("calls"), mean("prompt_tokens"), mean("completion_tokens"), paid, max(0.0, 1 - wide), 1 + wide)
    return one.times(left)
