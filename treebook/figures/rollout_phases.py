"""The four phases of Monte Carlo tree search as pictures: the node that a step is about, and the numbers that count."""

from tot.show.escaping import em, escape, line, number, real
from tot.show.tree import Traced, refusing_damage

from .drawing import framed, px
from .layout import LEADING, MARGIN, PAD, SMALL
from .rollout_moments import PHASES, Moment, moments, weighings
from .rollout_sheet import COLUMN_GAP, Sheet, height
from .rollout_words import gain, listed, sentences
from .slider import Frames
from .styles import style_of

PILL = 15.0  # height of a mark on a box, in pixels


@refusing_damage
def phases(trace: Traced, rollouts: int | None = None, *, sums_first: bool = False) -> Frames:
    """The four phases of each rollout, step by step. Nodes stay where they are.

    Marked is the node that a step is about, thick is the way of the rollout. At selection each child that was compared
    has its mean, its bonus and their sum, the bound; at backpropagation nodes have their visits and means before and
    after. ``rollouts``: only the first so many (None: all). ``sums_first``: before each choice a step with the bounds
    alone, so that a reader can choose first.

    Raises ValueError for a trace without a Monte Carlo search, and for one with several leaves in a round.
    """
    found = [m for one in moments(trace, rollouts) for m in [*(weighings(one) if sums_first else []), one]]
    sheet = Sheet.of(found)
    pages = [_drawn(moment, sheet) for moment in found]
    ending = ("selected", "backed_up")  # of the last round, its way down and its way up are printed
    closing = [
        i for i, m in enumerate(found) if m.number == found[-1].number and m.kind in ending and m.decided is None
    ]
    names = [f"{m.title}: {'sums at ' * (m.decided is not None)}{listed(m, m.marked) or 'nothing new'}" for m in found]
    return Frames(pages, names, name="Four phases", printed=closing or None, style=style_of("rollout_phases"))


def _drawn(moment: Moment, sheet: Sheet) -> str:
    """One moment as HTML: which phase it is, the tree, and what happens in words. Only the tree may have to scroll."""
    seen = moment.after.items.keys()
    there = [id for id, item in sheet.items.items() if not seen.isdisjoint((id, *item.folded))]
    passed = moment.passed()
    edges = [id for id in there if id != sheet.root]
    parts = ['<g class="tot-phases">']
    parts += [_edge(id, moment, sheet, False) for id in edges if id not in passed]
    parts += [_edge(id, moment, sheet, True) for id in edges if id in passed]  # on top of the others
    parts += [_box(id, moment, sheet, id in passed) for id in there]
    if any(bound is not None for bound in moment.bounds.values()):
        parts += _legend(sheet.size[1] - 12)
    said = " ".join(sentences(moment))
    least = sheet.size[0] * 10 / SMALL  # narrower pages scroll: the smallest text stays at 10 pixels
    about = f"{moment.title}. {said}"
    tree = framed([*parts, "</g>"], sheet.size, least=least, title=moment.title, about=about, css="")
    return f'{_strip(moment)}{tree}<p class="tot-said">{escape(said)}</p>'


def _strip(moment: Moment) -> str:
    """Which rollout it is, and which of its phases. A phase that this rollout does not have says so."""
    parts = [f'<p class="tot-strip"><b>Rollout {moment.number}</b>']
    for i, (kind, name) in enumerate(PHASES.items(), 1):
        css = ' class="tot-here" aria-current="step"' if kind == moment.kind else ""
        parts.append(f"<span{css}>{i} {name.capitalize()}{'' if kind in moment.kinds else ' (none)'}</span>")
    return " ".join(parts) + "</p>"


def _legend(y: float) -> list[str]:
    """What the two parts of a bound are."""
    parts, x = [], MARGIN
    for css, text in (
        ("tot-bar", "mean reward Q"),
        ("tot-bonus", "+ bonus for few visits = UCB1; of the children the highest is taken (✓)"),
    ):
        parts += [_rect(css, x, y - 8, 14, 8), _text(x + 19, y, text, "tot-small tot-faint")]
        x += 19 + em(text) * SMALL + 6
    return parts


def _text(x: float, y: float, text: str, css: str = "") -> str:
    """A line of cleaned text. All looks are in the style sheet that the frames share: there are many frames."""
    name = f' class="{css}"' if css else ""
    return f'<text{name} x="{px(x)}" y="{px(y)}">{escape(text)}</text>'


def _rect(css: str, x: float, y: float, w: float, h: float, more: str = "") -> str:
    name = f' class="{css}"' if css else ""
    return f'<rect{name} x="{px(x)}" y="{px(y)}" width="{px(w)}" height="{px(h)}"{more}/>'


def _edge(id: str, moment: Moment, sheet: Sheet, passed: bool) -> str:
    above = str(sheet.items[id].parent)
    x1, y1 = sheet.x(above) + sheet.column, sheet.middle(above)
    x2, y2 = sheet.x(id), sheet.middle(id)
    if not passed:
        new = moment.kind == "expanded" and id in moment.marked
        return _curve(x1, y1, x2, y2, "tot-edge tot-fresh" if new else "tot-edge")
    if moment.kind != "backed_up":
        return _curve(x1, y1, x2 - 7, y2, "tot-way") + _head(x2 - 1, y2, -9)
    return _curve(x2, y2, x1 + 7, y1, "tot-way tot-up") + _head(x1 + 1, y1, 9)


