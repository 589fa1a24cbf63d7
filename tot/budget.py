"""``Budget``, the limits of a run, and ``Ledger``, what it has used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from .lm.base import Reply, Usage
from .ties import level


@dataclass(frozen=True)
class Budget:
    """Upper limits for one run; None means no limit. Checked before each round; ``seconds`` also before each rollout.

    ``calls`` counts requests; ``tokens`` prompt and completion tokens; ``dollars`` their price; ``seconds`` wall-clock
    time; ``nodes`` evaluated states (the steps of the paper's depth-first search). A round that would exceed ``calls``
    is not started. The other limits are checked against what was used before the round, so the last round may exceed
    them.
    """

    calls: float | None = None
    tokens: float | None = None
    dollars: float | None = None
    seconds: float | None = None
    nodes: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read text such as ``"calls=200,seconds=60"``. Raises ValueError that names the known limits."""
        names = [f.name for f in fields(cls)]
        limits: dict[str, float] = {}
        for part in filter(None, text.split(",")):
            name, _, number = part.partition("=")
            try:
                limits[name.strip()] = float(number)
            except ValueError:
                number = ""
            if name.strip() not in names or not number or not limits[name.strip()] >= 0:
                raise ValueError(
                    f"cannot read {part!r} in a budget: write, for example, calls=200,seconds=60 ({', '.join(names)})"
                )
        return cls(**limits)

    def exceeded(self, used: Ledger, requests: int) -> str:
        """Name of the limit that does not allow a round of so many ``requests`` after ``used``, "" if there is none."""
        total = used.total
        if self.calls is not None and total.calls + requests > self.calls:
            return "calls"
        amounts = {"tokens": total.tokens, "dollars": total.dollars, "seconds": used.seconds, "nodes": used.nodes}
        limits = asdict(self)
        full = (
            name
            for name, amount in amounts.items()
            if limits[name] is not None and level(amount) >= level(limits[name])
        )
        return next(full, "")


@dataclass
class Ledger:
    """What a run has used. ``asked`` and ``paid`` map each role to its usage (see ``Reply``); ``seconds`` is wall-clock
    time.
    """

    rounds: int = 0
    nodes: int = 0
    seconds: float = 0.0
    asked: dict[str, Usage] = field(default_factory=dict)
    paid: dict[str, Usage] = field(default_factory=dict)

    def charge(self, role: str, replies: Iterable[Reply]) -> None:
        """Add the bills of the replies to those of the role."""
        for reply in replies:
            self.asked[role] = self.asked.get(role, Usage()) + reply.asked
            self.paid[role] = self.paid.get(role, Usage()) + reply.paid

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
            "dollars": round(total.dollars, 6),
            "nodes": self.nodes,
            "by_role": {role: usage.to_dict() for role, usage in self.asked.items()},
        } | {name: n for name, n in total.to_dict().items() if name in ("thinking_tokens", "cached_tokens")}
