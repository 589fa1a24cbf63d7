"""Casts of planner, judge and executor as the corners of a cube: an arrow changes one role, and says what that did."""

from collections.abc import Mapping
from itertools import product

from tot.stats import Interval
from tot.ties import level

from ..drawing import SVG
from ..kit import Box, Point, Sketch

ROLES = ("planner", "judge", "executor")
CORNER: Point = (96.0, 344.0)  # where all roles are small
STEPS: tuple[Point, Point, Point] = ((178.0, -82.0), (0.0, -196.0), (328.0, 0.0))  # a large planner, judge, executor
WIDE, HIGH = 92.0, 44.0
# Where a difference and its interval stand, from a point on the arrow: above the left of the first role's, at the right
# of an upright one, above a level one.
MARKS = (
    ((-6, -22, "end"), (-6, -7, "end")),
    ((10, 0, "start"), (10, 15, "start")),
    ((-6, -8, "end"), (0, -8, "start")),
)
CASTS = tuple("".join(sizes) for sizes in product("SL", repeat=3))


def casts(solved: Mapping[str, Interval], gains: Mapping[tuple[str, str], Interval]) -> SVG:
    """Casts such as "SSL" (planner, judge, executor; S small, L large) as corners of a cube, with what each solved; an
    arrow for each pair in ``gains`` leads from the small to the large model in one role, with the difference in points.

    ``solved``: cast -> rate; corners without one are empty. ``gains``: (without, with) -> difference of rates, from -1
    to 1, with its interval. An arrow is blue if its interval is above 0, red if below, grey if it holds 0. Raises
    ValueError for a pair that differs in more or less than one role, or not from S to L.
    """
    sketch = Sketch(720, 430)
    boxes = {who: _place(who) for who in CASTS}
    for a, b in product(CASTS, repeat=2):
        if _differ(a, b) is not None and (a, b) not in gains:
            sketch.arrow(*_ends(boxes[a], boxes[b]), colour="border", dash="2 4", head=False, thick=1)
    said = []
    for (a, b), gain in gains.items():
        if (role := _differ(a, b)) is None:
            raise ValueError(f"{a} and {b} do not differ in one role that is small first and large then")
        colour = "chosen" if level(gain.low) > 0 else "wrong" if level(gain.high) < 0 else "faint"
        start, end = _ends(boxes[a], boxes[b])
        sketch.arrow(start, end, colour=colour, thick=1.4 if colour == "faint" else 2.4)
        text, reach = _points(gain.rate), f"[{_points(gain.low)}, {_points(gain.high)}]"
        # beside the arrow, where no line of the cube passes; those of a large planner are on its far side
        share = (0.5, 0.4 if a[0] == "L" else 0.7, 0.6 if a[0] == "L" else 0.22)[role]
        x, y = (m + share * (n - m) for m, n in zip(start, end, strict=True))
        (across, along, anchor), (right, down, side) = MARKS[role]
        sketch.label(x + across, y + along, text, "ink" if colour == "faint" else colour, anchor=anchor, bold=True)
        sketch.note(x + right, y + down, reach, anchor=side)
        said.append(f"{a} to {b}, a larger {ROLES[role]}: {text} points {reach}.")
    for who, box in boxes.items():
        rate = solved.get(who)
        sketch.box(*box, look="root" if rate else "dropped")
        x, y = box.middle
        sketch.label(x, y - 3, who, "ink" if rate else "faint", anchor="middle", bold=bool(rate))
        sketch.note(x, y + 14, f"{rate.rate:.0%} solved" if rate else "not run", anchor="middle")
    x, y = 612.0, 380.0  # which direction is which role
    ends = [(x + step[0] * 0.26, y + step[1] * 0.26) for step in STEPS]
    for end in ends:
        sketch.arrow((x, y), end, colour="ink", thick=1.2)
    sketch.note(ends[0][0] + 4, ends[0][1] + 1, ROLES[0], colour="ink")
    sketch.note(ends[1][0], ends[1][1] - 7, ROLES[1], colour="ink", anchor="middle")
    sketch.note(x + 24, y + 20, ROLES[2], colour="ink")
    sketch.note(x - 10, y + 36, "small → large")
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


def _place(who: str) -> Box:
    large = [step for step, size in zip(STEPS, who, strict=True) if size == "L"]
    x, y = (CORNER[i] + sum(step[i] for step in large) for i in (0, 1))
    return Box(x - WIDE / 2, y - HIGH / 2, WIDE, HIGH)


def _ends(a: Box, b: Box) -> tuple[Point, Point]:
    """Where a line between the middles of two boxes leaves the one and meets the other."""
    (x, y), (to, down) = a.middle, b.middle
    across, along = to - x, down - y
    gap = 5.0  # between a box and what points at it
    share = min((side / 2 + gap) / abs(step) for side, step in ((WIDE, across), (HIGH, along)) if step)
    return (x + share * across, y + share * along), (to - share * across, down - share * along)


def _points(difference: float) -> str:
    """A difference of rates in whole points, with its sign."""
    points = round(100 * level(difference))
    return f"{points:+d}".replace("-", "−") if points else "0"
