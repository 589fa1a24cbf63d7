"""A bounded number of daemon threads for calls that may hang."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

Job = Callable[[], None]


class Threads:
    """Runs jobs, in order, in at most ``size`` threads at once. A job must not raise.

    Not a ThreadPoolExecutor, because the interpreter joins those threads when it exits: after Ctrl-C it would wait for
    a server that hangs. These are daemons, and they end when there is nothing to do, so an unused object holds none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._jobs: deque[Job] = deque()
        self._running = 0
        self._lock = threading.Lock()

    def submit(self, jobs: Sequence[Job]) -> None:
        with self._lock:
            self._jobs.extend(jobs)
            new = min(self.size - self._running, len(jobs))
            self._running += new
        for _ in range(new):
            threading.Thread(target=self._work, name="tot-lm", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._running -= 1
                    return
                job = self._jobs.popleft()
            job()
