"""One line of the table: what was measured, what was promised, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """``value`` is None where nothing could be measured, ``promise`` is "" where nothing is promised.

    What is promised is a ratio to something measured beside it, or a count that no machine changes. ``figure`` says it
    in seconds or tokens of this machine: that is for information, and never decides whether the promise is kept.
    """

    what: str
    value: float | None
    promise: str = ""
    kept: bool = True
    unit: str = ""
    note: str = ""
    figure: str = ""

    @property
    def ok(self) -> str:
        if self.value is None:
            return "skipped"
        return ("yes" if self.kept else "NO") if self.promise else ""

    @property
    def measured(self) -> str:
        return "-" if self.value is None else f"{number(self.value)} {self.unit}".strip()

    def to_dict(self) -> dict[str, Any]:
        head = {"what": self.what, "measured": self.measured, "promised": self.promise, "ok": self.ok}
        return head | {name: text for name in ("figure", "note") if (text := getattr(self, name))}


def at_most(what: str, value: float, limit: float, unit: str = "", note: str = "", figure: str = "") -> Row:
    return Row(what, value, f"at most {limit:g}", value <= limit, unit, note, figure)


def at_least(what: str, value: float, limit: float, unit: str = "", note: str = "", figure: str = "") -> Row:
    return Row(what, value, f"at least {limit:g}", value >= limit, unit, note, figure)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Lines of "what | measured | promised | ok | here", each as soon as its row is there; notes below their row."""
    yield f"{'what':<78} | {'measured':>9} | {'promised':<14} | {'ok':<7} | on this machine"
    yield f"{'-' * 78} | {'-' * 9} | {'-' * 14} | {'-' * 7} | {'-' * 15}"
    for row in rows:
        yield f"{row.what:<78} | {row.measured:>9} | {row.promise:<14} | {row.ok:<7} | {row.figure}".rstrip()
        if row.note:
            yield f"  {row.note}"


def number(value: float) -> str:
    """Three significant digits, whole numbers as they are."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"


def seconds(value: float) -> str:
    """A time as it is read: "57 ms", "1.87 s", "183 s"."""
    return f"{value * 1000:.3g} ms" if value < 1 else f"{number(value)} s"
