"""Several runs on one problem, one lane below the other, on a common axis of tokens, rounds or dollars.

``read_lanes`` reads the traces; ``compare`` draws them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any

from tot.show.escaping import clean, cut, em, escape, line, number
from tot.show.tree import Traced, picture, refusing_damage, trace_of
from tot.ties import level, total

from .bills import PriceList, spent
from .drawing import SVG, dark_css, framed, px, written
from .layout import MARGIN, SIZE, SMALL
from .looks import BORDER, CHOSEN, GROUND, INK, LOOKS, PARTS

AXES = ("tokens", "rounds", "dollars")
WIDTH, NARROWEST, LANE, HIGH = 760.0, 560.0, 78.0, 18.0  # of the picture, of one lane, of a bar; in pixels
# Colour and height of a bar both show who was asked, so that it is legible in print. They repeat for further roles.
HEIGHTS = (1.0, 0.62, 0.34)
VERDICTS = {"right": "correct", "wrong": "wrong"}  # and their looks
FILLS = {"full": CHOSEN, "hollow": GROUND}  # of triangles


@dataclass(frozen=True)
class Milestone:
    """The best changed after ``at`` was spent: the new node's ``text`` (its answer, else its thought) and its value."""

    at: float
    text: str
    value: Any = None
    chosen: bool = False  # it is the node that the run returned in the end


@dataclass
class Lane:
    """One run: what was spent by whom, in order, when its best changed, and how it ended."""

    name: str
    parts: list[tuple[str, float]] = field(default_factory=list)
    milestones: list[Milestone] = field(default_factory=list)
    stopped: str = ""
    answer: str = ""
    verdict: str = ""

    @property
    def total(self) -> float:
        """All that was spent so far, in the unit of the axis."""
        return total(amount for _, amount in self.parts)

    @property
    def reached(self) -> Milestone | None:
        """The milestone from which on the returned node was the best."""
        return next((one for one in self.milestones if one.chosen), None)

    def outcome(self, axis: str) -> str:
        """How it ended, in words."""
        facts = [f"{self.verdict}: {self.answer}" if self.verdict else self.answer or "no answer"]
        facts.append(_amount(self.total, axis))
        facts += [f"stopped: {self.stopped}"] if self.stopped not in ("", "done", "until") else []
        return " · ".join(facts)


def read_lanes(runs: Mapping[str, Traced], axis: str = "tokens", prices: PriceList | None = None) -> list[Lane]:
    """One lane for each run. For parameters and errors see ``compare``."""
    if axis not in AXES:
        raise ValueError(f"there is no axis {axis!r}: choose one of {', '.join(AXES)}")
    if axis == "dollars" and prices is None:
        raise ValueError("an axis of dollars needs prices=Prices(prompt=..., completion=...)")
    heads = [trace_of(run).head for run in runs.values()]
    problems = {(str(head.get("task", "")), str(head.get("problem", ""))) for head in heads}
    if len(problems) > 1:
        raise ValueError(f"these runs are on {len(problems)} problems: compare runs on one")
    return [_read(name, run, axis, prices) for name, run in runs.items()]


def _read(name: str, run: Traced, axis: str, prices: PriceList | None) -> Lane:
    trace, seen = trace_of(run), picture(run)
    lane = Lane(line(name), stopped=line(trace.result.get("stopped", "")))
    by_round: dict[int, list[tuple[str, float]]] = {}
    for row in spent(trace, prices):
        cost = row["dollars"] if axis == "dollars" else row["prompt_tokens"] + row["completion_tokens"]
        by_round.setdefault(row["round"], []).append((row["role"], float(cost)))
    if axis == "rounds":
        by_round = {n: [(parts[0][0], 1.0)] for n, parts in by_round.items()}
    end = next((item for item in seen.items.values() if item.end), None)
    values: dict[str, Any] = {}
    last: tuple[str, Any] = ("", None)
    for event in trace.events:
        values |= {str(node.get("id")): node["value"] for node in event.get("nodes", ()) if "value" in node}
        if event.get("kind") == "asked":
            lane.parts += by_round.pop(event.get("round", 0), [])
        elif event.get("kind") == "best" and event.get("nodes"):
            ids = [str(node.get("id")) for node in event["nodes"]]
            here = end is not None and end.id in ids and lane.reached is None
            id = end.id if end and here else ids[0]
            if here or (id, values.get(id)) != last:
                item, last = seen.items[id], (id, values.get(id))
                said = item.thought if item.answer is None else item.answer
                at = lane.total
                if lane.milestones and lane.milestones[-1].at == at and not lane.milestones[-1].chosen:
                    lane.milestones.pop()  # nothing was spent between the two
                lane.milestones.append(Milestone(at, line(said), values.get(id), here))
    if end and trace.result.get("answer") is not None:
        lane.answer = line(trace.result["answer"])
        lane.verdict = {True: "right", False: "wrong"}.get(trace.result.get("correct", ""), "")
    return lane


