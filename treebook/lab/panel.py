"""The lab's panel: ipywidgets around a ``Session``. The fields offered depend on the task and the method."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tot.jsonlines import FileTrouble
from tot.lm.base import LMError
from tot.lm.opening import open as open_lm
from tot.lm.roles import LMs
from tot.methods import METHODS, Knob, method, usual
from tot.show.escaping import clean, line
from tot.tasks import TASKS
from tot.tasks.base import Task
from tot.trace import Trace

from . import form, parts
from .choice import Choice, Settings, first_problem
from .session import Session

REPLAY = "a cassette (enter its file)"
TYPED = ("your own problem", "")
HIDDEN, SHOWN = "none", ""  # values of a layout's ``display``


class Panel:
    """``panel.box`` is the widget to display. ``panel.session`` is the run that was started last, if any.

    The widgets in it: ``task``, ``method``, ``model``, ``cassette``; ``split``, ``number``, ``problem``; ``knobs``
    by name; ``own``, ``temperature``, ``options``; ``budget``; ``run``, ``stop``; ``meter``, ``message``, ``outcome``,
    ``tree``; ``path``, ``save``, ``saved``; ``code``.
    """

    def __init__(self, lab: Settings) -> None:
        import ipywidgets as w

        self._lab, self._w, self._models = lab, w, lab.all_models()
        self._lock, self._quiet = threading.RLock(), False
        self.session: Session | None = None
        self.knobs: dict[str, Any] = {}
        first = lab.choice({}, "")
        look = self._look
        self.task = w.Dropdown(options=[*lab.tasks, *(n for n in TASKS if n not in lab.tasks)], description="task")
        self.method = w.Dropdown(options=list(METHODS), description="method", value=first.method)
        self.model = w.Dropdown(options=[*self._models, REPLAY], description="model")
        self.task.value = lab.first_task
        file = {"placeholder": "cassettes/06.jsonl", "continuous_update": False}
        self.cassette = w.Text(description="cassette", **file, **look("98%"))
        self.split = w.Dropdown(options=[TYPED], description="problem", **look())
        self.number = w.BoundedIntText(0, min=0, max=0, description="number", **look())
        self.problem = w.Textarea(clean(first.problem), description="", continuous_update=False, rows=2, **look("98%"))
        self.own = w.Checkbox(False, description="set the temperature", indent=False)
        self.temperature = w.FloatSlider(0.7, min=0, max=2, step=0.1, continuous_update=False, disabled=True)
        options = {"placeholder": "reasoning_effort=low think_tokens=4000", "continuous_update": False}
        self.options = w.Text(description="settings", tooltip="of the model, for every request", **options, **look())
        rule = "calls, tokens, dollars, seconds, nodes: a round that could exceed one is not started"
        budget = {"placeholder": "calls=200,seconds=60", "continuous_update": False, "tooltip": rule}
        self.budget = w.Text(lab.budget, description="budget", **budget, **look())
        self.run = w.Button(description="Run", button_style="primary", tooltip="run the search with these settings")
        ends = "end the search now and keep the best result so far"
        self.stop = w.Button(description="Stop", disabled=True, tooltip=ends)
        self.meter, self.message, self.outcome, self.code = (w.HTML() for _ in range(4))
        self.tree = w.Output()
        self.path = w.Text("trace.json", description="trace", **look())
        self.save = w.Button(description="Save", disabled=True, tooltip="write the trace of the last run to this file")
        self.saved = w.HTML()

        def row(*widgets: Any) -> Any:
            return w.HBox(widgets, layout=w.Layout(flex_flow="row wrap"))

        self._knob_box, self._docs = row(), w.HTML()
        self._fill_task()
        self._fill_knobs(first.knobs)
        self._connect()
        self._refresh()
        self.box = w.VBox(
            [
                row(self.task, self.method, self.model),
                self.cassette,
                row(self.split, self.number),
                self.problem,
                self._knob_box,
                self._docs,
                row(self.own, self.temperature, self.options),
                row(self.budget, self.run, self.stop),
                self.message,
                self.meter,
                self.outcome,
                self.tree,
                row(self.path, self.save, self.saved),
                self.code,
            ]
        )

    def _look(self, width: str = "22em") -> dict[str, Any]:
        """Style and width of a field. Each needs a layout of its own, because hiding one field changes its layout."""
        layout = self._w.Layout(width=width, max_width="98%")
        return {"style": {"description_width": "7em"}, "layout": layout}

    # ---------------------------------------------------------------- the current settings

    def choice(self) -> Choice:
        """The current settings. Raises FileTrouble for a cassette that cannot be opened, ValueError without one."""
        given = [self.options.value] + [f"temperature={self.temperature.value}"] * self.own.value
        chosen = {"task": self.task.value, "method": self.method.value, "model": self.model.value}
        chosen |= {"problem": self.problem.value, "split": self.split.value, "number": self.number.value}
        chosen |= {"knobs": {name: knob.value for name, knob in self.knobs.items()}}
        chosen |= {"settings": " ".join(given), "budget": self.budget.value}
        return form.choice(self._lab, chosen, self._model())

    def _task(self) -> Task:
        return self._lab.named(self.task.value)

    def _model(self) -> LMs:
        if self.model.value != REPLAY:
            return self._models[self.model.value]
        if not self.cassette.value.strip():
            raise ValueError("enter the file of a cassette, such as cassettes/06.jsonl, or choose another model")
        return open_lm(cassette=self.cassette.value.strip(), how="choose a live model")

    # ---------------------------------------------------------------- the options of the fields

    def _fill_task(self) -> None:
        """Offer the splits of the chosen task."""
        task = self._task()
        self.split.options = [TYPED, *((line(f"{name}: {what}"), name) for name, what in task.splits().items())]
        self.split.value = ""
        self._fill_problem()

    def _fill_problem(self) -> None:
        """Show the text of the problem chosen by split and number."""
        self.number.layout.display = SHOWN if self.split.value else HIDDEN
        self.problem.disabled = bool(self.split.value)
        if self.split.value:
            problems = self._task().problems(self.split.value)
            self.number.max = len(problems) - 1
            self.problem.value = clean(problems[self.number.value].x)

    def _fill_knobs(self, values: Any = ()) -> None:
        """Make a field for each knob of the method, with its value in ``values`` or else its default."""
        knobs = method(self.method.value).knobs(self._task())
        self.knobs = {knob.name: self._field(knob, dict(values).get(knob.name, knob.default)) for knob in knobs}
        for one in self.knobs.values():
            one.observe(self._refresh, names="value")
        self.knobs["style"].observe(self._restyle, names="value")
        self._knob_box.children = list(self.knobs.values())
        self._docs.value = parts.describe([(knob.name, knob.doc) for knob in knobs])

    def _restyle(self, change: Any) -> None:
        """Give the knobs that depend on the style their defaults in it."""
        chosen = method(self.method.value)
        defaults = chosen.settled({"style": change["new"]})
        for knob in chosen.knobs():
            if knob.paper is not None:
                self.knobs[knob.name].value = defaults[knob.name]

    def _field(self, knob: Knob, value: Any) -> Any:
        """A widget for a knob, according to its kind."""
        w, common = self._w, {"description": knob.name, "tooltip": knob.doc, **self._look()}
        if knob.choices:
            options = [(choice or "default", choice) for choice in knob.choices]
            return w.Dropdown(options=options, value=value, **common)
        if knob.kind == "bool":
            return w.Checkbox(value, **common)
        if knob.kind == "int":
            return w.BoundedIntText(value, min=knob.least, max=10**6, **common)
        if knob.kind == "float":
            return w.FloatText(value, **common)
        return w.Text(value or "", continuous_update=False, **common)

    # ---------------------------------------------------------------- callbacks

    def _connect(self) -> None:
        def then(fill: Any) -> Any:
            def react(change: Any) -> None:
                if not self._quiet:
                    self._quiet = True
                    try:
                        with self._errors_shown():
                            fill()
                    finally:
                        self._quiet = False
                    self._refresh()

            return react

        def new_task() -> None:
            self._fill_task()
            self.method.value = usual(self._task()).name
            self._fill_knobs()
            at_home = self.task.value == self._lab.first_task
            self.problem.value = clean(self._lab.choice({}, "").problem if at_home else first_problem(self._task()))

        def new_split() -> None:
            self.number.value = 0
            self._fill_problem()

        self.task.observe(then(new_task), names="value")
        self.method.observe(then(self._fill_knobs), names="value")
        self.split.observe(then(new_split), names="value")
        self.number.observe(then(self._fill_problem), names="value")
        self.own.observe(then(lambda: setattr(self.temperature, "disabled", not self.own.value)), names="value")
        for one in (self.model, self.cassette, self.problem, self.temperature, self.options, self.budget):
            one.observe(self._refresh, names="value")
        self.run.on_click(lambda button: self._start())
        self.stop.on_click(lambda button: self._stop())
        self.save.on_click(lambda button: self._save())

    def _refresh(self, change: Any = None) -> None:
        """Show the code for the current settings, or what is wrong with them."""
        if self._quiet:
            return
        with self._lock:
            self.cassette.layout.display = SHOWN if self.model.value == REPLAY else HIDDEN
            self.message.value = self.code.value = ""
            with self._errors_shown():
                choice = self.choice()
                choice.job()
                self.code.value = parts.code(choice.code())
            self.run.disabled = not self.code.value or self._running()

    def _running(self) -> bool:
        return self.session is not None and self.session.running

    def _start(self) -> None:
        if self._running():
            return
        with self._errors_shown():
            choice = self.choice()
            self._limits = choice.limits()
            session = Session(choice.job(), choice.models(), budget=self._limits, on_change=self._changed)
            self.session, self.run.disabled, self.stop.disabled, self.save.disabled = session, True, False, True
            self.outcome.value = self.message.value = self.saved.value = ""
            self.tree.outputs = ()
            session.start()

    def _stop(self) -> None:
        if self.session:
            self.stop.disabled = True
            self.session.stop()

    def _changed(self, session: Session) -> None:
        """Called from the session's thread: show what was used, and at the end the result."""
        if session is not self.session:
            return
        with self._lock:
            self.meter.value = parts.meter(session.meter, self._limits)
            if session.running:
                return
            self.stop.disabled = True
            self._refresh()
            if session.failure:
                self.message.value = parts.message(_sentence(session.failure))
            elif solution := session.solution:
                self.outcome.value = parts.outcome(solution)
                self.save.disabled = False
                if session.missed:
                    self.message.value = parts.message("This was not recorded: choose a live model.")
                if page := parts.tree(solution):
                    data = {"text/html": str(page), "text/plain": repr(page)}
                    self.tree.outputs = ({"output_type": "display_data", "data": data, "metadata": {}},)

    def _save(self) -> None:
        path = Path(self.path.value.strip() or "trace.json")
        if not (self.session and self.session.solution):
            return
        try:
            if path.exists() and path.stat().st_size:
                Trace.load(path)  # overwrite nothing but traces
            self.session.solution.trace.save(path)
            self.saved.value = parts.message(f"Saved. To show it, run: tot show {path}")
        except ValueError:
            self.saved.value = parts.message(f"{path} exists and is not a trace: choose another name.")
        except OSError as error:
            self.saved.value = parts.message(f"{path} cannot be written ({error.strerror}): choose another name.")

    def close(self) -> None:
        """Stop the run, wait until it has ended, and close the widgets."""
        if self.session:
            self.session.stop()
            with self._errors_shown():
                self.session.wait()
        self.box.close()

    @contextmanager
    def _errors_shown(self) -> Iterator[None]:
        """Show exceptions in the panel, because those raised in a widget's callback are not visible."""
        try:
            yield
        except Exception as error:
            self.message.value = parts.message(_sentence(error))


def _sentence(error: BaseException) -> str:
    ours = isinstance(error, ValueError | LMError | FileTrouble)
    return str(error) if ours else f"{type(error).__name__}: {error}"
