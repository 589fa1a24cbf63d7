"""A cluster of processes on this machine that nobody else can talk to: other accounts of the machine reach its ports.

Who can talk to a scheduler or a worker of Dask's can run code there (see ``book/manual/clusters.md``). So all of them
demand a certificate that exists in the memory of these processes only; they serve no web pages, which tell everybody
what runs; and what a worker puts on the disk lies in a folder of its own account.
"""

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from typing import Any

from dask.system import CPU_COUNT
from distributed import Nanny, Scheduler, Security, SpecCluster, Worker
from distributed.utils import LoopRunner

from tot.lm.base import LMError


class _Unseen:
    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Dask has no option for this: port 8787, and one of each worker, are served whatever is asked for."""


class UnseenScheduler(_Unseen, Scheduler):
    """A scheduler without web pages."""


class UnseenWorker(_Unseen, Worker):
    """A worker without web pages."""


@contextmanager
def local(processes: int | None) -> Iterator[SpecCluster]:
    """So many workers, each in a process of its own; one for each core by default. They end with the block.

    Raises ImportError without ``cryptography``, LMError if they cannot be started.
    """
    resource_tracker.ensure_running()  # it is started with the first worker otherwise, and then lets Ctrl-C in again
    loop = LoopRunner()
    with _deaf():
        loop.start()
    security, quiet = Security.temporary(), logging.CRITICAL  # of a worker that dies: its jobs are done again
    shared = {"host": "127.0.0.1", "protocol": "tls://", "security": security}
    try:
        with TemporaryDirectory(prefix="tot-", ignore_cleanup_errors=True) as place:
            options = {**shared, "worker_class": UnseenWorker, "nthreads": 1, "local_directory": place}
            worker = {"cls": Nanny, "options": {**options, "silence_logs": quiet}}
            try:
                cluster = SpecCluster(
                    workers=dict.fromkeys(range(processes or CPU_COUNT), worker),
                    scheduler={"cls": UnseenScheduler, "options": shared},
                    loop=loop.loop,
                    security=security,
                    silence_logs=quiet,
                )
            except (OSError, RuntimeError) as error:  # a worker was killed, or no process may be started
                why = str(error).rstrip(".")
                raise LMError(f"the cluster could not be started ({why}): run the same command again") from error
            with cluster:
                try:
                    yield cluster
                except BaseException:  # Ctrl-C: nobody should wait until the workers have said goodbye
                    for nanny in cluster.workers.values():
                        nanny.auto_restart = False
                        with suppress(OSError, TypeError):
                            os.kill(nanny.pid, signal.SIGTERM)
                    raise
    finally:
        loop.stop()


@contextmanager
def _deaf() -> Iterator[None]:
    """Threads that start here do not hear Ctrl-C, nor do the workers that they start: only this process answers it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
