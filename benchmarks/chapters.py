"""How long a chapter replays beside an empty notebook: each in a fresh kernel, its start included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import nbformat
from nbclient import NotebookClient

from .beside import spent
from .report import Row, at_most, seconds
from .server import Served

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def measure(server: Served) -> Iterator[Row]:
    replayed, empty = {}, []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):  # in turn, so that a slow spell meets both
        empty.append(replay(nbformat.v4.new_notebook(), NOTEBOOKS))
        replayed[path.stem] = replay(nbformat.read(path, as_version=4), NOTEBOOKS)
    slowest = max(replayed, key=lambda name: replayed[name])
    bare, figure = median(empty), f"{seconds(replayed[slowest])}; an empty one {seconds(median(empty))}"
    note = f"{slowest}, of {len(replayed)}"
    yield at_most("the slowest chapter / an empty notebook", replayed[slowest] / bare, 25, figure=figure, note=note)
    together = sum(replayed.values())
    what = "all chapters, one after the other / as many empty notebooks"
    yield at_most(what, together / bare / len(replayed), 8, figure=seconds(together))


def replay(notebook: nbformat.NotebookNode, folder: Path) -> float:
    """Seconds on the wall. Raises nbclient.exceptions.CellExecutionError if the notebook does not run."""
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    return spent(client.execute, time.perf_counter)[0]
