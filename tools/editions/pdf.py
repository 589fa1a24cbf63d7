"""The PDF: all pages in one HTML document, printed by Chromium, with an outline and page numbers of our own.

One document and one print, since only so do the links stay inside, and do the tags (headings, figures with their
words, tables) make one tree. Numbers in the contents come from a first print; the second one has them.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import tinycss2
from bs4 import BeautifulSoup, Tag

from tools.editions import browser, links
from tools.editions.cover import SUBTITLE, cover
from tools.editions.progress import say, write_whole
from tools.editions.still import still, styles
from tools.editions.volume import About, Volume
from tools.written import template

HERE = Path(__file__).parent
PAPERS = {"a4": ("A4", 210.0), "letter": ("Letter", 215.9)}  # CSS name, width in millimetres
MARGIN = 20.0  # millimetres at either side, as in pdf.css


@dataclass(frozen=True)
class Heading:
    """``level``: 0 for a part, 1 for a page, 2 for a second part or a section of a page ..."""

    level: int
    title: str


# ---------------------------------------------------------------------------------------------------- one document


def document(volume: Volume, about: About, paper: str) -> tuple[str, list[Heading]]:
    """The whole book as HTML, and its headings of the first two levels, in order."""
    articles = {page: still(volume.article(page)) for page in volume.pages}
    links.resolve(articles, lambda _, to, at: f"#{to.key}--{at}" if at else f"#{to.key}", about.address)
    for page, article in articles.items():
        links.pictures(article, partial(_address, volume.html / page.folder))
        links.prefix_ids(article, page.key)
        article["id"], article["style"] = page.key, f"page: p-{page.key}"
    css = styles(articles.values())  # takes them out
    headings = [Heading(0, "About this edition"), Heading(0, "Contents"), *_headings(articles[volume.front], 0)]
    for part in volume.parts:
        headings.append(Heading(0, part.title))
        for page in part.pages:
            headings += _headings(articles[page], 1 + page.depth)
    html = template(HERE / "pdf.html.jinja", html=True).render(
        volume=volume,
        about=about,
        articles=articles,
        sheets=_sheets(volume.html),
        css=css,
        own=_fonts() + (HERE / "pdf.css").read_text(encoding="utf-8") + _running(volume, paper),
        cover=_svg_cover(volume, about),
    )
    return html, headings


def _address(folder: Path, name: str) -> str:
    return name if name.startswith("data:") else (folder / name).resolve().as_uri()


def _headings(article: Tag, level: int) -> list[Heading]:
    """h1 and h2 of a page; Chromium's outline has the other levels as well, which are left out."""
    found = []
    for heading in article.find_all(["h1", "h2"]):
        found.append(Heading(level + (heading.name == "h2"), " ".join(heading.get_text().split())))
    return found


def _sheets(html: Path) -> list[Path]:
    """The style sheets of the built pages, in their order."""
    text = (html / "book" / "index.html").read_text(encoding="utf-8")
    head = BeautifulSoup(text[: text.index("</head>")], "html.parser")
    found = [str(link["href"]).partition("?")[0] for link in head.find_all("link", rel="stylesheet")]
    return [(html / "book" / name).resolve() for name in found if not name.startswith("http")]


def _svg_cover(volume: Volume, about: About) -> str:
    svg = cover(volume.title, about.authors, "svg").decode()
    return svg[svg.index("<svg") :].replace("<svg ", '<svg aria-hidden="true" ', 1)


STYLES = ((400, "normal"), (400, "italic"), (700, "normal"), (700, "italic"))
FONTS = {  # that matplotlib brings, a file for each of these styles: the book looks the same wherever it is printed
    "Book": ("STIXGeneral", "STIXGeneralItalic", "STIXGeneralBol", "STIXGeneralBolIta"),
    "Book Sans": ("DejaVuSans", "DejaVuSans-Oblique", "DejaVuSans-Bold", "DejaVuSans-BoldOblique"),
    "Book Mono": ("DejaVuSansMono", "DejaVuSansMono-Oblique", "DejaVuSansMono-Bold", "DejaVuSansMono-BoldOblique"),
}


def _fonts() -> str:
    from matplotlib import get_data_path

    folder, rule = Path(get_data_path(), "fonts", "ttf"), '@font-face{{font-family:"{}";src:url("{}");{}}}'
    return "\n".join(
        rule.format(family, (folder / f"{name}.ttf").as_uri(), f"font-weight:{weight};font-style:{style}")
        for family, names in FONTS.items()
        for name, (weight, style) in zip(names, STYLES, strict=True)
    )


