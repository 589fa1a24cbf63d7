"""Calls of a page to a model server: a ``tot.lm.transport.Transport`` without sockets and threads.

A worker may wait for an XMLHttpRequest, so a request is answered before the next is sent: in every browser, at the
price of one at a time.
"""

from __future__ import annotations

import asyncio
import json
import time
from asyncio import tasks
from collections.abc import Callable, Coroutine, Mapping
from contextlib import closing
from typing import Any, TypeVar
from urllib.parse import urlsplit

from js import URL, XMLHttpRequest, location
from pyodide.ffi import JsException

from live.answers import NO_KEY
from tot.lm.base import LMError
from tot.lm.transport import HTTPFailure

T = TypeVar("T")
BLOCKED = (
    "this page got no answer from {url}. Either nothing runs there, or the server does not let pages from {origin} ask"
    " it (Ollama does when it is started with OLLAMA_ORIGINS={origin}): press Try it at the top of the page, which"
    " tells the two apart"
)


class Http:
    """The server at a base URL, asked by the browser's own requests."""

    name = "a page of the book"

    def __init__(self, base_url: str, key: str) -> None:
        self._url = base_url.rstrip("/")
        self._headers, self._answered = {"Content-Type": "application/json"}, False
        if key != NO_KEY:  # without it more servers allow the request
            self._headers["Authorization"] = f"Bearer {key}"

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> str:
        """The text of the response. Raises HTTPFailure, LMError where the browser lets nothing through."""
        return self._exchange("POST", path, json.dumps(body), seconds)

    async def get(self, path: str, seconds: float) -> tuple[str, str]:
        """The text of the response, and an empty Server header, which pages do not see. Raises as ``post`` does."""
        return self._exchange("GET", path, None, seconds), ""

    async def sleep(self, seconds: float) -> None:
        """Wait, between two tries."""
        pause(seconds)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine, while the loop of the cell waits."""
        outer, task = asyncio.get_running_loop(), asyncio.current_task()
        if task:
            tasks._leave_task(outer, task)
        asyncio._set_running_loop(None)
        try:
            with closing(Waiting()) as loop:
                return loop.run_until_complete(work)
        finally:
            asyncio._set_running_loop(outer)
            if task:
                tasks._enter_task(outer, task)

    def _exchange(self, method: str, path: str, data: str | None, seconds: float) -> str:
        request, asked = XMLHttpRequest.new(), URL.new(self._url + path, location.href)
        request.open(method, asked.href, False)
        request.timeout = round(1000 * seconds)
        for name, value in self._headers.items():
            request.setRequestHeader(name, value)
        try:
            request.send(data)
        except JsException as error:
            if error.name == "TimeoutError":
                raise HTTPFailure("timeout") from None
            if self._answered:  # a page is not told why: on the way may be a reply, which is paid
                raise HTTPFailure("broken", "or a page may not read the answer") from None
            parts = urlsplit(self._url)
            host = parts.netloc.rpartition("@")[2]  # without a name and a password
            raise LMError(BLOCKED.format(url=f"{parts.scheme}://{host}", origin=location.origin)) from None
        self._answered = True
        answered = URL.new(request.responseURL or asked.href)
        if (answered.origin, answered.pathname) != (asked.origin, asked.pathname):
            # browsers follow a redirect before a page hears of it: the next request does not go there
            moved = HTTPFailure.answered(307, "", {"location": str(request.responseURL)})
            moved.text = str(request.responseText)  # which is on a bill all the same
            raise moved
        if request.status >= 400:
            again = request.getResponseHeader("retry-after")
            raise HTTPFailure.answered(request.status, request.responseText, {"retry-after": again} if again else {})
        return str(request.responseText)


def pause(seconds: float) -> None:
    """``time.sleep``. Pyodide's would need a browser that can leave Python and come back, and a state saved there."""
    end = time.monotonic() + seconds
    while time.monotonic() <= end:  # a browser's clock is coarse: at the very tick, rounding could make it too short
        pass


class Waiting(asyncio.BaseEventLoop):
    """An event loop inside the page's own. It has nothing to wait for but time: requests end before they return."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("waiting for something that a page cannot have")
        pause(timeout)
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def run_in_executor(self, executor: Any, job: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """There are no threads: the job is done before this returns."""
        done = self.create_future()
        try:
            done.set_result(job(*args))
        except Exception as error:
            done.set_exception(error)
        return done
