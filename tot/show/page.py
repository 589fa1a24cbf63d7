"""A trace as a page of nested ``<details>``: a node is a line that opens to what was asked, and to its children."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .chances import chances
from .escaping import block, cells, clean, count, cut, escape, line, number, real, whole
from .style import BORDER, CHOSEN, FAINT, FONT, GROUND, INK, LOOKS, themed
from .tree import Item, Picture, Traced, caption, picture, refusing_damage, summary, unread

LABEL = 90  # width of a thought on its line, in terminal columns
DEEPEST = 40  # levels of nesting: browsers give up after some hundred
LISTED = 50  # replies that could not be read are quoted, and then counted


class HTML(str):
    """HTML text that notebooks show as a page. ``about``: the page in words."""

    about: str

    def __new__(cls, text: str, about: str = "") -> HTML:
        self = super().__new__(cls, text)
        self.about = about
        return self

    def save(self, path: str | Path) -> None:
        """Write a whole document that opens in a browser. Raises OSError where that is not possible."""
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        head += f"<title>{escape(self.about[:200])}</title>"
        page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{self}\n</body></html>\n'
        Path(path).write_text(page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<HTML: {self.about}>"


@dataclass
class Asked:
    """What was asked about one node: (role, round, request, how many nodes it was about); (why, text) of what was not
    read.
    """

    requests: list[tuple[str, Any, dict[str, Any], int]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)


@refusing_damage
def html(trace: Traced, *, upto: int | None = None, prompts: bool = True, limit: int = 4000) -> HTML:
    """The tree as nested ``<details>``: thought, value, status, why; inside, what the model was asked and replied.

    ``upto``: the moment after that many events. ``prompts``: False leaves out prompts and replies, for a much smaller
    page. ``limit``: a prompt or a reply is cut after so many characters, and says so. Messages with which several
    requests begin (instructions, examples) are shown once, at the end.
    """
    seen = picture(trace, upto)
    shared = _Shared(limit)
    asked = _asked(seen, upto) if prompts else {}
    scale = seen.scale()
    parts = [f'<div class="tot-tree">\n<style>{_style()}</style>', *_head(seen)]
    for each in _nested(seen):
        if isinstance(each, str):
            parts.append(each)
        else:
            parts += _node(each, seen, asked.get(each.id), shared, scale)
    unplaced = asked.get("", Asked()).unread
    parts += [*_could_not_read(unplaced), *shared.blocks(), "</div>"]
    return HTML("\n".join(parts), clean(summary(seen)))


def _nested(seen: Picture) -> Iterator[Item | str]:
    """Items in order, and the tags that close their ``<details>``. A node deeper than DEEPEST is closed at once."""
    stack: list[Item | str] = [seen.items[seen.root]]
    while stack:
        top = stack.pop()
        yield top
        if isinstance(top, Item):
            children = [seen.items[id] for id in reversed(top.children)]
            if top.depth < DEEPEST:
                stack += ["</details>", *children]
            else:
                stack += children
                yield "</details>"


def _head(seen: Picture) -> list[str]:
    what, how, outcome = caption(seen)
    problem = seen.trace.head.get("problem")
    folded = ""
    if isinstance(problem, str) and len(problem) > 200:
        folded = (
            f'<details class="tot-io"><summary>the whole problem</summary><pre>{escape(block(problem))}</pre></details>'
        )
    tail = f'<p class="tot-outcome"><bdi>{escape(clean(outcome))}</bdi></p>' if outcome else ""
    return [
        f'<p class="tot-title"><bdi>{escape(cut(what, 120, cells))}</bdi></p>',
        folded,
        f"<p>{escape(clean(how))}</p>",
        tail,
    ]


def _node(
    item: Item, seen: Picture, asked: Asked | None, shared: _Shared, scale: tuple[float, float] | None
) -> list[str]:
    kind = item.look if item.look in ("chosen", "failed") else "chosen" if item.chosen and item.depth else item.status
    open_ = ' open=""' if item.chosen or not item.depth else ""
    label = line(item.thought) or "(empty)"
    short = cut(label, LABEL, cells)
    bits = [f'<bdi class="tot-thought">{escape(short)}</bdi>']
    value = real(item.value)
    if scale and value is not None:
        low, high = number(scale[0]), number(scale[1])
        ends = f'min="{scale[0]:g}" max="{scale[1]:g}" value="{value:g}" title="{low} to {high}"'
        bits.append(f"<meter {ends}>{escape(clean(item.measures))}</meter>")
    if item.measures:
        bits.append(f'<span class="tot-numbers">{escape(clean(item.measures))}</span>')
    if item.depth:
        cross = "✕ " if item.status == "pruned" or item.failed else ""
        bits.append(f'<span class="tot-badge">{cross}{escape(clean(item.word))}</span>')
    if item.verdict:
        bits.append(
            f'<span class="tot-{item.verdict}">{"✓" if item.verdict == "correct" else "✗"} {item.verdict}</span>'
        )
    if item.end:
        bits.append(f'<b class="tot-mark">← {seen.mark}</b>')
    leaf = " tot-leaf" if not item.children else ""
    parts = [f'<details class="tot-d tot-k-{kind}{leaf}"{open_}><summary>{" ".join(bits)}</summary>']
    whole = clean(item.thought[:1000]).strip()
    if short != whole:
        parts.append(f"<pre>{escape(block(item.thought, shared.limit))}</pre>")
    if item.answer is not None and line(item.answer) not in short:
        parts.append(f"<p>answer: <bdi>{escape(line(item.answer))}</bdi></p>")
    if item.observation is not None:
        how = f"cost {number(item.cost)}" + (f", failed: {line(item.failed)}" if item.failed else "")
        parts.append(f"<p>observation ({escape(how)}): <bdi>{escape(block(item.observation, shared.limit))}</bdi></p>")
    if item.why and item.status != "pruned":
        parts.append(f"<p>note: <bdi>{escape(line(item.why))}</bdi></p>")
    if asked:
        parts += _io(asked, shared)
    elif leaf and len(parts) == 1:
        parts.append('<p class="tot-numbers">no model was asked about it</p>')
    return parts


def _io(asked: Asked, shared: _Shared) -> list[str]:
    parts = []
    for role, round_, request, width in asked.requests:
        samples = request.get("samples") or ()
        across = f" across {width} thoughts" if width > 1 else ""
        title = f"{line(role)} asked{across}, round {line(round_)}: {count(len(samples), 'reply', 'replies')}"
        parts.append(f'<details class="tot-io"><summary>{escape(title)}</summary>')
        parts += shared.messages(role, request.get("messages") or ())
        for i, sample in enumerate(samples, whole(request.get("first"))):
            finish = line(sample.get("finish", ""))
            told = ", ".join(filter(None, ("" if finish == "stop" else finish, chances(request, sample))))
            note = f" ({told})" if told else ""
            if thinking := sample.get("thinking"):
                thought = escape(block(thinking, shared.limit))
                parts.append(f'<details class="tot-io"><summary>thinking</summary><pre>{thought}</pre></details>')
            text = escape(block(sample.get("text", ""), shared.limit))
            parts.append(f'<p class="tot-label">reply {i}{escape(note)}</p><pre>{text}</pre>')
        parts.append("</details>")
    parts += _could_not_read(asked.unread)
    return parts


def _could_not_read(entries: list[tuple[str, str]]) -> list[str]:
    if not entries:
        return []
    quotes = [(line(why), cut(line(text) or "(empty)", LABEL, cells)) for why, text in entries[:LISTED]]
    listed = "".join(f"<li>{escape(why)}: <q><bdi>{escape(text)}</bdi></q></li>" for why, text in quotes)
    more = f"<li>and {len(entries) - LISTED} more</li>" if len(entries) > LISTED else ""
    return [f'<details class="tot-io"><summary>{len(entries)} not read</summary><ul>{listed}{more}</ul></details>']


def _asked(seen: Picture, upto: int | None) -> dict[str, Asked]:
    """Node id -> what was asked about it. A request about several nodes (a vote) belongs to their common parent."""
    found: dict[str, Asked] = {}
    events = seen.trace.events if upto is None else seen.trace.events[:upto]
    for event in events:
        if event.get("kind") != "asked":
            continue
        across = [str(node.get("id")) for node in event.get("nodes", ())]
        for request in event.get("requests") or ():
            about, width = request.get("about"), 1
            if about is None or str(about) not in seen.items:
                parents = {seen.items[id].parent for id in across if seen.items[id].depth}
                about, width = (parents.pop() if len(parents) == 1 else seen.root), len(across)
            found.setdefault(str(about), Asked()).requests.append(
                (event.get("role", ""), event.get("round", ""), request, width)
            )
    for id, entries in unread(events).items():
        found.setdefault(id if id in seen.items else "", Asked()).unread += entries
    return found


class _Shared:
    """The beginnings that requests have in common: all messages but the last, each different list once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.known: dict[tuple[tuple[str, str], ...], tuple[str, str]] = {}

    def messages(self, role: str, messages: Any) -> list[str]:
        pairs = [(str(m.get("role", "")), str(m.get("content", ""))) for m in messages]
        parts = []
        if len(pairs) > 1:
            name, _ = self.known.setdefault(tuple(pairs[:-1]), (f"{line(role)} prompt {self._next(role)}", role))
            parts.append(f'<p class="tot-label">{escape(name)} (below), then</p>')
        return parts + [self._message(pair) for pair in pairs[-1:]]

    def blocks(self) -> list[str]:
        parts = []
        for pairs, (name, _) in self.known.items():
            title = f"{name}: {count(len(pairs), 'message')}"
            parts.append(f'<details class="tot-io tot-shared"><summary>{escape(title)}</summary>')
            parts += [self._message(pair) for pair in pairs] + ["</details>"]
        return parts

    def _next(self, role: str) -> str:
        n = sum(other == role for _, other in self.known.values())
        return chr(ord("A") + n) if n < 26 else str(n + 1)

    def _message(self, pair: tuple[str, str]) -> str:
        return f'<p class="tot-label">{escape(line(pair[0]))}</p><pre>{escape(block(pair[1], self.limit))}</pre>'


