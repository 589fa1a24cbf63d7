"""One cell of the map: a generator, a judge, a search, a hundred puzzles; and the chains it is compared with."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import tot
from studies.game24 import solve_all
from studies.game24_help import StepsBelieved
from tot.lm.base import LM
from tot.solution import Job, Solution
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24

OWN = 1000  # puzzle i draws the samples from number 1000 i on
CHAINS = 100  # for each puzzle and generator
GAME = Game24()


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


def play(cell: Cell, players: Mapping[str, LM], problems: Sequence[Problem]) -> dict[str, Any]:
    """The cell's line: solved (0 or 1) and tokens for each puzzle. Raises LMError if a player fails."""
    knobs: dict[str, Any] = {"breadth": cell.breadth, "proposals": cell.proposals}
    if not cell.help:
        knobs |= {"checked": False, "compose": False}
    method = tot.method("tot-bfs")
    task = StepsBelieved() if cell.believed else GAME
    jobs = [Job(task, problem, method, {"first": OWN * i, **knobs}) for i, problem in enumerate(problems)]
    runs = solve_all(jobs, {"generator": players[cell.generator], "evaluator": players[cell.judge]}, show=False)
    return {"cell": asdict(cell), "solved": [int(run.chosen) for run in runs], **costs(runs)}


def chains(generator: str, lm: LM, problems: Sequence[Problem], method: str = "cot") -> dict[str, Any]:
    """A hundred samples for each puzzle, as numbers: equal answers have equal numbers, -1 is none; ``right`` lists the
    right ones. In the order in which they were drawn, so that any beginning of them can vote.
    """
    how = tot.method(method)
    jobs = [Job(GAME, p, how, {"first": OWN * i, "k": CHAINS}) for i, p in enumerate(problems)]
    runs = solve_all(jobs, lm, show=False)
    answers, right = [], []
    for run in runs:
        named = [None if answer is None else GAME.same(answer) for answer in run.answers]
        number = {name: i for i, name in enumerate(dict.fromkeys(n for n in named if n is not None))}
        answers.append([-1 if name is None else number[name] for name in named])
        good = {number[n] for n, score in zip(named, run.scores, strict=True) if n is not None and score.correct}
        right.append(sorted(good))
    return {"chains": generator, "method": method, "answers": answers, "right": right, **costs(runs)}


def costs(runs: Sequence[Solution]) -> dict[str, list[int]]:
    """For each puzzle: tokens ``written``; characters ``read`` if every sample reads its whole prompt, and ``new`` ones
    if what a prompt of the same run began with need not be read again.
    """
    bills = [reading(run) for run in runs]
    return {
        "written": [run.result.ledger.total.completion_tokens for run in runs],
        "read": [whole for whole, _ in bills],
        "new": [new for _, new in bills],
    }


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
