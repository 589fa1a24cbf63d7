"""A style is data: a task's prompts, their solved examples and limits, and the readers that differ.

A task has a style of its own, short enough for a small model, and mostly that of its paper. Both are a ``Style``, and
``task.style`` is all in which they differ: no subclass, so a task can be copied, compared and pickled in either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..lm.base import Message, Request
from .base import ROOM

T = TypeVar("T")


@dataclass(frozen=True)
class Prompt:
    """How one thing is asked. ``asked`` and ``system`` are templates: "Numbers: {x}" (see ``str.format``).

    ``shown``: solved examples, as pairs of what is asked and what is replied; they are sent as a conversation, which
    small models follow better, and whose beginning all requests share, so that a server can cache it. ``max_tokens``,
    ``temperature``, ``stop``: of the request.
    """

    asked: str
    system: str = ""
    shown: tuple[tuple[str, str], ...] = ()
    max_tokens: int | None = ROOM
    temperature: float | None = 0.7
    stop: tuple[str, ...] = ()

    def request(self, **filled: str) -> Request:
        """The request, with the fields of the templates ``filled`` in. Raises KeyError if one is missing."""
        turns = [Message(role, text) for a, b in self.shown for role, text in (("user", a), ("assistant", b))]
        first = [Message("system", self.system.format(**filled))] if self.system else []
        asked = Message("user", self.asked.format(**filled))
        return Request((*first, *turns, asked), self.temperature, self.max_tokens, self.stop)


@dataclass(frozen=True)
class Style:
    """The prompts of a task by name, and ``readers`` for replies that the task's usual ones would not do for.

    ``name``: "" for a task's own style, "paper" for that of its paper. ``about``: its design, what it leaves out and
    what is still different from the paper, in paragraphs. ``limits``: other numbers by which styles differ, such as
    the characters of a reply that are read. ``variants``: the names of the prompts for next steps between which a
    search chooses, the default first. ``parts``: the labels of the thoughts on a path, where prompts show all of them,
    and not the newest alone. Values must be picklable: functions of a module, no lambdas.
    """

    name: str
    about: str
    prompts: Mapping[str, Prompt]
    readers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def request(self, prompt: str, **filled: str) -> Request:
        """The request of that ``prompt``, with its fields ``filled`` in."""
        return self.prompts[prompt].request(**filled)


def in_style(task: T, style: Style) -> T:
    """A copy of the task that asks in ``style``. Everything else is the task's own."""
    styled: Any = copy(task)
    styled.style = style
    made: T = styled
    return made
