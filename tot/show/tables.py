"""Tables, of results and of what happened in a trace: as HTML, as Markdown, and as aligned text."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ..experiments.results import Row
from ..stats import Interval
from .escaping import cells, cut, escape, line, number
from .style import BORDER, CHOSEN, FONT, GROUND, INK, LOOKS, themed

PlainRow = Mapping[str, Any]
LONG = 40  # a longer text may take several lines of its cell
MARK = "◂"  # beside a highlighted row, in text
# columns of results that are always shown; others, where not everything is 0
ALWAYS = ("method", "lm", "n", "correct", "first", "any", "calls", "rounds", "nodes", "tokens")


@dataclass(frozen=True)
class Table:
    """Rows of cells that are ready to be shown, below the headings ``columns``. ``right``: which columns are aligned to
    the right, as numbers are. ``lit``: the places of the rows that are marked, from 0.
    """

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    caption: str = ""
    lit: tuple[int, ...] = ()

    def markdown(self) -> str:
        """A Markdown table. What is in it cannot become a tag."""
        rule = ["---:" if right else "---" for right in self.right]
        shown = [[_pipes(cell) for cell in row] for row in self.cells]
        for i in self.lit:
            shown[i] = [f"**{cell}**" if cell else "" for cell in shown[i]]
        body = "\n".join(f"| {' | '.join(row)} |" for row in [[*map(_pipes, self.columns)], rule, *shown])
        return f"{body}\n\n{self.caption.replace('<', '&lt;')}" if self.caption else body

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
        for i in self.lit:
            lines[i + 2] += f"  {MARK}"
        return "\n".join([*lines, *([self.caption] if self.caption else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(tag: str, values: Sequence[str], lit: bool = False) -> str:
            longs = [' class="tot-long"' if cells(value) > LONG else "" for value in values]
            styles = [' class="tot-right"' if r else long for r, long in zip(self.right, longs, strict=True)]
            scope = ' scope="col"' if tag == "th" else ""
            put = "".join(f"<{tag}{scope}{style}>{_code(v)}</{tag}>" for v, style in zip(values, styles, strict=True))
            return f'<tr class="tot-lit">{put}</tr>' if lit else f"<tr>{put}</tr>"

        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        body = "\n".join(row("td", values, i in self.lit) for i, values in enumerate(self.cells))
        head = row("th", self.columns)
        style = _style() + (_lit_style() if self.lit else "")
        return (
            f'<div class="tot-table" tabindex="0"><style>{style}</style>\n<table>{caption}<thead>{head}</thead>\n'
            f"<tbody>{body}</tbody></table></div>"
        )


def table(
    rows: Iterable[PlainRow],
    columns: Sequence[str] | Mapping[str, str] | None = None,
    *,
    caption: str = "",
    highlight: int | Callable[[PlainRow], bool] | None = None,
) -> Table:
    """A table of plain rows. ``columns``: the keys to show, or key -> heading; None takes all keys, in their order.

    Numbers are shortened, an ``Interval`` reads "45% [30%, 61%]", None is a dash; texts are cleaned and cut.
    ``highlight``: the row that the text is about, by its place (-1 is the last), or a function that says so of each
    row. Such rows are marked, bold and tinted. Raises IndexError if there is no such row.
    """
    rows = list(rows)
    if callable(highlight):
        lit = tuple(i for i, row in enumerate(rows) if highlight(row))
    else:
        lit = () if highlight is None else (range(len(rows))[highlight],)
    keys = dict.fromkeys(key for row in rows for key in row) if columns is None else dict.fromkeys(columns)
    heads = [columns[key] if isinstance(columns, Mapping) else key.replace("_", " ") for key in keys]
    body = tuple(tuple(cell(row.get(key)) for key in keys) for row in rows)
    right = tuple(all(_numeric(row.get(key)) for row in rows) and bool(rows) for key in keys)
    return Table(tuple(map(line, heads)), body, right, line(caption), lit)


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


# -------------------------------------------------------------------- how a table is shown


def _numeric(value: Any) -> bool:
    return value is None or (isinstance(value, int | float | Interval) and not isinstance(value, bool))


def _code(text: str) -> str:
    """Escaped for HTML, with what stands between backticks as code: as Markdown shows it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


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
        f"{t} .tot-long{{white-space:normal;min-width:14em}}"
        f"{t} .tot-right{{text-align:right;font-variant-numeric:tabular-nums}}"
        f"{t} caption{{caption-side:bottom;text-align:left;padding:.4em .8em}}"
    )
    return shape + themed(colours)


def _lit_style() -> str:
    row = ".tot-table .tot-lit td"
    return f"{row}{{font-weight:650}}{row}:first-child{{border-left:4px solid {CHOSEN[0]}}}" + themed(
        lambda i, at: f"{at}{row}{{background:{LOOKS['chosen'].fill[i]};border-left-color:{CHOSEN[i]}}}"
    )
