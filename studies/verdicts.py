"""What do three sampled verdicts know, and what does one distribution? Game of 24 on the pocket model, live.

    python -m studies.verdicts [--puzzles 100] [--trials 4] [--out studies/results/verdicts.json]

Two questions. *Judging*: on the same states for all, living and dead ones by an exhaustive solver (those of
``studies.search_pays``), how often is a living state valued above a dead one? *Searching*: ToT-BFS on the hard puzzles,
several times with other samples, at equal breadth and at equal tokens. The states are one set and the solver looks at
them from outside; no search sees it. A part that the file already has is not played again, so it can be stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.game24 import interval, solve_all
from studies.search_pays.measure import Place, Pool, auc, pool
from studies.search_pays.play import GAME, OWN
from tot.lm.chances import normalised, weighed
from tot.parse import read_sample
from tot.solution import Job
from tot.stats import bootstrap, mcnemar, mean_of_means, sign_flips
from tot.tasks.base import Problem
from tot.ties import total
from treebook.players import Pocket
from treebook.players.template import prompt_tokens
from treebook.players.tokens import encode

RESULTS = Path("studies/results/verdicts.json")
THREE, ONE, THREE_CHANCES = "three samples", "one sample", "three samples, their probabilities"
GREEDY, CHANCES = "the likeliest reply, its word", "the likeliest reply, its probabilities"
AT_ONCE = "the probabilities at once, without a try"
EACH_TRIAL = 100  # trial t of puzzle i draws its samples from number 1000 i + 100 t on
SEARCHES: dict[str, dict[str, Any]] = {  # b = 15 and b = 2 have about the tokens of the other kind with b = 5
    "three samples, b=5": {"breadth": 5},
    "one sample, b=5": {"breadth": 5, "values": 1},
    "probabilities, b=5": {"breadth": 5, "verdicts": "logprobs"},
    "probabilities, b=10": {"breadth": 10, "verdicts": "logprobs"},
    "probabilities, b=15": {"breadth": 15, "verdicts": "logprobs"},
    "three samples, b=2": {"breadth": 2},
}
LABELS, WORTH = tuple(GAME.verdicts), list(GAME.verdicts.values())

Figures = dict[str, Any]
Heard = tuple[float, float, float, float]  # a state's value, the same from words alone, tokens written, missing mass


# ---------------------------------------------------------------- judging


def asked(lm: Pocket, places: Sequence[Place], n: int, **changed: Any) -> list[Heard]:
    """Each state's value by its ordinary prompt, with ``n`` samples of it or, with labels, their chances."""
    requests = [replace(GAME.value(state), first=OWN * i, n=n, **changed) for i, state in places]
    found = []
    for request, reply in zip(requests, lm(requests), strict=True):
        said = [(sample, read_sample(sample, GAME.read_value).value) for sample in reply.samples]
        pairs = [pair for sample, own in said for pair in weighed(request, sample, own, WORTH)]
        missing = fmean(sample.missing for sample in reply.samples)
        words = total(own for _, own in said if own is not None)
        found.append((total(w * p for w, p in pairs), words, float(reply.asked.completion_tokens), missing))
    return found


def at_once(lm: Pocket, places: Sequence[Place]) -> list[Heard]:
    """Each state's expected verdict if the reply had to begin with it: what the model knows before it has tried."""
    found = []
    for _, state in places:
        replies = [encode(f". {label}") for label in LABELS]
        logs = lm.log_chances(prompt_tokens(GAME.value(state)), replies)
        mass = [exp(log) for log in logs]
        whole = total(mass)
        value = total(w * m / whole for w, m in zip(WORTH, mass, strict=True))
        found.append((value, value, 1.0, normalised(mass)[1]))
    return found


JUDGES: dict[str, Callable[[Pocket, Sequence[Place]], list[Heard]]] = {
    THREE: lambda lm, places: asked(lm, places, 3),
    THREE_CHANCES: lambda lm, places: asked(lm, places, 3, labels=LABELS),
    ONE: lambda lm, places: asked(lm, places, 1),
    GREEDY: lambda lm, places: asked(lm, places, 1, temperature=0.0),
    CHANCES: lambda lm, places: asked(lm, places, 1, temperature=0.0, labels=LABELS),
    AT_ONCE: at_once,
}


def judging(lm: Pocket, states: Pool) -> Figures:
    """For each judge: AUC by numbers left and their mean, the gap to three samples, tokens a state, missing mass."""
    heard = {
        name: {(s, a): judge(lm, states[s][a]) for s in (3, 2) for a in (True, False)} for name, judge in JUDGES.items()
    }
    puzzles = sorted({i for size in (3, 2) for side in (True, False) for i, _ in states[size][side]})

    def sides(name: str, at: int = 0) -> list[Any]:
        """[puzzle][size] -> (values of living states, values of dead ones)."""
        values: dict[tuple[int, int, bool], list[float]] = {}
        for (size, alive), found in heard[name].items():
            for (i, _), one in zip(states[size][alive], found, strict=True):
                values.setdefault((i, size, alive), []).append(one[at])
        return [[tuple(values.get((i, s, a), []) for a in (True, False)) for s in (3, 2)] for i in puzzles]

    table: Figures = {}
    for name, found in heard.items():
        mine, every = sides(name), [one for part in found.values() for one in part]
        table[name] = {
            "AUC": _interval(mine, lambda groups: _auc(groups, 0, 1)),
            "AUC, 3 numbers": _interval(mine, lambda groups: _auc(groups, 0)),
            "AUC, 2 numbers": _interval(mine, lambda groups: _auc(groups, 1)),
            "gap to three samples": _gap(mine, sides(THREE)),
            "gap to its words": _gap(mine, sides(name, 1)),
            "tokens a state": round(fmean(one[2] for one in every), 2),
            "missing": round(fmean(one[3] for one in every), 6),
        }
    counts = {str(s): [len(states[s][True]), len(states[s][False])] for s in (3, 2)}
    return {"puzzles": len(puzzles), "living and dead states": counts, "judges": table}


