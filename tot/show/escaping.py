"""Untrusted text made fit to show: cleaned, escaped, cut to a width. Beside it, numbers as people read them.

What a model wrote reaches a page, a picture or a terminal only through these functions.
"""

import math
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from html import escape as _escape
from typing import Any

# Control characters, soft hyphens, zero-width and direction marks, surrogates, tags, and what XML does not allow.
# Not removed: tab, newline, and the two joiners that scripts such as Persian and Hindi need.
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_LABEL = 600  # characters of a text that are looked at for a one-line label
_NARROW = frozenset(" .,:;'|!ijlI()[]{}/\\`-tfr")
_BROAD = frozenset("mwMW%@—…→←✓✗✕")


# -------------------------------------------------------------------- untrusted text


def clean(text: Any) -> str:
    """``text`` without characters that are invisible, that move other text, or that break XML; line ends are "\\n"."""
    plain = str(text).replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _UNSHOWABLE.sub("", plain)


def line(text: Any) -> str:
    """``text`` as one line for a label: cleaned, white space collapsed, and cut after a few hundred characters."""
    plain = str(text)
    one = " ".join(clean(plain[:_LABEL]).split())
    return one + "…" if len(plain) > _LABEL else one


def block(text: Any, limit: int = 4000) -> str:
    """``text`` as a cleaned block of lines, cut after ``limit`` characters with a note of how many more there were."""
    plain = str(text)
    more = len(plain) - limit
    return clean(plain[:limit]) + (f" … ({more:,} more characters)" if more > 0 else "")


def visible(text: str) -> str:
    """``text`` with each character that is invisible or steers a terminal as its escape: "\\u001b". For error messages,
    where what a server or a file holds should be seen and not obeyed.
    """
    return _UNSHOWABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_csv(value: Any) -> Any:
    """A cell of a CSV file: text that a spreadsheet would take for a formula stands behind an apostrophe."""
    formula = r"^(?=[=@\t]|[-+](?!\d+\.?\d*$))"  # a number may have its sign
    return re.sub(formula, "'", visible(value)) if isinstance(value, str) else value


def escape(text: str) -> str:
    """For the content of elements and for attributes in double quotes. Clean the text first."""
    return _escape(text, quote=True)


# -------------------------------------------------------------------- numbers


def number(value: Any) -> str:
    """60.0 -> "60", 0.003 -> "0.003", 12345 -> "12,345"; what is not a number becomes a short, cleaned text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return line(value)[:20]
    if isinstance(value, int) and abs(value) >= 10**300:  # a float could not hold it
        return f"{'-' if value < 0 else ''}1e{len(str(abs(value))) - 1}"
    if not math.isfinite(value):
        return str(value)
    if isinstance(value, int) or (value == int(value) and abs(value) < 1e15):
        return f"{int(value):,}" if abs(value) < 1e15 else f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def real(value: Any) -> float | None:
    """The value as a float if it is a number that can be drawn, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e300 else None  # false for nan


def whole(value: Any) -> int:
    """The value as an integer; 0 if it is no number."""
    return int(real(value) or 0)


def count(n: Any, noun: str, nouns: str = "") -> str:
    """``count(2, "call")`` -> "2 calls". ``nouns``: the plural, where it is not the noun with an "s"."""
    return f"{number(n)} {noun if n == 1 else nouns or noun + 's'}"


# -------------------------------------------------------------------- widths


@lru_cache(maxsize=4096)
def _cells(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200c\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(text: str) -> int:
    """How many columns of a terminal ``text`` takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    if _cells(char) != 1:
        return 1.05 if _cells(char) else 0.0
    if char in _NARROW:
        return 0.42
    if char in _BROAD:
        return 1.0
    return 0.72 if char.isupper() or not char.isascii() else 0.64


def em(text: str) -> float:
    """Width of ``text`` in units of the font size: an upper estimate for the usual sans-serif fonts, which differ."""
    width = 0.0
    for char in text:  # one by one, as the stored pictures were measured: ``ties.total`` would cut some texts elsewhere
        width += _em(char)
    return width


def cut(text: str, width: float, measure: Callable[[str], float] = em) -> str:
    """``text`` if it is no wider than ``width``, else its beginning with "…"."""
    if measure(text) <= width:
        return text
    room = width - measure("…")
    kept = []
    for char in text:
        room -= measure(char)
        if room < 0:
            break
        kept.append(char)
    start = "".join(kept).rstrip()
    opened = start.rfind(" (")
    if opened * 2 > len(start) and ")" not in start[opened:]:  # no half a bracket, if most of the text is before it
        start = start[:opened]
    return start.rstrip() + "…"
