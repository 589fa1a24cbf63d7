"""Play the map, measure the players, fit the border; goes on where it stopped. See the package's own text.

    python -m studies.search_pays [--weights FOLDER] [--puzzles 100] [--workers 2]

The unfinished players are those in this folder's weights/, or the ones that ``make pocket KEEP=...`` left in FOLDER;
the strongest player is the package's own pocket model. Each finished cell is a line in _build/search_pays/lines.jsonl,
or in FOLDER/search_pays.jsonl.
"""

from __future__ import annotations

from pathlib import Path

from studies.figures import write
from studies.options import options
from studies.search_pays.report import figures
from studies.search_pays.runs import FINAL, LINES, UNFINISHED, jobs, played, weights_of

RESULTS = Path("studies/results/search_pays.json")
ALL = 100  # puzzles


def main() -> None:
    a = options(
        __doc__,
        weights=(Path, "a folder with after_8M.safetensors ...: other players than ours"),
        only=("", "play only with these, and write no figures: 8M,16M,final"),
        puzzles=(ALL, "fewer: a trial, which does not write over the book's figures"),
        workers=(2, "processes"),
        lines=(Path, f"where finished cells go ({LINES}, or search_pays.jsonl in that folder)"),
        out=RESULTS,
    )
    names = a.only.split(",") if a.only else [*UNFINISHED, FINAL]
    if unknown := set(names) - {*UNFINISHED, FINAL}:
        raise SystemExit(f"no player {unknown.pop()!r}: choose from {', '.join((*UNFINISHED, FINAL))}")
    files = weights_of(names, a.weights)
    lines_file = a.lines or (a.weights / "search_pays.jsonl" if a.weights else LINES)
    lines = played(jobs(names), lines_file, files, a.puzzles, a.workers)
    if not a.only and (a.puzzles == ALL or a.out != RESULTS):
        write(figures(lines, names, a.puzzles), a.out)


if __name__ == "__main__":
    main()
