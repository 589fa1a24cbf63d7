"""Chapter 7: its runs, and all that is asked about them once they are recorded (``studies.passages``).

``record`` is the last part of ``studies/record.py --chapter 07``, which then replays what the judge said into a results
file (``keep``), which chapter 7 and the notebook study_writing read:

    python -m studies.writing_judged     # writes studies/results/writing_judged.json
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tot
from studies.figures import write
from studies.passages import Judging, judgings, passages, turned
from studies.plans import PLANS
from studies.trials import solve_all
from studies.writing_judge import comparison, ratings
from tot.solution import Solution

ROOT = Path(__file__).resolve().parents[1]
CASSETTE, RESULTS = ROOT / "notebooks" / "cassettes" / "07.jsonl", ROOT / "studies" / "results" / "writing_judged.json"


def runs(lm: tot.LM) -> dict[str, list[Solution]]:
    """Every run of chapter 7: name of the method -> one solution for each input. Raises LMError if one failed."""
    return {plan.method: solve_all(plan.jobs(), lm) for plan in PLANS["07"]}


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


def found(lm: tot.LM) -> dict[str, dict[str, Any]]:
    """What the judge said. "scores": kind of passage -> for each that got a score its input (a place, from 0), its
    text and its scores. "pairs": kinds -> the ``Comparison``, and for each pair its input and its two verdicts.
    """
    texts = passages(runs(lm))
    scores: dict[str, Any] = {}
    pairs: dict[str, Any] = {}
    for one in judgings(texts):
        events = tot.run(one.search, lm).trace.events
        if isinstance(one.of, str):
            rated = zip(one.places, ratings(events), strict=True)
            scores[one.of] = [{"input": i, "text": texts[i][one.of], "scores": r.scores} for i, r in rated if r.scores]
        else:
            verdicts = [[i, *both] for i, both in zip(one.places, events[-1]["verdicts"], strict=True)]
            pairs[" against ".join(one.of)] = {**asdict(comparison(events)), "verdicts": verdicts}
    return {"scores": scores, "pairs": pairs}


def keep(lm: tot.LM) -> None:
    """The results file, from the chapter's cassette."""
    write(found(lm), RESULTS)


if __name__ == "__main__":
    keep(tot.Cassette(CASSETTE))
