"""For the teacher's guide: which chapter builds on which, drawn, and how long a student works through a page.

    ```{chapter-map}
    ```
    {hours}`notebooks/05_how_a_search_asks notebooks/06_tot_bfs_game24`

The picture is made from ``book/chapters.yml`` and the titles in ``_toc.yml``; the hours from the built pages.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_external_toc.parsing import parse_toc_yaml

from treebook.figures.drawing import SVG
from treebook.figures.kit import Sketch

EXERCISE = 15  # minutes that a student takes for one
WIDE, ROW, LEFT, LANE = 640.0, 24.0, 176.0, 7.0  # pixels: of the picture, of a line, before the titles, between arrows


def reduced(needs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Chapter -> the chapters right before it: the arrows that suffice to follow every need along them."""
    behind: dict[str, set[str]] = {}
    for name, needed in needs.items():  # a chapter comes after what it needs
        behind[name] = set(needed).union(*(behind[other] for other in needed))
    return {
        name: [one for one in needed if not any(one in behind[other] for other in needed)]
        for name, needed in needs.items()
    }


def draw(needs: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> SVG:
    """The picture: a line for each chapter, and an arrow in the margin from each to those that build on it.

    ``needs`` and ``titles``: chapter -> the chapters that it builds on, and its title with a number.
    """
    above, sketch = reduced(needs), Sketch(WIDE, ROW * (len(needs) + 1))
    place = {name: ROW * (i + 1) for i, name in enumerate(needs)}
    for name, others in above.items():
        sketch.label(LEFT + 12, place[name] + 4.5, titles[name], bold="part two" not in titles[name])
        for other in others:
            begin, end = place[other], place[name]
            x = LEFT - 20 - LANE * (end - begin) / ROW
            if end - begin == ROW:
                sketch.arrow((LEFT, begin + 7), (LEFT, end - 7))
            else:
                sketch.arrow((LEFT - 7, begin + 3), (x, begin + 3), (x, end - 3), (LEFT - 7, end - 3))
    for name in needs:
        sketch.dot(LEFT, place[name], 5, look="root" if "part two" not in titles[name] else "dropped")
    said = [f"{short(titles[n])} on {' and '.join(short(titles[o]) for o in a)}" for n, a in above.items() if a]
    free = " and ".join(short(titles[n]) for n, a in above.items() if not a)
    about = (
        f"Chapters one below the other; an arrow leads from each to those that build on it: {'; '.join(said)}."
        f" {free} need none."
    )
    return sketch.svg("Which chapter builds on which", about)


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
    """Minutes of work with a page: read twice, since cells are run and changed; exercises.

    An estimate: nobody was timed. ``notebook``: the chapter's source as text; ``reading``: minutes to read it once.
    """
    exercises = len(re.findall(r"^# ### Exercise", notebook, re.M))
    return 2 * reading + EXERCISE * exercises


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
