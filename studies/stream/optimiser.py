"""Muon for the matrices, AdamW for the rest (Jordan et al. 2024, "Muon: An optimizer for hidden layers").

Muon takes a step that changes all directions of a matrix alike. In a first look, at one million tokens, it was where
AdamW alone came a fifth later; no other rate was tried.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import Parameter

TIMES = 3.0  # the matrices' learning rate, as a multiple of the others'


class Muon:
    """Both optimisers as one, as ``studies.pocket.train`` needs it."""

    def __init__(self, matrices: list[Parameter], others: list[Parameter], rate: float) -> None:
        self.parts = (
            torch.optim.Muon(matrices, lr=rate, momentum=0.95, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True),
        )
        for group in self.parts[0].param_groups:
            group["times"] = TIMES

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        return [group for part in self.parts for group in part.param_groups]

    def zero_grad(self) -> None:
        for part in self.parts:
            part.zero_grad()

    def step(self) -> None:
        for part in self.parts:
            part.step()

    def state_dict(self) -> list[dict[str, Any]]:
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, state: list[dict[str, Any]]) -> None:
        for part, kept in zip(self.parts, state, strict=True):
            part.load_state_dict(kept)
