"""The page that shows each prompt of each task in our style and in the paper's."""

import re
from collections.abc import Iterable
from typing import Any

import tot
from tot import Request, State, Thought
from tot.tasks.base import Task
from tot.testing.task import prompts_of

from .markup import code, page, plain


def prompts_page() -> str:
    return page("prompts", knobs=knobs(), families=families(), prompts=prompts, rows=rows, said=said)


def knobs() -> list[tuple[str, ...]]:
    """The knobs that have another default in the paper's style."""
    changed: dict[tuple[str, str, str, str], list[str]] = {}
    for method in tot.METHODS.values():
        for knob in method.knobs():
            if knob.paper is not None:
                row = code(knob.name), code(repr(knob.default)), code(repr(knob.paper)), plain(knob.doc)
                changed.setdefault(row, []).append(f":ref:`{method.name} <method-{method.name}>`")
    return [(name, ", ".join(methods), ours, paper, doc) for (name, ours, paper, doc), methods in changed.items()]


def families() -> Iterable[list[str]]:
    """The names of tasks with a paper form, those together that share its prompts."""
    found: dict[object, list[str]] = {}
    for name in tot.TASKS:
        if hasattr(task := tot.task(name), "in_paper_style"):
            forms = (task, task.in_paper_style())
            shared = tuple(id(form.style) for form in forms)
            found.setdefault(shared, []).append(name)
    return found.values()


def prompts(name: str) -> tuple[dict[str, Request], dict[str, Request], list[str]]:
    """The prompts of a task in our style and in the paper's, and the paragraphs about that style."""
    task: Any = tot.task(name)
    paper = task.in_paper_style()
    return first_prompts(task), first_prompts(paper), paper.style.about.split("\n\n")


def rows(ours: dict[str, Request], theirs: dict[str, Request]) -> list[list[str]]:
    """Of each prompt how many examples it shows, and what a reply may have, in both styles."""
    pairs = {name: (ours.get(name), theirs.get(name)) for name in [*ours, *theirs]}
    return [[plain(name), *(str(examples(p)) for p in pair), *map(limit, pair)] for name, pair in pairs.items()]


def first_prompts(task: Task) -> dict[str, Request]:
    """All prompts about the first problem of the first split."""
    state = State(task.problems(next(iter(task.splits())))[0].x)
    prompts = prompts_of(task, state)
    if hasattr(task, "unchecked") and isinstance(
        judged := task.value(state.then(Thought("", answer="1 + 1", final=True))), Request
    ):
        prompts["value, of an answer"] = judged
    return prompts


def examples(request: Request | None) -> int | str:
    """How many solved examples a prompt shows: answers in a conversation, or questions in its first message."""
    if request is None:
        return ""
    turns = sum(message.role == "assistant" for message in request.messages)
    first = request.messages[0]
    return turns or (len(re.findall(r"^Question:", first.content, re.MULTILINE)) if first.role == "system" else 0)


def limit(request: Request | None) -> str:
    return "" if request is None else "none" if request.max_tokens is None else str(request.max_tokens)


def said(request: Request) -> str:
    """The messages of a prompt as they are sent."""
    return "\n\n".join(f"{message.role}:\n{message.content}" for message in request.messages)
