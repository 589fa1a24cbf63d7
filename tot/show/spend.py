"""What a run spent, round by round, and on whom, read from its trace.

Calls and tokens are facts of a run, the same in every replay. Prices are not: they differ between providers and change,
so whoever wants dollars brings ``Prices`` along.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..lm.base import TOOL
from .tree import Traced, trace_of
from .words import line, real


@dataclass(frozen=True)
class Prices:
    """Dollars for a million tokens read (``prompt``) and written (``completion``), and for one unit of a tool's cost.

    The unit of ``tool`` is that of V_T, the costs that a method was given.
    """

    prompt: float = 0.0
    completion: float = 0.0
    tool: float = 0.0

    def of(self, bill: Mapping[str, Any]) -> float:
        """Dollars for something with "prompt_tokens", "completion_tokens" and "tool_cost"; what is missing is 0."""
        read, written = (real(bill.get(key)) or 0.0 for key in ("prompt_tokens", "completion_tokens"))
        return (read * self.prompt + written * self.completion) / 1e6 + (real(bill.get("tool_cost")) or 0.0) * self.tool


PriceList = Prices | Mapping[str, Prices]  # one for all, or by role, with "default" for the rest


def price(prices: PriceList, role: str) -> Prices:
    """The prices of a role. Raises ValueError where a mapping has neither it nor a "default"; tools may be left out."""
    if isinstance(prices, Prices):
        return prices
    found = prices.get(role) or prices.get("default") or (Prices() if role == TOOL else None)
    if found is None:
        raise ValueError(f"no prices for the role {role!r}: give them under that name or under 'default'")
    return found


def spent(source: Traced, prices: PriceList | None = None) -> list[dict[str, Any]]:
    """One row for each round and whoever was asked in it, in order.

    A row: "round"; "role"; "who" (the role, or "tool: Search" where the call names its tool); "calls", "samples",
    "prompt_tokens" and "completion_tokens" as the ledger counts them, so equal requests of a round are paid once;
    "longest", the tokens of the longest reply: what a round waits for if all its samples are written at once;
    "tool_cost" (V_T) and "failed" calls of tools; and with ``prices`` "dollars".
    """
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    round_, asked = 0, list[str]()
    for event in trace_of(source).events:
        if event.get("kind") == "asked":
            round_, asked = _count(event.get("round")), []
            role, billed = line(event.get("role", "")), set[str]()
            for request in event.get("requests") or ():
                asked.append(_who(role, request))
                row = _row(rows, round_, role, asked[-1])
                _charge(row, request, billed)
        elif event.get("kind") == "acted":
            nodes = event.get("nodes") or ()
            for i, node in enumerate(nodes):
                who = asked[i] if len(asked) == len(nodes) else TOOL
                row = _row(rows, round_, TOOL, who)
                row["tool_cost"] += real(node.get("cost")) or 0.0
                row["failed"] += bool(node.get("failed"))
    if prices is not None:
        for row in rows.values():
            row["dollars"] = price(prices, row["role"]).of(row)
    return list(rows.values())


def _row(rows: dict[tuple[int, str], dict[str, Any]], round_: int, role: str, who: str) -> dict[str, Any]:
    counts = ("calls", "samples", "prompt_tokens", "completion_tokens", "longest", "failed")
    fresh = {"round": round_, "role": role, "who": who, **dict.fromkeys(counts, 0), "tool_cost": 0.0}
    return rows.setdefault((round_, who), fresh)


def _charge(row: dict[str, Any], request: Mapping[str, Any], billed: set[str]) -> None:
    """Add what a request cost, unless an equal one of its round has paid already (see ``tot.run.answer``)."""
    samples = request.get("samples") or ()
    if (same := identity(request)) in billed:
        return
    billed.add(same)
    tokens = [_count(sample.get("tokens")) for sample in samples]
    row["calls"] += 1
    row["samples"] += len(samples)
    row["prompt_tokens"] += _count(request.get("prompt_tokens"))
    row["completion_tokens"] += sum(tokens)
    row["longest"] = max(row["longest"], *tokens, 0)


def identity(request: Mapping[str, Any]) -> str:
    """Equal for requests of one round that are asked, and paid, once. ``request``: as an event of a trace has it."""
    parts = [request.get(key) for key in ("messages", "params", "first")]
    return json.dumps([*parts, len(request.get("samples") or ())], default=str)


def _who(role: str, request: Mapping[str, Any]) -> str:
    """The role; for a tool its name, if the request is a call as ``tot.tools.Call`` writes it."""
    if role != TOOL:
        return role
    try:
        tool = json.loads(request["messages"][0]["content"])["tool"]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        return role
    return f"{role}: {line(tool)[:30]}"


def _count(value: Any) -> int:
    return int(real(value) or 0)
