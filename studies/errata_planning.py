"""What book/errata.md says about *Planning with MCTS* and the iToT poster, recomputed from their own tables.

``ENTRIES`` joins those of ``studies/errata.py``.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist, fmean
from typing import Any

Entry = dict[str, Any]

# tables 1 and 3: accuracy in %, in the order AddSub, CommonsenseQA, GSM8K, Last Letters, MultiArith, Object Tracking,
# SingleEq, SVAMP
ZERO_SHOT = {
    "7B": (85.06, 63.72, 80.89, 21.00, 95.33, 74.80, 77.17, 83.40),
    "8B": (28.61, 63.80, 57.32, 26.40, 38.17, 49.33, 39.76, 27.00),
}
COT_PLAN = {
    "0.5B": (36.96, 31.20, 17.82, 0.00, 37.00, 31.87, 44.09, 29.90),
    "1.5B": (28.61, 44.23, 35.03, 7.20, 44.67, 29.87, 34.84, 33.90),
    "7B": (87.59, 78.62, 88.84, 55.20, 98.33, 79.33, 93.70, 91.90),
    "8B": (78.23, 57.14, 74.77, 15.40, 91.58, 57.94, 84.65, 79.20),
}
MCTS_PLAN = {
    "0.5B": (58.23, 32.43, 29.80, 0.20, 68.33, 27.20, 69.69, 43.80),
    "1.5B": (75.70, 58.72, 64.29, 6.40, 86.50, 26.40, 83.66, 72.10),
    "7B": (88.10, 79.20, 90.14, 56.60, 98.67, 79.33, 92.91, 92.90),
    "8B": (80.51, 68.57, 77.28, 12.80, 92.76, 55.43, 87.99, 81.20),
}
DEPTHS, ROLLOUTS = (1, 3, 5, 7, 10, 20, 50, 100), (1, 3, 5, 7, 10, 20)
TABLE_2 = {
    "8B": ((74.22, 75.97, 76.12, 76.42, 76.80, 76.42, 77.18, 77.41), (79.08, 76.88, 76.04, 76.57, 76.19, 77.48)),
    "7B": ((87.64, 88.17, 88.02, 88.40, 88.32, 88.48, 88.55, 88.78), (89.01, 89.76, 89.08, 89.23, 90.14, 89.92)),
}
TABLE_3 = {
    "feasibility": (88.1, 71.3, 89.5, 58.4, 97.7, 65.5, 91.5, 92.2),
    "logical consistency": (86.6, 70.9, 89.2, 58.2, 97.2, 65.0, 91.5, 91.4),
}
TABLE_4 = {  # planner 1.5B; evaluator, executor
    "1.5B, 1.5B": MCTS_PLAN["1.5B"],
    "1.5B, 72B": (88.86, 78.49, 86.96, 47.20, 96.83, 80.40, 95.28, 90.70),
    "72B, 72B": (90.63, 80.71, 92.80, 76.80, 98.67, 89.47, 94.88, 92.00),
}
WORD, WALK = "pneumonoultramicroscopicsilicovolcanoconiosis", "pneumonoultramicrosiiicovo"  # figure 4
POSTER = {"Base LM (CoT)": 0.47, "ToT DFS": 0.46, "ToT best first": 0.59, "iToT A*": 0.62}


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
        "paper": {"claim %": 40.59, "table": 1, "models": list(ZERO_SHOT)},
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
            "best depth, 7B": max(TABLE_2["7B"][0]),
            "best rollouts, 8B": dict(zip(ROLLOUTS, TABLE_2["8B"][1], strict=True)),
        },
    }


def one_evaluator() -> Entry:
    means = {name: round(fmean(row), 1) for name, row in TABLE_3.items()}
    return {
        "paper": {"section": 3.3, "table": 3, "models": [7]},
        "ours": {"means": means, "CoT-Plan": round(fmean(COT_PLAN["7B"]), 1)},
    }


def new_node() -> Entry:
    return {"paper": {"section": 2.2}}


def zero_sum() -> Entry:
    return {"paper": {"section": 3.3}}


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


def infinite_root() -> Entry:
    return {"paper": {"algorithms": [1, 2], "lines": [2, 14, 15]}}


def taken_states() -> Entry:
    return {"paper": {"algorithms": [1, 2], "lines": [4, 16, 9]}}


def sibling_order() -> Entry:
    return {"paper": {"algorithm": 2, "lines": [13, 16]}, "ours": {"exercise": 3}}


def promise_of_astar() -> Entry:
    return {"paper": {"algorithms": [1, 2]}, "ours": {"value at a goal that would be needed": 0}}


ENTRIES = {
    "I1": poster_table,
    "I2": infinite_root,
    "I3": taken_states,
    "I4": sibling_order,
    "I5": promise_of_astar,
    "P1": headline,
    "P2": by_model,
    "P3": small_and_large,
    "P4": depth_and_rollouts,
    "P5": one_evaluator,
    "P6": new_node,
    "P7": zero_sum,
    "P8": letter_walk,
}
