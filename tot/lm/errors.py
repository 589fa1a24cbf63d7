"""Turns exceptions of the ``openai`` package into one sentence: what went wrong and what to do next.

Nothing here talks to a server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import openai

RESUMES = "a recorded run resumes where it stopped"
OVERFLOW = re.compile(r"context.{0,20}(length|size|window)|exceed_context|maximum context|too many tokens", re.I)
NO_MODEL = re.compile(r"not found|does ?n.t exist|does not exist|not a valid|invalid model|unknown model|no such", re.I)


def said(error: openai.APIError, limit: int = 200, hide: Callable[[str], str] = str) -> str:
    """The server's error message as one line, without what ``hide`` takes out, then cut after ``limit`` characters; ""
    if there is none. (The other way round, half of a secret could stand at the cut.)
    """
    body: Any = error.body
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail") or body.get("error") or ""
    text = hide(" ".join(str(body or "").split()))
    if text.startswith("<"):
        return "an HTML page"
    return text if len(text) <= limit else text[:limit] + "..."


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float:
    """Seconds to wait by the Retry-After header (a number or an HTTP date); 0.0 if it is missing or unreadable.

    ``now``: the current Unix time in seconds (default: the clock).
    """
    value = headers.get("retry-after") or ""
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now)
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return seconds if seconds > 0 else 0.0  # 0.0 for NaN, too


def wanted_wait(error: openai.APIError) -> float:
    """Seconds to wait by the server's response; 0.0 if it does not say or there was no response."""
    response = getattr(error, "response", None)
    return retry_after(response.headers) if response is not None else 0.0


def status(error: openai.APIError) -> int:
    """The HTTP status, 0 if there was no response."""
    return int(getattr(error, "status_code", 0))


def timed_out(error: openai.APIError) -> bool:
    """True if the server did not answer in time."""
    import openai

    return isinstance(error, openai.APITimeoutError)


def refused(error: openai.APIError) -> bool:
    """True if no connection could be made: no server is listening, or the host is unknown."""
    return not status(error) and type(error.__cause__).__name__ == "ConnectError"


def passing(error: openai.APIError) -> bool:
    """True for errors that a retry may cure: 429, 5xx, timeouts, connection errors; but not an exhausted account."""
    code = status(error)
    if code == 429:
        return error.code != "insufficient_quota"
    return code == 0 or code == 408 or code >= 500


def overflow(error: openai.APIError) -> bool:
    """True if the server says that the prompt is too long for the model."""
    return status(error) in (400, 413, 422) and bool(OVERFLOW.search(f"{error.code} {error.type} {error.body}"))


def names(error: openai.APIError, parameter: str) -> bool:
    """True if the server rejects the request with a message that names this parameter: as its ``param``, by itself or
    in quotes, after a word such as "parameter", or as the subject of what is wrong ("n is not supported").

    A message that merely holds the word is about something else: "your seed phrase was flagged", "an n-gram".
    """
    if status(error) not in (400, 422) or overflow(error):
        return False
    name = re.escape(parameter)
    named = re.compile(
        rf"""['"`]{name}['"`]|\b(?:parameter|argument|field|option|keyword|property|key)s?(?:\s+supplied)?\s*:?\s*{name}\b(?!-)"""
        rf"|(?<![\w-]){name}\s*(?:[=<>]|(?:is|are|must|should|has|cannot|can|not)\b)",
        re.I,
    )
    return error.param == parameter or any(text == parameter or named.search(text) for text in _texts(error.body))


def _texts(body: Any) -> Iterator[str]:
    """Every string in an error body, however deep."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from _texts(value)
    elif isinstance(body, list | tuple):
        for value in body:
            yield from _texts(value)


@dataclass(frozen=True)
class Where:
    """The circumstances of a failure: server, model, request body, number of tries, and timeout in seconds.

    ``models()`` asks the server which models it has; it is called only for an unknown model. ``hide`` takes secrets out
    of a text.
    """

    url: str
    model: str
    body: Mapping[str, Any]
    tries: int
    timeout: float
    models: Callable[[], list[str]]
    hide: Callable[[str], str] = str


def sentence(error: openai.APIError, at: Where) -> str:
    """One sentence about a request that finally failed: what happened and what to do."""
    code, words, url, model = status(error), said(error, hide=at.hide), at.url, repr(at.model)
    quoted = f" (the server says: {words})" if words else ""
    if timed_out(error):
        return (
            f"the server at {url} did not answer within {at.timeout:g} s (tried {times(at.tries)}): restart it if it "
            f"hangs, or raise the timeout, lower max_tokens or lower max_concurrency; {RESUMES}"
        )
    if refused(error):
        return (
            f"no server answers at {url}: check the address and the network, or start a local server "
            f"with `make local-lm`; {RESUMES}"
        )
    if not code:
        why = type(error.__cause__).__name__ if error.__cause__ else "no details"
        return f"the connection to {url} broke {times(at.tries)} ({why}): see the server's log and run again; {RESUMES}"
    if code == 401:
        return f"the server at {url} refuses the API key (401): check OPENAI_API_KEY, or the key passed as api_key"
    if code == 403:
        return f"the server at {url} refuses access (403): check that this API key may use the model {model}{quoted}"
    if overflow(error):
        return (
            f"the request does not fit the context of {model}: shorten the prompt, lower max_tokens, or serve the "
            f"model with a larger context{quoted}"
        )
    if code == 404 or (code in (400, 422) and "model" in words and NO_MODEL.search(words)):
        if known := at.models():
            more = ", ..." if len(known) > 10 else ""
            return f"the server at {url} has no model {model}: choose one of {', '.join(known[:10])}{more}"
        return (
            f"no model {model}, or no OpenAI-compatible API, at {url} ({code}): check the model's name, and that the "
            f"URL is right (most end in /v1){quoted}"
        )
    if code == 429 and not passing(error):
        return f"the account behind the API key has no credit left: add some, then run again; {RESUMES}"
    if code == 429:
        wait = wanted_wait(error)
        asks = f", and asks to wait {wait:.0f} s" if wait else ""
        return (
            f"the server at {url} still says 'too many requests' (429) after {at.tries} tries{asks}: wait, or lower "
            f"max_concurrency, then run again; {RESUMES}"
        )
    if passing(error):
        return f"the server at {url} failed {times(at.tries)} ({code}): see its log, then run again; {RESUMES}{quoted}"
    if names(error, "temperature"):
        return (
            f"{model} refuses temperature={at.body.get('temperature')}: ask with one that it takes, or None for its "
            f"default{quoted}"
        )
    if names(error, "logprobs") or names(error, "top_logprobs"):
        return f"{model} gives no log probabilities: use tokens_from='usage'{quoted}"
    return f"the server at {url} refuses the request ({code}): change what it names{quoted or ' (it gives no reason)'}"


def times(n: int) -> str:
    """``n`` as a word: "once", "twice", "3 times"."""
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"
