"""What a table may cost: a purse, and models that pay out of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tot.lm.base import LM, OnReply, Reply, Request, Usage
from tot.lm.cassette import Cassette

LETTERS = 4  # of a token: a rule of thumb, for English
FIRST_REPLY = 300  # tokens: the guess for a reply before the first one has come


class Spent(Exception):
    """The next round might go beyond the limit. Not an LMError: it ends the whole, and fails no problem."""


@dataclass
class Purse:
    """Dollars, with a ``limit`` or without (None). ``spent``: paid so far, in earlier sessions, too. Thread-safe.

    What is in flight is held back, as an estimate, so that many problems at once cannot go far beyond the limit.
    """

    limit: float | None = None
    spent: float = 0.0
    held: float = 0.0
    used: Usage = field(default_factory=Usage)  # of this session
    lock: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, dollars: float) -> None:
        """Set this much aside for a round. Raises Spent if it does not fit."""
        with self.lock:
            if self.limit is not None and self.spent + self.held + dollars > self.limit:
                raise Spent(f"${self.spent:.2f} of ${self.limit:.2f} are spent, and the next round may not fit")
            self.held += dollars

    def pay(self, bill: Usage) -> None:
        with self.lock:
            self.spent += bill.dollars
            self.used += bill

    def let_go(self, dollars: float) -> None:
        with self.lock:
            self.held -= dollars


class Metered(LM):
    """``live``, paid for out of a purse. Raises Spent instead of asking what the purse may not hold."""

    def __init__(self, live: LM, purse: Purse) -> None:
        self.live, self.purse = live, purse
        self.name, self.batched, self.price, self.weights = live.name, live.batched, live.price, live.weights
        self._mean = Usage(0, 1, 0, FIRST_REPLY)  # samples and their tokens so far

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        def paid(request: Request, reply: Reply) -> None:
            self.purse.pay(reply.paid)
            self._mean += reply.paid
            if on_reply:
                on_reply(request, reply)

        held = sum(map(self.guess, requests))
        self.purse.hold(held)
        try:
            return self.live(requests, paid)
        finally:
            self.purse.let_go(held)

    def guess(self, request: Request) -> float:
        """What the request may cost: its letters, and replies as long as those so far."""
        read = sum(len(message.content) for message in request.messages) / LETTERS
        written = request.n * self._mean.completion_tokens / max(self._mean.samples, 1)
        return (read * self.price[0] + written * self.price[1]) / 1e6

    def cancel(self) -> None:
        self.live.cancel()

    def describe(self) -> dict[str, Any]:
        return self.live.describe()


@dataclass(frozen=True)
class Recorded:
    """What a recording holds, as it was paid: every prompt once, every reply."""

    usage: Usage
    dates: list[str]

    @classmethod
    def of(cls, cassettes: Mapping[str, Cassette]) -> Recorded:
        """Of all of them together; a file under two names counts once."""
        usage, dates = Usage(), set[str]()
        for cassette in dict.fromkeys(cassettes.values()):
            read, written, price = 0, 0, cassette.live.price if cassette.live else (0.0, 0.0)
            seen: set[str] = set()
            for (key, _), sample in cassette.tape.samples.items():
                read += 0 if key in seen else sample.prompt_tokens
                written += sample.sample.completion_tokens
                seen.add(key)
            dollars = (read * price[0] + written * price[1]) / 1e6
            usage += Usage(len(seen), len(cassette.tape.samples), read, written, dollars)
            dates |= {session["date"] for session in cassette.tape.sessions.values()}
        return cls(usage, sorted(dates))
