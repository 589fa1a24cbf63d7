"""Write the book's reference, book/reference/*.rst, from the package itself.

    python tools/reference.py

``book/conf.py`` does it before every build, so the pages are neither committed nor ever out of date. What they say
comes from docstrings and comments, from the parser of the command line, from the declarations of the knobs, and from
the JSON schemas in book/schemas/; which chapter builds a name, from what tools/chapters_of.py reads.

``Missing`` is raised, and the build fails, if a public name has no docstring or a knob has no sentence.
"""

import argparse
import ast
import inspect
import io
import re
import sys
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, walk_packages
from types import ModuleType
from typing import Any, NamedTuple, Protocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import tot  # noqa: E402
from tools.chapters_of import Place, Row, find, places, rows_of, rows_of_method  # noqa: E402
from tot import cli  # noqa: E402

FOLDER = ROOT / "book" / "reference"
SCHEMAS = ROOT / "book" / "schemas"
FACADES = ("show", "lab", "testing")  # readers import what the package exports; its modules are its inside
ELSEWHERE = {"stats": "experiments"}  # modules of the top level that are shown with a package
COMMAND_LINE = ("cli", "__main__")  # what they hold is a page of its own


class Missing(Exception):
    """Something public is not explained. The message names all of it."""


# -------------------------------------------------------------------- reStructuredText


def title(text: str, mark: str = "=") -> str:
    return f"{text}\n{mark * len(text)}\n"


def indented(text: str, by: int = 3) -> str:
    return "\n".join(f"{' ' * by}{line}".rstrip() for line in text.splitlines())


def table(head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]) -> str:
    """A list table whose cells may hold markup; empty cells are allowed. It scrolls in its own box on a phone."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: tot-reference", f"   :widths: {' '.join(map(str, widths))}", ""]
    for row in (head, *rows):
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}".rstrip() for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    return f"``{text}``" if text else ""


def plain(text: str) -> str:
    """Text of a help string or comment, in which `x` and ``x`` are code and no other character is markup."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", " ".join(text.split()))
    return "".join(code(part.strip("`")) if part.startswith("`") else re.sub(r"([\\*_|])", r"\\\1", part) for part in parts)


