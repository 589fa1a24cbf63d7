"""The cover: the small tree of the book's card (tools/pages/card.py), the title and the authors, on a tall page."""

from collections.abc import Sequence
from io import BytesIO

from tools.pages.card import CHOSEN, GROUND, LINE, NODE, TREE, WAY

WIDE, HIGH = 1200, 1800  # pixels
ORIGINAL = "Thinking in Trees"
LATIN = "DejaVu Sans"  # comes with matplotlib
# Fonts with other scripts that a system may have; matplotlib brings none. (Of a collection it knows the first font.)
OTHERS = ("Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "PingFang SC", "Microsoft YaHei", "SimHei")
SUBTITLE = "Tree of Thoughts and its relatives:\na textbook that runs"


def cover(title: str, authors: Sequence[str], kind: str = "png") -> bytes:
    """The cover as "png" or "svg". Two calls give the same bytes. A title that no font here can write is in English."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    fonts = [LATIN] if title.isascii() else _fonts(title)
    title, fonts = (title, fonts) if fonts else (ORIGINAL, [LATIN])
    look = {**mpl.rcParamsDefault, "svg.hashsalt": "cover", "svg.fonttype": "path", "font.family": fonts}
    with mpl.rc_context(look):
        figure = Figure(figsize=(WIDE / 100, HIGH / 100), dpi=100, facecolor=GROUND)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDE), ylim=(HIGH, 0))
        axes.set_axis_off()
        _tree(axes)
        axes.text(WIDE / 2, 1140, title, ha="center", va="center", fontsize=66, weight="bold", color="#1b1f24")
        axes.text(WIDE / 2, 1290, SUBTITLE, ha="center", va="center", fontsize=31, color="#4a5663", linespacing=1.5)
        names = ", ".join(authors)
        axes.text(WIDE / 2, 1650, names, ha="center", va="center", fontsize=26, color="#4a5663")
        file = BytesIO()
        unset = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
        figure.savefig(file, format=kind, metadata=unset)
    return file.getvalue()


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


def _tree(axes):  # type: ignore[no-untyped-def]
    """The card's tree, larger: its root at (600, 90), its leaves at y = 330."""

    def place(point: tuple[int, int]) -> tuple[float, float]:
        return WIDE / 2 + 1.35 * (point[0] - 600), 280 + 2.2 * (point[1] - 90)

    for parent, children in TREE.items():
        for child in children:
            ends = zip(place(parent), place(child), strict=True)
            axes.plot(*ends, color=LINE, linewidth=8, zorder=1)
    axes.plot(*zip(*map(place, WAY), strict=True), color=CHOSEN, linewidth=13, zorder=2)
    for point in sorted({*TREE, *(child for children in TREE.values() for child in children)}):
        axes.plot(*place(point), "o", markersize=56, color=CHOSEN if point in WAY else NODE, zorder=3)
