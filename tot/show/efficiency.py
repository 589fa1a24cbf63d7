"""Success against cost: which methods of an experiment are efficient (the Pareto front), and which are dominated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from ..experiments.results import Row
from ..ties import level
from .plots import COLOURS, GREY, axes_of, label_of, percent, rate_of, tidy_up
from .tables import PlainRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation


def front(rows: Iterable[PlainRow | Row], x: str = "tokens", y: str = "rate") -> list[dict[str, Any]]:
    """The efficient rows, cheapest first: those that no other row dominates.

    A row is dominated if another costs no more and succeeds no less often, and is better in one of the two. Of equal
    rows all stay. Only the estimates decide, not their intervals: with few problems the front is itself uncertain.
    """
    plain = [_plain(row) for row in rows]
    places = [(level(row[x]), level(getattr(row[y], "rate", row[y]))) for row in plain]
    kept = [
        (cost, rate, i)
        for i, (cost, rate) in enumerate(places)
        if not any(a <= cost and b >= rate and (a, b) != (cost, rate) for a, b in places)
    ]
    return [plain[i] for _, _, i in sorted(kept)]


def pareto(
    rows: Iterable[PlainRow | Row],
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

    ``rows``: those of ``tot.experiments.summarise``, or plain rows with an ``Interval`` under ``y`` (or a number with
    "low" and "high" beside it). Methods that use the gold answer are hollow, are not on the front and dominate no
    other: those with "gold" in their name, or where "gold" is set. A row without a rate is left out. Where there is no
    room for all names beside their points, the points have numbers, and the names are listed to the right. ``log``:
    costs on a logarithmic axis.
    """
    plain = [row for row in map(_plain, rows) if row.get(y) is not None]
    with_gold = [row for row in plain if row.get("gold", "gold" in str(row.get(name, "")))]
    honest = [row for row in plain if not any(row is other for other in with_gold)]
    best = front(honest, x, y)
    behind = [row for row in honest if not any(row == other for other in best)]
    own = ax is None
    figure, ax = axes_of(ax, height=4.2)
    kinds = (
        ("dominated", behind, "s", GREY, GREY, 5.0),
        ("needs the gold answer", with_gold, "D", "white", COLOURS[1], 5.5),
        ("efficient", best, "o", COLOURS[0], COLOURS[0], 7.0),
    )
    if log:
        ax.set_xscale("log")
    for word, group, marker, fill, edge, size in kinds:
        places = [(float(row[x]), *rate_of(row, y)) for row in group]
        for at, rate, down, up in places:
            ax.errorbar([at], [rate], yerr=[[down], [up]], fmt="none", ecolor=edge, elinewidth=1.0, capsize=2.5)
        if group:
            ax.plot(
                [p[0] for p in places], [p[1] for p in places], marker, label=word, markersize=size,
                markerfacecolor=fill, markeredgecolor=edge, markeredgewidth=1.3, linestyle="none", zorder=3,
            )  # fmt: skip
    steps = [(float(row[x]), rate_of(row, y)[0]) for row in best]
    if len(steps) > 1:
        ax.plot(*zip(*steps, strict=True), color=COLOURS[0], linewidth=1.4, drawstyle="steps-post", zorder=1)
    highs = [rate + up for rate, _, up in (rate_of(row, y) for row in plain)]
    top = min(1.0, 1.12 * max(highs, default=1.0)) or 1.0
    ax.set_ylim(-0.04 * top, 1.04 * top)
    if plain and not log:
        ax.set_xlim(0, 1.08 * max(float(row[x]) for row in plain) or 1.0)
    percent(ax)
    tidy_up(ax, "both")
    ax.set_xlabel(xlabel or f"{x.replace('_', ' ')} per problem")
    ax.set_ylabel(ylabel)
    if plain:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    texts = [
        (label_of(row.get(name, "")), float(row[x]), *rate_of(row, y), edge)
        for _, g, _, _, edge, _ in kinds
        for row in g
    ]
    _label(figure, ax, texts[::-1], steps, own)
    return figure


def _plain(row: PlainRow | Row) -> dict[str, Any]:
    """A row of ``tot.experiments.summarise`` as a plain one."""
    if isinstance(row, Row):
        plain = {f.name: getattr(row, f.name) for f in fields(row)}
        return {"method": row.label, "rate": row.correct, **plain}
    return dict(row)


# -------------------------------------------------------------------- labels

RINGS = (7.0, 13.0, 20.0, 30.0, 42.0)  # points from a mark to its label
NEAR = RINGS[2]
Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels
Text = tuple[str, float, float, float, float, str]  # label, x, rate, down, up, colour


