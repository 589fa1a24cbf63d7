"""G(p_theta, s, k): how new thoughts come about (Tree of Thoughts, section 3, step 2).

A generator is built from two pure functions: ``prompt(state)`` makes the request, ``read(state, text)`` makes thoughts
of one sampled text. It asks about all nodes in one round and yields an "expanded" event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .ask import Ask, Asking, Event, Generate, Reply, Request
from .parse import Read
from .state import Node, State, Thought

Prompt = Callable[[State], Request]
ReadThoughts = Callable[[State, str], Iterable[Read[Thought]]]
Local = Callable[[State], "list[Thought] | None"]


def generator(
    prompt: Prompt,
    read: ReadThoughts,
    *,
    k: int = 1,
    first: int = 0,
    local: Local | None = None,
    distinct: bool = True,
    role: str = "generator",
) -> Generate:
    """The general form: k samples of ``prompt(state)``, each read into any number of thoughts.

    ``first`` is the index of the first sample: shift it for an independent trial. ``local(state)`` may return thoughts
    with no model at all (None: ask). Equal thoughts of one node become one child, unless ``distinct`` is False: where
    each sample counts (a vote, a rate), two that agree are two. What ``read`` refuses is listed in the event's
    ``unread``; it makes no child, unless ``read`` gives a thought for it all the same (an attempt without an answer).
    """

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        known = {node.id: local(node.state) if local else None for node in nodes}
        asked = [node for node in nodes if known[node.id] is None]
        replies: list[Reply] = yield Ask(role, asked, [prompt(node.state).samples(first, k) for node in asked])
        reply_to = {node.id: reply for node, reply in zip(asked, replies, strict=True)}
        children: list[Node] = []
        unread: list[dict[str, Any]] = []
        for node in nodes:
            thoughts = list(known[node.id] or ())
            for text in reply_to[node.id].texts if node.id in reply_to else ():
                for item in read(node.state, text):
                    if item.value is not None:
                        thoughts.append(item.value)
                    if not item.ok:
                        unread.append({"node": node.id, "why": item.why, "text": item.text})
            children += node.grow(dict.fromkeys(thoughts) if distinct else thoughts)
        yield Event("expanded", children, {"of": [node.id for node in nodes], "unread": unread})
        return children

    return generate
