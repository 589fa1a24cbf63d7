"""What the wire costs: processor time of one request, waiting time of one puzzle, and of twenty puzzles at once.

Our client, a plain loop of aiohttp's and one of the standard library's send the same requests to the same server and
read the same JSON, in turns within one run, so their ratio says what our layer adds, on any machine. The server works
in a process of its own; its processor time stands beside ours.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, TypeVar
from urllib.parse import urlsplit

import aiohttp

import tot
from tot.lm.base import Request
from tot.lm.openai import OpenAI
from tot.state import State

from .bfs import search
from .report import Row, at_most
from .server import Served

T = TypeVar("T")

REQUESTS, TURNS = 400, 5
DELAY = 0.05
PUZZLES = 20
CONCURRENCY = 1000  # never the limit: 20 puzzles x 40 requests


def measure(server: Served) -> Iterator[Row]:
    yield one_request(server)
    puzzles = tot.task("game24").problems("hard")[:PUZZLES]
    with OpenAI("player", base_url=server.url(DELAY), max_concurrency=CONCURRENCY) as lm:
        search(puzzles[0], lm=lm, compose=False)
        yield from puzzles_alone_and_together(server, lm, puzzles)


def puzzles_alone_and_together(server: Served, lm: OpenAI, puzzles: list[tot.Problem]) -> Iterator[Row]:
    """ToT-BFS; seconds are the least of a few runs, because noise only ever adds time."""
    ratios, alone = [], []
    for puzzle in puzzles[::4]:
        runs = [timed(lambda: search(puzzle, lm=lm, compose=False)) for _ in range(3)]  # noqa: B023 - called at once
        alone.append(min(seconds for seconds, _ in runs))
        ratios.append(alone[-1] / (runs[0][1].result.ledger.rounds * DELAY))
    note = f"wall time, median of {len(ratios)} puzzles; replies after {DELAY * 1000:.0f} ms"
    yield at_most("one puzzle by ToT-BFS: wall / (rounds x delay)", median(ratios), 1.2, note=note)

    def together() -> None:
        jobs = [tot.Job(tot.task("game24"), puzzle, tot.method("tot-bfs"), {"compose": False}) for puzzle in puzzles]
        runs = tot.run_many([job.start(lm) for job in jobs], at_once=PUZZLES)
        assert all(not run.error for run in runs)

    server.stats()
    seconds, ours = min((timed(together)[0], processor(together, 1)) for _ in range(2))
    stats = server.stats()
    calls = stats["calls"] / 4
    note = (
        f"{seconds:.2f} s for {calls:.0f} HTTP calls; ms of processor a call: ours {ours / calls:.2f} with the search, "
        f"the server's {stats['seconds'] * 1000 / stats['calls']:.2f}; at most {stats['peak']:.0f} in flight"
    )
    what = f"{PUZZLES} puzzles at once / one puzzle, replies after {DELAY * 1000:.0f} ms"
    yield Row(what, seconds / median(alone), figure="at most 5 on a quiet machine", note=note)


def one_request(server: Served) -> Row:
    url = server.url(DELAY)
    requests = questions()
    with OpenAI("player", base_url=url, max_concurrency=REQUESTS) as lm, asyncio.Runner() as runner:
        session = runner.run(opened())
        runner.run(with_aiohttp(session, url, requests))
        ours: list[float] = []
        plain: list[float] = []
        theirs: list[float] = []
        standard: list[float] = []
        lm(requests)  # connections, and what is learnt at the first use
        for _ in range(TURNS):
            server.stats()
            ours.append(processor(lambda: lm(requests), REQUESTS))
            theirs.append(server.stats()["seconds"] * 1000 / REQUESTS)
            plain.append(processor(lambda: runner.run(with_aiohttp(session, url, requests)), REQUESTS))
            standard.append(processor(lambda: with_http_client(server.url(0), requests), REQUESTS))
        runner.run(session.close())
    note = (
        f"ms of processor a request: ours {min(ours):.2f}, aiohttp {min(plain):.2f}, http.client {min(standard):.2f}, "
        f"the server {min(theirs):.2f}; {REQUESTS} requests at once (http.client: in turn), best of {TURNS}"
    )
    return at_most("one request: our processor time / plain aiohttp's", min(ours) / min(plain), 8, note=note)


def questions() -> list[Request]:
    """Value prompts of the Game of 24, for as many samples of each as it takes."""
    task = tot.task("game24")
    puzzles = task.problems("hard")
    return [task.value(State(puzzles[i % len(puzzles)].x)).samples(i, 1) for i in range(REQUESTS)]


def processor(job: Callable[[], object], requests: int) -> float:
    """Milliseconds of this process's processor for each of so many requests of the job."""
    began = time.process_time()
    job()
    return (time.process_time() - began) * 1000 / requests


def timed(job: Callable[[], T]) -> tuple[float, T]:
    """Wall-clock seconds of the job, and its result."""
    began = time.perf_counter()
    result = job()
    return time.perf_counter() - began, result


def plainly(request: Request) -> bytes:
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    return json.dumps({"model": "player", "messages": messages, "seed": request.first, **request.params}).encode()


async def opened() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0)
    return aiohttp.ClientSession(connector=connector, headers={"Content-Type": "application/json"})


async def with_aiohttp(session: aiohttp.ClientSession, url: str, requests: Sequence[Request]) -> list[Any]:
    """What ten lines can do: no retries, no deadlines, no counts."""

    async def ask(request: Request) -> Any:
        async with session.post(f"{url}/chat/completions", data=plainly(request)) as response:
            return json.loads(await response.read())

    return await asyncio.gather(*map(ask, requests))


def with_http_client(url: str, requests: Sequence[Request]) -> list[Any]:
    """One after another, over one connection."""
    where, answers = urlsplit(url), []
    connection = http.client.HTTPConnection(where.netloc)
    for request in requests:
        connection.request("POST", f"{where.path}/chat/completions", plainly(request))
        answers.append(json.loads(connection.getresponse().read()))
    connection.close()
    return answers
