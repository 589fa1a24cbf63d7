"""One request's processor time, in our client, in a plain loop of aiohttp's, and in one of the standard library's.

All three send the same requests to the same server and read the same JSON, in turns within one run, so their ratio says
what our layer adds, on any machine. The server works in a process of its own; its own time stands beside ours.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import aiohttp

import tot
from tot.lm.base import Request
from tot.lm.openai import OpenAI
from tot.state import State

from .report import Row, at_most
from .server import Served

REQUESTS, TURNS = 400, 5
DELAY = 0.05


def measure(server: Served) -> Iterator[Row]:
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
            ours.append(processor(lambda: lm(requests)))
            theirs.append(server.stats()["seconds"] * 1000 / REQUESTS)
            plain.append(processor(lambda: runner.run(with_aiohttp(session, url, requests))))
            standard.append(processor(lambda: with_http_client(server.url(0), requests)))
        runner.run(session.close())
    note = (
        f"ms of processor a request: ours {min(ours):.2f}, aiohttp {min(plain):.2f}, http.client {min(standard):.2f}, "
        f"the server {min(theirs):.2f}; {REQUESTS} requests at once (http.client: in turn), best of {TURNS}"
    )
    yield at_most("one request: our processor time / plain aiohttp's", min(ours) / min(plain), 2, note=note)


def questions() -> list[Request]:
    """Value prompts of the Game of 24, for as many samples of each as it takes."""
    task = tot.task("game24")
    puzzles = task.problems("hard")
    return [task.value(State(puzzles[i % len(puzzles)].x)).samples(i, 1) for i in range(REQUESTS)]


def processor(job: Callable[[], object]) -> float:
    """Milliseconds of this process's processor for each request of the job."""
    began = time.process_time()
    job()
    return (time.process_time() - began) * 1000 / REQUESTS


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
