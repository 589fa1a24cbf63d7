"""A calculator in a page: a few dials, and bars that follow. All results are computed beforehand, in Python."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from tot.show.escaping import clean, escape

from .page import as_written
from .styles import handlers_of, style_of

MOST = 20_000  # combinations of a row: more would make the page heavy
BUTTONS = 3  # so many values of a dial are buttons; more are a slider

Function = Callable[..., Any]
Hangs = tuple[Sequence[str], Function]  # names of dials, and a function of one value of each


class Dials:
    """Dials (sliders, or buttons for a few values) over a function: turn them, and a bar for each result follows.

    ``dials``: the name of each dial and its values, as (label, value) pairs. ``shares``: from one value of each dial,
    in their order, to the rows: name -> share from 0 to 1; None where there is none, which the row then says. Every
    combination has the same rows. Or, with many dials: name of a row -> the dials that it hangs on and a function of
    one value of each. ``start``: the label that each dial starts with (default: its first). Where no script runs, the
    bars of the start are shown.

    Raises ValueError without dials or values, for a start that is no label, if combinations differ in their rows, and
    for a row of more than 20,000 combinations.
    """

    def __init__(
        self,
        dials: Mapping[str, Sequence[tuple[str, object]]],
        shares: Function | Mapping[str, Hangs],
        *,
        start: Mapping[str, str] | None = None,
        name: str = "Calculator",
    ) -> None:
        if not dials or not all(dials.values()):
            raise ValueError("pass at least one dial, each with at least one value")
        self.dials, self.name = {clean(dial): values for dial, values in dials.items()}, clean(name)
        self.labels = {dial: [clean(label) for label, _ in values] for dial, values in self.dials.items()}
        every = [*self.dials]
        for names in [names for names, _ in shares.values()] if isinstance(shares, Mapping) else [every]:
            if (size := prod(len(self.dials[clean(name)]) for name in names)) > MOST:
                raise ValueError(f"{size:,} combinations are more than {MOST:,}: give the dials fewer values")
        if isinstance(shares, Mapping):
            found = {row: (names, self.tabled(names, of)) for row, (names, of) in shares.items()}
        else:
            each = self.tabled(every, shares)
            if any([*rows] != [*each[0]] for rows in each):
                raise ValueError("shares must give the same rows for every combination")
            found = {row: (every, [rows[row] for rows in each]) for row in each[0]}
        self.rows = {
            clean(row): ([every.index(clean(name)) for name in names], [_percent(share) for share in of_row])
            for row, (names, of_row) in found.items()
        }
        self.start = [0] * len(dials)
        for i, (dial, labels) in enumerate(self.labels.items()):
            wanted = (start or {}).get(dial, labels[0])
            if wanted not in labels:
                raise ValueError(f"{dial!r} cannot start at {wanted!r}: its labels are {', '.join(labels)}")
            self.start[i] = labels.index(wanted)

    def tabled(self, names: Sequence[str], of: Function) -> list[Any]:
        """What a function gives for every combination of these dials' values, those of the last dial first."""
        values = [[value for _, value in self.dials[clean(name)]] for name in names]
        return [of(*each) for each in product(*values)]

    def at(self, *places: int) -> dict[str, int | None]:
        """Row -> per cent or None, where the dials stand at these places (0 is each one's first value)."""
        sizes, found = [len(labels) for labels in self.labels.values()], {}
        for row, (hangs, shares) in self.rows.items():
            i = 0
            for dial in hangs:
                i = i * sizes[dial] + range(sizes[dial])[places[dial]]
            found[row] = shares[i]
        return found

    def _repr_html_(self) -> str:
        table = {"labels": list(self.labels.values()), "rows": list(self.rows.values())}
        packed = escape(json.dumps(table, ensure_ascii=False, separators=(",", ":")))
        does = handlers_of("dials")["turned"]
        parts = [f'<div class="tot-dials" role="group" aria-label="{escape(self.name)}" data-table="{packed}"']
        parts.append(f'oninput="{does}"><style>{style_of("dials")}</style><div>')
        for place, (dial, labels) in zip(self.start, self.labels.items(), strict=True):
            parts.append(_dial(dial, labels, place, f"{self.name}: {dial}"))
        parts.append("</div><div>")
        for row, share in self.at(*self.start).items():
            bar = f'<s><i style="width:{share or 0}%"></i></s>'
            parts.append(f'<div class="tot-bar"><span>{escape(row)}</span> {bar}<b>{_said(share)}</b></div>')
        return as_written("\n".join([*parts, "</div></div>"]))

    def __repr__(self) -> str:
        dials = zip(self.labels.items(), self.start, strict=True)
        here = ", ".join(f"{dial}: {labels[place]}" for (dial, labels), place in dials)
        bars = "\n".join(f"  {_said(share):>4}  {row}" for row, share in self.at(*self.start).items())
        return f"{here}\n{bars}"


def _dial(name: str, labels: Sequence[str], place: int, group: str) -> str:
    """A dial: buttons for a few values, else a slider. ``group``: what its buttons have in common, in the page."""
    label = escape(labels[place])
    if len(labels) > BUTTONS:
        return (
            f'<label class="tot-dial"><span>{escape(name)}</span> <input type="range" min="0" max="{len(labels) - 1}" '
            f'step="1" value="{place}" autocomplete="off" aria-valuetext="{label}"/><output>{label}</output></label>'
        )
    buttons = "".join(
        f'<label><input type="radio" name="{escape(group)}" value="{i}" autocomplete="off"{" checked" * (i == place)}/>'
        f"<span>{escape(each)}</span></label>"
        for i, each in enumerate(labels)
    )
    return (
        f'<div class="tot-dial" role="radiogroup" aria-label="{escape(name)}"><span>{escape(name)}</span>'
        f"<p>{buttons}</p></div>"
    )


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * min(1.0, max(0.0, share)))


def _said(share: int | None) -> str:
    return "n/a" if share is None else f"{share}%"
