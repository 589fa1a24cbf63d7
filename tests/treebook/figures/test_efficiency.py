"""The front is what nothing dominates, and its plot says which method is which."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tot.stats import wilson
from treebook.figures.efficiency import front, pareto

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


@given(points)
def test_the_front_is_what_nothing_dominates(places):
    rows = [{"method": i, "tokens": x, "rate": y / 6} for i, (x, y) in enumerate(places)]
    best = front(rows)

    def beats(a, b):
        at_least = a["tokens"] <= b["tokens"] and a["rate"] >= b["rate"]
        return at_least and (a["tokens"], a["rate"]) != (b["tokens"], b["rate"])

    assert not any(beats(a, b) for a in rows for b in best)
    for row in rows:
        assert row in best or any(beats(b, row) for b in best)
    assert [row["tokens"] for row in best] == sorted(row["tokens"] for row in best)
    assert sorted(row["method"] for row in front(rows[::-1])) == sorted(row["method"] for row in best)


def pareto_rows(n=7):
    made = [{"method": f"method {i}", "tokens": 50 * 2**i, "rate": wilson(3 + i % 5 * 2, 20)} for i in range(n)]
    return [*made, {"method": "best of 9, gold picks", "tokens": 200, "rate": wilson(19, 20)}]


def labels(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    [ax] = figure.axes
    return {note.get_text(): note.get_window_extent(canvas.get_renderer()) for note in ax.texts}, ax


@pytest.mark.parametrize(("rows", "log"), [(pareto_rows(), True), (pareto_rows(4), False)])
def test_labels_of_the_pareto_plot_do_not_overlap(rows, log):
    pytest.importorskip("matplotlib")
    written, ax = labels(pareto(rows, log=log))
    assert written.keys() == {row["method"] for row in rows}
    assert not any(a.overlaps(b) for a, b in combinations(written.values(), 2))
    inside = ax.get_window_extent().padded(1)
    assert all(inside.contains(*corner) for box in written.values() for corner in box.corners())


def test_the_pareto_plot_joins_the_front_and_keeps_gold_out():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    rows = pareto_rows()
    honest = [row for row in rows if "gold" not in row["method"]]
    ax = pareto(rows).axes[0]
    drawn = {line.get_label(): line for line in ax.lines}
    best = front(honest)
    assert list(drawn["efficient"].get_xdata()) == [row["tokens"] for row in best]
    assert list(drawn["dominated"].get_ydata()) == [row["rate"].rate for row in honest if row not in best]
    assert list(drawn["needs the gold answer"].get_xdata()) == [200]
    steps = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    assert [list(line.get_xdata()) for line in steps] == [[row["tokens"] for row in best]]
    assert len({drawn[name].get_marker() for name in ("efficient", "dominated", "needs the gold answer")}) == 3
    figure = Figure()
    assert pareto([]).axes and pareto(rows, ax=figure.add_subplot()) is figure
