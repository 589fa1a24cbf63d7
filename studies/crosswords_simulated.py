"""Table 3 of the Tree of Thoughts paper (section 4.3) on a SIMULATED solver with dials: no language model.

    python -m studies.crosswords_simulated [--out studies/results/crosswords_simulated.json]

When do pruning and backtracking pay off? A real proposer and a real evaluator have one strength each. Here both have
dials (``treebook.studies.crosswords_simulated``), so that each can be moved alone, on all 20 puzzles of the book and
with several seeds. Prompts, readers and searches are those of the package. What comes out says how the *search* answers
to better and worse parts. It is no evidence about any model.

Each run is a line of ``--runs``; a study that was stopped goes on where it was. The figures are aggregated from them:
letters, words and games, with 95 % intervals (bootstraps over puzzles, each with all its seeds).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from studies.figures import Figures, mean, of_samples, write
from studies.options import options
from studies.trials import Line, trials
from tot.solution import Solution, solve
from tot.state import Node
from tot.tasks.base import Problem, Score
from tot.tasks.crosswords import Crosswords
from tot.tasks.crosswords_board import BLANK, read_board
from tot.ties import level, total
from treebook.studies.crosswords_simulated import SimulatedSolver

RESULTS = Path("studies/results/crosswords_simulated.json")
RUNS = Path("_build/crosswords_simulated.jsonl")
TASK = Crosswords()
SEEDS = 5
SAMPLES = 10  # of IO, as in the paper. CoT is left out: the solver answers both prompts from the same words
RESAMPLES = 500
STEPS = (5, 10, 20, 50, 100)  # where a search of 100 steps is also looked at

# where all dials stand while one of them moves: chosen before the study was run, and not fitted to the paper's numbers
REFERENCE = {"know": 0.6, "overconfident": 0.5, "stubborn": 0.2, "false_impossible": 0.1, "false_fits": 0.2}
DIALS: dict[str, tuple[float, ...]] = {
    "know": (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0),
    "false_impossible": (0.0, 0.05, 0.1, 0.2, 0.3, 0.5),
    "false_fits": (0.0, 0.2, 0.5, 0.75, 1.0),
    "overconfident": (0.0, 0.5, 1.0),
    "stubborn": (0.0, 0.05, 0.2, 0.5, 1.0),
}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "ToT": ("tot-dfs", {}),
    "- prune": ("tot-dfs", {"prune": False}),
    "- backtrack": ("tot-dfs", {"backtrack": False}),
    "IO": ("io", {"k": SAMPLES}),
}
FIRST, SUREST = "first deepest", "surest of the deepest"  # output rules; the first is that of ``tot-dfs``
FITS = "- backtrack, the authors' rule"  # beside the table: the same ablation, overwriting only where nothing fits
# what each method can feel: a dial that it cannot feel is not turned for it. The evaluator's are for ToT alone.
FEELS = {
    "ToT": tuple(DIALS),
    "- prune": ("know", "overconfident", "stubborn"),
    "- backtrack": ("know", "overconfident", "stubborn"),
    "IO": ("know",),
}

Triple = tuple[float, float, float]  # shares of letters, words and games that are right


@dataclass(frozen=True)
class Cell:
    """One method at one setting of the dials: a point of a figure, or a row of the table."""

    method: str
    dial: str  # "reference": none has moved
    at: float

    @property
    def dials(self) -> dict[str, float]:
        return REFERENCE | ({self.dial: self.at} if self.dial in REFERENCE else {})

    @property
    def knobs(self) -> tuple[str, dict[str, Any]]:
        return METHODS.get(self.method, ("tot-dfs", {"backtrack": False, "greedy": "fits"}))

    @property
    def key(self) -> str:
        return f"{self.method}, {self.dial} {self.at:g}"


def cells() -> list[Cell]:
    """The table first, then dial by dial. A setting equal to the reference is not run twice."""
    every = [Cell(method, "reference", 0.0) for method in (*METHODS, FITS)]
    for dial, settings in DIALS.items():
        moved = [at for at in settings if at != REFERENCE[dial]]
        every += [Cell(method, dial, at) for at in moved for method in METHODS if dial in FEELS[method]]
    return every


@cache
def solver(cell: Cell, seed: int) -> SimulatedSolver:
    return SimulatedSolver(seed=seed, **cell.dials)


# ---------------------------------------------------------------- one run


def triple(score: Score) -> Triple:
    return score.parts["letters"], score.parts["words"], float(score.correct)


def of_node(problem: Problem, node: Node | None) -> Triple:
    return triple(TASK.verify(problem, node.state.answer)) if node else (0.0, 0.0, 0.0)


def letters_on(node: Node) -> int:
    return 25 - (read_board(node.state.answer or "") or BLANK * 25).count(BLANK)


def sureness(node: Node) -> float:
    """The confidences of all its words, added up; rounded, so that equal sums are equal."""
    return level(total(thought.prior or 0.0 for thought in node.state.thoughts))


def outputs(visited: Sequence[Node], entered: set[str]) -> dict[str, Node | None]:
    """What other output rules would have returned of the same search. ``max`` keeps the first of equals."""
    not_pruned = [node for node in visited if node.id in entered]
    return {
        FIRST: max(visited, key=lambda n: n.depth, default=None),
        "first deepest, not pruned": max(not_pruned, key=lambda n: n.depth, default=None),
        "last deepest": max(reversed(visited), key=lambda n: n.depth, default=None),
        SUREST: max(visited, key=lambda n: (n.depth, sureness(n)), default=None),
        "most letters": max(visited, key=letters_on, default=None),
        "most letters, not pruned": max(not_pruned, key=letters_on, default=None),
    }


def sound(problem: Problem, node: Node) -> bool:
    """Are all letters on its board right? Knows the gold: for looking at finished runs."""
    board = read_board(node.state.answer or "") or ""
    gold = read_board(problem.gold or "") or ""
    return all(letter in (BLANK, right) for letter, right in zip(board, gold, strict=True))


def measure(problem: Problem, solution: Solution) -> Figures:
    """What is kept of a run: scores by output rule, after so many steps; how pruning judged; calls."""
    bill = solution.result.ledger
    if solution.method != "tot-dfs":
        samples = [triple(score) for score in solution.scores]
        mean = tuple(round(fmean(column), 4) for column in zip(*samples, strict=True))
        return {"rules": {"mean of samples": mean, "best state": triple(solution.oracle or solution.score)}}
    visited, events = solution.result.visited, solution.trace.events
    entered = {node["id"] for event in events if event["kind"] == "kept" for node in event["nodes"]}
    rules = {name: of_node(problem, node) for name, node in outputs(visited, entered).items()}
    rules["best state"] = triple(solution.oracle or solution.score)
    after = {str(n): of_node(problem, max(visited[:n], key=lambda node: node.depth, default=None)) for n in STEPS}
    fate = [(node.id in entered, sound(problem, node)) for node in visited]
    return {
        "rules": rules,
        "after": after,
        "visited": len(visited),
        "calls": {role: usage.calls for role, usage in bill.asked.items()},
        "pruned": [fate.count((False, True)), fate.count((False, False))],  # sound boards, others
        "entered": [fate.count((True, True)), fate.count((True, False))],
    }


def play(cell: Cell, seed: int, problem: Problem) -> Line:
    method, knobs = cell.knobs
    solution = solve(TASK, problem, method, lm=solver(cell, seed), **knobs)
    return {"cell": cell.key, "seed": seed, "puzzle": problem.id, **measure(problem, solution)}


# ---------------------------------------------------------------- figures


def share(values: Mapping[str, Sequence[float]], difference: bool = False) -> list[float]:
    """[estimate, low, high] of values by puzzle. At 0 and 1, where a bootstrap has no width, Wilson's."""
    groups = list(values.values())
    return mean(groups, resamples=RESAMPLES) if difference else of_samples(groups, RESAMPLES)


