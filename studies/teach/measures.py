"""What a model can do on the 100 hard puzzles, which no round ever sees: at once, by a chain, by votes, by the tree;
and how good its two halves are. Figures with intervals, and outcomes puzzle by puzzle for tests that compare models.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from studies.figures import Figures, share
from studies.game24 import of_samples, right
from studies.search_pays.measure import generating, judging, pool
from studies.teach.searching import BREADTH, PROPOSALS
from studies.trials import GAME, play, solved, written
from tot.lm.base import LM
from tot.solution import Solution
from tot.tasks.base import Problem

IO_SAMPLES, CHAINS = 10, 40  # of each puzzle
POOL = 50  # puzzles below which the states for both halves lie
SHAPES = {  # the shape of a tree decides how it compares with checked chains, so chapter 18 has three
    "narrow ToT": {"breadth": 1, "proposals": 3},  # for as many tokens as five states with one reply: see chapter 16
    "teacher ToT": {"breadth": BREADTH, "proposals": PROPOSALS},  # as it searches the training puzzles
}


def measured(lm: LM, problems: Sequence[Problem]) -> Figures:
    """What it solves, and how good its two halves are. Rates are [rate, low, high] at 95 %."""
    states = pool(problems[:POOL])
    halves = {"generating": generating(lm, states), "judging": judging(lm, states)}
    return {**solving(lm, problems), **halves, **shaped(lm, problems)}


def shaped(lm: LM, problems: Sequence[Problem]) -> Figures:
    """The same tree in other shapes."""
    return {shape: tree(lm, problems, **knobs) for shape, knobs in SHAPES.items()}


def solving(lm: LM, problems: Sequence[Problem]) -> Figures:
    """At once, by a chain, by votes, by the check, by the wide tree."""
    at_once, chains = play(problems, "io", lm, k=IO_SAMPLES), play(problems, "cot-sc", lm, k=CHAINS)
    return {
        "puzzles": len(problems),
        "IO": {"rate": of_samples(at_once), "right": right(at_once), "tokens": tokens(at_once)},
        "CoT": {"rate": of_samples(chains), "right": right(chains), "tokens": tokens(chains)},
        "CoT-SC": {"k": CHAINS, **rated(chains)},
        "best of the chains": {"k": CHAINS, "rate": share(s.any for s in chains)},
        "different ways": round(fmean(map(different, chains)), 2),
        "ToT": tree(lm, problems, breadth=BREADTH),
    }


def tree(lm: LM, problems: Sequence[Problem], **knobs: int) -> Figures:
    """What a tree of this shape solves, and the tokens that it writes for a puzzle."""
    runs = play(problems, "tot-bfs", lm, **knobs)
    return {**rated(runs), "tokens": tokens(runs)}


def rated(runs: Sequence[Solution]) -> Figures:
    return {"rate": share(solved(runs)), "solved": solved(runs)}


def tokens(runs: Sequence[Solution]) -> float:
    """Written for each puzzle, all its samples together."""
    return round(fmean(written(runs)), 1)


def different(run: Solution) -> int:
    """How many different answers the chains name: what training on few ways may shrink."""
    return len({GAME.same(answer) for answer in run.answers if answer is not None})
