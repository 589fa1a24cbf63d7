"""What a lab offers, and its initial settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tot.lm.base import LMError
from tot.lm.roles import LMs
from tot.methods import usual
from tot.tasks import task as task_named
from tot.tasks.base import Task

from .choice import Choice, first_problem


@dataclass(frozen=True)
class Settings:
    """The fields of ``Lab``, documented there."""

    models: Mapping[str, LMs] = field(default_factory=dict)
    tasks: Mapping[str, Task] = field(default_factory=dict)
    task: str = ""
    problem: str = ""
    method: str = ""
    knobs: Mapping[str, Any] = field(default_factory=dict)
    budget: str = ""
    recorded: LMs | None = None
    settings: Sequence[Mapping[str, Any]] = ({},)
    size: int | None = 1_000_000

    @property
    def first_task(self) -> str:
        """The name of the initial task."""
        return self.task or next(iter(self.tasks), "game24")

    def named(self, name: str) -> Task:
        """The task of that name, from ``tasks`` or from tot's. Raises ValueError if there is none."""
        return self.tasks[name] if name in self.tasks else task_named(name)

    def all_models(self) -> dict[str, LMs]:
        """All models by name: the given ones (by default the pocket model), and the recorded one."""
        models = dict(self.models)
        if not models:
            from ..players.routing import Pockets

            try:
                models["pocket"] = Pockets()
            except LMError as error:
                if not isinstance(error.__cause__, ImportError):  # without numpy there is no pocket model
                    raise
        return models | ({self.recorded_name: self.recorded} if self.recorded is not None else {})

    @property
    def recorded_name(self) -> str:
        """The name of ``recorded`` in ``models``, else "recorded"."""
        return next((name for name, lms in self.models.items() if lms is self.recorded), "recorded")

    def choice(self, lms: LMs, name: str, **setting: Any) -> Choice:
        """The initial settings, changed by ``setting``; ``knobs`` apply only to the initial method."""
        knobs = {**(self.knobs if setting.get("method", self.method) == self.method else {}), **setting}
        the_task = self.named(self.first_task)
        problem = knobs.pop("problem", self.problem) or first_problem(the_task)
        recipe = knobs.pop("method", self.method) or usual(the_task).name
        return Choice(the_task, problem, recipe, lms, knobs, budget=self.budget, names=(self.first_task, name))
