"""A bounded number of daemon threads for calls that may hang."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

Job = Callable[[], None]  # must not raise
LINGER = 1.0  # seconds that a thread waits for its next job: starting one costs more than a whole HTTP call does


class Threads:
    """Runs jobs, in order, in at most ``size`` threads at once. A job must not raise.

    Not a ThreadPoolExecutor, because the interpreter joins those threads when it exits: after Ctrl-C it would wait for
    a server that hangs. These are daemons, and they end soon after there is nothing to do, so an unused object holds
    none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._open = self._running = 0  # jobs that wait or run; threads. Running >= min(open, size), so none is stuck
        self._lock = threading.Lock()

    def submit(self, jobs: Sequence[Job]) -> None:
        """Put the jobs in the queue. Returns at once."""
        with self._lock:
            self._open += len(jobs)
            new = max(0, min(self._open, self.size) - self._running)
            self._running += new
            for job in jobs:
                self._jobs.put(job)
        for _ in range(new):
            threading.Thread(target=self._work, name="tot-lm", daemon=True).start()

    def _work(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=LINGER)
            except Empty:
                with self._lock:
                    if self._jobs.empty():
                        self._running -= 1
                        return
                continue
            job()
            with self._lock:
                self._open -= 1
