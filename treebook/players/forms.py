"""How the pocket model was taught to write: a control token, a question, a reply. The other forms are in
``studies/pocket/forms.py``.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from tot.tasks.game24_rules import Numbers, Step, expression, show_numbers

Form = tuple[str, str, str]  # control token, question, reply


@cache
def plain(step: Step) -> str:
    """The equation alone, without what is left."""
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
