"""How well does a judge order the plans of one problem, and what do methods differ by? All paired by problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from studies.figures import each
from studies.search_pays.measure import auc
from studies.search_pays.rivals import votes
from tot.stats import sign_flips

REWARD, LOGIC, FEASIBILITY, RIGHT = range(4)  # the columns of a plan
JUDGED = {"both": REWARD, "logic": LOGIC, "feasibility": FEASIBILITY}
Plan = Sequence[float | None]
Line = Mapping[str, Any]


def ahead(plans: Sequence[Plan], judge: int = REWARD) -> float | None:
    """How often a right plan of one problem has a higher score than a wrong one, ties half; None if all are alike."""
    good, bad = ([p[judge] for p in plans if p[judge] is not None and bool(p[RIGHT]) == want] for want in (True, False))
    return auc(good, bad) if good and bad else None  # type: ignore[arg-type]


def accuracies(line: Line, judge: int = REWARD) -> dict[int, float]:
    """Problem's number -> ``ahead``, of the problems that have right and wrong plans."""
    found = {i: ahead(plans, judge) for i, plans in enumerate(line["plans"])}
    return {i: share for i, share in found.items() if share is not None}


def accuracy(line: Line, judge: int = REWARD) -> dict[str, Any]:
    """The judge's accuracy, its interval over problems, and the test against a coin; ``mixed``: how many problems."""
    shares = list(accuracies(line, judge).values())
    pooled = ahead([plan for plans in line["plans"] for plan in plans], judge)
    return {
        "right plan ahead": each(shares),
        "p": sign_flips([share - 0.5 for share in shares]),
        "mixed": len(shares),
        "spread": stdev(shares),
        "all problems": 0.5 if pooled is None else round(pooled, 4),  # also rewards seeing that a *problem* is hard
    }


def chosen(line: Line, judge: int = REWARD) -> list[float]:
    """Per problem: is the plan right that the judge puts first? Of equals the first; an unread score is the lowest."""
    found = []
    for plans in line["plans"]:
        best = max(plans, key=lambda plan: -1.0 if plan[judge] is None else plan[judge], default=None)
        found.append(0.0 if best is None else float(best[RIGHT]))
    return found


def spent(line: Line, what: str = "written", roles: Sequence[str] = ()) -> list[float]:
    """Per problem: tokens ``written``, or ``read`` ones, by these roles or by all."""
    parts = [tokens for role, tokens in line[what].items() if role in roles or not roles]
    return [float(sum(each)) for each in zip(*parts, strict=True)]


def vote(chains: Line, k: int) -> list[float]:
    """Per problem: is the vote of the first ``k`` chains right?"""
    return [float(votes(said[:k], good)[-1]) for said, good in zip(chains["answers"], chains["right"], strict=True)]


def one_chain(chains: Line) -> list[float]:
    """Per problem: the share of right chains."""
    pairs = zip(chains["answers"], chains["right"], strict=True)
    return [fmean(float(answer in good) for answer in said) for said, good in pairs]


def some_of(chains: Line, k: int) -> list[float]:
    """Per problem: is one of the first ``k`` chains right? Gold picks."""
    pairs = zip(chains["answers"], chains["right"], strict=True)
    return [float(any(answer in good for answer in said[:k])) for said, good in pairs]


def affordable(tokens: float, chains: Line, prompt: bool = False) -> int:
    """How many chains so many tokens buy, in the mean: at least one, at most as many as were drawn. ``prompt``: the
    chains' prompt is read once and paid for, too.
    """
    drawn = len(chains["answers"][0])
    one = fmean(spent(chains)) / drawn
    tokens -= fmean(spent(chains, "read")) if prompt else 0.0
    return max(1, min(drawn, int(tokens / one)))
