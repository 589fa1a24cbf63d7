"""Who wins where: a map of tiles, coloured by winner, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tot.show.escaping import number
from tot.show.tables import PlainRow

from .looks import FAINT, INK
from .plot_style import PALETTE, TEXT, TEXT_SMALL, pale
from .plots import GREY, label_of, legend_below, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 3  # panels side by side
DOUBT = "cannot tell"


def winners(
    rows: Sequence[PlainRow], *, x: str, y: str, panel: str, names: Sequence[str] = (), xlabel: str, ylabel: str
) -> Figure:
    """Who wins where: one grid of tiles for each ``panel``, ``x`` to the right and ``y`` downwards, in the winner's
    colour and with what the row has under "label" (None: nothing), in up to three lines.

    ``rows``: plain; under "winner" is a name, or None where no winner can be told: that tile is blank, with a dashed
    outline. Settings, panels and winners stand in the order in which they appear. ``names``: who plays, in the order of
    the palette's colours; equal names have equal colours in several pictures.

    Raises ValueError without rows, and for two rows with the same tile.
    """
    from matplotlib.patches import Patch, Rectangle

    if len({(row[panel], row[x], row[y]) for row in rows}) < max(len(rows), 1):
        raise ValueError("winners needs at least one row, and one row at most for a tile")
    panels, xs, ys = (list(dict.fromkeys(row[key] for row in rows)) for key in (panel, x, y))
    players = list(dict.fromkeys([*names, *(row["winner"] for row in rows if row["winner"] is not None)]))
    looks: dict[str | None, dict[str, Any]] = {None: {"fill": False, "edgecolor": GREY, "linestyle": (0, (3, 3))}}
    looks |= {who: {"color": pale(PALETTE[i % len(PALETTE)][0])} for i, who in enumerate(players)}
    down, across = -(-len(panels) // COLUMNS), min(COLUMNS, len(panels))
    figure = new_figure(2.6 * across, down * (0.45 * len(ys) + 0.6) + 0.6)
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for ax in grid.flat:
        ax.set_axis_off()
    for ax, name in zip(grid.flat, panels, strict=False):
        ax.set_axis_on()
        ax.set_title(label_of(name), loc="left", fontweight="bold", fontsize=TEXT)
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0, labelbottom=True)
        for row in (row for row in rows if row[panel] == name):
            i, j, who = xs.index(row[x]), ys.index(row[y]), row["winner"]
            ax.add_patch(Rectangle((i - 0.47, j - 0.46), 0.94, 0.92, clip_on=False, **looks[who]))
            if (label := row.get("label")) is not None:
                said = "\n".join(map(label_of, str(label).split("\n")[:3]))
                ink = (FAINT if who is None else INK)[0]
                ax.text(i, j, said, ha="center", va="center", fontsize=TEXT_SMALL, linespacing=1.0, color=ink)
    grid[0, 0].set_xticks(range(len(xs)), map(_said, xs))
    grid[0, 0].set_yticks(range(len(ys)), map(_said, ys))
    grid[0, 0].set(xlim=(-0.5, len(xs) - 0.5), ylim=(len(ys) - 0.5, -0.5))
    for ax in grid[-1]:
        ax.set_xlabel(label_of(xlabel))
    for ax in grid[:, 0]:
        ax.set_ylabel(label_of(ylabel))
    legend_below(figure, 5, handles=[Patch(label=label_of(who or DOUBT), **looks[who]) for who in [*players, None]])
    return figure


def _said(value: Any) -> str:
    return label_of(value if isinstance(value, str) else number(value))
