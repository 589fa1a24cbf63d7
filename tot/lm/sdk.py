"""A ready client of the ``openai`` package, with the same two methods as ``tot.lm.http.Http``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import HTTPFailure
from .loop import in_thread
from .threads import Threads

if TYPE_CHECKING:
    import openai

T = TypeVar("T")


class Sdk:
    """Asks through the user's client, which keeps its own timeout; ``size``: the most calls at once. Left open at the
    end.
    """

    def __init__(self, client: openai.OpenAI, size: int) -> None:
        import openai

        self.name = f"openai {openai.__version__}"
        self._client, self._threads = client, Threads(size)

    async def __aenter__(self) -> Sdk:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> str:
        """The text of the response. Raises HTTPFailure, and UnicodeError for what UTF-8 cannot encode."""
        return await self._do(partial(self._client.post, path, cast_to=str, body=dict(body)))

    async def get(self, path: str, seconds: float) -> tuple[str, str]:
        """The text of the response, and the Server header. Raises HTTPFailure."""
        raw = await self._do(partial(self._client.models.with_raw_response.list, timeout=seconds))
        return raw.text, raw.headers.get("server", "")

    async def _do(self, job: Callable[[], T]) -> T:
        import openai

        try:
            return await in_thread(self._threads, job)
        except openai.APITimeoutError as error:
            raise HTTPFailure("timeout", "the timeout of its client") from error
        except openai.APIStatusError as error:
            response = error.response
            raise HTTPFailure.answered(error.status_code, response.text, response.headers) from error
        except openai.APIConnectionError as error:
            why = type(error.__cause__).__name__
            raise HTTPFailure("refused" if why == "ConnectError" else "broken", why) from error
        except openai.APIError as error:
            raise HTTPFailure("broken", type(error).__name__) from error
