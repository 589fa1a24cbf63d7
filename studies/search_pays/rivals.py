"""What a tree's tokens buy elsewhere: chains of the same generator at equal cost, picked by a check or by a vote.

Cost is counted in three ways, all in tokens: ``written`` alone; ``cached``: written, and read once for all that begins
alike in a run; ``whole``: written, and every sample reads its whole prompt. The pocket model reads its instructions as
one token, where a large model reads them in full with their examples. So reading is counted in characters of the
prompts, and turned into tokens at the rate of the recorded 1.5B model on prompts of this task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from tot.lm.tape import Tape
from tot.stats import pass_at_k

COSTS = ("written", "cached", "whole")
ORDERS = 40  # random orders of the hundred chains, over which votes are averaged

Line = Mapping[str, Any]


class Pool:
    """The hundred chains of one generator on every puzzle, and what k of them are worth.

    ``line``: as ``play.chains`` makes it. ``rate``: characters of a prompt for each token.
    """

    def __init__(self, line: Line, rate: float, seed: int = 0) -> None:
        self.n = len(line["answers"][0])
        self.right = [
            sum(a in good for a in answers) for answers, good in zip(line["answers"], line["right"], strict=True)
        ]
        self.written = fmean(line["written"]) / self.n
        self.prompt = fmean(line["new"]) / rate  # all chains of a puzzle have the same prompt
        self._voted = self._votes(line, Random(seed))
        self.rival = fmean(map(_most_frequent_wrong, line["answers"], line["right"]))

    def _votes(self, line: Line, dice: Random) -> list[list[float]]:
        """[puzzle][k - 1]: how often a vote of k of the chains is right, over random orders."""
        found = []
        for answers, right in zip(line["answers"], line["right"], strict=True):
            orders = [votes(dice.sample(answers, len(answers)), right) for _ in range(ORDERS)]
            found.append([fmean(column) for column in zip(*orders, strict=True)])
        return found

    def affordable(self, cost: str, tokens: float) -> int:
        """How many chains ``tokens`` buy: at least one, at most as many as were drawn."""
        if cost == "written":
            k = tokens / self.written
        elif cost == "cached":
            k = (tokens - self.prompt) / self.written
        else:
            k = tokens / (self.written + self.prompt)
        return max(1, min(self.n, int(k)))

    def best(self, k: int) -> list[float]:
        """For each puzzle: the chance that one of k chains is right, without bias."""
        return [pass_at_k(self.n, c, k) for c in self.right]

    def vote(self, k: int) -> list[float]:
        """For each puzzle: the chance that a vote of k chains is right."""
        return [each[k - 1] for each in self._voted]

    def one(self) -> list[float]:
        """For each puzzle: the share of single chains that are right."""
        return [c / self.n for c in self.right]


def as_one(line: Line) -> Line:
    """The same chains, if all right answers of a puzzle were the same one: what they lose by sharing the votes."""
    pairs = list(zip(line["answers"], line["right"], strict=True))
    answers = [[right[0] if answer in right else answer for answer in answers] for answers, right in pairs]
    return {**line, "answers": answers, "right": [right[:1] for _, right in pairs]}


def tokens(line: Line, rate: float) -> dict[str, float]:
    """A cell's mean cost for a puzzle, counted in the three ways."""
    written, new, read = (fmean(line[part]) for part in ("written", "new", "read"))
    return {"written": written, "cached": written + new / rate, "whole": written + read / rate}


def characters_per_token(cassette: Path) -> float:
    """How many characters of a prompt the recorded model counts as one token, over all prompts of a cassette."""
    tape = Tape(cassette)
    counted = {key: recorded.prompt_tokens for (key, _), recorded in tape.samples.items()}
    characters = sum(len(part) for key in counted for i in tape.requests[key][1] for part in tape.messages[i])
    return characters / sum(counted.values())


def _most_frequent_wrong(answers: Sequence[int], right: Sequence[int]) -> float:
    """Which share of the wrong chains give the most frequent wrong answer."""
    wrong = [a for a in answers if a not in right]
    named = Counter(a for a in wrong if a >= 0)
    return max(named.values(), default=0) / len(wrong) if wrong else 0.0


def votes(answers: Sequence[int], right: Sequence[int]) -> list[int]:
    """For k = 1, 2 ...: is the most frequent of the first k answers right? Of equals the one that came first wins.

    Answers are numbers, -1 for none.
    """
    counts: dict[int, int] = {}
    won, best = [], -1
    for answer in answers:
        if answer >= 0:
            counts[answer] = counts.get(answer, 0) + 1  # keeps the order of the first of each
            most = max(counts.values())
            best = next(a for a, n in counts.items() if n == most)
        won.append(int(best in right))
    return won
