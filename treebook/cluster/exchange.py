"""The exchange of a sweep on a cluster: what its workers have heard so far, kept by Dask's scheduler.

Sample i of a request is one text, whoever asks (see ``tot.lm.cassette``). Workers that ask at the same moment hear
different ones, so the first that is offered counts for all of them. What is offered is bytes: the scheduler reads
none of it, and only the process that started the sweep writes it to a file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from distributed import SchedulerPlugin

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler


class Exchange(SchedulerPlugin):
    """Bytes by the names of their places, for one ``sweep``; ``held`` is there from the start.

    It goes, and takes the workers' ``Desk`` with it, when the client that put it there says so or has gone.
    """

    def __init__(self, sweep: str, client: str, held: dict[str, bytes]) -> None:
        self.name, self.client, self.held = f"tot-exchange-{sweep}", client, held
        self.desk = f"tot-desk-{sweep}"
        self.entries: list[bytes] = []

    async def start(self, scheduler: Scheduler) -> None:
        """Called by Dask. From here on workers and the client can call ``trade``, ``news`` and ``leave``."""
        self.scheduler = scheduler
        for call in (self.trade, self.news, self.leave):
            scheduler.handlers[f"{self.name}-{call.__name__}"] = call

    def trade(
        self, wanted: Sequence[str] = (), offered: Mapping[str, bytes] | None = None, entries: Sequence[bytes] = ()
    ) -> dict[str, bytes]:
        """Keep ``offered`` where nothing is yet, and give what stands there and in the ``wanted`` places.

        ``entries``: what the client should write down for what was offered.
        """
        places = [*wanted, *(offered or ())]
        for place, content in (offered or {}).items():
            self.held.setdefault(place, content)
        self.entries += entries
        return {place: self.held[place] for place in places if place in self.held}

    def news(self, since: int) -> tuple[list[bytes], int]:
        """The entries from number ``since`` on; and how many workers there are."""
        return self.entries[since:], len(self.scheduler.workers)

    async def leave(self, since: int = 0) -> list[bytes]:
        """End the sweep: the workers' models are told to stop, and then nothing is traded. The last of the entries."""
        if self.name in self.scheduler.plugins:
            self.scheduler.remove_plugin(self.name)
        if self.desk in self.scheduler.worker_plugins:
            with suppress(Exception):  # a worker may have died, and servers of tools take their time to end
                await asyncio.wait_for(self.scheduler.unregister_worker_plugin(None, self.desk), 1)
        for name in [name for name in self.scheduler.handlers if name.startswith(self.name)]:
            del self.scheduler.handlers[name]
        return self.entries[since:]

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Called by Dask when a client has gone, also one that was killed."""
        if client == self.client:
            scheduler.loop.add_callback(self.leave)
