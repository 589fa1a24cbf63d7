"""Links between pages become links within one file."""

import posixpath
import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from bs4 import Tag

from tools.editions.volume import Page

REFERS = re.compile(r"url\(\s*[\"']?#([^)\"']+)[\"']?\s*\)")
NAMING = ("aria-labelledby", "aria-describedby", "for", "headers")
OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def prefix_ids(article: Tag, key: str) -> None:
    """Make ids unique in a file of many pages: "summary" becomes "06_tot...--summary". A page's own id is its key."""
    for element in (article, *article.find_all(True)):
        if element.get("id"):
            element["id"] = f"{key}--{element['id']}"
        for name in NAMING:
            if element.get(name):
                value = element[name]
                words = value.split() if isinstance(value, str) else value
                element[name] = " ".join(f"{key}--{word}" for word in words)
        for name, value in list(element.attrs.items()):
            if isinstance(value, str) and "url(" in value:
                element[name] = REFERS.sub(rf"url(#{key}--\1)", value)
            elif name in ("href", "xlink:href") and element.name != "a" and str(value).startswith("#"):
                element[name] = f"#{key}--{value[1:]}"


def resolve(articles: Mapping[Page, Tag], inside: Callable[[Page, Page, str], str], address: str) -> None:
    """Point each link at its place in the file. ``inside``: how one page calls another, or a place in it. A place that
    is not there any more becomes its page. A link to a page that the edition does not have goes to the book's address
    on the web; where the book has none, only its words stay."""
    pages = {page.name: page for page in articles}
    places = {page: {e["id"] for e in article.find_all(id=True)} for page, article in articles.items()}
    for page, article in articles.items():
        for link in article.find_all("a"):
            href = link.get("href")
            if not href or OUTSIDE.match(href):
                continue
            path, _, place = unquote(href).partition("#")
            name = posixpath.normpath(posixpath.join(page.folder, path)) if path else f"{page.name}.html"
            target = pages.get(name.removesuffix(".html"))
            if target:
                link["href"] = inside(page, target, place if place in places[target] else "")
            elif address:
                link["href"] = f"{address}/{name}{'#' * bool(place)}{place}"
            else:
                link.name, link.attrs = "span", {}


def pictures(article: Tag, address: Callable[[str], str]) -> None:
    """Give each picture that is no part of the page itself the address that it has in the file."""
    for element in article.find_all(["img", "image"]):
        for name in ("src", "href", "xlink:href"):
            if element.get(name):
                element[name] = address(element[name])
