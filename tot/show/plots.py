"""Plots of many results, with matplotlib, which is imported when one is drawn.

Inputs are lists of plain rows. Each function returns its Figure, to be the last line of a cell (pyplot does not know
it, so it is shown once and never leaks). Colours are those of Okabe and Ito, which colour-blind readers can tell apart;
markers and hatches differ as well, for print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from ..stats import Interval
from .words import cut, line, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = Mapping[str, Any]
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("", "///", "...", "\\\\\\", "xx", "--", "oo")
GREY = "#6b7480"


def _axes(ax: Axes | None, height: float = 3.5) -> tuple[Figure, Axes]:
    if ax is not None:
        return ax.get_figure(root=True), ax  # type: ignore[return-value]
    figure = _figure(6.4, height)
    return figure, figure.add_subplot()


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def _rate(row: Row, key: str) -> tuple[float, float, float]:
    """(rate, down, up) from an ``Interval`` under ``key``, or from numbers under ``key``, "low" and "high"."""
    value = row[key]
    if isinstance(value, Interval):
        return value.rate, value.rate - value.low, value.high - value.rate
    rate = float(value)
    return rate, max(rate - float(row.get("low", rate)), 0.0), max(float(row.get("high", rate)) - rate, 0.0)


def _name(value: Any) -> str:
    """A label that matplotlib does not take for mathematics."""
    return cut(line(value), 30).replace("$", r"\$")


def _pale(colour: str) -> str:
    """Mixed with white, so that hatches and grid lines do not shine through each other."""
    return "#" + "".join(f"{255 - (255 - int(colour[i : i + 2], 16)) * 35 // 100:02x}" for i in (1, 3, 5))


def _percent(ax: Axes, axis: str = "y") -> None:
    from matplotlib.ticker import PercentFormatter

    (ax.yaxis if axis == "y" else ax.xaxis).set_major_formatter(PercentFormatter(1.0, decimals=0))


def _plain(ax: Axes, grid: str) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color="#d5dae0", linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)


def success_by_cost(
    rows: Sequence[Row],
    *,
    x: str = "tokens",
    y: str = "rate",
    series: str = "method",
    label: str = "label",
    xlabel: str = "",
    ylabel: str = "solved",
    log: bool = False,
    ax: Axes | None = None,
) -> Figure:
    """Success against cost: one line for each ``series``, its points in order of ``x``, with intervals.

    ``rows[i][y]`` is an ``Interval``, or a number beside "low" and "high". A row's ``label`` (such as "b=5") is
    written next to its point.
    """
    figure, ax = _axes(ax)
    names = list(dict.fromkeys(row.get(series, "") for row in rows))
    for name, colour, marker in zip(names, cycle(COLOURS), cycle(MARKERS), strict=False):
        points = sorted((row for row in rows if row.get(series, "") == name), key=lambda row: float(row[x]))
        xs, rates = [float(row[x]) for row in points], [_rate(row, y) for row in points]
        bars = [[r[1] for r in rates], [r[2] for r in rates]]
        ax.errorbar(
            xs, [r[0] for r in rates], yerr=bars, label=_name(name), color=colour, marker=marker, markersize=6,
            capsize=3, linewidth=1.4, elinewidth=1.0,
        )  # fmt: skip
        for row, at, rate in zip(points, xs, rates, strict=True):
            if row.get(label) is not None:
                ax.annotate(
                    _name(row[label]),
                    (at, rate[0]),
                    xytext=(6, 5),
                    textcoords="offset points",
                    fontsize=8,
                    color=colour,
                )
    if log:
        ax.set_xscale("log")
    elif rows:
        ax.set_xlim(0, 1.12 * max(float(row[x]) for row in rows) or 1.0)  # room for the last label
    ax.set_ylim(-0.03, 1.03)
    _percent(ax)
    _plain(ax, "both")
    ax.set_xlabel(xlabel or f"{x.replace('_', ' ')} per problem")
    ax.set_ylabel(ylabel)
    if len(names) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9)
    return figure


def rates(
    rows: Sequence[Row],
    *,
    y: str = "rate",
    name: str = "method",
    references: Mapping[str, Mapping[str, float]] | None = None,
    xlabel: str = "solved",
    ax: Axes | None = None,
) -> Figure:
    """A rate with its interval for each named row, the first on top; its n is read from "n" or from the ``Interval``.

    ``references``: what somebody else reported, such as {"paper, GPT-4": {"tot-bfs": 0.74}}: hollow grey markers,
    named in the legend, without an interval because none was given.
    """
    references = references or {}
    figure, ax = _axes(ax, height=1.3 + 0.45 * max(len(rows), 1))
    places = {row[name]: -i for i, row in enumerate(rows)}
    for row in rows:
        rate, down, up = _rate(row, y)
        ax.errorbar(
            [rate],
            [places[row[name]]],
            xerr=[[down], [up]],
            fmt="o",
            color=COLOURS[0],
            markersize=7,
            capsize=4,
            linewidth=1.6,
        )
        ax.annotate(
            f"{rate:.0%}", (rate, places[row[name]]), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=8
        )
    ours = ax.errorbar(
        [], [], xerr=[], fmt="o", color=COLOURS[0], markersize=7, capsize=4, label="measured, 95% interval"
    )
    handles: list[Any] = [ours]
    for (source, numbers), marker in zip(references.items(), cycle(("D", "s", "^", "v")), strict=False):
        known = {key: value for key, value in numbers.items() if key in places}
        handles += ax.plot(
            list(known.values()), [places[key] for key in known], marker, markersize=8, label=_name(source),
            markerfacecolor="none", markeredgecolor=GREY, markeredgewidth=1.4,
        )  # fmt: skip
    ns = {row[name]: row.get("n", row[y].n if isinstance(row[y], Interval) else None) for row in rows}
    ax.set_yticks(
        [*places.values()], [_name(key) + (f"  (n={ns[key]})" if ns[key] is not None else "") for key in places]
    )
    ax.set_ylim(min(places.values(), default=0) - 0.6, 0.7)
    ax.set_xlim(-0.02, 1.02)
    _percent(ax, "x")
    _plain(ax, "x")
    ax.set_xlabel(xlabel)
    if references:
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(len(handles), 3), frameon=False, fontsize=9
        )
    return figure


def failures(
    rows: Sequence[Row],
    *,
    step: str = "step",
    name: str = "method",
    n: str = "count",
    order: Sequence[str] | None = None,
    xlabel: str = "samples",
    ax: Axes | None = None,
) -> Figure:
    """The step at which samples fail: one stacked bar for each method, one part for each step.

    Rows: {"method": "cot", "step": "step 1", "count": 57}; rows of one method and step are added up. ``order``: the
    steps from left to right, else as they appear. Parts are labelled with their numbers and differ in hatching.
    """
    figure, ax = _axes(ax, height=1.6 + 0.5 * max(len({row[name] for row in rows}), 1))
    names = list(dict.fromkeys(row[name] for row in rows))
    steps = list(order or dict.fromkeys(str(row[step]) for row in rows))
    total: dict[tuple[Any, str], float] = {}
    for row in rows:
        key = row[name], str(row[step])
        total[key] = total.get(key, 0.0) + float(row[n])
    whole = {one: sum(v for (key, _), v in total.items() if key == one) for one in names}
    start = dict.fromkeys(names, 0.0)
    for part, colour, hatch in zip(steps, cycle(COLOURS[:6]), cycle(HATCHES), strict=False):
        lengths = [100 * total.get((one, part), 0.0) / (whole[one] or 1.0) for one in names]
        ax.barh(
            [-i for i in range(len(names))], lengths, left=[start[one] for one in names], height=0.62,
            label=_name(part), color=_pale(colour), edgecolor=colour, hatch=hatch, linewidth=0.9,
        )  # fmt: skip
        for i, (one, length) in enumerate(zip(names, lengths, strict=True)):
            if length >= 5:
                said = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
                at = start[one] + length / 2
                ax.text(at, -i, number(total[one, part]), ha="center", va="center", fontsize=8, bbox=said)
            start[one] += length
    ax.set_yticks([-i for i in range(len(names))], [f"{_name(one)}  (n={number(whole[one])})" for one in names])
    ax.set_xlim(0, 100)
    ax.xaxis.set_major_formatter("{x:.0f}%")
    _plain(ax, "x")
    ax.set_xlabel(xlabel)
    if steps:
        figure.legend(loc="outside lower center", ncols=min(len(steps), 3), frameon=False, fontsize=9)
    return figure


def visits(rows: Sequence[Row], *, log: bool = False) -> Figure:
    """Monte Carlo search over its rollouts: each child's share of the visits (left), and its mean reward (right).

    ``rows``: those of ``show.visit_rows``. ``log``: rollouts on a logarithmic axis.
    """
    figure = _figure(7.2, 3.2)
    left, right = figure.subplots(1, 2)
    children = list(dict.fromkeys(row["node"] for row in rows))
    lines = cycle(("-", "--", ":", "-."))
    for child, colour, style in zip(children, cycle(COLOURS), lines, strict=False):
        mine = [row for row in rows if row["node"] == child]
        for ax, key in ((left, "share"), (right, "mean")):
            there = [(row["rollouts"], row[key]) for row in mine if row[key] is not None]
            label = _name(mine[0]["thought"]) if ax is left else None
            ax.plot(*zip(*there, strict=True), color=colour, linestyle=style, linewidth=1.8, label=label)
    for ax, name in ((left, "share of the visits"), (right, "mean reward")):
        ax.set_xlabel("rollouts")
        ax.set_title(name, fontsize=10)
        _plain(ax, "both")
        if log:
            ax.set_xscale("log")
    left.set_ylim(-0.03, 1.03)
    _percent(left)
    if children:
        figure.legend(loc="outside lower center", ncols=min(len(children), 6), frameon=False)
    return figure
