"""Informed search: best-first, and both algorithms of informed Tree of Thoughts (iToT), over one loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from math import inf, isfinite

from ..ask import Act, Asking, Evaluate, Generate, Search
from ..events import Best, Event, Opened, Propagated, Taken, Unfinished
from ..state import Node, State
from ..ties import level

ToolCost = Callable[[State], float]  # V_T(s' | s): what the action of the newest thought of s' costs
Nodes = Sequence[Node]
PROPAGATE = ("path", "parent", "none")


def best_first(root: Node, generate: Generate, evaluate: Evaluate, *, depth: int, rounds: int) -> Search:
    """Greedy best-first search: expand the state of highest value, wherever in the tree it is, until that is an answer.

    The iToT poster's baseline "ToT Best First Search", which it does not define. It is its Algorithm 1 with V_f = -V:
    what a thought has cost does not matter. The limits and the output are those of ``informed``.
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

    ``tool_cost`` is V_T. The poster's V is ``weight`` times a node's value: with values from 0 to 1, ``weight`` is what
    a sure answer is worth, in the unit of the costs. The rest is in ``informed``. Raises ValueError for a weight that
    is negative or not a finite number.
    """
    _check(weight=weight)

    def price(children: Nodes) -> None:
        for s in children:
            s.g = _above(s) + tool_cost(s.state)  # V_g(s') = V_g(s) + V_T(s' | s)
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
    """iToT-D* Lite: Algorithm 2 of the poster. A failed tool costs ``failure_cost`` (delta_T) more, and the states
    before it are charged, too.

    ``propagate`` and ``discount``: see ``propagate_from``. The poster propagates inside the loop over the children, so
    that later siblings would cost more than earlier ones; here all children are priced, then the failures are charged
    together. D* Lite lends its name to one idea, that a failure changes costs which are known already and so reorders
    what is open. There is no g and rhs, no key modifier and no agent that moves: see ``tot.graph.DStarLite``.

    Raises ValueError for a weight or cost that is negative or not a finite number, a discount that is not from 0 to 1,
    and an unknown rule.
    """
    _check(weight=weight, failure_cost=failure_cost, discount=discount)
    if propagate not in PROPAGATE or discount > 1:
        raise ValueError(
            f"propagate is one of {', '.join(PROPAGATE)} and discount at most 1: {propagate!r}, {discount}"
        )
    charged: dict[Node, float] = defaultdict(float)  # what failures below a state have added to its cost

    def price(children: Nodes) -> None:
        for s in children:
            s.g = _above(s) + tool_cost(s.state) + charged[s]  # V_g(s') = V_g(s) + V_T(s' | s)
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
            nodes = _below(root)
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
    """PROPAGATE_FROM(s'), which is in an appendix that is not public. Ours: a failure is evidence against its way.

    The parent of ``failed`` is charged ``discount`` of the failure cost, its parent ``discount`` of that, and so on;
    the root is not, because every way begins there. What a state is charged counts in V_g of all states below it, so
    the siblings of a failure fall back behind other branches, and cousins less. ``rule``: "path" as said, "parent"
    charges the parent alone, "none" nobody. The shares are added to ``shares``.
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
    """What all three share: expand the open state of lowest ``f`` (the poster's V_f) until that is an answer.

    ``depth`` is the limit L on thoughts, ``rounds`` the limit R on states that are taken off the open list. ``act``
    runs the tools of new states. ``price`` sets their costs, lines 14 to 20; ``replan`` may then change costs all over
    the tree. ``lazy``: a child is judged by its action alone, at the cost that its tool will have, and the tool runs
    when the child is the best open state; then it is judged and priced again, and may have to go back. In the poster
    the tools of all children run at once.

    Where the poster is open or wrong: V_g of the root is 0, not inf. A state that is expanded leaves the open list
    (there it never does, and one state could use up all rounds). States of L thoughts are not expanded (there, of
    L + 1). Ties go to the state that was generated first. Nothing is ever reopened: a tree has one way to each state.

    The output is the answer that was taken; at the limit of rounds, where the poster returns Null, the best so far, and
    an "unfinished" event.
    """
    frontier, waiting = [root], set[Node]()  # O <- {x}; and those whose tools have not run
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
        new = [child for child in children if child.terminal or child.depth < depth]  # i > L: not ever
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
    """Of an open list: the best of its answers, or if there are none, of its states."""
    return [_lowest([s for s in nodes if s.terminal] or nodes, f)]


def _f(s: Node) -> float:
    return inf if s.f is None else s.f


def _above(s: Node) -> float:
    """V_g of the state before; that of the root is 0."""
    return (s.parent.g if s.parent else 0.0) or 0.0


def _failed(s: Node) -> bool:
    seen = s.state.last.observation if s.state.last else None
    return bool(seen and seen.failed)


def _below(root: Node) -> list[Node]:
    """Every state below the root, parents first."""
    found = list(root.children)
    for s in found:
        found += s.children
    return found


def _check(**numbers: float) -> None:
    for name, number in numbers.items():
        if not (isfinite(number) and number >= 0):
            raise ValueError(f"{name} is a number from 0 up, not {number}")
