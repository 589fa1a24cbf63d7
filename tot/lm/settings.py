"""Settings of a model, not of a task: what its user sets for every request that it gets.

A task asks at the temperature and with the limit that suit its prompts. A model may not take them (OpenAI's reasoning
models refuse a temperature and stop strings), may need room to think, or have parameters of its own. ``Settings`` says
so, ``applied`` gives the request as the model gets it, and recordings and results tell samples apart by it. Profiles of
known families are data, in ``profiles.json``; they are used only where they are named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from ..moved import absent
from .base import LM, Message, Request, Sample

# Which values these options of ours may have; each may also be None: it is not sent.
_OWN: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "temperature": ("a number of at least 0", lambda value: _number(value) and value >= 0),
    "top_p": ("a number from 0 to 1", lambda value: _number(value) and 0 <= value <= 1),
    "max_tokens": ("a whole number of at least 1", lambda value: type(value) is int and value >= 1),
    "stop": ("none: the text is then cut at the task's stop strings on this side", lambda value: False),
    "system": ("fold: its text then begins the user's first message", lambda value: value == "fold"),
}
ROLES = ("default", "generator", "second", "third", "evaluator", "planner", "judge", "executor")
_TAKEN = ("model", "messages", "n", "seed", "stream", "max_completion_tokens", "think_tokens")
NAMES = ("temperature", "options", "think_tokens", "profile", "keep_thinking")  # the arguments of ``Settings.of``


@dataclass(frozen=True)
class Settings:
    """How a model is to be asked.

    ``options``: parameters to send with every request, such as ``{"reasoning_effort": "low"}``. A dotted name nests
    (``"chat_template_kwargs.enable_thinking"``). "temperature", "top_p" and "max_tokens" replace what the task asks;
    None means that it is not sent. "stop" can only be None: stop strings are not sent, and the text is cut at them on
    this side, so that nothing changes but the tokens that were written after them. "system" can only be "fold": for a
    model that takes no system message, its text becomes the beginning of the user's first one.
    ``think_tokens``: the room to think in; the limit that is sent is what the task asks and this.
    ``keep_thinking``: whether samples hold the text of the thinking (its tokens are counted in any case).
    ``limit``: the name under which the limit is sent first, "" for the usual one.

    Raises ValueError for an option that is not JSON, or that a request or the client itself sets.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    think_tokens: int = 0
    keep_thinking: bool = True
    limit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", _nested(self.options))
        if type(self.think_tokens) is not int or self.think_tokens < 0:
            raise ValueError(f"think_tokens needs a whole number of at least 0, not {self.think_tokens!r}")
        from .wire import in_leaves, keyed  # which `import tot` need not load

        found = list[str]()
        in_leaves(self.options, lambda leaf, names: found.extend([".".join(filter(None, names))] * keyed(leaf, names)))
        if found:
            raise ValueError(f"the option {found[0]} would be recorded and shown: a key belongs in OPENAI_API_KEY")
        for name, value in self.options.items():
            if name in _TAKEN:
                raise ValueError(f"the option {name} cannot be set: every request has its own {name}")
            if name == "extra_body":
                raise ValueError("servers do not know extra_body: set what is in it, such as --lm-option top_k=5")
            wanted, fits = _OWN.get(name, ("", lambda value: True))
            if (value is not None or name == "system") and not fits(value):
                raise ValueError(f"the option {name} needs {wanted}, not {value!r}")

    @classmethod
    def of(
        cls,
        *,
        temperature: float | Literal["task"] | None = "task",
        options: Mapping[str, Any] | None = None,
        think_tokens: int | None = None,
        profile: str = "",
        keep_thinking: bool = True,
    ) -> Settings:
        """Settings from a ``profile``; what is set beside it counts. ``temperature``: "task" is the task's own.

        Raises ValueError for an unknown profile, which names the known ones.
        """
        known = profiles()
        if profile and profile not in known:
            raise ValueError(f"there is no profile {profile!r}: choose one of {', '.join(known)}")
        base = known.get(profile, {})
        given = dict(options or {})
        if temperature != "task":
            given["temperature"] = temperature
        thought = given.pop("think_tokens", None) if think_tokens is None else think_tokens
        return cls(
            {**base.get("options", {}), **given},
            base.get("think_tokens", 0) if thought is None else thought,
            keep_thinking,
            base.get("limit", ""),
        )

    def to_dict(self) -> dict[str, Any]:
        """What tells samples apart, as plain data, which is ``options`` for ``of``: with ``think_tokens``, if any."""
        return {**self.options} | ({"think_tokens": self.think_tokens} if self.think_tokens else {})

    def applied(self, request: Request) -> Request:
        """The request with these settings: what is sent, and what identifies its samples in a recording."""
        if not self.options and not self.think_tokens:
            return request
        own = {name: value for name, value in self.options.items() if name in _OWN and name not in ("stop", "system")}
        if "system" in self.options:
            own["messages"] = _folded(request.messages)
        further = {name: value for name, value in self.options.items() if name not in _OWN}
        if "stop" in self.options and request.stop:  # it stays, to tell samples apart; so does that it is not sent
            further["stop"] = None
        if request.options:
            further = {**json.loads(request.options), **further}
        return replace(
            request,
            think_tokens=self.think_tokens or request.think_tokens,
            options=json.dumps(further, sort_keys=True) if further else "",
            **own,
        )

    def received(self, samples: Iterable[Sample], request: Request) -> tuple[Sample, ...]:
        """The samples as the caller gets them: cut at the stop strings, which were perhaps not sent, or not heeded, but
        for a refusal, which is no answer at any length; without their thinking if it is not kept.
        """
        cut = [(sample, sample.text if sample.refused else request.ended(sample.text)) for sample in samples]
        samples = [one if one.text == text else replace(one, text=text, finish="stop") for one, text in cut]
        return tuple(samples if self.keep_thinking else (replace(sample, thinking="") for sample in samples))


