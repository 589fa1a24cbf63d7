"""What a page opens for those who ask: code by a mark beside what it made, answers by the guess, solutions by a line.

All of it is native <details>: it needs no script, and the keyboard opens it. contributing/chapters.md says when to use
which tag.
"""

from itertools import takewhile
from typing import Any

from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform

from .captions import asks
from .markup import Markup, Phrase, details, is_cell, part, raw, tags, written

FOLDED = {"set-up", "plot"}  # tags of cells whose code steps back
IN_STEP = (  # who opens the discussion by a link to it, or by searching, opens the answer too
    "this.closest('.tot-predicted').querySelectorAll('.tot-predict>.tot-reveal').forEach(o=>o.open=this.open)"
)


class LeaveToUs(SphinxTransform):
    """myst-nb folds hide-cell itself, with words of its own: take the note away that makes it do so."""

    default_priority = 200

    def apply(self, **_: Any) -> None:
        for cell in self.document.findall(is_cell):
            cell.attributes.pop("hide_mode", None)


def remark(code: str) -> str:
    """The comment in the first line of a cell, if it has one."""
    first = code.lstrip().partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def mark(about: str, *children: nodes.Node, class_: str) -> Markup:
    """A word in the margin that opens what stands behind it. ``about``: what that is, where the pointer rests on it."""
    word = translated("Checked") if class_ == "tot-checked" else translated("Code")
    said = {"title": translated("{word}: {about}").format(word=word, about=about)} if about else {}
    return Markup("details", Phrase("summary", nodes.Text(word), **said), *children, class_=f"tot-mark {class_}")


def fold(cell: nodes.container) -> None:
    named, source = tags(cell), part(cell, "source")
    about = remark(source.astext()) if source else ""
    if "hide-cell" in named or "checked" in named:
        inside, cell.children = list(cell.children), []
        if "hide-cell" in named:
            cell += details(translated("Show solution"), *inside, class_="tot-solution")
        else:
            about = about or translated("the package agrees")
            cell += mark(about, *inside, class_="tot-checked")
    elif source and (FOLDED & {*named} or asks(cell)):
        cell.replace(source, mark(about, source.deepcopy(), class_="tot-code"))


def is_silent(node: nodes.Node) -> bool:
    """A set-up of which nothing is seen but its code."""
    return is_cell(node) and "set-up" in tags(node) and not part(node, "output")


def gather(doctree: nodes.document) -> None:
    """Set-ups that follow each other are one; those that the page's code begins with stand at its end."""
    cells = list(doctree.findall(is_cell))
    first = next((cell for cell in cells if part(cell, "source")), None)  # a drawing before it has none
    grouped: set[nodes.Node] = set()
    for cell in cells:
        if cell in grouped or not is_silent(cell):
            continue
        parent, place = cell.parent, cell.parent.index(cell)
        group = list(takewhile(is_silent, parent[place:]))
        grouped |= {*group}
        for one in group:
            parent.remove(one)
        if cell is first:
            top = doctree.next_node(nodes.section)
            end = [top, *(node for node in top if isinstance(node, nodes.section))][-1]
            end += details(translated("Imports and set-up"), *group, class_="tot-imports")
        else:
            about = [remark(source.astext()) for one in group if (source := part(one, "source"))]
            parent.insert(place, mark("; ".join(filter(None, about)), *group, class_="tot-code"))


def fold_all(app: Any, doctree: nodes.document, docname: str) -> None:
    if app.builder.format == "html":
        gather(doctree)
        for cell in list(doctree.findall(is_cell)):
            if not is_silent(cell):
                fold(cell)


def goes_on(node: nodes.Node) -> bool:
    """Whether it may belong to an answer: text does, and a cell that is part of one."""
    return not is_cell(node) or "predict" in tags(node) or asks(node)


def leads_on(node: nodes.Node) -> bool:
    """Whether it may belong to an open cell right below it: the paragraph before that, and its set-up."""
    return isinstance(node, nodes.paragraph) or (isinstance(node, Markup) and node["tag"] == "details")


def box(section: nodes.section) -> None:
    """What follows the question opens with the answer: up to the next heading, or to a cell that is no part of it.

    The paragraph that leads to such a cell stays outside, if the answer has another.
    """
    inside = list(takewhile(lambda node: not isinstance(node, nodes.section), section))
    start = next((i for i, node in enumerate(inside) if is_cell(node) and part(node, "output")), len(inside))
    asked = start < len(inside) and asks(inside[start])
    start += asked
    answer = list(takewhile(goes_on, inside[start:]))
    if start + len(answer) < len(inside):
        while len(answer) > 1 and leads_on(answer[-1]):
            last = answer.pop()
            if isinstance(last, nodes.paragraph):
                break
    for node in answer:
        section.remove(node)
    if answer:
        summary = Phrase("summary", nodes.Text(translated("Reveal")))
        kind = "tot-discussed" if asked else "tot-discussed tot-alone"  # alone: nobody asks for a guess
        section.insert(start, Markup("details", summary, *answer, class_=kind, ontoggle=IN_STEP))
    # Raw HTML, since docutils wants the title to stay a direct child of its section.
    section.insert(start + bool(answer), raw("</div>"))
    section.insert(0, raw('<div class="tot-predicted">'))


def box_predictions(app: Any, doctree: nodes.document, docname: str) -> None:
    """A section "Predict: ..." is a box."""
    if app.builder.format == "html":
        for section in list(doctree.findall(nodes.section)):
            if written(section[0]).startswith("Predict"):
                box(section)


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.add_transform(LeaveToUs)
    app.connect("doctree-resolved", fold_all)
    app.connect("doctree-resolved", box_predictions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
