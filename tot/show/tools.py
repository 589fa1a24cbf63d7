"""What tools did in a trace, and what an informed search had open, as tables."""

from __future__ import annotations

from typing import Any

from .table import Table, table
from .tree import Traced, trace_of
from .words import line, number


def tool_calls(trace: Traced) -> Table:
    """Every tool call in order: its round, the node, the action, what was observed, its cost, and how it failed."""
    whole = trace_of(trace)
    nodes, round_ = whole.nodes(), 0
    rows: list[dict[str, Any]] = []
    for event in whole.events:
        if event["kind"] == "asked":
            round_ = event["round"]
        for seen in event["nodes"] if event["kind"] == "acted" else ():
            action = str(nodes[seen["id"]].get("thought", "")).rpartition("Action:")[2]
            row = {"round": round_, "node": seen["id"], "action": line(action)}
            rows.append(row | {"observation": line(seen.get("observation", "")), "cost": seen.get("cost")})
            rows[-1]["failed"] = seen.get("failed", "")
    bill = whole.result.get("tools") or {}
    spent = f"{number(bill['total'])} in all, {number(bill['path'])} on the path of the output" if bill else ""
    return table(rows, ("round", "node", "action", "observation", "cost", "failed"), caption=spent)


def open_list(trace: Traced, most: int = 4) -> Table:
    """The open list whenever an informed search took a state off it: what it took, and what stayed, lowest f first.

    ``most``: how many of those that stayed are named. Without f (best-first search) there is nothing to show.
    """
    f: dict[str, float] = {}
    open_: set[str] = set()
    rows: list[dict[str, Any]] = []
    for event in trace_of(trace).events:
        f |= {node["id"]: node["f"] for node in event["nodes"] if "f" in node}
        if event["kind"] == "opened":
            open_ |= {node["id"] for node in event["nodes"]}
        elif event["kind"] == "taken" and all(node["id"] in f for node in event["nodes"]):
            open_ -= {node["id"] for node in event["nodes"]}
            left = sorted(open_, key=lambda id: (f[id], [int(part) for part in id.split(".")]))
            named = [f"{id} ({number(f[id])})" for id in left[:most]]
            more = [f"and {len(left) - most} more"] if len(left) > most else []
            taken = " ".join(node["id"] for node in event["nodes"])
            rows.append({"taken": taken, "f": f[taken], "open": len(left), "next": ", ".join(named + more)})
    return table(rows, ("taken", "f", "open", "next"))
