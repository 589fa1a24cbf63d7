"""Question tasks in the style of *Planning with MCTS* and of zero-shot Tree of Thoughts: the readers of long replies.

The prompts, and what stays different from the papers, are in ``questions.toml``.
"""

import re
from dataclasses import replace

from ..parse import LONG_REPLY, Judgement, Read, bad, score, shorten
from ..state import Thought
from .plan_vote import read_long_plan, second_part
from .style import style_of

PARTS = ("Strategy", "Answer")


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
    plan, at = text.strip(), 0
    for _ in range(6):  # greeting, line, heading, label: in whatever order
        opening = _RULE.match(plan, at) or _LABEL.match(plan, at) or _OPENING.match(plan, at)
        if not opening:
            break
        at = opening.end()
    plan = plan[at:].strip()
    return Read(Thought(shorten(plan, LONG_REPLY))) if re.search(r"\w", plan) else bad("no plan in the reply", text)


def whole(solution: Read[Thought], text: str) -> Read[Thought]:
    """The final thought with the whole reply. Without an answer it is an attempt, too."""
    return _saying(solution, text[:LONG_REPLY].strip())


def second(solution: Read[Thought], text: str) -> Read[Thought]:
    """The final thought with the answer below its strategy."""
    return _saying(solution, second_part(text, PARTS))


def _saying(solution: Read[Thought], said: str) -> Read[Thought]:
    return replace(solution, value=replace(solution.value, text=said)) if solution.value else solution


def read_strategy(text: str) -> Read[Thought]:
    """The strategy of a reply, whole."""
    return read_long_plan(text, PARTS)


def last_score(text: str) -> Read[Judgement]:
    """The score at the end of a discussion."""
    return score(text, last=True)


PAPER = style_of(
    "questions",
    "paper",
    {"attempt": whole, "strategy": read_strategy, "solution": second, "plan": read_free_plan, "score": last_score},
)
