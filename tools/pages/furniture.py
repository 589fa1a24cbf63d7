"""What stands around a chapter's text: its number, its facts, the way on, and what other programs are told about it.

The number comes from the titles in ``_toc.yml`` ("6, part two: The paper's study") and is shown in the heading, in the
title of the window, and on the way to the previous and the next page. What a chapter needs is in ``book/chapters.yml``.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.util.docutils import SphinxRole

from tools.pages import card, launch
from tools.pages.markup import written

WORDS_A_MINUTE = 180  # of prose, at a student's pace
SIGNS_A_MINUTE = 330  # of Chinese prose
LINES_A_MINUTE = 12  # of code that stands open: five seconds a line
A_PREDICTION = 1.5  # minutes to think, to guess and to look
FOLDED = {f"tag_{tag}" for tag in ("hide-cell", "hide-input", "set-up", "plot", "checked", "remove-input")}
NUMBER = re.compile(r"(?P<number>\d+(?:, part \w+|，第\w+)?)(?::? |：)(?P<title>.+)")
MADE = {
    "genindex": translated("Index"),
    "py-modindex": translated("Modules"),
    "search": translated("Search"),
}  # pages that no document stands behind
DESCRIPTION = 200  # characters, the most that search engines show; a Chinese one counts as two
CHINESE = re.compile(r"[\u3400-\u9fff]")


class Label(NamedTuple):
    """How the book calls a page: ("6, part two", "The paper's study"); no number in front of an appendix."""

    number: str
    title: str

    def __str__(self) -> str:
        between = "：" if "，" in self.number else ": " if "," in self.number else " "
        return f"{self.number}{between}{self.title}".strip()


def label(env: Any, page: str) -> Label | None:
    """A page's number and title; None for pages that are no documents, such as the index."""
    entry = env.config.external_site_map.get(page)
    title = entry.title if entry else None
    numbered = NUMBER.fullmatch(title or "")
    if numbered:
        return Label(numbered["number"], numbered["title"])
    if not title and page in env.titles:
        title = env.titles[page].astext()
    return Label("", title) if title else None


