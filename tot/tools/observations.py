"""Observations: running the tools of a round, and what is kept of their answers.

Running a tool is the third thing that a search asks for, beside generating (G) and evaluating (V).
"""

import re
from collections.abc import Callable, Sequence

from ..ask import Act, Ask, Asking
from ..events import Acted
from ..lm.base import TOOL, Reply, Request
from ..state import Node, Observation, State, Thought
from .actions import SEARCH, Action, Call

MAX_OBSERVATION = 600  # characters of an observation that are kept
MAX_ARTICLE = 4000  # and of a whole article
_CUT = re.compile(r"\.\.\. \[(\d{1,9}) more characters\]\Z")


def actor(call: Callable[[State], Request | None], tool_cost: Callable[[State], float]) -> Act:
    """Makes ``act(nodes)``: it runs the action of each node's newest thought, all in one round.

    ``call(state)`` is the request for a tool, None where there is nothing to run. ``tool_cost(state)`` is V_T, charged
    whether or not the call fails. Each node's state gets the observation, which says so if the call failed; an "acted"
    event reports the nodes. A node whose tool has run before is left as it is.
    """

    def act(nodes: Sequence[Node]) -> Asking[None]:
        due = [(node, request) for node in nodes if not ran(node) and (request := call(node.state)) is not None]
        replies: list[Reply] = yield Ask(TOOL, [node for node, _ in due], [request for _, request in due])
        for (node, _), reply in zip(due, replies, strict=True):
            node.state = _observed(node.state, reply, tool_cost)
        if due:
            yield Acted([node for node, _ in due])

    return act


def retrieve(root: Node, calls: Sequence[Call], tool_cost: Callable[[State], float]) -> Asking[Node]:
    """Run calls that do not wait for each other, all in one round, and line up what they show below ``root``.

    Each call becomes a thought with its observation, the first one below ``root`` and each next one below the one
    before, so that the last node, which is returned, has seen everything. Costs and failures are as for ``actor``.
    """
    replies: list[Reply] = yield Ask(TOOL, [root], [call.request() for call in calls], about=[0] * len(calls))
    path = [root]
    for call, reply in zip(calls, replies, strict=True):
        thought = Thought(f"Action: read article {call.rank}", Action(SEARCH, call.argument))
        [node] = path[-1].grow([thought])
        node.state = _observed(node.state, reply, tool_cost, MAX_ARTICLE)
        path.append(node)
    if calls:
        yield Acted(path[1:])
    return path[-1]


def _observed(state: State, reply: Reply, tool_cost: Callable[[State], float], limit: int = MAX_OBSERVATION) -> State:
    """The state with what the tool of its newest thought has said."""
    said = reply.samples[0]
    failed = "" if said.finish == "stop" else said.finish
    return state.observed(Observation(one_line(said.text, limit), tool_cost(state), failed))


def ran(node: Node) -> bool:
    """Has the tool of this node's newest thought run?"""
    return node.state.last is not None and node.state.last.observation is not None


def one_line(text: str, limit: int = MAX_OBSERVATION) -> str:
    """A tool's answer made safe for a prompt: one line, without control and other invisible characters.

    On one line, nothing in it can pass for the next action. Text beyond ``limit`` is cut off with a notice, which also
    counts what is missing already, by the notice of ``tot.parse.shorten`` at its end.
    """
    cut = _CUT.search(text) if len(text) > limit else None
    text = text[: cut.start()] if cut else text
    head = text[: 4 * limit]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    more = max(0, len(line) - limit) + len(text) - len(head) + (int(cut[1]) if cut else 0)
    return line[:limit] + (f"... [{more} more characters]" if more else "")
