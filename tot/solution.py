"""The front door: one problem, one method, one model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .budget import Budget
from .lm.roles import LMs, Roles
from .methods import Method, method, usual
from .runner import Result, Run, Until, run_one
from .state import Node
from .tasks import task as task_named
from .tasks.base import UNCHECKED, Problem, Score, Task, ToolUsing
from .trace import Trace


@dataclass
class Solution:
    """What a method made of one problem.

    ``answer`` is the one that the method itself chooses (with no gold, unless the method's name says so). Three scores
    are reported together: ``first`` (the best-ranked output), ``any`` (at least one output: an oracle) and ``chosen``.
    ``correct`` is ``chosen``. ``scores`` judges every output in order, None standing for "no answer".

    ``score`` judges the chosen answer. Where the task measures more than right and wrong (``Score.parts``), ``oracle``
    is the best score of any state that the search visited: what an output rule that knows the gold would have reached.
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
        """What happened, for everything in ``tot.show``."""
        return self.result.trace

    @property
    def error(self) -> str:
        """The sentence, if a model failed; then ``result.stopped`` is "error"."""
        return self.result.error

    @property
    def verdict(self) -> str:
        """What the verifier says of the answer: "correct", "not correct: ..." or "not checked: ..."."""
        if self.score.why == UNCHECKED:
            return f"not checked: {UNCHECKED}"
        return "correct" if self.score.correct else f"not correct: {self.score.why or 'the check refuses it'}"

    @property
    def plan(self) -> str:
        """The plan that was not carried out: because of ``plan_only``, or of a budget. Else ""."""
        best = self.result.best[0].state.last if self.result.best else None
        return best.text if best and not best.final and "plan_only" in self.params else ""

    @property
    def refused(self) -> list[str]:
        """What a model said where it would not answer (finish "refusal")."""
        asked = (event["requests"] for event in self.trace.events if event["kind"] == "asked")
        samples = (sample for requests in asked for request in requests for sample in request["samples"])
        return [sample["text"] for sample in samples if sample["finish"] == "refusal"]

    def to_dict(self) -> dict[str, Any]:
        """A results line: plain data, the same in every replay."""
        line: dict[str, Any] = {
            "task": self.task,
            "problem": self.problem,
            "method": self.method,
            "params": self.params,
            "lm": self.lm,
            "answer": self.answer,
            "correct": self.correct,
            "first": self.first,
            "any": self.any,
            "chosen": self.chosen,
            "answers": self.answers,
            "corrects": [score.correct for score in self.scores],
            "stopped": self.result.stopped,
            "unread": self.result.unread,
            "usage": self.result.ledger.to_dict(),
        }
        if self.oracle:
            line["parts"] = self.score.parts
            line["all_parts"] = [score.parts for score in self.scores]
            line["oracle"] = {"correct": self.oracle.correct, "parts": self.oracle.parts}
        if tools := self.trace.result.get("tools"):
            line["tools"] = tools
        return {**line, "error": self.error} if self.error else line

    def _repr_html_(self) -> str:
        from .show import html

        return html(self.trace)


@dataclass(frozen=True)
class Job:
    """One problem for one method, before and after it runs: ``start()`` makes the run, ``finish(run)`` judges it."""

    task: Task
    problem: Problem
    method: Method
    params: Mapping[str, Any]

    def start(self, budget: Budget | None = None) -> Run:
        """Raises ValueError for a task or a knob that the method does not know."""
        search = self.method.search(self.task, self.problem.x, **self.params)
        until: Until | None = None
        if self.method.gold == "stops":  # the one place where gold may end a search, for methods that say so
            until = lambda best: any(self.task.verify(self.problem, n.state.answer).correct for n in best)  # noqa: E731
        return Run(search, budget=budget, until=until)

    def roles(self, lms: LMs) -> Roles:
        """The models to run it with: ``lms``, and the task's own tools if it has some and ``lms`` names no others."""
        return Roles.of(lms).with_tools(self.task.tools if isinstance(self.task, ToolUsing) else None)

    def finish(self, run: Run, lm: str) -> Solution:
        """Judge what the run found; ``lm`` is the model's name. Fills in the trace's head, and the answer in its result."""
        result = run.result()
        outputs = [node for node in result.best if node.depth]  # the root states no answer
        scores = [self.task.verify(self.problem, node.state.answer) for node in outputs]
        node = self.method.choose(self.task, self.problem, outputs)
        answer = node.state.answer if node else None
        score = self.task.verify(self.problem, answer)
        chosen = score.correct
        params = {**self.method.defaults, **self.params}
        names = self.task.name, self.problem.id, self.method.name
        result.trace.head = {
            "task": names[0],
            "problem": self.problem.x,
            "method": names[2],
            "params": params,
            "lm": lm,
        }
        result.trace.result["answer"] = answer
        if not any(score.why == UNCHECKED for score in scores):
            result.trace.result |= {"correct": chosen, "scores": [asdict(score) for score in scores]}
        oracle = self._oracle(result.visited, [score, *scores]) if score.parts else None
        answers = [node.state.answer for node in outputs]
        return Solution(*names, params, lm, answer, answers, scores, chosen, result, score, oracle)

    def _oracle(self, visited: Sequence[Node], scores: Sequence[Score]) -> Score:
        """The best of ``scores`` and of those of all visited states: right first, then by parts in their order."""
        answers = dict.fromkeys(node.state.answer for node in visited if node.state.answer is not None)
        every = [*scores, *(self.task.verify(self.problem, answer) for answer in answers)]
        return max(every, key=lambda score: (score.correct, *score.parts.values()))


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

    Without a method, the task's own Tree of Thoughts is taken. ``lm`` is a model, or a mapping from roles ("generator",
    "evaluator") to models. A task that works with tools brings them along, unless ``lm`` has others (a recording, say)
    for the role "tool". ``live``: where ``lm`` is a recording that does not hold all that is asked (a changed knob),
    the run starts again, wholly on ``live``; so no run ever mixes a recorded model with another. ``params`` are the
    method's knobs.

    Raises ValueError for an unknown task, method or knob and for a malformed problem, with what to write instead. A
    model that fails does not raise: see ``Solution.error``.
    """
    the_task = task_named(task) if isinstance(task, str) else task
    the_problem = the_task.problem(problem) if isinstance(problem, str) else problem
    job = Job(the_task, the_problem, method(method_name) if method_name else usual(the_task), params)
    run = run_one(job.start(budget), job.roles(lm))
    if run.missed and live is not None:
        run, lm = run_one(job.start(budget), job.roles(live)), live
    return job.finish(run, Roles.of(lm).name)
