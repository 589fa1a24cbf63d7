"""Where the nodes of a tree go: the tidy drawing of Reingold and Tilford (1981), in linear time.

The algorithm is that of Buchheim, Jünger and Leipert, "Improving Walker's Algorithm to Run in Linear Time" (2002), with
their names, for nodes of different sizes and without recursion. It gives one coordinate; the other is the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class _Node:
    def __init__(self, id: str, size: float, parent: _Node | None, number: int) -> None:
        self.id, self.size, self.parent, self.number = id, size, parent, number
        self.children: list[_Node] = []
        self.prelim = self.mod = self.shift = self.change = 0.0
        self.thread: _Node | None = None
        self.ancestor = self.default = self

    @property
    def left(self) -> _Node | None:
        return self.parent.children[self.number - 1] if self.parent and self.number else None

    def next_left(self) -> _Node | None:
        return self.children[0] if self.children else self.thread

    def next_right(self) -> _Node | None:
        return self.children[-1] if self.children else self.thread


def tidy(
    root: str, children: Mapping[str, Sequence[str]], size: Callable[[str], float], gap: Callable[[str, str], float]
) -> dict[str, float]:
    """The centre of every node along the axis of its level, smallest edge at 0.

    Nodes of one level keep their order and are at least ``gap(left, right)`` apart; a parent is in the middle between
    its first and last child; equal subtrees look equal. ``size`` is a node's extent along the axis.
    """
    top = _Node(root, size(root), None, 0)
    order = [top]
    for node in order:  # grows while it is read: level by level, parents first
        node.children = [_Node(id, size(id), node, i) for i, id in enumerate(children.get(node.id, ()))]
        if node.children:
            node.default = node.children[0]
        order += node.children

    def distance(a: _Node, b: _Node) -> float:
        return (a.size + b.size) / 2 + gap(a.id, b.id)

    for node in _postorder(top):
        _first_walk(node, distance)
    places: dict[str, float] = {}
    moved = {top.id: 0.0}
    for node in order:  # second walk: add up the modifiers from the root down
        places[node.id] = node.prelim + moved[node.id]
        for child in node.children:
            moved[child.id] = moved[node.id] + node.mod
    least = min(places[node.id] - node.size / 2 for node in order)
    return {id: place - least for id, place in places.items()}


def _postorder(top: _Node) -> list[_Node]:
    order, stack = [], [top]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += node.children
    return order[::-1]


def _first_walk(v: _Node, distance: Callable[[_Node, _Node], float]) -> None:
    middle = 0.0
    if v.children:
        _execute_shifts(v)
        middle = (v.children[0].prelim + v.children[-1].prelim) / 2
    w = v.left
    v.prelim = w.prelim + distance(w, v) if w else middle
    if w and v.children:
        v.mod = v.prelim - middle
    if v.parent:
        v.parent.default = _apportion(v, v.parent.default, distance)


def _apportion(v: _Node, default: _Node, distance: Callable[[_Node, _Node], float]) -> _Node:
    w = v.left
    if w is None or v.parent is None:
        return default
    inner_r = outer_r = v  # v_i+ and v_o+: the contours of v's subtree
    inner_l, outer_l = w, v.parent.children[0]  # v_i- and v_o-: those of the subtrees to its left
    s_ir = s_or = v.mod
    s_il, s_ol = inner_l.mod, outer_l.mod
    while (right := inner_l.next_right()) and (left := inner_r.next_left()):
        inner_l, inner_r = right, left
        outer_l, outer_r = outer_l.next_left() or outer_l, outer_r.next_right() or outer_r
        outer_r.ancestor = v
        shift = (inner_l.prelim + s_il) - (inner_r.prelim + s_ir) + distance(inner_l, inner_r)
        if shift > 0:
            ancestor = inner_l.ancestor if inner_l.ancestor.parent is v.parent else default
            _move_subtree(ancestor, v, shift)
            s_ir += shift
            s_or += shift
        s_il += inner_l.mod
        s_ir += inner_r.mod
        s_ol += outer_l.mod
        s_or += outer_r.mod
    if (right := inner_l.next_right()) and not outer_r.next_right():
        outer_r.thread = right
        outer_r.mod += s_il - s_or
    if (left := inner_r.next_left()) and not outer_l.next_left():
        outer_l.thread = left
        outer_l.mod += s_ir - s_ol
        default = v
    return default


def _move_subtree(left: _Node, right: _Node, shift: float) -> None:
    subtrees = right.number - left.number
    right.change -= shift / subtrees
    right.shift += shift
    left.change += shift / subtrees
    right.prelim += shift
    right.mod += shift


def _execute_shifts(v: _Node) -> None:
    shift = change = 0.0
    for child in reversed(v.children):
        child.prelim += shift
        child.mod += shift
        change += child.change
        shift += child.shift + change
