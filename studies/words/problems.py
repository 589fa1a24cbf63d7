"""The held-out problems, and how far they overlap with what is trained on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from studies.words.plans import Sum, operations, value
from studies.words.world import Story, held_out, tell, training
from tot.tasks.base import Problem

N, SEED = 300, 21


def held_out_problems(n: int = N, seed: int = SEED) -> list[Story]:
    """``n`` different problems whose template and whose numbers are both held out; the same for equal seeds."""
    rng, found = Random(f"held out {seed}"), dict[str, Story]()
    while len(found) < n:
        if held_out(story := tell(rng)):
            found.setdefault(story.question, story)
    return [*found.values()]


def problems() -> list[Problem]:
    """The same as problems of the task ``gsm8k``."""
    return [Problem(f"pocket-{i}", s.question, str(s.answer)) for i, s in enumerate(held_out_problems(), 1)]


def drawn(n: int, seed: int = 0) -> Iterator[Story]:
    """``n`` draws of problems that may be trained on."""
    rng = Random(f"overlap {seed}")
    while n:
        if training(story := tell(rng)):
            yield story
            n -= 1


def overlap(n: int = 30_000) -> dict[str, float]:
    """Shares of what the held-out problems consist of that also occurs in ``n`` draws of training problems."""
    held, seen = held_out_problems(), [*drawn(n)]
    questions, numbers = {s.question for s in seen}, {s.numbers for s in seen}
    templates = {s.template for s in seen}
    pairs = {pair for s in seen for pair in zip(s.template, s.template[1:], strict=False)}
    sums = {_sum(one) for s in seen for one in operations(s.amount)}
    own_pairs = [pair for s in held for pair in zip(s.template, s.template[1:], strict=False)]
    own_sums = [_sum(one) for s in held for one in operations(s.amount)]

    def share(these: Collection[object], those: Collection[object]) -> float:
        return sum(one in those for one in these) / len(these)

    return {
        "questions": share([s.question for s in held], questions),
        "templates": share([s.template for s in held], templates),
        "lists of numbers": share([s.numbers for s in held], numbers),
        "two parts of a template in a row": share(own_pairs, pairs),
        "single sums": share(own_sums, sums),
    }


def _sum(one: Sum) -> tuple[int, str, int]:
    return value(one.a), one.op, value(one.b)
