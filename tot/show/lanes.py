"""Several runs on one problem, one below the other, on a common axis of tokens, rounds or dollars: from traces alone.

``milestones`` reads a run once; ``compare`` draws, ``compare_rows`` says the same in rows for ``show.table``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any

from .plan import MARGIN, SIZE, SMALL
from .spend import PriceList, spent
from .style import BAR, BORDER, CHOSEN, DARK, FAINT, FONT, GROUND, INK, LOOKS
from .svg import SVG
from .tree import Traced, picture, trace_of
from .words import clean, cut, em, escape, line, number

AXES = ("tokens", "prompt_tokens", "completion_tokens", "calls", "rounds", "tool_cost", "dollars")
WORDS = {"prompt_tokens": "tokens read", "completion_tokens": "tokens written", "tool_cost": "tool cost"}
WIDTH, LANE, HIGH = 760.0, 78.0, 18.0
# Shade and height both tell who was asked, so that it is legible in print; the three last repeat for further roles.
PARTS = (BAR, ("#d98e4a", "#b8702c"), ("#5aa585", "#3f8668"), ("#b58fc0", "#8d6699"), ("#8b949e", "#6e7985"))
HEIGHTS = (1.0, 0.62, 0.34)


@dataclass(frozen=True)
class Moment:
    """The best changed, after ``at`` was spent: the node's ``text`` (its answer, else its thought) and its value."""

    at: float
    text: str
    value: Any = None
    chosen: bool = False  # the node that the run returned in the end


