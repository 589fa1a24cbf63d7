"""Where one method gains over another: points on two axes, with the border between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tot.show.style import INK
from tot.show.tables import PlainRow
from tot.stats import Interval

from .plot_style import PALETTE, SPACE, TEXT_SMALL
from .plots import GREY, axes_of, label_of, legend_below, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AHEAD, BEHIND, MARKED = (light for light, _ in (PALETTE[0], PALETTE[1], PALETTE[5]))
LEAST, MOST = 4.0, 17.0  # diameters of a point, in points: no gain, and a gain of 1


def gains(
    rows: Sequence[PlainRow],
    *,
    x: str,
    y: str,
    border: Mapping[str, Sequence[float]] | None = None,
    marks: Mapping[str, tuple[float, float]] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    names: tuple[str, str] = ("ahead", "behind"),
    log: bool = False,
) -> Figure:
    """A point for each row at (``x``, ``y``), whose area grows with its "gain", an ``Interval`` of a difference.

    Blue circles: the interval lies above 0; orange squares: below 0; small grey rings: it holds 0, and nothing can be
    told. ``border``: lists under "x", "y", "low" and "high": a line and its band; values outside the picture are cut
    off. ``marks``: name -> place of something that is no row. ``names``: of ahead and behind, for the legend. ``log``:
    ``x`` on a logarithmic axis. Raises ValueError without rows, and for a gain without an interval.
    """
    if not rows:
        raise ValueError("nothing to draw: pass at least one row")
    if strange := [row["gain"] for row in rows if not isinstance(row["gain"], Interval)]:
        raise ValueError(f"'gain' must be an Interval, not {strange[0]!r}")
    figure, ax = axes_of(height=4.6)
    looks = (
        ("o", SPACE[0], GREY, "cannot be told", [row for row in rows if row["gain"].low <= 0 <= row["gain"].high]),
        ("o", AHEAD, AHEAD, names[0], [row for row in rows if row["gain"].low > 0]),
        ("s", BEHIND, BEHIND, names[1], [row for row in rows if row["gain"].high < 0]),
    )
    if border is not None:
        ax.fill_between(border["x"], border["low"], border["high"], color=GREY, alpha=0.22, linewidth=0, label="95%")
        ax.plot(border["x"], border["y"], color=INK[0], linewidth=1.6, label="border")
    for marker, fill, edge, name, group in looks:
        for i, row in enumerate(group):
            size = LEAST if edge == GREY else LEAST + (MOST - LEAST) * min(1.0, abs(row["gain"].rate)) ** 0.5
            ax.plot(
                [float(row[x])], [float(row[y])], marker, markersize=size, markerfacecolor=fill, markeredgecolor=edge,
                alpha=0.85, linestyle="none", label=name if i == 0 else None, zorder=3,
            )  # fmt: skip
    for name, (at_x, at_y) in (marks or {}).items():
        ax.plot([at_x], [at_y], "*", markersize=15, color=MARKED, markeredgecolor=INK[0], zorder=4)
        ax.annotate(
            label_of(name), (at_x, at_y), (10, -1), textcoords="offset points", ha="left", va="center",
            fontsize=TEXT_SMALL,
        )  # fmt: skip
    if log:
        ax.set_xscale("log")
    xs, ys = ([float(row[key]) for row in rows] for key in (x, y))
    xs += [at for at, _ in (marks or {}).values()]
    room = (max(xs) / min(xs)) ** 0.07 if log else 0.06 * (max(xs) - min(xs)) or 0.05
    ax.set_xlim((min(xs) / room, max(xs) * room) if log else (min(xs) - room, max(xs) + room))
    high = 0.06 * (max(ys) - min(ys)) or 0.05
    ax.set(ylim=(min(ys) - high, max(ys) + high), xlabel=xlabel or x, ylabel=ylabel or y)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    tidy_up(ax, "both")
    legend_below(figure, 5)
    return figure
