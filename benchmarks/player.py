"""Answers Game of 24 prompts by program: the model behind the benchmark server.

It plays for every client whose prompts have the features that the paper's prompts have: numbers to propose steps for
("Input:" or "Numbers:" before them), numbers alone to value, three steps to turn into an answer ("left:"), an answer to
judge ("Answer:"). What it says depends on the prompt, the seed and the choice alone, never on the order of arrival.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from tot.tasks.game24_rules import Numbers, Step, expression, moves, read_step, solvable, verify

STEPS = 8  # proposed for each state, as in the paper's one example
WISDOM = 0.8  # share of verdicts that are true; the others are drawn at random

_NUMBER = re.compile(r"-?\d+(?:/\d+)?(?![\d.])")


def play(messages: Sequence[Mapping[str, str]], seed: int | None, choice: int) -> str:
    """One choice of the reply to a chat prompt."""
    return _play(messages[-1]["content"], seed, choice)


@lru_cache(maxsize=1 << 18)
def _play(prompt: str, seed: int | None, choice: int) -> str:
    asked = prompt.strip()
    labelled = max(asked.rfind("Input:"), asked.rfind("Numbers:"))
    asked = asked[max(labelled, 0) :]
    lines = [line.removeprefix("Steps:").strip() for line in asked.splitlines()]
    chance = random.Random(f"{prompt}|{seed}|{choice}")
    if "Answer:" in asked:
        stated = asked.partition("Answer:")[2].splitlines()[0]
        return "sure" if verify([int(n) for n in read_numbers(lines[0])], stated).correct else "impossible"
    if "left:" in asked:
        return "Answer: " + write_answer(read_numbers(lines[0]), lines[1:]) + " = 24"
    if labelled >= 0:
        return "\n".join(map(str, propose(read_numbers(lines[0]))))
    truth = "sure" if solvable(read_numbers(lines[-1])) else "impossible"
    return truth if chance.random() < WISDOM else chance.choice(["sure", "likely", "impossible"])


def read_numbers(line: str) -> Numbers:
    return tuple(sorted(map(Fraction, _NUMBER.findall(line))))


def propose(numbers: Numbers) -> list[Step]:
    """Up to eight legal steps, the same ones whenever these numbers are left: some good ones if there are any."""
    chance = random.Random(str(numbers))
    steps = list(moves(numbers))
    chance.shuffle(steps)
    good = [step for step in steps if solvable(step.left)][:2]
    rest = [step for step in steps if step not in good]
    shown = (good + rest)[:STEPS]
    chance.shuffle(shown)
    return shown


def write_answer(numbers: Numbers, lines: Sequence[str]) -> str:
    """The steps as one expression; "none" where they are no steps from these numbers."""
    steps: list[Step] = []
    left = numbers
    for line in lines:
        step = read_step(line, left).value
        if step:
            steps.append(step)
            left = step.left
    return expression(numbers, steps) if steps else "none"