def _curve(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    middle = px((x1 + x2) / 2)
    return f'<path class="{css}" d="M{px(x1)} {px(y1)}C{middle} {px(y1)} {middle} {px(y2)} {px(x2)} {px(y2)}"/>'


def _head(x: float, y: float, back: float) -> str:
    """The head of an arrow whose tip is at (x, y), and whose base is ``back`` pixels to the right of it."""
    points = f"{px(x)},{px(y)} {px(x + back)},{px(y - 6)} {px(x + back)},{px(y + 6)}"
    return f'<polygon class="tot-head" points="{points}"/>'


def _box(id: str, moment: Moment, sheet: Sheet, passed: bool) -> str:
    if sheet.items[id].status == "more":
        return _text(sheet.x(id) + 2, sheet.middle(id) + 4, sheet.items[id].thought, "tot-small tot-faint tot-stub")
    item, marked = moment.after.items[id], id in moment.marked
    look = "pruned" if item.status == "pruned" else "kept" if item.visits or marked else "new"
    x, h = sheet.x(id), height(sheet.texts[id])
    y, w = sheet.middle(id) - h / 2, sheet.column
    css = "tot-now" if marked else "tot-passed" if passed else f"tot-is-{look}"
    css += " tot-fresh" if moment.kind == "expanded" and marked else ""
    whole = line(item.thought)
    hover = f"<title>{escape(whole)}</title>" if " ".join(sheet.texts[id]) != whole else ""
    parts = [
        f'<g class="tot-node {css}" data-node="{escape(line(id))}">{hover}',
        _rect("tot-box", x, y, w, h, ' rx="5"'),
    ]
    at = y + PAD + 9
    for text in sheet.texts[id]:
        parts.append(_text(x + PAD, at, text, "tot-bold" if passed or marked else ""))
        at += LEADING
    parts.append(_numbers(x + PAD, at + 0.5, id, moment))
    parts.append(_last_line(x + PAD, at + LEADING + 1, y + h, id, moment, sheet.unit))
    if moment.decided is not None and marked:  # brings the children, which are to be compared, into view as well
        parts.append(_rect("", x, y, 2 * w + COLUMN_GAP, h, ' fill="none"'))
    if marked and (word := _pill(id, moment)):
        wide = em(word) * SMALL + 14
        right = x + w - 8
        parts.append(_rect("tot-pill", right - wide, y - PILL / 2 - 1, wide, PILL, f' rx="{px(PILL / 2)}"'))
        parts.append(_text(right - wide / 2, y + 3.2, word, "tot-small tot-on"))
    return "".join([*parts, "</g>"])


def _numbers(x: float, y: float, id: str, moment: Moment) -> str:
    """N and Q of a node; at backpropagation before and after."""
    item, old = moment.after.items[id], moment.before.items.get(id)
    if not item.visits:
        return _text(x, y, "no visit yet", "tot-small tot-faint")
    n, q = number(item.visits), moment.fixed(item.mean)
    if moment.kind != "backed_up" or id not in moment.marked:
        return _text(x, y, f"N {n} · Q {q}", "tot-small")
    before = old.visits if old and old.visits else 0
    mean = f"{moment.fixed(old.mean)}→" if old and old.visits else ""
    return _text(x, y, f"N {number(before)}→{n} · Q {mean}{q}", "tot-small tot-bold")


def _last_line(x: float, y: float, bottom: float, id: str, moment: Moment, unit: float) -> str:
    """At selection the bound of a child that was compared, as a sum and as a bar; else the node's own reward."""
    item = moment.after.items[id]
    if id not in moment.bounds:
        reward = real(item.value)
        return _text(x, y, f"own reward {moment.fixed(reward)}", "tot-small tot-faint") if reward is not None else ""
    bound, mean = moment.bounds[id], real(item.mean) or 0.0
    text, bar = "UCB1 infinite: first", ""
    if bound is not None:
        text = f"{moment.fixed(mean)} + {moment.fixed(bound - mean)} = {moment.fixed(bound)}"
        if mean >= 0 and unit:  # mean and bonus, one after the other, on one scale at all moments
            bar = _rect("tot-bar", x, bottom - 8, mean * unit, 4)
            bar += _rect("tot-bonus", x + mean * unit, bottom - 8, (bound - mean) * unit, 4)
    tick, lead = (" ✓", " tot-lead") if id in moment.passed() else ("", "")
    return _text(x, y, text + tick, f"tot-small{lead}") + bar


def _pill(id: str, moment: Moment) -> str:
    """What has just happened to a marked node, in a word or a number."""
    if moment.decided is not None:
        return "which child?"
    if moment.kind == "backed_up":
        return f"{gain(id, moment):+.{moment.decimals}f}"
    reward = real(moment.after.items[id].value)
    judged = f"reward {moment.fixed(reward)}" if reward is not None else "no reward"
    return {"selected": "selected", "expanded": "new", "evaluated": judged}[moment.kind]
