"""The server behind: asked with whole bodies, of whose answers nothing is read but errors; and what it may cost."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..budget import Budget, Ledger
from ..lm import errors
from ..lm.base import LMError, Price, Sample, Usage
from ..lm.completion import billed, estimated
from ..lm.openai import OpenAI
from ..lm.sdk import Sdk
from ..lm.transport import HTTPFailure
from ..lm.wire import read_price
from .asked import Asked, Refused, loads


class Upstream(OpenAI):
    """An OpenAI-compatible server. ``OpenAI`` has its address, key, patience, and what may not be told of them."""

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The completion as the server gave it, without secrets. Raises Refused with the server's own error, after two
        more tries where that may help.
        """
        tries = 0
        while True:
            try:
                return self._whole(await self._posted(body))
            except HTTPFailure as error:
                tries += 1
                pause = errors.retry_after(error) or self.backoff * 2**tries
                if tries > 2 or not errors.passing(error) or pause > errors.LONGEST_WAIT:
                    raise self._passed_on(error, body, tries) from None
            except UnicodeError:
                raise Refused(400, "the messages have characters that UTF-8 cannot encode: remove them") from None
            except LMError as error:  # no key, no package
                raise Refused(502, str(error)) from None
            await asyncio.sleep(pause)

    async def names(self) -> list[str]:
        """The models that the server lists, [] if that cannot be read."""
        try:
            sdk = self.ready()
            work = asyncio.run_coroutine_threadsafe(self._listing(sdk), sdk.loop)
        except LMError:
            return []
        return [model["id"] for model in (await asyncio.wrap_future(work))[0]]

    def ready(self) -> Sdk:
        """What carries the calls, in a loop of its own. Raises LMError if the package or the key is missing."""
        sdk = self._connected()
        assert isinstance(sdk, Sdk)
        return sdk

    async def _posted(self, body: Mapping[str, Any]) -> str:
        sdk = self.ready()
        work = sdk.post("/chat/completions", body, self.timeout)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, sdk.loop))

    def _whole(self, text: str) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = loads(self._kept(Sample(text)).text)
            ends = [choice.get("finish_reason") for choice in answer["choices"] if choice["message"].items()]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise errors.unreadable(text) from None
        if not ends or "error" in ends:
            raise errors.unreadable(text, HTTPFailure("failed", "no choice, or one with an error"))
        return answer

    def _passed_on(self, error: HTTPFailure, body: Mapping[str, Any], tries: int) -> Refused:
        asked = [name for name in ("retry-after", "retry-after-ms") if name in error.headers]
        headers = {name.title(): error.headers[name][:100] for name in asked}
        if error.kind == "status" and error.status != 200 and isinstance(error.body, Mapping):
            return Refused(error.status, error=json.loads(self._hidden(json.dumps(error.body))), headers=headers)
        hide, model = self._hidden, str(body["model"])
        said = errors.sentence(
            error, url=self.url, model=model, body=body, tries=tries, timeout=self.timeout, hide=hide
        )
        status = error.status if error.kind == "status" and error.status >= 400 else 502
        return Refused(504 if error.kind == "timeout" else status, hide(said), headers=headers)


class Purse:
    """What this process may spend: a ``budget``, the ``ledger`` of what was spent, and the promises in between."""

    def __init__(self, budget: Budget = Budget(), prices: str | None = None) -> None:  # noqa: B008
        self.budget, self.ledger, self._prices = budget, Ledger(), prices
        self._promised, self._began = list[Usage](), time.monotonic()

    @contextmanager
    def call(self, asked: Asked, n: int) -> Iterator[list[Mapping[str, Any]]]:
        """A block for a call of ``n`` samples, which puts the completion into the list that it gets. Raises Refused if
        the call could exceed the budget.
        """
        body = asked.body
        price: Price = (0.0, 0.0)
        if self._prices:
            try:
                price = read_price(self._prices, body["model"])[:2]
            except LMError as error:
                raise Refused(400, str(error)) from None
        limit = body.get("max_completion_tokens") or body.get("max_tokens")
        most = _usage(price, estimated(json.dumps(body["messages"])), n * limit if type(limit) is int else 0)
        self.ledger.seconds = time.monotonic() - self._began
        used = replace(self.ledger, charged=sum(self._promised, self.ledger.charged))
        if name := self.budget.exceeded(used, {"calls": 1, "tokens": most.tokens, "dollars": most.dollars}):
            raise Refused(
                402, f"the budget of {name} does not allow another call: start `tot serve` with more", "budget"
            )
        self._promised.append(most)
        came: list[Mapping[str, Any]] = []
        try:
            yield came
        finally:
            self._promised.remove(most)
            for one in came:
                self.ledger.charged += _usage(
                    price, *(billed(one, f"{what}_tokens") for what in ("prompt", "completion"))
                )


def _usage(price: Price, prompt: int, written: int) -> Usage:
    dollars = (prompt * price[0] + written * price[1]) / 1e6
    return Usage(1, 1, prompt, written, dollars)
