"""Pictures as notebooks store them: images, which every viewer shows.

JupyterLab, until it trusts a notebook, and sites that show notebooks take ``<svg>`` out of a page, and leave its words.
An image whose address holds the same drawing stays. Where scripts run, a picture of this package then becomes a part of
the page again, with its tooltips and its dark colours.
"""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

from tot.show.escaping import cut, escape

START = "data:image/svg+xml,"
OPENS = rf"this.outerHTML=decodeURIComponent(this.getAttribute('src').slice({len(START)}).replace(/\n/g,''))"
PLAIN = " '()*,-./:;=@!$+?~[]{}|^`"  # stays readable in the address, and means nothing in it or in an attribute
NESTED = r'<svg class="tot-gainmap".*?</svg><!-- map -->'  # pictures in a picture end with a mark
PICTURE = re.compile(rf'<svg [^>]*class="tot-(?:svg|plot)".*?</svg>|{NESTED}', re.DOTALL)
IMAGE = re.compile(rf'<img class="tot-image" [^>]*?src="{re.escape(START)}([^"]*)"[^>]*/>')


def image(svg: str, alt: str, onload: str = "") -> str:
    """The drawing as an image. ``alt``: in words, escaped."""
    address = START + quote(svg, safe=PLAIN).replace("%0A", "%0A\n")  # who reads an address leaves out its line ends
    opens = f'onload="{onload}" ' if onload else ""
    return f'<img class="tot-image" alt="{alt}" style="max-width:100%" {opens}src="{address}"/>'


def as_images(page: str) -> str:
    """HTML with an image in the place of each picture of this package."""

    def one(found: re.Match[str]) -> str:
        label = re.search(r'aria-label="([^"]*)"', found[0])
        return image(found[0], label[1] if label else "", OPENS)

    return PICTURE.sub(one, page)


def as_pictures(page: str) -> str:
    """What ``as_images`` was given."""
    return IMAGE.sub(lambda found: unquote(found[1].replace("\n", "")), page)


def stored(data: Mapping[str, Any]) -> dict[str, Any]:
    """An output, media type -> text, with images in the place of drawings; a plot's is named by the words in it."""
    made = dict(data)
    if "text/html" in made:
        made["text/html"] = as_images(made["text/html"])
    elif svg := made.pop("image/svg+xml", ""):
        words = dict.fromkeys(map(unescape, re.findall(r"<text[^>]*>([^<]+)</text>", svg)))
        named = ", ".join(word for word in words if re.search(r"[^\W\d]", word))  # not the numbers of an axis
        made = {"text/html": image(svg, escape(cut(f"Plot: {named}", 300)))} | made
    return made


def restored(data: Mapping[str, Any]) -> dict[str, Any]:
    """The output that ``stored`` was given."""
    page = "".join(data.get("text/html", ""))
    svg = as_pictures(page)
    if IMAGE.fullmatch(page) and "tot-plot" in svg[: svg.index(">")]:
        return {"image/svg+xml": svg} | {media: text for media, text in data.items() if media != "text/html"}
    return {**data, "text/html": svg} if page else dict(data)
