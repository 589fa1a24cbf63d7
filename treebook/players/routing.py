"""Both pocket models as one: Game of 24 for the one, worded problems for the other, by the prompt."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from tot.lm.base import LM, OnReply, Reply, Request
from tot.lm.settings import NAMES, Settings, described

from . import Pocket, template
from .adjusted import Adjusted
from .worded import FILES, worded
from .worded import template as worded_template

BOTH = (
    "I am the pocket model and know two things. The Game of 24, in the prompts of the task game24: tot solve game24"
    f' "4 9 10 13". And {worded_template.WORLD}. For anything else bring another model: --lm openai:MODEL.'
)


# SHA-256 of the worded model's file in recordings that name Game of 24's alone: with this one both are what they say
WORDED = "4c40a00f4785a878b8e7473117ed7afd1c7e658b8d520e6608b973909177bd88"


class Pockets(Pocket):
    """The pocket model of Game of 24, with the same samples, which hands worded problems to the worded model.

    That one is opened when it is first needed. Other prompts get finish "refusal" and a text that names both worlds.
    ``weights`` is the SHA-256 of the file for Game of 24, or with another worded model than ``WORDED`` of both hashes.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, template=prompt_tokens, refusal=BOTH)
        self._worded: Pocket | None = None
        self._words = WORDED
        with suppress(OSError):  # Game of 24 needs no worded model
            self._words = sha256(FILES["large"].read_bytes()).hexdigest()
        if self._words != WORDED:
            self.weights = sha256(f"{self.weights} {self._words}".encode()).hexdigest()

    def describe(self) -> dict[str, Any]:
        """As ``Pocket`` does, with the worded model's weights."""
        return {**super().describe(), "worded_weights_sha256": self._words}

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        """The replies, in order: first Game of 24's, then the others'."""
        theirs = [worded_template.knows(request) for request in requests]
        if not any(theirs):
            return super().__call__(requests, on_reply)
        if self._worded is None:
            self._worded = worded(seed=self.seed)
            self._worded.refusal = BOTH
        own = [request for request, is_theirs in zip(requests, theirs, strict=True) if not is_theirs]
        others = [request for request, is_theirs in zip(requests, theirs, strict=True) if is_theirs]
        replies = iter(super().__call__(own, on_reply) if own else [])
        worded_replies = iter(self._worded(others, on_reply))
        return [next(worded_replies if is_theirs else replies) for is_theirs in theirs]

    def cancel(self) -> None:
        """See ``Pocket``: calls of either model."""
        super().cancel()
        if self._worded:
            self._worded.cancel()


def pocket(seed: str = "", **options: Any) -> LM:
    """the small models included with tot, which know game24 and the problems of gsm8k's split pocket (pocket:7 draws
    other samples)

    The entry "pocket" of ``tot.models``. ``options``: those of ``tot.lm.open``, of which it takes the temperature and
    top_p. Raises ValueError for another setting, and for a seed that is no whole number.
    """
    return _opened(Pockets, "pocket", seed, options)


def pocket_words(seed: str = "", **options: Any) -> LM:
    """the one for gsm8k alone

    One checkpoint of the worded model, which a recording should name; otherwise like ``pocket``.
    """
    return _opened(partial(worded, "large"), "pocket-words", seed, options)


def pocket_words_small(seed: str = "", **options: Any) -> LM:
    """a weaker one

    The early checkpoint of the worded model; otherwise like ``pocket``.
    """
    return _opened(partial(worded, "small"), "pocket-words-small", seed, options)


def _opened(make: Callable[..., LM], name: str, seed: str, options: Mapping[str, Any]) -> LM:
    if not re.fullmatch(r"\d{0,9}", seed):
        raise ValueError(f"cannot read '{name}:{seed}': after the colon comes a seed, for example {name}:7")
    settings = Settings.of(**{key: value for key, value in options.items() if key in NAMES})
    plain = settings.to_dict()
    if unknown := {name: value for name, value in plain.items() if name not in ("temperature", "top_p")}:
        raise ValueError(f"the pocket model has no {described(unknown)}: it takes a temperature and top_p only")
    live = make(seed=int(seed or 0))
    return Adjusted(live, settings) if plain else live


def prompt_tokens(request: Request) -> list[int]:
    """The prompt for the model that knows it. Raises Refusal if none does."""
    if worded_template.knows(request):
        return worded_template.prompt_tokens(request)
    return template.prompt_tokens(request)
