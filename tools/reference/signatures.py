"""Signatures as the source has them."""

import ast
import inspect
import textwrap
from dataclasses import MISSING, Field, fields, is_dataclass
from types import ModuleType
from typing import Any

from .names import defined_as, is_protocol, where


def signature(thing: Any) -> tuple[str, str] | None:
    """(parameters, result) as the source has them: with the names of types, not with what these stand for.

    None where there is nothing to improve: properties, protocols, and classes without an ``__init__``.
    """
    types = _Types(inspect.getmodule(thing))
    if is_dataclass(thing) and isinstance(thing, type):
        given, written = [field for field in fields(thing) if field.init], _written(thing)
        named = [_field(field, written[field.name], types) for field in given if field.kw_only]
        rest = [_field(field, written[field.name], types) for field in given if not field.kw_only]
        return f"({', '.join([*rest, *(['*'] if named else []), *named])})", ""
    function = inspect.unwrap(thing.__init__ if isinstance(thing, type) else getattr(thing, "__func__", thing))
    if not inspect.isfunction(function) or is_protocol(thing):
        return None
    [node] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if node.args.args and node.args.args[0].arg in ("self", "cls"):
        del node.args.args[0]
    result = types.told(node.returns) if node.returns and not isinstance(thing, type) else ""
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg) and each.annotation:
            each.annotation = ast.Name(types.told(each.annotation))
    return f"({ast.unparse(node.args)})", result


def _written(thing: type) -> dict[str, ast.expr]:
    """The types of a class's attributes as its source has them, and those of its bases."""
    found: dict[str, ast.expr] = {}
    for kind in reversed([kind for kind in thing.__mro__ if is_dataclass(kind)]):
        [node] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        assert isinstance(node, ast.ClassDef)
        found |= {ast.unparse(each.target): each.annotation for each in node.body if isinstance(each, ast.AnnAssign)}
    return found


def _field(field: Field[Any], written: ast.expr, types: "_Types") -> str:
    told = types.told(written)
    if field.default is MISSING and field.default_factory is MISSING:
        return f"{field.name}: {told}"
    plain = isinstance(field.default, int | float | str | tuple | None)
    default = repr(field.default) if plain else getattr(field.default, "__name__", "...")  # no address of an object
    return f"{field.name}: {told} = {default}"


class _Types(ast.NodeTransformer):
    """Types as the source of a module names them; those of the package become links (for Sphinx: ~tot.ask.Ask)."""

    def __init__(self, module: ModuleType | None) -> None:
        self.module = module

    def told(self, annotation: ast.expr) -> str:
        return ast.unparse(self.visit(annotation))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        known = where().get(id(getattr(self.module, node.id, None)))
        return ast.Name(f"~{known.dotted}" if known else node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        written = ast.unparse(node)
        return ast.Name(f"~{known}") if (known := defined_as(written)) != written else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node if ast.unparse(node.value) == "Literal" else self.generic_visit(node)  # its texts are no types

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node
