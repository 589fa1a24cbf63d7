"""The public names of both packages, room by room, and what explains each of them."""

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import tot
import treebook

from .chapters import PACKAGES, find

FACADES = {  # rooms of which readers import what a module exports; the others are its inside
    "show": "tot.show", "testing": "tot.testing",
    "lab": "treebook.lab", "figures": "treebook.show", "explorer": "treebook.show",
}  # fmt: skip
ELSEWHERE = {"stats": "experiments", "show": "figures"}  # modules of the top level that are shown with a package
APART = ("cli", "__main__", "inspecting")  # the command line and the door to Inspect have pages of their own


class Missing(Exception):
    """Something public is not explained. The message names all of it."""


class Public(NamedTuple):
    """A name that a module defines. ``kind``: "function", "class", "exception", "data"; ``value``: the code of data."""

    module: str
    name: str
    kind: str
    found: Any
    doc: str
    value: str = ""

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def worth_showing(self) -> bool:
        """All but constants without a comment; these are shown only if the package exports them."""
        return self.kind != "data" or bool(self.doc) or (self.name[0].isupper() and not self.name.isupper())

    @property
    def identified(self) -> bool:
        """Is the object itself enough to know the name? Not for a number or a text, which other names may share."""
        return self.kind != "data" or not isinstance(self.found, int | float | str | bytes | tuple | type | None)


@cache
def rooms() -> dict[str, list[str]]:
    """Page -> its modules, in the order of the pages: the core and its packages, then the book's and its packages, each
    in the order of the alphabet.
    """
    found: dict[str, list[str]] = {}
    for room, top in (("core", tot), ("book", treebook)):
        found[room] = [top.__name__]
        for info in iter_modules(top.__path__):
            if not info.ispkg and info.name not in APART:
                found.setdefault(ELSEWHERE.get(info.name, room), []).append(f"{top.__name__}.{info.name}")
        for info in iter_modules(top.__path__):
            if info.ispkg:
                package = import_module(f"{top.__name__}.{info.name}")
                inside = [m.name for m in walk_packages(package.__path__, f"{package.__name__}.")]
                found[info.name] = [package.__name__, *inside, *found.pop(info.name, [])]
    return found


@cache
def publics(module: ModuleType) -> list[Public]:
    """The names without an underscore that a module itself defines, in the order of its source."""
    source = inspect.getsource(module)
    above, beside = _comments(source)
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            thing = getattr(module, node.name)
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            if isinstance(thing, type) and issubclass(thing, BaseException):
                kind = "exception"
            found.append(Public(module.__name__, node.name, kind, thing, _docstring(thing)))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and not ast.unparse(node.value).startswith(("TypeVar(", "ParamSpec(")):
                comment = beside.get(node.lineno) or beside.get(node.end_lineno or 0) or above.get(node.lineno - 1, "")
                thing = getattr(module, target.id)
                found.append(Public(module.__name__, target.id, "data", thing, comment, ast.unparse(node.value)))
    return [each for each in found if not each.name.startswith("_")]


def _docstring(thing: Any) -> str:
    """Its own docstring: not one that it inherits, nor the signature that a dataclass without one gets."""
    doc = thing.__dict__.get("__doc__") if isinstance(thing, type) else thing.__doc__
    return "" if not doc or doc.startswith(f"{thing.__name__}(") else inspect.cleandoc(doc)


def _comments(source: str) -> tuple[dict[int, str], dict[int, str]]:
    """Comments on lines of their own, by the number of their last line; comments beside code, by their line."""
    above: dict[int, str] = {}
    beside: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("# --", "# type", "# noqa")):
            text, line = token.string.lstrip("#: ").strip(), token.start[0]
            if token.line.lstrip().startswith("#"):
                above[line] = f"{above.pop(line - 1)} {text}" if line - 1 in above else text
            else:
                beside[line] = text.partition("  # ")[0]
    return above, beside


@cache
def shown() -> dict[str, dict[str, list[Public]]]:
    """Page -> module -> the names that the page shows.

    These are all public names, but of a facade only what it exports, and constants only with a comment or if exported.
    Raises Missing for what is not explained.
    """
    found: dict[str, dict[str, list[Public]]] = {}
    for room, modules in rooms().items():
        package = import_module(FACADES.get(room, modules[0]))
        exported = {name: getattr(package, name) for name in getattr(package, "__all__", ())}
        found[room] = {}
        for name in modules:
            every = publics(import_module(name))
            if room in FACADES:
                every = [each for each in every if exported.get(each.name) is each.found]
            found[room][name] = [each for each in every if each.worth_showing or each.name in {*exported, *tot.__all__}]
    complain(found)
    return found


def complain(pages: dict[str, dict[str, list[Public]]]) -> None:
    """Raises Missing if a public name, one of its methods, or a module is not explained."""
    every = [(module, names) for modules in pages.values() for module, names in modules.items()]
    promised = {
        name
        for _, names in every
        for each in names
        if is_protocol(each.found)
        for name, member in vars(each.found).items()
        if inspect.getdoc(member)
    }
    bad = [name for _, names in every for each in names for name in unexplained(each, promised)]
    bad += [module for module, names in every if names and not import_module(module).__doc__]
    if bad:
        raise Missing(f"write a docstring (for data: a comment above or beside it) for {', '.join(bad)}")


def unexplained(public: Public, promised: set[str]) -> Iterator[str]:
    """The public name itself, and its methods, if nothing says what they are.

    A method needs no docstring of its own where a base class has one for it, or a protocol of the package.
    """
    if not public.doc:
        yield public.dotted
    for name, member in vars(public.found).items() if isinstance(public.found, type) else ():
        inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        told = name in promised or inspect.getdoc(getattr(public.found, name))
        if not name.startswith("_") and inspect.isfunction(inner) and not told:
            yield f"{public.dotted}.{name}"


def is_protocol(thing: Any) -> bool:
    return isinstance(thing, type) and Protocol in thing.__bases__


@cache
def where() -> dict[int, Public]:
    """id of an object -> the name that a page explains."""
    every = [each for modules in shown().values() for names in modules.values() for each in names]
    return {id(each.found): each for each in every if each.identified}


@cache
def defined_as(name: str) -> str:
    """A name that readers write, such as "tot.Trace.load()", as its module defines it: "tot.trace.Trace.load"."""
    words = name.removesuffix("()").split(".")
    for split in range(len(words), 1, -1):
        if words[0] in PACKAGES and (known := where().get(id(find(".".join(words[:split]))))) is not None:
            return ".".join([known.dotted, *words[split:]])
    return ".".join(words)
