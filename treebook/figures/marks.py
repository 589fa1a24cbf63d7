"""The marks of a tree, the same in movie, explorer, figure, print and miniature: what was said of it, what it cost.

Values become marks by one rule. Where states were judged by verdicts, each by itself, a box has a mark for each verdict
(``FULL`` for the best word, ``EMPTY`` for the worst, ``HALF`` for those between, ``UNREAD`` for a reply without one).
Any other score is three marks, filled as far as it stands between the ends of the tree's scale, to the nearest half.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from tot.show.escaping import real, whole
from tot.show.tree import Picture
from tot.tasks import TASKS
from tot.ties import level, total
from tot.trace import Trace

from .bills import billing_key

FULL, HALF, EMPTY, UNREAD = "●◐○–"
MOST = 5  # marks in a box: of more verdicts the share is shown
THICK = (1.2, 2.2, 3.4, 5.0)  # pixels of an edge: by thirds of the tokens of the box that cost most


def marking(seen: Picture) -> Callable[[Any], str]:
    """What gives the marks of a value in this tree, such as "●●○"; "" for None, and where all values are the same."""
    said = _verdicts(seen.trace)
    values = [level(value) for item in seen.items.values() if (value := real(item.value)) is not None]
    if not {*values} <= said.keys():
        said = {}
    scale = seen.scale()

    def marks(value: Any) -> str:
        amount = real(value)
        if amount is None or not (said or scale):
            return ""
        if (found := said.get(level(amount))) is not None or not scale:
            return found or ""
        halves = round(6 * min(max((amount - scale[0]) / (scale[1] - scale[0]), 0.0), 1.0))
        return (FULL * (halves // 2) + HALF * (halves % 2)).ljust(3, EMPTY)

    return marks


def _verdicts(trace: Trace) -> dict[float, str]:
    """Value -> marks, where the task has words for verdicts, and each state was judged by itself; else {}."""
    judged = [r for e in trace.events if e.get("role") == "evaluator" for r in e.get("requests") or ()]
    n = max((len(request.get("samples") or ()) for request in judged), default=0)
    if not 0 < n <= MOST or not all(isinstance(request.get("about"), str) for request in judged):
        return {}
    name = str(trace.head.get("task", ""))
    if name not in TASKS:  # a task of somebody's own: what a trace names is never loaded from a file
        return {}
    words: Mapping[str, float] = getattr(TASKS[name](), "verdicts", None) or {}
    ranked = sorted(words.values(), reverse=True)
    if len(ranked) < 2:
        return {}
    kinds = [FULL, *[HALF] * (len(ranked) - 2), EMPTY]
    found: dict[float, set[str]] = {}
    for counts in product(range(n + 1), repeat=len(ranked)):
        if sum(counts) <= n:
            value = level(total(times * worth for times, worth in zip(counts, ranked, strict=True)))
            marks = "".join(kind * times for kind, times in zip(kinds, counts, strict=True))
            found.setdefault(value, set()).add(marks.ljust(n, UNREAD))
    read = {value: {m for m in marks if UNREAD not in m} or marks for value, marks in found.items()}
    return {value: marks.pop() for value, marks in read.items() if len(marks) == 1}


def spent(event: Mapping[str, Any]) -> dict[str, float]:
    """Id -> tokens that an event "asked" paid for questions about that node; equal shares of one about several."""
    found: dict[str, float] = {}
    paid = {billing_key(request): request for request in reversed(event.get("requests") or ())}
    for request in paid.values():
        tokens = whole(request.get("prompt_tokens")) + sum(whole(s.get("tokens")) for s in request.get("samples") or ())
        about = request.get("about")
        several = [node.get("id") for node in event.get("nodes", ())] if about is None else about
        nodes = [str(id) for id in (several if isinstance(several, list) else [about])]
        for id in nodes:
            found[id] = found.get(id, 0.0) + tokens / len(nodes)
    return found


def costs(trace: Trace) -> dict[str, float]:
    """Id -> tokens that were paid for questions about each node, in all."""
    found: dict[str, float] = {}
    for event in trace.events:
        for id, tokens in spent(event).items():
            found[id] = found.get(id, 0.0) + tokens
    return found


def thickness(tokens: float, most: float) -> int:
    """The place in ``THICK`` of the edge that leads to a box, where ``most`` is what the dearest box cost."""
    return min(int(3 * tokens / most + 0.5), 3) if most > 0 else 0
