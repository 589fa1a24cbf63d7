"""What happens at a worker of a cluster: one job a task, with models that the worker has opened itself."""

import pickle
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from distributed import Worker, WorkerPlugin, secede
from distributed.utils import sync
from distributed.worker import get_worker

from tot.budget import Budget
from tot.lm.base import LM, LMError, Price, Reply, Request, Usage
from tot.lm.cassette import Cassette
from tot.lm.opening import open as open_lm
from tot.lm.roles import Roles
from tot.lm.tape import Place
from tot.methods import Method, method
from tot.runner import run_one
from tot.solution import Job
from tot.tasks.base import Problem, Task, ToolUsing

STOP = "stop"  # a place of the exchange: where something is, no job begins


@dataclass(frozen=True)
class Model:
    """A model as it travels: ``spec`` and ``settings`` are for ``tot.lm.open``; "" stands for the task's tools.

    ``number`` tells the models of a sweep apart; ``recorded``: the replies go into a cassette, and what that knows of
    prices and of who answered (see ``Cassette``) is sent along.
    """

    number: int
    spec: str
    settings: Mapping[str, Any]
    recorded: bool
    price: Price = ()
    otherwise: Price = ()
    served: str = ""


@dataclass(frozen=True)
class Order:
    """A ``Job`` as it travels: its number, that of its task at the desk, the method or its name, and the rest."""

    number: int
    task: int
    problem: Problem
    method: str | Method
    params: Mapping[str, Any]
    earlier: Usage


@dataclass(frozen=True)
class Heard:
    """New samples, for the client to write down: the model's number, the request, the reply, what the model says of
    itself.
    """

    model: int
    request: Request
    reply: Reply
    about: dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """The results line of a job (see ``Solution.to_dict``), for the client to write down."""

    job: int
    line: dict[str, Any]


@dataclass(eq=False)
class Desk(WorkerPlugin):
    """What a worker keeps for the jobs of one sweep: its models, opened once, and seats for ``at_once`` jobs.

    ``roles`` maps roles to models; ``tasks`` are pickled tasks or the names of bundled ones; ``lm`` and
    ``settings`` are what the results say of the models.
    """

    sweep: str
    roles: Mapping[str, Model]
    tasks: Sequence[bytes]
    lm: str
    settings: Mapping[str, Any]
    budget: Budget | None
    at_once: int

    @property
    def name(self) -> str:
        """What Dask knows it by."""
        return f"tot-desk-{self.sweep}"

    def setup(self, worker: Worker) -> None:
        """Called by Dask at each worker, also at those that come later."""
        self._worker = worker
        self._lock, self._seats = threading.Lock(), threading.Semaphore(self.at_once)
        self._live: dict[int, LM] = {}
        self._about: dict[int, dict[str, Any]] = {}
        self.made: list[Task] = [*map(pickle.loads, self.tasks)]
        self._over = False

    def teardown(self, worker: Worker) -> None:
        """Called by Dask when the sweep has ended: calls in progress are given up, servers of tools ended."""
        self._over = True
        for lm in list(self._live.values()):
            lm.cancel()
        for made in self.made:
            if isinstance(made, ToolUsing):
                made.tools.close()

    def trade(self, **what: Any) -> dict[str, bytes]:
        """``Exchange.trade``, from any thread. Raises OSError if the scheduler has gone."""
        call = getattr(self._worker.scheduler, f"tot-exchange-{self.sweep}-trade")
        found: dict[str, bytes] = sync(self._worker.loop, call, **what)
        return found

    @contextmanager
    def seat(self) -> Iterator[None]:
        """Waits for its turn; then Dask's thread is free for the next job, which waits here."""
        with self._seats:
            if self._over:
                raise LMError("the sweep has ended")
            if self.at_once > 1:
                secede()
            yield

    def models(self, job: Job) -> Roles:
        """The models for one job."""
        made: dict[int, LM] = {}
        for model in self.roles.values():
            if model.number not in made:
                live = self.live(model, job.task)
                made[model.number] = Shared(live, self, model) if model.recorded else live
        return Roles.of({role: made[model.number] for role, model in self.roles.items()})

    def live(self, model: Model, the_task: Task) -> LM:
        """The model itself, opened for the first job that needs it."""
        if not model.spec:
            assert isinstance(the_task, ToolUsing)
            return the_task.tools
        with self._lock:
            if model.number not in self._live:
                try:
                    self._live[model.number] = open_lm(model.spec, **model.settings)
                except ValueError as error:
                    raise LMError(f"a worker cannot open {model.spec}: {error}") from error
            return self._live[model.number]

    def about(self, model: Model, live: LM) -> dict[str, Any]:
        """What the model says of itself, asked once."""
        with self._lock:
            if model.number not in self._about:
                self._about[model.number] = live.describe()
            return self._about[model.number]


