"""Sweeps on a Dask cluster of this machine: what a second worker saves, and what a job costs beside a bare task."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tot
from tot.ask import Search
from tot.events import Best
from tot.experiments import grid, run_experiment
from tot.lm.opening import open as open_lm
from tot.methods import Method
from tot.methods.base import Recipe

from .report import Row, at_most
from .server import Served

PUZZLES, DELAY, CONCURRENCY = 100, 0.05, 64
TRIVIAL = 10_000


class Nothing(Recipe):
    """A search that ends at once."""

    def search(self, task: Any, x: str) -> Search:
        yield Best([])


def measure(server: Served) -> Iterator[Row]:
    from treebook.cluster.client import connect

    game = tot.task("game24")
    jobs = grid(game, [("tot-bfs", {"compose": False})], game.problems("hard")[:PUZZLES])

    def sweep(jobs: list[tot.Job], client: Any) -> float:
        with tempfile.TemporaryDirectory() as folder:
            lm = open_lm("openai:player", base_url=server.url(DELAY), max_concurrency=CONCURRENCY)
            began = time.perf_counter()
            lines = run_experiment(jobs, lm, out=Path(folder) / "out.jsonl", cluster=client, progress=False)
            took = time.perf_counter() - began
        assert len(lines) == len(jobs) and not any("error" in line for line in lines)
        return took

    server.stats()
    here = sweep(jobs, None)
    calls = server.stats()["calls"]
    seconds = {}
    for workers in (1, 2):
        with connect(str(workers)) as client:
            sweep(jobs[:2], client)  # the workers have imported what they need
            seconds[workers] = sweep(jobs, client)
            if workers == 2:
                ours = sweep(grid(game, [Method("nothing", "ends at once", Nothing)], problems(TRIVIAL)), client)
                began = time.perf_counter()
                client.gather(client.map(abs, range(TRIVIAL), pure=False))
                bare = time.perf_counter() - began
    note = f"{PUZZLES} puzzles, {calls} calls of {DELAY * 1000:.0f} ms: {here:.1f} s in one process,"
    note += f" {seconds[1]:.1f} s with one worker, {seconds[2]:.1f} s with two; the server shares the cores"
    yield Row("a sweep on two Dask workers / on one", seconds[2] / seconds[1], note=note)
    yield at_most("a sweep on one Dask worker / in one process", seconds[1] / here, 1.5)
    note = f"{ours / TRIVIAL * 1000:.1f} ms a job, results file and all; {bare / TRIVIAL * 1000:.1f} ms a task"
    yield Row(f"{TRIVIAL:,} jobs that do nothing / bare tasks of Dask's", ours / bare, note=note)


def problems(n: int) -> list[tot.Problem]:
    return [tot.Problem(f"1 1 1 {i}", f"1 1 1 {i}") for i in range(1, n + 1)]
