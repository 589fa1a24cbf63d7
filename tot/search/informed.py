"""Informed search: best-first search and the two algorithms of informed Tree of Thoughts (iToT), sharing one loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from math import inf, isfinite

from ..ask import Act, Asking, Evaluate, Generate, Search
from ..events import Best, Event, Opened, Propagated, Taken, Unfinished
from ..state import Node, State
from ..ties import level

ToolCost = Callable[[State], float]  # V_T(s' | s): the cost of the action in the newest thought of s'
Nodes = Sequence[Node]  # nodes in order
PROPAGATE = ("path", "parent", "none")


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
    _check(weight=weight)

    def price(children: Nodes) -> None:
        for s in children:
            s.g = _parent_g(s) + tool_cost(s.state)  # V_g(s') = V_g(s) + V_T(s' | s)
            s.f = s.g - weight * (s.value or 0.0)  # V_f(s') = V_g(s') - V(s')

    root.g = root.f = 0.0
    return informed(root, generate, evaluate, _f, depth=depth, rounds=rounds, act=act, price=price, lazy=lazy)


def itot_dstar(
    root: Node,
    generate: Generate,
    act: Act,
    evaluate: Evaluate,
    *,
    tool_cost: ToolCost,
    failure_cost: float,
    depth: int,
    rounds: int,
    weight: float = 1.0,
    lazy: bool = False,
    propagate: str = "path",
    discount: float = 0.5,
) -> Search:
    """iToT-D* Lite: Algorithm 2 of the poster. A failed tool call costs ``failure_cost`` (delta_T) extra, and its
    ancestors are charged as well.

    For ``propagate`` and ``discount`` see ``propagate_from``. The poster propagates failures inside the loop over the
    children, which makes later siblings more expensive than earlier ones; here all children get their costs first, then
    all failures are charged. The algorithm shares with D* Lite only the idea that a failure changes known costs and
    thereby reorders the open list. It has no g and rhs values, no key modifier and no moving agent: for those see
    ``tot.graph.DStarLite``.

    Raises ValueError for a weight or cost that is negative or not a finite number, a discount that is not from 0 to 1,
    and an unknown value of ``propagate``.
    """
    _check(weight=weight, failure_cost=failure_cost, discount=discount)
    if propagate not in PROPAGATE or discount > 1:
        raise ValueError(
            f"propagate must be one of {', '.join(PROPAGATE)} and discount at most 1, not {propagate!r}, {discount}"
        )
    charged: dict[Node, float] = defaultdict(float)  # the cost added to a state by failures below it

    def price(children: Nodes) -> None:
        for s in children:
            s.g = _parent_g(s) + tool_cost(s.state) + charged[s]  # V_g(s') = V_g(s) + V_T(s' | s)
            s.g += failure_cost if _failed(s) else 0.0  #   + delta_T, if s' has a tool failure
            s.f = s.g - weight * (s.value or 0.0)  # V_f(s') = V_g(s') - V(s')

    def replan(children: Nodes) -> Iterable[Event]:
        failures = [s for s in children if _failed(s)]
        shares: dict[Node, float] = defaultdict(float)
        for s in failures:
            propagate_from(s, failure_cost, shares, propagate, discount)  # PROPAGATE_FROM(s')
        if any(shares.values()):
            for s, share in shares.items():
                charged[s] += share
            nodes = _descendants(root)
            before = [s.g for s in nodes]
            price(nodes)
            changed = [s for s, g in zip(nodes, before, strict=True) if level(s.g) != level(g)]
            yield Propagated(changed, failures, shares)

    root.g = root.f = 0.0
    return informed(
        root, generate, evaluate, _f, depth=depth, rounds=rounds, act=act, price=price, replan=replan, lazy=lazy
    )


def propagate_from(
    failed: Node, failure_cost: float, shares: MutableMapping[Node, float], rule: str = "path", discount: float = 0.5
) -> None:
    """PROPAGATE_FROM(s'): charge a failure to the ancestors of ``failed``, by adding to ``shares`` (state -> amount).

    The poster defines it in an appendix that is not public; this is our version. The parent of ``failed`` is charged
    ``discount`` times ``failure_cost``, the grandparent ``discount`` times that, and so on; the root is not charged,
    because all paths start there. A state's charge counts in V_g of all states below it, so the siblings of a failed
    state become more expensive than other branches, and its cousins less so. ``rule``: "path" does this, "parent"
    charges only the parent, "none" charges no state.
    """
    share = failure_cost
    for s in list(failed.path)[1:-1] if rule != "none" else ():
        share *= discount
        shares[s] += share
        if rule == "parent":
            return


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


def _f(s: Node) -> float:
    return inf if s.f is None else s.f


def _parent_g(s: Node) -> float:
    """V_g of the parent, 0 if there is none."""
    return (s.parent.g if s.parent else 0.0) or 0.0


def _failed(s: Node) -> bool:
    seen = s.state.last.observation if s.state.last else None
    return bool(seen and seen.failed)


def _descendants(root: Node) -> list[Node]:
    """All states below the root, parents first."""
    found = list(root.children)
    for s in found:
        found += s.children
    return found


def _check(**numbers: float) -> None:
    for name, number in numbers.items():
        if not (isfinite(number) and number >= 0):
            raise ValueError(f"{name} must be a finite number of at least 0, not {number}")
