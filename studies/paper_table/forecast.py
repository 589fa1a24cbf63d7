"""What the rest of a plan will take: calls, tokens and dollars, before it is asked.

From a pilot, once at least two problems of a run are done: their mean, times what is left, with the 95% interval of
Student's t. Before that from the method's structure: how often it asks at most, the length of its first prompts, and
replies as long as GPT-4's. That is what it takes at most, as a rule: searches end early, and runs share prompts. So
its band is wide, from ``LEAST`` of it to ``MOST`` of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from statistics import fmean, stdev
from typing import Any

import tot
from tot.experiments.results import Line, failed
from tot.lm.base import Request
from tot.methods.base import PAPER
from tot.state import State
from tot.tasks.base import Searchable, ToolUsing

from .spending import LETTERS

LEAST, MOST = 0.1, 2.0  # scripted searches took 0.1 to 0.7 of it; a model may be more verbose than GPT-4
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)  # 97.5% points of Student's t; from 10 on 2.23
PROPOSED = 9  # thoughts in one reply of GPT-4 (9.5 at the root of the Game of 24, in the authors' logs)
CLUES = 10
REPLIES = {  # tokens of a reply by task and by method or role: tables 7 and 8 where they say; the rest are guesses
    "game24": {"io": 18, "cot": 67, "io-refine-checked": 18, "generator": 110, "evaluator": 60},
    "crosswords": {"io": 30, "generator": 120, "evaluator": 60},
    "writing": {"generator": 450, "evaluator": 250},
    "hotpotqa": {"io": 10, "few-shot": 10, "generator": 80, "evaluator": 80},
}
REPLY = {"io": 10, "generator": 200, "evaluator": 150, "planner": 200, "judge": 100, "executor": 250}  # of the others


@dataclass(frozen=True)
class Amount:
    """Calls, tokens read and written, dollars, each with the low and high end of what is expected."""

    calls: float = 0.0
    read: float = 0.0
    written: float = 0.0
    dollars: float = 0.0
    low: float = 1.0  # as shares of the tokens (and so of everything)
    high: float = 1.0

    @property
    def tokens(self) -> float:
        return self.read + self.written

    @property
    def band(self) -> tuple[float, float]:
        """Tokens at the low and at the high end."""
        return self.tokens * self.low, self.tokens * self.high

    def __add__(self, other: Amount) -> Amount:
        """Ends are added: runs of a table share their problems, so what is long for one is long for the other."""
        both = self.tokens + other.tokens
        low, high = (self.band[i] + other.band[i] for i in (0, 1))
        ends = (low / both, high / both) if both else (1.0, 1.0)
        return Amount(
            self.calls + other.calls,
            self.read + other.read,
            self.written + other.written,
            self.dollars + other.dollars,
            *ends,
        )

    def times(self, share: float) -> Amount:
        return replace(
            self,
            calls=share * self.calls,
            read=share * self.read,
            written=share * self.written,
            dollars=share * self.dollars,
        )


Prices = Mapping[str, tuple[float, float]]  # role -> dollars per million tokens, read and written


def from_pilot(done: Sequence[Line], left: int, prices: Prices) -> Amount:
    """``left`` more problems, like those that are ``done``: at least two."""
    bills = [line["usage"] for line in done]

    def mean(name: str) -> float:
        return fmean(bill[name] for bill in bills)

    def dollars(role: str, used: Mapping[str, float]) -> float:
        price = prices.get(role, (0.0, 0.0))
        return (used["prompt_tokens"] * price[0] + used["completion_tokens"] * price[1]) / 1e6

    tokens = [bill["prompt_tokens"] + bill["completion_tokens"] for bill in bills]
    student = STUDENT[len(tokens) - 2] if len(tokens) - 2 < len(STUDENT) else 2.23
    wide = student * stdev(tokens) * sqrt(1 / len(tokens) + 1 / left) / fmean(tokens) if left and any(tokens) else 0.0
    paid = fmean(fsum(dollars(role, used) for role, used in bill["by_role"].items()) for bill in bills)
    one = Amount(mean("calls"), mean("prompt_tokens"), mean("completion_tokens"), paid, max(0.0, 1 - wide), 1 + wide)
    return one.times(left)


@dataclass(frozen=True)
class Asked:
    """Requests to a role, each for so many samples; their prompts have ``extra`` tokens more than the first."""

    role: str
    requests: float
    samples: float = 1
    extra: float = 0.0


def structure(job: tot.Job) -> list[Asked]:
    """How often a run asks, at most: an upper bound, except that each proposal reply is taken to hold ``PROPOSED``."""
    knobs, steps = job.method.settled(job.params), getattr(job.task, "steps", 1)
    words = reply(job, "generator")
    match job.method.name:
        case "tot-bfs":
            return _breadth_first(knobs, steps, last_asked=not knobs["compose"])
        case "tot-dfs":
            visited = knobs["steps"] if knobs["backtrack"] else 20
            judged = visited * CLUES if knobs["prune"] and knobs["backtrack"] else 0
            return [Asked("generator", visited, knobs["proposals"]), Asked("evaluator", judged, knobs["values"])]
        case "tot-vote" | "tot-vote-refine":
            ballots = Asked("evaluator", steps, knobs["votes"], knobs["k"] * words)
            rewrites = Asked("generator", knobs.get("refinements", 0), 1, words)
            return [Asked("generator", steps, knobs["k"], words / 2), ballots, rewrites]
        case "io-refine" | "io-refine-checked":
            return [Asked("generator", knobs["k"] + 1, 1, words * knobs["k"] / 2)]
        case "zero-shot-cot":
            return [Asked("executor", 1, knobs["k"])]
        case "plan-and-solve":
            return [Asked("planner", 1), Asked("executor", 1, knobs["k"], REPLY["planner"])]
        case "mcts-plan":
            judges = sum(knobs[judge] > 0 for judge in ("logic", "feasibility"))
            below = REPLY["planner"] + judges * REPLY["judge"]
            return [
                Asked("planner", 1),
                Asked("planner", knobs["rollouts"], knobs["revisions"], below),
                Asked("judge", judges * knobs["rollouts"], knobs["values"], REPLY["planner"]),
                Asked("executor", 1, knobs["k"], REPLY["planner"]),
            ]
        case "react":
            return [Asked("generator", knobs["depth"], 1, words * knobs["depth"] / 2)]
        case "react-dfs" | "react-best-first" | "itot-astar" | "itot-dstar":
            valued = knobs["steps"] if job.method.name == "react-dfs" else knobs["rounds"] * knobs["k"]
            expanded = valued / knobs["k"]
            path = words * knobs["depth"] / 2
            return [
                Asked("generator", expanded, knobs["k"], path),
                Asked("evaluator", valued, knobs["values"], path),
            ]
        case "lats":
            expanded = knobs["rollouts"] * (1 + knobs["depth"] / 2)  # a leaf, and from there to the end
            path = words * knobs["depth"] / 2
            return [
                Asked("generator", expanded, knobs["k"], path),
                Asked("evaluator", expanded * knobs["k"], knobs["values"], path),
                Asked("generator", knobs["rollouts"], 1, path),
            ]
        case _:
            return [Asked("generator", 1, knobs.get("k", 1))]


def _breadth_first(knobs: Mapping[str, Any], steps: int, last_asked: bool) -> list[Asked]:
    kept, proposed, valued = 1, 0, 0
    for _ in range(steps - 1):  # the last step is the answer
        new = kept * PROPOSED * knobs["proposals"]
        proposed, valued = proposed + kept, valued + new
        kept = min(knobs["breadth"], new)
    answers = kept if last_asked else 0
    return [
        Asked("generator", proposed, knobs["proposals"]),
        Asked("evaluator", valued + answers, knobs["values"]),
        Asked("generator", answers),
    ]


def reply(job: tot.Job, role: str) -> int:
    """Tokens of a reply."""
    known = REPLIES.get(job.task.name, REPLY)
    return known.get(job.method.name) or known.get(role) or REPLY[role]


def from_structure(job: tot.Job, left: int, prices: Prices) -> Amount:
    """``left`` problems like this one, at most."""
    first, judge = prompts(job)
    sum_ = Amount()
    for ask in structure(job):
        read = ask.requests * ((judge if ask.role == "evaluator" else first) + ask.extra)
        written = ask.requests * ask.samples * reply(job, ask.role)
        price = prices.get(ask.role, (0.0, 0.0))
        sum_ += Amount(ask.requests, read, written, (read * price[0] + written * price[1]) / 1e6)
    return Amount(sum_.calls, sum_.read, sum_.written, sum_.dollars, LEAST, MOST).times(left)


def prompts(job: tot.Job) -> tuple[float, float]:
    """Tokens of the first prompt, and of the evaluator's for a state with nothing in it, if the task can say."""
    first = job.start({}).feed()
    asked = max(map(letters, first.requests), default=0.0) / LETTERS if first else 0.0
    paper = job.params.get("style") == PAPER and hasattr(job.task, "in_paper_style")
    task = job.task.in_paper_style() if paper else job.task
    root, judged = State(job.problem.x), list[Request]()
    if job.method.needs is Searchable and isinstance(task, Searchable):
        found = task.value(root)
        judged = [found] if isinstance(found, Request) else list(found)
    elif job.method.needs is ToolUsing and isinstance(task, ToolUsing):
        judged = [task.prospect(root)]
    return asked, max(map(letters, judged), default=asked * LETTERS) / LETTERS


def letters(request: Request) -> float:
    return sum(len(message.content) for message in request.messages)


def piloted(lines: Sequence[Line]) -> list[Line]:
    """Those that a forecast can use: no call failed."""
    return [line for line in lines if not failed(line)]
