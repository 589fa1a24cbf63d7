"""How long a chapter replays beside an empty notebook: each in a fresh kernel, its start included."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import nbformat
from nbclient import NotebookClient

from .beside import spent
from .report import Row, at_most, seconds
from .server import Served

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def measure(server: Served) -> Iterator[Row]:
    used, wall, empty = {}, {}, []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):  # in turn, so that a slow spell meets both
        empty.append(replay(nbformat.v4.new_notebook(), NOTEBOOKS)[0])
        used[path.stem], wall[path.stem] = replay(nbformat.read(path, as_version=4), NOTEBOOKS)
    bare, slowest = median(empty), max(used, key=lambda name: used[name])
    figure, note = f"{seconds(wall[slowest])} on the wall", f"processor time; {slowest}, of {len(used)}"
    yield at_most("the slowest chapter / an empty notebook", used[slowest] / bare, 45, figure=figure, note=note)
    figure, mean = f"{seconds(sum(wall.values()))} one after the other", sum(used.values()) / len(used)
    yield at_most("a chapter on average / an empty notebook", mean / bare, 15, figure=figure)


def replay(notebook: nbformat.NotebookNode, folder: Path) -> tuple[float, float]:
    """Seconds of processor time, the kernel's included, and on the wall.

    Raises nbclient.exceptions.CellExecutionError if the notebook does not run.
    """
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    # kernels warn on stderr of what nobody here can change
    return spent(partial(client.execute, stderr=subprocess.DEVNULL))