def from_markdown(text: str) -> str:
    """A cell of book/paper_to_code.md: math and code stay what they are, of a link only its words remain."""
    text = re.sub(r" ?\(\[[^\]]+\]\([^)]+\)\)", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    parts = re.split(r"(\$[^$]+\$|`[^`]+`)", text)
    return "".join(
        f":math:`{part[1:-1]}`\\ " if part.startswith("$") else code(part.strip("`")) if part.startswith("`") else part
        for part in parts
    ).strip()


def sentence(text: str) -> str:
    return plain(text[:1].upper() + text[1:])


def links(chapters: Iterable[Place]) -> str:
    """ "chapters 3; 6, part two", each a link."""
    listed = [f":doc:`{place.label} </notebooks/{place.notebook}>`" for place in chapters]
    return f"chapter{'s' if len(listed) > 1 else ''} {'; '.join(listed)}"


def anchor(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


# -------------------------------------------------------------------- the package, module by module


class Public(NamedTuple):
    """A name that a module defines: ``kind`` is "function", "class", "exception" or "data"; ``value``: source of data."""

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
    def identified(self) -> bool:
        """Is the object itself enough to know the name? Not for a number or a text, which other names may share."""
        return self.kind != "data" or not isinstance(self.found, int | float | str | bytes | tuple | type | None)


@cache
def rooms() -> dict[str, list[str]]:
    """Page -> its modules, in the order of the pages: the core, then the packages in the order of the alphabet."""
    found: dict[str, list[str]] = {"core": ["tot"]}
    for info in iter_modules(tot.__path__):
        if not info.ispkg and info.name not in COMMAND_LINE:
            found.setdefault(ELSEWHERE.get(info.name, "core"), []).append(f"tot.{info.name}")
    for info in iter_modules(tot.__path__):
        if info.ispkg:
            package = import_module(f"tot.{info.name}")
            inside = [m.name for m in walk_packages(package.__path__, f"{package.__name__}.")]
            found[info.name] = [package.__name__, *inside, *found.pop(info.name, [])]
    return found


@cache
def publics(module: ModuleType) -> list[Public]:
    """The names without an underscore that a module itself defines, in the order of its source."""
    source = inspect.getsource(module)
    above, beside = _comments(source)
    found, last_end, last_comment = [], 0, ""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            thing = getattr(module, node.name)
            kind = "function" if isinstance(node, ast.FunctionDef) else "class"
            if isinstance(thing, type) and issubclass(thing, BaseException):
                kind = "exception"
            found.append(Public(module.__name__, node.name, kind, thing, _docstring(thing)))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and not ast.unparse(node.value).startswith(("TypeVar(", "ParamSpec(")):
                comment = beside.get(node.lineno) or beside.get(node.end_lineno or 0) or above.get(node.lineno - 1, "")
                comment = comment or (last_comment if last_end == node.lineno - 1 else "")  # one comment for a block
                thing = getattr(module, target.id)
                found.append(Public(module.__name__, target.id, "data", thing, comment, ast.unparse(node.value)))
                last_end, last_comment = node.end_lineno or 0, above.get(node.lineno - 1, "") or (last_comment if last_end == node.lineno - 1 else "")
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


def shown(room: str, modules: Sequence[str]) -> dict[str, list[Public]]:
    """Module -> the names of a room that its page shows. Raises Missing, naming all that is not explained."""
    package = import_module(modules[0])
    exported = {name: getattr(package, name) for name in getattr(package, "__all__", ())}
    found = {}
    for name in modules:
        every = publics(import_module(name))
        if room in FACADES:
            every = [each for each in every if exported.get(each.name) is each.found]
        found[name] = [each for each in every if each.kind != "data" or each.doc or each.name in exported]
    if bad := [name for each in found.values() for public in each for name in unexplained(public)]:
        raise Missing(f"write a docstring (for data: a comment above or beside it) for {', '.join(bad)}")
    if bad := [name for name, inside in found.items() if inside and not import_module(name).__doc__]:
        raise Missing(f"write a docstring for the module {', '.join(bad)}")
    return found


def unexplained(public: Public) -> Iterator[str]:
    """The public name itself, and its methods, if nothing says what they are.

    A method of a base class or of a protocol of the package is explained there.
    """
    if not public.doc:
        yield public.dotted
    for name, member in vars(public.found).items() if isinstance(public.found, type) else ():
        inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(inner):
            if not inspect.getdoc(getattr(public.found, name)) and name not in _promised():
                yield f"{public.dotted}.{name}"


@cache
def _promised() -> frozenset[str]:
    """The methods that the protocols of the package explain."""
    protocols = [each.found for each in everything() if is_protocol(each.found)]
    return frozenset(name for each in protocols for name, member in vars(each).items() if inspect.getdoc(member))


def is_protocol(thing: Any) -> bool:
    return isinstance(thing, type) and Protocol in thing.__bases__


def api(room: str, modules: Sequence[str]) -> str:
    """The page of a room: its modules, and in each what is public, in the order of the source."""
    name = modules[0] if room != "core" else "The core"
    parts = [title(name)]
    for module, found in shown(room, modules).items():
        if found or module == modules[0]:
            heading = [title(module, "-")] if module != modules[0] or room == "core" else []
            parts += [*heading, f".. automodule:: {module}\n", *map(entry, found)]
    return "\n".join(parts)


def entry(public: Public) -> str:
    """One name: what autodoc makes of it, then where to import it from, its paper and its chapters."""
    facts = []
    package = ".".join(public.module.split(".")[:2])
    if public.name in tot.__all__ and getattr(tot, public.name) is public.found:
        facts.append(f"``from tot import {public.name}``")
    elif package != public.module and public.name in getattr(import_module(package), "__all__", ()):
        facts.append(f"``from {package} import {public.name}``")
    facts += papers(rows_of(public.found)) if public.identified else []
    how, chapters = places(public.found) if public.identified else ("", [])
    facts += [f"{how} {links(chapters)}"] if chapters else []
    if public.kind == "data":
        value = f"   :value: {public.value}" if len(public.value) <= 90 else ""
        head, body = f".. py:data:: {public.name}\n{value}".rstrip(), [plain(public.doc)]
    else:
        members = "   :members:" if isinstance(public.found, type) else ""
        head, body = f".. auto{public.kind}:: {public.dotted}\n{members}".rstrip(), []
    if facts:
        body += [".. rst-class:: tot-facts", " · ".join(facts)]
    return "\n\n".join([head, *map(indented, body)]) + "\n"


def signature(what: str, thing: Any) -> tuple[str, str] | None:
    """(parameters, result) as the source has them: with the names of types, not with what these stand for.

    None where autodoc does as well: properties, and classes that take no arguments.
    """
    types = _Types(inspect.getmodule(thing))
    if is_dataclass(thing) and isinstance(thing, type):
        return f"({', '.join(_field(field, types) for field in fields(thing) if field.init)})", ""
    function = inspect.unwrap(thing.__init__ if isinstance(thing, type) else getattr(thing, "__func__", thing))
    if not inspect.isfunction(function) or is_protocol(thing):
        return None
    [node] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    if what != "function":  # self, or the class
        del (node.args.posonlyargs or node.args.args)[0]
    result = types.told(node.returns) if node.returns and not isinstance(thing, type) else ""
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg) and each.annotation:
            each.annotation = ast.Name(types.told(each.annotation))
    return f"({ast.unparse(node.args)})", result


def _field(field: Field[Any], types: "_Types") -> str:
    default = "" if field.default is MISSING else f" = {field.default!r}"
    if field.default_factory is not MISSING:
        default = " = ..."
    return f"{field.name}: {types.told(ast.parse(str(field.type), mode='eval').body)}{default}"


class _Types(ast.NodeTransformer):
    """Types as the source of a module names them; those of the package in Sphinx's way to write a link, ~tot.ask.Ask."""

    def __init__(self, module: ModuleType | None) -> None:
        self.module = module

    def told(self, annotation: ast.expr) -> str:
        return ast.unparse(self.visit(annotation))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        where = _where().get(id(getattr(self.module, node.id, None)))
        return ast.Name(f"~{where}" if where else node.id)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node


def papers(found: Sequence[Row]) -> list[str]:
    """Where the papers have it, as one text; none for what the papers do not have."""
    said = [from_markdown(f"{row.section}: {row.what}") for row in found if row.section != "Beyond the paper"]
    return ["; ".join(dict.fromkeys(said))] if said else []


def contents(pages: Mapping[str, Sequence[str]]) -> str:
    """The first page: the rooms, and what ``import tot`` gives."""
    rooms_table = [
        (f":doc:`{'the core' if room == 'core' else modules[0]} <{room}>`", plain(first_sentence(import_module(modules[0]).__doc__ or "")))
        for room, modules in pages.items()
    ]
    everything = {id(each.found): each for modules in pages.values() for name in modules for each in publics(import_module(name))}
    front = []
    for name in sorted(tot.__all__, key=str.lower):
        each = everything[id(getattr(tot, name))]
        role = {"function": "func", "class": "class", "exception": "exc", "data": "data"}[each.kind]
        front.append((f":py:{role}:`{name} <{each.dotted}>`", plain(first_sentence(each.doc))))
    return "\n".join(
        [
            title("The package, module by module"),
            PACKAGE,
            table(("page", "what is there"), rooms_table, (25, 75)),
            title("What ``import tot`` gives", "-"),
            table(("name", "what it is"), front, (25, 75)),
        ]
    )


PACKAGE = """These pages are made from the docstrings of the package each time the book is built. Every name says where to
import it from, where the papers have it, and which chapter builds it (or, if none builds it, which ones use it).
"""


def first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", " ".join(text.split("\n\n")[0].split()))[0].rstrip(":")


@cache
def everything() -> tuple[Public, ...]:
    """All public names of the package."""
    return tuple(each for modules in rooms().values() for name in modules for each in publics(import_module(name)))


@cache
def _where() -> dict[int, str]:
    """id of an object that a page shows -> where it is defined."""
    pages = [shown(room, modules) for room, modules in rooms().items()]
    return {id(each.found): each.dotted for page in pages for found in page.values() for each in found if each.identified}


@cache
def defined_as(name: str) -> str:
    """A name that readers write, such as "tot.Trace.load()", as its module defines it: "tot.trace.Trace.load"."""
    words = name.removesuffix("()").split(".")
    for split in range(len(words), 1, -1):
        if words[0] == "tot" and (dotted := _where().get(id(find(".".join(words[:split]))))) is not None:
            return ".".join([dotted, *words[split:]])
    return ".".join(words)


# -------------------------------------------------------------------- the command line


def commands() -> dict[str, argparse.ArgumentParser]:
    """Name -> parser of each command, as ``tot`` has them when no method is named."""
    every = cli._parser([])._actions
    [made] = [action for action in every if isinstance(action, argparse._SubParsersAction)]
    return dict(made.choices)


def spelled(action: argparse.Action) -> str:
    """How an argument is written: "--trace FILE", "-o, --out FILE", "TASK"."""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest)
    value = str(value).upper() if not action.option_strings and not action.choices else str(value)
    if not action.option_strings:
        return value + (" ..." if action.nargs == "+" else "")
    takes = "" if action.nargs == 0 else f" {value if action.metavar or action.choices else value.upper()}"
    return ", ".join(action.option_strings) + takes


