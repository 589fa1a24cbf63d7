"""The events that a search reports, one class per kind. ``tot.trace`` documents how each kind is stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from .state import Node

Unread = Sequence[Mapping[str, Any]]  # {"node": id or None, "why": ..., "text": ...} for each text that was rejected


@dataclass
class Event:
    """One event: its ``kind``, the ``nodes`` that it is about, and plain ``data`` (JSON types only)."""

    kind: str
    nodes: list[Node]
    data: dict[str, Any] = field(default_factory=dict)


class Expanded(Event):
    """A generator added ``children`` to the nodes ``of``; ``unread`` lists the texts that the parser rejected."""

    def __init__(self, children: Sequence[Node], of: Sequence[Node], unread: Unread = ()) -> None:
        super().__init__("expanded", list(children), {"of": [node.id for node in of], "unread": list(unread)})


class Evaluated(Event):
    """An evaluator set the values of ``nodes``; ``more`` is additional data (judges: their ``scores``)."""

    def __init__(self, nodes: Sequence[Node], unread: Unread = (), **more: Any) -> None:
        super().__init__("evaluated", list(nodes), {"unread": list(unread), **more})


class Best(Event):
    """The best nodes so far, best first. The last ``Best`` event of a search is its output."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__("best", list(nodes))


class Kept(Event):
    """A depth-first search did not prune ``node`` and continues below it."""

    def __init__(self, node: Node) -> None:
        super().__init__("kept", [node])


class Pruned(Event):
    """The search will not go below ``node``; ``node.note`` says why."""

    def __init__(self, node: Node) -> None:
        super().__init__("pruned", [node], {"why": node.note})


class Selected(Event):
    """Monte Carlo search selected ``leaves``, one for each rollout of the round.

    ``ways``: for each of them the comparisons that led there, root first: a node, and the upper confidence bound of
    each of its children that could be chosen. Stored as ``{"of": id, "ucb1": {id: bound}}``, where None stands for the
    infinite bound of a child without a visit. A search that has no bounds to tell leaves them out.
    """

    def __init__(
        self, leaves: Sequence[Node], ways: Sequence[Sequence[tuple[Node, Mapping[Node, float]]]] | None = None
    ) -> None:
        data: dict[str, Any] = {}
        if ways is not None:
            data["ways"] = [
                [
                    {"of": at.id, "ucb1": {n.id: b if isfinite(b) else None for n, b in bounds.items()}}
                    for at, bounds in way
                ]
                for way in ways
            ]
        super().__init__("selected", list(dict.fromkeys(leaves)), data)


class BackedUp(Event):
    """Rewards were added to ``nodes``. ``unread`` lists the rewards that were not finite numbers."""

    def __init__(self, nodes: Sequence[Node], unread: Unread = ()) -> None:
        super().__init__("backed_up", list(nodes), {"unread": list(unread)})


class Acted(Event):
    """The tools of ``nodes`` have run: the newest thought of each has an observation (``Recorder`` refuses others)."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__("acted", list(nodes))


class Opened(Event):
    """An informed search put ``nodes`` on its open list or updated their costs: see ``g``, ``value`` and ``f``."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__("opened", list(nodes))


class Taken(Event):
    """An informed search took ``node``, the best one, off its open list."""

    def __init__(self, node: Node) -> None:
        super().__init__("taken", [node])


class Propagated(Event):
    """Tool failures changed the costs of ``nodes``.

    ``failed``: the nodes whose tools failed; ``charged``: node -> the amount charged to it (stored by node id).
    """

    def __init__(self, nodes: Sequence[Node], failed: Iterable[Node], charged: Mapping[Node, float]) -> None:
        data = {"failed": [node.id for node in failed], "charged": {node.id: s for node, s in charged.items()}}
        super().__init__("propagated", list(nodes), data)


class Reflected(Event):
    """A model explained what went wrong on the path to ``node``: the ``lesson``, None if it could not be parsed."""

    def __init__(self, node: Node, lesson: str | None, unread: Unread = ()) -> None:
        super().__init__("reflected", [node], {"lesson": lesson, "unread": list(unread)})


class Unfinished(Event):
    """The search reached one of its own limits before it had an answer to return; ``nodes``: the best so far."""

    def __init__(self, nodes: Sequence[Node], why: str) -> None:
        super().__init__("unfinished", list(nodes), {"why": why})
