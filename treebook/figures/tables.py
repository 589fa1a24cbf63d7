"""Tables as HTML, as Markdown and as text: those of ``tot.show``, with the colours of the book and marked rows."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tot.experiments.results import Row
from tot.show import tables
from tot.show.escaping import cells, escape
from tot.show.tables import PlainRow

from .styles import style_of

LONG = 40  # a longer text may take several lines of its cell
MARK = "◂"  # beside a highlighted row, in text


@dataclass(frozen=True, repr=False)
class Table(tables.Table):
    """A table that a notebook shows. ``lit``: the places of the rows that are marked, from 0."""

    lit: tuple[int, ...] = ()

    def markdown(self) -> str:
        """A Markdown table. What is in it cannot become a tag, a link or a formula; only code, between backticks."""
        rule = ["---:" if right else "---" for right in self.right]
        shown = [[_plain(cell) for cell in row] for row in self.cells]
        for i in self.lit:
            shown[i] = [f"**{cell}**" if cell else "" for cell in shown[i]]
        body = "\n".join(f"| {' | '.join(row)} |" for row in [[*map(_plain, self.columns)], rule, *shown])
        return f"{body}\n\n{_plain(self.caption)}" if self.caption else body

    def __str__(self) -> str:
        """Aligned plain text."""
        lines = super().__str__().split("\n")
        for i in self.lit:
            lines[i + 2] += f"  {MARK}"
        return "\n".join(lines)

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
        style = style_of("table") + (style_of("table_lit") if self.lit else "")
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
    """A table of plain rows (see ``tot.show.table``).

    ``highlight``: the row that the text is about, by its place (-1 is the last), or a function that says so of each
    row. Such rows are marked, bold and tinted. Raises IndexError if there is no such row.
    """
    rows = tables.shown_by(rows)
    if callable(highlight):
        lit = tuple(i for i, row in enumerate(rows) if highlight(row))
    else:
        lit = () if highlight is None else (range(len(rows))[highlight],)
    return Table(**vars(tables.table(rows, columns, caption=caption)), lit=lit)


def results_table(rows: Iterable[Row], *, caption: str = "") -> Table:
    """The rows of ``tot.experiments.summarise`` (see ``tot.show.results_table``)."""
    return Table(**vars(tables.results_table(rows, caption=caption)))


# -------------------------------------------------------------------- how a table is shown


def _code(text: str) -> str:
    """Escaped for HTML, with what stands between backticks as code: as Markdown shows it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _plain(text: str) -> str:
    """Escaped for Markdown and MyST, but for code."""
    parts = re.split(r"(?<!`)(`[^`\\]+`)(?!`)", text)
    parts[::2] = [re.sub(r"([\\`*\[\]{}$])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts).replace("|", "\\|").replace("<", "&lt;")
