"""Informed Tree of Thoughts (iToT): both algorithms of the poster."""

from collections import defaultdict
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from math import inf, isfinite

from ..ask import Act, Best, Evaluate, Event, Generate, Opened, Search, Taken, Unfinished
from ..state import Node, State
from .best_first import so_far

ToolCost = Callable[[State], float]  # V_T(s' | s): what the action of the newest thought of s' costs
PROPAGATE = ("path", "parent", "none")


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
    is negative or no number.
    """
    _check(weight=weight)

    def price(children: Sequence[Node]) -> None:
        for s in children:
            s.g = _above(s) + tool_cost(s.state)  # V_g(s') = V_g(s) + V_T(s' | s)
            s.f = s.g - weight * (s.value or 0.0)  # V_f(s') = V_g(s') - V(s')

    return informed(root, generate, act, evaluate, price, lambda children: (), depth=depth, rounds=rounds, lazy=lazy)


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

    Raises ValueError for a weight or cost that is negative or no number, a discount that is not from 0 to 1, and an
    unknown rule.
    """
    _check(weight=weight, failure_cost=failure_cost, discount=discount)
    if propagate not in PROPAGATE or discount > 1:
        raise ValueError(
            f"propagate is one of {', '.join(PROPAGATE)} and discount at most 1: {propagate!r}, {discount}"
        )
    charged: dict[Node, float] = defaultdict(float)  # what failures below a state have added to its cost

    def price(children: Sequence[Node]) -> None:
        for s in children:
            s.g = _above(s) + tool_cost(s.state) + charged[s]  # V_g(s') = V_g(s) + V_T(s' | s)
            s.g += failure_cost if _failed(s) else 0.0  #   + delta_T, if s' has a tool failure
            s.f = s.g - weight * (s.value or 0.0)  # V_f(s') = V_g(s') - V(s')

    def replan(children: Sequence[Node]) -> Iterable[Event]:
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
            changed = [s for s, g in zip(nodes, before, strict=True) if s.g != g]
            who = {s.id: share for s, share in shares.items()}
            yield Event("propagated", changed, {"failed": [s.id for s in failures], "charged": who})

    return informed(root, generate, act, evaluate, price, replan, depth=depth, rounds=rounds, lazy=lazy)


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


def informed(
    root: Node,
    generate: Generate,
    act: Act,
    evaluate: Evaluate,
    price: Callable[[Sequence[Node]], None],
    replan: Callable[[Sequence[Node]], Iterable[Event]],
    *,
    depth: int,
    rounds: int,
    lazy: bool,
) -> Search:
    """What both algorithms share: expand the state of lowest V_f = V_g - V until that is an answer.

    ``price`` sets ``g`` (V_g) and ``f`` (V_f), lines 14 to 20; ``replan`` may then change them all over the tree.
    ``depth`` is the limit L, ``rounds`` the limit R. ``lazy``: a child is judged by its action alone, at the cost that
    its tool will have, and the tool runs when the child is taken up; then it is judged and priced again, and may have
    to go back. In the poster the tools of all children run at once.

    Where the poster is open or wrong: V_g of the root is 0, not inf. A state that is expanded leaves the open list
    (there it never does, and one state could use up all rounds). States of L thoughts are not expanded (there, of
    L + 1). Ties go to the state that was generated first. Nothing is ever reopened: a tree has one way to each state.

    The output is the answer that was taken; at the limit of rounds, where the poster returns Null, the best so far, and
    an "unfinished" event.
    """
    root.g = root.f = 0.0
    frontier, waiting = [root], set[Node]()  # O <- {x}; and those whose tools have not run
    for _ in range(rounds):  # for r = 1..R
        if not frontier:
            return
        while (s := min(frontier, key=_f)) in waiting:  # s <- arg min V_f
            waiting.remove(s)
            yield from act([s])
            yield from evaluate([s])
            price([s])
            yield Opened([s])
            yield from replan([s])
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
        price(children)
        new = [child for child in children if child.terminal or child.depth < depth]  # i > L: not ever
        frontier += new  # O <- O u s'
        yield Opened(new)
        yield from replan(children)
        if frontier:
            yield Best(so_far(frontier, _f))
    if frontier:
        yield Unfinished(so_far(frontier, _f), f"{rounds} rounds are used up")


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


def _check(**dials: float) -> None:
    for name, number in dials.items():
        if not (isfinite(number) and number >= 0):
            raise ValueError(f"{name} is a number from 0 up, not {number}")
