"""The searches that a stream is learned from: the package's own depth-first and best-first search, with somebody's
steps as thoughts and somebody's verdicts as values. No solver takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from studies.pocket.forms import in_order
from studies.teach.novice import ODD, ordinary
from tot.ask import Asking, Generate, Search
from tot.events import Evaluated, Event
from tot.search import best_first, dfs
from tot.state import Node, State
from tot.tasks.game24 import VERDICTS, left
from tot.tasks.game24_rules import TARGET, Numbers, Step, moves
from treebook.studies.streams import as_thought

DEPTH = 3  # equations
MOST = 36  # legal steps from four numbers
ROUNDS = 60  # of best-first search: more than any stream has room for
Choose = Callable[[Node], Sequence[Step]]  # the steps from a state, in the order in which they are tried
Judge = Callable[[Numbers], str]  # numbers left -> sure, likely or impossible


class Strategy(NamedTuple):
    """``proposals``: how many steps are tried from a state at most; ``search``: the algorithm, given its two parts."""

    proposals: int
    search: Callable[[Node, Generate, Callable[[Sequence[Node]], Asking[None]]], Search]


STRATEGIES: Mapping[str, Strategy] = {
    "depth-first": Strategy(
        MOST,
        lambda root, generate, evaluate: dfs(
            root, generate, evaluate, depth=DEPTH, threshold=VERDICTS["impossible"], early_stop=True
        ),
    ),
    "best-first": Strategy(
        5, lambda root, generate, evaluate: best_first(root, generate, evaluate, depth=DEPTH, rounds=ROUNDS)
    ),
}


def searched(strategy: str, x: str, choose: Choose, judge: Judge) -> Iterator[Event]:
    """The events of a search from the puzzle ``x``. One number left needs no judge: it is 24 or not."""

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        yield from ()
        return [child for node in nodes for child in node.grow(map(as_thought, choose(node)))]

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        for node in nodes:
            numbers = left(node.state)
            word = judge(numbers) if len(numbers) > 1 else "sure" if numbers == (TARGET,) else "impossible"
            node.value = VERDICTS[word]
        yield Evaluated(nodes)

    yield from STRATEGIES[strategy].search(Node(State(x)), generate, evaluate)  # type: ignore[misc]  # it asks nobody


def blind(rng: Random, most: int) -> Choose:
    """Legal steps in random order; those to odd numbers (``studies.teach.novice``) come late more often than not. Of
    steps that leave the same numbers, only one.
    """

    def choose(node: Node) -> list[Step]:
        weight = {step: 1.0 if ordinary(step) else ODD for step in moves(left(node.state))}
        return first_of_each(in_order(weight, rng))[:most]

    return choose


def proposed(lists: Mapping[Numbers, Sequence[Sequence[Step]]], rng: Random, most: int) -> Choose:
    """The steps of one of the lists for these numbers, drawn at random and in its order; then the others, blindly."""
    others = blind(rng, MOST)

    def choose(node: Node) -> list[Step]:
        return first_of_each([*rng.choice(lists[left(node.state)]), *others(node)])[:most]

    return choose


def first_of_each(steps: Iterable[Step]) -> list[Step]:
    """Of steps that leave the same numbers, the first."""
    found: dict[Numbers, Step] = {}
    for step in steps:
        found.setdefault(step.left, step)
    return list(found.values())


def different(steps: Iterable[Step]) -> int:
    """How many of the steps leave different numbers."""
    return len({step.left for step in steps})


def believing(sure: Mapping[Numbers, int], samples: int) -> Judge:
    """The verdicts of a judge that was asked ``samples`` times: all sure, some, none."""
    return lambda numbers: {0: "impossible", samples: "sure"}.get(sure[numbers], "likely")
