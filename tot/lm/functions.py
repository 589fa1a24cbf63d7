"""A function from text to text as a model."""

import ast
import dis
import inspect
import os
import re
import sys
import threading
import time
import tokenize
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from math import inf
from traceback import TracebackException
from types import CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from .base import LM, LMError, OnReply, OutOfTime, OverBudget, Reply, Request, Sample, Usage
from .scripted import reply_of

# in the name of what tells which model is asked; of what may hold that, as a chain of LangChain does
_MODEL = re.compile(r"model|deployment|engine|\A(?:llm|name|name_or_path)\Z", re.IGNORECASE)
_HOLDS = re.compile(rf"{_MODEL.pattern}|llm|\A(?:first|middle|last|steps|bound)\Z", re.IGNORECASE)
# what holds a function in these of its members
_PARTS: dict[type, tuple[str, ...]] = {
    MethodType: ("__func__", "__self__"),
    partial: ("func",),
    cached_property: ("func",),
    property: ("fget",),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    type(lru_cache(len)): ("__wrapped__",),
}
_TURNS = WeakKeyDictionary[Any, Any]()  # a lock for each function, which several searches and roles may share
_WITHIN = ContextVar("_WITHIN", default=False)  # whether this code runs in a call of a function


class Plain(LM):
    """Calls ``ask(prompt)`` once for each sample, one call after the other, and takes what it returns for the reply.

    The prompt is the contents of the request's messages with empty lines between them, without temperature and limits.
    Thinking is taken off, and the rest is cut at the request's stop strings; words count as tokens; each sample was
    paid with a call of its own, and the prompt. Each is told of as it arrives; at the deadline, or when nobody waits,
    no further one is asked for. For calls side by side write a ``tot.LM``.

    Recordings and results know it by the function's name, and by its code as the ``weights``. Of what the code uses
    they see the functions and texts that it closes over or has as defaults, and texts called something with model,
    deployment or engine, or just name: of globals, of what it closes over, of a method's object, of what these hold
    (``args.model``, ``CONFIG["model"]``, ``os.environ["MODEL"]``, a client's ``model_name``), and of what those
    functions use that it calls and that are no installed package's; the code of these functions (also methods of its
    object and of others, what dicts, lists and partial calls hold) and of decorators; nothing else that is global, such
    as the text of a prompt.
    """

    batched = serial = True  # a function may not be made for several threads

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.name, self._ask = ask.__name__, ask

    @property
    def weights(self) -> str:  # type: ignore[override]
        """SHA-256 of the code; "", with a warning, if Python does not have its text. Raises ValueError for a lambda."""
        if self.name == "<lambda>":
            raise ValueError("recordings and results know a function by its name: write def NAME(prompt), not a lambda")
        try:
            return _digest(_code(self._ask))
        except (OSError, TypeError, ValueError):
            words = "the code of %s cannot be read: recordings and results take any function of this name for the same"
            warnings.warn(words % self.name, stacklevel=3)
            return ""

    @property
    def former(self) -> str:
        """The weights as they were before the code of helpers, other methods and decorators counted."""
        with suppress(OSError, TypeError, ValueError):
            return _digest(_code(self._ask, helping=False))
        return ""

    @property
    def held(self) -> dict[str, str]:  # type: ignore[override]
        """Where a text that names a model stands, as above -> that text; and the code in memory of each function."""
        return {place: text for place, text in _code(self._ask, lines=False) if text}

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies = list[Reply]()
        refuse_too_many("a function", requests)
        if any(request.labels or request.logprobs for request in requests):
            how = "leave out --verdicts logprobs, or choose another method"
            raise LMError(f"the function {self.name} gives texts, and does not tell how likely they were: {how}")
        for request in requests:
            samples, paid = list[Sample](), Usage()
            for i in request.indices:
                with self._turn(request, len(samples)):
                    samples.append(self._answer(request))
                part = reply_of(request, samples[-1:], self.price)
                paid += part.paid
                if on_reply:
                    on_reply(request.samples(i, 1), part)
            replies.append(replace(reply_of(request, samples, self.price), paid=paid))
        return replies

    @contextmanager
    def _turn(self, request: Request, done: int) -> Iterator[None]:
        """One call at a time, whoever asks; but what a function asks waits for none: two could wait for each other."""
        key = getattr(self._ask, "__func__", self._ask)
        free = threading.Lock() if _WITHIN.get() else _TURNS.setdefault(key, threading.Lock())

        def look() -> None:
            if request.deadline is not None and time.monotonic() >= request.deadline:
                raise OutOfTime(f"the time was over after {done} of {request.n} samples")
            if not LM.WANTED.get()():
                raise LMError(f"nobody waits for the function {self.name} any more: run again")

        while not free.acquire(timeout=0.2):
            look()
        within = _WITHIN.set(True)
        try:
            look()
            yield
        finally:
            _WITHIN.reset(within)
            free.release()

    def _answer(self, request: Request) -> Sample:
        from .thinking import split_thinking

        try:
            text = self._ask("\n\n".join(message.content for message in request.messages))
        except Exception as error:
            said = TracebackException.from_exception(error)  # whose own ``__str__`` may raise
            raise LMError(f"the function {self.name} raised {type(error).__name__}: {said}") from error
        if not isinstance(text, str):
            raise LMError(f"the function {self.name} returned {text!r:.60}: a model returns the text of its reply")
        thinking, answer, closed = split_thinking(text)
        answer = request.ended(answer)
        thought = len(thinking.split())
        return Sample(answer, "stop" if closed else "thinking", thought + len(answer.split()), thinking, thought)


