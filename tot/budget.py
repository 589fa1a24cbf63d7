"""``Budget``, the limits of a run; ``Ledger``, what it has used; ``WorstCase``, the most its next round can cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf
from os.path import commonprefix
from typing import Any

from .lm.base import LM, TOOL, Reply, Request, Usage
from .ties import level

TEMPLATE = 16  # tokens that a server's chat template adds to a message, at most


@dataclass(frozen=True)
class Budget:
    """Upper limits for one run; None means no limit. Each is a promise: a round that could break it is not started.

    ``calls`` counts requests, or the provider's calls where these are more; ``tokens`` prompt and completion tokens;
    ``dollars`` their price; ``seconds`` wall-clock time; ``nodes`` evaluated states (the steps of the paper's
    depth-first search). Charged is what was asked, or what was paid if that is more (a server may give fewer samples a
    call than it is asked for, and then the prompt is paid again). A replay pays nothing, so it may get further than the
    live run did. Raises ValueError for a limit that is below 0 or nan.

    A round is sent whole or not at all, because half of its replies would make another search. What it can take is
    known before: every request, and for ``tokens`` and ``dollars`` its longest prompt and its longest replies (see
    ``WorstCase``). So a run may end with some of the budget left; ``Result.needed`` says what the next round could
    have taken. ``seconds`` is handed to the models as a deadline, and the run ends then with what it has found.

    Three things can still exceed a limit, and ``Result.over`` then says by how much: a reply whose length nobody limits
    (``max_tokens`` None); ``nodes``, which are known only when a round has been read; and tries that failed: as what
    the server says that it bills, or, where nobody heard the end (a time-out, a broken connection, ``seconds`` that
    were over), as the prompt and all tokens that were allowed. The first two, and with ``soft`` also ``tokens`` and
    ``dollars``, are compared with what was used before the round. ``soft`` wastes less of a budget, and the last round
    may exceed it.
    """

    calls: float | None = None
    tokens: float | None = None
    dollars: float | None = None
    seconds: float | None = None
    nodes: float | None = None
    soft: bool = False

    def __post_init__(self) -> None:
        if wrong := [name for name, limit in self.limits.items() if not limit >= 0]:
            raise ValueError(f"a limit is a number from 0 on, not {wrong[0]}={self.limits[wrong[0]]:g}")

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read text such as ``"calls=200,seconds=60"`` or ``"tokens=5000,soft"``.

        Raises ValueError that names the known limits.
        """
        known = ", ".join(f.name for f in fields(cls) if f.name != "soft")
        parts = list(filter(None, map(str.strip, text.split(","))))
        limits: dict[str, Any] = {"soft": True} if "soft" in parts else {}
        for part in (each for each in parts if each != "soft"):
            name, _, number = map(str.strip, part.partition("="))
            twice = " (a second time)" if name in limits else ""
            try:
                limits[name] = float(number)
            except ValueError:
                number = ""
            endless = limits.get(name) == inf and "inf" not in number.lower()  # 1e999 is a slip
            if twice or endless or name not in known.split(", ") or not number or not limits[name] >= 0:
                raise ValueError(
                    f"cannot read {part!r}{twice} in a budget: write, for example, calls=200,seconds=60 ({known})"
                )
        if text.strip() and not {*limits} - {"soft"}:
            raise ValueError(f"{text!r} limits nothing: write, for example, calls=200,seconds=60 ({known})")
        return cls(**limits)

    @property
    def limits(self) -> dict[str, float]:
        """The limits that are set, by name."""
        return {name: float(limit) for name, limit in vars(self).items() if name != "soft" and limit is not None}

    @property
    def foresees(self) -> bool:
        """Whether a round's tokens must be known before it is sent."""
        return not self.soft and (self.tokens is not None or self.dollars is not None)

    def to_dict(self) -> dict[str, float]:
        """As plain data: the limits, but for one that is infinite, and "soft" if it is."""
        return {name: n for name, n in self.limits.items() if n < inf} | ({"soft": True} if self.soft else {})

    def exceeded(self, used: Ledger, most: Mapping[str, float]) -> str:
        """Name of the limit that does not allow a round of at most ``most`` after ``used``, "" if there is none."""
        for name, limit in self.limits.items():
            amount, taken = used.amounts[name], self._promised(name, most)
            if level(amount + taken) > level(limit) or (not taken and level(amount) >= level(limit)):
                return name
        return ""

    def spare(self, used: Ledger, most: Mapping[str, float], call: Mapping[str, float]) -> tuple[float, str]:
        """How many provider calls more than one for each request a round of at most ``most`` may take, if each takes
        ``call``; and the limit that says so. Infinity and "" if none does.
        """
        fewest, tightest = inf, ""
        for name, limit in self.limits.items():
            if limit < inf and call.get(name) and self._promised(name, most):
                left = limit - used.amounts[name] - most[name]
                further = max(0.0, left // call[name])
                if further < fewest:
                    fewest, tightest = further, name
        return fewest, tightest

    def over(self, used: Ledger) -> dict[str, float]:
        """By how much each limit was exceeded; {} if all were kept. Seconds, which differ each time, are left out."""
        past = {name: level(used.amounts[name] - limit) for name, limit in self.limits.items() if name != "seconds"}
        return {name: amount for name, amount in past.items() if amount > 0}

    def _promised(self, name: str, most: Mapping[str, float]) -> float:
        """What counts beforehand: 0 if nothing is known of this limit, or if it is soft."""
        amount = 0.0 if self.soft and name != "calls" else most.get(name, 0.0)
        return amount if amount < inf else 0.0


@dataclass
class Ledger:
    """What a run has used. ``asked`` and ``paid`` map each role to its usage (see ``Reply``); ``seconds`` is wall-clock
    time. ``charged`` is what budgets count: of each reply the larger of the two.
    """

    rounds: int = 0
    nodes: int = 0
    seconds: float = 0.0
    asked: dict[str, Usage] = field(default_factory=dict)
    paid: dict[str, Usage] = field(default_factory=dict)
    charged: Usage = field(default_factory=Usage)

    def charge(self, role: str, replies: Iterable[Reply]) -> None:
        """Add the bills of the replies to those of the role."""
        for reply in replies:
            self.asked[role] = self.asked.get(role, Usage()) + reply.asked
            self.paid[role] = self.paid.get(role, Usage()) + reply.paid
            self.charged += reply.asked.larger(reply.paid)

    def lose(self, role: str, paid: Usage) -> None:
        """Add what was paid for a round that failed."""
        self.paid[role] = self.paid.get(role, Usage()) + paid
        self.charged += paid

    @property
    def amounts(self) -> dict[str, float]:
        """What counts against each limit of a budget, by its name."""
        used = self.charged
        amounts = {"calls": used.calls, "tokens": used.tokens, "dollars": used.dollars}
        return {**amounts, "seconds": self.seconds, "nodes": self.nodes}

    @property
    def total(self) -> Usage:
        """The sum of ``asked`` over all roles."""
        return sum(self.asked.values(), Usage())

    @property
    def total_paid(self) -> Usage:
        """Sum of ``paid`` over roles."""
        return sum(self.paid.values(), Usage())

    def to_dict(self) -> dict[str, Any]:
        """As plain data, without ``seconds`` and ``paid``, which differ between replays."""
        total = self.total
        return {
            "calls": total.calls,
            "rounds": self.rounds,
            "samples": total.samples,
            "prompt_tokens": total.prompt_tokens,
            "completion_tokens": total.completion_tokens,
            "dollars": round(total.dollars, 12),
            "nodes": self.nodes,
            "by_role": {role: usage.to_dict() for role, usage in self.asked.items()},
        } | {name: n for name, n in total.to_dict().items() if name in ("thinking_tokens", "cached_tokens")}


class WorstCase:
    """Upper bounds of rounds, in calls, tokens and dollars. One for each run: it learns from the replies.

    A reply has at most the tokens of its limit, with the model's settings (``LM.applied``, ``Request.limit``). A
    prompt's tokens are known to the server alone. No tokeniser makes more tokens than there are bytes of UTF-8, so the
    first prompt of a role counts its bytes, and ``TEMPLATE`` for each message; that is far more than English has. A
    later prompt is compared with the last one of its role, whose tokens are known: what both begin with costs no more
    than that one did, and only the rest counts by its bytes. A server that adds a hidden prompt of its own, or writes
    more than the limit that it is sent (some do not count thinking), can exceed the first bound, once.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[Request, int]] = {}  # role -> its last request, the tokens of the prompt
        self._above: dict[str, int] = {}  # role -> the most tokens a sample above the limit that was asked for

    def learn(self, role: str, requests: Sequence[Request], replies: Sequence[Reply], lm: LM) -> None:
        """Remember a prompt of the role and what it was billed, from the replies to its requests; and how much longer
        than the limit its samples were, on average, since a server may count several together.
        """
        for request, reply in zip(requests, replies, strict=True):
            if reply.asked.prompt_tokens:  # not of a request that is equal to an earlier one
                self._last[role] = (request, reply.asked.prompt_tokens)
            asked, long = lm.applied(request), [sample.completion_tokens for sample in reply.samples]
            if asked.limit is not None and long:
                candidates = asked.samples(0, len(long)).candidates
                above = -(-sum(long) // candidates) - max(asked.limit, _least(lm))
                self._above[role] = max(self._above.get(role, 0), above)

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
        asked, above, least = [lm.applied(request) for request in requests], self._above.get(role, 0), _least(lm)
        written = sum(inf if r.limit is None else (max(r.limit, least) + above) * r.candidates for r in asked)
        alone = [(max(r.limit or 0, least) + above, r.samples(0, 1).candidates) for r in asked]
        again = max(limit * best * (best > 1) for limit, best in alone)  # of each call, however few samples it has
        read = sum(prompts)
        inward = max(lm.price[0], *lm.price[2:], 0.0) / 1e6  # dollars for a token of a prompt, cached or not
        outward = lm.price[1] / 1e6
        dollars = read * inward + (written * outward if outward else 0.0)
        most = {"calls": len(requests), "tokens": read + written, "dollars": dollars}
        longest = max(prompts)
        return most, {"calls": 1, "tokens": longest + again, "dollars": longest * inward + again * outward}


def _least(lm: LM) -> int:
    """The lowest limit of tokens that the model's server takes, as far as the model has met it."""
    return getattr(getattr(lm, "live", None) or lm, "least", 0)


def _text(request: Request) -> str:
    return "".join(f"{message.role}\n{message.content}\0" for message in request.messages)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _bound(request: Request) -> int:
    return sum(_bytes(message.content) + TEMPLATE for message in request.messages)
