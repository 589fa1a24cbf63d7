"""A cassette of 10,000 samples: how fast it opens, and how fast it answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import tot

from .report import Row, at_least, under
from .server import Served

SAMPLES = 10_000


def measure(server: Served) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.jsonl"
        requests = generate(path)
        opened, answered = [], []
        for _ in range(3):
            began = time.perf_counter()
            cassette = tot.Cassette(path)
            opened.append(time.perf_counter() - began)
            began = time.perf_counter()
            for request in requests:
                cassette([request])
            answered.append(time.perf_counter() - began)
        size = path.stat().st_size / 1e6
    note = f"{size:.0f} MB; samples asked for one by one; best of three"
    yield under(f"a cassette of {SAMPLES:,} samples opens", min(opened), 0.5, "s")
    yield at_least(f"a cassette of {SAMPLES:,} samples answers", SAMPLES / min(answered), 20_000, "samples/s", note)


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
