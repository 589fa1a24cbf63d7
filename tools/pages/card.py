"""Pictures of the book's title above a small tree: the card where its address is shared (Open Graph), and the cover."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

FILE = "card.png"
GROUND, LINE, NODE, CHOSEN, INK, FAINT = "#f7f9fb", "#9fb3c8", "#2b5c8a", "#1a8f4c", "#1b1f24", "#4a5663"
TREE = {(600, 90): [(360, 210), (600, 210), (840, 210)], (600, 210): [(520, 330), (680, 330)], (360, 210): [(360, 330)]}
WAY = [(600, 90), (600, 210), (680, 330)]
SUBTITLE = "Tree of Thoughts and its relatives:\na textbook that runs"
Line = tuple[float, str, float, str]  # where, what, in which size, its weight


def picture(high: int, scale: tuple[float, float, float], lines: Sequence[Line], kind: str) -> bytes:
    """An image of 1200 pixels by ``high``, as "png" or "svg"; two calls give the same bytes.

    ``scale``: of the tree across, down and of its lines. ``lines``: of text, the first one in dark ink.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across, down, thick = scale

    def place(point: tuple[int, int]) -> tuple[float, float]:
        return 600 + across * (point[0] - 600), 90 + down * (point[1] - 90) + (190 if down > 1 else 0)

    look = {**mpl.rcParamsDefault, "svg.hashsalt": "cover", "svg.fonttype": "path", "font.family": ["DejaVu Sans"]}
    with mpl.rc_context(look):
        figure = Figure(figsize=(12, high / 100), dpi=100, facecolor=GROUND)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1200), ylim=(high, 0))
        axes.set_axis_off()
        for parent, children in TREE.items():
            for child in children:
                axes.plot(*zip(place(parent), place(child), strict=True), color=LINE, linewidth=5 * thick, zorder=1)
        axes.plot(*zip(*map(place, WAY), strict=True), color=CHOSEN, linewidth=8 * thick, zorder=2)
        for point in sorted({*TREE, *(child for children in TREE.values() for child in children)}):
            colour = CHOSEN if point in WAY else NODE
            axes.plot(*place(point), "o", markersize=34 * thick, color=colour, zorder=3)
        for number, (y, text, size, weight) in enumerate(lines):
            ink = FAINT if number else INK
            axes.text(600, y, text, ha="center", va="center", size=size, weight=weight, color=ink, linespacing=1.5)
        file = BytesIO()
        figure.savefig(
            file, format=kind, metadata={"Software": None} if kind == "png" else {"Date": None, "Creator": None}
        )
    return file.getvalue()


def draw(file: Path, title: str) -> None:
    """Write the card as PNG."""
    lines: list[Line] = [(460, title, 54, "bold"), (550, SUBTITLE.replace("\n", " "), 24, "normal")]
    file.write_bytes(picture(630, (1, 1, 1), lines, "png"))
