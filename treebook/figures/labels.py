"""Labels of a plot, written beside what they name, where they cover neither a mark nor each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin
from typing import TYPE_CHECKING

from tot.ties import level

from .plot_style import TEXT_SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

RINGS = (7.0, 13.0, 20.0, 30.0, 42.0, 56.0)  # points from a mark to its label
NEAR = RINGS[2]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels
Spot = tuple[float, Point, Box]  # where a label may be: its distance from a point, the point, its box


@dataclass(frozen=True)
class Label:
    """What to write beside the first of ``places``, in data coordinates, that has room for it."""

    text: str
    places: tuple[Point, ...]
    colour: str
    bold: bool = False


@dataclass(frozen=True)
class Mark:
    """A point with its interval, which no label may cover."""

    x: float
    y: float
    down: float = 0.0
    up: float = 0.0


def write(
    figure: Figure,
    ax: Axes,
    labels: Sequence[Label],
    marks: Sequence[Mark],
    lines: Sequence[Sequence[Point]] = (),
    must: bool = False,
) -> list[Annotation] | None:
    """Write each label where it covers no mark and no earlier label; if possible no line, either.

    A label that is far from its point is joined to it by a thin line. ``lines``: corners of what is drawn. Where not
    all labels find a place, nothing is written and None is returned; ``must``: they may overlap instead. The limits of
    the axes have to be final.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas, measured = figure.canvas, FigureCanvasAgg(figure)  # only Agg can measure texts
    figure.draw_without_rendering()
    notes = [_note(ax, label) for label in labels]
    found = _places(figure, ax, labels, notes, measured, marks, lines, must)
    figure.set_canvas(canvas)
    if found is None:
        for note in notes:
            note.remove()
        return None
    dot = figure.dpi / 72
    for label, note, (ring, place, (x0, y0, x1, y1)) in zip(labels, notes, found, strict=True):
        px, py = map(float, ax.transData.transform(place))
        note.xy = place
        note.set_position((round((x0 - px) / dot, 2), round((y0 - py) / dot, 2)))
        if ring > NEAR:
            ex, ey = ax.transData.inverted().transform((min(max(px, x0), x1), min(max(py, y0), y1)))
            ax.plot([place[0], ex], [place[1], ey], color=label.colour, linewidth=0.6, zorder=1, label="_to its label")
    return notes


def _note(ax: Axes, label: Label) -> Annotation:
    note = ax.annotate(
        label.text, label.places[0], xytext=(0, 0), textcoords="offset points", fontsize=TEXT_SMALL,
        color=label.colour, fontweight="bold" if label.bold else "normal",
    )  # fmt: skip
    note.set_in_layout(False)
    return note


def _places(
    figure: Figure,
    ax: Axes,
    labels: Sequence[Label],
    notes: Sequence[Annotation],
    canvas: FigureCanvasAgg,
    marks: Sequence[Mark],
    lines: Sequence[Sequence[Point]],
    must: bool,
) -> list[Spot] | None:
    """For each label the distance, the point and the box of its place; None if there are not enough."""
    dot = figure.dpi / 72
    window = ax.get_window_extent()
    inside = _box(window.x0, window.y0, window.x1, window.y1)
    taken = [box for mark in marks for box in _mark(ax, mark, dot)]
    avoid = [box for corners in lines for box in _line(ax, corners, dot)]
    found: list[Spot] = []
    written: list[Box] = []
    for label, note in zip(labels, notes, strict=True):
        size = note.get_window_extent(canvas.get_renderer())  # type: ignore[no-untyped-call]
        spots: list[Spot] = []
        for place in label.places:
            px, py = map(float, ax.transData.transform(place))
            spots += [(ring, place, box) for ring, box in _spots(px, py, size.width, size.height, dot)]
        within = [s for s in spots if _holds(inside, s[2])]
        free = [s for s in within if not _hits(s[2], taken) and not _crosses(ax, s, written, dot)]
        clear = [s for s in free if s[0] <= NEAR and not _hits(s[2], avoid)]
        if not free and not must:
            return None
        px, py = map(float, ax.transData.transform(label.places[0]))
        found.append(
            (clear or free or within or [(0.0, label.places[0], (px, py, px + size.width, py + size.height))])[0]
        )
        x0, y0, x1, y1 = found[-1][2]
        written.append(_box(x0 - 2 * dot, y0 - 2 * dot, x1 + 2 * dot, y1 + 2 * dot))
        taken += [written[-1], *_leader(ax, found[-1], dot)]
    return found


def _leader(ax: Axes, spot: Spot, dot: float) -> list[Box]:
    """The thin line from a far label to its point, as boxes; none for a near one."""
    ring, place, (x0, y0, x1, y1) = spot
    if ring <= NEAR:
        return []
    px, py = map(float, ax.transData.transform(place))
    return list(_pieces((px, py), (min(max(px, x0), x1), min(max(py, y0), y1)), dot))


def _crosses(ax: Axes, spot: Spot, written: Sequence[Box], dot: float) -> bool:
    return any(_hits(box, written) for box in _leader(ax, spot, dot))


def _spots(px: float, py: float, width: float, height: float, dot: float) -> Iterator[tuple[float, Box]]:
    """Places for a box around a point, as (distance, box): near ones first, to the right before to the left."""
    for ring in RINGS:
        for turn in (0, 1, -1, 2, -2, 8, 7, -7, 6, -6, 4, -4, 3, -3, 5, -5):  # sixteenths of a whole turn
            dx, dy = cos(turn * pi / 8), sin(turn * pi / 8)
            x = px + ring * dot * dx + (0 if dx > 0.1 else -width if dx < -0.1 else -width / 2)
            y = py + ring * dot * dy - height / 2 + height / 2 * dy
            yield ring, _box(x, y, x + width, y + height)


def _mark(ax: Axes, mark: Mark, dot: float) -> Iterator[Box]:
    """A point and its interval as boxes."""
    ends = [(mark.x, mark.y), (mark.x, mark.y - mark.down), (mark.x, mark.y + mark.up)]
    (px, py), (_, low), (_, high) = ax.transData.transform(ends).tolist()
    yield _box(px - 5 * dot, py - 5 * dot, px + 5 * dot, py + 5 * dot)
    if mark.down or mark.up:
        yield _box(px - 3 * dot, low - dot, px + 3 * dot, high + dot)


def _line(ax: Axes, corners: Sequence[Point], dot: float) -> Iterator[Box]:
    """A line as small boxes."""
    if len(corners) < 2:
        return
    for start, end in pairwise(ax.transData.transform(list(corners)).tolist()):
        yield from _pieces(start, end, dot)


def _pieces(start: Sequence[float], end: Sequence[float], dot: float) -> Iterator[Box]:
    (a, b), (c, d) = start, end
    pieces = 1 if a == c or b == d else max(ceil(level(hypot(c - a, d - b) / (4 * dot))), 1)
    for i in range(pieces):
        x0, x1 = (a + (c - a) * at / pieces for at in (i, i + 1))
        y0, y1 = (b + (d - b) * at / pieces for at in (i, i + 1))
        yield _box(min(x0, x1) - dot, min(y0, y1) - dot, max(x0, x1) + dot, max(y0, y1) + dot)


def _box(x0: float, y0: float, x1: float, y1: float) -> Box:
    """The box in tenths of a pixel, so that places do not depend on the last bits of a coordinate."""
    return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _holds(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _hits(box: Box, others: Iterable[Box]) -> bool:
    x0, y0, x1, y1 = box
    return any(x0 < c and a < x1 and y0 < d and b < y1 for a, b, c, d in others)
