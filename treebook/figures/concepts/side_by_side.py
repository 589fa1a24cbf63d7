"""IO, chain of thought, self-consistency, refine and a tree, side by side."""

from operator import itemgetter

from tot.show.drawing import SVG

from ..kit import NOTE, Box, Sketch

PANEL, GAP, LEFT = 134.0, 7.0, 11.0
ASKED, LEVELS, ANSWERED = 61.0, (118.0, 168.0, 218.0), 274.0  # heights of the question, of three steps, of the answer
HIGH = 18.0  # of a thought


def methods() -> SVG:
    """Five ways from a question to an answer, one panel each; small boxes are thoughts, blue leads to the answer."""
    sketch = Sketch(720.0, 394)
    for i, (name, draw, *notes) in enumerate(
        (
            ("IO", _io, "the answer,", "in one breath"),
            ("CoT", _chain, "first the steps,", "then the answer"),
            ("CoT-SC", _votes, "several chains,", "and a vote"),
            ("Refine", _refine, "a new try", "after each “no”"),
            ("ToT", _tree, "every step is judged,", "the best go on"),
        )
    ):
        left = LEFT + i * (PANEL + GAP)
        middle = left + PANEL / 2
        sketch.panel(left, 11, PANEL, 336)
        sketch.label(middle, 35, name, anchor="middle", bold=True)
        question = sketch.box(middle - 38, ASKED - 13, 76, 26, "question", look="root", size=12)
        draw(sketch, middle, question)
        sketch.box(middle - 38, ANSWERED - 13, 76, 26, "answer", look="chosen", size=12, round=10)
        sketch.note(middle, 316, *notes, anchor="middle")
    for x, look, text in (
        (32, "kept", "a thought"),
        (160, "dropped", "a thought that is given up"),
        (390, "chosen", "leads to the answer"),
    ):
        sketch.box(x, 362, 24, 14, look=look)
        sketch.note(x + 32, 373.5, text)
    return sketch.svg("Five ways from a question to an answer", ABOUT)


ABOUT = (
    "Five panels, each from a question at the top down to an answer. IO: one arrow, nothing between. "
    "CoT, a chain of thought: three thoughts in a row, then the answer. CoT-SC, self-consistency: three chains side by "
    "side end in A, A and B; they vote, and A becomes the answer. Refine: a first and a second try are each met with "
    "“no”, the third becomes the answer. ToT, a tree of thoughts: three first thoughts, of which two are kept; each "
    "has two children, of which one is kept; and again; at each level the others are given up, and one path leads "
    "to the answer."
)


def _io(sketch: Sketch, x: float, question: Box) -> None:
    sketch.arrow(question.bottom, (x, ANSWERED - 13), colour="chosen", thick=2.4)


def _chain(sketch: Sketch, x: float, question: Box) -> None:
    above = question
    for level in LEVELS:
        here = sketch.box(x - 22, level - HIGH / 2, 44, HIGH, look="chosen")
        sketch.arrow(above.bottom, here.top, colour="chosen", thick=2.4, head=False)
        above = here
    sketch.arrow(above.bottom, (x, ANSWERED - 13), colour="chosen", thick=2.4)


def _votes(sketch: Sketch, x: float, question: Box) -> None:
    for side, said in ((-42, "A"), (0, "A"), (42, "B")):
        wins = said == "A"
        look, colour, thick = ("chosen", "chosen", 2.0) if wins else ("dropped", "edge", 1.4)
        above = question
        for level in LEVELS[:2]:
            here = sketch.box(x + side - 14, level - HIGH / 2, 28, HIGH, look=look)
            bend = "down" if above is question else ""
            sketch.arrow(above.bottom, here.top, colour=colour, thick=thick, head=False, bend=bend)
            above = here
        vote = sketch.dot(x + side, LEVELS[2], 11, said, look=look, size=12)
        sketch.arrow(above.bottom, vote.top, colour=colour, thick=thick, head=False)
        if wins:
            sketch.arrow(vote.bottom, (x + side / 3, ANSWERED - 13), colour=colour, thick=thick, bend="down")


def _refine(sketch: Sketch, x: float, question: Box) -> None:
    above = question
    for i, level in enumerate(LEVELS):
        last = i == len(LEVELS) - 1
        here = sketch.box(x - 24, level - 11, 48, 22, f"try {i + 1}", look="chosen" if last else "dropped", size=NOTE)
        if above is question:
            sketch.arrow(above.bottom, here.top, head=False)
        else:
            sketch.arrow(above.bottom, here.top, colour="wrong")
            sketch.label(x + 10, level - 21, "no", "wrong", size=NOTE)
        above = here
    sketch.arrow(above.bottom, (x, ANSWERED - 13), colour="chosen", thick=2.4)


def _tree(sketch: Sketch, x: float, question: Box) -> None:
    # level, parent, side, look: the parent is counted from 0 in the order of drawing, -1 is the question
    grown = (
        (0, -1, -40, "kept"), (0, -1, 0, "chosen"), (0, -1, 40, "dropped"),
        (1, 0, -46, "dropped"), (1, 0, -16, "kept"), (1, 1, 16, "chosen"), (1, 1, 46, "dropped"),
        (2, 4, -46, "dropped"), (2, 4, -16, "dropped"), (2, 5, 16, "chosen"), (2, 5, 46, "dropped"),
    )  # fmt: skip
    places = [Box(x + side - 12, LEVELS[level] - HIGH / 2, 24, HIGH) for level, _, side, _ in grown]
    edges = [
        (places[parent] if parent >= 0 else question, place, look == "chosen")
        for place, (_, parent, _, look) in zip(places, grown, strict=True)
    ]
    for above, place, chosen in sorted(edges, key=itemgetter(2)):  # the chosen path lies on top
        sketch.edge(above.bottom, place.top, chosen=chosen, bend="down")
    for place, (*_, look) in zip(places, grown, strict=True):
        sketch.box(*place, look=look)
    sketch.arrow(places[9].bottom, (x, ANSWERED - 13), colour="chosen", thick=2.4, bend="down")
