"""Training sequences for the pocket model, made by the package's own exact solver.

Every sequence is a prompt, rendered by the same prompts and template as at run time, and a reply that a careful player
would give. 400 puzzles are held out: no sequence starts from one of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from studies.pocket.forms import REPLY, Example, answer, as_example, direct, in_order
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import TARGET, Numbers, Step, expression, moves, show_numbers, solvable
from treebook.players.forms import Form, chain, plain, proposals, verdict
from treebook.players.tokens import AGAIN, CONTROL_TOKEN, END, encode

USER = CONTROL_TOKEN["<user>"]
HELD_OUT_SEED = 24
SHARD = 40_000  # sequences made at a time, by another process
LARGEST = 100  # of the numbers in a state of the smaller game
WIDE, WIDE_LARGEST, WIDE_SHARE = 800, 25, 0.06  # so many puzzles with larger numbers, and how often one is drawn
LINES = 8  # the prompt says: up to eight possible next steps

# kind of sequence -> share of the training data
MIX = {
    "steps 4": 0.15,
    "steps 3": 0.09,
    "steps 2": 0.02,
    "lean 4": 0.06,
    "lean 3": 0.04,
    "lean 2": 0.01,
    "value 3": 0.33,
    "value 2": 0.08,
    "cot": 0.13,
    "io": 0.04,
    "answer": 0.03,
    "judge": 0.01,
    "refine": 0.01,
}


def held_out() -> list[str]:
    """The puzzles that no training sequence starts from: the 100 of `hard`, and 300 more drawn with a seed."""
    task = Game24()
    hard = [p.x for p in task.problems("hard")]
    others = [p.x for p in task.problems("all") if p.x not in set(hard)]
    return hard + sorted(random.Random(HELD_OUT_SEED).sample(others, 300))


def puzzles(largest: int = 13) -> list[Numbers]:
    """Every puzzle over 1..largest that is not held out, solvable or not."""
    out = set(held_out())
    all_ = combinations_with_replacement(range(1, largest + 1), 4)
    return [tuple(map(Fraction, p)) for p in all_ if " ".join(map(str, p)) not in out]


@cache
def good(numbers: Numbers) -> tuple[Step, ...]:
    """The steps after which 24 can still be reached."""
    return tuple(step for step in moves(numbers) if solvable(step.left))


def solution(numbers: Numbers, rng: random.Random) -> list[Step]:
    """A random way to 24."""
    steps: list[Step] = []
    while len(numbers) > 1:
        steps.append(rng.choice(good(numbers)))
        numbers = steps[-1].left
    return steps


def attempt(numbers: Numbers, rng: random.Random) -> list[Step]:
    """A try that misses 24: of a few random ways to use up the numbers, the one that comes nearest."""
    tries = []
    for _ in range(4):
        steps, rest = [], numbers
        while len(rest) > 1:
            steps.append(rng.choice(moves(rest)))
            rest = steps[-1].left
        if rest[0] != TARGET:
            tries.append(steps)
    return min(tries, key=lambda steps: abs(steps[-1].result - TARGET), default=[])


@dataclass
class Maker:
    """Draws sequences. ``own``: puzzles over 1..13; ``wide``: some over larger numbers, as a user may type them."""

    rng: random.Random
    own: Sequence[Numbers] = field(default_factory=puzzles)
    wide: Sequence[Numbers] = ()
    wide_share: float = WIDE_SHARE

    def __post_init__(self) -> None:
        self.solvable = [p for p in self.own if solvable(p)]
        self.wide_solvable = [p for p in self.wide if solvable(p)]
        self.kinds, self.weights = list(MIX), list(MIX.values())
        self.makers: dict[str, Callable[[], Form]] = {
            "steps 4": lambda: self.steps(4, "<steps>"),
            "steps 3": lambda: self.steps(3, "<steps>"),
            "steps 2": lambda: self.steps(2, "<steps>"),
            "lean 4": lambda: self.steps(4, "<lean>"),
            "lean 3": lambda: self.steps(3, "<lean>"),
            "lean 2": lambda: self.steps(2, "<lean>"),
            "value 3": lambda: self.value(3),
            "value 2": lambda: self.value(2),
            "cot": self.cot,
            "io": self.io,
            "answer": self.answer,
            "judge": self.judge,
        }

    def draw(self) -> Example:
        kind = self.rng.choices(self.kinds, self.weights)[0]
        if kind == "refine":
            return self.refine()
        return as_example(self.makers[kind]())

    def puzzle(self, must_solve: bool = False) -> Numbers:
        wide = bool(self.wide) and self.rng.random() < self.wide_share
        if must_solve or self.rng.random() < 0.85:
            return self.rng.choice(self.wide_solvable if wide else self.solvable)
        return self.rng.choice(self.wide if wide else self.own)

    def state(self, size: int, good_share: float) -> Numbers:
        """Numbers that are left somewhere below a training puzzle, solvable about ``good_share`` of the time."""
        numbers = self.puzzle()
        while len(numbers) > size:
            on_the_way = good(numbers)
            useful = on_the_way and self.rng.random() < (good_share if len(numbers) == size + 1 else 0.7)
            numbers = self.rng.choice(on_the_way if useful else moves(numbers)).left
        return numbers

    def anywhere(self, size: int, good_share: float) -> Numbers:
        """Numbers of the smaller game, below no puzzle in particular: one of up to 100, the others of up to 13."""
        wanted = self.rng.random() < good_share
        for _ in range(6):
            drawn = [self.rng.randint(1, 13) for _ in range(size - 1)] + [self.rng.randint(1, LARGEST)]
            numbers = tuple(sorted(map(Fraction, drawn)))
            if solvable(numbers) == wanted:
                break
        return numbers

    def steps(self, size: int, control: str) -> Form:
        """Up to eight different steps in random order; those that keep 24 in reach tend to come first."""
        free = size < 4 and self.rng.random() < 0.25
        numbers = self.anywhere(size, 0.6) if free else self.state(size, 0.6)
        useful = set(good(numbers))
        weight = {step: (12.0 if step in useful else 1.0) * _taste(step) for step in moves(numbers)}
        return proposals(numbers, in_order(weight, self.rng)[:LINES], control)

    def value(self, size: int) -> Form:
        """One or two tries, then the verdict: sure if the last one makes 24."""
        return verdict(*self.tried(size))

    def tried(self, size: int) -> tuple[Numbers, list[list[Step]], str]:
        """A state, tries to make 24 of it, the verdict."""
        numbers = self.anywhere(size, 0.45) if self.rng.random() < 0.4 else self.state(size, 0.45)
        tries, word = [], "impossible"
        if not solvable(numbers):
            tries = [attempt(numbers, self.rng), attempt(numbers, self.rng)]
        else:
            if self.rng.random() < 0.25:
                tries.append(attempt(numbers, self.rng))
            tries.append(solution(numbers, self.rng))
            word = "sure"
        return numbers, tries, word

    def cot(self) -> Form:
        numbers = self.puzzle(must_solve=True)
        steps = solution(numbers, self.rng)
        return chain(self.asked(numbers), numbers, steps)

    def io(self) -> Form:
        numbers = self.puzzle(must_solve=True)
        asked = self.asked(numbers)
        return direct(asked, numbers, solution(numbers, self.rng))

    def asked(self, numbers: Numbers) -> Sequence[Fraction]:
        """Mostly in order, as the bundled puzzles are; a user may type them in any."""
        return self.rng.sample(numbers, len(numbers)) if self.rng.random() < 0.2 else numbers

    def answer(self) -> Form:
        numbers = self.puzzle(must_solve=True)
        steps = attempt(numbers, self.rng) if self.rng.random() < 0.2 else []
        return answer(numbers, steps or solution(numbers, self.rng))

    def judge(self) -> Form:
        numbers = self.puzzle(must_solve=True)
        steps, word = solution(numbers, self.rng), "each number once. sure"
        kind = self.rng.choice(["right", "miss", "other number"])
        if kind == "miss":
            steps = attempt(numbers, self.rng) or steps
        text = expression(numbers, steps)
        if kind == "other number":
            wrong = show_numbers([Fraction(self.rng.choice([n for n in range(1, 14) if n not in numbers]))])
            parts = text.split()
            at = self.rng.choice([i for i, part in enumerate(parts) if any(c.isdigit() for c in part)])
            parts[at] = "".join(c for c in parts[at] if c == "(") + wrong + "".join(c for c in parts[at] if c == ")")
            text, word = " ".join(parts), f"{wrong} is not one of the numbers. impossible"
        last = plain(steps[-1])
        if kind != "other number":
            hit = steps[-1].result == TARGET
            word = f"{last}, each number once. sure" if hit else f"{last}, not 24. impossible"
        return "<judge>", f"Numbers: {show_numbers(numbers)}\nAnswer: {text}", word

    def refine(self) -> Example:
        """Some failed answers, each refused, then a right one."""
        numbers = self.puzzle(must_solve=True)
        tokens = [CONTROL_TOKEN["<io>"], *encode(f"Numbers: {show_numbers(self.asked(numbers))}"), REPLY]
        for _ in range(self.rng.choice([1, 1, 2, 2, 3, 4, 6, 9])):
            steps = attempt(numbers, self.rng)
            if steps:
                tokens += [*encode(f"Answer: {expression(numbers, steps)}"), USER, *encode(AGAIN), REPLY]
        learn = len(tokens)
        reply = f"Answer: {expression(numbers, solution(numbers, self.rng))}"
        return Example((*tokens, *encode(reply), END), learn)


def _taste(step: Step) -> float:
    """People try whole numbers of ordinary size first."""
    if step.result.denominator > 1 or step.result < 0 or step.result > 150:
        return 0.3
    return 1.0


def wide(seed: int) -> list[Numbers]:
    """The puzzles with larger numbers that the training with this seed draws from."""
    return wide_puzzles(WIDE, WIDE_LARGEST, random.Random(f"wide {seed}"))


def wide_puzzles(n: int, largest: int, rng: random.Random) -> list[Numbers]:
    """Some puzzles over 1..largest that are not puzzles over 1..13."""
    found: set[Numbers] = set()
    while len(found) < n:
        puzzle = tuple(sorted(Fraction(rng.randint(1, largest)) for _ in range(4)))
        if puzzle[-1] > 13:
            found.add(puzzle)
    return sorted(found)
