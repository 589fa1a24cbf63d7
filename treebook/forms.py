"""Structured answers: JSON forms for replies, which a server can enforce while the model writes.

``structured(tot.task("gsm8k"))`` asks in forms where its prompts have them; for the command line it stands in this
module under its task's name: ``tot solve treebook.forms:gsm8k``. What comes back is text from a stranger all the same:
the task's own reader reads it, as it reads JSON that a model writes unasked.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tot.lm.base import Message, Request
from tot.state import State
from tot.tasks import TASKS, task
from tot.tasks.base import Plannable, Searchable, Votable
from tot.tasks.game24 import Game24, left

T = TypeVar("T")
Json = dict[str, Any]  # a JSON object
ROOM = 24  # tokens that the names and brackets of a form may need beyond the plain reply


def __getattr__(name: str) -> Any:
    if name not in TASKS:
        raise AttributeError(f"{__name__} has no {name!r}")
    return structured(task(name))


# (arguments of the prompt) -> the members of a JSON object, each with its schema, in the order in which the model is to
# write them
Form = Callable[..., Mapping[str, Json]]


def verdict(words: Mapping[str, float]) -> Form:
    """A verdict, one of ``words``, after a text that leads to it."""
    return lambda *_: {"tries": {"type": "string"}, "verdict": {"type": "string", "enum": [*words]}}


def ballot(states: Sequence[State]) -> Mapping[str, Json]:
    """The number of a choice, counted from 1."""
    return {"choice": {"type": "integer", "enum": [*range(1, len(states) + 1)]}}


def judgement(*_: Any) -> Mapping[str, Json]:
    """A score from 0 to 1 in tenths, and its reason. (A list, because grammars do not bind a range of decimals.)"""
    return {"score": {"type": "number", "enum": [i / 10 for i in range(11)]}, "reason": {"type": "string"}}


def thoughts(state: State, *_: str) -> Mapping[str, Json]:
    """The next steps of the Game of 24, or the answer, where one number is left."""
    if len(left(state)) == 1:
        return {"answer": {"type": "string"}}
    return {"steps": {"type": "array", "items": {"type": "string"}, "maxItems": 8}}


def forms_of(one: Any) -> dict[str, Form]:
    """The forms of a task's prompts: "propose", "value", "ballot" or "assess" -> the form of their replies."""
    found: dict[str, Form] = {}
    if isinstance(one, Game24):
        found["propose"] = thoughts
    if isinstance(one, Searchable) and hasattr(one, "verdicts"):
        found["value"] = verdict(one.verdicts)
    if isinstance(one, Votable):
        found["ballot"] = ballot
    if isinstance(one, Plannable):
        found["assess"] = judgement
    return found


# ---------------------------------------------------------------- a task that asks for its forms


def structured(one: T) -> T:
    """A copy of the task, "gsm8k" as "gsm8k-json", whose prompts with a form ask for it.

    Everything else is the task's own: prompts without a form stay plain. Raises ValueError for a task without forms.
    """
    if not (forms := forms_of(one)):
        raise ValueError(f"{getattr(one, 'name', 'the task')} has no forms for its replies: take the task as it is")
    made: Any = copy(one)
    made.name = f"{made.name}-json"  # so that results tell them apart
    for name in forms:
        setattr(made, name, partial(_asked, one, name))
    for other in {"in_paper_style", "unchecked"} & {*dir(one)}:
        setattr(made, other, partial(_other, one, other))
    return made  # type: ignore[no-any-return]


# The copy's members are partial functions, not closures, and look up the form anew: so it can be pickled.


def _other(one: Any, other: str, /) -> Any:
    """The task in another form, structured as well."""
    return structured(getattr(one, other)())


def _asked(one: Any, name: str, /, *arguments: Any, **more: Any) -> Request | Sequence[Request]:
    """The task's prompt of that ``name``, with its form."""
    asked, members = getattr(one, name)(*arguments, **more), dict(forms_of(one)[name](*arguments))
    return _formed(asked, members) if isinstance(asked, Request) else [_formed(each, members) for each in asked]


def _formed(request: Request, members: Json) -> Request:
    """The request with a schema and a sentence that says the same, for models that the form alone would surprise."""
    *before, last = request.messages
    how = Message(last.role, f"{last.content}\n\nReply with a JSON object with the members {', '.join(members)}.")
    # all members required, none besides: as OpenAI asks in its strict mode
    schema = {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}
    room = None if request.max_tokens is None else request.max_tokens + ROOM
    return replace(request, messages=(*before, how), max_tokens=room, schema=json.dumps(schema))
