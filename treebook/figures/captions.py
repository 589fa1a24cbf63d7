"""What a page says about a search beside its explorer: numbers of steps, quotations, models and costs.

A page that names steps and thoughts of a recorded search should compute their numbers and quote their words, as the
gallery does. ``notice`` is the list below each of its pictures, ``contents`` the table of them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tot.show.tree import Traced, picture, refusing_damage

from ..explorer.data import view
from .names import names, shortened
from .tables import Table, table

if TYPE_CHECKING:
    from tot.lm.cassette import Cassette
    from tot.solution import Solution


@refusing_damage
def steps(source: Traced) -> list[tuple[str, list[str]]]:
    """The steps of the explorer, which counts them from 0: for each (kind, ids of the thoughts that it is about)."""
    ids = list(picture(source).items)
    return [(step["kind"], [ids[n] for n in step["nodes"]]) for step in view(source, prompts=False)["steps"]]


@refusing_damage
def when(source: Traced, kind: str, id: str | None = None) -> int:
    """The number of the first step of a kind (see ``explorer_data.KINDS``); with ``id``, of the first about this
    thought.

    Raises ValueError if there is none.
    """
    every = steps(source)
    for number, (what, ids) in enumerate(every):
        if what == kind and (id is None or id in ids):
            return number
    about = f" about {id}" if id else ""
    raise ValueError(f"no step {kind!r}{about}; the search has: {', '.join(dict.fromkeys(what for what, _ in every))}")


def quote(text: str, most: int = 90) -> str:
    """A model's words as code in Markdown, at most ``most`` characters: nothing in them is markup."""
    plain = " ".join(text.replace("`", "'").split())
    return f"`{shortened(plain, most)}`"


@refusing_damage
def called(source: Traced, *ids: str) -> str:
    """The names of thoughts in the explorer (see ``names``), as code in Markdown, one after the other."""
    known = names(source)
    return " and ".join(quote(known[id], most=200) for id in ids)


def notice(*points: str) -> Any:
    """The list "What to notice", as Markdown that a notebook shows."""
    from IPython.display import Markdown

    return Markdown("**What to notice**\n\n" + "\n".join(f"- {p}" for p in points))  # type: ignore[no-untyped-call]


def contents(rows: Iterable[tuple[str, Cassette, Solution]]) -> Table:
    """A table of searches. ``rows``: (what the search asks for, its recording, its run). Models and dates are in the
    caption; tokens are those of prompts and replies.
    """
    lines, models = [], {}
    for asks, lm, run in rows:
        dates = sorted({str(session["date"]) for session in lm.tape.sessions.values()})
        models[lm.name] = f"{lm.name} (recorded {', '.join(dates)})"
        tokens = run.result.ledger.total.tokens
        lines.append({"search": run.trace.head["method"], "asks for": asks, "tokens": tokens})
    return table(lines, caption=f"Models: {'; '.join(models.values())}.")
