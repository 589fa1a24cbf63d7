"""Structured answers: JSON forms for replies, which a server can enforce while the model writes.

``structured(tot.task("gsm8k"))`` asks in forms where its prompts have them; for the command line it stands in this
module under its task's name: ``tot solve treebook.forms:gsm8k``. What comes back is text from a stranger all the same:
it is parsed as JSON, read with care, and what does not fit is unread.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from tot.lm.base import Message, Request
from tot.parse import LONG_REPLY, Judgement, Read, bad, shorten
from tot.reply import data_in, ended, member
from tot.state import State, Thought
from tot.tasks import TASKS, task
from tot.tasks.ballots import choice
from tot.tasks.base import Plannable, Searchable, Votable
from tot.tasks.game24 import Game24, left
from tot.tasks.scores import score

T = TypeVar("T")
Json = dict[str, Any]  # a JSON object
ROOM = 24  # tokens that the names and brackets of a form may need beyond the plain reply
READERS = {"propose": "read_proposals", "value": "read_value", "ballot": "read_ballot", "assess": "read_assessment"}


def __getattr__(name: str) -> Any:
    if name not in TASKS:
        raise AttributeError(f"{__name__} has no {name!r}")
    return structured(task(name))


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


def thoughts(game: Game24) -> Form:
    """The next steps of the Game of 24, or the answer, where one number is left."""

    def members(state: State, *_: str) -> Json:
        if len(left(state)) == 1:
            return {"answer": {"type": "string"}}
        return {"steps": {"type": "array", "items": {"type": "string"}, "maxItems": 8}}

    def read(data: Json, state: State) -> list[Read[Thought]]:
        if len(left(state)) == 1:
            if not isinstance(data["answer"], str):
                raise TypeError("answer is not text")
            return game.read_proposals(state, data["answer"])
        steps = data.get("steps", data.get("")) or ()
        steps = re.split(r"[;\n]", steps) if isinstance(steps, str) else steps
        lines = [" ".join(map(str, step.values())) if isinstance(step, dict) else str(step) for step in steps]
        return game.read_proposals(state, "\n".join(" ".join(line.split()) for line in lines))

    return Form(members, read)


def forms_of(one: Any) -> dict[str, Form]:
    """The forms of a task's prompts: "propose", "value", "ballot" or "assess" -> the form of their replies."""
    found = {}
    if isinstance(one, Game24):
        found["propose"] = thoughts(one)
    if isinstance(one, Searchable) and hasattr(one, "verdicts"):
        found["value"] = verdict(one.verdicts, one.read_value)
    if isinstance(one, Votable):
        found["ballot"] = ballot()
    if isinstance(one, Plannable):
        found["assess"] = judgement()
    return found


# ---------------------------------------------------------------- a task that asks for its forms


def structured(one: T) -> T:
    """A copy of the task, "gsm8k" as "gsm8k-json", whose prompts with a form ask for it, and whose readers read it.

    Everything else is the task's own: prompts without a form stay plain. Raises ValueError for a task without forms.
    """
    if not (forms := forms_of(one)):
        raise ValueError(f"{getattr(one, 'name', 'the task')} has no forms for its replies: take the task as it is")
    made: Any = copy(one)
    made.name = f"{made.name}-json"  # so that results tell them apart
    for name in forms:
        setattr(made, name, partial(_asked, one, name))
        setattr(made, READERS[name], partial(_read, one, name))
    for other in {"in_paper_style", "unchecked"} & {*dir(one)}:
        setattr(made, other, partial(_other, one, other))
    return made  # type: ignore[no-any-return]


# The copy's members are partial functions, not closures, and look up the form anew: so it can be pickled.


def _other(one: Any, other: str, /) -> Any:
    """The task in another form, structured as well."""
    return structured(getattr(one, other)())


def _asked(one: Any, name: str, /, *arguments: Any, **more: Any) -> Request | Sequence[Request]:
    """The task's prompt of that ``name``, with its form."""
    asked, members = getattr(one, name)(*arguments, **more), dict(forms_of(one)[name].members(*arguments))
    return _formed(asked, members) if isinstance(asked, Request) else [_formed(each, members) for each in asked]


def _formed(request: Request, members: Json) -> Request:
    """The request with a schema and a sentence that says the same, for models that the form alone would surprise."""
    *before, last = request.messages
    how = Message(last.role, f"{last.content}\n\nReply with a JSON object with the members {', '.join(members)}.")
    # all members required, none besides: as OpenAI asks in its strict mode
    schema = {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}
    room = None if request.max_tokens is None else request.max_tokens + ROOM
    return replace(request, messages=(*before, how), max_tokens=room, schema=json.dumps(schema))


def _read(one: Any, name: str, /, *arguments: Any) -> Any:
    """What stands in place of the task's reader: its text is the last argument for proposals, the first for others."""
    many = name == "propose"
    text, others = (arguments[-1], arguments[:-1]) if many else (arguments[0], arguments[1:])
    read: Read[Any] = data_of(text)
    if read.value is None and (many or "{" not in text):  # it may have kept to the plain form, or be cut off
        plain = re.sub(r"\A[^\[]{0,40}\[", "", text).replace('"', "\n") if many else text.replace('"', " ")
        return getattr(one, READERS[name])(*((*others, plain) if many else (plain, *others)))
    if read.value is not None:
        try:
            return forms_of(one)[name].read(read.value, *others)
        except (KeyError, TypeError, ValueError):
            read = bad("not the form that was asked for", text)
    return [read] if many else read
