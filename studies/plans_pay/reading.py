"""The results file as the chapters read it: rows with intervals and tests in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tot.stats import Interval

RESULTS = Path(__file__).resolve().parent.parent / "results" / "plans_pay.json"


def load() -> dict[str, Any]:
    """All that the study wrote."""
    study: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return study


def interval(numbers: Sequence[float], n: int) -> Interval:
    return Interval(*numbers, n)


def difference(found: Mapping[str, Any]) -> str:
    """A difference in points, with its interval."""
    return "{:+.0%} [{:+.0%}, {:+.0%}]".format(*found["difference"])


def chance(found: Mapping[str, Any]) -> str:
    """The p of its test."""
    return "< 0.001" if found["p"] < 0.001 else f"{found['p']:.3f}"
