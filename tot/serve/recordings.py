"""Recorded replies as a model: replay, and recording of what is missing."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from ..lm.tape import Line, Place
from .asked import Asked, Refused
from .tape import Replies

if TYPE_CHECKING:
    from .upstream import Behind


class Recordings:
    """Answers from ``replies``; what is missing is asked of the server ``behind`` (None: of nobody). ``model``: for
    requests that name none. ``how``: how to record, for the message of a miss. ``misses``: the last such messages.
    """

    def __init__(self, replies: Replies, behind: Behind | None = None, *, model: str = "", how: str = "") -> None:
        self.replies, self.behind, self.how = replies, behind, how
        self.model = model or (replies.models[0] if len(replies.models) == 1 else "")
        self.misses = deque[str](maxlen=20)
        self._coming: dict[Place, asyncio.Task[None]] = {}

    async def models(self) -> list[str]:
        """The models that can be asked for."""
        listed = await self.behind.upstream("").names() if self.behind else []
        return [*dict.fromkeys(filter(None, [*listed, self.model, *self.replies.models]))]

    async def samples(self, asked: Asked, numbers: list[int], key: str) -> list[Line]:
        """The replies with these numbers, recorded now if they were not; ``key``: the client's. Raises Refused."""
        places = [(asked.key, number) for number in numbers]
        while missing := [place for place in places if place not in self.replies.samples]:
            if not self.behind:
                raise await self._missed(asked, missing[0][1])
            if mine := [place for place in missing if place not in self._coming]:
                task = asyncio.create_task(self._record(self.behind, asked, mine, key))
                task.add_done_callback(lambda done: done.cancelled() or done.exception())  # the client may have left
                self._coming |= dict.fromkeys(mine, task)
            for task in {self._coming[place] for place in missing}:
                await asyncio.shield(task)
        return [self.replies.samples[place] for place in places]

    async def _record(self, behind: Behind, asked: Asked, places: list[Place], key: str) -> None:
        try:
            whole = await behind.complete(asked, len(places), key)
            self.replies.write(asked, [number for _, number in places], whole, behind.upstream(key)._hidden)
        finally:
            for place in places:
                del self._coming[place]

    async def _missed(self, asked: Asked, number: int) -> Refused:
        if number and asked.key in self.replies.requests:
            why = f"it is recorded, but not for the {number + 1}th time (POST /reset begins to count anew)"
        else:
            why = await asyncio.to_thread(asked.nearest, [*self.replies.requests.values()])
        self.misses.append(f"this request is not recorded in {self.replies.path.name}: {why}; to record, {self.how}")
        return Refused(422, self.misses[-1], "not_recorded")
