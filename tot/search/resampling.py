"""Searches that keep states side by side, step by step: a narrow beam in each of several subtrees, and states that get
their share of a fixed number, by what they promise.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, exp, log
from random import Random

from ..ask import Evaluate, Generate, Search
from ..events import Best
from ..state import Node
from ..ties import level, total
from .breadth_first import best

Reward = Callable[[float], float]  # what the value of a state promises, from 0 to 1


def dvts(root: Node, generate: Generate, evaluate: Evaluate, *, depth: int, subtrees: int, breadth: int = 1) -> Search:
    """Diverse verifier tree search (Beeching et al. 2024): a beam of its own in each of several subtrees.

    In one beam the best states soon descend from one early thought; here what is kept in one subtree never competes
    with what is kept in another. The first thoughts, equal ones merged, are dealt out to the ``subtrees`` in turn; each
    then keeps its ``breadth`` best (the paper: 1). All share their rounds. The output is what they keep, highest value
    first: a judge picks.
    """
    beams = [[root]]
    for step in range(depth):
        unfinished = [s for beam in beams for s in beam if not s.terminal]
        if not unfinished:
            return
        children = yield from generate(unfinished)
        yield from evaluate(children)
        if step == 0:
            grown = [children[i::subtrees] for i in range(subtrees)]
        else:
            grown = [[s for s in b if s.terminal] + [c for c in children if c.parent in b] for b in beams]
        beams = [best(states, breadth) for states in grown]
        if kept := [s for beam in beams for s in beam]:
            yield Best(best(kept, len(kept)))


def rebase(
    root: Node, generate: Generate, evaluate: Evaluate, reward: Reward, *, depth: int, width: int, temperature: float
) -> Search:
    """REBASE (Wu et al. 2024): at each step the open states share the next ``width`` children among them (``shares``).

    Good states get more children, and a bad one none. Each finished state lowers the width by one. A state's children
    are the first of its thoughts, equal ones merged: others are not judged.
    """
    share, finished = {root: width}, list[Node]()
    for _ in range(depth):
        if not share:
            return
        yield from generate([*share])
        children = [child for s, most in share.items() for child in s.children[:most]]
        yield from evaluate(children)
        finished += [s for s in children if s.terminal]
        unfinished = [s for s in children if not s.terminal]
        each = shares([reward(s.value or 0.0) for s in unfinished], width - len(finished), temperature)
        share = {s: most for s, most in zip(unfinished, each, strict=True) if most}
        for s, most in share.items():
            s.note = f"{most} of the next {width - len(finished)} children"
        if finished or share:
            yield Best(best([*finished, *share], width))


def shares(rewards: Sequence[float], width: int, temperature: float) -> list[int]:
    """``width`` shared out by softmax(reward / ``temperature``), the best first: its part of what is left, rounded up.

    As in the authors' code; parts that are rounded, as the paper has them, need not add up to the width.
    """
    weights, given = softmax([reward / temperature for reward in rewards]), [0] * len(rewards)
    order = sorted(range(len(rewards)), key=lambda i: -level(rewards[i]))
    for at, i in enumerate(order):
        given[i] = ceil(level(width * weights[i] / total(weights[j] for j in order[at:])))
        width -= given[i]
    return given


def particles(
    root: Node, generate: Generate, evaluate: Evaluate, odds: Reward, *, depth: int, count: int, luck: Random
) -> Search:
    """A particle filter (Puri et al. 2025): ``count`` particles move on at random and are drawn anew by their ``odds``.

    Each particle moves to one of the thoughts proposed at its state, all equally likely. Then ``count`` are drawn, each
    state as likely as the ``odds`` (a logarithm) of its value times its particles: it is kept with a chance, not
    chosen, so that one wrong low verdict need not end a way. Both draws are ``systematic``. As in the authors' code,
    finished particles are drawn again with the others; those from which no step leads on are lost. Particles in one
    state are asked about once.
    """
    cloud = {root: count}  # state -> how many particles are there
    for _ in range(depth):
        unfinished = [s for s in cloud if not s.terminal]
        if not unfinished:
            return
        yield from generate(unfinished)
        moved = {s: n for s, n in cloud.items() if s.terminal}
        for s in unfinished:
            there = systematic([1.0] * len(s.children), cloud[s], luck.random())
            moved |= {child: n for child, n in zip(s.children, there, strict=True) if n}
        if not moved:
            return
        yield from evaluate([s for s in moved if s not in cloud])
        weights = softmax([log(n) + odds(s.value or 0.0) for s, n in moved.items()])
        drawn = systematic(weights, count, luck.random())
        cloud = {s: n for s, n in zip(moved, drawn, strict=True) if n}
        for s, n in cloud.items():
            s.note = f"{n} of {count} particles"
        yield Best(best([*cloud], count))


def systematic(weights: Sequence[float], count: int, u: float) -> list[int]:
    """How many of ``count`` draws fall on each weight: the points (u + i) / count on the cumulative shares, 0 <= u < 1.

    Each gets its share of the draws, rounded up or down, and on average over u exactly its share.
    """
    whole = total(weights)
    ends = [0, *(ceil(level(count * total(weights[:i]) / whole - u)) for i in range(1, len(weights) + 1))]
    return [end - start for start, end in pairwise(ends)]


def softmax(numbers: Sequence[float]) -> list[float]:
    """exp(number), up to a factor with which the largest is 1."""
    return [exp(number - max(numbers)) for number in numbers]


def log_odds(p: float) -> float:
    """The logarithm of the odds of a probability, which stays 1e-7 away from 0 and 1."""
    p = min(max(p, 1e-7), 1 - 1e-7)
    return log(p / (1 - p))
