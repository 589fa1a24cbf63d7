"""What can go wrong with an HTTP call, and one sentence for each: what happened and what to do next.

Nothing here talks to a server.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin

from .base import LMError
from .chances import LIKELIEST
from .transport import HTTPFailure, Kind
from .wire import readable_url

LOOKED = 10_000  # characters of a message that are looked at
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is not asked again
STOP = "stop_sequences"  # what Anthropic calls stop, also where it takes OpenAI's parameters
_NO_OPTIONS = ("model", "messages", "n", "seed", "max_tokens", "max_completion_tokens")  # of a request itself
RESUMES = "a recorded run resumes where it stopped"
_OVERFLOW = re.compile(r"context.{0,20}(length|size|window)|exceed_context|maximum context|too many tokens", re.I)
_NO_MODEL = re.compile(r"not found|does ?n.t exist|not a valid|invalid model|unknown model|no such", re.I)
_NO_API = re.compile(r"(unexpected|unknown|invalid|no such) (end ?point|url|path|route)|page not found", re.I)
_NO_CREDIT = re.compile(r"insufficient.{0,9}(balance|credit|fund)|(balance|credit).{0,20}too low|no credit", re.I)
_NO_SYSTEM = re.compile(
    r"(system|developer).{0,9}(role|message|prompt|instruction)s?.{0,9}(not|n't|un).?(support|allow|enable|permit)"
    r"|(not|n't) (support|allow|accept).{0,20}system|roles must alternate",
    re.I,
)
_WANTS_TLS = re.compile(r"http request.{0,20}https (port|server)", re.I)
_TITLE = re.compile(r"<title\b[^<>]{0,100}>([^<]{1,200})", re.I)
_PASSING = re.compile(r"overload|rate.?limit|time.?d? ?out|unavailable|temporar|try again|upstream|server.error", re.I)


def unreadable(text: str) -> HTTPFailure | None:
    """What is wrong with an answer (status 200) that is no chat completion; None if it was no such API at all.

    Some servers and proxies report an error with status 200; the status is then in the error's code, if anywhere.
    """
    start = text.lstrip()
    if start.startswith(("data:", "event:", ":")):
        return HTTPFailure("stream")
    try:
        answer = json.loads(text)
    except RecursionError:
        return None
    except ValueError:
        return HTTPFailure("truncated") if start.startswith("{") or not start else None
    answer = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    if not isinstance(answer, Mapping) or not answer.get("error"):
        return None
    failure = HTTPFailure.answered(200, text)
    code = str(failure.field("code") or failure.field("status"))
    if code.isdecimal() and 400 <= int(code[:4]) < 600:
        failure.status = int(code)
    return failure


def said(error: HTTPFailure, hide: Callable[[str], str] = str) -> str:
    """The server's error message as one line, without what ``hide`` takes out, then cut after 200 characters; "" if
    there is none. (The other way round, half of a secret could stand at the cut.)
    """
    words: Any = error.body
    for _ in range(4):  # a message may hold another one
        if isinstance(words, Mapping):
            words = next(filter(None, map(words.get, ("message", "detail", "error", "msg"))), "")
        elif isinstance(words, list):
            words = words[0] if words else ""
    more = error.field("metadata")
    if isinstance(more, Mapping) and isinstance(more.get("raw"), str):  # OpenRouter's: what the provider said
        words = f"{words}: {more['raw']}"
    words = str(words or "")
    text = hide(words[:LOOKED])
    text = " ".join((text if len(words) <= LOOKED else text[: LOOKED // 2]).split())
    if text.startswith("<"):
        title = _TITLE.search(text)
        text = f"an HTML page titled {title[1].strip()}" if title else "an HTML page"
    return text if len(text) <= 200 else text[:200] + "..."


def retry_after(error: HTTPFailure) -> float:
    """Seconds that a server asks to wait: by Retry-After-Ms, by Retry-After (a number or an HTTP date), or by Gemini's
    retryDelay; 0.0 if it names none that can be read.
    """
    details = error.field("details")
    delays = [one.get("retryDelay") for one in details if isinstance(one, Mapping)] if isinstance(details, list) else []
    asked = [_seconds(error.headers.get("retry-after-ms")) / 1000, _seconds(error.headers.get("retry-after"))]
    return next(filter(None, [*asked, *(_seconds(str(delay).removesuffix("s")) for delay in delays)]), 0.0)


def _seconds(value: str | None) -> float:
    value = (value or "")[:100]
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return seconds if seconds > 0 else 0.0  # 0.0 for NaN, too


def passing(error: HTTPFailure) -> bool:
    """True for errors that a retry may cure: 429, 5xx, timeouts, connections that fail or break; but not an exhausted
    account.
    """
    if error.kind != "status":
        return error.kind in ("timeout", "refused", "broken", "truncated", "failed")
    if error.status == 429:
        return not unpaid(error)
    if error.status == 200:
        return bool(_PASSING.search(f"{error.field('code')} {error.field('type')} {said(error)}"))
    return error.status == 408 or (error.status >= 500 and not _NO_SYSTEM.search(said(error)))


def unpaid(error: HTTPFailure) -> bool:
    """True if the account has no credit left."""
    if error.status in (400, 403):
        return bool(_NO_CREDIT.search(said(error)))
    return error.status == 402 or (error.status == 429 and error.field("code") == "insufficient_quota")


def overflow(error: HTTPFailure) -> bool:
    """True if the server says that the prompt is too long for the model."""
    said_all = f"{error.field('code')} {error.field('type')} {error.body}"
    return error.status in (400, 413, 422) and bool(_OVERFLOW.search(said_all))


def unknown_model(error: HTTPFailure) -> bool:
    """True if the server seems not to have the model, or not to be an API at all."""
    words, status = said(error), error.status
    if status in (200, 400, 405) and _NO_API.search(words):
        return True
    return status == 404 or (status in (400, 422) and "model" in words and bool(_NO_MODEL.search(words)))


def names(error: HTTPFailure, parameter: str) -> bool:
    """True if the server rejects the request because of this parameter: its error's ``param``, or, where a server has
    only words, a message that names it alone or in quotes, after a word such as "parameter", or as the subject or
    object of what is wrong ("n is not supported", "does not support n").

    A message that merely holds the word is about something else ("your seed phrase was flagged", "an n-gram"), unless
    the word has an underscore: "use max_completion_tokens".
    """
    if error.status not in (400, 422) or overflow(error):
        return False
    name = re.escape(parameter)
    anywhere = rf"|\b{name}\b" if "_" in parameter else ""
    named = re.compile(
        rf"""\A{name}\Z|['"`]{name}['"`]"""
        rf"|\b(?:parameter|argument|field|option|keyword|property|key)s?(?: supplied)? ?(?:: ?)?{name}\b(?!-)"
        rf"|(?<![\w\\-]){name} ?(?:[=<>]|(?:is|are|must|may|should|has|cannot|can|not)\b)"
        rf"|(?:\A|\binvalid ) ?{name} ?:|n[o']t (?:support|accept|allow|take)s? (?:the )?{name}\b(?!-)" + anywhere,
        re.I,
    )
    return error.field("param") == parameter or any(named.search(text) for text in _texts(error.body))


