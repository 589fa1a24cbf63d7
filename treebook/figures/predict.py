"""A question with its answer behind *Reveal*: a guess by slider or choice first, then how far off it was."""

from collections.abc import Sequence
from typing import Any

from tot.show.escaping import clean, escape, number, real
from tot.stats import Interval
from tot.ties import level

from .styles import handlers_of, style_of

STEPS = 100  # positions of a slider whose step nobody named
MOST = 10_000  # positions: a finer slider cannot be set by hand


class Predict:
    """A question, a place to guess, and *Reveal*: the answer, how far off the guess was, and ``shows``.

    The guess is a choice, one of ``choices``, or a number: a slider from ``low`` to ``high`` in steps of ``step``
    (default: 1 for whole numbers, else a hundredth of the way). ``answer``: one of the choices, or a number between the
    bounds; an ``Interval`` stands for its rate, and is shown as a whole. ``unit``: after each number. ``shows``: what
    the reader sees below the answer, a text or anything with ``_repr_html_``.

    The guess stays beside the answer. Where no script runs, and on paper, there is the question and, folded or printed,
    the answer.

    Raises ValueError for choices together with bounds and for neither, for fewer than two choices or one named twice,
    and for an answer that cannot be given. Raises TypeError for a ``shows`` that cannot be shown.
    """

    def __init__(
        self,
        question: str,
        answer: float | Interval | str,
        *,
        choices: Sequence[str] | None = None,
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        unit: str = "",
        shows: Any = None,
    ) -> None:
        if (choices is None) is (low is None and high is None):
            raise ValueError("pass choices, or low and high: one of the two ways to guess")
        if not (shows is None or isinstance(shows, str) or hasattr(shows, "_repr_html_")):
            raise TypeError("shows must be a text, or an object with _repr_html_")
        self.question, self.unit = clean(question), f" {clean(unit)}" if unit else ""
        self.shows = clean(shows) if _is_text(shows) else shows
        self.choices: list[str] = []
        if choices is None:
            self._slide(answer, low, high, step)
        else:
            self._choose(answer, choices)

    def _choose(self, answer: object, choices: Sequence[str]) -> None:
        self.choices = [clean(choice) for choice in choices]
        if len(self.choices) < 2 or len({*self.choices}) < len(self.choices):
            raise ValueError(f"pass two or more choices, each once, not {self.choices}")
        if clean(answer) not in self.choices:
            raise ValueError(f"the answer {clean(answer)!r} is none of the choices: {', '.join(self.choices)}")
        self.answer = clean(answer)

    def _slide(self, answer: object, low: float | None, high: float | None, step: float | None) -> None:
        value = answer.rate if isinstance(answer, Interval) else real(answer)
        if low is None or high is None or not low < high:
            raise ValueError(f"a slider needs both ends, low < high, not {low} and {high}")
        if value is None or not level(low) <= level(value) <= level(high):
            raise ValueError(f"the answer {answer} is no number from {low} to {high}")
        whole = all(float(n).is_integer() for n in (low, high, value))
        self.step = step or (1 if whole and high - low <= STEPS else (high - low) / STEPS)
        if not 0 < self.step <= high - low or (high - low) / self.step > MOST:
            raise ValueError(f"no slider from {low} to {high} has steps of {step}")
        self.low, self.high, self.value = low, high, value
        self.answer = clean(answer) if isinstance(answer, Interval) else f"{number(value)}{self.unit}"

    def _repr_html_(self) -> str:
        question = f'<p class="tot-question">{escape(self.question)}</p>'
        if self.choices:
            place = self.choices.index(self.answer)
            data, guess = f'data-answer="{place}"', self._radio()
        else:
            step, value = level(self.step), level(self.value)
            data, guess = f'data-answer="{value}" data-step="{step}" data-unit="{escape(self.unit)}"', self._slider()
        shown = f'<div class="tot-shows">{_markup(self.shows)}</div>' if self.shows is not None else ""
        return (
            f'<div class="tot-predict" role="group" aria-label="Predict" {data}>'
            f"<style>{style_of('predict')}</style>\n{question}\n"
            f'<form class="tot-guess" onsubmit="return false">{guess}</form>\n'
            f'<details class="tot-reveal" ontoggle="{handlers_of("predict")["revealed"]}"><summary>Reveal</summary>\n'
            f'<p class="tot-answer"><b>{escape(self.answer)}</b> <span class="tot-said" role="status"></span></p>\n'
            f"{shown}</details></div>"
        )

    def _slider(self) -> str:
        """It rests at its lower end, pale, and says nothing until it was touched: a start is no guess, and no hint."""
        does = handlers_of("predict")
        ends = [f"<small>{escape(number(end) + self.unit)}</small>" for end in (self.low, self.high)]
        return (
            f'{ends[0]} <input type="range" min="{self.low}" max="{self.high}" step="{level(self.step)}" '
            f'value="{self.low}" autocomplete="off" aria-label="Your guess" oninput="{does["moved"]}" '
            f'onclick="this.oninput()" onkeydown="{does["touched"]}"/> {ends[1]} '
            "<output>your guess?</output>"
        )

    def _radio(self) -> str:
        """A form of its own keeps these buttons apart from those of the next question."""
        picked = handlers_of("predict")["picked"]
        return "".join(
            f'<label><input type="radio" name="guess" value="{i}" autocomplete="off" '
            f'onchange="{picked}"/> <span>{escape(choice)}</span></label>'
            for i, choice in enumerate(self.choices)
        )

    def __repr__(self) -> str:
        bounds = "" if self.choices else f"{number(self.low)} to {number(self.high)}{self.unit}"
        lines = [self.question, f"  ({' / '.join(self.choices) or bounds})", f"Answer: {self.answer}"]
        return "\n".join(lines + ([self._said()] if self.shows is not None else []))

    def _said(self) -> str:
        """What is shown, in text: of a picture only what it is a picture of."""
        return repr(self.shows) if isinstance(self.shows, str) and not _is_text(self.shows) else str(self.shows)


def _markup(shows: Any) -> str:
    return f"<p>{escape(shows)}</p>" if _is_text(shows) else str(shows._repr_html_())


def _is_text(shows: Any) -> bool:
    """Whether it is shown as it is written: a picture or a page is a str, too, but shows itself."""
    return isinstance(shows, str) and not hasattr(shows, "_repr_html_")