@dataclass
class Lane:
    """One run: what was spent by whom, in order, when its best changed, and how it ended."""

    name: str
    parts: list[tuple[str, float]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    stopped: str = ""
    answer: str = ""
    verdict: str = ""

    @property
    def total(self) -> float:
        return sum(amount for _, amount in self.parts)

    @property
    def reached(self) -> Moment | None:
        """When what the run returned was first the best."""
        return next((moment for moment in self.moments if moment.chosen), None)

    def outcome(self, axis: str) -> str:
        """How it ended, in words."""
        facts = [f"{self.verdict}: {self.answer}" if self.verdict else self.answer or "no answer"]
        facts.append(_amount(self.total, axis))
        facts += [f"stopped: {self.stopped}"] if self.stopped not in ("", "done", "until") else []
        return " · ".join(facts)


def lanes(
    runs: Sequence[Traced] | Mapping[str, Traced], axis: str = "tokens", prices: PriceList | None = None
) -> list[Lane]:
    """The runs read. Raises ValueError for another axis, for dollars without prices, and for runs on two problems."""
    if axis not in AXES:
        raise ValueError(f"there is no axis {axis!r}: choose one of {', '.join(AXES)}")
    if axis == "dollars" and prices is None:
        raise ValueError("an axis of dollars needs prices=Prices(prompt=..., completion=...)")
    named = dict(runs) if isinstance(runs, Mapping) else dict(zip(_names(runs), runs, strict=True))
    heads = [trace_of(run).head for run in named.values()]
    asked = {(str(head.get("task", "")), str(head.get("problem", ""))) for head in heads}
    if len(asked) > 1:
        raise ValueError(f"these runs are on {len(asked)} problems: compare runs on one")
    return [_read(name, run, axis, prices) for name, run in named.items()]


def _read(name: str, run: Traced, axis: str, prices: PriceList | None) -> Lane:
    trace, seen = trace_of(run), picture(run)
    lane = Lane(line(name), stopped=line(trace.result.get("stopped", "")))
    by_round: dict[int, list[tuple[str, float]]] = {}
    for row in spent(trace, prices):
        part = row["role"], _cost(row, axis)
        by_round.setdefault(row["round"], []).append(part)
    if axis == "rounds":
        by_round = {n: [(parts[0][0], 1.0)] for n, parts in by_round.items()}
    end = next((item for item in seen.items.values() if item.end), None)
    values: dict[str, Any] = {}
    at, last = 0.0, ("", None)
    for event in trace.events:
        values |= {str(node.get("id")): node["value"] for node in event.get("nodes", ()) if "value" in node}
        if event.get("kind") == "asked":
            parts = by_round.pop(event.get("round", 0), [])
            lane.parts += parts
            at += sum(amount for _, amount in parts)
        elif event.get("kind") == "best" and event.get("nodes"):
            ids = [str(node.get("id")) for node in event["nodes"]]
            here = end is not None and end.id in ids and lane.reached is None
            id = end.id if end and here else ids[0]
            if here or (id, values.get(id)) != last:
                item, last = seen.items[id], (id, values.get(id))
                said = item.thought if item.answer is None else item.answer
                if lane.moments and lane.moments[-1].at == at and not lane.moments[-1].chosen:
                    lane.moments.pop()  # nothing was spent between the two
                lane.moments.append(Moment(at, line(said), values.get(id), here))
    if end and trace.result.get("answer") is not None:
        lane.answer = line(trace.result["answer"])
        lane.verdict = {True: "right", False: "wrong"}.get(trace.result.get("correct", ""), "")
    return lane


def _cost(row: Mapping[str, Any], axis: str) -> float:
    if axis == "tokens":
        return float(row["prompt_tokens"] + row["completion_tokens"])
    return 1.0 if axis == "rounds" else float(row[axis])


def _names(runs: Sequence[Traced]) -> list[str]:
    """The methods, and the knobs that tell runs of one method apart; a number where nothing else does."""
    heads = [trace_of(run).head for run in runs]
    names: list[str] = []
    for head in heads:
        method, knobs = head.get("method", "run"), head.get("params") or {}
        same = [other.get("params") or {} for other in heads if other.get("method", "run") == method]
        differ = [f"{key}={value}" for key, value in knobs.items() if any(o.get(key) != value for o in same)]
        name = " ".join([line(method), *map(line, differ)])
        again = sum(other == name or other.startswith(f"{name} (") for other in names)
        names.append(f"{name} ({again + 1})" if again else name)
    return names


def compare_rows(
    runs: Sequence[Traced] | Mapping[str, Traced], axis: str = "tokens", *, prices: PriceList | None = None
) -> list[dict[str, Any]]:
    """One row for each run: "first" (when something first was the best), "reached" (when what it returned was), "spent"
    in all, each in the unit of ``axis``; its "answer", "verdict" ("" where nobody checked), and how it "stopped".
    """
    rows = []
    for lane in lanes(runs, axis, prices):
        first = lane.moments[0].at if lane.moments else None
        rows.append(
            {
                "run": lane.name,
                "first": first,
                "reached": lane.reached.at if lane.reached else None,
                "spent": lane.total,
                "answer": lane.answer or None,
                "verdict": lane.verdict,
                "stopped": lane.stopped,
            }
        )
    return rows


def compare(
    runs: Sequence[Traced] | Mapping[str, Traced], axis: str = "tokens", *, prices: PriceList | None = None
) -> SVG:
    """Runs on one problem, side by side: what each spent on whom, when its best changed (a triangle, with its value),
    when it had what it returned (a full triangle), and how it ended.

    ``runs``: traces, solutions or results; with a mapping its keys are the names. ``axis``: one of ``AXES``; dollars
    need ``prices``. Raises ValueError for runs on different problems.
    """
    read = lanes(runs, axis, prices)
    whole = max([lane.total for lane in read], default=0.0) or 1.0
    scale = (WIDTH - 2 * MARGIN - 12) / whole
    roles = list(dict.fromkeys(role for lane in read for role, amount in lane.parts if amount))
    head = next((trace_of(run).head for run in (runs.values() if isinstance(runs, Mapping) else runs)), {})
    what = " · ".join(line(head[key]) for key in ("task", "problem") if head.get(key)) or "one problem"
    top = MARGIN + 34.0
    bottom = top + LANE * len(read)
    height = bottom + 74.0
    about = clean(f"Comparison on {what}. " + " ".join(_sentence(lane, axis) for lane in read))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tot-svg" role="img" aria-label="{escape(about)}" '
        f'viewBox="0 0 {_n(WIDTH)} {_n(height)}" width="{_n(WIDTH)}" height="{_n(height)}" '
        f'style="display:block;width:100%;max-width:{_n(WIDTH)}px;min-width:560px;height:auto" '
        f'font-family="{FONT}" font-size="{_n(SIZE)}">',
        f"<title>{escape(clean(f'Comparison on {what}'))}</title>",
        f"<desc>{escape(about)}</desc>",
        f"<style>{_dark()}</style>",
        f'<rect class="tot-ground" x="0.5" y="0.5" width="{_n(WIDTH - 1)}" height="{_n(height - 1)}" rx="6" '
        f'fill="{GROUND[0]}" stroke="{BORDER[0]}"/>',
        _say(MARGIN, 24, cut(what, (WIDTH - 2 * MARGIN) / 18), 15, more=' font-weight="600"'),
        *_grid(whole, scale, axis, top, bottom),
    ]
    for i, lane in enumerate(read):
        parts += _lane(lane, axis, scale, top + LANE * i, roles)
    parts += _legend(roles, any(lane.moments for lane in read), bottom + 58)
    return SVG("\n".join([*parts, "</svg>"]), about, WIDTH)


