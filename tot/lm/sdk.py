"""The usual transport: the ``openai`` package over aiohttp. No other module imports it, and this one is imported at the
first request, so that ``import tot`` and replays do without.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import threading
from base64 import b64encode
from collections.abc import Callable, Coroutine, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

import aiohttp  # noqa: F401 (the package's client needs it, and says so late)
import httpx2
import openai

from .base import LMError
from .daemons import Daemons, waited
from .pace import Pace
from .transport import HTTPFailure, Kind
from .wire import FORKED, is_loopback, readable_url

T = TypeVar("T")
LARGEST = 64 << 20  # bytes of a response: ten samples of a megabyte, with log probabilities, are far below
CONNECT = 10.0  # seconds
_MACHINE = ("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Async")  # no server need know


def _readable(record: logging.LogRecord) -> bool:
    """The package's client logs whole addresses, which may hold a key."""
    if isinstance(record.args, tuple):
        record.args = tuple(readable_url(str(arg)) if isinstance(arg, httpx2.URL) else arg for arg in record.args)
    return True


logging.getLogger("httpx2").addFilter(_readable)


class Sdk:
    """Asks through ``client``, which keeps its own timeout and is left open, or without one through a client for
    ``base_url`` and ``key``. ``pace``: how many at once, and how long it waits.

    The calls run in an event loop in a thread of its own. Nothing joins this thread, and those that it uses, when the
    interpreter exits: after Ctrl-C a program ends at once, though a server hangs, or the lookup of its name.
    """

    def __init__(
        self, client: openai.OpenAI | openai.AsyncOpenAI | None, *, base_url: str, key: str, pace: Pace
    ) -> None:
        self.name = f"openai {openai.__version__}"
        self._own = client is None
        self._client: Any = client.with_options(max_retries=0) if client else connected(base_url, key, pace)
        self._root = str(self._client.base_url).rstrip("/") if self._own else ""  # a whole address is not joined again
        self._closed, self._lock, self._pace, self._process = False, threading.Lock(), pace, os.getpid()
        self.loop = asyncio.new_event_loop()
        self.loop.set_default_executor(Daemons())
        # at the exit of a program the thread still has the client: aiohttp complains of one that nobody closed
        threading.Thread(target=_serve, args=(self.loop, self._client), name="tot-lm", daemon=True).start()

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> str:
        """As ``Transport`` says; a client of the user's keeps its own time."""
        limit = self._pace.patience(seconds, body.get("n", 1)) if self._own else nullcontext()
        return (await self._exchange(self._client.post, path, limit, body=body))[0]

    async def get(self, path: str, seconds: float) -> tuple[str, str]:
        """As ``Transport`` says."""
        limit = asyncio.timeout(seconds if self._own else None)
        return await self._exchange(self._client.get, path, limit, options={"timeout": seconds})

    async def sleep(self, seconds: float) -> None:
        """As ``Transport`` says."""
        await asyncio.sleep(seconds)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """As ``Transport`` says. Raises LMError if this is closed, or was made before the process was forked."""
        with self._lock:
            if self._closed or os.getpid() != self._process:
                work.close()
                raise LMError(FORKED if not self._closed else "the model was closed before it was asked: ask again")
            done = asyncio.run_coroutine_threadsafe(work, self.loop)
        return waited(done)

    def close(self) -> None:
        """Let what is running end, then the connections and the thread. Returns at once."""
        with self._lock:
            if not self._closed:
                self._closed = True
                asyncio.run_coroutine_threadsafe(self._end(), self.loop)

    async def _end(self) -> None:
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)
        if self._own:
            await self._client.close()
        self.loop.stop()

    async def _exchange(self, ask: Callable[..., Any], path: str, limit: Any, **more: Any) -> tuple[str, str]:
        """The text of a response, of which nothing is parsed, and its Server header."""
        more["options"] = {"follow_redirects": False, **more.get("options", {})}
        job = partial(ask, self._root + path, cast_to=httpx2.Response, **more)
        blocks = isinstance(self._client, openai.OpenAI)
        try:
            async with limit:
                response: httpx2.Response = await (self.loop.run_in_executor(None, job) if blocks else job())
            return decoded(response), response.headers.get("Server", "")
        except HTTPFailure:
            raise
        except openai.APIStatusError as error:  # of a client of the user's
            raise HTTPFailure.answered(error.status_code, decoded(error.response), error.response.headers) from None
        except Exception as error:
            if getattr(error, "encoding", "") == "utf-8":  # of the prompt, not of a host's name
                raise
            kind, why = reason(error)
            if kind == "timeout" and not self._own:
                why = "the timeout of its client"
            raise HTTPFailure(kind, why) from None  # whose words may quote the password of a proxy


