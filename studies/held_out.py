"""The 300 puzzles besides `hard` from which no training sequence starts, split once: a hundred for second looks at the
book's headlines (``fresh``), two hundred for a board of strategies (``board``), at which nobody looks before.

Every use that was made of the 300 before the split, on 26 November 2026:

- No model was trained on them or chosen by them: the pocket model in both trainings, its early checkpoint, chapter 16's
  players, the novice and the pupils, the stream models. All start from ``studies.pocket.data.puzzles``.
- ``studies.game24``: 19 of them are among the authors' ranks 901 to 1000, where the pocket models of both trainings
  played them: IO, CoT, ToT with b = 1 and 5. The pooled rates of 32 puzzles, of which 13 are in `hard`, were published.
- Twelve belong to the split `starter`, on which larger models were recorded for the chapters.
- Nine more are named in a chapter, a prompt's example, a recording, a page or a test.
- ``studies.pocket.card`` counted the states that lie below them and below training puzzles. No model was asked.
- A review of the evidence (25 November 2026) played eight settings of chapters 16 and 19 again with the pocket models,
  on a hundred of the 300. Which ones was not kept. It reported rates, and nothing was chosen by them.

``USED`` has the puzzles that are known by name; these 37 are in ``fresh``, so the board has none of them. (Of the
review's hundred it may hold two thirds.) The test of this module is the seal: no file of the project names a puzzle of
the board, but for 17 that ``studies.heart`` drew on the same day, by a seed of its own and without knowing of the
split: a recorded model plays them, and none that the book trained. (The seal leaves out ``tests/replies``:
people who did not know of the split wrote replies to eight of the board's puzzles, or a few more, to test readers. No
model is asked there.)
"""

from __future__ import annotations

from random import Random

from studies.pocket.data import held_out
from studies.trials import GAME
from tot.tasks.base import Problem

SEED = 20261126
BOARD = 200
# ranks in the split `all`
USED = {
    "the authors' ranks 901 to 1000": (
        *(70, 100, 102, 274, 468, 521, 548, 600, 627, 633, 665, 698, 783, 842, 1066, 1074, 1083, 1256, 1265),
    ),
    "starter": (10, 40, 70, 100, 130, 140, 270, 280, 290, 310, 360, 380),
    "named": (1, 63, 234, 314, 548, 561, 642, 785, 1182),
}


def fresh() -> list[Problem]:
    """The hundred, sorted."""
    sealed = {problem.x for problem in board()}
    return [problem for problem in others() if problem.x not in sealed]


def board() -> list[Problem]:
    """The two hundred, drawn with ``SEED`` from those that had no use by name; in that order, so that the first so many
    are a random sample, too.
    """
    ranked = GAME.problems("all")
    used = {ranked[rank - 1].x for ranks in USED.values() for rank in ranks}
    return Random(SEED).sample([problem for problem in others() if problem.x not in used], BOARD)


def others() -> list[Problem]:
    """All 300, sorted."""
    hard = {problem.x for problem in GAME.problems("hard")}
    return [GAME.problem(x) for x in sorted(held_out()) if x not in hard]
