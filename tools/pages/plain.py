"""A plain Markdown copy beside each page, and ``llms.txt``, which lists them: for programs that read a book.

``notebooks/06_tot_bfs_game24.md`` lies beside its page. Pictures are their descriptions; what a cell printed stands
below it, tables of HTML as lines.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

from tools.pages.furniture import label

MARKS = {nodes.emphasis: "*", nodes.strong: "**", nodes.literal: "`", nodes.math: "$"}
LEFT_OUT = (nodes.comment, nodes.target, nodes.system_message, nodes.substitution_definition)
TAG = re.compile(r"<[^>]*>")
PICTURE = re.compile(r'<svg\b[^>]*?aria-label="([^"]*)".*?</svg>|<svg\b.*?<title[^>]*>(.*?)</title>.*?</svg>', re.S)


def from_html(text: str) -> str:
    """What an HTML output says: a picture its description, a row of a table a line, set text as it is."""
    if len(parts := re.split(r"<pre\b[^>]*>(.*?)</pre>", text, flags=re.S)) > 1:
        made = [f"```\n{html.unescape(TAG.sub('', x))}\n```" if i % 2 else from_html(x) for i, x in enumerate(parts)]
        return "\n\n".join(filter(None, made))
    text = PICTURE.sub(lambda found: f"[Picture: {found[1] or found[2]}]", text)
    text = re.sub(r"<(style|script|svg|button)\b.*?</\1>", "", text, flags=re.S)
    text = re.sub(r"</t[dh]>\s*(?=<t[dh])", " | ", re.sub(r"\s*\n\s*", " ", text))
    lines = (TAG.sub("", line).strip() for line in re.split(r"</(?:tr|p|div|li|h\d)>|<br\s*/?>", text))
    return html.unescape("\n".join(line for line in lines if line))


def inline(node: nodes.Node) -> str:
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.image):
        return f"[Picture: {node['alt']}]" if node.get("alt") else ""
    text = "".join(inline(child) for child in node.children if not isinstance(child, nodes.raw))
    if isinstance(node, nodes.reference) and (address := node.get("refuri")):
        return f"[{text}]({re.sub(r'[.]html(?=#|$)', '.md', address) if node.get('internal') else address})"
    mark = MARKS.get(type(node), "")
    return f"{mark}{text}{mark}"


def blocks(node: nodes.Node, level: int = 0) -> Iterator[str]:
    """The paragraphs of Markdown that a node of a page is; ``level`` of the headings below it."""
    for child in node.children:
        if isinstance(child, LEFT_OUT):
            continue
        if isinstance(child, nodes.title):
            yield f"{'#' * max(level, 1)} {inline(child)}"
        elif isinstance(child, nodes.literal_block):
            yield f"```{child.get('language', '').replace('none', '')}\n{child.astext()}\n```"
        elif isinstance(child, nodes.math_block):
            yield f"$$\n{child.astext()}\n$$"
        elif isinstance(child, nodes.raw):
            yield from_html(child.astext())
        elif isinstance(child, nodes.row):
            yield " | ".join(" ".join(blocks(cell)) for cell in child.children)
        elif isinstance(child, addnodes.desc_signature):
            yield f"`{child.astext()}`"
        elif isinstance(child, nodes.list_item):
            yield "- " + "\n  ".join("\n\n".join(blocks(child, level)).splitlines())
        elif isinstance(child, nodes.TextElement | nodes.image):
            yield inline(child)
        else:
            yield from blocks(child, level + isinstance(child, nodes.section))


def keep(app: Any, doctree: nodes.document, page: str) -> None:
    if app.builder.format == "html":
        file = Path(app.outdir, f"{page}.md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n\n".join(filter(None, blocks(doctree))) + "\n", encoding="utf-8")


def about(app: Any, page: str) -> str:
    """What the built page says of itself. Pages are written by several processes, so nothing but the page has it."""
    built = Path(app.outdir, f"{page}.html").read_text(encoding="utf-8")
    return html.unescape(" ".join(re.findall(r'<meta name="description" content="(.*?)"', built)))


def list_them(app: Any, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    pages = [page for page in app.config.external_site_map if page in app.env.found_docs]  # in the order of the book
    rows = [f"- [{label(app.env, page)}]({page}.md): {about(app, page)}" for page in pages]
    head = f"# {app.config.html_title}\n\n> {about(app, app.config.root_doc)}\n\n## Pages\n"
    Path(app.outdir, "llms.txt").write_text("\n".join([head, *rows, ""]), encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", keep, priority=1)  # before it is dressed
    app.connect("build-finished", list_them)
    return {"parallel_read_safe": True}
