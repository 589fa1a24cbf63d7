"""A decision to explore: dials move a dot over a map of gains, and a panel says what to do there, and why."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tot.show.escaping import clean, escape, real
from tot.stats import Interval

from .dials import Dials, Hangs
from .evidence import Results
from .gain_map import GainMap, Mark
from .page import as_written
from .styles import handlers_of, style_of

NOTHING = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"  # loads, also where a page is filled later
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Case:
    """A decision. ``where``: for whom; ``rule``: what to do; ``why``; its evidence: ``rates`` by name, ``source``, and
    a ``link`` (words, address) to more of it.
    """

    where: str
    rule: str
    why: str = ""
    rates: Mapping[str, Interval] = field(default_factory=dict)
    source: str = ""
    link: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Player:
    """Somebody real, marked on the map. ``at``: the values of the first two dials, and of more (others are as at the
    start); dials go to what is nearest. ``case``: what was measured. ``known``: its points are on the map, too.
    """

    name: str
    at: Mapping[str, float]
    case: Case
    known: bool = False


class Centrefold:
    """A map, dials and decisions in one: the first two dials are the axes of the map, in their order; a click moves the
    dot, too. ``layer``: which of the map's layers is shown, by its number; ``decide``: the key of the case that holds;
    both hang on some dials. Players are links, ``#at=name``, and any other state has a link as well.

    Without a script, and on paper: the map of its first layer with its players, and two tables, of cases and players.
    Raises ValueError for more cases than letters.
    """

    def __init__(
        self, plane: GainMap, dials: Dials, cases: Mapping[str, Case], *, decide: Hangs, layer: Hangs,
        players: Sequence[Player] = (),
    ) -> None:  # fmt: skip
        if len(cases) > len(LETTERS):
            raise ValueError(f"a decision has {len(LETTERS)} cases at most, not {len(cases)}")
        self.dials, self.cases, self.players = dials, dict(cases), list(players)
        names = [*dials.labels]
        marks = [Mark(p.name, p.at[names[0]], p.at[names[1]], p.known, f"#at={slug(p.name)}") for p in players]
        self.plane = GainMap(plane.layers, plane.x, plane.y, plane.names, marks)
        self.tables: dict[str, Any] = {"labels": [[*map(slug, labels)] for labels in dials.labels.values()]}
        self.tables["on"] = [[names.index(name) for name in hangs] for hangs, _ in (decide, layer)]
        keys = [LETTERS[list(cases).index(key)] for key in dials.tabled(*decide)]
        self.tables["cases"] = "".join(f"{len([*run])}{key}" for key, run in groupby(keys))
        self.tables["layers"] = "".join(map(str, dials.tabled(*layer)))
        axes = zip((plane.x, plane.y), dials.dials.values(), strict=False)
        self.tables["axes"] = [[axis.at(real(value) or 0.0) for _, value in values] for axis, values in axes]
        self.tables["players"] = [[slug(p.name), *self._places(p)] for p in players]

    def _places(self, player: Player) -> list[int]:
        places = list(self.dials.start)
        for i, (dial, values) in enumerate(self.dials.dials.items()):
            if dial in player.at:
                at = (self.plane.x.at, self.plane.y.at)[i] if i < 2 else float
                far = [abs(at(real(value) or 0.0) - at(player.at[dial])) for _, value in values]
                places[i] = far.index(min(far))
        return places

    def at(self, *places: int) -> str:
        """The key of the case that holds where the dials stand at these places (0 is each one's first value)."""
        letters = re.sub(r"(\d+)(\D)", lambda run: int(run[1]) * run[2], self.tables["cases"])
        i = 0
        for dial in self.tables["on"][0]:
            i = i * len([*self.dials.labels.values()][dial]) + places[dial]
        return [*self.cases][LETTERS.index(letters[i])]

    def _repr_html_(self) -> str:
        does = handlers_of("centrefold")
        sheets = ("evidence", "results", "centrefold")
        packed = escape(json.dumps(self.tables, separators=(",", ":")))
        here = self.at(*self.dials.start)
        first = [axis[place] for axis, place in zip(self.tables["axes"], self.dials.start, strict=False)]
        dot = f'<svg class="tot-dot" x="{first[0]}%" y="{100 - first[1]}%" overflow="visible" aria-hidden="true">'
        dot += '<circle r="9"/><circle r="2.5"/></svg>'
        handlers = f'onclick="{does["placed"]}" onpointermove="{does["dragged"]}"'
        rows = [_row(case, "tot-case", " data-on" * (key == here)) for key, case in self.cases.items()]
        marked = [_row(player.case, "tot-of-player") for player in self.players]
        places = "".join(f'<i id="at={slug(player.name)}"></i>' for player in self.players)
        heads = "<thead><tr><th>Where</th><th>What to do</th><th>What was measured</th></tr></thead>"
        page = "\n".join(
            [
                f'<div class="tot-centrefold screen" role="group" aria-label="{escape(self.dials.name)}" '
                f'data-table="{packed}" oninput="{does["moved"]}">',
                f"<style>{''.join(map(style_of, sheets))}</style>",
                f'<div class="tot-plane">{places}{self.plane.svg(handlers, dot)}{self.plane.key()}</div>',
                f'<div class="tot-told" aria-live="polite"><table>{heads}<tbody>{"".join(rows)}</tbody>'
                f"<tbody>{''.join(marked)}</tbody></table>",
                '<p class="tot-link"><a href="#at=">Link to this place</a></p></div>',
                self.dials._repr_html_(),
                f'<img alt="starts the map" hidden src="{NOTHING}" onload="{does["loaded"]}"/></div>',
            ]
        )
        return as_written(page)

    def __repr__(self) -> str:
        lines = [self.plane.about(), repr(self.dials)]
        for case in (*self.cases.values(), *(player.case for player in self.players)):
            lines += [f"{clean(case.where)}: {clean(case.rule)} {clean(case.why)}".rstrip()]
            lines += [f"    {rate!s:18} {clean(name)}" for name, rate in case.rates.items()]
            lines += [f"    ({clean(case.source)})"] if case.source else []
        return "\n".join(lines)


def slug(text: str) -> str:
    """A label as it stands in a link: small letters, digits, points, and one - for anything between."""
    return re.sub(r"[^a-z0-9.]+", "-", clean(text).lower()).strip("-")


def _row(case: Case, kind: str, on: str = "") -> str:
    rates = Results(case.rates).lines_html() if case.rates else ""
    words, address = case.link
    link = f' <a href="{escape(address)}">{escape(clean(words))}</a>' if words else ""
    return (
        f'<tr class="{kind}"{on}><th scope="row">{escape(clean(case.where))}</th><td><strong>'
        f"{escape(clean(case.rule))}</strong> {escape(clean(case.why))}</td>"
        f"<td>{rates}<small>{escape(clean(case.source))}{link}</small></td></tr>\n"
    )
