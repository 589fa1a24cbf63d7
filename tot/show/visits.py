"""How Monte Carlo tree search spent its rollouts, as plain rows: for ``show.table`` and ``plots.visits``."""

from __future__ import annotations

from typing import Any

from .tree import Traced, trace_of


def visit_rows(trace: Traced, of: str | None = None) -> list[dict[str, Any]]:
    """One row for each child of the node ``of`` (None: the root) after each back-up that reached it.

    A row: "rollouts" that have gone through ``of``; the child's "node" (its id) and "thought"; its "visits", their
    "share" of all that went on to a child; its "mean" reward, None before the first visit. Rows begin with the first
    visit to a child. One run shows every smaller number of rollouts, because its events are a prefix of a longer run's.

    Raises ValueError where the trace has no such node, or holds no Monte Carlo search.
    """
    events = trace_of(trace).events
    nodes = trace_of(trace).nodes()
    top = next(iter(nodes), "") if of is None else of
    if top not in nodes or not any(event["kind"] == "backed_up" for event in events):
        raise ValueError(f"no Monte Carlo search below {top!r} in this trace: pass one of method mcts-plan, or of mcts")
    children = [id for id, node in nodes.items() if node.get("parent") == top]
    known: dict[str, dict[str, Any]] = {}
    rows: list[dict[str, Any]] = []
    for event in events:
        if event["kind"] != "backed_up":
            continue
        known.update((node["id"], node) for node in event["nodes"])
        spent = sum(known[child]["visits"] for child in children if child in known)
        if not spent or top not in [node["id"] for node in event["nodes"]]:
            continue
        for child in children:
            visits = known[child]["visits"] if child in known else 0
            rows.append(
                {
                    "rollouts": known[top]["visits"],
                    "node": child,
                    "thought": nodes[child]["thought"],
                    "visits": visits,
                    "share": visits / spent,
                    "mean": known[child]["mean"] if visits else None,
                }
            )
    return rows
