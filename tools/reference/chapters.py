"""Which chapter builds a name of the package, and where its paper has it: read from what the book already says.

In this order: book/paper_to_code.md, where that is written down; book/glossary.md; else the code of the chapters.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tot", "treebook")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[([^\]]+)\]\(\.\./notebooks/(\w+)\.ipynb\)")


class Place(NamedTuple):
    """A chapter, or a part of one: what it is called in a list ("6", "6, part two"), and its notebook."""

    label: str
    notebook: str


class Row(NamedTuple):
    """A line of book/paper_to_code.md: its section of that page, the first cell, the code named, and the chapters."""

    section: str
    what: str
    code: tuple[str, ...]
    places: tuple[Place, ...]


@cache
def find(dotted: str) -> Any:
    """The object that "tot.run" or "tot.Trace.load" names, None if there is none."""
    words = dotted.split(".")
    for split in range(len(words), 0, -1):
        with suppress(ImportError):
            found: Any = import_module(".".join(words[:split]))
            for word in words[split:]:
                found = getattr(found, word, None)
            if found is not None:
                return found
    return None


@cache
def rows() -> tuple[Row, ...]:
    """The lines of book/paper_to_code.md that name code."""
    found, section = [], ""
    for line in (ROOT / "book" / "paper_to_code.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) >= 2:
            chapters = cells[2] if len(cells) > 2 else ""
            places = tuple(Place(*link) for link in LINK.findall(chapters))
            if code := tuple(CODE.findall(cells[1])):
                found.append(Row(section, cells[0], code, places))
    return tuple(found)


def _ours(dotted: str) -> bool:
    return dotted.partition(".")[0] in PACKAGES and "." in dotted


def rows_of(thing: Any) -> list[Row]:
    """The lines that name this object of the package, under any of its names."""
    return [row for row in rows() if any(_ours(name) and find(name) is thing for name in row.code)]


def rows_of_method(name: str) -> list[Row]:
    """The lines that name this method of ``tot.METHODS``, such as "tot-bfs"."""
    return [row for row in rows() if name in row.code]


@cache
def _glossary() -> tuple[tuple[str, tuple[Place, ...]], ...]:
    """(name in the package, chapters) of the terms."""
    lines = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8").splitlines()
    facts = [(CODE.findall(line), LINK.findall(line)) for line in lines if "Code: " in line]
    labelled = [
        (names, [(label.removeprefix("Chapter "), notebook) for label, notebook in links]) for names, links in facts
    ]
    return tuple((name, tuple(Place(*link) for link in links)) for names, links in labelled for name in names)


@cache
def _labels() -> dict[str, str]:
    """Notebook -> what it is called in a list, by its title in _toc.yml; in the order of the book."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    listed = [entry for chapter in chapters for entry in (chapter, *chapter.get("sections", ()))]
    numbered = ((Path(entry["file"]).name, re.match(r"\d+(, part \w+)?", entry.get("title", ""))) for entry in listed)
    return {notebook: label.group() for notebook, label in numbered if label}


@cache
def _used() -> dict[int, list[Place]]:
    """id of an object -> the chapters whose code names it."""
    found: dict[int, list[Place]] = {}
    for notebook, label in _labels().items():
        tree = ast.parse((ROOT / "notebooks" / f"{notebook}.py").read_text(encoding="utf-8"))
        for thing in {id(find(name)) for name in set(_names(tree)) if find(name) is not None}:
            found.setdefault(thing, []).append(Place(label, notebook))
    return found


def _names(tree: ast.AST) -> Iterator[str]:
    """The names of the package in a chapter's code: what it imports, and attributes of what it imports."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {
                alias.asname or top: alias.name if alias.asname else top
                for alias in node.names
                if (top := alias.name.partition(".")[0]) in PACKAGES
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES:
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    yield from known.values()
    for node in ast.walk(tree):
        words: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            words.insert(0, inner.attr)
            inner = inner.value
        if words and isinstance(inner, ast.Name) and inner.id in known:
            yield ".".join([known[inner.id], *words])


def places(thing: Any) -> tuple[str, list[Place]]:
    """How the chapters have to do with an object of the package ("built in", "used in"), and which they are."""
    built = [place for row in rows_of(thing) for place in row.places]
    built = built or [
        place for name, chapters in _glossary() if _ours(name) and find(name) is thing for place in chapters
    ]
    if built:
        return "built in", sorted(dict.fromkeys(built), key=_place_in_book)
    return "used in", _used().get(id(thing), [])


def _place_in_book(place: Place) -> int:
    order = list(_labels())
    return order.index(place.notebook) if place.notebook in order else len(order)  # the appendices come last
