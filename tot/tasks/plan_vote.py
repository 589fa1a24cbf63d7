"""Shared by the tasks that are solved in the steps plan, vote, solution, vote: reading a plan, and the votes.

In the paper's style one prompt asks for both parts, as the paper's CoT prompt: the plan is sampled from it up to the
label of the second part, and the second part from the same prompt with the plan below it. Ballots compare the choices
at length, the second one with their plans (section 4.2, appendix B.1).
"""

import re
from collections.abc import Sequence
from functools import cache

from ..lm.base import Request
from ..parse import LONG_REPLY, MAX_REPLY, Read, bad, choice, shorten
from ..state import State, Thought
from .style import Styled, as_parts

Labels = tuple[str, ...]  # of the thoughts on a path: ("Plan", "Passage"), ("Strategy", "Answer")


def read_plan(text: str, label: str = "plan") -> Read[Thought]:
    """A plan: the reply without its label ("Strategy: ..."), cut to 1,000 characters."""
    plan = re.sub(rf"^[\s*#]*{label}[\s*]*:[\s*]*", "", text[:MAX_REPLY].strip(), flags=re.IGNORECASE)
    return Read(Thought(shorten(plan, 1000))) if re.search(r"\w", plan) else bad(f"no {label} in the reply", text)


def choices(states: Sequence[State], parts: Labels) -> str:
    """The numbered choices of a vote prompt (section 4.2): newest thoughts alone, or with ``parts`` all thoughts."""
    texts = [as_parts(state, parts) if parts else state.last.text if state.last else "" for state in states]
    return "\n\n".join(f"Choice {i}:\n{text}" for i, text in enumerate(texts, 1))


class Voted(Styled):
    """What is alike in tasks of two ``steps``, a plan and what follows it, each of which a vote chooses."""

    steps = 2

    def step(self, state: State) -> Request:
        """The prompt for a plan; below a plan, for what follows it."""
        return self.ask("step, later" if state.last else "step", state)

    def ballot(self, states: Sequence[State]) -> Request:
        prompt = "ballot" if len(states[0].thoughts) == 1 else "ballot, later"
        return self.ask(prompt, states[0], choices=choices(states, self.style.parts))

    def read_ballot(self, text: str, options: int) -> Read[int]:
        return choice(text, options)


# ---------------------------------------------------------------- reading long replies


@cache
def label(part: str) -> re.Pattern[str]:
    """A line that begins with the label of a part ("Passage: ...", "Refined passage:"), or is it ("## Passage")."""
    name = rf"(?:(?:the|my|new|final|refined|revised|improved|better)[ ]){{0,2}}{part}"
    return re.compile(
        rf"^[\s>*_#]{{0,8}}{name}[ *_]{{0,4}}:[ *_]{{0,4}}|^[ >]{{0,4}}(?:#{{1,6}}[ ]|\*\*|__){name}[ *_]{{0,4}}$",
        re.IGNORECASE | re.MULTILINE,
    )


def read_long_plan(text: str, parts: Labels) -> Read[Thought]:
    """The first part of a reply, whole: below its label if it has one, above the label of the second part."""
    said = label(parts[1]).split(text[:LONG_REPLY], maxsplit=1)[0]
    plan = label(parts[0]).split(said, maxsplit=1)[-1].strip()
    return Read(Thought(plan)) if re.search(r"\w", plan) else bad(f"no {parts[0].lower()} in the reply", text)


def second_part(text: str, parts: Labels) -> str:
    """The second part of a reply, whole: below its label, if the reply begins with it or repeats the first part."""
    text = text[:LONG_REPLY].strip()
    found = label(parts[1]).search(text)
    if found and (not re.search(r"\w", text[: found.start()]) or label(parts[0]).search(text[: found.start()])):
        return text[found.end() :].strip()
    return text
