"""What each group of solutions cost, for a table."""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from tot.solution import Solution


def mean_costs(groups: Mapping[str, Iterable[Solution]]) -> list[dict[str, Any]]:
    """A row for each group of solutions, for ``table``: its name under "method", its mean costs per problem: "calls",
    "rounds", "tokens read" and "tokens written" (tokens are rounded). Raises ValueError for an empty group.
    """
    rows: list[dict[str, Any]] = []
    for method, group in groups.items():
        if not (bills := [solution.result.ledger for solution in group]):
            raise ValueError(f"no solutions of {method!r}: a mean needs one")
        row = {"calls": fmean(bill.total.calls for bill in bills), "rounds": fmean(bill.rounds for bill in bills)}
        row["tokens read"] = round(fmean(bill.total.prompt_tokens for bill in bills))
        row["tokens written"] = round(fmean(bill.total.completion_tokens for bill in bills))
        rows.append({"method": method, **row})
    return rows
