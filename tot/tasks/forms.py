"""Structured answers: JSON forms for replies, which a server can enforce while the model writes.

A ``Form`` goes with one of a task's prompts. What comes back is text from a stranger all the same: it is parsed as
JSON, read with care, and what does not fit is unread.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from ..lm.base import Message, Request
from ..parse import LONG_REPLY, Judgement, Read, bad, shorten
from ..reply import data_in, ended, member
from .ballots import choice
from .scores import score

T = TypeVar("T")
Json = dict[str, Any]  # a JSON object
ROOM = 24  # tokens that the names and brackets of a form may need beyond the plain reply
READERS = {"propose": "read_proposals", "value": "read_value", "ballot": "read_ballot", "assess": "read_assessment"}
FORMS = (  # of the knob
    "Whether replies are asked for as JSON that the server makes the model keep to, where the task has a form for them;"
    " if not, as plain text."
)


@dataclass(frozen=True)
class Form:
    """A form for the replies to one prompt.

    ``members(*arguments of the prompt)``: the members of a JSON object, in the order in which the model is to write
    them, each with its schema. ``read(data, *other arguments of the reader)``: what the prompt's reader returns, from
    the parsed object. It may raise KeyError, TypeError or ValueError for an object that does not fit.
    """

    members: Callable[..., Mapping[str, Json]]
    read: Callable[..., Any]


def data_of(text: str) -> Read[Json]:
    """The JSON object in a reply of at most ``LONG_REPLY`` characters; a failed read for anything else.

    It may stand in a fence or in a sentence, and its names in capitals; a list alone is its member "".
    """
    if len(text) > LONG_REPLY:
        return bad("longer than a form", text)
    data = data_in(ended(text))
    if data is None:
        return bad("not JSON", text)
    data = {"": data} if isinstance(data, list) else data
    return Read({str(name).strip().lower(): value for name, value in data.items()}, text=text)


def string(data: Json, name: str) -> str:
    """A member that is text. Raises KeyError or TypeError."""
    if not isinstance(data[name], str):
        raise TypeError(f"{name} is not text")
    return str(data[name])


def verdict(words: Mapping[str, float], read: Callable[[str], Read[float]]) -> Form:
    """A verdict, one of ``words``, after a text that leads to it; ``read`` reads the word."""
    members: dict[str, Json] = {"tries": {"type": "string"}, "verdict": {"type": "string", "enum": [*words]}}
    return Form(lambda *_: members, lambda data: read(json.dumps({"verdict": data["verdict"]})))


def ballot() -> Form:
    """The number of a choice, counted from 1."""

    def read(data: Json, options: int) -> Read[int]:
        said = member(data, "choice_members")
        if type(said) is not int and not re.fullmatch(r"\W*(?:choice\W*)?\d{1,4}\W*", str(said), re.IGNORECASE):
            return bad("not one of the choices", str(said))
        return choice(str(said), options)

    return Form(lambda states: {"choice": {"type": "integer", "enum": [*range(1, len(states) + 1)]}}, read)


def judgement() -> Form:
    """A score from 0 to 1 in tenths, and its reason. (A list, because grammars do not bind a range of decimals.)"""
    tenths = [i / 10 for i in range(11)]
    members: dict[str, Json] = {"score": {"type": "number", "enum": tenths}, "reason": {"type": "string"}}

    def read(data: Json) -> Read[Judgement]:
        if isinstance(data["score"], bool):
            raise TypeError("a score is a number")
        judged = score(f"Score: {data['score']}")
        if judged.value is None:
            return bad("a score that is not from 0 to 1", str(data["score"]))
        return Read(Judgement(judged.value.score, shorten(str(data.get("reason", "")), 300)), text=str(data["score"]))

    return Form(lambda *_: members, read)


# ---------------------------------------------------------------- a task that asks for its forms


def structured(task: T) -> T:
    """A copy of the task whose prompts with a form (``task.forms()``) ask for it, and whose readers read it.

    Everything else is the task's own: prompts without a form stay plain. Raises ValueError for a task without forms.
    """
    if not callable(forms := getattr(task, "forms", None)):
        raise ValueError(f"{getattr(task, 'name', 'the task')} has no forms for its replies: leave out --structured")
    made = copy(task)
    for name in forms():
        setattr(made, name, partial(_asked, task, name))
        setattr(made, READERS[name], partial(_read, task, name))
    for other in {"in_paper_style", "unchecked"} & {*dir(task)}:
        setattr(made, other, partial(_other, task, other))
    return made


# The copy's members are partial functions, not closures, and look up the form anew: so it can be pickled.


def _other(task: Any, other: str, /) -> Any:
    """The task in another form, structured as well."""
    return structured(getattr(task, other)())


def _asked(task: Any, name: str, /, *arguments: Any, **more: Any) -> Request | Sequence[Request]:
    """The task's prompt of that ``name``, with its form."""
    asked, members = getattr(task, name)(*arguments, **more), dict(task.forms()[name].members(*arguments))
    return _formed(asked, members) if isinstance(asked, Request) else [_formed(one, members) for one in asked]


def _formed(request: Request, members: Json) -> Request:
    """The request with a schema and a sentence that says the same, for models that the form alone would surprise."""
    *before, last = request.messages
    how = Message(last.role, f"{last.content}\n\nReply with a JSON object with the members {', '.join(members)}.")
    # all members required, none besides: as OpenAI asks in its strict mode
    schema = {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}
    room = None if request.max_tokens is None else request.max_tokens + ROOM
    return replace(request, messages=(*before, how), max_tokens=room, schema=json.dumps(schema))


def _read(task: Any, name: str, /, *arguments: Any) -> Any:
    """What stands in place of the task's reader: its text is the last argument for proposals, the first for others."""
    many = name == "propose"
    text, others = (arguments[-1], arguments[:-1]) if many else (arguments[0], arguments[1:])
    read: Read[Any] = data_of(text)
    if read.value is None and (many or "{" not in text):  # it may have kept to the plain form, or be cut off
        plain = re.sub(r"\A[^\[]{0,40}\[", "", text).replace('"', "\n") if many else text.replace('"', " ")
        return getattr(task, READERS[name])(*((*others, plain) if many else (plain, *others)))
    if read.value is not None:
        try:
            return task.forms()[name].read(read.value, *others)
        except (KeyError, TypeError, ValueError):
            read = bad("not the form that was asked for", text)
    return [read] if many else read
