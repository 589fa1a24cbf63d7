"""Success against cost: which methods of an experiment are efficient (the Pareto front), and which are dominated."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from tot.show.tables import PlainRow
from tot.ties import level

from .labels import Label, Mark, write
from .looks import CHOSEN
from .plot_style import METHODS, SPACE
from .plots import GREY, axes_of, label_of, legend_below, logarithmic, percent, rate_of, tidy_up

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def front(rows: Iterable[PlainRow], x: str = "tokens", y: str = "rate") -> list[PlainRow]:
    """The efficient rows, cheapest first: those that no other row dominates.

    A row is dominated if another costs no more and succeeds no less often, and is better in one of the two. Of equal
    rows all stay. Only the estimates decide, not their intervals: with few problems the front is itself uncertain.
    """
    rows = list(rows)
    places = [(level(row[x]), level(getattr(row[y], "rate", row[y]))) for row in rows]
    kept = [
        (cost, rate, i)
        for i, (cost, rate) in enumerate(places)
        if not any(a <= cost and b >= rate and (a, b) != (cost, rate) for a, b in places)
    ]
    return [rows[i] for _, _, i in sorted(kept)]


def pareto(
    rows: Iterable[PlainRow],
    *,
    x: str = "tokens",
    y: str = "rate",
    name: str = "method",
    xlabel: str = "",
    ylabel: str = "solved",
    log: bool = False,
    ax: Axes | None = None,
) -> Figure:
    """Success against cost, with intervals. The efficient methods are joined by a line; dominated ones are grey.

    ``rows``: with an ``Interval`` under ``y``, or a number with "low" and "high" beside it. Methods that use the gold
    answer are hollow, are not on the front and dominate no other: those with "gold" in their name, or where "gold" is
    set. A row without a rate is left out. ``log``: costs on a logarithmic axis.
    """

    def mark(row: PlainRow) -> Mark:
        return Mark(float(row[x]), *rate_of(row, y))

    plain = [row for row in rows if row.get(y) is not None]
    with_gold = [row for row in plain if row.get("gold", "gold" in str(row.get(name, "")))]
    honest = [row for row in plain if not any(row is other for other in with_gold)]
    best = front(honest, x, y)
    behind = [row for row in honest if not any(row == other for other in best)]
    figure, ax = axes_of(ax, height=4.2)
    kinds = (
        ("dominated", behind, "s", GREY, GREY, 5.0),
        ("needs the gold answer", with_gold, "D", SPACE[0], METHODS["gold"].colour[0], 5.5),
        ("efficient", best, "o", CHOSEN[0], CHOSEN[0], 7.0),
    )
    if log:
        logarithmic(ax)
    for word, group, marker, fill, edge, size in kinds:
        places = [mark(row) for row in group]
        for p in places:
            ax.errorbar([p.x], [p.y], yerr=[[p.down], [p.up]], fmt="none", ecolor=edge, elinewidth=1.0, capsize=2.5)
        if group:
            ax.plot(
                [p.x for p in places], [p.y for p in places], marker, label=word, markersize=size,
                markerfacecolor=fill, markeredgecolor=edge, markeredgewidth=1.3, linestyle="none", zorder=3,
            )  # fmt: skip
    steps = [(p.x, p.y) for p in map(mark, best)]
    if len(steps) > 1:
        ax.plot(*zip(*steps, strict=True), color=CHOSEN[0], linewidth=1.4, drawstyle="steps-post", zorder=1)
    top = min(1.0, 1.12 * max((p.y + p.up for p in map(mark, plain)), default=1.0)) or 1.0
    ax.set_ylim(-0.04 * top, 1.04 * top)
    if plain and not log:
        ax.set_xlim(0, 1.08 * max(float(row[x]) for row in plain) or 1.0)
    percent(ax)
    tidy_up(ax, "both")
    ax.set(xlabel=xlabel or f"{x.replace('_', ' ')} per problem", ylabel=ylabel)
    if plain:
        legend_below(figure, 3)
    shown = [(row, edge) for _, group, _, _, edge, _ in reversed(kinds) for row in reversed(group)]
    marks = [mark(row) for row, _ in shown]
    named = zip(shown, marks, strict=True)
    texts = [Label(label_of(row.get(name, "")), ((p.x, p.y),), edge) for (row, edge), p in named]
    corners = [point for (a, b), (c, d) in pairwise(steps) for point in ((a, b), (c, b), (c, d))]
    write(figure, ax, texts, marks, [corners], must=True)
    return figure
