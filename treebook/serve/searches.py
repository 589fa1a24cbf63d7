"""A method as a model: the problem is the message, the answer the reply. The model ``game24@tot-bfs?breadth=3``."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from math import prod
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import parse_qsl

from tot.awaited import ended
from tot.budget import Budget, Ledger
from tot.experiments.unmeasured import why_nothing
from tot.lm.base import LM
from tot.lm.cassette import Cassette
from tot.methods import method, usual
from tot.serve.asked import FINAL, Asked, Refused
from tot.solution import Job
from tot.tasks import TASKS
from tot.trace import Trace

MOST = 10_000  # of the whole numbers in a name, multiplied, tokens in thousands: half a minute for the pocket model


class Searches:
    """Answers by a search with the model ``lm``; ``budget`` holds for all searches together, which then run one after
    the other. ``traces``: a folder for their trees, each named as the id of its reply. Raises OSError without it.
    """

    model = trouble = ""

    def __init__(self, lm: LM, budget: Budget, traces: Path | None = None) -> None:
        self.lm = lm if isinstance(lm, Cassette) else Cassette(None, lm)  # the same question has the same answer
        self.budget, self.traces = budget, traces
        self._used, self._turn = Counter[str](), asyncio.Lock()
        if traces:
            traces.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=traces).close()

    async def come_home(self) -> None:
        """Nothing: a search ends when its client leaves, and the cassette waits for calls in flight."""

    def close(self) -> None:
        """Close the model, and so its cassette."""
        self.lm.close()

    @property
    def offered(self) -> list[str]:
        """Each task with its usual method."""
        return [f"{name}@{usual(TASKS[name]()).name}" for name in TASKS]

    async def answer(self, asked: Asked, numbers: Sequence[int], key: str) -> dict[str, Any]:
        """The answer of one search, as a completion. It ends if the client leaves. Raises Refused."""
        job = self._job(asked)
        async with self._turn if self.budget.limits else nullcontext():
            limits = {name: max(0.0, limit - self._used[name]) for name, limit in self.budget.limits.items()}
            run = job.start(self.lm, Budget(**limits, soft=self.budget.soft))
            search = asyncio.ensure_future(ended(run))
            try:
                await asyncio.shield(search)
            except asyncio.CancelledError:
                run.budget = Budget(calls=0)  # no further round; that under way is paid: it counts, and is remembered
                await search
                raise
            finally:
                done = run.ledger  # of which what had been paid before costs nothing
                self._used.update(Ledger(0, done.nodes, done.seconds, charged=done.total_paid).amounts)
                name = f"chatcmpl-{uuid.uuid4().hex}"
                if self.traces:  # also of a search that failed: it is paid
                    self._keep(job.finish(run).trace, name)
        solution = job.finish(run)
        if solution.error:
            raise Refused(FINAL, solution.error)  # a client that asked again would pay for all of it again
        if solution.answer is None and (limit := solution.result.stopped) in self.budget.limits:
            raise Refused(402, f"the budget of {limit} allows no more: start `tot serve` with more", "budget")
        used = solution.result.ledger.total
        message = {"role": "assistant", "content": solution.answer or ""}
        end = "stop" if run.stopped in ("done", "until") else "length"  # cut short: the best so far
        if solution.answer is None and (why := why_nothing([solution.to_dict()])):
            end = "length"
            logging.getLogger("tot.serve").warning("%s: no answer, since %s", run.about, why)
        head = {"id": name, "object": "chat.completion", "created": int(time.time()), "model": asked.body["model"]}
        choice = {"index": 0, "message": message, "finish_reason": end, "logprobs": None}
        usage = {"prompt_tokens": used.prompt_tokens, "completion_tokens": used.completion_tokens}
        return head | {"choices": [choice], "usage": usage | {"total_tokens": used.tokens}}

    def _keep(self, trace: Trace, name: str) -> None:
        try:
            trace.save(Path(self.traces or "") / f"{name}.json")
        except OSError as error:  # the answer is paid
            self.trouble = f"the trace of {name} is not kept in {self.traces}: {error.strerror or error}"
            logging.getLogger("tot.serve").warning(self.trouble)

    def _job(self, asked: Asked) -> Job:
        """What the model's name and the message ask for. Raises Refused."""
        path, _, query = asked.body["model"].partition("?")
        task, _, name = path.partition("@")
        messages = asked.body["messages"]
        text = messages[0].get("content") if len(messages) == 1 and isinstance(messages[0], dict) else None
        if isinstance(text, list) and len(text) == 1 and isinstance(text[0], dict):
            text = text[0].get("text")
        more = [name for name in ("tools", "functions", "response_format") if asked.body.get(name)]
        if not isinstance(text, str) or messages[0].get("role") != "user" or more or asked.n > 1:
            raise Refused(400, "a method takes one user message, the problem, and gives one text: leave all else out")
        try:
            if task not in TASKS:
                raise ValueError(f"the model must be TASK@METHOD?KNOB=VALUE, with a task of {', '.join(TASKS)}")
            the_task = TASKS[task]()
            recipe = method(name) if name else usual(the_task)
            kinds = {knob.name: knob.kind for knob in recipe.knobs()}
            knobs = {knob: _value(kinds.get(knob, ""), value) for knob, value in parse_qsl(query, True)}
            counted = {knob: n for knob, n in knobs.items() if isinstance(n, int) and n and knob != "first"}
            work = prod(-(-n // 1000) if knob == "max_tokens" else n for knob, n in counted.items())
            if work > MOST:
                raise ValueError(f"a search here may have knobs whose product is {MOST:,}: choose smaller ones")
            job = Job(the_task, the_task.problem(text), recipe, knobs)
            job.search()
            return job
        except ValueError as error:
            raise Refused(400, str(error)) from None


def _value(kind: str, text: str) -> Any:
    """A knob's value; a text that is none of its kind, which the method then refuses, as it is."""
    with suppress(ValueError, RecursionError):
        return json.loads(text) if kind in ("int", "float", "bool") else text
    return text
