"""``Choice``: the settings of the lab, which can be run or written as Python code."""

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
from ..lm.openai import OpenAI
from ..lm.roles import DEFAULT, LMs, Roles
from ..methods import method
from ..solution import Job
from ..tasks import TASKS
from ..tasks.base import Task

WIDE = 79  # columns of the generated code


class AtTemperature(LM):
    """Wraps a language model and replaces the temperature of every request, so that it can be set for any task."""

    def __init__(self, lm: LM, temperature: float) -> None:
        self.lm, self.name, self.batched, self.temperature = lm, lm.name, lm.batched, temperature
        self.price = lm.price

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        own = [replace(request, temperature=self.temperature) for request in requests]
        return self.lm(own, on_reply)

    def most_tokens(self, request: Request) -> int | None:
        """As the model says."""
        return self.lm.most_tokens(request)

    def cancel(self) -> None:
        """Abort the model's calls in progress, if possible."""
        self.lm.cancel()


@dataclass(frozen=True)
class Choice:
    """One set of settings of the lab. ``names``: the variables of task and model in the notebook that runs the code.

    ``problem`` is the problem's text, or (split, index in it). ``temperature`` None: the temperatures of the task's
    own requests.
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
        """The job to run. Raises ValueError for an invalid problem, method or knob, by the method's own checks too."""
        recipe = method(self.method)
        if isinstance(self.problem, str):
            problem = self.task.problem(self.problem)
        else:
            split, number = self.problem
            problems = self.task.problems(split)
            if not 0 <= number < len(problems):
                raise ValueError(f"{split} has the problems 0 to {len(problems) - 1}, not {number}")
            problem = problems[number]
        recipe.search(self.task, problem.x, **self.knobs).close()  # raises for invalid settings before any request
        return Job(self.task, problem, recipe, dict(self.knobs))

    def models(self) -> LMs:
        """The models, at the temperature that was set."""
        if self.temperature is None:
            return self.lms
        models = Roles.of(self.lms).models
        return {r: lm if r == TOOL else AtTemperature(lm, self.temperature) for r, lm in models.items()}

    def limits(self) -> Budget:
        """The budget. Raises ValueError if it cannot be read."""
        return Budget.parse(self.budget)

    def code(self) -> str:
        """Python code that does the same. The user's own tasks and models appear in it as variables."""
        imports, comments = ["import tot", "from tot import show"], list[str]()
        lm = self._lm(imports, comments)
        task = _literal(self.task.name)
        if type(self.task) is not TASKS.get(self.task.name):
            task = self._variable(self.names[0], "task", comments)
        problem = _literal(self.problem)
        if not isinstance(self.problem, str):
            owner = task if task.isidentifier() else f"tot.task({task})"
            problem = f"{owner}.problems({_literal(self.problem[0])})[{self.problem[1]}]"
        defaults = method(self.method).settled({"style": self.knobs.get("style", "")})
        set_by_user = {n: v for n, v in self.knobs.items() if v != defaults[n] or (n == "style" and v)}
        turned = [f"{name}={_literal(value)}" for name, value in set_by_user.items()]
        set_ = {name: value for name, value in self.limits().to_dict().items() if value != inf}
        whole = {name: int(value) for name, value in set_.items() if value == int(value) and value is not True}
        limits = [f"{name}={value}" for name, value in (set_ | whole).items()]
        limits = [f"budget=tot.Budget({', '.join(limits)})"] if limits else []
        call = _call("solution = tot.solve", [task, problem, _literal(self.method), "lm=lm", *turned, *limits])
        shown = ["print(solution.answer, solution.verdict)", "show.explorer(solution)"]
        return "\n".join([*dict.fromkeys(imports), "", *comments, *lm, call, *shown])

    def _lm(self, imports: list[str], comments: list[str]) -> list[str]:
        """The lines that make ``lm``."""

        def made(lm: LM, name: str) -> str:
            return _constructor(lm, imports) or self._variable(name, "model", comments)

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
    def _variable(name: str, what: str, comments: list[str]) -> str:
        """A variable for the user's own task or model: ``name`` if it is an identifier, else one with a comment."""
        if name.isidentifier() and not keyword.iskeyword(name):
            return name
        own = {"task": "task", "model": "lm"}[what]
        comments.append(f"# {own}: the {what} that the lab calls {name!r}")
        return own


def _literal(value: Any) -> str:
    """The value as Python code; strings in double quotes if that needs no backslash."""
    text = repr(value)
    plain = isinstance(value, str) and not {"'", '"'} & set(value)
    return f'"{text[1:-1]}"' if plain else text


def _constructor(lm: LM, imports: list[str]) -> str:
    """A call that constructs such a model, adding to ``imports``; "" if the model is not one of tot's."""
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
    if isinstance(lm, OpenAI) and lm.client is None:  # not with a client made by the user
        imports.append("from tot.lm.openai import OpenAI")
        usual = {p.name: p.default for p in inspect.signature(type(lm)).parameters.values()}
        known = ("max_concurrency", "timeout", "retries", "backoff", "seed", "tokens_from")
        other = [f"{name}={_literal(value)}" for name in known if (value := getattr(lm, name)) != usual[name]]
        first = [_literal(lm.model), f"base_url={_literal(lm.url)}"]
        return f"OpenAI({', '.join([*first, *other])})"
    return ""


def _as_shipped(lm: LM) -> bool:
    """True if it is the included pocket model under its original name."""
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
    """The text of the first problem that can be loaded, "" if there is none."""
    for split in task.splits():
        try:
            return task.problems(split)[0].x
        except (ValueError, IndexError):  # its data is not installed
            continue
    return ""
