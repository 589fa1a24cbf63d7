"""Recipes that write a plan and then carry it out: *Planning with MCTS* and its baselines.

A plan is a thought, and a revision of it is the next thought: a state's newest thought is its plan. There are three
roles, each of which may use a model of its own: the "planner" writes and revises plans, the "judge" scores them, and
the "executor" carries out the chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, ClassVar

from ..ask import Asking, Evaluate, Generate, Search, relay
from ..evaluate import constant, judges
from ..events import Best
from ..generate import ReadThoughts, generator
from ..parse import Read, bad, plain_operators
from ..search.breadth_first import bfs
from ..search.monte_carlo import SQRT2, ChooseOutput, highest, mcts, most_visited
from ..state import Node, State, Thought
from ..tasks.base import Plannable
from .base import PAPER, Method, Recipe, knob

LEAST = 2  # visits that a plan needs where plans are compared by mean reward or by visits


@dataclass(kw_only=True, eq=False, repr=False)
class _CarriedOut(Recipe):
    """Shared by all recipes here: the executor."""

    k: int = knob(
        1, "How many solutions are sampled for the plan that is carried out; the most frequent answer wins.", least=1
    )

    def solve(self, task: Plannable) -> Generate:
        """``k`` solutions that follow a state's plan; for a state without one, chains of thought."""
        return generator(task.execute, task.read_executed, k=self.k, first=self.first, distinct=False, role="executor")


@dataclass(kw_only=True, eq=False, repr=False)
class ZeroShotCoT(_CarriedOut):
    """Zero-shot chain of thought (Kojima et al. 2022): the executor alone thinks step by step."""

    k: int = knob(1, "How many independent chains of thought are sampled; the most frequent answer wins.", least=1)

    def search(self, task: Plannable, x: str) -> Search:
        return bfs(Node(State(x)), self.solve(task), constant, depth=1, breadth=self.k)


@dataclass(kw_only=True, eq=False, repr=False)
class _Planned(_CarriedOut):
    """Shared by all recipes with a planner."""

    plan_only: bool = knob(False, "Whether to stop once there is a plan, so that a person can review it.")

    def idle(self) -> set[str]:
        return {"executor"} if self.plan_only else set()

    def carry_out(self, search: Search, task: Plannable, top: int = 1) -> Search:
        """``search``, followed by carrying out the ``top`` plans that it ranks first."""
        best = yield from relay(search)
        if best and not self.plan_only:
            yield Best((yield from self.solve(task)(best[:top])))


@dataclass(kw_only=True, eq=False, repr=False)
class PlanAndSolve(_Planned):
    """Plan-and-Solve (Wang et al. 2023): write one plan, then carry it out.

    That paper asks for plan and solution in one prompt; here there are two, as *Planning with MCTS* describes it
    (section 3.3), so that they can go to different models.
    """

    plan: str | None = knob(None, "A plan written or reviewed by a person, used instead of asking the planner for one.")

    def idle(self) -> set[str]:
        return super().idle() | ({"planner"} if self.plan is not None else set())

    def search(self, task: Plannable, x: str) -> Search:
        """Raises ValueError for a plan that is empty."""
        write = _plans(task, 1, self.first)
        if (plan := self.plan) is not None:
            if not plan.strip():
                raise ValueError("the plan is empty: write one, or leave it out to have the planner write one")
            write = generator(lambda state: task.plan(state, ""), task.read_plan, local=lambda state: [Thought(plan)])
        return self.carry_out(bfs(Node(State(x)), write, constant, depth=1, breadth=1), task)


@dataclass(kw_only=True, eq=False, repr=False)
class _Judged(_Planned):
    """Shared by the recipes with judges: a plan's reward is the weighted mean of two judges' scores."""

    logic: float = knob(1.0, "The weight of the logic judge in a plan's reward; with 0 it is not asked.", least=0)
    feasibility: float = knob(
        1.0, "The weight of the feasibility judge in a plan's reward; with 0 it is not asked.", least=0
    )
    values: int = knob(1, "How many scores are sampled from each judge for each plan; the mean counts.", least=1)

    def panel(self, task: Plannable) -> Evaluate:
        """The judges as an evaluator. Raises ValueError if the weights are all 0 or their sum overflows."""
        weights = {"logic": self.logic, "feasibility": self.feasibility}
        asked = {name: partial(task.assess, judge=name) for name in weights}
        return judges(asked, task.read_assessment, weights=weights, n=self.values, first=self.first)


@dataclass(kw_only=True, eq=False, repr=False)
class JudgedPlans(_Judged):
    """The judges' pick of several independent plans: the judges and the reward of ``MctsPlan``, no tree, three rounds.

    For a fair comparison, choose ``plans`` so that it uses as many tokens as the tree search (see the ledger). With all
    plans executed, one run shows whether a higher reward means a better answer. A plan that repeats an earlier one is
    dropped and counted as unread.
    """

    plans: int = knob(10, "How many independent plans are sampled.", least=1)
    executed: int = knob(1, "How many of the best plans are carried out; the most frequent answer wins.", least=1)

    def search(self, task: Plannable, x: str) -> Search:
        write, judge = _plans(task, self.plans, self.first), self.panel(task)
        ranked = bfs(Node(State(x)), write, judge, depth=1, breadth=self.plans)
        return self.carry_out(ranked, task, self.executed)


