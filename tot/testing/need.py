"""How the kits say that a rule is broken."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Need:
    """``need(holds, why)`` raises AssertionError about ``who`` with the sentence ``why`` unless it holds."""

    who: str

    def __call__(self, holds: bool, why: str) -> None:
        if not holds:
            raise AssertionError(f"{self.who}: {why}")
