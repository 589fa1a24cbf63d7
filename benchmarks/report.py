"""One line of the table: what was measured, what was promised, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """``value`` is None where nothing could be measured, ``promise`` is "" where nothing is promised."""

    what: str
    value: float | None
    promise: str = ""
    kept: bool = True
    unit: str = ""
    note: str = ""

    @property
    def ok(self) -> str:
        if self.value is None:
            return "skipped"
        return ("yes" if self.kept else "NO") if self.promise else ""

    def to_dict(self) -> dict[str, Any]:
        measured = None if self.value is None else float(f"{self.value:.3g}")
        return {"what": self.what, "measured": measured, "unit": self.unit, "promised": self.promise, "ok": self.ok} | (
            {"note": self.note} if self.note else {}
        )


def at_most(what: str, value: float, limit: float, unit: str = "", note: str = "") -> Row:
    return Row(what, value, f"at most {limit:g}", value <= limit, unit, note)


def under(what: str, value: float, limit: float, unit: str = "", note: str = "") -> Row:
    return Row(what, value, f"under {limit:g}", value < limit, unit, note)


def at_least(what: str, value: float, limit: float, unit: str = "", note: str = "") -> Row:
    return Row(what, value, f"at least {limit:g}", value >= limit, unit, note)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Lines of "what | measured | promised | ok", each as soon as its row is there; notes below their row."""
    yield f"{'what':<66} | {'measured':>16} | {'promised':<16} | ok"
    yield f"{'-' * 66} | {'-' * 16} | {'-' * 16} | ---"
    for row in rows:
        measured = "-" if row.value is None else f"{number(row.value)} {row.unit}".strip()
        yield f"{row.what:<66} | {measured:>16} | {row.promise:<16} | {row.ok}"
        if row.note:
            yield f"  {row.note}"


def number(value: float) -> str:
    """Three significant digits, whole numbers as they are."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"