@refusing_damage
def compare(runs: Mapping[str, Traced], axis: str = "tokens", *, prices: PriceList | None = None) -> SVG:
    """Runs on one problem, one below the other: what each spent and on whom, when its best changed (a triangle with the
    value), when it had what it returned (a filled triangle), and how it ended.

    ``runs``: name -> trace, solution or result. ``axis``: "tokens" (read and written), "rounds", or "dollars", which
    need ``prices``. Raises ValueError for another axis, for dollars without prices, and for runs on different problems.
    """
    read = read_lanes(runs, axis, prices)
    whole = max([lane.total for lane in read], default=0.0) or 1.0
    scale = (WIDTH - 2 * MARGIN - 12) / whole
    roles = list(dict.fromkeys(role for lane in read for role, amount in lane.parts if amount))
    head = next((trace_of(run).head for run in runs.values()), {})
    what = " · ".join(line(head[key]) for key in ("task", "problem") if head.get(key)) or "one problem"
    top = MARGIN + 34.0
    bottom = top + LANE * len(read)
    title = clean(f"Comparison on {what}")
    about = clean(f"{title}. " + " ".join(_sentence(lane, axis) for lane in read))
    parts = [
        written(MARGIN, 24, cut(what, (WIDTH - 2 * MARGIN) / 18), size=15, more=' font-weight="600"'),
        *_grid(whole, scale, axis, top, bottom),
    ]
    for i, lane in enumerate(read):
        parts += _lane(lane, axis, scale, top + LANE * i, roles)
    parts += _legend(roles, any(lane.milestones for lane in read), bottom + 58)
    css = {f".tot-{verdict}": f"fill:{LOOKS[look].ink[1]}" for verdict, look in VERDICTS.items()}
    css |= {".tot-line": f"stroke:{BORDER[1]}", ".tot-end": f"stroke:{INK[1]}"}
    css |= {f".tot-{how}": f"fill:{fill[1]};stroke:{CHOSEN[1]}" for how, fill in FILLS.items()}
    css |= {f".tot-part-{i}": f"fill:{dark}" for i, (_, dark) in enumerate(PARTS)}
    return framed(parts, (WIDTH, bottom + 74), least=NARROWEST, title=title, about=about, css=dark_css(css))


def _sentence(lane: Lane, axis: str) -> str:
    when = f"; what it returned was there after {_amount(lane.reached.at, axis)}" if lane.reached else ""
    return f"{lane.name}: {lane.outcome(axis)}{when}."


def _amount(value: float, axis: str) -> str:
    if axis == "dollars":
        return f"${value:.2g}"
    return f"{number(value)} {'round' if value == 1 and axis == 'rounds' else axis}"


def _grid(whole: float, scale: float, axis: str, top: float, bottom: float) -> list[str]:
    """Vertical lines at round numbers, and the axis below all lanes."""
    power = 10.0 ** floor(level(log10(whole)))
    step = next(power * m for m in (0.1, 0.2, 0.5, 1.0, 2.0) if level(whole / (power * m)) <= 8)
    if axis != "dollars":
        step = max(step, 1.0)
    parts = []
    for i in range(floor(level(whole / step)) + 1):
        x = MARGIN + i * step * scale
        label = f"{i * step:.3g}" if step < 1 else number(round(i * step))
        at = f'd="M{px(x)} {px(top)}V{px(bottom + 4)}"'
        parts.append(f'<path class="tot-line" {at} stroke="{BORDER[0]}" stroke-width="1"/>')
        anchor = "start" if i == 0 else "middle"
        parts.append(written(x, bottom + 18, label, "faint", size=SMALL, more=f' text-anchor="{anchor}"'))
    parts.append(written(WIDTH / 2, bottom + 35, axis, "faint", size=SMALL, more=' text-anchor="middle"'))
    return parts


