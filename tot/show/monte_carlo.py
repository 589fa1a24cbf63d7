"""The four phases of Monte Carlo tree search as pictures: the node that a step is about, and the numbers that count.

All numbers are those of the trace. The upper confidence bounds are reported by the search itself (``ways`` of the event
"selected"); traces from before it did so are drawn without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..ties import level
from ..trace import PlainEvent
from .drawing import dark_css, dashed, framed, px, written
from .escaping import count, cut, em, escape, line, number, real, wrap
from .layout import LEADING, MARGIN, PAD, SIZE, SMALL, fold, tidy
from .slider import Frames
from .style import BAR, BORDER, DARK, EDGE, FAINT, FONT, GROUND, INK, LOOKS
from .tree import Item, Picture, Traced, picture

PHASES = {
    "selected": "selection",
    "expanded": "expansion",
    "evaluated": "simulation",
    "backed_up": "backpropagation",
}
NOW, TINT = ("#b45309", "#f0a848"), ("#fff3df", "#35260f")  # of the rollout that is under way: its way, its node
BONUS = ("#f2b25c", "#b87a24")  # of the part of a bound that stands for few visits
COLUMN, NARROW, LEAST = 200.0, 150.0, 680.0  # widths in pixels: of a box at most and at least, of the picture at least
GAP, COLUMN_GAP, TOP, PILL = 17.0, 36.0, 22.0, 15.0
FOOT = 8.0  # pixels below the last line of a box, for the bar
LEGEND = 38.0  # height in pixels of the legend, and what is above it
UNVISITED = 4  # children of a node without a visit that are drawn; the rest is a stub
NAME = 30  # characters of a thought where it is named


@dataclass(frozen=True)
class Moment:
    """One phase of one round. ``first`` and ``last``: the numbers of the round's rollouts; ``kinds``: its phases.

    ``before`` and ``after``: the tree at the end of the round before, and after the event. ``ends``: the nodes at which
    the round's rollouts are by now. ``output``: the best node so far, if the search stopped after the round.
    """

    event: PlainEvent
    first: int
    last: int
    kinds: frozenset[str]
    before: Picture
    after: Picture
    ends: tuple[str, ...]
    ways: tuple[tuple[tuple[str, Mapping[str, float | None]], ...], ...]
    goes_on: tuple[str, ...]
    output: str | None

    @property
    def kind(self) -> str:
        return str(self.event["kind"])

    @property
    def marked(self) -> list[str]:
        """The nodes that the event is about."""
        return [str(node["id"]) for node in self.event["nodes"]]

    @property
    def bounds(self) -> dict[str, float | None]:
        """Child -> its UCB1, of all children that the round compared; None: not visited yet, which comes first."""
        if self.kind != "selected":
            return {}
        return {id: bound for way in self.ways for _, bounds in way for id, bound in bounds.items()}

    def passed(self) -> set[str]:
        """The nodes on the way of the rollouts, from the root to where they are."""
        found: set[str] = set()
        for id in self.ends:
            at: str | None = id
            while at is not None and at not in found:
                found.add(at)
                at = self.after.items[at].parent
        return found


def moments(trace: Traced, rollouts: int | None = None) -> list[Moment]:
    """The phases of the first ``rollouts`` rollouts (None: of all), in order.

    Raises ValueError for a trace without a Monte Carlo search.
    """
    whole = picture(trace)
    events = whole.trace.events
    starts = [i for i, event in enumerate(events) if event["kind"] == "selected"]
    if not starts:
        raise ValueError("no Monte Carlo search in this trace: pass the trace of a run with mcts-plan, or with mcts")
    found: list[Moment] = []
    done, output = 0, None
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        if rollouts is not None and done >= rollouts:
            break
        part = _round(events[start:end])
        ways = _ways(part[0])
        last = done + (len(ways) or len(part[0]["nodes"]))
        judged = tuple(str(n["id"]) for e in part if e["kind"] == "evaluated" for n in e["nodes"])
        output = next((str(e["nodes"][0]["id"]) for e in reversed(part) if e["kind"] == "best"), output)
        before = picture(trace, start)
        kinds = frozenset(e["kind"] for e in part) & PHASES.keys()
        for i, event in enumerate(part, start):
            kind = event["kind"]
            if kind not in PHASES:
                continue
            after = picture(trace, i + 1)
            ends = tuple(str(n["id"]) for n in part[0]["nodes"])
            if kind == "evaluated":
                ends = judged
            elif kind == "backed_up":
                changed = [str(n["id"]) for n in event["nodes"]]
                above = {after.items[id].parent for id in changed}
                ends = tuple(id for id in changed if id not in above)
            found.append(Moment(event, done + 1, last, kinds, before, after, ends, ways, judged, output))
        done = last
    return found


def phases(trace: Traced, rollouts: int | None = None, *, lines: int = 3, chars: int = 28) -> Frames:
    """The four phases of each rollout, step by step. Nodes stay where they are.

    Marked is the node that a step is about, thick is the way of the rollout. At selection each child that was compared
    has its mean, its bonus and their sum, the bound; at backpropagation nodes have their visits and means before and
    after. ``rollouts``: only the first so many (None: all). Several leaves of one round are selected, expanded, judged
    and backed up together. A thought is written in at most so many ``lines`` of about so many ``chars``.

    Raises ValueError for a trace without a Monte Carlo search.
    """
    found = moments(trace, rollouts)
    sheet = Sheet.of(found, lines, chars)
    names = [f"{_rollouts(m)}, {PHASES[m.kind]}: {_listed(m, m.marked, sheet.root) or 'nothing new'}" for m in found]
    pages = [str(drawn(moment, sheet)) for moment in found]
    closing = [i for i, m in enumerate(found) if m.last == found[-1].last and m.kind in ("selected", "backed_up")]
    return Frames(pages, names, name="Four phases", printed=closing or None, style=_css())


def _round(events: Sequence[PlainEvent]) -> list[PlainEvent]:
    """The events of one round, its new output included: what follows the last round is no rollout any more."""
    last = next((i for i, event in enumerate(events) if event["kind"] == "backed_up"), len(events))
    return [*events[: last + 1], *(event for event in events[last + 1 : last + 2] if event["kind"] == "best")]


def _ways(event: PlainEvent) -> tuple[tuple[tuple[str, Mapping[str, float | None]], ...], ...]:
    return tuple(tuple((str(step["of"]), step["ucb1"]) for step in way) for way in event.get("ways") or ())


# -------------------------------------------------------------------- where the boxes go


@dataclass(frozen=True)
class Sheet:
    """Where everything goes, for all moments alike. ``root``: where the search begins; lengths are in pixels."""

    root: str
    items: Mapping[str, Item]
    texts: Mapping[str, Sequence[str]]
    y: Mapping[str, float]
    column: float
    left: float
    size: tuple[float, float]

    @classmethod
    def of(cls, found: Sequence[Moment], lines: int, chars: int) -> Sheet:
        """The places of all nodes that are there at the last of these moments."""
        last = found[-1].after
        root = found[0].marked[0]
        tops = {id for moment in found for id in moment.marked}
        if any(not _below(last, id, root) for id in tops):
            root = last.root
        items = {id: item for id, item in fold(last, UNVISITED, None, ("new",)).items() if _under(item, last, root)}
        depth = {id: item.depth - last.items[root].depth for id, item in items.items()}
        levels = max(depth.values()) + 1
        room = (LEAST + 20 - 2 * MARGIN - (levels - 1) * COLUMN_GAP) / levels
        column = max(NARROW, min(COLUMN, room))
        width = min((column - 2 * PAD) / SIZE, chars * 0.6)
        texts = {id: wrap(line(item.thought) or "(empty)", width, lines) for id, item in items.items()}
        y = tidy(
            root,
            {id: [c for c in item.children if c in items] for id, item in items.items()},
            lambda id: _height(texts[id]),
            lambda a, b: GAP + (0.0 if items[a].parent == items[b].parent else 6.0),
        )
        tree = levels * column + (levels - 1) * COLUMN_GAP
        whole = max(tree + 2 * MARGIN, LEAST)
        bottom = max(y[id] + _height(texts[id]) / 2 for id in items)
        return cls(root, items, texts, y, column, (whole - tree) / 2, (whole, TOP + bottom + LEGEND))

    def x(self, id: str) -> float:
        """The left edge of a box."""
        steps = self.items[id].depth - self.items[self.root].depth
        return self.left + steps * (self.column + COLUMN_GAP)

    def middle(self, id: str) -> float:
        """The middle of a box, from the top of the picture."""
        return TOP + self.y[id]


def _under(item: Item, seen: Picture, root: str) -> bool:
    """Whether an item, which may be a stub, is the root or below it."""
    return _below(seen, item.id if item.status != "more" else str(item.parent), root)


def _below(seen: Picture, id: str, root: str) -> bool:
    at: str | None = id
    while at is not None and at != root:
        at = seen.items[at].parent
    return at == root


def _height(text: Sequence[str]) -> float:
    return len(text) * LEADING + 2 * (LEADING + 0.5) + PAD + FOOT


# -------------------------------------------------------------------- one moment


def drawn(moment: Moment, sheet: Sheet) -> str:
    """One moment as HTML: which phase it is, the tree, and what happens in words. Only the tree may have to scroll."""
    there = [id for id, item in sheet.items.items() if id in moment.after.items or _seen(item, moment.after)]
    passed, scale = moment.passed(), _decimals(moment)
    edges = [id for id in there if id != sheet.root]
    parts = [_edge(id, moment, sheet, False) for id in edges if id not in passed]
    parts += [_edge(id, moment, sheet, True) for id in edges if id in passed]  # on top of the others
    parts += [_box(id, moment, sheet, id in passed, scale) for id in there]
    if any(bound is not None for bound in moment.bounds.values()):
        parts += _legend(sheet.size[1] - 12)
    said = " ".join(_sentences(moment, sheet.root, scale))
    about = f"{_rollouts(moment)}, {PHASES[moment.kind]}. {said}"
    least = sheet.size[0] * 10 / SMALL  # narrower pages scroll: the smallest text stays at 10 pixels
    tree = framed(parts, sheet.size, least=least, title=about, about=about, css="")
    return f'{_strip(moment)}{tree}<p class="tot-said">{escape(said)}</p>'


def _strip(moment: Moment) -> str:
    """Which rollout it is, and which of its phases. A phase that this rollout does not have is dashed."""
    parts = [f'<p class="tot-strip"><b>{_rollouts(moment)}</b>']
    for i, (kind, name) in enumerate(PHASES.items(), 1):
        css = "tot-here" if kind == moment.kind else "tot-missing" if kind not in moment.kinds else "tot-phase"
        now = ' aria-current="step"' if kind == moment.kind else ""
        parts.append(f'<span class="{css}"{now}>{i} {name.capitalize()}</span>')
    return " ".join(parts) + "</p>"


def _legend(y: float) -> list[str]:
    """What the two parts of a bound are."""
    parts, x = [], MARGIN
    for css, colour, text in (
        ("tot-bar", BAR[0], "mean reward Q"),
        ("tot-bonus", BONUS[0], "+ bonus for few visits = UCB1; of the children the highest is taken (✓)"),
    ):
        parts.append(f'<rect class="{css}" x="{px(x)}" y="{px(y - 8)}" width="14" height="8" fill="{colour}"/>')
        parts.append(written(x + 19, y, text, "faint", size=SMALL))
        x += 19 + em(text) * SMALL + 6
    return parts


def _seen(stub: Item, seen: Picture) -> bool:
    return any(id in seen.items for id in stub.folded)


def _edge(id: str, moment: Moment, sheet: Sheet, passed: bool) -> str:
    above = str(sheet.items[id].parent)
    x1, y1 = sheet.x(above) + sheet.column, sheet.middle(above)
    x2, y2 = sheet.x(id), sheet.middle(id)
    if not passed:
        new = moment.kind == "expanded" and id in moment.marked
        return _curve(x1, y1, x2, y2, "tot-edge", EDGE[0], 1.2, dashed("4 3") if new else "")
    if moment.kind != "backed_up":
        line_ = _curve(x1, y1, x2 - 7, y2, "tot-way", NOW[0], 3.5, "")
        return line_ + _head(x2 - 1, y2, -9)
    line_ = _curve(x2, y2, x1 + 7, y1, "tot-way tot-up", NOW[0], 3.5, dashed("9 5"))
    return line_ + _head(x1 + 1, y1, 9)


def _curve(x1: float, y1: float, x2: float, y2: float, css: str, colour: str, width: float, more: str) -> str:
    middle = (x1 + x2) / 2
    path = f"M{px(x1)} {px(y1)}C{px(middle)} {px(y1)} {px(middle)} {px(y2)} {px(x2)} {px(y2)}"
    return f'<path class="{css}" d="{path}" fill="none" stroke="{colour}" stroke-width="{px(width)}"{more}/>'


def _head(x: float, y: float, back: float) -> str:
    """The head of an arrow whose tip is at (x, y), and whose base is ``back`` pixels to the right of it."""
    points = f"{px(x)},{px(y)} {px(x + back)},{px(y - 6)} {px(x + back)},{px(y + 6)}"
    return f'<polygon class="tot-head" points="{points}" fill="{NOW[0]}"/>'


def _box(id: str, moment: Moment, sheet: Sheet, passed: bool, decimals: int) -> str:
    if sheet.items[id].status == "more":
        x, y = sheet.x(id) + 2, sheet.middle(id) + 4
        return written(x, y, sheet.items[id].thought, "faint", size=SMALL, more=' font-style="italic"')
    item, marked = moment.after.items[id], id in moment.marked
    look = LOOKS["pruned" if item.status == "pruned" else "kept" if item.visits or marked else "new"]
    x, h = sheet.x(id), _height(sheet.texts[id])
    y, w = sheet.middle(id) - h / 2, sheet.column
    css = "tot-node" + (" tot-now" if marked else " tot-passed" if passed else "")
    stroke, width = (NOW[0], 3.0) if marked else (NOW[0], 2.0) if passed else (look.line[0], look.width)
    fill = TINT[0] if marked else look.fill[0]
    dash = (
        dashed(look.dash) if not (marked or passed) else dashed("6 3") if moment.kind == "expanded" and marked else ""
    )
    parts = [
        f'<g class="{css}" data-node="{escape(line(id))}"><title>{escape(line(item.thought))}</title>',
        f'<rect class="tot-box" x="{px(x)}" y="{px(y)}" width="{px(w)}" height="{px(h)}" rx="5" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{px(width)}"{dash}/>',
    ]
    at = y + PAD + 9
    for text in sheet.texts[id]:
        parts.append(written(x + PAD, at, text, more=' font-weight="600"' if passed or marked else ""))
        at += LEADING
    parts.append(_numbers(x + PAD, at + 0.5, id, moment, decimals))
    parts.append(_last_line(x, at + LEADING + 1, w, y + h, id, moment, decimals))
    if marked and (word := _pill(id, moment, decimals)):
        wide = em(word) * SMALL + 14
        right = x + w - 8
        parts.append(
            f'<rect class="tot-pill" x="{px(right - wide)}" y="{px(y - PILL / 2 - 1)}" width="{px(wide)}" '
            f'height="{px(PILL)}" rx="{px(PILL / 2)}" fill="{NOW[0]}"/>'
        )
        more = ' text-anchor="middle" font-weight="600"'
        parts.append(written(right - wide / 2, y + 3.2, word, "on", ink=GROUND[0], size=SMALL, more=more))
    return "".join([*parts, "</g>"])


def _numbers(x: float, y: float, id: str, moment: Moment, decimals: int) -> str:
    """N and Q of a node; at backpropagation before and after."""
    item, old = moment.after.items[id], moment.before.items.get(id)
    if not item.visits:
        return written(x, y, "no visit yet", "faint", size=SMALL)
    n, q = number(item.visits), _fixed(item.mean, decimals)
    if moment.kind != "backed_up" or id not in moment.marked:
        return written(x, y, f"N {n} · Q {q}", size=SMALL)
    before = old.visits if old and old.visits else 0
    mean = f"{_fixed(old.mean, decimals)}→" if old and old.visits else ""
    return written(x, y, f"N {number(before)}→{n} · Q {mean}{q}", size=SMALL, more=' font-weight="600"')


def _last_line(x: float, y: float, w: float, bottom: float, id: str, moment: Moment, decimals: int) -> str:
    """At selection the bound of a child that was compared, as a sum and as a bar; else the node's own reward."""
    item = moment.after.items[id]
    if id not in moment.bounds:
        reward = real(item.value)
        text = f"own reward {_fixed(reward, decimals)}" if reward is not None else ""
        return written(x + PAD, y, text, "faint", size=SMALL) if text else ""
    bound, won = moment.bounds[id], id in moment.passed()
    if bound is None:
        text, bar = "UCB1 infinite: first", ""
    else:
        mean = real(item.mean) or 0.0
        text = f"{_fixed(mean, decimals)} + {_fixed(bound - mean, decimals)} = {_fixed(bound, decimals)}"
        bar = _bound_bar(x, bottom, w, mean, bound, moment)
    if won:
        more = ' font-weight="700"'
        return written(x + PAD, y, f"{text} ✓", "lead", size=SMALL, ink=NOW[0], more=more) + bar
    return written(x + PAD, y, text, size=SMALL) + bar


