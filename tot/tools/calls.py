"""A tool call as a request: what a tool must know, and nothing else, so that it can answer as a pure function.

A tool answers requests like a language model does (``tot.ask.LM``), so cassettes record it and ``run`` counts it. The
one message of a request is the call in JSON. The sample index is the attempt: trying again asks for the next sample.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from ..lm.base import LMError, Message, Request
from ..state import State
from .actions import FINISH, LOOKUP, SEARCH, Action


@dataclass(frozen=True)
class Call:
    """One call. ``corpus`` names where to look.

    For Lookup, ``page`` is what the last Search that worked asked for ("" if none did) and ``times`` how often the same
    string was found there already. ``failures`` is the dial that makes calls fail on purpose (see ``Failures``); it is
    part of the request, so that a recording keeps its settings apart.
    """

    tool: str
    argument: str
    corpus: str
    page: str = ""
    times: int = 0
    failures: str = ""

    def request(self, attempt: int = 0) -> Request:
        """The request for this call. ``attempt``: how often the same call has failed already."""
        set_ = {name: value for name, value in asdict(self).items() if value or name == "argument"}
        return Request((Message("user", json.dumps(set_, ensure_ascii=False)),), temperature=None, first=attempt)

    @classmethod
    def read(cls, request: Request) -> Call:
        """The call in a request. Raises LMError for a request that is none: it was meant for a language model."""
        try:
            call = cls(**json.loads(request.messages[0].content))
            if call.tool in (SEARCH, LOOKUP):
                return call
        except (ValueError, TypeError, IndexError):
            pass
        raise LMError(
            'the tools were asked something that is no tool call: give them the role "tool" only, and a language model'
            ' as "default"'
        )


def next_call(state: State, corpus: str, failures: str = "") -> Request | None:
    """The request for the action of the newest thought; None if it has none to run (Finish, or no action at all).

    A Lookup is about the page of the last Search on the path that worked.
    """
    action = state.last.data if state.last else None
    if not isinstance(action, Action) or action.tool == FINISH:
        return None
    page, found, failed = "", 0, 0
    for thought in state.thoughts[:-1]:
        seen, earlier = thought.observation, thought.data
        if seen is None or not isinstance(earlier, Action):
            continue
        if earlier.tool == SEARCH and not seen.failed:
            page, found, failed = earlier.argument, 0, failed if action.tool == SEARCH else 0
        if earlier.same == action.same:
            found, failed = found + (not seen.failed), failed + bool(seen.failed)
    if action.tool == SEARCH:
        return Call(SEARCH, action.argument, corpus, failures=failures).request(failed)
    return Call(LOOKUP, action.argument, corpus, page, found, failures).request(failed)
