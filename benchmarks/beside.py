"""What a promise about speed is measured against: plain work of the same kind, timed beside it in the same run.

Seconds belong to one machine on one day. How much longer a search takes than a plain loop of so many steps, or a start
with ``import tot`` than a bare one, is nearly the same everywhere, also where others are at work.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]


def processor() -> float:
    """Seconds of processor time, of this process and of those that it has waited for; wall time on Windows."""
    try:
        import resource
    except ImportError:
        return time.perf_counter()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass(frozen=True)
class Beside:
    """``ours`` and ``plain``: seconds by the clock of the comparison; ``wall``: ours on the wall, for information."""

    ours: float
    plain: float
    wall: float

    @property
    def ratio(self) -> float:
        return self.ours / self.plain


def beside(
    ours: Callable[[], object], plain: Callable[[], object], times: int = 5, clock: Clock = processor, warm: bool = True
) -> Beside:
    """The two in turn, ``times`` times, and the least that each took: what disturbs a measurement only adds to it.

    ``clock``: processor time, for work that only computes, or ``time.perf_counter`` for work that waits. With ``warm``
    a first turn is not counted: it imports, compiles and fills caches.
    """
    gc.collect()
    gc.freeze()  # what other measurements left behind is not collected again and again
    try:
        if warm:
            ours(), plain()
        took = [(*spent(ours, clock), spent(plain, clock)[0]) for _ in range(times)]
    finally:
        gc.unfreeze()
    least = [min(column) for column in zip(*took, strict=True)]
    return Beside(least[0], least[2], least[1])


def spent(work: Callable[[], object], clock: Clock = processor) -> tuple[float, float]:
    """Seconds by the clock, and on the wall."""
    began, on_the_wall = clock(), time.perf_counter()
    work()
    return clock() - began, time.perf_counter() - on_the_wall


def start(code: str = "pass", **environment: str) -> None:
    """A fresh Python that runs ``code``; with nothing to run, the bare start that others are compared with.

    Raises subprocess.CalledProcessError if it fails.
    """
    subprocess.run([sys.executable, "-c", code], env=environment or None, check=True, stdout=subprocess.DEVNULL)


def loop(steps: int) -> int:
    """A plain loop as Python programs have them: each step makes a small object and a line of text, and keeps both."""
    kept: dict[str, list[object]] = {}
    for i in range(steps):
        value = (i * 7919 % 1000) / 1000
        kept[f"0.{i}"] = [i, value, {"id": f"0.{i}", "value": max(value, 0.5)}]
    return len(kept)
