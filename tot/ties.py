"""How floats are added (``total``) and compared (``level``), so that searches decide the same way on every machine.

The last bits of a float depend on the order of addition, on the Python version (``sum`` compensates since 3.12) and on
the platform's ``log``; a comparison of raw floats could therefore go either way. So sums are rounded only once
(``total``), and numbers that agree to ``DIGITS`` decimals count as equal (``level``); ties are broken by the order of
generation.
"""

from collections.abc import Iterable
from math import fsum, inf

DIGITS = 9


def total(numbers: Iterable[float]) -> float:
    """The sum, rounded once: the same for any order of the numbers, on every machine."""
    return fsum(numbers)


def mean(numbers: Iterable[float]) -> float:
    """The arithmetic mean, computed with ``total``. Raises ZeroDivisionError if there are no numbers."""
    every = list(numbers)
    return total(every) / len(every)


def level(number: float | None) -> float:
    """``number`` rounded to ``DIGITS`` decimals, for comparisons. None (no value yet) counts as 0, nan as the least."""
    return -inf if number != number else round(number or 0.0, DIGITS)
