"""The recipe of adaptive branching: wider or deeper, and which model next, as the rewards say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from ..ask import Asking, Evaluate, Generate, Search, relay
from ..evaluate import judges
from ..events import Best
from ..generate import Local, Prompt, ReadThoughts, generator
from ..lm.base import Request
from ..search.adaptive import Beta, Gaussian, ab_mcts
from ..search.monte_carlo import highest
from ..state import Node, State, Thought
from ..tasks.base import Plannable, Searchable
from .base import Method, knob
from .planning import without_repeats
from .tree_of_thoughts import Rewarded

MODELS = ("generator", "second", "third")  # the roles of the models that propose
REVISIONS = 5  # how many times in succession a plan may be revised, as in mcts-plan


@dataclass(kw_only=True, eq=False, repr=False)
class AdaptiveBranching(Rewarded):
    """AB-MCTS-A (Inoue et al. 2025) over steps, with the task's own verdicts as reward.

    A new child is the next of the thoughts that were proposed and wait; where none does, further replies are sampled.
    Where a task has plans and no steps, a new child of the root is another plan, and below a plan a revision of it in
    view of the judges' reasons; their mean score is the reward, and the best plan is carried out. With several models,
    each is paid at its own price. The draws depend on the problem and on ``first`` alone.
    """

    posterior: str = knob(
        "gaussian", "From which kind of distribution a mean reward is drawn.", choices=("gaussian", "beta")
    )
    models: int = knob(
        1,
        "How many models propose, in the roles of generator, second and third; rewards decide who is asked next.",
        least=1,
        most=len(MODELS),
    )

    def idle(self) -> set[str]:
        return {*MODELS[self.models :]}

    def search(self, task: Any, x: str) -> Search:
        return super().search(task, x) if isinstance(task, Searchable) else self.over_plans(task, x)

    def grown(self, root: Node, task: Searchable, evaluate: Evaluate, **limits: Any) -> Search:
        prompt, local = self.proposals_prompt(task), task.compose if self.compose else None
        return self.branching(root, prompt, task.read_proposals, evaluate, listed=True, local=local, **limits)

    def over_plans(self, task: Plannable, x: str) -> Search:
        """The search where thoughts are plans, and the solution by the best of them."""
        said: dict[State, str] = {}  # the judges' reasons, for the prompts of revisions
        panel = {name: partial(task.assess, judge=name) for name in ("logic", "feasibility")}
        score = judges(panel, task.read_assessment, n=self.values, first=self.first, role="evaluator")

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            yield from score(nodes)
            said.update((node.state, node.note) for node in nodes)

        prompt = lambda state: task.plan(state, said.get(state, ""))  # noqa: E731
        limits: dict[str, Any] = {"rollouts": self.rollouts, "leaves": self.leaves, "depth": REVISIONS}
        limits["choose"] = highest(lambda node: node.value)
        read = without_repeats(task.read_plan)
        best = yield from relay(self.branching(Node(State(x)), prompt, read, evaluate, **limits))
        solve = generator(task.execute, task.read_executed, first=self.first, distinct=False)
        yield Best((yield from solve(best)))

    def branching(
        self,
        root: Node,
        prompt: Prompt,
        read: ReadThoughts,
        evaluate: Evaluate,
        *,
        listed: bool = False,
        local: Local | None = None,
        **limits: Any,
    ) -> Search:
        """The search itself, where each model samples further replies when it is asked about a state again: as many as
        thoughts are wanted, or one if replies are ``listed`` thoughts.
        """
        known = defaultdict[State, set[Thought]](set)

        def gather(state: State, thoughts: Sequence[Thought]) -> list[Thought]:
            new = [thought for thought in dict.fromkeys(thoughts) if thought not in known[state]]
            known[state].update(new)
            return new

        def further(role: str) -> Generate:
            drawn, wanted = Counter[State](), Counter[State]()

            def samples(state: State) -> Request:
                first, n = self.first + drawn[state], self.proposals * (1 if listed else wanted[state])
                drawn[state] += n
                return prompt(state).samples(first, n)

            propose = generator(samples, read, k=None, local=local, gather=gather, role=role)

            def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
                wanted.update(node.state for node in nodes)
                children = yield from propose([*dict.fromkeys(nodes)])
                wanted.clear()
                return children

            return generate

        limits["posterior"] = Gaussian if self.posterior == "gaussian" else Beta
        luck = Random(f"{self.first} {root.state.x}")
        return ab_mcts(root, {role: further(role) for role in MODELS[: self.models]}, evaluate, luck=luck, **limits)


HERE = (
    Method(
        "ab-mcts",
        "adaptive branching: draws decide between a new thought and an old one, and between models",
        AdaptiveBranching,
        (Searchable, Plannable),
        roles=(*MODELS, "evaluator"),
    ),
)
