"""Which items of a picture to draw: the ones that matter, and a stub such as "+12 not kept" for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .tree import WORDS, Item, Picture
from .words import real

MINOR = ("dropped", "new", "valued")


def fold(
    seen: Picture, max_dropped: int | None, max_children: int | None, minor: Sequence[str] = MINOR
) -> dict[str, Item]:
    """Items to draw by id, with stubs as items of status "more"; parents first. The picture is left as it is.

    Of each node's children that were not kept (their status is in ``minor``) and lead nowhere, the ``max_dropped`` of
    highest value are drawn; of the others ``max_children``. The chosen path is always drawn, and a stub never stands
    for just one node. None: no limit.
    """
    drawn: dict[str, Item] = {}
    stack = [seen.items[seen.root]]
    while stack:
        item = stack.pop()
        children = [seen.items[id] for id in item.children]
        nowhere = [c for c in children if c.status in minor and not c.children and not c.chosen]
        small = {c.id for c in nowhere}
        hidden = _beyond(nowhere, max_dropped) | _beyond([c for c in children if c.id not in small], max_children)
        shown = [c for c in children if c.id not in hidden]
        copy = replace(item, children=[c.id for c in shown])
        drawn[item.id] = copy
        if hidden:
            stub = _stub(item, [c for c in children if c.id in hidden])
            copy.children.append(stub.id)
            drawn[stub.id] = stub
        stack += reversed(shown)
    return drawn


def _beyond(items: list[Item], limit: int | None) -> set[str]:
    if limit is None or len(items) <= limit + 1:  # a stub for one node would take as much room as the node
        return set()
    ranked = sorted(items, key=lambda item: (not item.chosen, -(real(item.value) or 0.0)))
    return {item.id for item in ranked[limit:] if not item.chosen}


def _stub(parent: Item, hidden: list[Item]) -> Item:
    thought = stub_text(hidden)
    return Item(
        f"{parent.id}+", parent.id, thought, parent.depth + 1, status="more", folded=[item.id for item in hidden]
    )


def stub_text(hidden: list[Item]) -> str:
    """ "+12 not kept" if they are all of one kind, else "+12 more"."""
    kinds = {WORDS[item.status] for item in hidden}
    return f"+{len(hidden)} {kinds.pop() if len(kinds) == 1 else 'more'}"
