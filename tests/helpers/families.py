"""Servers of models that think, each in the shape that its family documents: what it refuses, how it tells what it
thought, what it bills.

    with FakeServer(FAMILIES["openai"].serve()) as server: ...
    python tests/helpers/families.py --thinks 300     # in a process of its own; there every family is a model's name

A family plays any scripted player behind its shape: by default the one of ``gpt4_like``. Four letters are a token.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fake_server import Answer, Behaviour, Body, FakeServer, Messages, error
from gpt4_like import play

Play = Callable[[Messages, "int | None", int], str]
Shape = Callable[[str, str], Body]  # (text, thinking) -> message
MUSING = "Let me see. <p>What do they want?</p> Perhaps 1 + 1 = 2 (left: 2 3); the answer is 7? Score: 0.1. "


def unsupported(name: str, value: str = "") -> Answer:
    """OpenAI's two forms of a refusal: of a parameter, and of a value for it."""
    if value:
        said = f"Unsupported value: '{name}' does not support {value} with this model. Only the default (1) value is"
        return error(400, f"{said} supported.", type="invalid_request_error", param=name, code="unsupported_value")
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    said += " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
    return error(400, said, type="invalid_request_error", param=name, code="unsupported_parameter")


def _openai(body: Body) -> Answer | None:
    for name in ("max_tokens", "stop", "logprobs"):
        if name in body:
            return unsupported(name)
    for name in ("temperature", "top_p"):
        if body.get(name, 1) != 1:
            return unsupported(name, str(body[name]))
    return None


def _kimi(body: Body) -> Answer | None:
    said = "invalid temperature: only 1 is allowed for this model"
    return error(400, said, type="invalid_request_error") if body.get("temperature", 1) != 1 else None


def _anthropic(body: Body) -> Answer | None:
    odd = [stop for stop in body.get("stop") or () if not stop.strip()]
    for wrong, said in (
        (body.get("n", 1) != 1, "n: must be exactly 1"),
        (body.get("temperature", 1) != 1, "`temperature` may only be set to 1 when thinking is enabled."),
        (odd, "stop_sequences: each stop sequence must contain non-whitespace"),
    ):
        if wrong:
            return error(400, said, type="invalid_request_error", param=None, code="invalid_request_error")
    return None


def _llama(body: Body) -> Answer | None:
    most = 4
    if body.get("n", 1) > most:
        return error(400, f"Field 'n': Value must be between 1 <= value <= {most}", type="invalid_request_error")
    return None


def _deepseek(body: Body) -> Answer | None:
    said = "deepseek-reasoner does not support the parameter logprobs"
    return error(400, said, type="invalid_request_error") if "logprobs" in body else None


def field_named(name: str, cut: str | None = "") -> Shape:
    """The thinking in a field of the message; ``cut``: the content while there is no answer."""
    return lambda text, thinking: {"content": text or cut, name: thinking}


def in_parts(text: str, thinking: str) -> Body:
    """Mistral's content: a list of parts."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": thinking}]}
    return {"content": [thought, *([{"type": "text", "text": text}] if text else [])]}


def in_tags(opened: bool) -> Shape:
    """The thinking in the text, as a server sends it that does not look for it."""
    first = "\n<think>\n" if opened else ""
    return lambda text, thinking: {"content": f"{first}{thinking}" + (f"\n</think>\n\n{text}" if text else "")}


def details(text: str, thinking: str) -> Body:
    """OpenRouter's message."""
    return {"content": text, "reasoning": thinking, "reasoning_details": [{"type": "reasoning.text", "text": thinking}]}


