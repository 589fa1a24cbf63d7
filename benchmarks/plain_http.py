"""A plain client: the requests that a search makes, in its rounds, and nothing else. What our client is compared with.

Keep-alive connections of asyncio, JSON in and out, no retries, no errors, no seeds, no bills. It asks what the search
asked (``rounds_of`` notes it), and waits for a round's last reply before it sends the next.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import tot
from tot.lm.base import OnReply

from .player import play

Rounds = list[list[bytes]]  # the JSON bodies of each round


class Plain:
    """Asks the server at ``base_url``; used in a ``with`` block."""

    def __init__(self, base_url: str) -> None:
        address = urlsplit(base_url)
        self.host, self.port = address.hostname, address.port
        self.head = f"POST {address.path}/chat/completions HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: "
        self.idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self.loop = asyncio.new_event_loop()

    def __enter__(self) -> Plain:
        return self

    def __exit__(self, *_: object) -> None:
        for _, writer in self.idle:
            writer.close()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    def __call__(self, searches: Sequence[Rounds]) -> None:
        """All searches at once, each one round after the other."""

        async def every() -> None:
            await asyncio.gather(*(self._search(rounds) for rounds in searches))

        self.loop.run_until_complete(every())

    async def _search(self, rounds: Rounds) -> None:
        for bodies in rounds:
            await asyncio.gather(*map(self._ask, bodies))

    async def _ask(self, body: bytes) -> None:
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection(self.host, self.port)
        writer.write(f"{self.head}{len(body)}\r\n\r\n".encode() + body)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        answer = json.loads(await reader.readexactly(length))
        assert answer["choices"]
        self.idle.append((reader, writer))


class _Noting(tot.Scripted):
    """The player of the benchmark's server in this process; ``rounds`` has the bodies that a client would send."""

    def __init__(self) -> None:
        super().__init__(lambda request, i: play([{"content": request.messages[-1].content}], None, i))
        self.rounds: Rounds = []

    def __call__(self, requests: Sequence[tot.Request], on_reply: OnReply | None = None) -> list[tot.Reply]:
        self.rounds.append([_body(request) for request in requests])
        return super().__call__(requests, on_reply)


def _body(request: tot.Request) -> bytes:
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    return json.dumps({"model": "player", "messages": messages, "n": request.n}).encode()


def rounds_of(search: Callable[..., object]) -> Rounds:
    """What ``search(lm=lm)`` asks a model that plays as the server does."""
    noting = _Noting()
    search(lm=noting)
    return noting.rounds
