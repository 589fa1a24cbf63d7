"""The Game of 24 with prompts of the paper's design (section 4.1, figure 2, appendix B.2), for strong models.

Our own words, and the paper's design: five examples for IO and CoT, one with four numbers for proposals, which are not
capped, eight for values, with as much lookahead as the model likes, and six for the judge of an answer. (The counts of
the last two are those of the authors' code, which puts all examples into one message; ours are turns of a
conversation.) Replies may be long, and an answer, a verdict or a step is found among whatever else is said."""

import re
from dataclasses import replace

from ..parse import LONG_REPLY, MAX_REPLY, Read, bad
from ..state import Thought
from .bundled import examples_of
from .game24_believed import read_believed
from .game24_rules import Numbers
from .game24_style import LISTED, RULES, SOLVED, read_line, read_verdict
from .style import Prompt, Style

LOOKAHEAD = examples_of("game24_lookahead.txt")
JUDGED = (
    ("2 3 7 12", "12 * (7 - 3 - 2)", "12 * 2 = 24, and each number is used once.\nsure"),
    ("2 6 10 12", "12 * 2 * (10 - 6)", "24 * 4 = 96, which is not 24.\nimpossible"),
    ("3 3 6 9", "6 * 3 + 9 - 3", "18 + 9 - 3 = 24, and each number is used once.\nsure"),
    ("1 7 8 10", "8 * (10 - 7)", "8 * 3 = 24, but the 1 is not used.\nimpossible"),
    ("5 5 9 11", "(11 - 5) * (9 - 5)", "6 * 4 = 24, and each number is used once.\nsure"),
    ("1 3 8 12", "(12 - 3) * 3 - 3", "27 - 3 = 24, but the 3 is there once and used three times.\nimpossible"),
)

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


_COT = Prompt(
    "Numbers: {x}",
    f"{RULES} Write each step on a line of its own, then the answer as one expression.",
    tuple((x, f"Steps:\n{steps}\n{answer} = 24") for x, steps, answer in SOLVED),
)

PAPER = Style(
    name="paper",
    about=str(__doc__),
    prompts={
        "io": Prompt("Numbers: {x}", RULES, tuple((x, f"{answer} = 24") for x, _, answer in SOLVED)),
        "cot": _COT,
        "one-shot": Prompt(
            "Numbers: {left}",
            "Combine two of the numbers with + - * or / into a new one, and say which numbers are left then. List the"
            " possible next steps, one on each line.",
            LISTED[:1],
        ),
        "answer": replace(_COT, asked="Numbers: {x}\nSteps:\n{steps}"),  # the CoT prompt continued
        "value": Prompt(
            "{left}",
            "Can the numbers make 24 with + - * / and brackets, each used once? Try some ways, or say why they are too"
            " big or too small. End with a line that has one word: sure, likely or impossible.",
            LOOKAHEAD,
        ),
        "judge": Prompt(
            "Numbers: {x}\nAnswer: {answer}",
            f"{RULES} Judge whether the answer does: say why, then sure or impossible on a line of its own.",
            tuple((f"Numbers: {x}\nAnswer: {answer}", said) for x, answer, said in JUDGED),
        ),
    },
    readers={"line": read_stated, "lines": lines_with_equations, "value": read_last_verdict},
    limits={"reply": LONG_REPLY, "end": MAX_REPLY},
    variants=("one-shot",),
)
