"""Shared by the tasks that are solved in the steps plan, vote, solution, vote: reading a plan, and the vote prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..parse import MAX_REPLY, Read, bad, shorten
from ..state import State, Thought


def read_plan(text: str, label: str) -> Read[Thought]:
    """A plan: the reply without its label ("Strategy: ..."), cut to 1,000 characters."""
    plan = re.sub(rf"^[\s*#]*{label}[\s*]*:[\s*]*", "", text[:MAX_REPLY].strip(), flags=re.IGNORECASE)
    return Read(Thought(shorten(plan, 1000))) if re.search(r"\w", plan) else bad(f"no {label} in the reply", text)


def vote_on(states: Sequence[State], which: str) -> str:
    """The part of the vote prompt (section 4.2) below the input: numbered choices, and the request for a number.

    The paper asks for an analysis first. In a pilot, a small model mostly named its choice first and justified it
    afterwards; the number alone then says as much, for far fewer tokens.
    """
    choices = [f"Choice {i}:\n{state.last.text if state.last else ''}" for i, state in enumerate(states, 1)]
    how = 'Reply with one line only: "The best choice is" and its number.'
    return "\n\n".join([*choices, f"Which choice {which}? {how}"])
