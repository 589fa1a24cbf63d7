"""Play the map, measure the players, fit the border; goes on where it stopped. See the package's own text.

    python -m studies.search_pays [--weights FOLDER] [--puzzles 100] [--workers 2]

FOLDER holds after_8M.safetensors, after_16M.safetensors ... as ``make pocket KEEP=...`` leaves them; the strongest
player is the package's own pocket model. Lines go to FOLDER/search_pays.jsonl, one for each finished cell.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from studies.search_pays.runs import FINAL, UNFINISHED, Line, jobs, key, run_all
from studies.search_pays.surface import figures
from tot.jsonlines import read_lines
from tot.lm.pocket import Pocket

WEIGHTS = Path("_build/pocket")
RESULTS = Path("studies/results/search_pays.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the folder with the unfinished models")
    parser.add_argument("--only", default="", help="play only with these: 8M,16M,final")
    parser.add_argument("--puzzles", type=int, default=100, help="how many of the 100 hard puzzles")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--lines", type=Path, help="where finished cells go (FOLDER/search_pays.jsonl)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    names = a.only.split(",") if a.only else [*UNFINISHED, FINAL]
    files = {name: None if name == FINAL else a.weights / f"after_{name}.safetensors" for name in names}
    missing = [str(path) for path in files.values() if path and not path.exists()]
    if missing:
        raise SystemExit(
            f"no {missing[0]}: train the players first, make pocket KEEP=8e6,16e6,24e6,32e6,48e6 (2 hours)"
        )
    lines_file = a.lines or a.weights / "search_pays.jsonl"
    lines = read(lines_file)
    weights = {name: Pocket(weights=path).weights[:12] for name, path in files.items()}
    if any(weights.get(name, sha) != sha for line in lines for name, sha in line["weights"].items()):
        raise SystemExit(f"{lines_file} was played by other weights: name another file (--lines) or remove it")
    if any(len(line.get("solved", ())) not in (0, a.puzzles) for line in lines):
        raise SystemExit(f"{lines_file} was played on another number of puzzles: name another file (--lines)")
    known = {key(line) for line in lines}
    todo = {name: job for name, job in jobs(names).items() if name not in known}
    print(f"{len(known)} lines are there, {len(todo)} to play", flush=True)
    if todo:
        run_all(todo, lines_file, files, a.puzzles, a.workers)
    if not a.only:
        write(figures(read(lines_file), names, a.puzzles), a.out)


def read(path: Path) -> list[Line]:
    """The finished lines; a last one that a kill cut off is left out."""
    return [line for _, line in read_lines(path)] if path.exists() else []


def write(found: Line, out: Path) -> None:
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", json.dumps(found, indent=1))
    out.write_text(text + "\n", encoding="utf-8")
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
