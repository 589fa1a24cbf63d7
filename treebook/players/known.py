"""A small model as a chapter asks it: recorded replies first, and live for what nobody recorded."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from tot.lm.base import LM, OnReply, Reply, Request
from tot.lm.cassette import Cassette

from . import Pocket
from .template import prompt_tokens


class Player(LM):
    """The one model of the file ``cassette``, replayed; and live, with ``weights``, for a request not recorded whole.

    The weights give the same samples (up to rounding on another processor), and nothing is written. ``template``: how
    ``Pocket`` reads a request. Raises FileTrouble without the cassette; LMError where missing weights are needed.
    """

    batched = True

    def __init__(
        self,
        cassette: str | Path,
        weights: str | Path,
        template: Callable[[Request], list[int]] = prompt_tokens,
    ) -> None:
        self.recorded = Cassette(cassette)
        self.name = self.recorded.name
        self._weights, self._template = weights, template

    @cached_property
    def live(self) -> Pocket:  # loaded once a knob has been changed
        return Pocket(weights=self._weights, name=self.name, template=self._template)

    def knows(self, request: Request) -> bool:
        """Whether all samples of the request are recorded."""
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
