"""``Adjusted``: a model that is asked with settings on top of its own. (A model of a server takes them itself.)"""

from collections.abc import Sequence
from dataclasses import replace

from tot.lm.base import LM, OnReply, Reply, Request
from tot.lm.settings import Settings, applying


class Adjusted(LM):
    """Wraps any model and asks it with ``settings``: ``Adjusted(Pocket(), Settings(options={"temperature": 1}))``.

    Raises ValueError for the option "stop", and for another value of what the model sets itself, which would win.
    """

    served = property(lambda self: self.lm.served, doc="As of every model; known after the first reply.")

    def __init__(self, lm: LM, settings: Settings) -> None:
        if "stop" in settings.options:
            raise ValueError(
                "stop can be left out only where a server is asked: set it there, OpenAI(..., options=...)"
            )
        own, top = lm.settings, settings.to_dict()
        if clash := [name for name in top if name in own and own[name] != top[name]]:
            raise ValueError(f"{lm.name} sets {clash[0]} itself: leave it out here, or open the model without it")
        for member in {*LM.__annotations__, "cancel", "describe", "close"} - {"served", "settings", "opened", "WANTED"}:
            setattr(self, member, getattr(lm, member))
        self.lm = lm
        self._settings, self.settings = settings, {**own, **top}
        self._gets = applying(lm)

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        """The replies to the requests as they are sent; the caller is told of its own requests."""
        sent = [self._settings.applied(request) for request in requests]

        def tell(part: Request, reply: Reply) -> None:
            fits = (own.samples(part.first, part.n) == part and {*part.indices} <= {*own.indices} for own in sent)
            asked = next(request for request, its in zip(requests, fits, strict=True) if its)
            if on_reply:
                on_reply(asked.samples(part.first, part.n), self._kept(reply, part))

        return [self._kept(reply, own) for reply, own in zip(self.lm(sent, tell), sent, strict=True)]

    def _kept(self, reply: Reply, request: Request) -> Reply:
        return replace(reply, samples=self._settings.received(reply.samples, request))

    def applied(self, request: Request) -> Request:
        """The request as the wrapped model gets it."""
        return self._gets(self._settings.applied(request))
