"""The EPUB: a file of XHTML for each page, in the order of the book, with its pictures inside as SVG.

EPUB 3.3. Formulas stay SVG in the colour of the text; what has colours of its own (figures, code, cards) has a light
ground of its own as well, so that it can be read on a dark page. No script, no font and nothing from a network.
"""

import base64
import mimetypes
import re
import zipfile
from functools import partial
from hashlib import sha256
from html import escape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

import tinycss2
from bs4 import Tag
from pygments.formatters import HtmlFormatter

from tools.editions import links
from tools.editions.cover import SUBTITLE, cover
from tools.editions.progress import say, write_whole
from tools.editions.still import still, styles
from tools.editions.volume import About, Page, Volume
from tools.written import template

VARIABLE = re.compile(r"var\(--[\w-]+,\s*([^()]+)\)")
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
DARK = ('data-theme="dark"', "data-jp-theme-light")
DATA = re.compile(r"data:(image/\w+);base64,\s*(.*)", re.DOTALL)
FOLDER = "book"
XHTML = "application/xhtml+xml"
HERE = Path(__file__).parent


class Item(NamedTuple):
    """A file of the EPUB. ``properties``: what the manifest says about it; ``spine``: whether it is read in turn."""

    name: str
    kind: str
    content: bytes
    properties: str = ""
    spine: bool = False


def make_items(volume: Volume, about: About) -> list[Item]:
    """All files but the package document."""
    articles = {page: still(volume.article(page)) for page in volume.pages}
    links.resolve(articles, _place, about.address)
    found: dict[str, bytes] = {}
    for page, article in articles.items():
        links.pictures(article, partial(_taken, volume.html / page.folder, found))
        plain_pictures(article)
        for element in article.find_all(role=re.compile("^doc-(biblioentry|endnote)$")):
            del element["role"]  # deprecated
    sheet = light(styles(articles.values())) + (HERE / "epub.css").read_text(encoding="utf-8")
    sheet += "\n" + HtmlFormatter(style="a11y-high-contrast-light").get_style_defs(".highlight")
    front = template(HERE / "front.html.jinja", html=True).module
    title = escape(volume.title)
    contents = template(HERE / "nav.xhtml.jinja", html=True).render(volume=volume)
    items = [
        Item("cover.png", "image/png", cover(volume.title, about.authors), "cover-image"),
        Item("book.css", "text/css", sheet.encode()),
        _document(volume, "cover", "Cover", f'<p class="cover"><img src="cover.png" alt="{title}"/></p>'),
        _document(volume, "imprint", "About this edition", front.imprint(volume, about, "make epub")),
        _document(volume, "nav", "Contents", contents)._replace(properties="nav"),
        _page(volume, volume.front, articles[volume.front]),
    ]
    for number, part in enumerate(volume.parts, 1):
        inside = f"<p>Part {number}</p>\n<h1>{escape(part.title)}</h1>"
        items.append(_document(volume, f"part-{number}", part.title, f'<div class="part">{inside}</div>'))
        items += [_page(volume, page, articles[page]) for page in part.pages]
    items += [Item(name, mimetypes.guess_type(name)[0] or "", content) for name, content in sorted(found.items())]
    return items


def _place(here: Page, to: Page, at: str) -> str:
    file = "" if here == to and at else f"{to.key}.xhtml"
    return f"{file}#{at}" if at else file


def _page(volume: Volume, page: Page, article: Tag) -> Item:
    # the builder of a soup without a tree knows HTML's empty elements: <br/> has no end tag, <td> has one
    return _document(volume, page.key, page.title, article.decode_contents(formatter="minimal"))


def _document(volume: Volume, key: str, title: str, inside: str) -> Item:
    page = template(HERE / "page.xhtml.jinja", html=True)
    text = page.render(language=volume.language, title=title, inside=inside)
    return Item(f"{key}.xhtml", XHTML, NOT_XML.sub("\ufffd", text).encode(), "svg" if "<svg" in inside else "", True)


# ------------------------------------------------------------------------------------------------- pictures, styles


def _taken(folder: Path, found: dict[str, bytes], source: str) -> str:
    """A picture that is a file or data becomes a file of the EPUB; returns its name there."""
    if data := DATA.match(source):
        content, ending = base64.b64decode(data[2]), mimetypes.guess_extension(data[1]) or ""
    else:
        content, ending = (folder / source).read_bytes(), Path(source).suffix
    name = f"picture-{sha256(content).hexdigest()[:12]}{ending}"
    found[name] = content
    return name


def plain_pictures(article: Tag) -> None:
    """SVG that any e-reader can read: light colours, names of the older standard, no style sheet inside."""
    for drawing in article.find_all("svg"):
        if not drawing.find_parent("svg"):
            drawing["xmlns"] = "http://www.w3.org/2000/svg"
        for element in (drawing, *drawing.find_all(True)):
            for name, value in list(element.attrs.items()):
                if isinstance(value, str) and "var(" in value:
                    element[name] = VARIABLE.sub(r"\1", value)
                elif name == "href" and element.name in ("use", "image"):
                    element["xlink:href"] = element.attrs.pop("href")


def light(css: str) -> str:
    """A style sheet without what is for dark pages, for screens or for paper only."""
    kept = []
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        text = rule.serialize()
        if rule.type == "qualified-rule" and not any(word in tinycss2.serialize(rule.prelude) for word in DARK):
            kept.append(text)
    return "\n".join(kept) + "\n"


# ------------------------------------------------------------------------------------------------- the package


def package(volume: Volume, about: About, items: list[Item]) -> bytes:
    """The package document: what the book is, which files it has, and in which order they are read."""
    ids = {item.name: f"i-{re.sub(r'[^A-Za-z0-9]', '-', item.name)}" for item in items}
    # of two files with one identifier, a shelf keeps one: a language and a choice of pages have their own
    edition = " ".join(["thinking-in-trees", about.version, volume.language, *(page.name for page in volume.pages)])
    told = {"volume": volume, "about": about, "items": items, "ids": ids, "subtitle": " ".join(SUBTITLE.split())}
    told["identifier"] = f"urn:uuid:{uuid5(NAMESPACE_URL, edition)}"
    return template(HERE / "package.opf.jinja", html=True).render(told).encode()


CONTAINER = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    f'full-path="{FOLDER}/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
).encode()


def packed(volume: Volume, about: About, items: list[Item]) -> bytes:
    """The EPUB. Two calls give the same bytes."""
    inside = [("mimetype", b"application/epub+zip"), ("META-INF/container.xml", CONTAINER)]
    inside += [(f"{FOLDER}/package.opf", package(volume, about, items))]
    inside += [(f"{FOLDER}/{item.name}", item.content) for item in items]
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in inside:
            entry = zipfile.ZipInfo(name, about.date.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return file.getvalue()


def make(volume: Volume, about: About, path: Path) -> int:
    """Write the EPUB. Returns how many pages of the book it has."""
    say(f"Putting {len(volume.pages)} pages into one file")
    write_whole(path, packed(volume, about, make_items(volume, about)))
    return len(volume.pages)
