"""The HTTP server: who may come in, how much they may bring, and what they are told if it fails."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web

from ..jsonlines import FileTrouble
from ..lm.base import LMError
from ..lm.wire import is_loopback
from .asked import Asked, Refused
from .counting import Session
from .stream import completion, events

if TYPE_CHECKING:
    from .recordings import Recordings
    from .searches import Searches

BODY, CONNECTIONS, SLOWEST = 32 << 20, 256, 60.0  # bytes of a request; at once; seconds that a body may take
PATHS = "POST /v1/chat/completions, GET /v1/models and POST /reset, each also below /s/NAME"
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Serves a ``source`` at ``host``. A ``token``, which clients send as their key, is needed where others than this
    machine can come in; without one there it raises ValueError.
    """

    def __init__(self, source: Recordings | Searches, *, host: str = "127.0.0.1", token: str = "") -> None:
        self.source, self.host, self.token = source, host, token
        self._sessions = defaultdict[str, Session](Session)
        if not token and (not is_loopback(host) or host in ("0.0.0.0", "::")):
            raise ValueError("others could come in there: set TOT_SERVE_TOKEN, which they then send as their API key")

    async def start(self, port: int) -> str:
        """Listen; port 0 is any free one. Returns the base URL for clients. Raises OSError if the port is taken."""
        app = web.Application(middlewares=[self._guarded], client_max_size=BODY)
        for root in ("", r"/s/{name:[\w.-]{1,200}}"):
            app.router.add_post(f"{root}/v1/chat/completions", self._chat)
            app.router.add_get(f"{root}/v1/models", self._models)
            app.router.add_post(f"{root}/reset", self._reset)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        self._listening = await asyncio.get_running_loop().create_server(self._door, self.host, port)
        host, port = self._listening.sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"

    def _door(self) -> asyncio.Protocol:
        server = self._runner.server
        return server() if server and len(server.connections) < CONNECTIONS else _Full()

    async def stop(self) -> None:
        """Close all connections."""
        self._listening.close()
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
        if not asked.body.get("stream"):
            return web.json_response(whole, headers=told)
        options = asked.body.get("stream_options")
        counts = isinstance(options, dict) and bool(options.get("include_usage"))
        return web.Response(body=b"".join(events(whole, counts)), headers=told, content_type="text/event-stream")

    def _turn(self, request: web.Request, asked: Asked) -> Any:
        """The numbers of the samples that this call gets."""
        told = request.headers
        try:
            if "X-Tot-Sample" in told:
                first = int(told["X-Tot-Sample"])
                return nullcontext([*range(max(first, 0), max(first, 0) + asked.n)])
            retry = int(told.get("X-Stainless-Retry-Count", 0))
        except ValueError:
            raise Refused(400, "X-Tot-Sample and X-Stainless-Retry-Count must be whole numbers") from None
        session = self._sessions[request.match_info.get("name", "")]
        return session.turn(asked.key, asked.n, retry, told.get("Idempotency-Key", ""))

    async def _models(self, request: web.Request) -> web.Response:
        about = {"object": "model", "created": 0, "owned_by": "tot"}
        return web.json_response({"object": "list", "data": [{"id": id, **about} for id in await self.source.models()]})

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
        except (LMError, FileTrouble) as error:
            refused = Refused(500, str(error))
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
