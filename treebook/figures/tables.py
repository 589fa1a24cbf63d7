"""Tables as HTML, as Markdown and as text: those of ``tot.show``, with the colours of the book and marked rows."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tot.experiments.results import Row
from tot.show import tables
from tot.show.escaping import cells, escape
from tot.show.tables import PlainRow

from .evidence import NUMERIC, Evidence, evidence_cells, minus, p_of, read, widest
from .page import as_written
from .styles import style_of

SPAN = ' colspan="3"'  # what the head of evidence stands above: estimate, glyph, interval
RIGHT, LIT = ' class="tot-right"', ' class="tot-lit"'
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
        known = self._evidence()
        columns = [
            _column([row[i] for row in self.cells], found, right)
            for i, (found, right) in enumerate(zip(known, self.right, strict=True))
        ]
        heads = []
        for head, column, right in zip(self.columns, columns, self.right, strict=True):
            span = SPAN if any(cell.count("<td") > 1 for cell in column) else ""
            heads.append(f'<th scope="col"{span}{RIGHT if right and not span else ""}>{_code(head)}</th>')
        lines = zip(*columns, strict=True)
        rows = [f"<tr{LIT if i in self.lit else ''}>{''.join(line)}</tr>" for i, line in enumerate(lines)]
        caption = f"<caption>{escape(minus(self.caption))}</caption>" if self.caption else ""
        body = "\n".join(rows)
        style = style_of("table") + style_of("evidence") * ("tot-ev" in body)
        return as_written(
            f'<div class="tot-table" tabindex="0"><style>{style}</style>\n<table>{caption}'
            f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>{body}</tbody></table></div>"
        )

    def _evidence(self) -> list[list[Evidence | None]]:
        """What is evidence, column by column. A column "p" is the test of the differences in the column before it."""
        columns = [[read(row[i]) for row in self.cells] for i in range(len(self.columns))]
        for i, head in enumerate(self.columns[1:]):
            if head == "p":
                tests = (p_of(row[i + 1]) for row in self.cells)
                columns[i] = [one and replace(one, p=p) for one, p in zip(columns[i], tests, strict=True)]
        return columns


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


def _column(texts: Sequence[str], found: Sequence[Evidence | None], right: bool) -> list[str]:
    """The cells of a column. Where one is evidence, estimate and interval have a column each, and all of them one
    scale; decimals of plain numbers stand below each other.
    """
    if known := [one for one in found if one]:
        top = widest(known)
        return [
            evidence_cells(text, one, top) if one else f"<td{SPAN}>{_code(text)}</td>"
            for text, one in zip(texts, found, strict=True)
        ]
    if all(NUMERIC.fullmatch(text) or text == "–" for text in texts):
        most = max((len(text.partition(".")[2]) for text in texts if not text.endswith("%")), default=0)
        return [f"<td{RIGHT if right else ''}>{_aligned(escape(minus(text)), most)}</td>" for text in texts]
    longs = [' class="tot-long"' if cells(text) > LONG else "" for text in texts]
    return [f"<td{RIGHT if right else long}>{_code(text)}</td>" for text, long in zip(texts, longs, strict=True)]


def _aligned(text: str, most: int) -> str:
    """A number with room for the decimals that others of its column have."""
    decimals = len(text.partition(".")[2])
    point = "\u2008" if most and not decimals else ""
    return text if text.endswith("%") or not text.strip("–") else text + point + "\u2007" * (most - decimals)


def _code(text: str) -> str:
    """Escaped for HTML, with what stands between backticks as code: as Markdown shows it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _plain(text: str) -> str:
    """Escaped for Markdown and MyST, but for code."""
    parts = re.split(r"(?<!`)(`[^`\\]+`)(?!`)", text)
    parts[::2] = [re.sub(r"([\\`*\[\]{}$])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts).replace("|", "\\|").replace("<", "&lt;")
