"""Casts of planner, judge and executor as the corners of a cube: an arrow changes one role, and says what that did."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from tot.show.drawing import SVG
from tot.stats import Interval
from tot.ties import level

from ..kit import NOTE, Box, Point, Sketch

ROLES = ("planner", "judge", "executor")
CORNER: Point = (96.0, 344.0)  # where all roles are small
STEPS: tuple[Point, Point, Point] = ((178.0, -82.0), (0.0, -196.0), (328.0, 0.0))  # a large planner, judge, executor
WIDE, HIGH = 92.0, 44.0
CASTS = tuple("".join(sizes) for sizes in product("SL", repeat=3))


def casts(solved: Mapping[str, Interval], gains: Mapping[tuple[str, str], Interval]) -> SVG:
    """Casts such as "SSL" (planner, judge, executor; S small, L large) as corners of a cube, with what each solved; an
    arrow for each pair in ``gains`` leads from the small to the large model in one role, with the difference in points.

    ``solved``: cast -> rate; corners without one are empty. ``gains``: (without, with) -> difference of rates, from -1
    to 1, with its interval. An arrow is blue if its interval is above 0, red if below, grey if it holds 0. Raises
    ValueError for a cast that is none, or a pair that differs in more or less than one role, or not from S to L.
    """
    if unknown := sorted(set(solved) - set(CASTS)):
        raise ValueError(f"a cast is three letters S or L, not {unknown[0]!r}")
    for pair in gains:
        _role(pair, solved)
    sketch = Sketch(720, 430)
    boxes = {who: _place(who) for who in CASTS}
    for a, b in ((a, b) for a in CASTS for b in CASTS if _differ(a, b) is not None and (a, b) not in gains):
        start, end = _ends(boxes[a], boxes[b])
        sketch.arrow(start, end, colour="border", dash="2 4", head=False, thick=1)
    said = []
    for (a, b), gain in gains.items():
        colour = "chosen" if level(gain.low) > 0 else "wrong" if level(gain.high) < 0 else "faint"
        start, end = _ends(boxes[a], boxes[b])
        sketch.arrow(start, end, colour=colour, thick=1.4 if colour == "faint" else 2.4)
        role, text, reach = _role((a, b), solved), _points(gain.rate), f"[{_points(gain.low)}, {_points(gain.high)}]"
        _mark(sketch, start, end, text, reach, colour, role, behind=a[0] == "L")
        said.append(f"{a} to {b}, a larger {ROLES[role]}: {text} points {reach}.")
    for who, box in boxes.items():
        rate = solved.get(who)
        sketch.box(box.x, box.y, box.w, box.h, look="root" if rate else "dropped")
        x, y = box.middle
        sketch.label(x, y - 3, who, "ink" if rate else "faint", anchor="middle", bold=bool(rate))
        says = f"{rate.rate:.0%} solved" if rate else "not run"
        sketch.label(x, y + 14, says, "faint", size=NOTE, anchor="middle")
    _compass(sketch)
    rates = ", ".join(f"{who} {rate.rate:.0%}" for who, rate in solved.items())
    return sketch.svg("Casts that differ in one role", ABOUT.format(rates=rates, arrows=" ".join(said)))


ABOUT = (
    "A cube. Each corner is a cast of planner, judge and executor, S for a small and L for a large model, with the "
    "share of problems it solved: {rates}. Each arrow puts the large model into one role and changes nothing else: "
    "{arrows}"
)


def _differ(a: str, b: str) -> int | None:
    """The only role that is small in ``a`` and large in ``b``, counted from 0; None where there is no such role."""
    where = [i for i in range(3) if a[i] != b[i]]
    return where[0] if len(where) == 1 and a[where[0]] == "S" else None


def _role(pair: tuple[str, str], solved: Mapping[str, Interval]) -> int:
    missing = [who for who in pair if who not in solved]
    if missing:
        raise ValueError(f"{missing[0]!r} is compared, and has no rate in solved")
    role = _differ(*pair)
    if role is None:
        raise ValueError(f"{pair[0]} and {pair[1]} do not differ in one role that is small first and large then")
    return role


def _place(who: str) -> Box:
    large = [step for step, size in zip(STEPS, who, strict=True) if size == "L"]
    x, y = (CORNER[i] + sum(step[i] for step in large) for i in (0, 1))
    return Box(x - WIDE / 2, y - HIGH / 2, WIDE, HIGH)


def _ends(a: Box, b: Box) -> tuple[Point, Point]:
    """Where a line between the middles of two boxes leaves the one and meets the other."""
    (x, y), (to, down) = a.middle, b.middle
    across, along = to - x, down - y
    gap = 5.0  # between a box and what points at it
    parts = [(WIDE / 2 + gap) / abs(across)] if across else []
    parts += [(HIGH / 2 + gap) / abs(along)] if along else []
    share = min(parts)
    return (x + share * across, y + share * along), (to - share * across, down - share * along)


def _points(difference: float) -> str:
    """A difference of rates in whole points, with its sign."""
    points = round(100 * level(difference))
    return f"{points:+d}".replace("-", "−") if points else "0"


def _mark(
    sketch: Sketch, start: Point, end: Point, text: str, reach: str, colour: str, role: int, *, behind: bool
) -> None:
    """The difference beside its arrow, where no line of the cube passes: above a level one, at the right of an upright
    one, above the left of the others. ``behind``: the arrow is on the far side of the cube.
    """
    along = (0.5, 0.4 if behind else 0.7, 0.6 if behind else 0.22)[role]
    x, y = (a + along * (b - a) for a, b in zip(start, end, strict=True))
    ink = "ink" if colour == "faint" else colour
    if role == 2:
        sketch.label(x - 6, y - 8, text, ink, anchor="end", bold=True)
        sketch.label(x, y - 8, reach, "faint", size=NOTE)
    elif role == 1:
        sketch.label(x + 10, y, text, ink, bold=True)
        sketch.label(x + 10, y + 15, reach, "faint", size=NOTE)
    else:
        sketch.label(x - 6, y - 22, text, ink, anchor="end", bold=True)
        sketch.label(x - 6, y - 7, reach, "faint", size=NOTE, anchor="end")


def _compass(sketch: Sketch) -> None:
    """Which direction is which role."""
    x, y = 612.0, 380.0
    ends = [(x + step[0] * 0.26, y + step[1] * 0.26) for step in STEPS]
    for end in ends:
        sketch.arrow((x, y), end, colour="ink", thick=1.2)
    sketch.label(ends[0][0] + 4, ends[0][1] + 1, ROLES[0], size=NOTE)
    sketch.label(ends[1][0], ends[1][1] - 7, ROLES[1], size=NOTE, anchor="middle")
    sketch.label(x + 24, y + 20, ROLES[2], size=NOTE)
    sketch.label(x - 10, y + 36, "small → large", "faint", size=NOTE)
