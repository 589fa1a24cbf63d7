"""The forms of the pocket model's training sequences: a control token, a question, a reply. What to write is for others
to say: the solver's pupil (``data``), or one that searches (``studies.teach``). Those that chapter 18 shows stand in
``treebook.players.forms``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Protocol

from tot.tasks.game24_rules import Numbers, Step, expression, show_numbers
from treebook.players.forms import Form
from treebook.players.tokens import CONTROL_TOKEN, END, encode

REPLY = CONTROL_TOKEN["<reply>"]
Shard = list[tuple[tuple[int, ...], int]]  # sequences for training: tokens, and where the model begins to learn


@dataclass(frozen=True)
class Example:
    """Tokens of one training sequence; the model learns those from ``learn`` on."""

    tokens: tuple[int, ...]
    learn: int


def in_order(weight: Mapping[Step, float], rng: Random) -> list[Step]:
    """A weighted sample without replacement, of all steps (Efraimidis and Spirakis 2006)."""
    return sorted(weight, key=lambda step: -(rng.random() ** (1 / weight[step])))


class Draws(Protocol):
    def draw(self) -> Example: ...


def drawn(maker: Draws, size: int) -> Shard:
    return [(s.tokens, s.learn) for s in (maker.draw() for _ in range(size))]


def as_example(form: Form) -> Example:
    control, question, reply = form
    prompt = [CONTROL_TOKEN[control], *encode(question), REPLY]
    return Example((*prompt, *encode(reply), END), len(prompt))


def direct(asked: Sequence[Fraction], numbers: Numbers, steps: Sequence[Step]) -> Form:
    return "<io>", f"Numbers: {show_numbers(asked)}", f"Answer: {expression(numbers, steps)}"


def answer(numbers: Numbers, steps: Sequence[Step]) -> Form:
    """The steps are in the question; the reply is the expression that they make."""
    lines = "\n".join(map(str, steps))
    return "<answer>", f"Numbers: {show_numbers(numbers)}\n{lines}", f"Answer: {expression(numbers, steps)}"
