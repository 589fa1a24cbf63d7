"""Which names a cell that stopped half-way left unmade or half-made. A table must not be drawn from them."""

import ast

GROWS = {"append", "extend", "insert", "add", "update", "setdefault"}


def unmade(code: str, line: int) -> set[str]:
    """The names that the statements of ``code`` from ``line`` (from 1) on make or change; those above it are done.

    Read from the text alone, so a name that is changed in another function is not found.
    """
    names: set[str] = set()
    for statement in ast.parse(code).body:
        if (statement.end_lineno or 0) < line:
            continue
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(statement.name)  # its own variables are nobody else's
            continue
        for node in ast.walk(statement):
            target = None
            if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                target = node
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in GROWS:
                target = node.func.value
            while isinstance(target, (ast.Subscript, ast.Attribute)):
                target = target.value
            if isinstance(target, ast.Name):
                names.add(target.id)
    return names