def by_puzzle(lines: Iterable[Line], value: Callable[[Line], float]) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for line in lines:
        groups.setdefault(line["puzzle"], []).append(value(line))
    return groups


def triples(lines: Sequence[Line], pick: Callable[[Line], Sequence[float]], difference: bool = False) -> Figures:
    return {
        name: share(by_puzzle(lines, lambda line, i=i: pick(line)[i]), difference)
        for i, name in enumerate(("letters", "words", "games"))
    }


def aggregate(lines: Sequence[Line]) -> Figures:
    """The figures of one cell."""
    rules = {rule: triples(lines, lambda line, rule=rule: line["rules"][rule]) for rule in lines[0]["rules"]}
    figures: Figures = {"runs": len(lines), "rules": rules}
    if "after" not in lines[0]:
        return figures
    figures["after"] = {n: triples(lines, lambda line, n=n: line["after"][n]) for n in lines[0]["after"]}
    figures["visited"] = round(fmean(line["visited"] for line in lines), 2)
    roles = dict.fromkeys(role for line in lines for role in line["calls"])
    figures["calls"] = {role: round(fmean(line["calls"].get(role, 0) for line in lines), 2) for role in roles}
    for fate in ("pruned", "entered"):
        figures[fate] = [sum(line[fate][i] for line in lines) for i in (0, 1)]
    return figures


