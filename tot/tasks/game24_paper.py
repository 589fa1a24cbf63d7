"""The Game of 24 with prompts of the paper's design (section 4.1, figure 2, appendix B.2), for strong models.

Our own words, and the paper's design: five examples for IO and CoT, one with four numbers for proposals, which are not
capped, eight for values, with as much lookahead as the model likes, and six for the judge of an answer. (The counts of
the last two are those of the authors' code, which puts all examples into one message; ours are turns of a
conversation.) Replies may be long, and an answer, a verdict or a step is found among whatever else is said.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..lm.base import Message, Request
from ..parse import LONG_REPLY, MAX_REPLY, Read, bad
from ..state import State, Thought
from .base import ROOM
from .game24 import EXAMPLES, PROPOSALS, RULES, Game24, chat, left, shown_left, steps_of
from .game24_believed import read_believed
from .game24_unchecked import Unchecked

LOOKAHEAD: tuple[tuple[str, str], ...] = (
    ("9 15", "9 + 15 = 24\nThat is it.\nsure"),
    ("7 13", "7 + 13 = 20\n13 - 7 = 6\n7 * 13 = 91\n13 / 7 is below 2\nAll four ways miss.\nimpossible"),
    ("3 5 9", "(9 - 5) * 3 = 4 * 3 = 12\n3 * 5 + 9 = 15 + 9 = 24\nThe second try works.\nsure"),
    ("2 5 14", "2 + 5 + 14 = 21\n2 * 5 + 14 = 10 + 14 = 24\nsure"),
    (
        "12 12 13",
        "12 + 12 + 13 = 37\n(13 - 12) * 12 = 12\n12 + 12 = 24, but 13 is left over\n"
        "Products of such numbers are far too big, and their differences are too small.\nimpossible",
    ),
    ("1 2 6", "(1 + 2) * 6 = 3 * 6 = 18\nThat is the most that they can make: they are too small.\nimpossible"),
    (
        "6 7 9",
        "6 + 7 + 9 = 22\n(9 - 6) * 7 = 3 * 7 = 21\n6 * 7 - 9 = 42 - 9 = 33\n"
        "I have not found a way yet, but the numbers are of a good size.\nlikely",
    ),
    (
        "7 9 10",
        "7 + 9 + 10 = 26\n(10 - 7) * 9 = 3 * 9 = 27\n(10 - 9) * 7 = 7\n"
        "No way so far, though some tries come close.\nlikely",
    ),
)

JUDGED: tuple[tuple[str, str, str], ...] = (
    ("2 3 7 12", "12 * (7 - 3 - 2)", "12 * 2 = 24, and each number is used once.\nsure"),
    ("2 6 10 12", "12 * 2 * (10 - 6)", "24 * 4 = 96, which is not 24.\nimpossible"),
    ("3 3 6 9", "6 * 3 + 9 - 3", "18 + 9 - 3 = 24, and each number is used once.\nsure"),
    ("1 7 8 10", "8 * (10 - 7)", "8 * 3 = 24, but the 1 is not used.\nimpossible"),
    ("5 5 9 11", "(11 - 5) * (9 - 5)", "6 * 4 = 24, and each number is used once.\nsure"),
    ("1 3 8 12", "(12 - 3) * 3 - 3", "27 - 3 = 24, but the 3 is there once and used three times.\nimpossible"),
)

_EQUATION = re.compile(r"\d[^\d\n]{0,40}(?:[=≈＝]|\\approx|\(left)")
_NO_VERDICT = re.compile(r"\b(?:not|n't|isn't|cannot be|can't be|never) (?:\w+ )?(?:sure|likely|impossible)\b", re.I)


class PaperGame24(Game24):
    """The same task, asked as in the paper. ``unchecked`` gives what the paper ran: no program's help."""

    styles: tuple[str, ...] = ("one-shot",)

    def unchecked(self) -> PaperUnchecked:
        return PaperUnchecked()

    def in_paper_style(self) -> PaperGame24:
        return self

    # ---------------------------------------------------------------- IO, CoT, refine

    def io(self, state: State) -> Request:
        shown = [(f"Numbers: {x}", f"Answer: {answer} = 24") for x, _, answer in EXAMPLES]
        return chat(RULES, shown, f"Numbers: {state.x}", max_tokens=ROOM)

    def cot(self, state: State) -> Request:
        shown = [
            (f"Numbers: {x}", "\n".join(["Steps:", *steps, f"Answer: {answer} = 24"])) for x, steps, answer in EXAMPLES
        ]
        system = f"{RULES} Write each step on a line of its own, then the answer as one expression."
        return chat(system, shown, f"Numbers: {state.x}", max_tokens=ROOM)

    def refine(self, state: State) -> Request:
        return replace(super().refine(state), max_tokens=ROOM)

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return super().read_io(state, text[-MAX_REPLY:])

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        return super().read_cot(state, text[-MAX_REPLY:])

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        return super().read_refined(state, text[-MAX_REPLY:])

    # ---------------------------------------------------------------- tree search

    def propose(self, state: State, style: str) -> Request:
        """Next steps, as many as the model finds; with one number left, the CoT prompt continued with the steps."""
        if len(left(state)) == 1:
            *shown, asked = self.cot(state).messages
            steps = "\n".join(["Steps:", *map(str, steps_of(state))])
            return Request((*shown, Message("user", f"{asked.content}\n{steps}")), max_tokens=ROOM)
        x, listed = PROPOSALS[0]
        system = (
            "Combine two of the numbers with + - * or / into a new one, and say which numbers are left then. List the"
            " possible next steps, one on each line."
        )
        shown_steps = [(f"Numbers: {x}", "\n".join(listed))]
        return chat(system, shown_steps, f"Numbers: {shown_left(state)}", max_tokens=ROOM)

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        return super().read_proposals(state, text[-MAX_REPLY:] if len(left(state)) == 1 else text[:LONG_REPLY])

    def lines(self, text: str) -> list[str]:
        """The lines of a reply that have an equation; the rest is conversation.

        A small model may go on with an example of its own, for other numbers: that is left out.
        """
        parts = re.split(r"(?m)^\W{0,9}Numbers:", text)
        return next(
            filter(None, ([line for line in part.splitlines() if _EQUATION.search(line)] for part in parts)), []
        )

    def read_line(self, state: State, line: str) -> Read[Thought]:
        """A step in any of the forms that ``read_believed`` knows, then checked."""
        stated = read_believed(line, shown_left(state))
        return super().read_line(state, stated.value.text) if stated.value else bad(stated.why, line)

    def value(self, state: State) -> Request:
        """Whether the numbers left can make 24, after a few tries; of an answer, whether it does (the last judge)."""
        if state.terminal:
            shown = [(f"Numbers: {x}\nAnswer: {answer}", said) for x, answer, said in JUDGED]
            system = f"{RULES} Judge whether the answer does: say why, then sure or impossible on a line of its own."
            return chat(system, shown, f"Numbers: {state.x}\nAnswer: {state.answer}", max_tokens=ROOM)
        system = (
            "Can the numbers make 24 with + - * / and brackets, each used once? Try some ways, or say why they are too"
            " big or too small. End with a line that has one word: sure, likely or impossible."
        )
        return chat(system, LOOKAHEAD, shown_left(state), max_tokens=ROOM)

    def read_value(self, text: str) -> Read[float]:
        """The last verdict; what is "not sure" or "not impossible" is none."""
        return super().read_value(_NO_VERDICT.sub("", text[-MAX_REPLY:]))


class PaperUnchecked(Unchecked, PaperGame24):
    """The paper's algorithm: its prompts, with every step believed and every state judged by the model."""

    def unchecked(self) -> PaperUnchecked:
        return self

    def in_paper_style(self) -> PaperUnchecked:
        return self

    def read_line(self, state: State, line: str) -> Read[Thought]:
        return Unchecked.read_line(self, state, line)
