"""A calculator in a page: a few dials, and bars that follow. All results are computed beforehand, in Python."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from tot.show.escaping import clean, escape

from .styles import handlers_of, style_of

MOST = 20_000  # combinations: more would make the page heavy


class Dials:
    """Dials (sliders) over a function: turn them, and a bar for each of its results follows.

    ``dials``: the name of each dial and its values, as (label, value) pairs. ``shares``: from one value of each dial,
    in their order, to the rows: name -> share from 0 to 1; None where there is none, which the row then says. Every
    combination has the same rows. ``start``: the label that each dial starts with (default: its first). Where no script
    runs, the bars of the start are shown.

    Raises ValueError without dials or values, for a start that is no label, if combinations differ in their rows, and
    for more than 20,000 combinations.
    """

    def __init__(
        self,
        dials: Mapping[str, Sequence[tuple[str, object]]],
        shares: Callable[..., Mapping[str, float | None]],
        *,
        start: Mapping[str, str] | None = None,
        name: str = "Calculator",
    ) -> None:
        if not dials or not all(dials.values()):
            raise ValueError("pass at least one dial, each with at least one value")
        combinations = list(product(*([value for _, value in values] for values in dials.values())))
        if len(combinations) > MOST:
            raise ValueError(f"{len(combinations):,} combinations are more than {MOST:,}: give the dials fewer values")
        found = [shares(*values) for values in combinations]
        self.rows = [clean(row) for row in found[0]]
        if any([clean(row) for row in each] != self.rows for each in found):
            raise ValueError("shares must give the same rows for every combination")
        self.name = clean(name)
        self.labels = {clean(dial): [clean(label) for label, _ in values] for dial, values in dials.items()}
        self.shares = [
            None if share is None else round(100 * min(1.0, max(0.0, share)))
            for each in found
            for share in each.values()
        ]
        self.start = [0] * len(dials)
        for i, (dial, labels) in enumerate(self.labels.items()):
            wanted = (start or {}).get(dial, labels[0])
            if wanted not in labels:
                raise ValueError(f"{dial!r} cannot start at {wanted!r}: its labels are {', '.join(labels)}")
            self.start[i] = labels.index(wanted)

    def at(self, *places: int) -> dict[str, int | None]:
        """Row -> per cent or None, where the dials stand at these places (0 is each one's first value)."""
        i = 0
        for place, labels in zip(places, self.labels.values(), strict=True):
            i = i * len(labels) + range(len(labels))[place]
        return dict(zip(self.rows, self.shares[i * len(self.rows) :], strict=False))

    def _repr_html_(self) -> str:
        table = {"labels": list(self.labels.values()), "rows": len(self.rows), "shares": self.shares}
        packed = escape(json.dumps(table, ensure_ascii=False, separators=(",", ":")))
        parts = [f'<div class="tot-dials" role="group" aria-label="{escape(self.name)}" data-table="{packed}">']
        parts.append(f"<style>{style_of('dials')}</style>")
        turned = handlers_of("dials")["turned"]
        for place, (dial, labels) in zip(self.start, self.labels.items(), strict=True):
            label = escape(labels[place])
            parts.append(
                f'<label><span>{escape(dial)}</span> <input type="range" min="0" max="{len(labels) - 1}" step="1" '
                f'value="{place}" autocomplete="off" aria-valuetext="{label}" oninput="{turned}"/>'
                f"<output>{label}</output></label>"
            )
        for row, share in self.at(*self.start).items():
            bar = f'<s><i style="width:{share or 0}%"></i></s>'
            parts.append(f'<div class="tot-bar"><span>{escape(row)}</span> {bar}<b>{_said(share)}</b></div>')
        return "\n".join([*parts, "</div>"])

    def __repr__(self) -> str:
        dials = zip(self.labels.items(), self.start, strict=True)
        here = ", ".join(f"{dial}: {labels[place]}" for (dial, labels), place in dials)
        bars = "\n".join(f"  {_said(share):>4}  {row}" for row, share in self.at(*self.start).items())
        return f"{here}\n{bars}"


def _said(share: int | None) -> str:
    return "n/a" if share is None else f"{share}%"
