"""The forms of the pocket model's training sequences: a control token, a question, a reply. What to write is for others
to say: the solver's pupil (``studies.pocket.data``), or one that searches (``studies.teach``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Protocol

from tot.tasks.game24_rules import Numbers, Step, expression, show_numbers

from .tokens import CONTROL_TOKEN, END, encode

REPLY = CONTROL_TOKEN["<reply>"]
Form = tuple[str, str, str]  # control token, question, reply
Shard = list[tuple[tuple[int, ...], int]]  # sequences for training: tokens, and where the model begins to learn


@dataclass(frozen=True)
class Example:
    """Tokens of one training sequence; the model learns those from ``learn`` on."""

    tokens: tuple[int, ...]
    learn: int


class Draws(Protocol):
    def draw(self) -> Example: ...


def drawn(maker: Draws, size: int) -> Shard:
    return [(s.tokens, s.learn) for s in (maker.draw() for _ in range(size))]


@cache
def plain(step: Step) -> str:
    return f"{step.a} {step.op} {step.b} = {step.result}"


def as_example(form: Form) -> Example:
    control, question, reply = form
    prompt = [CONTROL_TOKEN[control], *encode(question), REPLY]
    return Example((*prompt, *encode(reply), END), len(prompt))


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


def direct(asked: Sequence[Fraction], numbers: Numbers, steps: Sequence[Step]) -> Form:
    return "<io>", f"Numbers: {show_numbers(asked)}", f"Answer: {expression(numbers, steps)}"


def answer(numbers: Numbers, steps: Sequence[Step]) -> Form:
    """The steps are in the question; the reply is the expression that they make."""
    lines = "\n".join(map(str, steps))
    return "<answer>", f"Numbers: {show_numbers(numbers)}\n{lines}", f"Answer: {expression(numbers, steps)}"
