"""A recorded model: each sample is looked up by its identity, and what is missing is asked for once, or refused."""

from tot.lm.base import user
from tot.show.drawing import SVG

from ..kit import NOTE, Sketch

MODEL = "a model"  # whose samples they are: its name is part of the identity
REQUEST = user("Pick a colour.", temperature=0.7, n=3)
RECORDED = ("blue", "green")  # the samples 0 and 1 of the request
ROWS = (78.0, 126.0, 174.0)  # heights of the three samples


def cassette() -> SVG:
    """A request for three samples meets a cassette that holds two of them: two replay, one is asked for or refused.

    The key is the package's own (``Request.key``), shortened to six digits.
    """
    key = REQUEST.key(MODEL)[:6]
    sketch = Sketch(720, 342)
    for x, name in ((90, "request"), (266, "identity"), (451, "cassette"), (643, "reply")):
        sketch.label(x, 32, name, anchor="middle", bold=True)
    request = sketch.box(14, 60, 152, 132, look="root", round=8)
    for i, text in enumerate(("“Pick a colour.”", "temperature 0.7", MODEL, f"{REQUEST.n} samples")):
        sketch.label(90, 90 + 27 * i, text, size=12, anchor="middle")
    sketch.panel(370, 46, 162, 160)
    for i, y in enumerate(ROWS):
        found = i < len(RECORDED)
        identity = sketch.box(216, y - 15, 100, 30, f"{key} · {i}", size=12)
        sketch.arrow(request.right, identity.left, bend="across", head=False)
        line = sketch.box(384, y - 15, 134, 30, look="kept" if found else "dropped")
        says = f"{key} · {i}: {RECORDED[i]}" if found else "no such line"
        sketch.label(451, y + 4, says, "ink" if found else "faint", size=NOTE, anchor="middle", italic=not found)
        sketch.arrow(identity.right, line.left)
        if found:
            reply = sketch.box(594, y - 15, 98, 30, RECORDED[i], look="chosen", size=12, round=10)
            sketch.arrow(line.right, reply.left, colour="chosen", thick=2.0)
    sketch.note(563, ROWS[0] - 8, "replay", colour="chosen", anchor="middle")
    asked = sketch.box(366, 252, 170, 36, "a live model behind it?", look="root", size=12)
    sketch.arrow((451, ROWS[2] + 15), asked.top)
    sketch.note(461, 228, "a miss")
    fresh = sketch.box(594, ROWS[2] - 15, 98, 30, "red", look="new", size=12, round=10)
    sketch.arrow(asked.right, (643, 270), fresh.bottom, colour="chosen", thick=2.0)
    sketch.note(548, 262, "yes", colour="chosen")
    sketch.note(630, 308, "asked once, and", "written down for good", anchor="middle")
    refused = sketch.box(118, 252, 198, 36, "refused: never made up", look="wrong", size=12)
    sketch.arrow(asked.left, refused.right, colour="wrong")
    sketch.note(341, 262, "no", colour="wrong", anchor="middle")
    sketch.note(217, 308, "it names the nearest request", anchor="middle")
    return sketch.svg("A cassette", ABOUT.format(key=key))


ABOUT = (
    "A request, “Pick a colour.” at temperature 0.7 to one model, wants 3 samples. Each sample has an identity: the "
    "request's key, {key}, and an index, 0, 1 or 2. In the cassette each identity is looked up. 0 and 1 are there, and "
    "are replayed: blue and green. 2 is a miss. If a live model is behind the cassette, it is asked once, and its "
    "reply is written down for good; if not, the request is refused, with the nearest recorded one named."
)
