"""Search by section: what each section of the book says, in one file that a page loads when somebody searches.

Sphinx's own search knows which *page* has a word, fetches pages for its excerpts (which file:// forbids), and loads its
index with every page. Engines such as MiniSearch or lunr.js are npm packages, and Pagefind fetches. The prose of this
book is some hundred kilobytes, which a browser reads through in a few milliseconds: so no index is needed, and
``book/_static/search.js`` looks for the words themselves. Code and outputs are not searched: the reference says which
chapters use a name.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

from tools.pages.furniture import label

FILE = "search_sections.js"
PLACES = nodes.section | addnodes.desc | nodes.definition_list_item
NAMES = nodes.title | nodes.term | addnodes.desc_signature
SCATTERED = nodes.section | addnodes.desc | addnodes.glossary  # what is found by itself, and not as part of another
CHAPTER, APPENDIX, REFERENCE = range(3)  # a chapter explains a word, a glossary and a reference say it again


def sections(doctree: nodes.document) -> Iterator[tuple[str, str, str, str]]:
    """(anchor, heading, text, chapter) of each section, each entry of a glossary and each name of the reference.

    ``chapter``: the page that an entry of the glossary sends its reader to, else "".
    """
    for place in doctree.findall(lambda node: isinstance(node, PLACES)):
        text = re.sub(r" +(?=[.,:;)])", "", " ".join(" ".join(said(place, top=True)).split()))  # where a citation was
        if isinstance(place, nodes.section):
            yield place["ids"][0], words(place.next_node(nodes.title)), text, ""
        elif isinstance(place, addnodes.desc):
            signature = place.next_node(addnodes.desc_signature)
            if signature["ids"]:
                yield signature["ids"][0], signature["ids"][0], text, ""
        elif isinstance(place.parent.parent, addnodes.glossary):
            term = place.next_node(nodes.term)
            yield term["ids"][0], term.astext(), text, explained_in(place)


def is_cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def explained_in(entry: nodes.Node) -> str:
    targets = (str(link.get("reftarget", "")) for link in entry.findall(addnodes.pending_xref))
    return next((found[0] for found in map(re.compile(r"notebooks/\w+").search, targets) if found), "")


def said(node: nodes.Node, top: bool = False) -> Iterator[str]:
    """The prose below a node that does not belong to a place of its own inside it."""
    if not top and isinstance(node, SCATTERED):
        return
    if isinstance(node, NAMES | nodes.literal_block | nodes.raw | nodes.comment):
        return
    if is_cell(node):
        return
    if isinstance(node, nodes.TextElement):
        yield re.sub(r"\s+", " ", words(node))
    else:
        for child in node.children:
            yield from said(child)


def words(node: nodes.Node) -> str:
    if isinstance(node, addnodes.pending_xref) and node.get("refdomain") == "cite":
        return ""
    if isinstance(node, nodes.math | nodes.math_block):
        return re.sub(r"\\mathrm|[{}\s]+", " ", node.astext())
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(words, node.children))


def read(app: Any, doctree: nodes.document) -> None:
    app.env.metadata[app.env.docname]["tot_search"] = list(sections(doctree))


def kind(page: str) -> int:
    if re.match(r"notebooks/\d", page):
        return CHAPTER
    return REFERENCE if page.startswith("book/reference/") else APPENDIX


def write(app: Any, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    names = sorted(app.env.found_docs)
    pages = [[app.builder.get_target_uri(page), str(label(app.env, page)), kind(page)] for page in names]
    places = []
    for number, page in enumerate(names):
        for *found, chapter in app.env.metadata[page]["tot_search"]:
            places.append([number, *found, *([names.index(chapter)] if chapter in names else [])])
    data = json.dumps({"pages": pages, "sections": places}, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "_static", FILE).write_text(f"window.totSections={data};\n", encoding="utf-8")


def own_search(app: Any) -> None:
    """No index of Sphinx's, and a page of ours in the place of its page."""
    if app.builder.format == "html":
        app.builder.search = False


def setup(app: Any) -> dict[str, int]:
    app.config.html_additional_pages = app.config.html_additional_pages | {"search": "search_page.html"}
    app.connect("builder-inited", own_search)
    app.connect("doctree-read", read)
    app.connect("build-finished", write)
    return {"env_version": 3, "parallel_read_safe": True}  # raise it when what ``read`` keeps of a page changes
