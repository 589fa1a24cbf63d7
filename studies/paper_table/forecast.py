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


def from_pilot(done: Sequence[Line], left: int, prices: Prices) -> Amount:
    """``left`` more problems, like those that are ``done``: at least two."""
    bills = [line["usage"] for line in done]

    def mean(name: str) -> float:
        return fmean(bill[name] for bill in bills)

    def dollars(role: str, used: Mapping[str, float]) -> float:
        price = prices.get(role, (0.0, 0.0))
        return (used["prompt_tokens"] * price[0] + used["completion_tokens"] * price[1]) / 1e6

    tokens = [bill["prompt_tokens"] + bill["completion_tokens"] for bill in bills]
    student = STUDENT[len(tokens) - 2] if len(tokens) - 2 < len(STUDENT) else 2.23
    wide = student * stdev(tokens) * sqrt(1 / len(tokens) + 1 / left) / fmean(tokens) if left and any(tokens) else 0.0
    paid = fmean(fsum(dollars(role, used) for role, used in bill["by_role"].items()) for bill in bills)
    one = Amount(mean("calls"), mean("prompt_tokens"), mean("completion_tokens"), paid, max(0.0, 1 - wide), 1 + wide)
    return one.times(left)
