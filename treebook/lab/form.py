"""A lab as plain data: what it offers, and the settings that somebody chose. Panels and pages are made from it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tot.lm.roles import LMs
from tot.lm.settings import Settings as ModelSettings
from tot.lm.settings import arguments
from tot.methods import METHODS, method, usual
from tot.tasks import TASKS
from tot.tasks.base import Task

from .choice import Choice, Settings, first_problem

TEXTS = ("task", "problem", "split", "method", "model", "settings", "budget")
FIELDS: dict[str, type] = {**dict.fromkeys(TEXTS, str), "number": int, "knobs": dict}  # of a form, with their types


def offer(lab: Settings) -> dict[str, Any]:
    """All that can be chosen, as JSON-ready data.

    - ``tasks``: name -> ``methods``, those that work on it, ``usual`` among them; ``styles``: method -> the styles of
      its prompts; ``splits``: name -> ``about`` and ``problems`` (texts); the ``first`` problem. Splits whose data are
      not installed are left out.
    - ``methods``: name -> ``about``, ``knobs``, with the fields of ``Knob``.
    - ``models``: names, in order.
    - ``form``: the initial settings, as ``choice`` takes them.
    """
    first = lab.choice({}, "")
    tasks = {name: lab.named(name) for name in dict.fromkeys([*lab.tasks, *TASKS])}
    form = {"task": lab.first_task, "problem": first.problem, "method": first.method, "knobs": dict(first.knobs)}
    return {
        "tasks": {name: _task(task) for name, task in tasks.items()},
        "methods": {
            name: {"about": one.summary, "knobs": [asdict(knob) for knob in one.knobs()]}
            for name, one in METHODS.items()
        },
        "models": list(lab.models) + ([lab.recorded_name] if lab.recorded is not None else []),
        "form": form | {"budget": lab.budget},
    }


def _task(task: Task) -> dict[str, Any]:
    splits = {}
    for name, about in task.splits().items():
        try:
            splits[name] = {"about": about, "problems": [problem.x for problem in task.problems(name)]}
        except ValueError:  # its data are not installed
            continue
    able = [one for one in METHODS.values() if not one.missing(task)]
    styles = {one.name: list(one.recipe.styles(task)) for one in able}
    named = {"methods": [one.name for one in able], "usual": usual(task).name, "first": first_problem(task)}
    return {**named, "styles": {name: found for name, found in styles.items() if found}, "splits": splits}


def choice(lab: Settings, form: Mapping[str, Any], lms: LMs) -> Choice:
    """The settings in ``form``, for these models. A form comes from a page or a link: nothing in it is trusted.

    Its members, all but ``task`` and ``method`` optional: ``problem`` (a text), or ``split`` and ``number`` in it;
    ``knobs``; ``model``, the model's name in the lab; ``settings`` of the model ("temperature=0.7 ..."); ``budget``.
    Raises ValueError, with a sentence that says what to do, for anything else; the run's own checks are in
    ``Choice.job``, ``Choice.models`` and ``Choice.limits``.
    """
    for name, value in form.items():
        kind = FIELDS.get(name)
        if kind is None or not isinstance(value, kind) or isinstance(value, bool):
            raise ValueError(f"the lab has no setting {name!r} that could be {value!r}: choose one of its own")
    if form.get("split"):
        problem: str | tuple[str, int] = (form["split"], form.get("number", 0))
    else:
        problem = form.get("problem", "")
    chosen = method(form.get("method", ""))
    texts = {knob.name for knob in chosen.knobs() if knob.kind == "text"}
    knobs = {name: (value or None) if name in texts else value for name, value in form.get("knobs", {}).items()}
    settings = ModelSettings.of(**arguments(form.get("settings", "").replace(",", " ").split()))
    names = form.get("task", ""), form.get("model", "")
    return Choice(lab.named(names[0]), problem, chosen.name, lms, knobs, settings, form.get("budget", ""), names)
