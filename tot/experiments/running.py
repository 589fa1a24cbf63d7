"""Methods x problems x models -> a results file that survives Ctrl-C and kill.

The file has one JSON line for each problem, written when the problem is done. ``results`` says what a line is about and
sums lines up. A line with an "error" is a problem on which a call failed: the next run tries it again.
"""

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ..budget import Budget
from ..jsonlines import Appender, FileTrouble
from ..lm.base import Usage
from ..lm.cassette import Cassette
from ..lm.roles import LMs, Roles
from ..methods import Method, method
from ..runner import Run, run_many
from ..solution import Job
from ..tasks.base import Problem, Task
from .fingerprint import edition, fingerprint, own_code
from .progress import Progress
from .results import Line, canonical, every_line, failed, identity, read_results

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


HOME = 120.0  # seconds for calls in flight when a file is in trouble; Ctrl-C ends it
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
    source: tuple[str, Iterable[Problem]] = ("", ()),
) -> list[Line]:
    """Run the jobs that have no line in ``out`` yet, or one with an error; return the lines of all jobs, in their
    order; a job that comes twice counts once.

    ``lms``: a model, a mapping from roles to models, or a list of these, which run one after the other. ``budget`` is
    that of each problem. ``at_once``: how many problems are in progress at the same time. ``patience``: after so many
    failed problems in a row the model is taken to be out of reach, or the task to be wrong, and the run ends early;
    jobs that were not run have no line. A problem at which the task's, method's or model's own code raises has failed.
    ``progress``: show a progress line in a terminal or a notebook, elsewhere a line a minute. ``again``: also run the
    jobs whose line was made when the task was another (see ``fingerprint``). Where that fails, the line is kept, here
    with the reason under "still", and a warning says how many; so does one without ``again``.

    ``source``: the name of the split or file that the problems come from, and all that it holds. Lines know it, and
    those of questions that it held before, and holds no more, count no longer; a warning says how many.

    All methods on one problem run side by side, then those on the next. ``cluster``: Dask's, for example (see
    ``treebook.cluster.client.connect``). Then the jobs run at its workers, ``at_once`` at each and in the order of
    ``jobs``, with the same results; files are written here. The models must have been opened by ``tot.lm.open``:
    workers open them by name.

    Ctrl-C loses the problems in progress and nothing else, and says so: the same call goes on there. Raises FileTrouble
    if another run is writing ``out``, if it is not a results file, if the disk is full or a file is taken away;
    ValueError for two models with the same name and settings, for one that a worker cannot open, and for a task whose
    verifier fails where there is no answer; LMError if the cluster is lost.
    """
    jobs = list(jobs)
    limits = (budget or Budget()).to_dict()
    every = [Roles.of(lm) for lm in (lms if isinstance(lms, Sequence) and not isinstance(lms, str) else [lms])]
    if len({repr((lm.name, lm.settings)) for lm in every}) < len(every):
        raise ValueError("two of the models have the same name, and their lines could not be told apart: rename one")
    own = cache(own_code)
    editions = dict[Any, str]()
    come = {"source": source[0]} if source[0] else {}
    heads = [({**_head(job, lm, limits, own, editions), **come}, job, lm) for lm in every for job in jobs]
    wanted = {identity(head): (head, job, lm) for head, job, lm in heads}
    for head, job, _ in heads:
        if head["made_with"] != wanted[identity(head)][0]["made_with"]:
            raise ValueError(f"two tasks or methods are called {job.task.name}, {head['method']}: rename one of them")
    with Appender(out) as file:  # lock first, then read: nobody writes in between
        lines = every_line(out)
        for key, (head, _, _) in wanted.items():
            if old := lines.get(identity({**head, "x": None})):  # of an older version, which did not write x
                lines.setdefault(key, old)
        moved = _settle(file, lines, {key: head for key, (head, *_) in wanted.items()}, *source)
        judged = {key: _judged(lines[key], head, job) for key, (head, job, _) in wanted.items() if key in lines}
        todo = {key: one for key, one in wanted.items() if not judged.get(key)}
        todo = dict(sorted(todo.items(), key=lambda one: one[0] in lines))  # what was never asked before what failed
        if anew := {key: line for key, line in judged.items() if line and line is not lines[key]}:
            lines |= anew
            file.write(*map(dict, anew.values()))
            warnings.warn(f"{len(anew)} results in {out} are judged by the gold answers as they are now", stacklevel=2)
        known = [key for key in wanted if key not in todo]
        changed = [key for key in known if _made_otherwise(lines[key], wanted[key][0])]
        good = {key: lines[key] for key in changed if again}
        if again:
            todo |= {key: wanted[key] for key in changed}
        elif changed:
            how = "--again (again=True) asks them anew, or write to another file"
            what = f"a server's address, task, method or a function as model has changed since {len(changed)} results"
            what += f" in {out} were made"
            warnings.warn(f"{what}: {how}", stacklevel=2)
        alike = [lines[key] for key in known if lines[key].get("made_with") == wanted[key][0]["made_with"]]
        served = {line["lm"]: line.get("served", "") for line in alike}
        for job in {id(job.task): job for _, job, _ in reversed(todo.values())}.values():
            try:
                job.task.verify(job.problem, None)
            except (Exception, SystemExit) as error:
                what = f"{job.task.name}: verify of {job.problem.id} without an answer raised {type(error).__name__}"
                raise ValueError(f"{what}: {error}; None is not correct, and no error; nothing was asked") from error
        bar = Progress(len(wanted), skipped=len(wanted) - len(todo), show=progress and bool(todo))
        failures, gone = 0, False  # in a row; then nothing more begins, and what is in flight comes home
        still = dict.fromkeys(good, "")  # which are the old results, and why

        def answers() -> Iterator[tuple[str, dict[str, Any]]]:
            for lm in every:
                if gone:
                    return
                if mine := {key: _after(job, lines.get(key)) for key, (_, job, its) in todo.items() if its is lm}:
                    yield from cluster.answers(mine, lm, budget, at_once) if cluster else here(mine, lm)

        def here(jobs: Mapping[str, Job], lms: Roles) -> Iterator[tuple[str, dict[str, Any]]]:
            def starts() -> Iterator[Run]:
                for key, job in _by_problem(jobs).items():  # started one by one: a run's clock begins when it does
                    if not gone:
                        run = job.start(lms, budget)
                        bar.running[run], run.alone = key, True
                        yield run

            for run in run_many(starts(), at_once=at_once, on_round=bar.update):
                yield (key := bar.running.pop(run)), jobs[key].line(run)

        try:
            for key, answer in answers():
                line = {**todo[key][0], **answer}
                vain = {"lost": line["paid"]} if "paid" in line else {}
                stays = [{**good[key], **vain}] if key in good and failed(line) else []  # it counts on: the last again
                lines[key] = stays[0] if stays else line
                still.pop(key, "")
                still |= {key: line["error"]} if stays else {}
                file.write(line, *(dict(moved[key]) for _ in range(key in moved)), *map(dict, stays))
                now = line.get("served", "")
                if line["usage"]["calls"] and (then := served.pop(line["lm"], now)) != now:
                    names = f"{now or line['lm']!r}, and when {out} was begun with {then or line['lm']!r}"
                    warnings.warn(f"the server now answers with the model {names}: results are mixed", stacklevel=2)
                bar.finished(line)
                failures = failures + 1 if failed(line) else 0
                gone = gone or failures >= patience
                if gone and cluster:
                    if not hasattr(cluster, "stop"):
                        break
                    cluster.stop()
        except FileTrouble as error:  # the runs are stopped: nothing more is asked; what is in flight is paid
            if flying := [call for lm in recordings(every) for call in lm.flying]:
                what = "a file is in trouble: nothing more is asked"
                warnings.warn(f"{what}; calls in flight are waited for (Ctrl-C ends that)", stacklevel=2)
            end = time.monotonic() + HOME
            with suppress(KeyboardInterrupt):
                for call in flying:
                    call.wait(max(0.0, end - time.monotonic()))
            for lm in recordings(every):
                try:
                    lm.refuse_unwritable()
                except FileTrouble as other:  # a folder was moved, with both files in it
                    if str(other) not in str(error):
                        raise FileTrouble(f"{error}; {other}") from error
            raise
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted: {kept(out, every)}") from None
        finally:
            bar.close()
    if still:
        what = f"{len(still)} of {len(good)} results in {out} are still those of before, since asking anew failed"
        why = [*filter(None, still.values()), "the run ended early"][0]
        warnings.warn(f"{what} ({why}): run the same again", stacklevel=2)
    lines |= {key: {**lines[key], "still": why or "not asked"} for key, why in still.items()}
    return [lines[key] for key in wanted if key in lines]


