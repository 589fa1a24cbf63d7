"""The tool calls of several searches of one tree, side by side."""

from collections.abc import Iterable, Mapping
from itertools import accumulate

from tot.show.escaping import clean, count, line, number
from tot.show.tree import Traced, refusing_damage, trace_of
from tot.ties import mean
from tot.trace import Trace

from .drawing import SVG, dark_css, framed, px, with_phone, written
from .layout import MARGIN, SMALL
from .looks import CHOSEN, INK, LOOKS

ROOT = "0"  # the id of the node that a tree begins with
STEP, ROW, HEAD = 40.0, 4.2, 58.0  # from node to child; between leaves; above a panel: in pixels
FAILED = LOOKS["failed"].line
NARROWEST = 420.0  # pixels: narrower pages scroll


@refusing_damage
def tool_trees(runs: Mapping[str, Traced]) -> SVG:
    """The tool calls of several searches of one tree, each node in the same place: name -> run. They stand side
    by side, on a phone one below the other.

    Lines run from left to right, from the node above to the one that called: a dot is a call that worked, a cross one
    that failed, a square the root. The way to the answer, if there is one, is thick. Children stand in order of their
    ids, the first on top. Above each tree are the calls and what they cost. Raises ValueError without runs.
    """
    if not runs:
        raise ValueError("tool_trees needs at least one run")
    made = {name: _calls(trace_of(run)) for name, run in runs.items()}
    height = _heights({id for calls in made.values() for id in calls})
    panel = STEP * max((id.count(".") for calls in made.values() for id in calls), default=1) + 40
    panels, told = [], []
    for name, calls in made.items():
        trace = trace_of(runs[name])
        bill = trace.result.get("tools") or {"total": 0}
        says = f"{count(len(calls), 'call')}, {sum(calls.values())} failed; {number(bill['total'])} spent"
        ends = "answered" if trace.result.get("answers") and trace.result["stopped"] == "done" else "no answer"
        told.append(f"{line(name)}: {says}, {ends}.")
        way = accumulate(trace.best[0].split("."), "{}.{}".format) if trace.best and ends == "answered" else ()
        panels.append(
            [
                written(MARGIN, 24, line(name), size=14, more=' font-weight="600"'),
                written(MARGIN, 42, f"{says}, {ends}", "faint", size=SMALL),
                *_tree(calls, height, MARGIN + 6, set(way)),
            ]
        )
    tall = HEAD + ROW * (max(height.values()) + 1) + MARGIN
    about = clean(" ".join(told))
    css = dark_css({
        ".tot-call": f"stroke:{CHOSEN[1]}", ".tot-fail": f"stroke:{FAILED[1]}",
        ".tot-dot": f"fill:{CHOSEN[1]}", ".tot-start": f"fill:{INK[1]}",
    })  # fmt: skip

    def placed(x: float, y: float) -> SVG:
        """The panels, each so much right of and below the one before."""
        parts = [f'<g transform="translate({px(x * i)} {px(y * i)})">{"".join(p)}</g>' for i, p in enumerate(panels)]
        more = len(panels) - 1
        size = 2 * MARGIN + panel + x * more, tall + y * more
        return framed(parts, size, least=min(size[0], NARROWEST), title="Tool calls in one tree", about=about, css=css)

    across = placed(panel, 0)
    return with_phone(across, placed(0, tall)) if len(panels) > 1 else across


def _calls(trace: Trace) -> dict[str, bool]:
    """Each node that called a tool, in order -> whether the call failed."""
    acted = (node for event in trace.events if event["kind"] == "acted" for node in event["nodes"])
    return {node["id"]: bool(node.get("failed")) for node in acted}


def _heights(ids: Iterable[str]) -> dict[str, float]:
    """The row of each node and of all nodes above it: leaves one below the other, the others amid their children."""
    below: dict[str, set[str]] = {ROOT: set()}
    for id in ids:
        while id != ROOT:
            above = id.rpartition(".")[0]
            below.setdefault(above, set()).add(id)
            id = above
    height: dict[str, float] = {}

    def place(id: str, row: int) -> int:
        """Put the subtree of ``id`` at ``row`` and below; returns the first free row."""
        children = sorted(below.get(id, ()), key=lambda child: int(child.rpartition(".")[2]))
        for child in children:
            row = place(child, row)
        height[id] = mean(height[child] for child in children) if children else float(row)
        return row + (not children)

    place(ROOT, 0)
    return height


def _tree(calls: Mapping[str, bool], height: Mapping[str, float], left: float, way: set[str]) -> list[str]:
    def at(id: str) -> tuple[float, float]:
        return left + STEP * id.count("."), HEAD + ROW * height[id]

    lines: dict[str, list[str]] = {"worked": [], "failed": [], "way": []}
    ends: dict[str, list[str]] = {"worked": [], "failed": []}
    for id, failed in calls.items():
        (x, y), (to, down) = at(id.rpartition(".")[0]), at(id)
        kind = "failed" if failed else "worked"
        lines["way" if id in way else kind].append(f"M{px(x)} {px(y)}L{px(to)} {px(down)}")
        dot = f'<circle class="tot-dot" cx="{px(to)}" cy="{px(down)}" r="2.6" fill="{CHOSEN[0]}"/>'
        cross = f"M{px(to - 2.5)} {px(down - 2.5)}l5 5m0 -5l-5 5"
        ends[kind].append(cross if failed else dot)
    x, y = at(ROOT)
    strokes = (
        (lines["failed"], "fail", FAILED[0], 0.8), (lines["worked"], "call", CHOSEN[0], 0.8),
        (lines["way"], "call", CHOSEN[0], 2.6), (ends["failed"], "fail", FAILED[0], 1.2),
    )  # fmt: skip
    drawn = [
        f'<path class="tot-{css}" d="{"".join(d)}" stroke="{colour}" stroke-width="{px(width)}" fill="none"/>'
        for d, css, colour, width in strokes
        if d
    ]
    start = f'<rect class="tot-start" x="{px(x - 3.5)}" y="{px(y - 3.5)}" width="7" height="7" fill="{INK[0]}"/>'
    return [*drawn, *ends["worked"], start]