def explained(action: argparse.Action) -> str:
    """The help text with its default, if that is a value and the text does not say it."""
    text = (action.help or "") % vars(action)
    default = action.default
    known = default in (None, "", False, argparse.SUPPRESS) or "default" in text
    return plain(text if known else f"{text} (default: `{default}`)".strip())


def usage(name: str, parser: argparse.ArgumentParser) -> str:
    """One line: what must be given, and that there are options."""
    needed = [spelled(a) for a in parser._actions if not a.option_strings]
    flags = [spelled(a) for a in parser._actions if a.option_strings and a.required]
    return " ".join(["tot", name, *needed, *flags, *(["[OPTIONS]"] if len(parser._actions) > len(needed) + len(flags) + 1 else [])])


def command_line() -> str:
    parts = [title("The command line"), cli.__doc__ or "", ""]
    for name, parser in commands().items():
        parts += [f".. _command-{name}:\n", title(f"tot {name}", "-"), f"{sentence(parser.description or '')}.\n"]
        parts += [".. code-block:: text\n", f"   {usage(name, parser)}\n"]
        if name in ("solve", "run"):
            parts.append("The knobs of the method are options, too: see :doc:`knobs`.\n")
        rows = [(code(spelled(a)), explained(a)) for a in parser._actions if a.dest != "help"]
        if rows:
            parts.append(table(("argument", "meaning"), rows, (35, 65)))
    return "\n".join(parts)


