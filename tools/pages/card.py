"""The picture that stands for the book where its address is shared (Open Graph): a small tree and the title."""

from pathlib import Path

FILE = "card.png"
WIDE, HIGH = 1200, 630  # pixels, as Open Graph readers crop them
GROUND, LINE, NODE, CHOSEN = "#f7f9fb", "#9fb3c8", "#2b5c8a", "#1a8f4c"
TREE = {(600, 90): [(360, 210), (600, 210), (840, 210)], (600, 210): [(520, 330), (680, 330)], (360, 210): [(360, 330)]}
WAY = [(600, 90), (600, 210), (680, 330)]


def draw(file: Path, title: str) -> None:
    """Write the picture as PNG. Two calls write the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE / 100, HIGH / 100), dpi=100, facecolor=GROUND)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDE), ylim=(HIGH, 0))
    axes.set_axis_off()
    for parent, children in TREE.items():
        for child in children:
            axes.plot(*zip(parent, child, strict=True), color=LINE, linewidth=5, zorder=1)
    axes.plot(*zip(*WAY, strict=True), color=CHOSEN, linewidth=8, zorder=2)
    places = {*TREE, *(child for children in TREE.values() for child in children)}
    for x, y in sorted(places):
        axes.plot(x, y, "o", markersize=34, color=CHOSEN if (x, y) in WAY else NODE, zorder=3)
    axes.text(WIDE / 2, 460, title, ha="center", va="center", fontsize=54, weight="bold", color="#1b1f24")
    below = "Tree of Thoughts and its relatives: a textbook that runs"
    axes.text(WIDE / 2, 550, below, ha="center", va="center", fontsize=24, color="#4a5663")
    figure.savefig(file, metadata={"Software": None})