def _bound_bar(x: float, bottom: float, w: float, mean: float, bound: float, moment: Moment) -> str:
    """Mean and bonus, one after the other, where both can be drawn: on the scale of the highest bound of the moment."""
    most = max((b for b in moment.bounds.values() if b is not None), default=0.0)
    if mean < 0 or most <= 0:
        return ""
    unit = (w - 2 * PAD) / most
    parts = []
    for css, colour, start, length in (
        ("tot-bar", BAR[0], 0.0, mean * unit),
        ("tot-bonus", BONUS[0], mean * unit, (bound - mean) * unit),
    ):
        place = f'x="{px(x + PAD + start)}" y="{px(bottom - 8)}" width="{px(length)}" height="4"'
        parts.append(f'<rect class="{css}" {place} fill="{colour}"/>')
    return "".join(parts)


def _pill(id: str, moment: Moment, decimals: int) -> str:
    """What has just happened to a marked node, in a word or a number."""
    item = moment.after.items[id]
    if moment.kind != "backed_up":
        reward = real(item.value)
        judged = f"reward {_fixed(reward, decimals)}" if reward is not None else "no reward"
        return {"selected": "selected", "expanded": "new", "evaluated": judged}[moment.kind]
    return f"{_gain(id, moment):+.{decimals}f}"


