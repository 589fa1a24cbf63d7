"""Zero-shot Tree of Thoughts in the paper's style (appendix B.1), in our words: questions for strong models.

One prompt asks for a strategy and then the answer. ToT samples 5 strategies from it, votes, samples 5 answers below the
best strategy, votes. Replies and ballots are as long as the model likes; a ballot analyses each choice first, and the
second one shows the strategy, too.

Still different from the paper: equal strategies or answers are one choice, with all their votes; a ballot for a choice
that does not exist is counted as unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..lm.base import Request, user
from ..parse import LONG_REPLY, Read
from ..state import State, Thought
from .base import ROOM
from .plan_vote import read_long_plan, second_part, stop_at, two_part_prompt, vote_at_length
from .zero_shot import ZeroShot

PARTS = ("Strategy", "Answer")
TEMPERATURE = 0.7  # section 4


class PaperZeroShot(ZeroShot):
    """Questions as in appendix B.1: a strategy and an answer from one prompt, ballots that analyse each choice, and
    room for long replies. An answer in which the reader finds none stays a choice.
    """

    # ---------------------------------------------------------------- IO, CoT

    def io(self, state: State) -> Request:
        return user(f"Answer the question with {self.form.ask}.\n\nQuestion: {state.x}", max_tokens=ROOM)

    def cot(self, state: State) -> Request:
        return self._both(State(state.x))

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [self._long(text, text, bare=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        return [self._long(text, text, bare=False)]

    # ---------------------------------------------------------------- plan, vote, solve, vote

    def step(self, state: State) -> Request:
        """The prompt of CoT, up to the answer; below a strategy, for the answer."""
        both = self._both(state)
        return both if state.last else replace(both, stop=stop_at(PARTS[1]))

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        if state.last is None:
            return [read_long_plan(text, PARTS)]
        return [self._long(text, second_part(text, PARTS), bare=False)]

    def ballot(self, states: Sequence[State]) -> Request:
        """All choices with all that was written so far; what the paper asks of the answers is part of the question."""
        return vote_at_length(self._asked(states[0]), states, PARTS, TEMPERATURE)

    def _asked(self, state: State) -> str:
        return f"Answer the question.\n\nQuestion: {state.x}"

    def _both(self, state: State) -> Request:
        what = (
            "how you are going to answer the question",
            f"your answer, worked out; it ends with the line {self.form.ask}",
        )
        return two_part_prompt(self._asked(state), PARTS, what, state, TEMPERATURE)

    def _long(self, text: str, said: str, *, bare: bool) -> Read[Thought]:
        """A final thought of all that was ``said``. Without an answer it is an attempt, too."""
        answer = self.form.read(text, bare)
        return Read(Thought(said[:LONG_REPLY].strip(), None, answer.value, final=True), answer.why, answer.text)
