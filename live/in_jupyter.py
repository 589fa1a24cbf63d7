"""The book in JupyterLite's kernel: what IPython there does before the first cell."""

from __future__ import annotations

import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any

import tot
from live import later
from live.runner import Finder, do_without, lacks
from live.unmade import unmade
from treebook import nbsetup

FOLDER = Path(tot.__file__).parents[1] / "notebooks"  # here are the recordings, as paths in chapters say


def begin(shell: Any) -> None:
    """Packages with compiled parts can be imported, threads are done at once, figures are left to the book.

    ``shell``: IPython's.
    """
    sys.meta_path.append(Finder())
    do_without()
    from pyodide_js import _api

    later.lend(FOLDER.parent, f"{_api.config.indexURL}../later/")
    nbsetup.as_images(shell)
    nbsetup.setup = lambda fmt="svg": None  # it sets up matplotlib
    sys.modules["fcntl"].__dict__.update(flock=lambda file, how: None, LOCK_EX=0, LOCK_NB=0)  # else an empty module
    shell.set_custom_exc((ImportError, NameError), Explanations())

    def enter(*_: object) -> None:  # the kernel goes to a folder of its own when all this is done
        os.chdir(FOLDER)
        shell.events.unregister("pre_run_cell", enter)

    shell.events.register("pre_run_cell", enter)


class Explanations:
    """One sentence in the place of a traceback for a cell that needs what is not in the browser, and for those that
    need what such a cell makes. The cells below go on. Other errors stay what they are.

    What such a cell would have made or changed is forgotten, lest a cell below print a table of what is half there.
    """

    def __init__(self) -> None:
        self.cells: list[str] = []  # the code of those that could not run

    def __call__(self, shell: Any, kind: type, error: Any, trace: Any, tb_offset: int | None = None) -> None:
        name = error.name or ""
        if lacks(error):
            reason = str(error)
        elif kind is NameError and any(re.search(rf"\b{re.escape(name)}\b", code) for code in self.cells):
            reason = f"{name} is missing, which is made above from what is not in the browser"
        else:
            return shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        code = shell.user_ns["In"][-1]
        self.cells.append(code)
        lines = [number for frame, number in traceback.walk_tb(trace) if frame.f_globals is shell.user_ns]
        for each in unmade(code, lines[0] if lines else 1):
            shell.user_ns.pop(each, None)
        print(f"{reason}: the book's page has what this cell shows.", file=sys.stderr)
