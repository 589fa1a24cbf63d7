"""Search by the model's own probabilities beside chains and the tree: Game of 24, hard puzzles, the pocket model, live.

    python -m studies.likely [--puzzles 100] [--trials 4] [--out studies/results/likely.json]

Methods, budgets and trials were fixed before the first run. What so many plays can show was known from
``studies.verdicts``, where trials of ToT with b=5 differ by chance only: a difference of about 7 percentage points over
four trials is found four times in five, and smaller ones are no result here ("shows").

Levin tree search stops when the task's free check is content, and in ToT a program knows 24 when one number is left.
Every method is therefore counted twice: by the answer that it gives itself ("solved"), and by whether the check would
find a right one among its outputs ("checked"). A part that the file already has is not played again, so it can be
stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import tot
from studies.as_json import as_json
from studies.game24 import interval, solve_all
from studies.search_pays.play import GAME, OWN
from studies.verdicts import EACH_TRIAL, least_to_show
from tot.solution import Job, Solution
from tot.stats import bootstrap, mcnemar, mean_of_means, sign_flips, wilson
from tot.tasks.base import Problem
from treebook.players import Pocket

RESULTS = Path("studies/results/likely.json")
TREE, CHAINS, LEVIN = "ToT, b=5", "40 chains", "Levin, 100 expansions"
METHODS: dict[str, tuple[str, dict[str, Any]]] = {  # 40 chains are about the tokens of Levin with 100 expansions
    TREE: ("tot-bfs", {"breadth": 5}),
    "CoT": ("cot", {}),
    "CoT-SC, 20 chains": ("cot-sc", {"k": 20}),
    CHAINS: ("cot-sc", {"k": 40}),
    "likely beam, b=5": ("likely-beam", {"breadth": 5}),
    "likely beam, b=20": ("likely-beam", {"breadth": 20}),
    "Levin, 10 expansions": ("levin", {"expansions": 10}),
    "Levin, 30 expansions": ("levin", {"expansions": 30}),
    LEVIN: ("levin", {"expansions": 100}),
    "Levin, 300 expansions": ("levin", {"expansions": 300}),
    "Levin, 100, no cuts": ("levin", {"expansions": 100, "cuts": False}),
}
Figures = dict[str, Any]


def play(lm: Pocket, name: str, trial: int, problems: Sequence[Problem]) -> Figures:
    """One trial of one method on every puzzle: solved and checked as 0 and 1, tokens written, requests. Raises LMError.

    Of Levin tree search also the expansions, and the bound d / π of the answers that were right (0: none was).
    """
    method, knobs = METHODS[name]
    shift = EACH_TRIAL * trial
    jobs = [Job(GAME, p, tot.method(method), {"first": OWN * i + shift, **knobs}) for i, p in enumerate(problems)]
    runs = solve_all(jobs, lm, show=False)
    bills = [run.result.ledger.total for run in runs]
    figures: Figures = {
        "solved": "".join(str(int(run.chosen)) for run in runs),
        "checked": "".join(str(int(run.any)) for run in runs),
        "tokens written": [bill.completion_tokens for bill in bills],
        "requests": [bill.calls for bill in bills],
    }
    if method == "levin":
        figures["expansions"] = [expansions(run) for run in runs]
        figures["bound"] = [round(run.result.best[0].f or 0.0, 1) if run.chosen else 0 for run in runs]
    return figures


def expansions(run: Solution) -> int:
    return sum(event["kind"] == "expanded" for event in run.trace.events)


def shares(trials: Sequence[Figures], count: str) -> list[list[int]]:
    """[puzzle][trial]: 1 where ``count`` ("solved" or "checked") says so."""
    return [list(map(int, puzzle)) for puzzle in zip(*(trial[count] for trial in trials), strict=True)]


def row(trials: Sequence[Figures], count: str, base: Sequence[Figures], base_count: str = "solved") -> Figures:
    """The share of plays that count, its interval (puzzles are the clusters) and its gap to ``base``, pair by pair.

    "first trial": its Wilson interval, and McNemar's test against the first trial of ``base``.
    """
    mine, other = shares(trials, count), shares(base, base_count)
    gaps = [fmean(a) - fmean(b) for a, b in zip(mine, other, strict=True)]
    one, theirs = [puzzle[0] for puzzle in mine], [puzzle[0] for puzzle in other]
    more = sum(a > b for a, b in zip(one, theirs, strict=True))
    fewer = sum(a < b for a, b in zip(one, theirs, strict=True))
    return {
        "rate": interval(bootstrap(mine)),
        "gap": interval(bootstrap([(gap,) for gap in gaps], mean_of_means)),
        "p": round(sign_flips(gaps), 4),
        "first trial": interval(wilson(sum(one), len(one))),
        "first trial, p": round(mcnemar(more, fewer), 4),
        "tokens written": round(fmean(fmean(trial["tokens written"]) for trial in trials)),
        "requests": round(fmean(fmean(trial["requests"]) for trial in trials), 1),
    }


def bounds(trials: Sequence[Figures]) -> Figures:
    """Of Levin's right answers: how many expansions they took, and how many the bound allowed; the medians."""
    found = [
        pair
        for trial in trials
        for pair, solved in zip(zip(trial["expansions"], trial["bound"], strict=True), trial["solved"], strict=True)
        if solved == "1"
    ]
    return {
        "answers": len(found),
        "expansions": median(made for made, _ in found),
        "bound": median(bound for _, bound in found),
        "bound / expansions": round(median(bound / made for made, bound in found), 2),
        "broken": sum(made > bound * (1 + 1e-6) + 0.05 for made, bound in found),  # bounds are kept to one decimal
    }


