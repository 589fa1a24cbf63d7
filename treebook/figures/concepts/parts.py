"""Small pictures without words for the parts of the book."""

from __future__ import annotations

from collections.abc import Callable

from tot.show.drawing import SVG

from ..kit import Box, Sketch

WIDTH, HEIGHT = 120.0, 80.0


def thumbnails() -> dict[str, SVG]:
    """One picture of 120 x 80 pixels for each part of the book, by a short name: "prompt", "tree", "tools",
    "monte carlo", "practice", "appendices". They decorate a card that says the same in words.
    """
    made: dict[str, tuple[Callable[[Sketch], None], str]] = {
        "prompt": (_prompt, "One line of thoughts becomes a small tree"),
        "tree": (_tree, "A tree of which one path is chosen"),
        "tools": (_tools, "A map with a way through it and a closed road"),
        "monte carlo": (_monte_carlo, "A lopsided tree whose often visited nodes are larger"),
        "practice": (_practice, "Points on two axes and the front above them"),
        "appendices": (_appendices, "Two pages side by side, with lines of text"),
    }
    pictures = {}
    for name, (draw, about) in made.items():
        sketch = Sketch(WIDTH, HEIGHT)
        draw(sketch)
        pictures[name] = sketch.svg(about, about)
    return pictures


def _link(sketch: Sketch, a: Box, b: Box, *, chosen: bool = False, dash: str = "") -> None:
    colour, thick = ("chosen", 2.4) if chosen else ("edge", 1.2)
    sketch.arrow(a.right, b.left, colour=colour, thick=thick, dash=dash, head=False, bend="across")


def _prompt(sketch: Sketch) -> None:
    start = Box(12, 33, 20, 14)
    middle = Box(49, 33, 20, 14)
    ends = [Box(88, y, 20, 14) for y in (11, 33, 55)]
    _link(sketch, start, middle, chosen=True)
    for i, end in enumerate(ends):
        _link(sketch, middle, end, chosen=i == 1)
    for box, look in ((start, "chosen"), (middle, "chosen"), (ends[0], "kept"), (ends[1], "chosen"), (ends[2], "kept")):
        sketch.box(box.x, box.y, box.w, box.h, look=look)


def _tree(sketch: Sketch) -> None:
    root = Box(10, 33, 18, 14)
    level = [Box(45, y, 18, 12) for y in (12, 34, 56)]
    leaves = [Box(84, y, 22, 12) for y in (6, 22, 38, 62)]
    for i, box in enumerate(level):
        _link(sketch, root, box, chosen=i == 1)
    for i, leaf in enumerate(leaves):
        _link(sketch, level[(0, 0, 1, 1)[i]], leaf, chosen=i == 2)
    looks = ("root", "kept", "chosen", "dropped", "dropped", "kept", "chosen", "dropped")
    for box, look in zip([root, *level, *leaves], looks, strict=True):
        sketch.box(box.x, box.y, box.w, box.h, look=look)


def _tools(sketch: Sketch) -> None:
    places = [(14, 40), (42, 16), (42, 62), (74, 24), (76, 60), (106, 38)]
    for a, b in ((0, 1), (1, 3), (3, 5), (0, 2), (2, 4), (4, 5), (1, 2), (3, 4)):
        chosen = (a, b) in ((0, 2), (2, 4), (4, 5))
        colour = "chosen" if chosen else "edge"
        dash = "4 3" if (a, b) == (1, 3) else ""
        sketch.arrow(places[a], places[b], colour=colour, thick=2.6 if chosen else 1.4, dash=dash, head=False)
    sketch.cross(58, 20, 5)
    for i, (x, y) in enumerate(places):
        sketch.dot(x, y, 6, look="chosen" if i in (0, 2, 4, 5) else "kept")


def _monte_carlo(sketch: Sketch) -> None:
    # place, parent, visits
    nodes = ((56, 15, -1, 9), (24, 38, 0, 2), (58, 40, 0, 6), (92, 38, 0, 1), (42, 65, 2, 2), (76, 65, 2, 4))
    radius = [3 + 0.75 * visits for *_, visits in nodes]
    for i, (x, y, parent, _) in enumerate(nodes):
        if parent >= 0:
            up = nodes[parent]
            chosen = i in (2, 5)
            sketch.arrow(
                (up[0], up[1]), (x, y), colour="chosen" if chosen else "edge", thick=2.4 if chosen else 1.2, head=False
            )
    for i, (x, y, _, _) in enumerate(nodes):
        sketch.dot(x, y, radius[i], look="chosen" if i in (0, 2, 5) else "kept")


def _practice(sketch: Sketch) -> None:
    sketch.path("M16 10V68H110", "faint", thick=1.4)
    points = ((28, 58), (44, 40), (70, 26), (98, 18), (58, 52), (84, 46), (96, 56))
    front = points[:4]
    sketch.path("M" + "L".join(f"{x} {y}" for x, y in front), "chosen", thick=2.4)
    for i, (x, y) in enumerate(points):
        sketch.dot(x, y, 4, look="chosen" if i < 4 else "kept")


def _appendices(sketch: Sketch) -> None:
    for left in (20, 62):
        sketch.box(left, 14, 38, 52, look="kept", round=2)
        for i in range(5):
            y = 24 + 8 * i
            sketch.arrow((left + 7, y), (left + (31 if i % 3 else 24), y), colour="bar", thick=2, head=False)
