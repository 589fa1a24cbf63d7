"""The book's cassettes, and what of the plans in ``studies/plans.py`` replays whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tot
from studies.plans import PLANS
from studies.trials import solve_all
from tot.solution import Job, Solution

CASSETTES = Path(__file__).resolve().parents[2] / "notebooks" / "cassettes"


class Recordings:
    """The book's cassettes, and what of their plans replays whole."""

    def __init__(self, folder: Path = CASSETTES) -> None:
        self.folder = folder
        self.tapes: dict[str, tot.Cassette] = {}
        self.played: dict[tuple[str, int], list[Solution]] = {}  # (chapter, number of the plan)

    def tape(self, chapter: str) -> tot.Cassette | None:
        path = self.folder / f"{chapter}.jsonl"
        if chapter not in self.tapes and path.exists():
            self.tapes[chapter] = tot.Cassette(path)
        return self.tapes.get(chapter)

    def source(self, *chapters: str) -> dict[str, Any]:
        """Model and dates of these chapters' recordings."""
        tapes = [tape for chapter in chapters if (tape := self.tape(chapter))]
        dates = {session["date"] for tape in tapes for session in tape.tape.sessions.values()}
        return {"model": " and ".join(dict.fromkeys(tape.name for tape in tapes)), "dates": sorted(dates)}

    def play(self, jobs: Iterable[Job], chapter: str, small: Sequence[str] = ()) -> list[Solution]:
        """The solutions of all jobs; none at all if one of them asks for what is not there."""
        large, little = self.tape("14" if small else chapter), self.tape(chapter)
        if large is None or little is None:
            return []
        try:
            return solve_all([*jobs], {"default": large, **dict.fromkeys(small, little)} if small else large)
        except tot.LMError:
            return []

    def whole(self, chapter: str, method: str, *, small: tuple[str, ...] = (), **wanted: Any) -> list[Solution]:
        """Everything that replays whole of the plans with this method; ``wanted``: a plan's task, split or params."""

        found = []
        for i, plan in enumerate(PLANS[chapter]):
            fits = plan.method == method and plan.small == small
            if fits and all(getattr(plan, name) == value for name, value in wanted.items()):
                if (chapter, i) not in self.played:
                    self.played[chapter, i] = self.play(plan.jobs(), chapter, small)
                found += self.played[chapter, i]
        return found

    def again(self, solutions: Sequence[Solution], chapter: str, method: str, **params: Any) -> list[Solution]:
        """Another method on the problems of these solutions."""
        jobs = []
        for solution in solutions:
            task = tot.task(solution.task)
            problem = next(p for split in task.splits() for p in task.problems(split) if p.id == solution.problem)
            jobs.append(Job(task, problem, tot.method(method), params))
        return self.play(jobs, chapter)