def _texts(body: Any) -> Iterator[str]:
    """Every string in an error body, however deep, as one line; of long ones the beginning."""
    left = [body]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield " ".join(value[:LOOKED].split())
        elif isinstance(value, Mapping | list | tuple):
            left += value.values() if isinstance(value, Mapping) else value


_BROKEN = "the connection to {url} broke {tried} ({why}): see the server's log and run again; {RESUMES}"
_NO_ANSWER: Mapping[Kind, str] = {
    "timeout": "the server at {url} did not answer within {why} (tried {tried}): restart it if it hangs, or raise the"
    " timeout, lower max_tokens or lower max_concurrency; {RESUMES}",
    "refused": "no server answers at {url}: check the address and the network, or start a local server with"
    " `make local-lm`; {RESUMES}",
    "certificate": "the certificate of {url} is not trusted: set SSL_CERT_FILE to a file with the one that signed it",
    "tls": "no TLS at {url} ({why}): if that server has no certificate, write the base URL with http://",
    "proxy": "no way through the proxy to {url} ({why}): check HTTP_PROXY, HTTPS_PROXY (and the ports in them) and"
    " NO_PROXY (SOCKS is not supported); {RESUMES}",
    "encoding": "the server at {url} answers in an encoding that was not asked for ({why}): turn that off there, or in"
    " the proxy before it",
    "failed": "the server at {url} answered {tried}, but the model behind it failed ({why}): see its log, then run"
    " again; {RESUMES}",
    "stream": "the server at {url} answered with an event stream, which was not asked for: turn streaming off there",
    "flood": "the server at {url} sent more than {why}: lower max_tokens or n, or see its log",
    "broken": _BROKEN,
    "truncated": _BROKEN,
}


