"""What book/errata.md says about *Planning with MCTS* and the iToT poster, recomputed from their own tables.

``ENTRIES`` joins those of ``studies/errata.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sqrt
from statistics import NormalDist, fmean
from typing import Any

from studies.papers import (
    CLAIMED_GAIN,
    COT_PLAN,
    DEPTH_AND_ROLLOUTS,
    DEPTHS,
    HOTPOTQA,
    MCTS_PLAN,
    ONE_JUDGE,
    ROLES,
    ROLLOUTS,
    ZERO_SHOT,
)

Entry = dict[str, Any]

TABLE_3 = {name: ONE_JUDGE[name] for name in ("feasibility", "logical consistency")}
TABLE_4 = {
    f"{judge}, {executor}": ROLES["1.5B", judge, executor]
    for judge, executor in (("1.5B", "1.5B"), ("1.5B", "72B"), ("72B", "72B"))
}
WORD, WALK = "pneumonoultramicroscopicsilicovolcanoconiosis", "pneumonoultramicrosiiicovo"  # figure 4
POSTER = {  # our names for four rows of its table
    "Base LM (CoT)": HOTPOTQA["Base LM (CoT)"],
    "ToT DFS": HOTPOTQA["ToT DFS"],
    "ToT best first": HOTPOTQA["ToT best first"],
    "iToT A*": HOTPOTQA["iToT A*"],
}


def gain(a: dict[str, tuple[float, ...]], b: dict[str, tuple[float, ...]]) -> dict[str, float]:
    """How much higher ``b`` is than ``a``, over the models of ``a``: points, and relative by two ways of averaging."""
    low, high = [x for m in a for x in a[m]], [x for m in a for x in b[m]]
    return {
        "points": round(fmean(high) - fmean(low), 2),
        "% of the mean": round(100 * (fmean(high) / fmean(low) - 1), 1),
        "% by cell": round(100 * fmean(h / n - 1 for n, h in zip(low, high, strict=True) if n), 1),
    }


def headline() -> Entry:
    return {
        "paper": {"claim %": CLAIMED_GAIN, "table": 1, "models": list(ZERO_SHOT)},
        "ours": {"zero-shot CoT": gain(ZERO_SHOT, MCTS_PLAN), "CoT-Plan": gain(COT_PLAN, MCTS_PLAN)},
    }


def by_model() -> Entry:
    gains = {m: round(fmean(MCTS_PLAN[m]) - fmean(COT_PLAN[m]), 1) for m in COT_PLAN}
    return {"paper": {"table": 1, "models": list(COT_PLAN), "version": 3.1}, "ours": {"points": gains}}


def small_and_large() -> Entry:
    alone = fmean(TABLE_4["1.5B, 1.5B"])
    return {
        "paper": {"section": 3.4, "table": 4, "claim %": 23.87, "models": [1.5, 72]},
        "ours": {name: round(fmean(row) - alone, 2) for name, row in TABLE_4.items()},
    }


def depth_and_rollouts() -> Entry:
    return {
        "paper": {"table": 2, "columns": len(DEPTHS) + len(ROLLOUTS), "models": [7, 8], "CoT-Plan": COT_PLAN["7B"][2]},
        "ours": {
            "depths": len(DEPTHS),
            "rollouts": len(ROLLOUTS),
            "best depth, 7B": max(DEPTH_AND_ROLLOUTS["7B"][0]),
            "best rollouts, 8B": dict(zip(ROLLOUTS, DEPTH_AND_ROLLOUTS["8B"][1], strict=True)),
            "rollouts, 7B": {
                n: rate
                for n, rate in zip(ROLLOUTS, DEPTH_AND_ROLLOUTS["7B"][1], strict=True)
                if rate == MCTS_PLAN["7B"][2]  # of table 1
            },
        },
    }


def one_evaluator() -> Entry:
    means = {name: round(fmean(row), 1) for name, row in TABLE_3.items()}
    return {
        "paper": {"section": 3.3, "table": 3, "models": [7]},
        "ours": {"means": means, "CoT-Plan": round(fmean(COT_PLAN["7B"]), 1)},
    }


def letter_walk() -> Entry:
    """``WALK``: the letters that figure 4 goes through, one by one; where our copy seems to show a j, an i is meant."""
    place = next(i for i, (there, here) in enumerate(zip(WORD, WALK, strict=False)) if there != here)
    right = {"letters of the word": len(WORD), "letters of the walk": len(WALK), "alike at the start": place}
    return {"paper": {"figure": 4, "answer": 2}, "ours": right | {"r in the word": WORD.count("r")}}


def needed(a: float, b: float, *, power: float = 0.8, level: float = 0.05) -> int:
    """Problems for each of two methods, so that a difference of these rates is found with ``power``."""
    quantile, middle = NormalDist().inv_cdf, (a + b) / 2
    both = quantile(1 - level / 2) * sqrt(2 * middle * (1 - middle)) + quantile(power) * sqrt(a * (1 - a) + b * (1 - b))
    return ceil((both / (a - b)) ** 2)


def poster_table() -> Entry:
    two = POSTER["ToT best first"], POSTER["iToT A*"]
    return {
        "paper": {"table": 1, "EM": POSTER},
        "ours": {"problems for each method": needed(*two), "power %": 80, "level %": 5, "rounded": 4000},
    }


ENTRIES: dict[str, Callable[[], Entry]] = {
    "I1": poster_table,
    "I2": lambda: {"paper": {"algorithms": [1, 2], "lines": [2, 14, 15]}},
    "I3": lambda: {"paper": {"algorithms": [1, 2], "lines": [4, 16, 9]}},
    "I4": lambda: {"paper": {"algorithm": 2, "lines": [13, 16]}, "ours": {"exercise": 3}},
    "I5": lambda: {"paper": {"algorithms": [1, 2]}, "ours": {"value at a goal that would be needed": 0}},
    "P1": headline,
    "P2": by_model,
    "P3": small_and_large,
    "P4": depth_and_rollouts,
    "P5": one_evaluator,
    "P6": lambda: {"paper": {"section": 2.2}},
    "P7": lambda: {"paper": {"section": 3.3}},
    "P8": letter_walk,
    "P9": lambda: {"paper": {"section": 2.1, "equation": 2}},
}
