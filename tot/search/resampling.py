"""Searches that keep states side by side, step by step: a narrow beam in each of several subtrees, and states that get
their share of a fixed number, by what they promise. Steps are sampled one by one, and not proposed in lists.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil, exp, log
from random import Random

from ..ask import Asking, Evaluate, Search
from ..events import Best
from ..state import Node
from ..ties import level, total
from .breadth_first import best

# how many next steps to sample at each state -> the new states, equal ones merged, and how many of the samples each has
Draw = Callable[[Mapping[Node, int]], Asking[dict[Node, int]]]
Reward = Callable[[float], float]  # what the value of a state promises, from 0 to 1


def dvts(root: Node, draw: Draw, evaluate: Evaluate, *, depth: int, subtrees: int, samples: int) -> Search:
    """Diverse verifier tree search (Beeching et al. 2024): a greedy search in each of several subtrees.

    In one beam the best states soon descend from one early step; here what is kept in one subtree never competes with
    what is kept in another. Each keeps the best of ``samples`` next steps. The first steps, equal ones merged, are
    dealt out in turn, so that no two subtrees are the same. All share their rounds. The output is what they keep, the
    highest value first: a judge picks.
    """
    kept = [root]
    for step in range(depth):
        unfinished = [s for s in kept if not s.terminal]
        if not unfinished:
            return
        children = [*(yield from draw(dict.fromkeys(unfinished, samples * (1 if step else subtrees))))]
        yield from evaluate(children)
        grown = [[s] if s.terminal else [c for c in children if c.parent is s] for s in kept]
        grown = grown if step else [children[i::subtrees] for i in range(subtrees)]
        kept = [s for states in grown for s in best(states, 1)]
        if kept:
            yield Best(best(kept, subtrees))


def rebase(
    root: Node, draw: Draw, evaluate: Evaluate, reward: Reward, *, depth: int, width: int, temperature: float
) -> Search:
    """REBASE (Wu et al. 2024): at each step the open states share the next ``width`` samples among them (``shares``).

    Good states get more of them, and a bad one none. Each finished state lowers the width by one.
    """
    share, finished = {root: width}, list[Node]()
    for _ in range(depth):
        if not share:
            return
        children = yield from draw(share)
        yield from evaluate([*children])
        finished += [s for s in children if s.terminal]
        unfinished = [s for s in children if not s.terminal]
        each = shares([reward(s.value or 0.0) for s in unfinished], width - len(finished), temperature)
        share = {s: n for s, n in zip(unfinished, each, strict=True) if n}
        for s, n in share.items():
            s.note = f"{n} of the next {width - len(finished)} samples"
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
    root: Node, draw: Draw, evaluate: Evaluate, odds: Reward, *, depth: int, count: int, luck: Random
) -> Search:
    """A particle filter (Puri et al. 2025): ``count`` particles sample a step each, and are drawn anew by their odds.

    A state is as likely to be drawn as the ``odds`` (a logarithm) of its value times its particles: it is kept with a
    chance, not chosen, so that one wrong low verdict need not end a way. The draws are ``systematic``. As in the
    authors' code, finished particles are drawn again with the others; one whose step cannot be read is lost.
    """
    cloud = {root: count}  # state -> how many particles are there
    for _ in range(depth):
        unfinished = {s: n for s, n in cloud.items() if not s.terminal}
        if not unfinished:
            return
        new = yield from draw(unfinished)
        yield from evaluate([*new])
        moved = {s: n for s, n in cloud.items() if s.terminal} | new
        if not moved:
            return
        weights = softmax([log(n) + odds(s.value or 0.0) for s, n in moved.items()])
        cloud = {s: n for s, n in zip(moved, systematic(weights, count, luck.random()), strict=True) if n}
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