def _gain(id: str, moment: Moment) -> float:
    """What was added to a node's total."""
    new, old = moment.after.items[id], moment.before.items.get(id)
    total = (real(new.mean) or 0.0) * (new.visits or 0)
    return level(total - ((real(old.mean) or 0.0) * (old.visits or 0) if old else 0.0))


def _decimals(moment: Moment) -> int:
    """How many digits after the point rewards need: two where they are below ten, else one."""
    values = [real(n) or 0.0 for item in moment.after.items.values() for n in (item.value, item.mean)]
    return 2 if max(map(abs, values), default=0.0) < 10 else 1


def _fixed(value: object, decimals: int) -> str:
    amount = real(value)
    return f"{amount + 0.0:.{decimals}f}" if amount is not None else "?"


# -------------------------------------------------------------------- in words


def _rollouts(moment: Moment) -> str:
    if moment.first == moment.last:
        return f"Rollout {moment.last}"
    return f"Rollouts {moment.first} to {moment.last}"


def _name(moment: Moment, id: str, root: str) -> str:
    return "the root" if id == root else cut(line(moment.after.items[id].thought) or "(empty)", NAME * 0.6)


def _listed(moment: Moment, ids: Sequence[str], root: str) -> str:
    """Nodes by name; of many, the first three."""
    names = [_name(moment, id, root) for id in ids[:3]]
    return ", ".join(names) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")


