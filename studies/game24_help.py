"""What is the program's help worth in the Game-of-24 search? The helps taken away, alone and together (chapter 6).

A program helps three times: it refuses illegal steps, it judges results (single numbers, and the answers that it
composed), and it composes the answer. The paper has none of the three. The knob ``checked`` turns the first two off at
once; each of the two tasks below turns off one of them. ``studies.game24`` writes the figures to its results file
under "help".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tot.solution import Job, Solution
from tot.state import Node, State
from tot.stats import wilson
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24, left, numbers_of, steps_of
from tot.tasks.game24_believed import legal_steps

Figures = dict[str, Any]


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
KINDS: dict[str, tuple[type[Game24], dict[str, bool]]] = {  # task and knobs; the first row is that of the main study
    FULL: (Game24, {}),
    "the model writes the answer": (Game24, {"compose": False}),
    "illegal steps are believed": (StepsBelieved, {}),
    "the model judges the results": (ResultsJudgedByModel, {}),
    "neither: checked=False": (Game24, {"checked": False}),
    NONE: (Game24, {"checked": False, "compose": False}),
}


def jobs(problems: Sequence[Problem], method: Any, breadth: int = 5) -> dict[str, list[Job]]:
    """The searches of each row, on the same problems."""
    return {
        name: [Job(kind(), problem, method, {"breadth": breadth, **knobs}) for problem in problems]
        for name, (kind, knobs) in KINDS.items()
    }


def figures(runs: dict[str, Sequence[Solution]]) -> Figures:
    """Rates with Wilson intervals, outcomes puzzle by puzzle, and what the believed steps and the judge were worth."""
    rows: Figures = {}
    for name, solutions in runs.items():
        rows[name] = {
            "chosen": rate(s.chosen for s in solutions),
            "any of the beam": rate(s.any for s in solutions),
            "solved": [int(s.chosen) for s in solutions],
            "solved by any": [int(s.any) for s in solutions],
            "refused verdicts": refusals(solutions),
        }
    return {
        "rows": rows,
        "illegal in the beam": illegal_in_the_beam(runs[NONE]),
        "single numbers": single_numbers(runs[NONE]),
        "answers judged": {
            "written by program": answers_judged(runs["neither: checked=False"]),
            "written by the model": answers_judged(runs[NONE]),
        },
    }


def rate(successes: Iterable[bool]) -> list[float]:
    """[rate, low, high] of a Wilson interval."""
    hits = list(successes)
    found = wilson(sum(hits), len(hits))
    return [round(x, 4) for x in (found.rate, found.low, found.high)]


def nodes_of(solution: Solution) -> list[Node]:
    nodes = [list(solution.result.best[0].path)[-1]]
    for node in nodes:
        nodes += node.children
    return nodes


def beams(solution: Solution) -> list[list[Node]]:
    """The states kept after each step."""
    known = {node.id: node for node in nodes_of(solution)}
    events = (event for event in solution.trace.events if event["kind"] == "best")
    return [[known[kept["id"]] for kept in event["nodes"]] for event in events]


def illegal_in_the_beam(solutions: Iterable[Solution]) -> list[dict[str, int]]:
    """Of the states kept after steps 1, 2 and 3: how many there are, and how many of them break the rules somewhere."""
    counts = [{"kept": 0, "illegal": 0} for _ in range(3)]
    for solution in solutions:
        for count, beam in zip(counts, beams(solution), strict=False):
            for node in beam:
                count["kept"] += 1
                count["illegal"] += bool(legal_steps(steps_of(node.state), numbers_of(node.state.x))[1])
    return counts


def refusals(solutions: Iterable[Solution]) -> int:
    """How many verdicts the model refused to give."""
    events = (event for s in solutions for event in s.trace.events if event["kind"] == "evaluated")
    return sum(unread["why"] == "the model refuses" for event in events for unread in event["unread"])


def single_numbers(solutions: Iterable[Solution]) -> dict[str, dict[str, int]]:
    """States with one number left, those with 24 and the others: how many, and how many have any value above 0."""
    counts = {"24": {"n": 0, "valued": 0}, "another": {"n": 0, "valued": 0}}
    for solution in solutions:
        for node in nodes_of(solution):
            if len(left(node.state)) == 1 and not node.terminal:
                count = counts["24" if left(node.state)[0] == 24 else "another"]
                count["n"] += 1
                count["valued"] += bool(node.value)
    return counts


def answers_judged(solutions: Iterable[Solution]) -> dict[str, dict[str, Any]]:
    """How the model judged answers, right and wrong ones: the share with at least one "sure" among its verdicts."""
    values: dict[str, list[bool]] = {"right": [], "wrong": []}
    for solution in solutions:
        for node in nodes_of(solution):
            if node.terminal and node.state.answer is not None and node.value is not None:
                numbers = Problem(solution.problem, solution.problem)
                right = Game24().verify(numbers, node.state.answer).correct
                values["right" if right else "wrong"].append(node.value >= 20)
    return {name: {"n": len(v), "some sure": rate(v) if v else None} for name, v in values.items()}