def _sentence(lane: Lane, axis: str) -> str:
    when = f"; what it returned was there after {_amount(lane.reached.at, axis)}" if lane.reached else ""
    return f"{lane.name}: {lane.outcome(axis)}{when}."


def _amount(value: float, axis: str) -> str:
    if axis == "dollars":
        return f"${value:.2g}"
    if axis == "tool_cost":
        return f"tool cost {number(value)}"
    word = WORDS.get(axis, axis)
    return f"{number(value)} {word[:-1] if value == 1 and word in ('calls', 'rounds') else word}"


def _grid(whole: float, scale: float, axis: str, top: float, bottom: float) -> list[str]:
    """Vertical lines at round numbers, and the axis below all lanes."""
    power = 10.0 ** floor(log10(whole))
    step = next(power * m for m in (0.1, 0.2, 0.5, 1.0, 2.0) if whole / (power * m) <= 8)
    if axis not in ("dollars", "tool_cost"):
        step = max(step, 1.0)
    parts = []
    for i in range(int(whole / step + 1e-9) + 1):
        x = MARGIN + i * step * scale
        label = f"{i * step:.3g}" if step < 1 else number(round(i * step))
        parts.append(
            f'<path class="tot-line" d="M{_n(x)} {_n(top)}V{_n(bottom + 4)}" stroke="{BORDER[0]}" stroke-width="1"/>'
        )
        anchor = "start" if i == 0 else "middle"
        parts.append(_say(x, bottom + 18, label, SMALL, "faint", f' text-anchor="{anchor}"'))
    parts.append(_say(WIDTH / 2, bottom + 35, WORDS.get(axis, axis), SMALL, "faint", ' text-anchor="middle"'))
    return parts


def _lane(lane: Lane, axis: str, scale: float, y: float, roles: Sequence[str]) -> list[str]:
    base = y + 62.0
    room = (WIDTH - 2 * MARGIN) / SIZE
    name = cut(lane.name, room * 0.4)
    told = cut(clean(lane.outcome(axis)), room - em(name) * 1.1 - 1.5)
    parts = [
        _say(MARGIN, y + 20, name, SIZE, more=' font-weight="600"'),
        _say(WIDTH - MARGIN, y + 20, told, SIZE, lane.verdict or "faint", ' text-anchor="end"'),
    ]
    x = MARGIN
    for role, amount in lane.parts:
        if amount:
            i = roles.index(role)
            tall, wide = HIGH * HEIGHTS[i % len(HEIGHTS)], max(amount * scale - 1.0, 0.6)  # rounds stay apart
            title = f"<title>{escape(clean(f'{role}: {_amount(amount, axis)}'))}</title>"
            place = f'x="{_n(x)}" y="{_n(base - tall)}" width="{_n(wide)}" height="{_n(tall)}"'
            parts.append(
                f'<rect class="tot-part-{i % len(PARTS)}" {place} fill="{PARTS[i % len(PARTS)][0]}">{title}</rect>'
            )
        x += amount * scale
    parts.append(
        f'<path class="tot-end" d="M{_n(x)} {_n(base - 24)}V{_n(base)}" stroke="{INK[0]}" stroke-width="1.6"/>'
    )
    places = [MARGIN + moment.at * scale for moment in lane.moments]
    free = MARGIN
    for i, (moment, at) in enumerate(zip(lane.moments, places, strict=True)):
        label = "" if moment.value is None else number(moment.value)
        title = f"after {_amount(moment.at, axis)}: {moment.text}" + (f", value {label}" if label else "")
        parts.append(_triangle(at, base - HIGH - 2, moment.chosen, clean(title)))
        wide = em(label) * SMALL
        ends = places[i + 1] - 8 if i + 1 < len(places) else WIDTH - MARGIN
        start = next((x for x in (at + 8, at - 8 - wide) if x >= free and x + wide <= ends), None)
        if label and start is not None:
            parts.append(_say(start, base - HIGH - 3, label, SMALL, "faint"))
        free = max(at + 8, start + wide + 3 if label and start is not None else 0)
    return parts


