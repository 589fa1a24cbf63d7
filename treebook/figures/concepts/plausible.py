"""Wilson's interval found: of all true rates those are kept that make the observed rate plausible."""

from __future__ import annotations

from math import ceil, floor, sqrt
from statistics import NormalDist

from tot.show.drawing import SVG, px
from tot.stats import wilson as interval_of
from tot.ties import level

from ..kit import NOTE, Sketch

LEFT, TOP, WIDE, HIGH = 62.0, 52.0, 400.0, 300.0  # the plot
ROWS = 25  # true rates that are drawn
Z = NormalDist().inv_cdf(0.975)  # standard errors to both sides that hold 95 %


def wilson(successes: int, n: int) -> SVG:
    """How Wilson's interval for ``successes`` of ``n`` comes about: a row is a possible true rate, its bar the observed
    rates within 1.96 standard errors of it. Rows whose bar reaches the observed rate are kept: they are the interval.

    The ends are those of ``tot.stats.wilson``; raises ValueError where that does.
    """
    found = interval_of(successes, n)
    start, stop = _window(found.low, found.high)
    sketch = Sketch(720, 412)

    def x(rate: float) -> float:
        return LEFT + WIDE * (rate - start) / (stop - start)

    def y(rate: float) -> float:
        return TOP + HIGH * (stop - rate) / (stop - start)

    ticks = [i / 10 for i in range(round(10 * start), round(10 * stop) + 1)]
    ticks = ticks[:: 1 + len(ticks) // 8]
    for tick in ticks:
        sketch.arrow((LEFT, y(tick)), (LEFT + WIDE, y(tick)), colour="border", head=False, thick=1)
        sketch.label(LEFT - 8, y(tick) + 4, f"{tick:.0%}", "faint", size=NOTE, anchor="end")
        sketch.label(x(tick), TOP + HIGH + 20, f"{tick:.0%}", "faint", size=NOTE, anchor="middle")
    step = (stop - start) / ROWS
    for i in range(ROWS):
        rate = start + (i + 0.5) * step
        reach = Z * sqrt(rate * (1 - rate) / n)
        low, high = max(rate - reach, start), min(rate + reach, stop)
        kept = found.low <= rate <= found.high
        width = max(x(high) - x(low), 1.0)
        sketch.bar(x(low), y(rate) - 3.5, width, 7, "bar" if kept else "border")
    sketch.arrow((x(found.rate), TOP + HIGH + 2), (x(found.rate), TOP - 6), colour="chosen", thick=2.4, head=False)
    side = "start" if x(found.rate) < LEFT + 80 else "middle"
    says = f"observed: {successes} of {n}"
    sketch.label(max(x(found.rate), LEFT), TOP - 14, says, "chosen", anchor=side, bold=True)
    sketch.label(
        LEFT + WIDE / 2,
        TOP + HIGH + 46,
        f"share of right answers in a sample of {n}",
        "faint",
        size=12,
        anchor="middle",
    )
    sketch.label(16, 20, "true rate", "faint", size=12)
    for end in (found.low, found.high):
        if start < end < stop:
            sketch.arrow(
                (x(found.rate), y(end)), (LEFT + WIDE + 16, y(end)), colour="chosen", thick=1, dash="3 3", head=False
            )
    _verdicts(sketch, (y(stop), y(found.high), y(found.low), y(start)), (found.low, found.high))
    about = ABOUT.format(successes=successes, n=n, low=found.low, high=found.high)
    return sketch.svg(f"Wilson's interval for {successes} of {n}", about)


ABOUT = (
    "Each row is a possible true rate of a model. Its bar spans the observed rates that would be plausible under that "
    "rate: those within 1.96 standard errors. A vertical line marks what was observed, {successes} of {n}. The rows "
    "whose bar reaches the line are kept, from {low:.1%} to {high:.1%}: they are Wilson's interval. The bars of "
    "higher and of lower rates do not reach the line."
)


def _window(low: float, high: float) -> tuple[float, float]:
    """The rates that are drawn, in whole tenths: the interval and about as much again around it."""
    room = 0.7 * (high - low)
    start, stop = max(floor(level(10 * (low - room))), 0), min(ceil(level(10 * (high + room))), 10)
    return start / 10, stop / 10


def _verdicts(sketch: Sketch, heights: tuple[float, float, float, float], ends: tuple[float, float]) -> None:
    """At the right of the plot: which rates are too high, kept, or too low."""
    x, (top, high, low, bottom) = LEFT + WIDE + 22, heights
    text = x + 16
    for start, stop, says in (
        (top, high, "too high: bars miss the line"),
        (low, bottom, "too low: bars miss the line"),
    ):
        if stop - start > 18:
            sketch.path(f"M{px(x)} {px(start + 2)}V{px(stop - 2)}", "edge", thick=2)
            sketch.label(text, (start + stop) / 2 + 4, says, "faint", size=NOTE)
    sketch.path(f"M{px(x)} {px(high + 1)}V{px(low - 1)}", "chosen", thick=5)
    middle = (high + low) / 2
    sketch.label(text, middle - 5, "kept: the interval", "chosen", bold=True)
    sketch.label(text, middle + 14, f"{ends[0]:.1%} to {ends[1]:.1%}", "chosen")
