"""The pencil case of drawn figures: boxes, arrows, labels and panels in the looks of the tree.

A ``Sketch`` collects shapes and becomes an ``SVG``. All lengths are in pixels; y grows downwards.
"""

import re
from collections.abc import Sequence
from math import hypot
from typing import NamedTuple
from xml.etree.ElementTree import Element

from tot.show.escaping import clean, em, escape

from .drawing import SVG, dark_css, dashed, framed, px
from .looks import LOOKS
from .styles import COLOURS

TEXT, NOTE = 13.0, 11.5  # sizes of a label, and of a remark beside it
LEAD = 1.3  # from line to line, in sizes of the font
HEAD = 8.0  # length of an arrow's head
PLACED = re.compile("x|y|width|height|rx|cx|cy|r|d|font-size")  # attributes that stand before the colours

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle on the page, and the middles of its sides, where arrows begin and end."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> Point:
        """The centre."""
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def left(self) -> Point:
        """The middle of the left side."""
        return self.x, self.y + self.h / 2

    @property
    def right(self) -> Point:
        """The middle of the right side."""
        return self.x + self.w, self.y + self.h / 2

    @property
    def top(self) -> Point:
        """The middle of the upper side."""
        return self.x + self.w / 2, self.y

    @property
    def bottom(self) -> Point:
        """The middle of the lower side."""
        return self.x + self.w / 2, self.y + self.h


class Sketch:
    """A drawing in the making, ``width`` x ``height`` pixels. What is drawn later lies on top."""

    def __init__(self, width: float, height: float) -> None:
        self.size = width, height
        self._parts: list[str] = []
        self._rules: dict[str, str] = {}

    def box(
        self, x: float, y: float, w: float, h: float, *lines: str,
        look: str = "kept", size: float = TEXT, start: bool = False, round: float = 4.0,
    ) -> Box:  # fmt: skip
        """A box with lines of text in its middle, or with ``start`` at its left side. ``look``: a key of ``LOOKS``."""
        self.shape("rect", f"b-{look}", _place(x, y, w, h, round))
        self._lines(x + (10 if start else w / 2), y + h / 2, lines, look, size, "start" if start else "middle")
        return Box(x, y, w, h)

    def dot(self, x: float, y: float, r: float, text: str = "", *, look: str = "kept", size: float = TEXT) -> Box:
        """A circle around (x, y), with a short text in it."""
        self.shape("circle", f"b-{look}", f'cx="{px(x)}" cy="{px(y)}" r="{px(r)}"')
        if text:
            self._lines(x, y, (text,), look, size)
        return Box(x - r, y - r, 2 * r, 2 * r)

    def label(
        self, x: float, y: float, text: str, colour: str = "ink",
        *, size: float = TEXT, anchor: str = "start", bold: bool = False,
    ) -> None:  # fmt: skip
        """A line of text whose base line is at ``y``. ``anchor``: "start", "middle" or "end" of it is at ``x``.
        ``colour``: a key of ``COLOURS``, or a look with an ink of its own.
        """
        more = "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += ' font-weight="600"' * bold
        place = f'x="{px(x)}" y="{px(y)}" font-size="{px(size)}"'
        self.shape("text", f"t-{colour}", place, more, clean(text))

    def note(self, x: float, y: float, text: str, *, colour: str = "faint", anchor: str = "start") -> None:
        """A remark: a small line of text."""
        self.label(x, y, text, colour, size=NOTE, anchor=anchor)

    def arrow(
        self,
        *points: Point,
        colour: str = "edge",
        thick: float = 1.4,
        dash: str = "",
        head: bool = True,
        bend: bool = False,
    ) -> None:
        """A line through ``points`` with an arrow's head at the last one; its corners are rounded. With ``bend`` it
        leaves and arrives sideways, as the edges of the tree do; for two points.
        """
        (x, y), before, end = points[0], points[-2], points[-1]
        if bend:
            before = (x + end[0]) / 2, end[1]
        back = _towards(end, before, HEAD - 1) if head else end  # the line ends inside its head
        path = f"M{_xy((x, y))}C{_xy((before[0], y))} {_xy(before)} {_xy(back)}"
        path = path if bend else _rounded([*points[:-1], back])
        self._stroke(path, colour, thick=thick, dash=dash, cap="")
        if head:
            base, (across, along) = _towards(end, before, HEAD), _unit(end, before)
            left, right = ((base[0] + side * along, base[1] - side * across) for side in (3.8, -3.8))
            self.shape("path", f"f-{colour}", f'd="M{_xy(end)}L{_xy(left)}L{_xy(right)}Z"')

    def cross(self, x: float, y: float, r: float = 6.0, colour: str = "wrong") -> None:
        """A cross around (x, y): here something ends."""
        self._stroke(
            f"M{px(x - r)} {px(y - r)}l{px(2 * r)} {px(2 * r)}m0 {px(-2 * r)}l{px(-2 * r)} {px(2 * r)}", colour
        )

    def path(self, d: str, colour: str = "edge", *, thick: float = 1.4, dash: str = "", fill: str = "") -> None:
        """Any other shape: the path ``d``, its outline in ``colour``, or with ``fill`` filled and without outline."""
        if fill:
            self.shape("path", f"f-{fill}", f'd="{d}"')
        else:
            self._stroke(d, colour, thick=thick, dash=dash)

    def svg(self, title: str, about: str) -> SVG:
        """The finished drawing. ``about``: the same in words, for who cannot see it; both are cleaned."""
        css = dark_css(dict(sorted(self._rules.items())))
        return framed(self._parts, self.size, least=0, title=clean(title), about=clean(about), css=css)

    def _lines(self, x: float, y: float, lines: Sequence[str], look: str, size: float, anchor: str = "middle") -> None:
        """Lines of text around the height ``y``, in the ink of a look."""
        colour = next((name for name, pair in COLOURS.items() if pair == LOOKS[look].ink), look)
        at = y - (len(lines) - 1) / 2 * size * LEAD + 0.35 * size
        for text in lines:
            self.label(x, at, text, colour, size=size, anchor=anchor)
            at += size * LEAD

    def _stroke(
        self, d: str, colour: str, *, thick: float = 2.0, dash: str = "", cap: str = ' stroke-linecap="round"'
    ) -> None:
        self.shape("path", f"s-{colour}", f'd="{d}"', f' stroke-width="{px(thick)}"{dashed(dash)}{cap}')

    def shape(self, tag: str, paint: str, place: str, more: str = "", text: str | None = None) -> None:
        """Any element of SVG, which brings the dark side of its colours. ``paint``: "b-", "f-", "s-" or "t-" (a box, a
        filled shape, a line, words) with a look or a colour, or "panel"; ``place``, ``more``: its attributes.
        """
        kind, _, name = paint.partition("-")
        look = LOOKS.get(name)
        if paint == "panel":
            colours = {"fill": LOOKS["kept"].fill, "stroke": COLOURS["border"]}
        elif kind == "b":
            assert look
            colours = {"fill": look.fill, "stroke": look.line}
            more = f' stroke-width="{px(min(look.width, 2.0))}"{dashed(look.dash)}'
        else:
            colours = {"stroke" if kind == "s" else "fill": COLOURS[name] if name in COLOURS else LOOKS[name].ink}
        self._rules[f".tot-{paint}"] = ";".join(f"{part}:{dark}" for part, (_, dark) in colours.items())
        light = 'fill="none" ' * (kind == "s") + " ".join(f'{part}="{light}"' for part, (light, _) in colours.items())
        end = "/>" if text is None else f">{escape(text)}</{tag}>"
        self._parts.append(f'<{tag} class="tot-{paint}" {place} {light}{more}{end}')


