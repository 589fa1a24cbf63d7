"""One line of the study: a cast on all problems, with the package's own methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import tot
from studies.plans_pay.casts import Cast
from studies.trials import Line, answers, solve_all, solved
from tot.lm.base import LM
from tot.solution import Job, Solution
from tot.tasks.base import Problem
from tot.tasks.zero_shot import ZeroShot


def play(cast: Cast, players: Mapping[str, LM], task: ZeroShot, problems: Sequence[Problem]) -> Line:
    """The cast's line: for each problem, what was right and what was written and read. Raises LMError if a player fails
    or refuses a problem. (A single prompt that is too long for it is counted, under "refused".)
    """
    lms = {role: players[who] for role, who in cast.seats.items()}
    method = tot.method(cast.method)
    runs = solve_all([Job(task, p, method, cast.knobs) for p in problems], lms)
    for run in runs:
        if run.refused and all(sample["finish"] == "refusal" for sample in run.trace.samples()):
            raise tot.LMError(f"a player refuses {run.problem}: {run.refused[0]}")
    line: Line = {"cast": cast.key, "solved": solved(runs), **costs(runs)}
    if cast.method in ("zero-shot-cot", "cot", "io"):
        return line | answers(runs, task)
    if cast.method == "judged-plans":
        return line | {"plans": [plans(run) for run in runs], "voted": [int(voted(run, task)) for run in runs]}
    if cast.method == "mcts-plan":
        return line | trees(runs)
    if cast.method == "tot-vote":
        return line | {"ways": [solutions(run, p, task) for run, p in zip(runs, problems, strict=True)]}
    return line


def costs(runs: Sequence[Solution]) -> Line:
    """For each role its tokens on each problem: written by it, and read by it (a prompt once for all its samples)."""
    roles = sorted({role for run in runs for role in run.result.ledger.asked})
    bills = [run.result.ledger.asked for run in runs]
    empty = tot.lm.base.Usage()
    return {
        "written": {role: [bill.get(role, empty).completion_tokens for bill in bills] for role in roles},
        "read": {role: [bill.get(role, empty).prompt_tokens for bill in bills] for role in roles},
        "unread": sum(run.result.unread for run in runs),
        "cut": sum(run.result.cut for run in runs),
        "refused": sum(len(run.refused) for run in runs),
    }


def plans(run: Solution) -> list[list[float | None]]:
    """[reward, logic, feasibility, right?] of each plan that was carried out, as they were written. None: not read."""
    scores: dict[tuple[str, str], float] = {}
    for event in run.trace.events:
        if event["kind"] == "evaluated":
            scores |= {(said["node"], said["judge"]): said["score"] for said in event.get("scores", ())}
    ends = sorted(zip(run.result.best, run.scores, strict=True), key=lambda pair: pair[0].id)
    found: list[list[float | None]] = []
    for end, score in ends:
        plan = end.parent
        assert plan is not None
        value = None if plan.value is None else round(plan.value, 6)  # so that 0.1 + 0.2 ties with 0.3
        judged = [scores.get((plan.id, judge)) for judge in ("logic", "feasibility")]
        found.append([value, *judged, float(score.correct)])
    return found


def voted(run: Solution, task: ZeroShot) -> bool:
    """Is the most frequent answer of all plans right? Of equals that of the first plan: no judge breaks a tie."""
    ends = sorted(zip(run.result.best, run.answers, run.scores, strict=True), key=lambda end: end[0].id)
    forms = [(task.same(answer), score.correct) for _, answer, score in ends if answer is not None]
    if not forms:
        return False
    names = [form for form, _ in forms]
    return max(forms, key=lambda pair: names.count(pair[0]))[1]


def trees(runs: Sequence[Solution]) -> Line:
    """What became of the plans: judged ones, the reward and depth of the one carried out, its first plan's reward."""
    ends = [run.result.best[0].parent if run.result.best else None for run in runs]
    return {
        "judged": [len(run.result.visited) for run in runs],
        "reward": [None if end is None or end.value is None else round(end.value, 6) for end in ends],
        "revised": [0 if end is None else end.depth - 1 for end in ends],
    }


def solutions(run: Solution, problem: Problem, task: ZeroShot) -> list[float]:
    """How often four ways are right that choose among the solutions of a tree of chapter 9: any one, any one that names
    an answer, the most frequent answer (of equals the first), gold picks. The vote's own choice is ``Solution.chosen``.
    """
    asked = [event for event in run.trace.events if event["kind"] == "asked"]
    texts = [sample["text"] for sample in asked[2]["requests"][0]["samples"]] if len(asked) > 2 else []
    said = [task.form.read(text, False).value for text in texts]
    hits = [answer is not None and task.verify(problem, answer).correct for answer in said]
    forms = [task.same(answer) for answer in said if answer is not None]
    counted = bool(forms) and task.verify(problem, max(forms, key=forms.count)).correct
    read = [hit for hit, answer in zip(hits, said, strict=True) if answer is not None]
    return [fmean(hits or [0]), fmean(read or [0]), float(counted), float(any(hits))]
