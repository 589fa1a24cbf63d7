"""An event loop in a daemon thread, for programs that have none, or (a notebook) have one of their own."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, TypeVar

from .threads import Threads

T = TypeVar("T")


class Loop:
    """Runs coroutines in a thread of its own, inside ``async with resource``.

    Nothing joins the thread when the interpreter exits: after Ctrl-C a program ends at once, though a server hangs.
    Raises what entering the resource raises.
    """

    def __init__(self, resource: AbstractAsyncContextManager[object]) -> None:
        ready: _Ready = Future()
        threading.Thread(target=_run, args=(resource, ready), name="tot-lm", daemon=True).start()
        self._loop, self._closing = ready.result()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine. The future that is returned may be waited for in any other thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def soon(self, job: Callable[[], object]) -> None:
        """Call ``job`` in the loop's thread; a loop that has ended calls nothing."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(job)

    def close(self) -> None:
        """Let what is running end, then the resource and the thread. Returns at once; nothing more may be submitted."""
        self.soon(self._closing.set)


_Ready = Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]


def _run(resource: AbstractAsyncContextManager[object], ready: _Ready) -> None:
    try:
        with asyncio.Runner() as runner:  # even a loop may fail to start: it needs file descriptors
            runner.run(_serve(resource, ready))
    except BaseException as error:
        if ready.done():
            raise
        ready.set_exception(error)


async def _serve(resource: AbstractAsyncContextManager[object], ready: _Ready) -> None:
    closing = asyncio.Event()
    async with resource:
        ready.set_result((asyncio.get_running_loop(), closing))
        await closing.wait()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)


async def in_thread(threads: Threads, job: Callable[[], T]) -> T:
    """The result of a job that blocks. (asyncio's own executor has threads that the interpreter joins at exit.)"""
    outcome: Future[T] = Future()

    def run() -> None:
        if outcome.set_running_or_notify_cancel():  # from here on it cannot be cancelled
            try:
                outcome.set_result(job())
            except StopIteration as error:  # for which Python 3.11's asyncio would wait for ever
                outcome.set_exception(RuntimeError(f"StopIteration: {error}"))
            except BaseException as error:
                outcome.set_exception(error)

    threads.submit([run])
    return await asyncio.wrap_future(outcome)
