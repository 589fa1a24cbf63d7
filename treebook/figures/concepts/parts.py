"""Small pictures without words for the parts of the book."""

from collections.abc import Callable, Collection, Sequence

from tot.show.drawing import SVG

from ..kit import Box, Point, Sketch


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
        sketch = Sketch(120.0, 80.0)
        draw(sketch)
        pictures[name] = sketch.svg(about, about)
    return pictures


def _prompt(sketch: Sketch) -> None:
    ends = [(Box(88, y, 20, 14), 1, "chosen" if y == 33 else "kept") for y in (11, 33, 55)]
    _grown(sketch, [(Box(12, 33, 20, 14), -1, "chosen"), (Box(49, 33, 20, 14), 0, "chosen"), *ends])


def _tree(sketch: Sketch) -> None:
    level = ((12, "kept"), (34, "chosen"), (56, "dropped"))
    leaves = ((6, 1, "dropped"), (22, 1, "kept"), (38, 2, "chosen"), (62, 2, "dropped"))
    nodes = [(Box(10, 33, 18, 14), -1, "root"), *((Box(45, y, 18, 12), 0, look) for y, look in level)]
    _grown(sketch, [*nodes, *((Box(84, y, 22, 12), parent, look) for y, parent, look in leaves)])


def _grown(sketch: Sketch, nodes: Sequence[tuple[Box, int, str]]) -> None:
    """A tree from left to right: each node's place, its parent's index, -1 for the root's, and its look."""
    for box, parent, look in nodes:
        if parent >= 0:
            sketch.edge(nodes[parent][0].right, box.left, chosen=look == "chosen", thin=1.2, bend="across")
    for box, _, look in nodes:
        sketch.box(*box, look=look)


def _tools(sketch: Sketch) -> None:
    places = [(14, 40), (42, 16), (42, 62), (74, 24), (76, 60), (106, 38)]
    for a, b in ((0, 1), (1, 3), (3, 5), (0, 2), (2, 4), (4, 5), (1, 2), (3, 4)):
        colour, thick = ("chosen", 2.6) if (a, b) in ((0, 2), (2, 4), (4, 5)) else ("edge", 1.4)
        dash = "4 3" if (a, b) == (1, 3) else ""
        sketch.arrow(places[a], places[b], colour=colour, thick=thick, dash=dash, head=False)
    sketch.cross(58, 20, 5)
    _dots(sketch, places, [6] * 6, (0, 2, 4, 5))


def _monte_carlo(sketch: Sketch) -> None:
    places = ((56, 15), (24, 38), (58, 40), (92, 38), (42, 65), (76, 65))
    for i, parent in enumerate((0, 0, 0, 2, 2), 1):
        sketch.edge(places[parent], places[i], chosen=i in (2, 5), thin=1.2)
    _dots(sketch, places, [3 + 0.75 * visits for visits in (9, 2, 6, 1, 2, 4)], (0, 2, 5))


def _practice(sketch: Sketch) -> None:
    sketch.path("M16 10V68H110", "faint", thick=1.4)
    points = ((28, 58), (44, 40), (70, 26), (98, 18), (58, 52), (84, 46), (96, 56))
    front = "L".join(f"{x} {y}" for x, y in points[:4])
    sketch.path(f"M{front}", "chosen", thick=2.4)
    _dots(sketch, points, [4] * 7, range(4))


def _dots(sketch: Sketch, places: Sequence[Point], radius: Sequence[float], chosen: Collection[int]) -> None:
    for i, ((x, y), r) in enumerate(zip(places, radius, strict=True)):
        sketch.dot(x, y, r, look="chosen" if i in chosen else "kept")


def _appendices(sketch: Sketch) -> None:
    for left in (20, 62):
        sketch.box(left, 14, 38, 52, look="kept", round=2)
        for i in range(5):
            y = 24 + 8 * i
            sketch.arrow((left + 7, y), (left + (31 if i % 3 else 24), y), colour="bar", thick=2, head=False)
