"""A plan with its models, its problems and its folder: what is done, what is left, and doing it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import tot
from studies.live import named
from studies.writing_judge import Comparison, Rating, compare, comparison, rate, ratings
from tot.ask import Search
from tot.experiments import read_results, run_experiment
from tot.experiments.pending import digest
from tot.experiments.results import Line, answered, failed, identity, samples
from tot.jsonlines import Appender
from tot.lm.cassette import Cassette
from tot.lm.opening import open as open_lm
from tot.lm.roles import LMs, Roles
from tot.methods.base import PAPER
from tot.runner import run_many, run_one
from tot.solution import Job

from .filling import LOST, Filled
from .forecast import Amount, Heard, from_pilot
from .plans import Plan, Run
from .spending import LETTERS, Metered, Purse, Recorded, Spent

JUDGED = 5  # scores for each passage (section 4.2)
SCORE, DISCUSSED = 10, 300  # tokens of one, where the judge replies in a line, and where it discusses first
REPLAYED = 5  # problems of a run, to see what it has in common with others
LEAST, MOST = 0.5, 2.0  # what scoring may take, as shares of what is expected: a judge may reason
LONGEST = 7.0  # the same where it discusses first: up to its limit


@dataclass
class Part:
    """A run of the plan, ready to start: its jobs, and the models that play it."""

    run: Run
    jobs: list[Job]
    lms: LMs

    @property
    def heads(self) -> list[Line]:
        """What each job's results line is about."""
        roles = Roles.of(self.lms)
        model = {"lm": roles.name} | ({"settings": dict(roles.settings)} if roles.settings else {})
        return [
            {
                "task": job.task.name,
                "problem": job.problem.id,
                "x": digest(job.problem.x),
                "method": job.method.name,
                "params": job.method.settled(job.params),
                **model,
            }
            for job in self.jobs
        ]

    @property
    def keys(self) -> list[str]:
        return [identity(head) for head in self.heads]

    @property
    def label(self) -> str:
        """Task, method and what sets it apart, with the roles of the smaller model."""
        knobs = [f"{name}={value}" for name, value in self.run.knobs.items()]
        small = [f"small: {', '.join(self.run.small)}"] if self.run.small else []
        return " ".join([self.run.task, self.run.method, *knobs, *small])


class Models:
    """Up to three models with their recordings, which pay out of one purse. Use it in a ``with`` statement.

    ``specs``: "large", and if there are any "small" and "judge" -> what ``tot.lm.open`` reads and further arguments.
    """

    def __init__(self, specs: Mapping[str, tuple[str, Mapping[str, Any]]], folder: Path, limit: float | None) -> None:
        self.purse = Purse(limit)
        self.opened = ExitStack()
        self.cassettes: dict[str, Cassette] = {}
        try:
            self.purse.file = self.opened.enter_context(Appender(folder / "paid.jsonl"))
            for who, (spec, server) in specs.items():
                path = folder / f"replies{'' if who == 'large' else f'-{who}'}.jsonl"
                live = Metered(open_lm(spec, **server), self.purse)
                self.cassettes[who] = self.opened.enter_context(Cassette(path, live))
            if not self.purse.remember({cassette.name: price_of(cassette) for cassette in self.cassettes.values()}):
                for who, cassette in self.cassettes.items():  # a folder of an older version
                    self.purse.pay(cassette.name, self.recorded(who).usage)
        except BaseException:
            self.opened.close()
            raise

    def __enter__(self) -> Models:
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    def recorded(self, *who: str) -> Recorded:
        """What their recordings hold; of all of them if none is named."""
        return Recorded.of({name: c for name, c in self.cassettes.items() if not who or name in who})

    def cast(self, run: Run, roles: Iterable[str]) -> LMs | None:
        """The models of a run that uses these roles; None if it needs a smaller model and there is none."""
        large, small = self.cassettes["large"], self.cassettes.get("small")
        if not run.small:
            return large
        if small is None:
            return None
        return small if set(roles) <= {*run.small} else {"default": large, **dict.fromkeys(run.small, small)}

    @property
    def judge(self) -> Cassette:
        return self.cassettes.get("judge", self.cassettes["large"])

    @property
    def names(self) -> dict[str, str]:
        """Who -> the model's name, with its settings if it has any: a table of other settings is another table."""
        return {who: named(cassette) for who, cassette in self.cassettes.items()}


