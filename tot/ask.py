"""``Ask``, one round of requests made by a search, and the types of a search and its parts.

A search never calls a model. It yields an ``Ask`` and is sent the replies (``tot.runner`` calls the models), and it
yields an ``Event`` (``tot.events``) for everything that the trace should record.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .events import Best, Event
from .lm.base import Request
from .state import Node


@dataclass
class Ask:
    """One round: requests that depend only on earlier replies, so that they can be sent together.

    ``role`` says which model answers. ``nodes`` are the nodes concerned (for the trace); ``about[i]`` is the index in
    ``nodes`` of the node that request i is about, a list of several, or None for a request about all of them (a vote).
    The default is one request per node, in order.
    """

    role: str
    nodes: list[Node]
    requests: list[Request]
    about: Sequence[int | list[int] | None] | None = None


T = TypeVar("T")
# A search, or a part of one: yields asks and events, is sent the replies after each Ask, and returns a T.
Asking = Generator["Ask | Event", Any, T]
Search = Asking[Any]  # a whole search: what it returns is not looked at
Generate = Callable[[Sequence[Node]], Asking[list[Node]]]  # gives the new children of the nodes
Evaluate = Callable[[Sequence[Node]], Asking[None]]  # sets the value of each node
Act = Callable[[Sequence[Node]], Asking[None]]  # runs the tool that the newest thought of each node names


def relay(
    part: Search,
    after: Callable[[Event], Iterable[Event] | None] = lambda event: (),
    instead: Callable[[Ask], Ask] = lambda ask: ask,
) -> Asking[list[Node]]:
    """Run the search ``part`` inside another search, forwarding its asks and events outward and replies inward.

    ``after(event)`` is called for each event of the part; it returns further events to yield after it, or None to end
    the part there. ``instead(ask)`` is asked in place of an ask. Returns the nodes of the last ``Best`` event, [] if
    there was none.
    """
    best: list[Node] = []
    try:
        item = next(part)
        while True:
            reply = yield instead(item) if isinstance(item, Ask) else item
            if isinstance(item, Event):
                added = after(item)
                for event in (item, *(added or ())):
                    best = event.nodes if isinstance(event, Best) else best
                if added is None:
                    return best
                yield from added
            item = part.send(reply)
    except StopIteration:
        return best
    finally:
        part.close()
