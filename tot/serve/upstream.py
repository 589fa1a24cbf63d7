"""The server behind: asked with whole bodies, of whose answers nothing is read but errors; and what it may cost."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..budget import Budget, Ledger
from ..lm import errors
from ..lm.base import Sample, Usage
from ..lm.completion import billed, estimated
from ..lm.openai import OpenAI
from ..lm.sdk import Sdk
from ..lm.transport import HTTPFailure
from ..lm.wire import read_price
from .asked import Asked, Refused, plain


class Upstream(OpenAI):
    """An OpenAI-compatible server. ``OpenAI`` has its address, key, patience, and what may not be told of them."""

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The completion as the server gave it, without secrets; a passing failure is tried twice again. Raises Refused
        with the server's own error, LMError without a key.
        """
        tries = 0
        while True:
            try:
                sdk = self.ready()
                work = sdk.post("/chat/completions", body, self.timeout)
                text = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, sdk.loop))
                return self._whole(self._kept(Sample(text)).text)
            except HTTPFailure as error:
                tries += 1
                pause = errors.retry_after(error) or self.backoff * 2**tries
                if tries > 2 or not errors.passing(error) or pause > errors.LONGEST_WAIT:
                    raise self._passed_on(error, body, tries) from None
            except UnicodeError:
                raise Refused(400, "the messages have characters that UTF-8 cannot encode: remove them") from None
            await asyncio.sleep(pause)

    async def names(self) -> list[str]:
        """The models that the server lists, [] if that cannot be read. Raises LMError without a key."""
        sdk = self.ready()
        work = asyncio.run_coroutine_threadsafe(self._listing(sdk), sdk.loop)
        return [model["id"] for model in (await asyncio.wrap_future(work))[0]]

    def ready(self) -> Sdk:
        """What carries the calls, in a loop of its own. Raises LMError if the package or the key is missing."""
        sdk = self._connected()
        assert isinstance(sdk, Sdk)
        return sdk

    def _whole(self, text: str) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = json.loads(text, strict=False)
            plain(answer)
            ends = [choice.get("finish_reason") for choice in answer["choices"] if choice["message"].items()]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise errors.unreadable(text) from None
        if not ends or "error" in ends:
            raise errors.unreadable(text, HTTPFailure("failed", "no choice, or one with an error"))
        return answer

    def _passed_on(self, error: HTTPFailure, body: Mapping[str, Any], tries: int) -> Refused:
        told = {name: error.headers[name][:100] for name in ("retry-after", "retry-after-ms") if name in error.headers}
        status = 504 if error.kind == "timeout" else error.status if error.status >= 400 else 502
        if error.status >= 400 and isinstance(error.body, Mapping):
            return Refused(status, error=json.loads(self._hidden(json.dumps(error.body))), headers=told)
        asked: dict[str, Any] = {"model": body["model"], "body": body, "tries": tries, "timeout": self.timeout}
        said = errors.sentence(error, url=self.url, hide=self._hidden, **asked)
        return Refused(status, self._hidden(said), headers=told)


class Behind:
    """What this process may ask: the server that ``upstream`` makes from a client's key, within a ``budget`` at the
    ``prices`` of a table, which is named by its path.
    """

    def __init__(self, upstream: Callable[[str], Upstream], budget: str = "", prices: str | None = None) -> None:
        self.upstream, self.budget, self.prices = lru_cache(16)(upstream), Budget.parse(budget), prices
        self._ledger, self._promised, self._began = Ledger(), list[Usage](), time.monotonic()

    async def complete(self, asked: Asked, n: int, key: str) -> dict[str, Any]:
        """A completion of at most ``n`` samples. Raises Refused if the call fails, or could exceed the budget."""
        body = {name: value for name, value in asked.body.items() if name not in ("n", "stream", "stream_options")}
        price = read_price(self.prices, body["model"])

        def usage(prompt: int, written: int) -> Usage:
            return Usage(1, n, prompt, written, (prompt * price[0] + written * price[1]) / 1e6)

        limit = body.get("max_completion_tokens") or body.get("max_tokens")
        most = usage(estimated(json.dumps(body["messages"])), n * max(limit, 0) if type(limit) is int else 0)
        self._ledger.seconds = time.monotonic() - self._began
        used = replace(self._ledger, charged=sum(self._promised, self._ledger.charged))
        if name := self.budget.exceeded(used, {"calls": 1, "tokens": most.tokens, "dollars": most.dollars}):
            raise Refused(402, f"the budget of {name} allows no further call: start `tot serve` with more", "budget")
        self._promised.append(most)
        try:
            whole = await self.upstream(key).complete(body | ({"n": n} if n > 1 else {}))
            written = billed(whole, "completion_tokens") or estimated(json.dumps(whole["choices"]))
            self._ledger.charged += usage(billed(whole, "prompt_tokens") or most.prompt_tokens, written)
            return whole
        finally:
            self._promised.remove(most)
