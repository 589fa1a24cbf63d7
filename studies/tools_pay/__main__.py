"""Run the sweep and write its figures: ``python -m studies.tools_pay``. See the package."""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from math import inf
from pathlib import Path
from statistics import fmean, quantiles

from studies.as_json import as_json
from studies.tool_routes import CALLS, reachable, share
from studies.tools_pay import RESULTS, RUNS, WORLDS
from studies.tools_pay.rules import RULES, weighed
from studies.tools_pay.runs import ERRORS, FAILURES, PRICES, RATES, by_cell, cells, lines_of
from studies.tools_pay.winning import Figures, compare
from studies.tools_pay.worlds import JudgedGrove, guessed, in_order, priced, states, struck_by_area, truths
from treebook.studies.routes import ROUNDS, make_world


def orders(worlds: int) -> Figures:
    """How often each guess puts the better of two in front, pages of one map or states of one tree."""
    found: dict[str, list[float]] = {}
    for number, prices in product(range(worlds), PRICES):
        world = priced(make_world(number), number, prices)
        truth = truths(world)
        near = [v for v, left in enumerate(truth) if left < inf]
        for error in ERRORS["map"]:
            seen = guessed(world, number, error, truth)
            right = in_order([-truth[v] for v in near], [-seen.left(v) for v in near])
            found.setdefault(f"map, {prices} prices, error {error}", []).append(right)
    for number, error in product(range(worlds), ERRORS["tree"]):
        grove = JudgedGrove(number, 0.0, False, error)
        every = states(grove)
        right = in_order([grove.finds(s) for s in every], [grove.judged(s) for s in every])
        found.setdefault(f"tree, error {error}", []).append(right)
    return {key: round(fmean(each), 3) for key, each in found.items()}


def possible(worlds: int) -> Figures:
    """On how many maps there is a way that works."""
    found = {}
    for together, rate in FAILURES:
        maps = (make_world(number) for number in range(worlds))
        struck = [struck_by_area(world, number) if together else world for number, world in enumerate(maps)]
        found[f"{rate:.0%} fail {'together' if together else 'alone'}"] = share([reachable(w, rate) for w in struck])
    return found


def study(runs: Path, worlds: int) -> Figures:
    found = by_cell(lines_of(runs, worlds))
    figures: Figures = {
        "SIMULATED": "no language model: worlds with dials, see studies/tools_pay",
        "date": time.strftime("%Y-%m-%d"),
        "worlds": worlds,
        "seeds": f"0 to {worlds - 1}",
        "most calls on a map": CALLS,
        "most rounds in a tree": ROUNDS,
        "rates": RATES,
        "prices": PRICES,
        "errors": ERRORS,
        "better of two in front": orders(worlds),
        "maps with a way": possible(worlds),
        "smallest difference": {},
        "rules": [weighed(rule, found) for rule in RULES],
        "cells": [{**cell._asdict(), **compare(found[cell])} for cell in cells()],
    }
    for part in ("searchers", "walkers", "trees"):
        every = [cell["smallest"] for cell in figures["cells"] if cell["part"] == part and cell.get("smallest")]
        figures["smallest difference"][part] = [round(x, 3) for x in quantiles(every, n=4)]
    return figures


def as_text(figures: Figures) -> str:
    """JSON with lists of numbers on one line, and a line for each cell."""
    rest = as_json({key: value for key, value in figures.items() if key != "cells"})
    lines = ",\n".join(json.dumps(cell) for cell in figures["cells"])
    return f'{rest[:-2]},\n "cells": [\n{lines}\n]}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--runs", type=Path, default=RUNS, help="a line for each world; delete it to start anew")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    options.runs.parent.mkdir(parents=True, exist_ok=True)
    figures = study(options.runs, options.worlds)
    options.out.write_text(as_text(figures), encoding="utf-8")
    for rule in figures["rules"]:
        counts = ", ".join(f"{name} {rule[name]}" for name in ("holds", "cannot tell", "fails"))
        print(f"{rule['rule']} ({rule['better']} against {rule['other']}): {counts}")
    print(f"SIMULATED; wrote {options.out}")


if __name__ == "__main__":
    main()
