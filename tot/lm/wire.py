"""Pure functions for the data of an OpenAI-compatible API: seeds, responses, token counts, names, URLs, prices."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import json
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from .base import LMError, Request, Sample

Prices = Mapping[str, Mapping[str, float]]  # model -> dollars per million tokens, for input and output

MOST_TOKENS = 10**12  # of one reply; also leaves out nan, infinity, and what no float can hold
_KEY = re.compile(r"(?=\w*\d)[A-Za-z0-9]{16,}")  # in a part of a path: no word, and no name with hyphens


def provider_seed(seed: int, request: Request, model: str) -> int:
    """The seed to send: 31 bits (which every server accepts) from ``seed``, the request's key and its first index."""
    digest = hashlib.sha256(f"{seed}:{request.key(model)}:{request.first}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def read_completion(text: str) -> tuple[list[Sample], int]:
    """The samples of a chat completion (JSON text), and its number of prompt tokens.

    Any text of a model is accepted: an empty, cut-off or enormous one is a sample. Raises ValueError, TypeError,
    KeyError or AttributeError if ``text`` is not a chat completion.
    """
    answer = json.loads(text)
    choices = sorted(answer.get("choices") or [], key=lambda choice: choice.get("index") or 0)
    texts = [tidy(choice["message"].get("content")) for choice in choices]
    ends = [str(choice.get("finish_reason") or "stop") for choice in choices]
    prompt = billed(answer, "prompt_tokens")
    return [Sample(*fields) for fields in zip(texts, ends, count_tokens(answer, choices, texts), strict=True)], prompt


def count_tokens(answer: Mapping[str, Any], choices: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> list[int]:
    """Completion tokens of each choice; zeros if the server gives no count.

    The number of log probabilities, if there are any; else the server's total, divided in proportion to length.
    llama.cpp's total counts only the first choice, so the others are estimated from their length.
    """
    counted = [len((choice.get("logprobs") or {}).get("content") or ()) for choice in choices]
    if any(counted):
        return counted
    total = billed(answer, "completion_tokens")
    lengths = [len(text) + 1 for text in texts]  # + 1: the token that ends a sample
    if len(texts) > 1 and "timings" in answer:  # only llama.cpp sends timings
        return [round(total * length / lengths[0]) for length in lengths]
    marks = [total * upto // sum(lengths) for upto in accumulate(lengths)]
    return [end - start for start, end in pairwise([0, *marks])]


def billed(answer: Mapping[str, Any], name: str) -> int:
    """A number of the server's bill; 0 where it is missing, negative, or more than any bill could hold."""
    value = (answer.get("usage") or {}).get(name)
    return int(value) if isinstance(value, int | float) and 0 < value < MOST_TOKENS else 0


def tidy(content: Any) -> str:
    """A message's content as text that UTF-8 can encode: None becomes "", a lone surrogate "?"."""
    if content is not None and not isinstance(content, str):
        raise TypeError("content is not text")
    return (content or "").encode("utf-8", "replace").decode("utf-8")


def without_path(model: str) -> str:
    """A model's name; of a file path, which llama.cpp uses as a name, only the last part."""
    local = model.startswith(("/", "~", ".")) or "\\" in model
    return model.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] if local else model


def is_loopback(host: str) -> bool:
    """True if the host is this machine."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def secrets(url: str) -> list[str]:
    """What a URL holds that nobody should read: user and password, also as a header sends them, values of its query,
    and parts of its path that look like a key. Longest first.
    """
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    found = [user, *user.split(":"), base64.b64encode(unquote(user).encode()).decode()] if user else []
    found += [value for _, value in parse_qsl(parts.query)]
    found += [part for part in parts.path.split("/") if _KEY.search(part)]
    return sorted(filter(None, {*found, *map(unquote, found)}), key=len, reverse=True)


def readable_url(url: str) -> str:
    """The URL without user, password, query and keys in its path, for display. Raises LMError if it is not an http(s)
    URL.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for a port that is not a number
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise LMError("the base URL cannot be read: write it like http://127.0.0.1:8101/v1")
    path = "/".join("***" if _KEY.search(part) else part for part in parts.path.split("/"))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}".rstrip("/")


def dollars(value: Any) -> float:
    """A price as a number. Raises ValueError or TypeError unless it is finite and not negative."""
    price = float(value)
    if not (isfinite(price) and price >= 0):
        raise ValueError(f"a price must be a number of dollars, not {value!r}")
    return price


def read_price(prices: Prices | str | Path | None, model: str) -> tuple[float, float]:
    """Dollars per million prompt tokens and completion tokens; zeros if no prices are given.

    Raises LMError if the table cannot be read or lacks the model.
    """
    if prices is None:
        return 0.0, 0.0
    try:
        table = json.loads(Path(prices).read_text("utf-8")) if isinstance(prices, str | Path) else prices
        return dollars(table[model]["input"]), dollars(table[model]["output"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        example = json.dumps({model: {"input": 1.0, "output": 2.0}})
        raise LMError(
            f"no price for {model!r}: write {example} (dollars per million tokens) in the price table"
        ) from error
