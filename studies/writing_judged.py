"""Chapter 7: its runs, and all that is asked about them once they are recorded (``treebook.studies.passages``).

``record`` is the last part of ``studies/record.py --chapter 07``.
"""

from __future__ import annotations

from collections.abc import Iterator

import tot
from studies.plans import PLANS
from tot.solution import Solution
from treebook.studies.passages import Judging, judgings, passages, turned


def runs(lm: tot.LM) -> dict[str, list[Solution]]:
    """Every run of chapter 7: name of the method -> one solution for each input. Raises LMError if one failed."""
    return {plan.method: [_solved(job, lm) for job in plan.jobs()] for plan in PLANS["07"]}


def _solved(job: tot.Job, lm: tot.LM) -> Solution:
    solution = tot.solve(job.task, job.problem, job.method.name, lm=lm, **job.params)
    if solution.error:
        raise tot.LMError(solution.error)
    return solution


def judged(lm: tot.LM) -> Iterator[Judging]:
    """All that chapter 7 judges. ``lm`` must be able to answer the runs: the chapter's cassette."""
    yield from judgings(passages(runs(lm)))


def record(lm: tot.LM) -> Iterator[str]:
    """Ask all of it, once the plans of chapter 7 are recorded; yield a line of progress for each part.

    Raises LMError as soon as a model cannot answer.
    """
    for one in judged(lm):
        if error := tot.run(one.search, lm).error:
            raise tot.LMError(error)
        yield f"judged: {one.of}"
    lm(turned(runs(lm)["tot-vote"]))
    yield "ballots turned"
