"""Recipes that plan first and then have the plan carried out: *Planning with MCTS*, and what it is compared with.

A plan is a thought, and its revision is the next one: a state's newest thought is its plan. Three roles, each of which
may be a model of its own: "planner" writes and revises plans, "judge" scores them, "executor" carries the chosen one
out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

from ..ask import Asking, Evaluate, Generate, Search, relay
from ..evaluate import constant, judges
from ..events import Best
from ..generate import ReadThoughts, generator
from ..parse import Read, bad
from ..search.breadth_first import bfs
from ..search.monte_carlo import SQRT2, ChooseOutput, highest, mcts, most_visited
from ..state import Node, State, Thought
from ..tasks.base import Plannable
from .base import Recipe, knob


@dataclass(frozen=True, kw_only=True)
class _CarriedOut(Recipe):
    """What all of these share: the executor."""

    k: int = knob(1, "How many solutions are sampled for a plan; the most frequent answer wins.", least=1)

    def solve(self, task: Plannable) -> Generate:
        """``k`` solutions that follow a state's plan; for a state without one, chains of thought."""
        return generator(task.execute, task.read_executed, k=self.k, first=self.first, distinct=False, role="executor")


@dataclass(frozen=True, kw_only=True)
class ZeroShotCoT(_CarriedOut):
    """Zero-shot chain of thought (Kojima et al. 2022): the executor alone thinks step by step."""

    k: int = knob(1, "How many independent chains are sampled; the most frequent answer wins.", least=1)

    def search(self, task: Plannable, x: str) -> Search:
        return bfs(Node(State(x)), self.solve(task), constant, depth=1, breadth=self.k)


@dataclass(frozen=True, kw_only=True)
class _Planned(_CarriedOut):
    """What all methods with a planner share."""

    plan_only: bool = knob(False, "Whether to stop at the plan, for a person to look at, and not carry it out.")

    def idle(self) -> set[str]:
        return {"executor"} if self.plan_only else set()

    def carry_out(self, search: Search, task: Plannable, top: int = 1) -> Search:
        """``search``, and then the execution of the ``top`` plans that it ranks first."""
        best = yield from relay(search)
        if best and not self.plan_only:
            yield Best((yield from self.solve(task)(best[:top])))


@dataclass(frozen=True, kw_only=True)
class PlanAndSolve(_Planned):
    """Plan-and-Solve (Wang et al. 2023): one plan, then carry it out.

    Theirs is a single prompt for plan and solution; here they are two, as in *Planning with MCTS*, so that two models
    can share the work.
    """

    plan: str | None = knob(None, "A plan that a person wrote or reviewed; the planner is not asked then.")

    def idle(self) -> set[str]:
        return super().idle() | ({"planner"} if self.plan is not None else set())

    def search(self, task: Plannable, x: str) -> Search:
        """Raises ValueError for a plan that is empty."""
        write = _plans(task, 1, self.first)
        if (plan := self.plan) is not None:
            if not plan.strip():
                raise ValueError("the plan is empty: write one, or leave it out, and the planner is asked for one")
            write = generator(lambda state: task.plan(state, ""), task.read_plan, local=lambda state: [Thought(plan)])
        return self.carry_out(bfs(Node(State(x)), write, constant, depth=1, breadth=1), task)


@dataclass(frozen=True, kw_only=True)
class _Judged(_Planned):
    """What the methods with judges share: two of them, whose weighted mean is the reward of a plan."""

    logic: float = knob(1.0, "The weight of the judge of logic in a plan's reward; 0 does not ask it.", least=0)
    feasibility: float = knob(
        1.0, "The weight of the judge of feasibility in a plan's reward; 0 does not ask it.", least=0
    )
    values: int = knob(1, "How many scores are sampled from each judge for each plan.", least=1)

    def panel(self, task: Plannable) -> Evaluate:
        """Raises ValueError for weights that are all 0, or too large to add up."""
        weights = {"logic": self.logic, "feasibility": self.feasibility}
        asked = {name: partial(task.assess, judge=name) for name in weights}
        return judges(asked, task.read_assessment, weights=weights, n=self.values, first=self.first)


