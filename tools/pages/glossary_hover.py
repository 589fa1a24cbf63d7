"""The first bold use of a term in a chapter carries the glossary's sentence, and a link to errata its title.

Both are shown on hover, on focus and on touch; in print they are left out.
"""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import _ as translated

from .markup import Phrase

GLOSSARY, ERRATA = "book/glossary", "book/errata"


def definitions(env: Any) -> dict[str, tuple[str, str]]:
    """Term in lower case -> (its first sentence in the glossary, its place there)."""
    if GLOSSARY not in env.all_docs:
        return {}
    found = {}
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        if isinstance(item.parent.parent, addnodes.glossary):
            sentence = item.next_node(nodes.definition).next_node(nodes.paragraph)
            for term in item.findall(nodes.term):
                place = (sentence.astext(), term["ids"][0])
                found |= dict.fromkeys(spellings(term.astext()), place)
    return found


def spellings(term: str) -> list[str]:
    """The term "Tree of Thoughts (ToT)" is also looked for as either half, "eager tools, lazy tools" as each of two.

    A Chinese term has the English one in Chinese brackets: "思维树（Tree of Thoughts (ToT)）" is looked for as each.
    """
    chinese, _, english = term.removesuffix("）").partition("（")
    if english:
        return [chinese, *chinese.split("、"), *spellings(english)]
    long, _, short = term.lower().removesuffix(")").partition(" (")
    return [name.removeprefix("to ") for name in (long, *long.split(", "), short) if name]


def errata(env: Any) -> dict[str, str]:
    """Place in the page of errata -> the heading there ("E4: the prompt tokens of ToT")."""
    if ERRATA not in env.all_docs:
        return {}
    sections = list(env.get_doctree(ERRATA).findall(nodes.section))
    return {id: section[0].astext() for section in sections for id in section["ids"]} | slugs(env, ERRATA)


def slugs(env: Any, docname: str) -> dict[str, str]:
    """MyST's names of the headings, which are not their ids."""
    return {slug: found[2] for slug, found in env.metadata[docname].get("myst_slugs", {}).items()}


def looked_up(word: str, known: dict[str, tuple[str, str]]) -> tuple[str, str] | None:
    """A term as it is, or without the "s" of its plural."""
    word = re.sub(r"\s+", " ", word.lower()).rstrip(".:,")
    return known.get(word) or known.get(word.removesuffix("s"))


class Tips:
    """The words behind the tips, read once in a build: they are the same for every page."""

    def __init__(self) -> None:
        self.terms: dict[str, tuple[str, str]] | None = None
        self.titles: dict[str, str] | None = None

    def __call__(self, app: Any, doctree: nodes.document, docname: str) -> None:
        if app.builder.format != "html" or docname in (GLOSSARY, ERRATA):
            return
        if self.terms is None or self.titles is None:
            self.terms, self.titles = definitions(app.env), errata(app.env)
        number = 0
        if docname.startswith("notebooks/"):
            number = explain_terms(doctree, self.terms, app.builder.get_relative_uri(docname, GLOSSARY))
        explain_errata(doctree, self.titles, app.builder.get_relative_uri(docname, ERRATA), number)


def with_tip(term: nodes.Node, words: str, number: int, *more: nodes.Node, focusable: bool) -> Phrase:
    """``term`` with a tip below the line, the ``number``-th of its page; no script.

    ``focusable``: the term is no link, so it needs a place in the order of the keyboard itself. ``more``: at the end of
    the tip, such as a link.
    """
    name = f"tip-{number}"
    tip = Phrase("span", nodes.Text(words), *more, class_="tot-tip", role="tooltip", id=name)
    attributes = {"class": "tot-term", "aria-describedby": name} | ({"tabindex": "0"} if focusable else {})
    return Phrase("span", term, tip, **attributes)


def explain_terms(doctree: nodes.document, known: dict[str, tuple[str, str]], page: str) -> int:
    """How many first uses got a tip."""
    seen: set[tuple[str, str]] = set()
    for strong in list(doctree.findall(nodes.strong)):
        found = looked_up(strong.astext(), known)
        if not found or found in seen or not isinstance(strong.parent, nodes.paragraph):
            continue
        seen.add(found)
        sentence, place = found
        link = Phrase("a", nodes.Text(translated("Glossary")), href=f"{page}#{place}")
        strong.replace_self(with_tip(strong.deepcopy(), f"{sentence} ", len(seen), link, focusable=True))
    return len(seen)


def explain_errata(doctree: nodes.document, titles: dict[str, str], page: str, number: int) -> None:
    """``number``: of the last tip in this page."""
    for link in list(doctree.findall(nodes.reference)):
        address, _, place = link.get("refuri", "").partition("#")
        if address == page and place in titles:
            number += 1
            link.replace_self(with_tip(link.deepcopy(), titles[place], number, focusable=False))


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.connect("doctree-resolved", Tips())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
