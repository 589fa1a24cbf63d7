"""Forms of the pocket model's training texts: a control token, a question, a reply. What to write is for others to say:
the solver's pupil (``studies.pocket.data``), or one that searches (``studies.teach``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from tot.tasks.game24_rules import Numbers, Step, expression, show_numbers

Form = tuple[str, str, str]  # control token, question, reply


@cache
def plain(step: Step) -> str:
    return f"{step.a} {step.op} {step.b} = {step.result}"


def proposals(numbers: Numbers, steps: Sequence[Step], control: str = "<steps>") -> Form:
    """Next steps, a line each; those of ``<lean>`` do not write down what is left."""
    show: Callable[[Step], str] = str if control == "<steps>" else plain
    return control, f"Numbers: {show_numbers(numbers)}", "\n".join(map(show, steps))


def verdict(numbers: Numbers, tries: Sequence[Sequence[Step]], word: str) -> Form:
    """Tries to use up the numbers, each once, and what they come to."""
    shown = "; ".join(dict.fromkeys(", ".join(map(plain, steps)) for steps in tries if steps))
    return "<value>", show_numbers(numbers), f"{shown}. {word}"


def chain(asked: Sequence[Fraction], numbers: Numbers, steps: Sequence[Step]) -> Form:
    """Step by step to an answer; ``asked``: the numbers in the order in which the question names them."""
    lines = "\n".join(map(str, steps))
    return "<cot>", f"Numbers: {show_numbers(asked)}", f"{lines}\nAnswer: {expression(numbers, steps)}"
