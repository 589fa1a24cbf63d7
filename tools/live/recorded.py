"""``python -m tools.live.recorded``: write ``live/recorded.json``, which recorded runs the lab offers, anew.

To be run after a chapter was recorded anew; some minutes. What ``studies/plans.py`` plans is replayed, run by run, and
what replays is listed: not all that was planned was recorded. Chapter 15's runs, which take two models, are left out.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from studies.plans import PLANS
from tot import Cassette, Job
from tot.runner import run_one

ROOT = Path(__file__).parents[2]
FILE = ROOT / "live" / "recorded.json"


def replays() -> list[dict[str, Any]]:
    """Rows of ``chapter``, ``task``, ``method``, ``knobs``, ``split`` and the ``numbers`` in it that replay."""
    tape = cache(lambda chapter: Cassette(ROOT / "notebooks" / "cassettes" / f"{chapter}.jsonl"))
    found: dict[str, set[int]] = {}
    for chapter, plans in PLANS.items():
        for plan in (each for each in plans if not each.small):
            row = {"chapter": chapter, "task": plan.task, "method": plan.method, "knobs": plan.params}
            jobs = plan.jobs()
            numbers = range(10_000)[slice(*plan.part)]
            whole = [at for at, job in zip(numbers, jobs, strict=False) if replays_whole(job, tape(chapter))]
            found.setdefault(json.dumps(row | {"split": plan.split}), set()).update(whole)
    return [{**json.loads(row), "numbers": sorted(numbers)} for row, numbers in found.items() if numbers]


def replays_whole(job: Job, tape: Cassette) -> bool:
    return not run_one(job.start(tape)).error


def main() -> None:
    rows = replays()
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", "utf-8")
    print(f"{len(rows)} settings with {sum(len(row['numbers']) for row in rows)} runs: {FILE}")


if __name__ == "__main__":
    main()
