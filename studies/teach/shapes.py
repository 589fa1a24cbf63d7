"""Every player of the rounds again, with trees of other shapes than that of ``measures`` (five states, one reply each).

*narrow ToT*: one state kept and three replies, which costs as many tokens; chapter 16 found it the better shape for
players whose replies often hold a good step. *teacher ToT*: the tree that searches the training puzzles
(``searching``), five states and two replies, for nearly twice the tokens. The shape decides how a tree compares with
checked chains, so chapter 18 has all three. Resumable: what is measured is kept.

python -m studies.teach.shapes [--out FOLDER] [--workers 2]
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
from functools import partial
from pathlib import Path

from studies.game24 import job, solve_all
from studies.search_pays.play import OWN
from studies.teach.measures import solved, tokens
from studies.teach.rounds import legs, novice, quiet, write
from studies.teach.searching import BREADTH, GAME, PROPOSALS
from treebook.players import Pocket

SHAPES = {
    "narrow ToT": {"breadth": 1, "proposals": 3},
    "teacher ToT": {"breadth": BREADTH, "proposals": PROPOSALS},
}
Task = tuple[Path, str]  # a player's folder, a shape


def file(folder: Path, shape: str) -> Path:
    return folder / f"{shape.split()[0]}.json"


def missing(out: Path) -> list[Task]:
    """Of the novice, and of all legs that have weights."""
    places = [novice(out).parent, *(leg.folder(out) for leg in legs())]
    there = [place for place in places if (place / "weights.safetensors").exists()]
    return [(place, shape) for shape in SHAPES for place in there if not file(place, shape).exists()]


def play(task: Task, puzzles: int | None = None) -> None:
    folder, shape = task
    lm, problems = Pocket(weights=folder / "weights.safetensors"), GAME.problems("hard")[:puzzles]
    runs = solve_all(
        [job(p, "tot-bfs", first=OWN * i, **SHAPES[shape]) for i, p in enumerate(problems)], lm, show=False
    )
    write({**solved(runs), "tokens": tokens(runs)}, file(folder, shape))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("_build/teach"), help="where the rounds were played")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--puzzles", type=int, help="only so many: a trial")
    a = parser.parse_args()
    todo = missing(a.out)
    try:
        with mp.get_context("spawn").Pool(a.workers, initializer=quiet) as pool:
            for done, _ in enumerate(pool.imap(partial(play, puzzles=a.puzzles), todo), 1):
                folder, shape = todo[done - 1]
                print(f"{done}/{len(todo)}  {shape}  {folder}", flush=True)
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was measured is kept: the same command goes on") from None


if __name__ == "__main__":
    main()
