"""Structured answers: a task that asks for JSON forms where it has them, for servers that can enforce a schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from ..lm.base import Message, Request
from ..parse import Read, bad
from ..tasks.base import Structured
from ..tasks.forms import ROOM, Form, data_of

T = TypeVar("T")
FORMS = (  # of the knob
    "Whether replies are asked for as JSON that the server makes the model keep to, where the task has a form for them;"
    " if not, as plain text."
)
READERS = {"propose": "read_proposals", "value": "read_value", "ballot": "read_ballot", "assess": "read_assessment"}


def structured(task: T) -> T:
    """A copy of the task whose prompts with a form (``task.forms()``) ask for it, and whose readers read it.

    Everything else is the task's own: prompts without a form stay plain. Raises ValueError for a task without forms.
    """
    if not isinstance(task, Structured):
        raise ValueError(f"{getattr(task, 'name', 'the task')} has no forms for its replies: leave out structured")
    made = copy(task)
    for name, form in task.forms().items():
        setattr(made, name, _asking(getattr(task, name), form))
        setattr(made, READERS[name], _reading(form, many=name == "propose"))
    return made


def _asking(prompt: Callable[..., Request | Sequence[Request]], form: Form) -> Callable[..., Any]:
    def ask(*arguments: Any, **more: Any) -> Request | Sequence[Request]:
        asked, schema, how = prompt(*arguments, **more), form.schema(*arguments), form.asked(*arguments)
        return _formed(asked, schema, how) if isinstance(asked, Request) else [_formed(r, schema, how) for r in asked]

    return ask


def _formed(request: Request, schema: str, how: str) -> Request:
    *before, last = request.messages
    room = None if request.max_tokens is None else request.max_tokens + ROOM
    return replace(
        request, messages=(*before, Message(last.role, f"{last.content}\n\n{how}")), max_tokens=room, schema=schema
    )


def _reading(form: Form, *, many: bool) -> Callable[..., Any]:
    """A reader in place of the task's: its text is the last argument for proposals, the first for all others."""

    def read(*arguments: Any) -> Any:
        text, others = (arguments[-1], arguments[:-1]) if many else (arguments[0], arguments[1:])
        data = data_of(text)
        if data.value is None:
            return [data] if many else data
        try:
            return form.read(data.value, *others)
        except (KeyError, TypeError, ValueError):
            failed: Read[Any] = bad("not the form that was asked for", text)
            return [failed] if many else failed

    return read
