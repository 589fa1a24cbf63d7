"""How well does a judge order the plans of one problem, and what do methods differ by? All paired by problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from studies.search_pays.measure import auc
from studies.search_pays.rivals import votes
from tot.stats import bootstrap, mcnemar, sign_flips

REWARD, LOGIC, FEASIBILITY, RIGHT = range(4)  # the columns of a plan
JUDGED = {"both": REWARD, "logic": LOGIC, "feasibility": FEASIBILITY}
Plan = Sequence[float | None]
Line = Mapping[str, Any]


def ahead(plans: Sequence[Plan], judge: int = REWARD) -> float | None:
    """How often a right plan of one problem has a higher score than a wrong one, ties half; None if all are alike."""
    scored = [(plan[judge], plan[RIGHT]) for plan in plans if plan[judge] is not None]
    good, bad = ([score for score, ok in scored if bool(ok) == want] for want in (True, False))
    return auc(good, bad) if good and bad else None  # type: ignore[arg-type]


def accuracies(line: Line, judge: int = REWARD) -> dict[int, float]:
    """Problem's number -> ``ahead``, of the problems that have right and wrong plans."""
    found = {i: ahead(plans, judge) for i, plans in enumerate(line["plans"])}
    return {i: share for i, share in found.items() if share is not None}


def accuracy(line: Line, judge: int = REWARD) -> dict[str, Any]:
    """The judge's accuracy, its interval over problems, and the test against a coin; ``mixed``: how many problems."""
    shares = list(accuracies(line, judge).values())
    return {
        "right plan ahead": numbers(bootstrap([[share] for share in shares])),
        "p": sign_flips([share - 0.5 for share in shares]),
        "mixed": len(shares),
        "spread": stdev(shares),
        "all problems": pooled(line["plans"], judge),
    }


def pooled(plans: Sequence[Sequence[Plan]], judge: int) -> float:
    """The AUC over the plans of all problems together, which also rewards seeing that a *problem* is hard."""
    every = [(plan[judge], plan[RIGHT]) for each in plans for plan in each if plan[judge] is not None]
    good, bad = ([score for score, ok in every if bool(ok) == want] for want in (True, False))
    return round(auc(good, bad), 4)  # type: ignore[arg-type]


def chosen(line: Line, judge: int = REWARD) -> list[float]:
    """Per problem: is the plan right that the judge puts first? Of equals the first; an unread score is the lowest."""
    found = []
    for plans in line["plans"]:
        best = max(plans, key=lambda plan: -1.0 if plan[judge] is None else plan[judge], default=None)
        found.append(0.0 if best is None else float(best[RIGHT]))
    return found


def chance(line: Line) -> list[float]:
    """Per problem: the share of its plans that are right."""
    return [fmean([plan[RIGHT] for plan in plans] or [0.0]) for plans in line["plans"]]


def best(line: Line) -> list[float]:
    """Per problem: is one of its plans right? Gold picks."""
    return [float(any(plan[RIGHT] for plan in plans)) for plans in line["plans"]]


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


def compared(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """a's rate minus b's, problem by problem: bootstrap interval, and an exact test. Where both have 0 and 1 only, that
    is McNemar's, and ``alone`` says how many problems just one of them solved; else the sign flip test.
    """
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    row: dict[str, Any] = {"difference": numbers(bootstrap([[gap] for gap in gaps]))}
    if {*a, *b} <= {0.0, 1.0}:
        alone = [sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)]
        return row | {"alone": alone, "p": mcnemar(*alone)}
    return row | {"p": sign_flips(gaps)}


def numbers(interval: Any) -> list[float]:
    return [round(x, 4) for x in (interval.rate, interval.low, interval.high)]


def rate(hits: Sequence[float]) -> list[float]:
    return numbers(bootstrap([[hit] for hit in hits]))
