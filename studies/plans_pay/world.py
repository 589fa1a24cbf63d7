"""The world of the study: its problems, and the checkpoints that play."""

from __future__ import annotations

import re
from pathlib import Path

import tot
from studies.trials import Remembering
from tot.lm.base import LM
from tot.tasks.zero_shot import ZeroShot
from treebook.players.worded import worded

TASK: ZeroShot = tot.task("gsm8k")
KEPT = re.compile(r"after_(\d+)M\.safetensors")


def checkpoints(folder: Path | None = None) -> dict[str, LM]:
    """The two that come with tot, "L" and "S", and between them what ``studies.words.train`` left in ``folder``:
    "first", the large one before its second round, and "1M", "2M" and so on, after so many tokens of that round. Raises
    LMError for a file that is not readable.
    """
    found = {"L": worded()}
    if folder:
        found["first"] = worded(weights=folder / "weights.safetensors")
        kept = {int(m[1]): path for path in (folder / "again").iterdir() if (m := KEPT.fullmatch(path.name))}
        found |= {f"{size}M": worded(weights=path) for size, path in sorted(kept.items())}
    found["S"] = worded("small")
    return {name: Remembering(lm) for name, lm in found.items()}
