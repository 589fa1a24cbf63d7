"""One list of choices, shown to voters in two orders: do the ballots go with the choice, or with its place?"""

from collections.abc import Sequence

from tot.show.escaping import count, cut, line

from ..drawing import SVG
from ..kit import Sketch
from ..layout import wrap

WIDTH, TOP, ROW, HIGH = 720.0, 46.0, 50.0, 40.0  # of the drawing; from row to row; of a box
SIDE, BOX = 104.0, 208.0  # room for the ballots beside a box; width of a box
DOT, STEP = 5.5, 14.0  # radius of a ballot, and from ballot to ballot
SIZE, LETTERS = 11.5, 17.0  # of the text in a box, and how wide a line of it may be, in em


def turned(choices: Sequence[str], there: Sequence[int], again: Sequence[int]) -> SVG:
    """The choices in their order at the left, reversed at the right, with a dot for each ballot they got there.

    ``there[i]``: the ballots of choice i in the first list; ``again[i]``: those of the same choice in the reversed one.
    There is room for 6 ballots a choice.
    """
    k = len(choices)
    sketch = Sketch(WIDTH, TOP + k * ROW + 6)
    left, right = SIDE, WIDTH - SIDE - BOX
    sketch.label(left, 26, "the list", bold=True)
    sketch.label(right, 26, "the same list, turned over", bold=True)
    sketch.note(left - 12, 26, "ballots", anchor="end")
    sketch.note(right + BOX + 12, 26, "ballots")

    def height(place: int) -> float:
        return TOP + (place + 0.5) * ROW - 5

    for i in range(k):  # below the boxes
        colour, thick = ("chosen", 2.4) if there[i] == max(there) else ("edge", 1.4)
        sketch.arrow(
            (left + BOX, height(i)), (right, height(k - 1 - i)), colour=colour, thick=thick, head=False, bend=True
        )
    for i, choice in enumerate(choices):
        words = wrap(line(cut(choice, 2 * LETTERS)), LETTERS, 2)
        for x, place, votes, side in ((left, i, there, -1), (right, k - 1 - i, again, 1)):
            y, look = height(place), "chosen" if votes[i] == max(votes) else "kept"
            sketch.box(x, y - HIGH / 2, BOX, HIGH, *words, look=look, size=SIZE, start=True)
            edge = x if side < 0 else x + BOX
            for n in range(votes[i]):
                sketch.dot(edge + side * (14 + n * STEP), y, DOT, look=look)
    ballots = zip(choices, there, again, strict=True)
    told = [f"“{cut(line(choice), 40)}”: {count(a, 'ballot')}, turned {b}" for choice, a, b in ballots]
    about = "The choices of a vote and the ballots they got, in the list and in the same list turned over. "
    return sketch.svg("One ballot paper in two orders", f"{about}{'; '.join(told)}.")
