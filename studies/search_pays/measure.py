"""How good is a generator, how good a judge? Each at its own half of the work, on the same states for all.

The states lie below the puzzles of the map: all legal steps from a puzzle, and from what is left after one, drawn with
a fixed seed. *Living* states can still reach 24 (an exhaustive solver says so), *dead* ones cannot.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import prod
from random import Random
from typing import Any

from studies.search_pays.play import GAME, OWN
from tot.lm.base import LM
from tot.state import State, Thought
from tot.stats import bootstrap, mean_of_means
from tot.tasks.base import Problem
from tot.tasks.game24 import VERDICTS, left
from tot.tasks.game24_rules import Step, moves, solvable

EACH = 4  # living and dead states drawn below each state
REPLIES = {4: 5, 3: 1, 2: 1}  # propose replies for a living state, by how many numbers are left
SAMPLES = 3  # verdicts on each state, as in the search

Place = tuple[int, State]  # the puzzle's number, a state below it
Pool = dict[int, dict[bool, list[Place]]]  # numbers left -> living? -> states


def child(state: State, step: Step) -> State:
    return state.then(Thought(str(step), step))


def pool(problems: Sequence[Problem], seed: int = 0) -> Pool:
    """Four living and four dead states with three numbers below each puzzle, if there are so many; below each of the
    living ones, the same with two numbers. No two states of one puzzle have the same numbers left.
    """
    dice = Random(seed)
    roots = [(i, State(problem.x)) for i, problem in enumerate(problems)]
    found: Pool = {4: {True: roots, False: []}}
    for size in (3, 2):
        found[size] = {True: [], False: []}
        seen = set()
        for i, state in found[size + 1][True]:
            steps = list(moves(left(state)))
            dice.shuffle(steps)
            for alive in (True, False):
                below = {s.left: s for s in steps if solvable(s.left) == alive and (i, s.left) not in seen}
                for step in list(below.values())[:EACH]:
                    seen.add((i, step.left))
                    found[size][alive].append((i, child(state, step)))
    return found


def generating(lm: LM, states: Pool) -> dict[str, Any]:
    """By numbers left: of living states, how often a line is a legal step, how often it keeps 24 in reach, and how
    often a reply has at least one that does. "axis": the geometric mean of the last over the three sizes.
    """
    halves = {size: _generating(lm, states[size][True], REPLIES[size]) for size in (4, 3, 2)}
    found: dict[str, Any] = {str(size): figures for size, (figures, _) in halves.items()}
    puzzles = sorted(set.union(*(set(some) for _, some in halves.values())))
    groups = [[some.get(i, []) for _, some in halves.values()] for i in puzzles]
    return found | {"axis": _interval(groups, _geometric)}


def _generating(lm: LM, places: Sequence[Place], n: int) -> tuple[dict[str, Any], dict[int, list[float]]]:
    requests = [GAME.propose(state, "one-shot").samples(OWN * i, n) for i, state in places]
    legal: dict[int, list[float]] = {}
    lives: dict[int, list[float]] = {}
    some: dict[int, list[float]] = {}
    count: list[int] = []
    for (i, state), reply in zip(places, lm(requests), strict=True):
        for text in reply.texts:
            steps = [read.value.data for read in GAME.read_proposals(state, text) if read.value]
            lines = len(GAME.lines(text)) or 1
            alive = [isinstance(step, Step) and solvable(step.left) for step in dict.fromkeys(steps)]
            legal.setdefault(i, []).append(len(steps) / lines)
            lives.setdefault(i, []).append(sum(alive) / lines)
            some.setdefault(i, []).append(float(any(alive)))
            count.append(len(alive))
    return {
        "states": len(places),
        "puzzles": len(legal),
        "legal lines": _mean(legal),
        "a line keeps 24 in reach": _mean(lives),
        "a reply has one that does": _mean(some),
        "different legal steps in a reply": round(sum(count) / len(count), 2),
    }, some


def _geometric(groups: Any) -> float:
    """Of [puzzle][size][values]: the geometric mean over sizes of the means over all values."""
    means = [[v for group in groups for v in group[size]] for size in range(3)]
    return float(prod(sum(values) / len(values) for values in means) ** (1 / 3))


def judging(lm: LM, states: Pool) -> dict[str, Any]:
    """By numbers left: AUC of the value (sum of three verdicts), living against dead states; the share of living ones
    that every verdict calls impossible, and of dead ones that some verdict calls sure. "axis": the mean of both AUC.
    """
    found: dict[str, Any] = {}
    values = {size: {alive: _values(lm, states[size][alive]) for alive in (True, False)} for size in (3, 2)}
    for size, valued in values.items():
        found[str(size)] = {
            "living": len(valued[True]),
            "dead": len(valued[False]),
            "puzzles": len({i for i, _ in valued[True]}),
            "AUC": _interval(_sides({size: valued}), _mean_auc),
            "false impossible": _mean(_by_puzzle(valued[True], lambda v: v < VERDICTS["likely"])),
            "false sure": _mean(_by_puzzle(valued[False], lambda v: v >= VERDICTS["sure"])),
        }
    return found | {"axis": _interval(_sides(values), _mean_auc)}


Valued = list[tuple[int, float]]  # the puzzle's number, the value of one of its states


def _values(lm: LM, places: Sequence[Place]) -> Valued:
    replies = lm([GAME.value(state).samples(OWN * i, SAMPLES) for i, state in places])
    return [
        (i, sum(read.value for read in map(GAME.read_value, reply.texts) if read.value is not None))
        for (i, _), reply in zip(places, replies, strict=True)
    ]


def _sides(values: dict[int, dict[bool, Valued]]) -> list[Any]:
    """[puzzle][size] -> (values of living states, values of dead ones)."""
    puzzles = sorted({i for sides in values.values() for i, _ in [*sides[True], *sides[False]]})
    return [
        [tuple([v for j, v in sides[alive] if j == i] for alive in (True, False)) for sides in values.values()]
        for i in puzzles
    ]


def _mean_auc(groups: Any) -> float:
    """The mean over sizes of the AUC over all puzzles' states."""
    sizes = range(len(groups[0]))
    sides = [[[v for group in groups for v in group[size][side]] for side in (0, 1)] for size in sizes]
    return sum(auc(living, dead) for living, dead in sides) / len(sides)


def auc(living: Sequence[float], dead: Sequence[float]) -> float:
    """How often a living state is valued above a dead one; ties half."""
    dead = sorted(dead)
    wins = sum(bisect_left(dead, v) + bisect_right(dead, v) for v in living) / 2
    return wins / (len(living) * len(dead))


def _interval(groups: Any, statistic: Any) -> list[float]:
    found = bootstrap(groups, statistic, resamples=400)
    return [round(x, 4) for x in (found.rate, found.low, found.high)]


def _by_puzzle(values: Valued, holds: Any) -> dict[int, list[float]]:
    groups: dict[int, list[float]] = {}
    for i, value in values:
        groups.setdefault(i, []).append(float(holds(value)))
    return groups


def _mean(groups: dict[int, list[float]]) -> list[float]:
    return _interval(list(groups.values()), mean_of_means)
