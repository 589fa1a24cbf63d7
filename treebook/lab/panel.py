"""The lab's panel: the form (``form``) as ipywidgets, around a ``Session``."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from tot.jsonlines import FileTrouble
from tot.lm.base import LMError
from tot.lm.opening import open as open_lm
from tot.lm.roles import LMs
from tot.lm.wire import LIKE_A_KEY, SECRET, without_keys
from tot.methods import Knob, method
from tot.show.escaping import clean, line

from . import form, parts
from .choice import Choice
from .session import Session

if TYPE_CHECKING:
    from .lab import Lab

REPLAY = "a cassette (enter its file)"
TYPED = ("your own", "")
HIDDEN, SHOWN = "none", ""  # values of a layout's ``display``


class Panel:
    """``panel.box`` is the widget to display. ``panel.session`` is the run that was started last, if any. When a cell
    is run again while a search is in progress that was started there, the new panel goes on with that one.

    The widgets in it: those of ``form.FIELDS``, with ``knobs`` by name; ``cassette``; ``run``, ``stop``; ``meter``,
    ``message``, ``outcome``, ``tree``, ``code``.
    """

    sessions: ClassVar[list[tuple[object, Session]]] = []  # in progress, each with the place of its panel

    def __init__(self, lab: Lab) -> None:
        import ipywidgets as w

        self._lab, self._w, self._models = lab, w, lab.all_models()
        self._lock, self._quiet = threading.RLock(), True
        self.session: Session | None = None
        self.knobs: dict[str, Any] = {}
        self.task = self._field("task", w.Dropdown, options=form.task_names(lab))
        self.method = self._field("method", w.Dropdown)
        self.model = self._field("model", w.Dropdown, options=[*self._models, REPLAY])
        file = {"placeholder": "cassettes/06.jsonl", "continuous_update": False}
        self.cassette = w.Text(description="cassette", **file, **self._look("98%"))
        self.split = self._field("split", w.Dropdown)
        self.number = self._field("number", w.BoundedIntText, value=1, min=1, max=1)
        self.problem = w.Textarea(description="", continuous_update=False, rows=2, **self._look("98%"))
        self.settings = self._field("settings", w.Text, continuous_update=False)
        self.budget = self._field("budget", w.Text, continuous_update=False)
        self.run = w.Button(description="Run", button_style="primary", tooltip="run the search with these settings")
        ends = "end the search now and keep the best result so far"
        self.stop = w.Button(description="Stop", disabled=True, tooltip=ends)
        self.meter, self.message, self.outcome, self.code = (w.HTML() for _ in range(4))
        self.tree = w.Output()

        def row(*widgets: Any) -> Any:
            return w.HBox(widgets, layout=w.Layout(flex_flow="row wrap"))

        self._knob_box, self._docs = row(), w.HTML()
        self.set(form.first(lab))
        self._quiet = False
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
                row(self.settings, self.budget),
                row(self.run, self.stop),
                self.message,
                self.meter,
                self.outcome,
                self.tree,
                self.code,
            ]
        )
        self._place = _place(lab)
        if mine := [session for place, session in self.sessions if place == self._place and session.running]:
            self.message.value = parts.message("The search that was in progress here goes on: Stop ends it.")
            self._follow(session := min(mine, key=lambda one: len(one.listeners)))  # a cell may show several panels
            self._changed(session)  # it may have ended just now

    def _field(self, name: str, kind: Callable[..., Any], **more: Any) -> Any:
        one = form.FIELDS[name]
        hint = {"placeholder": one.hint} if one.hint else {}
        return kind(description=one.label, tooltip=one.doc, **hint, **more, **self._look())

    def _look(self, width: str = "22em") -> dict[str, Any]:
        """Style and width of a field. Each needs a layout of its own, because hiding one field changes its layout."""
        layout = self._w.Layout(width=width, max_width="98%")
        return {"style": {"description_width": "7em"}, "layout": layout}

    # ---------------------------------------------------------------- the form, as in live/lab.js

    def set(self, given: Mapping[str, Any]) -> None:
        """Set all that a form names (see ``form.choice``), and the rest to what is usual."""
        self._set_task(given["task"], given)
        self.settings.value, self.budget.value = given.get("settings", ""), given.get("budget", "")

    def _set_task(self, name: str, given: Mapping[str, Any]) -> None:
        self._offer = offer = form.of_task(self._lab, name)
        self.task.value = name
        splits = [(line(f"{split}: {one['about']}"), split) for split, one in offer["splits"].items()]
        self.split.options, self.method.options = [TYPED, *splits], offer["methods"]
        self._set_problem(given.get("split", ""), given.get("number", 0), given.get("problem", offer["first"]))
        self._set_method(given.get("method", offer["usual"]), given.get("knobs", {}))

    def _set_problem(self, split: str, number: int, text: str = "") -> None:
        """Problem ``number``, from 0, of ``split``; or with "" the text."""
        self.split.value = split
        self.number.layout.display = SHOWN if split else HIDDEN
        self.problem.disabled = bool(split)
        if split:
            problems = self._offer["splits"][split]["problems"]
            self.number.max, self.number.value = len(problems), number + 1
            text = problems[number]
        self.problem.value = clean(text)

    def _set_method(self, name: str, values: Mapping[str, Any]) -> None:
        """Make a field for each knob of the method, with its value in ``values`` or else its default in that style."""
        self.method.value = name
        knobs = method(name).knobs(self._lab.named(self.task.value))
        values = {**method(name).settled({"style": values.get("style", "")}), **values}
        self.knobs = {knob.name: self._knob(knob, values[knob.name]) for knob in knobs}
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

    def _knob(self, knob: Knob, value: Any) -> Any:
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

    def read(self) -> dict[str, Any]:
        """The form, as ``form.choice`` takes it."""
        split = {"split": self.split.value, "number": self.number.value - 1}
        read = {name: getattr(self, name).value for name in ("task", "method", "model", "settings", "budget")}
        read |= split if self.split.value else {"problem": self.problem.value}
        return read | {"knobs": {name: knob.value for name, knob in self.knobs.items()}}

    def choice(self) -> Choice:
        """The current settings. Raises FileTrouble for a cassette that cannot be opened, ValueError without one."""
        return form.choice(self._lab, self.read(), self._model())

    def _model(self) -> LMs:
        if self.model.value != REPLAY:
            return self._models[self.model.value]
        if not self.cassette.value.strip():
            raise ValueError("enter the file of a cassette, such as cassettes/06.jsonl, or choose another model")
        return open_lm(cassette=self.cassette.value.strip(), how="choose a live model")

    # ---------------------------------------------------------------- callbacks

    def _connect(self) -> None:
        def when(one: Any, then: Callable[[], None]) -> None:
            def react(change: Any) -> None:
                if not self._quiet:
                    self._quiet = True  # setting a field changes others, which are set, too
                    try:
                        then()
                    finally:
                        self._quiet = False
                    self._refresh()

            one.observe(react, names="value")

        when(self.task, lambda: self._set_task(self.task.value, {}))
        when(self.method, lambda: self._set_method(self.method.value, {}))
        when(self.split, lambda: self._set_problem(self.split.value, 0, self.problem.value))
        when(self.number, lambda: self._set_problem(self.split.value, self.number.value - 1))
        for one in (self.model, self.cassette, self.problem, self.settings, self.budget):
            one.observe(self._refresh, names="value")
        self.run.on_click(lambda button: self._start())
        self.stop.on_click(lambda button: self._stop())

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
            slip = not self.code.value  # in what can be read only a maker's key is one: long names are settings
            for field in (self.settings, self.budget, self.cassette):
                words = re.split(r"[\s,=]+", field.value)
                if any(
                    without_keys(word) != word or (slip and (SECRET.search(word) or LIKE_A_KEY.search(word)))
                    for word in words
                ):
                    self._quiet, field.value = True, ""  # a notebook stores what its widgets hold
                    self.code.value = ""
                    self._quiet = False
                    said = "That looked like a key, and is gone: keys go in OPENAI_API_KEY."
                    self.message.value = parts.message(said)
            self.run.disabled = not self.code.value or self._running()

    def _running(self) -> bool:
        return self.session is not None and self.session.running

    def _start(self) -> None:
        if self._running():
            return
        with self._errors_shown():
            choice = self.choice()
            session = Session(choice.job(), choice.models(), budget=choice.limits())
            self._follow(session)
            self.sessions[:] = [*(one for one in self.sessions if one[1].running), (self._place, session)]
            self.outcome.value = self.message.value = ""
            self.tree.outputs = ()
            session.start()

    def _follow(self, session: Session) -> None:
        self.session, self.run.disabled, self.stop.disabled = session, True, False
        session.listeners.append(self._changed)

    def _stop(self) -> None:
        if self.session:
            self.stop.disabled = True
            self.session.stop()

    def _changed(self, session: Session) -> None:
        """Called from the session's thread: show what was used, and at the end the result."""
        if session is not self.session:
            return
        with self._lock:
            self.meter.value = parts.meter(session.meter, session.run.budget)
            if session.running:
                return
            self.stop.disabled = True
            self._refresh()
            if session.failure:
                self.message.value = parts.message(_sentence(session.failure))
            elif solution := session.solution:
                self.outcome.value = parts.outcome(solution)
                if session.missed:
                    self.message.value = parts.message("This was not recorded: choose a live model.")
            if page := parts.tree(session.solution or session.run.result()):
                data = {"text/html": str(page), "text/plain": repr(page)}
                self.tree.outputs = ({"output_type": "display_data", "data": data, "metadata": {}},)

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


def _place(lab: Lab) -> object:
    """The cell that is being run, as the front end calls it, or else its text; where there is no cell, this lab."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    parent: Any = getattr(shell, "get_parent", dict)()
    return parent.get("metadata", {}).get("cellId") or [id(lab), *getattr(shell, "user_ns", {}).get("In", ())][-1]


def _sentence(error: BaseException) -> str:
    ours = isinstance(error, ValueError | LMError | FileTrouble)
    return str(error) if ours else f"{type(error).__name__}: {error}"
