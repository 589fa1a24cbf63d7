"""``Session``: one search that can be watched while it runs and stopped at any time, in a thread of its own or piece by
piece in this one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tot.budget import Budget
from tot.lm.base import Usage
from tot.lm.roles import LMs
from tot.runner import Apart, Desk, Run, drive
from tot.solution import Job, Solution

from .pieces import Pieces


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
        last = next((node.state.last for node in run.best), None)
        used = run.ledger.charged + Usage(completion_tokens=run.flying)
        seconds = run.ledger.seconds if run.stopped else time.monotonic() - run.started
        return cls.of(used, seconds, run.ledger.rounds, last.text if last else "")


class Session:
    """A search in progress: ``start()`` it, read ``meter``, optionally ``stop()`` it, ``wait()`` for the Solution.

    After ``stop()`` the solution is the best so far and its ``result.stopped`` is "stopped". Replies to calls in
    progress are not waited for; a model that looks (``LM.WANTED``) sends nothing more. ``on_change(session)`` is
    called from the session's thread after each round, every moment while a model answers, and once at the end.

    Where there is only one thread, as in a page of a browser, ``for meter in session`` runs it in this one: piece by
    piece (see ``Pieces``), and between two of them others get their turn. An error that is not a model's comes out of
    the iteration.

    Attributes: ``run``; ``meter``; ``listeners``, all called like ``on_change``; ``running``; ``solution``, None until
    the end; ``missed``, True if a reply was not recorded; ``failure``, an exception raised outside the models (then
    there is no solution).
    """

    def __init__(
        self,
        job: Job,
        lms: LMs,
        *,
        budget: Budget | None = None,
        on_change: Callable[[Session], None] = lambda session: None,
    ) -> None:
        self._job, self.run, self.listeners = job, job.start(lms, budget), [on_change]
        self._desk, self._stopping, self._ended = Apart(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="tot-lab", daemon=True)
        self.running, self.missed = False, False
        self.solution: Solution | None = None
        self.failure: BaseException | None = None

    @property
    def meter(self) -> Meter:
        """What has been used so far."""
        return Meter.read(self.run)

    def start(self) -> Session:
        """Begin, in another thread. Returns the session itself."""
        self.running = True
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the search now, or with this piece. Returns at once. No effect if it has ended."""
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

    def __iter__(self) -> Iterator[Meter]:
        for _ in self._steps(Pieces()):
            yield self.meter

    def _steps(self, desk: Desk) -> Iterator[Run]:
        """Drive the search to its end, or until it shall stop."""
        run = self.run
        for _ in drive([run], desk):
            yield run
            if self._stopping.is_set() and not run.stopped:
                run.stop("stopped")
        self.missed = run.missed
        self.solution = self._job.finish(run)

    def _work(self) -> None:  # in the session's thread
        try:
            for _ in self._steps(self._desk):
                self._tell()
        except BaseException as error:  # for example in a task's reader or verifier; raised again by wait()
            self.failure = error
            self.run.stop("error", str(error))
        self.running = False
        try:
            self._tell()
        finally:
            self._ended.set()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener(self)
