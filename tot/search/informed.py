"""Informed search: best-first search and the two algorithms of informed Tree of Thoughts (iToT), sharing one loop."""

from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite

from ..ask import Act, Asking, Evaluate, Generate, Search
from ..events import Best, Event, Opened, Taken, Unfinished
from ..state import Node, State
from ..ties import level

ToolCost = Callable[[State], float]  # V_T(s' | s): the cost of the action in the newest thought of s'
Nodes = Sequence[Node]  # nodes in order


def best_first(root: Node, generate: Generate, evaluate: Evaluate, *, depth: int, rounds: int) -> Search:
    """Greedy best-first search: expand the open state of highest value anywhere in the tree, until it is an answer.

    The iToT poster's baseline "ToT Best First Search", which the poster does not define. We use its Algorithm 1 with
    V_f = -V, so costs are ignored. For the limits and the output see ``informed``.
    """
    return informed(root, generate, evaluate, lambda s: -(s.value or 0.0), depth=depth, rounds=rounds)


def itot_astar(
    root: Node,
    generate: Generate,
    act: Act,
    evaluate: Evaluate,
    *,
    tool_cost: ToolCost,
    depth: int,
    rounds: int,
    weight: float = 1.0,
    lazy: bool = False,
) -> Search:
    """iToT-A*: Algorithm 1 of the poster.

    ``tool_cost`` is V_T. The poster's V is ``weight`` times a node's value: with values from 0 to 1, ``weight`` is the
    worth of a certain answer, in the unit of the costs. For the other parameters and the output see ``informed``.

    Raises ValueError for a weight that is negative or not a finite number.
    """
    check_costs(weight=weight)

    def price(children: Nodes) -> None:
        for s in children:
            s.g = parent_g(s) + tool_cost(s.state)  # V_g(s') = V_g(s) + V_T(s' | s)
            s.f = s.g - weight * (s.value or 0.0)  # V_f(s') = V_g(s') - V(s')

    root.g = root.f = 0.0
    return informed(root, generate, evaluate, f_of, depth=depth, rounds=rounds, act=act, price=price, lazy=lazy)


def _no_tools(nodes: Nodes) -> Asking[None]:
    yield from ()


def informed(
    root: Node,
    generate: Generate,
    evaluate: Evaluate,
    f: Callable[[Node], float],
    *,
    depth: int,
    rounds: int,
    act: Act = _no_tools,
    price: Callable[[Nodes], None] | None = None,
    replan: Callable[[Nodes], Iterable[Event]] = lambda children: (),
    lazy: bool = False,
) -> Search:
    """The loop of all three searches: expand the open state of lowest ``f`` (the poster's V_f) until it is an answer.

    ``depth`` is the poster's limit L on thoughts, ``rounds`` its limit R on states taken off the open list. ``act``
    runs the tools of new states. ``price`` sets their costs (lines 14 to 20); ``replan`` may then change costs anywhere
    in the tree. In the poster the tools of all children run at once. With ``lazy``, a child is first evaluated from its
    action and the cost of its tool call; the tool runs only when the child is the best open state, after which the
    child is evaluated and priced again and may no longer be the best.

    Differences where the poster is ambiguous or wrong: V_g of the root is 0, not inf. An expanded state leaves the open
    list (in the poster it never does, so that one state could use up all rounds). States of L thoughts are not expanded
    (in the poster, states of L + 1). Ties go to the state generated first. States are never reopened: in a tree there
    is only one path to each.

    The output is the answer taken off the open list. At the limit of rounds, where the poster returns Null, it is the
    best open state, and an "unfinished" event is yielded.
    """
    frontier, waiting = [root], set[Node]()  # O <- {x}; the states whose tools have not run
    for _ in range(rounds):  # for r = 1..R
        if not frontier:
            return
        while (s := _lowest(frontier, f)) in waiting:  # s <- arg min V_f
            waiting.remove(s)
            yield from act([s])
            yield from evaluate([s])
            yield from _priced([s], [s], price, replan)
        frontier.remove(s)
        yield Taken(s)
        if s.terminal:  # if s is terminal
            yield Best([s])
            return
        children = yield from generate([s])  # C(s) = {s' = s u z}
        if lazy:
            waiting.update(child for child in children if not child.terminal)
        else:
            yield from act(children)
        yield from evaluate(children)
        new = [child for child in children if child.terminal or child.depth < depth]  # L thoughts: never expanded
        frontier += new  # O <- O u s'
        yield from _priced(children, new, price, replan)
        if frontier:
            yield Best(_best_so_far(frontier, f))
    if frontier:
        yield Unfinished(_best_so_far(frontier, f), f"{rounds} rounds are used up")


def _priced(
    children: Nodes,
    opened: Nodes,
    price: Callable[[Nodes], None] | None,
    replan: Callable[[Nodes], Iterable[Event]],
) -> Iterable[Event]:
    if price:
        price(children)
        yield Opened(opened)
    yield from replan(children)


def _lowest(nodes: Nodes, f: Callable[[Node], float]) -> Node:
    return min(nodes, key=lambda s: level(f(s)))


def _best_so_far(nodes: Nodes, f: Callable[[Node], float]) -> list[Node]:
    """The best answer in an open list, or if it has no answers, its best state."""
    return [_lowest([s for s in nodes if s.terminal] or nodes, f)]


def f_of(s: Node) -> float:
    """V_f of a state, infinite before it is priced."""
    return inf if s.f is None else s.f


def parent_g(s: Node) -> float:
    """V_g of the parent, 0 if there is none."""
    return (s.parent.g if s.parent else 0.0) or 0.0


def check_costs(**numbers: float) -> None:
    """Raises ValueError for a number that is negative or not finite."""
    for name, number in numbers.items():
        if not (isfinite(number) and number >= 0):
            raise ValueError(f"{name} must be a finite number of at least 0, not {number}")
