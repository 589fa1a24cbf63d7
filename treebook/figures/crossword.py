"""A crossword, cell by cell: the board at one node of a trace, and the boards of a search, behind one slider or side by
side.

A board is the answer that a node states: rows of equal length, with "_" for a cell without a letter. The clues are the
lines of the problem, "h1. ..." for the first row, "v1. ..." for the first column. The solution is not known here, so no
letter is marked right or wrong.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tot.show.escaping import clean, count, cut, em, escape, line, number
from tot.show.tree import Item, Picture, Traced, picture, refusing_damage

from .drawing import SVG, dark_css, dashed, framed, node_css, px, written
from .layout import MARGIN, SIZE, SMALL
from .looks import FAINT, INK, LOOKS
from .slider import Frames

CELL, ROW, LIST = 34.0, 19.0, 330.0  # side of a cell, height of a clue, width of the list of clues; in pixels
NARROWEST = 420.0  # pixels: narrower pages scroll
MAX_SIDE = 15  # rows, and columns, of a board
BOLD = ' font-weight="600"'
TINY, ABREAST, GAP = 20.0, 6, 16.0  # of boards side by side: a cell's side, how many in a row, what is between them


Cell = tuple[int, int]  # row, column


class Clue(NamedTuple):
    """A clue and its cells."""

    name: str
    text: str
    cells: tuple[Cell, ...]


@refusing_damage
def board(trace: Traced, id: str = "") -> SVG:
    """The board at a node: letters, clues, what became of the state. ``id``: such as "0.2.1"; "": the chosen node.

    Cells with letters that are new at this node are marked, and cells of clues for which the state was pruned. Raises
    ValueError for a node that is not in the trace or states no board.
    """
    seen = picture(trace)
    end = id or next((item.id for item in reversed(seen.path())), seen.root)
    if end not in seen.items:
        ids = f"its ids go from {seen.root} to {list(seen.items)[-1]}"
        raise ValueError(f"there is no node {end!r} in this trace: {ids}")
    return _draw(seen, seen.items[end], "")


@refusing_damage
def boards(trace: Traced) -> Frames:
    """Every state that the search visited, in this order, behind one slider. Raises ValueError if none is a board."""
    seen = picture(trace)
    items = _visited(seen)
    steps = {f"step {i} of {len(items)}": item for i, item in enumerate(items, 1)}
    labels = [f"{step}: {line(item.thought)}, {item.word.partition(':')[0]}" for step, item in steps.items()]
    return Frames([str(_draw(seen, item, step)) for step, item in steps.items()], labels)


@refusing_damage
def board_strip(trace: Traced, visits: Sequence[int] = (), notes: Mapping[int, str] | None = None) -> SVG:
    """The states that a search visited as small boards, in this order, six in a row.

    ``visits``: which, counted from 1; (): all. Below a board stands its note in ``notes``, else the clues that ruled it
    out. New letters are marked; so are letters that were written over others, and the clues that ruled a state out.
    Raises ValueError if none is a board, and for a visit that there was not.
    """
    seen = picture(trace)
    items = dict(enumerate(_visited(seen), 1))
    shown = list(visits) or list(items)
    if strange := [i for i in shown if i not in items]:
        raise ValueError(f"there was no visit {strange[0]}: this search has {len(items)}")
    high, wide = len(_rows(items[shown[0]])), len(_rows(items[shown[0]])[0])
    step = TINY * wide + GAP, TINY * high + 50.0
    parts, used, said = [], set[str](), []
    for n, i in enumerate(shown):
        item, rows = items[i], _rows(items[i])
        before = _rows(seen.items.get(item.parent or "")) or ["_" * wide] * high
        clues, out = _clues(seen, rows), _ruled_out(item)
        looks = _looks(rows, before, clues, out)
        over = [(a, b) for a, b in looks if before[a : a + 1] and before[a][b : b + 1] not in ("", "_", rows[a][b])]
        looks |= dict.fromkeys(over, "wrong")
        used |= {*looks.values()}
        left, top = MARGIN + step[0] * (n % ABREAST), MARGIN + 20 + step[1] * (n // ABREAST)
        word = cut(f"{i} · {line(item.thought)}", (step[0] - 4) / SMALL)
        parts.append(written(left, top - 7, word, size=SMALL, more=BOLD))
        parts += _cells(rows, looks, left, top, TINY)
        end = (notes or {}).get(i) or (f"✕ {' '.join(out)}" if out else "✕ pruned" if item.status == "pruned" else "")
        end = cut(line(end), (step[0] - 4) / SMALL)
        css = "wrong" if end.startswith("✕") else "ink"
        parts.append(written(left, top + TINY * high + 14, end, css, size=SMALL))
        fate = [end, f"{count(len(over), 'letter')} written over" if over else ""]
        said.append(f"{i}: {line(item.thought)}: {' '.join(rows)}{''.join(f', {each}' for each in fate if each)}")
    columns = min(ABREAST, len(shown))
    size = 2 * MARGIN + step[0] * columns - GAP, 2 * MARGIN + step[1] * -(-len(shown) // ABREAST) - 10
    css = node_css({*used, "pruned"}) + dark_css({".tot-wrong": f"fill:{LOOKS['wrong'].ink[1]}"})
    about = clean(f"Crossword, {count(len(shown), 'visited board')}. {'; '.join(said)}.")
    return framed(parts, size, least=0, title=about.partition(".")[0], about=about, css=css)


def _visited(seen: Picture) -> list[Item]:
    """The nodes that the search visited, in this order. Raises ValueError if none is a board."""
    visited = (node for event in seen.trace.events if event["kind"] == "evaluated" for node in event["nodes"])
    if items := [item for node in visited if _rows(item := seen.items[str(node["id"])])]:
        return items
    raise ValueError("this trace has no boards: its nodes state no answers of rows of equal length")


def _ruled_out(item: Item) -> list[str]:
    """The names of the clues for which a state was pruned."""
    return re.findall(r"(?:^|; )([hv]\d{1,2})\. ", item.why[:2000]) if item.status == "pruned" else []


def _looks(rows: list[str], before: list[str], clues: Sequence[Clue], out: Sequence[str]) -> dict[Cell, str]:
    """The look of each cell. ``before``: the rows that this board came from; ``out``: the clues that ruled it out."""
    looks = {cell: "new" if rows[cell[0]][cell[1]] == "_" else "kept" for clue in clues for cell in clue.cells}
    looks |= {cell: "pruned" for clue in clues if clue.name in out for cell in clue.cells}
    changed = [(i, j) for i, j in looks if len(before) > i and rows[i][j] not in ("_", before[i][j : j + 1])]
    return looks | dict.fromkeys(changed, "chosen")


def _rows(item: Item | None) -> list[str]:
    """The rows of a node's board; [] if its answer is not a board."""
    rows = clean(item.answer).split() if item and item.answer is not None and len(item.answer) < 400 else []
    square = 1 < len(rows) <= MAX_SIDE and len(set(map(len, rows))) == 1 and 1 < len(rows[0]) <= MAX_SIDE
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
    clues, ruled_out = _clues(seen, rows), _ruled_out(item)
    looks = _looks(rows, before, clues, ruled_out)

    left, top = MARGIN + 26.0, MARGIN + 66.0
    beside = left + CELL * len(rows[0]) + 26.0
    below = top + max(CELL * len(rows), ROW * len(clues)) + 14.0
    width, height = beside + LIST + MARGIN, below + 30.0
    room = (width - 2 * MARGIN) / SIZE
    name = line(item.thought) if item.depth else "the empty board"
    path, at = list[str](), item
    while at.depth:
        path.insert(0, line(at.thought).rpartition(" ")[2])
        at = seen.items[at.parent or ""]
    parts = [
        written(MARGIN, 24, cut(f"{step} · {name}" if step else name, room * SIZE / 18), size=15, more=BOLD),
        written(MARGIN, 43, cut(" › ".join(path), room), "faint", size=SIZE),
    ]
    for j in range(len(rows[0])):
        at_x = left + CELL * (j + 0.5)
        parts.append(written(at_x, top - 7, f"v{j + 1}", "faint", size=SMALL, more=' text-anchor="middle"'))
    for i in range(len(rows)):
        at_y = top + CELL * (i + 0.5) + 4
        parts.append(written(left - 8, at_y, f"h{i + 1}", "faint", size=SMALL, more=' text-anchor="end"'))
    parts += _cells(rows, looks, left, top, CELL)
    for n, clue in enumerate(clues):
        word = "".join(rows[i][j] for i, j in clue.cells)
        new = any(looks[cell] == "chosen" for cell in clue.cells)
        parts.append(_listed(beside, top + 11 + ROW * n, clue, word, new, clue.name in ruled_out))
    fate = _fate(item, ruled_out)
    parts.append(written(MARGIN, below + 12, cut(fate, room), size=SIZE))
    missing = sum(row.count("_") for row in rows)
    gaps = f"{count(missing, 'cell')} without a letter" if missing else "no cell without a letter"
    about = clean(f"Crossword, {step or 'node ' + item.id}: {name}. Rows: {' '.join(rows)}, {gaps}. {fate}.")
    css, least = node_css([*looks.values(), "pruned", "chosen"]), min(width, NARROWEST)
    return framed(parts, (width, height), least=least, title=about.partition(".")[0], about=about, css=css)


