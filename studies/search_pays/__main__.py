"""Play the map, measure the players, fit the border; goes on where it stopped. See the package's own text.

    python -m studies.search_pays [--weights FOLDER] [--puzzles 100] [--workers 2]

The unfinished players are those in this folder's weights/, or the ones that ``make pocket KEEP=...`` left in FOLDER;
the strongest player is the package's own pocket model. Each finished cell is a line in _build/search_pays/lines.jsonl,
or in FOLDER/search_pays.jsonl.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from studies.figures import write
from studies.search_pays.report import figures
from studies.search_pays.runs import FINAL, LINES, UNFINISHED, jobs, played, weights_of

RESULTS = Path("studies/results/search_pays.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="a folder with after_8M.safetensors ...: other players than ours")
    parser.add_argument("--only", default="", help="play only with these, and write no figures: 8M,16M,final")
    parser.add_argument("--puzzles", type=int, default=100, help="how many of the 100 hard puzzles")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--lines", type=Path, help=f"where finished cells go ({LINES}, or search_pays.jsonl in FOLDER)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    names = a.only.split(",") if a.only else [*UNFINISHED, FINAL]
    if unknown := set(names) - {*UNFINISHED, FINAL}:
        raise SystemExit(f"no player {unknown.pop()!r}: choose from {', '.join((*UNFINISHED, FINAL))}")
    files = weights_of(names, a.weights)
    lines_file = a.lines or (a.weights / "search_pays.jsonl" if a.weights else LINES)
    lines = played(jobs(names), lines_file, files, a.puzzles, a.workers)
    if not a.only:
        write(figures(lines, names, a.puzzles), a.out)


if __name__ == "__main__":
    main()
