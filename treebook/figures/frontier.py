"""Many strategies in few pictures: success against cost, one panel for each player, and in each the frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tot.show.tables import PlainRow

from .efficiency import front
from .labels import Label, Mark, write
from .looks import CHOSEN, INK
from .plot_style import TEXT
from .plots import GREY, label_of, logarithmic, new_figure, percent, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def frontier(
    panels: Mapping[str, Sequence[PlainRow]], *, plain: str, slack: float = 1.0, height: float = 3.2
) -> Figure:
    """Panels one below the other: title -> rows, each a "strategy", the mean of its "tokens" and its "rate".

    A rate is an ``Interval``. The points of one strategy are joined by a thin grey line, those of the ``plain`` one by
    a dark one. What no other point dominates stands on the frontier (see ``front``), with intervals and names; a point
    that costs up to ``slack`` times as much as a better one does not. The others are named where there is room.
    ``height``: of a panel, in inches. Raises ValueError without panels.
    """
    if not panels:
        raise ValueError("pass at least one panel")
    figure, drawn = new_figure(6.4, height * len(panels)), []
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    for ax, (title, rows) in zip(figure.subplots(len(panels), squeeze=False)[:, 0], panels.items(), strict=True):
        best = [row for row in front(rows) if not any(_beaten(row, other, slack) for other in rows)]
        marks = [
            Mark(row["tokens"], rate.rate, rate.rate - rate.low, rate.high - rate.rate)
            for row in best
            for rate in [row["rate"]]
        ]
        steps = [(mark.x, mark.y) for mark in marks]
        bars = [[mark.down for mark in marks], [mark.up for mark in marks]]
        look = {"fmt": "o", "color": CHOSEN[0], "markersize": 6, "elinewidth": 1.0, "capsize": 2.5, "zorder": 3}
        ax.errorbar(*zip(*steps, strict=True), yerr=bars, **look)
        ax.plot(*zip(*steps, strict=True), color=CHOSEN[0], linewidth=1.4, drawstyle="steps-post", zorder=2)
        places: dict[str, list[tuple[float, float]]] = {}
        for row in sorted(rows, key=lambda row: row["tokens"]):
            places.setdefault(row["strategy"], []).append((row["tokens"], row["rate"].rate))
        leaders = {row["strategy"]: (row["tokens"], row["rate"].rate) for row in best} | {plain: places[plain][-1]}
        texts, others = [], []
        for name, some in places.items():
            ink = INK[0] if name == plain else GREY
            ax.plot(*zip(*some, strict=True), "s-", color=ink, markersize=3.5, linewidth=0.8, alpha=0.8)
            if name in leaders:
                texts.append(Label(label_of(name), (leaders[name],), ink if name == plain else CHOSEN[0], bold=True))
            else:
                others.append(Label(label_of(name), tuple(some[::-1]), ink))
        top = min(1.0, 1.15 * max(mark.y + mark.up for mark in marks))
        ax.set(ylim=(-0.04 * top, 1.06 * top), ylabel="solved", xlabel="tokens per problem")
        ax.set_title(title, fontsize=TEXT, loc="left")
        logarithmic(ax)
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        percent(ax)
        tidy_up(ax, "both")
        corners = [point for (a, b), (c, d) in pairwise(steps) for point in ((a, b), (c, b), (c, d))]
        drawn.append((ax, texts, others, [*marks, *(Mark(*at) for some in places.values() for at in some)], corners))
    for ax, texts, others, marks, corners in drawn:  # when the layout is final
        if write(figure, ax, texts + others, marks, [corners]) is None:
            write(figure, ax, texts, marks, [corners], must=True)
    return figure


def _beaten(row: PlainRow, other: PlainRow, slack: float) -> bool:
    return bool(other["rate"].rate > row["rate"].rate and other["tokens"] <= slack * row["tokens"])
