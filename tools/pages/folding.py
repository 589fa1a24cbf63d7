"""Cells folded by their tags: set-up, plot, checked, predict, and the solutions of exercises (hide-cell).

A fold is a native <details>: it needs no script, and the keyboard opens it. contributing/chapters.md says when to use
which tag.
"""

import ast
from itertools import takewhile
from typing import Any

from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform

from .markup import details, is_cell, part, raw, tags, written

NAMED = 4  # so many names in a summary


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


def contents(code: str) -> str:
    """What a cell sets up, in a few words: "imports, propose, value"."""
    if remark(code):
        return remark(code)
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # a line of magic
        return ""
    found = [str(translated("imports"))] if any(isinstance(s, ast.Import | ast.ImportFrom) for s in statements) else []
    found += [s.name for s in statements if isinstance(s, ast.FunctionDef | ast.ClassDef)]
    if not found:
        targets = [t for s in statements if isinstance(s, ast.Assign) for t in s.targets]
        found = [t.id for t in targets if isinstance(t, ast.Name)]
    return ", ".join(found[:NAMED]) + (", …" if len(found) > NAMED else "")


def summary(word: str, about: str) -> str:
    return translated("{word}: {about}").format(word=word, about=about) if about else word


def has_prediction(cell: nodes.Element) -> bool:
    """Whether the cell shows a ``show.Predict``, which hides its own answer."""
    return any('class="tot-predict"' in html.astext() for html in cell.findall(nodes.raw))


def fold(cell: nodes.container) -> None:
    named, source, output = tags(cell), part(cell, "source"), part(cell, "output")
    code = source.astext() if source else ""
    if "hide-cell" in named or "checked" in named:
        about = summary(translated("Checked"), remark(code) or translated("the package agrees"))
        word, kind = (translated("Show solution"), "tot-solution") if "hide-cell" in named else (about, "tot-checked")
        inside = list(cell.children)
        cell.children = []
        cell += details(word, *inside, class_=kind)
        return
    if source and "set-up" in named:
        cell.replace(
            source, details(summary(translated("Set-up"), contents(code)), source.deepcopy(), class_="tot-set-up")
        )
    elif (
        source and output and ("plot" in named or has_prediction(cell))
    ):  # the picture first, the code for those who ask
        predicted = has_prediction(cell)
        words = translated("How the answer is computed") if predicted else translated("How this figure is drawn")
        cell.remove(source)
        cell += details(words, source, class_="tot-plot")
    if output and "predict" in named and not has_prediction(cell):
        place = cell.index(output)
        cell.remove(output)
        # a box may have two
        words = translated("Reveal the figure") if "plot" in named else translated("Reveal")
        cell.insert(place, details(words, output, class_="tot-revealed"))


def fold_all(app: Any, doctree: nodes.document, docname: str) -> None:
    if app.builder.format == "html":
        for cell in list(doctree.findall(is_cell)):
            fold(cell)


def is_answer(node: nodes.Node) -> bool:
    return is_cell(node) and ("predict" in tags(node) or has_prediction(node))


def may_belong(node: nodes.Node) -> bool:
    return is_answer(node) or isinstance(node, nodes.paragraph) or (is_cell(node) and "set-up" in tags(node))


def last_answer(section: nodes.section) -> int | None:
    """Where the answer to a prediction ends: several cells may answer, with text or set-up between them."""
    first = next((place for place, node in enumerate(section) if is_answer(node)), None)
    if first is None:
        return None
    of_answer = takewhile(may_belong, section[first:])
    return max(place for place, node in enumerate(of_answer, first) if is_answer(node))


def box_predictions(app: Any, doctree: nodes.document, docname: str) -> None:
    """From a heading "Predict: ..." to the cells with its answer: one box.

    The box is opened and closed by raw HTML: a docutils title must stay a direct child of its section.
    """
    if app.builder.format != "html":
        return
    for section in list(doctree.findall(nodes.section)):
        title = section.next_node(nodes.title, descend=True)
        if not title or title.parent is not section or not written(title).startswith("Predict"):
            continue
        last = last_answer(section)
        no_answer = next((i for i, n in enumerate(section) if is_cell(n)), len(section))
        end = no_answer if last is None else last + 1
        section.insert(end, raw("</div>"))
        section.insert(section.index(title), raw('<div class="tot-predicted">'))


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.add_transform(LeaveToUs)
    app.connect("doctree-resolved", fold_all)
    app.connect("doctree-resolved", box_predictions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
