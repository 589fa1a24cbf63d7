"""What a chapter has, found by name: a sentence, a list, the question of a prediction, a cell, an exercise.

Everything is taken from the built half, ``notebooks/NN_name.ipynb``, so that a cell comes with the output that is
stored. A lookup raises ``Missing`` with a sentence that says what to write instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from tools.stored import read

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS, TOC = ROOT / "notebooks", ROOT / "_toc.yml"

HEADING = re.compile(r"^(#+) +(.*?) *$")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +")
CITED = re.compile(r"\s*\{cite\}`[^`]*`")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\([^)]*\)")
ENDS = (".", "?", "!", ":", ";", ")", '"', "*", "`")


class Missing(ValueError):
    """The chapter has no such piece, or more than one."""


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or an item of a list, on one line. ``cell``: its place in the notebook."""

    cell: int
    kind: str  # "heading", "item", "text", "mark" of a fold, or "as it is": a table or a block of code
    text: str  # Markdown, with the signs of a heading or an item taken off
    level: int = 0  # of a heading
    source: str = ""  # as it is written, line for line


def slide_text(markdown: str) -> str:
    """Markdown as a slide shows it: without citations, and with the words of links but not their targets."""
    return LINK.sub(r"\1", CITED.sub("", markdown))


def blocks_of(source: str, cell: int) -> list[Block]:
    """The blocks of a Markdown cell, with signs of quotation taken off."""
    found: list[Block] = []
    lines: list[str] = []
    fenced = False

    def close() -> None:
        if lines:
            whole = fenced or lines[0].startswith("|")
            kind = "as it is" if whole else "item" if ITEM.match(lines[0]) else "text"
            text = " ".join(" ".join(lines).split())
            text = ITEM.sub("", text) if kind == "item" else text
            found.append(Block(cell, kind, text, source="\n".join(lines)))
            lines.clear()

    for raw in source.splitlines():
        line = re.sub(r"^> ?", "", raw)
        if line.startswith("```"):
            if not fenced:
                close()
            lines.append(line)
            if fenced:
                close()
            fenced = not fenced
        elif fenced:
            lines.append(line)
        elif heading := HEADING.match(line):
            close()
            found.append(Block(cell, "heading", heading[2], len(heading[1]), line))
        elif not line.strip() or line.startswith(("<details", "</details", "<summary")):
            close()
            if line.startswith(("<details", "</details")):
                found.append(Block(cell, "mark", line.strip(), source=line))
        else:
            if ITEM.match(line):
                close()
            lines.append(line)
    close()
    return found


