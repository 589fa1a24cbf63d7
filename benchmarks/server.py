"""An OpenAI-compatible server that plays the Game of 24 by program and answers after a fixed delay.

    with running() as server:
        lm = OpenAI("player", base_url=server.url(delay=0.05))

The delay is part of the address (``/50ms/v1``, ``/jitter50ms/v1`` for a random one of that mean), so one server serves
all measurements. It has a process of its own, so that it does not share the interpreter lock with the client that is
timed, and one thread: hundreds of requests may wait at once. HTTP/1.1 with keep-alive; standard library only.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .player import play


@dataclass(frozen=True)
class Served:
    root: str

    def url(self, delay: float, *, jitter: bool = False) -> str:
        """The base URL at which each answer takes ``delay`` seconds (jitter: 0 to 2 x delay, at random)."""
        return f"{self.root}/{'jitter' if jitter else ''}{delay * 1000:.0f}ms/v1"

    def stats(self) -> dict[str, float]:
        """``calls`` answered, ``peak`` of requests in progress at once, and ``seconds`` of the server's own processor
        time, since the last time this was asked.
        """
        with urllib.request.urlopen(f"{self.root}/stats", timeout=60) as answer:
            stats: dict[str, float] = json.load(answer)
            return stats


@contextmanager
def running() -> Iterator[Served]:
    """The server in its own process; it ends with this block, or with this process."""
    command = [sys.executable, "-m", "benchmarks.server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        yield Served(process.stdout.readline().strip())
        process.stdin.close()


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """The answer to the JSON body of a request. Tokens are words."""
    texts = [play(body["messages"], body.get("seed"), i) for i in range(body.get("n") or 1)]
    choices = [
        {"index": i, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for i, text in enumerate(texts)
    ]
    prompt = sum(len(message["content"].split()) for message in body["messages"])
    said = sum(len(text.split()) + 1 for text in texts)
    usage = {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}
    head = {"id": "player", "object": "chat.completion", "created": 0, "model": "player"}
    return head | {"choices": choices, "usage": usage}


class Stats:
    def __init__(self) -> None:
        self.calls = self.peak = self.open = 0
        self.seconds = time.process_time()


class Connection(asyncio.Protocol):
    """One keep-alive connection; its requests come one after another."""

    def __init__(self, stats: Stats) -> None:
        self.stats, self.buffer = stats, b""
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        arrived = self.loop.time()
        self.buffer += data
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        length = int(found[1]) if (found := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)) else 0
        if not end or len(rest) < length:
            return
        self.buffer = rest[length:]
        path = head.split(b" ", 2)[1].decode()
        if path == "/stats":
            seconds, self.stats.seconds = time.process_time() - self.stats.seconds, time.process_time()
            self.send({"calls": self.stats.calls, "peak": self.stats.peak, "seconds": seconds})
            self.stats.calls, self.stats.peak = 0, self.stats.open
        elif path.endswith("/models"):
            self.send({"object": "list", "data": [{"id": "player", "object": "model", "owned_by": "benchmarks"}]})
        else:
            self.stats.open += 1
            self.stats.peak = max(self.stats.peak, self.stats.open)
            seconds = int(path.split("/")[1].removeprefix("jitter").removesuffix("ms")) / 1000
            if path.startswith("/jitter"):
                seconds *= random.uniform(0, 2)
            answer = completion(json.loads(rest[:length]))  # thinking is part of the delay
            self.loop.call_at(arrived + seconds, self.answer, answer)

    def answer(self, answer: dict[str, Any]) -> None:
        self.stats.open -= 1
        self.stats.calls += 1
        self.send(answer)

    def send(self, answer: dict[str, Any]) -> None:
        payload = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
        if not self.transport.is_closing():
            self.transport.write(head.encode() + payload)


async def serve() -> None:
    loop, stats = asyncio.get_running_loop(), Stats()
    server = await loop.create_server(lambda: Connection(stats), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)  # until the parent closes the pipe, or is gone


if __name__ == "__main__":
    asyncio.run(serve())
