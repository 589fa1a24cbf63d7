"""The room that a tree takes: what is folded, what is written in each box, and where every box goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .fold import MINOR, fold
from .layout import tidy
from .tree import Item, Picture, caption
from .words import cut, em, line, number, wrap

SIZE, SMALL = 12.0, 10.5  # font sizes
LEADING, PAD, GAP, COLUMN_GAP, MARGIN = 15.0, 8.0, 8.0, 34.0, 14.0
BOLD = 1.07  # how much wider bold text is


@dataclass(frozen=True)
class Box:
    """What is written in a node, and how much room it takes. A compact box has one line and its value beside it."""

    lines: tuple[str, ...]
    left: str = ""
    right: str = ""
    foot: str = ""
    compact: bool = False
    bold: bool = False

    @property
    def width(self) -> float:
        meta = em(self.left) + em(self.right) + (1.2 if self.left and self.right else 0)
        if self.compact:
            return em(self.lines[0]) * (SIZE - 1) + meta * SMALL + (PAD if meta else 0) + 2 * PAD
        return (
            max(
                [
                    *(em(one) * SIZE * (BOLD if self.bold else 1) for one in self.lines),
                    meta * SMALL,
                    em(self.foot) * SMALL,
                ]
            )
            + 2 * PAD
        )

    @property
    def height(self) -> float:
        if self.compact:
            return 21.0
        below = bool(self.left or self.right) + bool(self.foot)
        return len(self.lines) * LEADING + below * (LEADING + 0.5) + PAD + 2.5


@dataclass(frozen=True)
class Plan:
    """Where everything goes. Made once from the whole trace, so that earlier moments are drawn in the same places."""

    items: Mapping[str, Item]
    x: Mapping[int, float]
    width: Mapping[int, float]
    y: Mapping[str, float]
    boxes: Mapping[str, Box]
    size: tuple[float, float]
    top: float


def plan(
    seen: Picture, *, max_dropped: int | None, max_children: int | None, lines: int, chars: int, title: bool
) -> Plan:
    """Fold, measure and lay out."""
    items = fold(seen, max_dropped, max_children)
    room = chars * 0.56
    boxes = {item.id: _box(item, room, lines) for item in items.values()}
    levels: dict[int, float] = {}
    for item in items.values():
        levels[item.depth] = max(levels.get(item.depth, 60.0), boxes[item.id].width)
    for item in items.values():  # a compact box may use the whole column
        box = boxes[item.id]
        if box.compact and item.status != "more":
            free = levels[item.depth] - 2 * PAD - (em(box.right) * SMALL + PAD if box.right else 0)
            boxes[item.id] = replace(box, lines=(cut(line(item.thought) or "(empty)", free / (SIZE - 1)),))
    x, at = {}, MARGIN
    for depth in sorted(levels):
        x[depth] = at
        at += levels[depth] + COLUMN_GAP

    def gap(a: str, b: str) -> float:
        near = items[a].parent == items[b].parent
        return (3.0 if boxes[a].compact and boxes[b].compact else GAP) + (0.0 if near else 6.0)

    y = tidy(seen.root, {item.id: item.children for item in items.values()}, lambda id: boxes[id].height, gap)
    top = MARGIN + (46.0 if title else 0.0)
    bottom = max(y[id] + boxes[id].height / 2 for id in items)
    width = max(at - COLUMN_GAP + MARGIN, 200.0)
    if title:
        width = max(width, min(em(subtitle(seen)) * SIZE + 2 * MARGIN, 640.0))
    return Plan(items, x, levels, y, boxes, (width, top + bottom + 46.0), top)


def _box(item: Item, room: float, lines: int) -> Box:
    thought = line(item.thought) or "(empty)"
    if item.status == "more":
        return Box((thought,), compact=True)
    value = number(item.value) if item.value is not None else ""
    if item.status in MINOR and not item.chosen and not item.children:
        return Box((cut(thought, room - em(value) - 1),), right=value, compact=True)
    shown = wrap(thought, room, lines)
    if item.answer is not None and shown[-1].endswith("…"):
        shown = [*wrap(thought, room, max(lines - 1, 1)), cut(f"→ {line(item.answer)}", room)]
    if not item.depth:
        return Box(tuple(shown), numbers(item), bold=item.chosen)
    word, foot = (word_of(item), "") if item.status != "pruned" else ("", cut(word_of(item), room))
    return Box(tuple(shown), numbers(item), word, foot, bold=item.chosen)


def numbers(item: Item) -> str:
    """What stands in the lower left of a box."""
    if item.visits:
        return f"{number(item.mean)} × {number(item.visits)}"
    if item.f is not None:
        return f"f {number(item.f)}, g {number(item.g)}, V {number(item.value or 0)}"
    return f"value {number(item.value)}" if item.value is not None else ""


def word_of(item: Item) -> str:
    """What became of a node, as it stands in the lower right of its box."""
    if item.verdict:
        return {"correct": "✓ correct", "wrong": "✗ wrong"}[item.verdict]
    return f"✕ {item.word}" if item.status == "pruned" else item.word


def subtitle(seen: Picture) -> str:
    """The second line above the tree."""
    return " · ".join(filter(None, caption(seen)[1:]))
