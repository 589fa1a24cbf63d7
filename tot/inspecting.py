"""Evaluations with Inspect, the package ``inspect-ai``: the solver ``tot_search`` for its tasks; ours as its tasks."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import TimeoutError as NotYet
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig, Model, get_model
from inspect_ai.model._generate_config import active_generate_config  # what `inspect eval` was told has no other door
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from .awaited import asolve
from .budget import Budget
from .experiments.unmeasured import why_nothing
from .generate import unless_cut
from .lm import base  # Inspect has a Sample, too
from .lm.base import LM, LMError, OnReply, Reply, Request, Usage, estimated, estimated_prompt
from .lm.completion import FINISHES
from .lm.functions import refuse_too_many
from .lm.settings import Settings
from .lm.thinking import split_thinking
from .methods import usual
from .parse import REFUSED, no_answer
from .show.escaping import visible
from .show.terminal import outcome
from .state import State
from .tasks import task as task_named
from .tasks.base import MAX_PROBLEM, Problem
from .tasks.selection import COLUMNS, pick

MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_LOG = logging.getLogger(__name__)
LETTERS = "commonsenseqa"
OURS, OUR_TASK = "tot_problem", "tot_task"  # in a sample's metadata: the problem of a task of ours, and which
ENDS = {**FINISHES, "content_filter": "refusal", "unknown": "stop"}  # where Inspect has another word


def _text(given: str | list[str]) -> str:
    """What Inspect's command line takes for a list."""
    return given if isinstance(given, str) else ",".join(given)


def _messages(request: Request) -> list[Any]:
    return [MESSAGES[message.role](content=message.content) for message in request.messages]


def _counted(request: Request, given: Any) -> tuple[int, int, int]:
    """Tokens of a prompt, of which some came from a cache, and of its reply; an estimate where nobody counts them."""
    if (used := given.usage) is None:
        return estimated_prompt(request.messages), 0, estimated(given.completion)
    cached = used.input_tokens_cache_read or 0  # Inspect does not count it as input
    return used.input_tokens + cached + (used.input_tokens_cache_write or 0), cached, used.output_tokens


def _sample(output: Any, tokens: int) -> base.Sample:
    end = ENDS.get(output.stop_reason, output.stop_reason)
    thinking, answer, closed = split_thinking(output.completion, end == "length")
    return base.Sample(answer, end if closed and (answer or end != "length") else "thinking", tokens, thinking)


def _refused(output: Any) -> bool:
    """Whether the text is the server's, who refused the prompt as too long: Inspect's providers do not raise then."""
    return output.stop_reason == "model_length" and not (output.usage and output.usage.output_tokens)


class Inspected(LM):
    """A model of Inspect's, as one of ours; each sample is a call of its own. Made in the coroutine of a solver, whose
    log and limits then count the calls. What is set there (temperature, top_p, max_tokens) counts before what the task
    asks. Inspect tells no prices.
    """

    def __init__(self, model: Model) -> None:
        self.name, self._model = str(model), model
        given = model.config.merge(active_generate_config())
        own = {name: getattr(given, name) for name in ("temperature", "top_p", "max_tokens")}
        settings = Settings({name: value for name, value in own.items() if value is not None})
        self.applied, self.settings = settings.applied, settings.to_dict()  # type: ignore[method-assign]
        self._loop, self._context = asyncio.get_running_loop(), copy_context()

    def __call__(self, requests: Any, on_reply: OnReply | None = None) -> list[Reply]:
        refuse_too_many("Inspect", requests)

        async def replies() -> list[Reply]:
            return await asyncio.gather(*(self._reply(request, on_reply) for request in requests))

        coming = self._context.copy().run(asyncio.run_coroutine_threadsafe, replies(), self._loop)
        while True:
            try:
                return coming.result(0.2)
            except NotYet:  # or the model's own TimeoutError, which is the same class
                if coming.done() and coming.exception():  # Inspect would take it for a limit of the sample's time
                    raise LMError(f"{self.name} timed out: {visible(str(coming.exception()))[:200]}") from None
                if not LM.WANTED.get()():
                    coming.cancel()
                    raise LMError("the search was cancelled") from None

    async def _reply(self, request: Request, on_reply: OnReply | None) -> Reply:
        if request.labels or request.logprobs or request.schema:
            raise LMError(f"{self.name} gives texts alone here: leave out verdicts, log-probabilities and forms")
        own, asked = self.applied(request), _messages(request)
        config = GenerateConfig(temperature=own.temperature, max_tokens=own.max_tokens, top_p=own.top_p)
        config.stop_seqs = [*request.stop] or None

        async def one(index: int) -> Reply:
            output = await self._model.generate(asked, config=config, cache=False)
            if _refused(output):
                raise LMError(f"{self.name} refuses the request: {visible(output.completion)[:200]}")
            read, cached, written = _counted(request, output)
            paid = Usage(1, 1, read, written, cached_tokens=cached)
            reply = Reply((_sample(output, written),), paid, paid)
            if on_reply:  # of each call: it is paid, whatever becomes of the others
                on_reply(request.samples(index, 1), reply)
            return reply

        replies = await asyncio.gather(*map(one, request.indices))
        samples, paid = tuple(one.samples[0] for one in replies), sum((one.paid for one in replies), Usage())
        asked_once = replace(replies[0].asked, samples=request.n, completion_tokens=paid.completion_tokens)
        return Reply(samples, asked_once, paid)


