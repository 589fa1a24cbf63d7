"""The first bold use of a term in a chapter has the glossary's sentence: in the margin, or on hover, focus, touch."""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import _ as translated

from .markup import Phrase

GLOSSARY = "book/glossary"


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


def looked_up(word: str, known: dict[str, tuple[str, str]]) -> tuple[str, str] | None:
    """A term as it is, or without the "s" of its plural."""
    word = re.sub(r"\s+", " ", word.lower()).rstrip(".:,")
    return known.get(word) or known.get(word.removesuffix("s"))


class Tips:
    """The words behind the tips, read once in a build: they are the same for every page."""

    terms: dict[str, tuple[str, str]] | None = None

    def __call__(self, app: Any, doctree: nodes.document, docname: str) -> None:
        if app.builder.format != "html" or not docname.startswith("notebooks/"):
            return
        if self.terms is None:
            self.terms = definitions(app.env)
        explain(doctree, self.terms, app.builder.get_relative_uri(docname, GLOSSARY))


def explain(doctree: nodes.document, known: dict[str, tuple[str, str]], page: str) -> None:
    """A tip below the line, without a script, for the first use of each term; the keyboard reaches it."""
    seen: set[tuple[str, str]] = set()
    for strong in list(doctree.findall(nodes.strong)):
        found = looked_up(strong.astext(), known)
        if not found or found in seen or not isinstance(strong.parent, nodes.paragraph):
            continue
        seen.add(found)
        sentence, place = found
        name = f"tip-{len(seen)}"
        link = Phrase("a", nodes.Text(translated("Glossary")), href=f"{page}#{place}")
        term = Phrase("b", nodes.Text(strong.astext().rstrip(".:,")))
        seen_by_theme = "tot-tip margin-caption"  # while one of these is in the margin, the theme folds the contents
        tip = Phrase("span", term, nodes.Text(f" {sentence} "), link, class_=seen_by_theme, role="tooltip", id=name)
        attributes = {"class": "tot-term", "aria-describedby": name, "tabindex": "0"}
        strong.replace_self(Phrase("span", strong.deepcopy(), tip, **attributes))


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("tools.pages.markup")
    app.connect("doctree-resolved", Tips())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
