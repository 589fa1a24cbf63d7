"""Plots of many results, with matplotlib, which is imported when one is drawn.

Inputs are lists of plain rows. Each function returns its Figure, to be the last line of a cell: pyplot does not know
the figure, so it is shown once and needs no closing. Methods and states have the colours that ``plot_style`` gives
them in the whole book; markers, dashes and hatches differ as well, for print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tot.show.escaping import count, cut, line, number
from tot.show.tables import PlainRow
from tot.stats import Interval
from tot.ties import level

from .labels import Label, Mark, write
from .looks import INK
from .plot_style import GREY as GREYS
from .plot_style import (
    GRID,
    PALETTE,
    SOLVED,
    SPACE,
    TEXT,
    TEXT_SMALL,
    WRONG,
    method_looks,
    row_looks,
    step_looks,
)
from .plot_style import MARKERS as MARKERS  # chapters take it from here

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = tuple(light for light, _ in PALETTE)
GREY = GREYS[0]
TALL = 4.8  # inches: the height of a figure with many labels
DIRECT = 6  # up to so many lines are named where they are, and not in a legend
# What matplotlib is told before it draws, also for plots that a chapter makes by itself.
SETTINGS: Mapping[str, Any] = MappingProxyType(
    {
        "font.family": "DejaVu Sans",  # ships inside matplotlib
        "figure.figsize": (6.4, 3.5),
        "lines.linewidth": 1.6,
        "lines.markersize": 6.0,
        "grid.color": GRID[0],
        **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), TEXT),
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), TEXT_SMALL),
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK[0]),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), GREY),
        **dict.fromkeys(("axes.linewidth", "grid.linewidth", "hatch.linewidth"), 0.8),
        **dict.fromkeys(("figure.constrained_layout.use", "axes.axisbelow"), True),
        **dict.fromkeys(("legend.frameon", "axes.spines.top", "axes.spines.right"), False),
    }
)


# -------------------------------------------------------------------- what all plots share


def axes_of(ax: Axes | None = None, height: float = 3.5) -> tuple[Figure, Axes]:
    """The figure of ``ax``, and ``ax``; None: a new figure, ``height`` inches high."""
    if ax is not None:
        return ax.get_figure(root=True), ax  # type: ignore[return-value]
    figure = new_figure(6.4, height)
    return figure, figure.add_subplot()


def new_figure(width: float, height: float) -> Figure:
    """An empty figure; sizes in inches. Raises ImportError, saying what to install, without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def rate_of(row: PlainRow, key: str) -> tuple[float, float, float]:
    """(rate, down, up) from an ``Interval`` under ``key``, or from numbers under ``key``, "low" and "high"."""
    value = row[key]
    if isinstance(value, Interval):
        return value.rate, value.rate - value.low, value.high - value.rate
    rate = float(value)
    return rate, max(rate - float(row.get("low", rate)), 0.0), max(float(row.get("high", rate)) - rate, 0.0)


def label_of(value: Any, most: int = 30) -> str:
    """A short label, at most so many characters wide, in which matplotlib sees no mathematics."""
    return cut(line(value), most).replace("$", r"\$")


def percent(ax: Axes, axis: str = "y") -> None:
    """Label the axis "x" or "y" in per cent of 1."""
    from matplotlib.ticker import PercentFormatter

    (ax.yaxis if axis == "y" else ax.xaxis).set_major_formatter(PercentFormatter(1.0, decimals=0))


def logarithmic(ax: Axes) -> None:
    """A logarithmic x axis whose labels are plain numbers: exponents would be too small to read."""
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,g}" if value < 1e6 else f"{value / 1e6:,g}M")


