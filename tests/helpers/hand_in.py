"""Submissions for the tests of ``course/``: what a student's notebook would look like, right or wrong."""

import re

import nbformat

from course.grade import _names as names_of
from course.masters import ROLES, Assignment, Mistake


def solutions(one: Assignment, mistake: Mistake | None = None) -> dict[str, str]:
    """nbgrader's name of each cell to be written -> its source, in which a mistake may have been made."""
    found = {}
    for cell in one.notebook().cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            source = cell.source.replace(mistake.old, mistake.new) if mistake else cell.source
            found[marks["grade_id"]] = source if cell.cell_type == "code" else "My answer."
    return found


def write(path, released, sources) -> None:
    """The students' notebook at ``released``, with these cells filled in, as ``path``."""
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = sources.get(name, cell.source)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


HELPERS = """
import functools
from inspect import isfunction

{helpers}
_mine = {{name: globals()[name] for name in {names}}}


def _leans_on_them(it):
    if isinstance(it, type):
        for name, inside in list(vars(it).items()):
            if isfunction(inside):
                setattr(it, name, _leans_on_them(inside))
        return it

    @functools.wraps(it)
    def first_looks(*args, **kwargs):
        assert [name for name in _mine if globals()[name] is not _mine[name]] == []
        return it(*args, **kwargs)

    return first_looks


"""


def with_helpers(one: Assignment, sources: dict[str, str]) -> dict[str, str]:
    """These sources, by a student who has a helper for every name that a test binds, on which all else leans."""
    bound: dict[str, set[str]] = {role: set() for role in ROLES}
    for cell in one.cells:
        if cell.cell_type == "code" and (role := cell.metadata["role"]):
            bound[role] |= {name for name in names_of(cell.source)[1] if name.isidentifier()}
    names = sorted((bound["hidden"] | bound["test"]) - bound["given"] - bound["solution"] - {"_"})
    assert names, "some"
    helpers = "\n".join(f"def {name}(*_): return None" for name in names)
    made = {
        name: re.sub("^(?=def |class )", "@_leans_on_them\n", source, flags=re.M) for name, source in sources.items()
    }
    first = next(name for name in made if name.startswith("solution"))
    return made | {first: HELPERS.format(helpers=helpers, names=names) + made[first]}
