"""Where the nodes of a tree go, in three steps: fold what matters little, write each box, place the boxes.

``fold`` replaces nodes that came to nothing by stubs such as "+12 not kept". ``lay_out`` decides what is written in
each box, which gives its size. ``tidy`` places the boxes: the drawing of Reingold and Tilford, "Tidier Drawings of
Trees" (1981), for nodes of different sizes and without recursion; smaller subtrees between two that push each other
share the room, as Walker does it (1990). Contours are copied, which is shorter than the linear way and quick enough for
what can be looked at. It gives one coordinate; the other one is the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tot.show.escaping import cut, em, line, number
from tot.show.tree import MINOR, Item, Picture, caption, fold
from tot.ties import level, total

from .marks import marking

SIZE, SMALL = 12.0, 11.0  # font sizes; these and all other lengths are in pixels
LEAST = 10.0  # the smallest text that a page shows: a picture that does not fit with it scrolls
WIDE = 836.0  # the widest tree that a page of the book shows whole
PHONE = 358.0  # the room on a phone
FEWEST = 14  # characters in a line of a tree that would be too wide
LEADING, PAD, GAP, COLUMN_GAP, MARGIN = 15.0, 8.0, 8.0, 34.0, 14.0
NEAREST = 9.0  # the least gap between the columns of a tree that would be too wide
MARK = 9.0  # the room of one mark
BOLD = 1.07  # how much wider bold text is
HEAD, FOOT = 46.0, 46.0  # heights of the title and of the legend


# -------------------------------------------------------------------- what is written in a box


@dataclass(frozen=True)
class Box:
    """What is written in a node, and the size that this takes. A compact one has its marks beside its lines."""

    lines: tuple[str, ...]
    marks: str = ""
    left: str = ""
    right: str = ""
    foot: str = ""
    compact: bool = False
    bold: bool = False

    @property
    def width(self) -> float:
        words = (em(self.left) + em(self.right)) * SMALL
        meta = words + MARK * len(self.marks) + PAD * max(sum(map(bool, (self.marks, self.left, self.right))) - 1, 0)
        if self.compact:
            return max(map(em, self.lines)) * (SIZE - 1) + meta + (PAD if meta else 0) + 2 * PAD
        widths = [em(one) * SIZE * (BOLD if self.bold else 1) for one in self.lines]
        return max(*widths, meta, em(self.foot) * SMALL) + 2 * PAD

    @property
    def height(self) -> float:
        if self.compact:
            return 8.0 + 13.0 * len(self.lines)
        below = bool(self.marks or self.left or self.right) + bool(self.foot)
        return len(self.lines) * LEADING + below * (LEADING + 0.5) + PAD + 2.5


@dataclass(frozen=True)
class Layout:
    """Where everything goes.

    ``x`` and ``width``: of each level's column, by depth. ``y``: the middle of each box below ``top``, by id. ``size``:
    width and height of the whole picture.
    """

    items: Mapping[str, Item]
    x: Mapping[int, float]
    width: Mapping[int, float]
    y: Mapping[str, float]
    boxes: Mapping[str, Box]
    size: tuple[float, float]
    top: float

    def place(self, item: Item) -> tuple[float, float, float]:
        """Where the box of an item is: its left side, its middle, its width."""
        return self.x[item.depth], self.top + self.y[item.id], self.width[item.depth]


def lay_out(
    seen: Picture, *, max_dropped: int | None, max_children: int | None, lines: int, chars: int, title: bool
) -> Layout:
    """Fold the tree, write its boxes, place them. For the parameters see ``show.svg``.

    A tree that is wider than ``WIDE`` has shorter lines, and one more of them, and then its columns stand closer, as
    far as that helps.
    """
    made = _laid_out(seen, max_dropped, max_children, lines, chars, title)
    for fewer in range(chars - 2, FEWEST - 1, -2):
        if made.size[0] <= WIDE:
            break
        narrow = _laid_out(seen, max_dropped, max_children, lines + 1, fewer, title)
        made = narrow if level(narrow.size[0] - made.size[0]) < 0 else made
    return _closer(made) if made.size[0] > WIDE else made


def _closer(made: Layout) -> Layout:
    """The same boxes with less room between the columns."""
    gaps = max(len(made.x) - 1, 1)
    step = min(COLUMN_GAP - NEAREST, (made.size[0] - WIDE) / gaps)
    x = {depth: at - step * place for place, (depth, at) in enumerate(sorted(made.x.items()))}
    return replace(made, x=x, size=(made.size[0] - step * gaps, made.size[1]))


def _laid_out(
    seen: Picture, max_dropped: int | None, max_children: int | None, lines: int, chars: int, title: bool
) -> Layout:
    items = fold(seen, max_dropped, max_children)
    room, marks = chars * 0.56, marking(seen)
    boxes = {item.id: _box(item, room, lines, marks(item.worth)) for item in items.values()}
    levels: dict[int, float] = {}
    for item in items.values():
        levels[item.depth] = max(levels.get(item.depth, 60.0), boxes[item.id].width)
    for item in items.values():  # what was cut may be as long as its column is wide
        box, column = boxes[item.id], levels[item.depth] - 2 * PAD
        if box.compact and item.status != "more":
            free = column - (MARK * len(box.marks) + PAD if box.marks else 0)
            boxes[item.id] = replace(box, lines=tuple(wrap(line(item.thought) or "(empty)", free / (SIZE - 1), lines)))
        elif box.foot:
            boxes[item.id] = replace(box, foot=cut(_word(item), column / SMALL))
    x, at = {}, MARGIN
    for depth in sorted(levels):
        x[depth] = at
        at += levels[depth] + COLUMN_GAP

    def gap(a: str, b: str) -> float:
        near = items[a].parent == items[b].parent
        return (3.0 if boxes[a].compact and boxes[b].compact else GAP) + (0.0 if near else 6.0)

    y = tidy(seen.root, {item.id: item.children for item in items.values()}, lambda id: boxes[id].height, gap)
    top = MARGIN + (HEAD if title else 0.0)
    bottom = max(y[id] + boxes[id].height / 2 for id in items)
    width = max(at - COLUMN_GAP + MARGIN, 200.0)
    if title:
        width = max(width, min(em(subtitle(seen)) * SIZE + 2 * MARGIN, 640.0))
    return Layout(items, x, levels, y, boxes, (width, top + bottom + FOOT), top)


def downwards(seen: Picture, *, max_dropped: int | None, max_children: int | None, lines: int, title: bool) -> Layout:
    """For a phone: one box below the other, each a little to the right of its parent."""
    items, marks, least = fold(seen, max_dropped, max_children), marking(seen), MARGIN / 2
    depths = {item.depth for item in items.values()}
    indent = min(16.0, 0.35 * PHONE / len(depths))
    x = {depth: least + indent * depth for depth in depths}
    width = {depth: PHONE - least - x[depth] for depth in depths}
    boxes, y, at = {}, {}, 0.0
    for item in items.values():
        room = (width[item.depth] - 2 * PAD) / SIZE
        box = boxes[item.id] = _box(item, room / (BOLD if item.chosen else 1), lines + 1, marks(item.worth))
        y[item.id] = at + box.height / 2
        at += box.height + 5
    top = MARGIN + (HEAD if title else 0.0)
    return Layout(items, x, width, y, boxes, (PHONE, top + at + FOOT), top)


def _box(item: Item, room: float, lines: int, marks: str) -> Box:
    thought = line(item.thought) or "(empty)"
    if item.status == "more":
        return Box((thought,), compact=True)
    if item.status in MINOR and not item.chosen and not item.children:
        return Box(tuple(wrap(thought, room - len(marks) * MARK / SIZE, lines)), marks, compact=True)
    shown = wrap(thought, room, lines)
    if item.answer is not None and shown[-1].endswith("…"):
        shown = [*wrap(thought, room, max(lines - 1, 1)), cut(f"→ {line(item.answer)}", room)]
    if not item.depth:
        return Box(tuple(shown), marks, numbers(item), bold=item.chosen)
    word, left = _word(item), numbers(item)
    beside = MARK * len(marks) + (em(left) + em(word) + 1.2) * SMALL
    below = item.status == "pruned" or ((marks or left) and word and beside > room * SIZE)
    word, foot = ("", cut(word, room * SIZE / SMALL)) if below else (word, "")
    return Box(tuple(shown), marks, left, word, foot, bold=item.chosen)


def numbers(item: Item) -> str:
    """Beside the marks: what the search computed with, visits or costs; a value alone is told by its marks."""
    if item.visits:
        return f"N {number(item.visits)} · Q {number(item.mean)}"
    if item.f is not None:
        cost = "" if item.g is None else f"g {number(item.g)}, "  # Levin's f is no sum that has a g
        return f"f {number(item.f)}, {cost}V {number(item.value or 0)}"
    return ""


def _word(item: Item) -> str:
    """The lower right of a box: what became of its node."""
    if item.verdict:
        return {"correct": "✓ correct", "wrong": "✗ wrong"}[item.verdict]
    return f"✕ {item.word}" if item.status == "pruned" else item.word


def subtitle(seen: Picture) -> str:
    """The second line above the tree."""
    return " · ".join(filter(None, caption(seen)[1:]))


def wrap(text: str, width: float, lines: int) -> list[str]:
    """``text`` in at most ``lines`` lines no wider than ``width``; what does not fit is cut.

    Two lines are broken outside brackets where that is possible, and so that both are about equally long.
    """
    if _fits(text, width):
        return [text]
    words = text.split(" ")
    if lines >= 2:
        splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))] if len(words) < 80 else []
        fitting = [pair for pair in splits if all(_fits(part, width) for part in pair)]
        if fitting:
            return [*min(fitting, key=_awkward)]
    wrapped: list[str] = []
    while words and len(wrapped) < lines - 1:
        taken = 1
        while taken < len(words) and _fits(" ".join(words[: taken + 1]), width):
            taken += 1
        wrapped.append(cut(" ".join(words[:taken]), width))
        words = words[taken:]
    return [*wrapped, cut(" ".join(words), width)] if words else wrapped


def _fits(text: str, width: float) -> bool:
    return em(text) <= width


def _awkward(pair: tuple[str, str]) -> tuple[bool, float]:
    return pair[0].count("(") > pair[0].count(")"), max(map(em, pair))


# -------------------------------------------------------------------- where the boxes go


Contour = list[
    tuple[str, float]
]  # of a subtree: the outermost node of each level, and how far it is from the one above


def tidy(
    root: str, children: Mapping[str, Sequence[str]], size: Callable[[str], float], gap: Callable[[str, str], float]
) -> dict[str, float]:
    """The centre of every node along the axis of its level, smallest edge at 0.

    Nodes of one level keep their order and are at least ``gap(left, right)`` apart; a parent is in the middle between
    its first and last child; equal subtrees look equal. ``size`` is a node's extent along the axis.
    """
    order = [root]
    for id in order:  # grows while it is read: level by level, parents first
        order += children.get(id, ())
    contours: dict[str, tuple[Contour, Contour]] = {}
    places = {root: 0.0}  # at first from the parent, then from the root

    def distance(a: str, b: str) -> float:
        return (size(a) + size(b)) / 2 + gap(a, b)

    for id in reversed(order):
        siblings = children.get(id, ())
        at, left, right = _side_by_side([contours.pop(child) for child in siblings], distance)
        contours[id] = [(id, 0.0), *left], [(id, 0.0), *right]
        places |= zip(siblings, at, strict=True)
    for id in order:
        for child in children.get(id, ()):
            places[child] += places[id]
    least = min(place - size(id) / 2 for id, place in places.items())
    return {id: places[id] - least for id in order}


def _side_by_side(
    subtrees: Sequence[tuple[Contour, Contour]], distance: Callable[[str, str], float]
) -> tuple[list[float], Contour, Contour]:
    """Where siblings go, from the middle between the first and the last; and the contours of all of them together.

    Each is put as close to those on its left as their contours allow. Where it has to keep away from one further left,
    those between the two get an even share of the room.
    """
    if not subtrees:
        return [], [], []
    left, right = subtrees[0]
    at, whose = [0.0], [0] * len(right)  # whose: the sibling that the right contour belongs to, level by level
    pushed, shares = [0.0] * len(subtrees), [0.0] * len(subtrees)
    for i, (own_left, own_right) in enumerate(subtrees[1:], 1):
        near, place = at[-1], at[-1] + distance(right[0][0], own_left[0][0])
        own = place
        for (a, step), (b, own_step), other in zip(right[1:], own_left[1:], whose[1:], strict=False):
            near, own = near + step, own + own_step
            push = near + distance(a, b) - own
            if push > 0:
                place, own = place + push, own + push
                pushed[i] += push
                shares[i] -= push / (i - other)
                shares[other] += push / (i - other)
        left, right = _continued(left, own_left, place), _continued(own_right, right, at[-1] - place)
        whose[: len(own_right)] = [i] * len(own_right)
        at.append(place)
    shift = share = 0.0
    for i in reversed(range(len(at))):
        at[i] += shift
        share += shares[i]
        shift += pushed[i] + share
    middle = at[-1] / 2
    first, last = (left[0][0], -middle), (right[0][0], middle)
    return [place - middle for place in at], [first, *left[1:]], [last, *right[1:]]


def _continued(upper: Contour, lower: Contour, apart: float) -> Contour:
    """``upper``, and where it ends the rest of ``lower``, whose top is ``apart`` from its own."""
    end = len(upper)
    if len(lower) <= end:
        return upper
    step = apart + total(step for _, step in lower[1 : end + 1]) - total(step for _, step in upper[1:])
    return [*upper, (lower[end][0], step), *lower[end + 1 :]]
