"""How the pocket model's training texts are written, where it matters to the notebook ``forward_pass``.

python -m studies.pocket.texts     # writes studies/results/pocket_texts.json
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from studies.figures import write
from studies.pocket.data import Maker, puzzles
from treebook.players.tokens import decode

RESULTS = Path("studies/results/pocket_texts.json")
TEXTS, PUZZLES, SEED = 2000, 150, 1


def counted() -> dict[str, int]:
    """Sums of two different numbers, those with the larger one first, and products in two stretches of fifty."""
    maker = Maker(Random(SEED), own=Random(SEED).sample(puzzles(), PUZZLES))
    found = {"texts": TEXTS, "sums": 0, "larger first": 0, "products 150 to 199": 0, "products 200 to 249": 0}
    for _ in range(TEXTS):
        example = maker.draw()
        said = decode(example.tokens[example.learn :])
        for a, b in re.findall(r"(?<![\d/)(])(\d+) \+ (\d+) = ", said):
            found["sums"] += a != b
            found["larger first"] += int(a) > int(b)
        for product in map(int, re.findall(r"\* \d+ = (\d+)", said)):
            found["products 150 to 199"] += 150 <= product < 200
            found["products 200 to 249"] += 200 <= product < 250
    return found


if __name__ == "__main__":
    write(counted(), RESULTS)
