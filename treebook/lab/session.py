"""``Session``: one search in a thread of its own, which can be watched while it runs and stopped at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tot.budget import Budget
from tot.lm.base import Usage
from tot.lm.roles import LMs
from tot.runner import Apart, Run, drive
from tot.solution import Job, Solution

TICK = 0.25  # seconds between updates of the meter while a model answers


@dataclass(frozen=True)
class Meter:
    """What a run has used so far, as its budget counts it: provider ``calls``, prompt and completion ``tokens``,
    ``seconds`` of wall-clock time, ``rounds``, ``dollars``. ``best``: the newest thought of the best state.
    """

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    rounds: int = 0
    dollars: float = 0.0
    best: str = ""

    @classmethod
    def of(cls, usage: Usage, seconds: float, rounds: int, best: str = "") -> Meter:
        """The reading for a bill."""
        return cls(usage.calls, usage.tokens, seconds, rounds, usage.dollars, best)

    @classmethod
    def read(cls, run: Run) -> Meter:
        """The reading of a run, with the tokens that have arrived in the round that is not over."""
        last = run.best[0].state.last if run.best else None
        used = run.ledger.charged + Usage(completion_tokens=run.flying)
        seconds = run.ledger.seconds if run.stopped else time.monotonic() - run.started
        return cls.of(used, seconds, run.ledger.rounds, last.text if last else "")


class Session:
    """A search in progress: ``start()`` it, read ``meter``, optionally ``stop()`` it, ``wait()`` for the Solution.

    After ``stop()`` the solution is the best so far and its ``result.stopped`` is "stopped"; calls in progress are
    aborted without waiting for their replies. ``on_change(session)`` is called from the session's thread after each
    round, every ``TICK`` seconds while a model answers, and once at the end.

    Attributes: ``meter``; ``running``; ``solution``, None until the end; ``missed``, True if a reply was not recorded;
    ``failure``, an exception raised outside the models (then there is no solution).
    """

    def __init__(
        self,
        job: Job,
        lms: LMs,
        *,
        budget: Budget | None = None,
        on_change: Callable[[Session], None] = lambda session: None,
    ) -> None:
        self._job, self._run, self._on_change = job, job.start(lms, budget), on_change
        self._desk, self._stopping, self._ended = Apart(1, TICK, watched=True), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="tot-lab", daemon=True)
        self.meter, self.running, self.missed = Meter(), False, False
        self.solution: Solution | None = None
        self.failure: BaseException | None = None

    def start(self) -> Session:
        """Begin, in another thread. Returns the session itself."""
        self.running = True
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the search now. Returns at once; ``wait()`` returns the best so far. No effect if it has ended."""
        self._stopping.set()
        self._desk.wake()

    def wait(self) -> Solution:
        """Wait for the end and return the solution. Raises ``failure``; if a model failed, see ``Solution.error``.

        Ctrl-C stops the search, and KeyboardInterrupt is raised when it has ended.
        """
        try:
            while not self._ended.wait(0.2):  # on Windows Ctrl-C cannot interrupt a wait without a timeout
                pass  # not Thread.join(): before Python 3.13 a thread counts as ended once its join() is interrupted
        except KeyboardInterrupt:
            self.stop()
            self._ended.wait()
            raise
        if self.failure:
            raise self.failure
        assert self.solution
        return self.solution

    # ---------------------------------------------------------------- in the session's thread

    def _work(self) -> None:
        run = self._run
        try:
            for _ in drive([run], self._desk):
                if self._stopping.is_set() and not run.stopped:
                    run.stop("stopped")
                    run.lms.cancel()
                self._change()
            self.missed = run.missed
            self.solution = self._job.finish(run)
        except BaseException as error:  # for example in a task's reader or verifier; raised again by wait()
            self.failure = error
            run.stop("error", str(error))
        self.running = False
        try:
            self._change()
        finally:
            self._ended.set()

    def _change(self) -> None:
        self.meter = Meter.read(self._run)
        self._on_change(self)