@solver  # type: ignore[untyped-decorator]
def tot_search(method: str = "tot-vote", task: str = "", budget: str = "", **knobs: Any) -> Solver:
    """Answers each sample by a ``method`` of tot's, asking the model that is evaluated. The log has tree and bill.

    ``task``: the task of tot's whose prompts are used, such as "commonsenseqa" (a letter; the default where a sample
    has choices), "questions" (a few words are the answer; elsewhere), "gsm8k" (a number), "strategyqa" (yes or no). The
    samples of ``tot_task`` know theirs. ``budget``: limits for each sample, as for ``--budget``; ``knobs``: of the
    method. Raises ValueError for what there is not, and for a sample that is more than a question, LMError if the model
    fails.
    """
    given, letters, limits = task and task_named(task), task_named(LETTERS), Budget.parse(_text(budget))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        usual_task = state.metadata.get(OUR_TASK) or (LETTERS if len(state.choices) else "questions")
        the_task = given or task_named(usual_task)
        choices = "".join(f"\n({chr(65 + i)}) {choice.value}" for i, choice in enumerate(state.choices))
        problem: Any = state.metadata.get(OURS) or state.user_prompt.text + choices
        parts = state.user_prompt.content
        images = not isinstance(parts, str) and any(part.type != "text" for part in parts)
        if OURS not in state.metadata and (state.messages[1:] or state.tools or images):
            raise ValueError("tot_search asks a question alone: leave out system texts, other turns, tools, images")
        if len(state.choices) > 26:
            raise ValueError(f"tot_search names choices by letters: there are 26, not {len(state.choices)}")
        x = str(problem)
        if len(x) > MAX_PROBLEM:  # which is for what somebody types: a data set may have passages
            problem = Problem(str(state.sample_id), x)
        solution = await asolve(the_task, problem, method, lm=Inspected(get_model()), budget=limits, **knobs)
        if solution.error:
            raise LMError(solution.error)
        transcript().info(f"```text\n{outcome(solution)}\n```", source="tot")
        state.metadata["tot"] = line = solution.to_dict()
        if solution.answer is None and (why := why_nothing([{**line, "budget": limits.to_dict()}])):
            why = why.replace("--think-tokens", "--max-tokens").replace("in --budget", "in the solver's budget")
            _LOG.warning("sample %s: %s", state.sample_id, why)
        named = letters.read_io(State(x), solution.answer or "")[0].value  # also by the words of a choice
        for i in range(len(state.choices)):
            state.choices.mark_choice(i, named is not None and named.answer == chr(65 + i))
        state.output.completion = solution.answer or ""
        state.messages.append(ChatMessageAssistant(content=state.output.completion))
        return state

    return solve


@task  # type: ignore[untyped-decorator]
def tot_task(name: str = "game24", problems: str = "", columns: str = COLUMNS, method: str = "", **more: Any) -> Task:
    """A task of tot's, with its verifier. ``problems``: a split, a part of one or a file, as for ``tot run``. ``more``:
    budget and knobs of ``tot_search``. Any other solver gets the direct prompt.
    """
    the_task = task_named(name)

    def about(problem: Problem) -> dict[str, Any]:
        return {OURS: problem.x, OUR_TASK: name}

    picked = pick(the_task, problems or next(iter(the_task.splits())), _text(columns))
    samples = [
        Sample(_messages(the_task.io(State(one.x))), target=str(one.gold or ""), id=one.id, metadata=about(one))
        for one in picked
    ]
    search = tot_search(method or usual(the_task).name, name, **more)
    return Task(dataset=samples, name=name, solver=search, scorer=verified(name, {one.id: one.gold for one in picked}))


@scorer(metrics=[accuracy(), stderr()])  # type: ignore[untyped-decorator]
def verified(name: str, golds: dict[str, Any]) -> Scorer:
    """The verdict of a task's verifier on the answer, or on what its reader finds in the text of another solver.
    ``golds``: id of a problem -> its known answer. Both stand in the log, which Inspect can score again.
    """
    the_task = task_named(name)

    async def score(state: TaskState, target: Target) -> Score:
        output, id, why = state.output, str(state.sample_id), ""
        problem, answer = Problem(id, state.metadata[OURS], golds[id]), output.completion or None
        if "tot" not in state.metadata and output.choices:  # another solver's, without what was only thought
            sample = _sample(output, output.usage.output_tokens if output.usage else 0)
            if why := REFUSED if _refused(output) else no_answer(sample):
                answer = None
            else:
                read = unless_cut(sample, the_task.read_io(State(problem.x), sample.text)[0])
                answer, why = read.value.answer if read.value else sample.text or None, read.why
        judged = the_task.verify(problem, answer)
        why = judged.why if answer else why or judged.why
        return Score(value=CORRECT if judged.correct else INCORRECT, answer=answer, explanation=why)

    return score
