"""Monte Carlo tree search that the model's own probabilities guide: PUCT, the rule of AlphaZero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from tot.ask import Evaluate, Generate, Search
from tot.methods import Method, knob
from tot.methods.tree_of_thoughts import Rewarded, ending
from tot.search.monte_carlo import mcts
from tot.state import Node
from tot.tasks.base import Searchable, Task
from tot.ties import total

from .likely import policy_generator

BASE = 19652  # of c(N): it grows when a node has been visited thousands of times


def puct(node: Node, children: Sequence[Node], exploration: float, waiting: Mapping[Node, int]) -> dict[Node, float]:
    """PUCT(s) = Q(s) + c(N) P(s) sqrt(N) / (1 + n), where c(N) = ln((1 + N + 19652) / 19652) + ``exploration``.

    Silver et al. 2018 (AlphaZero). N and n are the visits of ``node`` and of its child s, those in progress included;
    the visit in which ``node`` itself was judged is one of N, so that N is never 0. P is the child's ``prior``, shared
    out so that it adds up to 1 among ``children``. Q of a child without a visit is the mean of ``node`` (first-play
    urgency): 0 would make it look hopeless in a good place, and promising in a hopeless one.
    """
    visits = node.visits + waiting.get(node, 0)
    c = (exploration + log((1 + visits + BASE) / BASE)) * sqrt(visits)
    priors = {child: (child.state.last and child.state.last.prior) or 0.0 for child in children}
    whole = total(priors.values()) or 1.0
    urgency = node.mean or 0.0
    return {
        child: (urgency if child.mean is None else child.mean)
        + c * prior / whole / (1 + child.visits + waiting.get(child, 0))
        for child, prior in priors.items()
    }


@dataclass(kw_only=True, eq=False, repr=False)
class Puct(Rewarded):
    """``tot-mcts`` with the model's own probabilities as prior (AlphaZero; for thoughts TS-LLM, Wan et al. 2024).

    The prior of a thought is how likely the model was to begin a reply with it (see ``policy_generator``), so the model
    has to tell its tokens' probabilities. The verdicts are the task's, as in ``tot-mcts``. The root is judged first.
    No noise is added to the priors: that is for training.
    """

    proposals: int = knob(
        8, "How many times the first line of a reply is sampled for each state; equal thoughts are one.", least=1
    )
    exploration: float = knob(
        1.25, "The constant of c(N): a larger value trusts the model's probabilities longer than verdicts.", least=0
    )

    @classmethod
    def styles(cls, task: Task) -> tuple[str, ...]:
        return task.styles if isinstance(task, Searchable) else ()

    def proposer(self, task: Searchable) -> Generate:
        local = task.compose if self.compose else None
        prompt = self.proposals_prompt(task)
        return policy_generator(prompt, task.read_proposals, k=self.proposals, first=self.first, local=local)

    def grown(self, root: Node, task: Searchable, evaluate: Evaluate, **limits: Any) -> Search:
        generate = ending(self.proposer(task))
        return mcts(root, generate, evaluate, exploration=self.exploration, compare=puct, **limits)


PUCT = Method("puct", "Monte Carlo tree search, the model's own probabilities as prior", Puct, Searchable)
