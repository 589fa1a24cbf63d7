"""A trace as plain text, for terminals and for screen readers."""

from __future__ import annotations

from . import words
from .fold import fold
from .tree import Item, Picture, Traced, caption, picture
from .words import cells, cut, line


def text(
    trace: Traced, *, width: int = 100, upto: int | None = None, max_dropped: int | None = None, ascii: bool = False
) -> str:
    """One line for each node: its thought, numbers, what became of it, and an arrow at the chosen one.

    ``width``: columns; long thoughts are cut to fit. ``upto``: the moment after that many events. ``max_dropped``: how
    many children of a node that were not kept are listed before the rest becomes "+12 not kept"; None lists all.
    ``ascii``: draw with plain characters only (the thoughts stay as they are).
    """
    seen = picture(trace, upto)
    items = fold(seen, max_dropped, None)
    glyphs = ("|- ", "`- ", "|  ", "<- ", "..") if ascii else ("├─ ", "└─ ", "│  ", "← ", "…")
    width = max(width, 40)
    rows = _rows(seen, items, width, glyphs)
    column = max(cells(left) for left, _ in rows)
    lines = [cut(one, width, cells) for one in caption(seen) if one]
    for left, right in rows:
        gap = max(min(column, width - 2 - cells(right)) - cells(left), 0) + 2
        lines.append(cut(f"{left}{' ' * gap}{right}".rstrip(), width, cells))
    return "\n".join(lines)


def _rows(seen: Picture, items: dict[str, Item], width: int, glyphs: tuple[str, ...]) -> list[tuple[str, str]]:
    tee, elbow, bar, arrow, dots = glyphs
    rows = []
    stack = [(seen.root, "", "")]  # item, its own prefix, the prefix of its children
    while stack:
        id, prefix, below = stack.pop()
        item = items[id]
        right = _facts(item, seen, arrow)
        if len(prefix) > width // 2:  # too deep to draw: say how deep
            prefix = f"{dots} level {item.depth}: "
        room = max(width - len(prefix) - cells(right) - 2, 10)
        rows.append((prefix + cut(line(item.thought) or "(empty)", room, cells), right))
        for child in reversed(item.children):
            last = child == item.children[-1]
            deep = below if len(below) > width else below + ("   " if last else bar)
            stack.append((child, below + (elbow if last else tee), deep))
    return rows


def _facts(item: Item, seen: Picture, arrow: str) -> str:
    if item.status == "more":
        return ""
    facts = [item.measures, item.word if item.depth else "", item.verdict]
    if item.answer is not None and (item.final or item.end) and line(item.answer) not in line(item.thought):
        facts.insert(0, f"answer {words.cut(line(item.answer), 40, cells)}")
    if item.end:
        facts.append(f"{arrow}{seen.mark}")
    elif item.chosen and item.depth:
        facts.append(f"{arrow}path")
    return "  ".join(filter(None, facts))
