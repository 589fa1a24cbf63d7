"""Against the PyPI package ``tree-of-thoughts-llm``, in its own environment, on the same puzzles and server.

The package is driven, not copied: ``drive_authors.py`` runs in an environment of its own (it installs an import named
``tot`` and needs an ``openai`` of 2023), which is made once in the user's cache folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import tot
from tot.lm.openai import OpenAI

from .bfs import CONCURRENCY, DELAY, search
from .report import Row, at_least, seconds
from .server import Served

PACKAGE = "tree-of-thoughts-llm==0.1.0"
IMPORT = "import tot.methods.bfs, tot.tasks.game24"
OLDER = ("openai<1", "backoff", "numpy", "pandas", "sympy")  # where its own pins are too old for this Python
DRIVER = Path(__file__).with_name("drive_authors.py")


def measure(server: Served) -> Iterator[Row]:
    puzzles = tot.task("game24").problems("hard")[5::20]
    what = f"{PACKAGE.replace('==', ' ')}: its wall time / ours, {len(puzzles)} puzzles"
    python, why = environment("authors", PACKAGE, IMPORT, OLDER)
    if not python:
        yield Row(what, None, "at least 5", note=f"not compared: {why}")
        return
    server.stats()
    theirs = drive(python, server, [puzzle.x for puzzle in puzzles])
    calls = server.stats()["calls"] / len(puzzles)
    lm = OpenAI("player", base_url=server.url(DELAY), max_concurrency=CONCURRENCY)
    passes = []
    for _ in range(3):
        began = time.perf_counter()
        ours = [search(puzzle, lm=lm, compose=False) for puzzle in puzzles]
        passes.append(time.perf_counter() - began)
    rounds = max(solution.result.ledger.rounds for solution in ours)
    solved = sum(solution.any for solution in ours)
    note = f"it: {calls:.0f} calls one after another for a puzzle, {theirs['solved']} solved;"
    note += f" ours: {rounds} rounds, {solved} solved; answers asked of the model by both"
    figure = f"{seconds(theirs['seconds'])}; ours {seconds(median(passes))}"
    yield at_least(what, theirs["seconds"] / median(passes), 5, note=note, figure=figure)


def drive(python: Path, server: Served, puzzles: list[str]) -> dict[str, float]:
    """Seconds that the package takes for the puzzles, one after another, and how many it solves."""
    settings = {"OPENAI_API_KEY": "none", "OPENAI_API_BASE": server.url(DELAY), "NO_PROXY": "127.0.0.1"}
    done = command(python, DRIVER, *puzzles, **settings)
    if done.returncode:
        raise RuntimeError(f"{PACKAGE} failed: {done.stderr}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def environment(name: str, package: str, check: str, instead: tuple[str, ...] = ()) -> tuple[Path | None, str]:
    """The Python of an environment of that name that has the package, made if need be; else None, and why not.

    ``check``: imports what must be there. ``instead``: other requirements, if those of the package cannot be had.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thinking-in-trees"
    folder = cache / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists() and works(python, "-c", check):
        return python, ""
    print(f"making an environment for {package} in the cache folder (a minute) ...", file=sys.stderr)
    if not works(sys.executable, "-m", "venv", "--clear", folder):
        return None, "no environment could be made for it (python -m venv failed)"
    pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:")
    if works(*pip, package) or (instead and works(*pip, *instead) and works(*pip, "--no-deps", package)):
        if works(python, "-c", check):
            return python, ""
        return None, f"{package} was installed and cannot be imported with this Python"
    return None, f"{package} could not be installed: no network, or no files for this Python"


def command(*words: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command where our own ``tot`` cannot be imported, without this shell's settings for Python and models."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OPENAI"))}
    return subprocess.run(words, env=env | settings, cwd=DRIVER.parent, capture_output=True, text=True, timeout=900)


def works(*words: str | Path) -> bool:
    return command(*words).returncode == 0
