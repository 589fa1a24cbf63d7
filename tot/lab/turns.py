"""``Turns``: one search in pieces that last a moment, where there is only one thread, as in a page of a browser."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from ..ask import Ask
from ..budget import Budget
from ..lm.base import LM, LMError, OnReply, Reply, Request, Usage
from ..lm.roles import LMs, Roles
from ..runner import Run, answer, out_of_time
from ..solution import Job, Solution
from .session import Meter

SAMPLES = 32  # of a piece, where the model computes on this machine: as many as it has in flight at once


class Turns:
    """A search to be stepped through: ``for meter in Turns(job, lm): ...``. Between two pieces others get their turn.

    Each piece is a part of a round: one request, or, for a model that computes on this machine, as many as make 32
    samples. ``stop()`` ends the search at the next piece with the best so far, and so does a budget's limit of seconds.
    After the last piece ``solution`` is there, ``missed`` is True if a reply was not recorded. A failing model raises
    nothing (see ``Solution.error``); anything else, such as an error in a task's reader, comes out of the iteration.
    """

    def __init__(self, job: Job, lms: LMs, *, budget: Budget | None = None) -> None:
        self._job, self._roles = job, job.roles(lms)
        self._name, self._settings = Roles.of(lms).name, Roles.of(lms).settings
        self.run: Run = job.start(budget)
        self.run.lms = self._roles
        self.solution: Solution | None = None
        self.missed, self._stopping, self._flying = False, False, 0

    def stop(self) -> None:
        """End the search at the next piece."""
        self._stopping = True

    @property
    def meter(self) -> Meter:
        """What has been used so far."""
        seconds = time.monotonic() - self.run.started if self.solution is None else self.run.ledger.seconds
        return Meter.read(self.run, seconds, self._flying)

    def __iter__(self) -> Iterator[Meter]:
        run = self.run
        try:
            ask = run.feed()
            while ask is not None:
                replies = yield from self._answered(ask)
                ask = run.feed(replies)
                self._flying = 0
                yield self.meter
        except _Stopped:
            run.stop("stopped")
        except LMError as error:
            run.fail(error)
        self._flying = 0
        self.missed = run.missed
        self.solution = self._job.finish(run, self._name, self._settings)

    def _answered(self, ask: Ask) -> Generator[Meter, None, list[Reply]]:
        lm, known = self._roles[ask.role], dict[Request, list[Reply]]()
        for piece in _pieces(list(dict.fromkeys(ask.requests)), SAMPLES if lm.batched else 0):
            yield self.meter
            if self._stopping:
                raise _Stopped
            if self.run.late():
                raise out_of_time()
            parts = [part for _, part in piece]
            for (request, _), reply in zip(piece, lm(parts, self._count), strict=True):
                known.setdefault(request, []).append(reply)
        return answer(ask, {ask.role: _Known({request: _joined(parts) for request, parts in known.items()})})

    def _count(self, request: Request, reply: Reply) -> None:
        self._flying += reply.asked.completion_tokens


class _Stopped(Exception):
    pass


def _pieces(requests: Sequence[Request], most: int) -> Iterator[list[tuple[Request, Request]]]:
    """Groups of (request, part of it) with at most so many samples; 0: one whole request each."""
    if not most:
        yield from ([(request, request)] for request in requests)
        return
    piece: list[tuple[Request, Request]] = []
    room = most
    for request in requests:
        first, left = request.first, request.n
        while left:
            n = min(left, room)
            piece.append((request, request.samples(first, n)))
            first, left, room = first + n, left - n, room - n
            if not room:
                yield piece
                piece, room = [], most
    if piece:
        yield piece


def _joined(parts: Sequence[Reply]) -> Reply:
    """The parts of one request as one reply, with the prompt counted once."""
    if len(parts) == 1:
        return parts[0]
    whole = sum((part.asked for part in parts), Usage())
    bill = replace(whole, calls=1, prompt_tokens=parts[0].asked.prompt_tokens)
    samples = tuple(sample for part in parts for sample in part.samples)
    return Reply(samples, bill, bill, sum(part.seconds for part in parts))


class _Known(LM):
    """Replies that are there already, as a model: ``runner.answer`` puts them in order and checks them."""

    name = "known"

    def __init__(self, replies: dict[Request, Reply]) -> None:
        self._replies = replies

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        return [self._replies[request] for request in requests]
