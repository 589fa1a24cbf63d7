"""Who wins where: a map of tiles, coloured by winner."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from tot.show.escaping import clean, cut, em, escape, line, number
from tot.show.tables import PlainRow
from tot.ties import total

from .drawing import SVG, dark_css, framed, px, written
from .layout import MARGIN, SMALL
from .looks import EDGE, FAINT, GROUND, INK
from .plot_style import PALETTE, mixed

TILE, ROOM, ROW = (56.0, 44.0), 30.0, 12.0  # a tile; above a panel; between lines in a tile: in pixels
COLUMNS = 3  # panels side by side
NARROWEST = 420.0  # pixels: narrower pages scroll
FADED = 0.35  # how much of a colour is left beside the background: ink is legible on it
DOUBT = "cannot tell"


def winners(
    rows: Sequence[PlainRow], *, x: str, y: str, panel: str, names: Sequence[str] = (), xlabel: str, ylabel: str
) -> SVG:
    """Who wins where: one grid of tiles for each ``panel``, ``x`` to the right and ``y`` downwards, in the winner's
    colour and with what the row has under "label" (None: nothing), in up to three lines.

    ``rows``: plain; under "winner" is a name, or None where no winner can be told: that tile is blank, with a dashed
    outline. Settings, panels and winners stand in the order in which they appear. ``names``: who plays, in the order of
    the palette's colours; equal names have equal colours in several pictures.

    Raises ValueError without rows, and for two rows with the same tile.
    """
    if len({(row[panel], row[x], row[y]) for row in rows}) < max(len(rows), 1):
        raise ValueError("winners needs at least one row, and one row at most for a tile")
    panels, xs, ys = (list(dict.fromkeys(row[key] for row in rows)) for key in (panel, x, y))
    players = list(dict.fromkeys([*names, *(row["winner"] for row in rows if row["winner"] is not None)]))
    left = MARGIN + 18 + SMALL * max(em(_said(each)) for each in ys)
    step = TILE[0] * len(xs) + 16, TILE[1] * len(ys) + ROOM + 18
    width = left + step[0] * min(COLUMNS, len(panels)) + MARGIN - 16
    bottom = MARGIN + step[1] * -(-len(panels) // COLUMNS)
    parts, boxes, said = [], defaultdict[str | None, list[str]](list), defaultdict[str, list[str]](list)

    def box(player: str | None, x: float, y: float, wide: float, high: float) -> None:
        place = f'x="{px(x)}" y="{px(y)}" width="{px(wide)}" height="{px(high)}" rx="3"'
        boxes[player].append(f"<rect {place}/>")

    def say(css: str, x: float, y: float, text: str) -> None:
        said[css].append(f'<text x="{px(x)}" y="{px(y)}">{escape(text)}</text>')

    for i, name in enumerate(panels):
        at = left + step[0] * (i % COLUMNS), MARGIN + ROOM + step[1] * (i // COLUMNS)
        parts.append(written(at[0], at[1] - 9, cut(_said(name), step[0] / 12), more=' font-weight="600"'))
        for j, each in enumerate(xs):
            say("faint", at[0] + TILE[0] * (j + 0.5), at[1] + TILE[1] * len(ys) + 13, _said(each))
        for j, each in enumerate(ys if i % COLUMNS == 0 else ()):
            middle = at[1] + TILE[1] * (j + 0.5) + 4
            parts.append(written(left - 6, middle, _said(each), "faint", size=SMALL, more=' text-anchor="end"'))
        for row in (row for row in rows if row[panel] == name):
            across, down = at[0] + TILE[0] * xs.index(row[x]), at[1] + TILE[1] * ys.index(row[y])
            box(row["winner"], across + 1, down + 1, TILE[0] - 2, TILE[1] - 2)
            label = row.get("label")
            lines = [] if label is None else [cut(line(part), TILE[0] / SMALL) for part in str(label).split("\n")[:3]]
            first = down + TILE[1] / 2 + 4 - ROW * (len(lines) - 1) / 2
            for j, text in enumerate(lines):
                say("faint" if row["winner"] is None else "ink", across + TILE[0] / 2, first + ROW * j, text)
    say("faint", left + (width - left) / 2, bottom + 8, line(xlabel))
    for i, player in enumerate([*players, None]):
        start = left + total(40 + SMALL * em(line(each)) for each in players[:i])
        box(player, start, bottom + 20, 14, 12)
        parts.append(written(start + 20, bottom + 30, line(player or DOUBT), size=SMALL))
    grouped, dark = [], {f".tot-win{i}": f"fill:{colour_of(i, 1)}" for i in range(len(players))}
    for player, some in boxes.items():
        look = f'class="tot-doubt" fill="none" stroke="{EDGE[0]}" stroke-dasharray="3 3"'
        if player is not None:
            look = f'class="tot-win{players.index(player)}" fill="{colour_of(players.index(player), 0)}"'
        grouped.append(f"<g {look}>{''.join(some)}</g>")
    for css, some in said.items():
        look = f'fill="{(INK if css == "ink" else FAINT)[0]}" font-size="{px(SMALL)}" text-anchor="middle"'
        grouped.append(f'<g class="tot-{css}" {look}>{"".join(some)}</g>')
    centre = (bottom + MARGIN) / 2
    turned = f' text-anchor="middle" transform="rotate(-90 {px(MARGIN + 4)} {px(centre)})"'
    parts.append(written(MARGIN + 4, centre, line(ylabel), "faint", size=SMALL, more=turned))
    title, counts = f"Who wins: {line(ylabel)} against {line(xlabel)}", []
    for name in panels:
        won = Counter(DOUBT if row["winner"] is None else row["winner"] for row in rows if row[panel] == name)
        counts.append(f"{_said(name)}: {', '.join(f'{line(who)} {n}' for who, n in won.items())}.")
    css, size = dark_css({**dark, ".tot-doubt": f"stroke:{EDGE[1]}"}), (width, bottom + 44)
    about = clean(f"{title}. {' '.join(counts)}")
    return framed([*grouped, *parts], size, least=min(width, NARROWEST), title=title, about=about, css=css)


def _said(value: Any) -> str:
    return line(value) if isinstance(value, str) else number(value)


def colour_of(player: int, theme: int) -> str:
    """The colour of a player's tiles, by his place among the names; ``theme``: 0 light, 1 dark."""
    return mixed(PALETTE[player % len(PALETTE)][theme], GROUND[theme], FADED)