def sentence(
    error: HTTPFailure,
    *,
    url: str,
    model: str,
    body: Mapping[str, Any],
    tries: int,
    timeout: float,
    listed: Sequence[str] = (),
    hide: Callable[[str], str] = str,
) -> str:
    """One sentence about a request with this ``body`` that finally failed: what happened and what to do.

    ``listed``: the models that the server lists, empty if that is not known. ``hide`` takes secrets out of a text.
    """
    code, words, wait = error.status, said(error, hide=hide), retry_after(error)
    asked = f"{wait:.0f} s" if wait < 86400 else "more than a day"
    plain = url.startswith("http:")
    quoted = f" (the server says: {words})" if words else ""
    tried = "once" if tries == 1 else "twice" if tries == 2 else f"{tries} times"
    if error.kind != "status":
        why = error.why or (f"{timeout:g} s" if error.kind == "timeout" else "its JSON ends too early")
        text = _NO_ANSWER[error.kind].format(url=url, why=why, tried=tried, RESUMES=RESUMES)
        return text + (" (if that port wants TLS, write https://)" if error.kind == "broken" and plain else quoted)
    if 300 <= code < 400:
        return f"the server at {url} sends calls elsewhere ({code}): {_moved(error, url)}"
    if passing(error) and wait > LONGEST_WAIT:
        return f"the server at {url} asks to wait {asked} ({code}): run again after that; {RESUMES}{quoted}"
    if words.startswith("an HTML page") and code in (403, 407, 429, 502, 503):
        way = "check the address, HTTP_PROXY and NO_PROXY"
        return f"something before the server at {url} answers, perhaps a proxy ({code}): {way}; {RESUMES}{quoted}"
    if code == 407:
        return (
            f"the proxy before {url} wants a name and password (407): HTTP_PROXY=http://NAME:PASSWORD@HOST:PORT{quoted}"
        )
    if plain and _WANTS_TLS.search(words):
        return f"the server at {url} wants TLS ({code}): write the base URL with https://{quoted}"
    if unpaid(error):
        return (
            f"the account behind the API key has no credit left ({code}): add some, then run again; {RESUMES}{quoted}"
        )
    if code == 401:
        return f"the server at {url} refuses the API key (401): check OPENAI_API_KEY, or the key passed as api_key"
    if code == 403:
        return f"the server at {url} refuses access (403): check that this API key may use the model {model!r}{quoted}"
    if overflow(error):
        return (
            f"the request does not fit the context of {model!r}: shorten the prompt, lower max_tokens, or serve the "
            f"model with a larger context{quoted}"
        )
    if unknown_model(error):
        return _no_model(code, url, model, listed) + quoted
    if code == 429:
        asks = f", and asks to wait {asked}" if wait else ""
        return (
            f"the server at {url} still says 'too many requests' (429) after {tries} tries{asks}: wait, or lower "
            f"max_concurrency, then run again; {RESUMES}{quoted}"
        )
    if _NO_SYSTEM.search(words) and any(message["role"] == "system" for message in body.get("messages", ())):
        todo = "--lm-option system=fold (in Python options={'system': 'fold'}) puts its text into the user's first one"
        return f"{model!r} takes no system message: {todo}, which is another prompt and recorded as such{quoted}"
    if code == 200 or passing(error):
        failed = f"answered {tried} with an error" if code == 200 else f"failed {tried} ({code})"
        return f"the server at {url} {failed}: see its log, then run again; {RESUMES}{quoted}"
    if refused := _refusal(error, model, body):
        return refused + quoted
    return f"the server at {url} refuses the request ({code}): change what it names{quoted or ' (it gives no reason)'}"


