"""A tip: words that appear below the line while the pointer, the keyboard or a finger is on a term. No script."""

from docutils import nodes

from .markup import Phrase


def with_tip(term: nodes.Node, words: str, number: int, *more: nodes.Node, focusable: bool) -> Phrase:
    """``term`` with its tip, whose number in its page is ``number``.

    ``focusable``: the term is no link, so it needs a place in the order of the keyboard itself. ``more``: at the end of
    the tip, such as a link.
    """
    name = f"tip-{number}"
    tip = Phrase("span", nodes.Text(words), *more, class_="tot-tip", role="tooltip", id=name)
    attributes = {"class": "tot-term", "aria-describedby": name} | ({"tabindex": "0"} if focusable else {})
    return Phrase("span", term, tip, **attributes)
