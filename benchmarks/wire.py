"""What the wire costs: processor time of one request, and waiting time of one puzzle.

Our client and a plain one of aiohttp's send the same requests to the same server and read the same JSON, in turns
within one run, so their ratio says what our layer and the ``openai`` package add, on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import median

import tot
from tot.lm.base import Request
from tot.lm.openai import OpenAI
from tot.state import State

from .beside import beside, spent
from .bfs import search
from .plain_http import Plain, body
from .report import Row, at_most
from .server import Served

REQUESTS, DELAY, PUZZLES = 400, 0.05, 5


def measure(server: Served) -> Iterator[Row]:
    yield one_request(server)
    yield one_puzzle(server)


def one_request(server: Served) -> Row:
    url, requests = server.url(DELAY), questions()
    with OpenAI("player", base_url=url, max_concurrency=REQUESTS) as lm, Plain(url) as plain:
        found = beside(partial(lm, requests), lambda: plain([[[body(request) for request in requests]]]))
    ours, theirs = (each * 1000 / REQUESTS for each in (found.ours, found.plain))
    note = f"ms of processor a request: ours {ours:.2f}, aiohttp {theirs:.2f}; {REQUESTS} requests at once, best of 5"
    return at_most("one request: our processor time / plain aiohttp's", found.ratio, 8, note=note)


def one_puzzle(server: Served) -> Row:
    """ToT-BFS; of a few runs the one that took least, because noise only ever adds time."""
    ratios = []
    with OpenAI("player", base_url=server.url(DELAY), max_concurrency=REQUESTS) as lm:
        for puzzle in tot.task("game24").problems("hard")[: 4 * PUZZLES : 4]:
            one = partial(search, puzzle, lm=lm, compose=False)
            rounds = one().result.ledger.rounds
            ratios.append(min(spent(one)[1] for _ in range(3)) / (rounds * DELAY))
    note = f"wall time, median of {len(ratios)} puzzles; replies after {DELAY * 1000:.0f} ms"
    return at_most("one puzzle by ToT-BFS: wall / (rounds x delay)", median(ratios), 1.2, note=note)


def questions() -> list[Request]:
    """Value prompts of the Game of 24, for as many samples of each as it takes."""
    task = tot.task("game24")
    puzzles = task.problems("hard")
    return [task.value(State(puzzles[i % len(puzzles)].x)).samples(i, 1) for i in range(REQUESTS)]
