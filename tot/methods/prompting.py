"""Recipes without a tree: direct answers, chains of thought, and answers that are rewritten."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from ..ask import Evaluate, Search
from ..evaluate import agreement, constant
from ..generate import Prompt, ReadThoughts, generator
from ..search.breadth_first import bfs
from ..state import Node, State
from ..tasks.base import Refinable, Task
from .answers import first_checked, first_correct
from .base import Method, Recipe, knob


@dataclass(kw_only=True, eq=False, repr=False)
class Samples(Recipe):
    """``k`` independent samples of one prompt, as a tree of depth one. Equal samples are not merged: each is a vote."""

    k: int = knob(1, "How many independent answers are sampled.", least=1)

    def sample(self, x: str, prompt: Prompt, read: ReadThoughts, evaluate: Evaluate = constant) -> Search:
        """A search of depth one over ``k`` samples of the prompt."""
        generate = generator(prompt, read, k=self.k, first=self.first, distinct=False)
        return bfs(Node(State(x)), generate, evaluate, depth=1, breadth=self.k)


class DirectPrompt(Samples):
    """IO prompting: ``k`` independent answers to the direct prompt, in order."""

    def search(self, task: Task, x: str) -> Search:
        return self.sample(x, task.io, task.read_io)


class FewShotPrompt(Samples):
    """IO prompting with examples (Brown et al. 2020)."""

    def search(self, task: Any, x: str) -> Search:
        return self.sample(x, task.few_shot, task.read_io)


class ChainOfThought(Samples):
    """Independent chains of thought (Wei et al. 2022)."""

    def search(self, task: Task, x: str) -> Search:
        return self.sample(x, task.cot, task.read_cot)


@dataclass(kw_only=True, eq=False, repr=False)
class SelfConsistency(Samples):
    """Self-consistency (Wang et al. 2022): chains of thought; the most frequent answer wins."""

    k: int = knob(10, "How many independent chains of thought are sampled; the most frequent answer wins.", least=1)

    def search(self, task: Task, x: str) -> Search:
        return self.sample(x, task.cot, task.read_cot, agreement(task.same))


@dataclass(kw_only=True, eq=False, repr=False)
class Refine(Recipe):
    """IO + Refine: one attempt, rewritten repeatedly; each prompt shows all earlier attempts. A chain, not a tree."""

    k: int = knob(10, "How many times the first answer may be rewritten.", least=0)

    def search(self, task: Refinable, x: str) -> Search:
        rewrite = generator(task.refine, task.read_refined, first=self.first)
        return bfs(Node(State(x)), rewrite, constant, depth=self.k + 1, breadth=1)


@dataclass(kw_only=True, eq=False, repr=False)
class SelfRefine(Refine):
    """IO + Refine without gold (section 4.2): rewritten until the model is satisfied."""

    k: int = knob(5, "How many times the first answer may be rewritten.", least=0)


_CHECKED = partial(Method, choose=first_checked, check="chooses", independent=True)
_GOLD = partial(Method, choose=first_correct, gold=True, independent=True)

HERE = (
    Method("io", "k answers to the direct prompt", DirectPrompt, independent=True),
    Method("cot", "k chains of thought", ChainOfThought, independent=True),
    Method("cot-sc", "k chains of thought, the most frequent answer wins", SelfConsistency, independent=True),
    Method(
        "few-shot", "k direct answers to a prompt with examples", FewShotPrompt, members=("few_shot",), independent=True
    ),
    _CHECKED("io-best-of-k", "k direct answers, the task's free check picks", DirectPrompt),
    _CHECKED("cot-best-of-k", "k chains, the task's free check picks", ChainOfThought),
    _GOLD("io-best-of-k-gold", "k direct answers, gold picks: an upper bound", DirectPrompt),
    _GOLD("cot-best-of-k-gold", "k chains, gold picks: an upper bound", ChainOfThought),
    Method(
        "io-refine-checked",
        "rewrite until the task's free check is content, at most k times",
        Refine,
        Refinable,
        check="stops",
    ),
    Method(
        "io-refine", "rewrite until the model is satisfied, at most k times", SelfRefine, Refinable, members=("done",)
    ),
)
