"""``Roles``: which model answers which role. Public functions convert the model or models they are given to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from .base import LM, TOOL, LMError, as_lm
from .settings import ROLES

DEFAULT = "default"  # the key of the model for all other roles
Model = LM | str | Callable[[str], str]  # what may stand for a model: see ``as_lm``
LMs = Union[Model, Mapping[str, Model], "Roles"]  # what users may pass


@dataclass(frozen=True)
class Roles:
    """``models``: role -> its model, "default" -> the model of all other roles. Make one with ``Roles.of``."""

    models: Mapping[str, LM]

    @classmethod
    def of(cls, lms: LMs) -> Roles:
        """From one model, or a mapping from roles to models. Raises as ``as_lm`` for what is not a model."""
        if isinstance(lms, Roles):
            return lms
        models = lms if isinstance(lms, Mapping) else {DEFAULT: lms}
        return cls({role: as_lm(lm) for role, lm in models.items()})

    def __getitem__(self, role: str) -> LM:
        """The model for a role. Raises LMError if there is none for it and no "default"."""
        lm = self.models.get(role) or self.models.get(DEFAULT)
        if lm is None:
            raise LMError(
                f"no model for the role {role!r}: pass one under that name or under 'default'"
                f" (have: {', '.join(self.models)})"
            )
        return lm

    @property
    def name(self) -> str:
        """The model's name, or "role=name, ..." for several models, in the order of ``ROLES``. Tools are left out."""
        own = {role: lm.name for role, lm in self.models.items() if role != TOOL}
        if list(own) == [DEFAULT] and (TOOL in self.models or len(self.models) == 1):
            return own[DEFAULT]
        order = {role: place for place, role in enumerate(ROLES)}
        return ", ".join(f"{role}={own[role]}" for role in sorted(own, key=lambda role: (order.get(role, 99), role)))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the model, or role -> settings for several models; {} if none has any."""
        own = {role: dict(lm.settings) for role, lm in self.models.items() if role != TOOL}
        if list(own) == [DEFAULT]:
            return own[DEFAULT]
        return {role: settings for role, settings in own.items() if settings}

    @property
    def batched(self) -> bool:
        """True if all models are batched (see ``LM``); tools do not count."""
        return all(lm.batched for role, lm in self.models.items() if role != TOOL)

    def computes(self, role: str) -> bool:
        """True if there is a model for this role, and it is batched."""
        lm = self.models.get(role) or self.models.get(DEFAULT)
        return lm is not None and lm.batched

    @property
    def serial(self) -> bool:
        """True if a model is serial (see ``LM``)."""
        return any(lm.serial for lm in self.models.values())
