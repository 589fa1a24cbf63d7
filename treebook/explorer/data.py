"""A whole search as plain data that a page can step through: nodes, steps, and what models were asked.

``view`` reads a trace once. What a step changes is stored with that step, so the state at any moment is the sum of all
steps up to it. Each text is stored once, however often it was used. ``show.explorer`` puts this data into a page.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from tot.show.escaping import block, clean, line, number, real, whole
from tot.show.tree import STATUSES, Growing, Item, Traced, caption, picture, refusing_damage, trace_of

from ..figures.bills import billing_key
from ..figures.marks import THICK, costs, marking, spent, thickness
from ..figures.names import label, names

# Kind of a step (that of an event of the trace, or "start", "voted", "finished") -> what the page calls it.
KINDS = {
    "start": "the problem",
    "asked": "asked",
    "expanded": "new thoughts",
    "evaluated": "evaluated",
    "voted": "voted",
    "best": "best so far",
    "kept": "kept",
    "pruned": "pruned",
    "selected": "selected",
    "backed_up": "rewards backed up",
    "acted": "tools ran",
    "opened": "on the open list",
    "taken": "taken off the open list",
    "propagated": "failures propagated",
    "reflected": "reflected",
    "unfinished": "unfinished",
    "finished": "finished",
}
MEASURES = ("value", "visits", "mean", "g", "f", "prior")
FIELDS = (
    "status", "value", "visits", "mean", "g", "f", "why", "observation", "cost", "failed", "open", "verdict",
    "marks", "thick",  # what is drawn of its value and of its cost, see ``figures.marks``
)  # fmt: skip
BIRTH = {"why": "", "failed": "", "open": False, "verdict": "", "marks": "", "thick": 0}  # the other fields are None
# Kind of event that says which nodes a search may return to; what the page calls these; how it sorts them.
FRONTIERS = (
    ("opened", "Open list, lowest f first", "f"),
    ("taken", "Open list, highest value first", "value"),
    ("selected", "Leaves of this round", ""),
    ("kept", "Waiting candidates, next one first", "depth"),
    ("pruned", "Waiting candidates, next one first", "depth"),
    ("best", "Beam, best first", "value"),
)


@refusing_damage
def view(source: Traced, *, limit: int = 4000, prompts: bool = True) -> dict[str, Any]:
    """The search as JSON-ready data. Texts are cleaned, and cut after ``limit`` characters.

    - ``caption``: what was asked, how it went, what came out. ``words``: names of statuses and of kinds of steps.
    - ``texts``: every longer text, once. Below, "a text" is a number: its index in this list.
    - ``nodes``: by number, parents first: ``parent`` (a number, -1 for the root), ``thought`` (a text), and if set
      ``answer``, ``final``, ``prior``; and ``name`` where it is not the thought as a short line.
    - ``steps``: "start", one for each event (an "introduced" event belongs to the next one), "finished". Each has its
      ``kind`` (an "evaluated" event after one request about several nodes is "voted"), the ``nodes`` that it is about,
      ``why`` if there is a reason, and ``set``: [[field, value, node, node ...], ...], what it changes of ``FIELDS``. A
      new node is as in ``BIRTH``; it exists from the first step that sets one of its fields. A step of kind "asked" has
      its ``role`` and ``round``, and the numbers of ``requests`` and ``tokens``.
    - ``best``: step -> incumbents, best first, for the steps that change them; the last one names the chosen node.
    - ``requests``: ``role``, ``round``, ``step``; the ``nodes`` it is about; ``messages``: [role, text]; ``params`` (a
      text); ``replies``: [text, why it ended, tokens]; ``thinking`` (a text before each reply, -1 for none) if there is
      any; ``first`` (index of the first reply), ``tokens`` of the prompt;
      what was made of the replies: ``made`` (new nodes), ``values`` ([node, value]), ``scores`` ([judge, score, why])
      and ``unread`` ([why, text]).
    - ``frontier``: what ``open`` means in this search, and how it is sorted (by "f", "value", "depth", or "": it is
      not).
    - ``measures``: those of ``MEASURES`` that some node has. ``thick``: widths of edges, by a node's "thick".

    ``prompts``: False leaves out all requests.
    """
    return _Reader(source, limit, prompts).read()


class _Reader:
    def __init__(self, source: Traced, limit: int, prompts: bool) -> None:
        self.trace, self.limit, self.prompts = trace_of(source), limit, prompts
        self.final = picture(source)
        self.names = names(self.final)
        self.numbers = {id: i for i, id in enumerate(self.final.items)}
        self.texts: dict[str, int] = {}
        self.known: dict[str, dict[str, Any]] = {}  # id -> the node's fields after the last step
        self.steps: list[dict[str, Any]] = []
        self.best: dict[int, list[int]] = {}
        self.requests: list[dict[str, Any]] = []
        self.ballot = False  # the last step asked one question about several nodes
        self.frontier = _Frontier(self.trace.events, self.final.items)
        self.marks, self.spent = marking(self.final), dict[str, float]()
        self.most = max((n for id, n in costs(self.trace).items() if id != self.final.root), default=0.0)

    def read(self) -> dict[str, Any]:
        growing = Growing()
        root = self.final.items[self.final.root]
        self._step({"kind": "start", "nodes": [0]}, [Item(root.id, None, root.thought, status="root")])
        changed: dict[str, Item] = {}
        for event in self.trace.events:
            changed |= growing.tell(event)
            moved = self.frontier.tell(event) & growing.items.keys()
            changed |= {id: growing.items[id] for id in sorted(moved, key=self.numbers.__getitem__)}
            if event.get("kind") == "introduced":
                continue
            self._event(event, changed)
            changed = {}
        end = next((id for id, item in self.final.items.items() if item.end), None)
        others = [id for id in self.final.best if id != end]
        outputs = [*([end] if end else []), *others]
        finished = {"kind": "finished", "nodes": self._about(outputs[:1]), "why": clean(caption(self.final)[2])}
        self._step(finished, self.final.items.values())
        self._incumbents(outputs)
        return {
            "caption": [clean(part) for part in caption(self.final)],
            "mark": self.final.mark,
            "words": {"status": STATUSES, "kinds": KINDS},
            "nodes": [self._node(item) for item in self.final.items.values()],
            "steps": self.steps,
            "best": self.best,
            "requests": self.requests,
            "frontier": {"title": self.frontier.title, "order": self.frontier.order},
            "measures": self._measures(),
            "thick": THICK,
            "texts": list(self.texts),
        }

    def _text(self, text: Any) -> int:
        return self.texts.setdefault(block(text, self.limit), len(self.texts))

    def _about(self, ids: Iterable[Any]) -> list[int]:
        return [self.numbers[str(id)] for id in ids if str(id) in self.numbers]

    def _node(self, item: Item) -> dict[str, Any]:
        node: dict[str, Any] = {
            "parent": -1 if item.parent is None else self.numbers[item.parent],
            "thought": self._text(item.thought),
        }
        node |= {} if item.answer is None else {"answer": block(item.answer, self.limit)}
        node |= {"final": True} if item.final else {}
        node |= {} if item.prior is None else {"prior": plain(item.prior)}
        usual = self.names[item.id] == label(block(item.thought, self.limit))
        return node if usual else node | {"name": self.names[item.id]}

    def _event(self, event: Mapping[str, Any], changed: Mapping[str, Item]) -> None:
        kind = str(event.get("kind"))
        step: dict[str, Any] = {"kind": kind, "nodes": self._about(node.get("id") for node in event.get("nodes", ()))}
        why = event.get("why") or event.get("lesson") or ""
        if kind == "propagated":
            charged = (event.get("charged") or {}).items()
            why = ", ".join(f"“{self.names.get(id, id)}” is charged {number(more)}" for id, more in charged)
        if why:
            step["why"] = line(why)
        if kind == "evaluated" and self.ballot:
            step["kind"] = "voted"
        self._what_was_read(event)
        self.ballot = False
        if kind == "asked":
            self.ballot = len(step["nodes"]) > 1 and any(r.get("about") is None for r in event.get("requests") or ())
            step |= {"role": line(event.get("role", "")), "round": whole(event.get("round"))}
            bill: dict[str, int] = {}
            for request in event.get("requests") or ():
                bill.setdefault(billing_key(request), self._request(event, request))  # an equal one is paid for already
            step |= {"requests": len(bill), "tokens": sum(bill.values())}
            for id, tokens in spent(event).items():
                self.spent[id] = self.spent.get(id, 0.0) + tokens
        self._step(step, changed.values())
        if kind == "best":
            self._incumbents([str(node.get("id")) for node in event.get("nodes", ())])

    def _step(self, step: dict[str, Any], changed: Iterable[Item]) -> None:
        """Add a step, with the fields of the nodes in ``changed`` that are new."""
        sets: dict[tuple[str, str], list[Any]] = {}
        for item in changed:
            before = self.known.setdefault(item.id, {field: BIRTH.get(field) for field in FIELDS})
            now: dict[str, Any] = {"status": item.status, "why": line(item.why), "failed": line(item.failed)}
            now |= {"verdict": item.verdict, "open": item.id in self.frontier.open}
            now |= {field: plain(getattr(item, field)) for field in ("value", "visits", "mean", "g", "f", "cost")}
            now |= {"marks": self.marks(item.worth), "thick": thickness(self.spent.get(item.id, 0.0), self.most)}
            now["observation"] = None if item.observation is None else self._text(item.observation)
            for field in FIELDS:
                if now[field] != before[field]:
                    same = sets.setdefault((field, repr(now[field])), [field, now[field]])
                    same.append(self.numbers[item.id])
            before |= now
        step["set"] = list(sets.values())
        self.steps.append(step)

    def _incumbents(self, ids: Sequence[str]) -> None:
        self.best[len(self.steps) - 1] = self._about(ids)

    def _request(self, event: Mapping[str, Any], request: Mapping[str, Any]) -> int:
        """Add one request. Returns its tokens, of prompt and replies."""
        samples, prompt = request.get("samples") or (), whole(request.get("prompt_tokens"))
        if self.prompts:
            across = [str(node.get("id")) for node in event.get("nodes", ())]
            about = request.get("about")
            messages = request.get("messages") or ()
            params = ", ".join(f"{line(key)} {line(value)}" for key, value in (request.get("params") or {}).items())
            self.requests.append(
                {
                    "role": line(event.get("role", "")),
                    "round": whole(event.get("round")),
                    "step": len(self.steps),
                    "nodes": self._about(across if about is None else about if isinstance(about, list) else [about]),
                    "messages": [[line(m.get("role", "")), self._text(m.get("content", ""))] for m in messages],
                    "params": self._text(params),
                    "replies": [
                        [self._text(s.get("text", "")), _ended(request, s), whole(s.get("tokens"))] for s in samples
                    ],
                    "first": whole(request.get("first")),
                    "tokens": prompt,
                }
            )
            if any(s.get("thinking") for s in samples):
                thoughts = [self._text(s["thinking"]) if s.get("thinking") else -1 for s in samples]
                self.requests[-1]["thinking"] = thoughts
        return prompt + sum(whole(s.get("tokens")) for s in samples)

    def _what_was_read(self, event: Mapping[str, Any]) -> None:
        """Add to the requests of the last round what the search made of their replies."""
        last, kind = len(self.steps) - 1, event.get("kind")
        recent = [*takewhile(lambda request: request["step"] == last, reversed(self.requests))][::-1]
        by_node: dict[int, list[dict[str, Any]]] = {}
        for request in recent:
            for i in request["nodes"]:
                by_node.setdefault(i, []).append(request)

        def note(field: str, said: Any, requests: Iterable[dict[str, Any]]) -> None:
            for request in requests:
                request.setdefault(field, []).append(said)

        def about(id: Any) -> Iterable[dict[str, Any]]:
            return by_node.get(self.numbers.get(str(id), -1), ())

        for node in event.get("nodes", ()):
            i = self.numbers[str(node.get("id"))]
            if kind == "expanded":
                note("made", i, about(self.final.items[str(node.get("id"))].parent))
            elif kind == "evaluated" and node.get("value") is not None:
                note("values", [i, plain(node["value"])], about(node.get("id")))
        for score in event.get("scores") or ():
            said = [line(score.get("judge", "")), plain(score.get("score")), line(score.get("why", ""))]
            note("scores", said, about(score.get("node")))
        for entry in event.get("unread") or ():
            said = [line(entry.get("why", "")), block(entry.get("text", ""), min(self.limit, 400))]
            note("unread", said, recent if entry.get("node") is None else about(entry["node"]))

    def _measures(self) -> list[str]:
        known = {field for step in self.steps for field, value, *_ in step["set"] if real(value) is not None}
        known |= {"prior"} if any(real(item.prior) is not None for item in self.final.items.values()) else set()
        return [field for field in MEASURES if field in known]


class _Frontier:
    """Which nodes a search may return to, as far as its events say so.

    An informed search reports its open list. In best-first search it is the nodes that were valued and not taken yet
    (those too deep to be ever taken included: no event says so); in depth-first search the candidates that were not
    visited; in Monte Carlo search the leaves of the round; in any other search the beam, which is the last incumbents.
    """

    def __init__(self, events: Sequence[Mapping[str, Any]], items: Mapping[str, Item]) -> None:
        kinds = {event.get("kind") for event in events}
        self.open = {next(iter(items))}
        self.kind, self.title, self.order = next(row for row in FRONTIERS if row[0] in kinds or row[0] == "best")

    def tell(self, event: Mapping[str, Any]) -> set[str]:
        """Add the next event. Returns the ids that were added or removed."""
        before, ids = set(self.open), [str(node.get("id")) for node in event.get("nodes", ())]
        match self.kind, event.get("kind"):
            case ("opened", "opened") | ("taken", "evaluated") | ("kept" | "pruned", "expanded"):
                self.open |= set(ids)
            case ("opened" | "taken", "taken") | ("kept" | "pruned", "evaluated" | "kept" | "pruned"):
                self.open -= set(ids)
            case ("selected", "selected") | ("best", "best"):
                self.open = set(ids)
        if self.kind in ("kept", "pruned") and event.get("kind") == "expanded":
            self.open -= {str(id) for id in event.get("of") or ()}
        return before ^ self.open


def _ended(request: Mapping[str, Any], sample: Mapping[str, Any]) -> str:
    """How a reply ended; in its place, how likely the labels were, if the model told and the reply is whole."""
    finish, told = line(sample.get("finish", "")), chances(request, sample)
    return ", ".join(filter(None, ("" if told and finish == "stop" else finish, told)))


def plain(value: Any) -> Any:
    """A number that JSON can hold, or a short text; None stays None."""
    if value is None or (amount := real(value)) is None:
        return None if value is None else number(value)
    return int(amount) if amount == int(amount) and abs(amount) < 1e15 else float(f"{amount:.6g}")


def chances(request: Mapping[str, Any], sample: Mapping[str, Any]) -> str:
    """The chances of a sample's labels: "sure 97 %, impossible 3 %, something else 0.3 %"; "" if it has none."""
    labels = (request.get("params") or {}).get("labels") or ()
    shares = [*zip(labels, sample.get("chances") or (), strict=False), ("something else", sample.get("missing"))]
    return ", ".join(f"{line(label)} {100 * (real(p) or 0.0):.3g} %" for label, p in shares) if labels else ""