def compared(played: dict[str, list[Figures]]) -> Figures:
    """Every method against the tree, by its own answer and by the check; and Levin against as many tokens of chains."""
    tree = played[TREE]
    return {
        "solved": {name: row(trials, "solved", tree) for name, trials in played.items()},
        "checked": {name: row(trials, "checked", tree, "checked") for name, trials in played.items()},
        "Levin against 40 checked chains": row(played[LEVIN], "solved", played[CHAINS], "checked"),
        "bounds": {name: bounds(trials) for name, trials in played.items() if METHODS[name][0] == "levin"},
    }


def study(lm: Pocket, problems: Sequence[Problem], trials: int, out: Path) -> Figures:
    """All parts, written to ``out`` as soon as each is there; parts that it has already are kept.

    Raises ValueError if ``out`` is about other weights or puzzles.
    """
    about = {"model": lm.name, "weights": lm.weights, "split": "hard", "n": len(problems)}
    known: Figures = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {**about, "trials": {}}
    if {key: known.get(key) for key in about} != about:
        raise ValueError(f"{out} is about other weights or puzzles: move it away, or choose another --out")

    def keep(**more: Any) -> None:
        known.update(more, date=time.strftime("%Y-%m-%d"))
        out.write_text(as_json(known) + "\n", encoding="utf-8")

    played: dict[str, list[Figures]] = known["trials"]
    for trial in range(trials):
        for name in METHODS:
            done = played.setdefault(name, [])
            if len(done) <= trial:
                done.append(play(lm, name, trial, problems))
                keep()
                print(f"trial {trial + 1} of {trials}: {name}: {done[-1]['solved'].count('1')} solved", flush=True)
    whole = {name: played[name][:trials] for name in METHODS}
    keep(shows=least_to_show(whole[TREE]), compared=compared(whole))
    return known


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzles", type=int, default=100, help="how many of the 100 hard puzzles")
    parser.add_argument("--trials", type=int, default=4, help="how often each method is played (at least 2)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(arguments)
    try:
        found = study(Pocket(), GAME.problems("hard")[: given.puzzles], max(2, given.trials), given.out)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    for name, own in found["compared"]["solved"].items():
        checked = found["compared"]["checked"][name]
        print(
            f"{name:22} {own['rate'][0]:4.0%} (p = {own['p']:.4f}), checked {checked['rate'][0]:4.0%} (p ="
            f" {checked['p']:.4f}); {own['tokens written']} tokens, {own['requests']} requests"
        )


if __name__ == "__main__":
    main()
