"""Best-first Tree of Thoughts."""

from collections.abc import Callable, Sequence

from ..ask import Best, Evaluate, Generate, Search, Taken, Unfinished
from ..state import Node


def so_far(nodes: Sequence[Node], rank: Callable[[Node], float]) -> list[Node]:
    """The best so far of an open list: of its answers, or if there are none of its states, that of lowest ``rank``."""
    answers = [s for s in nodes if s.terminal]
    return [min(answers or nodes, key=rank)] if nodes else []


def best_first(root: Node, generate: Generate, evaluate: Evaluate, *, depth: int, rounds: int) -> Search:
    """Greedy best-first search: expand the state of highest value, wherever in the tree it is, until that is an answer.

    The iToT poster's baseline "ToT Best First Search", which it does not define. It is its Algorithm 1 with V_f = -V:
    what a thought has cost does not matter. ``depth`` is the limit L on thoughts, ``rounds`` the limit R on states that
    are taken off the open list. Ties go to the state that was generated first.

    The output is the answer that was taken; at the limit of rounds the best so far, and an "unfinished" event.
    """
    frontier = [root]
    for _ in range(rounds):
        if not frontier:
            return
        s = max(frontier, key=lambda n: n.value or 0.0)
        frontier.remove(s)
        yield Taken(s)
        if s.terminal:
            yield Best([s])
            return
        children = yield from generate([s])
        yield from evaluate(children)
        frontier += [child for child in children if child.terminal or child.depth < depth]
        if frontier:
            yield Best(so_far(frontier, lambda n: -(n.value or 0.0)))
    if frontier:
        yield Unfinished(so_far(frontier, lambda n: -(n.value or 0.0)), f"{rounds} rounds are used up")
