"""What the rest of a plan will take, once a pilot of at least two problems of a run is done: their mean, times what is
left, with the 95% interval of Student's t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import attrgetter
from statistics import fmean, stdev

from tot.experiments.results import Line
from tot.lm.base import LM, OnReply, Reply, Request

NAMES = ("calls", "read", "written", "dollars")
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)  # 97.5% points of Student's t; from 10 on 2.23


@dataclass(frozen=True)
class Amount:
    """Calls, tokens read and written, dollars, each with the low and high end of what is expected."""

    calls: float = 0.0
    read: float = 0.0
    written: float = 0.0
    dollars: float = 0.0
    low: float = 1.0  # as shares of the dollars, without prices of the tokens; and so of everything
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
        mine, its = (self.dollars, other.dollars) if self.dollars or other.dollars else (self.tokens, other.tokens)
        part = mine / (mine + its) if mine + its else 1.0
        ends = (part * x + (1 - part) * y for x, y in ((self.low, other.low), (self.high, other.high)))
        return Amount(*(getattr(self, name) + getattr(other, name) for name in NAMES), *ends)

    def of_which(self, pairs: Sequence[tuple[Amount, Amount]], left: int) -> Amount:
        """The share of it that each pair of (a part, the whole) has, for so many more like them."""
        part, whole = (sum(each, Amount()) for each in zip(*pairs, strict=True)) if pairs else (Amount(), Amount())
        if not part.tokens or not left:
            return self
        size = attrgetter("dollars" if part.dollars else "tokens")
        off = [size(one) - size(part) / size(whole) * size(its) for one, its in pairs]
        wide = half(off, left, size(part) / len(pairs))
        shares = {name: getattr(part, name) / (getattr(whole, name) or 1) for name in NAMES}
        mine: dict[str, float] = {name: share * getattr(self, name) for name, share in shares.items()}
        return Amount(**mine, low=max(0.0, self.low - wide), high=self.high + wide)


def half(found: Sequence[float], left: int, middle: float) -> float:
    """Half of the interval of the mean of ``left`` more numbers like these, as a share of ``middle``."""
    if len(found) < 2 or not left or not middle:
        return 0.0
    student = STUDENT[len(found) - 2] if len(found) - 2 < len(STUDENT) else 2.23
    return student * stdev(found) * sqrt(1 / len(found) + 1 / left) / middle


Prices = Mapping[str, tuple[float, float]]  # role -> dollars per million tokens, read and written


def charged(line: Line) -> dict[str, float]:
    """What a line needed: what it asked, or paid if that is more, as to a server that gives one sample a call."""
    used, paid = line["usage"], line.get("paid", {})
    return {name: max(used[name], paid.get(name, 0)) for name in ("calls", "prompt_tokens", "completion_tokens")}


def from_pilot(done: Sequence[Line], left: int, prices: Prices) -> Amount:
    """``left`` more problems, like those that are ``done``: at least two."""
    bills = [charged(line) for line in done]
    dearest = [max((price[i] for price in prices.values()), default=0.0) for i in (0, 1)]

    def mean(name: str) -> float:
        return fmean(bill[name] for bill in bills)

    def dollars(used: Mapping[str, float], price: Sequence[float]) -> float:
        return (used["prompt_tokens"] * price[0] + used["completion_tokens"] * price[1]) / 1e6

    paid = [  # of calls beyond those that were asked, the role is not known
        fsum(dollars(used, prices.get(role, (0.0, 0.0))) for role, used in line["usage"]["by_role"].items())
        + dollars(bill, dearest)
        - dollars(line["usage"], dearest)
        for line, bill in zip(done, bills, strict=True)
    ]
    sums = paid if any(paid) else [bill["prompt_tokens"] + bill["completion_tokens"] for bill in bills]
    wide = half(sums, left, fmean(sums))
    means = (mean("calls"), mean("prompt_tokens"), mean("completion_tokens"), fmean(paid))
    return Amount(*(left * each for each in means), max(0.0, 1 - wide), 1 + wide)


class Heard(LM):
    """``lm``, and what is ``asked`` of it; ``new``: what of it was of samples that were not ``known`` yet."""

    def __init__(self, lm: LM, price: Sequence[float], known: set[tuple[str, int]]) -> None:
        self.lm, self.name, self.batched, self.price, self.known = lm, lm.name, lm.batched, (price[0], price[1]), known
        self.asked = self.new = Amount()

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies = self.lm(requests, on_reply)
        for request, reply in zip(requests, replies, strict=True):
            key, read = request.key(self.name), reply.asked.prompt_tokens
            written = dict(zip(request.indices, (sample.completion_tokens for sample in reply.samples), strict=True))
            fresh = [tokens for i, tokens in written.items() if (key, i) not in self.known]
            self.known.update((key, i) for i in written)
            self.asked += self._call(read, sum(written.values()))
            self.new += self._call(read, sum(fresh)) if fresh else Amount()
        return replies

    def _call(self, read: int, written: int) -> Amount:
        return Amount(1, read, written, (read * self.price[0] + written * self.price[1]) / 1e6)
