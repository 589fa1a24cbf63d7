"""A cassette of 10,000 samples: how fast it opens and answers, beside plain reading of the JSON in it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import tot

from .beside import beside
from .report import Row, at_most, number, seconds
from .server import Served

SAMPLES = 10_000


def measure(server: Served) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.jsonl"
        requests = generate(path)
        cassette = tot.Cassette(path)

        def read() -> object:
            with path.open(encoding="utf-8") as file:
                return [json.loads(line) for line in file]

        opening = beside(lambda: tot.Cassette(path), read)
        answering = beside(lambda: [cassette([request]) for request in requests], read)
        size = path.stat().st_size / 1e6
    what = f"a cassette of {SAMPLES:,} samples"
    note = f"{size:.0f} MB; samples asked for one by one"
    yield at_most(f"{what} opens / json.loads of its lines", opening.ratio, 2.5, figure=seconds(opening.wall))
    figure = f"{number(SAMPLES / answering.wall)} samples/s"
    yield at_most(f"{what} answers / json.loads of its lines", answering.ratio, 6, figure=figure, note=note)


def generate(path: Path) -> list[tot.Request]:
    """Record propose, value, IO and CoT samples of all puzzles; return a request for each sample."""
    task = tot.task("game24")
    states = [tot.State(puzzle.x) for puzzle in task.problems("all")]
    prompts = [ask(state) for ask in (task.value, task.io, task.cot) for state in states]
    prompts += [task.propose(state, "one-shot") for state in states]
    needed = -(-SAMPLES // len(prompts))
    requests = [prompt.samples(i, 1) for prompt in prompts for i in range(needed)][:SAMPLES]
    lm = tot.Scripted(lambda request, i: f"{i} + 5 = {i + 5} (left: {i + 5} 9 12)\n" * 4)
    with tot.Cassette(path, lm) as cassette:
        cassette(requests)
    return requests
