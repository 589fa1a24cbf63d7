"""What a task provides: problems, prompts, readers, and a verifier.

``Task`` is the least. Whatever else a task can do, it does by having the members of one of the other protocols, and
``isinstance(task, Searchable)`` asks for it. A class may inherit them, as those of the package do, but need not: its
members alone decide. Only ``verify`` (and ``note``, after a run) may look at a problem's ``gold``; searches get the
input ``x`` alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ..lm.base import LM, Request
from ..parse import Judgement, Read
from ..state import State, Thought
from .forms import Form


@dataclass(frozen=True)
class Problem:
    """One problem: ``x`` is all that a method sees; ``gold`` is for the verifier only."""

    id: str
    x: str
    gold: Any = None


@dataclass(frozen=True)
class Score:
    """A verifier's verdict: ``correct``, one sentence ``why``, and further measures (0 to 1) in ``parts``."""

    correct: bool
    why: str = ""
    parts: dict[str, float] = field(default_factory=dict)


UNCHECKED = "there is no known answer to compare with"  # why a problem that a user typed cannot be verified
MAX_PROBLEM = 4000  # characters of a problem that a user types
ROOM = 2000  # tokens of a reply in the paper's style, twice the authors' limit: only a model that repeats itself is cut


@runtime_checkable
class Task(Protocol):
    """The least that any task provides; IO and CoT need no more. ``summary`` is one line for ``tot tasks``."""

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


# ---------------------------------------------------------------- what a task may say about itself


@runtime_checkable
class Recommending(Protocol):
    """A task that recommends a method: what ``tot solve`` takes where none is named."""

    usual: str  # a name in ``tot.METHODS``


@runtime_checkable
class Commenting(Protocol):
    """A task that comments on a problem when a run is over and the truth may be told."""

    def note(self, problem: Problem) -> str:
        """One sentence, such as the solution or the fact that decides the question; "" if there is none."""


# ---------------------------------------------------------------- what else a task may be able to do


@runtime_checkable
class PaperStyled(Task, Protocol):
    """A task that can also be asked in its paper's style, for strong models.

    Our own prompts are short, because the recorded model is small. The paper's style has the paper's design in our
    words: its number of examples, what it shows and asks, and replies as long as the model likes.
    """

    def in_paper_style(self) -> Task:
        """The same task, of the same name, with prompts and readers in the paper's style."""


@runtime_checkable
class FreeCheck(Task, Protocol):
    """A task whose finished answers a program can check with the problem alone, as anybody may: no gold is needed.

    ``verify`` may look at a problem's ``gold``; ``check`` cannot, so a method may use it and is still a method.
    """

    def check(self, x: str, answer: str | None) -> Score:
        """Judge an answer (None: no answer was given) to the problem ``x``. Never raises on any text."""


@runtime_checkable
class Refinable(Task, Protocol):
    """A task whose answers can be rewritten in view of all earlier attempts."""

    def refine(self, state: State) -> Request:
        """The prompt for a better answer. The thoughts of ``state`` are the attempts so far."""

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """The new attempt: a thought with an answer, which is not final, or a failed read."""


@runtime_checkable
class CheckRefinable(Refinable, FreeCheck, Protocol):
    """A refinable task with a free check, which ends the rewriting as soon as an answer passes."""


@runtime_checkable
class SelfRefining(Refinable, Protocol):
    """A refinable task whose model may say that the answer is good as it is: then the thought that is read is final."""

    done: str  # the words by which the model says so


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
class Rewritable(Votable, SelfRefining, Protocol):
    """A task in which the winner of the last vote can be rewritten further."""


@runtime_checkable
class Structured(Task, Protocol):
    """A task some of whose replies may be asked for as JSON objects."""

    def forms(self) -> Mapping[str, Form]:
        """Prompt -> its form; the prompts are of "propose", "value", "ballot" and "assess"."""


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
class FewShot(Task, Protocol):
    """A task that has a direct prompt with solved examples, too. Replies to it are read by ``read_io``."""

    def few_shot(self, state: State) -> Request:
        """The direct prompt after some solved examples."""


@runtime_checkable
class ToolUsing(Task, Protocol):
    """A task that is solved in steps of thought, action and observation (ReAct). A thought's ``data`` is its action."""

    tools: LM  # what answers the role "tool"

    def corpus(self, x: str, name: str) -> str:
        """Where the tools look for the problem ``x``, as a ``tot.tools.Call`` names it. ``name``: a user's wish, or "".

        Raises ValueError, naming the corpora that exist, for an unknown name or one that does not go with ``x``.
        """

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
    """A task that a tree search can solve step by step: prompts and readers for the generator G and the evaluator V."""

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


@runtime_checkable
class CheckSearchable(Searchable, FreeCheck, Protocol):
    """A searchable task with a free check, which ends the search as soon as an answer passes."""


@runtime_checkable
class Weighable(Searchable, Protocol):
    """A searchable task whose verdicts are words, so that their probabilities can be read, too."""

    verdicts: Mapping[str, float]  # the words of which one ends a reply to ``value``, and what each is worth


@runtime_checkable
class Overwritable(Searchable, Protocol):
    """A searchable task that can also be solved greedily, without backtracking, by overwriting earlier thoughts."""

    def read_overwrites(self, state: State, text: str) -> list[Read[Thought]]:
        """Like ``read_proposals``, but a proposal may contradict the thoughts so far: it overwrites them."""

    def fits(self, state: State, thought: Thought) -> bool:
        """Whether nothing stands overwritten after ``thought``."""


@runtime_checkable
class Checkable(Searchable, Protocol):
    """A searchable task in which a program helps the model: it refuses illegal thoughts, and values what it knows."""

    def unchecked(self) -> Searchable:
        """The same task without that help: every thought that can be parsed is believed, and the model values all."""
