"""How calls reach a server: ``Transport`` carries them, ``HTTPFailure`` says why one brought nothing."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Mapping
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")

# Why an HTTP call brought nothing; explained in HTTPFailure.
Kind = Literal[
    "status", "timeout", "refused", "certificate", "tls", "proxy", "encoding", "broken", "truncated", "stream", "flood",
    "foreign", "failed",
]  # fmt: skip
LONGEST = 100_000  # characters of an error that are read


class Transport(Protocol):
    """Carries calls to one server. ``tot.lm.sdk.Sdk`` is the usual one; a page of the book brings its own.

    ``name`` says in recordings what it is, such as "openai 3.54.0".
    """

    name: str

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> str:
        """Send ``body`` as JSON to this path below the base URL; the text of the response, if the server does not leave
        it unanswered for so many seconds. Raises HTTPFailure, and UnicodeError for what UTF-8 cannot encode.
        """

    async def get(self, path: str, seconds: float) -> tuple[str, str]:
        """The text of the response, and its Server header, "" where that is not told. Raises HTTPFailure."""

    async def sleep(self, seconds: float) -> None:
        """Wait, between two tries."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine that uses the other three, in an event loop whose clock is ``time.monotonic``.

        It may be called from several threads at once. If the caller is interrupted, the coroutine goes on.
        """


class HTTPFailure(Exception):
    """An HTTP call that brought no chat completion.

    ``kind``: "status" (the server answered with an error: ``status``, ``body``, ``headers``); "timeout" (no complete
    answer in time); "refused" (no connection); "certificate", "tls", "proxy" (none because of those); "encoding" (a
    compression that was not asked for); "broken" (the connection broke); "truncated" (JSON that breaks off); "stream"
    (an event stream); "flood" (too large); "foreign" (no such API); "failed" (a completion in which the model behind
    the server failed). ``why`` adds a detail.
    """

    def __init__(
        self, kind: Kind, why: str = "", *, status: int = 0, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status or kind} {body or why}".strip())
        self.kind, self.why, self.status, self.body = kind, why, status, body
        self.text = ""  # all that the server answered: it may bill that all the same
        self.headers = {name.lower(): value for name, value in (headers or {}).items()}

    @classmethod
    def answered(cls, status: int, text: str, headers: Mapping[str, str] | None = None) -> HTTPFailure:
        """From the error that a server answered with: its JSON's "error", its JSON, or its text."""
        text = text[:LONGEST]
        try:
            body = json.loads(text, strict=False)
            str(body)  # what nests too deep for that is no error that anybody could read
        except (ValueError, RecursionError):
            body = text
        body = body[0] if isinstance(body, list) and len(body) == 1 else body  # Gemini's
        body = body.get("error", body) if isinstance(body, Mapping) else body
        failure = cls("status", status=status, body=body, headers=headers)
        failure.text = text
        return failure

    def field(self, name: str) -> Any:
        """A field of the error object: code, type, param; None if there is none."""
        return self.body.get(name) if isinstance(self.body, Mapping) else None