def _running(volume: Volume, paper: str) -> str:
    """The size of the paper, and above each page its part and its chapter."""
    rules = [f"@page {{ size: {PAPERS[paper][0]}; }}"]
    parts = {page: part.title for part in volume.parts for page in part.pages}
    for page in volume.pages:
        left, right = css_text(parts.get(page, "")), css_text(page.title)
        rules.append(f"@page p-{page.key} {{ @top-left {{ content: {left}; }} @top-right {{ content: {right}; }} }}")
    return "\n".join(rules)


def css_text(text: str) -> str:
    """The text as a string of CSS that may stand in a <style> element."""
    return '"' + tinycss2.serializer.serialize_string_value(text.replace("\0", "\ufffd")).replace("<", "\\3c ") + '"'


# ---------------------------------------------------------------------------------------------------- the file


def printed(html: str, fill: Callable[[Any], None], paper: str) -> Iterator[bytes]:
    """The document as PDF, again and again: after each print ``fill`` may change it in the browser."""
    width = (PAPERS[paper][1] - 2 * MARGIN) / 25.4 * 96  # of the text, in CSS pixels
    with tempfile.TemporaryDirectory() as folder, browser.tab(int(width)) as tab:
        file = Path(folder, "book.html")
        file.write_text(html, encoding="utf-8")
        tab.emulate_media(media="print")
        tab.goto(file.as_uri(), wait_until="load", timeout=browser.PATIENCE)
        tab.evaluate("document.fonts.ready.then(() => true)")
        if lost := tab.evaluate((HERE / "pdf.js").read_text(encoding="utf-8")):
            say(f"No font here has {lost[:9]}: {len(lost)} letters stay empty; for Chinese install fonts-noto-cjk")
        while True:
            yield tab.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
            fill(tab)


def make(volume: Volume, about: About, path: Path, paper: str = "a4") -> int:
    """Write the PDF. Returns how many pages it has. Raises browser.NoBrowser."""
    say(f"Putting {len(volume.pages)} pages into one document")
    html, headings = document(volume, about, paper)
    numbers: list[str] = []

    def fill(tab: Any) -> None:
        tab.evaluate(
            "numbers => document.querySelectorAll('.contents-number').forEach((e, i) => e.textContent = numbers[i])",
            numbers,
        )

    prints = printed(html, fill, paper)
    try:
        say("Printing, to learn the numbers of the pages (a minute)")
        numbers += page_numbers(next(prints), (page.key for page in volume.pages))
        say("Printing, with the numbers in the contents (a minute)")
        second = next(prints)
    finally:
        prints.close()
    say("Writing outline, title and date")
    content, count = finished(second, headings, volume, about)
    write_whole(path, content)
    return count


def page_numbers(pdf: bytes, keys: Iterable[str]) -> list[str]:
    """On which sheet each place begins, as it is written in the contents; the first sheet is 1."""
    with pikepdf.open(BytesIO(pdf)) as file:
        sheets = {page.objgen: str(number) for number, page in enumerate(file.pages, 1)}
        return [sheets[file.Root.Dests[f"/{key}"][0].objgen] for key in keys]


def finished(pdf: bytes, headings: list[Heading], volume: Volume, about: About) -> tuple[bytes, int]:
    """The PDF with an outline of parts, pages and sections, and with title, authors and date; and how many pages."""
    with pikepdf.open(BytesIO(pdf)) as file:
        with file.open_outline() as outline:
            found = [item.destination for item in _two_levels(outline.root)]
            if len(found) != len(headings):
                raise RuntimeError(f"the browser found {len(found)} headings, the book has {len(headings)}")
            outline.root[:] = nested(list(zip(headings, found, strict=True)))
        date = about.date.strftime("D:%Y%m%d%H%M%S+00'00'")
        del file.trailer.Info
        told = {
            "/Title": volume.title, "/Author": ", ".join(about.authors), "/Subject": " ".join(SUBTITLE.split()),
            "/Keywords": ", ".join(about.keywords), "/CreationDate": date, "/ModDate": date,
        }  # fmt: skip
        for key, value in told.items():
            file.docinfo[key] = value
        file.Root.Lang = volume.language
        file.Root.PageMode = pikepdf.Name.UseOutlines
        file.remove_unreferenced_resources()
        content = BytesIO()
        file.save(content, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return content.getvalue(), len(file.pages)


def _two_levels(outline: list[Any]) -> Iterator[Any]:
    """Of the browser's outline what comes from <h1> and <h2>: the headings of ``document``, in its order."""
    for item in outline:
        yield item
        yield from item.children


def nested(places: list[tuple[Heading, Any]]) -> list[Any]:
    """The outline: a heading hangs from the last one before it that stands higher."""
    root: list[Any] = []
    above: list[tuple[int, list[Any]]] = [(-1, root)]
    for heading, destination in places:
        while above[-1][0] >= heading.level:
            above.pop()
        item = pikepdf.OutlineItem(heading.title, destination)
        item.is_closed = True
        above[-1][1].append(item)
        above.append((heading.level, item.children))
    return root
