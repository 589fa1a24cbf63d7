"""The picture of gains."""

import pytest

from tot.stats import Interval
from treebook.figures.gain_map import AHEAD, BEHIND, LEAST, gains

ROWS = [
    {"a": 0.2, "b": 0.6, "gain": Interval(0.3, 0.1, 0.5, 100)},
    {"a": 0.5, "b": 0.7, "gain": Interval(-0.2, -0.3, -0.1, 100)},
    {"a": 0.9, "b": 0.9, "gain": Interval(0.01, -0.1, 0.12, 100)},
]


def test_sign_certainty_and_size_are_seen():
    ax = gains(ROWS, x="a", y="b", names=("tree", "chains")).axes[0]
    drawn = {tuple(float(v) for v in (*line.get_xdata(), *line.get_ydata())): line for line in ax.lines}
    ahead, behind, open_ = (drawn[row["a"], row["b"]] for row in ROWS)
    assert ahead.get_markerfacecolor() == AHEAD and ahead.get_marker() == "o"
    assert behind.get_markerfacecolor() == BEHIND and behind.get_marker() == "s"
    assert open_.get_markerfacecolor() == "#ffffff" and open_.get_markersize() == LEAST
    assert ahead.get_markersize() > behind.get_markersize() > LEAST


def test_border_and_marks_are_drawn_within_the_rows_window():
    border = {"x": [0.2, 0.9], "y": [0.7, 2.0], "low": [0.6, 0.9], "high": [0.8, 3.0]}
    figure = gains(ROWS, x="a", y="b", border=border, marks={"another model": (0.4, 0.8)})
    ax = figure.axes[0]
    assert ax.get_ylim()[1] < 1.0 and any(text.get_text() == "another model" for text in ax.texts)
    assert {"border", "95%"} <= {text.get_text() for text in figure.legends[0].texts}


def test_a_gain_without_an_interval_is_refused():
    with pytest.raises(ValueError, match="must be an Interval"):
        gains([{"a": 1, "b": 1, "gain": 0.5}], x="a", y="b")
