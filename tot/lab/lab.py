"""The lab as a notebook shows it: a panel where there is a kernel, frames where there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..lm.base import LMError
from ..show import Frames
from ..solution import Solution, solve
from . import parts
from .choice import Choice
from .panel import Panel
from .session import Meter
from .settings import Settings
from .stepper import live_or_still

SCRIPT = re.compile("<script>.*?</script>", re.DOTALL)  # the explorer's; its data stands in one with a type
STYLE = re.compile("<style>.*?</style>", re.DOTALL)


@dataclass(frozen=True)
class Lab(Settings):
    """Choose task, method, model, problem and knobs; run; watch the bill; stop; look into the tree.

    ``models``: name -> a model, or a mapping from roles to models; without any, the pocket model. ``tasks``: name ->
    a task of your own. Call both as they are called in your notebook, and the code that the lab shows runs there.

    What is set at first: ``task`` (of ``tasks``, or of tot's), ``problem`` (a text; "" is the task's first), ``method``
    ("" is the task's usual one), ``knobs``, and ``budget`` for each run, such as "calls=200,seconds=60".

    ``recorded`` answers for the static page (a replay, so that it is the same everywhere), and can be chosen like the
    other models. ``settings``: the knobs of each static picture, beside ``knobs``; also "method" and "problem" if they
    differ. ``size``: of each picture's tree, see ``show.explorer``. Without ``recorded``, the page shows the code:
    nothing is asked of a model because a cell is displayed.
    """

    def frames(self) -> Frames:
        """One picture for each of the settings. Raises LMError where one is not recorded, ValueError without
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
        pages[:-1] = [SCRIPT.sub("", page) for page in pages[:-1]]  # one script, at the end, serves all explorers,
        pages[1:] = [STYLE.sub("", page) for page in pages[1:]]  # and the first page's styles all pages
        return Frames(pages, labels, name="Settings")

    def widget(self) -> Any:
        """The panel, as an ipywidgets box. ``Panel(lab)`` is the same with names for its parts."""
        return Panel(self).box

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The panel where widgets live, else the frames."""
        return live_or_still(self.widget, {"text/plain": repr(self), "text/html": self._page()})

    def _page(self) -> str:
        if self.recorded is not None:
            return self.frames()._repr_html_()
        name, lms = next(iter(self.all_models().items()), ("lm", {}))
        words = "This is a panel to play with. It needs a kernel: open this notebook in Jupyter and run the cell."
        return parts.message(words) + parts.code(self.choice(lms, name).code())

    def __repr__(self) -> str:
        return f"<Lab: {self.first_task}, {', '.join(self.all_models())}>"


def still(solution: Solution, choice: Choice, size: int | None) -> str:
    """One frame: how it ended, what it cost, the tree (in so many bytes), the code."""
    ledger = solution.result.ledger
    used = Meter.of(ledger.total, 0.0, ledger.rounds)
    bill = parts.meter(used, choice.limits(), seconds=False)
    return f"{parts.outcome(solution)}{bill}{parts.tree(solution, size) or ''}{parts.code(choice.code())}"
