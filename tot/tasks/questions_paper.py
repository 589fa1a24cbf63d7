"""Question tasks in the style of *Planning with MCTS* (section 2.2, figures 3 and 4), for models that write at length.

The paper prints no prompts, so the words are ours. Its design: a plan is free text, a sequence of instructions in
natural language (figure 4 has six of a sentence or two); each judge explains its score, and the next revision sees
the whole explanation; the solution is as long as the plan needs. ``ROOM`` is twice what the ToT authors allow.

What stays ours: one prompt, not two, for a chain of thought and its answer (Kojima et al. 2022 ask for the answer in
a second prompt); a plan or revision that repeats one of the tree is dropped; what counts as feasible and logical.
"""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from typing import Any, TypeVar

from ..lm.base import Request, user
from ..parse import LONG_REPLY, Judgement, Read, bad, score, shorten
from ..state import State, Thought
from .base import ROOM
from .zero_shot import ZeroShot
from .zero_shot_paper import PaperZeroShot

T = TypeVar("T", bound=ZeroShot)

PLAN = (
    "the instructions to follow, in their order, in plain language. Use as many steps and words as the question needs."
    " Write only the plan: do not carry it out, and do not state an answer."
)
JUDGES = {
    "logic": "You judge the logical consistency of this plan. Look for steps that contradict each other or the"
    " question, for a wrong order, and for what is missing between one step and the next.",
    "feasibility": "You judge the feasibility of this plan. Consider whether each step could be carried out"
    " with what is known by then, and whether the last one would give the answer.",
}
SCORE = (
    "Do not carry the plan out. Explain your judgement, and say what should be changed. After that, write the line"
    ' "Score: N", where N is a number from 0 (useless) to 1 (nothing to improve).'
)


class QuestionInPaperStyle(PaperZeroShot):
    """Plans as free text, judges who explain themselves, solutions of any length, as in *Planning with MCTS*; and the
    trees, answers and chains of ``zero_shot_paper``. To be laid over a question task by ``dressed``.
    """

    def in_paper_style(self) -> ZeroShot:
        return self

    def plan(self, state: State, feedback: str) -> Request:
        if state.last is None:
            return _request(state, f"Write a plan for finding the answer: {PLAN}")
        seen = _plan(state) + (f"What the judges say about this plan:\n{feedback}\n\n" if feedback else "")
        return _request(state, f"{seen}Write a better plan that takes account of what they say: {PLAN}")

    def read_plan(self, state: State, text: str) -> list[Read[Thought]]:
        return [read_free_plan(text)]

    def assess(self, state: State, judge: str) -> Request:
        """The question for one of the ``JUDGES``. Raises KeyError for any other."""
        return _request(state, f"{_plan(state)}{JUDGES[judge]} {SCORE}")

    def read_assessment(self, text: str) -> Read[Judgement]:
        return score(text, last=True)

    def execute(self, state: State) -> Request:
        if state.last is None:
            return _request(state, f"Let's think step by step. {self._last_line()}")
        how = "Carry out the plan step by step, and show the work of each step."
        return _request(state, f"{_plan(state)}{how} {self._last_line()}")

    def _last_line(self) -> str:
        return f"At the end, write the line {self.form.ask}."


def _plan(state: State) -> str:
    return f"Plan:\n{state.last.text if state.last else ''}\n\n"


def _request(state: State, how: str) -> Request:
    return user(f"Question: {state.x}\n\n{how}", max_tokens=ROOM)


_RULE = re.compile(r"\s*(?:[-*_=]{3,}\s*)?\n")  # an empty line, or a line across the page
_LABEL = re.compile(
    r"[\s#*_>]*(?:(?:my|the|a|new|revised|improved|better|final) ){0,3}plan[*_ ]*:[*_]*[ \t]*", re.IGNORECASE
)
_OPENING = re.compile(  # "Sure! Here is a better plan:", "### Plan for the apples", "We can follow these steps:"
    r"(?!\s*[-*•]\s|\W{0,8}(?:\d|step\s?\d))"
    r"(?:[\s>]*#[^\n]*|[^\n]{0,200}\b(?:plan|steps|instructions|approach|sure|certainly|here)\b[^\n]{0,200}:[ *_]*)\n",
    re.IGNORECASE,
)


def read_free_plan(text: str) -> Read[Thought]:
    """A plan as a model writes it, without what comes before it: a greeting, a heading, the word "Plan:".

    The rest is kept as it is, prose, lists and markup alike, up to ``LONG_REPLY`` characters.
    """
    plan = text.strip()
    for _ in range(6):  # greeting, line, heading, label: in whatever order
        opening = _RULE.match(plan) or _LABEL.match(plan) or _OPENING.match(plan)
        if not opening:
            break
        plan = plan[opening.end() :]
    plan = plan.strip()
    return Read(Thought(shorten(plan, LONG_REPLY))) if re.search(r"\w", plan) else bad("no plan in the reply", text)


def dressed(task: T, form: type[ZeroShot]) -> T:
    """A copy of ``task`` with the prompts and readers of ``form``. Everything else is the task's own."""
    styled = copy(task)
    styled.__class__ = _class_of(form, type(task))
    return styled


@cache
def _class_of(form: type, kind: type) -> Any:
    return type(f"{kind.__name__}InPaperStyle", (form, kind), {"__doc__": form.__doc__, "__module__": form.__module__})
