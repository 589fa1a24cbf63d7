"""A trace as a page of nested ``<details>``: a node is a line that opens to what was asked, and to its children."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tot.show.chances import chances
from tot.show.escaping import block, cells, clean, count, cut, escape, line, number, real, whole
from tot.show.tree import Item, Picture, Traced, caption, picture, refusing_damage

from .drawing import summary
from .looks import variables
from .styles import style_of

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


@refusing_damage
def html(trace: Traced) -> HTML:
    """The tree as nested ``<details>``: thought, value, status, why; inside, what the model was asked and replied.

    A prompt or a reply is cut after 4,000 characters, and says so. Messages with which several requests begin
    (instructions, examples) are shown once, at the end.
    """
    seen = picture(trace)
    page = _Page(seen)
    body = [part for each in _nested(seen) for part in ([each] if isinstance(each, str) else page.node(each))]
    parts = [f'<div class="tot-tree">\n<style>{variables(".tot-tree") + style_of("page")}</style>', *page.head(), *body]
    return HTML("\n".join([*parts, *page.unplaced(), *page.beginnings(), "</div>"]), clean(summary(seen)))


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


class _Page:
    """The parts of a page about one picture."""

    def __init__(self, seen: Picture) -> None:
        self.seen, self.scale = seen, seen.scale()
        # Node id -> what was asked about it: (role, round, request, about how many nodes); "" for no node.
        self.asked: dict[str, list[tuple[str, Any, dict[str, Any], int]]] = {}
        self.unread: dict[str, list[tuple[str, str]]] = {}  # node id -> (why, text)
        # All messages of requests but the last -> a name for them, and whose they are.
        self.shared: dict[tuple[tuple[str, str], ...], tuple[str, str]] = {}
        self._read()

    def _read(self) -> None:
        """What was asked, and what was not read. A request about several nodes (a vote) belongs to their parent."""
        items = self.seen.items
        for event in self.seen.trace.events:
            for request in event.get("requests") or () if event.get("kind") == "asked" else ():
                about, width = request.get("about"), 1
                if about is None or str(about) not in items:
                    across = [items[str(node.get("id"))] for node in event.get("nodes", ())]
                    parents = {item.parent for item in across if item.depth}
                    about, width = (parents.pop() if len(parents) == 1 else self.seen.root), len(across)
                entry = event.get("role", ""), event.get("round", ""), request, width
                self.asked.setdefault(str(about), []).append(entry)
            for entry in event.get("unread") or ():
                id = str(entry.get("node"))
                said = str(entry.get("why", "")), str(entry.get("text", ""))
                self.unread.setdefault(id if id in items else "", []).append(said)

    def head(self) -> Iterator[str]:
        """What was asked, at what cost, and what came out."""
        what, how, outcome = caption(self.seen)
        problem = self.seen.trace.head.get("problem")
        yield f'<p class="tot-title"><bdi>{escape(cut(what, 120, cells))}</bdi></p>'
        if isinstance(problem, str) and len(problem) > 200:
            yield _folded("the whole problem", _text(problem))
        yield f"<p>{escape(clean(how))}</p>"
        if outcome:
            yield f'<p class="tot-outcome"><bdi>{escape(clean(outcome))}</bdi></p>'

    def node(self, item: Item) -> Iterator[str]:
        """A node's line, and what it opens to, without the end of its element."""
        kind = (
            item.look if item.look in ("chosen", "failed") else "chosen" if item.chosen and item.depth else item.status
        )
        short = cut(line(item.thought) or "(empty)", LABEL, cells)
        bits = [f'<bdi class="tot-thought">{escape(short)}</bdi>']
        value = real(item.value)
        if self.scale and value is not None:
            low, high = self.scale
            ends = f'min="{low:g}" max="{high:g}" value="{value:g}" title="{number(low)} to {number(high)}"'
            bits.append(f"<meter {ends}>{escape(clean(item.measures))}</meter>")
        if item.measures:
            bits.append(f'<span class="tot-numbers">{escape(clean(item.measures))}</span>')
        if item.depth:
            cross = "✕ " if item.status == "pruned" or item.failed else ""
            bits.append(f'<span class="tot-badge">{cross}{escape(clean(item.word))}</span>')
        if item.verdict:
            tick = "✓" if item.verdict == "correct" else "✗"
            bits.append(f'<span class="tot-{item.verdict}">{tick} {item.verdict}</span>')
        if item.end:
            bits.append(f'<b class="tot-mark">← {self.seen.mark}</b>')
        css, opened = "" if item.children else " tot-leaf", ' open=""' if item.chosen or not item.depth else ""
        yield f'<details class="tot-d tot-k-{kind}{css}"{opened}><summary>{" ".join(bits)}</summary>'
        inside = [*self._facts(item, short), *self._requests(item.id)]
        if not inside and not item.children:
            inside = ['<p class="tot-numbers">no model was asked about it</p>']
        yield from inside

    def _facts(self, item: Item, short: str) -> Iterator[str]:
        if short != clean(item.thought[:1000]).strip():
            yield _text(item.thought)
        if item.answer is not None and line(item.answer) not in short:
            yield f"<p>answer: <bdi>{escape(line(item.answer))}</bdi></p>"
        if item.observation is not None:
            how = f"cost {number(item.cost)}" + (f", failed: {line(item.failed)}" if item.failed else "")
            said = escape(block(item.observation))
            yield f"<p>observation ({escape(how)}): <bdi>{said}</bdi></p>"
        if item.why and item.status != "pruned":
            yield f"<p>note: <bdi>{escape(line(item.why))}</bdi></p>"

    def _requests(self, id: str) -> Iterator[str]:
        for role, round_, request, width in self.asked.get(id, ()):
            samples = request.get("samples") or ()
            across = f" across {width} thoughts" if width > 1 else ""
            title = f"{line(role)} asked{across}, round {line(round_)}: {count(len(samples), 'reply', 'replies')}"
            inside = [*self._messages(role, request.get("messages") or ())]
            for i, sample in enumerate(samples, whole(request.get("first"))):
                finish = line(sample.get("finish", ""))
                told = ", ".join(filter(None, ("" if finish == "stop" else finish, chances(request, sample))))
                if thinking := sample.get("thinking"):
                    inside.append(_folded("thinking", _text(thinking)))
                inside += [_label(f"reply {i}{told and f' ({told})'}"), _text(sample.get("text", ""))]
            yield _folded(title, "\n".join(inside))
        yield from _could_not_read(self.unread.get(id, ()))

    def _messages(self, role: str, messages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The last message; those before it once for all requests that begin with them."""
        said = [(str(message.get("role", "")), str(message.get("content", ""))) for message in messages]
        if len(said) > 1:
            nth = sum(whose == role for _, whose in self.shared.values())
            name = f"{line(role)} prompt {chr(ord('A') + nth) if nth < 26 else nth + 1}"
            name, _ = self.shared.setdefault(tuple(said[:-1]), (name, role))
            yield _label(f"{name} (below), then")
        for who, text in said[-1:]:
            yield _label(line(who)) + _text(text)

    def unplaced(self) -> Iterator[str]:
        """Replies that could not be read and belong to no node."""
        return _could_not_read(self.unread.get("", ()))

    def beginnings(self) -> Iterator[str]:
        """What several requests begin with."""
        for said, (name, _) in self.shared.items():
            messages = [_label(line(who)) + _text(text) for who, text in said]
            yield _folded(f"{name}: {count(len(said), 'message')}", "\n".join(messages))


def _text(text: Any) -> str:
    return f"<pre>{escape(block(text))}</pre>"


def _folded(title: str, inside: str) -> str:
    return f'<details class="tot-io"><summary>{escape(title)}</summary>{inside}</details>'


def _label(text: str) -> str:
    return f'<p class="tot-label">{escape(text)}</p>'


def _could_not_read(entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    if entries:
        quotes = [(line(why), cut(line(text) or "(empty)", LABEL, cells)) for why, text in entries[:LISTED]]
        listed = "".join(f"<li>{escape(why)}: <q><bdi>{escape(text)}</bdi></q></li>" for why, text in quotes)
        more = f"<li>and {len(entries) - LISTED} more</li>" if len(entries) > LISTED else ""
        yield _folded(f"{len(entries)} not read", f"<ul>{listed}{more}</ul>")
