"""A trace as an SVG picture: the tree from left to right, one column for each level. The same on every machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from . import words
from .fold import stub_text
from .plan import LEADING, MARGIN, PAD, SIZE, SMALL, Plan, numbers, plan, subtitle, word_of
from .style import BAR, BORDER, CHOSEN, DARK, EDGE, FAINT, FONT, GROUND, INK, LOOKS, Look
from .tree import Item, Picture, Traced, caption, picture, summary
from .words import clean, cut, em, escape, line, number, real

TITLE = 1500  # characters of a thought in its tooltip


class SVG(str):
    """SVG text with a place in notebooks: ``print`` it, ``save`` it, or make it the last line of a cell."""

    about: str
    width: float

    def __new__(cls, text: str, about: str = "", width: float = 0.0) -> SVG:
        self = super().__new__(cls, text)
        self.about, self.width = about, width
        return self

    def save(self, path: str | Path) -> None:
        """Write the picture to a file in UTF-8."""
        Path(path).write_text(str(self) + "\n", encoding="utf-8")

    def _repr_html_(self) -> str:
        """The picture in a box that scrolls sideways where the page is narrow."""
        return f'<div class="tot-scroll" tabindex="0" style="overflow-x:auto;max-width:100%">{self}</div>'

    def __repr__(self) -> str:
        return f"<SVG: {self.about}>"


def svg(
    trace: Traced,
    *,
    upto: int | None = None,
    max_dropped: int | None = 2,
    max_children: int | None = 12,
    lines: int = 2,
    chars: int = 20,
    title: bool = True,
) -> SVG:
    """The tree as a picture. Status is told by line style and words as well as by colour.

    ``upto``: the moment after that many events; nodes stay where they are in the whole picture. ``max_dropped``: how
    many children of a node that were not kept are drawn, by value, before the rest becomes a stub "+12 not kept";
    ``max_children``: the same for all others. ``lines`` of about ``chars`` characters is the room for a thought, which
    a tooltip shows in full. ``title``: write above the tree what was asked and what it cost.
    """
    seen = picture(trace)
    planned = plan(seen, max_dropped=max_dropped, max_children=max_children, lines=lines, chars=chars, title=title)
    return draw(seen if upto is None else picture(trace, upto), planned, title=title)


def draw(seen: Picture, planned: Plan, *, title: bool = True) -> SVG:
    """Draw those items of the plan that the picture has."""
    width, height = planned.size
    about = clean(summary(seen))
    now = _now(seen, planned)
    scale = seen.scale()
    least = min(width, max(320.0, width * 0.8))  # narrower pages scroll rather than shrink the text further
    used = sorted({*(item.look for item in now.values()), *(item.status for item in now.values())})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tot-svg" role="img" aria-label="{escape(about)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" height="{_n(height)}" '
        f'style="display:block;width:100%;max-width:{_n(width)}px;min-width:{_n(least)}px;height:auto" '
        f'font-family="{FONT}" font-size="{_n(SIZE)}">',
        f"<title>{escape(_title(seen))}</title>",
        f"<desc>{escape(about)}</desc>",
        f"<style>{dark_rules(used)}</style>",
        f'<rect class="tot-ground" x="0.5" y="0.5" width="{_n(width - 1)}" height="{_n(height - 1)}" rx="6" '
        f'fill="{GROUND[0]}" stroke="{BORDER[0]}"/>',
    ]
    if title:
        parts += _heading(seen, width)
    edges = [(now[item.parent], item) for item in now.values() if item.parent in now]
    for chosen in (False, True):  # the chosen path lies on top
        look = f'class="tot-edge{" tot-e-chosen" if chosen else ""}" stroke="{(CHOSEN if chosen else EDGE)[0]}"'
        drawn = [_edge(a, b, planned) for a, b in edges if b.chosen is chosen]
        if drawn:
            parts.append(f'<g {look} fill="none" stroke-width="{3 if chosen else 1.2}">{"".join(drawn)}</g>')
    parts += [_node(item, planned, scale) for item in now.values()]
    parts += _legend(now, seen.mark, height)
    return SVG("\n".join([*parts, "</svg>"]), about, width)


def _now(seen: Picture, planned: Plan) -> dict[str, Item]:
    """The items of the plan as they are in ``seen``; stubs count what is there."""
    now = {}
    for id, item in planned.items.items():
        if item.status == "more":
            there = [seen.items[hidden] for hidden in item.folded if hidden in seen.items]
            if there:
                now[id] = Item(
                    id, item.parent, stub_text(there), item.depth, status="more", folded=[i.id for i in there]
                )
                now[id].why = "\n".join(
                    f"{line(i.thought)} ({', '.join(filter(None, [i.measures, i.word]))})" for i in there[:30]
                )
        elif id in seen.items:
            now[id] = seen.items[id]
    return now


def _node(item: Item, planned: Plan, scale: tuple[float, float] | None) -> str:
    box, look = planned.boxes[item.id], LOOKS[item.look]
    x, w = planned.x[item.depth], planned.width[item.depth]
    h, y = box.height, planned.top + planned.y[item.id] - box.height / 2
    kind = f"tot-n-{item.look}" + (" tot-chosen" if item.chosen else "")
    open_ = f'<g class="tot-node {kind}"><title>{escape(_tooltip(item))}</title>'
    value = number(item.value) if item.value is not None else ""
    if item.status == "more":
        text = _text(x + 2, y + 14.5, item.thought, SMALL, look.ink[0], "tot-ink", ' font-style="italic"')
        return f"{open_}{text}</g>"
    outline = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    line_, thick = (CHOSEN[0], 3.0) if item.chosen and item.depth else (look.line[0], look.width)
    rect = _rect(x, y, w, h, 10 if item.final else 4, look.fill[0], line_, f'stroke-width="{_n(thick)}"{outline}')
    if box.compact:
        right = (
            _text(x + w - PAD, y + 14.5, value, SMALL, look.ink[0], "tot-ink", ' text-anchor="end"') if value else ""
        )
        return f"{open_}{rect}{_text(x + PAD, y + 14.5, box.lines[0], SIZE - 1, look.ink[0], 'tot-ink')}{right}</g>"
    parts = [open_, rect]
    if item.final and item.verdict:  # a second outline: an answer that was judged, also without colour
        parts.append(_rect(x + 3, y + 3, w - 6, h - 6, 8, look.fill[0], look.line[0], 'stroke-width="1"'))
    at = y + PAD + 8
    for one in box.lines:
        weight = ' font-weight="600"' if item.chosen else ""
        parts.append(_text(x + PAD, at, one, SIZE, look.ink[0], "tot-ink", weight))
        at += LEADING
    at += 0.5
    left, word = numbers(item), word_of(item) if item.depth else ""
    if left:
        faint = FAINT[0] if not item.verdict else look.ink[0]
        parts.append(_text(x + PAD, at, left, SMALL, faint, "tot-ink" if item.verdict else "tot-faint"))
    if box.foot:
        at += (LEADING + 0.5) * bool(box.left)
        parts.append(_text(x + PAD, at, cut(word, (w - 2 * PAD) / SMALL), SMALL, look.ink[0], "tot-ink"))
    elif word:
        word = cut(word, (w - 2 * PAD) / SMALL - em(left) - 0.5)
        parts.append(_text(x + w - PAD, at, word, SMALL, look.ink[0], "tot-ink", ' text-anchor="end"'))
    parts.append(_bar(item, scale, x, y + h, w))
    return "".join([*parts, "</g>"])


def _bar(item: Item, scale: tuple[float, float] | None, x: float, bottom: float, w: float) -> str:
    value = real(item.value)
    if scale is None or value is None:
        return ""
    length = max((w - 2 * PAD) * (value - scale[0]) / (scale[1] - scale[0]), 1.0)
    place = f'x="{_n(x + PAD)}" y="{_n(bottom - 5.5)}" width="{_n(length)}" height="2.5"'
    return f'<rect class="tot-bar" {place} fill="{BAR[0]}"/>'


def _rect(x: float, y: float, w: float, h: float, rx: float, fill: str, stroke: str, more: str) -> str:
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(rx)}"'
    return f'<rect class="tot-box" {place} fill="{fill}" stroke="{stroke}" {more}/>'


def _text(x: float, y: float, text: str, size: float, ink: str, css: str, more: str = "") -> str:
    size_ = "" if size == SIZE else f' font-size="{_n(size)}"'
    return f'<text class="{css}" x="{_n(x)}" y="{_n(y)}"{size_} fill="{ink}"{more}>{escape(text)}</text>'


def _edge(a: Item, b: Item, planned: Plan) -> str:
    x1, y1 = planned.x[a.depth] + planned.width[a.depth], planned.top + planned.y[a.id]
    x2, y2 = planned.x[b.depth], planned.top + planned.y[b.id]
    middle = (x1 + x2) / 2
    dash = LOOKS[b.status].dash if not b.chosen else ""
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="M{_n(x1)} {_n(y1)}C{_n(middle)} {_n(y1)} {_n(middle)} {_n(y2)} {_n(x2)} {_n(y2)}"{style}/>'


def _heading(seen: Picture, width: float) -> list[str]:
    what = caption(seen)[0]
    room = (width - 2 * MARGIN) / SIZE
    first = _text(MARGIN, 24, cut(what, room / 1.3), 15, INK[0], "tot-ink", ' font-weight="600"')
    second = _text(MARGIN, 43, cut(subtitle(seen), room), SIZE, FAINT[0], "tot-faint")
    return [first, second]


def _legend(now: Mapping[str, Item], mark: str, height: float) -> list[str]:
    """Only what the picture has, in a fixed order."""
    below = [item for item in now.values() if item.depth]
    shown = [(mark, "chosen")] if any(item.chosen for item in below) else []
    for status, word in (
        ("kept", "kept"),
        ("dropped", "not kept"),
        ("valued", "undecided"),
        ("new", "not valued"),
        ("pruned", "pruned"),
        ("failed", "tool failed"),
    ):
        if any(item.look == status for item in below):
            shown.append((word, status))
    parts, x = [], MARGIN
    y = height - 17
    for word, key in shown:
        look: Look = LOOKS[key]
        dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
        parts.append(
            f'<g class="tot-node tot-n-{key}">'
            + _rect(x, y - 9, 22, 11, 3, look.fill[0], look.line[0], f'stroke-width="{_n(look.width)}"{dash}')
            + "</g>"
            + _text(x + 28, y, word, SMALL, FAINT[0], "tot-faint")
        )
        x += 28 + em(word) * SMALL + 16
    return parts


def _tooltip(item: Item) -> str:
    if item.status == "more":
        more = len(item.folded) - 30
        return clean(f"{item.thought}\n{item.why}" + (f"\nand {more} more" if more > 0 else ""))
    answer = f"answer: {line(item.answer)}" if item.answer is not None else ""
    facts = [item.id, item.measures, item.word, "on the chosen path" if item.chosen else "", item.verdict, answer]
    why = line(item.why) if item.why and item.status != "pruned" else ""
    return "\n".join(filter(None, [words.block(item.thought, TITLE), " · ".join(clean(f) for f in facts if f), why]))


def _title(seen: Picture) -> str:
    what, _, _ = caption(seen)
    return f"Search tree: {what}"


def dark_rules(used: Sequence[str]) -> str:
    """What changes where the page says that it is dark, for the looks that are used.

    Light colours are attributes, so that they survive where a viewer drops style sheets.
    """
    at = f"{DARK} .tot-svg "
    rules = [
        f"{at}.tot-ground{{fill:{GROUND[1]};stroke:{BORDER[1]}}}",
        f"{at}.tot-ink{{fill:{INK[1]}}}",
        f"{at}.tot-faint{{fill:{FAINT[1]}}}",
        f"{at}.tot-edge{{stroke:{EDGE[1]}}}",
        f"{at}.tot-bar{{fill:{BAR[1]}}}",
    ]
    for key in used:
        look = LOOKS[key]
        rules.append(f"{at}.tot-n-{key} .tot-box{{fill:{look.fill[1]};stroke:{look.line[1]}}}")
        rules.append(f"{at}.tot-n-{key} .tot-ink{{fill:{look.ink[1]}}}")
    rules.append(f"{at}.tot-chosen:not(.tot-n-root) .tot-box,{at}.tot-e-chosen{{stroke:{CHOSEN[1]}}}")
    return "".join(rules)


def _n(value: float) -> str:
    """Coordinates to one decimal."""
    text = f"{round(value, 1) + 0.0:.1f}"  # + 0.0: no minus zero
    return text.removesuffix(".0")
