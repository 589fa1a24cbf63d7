"""Train the novice, from nothing, on the rules alone. Resumable: the same command goes on from the last checkpoint.

python -m studies.teach.train_novice [--out FOLDER] [--tokens 45e6] [--threads 2] ...
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from studies.pocket.forms import Shard, drawn
from studies.pocket.train import SHARD, arguments, train
from studies.teach.novice import Novice


def novice_shard(seed: int, number: int) -> Shard:
    return drawn(Novice(Random(f"novice {seed} {number}")), SHARD)


def main() -> None:
    train(arguments(__doc__, Path("_build/teach/novice"), 45e6).parse_args(), novice_shard)


if __name__ == "__main__":
    main()
