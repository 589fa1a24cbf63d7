"""Every player of the rounds again, with trees of other shapes than that of ``measures`` (five states, one reply each).

*narrow ToT*: one state kept and three replies, which costs as many tokens; chapter 16 found it the better shape for
players whose replies often hold a good step. *teacher ToT*: the tree that searches the training puzzles
(``searching``), five states and two replies, for nearly twice the tokens. The shape decides how a tree compares with
checked chains, so chapter 18 has all three. Resumable: what is measured is kept.

python -m studies.teach.shapes [--out FOLDER] [--workers 2]
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from studies.figures import write
from studies.teach.measures import tree
from studies.teach.rounds import legs, novice
from studies.teach.searching import BREADTH, PROPOSALS
from studies.trials import GAME, processes
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


def play(task: Task, puzzles: int | None = None) -> Task:
    folder, shape = task
    lm, problems = Pocket(weights=folder / "weights.safetensors"), GAME.problems("hard")[:puzzles]
    write(tree(lm, problems, **SHAPES[shape]), file(folder, shape))
    return task


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("_build/teach"), help="where the rounds were played")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--puzzles", type=int, help="only so many: a trial")
    a = parser.parse_args()
    try:
        with processes(a.workers) as pool:
            list(pool.map(partial(play, puzzles=a.puzzles), missing(a.out)))
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was measured is kept: the same command goes on") from None


if __name__ == "__main__":
    main()
