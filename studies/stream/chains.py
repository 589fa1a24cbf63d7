"""Chapter 19's control: the pocket model, trained on as many further tokens as the stream model, but of chains.

    python -m studies.stream.chains [--out FOLDER] [--seed 0] [--tokens 28e6] ...

The same optimiser, learning rate and batch as ``studies.stream.train``. The chains are those of the pocket model's
first training: a solver's ways, on training puzzles. Afterwards it measures the chains on the 100 hard puzzles
and on the fresh ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from studies.figures import Figures, read, write
from studies.held_out import fresh
from studies.pocket.data import Maker, wide
from studies.pocket.forms import Shard, as_example
from studies.stream.data import BATCH
from studies.stream.measures import chained
from studies.trials import GAME
from treebook.players import FILE, Pocket

SHARD = 8_000  # chains made at a time


def make_shard(seed: int, number: int) -> Shard:
    """The same chains whenever it is called: a resumed training sees the same data."""
    maker = Maker(Random(f"chains {seed} {number}"), wide=wide(seed))
    examples = [as_example(maker.cot()) for _ in range(SHARD)]
    return [(example.tokens, example.learn) for example in examples]


def control(out: Path) -> list[Figures]:
    """What the trainings in OUT/chains-0, OUT/chains-1 ... left: how they were made, and their chains."""
    found: list[Figures] = []
    for file in sorted(out.glob("chains-*/measured.json")):
        lm = Pocket(weights=file.with_name("weights.safetensors"))
        about = lm.engine.metadata
        log = [json.loads(line) for line in file.with_name("log.jsonl").read_text("utf-8").splitlines()]
        row = {"weights": lm.weights[:12], "seed": int(about["seed"]), "tokens": int(about["tokens"])}
        row |= {"seconds": round(log[-1]["seconds"]), "device": about.get("device", "cpu"), "loss": log[-1]["loss"]}
        found.append(row | read(file))
    return found


def main() -> None:
    from studies.training import Muon, arguments, train  # torch is needed for this only

    parser = arguments(__doc__, Path("_build/stream/chains-0"), 28e6)
    parser.set_defaults(start=FILE, rate=2e-3, batch=BATCH, early=0)
    a = parser.parse_args()
    train(a, make_shard, optimiser_for=Muon)
    lm = Pocket(weights=a.out / "weights.safetensors")
    found = {"chains": chained(lm, GAME.problems("hard")), "fresh": chained(lm, fresh())}
    write(found, a.out / "measured.json")


if __name__ == "__main__":
    main()
