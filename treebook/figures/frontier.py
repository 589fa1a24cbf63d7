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

    A rate is an ``Interval``. What no other point dominates stands on the frontier (see ``front``), with intervals, and
    its name is beside its best point; a point that costs up to ``slack`` times as much as a better one does not. A dark
    line joins the points of the ``plain`` strategy. All others are small grey squares without a name. ``height``: of a
    panel, in inches. Raises ValueError without panels.
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
        for name, some in places.items():
            look = {"color": INK[0], "linestyle": "-"} if name == plain else {"color": GREY, "linestyle": "none"}
            ax.plot(*zip(*some, strict=True), marker="s", markersize=3.5, linewidth=1.1, **look)
        top = min(1.0, 1.15 * max(rate.high for rate in rates))
        ax.set(ylim=(-0.04 * top, 1.06 * top), ylabel="solved", xlabel="tokens per problem")
        ax.set_title(title, fontsize=TEXT, loc="left")
        logarithmic(ax)
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        percent(ax)
        tidy_up(ax, "both")
        ax.set_xlim(right=1.7 * max(row["tokens"] for row in rows))
        leaders = {row["strategy"]: (row["tokens"], row["rate"].rate) for row in best}
        named = {name: (place,) for name, place in leaders.items() if name != plain}
        texts = [Label(label_of(name), at, CHOSEN[0], bold=True) for name, at in named.items()]
        if plain in places:
            texts.append(Label(label_of(plain), tuple(reversed(places[plain])), INK[0], bold=True))
        marks = [Mark(row["tokens"], row["rate"].rate) for row in rows if row not in best]
        marks += [Mark(x, y, *bar) for (x, y), bar in zip(steps, zip(*bars, strict=True), strict=True)]
        corners = [point for (a, b), (c, d) in pairwise(steps) for point in ((a, b), (c, b), (c, d))]
        write(figure, ax, texts, marks, [corners, places.get(plain, [])], must=True)
    return figure


def _beaten(row: PlainRow, other: PlainRow, slack: float) -> bool:
    return bool(other["rate"].rate > row["rate"].rate and other["tokens"] <= slack * row["tokens"])