# -------------------------------------------------------------------- the knobs of every method


def knobs() -> str:
    parts = [title("The methods and their knobs"), METHODS]
    if bad := [f"{m.name}: {knob.name}" for m in tot.METHODS.values() for knob in m.knobs() if not knob.doc.strip()]:
        raise Missing(f"write a sentence for the knob {', '.join(bad)}")
    for method in tot.METHODS.values():
        recipe = f"{method.build.__module__}.{method.build.__name__}"
        parts += [f".. _method-{method.name}:\n", title(method.name, "-"), f"{plain(method.summary)}.\n"]
        facts = [f":Recipe: :py:func:`{recipe}`"]
        facts += [f":Gold answer: {GOLD[method.gold]}"] if method.gold else []
        facts += [f":Tasks: {', '.join(code(name) for name in tot.TASKS if isinstance(tot.task(name), method.needs))}"]
        facts += [f":Roles: {', '.join(method.roles)}"]
        facts += [f":In the papers: {paper}" for paper in papers(rows_of_method(method.name))]
        chapters = list(dict.fromkeys(place for row in rows_of_method(method.name) for place in row.places))
        facts += [f":Built in: {links(chapters)}"] if chapters else []
        rows = [
            (code(knob.name), knob.kind, code(repr(knob.default)), bounds(knob), ", ".join(map(code, knob.choices)), plain(knob.doc))
            for knob in method.knobs()
        ]
        parts += ["\n".join(facts) + "\n", table(("knob", "type", "default", "bounds", "choices", "what it does"), rows, (14, 10, 12, 12, 14, 38))]
    return "\n".join(parts)


METHODS = """Every method of ``tot.METHODS``, and what can be set. A knob is a keyword of ``tot.solve`` (``breadth=5``) and an
option of ``tot solve`` and ``tot run`` (``--breadth 5``; an underscore becomes a hyphen; a yes-or-no knob has a form
with ``--no-`` as well).
"""
GOLD = {"chooses": "it chooses the answer: an upper bound", "stops": "it ends the search"}


def bounds(knob: Any) -> str:
    """The smallest and the largest value, as words."""
    if knob.least is None and knob.most is None:
        return ""
    if knob.most is None:
        return f"at least {knob.least}"
    return f"{knob.least} to {knob.most}" if knob.least is not None else f"at most {knob.most}"


# -------------------------------------------------------------------- all of it


def pages() -> dict[str, str]:
    """File name without its ending -> text. Raises Missing."""
    packages = rooms()
    found = {"package": contents(packages)} | {room: api(room, modules) for room, modules in packages.items()}
    return found | {"command_line": command_line(), "knobs": knobs()}


def write(folder: Path = FOLDER) -> None:
    """Bring the folder up to date; pages that stay the same are not touched, so Sphinx need not read them again."""
    made = pages()
    folder.mkdir(exist_ok=True)
    for name, text in made.items():
        file = folder / f"{name}.rst"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.glob("*.rst"):
        if file.stem not in made:
            file.unlink()


if __name__ == "__main__":
    write()
