"""What a task provides: problems, prompts, readers, and a verifier.

``Task`` is the least. A task that can be solved in further ways has the members of another protocol, and
``isinstance(task, Searchable)`` asks for them. A class may inherit these, as those of the package do, but need not: its
members alone decide. Each protocol also says which single members a task may have or not. Only ``verify`` (and
``note``, after a run) may look at a problem's ``gold``; searches get the input ``x`` alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any, Protocol, runtime_checkable

from ..lm.base import LM, Request
from ..moved import absent
from ..parse import Judgement, Read
from ..state import State, Thought


@dataclass(frozen=True)
class Problem:
    """One problem: ``x`` is all that a method sees; ``gold`` is for the verifier only. An ``id`` that is a number, such
    as a row's, becomes its text. Raises ValueError for an ``x`` that is no text.
    """

    id: str
    x: str
    gold: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", str(self.id))
        if not isinstance(self.x, str):
            raise ValueError(f"what a method sees of a problem is a text, not {self.x!r:.200}: write str(...)")


@dataclass(frozen=True)
class Score:
    """A verifier's verdict: ``correct``, one sentence ``why``, and further measures (0 to 1) in ``parts``.

    Numbers of other kinds (numpy's) become Python's, so that a results file can hold them. Raises ValueError for a part
    that is no finite number.
    """

    correct: bool
    why: str = ""
    parts: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "correct", bool(self.correct))
        try:
            plain = {str(name): float(part) for name, part in self.parts.items()}
        except (TypeError, ValueError):
            plain = {"": nan}
        if not all(map(isfinite, plain.values())):
            raise ValueError(f"the parts of a score must be numbers from 0 to 1, not {self.parts!r:.200}")
        object.__setattr__(self, "parts", plain)


UNCHECKED = "there is no known answer to compare with"  # why a problem that a user typed cannot be verified
MAX_PROBLEM = 4000  # characters of a problem that a user types
ROOM = 2000  # tokens of a reply in the paper's style, twice the authors' limit: only a model that repeats itself is cut


@runtime_checkable
class Task(Protocol):
    """The least that any task provides; IO and CoT need no more. ``summary`` is one line for ``tot tasks``.

    A task may also have

    - ``usual``: the name of the method that ``tot solve`` takes where none is named;
    - ``note(problem)``: one sentence when a run is over and the truth may be told, such as the solution; "" for none;
    - ``few_shot(state)``: the direct prompt after some solved examples; replies to it are read by ``read_io``;
    - ``in_paper_style()``: the same task, of the same name, with prompts and readers in its paper's style. Our own
      prompts are short, because the recorded model is small. That style has the paper's design in our words: its number
      of examples, what it shows and asks, and replies as long as the model likes.
    """

    name: str
    summary: str

    def splits(self) -> dict[str, str]:
        """The splits of the problems: name -> what it holds. The first one must not need files from elsewhere."""

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split, in a fixed order. Raises ValueError naming the splits that exist."""

    def problem(self, text: str) -> Problem:
        """The problem that a user typed. Raises ValueError saying what is wrong and what to write."""

    def verify(self, problem: Problem, answer: str | None) -> Score:
        """Judge an answer (None: no answer was given). Never raises on any text."""

    def same(self, answer: str) -> str:
        """The normal form of an answer: in self-consistency, answers with equal forms vote for the same."""

    def io(self, state: State) -> Request:
        """The direct prompt: x in, answer out."""

    def cot(self, state: State) -> Request:
        """The chain-of-thought prompt."""

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        """The answer in a reply to ``io``: one final thought, or one failed read."""

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        """The answer in a reply to ``cot``: one final thought, or one failed read."""


# ---------------------------------------------------------------- what else a task may be able to do


@runtime_checkable
class FreeCheck(Task, Protocol):
    """A task whose finished answers a program can check with the problem alone, as anybody may: no gold is needed.

    ``verify`` may look at a problem's ``gold``; ``check`` cannot, so a method may use it and is still a method.
    """

    def check(self, x: str, answer: str | None) -> Score:
        """Judge an answer (None: no answer was given) to the problem ``x``. Never raises on any text."""


@runtime_checkable
class Refinable(Task, Protocol):
    """A task whose answers can be rewritten in view of all earlier attempts.

    With a member ``done``, the words by which a model says that an answer is good as it is: the thought that is then
    read is final.
    """

    def refine(self, state: State) -> Request:
        """The prompt for a better answer. The thoughts of ``state`` are the attempts so far."""

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """The new attempt: a thought with an answer, which is not final, or a failed read."""


@runtime_checkable
class Votable(Task, Protocol):
    """A task whose thoughts are sampled and compared by a vote, step by step: a plan, then the answer."""

    steps: int  # votes from the root to an answer

    def step(self, state: State) -> Request:
        """The prompt for the next thought: a plan at the root, and below a plan the answer that follows it."""

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        """The thought in a reply to ``step``."""

    def ballot(self, states: Sequence[State]) -> Request:
        """The vote prompt: the newest thoughts of ``states`` as choices, numbered from 1 in their order."""

    def read_ballot(self, text: str, options: int) -> Read[int]:
        """The choice that a reply to ``ballot`` votes for, counted from 0, out of ``options``."""


@runtime_checkable
class Plannable(Task, Protocol):
    """A task for which a plan is made, judged, revised and then carried out. A state's newest thought is its plan."""

    def plan(self, state: State, feedback: str) -> Request:
        """The prompt for a plan; below a plan, for a better one, in view of the judges' ``feedback`` on it."""

    def read_plan(self, state: State, text: str) -> list[Read[Thought]]:
        """The plan in a reply to ``plan``."""

    def assess(self, state: State, judge: str) -> Request:
        """The question about the plan for the ``judge`` of "logic" or of "feasibility"."""

    def read_assessment(self, text: str) -> Read[Judgement]:
        """The judge's score, from 0 to 1, and its reason."""

    def execute(self, state: State) -> Request:
        """The prompt for carrying out the plan; without a plan, for thinking step by step."""

    def read_executed(self, state: State, text: str) -> list[Read[Thought]]:
        """The answer in a reply to ``execute``."""


@runtime_checkable
class ToolUsing(Task, Protocol):
    """A task that is solved in steps of thought, action and observation (ReAct). A thought's ``data`` is its action.

    It also has ``corpus(x, name)``: where its tools look for the problem ``x``, as a ``tot.tools.Call`` names it, with
    ``name`` a user's wish, or ""; or else ``calls(costs, failures)``, which makes two functions of a state of these
    knobs: the request for what its newest thought calls, or None, and its cost. Both raise ValueError for what is none.
    """

    tools: LM  # what answers the role "tool"

    def act(self, state: State, memory: Sequence[str]) -> Request:
        """The prompt for the next thought and action. ``memory``: lessons from other branches, one line each."""

    def read_act(self, state: State, text: str) -> list[Read[Thought]]:
        """The thought in a reply to ``act``, with its action as ``data``."""

    def conclude(self, state: State) -> Request:
        """The prompt for the answer alone, in view of what the path has shown, but not of an answer that a step gave.

        Replies to it are read by ``read_io``.
        """

    def prospect(self, state: State) -> Request:
        """The question for the evaluator: how likely are these steps to lead to the right answer?"""

    def read_prospect(self, text: str) -> Read[Judgement]:
        """The evaluator's score, from 0 to 1."""

    def reflect(self, state: State) -> Request:
        """The question what went wrong on this path, for methods that try again in view of the lesson."""

    def read_lesson(self, text: str) -> Read[str]:
        """The lesson in a reply to ``reflect``."""


@runtime_checkable
class Searchable(Task, Protocol):
    """A task that a tree search can solve step by step: prompts and readers for the generator G and the evaluator V.

    It may also have

    - ``verdicts``: the words of which one ends a reply to ``value``, and what each is worth, so that the probabilities
      of the words can be read, too;
    - ``unchecked()``: the same task without a program that refuses illegal thoughts and values what it knows: every
      thought that can be parsed is believed, and the model values all;
    - ``read_overwrites(state, text)``, like ``read_proposals``, but a proposal may contradict the thoughts so far: it
      overwrites them, in a greedy search without backtracking. And ``fits(state, thought)``: whether nothing stands
      overwritten after ``thought``.
    """

    worst: float  # the lowest verdict of ``read_value``: impossible

    @property
    def steps(self) -> int:
        """Thoughts from the root to an answer."""

    @property
    def styles(self) -> tuple[str, ...]:
        """Variants of the propose prompt, the default first."""

    def propose(self, state: State, style: str) -> Request:
        """The prompt for possible next thoughts, several in one reply."""

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        """The thoughts in a reply to ``propose``, each legal in ``state``, or why a line cannot be read."""

    def compose(self, state: State) -> list[Thought] | None:
        """The next thoughts where a program can write them down; None: ask."""

    def value(self, state: State) -> Request | Sequence[Request]:
        """One question about the state; or one about each part of it, and then the weakest part decides."""

    def read_value(self, text: str) -> Read[float]:
        """The verdict in a reply to ``value``, at least ``worst``: the larger, the better."""

    def judge(self, state: State) -> float | None:
        """The verdict where a program can tell; None: ask."""


TYPE_CHECKING = False
if not TYPE_CHECKING:  # for a type checker a wrong name stays an error
    __getattr__ = absent(__name__)
