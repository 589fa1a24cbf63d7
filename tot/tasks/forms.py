"""Structured answers: JSON forms for replies, which a server can enforce while the model writes.

A ``Form`` goes with one of a task's prompts. What comes back is text from a stranger all the same: it is parsed as
JSON, read with care, and what does not fit is unread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..parse import LONG_REPLY, Judgement, Read, bad, shorten

Json = dict[str, Any]
ROOM = 24  # tokens that the names and brackets of a form may need beyond the plain reply


@dataclass(frozen=True)
class Form:
    """A form for the replies to one prompt.

    ``members(*arguments of the prompt)``: the members of a JSON object, in the order in which the model is to write
    them, each with its schema. ``read(data, *other arguments of the reader)``: what the prompt's reader returns, from
    the parsed object. It may raise KeyError, TypeError or ValueError for an object that does not fit.
    """

    members: Callable[..., Mapping[str, Json]]
    read: Callable[..., Any]

    def schema(self, *arguments: Any) -> str:
        """The schema as JSON text: all members required, none besides (as OpenAI asks in its strict mode)."""
        members = dict(self.members(*arguments))
        whole = {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}
        return json.dumps(whole)

    def asked(self, *arguments: Any) -> str:
        """The sentence below the prompt, for models that the form alone would surprise."""
        return f"Reply with a JSON object with the members {', '.join(self.members(*arguments))}."


def data_of(text: str) -> Read[Json]:
    """The JSON object that a reply is, of at most ``LONG_REPLY`` characters; a failed read for anything else."""
    if len(text) > LONG_REPLY:
        return bad("longer than a form", text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return bad("not JSON", text)
    return Read(data, text=text) if isinstance(data, dict) else bad("not a JSON object", text)


def string(data: Json, name: str) -> str:
    """A member that is text. Raises KeyError or TypeError."""
    if not isinstance(data[name], str):
        raise TypeError(f"{name} is not text")
    return str(data[name])


def verdict(words: Mapping[str, float], read: Callable[[str], Read[float]]) -> Form:
    """A verdict, one of ``words``, after a text that leads to it; ``read`` reads the word."""
    members: dict[str, Json] = {"tries": {"type": "string"}, "verdict": {"type": "string", "enum": [*words]}}
    return Form(lambda *_: members, lambda data: read(string(data, "verdict")))


def ballot() -> Form:
    """The number of a choice, counted from 1."""

    def read(data: Json, options: int) -> Read[int]:
        choice = data["choice"]
        if type(choice) is not int or not 1 <= choice <= options:
            return bad("not one of the choices", str(choice))
        return Read(choice - 1, text=str(choice))

    return Form(lambda states: {"choice": {"type": "integer", "enum": [*range(1, len(states) + 1)]}}, read)


def judgement() -> Form:
    """A score from 0 to 1 and its reason."""
    members: dict[str, Json] = {"score": {"type": "number", "minimum": 0, "maximum": 1}, "reason": {"type": "string"}}

    def read(data: Json) -> Read[Judgement]:
        score = data["score"]
        if type(score) not in (int, float) or not 0 <= score <= 1:
            return bad("a score that is not from 0 to 1", str(score))
        return Read(Judgement(float(score), shorten(string(data, "reason"), 300)), text=str(score))

    return Form(lambda *_: members, read)
