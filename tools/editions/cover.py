"""The cover: the small tree of the book's card, the title and the authors, on a tall page."""

from collections.abc import Sequence

from tools.pages.card import SUBTITLE, Line, picture

ORIGINAL = "Thinking in Trees"
LATIN = "DejaVu Sans"  # comes with matplotlib
# Fonts with other scripts that a system may have; matplotlib brings none. (Of a collection it knows the first font.)
OTHERS = ("Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "PingFang SC", "Microsoft YaHei", "SimHei")


def cover(title: str, authors: Sequence[str], kind: str = "png") -> bytes:
    """The cover as "png" or "svg". A title that no font here can write is in English."""
    fonts = [LATIN] if title.isascii() else _fonts(title)
    lines: list[Line] = [
        (1140, title if fonts else ORIGINAL, 66, "bold"),
        (1290, SUBTITLE, 31, "normal"),
        (1650, ", ".join(authors), 26, "normal"),
    ]
    return picture(1800, (1.35, 2.2, 1.65), lines, fonts or [LATIN], kind)


def _fonts(text: str) -> list[str]:
    """Fonts that together have all letters of a text, the book's own first; none, if there are no such fonts here."""
    from matplotlib import font_manager

    found, missing = [], {ord(letter) for letter in text}
    for name in (LATIN, *OTHERS):
        try:
            file = font_manager.findfont(name, fallback_to_default=False)
        except ValueError:
            continue
        covered = missing & font_manager.get_font(file).get_charmap().keys()
        if covered or name == LATIN:
            found.append(name)
            missing -= covered
        if not missing:
            return found
    return []
