"""How much of the prompts a server's prefix cache can serve, and whether the order of the jobs matters: a simulation.

vLLM keeps the keys and values of prompts in blocks of 16 tokens. A block is found again if it and everything before it
are the same; when memory runs out, the block that was not used for longest goes. The requests are those of recorded
runs. A model's own tokens are not known here, so words and signs stand for them: shares, not counts, are what to read.

    python -m studies.prefix_cache     # writes studies/results/prefix_cache.json, for the notebook study_clusters
"""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.figures import write
from tot.lm.base import OnReply

RESULTS = Path("studies/results/prefix_cache.json")
CASSETTE = Path("notebooks/cassettes/12.jsonl")
BLOCK = 16  # tokens; vLLM's default
SIZES, AT_ONCE = [100, 200, 300, 500, 1000, 2000, 4000, 8000], (1, 8, 32)  # blocks of a cache, and jobs in progress
METHODS: list[tuple[str, dict[str, Any]]] = [
    ("io", {}),
    ("cot", {}),
    ("retrieve-read", {"articles": 5}),
    ("react", {"depth": 6}),
    ("react-dfs", {"k": 3, "depth": 5, "steps": 16}),
    ("react-best-first", {"k": 3, "depth": 5, "rounds": 8}),
]

Prompt = tuple[int, tuple[int, ...]]  # tokens; a number for each full block, shared by prompts that agree up to its end
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
        return len(tokens), tuple(found)


def rounds(job: tot.Job, lm: tot.LM, prompts: Prompts) -> Rounds:
    """What a job asks its language model, round by round, in a replay. Raises ValueError if it is not recorded."""
    heard: Rounds = []

    class Listening(tot.LM):
        name = lm.name

        def __call__(self, requests: Sequence[tot.Request], on_reply: OnReply | None = None) -> list[tot.Reply]:
            heard.append([prompts.blocks(request) for request in requests])
            return lm(requests, on_reply)

    for run in tot.run_many([job.start(Listening())]):
        if run.error:
            raise ValueError(f"{job.method.name} on {job.problem.id} is not recorded: {run.error}")
    return heard


def served(jobs: Sequence[Rounds], size: int, at_once: int) -> float:
    """The share of all prompt tokens that a cache of ``size`` blocks serves.

    ``at_once`` jobs are in progress, one round of each in turn; when one ends, the next in line begins.
    """
    cache: OrderedDict[int, None] = OrderedDict()
    found = asked = 0
    for tokens, blocks in _interleaved(jobs, at_once):
        asked += tokens
        found += BLOCK * len(list(takewhile(cache.__contains__, blocks)))
        for block in reversed(blocks):  # as in vLLM, the end of a prompt goes before its beginning
            cache[block] = None
            cache.move_to_end(block)
        while len(cache) > size:
            cache.popitem(last=False)
    return found / asked


def _interleaved(jobs: Sequence[Rounds], at_once: int) -> Iterable[Prompt]:
    line = iter(jobs)
    seats = [iter(job) for job in islice(line, at_once)]
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


def figures() -> dict[str, Any]:
    """What each cache serves of chapter 12's recorded methods with tools, on all twenty questions."""
    task, lm, prompts = tot.task("hotpotqa"), tot.Cassette(CASSETTE), Prompts()
    jobs = [
        [rounds(tot.Job(task, p, tot.method(name), knobs), lm, prompts) for p in task.problems("easy")]
        for name, knobs in METHODS
    ]
    asked = [prompt for row in jobs for job in row for batch in job for prompt in batch]
    return {
        "requests of": lm.name,
        "methods": len(METHODS),
        "questions": len(jobs[0]),
        "prompts": len(asked),
        "tokens": sum(count for count, _ in asked),
        "blocks": len({block for _, own in asked for block in own}),
        "tokens of a block": BLOCK,
        "sizes": SIZES,
        "shares": {
            str(at_once): {
                name: [fmean(served(line, size, at_once) for line in lines) for size in SIZES]
                for name, lines in orders(jobs).items()
            }
            for at_once in AT_ONCE
        },
    }


if __name__ == "__main__":
    write(figures(), RESULTS)
