"""The pocket model: a language model of about a million parameters, included with tot, that needs only numpy.

It was trained on Game-of-24 thoughts (``studies/pocket``) and knows nothing else. ``model`` is the transformer,
``engine`` generates from it fast, ``tokens`` and ``template`` turn requests into tokens. In a browser ``pocket.js``
does the arithmetic, through ``browser``; ``jobs`` is what an engine is given and gives back.
"""

from __future__ import annotations

import hashlib
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tot.lm.base import LM, LMError, OnReply, Reply, Request, Sample, Usage
from tot.lm.chances import label_in, normalised

from . import tokens as game24_tokens
from .jobs import Done, Engine, Sampling, Vocabulary, at_end
from .template import REFUSAL, prompt_tokens
from .tokens import END, Refusal

if TYPE_CHECKING:  # they need numpy, or a browser
    from .model import Weights

__all__ = ["Pocket"]

FILE = Path(__file__).with_name("weights.safetensors")


class Pocket(LM):
    """The pocket model as an LM: ``Pocket()(requests)``. It is free and works offline, without a recording.

    A sample depends only on the weights, ``seed``, the request and the sample index, not on batching or order. (A
    different processor or numpy version may round differently and, rarely, change a token.)

    ``weights``: a safetensors file (default: the included one). ``name``: the model's name, which is part of a recorded
    sample's identity; by default the name in the file, else "pocket", and the seed if it is not 0.
    ``engine``: does the arithmetic, with weights of its own (``jobs.Engine``); by default numpy's, and in a browser
    that of ``pocket.js``. ``template``: turns a request into prompt tokens, or raises ``tokens.Refusal``; by default
    that of the included model. ``vocabulary``: what its tokens mean, by default those of the included model.
    ``refusal``: what it was trained for; each refusal ends with it.

    Attributes: ``weights``, the file's SHA-256; ``model``, the arrays (``model.Weights``; numpy's engine only);
    ``seed``; ``engine``; ``template``; ``vocabulary``.

    Defaults of unset parameters: temperature 1, top_p 1, max_tokens up to the end of the context. A prompt that the
    model was not trained for gets finish "refusal" and a text that says what the model can do; such a sample counts no
    tokens. A reply is cut off (finish "length") at max_tokens or at the end of the context. ``completion_tokens``
    counts all generated tokens, including the end token and what a stop string cut off. The ``chances`` of a request's
    labels are exact, at temperature 1: products of the model's probabilities of each label's tokens, in one more batch.
    So is a ``logprob``, of all that was generated: it has the end token, and the one that completed a stop string.

    Raises LMError for an unreadable file, without numpy, and when called with parameters out of range; TypeError for a
    seed that is no whole number, and for both ``weights`` and an ``engine``.
    """

    batched, unpriced = True, False

    def __init__(
        self,
        seed: int = 0,
        weights: str | Path | None = None,
        name: str | None = None,
        engine: Engine | None = None,
        template: Callable[[Request], list[int]] = prompt_tokens,
        vocabulary: Vocabulary = game24_tokens,
        refusal: str = REFUSAL,
    ) -> None:
        if not isinstance(seed, int):
            raise TypeError(f"a seed is a whole number, not {seed!r}: for a file of weights say Pocket(weights=...)")
        if engine and weights:
            raise TypeError("an engine has weights of its own: leave out weights, or the engine")
        self.engine: Engine = engine or _engine(weights or FILE)
        self.name = name or (self.engine.metadata.get("name") or "pocket") + f":{seed}" * bool(seed)
        self.seed, self.weights, self.template = seed, self.engine.sha256, template
        self.vocabulary, self.refusal = vocabulary, refusal
        self._lock = threading.RLock()  # one call at a time, because each may use the whole memory limit
        self._cancelled = 0

    @property
    def model(self) -> Weights:
        """The arrays. Raises LMError with an engine that shows none."""
        arrays: Weights | None = getattr(self.engine, "weights", None)
        if arrays is None:
            raise LMError("this engine shows no arrays: where numpy is, treebook.players.model.load reads them")
        return arrays

    def __repr__(self) -> str:
        return f"Pocket(seed={self.seed}, name={self.name!r}, weights={self.weights[:8]!r})"

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        """The replies, in order. ``on_reply`` is called with each sample as soon as it is complete, in this thread.

        Calls from several threads run one after another. Ctrl-C leaves the model usable.
        """
        cancelled = self._cancelled
        with self._lock:
            began = time.monotonic()
            parts: list[dict[int, Reply]] = [{} for _ in requests]

            def answer(number: int, index: int, sample: Sample, prompt: int) -> None:
                asked = Usage(1, 1, prompt, sample.completion_tokens)
                # all samples of a request come of one call, which is paid with the first
                paid = replace(asked, calls=0, prompt_tokens=0) if parts[number] else asked
                parts[number][index] = Reply((sample,), asked, paid, time.monotonic() - began)
                if on_reply:
                    on_reply(requests[number].samples(index, 1), parts[number][index])

            jobs: list[Sampling] = []
            numbers: list[int] = []  # for each job, the index of its request
            for number, request in enumerate(requests):
                try:
                    jobs.append(self._job(request))
                    numbers.append(number)
                except Refusal as refusal:
                    said = ". ".join(filter(None, (str(refusal), self.refusal)))
                    for index in request.indices:
                        answer(number, index, Sample(said, "refusal"), 0)
            for step in self.engine.generate(jobs):
                if self._cancelled != cancelled or not LM.WANTED.get()():
                    raise LMError("the pocket model was cancelled before it had answered: run again")
                for done in step:
                    number, job = numbers[done.job], jobs[done.job]
                    answer(number, done.index, self._sample(requests[number], job, done), len(job.prompt))
        return [_joined(request, part) for request, part in zip(requests, parts, strict=True)]

    def _sample(self, request: Request, job: Sampling, done: Done) -> Sample:
        """The text up to the end, or up to the first stop string, and what the request wants to know of it."""
        text = self.vocabulary.decode(done.tokens)
        text = text[: min((text.find(word) for word in request.stop if word and word in text), default=len(text))]
        logprob = min(0.0, round(done.logprob, 6)) if request.logprobs else None
        sample = Sample(text, "stop" if done.ended else "length", len(done.tokens), logprob=logprob)
        return self._weighed(request, job, done, sample) if request.labels else sample

    def _weighed(self, request: Request, job: Sampling, done: Done, sample: Sample) -> Sample:
        """The sample with the chances of the request's labels where the last of them stands in it."""
        found, encode, decode = label_in(request, sample.text), self.vocabulary.encode, self.vocabulary.decode
        if found is None:
            return replace(sample, missing=1.0)
        ends = (len(decode(done.tokens[: i + 1])) for i in range(len(done.tokens)))
        at = next(i for i, end in enumerate(ends) if end > found[1])  # the token with which the label begins
        lead = sample.text[len(decode(done.tokens[:at])) : found[1]]  # and what that token says before it
        try:
            replies = [encode(lead + label) for label in request.labels]
        except ValueError as error:
            raise LMError(f"a label of the request: {error}") from error
        mass = [math.exp(log) for log in self.log_chances([*job.prompt, *done.tokens[:at]], replies)]
        chances, missing = normalised(mass)
        return replace(sample, chances=chances, missing=missing)

    def log_chances(self, prompt: Sequence[int], replies: Sequence[Sequence[int]]) -> list[float]:
        """The logarithm of the probability, at temperature 1, that the tokens of each reply follow ``prompt``."""
        begun = dict.fromkeys(tuple(reply[:i]) for reply in replies for i in range(len(reply)))
        rows = self.engine.log_probabilities([[*prompt, *begin] for begin in begun])
        logs = dict(zip(begun, rows, strict=True))
        return [math.fsum(logs[tuple(reply[:i])][token] for i, token in enumerate(reply)) for reply in replies]

    def cancel(self) -> None:
        """Abort calls in progress in other threads: they raise LMError. Later calls work as usual."""
        self._cancelled += 1

    def describe(self) -> dict[str, Any]:
        """Plain data about the source of the replies, for recordings."""
        settings = {"seed": self.seed, **self.engine.settings}
        return {"model": self.name, "server": "treebook.players", "settings": settings}

    def _job(self, request: Request) -> Sampling:
        """The request as a job. Raises Refusal for a prompt that the model cannot read, LMError for bad parameters."""
        temperature = 1.0 if request.temperature is None else request.temperature
        top_p = 1.0 if request.top_p is None else request.top_p
        wanted = self.engine.context if request.max_tokens is None else request.max_tokens
        if not (0 <= temperature < math.inf and 0 <= top_p <= 1 and wanted >= 1):
            raise LMError(
                "the pocket model takes a temperature of at least 0, top_p from 0 to 1 and max_tokens of at least 1,"
                f" not temperature={request.temperature}, top_p={request.top_p}, max_tokens={request.max_tokens}"
            )
        if request.schema:
            raise LMError("the pocket model gives no structured answers: take the task without its forms")
        prompt, context = self.template(request), self.engine.context
        if len(prompt) >= context:
            raise Refusal(
                f"The prompt has {len(prompt)} tokens, and prompt and reply together may have {context}: shorten it"
            )
        asked = request.key("pocket")  # not self.name, so that different checkpoints draw the same random numbers

        def key(index: int) -> int:
            digest = hashlib.sha256(f"{self.seed} {asked} {index}".encode()).digest()
            return int.from_bytes(digest[:16], "big")

        stop = tuple(filter(None, request.stop))
        ended = partial(_ended, self.vocabulary, stop) if stop else at_end
        limit = int(min(wanted, context - len(prompt)))
        return Sampling(prompt, request.indices, limit, float(temperature), float(top_p), key, ended, request.logprobs)


def _engine(path: str | Path) -> Engine:
    """The engine for this machine."""
    if sys.platform == "emscripten":
        from .browser import BrowserEngine

        return BrowserEngine(path)
    try:
        from .engine import NumpyEngine
    except ImportError as error:
        raise LMError(f"the pocket model needs {error.name}: pip install {error.name}") from error
    return NumpyEngine(path)


def _ended(vocabulary: Vocabulary, stop: Sequence[str], tokens: Sequence[int]) -> bool:
    if tokens[-1] == END:
        return True
    text = vocabulary.decode(tokens)
    return any(word in text for word in stop)


def _joined(request: Request, parts: dict[int, Reply]) -> Reply:
    """The samples of one request as one reply, with the prompt counted once."""
    replies = [parts[index] for index in request.indices]
    samples = tuple(sample for reply in replies for sample in reply.samples)
    tokens = sum(sample.completion_tokens for sample in samples)
    bill = Usage(1, len(samples), replies[0].asked.prompt_tokens, tokens)
    return Reply(samples, bill, bill, max(reply.seconds for reply in replies))