def _style() -> str:
    """The page's own background and ink, light and dark, whatever a theme says of everything in an output."""
    t, faint = ".tot-tree", ":is(.tot-k-dropped,.tot-k-new,.tot-k-valued)"

    def colours(i: int, at: str) -> str:
        rules = [
            f"{at}{t}{{color-scheme:{('light', 'dark')[i]};"
            f"background:{GROUND[i]};color:{INK[i]};border:1px solid {BORDER[i]}}}",
            f"{at}{t} :is(summary,p,b,bdi,li,q,span){{color:inherit}}",
            f"{at}{t} pre{{background:{LOOKS['kept'].fill[i]};color:{INK[i]};border:1px solid {BORDER[i]}}}",
            f"{at}{t} :is(.tot-numbers,.tot-label,.tot-io>summary){{color:{FAINT[i]}}}",
            f"{at}{t} .tot-d{{border-left:2px solid {LOOKS['kept'].line[i]}}}",
            f"{at}{t} {faint}{{border-left:2px dashed {LOOKS['dropped'].line[i]}}}",
            f"{at}{t} {faint}>summary{{color:{FAINT[i]}}}",
            f"{at}{t} :is(.tot-k-pruned,.tot-k-failed){{border-left:2px dotted {LOOKS['pruned'].line[i]}}}",
            f"{at}{t} :is(.tot-k-pruned,.tot-k-failed)>summary .tot-badge{{color:{LOOKS['pruned'].ink[i]}}}",
            f"{at}{t} .tot-k-chosen{{border-left:4px solid {CHOSEN[i]}}}",
            f"{at}{t} .tot-mark{{color:{CHOSEN[i]}}}",
            f"{at}{t} .tot-badge{{border:1px solid {BORDER[i]}}}",
        ]
        for kind in ("correct", "wrong"):
            look = LOOKS[kind]
            paint = f"color:{look.ink[i]};background:{look.fill[i]};border:1px solid {look.line[i]}"
            rules.append(f"{at}{t} .tot-{kind}{{{paint}}}")
        return "".join(rules)

    shape = [
        f"{t}{{font:14px/1.5 {FONT};border-radius:6px;padding:.7em 1em;text-align:left}}",
        f"{t} p{{margin:.1em 0;font-size:13px}}",
        f"{t} p.tot-title{{font-size:15px;font-weight:600}}",
        f"{t} p.tot-outcome{{font-weight:600;margin-bottom:.5em}}",
        f"{t} details{{margin:.2em 0;padding:0 0 0 .6em;border:0;background:none;box-shadow:none}}",
        f"{t} summary{{cursor:pointer;padding:.1em .2em;font-weight:400;border-radius:4px}}",
        f"{t} summary:focus-visible{{outline:2px solid {CHOSEN[0]}}}",
        f"{t} .tot-d .tot-d{{margin-left:.5em}}",
        f"{t} .tot-k-chosen>summary>.tot-thought{{font-weight:600}}",
        f"{t} .tot-thought{{overflow-wrap:anywhere;margin-right:.4em}}",
        f"{t} .tot-io{{margin-left:1em;font-size:12.5px}}",
        f"{t} .tot-io p.tot-label{{margin:.4em 0 0;font-size:12px}}",
        f"{t} pre{{font-size:12px;line-height:1.4;white-space:pre-wrap;overflow-wrap:anywhere;margin:.2em 0;"
        "padding:.4em .6em;border-radius:4px;max-height:24em;overflow:auto}",
        f"{t} meter{{width:4.5em;height:.8em;vertical-align:middle}}",
        f"{t} .tot-numbers{{font-size:12.5px;font-variant-numeric:tabular-nums}}",
        f"{t} :is(.tot-badge,.tot-correct,.tot-wrong){{font-size:12px;border-radius:8px;padding:0 .5em}}",
        f"{t} :not(.tot-k-pruned)>summary>:is(.tot-badge,.tot-mark){{white-space:nowrap}}",
    ]
    return "".join([*shape, themed(colours)])
