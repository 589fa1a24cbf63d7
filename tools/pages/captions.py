"""Numbered captions: a paragraph "**Figure.** One sentence." (or "**Table.** ...") below a picture becomes its caption.

The number is that of the chapter: figure 6.3 is the third of chapter 6, figure 6b.1 the first of its part two, figure
G.1 the first of the gallery. ``#figure-6-3`` is its place in the page.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform

from .markup import Markup, Phrase, is_cell, lead, lead_written, part

KINDS = ("Figure", "Table")


@cache
def chapter_labels(toc: Path) -> dict[str, str]:
    """Document -> the label of its chapter: "6", "6b" for part two, "G" for an appendix whose name begins so."""
    labels = {}
    for group in yaml.safe_load(toc.read_text(encoding="utf-8")).get("parts", ()):
        for chapter in group["chapters"]:
            stem = Path(chapter["file"]).name
            number = re.match(r"\d+", stem)
            label = str(int(number[0])) if number else stem[0].upper()
            labels[chapter["file"]] = label
            for letter, section in zip("bcdefghijklmnopqrstuvwxyz", chapter.get("sections", ()), strict=False):
                labels[section["file"]] = label + letter
    return labels


def kind_of(node: nodes.Node) -> str:
    """Figure or Table, if the node is such a caption, else nothing."""
    word = lead_written(node)
    return word[:-1] if word.endswith(".") and word[:-1] in KINDS else ""


def is_text(output: nodes.Node) -> bool:
    """Printed text, and not a picture, a table or a page."""
    if isinstance(output, nodes.container) and output.get("nb_element") == "mime_bundle":
        kinds = {child.get("mime_type", "") for child in output.children}
        return kinds <= {"text/plain"}
    return isinstance(output, nodes.literal_block)


def asks(node: nodes.Element) -> bool:
    """Whether it is a ``show.Predict``, which asks, and hides its own answer."""
    return any('class="tot-predict"' in html.astext() for html in node.findall(nodes.raw))


def shown_before(caption: nodes.paragraph) -> nodes.Node | None:
    """What the caption is of: the last picture of the cell above it, or the picture or table above it in the text."""
    place = caption.parent.index(caption)
    before = next((n for n in reversed(caption.parent[:place]) if not isinstance(n, nodes.comment)), None)
    if before is not None and is_cell(before):
        output = part(before, "output")
        outputs = list(output.children) if output else []
        last = next((n for n in reversed(outputs) if not is_text(n)), outputs[-1] if outputs else None)
        return None if isinstance(last, Markup) else last  # it has its caption
    picture = isinstance(before, nodes.paragraph) and before.next_node(nodes.image)
    return before if picture or isinstance(before, nodes.table | nodes.raw | nodes.image) else None


class Captions(SphinxTransform):
    """Before links are looked up, so that a text can link to a figure."""

    default_priority = 800

    def apply(self, **_: Any) -> None:
        label = chapter_labels(Path(self.app.srcdir, self.config.external_toc_path)).get(self.env.docname, "")
        counts = dict.fromkeys(KINDS, 0)
        for paragraph in list(self.document.findall(nodes.paragraph)):
            kind = kind_of(paragraph)
            shown = shown_before(paragraph) if kind else None
            if shown is None:
                continue
            counts[kind] += 1
            number = f"{label}.{counts[kind]}" if label else str(counts[kind])
            self.enclose(shown, paragraph, kind, number)

    def enclose(self, shown: nodes.Node, paragraph: nodes.paragraph, kind: str, number: str) -> None:
        parent, place = paragraph.parent, paragraph.parent.index(paragraph)
        parent.remove(paragraph)
        sentence = paragraph.children[paragraph.index(lead(paragraph)) + 1 :]
        name = translated("Figure {number}.") if kind == "Figure" else translated("Table {number}.")
        caption = Phrase("figcaption", Phrase("strong", nodes.Text(name.format(number=number))), *sentence)
        figure = Markup("figure", class_=f"tot-figure tot-of-{kind.lower()}")
        if asks(shown):  # its picture opens with the answer, right above the caption
            parent.insert(place, figure)
        else:
            shown.parent.replace(shown, figure)
            figure += shown
        figure += caption
        figure["names"] = [re.sub(r"[ .]", "-", f"{kind} {number}".lower())]
        self.document.note_explicit_target(figure)


def setup(app: Any) -> dict[str, Any]:
    app.setup_extension("tools.pages.markup")
    app.add_transform(Captions)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
