"""An assignment's master notebook: where it is, what its cells are for, and the same for nbgrader.

A master is ``course/assignments/NN_name/assignment.py`` (jupytext, percent format). The head of a cell says
what it is for:

    # %% given="players"                    code that students get, and that grading restores
    # %% solution="keep"                    code to write, between ### BEGIN SOLUTION and ### END SOLUTION
    # %% test="2" points=10                 a test of task 2 that students see
    # %% hidden="2 ties" points=5           one that they do not see; its first comment says what it is about
    # %% [markdown] written="6" points=15   an answer in words, which a person grades

Beside it stand ``assignment.toml`` (title, chapters, time limit, data, typical mistakes) and ``rubric.md``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jupytext
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from .scope import mark

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "course" / "assignments"
BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
OURS = ("given", "test", "hidden")
ROLES = (*OURS, "solution", "written")


@dataclass(frozen=True)
class Mistake:
    """A typical wrong submission: the reference with ``old`` replaced by ``new``, and the points that it loses."""

    name: str
    why: str
    old: str
    new: str
    loses: dict[str, float]  # task -> points


@dataclass(frozen=True)
class Assignment:
    """One folder of ``course/assignments``."""

    folder: Path

    @property
    def name(self) -> str:
        """Such as ``03_bfs``: the name of the notebook, too."""
        return self.folder.name

    @cached_property
    def settings(self) -> dict[str, Any]:
        """``assignment.toml``: title, chapters, weeks, seconds (of a cell), data (paths from the root), wrong."""
        return tomllib.loads((self.folder / "assignment.toml").read_text(encoding="utf-8"))

    @property
    def data(self) -> list[Path]:
        """The files that go with the notebook."""
        return [ROOT / name for name in self.settings.get("data", [])]

    @property
    def mistakes(self) -> list[Mistake]:
        """The typical wrong submissions, and others that are right: they lose nothing."""
        return [Mistake(**one) for one in [*self.settings["wrong"], *self.settings.get("right", ())]]

    @cached_property
    def cells(self) -> list[NotebookNode]:
        """The master's cells, each with ``metadata["role"]`` (or none), ``metadata["id"]`` and points."""
        notebook = jupytext.read(self.folder / "assignment.py", fmt="py:percent")
        for cell in notebook.cells:
            [role] = [role for role in ROLES if role in cell.metadata] or [""]
            cell.metadata["role"] = role
            cell.metadata["task"] = str(cell.metadata.get(role, "")).split(" ")[0]
        return list(notebook.cells)

    @property
    def most(self) -> dict[str, float]:
        """The points of each test, by the name of its cell."""
        marks = [new.metadata.get("nbgrader", {}) for new in self.notebook().cells]
        return {each["grade_id"]: each["points"] for each in marks if "points" in each and each["locked"]}

    def points(self, *roles: str) -> dict[str, float]:
        """Task -> its points, of cells with these roles (all that are graded, if none are named)."""
        found: dict[str, float] = {}
        for cell in self.cells:
            if cell.metadata["role"] in (roles or ("test", "hidden", "written")):
                task = cell.metadata["task"]
                found[task] = found.get(task, 0) + cell.metadata["points"]
        return found

    @property
    def roles(self) -> dict[str, str]:
        """For a ``Scope``: the mark of each given cell and each test -> its role."""
        both = zip(self.cells, self.notebook().cells, strict=True)
        return {mark(new.source): role for cell, new in both if (role := cell.metadata["role"]) in OURS}

    def notebook(self) -> NotebookNode:
        """The master for nbgrader's ``source`` folder."""
        made = new_notebook()
        made.cells = [_for_nbgrader(cell, place) for place, cell in enumerate(self.cells)]
        made.metadata = NotebookNode(
            kernelspec={"name": "python3", "display_name": "Python 3", "language": "python"},
            language_info={"name": "python"},
        )
        return made


def _for_nbgrader(cell: NotebookNode, place: int) -> NotebookNode:
    new, role = NotebookNode(cell), cell.metadata["role"]
    new.metadata, new.id = NotebookNode(), f"cell-{place}"
    if not role:
        return new
    graded = role in ("test", "hidden", "written")
    marks = {"schema_version": 3, "grade": graded, "solution": role in ("solution", "written"), "task": False}
    marks["locked"] = role in ("given", "test", "hidden")
    marks["cell_type"] = cell.cell_type
    marks["grade_id"] = re.sub(r"\W+", "-", f"{role} {cell.metadata[role]}")
    if graded:
        marks["points"] = float(cell.metadata["points"])
    new.metadata["nbgrader"] = marks
    if role == "hidden":
        lines = cell.source.splitlines()
        shown = next(i for i, line in enumerate([*lines, ""]) if not line.startswith("#"))
        new.source = "\n".join([*lines[:shown], BEGIN, *lines[shown:], END])
    return new


def assignments() -> list[Assignment]:
    """All of them, by number."""
    return [Assignment(path.parent) for path in sorted(FOLDER.glob("[0-9][0-9]_*/assignment.toml"))]


def assignment(number: str) -> Assignment:
    """The one whose folder begins with ``number``: 3, 03 or 03_bfs. Raises ValueError if there is none."""
    for one in assignments():
        if number in (one.name, one.name[:2]) or number.zfill(2) == one.name[:2]:
            return one
    raise ValueError(f"there is no assignment {number!r}: choose one of {', '.join(a.name for a in assignments())}")