def _moved(error: HTTPFailure, url: str) -> str:
    """What to do about a redirect, which is not followed: it would take the key to another address."""
    there = error.headers.get("location") or ""
    try:
        there = readable_url(urljoin(f"{url}/chat/completions", there if len(there) < 300 else "data:"))
    except (LMError, ValueError):
        return "check the address"
    return f"if you trust {there.removesuffix('/chat/completions')}, give that as the base URL"


def _no_model(code: int, url: str, model: str, listed: Sequence[str]) -> str:
    if model in listed:
        return f"the server at {url} lists {model!r}, but refuses it here ({code}): choose another model"
    if listed:
        short = [name for name in listed if len(name) <= 100][:10]
        some = ", ".join(short) + (", ..." if len(listed) > len(short) else "")
        return f"the server at {url} has no model {model!r}: choose one of {some}"
    right = "that the URL is right" if re.search(r"/v\d", url) else f"the URL: most end in /v1, so try {url}/v1"
    return f"no model {model!r}, or no OpenAI-compatible API, at {url} ({code}): check the model's name, and {right}"


def no_api(text: str, url: str) -> str:
    """One sentence about an answer (status 200) that is neither a chat completion nor an error."""
    error = HTTPFailure.answered(200, text)
    page = said(error) if text.lstrip().startswith("<") else "something that is not a chat completion"
    way = "" if re.search(r"/v\d", url) else f", so try {url}/v1"
    return (
        f"the server at {url} answered with {page}: check that this is the address of an OpenAI-compatible API (most"
        f" end in /v1{way}), and not a proxy's page (HTTP_PROXY, NO_PROXY)"
    )


def _refusal(error: HTTPFailure, model: str, body: Mapping[str, Any]) -> str:
    """Which parameter of the request was refused, and what to do about it; "" if none is named."""
    if names(error, "logprobs") or names(error, "top_logprobs"):
        fix = "choose another model or method; if you set tokens_from='logprobs', use tokens_from='usage'"
        fix = "leave out --verdicts logprobs" if body.get("top_logprobs") == LIKELIEST else fix
        return f"{model!r} gives no log probabilities: {fix}"
    if "response_format" in body and (names(error, "response_format") or names(error, "json_schema")):
        return f"{model!r} gives no structured answers: take the task without its forms"
    for name, value in body.items():
        if name not in _NO_OPTIONS and (names(error, name) or (name == "stop" and names(error, STOP))):
            shown = f"{name}={value}" if isinstance(value, str | int | float) else name
            todo = f"leave that option out, or give another value with --lm-option {name}=..."
            if name in ("temperature", "top_p", "stop"):  # which the task asks for
                flag = "--temperature none" if name == "temperature" else f"--lm-option {name}=none"
                setting = "temperature=None" if name == "temperature" else f'options={{"{name}": None}}'
                cut = " (the text is then cut at the stop strings on this side)" if name == "stop" else ""
                todo = (
                    f"leave it out with {flag} (in Python {setting}; --ROLE-lm-option {name}=none where a role has a"
                    f" model of its own){cut}, or use a profile that does, --lm-profile reasoning"
                )
            return f"{model!r} refuses {shown}: {todo}"
    return ""
