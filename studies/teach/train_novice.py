"""Train the novice, from nothing, on the rules alone. See ``studies.training``.

python -m studies.teach.train_novice [--out FOLDER] [--tokens 45e6] [--threads 2] ...
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from studies.pocket.data import SHARD
from studies.pocket.forms import Shard, drawn
from studies.teach.novice import Novice
from studies.training import arguments, train


def novice_shard(seed: int, number: int) -> Shard:
    return drawn(Novice(Random(f"novice {seed} {number}")), SHARD)


if __name__ == "__main__":
    train(arguments(__doc__, Path("_build/teach/novice"), 45e6).parse_args(), novice_shard)
