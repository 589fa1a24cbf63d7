"""Many strategies in few pictures: success against cost, one panel for each player, and in each the frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tot.show.tables import PlainRow

from .efficiency import front
from .looks import CHOSEN, INK
from .plot_style import TEXT, TEXT_SMALL
from .plots import GREY, label_of, logarithmic, new_figure, percent, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE = 0.16  # inches between two names
LEADER = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 1, "shrinkB": 3, "relpos": (0, 0.5)}
THIN: Mapping[str, Any] = {"markersize": 3.5, "linewidth": 0.8, "alpha": 0.8}


def frontier(
    panels: Mapping[str, Sequence[PlainRow]], *, plain: str, slack: float = 1.0, height: float = 3.2
) -> Figure:
    """Panels one below the other: title -> rows, each a "strategy", the mean of its "tokens" and its "rate".

    A rate is an ``Interval``. The points of one strategy are joined by a thin grey line, those of the ``plain`` one by
    a dark one; its name stands at the right, in the order of what the strategies solve for most tokens. What no other
    point dominates stands on the frontier (see ``front``), with intervals, and its name is bold; a point that costs up
    to ``slack`` times as much as a better one does not. ``height``: of a panel, in inches. Raises ValueError without
    panels.
    """
    if not panels:
        raise ValueError("pass at least one panel")
    figure = new_figure(6.8, height * len(panels))
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    for ax, (title, rows) in zip(figure.subplots(len(panels), squeeze=False)[:, 0], panels.items(), strict=True):
        best = [row for row in front(rows) if not any(_beaten(row, other, slack) for other in rows)]
        steps = [(row["tokens"], row["rate"].rate) for row in best]
        rates = [row["rate"] for row in best]
        bars = [[rate.rate - rate.low for rate in rates], [rate.high - rate.rate for rate in rates]]
        look = {"fmt": "o", "color": CHOSEN[0], "markersize": 6, "elinewidth": 1.0, "capsize": 2.5, "zorder": 3}
        ax.errorbar(*zip(*steps, strict=True), yerr=bars, **look)
        ax.plot(*zip(*steps, strict=True), color=CHOSEN[0], linewidth=1.4, drawstyle="steps-post", zorder=2)
        places: dict[str, list[tuple[float, float]]] = {}
        for row in sorted(rows, key=lambda row: row["tokens"]):
            places.setdefault(row["strategy"], []).append((row["tokens"], row["rate"].rate))
        leaders = {row["strategy"] for row in best}
        inks = {name: INK[0] if name == plain else CHOSEN[0] if name in leaders else GREY for name in places}
        for name, some in places.items():
            ax.plot(*zip(*some, strict=True), "s-", color=INK[0] if name == plain else GREY, **THIN)
        top = min(1.0, 1.15 * max(rate.high for rate in rates))
        ax.set(ylim=(-0.04 * top, 1.06 * top), ylabel="solved", xlabel="tokens per problem")
        ax.set_title(title, fontsize=TEXT, loc="left")
        logarithmic(ax)
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        percent(ax)
        tidy_up(ax, "both")
        ends = sorted(((some[-1], name) for name, some in places.items()), key=lambda end: -end[0][1])
        heights = apart([(end[1] / top + 0.04) / 1.1 for end, _ in ends], LINE / (0.75 * height))
        for (end, name), at in zip(ends, heights, strict=True):
            bold = "bold" if inks[name] != GREY else "normal"
            how = {"xycoords": "data", "textcoords": "axes fraction", "va": "center", "fontsize": TEXT_SMALL}
            line = LEADER | {"color": inks[name]}
            ax.annotate(label_of(name), end, (1.04, at), color=inks[name], fontweight=bold, arrowprops=line, **how)
    return figure


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """The heights, highest first, moved as far as names need that stand ``gap`` apart between 0 and 1."""
    found: list[float] = []
    for height in heights:
        found.append(min(height, found[-1] - gap if found else 1.0))
    for i in range(len(found) - 1, -1, -1):
        found[i] = max(found[i], found[i + 1] + gap if i + 1 < len(found) else 0.0)
    return found


def _beaten(row: PlainRow, other: PlainRow, slack: float) -> bool:
    return bool(other["rate"].rate > row["rate"].rate and other["tokens"] <= slack * row["tokens"])
