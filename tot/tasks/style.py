"""A style is data: a task's prompts, their solved examples and limits, and the readers that differ.

A task has a style of its own, short enough for a small model, and mostly that of its paper. Both are a ``Style``, and
``task.style`` is all in which they differ: no subclass, so a task can be copied, compared and pickled in either.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from ..lm.base import Message, Request
from ..state import State
from .base import ROOM, Problem
from .bundled import told_in

Sources = Mapping[str, tuple[str, Callable[[], list[Problem]]]]  # split -> what it is, and its problems
Shown = tuple[tuple[str, str], ...]  # solved examples: what is asked, what is replied


@dataclass(frozen=True)
class Prompt:
    """How one thing is asked. ``asked`` and ``system`` are templates: "Numbers: {x}" (see ``str.format``).

    ``shown`` is sent as a conversation, which small models follow better, and whose beginning all requests share, so
    that a server can cache it. ``max_tokens``, ``temperature``, ``stop``: of the request.
    """

    asked: str
    system: str = ""
    shown: Shown = ()
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

    ``limits``: other numbers by which styles differ, such as the characters of a reply that are read. ``variants``: the
    names of the prompts for next steps between which a search chooses, the default first. ``parts``: the labels of the
    thoughts on a path, where prompts show all of them, and not the newest alone. ``name``: "" for a task's own style,
    "paper" for that of its paper. ``about``: a paper's style, its design and what is still different, in paragraphs.
    Values must be picklable: functions of a module, no lambdas.
    """

    prompts: Mapping[str, Prompt]
    readers: Mapping[str, Callable[..., Any]]
    limits: Mapping[str, int] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    name: str = ""
    about: str = ""


def style_of(
    file: str,
    kind: str,
    readers: Mapping[str, Callable[..., Any]],
    limits: Mapping[str, int] | None = None,
    base: Style | None = None,
) -> Style:
    """The style of the ``kind`` "own" or "paper" in a file of prompts, above those of a ``base``.

    ``[own.prompts.NAME]`` has the fields of a ``Prompt``, and in place of ``shown`` the name of a list of ``examples``,
    of which the ``first`` are shown, or all. An example is asked like the problem (or by the template ``example``) and
    answered by the template ``reply``, which is "{reply}" where it is not given. In all of them "{rules}" stands for
    what is called "rules" in ``[words]`` or ``[own.words]``, which may name those above it.
    """
    data = told_in(file)
    told = data[kind]
    words = {**data.get("words", {}), **told.get("words", {})}
    cases = data.get("examples", {})
    prompts = {name: _prompt({**told.get("every", {}), **one}, words, cases) for name, one in told["prompts"].items()}
    if base:
        prompts = {**base.prompts, **prompts}
    return Style(
        prompts,
        readers,
        limits or {},
        variants=tuple(told.get("variants", ())),
        parts=tuple(told.get("parts", base.parts if base else ())),
        name="" if kind == "own" else kind,
        about="\n\n".join(filter(None, [told.get("about"), base.about if base else ""])),
    )


def _prompt(told: Mapping[str, Any], words: dict[str, str], examples: Mapping[str, list[dict[str, str]]]) -> Prompt:
    def spelled(text: str) -> str:
        for word in reversed(words):
            text = text.replace(f"{{{word}}}", words[word])
        return text

    asked, reply = spelled(told["asked"]), spelled(told.get("reply", "{reply}"))
    question = told.get("example", asked)
    cases = examples[told["examples"]][: told.get("first")] if "examples" in told else ()
    return Prompt(
        asked,
        spelled(told.get("system", "")),
        tuple((question.format(**case), reply.format(**case)) for case in cases),
        told.get("max_tokens", ROOM),
        told.get("temperature", 0.7),
        tuple(told.get("stop", ())),
    )


def as_parts(state: State, parts: tuple[str, ...]) -> str:
    """The thoughts of a state, below their labels."""
    return "\n\n".join(f"{part}:\n{thought.text}" for part, thought in zip(parts, state.thoughts, strict=False))


class Styled:
    """What is alike in the package's tasks: problems from ``sources``, and prompts from a ``style``.

    ``sources``: split -> what it holds, and a function that loads its problems. ``style``: the task's own; ``paper``:
    that of its paper. ``hint``: what the message about an unknown split ends in.
    """

    name: str
    sources: ClassVar[Sources]
    style: Style
    paper: ClassVar[Style]
    hint = ""

    @property
    def styles(self) -> tuple[str, ...]:
        return self.style.variants

    def splits(self) -> dict[str, str]:
        return {split: about for split, (about, _) in self.sources.items()}

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split. Raises ValueError for an unknown one, or a file that is missing or malformed."""
        if split not in self.sources:
            raise ValueError(f"{self.name} has no split {split!r}: choose one of {', '.join(self.sources)}{self.hint}")
        return self.sources[split][1]()

    def in_paper_style(self) -> Self:
        """A copy of the task with the prompts and readers of ``paper``. Everything else is the task's own."""
        styled = copy(self)
        styled.style = self.paper
        return styled

    def fields(self, state: State) -> dict[str, str]:
        """What the templates of all prompts may name: the problem, the newest thought, the labelled path."""
        return {"x": state.x, "last": state.last.text if state.last else "", "path": as_parts(state, self.style.parts)}

    def ask(self, prompt: str, state: State, **more: str) -> Request:
        """The request of that ``prompt`` of the style about a state."""
        return self.style.prompts[prompt].request(**self.fields(state), **more)

    def io(self, state: State) -> Request:
        return self.ask("io", state)

    def cot(self, state: State) -> Request:
        return self.ask("cot", state)
