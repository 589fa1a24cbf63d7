"""Two models that were not trained here, placed on the same axes: GPT-4 from its authors' log, and the recorded 1.5B.

Neither played our hundred puzzles: GPT-4 played another hundred hard ones, the 1.5B ten of the easiest third. Their
places are points beside the map, not rows of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path

import tot
from studies.figures import Figures, mean, read, share
from studies.game24 import nodes_of, of_answers
from studies.search_pays.measure import auc, mean_auc
from studies.trials import play
from tot.lm.base import LM
from tot.solution import Solution
from tot.stats import paired
from tot.tasks.base import Problem
from tot.tasks.game24 import left
from tot.tasks.game24_rules import solvable

AUTHORS = Path(__file__).parents[1] / "results" / "authors.json"
CASSETTES = Path(__file__).parents[2] / "notebooks" / "cassettes"


def gpt4() -> Figures:
    """From ``results/authors.json``: reach and AUC by step, the tree's success, and the chains its tokens would buy."""
    log = read(AUTHORS)
    steps = [log["game24 reach"]["steps"][f"step {i}"]["at least one line of a reply does"]["rate"] for i in (1, 2, 3)]
    judged = [log["game24 reach"]["verdicts"][f"{size} numbers left"]["auc"]["auc"] for size in ("three", "two")]
    chains = log["game24 samples"]["best of k (checked)"]["CoT"]
    return {
        "puzzles": "ranks 901 to 1000 of the authors' list",
        "n": 100,
        "one chain": log["game24 samples"]["CoT"]["rate"][0],
        "reach": round(prod(rate[0] for rate in steps) ** (1 / 3), 4),
        "reach by step": steps,
        "AUC": round(sum(a[0] for a in judged) / 2, 4),
        "AUC by numbers left": judged,
        "search": "ToT, b = 5, composed by program",
        "tree": log["game24 tree"]["success"]["composed by program"]["rate"],
        "thousand tokens written": log["game24 tree"]["bill"]["generated k"],
        "rival": "best of 100 chains (which write more than the tree)",
        "rival's rate": chains["k=100"]["rate"],
        "best of 50 chains": chains["k=50"]["rate"],
    }


def recorded_model() -> Figures:
    """From chapter 6's cassette: the states of its own trees (b = 5, lean prompts, ten starter puzzles)."""
    lm = tot.Cassette(CASSETTES / "06.jsonl")
    game = tot.task("game24")
    problems = game.problems("starter")[::4]
    runs = {b: [tot.solve(game, p, "tot-bfs", lm=lm, style="lean", breadth=b) for p in problems] for b in (1, 5)}
    chains = [tot.solve(game, p, "cot", lm=tot.Cassette(CASSETTES / "04.jsonl"), k=5) for p in problems]
    best = [one.any for one in chains]
    reach = {size: [x for run in runs[5] for x in offers(run, size)] for size in (4, 3, 2)}
    valued = {size: sides(runs[5], size) for size in (3, 2)}
    areas = [auc(*valued[size]) for size in (3, 2) if all(valued[size])]
    return {
        "model": lm.name,
        "puzzles": "every fourth of the split starter (easy ones)",
        "n": len(problems),
        "one chain": sum(score.correct for one in chains for score in one.scores) / (5 * len(chains)),
        "reach": round(prod(sum(x) / len(x) for x in reach.values()) ** (1 / 3), 4),
        "replies about living states": {str(size): len(x) for size, x in reach.items()},
        "AUC": round(sum(areas) / len(areas), 4),
        "states judged, living and dead": {str(size): [len(a), len(b)] for size, (a, b) in valued.items()},
        "search": "ToT, b = 1 (b = 5 beside it)",
        "tree": of_answers(runs[1]),
        "tree, b = 5": of_answers(runs[5]),
        "rival": "best of 5 chains (fewer tokens than the tree)",
        "rival's rate": share(best),
        "b = 1 against best of 5": paired([run.chosen for run in runs[1]], best).p,
    }


def own(lm: LM, problems: Sequence[Problem]) -> Figures:
    """A player measured like these two, on the states of its own trees (b = 5, one reply): how often a reply about a
    living state has a step that keeps it so, by the numbers left, and the AUC over both sizes.
    """
    runs = play(problems, "tot-bfs", lm, breadth=5)
    grown = [run for run in runs if run.result.best]  # the others had no legal step to begin with
    reach = {size: [offers(run, size) for run in grown] for size in (4, 3, 2)}
    reach[4] += [[0.0]] * (len(runs) - len(grown))
    judged = [[sides([run], size) for size in (3, 2)] for run in grown] or [[([], [])] * 2]
    return {
        "reach": {str(size): mean(kept) for size, groups in reach.items() if (kept := list(filter(None, groups)))},
        "AUC": mean(judged, mean_auc, 400),
    }


def offers(run: Solution, size: int) -> list[float]:
    """For each living state of this size that was asked about: did the reply have a step that keeps 24 in reach?"""
    states = [node for node in nodes_of(run) if not node.terminal and len(left(node.state)) == size]
    asked = {n for event in run.trace.events if event["kind"] == "expanded" for n in event["of"]}
    return [
        float(any(solvable(left(child.state)) for child in node.children))
        for node in states
        if node.id in asked and solvable(left(node.state))
    ]


def sides(runs: list[Solution], size: int) -> tuple[list[float], list[float]]:
    """(values of living states, of dead ones) with this many numbers left; each question of a puzzle once."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for run in runs:
        values = {left(n.state): n.value for n in nodes_of(run) if n.depth and n.value is not None}
        for numbers, value in values.items():
            if len(numbers) == size:
                found[solvable(numbers)].append(value)
    return found[True], found[False]
