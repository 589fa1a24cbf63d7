"""What each method reached and what it cost, as a table."""

from collections.abc import Iterable, Mapping
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
