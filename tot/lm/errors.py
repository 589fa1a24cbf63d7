"""What can go wrong with an HTTP call, and one sentence for each: what happened and what to do next.

The sentences are in ``errors.toml``, and the words by which servers tell what is wrong. Nothing here talks to one.
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from importlib.resources import files
from typing import Any
from urllib.parse import urljoin

from .base import LMError
from .chances import LIKELIEST
from .transport import HTTPFailure
from .wire import readable_url

LOOKED = 10_000  # characters of a message that are looked at
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is not asked again
_TABLE: dict[str, Any] = tomllib.loads(files(__package__).joinpath("errors.toml").read_text(encoding="utf-8"))
RESUMES: str = _TABLE["resumes"]
_WORDS = {name: re.compile(pattern, re.I) for name, pattern in _TABLE["words"].items()}
_TITLE = re.compile(r"<title\b[^<>]{0,100}>([^<]{1,200})", re.I)
_NO_OPTIONS = ("model", "messages", "n", "seed", "max_tokens", "max_completion_tokens")  # of a request itself
_ALSO = {"logprobs": "top_logprobs", "response_format": "json_schema", "stop": "stop_sequences"}  # Anthropic's stop


def unreadable(text: str, otherwise: HTTPFailure | None = None) -> HTTPFailure:
    """What is wrong with an answer (status 200) that is no chat completion. If it tells no error: ``otherwise``, or by
    default that it was no such API at all.

    Some servers and proxies report an error with status 200; the status is then in the error's code, if anywhere.
    """
    start = text.lstrip()
    if start.startswith(("data:", "event:", ":")):
        return HTTPFailure("stream")
    failure = HTTPFailure.answered(200, text)
    page = said(failure)
    what = page if _is_page(page) else "something that is not a chat completion"
    foreign = otherwise or HTTPFailure("foreign", what)
    foreign.text = text
    try:
        answer = json.loads(text, strict=False)
    except RecursionError:
        return foreign
    except ValueError as error:
        told, end = str(error), getattr(error, "pos", 0) == len(text.rstrip())
        whole = not start.startswith("{") or (text.rstrip().endswith("}") and not end and "Unterminated" not in told)
        return foreign if start and whole else HTTPFailure("truncated", "its JSON ends too early")
    answer = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    if answer is None:
        return HTTPFailure("truncated", "it says nothing")
    if not isinstance(answer, Mapping):
        return foreign
    code = str(failure.field("code") or failure.field("status"))
    if not answer.get("error") and not ("message" in answer and code not in ("0", "200", "None")):
        return foreign
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
    if re.match("<[!?a-z]", text, re.I):
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
        return bool(_WORDS["passing"].search(f"{error.field('code')} {error.field('type')} {said(error)}"))
    if error.status == 400 and (error.field("failed_generation") or _WORDS["out-of-order"].search(said(error))):
        return True  # what the model wrote has not the form that was asked for: it may have, another time
    busy = error.status in (408, 409, 424, 425, 498, 499)
    return busy or (error.status >= 500 and not _WORDS["no-system"].search(said(error)))


def crowded(error: HTTPFailure) -> bool:
    """True if the server has too much to do, and may answer when it has less; not if it is this call that is large."""
    return error.status in (429, 503, 529) and "too large" not in said(error)


def ended(error: HTTPFailure) -> str:
    """How a reply ended of which a server tells as if the request were wrong: "length", "content_filter" (also where it
    let nothing be written: of many prompts of a search one may be refused); else "".
    """
    words, code = said(error), f"{error.field('code')} {error.field('type')}"
    if error.status != 400:
        return ""
    filtered = "content_filter" in code or ("invalid_prompt" in code and _WORDS["filtered"].search(words))
    if filtered or _WORDS["content_filter"].search(words):
        return "content_filter"
    return "length" if _WORDS["length"].search(words) else ""


def unheard(error: HTTPFailure) -> bool:
    """True if the model may have answered, and bill that, though nobody heard it: a gateway's time may be over, too."""
    known = error.kind in ("refused", "certificate", "tls", "proxy", "status", "failed")
    known = known or (error.kind == "foreign" and '"choices"' not in error.text)  # a page at a wrong address
    return not known or error.status in (408, 504, 522, 524)


def wrong_key(error: HTTPFailure) -> bool:
    """True if the API key is none."""
    return error.status == 401 or (error.status == 400 and bool(_WORDS["wrong-key"].search(said(error))))


def elsewhere(error: HTTPFailure) -> bool:
    """True if it is not about the request: the key, the model or the way to the server is none, or not any more."""
    if error.status in (413, 414) or (error.status == 404 and _WORDS["no-way"].search(said(error))):
        return False  # it is this request that is too long, or wants what nobody gives
    way = error.kind in ("certificate", "tls", "proxy") or 300 <= error.status < 400 or error.status == 407
    way = way or (error.status == 403 and not _WORDS["filtered"].search(said(error)))
    return way or _is_page(error.why or said(error)) or wrong_key(error) or unknown_model(error)


def unpaid(error: HTTPFailure) -> bool:
    """True if the account has no credit left."""
    if error.status in (400, 401, 403, 412):
        return bool(_WORDS["no-credit"].search(f"{error.field('code')} {error.field('type')} {said(error)}"))
    return error.status == 402 or (error.status == 429 and error.field("code") == "insufficient_quota")


