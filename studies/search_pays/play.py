"""One cell of the map: a generator, a judge, a search, a hundred puzzles; and the chains it is compared with."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from studies import trials
from studies.game24_help import StepsBelieved
from studies.trials import GAME, Line
from tot.lm.base import LM
from tot.solution import Solution
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24

CHAINS = 100  # for each puzzle and generator


@dataclass(frozen=True)
class Cell:
    """A tree search: who proposes and who judges, ``breadth`` b, ``proposals`` replies a state, a program's help.

    ``believed``: illegal steps are not refused but live on; all other help stays.
    """

    generator: str
    judge: str
    breadth: int = 1
    proposals: int = 1
    help: bool = True
    believed: bool = False

    @property
    def key(self) -> str:
        believed = " believed" if self.believed else ""
        return f"{self.generator} | {self.judge} | b={self.breadth} p={self.proposals} help={self.help}{believed}"


def play(cell: Cell, players: Mapping[str, LM], problems: Sequence[Problem], task: Game24 = GAME) -> Line:
    """The cell's line: solved (0 or 1) and tokens for each puzzle. Raises LMError if a player fails."""
    knobs: dict[str, Any] = {"breadth": cell.breadth, "proposals": cell.proposals}
    if not cell.help:
        knobs |= {"checked": False, "compose": False}
    lms = {"generator": players[cell.generator], "evaluator": players[cell.judge]}
    task = StepsBelieved() if cell.believed else task
    runs = trials.play(problems, "tot-bfs", lms, task=task, **knobs)
    return {"cell": asdict(cell), "solved": trials.solved(runs), **costs(runs)}


def chains(generator: str, lm: LM, problems: Sequence[Problem]) -> Line:
    """A hundred samples for each puzzle, as numbers."""
    runs = trials.play(problems, "cot", lm, k=CHAINS)
    return {"chains": generator, "method": "cot", **trials.answers(runs, GAME), **costs(runs)}


def costs(runs: Sequence[Solution]) -> dict[str, list[int]]:
    """For each puzzle: tokens ``written``; characters ``read`` if every sample reads its whole prompt, and ``new`` ones
    if what a prompt of the same run began with need not be read again.
    """
    bills = [reading(run) for run in runs]
    return {"written": trials.written(runs), "read": [whole for whole, _ in bills], "new": [new for _, new in bills]}


def reading(run: Solution) -> tuple[int, int]:
    """(characters read by all samples, characters not read before in this run)."""
    whole, new, seen = 0, 0, list[str]()  # seen: sorted, so the longest common beginning is with a neighbour
    for event in run.trace.events:
        for request in event["requests"] if event["kind"] == "asked" else ():
            prompt = "".join(message["role"] + message["content"] for message in request["messages"])
            whole += len(prompt) * len(request["samples"])
            at = bisect(seen, prompt)
            new += len(prompt) - max((common(prompt, near) for near in seen[max(at - 1, 0) : at + 1]), default=0)
            seen.insert(at, prompt)
    return whole, new


def common(a: str, b: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a.startswith(b[:middle]) else (low, middle - 1)
    return low
