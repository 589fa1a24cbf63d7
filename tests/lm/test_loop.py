"""The loop in a thread: what is submitted ends, what fails is heard, and nobody waits for ever."""

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest

from tot.lm.loop import Loop, in_thread
from tot.lm.threads import Threads


@asynccontextmanager
async def resource(log):
    log.append("open")
    yield
    log.append("closed")


def thread_of(loop):
    async def here():
        return threading.current_thread()

    return loop.submit(here()).result(60)


def test_what_is_running_ends_before_the_resource_is_closed():
    log, going = [], threading.Event()
    loop = Loop(resource(log))

    async def job():
        going.set()
        await asyncio.sleep(0.05)
        log.append("done")

    thread, future = thread_of(loop), loop.submit(job())
    assert going.wait(60) and thread.daemon and thread is not threading.current_thread()
    loop.close()
    future.result(60)
    thread.join(60)
    assert log == ["open", "done", "closed"] and not thread.is_alive()
    loop.soon(lambda: log.append("late"))  # an ended loop calls nothing, and says nothing
    loop.close()
    assert log[-1] == "closed"


def test_a_resource_that_cannot_be_entered_is_raised_here():
    @asynccontextmanager
    async def broken():
        raise ValueError("no")
        yield

    with pytest.raises(ValueError, match="no"):
        Loop(broken())


def test_a_loop_that_cannot_start_is_raised_here(monkeypatch):
    """As where no file descriptors are left: nothing would ever answer."""

    def full():
        raise OSError("too many open files")

    monkeypatch.setattr(asyncio.events, "new_event_loop", full)
    monkeypatch.setattr(asyncio.runners.events, "new_event_loop", full)
    with pytest.raises(OSError, match="too many"):
        Loop(resource([]))


@pytest.mark.parametrize("error", [ValueError("no"), LookupError(), StopIteration("no")])
def test_a_job_in_a_thread_may_raise_anything(error):
    def job():
        raise error

    async def wait():
        try:
            return await asyncio.wait_for(in_thread(Threads(1), job), 60)
        except BaseException as caught:
            return caught

    caught = asyncio.run(wait())
    assert caught is error or (isinstance(caught, RuntimeError) and "StopIteration: no" in str(caught))


def test_a_job_that_nobody_waits_for_any_more_is_not_begun():
    threads, ran, free = Threads(1), [], threading.Event()

    async def wait():
        first = asyncio.ensure_future(in_thread(threads, lambda: free.wait(60)))
        second = asyncio.ensure_future(in_thread(threads, lambda: ran.append("second")))
        await asyncio.sleep(0.05)
        second.cancel()
        await asyncio.sleep(0)
        free.set()
        return await first, await in_thread(threads, lambda: "third")

    assert asyncio.run(wait()) == (True, "third") and ran == []
