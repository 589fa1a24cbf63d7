"""A question with its answer behind *Reveal*: a guess first, then guess and truth side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tot.show.escaping import clean, escape, number, real
from tot.stats import Interval
from tot.ties import level

from .axes_only import Along, bare, marks, scale_of
from .page import as_written
from .styles import handlers_of, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = 100  # positions of a slider whose step nobody named
MOST = 10_000  # positions: a finer slider cannot be set by hand


class Predict:
    """A question, a place to guess, and *Reveal*: the answer beside the guess, and ``shows``.

    The kind of guess follows from what is passed:

    - ``choices``, and an ``answer`` that is one of them: a choice;
    - ``choices``, and an ``answer`` that has all of them in their true order: an order;
    - ``low`` and ``high``: a number, set in steps of ``step`` (default: 1 for whole numbers, else a hundredth of the
      way). An ``Interval`` stands for its rate, and is shown as a whole;
    - ``figure`` and ``at``: marks drawn into a matplotlib figure, name -> its place on one axis of the first plot, and
      a number of ``answer`` for each on the other one, ``along``.

    A ``figure`` stands there from the start, but without its data. ``alt``: what it shows, for those who do not see it.
    ``unit``: after each number; a drawn guess in "%" is on an axis of shares. ``shows``: what the reader sees below the
    answer, a text or anything with ``_repr_html_``.

    Where no script runs, and on paper, all is open, and there is nothing to press.

    Raises ValueError for none and for two of these kinds, for fewer than two choices or one named twice, and for an
    answer that cannot be given. Raises TypeError for a ``shows`` that cannot be shown.
    """

    def __init__(
        self,
        question: str,
        answer: float | Interval | str | Sequence[str] | Sequence[float],
        *,
        choices: Sequence[str] | None = None,
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        unit: str = "",
        shows: Any = None,
        figure: Figure | None = None,
        alt: str = "",
        at: Mapping[str, float] | None = None,
        along: Along = "y",
    ) -> None:
        if [choices is not None, (low is not None or high is not None), at is not None].count(True) != 1:
            raise ValueError("pass choices, or low and high, or at: one way to guess")
        if not (shows is None or isinstance(shows, str) or hasattr(shows, "_repr_html_")):
            raise TypeError("shows must be a text, or an object with _repr_html_")
        self.question, self.unit = clean(question), f" {clean(unit)}" if unit else ""
        self.shows, self.alt = clean(shows) if _is_text(shows) else shows, clean(alt)
        self.plot = "" if figure is None else bare(figure)
        self.limits = ""  # of the guess, in words
        self.scale = ""  # guess and truth side by side
        self.does = ""  # what the form does
        if at is not None:
            self._draw(answer, figure, at, along)
        elif choices is None:
            self._slide(answer, low, high, step)
        else:
            self._choose(answer, choices)

    # ------------------------------------------------------------ the four kinds: data, form and answer

    def _choose(self, answer: Any, choices: Sequence[str]) -> None:
        names = [clean(choice) for choice in choices]
        ordered = not isinstance(answer, str) and isinstance(answer, Sequence)
        told = [clean(each) for each in answer] if ordered else [clean(answer)]
        if len(names) < 2 or len({*names}) < len(names):
            raise ValueError(f"pass two or more choices, each once, not {names}")
        if not {*told} <= {*names} or (ordered and sorted(told) != sorted(names)):
            raise ValueError(f"the answer {clean(answer)!r} is none of the choices: {', '.join(names)}")
        self.limits, self.answer = " / ".join(names), ", ".join(told)
        places, does = [names.index(name) for name in told], handlers_of("predict")
        self.data = f'data-kind="{"order" if ordered else "choice"}" data-answer="{",".join(map(str, places))}"'
        self.does = f'onclick="{does["placed"]}"' if ordered else f'onchange="{does["picked"]}"'
        if not ordered:
            self.form = "".join(
                f'<label{" class=tot-true" * (i == places[0])}><input type="radio" name="guess" value="{i}" '
                f'autocomplete="off"/> <span>{escape(name)}</span></label>'
                for i, name in enumerate(names)
            )
        else:
            self.form = "<small>Press them in your order, the first one first.</small>" + "".join(
                f'<button type="button" value="{i}"><i>–</i> <span>{escape(name)}</span></button>'
                for i, name in enumerate(names)
            )
            rows = (f'<li data-of="{i}">{escape(names[i])} <small></small></li>' for i in places)
            self.scale = f'<ol class="tot-order">{"".join(rows)}</ol>'

    def _slide(self, answer: Any, low: float | None, high: float | None, step: float | None) -> None:
        value = answer.rate if isinstance(answer, Interval) else real(answer)
        if low is None or high is None or not low < high:
            raise ValueError(f"a slider needs both ends, low < high, not {low} and {high}")
        if value is None or not level(low) <= level(value) <= level(high):
            raise ValueError(f"the answer {answer} is no number from {low} to {high}")
        whole = all(float(n).is_integer() for n in (low, high, value))
        step = step or (1 if whole and high - low <= STEPS else (high - low) / STEPS)
        if not 0 < step <= high - low or (high - low) / step > MOST:
            raise ValueError(f"no slider from {low} to {high} has steps of {step}")
        self.limits = f"{number(low)} to {number(high)}{self.unit}"
        self.answer = clean(answer) if isinstance(answer, Interval) else f"{number(value)}{self.unit}"
        self.data = (
            f'data-kind="number" data-answer="{level(value)}" data-step="{level(step)}" data-unit="{escape(self.unit)}"'
        )
        does = handlers_of("predict")
        ends = [f"<small>{escape(number(end) + self.unit)}</small>" for end in (low, high)]
        # It rests at its lower end, pale, and says nothing until it was touched: a start is no guess, and no hint.
        self.form = (
            f'{ends[0]} <input type="range" min="{low}" max="{high}" step="{level(step)}" value="{low}" '
            f'autocomplete="off" aria-label="Your guess" oninput="{does["moved"]}" onclick="this.oninput()" '
            f'onkeydown="{does["touched"]}"/> {ends[1]} <output>your guess?</output>'
        )
        band, at = "", 100 * (value - low) / (high - low)
        if isinstance(answer, Interval):
            start, width = ((end - low) / (high - low) for end in (answer.low, answer.high - answer.low + low))
            band = f'<u style="left:{start:.2%};width:{width:.2%}"></u>'
        yours = '<b class="tot-yours" hidden>you</b>'
        truth = f'<b style="left:{at:.4g}%">answer</b>'
        line = f"{ends[0]}<span>{band}{truth}{yours}</span>{ends[1]}"
        self.scale = f'<div class="tot-scale" aria-hidden="true">{line}</div>'

    def _draw(self, answer: Any, figure: Figure | None, at: Mapping[str, float], along: Along) -> None:
        truth = [real(each) for each in answer] if isinstance(answer, Sequence) else []
        if figure is None or not at or len(truth) != len(at) or None in truth:
            raise ValueError(f"a drawn guess needs a figure, and a number for each of {len(at)} marks, not {answer}")
        scale, does = scale_of(figure.axes[0], along), handlers_of("predict")
        drawn = marks(figure.axes[0], scale, at)
        self.plot = self.plot.replace("</svg>", f"{drawn}</svg>").replace('role="img"', 'role="group"', 1)
        handlers = f'onclick="{does["set"]}" onpointermove="{does["dragged"]}" onkeydown="{does["keyed"]}"'
        self.plot = self.plot.replace("<svg ", f"<svg {handlers} ", 1)
        factor = 100 if self.unit == " %" else 1
        shown = [f"{number(factor * (each or 0))}{self.unit}" for each in truth]
        self.limits = ", ".join(map(clean, at))
        self.answer = "; ".join(f"{clean(name)}: {value}" for name, value in zip(at, shown, strict=True))
        numbers = ",".join(f"{each}" for each in truth)
        ends = ",".join(f"{end:.6g}" for end in scale[1:5])
        self.data = (
            f'data-kind="drawn" data-answer="{numbers}" data-unit="{escape(self.unit)}" data-factor="{factor}" '
            f'data-scale="{ends}" data-along="{along}"{" data-log" if scale.log else ""}'
        )
        self.form = "<small>Click into the plot, or move the marks with the arrow keys.</small><output></output>"

    # ------------------------------------------------------------ as HTML and as text

    def _repr_html_(self) -> str:
        does = handlers_of("predict")
        shown = f'<div class="tot-shows">{_markup(self.shows)}</div>' if self.shows is not None else ""
        plot = f'<div class="tot-scroll">{self.plot}</div>' if self.plot else ""
        alt = f'<p class="tot-alt">{escape(self.alt)}</p>' if self.alt else ""
        return as_written(
            f'<div class="tot-predict" role="group" aria-label="Predict" {self.data}>'
            f"<style>{style_of('predict')}</style>\n"
            f'<p class="tot-question">{escape(self.question)}</p>\n'
            f'<form class="tot-guess" onsubmit="return false" {self.does}>{self.form}</form>\n'
            f"{plot}"
            f'<details class="tot-reveal" ontoggle="{does["revealed"]}"><summary onclick="{does["asked"]}">'
            '<span class="tot-closed">Reveal</span><span class="tot-opened">Hide, and guess again</span></summary>\n'
            f'<p class="tot-answer"><b>{escape(self.answer)}</b> <span class="tot-said" role="status"></span></p>\n'
            f"{self.scale}{alt}{shown}</details>"
            '<p class="tot-first" role="status" hidden>Guess first, or '
            f'<button type="button" onclick="{does["anyway"]}">show it anyway</button></p></div>'
        )

    def __repr__(self) -> str:
        lines = [self.question, f"  ({self.limits})", f"Answer: {self.answer}"]
        return "\n".join(lines + [text for text in (self.alt, self._said()) if text])

    def _said(self) -> str:
        """What is shown, in text: of a picture only what it is a picture of."""
        if self.shows is None:
            return ""
        return repr(self.shows) if isinstance(self.shows, str) and not _is_text(self.shows) else str(self.shows)


def _markup(shows: Any) -> str:
    return f"<p>{escape(shows)}</p>" if _is_text(shows) else str(shows._repr_html_())


def _is_text(shows: Any) -> bool:
    """Whether it is shown as it is written: a picture or a page is a str, too, but shows itself."""
    return isinstance(shows, str) and not hasattr(shows, "_repr_html_")
