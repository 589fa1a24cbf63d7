"""A point for each row: predictions beside what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tot.show.tables import PlainRow

from .plot_style import TEXT_SMALL, method_looks
from .plots import GREY, axes_of, label_of, percent, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
