"""Formulas in the pages: drawn while the book is built, so that no page loads a program for them.

ziamath sets TeX in STIX Two Math and draws it as SVG. A page holds the outline of each letter once (a ``<symbol>``),
and its formulas use them: a formula costs some hundred bytes, takes the colour of the text, and is sharp on any screen
and on paper. Who cannot see it is read the TeX. A formula that cannot be drawn is a warning with its place, which fails
a build with ``-W``.
"""

import html
import re
import warnings
import xml.etree.ElementTree as ET
import zlib
from dataclasses import dataclass, field
from typing import Any

import ziamath
import ziamath.tex
from docutils import nodes
from sphinx.util import logging

MEDIUM, THIN = "mediummathspace", "thinmathspace"
AROUND = {",": ("0", THIN), "×": (MEDIUM, MEDIUM), "…": (THIN, THIN), "⋯": (THIN, THIN)}  # as TeX has them
LARGER = 1.1  # STIX is a small face: its letters reach the height of those of a page's text at this size
SIZE = 16  # pixels while measuring; pages use em, so that a formula grows with its text
GLYPH = re.compile(r'href="#(tex-[0-9a-f]{8})"')

logger = logging.getLogger(__name__)


def mathml(tex: str, inline: bool) -> ET.Element:
    """What latex2mathml makes of a formula, with the spaces that TeX leaves around operators."""
    tree = ET.fromstring(ziamath.tex.tex2mml(tex, inline=inline))
    tree.set("mathcolor", "currentColor")
    tree.set("displaystyle", "false" if inline else "true")
    for row in tree.iter():
        signs = [_sign(child) for child in row]
        for place, sign in enumerate(signs):
            before, after = "".join(signs[place - 1 : place]), "".join(signs[place + 1 : place + 2])
            if sign:
                _space(row[place], sign, before, after, first=place == 0)
    return tree


def _sign(element: ET.Element) -> str:
    """The operator that an element is, or ""; latex2mathml takes some for names."""
    if element.text == "~":
        element.tag, element.text = element.tag.replace("mi", "mo"), "\N{TILDE OPERATOR}"
    if element.text == "1" and element.get("mathvariant") == "double-struck":
        element.text = "\N{MATHEMATICAL DOUBLE-STRUCK DIGIT ONE}"
        del element.attrib["mathvariant"]
    return element.text or "" if element.tag.endswith("mo") else ""


def _space(element: ET.Element, sign: str, before: str, after: str, first: bool) -> None:
    if sign == "…" and before == after and after in ("+", "−", "×"):
        element.text = sign = "⋯"
    if sign in AROUND:
        left, right = AROUND[sign]
        element.attrib |= {"lspace": "0" if first else left, "rspace": right}
    elif sign == "−" and (first or (before and before not in ")]")):  # the sign of a number, and no subtraction
        element.attrib |= {"lspace": "0", "rspace": "0"}


class NotDrawn(ValueError):
    """ziamath or latex2mathml does not know a command, or the font lacks a letter."""


@dataclass
class Formulas:
    """Draws formulas; ``letters`` has the outlines that those drawn so far use, by their id in the page."""

    letters: dict[str, str] = field(default_factory=dict)
    drawn: dict[tuple[str, bool], str] = field(default_factory=dict)

    def draw(self, tex: str, inline: bool) -> str:
        """The SVG element for a formula; raises NotDrawn."""
        if (tex, inline) not in self.drawn:
            self.drawn[tex, inline] = self._draw(tex, inline)
        return self.drawn[tex, inline]

    def _draw(self, tex: str, inline: bool) -> str:
        ziamath.config.svg2, ziamath.config.precision = True, 2
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                formula = ziamath.Math(mathml(tex, inline), size=SIZE, margin=0)
                svg, below = formula.svgxml(), -formula.node.bbox.ymin
        except Exception as error:  # whatever it trips over: both libraries also raise AssertionError, KeyError ...
            raise NotDrawn(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        # An unknown command stays in the MathML as a name that begins with a backslash.
        if unknown := [e.text for e in formula.mathml.iter() if (e.text or "").startswith("\\")]:
            raise NotDrawn(f"unknown command {', '.join(unknown)}")
        names = {}
        for symbol in svg.findall("symbol"):
            svg.remove(symbol)
            number = symbol.attrib.pop("id")
            if number.endswith("_0"):  # glyph 0 of any font is the box for what it lacks
                raise NotDrawn("the font has no sign for a part of it")
            outline = _compact(symbol).removeprefix("<symbol ")
            names["#" + number] = name = f"tex-{zlib.crc32(outline.encode()):08x}"
            self.letters[name] = f'<symbol id="{name}" {outline}'
        for use in svg.iter("use"):
            use.attrib["href"] = "#" + names[use.attrib["href"]]
        wide, high, below = (float(n) * LARGER / SIZE for n in (svg.attrib["width"], svg.attrib["height"], below))
        box = svg.attrib["viewBox"]
        inside = "".join(map(_compact, svg)).replace(' fill="currentColor"', "")
        return (
            f'<svg role="img" aria-label="{html.escape(tex)}" viewBox="{box}" '
            f'style="width:{wide:.3f}em;vertical-align:{-below:.3f}em" '
            f'width="{wide * SIZE:.0f}" height="{high * SIZE:.0f}">{inside}</svg>'
        )

    def sprite(self, page: str) -> str:
        """The letters that a page's formulas use, for somewhere in that page; "" if it has no formula."""
        used = sorted(set(GLYPH.findall(page)))
        inside = "".join(self.letters[name] for name in used)
        return f'<svg class="tot-letters" aria-hidden="true" width="0" height="0">{inside}</svg>' if used else ""


def _compact(element: ET.Element) -> str:
    text = ET.tostring(element, encoding="unicode").replace(" />", "/>")
    return re.sub(r'(?<= d=")[^"]*', lambda d: re.sub(r" ?([A-Z]) ?", r"\1", d[0]), text)


def plain(node: nodes.Element) -> str:
    """A formula's TeX without white space at its ends and without line breaks."""
    return " ".join(node.astext().split())


def written(writer: Any, node: nodes.Element, inline: bool) -> str:
    """A formula as SVG; where that fails a warning with its place, and its TeX."""
    tex = plain(node)
    try:
        return writer.builder.tot_formulas.draw(tex, inline)
    except NotDrawn as error:
        logger.warning("this formula cannot be drawn (%s): %s", error, tex, location=node)
        return f"<code>{html.escape(tex)}</code>"


def inline_formula(writer: Any, node: nodes.math) -> None:
    writer.body.append(f'<span class="tot-formula">{written(writer, node, inline=True)}</span>')
    raise nodes.SkipNode


def block_formula(writer: Any, node: nodes.math_block) -> None:
    place = "".join(f' id="{name}"' for name in node["ids"][:1])
    writer.body.append(f'<div class="tot-formula"{place}>{written(writer, node, inline=False)}</div>\n')
    raise nodes.SkipNode


def start(app: Any) -> None:
    app.builder.tot_formulas = Formulas()


def add_letters(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """After the writers: a page's text is there, with all its formulas."""
    if "body" in context:
        context["body"] += app.builder.tot_formulas.sprite(context["body"])


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("drawn", (inline_formula, None), (block_formula, None))
    app.config.html_math_renderer = "drawn"
    app.connect("builder-inited", start)
    app.connect("html-page-context", add_letters)
    return {"parallel_read_safe": True}
