"""The results file as chapter 19 reads it: what streams, chains and trees solve, for how many tokens, by puzzle."""

from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev

from tot.stats import Interval, bootstrap, pass_at_k, sign_flips, wilson

from .results import Compared, Figures, load

Shares = list[float]  # for each puzzle, how often it is solved


class Study:
    """All that ``make stream`` wrote. Raises FileNotFoundError without it."""

    def __init__(self, file: str | Path) -> None:
        self.figures = load(file)
        self.puzzles = len(self.figures["pocket"]["chains"]["right"])

    def streams(self, name: str, strategy: str) -> Figures:
        """Of a player ("stream", "own 1", "more 1"): "right" and "tokens" [puzzle][stream], and what is inside."""
        found: Figures = self.figures["measured"][name][strategy]
        return found

    def tokens(self, name: str, strategy: str, budget: float = inf) -> float:
        """Written by a stream that is cut off after ``budget`` tokens, on average."""
        return fmean(min(n, budget) for some in self.streams(name, strategy)["tokens"] for n in some)

    def within(self, name: str, strategy: str, budget: float, k: int = 1) -> Shares:
        """How often a puzzle is solved by one of ``k`` streams that are cut off after ``budget`` tokens each."""
        found = self.streams(name, strategy)
        return [
            pass_at_k(len(right), sum(r for r, n in zip(right, tokens, strict=True) if n <= budget), k)
            for right, tokens in zip(found["right"], found["tokens"], strict=True)
        ]

    def chains(self, k: int) -> Shares:
        """How often one of ``k`` chains of the pocket model is right (a program finds it)."""
        chains = self.figures["pocket"]["chains"]
        return [pass_at_k(chains["k"], right, k) for right in chains["right"]]

    @property
    def chain_tokens(self) -> float:
        """Written by a chain, on average."""
        return float(self.figures["pocket"]["chains"]["tokens"])

    def tree(self, name: str) -> tuple[Shares, float]:
        """Outcomes of one of the pocket model's trees, and its tokens."""
        found = self.figures["pocket"]["trees"][name]
        return [float(x) for x in found["solved"]], float(found["tokens"])

    def moves(self, name: str, strategy: str, move: str, where: str = "within") -> tuple[Interval | None, float]:
        """How often a step is written where the strategy wants it, when it asks for this ``move``; and how often it
        would be if the stream went to any of its states. None where there is no such step.
        """
        right, n, chance = self.streams(name, strategy)["moves"][where][move]
        return (wilson(right, n), chance / n) if n else (None, 0.0)


def rate(shares: Shares) -> Interval:
    """The mean, at 95 % over puzzles."""
    if set(shares) <= {0.0, 1.0}:
        return wilson(round(sum(shares)), len(shares))
    return bootstrap([[share] for share in shares])


def compared(a: Shares, b: Shares) -> Compared:
    """On the same puzzles. The test takes each gap in hundredths: it counts the different sums of gaps."""
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    return Compared(bootstrap([[gap] for gap in gaps]), sign_flips(round(gap, 2) for gap in gaps))


def least_shown(a: Shares, b: Shares) -> float:
    """The true difference of two players' means that a test by puzzles finds four times in five: 2.8 standard errors.
    Only the spread of the gaps counts, and not which player is ahead.
    """
    return 2.8 * stdev(x - y for x, y in zip(a, b, strict=True)) / sqrt(len(a))
