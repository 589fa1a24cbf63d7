"""Reading the data files beside this module: prompts, and problems of the book or made by ``studies/problems``."""

import json
import tomllib
from functools import cache
from typing import Any

from .base import Problem


def text_of(file: str) -> str:
    """The text of a data file."""
    from importlib.resources import files  # here, because it is half of what `import tot` would cost

    return (files("tot.tasks") / file).read_text(encoding="utf-8")


def lines_of(file: str) -> list[str]:
    """Its lines, without empty ones and comments (#)."""
    return [line for line in text_of(file).splitlines() if line and not line.startswith("#")]


def records_of(file: str) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in lines_of(file)]


def questions_of(task: str) -> list[Problem]:
    """The problems in ``<task>_questions.jsonl``: one {"id", "question", "answer"} in each line."""
    return [Problem(q["id"], q["question"], q["answer"]) for q in records_of(f"{task}_questions.jsonl")]


@cache
def told_in(file: str) -> dict[str, Any]:
    """What is in ``<file>.toml``: a task's prompts with their solved examples, or the public files."""
    return tomllib.loads(text_of(f"{file}.toml"))
