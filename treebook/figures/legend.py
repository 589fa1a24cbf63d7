"""The key to every tree of the book: what its marks, boxes and edges mean, in one card."""

from collections.abc import Iterator

from .drawing import dashed, marked, node_css, px
from .looks import EDGE, INK, LOOKS
from .marks import EMPTY, FULL, HALF, THICK, UNREAD
from .page import HTML

SAID = {
    FULL: "sure",
    HALF: "likely",
    EMPTY: "impossible",
    UNREAD: "not read",
    FULL + HALF + EMPTY: "other scores: their share",
}
BOXES = {
    "chosen": "chosen",
    "kept": "kept",
    "dropped": "not kept",
    "pruned": "✕ pruned",
    "correct": "✓ correct",
    "wrong": "✗ wrong",
}
COST = "thicker: more tokens"


def legend() -> HTML:
    """The card: one mark a verdict, one outline a status, thickness for cost."""
    rows = "".join(
        f'<li style="display:flex;gap:.45em;align-items:center">{drawn}<span aria-hidden="true">{said}</span></li>'
        for drawn, said in _entries()
    )
    style = f"<style>{node_css(BOXES)}</style>"
    list_ = '<ul style="display:flex;flex-wrap:wrap;gap:.3em 1.3em;list-style:none;margin:0;padding:0">'
    box = '<div class="tot-legend" style="font-size:13px;margin:.6em 0 1.2em">'
    return HTML(f"{box}{style}{list_}{rows}</ul></div>", "How to read the trees")


def _entries() -> Iterator[tuple[str, str]]:
    for marks, said in SAID.items():
        width = 9.0 * len(marks)
        yield _icon(width, said, f'<g class="tot-n-root">{marked(0.0, 7.0, marks, INK[0])}</g>'), said
    for kind, said in BOXES.items():
        look = LOOKS[kind]
        outline = f'stroke="{look.line[0]}" stroke-width="{px(look.width)}"{dashed(look.dash)}'
        box = f'<rect class="tot-box" x="2" y="2" width="20" height="10" rx="3" fill="{look.fill[0]}" {outline}/>'
        yield _icon(24.0, said, f'<g class="tot-node tot-n-{kind}">{box}</g>'), said
    edges = "".join(f'<path d="M{9 * i} 7h8" stroke-width="{px(thick)}"/>' for i, thick in enumerate(THICK))
    yield _icon(36.0, COST, f'<g class="tot-edge" stroke="{EDGE[0]}">{edges}</g>'), COST


def _icon(width: float, said: str, inside: str) -> str:
    size = f'width="{px(width)}" height="14" viewBox="0 0 {px(width)} 14" style="flex:none"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tot-svg" role="img" aria-label="{said}" {size}>{inside}</svg>'
    )
