"""The teachers: a tree (ToT, b = 5) and chains (STaR without a tree), with the same tokens to write.

A way is kept if it is legal and ends at 24: that is checked against the rules and needs no solver. The last teacher has
no check: it takes what the tree puts first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import tot
from studies.pocket.data import held_out
from studies.teach.ways import answered, legal_way, way_to
from studies.trials import GAME, solve_all
from tot.lm.base import LM
from tot.solution import Job, Solution
from tot.state import State
from tot.tasks.base import Problem
from tot.tasks.game24 import VERDICTS, Game24
from tot.tasks.game24_rules import TARGET, Step

BREADTH, PROPOSALS = 5, 2
TOGETHER = 50  # puzzles whose chains are asked for at once


@dataclass
class Harvest:
    """What one teacher found on the training puzzles.

    ``ways``: puzzle -> new ways; ``tokens``: written by the model; ``solved``: puzzles with a way that was checked;
    ``wrong_reasons``: right answers below steps that do not lead there (chains), or wrong ways that nobody checked.
    """

    ways: dict[str, list[list[Step]]] = field(default_factory=dict)
    tokens: int = 0
    solved: int = 0
    wrong_reasons: int = 0

    def add(self, x: str, way: Sequence[Step]) -> None:
        if list(way) not in self.ways.setdefault(x, []):
            self.ways[x].append(list(way))


def training_puzzles() -> list[Problem]:
    """The bundled puzzles that are not held out: 962."""
    out = set(held_out())
    return [problem for problem in GAME.problems("all") if problem.x not in out]


def tree(lm: LM, problems: Sequence[Problem], first: int, tokens: int = 0) -> Harvest:
    """Tree of Thoughts, b = 5, two replies a state: all ways of the last beam whose answers are correct. ``tokens`` is
    not used: the tree takes what it needs.
    """
    found = Harvest()
    for problem, run in zip(problems, searches(lm, problems, first, GAME), strict=True):
        found.tokens += run.result.ledger.total.completion_tokens
        found.solved += run.any
        for node in run.result.best:
            if node.state.answer and GAME.verify(problem, node.state.answer).correct:
                found.add(problem.x, way_to(node.state))
    return found


class NobodyChecks(Game24):
    """No program says that 24 is the aim: whatever number is left at the end is as good as another."""

    def judge(self, state: State) -> float | None:
        return None if Game24.judge(self, state) is None else VERDICTS["likely"]


def unchecked_tree(lm: LM, problems: Sequence[Problem], first: int, tokens: int = 0) -> Harvest:
    """The same tree without the check: it follows the model's verdicts, and the way that it puts first is believed,
    right or wrong. (Its steps are legal: the rules are known.)
    """
    found = Harvest()
    for problem, run in zip(problems, searches(lm, problems, first, NobodyChecks()), strict=True):
        found.tokens += run.result.ledger.total.completion_tokens
        way = next((way for node in run.result.best if len(way := way_to(node.state)) == 3), None)
        if way is not None:
            found.add(problem.x, way)
            right = way[-1].result == TARGET
            found.solved += right
            found.wrong_reasons += not right
    return found


def chains(lm: LM, problems: Sequence[Problem], first: int, tokens: int) -> Harvest:
    """Chains of thought until ``tokens`` are written, as many for each puzzle: all that are legal and make 24."""
    found, right = Harvest(), set[str]()
    at, asked = first, max(1, round(tokens / len(problems) / 70))  # a chain takes about 50; the rest follows, counted
    while asked > 0 and (at == first or found.tokens):
        for i in range(0, len(problems), TOGETHER):
            some = problems[i : i + TOGETHER]
            for problem, reply in zip(some, lm([GAME.cot(State(p.x)).samples(at, asked) for p in some]), strict=True):
                found.tokens += sum(sample.completion_tokens for sample in reply.samples)
                for text in dict.fromkeys(reply.texts):
                    way = legal_way(problem.x, text)
                    if way and way[-1].result == TARGET:
                        found.add(problem.x, way)
                        right.add(problem.x)
                    elif answered(problem, text):
                        found.wrong_reasons += 1
        at += asked
        for_each = (found.tokens or 1) / (at - first)  # tokens of one chain for every puzzle
        asked = round((tokens - found.tokens) / for_each)
    found.solved = len(right)
    return found


def searches(lm: LM, problems: Sequence[Problem], first: int, task: Game24) -> list[Solution]:
    knobs = {"breadth": BREADTH, "proposals": PROPOSALS, "first": first}
    return solve_all([Job(task, p, tot.method("tot-bfs"), knobs) for p in problems], lm)


TEACHERS: dict[str, Callable[[LM, Sequence[Problem], int, int], Harvest]] = {
    "tree": tree,
    "chains": chains,
    "unchecked": unchecked_tree,
}
