"""Which of several answers a judge prefers: by verdicts on each, by ballots on all, or two by two in a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from ..ask import Ask, Asking, Evaluate, Search
from ..evaluate import constant, value, vote
from ..events import Best, Evaluated
from ..lm.base import Message, Reply, Request
from ..parse import read_sample
from ..search.breadth_first import best
from ..state import Node, State
from ..tasks.ballots import choice
from ..tasks.base import Searchable, Task
from ..ties import total

WHICH = 'Which choice is most likely to be right? Reply with one line only: "The best choice is" and its number.'

Pair = tuple[Node, Node]  # two answers to compare
Play = Callable[[Sequence[Pair]], Asking[Counter[Pair]]]  # pairs of a round -> (a, b): how often a was preferred to b


def ballot(task: Task, states: Sequence[State]) -> Request:
    """Which of these answers to one problem is the best? A prompt for every task: the rules and the question of its
    direct prompt, without the last paragraph, which says how to reply, and the answers as they were written.
    """
    x, asked = states[0].x, task.io(State(states[0].x)).messages
    above = asked[-1].content.rpartition("\n\n")[0]
    said = [f"Choice {i}:\n{state.last.text if state.last else ''}" for i, state in enumerate(states, 1)]
    text = "\n\n".join([above if x in above else asked[-1].content, *said, WHICH])
    return Request((*(m for m in asked if m.role == "system"), Message("user", text)), max_tokens=20)


def distinct(task: Task, nodes: Sequence[Node]) -> dict[str, Node]:
    """The first node of each answer, by its normal form."""
    found: dict[str, Node] = {}
    for node in nodes:
        if node.state.answer is not None:
            found.setdefault(task.same(node.state.answer), node)
    return found


def judged(task: Task, *, values: int, first: int) -> Evaluate:
    """An evaluator of whole answers: the sum of so many of the task's own verdicts on each, or where it has none, of so
    many ballots on all of them. Equal answers are judged once, and none is worth 0.
    """
    ask: Evaluate = vote(partial(ballot, task), choice, n=values, first=first)
    if isinstance(task, Searchable):
        ask = value(task.value, task.read_value, n=values, first=first, local=task.judge)

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        answers = distinct(task, nodes)
        yield from (ask if len(answers) > 1 else constant)([*answers.values()])
        for node in nodes:
            node.value = 0.0 if node.state.answer is None else answers[task.same(node.state.answer)].value

    return evaluate


def duels(task: Task, stage: Sequence[Pair], *, n: int, first: int) -> Asking[Counter[Pair]]:
    """Who beat whom how often. Each pair is shown in both orders, ``n`` times, since judges prefer a place: who wins in
    one place only has won half.
    """
    shown = [way for a, b in stage for way in ((a, b), (b, a))]
    those = list(dict.fromkeys(node for pair in stage for node in pair))
    asked = [ballot(task, [a.state, b.state]).samples(first, n) for a, b in shown]
    replies: list[Reply] = yield Ask("evaluator", those, asked, about=[None] * len(asked))
    wins, unread = Counter[Pair](), list[dict[str, Any]]()
    for pair, reply in zip(shown, replies, strict=True):
        for said in (read_sample(sample, partial(choice, options=2)) for sample in reply.samples):
            if said.value is None:
                unread.append({"node": None, "why": said.why, "text": said.text})
            else:
                wins[pair[said.value], pair[1 - said.value]] += 1
    yield Evaluated(those, unread)
    return wins


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
        wins = yield from play(stage)
        lost = [b if wins[a, b] >= wins[b, a] else a for a, b in stage]
        left = [node for node in left if node not in lost]
        for node in left:
            node.value = (node.value or 0.0) + 1
        yield Best(best(nodes, len(nodes)))


def all_pairs(nodes: Sequence[Node], play: Play) -> Search:
    """Each of ``nodes`` meets each other, in one round. A node's value is its strength."""
    wins = yield from play([*combinations(nodes, 2)])
    for node, strength in zip(nodes, bradley_terry(nodes, wins), strict=True):
        node.value = strength
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
