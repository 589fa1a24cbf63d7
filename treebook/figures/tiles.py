"""Who wins where: a map of tiles, coloured by winner."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tot.show.drawing import SVG, dark_css, framed, px, written
from tot.show.escaping import clean, cut, em, escape, line, number
from tot.show.layout import MARGIN, SMALL
from tot.show.style import EDGE, FAINT, GROUND, INK
from tot.show.tables import PlainRow
from tot.ties import total

from .plot_style import PALETTE, MethodLook, method_looks, mixed

TILE, ROOM, ROW = (56.0, 44.0), 30.0, 12.0  # a tile; above a panel; between lines in a tile: in pixels
NARROWEST = 420.0  # pixels: narrower pages scroll
FADED = 0.35  # how much of a colour is left beside the background
DOUBT = "cannot tell"


def winners(
    rows: Sequence[PlainRow],
    *,
    x: str,
    y: str,
    panel: str,
    names: Sequence[str] | None = None,
    columns: int = 3,
    xlabel: str = "",
    ylabel: str = "",
    apart: bool = False,
) -> SVG:
    """Who wins where: one grid of tiles for each ``panel``, ``x`` to the right and ``y`` downwards, in the winner's
    colour and with what the row has under "label" (None: nothing), in up to three lines.

    ``rows``: plain; under "winner" is a name, or None where no winner can be told: that tile is blank, with a dashed
    outline. Settings, panels and winners stand in the order in which they appear. ``names``: all who play, so that
    equal names have equal colours in several pictures (None: those who win anywhere). ``columns``: panels side by side.
    ``apart``: colours of the palette, in the order of the names, for players whose own colours are too much alike.

    Raises ValueError without rows, and for two rows with the same tile.
    """
    if len({(row[panel], row[x], row[y]) for row in rows}) < max(len(rows), 1):
        raise ValueError("winners needs at least one row, and one row at most for a tile")
    panels, xs, ys = (list(dict.fromkeys(row[key] for row in rows)) for key in (panel, x, y))
    players = list(dict.fromkeys([*(names or ()), *(row["winner"] for row in rows if row["winner"] is not None)]))
    place = {name: i for i, name in enumerate(players)}
    looks = list(method_looks(line(name) for name in players).values())
    if apart:
        looks = [replace(look, colour=PALETTE[i % len(PALETTE)]) for i, look in enumerate(looks)]
    left = MARGIN + 18 + SMALL * max(em(_said(each)) for each in ys)
    step = TILE[0] * len(xs) + 16, TILE[1] * len(ys) + ROOM + 18
    down = -(-len(panels) // min(columns, len(panels)))
    width = left + step[0] * min(columns, len(panels)) + MARGIN - 16
    bottom = MARGIN + step[1] * down
    parts, boxes, said = [], defaultdict[int | None, list[str]](list), defaultdict[bool, list[str]](list)
    for i, name in enumerate(panels):
        at = left + step[0] * (i % columns), MARGIN + ROOM + step[1] * (i // columns)
        parts.append(written(at[0], at[1] - 9, cut(_said(name), step[0] / 12), more=' font-weight="600"'))
        for j, each in enumerate(xs):
            said[False].append(_at(at[0] + TILE[0] * (j + 0.5), at[1] + TILE[1] * len(ys) + 13, _said(each)))
        for j, each in enumerate(ys if i % columns == 0 else ()):
            middle = at[1] + TILE[1] * (j + 0.5) + 4
            parts.append(written(left - 6, middle, _said(each), "faint", size=SMALL, more=' text-anchor="end"'))
        for row in (row for row in rows if row[panel] == name):
            corner = at[0] + TILE[0] * xs.index(row[x]), at[1] + TILE[1] * ys.index(row[y])
            player = place.get(row["winner"])
            boxes[player].append(_box(corner[0] + 1, corner[1] + 1, TILE[0] - 2, TILE[1] - 2))
            said[player is not None] += _label(corner, row.get("label"))
    said[False].append(_at(left + (width - left) / 2, bottom + 8, line(xlabel or x)))
    for i, (player, name) in enumerate([*enumerate(players), (None, DOUBT)]):
        start = left + total(40 + SMALL * em(line(each)) for each in players[:i])
        boxes[player].append(_box(start, bottom + 20, 14, 12))
        parts.append(written(start + 20, bottom + 30, line(name), size=SMALL))
    grouped = [_look(player, looks) + "".join(some) + "</g>" for player, some in boxes.items()]
    for told, some in said.items():
        css, colour = ("ink", INK[0]) if told else ("faint", FAINT[0])
        look = f'class="tot-{css}" fill="{colour}" font-size="{px(SMALL)}" text-anchor="middle"'
        grouped.append(f"<g {look}>{''.join(some)}</g>")
    centre = (bottom + MARGIN) / 2
    turned = f' text-anchor="middle" transform="rotate(-90 {px(MARGIN + 4)} {px(centre)})"'
    parts.append(written(MARGIN + 4, centre, line(ylabel or y), "faint", size=SMALL, more=turned))
    title = f"Who wins: {line(ylabel or y)} against {line(xlabel or x)}"
    about = clean(f"{title}. " + " ".join(_sentence(name, rows, panel) for name in panels))
    size = width, bottom + 44
    return framed([*grouped, *parts], size, least=min(width, NARROWEST), title=title, about=about, css=_dark(looks))


def _said(value: Any) -> str:
    return line(value) if isinstance(value, str) else number(value)


def _at(x: float, y: float, text: str) -> str:
    """Text in a group that says how it looks."""
    return f'<text x="{px(x)}" y="{px(y)}">{escape(text)}</text>'


def _label(corner: tuple[float, float], label: Any) -> list[str]:
    """Up to three lines in the middle of the tile with this upper left corner."""
    lines = [] if label is None else [cut(line(part), TILE[0] / SMALL) for part in str(label).split("\n")[:3]]
    first = corner[1] + TILE[1] / 2 + 4 - ROW * (len(lines) - 1) / 2
    return [_at(corner[0] + TILE[0] / 2, first + ROW * i, text) for i, text in enumerate(lines)]


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}" rx="3"/>'


def _look(player: int | None, looks: Sequence[MethodLook]) -> str:
    """Opens the group of all boxes of one player: its place among the names, None: nobody's."""
    if player is None:
        return f'<g class="tot-doubt" fill="none" stroke="{EDGE[0]}" stroke-dasharray="3 3">'
    return f'<g class="tot-win{player}" fill="{colour_of(looks[player], 0)}">'


def colour_of(look: MethodLook, theme: int) -> str:
    """The colour of a winner's tiles, on which ink is legible; ``theme``: 0 light, 1 dark."""
    return mixed(look.colour[theme], GROUND[theme], FADED)


def _sentence(name: Any, rows: Sequence[PlainRow], panel: str) -> str:
    counts = Counter(DOUBT if row["winner"] is None else row["winner"] for row in rows if row[panel] == name)
    return f"{_said(name)}: " + ", ".join(f"{line(who)} {n}" for who, n in counts.items()) + "."


def _dark(looks: Sequence[MethodLook]) -> str:
    rules: Mapping[str, str] = {f".tot-win{i}": f"fill:{colour_of(look, 1)}" for i, look in enumerate(looks)}
    return dark_css({**rules, ".tot-doubt": f"stroke:{EDGE[1]}"})
