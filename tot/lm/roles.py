"""Which model answers which role. What a user passes, one model or several, becomes ``Roles`` once, at the border."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Union

from .base import LM, TOOL, LMError, as_lm

DEFAULT = "default"  # the model of all roles that have none of their own
LMs = Union[LM, Mapping[str, LM], "Roles"]  # what users may pass


@dataclass(frozen=True)
class Roles:
    """``models``: role -> its model, "default" for the rest. Make one with ``Roles.of``."""

    models: Mapping[str, LM]

    @classmethod
    def of(cls, lms: LMs) -> Roles:
        """From one model, or a mapping from roles to models. Raises TypeError for something that is no model."""
        if isinstance(lms, Roles):
            return lms
        models = lms if isinstance(lms, Mapping) else {DEFAULT: lms}
        return cls({role: as_lm(lm) for role, lm in models.items()})

    def __getitem__(self, role: str) -> LM:
        """The model for a role. Raises LMError if there is neither one for it nor a "default"."""
        lm = self.models.get(role) or self.models.get(DEFAULT)
        if lm is None:
            raise LMError(
                f"no model for the role {role!r}: pass one under that name or under 'default'"
                f" (have: {', '.join(self.models)})"
            )
        return lm

    @property
    def name(self) -> str:
        """The model's name, or "role=name, ..." for several. Tools are no models, so they are not named."""
        own = {role: lm.name for role, lm in self.models.items() if role != TOOL}
        if list(own) == [DEFAULT] and (TOOL in self.models or len(self.models) == 1):
            return own[DEFAULT]
        return ", ".join(f"{role}={name}" for role, name in own.items())

    @property
    def batched(self) -> bool:
        """Do all models, tools aside, want the open requests of all searches in one list?"""
        return all(lm.batched for role, lm in self.models.items() if role != TOOL)

    def with_tools(self, tools: LM | None) -> Roles:
        """With ``tools`` for the role "tool", unless there are some for it already (a recording, say)."""
        if tools is None or TOOL in self.models:
            return self
        return Roles.of({**self.models, TOOL: tools})

    def cancel(self) -> None:
        """Give up the calls in progress of all models."""
        for lm in self.models.values():
            lm.cancel()
