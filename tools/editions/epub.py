"""The EPUB: a file of XHTML for each page, in the order of the book, with its pictures inside as SVG.

EPUB 3.3. Formulas stay SVG in the colour of the text; what has colours of its own (figures, code, cards) has a light
ground of its own as well, so that it can be read on a dark page. No script, no font and nothing from a network.
"""

import base64
import mimetypes
import re
import zipfile
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import tinycss2
from bs4 import Tag
from pygments.formatters import HtmlFormatter

from tools.editions import front, links
from tools.editions.cover import SUBTITLE, cover
from tools.editions.progress import working, write_whole
from tools.editions.still import still, styles
from tools.editions.volume import About, Page, Volume

NAMESPACES = (
    'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)
VARIABLE = re.compile(r"var\(--[\w-]+,\s*([^()]+)\)")
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
DARK = ('data-theme="dark"', "data-jp-theme-light")
DATA = re.compile(r"data:(image/\w+);base64,\s*(.*)", re.DOTALL)
FOLDER = "book"
XHTML = "application/xhtml+xml"
COVER = '<p class="cover"><img src="cover.png" alt="{}"/></p>'


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
    sheet = light(styles(articles.values())) + files(__package__).joinpath("epub.css").read_text(encoding="utf-8")
    sheet += "\n" + HtmlFormatter(style="a11y-high-contrast-light").get_style_defs(".highlight")
    items = [
        Item("cover.png", "image/png", cover(volume.title, about.authors), "cover-image"),
        Item("book.css", "text/css", sheet.encode()),
        _document(
            volume, "cover", "Cover", f'<p class="cover"><img src="cover.png" alt="{escape(volume.title)}"/></p>'
        ),
        _document(volume, "imprint", "About this edition", front.imprint(volume, about, "make epub")),
        Item("nav.xhtml", XHTML, navigation(volume), "nav", True),
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
    text = (
        f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html {NAMESPACES} lang="{volume.language}" '
        f'xml:lang="{volume.language}">\n<head><meta charset="utf-8"/><title>{escape(title)}</title>'
        f'<link rel="stylesheet" type="text/css" href="book.css"/></head>\n'
        f'<body class="bd-article">{inside}</body></html>\n'
    )
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


def navigation(volume: Volume) -> bytes:
    """The table of contents, which is a page as well: parts, and their pages below them."""

    def entry(page: Page) -> str:
        return f'<li><a href="{page.key}.xhtml">{escape(page.title)}</a></li>'

    parts = [
        f'<li><a href="part-{number}.xhtml">{escape(part.title)}</a>\n<ol>{"".join(map(entry, part.pages))}</ol></li>'
        for number, part in enumerate(volume.parts, 1)
    ]
    inside = f'<nav epub:type="toc" id="toc"><h1>Contents</h1>\n<ol>{entry(volume.front)}\n' + "\n".join(parts)
    inside += (
        '</ol></nav>\n<nav epub:type="landmarks" hidden=""><h2>Landmarks</h2><ol>'
        '<li><a epub:type="cover" href="cover.xhtml">Cover</a></li><li><a epub:type="toc" href="#toc">Contents</a></li>'
        f'<li><a epub:type="bodymatter" href="{volume.front.key}.xhtml">Start</a></li></ol></nav>'
    )
    return _document(volume, "nav", "Contents", inside).content


def package(volume: Volume, about: About, items: Iterable[Item]) -> bytes:
    """The package document: what the book is, which files it has, and in which order they are read."""
    items = list(items)
    ids = {item.name: f"i-{re.sub(r'[^A-Za-z0-9]', '-', item.name)}" for item in items}
    creators = "".join(f"<dc:creator>{escape(name)}</dc:creator>" for name in about.authors)
    subjects = "".join(f"<dc:subject>{escape(word)}</dc:subject>" for word in about.keywords)
    access = {
        "accessMode": ["textual", "visual"],
        "accessModeSufficient": ["textual,visual", "textual"],
        "accessibilityFeature": ["alternativeText", "structuralNavigation", "tableOfContents"],
        "accessibilityHazard": ["none"],
        "accessibilitySummary": ["Each figure and each formula has a description in words."],
    }
    told = "".join(
        f'<meta property="schema:{key}">{value}</meta>' for key, values in access.items() for value in values
    )
    manifest = "".join(
        f'<item id="{ids[item.name]}" href="{item.name}" media-type="{item.kind}"'
        + (f' properties="{item.properties}"' if item.properties else "")
        + "/>\n"
        for item in items
    )
    spine = "".join(f'<itemref idref="{ids[item.name]}"/>\n' for item in items if item.spine)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        f'unique-identifier="book-id" xml:lang="{volume.language}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="book-id">{about.identifier}</dc:identifier>'
        f"<dc:title>{escape(volume.title)}</dc:title>{creators}<dc:language>{volume.language}</dc:language><dc:date>{about.date:%Y-%m-%d}</dc:date>{subjects}"
        f"<dc:description>{escape(' '.join(SUBTITLE.split()))}</dc:description>"
        f"<dc:rights>{escape(about.copyright)}; text CC BY 4.0, code MIT</dc:rights>"
        f'<meta property="dcterms:modified">{about.date:%Y-%m-%dT%H:%M:%SZ}</meta>'
        f'<meta name="cover" content="{ids["cover.png"]}"/>{told}</metadata>\n'
        f"<manifest>\n{manifest}</manifest>\n<spine>\n{spine}</spine>\n</package>\n"
    ).encode()


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
    with working(f"Putting {len(volume.pages)} pages into one file"):
        content = packed(volume, about, make_items(volume, about))
    write_whole(path, content)
    return len(volume.pages)
