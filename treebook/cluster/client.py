"""Sweeps on a Dask cluster. A job (problem x method x model) is a task; only this process writes results and cassettes.

Workers open the models themselves, by name, with the keys in their own environment (see ``worker``). New samples come
here through the scheduler (see ``exchange``) as they are heard, and are written before the result that rests on them.
So a worker that is killed costs the jobs that it was doing, which others do again; if this process is killed, the same
call continues where it stopped.
"""

import json
import pickle
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

import cloudpickle
from distributed import Client, Future, KilledWorker, Security

from tot.budget import Budget
from tot.jsonlines import FileTrouble
from tot.lm.base import LM, TOOL, LMError
from tot.lm.cassette import Cassette
from tot.lm.roles import LMs, Roles
from tot.lm.wire import secrets
from tot.methods import METHODS
from tot.solution import Job
from tot.tasks.base import Task
from tot.tasks.open_questions import OpenQuestions

from .exchange import Exchange
from .local import local
from .worker import STOP, Desk, Heard, Model, Order, work

POLL = 0.5  # seconds between looks at the exchange
CONNECT = 10  # seconds to wait for a scheduler
ALONE = 60  # seconds to wait for the first worker, and for one to come back
PROCESSES = 256  # most of a cluster on this machine; each takes some 100 MB
BATCH = 1000  # jobs that are sent in one message


class Cluster(Client):
    """A client of Dask's that runs the jobs of ``run_experiment`` (see ``running.Cluster``): ``Cluster(address)``."""

    sweep = ""  # of the last ``answers``

    def answers(
        self, jobs: Mapping[str, Job], lms: LMs, budget: Budget | None, at_once: int
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Run the jobs on the cluster; yield the key of each with its results line as it ends. New samples are in the
        cassettes by then.

        ``at_once``: jobs in progress at each worker; one for a model that computes where it is. Raises ValueError for a
        model that cannot travel, LMError if the cluster is lost.
        """
        roles = Roles.of(lms)
        by_role = packed(roles)
        tapes = {by_role[role].number: lm for role, lm in roles.models.items() if isinstance(lm, Cassette)}
        tasks = list({id(job.task): job.task for job in jobs.values()}.values())
        places = {id(each): i for i, each in enumerate(tasks)}
        self.sweep = sweep = uuid4().hex[:12]
        held = {
            f"{number} {key} {index}": pickle.dumps(sample)
            for number, tape in tapes.items()
            for (key, index), sample in tape.tape.samples.items()
        }
        seats = 1 if roles.batched else at_once
        desk = Desk(sweep, by_role, [_named(each) for each in tasks], roles.name, roles.settings, budget, seats)
        orders = [
            Order(i, places[id(job.task)], job.problem, _known(job), dict(job.params), job.earlier)
            for i, job in enumerate(jobs.values())
        ]
        waiting = dict(enumerate(jobs))
        changed: SimpleQueue[Future[Any]] = SimpleQueue()
        futures: list[Future[Any]] = []
        read, bugs = 0, list[Exception]()  # of one's own code: what is in flight ends before the first is raised
        with _lost(self):
            self.register_plugin(Exchange(sweep, self.id, held))
            try:
                self.register_plugin(desk)
                for start in range(0, len(orders), BATCH):
                    batch = orders[start : start + BATCH]
                    names = [f"tot-{sweep}-{order.number:09}" for order in batch]
                    futures += self.map(work, batch, sweep=sweep, key=names, pure=False)
                for future in futures:
                    future.add_done_callback(changed.put)
                seen = time.monotonic()
                while waiting:
                    lines: dict[int, dict[str, Any] | None] = dict(_deaths(_some(changed), futures, bugs))
                    entries, workers = _news(self, sweep, read)
                    seen = time.monotonic() if workers else seen
                    if time.monotonic() - seen > ALONE:
                        raise LMError("the cluster has no workers left: start some, and run the same command again")
                    lines |= _written(entries, tapes)
                    read += len(entries)
                    for number in lines.keys() & waiting.keys():  # a worker may die between its line and its end
                        key, line = waiting.pop(number), lines[number]
                        if line != {}:
                            yield key, line or _failed(jobs[key], roles)
            except GeneratorExit:
                waiting.clear()  # nobody reads on
                raise
            finally:
                last: dict[int, dict[str, Any] | None] = {}
                if self.status == "running":
                    with suppress(Exception):  # the cluster may be gone
                        last = _written(_call(self, sweep, "leave", since=read), tapes)  # what was paid until now
                        self.cancel(futures, force=True)  # type: ignore[no-untyped-call]
                yield from ((waiting[number], line) for number, line in last.items() if number in waiting and line)
        if bugs:
            raise bugs[0]

    def stop(self) -> None:
        """Begin no more jobs: ``answers`` ends with those that are in flight."""
        with suppress(Exception):  # the cluster may be gone
            _call(self, self.sweep, "trade", offered={STOP: b""})


@contextmanager
def connect(where: str) -> Iterator[Cluster]:
    """A cluster for ``run_experiment``: "auto" starts one on this machine, a process for each core ("4": four
    processes), and ends it with the block; "tls://HOST:8786" is the scheduler of any other, which knows us by the
    certificate in Dask's configuration.

    Raises ValueError for text that is neither, for a scheduler that would listen to anybody, and for no processes or
    too many; ImportError without ``cryptography``; LMError if nobody answers there, or none can be started.
    """
    if where == "auto" or where.isdecimal():
        if where != "auto" and not (len(where) < 9 and 1 <= int(where) <= PROCESSES):
            raise ValueError(f"cannot start {where} processes: write auto, or a number from 1 to {PROCESSES}")
        with local(int(where) if where.isdecimal() else None) as cluster, Cluster(cluster) as client:  # type: ignore[no-untyped-call]
            yield client
        return
    if "://" not in where:
        raise ValueError(f"cannot read {where!r}: write auto, a number of processes, or tls://HOST:8786")
    if not where.startswith("tls://") or not Security().get_tls_config_for_role("client")["cert"]:
        raise ValueError(
            f"{where} would let anybody who reaches it run code as you: start it with certificates, and name them here"
            " as book/manual/clusters.md says (tls://HOST:8786)"
        )
    try:
        client = Cluster(where, timeout=CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise LMError(f"no Dask scheduler answers at {where}: start one with `dask scheduler`") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=ALONE)
        except TimeoutError as error:
            raise LMError(f"{where} has no worker: start some with `dask worker {where}`") from error
        yield client


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
        start = "" if client.cluster else "start it and "  # ours starts with the command
        raise LMError(f"the cluster at {address} was lost: {start}run the same command again") from error


def _news(client: Client, sweep: str, since: int) -> tuple[list[bytes], int]:
    """``Exchange.news``. Raises OSError if the cluster is lost."""
    while client.status == "running":
        with suppress(TimeoutError):  # a scheduler may have much to do
            entries, workers = _call(client, sweep, "news", since=since)
            return entries, workers
    raise OSError


def _call(client: Client, sweep: str, name: str, **what: Any) -> Any:
    """A method of the ``Exchange``. Raises TimeoutError, or what says that the cluster is lost."""
    return client.sync(getattr(client.scheduler, f"tot-exchange-{sweep}-{name}"), **what, callback_timeout=CONNECT)


def _written(entries: Sequence[bytes], tapes: Mapping[int, Cassette]) -> dict[int, dict[str, Any] | None]:
    """Writes the new samples among the entries down; the results lines among them, by the numbers of their jobs."""
    lines: dict[int, dict[str, Any] | None] = {}
    trouble: list[FileTrouble] = []  # of a recording that is gone: the rest is saved beside it, too
    for entry in map(pickle.loads, entries):
        if isinstance(entry, Heard):
            try:
                tapes[entry.model].record(entry.request, entry.reply, entry.about)
            except FileTrouble as error:
                trouble.append(error)
        else:
            lines[entry.job] = entry.line
    if trouble:
        raise trouble[0]
    return lines


def _some(changed: SimpleQueue[Future[Any]]) -> list[Future[Any]]:
    """All that have ended; waits at most ``POLL`` seconds for the first."""
    found = []
    with suppress(Empty):
        found.append(changed.get(timeout=POLL))
        while True:
            found.append(changed.get_nowait())
    return found


def _deaths(
    changed: Sequence[Future[Any]], futures: Sequence[Future[Any]], bugs: list[Exception]
) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The numbers of the jobs at which workers died, again and again; with {} of those in which something raised, which
    goes to the ``bugs``.
    """
    for future in changed:
        if future.status == "error":
            error = future.exception()
            killed = isinstance(error, KilledWorker)
            bugs += [] if killed else [error]
            yield futures.index(future), None if killed else {}
        elif future.status != "finished":  # cancelled or lost: by nobody here
            raise OSError


def _failed(job: Job, lms: Roles) -> dict[str, Any]:
    run = job.start(lms)
    run.fail(LMError("the workers that ran it died, again and again: look at their logs and their memory"))
    return job.line(run)


# -------------------------------------------------------------------- what travels


def packed(lms: LMs) -> dict[str, Model]:
    """The model of each role as it travels. Raises ValueError if one holds a secret, or if no worker could open it."""
    roles = Roles.of(lms)
    numbers = {id(lm): i for i, lm in enumerate({id(lm): lm for lm in roles.models.values()}.values())}
    return {role: _packed(numbers[id(lm)], lm, role) for role, lm in roles.models.items()}


def _packed(number: int, lm: LM, role: str) -> Model:
    recorded, live = isinstance(lm, Cassette), lm.live if isinstance(lm, Cassette) else lm
    if live is None:
        raise ValueError(f"on a cluster every model must be live, and {lm.name} is a replay: run it without a cluster")
    known = (lm.price, lm.otherwise, lm.served) if isinstance(lm, Cassette) else ()
    if role == TOOL:
        return Model(number, "", {}, recorded, *known)
    if live.opened is None:
        raise ValueError(f"workers cannot make {live.name} themselves: open it with tot.lm.opening.open")
    spec, settings = live.opened[0], dict(live.opened[1])
    if isinstance(prices := settings.get("prices"), str | Path):
        settings["prices"] = json.loads(Path(prices).read_text(encoding="utf-8"))
    if settings.get("api_key") is not None:
        raise ValueError("a key does not travel: leave out api_key and set OPENAI_API_KEY where the workers start")
    if secrets(settings.get("base_url") or ""):
        raise ValueError(
            "the base URL holds a secret, which does not travel: leave it out, and set OPENAI_BASE_URL where the"
            " workers start"
        )
    try:
        json.dumps(settings)
    except TypeError as error:
        raise ValueError(f"a setting of {spec} cannot be sent to workers: {error}") from error
    return Model(number, spec, settings, recorded, *known)


def _named(the_task: Task) -> bytes:
    """The task as it travels, pickled. Raises ValueError for one that cannot be, or whose tools may write: each job
    makes its calls itself, where in one process an equal call of another problem is waited for.
    """
    if isinstance(the_task, OpenQuestions) and the_task.writes:
        names = ", ".join(the_task.writes)
        raise ValueError(f"on a cluster each job would write anew ({names}): run it without, or allow no writes")
    module = type(the_task).__module__
    if module.startswith("own_") and module in sys.modules:  # of a file of the user's: see ``tot.tasks.own``
        cloudpickle.register_pickle_by_value(sys.modules[module])
    if isinstance(the_task, OpenQuestions) and isinstance(tape := the_task.tools, Cassette):
        _, the_task = the_task.known, copy(the_task)  # the list is asked for, and recorded, here
        the_task.tools = tape.live or tape  # each worker starts servers of its own
    try:
        return bytes(cloudpickle.dumps(the_task))
    except Exception as error:
        raise ValueError(f"the task {the_task.name} cannot be sent to workers: {error}") from error


def _known(job: Job) -> Any:
    """The method's name if it is a bundled one, else the method."""
    return job.method.name if METHODS.get(job.method.name) is job.method else job.method
