"""What a results line was made with, so that a later run sees that a task or a method has changed since."""

import ast
import inspect
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256

from ..ask import Ask
from ..lm.functions import lines_of
from ..solution import Job


def fingerprint(job: Job) -> str:
    """16 hex digits of the job's first requests and of the file of its task's class, if that is one's own.

    The requests have the problem and the first prompts. Of the file counts what Python makes of it, so comments do not,
    nor does a class's list of ``inputs``: a further problem changes no other's results. A class in a notebook has no
    file.
    """
    first = next((item for item in job.search() if isinstance(item, Ask)), None)
    asked = [request.key("") for request in first.requests] if first else []
    return sha256("\n".join([*asked, *map(_code, type(job.task).__mro__)]).encode("utf-8", "replace")).hexdigest()[:16]


@cache
def _code(kind: type) -> str:
    if kind.__module__.partition(".")[0] in {"tot", *sys.stdlib_module_names}:
        return ""
    try:
        tree = ast.parse(inspect.getsource(inspect.getmodule(kind) or kind))
    except (OSError, TypeError, SyntaxError):
        return ""
    for each in ast.walk(tree):
        if isinstance(each, ast.ClassDef):
            each.body = [line for line in each.body if "inputs" not in map(ast.unparse, getattr(line, "targets", ()))]
    return ast.unparse(tree)


def own_code(job: Job) -> str:
    """16 hex digits of the code of the methods of one's own classes, of the task and the recipe, also in a notebook; ""
    if there are none. Comments do not count.
    """
    told = "\n".join(map(_methods, (*type(job.task).__mro__, *job.method.recipe.__mro__))).strip()
    return sha256(told.encode("utf-8", "replace")).hexdigest()[:16] if told else ""


@cache
def _methods(kind: type) -> str:
    told = list[str]()
    if kind.__module__.partition(".")[0] not in {"tot", "treebook", *sys.stdlib_module_names}:
        for each in vars(kind).values():
            each = getattr(each, "fget", None) or getattr(each, "__func__", each)
            if getattr(each, "__module__", "") == kind.__module__:
                with suppress(OSError, TypeError):  # what has no text, such as a dataclass's own methods
                    told += lines_of(each)
    return "\n".join(told)
