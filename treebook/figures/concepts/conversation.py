"""A search, its driver and a model: who speaks when, while a question is asked and answered."""

from tot.show.drawing import SVG

from ..kit import NOTE, Sketch

SEARCH, DRIVER, MODEL = 120.0, 372.0, 620.0  # where their lines stand
WHO: dict[float, tuple[str, str, tuple[tuple[int, int], ...]]] = {  # name, note, and when they run: heights from and to
    SEARCH: ("search", "knows no model", ((84, 118), (330, 388))),
    DRIVER: ("driver", "carries, counts, records", ((118, 330),)),
    MODEL: ("model", "live or recorded", ((206, 250),)),
}


def asking() -> SVG:
    """One round of a search as a sequence, time downwards: the search yields a question and is paused, the driver looks
    at the budget and carries the question to the model, and the replies go back into the search. A thick line: running.
    """
    sketch = Sketch(720, 424)
    for x, (name, note, busy) in WHO.items():
        sketch.arrow((x, 64), (x, 412), colour="border", dash="3 4", head=False, thick=1.2)
        for start, stop in busy:
            sketch.bar(x - 4, start, 8, stop - start)
        sketch.box(x - 82, 14, 164, 48, look="root")
        sketch.label(x, 34, name, anchor="middle", bold=True)
        sketch.note(x, 51, note, anchor="middle")
    _say(sketch, SEARCH, DRIVER, 118, "yield Ask(3 requests)")
    sketch.label(SEARCH + 14, 228, "paused", "faint", size=NOTE, italic=True)
    budget = sketch.box(DRIVER - 72, 136, 144, 28, "room in the budget?", size=12)
    sketch.arrow(budget.right, (DRIVER + 100, 150), colour="wrong")
    sketch.note(DRIVER + 106, 154, "no: the run ends", colour="wrong")
    _say(sketch, DRIVER, MODEL, 206, "yes: 3 requests")
    _say(sketch, MODEL, DRIVER, 250, "3 replies")
    sketch.box(DRIVER - 72, 268, 144, 28, "ledger and trace", size=12)
    sketch.note(DRIVER + 80, 286, "the record, the bill")
    _say(sketch, DRIVER, SEARCH, 330, "send(replies)")
    _say(sketch, SEARCH, DRIVER, 366, "yield Evaluated(nodes)", colour="edge")
    sketch.note(DRIVER + 14, 370, "an event: noted, not answered")
    sketch.arrow((SEARCH - 6, 388), (24, 388), (24, 98), (SEARCH - 6, 98), colour="edge", dash="5 3")
    sketch.note(34, 250, "next", "round", lead=15)
    return sketch.svg("A search, its driver and a model", ABOUT)


ABOUT = (
    "A sequence in time, from top to bottom, of three parties: the search, which knows no model; the driver, which "
    "carries, counts and records; and the model, live or recorded. The search yields an Ask with 3 requests and is "
    "paused from then on. The driver checks the budget; without room the run ends here. With room it sends the 3 "
    "requests to the model and gets 3 replies. It writes ledger and trace, and sends the replies into the search, "
    "which runs on, yields an event that needs no answer, and begins the next round."
)


def _say(sketch: Sketch, start: float, end: float, y: float, text: str, *, colour: str = "chosen") -> None:
    """A message from one line to another at the height ``y``, its text above it."""
    side = 1 if end > start else -1
    sketch.arrow((start + 5 * side, y), (end - 6 * side, y), colour=colour, thick=1.8)
    sketch.label((start + end) / 2, y - 7, text, size=12, anchor="middle")
