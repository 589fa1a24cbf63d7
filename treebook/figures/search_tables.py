"""What happened in a trace, as tables: tool calls, and the visits of Monte Carlo search."""

from typing import Any

from tot.show.escaping import line, number
from tot.show.tree import Traced, refusing_damage, trace_of

from .names import names
from .tables import Table, table

NAME = 24  # characters of a thought's name in a table


@refusing_damage
def tool_calls(trace: Traced) -> Table:
    """The tool calls of a run in order: round, action, the thought that it came after, what was observed, cost, and why
    it failed if it did.
    """
    whole = trace_of(trace)
    nodes, round_, called = whole.nodes(), 0, names(whole, NAME)
    rows: list[dict[str, Any]] = []
    for event in whole.events:
        if event["kind"] == "asked":
            round_ = event["round"]
        for seen in event["nodes"] if event["kind"] == "acted" else ():
            action = str(nodes[seen["id"]].get("thought", "")).rpartition("Action:")[2]
            after = called.get(str(nodes[seen["id"]].get("parent")), "")
            row = {"round": round_, "action": line(action), "after": after}
            rows.append(row | {"observation": line(seen.get("observation", "")), "cost": seen.get("cost")})
            rows[-1]["failed"] = seen.get("failed", "")
    bill = whole.result.get("tools") or {}
    spent = f"{number(bill['total'])} in all, {number(bill['path'])} on the path of the output" if bill else ""
    return table(rows, ("round", "action", "after", "observation", "cost", "failed"), caption=spent)


@refusing_damage
def visit_rows(trace: Traced) -> list[dict[str, Any]]:
    """How Monte Carlo search spent its rollouts: a row for each child of the root after each back-up. For
    ``show.table`` and ``plots.visits``.

    A row has "rollouts", how many there were so far; the child's "node" (its id), "name", "thought" and "visits";
    "share", its visits as a part of those of all children; its "mean" reward, None before its first visit. Rows begin
    with the first visit to a child. The first rollouts of a long run are those of a shorter one, so one run shows every
    smaller number of rollouts as well.

    Raises ValueError if the trace has no Monte Carlo search.
    """
    events = trace_of(trace).events
    nodes = trace_of(trace).nodes()
    top = next(iter(nodes), "")
    if not any(event["kind"] == "backed_up" for event in events):
        raise ValueError(f"no Monte Carlo search below {top!r}: pass the trace of a run with mcts-plan, or with mcts")
    children = [id for id, node in nodes.items() if node.get("parent") == top]
    known: dict[str, dict[str, Any]] = {id: {"visits": 0} for id in children}
    called = names(trace, NAME)
    rows: list[dict[str, Any]] = []
    for event in events:
        if event["kind"] != "backed_up":
            continue
        known.update((node["id"], node) for node in event["nodes"])
        spent = sum(known[child]["visits"] for child in children)
        for child in children if spent and top in known else ():
            visits, mean = known[child]["visits"], known[child].get("mean")
            row = {"rollouts": known[top]["visits"], "node": child, "name": called[child]}
            row |= {"thought": nodes[child]["thought"], "visits": visits, "share": visits / spent}
            rows.append(row | {"mean": mean if visits else None})
    return rows
