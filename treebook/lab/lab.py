"""``Lab``, shown in a notebook as a panel if there is a kernel, and as precomputed frames if there is none."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tot.lm.base import LM, LMError
from tot.lm.cassette import Cassette
from tot.lm.roles import LMs, Roles
from tot.methods import usual
from tot.solution import Solution, solve
from tot.tasks import task
from tot.tasks.base import Task

from ..figures.slider import Frames
from . import parts
from .choice import Choice, first_problem
from .panel import Panel
from .session import Meter

SCRIPT = re.compile('<script data-tot-once="">.*?</script>', re.DOTALL)  # the explorer's code, not its data
STYLE = re.compile("<style[^>]*>.*?</style>", re.DOTALL)


@dataclass(frozen=True)
class Lab:
    """A panel to choose task, method, model, problem and knobs, run and stop the search, and inspect cost and tree.

    ``models``: name -> a model, or a mapping from roles to models; by default the pocket model. ``tasks``: name -> a
    task of your own. Use the variable names of your notebook, so that the code shown by the lab runs there.

    Initial settings: ``task`` (a name in ``tasks``, one of tot's, or the place of your own, such as
    "my_talks.py:Talks"), ``problem`` (a text; "" is the task's first),
    ``method`` ("" is the task's usual one), ``knobs``, and ``budget`` for each run, such as "calls=200,seconds=60".

    ``recorded`` is the model for the frames of the static page (a replay, so that they are the same everywhere), and
    can be chosen like the other models. ``settings``: for each frame, knobs in addition to ``knobs``, and "method" and
    "problem" if they differ. ``size``: bytes of each frame's tree, see ``show.explorer``. Without ``recorded``, the
    static page shows only the code: displaying a cell never calls a live model.
    """

    models: Mapping[str, LMs] = field(default_factory=dict)
    tasks: Mapping[str, Task] = field(default_factory=dict)
    task: str = ""
    problem: str = ""
    method: str = ""
    knobs: Mapping[str, Any] = field(default_factory=dict)
    budget: str = ""
    recorded: LMs | None = None
    settings: Sequence[Mapping[str, Any]] = ({},)
    size: int | None = 1_000_000

    @property
    def first_task(self) -> str:
        """The name of the initial task."""
        return self.task or next(iter(self.tasks), "game24")

    def named(self, name: str) -> Task:
        """The task of that name, from ``tasks`` or from tot's. Raises ValueError if there is none.

        Of the places at which tasks may be only that of the initial task counts: a name may come from a link.
        """
        if ":" in name and name not in (*self.tasks, self.task):
            raise ValueError(f"the lab has no task {name!r}: open a lab for it, treebook.lab.Lab(task={name!r})")
        return self.tasks[name] if name in self.tasks else task(name)

    @property
    def recorded_name(self) -> str:
        """The name of ``recorded`` in ``models``, else "recorded"."""
        return next((name for name, lms in self.models.items() if lms is self.recorded), "recorded")

    def all_models(self) -> dict[str, LMs]:
        """All models by name: the given ones (by default the pocket model), and the recorded one."""
        models = dict(self.models)
        if not models:
            from ..players.routing import Pockets

            try:
                models["pocket"] = Pockets()
            except LMError as error:
                if not isinstance(error.__cause__, ImportError):  # without numpy there is no pocket model
                    raise
        return models | ({self.recorded_name: self.recorded} if self.recorded is not None else {})

    def choice(self, lms: LMs, name: str, **setting: Any) -> Choice:
        """The initial settings, changed by ``setting``; ``knobs`` apply only to the initial method."""
        the_task = self.named(self.first_task)
        first = self.method or usual(the_task).name
        recipe = setting.pop("method", "") or first
        knobs = {**(self.knobs if recipe == first else {}), **setting}
        problem = knobs.pop("problem", self.problem) or first_problem(the_task)
        return Choice(the_task, problem, recipe, lms, knobs, budget=self.budget, names=(self.first_task, name))

    def frames(self) -> Frames:
        """One frame for each of the settings. Raises LMError if a reply is not recorded, ValueError without
        ``recorded``.
        """
        if self.recorded is None:
            raise ValueError("frames are made from a recording: pass recorded=tot.Cassette(...)")
        chosen = [self.choice(self.recorded, self.recorded_name, **setting) for setting in self.settings]
        runs = [solve(c.task, c.problem, c.method, lm=c.lms, budget=c.limits(), **c.knobs) for c in chosen]  # type: ignore[arg-type]
        if error := next((run.error for run in runs if run.error), ""):
            raise LMError(error)
        words = [", ".join(f"{name} {value}" for name, value in setting.items()) for setting in self.settings]
        labels = [f"{what}: " * bool(what) + parts.summary(run) for what, run in zip(words, runs, strict=True)]
        pages = [still(run, c, self.size) for run, c in zip(runs, chosen, strict=True)]
        pages[:-1] = [SCRIPT.sub("", page) for page in pages[:-1]]  # the last page's script serves all explorers,
        pages[1:] = [STYLE.sub("", page) for page in pages[1:]]  # the first page's styles apply to all pages
        return Frames(pages, labels, name="Settings")

    def widget(self) -> Any:
        """The panel, as an ipywidgets box. Use ``Panel(lab)`` for access to its widgets by name."""
        return Panel(self).box

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The panel, if ipywidgets is installed, and the frames; a front end shows the best it can."""
        still = {"text/plain": repr(self), "text/html": self._page()}
        try:
            import ipywidgets  # noqa: F401
        except ImportError:
            return still
        live: dict[str, Any] = self.widget()._repr_mimebundle_()
        return {**live, **still}

    def _page(self) -> str:
        if self.recorded is not None and all(map(_free, Roles.of(self.recorded).models.values())):
            return self.frames()._repr_html_()
        name, lms = next(iter(self.all_models().items()), ("lm", {}))
        words = "This is a panel to play with. It needs a kernel: open this notebook in Jupyter and run the cell."
        return parts.message(words) + parts.code(self.choice(lms, name).code())

    def __repr__(self) -> str:
        return f"<Lab: {self.first_task}, {', '.join(self.all_models())}>"


def _free(lm: LM) -> bool:
    """Whether asking it costs nothing: a replay, or a model of this machine."""
    return (isinstance(lm, Cassette) and lm.live is None) or (lm.batched and not lm.serial)


def still(solution: Solution, choice: Choice, size: int | None) -> str:
    """One frame as HTML: outcome, cost, the tree (in about ``size`` bytes), the code."""
    ledger = solution.result.ledger
    used = Meter.of(ledger.total, 0.0, ledger.rounds)
    bill = parts.meter(used, choice.limits(), seconds=False)
    return f"{parts.outcome(solution)}{bill}{parts.tree(solution, size) or ''}{parts.code(choice.code())}"
