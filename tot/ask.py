"""What a search yields: questions (``Ask``) and facts (``Event``).

A search never calls a model. It yields an ``Ask`` and is sent the replies; ``tot.runner`` does the calling.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .lm.base import Request
from .state import Node


@dataclass
class Ask:
    """Requests that wait only for earlier replies: one round. ``nodes`` are what they are about (for the trace).

    ``about[i]`` is the index in ``nodes`` of the node that request i is about, or None for a request across all
    nodes (a vote). It defaults to one request for each node, in order.
    """

    role: str
    nodes: list[Node]
    requests: list[Request]
    about: list[int | None] | None = None


@dataclass
class Event:
    """A fact that the search reports: ``kind``, the nodes it is about, and plain data (JSON types only)."""

    kind: str
    nodes: list[Node]
    data: dict[str, Any] = field(default_factory=dict)


def Best(nodes: Sequence[Node]) -> Event:
    """The incumbents, best first. The last one that a search reports is its output."""
    return Event("best", list(nodes))


def Kept(node: Node) -> Event:
    """A depth-first search takes ``node`` up, for now: it was not pruned."""
    return Event("kept", [node])


def Pruned(node: Node) -> Event:
    """The search will not go below ``node``; ``node.note`` says why."""
    return Event("pruned", [node], {"why": node.note})


def Selected(leaves: Sequence[Node]) -> Event:
    """Monte Carlo search went down to ``leaves``, one for each rollout that shares the round."""
    return Event("selected", list(dict.fromkeys(leaves)))


def BackedUp(nodes: Sequence[Node], unread: Sequence[dict[str, Any]] = ()) -> Event:
    """Rewards were paid to ``nodes``. ``unread`` lists the rewards that were no numbers."""
    return Event("backed_up", list(nodes), {"unread": list(unread)})


def Opened(nodes: Sequence[Node]) -> Event:
    """An informed search puts ``nodes`` on its open list, or prices them anew: see their ``g``, ``value`` and ``f``."""
    return Event("opened", list(nodes))


def Taken(node: Node) -> Event:
    """An informed search takes ``node``, the best of its open list."""
    return Event("taken", [node])


def Unfinished(nodes: Sequence[Node], why: str) -> Event:
    """The search ends at a limit of its own, before it has an answer that it stands by; ``nodes``: the best so far."""
    return Event("unfinished", list(nodes), {"why": why})


T = TypeVar("T")
# A search (or a part of one) yields asks and events, is sent replies after each Ask, and returns a T.
Asking = Generator["Ask | Event", Any, T]
Search = Generator["Ask | Event", Any, None]
Generate = Callable[[Sequence[Node]], Asking[list[Node]]]
Evaluate = Callable[[Sequence[Node]], Asking[None]]
Act = Callable[[Sequence[Node]], Asking[None]]
