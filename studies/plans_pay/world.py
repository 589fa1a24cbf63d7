"""The world of the study: its problems, and the checkpoints that play."""

from __future__ import annotations

import re
from pathlib import Path

import tot
from studies.search_pays.players import Remembering
from studies.words.worded import worded
from tot.lm.base import LM
from tot.tasks.zero_shot import ZeroShot

TASK: ZeroShot = tot.task("gsm8k")
KEPT = re.compile(r"after_(\d+)M\.safetensors")


def checkpoints(folder: Path | None = None) -> dict[str, LM]:
    """The two of ``studies/words``, "L" and "S", and the judges in ``folder`` from the least trained one on, without
    one that is "S". Raises LMError for a file that is not readable.
    """
    files = {int(m[1]): path for path in folder.iterdir() if (m := KEPT.fullmatch(path.name))} if folder else {}
    kept = {f"{size}M": worded(weights=path) for size, path in sorted(files.items())}
    small = worded("small")
    between = {name: lm for name, lm in kept.items() if lm.weights != small.weights}
    found = {"L": worded(), **between, "S": small}
    return {name: Remembering(lm) for name, lm in found.items()}
