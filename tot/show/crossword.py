"""A crossword, cell by cell: the board at one node of a trace, and all of a search's boards behind one slider.

A board is what a node states as its answer: rows of equal length, "_" for a cell without a letter. The clues are the
lines of the problem, "h1. ..." for the first row, "v1. ..." for the first column. No gold is known here: no letter is
marked right or wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .frames import Frames
from .plan import MARGIN, SIZE, SMALL
from .style import BORDER, FAINT, FONT, GROUND, INK, LOOKS
from .svg import SVG, dark_rules
from .tree import Item, Picture, Traced, picture
from .words import clean, count, cut, em, escape, line, number

CELL = 34.0
LIST = 330.0  # width of the list of clues
MOST = 15  # rows and columns


@dataclass(frozen=True)
class Clue:
    """A clue and its cells, (row, column)."""

    name: str
    text: str
    cells: tuple[tuple[int, int], ...]


def board(trace: Traced, id: str = "") -> SVG:
    """The board at a node (its id, such as "0.2.1"; else the chosen one): letters, clues, what became of the state.

    Cells with letters that are new at this node, and cells of clues that ruled it out, are marked. Raises ValueError
    for a node that is not there or states no board.
    """
    seen = picture(trace)
    end = id or next((item.id for item in reversed(seen.path())), seen.root)
    if end not in seen.items:
        raise ValueError(
            f"there is no node {end!r} in this trace: its ids go from {seen.root} to {list(seen.items)[-1]}"
        )
    return _draw(seen, seen.items[end], "")


def boards(trace: Traced) -> Frames:
    """Every state that the search visited, in its order, behind one slider. Raises ValueError if none is a board."""
    seen = picture(trace)
    visited = [
        str(node["id"]) for event in seen.trace.events if event["kind"] == "evaluated" for node in event["nodes"]
    ]
    items = [item for id in visited if _rows(item := seen.items[id])]
    if not items:
        raise ValueError("this trace has no boards: its nodes state no answers of rows of equal length")
    steps = [f"step {i} of {len(items)}" for i in range(1, len(items) + 1)]
    frames = [str(_draw(seen, item, step)) for item, step in zip(items, steps, strict=True)]
    labels = [
        f"{step}: {line(item.thought)}, {item.word.partition(':')[0]}" for item, step in zip(items, steps, strict=True)
    ]
    return Frames(frames, labels)


def _rows(item: Item | None) -> list[str]:
    """The rows of a node's board; none if its answer is not one."""
    rows = clean(item.answer).split() if item and item.answer is not None and len(item.answer) < 400 else []
    square = 1 < len(rows) <= MOST and len(set(map(len, rows))) == 1 and 1 < len(rows[0]) <= MOST
    return [row.upper() for row in rows] if square else []


def _clues(seen: Picture, rows: list[str]) -> list[Clue]:
    said = dict(re.findall(r"(?m)^([hv]\d{1,2})\. (.*)$", str(seen.trace.head.get("problem", ""))))
    wide, high = range(len(rows[0])), range(len(rows))
    lines = [(f"h{i + 1}", tuple((i, j) for j in wide)) for i in high]
    lines += [(f"v{j + 1}", tuple((i, j) for i in high)) for j in wide]
    return [Clue(name, line(said.get(name, "")), cells) for name, cells in lines]


def _draw(seen: Picture, item: Item, step: str) -> SVG:
    rows = _rows(item)
    if not rows:
        raise ValueError(f"node {item.id} states no board: an answer of rows of equal length, such as AB CD")
    before = _rows(seen.items.get(item.parent or "")) or ["_" * len(row) for row in rows]
    clues = _clues(seen, rows)
    ruled_out = re.findall(r"(?:^|; )([hv]\d{1,2})\. ", item.why[:2000]) if item.status == "pruned" else []
    looks = {cell: "new" if rows[cell[0]][cell[1]] == "_" else "kept" for clue in clues for cell in clue.cells}
    looks |= {cell: "pruned" for clue in clues if clue.name in ruled_out for cell in clue.cells}
    looks |= {(i, j): "chosen" for i, j in looks if len(before) > i and rows[i][j] not in ("_", before[i][j : j + 1])}

    left, top = MARGIN + 26.0, MARGIN + 66.0
    beside = left + CELL * len(rows[0]) + 26.0
    below = top + max(CELL * len(rows), 19.0 * len(clues)) + 14.0
    width, height = beside + LIST + MARGIN, below + 30.0
    about = _about(item, rows, ruled_out, step)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tot-svg" role="img" aria-label="{escape(about)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'style="display:block;width:100%;max-width:{width:g}px;min-width:{min(width, 420):g}px;height:auto" '
        f'font-family="{FONT}" font-size="{SIZE:g}">',
        f"<title>{escape(about.partition('.')[0])}</title>",
        f"<desc>{escape(about)}</desc>",
        f"<style>{dark_rules(sorted({*looks.values(), 'pruned', 'chosen'}))}</style>",
        f'<rect class="tot-ground" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="6" '
        f'fill="{GROUND[0]}" stroke="{BORDER[0]}"/>',
    ]
    head = " · ".join(filter(None, [step, line(item.thought) if item.depth else "the empty board"]))
    path = " › ".join(line(each.thought).rpartition(" ")[2] for each in _path(seen, item))
    parts.append(_say(MARGIN, 24, cut(head, (width - 2 * MARGIN) / 18), 15, "ink", ' font-weight="600"'))
    parts.append(_say(MARGIN, 43, cut(path, (width - 2 * MARGIN) / SIZE), SIZE, "faint"))
    for j in range(len(rows[0])):
        parts.append(_say(left + CELL * (j + 0.5), top - 7, f"v{j + 1}", SMALL, "faint", ' text-anchor="middle"'))
    for i in range(len(rows)):
        parts.append(_say(left - 8, top + CELL * (i + 0.5) + 4, f"h{i + 1}", SMALL, "faint", ' text-anchor="end"'))
    for look in sorted(set(looks.values())):
        at = {(left + CELL * j, top + CELL * i): rows[i][j] for (i, j), each in looks.items() if each == look}
        parts.append(_cells(at, look))
    for n, clue in enumerate(clues):
        letters = "".join(rows[i][j] for i, j in clue.cells)
        new = any(looks[cell] == "chosen" for cell in clue.cells)
        parts.append(_listed(beside, top + 11 + 19.0 * n, clue, letters, new, clue.name in ruled_out))
    parts.append(_say(MARGIN, below + 12, cut(_fate(item, ruled_out), (width - 2 * MARGIN) / SIZE), SIZE, "ink"))
    return SVG("\n".join([*parts, "</svg>"]), about, width)


