"""The stream model learns from its own successful streams, and from more of the old traces for comparison.

A round: both strategies' streams on the 962 training puzzles, of which those are kept that end in a right answer and
have no line that does not hold (the rules say which; nobody says how); then a short training on them. The control
trains as much on traces as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from studies.figures import write
from studies.pocket.forms import Shard
from studies.stream.data import BATCH, CONTEXT, rows, stream_shard
from studies.stream.judging import Known
from studies.stream.measures import is_right, read
from studies.stream.recording import stream_model
from studies.stream.searches import STRATEGIES
from studies.teach.searching import training_puzzles
from studies.trials import OWN
from tot.lm.base import LM
from treebook.players.streaming import prompt, searching
from treebook.players.tokens import END, encode

EACH = 4  # streams of each puzzle and strategy
TOGETHER = 60  # puzzles asked about at once
SAMPLES = 100_000  # round r draws samples from number 100,000 r on, which no measure does
ROWS = 400  # in a shard
TOKENS, RATE = 2e6, 5e-4  # of a round's training

Kept = list[tuple[str, str, str]]  # puzzle, strategy, a stream that was right


def harvest(lm: LM, number: int, puzzles: int | None = None) -> tuple[Kept, dict[str, Any]]:
    """The streams of round ``number`` that were right, each once; and figures. ``puzzles``: only so many (a trial)."""
    kept: Kept = []
    figures = {name: {"streams": 0, "right": 0, "different": 0, "tokens": 0, "puzzles": 0} for name in STRATEGIES}
    problems = training_puzzles()[: puzzles or None]
    for strategy, tally in figures.items():
        for at in range(0, len(problems), TOGETHER):
            some = problems[at : at + TOGETHER]
            first = SAMPLES * number
            asked = [searching(p.x, strategy).samples(first + OWN * (at + i), EACH) for i, p in enumerate(some)]
            for problem, reply in zip(some, lm(asked), strict=True):
                found = [(s.text, read(problem, s, strategy)) for s in reply.samples]
                good = [text for text, stream in found if is_right(problem, stream) and not stream.unread]
                tally["streams"] += len(reply.samples)
                tally["tokens"] += sum(s.completion_tokens for s in reply.samples)
                tally["right"] += len(good)
                tally["different"] += len(set(good))
                tally["puzzles"] += bool(good)
                kept += [(problem.x, strategy, text) for text in dict.fromkeys(good)]
    return kept, figures


def own_shard(seed: int, number: int, *, kept: Path) -> Shard:
    """Rows of kept streams, drawn at random."""
    streams: Sequence[Sequence[str]] = json.loads(kept.read_text("utf-8"))
    rng = Random(f"own {seed} {number}")

    def lessons() -> Iterator[list[int]]:
        while True:
            x, strategy, text = rng.choice(streams)
            yield [*prompt(x, strategy), *encode(text), END]

    return rows(lessons(), ROWS)


def more_shard(seed: int, number: int, *, known: Known) -> Shard:
    """The control: traces that the first training has not seen."""
    return stream_shard(seed, 10_000 + number, known=known)[:ROWS]


ARMS: Mapping[str, int] = {"own": 1, "more": 1}  # what is learned -> rounds


def play(arm: str, number: int, out: Path, known: Known, puzzles: int | None = None) -> None:
    """Round ``number`` of an arm, or what is missing of it. ``puzzles``: only so many to search, for a trial."""
    from studies.training import Muon, again  # torch is needed for this only

    folder = place(out, arm, number)
    folder.mkdir(parents=True, exist_ok=True)
    start = place(out, arm, number - 1) / "weights.safetensors"
    if arm == "own" and not (folder / "harvest.json").exists():
        kept, figures = harvest(stream_model(start), number, puzzles)
        if not kept:
            raise SystemExit(f"no stream of {start} was right: there is nothing to learn from")
        write(kept, folder / "kept.json")
        write(figures, folder / "harvest.json")
    if not (folder / "weights.safetensors").exists():
        own = partial(own_shard, kept=folder / "kept.json")
        shard = own if arm == "own" else partial(more_shard, known=known)
        tokens = TOKENS if puzzles is None else 20_000
        sizes = {"context": CONTEXT, "batch": BATCH}
        again(start, folder / "weights.safetensors", shard, Muon, tokens=tokens, rate=RATE, seed=number, **sizes)


def place(out: Path, arm: str, number: int) -> Path:
    """The folder of a round; round 0 is the model as it came from the traces."""
    return out / f"{arm}-{number}" if number else out / "model"
