"""Plain rules about tools, each with all the cells that speak for it and against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

from studies.figures import Figures, share
from studies.tools_pay.runs import Cell, Runs
from studies.tools_pay.winning import bills, dearer, interval, ratio


@dataclass(frozen=True)
class Rule:
    """``text`` says that agent ``better`` pays less per arrival than ``other`` in the cells that are ``meant``."""

    text: str
    better: str
    other: str
    meant: Callable[[Cell], bool]


RULES = (
    Rule(
        "On a map with equal prices, failures one by one: follow the guess alone.",
        "best-first", "A*", lambda c: c.part == "searchers" and c.prices == "equal" and not c.together,
    ),
    Rule(
        "In a tree with equal prices, failures one by one: the same.",
        "best-first", "A*", lambda c: c.part == "trees" and c.prices == "equal" and not c.together,
    ),
    Rule(
        "On a map with very unequal prices: count the price of the next call.",
        "next price", "best-first", lambda c: c.part == "searchers" and c.prices == "very unequal",
    ),
    Rule(
        "In a tree with very unequal prices: the same.",
        "next price", "best-first", lambda c: c.part == "trees" and c.prices == "very unequal",
    ),
    Rule(
        "On a map, at any prices: leave out what is already paid.",
        "next price", "A*", lambda c: c.part == "searchers",
    ),
    Rule(
        "In a tree with equal prices where branches fail: what is paid is a brake.",
        "A*", "next price", lambda c: c.part == "trees" and c.together and c.prices == "equal",
    ),
    Rule(
        "In a tree where branches fail: charge a failure to its way, too.",
        "D*", "A*", lambda c: c.part == "trees" and c.together,
    ),
    Rule(
        "In a tree where calls fail one by one: do not charge the way.",
        "A*", "D*", lambda c: c.part == "trees" and not c.together and c.rate > 0,
    ),
    Rule(
        "A walker with a map, failures one by one: plan again after a failure.",
        "D* Lite", "plan once", lambda c: c.part == "walkers" and not c.together and c.rate > 0 and c.error == 0,
    ),
    Rule(
        "A walker whom an area of failures does not let out again: give up at once.",
        "plan once", "D* Lite", lambda c: c.part == "walkers" and c.together and c.error == 0,
    ),
    Rule(
        "On a map: try one call at a time, not all calls of a page at once.",
        "A*", "eager A*", lambda c: c.part == "searchers",
    ),
)  # fmt: skip


def weighed(rule: Rule, runs: Mapping[Cell, Runs]) -> Figures:
    """How often the rule holds in its cells, and the cell that speaks most for it, a middle one, and the one that
    speaks most against it.
    """
    cells = [cell for cell in runs if rule.meant(cell)]
    pairs = {cell: (runs[cell][rule.better], runs[cell][rule.other]) for cell in cells}
    told = ["holds" if dearer(b, a) else "fails" if dearer(a, b) else "cannot tell" for a, b in pairs.values()]
    ratios = {cell: ratio(other, better) for cell, (better, other) in pairs.items()}
    by_ratio = sorted(cells, key=lambda cell: inf if ratios[cell][0] is None else ratios[cell][0], reverse=True)
    rows = []
    for cell in (by_ratio[0], by_ratio[len(cells) // 2], by_ratio[-1]):
        row: Figures = {"cell": cell.key, "n": len(pairs[cell][0])}
        for who, mine in zip((rule.better, rule.other), pairs[cell], strict=True):
            row[who] = {"arrived": share([hit for _, hit in mine]), "bill": interval(bills(mine))}
        rows.append(row | {"other bill / better bill": ratios[cell]})
    counts = {name: told.count(name) for name in ("holds", "cannot tell", "fails")}
    return {"rule": rule.text, "better": rule.better, "other": rule.other, **counts, "rows": rows}
