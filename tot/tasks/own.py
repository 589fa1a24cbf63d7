"""A task of one's own by its place: "my_talks.py:Talks", a class in a file, or "my_module:Talks"."""

import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from .base import Task

WAY = "name a task of your own by its file and class, such as my_talks.py:Talks, or by its module, my_module:Talks"


def own(spec: str, known: Iterable[str]) -> Task:
    """The task at that place: a class, which is built without arguments, or an object.

    The file runs, with its folder behind all other places from which it may import. Raises ValueError, with one
    sentence that says what to write or to mend.
    """
    if not re.fullmatch(r".+:\w+", spec):
        raise ValueError(f"there is no task {spec!r}: choose one of {', '.join(known)}, or {WAY}")
    place, _, member = spec.rpartition(":")
    module = _of_file(Path(place)) if place.endswith(".py") else _of_name(place)
    found: Any = getattr(module, member, None)
    if found is None:
        here = (name for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__)
        kinds = [name for name in here if hasattr(getattr(module, name), "verify")]
        raise ValueError(f"{place} has no {member!r}: write {place}: and one of {', '.join(kinds) or 'its tasks'}")
    try:
        made = found() if isinstance(found, type) else found
    except Exception as error:
        raise ValueError(
            f"{spec} cannot be built without arguments ({_told(error, place)}): give them defaults"
        ) from error
    if not isinstance(made, Task):
        every = [*Task.__annotations__, *(name for name in vars(Task) if not name.startswith("_"))]
        lacks = [name for name in every if not hasattr(made, name)]
        raise ValueError(
            f"{spec} is not a task, it lacks {', '.join(lacks)}: derive it from tot.tasks.stepwise.Stepwise"
        )
    return made


def _of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ValueError(f"there is no file {path}: {WAY}")
    _reach(path.resolve().parent)
    name = f"own_{path.stem}"  # a file may be called like a module of Python's
    spec = spec_from_file_location(name, path)
    assert spec and spec.loader
    sys.modules[name] = module = module_from_spec(spec)  # dataclasses look for their module there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} cannot be loaded ({_told(error, str(path))}): mend it there") from error
    return module


def _of_name(name: str) -> ModuleType:
    _reach(Path.cwd())
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:
        raise ValueError(f"the module {name!r} cannot be imported ({_told(error, name)}): {WAY}") from error


def _reach(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _told(error: BaseException, place: str) -> str:
    """The error, and the line of the file at ``place`` in which it was."""
    lines = [each.lineno for each in extract_tb(error.__traceback__) if each.filename.endswith(place)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return f"{f'line {line}, ' if line else ''}{type(error).__name__}: {error}"
