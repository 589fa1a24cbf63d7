"""What a tool call costs, and how often it fails on purpose: two dials, written as text so that they are knobs."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ..state import State
from .actions import TOOLS, Action, plain


def read_dial(text: str, defaults: dict[str, float], least: float, most: float) -> dict[str, float]:
    """ "Search=1,Lookup=0.5", or one number for everything. Raises ValueError saying what to write."""
    found = dict(defaults)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.rpartition("=")
        names = [each for each in defaults if not name or each.lower() == name.strip().lower()]
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not names or not (least <= value <= most and isfinite(value)):
            wanted = f"a number from {least:g} to {most:g}" if isfinite(most) else f"a number of at least {least:g}"
            raise ValueError(
                f"cannot read {part!r}: write {wanted}, or for example {next(iter(defaults))}=1 ({', '.join(defaults)})"
            )
        found |= dict.fromkeys(names, value)
    return found


@dataclass(frozen=True)
class Costs:
    """V_T: what a call of each tool costs, whether or not it fails. Finish calls nothing and costs nothing.

    The unit is yours (cents, seconds, calls); it is that of g, f and of the failure cost delta_T.
    """

    of: tuple[tuple[str, float], ...]

    @classmethod
    def parse(cls, text: str) -> Costs:
        """ "Search=1,Lookup=0.5"; tools that are not named cost 0. Raises ValueError saying what to write."""
        return cls(tuple(read_dial(text, dict.fromkeys(TOOLS[:2], 0.0), 0, float("inf")).items()))

    def __call__(self, state: State) -> float:
        """V_T(s' | s): the cost of the action of the newest thought; 0 if it has none."""
        action = state.last.data if state.last else None
        return dict(self.of).get(action.tool, 0.0) if isinstance(action, Action) else 0.0


@dataclass(frozen=True)
class Failures:
    """Calls that fail on purpose: ``rates`` of failure by tool, drawn from ``seed`` for each tool and entity.

    A transient failure (the default) is drawn anew for each attempt, so that trying again may help; a ``permanent`` one
    holds for that entity for good. The draw does not depend on the rate: what fails at 20 % fails at 30 % too.
    """

    rates: tuple[tuple[str, float], ...]
    permanent: bool = False
    seed: int = 0

    @classmethod
    def parse(cls, text: str) -> Failures:
        """ "0.3", "Search=0.3,Lookup=0.1", either with ",permanent" and ",seed=7". Raises ValueError."""
        parts = [part.strip() for part in text.split(",")]
        seeds = [part.partition("=")[2] for part in parts if part.startswith("seed=")]
        if not all(seed.isdigit() and seed.isascii() and len(seed) < 10 for seed in seeds):
            raise ValueError(f"cannot read the seed in {text!r}: write for example 0.3,seed=7")
        rates = ",".join(part for part in parts if part != "permanent" and not part.startswith("seed="))
        dial = read_dial(rates, dict.fromkeys(TOOLS[:2], 0.0), 0, 1)
        return cls(tuple(dial.items()), "permanent" in parts, int(seeds[-1]) if seeds else 0)

    def strikes(self, tool: str, entity: str, attempt: int) -> bool:
        """Does this call fail? A pure function."""
        from hashlib import sha256

        drawn = repr((self.seed, tool, plain(entity), 0 if self.permanent else attempt)).encode()
        return int.from_bytes(sha256(drawn).digest()[:6], "big") / 2**48 < dict(self.rates).get(tool, 0.0)
