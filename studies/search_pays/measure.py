"""How good is a generator, how good a judge? Each at its own half of the work, on the same states for all.

The states lie below the puzzles of the map: all legal steps from a puzzle, and from what is left after one, drawn with
a fixed seed. *Living* states can still reach 24 (an exhaustive solver says so), *dead* ones cannot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from random import Random
from statistics import fmean
from typing import Any

from studies.authors.figures import rank
from studies.figures import Figures, mean
from studies.trials import GAME, OWN
from tot.lm.base import LM
from tot.state import State, Thought
from tot.tasks.base import Problem
from tot.tasks.game24 import VERDICTS, Game24, left
from tot.tasks.game24_rules import Step, moves, solvable
from tot.tasks.game24_style import lines_of

EACH = 4  # living and dead states drawn below each state
REPLIES = 3  # propose replies for a living state
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


def generating(lm: LM, states: Pool) -> Figures:
    """By numbers left: of living states, how often a line is a legal step, how often it keeps 24 in reach, and how
    often a reply (or three replies together) has at least one that does. "axis" and "axis, 3 replies": the geometric
    means of the last two over the three sizes.
    """
    found: Figures = {}
    sizes = [_generating(lm, states[size][True]) for size in (4, 3, 2)]
    for size, (figures, _, _) in zip((4, 3, 2), sizes, strict=True):
        found[str(size)] = figures
    puzzles = sorted(set.union(*(set(one) for _, one, _ in sizes)))
    for name, at in (("axis", 1), ("axis, 3 replies", 2)):
        found[name] = mean([[size[at].get(i, []) for size in sizes] for i in puzzles], geometric, 400)
    return found


Groups = dict[int, list[float]]  # the puzzle's number -> one value for each of its states or replies


def _generating(lm: LM, places: Sequence[Place]) -> tuple[Figures, Groups, Groups]:
    """(figures, whether single replies have a living step, whether three together have one)."""
    requests = [GAME.propose(state, "one-shot").samples(OWN * i, REPLIES) for i, state in places]
    legal, lives, one, three = (dict[int, list[float]]() for _ in range(4))
    in_one: list[int] = []
    in_three: list[int] = []
    for (i, state), reply in zip(places, lm(requests), strict=True):
        together: set[Step] = set()
        for text in reply.texts:
            read = [item.value.data for item in GAME.read_proposals(state, text) if item.value]
            steps = {step for step in read if isinstance(step, Step)}
            lines = len(lines_of(text)) or 1
            legal.setdefault(i, []).append(len(read) / lines)
            lives.setdefault(i, []).append(sum(solvable(step.left) for step in steps) / lines)
            one.setdefault(i, []).append(float(any(solvable(step.left) for step in steps)))
            in_one.append(len(steps))
            together |= steps
        three.setdefault(i, []).append(float(any(solvable(step.left) for step in together)))
        in_three.append(len(together))
    return (
        {
            "states": len(places),
            "puzzles": len(legal),
            "legal lines": _mean(legal),
            "a line keeps 24 in reach": _mean(lives),
            "a reply has one that does": _mean(one),
            "three replies have one": _mean(three),
            "different legal steps in a reply": round(fmean(in_one), 2),
            "different legal steps in three": round(fmean(in_three), 2),
        },
        one,
        three,
    )


def geometric(groups: Any) -> float:
    """Of [puzzle][size][values]: the geometric mean over sizes of the means over all values."""
    means = [[v for group in groups for v in group[size]] for size in range(3)]
    return float(prod(sum(values) / len(values) for values in means) ** (1 / 3))


def judging(lm: LM, states: Pool) -> Figures:
    """By numbers left: AUC of the value (sum of three verdicts), living against dead states; the share of living ones
    that every verdict calls impossible, and of dead ones that some verdict calls sure. "axis": the mean of both AUC.
    """
    found: Figures = {}
    values = {size: {alive: values_of(lm, states[size][alive]) for alive in (True, False)} for size in (3, 2)}
    for size, valued in values.items():
        found[str(size)] = {
            "living": len(valued[True]),
            "dead": len(valued[False]),
            "puzzles": len({i for i, _ in valued[True]}),
            "AUC": mean(sides_of({size: valued}), mean_auc, 400),
            "false impossible": _mean(_by_puzzle(valued[True], lambda v: v < VERDICTS["likely"])),
            "false sure": _mean(_by_puzzle(valued[False], lambda v: v >= VERDICTS["sure"])),
        }
    return found | {"axis": mean(sides_of(values), mean_auc, 400)}


Valued = list[tuple[int, float]]  # the puzzle's number, the value of one of its states


def values_of(lm: LM, places: Sequence[Place], task: Game24 = GAME) -> Valued:
    """Each state's value: the sum of its verdicts."""
    replies = lm([task.value(state).samples(OWN * i, SAMPLES) for i, state in places])
    return [
        (i, sum(read.value for read in map(task.read_value, reply.texts) if read.value is not None))
        for (i, _), reply in zip(places, replies, strict=True)
    ]


def sides_of(values: dict[int, dict[bool, Valued]]) -> list[Any]:
    """[puzzle][size] -> (values of living states, values of dead ones)."""
    puzzles = sorted({i for sides in values.values() for i, _ in [*sides[True], *sides[False]]})
    return [
        [tuple([v for j, v in sides[alive] if j == i] for alive in (True, False)) for sides in values.values()]
        for i in puzzles
    ]


def mean_auc(groups: Any) -> float:
    """Of [puzzle][size] -> (living, dead): the mean over sizes of the AUC over all puzzles' states."""
    sizes = range(len(groups[0]))
    sides = [[[v for group in groups for v in group[size][side]] for side in (0, 1)] for size in sizes]
    return sum(auc(living, dead) for living, dead in sides) / len(sides)


def auc(living: Sequence[float], dead: Sequence[float]) -> float:
    """How often a living state is valued above a dead one; ties half."""
    return rank(Counter([*((v, 1.0) for v in living), *((v, 0.0) for v in dead)]))


def _by_puzzle(values: Valued, holds: Any) -> Groups:
    groups: Groups = {}
    for i, value in values:
        groups.setdefault(i, []).append(float(holds(value)))
    return groups


def _mean(groups: Groups) -> list[float]:
    return mean(list(groups.values()), resamples=400)
