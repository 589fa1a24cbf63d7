"""What a task must provide: problems, prompts, readers, and a verifier.

Only ``verify`` sees a problem's ``gold``. Searches get the input ``x`` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ..lm.base import LM, Request
from ..parse import Judgement, Read
from ..state import State, Thought


@dataclass(frozen=True)
class Problem:
    """One problem: ``x`` is all that a method sees, ``gold`` is for the verifier only."""

    id: str
    x: str
    gold: Any = None


@dataclass(frozen=True)
class Score:
    """A verifier's verdict: ``correct``, one sentence ``why``, and further measures (0 to 1) in ``parts``."""

    correct: bool
    why: str = ""
    parts: dict[str, float] = field(default_factory=dict)


UNCHECKED = "there is no known answer to compare with"  # why a verifier cannot say; the problem was typed by a user


@runtime_checkable
class Task(Protocol):
    """The least that any task provides; IO and CoT need no more."""

    name: str
    summary: str

    def splits(self) -> dict[str, str]:
        """Name of each split of problems -> what it is."""
        ...

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split, in a fixed order. Raises ValueError naming the splits that exist."""
        ...

    def problem(self, text: str) -> Problem:
        """A problem that a user typed. Raises ValueError saying what is wrong and what to write."""
        ...

    def verify(self, problem: Problem, answer: str | None) -> Score:
        """Judge an answer (None: no answer was given). Never raises on any text."""
        ...

    def same(self, answer: str) -> str:
        """Normal form of an answer: equal forms count as one vote in self-consistency."""
        ...

    def io(self, state: State) -> Request:
        """The direct prompt: x in, answer out."""
        ...

    def cot(self, state: State) -> Request:
        """The chain-of-thought prompt."""
        ...

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        """The answer in a reply to ``io``: one final thought, or one failed read."""
        ...

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        """The answer in a reply to ``cot``."""
        ...


@runtime_checkable
class Refinable(Task, Protocol):
    """A task whose answers can be rewritten with all earlier attempts in view."""

    def refine(self, state: State) -> Request: ...

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]: ...


@runtime_checkable
class SelfRefining(Refinable, Protocol):
    """A refinable task whose model is asked whether the answer is good as it is: if so, the thought read is final."""

    done: str  # what the model says then


@runtime_checkable
class Votable(Task, Protocol):
    """A task whose thoughts are sampled one after the other and compared by a vote: a plan, then the answer."""

    steps: int

    def step(self, state: State) -> Request:
        """The prompt for the next thought: a plan at the root, and below a plan the answer that follows it."""
        ...

    def read_step(self, state: State, text: str) -> list[Read[Thought]]: ...

    def ballot(self, states: Sequence[State]) -> Request:
        """The vote prompt: the newest thoughts of ``states`` as numbered choices, in their order."""
        ...

    def read_ballot(self, text: str, options: int) -> Read[int]: ...


@runtime_checkable
class Rewritable(Votable, SelfRefining, Protocol):
    """A task whose output of a vote can be rewritten further."""


@runtime_checkable
class Plannable(Task, Protocol):
    """A task for which a plan is made, judged, revised, and then carried out. A state's newest thought is its plan."""

    def plan(self, state: State, feedback: str) -> Request:
        """The prompt for a plan; below a plan, for a better one, in view of the judges' ``feedback`` on it."""
        ...

    def read_plan(self, state: State, text: str) -> list[Read[Thought]]: ...

    def assess(self, state: State, judge: str) -> Request:
        """What the judge of "logic" or of "feasibility" is asked about the plan."""
        ...

    def read_assessment(self, text: str) -> Read[Judgement]: ...

    def execute(self, state: State) -> Request:
        """The prompt for carrying out the plan; where there is none, for thinking step by step."""
        ...

    def read_executed(self, state: State, text: str) -> list[Read[Thought]]: ...


@runtime_checkable
class FewShot(Task, Protocol):
    """A task with examples: the direct prompt with some of them. Replies are read by ``read_io``."""

    def few_shot(self, state: State) -> Request: ...


@runtime_checkable
class ToolUsing(Task, Protocol):
    """A task that is solved in steps of thought, action and observation (ReAct). A thought's ``data`` is its action."""

    tools: LM  # what answers the role "tool"

    def corpus(self, x: str, name: str) -> str:
        """Where the tools look for the problem ``x``: the name for a ``Call``. ``name`` is a user's wish, or "".

        Raises ValueError, naming those that exist, for one that does not, and for one that does not go with ``x``.
        """
        ...

    def act(self, state: State, memory: Sequence[str]) -> Request:
        """The prompt for the next thought and action. ``memory``: what other branches have learnt, a line each."""
        ...

    def read_act(self, state: State, text: str) -> list[Read[Thought]]: ...

    def prospect(self, state: State) -> Request:
        """What the evaluator is asked: how likely do these steps lead to the right answer?"""
        ...

    def read_prospect(self, text: str) -> Read[Judgement]: ...

    def reflect(self, state: State) -> Request:
        """What went wrong on this way? For methods that try again with the lesson in view."""
        ...

    def read_lesson(self, text: str) -> Read[str]: ...


@runtime_checkable
class Searchable(Task, Protocol):
    """A task that a tree search can solve step by step: prompts and readers for G and V."""

    steps: int
    styles: tuple[str, ...]  # variants of the propose prompt, the default first
    worst: float  # the lowest verdict of ``read_value``: impossible

    def propose(self, state: State, style: str) -> Request: ...

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]: ...

    def compose(self, state: State) -> list[Thought] | None: ...

    def value(self, state: State) -> Request | Sequence[Request]:
        """One question about the state, or one about each part of it: then the weakest part decides."""
        ...

    def read_value(self, text: str) -> Read[float]: ...

    def judge(self, state: State) -> float | None: ...


@runtime_checkable
class Overwritable(Searchable, Protocol):
    """A searchable task that can also be solved by changing what was filled in: greedily, with no way back."""

    def read_overwrites(self, state: State, text: str) -> list[Read[Thought]]:
        """``read_proposals``, where a proposal may contradict the thoughts so far and overwrites them."""
        ...
