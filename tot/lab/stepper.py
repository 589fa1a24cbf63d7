"""A place to play: turn a knob, and the search runs again and its tree is drawn anew; or step through one search.

With a kernel these are ipywidgets panels. In a static page they are what was computed beforehand: the same pictures,
behind one slider. Nothing there is dead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from .ask import LM, LMError, OnReply, Reply, Request
from .show import Frames, svg
from .solve import Solution, solve


class AtTemperature:
    """A language model with every request's temperature replaced: for turning that knob on any task."""

    def __init__(self, lm: LM, temperature: float) -> None:
        self.lm, self.name, self.batched, self.temperature = lm, lm.name, lm.batched, temperature

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        own = [replace(request, temperature=self.temperature) for request in requests]
        return self.lm(own, on_reply)


@dataclass(frozen=True)
class Lab:
    """Tree of Thoughts on one Game-of-24 puzzle: puzzle, breadth, proposals, verdicts, temperature, pruning.

    ``recorded`` answers for the static page (a replay, so that it is the same everywhere); ``live`` answers when a knob
    is turned, for example ``Pocket()``. ``settings``: the knobs of each static picture; all must be recorded.
    """

    recorded: LM
    live: LM
    problem: str = "4 9 10 13"
    settings: Sequence[Mapping[str, Any]] = ({"breadth": 1}, {"breadth": 3}, {"breadth": 5})

    def frames(self) -> Frames:
        """One picture for each of the settings. Raises LMError where one is not recorded."""
        runs = [solve("game24", self.problem, lm=self.recorded, **knobs) for knobs in self.settings]
        if error := next((run.error for run in runs if run.error), ""):
            raise LMError(error)
        words = [", ".join(f"{name} {value}" for name, value in knobs.items()) for knobs in self.settings]
        labels = [f"{knobs}: {_outcome(run)}" for knobs, run in zip(words, runs, strict=True)]
        return Frames([str(svg(run.trace)) for run in runs], labels, name="Settings")

    def widget(self) -> Any:
        """The panel, as an ipywidgets box. It answers every change of a knob by a new search."""
        import ipywidgets as w

        look = {"style": {"description_width": "7em"}, "continuous_update": False}
        knobs = {
            "problem": w.Text(self.problem, description="puzzle", **look),
            "breadth": w.IntSlider(5, 1, 8, description="breadth b", **look),
            "proposals": w.IntSlider(1, 1, 6, description="propose replies", **look),
            "values": w.IntSlider(3, 1, 9, description="verdicts", **look),
            "temperature": w.FloatSlider(0.7, min=0, max=1.5, description="temperature", **look),
            "trim": w.Checkbox(False, description="prune states that every verdict calls impossible"),
            "first": w.IntSlider(0, 0, 90, 10, description="other samples", **look),
        }
        outcome, tree = w.HTML(), w.HTML()
        again = self._player(knobs, outcome, tree)
        for knob in knobs.values():
            knob.observe(lambda change: again(), names="value")
        again()
        return w.VBox([*knobs.values(), outcome, tree])

    def _player(self, knobs: dict[str, Any], outcome: Any, tree: Any) -> Callable[[], None]:
        def again() -> None:
            outcome.value = "searching ..."
            values = {name: knob.value for name, knob in knobs.items()}
            lm = AtTemperature(self.live, values.pop("temperature"))
            try:
                run = solve("game24", values.pop("problem"), lm=lm, **values)
            except ValueError as error:  # not a puzzle
                outcome.value, tree.value = f"<b>{escape(str(error))}</b>", ""
                return
            outcome.value = f"<b>{escape(run.error or _outcome(run))}</b>"
            tree.value = f'<div style="overflow-x:auto">{svg(run.trace)}</div>' if run.trace.nodes() else ""

        return again

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The panel where widgets live, else the frames."""
        return _live_or_still(self.widget, {"text/plain": repr(self), "text/html": self.frames()._repr_html_()})

    def __repr__(self) -> str:
        return f"<Lab: {self.problem}, {self.live.name}>"


@dataclass(frozen=True)
class Stepper:
    """Step through a search: pictures made beforehand, such as ``show.boards(solution)`` or ``show.frames(solution)``.

    With a kernel there is a button that plays them beside the slider, and one picture at a time; it begins at the first
    one. In a static page it is the frames themselves.
    """

    frames: Frames

    def widget(self) -> Any:
        """The panel, as an ipywidgets box: play, slider, label, picture."""
        import ipywidgets as w

        last = len(self.frames.frames) - 1
        play = w.Play(value=0, max=last, interval=1200)
        at = w.IntSlider(value=0, max=last, description="step", readout=False)
        label, picture = w.HTML(), w.HTML()

        def turn(change: Any = None) -> None:
            label.value = f"<b>{escape(self.frames.labels[at.value])}</b>"
            picture.value = f'<div style="overflow-x:auto">{self.frames.frames[at.value]}</div>'

        w.link((play, "value"), (at, "value"))
        at.observe(turn, names="value")
        turn()
        return w.VBox([w.HBox([play, at, label]), picture])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The panel where widgets live, else the frames."""
        return _live_or_still(self.widget, {"text/plain": repr(self), "text/html": self.frames._repr_html_()})

    def __repr__(self) -> str:
        return f"<Stepper: {self.frames!r}>"


def _live_or_still(widget: Callable[[], Any], still: dict[str, Any]) -> dict[str, Any]:
    """``still``, and beside it the widget where ipywidgets is installed: a page shows what it can."""
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return still
    live: dict[str, Any] = widget()._repr_mimebundle_()
    return {**live, **still}


def _outcome(run: Solution) -> str:
    """ "solved: (13 - 9) * (10 - 4), 1,200 tokens generated, 6 rounds"."""
    total = run.result.ledger.total
    answer = f"{'solved' if run.correct else 'not solved'}: {run.answer or 'no answer'}"
    return f"{answer}; {total.completion_tokens:,} tokens generated in {run.result.ledger.rounds} rounds"
