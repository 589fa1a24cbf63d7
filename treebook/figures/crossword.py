"""A crossword, cell by cell: the boards of a search side by side.

A board is the answer that a node states: rows of equal length, with "_" for a cell without a letter. Row 1 is "h1",
column 1 "v1". The solution is not known here, so no letter is marked right or wrong.
"""

import re
from collections.abc import Mapping, Sequence

from tot.show.escaping import clean, count, cut, escape, line
from tot.show.tree import Item, Picture, Traced, picture, refusing_damage

from .drawing import SVG, dark_css, framed, node_css, px, with_phone, written
from .layout import MARGIN, PHONE, SMALL
from .looks import LOOKS

MAX_SIDE = 15  # rows, and columns, of a board
CELL, ABREAST, GAP = 20.0, 6, 16.0  # a cell's side, how many boards in a row, what is between them; in pixels

Cell = tuple[int, int]  # row, column


@refusing_damage
def board_strip(trace: Traced, visits: Sequence[int] = (), notes: Mapping[int, str] | None = None) -> SVG:
    """The states that a search visited as small boards, in this order, six in a row; fewer on a phone.

    ``visits``: which, counted from 1; (): all. Below a board stands its note in ``notes``, else the clues that ruled it
    out. New letters are marked; so are letters that were written over others, and the clues that ruled a state out.
    Raises ValueError if none is a board, and for a visit that there was not.
    """
    seen = picture(trace)
    items = dict(enumerate(_visited(seen), 1))
    shown = list(visits) or list(items)
    if strange := [i for i in shown if i not in items]:
        raise ValueError(f"there was no visit {strange[0]}: this search has {len(items)}")
    boards = {i: items[i] for i in shown}
    made = _strip(seen, boards, notes or {}, ABREAST)
    step = CELL * len(_rows(items[shown[0]])[0]) + GAP
    narrow = max(1, int((1.04 * PHONE - 2 * MARGIN + GAP) / step))  # 4%: so much smaller the text is still legible
    return made if made.width <= 1.04 * PHONE else with_phone(made, _strip(seen, boards, notes or {}, narrow))


def _strip(seen: Picture, boards: Mapping[int, Item], notes: Mapping[int, str], abreast: int) -> SVG:
    first = _rows(next(iter(boards.values())))
    high, wide = len(first), len(first[0])
    step = CELL * wide + GAP, CELL * high + 50.0
    parts, used, said = [], set[str](), []
    for n, (i, item) in enumerate(boards.items()):
        rows = _rows(item)
        before = _rows(seen.items.get(item.parent or "")) or ["_" * wide] * high
        out = _ruled_out(item)
        looks = _looks(rows, before, out)
        over = [(a, b) for a, b in looks if before[a : a + 1] and before[a][b : b + 1] not in ("", "_", rows[a][b])]
        looks |= dict.fromkeys(over, "wrong")
        used |= {*looks.values()}
        left, top = MARGIN + step[0] * (n % abreast), MARGIN + 20 + step[1] * (n // abreast)
        word = cut(f"{i} · {line(item.thought)}", (step[0] - 4) / SMALL)
        parts.append(written(left, top - 7, word, size=SMALL, more=' font-weight="600"'))
        parts += _cells(rows, looks, left, top)
        end = notes.get(i) or (f"✕ {' '.join(out)}" if out else "✕ pruned" if item.status == "pruned" else "")
        end = cut(line(end), (step[0] - 4) / SMALL)
        css = "wrong" if end.startswith("✕") else "ink"
        parts.append(written(left, top + CELL * high + 14, end, css, size=SMALL))
        fate = [end, f"{count(len(over), 'letter')} written over" if over else ""]
        said.append(f"{i}: {line(item.thought)}: {' '.join(rows)}{''.join(f', {each}' for each in fate if each)}")
    columns = min(abreast, len(boards))
    size = 2 * MARGIN + step[0] * columns - GAP, 2 * MARGIN + step[1] * -(-len(boards) // abreast) - 10
    css = node_css({*used, "pruned"}) + dark_css({".tot-wrong": f"fill:{LOOKS['wrong'].ink[1]}"})
    about = clean(f"Crossword, {count(len(boards), 'visited board')}. {'; '.join(said)}.")
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


def _looks(rows: list[str], before: list[str], out: Sequence[str]) -> dict[Cell, str]:
    """The look of each cell. ``before``: the rows that this board came from; ``out``: the clues that ruled it out."""
    looks = {(i, j): "new" if letter == "_" else "kept" for i, row in enumerate(rows) for j, letter in enumerate(row)}
    looks |= {(i, j): "pruned" for i, j in looks if {f"h{i + 1}", f"v{j + 1}"} & {*out}}
    changed = [(i, j) for i, j in looks if len(before) > i and rows[i][j] not in ("_", before[i][j : j + 1])]
    return looks | dict.fromkeys(changed, "chosen")


def _rows(item: Item | None) -> list[str]:
    """The rows of a node's board; [] if its answer is not a board."""
    rows = clean(item.answer).split() if item and item.answer is not None and len(item.answer) < 400 else []
    square = 1 < len(rows) <= MAX_SIDE and len(set(map(len, rows))) == 1 and 1 < len(rows[0]) <= MAX_SIDE
    return [row.upper() for row in rows] if square else []


def _cells(rows: list[str], looks: Mapping[Cell, str], left: float, top: float) -> list[str]:
    """The cells of a board, those of one look together: a search has a hundred boards."""
    groups, size = [], f'width="{px(CELL - 1.8)}" height="{px(CELL - 1.8)}"'
    for look in sorted({*looks.values()}):
        style, boxes, texts = LOOKS[look], [], []
        for (i, j), each in looks.items():
            x, y = left + CELL * j, top + CELL * i
            if each == look:
                boxes.append(f'<rect class="tot-box" x="{px(x + 0.9)}" y="{px(y + 0.9)}" {size}/>')
            if each == look and rows[i][j] != "_":
                at = f'x="{px(x + CELL / 2)}" y="{px(y + CELL / 2 + 3.5)}"'
                texts.append(f'<text class="tot-ink" {at}>{escape(rows[i][j])}</text>')
        thick, weight = 1.6 if look in ("chosen", "pruned") else 1.0, 700 if look == "chosen" else 500
        inner = f'<g fill="{style.fill[0]}" stroke="{style.line[0]}" stroke-width="{px(thick)}">{"".join(boxes)}</g>'
        font = f'font-size="{px(SMALL)}" font-weight="{weight}" text-anchor="middle"'
        inner += f'<g {font} fill="{style.ink[0]}">{"".join(texts)}</g>'
        groups.append(f'<g class="tot-node tot-n-{look}">{inner}</g>')
    return groups
