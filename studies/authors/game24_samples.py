"""Direct answers and chains of thought on the Game of 24: 100 samples for each of 100 puzzles, through our methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tot
from studies import papers
from studies.authors.figures import Figures, per_problem, pooled, share
from studies.authors.files import Log
from studies.authors.replay import Samples, tokens
from studies.game24 import chain_fails_at
from tot.solution import Solution
from tot.state import State
from tot.stats import pass_at_k
from tot.tasks.game24 import Game24

GAME = Game24()
KS = (50, 100)
Texts = Mapping[str, Sequence[str]]  # puzzle -> its samples


def body(text: str) -> str:
    """A logged chain without its first line, which is a heading."""
    first, _, rest = text.partition("\n")
    return rest if first.strip().endswith(":") else text


def samples(log: Log, puzzles: Mapping[int, str]) -> dict[str, list[str]]:
    """Puzzle -> texts. ``puzzles``: the puzzle of each place on the list, as the tree's log has them."""
    return {puzzles[entry["idx"] + 1]: [str(y) for y in entry["ys"]] for entry in log}


def solve(texts: Texts, method: str, clean: Any = str) -> list[Solution]:
    """One of our methods on each puzzle, the log answering."""
    return [
        tot.solve(GAME, GAME.problem(x), method, lm=Samples([clean(y) for y in ys]), k=len(ys))
        for x, ys in texts.items()
    ]


def hits(solutions: Sequence[Solution]) -> list[list[float]]:
    return [[float(score.correct) for score in s.scores] for s in solutions]


def agreement(log: Log, right: Sequence[Sequence[float]]) -> Figures:
    """Our verdict on each sample against the one that the authors' scorer logged."""
    theirs = [
        list(map(float, entry["accs"] if "accs" in entry else (info["r"] for info in entry["infos"]))) for entry in log
    ]
    pairs = [(a, b) for x, y in zip(right, theirs, strict=True) for a, b in zip(x, y, strict=True)]
    return {
        "only ours": sum(a > b for a, b in pairs),
        "only theirs": sum(a < b for a, b in pairs),
        "n": len(pairs),
        "of": "samples",
    }


def best_of(right: Sequence[Sequence[float]], k: int) -> Figures:
    if k == len(right[0]):
        return share(sum(any(group) for group in right), len(right), "puzzles")
    return per_problem([(pass_at_k(len(group), round(sum(group)), k),) for group in right], "puzzles")


def length(texts: Texts, log: Log, limit: int) -> Figures:
    """How long the samples are, how far our count of tokens is from the bill, and how many our limit would cut off."""
    mine = [[tokens(y) for y in ys] for ys in texts.values()]
    billed, last = [], 0
    for i, entry in enumerate(log):
        total = int(entry["usage_so_far"]["completion_tokens"])
        if total > last:  # where the authors' run was started anew, its bill begins again
            billed.append((sum(mine[i]), total - last))
        last = total
    return {
        "limit": limit,
        "more tokens than our limit": pooled([[float(n > limit) for n in group] for group in mine], "samples"),
        "our count of tokens / the bill": round(sum(a for a, _ in billed) / sum(b for _, b in billed), 4)
        if billed
        else None,
    }


def study(io_log: Log, cot_log: Log, puzzles: Mapping[int, str]) -> Figures:
    """``puzzles``: rank -> the four numbers."""
    io, cot = samples(io_log, puzzles), samples(cot_log, puzzles)
    direct, chains = solve(io, "io"), solve(cot, "cot", body)
    voted = solve(cot, "cot-sc", body)
    right = {"IO": hits(direct), "CoT": hits(chains)}
    state = State("1 1 1 1")
    fails = [[chain_fails_at(x, body(text)) for text in ys] for x, ys in cot.items()]
    n = len(cot)
    limits = {name: request.max_tokens or 0 for name, request in (("IO", GAME.io(state)), ("CoT", GAME.cot(state)))}
    return {
        "how": "the logged samples answer our methods io, cot and cot-sc; our verifier scores; 95% intervals",
        "paper": {row: rate for row, rate in papers.GAME24.items() if row.startswith(("IO,", "CoT")) or row == "IO"},
        "IO": per_problem(right["IO"], "puzzles"),
        "CoT": per_problem(right["CoT"], "puzzles"),
        "CoT-SC (k=100)": share(sum(s.chosen for s in voted), n, "puzzles"),
        "best of k (checked)": {
            name: {f"k={k}": best_of(groups, k) for k in KS if k <= len(groups[0])} for name, groups in right.items()
        },
        "scorers disagree": {"IO": agreement(io_log, right["IO"]), "CoT": agreement(cot_log, right["CoT"])},
        "chains fail": {
            "how": "a chain is lost at its first line that is no exact step or gives 24 away; 4: its answer is wrong",
            "paper, lost at step 1": papers.LOST_AT["CoT, lost at step 1"],
            **{
                f"step {step}": pooled([[float(at == step) for at in group] for group in fails], "chains")
                for step in (1, 2, 3, 4)
            },
        },
        "length": {"IO": length(io, io_log, limits["IO"]), "CoT": length(cot, cot_log, limits["CoT"])},
    }