def minutes(doctree: nodes.document) -> int:
    """How long a student takes for a page: its prose at 180 words a minute, its open code at 12 lines, its predictions.

    Words of text, tables and captions count as prose. Folded cells, outputs and figures do not count. Exercises are
    read and not solved in that time. Up to ten minutes are rounded up, more go up to the next five.
    """
    code = [block for cell in doctree.findall(_is_open_cell) for block in cell.findall(nodes.literal_block)]
    lines = sum(bool(line.strip()) for block in code for line in block.astext().splitlines())
    texts = list(prose(doctree))
    signs = sum(len(CHINESE.findall(text)) for text in texts)
    words = sum(len(CHINESE.sub(" ", text).split()) for text in texts)
    predictions = sum(written(title).startswith("Predict") for title in doctree.findall(nodes.title))
    exact = words / WORDS_A_MINUTE + signs / SIGNS_A_MINUTE + lines / LINES_A_MINUTE + A_PREDICTION * predictions
    return max(1, -int(-exact // 1)) if exact <= 10 else 5 * -int(-exact // 5)


def _is_open_cell(node: nodes.Node) -> bool:
    is_input = isinstance(node, nodes.container) and "cell_input" in node["classes"]
    return is_input and not FOLDED & set(node.parent["classes"])


def prose(node: nodes.Node) -> Iterable[str]:
    """The texts of headings, paragraphs and cells of tables below a node, without code cells and their outputs."""
    for child in node.children:
        if isinstance(child, nodes.TextElement) and not isinstance(child, nodes.FixedTextElement | nodes.raw):
            yield child.astext()
        elif not (isinstance(child, nodes.container) and "cell" in child["classes"]):
            yield from prose(child)


class Minutes(SphinxRole):
    """``{minutes}`notebooks/01_reading_and_replaying``` in a page: how long that page takes to read."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        node = nodes.inline(self.rawtext, "", classes=["tot-minutes"], page=self.text)
        self.set_source_info(node)
        return [node], []


def remember_minutes(app: Any, doctree: nodes.document) -> None:
    app.env.metadata[app.env.docname]["tot_minutes"] = minutes(doctree)


def furnish(app: Any, doctree: nodes.document, page: str) -> None:
    """The number in front of the heading and the line of facts below it; minutes where a page asks for another's."""
    for node in doctree.findall(lambda n: isinstance(n, nodes.inline) and "tot-minutes" in n["classes"]):
        node += nodes.Text(minutes_of(app.env, node["page"]))
    heading = next(doctree.findall(nodes.title), None)
    name = label(app.env, page)
    if heading is None or name is None or app.builder.format != "html":
        return
    if name.number:
        number = nodes.inline("", name.number, classes=["tot-number"])
        heading.insert(0, [number, nodes.Text(" ")])
    if page.startswith("notebooks/"):
        heading.parent.insert(1, nodes.raw("", facts(app, page), format="html"))


def minutes_of(env: Any, page: str) -> str:
    return translated("{number} minutes").format(number=env.metadata[page]["tot_minutes"])


def facts(app: Any, page: str) -> str:
    """The line below a chapter's heading, as HTML."""
    folder, _, name = page.rpartition("/")
    needs = [f"{folder}/{other}" for other in app.tot_needs.get(name, [])]
    links = [
        f'<a href="{app.builder.get_relative_uri(page, other)}">{_short(label(app.env, other))}</a>' for other in needs
    ]
    chapters = translated(" and ").join(links)
    needed = (
        translated("Builds on chapters {chapters}") if len(links) > 1 else translated("Builds on chapter {chapters}")
    )
    download, print_it = translated("Download the notebook"), translated("Print")
    parts = [
        players(Path(app.env.doc2path(page))),
        minutes_of(app.env, page) if name in app.tot_needs else "",
        needed.format(chapters=chapters) if links else translated("Needs no other chapter") * (name in app.tot_needs),
        f'<a class="d-print-none" href="{name}.ipynb" download>{download}</a>',
        launch.line(launch.Launch(**app.config.launch), f"{page}.ipynb"),
        f'<button class="tot-print pst-js-only d-print-none" type="button" onclick="print()">{print_it}</button>',
    ]
    return f'<p class="tot-facts-line">{"".join(f"<span>{part}</span>" for part in parts if part)}</p>'


def players(notebook: Path) -> str:
    """Whose replies a chapter replays, and when they were recorded; as HTML, from its cassettes."""
    days: dict[str, set[str]] = {}
    for name in set(re.findall(r"cassettes/\d+[.]jsonl", notebook.read_text(encoding="utf-8"))):
        with open(notebook.parent / name, encoding="utf-8") as lines:
            for session in (json.loads(line) for line in lines if line.startswith('{"type": "session"')):
                days.setdefault(session["model"], set()).add(session["date"])
    recorded = translated("{model}, recorded {days}")
    return "; ".join(
        recorded.format(
            model=f'<b title="{html.escape(model)}">{html.escape(model.partition("-Instruct")[0])}</b>',
            days="–".join(dict.fromkeys((min(when), max(when)))),
        )
        for model, when in sorted(days.items())
    )


def _short(name: Label | None) -> str:
    return html.escape(name.number if name else "")


def hand_over(app: Any, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """What the side bar's template needs, before the theme looks for parts that are empty."""
    context["tot_folded"] = folded


def folded(contents: Any) -> str:
    """The side bar's list of the book: each part a fold, and open is the one that the page is in."""
    parts = re.split(r'<p [^>]*class="caption"[^>]*>(.*?)</p>', str(contents))
    folds = "".join(
        f"<details{' open' * ('current' in pages)}><summary>{name}</summary>{pages}</details>"
        for name, pages in zip(parts[1::2], parts[2::2], strict=True)
    )
    return parts[0] + folds


def describe(doctree: nodes.document) -> str:
    """The beginning of a page's first paragraph, for search engines and previews; whole words, no citations."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = re.sub(r"\s*\[[^\]]*\d\d[a-z]?\]", "", " ".join(paragraph.astext().split()))
        if width(text) > 60:
            return text if width(text) <= DESCRIPTION else shortened(text)
    return ""


def width(text: str) -> int:
    """How wide a text is: a Chinese sign takes the room of two letters."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def shortened(text: str) -> str:
    """The beginning of a text, in whole words or up to a Chinese sign."""
    most = next(end for end in range(min(len(text), DESCRIPTION), 0, -1) if width(text[:end]) <= DESCRIPTION)
    end = most if CHINESE.match(text, most) or " " not in text[:most] else text.rindex(" ", 0, most)
    return text[:end].rstrip(",;:，；：、") + " …"


def fill_page(app: Any, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """The window's title, the way on, and the tags that describe the page."""
    name = label(app.env, page)
    book = app.config.html_title
    title = str(name or MADE.get(page, ""))
    context["window_title"] = f"{title} · {book}" if title not in ("", book) else book
    for where, other in zip(("prev", "next"), app.builder.relations.get(page, [None] * 3)[1:], strict=True):
        if other and context.get(where):
            context[where] = context[where] | {"title": _numbered(label(app.env, other))}
    if doctree is None:
        return
    about = {"og:type": "article", "og:site_name": book, "og:title": str(name), "og:description": describe(doctree)}
    if base := app.config.html_baseurl:  # these two must be absolute, or they are of no use
        about["og:url"] = f"{base.rstrip('/')}/{app.builder.get_target_uri(page)}"
        about["og:image"] = f"{base.rstrip('/')}/_static/{card.FILE}"
    tags = [f'<meta name="description" content="{html.escape(about["og:description"])}"/>']
    tags += [f'<meta property="{key}" content="{html.escape(value)}"/>' for key, value in about.items() if value]
    context["metatags"] = context.get("metatags", "") + "\n" + "\n".join(tags)


def _numbered(name: Label | None) -> str:
    if name is None:
        return ""
    number = f'<span class="tot-number">{name.number}</span> ' if name.number else ""
    return number + html.escape(name.title)


def hand_out(app: Any, exception: Exception | None) -> None:
    """The notebooks beside their pages, to download; and the picture that stands for the book, if it has an address."""
    if exception is not None or app.builder.format != "html":
        return
    where = launch.Launch(**app.config.launch)
    for page in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(page))
        if source.suffix == ".ipynb":
            target = Path(app.outdir, page).with_suffix(".ipynb")
            target.write_text(launch.travelling(source.read_text(encoding="utf-8"), where), encoding="utf-8")
    if app.config.html_baseurl:
        card.draw(Path(app.outdir, "_static", card.FILE), app.config.project)


def read_needs(app: Any) -> None:
    app.tot_needs = yaml.safe_load(Path(app.confdir, "chapters.yml").read_text(encoding="utf-8"))


def setup(app: Any) -> dict[str, bool]:
    app.add_role("minutes", Minutes())
    app.connect("builder-inited", read_needs)
    app.connect("doctree-read", remember_minutes)
    app.connect("doctree-resolved", furnish)
    app.connect("html-page-context", hand_over, priority=100)
    app.connect("html-page-context", fill_page, priority=900)  # after the theme
    app.connect("build-finished", hand_out)
    return {"parallel_read_safe": True}
