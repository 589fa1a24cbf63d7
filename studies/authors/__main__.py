"""Replay the published logs and write the figures: ``python -m studies.authors --data FOLDER``. See the package."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from studies.authors import RESULTS, SOURCE, crosswords_samples, crosswords_tree, files, writing
from studies.authors import game24_log as tree_log
from studies.authors import game24_reach as reach
from studies.authors import game24_samples as samples
from studies.authors import game24_tree as tree
from studies.figures import Figures, write
from tot.tasks.base import Problem
from tot.tasks.datasets import DATASETS, tidy

USED = (
    files.GAME24_IO,
    files.GAME24_COT,
    files.GAME24_TOT,
    files.CROSSWORDS_IO,
    files.CROSSWORDS_COT,
    files.CROSSWORDS_TOT,
    files.CROSSWORDS_FREE,
    files.CROSSWORDS_GAMES,
    files.WRITING_IO,
    files.WRITING_COT,
    files.WRITING_TOT,
    files.WRITING_INPUTS,
)


def parts(folder: files.Folder) -> Mapping[str, Callable[[], Figures]]:
    """The parts of the study, each to be computed when it is called. The files are read here. Raises Missing."""
    logs: dict[str, Any] = {name: folder.log(name) for name in USED if name.endswith(".json")}
    puzzles = tree_log.read_log(logs[files.GAME24_TOT])
    games = crosswords_samples.problems(logs[files.CROSSWORDS_GAMES], len(logs[files.CROSSWORDS_TOT]))
    texts = DATASETS["creative_writing"].read(folder.text(files.WRITING_INPUTS))
    inputs = [Problem(f"input {i}", tidy(x), gold) for i, (x, gold) in enumerate(texts, 1)]
    inputs = inputs[: len(logs[files.WRITING_TOT])]
    ranks = {puzzle.rank: puzzle.x for puzzle in puzzles}
    return {
        "game24 samples": lambda: samples.study(logs[files.GAME24_IO], logs[files.GAME24_COT], ranks),
        "game24 tree": lambda: tree.study(logs[files.GAME24_TOT]),
        "game24 reach": lambda: reach.study(puzzles),
        "crosswords samples": lambda: crosswords_samples.study(
            logs[files.CROSSWORDS_IO], logs[files.CROSSWORDS_COT], games
        ),
        "crosswords tree": lambda: crosswords_tree.study(
            logs[files.CROSSWORDS_TOT], logs[files.CROSSWORDS_FREE], games
        ),
        "writing": lambda: writing.study(
            logs[files.WRITING_IO], logs[files.WRITING_COT], logs[files.WRITING_TOT], inputs
        ),
    }


def study(folder: files.Folder, say: Callable[[str], None] = lambda line: None) -> Figures:
    """All figures. ``say`` is told of each part that begins. Raises Missing where a file is not there."""
    todo = parts(folder)
    found: Figures = {
        "source": {**SOURCE, "files": dict(folder.digest(USED))},
        "computed by": "python -m studies.authors",
    }
    for i, (name, compute) in enumerate(todo.items(), 1):
        say(f"{i} of {len(todo)}: {name}")
        found[name] = compute()
    return found


def main(words: list[str] | None = None) -> int:
    """Returns 0 also where the logs are not there: then one line says what is missing, and nothing is written.

    1 where a file is damaged.
    """
    parser = argparse.ArgumentParser(prog="python -m studies.authors", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with the logs that the paper's authors published"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the figures go")
    a = parser.parse_args(words)
    started = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {line}", file=sys.stderr, flush=True)

    try:
        found = study(files.Folder(a.data), say)
    except files.Missing as missing:
        print(missing)
        return 0
    except ValueError as damaged:
        print(f"studies.authors: {damaged}", file=sys.stderr)
        return 1
    write(found, a.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
