"""How much of the prompts a server's prefix cache can serve, and whether the order of the jobs matters: a simulation.

vLLM keeps the keys and values of prompts in blocks of 16 tokens. A block is found again if it and everything before it
are the same; when memory runs out, the block that was not used for longest goes. The requests are those of recorded
runs. A model's own tokens are not known here, so words and signs stand for them: shares, not counts, are what to read.
"""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import tot
from tot.lm.roles import LMs

BLOCK = 16  # tokens; vLLM's default

Prompt = tuple[int, ...]  # a number for each full block: two prompts share a number if they agree up to its end
Rounds = list[list[Prompt]]  # of one job: the prompts of each round


class Prompts:
    """Turns requests into blocks."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[str, ...]], int] = {}

    def blocks(self, request: tot.Request) -> Prompt:
        """The full blocks of a prompt; what is left over at its end is never kept."""
        text = "".join(f"<{message.role}>{message.content}" for message in request.messages)
        tokens = re.findall(r"\w+|[^\w\s]|\s", text)
        found: list[int] = []
        for start in range(0, len(tokens) - BLOCK + 1, BLOCK):
            chain = found[-1] if found else -1, tuple(tokens[start : start + BLOCK])
            found.append(self._known.setdefault(chain, len(self._known)))
        return tuple(found)


def rounds(job: tot.Job, lm: LMs, prompts: Prompts) -> Rounds:
    """What a job asks its language model, round by round, in a replay. Raises ValueError if it is not recorded."""
    heard: Rounds = []

    class Listening(tot.LM):
        name = lm.name  # type: ignore[union-attr]

        def __call__(self, requests, on_reply=None):  # type: ignore[no-untyped-def]
            heard.append([prompts.blocks(request) for request in requests])
            return lm(requests, on_reply)  # type: ignore[operator]

    roles = job.roles(
        {"default": Listening(), **({"tool": lm} if isinstance(job.task, tot.tasks.base.ToolUsing) else {})}
    )
    for run in tot.run_many([job.start()], roles):
        if run.error:
            raise ValueError(f"{job.method.name} on {job.problem.id} is not recorded: {run.error}")
    return heard


def served(jobs: Sequence[Rounds], size: int, at_once: int) -> float:
    """The share of all blocks that a cache of ``size`` blocks holds when they are asked for.

    ``at_once`` jobs are in progress, one round of each in turn; when one ends, the next in line begins.
    """
    cache: OrderedDict[int, None] = OrderedDict()
    hits = blocks = 0
    for prompt in _interleaved(jobs, at_once):
        blocks += len(prompt)
        for place, block in enumerate(prompt):
            if block not in cache:
                break
            hits = hits + 1
        else:
            place = len(prompt)
        del place
        for block in reversed(prompt):  # as in vLLM, the end of a prompt goes before its beginning
            cache[block] = None
            cache.move_to_end(block)
        while len(cache) > size:
            cache.popitem(last=False)
    return hits / blocks


def _interleaved(jobs: Sequence[Rounds], at_once: int) -> Iterable[Prompt]:
    line = iter(jobs)
    seats = [iter(job) for job, _ in zip(line, range(at_once), strict=False)]
    while seats:
        for seat in list(seats):
            batch = next(seat, None)
            if batch is None:
                at = seats.index(seat)
                seats[at : at + 1] = [iter(job) for job in [next(line, None)] if job is not None]
            else:
                yield from batch


def orders(by_method: Sequence[Sequence[Rounds]], shuffles: int = 5) -> dict[str, list[list[Rounds]]]:
    """The same jobs in three orders: method by method, problem by problem, and at random (several times)."""
    methods = [job for jobs in by_method for job in jobs]
    mixed = [random.Random(seed).sample(methods, len(methods)) for seed in range(shuffles)]
    problems = [job for row in zip(*by_method, strict=True) for job in row]
    return {"method by method": [methods], "problem by problem": [problems], "at random": mixed}