def reason(error: Exception) -> tuple[Kind, str]:
    """Why there was no answer. The package has few words for it, so what caused its exception is looked at."""
    causes: list[BaseException] = [error]
    while deeper := causes[-1].__cause__:
        causes.append(deeper)
    names = {each.__name__ for cause in causes for each in type(cause).__mro__}
    kinds: list[Kind] = [kind for kind, signs in _SIGNS.items() if names & signs]
    kind = [*kinds, "broken"][0]
    status = str(getattr(causes[-1], "status", ""))  # a proxy's
    return kind, "" if kind == "timeout" else status or type(causes[-1]).__name__


def decoded(response: httpx2.Response) -> str:
    """The text of a response in the charset that its header names, without a byte order mark.

    Without such a name, or with one of another kind (Python's own take time that grows as the square of a text): UTF-8,
    or what the first bytes show.
    """
    named, content = response.charset_encoding or "", response.content
    charset = named if _CHARSETS.fullmatch(named) else json.detect_encoding(content[:4])
    try:
        text = content.decode(charset, "replace")
    except LookupError:
        text = content.decode("utf-8", "replace")
    return text.removeprefix("\ufeff")


_CHARSETS = re.compile(r"(utf|iso|latin|windows|cp|gb|big5|shift|euc|koi8)[\w-]{1,20}", re.I)


# Names of the exceptions of httpx, httpcore and aiohttp, which a user's own client may raise, too. In this order.
_SIGNS: Mapping[Kind, set[str]] = {
    "certificate": {"SSLCertVerificationError", "ClientConnectorCertificateError"},
    "tls": {"SSLError"},
    "proxy": {"ProxyError", "ClientProxyConnectionError", "InvalidURL"},
    "refused": {"ConnectError", "ClientConnectorError", "ConnectionTimeoutError", "UnicodeError"},
    "broken": {"ServerDisconnectedError", "ClientOSError"},
    "timeout": {"APITimeoutError", "TimeoutError"},
}


def connected(base_url: str, key: str, pace: Pace) -> openai.AsyncOpenAI:
    """A client for the API at a base URL, over aiohttp. User and password in the URL are sent instead of the key.

    Proxies and certificates come from the environment (HTTP_PROXY, SSL_CERT_FILE ...); no proxy is asked for a server
    on this machine. Raises LMError if what is there, or the URL, cannot be used.
    """
    parts = urlsplit(base_url)
    user, named, host = parts.netloc.rpartition("@")
    here = is_loopback(parts.hostname or "")
    headers: dict[str, Any] = {f"X-Stainless-{about}": openai.Omit() for about in _MACHINE}
    if named:
        headers["Authorization"] = "Basic " + b64encode(unquote(user).encode()).decode()
    try:
        http = _Bounded(
            timeout=httpx2.Timeout(None, connect=CONNECT),  # the rest is bounded by ``Sdk``
            limits=httpx2.Limits(max_connections=pace.most + 1, keepalive_expiry=15.0),  # + 1: for the list of models
            follow_redirects=False,
            mounts={f"all://{host}": None} if here else None,
            trust_env=not (here and parts.scheme == "http"),  # which needs neither, so what is there may be wrong
        )
        http.pace = pace
        return openai.AsyncOpenAI(
            base_url=urlunsplit((parts.scheme, host, parts.path, "", "")),
            default_query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            default_headers=headers,
            api_key=key,
            max_retries=0,
            http_client=http,
        )
    except (OSError, ValueError, httpx2.InvalidURL):  # whose words may quote the password of a proxy
        raise LMError(
            "no connection can be made: check SSL_CERT_FILE, HTTP_PROXY, HTTPS_PROXY and the base URL"
        ) from None


class _Bounded(openai.DefaultAioHttpClient):
    """Reads up to ``LARGEST`` bytes, each piece a sign of life. Raises HTTPFailure for any status but 200."""

    pace: Pace

    async def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
        response = await super().send(request, **how | {"stream": True})
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding != "identity" and coding not in request.headers.get("accept-encoding", ""):
            await response.aclose()
            raise HTTPFailure("encoding", coding[:20])
        parts, size = list[bytes](), 0
        try:
            async for part in response.aiter_bytes():
                self.pace.heard()
                parts.append(part)
                size += len(part)
                if size > LARGEST:
                    raise HTTPFailure("flood", f"{LARGEST >> 20} MiB")
        finally:
            await response.aclose()
        response.headers.pop("content-encoding", None)  # from here on it is plain
        content = b"".join(parts)
        whole = httpx2.Response(response.status_code, headers=response.headers, content=content, request=request)
        if response.is_success:
            return whole
        raise HTTPFailure.answered(response.status_code, decoded(whole), response.headers)


def _serve(loop: asyncio.AbstractEventLoop, _client: object) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
