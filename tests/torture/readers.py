"""Every reader of the package on hostile texts. They are found by looking: a function, or a method of a task, that
gives a ``Read``; and what else takes a text from outside (``verify``, ``same``, ``problem``).
"""

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from random import Random
from typing import Any

import tot
from tot.parse import LONG_REPLY, Read, bad
from tot.reply import Piece
from tot.state import State, Thought
from tot.tasks import TASKS, task
from tot.tools.described import Tool

from .tally import Tally
from .texts import text

NO_READERS = {"bad", "read_sample", "_refused", "_voted"}  # they make a failed Read, and read no text
WHERE = ("tot.parse", "tot.tasks", "tot.tools", "tot.generate", "tot.evaluate", "tot.lm")
TYPED = ("verify", "same", "problem", "note")  # members of a task that take what a user or a model wrote
GIVEN: dict[str, Callable[[Random], Any]] = {  # what to pass for a parameter, by its name
    **dict.fromkeys(("text", "reply", "line", "part", "answer", "before", "given", "behind"), text),
    **dict.fromkeys(
        ("bare", "headed", "agree", "last", "final", "labelled", "overwrite"), lambda rng: rng.random() < 0.5
    ),
    "pieces": lambda rng: [Piece(text(rng), "last"), Piece(text(rng), "first")],
    "read": lambda rng: bad("nothing"),
    "inside": lambda rng: lambda piece: Read(piece.said[:200]),
    "worth": lambda rng: {"sure": 20.0, "likely": 1.0, "impossible": 0.001},
    "options": lambda rng: rng.randrange(1, 12),
    "most": lambda rng: rng.randrange(1, 900),
    "x": lambda rng: "The cat sat.\nIt rained.\nNobody came.\nAll was well.",
    "solution": lambda rng: Read(Thought(text(rng), answer="7", final=True)),
    "words": lambda rng: ("sure", "likely", "impossible"),
    "letters": lambda rng: {f"{way}{i}": rng.choice(("_____", "a_p__")) for way in "hv" for i in range(1, 6)},
    "rows": lambda rng: [rng.choice(("apple", "a_p__", "")) for _ in range(5)],
    "there": lambda rng: "4 9 10 13",
    "numbers": lambda rng: tuple(sorted(Fraction(rng.randrange(1, 14)) for _ in range(rng.randrange(1, 5)))),
    "label": lambda rng: "Plan",
    "answered": lambda rng: str.strip,
    "parts": lambda rng: ("Plan", "Passage"),
    "tools": lambda rng: {"find": Tool("shop", "find", schema={"properties": {"words": {"type": "string"}}})},
}


@cache
def readers() -> list[tuple[str, Callable[..., Any]]]:
    """The name of each reader, and the reader."""
    found: dict[str, Callable[..., Any]] = {}
    for module in pkgutil.walk_packages(tot.__path__, "tot."):
        if module.name.startswith(WHERE):
            for name, made in vars(importlib.import_module(module.name)).items():
                gives = inspect.isfunction(made) and made.__module__ == module.name and made.__annotations__
                if gives and "Read[" in str(gives.get("return")) and name not in NO_READERS:
                    found[f"{module.name}.{name}"] = made
    for name in TASKS:
        for style in ("", "in_paper_style", "unchecked"):
            one = getattr(task(name), style, lambda: None)() if style else task(name)
            for member in dir(one) if one is not None else ():
                if member.startswith("read_") or member in TYPED:
                    found[f"{name} {style} {member}"] = getattr(one, member)
    return [(name, read) for name, read in found.items() if takes(read)]


def takes(read: Callable[..., Any]) -> list[str]:
    """The parameters that a text goes into."""
    return [name for name in inspect.signature(read).parameters if GIVEN.get(name) is text]


@cache
def problem_of(name: str) -> Any:
    one = task(name)
    for split in one.splits():
        try:
            return one.problems(split)[0]
        except ValueError:  # its file is not there
            continue
    raise AssertionError(f"{name} has no problems")


def arguments(name: str, read: Callable[..., Any], rng: Random) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for parameter, about in inspect.signature(read).parameters.items():
        if parameter == "state":
            state = State(problem_of(name.split()[0] if " " in name else _home(name)).x)
            given[parameter] = state if rng.random() < 0.7 else state.then(Thought(text(rng)))
        elif parameter == "problem":
            given[parameter] = problem_of(name.split()[0])
        elif parameter in GIVEN:
            given[parameter] = GIVEN[parameter](rng)
        elif about.default is inspect.Parameter.empty:
            raise AssertionError(f"say in tests/torture/readers.py what {name} takes for {parameter}")
    return given


def _home(name: str) -> str:
    return next(known for known in TASKS if f".{known}" in name)


def once(rng: Random, tally: Tally, calls: int = 3000) -> None:
    for _ in range(calls):
        name, read = rng.choice(readers())
        given = arguments(name, read, rng)
        tally.counts.update({"parser calls": 1, "parser exceptions": 0})
        asked = partial(read, **given)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                got = asked()
            except ValueError as error:
                tally.counts["refused in a sentence"] += 1
                tally.need(name.endswith(" problem") and len(str(error)) < 1000, f"{name}{given!r:.300}: {error!r}")
                continue
            except Exception as error:
                tally.counts["parser exceptions"] += 1
                tally.fault(f"{name}{given!r:.300}: {error!r}")
                continue
        for one in got if isinstance(got, list) else [got]:
            if isinstance(one, Read):
                said = one.value is not None or bool(one.why)
                tally.need(said and len(one.text) < LONG_REPLY + 100, f"{name}{given!r:.300} gave {one!r:.300}")
                tally.counts["texts read" if one.ok else "texts not read"] += 1
