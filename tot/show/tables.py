"""Tables of results: for the page, for Markdown, and as aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from ..stats import Interval, wilson
from .style import BORDER, FONT, GROUND, INK, LOOKS, themed
from .words import cells, cut, escape, line, number

Row = Mapping[str, Any]


class HasLine(Protocol):
    """Something with a results line, such as a ``tot.Solution``."""

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Table:
    """Rows of cells that are ready to be shown, below ``columns``. Numbers stand to the right."""

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    caption: str = ""

    def markdown(self) -> str:
        """A Markdown table."""
        rule = ["---:" if right else "---" for right in self.right]
        rows = [self.columns, tuple(rule), *self.cells]
        body = "\n".join("| " + " | ".join(_pipes(cell) for cell in row) + " |" for row in rows)
        return f"{body}\n\n{self.caption}" if self.caption else body

    def __str__(self) -> str:
        """Aligned plain text."""
        rows = [self.columns, *self.cells]
        widths = [max(cells(row[i]) for row in rows) for i in range(len(self.columns))]
        rows.insert(1, tuple("-" * width for width in widths))
        lines = []
        for row in rows:
            padded = [
                " " * (width - cells(cell)) + cell if right else cell + " " * (width - cells(cell))
                for cell, width, right in zip(row, widths, self.right, strict=True)
            ]
            lines.append("  ".join(padded).rstrip())
        return "\n".join([*lines, *([self.caption] if self.caption else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(tag: str, values: Sequence[str]) -> str:
            styles = [' class="tot-right"' if right else "" for right in self.right]
            scope = ' scope="col"' if tag == "th" else ""
            put = "".join(f"<{tag}{scope}{style}>{escape(v)}</{tag}>" for v, style in zip(values, styles, strict=True))
            return f"<tr>{put}</tr>"

        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        body = "\n".join(row("td", values) for values in self.cells)
        head = row("th", self.columns)
        return (
            f'<div class="tot-table" tabindex="0"><style>{_style()}</style>\n<table>{caption}<thead>{head}</thead>\n'
            f"<tbody>{body}</tbody></table></div>"
        )


def table(rows: Iterable[Row], columns: Sequence[str] | Mapping[str, str] | None = None, *, caption: str = "") -> Table:
    """A table of plain rows. ``columns``: the keys to show, or key -> heading; None takes all keys in order.

    Numbers are shortened, an ``Interval`` reads "45% [30%, 61%]", None is a dash; texts are cleaned and cut.
    """
    rows = list(rows)
    keys = dict.fromkeys(key for row in rows for key in row) if columns is None else dict.fromkeys(columns)
    heads = [columns[key] if isinstance(columns, Mapping) else key.replace("_", " ") for key in keys]
    body = tuple(tuple(cell(row.get(key)) for key in keys) for row in rows)
    right = tuple(all(_numeric(row.get(key)) for row in rows) and bool(rows) for key in keys)
    return Table(tuple(map(line, heads)), body, right, line(caption))


def cell(value: Any) -> str:
    """One value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    return cut(line(value), 80, cells)


def cost_table(
    results: Iterable[Row | HasLine],
    by: Sequence[str] = ("method",),
    *,
    score: str = "chosen",
    columns: Sequence[str] | Mapping[str, str] | None = None,
    caption: str = "",
) -> Table:
    """What each method reached and what it cost: ``table`` of ``cost_rows``."""
    rows = cost_rows(results, by, score=score)
    shown = (
        columns or [key for key in rows[0] if key != "dollars" or any(row[key] for row in rows)] if rows else [*by, "n"]
    )
    return table(rows, shown, caption=caption)


def cost_rows(
    results: Iterable[Row | HasLine], by: Sequence[str] = ("method",), *, score: str = "chosen"
) -> list[dict[str, Any]]:
    """Results grouped by the keys in ``by``, in order of appearance: n, the rate of ``score``, mean cost per problem.

    ``results``: lines of a results file, or solutions. ``score``: "chosen", "first" or "any" (an oracle). The
    interval is Wilson's at 95 %, for one answer per problem; use ``tot.stats.bootstrap`` where there are several. A run
    that a failing model ended counts as not solved, and is named in the column "errors" if there is one.
    """
    groups: dict[tuple[str, ...], list[Row]] = {}
    for result in results:
        row = result if isinstance(result, Mapping) else result.to_dict()
        groups.setdefault(tuple(line(row.get(key, "")) for key in by), []).append(row)
    rows: list[dict[str, Any]] = []
    for names, group in groups.items():
        bills: list[Mapping[str, Any]] = [row.get("usage") or {} for row in group]
        tokens = [bill.get("prompt_tokens", 0) + bill.get("completion_tokens", 0) for bill in bills]
        rows.append(
            {
                **dict(zip(by, names, strict=True)),
                "n": len(group),
                "rate": wilson(sum(bool(row.get(score)) for row in group), len(group)),
                "calls": round(fmean(bill.get("calls", 0) for bill in bills), 1),
                "rounds": round(fmean(bill.get("rounds", 0) for bill in bills), 1),
                "tokens": round(fmean(tokens)),
                "dollars": round(fmean(bill.get("dollars", 0.0) for bill in bills), 6),
                "errors": sum(row.get("stopped") == "error" for row in group),
            }
        )
    if not any(row["errors"] for row in rows):
        for row in rows:
            del row["errors"]
    return rows


def _numeric(value: Any) -> bool:
    return value is None or (isinstance(value, int | float | Interval) and not isinstance(value, bool))


def _pipes(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _style() -> str:
    t = ".tot-table"

    def colours(i: int, at: str) -> str:
        return (
            f"{at}{t} table{{background:{GROUND[i]};color:{INK[i]};border:1px solid {BORDER[i]}}}"
            f"{at}{t} :is(th,td,caption){{color:{INK[i]};background:{GROUND[i]};border-bottom:1px solid {BORDER[i]}}}"
            f"{at}{t} thead th{{background:{LOOKS['root'].fill[i]}}}"
        )

    shape = (
        f"{t}{{overflow-x:auto;max-width:100%}}{t} table{{border-collapse:collapse;font:13.5px/1.5 {FONT};margin:0}}"
        f"{t} :is(th,td){{padding:.25em .8em;text-align:left;white-space:nowrap}}"
        f"{t} .tot-right{{text-align:right;font-variant-numeric:tabular-nums}}"
        f"{t} caption{{caption-side:bottom;text-align:left;padding:.4em .8em}}"
    )
    return shape + themed(colours)
