"""Asks in pieces that last a moment, where there is only one thread."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tot.lm.base import LMError, OutOfTime, Reply, Request, Usage
from tot.runner import TOO_LATE, Outcome, Run, Waiting, checked, in_order

SAMPLES = 32  # of a piece, where the model computes on this machine: as many as it has in flight at once


class Pieces:
    """A desk (see ``tot.runner.drive``) that answers one run's ask piece by piece, and looks at its deadline each time.

    A piece is one request, or, for a model that computes on this machine, as many as make 32 samples.
    """

    def __init__(self) -> None:
        self._todo: list[list[tuple[Request, Request]]] = []
        self._known: dict[Request, list[Reply]] = {}

    def __call__(self, waiting: Waiting) -> list[tuple[Run, Outcome]]:
        [(run, ask)] = waiting.items()
        if run.late():
            return [(run, OutOfTime(TOO_LATE))]
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
            return [(run, in_order(ask, checked(lm, whole)))]
        except LMError as error:  # it knows what its own piece cost
            error.paid = sum((part.paid for parts in self._known.values() for part in parts), error.paid)
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
