"""The problems that are made by program, and ship with the package as data.

    python -m studies.problems     # writes tot/tasks/<task>_questions.jsonl

A line is one problem: id, question, answer. A test holds the files to what these programs make.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from studies.words.problems import problems as worded_problems
from tot.tasks.base import Problem

from .arithmetic import STORIES, arithmetic
from .puzzles import count_letters, last_letters, object_tracking

FOLDER = Path(__file__).resolve().parents[2] / "tot" / "tasks"


def numbered(pairs: Iterable[tuple[str, str]], name: str = "book") -> list[Problem]:
    """Problems of pairs (question, answer), with the ids book-1, book-2 and so on."""
    return [Problem(f"{name}-{i}", question, answer) for i, (question, answer) in enumerate(pairs, 1)]


MADE: dict[str, Callable[[], list[Problem]]] = {
    **{style: lambda style=style: numbered(arithmetic(style)) for style in STORIES},
    "gsm8k_pocket": worded_problems,  # the split "pocket" of gsm8k
    "last_letters": lambda: numbered(last_letters()),
    "object_tracking": lambda: [p for n in (3, 5, 7) for p in numbered(object_tracking(n), f"book-{n}")],
    "count_letters": lambda: numbered(count_letters()),
}


def file(task: str) -> Path:
    """Where the problems of a task ship."""
    return FOLDER / f"{task}_questions.jsonl"


def lines(problems: Iterable[Problem]) -> str:
    """The text of a data file."""
    each = ({"id": p.id, "question": p.x, "answer": p.gold} for p in problems)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in each)