@dataclass
class Session:
    """``only``: just the runs with a row whose name has these words. ``why``: run that cannot start -> a sentence that
    says what is missing.
    """

    plan: Plan
    models: Models
    folder: Path
    own: bool = False
    style: str = "paper"
    most: int | None = None
    at_once: int = 64
    only: str = ""
    parts: list[Part] = field(default_factory=list)
    asked: list[Line] = field(default_factory=list)  # as ``ask`` had them last: also those of rows that have moved
    why: dict[Run, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises ValueError where a task has no prompts of that style, and if no row has the words of ``only``."""
        names = {run: [row.name for row in run.rows] for run in self.plan.runs}
        words = re.compile(rf"(?<!\w){re.escape(self.only)}(?!\w)" if self.only else "", re.IGNORECASE)
        wanted = [run for run in names if any(map(words.search, names[run]))]
        if not wanted:
            rows = "; ".join(name for of_run in names.values() for name in of_run)
            raise ValueError(f"no row has {self.only!r}: the rows are {rows}")
        for run in wanted:
            try:
                problems = run.problems(self.own, self.most)
            except ValueError as error:  # it names the file
                self.why[run] = f"{error}; or take the book's own problems with --own-problems"
                continue
            jobs = run.jobs(problems, self.style)
            lms = self.models.cast(run, jobs[0].method.asks(jobs[0].params))
            if lms is None:
                self.why[run] = "it has two models: add --small-lm openai:MODEL"
            else:
                self.parts.append(Part(run, jobs, lms))

    @property
    def results(self) -> Path:
        return self.folder / "results.jsonl"

    def lines(self, *, failures: bool = False) -> dict[str, Line]:
        """The results so far, by their identity; of those that failed only, with ``failures``, what a server refused:
        these count as not solved.
        """
        every = read_results(self.results) if self.results.exists() else []
        kept = answered([*every, *self.asked])
        found = {identity(line): line for line in kept if failures or not failed(line)}
        for head in (head for part in self.parts for head in part.heads):
            if (old := identity({**head, "x": None})) in found:  # of an older version, which did not write x
                found[identity(head)] = found.pop(old)
        return found

    def left(self) -> int:
        """Problems without a result; one that several rows share counts once."""
        return len({key for part in self.parts for key in part.keys} - self.lines().keys())

    def complete(self) -> bool:
        """Whether the table can be stored: all problems have a result, or were refused."""
        return {key for part in self.parts for key in part.keys} <= self.lines(failures=True).keys()

    # ---------------------------------------------------------------- what it will take

    def forecast(self) -> list[tuple[Part, int, int, Amount | None]]:
        """For each run: how many problems it has, how many are left, and what these will take; None before a pilot.

        Problems that an earlier run of the plan has, too, are counted there. ``shared`` says what else is paid once.
        """
        lines, counted, found = self.lines(), set[str](), []
        for part in self.parts:
            keys = part.keys
            todo = [key for key in keys if key not in lines and key not in counted]
            done = [lines[key] for key in keys if key in lines]
            counted.update(todo)
            amount = None if todo and len(done) < 2 else Amount()
            if todo and len(done) > 1:
                roles = Roles.of(part.lms)
                prices = {role: price_of(roles[role]) for role in part.jobs[0].method.roles}
                amount = from_pilot(done, len(todo), prices)
            found.append((part, len(keys), len(todo), amount))
        return found

    def paid(self, whole: Amount) -> Amount:
        """What will be paid of it, since runs on one problem have samples in common. Of the first problems that are
        done, replayed: what no run before has asked for; runs without a rest come first. The interval is wider by the
        one of this share.
        """
        lines, seen, known, purse = self.lines(), set[str](), set[tuple[str, int]](), self.models.purse
        rests = [sum(key not in lines for key in part.keys) for part in self.parts]
        replayed: list[list[Heard]] = [[] for _ in range(REPLAYED)]
        shut, purse.shut = purse.shut, True  # of a recording that is gone nothing is asked
        try:
            for rest, part in sorted(zip(rests, self.parts, strict=True), key=lambda pair: pair[0] > 0):
                done = [(key, job) for key, job in zip(part.keys, part.jobs, strict=True) if key in lines]
                for (key, job), found in zip(done, replayed, strict=False):
                    heard = {role: Heard(lm, price_of(lm), known) for role, lm in Roles.of(part.lms).models.items()}
                    run_one(job.start(heard))
                    found += heard.values() if rest and key not in seen else ()  # two rows may have one run
                    seen.add(key)
        except Spent:
            return whole
        finally:
            purse.shut = shut
        pairs = [(sum((o.new for o in found), Amount()), sum((o.asked for o in found), Amount())) for found in replayed]
        return whole.of_which([pair for pair in pairs if pair[1].calls], max(rests))

    def judging(self) -> Amount:
        """What scoring the passages will take, if the plan has that, before it is asked."""
        passages = [
            part.run.knobs.get("k", 1) * len(part.jobs)
            for part in self.parts
            if any(row.measure == "score" for row in part.run.rows)
        ]
        if not passages:
            return Amount()
        lengths = [len(text) for line in self.lines().values() for text in passages_of(line)]
        words = (sum(lengths) / len(lengths) if lengths else 450 * LETTERS) / LETTERS
        scored, pairs = sum(passages), max(len(part.jobs) for part in self.parts)
        one, most = (DISCUSSED, LONGEST) if self.style == PAPER else (SCORE, MOST)
        read, written = scored * (words + 40) + 2 * pairs * (2 * words + 40), (scored * JUDGED + 2 * pairs) * one
        price = price_of(self.models.judge)
        return Amount(scored + 2 * pairs, read, written, (read * price[0] + written * price[1]) / 1e6, LEAST, most)

    # ---------------------------------------------------------------- doing it

    def ask(self, most: int | None = None) -> list[Line]:
        """Run what is left, of each run the first ``most`` problems; returns the lines, those that failed too.

        Raises Spent at the limit of the purse, FileTrouble, and KeyboardInterrupt: what is done is kept.
        """
        found: list[Line] = []
        together: dict[str, tuple[LMs, list[Job]]] = {}
        for part in self.parts:
            _, jobs = together.setdefault(Roles.of(part.lms).name, (part.lms, []))
            jobs += part.jobs[:most]
        for lms, jobs in together.values():
            found += run_experiment(jobs, lms, out=self.results, at_once=self.at_once)
        self.asked = found
        return found

    def filled(self) -> dict[Run, Filled]:
        """Each run with what it has given so far; passages are judged if all are there, which asks the judge."""
        lines, found = self.lines(failures=True), {}
        for part in self.parts:
            pairs = [(lines[key], job) for key, job in zip(part.keys, part.jobs, strict=True) if key in lines]
            mine, jobs = [line for line, _ in pairs], [job for _, job in pairs]
            texts = (
                [[] if failed(line) else self._texts(job, part.lms) for line, job in pairs]
                if any(r.measure == LOST for r in part.run.rows) else []
            )
            found[part.run] = Filled(mine, [job.problem for job in jobs], texts)
        return self._judged(found) if self.plan.scored and self.complete() else found

    def _texts(self, job: Job, lms: LMs) -> list[str]:
        """The replies of a finished run, from the recording."""
        run = run_one(job.start(lms))
        return [sample["text"] for sample in job.finish(run).trace.samples()]

    def _judged(self, found: Mapping[Run, Filled]) -> dict[Run, Filled]:
        judge, scored, long = self.models.judge, {}, self.style == PAPER
        of = {row.name: run for run in found for row in run.rows if row.measure == "score"}
        for run, filled in found.items():
            groups = [passages_of(line) for line in filled.lines]
            rated = judged([rate(group, n=JUDGED, at_length=long) for group in groups if group], judge)
            marks = iter(ratings(result.trace.events) for result in rated)
            scores: list[Sequence[Rating]] = [next(marks) if group else [] for group in groups]
            pairs: Comparison | None = None
            if any(row.measure == "pairs" for row in run.rows) and "CoT" in of:
                both = _pairs(filled.lines, found[of["CoT"]].lines)
                alone = judged([compare([pair], at_length=long) for pair in both], judge)
                each = [astuple(comparison(result.trace.events)) for result in alone]
                pairs = Comparison(*map(sum, zip(*each, strict=True))) if each else None
            scored[run] = Filled(filled.lines, filled.problems, filled.texts, scores, pairs)
        return scored


def price_of(lm: tot.LM) -> tuple[float, float]:
    """Dollars per million tokens, read and written, of a model behind a recording."""
    return lm.live.price if isinstance(lm, Cassette) and lm.live else lm.price


def judged(searches: Sequence[Search], judge: tot.LM) -> list[tot.Result]:
    """The results of these searches, in their order; of what the judge's server refuses for good without a judgement.
    Raises LMError if the judge cannot answer, or refuses all, or the first ten.
    """
    runs, refused = [tot.Run(search, judge) for search in searches], list[str]()
    for done, run in enumerate(run_many(runs), 1):
        refused += [run.error] * bool(run.error)
        if run.error and (run.unanswered or run.missed or len(refused) == done >= min(len(runs), 10)):
            raise tot.LMError(run.error)
    if refused:
        warnings.warn(f"{len(refused)} of {len(runs)} judgements are missing: {refused[0]}", stacklevel=2)
    return [run.result() for run in runs]


def passages_of(line: Line) -> list[str]:
    """The answers that are judged: of independent samples all, else the chosen one."""
    every = line["answers"] if samples(line) else [line["answer"]]
    return [text for text in every if text]


def _pairs(ours: Iterable[Line], others: Iterable[Line]) -> list[tuple[str, str]]:
    """The first passage of each, on the problems that both have one for."""
    theirs = {line["problem"]: passages_of(line) for line in others}
    both = ((passages_of(line), theirs.get(line["problem"], [])) for line in ours)
    return [(a[0], b[0]) for a, b in both if a and b and a[0] != b[0]]


def folder_for(model: str) -> Path:
    """paper-tables/MODEL, without what file names may not hold."""
    return Path("paper-tables") / re.sub(r"[^A-Za-z0-9._-]+", "-", model)
