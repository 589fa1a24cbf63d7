"""A small model as a chapter asks it: recorded replies first, and live for what nobody recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from tot.lm.base import LM, OnReply, Reply, Request
from tot.lm.cassette import Cassette
from treebook.players import Pocket

HERE = Path(__file__).resolve().parent
CASSETTES = HERE.parents[1] / "notebooks" / "cassettes"


class Player(LM):
    """``name``: "novice" or "pupil" of chapter 18, or another ``chapter``'s model, which ``opened`` opens.

    A request that is not recorded whole is answered by the weights, which give the same samples (up to rounding on
    another processor); nothing is written. Raises FileTrouble for another name.
    """

    batched = True

    def __init__(self, name: str, chapter: int = 18, opened: Callable[[], Pocket] | None = None) -> None:
        self.name = name
        self.recorded = Cassette(CASSETTES / f"{chapter}_{name}.jsonl", model=name)
        self._opened = opened or (lambda: Pocket(weights=HERE / f"{name}.safetensors", name=name))

    @cached_property
    def live(self) -> Pocket:  # loaded once a knob has been changed
        return self._opened()

    def knows(self, request: Request) -> bool:
        key = self.recorded.applied(request).key(self.name)
        return all((key, index) in self.recorded.tape.samples for index in request.indices)

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies: dict[int, Reply] = {}
        for known in (True, False):
            places = [i for i, request in enumerate(requests) if self.knows(request) == known]
            if places:
                source: LM = self.recorded if known else self.live
                replies |= zip(places, source([requests[i] for i in places], on_reply), strict=True)
        return [replies[i] for i in range(len(requests))]
