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
from .stepwise import Stepwise

WAY = "name a task of your own by its file and class, such as my_talks.py:Talks, or by its module, my_module:Talks"


def own(spec: str, known: Iterable[str]) -> Task:
    """The task at that place: a class, which is built without arguments, or an object.

    The file runs, with its folder behind all other places from which it may import. Raises ValueError, with one
    sentence that says what to write or to mend.
    """
    if not re.fullmatch(r".+:\w+", spec):
        raise ValueError(f"there is no task {spec!r}: choose one of {', '.join(known)}, or {WAY}")
    place, _, member = spec.rpartition(":")
    module = _loaded(place)
    if not hasattr(module, member):
        here = [name for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__]
        kinds = ", ".join(name for name in here if hasattr(getattr(module, name), "verify"))
        raise ValueError(f"{place} has no {member!r}: write {place}: and one of {kinds or 'its tasks'}")
    made: Any = getattr(module, member)
    try:
        made = made() if isinstance(made, type) else made
    except Exception as error:
        raise ValueError(f"{spec} cannot be built without arguments ({error!r}): give them defaults") from error
    if isinstance(made, Stepwise):
        made.problems("own")  # says what it lacks
    every = [name for name in (*Task.__annotations__, *vars(Task)) if not name.startswith("_")]
    if lacks := ", ".join(name for name in every if not hasattr(made, name)):
        raise ValueError(f"{spec} is not a task, it lacks {lacks}: derive it from tot.Stepwise, or see tot.tasks.base")
    task: Task = made
    return task


def _loaded(place: str) -> ModuleType:
    """The module, or the file with whatever is in it now."""
    path = Path(place)
    if path.suffix == ".py" and not path.is_file():
        raise ValueError(f"there is no file {path}: {WAY}")
    folder = str(path.resolve().parent)  # of a module's name, where we are
    sys.path += [] if folder in sys.path else [folder]
    try:
        if path.suffix != ".py":
            return import_module(place)
        spec = spec_from_file_location(f"own_{path.stem}", path)  # it may be called like a module of Python's
        assert spec and spec.loader
        sys.modules[spec.name] = module = module_from_spec(spec)  # dataclasses look for their module there
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        lines = [each.lineno for each in extract_tb(error.__traceback__) if each.filename.endswith(place)]
        at = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        told = f"{f'line {at}, ' if at else ''}{type(error).__name__}: {error}"
        raise ValueError(f"{place} cannot be imported ({told}): mend it, or {WAY}") from error
    return module
