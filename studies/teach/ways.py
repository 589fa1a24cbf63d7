"""Ways that a search found, and chains that say one: legal steps from a puzzle."""

from collections.abc import Sequence

from studies.trials import GAME
from tot.state import State
from tot.tasks.base import Problem
from tot.tasks.game24 import numbers_of
from tot.tasks.game24 import steps_of as equations
from tot.tasks.game24_rules import Step, read_step


def way_to(state: State) -> list[Step]:
    """The legal steps that lead to a state."""
    return [step for step in equations(state) if isinstance(step, Step)]


def steps_of(x: str, lines: Sequence[str]) -> list[Step]:
    """Equations -> steps from the puzzle ``x``. Raises ValueError for one that is not legal."""
    numbers, steps = numbers_of(x), list[Step]()
    for line in lines:
        read = read_step(line, numbers)
        if read.value is None:
            raise ValueError(f"{x}: {line!r}: {read.why}")
        steps.append(read.value)
        numbers = read.value.left
    return steps


def legal_way(x: str, text: str) -> list[Step] | None:
    """The three steps of a chain if they are legal, else None."""
    try:
        way = steps_of(x, [line for line in text.splitlines() if "=" in line][:3])
    except ValueError:
        return None
    return way if len(way) == 3 else None


def answered(problem: Problem, text: str) -> bool:
    """Is the chain's answer right, whatever its steps?"""
    thought = GAME.read_cot(State(problem.x), text)[0].value
    return thought is not None and GAME.verify(problem, thought.answer).correct
