"""Labels of plots cover neither each other nor a mark, and stay inside the axes: with the data of a chapter."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from tot.stats import Interval, wilson
from treebook.figures import plots
from treebook.figures.labels import Label, Mark, write

pytest.importorskip("matplotlib")

ROOT = Path(__file__).parents[3]


def game24():
    """What chapter 6, part two, draws."""
    study = json.loads((ROOT / "studies" / "results" / "game24_pocket.json").read_text())
    rows = [{"method": "ToT-BFS, chosen", "label": f"b={b}", **study["rows"][f"ToT b={b}"]} for b in (1, 2, 3, 4, 5)]
    for name, curve in study["best of k"].items():
        rows += [{"method": name, "label": f"k={p['k']}", **p} for p in curve]
    for n in (2, 3, 5):
        rows.append(
            {"method": "ToT b=1, n replies", "label": f"n={n}", **study["rows"][f"ToT b=1, {n} propose replies"]}
        )
    return [row | {"rate": Interval(*row["rate"], study["n"])} for row in rows]


CASES = {
    "states": ("states visited", False),
    "tokens, logarithmic": ("generated tokens", True),
}


@pytest.mark.parametrize("case", CASES)
def test_labels_have_room(case):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    (x, log), rows = CASES[case], game24()
    figure = plots.success_by_cost(rows, x=x, log=log)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    [ax] = figure.axes
    boxes = [(note.get_text(), note.get_window_extent(canvas.get_renderer())) for note in ax.texts]
    assert len(boxes) >= len(rows) >= 8
    assert not [(a, b) for (a, at), (b, other) in combinations(boxes, 2) if at.overlaps(other)]
    marks = ax.transData.transform([(row[x], row["rate"].rate) for row in rows])
    assert not [(text, mark) for text, box in boxes for mark in marks if box.padded(2).contains(*mark)]
    inside = ax.get_window_extent().padded(1)
    assert all(inside.contains(*corner) for _, box in boxes for corner in box.corners())


def test_every_line_has_its_name_beside_it_or_in_a_legend():
    rows = game24()
    names = {row["method"] for row in rows}
    ax = plots.success_by_cost(rows, x="states visited").axes[0]
    assert names <= {note.get_text() for note in ax.texts} and ax.get_legend() is None
    crowded = [{"method": f"a method with a long name, {i}", "tokens": 5, "rate": wilson(i, 9)} for i in range(9)]
    [legend] = [plots.success_by_cost(crowded).axes[0].get_legend()]
    assert len(legend.get_texts()) == 9


def test_where_there_is_no_room_nothing_is_written_unless_it_must():
    figure = plots.new_figure(2, 1)
    ax = figure.add_subplot()
    labels = [Label("much too long for so small a picture", ((0.5, 0.5),), "#000000") for _ in range(3)]
    assert write(figure, ax, labels, [Mark(0.5, 0.5)]) is None and not ax.texts
    notes = write(figure, ax, labels, [Mark(0.5, 0.5)], must=True)
    assert notes is not None and len(notes) == len(ax.texts) == 3
