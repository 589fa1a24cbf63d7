"""A lab as plain data: what it offers, and the settings that somebody chose. The panel of a notebook (``panel``) and
the page (``live/lab.js``) are both made from this, and a search is made of what they send back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tot.lm.roles import LMs
from tot.lm.settings import Settings, arguments
from tot.methods import METHODS, method, usual
from tot.tasks import TASKS

from .choice import Choice, first_problem

if TYPE_CHECKING:
    from .lab import Lab


@dataclass(frozen=True)
class Field:
    """One field of the form: its label, an example of what it holds, a sentence about it; and the type of its value."""

    label: str
    hint: str = ""
    doc: str = ""
    kind: type = str


FIELDS = {
    "task": Field("task"),
    "split": Field("from"),
    "number": Field("number", kind=int),
    "problem": Field("The problem"),
    "method": Field("method"),
    "knobs": Field("", kind=dict),
    "model": Field("model"),
    "settings": Field("settings", "temperature=0.7 think_tokens=4000", "of the model, for every request"),
    "budget": Field(
        "budget",
        "no limit; such as calls=200,seconds=60",
        "calls, tokens, dollars, seconds, nodes: a round that could exceed one is not started",
    ),
}


def offer(lab: Lab) -> dict[str, Any]:
    """All that can be chosen, as JSON-ready data.

    - ``fields``: name -> ``label``, ``hint`` and ``doc``.
    - ``tasks``: name -> what ``of_task`` says.
    - ``methods``: name -> ``about``, ``knobs``, with the fields of ``Knob``.
    - ``models``: names, in order.
    - ``form``: the initial settings, as ``choice`` takes them.
    """
    return {
        "fields": {name: {"label": one.label, "hint": one.hint, "doc": one.doc} for name, one in FIELDS.items()},
        "tasks": {name: of_task(lab, name) for name in task_names(lab)},
        "methods": {
            name: {"about": one.summary, "knobs": [asdict(knob) for knob in one.knobs()]}
            for name, one in METHODS.items()
        },
        "models": list(lab.models) + ([lab.recorded_name] if lab.recorded is not None else []),
        "form": first(lab),
    }


def task_names(lab: Lab) -> list[str]:
    """The tasks that can be chosen: the lab's own, tot's, and the one at a place that it begins with. A task whose
    tools are somebody's servers is none of these: nobody has named any.
    """
    ours = [name for name in TASKS if not hasattr(TASKS[name], "calls")]
    return list(dict.fromkeys([*lab.tasks, *ours, lab.first_task]))


def of_task(lab: Lab, name: str) -> dict[str, Any]:
    """What can be chosen for one task.

    ``methods``: those that work on it, ``usual`` among them; ``styles``: method -> the styles of its prompts;
    ``splits``: name -> ``about`` and ``problems`` (texts), without those whose data are not installed; ``first``: the
    problem to begin with.
    """
    task, splits = lab.named(name), {}
    for split, about in task.splits().items():
        try:
            splits[split] = {"about": about, "problems": [problem.x for problem in task.problems(split)]}
        except ValueError:  # its data are not installed
            continue
    able = [one for one in METHODS.values() if not one.missing(task)]
    styles = {one.name: found for one in able if (found := list(one.recipe.styles(task)))}
    problem = first(lab)["problem"] if name == lab.first_task else first_problem(task)
    named = {"methods": [one.name for one in able], "usual": usual(task).name, "first": problem}
    return {**named, "styles": styles, "splits": splits}


def first(lab: Lab) -> dict[str, Any]:
    """The form that a lab begins with."""
    chosen = lab.choice({}, "")
    form = {"task": lab.first_task, "problem": chosen.problem, "method": chosen.method, "knobs": dict(chosen.knobs)}
    return form | {"budget": lab.budget}


def choice(lab: Lab, form: Mapping[str, Any], lms: LMs) -> Choice:
    """The settings in ``form``, for these models. A form comes from a page or a link: nothing in it is trusted.

    Its members, all but ``task`` and ``method`` optional: ``problem`` (a text), or ``split`` and ``number`` in it;
    ``knobs``; ``model``, the model's name in the lab; ``settings`` of the model ("temperature=0.7 ..."); ``budget``.
    Raises ValueError, with a sentence that says what to do, for anything else; the run's own checks are in
    ``Choice.job``, ``Choice.models`` and ``Choice.limits``.
    """
    for name, value in form.items():
        if name not in FIELDS or not isinstance(value, FIELDS[name].kind) or isinstance(value, bool):
            raise ValueError(f"the lab has no setting {name!r} that could be {value!r}: choose one of its own")
    if form.get("split"):
        problem: str | tuple[str, int] = (form["split"], form.get("number", 0))
    else:
        problem = form.get("problem", "")
    chosen = method(form.get("method", ""))
    texts = {knob.name for knob in chosen.knobs() if knob.kind == "text"}
    knobs = {name: (value or None) if name in texts else value for name, value in form.get("knobs", {}).items()}
    settings = Settings.of(**arguments(form.get("settings", "").replace(",", " ").split()))
    names, budget = (form.get("task", ""), form.get("model", "")), form.get("budget", lab.budget)
    if lab.budget and not budget.strip():
        raise ValueError("the budget is empty, and a run would have no limit: write one, such as calls=200,seconds=60")
    return Choice(lab.named(names[0]), problem, chosen.name, lms, knobs, settings, budget, names)