def _settle(
    file: Appender, lines: dict[str, Line], wanted: Mapping[str, Line], source: str, problems: Iterable[Problem]
) -> dict[str, Line]:
    """Makes ``lines``, and the file, those of the source as it is now: a question whose name is another (a row was put
    into the file, or the file was renamed) takes its results along, one that has come again counts again, and one that
    the source holds no more, or less often, is "gone": of equal ones that which failed.

    Without a source both names may be in use, and the file is left as it is. Returns, for each new name, the line that
    is gone once the question has been asked again.
    """
    held = {(problem.id, digest(problem.x)) for problem in problems}
    often, settled, strays = Counter(x for _, x in held), Counter[str](), dict[str, list[str]]()
    worse = {key: (failed(line), bool(line.get("gone"))) for key, line in lines.items()}
    for key, line in sorted(lines.items(), key=lambda pair: worse[pair[0]]):  # the first is worth most
        about = identity({**line, "problem": None})
        if key in wanted or (line["problem"], line.get("x")) in held:
            settled[about] += not line.get("gone")
        else:
            strays.setdefault(about, []).append(key)
    new, moved = dict[str, Line](), dict[str, Line]()
    for key, head in wanted.items():
        others = strays.get(about := identity({**head, "problem": None}), [])
        mine = lines.get(key)
        if others and (mine is None or worse[key] > worse[others[0]]):
            mine = {**lines[others[0]], "gone": True}
            moved |= {} if source or lines[others[0]].get("gone") else {key: mine}
            others += [key] if lines.get(key, {}).get("gone") else []  # an equal question may still take its own
            new.setdefault(others.pop(0), mine)
        if mine and mine.get("gone"):
            come = {name: head[name] for name in ("problem", "source") if name in head}
            new[key] = {**{name: value for name, value in mine.items() if name != "gone"}, **come}
            settled[about] += bool(lines.get(key, {"gone": True}).get("gone"))
    tasks, gone = {head["task"] for head in wanted.values()}, dict[str, Line]()
    for about, keys in strays.items():
        ours = [key for key in keys if source and lines[key].get("source") == source and lines[key]["task"] in tasks]
        ours = [key for key in ours if not lines[key].get("gone")]
        room = often[lines[ours[0]].get("x", "")] - settled[about] if ours else 0
        gone |= {key: {**lines[key], "gone": True} for key in ours[max(0, room) :]}
    lines |= (told := new | gone)
    if told := {key: one for key, one in told.items() if source or not (key in moved or one.get("gone"))}:
        file.write(*map(dict, told.values()))
    if gone:
        what = f"results in {file.path} of questions that {source} no longer has: {len(gone)}"
        warnings.warn(f"{what}; they no longer count", stacklevel=3)
    return moved


