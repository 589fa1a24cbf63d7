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
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

RINGS = (7.0, 13.0, 20.0, 30.0, 42.0, 56.0)  # points from a mark to its label
NEAR = RINGS[2]
TURNS = (0, 1, -1, 2, -2, 8, 7, -7, 6, -6, 4, -4, 3, -3, 5, -5)  # sixteenths of a whole turn: the right before the left
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels


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


@dataclass(frozen=True)
class Spot:
    """Where a label may be: its distance from a point; the point, in data coordinates and in pixels; its box."""

    ring: float
    place: Point
    point: Point
    box: Box

    @property
    def nearest(self) -> Point:
        """The place in the box that is nearest to the point."""
        (x, y), (left, bottom, right, top) = self.point, self.box
        return min(max(x, left), right), min(max(y, bottom), top)

    def leader(self, dot: float) -> list[Box]:
        """The thin line from a far label to its point, as boxes; none for a near one."""
        return [] if self.ring <= NEAR else list(_pieces(self.point, self.nearest, dot))


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
    notes, sizes = [], []
    for label in labels:
        weight = "bold" if label.bold else "normal"
        how = {"textcoords": "offset points", "fontsize": TEXT_SMALL, "color": label.colour, "fontweight": weight}
        notes.append(ax.annotate(label.text, label.places[0], (0, 0), **how))  # type: ignore[arg-type]
        notes[-1].set_in_layout(False)
        extent = notes[-1].get_window_extent(measured.get_renderer())  # type: ignore[no-untyped-call]
        sizes.append((extent.width, extent.height))
    dot = figure.dpi / 72  # pixels of a point
    found = _places(ax, labels, sizes, marks, lines, must, dot)
    figure.set_canvas(canvas)
    if found is None:
        for note in notes:
            note.remove()
        return None
    for label, note, spot in zip(labels, notes, found, strict=True):
        (x, y), (left, bottom, *_) = spot.point, spot.box
        note.xy = spot.place
        note.set_position((round((left - x) / dot, 2), round((bottom - y) / dot, 2)))
        if spot.ring > NEAR:
            ends = zip(spot.place, ax.transData.inverted().transform(spot.nearest), strict=True)
            ax.plot(*ends, color=label.colour, linewidth=0.6, zorder=1, label="_to its label")
    return notes


def _places(
    ax: Axes,
    labels: Sequence[Label],
    sizes: Sequence[Point],
    marks: Sequence[Mark],
    lines: Sequence[Sequence[Point]],
    must: bool,
    dot: float,
) -> list[Spot] | None:
    """A spot for each label; None if there are not enough."""
    window = ax.get_window_extent()
    low, under, high, over = _box(window.x0, window.y0, window.x1, window.y1)
    taken = [box for mark in marks for box in _covered(ax, mark, dot)]
    avoid: list[Box] = []
    for corners in filter(None, lines):
        for start, end in pairwise(ax.transData.transform(list(corners)).tolist()):
            avoid += _pieces(start, end, dot)
    found: list[Spot] = []
    written: list[Box] = []
    for label, size in zip(labels, sizes, strict=True):
        spots = [spot for place in label.places for spot in _spots(ax, place, size, dot)]
        within = [s for s in spots if low <= s.box[0] and under <= s.box[1] and s.box[2] <= high and s.box[3] <= over]
        free = [spot for spot in within if not _hits(spot.box, taken)]
        free = [spot for spot in free if not any(_hits(box, written) for box in spot.leader(dot))]
        clear = [spot for spot in free if spot.ring <= NEAR and not _hits(spot.box, avoid)]
        if not free and not must:
            return None
        x, y = spots[0].point
        on_it = Spot(0.0, label.places[0], (x, y), (x, y, x + size[0], y + size[1]))
        found.append((clear or free or within or [on_it])[0])
        left, bottom, right, top = found[-1].box
        written.append(_box(left - 2 * dot, bottom - 2 * dot, right + 2 * dot, top + 2 * dot))
        taken += [written[-1], *found[-1].leader(dot)]
    return found


def _spots(ax: Axes, place: Point, size: Point, dot: float) -> Iterator[Spot]:
    """Where a label of this size may be around a point: near spots first."""
    (px, py), (width, height) = map(float, ax.transData.transform(place)), size
    for ring in RINGS:
        for turn in TURNS:
            dx, dy = cos(turn * pi / 8), sin(turn * pi / 8)
            x = px + ring * dot * dx + (0 if dx > 0.1 else -width if dx < -0.1 else -width / 2)
            y = py + ring * dot * dy - height / 2 + height / 2 * dy
            yield Spot(ring, place, (px, py), _box(x, y, x + width, y + height))


def _covered(ax: Axes, mark: Mark, dot: float) -> Iterator[Box]:
    """A point and its interval as boxes."""
    ends = [(mark.x, mark.y), (mark.x, mark.y - mark.down), (mark.x, mark.y + mark.up)]
    (px, py), (_, low), (_, high) = ax.transData.transform(ends).tolist()
    yield _box(px - 5 * dot, py - 5 * dot, px + 5 * dot, py + 5 * dot)
    if mark.down or mark.up:
        yield _box(px - 3 * dot, low - dot, px + 3 * dot, high + dot)


def _pieces(start: Sequence[float], end: Sequence[float], dot: float) -> Iterator[Box]:
    """A straight line as small boxes."""
    (a, b), (c, d) = start, end
    pieces = 1 if a == c or b == d else max(ceil(level(hypot(c - a, d - b) / (4 * dot))), 1)
    for i in range(pieces):
        x0, x1 = (a + (c - a) * at / pieces for at in (i, i + 1))
        y0, y1 = (b + (d - b) * at / pieces for at in (i, i + 1))
        yield _box(min(x0, x1) - dot, min(y0, y1) - dot, max(x0, x1) + dot, max(y0, y1) + dot)


def _box(x0: float, y0: float, x1: float, y1: float) -> Box:
    """The box in tenths of a pixel, so that places do not depend on the last bits of a coordinate."""
    return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _hits(box: Box, others: Iterable[Box]) -> bool:
    x0, y0, x1, y1 = box
    return any(x0 < c and a < x1 and y0 < d and b < y1 for a, b, c, d in others)
