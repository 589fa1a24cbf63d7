"""What a novice practises: the rules, and nothing about what is worth doing. No solver has a part in it.

Every sequence is a prompt and a reply of the pocket model's formats. Proposals are legal steps drawn blindly; a verdict
is what the novice's own random tries came to; a chain uses up the numbers at random, and mostly misses.
The puzzles are those of ``studies.pocket.data.puzzles``: all but the 400 held out, whether or not they can be solved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from studies.pocket.data import LARGEST, LINES, puzzles
from studies.pocket.forms import Example, answer, as_example, direct
from tot.tasks.game24_rules import TARGET, Numbers, Step, moves
from treebook.players.forms import Form, chain, proposals, verdict

# kind of sequence -> share of the training data
MIX = {
    "steps 4": 0.21,
    "steps 3": 0.13,
    "steps 2": 0.04,
    "value 3": 0.29,
    "value 2": 0.09,
    "chain": 0.16,
    "direct": 0.05,
    "answer": 0.03,
}
FREE = 0.3  # how often three or two numbers belong to no puzzle in particular
ODD = 0.3  # a step to a fraction, a negative or a large number is practised on less often: 0.3 times as often


@dataclass
class Novice:
    """Draws sequences. ``own``: the puzzles that it starts from."""

    rng: Random
    own: Sequence[Numbers] = field(default_factory=puzzles)

    def __post_init__(self) -> None:
        self.kinds, self.shares = list(MIX), list(MIX.values())
        self.makers: dict[str, Callable[[], Form]] = {
            **{f"steps {n}": lambda n=n: self.steps(n) for n in (4, 3, 2)},  # type: ignore[misc]
            **{f"value {n}": lambda n=n: self.value(n) for n in (3, 2)},  # type: ignore[misc]
            "chain": self.chain,
            "direct": self.direct,
            "answer": self.answer,
        }

    def draw(self) -> Example:
        return as_example(self.makers[self.rng.choices(self.kinds, self.shares)[0]]())

    def puzzle(self) -> Numbers:
        return self.rng.choice(self.own)

    def state(self, size: int) -> Numbers:
        """So many numbers, left somewhere below a puzzle or drawn freely: one of up to 100, the others of up to 13."""
        if size < 4 and self.rng.random() < FREE:
            drawn = [self.rng.randint(1, 13) for _ in range(size - 1)] + [self.rng.randint(1, LARGEST)]
            return tuple(sorted(map(Fraction, drawn)))
        numbers = self.puzzle()
        while len(numbers) > size:
            steps = moves(numbers)
            numbers = self.rng.choices(steps, [1.0 if ordinary(step) else ODD for step in steps])[0].left
        return numbers

    def way(self, numbers: Numbers) -> list[Step]:
        """Uses up the numbers, each step drawn uniformly from all that are legal."""
        steps: list[Step] = []
        while len(numbers) > 1:
            steps.append(self.rng.choice(moves(numbers)))
            numbers = steps[-1].left
        return steps

    def steps(self, size: int) -> Form:
        """Up to eight different legal steps, in no order of merit."""
        numbers = self.state(size)
        steps = moves(numbers)
        return proposals(numbers, self.rng.sample(steps, min(LINES, len(steps))))

    def value(self, size: int) -> Form:
        """One random try, and a second one if the first missed; *sure* if the last one made 24."""
        numbers = self.state(size)
        tries = [self.way(numbers)]
        if tries[-1][-1].result != TARGET:
            tries.append(self.way(numbers))
        return verdict(numbers, tries, "sure" if tries[-1][-1].result == TARGET else "impossible")

    def chain(self) -> Form:
        numbers = self.puzzle()
        return chain(self.asked(numbers), numbers, self.way(numbers))

    def direct(self) -> Form:
        numbers = self.puzzle()
        return direct(self.asked(numbers), numbers, self.way(numbers))

    def answer(self) -> Form:
        numbers = self.puzzle()
        return answer(numbers, self.way(numbers))

    def asked(self, numbers: Numbers) -> Sequence[Fraction]:
        """Mostly in order, as the bundled puzzles are; a user may type them in any."""
        return self.rng.sample(numbers, len(numbers)) if self.rng.random() < 0.2 else numbers


def ordinary(step: Step) -> bool:
    """Is the result a whole number of ordinary size, as most numbers are that people meet?"""
    return step.result.denominator == 1 and 0 <= step.result <= 150