@dataclass(frozen=True)
class Family:
    """``refuse``: the error for a request, if it is refused. ``shape``: the message. ``told``: whether the thinking is
    told, and its tokens (OpenAI hides it and tells the number, Anthropic neither). ``one``: it gives one sample a call.
    ``stops_thinking``: a stop string ends the thinking, too. ``bill``: more entries of the usage, for prompt tokens.
    """

    shape: Shape
    refuse: Callable[[Body], Answer | None] = lambda body: None
    counts: bool = False
    one: bool = False
    stops_thinking: bool = False
    bill: Callable[[int], Body] = lambda prompt: {}
    more: Body = field(default_factory=dict)

    def serve(self, plays: Play = play, thinks: int = 40) -> Behaviour:
        """A server of this family: it plays ``plays`` after ``thinks`` tokens of thinking."""

        def behave(body: Body) -> Answer:
            if refusal := self.refuse(body):
                return refusal
            n = 1 if self.one else body.get("n") or 1
            return Answer(self.completion(body, [plays(body["messages"], None, i) for i in range(n)], thinks))

        return behave

    def completion(self, body: Body, texts: Sequence[str], thinks: int) -> Body:
        """The chat completion with these answers, cut at the limit of ``body``."""
        room = body.get("max_completion_tokens") or body.get("max_tokens") or 10**6
        stop = body.get("stop") or ()
        choices, tokens, thought = [], 0, 0
        for i, text in enumerate(texts):
            thinking, finish = (MUSING * thinks)[: 4 * min(thinks, room)], "stop"
            if self.stops_thinking and (short := _cut(thinking, stop)) != thinking:
                thinking, text = short, ""
            elif thinks >= room:
                text, finish = "", "length"
            elif len(text := _cut(text, stop)) > 4 * (room - thinks):
                text, finish = text[: 4 * (room - thinks)], "length"
            message = {"role": "assistant", **self.shape(text, thinking)}
            choices.append({"index": i, "message": message, "finish_reason": finish})
            thought += len(thinking) // 4
            tokens += len(thinking) // 4 + len(text) // 4
        prompt = sum(len(message["content"]) for message in body["messages"]) // 4
        usage: Body = {"prompt_tokens": prompt, "completion_tokens": tokens, "total_tokens": prompt + tokens}
        usage |= self.bill(prompt)
        if self.counts:
            usage["completion_tokens_details"] = {"reasoning_tokens": thought, "audio_tokens": 0}
        return {"object": "chat.completion", "choices": choices, "usage": usage, **self.more}


def _cut(text: str, stop: Sequence[str]) -> str:
    return min((text.partition(one)[0] for one in stop), key=len, default=text)


def _cached(prompt: int) -> Body:
    return {"prompt_tokens_details": {"cached_tokens": prompt // 2, "audio_tokens": 0}}


def _hits(prompt: int) -> Body:
    return {"prompt_cache_hit_tokens": prompt // 2, "prompt_cache_miss_tokens": prompt - prompt // 2}


def _hidden(text: str, thinking: str) -> Body:
    return {"content": text, "refusal": None}


FAMILIES = {
    "openai": Family(_hidden, _openai, counts=True, bill=_cached),
    "kimi": Family(field_named("reasoning_content"), _kimi, counts=True),
    "vllm": Family(field_named("reasoning", cut=None), stops_thinking=True, bill=_cached),
    "vllm-old": Family(field_named("reasoning_content", cut=None), stops_thinking=True),
    "llama.cpp": Family(field_named("reasoning_content"), _llama, stops_thinking=True, more={"timings": {}}),
    "llama.cpp-raw": Family(in_tags(True), _llama, stops_thinking=True, more={"timings": {}}),
    "template": Family(in_tags(False), stops_thinking=True),
    "ollama": Family(field_named("reasoning"), one=True, stops_thinking=True),
    "deepseek": Family(field_named("reasoning_content"), _deepseek, counts=True, one=True, bill=_hits),
    "openrouter": Family(details, counts=True, one=True, bill=_cached),
    "mistral": Family(in_parts),
    "anthropic": Family(_hidden, _anthropic),
}


def by_name(thinks: int = 40, plays: Play = play) -> Behaviour:
    """A server that has every family as a model: "openai", "vllm" ..."""

    def behave(body: Body) -> Answer:
        if body["model"] not in FAMILIES:
            return error(404, f"The model `{body['model']}` does not exist", code="model_not_found")
        return FAMILIES[body["model"]].serve(plays, thinks)(body)

    return behave


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thinks", type=int, default=300, help="tokens of thinking before each answer")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    options: Any = parser.parse_args()
    listed = [{"id": name, "owned_by": "tests"} for name in FAMILIES]
    with FakeServer(by_name(options.thinks), models=listed, port=options.port) as it:
        print(it.url, flush=True)
        it.ending.wait()


if __name__ == "__main__":
    main()
