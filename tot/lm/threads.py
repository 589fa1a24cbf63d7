"""A pool of daemon threads for calls that may hang."""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

Job = Callable[[], None]  # must not raise
LINGER = 1.0  # seconds that an idle thread waits for a job; starting a thread takes longer than an HTTP call


class Threads:
    """Runs jobs, in order, in at most ``size`` threads at once. A job must not raise.

    A ThreadPoolExecutor would not do, because the interpreter joins its threads at exit: after Ctrl-C it would wait for
    a server that hangs. These are daemon threads, and idle ones end after ``LINGER`` seconds.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._open = self._running = 0  # unfinished jobs; threads. Invariant: running >= min(open, size)
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