def _sentences(moment: Moment, root: str, decimals: int) -> list[str]:
    match moment.kind:
        case "selected":
            return _of_selection(moment, root, decimals)
        case "expanded":
            parents = list(dict.fromkeys(str(moment.after.items[id].parent) for id in moment.marked))
            if not parents:
                return ["The generator had nothing new to add."]
            said = [
                f"{_upper(_listed(moment, parents, root))} {'was' if len(parents) == 1 else 'were'} judged before, "
                f"so now the children come: {_listed(moment, moment.marked, root)}."
            ]
            on = [id for id in moment.goes_on if id in moment.marked]
            return said + ([f"The rollout goes on to {_listed(moment, on, root)}."] if on else [])
        case "evaluated":
            rewards = [
                f"{_name(moment, id, root)} {_fixed(moment.after.items[id].value, decimals)}"
                for id in moment.marked[:3]
            ]
            return [f"Judged for the first time: {', '.join(rewards)}. In a game this would be a playout."]
        case _:
            return _of_backup(moment, root, decimals)


def _of_selection(moment: Moment, root: str, decimals: int) -> list[str]:
    if len(moment.ends) > 1 or len(moment.ways) > 1:
        leaves = count(len(moment.ends), "leaf", "leaves")
        return [f"{leaves} together: {_listed(moment, moment.ends, root)}. A rollout under way counts as a visit."]
    said = []
    for at, bounds in moment.ways[0] if moment.ways else ():
        taken = next((id for id in bounds if id in moment.passed()), None)
        if taken is None:
            continue
        where, name = _name(moment, at, root), _name(moment, taken, root)
        best = bounds[taken]
        if best is None:
            said.append(f"At {where}, {name} has no visit yet and goes first.")
            continue
        others = [(level(b), b) for id, b in bounds.items() if id != taken and b is not None]
        next_ = _fixed(max(others)[1], decimals) if others else ""
        tie = bool(others) and max(others)[0] == level(best)
        beaten = ", a tie: the first in order" if tie else f" against {next_}" if next_ else ""
        said.append(f"At {where}, {name} has the highest bound: {_fixed(best, decimals)}{beaten}.")
    end = _upper(_name(moment, moment.ends[0], root))
    return [*said, f"{end} has no children{'' if said else ' yet'}: the way down ends here."]