def applying(lm: LM) -> Callable[[Request], Request]:
    """``LM.applied`` of a model, or for one's own that only names its settings, what that would be."""
    names_them = lm.settings and getattr(lm.applied, "__func__", None) is LM.applied
    return Settings.of(options=lm.settings).applied if names_them else lm.applied


@cache
def profiles() -> dict[str, dict[str, Any]]:
    """The profiles by name: what each is ``for``, its ``options``, ``think_tokens`` and the name of the ``limit``."""
    from importlib.resources import files  # loads much, and `import tot` comes by here

    found: dict[str, Any] = json.loads(files(__package__).joinpath("profiles.json").read_text(encoding="utf-8"))
    return found


# -------------------------------------------------------------------- as text


def arguments(options: Iterable[str]) -> dict[str, Any]:
    """The arguments of ``Settings.of`` in texts such as "reasoning_effort=low" and "temperature=none".

    A value is read as JSON, else as text. "temperature", "top_p", "max_tokens" and "stop" take the word none;
    "think_tokens" and "profile" mean the arguments of that name. Raises ValueError for what cannot be read.
    """
    given: dict[str, Any] = {}
    for text in options:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (equals and all(name.split("."))):
            raise ValueError(f"cannot read the option {text!r}: write, for example, reasoning_effort=low")
        if name in given:
            raise ValueError(f"the option {name} is given twice: give it once, by its own flag or as {name}=...")
        if name == "profile" and not value:
            raise ValueError(f"the option profile is empty: choose one of {', '.join(profiles())}")
        given[name] = value if name == "profile" else _read(name, value)
    made: dict[str, Any] = {name: given.pop(name) for name in ("think_tokens", "profile") if name in given}
    made |= {"options": given} if given else {}
    Settings.of(**made)
    return made


def described(settings: Mapping[str, Any]) -> str:
    """Settings as ``to_dict`` gives them in the words of the command line: "temperature=none, reasoning_effort=low".

    Settings of several models, by role: "judge: temperature=none; default: ...".
    """
    if settings and all(name in ROLES and isinstance(held, Mapping) for name, held in settings.items()):
        return "; ".join(f"{role}: {described(held)}" for role, held in settings.items())
    return ", ".join(f"{name}={_word(name, value)}" for name, value in _flat(settings))


def _word(name: str, value: Any) -> str:
    if value is None:
        return "none" if name in _OWN else "null"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if _read(name, text.strip()) == value else json.dumps(value, ensure_ascii=False)


def _read(name: str, text: str) -> Any:
    """A value from the command line: JSON, else the text itself."""
    if name in _OWN and text.lower() == "none":
        return None
    try:
        return json.loads(text, parse_constant=str)  # NaN and Infinity are no JSON
    except (ValueError, RecursionError):
        return text


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value and all(each and "." not in each for each in value):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _nested(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with dotted names as objects in objects. Raises ValueError where that is not possible."""
    made: dict[str, Any] = {}
    try:
        for name, value in options.items():
            parts = str(name).split(".")
            for part in reversed(parts):  # inside of a value a dot is part of a name
                value = {part: value}
            if not all(parts) or not _joined(made, value):
                break
        else:
            plain: dict[str, Any] = json.loads(json.dumps(made, allow_nan=False))
            return plain
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"options must be JSON values: {error}") from error
    raise ValueError(f"the option {name} does not fit the other options: give each name once")


def _joined(made: dict[str, Any], more: Mapping[str, Any]) -> bool:
    """Whether ``more`` could be put into ``made``: not where one has an object, and the other something else."""
    for name, value in more.items():
        if isinstance(value, Mapping) != isinstance(made.get(name, value), Mapping):
            return False
        if not isinstance(value, Mapping):
            made[name] = value
        elif not _joined(made.setdefault(name, {}), value):
            return False
    return True


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Without system messages: their text begins the first other message, which is the user's."""
    system = [message.content for message in messages if message.role == "system"]
    first, *rest = [message for message in messages if message.role != "system"] or [Message("user", "")]
    return (Message("user", "\n\n".join(filter(None, [*system, first.content]))), *rest) if system else messages


if not TYPE_CHECKING:  # for a type checker a wrong name stays an error
    __getattr__ = absent(__name__)
