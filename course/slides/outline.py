"""An outline, ``course/slides/NN_name.toml``: which pieces of a chapter stand on which slide, and what a teacher says.

``README.md`` beside this file explains the format. ``check`` holds an outline against its chapter and against the
rules of a deck; whatever is wrong is an ``OutlineError`` that names the line and says what to do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .chapter import ROOT, Chapter, Missing

FOLDER = Path(__file__).resolve().parent
LEAST, MOST = 12, 20  # slides of a deck, with its title
KINDS = {  # kind of a piece: what further keys it may have
    "quote": (),
    "list": ("only",),
    "text": (),
    "table": (),
    "ask": (),
    "answer": ("output",),
    "figure": ("output",),
    "cell": ("output",),
    "code": (),
    "exercise": (),
}
NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d%?|\d%")  # a result that notes might repeat


class OutlineError(RuntimeError):
    """An outline that cannot be shown."""


@dataclass(frozen=True)
class Piece:
    """Something of the chapter. ``place``: of its cell, for the kinds that show one, else -1. ``only``: numbers of
    items of a list. ``output``: number of an output of the cell, 0 for all.
    """

    kind: str
    name: str
    place: int = -1
    only: tuple[int, ...] = ()
    output: int = 0


@dataclass(frozen=True)
class Slide:
    """One idea. ``notes``: Markdown for the one who speaks. ``line``: where the outline has it."""

    title: str
    minutes: float
    notes: str
    pieces: tuple[Piece, ...]
    columns: bool
    line: int


@dataclass(frozen=True)
class Outline:
    """The slides of a chapter; the title slide has ``question``, a sentence of the chapter, and ``notes``."""

    path: Path
    chapter: Chapter
    question: str
    notes: str
    minutes: float
    slides: tuple[Slide, ...]

    @property
    def all_minutes(self) -> float:
        return self.minutes + sum(slide.minutes for slide in self.slides)


def outlines(which: str = "", folder: Path = FOLDER) -> list[Path]:
    """The outlines whose names begin so. Raises OutlineError if there is none."""
    found = sorted(folder.glob(f"{which}*.toml"))
    if not found:
        known = ", ".join(sorted(path.stem[:2] for path in folder.glob("*.toml")))
        raise OutlineError(f"There is no outline that begins with “{which}”; there are {known}.")
    return found


def read(path: Path) -> Outline:
    """The outline of a file, checked. Raises OutlineError."""
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    text = path.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(text)
        chapter = Chapter(path.stem)
    except (tomllib.TOMLDecodeError, Missing) as error:
        raise OutlineError(f"{shown}: {error}.") from error
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "[[slide]]"]
    where, slides = f"{shown}, line 1", []
    try:
        _only_keys(data, {"question", "notes", "minutes", "slide"})
        question = chapter.quote(_text(data, "question"))
        notes, minutes = _text(data, "notes"), _minutes(data)
        for line, entry in zip(lines, data.get("slide", []), strict=True):
            where = f"{shown}, line {line}, slide “{entry.get('title', '?')}”"
            slides.append(_slide(chapter, entry, line))
        outline = Outline(path, chapter, question, notes, minutes, tuple(slides))
        for slide, problem in _problems(outline):
            where = f"{shown}, line {slide.line}, slide “{slide.title}”" if slide else str(shown)
            raise Missing(problem)
    except Missing as error:
        raise OutlineError(f"{where}: {error}.") from error
    return outline


def _slide(chapter: Chapter, entry: dict[str, Any], line: int) -> Slide:
    _only_keys(entry, {"title", "minutes", "notes", "show", "columns"})
    pieces = tuple(_piece(chapter, piece) for piece in entry.get("show", []))
    if not pieces:
        raise Missing("it shows nothing: give it a list `show`")
    return Slide(
        _text(entry, "title"), _minutes(entry), _text(entry, "notes"), pieces, bool(entry.get("columns")), line
    )


def _piece(chapter: Chapter, entry: dict[str, Any]) -> Piece:
    kinds = [key for key in entry if key in KINDS]
    if len(kinds) != 1:
        raise Missing(f"a piece has one of the keys {', '.join(KINDS)}, and this one has {', '.join(entry) or 'none'}")
    [kind] = kinds
    _only_keys(entry, {kind, *KINDS[kind]})
    name, only, output = str(entry[kind]), tuple(entry.get("only", ())), int(entry.get("output", 0))
    place = -1
    if kind == "quote":
        chapter.quote(name)
    elif kind == "list":
        chapter.items(name, only)
    elif kind == "exercise":
        chapter.exercise(int(name))
    elif kind in ("text", "table"):
        getattr(chapter, kind)(name)
    elif kind in ("ask", "answer"):
        answer = chapter.prediction(name)
        place = answer if kind == "answer" or chapter.guessed(answer) else -1  # a question may be text alone
    else:
        place = chapter.cell(name)
    if kind in ("answer", "figure", "cell"):
        outputs = len(chapter.cells[place].outputs)
        if outputs < max(1, output):
            raise Missing(f"the cell with “{name}” has {outputs} outputs: it cannot show number {output or 1}")
    return Piece(kind, name, place, only, output)


def _problems(outline: Outline) -> Iterator[tuple[Slide | None, str]]:
    """What a deck must not be, the first problem first."""
    slides, chapter = outline.slides, outline.chapter
    if not LEAST <= len(slides) + 1 <= MOST:
        yield None, f"a deck has {LEAST} to {MOST} slides, and this one has {len(slides) + 1} with its title"
    for slide, name in ((slides[0], "Learning objectives"), (slides[-1], "Summary")):
        if not any(piece.kind == "list" and piece.name == name for piece in slide.pieces):
            yield slide, f"the {'first' if slide is slides[0] else 'last'} slide shows the list “{name}” of the chapter"
    if not any(piece.kind == "exercise" for slide in slides for piece in slide.pieces):
        yield None, "there is no exercise to do together: show one"
    asked: set[str] = set()
    last = -1
    for slide in slides:
        if len(slide.notes.split()) < 12:
            yield slide, "its notes are too short to help: say what to say, what to ask, and what to point at"
        for number in NUMBER.findall(slide.notes):
            if not chapter.says(number):
                yield slide, f"its notes say {number}, which the chapter says nowhere: point at the slide instead"
        shown = [piece.place for piece in slide.pieces if piece.place >= 0 and piece.kind not in ("ask", "code")]
        given_away = [chapter.asked_above(place) for place in shown]
        for heading in filter(None, given_away):
            if heading not in asked:
                yield slide, f"it gives away the answer to “{heading}”: ask that on a slide before it"
        asked |= {chapter.asked_above(chapter.prediction(piece.name)) for piece in slide.pieces if piece.kind == "ask"}
        for piece in slide.pieces:
            if piece.place >= 0 and piece.place < last:
                yield slide, f"the cell of “{piece.name}” stands above one shown already: keep the chapter's order"
            last = max(last, piece.place)


def _text(entry: dict[str, Any], key: str) -> str:
    if not isinstance(entry.get(key), str) or not entry[key].strip():
        raise Missing(f"it has no {key}: write a text for it")
    return str(entry[key]).strip()


def _minutes(entry: dict[str, Any]) -> float:
    if not isinstance(entry.get("minutes"), int | float) or not 0 < entry["minutes"] <= 15:
        raise Missing("it has no minutes between 0 and 15: say how long it takes")
    return float(entry["minutes"])


def _only_keys(entry: dict[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(entry) - known):
        raise Missing(f"the key {unknown[0]} means nothing here: use {', '.join(sorted(known))}")
