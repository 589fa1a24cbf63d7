"""The cover: the small tree of the book's card, the title and the authors, on a tall page."""

from collections.abc import Sequence

from tools.pages.card import SUBTITLE, Line, picture

ORIGINAL = "Thinking in Trees"


def cover(title: str, authors: Sequence[str], kind: str = "png") -> bytes:
    """The cover as "png" or "svg". The font that matplotlib brings is Latin: another title is in English there."""
    lines: list[Line] = [
        (1140, title if title.isascii() else ORIGINAL, 66, "bold"),
        (1290, SUBTITLE, 31, "normal"),
        (1650, ", ".join(authors), 26, "normal"),
    ]
    return picture(1800, (1.35, 2.2, 1.65), lines, kind)