class Shared(Cassette):
    """One job's view of a model that is recorded: samples that the exchange has are taken from there, new ones offered.

    Where another job was quicker, its text is taken, so that a replay of the cassette finds the same tree.
    """

    def __init__(self, live: LM, desk: Desk, model: Model) -> None:
        super().__init__(None, live)
        self._desk, self._model, self._speaker = desk, model, live
        self.price, self.otherwise, self.served = model.price, model.otherwise, self.served or model.served
        self._looked_up: set[Place] = set()

    def _missing(self, keys: Sequence[str], requests: Sequence[Request]) -> list[Place]:
        missing = super()._missing(keys, requests)
        if unknown := [place for place in missing if place not in self._looked_up]:
            self._looked_up.update(unknown)
            found = self._desk.trade(wanted=[*map(self._name, unknown), self._who])
            self._take(found, unknown)
            self.served = self.served or found.get(self._who, b"").decode()
            missing = super()._missing(keys, requests)
        return missing

    def record(self, request: Request, reply: Reply, about: dict[str, Any] | None = None) -> None:
        super().record(request, reply, {})
        key = self.applied(request).key(self.name)
        places = [(key, i) for i in range(request.first, request.first + len(reply.samples))]
        heard = Heard(self._model.number, request, reply, self._desk.about(self._model, self._speaker))
        offered = {self._name(place): pickle.dumps(self.tape.samples[place]) for place in places}
        offered |= {self._who: self.served.encode()} if self.served else {}  # for jobs that ask nothing
        self._take(self._desk.trade(offered=offered, entries=[pickle.dumps(heard)]), places)

    @property
    def _who(self) -> str:
        return f"{self._model.number} served"

    def _name(self, place: Place) -> str:
        return f"{self._model.number} {place[0]} {place[1]}"

    def _take(self, found: Mapping[str, bytes], places: Sequence[Place]) -> None:
        for place in places:
            if content := found.get(self._name(place)):
                self.tape.samples[place] = pickle.loads(content)


def work(order: Order, sweep: str) -> None:
    """A task of Dask's: a job, run to its end. Its results line goes to the exchange after all samples that it used.

    If it cannot begin, or ``NoMore`` ends it, nothing new begins at any worker: what does not has an empty line.
    """
    desk = get_worker().plugins[f"tot-desk-{sweep}"]
    assert isinstance(desk, Desk)
    with desk.seat():
        if desk.trade(wanted=[STOP]):
            desk.trade(entries=[pickle.dumps(Ended(order.number, {}))])
            return
        try:
            line = _line(desk, order)
        except Exception:
            desk.trade(offered={STOP: b""})
            raise
        desk.trade(entries=[pickle.dumps(Ended(order.number, line))])


def _line(desk: Desk, order: Order) -> dict[str, Any]:
    the_task, recipe = desk.made[order.task], order.method
    recipe = method(recipe) if isinstance(recipe, str) else recipe
    job = Job(the_task, order.problem, recipe, order.params, order.earlier)
    try:
        run = job.start(desk.models(job), desk.budget)
        run.alone = True
        run_one(run)
    except LMError as error:  # a model cannot be opened here
        run = job.start({}, desk.budget)
        run.fail(error)
    known = {"lm": desk.lm} | ({"settings": dict(desk.settings)} if desk.settings else {})
    return job.line(run) | known
