"""Which pages the book has, in which order, and what is known about it: title, authors, language, version, date."""

import os
import posixpath
import re
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

import tot

ROOT = Path(__file__).resolve().parents[2]
FIRST = "book/index"
GENERATED = "book/reference/"  # the package's names, one by one: to look up on a screen, and half as much text again
# HTML has no case: the parser writes all names small, and SVG must have them as they are.
CASED = """
    attributeName clipPath clipPathUnits gradientTransform gradientUnits linearGradient markerHeight markerUnits
    markerWidth pathLength patternContentUnits patternTransform patternUnits preserveAspectRatio radialGradient refX
    refY spreadMethod startOffset textLength textPath viewBox foreignObject
"""
TRUE_CASE = {name.lower(): name for name in CASED.split()}


class NoBook(ValueError):
    """There are no built pages to make an edition of."""


@dataclass(frozen=True)
class Page:
    """``name``: as in _toc.yml ("notebooks/01_..."). ``title``: with its number. ``depth``: 1 for the second part of a
    chapter, else 0."""

    name: str
    title: str
    depth: int = 0

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.name)

    @property
    def key(self) -> str:
        """What its ids begin with, and the name of its file in an EPUB."""
        return re.sub(r"\W", "-", re.sub(r"^(book|notebooks)/", "", self.name))


@dataclass(frozen=True)
class Part:
    title: str
    pages: tuple[Page, ...]


@dataclass
class Volume:
    """A built book. ``left_out``: titles of the parts whose pages are not in this edition."""

    html: Path
    title: str
    language: str
    front: Page
    parts: list[Part]
    left_out: list[str] = field(default_factory=list)

    @property
    def pages(self) -> list[Page]:
        return [self.front, *(page for part in self.parts for page in part.pages)]

    def article(self, page: Page) -> Tag:
        """The article of a page. Raises NoBook where the page was not built."""
        text = _read(self.html, page.name)
        begin, end = text.find('<article class="bd-article"'), text.rfind("</article>")
        if begin < 0 or end < 0:
            raise NoBook(f"{page.name}.html has no article: build the book anew with `make book`")
        soup = BeautifulSoup(text[begin:end] + "</article>", "html.parser")
        cased(soup)
        assert isinstance(soup.article, Tag)
        return soup.article


def cased(soup: BeautifulSoup) -> None:
    """Give the names in pictures their capital letters back."""
    for drawing in soup.find_all("svg"):
        for element in (drawing, *drawing.find_all(True)):
            element.name = TRUE_CASE.get(element.name, element.name)
            element.attrs = {TRUE_CASE.get(name, name): value for name, value in element.attrs.items()}


def read(html: Path, everything: bool = False, only: tuple[str, ...] = ()) -> Volume:
    """The book in a folder of built pages. ``everything``: with the generated reference. ``only``: names of the pages
    to take, beside the first; all, if there are none. Raises NoBook."""
    soup = BeautifulSoup(_read(html, FIRST), "html.parser")
    parts, left_out = [], []
    for caption in soup.select("nav.bd-links .caption-text"):
        title, found = caption.get_text(strip=True), []
        for link in caption.parent.find_next_sibling("ul").select("a.reference"):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(FIRST), str(link["href"]).removesuffix(".html")))
            depth = sum("toctree-l" in " ".join(up.get("class", [])) for up in link.parents if up.name == "li") - 1
            found.append(Page(name, " ".join(link.get_text().split()), min(depth, 1)))
        kept = [page for page in found if everything or not page.name.startswith(GENERATED)]
        kept = [page for page in kept if not only or page.name in only]
        if kept:
            parts.append(Part(title, tuple(kept)))
        elif found:
            left_out.append(title)
    if unknown := {*only} - {FIRST, *(page.name for part in parts for page in part.pages)}:
        raise NoBook(f"there is no page {min(unknown)!r}: name it as _toc.yml does (of the reference with --all)")
    if not parts:
        raise NoBook(f"{html} has no list of pages: build the book anew with `make book`")
    root = soup.html
    language = str(root.get("lang", "en")).replace("_", "-") if root else "en"
    name = soup.select_one(".bd-article h1")
    front = Page(FIRST, name.find(string=True, recursive=False) if name else "")
    return Volume(html, str(front.title), language, front, parts, left_out if not only else [])


def _read(html: Path, name: str) -> str:
    try:
        return (html / f"{name}.html").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoBook(f"there is no {name}.html in {html}: build the book first with `make book`") from None


# ------------------------------------------------------------------------------------------------- about the book


@dataclass(frozen=True)
class About:
    authors: tuple[str, ...]
    version: str
    copyright: str
    date: datetime
    address: str
    keywords: tuple[str, ...]


def about() -> About:
    """From CITATION.cff, the licence of the text and the package."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = tuple(one.get("name") or f"{one['given-names']} {one['family-names']}" for one in citation["authors"])
    rights = re.search(r"Copyright \(c\) (\d{4}.*?),", (ROOT / "LICENSE-TEXT").read_text(encoding="utf-8"))
    rights_text = rights[1] if rights else ""
    when = date_of(citation, rights_text)
    address = os.environ.get("TOT_BOOK_URL", "").rstrip("/")
    return About(authors, tot.__version__, rights_text, when, address, tuple(citation["keywords"]))


def date_of(citation: dict[str, object], rights: str) -> datetime:
    """When the book was released; before that, the time of the commit, and without git the year of its copyright: two
    editions of one state of the repository are equal."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC)
    if released := citation.get("date-released"):
        return datetime.fromisoformat(str(released)).replace(tzinfo=UTC)
    try:
        command = ["git", "log", "-1", "--format=%ct"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return datetime.fromtimestamp(int(done.stdout), UTC)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return datetime(int(rights[:4] or 1970), 1, 1, tzinfo=UTC)
