"""Run the sweep and write its figures: ``python -m studies.tools_pay``. See the package."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import fmean

from studies.figures import Figures, write
from studies.options import options
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
    a = options(__doc__, worlds=WORLDS, runs=(RUNS, "a line for each world; delete it to start anew"), out=RESULTS)
    write(study(a.runs, a.worlds), a.out)


if __name__ == "__main__":
    main()
