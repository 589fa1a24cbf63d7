"""Planner, judge and executor: who writes what, and what each of them sees."""

from itertools import pairwise

from tot.show.drawing import SVG

from ..kit import Box, Sketch

STEP, FIRST, WIDE = 152.0, 190.0, 82.0  # between the middles of two columns; the first one; of a box
TOP, ROWS, ROW = 62.0, 158.0, 34.0  # of the boxes; the first row of dots; from row to row
SEEN = ("question", "plan", "judges’ words", "gold answer")
SEES = {
    "planner": (True, True, True, False),
    "judge": (True, True, False, False),
    "executor": (True, True, False, False),
    "verifier": (False, False, False, True),
}  # as the prompts of ``mcts-plan`` have it, which a test looks at


def roles() -> SVG:
    """What the roles of a search over plans write for each other, and what each of them sees: the question, the plan,
    the judges' words, the gold answer.
    """
    sketch = Sketch(720, 302)
    boxes: list[Box] = []
    for i, (role, sees) in enumerate(SEES.items()):
        x = FIRST + STEP * i
        boxes.append(sketch.box(x - WIDE / 2, TOP, WIDE, 42, look="root"))
        sketch.label(x, TOP + (26 if role != "verifier" else 19), role, anchor="middle", bold=True)
        for line, seen in enumerate(sees):
            y = ROWS + ROW * line
            sketch.dot(x, y, 7, look="chosen" if seen else "dropped")
            if seen:
                sketch.tick(x, y + 0.6, 3.2, "chosen")
    sketch.note(FIRST + 3 * STEP, TOP + 34, "a program", anchor="middle")
    for (a, b), text in zip(pairwise(boxes), ("plan", "best plan", "answer"), strict=True):
        sketch.arrow(a.right, b.left, colour="chosen", thick=2)
        sketch.note((a.right[0] + b.left[0]) / 2, TOP + 14, text, colour="ink", anchor="middle")
    end, start = boxes[0].top, boxes[1].top  # from the judge back to the planner
    sketch.arrow(start, (start[0], 30), (end[0], 30), end)
    sketch.note((start[0] + end[0]) / 2, 24, "score, words", colour="ink", anchor="middle")
    sketch.note(20, ROWS - 26, "who sees what")
    for line, text in enumerate(SEEN):
        y = ROWS + ROW * line
        sketch.label(20, y + 4, text, size=12)
        if line:
            sketch.arrow((20, y - ROW / 2), (700, y - ROW / 2), colour="border", head=False, thick=1)
    wall = FIRST + 2.5 * STEP
    sketch.arrow((wall, TOP + 46), (wall, 286), colour="wrong", dash="6 4", head=False, thick=1.6)
    return sketch.svg("The roles of a search over plans", ABOUT)


ABOUT = (
    "Four boxes in a row. The planner gives a plan to the judge; the judge gives a score and words back to the "
    "planner, who revises; the best plan goes to the executor; the executor's answer goes to the verifier, which is a "
    "program. Below, what each sees. The planner: the question, its plan, and the judges' words. The judge: the "
    "question and the plan. The executor: the question and the plan. None of them sees the gold answer: a line parts "
    "them from the verifier, who sees nothing else."
)
