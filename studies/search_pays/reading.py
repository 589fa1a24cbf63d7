"""The results file as chapter 16 and its study read it: tables with intervals, and areas under a curve in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tot.stats import Interval

RESULTS = Path(__file__).resolve().parent.parent / "results" / "search_pays.json"


def load() -> dict[str, Any]:
    """All that ``report`` wrote."""
    study: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return study


def rows(study: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """A table of the study; lists of three numbers are intervals of its n."""

    def value(x: Any) -> Any:
        return Interval(*x, study["n"]) if isinstance(x, list) else x

    return [{key: value(x) for key, x in row.items()} for row in study["tables"][name]]


def area(*numbers: float) -> str:
    """An AUC and its interval; above 1, where no judge is, "never"."""
    y, low, high = ("never" if x > 1 else f"{x:.2f}" for x in numbers)
    return f"{y} [{low}, {high}]"
