"""Votes on sampled chains of thought: when to ask no further, and what each vote weighs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, exp

from ..ask import Evaluate, Generate, Search
from ..evaluate import constant, value
from ..events import Best
from ..generate import expansion, generator, unless_cut
from ..lm.base import Sample
from ..parse import Read, read_sample
from ..search.breadth_first import best
from ..state import Node, State, Thought
from ..tasks.base import Searchable, Task
from ..ties import total
from .tree_of_thoughts import rewards

WEIGHTS = ("equal", "model", "judge")
Draw = Callable[[int, int], Generate]  # (how many were drawn before, how many more)
Same = Callable[[str], str]  # the normal form of an answer


def decided(leader: int, second: int, stop: float) -> bool:
    """Whether of two answers with so many votes each the first is the more frequent one, with probability ``stop``.

    The Beta rule of adaptive consistency (Aggarwal et al. 2023): P(p > 1/2) >= ``stop`` for a share p that follows
    Beta(leader + 1, second + 1). In whole numbers, so that every machine decides the same:
    P = sum of C(n, j) for j from 0 to ``leader``, over 2^n, where n = leader + second + 1.
    """
    n, tail = leader + second + 1, 0
    for j in range(leader + 1):
        tail += comb(n, j)
    return tail >= Fraction(str(stop)) * (1 << n)


def enough(leader: int, second: int, stop: float, most: int) -> int:
    """How many further votes, all for the leader, would decide it, at most ``most``: after fewer nothing can."""
    return next((n for n in range(1, most) if decided(leader + n, second, stop)), most)


def ballots(
    root: Node, draw: Draw, evaluate: Evaluate, weight: Callable[[Node], float], same: Same, *, most: int, stop: float
) -> Search:
    """Self-consistency in rounds: samples until the vote is ``decided`` (``stop`` 0: never), or there are ``most``.

    A round asks for as many as could decide the vote at the earliest, so that the samples are those that one after the
    other would give. Only the number of votes stops it, whatever their ``weight``, which is looked at after
    ``evaluate``. A node's value is the weight of all votes for its answer.
    """
    nodes, drawn, leader, second = dict[Node, float](), 0, 0, 0
    while drawn < most and not (stop and leader and decided(leader, second, stop)):
        n = enough(leader, second, stop, most - drawn) if stop else most
        new = yield from draw(drawn, n)([root])
        drawn += n
        yield from evaluate([node for node in new if node.state.answer is not None])
        nodes |= {node: weight(node) for node in new}
        said = {node: same(node.state.answer) for node in nodes if node.state.answer is not None}
        leader, second = [*(count for _, count in Counter(said.values()).most_common(2)), 0, 0][:2]
        for node in nodes:
            node.value = total(nodes[each] for each in said if said[each] == said.get(node))
        yield Best(best([*nodes], most))


def weighed_votes(task: Task, x: str, *, k: int, first: int, stop: float, weights: str, values: int) -> Search:
    """``ballots`` on chains of thought, weighed in one of the ways of ``WEIGHTS``.

    "model" is the geometric mean of the chances of a chain's tokens (Wang et al. 2022): as a plain product, long chains
    would count nothing. "judge" is the task's own verdict on the answer, the mean of ``values``, as a reward from 0 to
    1. Raises ValueError for a judge where the task has no verdicts.
    """

    def likely(state: State, samples: Sequence[Sample]) -> Iterator[Read[Thought]]:
        for sample in samples:
            item = unless_cut(sample, read_sample(sample, lambda text: task.read_cot(state, text)[0]))
            prior = float(f"{exp((sample.logprob or 0.0) / max(1, sample.completion_tokens)):.6g}")
            yield replace(item, value=item.value and replace(item.value, prior=prior))

    def draw(drawn: int, n: int) -> Generate:
        if weights != "model":
            return generator(task.cot, task.read_cot, k=n, first=first + drawn, distinct=False)
        ask = lambda state: replace(task.cot(state), logprobs=True).samples(first + drawn, n)  # noqa: E731
        return expansion(ask, likely, local=None, gather=lambda state, thoughts: thoughts, role="generator")

    def weight(node: Node) -> float:
        prior = node.state.last.prior if node.state.last else None
        return worth(node.value or 0.0) if weights == "judge" else 1.0 if prior is None else prior

    evaluate: Evaluate = constant
    worth: Callable[[float], float] = float
    if weights == "judge":
        if not isinstance(task, Searchable):
            raise ValueError(f"{task.name} has no verdicts to weigh answers by: set weights to model, or leave it out")
        evaluate = value(task.value, task.read_value, n=values, first=first, local=task.judge)
        worth = rewards(task, values)
    return ballots(Node(State(x)), draw, evaluate, weight, task.same, most=k, stop=stop)