def _auc(groups: Any, *sizes: int) -> float:
    """The mean over sizes of the AUC over all puzzles' states."""
    sides = [[[v for group in groups for v in group[size][side]] for side in (0, 1)] for size in sizes]
    return fmean(auc(living, dead) for living, dead in sides)


def _gap(mine: Any, other: Any) -> list[float]:
    """How much more the one AUC is than the other, on the same states."""
    both = list(zip(mine, other, strict=True))
    return _interval(both, lambda groups: _auc([a for a, _ in groups], 0, 1) - _auc([b for _, b in groups], 0, 1))


def _interval(groups: Any, statistic: Any) -> list[float]:
    return interval(bootstrap(groups, statistic, resamples=400))


# ---------------------------------------------------------------- searching


def search(lm: Pocket, knobs: dict[str, Any], trial: int, problems: Sequence[Problem]) -> Figures:
    """One trial of one search on every puzzle: solved as 0 and 1, tokens written, requests, samples. Raises LMError."""
    method = tot.method("tot-bfs")
    jobs = [Job(GAME, p, method, {"first": OWN * i + EACH_TRIAL * trial, **knobs}) for i, p in enumerate(problems)]
    bills = [(run.chosen, run.result.ledger.total) for run in solve_all(jobs, lm, show=False)]
    return {
        "solved": "".join(str(int(chosen)) for chosen, _ in bills),
        "tokens written": [bill.completion_tokens for _, bill in bills],
        "requests": round(fmean(bill.calls for _, bill in bills), 2),
        "samples": round(fmean(bill.samples for _, bill in bills), 2),
    }


def least_to_show(trials: Sequence[Figures]) -> Figures:
    """Which difference these puzzles can show, from the first search alone: two trials of it differ by chance only.

    "one trial": the smallest difference, in puzzles of all, at which McNemar's test gives p < 0.05 if as many puzzles
    change sides as between the first two trials. "all trials": 2.8 standard errors of a difference of means over trials
    (a true difference of that size is found four times in five), with the variance within puzzles between trials.
    """
    rows = [[int(c) for c in trial["solved"]] for trial in trials]
    changed = sum(a != b for a, b in zip(rows[0], rows[1], strict=True))
    gaps = (
        gap for gap in range(changed % 2, changed + 1, 2) if mcnemar((changed + gap) // 2, (changed - gap) // 2) < 0.05
    )
    puzzles = list(zip(*rows, strict=True))
    within = fmean(fmean(p) * (1 - fmean(p)) * len(p) / (len(p) - 1) for p in puzzles)
    error = (2 * within / len(rows) / len(puzzles)) ** 0.5
    return {"changed sides": changed, "one trial": next(gaps, None), "all trials": round(2.8 * error, 4)}


def compared(found: dict[str, list[Figures]]) -> Figures:
    """For each search: success over trials, and its gap to three samples with b = 5; the puzzles are the clusters."""
    shares = {
        name: [list(map(int, p)) for p in zip(*(t["solved"] for t in trials), strict=True)]
        for name, trials in found.items()
    }
    base, table = next(iter(shares.values())), {}
    for name, mine in shares.items():
        gaps = [fmean(a) - fmean(b) for a, b in zip(mine, base, strict=True)]
        table[name] = {
            "rate": interval(bootstrap(mine)),
            "gap": interval(bootstrap([(gap,) for gap in gaps], mean_of_means)),
            "p": round(sign_flips(gaps), 4),
            "tokens written": round(fmean(fmean(t["tokens written"]) for t in found[name])),
            "requests": round(fmean(t["requests"] for t in found[name]), 1),
            "samples": round(fmean(t["samples"] for t in found[name]), 1),
        }
    return table


# ---------------------------------------------------------------- the study


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
        out.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

    if "judging" not in known:
        keep(judging=judging(lm, pool(problems)))
    played: dict[str, list[Figures]] = known["trials"]
    for trial in range(trials):
        for name, knobs in SEARCHES.items():
            done = played.setdefault(name, [])
            if len(done) <= trial:
                done.append(search(lm, knobs, trial, problems))
                keep()
                print(
                    f"trial {trial + 1} of {trials}: {name}: {done[-1]['solved'].count('1')} of {len(problems)}",
                    flush=True,
                )
    whole = {name: played[name][:trials] for name in SEARCHES}
    keep(shows=least_to_show(whole[next(iter(SEARCHES))]), searches=compared(whole))
    return known


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzles", type=int, default=100, help="how many of the 100 hard puzzles")
    parser.add_argument("--trials", type=int, default=4, help="how often each search is played (at least 2)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(arguments)
    try:
        found = study(Pocket(), GAME.problems("hard")[: given.puzzles], max(2, given.trials), given.out)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    for name, row in found["judging"]["judges"].items():
        print(f"{name:42} AUC {row['AUC'][0]:.3f}  {row['tokens a state']:5.1f} tokens, missing {row['missing']:.6f}")
    for name, row in found["searches"].items():
        print(
            f"{name:42} {row['rate'][0]:.0%}  {row['tokens written']} tokens, {row['samples']} samples, p = {row['p']}"
        )


if __name__ == "__main__":
    main()
