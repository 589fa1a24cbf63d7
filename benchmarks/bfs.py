"""ToT-BFS: how many rounds, how long beside a plain client, and the same answers as one request at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import tot
from tot.lm.openai import OpenAI

from .beside import beside
from .plain_http import Plain, rounds_of
from .report import Row, at_most, seconds
from .server import Served

DELAY = 0.05
CONCURRENCY = 64  # more than the 40 requests of the largest round: 5 states x 8 steps, each valued by one request

search = partial(tot.solve, "game24", method_name="tot-bfs", breadth=5, values=3)


def measure(server: Served) -> Iterator[Row]:
    puzzles = tot.task("game24").problems("hard")
    lm = OpenAI("player", base_url=server.url(DELAY), max_concurrency=CONCURRENCY)
    for compose, most in ((False, 8), (True, 6)):
        what = f"ToT-BFS b=5, 3 values, answer {'composed' if compose else 'asked'}"
        rounds, beyond, ratios, took = [], [], [], []
        for puzzle in puzzles[::10]:
            one = partial(search, puzzle, compose=compose)
            rounds.append(one(lm=lm).result.ledger.rounds)
            asked = rounds_of(one)
            with Plain(server.url(DELAY)) as plain:
                found = beside(partial(one, lm=lm), partial(plain, [asked]), 3, time.perf_counter)
            ratios.append(found.ratio)
            beyond.append(found.ours / (rounds[-1] * DELAY))
            took.append(found.wall)
        yield at_most(f"{what}: rounds, worst of {len(rounds)}", max(rounds), most)
        note = f"wall time; replies after {DELAY * 1000:.0f} ms, max_concurrency {CONCURRENCY}; median of {len(rounds)}"
        figure = f"{median(beyond):.3g} x (rounds x delay), {seconds(median(took))}"
        yield at_most(f"{what} / the same requests by a plain client", median(ratios), 1.5, figure=figure, note=note)
    yield same_answers(server, puzzles)


def same_answers(server: Served, puzzles: list[tot.Problem]) -> Row:
    """Answers and whole traces: many at once, replies in random order, against one request at a time."""
    with OpenAI("player", base_url=server.url(0), max_concurrency=1) as lm:
        serial = {puzzle.id: record(search(puzzle, lm=lm, compose=False)) for puzzle in puzzles}
    jobs = [tot.Job(tot.task("game24"), p, tot.method("tot-bfs"), {"compose": False}) for p in puzzles]
    with OpenAI("player", base_url=server.url(0.02, jitter=True), max_concurrency=256) as lm:
        runs = [(job, job.start(lm)) for job in jobs]
        for _ in tot.run_many((run for _, run in runs), at_once=20):
            pass
    together = {job.problem.id: record(job.finish(run)) for job, run in runs}
    differ = sum(serial[x] != together[x] for x in serial)
    solved = sum(answer["correct"] for answer, _ in serial.values())
    note = f"answers and traces; {solved} of {len(serial)} solved by the program behind the server"
    return at_most(f"puzzles of {len(serial)} that end differently from one request at a time", differ, 0, note=note)


def record(solution: tot.Solution) -> tuple[dict[str, Any], Any]:
    return {**solution.to_dict(), "params": None}, solution.trace.events
