"""How Monte Carlo tree search spent its rollouts: rows for ``show.table`` and ``plots.visits``; and its four phases."""

from __future__ import annotations

from typing import Any

from .frames import Frames
from .plan import plan
from .svg import draw
from .tree import Traced, picture, trace_of

PHASES = {
    "selected": "selection",
    "expanded": "expansion",
    "evaluated": "simulation",
    "backed_up": "backpropagation",
}


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


def phases(trace: Traced, rollouts: int | None = None, *, lines: int = 3, chars: int = 28) -> Frames:
    """The four phases of each rollout behind one slider, of the first ``rollouts`` or of all. Nodes stay in place.

    In a round of several leaves, they are selected, expanded, judged and backed up together.

    Raises ValueError for a trace that holds no Monte Carlo search.
    """
    whole = picture(trace)
    planned = plan(whole, max_dropped=None, max_children=12, lines=lines, chars=chars, title=False)
    pictures, labels, done = [], [], 0
    for i, event in enumerate(whole.trace.events, 1):
        kind = event["kind"]
        if kind == "selected":
            if rollouts is not None and done >= rollouts:
                break
            done += len(event["nodes"])
        if kind in PHASES and done:
            nodes = ", ".join(str(node["id"]) for node in event["nodes"])
            pictures.append(str(draw(picture(trace, i), planned, title=False)))
            labels.append(f"rollout {done}, {PHASES[kind]}: {nodes or 'nothing new'}")
    if not pictures:
        raise ValueError("no Monte Carlo search in this trace: pass one of method mcts-plan, or of mcts")
    return Frames(pictures, labels, name="Four phases")
