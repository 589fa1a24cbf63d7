"""Twenty puzzles at once, against the time of one."""

from __future__ import annotations

from collections.abc import Iterator

import tot
from tot.lm.openai import OpenAI

from .bfs import fastest, search
from .report import Row, under
from .server import Served

PUZZLES = 20
CONCURRENCY = 1000  # never the limit: 20 puzzles x 40 requests


def measure(server: Served) -> Iterator[Row]:
    slow, fast = ratio(server, 0.5), ratio(server, 0.05)
    what = f"{PUZZLES} puzzles at once / one puzzle"
    yield under(f"{what}, replies after 500 ms", slow[0], 2, note=said(slow))
    yield Row(f"{what}, replies after 50 ms", fast[0], note=said(fast) + "; here the client's processor is the limit")


def said(measured: tuple[float, float, int]) -> str:
    _, rate, peak = measured
    return f"max_concurrency {CONCURRENCY}, at most {peak} in flight, {rate:.0f} HTTP calls a second"


def ratio(server: Served, delay: float) -> tuple[float, float, int]:
    """Time of all / time of one; HTTP calls a second; most requests in flight."""
    puzzles = tot.task("game24").problems("hard")[:PUZZLES]
    with OpenAI("player", base_url=server.url(delay), max_concurrency=CONCURRENCY) as lm:

        def all_at_once() -> None:
            runs = [tot.Job(tot.task("game24"), p, tot.method("tot-bfs"), {"compose": False}).start() for p in puzzles]
            assert all(not run.error for run in tot.run_many(runs, lm, at_once=PUZZLES))

        one = min(fastest(lambda: search(p, lm=lm, compose=False), 2)[0] for p in puzzles[:2])  # noqa: B023
        server.stats()
        together, _ = fastest(all_at_once, 2)
        stats = server.stats()
    return together / one, stats["calls"] / 2 / together, stats["peak"]
