"""Direct answers and chains on 20 crosswords, ten samples each: scored by our rule for rows and by the authors'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tot
from studies.authors.figures import Figures, per_problem, pooled
from studies.authors.files import Log
from studies.authors.replay import Samples, tokens
from tot.state import State
from tot.tasks.base import Problem, Score
from tot.tasks.crosswords import Crosswords
from tot.tasks.crosswords_board import BLANK, SIZE, show
from tot.tasks.crosswords_state import list_clues

TASK = Crosswords()
PARTS = ("letters", "words", "games")
STRIDE = 5  # section 4.3: games 1, 6, 11 ... of the list


def problems(games: Sequence[Any], n: int = 20) -> list[Problem]:
    """The test games of the paper: [ten clues, 25 letters] each."""
    found = []
    for i, (clues, letters) in enumerate(games[::STRIDE][:n]):
        x = list_clues(" ".join(clue.split()) for clue in clues)
        found.append(Problem(f"rank {STRIDE * i + 1}", x, show("".join(letters).lower())))
    return found


def cut_or_padded(text: str) -> str:
    """The board of a reply by the authors' rule: the first five lines below "Output:", if it is there, and of each line
    its first five pieces; missing ones are blank.

    A line of which more than five letters remain changes nothing. Ours: a line that is not five letters is blank.
    """
    rows = []
    for line in text.rpartition("Output:")[2].strip().split("\n")[:SIZE]:
        row = "".join(line.split(" ")[:SIZE]).lower().ljust(SIZE, BLANK)
        letters = "".join(c if c.isascii() and c.isalpha() else BLANK for c in row)
        rows.append(letters if len(row) == SIZE else BLANK * SIZE)
    return show("".join((rows + [BLANK * SIZE] * SIZE)[:SIZE]))


def measures(score: Score) -> list[float]:
    return [score.parts["letters"], score.parts["words"], float(score.correct)]


def table(groups: Sequence[Sequence[Sequence[float]]]) -> Figures:
    """Letters, words and games; ``groups``: for each game the measures of its samples."""
    return {part: per_problem([[one[i] for one in group] for group in groups], "games") for i, part in enumerate(PARTS)}


def part(log: Log, method: str, games: Sequence[Problem]) -> Figures:
    ours, theirs, long = [], [], []
    request = TASK.io(State(games[0].x)) if method == "io" else TASK.cot(State(games[0].x))
    for entry, problem in zip(log, games, strict=True):
        texts = [str(y) for y in entry["ys"]]
        # "Output:" is what the authors' chains have above the rows, where our prompt asks for "Rows:"
        mine = [y.replace("Output:", "Rows:") for y in texts]
        solution = tot.solve(TASK, problem, method, lm=Samples(mine), k=len(mine))
        ours.append([measures(score) for score in solution.scores])
        theirs.append([measures(TASK.verify(problem, cut_or_padded(y))) for y in texts])
        long.append([float(tokens(y) > (request.max_tokens or 0)) for y in texts])
    return {
        "our rule: a row is five letters or blank": table(ours),
        "the authors' rule: rows cut or padded": table(theirs),
        "more tokens than our limit": pooled(long, "samples", "games"),
        "limit": request.max_tokens,
    }


def study(io_log: Log, cot_log: Log, games: Sequence[Problem]) -> Figures:
    return {
        "how": "the logged samples answer our methods io and cot; ten for each game; 95% intervals over games",
        "IO": part(io_log, "io", games),
        "CoT": part(cot_log, "cot", games),
    }