@dataclass(frozen=True, kw_only=True)
class BestOfPlans(_Judged):
    """Best of several independent plans by the reward of ``MctsPlan``: the same judges without a tree. Three rounds.

    Choose ``plans`` so that it spends as many tokens as the tree search that it is compared with (see the ledger). With
    all plans executed, one run shows whether a better reward means a better answer. A plan that repeats an earlier one
    is refused, and counted like an unreadable one.
    """

    plans: int = knob(10, "How many independent plans are sampled.", least=1)
    executed: int = knob(
        1, "How many of the plans are carried out, best first; the most frequent answer wins.", least=1
    )

    def search(self, task: Plannable, x: str) -> Search:
        write, judge = _plans(task, self.plans, self.first), self.panel(task)
        ranked = bfs(Node(State(x)), write, judge, depth=1, breadth=self.plans)
        return self.carry_out(ranked, task, self.executed)


@dataclass(frozen=True, kw_only=True)
class MctsPlan(_Judged):
    """Monte Carlo tree search over plans (*Planning with MCTS*, section 2.2): rewrite the most promising plan with the
    judges' words in view, score what comes out, and in the end carry the best one out.

    The reward of a plan is the weighted mean of the judges' scores. ``final`` says which plan is carried out: the one
    with the best "reward" of its own; the best "mean" over its visits (the paper's rule), if it has ``least`` visits,
    because a plan that was seen once wins by luck; or by "visits", down from the initial plan as long as the most
    visited revision has ``least``. Of equals the earlier, less revised plan.

    A revision that says what a plan in the tree says already is refused, and counted like an unreadable one. If there
    is no initial plan, there is no output. The paper gives neither C, nor weights, threshold, depth and rollouts of its
    main results: the defaults are ours.
    """

    rollouts: int = knob(10, "How many plans are judged, the initial one among them.", least=1)
    revisions: int = knob(3, "How many revisions are sampled of each plan that is expanded.", least=1)
    depth: int = knob(5, "How often a plan may be revised.", least=0)
    exploration: float = knob(
        SQRT2, "C of UCB1: the larger, the more the search tries plans that it has seldom visited.", least=0
    )
    leaves: int = knob(1, "How many rollouts share their rounds of requests.", least=1)
    final: str = knob(
        "reward",
        "Which plan is carried out: that of the best reward, of the best mean over its visits, or the most visited.",
        choices=("reward", "mean", "visits"),
    )
    least: int = knob(2, "How many visits a plan needs to be chosen by its mean or its visits.", least=1)
    enough: float = knob(0.0, "A plan with this reward ends the search; 0 never does.", least=0, most=1)
    zero_sum: bool = knob(False, "Whether a reward changes its sign at each step up, as in a game of two players.")

    def search(self, task: Plannable, x: str) -> Search:
        rules: dict[str, ChooseOutput] = {
            "reward": highest(lambda node: node.value),
            "mean": highest(lambda node: node.mean if node.visits >= self.least else None),
            "visits": partial(most_visited, least=self.least),
        }
        panel, read = self.panel(task), _without_repeats(task.read_plan)
        said: dict[State, str] = {}  # what the judges said of a plan, for its revisions

        def judge(nodes: Sequence[Node]) -> Asking[None]:
            yield from panel(nodes)
            said.update((node.state, node.note) for node in nodes)

        def write(samples: int) -> Generate:
            prompt = lambda state: task.plan(state, said.get(state, ""))  # noqa: E731
            return generator(prompt, read, k=samples, first=self.first, role="planner")

        def search() -> Search:
            plans = yield from write(1)([Node(State(x))])
            if plans:
                yield from mcts(
                    plans[0],
                    write(self.revisions),
                    judge,
                    rollouts=self.rollouts,
                    depth=self.depth,
                    exploration=self.exploration,
                    leaves=self.leaves,
                    zero_sum=self.zero_sum,
                    enough=self.enough or inf,
                    choose=rules[self.final],
                )

        return self.carry_out(search(), task)


def _plans(task: Plannable, k: int, first: int) -> Generate:
    """``k`` independent plans for a question, without those that say the same. One for each run."""
    read = _without_repeats(task.read_plan)
    return generator(lambda state: task.plan(state, ""), read, k=k, first=first, role="planner")


def _without_repeats(read: ReadThoughts) -> ReadThoughts:
    """``read`` without the plans that it gave before, up to case, spaces and punctuation. One for each run."""
    known: set[str] = set()

    def reader(state: State, text: str) -> Iterator[Read[Thought]]:
        for item in read(state, text):
            plan = " ".join(re.findall(r"\w+", item.value.text.lower())) if item.value else ""
            if item.ok and plan in known:
                yield bad("the same plan again", text)
            else:
                known.add(plan)
                yield item

    return reader