def refuse_too_many(who: str, requests: Sequence[Request]) -> None:
    """For a model that gives one sample a call. Raises OverBudget where the requests may not take so many."""
    needed = sum(request.n for request in requests)
    if needed > sum(inf if request.calls is None else request.calls for request in requests):
        raise OverBudget(f"{who} gives one sample a call, and these would take {needed} calls")


def _digest(told: Sequence[tuple[str, str]]) -> str:
    from hashlib import sha256

    return sha256("\n".join(text for _, text in told).encode("utf-8", "replace")).hexdigest()


def _code(ask: Callable[[str], str], lines: bool = True, helping: bool = True) -> list[tuple[str, str]]:
    """The ``lines`` of a function, and of those that it closes over, but for comments; the texts that ``Plain`` names.
    Each with the place where it stands. Without ``lines`` the code in memory; ``helping``: of helpers and methods, too.

    The text, since what Python makes of it differs between versions. Raises OSError or TypeError if there is none,
    ValueError if a variable that is closed over has no value yet.
    """
    owner = getattr(ask, "__self__", None)

    def telling(*held: Any) -> list[tuple[str, str]]:
        return [(at, text) for at, text in _telling(*held) if helping or not at.lower().endswith(".llm")]

    told = telling(_attributes(owner), _words(ask.__code__), "self") if owner is not None else []
    found = list[tuple[str, Any]]([(ask.__name__, getattr(ask, "__func__", ask))])
    for name, each in found:
        if isinstance(each, str):
            told.append((name, each))
        else:
            told += _said(each, name, lines, helping)
            told += telling(_used(each), _words(each.__code__), name)
            known = [one for _, one in found]
            inner = [(f"{name}.{said}", one) for said, one in _closed(each).items() if one not in known]
            found += [(said, one) for said, one in inner if isinstance(one, str | FunctionType)]
    for name, each in _helpers([one for _, one in found if not isinstance(one, str)], owner):
        with suppress(OSError, TypeError):  # of a helper without a text
            told += _said(each, name, lines, helping, asked=False) if helping else []
        told += telling(_used(each), _words(each.__code__), name)
    return told


def _said(function: Any, name: str, lines: bool, helping: bool, asked: bool = True) -> list[tuple[str, str]]:
    """The lines of a function, and of one's own decorator around it; or what is in memory of just these. Only the one
    ``asked`` may be an installed package's, and is told of if its file has changed (pytest changes asserts in others).
    """
    inner = inspect.unwrap(function)
    if not lines:
        place = f"def {name}" if _lasting(function) else f"{name} {id(function)}"
        return [(place, repr([_plain(one.__code__) for one in (function, inner)]))]
    said = lines_of(inner, asked) if asked or _own(inner) else []
    if helping and inner is not function and _own(function):
        with suppress(OSError, TypeError):
            said += lines_of(function.__code__)
    return [(name, line) for line in said]


