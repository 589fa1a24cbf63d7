"""For the teacher's guide: which chapter builds on which, drawn, and how long a student works through a page.

    ```{chapter-map}
    ```
    {hours}`notebooks/05_how_a_search_asks notebooks/06_tot_bfs_game24`

The picture is made from ``book/chapters.yml`` and the titles in ``_toc.yml``; the hours from the built pages.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_external_toc.parsing import parse_toc_yaml

from tools.pages.furniture import NUMBER
from tot.show.drawing import SVG
from treebook.figures.kit import Box, Sketch, wide

PREDICTION, EXERCISE = 2, 15  # minutes that a student takes for one
WIDE, HIGH, ACROSS, DOWN = 148.0, 44.0, 186.0, 58.0  # of a box, and from one box to the next
EDGE, INDENT, GAP, TALL, TOP = 14.0, 28.0, 20.0, 70.0, 114.0  # around all, of the other rows, of the first row
TEXT = 12.0


class Graph(NamedTuple):
    """``above``: chapter -> the chapters right before it, without those that come before it by another way."""

    above: dict[str, list[str]]

    @classmethod
    def reduced(cls, needs: Mapping[str, Sequence[str]]) -> "Graph":
        """The arrows that have to be drawn so that every need can be followed along them."""
        behind: dict[str, set[str]] = {}
        for name, needed in needs.items():  # a chapter comes after what it needs
            behind[name] = set(needed).union(*(behind[other] for other in needed))
        return cls(
            {
                name: [one for one in needed if not any(one in behind[other] for other in needed)]
                for name, needed in needs.items()
            }
        )

    def below(self, name: str) -> list[str]:
        """The chapters right after it."""
        return [other for other, above in self.above.items() if name in above]


def places(graph: Graph) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """(the chapters of the first row, (column, row) of all the others).

    The first row is the way from the first chapter to the first fork. Below it each chapter stands beside the one that
    it builds on; a second one goes into a row of its own. What needs nothing stands before what first needs it.
    """
    trunk = [next(iter(graph.above))]
    while len(after := graph.below(trunk[-1])) == 1:
        trunk += after
    at: dict[str, tuple[int, int]] = {}
    rows = 0

    def place(name: str, column: int) -> None:
        nonlocal rows
        at[name] = column, rows
        for i, other in enumerate(n for n in graph.below(name) if graph.above[n][0] == name):
            rows += i > 0
            place(other, column + 1)

    for name in graph.below(trunk[-1]):
        place(name, 0)
        rows += 1
    for name, above in graph.above.items():
        if not above and name not in trunk:
            column, row = at[graph.below(name)[0]]
            at[name] = column - 1, row
    return trunk, at


def draw(needs: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> SVG:
    """The picture. ``needs`` and ``titles``: chapter -> the chapters that it builds on, and its title with a number."""
    graph = Graph.reduced(needs)
    trunk, at = places(graph)
    columns, rows = (max(place[i] for place in at.values()) for i in (0, 1))
    width = INDENT + columns * ACROSS + WIDE + EDGE
    turn = EDGE + TALL + (TOP - EDGE - TALL) / 2  # the height of the line below the first row
    sketch, boxes = Sketch(width, TOP + rows * DOWN + HIGH + EDGE), {}
    step = (width - 2 * EDGE + GAP) / len(trunk)
    for i, name in enumerate(trunk):
        boxes[name] = _box(sketch, Box(EDGE + i * step, EDGE, step - GAP, TALL), titles[name])
    for name, (column, row) in at.items():
        boxes[name] = _box(sketch, Box(INDENT + column * ACROSS, TOP + row * DOWN, WIDE, HIGH), titles[name])
    for name, above in graph.above.items():
        for other in above:
            a, b = boxes[other], boxes[name]
            if other == trunk[-1]:  # down to the line, along it, down the margin
                sketch.arrow(a.bottom, (a.bottom[0], turn), (EDGE, turn), (EDGE, b.left[1]), b.left)
            elif a.left[1] == b.left[1]:
                sketch.arrow(a.right, b.left)
            else:
                x = a.x + a.w + 14
                sketch.arrow(a.right, (x, a.right[1]), (x, b.left[1]), b.left)
    said = [f"{short(titles[n])} on {' and '.join(short(titles[o]) for o in a)}" for n, a in graph.above.items() if a]
    free = " and ".join(short(titles[n]) for n, above in graph.above.items() if not above)
    about = (
        f"Chapters as boxes; an arrow leads from each to those that build on it: {'; '.join(said)}. {free} need none."
    )
    return sketch.svg("Which chapter builds on which", about)


def _box(sketch: Sketch, box: Box, title: str) -> Box:
    found = NUMBER.fullmatch(title)
    assert found, title
    lines = [""]
    for word in f"{short(title)} {found['title'].partition(':')[0]}".split():
        if lines[-1] and wide(f"{lines[-1]} {word}", TEXT) > box.w - 10:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    look = "root" if found["number"].isdigit() else "dropped"
    return sketch.box(box.x, box.y, box.w, box.h, *lines, size=TEXT, look=look)


def short(title: str) -> str:
    """ "6" for "6 Breadth first", "6b" for "6, part two: ..."."""
    number = re.match(r"\d+", title)
    assert number, title
    return number[0] + "b" * title.startswith(f"{number[0]}, part two")


class ChapterMap(SphinxDirective):
    """The picture, anew at each build."""

    def run(self) -> list[nodes.Node]:
        map_ = parse_toc_yaml(Path(self.env.srcdir, self.config.external_toc_path))  # in English, in every build
        titles = {name.removeprefix("notebooks/"): item.title for name, item in map_.items() if item.title}
        needs = self.env.app.tot_needs
        picture = draw(needs, titles)._repr_html_()
        return [nodes.raw("", f'<div class="tot-map">{picture}</div>', format="html")]


def work(notebook: str, reading: int) -> int:
    """Minutes of work with a page: read twice, since cells are run and changed; predictions; exercises.

    An estimate: nobody was timed. ``notebook``: the chapter's source as text; ``reading``: minutes to read it once.
    """
    predictions = len(re.findall(r"^# ### Predict", notebook, re.M))
    exercises = len(re.findall(r"^# ### Exercise", notebook, re.M))
    return 2 * reading + PREDICTION * predictions + EXERCISE * exercises


class Hours(SphinxRole):
    """How long a student works through the pages that are named, in half hours."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        node = nodes.inline(self.rawtext, "", classes=["tot-hours"], pages=self.text.split())
        self.set_source_info(node)
        return [node], []


def fill_in(app: Any, doctree: nodes.document, page: str) -> None:
    """The hours, once all pages have been read."""
    for node in doctree.findall(lambda n: isinstance(n, nodes.inline) and "tot-hours" in n["classes"]):
        total = 0
        for name in node["pages"]:
            source = Path(app.srcdir, f"{name}.py").read_text(encoding="utf-8")
            total += work(source, app.env.metadata[name]["tot_minutes"])
        halves = max(1, round(total / 30))
        node += nodes.Text(f"{halves / 2:g} h")


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("chapter-map", ChapterMap)
    app.add_role("hours", Hours())
    app.connect("doctree-resolved", fill_in)
    return {"parallel_read_safe": True}
