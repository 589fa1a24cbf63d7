"""Recompute what book/errata.md says, from the papers' own tables and, of the logs that the authors of Tree of Thoughts
published, from the figures that ``studies/authors`` wrote: the logs themselves are not in the project.

    python -m studies.errata          # writes studies/results/errata.json

One entry for each numbered item of the page. ``paper`` holds what is printed there, ``ours`` what follows from it.
``tests/book/test_errata.py`` runs this again and compares every number on the page with the entry of the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

from studies import papers
from studies.figures import read, write
from tot.stats import Interval, mcnemar, wilson

RESULTS, LOGS = (Path(__file__).parent / "results" / name for name in ("errata.json", "authors.json"))
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


# ---------------------------------------------------------------- the logs of its authors


def figures() -> Entry:
    return read(LOGS)


def rate_of(cell: Entry) -> list[float]:
    """A rate and its interval in per cent."""
    return [round(100 * x, 0) for x in cell["rate"]]


def later_run() -> Entry:
    tree = figures()["game24 tree"]
    success, found = tree["success"], {}
    for name in ("any of five (checked)", "first of five", "chosen without gold", "composed by program"):
        found[name] = success[name]["count"]
    return {
        "paper": {"table": 2, "ToT b=5": papers.GAME24["ToT b=5"], "section": 4.1},
        "ours": {
            "n": success["any of five (checked)"]["n"],
            "any of five, 95 %": rate_of(success["any of five (checked)"]),
            "states": 5,
            **found,
            "mean %": round(100 * success["mean of the five"]["rate"][0], 1),
            "only by program": success["program against GPT-4's own answers"]["only the first"],
        },
    }


def bill() -> Entry:
    generated, prompt, dollars = papers.COSTS["Game of 24, ToT"]
    log = figures()["game24 tree"]["bill"]
    return {
        "paper": {"table": 7, "generated k": generated, "prompt k": prompt, "dollars": dollars},
        "ours": {name: log[name] for name in ("generated k", "prompt k", "dollars")},
    }


def illegal_beam() -> Entry:
    part = figures()["game24 tree"]["legality"]["beam"]
    steps = {step: rate_of(part[f"step {step}"]["illegal"]) for step in (1, 2, 3)}
    below = figures()["game24 tree"]["success"]["right answers below a path with an illegal step"]
    reader = {step: part[f"step {step}"]["refused by our reader"]["count"] for step in (1, 2, 3)}
    return {
        "paper": {"section": 4.1, "b": 5},
        "ours": {
            "illegal %, 95 %": steps,
            "illegal": {step: part[f"step {step}"]["illegal"]["count"] for step in (1, 2, 3)},
            "n": part["step 1"]["illegal"]["n"],
            "refused by our reader": reader,
            "right answers": below["n"],
            "right answers below": below["count"],
        },
    }


def lost_at_once() -> Entry:
    part = figures()["game24 samples"]["chains fail"]["step 1"]
    return {
        "paper": {"figure": 3, "around %": papers.LOST_AT["CoT, lost at step 1"]},
        "ours": {"%": rate_of(part), "chains": part["n"], "puzzles": part["problems"]},
    }


def kept_constraint() -> Entry:
    part = figures()["writing"]["constraint"]
    rows = {name: rate_of(part[name]["kept"]) for name in ("IO", "CoT", "ToT")}
    passages = {name: part[name]["kept"]["samples"] for name in rows}
    return {
        "paper": {"section": 4.2, "paragraphs": 4, "says": part["paper"]},
        "ours": {"%": rows, "passages": passages, "inputs": part["IO"]["kept"]["n"]},
    }


def favourite_place() -> Entry:
    votes = figures()["writing"]["votes"]
    share = {what: votes[what]["share of the ballots, by place"] for what in ("plans", "passages")}
    return {
        "paper": {"section": 4.2, "votes": 5, "choices": 5},
        "ours": {
            "first plan %": rate_of(share["plans"]["choice 1"]),
            "fifth plan %": rate_of(share["plans"]["choice 5"]),
            "second passage %": rate_of(share["passages"]["choice 2"]),
            "without a habit %": 20,
            "inputs": share["plans"]["choice 1"]["n"],
        },
    }


# ---------------------------------------------------------------- planning and the poster


EVALUATORS = {name: papers.ONE_JUDGE[name] for name in ("feasibility", "logical consistency")}
MIXES = {
    f"{judge}, {executor}": papers.ROLES["1.5B", judge, executor]
    for judge, executor in (("1.5B", "1.5B"), ("1.5B", "72B"), ("72B", "72B"))
}
WORD, WALK = "pneumonoultramicroscopicsilicovolcanoconiosis", "pneumonoultramicrosiiicovo"  # figure 4
POSTER = {  # our names for four rows of its table
    "Base LM (CoT)": papers.HOTPOTQA["Base LM (CoT)"],
    "ToT DFS": papers.HOTPOTQA["ToT DFS"],
    "ToT best first": papers.HOTPOTQA["ToT best first"],
    "iToT A*": papers.HOTPOTQA["iToT A*"],
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
        "paper": {"claim %": papers.CLAIMED_GAIN, "table": 1, "models": list(papers.ZERO_SHOT)},
        "ours": {
            "zero-shot CoT": gain(papers.ZERO_SHOT, papers.MCTS_PLAN),
            "CoT-Plan": gain(papers.COT_PLAN, papers.MCTS_PLAN),
        },
    }


def by_model() -> Entry:
    gains = {m: round(fmean(papers.MCTS_PLAN[m]) - fmean(papers.COT_PLAN[m]), 1) for m in papers.COT_PLAN}
    return {"paper": {"table": 1, "models": list(papers.COT_PLAN), "version": 3.1}, "ours": {"points": gains}}


def small_and_large() -> Entry:
    alone = fmean(MIXES["1.5B, 1.5B"])
    return {
        "paper": {"section": 3.4, "table": 4, "claim %": 23.87, "models": [1.5, 72]},
        "ours": {name: round(fmean(row) - alone, 2) for name, row in MIXES.items()},
    }


def depth_and_rollouts() -> Entry:
    return {
        "paper": {
            "table": 2,
            "columns": len(papers.DEPTHS) + len(papers.ROLLOUTS),
            "models": [7, 8],
            "CoT-Plan": papers.COT_PLAN["7B"][2],
        },
        "ours": {
            "depths": len(papers.DEPTHS),
            "rollouts": len(papers.ROLLOUTS),
            "best depth, 7B": max(papers.DEPTH_AND_ROLLOUTS["7B"][0]),
            "best rollouts, 8B": dict(zip(papers.ROLLOUTS, papers.DEPTH_AND_ROLLOUTS["8B"][1], strict=True)),
            "rollouts, 7B": {
                n: rate
                for n, rate in zip(papers.ROLLOUTS, papers.DEPTH_AND_ROLLOUTS["7B"][1], strict=True)
                if rate == papers.MCTS_PLAN["7B"][2]  # of table 1
            },
        },
    }


def one_evaluator() -> Entry:
    means = {name: round(fmean(row), 1) for name, row in EVALUATORS.items()}
    return {
        "paper": {"section": 3.3, "table": 3, "models": [7]},
        "ours": {"means": means, "CoT-Plan": round(fmean(papers.COT_PLAN["7B"]), 1)},
    }


def letter_walk() -> Entry:
    """``WALK``: the letters that figure 4 goes through, one by one; where our copy seems to show a j, an i is meant."""
    place = next(i for i, (there, here) in enumerate(zip(WORD, WALK, strict=False)) if there != here)
    right = {"letters of the word": len(WORD), "letters of the walk": len(WALK), "alike at the start": place}
    return {"paper": {"figure": 4, "answer": 2}, "ours": right | {"r in the word": WORD.count("r")}}


def needed(a: float, b: float, *, power: float = 0.8, level: float = 0.05) -> int:
    """Problems for each of two methods, so that a difference of these rates is found with ``power``: about so many, by
    the formula of chapter 11, exercise 4.
    """
    quantile = NormalDist().inv_cdf
    return round((quantile(1 - level / 2) + quantile(power)) ** 2 * (a * (1 - a) + b * (1 - b)) / (a - b) ** 2)


def poster_table() -> Entry:
    two = POSTER["ToT best first"], POSTER["iToT A*"]
    return {
        "paper": {"table": 1, "EM": POSTER},
        "ours": {"problems for each method": needed(*two), "power %": 80, "level %": 5, "rounded": 4000},
    }


# ---------------------------------------------------------------- all of them


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
    "E7": printed({"table": 1, "steps": 1, "section": 4.2, "depth": 2, "intermediate steps": 1, "Game of 24": 3}),
    "E8": printed({"sections": [3, 4.1], "scale": [1, 10]}, ours=SCALE),
    "E9": printed({"references": [10, 11], "year": 1968}),
    "C1": two_gains,
    "C2": table_2,
    "C3": human_study,
    "C4": swapped_models,
    "C5": refined_writing,
    "C6": crosswords,
    "L1": later_run,
    "L2": bill,
    "L3": illegal_beam,
    "L4": lost_at_once,
    "L5": kept_constraint,
    "L6": favourite_place,
    "T1": printed({"section": 4.1, "tables": [2], "best of": 100, "CoT %": 49, "k": 100}),
    "T2": printed({"section": 3, "item": 3}),
    "T3": printed({"section": 4.1, "k": [1, 100]}),
    "T4": printed({**TRANSLATED, "appendix": "B.3"}),
    "I1": poster_table,
    "I2": printed({"algorithms": [1, 2], "lines": [2, 14, 15]}),
    "I3": printed({"algorithms": [1, 2], "lines": [4, 16, 9]}),
    "I4": printed({"algorithm": 2, "lines": [13, 16]}, ours={"exercise": 3}),
    "I5": printed({"algorithms": [1, 2]}, ours={"value at a goal that would be needed": 0}),
    "P1": headline,
    "P2": by_model,
    "P3": small_and_large,
    "P4": depth_and_rollouts,
    "P5": one_evaluator,
    "P6": printed({"section": 2.2}),
    "P7": printed({"section": 3.3}),
    "P8": letter_walk,
    "P9": printed({"section": 2.1, "equation": 2}),
}


if __name__ == "__main__":
    write({name: entry() for name, entry in ENTRIES.items()}, RESULTS)
