"""Expert iteration as a circle: a model, a search with it, a check, what becomes of a way, and the model again."""

from tot.show.drawing import SVG

from ..kit import Sketch

LESSONS = (
    ("the generator", "a step on a way is likelier"),
    ("the evaluator", "a state on a way is sure"),
    ("the chain", "a way is worth writing"),
)


def lessons() -> SVG:
    """One round: the model plays both roles of a search, a program checks the ways found, and each way becomes lessons
    for the model's three kinds of reply.
    """
    sketch = Sketch(720, 262)
    model = sketch.box(20, 20, 150, 52, "model", look="root", bold=True)
    search = sketch.box(285, 20, 150, 52, "search", "or chains", look="kept")
    check = sketch.box(550, 20, 150, 52, "check", "legal, and 24?", look="correct")
    sketch.arrow(model.right, search.left, colour="chosen", thick=1.8)
    sketch.note(228, 38, "plays", anchor="middle")
    sketch.arrow(search.right, check.left, colour="chosen", thick=1.8)
    sketch.note(492, 38, "finds ways", anchor="middle")
    sketch.arrow((625, 72), (625, 110), colour="wrong", dash="4 3")
    sketch.note(634, 94, "no: dropped", colour="wrong")
    panel = sketch.panel(160, 132, 400, 116, "what a checked way teaches")
    sketch.arrow((585, 72), (585, 190), panel.right, colour="right", thick=1.8)
    sketch.note(594, 178, "yes", colour="right")
    for line, (head, lesson) in enumerate(LESSONS):
        sketch.label(178, 182 + 24 * line, head, bold=True)
        sketch.label(298, 182 + 24 * line, lesson)
    sketch.arrow(panel.left, (95, 190), model.bottom, colour="chosen", thick=1.8)
    sketch.note(104, 152, "training")
    return sketch.svg("A round of expert iteration", ABOUT)


ABOUT = (
    "A circle of four. A model plays the generator and the evaluator of a search, or writes chains. The search finds "
    "ways. A check asks of each way whether its steps are legal and end at 24; a way that fails is forgotten. A way "
    "that passes teaches three things: the generator, that a step on a way is likelier; the evaluator, that a state on "
    "a way is sure; the chain, that the way is worth writing. Training on these changes the model, and the next round "
    "begins with it."
)
