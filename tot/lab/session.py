"""``Session``: one search in a thread of its own, which can be watched while it runs and stopped at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue

from ..ask import Ask
from ..budget import Budget
from ..lm.base import LM, LMError, OnReply, Reply, Request, Usage
from ..lm.roles import LMs, Roles
from ..lm.threads import Threads
from ..runner import GRACE, Run, answer, out_of_time
from ..solution import Job, Solution

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
    def read(cls, run: Run, seconds: float, flying: int) -> Meter:
        """The reading of a run, with ``flying`` completion tokens that arrived in the round that is not over."""
        last = run.best[0].state.last if run.best else None
        used = run.ledger.charged + Usage(completion_tokens=flying)
        return cls.of(used, seconds, run.ledger.rounds, last.text if last else "")


class Session:
    """A search in progress: ``start()`` it, read ``meter``, optionally ``stop()`` it, ``wait()`` for the Solution.

    After ``stop()`` the solution is the best so far and its ``result.stopped`` is "stopped"; calls in progress are
    aborted without waiting for their replies. ``on_change(session)`` is called from the session's thread after each
    round, every ``tick`` seconds while a model answers, and once at the end.

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
        tick: float = TICK,
    ) -> None:
        self._job, self._name, self._on_change, self._tick = job, Roles.of(lms).name, on_change, tick
        self._settings = Roles.of(lms).settings
        self._run = job.start(budget)
        models = job.roles(lms).models
        self._roles = self._run.lms = Roles.of({role: _Observed(lm, self._count) for role, lm in models.items()})
        self._inbox: SimpleQueue[list[Reply] | BaseException | None] = SimpleQueue()  # None: stop
        self._calls, self._stopping, self._ended = Threads(1), threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._flying = 0  # completion tokens received in the current round
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
        self._inbox.put(None)

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
            ask = run.feed()
            while ask is not None:
                replies = self._answered(ask)
                if replies is None:
                    run.stop("stopped")
                    break
                ask = run.feed(replies)
                self._round_ended()
        except LMError as error:
            run.fail(error)
        except BaseException as error:  # raised again by wait()
            self.failure = error
            run.stop("error", str(error))
        try:
            if not self.failure:
                self.missed = run.missed
                self.solution = self._job.finish(run, self._name, self._settings)
        except BaseException as error:  # for example in a task's verifier
            self.failure = error
        self.running = False
        try:
            self._round_ended()
        finally:
            self._ended.set()

    def _answered(self, ask: Ask) -> list[Reply] | None:
        """The replies, None if the session is being stopped. Raises what a model raised."""
        if self._stopping.is_set():
            return None
        self._calls.submit([partial(self._call, ask)])
        while True:
            try:
                outcome = self._inbox.get(timeout=self._tick)
            except Empty:
                self._change()
                if self._run.late(GRACE):
                    raise out_of_time() from None
                continue
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is None:
                self._roles.cancel()
            return outcome

    def _round_ended(self) -> None:
        with self._lock:
            self._flying = 0
        self._change()

    def _change(self) -> None:
        run = self._run
        seconds = time.monotonic() - run.started if self.running else run.ledger.seconds
        self.meter = Meter.read(run, seconds, self._flying)
        self._on_change(self)

    # ---------------------------------------------------------------- in the threads of the models

    def _call(self, ask: Ask) -> None:
        try:
            self._inbox.put(answer(ask, self._roles))
        except BaseException as error:
            self._inbox.put(error)

    def _count(self, request: Request, reply: Reply) -> None:
        with self._lock:
            self._flying += reply.asked.completion_tokens


class _Observed(LM):
    """Wraps a model and calls ``told`` with each reply as it arrives."""

    def __init__(self, lm: LM, told: OnReply) -> None:
        self.lm, self.name, self.batched, self.price, self.told = lm, lm.name, lm.batched, lm.price, told

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        def tell(request: Request, reply: Reply) -> None:
            self.told(request, reply)
            if on_reply:
                on_reply(request, reply)

        return self.lm(requests, tell)

    def applied(self, request: Request) -> Request:
        return self.lm.applied(request)

    def cancel(self) -> None:
        self.lm.cancel()
