"""Pictures in the pages: SVG becomes part of the page, so that it is sharp, has both themes, and is read aloud.

A plot is light where it is stored. In the page each of its colours is a CSS variable, whose dark value comes from
``treebook.figures.looks``. It has one of the book's widths, and plots of one width have one size of type: one that is
narrower has room at its right. In a narrow column it is smaller, but on a phone its text never has less than ``LEAST``
pixels: then its box scrolls.
"""

import html
import re
from pathlib import Path
from typing import Any

from docutils import nodes

from treebook.figures.layout import SMALL
from treebook.figures.looks import PANEL, TEXT_WIDTH, WIDE
from treebook.figures.plot_style import dark_of

LAPTOP, LEAST = 10.0, 11.0  # pixels: the smallest text that a laptop and a phone show
NEARLY = 1.12 * TEXT_WIDTH  # a drawing so wide fits the text, a little smaller
DRAWN = 614.4  # pixels: how wide a plot is drawn that is as wide as the text (6.4 inches)
UNITS = {"pt": 4 / 3, "px": 1.0, "": 1.0}
COLOUR = re.compile(r"(?<=[\s:\"])#[0-9a-fA-F]{6}\b")
PLOT = re.compile(r'<svg [^>]*class="tot-plot".*?</svg>', re.DOTALL)  # in HTML: that of a show.Predict
BOX = '<div class="tot-scroll(?: tex2jax_ignore mathjax_ignore)?'  # not one that knows its width
DRAWING = re.compile(rf'({BOX})?(?(1)("[^>]*>))(<svg [^>]*class="tot-svg".*?</svg>)', re.DOTALL)
SIZE = re.compile(r"font-size(?:: ?|=\")([\d.]+)|font: [^\";]*?([\d.]+)px")


def natural(svg: str) -> tuple[float, float]:
    """Width of a picture, and the smallest width at which its smallest text has ``LEAST`` pixels; both in pixels."""
    head = svg[: svg.index(">")]
    length = re.search(r'\bwidth="([\d.]+)(pt|px|)"', head)
    box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ', head)
    assert length, f"a picture without a width: {head[:200]}"
    width = float(length[1]) * UNITS[length[2]]
    sizes = [float(a or b) for a, b in SIZE.findall(svg)] + [SMALL] * ("tot-svg" in head)  # or its style has it
    if not sizes:
        return width, min(width, 420.0)  # letters are outlines: nothing to measure
    shown = min(sizes) * width / float(box[1] if box else width)
    least = width * LEAST / shown
    return max(width, least), least


def drawing(svg: str) -> str:
    """A picture of treebook.show, which may be wider than the text where a phone shows it (css/figures.css)."""
    width, least = natural(svg)
    fits = min(least * LAPTOP / LEAST, TEXT_WIDTH if width <= NEARLY else width)
    size = f"max-width:{width:.0f}px;min-width:{fits:.0f}px;--tot-least:{least:.0f}px"
    return re.sub(r"max-width:[\d.]+px;min-width:[\d.]+px", size, svg, count=1)


def placed(found: re.Match[str]) -> str:
    """A drawing within an output, and the box around it, which is wide where the drawing is."""
    box, rest, svg = found.groups(default="")
    return box + " wide" * (bool(box) and natural(svg)[0] > NEARLY) + rest + drawing(svg)


