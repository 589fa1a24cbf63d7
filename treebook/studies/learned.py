"""The results of players that learned to search: chapter 18's ``Rounds`` of learning, and chapter 19's ``Streams``."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any

from tot.stats import Interval, pass_at_k, wilson

from .results import Compared, Figures, Shares, compared, load, rate

SAMPLES = {"IO": 10, "CoT": 40}  # of each puzzle; the others are right or wrong
Place = tuple[str, int, str]  # arm, round, method


class Rounds:
    """All that ``studies.teach.report`` wrote. Raises FileNotFoundError without it.

    An arm is asked for ``after`` so many rounds; after none it is the novice. A method is one of ``SAMPLES``, "CoT-SC",
    a tree ("ToT", "narrow ToT", "teacher ToT"), or "best of 40": one chain of forty is right and a program finds it.
    """

    def __init__(self, file: str | Path) -> None:
        self.figures = load(file)
        self.legs = {(leg["arm"], leg["seed"], leg["round"]): leg for leg in self.figures["legs"]}
        self.puzzles: int = self.figures["novice"]["puzzles"]

    def seeds(self, arm: str, after: int) -> list[int]:
        """Those that have come so far; the novice is the same for all of the arm's seeds."""
        return [s for (a, s, r) in self.legs if a == arm and r == max(1, after)]

    def measured(self, arm: str, seed: int, after: int) -> Figures:
        """What was measured of an arm after so many rounds; of the novice, if none."""
        found: Figures = self.legs[arm, seed, after]["measured"] if after else self.figures["novice"]
        return found

    def outcomes(self, place: Place, seeds: Sequence[int] | None = None) -> list[Shares]:
        """[puzzle][seed]: the share of right samples, or 0 or 1. Raises KeyError for a leg that is not there."""
        arm, after, method = place
        use = [0] if after == 0 else self.seeds(arm, after) if seeds is None else seeds
        columns = [_column(self.measured(arm, seed, after), method) for seed in use]
        return [list(one) for one in zip(*columns, strict=True)]

    def rate(self, arm: str, after: int, method: str) -> Interval:
        """The mean over seeds, at 95 % over puzzles."""
        return rate([fmean(seeds) for seeds in self.outcomes((arm, after, method))])

    def compared(self, a: Place, b: Place) -> Compared:
        """On the same puzzles, over the seeds that both have (the novice has them all)."""
        shared = [s for s in self.seeds(*a[:2]) if s in self.seeds(*b[:2])] if a[1] and b[1] else None
        one, other = ([fmean(seeds) for seeds in self.outcomes(place, shared)] for place in (a, b))
        return compared(one, other, digits=6)

    def mean(self, arm: str, after: int, *path: str) -> float:
        """The mean over seeds of a figure of ``measures`` (the first of three where it has an interval)."""
        return fmean(_at(self.measured(arm, s, after), path) for s in (self.seeds(arm, after) if after else [0]))

    def trainings(self, arm: str, after: int) -> list[float]:
        """How often a chain is right, for each training of the arm: those of ``legs``, and further ones."""
        legs = [*self.legs.values(), *self.figures["more trainings"]]
        found = [leg["measured"]["CoT"]["right"] for leg in legs if (leg["arm"], leg["round"]) == (arm, after)]
        return [fmean(right) / SAMPLES["CoT"] for right in found]

    def searched(self, arm: str, after: int, name: str) -> float:
        """The mean over seeds of what the search before this round's training says: tokens, solved, ways known ..."""
        return fmean(float(self.legs[arm, s, after]["search"][name]) for s in self.seeds(arm, after))


def _column(measured: Figures, method: str) -> Shares:
    if method in SAMPLES:
        return [right / SAMPLES[method] for right in measured[method]["right"]]
    if method == f"best of {SAMPLES['CoT']}":
        return [float(right > 0) for right in measured["CoT"]["right"]]
    return [float(x) for x in measured[method]["solved"]]


def _at(figures: Any, path: Sequence[str]) -> float:
    for name in path:
        figures = figures[name]
    return float(figures[0] if isinstance(figures, list) else figures)


class Streams:
    """All that ``make stream`` wrote: what streams, chains and trees solve. Raises FileNotFoundError without it."""

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

    def control(self, k: int, puzzles: str = "chains") -> list[Shares]:
        """[training][puzzle]: the same of pocket models that practised chains for as many tokens as it did streams.
        ``puzzles``: "fresh" for the second hundred.
        """
        found = [training[puzzles] for training in self.figures["control"]]
        return [[pass_at_k(one["k"], right, k) for right in one["right"]] for one in found]

    @property
    def chain_tokens(self) -> float:
        """Written by a chain, on average."""
        return float(self.figures["pocket"]["chains"]["tokens"])

    def tree(self, name: str) -> tuple[Shares, float]:
        """Outcomes of one of the pocket model's trees, and its tokens."""
        found = self.figures["pocket"]["trees"][name]
        return [float(x) for x in found["solved"]], float(found["tokens"])

    def moves(self, name: str, strategy: str, move: str) -> tuple[Interval | None, float]:
        """How often a step is written where the strategy wants it, when it asks for this ``move``; and how often it
        would be if the stream went to any of its states. None where there is no such step.
        """
        right, n, chance = self.streams(name, strategy)["moves"]["within"][move]
        return (wilson(right, n), chance / n) if n else (None, 0.0)
