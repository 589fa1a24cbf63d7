"""Wilson's interval found: of all true rates those are kept that make the observed rate plausible."""

from math import ceil, floor, sqrt
from statistics import NormalDist

from tot.stats import wilson as interval_of
from tot.ties import level

from ..drawing import SVG, px
from ..kit import Sketch

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
    for tick in ticks[:: 1 + len(ticks) // 8]:
        sketch.arrow((LEFT, y(tick)), (LEFT + WIDE, y(tick)), colour="border", head=False, thick=1)
        sketch.note(LEFT - 8, y(tick) + 4, f"{tick:.0%}", anchor="end")
        sketch.note(x(tick), TOP + HIGH + 20, f"{tick:.0%}", anchor="middle")
    step = (stop - start) / ROWS
    for i in range(ROWS):
        rate = start + (i + 0.5) * step
        reach = Z * sqrt(rate * (1 - rate) / n)
        low, high = max(rate - reach, start), min(rate + reach, stop)
        width, kept = max(x(high) - x(low), 1.0), found.low <= rate <= found.high
        sketch.bar(x(low), y(rate) - 3.5, width, 7, "bar" if kept else "border")
    seen = x(found.rate)
    sketch.arrow((seen, TOP + HIGH + 2), (seen, TOP - 6), colour="chosen", thick=2.4, head=False)
    side = "start" if seen < LEFT + 80 else "middle"
    sketch.label(max(seen, LEFT), TOP - 14, f"observed: {successes} of {n}", "chosen", anchor=side, bold=True)
    below = f"share of right answers in a sample of {n}"
    sketch.label(LEFT + WIDE / 2, TOP + HIGH + 46, below, "faint", size=12, anchor="middle")
    sketch.label(16, 20, "true rate", "faint", size=12)
    for at in (y(end) for end in (found.low, found.high) if start < end < stop):
        sketch.arrow((seen, at), (LEFT + WIDE + 16, at), colour="chosen", thick=1, dash="3 3", head=False)
    _verdicts(sketch, y(stop), y(found.high), y(found.low), y(start), f"{found.low:.1%} to {found.high:.1%}")
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


def _verdicts(sketch: Sketch, top: float, high: float, low: float, bottom: float, interval: str) -> None:
    """At the right of the plot: which rates are too high, kept, or too low."""
    x, text, middle = LEFT + WIDE + 22, LEFT + WIDE + 38, (high + low) / 2
    for start, stop, which in ((top, high, "high"), (low, bottom, "low")):
        if stop - start > 18:
            sketch.path(f"M{px(x)} {px(start + 2)}V{px(stop - 2)}", "edge", thick=2)
            sketch.note(text, (start + stop) / 2 + 4, f"too {which}: bars miss the line")
    sketch.path(f"M{px(x)} {px(high + 1)}V{px(low - 1)}", "chosen", thick=5)
    sketch.label(text, middle - 5, "kept: the interval", "chosen", bold=True)
    sketch.label(text, middle + 14, interval, "chosen")
