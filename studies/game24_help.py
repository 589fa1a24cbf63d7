"""What is the program's help worth in the Game-of-24 search? The helps taken away, alone and together (chapter 6).

A program helps three times: it refuses illegal steps, it judges results (single numbers, and the answers that it
composed), and it composes the answer. The paper has none of the three. The knob ``checked`` turns the first two off at
once; each of the two tasks below turns off one of them. ``studies.game24`` writes the figures to its results file
under "help".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import tot
from studies.figures import Figures, share
from studies.trials import GAME, solved
from tot.solution import Job, Solution
from tot.state import Node, State
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24, left


class StepsBelieved(Game24):
    """Illegal steps live on, and a program still judges single numbers."""

    checked = False

    def judge(self, state: State) -> float | None:
        return Game24().judge(state)


class ResultsJudgedByModel(Game24):
    """Illegal steps are refused, and the model judges single numbers and every answer."""

    def judge(self, state: State) -> float | None:
        return Game24().unchecked().judge(state)


FULL = "all of the program's help"
NONE = "no help, as in the paper"
NARROW = "no help, one state kept"
KINDS: dict[str, tuple[type[Game24], dict[str, bool]]] = {  # task and knobs; the first row is that of the main study
    FULL: (Game24, {}),
    "the model writes the answer": (Game24, {"compose": False}),
    "illegal steps are believed": (StepsBelieved, {}),
    "the model judges the results": (ResultsJudgedByModel, {}),
    "neither: checked=False": (Game24, {"checked": False}),
    NONE: (Game24, {"checked": False, "compose": False}),
}


def jobs(problems: Sequence[Problem], breadth: int = 5) -> dict[str, list[Job]]:
    """The searches of each row, on the same problems; and without help with one state kept."""
    method = tot.method("tot-bfs")
    kinds = {name: (kind, {"breadth": breadth, **knobs}) for name, (kind, knobs) in KINDS.items()}
    task, knobs = KINDS[NONE]
    kinds[NARROW] = task, {"breadth": 1, **knobs}
    return {
        name: [Job(kind(), problem, method, knobs) for problem in problems] for name, (kind, knobs) in kinds.items()
    }


def figures(runs: Mapping[str, Sequence[Solution]]) -> Figures:
    """Rates with Wilson intervals, outcomes puzzle by puzzle, and what the model's verdicts were worth without help.

    "reached": without help, puzzle by puzzle, whether any answer of the beam is right; "one state kept": whether the
    narrow search's is.
    """
    rows = {
        name: {
            "chosen": share(s.chosen for s in solutions),
            "any of the beam": share(s.any for s in solutions),
            "solved": solved(solutions),
        }
        for name, solutions in runs.items()
        if name in KINDS
    }
    by_model = answers_judged(runs[NONE])
    alone = single_numbers(runs[NONE])
    judged = {"written by the model": by_model}
    more = {"reached": [int(s.any) for s in runs[NONE]], "one state kept": solved(runs[NARROW])}
    return {"rows": rows, "single numbers": alone, "answers judged": judged, **more}


def nodes_of(solution: Solution) -> list[Node]:
    """All nodes, the root first."""
    nodes = [list(solution.result.best[0].path)[-1]]
    for node in nodes:
        nodes += node.children
    return nodes


def single_numbers(solutions: Iterable[Solution]) -> Figures:
    """States with one number left, those with 24 and the others: how many, and how many have any value above 0."""
    counts = {"24": {"n": 0, "valued": 0}, "another": {"n": 0, "valued": 0}}
    for node in (node for solution in solutions for node in nodes_of(solution)):
        if len(left(node.state)) == 1 and not node.terminal:
            count = counts["24" if left(node.state)[0] == 24 else "another"]
            count["n"] += 1
            count["valued"] += bool(node.value)
    return counts


def answers_judged(solutions: Iterable[Solution]) -> Figures:
    """How the model judged answers, right and wrong ones: the share with at least one "sure" among its verdicts."""
    values: dict[str, list[bool]] = {"right": [], "wrong": []}
    for node in (node for solution in solutions for node in nodes_of(solution)):
        if node.terminal and node.state.answer is not None and node.value is not None:
            right = GAME.verify(GAME.problem(node.state.x), node.state.answer).correct
            values["right" if right else "wrong"].append(node.value >= 20)
    return {name: {"n": len(v), "some sure": share(v) if v else None} for name, v in values.items()}
