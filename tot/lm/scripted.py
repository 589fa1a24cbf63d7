"""An LM with prewritten answers, for tests and demonstrations only, never for a results table."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from .base import LM, LMError, OnReply, Price, Reply, Request, Sample, bill, in_words

Answer = str | Sample  # a text, or a sample with its finish and tokens


class Scripted(LM):
    """Answers from a list or a function; counts whitespace-separated words as tokens. Tests and demonstrations only.

    ``answers``: a list, consumed in order of requests and of the samples within them; or a function from (request,
    sample index) to a string or a Sample. Only with a function does a repeated request get the same samples again.
    ``delay``: seconds that each call takes.
    ``requests``: all requests so far, for inspection in tests. Thread-safe.

    Raises LMError if the list has fewer answers left than a call needs; then none of them is consumed.
    """

    unpriced = False

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[Request, int], Answer],
        name: str = "scripted",
        *,
        delay: float = 0.0,
    ) -> None:
        self.name, self.delay = name, delay
        self.requests: list[Request] = []
        self._function = answers if callable(answers) else None
        self._queue: deque[Answer] = deque() if callable(answers) else deque(answers)
        self._lock = threading.Lock()

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        if self.delay:
            time.sleep(self.delay)
        function = self._function
        with self._lock:
            needed = sum(request.n for request in requests)
            if function is None and needed > len(self._queue):
                left = len(self._queue)
                raise LMError(f"the script has {left} answers left and {needed} are needed: add to the list")
            self.requests.extend(requests)
            queued = [] if function else [[self._queue.popleft() for _ in range(r.n)] for r in requests]
        replies = []  # outside the lock, because the function may be slow or call this model again
        for request in requests:
            answers = _called(function, request, self.price, on_reply) if function else queued.pop(0)
            replies.append(reply_of(request, answers, self.price))
            if on_reply:
                on_reply(request, replies[-1])
        return replies


def _called(
    function: Callable[[Request, int], Answer], request: Request, price: Price, on_reply: OnReply | None
) -> list[Answer]:
    """What the function answers; of a request that breaks off, what came before is told of."""
    answers = list[Answer]()
    try:
        for i in request.indices:
            answers.append(function(request, i))
    except BaseException:
        if answers and on_reply:
            part = request.samples(request.first, len(answers))
            on_reply(part, reply_of(part, answers, price))
        raise
    return answers


def reply_of(request: Request, answers: Sequence[Answer], price: Price) -> Reply:
    """The reply of these answers; words count as tokens where a sample has none."""
    samples, prompt = in_words(request, (Sample(one) if isinstance(one, str) else one for one in answers))
    asked = bill(samples, [price] * len(samples), prompt)
    return Reply(samples, asked, asked)
