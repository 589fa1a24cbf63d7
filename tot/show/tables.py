"""Tables of results as aligned text. (``treebook.show`` has them as HTML and as Markdown, and marks rows.)"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ..experiments.results import Row
from ..stats import Interval
from .escaping import cells, cut, line, number

PlainRow = Mapping[str, Any]
# columns of results that are always shown; others, where not everything is 0
ALWAYS = ("method", "lm", "n", "correct", "first", "any", "calls", "rounds", "nodes", "tokens")


@dataclass(frozen=True)
class Table:
    """Rows of cells that are ready to be shown, below the headings ``columns``. ``right``: which columns are aligned to
    the right, as numbers are.
    """

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    caption: str = ""

    def __str__(self) -> str:
        """Aligned plain text."""
        rows = [self.columns, *self.cells]
        widths = [max(cells(row[i]) for row in rows) for i in range(len(self.columns))]
        rows.insert(1, tuple("-" * width for width in widths))
        lines = []
        for row in rows:
            gaps = [" " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)]
            padded = [g + c if right else c + g for c, g, right in zip(row, gaps, self.right, strict=True)]
            lines.append("  ".join(padded).rstrip())
        return "\n".join([*lines, *([self.caption] if self.caption else [])])

    def __repr__(self) -> str:
        return str(self)


def table(
    rows: Iterable[PlainRow], columns: Sequence[str] | Mapping[str, str] | None = None, *, caption: str = ""
) -> Table:
    """A table of plain rows. ``columns``: the keys to show, or key -> heading; None takes all keys, in their order.

    Numbers are shortened, an ``Interval`` reads "45% [30%, 61%]", None is a dash; texts are cleaned and cut. Raises
    TypeError, with what to call instead, for anything else than mappings.
    """
    rows = shown_by(rows)
    keys = dict.fromkeys(key for row in rows for key in row) if columns is None else dict.fromkeys(columns)
    heads = [columns[key] if isinstance(columns, Mapping) else key.replace("_", " ") for key in keys]
    body = tuple(tuple(cell(row.get(key)) for key in keys) for row in rows)
    right = tuple(all(_numeric(row.get(key)) for row in rows) and bool(rows) for key in keys)
    return Table(tuple(map(line, heads)), body, right, line(caption))


def shown_by(rows: Any) -> list[PlainRow]:
    """The rows as a list. Raises TypeError, with what to call instead, unless they are mappings."""
    found = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, Mapping | str) else [rows]
    if odd := [row for row in found if not isinstance(row, Mapping)] or ([rows] if isinstance(rows, Mapping) else []):
        raise TypeError(
            f"show.table takes rows such as {{'method': 'io', 'n': 20}}, not {type(odd[0]).__name__}: call"
            " tot.results(FILE) for a results file, show.results_table for the rows of summarise, show.text for a trace"
        )
    return found


def cell(value: Any) -> str:
    """One value as text."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    return cut(line(value), 80, cells)


# -------------------------------------------------------------------- results


def results_table(rows: Iterable[Row], *, caption: str = "") -> Table:
    """The rows of ``tot.experiments.summarise``, as ``tot run`` prints them. ``n`` includes problems that failed.

    Rates are of the chosen answer ("correct"), of the samples ("mean"), of the first output, of any output; costs are
    means per problem. Columns in which all numbers are 0 are left out, except those in ``ALWAYS``. Settings
    that all rows share are told below; those that differ are in the methods' labels.
    """
    rows = list(rows)
    plain = [{"method": row.label, "task": row.task, "lm": row.lm, **figures(row)} for row in rows]
    keys = list(plain[0]) if plain else ["method", "lm", "n", "correct"]
    several = len({row["task"] for row in plain}) > 1
    shown = [key for key in keys if key in ALWAYS or (several if key == "task" else any(row[key] for row in plain))]
    settings = {row.settings for row in rows}
    shared = f"Settings of the model: {''.join(settings)}." if len(settings) == 1 and any(settings) else ""
    told = " ".join(filter(None, [caption, shared]))
    made = table(plain, shown, caption=told)
    return replace(made, right=tuple(key not in ("method", "task", "lm") for key in shown))


def figures(row: Row) -> dict[str, Any]:
    """The numbers of a row of results, rounded as every table shows them."""
    shown = {"n": row.n, "correct": row.correct, "mean": row.mean, "first": f"{row.first:.0%}", "any": f"{row.any:.0%}"}
    for one in fields(row):
        if "digits" in one.metadata:
            shown[one.name.replace("_", " ")] = round(getattr(row, one.name), one.metadata["digits"] or None)
    return shown


def _numeric(value: Any) -> bool:
    return value is None or (isinstance(value, int | float | Interval) and not isinstance(value, bool))
