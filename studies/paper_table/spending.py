"""What a table may cost: a purse, and models that pay out of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from tot.budget import WorstCase
from tot.jsonlines import Appender, FileTrouble, read_lines
from tot.lm.base import LM, LMError, OnReply, Reply, Request, Usage
from tot.lm.cassette import Cassette
from tot.runner import NoMore

LETTERS = 4  # of a token: a rule of thumb, for English


class Spent(NoMore):
    """The next round might go beyond the limit."""


@dataclass
class Purse:
    """Dollars, with a ``limit`` or without (None). ``used``: what each model was paid so far, in earlier sessions, too.
    Thread-safe. ``file``: keeps each bill, also of calls that failed, since a recording has only what came of them.

    The most that is in flight can cost is held back, so that many problems at once do not go beyond the limit. While it
    is ``shut``, nothing may be asked.
    """

    limit: float | None = None
    held: list[float] = field(default_factory=list)
    used: dict[str, Usage] = field(default_factory=dict)
    file: Appender | None = None
    shut: bool = False
    lock: threading.Condition = field(default_factory=threading.Condition)

    @property
    def spent(self) -> float:
        return sum(usage.dollars for usage in self.used.values())

    def hold(self, dollars: float) -> None:
        """Set this much aside for a round, once it fits beside what is in flight. Raises Spent if it never can."""
        if self.shut:
            raise Spent("nobody has said that this may be asked")
        with self.lock:
            while self.limit is not None and self.spent + sum(self.held) + dollars > self.limit:
                if self.spent + dollars > self.limit or not LM.WANTED.get()():
                    raise Spent(f"a round may take ${dollars:.2f}, which is more than is left")
                self.lock.wait(0.2)
            self.held.append(dollars)

    def pay(self, model: str, bill: Usage) -> None:
        with self.lock:
            self.used[model] = self.used.get(model, Usage()) + bill
            if self.file and bill != Usage():
                self.file.write({"model": model, **vars(bill)})

    def remember(self, prices: Mapping[str, Sequence[float]]) -> bool:
        """Count the bills in the file, at these prices where none was known; returns whether there are any. Raises
        FileTrouble.
        """
        for number, line in read_lines(self.file.path) if self.file else ():
            model, counts = line.get("model"), [line.get(name) for name in vars(Usage())]
            if not (isinstance(model, str) and all(isinstance(n, int | float) and 0 <= n < 1e15 for n in counts)):
                raise FileTrouble(f"{self.file.path}, line {number} is not a bill: what was paid before is not known")
            bill, price = Usage(*counts), prices.get(model, (0.0, 0.0))
            known = bill.dollars or (bill.prompt_tokens * price[0] + bill.completion_tokens * price[1]) / 1e6
            self.used[model] = self.used.get(model, Usage()) + replace(bill, dollars=known)
        return bool(self.used)

    def let_go(self, dollars: float) -> None:
        with self.lock:
            self.held.remove(dollars)
            self.lock.notify_all()


class Metered(LM):
    """``live``, paid for out of a purse. Raises Spent instead of asking what the purse may not hold."""

    def __init__(self, live: LM, purse: Purse) -> None:
        self.live, self.purse = live, purse
        self.name, self.batched, self.weights, self.source = live.name, live.batched, live.weights, live.source
        self.price, self.unpriced, self.settings = live.price, live.unpriced, live.settings
        self._worst = WorstCase()
        self._most = 1  # samples that a call has brought: some servers give one, whatever they are asked for

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        told = [Usage()]

        def paid(request: Request, reply: Reply) -> None:
            told.append(reply.paid)
            self._worst.learn("", [request], [reply], self.live)
            self._most = max(self._most, len(reply.samples))
            try:
                if on_reply:
                    on_reply(request, reply)
            finally:  # each file is written, also if the other one is gone
                self.purse.pay(self.name, reply.paid)

        held = self.most(requests)
        self.purse.hold(held)
        try:
            return self.live(requests, paid)
        except LMError as error:  # what failed may be on the bill, too
            known = vars(sum(told, Usage()))
            self.purse.pay(self.name, Usage(*(max(0, n - known[name]) for name, n in vars(error.paid).items())))
            raise
        finally:
            self.purse.let_go(held)

    @property
    def served(self) -> str:  # type: ignore[override]
        return self.live.served

    def most(self, requests: Sequence[Request]) -> float:
        """The most that they can cost, with each prompt in every call that its samples may take."""
        once, again = self._worst.of("", requests, self.live)
        return once["dollars"] + sum(ceil(r.n / self._most) - 1 for r in requests) * again["dollars"]

    def applied(self, request: Request) -> Request:
        return self.live.applied(request)

    def cancel(self) -> None:
        self.live.cancel()

    def describe(self) -> dict[str, Any]:
        return self.live.describe()


@dataclass(frozen=True)
class Recorded:
    """What a recording holds: every prompt once, every reply. At least that was paid."""

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
            mine = [one for one in cassette.tape.sessions.values() if one["model"] == cassette.name]
            dates |= {session["date"] for session in mine}
        return cls(usage, sorted(dates))
