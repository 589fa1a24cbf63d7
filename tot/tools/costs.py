"""What a tool call is charged, and which calls fail on purpose: two settings, written as text like all knobs.

Only iToT-D* charges a surcharge for a failure on top of V_T, delta_T (its knob ``failure_cost``), and passes it on to
other nodes: see ``tot.search.replanning.itot_dstar``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from ..state import State
from .actions import LOOKUP, SEARCH, Action, plain


def read_by_tool(text: str, least: float, most: float, tools: Iterable[str] = (SEARCH, LOOKUP)) -> dict[str, float]:
    """A number for each of the ``tools``: "Search=1,Lookup=0.5", or one number for all; 0 for the others.

    Raises ValueError, saying what to write, for any other text and for a number below ``least`` or above ``most``.
    """
    defaults = dict.fromkeys(tools, 0.0)
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
    """V_T of the iToT poster: the charge for a call of each tool, whether or not the call fails. Finish is free.

    The unit is yours (cents, seconds, calls). The path cost g, f, and the surcharge delta_T for a failure share it.
    """

    of: tuple[tuple[str, float], ...]

    @classmethod
    def parse(cls, text: str, tools: Iterable[str] = (SEARCH, LOOKUP)) -> Costs:
        """ "Search=1,Lookup=0.5"; tools that are not named cost 0. Raises ValueError saying what to write."""
        return cls(tuple(read_by_tool(text, 0, float("inf"), tools).items()))

    def __call__(self, state: State) -> float:
        """V_T(s' | s): the charge for the action of the newest thought; 0 if it has none."""
        action = state.last.data if state.last else None
        return dict(self.of).get(action.tool, 0.0) if isinstance(action, Action) else 0.0


@dataclass(frozen=True)
class Failures:
    """Which calls fail on purpose: ``rates`` of failure by tool, drawn from ``seed`` for each tool and entity.

    A transient failure (the default) is drawn anew for each attempt, so that trying again may help; a ``permanent`` one
    lasts for that entity. The draw does not depend on the rate: a call that fails at 20 % fails at 30 % too.
    """

    rates: tuple[tuple[str, float], ...]
    permanent: bool = False
    seed: int = 0

    @classmethod
    def parse(cls, text: str) -> Failures:
        """ "0.3", or "Search=0.3,Lookup=0.1", either with ",permanent" and ",seed=7". Raises ValueError otherwise."""
        parts = [part.strip() for part in text.split(",")]
        seeds = [part.partition("=")[2] for part in parts if part.startswith("seed=")]
        if not all(seed.isdigit() and seed.isascii() and len(seed) < 10 for seed in seeds):
            raise ValueError(f"cannot read the seed in {text!r}: write for example 0.3,seed=7")
        rates = ",".join(part for part in parts if part != "permanent" and not part.startswith("seed="))
        return cls(tuple(read_by_tool(rates, 0, 1).items()), "permanent" in parts, int(seeds[-1]) if seeds else 0)

    def strikes(self, tool: str, entity: str, attempt: int) -> bool:
        """Does this call fail? A pure function. ``entity``: the argument of a Search, "page / string" of a Lookup."""
        from hashlib import sha256

        drawn = repr((self.seed, tool, plain(entity), 0 if self.permanent else attempt)).encode()
        return int.from_bytes(sha256(drawn).digest()[:6], "big") / 2**48 < dict(self.rates).get(tool, 0.0)
