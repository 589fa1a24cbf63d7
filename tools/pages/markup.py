"""Elements of HTML that docutils has no node for, such as <details> and <figure>: a node that is written as it is."""

import re
from copy import deepcopy
from html import escape
from typing import Any

from docutils import nodes


class Markup(nodes.General, nodes.Element):
    """``Markup(tag, *children, **attributes)``: an HTML element around its children. ``class_`` is its class."""

    def __init__(self, tag: str = "div", *children: nodes.Node, **attributes: str) -> None:
        super().__init__("")
        self.extend(children)
        self["tag"], self["html"] = (
            tag,
            {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()},
        )

    def copy(self) -> "Markup":
        """docutils copies a node by its attributes, not by the arguments it was made with."""
        made = type(self)()
        made.attributes = deepcopy(self.attributes)
        return made


class Phrase(Markup, nodes.Inline, nodes.TextElement):
    """Markup whose children are text and links: docutils writes a link in anything else as a block of its own."""


def opening(node: Markup) -> str:
    attributes = {"id": node["ids"][0]} | node["html"] if node["ids"] else node["html"]
    return f"<{node['tag']}" + "".join(f' {name}="{escape(value)}"' for name, value in attributes.items()) + ">"


def raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def details(summary: str, *children: nodes.Node, class_: str) -> Markup:
    """A part of the page behind its summary; it opens by itself where it is printed (components.css)."""
    return Markup("details", Phrase("summary", nodes.Text(summary)), *children, class_=f"tot-fold {class_}")


def is_cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def tags(cell: nodes.Element) -> list[str]:
    return list(cell["cell_metadata"].get("tags", ()))


def part(cell: nodes.Element, name: str) -> nodes.Element | None:
    """The input ("source") or the outputs ("output") of a cell, if it has them."""
    return next((n for n in cell.findall(nodes.container) if n.get("nb_element") == f"cell_code_{name}"), None)


def lead(paragraph: nodes.Node) -> nodes.strong | None:
    """The bold words that a paragraph begins with, if it does. (MyST puts an empty text before them.)"""
    if not isinstance(paragraph, nodes.paragraph):
        return None
    first = next((child for child in paragraph.children if child.astext()), None)
    return first if isinstance(first, nodes.strong) else None


def written(node: nodes.Element) -> str:
    """What an author wrote: the English, in a translated page, too."""
    return node.rawsource or node.astext()


def lead_written(paragraph: nodes.Element) -> str:
    """The bold words that a paragraph begins with, as they were written in English; "" if it begins otherwise."""
    bold = lead(paragraph)
    source = re.match(r"\*\*(.+?)\*\*", paragraph.rawsource) if bold else None
    return source[1] if source else bold.astext() if bold else ""


def visit(translator: Any, node: Markup) -> None:
    translator.body.append(opening(node))


def depart(translator: Any, node: Markup) -> None:
    translator.body.append(f"</{node['tag']}>")


def pass_through(translator: Any, node: Markup) -> None:
    """Other builders show what is inside."""


def setup(app: Any) -> dict[str, bool]:
    plain = (pass_through, pass_through)
    for node in (Markup, Phrase):
        app.add_node(node, html=(visit, depart), text=plain, latex=plain, man=plain, texinfo=plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
