"""Draw book/_static/field.svg, the map of book/field.md: which of this book's four parts a work adds to.

    python tools/field.py

A filled dot is in the package or in one of its studies; a ring is a part for which there is a place, and no code yet.
What the page says in words stands here once more as data: tests/book/test_field.py holds the two together.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treebook.figures.kit import NOTE, Sketch  # noqa: E402

PAGE = ROOT / "book" / "field.md"
PICTURE = ROOT / "book" / "_static" / "field.svg"
PARTS = ("generator", "evaluator", "search", "learning")
WIDTH, LEFT, STEP, ROW, HEAD = 640, 330, 82, 25, 56  # pixels; LEFT: the first column of dots


@dataclass(frozen=True)
class Work:
    """``key``: in book/references.bib. ``here``, ``place``: parts that are here or have a place, by first letters."""

    name: str
    key: str
    here: str = ""
    place: str = ""

    def mark(self, part: str) -> bool | None:
        """Is its part here (True), is there only a place for it (False), or has it none (None)?"""
        return True if part[0] in self.here else False if part[0] in self.place else None

    @property
    def year(self) -> str:
        found = re.search(r"\d{4}", self.key)
        assert found, self.key
        return found[0]


MAP: dict[str, tuple[Work, ...]] = {  # the page's sections, and their works in the order of the page
    "A tree around the model": (
        Work("RAP", "hao2023reasoning", "es", "g"),
        Work("LATS", "zhou2024language", "ges"),
        Work("Graph of Thoughts", "besta2024graph", "", "gs"),
        Work("TS-LLM", "wan2024alphazero", "el", "s"),
    ),
    "Guided by its own probabilities": (
        Work("Levin tree search", "orseau2018single", "s"),
        Work("PHS", "orseau2021policy", "", "es"),
        Work("Levin search of thoughts", "pendurkar2026policy", "gs"),
    ),
    "A judge that was trained": (
        Work("Verifiers", "cobbe2021training", "", "el"),
        Work("Process reward models", "lightman2024verify", "el"),
        Work("Math-Shepherd", "wang2024shepherd", "e", "l"),
    ),
    "More tries, or longer ones": (
        Work("Large Language Monkeys", "brown2024monkeys", "ge"),
        Work("Compute-optimal scaling", "snell2024scaling", "ges"),
        Work("s1", "muennighoff2025s1", "", "gl"),
    ),
    "The search moves inside": (
        Work("STaR", "zelikman2022star", "l"),
        Work("Searchformer", "lehnert2024beyond", "gs", "l"),
        Work("Stream of Search", "gandhi2024stream", "gesl"),
        Work("Streams or chains?", "qin2025backtrack", "gs", "l"),
        Work("DeepSeek-R1", "guo2025deepseek", "g", "l"),
    ),
    "Thoughts that act": (
        Work("ReAct", "yao2023react", "g"),
        Work("Toolformer", "schick2023toolformer", "", "gl"),
    ),
}


def about() -> str:
    """The picture in words."""
    lines = []
    for section, works in MAP.items():
        said = []
        for work in works:
            here = [part for part in PARTS if work.mark(part)]
            place = [part for part in PARTS if work.mark(part) is False]
            parts = [" and ".join(here)] * bool(here) + [f"a place for {' and '.join(place)}"] * bool(place)
            said.append(f"{work.name} {work.year}: {', '.join(parts)}")
        lines.append(f"{section}. {'; '.join(said)}.")
    return "Which part of a search each work adds to, and whether this package has it. " + " ".join(lines)


def draw() -> str:
    rows = sum(len(works) + 1 for works in MAP.values())
    sketch = Sketch(WIDTH, HEAD + rows * ROW + 44)
    across = {part: LEFT + i * STEP for i, part in enumerate(PARTS)}
    for part, x in across.items():
        sketch.label(x, 34, part, bold=True, anchor="middle")
        sketch.arrow((x, 44), (x, HEAD + rows * ROW), colour="border", thick=1, head=False)
    y = HEAD + ROW / 2
    for section, works in MAP.items():
        sketch.label(16, y + 5, section, bold=True)
        y += ROW
        for work in works:
            sketch.label(28, y + 5, work.year, "faint", size=NOTE)
            sketch.label(66, y + 5, work.name)
            dots = [part for part in PARTS if work.mark(part) is not None]
            if len(dots) > 1:
                sketch.arrow((across[dots[0]], y), (across[dots[-1]], y), colour="chosen", thick=1.4, head=False)
            for part in dots:
                dot(sketch, across[part], y, filled=bool(work.mark(part)))
            y += ROW
    y += 14
    dot(sketch, 34, y, filled=True)
    sketch.label(48, y + 4, "in the package or a study of it", "faint", size=NOTE)
    dot(sketch, 264, y, filled=False)
    sketch.label(278, y + 4, "there is a place for it, and no code yet", "faint", size=NOTE)
    return sketch.svg("A map of the field", about())


def dot(sketch: Sketch, x: float, y: float, *, filled: bool, r: float = 6.5) -> None:
    """A filled dot, or a ring that hides the line behind it."""
    circle = f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"
    sketch.path(circle, fill="chosen" if filled else "ground")
    sketch.path(circle, "chosen", thick=1.8)


def image() -> str:
    """The line of the page that shows the picture."""
    return f"![{about()}](_static/{PICTURE.name})"


if __name__ == "__main__":
    PICTURE.write_text(draw() + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(rf"!\[[^]]*\]\(_static/{PICTURE.name}\)", lambda _: image(), page), encoding="utf-8")
