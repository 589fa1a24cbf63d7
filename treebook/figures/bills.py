"""What runs cost, by role and by tool: round by round (``spent``), or in all (``ledger``).

Calls and tokens are facts of a run, the same in every replay. Prices are not: they differ between providers and change.
So dollars are computed from ``Prices`` that the caller brings.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tot.lm.base import TOOL
from tot.show.escaping import line, real, whole
from tot.show.tree import Traced, refusing_damage, trace_of
from tot.ties import mean, total
from tot.trace import Trace

from .tables import Table, table

Source = Traced | Iterable[Traced] | Mapping[str, Iterable[Traced]]
COUNTS = ("calls", "samples", "prompt_tokens", "completion_tokens")
PARTS = ("thinking_tokens", "cached_tokens")  # of the completion and of the prompt; told only where there are any
COSTS = (*COUNTS, *PARTS, "tool_cost", "failed", "dollars")
HEADS = {
    "calls": "calls",
    "samples": "samples",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
    "thinking_tokens": "of them thinking",
    "cached_tokens": "read from a cache",
    "tool_cost": "tool cost",
    "failed": "failed",
    "errors": "errors",
    "dollars": "dollars",
    "share": "share",
}


# -------------------------------------------------------------------- round by round


@dataclass(frozen=True)
class Prices:
    """Dollars for a million tokens read (``prompt``), and for a million written (``completion``, thinking included)."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, bill: Mapping[str, Any]) -> float:
        """Dollars for a bill with "prompt_tokens" and "completion_tokens"; what is missing counts as 0."""
        read, written = (real(bill.get(key)) or 0.0 for key in ("prompt_tokens", "completion_tokens"))
        return (read * self.prompt + written * self.completion) / 1e6


PriceList = Prices | Mapping[str, Prices]  # one for all, or by role, with "default" for the rest


def price(prices: PriceList, role: str) -> Prices:
    """The prices of a role, else those of "default". Without either, tools cost nothing; for any other role ValueError
    is raised.
    """
    if isinstance(prices, Prices):
        return prices
    found = prices.get(role) or prices.get("default") or (Prices() if role == TOOL else None)
    if found is None:
        raise ValueError(f"no prices for the role {role!r}: give them under that name or under 'default'")
    return found


@refusing_damage
def spent(source: Traced, prices: PriceList | None = None) -> list[dict[str, Any]]:
    """One row for each round and each role or tool that was asked in it, in order.

    A row has "round"; "role"; "who" (the role, or for example "tool: Search" where the call names its tool); "calls",
    "samples", "prompt_tokens" and "completion_tokens" as the run's ledger counts them (equal requests of a round are
    paid once); "longest", the tokens of the longest reply, for which the round waits if all its samples are written at
    the same time; "tool_cost" (V_T) and "failed", how many calls of tools did; with ``prices`` "dollars"; and in a run
    that has any "thinking_tokens" and "cached_tokens", parts of those written and read.
    """
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    tool_costs: dict[tuple[int, str], list[float]] = {}
    round_, asked = 0, list[str]()

    def row_of(role: str, who: str) -> dict[str, Any]:
        counts = dict.fromkeys((*COUNTS, *PARTS, "longest", "failed"), 0)
        fresh = {"round": round_, "role": role, "who": who, **counts, "tool_cost": 0.0}
        return rows.setdefault((round_, who), fresh)

    for event in trace_of(source).events:
        if event.get("kind") == "asked":
            round_, asked = whole(event.get("round")), []
            role, billed = line(event.get("role", "")), set[str]()
            for request in event.get("requests") or ():
                asked.append(_who(role, request))
                _charge(row_of(role, asked[-1]), request, billed)
        elif event.get("kind") == "acted":
            nodes = event.get("nodes") or ()
            for i, node in enumerate(nodes):
                who = asked[i] if len(asked) == len(nodes) else TOOL
                row_of(TOOL, who)["failed"] += bool(node.get("failed"))
                tool_costs.setdefault((round_, who), []).append(real(node.get("cost")) or 0.0)
    for key, costs in tool_costs.items():
        rows[key]["tool_cost"] = total(costs)
    if prices is not None:
        for row in rows.values():
            row["dollars"] = price(prices, row["role"]).of(row)
    unused = [part for part in PARTS if not any(row[part] for row in rows.values())]
    return [{key: value for key, value in row.items() if key not in unused} for row in rows.values()]


def _charge(row: dict[str, Any], request: Mapping[str, Any], billed: set[str]) -> None:
    """Add what a request cost, unless an equal request of its round was paid for already (see ``tot.runner``)."""
    samples = request.get("samples") or ()
    if (same := billing_key(request)) in billed:
        return
    billed.add(same)
    tokens = [whole(sample.get("tokens")) for sample in samples]
    row["calls"] += 1
    row["samples"] += len(samples)
    row["prompt_tokens"] += whole(request.get("prompt_tokens"))
    row["completion_tokens"] += sum(tokens)
    row["thinking_tokens"] += sum(whole(sample.get("thinking_tokens")) for sample in samples)
    row["cached_tokens"] += whole(request.get("cached_tokens"))
    row["longest"] = max(row["longest"], *tokens, 0)