def recordings(every: Iterable[Roles]) -> list[Cassette]:
    """The models whose replies are being recorded."""
    models = (lm for lms in every for lm in lms.models.values())
    return [lm for lm in models if isinstance(lm, Cassette) and lm.live]


def recorded(every: Iterable[Roles]) -> str:
    """Where the replies of these models are being recorded, as the beginning of a sentence; "" if they are not."""
    files = dict.fromkeys(str(lm.path) for lm in recordings(every))
    return f"replies so far are kept in {' and '.join(files)}; " if files else ""


def kept(out: str | Path, every: Iterable[Roles]) -> str:
    """What is left of a run that was interrupted, and what to do."""
    lines = f"{len(read_results(out))} results are kept in {out}; "
    return f"{lines}{recorded(every)}run the same command again for the rest"


def _head(
    job: Job, lm: Roles, limits: Mapping[str, float], own: Callable[..., str], editions: dict[Any, str]
) -> dict[str, Any]:
    """The part of a results line that is known before the job has run."""
    head: dict[str, Any] = {"task": job.task.name, "problem": job.problem.id, "method": job.method.called(job.params)}
    head |= {"params": job.method.settled(job.params), "lm": lm.name}
    head |= {"x": digest(job.problem.x), "gold": digest(job.problem.gold)}
    head |= {name: dict(some) for name, some in (("settings", lm.settings), ("budget", limits)) if some}
    asked = [getattr(each, "live", each) for each in lm.models.values()]
    functions = [one.weights[:16] for one in asked if one and one.serial]
    made_with = [fingerprint(job), own(type(job.task), job.method.recipe), *functions]
    code = own(type(job.task))
    same = id(job.task), head["method"], repr(head["params"]), *made_with[1:]
    if same not in editions:
        editions[same] = edition(job, ", ".join(made_with[1:]), fixed=not code)
    head |= {"edition": editions[same]} if editions[same] else {}
    head |= {"task_code": code} if code else {}
    made_with += dict.fromkeys(one.source for one in lm.models.values())  # a cassette tells itself of another one
    return {**head, "made_with": ", ".join(filter(None, made_with))}


def _made_otherwise(line: Line, head: Line) -> bool:
    """Whether task, method or functions were others, as far as the line and the head know of them."""
    then, now = line.get("made_with", ""), head["made_with"]
    return not (then.startswith(now) or now.startswith(then))


def digest(value: Any) -> str:
    """Of a question, or a gold answer: 8 hex digits."""
    from zlib import crc32

    try:
        plain = canonical(value)
    except (TypeError, ValueError):  # a mapping with keys that JSON has no form for
        plain = repr(value)
    return f"{crc32(plain.encode('utf-8', 'replace')):08x}"


def _judged(line: Line, head: Line, job: Job) -> Line | None:
    """The line by the gold answer as it is now. None if it is asked again: a call failed, or another gold judges it
    otherwise where the answers in the line, as texts, are not all that counts (an oracle tells of other states).
    """
    same = line.get("gold", head["gold"]) == head["gold"]
    if same or failed(line) or "oracle" in line:
        return line if same and not failed(line) else None
    with suppress(Exception):  # the file may be edited by hand
        answers = [*line["answers"], line["answer"]]
        *corrects, chosen = [job.task.verify(job.problem, one).correct for one in answers]
        if [*corrects, chosen] == [*line["corrects"], line["correct"]]:
            return line
        if not job.method.settings(job.params).gold and all(isinstance(one, str | None) for one in answers):
            verdicts = {"correct": chosen, "chosen": chosen, "first": corrects[:1] == [True], "any": any(corrects)}
            return {**line, **verdicts, "corrects": corrects, "gold": head["gold"]}
    return None


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
