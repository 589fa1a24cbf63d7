"""The text of one's own functions and classes, from which recordings and results see that they have changed."""

import ast
import dis
import inspect
import json
import re
import sys
import tokenize
import warnings
from contextlib import suppress
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial, partialmethod
from itertools import islice
from types import CodeType, FunctionType, MemberDescriptorType, MethodType
from typing import Any

from ..jsonlines import written

NAMES = ("inputs", "summary")  # of a class's values that change no result


def reached(*things: Any) -> list[Any]:
    """These functions and classes, and the functions, classes and base classes of the same module that they use, also
    where lists, dicts and partial calls hold them, and that those use in turn.
    """
    found = list[Any](dict.fromkeys(one for each in things for one in getattr(each, "__mro__", [each])))
    for each in found:  # which grows
        used, around = list[Any](), list[Any]()
        if isinstance(each, FunctionType):
            # what a decorator of another module is around
            around = [one for one in closed(each).values() if isinstance(one, FunctionType)]
            used = [each.__globals__.get(name) for name in sorted(_names(each.__code__))] + [*closed(each).values()]
        elif isinstance(each, type) and _own(each):
            used = [*each.__mro__, *vars(each).values()]
        used = [*map(_function, used)]
        used += [inner for one in used for inner in _held(one)]
        used = [one for one in used if isinstance(one, FunctionType | type)]
        used = [one for one in used if one.__module__ == each.__module__ or one in around]
        again = isinstance(each, type)  # a method with two names counts twice, as in older files
        found += [one for one in used if one not in found or (again and isinstance(one, FunctionType))]
    return found


def told(each: Any) -> list[str]:
    """The lines of a function; of a class of one's own its texts, numbers, lists, sets, patterns and mappings but for
    ``inputs``. Raises OSError or TypeError for a function that has no text.
    """
    if not isinstance(each, type):
        return lines_of(each)
    found = list[str]()
    for name, one in vars(each).items() if _own(each) else ():
        code = getattr(_function(one), "__module__", "") == each.__module__ and not isinstance(one, Enum)
        if not code and name[:2] != "__" and name not in NAMES:
            with suppress(TypeError, ValueError, RecursionError):  # what is no plain data
                found.append(json.dumps([name, _keyed(_function(one))], default=_in_words))
    return found


def values(used: list[Any], owner: Any = None) -> dict[str, str]:
    """The texts and numbers that functions name and do not assign: globals, what they close over, defaults, those of
    the object whose methods they are, and those of the classes that they use. Each with its place.
    """
    functions = [one for one in used if isinstance(one, FunctionType)]
    changing = set[str]().union(*(_assigned(one.__code__) for one in functions))
    known = list[tuple[str, Any]]()
    for one in functions:
        globals_ = _loaded(one.__code__) & one.__globals__.keys()
        held = {name: one.__globals__[name] for name in sorted(globals_)} | closed(one)
        known += [(f"{one.__qualname__}: {name}", value) for name, value in held.items() if name not in changing]
    for kind in used:
        members = vars(kind) if isinstance(kind, type) and _own(kind) else {}
        own = [(name, value) for name, value in members.items() if name[:2] != "__" and f".{name}" not in changing]
        known += [(f"{kind.__qualname__}: {name}", value) for name, value in own]
    for name in sorted({name for one in functions for name in _names(one.__code__)}):
        value = inspect.getattr_static(owner, name, None)  # no property is asked
        if f".{name}" not in changing and isinstance(value, str | int | float | MemberDescriptorType):
            known.append((f"self.{name}", getattr(owner, name, None)))
    found = dict[str, str]()
    for place, value in known:
        if plain := _plain(value):  # two functions of one factory have one place
            found[place] = "\n".join([*filter(None, [found.get(place)]), *plain])
    return found


def _plain(value: Any) -> list[str]:
    """Of a text or a number itself, of a partial call those that it holds."""
    if isinstance(value, partial):
        given = [*enumerate(value.args), *value.keywords.items()]
        return [f"{name}={text}" for name, one in given for text in _plain(one)]
    value = value.value if isinstance(value, Enum) else value
    return [str(value)] if isinstance(value, str | int | float) else []


def closed(function: FunctionType) -> dict[str, Any]:
    """The variables that a function closes over, and its defaults."""
    code, cells = function.__code__, dict[str, Any]()
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # there is no value yet
            cells[name] = cell.cell_contents
    names, given = code.co_varnames[: code.co_argcount], function.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(given) :], given, strict=True))
    return defaults | (function.__kwdefaults__ or {}) | cells


def _own(kind: type) -> bool:
    return kind.__module__.partition(".")[0] not in {"tot", "treebook", *sys.stdlib_module_names}


def _held(value: Any) -> list[Any]:
    """The class of an object; the functions that a list, a dict or a partial call holds, but for those that a call made
    and put there.
    """
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    held = [value.func] if isinstance(value, partial) else [*islice(held, 1000)]
    held = [one for one in held if isinstance(one, FunctionType | MethodType | partial)]
    held = [one for one in held if "<locals>" not in getattr(one, "__qualname__", "")]
    return [type(value), *(each for one in held for each in (_function(one), *_held(one)))]


