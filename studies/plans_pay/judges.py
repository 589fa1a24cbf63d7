"""Judges without a model. The oracle knows the end of a plan; the simulated ones know it through a veil of noise.

Each gives one score for a plan, whichever of the two judges is asked, so that the reward of the plan is that score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from statistics import NormalDist

from studies.plans_pay.casts import COIN, ORACLE, SIMULATED, simulated
from studies.trials import Program
from tot.lm.base import LM, Request
from tot.state import State, Thought
from tot.tasks.base import Problem
from tot.tasks.bundled import told_in
from tot.tasks.zero_shot import ZeroShot

ASKED = re.compile(r"Question: (?P<x>.*)\n\nPlan:\n(?P<plan>.*)\n\n", re.DOTALL)
Judged = tuple[str, str]  # a question and a plan for it
Scores = Callable[[Sequence[Judged]], Sequence[float]]  # for each a score from 0 to 1


def judge_of_plans(name: str, scores: Scores) -> Program:
    """A judge that is a function. It raises ValueError for a request that asks for no score."""

    def say(requests: Sequence[Request]) -> list[list[str]]:
        given = zip(requests, scores([read(request) for request in requests]), strict=True)
        return [[f"Score: {score:.4f}"] * request.n for request, score in given]

    return Program(name, say)


def read(request: Request) -> Judged:
    """(question, plan) of a request to a judge. Raises ValueError for any other request."""
    text = request.messages[-1].content
    asked = [told_in("questions")["words"][judge] for judge in ("logic", "feasibility")]
    begin = next((text[: text.rindex(words)] for words in asked if words in text), "")
    if not (found := ASKED.fullmatch(begin)):
        raise ValueError(f"this asks no judge of plans: {text[:60]!r}")
    return found["x"], found["plan"]


class Ends:
    """Does a plan come out right, carried out by this executor's first sample? Remembered, since many judges ask."""

    def __init__(self, task: ZeroShot, executor: LM, problems: Sequence[Problem]) -> None:
        self.task, self.executor, self.problems = task, executor, {p.x: p for p in problems}
        self._known: dict[Judged, bool] = {}

    def __call__(self, judged: Iterable[Judged]) -> list[bool]:
        judged = list(judged)
        new = [one for one in dict.fromkeys(judged) if one not in self._known]
        states = [State(x).then(Thought(plan)) for x, plan in new]
        replies = self.executor([self.task.execute(state) for state in states]) if new else []
        for (x, plan), state, reply in zip(new, states, replies, strict=True):
            answers = [item.value.answer for item in self.task.read_executed(state, reply.texts[0]) if item.value]
            self._known[x, plan] = bool(answers) and self.task.verify(self.problems[x], answers[0]).correct
        return [self._known[one] for one in judged]


def veiled(right: bool, accuracy: float, noise: float) -> float:
    """A score that puts a right plan above a wrong one in so many cases: ``noise`` is drawn from a standard normal.

    Two normal variables whose means are d apart are in order with probability Phi(d / sqrt 2). The score is Phi of the
    variable, which keeps the order and is from 0 to 1.
    """
    normal = NormalDist()
    apart = 2**0.5 * normal.inv_cdf(accuracy)
    return normal.cdf(noise + (apart / 2 if right else -apart / 2))


def programs(ends: Ends) -> Mapping[str, LM]:
    """The coin, the simulated judges, the oracle. Their noise depends on question and plan alone, and is the same for
    all, so that judges of different accuracy differ in nothing else.
    """

    def noise(judged: Judged) -> float:
        return Random(" ".join(judged)).gauss(0, 1)

    def judge(accuracy: float) -> Scores:
        return lambda judged: [veiled(ok, accuracy, noise(one)) for one, ok in zip(judged, ends(judged), strict=True)]

    found: dict[str, Scores] = {COIN: lambda judged: [veiled(True, 0.5, noise(one)) for one in judged]}
    found |= {simulated(a): judge(a) for a in SIMULATED}
    found[ORACLE] = lambda judged: [float(ok) for ok in ends(judged)]
    return {name: judge_of_plans(name, scores) for name, scores in found.items()}
