"""The one rule about floats: add them with ``total``, compare them by ``level``.

Rounding differs: between orders of addition, between Python versions (``sum`` compensates since 3.12), between the
``log`` of one platform and of another. A decision that hangs on the last bit would differ with it. So a sum is rounded
once (``total``), and numbers that agree to ``DIGITS`` decimals are a tie (``level``), which the order of generation
decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

DIGITS = 9


def total(numbers: Iterable[float]) -> float:
    """The sum, rounded once: the same for every order of the numbers, on every machine."""
    return fsum(numbers)


def mean(numbers: Iterable[float]) -> float:
    """The arithmetic mean by ``total``. Raises ZeroDivisionError without numbers."""
    every = list(numbers)
    return total(every) / len(every)


def level(number: float | None) -> float:
    """What to compare in place of ``number``: rounded to ``DIGITS`` decimals. None, no value yet, counts as 0."""
    return round(number or 0.0, DIGITS)