def _fate(item: Item, ruled_out: Sequence[str]) -> str:
    """The line below the board: numbers, and what became of the state."""
    word = f"✕ pruned by {', '.join(ruled_out)}" if ruled_out else item.word
    facts = [f"value {number(item.value)}" if item.value is not None else ""]
    facts += [f"confidence {number(item.prior)}" if item.prior is not None else ""]
    facts += [word if item.depth else "", {"wrong": "the output, not solved"}.get(item.verdict, item.verdict)]
    return " · ".join(clean(fact) for fact in facts if fact)


def _cells(rows: list[str], looks: Mapping[Cell, str], left: float, top: float, side: float) -> list[str]:
    """The cells of a board, those of one look together: a search has a hundred boards. ``side``: of a cell."""
    small, groups = side / CELL, []
    size = f'width="{px(side - 3 * small)}" height="{px(side - 3 * small)}"'
    for look in sorted({*looks.values()}):
        style, boxes, texts = LOOKS[look], [], []
        for (i, j), each in looks.items():
            x, y = left + side * j, top + side * i
            if each == look:
                boxes.append(f'<rect class="tot-box" x="{px(x + 1.5 * small)}" y="{px(y + 1.5 * small)}" {size}/>')
            if each == look and rows[i][j] != "_":
                at = f'x="{px(x + side / 2)}" y="{px(y + side / 2 + 6 * small)}"'
                texts.append(f'<text class="tot-ink" {at}>{escape(rows[i][j])}</text>')
        thick, weight = 1.6 if look in ("chosen", "pruned") else 1.0, 700 if look == "chosen" else 500
        outline = f'stroke="{style.line[0]}" stroke-width="{px(thick)}"{dashed(style.dash) if small == 1 else ""}'
        font = f'font-size="{px(max(SMALL, 17 * small))}" font-weight="{weight}" text-anchor="middle"'
        inner = f'<g fill="{style.fill[0]}" {outline}>{"".join(boxes)}</g>'
        inner += f'<g {font} fill="{style.ink[0]}">{"".join(texts)}</g>'
        groups.append(f'<g class="tot-node tot-n-{look}">{inner}</g>')
    return groups


def _listed(x: float, y: float, clue: Clue, letters: str, new: bool, out: bool) -> str:
    """A clue, and its letters: bold where the word is complete; with a cross where the state was pruned for it."""
    full = "_" not in letters
    kind = "pruned" if out else "chosen" if full and new else ""
    ink = LOOKS["pruned"].ink if out else INK if full else FAINT
    css = "tot-ink" if full or out else "tot-faint"
    words = cut(f"{'✕ ' if out else ''}{clue.name} {clue.text}", (LIST - 10) / SIZE - em(letters))
    weight = BOLD if full else ""
    at = f'class="{css}" x="{px(x)}" y="{px(y)}"'
    end = f'class="{css}" x="{px(x + LIST)}" y="{px(y)}" text-anchor="end"{weight}'
    texts = f"<text {at}>{escape(words)}</text><text {end}>{escape(letters)}</text>"
    return f'<g class="tot-node tot-n-{kind}" fill="{ink[0]}">{texts}</g>'
