"""What a results line was made with, so that a later run sees that a task or a method has changed since."""

import ast
import inspect
import json
import re
import sys
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from ..ask import Ask
from ..lm.functions import inside, lines_of, names_in
from ..solution import Job

NAMES = ("inputs", "summary")  # of a class's values that change no result


def fingerprint(job: Job) -> str:
    """16 hex digits of the job's first requests and of the file of its task's class, if that is one's own.

    The requests have the problem and the first prompts. Of the file counts what Python makes of it, so comments do not,
    nor does a class's list of ``inputs``: a further problem changes no other's results. A class in a notebook has no
    file.
    """
    first = next((item for item in job.search() if isinstance(item, Ask)), None)
    asked = [request.key("") for request in first.requests] if first else []
    return sha256("\n".join([*asked, *map(_code, type(job.task).__mro__)]).encode("utf-8", "replace")).hexdigest()[:16]


def edition(job: Job, own: str, fixed: bool) -> str:
    """8 hex digits of what the lines of one method have in common, whatever the problem: the file of the task's class;
    ``own`` code, and functions as models; and where the task's problems are ``fixed`` (one's own may change, and its
    prompts are in its code) the first requests for its first problem, without the question. "" where that problem's
    data are not installed.
    """
    told = [own, *map(_code, type(job.task).__mro__)]
    try:
        for split in [*job.task.splits()][:fixed]:
            problem = job.task.problems(split)[0]
            asked = next(item for item in replace(job, problem=problem).search() if isinstance(item, Ask)).requests
            told += [one.content.replace(str(problem.x), "") for request in asked for one in request.messages]
    except Exception:  # a task of one's own may raise any
        return ""
    return sha256("\n".join(told).encode("utf-8", "replace")).hexdigest()[:8]


@cache
def readers() -> str:
    """8 hex digits of what reads and judges replies here: an update of ``tot`` may read them otherwise."""
    home = Path(__file__).parents[1]
    files = [home / name for name in ("reply.py", "replies.toml", "parse.py", "lm/thinking.py")]
    files += [file for part in ("tasks", "tools") for file in sorted((home / part).glob("*.py"))]
    return sha256(b"".join(file.read_bytes().replace(b"\r", b"") for file in files)).hexdigest()[:8]


@cache
def _code(kind: type) -> str:
    if kind.__module__.partition(".")[0] in {"tot", *sys.stdlib_module_names}:
        return ""
    try:
        tree = ast.parse(inspect.getsource(inspect.getmodule(kind) or kind))
    except (OSError, TypeError, SyntaxError):
        return ""
    dropped = {"inputs"}
    for each in ast.walk(tree):
        if isinstance(each, ast.ClassDef):
            lists = [line for line in each.body if _named(line) & dropped]
            each.body = [line for line in each.body if line not in lists]
            values = [getattr(line, "value", None) for line in lists]
            dropped |= {value.id for value in values if isinstance(value, ast.Name)}
    tree.body = [line for line in tree.body if not _named(line) & dropped]  # a list above the class
    return ast.unparse(tree)


def _named(line: ast.stmt) -> set[str]:
    """The names to which a statement assigns."""
    return {*map(ast.unparse, getattr(line, "targets", None) or filter(None, [getattr(line, "target", None)]))}


def own_code(*kinds: type) -> str:
    """16 hex digits of what is one's own in classes, also in a notebook; "" if nothing is. Methods count, functions and
    classes of the same module that these use, and texts, numbers, lists, sets, patterns and mappings of the
    classes but for ``inputs``; comments do not.
    """
    told, found = list[str](), list[Any](dict.fromkeys(each for one in kinds for each in one.__mro__))
    for each in found:  # which grows
        used = list[Any]()
        if not isinstance(each, type):
            with suppress(OSError, TypeError, ValueError):  # what has no text, such as a dataclass's own methods
                told += lines_of(each)
            used = [each.__globals__.get(name) for name in sorted(names_in(each.__code__))]
        elif each.__module__.partition(".")[0] not in {"tot", "treebook", *sys.stdlib_module_names}:
            used = [*vars(each).values()]
            for name, one in zip(vars(each), map(_function, used), strict=True):
                if getattr(one, "__module__", "") != each.__module__ and name[:2] != "__" and name not in NAMES:
                    with suppress(TypeError, ValueError, RecursionError):  # what is no plain data
                        told.append(json.dumps([name, _keyed(one)], default=_in_words))
        used = [*map(_function, used)]
        used += [inner for one in used for inner in _held(one)]
        used = [one for one in used if isinstance(one, FunctionType | type) and one.__module__ == each.__module__]
        again = isinstance(each, type)  # a method with two names counts twice, as in older files
        found += [one for one in used if one not in found or (again and isinstance(one, FunctionType))]
    return sha256("\n".join(told).encode("utf-8", "replace")).hexdigest()[:16] if told else ""


def _keyed(value: Any) -> Any:
    """With texts for what JSON takes for no key."""
    if isinstance(value, dict):
        known = str | int | float | None
        return {key if isinstance(key, known) else repr(key): _keyed(one) for key, one in value.items()}
    return [*map(_keyed, value)] if isinstance(value, list | tuple) else value


def _in_words(value: Any) -> Any:
    """Of a set, a pattern or a range what it holds. Raises TypeError for others."""
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, re.Pattern | range | Fraction | Decimal | bytes):
        return repr(value)
    raise TypeError("no plain data")


def _held(value: Any) -> list[Any]:
    """The class of an object; the functions, and the objects' classes, that a list, a dict or a partial call holds."""
    return [type(value), *(each for one in inside(value, ()) for each in (_function(one), *_held(one)))]


def _function(value: Any) -> Any:
    """That of a property, a class method, one that is cached; other values as they are."""
    value = getattr(value, "fget", None) or getattr(value, "__func__", value)
    return inspect.unwrap(value) if callable(value) else value
