"""Recorded replies as a model: replay, and recording of what is missing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from ..jsonlines import FileTrouble
from ..lm.tape import Line, Place
from .asked import Asked, Refused
from .tape import Replies

if TYPE_CHECKING:
    from .upstream import Purse, Upstream


class Recordings:
    """Answers from ``replies``; ``upstream``, a function of a client's key, is asked for what is missing (None: nobody
    is). ``model``: for requests that name none. ``how``: how to record, for the message of a miss. ``misses``: those
    messages. ``sessions``: which sample is next, by name.
    """

    def __init__(
        self,
        replies: Replies,
        upstream: Callable[[str], Upstream] | None = None,
        purse: Purse | None = None,
        *,
        model: str = "",
        how: str = "",
    ) -> None:
        self.kept, self.purse, self.how = replies, purse, how
        self.upstream = lru_cache(16)(upstream) if upstream else None
        self.model = model or (replies.models[0] if len(replies.models) == 1 else "")
        self.misses = deque[str](maxlen=20)
        self._coming: dict[Place, asyncio.Task[None]] = {}

    async def models(self) -> list[str]:
        """The models that can be asked for."""
        listed = await self.upstream("").names() if self.upstream else []
        return [*dict.fromkeys(filter(None, [*listed, self.model, *self.kept.models]))]

    async def samples(self, asked: Asked, numbers: list[int], key: str) -> list[Line]:
        """The replies with these numbers, recorded now if they were not. Raises Refused."""
        places = [(asked.key, number) for number in numbers]
        while missing := [place for place in places if place not in self.kept.samples]:
            if not self.upstream:
                raise await self._missed(asked, missing[0][1])
            if mine := [place for place in missing if place not in self._coming]:
                task = asyncio.get_running_loop().create_task(
                    self._record(asked, [number for _, number in mine], self.upstream(key))
                )
                self._coming |= dict.fromkeys(mine, task)
                task.add_done_callback(partial(self._came, mine))
            for task in {self._coming[place] for place in missing}:
                await asyncio.shield(task)
        return [self.kept.samples[place] for place in places]

    def _came(self, places: list[Place], task: asyncio.Task[None]) -> None:
        for place in places:
            del self._coming[place]
        task.cancelled() or task.exception()  # looked at here: the clients may have left

    async def _record(self, asked: Asked, numbers: list[int], upstream: Upstream) -> None:
        sent = {name: value for name, value in asked.body.items() if name not in ("n", "stream", "stream_options")}
        sent |= {"n": len(numbers)} if len(numbers) > 1 else {}
        purse = self.purse
        assert purse
        with purse.call(asked, len(numbers)) as came:
            came.append(await upstream.complete(sent))
        try:
            self.kept.write(asked, numbers, came[0], upstream._hidden)
        except FileTrouble as error:
            raise Refused(500, str(error)) from None

    async def _missed(self, asked: Asked, number: int) -> Refused:
        if number and asked.key in self.kept.requests:
            why = f"it is recorded, but not for the {number + 1}th time (POST /reset begins to count anew)"
        else:
            why = await asyncio.to_thread(asked.nearest, [*self.kept.requests.values()])
        said = f"this request is not recorded in {self.kept.path.name}: {why}; to record, {self.how}"
        self.misses.append(said)
        return Refused(422, said, "not_recorded")
