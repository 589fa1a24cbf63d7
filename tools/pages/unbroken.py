"""What should not be torn apart at the end of a line: a short piece of code, and a formula and the signs that touch it.

A browser may break a line at each blank of ``_ h _ _ e``, at the minus of ``-prune``, and between a picture (which a
formula is) and the full stop behind it or the bracket before it.
"""

import re
from typing import Any

from docutils import nodes

SHORT = 22  # characters of code that stay together: they fit a phone's column with room to spare
BEFORE = re.compile(r"[(\[“‘\"'（《「]+$")
AFTER = re.compile(r"^[)\]”’\"'.,;:!?%）》」。，；：！？、]+")


def unbroken(node: nodes.Element) -> None:
    """Put ``node``, with the signs that touch it, into an inline element that is not broken."""
    parent = node.parent
    place = parent.index(node)
    before, after = _text(parent, place - 1), _text(parent, place + 1)
    head, tail = BEFORE.search(before), AFTER.search(after)
    box = nodes.inline(classes=["tot-unbroken"])
    parts: list[nodes.Node] = [box]
    if head:
        parts.insert(0, nodes.Text(before[: head.start()]))
        box += nodes.Text(head[0])
    box += node.deepcopy()
    if tail:
        box += nodes.Text(tail[0])
        parts.append(nodes.Text(after[tail.end() :]))
    first, last = place - bool(head), place + bool(tail)
    parent[first : last + 1] = [part for part in parts if not isinstance(part, nodes.Text) or part]


def _text(parent: nodes.Element, place: int) -> str:
    return str(parent[place]) if 0 <= place < len(parent) and isinstance(parent[place], nodes.Text) else ""


def keep_together(app: Any, doctree: nodes.document, docname: str) -> None:
    for node in list(doctree.findall(lambda n: isinstance(n, nodes.literal | nodes.math))):
        short = isinstance(node, nodes.math) or len(node.astext()) <= SHORT
        if short and isinstance(node.parent, nodes.paragraph | nodes.emphasis | nodes.strong):
            unbroken(node)


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", keep_together, priority=900)  # after those that look for words and links
    return {"parallel_read_safe": True, "parallel_write_safe": True}
