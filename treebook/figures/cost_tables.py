"""What each method reached and what it cost, as a table."""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from tot.experiments.results import aggregate, answered, rate
from tot.show.escaping import line
from tot.show.tables import PlainRow, figures
from tot.solution import Solution

from .tables import Table, table


def cost_table(results: Iterable[PlainRow | Solution]) -> Table:
    """Results grouped by method, in order of appearance: n, the rate of the chosen answer, mean costs per problem;
    dollars where there are any.

    ``results``: lines of a results file, or solutions. The interval is Wilson's at 95 %, for one answer per problem;
    use ``tot.stats.bootstrap`` where there are several. A problem on which a call failed counts in n as not solved, one
    that a server did not answer does not count; if there are any, a column "errors" or "unanswered" says how many.
    """
    groups: dict[str, list[PlainRow]] = {}
    for result in results:
        row = result if isinstance(result, Mapping) else result.to_dict()
        groups.setdefault(line(row.get("method", "")), []).append(row)
    rows: list[dict[str, Any]] = []
    for method, group in ((method, group) for method, group in groups.items() if answered(group)):
        made = figures(aggregate(method, group))
        costs = {key: made[key] for key in ("calls", "rounds", "tokens", "dollars", "errors", "unanswered")}
        rows.append({"method": method, "n": made["n"], "rate": rate(group, "chosen"), **costs})
    shown = ("method", "n", "rate", "calls", "rounds", "tokens")
    return table(rows, [*shown, *(key for key in ("dollars", "errors", "unanswered") if any(row[key] for row in rows))])


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