def _lane(lane: Lane, axis: str, scale: float, y: float, roles: Sequence[str]) -> list[str]:
    base = y + 62.0
    room = (WIDTH - 2 * MARGIN) / SIZE
    name = cut(lane.name, room * 0.4)
    ended = cut(clean(lane.outcome(axis)), room - em(name) * 1.1 - 1.5)
    parts = [
        written(MARGIN, y + 20, name, size=SIZE, more=' font-weight="600"'),
        written(WIDTH - MARGIN, y + 20, ended, lane.verdict or "faint", size=SIZE, more=' text-anchor="end"'),
    ]
    x = MARGIN
    for role, amount in lane.parts:
        if amount:
            title = f"<title>{escape(clean(f'{role}: {_amount(amount, axis)}'))}</title>"
            wide = max(amount * scale - 1.0, 0.6)  # rounds stay apart
            parts.append(_bar(roles.index(role), x, base, wide, HIGH, title))
        x += amount * scale
    at_end = f'd="M{px(x)} {px(base - 24)}V{px(base)}"'
    parts.append(f'<path class="tot-end" {at_end} stroke="{INK[0]}" stroke-width="1.6"/>')
    places = [MARGIN + change.at * scale for change in lane.milestones]
    free = MARGIN
    for i, (change, at) in enumerate(zip(lane.milestones, places, strict=True)):
        label = "" if change.value is None else number(change.value)
        title = f"after {_amount(change.at, axis)}: {change.text}" + (f", value {label}" if label else "")
        parts.append(_triangle(at, base - HIGH - 2, change.chosen, clean(title)))
        wide = em(label) * SMALL
        ends = places[i + 1] - 8 if i + 1 < len(places) else WIDTH - MARGIN
        spots = (at + 8, at - 8 - wide)
        start = next((x for x in spots if level(x - free) >= 0 and level(ends - x - wide) >= 0), None)
        if label and start is not None:
            parts.append(written(start, base - HIGH - 3, label, "faint", size=SMALL))
        free = max(at + 8, start + wide + 3 if label and start is not None else 0)
    return parts


def _bar(i: int, x: float, base: float, wide: float, tall: float, inside: str = "") -> str:
    """A bar in the colour and the height of the i-th role; ``tall``: the height of the highest role's."""
    high, part = tall * HEIGHTS[i % len(HEIGHTS)], i % len(PARTS)
    place = f'x="{px(x)}" y="{px(base - high)}" width="{px(wide)}" height="{px(high)}"'
    end = f">{inside}</rect>" if inside else "/>"
    return f'<rect class="tot-part-{part}" {place} fill="{PARTS[part][0]}"{end}'


def _triangle(x: float, y: float, full: bool, title: str = "") -> str:
    """A triangle that points down at ``x``; filled for what the run returned."""
    shape, how = f'd="M{px(x - 5)} {px(y - 9)}H{px(x + 5)}L{px(x)} {px(y)}Z"', "full" if full else "hollow"
    look = f'class="tot-{how}" {shape} fill="{FILLS[how][0]}" stroke="{CHOSEN[0]}" stroke-width="1.4"'
    return f"<path {look}>{f'<title>{escape(title)}</title>' if title else ''}</path>"


def _legend(roles: Sequence[str], changes: bool, y: float) -> list[str]:
    parts, x = [], MARGIN
    for i, role in enumerate(roles):
        name = cut(line(role), 14)
        parts += [_bar(i, x, y + 1, 16, 12), written(x + 21, y, name, "faint", size=SMALL)]
        x += 21 + em(name) * SMALL + 16
    for full, word in ((False, "new best, with its value"), (True, "what it returned")) if changes else ():
        parts += [_triangle(x + 6, y, full), written(x + 16, y, word, "faint", size=SMALL)]
        x += 16 + em(word) * SMALL + 16
    return parts
