"""``solve``: one method on one problem, scored by the task's verifier."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from .ask import Search
from .budget import Budget
from .jsonlines import dumps
from .lm.base import TOOL, Usage
from .lm.roles import DEFAULT, LMs, Roles
from .lm.settings import ROLES
from .methods import Method, method, usual
from .runner import Result, Run, run_one
from .state import Node
from .tasks import task as task_named
from .tasks.base import UNCHECKED, Problem, Score, Task, ToolUsing
from .trace import Trace


@dataclass
class Solution:
    """The result of one method on one problem.

    ``answer`` is the answer that the method chooses (without gold, unless the method's name says "gold"); ``answers``
    are those of all outputs, in order, None where there is none; ``scores`` are their scores. Verdicts: ``first`` (the
    best-ranked output is correct), ``any`` (at least one is: an oracle), ``chosen``, or ``correct`` (the answer is).

    ``score`` is that of the chosen answer. If the task scores in parts (``Score.parts``), ``oracle`` is the best score
    of any state that the search visited: an upper bound for every rule that chooses the output. ``settings``: those of
    the model ``lm``, if it has any (role -> settings for several models).
    """

    task: str
    problem: str
    method: str
    params: dict[str, Any]
    lm: str
    answer: str | None
    answers: list[str | None]
    scores: list[Score]
    chosen: bool
    result: Result
    score: Score
    oracle: Score | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    served: str = ""  # see ``LM``

    @property
    def first(self) -> bool:
        """Whether the best-ranked output is correct."""
        return bool(self.scores) and self.scores[0].correct

    @property
    def any(self) -> bool:
        """Whether at least one output is correct: an oracle."""
        return any(score.correct for score in self.scores)

    @property
    def correct(self) -> bool:
        """Whether the answer is correct: ``chosen``."""
        return self.chosen

    @property
    def trace(self) -> Trace:
        """What happened, for everything that shows it."""
        return self.result.trace

    @property
    def error(self) -> str:
        """The error message if a model failed (``result.stopped`` is then "error"), else ""."""
        return self.result.error

    @property
    def verdict(self) -> str:
        """The verifier's verdict on the answer: "correct", "not correct: ..." or "not checked: ..."."""
        if self.score.why == UNCHECKED:
            return f"not checked: {UNCHECKED}"
        return "correct" if self.score.correct else f"not correct: {self.score.why or 'the check refuses it'}"

    @property
    def plan(self) -> str:
        """The plan, if it was not carried out because of ``plan_only`` or the budget; else ""."""
        best = self.result.best[0].state.last if self.result.best else None
        return best.text if best and not best.final and "plan_only" in self.params else ""

    @property
    def refused(self) -> list[str]:
        """The texts of samples in which a model refused to answer (finish "refusal")."""
        return [sample["text"] for sample in self.trace.samples() if sample["finish"] == "refusal"]

    def to_dict(self) -> dict[str, Any]:
        """One line of a results file: plain data, the same in every replay.

        Five members are there only where they have something to say: "over", by how much limits of the budget were
        exceeded; "needed", what the round that the budget refused could have taken; "unanswered", beside an error, that
        only a server did not answer; "unchecked", that there is no known answer to compare with; "paid", what live
        runs paid, earlier ones that failed included, if that was more than was asked, or if this one failed.
        """
        names = ("task", "problem", "method", "params", "lm", "answer", "correct", "first", "any", "chosen", "answers")
        line: dict[str, Any] = {name: getattr(self, name) for name in names}
        line |= {"corrects": [score.correct for score in self.scores], "stopped": self.result.stopped}
        line |= {"unread": self.result.unread, "cut": self.result.cut, "usage": self.result.ledger.to_dict()}
        if self.oracle:
            line["parts"] = self.score.parts
            line["all_parts"] = [score.parts for score in self.scores]
            line["oracle"] = {"correct": self.oracle.correct, "parts": self.oracle.parts}
        asked, paid = self.result.ledger.total, self.result.ledger.total_paid
        dearer = paid.dollars > asked.dollars + 1e-9  # a part was recorded when no prices were known
        if paid.calls > asked.calls or paid.tokens > asked.tokens or dearer or (self.error and paid.calls):
            line["paid"] = paid.to_dict()
        rare = {"settings": dict(self.settings), "still_thinking": self.result.still_thinking, "served": self.served}
        rare |= {"over": self.result.over, "needed": self.result.needed, "tools": self.trace.result.get("tools")}
        rare |= {"unanswered": self.result.unanswered, "unchecked": self.score.why == UNCHECKED}
        line |= {name: value for name, value in rare.items() if value}
        plain: dict[str, Any] = json.loads(dumps(line | ({"error": self.error} if self.error else {})))
        return plain

    def __repr__(self) -> str:  # a notebook stores it beside the page
        return f"<Solution: {self.answer!r:.100}, {self.verdict!r:.100}>"

    def _repr_html_(self) -> str:
        from .views import shown

        return shown(self)


@dataclass(frozen=True)
class Job:
    """One problem for one method: ``start(lms)`` makes the run, ``finish(run)`` scores it when it has ended.

    ``earlier``: what was paid for it before, in runs that failed; no budget counts it.
    """

    task: Task
    problem: Problem
    method: Method
    params: Mapping[str, Any]
    earlier: Usage = field(default_factory=Usage)

    def search(self) -> Search:
        """A fresh search. Raises ValueError for a task or a knob that the method does not accept."""
        return self.method.search(self.task, self.problem.x, **self.params)

    def start(self, lms: LMs, budget: Budget | None = None) -> Run:
        """A fresh run with the models ``lms``, and the task's tools unless ``lms`` has a "tool" role of its own. Raises
        ValueError as ``search`` does.
        """
        roles = {DEFAULT, TOOL, *ROLES, *self.method.roles}
        if strange := [role for role in Roles.of(lms).models if role not in roles]:
            raise ValueError(f"there is no role {strange[0]!r} for a model: choose among {', '.join(sorted(roles))}")
        search, until = self.search(), None
        if self.method.check:  # free: it sees no gold
            check = self.task.check  # type: ignore[attr-defined]
            until = lambda best: any(check(self.problem.x, n.state.answer).correct for n in best)  # noqa: E731
        tools = {TOOL: self.task.tools} if isinstance(self.task, ToolUsing) else {}
        run = Run(search, {**tools, **Roles.of(lms).models}, budget=budget, until=until)
        run.about = f"{self.method.name} on {self.problem.id}"
        run.ledger.paid |= {"earlier": self.earlier} if self.earlier != Usage() else {}
        return run

    def again(self, missed: Run, live: LMs, budget: Budget | None = None) -> Run:
        """A fresh run with the models ``live``, in place of one whose recording lacked something. What other models of
        that run were paid is on the bill, and the budget counts it.
        """
        run = self.start(live, budget)
        for role, paid in missed.ledger.paid.items():
            run.ledger.lose(role, paid)
        return run

    def finish(self, run: Run) -> Solution:
        """The solution: chooses the answer, verifies it, and completes the trace; each answer is verified once. An
        error of the task's has what was searched as ``trace``.
        """
        result = run.result()
        verify = cache(lambda answer: self.task.verify(self.problem, answer))  # a judge's verdict may cost
        try:
            outputs = [node for node in result.best if node.depth]  # the root is not an output
            scores = [verify(node.state.answer) for node in outputs]
            node = self.method.settings(self.params).choose(self.task, self.problem, outputs)
            answer = node.state.answer if node else None
            score = verify(answer)
            oracle = None
            if score.parts:  # the best of all visited states, too
                visited = [verify(node.state.answer) for node in result.visited if node.state.answer is not None]
                oracle = max([score, *scores, *visited], key=lambda one: (one.correct, *one.parts.values()))
            return self._solution(run, result, outputs, scores, answer, score, oracle)
        except (Exception, SystemExit) as error:
            run.slipped(error)
            raise

    def line(self, run: Run) -> dict[str, Any]:
        """The results line of a run that has ended. Where ``finish`` raises, a failed one that says the error."""
        try:
            return self.finish(run).to_dict()
        except (Exception, SystemExit) as error:
            run.slipped(error)
            return self._solution(run, run.result(), [], [], None, Score(False, run.error)).to_dict()

    def _solution(
        self,
        run: Run,
        result: Result,
        outputs: list[Node],
        scores: list[Score],
        answer: str | None,
        score: Score,
        oracle: Score | None = None,
    ) -> Solution:
        solution = Solution(
            task=self.task.name,
            problem=self.problem.id,
            method=self.method.called(self.params),
            params=self.method.settled(self.params),
            lm=run.lms.name,
            answer=answer,
            answers=[node.state.answer for node in outputs],
            scores=scores,
            chosen=score.correct,
            result=result,
            score=score,
            oracle=oracle,
            settings=run.lms.settings,
            served=", ".join(dict.fromkeys(lm.served for lm in run.lms.models.values() if lm.served)),
        )
        head = {name: getattr(solution, name) for name in ("task", "problem", "method", "params", "lm", "settings")}
        result.trace.head = head | {"problem": self.problem.x}
        if not solution.settings:
            del result.trace.head["settings"]
        result.trace.result["answer"] = answer
        if not any(score.why == UNCHECKED for score in scores):
            result.trace.result |= {"correct": score.correct, "scores": [asdict(score) for score in scores]}
        return solution


def job_of(task: str | Task, problem: str | Problem, method_name: str, params: Mapping[str, Any]) -> Job:
    """What ``solve`` is asked for. Raises ValueError as it does."""
    the_task = task_named(task) if isinstance(task, str) else task
    how = method(method_name) if method_name else usual(the_task)
    job = Job(the_task, the_task.problem(problem) if isinstance(problem, str) else problem, how, params)
    refuse_bad_verifier(job)
    return job


def refuse_bad_verifier(job: Job) -> None:
    """Raises ValueError if the task's verifier fails where there is no answer, or gives no ``Score``: before anything
    is asked.
    """
    try:
        job.task.verify(job.problem, None).correct  # noqa: B018 (a bool has none)
    except (Exception, SystemExit) as error:
        what = f"{job.task.name}: verify of {job.problem.id} without an answer raised {type(error).__name__}"
        raise ValueError(f"{what}: {error}; return a tot.Score, not correct for None; nothing was asked") from error


def solve(
    task: str | Task,
    problem: str | Problem,
    method_name: str = "",
    *,
    lm: LMs,
    live: LMs | None = None,
    budget: Budget | None = None,
    **params: Any,
) -> Solution:
    """Solve one problem: ``tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, breadth=5)``.

    The default method is the task's usual one (see ``tot.methods.usual``). ``lm`` is a model, or a mapping from roles
    ("generator", "evaluator" ...) to models; a text such as "pocket" or "openai:MODEL" will do for a model, or a
    function from text to text (see ``tot.lm.base.as_lm``). The task's own tools are used unless ``lm`` has a model for
    the role "tool" (such as a recording). If ``lm`` is a recording that lacks a request (because a knob was changed),
    the whole run is repeated with ``live``, so that no run mixes recorded and live replies (``Cassette(file, live)``,
    as the command line opens it, asks for what is missing and goes on). ``params``: the knobs.

    Raises ValueError for an unknown task, method, knob or model and for a malformed problem; the message says what to
    write instead. If a model fails, nothing is raised: see ``Solution.error``.
    """
    job = job_of(task, problem, method_name, params)
    run = run_one(job.start(lm, budget))
    if run.missed and live is not None:
        run = run_one(job.again(run, live, budget))
    return job.finish(run)
