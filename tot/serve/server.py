"""The HTTP server: who may come in, how much they may bring, and what they are told if it fails."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from hmac import compare_digest
from typing import Any, Protocol
from urllib.parse import urlsplit

from aiohttp import web

from ..lm.wire import is_loopback
from .asked import Asked, Refused
from .counting import Session
from .stream import completion, events

BODY, CONNECTIONS, SLOWEST = 32 << 20, 256, 60.0  # bytes of a request; at once; seconds that a body may take
PATHS = "POST /v1/chat/completions, GET /v1/models and POST /reset, each also below /s/NAME"
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Source(Protocol):
    """Where answers come from: ``Recordings`` or ``Searches``. ``model``: for requests that name none."""

    model: str

    async def models(self) -> list[str]:
        """The models that can be asked for."""

    async def samples(self, asked: Asked, numbers: list[int], key: str) -> list[dict[str, Any]]:
        """The samples with these numbers, like the lines of ``tot.serve.tape``; ``key``: the client's. Raises Refused.

        It is cancelled if the client leaves.
        """


class Server:
    """Serves a ``source`` at ``host``. A ``token``, which clients send as their key, is needed where others than this
    machine can come in.
    """

    def __init__(self, source: Source, *, host: str = "127.0.0.1", token: str = "") -> None:
        self.source, self.host, self.token = source, host, token
        self._sessions = defaultdict[str, Session](Session)
        self._runner: web.AppRunner | None = None
        self._listening: asyncio.Server | None = None
        if not (is_loopback(host) and host != "0.0.0.0" and host != "::") and not token:
            raise ValueError("others could come in there: set TOT_SERVE_TOKEN, which they then send as their API key")

    async def start(self, port: int) -> str:
        """Listen; port 0 is any free one. Returns the base URL for clients. Raises OSError if the port is taken."""
        app = web.Application(middlewares=[self._guarded], client_max_size=BODY)
        for root in ("", r"/s/{name:[\w.-]{1,200}}"):
            app.router.add_post(f"{root}/v1/chat/completions", self._chat)
            app.router.add_get(f"{root}/v1/models", self._models)
            app.router.add_post(f"{root}/reset", self._reset)
        how: dict[str, Any] = {"access_log": None, "keepalive_timeout": 30, "shutdown_timeout": 1}
        self._runner = runner = web.AppRunner(app, handler_cancellation=True, **how)
        await runner.setup()

        def door() -> asyncio.Protocol:
            assert runner.server
            return runner.server() if len(runner.server.connections) < CONNECTIONS else _Full()

        self._listening = await asyncio.get_running_loop().create_server(door, self.host, port)
        host, port = self._listening.sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"

    async def stop(self) -> None:
        """Close all connections."""
        if self._listening:
            self._listening.close()
        if self._runner:
            await self._runner.cleanup()

    # ---------------------------------------------------------------- what is asked

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        try:
            async with asyncio.timeout(SLOWEST):
                data = await request.read()
        except TimeoutError:
            raise Refused(408, f"the body did not arrive within {SLOWEST:.0f} s: send it again") from None
        asked = Asked.read(data, self.source.model)
        with self._turn(request, asked) as numbers:
            samples = await self.source.samples(asked, numbers, _key(request))
        # from here on it counts as told: whether a client reads it to the end would be another thing each time
        whole, told = completion(samples), {"X-Tot-Sample": ",".join(map(str, numbers))}
        if not asked.stream:
            return web.json_response(whole, headers=told)
        streamed = web.StreamResponse(headers=told | {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await streamed.prepare(request)
        for event in events(whole, asked.counts):
            await streamed.write(event)
        return streamed

    def _turn(self, request: web.Request, asked: Asked) -> Any:
        wanted, again = (request.headers.get(name, "") for name in ("X-Tot-Sample", "X-Stainless-Retry-Count"))
        if wanted:
            if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
                raise Refused(400, "X-Tot-Sample must be a whole number from 0")
            return nullcontext([*range(int(wanted), int(wanted) + asked.n)])
        retry = int(again) if again.isascii() and again.isdecimal() and len(again) < 5 else 0
        session = self._sessions[request.match_info.get("name", "")]
        return session.turn(asked.key, asked.n, retry, request.headers.get("Idempotency-Key", ""))

    async def _models(self, request: web.Request) -> web.Response:
        names = await self.source.models()
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "tot"} for name in names]
        return web.json_response({"object": "list", "data": listed})

    async def _reset(self, request: web.Request) -> web.Response:
        self._sessions.pop(request.match_info.get("name", ""), None)
        return web.json_response({"reset": True})

    # ---------------------------------------------------------------- who may ask

    @web.middleware
    async def _guarded(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        try:
            self._admit(request)
            return await handler(request)
        except Refused as error:
            refused = error
        except (web.HTTPNotFound, web.HTTPMethodNotAllowed):
            refused = Refused(404, f"there is no {request.method} {request.path[:200]} here: there are {PATHS}")
        except web.HTTPException as error:
            refused = Refused(error.status, f"{error.reason}: the largest body has {BODY >> 20} MiB")
        except Exception as error:
            refused = Refused(500, f"`tot serve` failed ({type(error).__name__}): please report what was asked")
        return web.json_response({"error": refused.error}, status=refused.status, headers=refused.headers)

    def _admit(self, request: web.Request) -> None:
        """Raises Refused for pages of the web, which may not spend money here, and for strangers."""
        try:
            name = urlsplit(f"//{request.host}").hostname or ""
        except ValueError:
            name = ""
        if is_loopback(self.host) and not self.token and not is_loopback(name):
            raise Refused(403, f"this server is not at {request.host[:200]!r}: ask it at its own address")
        if request.headers.get("Origin", f"http://{request.host}") != f"http://{request.host}":
            raise Refused(403, "web pages may not ask this server: ask it from a program")
        if self.token and not compare_digest(_key(request).encode(), self.token.encode()):
            raise Refused(401, "wrong token: send the server's TOT_SERVE_TOKEN as the API key")


def _key(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


class _Full(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()
