"""Blind comparison by people (Tree of Thoughts, figure 5b): which of two passages is better?

A class sees the passages of each pair side by side, without names and in random order (``treebook.show.Blind``). Its
judgements are lines of a file, which name passages by a digest of their text: nobody who reads the page or the file
learns which method wrote what. ``tallies`` puts the names back and counts.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from tot.jsonlines import FileTrouble, read_lines
from tot.stats import Interval, bootstrap, mcnemar, sign_flips, wilson

WIN, ALIKE, LOSS = 1, 0, -1  # what a judgement says of the first kind of a pair


@dataclass(frozen=True)
class Pair:
    """Two passages and who wrote them: ``kinds`` has a name for each of ``texts``. Raises ValueError if they are equal:
    there is nothing to compare.
    """

    kinds: tuple[str, str]
    texts: tuple[str, str]

    def __post_init__(self) -> None:
        if self.texts[0] == self.texts[1]:
            raise ValueError(f"{self.kinds[0]} and {self.kinds[1]} have one and the same passage: leave the pair out")

    @property
    def marks(self) -> tuple[str, str]:
        """What a judgement calls the two."""
        one, other = (hashlib.sha256(text.encode()).hexdigest()[:12] for text in self.texts)
        return one, other


@dataclass(frozen=True)
class Judgement:
    """What ``reader`` said of a pair: the marks of both passages as ``shown``, left and right, and the mark of the
    ``better`` one, or "" where they are alike.
    """

    reader: str
    shown: tuple[str, str]
    better: str


def pairs_of(texts: Mapping[str, Mapping[Any, str]], one: str, other: str) -> list[Pair]:
    """Two kinds of passages in pairs, where both have one. ``texts``: kind -> input -> passage. Equal ones are left
    out.
    """
    both = [(text, texts[other][at]) for at, text in texts[one].items() if at in texts[other]]
    return [Pair((one, other), two) for two in both if two[0] != two[1]]


def order(pairs: Sequence[Pair], reader: str) -> list[tuple[str, str]]:
    """The marks of each pair as this reader sees them, left and right: pairs and sides are shuffled, and equal for
    equal names.
    """
    rng = Random(" ".join([reader, *chain.from_iterable(pair.marks for pair in pairs)]))
    shown = [(a, b) if rng.random() < 0.5 else (b, a) for a, b in (pair.marks for pair in pairs)]
    return rng.sample(shown, len(shown))


def judgements(path: str | Path) -> list[Judgement]:
    """What stands in a file, or in all files of a folder that end in .jsonl.

    Raises FileTrouble if one cannot be read, is empty or ends in the middle of a line, or for a line that is no
    judgement, with its number; for a folder without files, and for one with other files than these and pages.
    """
    folder, files = Path(path), [Path(path)]
    if folder.is_dir():
        files = sorted(folder.glob("*.jsonl"))
        others = [one.name for one in sorted(folder.iterdir()) if one not in files and one.name[0] != "."]
        if others := [name for name in others if not name.endswith(".html")]:
            raise FileTrouble(f"{path} has {others[0]}, which would not be read: let it end in .jsonl, or move it away")
        if not files:
            raise FileTrouble(f"{path} has no file of judgements: their names end in .jsonl")
    found = list[Judgement]()
    for file in files:
        mine = [_judgement(line, file, i) for i, line in read_lines(file)]
        if not mine or file.read_bytes().rstrip()[-1:] != b"}":
            raise FileTrouble(f"{file} {'is cut off' if mine else 'holds no judgement'}: save it again from its page")
        found += mine
    return found


def _judgement(line: Mapping[str, Any], file: Path, i: int) -> Judgement:
    match line:
        case {"reader": str(reader), "shown": [str(left), str(right)], "better": str(better)}:
            if left != right and better in ("", left, right):
                return Judgement(reader, (left, right), better)
    raise FileTrouble(f"{file}, line {i} is no judgement: remove the line, or the file")


# ---------------------------------------------------------------- the count


@dataclass(frozen=True)
class Tally:
    """The outcome for two ``kinds``: for the first, for neither, for the second, in this order in both counts.

    ``judged``: judgements. ``won``: pairs, each by the majority of its readers. ``lead``: the first kind's judgements
    minus the second's, as a share of a pair's readers; the mean over pairs, with its interval. ``p``: the exact sign
    flip test of the lead, over pairs, too, because judgements of one pair go together. ``left``: the share of decided
    judgements for the passage on the left; ``p_left``: the exact test against one half. ``agreement``: of readers,
    ``alpha`` over pairs; None where no pair has two readers. ``readers``, ``pairs``: how many. ``twice``: names
    with two different judgements of a pair, as when two readers invent one name.
    """

    kinds: tuple[str, str]
    readers: int
    pairs: int
    judged: list[int]
    won: list[int]
    lead: Interval
    p: float
    left: Interval | None
    p_left: float
    agreement: Interval | None
    twice: list[str]

    def row(self) -> dict[str, Any]:
        """The tally as a row of a table."""
        found: dict[str, Any] = {"pair": " against ".join(self.kinds), "readers": self.readers, "pairs": self.pairs}
        if self.twice:  # not all that was said is counted
            found["readers"] = f"{self.readers} (twice: {', '.join(self.twice)})"
        for name, counts in (("wins, ties, losses", self.judged), ("the same, of pairs", self.won)):
            found[name] = ", ".join(map(str, counts))
        found |= {"lead": _signed(self.lead, "+.0%"), "p": f"{self.p:.2g}", "left": self.left}
        return found | {"p, left": f"{self.p_left:.2g}", "alpha": self.agreement and _signed(self.agreement, ".2f")}


def tallies(pairs: Sequence[Pair], said: Iterable[Judgement]) -> list[Tally]:
    """A tally for each two kinds that somebody judged. Of a reader's judgements of one pair the first counts, and what
    is said of other passages than these counts for nothing, with a warning. Raises ValueError as ``by_marks`` does.
    """
    said = list(said)
    pair_of, found = by_marks(pairs), dict[tuple[str, str], dict[Pair, dict[str, Judgement]]]()
    twice = dict[tuple[str, str], dict[str, None]]()
    for one in said:
        if pair := pair_of.get(frozenset(one.shown)):
            first = found.setdefault(pair.kinds, {}).setdefault(pair, {}).setdefault(one.reader, one)
            if first != one:
                twice.setdefault(pair.kinds, {})[one.reader] = None
    if others := sum(frozenset(one.shown) not in pair_of for one in said):
        warnings.warn(f"of {len(said)} judgements {others} are of other passages: they do not count", stacklevel=2)
    return [
        _tally(kinds, found[kinds], [*twice.get(kinds, ())])
        for kinds in dict.fromkeys(pair.kinds for pair in pairs)
        if kinds in found
    ]


def by_marks(pairs: Sequence[Pair]) -> dict[frozenset[str], Pair]:
    """Each pair by the marks of its passages. Raises ValueError for two pairs of the same passages, which a judgement
    could not tell apart.
    """
    found = {frozenset(pair.marks): pair for pair in pairs}
    if len(found) < len(pairs):
        raise ValueError("two pairs have the same passages: leave one of them out")
    return found


def _tally(kinds: tuple[str, str], found: Mapping[Pair, Mapping[str, Judgement]], twice: list[str]) -> Tally:
    every = [one for some in found.values() for one in some.values()]
    said = [[_outcome(pair, one) for one in some.values()] for pair, some in found.items()]
    sides, decided = [sum(part) for part in said], [one for one in every if one.better]
    left, shared = sum(one.better == one.shown[0] for one in decided), [part for part in said if len(part) > 1]
    return Tally(
        kinds,
        readers=len({one.reader for one in every}),
        pairs=len(found),
        judged=[sum(part.count(what) for part in said) for what in (WIN, ALIKE, LOSS)],
        won=[sum(side > 0 for side in sides), sides.count(0), sum(side < 0 for side in sides)],
        lead=bootstrap(said),
        p=sign_flips(map(fmean, said)),
        left=wilson(left, len(decided)) if decided else None,
        p_left=mcnemar(left, len(decided) - left),
        agreement=bootstrap(shared, alpha) if shared else None,
        twice=twice,
    )


def _outcome(pair: Pair, one: Judgement) -> int:
    return (WIN if one.better == pair.marks[0] else LOSS) if one.better else ALIKE


def alpha(units: Sequence[Sequence[float]]) -> float:
    """Krippendorff's alpha for names: how far readers agree beyond chance. ``units``: for each pair what its readers
    said. A unit with one reader says nothing; where everybody always says the same, chance does so, too, and it is 0.

    1 - D_o / D_e, the observed disagreement over the expected one (Krippendorff 2011, part C).
    """
    units = [unit for unit in units if len(unit) > 1]
    every = list(chain.from_iterable(units))

    def unlike(values: Sequence[float]) -> float:
        """Ordered pairs of different values, for each of the other values."""
        return sum(len(values) - values.count(value) for value in values) / (len(values) - 1)

    expected = unlike(every) if every else 0.0
    return 1 - sum(map(unlike, units)) / expected if expected else 0.0


def least_lopsided(n: int) -> tuple[int, int] | None:
    """Of n decided pairs, how many must go to one side before an exact test believes it (p below 0.05)? None: all n do
    not suffice.
    """
    return next(((n - lost, lost) for lost in range(n // 2, -1, -1) if mcnemar(n - lost, lost) < 0.05), None)


def _signed(found: Interval, form: str) -> str:
    return f"{found.rate:{form}} [{found.low:{form}}, {found.high:{form}}]"


# ---------------------------------------------------------------- simulated readers


def simulated(
    pairs: Sequence[Pair], readers: int, *, reads: float, liking: float = 1.0, left: float = 0.5, seed: int = 0
) -> list[Judgement]:
    """SIMULATED readers, to try the rest on: nobody has read anything. Each reads a pair with probability ``reads``
    and then prefers the first kind with probability ``liking``, else the second. Who does not read takes the left
    passage with probability ``left``, else the right one.
    """
    pair_of, found = by_marks(pairs), []
    for i in range(1, readers + 1):
        name, rng = f"simulated {i}", Random(f"{seed} {i}")
        for shown in order(pairs, name):
            better = shown[rng.random() >= left]
            if rng.random() < reads:
                better = pair_of[frozenset(shown)].marks[rng.random() >= liking]
            found.append(Judgement(name, shown, better))
    return found
