"""Plain HTTP to one server, on aiohttp: keep-alive, a limit for everything, and one exception for what goes wrong."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from .errors import HTTPFailure
from .loop import in_thread
from .threads import Threads
from .wire import is_loopback

LARGEST = 64 << 20  # bytes of a response: ten samples of a megabyte, with log probabilities, are far below
CONNECT = 10.0  # seconds


class Http:
    """Connections to the API at a base URL. Use it inside ``async with``, in one event loop.

    Proxies come from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, except for a server on this machine; certificates
    from the system, or from SSL_CERT_FILE and SSL_CERT_DIR. User and password in the URL are sent instead of the key.
    """

    name = f"aiohttp {aiohttp.__version__}"

    def __init__(self, base_url: str, key: str) -> None:
        self._base = urlsplit(base_url)
        user, named, self._host = self._base.netloc.rpartition("@")
        basic = "Basic " + b64encode(unquote(user).encode()).decode()
        self._headers = {"Authorization": basic if named else f"Bearer {key}", "Content-Type": "application/json"}
        for header, variable in (("OpenAI-Organization", "OPENAI_ORG_ID"), ("OpenAI-Project", "OPENAI_PROJECT_ID")):
            if value := os.environ.get(variable):
                self._headers[header] = value
        direct = is_loopback(self._base.hostname or "") or proxy_bypass(self._host)
        proxies = {} if direct else getproxies()
        proxy = proxies.get(self._base.scheme) or proxies.get("all")
        self._proxy = proxy if not proxy or "://" in proxy else f"http://{proxy}"

    async def __aenter__(self) -> Http:
        connector = aiohttp.TCPConnector(
            limit=0, resolver=_Names(), ssl=_certificates() if self._base.scheme == "https" else False
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT),  # the rest is bounded below
            proxy=self._proxy,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> str:
        """The text of the response. Raises HTTPFailure, and UnicodeError for what UTF-8 cannot encode."""
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        return (await self._exchange("POST", path, data, seconds))[0]

    async def get(self, path: str, seconds: float) -> tuple[str, str]:
        """The text of the response, and the Server header. Raises HTTPFailure."""
        return await self._exchange("GET", path, None, seconds)

    async def _exchange(self, method: str, path: str, data: bytes | None, seconds: float) -> tuple[str, str]:
        """One request and its response within so many seconds, all in all, and of at most ``LARGEST`` bytes."""
        url = urlunsplit((self._base.scheme, self._host, self._base.path.rstrip("/") + path, self._base.query, ""))
        try:
            async with asyncio.timeout(seconds), self._session.request(method, url, data=data) as response:
                parts, size = list[bytes](), 0
                while part := await response.content.readany():
                    parts.append(part)
                    size += len(part)
                    if size > LARGEST:
                        raise HTTPFailure("flood", f"{LARGEST >> 20} MiB")
                text = b"".join(parts).decode("utf-8", "replace")
        except TimeoutError as error:
            raise HTTPFailure("refused" if isinstance(error, aiohttp.ClientError) else "timeout") from error
        except aiohttp.ClientConnectorCertificateError as error:
            raise HTTPFailure("certificate") from error
        except (aiohttp.ClientProxyConnectionError, aiohttp.ClientHttpProxyError) as error:
            raise HTTPFailure("proxy") from error
        except (aiohttp.ClientConnectorError, UnicodeError) as error:  # no host has such a name
            raise HTTPFailure("refused") from error
        except (aiohttp.ClientError, OSError) as error:
            raise HTTPFailure("broken", type(error).__name__) from error
        if response.status >= 400:
            raise HTTPFailure.answered(response.status, text, response.headers)
        return text, response.headers.get("Server", "")


def _certificates() -> ssl.SSLContext:
    """The system's certificates, and those of certifi unless the environment names others."""
    context = ssl.create_default_context()
    if not (os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")):
        with suppress(ImportError):
            import certifi

            context.load_verify_locations(certifi.where())
    return context


class _Names(AbstractResolver):
    """Looks host names up in a daemon thread: the interpreter would wait at exit for aiohttp's."""

    def __init__(self) -> None:
        self._threads = Threads(4)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        find = partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM)
        return [
            ResolveResult(
                hostname=host, host=str(at[0]), port=int(at[1]), family=kind, proto=proto, flags=socket.AI_NUMERICHOST
            )
            for kind, _, proto, _, at in await in_thread(self._threads, find)
        ]

    async def close(self) -> None:
        pass
