"""The Game of 24 in our own style and in the paper's: the readers of replies. The prompts are in ``game24.toml``.

The design is that of the paper's prompts: five examples for IO and CoT, one example with four numbers for every propose
step (three examples as a variant for weak models, appendix B.2), and a value prompt whose last word is sure, likely or
impossible. In the propose prompts one-shot (the paper's) and three-shot the model writes down the numbers left; lean
(ours) has three examples without them: the program keeps count, for half the tokens.
"""

import re

from ..parse import LONG_REPLY, MAX_REPLY, Read, bad, last_word
from ..state import Thought
from .game24_believed import read_believed
from .game24_rules import Numbers, read_step
from .style import style_of

# the numbers are those of the authors' code; the paper gives none
VERDICTS = {"sure": 20.0, "likely": 1.0, "maybe": 1.0, "impossible": 0.001}


# ---------------------------------------------------------------- readers of short replies


def read_line(line: str, there: str, numbers: Numbers) -> Read[Thought]:
    """One line of a proposal as a step that is checked exactly against the ``numbers`` left; ``there`` is not used."""
    step = read_step(line, numbers)
    return Read(Thought(str(step.value), step.value), text=line) if step.value else bad(step.why, line)


def lines_of(text: str) -> list[str]:
    """The lines of a reply that may be steps: not empty ones, nor headings."""
    return [line for line in text[:MAX_REPLY].splitlines() if line.strip() and not line.rstrip().endswith(":")]


def read_verdict(text: str) -> Read[float]:
    """What the last verdict in a reply is worth."""
    word = last_word(text, VERDICTS)
    return Read(VERDICTS[word.value], text=word.text) if word.value else bad(word.why, text)


# ---------------------------------------------------------------- readers of long replies

_EQUATION = re.compile(r"\d[^\d\n]{0,40}(?:[=≈＝]|\\approx|\(left)")
_NO_VERDICT = re.compile(r"\b(?:not|n't|isn't|cannot be|can't be|never) (?:\w+ )?(?:sure|likely|impossible)\b", re.I)


def read_stated(line: str, there: str, numbers: Numbers) -> Read[Thought]:
    """A step in any of the forms that ``read_believed`` knows, then checked."""
    stated = read_believed(line, there)
    return read_line(stated.value.text, there, numbers) if stated.value else bad(stated.why, line)


def lines_with_equations(text: str) -> list[str]:
    """The lines of a reply that have an equation; the rest is conversation.

    A small model may go on with an example of its own, for other numbers: that is left out.
    """
    parts = re.split(r"(?m)^\W{0,9}Numbers:", text)
    return next(filter(None, ([line for line in part.splitlines() if _EQUATION.search(line)] for part in parts)), [])


def read_last_verdict(text: str) -> Read[float]:
    """The last verdict; what is "not sure" or "not impossible" is none."""
    return read_verdict(_NO_VERDICT.sub("", text[-MAX_REPLY:]))


OWN = style_of("game24", "own", {"line": read_line, "lines": lines_of, "value": read_verdict}, {"end": 0})
PAPER = style_of(
    "game24",
    "paper",
    {"line": read_stated, "lines": lines_with_equations, "value": read_last_verdict},
    {"reply": LONG_REPLY, "end": MAX_REPLY},
)
