"""A point for each row: where one method gains over another, and predictions beside what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tot.show.tables import PlainRow
from tot.stats import Interval

from .looks import INK
from .plot_style import PALETTE, SPACE, TEXT_SMALL, method_looks
from .plots import GREY, axes_of, label_of, legend_below, percent, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AHEAD, BEHIND, MARKED = (light for light, _ in (PALETTE[0], PALETTE[1], PALETTE[5]))
LEAST, MOST = 4.0, 17.0  # diameters of a point, in points: no gain, and a gain of 1


def predicted(rows: Sequence[PlainRow], *, y: str, xlabel: str) -> Figure:
    """Points at what was "predicted" and at ``y``, shares from 0 to 1, and the diagonal, where the two are equal.

    Rows of the same "kind" have one colour and marker. Above the diagonal: more than was predicted. Raises
    ValueError without rows.
    """
    figure, ax = axes_of(height=4.2)
    top = 1.05 * max(float(row[key]) for row in rows for key in ("predicted", y)) or 1.0
    ax.plot([0, top], [0, top], color=GREY, linewidth=1.0)
    looks = method_looks(str(row["kind"]) for row in rows)
    for name, look in looks.items():
        places = [[float(row[key]) for row in rows if str(row["kind"]) == name] for key in ("predicted", y)]
        ax.plot(
            *places, look.marker, color=look.colour[0], linestyle="none", markersize=6, alpha=0.85,
            label=label_of(name),
        )  # fmt: skip
    percent(ax)
    percent(ax, "x")
    tidy_up(ax, "both")
    ax.set(xlabel=xlabel, ylabel=y)
    if len(looks) > 1:
        ax.legend(frameon=False, fontsize=TEXT_SMALL)
    return figure


def gains(
    rows: Sequence[PlainRow],
    *,
    x: str,
    y: str,
    xlabel: str,
    ylabel: str,
    names: tuple[str, str],
    border: Mapping[str, Sequence[float]],
    marks: Mapping[str, tuple[float, float]] | None = None,
    log: bool = False,
) -> Figure:
    """Points at (``x``, ``y``), whose area grows with a row's "gain", an ``Interval`` of a difference.

    Blue circles: the interval lies above 0; orange squares: below 0; small grey rings: it holds 0, and nothing can be
    told. In rows with a "p" this decides: rings are those of at least 0.05. ``names``: of ahead and behind, for the
    legend. ``border``: lists under "x", "y", "low" and "high": a line and its band; values outside the picture are cut
    off. ``marks``: name -> place of something that is no row. ``log``: ``x`` on a logarithmic axis. Raises ValueError
    without rows.
    """
    figure, ax = axes_of(height=4.6)
    told = [row for row in rows if (row["p"] < 0.05 if "p" in row else not row["gain"].low <= 0 <= row["gain"].high)]
    looks = (
        ("o", SPACE[0], GREY, "cannot be told", [row for row in rows if row not in told]),
        ("o", AHEAD, AHEAD, names[0], [row for row in told if row["gain"].rate > 0]),
        ("s", BEHIND, BEHIND, names[1], [row for row in told if row["gain"].rate < 0]),
    )
    ax.fill_between(border["x"], border["low"], border["high"], color=GREY, alpha=0.22, linewidth=0, label="95%")
    ax.plot(border["x"], border["y"], color=INK[0], linewidth=1.6, label="border")
    for marker, fill, edge, name, group in looks:
        for i, row in enumerate(group):
            gain: Interval = row["gain"]
            size = LEAST if edge == GREY else LEAST + (MOST - LEAST) * min(1.0, abs(gain.rate)) ** 0.5
            ax.plot(
                [float(row[x])], [float(row[y])], marker, markersize=size, markerfacecolor=fill, markeredgecolor=edge,
                alpha=0.85, linestyle="none", label=name if i == 0 else None, zorder=3,
            )  # fmt: skip
    for name, place in (marks or {}).items():
        ax.plot(*([at] for at in place), "*", markersize=15, color=MARKED, markeredgecolor=INK[0], zorder=4)
        ax.annotate(
            label_of(name), place, (10, -1), textcoords="offset points", ha="left", va="center", fontsize=TEXT_SMALL
        )
    xs, ys = ([float(row[key]) for row in rows] for key in (x, y))
    xs += [at for at, _ in (marks or {}).values()]
    if log:
        ax.set_xscale("log")
        room = (max(xs) / min(xs)) ** 0.07
        ax.set_xlim(min(xs) / room, max(xs) * room)
    else:
        room = 0.06 * (max(xs) - min(xs)) or 0.05
        ax.set_xlim(min(xs) - room, max(xs) + room)
    high = 0.06 * (max(ys) - min(ys)) or 0.05
    ax.set(ylim=(min(ys) - high, max(ys) + high), xlabel=xlabel, ylabel=ylabel)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    tidy_up(ax, "both")
    legend_below(figure, 5)
    return figure
