"""A plain client: the requests that a search makes, in its rounds, and nothing else. What our client is compared with.

A session of aiohttp, JSON in and out, no retries, no errors, no seeds, no bills. It asks what the search asked
(``rounds_of`` notes it), and waits for a round's last reply before it sends the next.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

import aiohttp

import tot
from tot.lm.base import OnReply

from .player import play

Rounds = list[list[bytes]]  # the JSON bodies of each round


class Plain:
    """Asks the server at ``base_url``; used in a ``with`` block."""

    def __init__(self, base_url: str) -> None:
        self.url = f"{base_url}/chat/completions"

    def __enter__(self) -> Plain:
        async def opened() -> aiohttp.ClientSession:
            connector = aiohttp.TCPConnector(limit=0)
            return aiohttp.ClientSession(connector=connector, headers={"Content-Type": "application/json"})

        self.runner = asyncio.Runner()
        self.session = self.runner.run(opened())
        return self

    def __exit__(self, *_: object) -> None:
        self.runner.run(self.session.close())
        self.runner.close()

    def __call__(self, searches: Sequence[Rounds]) -> None:
        """All searches at once, each one round after the other."""

        async def every() -> None:
            await asyncio.gather(*(self._search(rounds) for rounds in searches))

        self.runner.run(every())

    async def _search(self, rounds: Rounds) -> None:
        for bodies in rounds:
            await asyncio.gather(*map(self._ask, bodies))

    async def _ask(self, body: bytes) -> None:
        async with self.session.post(self.url, data=body) as response:
            assert json.loads(await response.read())["choices"]


class _Noting(tot.Scripted):
    """The player of the benchmark's server in this process; ``rounds`` has the bodies that a client would send."""

    def __init__(self) -> None:
        super().__init__(lambda request, i: play([{"content": request.messages[-1].content}], None, i))
        self.rounds: Rounds = []

    def __call__(self, requests: Sequence[tot.Request], on_reply: OnReply | None = None) -> list[tot.Reply]:
        self.rounds.append([body(request) for request in requests])
        return super().__call__(requests, on_reply)


def body(request: tot.Request) -> bytes:
    """The JSON of a request."""
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    return json.dumps({"model": "player", "messages": messages, "n": request.n}).encode()


def rounds_of(search: Callable[..., object]) -> Rounds:
    """What ``search(lm=lm)`` asks a model that plays as the server does."""
    noting = _Noting()
    search(lm=noting)
    return noting.rounds
