"""``make assignments``: for each assignment a zip for students and a zip for graders, in ``_build/course``.

    python -m course.build [03 ...] [--out _build/course]

nbgrader takes the solutions and the hidden tests out of the students' notebook. It keeps what it needs for grading in
``gradebook.db``, and the masters in ``source/``: neither is for students.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import nbformat

from .command import say, status_of
from .masters import ROOT, Assignment, assignment, assignments

OUT = ROOT / "_build" / "course"
README = """{title}

You need Python 3.11 or newer with the package of the book and Jupyter; the book's page "Install" says how.
Unpack this folder, open {name}.ipynb in JupyterLab, and work from top to bottom. No key and no network are needed.

Write your code where the notebook says YOUR CODE HERE, and your words where it says YOUR ANSWER HERE. You may add
cells. Leave the tests as they are: for grading they are restored, and hidden ones are added. Before you hand in,
choose Kernel > Restart Kernel and Run All Cells, and see that the tests pass in this order, too.

Hand in {name}.ipynb alone. A cell may run for {seconds} seconds.
"""


def build(some: Iterable[Assignment], out: Path) -> None:
    """Write ``students/NAME.zip`` and ``graders/NAME.zip`` below ``out``, and the course that they come from.

    Raises RuntimeError with nbgrader's log if it refuses a master or a path, KeyboardInterrupt after Ctrl-C.
    """
    from nbgrader.apps import NbGraderAPI  # two seconds of imports
    from traitlets.config import Config

    # nbgrader runs alembic by its name
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if strange := [sign for sign in "?[" if sign in str(out)]:  # its database would be elsewhere
        raise RuntimeError(f"nbgrader takes no {strange[0]!r} in a path, and {out} has one: choose another with --out")
    out.mkdir(parents=True, exist_ok=True)
    config = Config()
    config.CourseDirectory.root = str(out)
    config.CourseDirectory.db_url = f"sqlite:///{out / 'gradebook.db'}"
    api = NbGraderAPI(config=config)
    for one in some:
        source = out / "source" / one.name
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir(parents=True)
        nbformat.write(one.notebook(), source / f"{one.name}.ipynb")
        for path in one.data:
            shutil.copy(path, source)
        made = api.generate_assignment(one.name, create=True, force=True)
        if not made["success"]:
            said = f"{made.get('log') or made.get('error')}"
            if "Canceled" in said:  # Ctrl-C, as nbgrader tells it
                raise KeyboardInterrupt
            raise RuntimeError(f"nbgrader refuses {one.name}:\n{said}")
        settings = one.settings | {"name": one.name}
        texts = {"README.txt": README.format(**settings)}
        _zip(out / "students" / f"{one.name}.zip", {one.name: [out / "release" / one.name]}, {one.name: texts})
        beside = [p for p in sorted(one.folder.iterdir()) if p.is_file() and p not in one.data]
        beside.remove(one.folder / "assignment.py")  # the notebook in ``source`` is the same
        # apart from the notebook: nbgrader hands out whatever lies beside it in its own ``source``
        _zip(out / "graders" / f"{one.name}.zip", {one.name: [source], f"for graders/{one.name}": beside}, {})


def _zip(path: Path, parts: Mapping[str, Sequence[Path]], texts: Mapping[str, Mapping[str, str]]) -> None:
    """By folder: the files, or the folders whose files; and texts, by their names."""
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".partial")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as packed:
        for folder, some in parts.items():
            for file in [file for part in some for file in (sorted(part.rglob("*")) if part.is_dir() else [part])]:
                packed.write(file, f"{folder}/{file.name}")
            for name, text in texts.get(folder, {}).items():
                packed.writestr(f"{folder}/{name}", text)
    beside.replace(path)  # a whole one or none


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m course.build", description="Zips for students and for graders.")
    parser.add_argument("which", nargs="*", help="numbers of assignments, such as 03 (default: all)")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(arguments)
    try:
        some = [assignment(number) for number in args.which] or assignments()
    except ValueError as error:
        parser.error(str(error))

    def work() -> None:
        for one in some:
            say(f"{one.name} ...")
            build([one], args.out.resolve())

    if status := status_of(work, args.out, "zips"):
        return status
    say(f"For students: {args.out / 'students'}. For graders, with solutions: {args.out / 'graders'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
