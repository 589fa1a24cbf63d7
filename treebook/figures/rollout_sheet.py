"""Where the boxes of a search's rollouts go: the same places at every moment, and one scale for all bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from tot.show.escaping import line
from tot.show.tree import Item, Picture, fold

from .layout import LEADING, MARGIN, PAD, SIZE, tidy, wrap
from .rollout_moments import Moment

COLUMN, NARROW, LEAST = 200.0, 150.0, 680.0  # widths in pixels: of a box at most and at least, of the picture at least
GAP, COLUMN_GAP, TOP = 17.0, 36.0, 22.0
FOOT = 8.0  # pixels below the last line of a box, for the bar
LEGEND = 38.0  # height in pixels of the legend, and what is above it
LINES, CHARS = 3, 28  # a thought is written in at most so many lines, of about so many characters
UNVISITED = 4  # children of a node without a visit that are drawn; the rest is a stub


@dataclass(frozen=True)
class Sheet:
    """Where everything goes, for all moments alike.

    ``root``: where the search begins. ``unit``: pixels of a bar for a reward of 1, so that bars of different moments
    can be compared; 0 where no bound can be drawn. Other lengths are in pixels, too.
    """

    root: str
    items: Mapping[str, Item]
    texts: Mapping[str, Sequence[str]]
    y: Mapping[str, float]
    column: float
    left: float
    size: tuple[float, float]
    unit: float

    @classmethod
    def of(cls, found: Sequence[Moment]) -> Self:
        """The places of all nodes that are there at the last of these moments."""
        last, root = found[-1].after, found[0].root
        drawn = fold(last, UNVISITED, None, ("new",))  # the nodes, and a stub for the rest of somebody's children
        above = {id: str(item.parent) if item.status == "more" else id for id, item in drawn.items()}
        items = {id: item for id, item in drawn.items() if _below(last, above[id], root)}
        levels = max(item.depth for item in items.values()) - last.items[root].depth + 1
        room = (LEAST + 20 - 2 * MARGIN - (levels - 1) * COLUMN_GAP) / levels
        column = max(NARROW, min(COLUMN, room))
        width = min((column - 2 * PAD) / SIZE, CHARS * 0.6)
        texts = {id: wrap(line(item.thought) or "(empty)", width, LINES) for id, item in items.items()}
        y = tidy(
            root,
            {id: [c for c in item.children if c in items] for id, item in items.items()},
            lambda id: height(texts[id]),
            lambda a, b: GAP + (0.0 if items[a].parent == items[b].parent else 6.0),
        )
        tree = levels * column + (levels - 1) * COLUMN_GAP
        whole = max(tree + 2 * MARGIN, LEAST)
        bottom = max(y[id] + height(texts[id]) / 2 for id in items)
        highest = max((b for m in found for b in m.bounds.values() if b is not None), default=0.0)
        unit = (column - 2 * PAD) / highest if highest > 0 else 0.0
        return cls(root, items, texts, y, column, (whole - tree) / 2, (whole, TOP + bottom + LEGEND), unit)

    def x(self, id: str) -> float:
        """The left edge of a box."""
        steps = self.items[id].depth - self.items[self.root].depth
        return self.left + steps * (self.column + COLUMN_GAP)

    def middle(self, id: str) -> float:
        """The middle of a box, from the top of the picture."""
        return TOP + self.y[id]


def _below(seen: Picture, id: str, root: str) -> bool:
    """Whether a node is the root or below it."""
    at: str | None = id
    while at is not None and at != root:
        at = seen.items[at].parent
    return at == root


def height(text: Sequence[str]) -> float:
    """Of a box with these lines of a thought, and two lines of numbers."""
    return len(text) * LEADING + 2 * (LEADING + 0.5) + PAD + FOOT
