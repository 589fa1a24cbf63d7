"""A chain of thought as a picture: one box for each line that the model wrote, in a row, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from .concepts.kit import Sketch, wide
from .drawing import SVG
from .escaping import clean, cut, line
from .tree import Traced, picture

WIDTH, MARGIN, GAP = 720.0, 14.0, 22.0  # of the picture, around it, between boxes; in pixels
SIZE, LEAD = 12.5, 16.5  # of the text, and from line to line
MOST = 7  # boxes: more lines than these are folded into one


def chain(trace: Traced, remarks: Mapping[int, str] | None = None) -> SVG:
    """The first reply of a run without a search, line by line, from the problem to the answer and its verdict.

    ``remarks``: what the author wants to say below a line, by its number from 1; such a line looks wrong.

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
    return _draw(start, said, verdict, dict(remarks or {}))


def _draw(start: str, said: list[str], verdict: str, remarks: Mapping[int, str]) -> SVG:
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
        look = verdict if ends and verdict in ("correct", "wrong") else "failed" if number in notes else "kept"
        here = sketch.box(x, MARGIN, each, tall, *lines, look=look, size=SIZE, round=10 if ends else 4)
        sketch.arrow(before.right, here.left)
        for i, text in enumerate(notes.get(number, ())):
            sketch.label(here.middle[0], MARGIN + tall + 18 + i * LEAD, text, "wrong", size=SIZE, anchor="middle")
        before, x = here, x + each + GAP
    if verdict:
        word = f"{'✓' if verdict == 'correct' else '✗'} {verdict}"
        colour = "right" if verdict == "correct" else "wrong"
        sketch.label(before.middle[0], MARGIN + tall + 18, word, colour, size=SIZE, anchor="middle", bold=True)
    told = " Then: ".join(said) + "".join(f" Line {n}: {clean(text)}." for n, text in sorted(remarks.items()))
    return sketch.svg(f"A chain of thought: {start}", f"From {start}: {told} The answer is {verdict or 'not judged'}.")


def _lines(text: str, room: int) -> list[str]:
    """The text in lines of at most ``room`` characters; brackets at its end, such as "(left: 2 12)", stay together."""
    head, bracket, tail = text.rpartition(" (")
    if head and text.endswith(")") and len(tail) < room:
        return [*wrap(head, room), bracket.strip() + tail]
    return wrap(text, room) or ["(empty)"]
