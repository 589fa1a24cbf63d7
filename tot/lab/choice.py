"""What is set in the lab: enough to run it, and to write it down as Python."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from ..budget import Budget
from ..lm.base import LM, TOOL, OnReply, Reply, Request
from ..lm.cassette import Cassette
from ..lm.roles import DEFAULT, LMs, Roles
from ..methods import method
from ..solution import Job
from ..tasks import TASKS
from ..tasks.base import Task

WIDE = 79  # columns of the code


class AtTemperature(LM):
    """A language model with every request's temperature replaced: for turning that knob on any task."""

    def __init__(self, lm: LM, temperature: float) -> None:
        self.lm, self.name, self.batched, self.temperature = lm, lm.name, lm.batched, temperature

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        own = [replace(request, temperature=self.temperature) for request in requests]
        return self.lm(own, on_reply)

    def cancel(self) -> None:
        """Give up the model's calls in progress, if it can."""
        self.lm.cancel()


@dataclass(frozen=True)
class Choice:
    """One setting of the lab. ``names``: what the task and the model are called where the code is to run.

    ``problem`` is a text, or (split, number of the problem in it). ``temperature`` None: as the task asks.
    """

    task: Task
    problem: str | tuple[str, int]
    method: str
    lms: LMs
    knobs: Mapping[str, Any] = field(default_factory=dict)
    temperature: float | None = None
    budget: str = ""
    names: tuple[str, str] = ("task", "lm")

    def job(self) -> Job:
        """Raises ValueError for a problem, method or knob that cannot be; so the method's own checks do, too."""
        recipe = method(self.method)
        if isinstance(self.problem, str):
            problem = self.task.problem(self.problem)
        else:
            split, number = self.problem
            problems = self.task.problems(split)
            if not 0 <= number < len(problems):
                raise ValueError(f"{split} has the problems 0 to {len(problems) - 1}, not {number}")
            problem = problems[number]
        recipe.search(self.task, problem.x, **self.knobs).close()  # says what cannot be, before anything is asked
        return Job(self.task, problem, recipe, dict(self.knobs))

    def models(self) -> LMs:
        """The models to ask, at the temperature that was set."""
        if self.temperature is None:
            return self.lms
        models = Roles.of(self.lms).models
        return {r: lm if r == TOOL else AtTemperature(lm, self.temperature) for r, lm in models.items()}

    def limits(self) -> Budget:
        """Raises ValueError for a budget that cannot be read."""
        return Budget.parse(self.budget)

    def code(self) -> str:
        """The same as Python that runs on its own; if task or model are a reader's own, where they have their names."""
        imports, comments = ["import tot", "from tot import show"], list[str]()
        lm = self._lm(imports, comments)
        task = _literal(self.task.name)
        if type(self.task) is not TASKS.get(self.task.name):
            task = self._own(self.names[0], "task", comments)
        problem = _literal(self.problem)
        if not isinstance(self.problem, str):
            owner = task if task.isidentifier() else f"tot.task({task})"
            problem = f"{owner}.problems({_literal(self.problem[0])})[{self.problem[1]}]"
        defaults = method(self.method).defaults
        turned = [f"{name}={_literal(value)}" for name, value in self.knobs.items() if value != defaults[name]]
        set_ = {name: value for name, value in vars(self.limits()).items() if value not in (None, inf)}
        limits = [f"{name}={int(value) if value == int(value) else value}" for name, value in set_.items()]
        limits = [f"budget=tot.Budget({', '.join(limits)})"] if limits else []
        call = _call("solution = tot.solve", [task, problem, _literal(self.method), "lm=lm", *turned, *limits])
        shown = ["print(solution.answer, solution.verdict)", "show.explorer(solution)"]
        return "\n".join([*dict.fromkeys(imports), "", *comments, *lm, call, *shown])

    def _lm(self, imports: list[str], comments: list[str]) -> list[str]:
        """The lines that make ``lm``."""

        def made(lm: LM, name: str) -> str:
            return _constructor(lm, imports) or self._own(name, "model", comments)

        models = Roles.of(self.lms).models
        alone = models[DEFAULT] if list(models) == [DEFAULT] else None
        if alone:
            name = made(alone, self.names[1])
            lines = [] if name == "lm" else [f"lm = {name}"]
        else:
            role = [f"{_literal(role)}: {made(lm, role)}" for role, lm in models.items()]
            lines = [f"lm = {{{', '.join(role)}}}"]
        if self.temperature is None:
            return lines
        imports.append("from tot.lab import AtTemperature")
        if not alone:
            warm = f"AtTemperature(one, {self.temperature!r})"
            return [*lines, f"lm = {{role: one if role == {_literal(TOOL)} else {warm} for role, one in lm.items()}}"]
        return [*lines, f"lm = AtTemperature(lm, {self.temperature!r})"]

    @staticmethod
    def _own(name: str, what: str, comments: list[str]) -> str:
        """The name of a reader's own task or model; one that is no Python name becomes one, with a comment."""
        if name.isidentifier() and not keyword.iskeyword(name):
            return name
        own = {"task": "task", "model": "lm"}[what]
        comments.append(f"# {own}: the {what} that the lab calls {name!r}")
        return own


def _literal(value: Any) -> str:
    """The value as Python; text in double quotes where that needs no backslash."""
    text = repr(value)
    plain = isinstance(value, str) and not {"'", '"'} & set(value)
    return f'"{text[1:-1]}"' if plain else text


def _constructor(lm: LM, imports: list[str]) -> str:
    """The call that makes such a model, with what it needs added to ``imports``; "" for a kind that is not ours."""
    kind = f"{type(lm).__module__}.{type(lm).__name__}"
    if isinstance(lm, Cassette):
        live = _constructor(lm.live, imports) if lm.live else None
        if live == "":
            return ""
        model = [f"model={_literal(lm.name)}"] if len(lm.tape.models) > 1 else []
        return f"tot.Cassette({', '.join([_literal(str(lm.path)), *([live] if live else []), *model])})"
    if kind == "tot.lm.pocket.Pocket" and _as_shipped(lm):
        imports.append("from tot.lm.pocket import Pocket")
        return f"Pocket(seed={lm.seed})" if lm.seed else "Pocket()"  # type: ignore[attr-defined]
    if kind == "tot.lm.openai.OpenAI" and not getattr(lm, "_given", None):  # a client of the user's own we cannot write
        imports.append("from tot.lm.openai import OpenAI")
        usual = {p.name: p.default for p in inspect.signature(type(lm)).parameters.values()}
        known = ("max_concurrency", "timeout", "retries", "backoff", "seed", "tokens_from")
        other = [f"{name}={_literal(value)}" for name in known if (value := getattr(lm, name)) != usual[name]]
        first = [_literal(lm.model), f"base_url={_literal(lm.url)}"]  # type: ignore[attr-defined]
        return f"OpenAI({', '.join([*first, *other])})"
    return ""


def _as_shipped(lm: LM) -> bool:
    """Is it the pocket model of the package, under its own name?"""
    import hashlib

    from ..lm.pocket import FILE

    with FILE.open("rb") as file:
        own = hashlib.file_digest(file, "sha256").hexdigest()
    return lm.weights == own and lm.name == "pocket"


def _call(function: str, arguments: Sequence[str]) -> str:
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= WIDE:
        return line
    return "\n".join([f"{function}(", *(f"    {argument}," for argument in arguments), ")"])


def first_problem(task: Task) -> str:
    """The text of the first problem that can be loaded."""
    for split in task.splits():
        try:
            return task.problems(split)[0].x
        except (ValueError, IndexError):  # its data is not here
            continue
    return ""
