"""Play the map, measure the players, fit the border; goes on where it stopped. See the package's own text.

    python -m studies.search_pays [--weights FOLDER] [--puzzles 100] [--workers 2]

The unfinished players are those in this folder's weights/, or the ones that ``make pocket KEEP=...`` left in FOLDER;
the strongest player is the package's own pocket model. Each finished cell is a line in _build/search_pays/lines.jsonl,
or in FOLDER/search_pays.jsonl.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from studies.as_json import as_json
from studies.search_pays.packing import SHIPPED, unpack
from studies.search_pays.report import figures
from studies.search_pays.runs import FINAL, UNFINISHED, Line, jobs, key, run_all
from tot.jsonlines import read_lines
from treebook.players import Pocket

LINES = Path("_build/search_pays/lines.jsonl")
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
    lines = read(lines_file)
    weights = {name: Pocket(weights=path).weights[:12] for name, path in files.items()}
    if any(weights.get(name, sha) != sha for line in lines for name, sha in line["weights"].items()):
        raise SystemExit(f"{lines_file} was played by other weights: name another file (--lines) or remove it")
    if any(len(line.get("solved", ())) not in (0, a.puzzles) for line in lines):
        raise SystemExit(f"{lines_file} was played on another number of puzzles: name another file (--lines)")
    known = {key(line) for line in lines}
    todo = {name: job for name, job in jobs(names).items() if name not in known}
    print(f"{len(known)} lines are there, {len(todo)} to play", flush=True)
    try:
        if todo:
            run_all(todo, lines_file, files, a.puzzles, a.workers)
    except KeyboardInterrupt:
        raise SystemExit("stopped; every finished cell is kept: the same command goes on") from None
    if not a.only:
        write(figures(read(lines_file), names, a.puzzles), a.out)


def weights_of(names: Sequence[str], folder: Path | None) -> dict[str, Path | None]:
    """The weights of each player: those shipped, or those in ``folder``; None for the package's own model."""
    files: dict[str, Path | None] = dict.fromkeys(names)
    for name in names:
        if name == FINAL:
            continue
        if folder is None:
            files[name] = unpack(SHIPPED / f"after_{name}.npz", LINES.parent / f"after_{name}.safetensors")
        elif (trained := folder / f"after_{name}.safetensors").exists():
            files[name] = trained
        else:
            wanted = ",".join(f"{n.removesuffix('M')}e6" for n in UNFINISHED)
            raise SystemExit(f"no {trained}: train the players first (make pocket KEEP={wanted} OUT={folder})")
    return files


def read(path: Path) -> list[Line]:
    """The finished lines; a last one that a kill cut off is left out."""
    return [line for _, line in read_lines(path)] if path.exists() else []


def write(found: Line, out: Path) -> None:
    out.write_text(as_json(found) + "\n", encoding="utf-8")
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
