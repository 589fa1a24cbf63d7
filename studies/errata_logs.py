"""What book/errata.md says about the logs that the authors of Tree of Thoughts published.

The logs themselves are not in the project; ``studies/authors`` replays them where they are, and writes the figures that
are read here. ``ENTRIES`` joins those of ``studies/errata.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studies import papers
from studies.figures import read

FIGURES = Path(__file__).parent / "results" / "authors.json"

Entry = dict[str, Any]


def figures() -> dict[str, Any]:
    return read(FIGURES)


def percent(cell: dict[str, Any], digits: int = 0) -> list[float]:
    """A rate and its interval in per cent."""
    return [round(100 * x, digits) for x in cell["rate"]]


def later_run() -> Entry:
    tree = figures()["game24 tree"]
    success, found = tree["success"], {}
    for name in ("any of five (checked)", "first of five", "chosen without gold", "composed by program"):
        found[name] = success[name]["count"]
    return {
        "paper": {"table": 2, "ToT b=5": papers.GAME24["ToT b=5"], "section": 4.1},
        "ours": {
            "n": success["any of five (checked)"]["n"],
            "any of five, 95 %": percent(success["any of five (checked)"]),
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
    steps = {step: percent(part[f"step {step}"]["illegal"]) for step in (1, 2, 3)}
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
        "ours": {"%": percent(part), "chains": part["n"], "puzzles": part["problems"]},
    }


def kept_constraint() -> Entry:
    part = figures()["writing"]["constraint"]
    rows = {name: percent(part[name]["kept"]) for name in ("IO", "CoT", "ToT")}
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
            "first plan %": percent(share["plans"]["choice 1"]),
            "fifth plan %": percent(share["plans"]["choice 5"]),
            "second passage %": percent(share["passages"]["choice 2"]),
            "without a habit %": 20,
            "inputs": share["plans"]["choice 1"]["n"],
        },
    }


ENTRIES = {
    "L1": later_run,
    "L2": bill,
    "L3": illegal_beam,
    "L4": lost_at_once,
    "L5": kept_constraint,
    "L6": favourite_place,
}