def drawn(panel: Element) -> SVG:
    """A drawing from a file: shapes of SVG without colours, whose class is the ``paint`` of ``Sketch.shape``; with its
    width, height, words (``about``), and a title, unless these are the same.
    """
    sketch = Sketch(float(panel.get("width", 0)), float(panel.get("height", 0)))
    for one in panel:
        parts = {True: "", False: ""}
        for name, value in one.items():
            parts[PLACED.fullmatch(name) is not None] += f' {name}="{value}"' * (name != "class")
        sketch.shape(one.tag, one.get("class", ""), parts[True][1:], parts[False], one.text)
    about = panel.get("about", "")
    return sketch.svg(panel.get("title", about), about)


def wide(text: str, size: float = TEXT) -> float:
    """How wide ``text`` is at most, in pixels."""
    return em(text) * size


# -------------------------------------------------------------------- shapes


def _place(x: float, y: float, w: float, h: float, round: float) -> str:
    place = f'x="{px(x)}" y="{px(y)}" width="{px(w)}" height="{px(h)}"'
    return f'{place} rx="{px(round)}"' if round else place


def _xy(point: Point) -> str:
    return f"{px(point[0])} {px(point[1])}"


def _unit(start: Point, end: Point) -> Point:
    """The direction from ``start`` to ``end``, of length 1. Raises ValueError where they are one point."""
    across, along = end[0] - start[0], end[1] - start[1]
    length = hypot(across, along)
    if not length:
        raise ValueError(f"an arrow needs two different points, not {start} twice")
    return across / length, along / length


def _towards(start: Point, end: Point, length: float) -> Point:
    across, along = _unit(start, end)
    return start[0] + length * across, start[1] + length * along


def _rounded(points: Sequence[Point], radius: float = 8.0) -> str:
    """A path of straight lines with rounded corners."""
    path = f"M{_xy(points[0])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path += f"L{_xy(_towards(corner, before, radius))}Q{_xy(corner)} {_xy(_towards(corner, after, radius))}"
    return path + f"L{_xy(points[-1])}"
