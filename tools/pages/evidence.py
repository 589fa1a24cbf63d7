"""Evidence in what is written: an estimate and its interval in a sentence, a caption or a table of Markdown.

"64% [54%, 73%]" gets the glyph of ``treebook.figures.evidence`` beside it, in a table also columns of its own; numbers
in cells get real minus signs. Tables that cells made bring all of that along.
"""

from typing import Any

from docutils import nodes

from treebook.figures.evidence import NUMERIC, WRITTEN, Evidence, evidence_of, minus, read, widest
from treebook.figures.styles import style_of

from .markup import Phrase, raw

AS_IT_IS = (nodes.literal, nodes.literal_block, nodes.title, nodes.reference, nodes.raw, nodes.math)


def in_words(text: nodes.Text) -> bool:
    """Whether the text stands in a sentence of the page, and not in code, a heading or a link."""
    parent = text.parent
    while parent is not None:
        if isinstance(parent, AS_IT_IS):
            return False
        parent = parent.parent
    return True


def marked(text: nodes.Text) -> list[nodes.Node]:
    """The text in parts, each evidence in it with its glyph, on one line."""
    parts: list[nodes.Node] = []
    words, end = str(text), 0
    siblings = text.parent.children
    later = "".join(node.astext() for node in siblings[siblings.index(text) + 1 :])
    for found in WRITTEN.finditer(words):
        one = evidence_of(found, words[found.end() :] + later)
        parts.append(nodes.Text(words[end : found.start()]))
        parts.append(Phrase("span", nodes.Text(minus(found[0])), raw(one.glyph()), class_="tot-said-so"))
        end = found.end()
    return [*parts, nodes.Text(words[end:])]


def in_columns(table: nodes.table) -> None:
    """Estimate and interval as columns where a column of the table has evidence."""
    group = table.next_node(nodes.tgroup)
    head, body = group.next_node(nodes.thead), group.next_node(nodes.tbody)
    if head is None or any("morecols" in entry for entry in table.findall(nodes.entry)):
        return
    rows = list(body.findall(nodes.row))
    for place in reversed(range(len(rows[0].children) if rows else 0)):
        entries = [row.children[place] for row in rows]
        found = [read(entry.astext()) for entry in entries]
        if known := [one for one in found if one]:
            split(group, head, place, entries, found, widest(known))
        elif all(NUMERIC.fullmatch(text := entry.astext()) or text.startswith("<abbr") for entry in entries):
            for entry in entries:
                entry["classes"].append("tot-right")
                for text in list(entry.findall(nodes.Text)):
                    text.parent.replace(text, nodes.Text(minus(str(text))))


def split(
    group: nodes.tgroup, head: nodes.thead, place: int, entries: list[Any], found: list[Evidence | None], top: float
) -> None:
    """One column as three: estimate, glyph, interval."""
    group["cols"] += 2
    group.insert(1 + place, [nodes.colspec(colwidth=1), nodes.colspec(colwidth=1)])
    for row in head.findall(nodes.row):
        row.children[place]["morecols"] = 2
    for entry, one in zip(entries, found, strict=True):
        if one is None:
            entry["morecols"] = 2
            continue
        rate, _, ends = minus(entry.astext()).strip().partition(" ")
        drawn = nodes.entry("", nodes.paragraph("", "", raw(one.glyph(top))), classes=["tot-glyph"])
        cells = [
            nodes.entry("", nodes.paragraph(text=text), classes=[name])
            for text, name in ((rate, "tot-right"), (ends.replace("%", ""), "tot-ends"))
        ]
        entry.replace_self([cells[0], drawn, cells[1]])


def draw(app: Any, doctree: nodes.document, docname: str) -> None:
    if app.builder.format != "html":
        return
    for table in list(doctree.findall(nodes.table)):
        in_columns(table)
    tabled = {id(text) for entry in doctree.findall(nodes.entry) for text in entry.findall(nodes.Text)}
    for text in list(doctree.findall(nodes.Text)):
        if id(text) not in tabled and WRITTEN.search(str(text)) and in_words(text):
            text.parent.replace(text, marked(text))
    if next(doctree.findall(lambda node: isinstance(node, nodes.raw) and "tot-ev" in node.astext()), None):
        doctree.insert(0, raw(f"<style>{style_of('evidence')}</style>"))


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.connect("doctree-resolved", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
