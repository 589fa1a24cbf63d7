"""A block quote that begins with "**In practice.**", "**Where it breaks.**" or "**In the paper.**" is a note."""

from typing import Any

from docutils import nodes

from .markup import Markup, lead, lead_written

KINDS = {"In practice.": "practice", "Where it breaks.": "breaks", "In the paper.": "paper"}


def colour(app: Any, doctree: nodes.document, docname: str) -> None:
    if app.builder.format != "html":
        return
    for quote in list(doctree.findall(nodes.block_quote)):
        first = lead(quote[0])
        kind = KINDS.get(lead_written(quote[0])) if first else None
        if first and kind:
            first["classes"].append("tot-note-title")
            quote.replace_self(Markup("aside", *quote.children, class_=f"tot-note tot-note-{kind}", role="note"))


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.connect("doctree-resolved", colour)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
