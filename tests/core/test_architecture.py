"""The arrows between modules, read from the source; and what `import tot` loads."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tot").rglob("*.py"))
CORE = {"state", "ask", "parse", "generate", "evaluate", "search", "trace", "run", "task", "methods", "jsonlines"}


def module(path):
    """tot/search/bfs.py -> tot.search.bfs; a package is named without __init__."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def imports(path, source=None, *, checking=True):
    """Absolute names of everything imported anywhere in a file, also inside functions, with the line.

    ``from . import x`` counts as the package and as x. ``checking=False`` leaves out ``if TYPE_CHECKING:``.
    """
    package = module(path) if path.name == "__init__.py" else module(path).rpartition(".")[0]
    tree = ast.parse(source if source is not None else path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only and not checking:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, base] if base else up)
            yield base, node.lineno
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)


def within(name, *packages):
    return any(name == p or name.startswith(p + ".") for p in packages)


def test_the_reader_of_imports_finds_them_all():
    source = "import os.path, tot.show\nfrom . import a\nfrom ..lm import b\ndef f():\n    from .c import d\n"
    found = {name for name, _ in imports(ROOT / "tot" / "search" / "x.py", source)}
    assert found == {
        "os.path",
        "tot.show",
        "tot.search",
        "tot.search.a",
        "tot.lm",
        "tot.lm.b",
        "tot.search.c",
        "tot.search.c.d",
    }
    found = {name for name, _ in imports(ROOT / "tot" / "search" / "__init__.py", "from .bfs import bfs")}
    assert found == {"tot.search.bfs", "tot.search.bfs.bfs"}
    guarded = "if TYPE_CHECKING:\n    import openai\nelse:\n    import re"
    assert {name for name, _ in imports(ROOT / "tot" / "x.py", guarded)} == {"openai", "re"}


@pytest.mark.parametrize("path", FILES, ids=module)
def test_arrows(path):
    name = module(path)
    for imported, line in imports(path):
        where = f"{name}, line {line}, imports {imported}"
        ours = within(imported, "tot")
        if name.startswith("tot.search."):
            assert not ours or within(imported, "tot.state", "tot.ask", "tot.search"), where
        if within(name, "tot.lm"):
            allowed = ("tot.lm", "tot.ask", "tot.jsonlines")
            if name == "tot.lm.pocket.template":  # it was trained on one task's prompts
                allowed += ("tot.state", "tot.tasks")
            assert not ours or within(imported, *allowed), where
        if within(name, "tot.graph"):  # textbook algorithms, of use without the rest
            assert not ours or within(imported, "tot.graph"), where
        if within(name, "tot.tools"):
            assert not ours or within(imported, "tot.tools", "tot.state", "tot.ask", "tot.parse"), where
        if name == "tot.datasets":
            assert not ours or within(imported, "tot.task", "tot.parse"), where
        if name in ("tot.state", "tot.ask", "tot.jsonlines", "tot.stats"):
            assert not ours or within(imported, "tot.state", "tot.ties"), where
        if name == "tot.parse":
            assert not ours or within(imported, "tot.ask"), where
        if name in ("tot.generate", "tot.evaluate"):
            assert not ours or within(imported, "tot.state", "tot.ask", "tot.parse"), where
        if within(name, "tot.tasks") and name != "tot.tasks":
            allowed = ("tot.state", "tot.ask", "tot.parse", "tot.task", "tot.tasks", "tot.datasets")
            allowed += ("tot.tools", "tot.stats")
            assert not ours or within(imported, *allowed), where
        if within(imported, "tot.show") and not within(name, "tot.show", "tot.cli", "tot.lab"):
            assert name == "tot.solve", where  # inside _repr_html_: see the next test
        if within(imported, "tot.lab"):
            assert within(name, "tot.lab"), where
        if within(imported, "tot.cli"):
            assert name == "tot.__main__", where
        if within(imported, "tot.testing"):
            assert within(name, "tot.testing"), where


def test_a_view_is_imported_only_when_it_is_shown():
    """In tot.solve the import stands inside ``_repr_html_``."""
    tree = ast.parse((ROOT / "tot" / "solve.py").read_text(encoding="utf-8"))
    holders = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.ImportFrom) and inner.module == "show"
    ]
    everywhere = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module == "show"]
    assert holders == ["_repr_html_"] and len(everywhere) == 1


@pytest.mark.parametrize(
    "path", [p for p in FILES if module(p).partition(".")[2].partition(".")[0] in CORE], ids=module
)
def test_the_core_imports_the_standard_library_only(path):
    for imported, line in imports(path, checking=False):
        top = imported.partition(".")[0]
        assert top in sys.stdlib_module_names or top in ("tot", "__future__"), f"line {line}: {imported}"


def test_import_tot_loads_the_standard_library_only():
    code = "import sys; before = set(sys.modules); import tot; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = done.stdout.split()
    assert "tot" in loaded and "tot.lm.cassette" in loaded
    foreign = [m for m in loaded if m.partition(".")[0] not in sys.stdlib_module_names and not within(m, "tot")]
    assert foreign == []
    late = ("tot.show", "tot.cli", "tot.testing", "tot.lm.openai", "tot.lm.pocket", "tot.experiment")
    assert not [m for m in loaded if within(m, *late)]


def test_no_state_is_kept_in_modules_of_the_core():
    """No module-level list, set or dict that a run could change: constants are written in capitals."""
    for path in FILES:
        if module(path).partition(".")[2].partition(".")[0] in CORE:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
                    node.value, ast.List | ast.Set | ast.Dict | ast.DictComp | ast.ListComp | ast.SetComp
                ):
                    [target] = node.targets if isinstance(node, ast.Assign) else [node.target]
                    assert target.id.isupper() or target.id == "__all__", f"{module(path)}, line {node.lineno}"