def _of_backup(moment: Moment, root: str, decimals: int) -> list[str]:
    if not moment.marked:
        return ["Nothing was judged, so nothing is backed up."]
    if "evaluated" in moment.kinds or len(moment.ends) > 1:
        said = ["The reward goes up: each node on the way counts one visit more, and its mean takes the reward in."]
        if len(moment.ends) > 1:
            said = ["The rewards go up: each node on a way counts its new visits, and its mean takes the rewards in."]
    else:
        name, reward = _name(moment, moment.ends[0], root), moment.after.items[moment.ends[0]].value
        said = [
            f"Nothing new can be judged here: the known reward of {name}, {_fixed(reward, decimals)}, goes up again."
        ]
    if moment.output is not None and moment.output in moment.after.items:
        said.append(f"Stopped now, the search would return {_name(moment, moment.output, root)}.")
    return said


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("the root") else text


def _css() -> str:
    rules = {
        ".tot-edge": f"stroke:{EDGE[1]}",
        ".tot-box": f"fill:{LOOKS['kept'].fill[1]};stroke:{LOOKS['kept'].line[1]}",
        ".tot-passed .tot-box,.tot-way": f"stroke:{NOW[1]}",
        ".tot-now .tot-box": f"fill:{TINT[1]};stroke:{NOW[1]}",
        ".tot-head,.tot-pill,.tot-now .tot-pill": f"fill:{NOW[1]}",
        ".tot-on": f"fill:{GROUND[1]}",
        ".tot-lead": f"fill:{NOW[1]}",
        ".tot-bar": f"fill:{BAR[1]}",
        ".tot-bonus": f"fill:{BONUS[1]}",
    }
    moving = (
        "@keyframes tot-up{to{stroke-dashoffset:-14px}}"
        ".tot-up{animation:tot-up .7s linear infinite}"
        "@media (prefers-reduced-motion:reduce){.tot-up{animation:none}}"
    )
    return moving + _words_css() + dark_css(rules)


