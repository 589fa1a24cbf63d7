"""What a page says of a search beside the explorer: which step is it, who said it, and what does it cost.

A page that names steps and thoughts of a recorded search should compute their numbers and quote their words. The
gallery does; ``notice`` and ``contents`` are its two forms.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .table import Table, table
from .tree import Traced, picture
from .view import view

if TYPE_CHECKING:
    from tot.lm.cassette import Cassette

    from ..solution import Solution


def steps(source: Traced) -> list[tuple[str, list[str]]]:
    """(kind, ids of the thoughts that it is about) of each step, as the explorer counts them from 0."""
    ids = list(picture(source).items)
    return [(step["kind"], [ids[n] for n in step["nodes"]]) for step in view(source, prompts=False)["steps"]]


def when(source: Traced, kind: str, id: str | None = None) -> int:
    """The first step of a kind (of ``view.KINDS``); with ``id``, the first that is about this thought.

    Raises ValueError if there is none.
    """
    told = steps(source)
    for number, (what, ids) in enumerate(told):
        if what == kind and (id is None or id in ids):
            return number
    about = f" about {id}" if id else ""
    raise ValueError(f"no step {kind!r}{about}; the search has: {', '.join(dict.fromkeys(what for what, _ in told))}")


def quote(text: str, most: int = 90) -> str:
    """A model's words as code in Markdown, at most ``most`` characters: nothing in them is markup."""
    text = " ".join(text.replace("`", "'").split())
    return f"`{text if len(text) <= most else text[: most - 1].rstrip() + '…'}`"


def notice(*points: str) -> Any:
    """The list "What to notice", as Markdown that a notebook shows."""
    from IPython.display import Markdown

    return Markdown("**What to notice**\n\n" + "\n".join(f"- {p}" for p in points))  # type: ignore[no-untyped-call]


def contents(rows: Iterable[tuple[str, Cassette, Solution]]) -> Table:
    """A row for each (what the search asks for, its recording, its run); models and dates are in the caption."""
    lines, models = [], {}
    for asks, lm, run in rows:
        dates = sorted({str(session["date"]) for session in lm.tape.sessions.values()})
        models[lm.name] = f"{lm.name} (recorded {', '.join(dates)})"
        tokens = run.result.ledger.total.tokens
        lines.append({"search": run.trace.head["method"], "asks for": asks, "tokens": tokens})
    return table(lines, caption=f"Models: {'; '.join(models.values())}.")
