"""Recipes without a tree: direct answers, chains of thought, and answers that are rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from ..ask import Evaluate, Search
from ..evaluate import agreement, constant
from ..generate import generator
from ..search.breadth_first import bfs
from ..state import Node, State
from ..tasks.base import Problem, Refinable, Score, Task
from .base import Method, Recipe, knob
from .choosing import judged
from .votes import WEIGHTS, weighed_votes


@dataclass(kw_only=True, eq=False, repr=False)
class Samples(Recipe):
    """``k`` independent samples of one prompt, as a tree of depth one. Equal samples are not merged: each is a vote."""

    asked: ClassVar = "io"
    k: int = knob(1, "How many independent answers are sampled.", least=1)

    def search(self, task: Task, x: str) -> Search:
        return self.sample(task, x, self.asked)

    def sample(self, task: Any, x: str, prompt: str, evaluate: Evaluate = constant) -> Search:
        """A search of depth one over ``k`` samples of the task's prompt "io", "cot" or "few_shot"."""
        read = task.read_cot if prompt == "cot" else task.read_io
        generate = generator(getattr(task, prompt), read, k=self.k, first=self.first, distinct=False)
        return bfs(Node(State(x)), generate, evaluate, depth=1, breadth=self.k)


class DirectPrompt(Samples):
    """IO prompting: ``k`` independent answers to the direct prompt, in order."""


class FewShotPrompt(Samples):
    """IO prompting with examples (Brown et al. 2020)."""

    asked = "few_shot"


class ChainOfThought(Samples):
    """Independent chains of thought (Wei et al. 2022)."""

    asked = "cot"


@dataclass(kw_only=True, eq=False, repr=False)
class SelfConsistency(Samples):
    """Self-consistency (Wang et al. 2022): chains of thought; the most frequent answer wins.

    With ``stop`` it asks no further once the vote is decided (adaptive consistency, Aggarwal et al. 2023), and then
    ``k`` is the most that are sampled; with ``weights`` not every vote counts the same (see ``votes``).
    """

    k: int = knob(10, "How many independent chains of thought are sampled; the most frequent answer wins.", least=1)
    stop: float = knob(
        0.0,
        "Samples no further once the leading answer is the more frequent one of the first two with this probability"
        " (usual: 0.95); 0: never.",
        least=0,
        most=1,
    )
    weights: str = knob(
        "equal",
        "What votes weigh: equal, all the same; model, how likely the model was to write the chain, as the mean over"
        " its tokens; judge, the task's own verdict on its answer.",
        choices=WEIGHTS,
    )
    values: int = knob(1, "How many verdicts are sampled for each answer, where a judge weighs the votes.", least=1)

    def search(self, task: Task, x: str) -> Search:
        if not self.stop and self.weights == "equal":
            return self.sample(task, x, "cot", agreement(task.same))
        how: dict[str, Any] = {name: getattr(self, name) for name in ("k", "first", "stop", "weights", "values")}
        return weighed_votes(task, x, **how)


@dataclass(kw_only=True, eq=False, repr=False)
class BestOf(Samples):
    """Best of ``k``: independent answers, of which the first that passes is chosen; if none does, the most frequent.

    A judge picks what it likes best, of equals the most frequent (see ``judged``); as a model of its own, in the role
    "evaluator", it may have been trained for that (Cobbe et al. 2021). A free check sees the problem alone, so anybody
    could choose like this. Where gold picks, the success rate is an upper bound for every way of choosing, and the
    results say "gold" in the method's name.
    """

    k: int = knob(10, "How many independent answers are sampled.", least=1)
    prompt: str = knob(
        "io",
        "What is sampled: io, answers to the direct prompt; cot, chains of thought.",
        choices=("io", "cot"),
    )
    picks: str = knob(
        "check",
        "What picks the answer: the task's free check; a judge, by its verdicts or where the task has none by ballots;"
        " or gold, the true answer, which gives an upper bound.",
        choices=("check", "judge", "gold"),
    )
    values: int = knob(3, "How many verdicts on each answer are sampled where a judge picks, or ballots.", least=1)

    @property
    def gold(self) -> bool:
        return self.picks == "gold"

    @property
    def needs_check(self) -> bool:
        return self.picks == "check"

    def search(self, task: Task, x: str) -> Search:
        judge = judged(task, values=self.values, first=self.first) if self.picks == "judge" else constant
        return self.sample(task, x, self.prompt, judge)

    def choose(self, task: Any, problem: Problem, best: Sequence[Node]) -> Node | None:
        @cache
        def right(answer: Any) -> bool:
            score: Score = task.verify(problem, answer) if self.gold else task.check(problem.x, answer)
            return score.correct

        for node in best if self.picks != "judge" else ():
            if right(node.state.answer):
                return node
        return super().choose(task, problem, best)


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


HERE = (
    Method("io", "k answers to the direct prompt", DirectPrompt, independent=True),
    Method("cot", "k chains of thought", ChainOfThought, independent=True),
    Method("cot-sc", "k chains of thought, the most frequent answer wins", SelfConsistency, independent=True),
    Method(
        "few-shot", "k direct answers to a prompt with examples", FewShotPrompt, independent=True, members=("few_shot",)
    ),
    Method(
        "best-of", "k answers or chains; the task's free check picks, or gold: an upper bound", BestOf, independent=True
    ),
    Method("judged-best-of", "k answers or chains, a judge picks", BestOf, independent=True, preset={"picks": "judge"}),
    Method(
        "io-refine-checked", "rewrite until the task's free check is content, at most k times", Refine, Refinable, True
    ),
    Method(
        "io-refine", "rewrite until the model is satisfied, at most k times", SelfRefine, Refinable, members=("done",)
    ),
)
