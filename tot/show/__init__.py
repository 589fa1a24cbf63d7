"""A trace as a picture, as a page and as plain text; tables and plots of many results.

Everything here reads plain data (``tot.trace``, results lines) and returns text that is the same on every machine.
Model output is untrusted: it is escaped, cleaned of control and direction marks, and shortened wherever it is shown.
``plots``, ``pareto`` and ``ledger_bars`` need matplotlib, once they are used; the rest is the standard library.
"""

from importlib import import_module
from typing import Any

from .board import board, boards
from .compare import compare, compare_rows
from .explorer import explorer
from .frames import Frames, frames
from .html import HTML, html
from .ledger import ledger, ledger_bars, ledger_rows
from .pareto import front, pareto
from .plan_diff import PlanDiff, plan_diff, revision
from .spend import Prices, spent
from .svg import SVG, svg
from .table import Table, cost_table, table
from .text import text
from .tools import open_list, tool_calls
from .tree import Item, Picture, picture
from .view import view
from .visits import phases, visit_rows

__all__ = [
    "HTML",
    "SVG",
    "Frames",
    "Item",
    "Picture",
    "PlanDiff",
    "Prices",
    "Table",
    "board",
    "boards",
    "compare",
    "compare_rows",
    "cost_table",
    "explorer",
    "frames",
    "front",
    "html",
    "ledger",
    "ledger_bars",
    "ledger_rows",
    "open_list",
    "pareto",
    "phases",
    "picture",
    "plan_diff",
    "revision",
    "spent",
    "svg",
    "table",
    "text",
    "tool_calls",
    "view",
    "visit_rows",
]


def __getattr__(name: str) -> Any:
    if name == "plots":
        return import_module(".plots", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
