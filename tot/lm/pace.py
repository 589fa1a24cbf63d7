"""The pace of one server: how many calls go out to it, and how long its silence is borne.

A slow server is sent all calls at once, up to a limit, and answers one after the other. So a call is given up when the
*server* has been silent for too long, however long the call itself has waited. Then fewer go out, and what was given up
is asked again when nothing else is, alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

from .transport import HTTPFailure

LONGEST = 10  # times the limit of silence: no call waits longer, whatever the server does for others
HANGS = 3  # calls that were given up one after the other, without a sign of life: the server hangs


class Pace:
    """Up to ``most`` calls are in flight, half as many as were after one is given up, or refused as too many, and one
    more again for each round of replies. While a server is silent, a single call goes out. It belongs to one event
    loop. ``replied``: when the server last answered a call (``time.monotonic``).
    """

    def __init__(self, most: int) -> None:
        self.most, self._room = most, float(most)
        self._flying = 0
        self._alone = False  # the call in flight is one that had been given up
        self.replied = -inf
        self._heard = self._cut = -inf  # when there was the last sign of life, and when fewer calls went out
        self._silences = 0  # since the last sign of life
        self._vain = 0  # calls given up since the last answer, whatever signs of life there were
        self._waiting, self._late = deque[asyncio.Future[None]](), deque[asyncio.Future[None]]()
        self._patient: dict[asyncio.Timeout, tuple[float, float, int]] = {}
        self._beats: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, *, late: bool = False) -> AsyncIterator[None]:
        """A block that begins when a call may go out, ``late``: again. Raises HTTPFailure if the server hangs."""
        mine = asyncio.get_running_loop().create_future()
        (self._late if late else self._waiting).append(mine)
        self._next()
        try:
            await mine
            yield
        finally:
            if mine.done() and not mine.cancelled() and not mine.exception():  # it had its turn
                self._flying, self._alone = self._flying - 1, False
                self._next()

    def _next(self) -> None:
        """Lets go out who may."""
        while self._flying < (1 if self._silences or self._alone else int(self._room)):
            late = bool(self._late) and not self._flying and bool(self._silences or not self._waiting)
            if not (queue := self._late if late else self._waiting):
                return
            if not (mine := queue.popleft()).done():  # else its caller waits no longer
                self._flying, self._alone = self._flying + 1, late
                mine.set_result(None)

    @asynccontextmanager
    async def patience(self, seconds: float, samples: int) -> AsyncIterator[None]:
        """A block that waits for a reply of so many ``samples``. Raises TimeoutError if the server gives no sign of
        life for ``seconds`` for each sample that it may be at: those of the largest call in flight.
        """
        async with asyncio.timeout(None) as mine:
            self._patient[mine] = time.monotonic(), seconds, samples
            self._wait_on()
            if not self._beats:
                self._beat(time.monotonic())
            try:
                yield
            finally:
                del self._patient[mine]

    def _wait_on(self) -> None:
        """All calls wait for the next sign of life."""
        largest = max((samples for *_, samples in self._patient.values()), default=1)
        for limit, (began, seconds, _) in self._patient.items():
            if not limit.expired():
                limit.reschedule(min(max(began, self._heard) + largest * seconds, began + LONGEST * seconds))

    def _beat(self, due: float) -> None:
        """Once a second. If that took long, this process had been stopped (Ctrl-Z), and not the server: what it sent
        meanwhile is there to be read.
        """
        now = time.monotonic()
        if (stopped := now - due) > 2:
            self._heard = max(self._heard, now - 1)
            for one, (began, seconds, samples) in [*self._patient.items()]:
                self._patient[one] = began + stopped, seconds, samples
            self._wait_on()
        if self._patient:
            self._beats = asyncio.get_running_loop().call_later(1, self._beat, now + 1)
        else:
            self._beats = None

    def heard(self) -> None:
        """The server gave a sign of life: a reply, or a piece of one."""
        self._heard, self._silences = time.monotonic(), 0
        self._wait_on()
        self._next()

    def answered(self) -> None:
        """It answered a call."""
        self._vain, self.replied = 0, time.monotonic()
        self._room = min(self.most, self._room + 1 / self._room)  # as TCP does
        self.heard()

    def slow(self, began: float) -> bool:
        """Let fewer calls go out, since one that began then was refused or given up; False if that is done, since it
        had gone out with another one.
        """
        if began < self._cut:
            return False
        self._cut, self._room = time.monotonic(), max(1.0, self._flying // 2)
        return True

    def gave_up(self, began: float, seconds: float) -> None:
        """A call that began then was given up. ``seconds``: the limit of silence, which was reached or not."""
        if not self.slow(began):
            return
        if self._cut - self._heard >= seconds:
            self._silences += 1
        self._vain += 1
        for mine in (*self._waiting, *self._late) if max(self._silences, self._vain) >= HANGS else ():
            if not mine.done():
                mine.set_exception(HTTPFailure("timeout"))
