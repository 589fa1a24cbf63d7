"""The Game of 24 in our own style and in the paper's: the readers of replies. The prompts are in ``game24.toml``.

The design is that of the paper's prompts: five examples for IO and CoT, one example with four numbers for every propose
step (three examples as a variant for weak models, appendix B.2), and a value prompt whose last word is sure, likely or
impossible. In the propose prompts one-shot (the paper's) and three-shot the model writes down the numbers left; lean
(ours) has three examples without them: the program keeps count, for half the tokens.
"""

import re

from ..parse import MAX_REPLY, Read, bad
from .game24_replies import lines_of, lines_with_equations
from .style import style_of
from .verdicts import verdict

# the numbers are those of the authors' code; the paper gives none
VERDICTS = {"sure": 20.0, "likely": 1.0, "maybe": 1.0, "impossible": 0.001}


# ---------------------------------------------------------------- readers of replies


def read_verdict(text: str) -> Read[float]:
    """What the verdict of a reply is worth. A model may run on with numbers of its own: the first verdict counts."""
    reads = [verdict(part, VERDICTS) for part in _NUMBERS.split(text[-MAX_REPLY:]) if part.strip()]
    return next((read for read in reads if read.ok), next(iter(reads), bad("no verdict in the reply", text)))


# a line that is only numbers, or a paragraph that begins with some: "10 14: ..."
_NUMBERS = re.compile(r"(?m)(?:^[ \t]*\d{1,3}(?:[ \t]\d{1,3}){1,3}[ \t]*$|(?<=\n\n)\d{1,3}(?:[ ]\d{1,3}){1,3}:)")


OWN = style_of("game24", "own", {"lines": lines_of, "value": read_verdict}, {"end": 0})
PAPER = style_of("game24", "paper", {"lines": lines_with_equations, "value": read_verdict}, {"end": MAX_REPLY})