def _triangle(x: float, y: float, full: bool, title: str = "") -> str:
    """Points down at ``x``; full for what the run returned."""
    shape = f'd="M{_n(x - 5)} {_n(y - 9)}H{_n(x + 5)}L{_n(x)} {_n(y)}Z"'
    inside = f"<title>{escape(title)}</title>" if title else ""
    fill = CHOSEN[0] if full else GROUND[0]
    css = "tot-full" if full else "tot-hollow"
    return f'<path class="{css}" {shape} fill="{fill}" stroke="{CHOSEN[0]}" stroke-width="1.4">{inside}</path>'


def _legend(roles: Sequence[str], moments: bool, y: float) -> list[str]:
    parts, x = [], MARGIN
    for i, role in enumerate(roles):
        tall = 12 * HEIGHTS[i % len(HEIGHTS)]
        place = f'x="{_n(x)}" y="{_n(y + 1 - tall)}" width="16" height="{_n(tall)}"'
        parts.append(f'<rect class="tot-part-{i % len(PARTS)}" {place} fill="{PARTS[i % len(PARTS)][0]}"/>')
        parts.append(_say(x + 21, y, cut(line(role), 14), SMALL, "faint"))
        x += 21 + em(cut(line(role), 14)) * SMALL + 16
    for full, word in ((False, "new best, with its value"), (True, "what it returned")) if moments else ():
        parts += [_triangle(x + 6, y, full), _say(x + 16, y, word, SMALL, "faint")]
        x += 16 + em(word) * SMALL + 16
    return parts


def _say(x: float, y: float, text: str, size: float, css: str = "ink", more: str = "") -> str:
    ink = {"ink": INK, "faint": FAINT, "right": LOOKS["correct"].ink, "wrong": LOOKS["wrong"].ink}[css]
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
    return f'<text class="tot-{css}" {place} fill="{ink[0]}"{more}>{escape(clean(text))}</text>'


def _dark() -> str:
    at = f"{DARK} .tot-svg "
    rules = [
        f"{at}.tot-ground{{fill:{GROUND[1]};stroke:{BORDER[1]}}}",
        f"{at}.tot-ink{{fill:{INK[1]}}}{at}.tot-faint{{fill:{FAINT[1]}}}",
        f"{at}.tot-right{{fill:{LOOKS['correct'].ink[1]}}}{at}.tot-wrong{{fill:{LOOKS['wrong'].ink[1]}}}",
        f"{at}.tot-line{{stroke:{BORDER[1]}}}{at}.tot-end{{stroke:{INK[1]}}}",
        f"{at}.tot-full{{fill:{CHOSEN[1]};stroke:{CHOSEN[1]}}}",
        f"{at}.tot-hollow{{fill:{GROUND[1]};stroke:{CHOSEN[1]}}}",
    ]
    return "".join([*rules, *(f"{at}.tot-part-{i}{{fill:{dark}}}" for i, (_, dark) in enumerate(PARTS))])


def _n(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
