"""What each method reached and what it cost, as a table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tot.experiments.results import aggregate, rate
from tot.show.escaping import line
from tot.show.tables import HasLine, PlainRow, Table, figures, table


def cost_table(
    results: Iterable[PlainRow | HasLine],
    by: Sequence[str] = ("method",),
    *,
    score: str = "chosen",
    columns: Sequence[str] | Mapping[str, str] | None = None,
    caption: str = "",
) -> Table:
    """What each method reached and what it cost: ``table`` of ``cost_rows``, with dollars where there are any.

    ``columns``: the keys of those rows to show, or key -> heading. Errors are shown in any case, if there are any.
    """
    rows = cost_rows(results, by, score=score)
    if not rows:
        return table(rows, [*by, "n"], caption=caption)
    shown = columns or [key for key in rows[0] if key != "dollars" or any(row[key] for row in rows)]
    heads = dict(shown) if isinstance(shown, Mapping) else {key: key.replace("_", " ") for key in shown}
    return table(rows, heads | ({"errors": "errors"} if "errors" in rows[0] else {}), caption=caption)


def cost_rows(
    results: Iterable[PlainRow | HasLine], by: Sequence[str] = ("method",), *, score: str = "chosen"
) -> list[dict[str, Any]]:
    """Results grouped by the keys in ``by``, in order of appearance: n, the rate of ``score``, mean costs per problem.

    ``results``: lines of a results file, or solutions. ``score``: "chosen", "first" or "any" (an oracle). The interval
    is Wilson's at 95 %, for one answer per problem; use ``tot.stats.bootstrap`` where there are several. A problem on
    which a call failed counts in n as not solved; if there are any, a column "errors" says how many.
    """
    groups: dict[tuple[str, ...], list[PlainRow]] = {}
    for result in results:
        row = result if isinstance(result, Mapping) else result.to_dict()
        groups.setdefault(tuple(line(row.get(key, "")) for key in by), []).append(row)
    rows: list[dict[str, Any]] = []
    for which, group in groups.items():
        made = figures(aggregate(" ".join(which), group))
        costs = {key: made[key] for key in ("calls", "rounds", "tokens", "dollars", "errors")}
        rows.append({**dict(zip(by, which, strict=True)), "n": made["n"], "rate": rate(group, score), **costs})
    if not any(row["errors"] for row in rows):
        for row in rows:
            del row["errors"]
    return rows
