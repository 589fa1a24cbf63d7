"""Maps of pages and the calls between them: the roads, the way that was found, what was looked at to find it."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from tot.show.escaping import clean, cut, number
from tot.ties import level

from .drawing import SVG
from .kit import Point, Sketch, wide
from .page import HTML, as_written

V = TypeVar("V", bound=Hashable)

SMALL, DOT, DISC = 10.5, 5.0, 15.0  # font size; radius of a page without and with a text in it; all in pixels
LINE = 13.0  # from one line of remarks to the next


def road_map(
    place: Mapping[V, Point], roads: Mapping[V, Mapping[V, float]],
    *, path: Sequence[V] = (), looked: Collection[V] = (), start: V | None = None, goal: V | None = None,
    down: Collection[tuple[V, V]] = (), texts: Mapping[V, str] | None = None,
    remarks: Mapping[V, Sequence[str]] | None = None, marked: Collection[V] = (),
    prices: bool = False, title: str = "", width: float = 330.0,
) -> SVG:  # fmt: skip
    """A map: ``place`` of each page (x to the right, y upwards), and ``roads``: u -> {v: cost}.

    A road that goes both ways is a line, any other an arrow; with ``prices`` two that differ are two arrows; between
    dots all are lines. ``path``: the pages of a way, drawn thick. ``looked``: pages that were expanded, filled.
    ``start`` has a thick ring (the agent is there), ``goal`` two thin ones. ``down``: roads that are broken, crossed
    out. ``texts``: what is written in each page; without it pages are dots. ``remarks``: lines below a page, or right
    of it if it is not in the lowest row. ``marked``: pages with a dashed ring. ``prices``: write the cost of each road
    beside it. ``width``: in pixels.

    Raises ValueError without a page, and for a page without a place.
    """
    missing = [u for u in {*roads, *(v for ways in roads.values() for v in ways)} if u not in place]
    if not place or missing:
        raise ValueError(f"every page needs a place, also {missing[0]!r}" if missing else "a map needs a page")
    r, texts, remarks = DISC if texts else DOT, texts or {}, remarks or {}
    lines = max(map(len, remarks.values()), default=0)
    widest = max((wide(clean(text), SMALL) for said in remarks.values() for text in said), default=0.0)
    side, top = max(widest / 2, r) + 12, (34.0 if title else 12.0) + r + 4
    xs, ys = [x for x, _ in place.values()], [y for _, y in place.values()]
    unit = (width - 2 * side) / ((max(xs) - min(xs)) or 1)
    rise = (max(ys) - min(ys)) * unit
    sketch = Sketch(width, top + rise + r + lines * LINE + 16)
    at = {u: (side + (place[u][0] - min(xs)) * unit, top + (max(ys) - place[u][1]) * unit) for u in place}
    if title:
        size = 13.0 if texts else 11.5
        sketch.label(12, 22, cut(clean(title), (width - 16) / size), size=size, bold=True)
    steps = {*pairwise(path)}
    for u, v, both in _lines(roads, prices):
        on = (u, v) in steps or (both and (v, u) in steps)
        broken = (u, v) in down or (both and (v, u) in down)
        a, b = _between(at[u], at[v], r + 1, r + (1 if both else 2))
        colour, dash = ("wrong", "4 3") if broken else ("chosen" if on else "edge", "")
        sketch.arrow(a, b, colour=colour, thick=4.0 if on else 1.4, dash=dash, head=not both and bool(texts))
        if broken:
            sketch.cross((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 5.0)
        if prices:
            _price(sketch, a, b, number(roads[u][v]) if not broken else "down", broken)
    for u in place:
        if r == DISC:
            sketch.dot(*at[u], r, texts.get(u, ""), look="chosen" if u in looked else "kept", size=12)
        else:
            sketch.path(_circle(*at[u], r), fill="chosen" if u in path else "bar" if u in looked else "ground")
            sketch.path(_circle(*at[u], r), "chosen" if u in path or u in looked else "edge", thick=1.2)
        if u == start:
            sketch.path(_circle(*at[u], r + 4), "ink", thick=3.0)
        for ring in range(2 * (u == goal)):
            sketch.path(_circle(*at[u], r + 3.5 + 3 * ring), "ink", thick=1.4)
        if u in marked:
            sketch.path(_circle(*at[u], r + 5), "chosen", thick=1.8, dash="3 3")
        said, (x, y) = remarks.get(u, ()), at[u]
        for i, text in enumerate(said):
            if level(place[u][1]) == level(min(ys)):
                sketch.label(x, y + r + 17 + i * LINE, text, "faint", size=SMALL, anchor="middle")
            else:
                sketch.label(x + r + 10, y + 4 - (len(said) - 1 - i) * LINE, text, "faint", size=SMALL)
    about = [f"{title or 'A map'}: {len(place)} pages, {len(_lines(roads, True))} roads."]
    about += [f"From {start}."] if start is not None else []
    about += [f"To {goal}."] if goal is not None else []
    about += [f"{n} page{'s were' if n > 1 else ' was'} expanded."] if (n := len({*looked})) else []
    about += [f"The way: {', '.join(map(str, path))}."] if path else []
    about += [f"Down: {', '.join(f'{u} to {v}' for u, v in down)}."] if down else []
    return sketch.svg(title or "A map", " ".join(about))


def side_by_side(pictures: Sequence[SVG | HTML]) -> HTML:
    """Pictures in a row; on a narrow page one below the other. A page (an explorer) takes the room they leave."""
    cells = []
    for picture in pictures:
        room, over = "1 1 420px", ""
        if isinstance(picture, SVG):
            room, over = f"0 1 {round(picture.width)}px", ";overflow-x:auto"
        cells.append(f'<div style="flex:{room};min-width:0;max-width:100%{over}">{picture}</div>')
    about = " ".join(picture.about for picture in pictures)
    wide = " wide" * (len(pictures) > 1 and any(isinstance(picture, HTML) for picture in pictures))
    row = f'<div class="tot-row{wide}" style="display:flex;flex-wrap:wrap;gap:10px">'
    return HTML(as_written(f"{row}{''.join(cells)}</div>"), about)


def _lines(roads: Mapping[V, Mapping[V, float]], prices: bool) -> list[tuple[V, V, bool]]:
    """Each road once: (from, to, whether it goes both ways; with ``prices`` at the same cost)."""
    found: dict[tuple[V, V], bool] = {}
    for u, ways in roads.items():
        for v, cost in ways.items():
            back = roads.get(v, {}).get(u)
            same = back is not None and (not prices or level(back) == level(cost))
            if not (same and (v, u) in found):
                found[u, v] = same
    return [(u, v, both) for (u, v), both in found.items()]


def _between(a: Point, b: Point, first: float, last: float) -> tuple[Point, Point]:
    """The line from a to b without its first and last pixels, which the pages at its ends cover."""
    across, along = b[0] - a[0], b[1] - a[1]
    length = max((across**2 + along**2) ** 0.5, first + last + 1)
    x, y = across / length, along / length
    return (a[0] + first * x, a[1] + first * y), (b[0] - last * x, b[1] - last * y)


def _price(sketch: Sketch, a: Point, b: Point, text: str, broken: bool) -> None:
    """The cost of a road beside its middle: below a level road, right of a steep one, above any other."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    rise, colour = abs(b[1] - a[1]), "wrong" if broken else "ink"
    if rise > abs(b[0] - a[0]):
        sketch.label(x + 9, y + 4, text, colour, size=SMALL)
    else:
        sketch.label(x, y + (15 if rise < 1 else -8), text, colour, size=SMALL, anchor="middle")


def _circle(x: float, y: float, r: float) -> str:
    return f"M{round(x - r, 1)} {round(y, 1)}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"