def _words_css() -> str:
    """How the words around the tree look. They stay in sight while the tree is scrolled sideways."""
    strip, said = ".tot-frame .tot-strip", ".tot-frame .tot-said"
    stay = f"position:sticky;left:0;box-sizing:border-box;max-width:100%;font:14px/1.5 {FONT}"
    return (
        f"{strip}{{{stay};display:flex;flex-wrap:wrap;gap:.35em .5em;align-items:center;margin:.3em 0 .5em}}"
        f"{strip} b{{flex:1 1 auto;font-size:15px;color:{INK[0]}}}"
        f"{strip} span{{font-size:12px;line-height:1;padding:.5em .9em;border-radius:1em;border:1px solid {BORDER[0]};"
        f"color:{FAINT[0]};background:{GROUND[0]};print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
        f"{strip} .tot-missing{{border-style:dashed}}"
        f"{strip} .tot-here{{background:{NOW[0]};border-color:{NOW[0]};color:{GROUND[0]};font-weight:600}}"
        f"{said}{{{stay};color:{INK[0]};margin:.4em 0 0;min-height:3em}}"
        f"{DARK} {strip} b,{DARK} {said}{{color:{INK[1]}}}"
        f"{DARK} {strip} span{{background:{GROUND[1]};border-color:{BORDER[1]};color:{FAINT[1]}}}"
        f"{DARK} {strip} .tot-here{{background:{NOW[1]};border-color:{NOW[1]};color:{GROUND[1]}}}"
    )
