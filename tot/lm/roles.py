"""Which model answers which role."""

from __future__ import annotations

from collections.abc import Mapping

from .base import LM, TOOL, LMError

LMs = LM | Mapping[str, LM]


def lm_for(lms: LMs, role: str) -> LM:
    """The model for a role. Raises LMError if a mapping of roles has neither it nor a "default"."""
    if not isinstance(lms, Mapping):
        return lms
    lm = lms.get(role) or lms.get("default")
    if lm is None:
        raise LMError(
            f"no model for the role {role!r}: pass one under that name or under 'default' (have: {', '.join(lms)})"
        )
    return lm


def lm_name(lms: LMs) -> str:
    """The model's name, or "role=name, ..." for several. Tools are no models, so they are not named."""
    if not isinstance(lms, Mapping):
        return lms.name
    models = {role: lm for role, lm in lms.items() if role != TOOL}
    if TOOL in lms and list(models) == ["default"]:
        return models["default"].name
    return ", ".join(f"{role}={lm.name}" for role, lm in models.items())


def with_tools(lms: LMs, tools: LM | None) -> LMs:
    """``lms`` with ``tools`` for the role "tool", unless it has some for that role already (a recording, say)."""
    if tools is None or (isinstance(lms, Mapping) and TOOL in lms):
        return lms
    return {**(lms if isinstance(lms, Mapping) else {"default": lms}), TOOL: tools}