def _function(value: Any) -> Any:
    """That of a property, a class method, one that is cached; other values as they are."""
    with suppress(Exception):  # an object may raise where nothing asks it
        value = value.func if isinstance(value, cached_property | partialmethod) else value
        value = getattr(value, "fget", None) or getattr(value, "__func__", value)
        return inspect.unwrap(value) if callable(value) else value
    return value


def _keyed(value: Any) -> Any:
    """With texts for what JSON takes for no key."""
    if isinstance(value, dict):
        known = str | int | float | None
        return {key if isinstance(key, known) else written(key): _keyed(one) for key, one in value.items()}
    return [*map(_keyed, value)] if isinstance(value, list | tuple) else value


def _in_words(value: Any) -> Any:
    """Of a set, a pattern, a range, a date or a member of an Enum what it holds. Raises TypeError for others."""
    if isinstance(value, set | frozenset):
        return sorted(map(written, value))
    if isinstance(value, re.Pattern | range | Fraction | Decimal | bytes | date):
        return repr(value)
    if isinstance(value, Enum):
        return value.value
    raise TypeError("no plain data")


def _names(code: CodeType) -> set[str]:
    """What code uses, also within comprehensions and functions: Python 3.12 made some of these one with it."""
    return {*code.co_names}.union(*(_names(one) for one in code.co_consts if isinstance(one, CodeType)))


@lru_cache(1000)
def _loaded(code: CodeType) -> set[str]:
    """The globals that code uses, also within comprehensions and functions."""
    inner = (_loaded(one) for one in code.co_consts if isinstance(one, CodeType))
    loads = "LOAD_GLOBAL", "LOAD_NAME"
    return {one.argval for one in dis.get_instructions(code) if one.opname in loads}.union(*inner)


@lru_cache(1000)
def _assigned(code: CodeType) -> set[str]:
    """The globals and outer variables to which code gives values, and the attributes of an object or a class (".last")
    but for those that an object has from the beginning.
    """
    found = set[str]().union(*(_assigned(one) for one in code.co_consts if isinstance(one, CodeType)))
    for one in dis.get_instructions(code):
        outer = one.opname == "STORE_DEREF" and one.argval in code.co_freevars
        found |= {one.argval} if outer or one.opname == "STORE_GLOBAL" else set()
    if not re.fullmatch(r"__(?!call__).*__", code.co_name):
        found |= {f".{name}" for name in _stored(code)}
    return found


def _stored(code: CodeType) -> set[str]:
    """The attributes to which code gives values: of its own object and of classes, and without its text of any."""
    try:
        text = inspect.getsource(code)
        tree = ast.parse(f"if 1:\n{text}" if text[0].isspace() else text)
    except (OSError, TypeError, SyntaxError):
        return {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_ATTR"}
    me = "|".join(map(re.escape, ("cls", "type(self)", "self.__class__", *code.co_varnames[:1])))
    stored = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)]
    return {one.attr for one in stored if re.fullmatch(rf"{me}|[A-Z]\w*", ast.unparse(one.value))}


def lines_of(function: Any) -> list[str]:
    """The lines of its text, without comments and the depth at which it stands; with a warning its bytecode if its file
    was changed since it was loaded. Raises OSError or TypeError if there is no text.
    """
    function = inspect.unwrap(function)
    lines, code = inspect.getsource(function).splitlines(), getattr(function, "__code__", None)
    known = _codes("".join(inspect.findsource(function)[0]))
    # pytest writes asserts of tests in another way
    if code and known and in_memory(code) not in known and "@pytest_ar" not in _names(code):
        what = f"{code.co_filename} was changed after {code.co_name} was loaded: results and recordings are marked with"
        warnings.warn(f"{what} the code in memory; restart Python for what the file says", stacklevel=2)
        return [repr(in_memory(code))]
    comments, quoted = set[int](), set[int]()  # "# Rules" in a prompt is none
    with suppress(SyntaxError, tokenize.TokenError):
        for token in tokenize.generate_tokens(iter([f"{line}\n" for line in lines]).__next__):
            comments |= {token.start[0]} if token.type == tokenize.COMMENT else set()
            quoted.update(range(token.start[0], token.end[0]))  # of several lines
    depth = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    kept = ((i, line.removeprefix(depth).rstrip()) for i, line in enumerate(lines, 1))
    return [line for i, line in kept if (line or i in quoted) and not (line.lstrip()[:1] == "#" and i in comments)]


@lru_cache(8)
def _codes(text: str) -> list[tuple[Any, ...]]:
    """All code that Python makes of it, whole or, as in a notebook's cell, of each statement; none of a cell that has
    more than Python.
    """
    try:
        parts = [ast.Module([one], []) for one in ast.parse(text).body]
        found = [compile(text, "", "exec", dont_inherit=True)]
        found += [compile(one, "", "exec", dont_inherit=True) for one in parts]
    except (SyntaxError, ValueError):
        return []
    for each in found:
        found += [one for one in each.co_consts if isinstance(one, CodeType)]
    return [in_memory(each) for each in found]


def in_memory(code: CodeType) -> tuple[Any, ...]:
    """What code does, wherever it stands."""
    inner = [in_memory(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    inner = [sorted(map(repr, one)) if isinstance(one, frozenset) else one for one in inner]  # in no order of its own
    return code.co_name, code.co_code, code.co_names, inner