def _label(figure: Figure, ax: Axes, texts: Sequence[Text], steps: Sequence[tuple[float, float]], own: bool) -> None:
    """Write each label beside its point, where it covers no mark, no interval and no other label; if possible not the
    front, either. A label that is far from its point is joined to it by a thin line. ``own``: the figure was made here,
    so it may grow if the names have to be listed to the right.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas, measured = figure.canvas, FigureCanvasAgg(figure)  # only Agg can measure texts
    figure.draw_without_rendering()
    notes = [_note(ax, text) for text in texts]
    if not _arrange(figure, ax, texts, notes, measured, steps):
        order = sorted(range(len(texts)), key=lambda i: (texts[i][1], -texts[i][2]))
        for n, i in enumerate(order, 1):
            notes[i].set_text(str(n))
        _key(figure, [(f"{n}  {texts[i][0]}", texts[i][5]) for n, i in enumerate(order, 1)])
        if own:
            figure.set_size_inches(8.8, max(figure.get_figheight(), 1.2 + 0.17 * len(texts)))
        figure.draw_without_rendering()
        _arrange(figure, ax, texts, notes, measured, steps, must=True)
    figure.set_canvas(canvas)


def _note(ax: Axes, text: Text) -> Annotation:
    note = ax.annotate(text[0], text[1:3], xytext=(0, 0), textcoords="offset points", fontsize=8, color=text[5])
    note.set_in_layout(False)
    return note


def _key(figure: Figure, lines: Sequence[tuple[str, str]]) -> None:
    """The names for the numbers at the points, to the right of the axes."""
    from matplotlib.lines import Line2D

    figure.legend(
        handles=[Line2D([], [], linestyle="none", label=text) for text, _ in lines], fontsize=8, handlelength=0,
        labelcolor=[colour for _, colour in lines], loc="outside right upper", frameon=False, handletextpad=0,
    )  # fmt: skip


def _arrange(
    figure: Figure,
    ax: Axes,
    texts: Sequence[Text],
    notes: Sequence[Annotation],
    canvas: FigureCanvasAgg,
    steps: Sequence[tuple[float, float]],
    must: bool = False,
) -> bool:
    """Move the notes to free places. If there are not enough, move none and return False; ``must``: overlap instead."""
    dot = figure.dpi / 72
    inside = ax.get_window_extent()
    taken = [box for text in texts for box in _mark(ax, text, dot)]
    line = _front(ax, steps, dot)
    found: list[tuple[float, Box]] = []
    for text, note in zip(texts, notes, strict=True):
        size = note.get_window_extent(canvas.get_renderer())  # type: ignore[no-untyped-call]
        px, py = map(float, ax.transData.transform(text[1:3]))
        spots = _spots(px, py, size.width, size.height, dot)
        within = [s for s in spots if _holds((inside.x0, inside.y0, inside.x1, inside.y1), s[1])]
        free = [s for s in within if not _hits(s[1], taken)]
        clear = [s for s in free if s[0] <= NEAR and not _hits(s[1], line)]
        if not free and not must:
            return False
        found.append((clear or free or within or [(0.0, (px, py, px + size.width, py + size.height))])[0])
        x0, y0, x1, y1 = found[-1][1]
        taken.append((x0 - 2 * dot, y0 - 2 * dot, x1 + 2 * dot, y1 + 2 * dot))
    for text, note, (ring, (x0, y0, x1, y1)) in zip(texts, notes, found, strict=True):
        px, py = map(float, ax.transData.transform(text[1:3]))
        note.set_position(((x0 - px) / dot, (y0 - py) / dot))
        if ring > NEAR:
            ex, ey = ax.transData.inverted().transform((min(max(px, x0), x1), min(max(py, y0), y1)))
            ax.plot([text[1], ex], [text[2], ey], color=text[5], linewidth=0.6, zorder=1, label="_to its label")
    return True


def _spots(px: float, py: float, width: float, height: float, dot: float) -> Iterator[tuple[float, Box]]:
    """Places for a box around a point, as (distance, box): near ones first, to the right before to the left."""
    for ring in RINGS:
        for turn in (0, 1, -1, 2, -2, 8, 7, -7, 6, -6, 4, -4, 3, -3, 5, -5):  # sixteenths of a whole turn
            dx, dy = cos(turn * pi / 8), sin(turn * pi / 8)
            x = px + ring * dot * dx + (0 if dx > 0.1 else -width if dx < -0.1 else -width / 2)
            y = py + ring * dot * dy - height / 2 + height / 2 * dy
            yield ring, (x, y, x + width, y + height)


def _mark(ax: Axes, text: Text, dot: float) -> Iterator[Box]:
    """A point and its interval as boxes."""
    _, x, rate, down, up, _ = text
    (px, py), (_, low), (_, high) = ax.transData.transform([(x, rate), (x, rate - down), (x, rate + up)]).tolist()
    yield px - 5 * dot, py - 5 * dot, px + 5 * dot, py + 5 * dot
    yield px - 3 * dot, low - dot, px + 3 * dot, high + dot


def _front(ax: Axes, steps: Sequence[tuple[float, float]], dot: float) -> list[Box]:
    """The line of the front as boxes."""
    boxes: list[Box] = []
    for left, right in pairwise(steps):
        (a, b), (c, d) = ax.transData.transform([left, right]).tolist()
        boxes += [(a, b - dot, c, b + dot), (c - dot, min(b, d), c + dot, max(b, d))]
    return boxes


def _holds(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _hits(box: Box, others: Iterable[Box]) -> bool:
    x0, y0, x1, y1 = box
    return any(x0 < c and a < x1 and y0 < d and b < y1 for a, b, c, d in others)
