"""A chain of thought as a picture: one box for each line that the model wrote, in a row, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from tot.show.drawing import SVG
from tot.show.escaping import clean, cut, line
from tot.show.tree import Traced, picture, refusing_damage

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
    if missing := set(remarks or {}) - set(range(1, len(said) + 1)):
        raise ValueError(f"the reply has {len(said)} lines, and no line {min(missing)}")
    if len(said) > MOST:
        said = [*said[: MOST - 2], f"... {len(said) - MOST + 1} more lines", said[-1]]
    verdict = next((item.verdict for item in seen.items.values() if item.verdict), "")
    start = line(str(seen.trace.head.get("problem")))
    sketch = (_down if down else _across)(start, said, verdict, dict(remarks or {}))
    told = " Then: ".join(said) + "".join(f" Line {n}: {clean(text)}." for n, text in sorted((remarks or {}).items()))
    return sketch.svg(f"A chain of thought: {start}", f"From {start}: {told} The answer is {verdict or 'not judged'}.")


def _look(number: int, ends: bool, verdict: str, remarks: Mapping[int, str]) -> str:
    if ends and verdict in ("correct", "wrong"):
        return verdict
    return "failed" if number in remarks else "kept"


def _judged(verdict: str) -> tuple[str, str]:
    """The verdict in a word with its mark, and the colour of both."""
    return f"{'✓' if verdict == 'correct' else '✗'} {verdict}", "right" if verdict == "correct" else "wrong"


def _down(start: str, said: list[str], verdict: str, remarks: Mapping[int, str]) -> Sketch:
    each = NARROW - 2 * MARGIN
    room = int(each / SIZE * 1.75)
    texts = [_lines(cut(text, 5 * room), room) for text in said]
    notes = {number: wrap(clean(remark), room) for number, remark in remarks.items()}
    head = wrap(cut(start, 3 * room), room)
    tall = [len(lines) * LEAD + 12 for lines in (head, *texts)]
    below = [len(notes.get(number, ())) * LEAD for number in range(len(tall))]
    sketch = Sketch(NARROW, 2 * MARGIN + sum(tall) + sum(below) + DROP * len(said) + (LEAD + 4 if verdict else 0))
    before = sketch.box(MARGIN, MARGIN, each, tall[0], *head, look="root", size=SIZE)
    y = before.bottom[1] + DROP
    for number, lines in enumerate(texts, 1):
        ends = number == len(texts)
        look = _look(number, ends, verdict, remarks)
        here = sketch.box(MARGIN, y, each, tall[number], *lines, look=look, size=SIZE, round=10 if ends else 4)
        sketch.arrow((here.middle[0], y - DROP), here.top)
        y = here.bottom[1]
        for text in notes.get(number, ()):
            y += LEAD
            sketch.label(here.middle[0], y - 2, text, "wrong", size=SIZE, anchor="middle")
        before, y = here, y + DROP
    if verdict:
        word, colour = _judged(verdict)
        sketch.label(before.middle[0], y, word, colour, size=SIZE, anchor="middle", bold=True)
    return sketch


def _across(start: str, said: list[str], verdict: str, remarks: Mapping[int, str]) -> Sketch:
    first = min(max(wide(start, SIZE) + 20, 60.0), 110.0)
    each = (WIDTH - 2 * MARGIN - first - len(said) * GAP) / len(said)
    room = max(int(each / SIZE * 1.75), 6)  # characters: the text is narrower than its size is high
    texts = [_lines(cut(text, 5 * room), room) for text in said]
    tall = max(map(len, texts)) * LEAD + 20
    notes = {number: wrap(clean(remark), room) for number, remark in remarks.items()}
    below = max((len(note) for note in notes.values()), default=1) * LEAD
    sketch = Sketch(WIDTH, tall + below + 2 * MARGIN + 4)
    before = sketch.box(MARGIN, MARGIN, first, tall, *wrap(cut(start, 40), 12), look="root", size=SIZE)
    x = before.x + before.w + GAP
    for number, lines in enumerate(texts, 1):
        ends = number == len(texts)
        look = _look(number, ends, verdict, remarks)
        here = sketch.box(x, MARGIN, each, tall, *lines, look=look, size=SIZE, round=10 if ends else 4)
        sketch.arrow(before.right, here.left)
        for i, text in enumerate(notes.get(number, ())):
            sketch.label(here.middle[0], MARGIN + tall + 18 + i * LEAD, text, "wrong", size=SIZE, anchor="middle")
        before, x = here, x + each + GAP
    if verdict:
        word, colour = _judged(verdict)
        sketch.label(before.middle[0], MARGIN + tall + 18, word, colour, size=SIZE, anchor="middle", bold=True)
    return sketch


def _lines(text: str, room: int) -> list[str]:
    """The text in lines of at most ``room`` characters; brackets at its end, such as "(left: 2 12)", stay together."""
    head, bracket, tail = text.rpartition(" (")
    if head and text.endswith(")") and len(tail) < room:
        return [*wrap(head, room), bracket.strip() + tail]
    return wrap(text, room) or ["(empty)"]
