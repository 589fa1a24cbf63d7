"""The trials of a study: players x methods x problems. Each finished one is a line on disk at once, so that a study
which was stopped goes on where it was.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import tot
from studies.figures import Figures
from tot.experiments.progress import Progress
from tot.jsonlines import Appender, read_lines
from tot.lm.base import LM, OnReply, Reply, Request, Sample, Usage
from tot.lm.roles import LMs, Roles
from tot.runner import run_many
from tot.solution import Job, Solution
from tot.tasks.base import Problem, Task
from tot.tasks.game24 import Game24
from treebook.players import Pocket

GAME = Game24()
OWN = 1000  # puzzle i draws the samples from number 1000 i on
Line = Figures
K = TypeVar("K", bound=Hashable)
J = TypeVar("J")


# ---------------------------------------------------------------- one trial: a method on every problem


def solve_all(
    jobs: Sequence[Job], lms: LMs, *, budget: tot.Budget | None = None, show: bool = False
) -> list[Solution]:
    """All jobs at once, in one merged batch; solutions in the jobs' order. ``budget``: of each job. ``show``: a
    progress line. Raises LMError if a model fails.
    """
    models = Roles.of(lms)
    runs = [job.start(models, budget) for job in jobs]
    job_of = dict(zip(map(id, runs), jobs, strict=True))
    solutions: dict[int, Solution] = {}
    bar = Progress(len(jobs), show=show)
    try:
        for run in run_many(runs, at_once=len(runs)):
            if run.error:
                raise tot.LMError(run.error)
            solutions[id(run)] = job_of[id(run)].finish(run)
            if show:
                bar.finished(solutions[id(run)].to_dict())
    finally:
        bar.close()
    return [solutions[id(run)] for run in runs]


def side_by_side(kinds: Mapping[str, Sequence[Job]], lms: LMs) -> dict[str, list[Solution]]:
    """The solutions of each kind of jobs, all asked together, with a progress line."""
    flat = iter(solve_all([job for jobs in kinds.values() for job in jobs], lms, show=True))
    return {name: list(islice(flat, len(jobs))) for name, jobs in kinds.items()}


def play(
    problems: Sequence[Problem], method: str, lms: LMs, *, task: Task = GAME, shift: int = 0, **knobs: Any
) -> list[Solution]:
    """A method on every problem. Where two puzzles ask the same question they get samples of their own, so puzzles can
    be drawn anew as independent units; ``shift``: other ones in another trial. Raises LMError if a player fails.
    """
    how = tot.method(method)
    jobs = [Job(task, p, how, {"first": OWN * i + shift, **knobs}) for i, p in enumerate(problems)]
    return solve_all(jobs, lms)


def solved(runs: Sequence[Solution]) -> list[int]:
    """0 or 1 for each problem, by the answers that the method chose."""
    return [int(run.chosen) for run in runs]


def written(runs: Sequence[Solution]) -> list[int]:
    """Tokens written for each problem, all its samples together."""
    return [run.result.ledger.total.completion_tokens for run in runs]


def answers(runs: Sequence[Solution], task: Any) -> Line:
    """The samples' answers as numbers, in the order of drawing, so that any beginning of them can vote: equal ones have
    equal numbers, -1 is none. ``right`` lists the right numbers of each problem.
    """
    said, right = [], []
    for run in runs:
        forms = [None if answer is None else task.same(answer) for answer in run.answers]
        number = {form: i for i, form in enumerate(dict.fromkeys(form for form in forms if form is not None))}
        said.append([-1 if form is None else number[form] for form in forms])
        pairs = zip(forms, run.scores, strict=True)
        right.append(sorted({number[form] for form, score in pairs if form is not None and score.correct}))
    return {"answers": said, "right": right}


# ---------------------------------------------------------------- many trials


def trials(
    todo: Mapping[K, J],
    play: Callable[[J], Line],
    file: Path,
    key: Callable[[Line], K],
    *,
    same: Mapping[str, Any] | None = None,
    together: Callable[[J], Hashable] | None = None,
    workers: int = 0,
) -> dict[K, Line]:
    """Key -> line of all trials: those that ``file`` has already are not played again.

    ``key``: of a line. ``same``: what each line says, such as the weights that played; with a mapping a line that is
    there must agree on what both name.
    ``workers``: so many processes, to which ``play`` is sent; 0: here. ``together``: trials for which it is equal are
    one process's, one after the other, since they share samples.

    Raises SystemExit after Ctrl-C, with all that is finished kept, and if ``file`` is about something else.
    """
    with Appender(file) as out:  # lock first, then read: nobody writes in between
        lines = {key(line): line for _, line in read_lines(file)} if file.exists() else {}
        for line in lines.values():
            for name, value in (same or {}).items():
                if not _agree(line.get(name, value), value):
                    raise SystemExit(f"{file} has other {name} ({line[name]}): name another file or remove it")
        left, code = {k: job for k, job in todo.items() if k not in lines}, _code()
        print(f"{len(lines)} lines are there, {len(left)} to play", flush=True)
        if others := sum(line.get("code", code) != code for line in lines.values()):
            print(f"{others} of the lines were played by other code: remove {file} to play them anew", flush=True)
        started = time.monotonic()
        try:
            for i, one in enumerate(_played(left, play, together, workers), 1):
                line = lines[key(one)] = {**one, **(same or {}), "code": code}
                out.write(line)
                spent = time.monotonic() - started
                rest = spent / i * (len(left) - i)
                print(f"{i}/{len(left)}  {key(line)}  ({spent:.0f} s, about {rest:.0f} s left)", flush=True)
        except KeyboardInterrupt:
            raise SystemExit("stopped; every finished trial is kept: the same command goes on") from None
    return {k: {name: value for name, value in lines[k].items() if name != "code"} for k in todo}


def _code() -> str:
    """A digest of the code that can play a trial."""
    root = Path(__file__).resolve().parents[1]
    every = [path for folder in ("tot", "treebook", "studies") for path in (root / folder).rglob("*.*")]
    parts = (path.read_bytes() for path in sorted(every) if path.suffix in (".py", ".toml"))
    return sha256(b"".join(parts)).hexdigest()[:8]


def _agree(a: Any, b: Any) -> bool:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return all(a[name] == b[name] for name in a.keys() & b.keys())
    return bool(a == b)


def _played(
    left: Mapping[K, J], play: Callable[[J], Line], together: Callable[[J], Hashable] | None, workers: int
) -> Iterator[Line]:
    if not workers:
        yield from map(play, left.values())
        return
    groups: dict[Hashable, list[J]] = {}
    for k, job in left.items():
        groups.setdefault(together(job) if together else k, []).append(job)
    pool = processes(workers)
    try:
        for done in as_completed([pool.submit(_each, play, group) for group in groups.values()]):
            yield from done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _each(play: Callable[[J], Line], group: Sequence[J]) -> list[Line]:
    return [play(job) for job in group]


def processes(workers: int) -> ProcessPoolExecutor:
    """Worker processes that Ctrl-C ends without a word: the one that started them says what is kept. If that one is
    killed, they end.
    """
    return ProcessPoolExecutor(workers, mp.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_ends_with, args=(mp.parent_process(),), daemon=True).start()


def _ends_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


# ---------------------------------------------------------------- players


class Remembering(LM):
    """Asks ``lm`` for each sample once and remembers it: trials ask the same questions again and again.

    Replies are billed as if asked (``Reply.asked``), like a replay.
    """

    batched = True

    def __init__(self, lm: Any) -> None:
        self.lm, self.name, self.weights = lm, lm.name, lm.weights
        self._known: dict[tuple[str, int], tuple[Sample, int]] = {}

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        keys = [request.key(self.name) for request in requests]
        new = {
            (key, index): request.samples(index, 1)
            for key, request in zip(keys, requests, strict=True)
            for index in request.indices
            if (key, index) not in self._known
        }
        for at, reply in zip(new, self.lm(list(new.values())), strict=True):
            self._known[at] = reply.samples[0], reply.asked.prompt_tokens
        return [self._reply(key, request) for key, request in zip(keys, requests, strict=True)]

    def _reply(self, key: str, request: Request) -> Reply:
        known = [self._known[key, index] for index in request.indices]
        samples = tuple(sample for sample, _ in known)
        tokens = sum(sample.completion_tokens for sample in samples)
        return Reply(samples, Usage(1, len(samples), known[0][1], tokens))


class Spread(LM):
    """The pocket model with these weights in several processes, each of which draws a part of every batch. The samples
    are the same. To be used in a ``with``, which ends the processes.
    """

    batched = True

    def __init__(self, weights: Path, workers: int) -> None:
        one = Pocket(weights=weights)
        self.name, self.weights = one.name, one.weights
        self._file, self._workers, self._pool = weights, workers, processes(workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        parts = [requests[i :: self._workers] for i in range(self._workers)]
        said = [iter(part) for part in self._pool.map(partial(_asked, self._file), parts)]
        return [next(said[i % self._workers]) for i in range(len(requests))]


@lru_cache(1)
def _pocket(weights: Path) -> Pocket:
    return Pocket(weights=weights)


def _asked(weights: Path, requests: Sequence[Request]) -> list[Reply]:
    return _pocket(weights)(requests)


class Program(LM):
    """A player without a model: ``say`` gives the samples of each request. It costs no tokens."""

    batched, unpriced = True, False

    def __init__(self, name: str, say: Callable[[Sequence[Request]], Sequence[Sequence[str]]]) -> None:
        self.name, self.say = name, say

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        said = zip(requests, self.say(requests), strict=True)
        return [Reply(tuple(map(Sample, texts)), Usage(1, request.n)) for request, texts in said]
