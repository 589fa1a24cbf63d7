"""Recompute what book/errata.md says, from the papers' own tables: here the Tree of Thoughts paper.

    python -m studies.errata          # writes studies/results/errata.json

One entry for each numbered item of the page. ``paper`` holds what is printed there, ``ours`` what follows from it.
``tests/book/test_errata.py`` runs this again and compares every number on the page with the entry of the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from studies import errata_logs, errata_planning, papers
from studies.figures import write
from tot.stats import Interval, mcnemar, wilson

RESULTS = Path(__file__).parent / "results" / "errata.json"
Entry = dict[str, Any]

# List prices of GPT-4 (8k context) in May 2023, when the experiments were run: dollars for 1,000 tokens.
PROMPT_PRICE, COMPLETION_PRICE = 0.03, 0.06

TABLE_3 = {name: papers.CROSSWORDS[name] for name in ("ToT", "+best state", "-prune", "-backtrack")}


def percent(interval: Interval) -> list[int]:
    return [round(100 * interval.low), round(100 * interval.high)]


def chain_rule() -> Entry:
    first, second = 0.5, 0.4  # any two probabilities show it
    return {
        "paper": {"section": 2, "index": 1},
        "ours": {"p(x1)": first, "p(x2 | x1)": second, "p(x1, x2)": round(first * second, 10), "as printed": 1},
    }


def order_of_methods() -> Entry:
    return {
        "paper": {"appendix": "B.2", "tables": [5], "success %": papers.WEAKER},
        "ours": {"CoT minus IO, points": {lm: round(row["CoT"] - row["IO"], 1) for lm, row in papers.WEAKER.items()}},
    }


def cost_of_tot() -> Entry:
    rows: dict[str, Entry] = {}
    for name, (generated, prompt, dollars) in papers.COSTS.items():
        cost = round(COMPLETION_PRICE * generated + PROMPT_PRICE * prompt, 3)
        rows[name] = {"generated k": generated, "prompt k": prompt, "dollars": dollars, "recomputed dollars": cost}
        rows[name]["gap"] = round(abs(cost - dollars), 3)
    odd = "Game of 24, ToT"
    generated, _, dollars = papers.COSTS[odd]
    implied = (dollars - COMPLETION_PRICE * generated) / PROMPT_PRICE
    rounding = 0.05 * (COMPLETION_PRICE + PROMPT_PRICE) + 0.005  # tokens are given to 0.1 k, dollars to 0.01
    return {
        "paper": {"appendix": "B.3", "tables": [7, 8], "prices per 1,000 tokens": [PROMPT_PRICE, COMPLETION_PRICE]},
        "rows": rows,
        "ours": {
            "dollars generated": round(COMPLETION_PRICE * generated, 2),
            "dollars left for the prompts": round(dollars - COMPLETION_PRICE * generated, 2),
            "implied prompt k": round(implied, 1),
            "largest gap in the other rows": max(row["gap"] for name, row in rows.items() if name != odd),
            "largest gap that rounding explains": round(rounding, 4),
            "date": "May 2023",
        },
    }


def two_gains() -> Entry:
    """The kindest reading of a gain of d problems: d problems were won and none was lost. Any other has a larger p."""
    gains = {name: (int(row["CoT"]), int(row["ToT"])) for name, row in papers.ZERO_SHOT_TOT.items()}
    return {
        "paper": {"appendix": "B.1", "table": 4, "n": 100, "CoT, ToT": gains},
        "ours": {name: {"gain": b - a, "smallest p": round(mcnemar(0, b - a), 3)} for name, (a, b) in gains.items()},
    }


def human_study() -> Entry:
    tot, cot, ties = (papers.READERS[name] for name in ("wins", "losses", "ties"))
    return {
        "paper": {"section": 4.2, "ToT": tot, "CoT": cot, "similar": ties, "pairs": tot + cot + ties},
        "ours": {"decided pairs": tot + cot, "p": round(mcnemar(tot, cot), 3)},
    }


def table_2() -> Entry:
    rates = {name: int(papers.GAME24[name]) for name in ("ToT b=5", "ToT b=1", "CoT, best of 100")}
    return {
        "paper": {"section": 4.1, "table": 2, "n": 100, "rates %": rates, "b": [1, 5]},
        "ours": {
            "95 %": {name: percent(wilson(rate, 100)) for name, rate in rates.items()},
            "CoT, best of 100, minus ToT b=1": rates["CoT, best of 100"] - rates["ToT b=1"],
            "smallest p": round(mcnemar(0, rates["CoT, best of 100"] - rates["ToT b=1"]), 3),
        },
    }


def swapped_models() -> Entry:
    strong, weak = "GPT-4", "GPT-3.5"
    mixes = (strong, strong), (strong, weak), (weak, strong)
    both, weak_judge, weak_author = (int(papers.SWAP[mix]) for mix in mixes)
    return {
        "paper": {"appendix": "B.2", "rates %": [both, weak_judge, weak_author], "models": ["GPT-4", "GPT-3.5"]},
        "ours": {"lost by a weaker evaluator": both - weak_judge, "lost by a weaker generator": both - weak_author},
    }


def refined_writing() -> Entry:
    rows = ("IO", "IO + refine", "ToT", "ToT + refine")
    return {
        "paper": {"section": 4.2} | {name.replace("+ refine", "refined"): papers.COHERENCE[name][0] for name in rows}
    }


def crosswords() -> Entry:
    counts = {
        name: [round(rate * whole / 100, 6) for rate, whole in zip(row, (500, 200, 20), strict=True)]
        for name, row in TABLE_3.items()
    }
    whole = all(value == int(value) for row in counts.values() for value in row)
    return {
        "paper": {
            "section": 4.3,
            "table": 3,
            "games": 20,
            "words": 200,
            "letters": 500,
            "rates %": TABLE_3,
            "found": 4,
        },
        "ours": {
            "counts": {k: [int(v) for v in row] for k, row in counts.items()} if whole else counts,
            "games solved, 95 %": percent(wilson(4, 20)),
            "all whole": whole,
        },
    }


def printed(paper: Entry, **ours: Entry) -> Callable[[], Entry]:
    """An entry that needs no computing: what is printed, and where."""
    return lambda: {"paper": paper, **ours}


SCALE = {"sure": 20, "likely": 1, "impossible": 0.001, "samples": 3, "three sures": 60}
TRANSLATED = {"sections": [1, 3, 4, 4.1, 4.2, 4.3], "figure": 6, "references": [12], "systems": [1, 2]}

ENTRIES: dict[str, Callable[[], Entry]] = {
    "E1": chain_rule,
    "E2": printed({"algorithm": 2, "section": 4.3}),
    "E3": order_of_methods,
    "E4": cost_of_tot,
    "E5": printed({"appendix": "B.3", "b there": 5, "section": 4.2, "k in 4.2": 5, "b in 4.2": 1}),
    "E6": printed({"table": 8, "says": "Game of 24"}),
    "E7": printed(
        {"table": 1, "steps": 1, "section": 4.2, "depth": 2, "intermediate steps": 1, "Game of 24": 3},
    ),
    "E8": printed({"sections": [3, 4.1], "scale": [1, 10]}, ours=SCALE),
    "E9": printed({"references": [10, 11], "year": 1968}),
    "C1": two_gains,
    "C2": table_2,
    "C3": human_study,
    "C4": swapped_models,
    "C5": refined_writing,
    "C6": crosswords,
    **errata_logs.ENTRIES,
    "T1": printed({"section": 4.1, "tables": [2], "best of": 100, "CoT %": 49, "k": 100}),
    "T2": printed({"section": 3, "item": 3}),
    "T3": printed({"section": 4.1, "k": [1, 100]}),
    "T4": printed({**TRANSLATED, "appendix": "B.3"}),
    **errata_planning.ENTRIES,
}


if __name__ == "__main__":
    write({name: entry() for name, entry in ENTRIES.items()}, RESULTS)
