"""What a client gets: a chat completion made of samples (``tot.serve.tape``), whole or as events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..lm.completion import billed


def completion(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The completion whose choices are these samples; of those of one call, just what its server answered."""
    choices = [{"index": place, **sample["choice"]} for place, sample in enumerate(samples)]
    usage, prompt = dict(samples[0]["usage"]), billed(samples[0], "prompt_tokens")
    written = round(sum(billed(sample, "completion_tokens") / sample["of"] for sample in samples))
    if written != billed(samples[0], "completion_tokens"):
        usage |= {"completion_tokens": written, "total_tokens": prompt + written}
    return {**samples[0]["answer"], "object": "chat.completion", "choices": choices, "usage": usage}


def events(whole: Mapping[str, Any], counts: bool) -> Iterator[bytes]:
    """The completion as server-sent events, its texts word by word; ``counts``: the usage at the end."""
    head = {**whole, "object": "chat.completion.chunk"}
    del head["usage"]
    head |= {"usage": None} if counts else {}
    for choice in whole["choices"]:
        text, calls = choice["message"].get("content"), choice["message"].get("tool_calls") or ()
        words = re.findall(r"\s*\S+\s*|\s+", text) if isinstance(text, str) else []
        first = {**choice["message"], "content": text if text is None else ""}
        first |= {"tool_calls": [{"index": place, **call} for place, call in enumerate(calls)]} if calls else {}
        rest = {**choice, "finish_reason": None}
        del rest["message"]
        for delta in (first, *({"content": word} for word in words)):
            yield _event(head | {"choices": [rest | {"delta": delta}]})
            rest = {"index": choice["index"], "finish_reason": None}  # log-probabilities come once, at the beginning
        yield _event(head | {"choices": [rest | {"delta": {}, "finish_reason": choice.get("finish_reason")}]})
    if counts:
        yield _event(head | {"choices": [], "usage": whole["usage"]})
    yield b"data: [DONE]\n\n"


def _event(chunk: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
