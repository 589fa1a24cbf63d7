"""The Game of 24 without a program's help, as in the paper: steps are believed, and the model judges all states."""

from __future__ import annotations

from ..parse import Read, bad
from ..state import State, Thought
from .game24 import Game24, left, numbers_of, shown_left, steps_of
from .game24_believed import legal_steps, read_believed
from .game24_rules import expression


class Unchecked(Game24):
    """The same prompts. What a line says is left is what the next prompt shows; rounded and illegal steps live on."""

    def unchecked(self) -> Unchecked:
        return self

    def in_paper_style(self) -> Unchecked:
        from .game24_paper import PaperUnchecked

        return PaperUnchecked()

    def read_line(self, state: State, line: str) -> Read[Thought]:
        step = read_believed(line, shown_left(state))
        return Read(Thought(step.value.text, step.value), text=line) if step.value else bad(step.why, line)

    def compose(self, state: State) -> list[Thought] | None:
        """The answer if the believed steps really make one; else the reason why not. Before one number is left, None.

        Whether it is 24 that they make is left to the judge.
        """
        if len(left(state)) != 1:
            return None
        numbers, steps = numbers_of(state.x), steps_of(state)
        legal, why = legal_steps(steps, numbers)
        if why:
            return [Thought(f"no answer: step {len(legal) + 1} breaks the rules ({why})", final=True)]
        answer = expression(numbers, legal)
        return [Thought(f"Answer: {answer}", steps[-1], answer, final=True)]

    def judge(self, state: State) -> float | None:
        """0 for a state at the last step without an answer, as in the authors' code: there is nothing to ask about.

        Everything else, one number left and every answer, is for the model to judge (None).
        """
        ended = state.terminal or len(state.thoughts) >= self.steps
        return 0.0 if ended and state.answer is None else None
