"""p_theta served by any OpenAI-compatible server: a provider with an API key, Ollama, llama.cpp, vLLM, SGLang.

The ``openai`` package is imported at the first request, so that ``import tot`` and replays do not need it.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from . import errors
from .base import LM, LMError, OnReply, OverBudget, Reply, Request, Sample, Usage
from .threads import Threads
from .wire import (
    Prices,
    is_loopback,
    provider_seed,
    read_completion,
    read_price,
    readable_url,
    secrets,
    without_path,
)

if TYPE_CHECKING:
    import openai

LONGEST_WAIT = 60.0  # seconds; a longer Retry-After is cut to this
POLL = 0.2  # seconds; on Windows Ctrl-C cannot interrupt a wait without a timeout


class OpenAI(LM):
    """An LM that asks an OpenAI-compatible server: ``OpenAI("gpt-4o")([user("Hello", n=3)])``.

    ``base_url``, ``api_key``: default to OPENAI_BASE_URL and OPENAI_API_KEY. A server on this machine needs no key.
    ``max_concurrency``: the most HTTP calls in flight at once, in all threads that use this object together.
    ``timeout``: seconds to wait for a reply. Replies are not streamed, so this includes generation; a request that
    timed out is retried only once.
    ``retries``: retries after 429, 5xx, timeouts and broken connections, with an exponential, jittered wait that starts
    at ``backoff`` seconds and honours Retry-After up to 60 s. A server that was never reached is retried only once.
    ``prices``: ``{model: {"input": dollars per 1M tokens, "output": ...}}``, or the path of such a JSON file.
    ``native_n``: ask for several samples in one HTTP call if the server supports it. If it rejects n or returns fewer,
    the largest n that worked is remembered, and missing samples are requested separately, with other seeds.
    ``seed``: the provider's seed is derived from this, the request and the index of a call's first sample. It is not
    part of a sample's identity, and most servers do not reproduce samples exactly.
    ``tokens_from``: "usage" takes the server's count and divides it among n samples by length of text; llama.cpp counts
    only the first of n samples, so the others are estimated from their length. "logprobs" requests log probabilities
    and counts those of each sample: exact, but replies are larger and some servers reject it.
    ``client``: a ready ``openai.OpenAI`` (for example for Azure), instead of ``base_url``, ``api_key``, ``timeout``.

    Calls raise LMError with a sentence that says what to do; samples that had arrived before were passed to
    ``on_reply``. Raises ValueError for settings out of range, LMError for an unreadable URL or price table.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_concurrency: int = 32,
        timeout: float = 120.0,
        retries: int = 5,
        backoff: float = 0.5,
        prices: Prices | str | Path | None = None,
        native_n: bool = True,
        seed: int = 0,
        tokens_from: Literal["usage", "logprobs"] = "usage",
        client: openai.OpenAI | None = None,
    ) -> None:
        if max_concurrency < 1 or retries < 0 or not timeout > 0 or tokens_from not in ("usage", "logprobs"):
            raise ValueError("needs max_concurrency >= 1, retries >= 0, timeout > 0, tokens_from 'usage' or 'logprobs'")
        self.model, self.name = model, without_path(model)
        self.timeout, self.retries, self.backoff = timeout, retries, backoff
        self.seed, self.tokens_from, self.price = seed, tokens_from, read_price(prices, model)
        url = (
            client.base_url if client else base_url or os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        )
        self._base_url, self.url, self._api_key = str(url), readable_url(str(url)), api_key
        self.client = self._sdk = client.with_options(max_retries=0) if client else None
        self._http: Any = None  # the HTTP client that we made for the SDK
        self._most_n = 1 << 30 if native_n else 1  # this and the next line are adapted to what the server accepts
        self._takes_seed, self._max_tokens, self._reached = True, "max_tokens", False
        self.max_concurrency = max_concurrency
        self._threads, self._lock = Threads(max_concurrency), threading.Lock()
        self._calls: set[_Call] = set()

    def __repr__(self) -> str:
        return f"OpenAI({self.name!r}, base_url={self.url!r})"

    def __enter__(self) -> OpenAI:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        """The replies, in order. Up to ``max_concurrency`` HTTP calls run concurrently.

        ``on_reply`` is called with each HTTP call's samples when they arrive, from another thread. After a failure no
        new HTTP call is sent; those in flight are awaited (and passed to ``on_reply``), then the first failure is
        raised. Ctrl-C takes effect at once.
        """
        call = _Call(on_reply)
        parts: list[list[tuple[int, Reply]]] = [[] for _ in requests]
        failure: BaseException | None = None
        with self._lock:
            self._calls.add(call)
        try:
            waiting = sum(self._submit(call, i, request) for i, request in enumerate(requests))
            while waiting:
                try:
                    i, part, outcome = call.done.get(timeout=POLL)
                except Empty:
                    continue
                waiting -= 1
                if isinstance(outcome, _Closed):
                    raise outcome
                if isinstance(outcome, BaseException):
                    failure = failure or outcome
                    call.stopped.set()
                    continue
                if got := len(outcome.samples):
                    parts[i].append((part.first, outcome))
                else:  # refused, so not paid
                    call.sent[i] -= 1
                if got < part.n and not failure:
                    waiting += self._submit(call, i, part.samples(part.first + got, part.n - got))
        finally:
            call.stopped.set()
            with self._lock:
                self._calls.discard(call)
        if failure:
            if isinstance(failure, LMError):
                failure.paid = sum((reply.paid for part in parts for _, reply in part), Usage())
            raise failure
        return [self._joined([reply for _, reply in sorted(part, key=lambda p: p[0])]) for part in parts]

    def close(self) -> None:
        """The same as ``cancel``."""
        self.cancel()

    def cancel(self) -> None:
        """Abort all calls in progress: no new HTTP call is sent, and waiting callers get an LMError at once.

        For programs that call this model from several threads (Ctrl-C reaches only the main thread). Later calls work
        as usual.
        """
        with self._lock:
            calls, sdk = list(self._calls), self._sdk
            self._sdk = self.client
        for call in calls:
            call.stopped.set()
            closed = _Closed("the model was closed before it answered: run again; " + errors.RESUMES)
            call.done.put((0, Request(()), closed))
        if sdk and not self.client and not calls:  # calls in flight close their connections when their threads end
            sdk.close()

    def describe(self) -> dict[str, Any]:
        """Plain data about the source of the replies, for recordings; without API keys, headers and local paths.

        Asks the server for its list of models; "server" is "unknown" if that fails. Raises LMError without a key.
        """
        listed, server = self._listing()
        import openai

        mine = [model for model in listed if without_path(str(model.get("id"))) == self.name or len(listed) == 1]
        host = urlsplit(self.url).hostname or ""
        return {
            "model": self.name,
            "server": (str(mine[0].get("owned_by") or "") if mine else "") or server or "unknown",
            "base_url_host": "loopback" if is_loopback(host) else host,
            "settings": {
                "client": f"openai {openai.__version__}",
                "native_n": self._most_n > 1,
                "seed": self.seed,
                "tokens_from": self.tokens_from,
            },
        }

    def _submit(self, call: _Call, i: int, request: Request) -> int:
        """Queue the HTTP calls of request ``i``, each for as many samples as the server accepts; returns how many."""
        end, step = request.first + request.n, min(request.n, self._most_n)
        parts = [request.samples(at, min(step, end - at)) for at in range(request.first, end, step)]
        if request.calls is not None and call.sent[i] + len(parts) > request.calls:
            much = "1 sample" if step == 1 else f"{step} samples"
            words = f"the server gives {much} a call, and {request.n} more would take {len(parts)} calls"
            call.done.put((i, request, OverBudget(words)))
            return 1
        call.sent[i] += len(parts)
        self._threads.submit([partial(call.do, i, part, self._ask) for part in parts])
        return len(parts)

    def _ask(self, part: Request, stopped: threading.Event) -> Reply:
        """One HTTP call with its retries. A reply without samples means that the server rejects so large an n."""
        tries = 0
        while not stopped.is_set():
            if part.n > self._most_n:
                return Reply(())
            body, sdk = self._body(part), self._connect()
            import openai

            began = time.monotonic()
            try:
                text = self._post(sdk, body)
                self._reached = True
                return self._read(part, text, time.monotonic() - began)
            except openai.APIError as caught:
                error = caught
            except UnicodeError:
                raise LMError("the prompt has characters that UTF-8 cannot encode: remove them") from None
            self._reached = self._reached or errors.status(error) > 0
            if self._adapted(error, body):
                continue
            tries += 1
            once = errors.timed_out(error) or (errors.refused(error) and not self._reached)
            if not errors.passing(error) or tries > min(self.retries, 1 if once else self.retries):
                raise self._failure(error, body, tries)
            stopped.wait(self._pause(error, tries))
        raise LMError("not asked, because another request of the same call failed")

    def _post(self, sdk: openai.OpenAI, body: dict[str, Any]) -> str:
        """The text of the response. Raises the SDK's own exceptions.

        Uses the HTTP client directly, because the SDK's processing takes as much CPU time as the rest of a call, and a
        round has many calls. A client given by the user is used through its SDK.
        """
        import openai

        if self._http is None:
            return sdk.post("/chat/completions", cast_to=str, body=body)
        try:
            response = self._http.post("chat/completions", json=body)
        except UnicodeError:
            raise
        except Exception as caught:
            about = getattr(caught, "request", None)
            if "Timeout" in type(caught).__name__:
                raise openai.APITimeoutError(request=about) from caught  # type: ignore[arg-type]
            raise openai.APIConnectionError(request=about) from caught  # type: ignore[arg-type]
        if response.is_success:
            return str(response.text)
        try:
            said = json.loads(response.text)
        except ValueError:
            said = response.text
        problem = said.get("error", said) if isinstance(said, dict) else said
        raise openai.APIStatusError(f"Error code: {response.status_code} - {problem}", response=response, body=problem)

    def _body(self, part: Request) -> dict[str, Any]:
        """The JSON to send: what identifies the request, and what does not (n, seed, logprobs)."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in part.messages],
        }
        body |= {self._max_tokens if name == "max_tokens" else name: value for name, value in part.params.items()}
        if part.n > 1:
            body["n"] = part.n
        if self._takes_seed:
            body["seed"] = provider_seed(self.seed, part, self.name)
        if self.tokens_from == "logprobs":
            body |= {"logprobs": True, "top_logprobs": 1}  # llama.cpp returns none for 0; its default of 20 is slow
        return body

    def _adapted(self, error: openai.APIError, body: Mapping[str, Any]) -> bool:
        """Adapt to a rejected parameter; True if the request should be sent again.

        Only parameters that do not affect the distribution of samples are changed: a rejected temperature is a failure.
        """
        if "max_tokens" in body and errors.names(error, "max_tokens") and errors.names(error, "max_completion_tokens"):
            self._max_tokens = "max_completion_tokens"
        elif "seed" in body and errors.names(error, "seed"):
            self._takes_seed = False
        elif "n" in body and errors.names(error, "n"):
            self._most_n = min(self._most_n, body["n"] // 2)
        else:
            return False
        return True

    def _pause(self, error: openai.APIError, tries: int) -> float:
        """Seconds to wait before the next try: what the server asks for, else ``backoff``, doubled up to four times."""
        asked = errors.wanted_wait(error)
        return min(asked, LONGEST_WAIT) or self.backoff * 2 ** min(tries - 1, 4) * random.uniform(0.75, 1.0)

    def _failure(self, error: openai.APIError, body: Mapping[str, Any], tries: int) -> LMError:
        def listed() -> list[str]:
            return [without_path(str(model.get("id"))) for model in self._listing()[0]]

        where = errors.Where(self.url, self.name, body, tries, self.timeout, listed, self._hidden)
        failure = LMError(self._hidden(errors.sentence(error, where)))
        failure.__cause__ = error if self._hidden(str(error)) == str(error) else None
        return failure

    def _read(self, part: Request, text: str, seconds: float) -> Reply:
        """A server's response as a reply. Raises LMError if it is not a chat completion or has no choices."""
        try:
            samples, prompt = read_completion(text)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            page = "an HTML page" if text.lstrip().startswith("<") else "something that is not a chat completion"
            raise LMError(
                f"the server at {self.url} answered with {page}: check that this is the address of an "
                "OpenAI-compatible API (most end in /v1)"
            ) from error
        if not samples:
            words = self._hidden(" ".join(str(json.loads(text).get("error") or "no reason given").split()))
            raise LMError(
                f"the server at {self.url} answered without any choice ({words[:200]}): run again, or see its log"
            )
        if len(samples) < part.n:
            self._most_n = min(self._most_n, len(samples))
        bill = self._bill(samples[: part.n], prompt)
        return Reply(tuple(samples[: part.n]), asked=bill, paid=bill, seconds=seconds)

    def _bill(self, samples: Sequence[Sample], prompt: int) -> Usage:
        completion = sum(sample.completion_tokens for sample in samples)
        dollars = (prompt * self.price[0] + completion * self.price[1]) / 1e6
        return Usage(1, len(samples), prompt, completion, dollars)

    def _joined(self, parts: Sequence[Reply]) -> Reply:
        """One reply from its parts: ``asked`` has the prompt once, ``paid`` once per call; seconds of the slowest."""
        samples = tuple(sample for part in parts for sample in part.samples)
        asked = self._bill(samples, parts[0].asked.prompt_tokens)
        return Reply(
            samples,
            asked=asked,
            paid=sum((part.paid for part in parts), Usage()),
            seconds=max(p.seconds for p in parts),
        )

    def _connect(self) -> openai.OpenAI:
        """The SDK's client, created at the first use. Raises LMError if the package or the key is missing."""
        with self._lock:
            if self._sdk:
                return self._sdk
            try:
                import openai
            except ImportError as error:
                raise LMError('the openai package is missing: pip install "thinking-in-trees[lm]"') from error
            local = is_loopback(urlsplit(self.url).hostname or "")
            key = (self._api_key or os.environ.get("OPENAI_API_KEY") or "").strip()
            if not key and not local:
                raise LMError(
                    f"no API key for {self.url}: set OPENAI_API_KEY (to any word if that server needs none), or "
                    "point --base-url at a local server"
                )
            if not (key.isascii() and key.isprintable()):
                raise LMError("the API key has characters that no key contains: copy it again into OPENAI_API_KEY")
            timeout = openai.Timeout(self.timeout, connect=min(self.timeout, 10.0))
            kept = type(openai.DEFAULT_CONNECTION_LIMITS)(max_keepalive_connections=self.max_concurrency)
            http = openai.DefaultHttpxClient(
                base_url=self._base_url,
                timeout=timeout,
                limits=kept,
                trust_env=not local,  # no proxy for a server on this machine
            )
            self._sdk = openai.OpenAI(
                base_url=self._base_url,
                api_key=key or "none",
                max_retries=0,  # the SDK's retries cannot be interrupted, and servers can demand them by a header
                timeout=timeout,
                http_client=http,
            )
            headers = {**self._sdk.default_headers, **self._sdk.auth_headers}
            http.headers.update({name: value for name, value in headers.items() if isinstance(value, str)})
            weakref.finalize(self, http.close).atexit = False  # as the SDK does for clients that it creates
            self._http = http
            return self._sdk

    def _hidden(self, text: str) -> str:
        """``text`` without the API key and the secrets of the URL, in case a server repeats them."""
        key = str(self._sdk.api_key) if self._sdk else ""
        for secret in [key, *secrets(self._base_url)]:
            if len(secret) >= 8:  # shorter ones are placeholders
                text = text.replace(secret, "***")
        return text

    def _listing(self) -> tuple[list[dict[str, Any]], str]:
        """The server's list of models and its Server header; empty if they cannot be read."""
        sdk = self._connect()
        try:
            raw = sdk.models.with_raw_response.list(timeout=5.0)
            return [m for m in json.loads(raw.text)["data"] if isinstance(m, dict)], raw.headers.get("server", "")
        except Exception:  # the list only adds detail to messages; a failure here must not hide the original one
            return [], ""


class _Closed(LMError):
    """The LM was closed while a caller waited."""


class _Call:
    """One call of the LM in progress: the queue for its threads' results, and the event that stops them."""

    def __init__(self, on_reply: OnReply | None) -> None:
        self.on_reply = on_reply
        self.sent = Counter[int]()  # HTTP calls of each request, without those that the server refused
        self.done: SimpleQueue[tuple[int, Request, Reply | BaseException]] = SimpleQueue()
        self.stopped = threading.Event()

    def do(self, i: int, part: Request, ask: Callable[[Request, threading.Event], Reply]) -> None:
        """Runs in a thread: ask for these samples of request ``i``, call ``on_reply``, queue the outcome."""
        outcome: Reply | BaseException
        try:
            outcome = ask(part, self.stopped)
            if outcome.samples and self.on_reply:
                self.on_reply(part.samples(part.first, len(outcome.samples)), outcome)
        except BaseException as error:
            outcome = error
        self.done.put((i, part, outcome))
