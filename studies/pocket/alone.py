"""The pocket model for searches that nobody checks: it goes on to learn what a program always judged before.

    python -m studies.pocket.alone [--start WEIGHTS] [--out FOLDER] [--tokens 3e6]

The published model was never asked about a single number, and refuses to say whether it is 24. Here it practises that,
and more answers, written and judged; two thirds of the sequences are those of its first training, so that the rest of
what it can do stays. A model of its own, ``alone``: the published weights and their samples stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

from studies.pocket.data import MIX, Maker, wide
from studies.pocket.forms import REPLY, Shard, drawn
from tot.lm.base import Request
from tot.tasks.game24_rules import TARGET, show_numbers
from treebook.players import FILE, Pocket
from treebook.players.forms import Form
from treebook.players.template import instructions, prompt_tokens
from treebook.players.tokens import CONTROL_TOKEN, encode

TOKENS, RATE = 3e6, 5e-4
SHARD = 4_000  # sequences made at a time
NEW = {"value 1": 0.11, "answer": 0.12, "judge": 0.10}  # shares of the data beside the first training's mix
_ONE = re.compile(r"-?\d{1,9}(/[1-9]\d{0,8})?", re.ASCII)


@dataclass
class Alone(Maker):
    """Draws sequences of the first training's kinds, single numbers among them, and more answers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        old = 1 - sum(NEW.values())
        shares = {kind: old * MIX.get(kind, 0) + NEW.get(kind, 0) for kind in [*MIX, *NEW]}
        self.kinds, self.weights = list(shares), list(shares.values())
        self.makers["value 1"] = self.single

    def single(self) -> Form:
        """Is one number 24? Half of the time it is; else what is left below a training puzzle, or any number."""
        if self.rng.random() < 0.45:
            number = Fraction(TARGET)
        elif self.rng.random() < 0.6:
            (number,) = self.state(1, 0.0)
        else:
            number = Fraction(self.rng.randint(-60, 250), self.rng.choice((1, 1, 1, 2, 3, 4, 5, 7)))
        said = show_numbers((number,))
        return "<value>", said, f"{said}. sure" if number == TARGET else f"{said}, not 24. impossible"


def make_shard(seed: int, number: int) -> Shard:
    return drawn(Alone(Random(f"alone {seed} {number}"), wide=wide(seed)), SHARD)


def template(request: Request) -> list[int]:
    """The published model's template, but a single number is a question like others."""
    if request.messages and instructions().get(request.messages[0].content) == "<value>":
        question = request.messages[-1].content
        if _ONE.fullmatch(question):
            return [CONTROL_TOKEN["<value>"], *encode(question), REPLY]
    return prompt_tokens(request)


def alone(weights: Path, name: str = "alone", seed: int = 0) -> Pocket:
    """The model of ``main`` as an LM. Raises LMError for an unreadable file."""
    return Pocket(seed, weights, name=name, template=template)


def main() -> None:
    from studies.training import arguments, train  # torch is needed for this only

    parser = arguments(__doc__, Path("_build/alone"), TOKENS)
    parser.set_defaults(start=FILE, rate=RATE, early=0)
    train(parser.parse_args(), make_shard)


if __name__ == "__main__":
    main()
