"""The end of a search, judged by the pocket model itself: a checkpoint that practised what a program always judged.

    python -m studies.pocket.alone [--player final] [--out FOLDER] [--tokens 3e6]

The published model was never asked about a single number, and refuses to say whether it is 24. Here it practises that,
and more answers, written and judged; two thirds of the sequences are those of its first training. Any further training
moves all that a model says a little, so ``Alone`` asks the practised weights about single numbers and answers only, and
the first ones about everything else: there it says what they say, sample by sample.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

from studies.pocket.data import MIX, Maker, wide
from studies.pocket.forms import REPLY, Shard, drawn
from tot.lm.base import LM, OnReply, Reply, Request
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
class EndMaker(Maker):
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
    return drawn(EndMaker(Random(f"alone {seed} {number}"), wide=wide(seed)), SHARD)


def template(request: Request) -> list[int]:
    """The published model's template, but a single number is a question like others."""
    if is_end(request) and _ONE.fullmatch(question := request.messages[-1].content):
        return [CONTROL_TOKEN["<value>"], *encode(question), REPLY]
    return prompt_tokens(request)


def is_end(request: Request) -> bool:
    """Is it about one number that is left, or about an answer, to be written down or judged?"""
    kind = instructions().get(request.messages[0].content) if request.messages else None
    return kind in ("<answer>", "<judge>") or (kind == "<value>" and bool(_ONE.fullmatch(request.messages[-1].content)))


class Alone(LM):
    """The model with the weights ``before``, whose ends are judged and written by the ``practised`` ones."""

    batched = True

    def __init__(self, practised: Path, before: Path | None = None, name: str = "alone", seed: int = 0) -> None:
        self.name = name
        self.ends, self.rest = Pocket(seed, practised, name, template=template), Pocket(seed, before, name)

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        ends = [is_end(request) for request in requests]
        said = {
            end: iter(lm([request for request, its in zip(requests, ends, strict=True) if its == end], on_reply))
            for end, lm in ((True, self.ends), (False, self.rest))
        }
        return [next(said[end]) for end in ends]


def main() -> None:
    from studies.search_pays.runs import weights_of
    from studies.training import arguments, train  # torch is needed for this only

    parser = arguments(__doc__, Path("_build/alone/final"), TOKENS)
    parser.add_argument("--player", default="final", help="which player of studies.search_pays goes on")
    parser.set_defaults(rate=RATE, early=0)
    a = parser.parse_args()
    a.start = a.start or weights_of([a.player], None)[a.player] or FILE
    train(a, make_shard)


if __name__ == "__main__":
    main()
