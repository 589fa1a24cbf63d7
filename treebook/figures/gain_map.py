"""A map of gains: where one method gains over another, where it loses, and the border between the two.

Its places are shares of its width and height and its words have a size of their own, so it is legible at any width.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from tot.show.escaping import clean, escape
from tot.show.tables import PlainRow
from tot.ties import level

from .page import as_written
from .styles import style_of

LEAST, MOST = 2.5, 11.0  # radii of a point in pixels: no gain, and a gain of 1
LEFT, TOP, WIDTH, HEIGHT = 9.0, 7.0, 88.0, 80.0  # of the field in the picture, in per cent
STAR = "M0-9L2.1-2.9 8.6-2.8 3.4 1.1 5.3 7.3 0 3.6-5.3 7.3-3.4 1.1-8.6-2.8-2.1-2.9Z"
DIAMOND = "M0-6L5 0 0 6-5 0Z"


@dataclass(frozen=True)
class Axis:
    """An axis: the key of its values in rows, what is written at it, and its ends. ``percent``: its ticks are."""

    key: str
    label: str
    low: float
    high: float
    log: bool = False
    percent: bool = False

    def at(self, value: float) -> float:
        """Where a value is, from 0 to 100; what lies outside is at the nearer end."""
        low, high, x = (log10(v) if self.log else v for v in (self.low, self.high, max(value, self.low)))
        return round(100 * min(1.0, (x - low) / (high - low)), 2)

    def ticks(self) -> dict[float, str]:
        """Value -> its label: every tenth, or with ``log`` every power of ten."""
        low, high = (log10(v) if self.log else 10 * v for v in (self.low, self.high))
        steps = range(ceil(level(low)), floor(level(high)) + 1)
        values = [10.0**step if self.log else step / 10 for step in steps]
        return {value: f"{100 * value:.3g}%" if self.percent else f"{value:.1f}" for value in values}


@dataclass(frozen=True)
class Layer:
    """What one map shows: rows with the keys of both axes and a "gain", an ``Interval`` of a difference (with a "p", it
    decides whether anything can be told); and a border, lists under "x", "y", "low" and "high".
    """

    rows: Sequence[PlainRow]
    border: Mapping[str, Sequence[float]] | None = None


@dataclass(frozen=True)
class Mark:
    """A player at a place of the map. ``known``: one of those of the rows, else a guest. ``href``: a link from it."""

    name: str
    x: float
    y: float
    known: bool = False
    href: str = ""


class GainMap:
    """Maps of gains over the same two axes, of which the first is shown: a point for each row, whose area grows with
    the gain. Blue circles gain, orange squares lose, of small grey rings nothing can be told. ``names``: of ahead and
    behind. Raises ValueError without a layer.
    """

    def __init__(
        self, layers: Sequence[Layer], x: Axis, y: Axis, names: tuple[str, str], marks: Sequence[Mark] = ()
    ) -> None:
        if not layers:
            raise ValueError("a map needs at least one layer")
        self.layers, self.x, self.y, self.names, self.marks = list(layers), x, y, names, list(marks)

    def svg(self, does: str = "", dot: str = "") -> str:
        """The picture. ``does``: its handlers; ``dot``: what is drawn over all of it."""
        role = "group" if does else "img"
        size = 'xmlns="http://www.w3.org/2000/svg" width="640" height="400"'  # of an image, where it cannot be a part
        parts = [
            f'<svg class="tot-gainmap" {size} {does} role="{role}" aria-label="{escape(self.about())}">',
            f"<style>{style_of('gain_map')}</style>",
            f'<svg x="{LEFT}%" y="{TOP}%" width="{WIDTH}%" height="{HEIGHT}%" overflow="visible">',
            '<rect class="tot-field" width="100%" height="100%"/>',
        ]
        for value, label in self.x.ticks().items():
            at = self.x.at(value)
            parts.append(f'<line x1="{at}%" x2="{at}%" y2="100%"/><text x="{at}%" y="100%" dy="18">{label}</text>')
        for value, label in self.y.ticks().items():
            at = 100 - self.y.at(value)
            parts.append(f'<line x2="100%" y1="{at}%" y2="{at}%"/>')
            parts.append(f'<text class="tot-end" y="{at}%" dx="-6" dy="4">{label}</text>')
        parts.append(f'<text x="50%" y="100%" dy="38">{escape(self.x.label)}</text>')
        parts.append(f'<text class="tot-start" x="-{LEFT / 2}%" dy="-10">{escape(self.y.label)}</text>')
        parts += [self._layer(layer, i == 0) for i, layer in enumerate(self.layers)]
        return "\n".join([*parts, *map(self._mark, self.marks), dot, "</svg></svg><!-- map -->"])

    def _mark(self, mark: Mark) -> str:
        at = f'x="{self.x.at(mark.x)}%" y="{100 - self.y.at(mark.y)}%" overflow="visible" aria-hidden="true"'
        kind, shape = ("known", DIAMOND) if mark.known else ("guest", STAR)
        side, x = ("end", -11) if mark.known or self.x.at(mark.x) > 75 else ("start", 11)
        name = escape(clean(mark.name))
        said = f'<text class="tot-{side}" x="{x}" y="4">{name}</text>'
        drawn = f'<svg class="tot-player tot-{kind}" {at}><path d="{shape}"/>{said}</svg>'
        link = f'<a href="{mark.href}" aria-label="{name}">'
        return f"{link}{drawn}</a>" if mark.href else drawn

    def _layer(self, layer: Layer, shown: bool) -> str:
        here = ' data-on=""' if shown else ""
        parts = [f'<g class="tot-layer{"" if layer.border else " tot-bare"}"{here}>']
        if layer.border:
            xs = [self.x.at(x) for x in layer.border["x"]]
            line, low, high = (
                [f"{x} {100 - self.y.at(y)}" for x, y in zip(xs, layer.border[key], strict=True)]
                for key in ("y", "low", "high")
            )
            inside = [point for point, y in zip(line, layer.border["y"], strict=True) if y <= self.y.high]
            band = "L".join([*low, *reversed(high)])
            parts.append(
                '<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
                f'<path class="tot-band" d="M{band}Z"/><path class="tot-border" d="M{"L".join(inside or line)}"/></svg>'
            )
        for row in sorted(layer.rows, key=lambda row: -abs(row["gain"].rate)):
            gain, told = row["gain"], _told(row)
            x, y = self.x.at(float(row[self.x.key])), 100 - self.y.at(float(row[self.y.key]))
            r = round(LEAST + (MOST - LEAST) * min(1.0, abs(gain.rate)) ** 0.5, 1) if told else LEAST
            if told and gain.rate < 0:
                half = f'width="{2 * r}" height="{2 * r}" transform="translate({-r} {-r})"'
                parts.append(f'<rect class="tot-loses" x="{x}%" y="{y}%" {half}/>')
            else:
                kind = "tot-gains" if told else "tot-open"
                parts.append(f'<circle class="{kind}" cx="{x}%" cy="{y}%" r="{r}"/>')
        return "\n".join([*parts, "</g>"])

    def about(self) -> str:
        """The first map in words: how many points lie on which side, and who is marked where."""
        rows = self.layers[0].rows
        told = [row["gain"].rate for row in rows if _told(row)]
        ahead = sum(gain > 0 for gain in told)
        words = f"{self.y.label} against {self.x.label}: {self.names[0]} at {ahead} of {len(rows)} points, "
        words += f"{self.names[1]} at {len(told) - ahead}. "
        return clean(words + "; ".join(f"{m.name} at {m.x:.2g}, {m.y:.2f}" for m in self.marks))

    def key(self) -> str:
        """The legend, in one line."""
        ahead, behind = map(escape, map(clean, self.names))
        lines = " <i>━</i> they break even, in its 95% band" * any(layer.border for layer in self.layers)
        points = f"<b>●</b> {ahead}, <u>■</u> {behind}: the larger, the more"
        return f'<p class="tot-key">{points} <i>○</i> cannot tell{lines}</p>'

    def _repr_html_(self) -> str:
        return as_written(f'<div class="tot-gains-box">{self.svg()}{self.key()}</div>')

    def __repr__(self) -> str:
        return self.about()


def _told(row: PlainRow) -> bool:
    """Whether a row's gain is told apart from none: by its test, else by its interval."""
    return bool(row["p"] < 0.05 if "p" in row else not row["gain"].low <= 0 <= row["gain"].high)
