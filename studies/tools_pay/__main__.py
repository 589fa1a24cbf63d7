"""Run the sweep and write its figures: ``python -m studies.tools_pay``. See the package."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import fmean

from studies.figures import Figures, write
from studies.tools_pay import RESULTS, RUNS, WORLDS
from studies.tools_pay.rules import RULES, weighed
from studies.tools_pay.runs import ERRORS, by_cell, cells, lines_of
from studies.tools_pay.winning import compare
from studies.tools_pay.worlds import JudgedGrove, in_order, states


def orders(worlds: int) -> Figures:
    """How often a verdict puts the better of two states of one tree in front."""
    found = {}
    for error in ERRORS["tree"]:
        right = []
        for grove in (JudgedGrove(number, 0.0, False, error) for number in range(worlds)):
            every = states(grove)
            right.append(in_order([grove.finds(s) for s in every], [grove.judged(s) for s in every]))
        found[f"tree, error {error}"] = round(fmean(right), 3)
    return found


def study(runs: Path, worlds: int) -> Figures:
    found = by_cell(lines_of(runs, worlds))
    return {
        "SIMULATED": "no language model: worlds with dials, see studies/tools_pay",
        "date": time.strftime("%Y-%m-%d"),
        "worlds": worlds,
        "errors": ERRORS,
        "better of two in front": orders(worlds),
        "rules": [weighed(rule, found) for rule in RULES],
        "cells": [{**cell._asdict(), **compare(found[cell])} for cell in cells()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--runs", type=Path, default=RUNS, help="a line for each world; delete it to start anew")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    figures = study(options.runs, options.worlds)
    for rule in figures["rules"]:
        counts = ", ".join(f"{name} {rule[name]}" for name in ("holds", "cannot tell", "fails"))
        print(f"{rule['rule']} ({rule['better']} against {rule['other']}): {counts}")
    print("SIMULATED")
    write(figures, options.out)


if __name__ == "__main__":
    main()
