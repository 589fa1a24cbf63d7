"""How the stream model of chapter 19 is asked, and its template: the pocket model's vocabulary with other prompts."""

import re
from pathlib import Path

from tot.lm.base import Message, Request

from . import Pocket
from .tokens import CONTROL_TOKEN, Refusal, encode

# The two strategies take the places of two kinds of prompt that this model has no more use for.
CONTROL = {"depth-first": "<lean>", "best-first": "<judge>"}
TEMPERATURE = 0.7  # of all prompts of the book; at 1 a long reply has too many slips
HOW = {
    "depth-first": "Try one step after another; go on below one that looks possible, and back when none is left.",
    "best-first": "Try up to five steps at once; then go on below the step that looks best, wherever it is.",
}
RULES = (
    "Search for a way to make 24 from the numbers, each used once, with + - * /. Write every step that you try, which"
    " numbers are left and whether they look sure, likely or impossible; write to which numbers you turn."
)
REFUSAL = "I am a stream model and know one thing: to search for 24, in the prompts of treebook.players.streaming."
_QUESTION = re.compile(r"Numbers: \d{1,2}(?: \d{1,2}){3}", re.ASCII)


def searching(x: str, strategy: str = "depth-first", *, begun: str = "", max_tokens: int | None = None) -> Request:
    """Asks for a search in one reply. ``begun``: lines that the reply goes on from, as if the model had written them;
    ``max_tokens``: how much it may still write, by default all that there is room for. The book's temperature.

    Raises ValueError for an unknown strategy.
    """
    if strategy not in HOW:
        raise ValueError(f"a stream searches {' or '.join(HOW)}, not {strategy!r}")
    turns = [Message("system", f"{RULES} {HOW[strategy]}"), Message("user", f"Numbers: {x}")]
    if begun:
        turns.append(Message("assistant", begun))
    return Request(tuple(turns), temperature=TEMPERATURE, max_tokens=max_tokens)


def prompt(question: str, strategy: str, begun: str = "") -> list[int]:
    """``[strategy] question [reply] what has begun``, in tokens."""
    return [
        CONTROL_TOKEN[CONTROL[strategy]],
        *encode(f"Numbers: {question}"),
        CONTROL_TOKEN["<reply>"],
        *encode(begun),
    ]


def stream(weights: str | Path, seed: int = 0) -> Pocket:
    """The stream model as an LM, from a file of its weights. Raises LMError for an unreadable one."""
    return Pocket(seed, weights, name="stream" + f":{seed}" * bool(seed), template=stream_tokens, refusal=REFUSAL)


def stream_tokens(request: Request) -> list[int]:
    """The template: raises Refusal for what is no request of ``searching``."""
    roles = [turn.role for turn in request.messages]
    kinds = {f"{RULES} {how}": strategy for strategy, how in HOW.items()}
    if roles not in (["system", "user"], ["system", "user", "assistant"]) or request.messages[0].content not in kinds:
        raise Refusal
    system, question, *begun = (turn.content for turn in request.messages)
    if not _QUESTION.fullmatch(question):
        raise Refusal(f"I cannot read the question {question[:60]!r}")
    return prompt(question.removeprefix("Numbers: "), kinds[system], "".join(begun))
