"""The components of a chapter. Captions and folds are extensions of their own; the others are here:

- what a reader will be able to do stands in the margin, and is no section of its own;
- an exercise is a card: the question, its hint, its solution and the discussion of it stand in one section;
- a block quote that begins with "**In practice.**", "**Where it breaks.**" or "**In the paper.**" is a note, the last
  also in the margin;
- open code of more than eight lines is folded on a phone;
- printed text in columns, which a wrapped line would break, is marked, so that a phone scrolls it instead.

contributing/chapters.md says what an author writes for each.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform

from .markup import Markup, details, is_cell, lead, lead_written, part, written

HEADINGS = {r"Exercise \d+": "tot-exercise", r"Solution \d+": "tot-solved"}
NOTES = {"In practice.": "practice", "Where it breaks.": "breaks", "In the paper.": "paper"}
LINES = 8  # of code that a phone shows unasked
ROWS = 3  # so many lines with a wide space between words are columns
BETWEEN = re.compile(r"\S {2,}\S")


class Objectives(SphinxTransform):
    """Before the page's contents are made, which then have no such section."""

    default_priority = 790

    def apply(self, **_: Any) -> None:
        for section in list(self.document.findall(nodes.section)):
            if section.children and written(section[0]) == "Learning objectives":
                title, *rest = section.children
                end = 1 + next((i for i, node in enumerate(rest) if isinstance(node, nodes.bullet_list)), -1)
                aside = Markup("aside", *rest[:end], class_="margin", aria_label=title.astext())
                aside["ids"] = section["ids"]
                section.replace_self([aside, *rest[end:]])


def exercises(app: Any, doctree: nodes.document, docname: str) -> None:
    for section in doctree.findall(nodes.section):
        heading = written(section[0]) if section.children else ""
        section["classes"] += [name for words, name in HEADINGS.items() if re.match(words, heading)]


def notes(app: Any, doctree: nodes.document, docname: str) -> None:
    if app.builder.format != "html":
        return
    for quote in list(doctree.findall(nodes.block_quote)):
        first = lead(quote[0])
        kind = NOTES.get(lead_written(quote[0])) if first else None
        if first and kind:
            first["classes"].append("tot-note-title")
            names = f"tot-note tot-note-{kind}" + " margin" * (kind == "paper")
            quote.replace_self(Markup("aside", *quote.children, class_=names, role="note"))


def in_columns(text: str) -> bool:
    return sum(bool(BETWEEN.search(line)) for line in text.splitlines()) >= ROWS


def columns(app: Any, doctree: nodes.document, docname: str) -> None:
    for printed in doctree.findall(nodes.literal_block):
        if "stream" in printed["classes"] and in_columns(printed.astext()):
            printed["classes"].append("tot-columns")


def long_code(app: Any, doctree: nodes.document, docname: str) -> None:
    """Code of many lines is a fold, which only a phone closes (components.css)."""
    for cell in doctree.findall(is_cell):
        source = part(cell, "source")
        lines = len(source.astext().splitlines()) if source else 0
        if source and source.parent is cell and lines > LINES:
            words = translated("Code, {number} lines").format(number=lines)
            cell.replace(source, details(words, source.deepcopy(), class_="tot-long"))


def setup(app: Any) -> dict[str, bool]:
    for name in ("markup", "captions", "folding"):
        app.setup_extension(f"tools.pages.{name}")
    app.add_transform(Objectives)
    for mark in (notes, exercises, columns):
        app.connect("doctree-resolved", mark)
    app.connect("doctree-resolved", long_code, priority=800)  # what folding leaves open
    return {"parallel_read_safe": True, "parallel_write_safe": True}
