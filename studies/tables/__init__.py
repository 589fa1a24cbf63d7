"""Our numbers for every row of the papers' tables: replayed from the book's cassettes, or read from results files.

    python -m studies.tables     # writes studies/results/tables.json; `make tables` writes the page as well

A row of a recording counts only if a whole plan of ``studies/plans.py`` replays, so n follows what was recorded. What
is blank has the name of a reason; ``tools/tables.py`` has the words, and makes book/tables.md of all this. For every
difference between two rows that a paper shows, ours on the same problems stands beside it, with a verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tot.lm.settings import described

from . import planning, poster, tree_of_thoughts
from .cells import Section
from .recordings import Recordings

RESULTS = Path(__file__).resolve().parents[1] / "results" / "tables.json"

BIG = ("03", "04", "06", "07", "08", "09", "12", "14")  # chapters whose recordings are of one model

SECTIONS: dict[str, Callable[[Recordings], Section]] = {
    "tasks": tree_of_thoughts.tasks,
    "game24": tree_of_thoughts.game24,
    "visited": tree_of_thoughts.visited,
    "lost": tree_of_thoughts.lost,
    "coherence": tree_of_thoughts.coherence,
    "crosswords": tree_of_thoughts.crosswords,
    "questions": tree_of_thoughts.questions,
    "weaker": tree_of_thoughts.weaker,
    "bills": tree_of_thoughts.bills,
    "hotpotqa": poster.hotpotqa,
    "tool costs": poster.tool_costs,
    "planning": planning.planning,
    "rollouts": planning.rollouts,
    "one judge": planning.one_judge,
    "roles": planning.roles,
    "long word": planning.long_word,
}


def compute(book: Recordings | None = None) -> dict[str, Section]:
    """Everything, in the order of the page."""
    book = book or Recordings()
    tapes = {chapter: tape for chapter in BIG if (tape := book.tape(chapter))}
    named = {chapter: " ".join([tape.name, described(tape.settings)]).strip() for chapter, tape in tapes.items()}
    if len({*named.values()}) > 1:
        each = ", ".join(f"{chapter}.jsonl of {name}" for chapter, name in named.items())
        raise SystemExit(f"the page compares within one recorded model, and {each}: record the others with it, too")
    return {name: section(book) for name, section in SECTIONS.items()}
