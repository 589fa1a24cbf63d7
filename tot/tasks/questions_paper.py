"""Question tasks in the style of *Planning with MCTS* and of zero-shot Tree of Thoughts: the readers of long replies.

The prompts, and what stays different from the papers, are in ``questions.toml``.
"""

from dataclasses import replace

from ..parse import LONG_REPLY, Judgement, Read
from ..state import Thought
from .plan_vote import read_long_plan, read_plan, second_part
from .scores import score
from .style import style_of

PARTS = ("Strategy", "Answer")


def read_free_plan(text: str) -> Read[Thought]:
    """A plan as a model writes it, whole."""
    return read_plan(text, most=LONG_REPLY)


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
    strategy = read_long_plan(text, PARTS).value
    return read_plan(strategy.text if strategy else "", "strategy", LONG_REPLY)


def last_score(text: str) -> Read[Judgement]:
    """The score at the end of a discussion."""
    return score(text, last=True)


PAPER = style_of(
    "questions",
    "paper",
    {"attempt": whole, "strategy": read_strategy, "solution": second, "plan": read_free_plan, "score": last_score},
)
