"""The server behind: asked with whole bodies, of whose answers nothing is read but errors; and what it may cost."""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from ..budget import Budget, Ledger
from ..lm import errors
from ..lm.base import Usage
from ..lm.completion import billed, estimated
from ..lm.openai import OpenAI
from ..lm.sdk import Sdk
from ..lm.transport import HTTPFailure
from ..lm.wire import read_price
from .asked import Asked, Refused, plain


class Behind:
    """An OpenAI-compatible server that this process may ask within a ``budget``, at the ``prices`` of a table, which is
    named by its path. ``pass_key``: with each client's own key. ``server``: as for ``tot.lm.openai.OpenAI``, which has
    the address, the key and what may not be told of them. Raises LMError without a key, and ValueError.
    """

    def __init__(self, *, pass_key: bool = False, budget: str = "", prices: Any = None, **server: Any) -> None:
        self.pass_key, self.budget, self.prices = pass_key, Budget.parse(budget), prices
        self._opened = lru_cache(16)(lambda key: OpenAI("", **server, **({"api_key": key} if pass_key else {})))
        self._ledger, self._promised, self._began = Ledger(), list[Usage](), time.monotonic()
        self._ready("")

    async def complete(self, asked: Asked, n: int, key: str) -> dict[str, Any]:
        """A completion of at most ``n`` samples, as the server gave it. Raises Refused if the call fails, or could
        exceed the budget.
        """
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
            whole = await self._asked(body | ({"n": n} if n > 1 else {}), key)
            written = billed(whole, "completion_tokens") or estimated(json.dumps(whole["choices"]))
            self._ledger.charged += usage(billed(whole, "prompt_tokens") or most.prompt_tokens, written)
            return whole
        finally:
            self._promised.remove(most)

    def scrubbed(self, line: dict[str, Any], key: str) -> dict[str, Any]:
        """A line of a recording without the server's secrets; a request's may be words, which a model could write."""
        text = json.dumps(line, ensure_ascii=False)
        return dict(json.loads(self._ready(key)[0]._hidden(text, words=line["type"] == "request")))

    def _ready(self, key: str) -> tuple[OpenAI, Sdk]:
        server = self._opened((key or "none") if self.pass_key else "")
        return server, cast(Sdk, server._connected())

    async def _asked(self, body: Mapping[str, Any], key: str) -> dict[str, Any]:
        server, sdk = self._ready(key)
        try:
            work = asyncio.run_coroutine_threadsafe(sdk.post("/chat/completions", body, server.timeout), sdk.loop)
            text = await asyncio.wrap_future(work)
            try:
                answer: dict[str, Any] = json.loads(text, strict=False)
                plain(answer)
                ends = [choice.get("finish_reason") for choice in answer["choices"] if choice["message"].items()]
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise errors.unreadable(text) from None
            if not ends or "error" in ends:
                raise errors.unreadable(text, HTTPFailure("failed", "no choice, or one with an error"))
            return answer
        except HTTPFailure as error:
            told = {name: value[:100] for name, value in error.headers.items() if name.startswith("retry-after")}
            status = 504 if error.kind == "timeout" else error.status if error.status >= 400 else 502
            if error.status >= 400 and isinstance(error.body, Mapping):
                raise Refused(status, error=json.loads(server._hidden(json.dumps(error.body))), headers=told) from None
            about = {"url": server.url, "model": body["model"], "timeout": server.timeout, "hide": server._hidden}
            said = errors.sentence(error, body={}, tries=1, **about)
            raise Refused(status, server._hidden(said), headers=told) from None
