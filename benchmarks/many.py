"""Twenty puzzles at once, beside a plain client that asks the same at once. (``wire``: against one puzzle.)"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import tot
from tot.lm.openai import OpenAI

from .beside import beside
from .bfs import search
from .plain_http import Plain, rounds_of
from .report import Row, at_most, seconds
from .server import Served

PUZZLES, DELAY = 20, 0.5
CONCURRENCY = 1000  # never the limit: 20 puzzles x 40 requests


def measure(server: Served) -> Iterator[Row]:
    puzzles = tot.task("game24").problems("hard")[:PUZZLES]
    asked = [rounds_of(partial(search, puzzle, compose=False)) for puzzle in puzzles]
    url = server.url(DELAY)
    with OpenAI("player", base_url=url, max_concurrency=CONCURRENCY) as lm, Plain(url) as plain:

        def together() -> None:
            jobs = [tot.Job(tot.task("game24"), p, tot.method("tot-bfs"), {"compose": False}) for p in puzzles]
            runs = [job.start(lm) for job in jobs]
            assert all(not run.error for run in tot.run_many(runs, at_once=PUZZLES))

        found = beside(together, partial(plain, asked), 2, time.perf_counter)
        alone = beside(partial(search, puzzles[0], lm=lm, compose=False), partial(plain, asked[:1]), 2)
        server.stats()
        together()
        stats = server.stats()
    figure = f"{seconds(found.wall)}, {found.wall / alone.wall:.3g} x the time of one puzzle"
    note = f"wall time; max_concurrency {CONCURRENCY}, at most {stats['peak']} in flight, {stats['calls']} HTTP calls,"
    note += f" {stats['calls'] / found.wall:.0f} a second"
    what = f"{PUZZLES} puzzles at once, replies after {DELAY * 1000:.0f} ms / the same requests by a plain client"
    yield at_most(what, found.ratio, 2, figure=figure, note=note)