def paired(a: Sequence[Line], b: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Runs of the same puzzle with the same seed."""
    other = {(line["puzzle"], line["seed"]): line for line in b}
    return [(line, other[line["puzzle"], line["seed"]]) for line in a]


def gap(a: Sequence[Line], b: Sequence[Line], rule: str = FIRST, other: str = FIRST) -> Figures:
    """a, read by ``rule``, minus b, read by ``other``, run by run."""
    differences = [
        {"puzzle": x["puzzle"], "by": [p - q for p, q in zip(x["rules"][rule], y["rules"][other], strict=True)]}
        for x, y in paired(a, b)
    ]
    return triples(differences, lambda line: line["by"], difference=True)


def against(a: Sequence[Line], b: Sequence[Line]) -> Figures:
    """a minus b on the same puzzles with the same seeds; and how many games only one of the two ever reached."""
    found = [(x["rules"]["best state"][2], y["rules"]["best state"][2]) for x, y in paired(a, b)]
    return {
        **gap(a, b),
        "games reached by the first alone": found.count((1.0, 0.0)),
        "games reached by the second alone": found.count((0.0, 1.0)),
        "games reached by both": found.count((1.0, 1.0)),
    }


def figures_of(lines: Iterable[Line], seeds: int) -> Figures:
    by_cell: dict[str, list[Line]] = {}
    for line in lines:
        by_cell.setdefault(line["cell"], []).append(line)
    for group in by_cell.values():
        group.sort(key=lambda line: (line["puzzle"], line["seed"]))
    base = {method: by_cell[Cell(method, "reference", 0.0).key] for method in METHODS}
    fits = by_cell[Cell(FITS, "reference", 0.0).key]
    figures: Figures = {
        "SIMULATED": "no language model: a solver with dials, see treebook/studies/crosswords_simulated.py",
        "puzzles": len({line["puzzle"] for line in base["ToT"]}),
        "seeds": seeds,
        "reference": REFERENCE,
        "table": {method: aggregate(group) for method, group in base.items()},
        "ToT against - prune": against(base["ToT"], base["- prune"]),
        "ToT against - backtrack": against(base["ToT"], base["- backtrack"]),
        FITS: aggregate(fits),
        f"- backtrack against {FITS}": against(base["- backtrack"], fits),
        f"ToT against {FITS}": against(base["ToT"], fits),
        f"{SUREST} minus": {
            method: {rule: gap(base[method], base[method], SUREST, rule) for rule in (FIRST, "last deepest")}
            for method in ("ToT", "- prune")
        },
        "dials": {},
    }
    for dial, settings in DIALS.items():
        figures["dials"][dial] = {}
        for at in settings:
            there = {method: by_cell.get(Cell(method, dial, at).key, base[method]) for method in METHODS}
            rows = {method: aggregate(group) for method, group in there.items()}
            point: Figures = {
                method: {FIRST: row["rules"].get(FIRST, row["rules"].get("mean of samples")),
                         "best state": row["rules"]["best state"]}
                for method, row in rows.items()
            }  # fmt: skip
            point["ToT against - prune"] = against(there["ToT"], there["- prune"])
            point["sound states of ToT"] = {fate: rows["ToT"][fate][0] for fate in ("pruned", "entered")}
            if dial == "stubborn":
                start = {m: by_cell.get(Cell(m, dial, settings[0]).key, base[m]) for m in METHODS if dial in FEELS[m]}
                point["minus the first setting"] = {method: gap(there[method], start[method]) for method in start}
            figures["dials"][dial][f"{at:g}"] = point
    return figures


# ---------------------------------------------------------------- the study


def study(runs: Path, seeds: int = SEEDS) -> Figures:
    """Play what ``runs`` does not hold yet, and aggregate all of it."""
    todo = {
        (cell.key, seed, problem.id): (cell, seed, problem)
        for cell in cells()
        for seed in range(seeds)
        for problem in TASK.problems("book")
    }
    found = trials(todo, lambda job: play(*job), runs, lambda line: (line["cell"], line["seed"], line["puzzle"]))
    return figures_of(json.loads(json.dumps([*found.values()])), seeds)


def main() -> None:
    a = options(__doc__, seeds=SEEDS, runs=(RUNS, "a line for each run; delete it to start anew"), out=RESULTS)
    write(study(a.runs, a.seeds), a.out)


if __name__ == "__main__":
    main()
