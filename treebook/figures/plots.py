"""Plots of many results, with matplotlib, which is imported when one is drawn.

Inputs are lists of plain rows. Each function returns its Figure, to be the last line of a cell: pyplot does not know
the figure, so it is shown once and needs no closing. Methods and states have the colours that ``plot_style`` gives
them in the whole book; markers, dashes and hatches differ as well, for print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tot.show.escaping import count, cut, line, number
from tot.show.style import INK, PARTS
from tot.show.tables import PlainRow
from tot.show.tree import refusing_damage
from tot.stats import Interval
from tot.ties import level, total

from .bills import HEADS, PriceList, Source, ledger_rows
from .labels import Label, Mark, write
from .plot_style import GREY as GREYS
from .plot_style import (
    GRID,
    NEUTRALS,
    PALETTE,
    SOLVED,
    SPACE,
    STEPS,
    TEXT,
    TEXT_SMALL,
    WRONG,
    MethodLook,
    method_look,
    method_looks,
    method_of,
    pale,
)
from .plot_style import MARKERS as MARKERS  # chapters take it from here

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = tuple(light for light, _ in PALETTE)
HATCHES = ("", "///", "...", "\\\\\\", "xx", "--", "oo")
GREY = GREYS[0]
TALL = 4.8  # inches: the height of a figure with many labels
DIRECT = 6  # up to so many lines are named where they are, and not in a legend
# What matplotlib is told before it draws, also for plots that a chapter makes by itself.
SETTINGS: Mapping[str, Any] = MappingProxyType(
    {
        "font.family": "DejaVu Sans",  # ships inside matplotlib
        "font.size": TEXT,
        "axes.titlesize": TEXT,
        "axes.labelsize": TEXT,
        "xtick.labelsize": TEXT_SMALL,
        "ytick.labelsize": TEXT_SMALL,
        "legend.fontsize": TEXT_SMALL,
        "legend.frameon": False,
        "figure.figsize": (6.4, 3.5),
        "figure.constrained_layout.use": True,
        "axes.edgecolor": GREY,
        "axes.labelcolor": INK[0],
        "text.color": INK[0],
        "xtick.color": GREY,
        "ytick.color": GREY,
        "xtick.labelcolor": INK[0],
        "ytick.labelcolor": INK[0],
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.color": GRID[0],
        "grid.linewidth": 0.8,
        "lines.linewidth": 1.6,
        "lines.markersize": 6.0,
        "hatch.linewidth": 0.8,
    }
)


# -------------------------------------------------------------------- what all plots share


def axes_of(ax: Axes | None, height: float = 3.5) -> tuple[Figure, Axes]:
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


def label_of(value: Any) -> str:
    """A short label in which matplotlib sees no mathematics."""
    return cut(line(value), 30).replace("$", r"\$")


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


# -------------------------------------------------------------------- the plots


def success_by_cost(
    rows: Sequence[PlainRow],
    *,
    x: str = "tokens",
    y: str = "rate",
    series: str = "method",
    label: str = "label",
    xlabel: str = "",
    ylabel: str = "solved",
    log: bool = False,
    top: float = 1.0,
    ax: Axes | None = None,
) -> Figure:
    """Success against cost: one line for each ``series``, its points in order of ``x``, with intervals.

    ``rows``: under ``y`` is an ``Interval``, or a number with "low" and "high" beside it. What a row has under
    ``label`` (such as "b=5") is written next to its point. ``log``: costs on a logarithmic axis. ``top``: the rate at
    which the upright axis ends.
    """
    own = ax is None
    figure, ax = axes_of(ax)
    looks = method_looks(str(row.get(series, "")) for row in rows)
    lines: dict[str, list[tuple[float, float]]] = {}
    marks: list[Mark] = []
    texts: list[Label] = []
    for name, look in looks.items():
        points = sorted((row for row in rows if str(row.get(series, "")) == name), key=lambda row: level(row[x]))
        xs, rates = [float(row[x]) for row in points], [rate_of(row, y) for row in points]
        bars = [[r[1] for r in rates], [r[2] for r in rates]]
        ax.errorbar(
            xs, [r[0] for r in rates], yerr=bars, label=label_of(name), color=look.colour[0], marker=look.marker,
            linestyle=look.linestyle, markersize=6, capsize=2.5, linewidth=1.6, elinewidth=0.9,
            **(hollow() if look.hollow else {}),
        )  # fmt: skip
        lines[name] = [(at, r[0]) for at, r in zip(xs, rates, strict=True)]
        marks += [Mark(at, *r) for at, r in zip(xs, rates, strict=True)]
        said = [label_of(row[label]) if row.get(label) else "" for row in points]
        texts += [Label(text, (place,), look.colour[0]) for text, place in zip(said, lines[name], strict=True) if text]
    if log:
        logarithmic(ax)
    elif rows:
        most = max(float(row[x]) for row in rows) or 1.0
        left = -0.03 * most if any(float(row[x]) == 0 for row in rows) else 0.0  # a marker at 0 is not cut in half
        ax.set_xlim(left, 1.12 * most)  # room for the last label
    ax.set_ylim(-0.03 * top, 1.03 * top)
    percent(ax)
    tidy_up(ax, "both")
    ax.set_xlabel(xlabel or f"{x.replace('_', ' ')} per problem")
    ax.set_ylabel(ylabel)
    direct = own and 1 < len(looks) <= DIRECT
    names = [
        Label(label_of(name), tuple(reversed(lines[name])), look.colour[0], bold=True) for name, look in looks.items()
    ]
    for height in (figure.get_figheight(), TALL) if direct else ():
        figure.set_figheight(height)
        if write(figure, ax, names + texts, marks, list(lines.values())) is not None:
            return figure
    if len(looks) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=TEXT_SMALL)
    write(figure, ax, texts, marks, list(lines.values()), must=True)
    return figure


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
    other = MethodLook("", (NEUTRALS[1] if any(method_of(str(key)) for key in places) else PALETTE[0]), "o")
    for row in rows:
        (rate, down, up), at = rate_of(row, y), places[row[name]]
        look = method_look(str(row[name])) if method_of(str(row[name])) else other
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
    ax.set_ylim(min(places.values(), default=0) - 0.6, 0.7)
    ax.set_xlim(-0.02, 1.02)
    percent(ax, "x")
    tidy_up(ax, "x")
    ax.set_xlabel(xlabel)
    if references:
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(len(handles), 3), frameon=False, fontsize=TEXT_SMALL
        )
    return figure


def differences(
    groups: Mapping[str, Mapping[str, Interval]], *, xlabel: str = "problems more, of a hundred", ax: Axes | None = None
) -> Figure:
    """Paired differences of two rates with their intervals, in points of a hundred: one group of rows for each rival.

    ``groups``: {rival: {method: difference}}. Colour says on which side of zero the interval lies; grey, that it holds
    zero. Each row's numbers stand at its right.
    """
    rows: list[tuple[str, Interval | None]] = []
    for rival, gains in groups.items():
        rows += [(f"minus {rival}", None), *gains.items()]
    if ax is None:
        figure = new_figure(3.7, 0.7 + 0.25 * max(len(rows), 1))
        ax = figure.add_subplot()
    else:
        figure, ax = axes_of(ax)
    for at, (_, gain) in enumerate(rows):
        if gain is None:
            continue
        mean, low, high = (100 * end for end in (gain.rate, gain.low, gain.high))
        colour = SOLVED[0] if low > 0 else WRONG[0] if high < 0 else GREY
        inside = SPACE[0] if low <= 0 <= high else colour
        ax.errorbar(
            [mean], [at], xerr=[[mean - low], [high - mean]], fmt="o", capsize=3, color=colour, markerfacecolor=inside
        )
        says = f"{mean:+.0f} [{low:.0f}, {high:.0f}]".replace("-", "\N{MINUS SIGN}")
        ax.text(1.02, at, says, transform=ax.get_yaxis_transform(), va="center", fontsize=TEXT_SMALL)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set_yticks(range(len(rows)), [label_of(name) for name, _ in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    for tick, (_, gain) in zip(ax.get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if gain is None else "normal")
    tidy_up(ax, "x")
    ax.set_xlabel(xlabel)
    return figure


def _counted(row: PlainRow, y: str) -> str:
    n = row.get("n", row[y].n if isinstance(row[y], Interval) else None)
    errors = f", {count(row['errors'], 'error')}" if row.get("errors") else ""
    return "" if n is None else f"  (n={n}{errors})"


def failures(
    rows: Sequence[PlainRow],
    *,
    step: str = "step",
    name: str = "method",
    n: str = "count",
    order: Sequence[str] | None = None,
    xlabel: str = "samples",
    ax: Axes | None = None,
) -> Figure:
    """The step at which samples fail: one stacked bar for each method, one part for each step: grey where
    samples are lost, from dark to pale, green where they are "solved".

    ``rows``: for example {"method": "cot", "step": "step 1", "count": 57}; rows with the same method and step are added
    up. ``order``: the steps from left to right (None: as they appear). Parts show their counts.
    """
    figure, ax = axes_of(ax, height=1.6 + 0.5 * max(len({row[name] for row in rows}), 1))
    names = list(dict.fromkeys(row[name] for row in rows))
    steps = list(order or dict.fromkeys(str(row[step]) for row in rows))
    counts: dict[tuple[Any, str], list[float]] = {}
    for row in rows:
        counts.setdefault((row[name], str(row[step])), []).append(float(row[n]))
    sums = {key: total(each) for key, each in counts.items()}
    whole = {one: total(v for (key, _), v in sums.items() if key == one) for one in names}
    start = dict.fromkeys(names, 0.0)
    for part, (colour, ink, hatch) in _steps(steps).items():
        lengths = [100 * sums.get((one, part), 0.0) / (whole[one] or 1.0) for one in names]
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
    ax.set_xlim(0, 100)
    ax.xaxis.set_major_formatter("{x:.0f}%")
    tidy_up(ax, "x")
    ax.set_xlabel(xlabel)
    if steps:
        figure.legend(loc="outside lower center", ncols=min(len(steps), 3), frameon=False, fontsize=TEXT_SMALL)
    return figure


def _steps(steps: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """(fill, ink on it, hatch) of each step. States have the book's colours, all others follow from dark to pale."""
    states = {"solved": (SOLVED[0], SPACE[0], ""), "wrong": (WRONG[0], SPACE[0], "")}
    lost = [step for step in steps if step not in states]
    looks = dict(states)
    for i, step in enumerate(lost):
        colour = STEPS[i % len(STEPS)][0]
        looks[step] = colour, (SPACE if i % len(STEPS) < 2 else INK)[0], HATCHES[i // len(STEPS) % len(HATCHES)]
    return {step: looks[step] for step in steps}


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
        ax.set_xlabel("rollouts")
        ax.set_title(name, fontsize=TEXT)
        tidy_up(ax, "both")
        if log:
            logarithmic(ax)
    left.set_ylim(-0.03, 1.03)
    percent(left)
    if children:
        figure.legend(loc="outside lower center", ncols=min(len(children), 6), frameon=False)
    return figure


@refusing_damage
def ledger_bars(
    source: Source,
    by: Sequence[str] = ("method",),
    *,
    of: str = "completion_tokens",
    prices: PriceList | None = None,
    xlabel: str = "",
    ax: Axes | None = None,
) -> Figure:
    """What each group cost, as one bar with a part for each role and tool. ``of``: a column of ``show.ledger_rows``,
    such as "dollars" or "prompt_tokens". ``source``, ``by`` and ``prices``: see there.
    """
    rows = [row for row in ledger_rows(source, by, prices=prices) if row["role"] != "all"]
    label = {id(row): " ".join(str(row[key]) for key in by if key in row) or "this run" for row in rows}
    bars = list(dict.fromkeys(label.values()))
    figure, ax = axes_of(ax, height=1.3 + 0.45 * max(len(bars), 1))
    start = dict.fromkeys(bars, 0.0)
    looks = zip(cycle(light for light, _ in PARTS), cycle(HATCHES), strict=False)
    for who, (colour, hatch) in zip(dict.fromkeys(row["role"] for row in rows), looks, strict=False):
        mine = [row for row in rows if row["role"] == who]
        at = [label[id(row)] for row in mine]
        ax.barh(
            [-bars.index(name) for name in at], [row[of] for row in mine], left=[start[name] for name in at],
            height=0.6, label=label_of(who), color=pale(colour), edgecolor=colour, hatch=hatch, linewidth=0.9,
        )  # fmt: skip
        for name, row in zip(at, mine, strict=True):
            start[name] += row[of]
    ax.set_yticks([-i for i in range(len(bars))], [label_of(name) for name in bars])
    tidy_up(ax, "x")
    ax.set_xlabel(xlabel or f"{HEADS.get(of, of)} per problem")
    if rows:
        figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=TEXT_SMALL)
    return figure
