"""What a results file says: ``tot.results("results.jsonl")``, and `tot report` and `tot compare`."""

import csv
import io
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..experiments.results import Line, answered, compare, failed, groups, measures, read_results, summarise
from ..experiments.unmeasured import not_alike, unanswered, unmeasured
from ..stats import Paired
from .escaping import escape, in_csv
from .tables import results_table, table


@dataclass(frozen=True, repr=False)
class Results:
    """The ``lines`` of a results file. It shows itself as the tables that `tot run` ends with."""

    lines: Sequence[Line]

    def rows(self) -> list[dict[str, Any]]:
        """A row of plain values for each method: ``pandas.DataFrame(results.rows())``. Rates are from 0 to 1, "low" and
        "high" the bounds of an interval; otherwise as ``tot.experiments.results.Row``. Warns where rates are not
        comparable.
        """
        for said in not_alike(self.lines):
            warnings.warn(said, stacklevel=2)
        plain = [flat(asdict(row)) for row in summarise(self.lines)]
        return [{"method": row.pop("label"), **row} for row in plain]

    def compare(self, a: str, b: str) -> Paired:
        """Method ``a`` against method ``b``, by label or name, on the problems that both were given.

        Raises ValueError, naming the labels, if a name fits none of them or several; and if the two share no problem.
        Warns if a task's code was not the same for all methods, where the rate of one of the two says nothing, and of
        problems that failed.
        """
        found = groups(self.lines).items()
        both = {label: group for label, group in found if {a, b} & {label, group[0]["method"]}}
        fails = {label: [failed(line) for line in answered(group)] for label, group in both.items()}
        told = [f"{name}: {sum(some)} of {len(some)} failed (not solved)." for name, some in fails.items() if any(some)]
        for said in not_alike(self.lines) + _notes([line for group in both.values() for line in group]) + told:
            warnings.warn(said, stacklevel=2)
        return compare(self.lines, a, b)

    def __repr__(self) -> str:
        parts = [str(results_table(summed))] if (summed := summarise(self.lines)) else []
        if rows := measures(self.lines):
            parts.append(str(table(rows)))
        if notes := _notes(self.lines) + not_alike(self.lines):
            parts.append("\n".join(notes))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _notes(lines: Sequence[Line]) -> list[str]:
    nothing = [f"{name}: 0% says nothing here, since {why}." for name, why in unmeasured(lines).items()]
    return nothing + unanswered(lines)


def results(path: str | Path) -> Results:
    """What is in a results file. Raises FileTrouble for one that cannot be read or holds something else."""
    return Results(read_results(path))


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without rows in it: an interval "correct" is "correct", "correct low" and "correct high"."""
    made: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            made |= {name: value["rate"], f"{name} low": value["low"], f"{name} high": value["high"]}
        else:
            made[name] = value
    return made


def as_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV, below their names. None is empty."""
    rows, out = list(rows), io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: in_csv(value) for name, value in row.items()} for row in rows)
    return out.getvalue().rstrip("\n")