def overflow(error: HTTPFailure) -> bool:
    """True if the server says that the prompt is too long for the model."""
    said_all = f"{error.field('code')} {error.field('type')} {error.body}"
    return error.status in (400, 413, 422) and bool(_WORDS["overflow"].search(said_all))


def unknown_model(error: HTTPFailure) -> bool:
    """True if the server seems not to have the model, or not to be an API at all."""
    words, status = said(error), error.status
    if status in (200, 400, 405) and _WORDS["no-api"].search(words):
        return True
    return status == 404 or (status in (400, 422) and "model" in words and bool(_WORDS["no-model"].search(words)))


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


def mentions(error: HTTPFailure, parameter: str) -> bool:
    """True if the server rejects the request and its words have this one: enough where it has never worked."""
    word = re.compile(rf"(?<![\w\\-]){re.escape(parameter)}(?![\w/-]|['’]\w)")
    about_text = overflow(error) or _WORDS["filtered"].search(said(error))
    return error.status in (400, 422) and not about_text and any(map(word.search, _texts(error.body)))


def least(error: HTTPFailure) -> int:
    """The lowest limit of tokens that the server takes, if that is why it rejects the request; else 0."""
    words = r"max_(?:output_|completion_)?tokens\b.{0,80}?(?:>=|at least|greater than or equal to)\s?(\d{1,3})\b"
    found = [at for text in _texts(error.body) if (at := re.search(words, text, re.I))]
    return int(found[0][1]) if found and error.status in (400, 422) else 0


def several(error: HTTPFailure) -> bool:
    """True if the server gives fewer samples a call and does not name ``n``: Gemini's "Multiple candidates is not
    enabled", llama.cpp's "n_cmpl cannot be greater than the number of slots", and old "Only one completion choice".
    """
    words = r"\b(?:multiple|one) (?:completion )?(?:candidate|choice)s? (?:is|are|can|may)\b|candidate_?count|n_cmpl"
    words += r"|\bnumber of (?:choices|completions)|\bchoices count"
    return error.status in (400, 422, 500) and any(re.search(words, text, re.I) for text in _texts(error.body))


def _texts(body: Any) -> Iterator[str]:
    """Every string in an error body, however deep, as one line; of long ones the beginning."""
    left = [body]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield " ".join(value[:LOOKED].split())
        elif isinstance(value, Mapping | list | tuple):
            left += value.values() if isinstance(value, Mapping) else value


def _is_page(words: str) -> bool:
    return words.startswith("an HTML page")


def _refused(error: HTTPFailure, body: Mapping[str, Any]) -> str:
    """Which parameter of the request was refused; "" if none is named."""
    options = [name for name in body if name not in _NO_OPTIONS]
    named = (
        name for name in ("logprobs", *options) if any(names(error, each) for each in (name, _ALSO.get(name, name)))
    )
    return next(named, "")


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
    unknown, refused, plain = unknown_model(error), _refused(error, body), url.startswith("http:")
    system = any(message["role"] == "system" for message in body.get("messages", ()))
    facts = {  # names of sentences; the first fact that holds is said
        error.kind: error.kind != "status",
        "moved": 300 <= code < 400,
        "long-wait": passing(error) and wait > LONGEST_WAIT,
        "page": _is_page(words) and code in (403, 407, 429, 502, 503),
        "proxy-name": code == 407,
        "wants-tls": plain and _WORDS["wants-tls"].search(words),
        "no-credit": unpaid(error),
        "key": wrong_key(error),
        "access": code == 403,
        "overflow": overflow(error),
        "listed": unknown and model in listed,
        "others": unknown and listed,
        "no-model": unknown,
        "busy": code == 429,
        "no-system": system and _WORDS["no-system"].search(words),
        "answered": code == 200,
        "passing": passing(error),
        "parameter": refused,
        "odd": True,
    }
    asked = f"{wait:.0f} s" if wait < 86400 else "more than a day"
    quoted = f" (the server says: {words})" if words else ""
    value, short = body.get(refused), [name for name in listed if len(name) <= 100][:10]
    name, parameters = next(name for name, holds in facts.items() if holds), _TABLE["parameters"]
    which = "verdicts" if refused == "logprobs" and body.get("top_logprobs") == LIKELIEST else refused
    text: str = parameters.get(which, parameters["option"]) if name == "parameter" else _TABLE["sentences"][name]
    return text.format(
        url=url,
        code=code,
        model=model,
        tries=tries,
        why=error.why or f"{timeout:g} s",
        tried="once" if tries == 1 else "twice" if tries == 2 else f"{tries} times",
        resumes=RESUMES,
        asked=asked,
        asks=f", and asks to wait {asked}" if wait else "",
        quoted=quoted,
        reason=quoted or " (it gives no reason)",
        perhaps_tls=" (if that port wants TLS, write https://)" if plain else quoted,
        perhaps_v1="" if re.search(r"/v\d", url) else f", so try {url}/v1",
        there=_moved(error, url),
        others=", ".join(short) + (", ..." if len(listed) > len(short) else ""),
        name=refused,
        shown=f"{refused}={value}" if isinstance(value, str | int | float) else refused,
    )


def _moved(error: HTTPFailure, url: str) -> str:
    """What to do about a redirect, which is not followed: it would take the key to another address."""
    there = error.headers.get("location") or ""
    try:
        there = readable_url(urljoin(f"{url}/chat/completions", there if len(there) < 300 else "data:"))
    except (LMError, ValueError):
        return "check the address"
    return f"if you trust {there.removesuffix('/chat/completions')}, give that as the base URL"
