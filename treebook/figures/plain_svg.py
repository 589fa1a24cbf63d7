"""A matplotlib figure as small SVG text that is the same on every machine."""

from __future__ import annotations

import re
from io import StringIO
from itertools import count
from typing import TYPE_CHECKING

from .looks import FONT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DIGITS = 2  # decimals of a coordinate, in points
DATA = "tot-data"  # the class of what has it as its gid: what a reader is to guess (axes_only)
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
ROOT = f"font-family: {FONT}; stroke-linejoin: round; stroke-linecap: butt"
# Where numbers are coordinates. Elsewhere (text, colours, ids) they stay.
GEOMETRY = re.compile(r'\b(?:d|x|y|width|height|transform|points|cx|cy|r|viewBox|style)="[^"]*"')
CLEANED = tuple(
    (re.compile(pattern, re.DOTALL), new)
    for pattern, new in (
        (r"<!--.*?-->\s*|<metadata>.*?</metadata>\s*|<style.*?</style>\s*", ""),
        (r"<defs>\s*</defs>\s*", ""),
        (f'(<g) id="{DATA}"', rf'\1 class="{DATA}"'),
        (r'(<g) id="[^"]*"', r"\1"),  # nothing refers to groups, and two figures on a page would both have them
        (r' xmlns:xlink="[^"]*"', ""),
        ("xlink:href", "href"),
        (r' transform="rotate\(-?0 [^)]*\)"', ""),
        (r"'DejaVu Sans'", FONT),
        (r"(font-family: )" + re.escape(FONT) + "; ", ""),  # it is that of the whole figure
        (r"^<svg ", f'<svg class="tot-plot" style="{ROOT}" '),
        (r"\s*\n\s*(?=[^<\s])", " "),  # a path has a line for each of its points
        (r"\n\s*", "\n"),
        (r'\s+"', '"'),
    )
)


def plain_svg(figure: Figure) -> str:
    """The figure as SVG: letters are text in the fonts of the page, coordinates have two decimals, ids are numbered.

    matplotlib's own ids depend on the last bits of coordinates, and those on the processor. Its declaration, its
    metadata and its comments are left out.
    """
    import matplotlib as mpl

    target = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "tot", "path.simplify": True}):
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(target, format="svg", metadata=nothing)
    text = target.getvalue()
    text = text[text.index("<svg") :]
    for pattern, new in CLEANED:
        text = pattern.sub(new, text)
    text = GEOMETRY.sub(lambda part: NUMBER.sub(_rounded, part[0]), text)
    return _numbered(text).strip()


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), DIGITS) + 0.0:.{DIGITS}f}".rstrip("0").rstrip(".")  # + 0.0: no minus zero


def _numbered(text: str) -> str:
    """Ids of clip paths, markers and hatches by order of appearance."""
    number = count(1)
    names = {old: f"p{next(number)}" for old in re.findall(r' id="([^"]+)"', text)}
    return re.sub(r'(\bid="|href="#|url\(#)([^")]+)', lambda at: at[1] + names.get(at[2], at[2]), text)
