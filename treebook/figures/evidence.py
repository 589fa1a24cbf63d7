"""Evidence as one glyph: an estimate, its interval, n and the verdict; and lines of results that show nothing else.

The glyph is one empty element in the style of ``evidence.css``: its places are shares of its width, so a cell, a
caption and the forest plot draw the same. What it draws stands beside it as text.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tot.show.escaping import clean, escape
from tot.stats import Interval, Paired

from ..studies.results import Compared
from .page import as_written
from .styles import style_of

CLEAR = 0.05  # a test's p below it
LOOKS = {"ahead": " tot-ahead", "behind": " tot-behind", "cannot tell": " tot-open"}  # verdict -> class
LOOKS |= {"agrees": LOOKS["ahead"], "the other way round": LOOKS["behind"]}
_NUMBER = r"[+−-]?\d[\d,]*(?:\.\d+)?"
WRITTEN = re.compile(rf"(?<![\w.])({_NUMBER})(%?) \[({_NUMBER})%?, ({_NUMBER})%?\]")
_CELL = re.compile(WRITTEN.pattern + r"(?:, [^\[\]]{1,40})?")
_TEST = re.compile(
    r"[,:]? ?(?:n ?= ?\d+)?[,:;]? ?(?:p (?:=|<) (\d*\.?\d+(?:e-\d+)?)|(cannot tell)|agrees|clear|the other way)"
)
NUMERIC = re.compile(rf"(?:{_NUMBER}%?|[<>≤≥] ?{_NUMBER}|)")
SIGN = re.compile(r"(?<![\w.)\]])-(?=[\d.])")


@dataclass(frozen=True)
class Evidence:
    """An estimate with the bounds of its 95 % interval, in the numbers that are printed (54 where ``unit`` is "%").

    ``gain``: a difference, which says something only where it is not 0. ``p``: of its test, which then decides
    between clear and not; else the interval does. ``n``: problems behind it; 0: not said.
    """

    rate: float
    low: float
    high: float
    unit: str = ""
    gain: bool = False
    p: float | None = None
    n: int = 0

    @property
    def verdict(self) -> str:
        """ "ahead", "behind" or "cannot tell"; "" for a rate, which is compared with nothing."""
        if not self.gain:
            return ""
        below = math.copysign(1, self.high) < 0  # "-0.0" is a bound below 0
        clear = self.p < CLEAR if self.p is not None else self.low > 0 or below
        return ("ahead" if self.rate > 0 else "behind") if clear else "cannot tell"

    @property
    def top(self) -> float:
        """Where its scale ends: at 100 per cent, at 1, or at its own farthest bound."""
        return max(100.0 if self.unit else 1.0, *map(abs, (self.rate, self.low, self.high)))

    def glyph(self, top: float | None = None, mark: float | None = None, verdict: str | None = None) -> str:
        """The glyph on a scale from 0 to ``top``, for a difference from -top to top. ``mark``: a tick at somebody
        else's figure. ``verdict``: another one than its own, such as whether the two agree.
        """
        top = top or self.top

        def at(x: float) -> float:
            share = (x / top + 1) / 2 if self.gain else x / top
            return 100 * min(1.0, max(0.0, share))

        verdict = self.verdict if verdict is None else verdict
        kind = LOOKS.get(verdict, "")
        kind += " tot-gain" * self.gain
        places = f"--m:{at(self.rate):.1f}%;--l:{at(self.low):.1f}%;--w:{at(self.high) - at(self.low):.1f}%"
        tick = "" if mark is None else f"<b style='left:{at(mark):.1f}%'></b>".replace("'", '"')
        said = f'role="img" aria-label="{verdict}"' if verdict else 'aria-hidden="true"'
        return f'<i class="tot-ev{kind}" style="{places}" {said}>{tick}</i>'


def read(text: str) -> Evidence | None:
    """The evidence that a whole text such as "64% [54%, 73%]", "+10 [-2, +25]" or "0.83 [0.80, 0.86]" is; None for any
    other text. A sign before the estimate makes it a difference; a short remark may follow (", n=10").
    """
    found = _CELL.fullmatch(text.strip())
    return evidence_of(found) if found else None


def evidence_of(found: re.Match[str], after: str = "") -> Evidence:
    """What a match of ``WRITTEN`` says; the words ``after`` it may give the p of the test, or its verdict."""
    rate, low, high = (float(x.replace("−", "-").replace(",", "")) for x in found.group(1, 3, 4))
    signed = found[1][0] in "+−-" or any(x[0] == "+" for x in found.group(3, 4))
    test = _TEST.match(after)
    p = None if test is None else float(test[1] or bool(test[2]))
    return Evidence(rate, low, high, found[2] or ("%" if signed and abs(rate) > 1 else ""), signed or low < 0, p)


def p_of(text: str) -> float | None:
    """The p that a cell such as "0.29", "< 0.001" or "below 0.001" tells: of a bound, something below it."""
    found = re.fullmatch(r"(<|below)? ?(\d*\.?\d+(?:e-\d+)?)", text.strip())
    return float(found[2]) * (0.9 if found[1] else 1) if found else None


def evidence_cells(text: str, one: Evidence, top: float) -> str:
    """Three cells: the estimate, the glyph, and the interval."""
    rate, _, ends = minus(text).strip().partition(" ")
    drawn = f'<td class="tot-glyph">{one.glyph(top)}</td>'
    return f'<td class="tot-right">{rate}</td>{drawn}<td class="tot-ends">{ends.replace("%", "")}</td>'


def minus(text: str) -> str:
    """The text with real minus signs before its numbers."""
    return SIGN.sub("−", text)


def widest(found: Iterable[Evidence]) -> float:
    """One scale for several: the widest of their own; for differences the next round number, such as 25 or 50."""
    found = list(found)
    if not all(one.gain for one in found):
        return max(one.top for one in found)
    far = max(abs(x) for one in found for x in (one.rate, one.low, one.high)) or 1.0
    power = 10.0 ** math.floor(math.log10(far))
    return next(step * power for step in (1, 2.5, 5, 10) if far <= step * power)


# -------------------------------------------------------------------- result lines


class Results:
    """Lines of results; see ``results``."""

    def __init__(self, lines: Mapping[str, Interval | Paired | Compared]) -> None:
        self.lines = {clean(name): _of(found) for name, found in lines.items()}
        self.sides = {
            clean(name): f"{found.a:.0%} against {found.b:.0%}, {found.only_a} to {found.only_b}"
            for name, found in lines.items()
            if isinstance(found, Paired)
        }

    def _facts(self, name: str) -> str:
        one = self.lines[name]
        p = "" if one.p is None else "p < 0.001" if one.p < 0.001 else f"p = {one.p:.2g}"
        return ", ".join(filter(None, [self.sides.get(name, ""), f"n = {one.n}" if one.n else "", p]))

    def __repr__(self) -> str:
        lines = []
        for name, one in self.lines.items():
            verdict = f": {one.verdict}" if one.verdict else ""
            lines.append(f"{name}: {_said(one)} {_ends(one)}\n  {self._facts(name)}{verdict}")
        return "\n".join(lines)

    def lines_html(self, style: str = "") -> str:
        """The lines, for a page that has ``evidence.css`` and ``results.css``, or with them as their ``style``."""
        tops = {gain: widest(one for one in self.lines.values() if one.gain == gain) for gain in self._kinds()}
        parts = [f'<div class="tot-results">{style}']
        for name, one in self.lines.items():
            parts.append(
                f"<div><span>{escape(minus(name))}</span><b>{minus(_said(one))}</b>{one.glyph(tops[one.gain])}"
                f"<span>{minus(_ends(one))}</span><small>{minus(self._facts(name))}</small><em>{one.verdict}</em></div>"
            )
        return as_written("\n".join([*parts, "</div>"]))

    def _repr_html_(self) -> str:
        return self.lines_html(f"<style>{style_of('evidence') + style_of('results')}</style>")

    def _kinds(self) -> set[bool]:
        return {one.gain for one in self.lines.values()}


def results(lines: Mapping[str, Interval | Paired | Compared]) -> Results:
    """A line for each result: what it is, estimate, interval, n, p and verdict. Raises ValueError without any.

    An ``Interval`` is a rate; a ``Paired`` or a ``Compared`` is a difference, and its exact p decides whether it is
    clear (the interval, a bootstrap, is not to be trusted with few problems).
    """
    if not lines:
        raise ValueError("pass at least one result: what it is -> its rate or difference")
    return Results(lines)


def _of(found: Interval | Paired | Compared) -> Evidence:
    if isinstance(found, Interval):
        return Evidence(100 * found.rate, 100 * found.low, 100 * found.high, "%", n=found.n)
    return replace(_of(found.difference if isinstance(found, Paired) else found.gain), gain=True, p=found.p)


def _said(one: Evidence) -> str:
    return f"{one.rate:+.0f}%" if one.gain else f"{one.rate:.0f}%"


def _ends(one: Evidence) -> str:
    return f"[{one.low:+.0f}, {one.high:+.0f}]" if one.gain else f"[{one.low:.0f}, {one.high:.0f}]"
