"""What may stand for a model: a text such as "pocket" or "openai:MODEL", or a plain function from text to text."""

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from .base import LM, LMError, Request
from .opening import open
from .scripted import Scripted


def model(lm: Any) -> LM:
    """The model that a text names (see ``tot.lm.open``), or a function is. Raises TypeError for anything else."""
    if isinstance(lm, str):
        return open(lm)
    if isinstance(lm, FunctionType | MethodType):
        return Plain(lm)
    raise TypeError(
        f"{lm!r} is not a language model: pass a text such as 'pocket' or 'openai:MODEL', a function from text to text,"
        " an instance of tot.LM, or a callable with a name that takes a list of requests; for several models, pass a"
        " dictionary from roles to models"
    )


class Plain(Scripted):
    """Calls ``ask(prompt)`` once for each sample, one call after the other, and takes what it returns for the reply.

    The prompt is the contents of the request's messages with empty lines between them, without temperature and limits.
    A reply is cut at the request's stop strings; words count as tokens. For calls side by side write a ``tot.LM``.
    """

    batched = True  # a function may not be made for several threads

    def __init__(self, ask: Callable[[str], str]) -> None:
        super().__init__(self._answer, ask.__name__)
        self._ask = ask

    def _answer(self, request: Request, _: int) -> str:
        try:
            text = self._ask("\n\n".join(message.content for message in request.messages))
        except Exception as error:
            raise LMError(f"the function {self.name} raised {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise LMError(f"the function {self.name} returned {text!r:.60}: a model returns the text of its reply")
        return text[: min(found)] if (found := [at for at in map(text.find, request.stop) if at >= 0]) else text
