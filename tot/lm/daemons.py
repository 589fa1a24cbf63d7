"""Threads of an event loop, which may look up names or search when a program ends."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

T = TypeVar("T")
POLL = 0.2  # seconds; on Windows Ctrl-C cannot interrupt a wait without a timeout


def waited(work: Future[T]) -> T:
    """What comes of it; Ctrl-C ends the waiting, not the work."""
    while not wait([work], POLL).done:
        pass
    return work.result()


class Daemons(ThreadPoolExecutor):
    """A thread for each job, which the interpreter does not join at exit, as it does those of any other executor."""

    def submit(self, job: Callable[..., T], /, *args: Any, **more: Any) -> Future[T]:
        """As the usual executor, in a thread of its own."""
        outcome: Future[T] = Future()

        def run() -> None:
            if outcome.set_running_or_notify_cancel():  # from here on it cannot be cancelled
                try:
                    outcome.set_result(job(*args, **more))
                except StopIteration as error:  # for which Python 3.11's asyncio would wait for ever
                    outcome.set_exception(RuntimeError(f"StopIteration: {error}"))
                except BaseException as error:
                    outcome.set_exception(error)

        try:
            threading.Thread(target=run, name="tot-lm", daemon=True).start()
        except RuntimeError:  # the interpreter exits, and a recording waits for its calls in flight
            run()
        return outcome
