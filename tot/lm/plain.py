"""A model made of a plain function from text to text: ``tot.solve(task, problem, lm=ask)``."""

from collections.abc import Callable, Sequence

from .base import LM, LMError, OnReply, Reply, Request, Sample, Usage


class Plain(LM):
    """Calls ``ask(prompt)`` once for each sample, one call after the other, and takes what it returns for the reply.

    The prompt is the contents of the request's messages with empty lines between them, without temperature and limits.
    A reply is cut at the request's stop strings; words count as tokens. For calls side by side write a ``tot.LM``.
    """

    batched = True  # a function may not be made for several threads

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.name, self._ask = ask.__name__, ask

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies = []
        for request in requests:
            prompt = "\n\n".join(message.content for message in request.messages)
            texts = [self._text(prompt, request.stop) for _ in request.indices]
            words = [len(text.split()) for text in texts]
            bill = Usage(1, request.n, len(prompt.split()), sum(words))
            samples = (Sample(text, completion_tokens=n) for text, n in zip(texts, words, strict=True))
            replies.append(Reply(tuple(samples), asked=bill, paid=bill))
            if on_reply:
                on_reply(request, replies[-1])
        return replies

    def _text(self, prompt: str, stop: Sequence[str]) -> str:
        try:
            text = self._ask(prompt)
        except Exception as error:
            raise LMError(f"the function {self.name} raised {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise LMError(f"the function {self.name} returned {text!r:.60}: a model returns the text of its reply")
        return text[: min(found)] if (found := [at for at in map(text.find, stop) if at >= 0]) else text
