"""A chain of thought as a picture: one box for each line that the model wrote, in a row, and what came of it."""

from collections.abc import Mapping
from textwrap import wrap

from tot.show.escaping import clean, cut, line
from tot.show.tree import Traced, picture, refusing_damage

from .drawing import SVG
from .kit import Sketch, wide

WIDTH, MARGIN, GAP = 720.0, 14.0, 22.0  # of the picture, around it, between boxes; in pixels
SIZE, LEAD = 12.5, 16.5  # of the text, and from line to line
MOST = 7  # boxes: more lines than these are folded into one
NARROW, DROP = 178.0, 17.0  # of a chain that runs down: its width, and the room for an arrow


@refusing_damage
def chain(trace: Traced, remarks: Mapping[int, str] | None = None, *, down: bool = False) -> SVG:
    """The first reply of a run without a search, line by line, from the problem to the answer and its verdict.

    ``remarks``: what the author wants to say below a line, by its number from 1; such a line looks wrong. ``down``: the
    lines one below the other, in a column as narrow as may stand beside something else.

    Raises ValueError for a run in which nothing was asked, and for a remark on a line that the reply does not have.
    """
    seen = picture(trace)
    asked = next((event for event in seen.trace.events if event.get("kind") == "asked" and event.get("requests")), None)
    if asked is None:
        raise ValueError("nothing was asked in this run: pass a run with io or cot, for example")
    reply = str(asked["requests"][0]["samples"][0]["text"])
    said = [line(each) for each in reply.splitlines() if each.strip()]
    remarks = remarks or {}
    if missing := set(remarks) - set(range(1, len(said) + 1)):
        raise ValueError(f"the reply has {len(said)} lines, and no line {min(missing)}")
    if len(said) > MOST:
        said = [*said[: MOST - 2], f"... {len(said) - MOST + 1} more lines", said[-1]]
    verdict = next((item.verdict for item in seen.items.values() if item.verdict), "")
    start = line(str(seen.trace.head.get("problem")))
    told = " Then: ".join(said) + "".join(f" Line {n}: {clean(text)}." for n, text in sorted(remarks.items()))
    sketch = _drawn(start, said, verdict, remarks, down)
    return sketch.svg(f"A chain of thought: {start}", f"From {start}: {told} The answer is {verdict or 'not judged'}.")


def _drawn(start: str, said: list[str], verdict: str, remarks: Mapping[int, str], down: bool) -> Sketch:
    first = min(max(wide(start, SIZE) + 20, 60.0), 110.0)
    each = NARROW - 2 * MARGIN if down else (WIDTH - 2 * MARGIN - first - len(said) * GAP) / len(said)
    room = max(int(each / SIZE * 1.75), 6)  # characters: the text is narrower than its size is high
    texts = [_lines(cut(text, 5 * room), room) for text in said]
    notes = {number: wrap(clean(remark), room) for number, remark in remarks.items()}
    if down:
        head = wrap(cut(start, 3 * room), room)
        tall = [len(lines) * LEAD + 12 for lines in (head, *texts)]
        below = sum(len(notes.get(number, ())) for number in range(len(tall))) * LEAD
        sketch = Sketch(NARROW, 2 * MARGIN + sum(tall) + below + DROP * len(said) + (LEAD + 4 if verdict else 0))
    else:
        head = wrap(cut(start, 40), 12)
        tall = [max(map(len, texts)) * LEAD + 20] * (len(texts) + 1)
        below = max(map(len, notes.values()), default=1) * LEAD
        sketch = Sketch(WIDTH, tall[0] + below + 2 * MARGIN + 4)
    before = sketch.box(MARGIN, MARGIN, each if down else first, tall[0], *head, look="root", size=SIZE)
    x, y = (MARGIN, before.bottom[1] + DROP) if down else (before.right[0] + GAP, MARGIN)
    for number, lines in enumerate(texts, 1):
        ends, noted = number == len(texts), notes.get(number, ())
        look = verdict if ends and verdict in ("correct", "wrong") else "failed" if number in remarks else "kept"
        here = sketch.box(x, y, each, tall[number], *lines, look=look, size=SIZE, round=10 if ends else 4)
        middle, low = here.bottom
        sketch.arrow(*(((middle, y - DROP), here.top) if down else (before.right, here.left)))
        for i, text in enumerate(noted):
            sketch.label(middle, low + (14.5 if down else 18) + i * LEAD, text, "wrong", size=SIZE, anchor="middle")
        x, y = (x, low + len(noted) * LEAD + DROP) if down else (here.right[0] + GAP, y)
        before = here
    if verdict:
        mark, colour = ("✓", "right") if verdict == "correct" else ("✗", "wrong")
        at = y if down else before.bottom[1] + 18
        sketch.label(before.middle[0], at, f"{mark} {verdict}", colour, size=SIZE, anchor="middle", bold=True)
    return sketch


def _lines(text: str, room: int) -> list[str]:
    """The text in lines of at most ``room`` characters; brackets at its end, such as "(left: 2 12)", stay together."""
    head, bracket, tail = text.rpartition(" (")
    if head and text.endswith(")") and len(tail) < room:
        return [*wrap(head, room), bracket.strip() + tail]
    return wrap(text, room) or ["(empty)"]
