"""``solve`` and ``steps`` for asyncio: in servers, and in notebooks, whose event loop is running already.

Searches run in the loop's thread, where they take milliseconds; what they ask is asked in other threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, closing, suppress
from typing import Any

from .ask import Ask, Search
from .budget import Budget
from .lm.roles import LMs
from .runner import POLL, Apart, Result, Run, Until, drive
from .solution import Solution, job_of
from .tasks.base import Problem, Task
from .trace import PlainEvent


async def asolve(
    task: str | Task,
    problem: str | Problem,
    method_name: str = "",
    *,
    lm: LMs,
    live: LMs | None = None,
    budget: Budget | None = None,
    **params: Any,
) -> Solution:
    """``tot.solve``, awaited: the same arguments, solution and recording.

    When it is cancelled nothing more is sent. What is under way is recorded as it arrives, while the recording is open.
    """
    job = job_of(task, problem, method_name, params)
    run = await ended(job.start(lm, budget))
    if run.missed and live is not None:
        run = await ended(job.again(run, live, budget))
    return job.finish(run)


class asteps:
    """``tot.steps``, awaited: ``async for event in asteps(search, lm): ...``, once. Leaving it cancels the search."""

    def __init__(self, search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None) -> None:
        self._run = Run(search, lms, budget=budget, until=until)

    async def __aiter__(self) -> AsyncIterator[PlainEvent]:
        shown, events = 0, self._run.recorder.events
        async with aclosing(_advanced(self._run)) as advanced:
            async for _ in advanced:
                while shown < len(events):
                    yield events[shown]
                    shown += 1

    def result(self) -> Result:
        """How the run ended ("cancelled" if the loop was left), or how far it has come."""
        return self._run.result()


class _Desk(Apart):
    """Apart, but it never waits: ``news`` does."""

    poll = 0.0

    def __init__(self) -> None:
        super().__init__()
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()

    def _call(self, one: Run, ask: Ask) -> None:
        super()._call(one, ask)
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._news.set)

    async def news(self) -> None:
        """Wait for what was asked, but not long: there may be a deadline."""
        if self._called:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._news.wait()
            self._news.clear()


async def ended(run: Run) -> Run:
    """``tot.runner.run_one``, awaited. When it is cancelled, the run has stopped, with what was paid in its ledger."""
    async for _ in _advanced(run):
        pass
    return run


async def _advanced(run: Run) -> AsyncGenerator[None]:
    """Drive the run; yields whenever there may be something new."""
    desk = _Desk()
    with closing(drive([run], desk)) as driven:
        for _ in driven:
            yield
            await desk.news()
