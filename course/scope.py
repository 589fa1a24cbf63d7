"""Whose name is whose while a notebook is graded: what a student calls a helper changes no test, and the reverse."""

from __future__ import annotations

import ast
import builtins
from hashlib import sha256
from typing import Any

Names = dict[str, Any]
ROLES = "COURSE_ROLES"  # in the environment of a kernel: its roles as JSON
SECONDS = "TOT_CELL_SECONDS"  # of the processor, for each cell


def mark(source: str) -> str:
    """By what a cell is known: its code alone, as the kernel gets it."""
    return sha256(source.encode("utf-8", "replace")).hexdigest()


def imported(source: str) -> set[str]:
    """The names that a cell imports."""
    nodes = ast.walk(ast.parse(source))
    every = [name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for name in node.names]
    return {name.asname or name.name.partition(".")[0] for name in every}


class Scope:
    """The names that each cell of a notebook sees, in the order in which the cells run.

    A test runs in a copy of the student's names: it can replace nothing that the student's functions need. What the
    assignment's own cells have named, given ones and tests, is there as these left it, and ``sum`` is Python's own. The
    student's later cells see what visible tests have named, unless it is a name of theirs.
    """

    def __init__(self, student: Names, roles: dict[str, str]) -> None:
        """``student`` are the names of the notebook; ``roles``: the mark of a cell of the assignment -> what it is."""
        self.student, self.roles = student, roles
        self.ours: Names = {}
        self.tests: Names = {}  # one for all: what one test defines finds what the student has redefined since
        self._role, self._before, self._there, self._imported = "", student, student, set[str]()

    def enter(self, source: str) -> Names:
        """The names among which the next cell, with this code, is to run. The one before it is over."""
        if self._role:
            # what a student has imported, too, is the same object and yet ours
            new = {n for n, v in self._there.items() if self._before.get(n, self) is not v} | self._imported
            bound = {n: v for n, v in self._there.items() if n[0] != "_" and n in new}
            if self._role == "given":  # its classes may be extended, under their names
                bound = {n: v for n, v in bound.items() if not isinstance(v, type) or v.__module__ != "__main__"}
            if self._role == "test":
                free = {n for n in bound if n not in self.student or self.student[n] is self.ours.get(n, self)}
                self.student.update({n: bound[n] for n in free})
            self.ours |= bound
        self._role = self.roles.get(mark(source), "")
        self._imported = imported(source) if self._role else set()
        self._there = self.student
        if self._role in ("test", "hidden"):
            self.tests |= {n: v for n, v in self.student.items() if n[0] == "_" or n not in vars(builtins)} | self.ours
            self._there = self.tests
        self._before = dict(self._there) if self._role else self.student
        return self._there
