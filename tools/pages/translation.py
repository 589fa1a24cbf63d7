"""Pages in another language: gettext catalogues in ``book/locale``, as Sphinx reads them, and what it leaves to us.

``book/locale/LANGUAGE/LC_MESSAGES`` has a catalogue for each translated page, and ``sphinx.po`` for the words around
the pages: those of ``tools/pages``, of the templates and scripts, and the titles in ``_toc.yml``. A paragraph without a
translation, or whose English has changed since, stays English; a page without any says so at its top. Code, what it
prints and the words in pictures stay English. ``book/locale/README.md`` is for translators.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from babel import Locale
from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

ORIGINAL = "en"
LOCALES = "locale"  # in the folder of conf.py: a folder for each language
LANGUAGES = "languages.html"  # the template of the links to the same page in other languages
SUMMARY = re.compile(r"<summary>([^<>]+)</summary>")


class Messages(SphinxTransform):
    """``-b gettext`` looks at finished pages, where captions and buttons have become something else: look before."""

    default_priority = 19  # just before translations are put in

    def apply(self, **_: Any) -> None:
        if self.app.builder.name == "gettext":
            domain = docname_to_domain(self.env.docname, self.config.gettext_compact)
            for node, message in extract_messages(self.document):
                node.uid = ""  # what the builder wants to find on a node
                self.app.builder.catalogs[domain].add(message, node)


class Summaries(SphinxTransform):
    """``<details><summary>Hint</summary>`` in a text is HTML, which gettext does not look into."""

    default_priority = 30

    def apply(self, **_: Any) -> None:
        if self.config.language == ORIGINAL:
            return
        for raw in list(self.document.findall(nodes.raw)):
            html = SUMMARY.sub(lambda found: f"<summary>{escape(translated(found[1]))}</summary>", raw.astext())
            if html != raw.astext() and not _in_output(raw):
                raw.replace_self(nodes.raw("", html, format="html"))


SUMMARIES = (translated("Hint"), translated("Discussion"))  # for the catalogue


def _in_output(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) or (node.parent is not None and _in_output(node.parent))


def dress(app: Any, config: Any) -> None:
    """Title, search field, navigation, style sheet and links to other languages, before anything is read."""
    config.html_title = translated("Thinking in Trees")
    options = config.html_theme_options | {"search_bar_text": translated("Search the book")}
    if siblings(app):
        options["article_header_end"] = [LANGUAGES]
    config.html_theme_options = options
    for place in config.external_site_map.values():
        if place.title:
            place.title = translated(place.title)
        for group in place.subtrees:
            if group.caption:
                group.caption = translated(group.caption)
    own = Path(app.confdir, LOCALES, config.language, "static")
    if own.is_dir():
        config.html_static_path = [*config.html_static_path, str(own)]
        for sheet in sorted(own.glob("*.css")):
            app.add_css_file(sheet.name, priority=900)


def captions_apart(app: Any, env: Any, docnames: list[str]) -> None:
    """The captions of the table of contents are in ``sphinx.po``: they are no messages of the first page."""
    if app.builder.name == "gettext":
        for place in app.config.external_site_map.values():
            for group in place.subtrees:
                group.caption = None


def name_pages(app: Any, env: Any) -> None:
    """Where ``_toc.yml`` has no title, a page's heading stands in the navigation: translated there, page or no page."""
    if app.config.language == ORIGINAL or app.builder.name == "gettext":
        return
    for page, heading in env.titles.items():
        for shown in (heading, env.tocs[page].next_node(nodes.reference)):  # on the way on, and in the list of pages
            written = shown.astext().replace("’", "'")  # before Sphinx made a better one of it
            name = translated(written)
            if name != written:
                shown.children = []
                shown += nodes.Text(name)


def progress(env: Any, doctree: nodes.document) -> str:
    """How much of a page is translated: "none", "some" or "all" of its paragraphs."""
    count = doctree["translation_progress"]
    if not count["translated"]:
        return "none"
    return "all" if count["translated"] == count["total"] else "some"


def tell(app: Any, doctree: nodes.document, page: str) -> None:
    """At the top of a page, below its heading, in the language of the build: what of it is still English."""
    heading = next(doctree.findall(nodes.title), None)
    if app.config.language == ORIGINAL or app.builder.format != "html" or heading is None:
        return
    state = progress(app.env, doctree)
    app.env.metadata[page]["tot_translated"] = state
    words = {
        "none": translated("This page has no translation yet; it stands here in English."),
        "some": translated("Some paragraphs of this page are still in English: they are new, or have changed."),
        "all": "",
    }[state]
    if state != "none" and any(node.get("nb_element") == "cell_code" for node in doctree.findall(nodes.container)):
        words += translated("Code, what it prints, and the words in figures are in English.")
    if words:
        notice = f'<p class="tot-language" role="note" lang="{tag(app.config.language)}">{escape(words)}</p>'
        heading.parent.insert(1, nodes.raw("", notice, format="html"))


def tag(language: str) -> str:
    """A language as HTML calls it: "zh-CN" for "zh_CN"."""
    return language.replace("_", "-")


def siblings(app: Any) -> dict[str, str]:
    """Language -> its folder, of the builds of this book that lie beside this one: ``html``, ``html-zh_CN``."""
    out, language = Path(app.outdir), app.config.language
    english = out.name.removesuffix(f"-{language}")
    places = {ORIGINAL: english}
    places |= {path.name: f"{english}-{path.name}" for path in sorted(Path(app.confdir, LOCALES).glob("*/"))}
    return {
        other: folder
        for other, folder in places.items()
        if other != language and Path(out.parent, folder, f"{app.config.master_doc}.html").exists()
    }


def fill_page(app: Any, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """The links to the other languages; and an English body in a page of another language is marked as English."""
    up = "../" * (page.count("/") + 1)
    context["tot_languages"] = [
        (tag(other), Locale.parse(other).get_language_name(other), f"{up}{folder}/{page}.html")
        for other, folder in siblings(app).items()
    ]
    if app.env.metadata.get(page, {}).get("tot_translated") == "none":
        context["body"] = f'<div lang="{ORIGINAL}">{context["body"]}</div>'


def setup(app: Any) -> dict[str, bool]:
    app.add_transform(Messages)
    app.add_transform(Summaries)
    app.connect("config-inited", dress, priority=900)  # after the table of contents is read
    app.connect("env-before-read-docs", captions_apart)
    app.connect("env-updated", name_pages)
    app.connect("doctree-resolved", tell, priority=400)  # before the number and the facts are put between
    app.connect("html-page-context", fill_page, priority=400)  # before the theme leaves out what renders to nothing
    return {"parallel_read_safe": True}
