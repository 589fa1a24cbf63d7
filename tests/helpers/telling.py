"""A scripted model that also tells how likely its replies were. The numbers are made up: for tests only."""

from dataclasses import replace
from math import log

from toys import dice

from tot.lm.base import LM


class Telling(LM):
    """``lm``, whose replies to requests with ``logprobs`` are one line and have a ``logprob``.

    A list that the inner model writes stands for its lines: sample i is line i of it, and then from the top again.

    ``chance(request, text)``: how likely the text is; by default a number that depends on both, and at most 1 / 8.
    """

    def __init__(self, lm, chance=None):
        self.lm, self.name, self.batched = lm, lm.name, lm.batched
        self.chance = chance or (lambda request, text: (1 + dice(request.messages, text)) / 16)

    def __call__(self, requests, on_reply=None):
        replies = []
        for request, reply in zip(requests, self.lm(requests), strict=True):
            if request.logprobs:
                told = zip(reply.samples, request.indices, strict=True)
                reply = replace(reply, samples=tuple(self.told(request, sample, i) for sample, i in told))
            replies.append(reply)
            if on_reply:
                on_reply(request, reply)
        return replies

    def told(self, request, sample, i):
        lines = sample.text.splitlines() or [""]
        text = lines[i % len(lines)]
        return replace(sample, text=text, logprob=log(self.chance(request, text)))
