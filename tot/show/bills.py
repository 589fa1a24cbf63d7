"""Who was paid for what: the cost of a run, or of an experiment, by role and by tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from ..lm.base import TOOL
from ..trace import Trace
from .spend import PriceList, price, spent
from .table import HasLine, Row, Table, table
from .tree import HasTrace, Traced
from .words import line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Source = Traced | Iterable[Row | HasLine | HasTrace]
COUNTS = ("calls", "samples", "prompt_tokens", "completion_tokens")
HEADS = {
    "calls": "calls",
    "samples": "samples",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
    "tool_cost": "tool cost",
    "failed": "failed",
    "dollars": "dollars",
    "share": "share",
}
Bill = dict[str, Any]


def ledger(
    source: Source, by: Sequence[str] = ("method",), *, prices: PriceList | None = None, caption: str = ""
) -> Table:
    """The rows of ``ledger_rows`` as a table, without the columns that hold nothing but 0."""
    rows = ledger_rows(source, by, prices=prices)
    first = [key for key in (rows[0] if rows else ()) if key not in HEADS]
    rare = ("tool_cost", "failed", "dollars")
    shown = [key for key in HEADS if key not in rare or any(row.get(key) for row in rows)]
    shares = [{**row, "share": f"{row['share']:.0%}"} for row in rows]
    of = "dollars" if "dollars" in shown else "tokens"
    heads = {**dict.fromkeys(first, ""), **{key: HEADS[key] for key in shown}, "share": f"of all {of}"}
    return table(shares, {key: head or key for key, head in heads.items()}, caption=caption)


def ledger_rows(
    source: Source, by: Sequence[str] = ("method",), *, prices: PriceList | None = None
) -> list[dict[str, Any]]:
    """What each role and each tool cost; where there are several, a last row "all".

    ``source``: one run (a Trace, Solution or Result), or an experiment: solutions, or lines of a results file. Those
    are grouped by the keys in ``by``, in order of appearance, and the numbers are means per problem. A results line
    knows the tools only together, a solution knows each by its name.

    Dollars are computed from ``prices``; without them they are those that the run was charged, if it had a price.
    "share" is the part of all dollars, or of all tokens where nothing has a price.
    """
    if _is_run(source):
        return _with_shares({}, [_of_run(source, prices)])
    groups: dict[tuple[str, ...], list[dict[str, Bill]]] = {}
    for result in cast("Iterable[Row | HasLine | HasTrace]", source):
        row = result if isinstance(result, Mapping) else result.to_dict() if hasattr(result, "to_dict") else {}
        bills = _of_run(result, prices) if _is_run(result) else _of_line(row, prices)
        groups.setdefault(tuple(line(row.get(key, "")) for key in by), []).append(bills)
    rows = []
    for names, group in groups.items():
        rows += _with_shares(dict(zip(by, names, strict=True)), group)
    return rows


def _is_run(source: Any) -> TypeGuard[Traced]:
    return isinstance(source, Trace) or hasattr(source, "trace")


def _of_run(source: Traced, prices: PriceList | None) -> dict[str, Bill]:
    """who -> bill of one run."""
    bills: dict[str, Bill] = {}
    for row in spent(source, prices):
        bill = bills.setdefault(row["who"], {"role": row["role"]})
        for key in (*COUNTS, "tool_cost", "failed", "dollars"):
            bill[key] = bill.get(key, 0) + row.get(key, 0)
    if prices is None:  # what it was charged, if it was
        trace = source if isinstance(source, Trace) else source.trace
        charged = (trace.result.get("usage") or {}).get("by_role") or {}
        for who, bill in bills.items():
            bill["dollars"] = (charged.get(who) or {}).get("dollars", 0.0)
    return bills


def _of_line(row: Row, prices: PriceList | None) -> dict[str, Bill]:
    """who -> bill of one results line."""
    roles = (row.get("usage") or {}).get("by_role") or {}
    bills = {line(role): {"role": role, **usage, "tool_cost": 0.0, "failed": 0} for role, usage in roles.items()}
    if tools := row.get("tools"):
        bills.setdefault(TOOL, {"role": TOOL}).update(tool_cost=tools["total"], failed=tools["failed"])
    if prices is not None:
        for bill in bills.values():
            bill["dollars"] = price(prices, bill["role"]).of(bill)
    return bills


def _with_shares(names: Mapping[str, str], group: Sequence[Mapping[str, Bill]]) -> list[dict[str, Any]]:
    """Means over the group's problems; who was not asked for a problem cost nothing there."""
    keys = (*COUNTS, "tool_cost", "failed", "dollars")
    everyone = dict.fromkeys(who for bills in group for who in bills)
    rows: list[dict[str, Any]] = [
        {**names, "role": who, **{key: fmean(bills.get(who, {}).get(key, 0) for bills in group) for key in keys}}
        for who in everyone
    ]
    total = {key: sum(row[key] for row in rows) for key in keys}
    money = total["dollars"] > 0
    whole = total["dollars"] if money else total["prompt_tokens"] + total["completion_tokens"]
    if len(rows) > 1:
        rows.append({**names, "role": "all", **total})
    for row in rows:
        part = row["dollars"] if money else row["prompt_tokens"] + row["completion_tokens"]
        row["share"] = part / whole if whole else 0.0
    return rows


def ledger_bars(
    source: Source,
    by: Sequence[str] = ("method",),
    *,
    of: str = "completion_tokens",
    prices: PriceList | None = None,
    xlabel: str = "",
    ax: Axes | None = None,
) -> Figure:
    """One bar for each group, its parts by role and tool: what it cost ``of`` ("dollars", "prompt_tokens" ...)."""
    from .plots import COLOURS, HATCHES, _axes, _name, _pale, _plain

    rows = [row for row in ledger_rows(source, by, prices=prices) if row["role"] != "all"]
    label = {id(row): " ".join(str(row[key]) for key in by if key in row) or "this run" for row in rows}
    bars = list(dict.fromkeys(label.values()))
    figure, ax = _axes(ax, height=1.3 + 0.45 * max(len(bars), 1))
    start = dict.fromkeys(bars, 0.0)
    looks = zip(cycle(COLOURS[:6]), cycle(HATCHES), strict=False)
    for who, (colour, hatch) in zip(dict.fromkeys(row["role"] for row in rows), looks, strict=False):
        mine = [row for row in rows if row["role"] == who]
        at = [label[id(row)] for row in mine]
        ax.barh(
            [-bars.index(name) for name in at], [row[of] for row in mine], left=[start[name] for name in at],
            height=0.6, label=_name(who), color=_pale(colour), edgecolor=colour, hatch=hatch, linewidth=0.9,
        )  # fmt: skip
        for name, row in zip(at, mine, strict=True):
            start[name] += row[of]
    ax.set_yticks([-i for i in range(len(bars))], [_name(name) for name in bars])
    _plain(ax, "x")
    ax.set_xlabel(xlabel or f"{HEADS.get(of, of)} per problem")
    if rows:
        figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure
