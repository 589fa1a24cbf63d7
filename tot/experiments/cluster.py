"""Sweeps on a Dask cluster. A job (problem x method x model) is a task; only this process writes results and cassettes.

Workers open the models themselves, by name, with the keys in their own environment (see ``worker``). New samples come
here through the scheduler (see ``board``) as they are heard, and are written before the result that rests on them. So a
worker that is killed costs the jobs that it was doing, which others do again; if this process is killed, the same call
continues where it stopped.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

import cloudpickle
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.utils import LoopRunner

from ..budget import Budget
from ..lm.base import LM, TOOL, LMError
from ..lm.cassette import Cassette
from ..lm.roles import LMs, Roles
from ..methods import METHODS
from ..solution import Job
from ..tasks import TASKS
from ..tasks.base import Task
from .board import Board
from .worker import Desk, Model, Order, work

POLL = 0.5  # seconds between looks at the board
CONNECT = 10  # seconds to wait for a scheduler
ALONE = 60  # seconds to wait for the first worker, and for one to come back
BATCH = 1000  # jobs that are sent in one message


@contextmanager
def connect(where: str) -> Iterator[Client]:
    """A client of a cluster: "auto" starts one on this machine, a process for each core ("4": four processes), and ends
    it with the block; "tcp://HOST:8786" is the scheduler of any other.

    Raises ValueError for text that is neither, LMError if nobody answers there.
    """
    if where == "auto" or where.isdecimal():
        with _local(int(where) if where.isdecimal() else None) as client:
            yield client
        return
    if "://" not in where:
        raise ValueError(f"cannot read {where!r}: write auto, a number of processes, or tcp://HOST:8786")
    try:
        client = Client(where, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        raise LMError(f"no Dask scheduler answers at {where}: start one with `dask scheduler`") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=ALONE)
        except TimeoutError as error:
            raise LMError(f"{where} has no worker: start some with `dask worker {where}`") from error
        yield client


@contextmanager
def _local(processes: int | None) -> Iterator[Client]:
    import logging

    resource_tracker.ensure_running()  # it is started with the first worker otherwise, and then lets Ctrl-C in again
    loop = LoopRunner()
    with _deaf():
        loop.start()
    quiet = {
        "dashboard_address": None,
        "silence_logs": logging.CRITICAL,
    }  # of a worker that dies: its jobs are done again
    try:
        with (
            LocalCluster(n_workers=processes or _cores(), threads_per_worker=1, loop=loop.loop, **quiet) as cluster,
            Client(cluster) as client,
        ):
            yield client
    finally:
        loop.stop()


@contextmanager
def _deaf() -> Iterator[None]:
    """Threads that start here do not hear Ctrl-C, nor do the workers that they start: only this process answers it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def answers(
    client: Client, jobs: Mapping[str, Job], lms: LMs, budget: Budget | None, at_once: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the jobs on the cluster; yield the key of each with its results line as it ends. New samples are in the
    cassettes by then.

    ``at_once``: jobs in progress at each worker; one for a model that computes where it is. Raises ValueError for a
    model that cannot travel, LMError if the cluster is lost.
    """
    roles = Roles.of(lms)
    models = list({id(lm): lm for lm in roles.models.values()}.values())
    travelling = {id(lm): _travelling(i, lm, roles) for i, lm in enumerate(models)}
    tasks = list({id(job.task): job.task for job in jobs.values()}.values())
    places = {id(each): i for i, each in enumerate(tasks)}
    sweep = uuid4().hex[:12]
    tapes = {number: lm for number, lm in enumerate(models) if isinstance(lm, Cassette)}
    held = {
        f"{number} {key} {index}": pickle.dumps(sample)
        for number, tape in tapes.items()
        for (key, index), sample in tape.tape.samples.items()
    }
    by_role = {role: travelling[id(lm)] for role, lm in roles.models.items()}
    seats = 1 if roles.batched else at_once
    desk = Desk(sweep, by_role, [_named(each) for each in tasks], roles.name, budget, seats)
    orders = [Order(places[id(j.task)], j.problem, _known(j), dict(j.params)) for j in jobs.values()]
    ended: SimpleQueue[Future[Any]] = SimpleQueue()
    written = 0
    with _lost(client):
        client.register_plugin(Board(sweep, client.id, held))
        try:
            client.register_plugin(desk)
            waiting: dict[str, str] = {}
            futures = []
            for start in range(0, len(orders), BATCH):
                names = [f"tot-{sweep}-{i:09}" for i in range(start, min(start + BATCH, len(orders)))]
                batch = client.map(work, orders[start : start + BATCH], sweep=sweep, key=names, pure=False)
                waiting |= dict(zip(names, list(jobs)[start : start + BATCH], strict=True))
                futures += batch
                for future in batch:
                    future.add_done_callback(ended.put)
            alone_since = time.monotonic()
            while waiting:
                done = _some(ended)
                if done or client.nthreads():
                    alone_since = time.monotonic()
                elif time.monotonic() - alone_since > ALONE:
                    raise LMError("the cluster has no workers left: start some, and run the same command again")
                lines = _lines(client, done)
                for entry in client.sync(getattr(client.scheduler, f"tot-board-{sweep}-news"), since=written):
                    number, request, reply, about = pickle.loads(entry)
                    tapes[number].record(request, reply, about)
                    written += 1
                for name, line in lines.items():
                    key = waiting.pop(name)
                    yield key, line if isinstance(line, dict) else _failed(jobs[key], line, roles.name)
                if client.status != "running":
                    raise OSError
        finally:
            with suppress(Exception):  # the cluster may be gone
                client.sync(getattr(client.scheduler, f"tot-board-{sweep}-leave"), callback_timeout=2)
                client.cancel(futures, force=True)


@contextmanager
def _lost(client: Client) -> Iterator[None]:
    address = client.scheduler.address if client.scheduler else "?"
    try:
        yield
    except ImportError as error:
        raise LMError(
            f"the cluster at {address} has no {error.name}: install there what is installed here, also at the scheduler"
        ) from error
    except OSError as error:
        raise LMError(f"the cluster at {address} was lost: start it and run the same command again") from error


def _some(ended: SimpleQueue[Future[Any]]) -> list[Future[Any]]:
    """All that have ended; waits at most ``POLL`` seconds for the first."""
    with suppress(Empty):
        found = [ended.get(timeout=POLL)]
        while True:
            try:
                found.append(ended.get_nowait())
            except Empty:
                return found
    return []


def _lines(client: Client, done: list[Future[Any]]) -> dict[str, dict[str, Any] | str]:
    """The results lines of finished tasks by name; for a job at which workers died, what to say of it."""
    good = [future for future in done if future.status == "finished"]
    found: dict[str, dict[str, Any] | str] = {}
    found |= zip([str(future.key) for future in good], client.gather(good), strict=True)
    for future in done:
        if future.status == "finished":
            continue
        if future.status != "error":  # cancelled or lost: by nobody here
            raise OSError
        error = future.exception()
        if not isinstance(error, KilledWorker):
            raise error
        found[str(future.key)] = "the workers that ran it died, again and again: look at their logs and their memory"
    return found


def _failed(job: Job, why: str, lm: str) -> dict[str, Any]:
    run = job.start()
    run.fail(LMError(why))
    return job.finish(run, lm).to_dict()


# -------------------------------------------------------------------- what travels


def _travelling(number: int, lm: LM, roles: Roles) -> Model:
    """The model by its name. Raises ValueError if it holds a secret, or is nothing that a worker could open."""
    recorded, live = isinstance(lm, Cassette), lm.live if isinstance(lm, Cassette) else lm
    if live is None:
        raise ValueError(f"on a cluster every model must be live, and {lm.name} is a replay: run it without a cluster")
    if roles.models.get(TOOL) is lm:
        return Model(number, "", {}, recorded)
    if live.opened is None:
        raise ValueError(f"workers cannot make {live.name} themselves: open it with tot.lm.opening.open")
    spec, settings = live.opened[0], dict(live.opened[1])
    if isinstance(prices := settings.get("prices"), str | Path):
        settings["prices"] = json.loads(Path(prices).read_text(encoding="utf-8"))
    if settings.get("api_key") is not None:
        raise ValueError("a key does not travel: leave out api_key and set OPENAI_API_KEY where the workers start")
    if url := settings.get("base_url"):
        from ..lm.wire import secrets

        if secrets(url):
            raise ValueError(
                "the base URL holds a secret, which does not travel: leave it out, and set OPENAI_BASE_URL where the"
                " workers start"
            )
    try:
        json.dumps(settings)
    except TypeError as error:
        raise ValueError(f"a setting of {spec} cannot be sent to workers: {error}") from error
    return Model(number, spec, settings, recorded)


def _named(the_task: Task) -> Task | str:
    """The task as it travels: itself, or its name if it is a bundled one that holds locks and loaded files."""
    try:
        cloudpickle.dumps(the_task)
    except Exception as error:
        if type(the_task) is TASKS.get(the_task.name):
            return the_task.name
        raise ValueError(f"the task {the_task.name} cannot be sent to workers: {error}") from error
    return the_task


def _known(job: Job) -> Any:
    """The method's name if it is a bundled one, else the method."""
    return job.method.name if METHODS.get(job.method.name) is job.method else job.method
