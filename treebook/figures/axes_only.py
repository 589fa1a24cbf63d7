"""A plot whose data can be taken away: its axes stay, keep their place, and a guess can be drawn on them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tot.show.escaping import clean, escape

from .plain_svg import DATA, plain_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Along = Literal["x", "y"]


class Scale(NamedTuple):
    """The axis along which a guess moves: two of its places in the drawing, in points, and the values there."""

    along: Along
    start: float
    end: float
    low: float
    high: float
    log: bool


def bare(figure: Figure) -> str:
    """The plot as SVG in which everything but its axes has the class ``DATA``, and whose name is that of its axes."""
    for ax in figure.axes:
        legend = ax.get_legend()
        drawn = (*ax.lines, *ax.collections, *ax.patches, *ax.texts, *ax.images, *([legend] if legend else ()))
        for artist in drawn:
            artist.set_gid(DATA)
    svg = plain_svg(figure)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)  # or a notebook shows it once more, with its data
    axes = [": ".join(filter(None, (ax.get_title(), f"{ax.get_xlabel()}; {ax.get_ylabel()}"))) for ax in figure.axes]
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape("Axes: " + " / ".join(axes))}" ', 1)


def scale_of(ax: Axes, along: Along) -> Scale:
    """Where the values of an axis are in ``bare``, after it was drawn."""
    low, high = sorted(ax.get_xlim() if along == "x" else ax.get_ylim())
    other = (ax.get_ylim() if along == "x" else ax.get_xlim())[0]
    ends = [_place(ax, *((value, other) if along == "x" else (other, value))) for value in (low, high)]
    start, end = (end[0 if along == "x" else 1] for end in ends)
    log = (ax.get_xscale() if along == "x" else ax.get_yscale()) == "log"
    return Scale(along, start, end, float(low), float(high), log)


def _place(ax: Axes, x: float, y: float) -> tuple[float, float]:
    """A point of the data in the drawing, in points from the upper left."""
    figure: Any = ax.get_figure(root=True)
    across, up = figure.transFigure.inverted().transform(ax.transData.transform((x, y)))
    width, height = figure.get_size_inches()
    return 72 * width * across, 72 * height * (1 - up)


def marks(ax: Axes, scale: Scale, at: Mapping[str, float]) -> str:
    """A slider in the plot for each of ``at``, name -> its place on the other axis, and the line through all."""
    made = ['<polyline class="tot-guessed" points=""/>']
    for name, place in at.items():
        x, y = _place(ax, *((scale.low, place) if scale.along == "x" else (place, scale.low)))
        ends = (scale.start, y, scale.end, y) if scale.along == "x" else (x, scale.start, x, scale.end)
        (x1, y1, x2, y2), said = (round(end, 1) for end in ends), escape(clean(name))
        made.append(
            f'<g class="tot-handle" role="slider" tabindex="0" aria-label="Your guess, {said}" data-name="{said}" '
            f'aria-orientation="{"horizontal" if scale.along == "x" else "vertical"}" aria-valuemin="{scale.low:g}" '
            f'aria-valuemax="{scale.high:g}" aria-valuetext="no guess yet">'
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/><circle cx="{x1}" cy="{y1}" r="5.5"/></g>'
        )
    return "".join(made)
