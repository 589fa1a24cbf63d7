"""The page that shows each prompt of each task in our style and in the paper's."""

import re
from collections.abc import Iterable
from typing import Any

import tot
from tot import Request, State, Thought
from tot.tasks.base import Task
from tot.testing.task import prompts_of

from .markup import code, indented, plain, table, title

INTRODUCTION = """Our own prompts are short because the recorded model is small, and a program helps the model where it
can. With a strong model you may want the paper's algorithm instead: ``--style paper`` (in Python ``style="paper"``)
takes the second prompt of each pair on this page, which has the paper's design in our own words, and changes the
defaults of the knobs below.
"""
KNOBS = "What the style changes besides the prompts; a value that you choose yourself always counts."
HEAD = ("prompt", "our examples", "in the paper's style", "our limit", "in the paper's style")
LIMITS = """In the tables, *examples* are solved examples in the prompt, and the *limit* is the number of tokens that a
reply may have. In the paper's style it is 2,000, twice what the authors of Tree of Thoughts allow, so that only a
reply that repeats itself is cut off. A reply that reaches its limit is counted as *cut*, and ``--max-tokens 1000``
allows every reply at least that many.
"""


def prompts_page() -> str:
    parts = [title("Our prompts and the papers'"), INTRODUCTION, knobs()]
    parts += [f"{LIMITS}\n"]
    for names in families():
        parts.append(family(names))
    return "\n".join(parts)


def knobs() -> str:
    """The knobs that have another default in the paper's style."""
    changed: dict[tuple[str, str, str, str], list[str]] = {}
    for method in tot.METHODS.values():
        for knob in method.knobs():
            if knob.paper is not None:
                row = code(knob.name), code(repr(knob.default)), code(repr(knob.paper)), plain(knob.doc)
                changed.setdefault(row, []).append(f":ref:`{method.name} <method-{method.name}>`")
    rows = [(name, ", ".join(methods), ours, paper, doc) for (name, ours, paper, doc), methods in changed.items()]
    return f"{KNOBS}\n\n{table(('knob', 'methods', 'default', 'in the style of the paper', 'what it does'), rows)}"


def families() -> Iterable[list[str]]:
    """The names of tasks with a paper form, those together that share its prompts."""
    found: dict[object, list[str]] = {}
    for name in tot.TASKS:
        if hasattr(task := tot.task(name), "in_paper_style"):
            forms = (task, task.in_paper_style())
            shared = tuple(id(form.style) for form in forms)
            found.setdefault(shared, []).append(name)
    return found.values()


def family(names: list[str]) -> str:
    """One task, for all that share its prompts: what differs, and each prompt twice."""
    task: Any = tot.task(names[0])
    paper = task.in_paper_style()
    ours, theirs = first_prompts(task), first_prompts(paper)
    rows = [
        (
            plain(name),
            *map(str, (examples(ours.get(name)), examples(theirs.get(name)))),
            *map(limit, (ours.get(name), theirs.get(name))),
        )
        for name in dict.fromkeys([*ours, *theirs])
    ]
    return "\n".join(
        [
            title(", ".join(names), "-"),
            *(f"{plain(paragraph)}\n" for paragraph in differences(paper)),
            f"The prompts of ``{names[0]}`` for the first problem of its first split:\n" if len(names) > 1 else "",
            table(HEAD, rows),
            *(both(name, ours.get(name), theirs.get(name)) for name in dict.fromkeys([*ours, *theirs])),
        ]
    )


def differences(paper: Task) -> list[str]:
    """What is said of a paper's style, by paragraphs: its design, and what is still different."""
    return paper.style.about.split("\n\n")


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


def both(name: str, ours: Request | None, theirs: Request | None) -> str:
    """A prompt in both styles, folded."""
    tabs = [
        f".. tab-item:: {whose}\n\n{indented(block(request))}"
        for whose, request in (("ours", ours), ("in the paper's style", theirs))
        if request
    ]
    return f".. dropdown:: {plain(name)}\n\n{indented('.. tab-set::')}\n\n{indented(chr(10).join(tabs), 6)}\n"


def block(request: Request) -> str:
    """The messages of a prompt as they are sent."""
    said = "\n\n".join(f"{message.role}:\n{message.content}" for message in request.messages)
    return f".. code-block:: text\n\n{indented(said)}\n"
