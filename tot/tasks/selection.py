"""Selecting problems: how "hard[:20]" or "4 9 10 13" names the problems of a run."""

import re

from .base import Problem, Task


def pick(task: Task, text: str) -> list[Problem]:
    """The problems that a user names: a split, part of a split ("hard[:20]", "all[::34]", "hard[3]"), or one problem.

    Raises ValueError, saying what to write, for an unknown split, a malformed part or problem, or an empty selection.
    """
    named = re.fullmatch(r"\s*([A-Za-z][\w-]*)\s*(?:\[([^\[\]]*)\])?\s*", text)
    if not named:
        return [task.problem(text)]
    split, part = named.groups()
    problems = task.problems(split)
    if part is None:
        return problems
    numbers = part.split(":")
    if len(numbers) > 3 or not all(re.fullmatch(r"\s*(-?\d{1,9})?\s*", n) for n in numbers) or not part.strip():
        raise ValueError(f"cannot read the part [{part}] of {split}: write, for example, {split}[:20] or {split}[::10]")
    bounds = [int(n) if n.strip() else None for n in numbers]
    if len(bounds) == 1:
        bounds = [bounds[0], (bounds[0] or 0) + 1 or None]
    if len(bounds) == 3 and bounds[2] == 0:
        raise ValueError(f"the step of {split}[{part}] is 0: write at least 1")
    if not (selected := problems[slice(*bounds)]):
        raise ValueError(f"{split}[{part}] selects no problem: {split} has {len(problems)}")
    return selected
