"""Answers that a judge compares two at a time: a method that this package brings to ``tot`` (``tot.methods``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import Any

from tot.ask import Ask, Asking, Search, relay
from tot.evaluate import agreement
from tot.events import Best, Evaluated
from tot.lm.base import Reply
from tot.methods import Method, knob
from tot.methods.choosing import ballot, distinct
from tot.methods.prompting import Samples
from tot.parse import read_judged
from tot.search.breadth_first import best
from tot.state import Node
from tot.tasks.ballots import choice
from tot.tasks.base import Task
from tot.ties import total

Pair = tuple[Node, Node]  # two answers to compare
# pairs of a round -> (a, b): how often a was preferred to b; and what could not be read
Play = Callable[[Sequence[Pair]], Asking[tuple[Counter[Pair], list[dict[str, Any]]]]]


def duels(
    task: Task, stage: Sequence[Pair], *, n: int, first: int
) -> Asking[tuple[Counter[Pair], list[dict[str, Any]]]]:
    """Who beat whom how often, and what could not be read. Each pair is shown in both orders, ``n`` times, since judges
    prefer a place: who wins in one place only has won half.
    """
    shown = [way for a, b in stage for way in ((a, b), (b, a))]
    those = list(dict.fromkeys(node for pair in stage for node in pair))
    asked = [ballot(task, [a.state, b.state]).samples(first, n) for a, b in shown]
    about = [[those.index(a), those.index(b)] for a, b in shown]
    replies: list[Reply] = yield Ask("evaluator", those, asked, about)
    wins, unread = Counter[Pair](), list[dict[str, Any]]()
    for pair, reply in zip(shown, replies, strict=True):
        for said in (read_judged(sample, partial(choice, options=2)) for sample in reply.samples):
            if said.value is None:
                unread.append({"node": None, "why": said.why, "text": said.text})
            else:
                wins[pair[said.value], pair[1 - said.value]] += 1
    return wins, unread


def knock_out(nodes: Sequence[Node], play: Play) -> Search:
    """The better half of ``nodes``, the best seed first, meets the other, until one is left (Chen et al. 2024, arXiv
    2411.19477). If their number is odd, the best seed rests; a draw is the better seed's. A node's value is the number
    of stages that it survived.
    """
    left = [*nodes]
    for node in nodes:
        node.value = 0.0
    while len(left) > 1:
        playing = left[len(left) % 2 :]
        stage = [(playing[i], playing[-1 - i]) for i in range(len(playing) // 2)]
        wins, unread = yield from play(stage)
        lost = [b if wins[a, b] >= wins[b, a] else a for a, b in stage]
        left = [node for node in left if node not in lost]
        for node in left:
            node.value = (node.value or 0.0) + 1
        yield Evaluated(list(dict.fromkeys(chain(*stage))), unread)
        yield Best(best(nodes, len(nodes)))


def all_pairs(nodes: Sequence[Node], play: Play) -> Search:
    """Each of ``nodes`` meets each other, in one round. A node's value is its strength."""
    wins, unread = yield from play([*combinations(nodes, 2)])
    for node, strength in zip(nodes, bradley_terry(nodes, wins), strict=True):
        node.value = strength
    yield Evaluated(list(nodes), unread)
    yield Best(best(nodes, len(nodes)))


def bradley_terry(players: Sequence[Any], wins: Mapping[Any, float], prior: float = 0.5) -> list[float]:
    """Strengths g that add up to 1, where i beats j with probability g_i / (g_i + g_j). ``wins``: (i, j) -> i over j.

    By minorisation and maximisation (Hunter 2004), until nothing changes by 1e-10. Each pair begins with ``prior`` wins
    each way: without, there are no such strengths where somebody has never lost.
    """
    n = len(players)
    won = [[wins.get((a, b), 0) + prior if a is not b else 0.0 for b in players] for a in players]
    now, before = [1 / n] * n, [0.0] * n
    while max(abs(a - b) for a, b in zip(now, before, strict=True)) >= 1e-10:
        before = now
        share = [
            total(won[i]) / total((won[i][j] + won[j][i]) / (before[i] + before[j]) for j in range(n)) for i in range(n)
        ]
        now = [each / total(share) for each in share]
    return now


@dataclass(kw_only=True, eq=False, repr=False)
class Tournament(Samples):
    """Chains of thought, whose distinct answers a judge compares two at a time. Their votes seed them."""

    k: int = knob(10, "How many independent chains of thought are sampled.", least=1)
    pairs: str = knob(
        "knock-out",
        "Who meets whom: knock-out, winners go on until one is left; all, everybody meets everybody.",
        choices=("knock-out", "all"),
    )
    duels: int = knob(1, "How often each pair is judged in each of its two orders.", least=1)

    def search(self, task: Task, x: str) -> Search:
        seeds = yield from relay(self.sample(task, x, "cot", agreement(task.same)))
        if len(seeds := [*distinct(task, seeds).values()]) > 1:
            rule = knock_out if self.pairs == "knock-out" else all_pairs
            yield from rule(seeds, partial(duels, task, n=self.duels, first=self.first))


TOURNAMENT = Method("tournament", "k chains, a judge compares two distinct answers at a time", Tournament)
