"""All that draws, by name: a trace as a picture, as a page and as text; figures, tables and plots of many results.

Everything here reads plain data (``tot.trace``, results lines) and returns text that is the same on every machine.
Model output is untrusted: it is escaped, cleaned of control and direction marks, and shortened wherever it is shown.
A name is loaded when it is asked for; those of ``tot.show`` are here, too. Plots need matplotlib when they draw.
"""

from importlib import import_module
from typing import Any

from tot.show import loader

PLACES = {  # module: what it draws
    "tot.show.terminal": "text",
    "tot.show.tree": "Item Picture picture",
    "treebook.explorer.data": "view",
    "treebook.explorer.page": "explorer slowly",
    "treebook.figures.bill": "Bill bill",
    "treebook.figures.blind": "Blind",
    "treebook.figures.bills": "Prices ledger ledger_rows spent",
    "treebook.figures.call_trees": "tool_trees",
    "treebook.figures.centrefold": "Case Centrefold Player",
    "treebook.figures.cost_tables": "mean_costs",
    "treebook.figures.crossword": "board_strip",
    "treebook.figures.drawing": "SVG svg",
    "treebook.figures.gain_map": "Axis GainMap Layer Mark",
    "treebook.figures.page": "HTML",
    "treebook.figures.tables": "Table results_table table",
    "treebook.figures.dials": "Dials",
    "treebook.figures.evidence": "Results results",
    "treebook.figures.efficiency": "front pareto",
    "treebook.figures.frontier": "frontier",
    "treebook.figures.scatter": "predicted",
    "treebook.figures.lanes": "compare",
    "treebook.figures.legend": "legend",
    "treebook.figures.maps": "road_map side_by_side",
    "treebook.figures.one_chain": "chain",
    "treebook.figures.plan_changes": "PlanDiff plan_diff",
    "treebook.figures.predict": "Predict",
    "treebook.figures.rollout_phases": "phases",
    "treebook.figures.search_tables": "tool_calls visit_rows",
    "treebook.figures.slider": "Frames",
    "treebook.figures.tiles": "winners",
    "treebook.figures.transcript": "Transcript transcript",
    "treebook.figures.wrapping": "wrapped",
}
_load = loader(__name__, PLACES)

__all__ = sorted(" ".join(PLACES.values()).split())


def __getattr__(name: str) -> Any:
    return import_module(f"treebook.figures.{name}") if name in ("concepts", "plots") else _load(name)


def __dir__() -> list[str]:
    return [*__all__, "concepts", "plots"]
