"""``WorstCase``: what the next round of a run can cost at most, known before it is sent."""

from collections.abc import Sequence
from math import inf
from os.path import commonprefix

from .lm.base import LM, TOOL, Reply, Request

TEMPLATE = 16  # tokens that a server's chat template adds to a message, at most


class WorstCase:
    """Upper bounds of rounds, in calls, tokens and dollars. One for each run: it learns from the replies.

    A reply has at most the tokens of its limit, with the model's settings (``LM.applied``, ``Request.limit``). A
    prompt's tokens are known to the server alone. No tokeniser makes more tokens than there are bytes of UTF-8, so the
    first prompt of a role counts its bytes, and ``TEMPLATE`` for each message; that is far more than English has. A
    later prompt is compared with the last one of its role, whose tokens are known: what both begin with costs no more
    than that one did, and only the rest counts by its bytes. A server that adds a hidden prompt of its own can exceed
    the first bound, once.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[Request, int]] = {}  # role -> its last request, the tokens of the prompt

    def learn(self, role: str, requests: Sequence[Request], replies: Sequence[Reply]) -> None:
        """Remember a prompt of the role and what it was billed, from the replies to its requests."""
        for request, reply in zip(requests, replies, strict=True):
            if reply.asked.prompt_tokens:  # not of a request that is equal to an earlier one
                self._last[role] = (request, reply.asked.prompt_tokens)

    def prompt(self, role: str, request: Request) -> int:
        """The most tokens that the prompt of the request can have."""
        text, bound = _text(request), _bound(request)
        if role not in self._last:
            return bound
        last, tokens = self._last[role]
        rest = text[len(commonprefix((_text(last), text))) :]  # noqa: RUF071 (signs are meant, not parts of paths)
        return min(bound + max(0, tokens - _bound(last)), tokens + _bytes(rest) + TEMPLATE)

    def of(self, role: str, requests: Sequence[Request], lm: LM) -> tuple[dict[str, float], dict[str, float]]:
        """What these requests can take at most if each takes one call, and what each further call adds to it.

        Both are in calls, tokens and dollars; infinite where a reply has no limit of tokens. Tools take calls only.
        """
        if role == TOOL:
            return {"calls": len(requests)}, {"calls": 1}
        prompts = [self.prompt(role, request) for request in requests]
        limits = [lm.applied(request).limit for request in requests]
        written = sum(inf if most is None else most * r.n for r, most in zip(requests, limits, strict=True))
        read = sum(prompts)
        inward = max(lm.price[0], *lm.price[2:], 0.0) / 1e6  # dollars for a token of a prompt, cached or not
        outward = lm.price[1] / 1e6
        dollars = read * inward + (written * outward if outward else 0.0)
        most = {"calls": len(requests), "tokens": read + written, "dollars": dollars}
        return most, {"calls": 1, "tokens": max(prompts), "dollars": max(prompts) * inward}


def _text(request: Request) -> str:
    return "".join(f"{message.role}\n{message.content}\0" for message in request.messages)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _bound(request: Request) -> int:
    return sum(_bytes(message.content) + TEMPLATE for message in request.messages)