def _closed(function: FunctionType) -> dict[str, Any]:
    """The variables that a function closes over, and its defaults. Raises ValueError for one without a value."""
    code = function.__code__
    cells = {name: cell.cell_contents for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)}
    names, given = code.co_varnames[: code.co_argcount], function.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(given) :], given, strict=True))
    return defaults | (function.__kwdefaults__ or {}) | cells


def _used(function: FunctionType) -> dict[str, Any]:
    """The globals that a function uses, and what it closes over but for texts."""
    used = names_in(function.__code__)
    closed = {name: held for name, held in _closed(function).items() if not isinstance(held, str)}
    kept = _kept(function.__code__)
    known = {name: held for name, held in function.__globals__.items() if name in used}
    known = {name: held for name, held in known.items() if not (isinstance(held, str | partial) and name in kept)}
    return known | closed


@lru_cache(1000)
def _kept(code: CodeType) -> set[str]:
    """The globals to which code gives another value."""
    return {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_GLOBAL"}


def _helpers(asked: Sequence[FunctionType], owner: Any) -> list[tuple[str, FunctionType]]:
    """The functions of one's own that these use, and that those use, with their names: of their modules and others,
    then of classes and objects, which may be made later. A method counts if any of the functions uses its name.
    """
    known, things, before, found = dict.fromkeys(asked), {id(owner): owner}, -1, list[FunctionType]()
    words, read = set[str](), 0
    while before < len(things):
        before = len(things)
        for one in islice([*known], read, None):
            words |= _words(one.__code__)
            things |= {id(held): held for held in _used(one).values()}
        read = len(known)
        for one in [*things.values()]:
            made = () if one is owner else ("__init__", "__call__")
            things |= {id(held): held for held in inside(one, words.union(made))}
        functions = [one for one in things.values() if isinstance(one, FunctionType) and one is not asked[0]]
        found = [one for one in functions if one.__module__ == asked[0].__module__ or _own(one, True)]
        known |= dict.fromkeys(found)
    found.sort(key=lambda one: one.__code__.co_firstlineno if "." in one.__qualname__ else 0)
    return [(f"{one.__module__}.{one.__qualname__}", one) for one in found]


def _own(function: FunctionType, within: bool = False) -> bool:
    """Is it none of Python's, of this package's or of an installed one's? ``within``: or what these decorate."""
    home = (function.__module__ or "").partition(".")[0]
    own = not _installed(function.__code__.co_filename) and home not in ("tot", "treebook")
    return own or (within and inspect.unwrap(function) is not function and _own(inspect.unwrap(function)))


def _installed(file: str) -> bool:
    python = (os.path.dirname(os.__file__), "<frozen")
    return re.search(r"[\\/](?:site|dist)-packages[\\/]", file) is not None or file.startswith(python)


def inside(thing: Any, words: Collection[str]) -> list[Any]:
    """What a module, a class, an object, a dict or a list holds that may be a function among these words."""
    kind = type(thing)
    if issubclass(kind, dict | list | tuple):
        held = [*islice(thing.values() if issubclass(kind, dict) else thing, 1000)]
        return [one for one in held if issubclass(type(one), MethodType | partial) or _lasting(one)]
    if parts := [name for part, names in _PARTS.items() if issubclass(kind, part) for name in names]:
        return [getattr(thing, name) for name in parts]
    places = [vars(one) for one in (thing if issubclass(kind, type) else kind).__mro__[:-1]]
    found = [one for place in places for name, one in [*place.items()] if name in words]
    with suppress(Exception):  # an object may raise where nothing asks it
        own = [one for name, one in [*vars(thing).items()] if name in words]
        found += [one for one in own if not isinstance(one, FunctionType) or issubclass(kind, type) or _lasting(one)]
    return found


def _lasting(thing: Any) -> bool:
    """Is it a function that no call made? What a function puts into a list, or into its object, is not its code."""
    return isinstance(thing, FunctionType) and "<locals>" not in thing.__qualname__


def names_in(code: CodeType) -> set[str]:
    """What code uses, also within comprehensions and functions: Python 3.12 made some of these one with it."""
    return {*code.co_names}.union(*(names_in(one) for one in code.co_consts if isinstance(one, CodeType)))


@lru_cache(1000)
def _words(code: CodeType) -> set[str]:
    """What code uses, and its texts: "model", where it reads ``args.model`` or ``CONFIG["model"]``."""
    inner = (_words(one) for one in code.co_consts if isinstance(one, CodeType))
    return names_in(code).union((one for one in code.co_consts if isinstance(one, str)), *inner)


def _telling(values: Mapping[str, Any], words: Collection[str], under: str, deep: int = 3) -> list[tuple[str, str]]:
    """The texts that are called something with model, deployment or engine, or just name; also in what is held."""
    told = list[tuple[str, str]]()
    for name, held in sorted(values.items()):
        place = f"{under}.{name}"
        if isinstance(held, str):
            told += [(place, held)] * bool(_MODEL.search(name))
        elif deep and held is not None:
            told += _telling(_members(held, words), words, place, deep - 1)
    return told


def _members(held: Any, words: Collection[str]) -> dict[str, Any]:
    """Of what an object, a class, a dict or a partial call holds, what the code names, and what is called a model."""
    if isinstance(held, FunctionType) and held is not os.getenv:
        return {}
    if isinstance(held, list | tuple):
        named = getattr(held, "_fields", ())
        named = dict(zip(named, held, strict=False)) if isinstance(named, tuple) else {}
        return named or {str(place): one for place, one in enumerate(held[:9])}
    known = held.keywords if isinstance(held, partial) else held if isinstance(held, Mapping) else None
    if isinstance(held, partial) and held.args:
        with suppress(TypeError, ValueError):  # of a function without a signature
            known = inspect.signature(held.func).bind_partial(*held.args, **held.keywords).arguments
    known = os.environ if held is os.getenv or (held is os and "getenv" in words) else known
    chosen = not isinstance(held, ModuleType) and known is not os.environ
    found = dict[str, Any]()
    with suppress(Exception):  # an object may raise where nothing asks it
        for name, one in islice((_attributes(held) if known is None else known).items(), 1000):
            fits = (_MODEL if isinstance(one, str) else _HOLDS).search(str(name))
            telling = chosen and fits and len(str(name).split()) == 1  # a prompt, of a memo, is none
            if telling or (name in words and not str(name).startswith("__")):
                found[str(name)] = one
    return found


def _attributes(held: Any) -> Mapping[str, Any]:
    """What an object or a class has, in slots, too, and the texts that its own and its base classes have."""
    kind, found = held if isinstance(held, type) else type(held), dict[str, Any]()
    for one in reversed(kind.__mro__[:-1]):
        file = str(getattr(sys.modules.get(one.__module__), "__file__", None) or "")
        if not _installed(file) and one.__module__.partition(".")[0] not in ("tot", "treebook"):
            own = {name: value for name, value in vars(one).items() if name[:2] != "__"}
            slots = [name for name, value in own.items() if isinstance(value, MemberDescriptorType)]
            found |= {name: value for name, value in own.items() if isinstance(value, str)}
            found |= {name: getattr(held, name) for name in slots if held is not kind and hasattr(held, name)}
    lazy = {name for one in kind.__mro__ for name, value in vars(one).items() if isinstance(value, cached_property)}
    return {name: one for name, one in {**found, **getattr(held, "__dict__", {})}.items() if name not in lazy}


def lines_of(function: Any, checked: bool = True) -> list[str]:
    """The lines of its text, without comments and the depth at which it stands; ``checked``: with a warning its
    bytecode if its file was changed since it was loaded. Raises OSError or TypeError if there is no text.
    """
    function = inspect.unwrap(function)
    lines, code = inspect.getsource(function).splitlines(), getattr(function, "__code__", None) if checked else None
    known = _codes("".join(inspect.findsource(function)[0]))
    if code and known and _plain(code) not in known:
        what = f"{code.co_filename} was changed after {code.co_name} was loaded: results and recordings are marked with"
        warnings.warn(f"{what} the code in memory; restart Python for what the file says", stacklevel=2)
        return [repr(_plain(code))]
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
    return [_plain(each) for each in found]


def _plain(code: CodeType) -> tuple[Any, ...]:
    """What code does, wherever it stands."""
    inner = [_plain(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    inner = [sorted(map(repr, one)) if isinstance(one, frozenset) else one for one in inner]  # in no order of its own
    return code.co_name, code.co_code, code.co_names, inner
