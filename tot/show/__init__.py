"""A trace as a picture, as a page and as plain text; tables and plots of many results.

Everything here reads plain data (``tot.trace``, results lines) and returns text that is the same on every machine.
Model output is untrusted: it is escaped, cleaned of control and direction marks, and shortened wherever it is shown.
``plots``, ``pareto`` and ``ledger_bars`` need matplotlib when they draw; the rest needs the standard library only.
"""

from treebook.figures import concepts, plots
from treebook.figures.agreements import agreement
from treebook.figures.bills import Prices, ledger, ledger_rows, spent
from treebook.figures.call_trees import tool_trees
from treebook.figures.crossword import board, board_strip, boards
from treebook.figures.decision import Branch, Decision
from treebook.figures.dials import Dials
from .drawing import SVG, svg
from treebook.figures.efficiency import front, pareto
from treebook.explorer.data import view
from treebook.explorer.page import explorer
from treebook.figures.gain_map import gains
from treebook.figures.lanes import compare, compare_rows
from treebook.figures.maps import road_map, side_by_side
from treebook.figures.one_chain import chain
from .page import HTML, html
from treebook.figures.plan_changes import PlanDiff, plan_diff, revision
from treebook.figures.plots import ledger_bars
from treebook.figures.predict import Predict
from treebook.figures.rollout_phases import phases
from treebook.figures.slider import Frames, frames
from .tables import Table, cost_table, open_list, results_table, table, tool_calls, visit_rows
from .terminal import text
from treebook.figures.tiles import winners
from .tree import Item, Picture, picture
from treebook.figures.wrapping import wrapped

__all__ = [
    "HTML",
    "SVG",
    "Branch",
    "Decision",
    "Dials",
    "Frames",
    "Item",
    "Picture",
    "PlanDiff",
    "Predict",
    "Prices",
    "Table",
    "agreement",
    "board",
    "board_strip",
    "boards",
    "chain",
    "compare",
    "compare_rows",
    "concepts",
    "cost_table",
    "explorer",
    "frames",
    "front",
    "gains",
    "html",
    "ledger",
    "ledger_bars",
    "ledger_rows",
    "open_list",
    "pareto",
    "phases",
    "picture",
    "plan_diff",
    "plots",
    "results_table",
    "revision",
    "road_map",
    "side_by_side",
    "spent",
    "svg",
    "table",
    "text",
    "tool_calls",
    "tool_trees",
    "view",
    "visit_rows",
    "winners",
    "wrapped",
]
