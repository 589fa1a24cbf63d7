"""Train the pocket model, on sequences by the package's solver (``data``). See ``studies.training``.

python -m studies.pocket.train [--out FOLDER] [--tokens 66e6] [--seed 0] ...

FOLDER/early.safetensors is the weaker of the study's two models; with --keep 4e6,8e6 FOLDER/after_4M.safetensors and
FOLDER/after_8M.safetensors are players of ``studies.search_pays``.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from studies.pocket.data import SHARD, Maker, wide
from studies.pocket.forms import Shard, drawn
from studies.training import arguments, train


def make_shard(seed: int, number: int) -> Shard:
    """The same sequences whenever it is called: a resumed training sees the same data."""
    return drawn(Maker(Random(f"shard {seed} {number}"), wide=wide(seed)), SHARD)


if __name__ == "__main__":
    train(arguments(__doc__, Path("_build/pocket"), 66e6).parse_args(), make_shard)