def part_of_page(svg: str, alt: str, prefix: str) -> tuple[str, set[str]]:
    """The picture as a part of a page, and the colours that it uses. ``prefix``: makes its ids unique there."""
    svg = svg[svg.index("<svg") :]
    width, least = natural(svg)
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style type=.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    head, rest = svg.split(">", 1)
    if "tot-svg" in head:  # a picture of treebook.show: it has its own label and dark colours
        return drawing(svg), set()
    shown = next((fits for fits in (PANEL, TEXT_WIDTH) if least <= fits), WIDE)
    room = max(1.0, shown * DRAWN / TEXT_WIDTH / width)
    fits = least * room * LAPTOP / LEAST
    head = re.sub(r'(viewBox="\S+ \S+) ([\d.]+)', lambda f: f"{f[1]} {float(f[2]) * room:.1f}", head)
    colours = {found.lower() for found in COLOUR.findall(rest)}
    rest = COLOUR.sub(lambda found: f"var(--tot-{found[0][1:].lower()}, {found[0]})", rest)
    rest = re.sub(r'\b(fill|stroke)="(var\([^"]*\))"', r'style="\1: \2"', rest)
    style = re.search(r'\bstyle="([^"]*)"', head)
    size = f"display:block;width:100%;max-width:{shown:.0f}px;min-width:{fits:.0f}px;height:auto"
    size += f";--tot-least:{least * room:.0f}px"
    head = re.sub(r'\s(?:style|width|height|role|aria-label|version|xmlns:xlink)="[^"]*"', "", head)
    look = f"{style[1]};{size}" if style else f"stroke-linejoin:round;stroke-linecap:butt;{size}"
    return f'{head} role="img" aria-label="{html.escape(alt)}" style="{look}">{rest}', colours


def within(page: str, prefix: str) -> tuple[str, set[str]]:
    """HTML with a plot in it, such as a prediction's, which has its own name and role."""
    found = PLOT.search(page)
    assert found
    head = found[0].partition(">")[0]
    name = re.search(r'aria-label="([^"]*)"', head)
    markup, used = part_of_page(found[0], html.unescape(name[1]) if name else "", prefix)
    if 'role="group"' in head:
        markup = markup.replace('role="img"', 'role="group"', 1)
    return page.replace(found[0], markup), used


def dark_css(colours: set[str]) -> str:
    """What the colours are in a dark page. On paper every page is light."""
    dark = {c: "var(--pst-color-background)" if c == "#ffffff" else dark_of(c) for c in sorted(colours)}
    values = (f"--tot-{light[1:]}:{value}" for light, value in dark.items())
    return f'<style>@media screen{{html[data-theme="dark"]{{{";".join(values)}}}}}</style>'


def alt_of(image: nodes.image, text: str) -> str:
    """The picture in words: what its cell says, else its own title."""
    title = re.search(r"<title[^>]*>\s*([^<]+?)\s*</title>", text)
    return str(image.get("alt") or (html.unescape(title[1]) if title else ""))


def inline_svg(app, doctree, docname):
    """Every SVG picture of a page becomes a part of it."""
    if app.builder.format == "html":
        for output in doctree.findall(lambda node: isinstance(node, nodes.raw) and "tot-svg" in node.astext()):
            output.children = [nodes.Text(DRAWING.sub(placed, output.astext()))]
    images = [image for image in doctree.findall(nodes.image) if image["uri"].endswith(".svg")]
    colours: set[str] = set()
    boxes: list[nodes.raw] = []
    if app.builder.format == "html":
        for number, node in enumerate(node for node in doctree.findall(nodes.raw) if PLOT.search(node.astext())):
            text, used = within(node.astext(), f"asked{number}")
            node.children = [nodes.Text(text)]
            boxes.append(node)
            colours |= used
    for number, image in enumerate(images, 1):
        file = Path(image["uri"]) if Path(image["uri"]).is_absolute() else Path(app.srcdir, image["uri"])
        text = file.read_text(encoding="utf-8")
        image["alt"] = alt_of(image, text)
        if app.builder.format != "html":
            continue
        markup, used = part_of_page(text, image["alt"], f"fig{number}")
        colours |= used
        wide = " wide" * (natural(text)[0] > NEARLY or f"max-width:{WIDE:.0f}px" in markup)
        wide += " tot-panel" * (f"max-width:{PANEL:.0f}px" in markup)
        box = f'<div class="tot-picture tot-scroll{wide}" tabindex="0">{markup}</div>'
        boxes.append(nodes.raw("", box, format="html"))
        image.replace_self(boxes[-1])
    if colours:
        boxes[0].children = [nodes.Text(dark_css(colours) + boxes[0].astext())]


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", inline_svg)
    return {"parallel_read_safe": True}
