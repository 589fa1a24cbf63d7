"""Measure the worded models on the held-out problems, once they are trained: nothing is tuned on these.

python -m studies.words.measure [--run FOLDER] [--problems 300]

Writes FOLDER/measured.json: rates with their intervals, for the large and the small model.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from studies.figures import write
from studies.options import options
from studies.search_pays.measure import auc
from studies.words.plans import carried_out, read_plan
from studies.words.problems import N, overlap, problems
from tot.lm.base import LM, Reply, Request
from tot.state import State, Thought
from tot.stats import bootstrap
from tot.tasks.base import Problem
from tot.tasks.zero_shot import GSM8K
from treebook.players.worded import worded

K = 6  # chains, and plans, of each problem
TASK = GSM8K()
Judged = tuple[float, bool]  # a plan's score, and whether it was carried out right


class Counted:
    """A model that counts the tokens it generates, and the seconds."""

    def __init__(self, lm: LM) -> None:
        self.lm, self.tokens, self.seconds = lm, 0, 0.0

    def __call__(self, requests: Sequence[Request]) -> list[Reply]:
        began = time.monotonic()
        replies = self.lm(requests)
        self.seconds += time.monotonic() - began
        self.tokens += sum(sample.completion_tokens for reply in replies for sample in reply.samples)
        return replies


def measured(lm: LM, problems: Sequence[Problem]) -> dict[str, Any]:
    """K chains and K plans of each problem; each different plan carried out once and scored once by each judge."""
    ask, states = Counted(lm), [State(p.x) for p in problems]
    chains = ask([replace(TASK.cot(state), n=K) for state in states])
    answers = [[TASK.read_cot(s, x.text)[0] for x in r.samples] for s, r in zip(states, chains, strict=True)]
    right = [[_right(p, read) for read in of] for p, of in zip(problems, answers, strict=True)]
    written = ask([replace(TASK.plan(state, ""), n=K) for state in states])
    texts = [[sample.text for sample in reply.samples] for reply in written]
    different = [(i, text) for i, of in enumerate(texts) for text in dict.fromkeys(of)]
    planned = [states[i].then(Thought(text)) for i, text in different]
    executed = ask([TASK.execute(state) for state in planned])
    reads = [TASK.read_executed(s, r.samples[0].text)[0] for s, r in zip(planned, executed, strict=True)]
    ok = [_right(problems[i], read) for (i, _), read in zip(different, reads, strict=True)]
    good = [_comes_to(text) == problems[i].gold for i, text in different]
    came = dict(zip(different, ok, strict=True))
    sound = dict(zip(different, good, strict=True))
    ends: dict[str, Any] = {
        "n": len(problems),
        "chain": _rate(right),
        "vote of chains": _rate([[_voted(p, of)] for p, of in zip(problems, answers, strict=True)]),
        "plan carried out": _rate([[came[i, t] for t in of] for i, of in enumerate(texts)]),
        "plan is right": _rate([[sound[i, t] for t in of] for i, of in enumerate(texts)]),
        "any plan of six is right": _rate([[any(sound[i, t] for t in of)] for i, of in enumerate(texts)]),
        "right plans carried out right": _rate([[o] for o, g in zip(ok, good, strict=True) if g]),
        "different plans of six": sum(len({*of}) for of in texts) / len(texts),
        "readable chains": _rate([[read.ok for read in of] for of in answers]),
        "plans that can be carried out": _rate([[_comes_to(t) is not None for t in of] for of in texts]),
    }
    for judge in ("logic", "feasibility"):
        replies = ask([TASK.assess(state, judge) for state in planned])
        scores = [TASK.read_assessment(reply.samples[0].text) for reply in replies]
        of_problem: dict[int, list[Judged]] = {}
        for (i, _), score, o in zip(different, scores, ok, strict=True):
            if score.ok and score.value is not None:
                of_problem.setdefault(i, []).append((score.value.score, o))
        ahead = [found for judged in of_problem.values() if (found := _auc(judged)) is not None]
        ends[f"{judge}: right plan ahead"] = _rate([[found] for found in ahead])
        ends[f"{judge}: problems with both"] = len(ahead)
        ends[f"{judge}: AUC over all plans"] = _auc([pair for judged in of_problem.values() for pair in judged])
        ends[f"{judge}: readable scores"] = sum(score.ok for score in scores) / len(scores)
    ends["tokens a second"] = ask.tokens / ask.seconds
    return ends


def _right(problem: Problem, read: Any) -> bool:
    return bool(read.ok and read.value and TASK.verify(problem, read.value.answer).correct)


def _voted(problem: Problem, reads: Sequence[Any]) -> bool:
    answers = [TASK.same(read.value.answer) for read in reads if read.ok and read.value.answer]
    best = max(answers, key=answers.count, default=None)
    return best is not None and bool(TASK.verify(problem, best).correct)


def _comes_to(plan: str) -> str | None:
    """What a plan comes to without slips, None if it cannot be carried out. Only for measuring: an oracle."""
    try:
        return str(carried_out(read_plan(plan))[-1][3])
    except ValueError:
        return None


def _auc(judged: Sequence[Judged]) -> float | None:
    """How often a right plan has a higher score than a wrong one, ties half; None if all are alike."""
    good, bad = ([score for score, ok in judged if ok == which] for which in (True, False))
    return auc(good, bad) if good and bad else None


def _rate(groups: Sequence[Sequence[float]]) -> list[float] | None:
    """Rate, and the ends of its 95% interval; each problem counts once."""
    if not groups:
        return None
    found = bootstrap([[float(x) for x in group] for group in groups])
    return [found.rate, found.low, found.high]


def main() -> None:
    a = options(__doc__, run=Path("_build/words"), problems=N)
    if not (a.run / "again" / "weights.safetensors").exists():
        raise SystemExit(f"{a.run} has no trained model: make pocket-words trains one")
    chosen = problems()[: a.problems]
    found: dict[str, Any] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "overlap": overlap()}
    for size, file in (("large", "again/weights"), ("small", "early")):
        lm = worded(weights=a.run / f"{file}.safetensors", name=size)
        found[size] = {"weights": lm.weights, **measured(lm, chosen)}
        print(size, json.dumps(found[size], indent=1), flush=True)
    write(found, a.run / "measured.json")


if __name__ == "__main__":
    main()
