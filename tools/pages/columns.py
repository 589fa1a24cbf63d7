"""Printed text that stands in columns, which a wrapped line would break: marked, so that a phone scrolls it instead."""

import re
from typing import Any

from docutils import nodes

ROWS = 3  # so many lines with a wide space between words
BETWEEN = re.compile(r"\S {2,}\S")


def in_columns(text: str) -> bool:
    return sum(bool(BETWEEN.search(line)) for line in text.splitlines()) >= ROWS


def mark(app: Any, doctree: nodes.document, docname: str) -> None:
    for printed in doctree.findall(nodes.literal_block):
        if "stream" in printed["classes"] and in_columns(printed.astext()):
            printed["classes"].append("tot-columns")


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
