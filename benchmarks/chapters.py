"""How long a chapter replays: every notebook in a fresh kernel, its start included, one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from .report import Row, under
from .server import Served

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def measure(server: Served) -> Iterator[Row]:
    spent = {path.stem: seconds(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    slowest = max(spent, key=lambda name: spent[name])
    yield under("the slowest chapter replays", spent[slowest], 30, "s", f"{slowest}, of {len(spent)}")
    yield Row("all chapters replay, one after the other", sum(spent.values()), unit="s")


def seconds(path: Path) -> float:
    """Raises nbclient.exceptions.CellExecutionError if the notebook does not run."""
    notebook = nbformat.read(path, as_version=4)
    began = time.perf_counter()
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    return time.perf_counter() - began
