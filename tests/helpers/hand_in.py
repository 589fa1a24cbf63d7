"""Submissions for the tests of ``course/``: what a student's notebook would look like, right or wrong."""

import nbformat

from course.masters import Assignment, Mistake


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
