"""Recipes that keep states side by side, by the task's own verdicts: DVTS, REBASE and a particle filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from ..ask import Asking, Search
from ..generate import expansion, unless_cut
from ..lm.base import Request
from ..parse import Read, bad, read_sample
from ..search.resampling import dvts, log_odds, particles, rebase
from ..state import Node, State, Thought
from ..tasks.base import Searchable, Task
from .base import Method, knob
from .tree_of_thoughts import _Valued, rewards

LINE = 64  # tokens that a step may have: it is one line


@dataclass(kw_only=True, eq=False, repr=False)
class _SideBySide(_Valued):
    """Shared by all of them: steps are sampled from the model's own policy, and judged as in ``tot-bfs``.

    A step is the first line of a reply to the prompt for next steps, at temperature 1. A program refuses illegal ones
    and writes the answer, where a task has one that can. A model that talks before its first step is not for this; nor
    is there a paper's style, whose replies are of any form.
    """

    values: int = knob(3, "How many times the evaluator is sampled for each state.", least=1)

    @classmethod
    def styles(cls, task: Task) -> tuple[str, ...]:
        return task.styles if isinstance(task, Searchable) else ()

    def grown(self, search: Callable[..., Search], task: Searchable, x: str, *how: Any, **limits: Any) -> Search:
        task = self.helped(task)
        evaluate, _ = self.judge(task, self.values)
        return search(Node(State(x)), partial(self.draw, task), evaluate, *how, depth=task.steps, **limits)

    def draw(self, task: Searchable, shares: Mapping[Node, int]) -> Asking[dict[Node, int]]:
        """A ``Draw``. A step that a program writes has all samples of its state."""
        samples, drawn = {node.state: n for node, n in shares.items()}, dict[State, int]()
        most = dict[Request, int]()  # states with the same prompt share its samples

        def prompt(state: State) -> Request:
            asked = self.proposals_prompt(task)(state)
            asked = replace(asked, temperature=1.0, top_p=None, max_tokens=min(LINE, asked.max_tokens or LINE))
            return replace(asked, stop=("\n",))

        def line(state: State) -> Request:
            return (asked := prompt(state)).samples(self.first, most[asked])

        def step(state: State, text: str) -> Read[Thought]:
            return next(iter(task.read_proposals(state, text.lstrip().split("\n")[0])), bad("no step", text))

        def merged(state: State, thoughts: Sequence[Thought]) -> Iterable[Thought]:
            found = Counter(thoughts)
            drawn.update((state.then(thought), n) for thought, n in found.items())
            return found

        for state, n in samples.items():
            if not task.compose(state):
                asked = prompt(state)
                most[asked] = max(most.get(asked, 0), n)
        children = yield from expansion(
            line,
            lambda state, replies: [
                unless_cut(one, read_sample(one, partial(step, state))) for one in replies[: samples[state]]
            ],
            local=lambda state: (found := task.compose(state)) and found * samples[state],
            gather=merged,
            role="generator",
        )([*shares])
        return {child: drawn[child.state] for child in children}


@dataclass(kw_only=True, eq=False, repr=False)
class Dvts(_SideBySide):
    """Diverse verifier tree search (Beeching et al. 2024): a greedy search in each subtree, and the verdicts pick."""

    subtrees: int = knob(4, "How many subtrees are searched side by side.", least=1)
    samples: int = knob(4, "How many next steps each subtree samples, of which it keeps the best.", least=1)

    def search(self, task: Searchable, x: str) -> Search:
        return self.grown(dvts, task, x, subtrees=self.subtrees, samples=self.samples)


@dataclass(kw_only=True, eq=False, repr=False)
class Rebase(_SideBySide):
    """REBASE (Wu et al. 2024): states share out the next children by the rewards that their verdicts come to."""

    width: int = knob(16, "How many next steps are sampled at each step, less the states that are finished.", least=1)
    evenness: float = knob(0.2, "How evenly the next states are shared out, the paper's temperature.", least=0.01)

    def search(self, task: Searchable, x: str) -> Search:
        worth = rewards(task, self.values)
        return self.grown(rebase, task, x, worth, width=self.width, temperature=self.evenness)


@dataclass(kw_only=True, eq=False, repr=False)
class Particles(_SideBySide):
    """A particle filter (Puri et al. 2025): states are drawn in proportion to the odds of the rewards that their
    verdicts come to. Its luck is that of ``first``, so that another trial draws other particles, too.
    """

    particles: int = knob(16, "How many particles there are.", least=1)
    evenness: float = knob(1.0, "How evenly particles are drawn: odds to the power of 1 over this.", least=0.01)

    def search(self, task: Searchable, x: str) -> Search:
        worth = rewards(task, self.values)
        odds = lambda value: log_odds(worth(value)) / self.evenness  # noqa: E731
        return self.grown(particles, task, x, odds, count=self.particles, luck=Random(self.first))


HERE = (
    Method("dvts", "a greedy search in each of several subtrees, the verdicts pick", Dvts, Searchable),
    Method("rebase", "states share out the next children by their verdicts", Rebase, Searchable),
    Method("particles", "a particle filter: states are drawn anew by their verdicts", Particles, Searchable),
)
