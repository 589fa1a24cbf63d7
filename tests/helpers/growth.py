"""How work grows with its input: what a test may say of speed. Never seconds, which are another machine's by tomorrow.

``grows_in_step`` compares two sizes of one thing in one process: four times as much may take twelve times as long, and
what grows as the square of its input takes sixteen. ``ends`` tells only what ends from what does not.
"""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TIMES, MOST = 4, 12.0  # the larger input is TIMES the smaller; it may take MOST times as long
TICK = 0.002  # seconds that the smaller one is measured for at least: shorter is noise, and a clock may tick slowly
MINUTE = 60.0  # seconds of this process's own time, which a busy machine does not use up
WORTH = 1000  # characters: how the reading of fewer grows cannot be seen in the time that it takes


@contextmanager
def ends() -> Iterator[None]:
    """Raises TimeoutError inside the block after a minute of processor time (not where there is no such alarm)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: object) -> None:
        raise TimeoutError("a minute of processor time was not enough: does this ever end?")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, MINUTE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def grows_in_step(small: Callable[[], object], large: Callable[[], object], tries: int = 5) -> None:
    """Fails if ``large``, on TIMES as much, takes more than MOST times as long as ``small`` in every one of the tries.

    What disturbs a measurement only adds to it, so the least of the tries is compared, and the first that passes ends.
    """
    with ends():
        small()  # what is done once: patterns compiled, modules imported
        repeats, fast, slow = 1, 0.0, 0.0
        while (fast := seconds(small, repeats)) < TICK:
            repeats *= 2
        for _ in range(tries):
            fast, slow = min(fast, seconds(small, repeats)), min(slow or 1e9, seconds(large, repeats))
            if slow <= MOST * fast:
                return
    raise AssertionError(f"{TIMES} times as much took {slow / fast:.0f} times as long, and {MOST:g} are too many")


def read_in_step(read: Callable[[str], object], text: str) -> None:
    """``read(text)`` ends, and for a long text it takes no more than a reader should that looks at each character.

    The smaller text is the first and the last eighth: what makes reading hard may stand at either end.
    """
    with ends():
        read(text)
    if len(text) >= WORTH:
        part = len(text) // (2 * TIMES)
        shorter = text[:part] + text[-part:]
        grows_in_step(lambda: read(shorter), lambda: read(text))


def seconds(do: Callable[[], object], repeats: int) -> float:
    """This thread's processor time, without the garbage collector's, whose rounds depend on what ran before.

    Not the process's: Linux counts that one coarsely while the alarm of ``ends`` is set.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        began = time.thread_time()
        for _ in range(repeats):
            do()
        return time.thread_time() - began
    finally:
        if collecting:
            gc.enable()
