"""``Choice``: what was chosen of a lab, which can be run or written as Python code."""

import hashlib
import inspect
import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tot.budget import Budget
from tot.lm.base import LM, TOOL
from tot.lm.cassette import Cassette
from tot.lm.openai import OpenAI
from tot.lm.roles import DEFAULT, LMs, Roles
from tot.lm.settings import Settings
from tot.methods import method
from tot.solution import Job
from tot.tasks import TASKS
from tot.tasks.base import Task

from ..players.adjusted import Adjusted

WIDE = 79  # columns of the generated code
ADJUSTED = ("from tot.lm.settings import Settings", "from treebook.players.adjusted import Adjusted")


@dataclass(frozen=True)
class Choice:
    """One set of settings of the lab. ``names``: the variables of task and model in the notebook that runs the code.

    ``problem`` is the problem's text, or (split, index in it). ``settings``: those of the model, or of all models, on
    top of their own.
    """

    task: Task
    problem: str | tuple[str, int]
    method: str
    lms: LMs
    knobs: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
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
        """The models, with the settings. Raises ValueError for a setting that they cannot have."""
        if not self.settings.to_dict():
            return self.lms
        models = Roles.of(self.lms).models
        return {r: lm if r == TOOL else Adjusted(lm, self.settings) for r, lm in models.items()}

    def limits(self) -> Budget:
        """The budget. Raises ValueError if it cannot be read."""
        return Budget.parse(self.budget)

    def code(self) -> str:
        """Python code that does the same. The user's own tasks and models appear in it as variables."""
        imports, comments = ["import tot", "from treebook import show"], list[str]()
        lm = self._lm(imports, comments)
        task = _literal(self.task.name)
        if type(self.task) is not TASKS.get(self.task.name):
            at_a_place = ":" in self.names[0]
            task = _literal(self.names[0]) if at_a_place else self._variable(self.names[0], "task", comments)
        problem = _literal(self.problem)
        if not isinstance(self.problem, str):
            owner = task if task.isidentifier() else f"tot.task({task})"
            problem = f"{owner}.problems({_literal(self.problem[0])})[{self.problem[1]}]"
        style = self.knobs.get("style", "")
        usual = method(self.method).settled({"style": style}) | {"style": ""}
        arguments = [task, problem, _literal(self.method), "lm=lm"]
        arguments += [f"{name}={_literal(value)}" for name, value in self.knobs.items() if value != usual[name]]
        limits = {name: value for name, value in self.limits().to_dict().items() if value != inf}
        if limits:
            amounts = (f"{name}={_amount(value)}" for name, value in limits.items())
            arguments.append(f"budget=tot.Budget({', '.join(amounts)})")
        call = _call("solution = tot.solve", arguments)
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
            roles = ", ".join(f"{_literal(role)}: {made(lm, role)}" for role, lm in models.items())
            lines = [f"lm = {{{roles}}}"]
        if not self.settings.to_dict():
            return lines
        imports += ADJUSTED
        lines.append(f"settings = {_settings(self.settings.to_dict())}")
        each = f"one if role == {_literal(TOOL)} else Adjusted(one, settings)"
        lines.append("lm = Adjusted(lm, settings)" if alone else f"lm = {{role: {each} for role, one in lm.items()}}")
        return lines

    @staticmethod
    def _variable(name: str, what: str, comments: list[str]) -> str:
        """A variable for the user's own task or model: ``name`` if it is an identifier, else one with a comment."""
        if name.isidentifier() and not keyword.iskeyword(name):
            return name
        own = "task" if what == "task" else "lm"
        comments.append(f"# {own}: the {what} that the lab calls {name!r}")
        return own


def _amount(limit: float) -> float:
    """A limit of a budget as people write it: 9, not 9.0."""
    return int(limit) if limit is not True and limit == int(limit) else limit


def _literal(value: Any) -> str:
    """The value as Python code; strings in double quotes if that needs no backslash."""
    text = repr(value)
    plain = isinstance(value, str) and not {"'", '"'} & set(value)
    return f'"{text[1:-1]}"' if plain else text


def _constructor(lm: LM, imports: list[str]) -> str:
    """A call that constructs such a model, adding to ``imports``; "" if the model is not one of tot's."""
    kind = f"{type(lm).__module__}.{type(lm).__name__}"
    if isinstance(lm, Cassette):
        if lm.live and str(lm.path) == ".":  # it only remembers
            return _constructor(lm.live, imports)
        live = [_constructor(lm.live, imports)] if lm.live else []
        model = [f"model={_literal(lm.name)}"] if len(lm.tape.models) > 1 else []
        asked = [] if live or len(lm.tape.settings(lm.name)) < 2 else [f"asked_with={_settings(lm.settings)}"]
        imports += ADJUSTED[: len(asked)]
        return "" if live == [""] else f"tot.Cassette({', '.join([_literal(str(lm.path)), *live, *model, *asked])})"
    if kind in ("treebook.players.Pocket", "treebook.players.routing.Pockets") and _as_shipped(lm):
        module, _, name = kind.rpartition(".")
        imports.append(f"from {module} import {name}")
        return f"{name}(seed={lm.seed})" if lm.seed else f"{name}()"  # type: ignore[attr-defined]
    if isinstance(lm, Adjusted):
        inner = _constructor(lm.lm, imports)
        imports += ADJUSTED
        return f"Adjusted({inner}, {_settings(lm.settings)})" if inner else ""
    if isinstance(lm, OpenAI) and lm.client is None and lm.transport is None:  # not with what the user made
        imports.append("from tot.lm.openai import OpenAI")
        usual = {p.name: p.default for p in inspect.signature(type(lm)).parameters.values()} | {"keep_thinking": True}
        known = ("max_concurrency", "timeout", "retries", "backoff", "seed", "tokens_from", "native_n", "keep_thinking")
        other = [f"{name}={_literal(value)}" for name in known if (value := getattr(lm, name)) != usual[name]]
        if not lm.unpriced:  # without them a budget in dollars would not hold
            prices = dict(zip(("input", "output", "cached_input"), lm.price, strict=False))
            other.append(f"prices={ ({lm.model: prices})!r}")
        first = [_literal(lm.model), f"base_url={_literal(lm.url)}"]
        return f"OpenAI({', '.join([*first, *other, *_arguments(lm.settings)])})"
    return ""


def _settings(plain: Mapping[str, Any]) -> str:
    """A call that constructs these settings of a model."""
    return f"Settings({', '.join(_arguments(plain))})"


def _arguments(plain: Mapping[str, Any]) -> list[str]:
    options = dict(plain)
    thinking = [f"think_tokens={options.pop('think_tokens')!r}"] if "think_tokens" in plain else []
    return [f"options={options!r}"] * bool(options) + thinking


def _as_shipped(lm: LM) -> bool:
    """True if it is the included pocket model under its original name."""
    from ..players import FILE

    return lm.weights == hashlib.sha256(FILE.read_bytes()).hexdigest() and lm.name.split(":")[0] == "pocket"


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
