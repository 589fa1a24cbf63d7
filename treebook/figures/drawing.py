"""A trace as an SVG picture: the tree from left to right, one column for each level. The same on every machine.

``framed`` and ``written``, which all SVG pictures of this package share, are here as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tot.show.escaping import block, clean, count, cut, em, escape, line
from tot.show.tree import STATUSES, Item, Picture, Traced, caption, picture, refusing_damage

from .layout import LEADING, LEAST, MARGIN, MARK, PAD, PHONE, SIZE, SMALL, Layout, downwards, lay_out, subtitle
from .looks import BORDER, CHOSEN, DARK, EDGE, FAINT, FONT, GROUND, INK, LOOKS, TEXT_WIDTH
from .marks import FULL, HALF, THICK, UNREAD, costs, thickness
from .page import as_written

TITLE = 1500  # characters of a thought in its tooltip
TOLD = 12  # nodes whose visits are told in words
LISTED = 30  # folded nodes that are named in the tooltip of their stub
INKS = {"ink": INK, "faint": FAINT, "right": LOOKS["correct"].ink, "wrong": LOOKS["wrong"].ink}


class SVG(str):
    """SVG text that notebooks show as a picture: ``print`` it, ``save`` it, or make it the last line of a cell.

    ``about``: the picture in words. ``width``: in pixels. ``down``: the same for a phone, "" if there is none.
    """

    about: str
    width: float
    down: str

    def __new__(cls, text: str, about: str = "", width: float = 0.0, down: str = "") -> SVG:
        self = super().__new__(cls, text)
        self.about, self.width, self.down = about, width, down
        return self

    def save(self, path: str | Path) -> None:
        """Write the picture into a file. Raises OSError where that is not possible."""
        Path(path).write_text(str(self) + "\n", encoding="utf-8")

    def _repr_html_(self) -> str:
        """The picture in a box that scrolls sideways where the page is narrow, or turns, if the page knows how
        (``book/_static/css/figures.css``).
        """
        css = "tot-scroll" + (" tot-across" + " wide" * (self.width > TEXT_WIDTH) if self.down else "")
        down = as_written(f'<div class="tot-down" hidden="">{self.down}</div>') if self.down else ""
        return as_written(f'<div class="{css}" tabindex="0" style="overflow-x:auto;max-width:100%">{self}</div>') + down

    def __repr__(self) -> str:
        return f"<SVG: {self.about}>"


# -------------------------------------------------------------------- what all pictures share


def framed(parts: Iterable[str], size: tuple[float, float], *, least: float, title: str, about: str, css: str) -> SVG:
    """A whole picture: ``parts`` on the background that all pictures have.

    ``size``: width and height. ``least``: a page narrower than this scrolls instead of shrinking the picture further;
    it is at least what keeps the smallest text legible. ``about``: the picture in words, cleaned. All lengths are in
    pixels.
    """
    width, height = size
    parts = list(parts)
    smallest = min([SMALL, *(float(found) for part in parts for found in re.findall(r'font-size="([\d.]+)"', part))])
    least = max(least, width * LEAST / smallest)
    shown = max(width, least)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tot-svg" role="img" aria-label="{escape(about)}" '
        f'viewBox="0 0 {px(width)} {px(height)}" width="{px(width)}" height="{px(height)}" '
        f'style="display:block;width:100%;max-width:{px(shown)}px;min-width:{px(least)}px;height:auto" '
        f'font-family="{FONT}" font-size="{px(SIZE)}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(about)}</desc>",
        f"<style>{css}</style>",
        f'<rect class="tot-ground" x="0.5" y="0.5" width="{px(width - 1)}" height="{px(height - 1)}" rx="6" '
        f'fill="{GROUND[0]}" stroke="{BORDER[0]}"/>',
    ]
    return SVG("\n".join([*head, *parts, "</svg>"]), about, width)


def with_phone(made: SVG, down: str, most: float = TEXT_WIDTH) -> SVG:
    """A picture that a phone shows as ``down``; what both share is left out there, as they stand side by side.
    ``most``: so wide a page shows it, in pixels.
    """
    return SVG(made, made.about, min(most, made.width), re.sub(r"<(desc|style)>.*?</\1>\n", "", down, flags=re.DOTALL))


def written(
    x: float, y: float, text: str, css: str = "ink", *, size: float | None = None, ink: str = "", more: str = ""
) -> str:
    """A line of cleaned text. ``css``: one of ``INKS``; ``ink``: another colour than its own; ``size``: of the font,
    where it is not the picture's; ``more``: attributes.
    """
    font = "" if size is None else f' font-size="{px(size)}"'
    colour = ink or INKS[css][0]
    return f'<text class="tot-{css}" x="{px(x)}" y="{px(y)}"{font} fill="{colour}"{more}>{escape(text)}</text>'


def dark_css(rules: Mapping[str, str]) -> str:
    """What changes where the page says that it is dark: selector -> declarations. The background and ink are included.

    Light colours are attributes, so that they remain where a viewer ignores style sheets.
    """
    shared = {
        ".tot-ground": f"fill:{GROUND[1]};stroke:{BORDER[1]}",
        ".tot-ink": f"fill:{INK[1]}",
        ".tot-faint": f"fill:{FAINT[1]}",
    }
    at = f"{DARK} .tot-svg "
    return "".join(
        ",".join(at + one for one in selector.split(",")) + f"{{{declarations}}}"
        for selector, declarations in {**shared, **rules}.items()
    )


def node_css(used: Iterable[str]) -> str:
    """``dark_css`` of nodes that have the looks in ``used``, and of what is drawn around them."""
    rules = {".tot-edge": f"stroke:{EDGE[1]}"}
    for key in sorted(set(used)):
        look = LOOKS[key]
        rules[f".tot-n-{key} .tot-box"] = f"fill:{look.fill[1]};stroke:{look.line[1]}"
        rules[f".tot-n-{key} .tot-ink"] = f"fill:{look.ink[1]}"
        rules[f".tot-n-{key} .tot-marks"] = f"color:{look.ink[1]}"
    return dark_css({**rules, ".tot-chosen:not(.tot-n-root) .tot-box,.tot-e-chosen": f"stroke:{CHOSEN[1]}"})


def dashed(dash: str) -> str:
    """The attribute for a dashed outline; "" for a solid one."""
    return f' stroke-dasharray="{dash}"' if dash else ""


def px(length: float) -> str:
    """A length in pixels, to one decimal."""
    return f"{round(length, 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0: no minus zero


# -------------------------------------------------------------------- the tree


@refusing_damage
def svg(
    trace: Traced,
    *,
    max_dropped: int | None = 2,
    max_children: int | None = 12,
    lines: int = 2,
    chars: int = 20,
    title: bool = True,
) -> SVG:
    """The tree as a picture. A status shows in the style of lines and in words as well as in colour.

    ``max_dropped``: how many children of a node that were not kept are drawn, those of highest value first, before the
    rest becomes a stub such as "+12 not kept"; ``max_children``: the same for all other children; None: no limit.
    ``lines`` and ``chars``: a thought is written in so many lines of about so many characters, and in full in a
    tooltip; a tree that is wider than a page has shorter lines, and one more. ``title``: write above the tree what was
    asked and what it cost.
    """
    seen = picture(trace)
    layout = lay_out(seen, max_dropped=max_dropped, max_children=max_children, lines=lines, chars=chars, title=title)
    made = draw(seen, layout, title=title)
    if made.width <= PHONE:
        return made
    down = downwards(seen, max_dropped=max_dropped, max_children=max_children, lines=lines, title=title)
    return with_phone(made, draw(seen, down, title=title, down=True, tips=False), made.width)


def summary(seen: Picture) -> str:
    """The picture in a few sentences, for readers who do not see it."""
    what, how, outcome = caption(seen)
    below = [item for item in seen.items.values() if item.depth]
    if not below:
        shape = "No thoughts."
    else:
        groups = Counter(STATUSES[item.status] for item in below)
        levels = max(item.depth for item in below)
        shape = f"{count(len(below), 'thought')} in {count(levels, 'level')}: "
        shape += ", ".join(f"{n} {word}" for word, n in groups.items()) + "."
    if seen.visited:
        told = [f"{cut(line(item.thought), 20)} {item.measures}" for item in below if item.visits][:TOLD]
        shape += f" {'; '.join(told)}." if told else ""
    if seen.visited and not {"task", "problem"} & {*seen.trace.head}:  # a search alone: it has no answer to be judged
        what = how = outcome = ""
    steps = [cut(line(item.thought), 40) for item in seen.path() if item.depth][:12]
    path = f" {seen.mark[0].upper()}{seen.mark[1:]}: {'; '.join(steps)}." if steps else ""
    return f"Search tree. {what}. {how}. {shape}{path} {outcome}".replace(" . ", " ").replace(" . ", " ").strip()


def draw(seen: Picture, layout: Layout, *, title: bool = True, down: bool = False, tips: bool = True) -> SVG:
    """Draw the picture where its layout says. ``down``: edges are those of a list; ``tips``: boxes have tooltips."""
    (width, height), items = layout.size, layout.items.values()
    parts = _heading(seen, width) if title else []
    tokens = costs(seen.trace)
    most = max((n for id, n in tokens.items() if id != seen.root), default=0.0)
    for chosen in (False, True):  # the chosen path lies on top
        look = f'class="tot-edge{" tot-e-chosen" if chosen else ""}" stroke="{(CHOSEN if chosen else EDGE)[0]}"'
        below = [item for item in items if item.parent is not None and item.chosen is chosen]
        thick = {item.id: THICK[thickness(tokens.get(item.id, 0.0), most)] for item in below}
        if edges := "".join(
            _edge(layout.items[item.parent or ""], item, layout, thick[item.id], down) for item in below
        ):
            parts.append(f'<g {look} fill="none">{edges}</g>')
    for item in items:
        css = f"tot-n-{item.look}" + (" tot-chosen" if item.chosen else "")
        inside = "".join(_node(item, layout))
        tip = f"<title>{escape(_tooltip(item, seen))}</title>" if tips else ""
        parts.append(f'<g class="tot-node {css}">{tip}{inside}</g>')
    parts += _legend(items, seen.mark, height)
    css = node_css(look for item in items for look in (item.look, item.status))
    heading = f"Search tree: {caption(seen)[0]}"
    return framed(parts, layout.size, least=width, title=heading, about=clean(summary(seen)), css=css)


def _node(item: Item, layout: Layout) -> Iterator[str]:
    box, look, (x, middle, w) = layout.boxes[item.id], LOOKS[item.look], layout.place(item)
    h, ink = box.height, look.ink[0]
    y = middle - h / 2
    if item.status == "more":
        yield written(x + 2, y + 14.5, box.lines[0], size=SMALL, ink=ink, more=' font-style="italic"')
        return
    stroke, thick = (CHOSEN[0], 3.0) if item.chosen and item.depth else (look.line[0], look.width)
    outline = f'stroke-width="{px(thick)}"{dashed(look.dash)}'
    yield _rect(x, y, w, h, 10 if item.final else 4, look.fill[0], stroke, outline)
    room = MARK * len(box.marks)
    if box.compact:
        for i, text in enumerate(box.lines):
            yield written(x + PAD, y + 14.5 + 13 * i, text, size=SIZE - 1, ink=ink)
        yield marked(x + w - PAD - room, middle, box.marks, ink)
        return
    if item.final and item.verdict:  # a second outline: an answer that was judged, also without colour
        yield _rect(x + 3, y + 3, w - 6, h - 6, 8, look.fill[0], look.line[0], 'stroke-width="1"')
    at = y + PAD + 8
    for text in box.lines:
        yield written(x + PAD, at, text, ink=ink, more=' font-weight="600"' if item.chosen else "")
        at += LEADING
    at += 0.5
    yield marked(x + PAD, at - 4, box.marks, ink)
    if box.left:
        css, colour = ("ink", ink) if item.verdict else ("faint", "")
        yield written(x + PAD + room + (5 if room else 0), at, box.left, css, size=SMALL, ink=colour)
    if box.foot:
        below = (LEADING + 0.5) * bool(box.left or box.marks)
        yield written(x + PAD, at + below, box.foot, size=SMALL, ink=ink)
    elif box.right:
        yield written(x + w - PAD, at, box.right, size=SMALL, ink=ink, more=' text-anchor="end"')


def marked(x: float, y: float, marks: str, ink: str) -> str:
    """Marks side by side from ``x`` on: a ring for each, filled, half filled or empty; a stroke where none was read."""
    parts, full = [], ' fill="currentColor"'
    for i, mark in enumerate(marks):
        at, r = x + MARK * i + MARK / 2, 3.2
        ring = f'<circle cx="{px(at)}" cy="{px(y)}" r="{r}"{full * (mark == FULL)}/>'
        half = f'<path d="M{px(at)} {px(y - r)}a{r} {r} 0 0 0 0 {2 * r}z"{full} stroke="none"/>'
        stroke = f'<path d="M{px(at - 2)} {px(y)}h4"/>'
        parts.append(stroke if mark == UNREAD else ring + half if mark == HALF else ring)
    return f'<g class="tot-marks" color="{ink}" stroke="currentColor" fill="none">{"".join(parts)}</g>' if parts else ""


def _rect(x: float, y: float, w: float, h: float, rx: float, fill: str, stroke: str, more: str) -> str:
    place = f'x="{px(x)}" y="{px(y)}" width="{px(w)}" height="{px(h)}" rx="{px(rx)}"'
    return f'<rect class="tot-box" {place} fill="{fill}" stroke="{stroke}" {more}/>'


def _edge(a: Item, b: Item, layout: Layout, thick: float, down: bool) -> str:
    (left, y1, width), (x2, y2, _) = layout.place(a), layout.place(b)
    middle = (left + width + x2) / 2
    style = dashed(LOOKS[b.status].dash) if not b.chosen else ""
    curve = f"M{px(left + width)} {px(y1)}C{px(middle)} {px(y1)} {px(middle)} {px(y2)} {px(x2)} {px(y2)}"
    if down:
        curve = f"M{px(left + 7)} {px(y1 + layout.boxes[a.id].height / 2)}V{px(y2)}H{px(x2)}"
    return f'<path d="{curve}" stroke-width="{px(thick)}"{style}/>'


def _heading(seen: Picture, width: float) -> list[str]:
    room = (width - 2 * MARGIN) / SIZE
    what = cut(caption(seen)[0], room / 1.3)
    return [
        written(MARGIN, 24, what, size=15, more=' font-weight="600"'),
        written(MARGIN, 43, cut(subtitle(seen), room), "faint"),
    ]


def _legend(items: Iterable[Item], mark: str, height: float) -> list[str]:
    """The looks that the picture has, in a fixed order."""
    below = [item for item in items if item.depth]
    shown = [(mark, "chosen")] if any(item.chosen for item in below) else []
    words = {key: STATUSES[key] for key in ("kept", "dropped", "valued", "new", "pruned")} | {"failed": "tool failed"}
    shown += [(word, key) for key, word in words.items() if any(item.look == key for item in below)]
    parts, x = [], MARGIN
    y = height - 17
    for word, key in shown:
        look = LOOKS[key]
        outline = f'stroke-width="{px(look.width)}"{dashed(look.dash)}'
        box = _rect(x, y - 9, 22, 11, 3, look.fill[0], look.line[0], outline)
        parts.append(f'<g class="tot-node tot-n-{key}">{box}</g>{written(x + 28, y, word, "faint", size=SMALL)}')
        x += 28 + em(word) * SMALL + 16
    return parts


def _tooltip(item: Item, seen: Picture) -> str:
    if item.status == "more":
        folded = [seen.items[id] for id in item.folded]
        facts = [f"{line(i.thought)} ({', '.join(filter(None, [i.measures, i.word]))})" for i in folded[:LISTED]]
        more = [f"and {len(folded) - LISTED} more"] if len(folded) > LISTED else []
        return clean("\n".join([item.thought, *facts, *more]))
    answer = f"answer: {line(item.answer)}" if item.answer is not None else ""
    facts = [item.measures, item.word, "on the chosen path" if item.chosen else "", item.verdict, answer]
    why = line(item.why) if item.why and item.status != "pruned" else ""
    return "\n".join(filter(None, [block(item.thought, TITLE), " · ".join(clean(f) for f in facts if f), why]))
