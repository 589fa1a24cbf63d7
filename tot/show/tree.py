"""The tree of a trace as data: its nodes, what became of each, and the chosen path. All views draw this."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

from ..lm.settings import described
from ..ties import level
from ..trace import PlainEvent, Trace
from .escaping import count, line, number, real, whole


class HasTrace(Protocol):
    """Something that carries a trace, such as a ``tot.Solution`` or a ``tot.Result``."""

    @property
    def trace(self) -> Trace: ...


Traced = Trace | HasTrace

STATUSES = {
    "root": "the problem",
    "kept": "kept",
    "dropped": "not kept",
    "pruned": "pruned",
    "valued": "undecided",
    "new": "not valued",
    "more": "more",
}
MINOR = ("dropped", "new", "valued")  # statuses of nodes that came to nothing


@dataclass
class Item:
    """One node of the picture.

    ``status``: "root"; "kept" (among the best, visited or expanded); "dropped" (valued, but not among the next best);
    "pruned" (with ``why``); "valued" (not decided yet); "new" (not valued yet); "more" stands for folded nodes, whose
    ids are in ``folded``. ``chosen``: on the path to the chosen node; ``end``: that node itself. ``verdict``:
    "correct", "wrong", or "" where no verifier looked. ``prior``: the confidence that came with a proposal. ``visits``
    and ``mean`` belong to Monte Carlo search; ``g`` and ``f`` to informed search; ``observation``, ``cost`` and
    ``failed`` (why) to a tool.
    """

    id: str
    parent: str | None
    thought: str
    depth: int = 0
    children: list[str] = field(default_factory=list)
    status: str = "new"
    why: str = ""
    chosen: bool = False
    end: bool = False
    verdict: str = ""
    value: Any = None
    mean: Any = None
    visits: Any = None
    prior: Any = None
    answer: str | None = None
    final: bool = False
    folded: list[str] = field(default_factory=list)
    g: Any = None
    f: Any = None
    observation: str | None = None
    cost: Any = None
    failed: str = ""

    @property
    def worth(self) -> Any:
        """What its bar shows: the mean of its visits if it has any, else its value."""
        return self.mean if self.visits else self.value

    @property
    def look(self) -> str:
        """How it is drawn: as its verdict, else as "chosen", else as "failed" (its tool), else as its status."""
        return self.verdict or ("chosen" if self.chosen and self.depth else "failed" if self.failed else self.status)

    @property
    def word(self) -> str:
        """The status in words: "kept", "not kept", "pruned: impossible"."""
        word = STATUSES[self.status] + (", tool failed" if self.failed else "")
        return f"{word}: {line(self.why)}" if self.why and self.status == "pruned" else word

    @property
    def measures(self) -> str:
        """The numbers in words: "value 60", "mean 0.5 of 4 visits"."""
        parts = []
        if self.value is not None:
            parts.append(f"value {number(self.value)}")
        parts += [f"{name} {number(n)}" for name, n in (("g", self.g), ("f", self.f)) if n is not None]
        if self.visits:
            parts.append(f"mean {number(self.mean)} of {count(self.visits, 'visit')}")
        if self.prior is not None:
            parts.append(f"prior {number(self.prior)}")
        return ", ".join(parts)


@dataclass
class Picture:
    """All items by id, parents before children. ``best``: ids of the incumbents. ``whole``: all events are in it.
    ``mark``: what the end of the chosen path is called ("chosen", "best", "best so far").
    """

    trace: Trace
    items: dict[str, Item]
    root: str
    best: list[str]
    whole: bool
    mark: str

    def path(self) -> list[Item]:
        """The chosen path, root first."""
        return [item for item in self.items.values() if item.chosen]

    def walk(self) -> Iterator[Item]:
        """The root and every item below it, parents before children, children in order. Not recursive."""
        stack = [self.root]
        while stack:
            item = self.items[stack.pop()]
            yield item
            stack += reversed(item.children)

    def scale(self) -> tuple[float, float] | None:
        """The values at the two ends of a bar, of a value or a mean; None if all are the same, or there are none."""
        amounts = (amount for item in self.items.values() for amount in (item.value, item.worth))
        values = [value for amount in amounts if (value := real(amount)) is not None]
        return (min(0.0, *values), max(0.0, *values)) if len(set(map(level, values))) > 1 else None

    @property
    def visited(self) -> bool:
        """Whether nodes have visits: the tree of a Monte Carlo search."""
        return any(item.visits for item in self.items.values())


def trace_of(source: Traced) -> Trace:
    """The trace itself, or that of a Solution or a Result."""
    return source if isinstance(source, Trace) else source.trace


P = ParamSpec("P")
R = TypeVar("R")
_DAMAGE = (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)  # what a wrong shape leads to


def refusing_damage(view: Callable[P, R]) -> Callable[P, R]:
    """``view``, which raises ValueError with a sentence for a trace that was mangled by hand, or half lost."""

    @wraps(view)
    def shown(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return view(*args, **kwargs)
        except _DAMAGE as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is None:  # the call itself is wrong
                raise
            raise ValueError(
                f"cannot show this trace ({type(error).__name__}: {error}): it is damaged, so save it again with"
                " `tot solve --trace FILE`; or an argument is of the wrong type"
            ) from error

    return shown


@refusing_damage
def picture(source: Traced, upto: int | None = None) -> Picture:
    """The picture after the first ``upto`` events (None: after all of them, with the result).

    No event says "not kept". A node is not kept if it was valued, or was among the best, and the next "best" event does
    not list it; unless the search says that it keeps the node (depth-first search), has visited it (Monte Carlo
    search), or has it on its open list (informed search). A node whose parent is not in the trace is drawn below the
    root.
    """
    trace = trace_of(source)
    whole = upto is None or upto >= len(trace.events)
    events = trace.events if upto is None else trace.events[: max(upto, 0)]
    growing = Growing()
    for event in events:
        growing.tell(event)
    items = growing.items
    if not items:  # nothing has happened: the problem alone
        first = next((str(s.get("id")) for event in trace.events for s in event.get("nodes", ())), "0")
        items[first] = Item(first, None, str(trace.head.get("problem", "")), status="root")
    root = next(iter(items))
    seen = Picture(trace, items, root, growing.best, whole, "best so far")
    _choose(seen)
    return seen


class Growing:
    """The items of a picture, event by event. See ``picture`` for what becomes of them."""

    def __init__(self) -> None:
        self.items: dict[str, Item] = {}
        self.best: list[str] = []
        self._waiting: dict[str, None] = {}  # valued or among the best, not expanded: the next "best" event decides
        self._open: set[str] = set()

    def tell(self, event: PlainEvent) -> dict[str, Item]:
        """Add the next event. Returns the items that it may have changed, by id."""
        items, waiting = self.items, self._waiting
        about = [_merge(items, snapshot, waiting) for snapshot in event.get("nodes", ())]
        changed = {item.id: item for item in about}
        changed |= {item.parent: items[item.parent] for item in about if item.parent is not None}
        match event.get("kind"):
            case "expanded":
                for id in event.get("of") or ():  # nothing may have come of it: a node that led on is marked above
                    if id in items:
                        changed[id] = items[id]
                        _mark(items[id], "kept")
                        waiting.pop(id, None)
            case "evaluated":
                for item in about:
                    _mark(item, "valued")
                    waiting[item.id] = None
            case "best":
                self.best = [item.id for item in about]
                for id in waiting:
                    changed[id] = items[id]
                    if not items[id].visits:  # Monte Carlo search may come back to any node that it visited
                        _mark(items[id], "valued" if id in self._open else "dropped")
                for item in about:
                    _mark(item, "kept")
                self._waiting = dict.fromkeys(self.best)
            case "opened":
                self._open |= {item.id for item in about}
            case "kept" | "backed_up" | "taken":
                for item in about:
                    _mark(item, "kept")
                    waiting.pop(item.id, None)
                    self._open.discard(item.id)
            case "pruned":
                for item in about:
                    item.status, item.why = "pruned", str(event.get("why") or item.why)
                    waiting.pop(item.id, None)
        return changed


def _merge(items: dict[str, Item], snapshot: dict[str, Any], waiting: dict[str, None]) -> Item:
    id = str(snapshot.get("id"))
    item = items.get(id)
    if item is None:
        parent = items.get(str(snapshot.get("parent"))) or (items[next(iter(items))] if items else None)
        item = Item(
            id, parent.id if parent else None, str(snapshot.get("thought", "")), parent.depth + 1 if parent else 0
        )
        items[id] = item
        if parent is None:
            item.status = "root"
        else:
            parent.children.append(id)
            waiting.pop(parent.id, None)
            _mark(parent, "kept")
        if snapshot.get("answer") is not None:
            item.answer = str(snapshot["answer"])
        item.final, item.prior = bool(snapshot.get("final")), snapshot.get("prior")
    for name in ("value", "mean", "visits", "g", "f", "cost"):
        setattr(item, name, snapshot.get(name, getattr(item, name)))
    item.why = str(snapshot.get("note", item.why))
    item.failed = str(snapshot.get("failed", item.failed))
    if snapshot.get("observation") is not None:
        item.observation = str(snapshot["observation"])
    return item


def _mark(item: Item, status: str) -> None:
    if item.status not in ("root", "pruned"):
        item.status = status


def _choose(seen: Picture) -> None:
    """Mark the chosen path; and, in the whole picture, what the verifier said."""
    result: dict[str, Any] = seen.trace.result if seen.whole else {}
    answer = result.get("answer")
    end = next((id for id in seen.best if answer is not None and seen.items[id].answer == answer), None)
    if seen.whole:
        seen.mark = "chosen" if end else "best"
    end = end or next(iter(seen.best), None)
    outputs = [id for id in seen.best if seen.items[id].depth]
    for id, score in zip(outputs, result.get("scores") or (), strict=False):
        if seen.items[id].answer is not None:
            seen.items[id].verdict = "correct" if score.get("correct") else "wrong"
    if end is not None:
        seen.items[end].end = True
    while end is not None:
        seen.items[end].chosen = True
        end = seen.items[end].parent


def caption(seen: Picture) -> tuple[str, str, str]:
    """Three lines: what was asked; by which method and model, at what cost; the answer, or the error."""
    head, result = seen.trace.head, seen.trace.result if seen.whole else {}
    what = " · ".join(line(head[key]) for key in ("task", "problem") if head.get(key)) or "search tree"
    how = [line(head[key]) for key in ("method", "lm") if head.get(key)]
    if isinstance(settings := head.get("settings"), Mapping):
        how.append(line(described(settings)))
    usage = result.get("usage") or {}
    if result.get("stopped") not in (None, "done"):
        how.append(f"stopped: {line(result['stopped'])}")
    if "calls" in usage:
        tokens = whole(usage.get("prompt_tokens")) + whole(usage.get("completion_tokens"))
        how.append(f"{count(usage['calls'], 'call')} in {count(usage.get('rounds', 0), 'round')}")
        how.append(count(tokens, "token"))
    outcome = "no answer" if result else ""
    if result.get("error"):
        outcome = line(result["error"])
    elif result.get("answer") is not None:
        verdict = {True: " · correct", False: " · wrong"}.get(result.get("correct", ""), "")
        outcome = f"answer: {line(result['answer'])}{verdict}"
    return what, " · ".join(how), outcome


# -------------------------------------------------------------------- what is drawn of it


def fold(
    seen: Picture, max_dropped: int | None, max_children: int | None, minor: Sequence[str] = MINOR
) -> dict[str, Item]:
    """The items to draw by id, parents first, with stubs as items of status "more". The picture is not changed.

    Of a node's children whose status is in ``minor`` and which have no children, the ``max_dropped`` of highest value
    are drawn; of its other children ``max_children``. None: no limit. The chosen path is always drawn, and a stub never
    stands for a single node.
    """
    drawn: dict[str, Item] = {}
    stack = [seen.items[seen.root]]
    while stack:
        item = stack.pop()
        children = [seen.items[id] for id in item.children]
        nowhere = [c for c in children if c.status in minor and not c.children and not c.chosen]
        small = {c.id for c in nowhere}
        hidden = _beyond(nowhere, max_dropped) | _beyond([c for c in children if c.id not in small], max_children)
        shown = [c for c in children if c.id not in hidden]
        drawn[item.id] = replace(item, children=[c.id for c in shown])
        if hidden:  # "+12 not kept" if all of them have that status, else "+12 more"
            kinds = {STATUSES[c.status] for c in children if c.id in hidden}
            text, stub = f"+{len(hidden)} {kinds.pop() if len(kinds) == 1 else 'more'}", f"{item.id}+"
            folded = [c.id for c in children if c.id in hidden]
            drawn[stub] = Item(stub, item.id, text, item.depth + 1, status="more", folded=folded)
            drawn[item.id].children.append(stub)
        stack += reversed(shown)
    return drawn


def _beyond(items: list[Item], limit: int | None) -> set[str]:
    if limit is None or len(items) <= limit + 1:  # a stub for one node would be as tall as the node
        return set()
    ranked = sorted(items, key=lambda item: (not item.chosen, -level(real(item.value))))
    return {item.id for item in ranked[limit:] if not item.chosen}
