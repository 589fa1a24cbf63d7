"""A model that answers from a log, and what one has to know to read the authors' numbers back as words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import tot
from tot.lm.base import OnReply, Reply, Request, Sample
from tot.tasks.game24 import VERDICTS


class Logged(tot.LM):
    """Answers a request by its last message: sample i is the i-th of the replies that are logged under it.

    Raises Miss where the log has none: the search has left the path that GPT-4 was asked about.
    """

    unpriced = False

    def __init__(self, replies: Mapping[str, Sequence[str]]) -> None:
        self.name = "GPT-4, from the authors' log"
        self.replies = replies

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        return [self.reply(request) for request in requests]

    def reply(self, request: Request) -> Reply:
        known = self.replies.get(request.messages[-1].content, ())
        if len(known) < request.first + request.n:
            raise tot.Miss("the log has no reply to this")
        texts = known[request.first : request.first + request.n]
        return Reply(tuple(Sample(text, completion_tokens=tokens(text)) for text in texts))


class Samples(Logged):
    """Answers whatever it is asked with the logged samples of one problem."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__({})
        self.texts = texts

    def reply(self, request: Request) -> Reply:
        return Logged({request.messages[-1].content: self.texts}).reply(request)


SAMPLES = 3  # verdicts on each state, section 4.1
_THOUSANDTHS = {word: round(1000 * VERDICTS[word]) for word in ("sure", "likely", "impossible")}


def verdicts(value: float) -> list[str]:
    """The verdicts behind a logged value: 22.0 is one sure and two likely. An unread one is an empty text.

    The logs have only the sum of the three, and each sum can be made in one way only. Raises ValueError for others.
    """
    rest, words = round(1000 * value), []
    for word, worth in _THOUSANDTHS.items():
        words += [word] * (rest // worth)
        rest %= worth
    if len(words) > SAMPLES or rest or abs(1000 * value - round(1000 * value)) > 1e-6:
        raise ValueError(f"{value} is no sum of {SAMPLES} verdicts")
    return words + [""] * (SAMPLES - len(words))


# how the tokenizer of GPT-4 cuts plain text before it merges: words, up to three digits, runs of signs, line breaks
_PIECE = re.compile(r"[^\r\n\w]?[^\W\d_]+|\d{1,3}| ?[^\s\w]+[\r\n]*|_+|\s*[\r\n]+|\s+(?!\S)|\s", re.IGNORECASE)


def tokens(text: str) -> int:
    """About how many tokens GPT-4 writes for a text. For equations it is exact, for words a little too few.

    The bills in the logs say so: ``game24_samples`` compares.
    """
    return len(_PIECE.findall(text))