def _path(seen: Picture, item: Item) -> list[Item]:
    """The nodes from the first thought down to this one."""
    path = []
    at: Item | None = item
    while at and at.depth:
        path.append(at)
        at = seen.items.get(at.parent or "")
    return path[::-1]


def _fate(item: Item, ruled_out: Sequence[str]) -> str:
    """What stands below the board: numbers, and what became of the state."""
    word = f"✕ pruned by {', '.join(ruled_out)}" if ruled_out else item.word
    facts = [f"value {number(item.value)}" if item.value is not None else ""]
    facts += [f"confidence {number(item.prior)}" if item.prior is not None else ""]
    facts += [word if item.depth else "", item.verdict]
    return " · ".join(clean(fact) for fact in facts if fact)


def _cells(letters: Mapping[tuple[float, float], str], look: str) -> str:
    """All cells of one look: what they share is said once, since a search has a hundred boards."""
    style, strong = LOOKS[look], look == "chosen"
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    line_ = f'stroke="{style.line[0]}" stroke-width="{1.6 if look in ("chosen", "pruned") else 1.0:g}"{dash}'
    side = f'width="{CELL - 3:g}" height="{CELL - 3:g}"'
    boxes = [f'<rect class="tot-box" x="{x + 1.5:g}" y="{y + 1.5:g}" {side}/>' for x, y in letters]
    texts = [
        f'<text class="tot-ink" x="{x + CELL / 2:g}" y="{y + CELL / 2 + 6:g}">{escape(letter)}</text>'
        for (x, y), letter in letters.items()
        if letter != "_"
    ]
    font = f'font-size="17" font-weight="{700 if strong else 500}" text-anchor="middle" fill="{style.ink[0]}"'
    inner = f'<g fill="{style.fill[0]}" {line_}>{"".join(boxes)}</g><g {font}>{"".join(texts)}</g>'
    return f'<g class="tot-node tot-n-{look}">{inner}</g>'


def _listed(x: float, y: float, clue: Clue, letters: str, new: bool, out: bool) -> str:
    """A clue, and its letters: bold where the word is complete. A cross where it ruled the state out."""
    full = "_" not in letters
    kind = "pruned" if out else "chosen" if full and new else ""
    ink = LOOKS["pruned"].ink if out else INK if full else FAINT
    css = "tot-ink" if full or out else "tot-faint"
    words = cut(f"{'✕ ' if out else ''}{clue.name} {clue.text}", (LIST - 10) / SIZE - em(letters))
    weight = ' font-weight="600"' if full else ""
    at = f'class="{css}" x="{x:g}" y="{y:g}"'
    end = f'class="{css}" x="{x + LIST:g}" y="{y:g}" text-anchor="end"{weight}'
    texts = f"<text {at}>{escape(words)}</text><text {end}>{escape(letters)}</text>"
    return f'<g class="tot-node tot-n-{kind}" fill="{ink[0]}">{texts}</g>'


def _say(x: float, y: float, text: str, size: float, css: str, more: str = "") -> str:
    ink = INK[0] if css == "ink" else FAINT[0]
    return f'<text class="tot-{css}" x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}"{more}>{escape(text)}</text>'


def _about(item: Item, rows: list[str], ruled_out: Sequence[str], step: str) -> str:
    """The board in words: the alternative text."""
    what = f"Crossword, {step or 'node ' + item.id}: {line(item.thought) if item.depth else 'the empty board'}. "
    missing = sum(row.count("_") for row in rows)
    left = f"{count(missing, 'cell')} without a letter" if missing else "no cell without a letter"
    return clean(f"{what}Rows: {' '.join(rows)}, {left}. {_fate(item, ruled_out)}.")