def tidy_up(ax: Axes, grid: str) -> None:
    """No frame at the top and the right; grid lines across the axis ``grid`` ("x", "y" or "both"), behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color=GRID[0], linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)


def legend_below(figure: Figure, columns: int, **more: Any) -> None:
    """A legend below the axes; ``more``: what ``Figure.legend`` takes."""
    figure.legend(loc="outside lower center", ncols=columns, frameon=False, fontsize=TEXT_SMALL, **more)


# -------------------------------------------------------------------- the plots


def success_by_cost(
    rows: Sequence[PlainRow],
    *,
    x: str = "tokens",
    y: str = "rate",
    xlabel: str = "",
    ylabel: str = "solved",
    log: bool = False,
    top: float = 1.0,
) -> Figure:
    """Success against cost: one line for each "method", its points in order of ``x``, with intervals.

    ``rows``: under ``y`` is an ``Interval``, or a number with "low" and "high" beside it. What a row has under
    "label" (such as "b=5") is written next to its point. ``log``: costs on a logarithmic axis. ``top``: the rate at
    which the upright axis ends.
    """
    figure, ax = axes_of()
    looks = method_looks(str(row.get("method", "")) for row in rows)
    lines: dict[str, list[tuple[float, float]]] = {}
    marks: list[Mark] = []
    texts: list[Label] = []
    for name, look in looks.items():
        points = sorted((row for row in rows if str(row.get("method", "")) == name), key=lambda row: level(row[x]))
        xs = [float(row[x]) for row in points]
        found = [Mark(at, *rate_of(row, y)) for at, row in zip(xs, points, strict=True)]
        lines[name] = [(mark.x, mark.y) for mark in found]
        marks += found
        bars = [[mark.down for mark in found], [mark.up for mark in found]]
        ax.errorbar(
            xs, [mark.y for mark in found], yerr=bars, label=label_of(name), color=look.colour[0], marker=look.marker,
            linestyle=look.linestyle, markersize=6, capsize=2.5, linewidth=1.6, elinewidth=0.9,
            **(hollow() if look.hollow else {}),
        )  # fmt: skip
        labelled = [(row["label"], place) for row, place in zip(points, lines[name], strict=True) if row.get("label")]
        texts += [Label(label_of(label), (place,), look.colour[0]) for label, place in labelled]
    if log:
        logarithmic(ax)
    elif rows:
        most = max(float(row[x]) for row in rows) or 1.0
        left = -0.03 * most if any(float(row[x]) == 0 for row in rows) else 0.0  # a marker at 0 is not cut in half
        ax.set_xlim(left, 1.12 * most)  # room for the last label
    ax.set(ylim=(-0.03 * top, 1.03 * top), xlabel=xlabel or f"{x.replace('_', ' ')} per problem", ylabel=ylabel)
    percent(ax)
    tidy_up(ax, "both")
    names = [
        Label(label_of(name), tuple(reversed(lines[name])), look.colour[0], bold=True) for name, look in looks.items()
    ]
    for height in (figure.get_figheight(), TALL) if 1 < len(looks) <= DIRECT else ():
        figure.set_figheight(height)
        if write(figure, ax, names + texts, marks, list(lines.values())) is not None:
            return figure
    if len(looks) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=TEXT_SMALL)
    write(figure, ax, texts, marks, list(lines.values()), must=True)
    return figure


def lines(ax: Axes, series: Mapping[str, Sequence[tuple[float, float]]], **more: Any) -> None:
    """A line through the points of each name, in the look of the method that the name means; the name stands beside it.

    ``more``: what ``Axes.plot`` takes. Set the limits of the axes first: the names find their places within them.
    """
    looks = method_looks(series)
    for name, points in series.items():
        look = looks[name]
        style = {"color": look.colour[0], "marker": look.marker, "linestyle": look.linestyle} | more
        ax.plot(*zip(*points, strict=True), **style)
    labels = [
        Label(label_of(name), tuple(reversed(series[name])), look.colour[0], True) for name, look in looks.items()
    ]
    marks = [Mark(*point) for points in series.values() for point in points]
    figure: Figure = ax.get_figure(root=True)  # type: ignore[assignment]
    write(figure, ax, labels, marks, [list(points) for points in series.values()], must=True)


def hollow() -> dict[str, Any]:
    """What makes a marker hollow: the gold answer picks."""
    return {"markerfacecolor": SPACE[0], "markeredgewidth": 1.4}


def rates(
    rows: Sequence[PlainRow],
    *,
    y: str = "rate",
    name: str = "method",
    references: Mapping[str, Mapping[str, float]] | None = None,
    xlabel: str = "solved",
    digits: int = 0,
    ax: Axes | None = None,
) -> Figure:
    """The rate of each row with its interval, the first row on top. n is that of the row or of its ``Interval``; a row
    with "errors" says how many there were.

    ``references``: what others reported, such as {"paper, GPT-4": {"tot-bfs": 0.74}}: hollow grey markers, named in the
    legend, without an interval because none was given. ``digits``: those after the point of the written rates.
    """
    references = references or {}
    figure, ax = axes_of(ax, height=1.3 + 0.48 * max(len(rows), 1))
    places = {row[name]: -i for i, row in enumerate(rows)}
    looks = row_looks(map(str, places))
    for row in rows:
        (rate, down, up), at, look = rate_of(row, y), places[row[name]], looks[str(row[name])]
        ax.errorbar(
            [rate], [at], xerr=[[down], [up]], fmt=look.marker, color=look.colour[0], markersize=7, capsize=3,
            linewidth=1.6, **(hollow() if look.hollow else {}),
        )  # fmt: skip
        above = {"textcoords": "offset points", "fontsize": TEXT_SMALL}
        # a rate near 0 is written beside the axis, not across it
        above |= {"xytext": (0, 6), "ha": "center"} if rate > 0.03 else {"xytext": (-3, 6), "ha": "left"}
        ax.annotate(f"{rate:.{digits}%}", (rate, at), **above)  # type: ignore[arg-type]
    ours = ax.errorbar([], [], xerr=[], fmt="o", color=GREY, markersize=7, capsize=3, label="measured, 95% interval")
    handles: list[Any] = [ours]
    for (source, numbers), marker in zip(references.items(), cycle(("D", "s", "^", "v")), strict=False):
        known = {key: value for key, value in numbers.items() if key in places}
        handles += ax.plot(
            list(known.values()), [places[key] for key in known], marker, markersize=8, label=label_of(source),
            markerfacecolor="none", markeredgecolor=GREY, markeredgewidth=1.4,
        )  # fmt: skip
    ax.set_yticks([*places.values()], [label_of(row[name]) + _counted(row, y) for row in rows])
    ax.set(xlim=(-0.02, 1.02), ylim=(min(places.values(), default=0) - 0.6, 0.7), xlabel=xlabel)
    percent(ax, "x")
    tidy_up(ax, "x")
    if references:
        legend_below(figure, min(len(handles), 3), handles=handles)
    return figure


def differences(groups: Mapping[str, Mapping[str, Interval]]) -> Figure:
    """Paired differences of two rates with their intervals, in points of a hundred: one group of rows for each rival.

    ``groups``: {rival: {method: difference}}. Colour says on which side of zero the interval lies; grey, that it holds
    zero. Each row's numbers stand at its right.
    """
    rows: list[tuple[str, Interval | None]] = []
    for rival, gains in groups.items():
        rows += [(f"minus {rival}", None), *gains.items()]
    figure = new_figure(6.4, 0.7 + 0.25 * max(len(rows), 1))
    ax = figure.add_subplot()
    for at, (_, gain) in enumerate(rows):
        if gain is None:
            continue
        mean, low, high = (100 * end for end in (gain.rate, gain.low, gain.high))
        colour = SOLVED[0] if low > 0 else WRONG[0] if high < 0 else GREY
        inside, ends = SPACE[0] if low <= 0 <= high else colour, [[mean - low], [high - mean]]
        ax.errorbar([mean], [at], xerr=ends, fmt="o", capsize=3, color=colour, markerfacecolor=inside)
        says = f"{mean:+.0f} [{low:.0f}, {high:.0f}]".replace("-", "\N{MINUS SIGN}")
        ax.text(1.02, at, says, transform=ax.get_yaxis_transform(), va="center", fontsize=TEXT_SMALL)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set_yticks(range(len(rows)), [label_of(name) for name, _ in rows])
    ax.set(ylim=(len(rows) - 0.4, -0.6), xlabel="problems more, of a hundred")
    ax.tick_params(axis="y", length=0)
    for tick, (_, gain) in zip(ax.get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if gain is None else "normal")
    tidy_up(ax, "x")
    return figure


def _counted(row: PlainRow, y: str) -> str:
    n = row.get("n", row[y].n if isinstance(row[y], Interval) else None)
    errors = f", {count(row['errors'], 'error')}" if row.get("errors") else ""
    return "" if n is None else f"  (n={n}{errors})"


def failures(rows: Sequence[PlainRow], *, order: Sequence[str] | None = None, xlabel: str = "samples") -> Figure:
    """The step at which samples fail: one stacked bar for each method, one part for each step: grey where
    samples are lost, from dark to pale, green where they are "solved".

    ``rows``: for example {"method": "cot", "step": "step 1", "count": 57}; rows with the same method and step are added
    up. ``order``: the steps from left to right (None: as they appear). Parts show their counts.
    """
    names = list(dict.fromkeys(row["method"] for row in rows))
    figure, ax = axes_of(height=1.6 + 0.5 * max(len(names), 1))
    steps = list(order or dict.fromkeys(str(row["step"]) for row in rows))
    sums, whole = Counter[tuple[Any, str]](), Counter[Any]()
    for row in rows:
        sums[row["method"], str(row["step"])] += row["count"]
        whole[row["method"]] += row["count"]
    start = dict.fromkeys(names, 0.0)
    for part, (colour, ink, hatch) in step_looks(steps).items():
        lengths = [100 * sums[one, part] / (whole[one] or 1) for one in names]
        ax.barh(
            [-i for i in range(len(names))], lengths, left=[start[one] for one in names], height=0.62,
            label=label_of(part), color=colour, edgecolor=SPACE[0], hatch=hatch, linewidth=1.2,
        )  # fmt: skip
        for i, (one, length) in enumerate(zip(names, lengths, strict=True)):
            if length >= 5:
                said = {"boxstyle": "round,pad=0.15", "facecolor": colour, "edgecolor": "none"}
                at, text = start[one] + length / 2, number(sums[one, part])
                ax.text(at, -i, text, ha="center", va="center", fontsize=TEXT_SMALL, color=ink, bbox=said)
            start[one] += length
    ax.set_yticks([-i for i in range(len(names))], [f"{label_of(one)}  (n={number(whole[one])})" for one in names])
    ax.set(xlim=(0, 100), xlabel=xlabel)
    ax.xaxis.set_major_formatter("{x:.0f}%")
    tidy_up(ax, "x")
    if steps:
        legend_below(figure, min(len(steps), 3))
    return figure


def visits(rows: Sequence[PlainRow], *, log: bool = False) -> Figure:
    """Monte Carlo search over its rollouts: each child's share of the visits (left), and its mean reward (right).

    ``rows``: from ``show.visit_rows``. ``log``: rollouts on a logarithmic axis.
    """
    figure = new_figure(7.2, 3.2)
    left, right = figure.subplots(1, 2)
    children = list(dict.fromkeys(row["node"] for row in rows))
    lines = cycle(("-", "--", ":", "-."))
    for child, colour, style in zip(children, cycle(COLOURS), lines, strict=False):
        mine = [row for row in rows if row["node"] == child]
        for ax, key in ((left, "share"), (right, "mean")):
            there = [(row["rollouts"], row[key]) for row in mine if row[key] is not None]
            label = label_of(mine[0]["thought"]) if ax is left else None
            ax.plot(*zip(*there, strict=True), color=colour, linestyle=style, linewidth=1.8, label=label)
    for ax, name in ((left, "share of the visits"), (right, "mean reward")):
        ax.set(xlabel="rollouts")
        ax.set_title(name, fontsize=TEXT)
        tidy_up(ax, "both")
        if log:
            logarithmic(ax)
    left.set_ylim(-0.03, 1.03)
    percent(left)
    if children:
        figure.legend(loc="outside lower center", ncols=min(len(children), 6), frameon=False)
    return figure
