"""The bill as a picture: tokens read and written in one stacked bar, and rounds as strokes, in one scale everywhere."""

from collections.abc import Iterable, Mapping
from statistics import fmean

from tot.show.escaping import clean, escape, number
from tot.solution import Solution

from .bills import ledger
from .page import as_written
from .styles import style_of
from .tables import Table, table

FULL = 10_000  # tokens of a bar that fills its place, on every page; beside a longer one all are drawn smaller
STROKES = 40  # rounds that are drawn


class Bill:
    """What runs cost, a line each: mean tokens read and written, and rounds. ``detail``: what unfolds, if anything."""

    def __init__(self, lines: Mapping[str, tuple[float, float, float]], detail: Table | None = None) -> None:
        self.lines = {clean(name): costs for name, costs in lines.items()}
        self.detail = detail

    def __repr__(self) -> str:
        heads = ("run", "read", "written", "rounds")
        rows = [dict(zip(heads, (name, *map(_said, costs)), strict=True)) for name, costs in self.lines.items()]
        return f"{table(rows)}\n\n{self.detail}" if self.detail else repr(table(rows))

    def _repr_html_(self) -> str:
        parts = [f'<div class="tot-bill"><style>{style_of("bill")}</style>']
        full = max(FULL, *(read + written for read, written, _ in self.lines.values()))
        for name, (read, written, rounds) in self.lines.items():
            ends = [f'<i style="width:{100 * x / full:.1f}%"></i>' for x in (read, written)]
            parts.append(
                f"<div><span>{escape(name)}</span><s>{''.join(ends)}</s>"
                f'<u style="width:{5 * min(STROKES, round(rounds))}px"></u>'
                f"<small><b>{_said(read)}</b> read, <b>{_said(written)}</b> written, <b>{_said(rounds)}</b>"
                f" {'round' if rounds == 1 else 'rounds'}</small></div>"
            )
        if full > FULL:
            parts.append(f"<small>The bars are drawn at {FULL / full:.0%} of the usual scale.</small>")
        if self.detail:
            parts.append(f"<details><summary>by role</summary>{self.detail._repr_html_()}</details>")
        return as_written("\n".join([*parts, "</div>"]))


def bill(runs: Mapping[str, Solution | Iterable[Solution]], *, caption: str = "") -> Bill:
    """The bill of each run, or the means of several runs of one name. Equal requests of a round count once, as in
    ``show.ledger``, which is the detail. Raises ValueError without any run.
    """
    groups = {name: [found] if isinstance(found, Solution) else list(found) for name, found in runs.items()}
    if not groups or not all(groups.values()):
        raise ValueError("a bill needs at least one run for each of its names")
    lines = {}
    for name, group in groups.items():
        totals = [run.result.ledger.total for run in group]
        read, written = (fmean(getattr(t, key) for t in totals) for key in ("prompt_tokens", "completion_tokens"))
        lines[name] = read, written, fmean(run.result.ledger.rounds for run in group)
    [alone, *others] = [run for group in groups.values() for run in group]
    return Bill(lines, ledger(groups if others else alone, caption=caption))


def _said(x: float) -> str:
    return number(round(x, 1) if x < 10 else round(x))
