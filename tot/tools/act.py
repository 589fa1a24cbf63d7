"""Running tools: the third thing a search asks for, beside G and V."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ask import Act, Ask, Asking
from ..events import Acted
from ..lm.base import TOOL, Reply, Request
from ..state import Node, Observation, State

SHOWN = 600  # characters of an observation that are kept


def actor(call: Callable[[State], Request | None], tool_cost: Callable[[State], float], *, role: str = TOOL) -> Act:
    """Runs the action of each node's newest thought, all in one round, and yields an "acted" event.

    ``call(state)`` is the request for a tool, None where there is nothing to run. ``tool_cost(state)`` is V_T, paid
    whether or not the call fails. The node's state gets the observation; one that says how the call failed is an
    observation, too. A node whose tool has run already is left alone.
    """

    def act(nodes: Sequence[Node]) -> Asking[None]:
        due = [(node, request) for node in nodes if not ran(node) and (request := call(node.state)) is not None]
        replies: list[Reply] = yield Ask(role, [node for node, _ in due], [request for _, request in due])
        for (node, _), reply in zip(due, replies, strict=True):
            said = reply.samples[0]
            failed = "" if said.finish == "stop" else said.finish
            node.state = node.state.observed(Observation(one_line(said.text), tool_cost(node.state), failed))
        if due:
            yield Acted([node for node, _ in due])

    return act


def ran(node: Node) -> bool:
    """Has the tool of this node's newest thought run?"""
    return node.state.last is not None and node.state.last.observation is not None


def one_line(text: str, limit: int = SHOWN) -> str:
    """What a tool said, fit for a prompt: one line, so that nothing in it can pose as the next action, without control
    and other invisible characters; what is beyond ``limit`` is cut off with a notice.
    """
    head = text[: 4 * limit]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    more = max(0, len(line) - limit) + len(text) - len(head)
    return line[:limit] + (f"... [{more} more characters]" if more else "")