@dataclass(kw_only=True, eq=False, repr=False)
class MctsPlan(_Judged):
    """Monte Carlo tree search over plans (*Planning with MCTS*, section 2.2): revise the most promising plan with the
    judges' reasons in the prompt, score the revisions, and finally carry out the best plan.

    The reward of a plan is the weighted mean of the judges' scores. ``final`` says which plan is carried out: "reward",
    the one with the highest reward of its own; "mean", the highest mean over its visits (the paper's rule), among plans
    with ``LEAST`` visits, because after a single visit a high mean may be chance; or "visits", the one reached from the
    initial plan by going to the most visited revision as long as that has so many visits. Ties go to a plan before its
    own revisions, and to the earlier branch.

    A revision that repeats a plan in the tree is dropped and counted as unread. Without an initial plan there is no
    output. The paper does not give C, nor the weights, threshold, depth and rollouts of its main results: the defaults
    are ours.

    In the paper's style the plan of the highest mean is carried out, after one visit, too; rewards change sign at each
    step up (section 3.3); and judging the initial plan is no rollout of its own, since each of the paper's rollouts
    judges a new plan. One difference stays: all ``revisions`` of a plan are sampled together, where the paper adds one
    node at a time.
    """

    former: ClassVar = {**Recipe.former, "leaves": 1, "least": LEAST, "first_counts": True}
    former_paper: ClassVar = {"least": 1, "first_counts": False}
    rollouts: int = knob(10, "How many rollouts the search may run; each judges at most one new plan.", least=1)
    revisions: int = knob(3, "How many revisions are sampled for each plan that is expanded.", least=1)
    depth: int = knob(5, "How many times in succession a plan may be revised.", least=0)
    exploration: float = knob(
        SQRT2, "The constant C of UCB1: a larger value makes the search prefer plans it has rarely visited.", least=0
    )
    final: str = knob(
        "reward",
        "Which plan is carried out: the one with the highest reward, with the highest mean reward over its visits, or"
        " the most visited one.",
        choices=("reward", "mean", "visits"),
        paper="mean",
    )
    enough: float = knob(0.0, "The search ends as soon as a plan has at least this reward; 0: never.", least=0, most=1)
    zero_sum: bool = knob(
        False, "Whether a reward changes sign at each step up the tree, as in a two-player game.", paper=True
    )

    def search(self, task: Plannable, x: str) -> Search:
        least = 1 if self.style == PAPER else LEAST
        rules: dict[str, ChooseOutput] = {
            "reward": highest(lambda node: node.value),
            "mean": highest(lambda node: node.mean if node.visits >= least else None),
            "visits": partial(most_visited, least=least),
        }
        panel, read = self.panel(task), without_repeats(task.read_plan)
        said: dict[State, str] = {}  # the judges' reasons, for the prompts of revisions

        def judge(nodes: Sequence[Node]) -> Asking[None]:
            yield from panel(nodes)
            said.update((node.state, node.note) for node in nodes)

        def write(samples: int) -> Generate:
            prompt = lambda state: task.plan(state, said.get(state, ""))  # noqa: E731
            return generator(prompt, read, k=samples, first=self.first, role="planner")

        def search() -> Search:
            plans = yield from write(1)([Node(State(x))])
            if plans:
                limits: dict[str, Any] = {name: getattr(self, name) for name in ("depth", "exploration", "zero_sum")}
                limits["rollouts"] = self.rollouts + (self.style == PAPER)  # there, the first one is not counted
                limits |= {"enough": self.enough or inf, "choose": rules[self.final]}
                yield from mcts(plans[0], write(self.revisions), judge, **limits)

        return self.carry_out(search(), task)


def _plans(task: Plannable, k: int, first: int) -> Generate:
    """A generator of ``k`` independent plans without repeats. It remembers plans: build one for each run."""
    read = without_repeats(task.read_plan)
    return generator(lambda state: task.plan(state, ""), read, k=k, first=first, role="planner")


_NO_SIGN = re.compile(r"^\s*[-+>]\s|(?<=[^\W\d])-(?=[^\W\d])|--+|—", re.MULTILINE)  # of a list, a hyphen, a dash


def without_repeats(read: ReadThoughts) -> ReadThoughts:
    """``read`` that rejects repeated plans, ignoring case, spaces and punctuation, but no sign of arithmetic: to mend
    one may be all that a revision does. Build one for each run.
    """
    known: set[str] = set()

    def reader(state: State, text: str) -> Iterator[Read[Thought]]:
        for item in read(state, text):
            said = _NO_SIGN.sub(" ", item.value.text.lower()) if item.value else ""
            plan = " ".join(re.findall(r"\w+|%|[-+/=<>≤≥^](?=\W*\w)", plain_operators(said)))  # "*" is bold type, too
            if item.ok and plan in known:
                yield bad("the same plan again", text)
            else:
                known.add(plan)
                yield item

    return reader


ALL = ("planner", "judge", "executor")  # the roles

HERE = (
    Method(
        "zero-shot-cot", "k chains of thought, without a plan", ZeroShotCoT, Plannable, independent=True, roles=ALL[2:]
    ),
    Method("plan-and-solve", "write a plan and follow it", PlanAndSolve, Plannable, roles=("planner", "executor")),
    Method("judged-plans", "write k plans side by side, follow the judge's pick", JudgedPlans, Plannable, roles=ALL),
    Method("mcts-plan", "Monte Carlo tree search over plans; follow the best", MctsPlan, Plannable, roles=ALL),
)
