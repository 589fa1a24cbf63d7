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


def resolve(
    article: Tag, page: Page, pages: Mapping[str, Page], inside: Callable[[Page, str], str], address: str
) -> list[str]:
    """Point each link at its place in the file. ``pages``: by name, those of the edition. ``inside``: the address of a
    page, or of a place in it. Where a link goes to a page that the edition does not have, it goes to the book's address
    on the web, and where it has none, only its words stay. Returns the targets that were let go."""
    let_go = []
    for link in article.find_all("a"):
        href = link.get("href")
        if not href or OUTSIDE.match(href):
            continue
        path, _, place = unquote(href).partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path)) if path else f"{page.name}.html"
        target = pages.get(name.removesuffix(".html"))
        if target:
            link["href"] = inside(target, place)
        elif address:
            link["href"] = f"{address}/{name}{'#' * bool(place)}{place}"
        else:
            let_go.append(name)
            link.name, link.attrs = "span", {}
    return let_go


def dangling(article: Tag, ids: set[str]) -> list[str]:
    """Links into the file that lead nowhere."""
    return [a["href"] for a in article.find_all("a", href=re.compile("^#")) if a["href"][1:] not in ids]
