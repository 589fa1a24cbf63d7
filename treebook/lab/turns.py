"""``Turns``: one search in pieces that last a moment, where there is only one thread, as in a page of a browser."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tot.budget import Budget
from tot.lm.base import LMError, Reply, Request, Usage
from tot.lm.roles import LMs
from tot.runner import Outcome, Run, Waiting, drive, in_order, out_of_time, refuse_unweighed
from tot.solution import Job, Solution

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
        self._job, self.run = job, job.start(lms, budget)
        self.solution: Solution | None = None
        self.missed, self._stopping = False, False

    def stop(self) -> None:
        """End the search at the next piece."""
        self._stopping = True

    @property
    def meter(self) -> Meter:
        """What has been used so far."""
        return Meter.read(self.run)

    def __iter__(self) -> Iterator[Meter]:
        for _ in drive([self.run], _Pieces()):
            yield self.meter
            if self._stopping and not self.run.stopped:
                self.run.stop("stopped")
        self.missed = self.run.missed
        self.solution = self._job.finish(self.run)


class _Pieces:
    """A desk (see ``drive``) that answers one run's ask piece by piece."""

    def __init__(self) -> None:
        self._todo: list[list[tuple[Request, Request]]] = []
        self._known: dict[Request, list[Reply]] = {}

    def __call__(self, waiting: Waiting) -> list[tuple[Run, Outcome]]:
        [(run, ask)] = waiting.items()
        if run.late():
            return [(run, out_of_time())]
        try:
            lm = run.lms[ask.role]
            if not self._todo:
                self._todo = [*_pieces(list(dict.fromkeys(ask.requests)), SAMPLES if lm.batched else 0)]
            piece = self._todo.pop(0)
            for (request, _), reply in zip(piece, lm([part for _, part in piece], run.arrived), strict=True):
                self._known.setdefault(request, []).append(reply)
            if self._todo:
                return []
            whole = {request: _joined(parts) for request, parts in self._known.items()}
            self._known = {}
            refuse_unweighed(lm, whole)
            return [(run, in_order(ask, whole))]
        except LMError as error:
            return [(run, error)]


def _pieces(requests: Sequence[Request], most: int) -> Iterator[list[tuple[Request, Request]]]:
    """Groups of (request, part of it) with at most so many samples; 0: one whole request each."""
    if not most:
        yield from ([(request, request)] for request in requests)
        return
    samples = [(request, index) for request in requests for index in request.indices]
    for start in range(0, len(samples), most):
        indices: dict[Request, list[int]] = {}
        for request, index in samples[start : start + most]:
            indices.setdefault(request, []).append(index)
        yield [(request, request.samples(some[0], len(some))) for request, some in indices.items()]


def _joined(parts: Sequence[Reply]) -> Reply:
    """The parts of one request as one reply, with the prompt counted once."""
    if len(parts) == 1:
        return parts[0]
    whole = sum((part.asked for part in parts), Usage())
    bill = replace(whole, calls=1, prompt_tokens=parts[0].asked.prompt_tokens)
    samples = tuple(sample for part in parts for sample in part.samples)
    return Reply(samples, bill, bill, sum(part.seconds for part in parts))
