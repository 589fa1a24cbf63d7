"""The published files: their names, where they may lie, and their shape."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GAME24_IO = "gpt-4_0.7_naive_standard_sample_100_start900_end1000.json"
GAME24_COT = "gpt-4_0.7_naive_cot_sample_100_start900_end1000.json"
GAME24_TOT = "gpt-4_0.7_propose1_value3_greedy5_start900_end1000.json"
CROSSWORDS_IO = "gpt-4_0.7_naive_standard_sample_10_start0_end20.json"
CROSSWORDS_COT = "gpt-4_0.7_naive_cot_sample_10_start0_end20.json"
CROSSWORDS_TOT = "infoss_dfs_prune.json"
CROSSWORDS_FREE = "infoss_dfs_no_prune.json"
CROSSWORDS_GAMES = "mini0505.json"
WRITING_IO = "gpt-4_1.0_naive_standard_sample_10_start0_end100.json"
WRITING_COT = "gpt-4_1.0_naive_cot_sample_10_start0_end100.json"
WRITING_TOT = "gpt-4_1.0_generate_sample_select_greedy_sample5_start0_end100.json"
WRITING_INPUTS = "data_100_random_text.txt"

Log = list[dict[str, Any]]


class Missing(Exception):
    """A file of the logs is not there. The message is for a person."""


@dataclass(frozen=True)
class Folder:
    """A folder with the published files, in it or in one of its folders."""

    path: Path

    def find(self, name: str) -> Path:
        """Where a file lies; of several the first. Raises Missing."""
        if not self.path.is_dir():
            raise Missing(f"skipped: there is no folder {self.path}")
        found = sorted(self.path.rglob(name))
        if not found:
            raise Missing(f"skipped: {name} is not in {self.path}")
        return found[0]

    def text(self, name: str) -> str:
        return self.find(name).read_text(encoding="utf-8")

    def log(self, name: str) -> Any:
        """A JSON file. Raises Missing, and ValueError for a file that is not JSON."""
        try:
            return json.loads(self.text(name))
        except json.JSONDecodeError as error:
            raise ValueError(f"{name} is damaged ({error}): download it again") from error

    def digest(self, names: Sequence[str]) -> Mapping[str, str]:
        """The first 16 hex digits of each file's SHA-256: which files the figures are of."""
        return {name: hashlib.sha256(self.find(name).read_bytes()).hexdigest()[:16] for name in names}
