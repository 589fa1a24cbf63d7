"""Where one method gains over another: points on two axes, with the border between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tot.show.style import INK
from tot.show.tables import PlainRow
from tot.stats import Interval

from .plot_style import PALETTE, SPACE, TEXT_SMALL
from .plots import GREY, axes_of, label_of, tidy_up

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AHEAD, BEHIND, MARKED = (light for light, _ in (PALETTE[0], PALETTE[1], PALETTE[5]))
LEAST, MOST = 4.0, 17.0  # diameters of a point, in points: no gain, and a gain of 1


def gains(
    rows: Sequence[PlainRow],
    *,
    x: str,
    y: str,
    gain: str = "gain",
    border: Mapping[str, Sequence[float]] | None = None,
    marks: Mapping[str, tuple[float, float]] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    names: tuple[str, str] = ("ahead", "behind"),
    log: bool = False,
    ax: Axes | None = None,
) -> Figure:
    """A point for each row at (``x``, ``y``), whose area grows with its ``gain``, an ``Interval`` of a difference.

    Blue circles: the interval lies above 0; orange squares: below 0; small grey rings: it holds 0, and nothing can be
    told. ``border``: lists under "x", "y", "low" and "high": a line and its band; values outside the picture are cut
    off. ``marks``: name -> place of something that is no row. ``names``: of ahead and behind, for the legend. ``log``:
    ``x`` on a logarithmic axis. Raises ValueError without rows, and for a gain without an interval.
    """
    if not rows:
        raise ValueError("nothing to draw: pass at least one row")
    figure, ax = axes_of(ax, height=4.6)
    groups: dict[str, list[PlainRow]] = {"ahead": [], "behind": [], "open": []}
    for row in rows:
        found = row[gain]
        if not isinstance(found, Interval):
            raise ValueError(f"{gain!r} must be an Interval, not {found!r}")
        groups["ahead" if found.low > 0 else "behind" if found.high < 0 else "open"].append(row)
    looks = {
        "open": ("o", SPACE[0], GREY, "cannot be told"),
        "ahead": ("o", AHEAD, AHEAD, names[0]),
        "behind": ("s", BEHIND, BEHIND, names[1]),
    }
    if border is not None:
        ax.fill_between(border["x"], border["low"], border["high"], color=GREY, alpha=0.22, linewidth=0, label="95%")
        ax.plot(border["x"], border["y"], color=INK[0], linewidth=1.6, label="border")
    for kind, (marker, fill, edge, name) in looks.items():
        for i, row in enumerate(groups[kind]):
            size = LEAST if kind == "open" else LEAST + (MOST - LEAST) * min(1.0, abs(row[gain].rate)) ** 0.5
            ax.plot(
                [float(row[x])], [float(row[y])], marker, markersize=size, markerfacecolor=fill, markeredgecolor=edge,
                alpha=0.85, linestyle="none", label=name if i == 0 else None, zorder=3,
            )  # fmt: skip
    for name, (at_x, at_y) in (marks or {}).items():
        ax.plot([at_x], [at_y], "*", markersize=15, color=MARKED, markeredgecolor=INK[0], zorder=4)
        beside = {
            "xytext": (10, -1),
            "textcoords": "offset points",
            "ha": "left",
            "va": "center",
            "fontsize": TEXT_SMALL,
        }
        ax.annotate(label_of(name), (at_x, at_y), **beside)  # type: ignore[arg-type]
    if log:
        ax.set_xscale("log")
    xs, ys = ([float(row[key]) for row in rows] for key in (x, y))
    xs += [at for at, _ in (marks or {}).values()]
    room = (max(xs) / min(xs)) ** 0.07 if log else 0.06 * (max(xs) - min(xs)) or 0.05
    ax.set_xlim((min(xs) / room, max(xs) * room) if log else (min(xs) - room, max(xs) + room))
    high = 0.06 * (max(ys) - min(ys)) or 0.05
    ax.set_ylim(min(ys) - high, max(ys) + high)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    tidy_up(ax, "both")
    ax.set_xlabel(xlabel or x)
    ax.set_ylabel(ylabel or y)
    figure.legend(loc="outside lower center", ncols=5, frameon=False, fontsize=TEXT_SMALL)
    return figure
