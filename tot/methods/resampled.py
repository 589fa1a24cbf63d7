"""Recipes that keep states side by side, by the task's own verdicts: DVTS, REBASE and a particle filter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from ..ask import Search
from ..search.resampling import dvts, log_odds, particles, rebase
from ..state import Node, State
from ..tasks.base import Searchable
from .base import Method, knob
from .tree_of_thoughts import _Proposed, rewards


@dataclass(kw_only=True, eq=False, repr=False)
class _SideBySide(_Proposed):
    """Shared by all of them: thoughts are proposed and judged as in ``tot-bfs``."""

    def grown(self, search: Callable[..., Search], task: Searchable, x: str, *how: Any, **limits: Any) -> Search:
        task = self.helped(task)
        evaluate, _ = self.judge(task, self.values)
        return search(Node(State(x)), self.proposer(task), evaluate, *how, depth=task.steps, **limits)


@dataclass(kw_only=True, eq=False, repr=False)
class Dvts(_SideBySide):
    """Diverse verifier tree search (Beeching et al. 2024): a beam in each of several subtrees; the verdicts pick."""

    subtrees: int = knob(5, "How many subtrees are searched side by side.", least=1)
    breadth: int = knob(1, "How many states each subtree keeps at each step.", least=1)

    def search(self, task: Searchable, x: str) -> Search:
        return self.grown(dvts, task, x, subtrees=self.subtrees, breadth=self.breadth)


@dataclass(kw_only=True, eq=False, repr=False)
class Rebase(_SideBySide):
    """REBASE (Wu et al. 2024): states share out the next children by the rewards that their verdicts come to."""

    width: int = knob(16, "How many states are judged at each step, less those that are finished.", least=1)
    evenness: float = knob(0.2, "How evenly the next states are shared out, the paper's temperature.", least=0.01)

    def search(self, task: Searchable, x: str) -> Search:
        worth = rewards(task, self.values)
        return self.grown(rebase, task, x, worth, width=self.width, temperature=self.evenness)


@dataclass(kw_only=True, eq=False, repr=False)
class Particles(_SideBySide):
    """A particle filter (Puri et al. 2025): states are drawn in proportion to the odds of the rewards that their
    verdicts come to. Its luck is that of ``first``, so that another trial draws other particles, too.
    """

    particles: int = knob(8, "How many particles there are.", least=1)
    evenness: float = knob(1.0, "How evenly particles are drawn: odds to the power of 1 over this.", least=0.01)

    def search(self, task: Searchable, x: str) -> Search:
        worth = rewards(task, self.values)
        odds = lambda value: log_odds(worth(value)) / self.evenness  # noqa: E731
        return self.grown(particles, task, x, odds, count=self.particles, luck=Random(self.first))


HERE = (
    Method("dvts", "a beam in each of several subtrees, the verdicts pick", Dvts, Searchable),
    Method("rebase", "states share out the next children by their verdicts", Rebase, Searchable),
    Method("particles", "a particle filter: states are drawn anew by their verdicts", Particles, Searchable),
)
