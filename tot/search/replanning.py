"""Informed Tree of Thoughts that plans again: a failed tool changes costs that are known already (iToT-D* Lite)."""

from collections import defaultdict
from collections.abc import Iterable, MutableMapping

from ..ask import Act, Evaluate, Generate, Search
from ..events import Event, Propagated
from ..state import Node
from ..ties import level
from .informed import Nodes, ToolCost, check_costs, f_of, informed, parent_g

PROPAGATE = ("path", "parent", "none")


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
    ``treebook.graph.DStarLite``.

    Raises ValueError for a weight or cost that is negative or not a finite number, a discount that is not from 0 to 1,
    and an unknown value of ``propagate``.
    """
    check_costs(weight=weight, failure_cost=failure_cost, discount=discount)
    if propagate not in PROPAGATE or discount > 1:
        raise ValueError(
            f"propagate must be one of {', '.join(PROPAGATE)} and discount at most 1, not {propagate!r}, {discount}"
        )
    charged: dict[Node, float] = defaultdict(float)  # the cost added to a state by failures below it

    def price(children: Nodes) -> None:
        for s in children:
            s.g = parent_g(s) + tool_cost(s.state) + charged[s]  # V_g(s') = V_g(s) + V_T(s' | s)
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
        root, generate, evaluate, f_of, depth=depth, rounds=rounds, act=act, price=price, replan=replan, lazy=lazy
    )


def propagate_from(
    failed: Node, failure_cost: float, shares: MutableMapping[Node, float], rule: str = "path", discount: float = 0.5
) -> None:
    """PROPAGATE_FROM(s'): charge a failure to the ancestors of ``failed``, by adding to ``shares`` (state -> amount).

    The poster defines it in an appendix that it does not print; this is ours. The parent of ``failed`` is charged
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


def _failed(s: Node) -> bool:
    seen = s.state.last.observation if s.state.last else None
    return bool(seen and seen.failed)


def _descendants(root: Node) -> list[Node]:
    """All states below the root, parents first."""
    found = list(root.children)
    for s in found:
        found += s.children
    return found
