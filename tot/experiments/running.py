"""Methods x problems x models -> a results file that survives Ctrl-C and kill.

The file has one JSON line for each problem, written when the problem is done. ``results`` says what a line is about and
sums lines up; ``pending`` finds what is still to run. A line with an "error" is a problem on which a call failed: the
next run tries it again.
"""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from ..budget import Budget
from ..jsonlines import Appender, FileTrouble
from ..lm.base import Usage
from ..lm.cassette import Cassette
from ..lm.roles import LMs, Roles
from ..methods import Method, method
from ..runner import Run, run_many
from ..solution import Job, refuse_bad_verifier
from ..tasks.base import Problem, Task
from .pending import Pending, Source, wanted
from .progress import Progress
from .results import Line, failed, read_results
from .unmeasured import only_thought

Named = str | Method | tuple[str | Method, Mapping[str, Any]]  # a method or its name, with knobs or without


class Cluster(Protocol):
    """Runs jobs elsewhere, for ``run_experiment``; ``treebook.cluster.client`` has one for Dask."""

    def answers(
        self, jobs: Mapping[str, Job], lms: LMs, budget: Budget | None, at_once: int
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Run the jobs, ``at_once`` at each worker; yield each one's key and ``Solution.to_dict``.

        New samples are in the models' cassettes by then. Raises ValueError for a model that workers cannot open,
        LMError if the cluster is lost. A cluster with a method ``stop()`` is told by it to begin no more of the jobs.
        """
        ...


Opener = Callable[[Roles], AbstractContextManager[Cluster]]  # the value of a flag of `tot run` whose dest is "cluster"


def grid(task: Task, methods: Iterable[Named], problems: Iterable[Problem]) -> list[Job]:
    """Every method on every problem.

    A method is a name, a ``Method``, or a pair of one of these and its knobs: ``("tot-bfs", {"breadth": 1})``.

    Raises ValueError for an unknown method or knob, and for a method that needs what this task does not have.
    """
    jobs = []
    problems = list(problems)
    for named in methods:
        name, params = named if isinstance(named, tuple) else (named, {})
        recipe = method(name) if isinstance(name, str) else name
        jobs += [Job(task, problem, recipe, dict(params)) for problem in problems]
        if problems:
            jobs[-1].search()  # a wrong knob fails here, not after an hour
    return jobs


def run_experiment(
    jobs: Iterable[Job],
    lms: LMs | Sequence[LMs],
    *,
    out: str | Path,
    budget: Budget | None = None,
    at_once: int = 64,
    progress: bool = True,
    patience: int = 10,
    again: bool = False,
    cluster: Cluster | None = None,
    source: Source = ("", ()),
) -> list[Line]:
    """Run the jobs that have no line in ``out`` yet, or one with an error; return the lines of all jobs, in their
    order; a job that comes twice counts once.

    ``lms``: a model, a mapping from roles to models, or a list of these, which run one after the other. ``budget`` is
    that of each problem. ``at_once``: how many problems are in progress at the same time; under a budget of seconds no
    more than a model's ``max_concurrency``, and one with a function. ``patience``: after so many failed problems in a
    row the model is taken to be out of reach, or the task to be wrong, and the run ends early; jobs that were not run
    have no line. A problem at which the task's, method's or model's own code raises has failed.
    ``progress``: show a progress line in a terminal or a notebook, elsewhere a line a minute. ``again``: also run the
    jobs whose line was made when the task was another (see ``fingerprint``). Where that fails, the line is kept, here
    with the reason under "still", and a warning says how many; so does one without ``again``.

    ``source``: the name of the split or file that the problems come from, and all that it holds. Lines know it, and
    those of questions that it held before, and holds no more, count no longer; a warning says how many.

    All methods on one problem run side by side, then those on the next. ``cluster``: Dask's, for example (see
    ``treebook.cluster.client.connect``). Then the jobs run at its workers, ``at_once`` at each and in the order of
    ``jobs``, with the same results; files are written here. The models must have been opened by ``tot.lm.open``:
    workers open them by name.

    Ctrl-C ends the problems in progress, and the same call goes on there; calls in flight are waited for where they are
    recorded (a second Ctrl-C ends that), but for those of a cluster's workers. Raises FileTrouble if another run is
    writing ``out``, if it is not a results file, if the disk is full or a file is taken away; ValueError for two models
    with the same name and settings, for one that a worker cannot open, and for a task whose verifier fails where there
    is no answer; LMError if the cluster is lost.
    """
    every = [Roles.of(lm) for lm in (lms if isinstance(lms, Sequence) and not isinstance(lms, str) else [lms])]
    if len({repr((lm.name, lm.settings)) for lm in every}) < len(every):
        raise ValueError("two of the models have the same name, and their lines could not be told apart: rename one")
    if budget and "seconds" in budget.limits:  # a clock that runs while others have the turns would make answers wrong
        models = [getattr(lm, "live", None) or lm for lms in every for lm in lms.models.values()]
        at_once = min([at_once, *(1 if lm.serial else getattr(lm, "max_concurrency", at_once) for lm in models)])
    asked_for = wanted(jobs, every, (budget or Budget()).to_dict(), source[0])
    place = Path(out).absolute()  # a function may go to another folder
    with Appender(out) as file:  # lock first, then read: nobody writes in between
        pending = Pending(file, asked_for, again, source)
        todo = pending.todo
        for job in {id(job.task): job for _, job, _ in reversed(todo.values())}.values():
            refuse_bad_verifier(job)
        bar = Progress(len(asked_for), skipped=len(asked_for) - len(todo), show=progress and bool(todo))
        failures, thought = 0, list[Line]()  # in a row
        gone = False  # then nothing more begins, and what is in flight comes home

        def answers() -> Iterator[tuple[str, dict[str, Any]]]:
            for lm in every:
                if gone:
                    return
                mine = {key: _after(job, pending.lines.get(key)) for key, (_, job, its) in todo.items() if its is lm}
                if mine:
                    yield from cluster.answers(mine, lm, budget, at_once) if cluster else here(mine, lm)

        def here(jobs: Mapping[str, Job], lms: Roles) -> Iterator[tuple[str, dict[str, Any]]]:
            def starts() -> Iterator[Run]:
                for key, job in _by_problem(jobs).items():  # started one by one: a run's clock begins when it does
                    if not gone:
                        run = job.start(lms, budget)
                        bar.running[run], run.alone = key, True
                        yield run

            for run in run_many(starts(), at_once=at_once, on_round=bar.update):
                key, began = bar.running.pop(run), time.monotonic()
                line = jobs[key].line(run)
                for other in bar.running:  # its clock stands still while an answer is verified, perhaps by a judge
                    other.started += time.monotonic() - began
                yield key, line

        try:
            for key, answer in answers():
                line, write = pending.take(key, answer)
                file.write(*map(dict, write))
                bar.finished(line)
                failures = failures + 1 if failed(line) else 0
                thought = [*thought, line] if only_thought([line]) else []
                if len(thought) == patience:
                    warnings.warn(f"{only_thought(thought)}; Ctrl-C ends this run", stacklevel=2)
                gone = gone or failures >= patience
                if gone and cluster:
                    if not hasattr(cluster, "stop"):
                        break
                    cluster.stop()
        except FileTrouble as error:
            _come_home(recordings(every), error)
            raise
        except KeyboardInterrupt:
            for lm in recordings(every):
                lm.come_home()
            raise KeyboardInterrupt(f"interrupted: {kept(out if Path(out).exists() else place, every)}") from None
        finally:
            bar.close()
    return pending.results()


def _come_home(recordings: Sequence[Cassette], error: FileTrouble) -> None:
    """Waits for calls in flight. Raises FileTrouble if another file is in trouble, too: a folder was moved, with both
    in it.
    """
    for lm in recordings:
        lm.come_home()
    for lm in recordings:
        try:
            lm.refuse_unwritable()
        except FileTrouble as other:
            if str(other) not in str(error):
                raise FileTrouble(f"{error}; {other}") from error


def recordings(every: Iterable[Roles]) -> list[Cassette]:
    """The models whose replies are being recorded."""
    models = (lm for lms in every for lm in lms.models.values())
    return [lm for lm in models if isinstance(lm, Cassette) and lm.live]


def recorded(every: Iterable[Roles]) -> str:
    """Where the replies of these models are being recorded, as the beginning of a sentence; "" if they are not."""
    files = dict.fromkeys(str(lm.path) for lm in recordings(every) if lm.path.name)
    return f"replies so far are kept in {' and '.join(files)}; " if files else ""


def kept(out: str | Path, every: Iterable[Roles]) -> str:
    """What is left of a run that was interrupted, and what to do."""
    lines = f"{len(read_results(out))} results are kept in {out}; "
    return f"{lines}{recorded(every)}run the same command again for the rest"


def _after(job: Job, old: Line | None) -> Job:
    """The job, with what had been paid for it when it failed, or was asked anew in vain ("lost")."""
    bill = old.get("paid" if failed(old) else "lost", {}) if old else {}
    return replace(job, earlier=Usage(**{name: bill[name] for name in vars(Usage()) if name in bill}))


def _by_problem(jobs: Mapping[str, Job]) -> dict[str, Job]:
    """All methods on one problem, then on the next: their prompts begin alike, and a server's prefix cache has them
    (measured in ``studies/prefix_cache.py``). Not for workers: if several ask the same at one moment, all pay.
    """
    first = {id(job.problem): i for i, job in reversed(list(enumerate(jobs.values())))}
    return dict(sorted(jobs.items(), key=lambda pair: first[id(pair[1].problem)]))