def billing_key(request: Mapping[str, Any]) -> str:
    """A text that is equal for requests of a round that are asked, and paid for, once. ``request``: as in a trace."""
    parts = [request.get(key) for key in ("messages", "params", "first")]
    return json.dumps([*parts, len(request.get("samples") or ())], default=str)


def _who(role: str, request: Mapping[str, Any]) -> str:
    """The role; for a tool also its name, if the request is a call as ``tot.tools.Call`` writes it."""
    if role != TOOL:
        return role
    try:
        tool = json.loads(request["messages"][0]["content"])["tool"]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        return role
    return f"{role}: {line(tool)[:30]}"


# -------------------------------------------------------------------- in all


@refusing_damage
def ledger(source: Source, *, prices: PriceList | None = None, caption: str = "") -> Table:
    """The rows of ``ledger_rows`` as a table. Thinking, cached tokens, tool costs, failures, errors and dollars are
    left out where all are 0.
    """
    rows = ledger_rows(source, prices=prices)
    rare = (*PARTS, "tool_cost", "failed", "errors", "dollars")
    shown = {key: head for key, head in HEADS.items() if key not in rare or any(row.get(key) for row in rows)}
    shown["share"] = "of all dollars" if "dollars" in shown else "of all tokens"
    first = {key: key for key in (rows[0] if rows else ()) if key not in HEADS}
    return table([{**row, "share": f"{row['share']:.0%}"} for row in rows], first | shown, caption=caption)


@refusing_damage
def ledger_rows(source: Source, *, prices: PriceList | None = None) -> list[dict[str, Any]]:
    """What each role and each tool cost, with a last row "all" if there are several.

    ``source``: one run (a Trace, Solution or Result), or the runs of an experiment: these are grouped by method, in
    order of appearance, or by the names of a mapping, and the numbers are means per problem.

    Dollars are computed from ``prices``; without them they are what the run was charged, if its model had a price.
    "share" is the part of all dollars, or of all tokens where nothing has a price. The bill of a problem that failed
    counts like any other; rows of a method with such problems have "errors", how many there were.
    """
    if isinstance(source, Trace) or hasattr(source, "trace"):
        return _with_shares({}, [trace_of(cast(Traced, source))], prices)
    groups: dict[str, list[Trace]] = {}
    if isinstance(source, Mapping):
        head, groups = "run", {line(name): [*map(trace_of, runs)] for name, runs in source.items()}
    else:
        head = "method"
        for trace in map(trace_of, source):
            groups.setdefault(line(trace.head.get("method", "")), []).append(trace)
    return [row for name, group in groups.items() for row in _with_shares({head: name}, group, prices)]


def _bills(trace: Trace, prices: PriceList | None) -> dict[str, dict[str, Any]]:
    """who -> bill of one run."""
    spending: dict[str, list[dict[str, Any]]] = {}
    for row in spent(trace, prices):
        spending.setdefault(row["who"], []).append(row)
    bills = {who: {key: total(row.get(key, 0) for row in rows) for key in COSTS} for who, rows in spending.items()}
    if prices is None:  # what it was charged, if it was
        charged = (trace.result.get("usage") or {}).get("by_role") or {}
        for who, bill in bills.items():
            bill["dollars"] = (charged.get(who) or {}).get("dollars", 0.0)
    return bills


def _with_shares(names: Mapping[str, str], group: Sequence[Trace], prices: PriceList | None) -> list[dict[str, Any]]:
    """Means over the group's problems; who was not asked for a problem cost nothing there. Dollars are of those that
    were run with prices, if some were.
    """
    bills = [_bills(trace, prices) for trace in group]
    charged = [any(bill["dollars"] for bill in each.values()) for each in bills]
    free = [not any(bill["completion_tokens"] for bill in each.values()) for each in bills]
    priced = [each for each, *told in zip(bills, charged, free, strict=True) if any(told)]
    over = {"dollars": priced if any(charged) else bills}
    everyone = dict.fromkeys(who for each in bills for who in each)
    rows: list[dict[str, Any]] = [
        {**names, "role": who}
        | {key: mean(each.get(who, {}).get(key, 0) for each in over.get(key, bills)) for key in COSTS}
        for who in everyone
    ]
    sums = {key: total(row[key] for row in rows) for key in COSTS}
    if len(rows) > 1:
        rows.append({**names, "role": "all", **sums})
    of = ("dollars",) if sums["dollars"] > 0 else ("prompt_tokens", "completion_tokens")
    whole, errors = total(sums[key] for key in of), sum(trace.result.get("stopped") == "error" for trace in group)
    for row in rows:
        row["share"] = total(row[key] for key in of) / whole if whole else 0.0
        row |= {"errors": errors} if errors else {}
    return rows
