"""Exercises as cards: the question, its hint, its solution and the discussion of it stand in one section."""

import re
from typing import Any

from docutils import nodes

from .markup import written

HEADINGS = {r"Exercise \d+": "tot-exercise", r"Solution \d+": "tot-solved"}


def mark(app: Any, doctree: nodes.document, docname: str) -> None:
    for section in doctree.findall(nodes.section):
        heading = written(section[0]) if section.children else ""
        section["classes"] += [name for words, name in HEADINGS.items() if re.match(words, heading)]


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