class Chapter:
    """A chapter by the name of its file, such as ``06_tot_bfs_game24``. Raises Missing if there is none."""

    def __init__(self, name: str, folder: Path = NOTEBOOKS) -> None:
        path = folder / f"{name}.ipynb"
        if not path.exists():
            raise Missing(f"there is no chapter {path.name}: an outline has the name of its chapter's file")
        self.name = name
        self.cells: list[NotebookNode] = read(path).cells
        self.blocks = [
            block
            for place, cell in enumerate(self.cells)
            if cell.cell_type == "markdown"
            for block in blocks_of(cell.source, place)
        ]

    @property
    def title(self) -> str:
        return next(block.text for block in self.blocks if block.level == 1)

    @property
    def number(self) -> str:
        """As the list of pages has it: ``"Chapter 6"``, ``"Chapter 8, part two"``."""
        found = re.search(rf"notebooks/{self.name}\n +title: \"?(\d+(?:, part two)?)", TOC.read_text(encoding="utf-8"))
        return f"Chapter {found[1]}" if found else "Appendix"

    def quote(self, words: str) -> str:
        """These words, which must be whole sentences of one paragraph or item, letter by letter."""
        wanted = slide_text(" ".join(words.split()))
        for text in (slide_text(block.text) for block in self.blocks):
            start = text.find(wanted)
            if start < 0:
                continue
            before, after = text[:start].rstrip(), text[start + len(wanted) :]
            if (before and not before.endswith(ENDS)) or (after.strip() and not wanted.endswith(ENDS)):
                raise Missing(f"“{_short(wanted)}” is only a part of a sentence: quote all of it")
            return wanted
        raise Missing(f"no paragraph says “{_short(wanted)}”: copy it anew from {self.name}.py, or take it out")

    def below(self, heading: str) -> list[Block]:
        """What stands in the text below a heading, to the next one; the heading is named whole, or by a part of it."""
        places = [i for i, b in enumerate(self.blocks) if b.kind == "heading" and heading in b.text]
        exact = [i for i in places if self.blocks[i].text == heading]
        places = exact or places
        if len(places) != 1:
            raise Missing(f"{_many(len(places), 'heading')} “{heading}”: write it as in {self.name}.py")
        found = []
        for block in self.blocks[places[0] + 1 :]:
            if block.kind == "heading" or block.cell != self.blocks[places[0]].cell:
                break
            found.append(block)
        return found

    def items(self, heading: str, only: tuple[int, ...] = ()) -> str:
        """The list below a heading, or those of its items that are numbered in ``only``."""
        items = [block for block in self.below(heading) if block.kind == "item"]
        if not items:
            raise Missing(f"there is no list below “{heading}”: quote sentences, or name another heading")
        if only and max(only) > len(items):
            raise Missing(f"the list below “{heading}” has {len(items)} items, so there is none numbered {max(only)}")
        chosen = [items[i - 1] for i in only] if only else items
        ordered = bool(re.match(r" *\d+\.", chosen[0].source))
        signs = [f"{i}." if ordered else "-" for i in range(1, len(chosen) + 1)]
        return "\n".join(f"{sign} {slide_text(item.text)}" for sign, item in zip(signs, chosen, strict=True))

    def text(self, heading: str) -> str:
        """All of the text below a heading."""
        return _joined(self.below(heading))

    def question(self, heading: str) -> str:
        """What is asked below a heading ``Predict: ...``; where there is no text, the heading itself."""
        full = next((b.text for b in self.blocks if b.kind == "heading" and heading in b.text), heading)
        asked = full.removeprefix("Predict: ")
        return self.text(heading) or asked[:1].upper() + asked[1:]

    def table(self, heading: str) -> str:
        """The table that is written below a heading (what a cell prints is a figure)."""
        found = [block.source for block in self.below(heading) if block.source.startswith("|")]
        if not found:
            raise Missing(f"no table is written below “{heading}”: if a cell puts it out, show that as a figure")
        return slide_text(found[0])

    def says(self, number: str) -> bool:
        """Whether a number stands anywhere in the chapter: in its text, its code, or what a cell puts out."""
        return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d%]|[.,]\d)", self._everything) is not None

    @cached_property
    def _everything(self) -> str:
        parts = [cell.source for cell in self.cells]
        for output in (output for cell in self.cells for output in cell.get("outputs", [])):
            parts += [output.get("text", ""), *map(str, output.get("data", {}).values())]
        return " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", part, flags=re.DOTALL) for part in parts)

    def exercise(self, number: int) -> tuple[str, str]:
        """The title and question of an exercise, and its hint."""
        heading = next(
            (b.text for b in self.blocks if re.match(rf"Exercise {number}\b", b.text) and b.kind == "heading"), None
        )
        if heading is None:
            raise Missing(f"there is no exercise {number}")
        parts: tuple[list[Block], list[Block]] = ([], [])
        inside = 0
        for block in self.below(heading):
            if block.kind == "mark":
                inside = int(block.text.startswith("<details"))
            else:
                parts[inside].append(block)
        return f"**{heading}**\n\n{_joined(parts[0])}", _joined(parts[1])

    def cell(self, words: str) -> int:
        """The place of the one code cell in whose source these words stand."""
        places = [i for i, cell in enumerate(self.cells) if cell.cell_type == "code" and words in cell.source]
        if len(places) != 1:
            raise Missing(f"{_many(len(places), 'cell')} with “{words}”: name code that stands in one cell only")
        return places[0]

    def prediction(self, heading: str) -> int:
        """The place of the cell below a heading ``Predict: ...`` that holds the answer: the first with an output."""
        self.below(heading)  # there is such a heading, and only one
        start = next(b.cell for b in self.blocks if b.kind == "heading" and heading in b.text)
        for place in range(start + 1, len(self.cells)):
            if self.cells[place].cell_type == "code" and self.cells[place].outputs:
                return place
        raise Missing(f"no cell below “{heading}” has an output")

    def guessed(self, place: int) -> bool:
        """Whether a cell has a place for a guess: the output of ``show.Predict``."""
        return any("tot-predict" in out.get("data", {}).get("text/html", "") for out in self.cells[place].outputs)

    def asked_above(self, place: int) -> str:
        """The heading of the prediction that this cell gives away, or ``""``."""
        headings = [b.text for b in self.blocks if b.kind == "heading" and b.cell < place]
        if not headings or not headings[-1].startswith("Predict:"):
            return ""
        answers = "predict" in self.cells[place].metadata.get("tags", []) or self.prediction(headings[-1]) == place
        return headings[-1] if answers else ""


def _joined(blocks: list[Block]) -> str:
    parts: list[str] = []
    for before, block in zip([None, *blocks], blocks, strict=False):
        together = before is not None and before.kind == block.kind == "item"
        parts.append("\n" if together else "\n\n" if parts else "")
        sign = ITEM.match(block.source)
        text = block.source if block.kind == "as it is" else slide_text(block.text)
        parts.append(f"{sign[0].strip()} {text}" if sign and block.kind == "item" else text)
    return "".join(parts)


def _many(count: int, what: str) -> str:
    return f"there is no {what}" if count == 0 else f"there are {count} {what}s"


def _short(words: str) -> str:
    return words if len(words) < 70 else words[:60].rsplit(" ", 1)[0] + " ..."
