"""Observations: running the tools of a round, and what is kept of their answers.

Running a tool is the third thing that a search asks for, beside generating (G) and evaluating (V).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ask import Act, Ask, Asking
from ..events import Acted
from ..lm.base import TOOL, Reply, Request
from ..state import Node, Observation, State

MAX_OBSERVATION = 600  # characters of an observation that are kept


def actor(call: Callable[[State], Request | None], tool_cost: Callable[[State], float], *, role: str = TOOL) -> Act:
    """Makes ``act(nodes)``: it runs the action of each node's newest thought, all in one round.

    ``call(state)`` is the request for a tool, None where there is nothing to run. ``tool_cost(state)`` is V_T, charged
    whether or not the call fails. Each node's state gets the observation, which says so if the call failed; an "acted"
    event reports the nodes. A node whose tool has run before is left as it is.
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


def one_line(text: str, limit: int = MAX_OBSERVATION) -> str:
    """A tool's answer made safe for a prompt: one line, without control and other invisible characters.

    On one line, nothing in it can pass for the next action. Text beyond ``limit`` is cut off with a notice.
    """
    head = text[: 4 * limit]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    more = max(0, len(line) - limit) + len(text) - len(head)
    return line[:limit] + (f"... [{more} more characters]" if more else "")
