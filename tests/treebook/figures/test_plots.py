"""Plots draw their numbers, in print and for colour-blind readers as well, and clip nothing."""

import pytest
from traces import small

from tot.stats import Interval, wilson
from treebook.figures import plot_style, plots
from treebook.figures.search_tables import visit_rows

pytest.importorskip("matplotlib")


def test_plots_draw_their_numbers() -> None:
    from matplotlib.colors import to_hex

    rows = [
        {"method": m, "tokens": t, "rate": wilson(k, 40), "label": f"b={t // 100}"}
        for m, t, k in [("bfs", 300, 20), ("bfs", 100, 9), ("$dfs_1$", 200, 10)]
    ]
    drawn = plots.success_by_cost(rows)
    (first, *_), (second, *_) = (container.lines for container in drawn.axes[0].containers)
    assert list(first.get_xdata()) == [100, 300] and list(first.get_ydata()) == [9 / 40, 0.5]
    assert first.get_marker() != second.get_marker() and first.get_color() != second.get_color()

    named = plots.rates(rows[1:], references={"paper": {"bfs": 0.74, "unknown": 0.1}})
    assert [label.get_text() for label in named.axes[0].get_yticklabels()] == ["bfs  (n=40)", "\\$dfs_1\\$  (n=40)"]
    failed = plots.rates([rows[0] | {"n": 40, "errors": 2}]).axes[0]
    assert [label.get_text() for label in failed.get_yticklabels()] == ["bfs  (n=40, 2 errors)"]
    low = plots.rates([{"method": "io", "rate": 0.0}, {"method": "cot", "rate": 0.025}], digits=1).axes[0]
    assert [one.get_text() for one in low.texts] == ["0.0%", "2.5%"]
    assert all(one.get_ha() == "left" for one in low.texts)  # beside the axis, not across it
    assert plots.success_by_cost(rows, top=0.5).axes[0].get_ylim() == (-0.015, 0.515)
    for first, left in ((0, False), (10, True)):  # a marker at 0 is not cut in half by the axis
        limits = plots.success_by_cost([rows[0] | {"tokens": first}, rows[1]]).axes[0].get_xlim()
        assert bool(limits[0] == 0) is left
    legend = [one.get_text() for one in named.legends[0].get_texts()]
    assert legend == ["measured, 95% interval", "paper"]

    failed = [{"method": "cot", "step": step, "count": n} for step, n in (("step 1", 30), ("step 2", 9), ("solved", 1))]
    bars = plots.failures(failed).axes[0]
    assert [container[0].get_width() for container in bars.containers] == [75, 22.5, 2.5]
    fills = [to_hex(container[0].get_facecolor()) for container in bars.containers]
    assert len(set(fills)) == 3 and fills[-1] == plot_style.SOLVED[0]
    assert [one.get_text() for one in bars.texts] == ["30", "9"]


def test_differences_say_on_which_side_of_zero_they_lie() -> None:
    ahead, level, behind = (Interval(0.1 + at, at, 0.2 + at, 100) for at in (0.05, -0.1, -0.4))
    drawn = plots.differences({"the vote": {"one": ahead, "two": level}, "the best": {"one": behind}}).axes[0]
    names = [label.get_text() for label in drawn.get_yticklabels()]
    assert names == ["minus the vote", "one", "two", "minus the best", "one"]
    marks = [container.lines[0] for container in drawn.containers]
    assert [mark.get_color() for mark in marks] == [plot_style.SOLVED[0], plots.GREY, plot_style.WRONG[0]]
    assert [list(mark.get_ydata()) for mark in marks] == [[1], [2], [4]]
    assert [text.get_text() for text in drawn.texts] == ["+15 [5, 25]", "+0 [−10, 10]", "−30 [−40, −20]"]
    assert plots.differences({}).axes


def test_plots_take_an_axis_and_nothing_is_clipped() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    ax = figure.add_subplot()
    assert (
        plots.rates([{"method": "io", "rate": 0.1, "low": 0.05, "high": 0.2, "n": 9}], ax=ax) is figure
        and ax.containers
    )
    rows = [
        {"method": f"a long name of a method {i}", "rate": wilson(i, 8), "step": f"step {i}", "count": 3}
        for i in range(9)
    ]
    for made in (plots.rates(rows, references={"a paper": {rows[0]["method"]: 1.0}}), plots.failures(rows)):
        canvas = FigureCanvasAgg(made)
        canvas.draw()
        box = made.get_tightbbox(canvas.get_renderer())
        width, height = made.get_size_inches()
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01


def test_the_plot_has_a_line_for_each_child():
    rows = visit_rows(small(20))
    left, right = plots.visits(rows, log=True).axes
    assert left.get_xscale() == right.get_xscale() == "log"
    for ax, key in ((left, "share"), (right, "mean")):
        for line, name in zip(ax.lines, "ab", strict=True):
            drawn = list(zip(line.get_xdata(), line.get_ydata(), strict=True))
            mine = [(row["rollouts"], row[key]) for row in rows if row["thought"] == name]
            assert drawn == [(x, y) for x, y in mine if y is not None]
    styles = [(line.get_color(), line.get_linestyle()) for line in left.lines]
    assert styles[0][0] != styles[1][0] and styles[0][1] != styles[1][1]
    assert plots.visits([]).axes
