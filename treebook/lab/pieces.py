"""Asks in pieces that last a moment, where there is only one thread."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tot.lm.base import LMError, OutOfTime, Price, Reply, Request, Usage, counted
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
            piece = [(request, self._allowed(request, part)) for request, part in self._todo.pop(0)]
            told = list[Reply]()

            def tell(part: Request, reply: Reply) -> None:
                told.append(reply)
                run.arrived(part, reply)

            for (request, part), reply in zip(piece, lm([part for _, part in piece], tell), strict=True):
                self._known.setdefault(request, []).append(counted(lm, part, reply))
                if not told:  # some models tell nothing: a run that ends between two pieces has paid for this one
                    run.arrived(part, self._known[request][-1])
            if self._todo:
                return []
            whole = {request: _joined(parts, lm.price) for request, parts in self._known.items()}
            self._known = {}
            return [(run, in_order(ask, checked(lm, whole)))]
        except LMError as error:  # it knows what its own piece cost
            error.paid = sum((part.paid for parts in self._known.values() for part in parts), error.paid)
            return [(run, error)]


    def _allowed(self, request: Request, part: Request) -> Request:
        """The part with what its request may still take."""
        if request.calls is None:
            return part
        spent = sum(reply.paid.calls for reply in self._known.get(request, ()))
        return replace(part, calls=max(0, request.calls - spent))


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


def _joined(parts: Sequence[Reply], price: Price) -> Reply:
    """The parts of one request as one reply: asked for with the prompt once, and paid as they were."""
    if len(parts) == 1:
        return parts[0]
    whole, first = sum((part.asked for part in parts), Usage()), parts[0].asked
    again = whole.prompt_tokens - first.prompt_tokens
    dollars = max(0.0, whole.dollars - again * price[0] / 1e6)
    asked = replace(
        whole, calls=1, prompt_tokens=first.prompt_tokens, cached_tokens=first.cached_tokens, dollars=dollars
    )
    samples = tuple(sample for part in parts for sample in part.samples)
    as_asked = all(part.paid == part.asked for part in parts)  # as it would have been, asked as a whole
    paid = asked if as_asked else sum((part.paid for part in parts), Usage())
    return Reply(samples, asked, paid, sum(part.seconds for part in parts))
