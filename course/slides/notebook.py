"""A deck as a notebook: slides in the metadata that nbconvert and JupyterLab know, and every cell runs.

A slide shows few cells, and these need those that stand above them in the chapter. So the notebook has all code of the
chapter up to the last cell that is shown, in the chapter's order; what no slide shows has the type *skip*.
"""

from __future__ import annotations

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from .chapter import Chapter
from .outline import Outline, Piece, Slide

START = """\
# The chapter's cells expect to run beside their recordings.
import os
from pathlib import Path

if not Path("cassettes").exists():
    if not Path("../../notebooks/cassettes").exists():
        raise SystemExit("Open this notebook where `make slides` put it.")
    os.chdir("../../notebooks")"""


def assemble(outline: Outline) -> NotebookNode:
    """The notebook of a deck, with the outputs that the chapter has stored."""
    chapter = outline.chapter
    head = f"{chapter.number}\n\n# {chapter.title}\n\n{outline.question}"
    cells = [
        new_code_cell(START, metadata=_slideshow("skip") | {"jupyter": {"source_hidden": True}}),
        new_markdown_cell(head, metadata=_slideshow("slide", layout="title", timing=_seconds(outline.minutes))),
        _notes(outline.notes, outline.minutes),
    ]
    run = 0  # the chapter's cells before this place are in the notebook
    for slide in outline.slides:
        shown = [piece.place for piece in slide.pieces if piece.place >= 0]
        for place in range(run, min(shown, default=0)):
            cells += _skipped(chapter, place)
        run = max([run, *(place + 1 for place in shown)])
        cells += _slide_cells(chapter, slide)
    for number, cell in enumerate(cells):
        cell.id = f"slide-{number:03d}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    title = f"{chapter.number}: {chapter.title}"
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "title": title}
    return new_notebook(cells=cells, metadata=metadata)


def _slide_cells(chapter: Chapter, slide: Slide) -> list[NotebookNode]:
    layout = "columns" if slide.columns else "rows"
    meta = _slideshow("slide", layout=layout, timing=_seconds(slide.minutes))
    cells = [new_markdown_cell(f"## {slide.title}", metadata=meta)]
    hints = []
    before = -1
    for piece in slide.pieces:
        for place in range(before + 1, piece.place) if before >= 0 and piece.place >= 0 else ():
            cells += _skipped(chapter, place)
        cells += _piece_cells(chapter, piece)
        before = max(before, piece.place)
        if piece.kind == "exercise":
            hints.append(chapter.exercise(int(piece.name))[1])
    notes = "\n\n".join([slide.notes, *(f"**The chapter's hint.** {hint}" for hint in hints if hint)])
    return [*cells, _notes(notes, slide.minutes)]


def _piece_cells(chapter: Chapter, piece: Piece) -> list[NotebookNode]:
    if piece.kind == "quote":
        return [new_markdown_cell(chapter.quote(piece.name), metadata=_part(piece))]
    if piece.kind == "list":
        return [new_markdown_cell(chapter.items(piece.name, piece.only), metadata=_part(piece))]
    if piece.kind in ("text", "table"):
        return [new_markdown_cell(getattr(chapter, piece.kind)(piece.name), metadata=_part(piece))]
    if piece.kind == "exercise":
        return [new_markdown_cell(chapter.exercise(int(piece.name))[0], metadata=_part(piece))]
    text = [new_markdown_cell(chapter.question(piece.name), metadata=_part(piece))] if piece.kind == "ask" else []
    if piece.place < 0:
        return text
    cell = _code(chapter, piece.place, _part(piece))
    if piece.kind == "code":
        cell.outputs, cell.execution_count = [], None
    elif piece.kind != "cell":
        cell.metadata["jupyter"] = {"source_hidden": True}
    return [*text, cell]


def _code(chapter: Chapter, place: int, metadata: dict[str, object]) -> NotebookNode:
    cell = chapter.cells[place]
    kept = {key: cell.metadata[key] for key in ("mystnb",) if key in cell.metadata}
    outputs = [output.copy() for output in cell.outputs]
    return new_code_cell(cell.source, metadata=metadata | kept, outputs=outputs, execution_count=cell.execution_count)


def _skipped(chapter: Chapter, place: int) -> list[NotebookNode]:
    """A cell of the chapter that no slide shows; what it printed is left out."""
    if chapter.cells[place].cell_type != "code":
        return []
    meta = _slideshow("skip") | {"jupyter": {"source_hidden": True}}
    return [new_code_cell(chapter.cells[place].source, metadata=meta)]


def _part(piece: Piece) -> dict[str, object]:
    return _slideshow("-") | {"tot": {"kind": piece.kind, "output": piece.output}}


def _notes(notes: str, minutes: float) -> NotebookNode:
    return new_markdown_cell(f"**{minutes:g} min.** {notes}", metadata=_slideshow("notes"))


def _slideshow(kind: str, **data: object) -> dict[str, object]:
    return {"slideshow": {"slide_type": kind} | ({"data": data} if data else {})}


def _seconds(minutes: float) -> int:
    return round(60 * minutes)
