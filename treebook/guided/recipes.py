"""Recipes of the searches that the model's own probabilities guide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tot.ask import Generate, Search
from tot.generate import Prompt
from tot.methods import Method, Recipe, knob
from tot.search.breadth_first import bfs
from tot.state import Node, State
from tot.tasks.base import Searchable, Task

from .levin import levin
from .likely import likelihood, policy_generator


@dataclass(kw_only=True, eq=False, repr=False)
class Guided(Recipe):
    """Shared by both: thoughts with their probabilities. The model has to tell these, so not every model will do.

    A program refuses illegal thoughts and writes the answer, where a task has one that can. There is no paper's style:
    its replies are of any form, and here a thought is the first line of one.
    """

    k: int = knob(
        8, "How many times the first line of a reply is sampled for each state; equal thoughts are one.", least=1
    )

    @classmethod
    def styles(cls, task: Task) -> tuple[str, ...]:
        return task.styles if isinstance(task, Searchable) else ()

    def idle(self) -> set[str]:
        return {"evaluator"}

    def parts(self, task: Any) -> tuple[Prompt, Generate]:
        """The question for next thoughts, and the generator that asks it."""
        ask = partial(task.propose, style=self.style or task.styles[0])
        return ask, policy_generator(ask, task.read_proposals, k=self.k, first=self.first, local=task.compose)


@dataclass(kw_only=True, eq=False, repr=False)
class LevinTreeSearch(Guided):
    """Levin tree search (Orseau et al. 2018) over thoughts: the task's free check says which answer is the goal.

    States about which the model would be asked the same are one (``cuts``): in the Game of 24, those with the same
    numbers left.
    """

    expansions: int = knob(100, "How many states may be expanded in total.", least=0)
    cuts: bool = knob(
        True, "Whether a state is left out if the same question was expanded before, on a way at least as likely."
    )

    def search(self, task: Searchable, x: str) -> Search:
        ask, generate = self.parts(task)
        same = ask if self.cuts else None
        return levin(Node(State(x)), generate, depth=task.steps, expansions=self.expansions, same=same)


@dataclass(kw_only=True, eq=False, repr=False)
class LikelyBeam(Guided):
    """Beam search by the model's own log-probabilities: ``tot-bfs`` with the likelihood of a way as its value."""

    former: ClassVar = {"per_thought": False}
    breadth: int = knob(5, "How many states, the likeliest ones, are kept at each step.", least=1)

    def search(self, task: Searchable, x: str) -> Search:
        _, generate = self.parts(task)
        return bfs(Node(State(x)), generate, likelihood, depth=task.steps, breadth=self.breadth)


BEAM = Method("likely-beam", "beam search by the model's own log-probabilities", LikelyBeam, Searchable)
LEVIN = Method(
    "levin",
    "Levin tree search: by depth and the model's own probabilities, until the task's free check is content",
    LevinTreeSearch,
    Searchable,
    check=True,
)
