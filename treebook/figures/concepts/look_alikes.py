"""Three judges of plans, their reliability curves side by side, and whether each can order the plans of one problem."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from tot.show.drawing import SVG

from ..kit import Point, Sketch

Counts = Mapping[float, tuple[int, int]]  # reward -> how many plans with it were carried out right, and wrong
HARD, EASY = "hard problem", "easy problem"

# Twelve plans for each of two problems. Of the hard one 4 are right, of the easy one 8, whoever judges them; and over
# both problems every judge has the same curve, on the diagonal: a third of the plans at 1/3, two thirds at 2/3.
LOW, MIDDLE, HIGH = 1 / 3, 1 / 2, 2 / 3
JUDGES: Mapping[str, Mapping[str, Counts]] = {
    "sees the plan": {
        HARD: {LOW: (0, 2), MIDDLE: (0, 3), HIGH: (4, 3)},
        EASY: {LOW: (3, 4), MIDDLE: (3, 0), HIGH: (2, 0)},
    },
    "sees a little of both": {
        HARD: {LOW: (1, 4), MIDDLE: (1, 2), HIGH: (2, 2)},
        EASY: {LOW: (2, 2), MIDDLE: (2, 1), HIGH: (4, 1)},
    },
    "sees only the problem": {
        HARD: {LOW: (3, 6), MIDDLE: (1, 2)},
        EASY: {MIDDLE: (2, 1), HIGH: (6, 3)},
    },
}
NOTES = ("so does each problem", "each problem a little", "each problem is flat")
PANEL, GAP, LEFT = 226.0, 9.0, 12.0
TOP, SIDE = 58.0, 150.0  # of a curve's square, and its size


def reliabilities() -> SVG:
    """Three judges of the same plans: a thick curve over all of them, a thin one for each problem, and how often the
    right one of two plans of one problem has the higher reward.
    """
    sketch, said = Sketch(720.0, 340), []
    for i, ((name, problems), note) in enumerate(zip(JUDGES.items(), NOTES, strict=True)):
        x = LEFT + i * (PANEL + GAP)
        sketch.panel(x, 10, PANEL, 286, name)
        corner = x + 48, TOP + SIDE
        _axes(sketch, *corner)
        for counts in problems.values():
            _line(sketch, corner, shares(counts), thick=False)
        every = shares(together(problems))
        _line(sketch, corner, every, thick=True)
        pairs = higher(problems)
        y = TOP + SIDE + 42
        (sketch.tick if pairs > Fraction(1, 2) else sketch.cross)(x + 22, y - 4, 5.0)
        sketch.label(x + 38, y, f"right plan ahead: {float(pairs):.0%}", bold=True)
        sketch.note(x + 38, y + 17, "the curve rises,", note, lead=15)
        curve = ", ".join(f"{float(share):.0%} at {reward:.2f}" for reward, share in every.items())
        said.append(f"{name}: {curve}; the right plan of a pair is ahead in {float(pairs):.0%}.")
    for x, text, thick, dash in (
        (24.0, "all plans: the reliability curve", True, ""),
        (280.0, "the plans of one problem", False, ""),
        (492.0, "a reward that is a probability", False, "2 4"),
    ):
        sketch.edge((x, 318), (x + 26, 318), chosen=thick, thin=1.2, dash=dash)
        sketch.note(x + 34, 322, text)
    return sketch.svg("Three judges with one reliability curve", ABOUT + " ".join(said))


ABOUT = (
    "Three squares, the share of right plans against their reward, with a dotted diagonal. In each a thick curve over "
    "all plans, the same for all three, and a thin one for each of two problems, an easy one above a hard one. "
)


def together(problems: Mapping[str, Counts]) -> Counts:
    """The plans of all problems: reward -> right, wrong."""
    found: dict[float, tuple[int, int]] = {}
    for reward, (right, wrong) in (row for counts in problems.values() for row in counts.items()):
        before = found.get(reward, (0, 0))
        found[reward] = before[0] + right, before[1] + wrong
    return dict(sorted(found.items()))


def shares(counts: Counts) -> dict[float, Fraction]:
    """Reward -> the share of right ones among the plans with it."""
    return {reward: Fraction(right, right + wrong) for reward, (right, wrong) in counts.items()}


def higher(problems: Mapping[str, Counts]) -> Fraction:
    """How often, of a right and a wrong plan of one problem, the right one has the higher reward; a tie is one half."""
    won = pairs = Fraction(0)
    for counts in problems.values():
        for (a, (right, _)), (b, (_, wrong)) in product(counts.items(), repeat=2):
            won += right * wrong * (Fraction(a > b) + Fraction(a == b, 2))
            pairs += right * wrong
    return won / pairs


def _axes(sketch: Sketch, x: float, y: float) -> None:
    """A square with its lower left corner at (x, y), and the diagonal."""
    for share in (0.0, 0.5, 1.0):
        sketch.arrow((x, y - share * SIDE), (x + SIDE, y - share * SIDE), colour="border", head=False, thick=1)
        sketch.note(x - 7, y - share * SIDE + 4, f"{share:.0%}", anchor="end")
    sketch.edge((x, y), (x + SIDE, y - SIDE), thin=1.2, dash="2 4")
    for at, text in ((0, "0"), (1, "1"), (0.5, "reward")):
        sketch.note(x + at * SIDE, y + 16, text, anchor="middle")


def _line(sketch: Sketch, corner: Point, curve: Mapping[float, Fraction], *, thick: bool) -> None:
    places = [(corner[0] + reward * SIDE, corner[1] - float(share) * SIDE) for reward, share in curve.items()]
    sketch.edge(*places, chosen=thick, thin=1.2)
    for x, y in places:
        sketch.dot(x, y, 4.0 if thick else 2.5, look="chosen" if thick else "kept")
